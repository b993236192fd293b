"""Derivatives of functions with the programs' signature, by gradir, and what they give.

Run as a program it is what `run.py` starts for each batch: it reads a job, and prints a line before each step that
could end the process and one for each outcome, so that whoever started it knows where it ended.
"""

from __future__ import annotations

import json
import os
import pickle
import sys
import traceback
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

if __package__ in (None, ""):
    sys.path.insert(0, str(Path(__file__).parent.parent))

import numpy as np

from fuzz.generate import LENGTH
from fuzz.oracle import Case, Expected
from gradir.errors import GradirError
from gradir.frontends import to_llvm
from gradir.machine import jit, llvm
from gradir.machine.passes.inner import as_program
from gradir.machine.transform.derive import Options, Program
from gradir.request import Activity, Mode, Request

__all__ = ["ENVIRONMENT", "MODES", "Job", "is_invalid", "main"]

_SOURCE = Path(__file__).resolve().parents[3] / "src"
ENVIRONMENT = {**os.environ, "GRADIR_CACHE": "off", "PYTHONPATH": f"{_SOURCE}:{os.environ.get('PYTHONPATH', '')}"}
"""Of processes that differentiate: this source tree, and nothing kept on disk."""


MODES = ("forward", "reverse", "forward4", "reverse4", "second")
WIDTH = 4
_PARAMETERS = ("ptr", "ptr", "ptr", "i32", "double")


@dataclass(frozen=True)
class Job:
    """A module, the functions of it to be differentiated, and what is right."""

    module: str
    names: tuple[str, ...]
    modes: tuple[str, ...]
    cases: dict[str, Case]
    expected: dict[str, Expected]
    coarse: frozenset[str] = frozenset()
    """Functions that compute in single precision."""
    optimise_first: bool = True
    noalias: bool = False
    level: int = 2


class Wrong(Exception):
    """A number that isn't what it should be."""


# -- Requests, calls and checks, by mode ---------------------------------------------------------------------------


def _width(mode: str) -> int:
    return WIDTH if mode.endswith("4") else 1


def request_of(name: str, mode: str) -> Request:
    dup, const, active = Activity.dup, Activity.const, Activity.active
    if mode.startswith("forward"):
        return Request(name, Mode.forward, (dup, dup, const, const, dup), (dup,), _width(mode))
    return Request(name, Mode.reverse, (dup, dup, const, const, active), (active,), _width(mode))


def second_request(name: str) -> Request:
    """Reverse mode of what forward mode made."""
    dup, const, active = Activity.dup, Activity.const, Activity.active
    return Request(name, Mode.reverse, (dup, dup, dup, dup, const, const, active, active), (active,))


def entry_of(name: str, mode: str) -> jit.Entry:
    width = _width(mode)
    number = "double" if width == 1 else f"[{width} x double]"
    shadows = ("ptr",) * width
    if mode == "second":
        return jit.Entry(
            name,
            ("ptr",) * 8 + ("ptr", "i32", "double", "double", "{ double, double }"),
            "{ { double, double }, double, double }",
        )
    memory = ("ptr", *shadows, "ptr", *shadows, "ptr", "i32", "double")
    if mode.startswith("forward"):
        return jit.Entry(name, (*memory, number), f"{{ double, {number} }}")
    return jit.Entry(name, (*memory, number), f"{{ double, {number} }}")


def _memory(vector: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    return vector[:LENGTH].copy(), vector[LENGTH : 2 * LENGTH].copy()


def _addresses(arrays: Sequence[np.ndarray]) -> list[int]:
    return [array.ctypes.data for array in arrays]


def _interleave(pairs: Sequence[tuple[np.ndarray, np.ndarray]]) -> list[int]:
    """x with its shadows, then y with its."""
    return [*_addresses([p[0] for p in pairs]), *_addresses([p[1] for p in pairs])]


def _lanes(vectors: Sequence[np.ndarray]) -> Any:
    numbers = tuple(float(v[-1]) for v in vectors)
    return numbers[0] if len(numbers) == 1 else numbers


def directions(first: np.ndarray, width: int, seed: int) -> list[np.ndarray]:
    rng = np.random.default_rng(seed)
    return [first, *(rng.normal(size=len(first)) for _ in range(width - 1))]


def check(found: np.ndarray, expected: np.ndarray, what: str, tolerance: float) -> None:
    scale = 1 + np.abs(expected).max(initial=0)
    error = np.abs(found - expected).max(initial=0) if np.isfinite(found).all() else np.inf
    if not error <= tolerance * scale:
        at = int(np.argmax(np.where(np.isfinite(found), np.abs(found - expected), np.inf)))
        raise Wrong(f"{what}[{at}] is {found.flat[at]:.9g} but should be {expected.flat[at]:.9g}")


def run_mode(call: Callable[..., Any], mode: str, case: Case, expected: Expected, coarse: bool) -> None:
    """Call a derivative, and compare what it gives."""
    # Both sides compute the same derivative in the same precision; what differs is the order of sums and products,
    # and how far rounding errors of decisions in single precision are carried.
    tolerance = 2e-3 if coarse else 1e-8
    if mode == "second":
        return _run_second(call, case, expected, tolerance * 10)
    if mode == "primal":
        (x, y), a = _memory(case.input), float(case.input[-1])
        result = call(x.ctypes.data, y.ctypes.data, case.k.ctypes.data, case.n, a)
        return check(np.concatenate([x, y, [result]]), expected.value, "value", tolerance)
    width, forward = _width(mode), mode.startswith("forward")
    shadows = directions(case.direction if forward else case.cotangent, width, case.n)
    pairs = [_memory(case.input), *(_memory(v) for v in shadows)]
    result = call(*_interleave(pairs), case.k.ctypes.data, case.n, float(case.input[-1]), _lanes(shadows))
    value = np.concatenate([*pairs[0], [result[0]]])
    check(value, expected.value, "value", tolerance)
    numbers = [result[1]] if width == 1 else list(result[1])
    for lane, (pair, number, shadow) in enumerate(zip(pairs[1:], numbers, shadows, strict=True)):
        right = expected.jacobian @ shadow if forward else shadow @ expected.jacobian
        check(np.concatenate([*pair, [number]]), right, "tangent" if forward else "gradient", tolerance)
        del lane


def _run_second(call: Callable[..., Any], case: Case, expected: Expected, tolerance: float) -> None:
    zero = np.zeros_like(case.input)
    seed = case.cotangent
    (x, y), (dx, dy) = _memory(case.input), _memory(case.direction)
    (sx, sy), (sdx, sdy) = _memory(zero), _memory(seed)
    memory = _addresses([x, sx, dx, sdx, y, sy, dy, sdy])
    a, da = float(case.input[-1]), float(case.direction[-1])
    result = call(*memory, case.k.ctypes.data, case.n, a, da, (0.0, float(seed[-1])))
    check(np.concatenate([x, y, [result[0][0]]]), expected.value, "value", tolerance)
    check(np.concatenate([dx, dy, [result[0][1]]]), expected.tangent, "tangent", tolerance)
    check(np.concatenate([sdx, sdy, [result[2]]]), seed @ expected.jacobian, "gradient by tangents", tolerance)
    check(np.concatenate([sx, sy, [result[1]]]), seed @ expected.second, "second derivative", tolerance)


# -- Batches ----------------------------------------------------------------------------------------------------------


class Batch:
    """The derivatives of some functions of a module, all in one."""

    def __init__(self, job: Job, names: Sequence[str]) -> None:
        self.job = job
        self.names = tuple(names)
        self.options = Options(noalias=job.noalias)

    def program(self) -> Program:
        module = to_llvm(Path(self.job.module))
        normal = llvm.normalise(
            module,
            keep=self.names,
            optimise=self.job.optimise_first,
            noalias=self.names if self.job.noalias else (),
        )
        return Program(llvm.canonical_text(normal))

    def derive(self, wanted: Sequence[tuple[str, str]]) -> dict[tuple[str, str], Callable[..., Any]]:
        """A callable for each function and mode. Raises whatever goes wrong with any of them."""
        calls: dict[tuple[str, str], Callable[..., Any]] = {}
        first = [(n, m) for n, m in wanted if m != "second"]
        second = [n for n, m in wanted if m == "second"]
        if first:
            program = self.program()
            entries = {(n, "primal"): jit.Entry(n, _PARAMETERS, "double") for n in dict.fromkeys(n for n, _ in first)}
            for name, mode in first:
                made = program.derivative(request_of(name, mode), self.options)
                entries[name, mode] = entry_of(made, mode)
            calls |= self.build(program.text(), entries)
        if second:
            program = self.program()
            names = [program.derivative(request_of(name, "forward"), self.options) for name in second]
            renamed = [name.replace("gradir", "gradir1", 1) for name in names]
            text = as_program(program.text(), 1)
            outer = Program(llvm.canonical_text(llvm.normalise(llvm.parse(text), keep=renamed)))
            entries = {}
            for name, inner in zip(second, renamed, strict=True):
                entries[name, "second"] = entry_of(outer.derivative(second_request(inner), Options()), "second")
            calls |= self.build(outer.text(), entries)
        return calls

    def build(self, text: str, entries: dict[Any, jit.Entry]) -> dict[Any, Callable[..., Any]]:
        library = jit.compile_library(text, list(entries.values()), level=self.job.level)
        return {key: library[entry.symbol] for key, entry in entries.items()}


def say(**what: Any) -> None:
    print(json.dumps(what), flush=True)


def outcome(name: str, mode: str, kind: str, why: str = "") -> None:
    say(name=name, mode=mode, outcome=kind, why=why)


def is_invalid(error: Exception) -> bool:
    """Whether LLVM rejected what gradir wrote, which is no fault of the program's."""
    return "LLVM can't read it" in str(error)


def attempt(job: Job, wanted: Sequence[tuple[str, str]]) -> bool:
    """Derive, build and run. False if that went wrong and several were asked for: one of them is to blame."""
    names = list(dict.fromkeys(name for name, _ in wanted))
    say(begin=wanted[0])
    try:
        calls = Batch(job, names).derive(wanted)
    except Exception as error:
        if len(wanted) > 1:
            return False
        is_refused = isinstance(error, GradirError) and not is_invalid(error)
        why = f"{type(error).__name__}: {error}" if is_refused else traceback.format_exc()
        outcome(*wanted[0], "refused" if is_refused else "traceback", why)
        return True
    for name in names:
        if (name, "primal") in calls:
            run(job, calls[name, "primal"], name, "primal")
    for name, mode in wanted:
        run(job, calls[name, mode], name, mode)
    return True


def run(job: Job, call: Callable[..., Any], name: str, mode: str) -> None:
    say(begin=(name, mode))
    try:
        run_mode(call, mode, job.cases[name], job.expected[name], name in job.coarse)
    except Wrong as error:
        outcome(name, mode, "wrong", str(error))
    except GradirError as error:
        outcome(name, mode, "raised", str(error))
    else:
        outcome(name, mode, "right")


def main(job: Job) -> None:
    """All at once, which is fast; if that goes wrong, by halves."""
    wanted = [(n, m) for n in job.names for m in job.modes]
    pending = [wanted]
    while pending:
        part = pending.pop()
        if not attempt(job, part):
            names = list(dict.fromkeys(name for name, _ in part))
            first = set(names[: len(names) // 2])
            if first:
                pending += [[w for w in part if w[0] not in first], [w for w in part if w[0] in first]]
            else:
                pending += [[w] for w in reversed(part)]


if __name__ == "__main__":
    main(pickle.loads(Path(sys.argv[1]).read_bytes()))
