"""The second fuzzer: LLVM IR with changes that the verifier accepts, differentiated forward and in reverse.

    python tests/machine/fuzz/mutate.py prepare --bases 0:50 --out bases.xz
    python tests/machine/fuzz/mutate.py judge bases.xz --each 8 --jobs 2 --out report.jsonl
    python tests/machine/fuzz/mutate.py check bases.xz --out report.jsonl

What comes out must be right or refused. What is right, differences of the changed function tell where it is smooth, and
forward and reverse mode tell of each other everywhere. Where the changed function itself crashes, hangs or gives no
finite number, nothing is judged; where a value looks wrong, `check` asks valgrind and a sanitizer whether the function
has a meaning at all. The first and the last step need compilers; the second needs none, and goes on where it was
interrupted.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import subprocess
import sys
import tempfile
import time
import traceback
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

if __package__ in (None, ""):
    sys.path.insert(0, str(Path(__file__).parent.parent))

import numpy as np
from differential import Bench, central_difference

from fuzz.bases import Base, base_of
from fuzz.differentiate import is_invalid
from fuzz.isolate import Ended, Forks, Say
from fuzz.mutations import mutated
from fuzz.store import load, save
from gradir.errors import GradirError
from gradir.machine import jit, llvm
from gradir.machine.ir.text.reader import read
from gradir.machine.passes import portable

__all__ = ["BAD", "Outcome", "checked", "mutant", "outcomes"]

SECONDS = 30
"""Of CPU time, for one step of one mutant."""
BAD = ("wrong", "crash", "hang", "traceback")


@dataclass(frozen=True)
class Outcome:
    """Of one mutant, by the index of its base and its own number."""

    base: int
    number: int
    kind: str
    """right, refused, wrong, crash, hang, traceback, unjudged, or undefined: it has no meaning."""
    why: str
    what: str = ""
    """The base's name, and the changes."""


def mutant(base: Base, number: int) -> tuple[Base, list[str]]:
    """A base with some changes, and what they are."""
    text, names = mutated(base.text, number, is_valid)
    return replace(base, text=text), names


def is_valid(text: str) -> bool:
    """Whether LLVM reads and verifies it."""
    try:
        llvm.parse(text)
    except GradirError:
        return False
    return True


# -- What is judged ------------------------------------------------------------------------------------------------


def judge(base: Base, seed: int, stage: Callable[[str], None]) -> tuple[str, str]:
    """The outcome for one module, and why. `stage` is told what begins, since the process may end there."""
    function, values = base.function, list(base.values)
    stage("primal")
    try:
        reference = _primal(base)
    except GradirError as error:
        return "unjudged", f"the function itself: {error}"
    value = reference(values)
    if not np.isfinite(value).all() or np.abs(value).max(initial=0) > 1e8:
        return "unjudged", "the function gives no finite number"
    stage("derivative")
    try:
        bench = Bench(llvm.parse(base.text), function, optimise=seed % 4 != 3)
        forward, reverse = bench.forward(function), bench.reverse(function)
        bench.build(level=2 if seed % 3 == 0 else 0)
    except GradirError as error:
        return "traceback" if is_invalid(error) else "refused", f"{type(error).__name__}: {error}"
    except Exception:
        return "traceback", traceback.format_exc()
    stage("call")
    rng = np.random.default_rng(seed)
    v, s = rng.normal(size=len(function.input(values))), rng.normal(size=len(value))
    after, tangent = bench.jvp(forward, values, [v])
    again, gradient = bench.vjp(reverse, values, [s])
    for found, mode in ((after, "forward"), (again, "reverse")):
        if not np.allclose(found, value, rtol=1e-6, atol=1e-6):
            return "wrong", f"{mode} mode gives the value {found} and not {value}"
    stage("differences")
    # Single precision has about seven digits, half precision three, and some programs compute in these.
    digits = 2e-3 if re.search(r"\b(half|bfloat)\b", base.text) else 1e-5
    kind, why = _compared(lambda h: reference(function.moved(values, h * v)), value, tangent, gradient, v, s, digits)
    if kind == "wrong":
        # Where a function has converged and goes on, rounding decides what its derivative is.
        near = bench.jvp(forward, function.moved(values, 1e-10 * v), [v])[1]
        if not np.allclose(near, tangent, rtol=1e-6, atol=1e-6):
            return "unjudged", f"ill-conditioned: {why}"
    return kind, why


def _primal(base: Base) -> Callable[[Sequence[Any]], np.ndarray]:
    """The function as it stands, without any optimisation."""
    bench = object.__new__(Bench)
    function = base.function
    text = str(llvm.prepare(llvm.parse(base.text), [function.name]))
    entry = jit.Entry(function.name, tuple(map(str, function.parameters)), str(function.result))
    bench._library = jit.compile_library(text, [entry], level=0)
    return lambda values: bench.run(function, values)


def _compared(
    f: Callable[[float], np.ndarray],
    value: np.ndarray,
    tangent: np.ndarray,
    gradient: np.ndarray,
    v: np.ndarray,
    s: np.ndarray,
    digits: float,
) -> tuple[str, str]:
    coarse, fine = central_difference(f, 1e-3), central_difference(f, 1e-4)
    scale = 1 + max(np.abs(fine).max(initial=0), np.abs(value).max(initial=0))
    is_smooth = np.isfinite(fine).all() and np.abs(coarse - fine).max(initial=0) < 1e-6 * scale
    if not is_smooth and not (np.isfinite(tangent).all() and np.isfinite(gradient).all()):
        return "unjudged", "not smooth, and no finite derivative"
    if is_smooth:
        error = np.abs(tangent - fine).max(initial=0) if np.isfinite(tangent).all() else np.inf
        if not error < 1e-4 * scale:
            at = int(np.nanargmax(np.abs(tangent - fine)))
            return "wrong", f"tangent[{at}] is {tangent[at]} but differences say {fine[at]}"
    size = 1 + np.linalg.norm(gradient) * np.linalg.norm(v) + np.linalg.norm(s) * np.linalg.norm(tangent)
    if not abs(gradient @ v - s @ tangent) < digits * size:
        return "wrong", f"reverse mode says {gradient @ v} and forward mode {s @ tangent}" + (
            "" if is_smooth else ", not smooth"
        )
    return "right", "" if is_smooth else "both modes agree, not smooth"


# -- Whether a function has a meaning ------------------------------------------------------------------------------

_MAIN = """
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
{arrays}
extern {result} {name}({types});
int main(void)
{{
    {copies}
    {call};
    {prints}
    return 0;
}}
"""


def is_defined(base: Base, folder: Path) -> bool:
    """Whether valgrind finds nothing to say about a run of it: no access out of bounds, no value that nobody set."""
    types = {"ptr": "void *", "double": "double", "float": "float", "i32": "int", "i64": "long"}
    arrays, copies, arguments, prints = [], [], [], []
    for i, (type, v) in enumerate(zip(base.function.parameters, base.values, strict=True)):
        if type.is_pointer:
            kinds = {
                "f8": "double",
                "f4": "float",
                "i4": "int",
                "i8": "long",
                "i1": "signed char",
                "u1": "unsigned char",
            }
            kind = kinds[v.dtype.str[1:]]
            numbers = ", ".join(map(repr, v.ravel().tolist()))
            # On the heap, where valgrind knows of every byte that is not theirs.
            arrays.append(f"static {kind} s{i}[] = {{{numbers}}};")
            copies.append(f"{kind} *a{i} = memcpy(malloc(sizeof s{i}), s{i}, sizeof s{i});")
            arguments.append(f"a{i}")
            prints.append(f'for (int i = 0; i < {v.size}; i++) if (a{i}[i] == 77) puts("");')
        else:
            arguments.append(repr(v.item() if hasattr(v, "item") else v))
    result = types.get(str(base.function.result), "void")
    call = f"{'' if result == 'void' else f'{result} r = '}{base.function.name}({', '.join(arguments)})"
    if result != "void":
        prints.append('if (r == 77) puts("");')
    main = _MAIN.format(
        arrays="\n".join(arrays), copies="\n    ".join(copies), prints="\n    ".join(prints),
        result=result, name=base.function.name, call=call,
        types=", ".join(types[str(p)] for p in base.function.parameters),
    )  # fmt: skip
    (folder / "main.c").write_text(main)
    return not any(_complaint(base.text, checker, folder) for checker in (_by_valgrind, _by_address_sanitizer))


def _complaint(text: str, checker: Callable[[str, Path], list[str] | None], folder: Path) -> bool:
    command = checker(text, folder)
    if command is None:
        return False
    environment = {**os.environ, "ASAN_OPTIONS": "detect_leaks=0:detect_stack_use_after_return=1"}
    try:
        return subprocess.run(command, capture_output=True, check=False, timeout=60, env=environment).returncode != 0
    except subprocess.TimeoutExpired:
        return True


def _by_valgrind(text: str, folder: Path) -> list[str] | None:
    """It knows of memory on the heap, and of what nobody set."""
    (folder / "mutant.o").write_bytes(llvm.emit_object(llvm.parse(text), level=0))
    binary = _linked((), ("clang++-19",), folder)
    return None if binary is None else ["valgrind", "-q", "--error-exitcode=99", binary]


def _by_address_sanitizer(text: str, folder: Path) -> list[str] | None:
    """It knows of arrays on the stack and of globals. gcc comes with its runtime."""
    module = read(text)
    portable.run(module)
    for function in module.functions.values():
        if not function.is_declaration:
            function.signature.attributes.add("sanitize_address")
    (folder / "mutant.ll").write_text(str(module))
    flags = ("-w", "-O0", "-fsanitize=address")
    command = ["clang-19", *flags, "-c", "-x", "ir", str(folder / "mutant.ll"), "-o", str(folder / "mutant.o")]
    subprocess.run(command, capture_output=True, check=True)  # else there is no telling
    binary = _linked(("-fsanitize=address",), ("g++", "-fsanitize=address"), folder)
    return None if binary is None else [binary]


def _linked(flags: Sequence[str], linker: Sequence[str], folder: Path) -> str | None:
    main, binary = folder / "main.o", folder / "mutant"
    commands = (
        ["clang-19", "-w", "-O0", *flags, "-c", str(folder / "main.c"), "-o", str(main)],
        [*linker, str(folder / "mutant.o"), str(main), "-lm", "-o", str(binary)],
    )
    made = all(subprocess.run(c, capture_output=True, check=False).returncode == 0 for c in commands)
    return str(binary) if made else None


# -- Many mutants ----------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Task:
    """A mutant to be judged in a process of its own."""

    index: int
    base: Base
    number: int

    def __call__(self, say: Say) -> None:
        say(stage="mutate")
        base, names = mutant(self.base, self.number)
        say(what=f"{base.name}: {', '.join(names)}")
        kind, why = ("unjudged", "no change was accepted")
        if names:
            kind, why = judge(base, self.number, lambda stage: say(stage=stage))
        say(kind=kind, why=why[-4000:])

    def outcome(self, ended: Ended) -> Outcome:
        """What became of it, if need be by how its process ended."""
        told: dict[str, Any] = {key: value for said in ended.said for key, value in said.items()}
        if ended.how and "kind" not in told:
            own = told.get("stage", "mutate") in ("mutate", "primal", "differences")
            told |= {"kind": "unjudged" if own else ended.how, "why": f"while: {told.get('stage')}, {ended.why}"}
        return Outcome(self.index, self.number, told["kind"], told["why"], told.get("what", self.base.name))


def outcomes(
    bases: Iterable[tuple[int, Base]],
    each: int,
    *,
    jobs: int = 1,
    until: float = float("inf"),
    done: Collection[tuple[int, int]] = (),
) -> Iterator[Outcome]:
    """Of some mutants of each base, but for those that are done."""
    tasks = (_Task(i, base, n) for i, base in bases for n in range(i * each, (i + 1) * each) if (i, n) not in done)
    for ended in Forks(jobs, SECONDS).run(tasks, until):
        assert isinstance(ended.task, _Task)
        yield ended.task.outcome(ended)


def checked(outcome: Outcome, base: Base, folder: Path) -> Outcome:
    """The outcome, unless the mutant has no meaning."""
    if outcome.kind not in ("wrong", "crash", "hang") or is_defined(mutant(base, outcome.number)[0], folder):
        return outcome
    return replace(outcome, kind="undefined")


def _load(files: Sequence[Path]) -> Iterator[tuple[int, Base]]:
    for file in files:
        yield from load(file)


def _read(path: Path) -> list[Outcome]:
    lines = path.read_text().splitlines(keepends=True) if path.exists() else []
    return [Outcome(**json.loads(line)) for line in lines if line.endswith("\n")]  # else it was interrupted


def _judge(files: Sequence[Path], each: int, jobs: int, limit: float, out: Path) -> list[Outcome]:
    """Judge mutants of prepared bases, and write a line for each. A report that is there is continued."""
    started = time.monotonic()
    found = _read(out)
    done = {(o.base, o.number) for o in found}
    with out.open("a") as report:
        for o in outcomes(_load(files), each, jobs=jobs, until=started + limit, done=done):
            found.append(o)
            report.write(json.dumps(asdict(o)) + "\n")
            report.flush()
            if o.kind in BAD:
                print(_described(o), flush=True)
            if len(found) % 200 == 0:
                print(f"-- {len(found)} mutants, {time.monotonic() - started:.0f} s", flush=True)
    return found


def _check(files: Sequence[Path], report: Path, folder: Path) -> list[Outcome]:
    """Look at the bad ones of a report, and keep their text."""
    bases, found = dict(_load(files)), []
    for o in _read(report):
        now = checked(o, bases[o.base], folder)
        found.append(now)
        if now.kind in BAD:
            print(_described(now), flush=True)
            text = mutant(bases[o.base], o.number)[0].text
            path = report.with_name(f"mutant-{o.base}-{o.number}.ll")
            path.write_text(f"; {now.what}: {now.kind}\n; {now.why[:300]!r}\n{text}")
    return found


def _described(o: Outcome) -> str:
    return f"{o.base}/{o.number} [{o.what}] {o.kind}: {(o.why.strip().splitlines() or [''])[-1][:200]}"


def table(found: Sequence[Outcome]) -> str:
    counts = Counter(o.kind for o in found)
    reasons = Counter(o.why.splitlines()[0][-150:] for o in found if o.kind == "refused")
    return "\n".join(
        [
            f"{len(found)} mutants: " + ", ".join(f"{count} {kind}" for kind, count in counts.most_common()),
            *(f"{count:5} refused: {why}" for why, count in reasons.most_common(15)),
        ]
    )


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    prepare = commands.add_parser("prepare", help="compile what is to be changed")
    prepare.add_argument("--bases", required=True, help="A:B, without B")
    prepare.add_argument("--out", type=Path, required=True)
    judging = commands.add_parser("judge", help="change, differentiate and compare")
    judging.add_argument("files", nargs="+", type=Path)
    judging.add_argument("--each", type=int, default=8, help="mutants of each base")
    judging.add_argument("--jobs", type=int, default=1)
    judging.add_argument("--limit", type=float, default=float("inf"), help="seconds")
    judging.add_argument("--out", type=Path, required=True, help="a report, to which is added what it doesn't have")
    checking = commands.add_parser("check", help="whether the mutants that a report finds bad have a meaning")
    checking.add_argument("files", nargs="+", type=Path)
    checking.add_argument("--out", type=Path, required=True, help="the report")
    options = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory(prefix="gradir-mutants-") as root:
        (folder := Path(root) / "work").mkdir()
        if options.command == "prepare":
            first, _, last = options.bases.partition(":")
            save(((i, base_of(i, folder)) for i in range(int(first), int(last))), options.out)
            return 0
        os.environ["GRADIR_CACHE"] = "off"
        if options.command == "judge":
            found = _judge(options.files, options.each, options.jobs, options.limit, options.out)
        else:
            found = _check(options.files, options.out, folder)
    print(table(found))
    return int(any(o.kind in BAD for o in found))


if __name__ == "__main__":
    sys.exit(main())
