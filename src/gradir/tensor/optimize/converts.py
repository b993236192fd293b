"""Changes of the element type, and iotas."""

from __future__ import annotations

import math

import numpy as np
from jaxlib.mlir import ir

from gradir.tensor.analysis.spans import is_total
from gradir.tensor.ir import expr as E
from gradir.tensor.ir.expr import Expr
from gradir.tensor.ir.reading import direction, dtype, integer, ints, kind, made_by, maker, single_use, splat_of
from gradir.tensor.optimize.driver import Driver
from gradir.tensor.optimize.effects import KINKS
from gradir.tensor.optimize.rule import Family, again
from gradir.tensor.optimize.shapes import keeps_type, unit_map

converts = Family("converts", "changes of the element type")
iotas = Family("iotas", "iota and index arithmetic")

# -- convert -----------------------------------------------------------------------------------------------------------


@converts.rule("convert(x)", when=keeps_type)
def convert_nothing(x: Expr) -> Expr:
    """A conversion to the same type goes."""
    return x


_FORMATS = {
    "f64": (53, -1074, 1024), "f32": (24, -149, 128), "bf16": (8, -133, 128), "f16": (11, -24, 16),
    "f8E5M2": (3, -16, 16), "f8E4M3FN": (4, -9, 9), "f8E4M3": (4, -9, 8), "f8E3M4": (5, -6, 4),
    "f8E4M3B11FNUZ": (4, -13, 5), "f8E4M3FNUZ": (4, -10, 8), "f8E5M2FNUZ": (3, -17, 16),
}  # fmt: skip
"""Floats: the bits of their fractions, the exponent of the least number, and of what is just too large."""


def _width(t: ir.Type) -> int:
    """Bits of a number that matter: of a float's fraction, of an integer."""
    return _FORMATS[str(t)][0] if str(t) in _FORMATS else getattr(t, "width", 0)


def holds(source: ir.Type, target: ir.Type) -> bool:
    """Whether the target has every number of the source."""
    if source == target:
        return True
    if isinstance(source, ir.ComplexType) or isinstance(target, ir.ComplexType):
        return isinstance(target, ir.ComplexType) and holds(E.real_type(source), target.element_type)
    if isinstance(source, ir.FloatType) and isinstance(target, ir.FloatType):
        s, t = _FORMATS.get(str(source)), _FORMATS.get(str(target))
        # (What has no infinity, or no zero of both signs, is a target for nothing.)
        return s is not None and t is not None and t[0] >= 8 and s[0] <= t[0] and s[1] >= t[1] and s[2] <= t[2]
    if isinstance(source, ir.IntegerType) and isinstance(target, ir.FloatType):
        bits = source.width + (0 if source.is_unsigned or source.width == 1 else -1)
        return bits <= _width(target) and bits < _FORMATS.get(str(target), (0, 0, 0))[2]
    if isinstance(source, ir.IntegerType) and isinstance(target, ir.IntegerType):
        if source.width == 1:
            return target.width > 1
        if source.is_unsigned:
            return target.width > source.width or (target.is_unsigned and target.width >= source.width)
        return not target.is_unsigned and target.width >= source.width
    return False


def has(t: ir.Type, *numbers: float) -> bool:
    """Whether a type has some numbers."""
    of = dtype(t)
    if of is None:
        return False
    if isinstance(t, ir.IntegerType):
        return all(n == math.floor(n) and np.iinfo(of).min <= n <= np.iinfo(of).max for n in numbers)
    with np.errstate(all="ignore"):
        return all(math.isfinite(n) and float(of(n)) == n for n in numbers)


def _truncates(source: ir.Type, target: ir.Type) -> bool:
    """Whether a conversion keeps the last bits of an integer, and no more."""
    return (
        isinstance(source, ir.IntegerType) and isinstance(target, ir.IntegerType) and 1 < target.width <= source.width
    )


@converts.rule("convert(inner := convert(x))", "any")
def convert_convert(op: ir.Operation, inner: ir.Operation, x: Expr) -> Expr | None:
    """convert(convert(x)) -> convert(x) where the type between has every number of x, or both cut off bits."""
    middle, target = inner.results[0].type.element_type, op.results[0].type.element_type
    if _truncates(x.dtype, middle) and _truncates(middle, target):
        return E.convert(x, target)
    if E.is_complex(x.dtype) != E.is_complex(target) or not holds(x.dtype, middle):
        return None
    to_int = kind(inner.results[0].type) == "float" and kind(op.results[0].type) == "int"
    if to_int and not holds(x.dtype, target):
        return None  # what becomes of numbers that don't fit differs
    return E.convert(x, target)


@converts.rule("compare(convert(x), convert(y))", "bool")
def compare_of_converts(op: ir.Operation, x: Expr, y: Expr) -> Expr | None:
    """compare(convert(x), convert(y)) -> compare(x, y) where no number is lost."""
    wide = op.operands[0].type.element_type
    if x.dtype != y.dtype or not holds(x.dtype, wide) or E.is_complex(x.dtype):
        return None
    if "compare_type" in op.attributes and kind(x.type) != kind(op.operands[0].type):
        return None
    rest = {k: v for k, v in op.attributes.items() if k != "compare_type"}
    return E.op("stablehlo.compare", x, y, **rest)


@converts.rule("compare(convert(x), y)", "bool", when=lambda op: splat_of(op.operands[1]) is not None)
def compare_convert_const(op: ir.Operation, x: Expr, y: Expr) -> Expr | None:
    """compare(convert(x), c) -> compare(x, c) where no number is lost, and x's type has c, or the next whole number."""
    wide, number, to = op.operands[0].type.element_type, splat_of(y.value), direction(op)
    if kind(x.type) not in ("int", "float") or not holds(x.dtype, wide) or is_total(op) or isinstance(number, complex):
        return None
    if number is None or not math.isfinite(number):
        return None
    if kind(x.type) == "int" and not float(number).is_integer():
        if to in ("EQ", "NE"):
            return E.full(op.results[0].type, to == "NE")
        number, to = (math.floor(number), "LE") if to in ("LT", "LE") else (math.ceil(number), "GE")
    return E.compare(to, x, E.full_like(x, number)) if has(x.dtype, number) else None


def _narrowed(v: ir.Value, t: ir.Type) -> Expr | None:
    """A value as one of a narrower type, if it was that before, or is a constant that the type has."""
    inner, number = made_by(v, "convert"), splat_of(v)
    if inner is not None and inner.operands[0].type.element_type == t and holds(t, v.type.element_type):
        return Expr(inner.operands[0])
    if number is None or isinstance(number, complex) or not has(t, number):
        return None
    return E.full(E.tensor(v.type.shape, t), number)


def _extreme(name: str) -> None:
    def narrow(op: ir.Operation, x: Expr, y: Expr) -> Expr | None:
        wide = op.results[0].type.element_type
        if not holds(x.dtype, wide) or kind(x.type) == "bool":
            return None
        other = _narrowed(y.value, x.dtype)
        return None if other is None else E.convert(E.op(f"stablehlo.{name}", x, other), wide)

    narrow.__doc__ = f"{name}(convert(x), convert(y)) -> convert({name}(x, y)) where no number is lost; also constants."
    converts.rule(f"{name}(convert(x), y)", "real", name=f"{name}_of_converts")(narrow)


_extreme("maximum")
_extreme("minimum")

_EXACT = frozenset(f"stablehlo.{n}" for n in ("negate", "abs", "clamp", "select"))
_WRAPPING = frozenset(f"stablehlo.{n}" for n in ("add", "subtract", "multiply", "negate", "and", "or", "xor", "not"))


@converts.rule("convert(x)", "real")
def convert_around(op: ir.Operation, x: Expr) -> Expr | None:
    """convert(f(convert(x), …)) -> f(x, …) where f loses nothing: signs, bounds, and integers that go round."""
    f, t = maker(x.value), op.results[0].type.element_type
    if f is None or not single_use(x.value):
        return None
    exact = f.name in _EXACT and (kind(op.results[0].type) == "float") == (kind(x.type) == "float")
    if not exact and not (f.name in _WRAPPING and _truncates(x.dtype, t)):
        return None
    if exact and not holds(t, x.dtype):
        return None
    if str(t)[0] == "u" and f.name in ("stablehlo.negate", "stablehlo.abs") and exact:
        return None
    first = 1 if f.name == "stablehlo.select" else 0
    if all(made_by(v, "convert") is None for v in list(f.operands)[first:]):
        return None
    operands = [Expr(v) if k < first else _narrowed(v, t) for k, v in enumerate(f.operands)]
    if None in operands:
        return None
    return E.op(f.name, *operands, result=op.results[0].type, **dict(f.attributes.items()))  # type: ignore[arg-type]


@converts.rule("convert(where(p, x, y))", phase="down")
def convert_of_select(op: ir.Operation, p: Expr, x: Expr, y: Expr) -> Expr | None:
    """convert(select(p, x, y)) -> select(p, convert(x), convert(y)) where one of them is converted back."""
    to = op.results[0].type.element_type
    for v in (x, y):
        c = made_by(v, "convert")
        if c is not None and c.operands[0].type.element_type == to and holds(to, v.dtype):
            return E.select(p, E.convert(x, to), E.convert(y, to))
    return None


@converts.rule("convert(p) * convert(q)", "real")
def product_of_masks(op: ir.Operation, p: Expr, q: Expr) -> Expr | None:
    """convert(p) * convert(q) -> convert(p and q) for truth values."""
    return E.convert(p & q, op.results[0].type.element_type) if kind(p.type) == kind(q.type) == "bool" else None


@converts.rule("convert(b := broadcast(x))")
def convert_of_broadcast(op: ir.Operation, b: ir.Operation, x: Expr, driver: Driver) -> Expr | None:
    """convert(broadcast(x)) -> broadcast(convert(x)): compute before repeating."""
    t = op.results[0].type
    if E.size(x.shape) >= E.size(t.shape) or kind(t) == "" or driver.is_added_up_after(op):
        return None
    return E.broadcast(again(op, [x]), t.shape, ints(b, "broadcast_dimensions"))


@converts.rule("bitcast_convert(x)", when=keeps_type)
def bitcast_nothing(x: Expr) -> Expr:
    """Bits read as what they are."""
    return x


@converts.rule("bitcast_convert(bitcast_convert(x))")
def bitcast_bitcast(op: ir.Operation, x: Expr) -> Expr | None:
    """Bits read twice are read once."""
    if x.type != op.results[0].type:
        return E.op("stablehlo.bitcast_convert", x, result=op.results[0].type)
    return None if E.is_differentiable(x.type) else x


@converts.rule("bitcast_convert(bitcast_convert(x))", effects=KINKS)
def bitcast_back(op: ir.Operation, x: Expr) -> Expr | None:
    """Bits read as something else and back are what they were. (By convention that has no derivative.)"""
    return x if x.type == op.results[0].type else None


# -- iota --------------------------------------------------------------------------------------------------------------


@iotas.rule("iota()", "number", when=lambda op: op.results[0].type.shape[integer(op, "iota_dimension")] == 1)
def iota_of_one(op: ir.Operation) -> Expr:
    """An iota along a dimension of size 1 is 0."""
    return E.full(op.results[0].type, 0)


@iotas.rule("broadcast(i := iota())", "number")
def broadcast_of_iota(op: ir.Operation, i: ir.Operation) -> Expr | None:
    """broadcast(iota) -> iota."""
    along, t = integer(i, "iota_dimension"), op.results[0].type
    to = ints(op, "broadcast_dimensions")[along]
    return E.iota(t.shape, to, t.element_type) if t.shape[to] == i.results[0].type.shape[along] else None


@iotas.rule("transpose(i := iota())", "number")
def transpose_of_iota(op: ir.Operation, i: ir.Operation) -> Expr:
    """transpose(iota) -> iota."""
    t = op.results[0].type
    return E.iota(t.shape, ints(op, "permutation").index(integer(i, "iota_dimension")), t.element_type)


@iotas.rule("reshape(i := iota())", "number")
def reshape_of_iota(op: ir.Operation, i: ir.Operation) -> Expr | None:
    """reshape(iota) -> iota where only dimensions of size 1 come and go."""
    t, along = op.results[0].type, integer(i, "iota_dimension")
    places = unit_map(i.results[0].type.shape, t.shape)
    if places is None or places[along] < 0:
        return None
    return E.iota(t.shape, places[along], t.element_type)


@iotas.rule("convert(i := iota())", "number")
def convert_of_iota(op: ir.Operation, i: ir.Operation) -> Expr | None:
    """convert(iota) -> iota of the other type, where both have the numbers."""
    t, n = op.results[0].type, i.results[0].type.shape[integer(i, "iota_dimension")]
    small = all(_width(e) >= 24 or n <= 2 ** (_width(e) - 1) for e in (t.element_type, i.results[0].type.element_type))
    if kind(t) == "complex" or not small or n > 2**24:
        return None
    return E.iota(t.shape, integer(i, "iota_dimension"), t.element_type)


def _has_whole(t: ir.RankedTensorType, n: int) -> bool:
    """Whether the elements of a type count to n one by one: bf16 has 256 and 258, but not 257. (Integers go round.)"""
    return kind(t) == "int" or n <= 2 ** _FORMATS.get(str(t.element_type), (0, 0, 0))[0]


@iotas.rule("slice(i := iota())", "real")
def slice_of_iota(op: ir.Operation, i: ir.Operation) -> Expr | None:
    """slice(iota) -> iota * stride + start, where the type has the numbers."""
    t, along = op.results[0].type, integer(i, "iota_dimension")
    if not _has_whole(t, i.results[0].type.shape[along]):
        return None
    start, stride = ints(op, "start_indices")[along], ints(op, "strides")[along]
    out = E.iota(t.shape, along, t.element_type)
    out = out if stride == 1 else out * stride
    return out if start == 0 else out + start


@iotas.rule("reverse(i := iota())", "real")
def reverse_of_iota(op: ir.Operation, i: ir.Operation) -> Expr | None:
    """reverse(iota) -> n - 1 - iota, where the type has the numbers."""
    t, along = op.results[0].type, integer(i, "iota_dimension")
    if not _has_whole(t, t.shape[along]):
        return None
    plain = E.iota(t.shape, along, t.element_type)
    return (t.shape[along] - 1) - plain if along in ints(op, "dimensions") else plain


@iotas.rule("x % C", "int")
def remainder_known(x: Expr, C: int, driver: Driver) -> Expr | None:
    """x % n -> x for 0 <= x < n."""
    low, high = driver.facts.bounds(x)
    return x if low >= 0 and high < C else None


@iotas.rule("x / C", "int")
def divide_known(op: ir.Operation, x: Expr, C: int, driver: Driver) -> Expr | None:
    """x / n -> 0 for 0 <= x < n."""
    low, high = driver.facts.bounds(x)
    return E.full(op.results[0].type, 0) if low >= 0 and high < C else None
