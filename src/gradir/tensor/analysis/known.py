"""Integers that follow from the program alone: what an index array holds, if constants and iotas make it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from jaxlib.mlir import ir

from gradir.tensor.analysis.counting import fits
from gradir.tensor.analysis.movement import MOVES
from gradir.tensor.ir.reading import array_of, direction, dtype, integer, kind, maker, splat_of

LARGEST = 1 << 20
DEPTH = 24


def integers(value: ir.Value, depth: int = DEPTH) -> np.ndarray | None:
    """The elements of a value of integers or truth values that no argument goes into, of up to a million of them."""
    t = value.type
    if depth == 0 or kind(t) not in ("int", "bool") or int(np.prod(t.shape)) > LARGEST:
        return None
    op = maker(value)
    if op is None:
        return None
    name = op.name.removeprefix("stablehlo.")
    if name == "constant":
        number = splat_of(value)
        return array_of(value) if number is None else np.full(t.shape, number, dtype(t.element_type))
    if name == "iota":
        along = integer(op, "iota_dimension")
        line = np.arange(t.shape[along])
        return np.broadcast_to(line.reshape([-1 if d == along else 1 for d in range(t.rank)]), t.shape)
    if name not in _COMPUTE:
        return None
    operands: list[np.ndarray] = []
    for v in op.operands:
        x = integers(v, depth - 1)
        if x is None:
            return None
        operands.append(x)
    return evaluated(op, operands)


def evaluated(op: ir.Operation, operands: Sequence[np.ndarray]) -> np.ndarray | None:
    """What an op gives whose operands and whose result are integers or truth values, if that is known."""
    compute, t = _COMPUTE.get(op.name.removeprefix("stablehlo.")), op.results[0].type
    if compute is None:
        return None
    wide = [x if x.dtype == np.bool_ else x.astype(np.int64) for x in operands]
    try:
        made = np.asarray(compute(op, *wide))
    except ZeroDivisionError:
        return None
    if made.dtype != np.bool_ and not fits(made, t):
        return None  # it would wrap around
    return made.astype(np.bool_) if kind(t) == "bool" else made


def _quotient(x: np.ndarray, y: np.ndarray) -> np.ndarray:
    """Rounded towards zero."""
    if not y.all():
        raise ZeroDivisionError
    return np.sign(x) * np.sign(y) * (np.abs(x) // np.abs(y))


_COMPARE: dict[str, Callable[..., np.ndarray]] = {
    "LT": np.less, "LE": np.less_equal, "GT": np.greater, "GE": np.greater_equal, "EQ": np.equal, "NE": np.not_equal,
}  # fmt: skip
_COMPUTE: dict[str, Callable[..., Any]] = {
    **MOVES,
    "convert": lambda op, x: x,
    "add": lambda op, x, y: x + y,
    "subtract": lambda op, x, y: x - y,
    "multiply": lambda op, x, y: x * y,
    "minimum": lambda op, x, y: np.minimum(x, y),
    "maximum": lambda op, x, y: np.maximum(x, y),
    "negate": lambda op, x: -x,
    "abs": lambda op, x: np.abs(x),
    "sign": lambda op, x: np.sign(x),
    "divide": lambda op, x, y: _quotient(x, y),
    "remainder": lambda op, x, y: x - _quotient(x, y) * y,
    "clamp": lambda op, a, x, b: np.minimum(np.maximum(x, a), b),
    "select": lambda op, p, x, y: np.where(p, x, y),
    "compare": lambda op, x, y: _COMPARE[direction(op)](x, y),
    "and": lambda op, x, y: x & y,
    "or": lambda op, x, y: x | y,
    "not": lambda op, x: ~x,
}


def progression(numbers: np.ndarray) -> tuple[int, int] | None:
    """Start and step, if the numbers go up or down in equal steps."""
    if numbers.ndim != 1 or not numbers.size:
        return None
    steps = np.diff(numbers)
    if steps.size and (steps != steps[0]).any():
        return None
    return int(numbers[0]), int(steps[0]) if steps.size else 1
