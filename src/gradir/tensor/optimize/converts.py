"""Changes of the element type, and iotas."""

from __future__ import annotations

from jaxlib.mlir import ir

from gradir.tensor import expr as E
from gradir.tensor.expr import Expr
from gradir.tensor.optimize.driver import Driver
from gradir.tensor.optimize.reading import integer, ints, kind, made_by
from gradir.tensor.optimize.rule import Family, again
from gradir.tensor.optimize.shapes import keeps_type, unit_map

converts = Family("converts", "changes of the element type")
iotas = Family("iotas", "iota and index arithmetic")

# -- convert -----------------------------------------------------------------------------------------------------------


@converts.rule("convert(x)", when=keeps_type)
def convert_nothing(x: Expr) -> Expr:
    """A conversion to the same type goes."""
    return x


def _width(t: ir.Type) -> int:
    """Bits of a number that matter: of a float's fraction, of an integer."""
    return {"f64": 53, "f32": 24, "f16": 11, "bf16": 8}.get(str(t), getattr(t, "width", 0))


def _holds(source: ir.Type, target: ir.Type) -> bool:
    """Whether the target has every number of the source."""
    if source == target:
        return True
    if isinstance(source, ir.FloatType) and isinstance(target, ir.FloatType):
        order = ["bf16", "f32", "f64"], ["f16", "f32", "f64"]
        s, t = str(source), str(target)
        return any(s in o and t in o and o.index(s) <= o.index(t) for o in order)
    if isinstance(source, ir.IntegerType) and isinstance(target, ir.FloatType):
        return source.width + (0 if source.is_unsigned or source.width == 1 else -1) <= _width(target)
    if isinstance(source, ir.IntegerType) and isinstance(target, ir.IntegerType):
        if source.width == 1:
            return target.width > 1
        if source.is_unsigned:
            return target.width > source.width or (target.is_unsigned and target.width >= source.width)
        return not target.is_unsigned and target.width >= source.width
    return False


@converts.rule("convert(inner := convert(x))", "any")
def convert_convert(op: ir.Operation, inner: ir.Operation, x: Expr) -> Expr | None:
    """convert(convert(x)) -> convert(x) where the type between has every number of x."""
    middle, target = inner.results[0].type.element_type, op.results[0].type.element_type
    if E.is_complex(x.dtype) or E.is_complex(middle) or E.is_complex(target) or not _holds(x.dtype, middle):
        return None
    if kind(op.results[0].type) == "bool" or (
        kind(inner.results[0].type) == "float" and kind(op.results[0].type) == "int"
    ):
        return None
    return E.convert(x, target)


@converts.rule("compare(convert(x), convert(y))", "bool")
def compare_of_converts(op: ir.Operation, x: Expr, y: Expr) -> Expr | None:
    """compare(convert(x), convert(y)) -> compare(x, y) where no number is lost."""
    wide = op.operands[0].type.element_type
    if x.dtype != y.dtype or not _holds(x.dtype, wide) or E.is_complex(x.dtype):
        return None
    if "compare_type" in op.attributes and kind(x.type) != kind(op.operands[0].type):
        return None
    rest = {k: v for k, v in op.attributes.items() if k != "compare_type"}
    return E.op("stablehlo.compare", x, y, **rest)


def _extreme(name: str) -> None:
    def narrow(op: ir.Operation, x: Expr, y: Expr) -> Expr | None:
        if x.dtype != y.dtype or not _holds(x.dtype, op.results[0].type.element_type) or kind(x.type) == "bool":
            return None
        return E.convert(E.op(f"stablehlo.{name}", x, y), op.results[0].type.element_type)

    narrow.__doc__ = f"{name}(convert(x), convert(y)) -> convert({name}(x, y)) where no number is lost."
    converts.rule(f"{name}(convert(x), convert(y))", "real", name=f"{name}_of_converts")(narrow)


_extreme("maximum")
_extreme("minimum")


@converts.rule("convert(where(p, x, y))", phase="down")
def convert_of_select(op: ir.Operation, p: Expr, x: Expr, y: Expr) -> Expr | None:
    """convert(select(p, x, y)) -> select(p, convert(x), convert(y)) where one of them is converted back."""
    to = op.results[0].type.element_type
    for v in (x, y):
        c = made_by(v, "convert")
        if c is not None and c.operands[0].type.element_type == to and _holds(to, v.dtype):
            return E.select(p, E.convert(x, to), E.convert(y, to))
    return None


@converts.rule("convert(p) * convert(q)", "real")
def product_of_masks(op: ir.Operation, p: Expr, q: Expr) -> Expr | None:
    """convert(p) * convert(q) -> convert(p and q) for truth values."""
    return E.convert(p & q, op.results[0].type.element_type) if kind(p.type) == kind(q.type) == "bool" else None


@converts.rule("convert(b := broadcast(x))")
def convert_of_broadcast(op: ir.Operation, b: ir.Operation, x: Expr) -> Expr | None:
    """convert(broadcast(x)) -> broadcast(convert(x)): compute before repeating."""
    t = op.results[0].type
    if E.size(x.shape) >= E.size(t.shape) or kind(t) == "":
        return None
    return E.broadcast(again(op, [x]), t.shape, ints(b, "broadcast_dimensions"))


@converts.rule("bitcast_convert(x)", when=keeps_type)
def bitcast_nothing(x: Expr) -> Expr:
    """Bits read as what they are."""
    return x


@converts.rule("bitcast_convert(bitcast_convert(x))")
def bitcast_bitcast(op: ir.Operation, x: Expr) -> Expr:
    """Bits read twice are read once."""
    return x if x.type == op.results[0].type else E.op("stablehlo.bitcast_convert", x, result=op.results[0].type)


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


@iotas.rule("slice(i := iota())", "real")
def slice_of_iota(op: ir.Operation, i: ir.Operation) -> Expr:
    """slice(iota) -> iota * stride + start."""
    t, along = op.results[0].type, integer(i, "iota_dimension")
    start, stride = ints(op, "start_indices")[along], ints(op, "strides")[along]
    out = E.iota(t.shape, along, t.element_type)
    out = out if stride == 1 else out * stride
    return out if start == 0 else out + start


@iotas.rule("reverse(i := iota())", "real")
def reverse_of_iota(op: ir.Operation, i: ir.Operation) -> Expr | None:
    """reverse(iota) -> n - 1 - iota."""
    t, along = op.results[0].type, integer(i, "iota_dimension")
    plain = E.iota(t.shape, along, t.element_type)
    return (t.shape[along] - 1) - plain if along in ints(op, "dimensions") else plain


@iotas.rule("x % c", "int")
def remainder_known(x: Expr, c: int, driver: Driver) -> Expr | None:
    """x % n -> x for 0 <= x < n."""
    low, high = driver.facts.bounds(x)
    return x if low >= 0 and high < c else None


@iotas.rule("x / c", "int")
def divide_known(op: ir.Operation, x: Expr, c: int, driver: Driver) -> Expr | None:
    """x / n -> 0 for 0 <= x < n."""
    low, high = driver.facts.bounds(x)
    return E.full(op.results[0].type, 0) if low >= 0 and high < c else None
