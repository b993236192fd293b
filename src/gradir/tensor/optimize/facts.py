"""Small proofs about values, read off the ops that make them: what allows `0 * x -> 0` without fast-math."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from jaxlib.mlir import ir

from gradir.tensor.expr import Expr
from gradir.tensor.optimize.reading import array_of, direction, kind, maker, splat_of
from gradir.tensor.rules.ranges import Interval, interval

DEPTH = 8
"""How many ops deep a proof looks."""

_MOVES = frozenset(
    f"stablehlo.{n}"
    for n in (
        "reshape", "transpose", "broadcast_in_dim", "slice", "reverse", "concatenate", "gather", "dynamic_slice",
        "all_gather", "collective_permute", "all_to_all",
    )
)  # fmt: skip
"""Ops whose elements are elements of their first operands."""
_MIXES = frozenset(f"stablehlo.{n}" for n in ("pad", "dynamic_update_slice", "maximum", "minimum"))
"""Ops whose elements are elements of their first two operands."""
_SIZED = frozenset(
    f"stablehlo.{n}" for n in ("sine", "cosine", "add", "subtract", "multiply", "negate", "abs", "floor", "ceil")
)
_LARGEST = {"f64": 1e308, "f16": 65504.0}


@dataclass
class Facts:
    """What can be shown of values. With fast-math, floats are taken to be finite."""

    fast_math: bool = False

    def finite(self, value: ir.Value | Expr) -> bool:
        """No element is infinite, or not a number."""
        return self.fast_math or self._holds(value, self._finite, DEPTH)

    def no_nan(self, value: ir.Value | Expr) -> bool:
        """Every element is a number (it may be infinite)."""
        return self.fast_math or self._holds(value, self._no_nan, DEPTH)

    def non_negative(self, value: ir.Value | Expr) -> bool:
        """No element is less than zero (it may be not a number)."""
        return self._holds(value, self._non_negative, DEPTH)

    def positive(self, value: ir.Value | Expr) -> bool:
        """Every element is greater than zero, or not a number."""
        return self._holds(value, self._positive, DEPTH)

    def bounds(self, value: ir.Value | Expr) -> Interval:
        """Between which whole numbers the elements lie."""
        v = value.value if isinstance(value, Expr) else value
        return interval(v, known=_counters(v))

    def symmetric(self, value: ir.Value | Expr) -> bool:
        """A square matrix that is its own transpose."""
        v = value.value if isinstance(value, Expr) else value
        t = v.type
        if t.rank != 2 or t.shape[0] != t.shape[1]:
            return False
        return self._symmetric(v, 4)

    # -- how

    def _holds(self, value: ir.Value | Expr, fact: Callable[[ir.Value, int], bool], depth: int) -> bool:
        v = value.value if isinstance(value, Expr) else value
        of = kind(v.type)
        if of in ("int", "bool") and fact in (self._finite, self._no_nan):
            return True
        return fact(v, depth)

    def _moved(self, op: ir.Operation, fact: Callable[[ir.Value, int], bool], depth: int) -> bool | None:
        """For ops that only move elements: whether the fact holds of what they move."""
        some = self._of_moved(op)
        return all(self._holds(v, fact, depth - 1) for v in some) if some else None

    def _of_moved(self, op: ir.Operation) -> list[ir.Value]:
        """The operands whose elements an op's elements are, if it only moves them."""
        if op.name in _MOVES:
            return list(op.operands) if op.name == "stablehlo.concatenate" else [op.operands[0]]
        if op.name in _MIXES:
            return list(op.operands)[:2]
        return list(op.operands)[1:] if op.name == "stablehlo.select" else []

    def _finite(self, v: ir.Value, depth: int) -> bool:
        return self._size(v, depth) < float(_LARGEST.get(str(v.type.element_type), 3e38))

    def _size(self, v: ir.Value, depth: int) -> float:
        """A bound on the size of every element, each of which is a number; infinite where nothing is known."""
        of, op = kind(v.type), maker(v)
        if of == "bool":
            return 1
        if of == "int":
            low, high = self.bounds(v)
            return max(abs(low), abs(high))
        if op is None or depth == 0 or of != "float":
            return np.inf
        sizes = [self._size(x, depth - 1) for x in op.operands] if op.name in _SIZED else []
        match op.name.removeprefix("stablehlo."):
            case "constant":
                return _constant_size(v)
            case "iota":
                return max(v.type.shape)
            case "convert":
                return self._size(op.operands[0], depth - 1)
            case "tanh" | "logistic" | "sign":
                return 1 if self._holds(op.operands[0], self._no_nan, depth - 1) else np.inf
            case "sine" | "cosine":
                return 1 if np.isfinite(sizes[0]) else np.inf
            case "add" | "subtract":
                return sizes[0] + sizes[1]
            case "multiply":
                return sizes[0] * sizes[1] if np.isfinite(sizes).all() else np.inf
            case "negate" | "abs" | "floor" | "ceil":
                return sizes[0]
        moved = self._of_moved(op)
        return max((self._size(x, depth - 1) for x in moved), default=np.inf)

    def _no_nan(self, v: ir.Value, depth: int) -> bool:
        op = maker(v)
        if op is None or depth == 0:
            return False
        match op.name.removeprefix("stablehlo."):
            case "constant":
                return _constant_is(v, lambda x: not np.isnan(x).any())
            case "iota":
                return True
            case "convert":
                source = op.operands[0]
                return kind(source.type) in ("int", "bool") or self._no_nan(source, depth - 1)
            case "exponential" | "tanh" | "logistic" | "abs" | "negate" | "sign" | "floor" | "ceil" | "maximum":
                return all(self._holds(x, self._no_nan, depth - 1) for x in op.operands)
            case "sine" | "cosine":
                return self._finite(op.operands[0], depth - 1)
            case "add" | "subtract" | "multiply":  # of finite numbers: it may overflow, no more
                return all(self._holds(x, self._finite, depth - 1) for x in op.operands)
        return self._finite(v, depth) or bool(self._moved(op, self._no_nan, depth))

    def _non_negative(self, v: ir.Value, depth: int) -> bool:
        op = maker(v)
        if kind(v.type) in ("int", "bool"):
            return self.bounds(v).low >= 0
        if op is None or depth == 0 or kind(v.type) != "float":
            return False
        below = lambda x: self._non_negative(x, depth - 1)  # noqa: E731
        match op.name.removeprefix("stablehlo."):
            case "constant":
                return _constant_is(v, lambda x: bool((x >= 0).all()))
            case "iota" | "abs" | "exponential" | "sqrt" | "rsqrt" | "logistic":
                return True
            case "convert":
                source = op.operands[0]
                return below(source) if kind(source.type) == "float" else self.bounds(source).low >= 0
            case "multiply":
                a, b = op.operands
                return a == b or (below(a) and below(b))
            case "add" | "divide" | "minimum" | "power":
                if op.name == "stablehlo.power":
                    return splat_of(op.operands[1]) in (2.0, 4.0) or below(op.operands[0])
                return all(map(below, op.operands))
            case "maximum":
                return any(map(below, op.operands))
            case "reduce":
                return len(op.operands) == 2 and all(map(below, op.operands)) and _region_op(op) in _KEEP_SIGN
        return bool(self._moved(op, self._non_negative, depth))

    def _positive(self, v: ir.Value, depth: int) -> bool:
        op = maker(v)
        if kind(v.type) == "int":
            return self.bounds(v).low > 0
        if op is None or depth == 0 or kind(v.type) != "float":
            return False
        match op.name.removeprefix("stablehlo."):
            case "constant":
                return _constant_is(v, lambda x: bool((x > 0).all()))
            case "add":
                a, b = op.operands
                return (self._positive(a, depth - 1) and self._non_negative(b, depth - 1)) or (
                    self._positive(b, depth - 1) and self._non_negative(a, depth - 1)
                )
            case "maximum":
                return any(self._positive(x, depth - 1) for x in op.operands)
        return bool(self._moved(op, self._positive, depth))

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
        if name in _ELEMENTWISE:
            return all(self._symmetric(x, depth - 1) for x in op.operands)
        return False


def _counters(value: ir.Value) -> dict[ir.Value, Interval]:
    """The bounds of the counters of all loops that a value is in."""
    from gradir.tensor.rules.counting import count

    found: dict[ir.Value, Interval] = {}
    owner = value.owner
    block = owner if isinstance(owner, ir.Block) else owner.operation.block
    while True:
        loop = block.owner.operation
        if loop.name in ("func.func", "builtin.module") or loop.block is None:
            return found
        if loop.name == "stablehlo.while" and block == loop.regions[1].blocks[0]:
            counter = count(loop)
            if counter is not None and counter.trips:
                ends = counter.start, counter.start + counter.step * (counter.trips - 1)
                found[block.arguments[counter.index]] = Interval(min(ends), max(ends))
        block = loop.block


_KEEP_SIGN = ("stablehlo.add", "stablehlo.multiply", "stablehlo.maximum", "stablehlo.minimum")
_ELEMENTWISE = frozenset(
    (
        "add", "subtract", "multiply", "divide", "negate", "exponential", "tanh", "abs", "convert", "select",
        "maximum", "minimum", "sqrt", "log", "sine", "cosine", "compare", "and", "or", "not",
    )
)  # fmt: skip


def _region_op(op: ir.Operation) -> str | None:
    from gradir.tensor.rules.computation import single_op

    return single_op(op.regions[0])


def _is_gram(op: ir.Operation) -> bool:
    """Whether a product is that of a matrix with its own transpose."""
    from jaxlib.mlir.dialects import stablehlo as hlo

    n = hlo.DotDimensionNumbers(op.attributes["dot_dimension_numbers"])
    same = list(n.lhs_contracting_dimensions) == list(n.rhs_contracting_dimensions)
    return op.operands[0] == op.operands[1] and same and not list(n.lhs_batching_dimensions)


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


def _constant_size(v: ir.Value) -> float:
    number = splat_of(v)
    x = array_of(v) if number is None else np.asarray(number)
    if x is None or not np.isfinite(x).all():
        return np.inf
    return float(np.abs(x.astype(np.float64)).max(initial=0))


def _constant_is(v: ir.Value, fact: Callable[[np.ndarray], bool]) -> bool:
    number = splat_of(v)
    if number is not None:
        return not isinstance(number, complex) and fact(np.asarray(number))
    x = array_of(v)
    return x is not None and fact(x)
