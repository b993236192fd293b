"""What a computation is that an op holds in a region: which op, with what neutral element, associative or not."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from jaxlib.mlir import ir

from gradir.tensor.analysis.counting import integer
from gradir.tensor.ir import expr as E
from gradir.tensor.ir.reading import direction
from gradir.tensor.ir.regions import terminator


def single_op(region: ir.Region) -> str | None:
    """The name of the op that a computation of two arguments consists of, if it is one op.

    (And perhaps a word on how its result, a scalar, is to lie on the devices, which JAX writes behind ops.)
    """
    block = region.blocks[0]
    views = list(block.operations)
    if not 2 <= len(views) <= 3:
        return None
    op, *said, last = (view.operation for view in views)
    operands, arguments = list(op.operands), list(block.arguments)
    if len(arguments) != 2 or operands not in (arguments, arguments[::-1]) or op.name == "func.call":
        return None
    made = list(op.results)
    for more in said:
        if more.name != "sdy.sharding_constraint" or list(more.operands) != made:
            return None
        made = list(more.results)
    return op.name if list(last.operands) == made else None


def comparison(region: ir.Region) -> str | None:
    """The direction of a computation that compares its two arguments in order, if it is that: `GE`, …"""
    block = region.blocks[0]
    if single_op(region) != "stablehlo.compare":
        return None
    op = block.operations[0].operation
    return direction(op) if list(op.operands) == list(block.arguments) else None


def constant_scalar(value: ir.Value) -> float | None:
    """The number that a scalar float constant holds."""
    while not isinstance(value, ir.BlockArgument):
        op = value.owner.operation
        if op.name == "stablehlo.constant":
            if not isinstance(value.type.element_type, ir.FloatType):
                return None
            attr = op.attributes["value"]
            splat = isinstance(attr, ir.DenseElementsAttr) and attr.is_splat
            return float(attr.get_splat_value().value) if splat else None  # type: ignore[attr-defined]
        if op.name not in ("stablehlo.broadcast_in_dim", "stablehlo.reshape", "stablehlo.convert"):
            return None
        value = op.operands[0]
    return None


NEUTRAL = {"stablehlo.add": 0.0, "stablehlo.multiply": 1.0, "stablehlo.maximum": -np.inf, "stablehlo.minimum": np.inf}
_LARGEST = {"f64": float(np.finfo(np.float64).max), "f32": float(np.finfo(np.float32).max), "f16": 65504.0}


def is_neutral(name: str, init: ir.Value) -> bool:
    """Whether an initial value is a constant that never changes a result (the lowest finite number never does)."""
    value = constant_scalar(init)
    if value is None or name not in NEUTRAL:
        return False
    largest = _LARGEST.get(str(init.type.element_type), np.inf)
    if name == "stablehlo.maximum":
        return value <= -largest
    if name == "stablehlo.minimum":
        return value >= largest
    return value == NEUTRAL[name]


# -- is it associative? ------------------------------------------------------------------------------------------------

_ASSOCIATIVE = {f"stablehlo.{n}" for n in ("add", "multiply", "maximum", "minimum", "and", "or", "xor")}

_ARITHMETIC: dict[str, Callable[..., Any]] = {
    "stablehlo.abs": np.abs,
    "stablehlo.add": np.add,
    "stablehlo.and": np.bitwise_and,
    "stablehlo.convert": np.asarray,
    "stablehlo.divide": np.divide,
    "stablehlo.exponential": np.exp,
    "stablehlo.exponential_minus_one": np.expm1,
    "stablehlo.is_finite": np.isfinite,
    "stablehlo.log": np.log,
    "stablehlo.log_plus_one": np.log1p,
    "stablehlo.maximum": np.maximum,
    "stablehlo.minimum": np.minimum,
    "stablehlo.multiply": np.multiply,
    "stablehlo.negate": np.negative,
    "stablehlo.not": np.invert,
    "stablehlo.or": np.bitwise_or,
    "stablehlo.select": np.where,
    "stablehlo.sqrt": np.sqrt,
    "stablehlo.subtract": np.subtract,
}
_COMPARE: dict[str, Callable[..., Any]] = {
    "EQ": np.equal,
    "NE": np.not_equal,
    "LT": np.less,
    "LE": np.less_equal,
    "GT": np.greater,
    "GE": np.greater_equal,
}
_associative: dict[str, bool] = {}


def is_associative(region: ir.Region) -> bool:
    """Whether f(f(a, b), c) = f(a, f(b, c)): known of some ops, and of others found by trying random numbers."""
    name = single_op(region)
    if name is not None:
        return name in _ASSOCIATIVE
    text = str(region.owner)  # attributes and all, so that equal computations of equal ops are tried once
    if text not in _associative:
        _associative[text] = _try(region)
    return _associative[text]


def leaves_alone(region: ir.Region, inits: Sequence[ir.Value]) -> bool:
    """Whether f(init, x) = x = f(x, init): known for some ops, and for others found by trying random numbers."""
    name = single_op(region)
    if name is not None:
        return is_neutral(name, inits[0])
    numbers = [constant_scalar(v) for v in inits]
    if any(n is None for n in numbers):
        return False
    block, rng = region.blocks[0], np.random.default_rng(0)
    start = [np.full(SAMPLES, n) for n in numbers]
    xs = [_samples(rng, a.type.element_type) for a in block.arguments[: len(inits)]]
    return _same(lambda: _evaluate(block, [*start, *xs]), lambda: xs) and _same(
        lambda: _evaluate(block, [*xs, *start]), lambda: xs
    )


SAMPLES = 256


def _try(region: ir.Region) -> bool:
    block = region.blocks[0]
    n, rng = len(block.arguments) // 2, np.random.default_rng(0)
    a, b, c = ([_samples(rng, x.type.element_type) for x in block.arguments[:n]] for _ in range(3))
    return _same(
        lambda: _evaluate(block, [*_evaluate(block, [*a, *b]), *c]),
        lambda: _evaluate(block, [*a, *_evaluate(block, [*b, *c])]),
    )


Arrays = Sequence[np.ndarray]


def _same(left: Callable[[], Arrays], right: Callable[[], Arrays]) -> bool:
    """Whether two computations agree (on nearly all samples, since a few may be ill-conditioned)."""
    with np.errstate(all="ignore"):
        try:
            pairs = list(zip(left(), right(), strict=True))
        except (KeyError, TypeError):  # an op that is not in the table, or not for these types
            return False
    return all(np.isclose(x, y, rtol=1e-6, atol=1e-9, equal_nan=True).mean() > 0.95 for x, y in pairs)


def _samples(rng: np.random.Generator, t: ir.Type) -> np.ndarray:
    if isinstance(t, ir.IntegerType):
        return rng.integers(0, 2, SAMPLES).astype(bool) if t.width == 1 else rng.integers(-4, 5, SAMPLES)
    real = rng.normal(size=SAMPLES)
    return real + 1j * rng.normal(size=SAMPLES) if E.is_complex(t) else real


def _evaluate(block: ir.Block, arguments: Arrays) -> list[np.ndarray]:
    """The computation on NumPy arrays, in double precision; a KeyError says that it has an op we can't evaluate."""
    values: dict[ir.Value, Any] = dict(zip(block.arguments, arguments, strict=True))
    for view in block.operations:
        op = view.operation
        if op == terminator(block):
            break
        operands = [values[v] if v in values else _number(v) for v in op.operands]
        if op.name == "stablehlo.compare":
            out = _COMPARE[direction(op)](*operands)
        elif op.name == "stablehlo.constant":
            out = _number(op.results[0])
        else:
            out = _ARITHMETIC[op.name](*operands)
        values[op.results[0]] = out
    return [np.broadcast_to(values[v], (SAMPLES,)) for v in terminator(block).operands]


def _number(value: ir.Value) -> float:
    number = constant_scalar(value)
    if number is None:
        number = integer(value)
    if number is None:
        raise KeyError(value)
    return number
