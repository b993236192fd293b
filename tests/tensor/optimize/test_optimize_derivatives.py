"""Every rule that may fire before differentiation: both sides have the same derivative, at kinks and far out, too.

A rule that keeps the numbers may still change a derivative: `where(p, x, 0) / where(p, y, 1)` is `where(p, x / y, 0)`,
whose derivative at y = 0 is 0 times infinity where that of the program is 0. Instances are drawn as for
`test_optimize_rules.py`; derivatives are those of the transforms, without the optimiser, interpreted in NumPy. Where
the left side's is finite, the right side's must be equal to it.

At the ends of the range (as in `test_optimize_ranges.py`) both may round, and are measured by the left side in a wider
type: where the left side's derivative is right, the right side's must be.
"""

from __future__ import annotations

import functools
import zlib
from typing import Any

import ml_dtypes
import numpy as np
import pytest
import special_instances
from fuzzing.interpreter import Interpreter, Unknown
from fuzzing.oracle import is_float, shaken
from jaxlib.mlir import ir
from test_optimize_ranges import ELEMENTS, extreme_draw
from test_optimize_ranges import values as extreme_values
from test_optimize_rules import draw_instance, instances, some_values

import gradir
from gradir.tensor.ir.context import context
from gradir.tensor.optimize import RULES
from gradir.tensor.optimize.effects import DERIVATIVE, FINITE, KINKS, RANGE
from gradir.tensor.optimize.rule import Rewrite

WANTED, TRIES = 3, 400
NEAR = 2e-4
"""Products and sums of some ten terms in f32, of which a rule may change the order and a derivative may cancel some."""

BEFORE = [
    r.name
    for r in RULES.values()
    if r.phase in ("clean", "up")
    and not r.effects & (DERIVATIVE | FINITE | KINKS | RANGE)
    and r.family not in ("collectives", "empty")
]


def gradients(module: ir.Module, side: str) -> Interpreter:
    """(arguments, cotangents) -> (results, gradients by all floats)"""
    program = gradir.Module(module)
    floats = [k for k, spec in enumerate(program.function(side).arguments) if spec.dtype.kind in "fc"]
    with gradir.optimizing(False):
        return Interpreter(program.vjp(side, floats, name="d").ir, entry="d")


SPECIAL = [np.inf, -np.inf, 0.0, -0.0, 1.0, 1.0, -1.0, 1e30, -1e30, 2.5]


def values(shape: tuple[int, ...], dtype: Any, rng: np.random.Generator, share: float) -> np.ndarray:
    """Ordinary numbers, of which a share is special: infinite, 0, large, or equal to others."""
    x = some_values(shape, dtype, rng, "ordinary")
    return (
        np.where(rng.random(shape) < share, rng.choice(SPECIAL, shape), x).astype(x.dtype) if x.dtype.kind == "f" else x
    )


def examine(rewrite: Rewrite, wanted: int = WANTED) -> tuple[int, str]:
    """How many instances were drawn, and what is wrong with one."""
    rng = np.random.default_rng(zlib.crc32(rewrite.name.encode()))
    count = 0
    with context(), ir.Location.unknown():
        for module in instances(rewrite, rng, TRIES):
            wrong = differences(module, rng)
            if wrong is None:
                continue
            if wrong:
                return count, f"{rewrite}\n{module}\n{wrong}"
            count += 1
            if count == wanted:
                break
    return count, ""


def differences(module: ir.Module, rng: np.random.Generator) -> str | None:
    """What is wrong; None if the left side has no derivative, or one that the interpreter has no numbers for."""
    signature = gradir.Module(module).function("before")
    if "complex" in str(module):
        return None
    try:
        before, after = (gradients(module, side) for side in ("before", "after"))
    except (gradir.GradirError, Unknown):
        return None
    count = len(signature.results)
    for share in (0, 0, 0.1, 0.1, 0.2, 0.2, 0.4, 0.4):
        given = [values(spec.shape, spec.dtype, rng, share) for spec in signature.arguments]
        cts = [
            some_values(spec.shape, spec.dtype, rng, "ordinary")
            for spec in signature.results
            if spec.dtype.kind in "fc"
        ]
        left, right = before(*given, *cts), after(*given, *cts)
        if not all(np.isfinite(v).all() for v in left[:count]):
            continue  # what is infinite, or no number, has a derivative of either kind
        for x, y in zip(left[count:], right[count:], strict=True):
            with np.errstate(all="ignore"):
                scale = np.abs(x[np.isfinite(x)]).max(initial=1)
                bad = np.isfinite(x) & ~(np.abs(y - x) <= NEAR * scale)
            if bad.any():
                return f"at {given}, {cts}: {y[bad]} instead of {x[bad]}"
    return ""


@pytest.mark.parametrize("name", BEFORE)
def test_derivatives_of_both_sides_are_equal(name: str) -> None:
    _, wrong = examine(RULES[name])
    assert not wrong, wrong


# -- at the ends of the range ------------------------------------------------------------------------------------------

SETS, SHAKES, UNITS = 16, 2, 64
"""Arguments of an instance, how often they are shaken, and how many units in the last place a derivative may be off:
instances add up to some ten terms."""
IN_ANOTHER_ORDER = 16
"""How much more than the left side's the error of the right side may be, which may add up the same in another order."""
REPEATED = frozenset({
    "binary_of_broadcasts", "unary_of_broadcast", "select_of_broadcasts", "convert_of_broadcast", "reduce_of_broadcast",
    "reduce_of_repeated", "dot_of_broadcast_left", "dot_of_broadcast_right", "hoist_invariant",
})  # fmt: skip
"""What is repeated is computed once where the type has the room (docs/optimizer.md): that is, not in f16."""
CLOSE = 64
"""How near to the end of the range sums of some ten terms of both signs may leave it, by the order of the terms."""


class Derivative:
    """One side's tangents or cotangents, in its own types or in a wider one."""

    def __init__(self, module: ir.Module, side: str, mode: str, wide: bool = False) -> None:
        program = gradir.Module(module)
        function = program.function(side)
        arguments = function.arguments
        self.active = [k for k, spec in enumerate(arguments) if is_float(np.zeros(0, spec.dtype))]
        self.shadows = (
            [arguments[k] for k in self.active]
            if mode == "jvp"
            else [spec for spec in function.results if is_float(np.zeros(0, spec.dtype))]
        )
        self.values = len(function.results)
        with gradir.optimizing(False):
            derived = getattr(program, mode)(side, self.active, name="d")
        self.run = Interpreter(derived.ir, entry="d", wide=wide)

    def __call__(self, given: list[np.ndarray]) -> tuple[list[np.ndarray], list[np.ndarray]]:
        """The values, and the derivatives."""
        with np.errstate(all="ignore"):
            results = list(self.run(*given))
        return results[: self.values], results[self.values :]


def wide(x: np.ndarray) -> np.ndarray:
    return x.astype(np.float64)


def may_cancel(given: list[np.ndarray]) -> bool:
    """Whether sums may leave the range on the way, by the order of their terms, which devices choose."""
    floats = [x for x in given if is_float(x)]
    near = any(np.abs(wide(x)).max(initial=0) > float(ml_dtypes.finfo(x.dtype).max) / CLOSE for x in floats)
    return near and any((wide(x) < 0).any() for x in floats)


def lost_in_range(module: ir.Module, mode: str, rng: np.random.Generator) -> str | None:
    """What is wrong with the right side's derivatives; None if there are none to compare."""
    try:
        before, after, truth = (
            Derivative(module, "before", mode), Derivative(module, "after", mode),
            Derivative(module, "before", mode, wide=True),
        )  # fmt: skip
        for k in range(SETS):
            specs = [*gradir.Module(module).function("before").arguments, *before.shadows]
            given = [extreme_values(spec, rng, k % 2 == 0) for spec in specs]
            if (wrong := _lost_at(given, before, after, truth, rng)) and not may_cancel(given):
                return f"{mode} at {given}: {wrong}"
    except (gradir.GradirError, Unknown):
        return None
    return ""


def _lost_at(
    given: list[np.ndarray], before: Derivative, after: Derivative, truth: Derivative, rng: np.random.Generator
) -> str:
    values, left = before(given)
    if not all(np.isfinite(v).all() for v in values):
        return ""
    _, right = after(given)
    _, exact = truth(given)
    noise = [np.zeros(x.shape) for x in exact]
    for _ in range(SHAKES):
        near = shaken(given, rng)
        for k, (x, t) in enumerate(zip(before(near)[1], truth(near)[1], strict=True)):
            with np.errstate(all="ignore"):
                change = np.maximum(np.abs(wide(x) - wide(t)), np.abs(wide(t) - wide(exact[k])))
            noise[k] = np.maximum(noise[k], np.where(np.isfinite(change), change, np.inf))
    for x, y, t, n in zip(left, right, map(wide, exact), noise, strict=True):
        ends = ml_dtypes.finfo(x.dtype)
        with np.errstate(all="ignore"):
            slack = UNITS * (float(ends.eps) * np.abs(t) + float(ends.smallest_subnormal)) + IN_ANOTHER_ORDER * n
            sound = np.isfinite(x) & (np.abs(t) <= float(ends.max)) & (np.abs(wide(x) - t) <= slack)
            bad = sound & ~(np.abs(wide(y) - t) <= 8 * slack)
        if bad.any():
            return f"{y[bad]} instead of {x[bad]}"
    return ""


def examine_ends(rewrite: Rewrite, element: str, wanted: int = 1, seed: int = 0) -> tuple[int, str]:
    """How many instances were drawn, and what is wrong with one."""
    rng = np.random.default_rng(zlib.crc32(f"{rewrite.name} {element} {seed}".encode()))
    make = functools.partial(extreme_draw, element=element)
    count = 0
    special_instances.ELEMENT = element
    try:
        with context(), ir.Location.unknown():
            for _ in range(TRIES // 6):
                module = draw_instance(rewrite, rng, make, proofs=True, ahead=True)
                if module is None or "complex" in str(module) or "multiply across" in str(module):
                    continue  # (in what order the factors of a product are multiplied is for devices to choose)
                said = [lost_in_range(module, mode, rng) for mode in ("jvp", "vjp")]
                if any(said):
                    return count, f"{rewrite}\n{module}\n{next(filter(None, said))}"
                count += any(wrong is not None for wrong in said)
                if count == wanted:
                    break
    finally:
        special_instances.ELEMENT = "f32"
    return count, ""


@pytest.mark.parametrize("name", BEFORE)
def test_derivatives_of_both_sides_are_in_range(name: str) -> None:
    element = "f16" if name in REPEATED else list(ELEMENTS)[zlib.crc32(name.encode()) % 3]
    _, wrong = examine_ends(RULES[name], element)
    assert not wrong, wrong


def report(names: list[str], seeds: int) -> None:
    """More instances, in each type, of the rules that are named."""
    for name in names:
        for element in ("f16", "bf16", "f32")[: 1 if name in REPEATED else 3]:
            for seed in range(seeds):
                _, wrong = examine_ends(RULES[name], element, 3, seed)
                if wrong:
                    print(name, element, seed, wrong, flush=True)


if __name__ == "__main__":
    import sys

    report(sys.argv[1:] or BEFORE, 2)
