"""Between what bounds the elements of an integer value lie: enough to see that an index is in range without asking."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from jaxlib.mlir import ir

from gradir.tensor.ir.reading import direction, integer, maker


class Interval(NamedTuple):
    """All whole numbers from `low` to `high`."""

    low: int
    high: int

    def within(self, low: int, high: int) -> bool:
        return low <= self.low and self.high <= high

    def join(self, other: Interval) -> Interval:
        return Interval(min(self.low, other.low), max(self.high, other.high))


def of_type(t: ir.Type) -> Interval:
    """Everything that an integer type holds."""
    if isinstance(t, ir.IntegerType):
        if t.width == 1:
            return Interval(0, 1)
        if t.is_unsigned:
            return Interval(0, 2**t.width - 1)
        return Interval(-(2 ** (t.width - 1)), 2 ** (t.width - 1) - 1)
    return Interval(-(2**63), 2**63 - 1)


def interval(value: ir.Value, depth: int = 16, known: dict[ir.Value, Interval] | None = None) -> Interval:
    """Bounds on every element of `value`, read off the ops that make it (at most `depth` of them deep).

    `known` holds what has been found on the way, so that no value is looked at twice.
    """
    known = {} if known is None else known
    if value not in known:
        known[value] = _interval(value, depth, known)
    return known[value]


def _interval(value: ir.Value, depth: int, known: dict[ir.Value, Interval]) -> Interval:
    t = value.type
    assert isinstance(t, ir.RankedTensorType)
    whole = of_type(t.element_type)
    op = maker(value)
    if depth == 0 or op is None:
        return whole
    found = _of_op(op, value, t, depth - 1, known)
    # Where a type is too narrow for a sum or a product the number wraps around, and nothing is known.
    return found if found is not None and found.within(*whole) else whole


def _of_op(
    op: ir.Operation, value: ir.Value, t: ir.RankedTensorType, depth: int, known: dict[ir.Value, Interval]
) -> Interval | None:
    name = op.name.removeprefix("stablehlo.")
    if name == "constant":
        data = integers(value)
        return Interval(int(data.min()), int(data.max())) if data is not None and data.size else None
    if name == "iota":
        return Interval(0, max(0, t.shape[integer(op, "iota_dimension")] - 1))
    if name == "sort":
        return interval(op.operands[ir.OpResult(value).result_number], depth, known)
    if name == "chlo.top_k":  # the second result: places along the last dimension of the operand
        return Interval(0, max(0, op.operands[0].type.shape[-1] - 1))
    if name not in _KNOWN or not all(_is_integer(v) for v in op.operands):
        return None
    bounds = [interval(v, depth, known) for v in op.operands]
    a, b, c = (*bounds, *[bounds[0]] * 2)[:3]
    if name in _MOVING:
        return a
    if name == "concatenate":
        return Interval(min(i.low for i in bounds), max(i.high for i in bounds))
    if name == "clamp":
        return Interval(min(max(b.low, a.low), c.low), min(max(b.high, a.high), c.high))
    if name == "minimum":
        return Interval(min(a.low, b.low), min(a.high, b.high))
    if name == "maximum":
        return Interval(max(a.low, b.low), max(a.high, b.high))
    if name == "add":
        return Interval(a.low + b.low, a.high + b.high)
    if name == "subtract":
        return Interval(a.low - b.high, a.high - b.low)
    if name == "multiply":
        ends = [x * y for x in a for y in b]
        return Interval(min(ends), max(ends))
    if name == "compare":
        return _compared(direction(op), a, b)
    assert name == "select"
    return c if a.high == 0 else b if a.low == 1 else b.join(c)


_MOVING = {"broadcast_in_dim", "reshape", "transpose", "slice", "convert", "reverse", "gather", "dynamic_slice"}
_KNOWN = _MOVING | {"concatenate", "clamp", "minimum", "maximum", "add", "subtract", "multiply", "compare", "select"}


def _is_integer(value: ir.Value) -> bool:
    return isinstance(value.type, ir.RankedTensorType) and isinstance(value.type.element_type, ir.IntegerType)


def _compared(way: str, a: Interval, b: Interval) -> Interval:
    """0 where a comparison is never true, 1 where it always is. (Negative indices are wrapped by `i < 0`.)"""
    if way in ("GT", "GE"):
        way, a, b = {"GT": "LT", "GE": "LE"}[way], b, a
    never = {"LT": a.low >= b.high, "LE": a.low > b.high}.get(way, False)
    always = {"LT": a.high < b.low, "LE": a.high <= b.low}.get(way, False)
    return Interval(int(always), int(not never))


def integers(value: ir.Value) -> np.ndarray | None:
    """The numbers of a constant of integers, if it is one of a type that NumPy has."""
    op = maker(value)
    if op is None or op.name != "stablehlo.constant" or not isinstance(value.type.element_type, ir.IntegerType):
        return None
    attr = op.attributes["value"]
    if not isinstance(attr, ir.DenseIntElementsAttr):
        return None
    if value.type.element_type.width not in (1, 8, 16, 32, 64):
        return None
    return np.asarray(attr).reshape(value.type.shape)


def components(value: ir.Value, dim: int) -> list[Interval]:
    """Bounds on each slice of `value` along `dim`; a value put together along `dim` is seen part by part."""
    t = value.type
    assert isinstance(t, ir.RankedTensorType)
    if dim == t.rank:
        return [interval(value)]
    op, data = maker(value), integers(value)
    if op is not None and op.name == "stablehlo.concatenate" and integer(op, "dimension") == dim:
        return [i for v in op.operands for i in components(v, dim)]
    if data is not None and data.size:
        return [Interval(int(x.min()), int(x.max())) for x in np.moveaxis(data, dim, 0)]
    return [interval(value)] * t.shape[dim]


def counts_along(value: ir.Value, dim: int) -> bool:
    """Whether `value` is seen to be 0, 1, 2, … along `dim`, whatever the other dimensions."""
    t = value.type
    assert isinstance(t, ir.RankedTensorType)
    op = maker(value)
    if op is None or not isinstance(t.element_type, ir.IntegerType):
        return False
    if op.name == "stablehlo.iota":
        return integer(op, "iota_dimension") == dim and t.shape[dim] - 1 <= of_type(t.element_type).high
    if op.name == "stablehlo.broadcast_in_dim":
        dims, source = list(ir.DenseI64ArrayAttr(op.attributes["broadcast_dimensions"])), op.operands[0]
        if dim not in dims or source.type.shape[dims.index(dim)] != t.shape[dim]:
            return False
        return counts_along(source, dims.index(dim))
    return False
