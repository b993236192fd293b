"""Make a bad program small: fewer results, steps and inputs, simpler numbers, while it stays bad in the same way."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

if __package__ in (None, ""):
    sys.path.insert(0, str(Path(__file__).parents[1]))
os.environ.setdefault("JAX_PLATFORMS", "cpu")

import jax
import numpy as np

from fuzzing.generate import Program, Step, needed, program
from fuzzing.oracle import Case, Finding, judge

TRIES = 150


def shrunk(case: Case, findings: Sequence[Finding]) -> tuple[Case, list[Finding]]:
    """The smallest case that some steps down lead to, bad in one of the ways that the first one was."""
    kinds = {(f.kind, f.whose) for f in findings}
    found, left = list(findings), TRIES
    done = False
    while not done:
        done = True
        for smaller in simpler(case):
            left -= 1
            if left < 0:
                return case, found
            try:
                o = judge(smaller)
            except Exception:  # no program any more
                continue
            if kinds & {(f.kind, f.whose) for f in o.findings}:
                case, found, done = smaller, o.findings, False
                break
    return case, found


def simpler(case: Case) -> Iterator[Case]:
    """Cases that are a step smaller, the largest steps first."""
    p = case.program
    for result in p.results if len(p.results) > 1 else ():
        yield from with_program(case, replace(p, results=(result,)))
    for k in range(len(p.inputs), len(p.inputs) + len(p.steps)):
        for instead in p.steps[k - len(p.inputs)].args:
            yield from with_program(case, _without(p, k, instead))
        if p.results != (k,):
            yield from with_program(case, replace(p, results=(k,)))
    for j, x in enumerate(case.given):
        if x.ndim and x.size > 1 and len(np.unique(x.astype(np.float64))) > 1:
            same = np.full_like(x, x.flat[0])
            yield replace(case, given=[*case.given[:j], same, *case.given[j + 1 :]])


def _without(p: Program, k: int, instead: int) -> Program:
    """Value k is not made: an operand takes its place."""

    def place(a: int) -> int:
        a = instead if a == k else a
        return a - (a > k)

    n = len(p.inputs)
    steps = [Step(s.text, tuple(place(a) for a in s.args)) for i, s in enumerate(p.steps, n) if i != k]
    return replace(p, steps=tuple(steps), results=tuple(dict.fromkeys(place(r) for r in p.results)))


def with_program(case: Case, p: Program) -> Iterator[Case]:
    """The case with a smaller program, and the inputs that it still has."""
    if any(r < len(p.inputs) for r in p.results):
        return
    marked = replace(p, inputs=tuple(replace(v, size=float(i)) for i, v in enumerate(p.inputs)))
    kept = [int(v.size) for v in needed(marked).inputs]
    given, second = ([xs[i] for i in kept] for xs in (case.given, case.second))
    yield replace(case, program=needed(p), given=given, second=second)


def written(case: Case, findings: Sequence[Finding]) -> str:
    """The case as a program to run, with what is bad about it."""
    lines = [f"# seed {case.seed}", *(f"# {f.whose}: {f.kind} {f.where} {f.why}" for f in findings)]
    names = {"I": "np.int32", "B": "np.bool_"}
    given = ", ".join(
        f"jnp.asarray({x.astype(np.float64 if v.type in 'FG' else x.dtype).tolist()}, {names.get(v.type, v.type)})"
        for x, v in zip(case.given, case.program.inputs, strict=True)
    )
    text = case.program.whole_source()
    return "\n".join(lines) + f"\n{text}\nargs = ({given},)\n"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("seeds", type=int, nargs="+")
    for seed in parser.parse_args().seeds:
        with jax.enable_x64(True):
            case = Case.of(program(seed), seed)
            o = judge(case)
            if o.findings:
                print(written(*shrunk(case, o.findings)), flush=True)
            else:
                print(f"# seed {seed}: {o.kind} {o.why}")


if __name__ == "__main__":
    main()
