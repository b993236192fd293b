"""Every rule that may fire before differentiation: both sides have the same derivative, at kinks and far out, too.

A rule that keeps the numbers may still change a derivative: `where(p, x, 0) / where(p, y, 1)` is `where(p, x / y, 0)`,
whose derivative at y = 0 is 0 times infinity where that of the program is 0. Instances are drawn as for
`test_optimize_rules.py`; derivatives are those of the transforms, without the optimiser, interpreted in NumPy. Where
the left side's is finite, the right side's must be equal to it.
"""

from __future__ import annotations

import zlib
from typing import Any

import numpy as np
import pytest
from fuzzing.interpreter import Interpreter, Unknown
from jaxlib.mlir import ir
from test_optimize_rules import instances, some_values

import gradir
from gradir.tensor.ir.context import context
from gradir.tensor.optimize import RULES
from gradir.tensor.optimize.effects import FINITE, KINKS, RANGE
from gradir.tensor.optimize.rule import Rewrite

WANTED, TRIES = 3, 400
NEAR = 2e-4
"""Products and sums of some ten terms in f32, of which a rule may change the order and a derivative may cancel some."""

BEFORE = [
    r.name
    for r in RULES.values()
    if r.phase in ("clean", "up")
    and not r.effects & (FINITE | KINKS | RANGE)
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
