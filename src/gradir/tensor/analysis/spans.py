"""Between what numbers the elements of a value lie, read off the ops that make it.

A span is a pair of bounds and whether an element may be not a number. Both parts of a complex number lie within the
bounds. The bounds of floats are those of the numbers that a device computes: the exact ones, rounded outwards to the
element type, and wider by a little where a device may approximate.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np
from jaxlib.mlir import ir

from gradir.tensor.analysis.computation import single_op
from gradir.tensor.analysis.counting import count
from gradir.tensor.analysis.ranges import Interval, interval, of_type
from gradir.tensor.ir.dot import Dims
from gradir.tensor.ir.reading import array_of, direction, integer, ints, kind, maker, splat_of, text_of

DEPTH = 10
"""How many ops deep a question goes."""
BUDGET = 48
"""How many ops a question looks at."""
INF = math.inf
SLACK = 1e-2
"""How far a device may be off, as a part of the number, where it adds up in an order of its own, or approximates."""


class Span(NamedTuple):
    """From `low` to `high`; `nan` if an element may be not a number."""

    low: float
    high: float
    nan: bool = False

    def join(self, other: Span) -> Span:
        return Span(min(self.low, other.low), max(self.high, other.high), self.nan or other.nan)

    def meet(self, low: float, high: float) -> Span:
        """What is left of it between two numbers. (Nothing, if the program never gets there: then all is well.)"""
        return Span(max(self.low, low), min(self.high, high), False)

    @property
    def size(self) -> float:
        return max(abs(self.low), abs(self.high))

    @property
    def is_finite(self) -> bool:
        return not self.nan and self.size < INF

    @property
    def may_be_infinite(self) -> bool:
        return self.size == INF

    def holds(self, number: float) -> bool:
        return self.low <= number <= self.high


ALL = Span(-INF, INF, True)

_LARGEST = {
    "f64": 1.7976931348623157e308, "f32": 3.4028234663852886e38, "f16": 65504.0, "bf16": 3.3895313892515355e38,
}  # fmt: skip
_SMALLEST = {
    "f64": 2.2250738585072014e-308,
    "f32": 1.1754943508222875e-38,
    "f16": 6.1e-5,
    "bf16": 1.1754943508222875e-38,
}


def outwards(low: float, high: float, nan: bool, of: str) -> Span:
    """What a device makes of exact numbers between two: they are rounded, become infinite, or are flushed to 0."""
    if low != low or high != high:
        return ALL
    largest, smallest = _LARGEST.get(of), _SMALLEST.get(of, 0)
    if largest is None:  # a type of 8 bits or fewer
        return Span(-INF if low < 0 else 0, INF if high > 0 else 0, nan)
    if of == "f32":
        low, high = _step(low, -INF), _step(high, INF)
    elif of != "f64":  # what is computed in between may have more digits
        low, high = low - abs(low) * SLACK, high + abs(high) * SLACK
    low = 0.0 if 0 < low < smallest else -smallest if -smallest < low < 0 else -INF if low < -largest else low
    high = 0.0 if -smallest < high < 0 else smallest if 0 < high < smallest else INF if high > largest else high
    return Span(min(low, largest), max(high, -largest), nan)


def _step(number: float, towards: float) -> float:
    """The nearest number of 32 bits that is not less (or not more)."""
    if abs(number) >= 3.4e38:
        return number
    near = np.float32(number)
    if float(near) == number or (float(near) > number) == (towards > 0):
        return float(near)
    return float(np.nextafter(near, np.float32(towards)))


def _about(low: float, high: float, nan: bool, of: str) -> Span:
    """`outwards`, for what devices approximate."""
    return outwards(low - abs(low) * SLACK, high + abs(high) * SLACK, nan, of)


@dataclass
class Spans:
    """One question, with what has been found out on the way to the answer."""

    assume_finite: bool = False
    known: dict[ir.Value, Span] = field(default_factory=dict)
    left: int = BUDGET

    def of(self, value: ir.Value, depth: int = DEPTH) -> Span:
        found = self.known.get(value)
        if found is None:
            found = self.known[value] = self._of(value, depth)
        return found

    def _of(self, value: ir.Value, depth: int) -> Span:
        of = kind(value.type)
        whole = self.everything(value, of)
        if depth == 0 or self.left == 0 or of == "":
            return whole
        self.left -= 1
        op = maker(value)
        if op is None:
            return _counter(value) or whole if of == "int" else whole
        compute = _SPANS.get(op.name)
        found = None if compute is None else compute(Site(self, op, value, of, depth - 1))
        if found is None or op.name == "stablehlo.constant":
            return found or whole
        if of in ("int", "bool"):  # where a type is too narrow the number wraps around, and nothing is known
            return found if found.low >= whole.low and found.high <= whole.high else whole
        return Span(float(max(found.low, whole.low)), float(min(found.high, whole.high)), found.nan and whole.nan)

    def everything(self, value: ir.Value, of: str) -> Span:
        if of == "bool":
            return Span(0, 1)
        if of == "int":
            return Span(*of_type(value.type.element_type))
        if of in ("float", "complex") and self.assume_finite:
            largest = _LARGEST.get(_element(value.type), 3e38)
            return Span(-largest, largest)
        return ALL

    # -- what a predicate says

    def given(self, predicate: ir.Value, truth: bool, value: ir.Value, depth: int) -> Span:
        """The span of a value where a predicate is true (or false)."""
        span = self.of(value, depth)
        p = maker(predicate)
        if p is None or depth == 0:
            return span
        match p.name:
            case "stablehlo.not":
                return self.given(p.operands[0], not truth, value, depth - 1)
            case "stablehlo.and" | "stablehlo.or" if (p.name == "stablehlo.and") == truth:
                for q in p.operands:
                    narrower = self.given(q, truth, value, depth - 1)
                    span = Span(max(span.low, narrower.low), min(span.high, narrower.high), span.nan and narrower.nan)
                return span
            case "stablehlo.is_finite" if truth and p.operands[0] == value and kind(value.type) == "float":
                largest = _LARGEST.get(_element(value.type), 1e5)
                return span.meet(-largest, largest)
            case "stablehlo.compare":
                return self._compared(p, truth, value, span, depth)
            case "stablehlo.broadcast_in_dim" | "stablehlo.reshape" | "stablehlo.transpose":
                q, v = p.operands[0], maker(value)  # the same movement of what is compared
                if v is not None and v.name == p.name and dict(v.attributes.items()) == dict(p.attributes.items()):
                    inner = self.given(q, truth, v.operands[0], depth - 1)
                    return Span(max(span.low, inner.low), min(span.high, inner.high), span.nan and inner.nan)
        return span

    def _compared(self, p: ir.Operation, truth: bool, value: ir.Value, span: Span, depth: int) -> Span:
        (x, y), to = p.operands, direction(p)
        if value not in (x, y) or is_total(p) or kind(x.type) not in ("int", "float"):
            return span
        if x == y:  # whether it is a number
            number = truth if to in ("EQ", "LE", "GE") else to == "NE" and not truth
            return Span(span.low, span.high, span.nan and not number)
        if value != x:
            x, y, to = y, x, SWAP[to]
        sure = truth  # a comparison that is false says nothing of what is not a number
        if not truth:
            if to == "NE":
                sure = True
            to = FLIP[to]
        other = self.of(y, depth - 1)
        if other.nan and not sure:
            return span
        nan = span.nan and not (sure and to != "NE")
        step = 1 if kind(x.type) == "int" else 0
        match to:
            case "LT" | "LE":
                return Span(span.low, min(span.high, other.high - (step if to == "LT" else 0)), nan)
            case "GT" | "GE":
                low = max(span.low, other.low + (step if to == "GT" else 0))
                if to == "GT" and not step and low == other.low == 0:
                    low = 5e-324  # greater than 0
                return Span(low, span.high, nan)
            case "EQ":
                return Span(max(span.low, other.low), min(span.high, other.high), nan)
        if other.low == other.high == INF:  # not infinite
            largest = _LARGEST.get(_element(value.type))
            return Span(span.low, min(span.high, largest), nan) if largest else span
        if other.low == other.high == -INF:
            largest = _LARGEST.get(_element(value.type))
            return Span(max(span.low, -largest), span.high, nan) if largest else span
        return Span(span.low, span.high, nan)


FLIP = {"LT": "GE", "LE": "GT", "GT": "LE", "GE": "LT", "EQ": "NE", "NE": "EQ"}
SWAP = {"LT": "GT", "LE": "GE", "GT": "LT", "GE": "LE", "EQ": "EQ", "NE": "NE"}


def is_total(op: ir.Operation) -> bool:
    """Whether a compare is by the total order, in which -0 is less than 0, and what is not a number has its place."""
    attributes = op.attributes
    return "compare_type" in attributes and "TOTALORDER" in text_of(attributes["compare_type"])


def _element(t: ir.Type) -> str:
    assert isinstance(t, ir.RankedTensorType)
    e = t.element_type
    return text_of(e.element_type if isinstance(e, ir.ComplexType) else e)


@dataclass
class Site:
    """An op's result that a span is wanted of."""

    spans: Spans
    op: ir.Operation
    value: ir.Value
    kind: str
    depth: int

    def __getitem__(self, k: int) -> Span:
        return self.spans.of(self.op.operands[k], self.depth)

    @property
    def element(self) -> str:
        return _element(self.value.type)

    def rounded(self, low: float, high: float, nan: bool) -> Span:
        """Of a result whose exact numbers lie between two."""
        return Span(low, high) if self.kind in ("int", "bool") else outwards(low, high, nan, self.element)

    def about(self, low: float, high: float, nan: bool) -> Span:
        return _about(low, high, nan, self.element)


Compute = Callable[[Site], Span | None]
_SPANS: dict[str, Compute] = {}


def _spans(*names: str) -> Callable[[Compute], Compute]:
    def add(compute: Compute) -> Compute:
        for name in names:
            _SPANS[name if "." in name else f"stablehlo.{name}"] = compute
        return compute

    return add


def _counter(value: ir.Value) -> Span | None:
    """The bounds of a loop's counter, in its body."""
    block = value.owner
    assert isinstance(block, ir.Block)
    loop = block.owner.operation
    if loop.name != "stablehlo.while" or block != loop.regions[1].blocks[0]:
        return None
    counter = count(loop)
    if counter is None or not counter.trips or block.arguments[counter.index] != value:
        return None
    ends = counter.start, counter.start + counter.step * (counter.trips - 1)
    return Span(min(ends), max(ends))


# -- constants and what only moves -------------------------------------------------------------------------------------


@_spans("constant")
def _constant(s: Site) -> Span | None:
    number = splat_of(s.value)
    if number is not None:
        if isinstance(number, complex):
            parts = number.real, number.imag
            return Span(min(parts), max(parts)) if all(p == p for p in parts) else ALL
        return (
            ALL
            if number != number
            else Span(float(number), float(number))
            if s.kind == "float"
            else Span(number, number)
        )
    x = array_of(s.value)
    if x is None or not x.size or s.kind == "complex":
        return None
    if s.kind != "float":
        return Span(int(x.min()), int(x.max()))
    nan = bool(np.isnan(x).any())
    x = x[~np.isnan(x)] if nan else x
    return Span(float(x.min(initial=INF)), float(x.max(initial=-INF)), nan)


@_spans("iota")
def _iota(s: Site) -> Span:
    n = max(0, s.value.type.shape[integer(s.op, "iota_dimension")] - 1)
    return s.rounded(0, n, False)


@_spans(
    "reshape", "transpose", "broadcast_in_dim", "slice", "reverse", "gather", "dynamic_slice", "all_gather",
    "collective_permute", "all_to_all",
)  # fmt: skip
def _moved(s: Site) -> Span:
    return s[0]


@_spans("sort", "optimization_barrier")
def _same_place(s: Site) -> Span:
    return s[ir.OpResult(s.value).result_number]


@_spans("concatenate")
def _joined(s: Site) -> Span:
    found = s[0]
    for k in range(1, len(s.op.operands)):
        if found == ALL:
            return found
        found = found.join(s[k])
    return found


@_spans("pad", "dynamic_update_slice")
def _mixed(s: Site) -> Span:
    return s[0].join(s[1])


@_spans("select")
def _selected(s: Site) -> Span:
    p, x, y = s.op.operands
    chosen = s.spans.of(p, s.depth)
    if chosen.low == 1 or chosen.high == 0:
        return s[1] if chosen.low == 1 else s[2]
    return s.spans.given(p, True, x, s.depth).join(s.spans.given(p, False, y, s.depth))


@_spans("stablehlo.if", "stablehlo.case")
def _branches(s: Site) -> Span | None:
    k = ir.OpResult(s.value).result_number
    found: Span | None = None
    for region in s.op.regions:
        last = list(region.blocks[0].operations)[-1].operation
        span = s.spans.of(last.operands[k], s.depth)
        found = span if found is None else found.join(span)
    return found


@_spans("complex")
def _complex(s: Site) -> Span:
    return s[0].join(s[1])


@_spans("real", "imag")
def _part(s: Site) -> Span:
    return s[0]


@_spans("convert")
def _converted(s: Site) -> Span | None:
    x, source = s[0], kind(s.op.operands[0].type)
    if s.kind == "complex":
        return outwards(*(x if source == "complex" else x.join(Span(0, 0))), s.element)
    if source == "complex":
        return None
    if s.kind == "float":
        return outwards(float(x.low), float(x.high), x.nan, s.element)
    if s.kind == "bool":
        return Span(1, 1) if x.low > 0 or x.high < 0 else Span(0, 0) if x.low == x.high == 0 and not x.nan else None
    if source == "float":
        return Span(math.trunc(x.low), math.trunc(x.high)) if x.is_finite else None
    return x


# -- arithmetic --------------------------------------------------------------------------------------------------------


def _interval(s: Site) -> Span | None:
    """What the bounds of integers are made of is known elsewhere."""
    known = {v: Interval(*map(int, s.spans.of(v, s.depth)[:2])) for v in s.op.operands}
    return Span(*interval(s.value, 1, known))


@_spans("add", "subtract")
def _sum(s: Site) -> Span | None:
    if s.kind in ("int", "bool"):
        return _interval(s) if s.kind == "int" else None
    a = s[0]
    if a == ALL:
        return a
    b = s[1]
    if s.op.name == "stablehlo.subtract":
        b = Span(-b.high, -b.low, b.nan)
    nan = a.nan or b.nan or (a.high == INF and b.low == -INF) or (a.low == -INF and b.high == INF)
    return s.rounded(_plus(a.low, b.low, -INF), _plus(a.high, b.high, INF), nan)


def _plus(a: float, b: float, towards: float) -> float:
    """The sum of two bounds, not less (or not more) than it is."""
    total = a + b
    if total != total:
        return towards
    return total if total - a == b and total - b == a else math.nextafter(total, towards)


@_spans("multiply")
def _product(s: Site) -> Span | None:
    if s.kind in ("int", "bool"):
        return _interval(s) if s.kind == "int" else None
    a = s[0]
    if s.op.operands[0] == s.op.operands[1] and s.kind == "float":
        least = 0.0 if a.holds(0) else min(abs(a.low), abs(a.high))
        return s.rounded(_times(least, least, -INF), _times(a.size, a.size, INF), a.nan)
    if a == ALL:
        return a
    b = s[1]
    nan = a.nan or b.nan or (a.may_be_infinite and b.holds(0)) or (b.may_be_infinite and a.holds(0))
    if s.kind == "complex":
        most = 2 * a.size * b.size
        return ALL if not most < INF else s.about(-most, most, nan)
    lows = [_times(x, y, -INF) for x in a[:2] for y in b[:2]]
    highs = [_times(x, y, INF) for x in a[:2] for y in b[:2]]
    return s.rounded(min(lows), max(highs), nan)


def _times(a: float, b: float, towards: float) -> float:
    if a == 0 or b == 0:
        return 0.0
    made = a * b
    exact = made in (INF, -INF) or (_is_short(a) and _is_short(b)) or abs(a) == 1 or abs(b) == 1
    return made if exact else math.nextafter(made, towards)


def _is_short(a: float) -> bool:
    """Whether a number has no more than 24 bits, so that the product of two such is exact."""
    return a in (INF, -INF) or (math.frexp(a)[0] * 2**24).is_integer()


@_spans("divide")
def _quotient(s: Site) -> Span | None:
    if s.kind == "bool":
        return None
    a, b = s[0], s[1]
    if s.kind == "int":
        if b.low <= 0:
            return None
        ends = [toward_zero(int(x), int(y)) for x in a[:2] for y in b[:2]]
        return Span(min(ends), max(ends))
    if s.kind != "float" or b.holds(0):  # by zeros of both signs
        return None
    nan = a.nan or b.nan or (a.may_be_infinite and b.may_be_infinite)
    quotients = [x / y if abs(y) < INF else 0.0 for x in a[:2] for y in b[:2]]
    return s.about(min(quotients), max(quotients), nan)


def toward_zero(a: int, b: int) -> int:
    """The quotient of two integers, rounded as machines do."""
    return abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)


@_spans("remainder")
def _remainder(s: Site) -> Span | None:
    a, b = s[0], s[1]
    if s.kind not in ("int", "float") or (b.holds(0) and s.kind == "int"):
        return None
    most: float = min(a.size, b.size - (1 if s.kind == "int" else 0))
    nan = a.nan or b.nan or a.may_be_infinite or b.holds(0)
    return s.rounded(0 if a.low >= 0 else -most, 0 if a.high <= 0 else most, nan)


@_spans("negate")
def _negated(s: Site) -> Span:
    a = s[0]
    return Span(-a.high, -a.low, a.nan)


@_spans("abs")
def _absolute(s: Site) -> Span:
    a = s[0]
    if kind(s.op.operands[0].type) == "complex":
        return outwards(0, 1.5 * a.size, a.nan, s.element)
    return Span(0 if a.holds(0) else min(abs(a.low), abs(a.high)), a.size, a.nan)


@_spans("sign")
def _sign(s: Site) -> Span | None:
    a = s[0]
    if s.kind == "complex":
        return None
    return Span(1 if a.low > 0 else 0 if a.low >= 0 else -1, -1 if a.high < 0 else 0 if a.high <= 0 else 1, a.nan)


@_spans("floor", "ceil", "round_nearest_even", "round_nearest_afz")
def _rounded(s: Site) -> Span:
    a = s[0]
    low, high = (f(bound) if abs(bound) < INF else bound for f, bound in ((math.floor, a.low), (math.ceil, a.high)))
    return Span(low, high, a.nan)


@_spans("maximum", "minimum")
def _extreme(s: Site) -> Span | None:
    a, b = s[0], s[1]
    if s.kind == "complex":
        return None
    pick = max if s.op.name == "stablehlo.maximum" else min
    return Span(pick(a.low, b.low), pick(a.high, b.high), a.nan or b.nan)


@_spans("clamp")
def _clamped(s: Site) -> Span:
    a, x, b = s[0], s[1], s[2]
    return Span(min(max(x.low, a.low), b.low), min(max(x.high, a.high), b.high), a.nan or x.nan or b.nan)


# -- functions ---------------------------------------------------------------------------------------------------------


def _ends(a: Span, function: Callable[[float], float]) -> tuple[float, float]:
    return tuple(_value(function, x) for x in a[:2])  # type: ignore[return-value]


def _value(function: Callable[[float], float], x: float) -> float:
    with np.errstate(all="ignore"):
        return float(function(np.float64(x)))  # type: ignore[arg-type]


def _rising(name: str, function: Callable[..., float], low: float, high: float, least: float = -INF) -> None:
    """A function that rises from `low` to `high`, for numbers from `least` on."""

    @_spans(name)
    def of_rising(s: Site) -> Span | None:
        a = s[0]
        if s.kind != "float":
            return None
        nan = a.nan or a.low < least
        ends = _ends(Span(max(a.low, least), max(a.high, least)), function)
        found = s.about(*ends, nan)
        return Span(max(found.low, low), min(found.high, high), nan)


_rising("exponential", np.exp, 0, INF)
_rising("exponential_minus_one", np.expm1, -1, INF)
_rising("log", np.log, -INF, INF, 0)
_rising("log_plus_one", np.log1p, -INF, INF, -1)
_rising("sqrt", np.sqrt, 0, INF, 0)
_rising("cbrt", np.cbrt, -INF, INF)
_rising("tanh", np.tanh, -1, 1)
_rising("logistic", lambda x: 1 / (1 + np.exp(-x)), 0, 1)


@_spans("rsqrt")
def _rsqrt(s: Site) -> Span | None:
    a = s[0]
    if s.kind != "float":
        return None
    low, high = (1 / math.sqrt(x) if 0 < x < INF else 0.0 if x == INF else INF for x in (a.high, a.low))
    return s.about(low if a.low >= 0 else -INF, high, a.nan or a.low < 0)  # (of -0, it is -inf)


@_spans("sine", "cosine")
def _wave(s: Site) -> Span | None:
    a = s[0]
    return Span(-1, 1, a.nan or a.may_be_infinite) if s.kind == "float" else None


@_spans("chlo.erf")
def _erf(s: Site) -> Span | None:
    return Span(0 if s[0].low >= 0 else -1, 0 if s[0].high <= 0 else 1, s[0].nan) if s.kind == "float" else None


@_spans("chlo.erfc")
def _erfc(s: Site) -> Span | None:
    return Span(0, 2, s[0].nan) if s.kind == "float" else None


@_spans("atan2")
def _angle(s: Site) -> Span | None:
    return s.about(-math.pi, math.pi, s[0].nan or s[1].nan) if s.kind == "float" else None


@_spans("power")
def _power(s: Site) -> Span | None:
    c = splat_of(s.op.operands[1])
    if s.kind != "float":
        return None
    a = s[0]
    whole = isinstance(c, float) and c.is_integer()
    if isinstance(c, float) and whole and c % 2 == 0 and c > 0:
        a = Span(0 if a.holds(0) else min(abs(a.low), abs(a.high)), a.size, a.nan)
    if a.low < 0:
        return None
    if not isinstance(c, float) or not abs(c) < 1e3 or c <= 0:
        return Span(0, INF, a.nan or s[1].nan)
    return s.about(*_ends(a, lambda x: np.power(x, c)), a.nan)


# -- bits --------------------------------------------------------------------------------------------------------------


@_spans("and")
def _and(s: Site) -> Span | None:
    a, b = s[0], s[1]
    if s.kind == "bool":
        return Span(min(a.low, b.low), min(a.high, b.high))
    tops = [x.high for x in (a, b) if x.low >= 0]
    return Span(0, min(tops)) if tops else None


@_spans("or", "xor")
def _or(s: Site) -> Span | None:
    a, b = s[0], s[1]
    if s.kind == "bool":
        return Span(max(a.low, b.low), max(a.high, b.high)) if s.op.name == "stablehlo.or" else None
    return Span(0, 2 ** int(max(a.high, b.high)).bit_length() - 1) if a.low >= 0 and b.low >= 0 else None


@_spans("not")
def _not(s: Site) -> Span | None:
    a = s[0]
    if s.kind == "bool":
        return Span(1 - a.high, 1 - a.low)
    return None if ir.IntegerType(s.value.type.element_type).is_unsigned else Span(-1 - a.high, -1 - a.low)


@_spans("shift_right_logical", "shift_right_arithmetic")
def _shifted(s: Site) -> Span | None:
    n, width = splat_of(s.op.operands[1]), ir.IntegerType(s.value.type.element_type).width
    if not isinstance(n, int) or not 0 <= n < width:
        return None
    a = s[0]
    if s.op.name == "stablehlo.shift_right_logical" and a.low < 0:
        return Span(0, 2 ** (width - n) - 1)
    return Span(int(a.low) >> n, int(a.high) >> n)


@_spans("popcnt", "count_leading_zeros")
def _counted(s: Site) -> Span:
    return Span(0, ir.IntegerType(s.value.type.element_type).width)


@_spans("is_finite")
def _is_finite(s: Site) -> Span | None:
    return Span(1, 1) if s[0].is_finite else None


@_spans("compare")
def _truth(s: Site) -> Span | None:
    known = decided(direction(s.op), s[0], s[1]) if not is_total(s.op) else None
    return None if known is None else Span(int(known), int(known))


def decided(to: str, a: Span, b: Span) -> bool | None:
    """What a comparison of numbers within two spans gives, if that is sure."""
    if to in ("GT", "GE"):
        to, a, b = SWAP[to], b, a
    number = not a.nan and not b.nan
    apart = a.high < b.low or b.high < a.low
    same = a.low == a.high == b.low == b.high
    match to:
        case "LT":
            return True if number and a.high < b.low else False if a.low >= b.high else None
        case "LE":
            return True if number and a.high <= b.low else False if a.low > b.high else None
        case "EQ":
            return True if number and same else False if apart else None
    return True if apart else False if number and same else None


# -- sums --------------------------------------------------------------------------------------------------------------


def _repeated(s: Site, a: Span, n: int) -> Span | None:
    """The span of a sum of n numbers."""
    nan = a.nan or (a.low == -INF and a.high == INF)
    if s.kind == "int":
        return Span(n * a.low, n * a.high)
    return s.about(n * a.low if n else 0, n * a.high if n else 0, nan) if s.kind in ("float", "complex") else None


@_spans("reduce", "reduce_window")
def _reduced(s: Site) -> Span | None:
    if len(s.op.operands) != 2:
        return None
    body = (single_op(s.op.regions[0]) or "").removeprefix("stablehlo.")
    a, start = s[0], s[1]
    if body in ("maximum", "minimum"):
        if s.op.name == "stablehlo.reduce_window":  # a window may have nothing but the start
            pick = max if body == "maximum" else min
            return Span(pick(a.low, start.low), pick(a.high, start.high), a.nan or start.nan).join(start)
        pick = max if body == "maximum" else min
        return Span(pick(a.low, start.low), pick(a.high, start.high), a.nan or start.nan)
    if body == "multiply" and s.kind == "float" and a.low >= 0 and start.low >= 0:
        return Span(0, INF, a.nan or start.nan or a.high == INF)
    if body != "add":
        return None
    if s.op.name == "stablehlo.reduce":
        shape = s.op.operands[0].type.shape
        n = math.prod(shape[d] for d in ints(s.op, "dimensions"))
    else:
        n = math.prod(ints(s.op, "window_dimensions"))
        a = a.join(Span(0, 0))
    terms = _repeated(s, a, n)
    if terms is None:
        return None
    nan = terms.nan or start.nan or (terms.may_be_infinite and start.may_be_infinite)
    return s.rounded(_plus(terms.low, start.low, -INF), _plus(terms.high, start.high, INF), nan)


@_spans("dot_general")
def _dot(s: Site) -> Span | None:
    if s.kind != "float":
        return None
    dims = Dims.of(s.op)
    x, y = s.op.operands
    if x == y and dims.is_square(x.type.rank):
        return Span(0, INF, s[0].nan)
    a = s[0]
    if a == ALL:
        return a
    b = s[1]
    n = math.prod(x.type.shape[d] for d in dims.contract[0])
    nan = a.nan or b.nan or (a.may_be_infinite and b.holds(0)) or (b.may_be_infinite and a.holds(0))
    ends = [0.0 if 0 in (p, q) else p * q for p in a[:2] for q in b[:2]]
    return _repeated(s, Span(min(ends), max(ends), nan), n)


@_spans("scatter")
def _scattered(s: Site) -> Span | None:
    if len(s.op.operands) != 3:
        return None
    body, a, u = single_op(s.op.regions[0]), s[0], s[2]
    if body == "stablehlo.add" and s.kind == "float" and a.low >= 0 and u.low >= 0:
        return Span(0, INF, a.nan or u.nan)
    if body in ("stablehlo.maximum", "stablehlo.minimum"):
        return a.join(u)
    block = s.op.regions[0].blocks[0]
    last = block.operations[len(block.operations) - 1].operation
    return a.join(u) if last.operands[0] == block.arguments[1] else None


# -- whole numbers -----------------------------------------------------------------------------------------------------

_WHOLE = frozenset(
    f"stablehlo.{n}" for n in ("iota", "floor", "ceil", "round_nearest_even", "round_nearest_afz", "sign")
)
_STAY_WHOLE = frozenset(
    f"stablehlo.{n}"
    for n in (
        "add", "subtract", "multiply", "negate", "abs", "maximum", "minimum", "reshape", "transpose", "slice",
        "broadcast_in_dim", "reverse", "concatenate",
    )
)  # fmt: skip


def is_whole(value: ir.Value, depth: int = 6) -> bool:
    """Whether every element is a whole number, or infinite, or not a number."""
    if kind(value.type) in ("int", "bool"):
        return True
    op = maker(value)
    if op is None or depth == 0 or kind(value.type) != "float":
        return False
    if op.name in _WHOLE:
        return True
    if op.name == "stablehlo.constant":
        number = splat_of(value)
        return isinstance(number, float) and number.is_integer()
    if op.name == "stablehlo.convert":
        return is_whole(op.operands[0], depth - 1)
    operands: Sequence[ir.Value] = op.operands if op.name in _STAY_WHOLE else []
    if op.name == "stablehlo.select":
        operands = list(op.operands)[1:]
    return bool(len(operands)) and all(is_whole(v, depth - 1) for v in operands)
