"""Values with operators, so that a rule reads like its formula.

An `Expr` wraps one SSA value of the program that is being built. Operators and the functions of this module emit
StableHLO ops at MLIR's ambient insertion point and location; result shapes are inferred by the dialect itself.
Python numbers become splat constants of the other operand's type.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from jaxlib.mlir import ir
from jaxlib.mlir.dialects import stablehlo as hlo

from gradir.errors import NoRule
from gradir.tensor.ir.context import remembered
from gradir.tensor.ir.module import location_text

Scalar = int | float | complex | bool


class Expr:
    """An SSA value of tensor type."""

    __slots__ = ("value",)

    def __init__(self, value: ir.Value) -> None:
        self.value = value

    @property
    def type(self) -> ir.RankedTensorType:
        return self.value.type  # pyright: ignore[reportReturnType]

    @property
    def shape(self) -> list[int]:
        return self.type.shape

    @property
    def rank(self) -> int:
        return self.type.rank

    @property
    def dtype(self) -> ir.Type:
        return self.type.element_type

    def __add__(self, o: Expr | Scalar) -> Expr:
        return op("stablehlo.add", self, lift(o, self))

    def __radd__(self, o: Scalar) -> Expr:
        return op("stablehlo.add", lift(o, self), self)

    def __sub__(self, o: Expr | Scalar) -> Expr:
        return op("stablehlo.subtract", self, lift(o, self))

    def __rsub__(self, o: Scalar) -> Expr:
        return op("stablehlo.subtract", lift(o, self), self)

    def __mul__(self, o: Expr | Scalar) -> Expr:
        return op("stablehlo.multiply", self, lift(o, self))

    def __rmul__(self, o: Scalar) -> Expr:
        return op("stablehlo.multiply", lift(o, self), self)

    def __truediv__(self, o: Expr | Scalar) -> Expr:
        return op("stablehlo.divide", self, lift(o, self))

    def __rtruediv__(self, o: Scalar) -> Expr:
        return op("stablehlo.divide", lift(o, self), self)

    def __neg__(self) -> Expr:
        return op("stablehlo.negate", self)

    def __and__(self, o: Expr) -> Expr:
        return op("stablehlo.and", self, o)

    def __or__(self, o: Expr) -> Expr:
        return op("stablehlo.or", self, o)

    def __invert__(self) -> Expr:
        return op("stablehlo.not", self)

    def __lt__(self, o: Expr | Scalar) -> Expr:
        return compare("LT", self, o)

    def __le__(self, o: Expr | Scalar) -> Expr:
        return compare("LE", self, o)

    def __gt__(self, o: Expr | Scalar) -> Expr:
        return compare("GT", self, o)

    def __ge__(self, o: Expr | Scalar) -> Expr:
        return compare("GE", self, o)

    def eq(self, o: Expr | Scalar) -> Expr:
        return compare("EQ", self, o)

    def ne(self, o: Expr | Scalar) -> Expr:
        return compare("NE", self, o)


# -- emitting ops ------------------------------------------------------------------------------------------------------


def op(name: str, *operands: Expr, result: ir.Type | None = None, **attributes: ir.Attribute) -> Expr:
    """Emit an op with one result; its type is inferred unless `result` is given."""
    created = ir.Operation.create(
        name,
        results=None if result is None else [result],
        operands=[o.value for o in operands],
        attributes=attributes or None,
        infer_type=result is None,
    )
    return Expr(created.results[0])


def ops(
    name: str,
    operands: Sequence[Expr],
    results: Sequence[ir.Type],
    attributes: dict[str, ir.Attribute] | None = None,
    regions: int = 0,
) -> ir.Operation:
    """Emit an op with any number of results and (still empty) regions."""
    return ir.Operation.create(
        name,
        results=list(results),
        operands=[o.value for o in operands],
        attributes=attributes,
        regions=regions,
    )


def exprs(values: Sequence[ir.Value]) -> list[Expr]:
    return [Expr(v) for v in values]


def fill(region: ir.Region, types: Sequence[ir.Type], body: Callable[..., Sequence[Expr]]) -> ir.Block:
    """Give `region` one block: arguments of `types`, what `body` emits, and a `stablehlo.return` of what it gives."""
    here = ir.Location.current
    block = ir.Block.create_at_start(region, list(types), [here] * len(types))
    with ir.InsertionPoint(block):
        returned = body(*exprs(block.arguments))
        ir.Operation.create("stablehlo.return", operands=[r.value for r in returned])
    return block


def loop(
    inits: Sequence[Expr],
    goes_on: Callable[..., Expr],
    body: Callable[..., Sequence[Expr]],
    attributes: dict[str, ir.Attribute] | None = None,
) -> list[Expr]:
    """A `stablehlo.while`: both functions are given the values that it carries, and the body gives the next ones."""
    types = [x.type for x in inits]
    made = ops("stablehlo.while", inits, types, attributes, regions=2)
    fill(made.regions[0], types, lambda *now: [goes_on(*now)])
    fill(made.regions[1], types, body)
    return exprs(made.results)


# -- attributes and types ----------------------------------------------------------------------------------------------


def i64s(values: Sequence[int]) -> ir.DenseI64ArrayAttr:
    return ir.DenseI64ArrayAttr.get(list(values))


def bools(values: Sequence[bool]) -> ir.DenseBoolArrayAttr:
    return ir.DenseBoolArrayAttr.get(list(values))


def i64(value: int) -> ir.IntegerAttr:
    return ir.IntegerAttr.get(ir.IntegerType.get_signless(64), value)


def tensor(shape: Sequence[int], dtype: ir.Type, encoding: ir.Attribute | None = None) -> ir.RankedTensorType:
    return ir.RankedTensorType.get(list(shape), dtype, encoding)


def is_complex(dtype: ir.Type) -> bool:
    return isinstance(dtype, ir.ComplexType)


def is_float(dtype: ir.Type) -> bool:
    return isinstance(dtype, ir.FloatType)


def real_type(dtype: ir.Type) -> ir.Type:
    """The type of the real part: `f32` for `complex<f32>`, and for `f32` itself."""
    return dtype.element_type if isinstance(dtype, ir.ComplexType) else dtype


def is_differentiable(t: ir.Type) -> bool:
    """Whether values of this type can carry a derivative: tensors of real or complex floats."""
    return isinstance(t, ir.RankedTensorType) and isinstance(t.element_type, (ir.FloatType, ir.ComplexType))


def size(shape: Sequence[int]) -> int:
    return math.prod(shape)


# -- constants ---------------------------------------------------------------------------------------------------------

_splats: dict[tuple[ir.Type, Scalar, str], ir.Attribute] = remembered()


def splat(t: ir.RankedTensorType, value: Scalar) -> ir.Attribute:
    """The attribute that fills a tensor of static type `t` with one number."""
    key = (t, value, f"{type(value).__name__}{value!r}")  # 0, 0.0, -0.0 and False are equal but not the same
    attr = _splats.get(key)
    if attr is None:
        attr = _splats[key] = _splat(t, value)
    return attr


def _splat(t: ir.RankedTensorType, value: Scalar) -> ir.Attribute:
    e = t.element_type
    if isinstance(e, ir.ComplexType):
        # From a NumPy array, since the bindings have no Python class for what a parser or an attribute list gives here.
        half = e.element_type
        return ir.DenseElementsAttr.get(np.array([value], "c8" if isinstance(half, ir.F32Type) else "c16"), type=t)
    assert not isinstance(value, complex), "a complex constant needs a complex type"
    if isinstance(e, ir.IntegerType):
        bits = int(value)  # the bindings take 64 bits as a signed number
        return ir.DenseElementsAttr.get_splat(t, ir.IntegerAttr.get(e, bits - (1 << 64) if bits >> 63 == 1 else bits))
    return ir.DenseElementsAttr.get_splat(t, ir.FloatAttr.get(e, float(value)))  # type: ignore[arg-type]


def constant(attr: ir.Attribute) -> Expr:
    return op("stablehlo.constant", value=attr)


def full(t: ir.RankedTensorType, value: Scalar) -> Expr:
    """A tensor of static type `t` filled with one number."""
    if not t.has_static_shape:
        raise NoRule(
            f"an array of type {t} can't be made here: its shape is known at run time only",
            location=location_text(ir.Location.current),
            hint="give the program static shapes before it is differentiated",
        )
    return constant(splat(t, value))


def array(values: Any, dtype: ir.Type) -> Expr:
    """A constant tensor of integers, booleans or 16- to 64-bit IEEE floats from a NumPy array or list."""
    assert isinstance(dtype, (ir.IntegerType, ir.FloatType)), dtype
    kind = "f" if isinstance(dtype, ir.FloatType) else "u" if dtype.is_unsigned else "i"
    data = np.ascontiguousarray(values, dtype=bool if dtype.width == 1 else f"{kind}{dtype.width // 8}")
    return constant(ir.DenseElementsAttr.get(data, type=tensor(data.shape, dtype)))


def full_like(x: Expr, value: Scalar) -> Expr:
    """A tensor like `x` filled with one number; also where dimensions of `x` are known at run time only."""
    t = x.type
    return full(t, value) if t.has_static_shape else broadcast_like(full(tensor([], t.element_type), value), x, [])


def zeros_like(x: Expr) -> Expr:
    return full_like(x, 0)


def lift(x: Expr | Scalar, like: Expr) -> Expr:
    return x if isinstance(x, Expr) else full_like(like, x)


def shape_of(x: Expr) -> Expr:
    """The shape of `x` as a one-dimensional i32 tensor, constant where it is static."""
    i32 = ir.IntegerType.get_signless(32)
    if x.type.has_static_shape:
        return array(np.array(x.shape, np.int32), i32)
    sizes = [reshape(op("stablehlo.get_dimension_size", x, dimension=i64(d)), [1]) for d in range(x.rank)]
    return concatenate(sizes, 0)


# -- elementwise -------------------------------------------------------------------------------------------------------


def compare(direction: str, x: Expr, y: Expr | Scalar) -> Expr:
    return op("stablehlo.compare", x, lift(y, x), comparison_direction=_direction(direction))


_directions: dict[tuple[ir.Context, str], ir.Attribute] = remembered()


def _direction(name: str) -> ir.Attribute:
    here = ir.Context.current
    attr = _directions.get((here, name))
    if attr is None:
        attr = _directions[here, name] = hlo.ComparisonDirectionAttr.get(name)
    return attr


def select(pred: Expr, on_true: Expr | Scalar, on_false: Expr | Scalar) -> Expr:
    if isinstance(on_true, Expr):
        return op("stablehlo.select", pred, on_true, lift(on_false, on_true))
    assert isinstance(on_false, Expr), "one side of a select must be a tensor"
    return op("stablehlo.select", pred, full_like(on_false, on_true), on_false)


def _unary(name: str) -> Callable[[Expr], Expr]:
    def emit(x: Expr) -> Expr:
        return op(name, x)

    return emit


exp = _unary("stablehlo.exponential")
expm1 = _unary("stablehlo.exponential_minus_one")
log = _unary("stablehlo.log")
log1p = _unary("stablehlo.log_plus_one")
sqrt = _unary("stablehlo.sqrt")
rsqrt = _unary("stablehlo.rsqrt")
sin = _unary("stablehlo.sine")
cos = _unary("stablehlo.cosine")
tanh = _unary("stablehlo.tanh")
sign = _unary("stablehlo.sign")
absolute = _unary("stablehlo.abs")
real = _unary("stablehlo.real")
imag = _unary("stablehlo.imag")
is_finite = _unary("stablehlo.is_finite")


def power(x: Expr, y: Expr | Scalar) -> Expr:
    return op("stablehlo.power", x, lift(y, x))


def maximum(x: Expr, y: Expr | Scalar) -> Expr:
    return op("stablehlo.maximum", x, lift(y, x))


def minimum(x: Expr, y: Expr | Scalar) -> Expr:
    return op("stablehlo.minimum", x, lift(y, x))


def complex_(re: Expr, im: Expr) -> Expr:
    return op("stablehlo.complex", re, im)


def conj(x: Expr) -> Expr:
    """The complex conjugate; a real value is its own."""
    return complex_(real(x), -imag(x)) if is_complex(x.dtype) else x


def convert(x: Expr, dtype: ir.Type) -> Expr:
    """`x` with another element type; a complex value that becomes real keeps its real part."""
    if x.dtype == dtype:
        return x
    if is_complex(x.dtype) and not is_complex(dtype):
        return convert(real(x), dtype)
    return op("stablehlo.convert", x, result=tensor(x.shape, dtype))


# -- shapes ------------------------------------------------------------------------------------------------------------


def reshape(x: Expr, shape: Sequence[int]) -> Expr:
    return x if x.shape == list(shape) else op("stablehlo.reshape", x, result=tensor(shape, x.dtype))


def transpose(x: Expr, permutation: Sequence[int]) -> Expr:
    if list(permutation) == list(range(len(permutation))):
        return x
    return op("stablehlo.transpose", x, permutation=i64s(permutation))


def broadcast(x: Expr, shape: Sequence[int], dims: Sequence[int]) -> Expr:
    """`broadcast_in_dim`: dimension i of `x` becomes dimension `dims[i]` of `shape`."""
    if x.shape == list(shape) and list(dims) == list(range(x.rank)):
        return x
    return op("stablehlo.broadcast_in_dim", x, result=tensor(shape, x.dtype), broadcast_dimensions=i64s(dims))


def broadcast_like(x: Expr, like: Expr, dims: Sequence[int]) -> Expr:
    """`broadcast` to the shape of `like`; also where that is known at run time only."""
    t = like.type
    if x.type == tensor(t.shape, x.dtype, t.encoding) or t.has_static_shape:
        return broadcast(x, t.shape, dims)
    if t.encoding is not None:
        return _broadcast_to_bounded(x, like, dims)
    target = tensor(t.shape, x.dtype)
    return op("stablehlo.dynamic_broadcast_in_dim", x, shape_of(like), result=target, broadcast_dimensions=i64s(dims))


def _broadcast_to_bounded(x: Expr, like: Expr, dims: Sequence[int]) -> Expr:
    """To a shape that has bounds: as large as it can be, and then cut to size."""
    t = like.type
    bounds = hlo.TypeExtensions(t.encoding).bounds
    whole = broadcast(x, [b if t.is_dynamic_dim(d) else t.shape[d] for d, b in enumerate(bounds)], dims)
    for d in range(t.rank):
        if t.is_dynamic_dim(d):
            n = op("stablehlo.get_dimension_size", like, dimension=i64(d))
            cut = tensor([*t.shape[: d + 1], *whole.shape[d + 1 :]], x.dtype, t.encoding)
            whole = op("stablehlo.set_dimension_size", whole, n, result=cut, dimension=i64(d))
    return whole


def reverse(x: Expr, dims: Sequence[int]) -> Expr:
    return op("stablehlo.reverse", x, dimensions=i64s(dims)) if dims else x


def concatenate(xs: Sequence[Expr], dim: int) -> Expr:
    return xs[0] if len(xs) == 1 else op("stablehlo.concatenate", *xs, dimension=i64(dim))


def slice_(x: Expr, start: Sequence[int], limit: Sequence[int], strides: Sequence[int] | None = None) -> Expr:
    strides = [1] * x.rank if strides is None else list(strides)
    if list(limit) == x.shape and not any(start) and all(s == 1 for s in strides):
        return x
    return op("stablehlo.slice", x, start_indices=i64s(start), limit_indices=i64s(limit), strides=i64s(strides))


def slice_in_dim(x: Expr, start: int, limit: int, dim: int, stride: int = 1) -> Expr:
    starts, limits, strides = [0] * x.rank, list(x.shape), [1] * x.rank
    starts[dim], limits[dim], strides[dim] = start, limit, stride
    return slice_(x, starts, limits, strides)


def pad(
    x: Expr, value: Expr | Scalar, low: Sequence[int], high: Sequence[int], interior: Sequence[int] | None = None
) -> Expr:
    interior = [0] * x.rank if interior is None else interior
    if not any(low) and not any(high) and not any(interior):
        return x
    filler = value if isinstance(value, Expr) else full(tensor([], x.dtype), value)
    return op(
        "stablehlo.pad",
        x,
        filler,
        edge_padding_low=i64s(low),
        edge_padding_high=i64s(high),
        interior_padding=i64s(interior),
    )


def iota(shape: Sequence[int], dim: int, dtype: ir.Type) -> Expr:
    return op("stablehlo.iota", result=tensor(shape, dtype), iota_dimension=i64(dim))


def dynamic_slice(x: Expr, starts: Sequence[Expr], sizes: Sequence[int]) -> Expr:
    return op("stablehlo.dynamic_slice", x, *starts, slice_sizes=i64s(sizes))


def dynamic_update_slice(x: Expr, update: Expr, starts: Sequence[Expr]) -> Expr:
    return op("stablehlo.dynamic_update_slice", x, update, *starts)


# -- reductions and products -------------------------------------------------------------------------------------------


def reduce(x: Expr, dims: Sequence[int], body: str, init: Scalar) -> Expr:
    """Reduce over `dims` with a binary elementwise op such as `stablehlo.add`."""
    if not dims:
        return x
    scalar = tensor([], x.dtype)
    shape = [n for d, n in enumerate(x.shape) if d not in set(dims)]
    made = ops(
        "stablehlo.reduce",
        [x, full(scalar, init)],
        [tensor(shape, x.dtype)],
        {"dimensions": i64s(sorted(dims))},
        regions=1,
    )
    fill(made.regions[0], [scalar, scalar], lambda a, b: [op(body, a, b)])
    return Expr(made.results[0])


def reduce_sum(x: Expr, dims: Sequence[int]) -> Expr:
    return reduce(x, dims, "stablehlo.add", 0)


def any_(pred: Expr) -> Expr:
    return reduce(pred, range(pred.rank), "stablehlo.or", False)


def all_(pred: Expr) -> Expr:
    return reduce(pred, range(pred.rank), "stablehlo.and", True)


def dot_general(
    x: Expr,
    y: Expr,
    contract: tuple[Sequence[int], Sequence[int]],
    batch: tuple[Sequence[int], Sequence[int]] = ((), ()),
    *,
    dtype: ir.Type | None = None,
    **attributes: ir.Attribute,
) -> Expr:
    """`stablehlo.dot_general`; the result's dimensions are the batch, then x's free, then y's free ones."""
    numbers = hlo.DotDimensionNumbers.get(list(batch[0]), list(batch[1]), list(contract[0]), list(contract[1]))
    free_x = [n for d, n in enumerate(x.shape) if d not in (*contract[0], *batch[0])]
    free_y = [n for d, n in enumerate(y.shape) if d not in (*contract[1], *batch[1])]
    shape = [x.shape[d] for d in batch[0]] + free_x + free_y
    attributes["dot_dimension_numbers"] = numbers
    return op("stablehlo.dot_general", x, y, result=tensor(shape, dtype or x.dtype), **attributes)
