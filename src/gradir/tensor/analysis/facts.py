"""Small proofs about values, read off the ops that make them: what allows `0 * x -> 0`."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from jaxlib.mlir import ir

from gradir.tensor.analysis.ranges import Interval
from gradir.tensor.analysis.spans import Span, Spans, is_whole
from gradir.tensor.ir.dot import Dims
from gradir.tensor.ir.expr import Expr
from gradir.tensor.ir.reading import array_of, direction, kind, maker, splat_of


@dataclass
class Facts:
    """What can be shown of values. Floats are taken to be finite where that is allowed."""

    assume_finite: bool = False

    def span(self, value: ir.Value | Expr) -> Span:
        """Between what numbers the elements lie, and whether one may be not a number."""
        return Spans(self.assume_finite).of(_value(value))

    def finite(self, value: ir.Value | Expr) -> bool:
        """No element is infinite, or not a number."""
        return self.assume_finite or self.span(value).is_finite

    def no_nan(self, value: ir.Value | Expr) -> bool:
        """Every element is a number (it may be infinite)."""
        return self.assume_finite or not self.span(value).nan

    def non_negative(self, value: ir.Value | Expr) -> bool:
        """No element is less than zero (it may be not a number)."""
        v = _value(value)
        return kind(v.type) != "complex" and self.span(v).low >= 0

    def positive(self, value: ir.Value | Expr) -> bool:
        """Every element is greater than zero, or not a number."""
        v = _value(value)
        return kind(v.type) != "complex" and self.span(v).low > 0

    def bounds(self, value: ir.Value | Expr) -> Interval:
        """Between which whole numbers the elements lie."""
        low, high, _ = self.span(value)
        return Interval(int(low), int(high))

    def whole(self, value: ir.Value | Expr) -> bool:
        """Every element is a whole number, or infinite, or not a number."""
        return is_whole(_value(value))

    def symmetric(self, value: ir.Value | Expr) -> bool:
        """A square matrix that is its own transpose."""
        v = _value(value)
        t = v.type
        if t.rank != 2 or t.shape[0] != t.shape[1]:
            return False
        return self._symmetric(v, 4)

    def _symmetric(self, v: ir.Value, depth: int) -> bool:
        op = maker(v)
        if op is None or depth == 0:
            return False
        if splat_of(v) is not None:
            return True
        name = op.name.removeprefix("stablehlo.")
        if name == "constant":
            x = array_of(v)
            return x is not None and bool(np.array_equal(x, x.T, equal_nan=x.dtype.kind == "f"))
        if name in ("add", "multiply", "maximum", "minimum"):
            a, b = op.operands
            if _are_transposes(a, b):
                return True
        if name == "compare" and direction(op) in ("EQ", "NE") and _are_transposes(*op.operands):
            return True
        if name == "dot_general":
            return _is_gram(op)
        if name == "broadcast_in_dim" and math.prod(op.operands[0].type.shape) == 1:
            return True
        if name in _ELEMENTWISE:
            return all(self._symmetric(x, depth - 1) for x in op.operands)
        return False


def _value(value: ir.Value | Expr) -> ir.Value:
    return value.value if isinstance(value, Expr) else value


_ELEMENTWISE = frozenset(
    (
        "add", "subtract", "multiply", "divide", "negate", "exponential", "tanh", "abs", "convert", "select",
        "maximum", "minimum", "sqrt", "log", "sine", "cosine", "compare", "and", "or", "not",
    )
)  # fmt: skip


def _is_gram(op: ir.Operation) -> bool:
    """Whether a product is that of a matrix with its own transpose."""
    dims = Dims.of(op)
    return op.operands[0] == op.operands[1] and dims.contract[0] == dims.contract[1] and not dims.batch[0]


def _are_transposes(a: ir.Value, b: ir.Value) -> bool:
    """Whether one matrix is the other's transpose, at first sight."""
    for x, y in ((a, b), (b, a)):
        op = maker(x)
        if op is not None and op.name == "stablehlo.transpose" and op.operands[0] == y:
            return True
    m, n = maker(a), maker(b)
    if m is None or n is None or m.name != n.name or m.name != "stablehlo.iota":
        return False
    return m.attributes["iota_dimension"] != n.attributes["iota_dimension"]
