"""Derivatives of functions with the programs' signature, by gradir, and what they give."""

from __future__ import annotations

import traceback
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from fuzz.case import WIDTH, Case, Truth, case_of, lanes
from fuzz.generate import LENGTH
from fuzz.isolate import Say
from gradir.errors import GradirError
from gradir.machine import jit, llvm
from gradir.machine.passes.inner import as_program
from gradir.machine.transform.derive import Options, Program
from gradir.request import Activity, Mode, Request

__all__ = ["MODES", "Setting", "Subject", "is_invalid", "judge"]

MODES = ("forward", "reverse", "forward4", "reverse4", "second")
_PARAMETERS = ("ptr", "ptr", "ptr", "i32", "double")


@dataclass(frozen=True)
class Setting:
    """At which level a function is differentiated, how and in which modes."""

    level: str
    modes: tuple[str, ...]
    optimise_first: bool = True
    noalias: bool = False
    optimised: int = 2
    """LLVM's level for derivatives."""

    def __str__(self) -> str:
        return self.level + ("" if self.optimise_first else ", as it is") + (", noalias" if self.noalias else "")


@dataclass(frozen=True)
class Subject:
    """A function, where it is differentiated, and what is right there."""

    name: str
    seed: int
    """Of its case."""
    truth: Truth
    coarse: bool = False
    """Whether it computes in single precision."""


class Wrong(Exception):
    """A number that isn't what it should be."""


class Rounded(Exception):
    """A number that is what rounding has left of larger ones: nothing can be said of it."""


# -- Requests, calls and checks, by mode ---------------------------------------------------------------------------


def _width(mode: str) -> int:
    return WIDTH if mode.endswith("4") else 1


def _request(name: str, mode: str) -> Request:
    dup, const, active = Activity.dup, Activity.const, Activity.active
    if mode.startswith("forward"):
        return Request(name, Mode.forward, (dup, dup, const, const, dup), (dup,), _width(mode))
    return Request(name, Mode.reverse, (dup, dup, const, const, active), (active,), _width(mode))


def _second_request(name: str) -> Request:
    """Reverse mode of what forward mode made."""
    dup, const, active = Activity.dup, Activity.const, Activity.active
    return Request(name, Mode.reverse, (dup, dup, dup, dup, const, const, active, active), (active,))


def _entry(name: str, mode: str) -> jit.Entry:
    if mode == "primal":
        return jit.Entry(name, _PARAMETERS, "double")
    if mode == "second":
        return jit.Entry(
            name,
            ("ptr",) * 8 + ("ptr", "i32", "double", "double", "{ double, double }"),
            "{ { double, double }, double, double }",
        )
    width = _width(mode)
    number = "double" if width == 1 else f"[{width} x double]"
    shadows = ("ptr",) * width
    return jit.Entry(
        name, ("ptr", *shadows, "ptr", *shadows, "ptr", "i32", "double", number), f"{{ double, {number} }}"
    )


def _memory(vector: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    return vector[:LENGTH].copy(), vector[LENGTH : 2 * LENGTH].copy()


def _addresses(arrays: Sequence[np.ndarray]) -> list[int]:
    return [array.ctypes.data for array in arrays]


def _check(found: np.ndarray, expected: np.ndarray, what: str, tolerance: float) -> None:
    scale = 1 + np.abs(expected).max(initial=0)
    error = np.abs(found - expected).max(initial=0) if np.isfinite(found).all() else np.inf
    if not error <= tolerance * scale:
        at = int(np.argmax(np.where(np.isfinite(found), np.abs(found - expected), np.inf)))
        raise Wrong(f"{what}[{at}] is {found.flat[at]:.9g} but should be {expected.flat[at]:.9g}")


def _compare(call: Callable[..., Any], mode: str, subject: Subject) -> None:
    """Call a derivative, and compare what it gives."""
    case, truth = case_of(subject.seed), subject.truth
    # Both sides compute the same derivative in the same precision; what differs is the order of sums and products,
    # and how far rounding errors of decisions in single precision are carried.
    tolerance = 2e-3 if subject.coarse else 1e-8
    if mode == "second":
        return _compare_second(call, case, truth, tolerance * 10)
    if mode == "primal":
        (x, y), a = _memory(case.input), float(case.input[-1])
        result = call(x.ctypes.data, y.ctypes.data, case.k.ctypes.data, case.n, a)
        return _check(np.concatenate([x, y, [result]]), truth.value, "value", tolerance)
    width, forward = _width(mode), mode.startswith("forward")
    shadows = lanes((case.directions if forward else case.cotangents)[: min(width, 2)], width)
    value, found = _derived(call, case, shadows)
    _check(value, truth.value, "value", tolerance)
    right = lanes((truth.tangents if forward else truth.gradients)[: min(width, 2)], width)
    try:
        for one, expected in zip(found, right, strict=True):
            _check(one, expected, "tangent" if forward else "gradient", tolerance)
    except Wrong as error:
        # What is wrong is as wrong three times as large, and in each call the same; what is rounded is not.
        again, thrice = (_derived(call, case, shadows * factor)[1] / factor for factor in (1, 3))
        size = tolerance * (1 + np.abs(right).max(initial=0))
        if np.array_equal(again, found) and np.abs(thrice - found).max(initial=0) > size:
            raise Rounded(str(error)) from None
        raise


def _derived(call: Callable[..., Any], case: Case, shadows: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """What a derivative gives: the value, and for each shadow what becomes of it."""
    width = len(shadows)
    pairs = [_memory(case.input), *map(_memory, shadows)]
    memory = [*_addresses([p[0] for p in pairs]), *_addresses([p[1] for p in pairs])]
    numbers = float(shadows[0, -1]) if width == 1 else tuple(shadows[:, -1].tolist())
    value, result = call(*memory, case.k.ctypes.data, case.n, float(case.input[-1]), numbers)
    results = [result] if width == 1 else result
    found = [np.concatenate([*pair, [number]]) for pair, number in zip(pairs[1:], results, strict=True)]
    return np.concatenate([*pairs[0], [value]]), np.array(found)


def _compare_second(call: Callable[..., Any], case: Case, truth: Truth, tolerance: float) -> None:
    zero = np.zeros_like(case.input)
    v, s = case.directions[0], case.cotangents[0]
    (x, y), (dx, dy), (sx, sy), (sdx, sdy) = map(_memory, (case.input, v, zero, s))
    memory = _addresses([x, sx, dx, sdx, y, sy, dy, sdy])
    a, da = float(case.input[-1]), float(v[-1])
    result = call(*memory, case.k.ctypes.data, case.n, a, da, (0.0, float(s[-1])))
    _check(np.concatenate([x, y, [result[0][0]]]), truth.value, "value", tolerance)
    _check(np.concatenate([dx, dy, [result[0][1]]]), truth.tangents[0], "tangent", tolerance)
    _check(np.concatenate([sdx, sdy, [result[2]]]), truth.gradients[0], "gradient by tangents", tolerance)
    _check(np.concatenate([sx, sy, [result[1]]]), truth.second, "second derivative", tolerance)


# -- Derivatives ------------------------------------------------------------------------------------------------------


def _derive(text: str, name: str, options: Options, modes: Sequence[str]) -> tuple[str, dict[str, jit.Entry]]:
    """The module with derivatives, and how each, and the function itself, is called. Raises what goes wrong."""
    program = Program(text)
    entries = {"primal": _entry(name, "primal")}
    for mode in modes:
        entries[mode] = _entry(program.derivative(_request(name, mode), options), mode)
    return program.text(), entries


def _derive_second(text: str, name: str, options: Options) -> tuple[str, dict[str, jit.Entry]]:
    program = Program(text)
    inner = program.derivative(_request(name, "forward"), options).replace("gradir", "gradir1", 1)
    again = llvm.normalise(llvm.parse(as_program(program.text(), 1)), keep=[inner])
    outer = Program(llvm.canonical_text(again))
    entry = _entry(outer.derivative(_second_request(inner), Options()), "second")
    return outer.text(), {"second": entry}


def judge(module: llvm.Module, subject: Subject, setting: Setting, say: Say) -> None:
    """Derive, build, run and compare, and say what becomes of each mode; and what begins, since it may end the
    process."""
    say(begin=[setting.level, setting.modes])
    try:
        noalias = [subject.name] if setting.noalias else ()
        normal = llvm.normalise(module, keep=[subject.name], optimise=setting.optimise_first, noalias=noalias)
        text = llvm.canonical_text(normal)
    except Exception as error:
        for mode in setting.modes:
            say(level=setting.level, mode=mode, **_failure(error))
        return
    first = tuple(mode for mode in setting.modes if mode != "second")
    for modes in (first, setting.modes[len(first) :]):
        if modes:
            _judge(text, subject, replace(setting, modes=modes), say)


def _judge(text: str, subject: Subject, setting: Setting, say: Say) -> None:
    """All modes at once, which is fast; if that goes wrong, one by one."""
    name, modes, options = subject.name, setting.modes, Options(noalias=setting.noalias)
    say(begin=[setting.level, modes])
    try:
        is_second = modes == ("second",)
        made, entries = _derive_second(text, name, options) if is_second else _derive(text, name, options, modes)
        library = jit.compile_library(made, list(entries.values()), level=setting.optimised)
    except Exception as error:
        if len(modes) == 1:
            say(level=setting.level, mode=modes[0], **_failure(error))
            return
        for mode in modes:
            _judge(text, subject, replace(setting, modes=(mode,)), say)
        return
    for mode, entry in entries.items():
        say(begin=[setting.level, [mode]])
        say(level=setting.level, mode=mode, **_result(library[entry.symbol], mode, subject))


def _failure(error: Exception) -> dict[str, str]:
    if isinstance(error, GradirError) and not is_invalid(error):
        return {"kind": "refused", "why": f"{type(error).__name__}: {error}"}
    return {"kind": "traceback", "why": "".join(traceback.format_exception(error))}


def is_invalid(error: Exception) -> bool:
    """Whether LLVM rejected what gradir wrote, which is no fault of the program's."""
    return "LLVM can't read it" in str(error)


def _result(call: Callable[..., Any], mode: str, subject: Subject) -> dict[str, str]:
    try:
        _compare(call, mode, subject)
    except Wrong as error:
        return {"kind": "wrong", "why": str(error)}
    except Rounded as error:
        return {"kind": "unjudged", "why": f"rounded: {error}"}
    except GradirError as error:
        return {"kind": "raised", "why": str(error)}
    return {"kind": "right", "why": ""}
