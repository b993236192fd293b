"""Products: dot_general and convolution."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from jaxlib.mlir import ir
from jaxlib.mlir.dialects import stablehlo as hlo

from gradir.tensor import expr as E
from gradir.tensor.expr import Expr
from gradir.tensor.optimize.driver import Driver
from gradir.tensor.optimize.pieces import box, plain_padding
from gradir.tensor.optimize.reading import direction, integer, ints, made_by, maker, single_use
from gradir.tensor.optimize.reductions import body_of, reduced_again, starts_neutral
from gradir.tensor.optimize.rule import Family

products = Family("products", "dot_general and convolution")
rule = products.rule


@dataclass(frozen=True)
class Dims:
    """Which dimensions of two operands are batched, and which are summed over."""

    batch: tuple[tuple[int, ...], tuple[int, ...]]
    contract: tuple[tuple[int, ...], tuple[int, ...]]

    @staticmethod
    def of(op: ir.Operation) -> Dims:
        attr = op.attributes["dot_dimension_numbers"]
        found = _dims.get(attr)
        if found is None:
            n = hlo.DotDimensionNumbers(attr)
            found = _dims[attr] = Dims(
                (tuple(n.lhs_batching_dimensions), tuple(n.rhs_batching_dimensions)),
                (tuple(n.lhs_contracting_dimensions), tuple(n.rhs_contracting_dimensions)),
            )
        return found

    def free(self, side: int, rank: int) -> list[int]:
        return [d for d in range(rank) if d not in (*self.batch[side], *self.contract[side])]


_dims: dict[ir.Attribute, Dims] = {}


def product(op: ir.Operation, x: Expr, y: Expr, dims: Dims) -> Expr:
    """The product again, with other operands and dimensions; precision and the like stay."""
    rest = {k: v for k, v in op.attributes.items() if k != "dot_dimension_numbers"}
    return E.dot_general(x, y, dims.contract, dims.batch, dtype=op.results[0].type.element_type, **rest)


def _permuted(dims: tuple[int, ...], permutation: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(permutation[d] for d in dims)


# -- transposes --------------------------------------------------------------------------------------------------------


@rule("dot(t := transpose(x), y)", rounds=True)
def dot_of_transpose_left(op: ir.Operation, t: ir.Operation, x: Expr, y: Expr) -> Expr | None:
    """dot(transpose(x), y) -> dot(x, y) with other dimensions, where the free ones keep their order."""
    dims, permutation = Dims.of(op), ints(t, "permutation")
    free = [permutation[d] for d in dims.free(0, x.rank)]
    if free != sorted(free):
        return None
    left = Dims(
        (_permuted(dims.batch[0], permutation), dims.batch[1]),
        (_permuted(dims.contract[0], permutation), dims.contract[1]),
    )
    return product(op, x, y, left)


@rule("dot(x, t := transpose(y))", rounds=True)
def dot_of_transpose_right(op: ir.Operation, t: ir.Operation, x: Expr, y: Expr) -> Expr | None:
    """dot(x, transpose(y)) -> dot(x, y) with other dimensions, where the free ones keep their order."""
    dims, permutation = Dims.of(op), ints(t, "permutation")
    free = [permutation[d] for d in dims.free(1, y.rank)]
    if free != sorted(free):
        return None
    right = Dims(
        (dims.batch[0], _permuted(dims.batch[1], permutation)),
        (dims.contract[0], _permuted(dims.contract[1], permutation)),
    )
    return product(op, x, y, right)


@rule("transpose(d := dot(x, y))", rounds=True)
def transpose_of_dot(op: ir.Operation, d: ir.Operation, x: Expr, y: Expr) -> Expr | None:
    """transpose(dot(x, y)) -> dot(y, x) where the free dimensions swap sides."""
    dims, permutation = Dims.of(d), ints(op, "permutation")
    b, m, n = len(dims.batch[0]), len(dims.free(0, x.rank)), len(dims.free(1, y.rank))
    swapped = (*range(b), *range(b + m, b + m + n), *range(b, b + m))
    if permutation != swapped or not single_use(d.results[0]) or "algorithm" in d.attributes:
        return None
    if "precision_config" in d.attributes and len(set(map(str, ir.ArrayAttr(d.attributes["precision_config"])))) > 1:
        return None
    return product(d, y, x, Dims(dims.batch[::-1], dims.contract[::-1]))


# -- what need not be multiplied ---------------------------------------------------------------------------------------


@rule("slice(d := dot(x, y))", rounds=True, phase="up", gated=True)
def slice_of_dot(op: ir.Operation, d: ir.Operation, x: Expr, y: Expr) -> Expr | None:
    """slice(dot(x, y)) -> dot(slice(x), slice(y)): only what is used is computed."""
    if not single_use(d.results[0]):
        return None
    dims, bounds = Dims.of(d), box(op)
    parts: list[Expr] = []
    for side, v in enumerate((x, y)):
        start, limit, strides = [0] * v.rank, list(v.shape), [1] * v.rank
        own = list(dims.batch[side]) + dims.free(side, v.rank)
        first = len(dims.batch[0]) + (len(dims.free(0, x.rank)) if side else 0)
        places = [*range(len(dims.batch[0])), *range(first, first + len(own) - len(dims.batch[0]))]
        for source, to in zip(own, places, strict=True):
            start[source], limit[source], strides[source] = (b[to] for b in bounds)
        parts.append(E.slice_(v, start, limit, strides))
    return product(d, parts[0], parts[1], dims)


@rule("dot(x, y)", rounds=True, when=lambda op: not Dims.of(op).contract[0])
def dot_is_multiply(op: ir.Operation, x: Expr, y: Expr) -> Expr | None:
    """A product that sums over nothing is a multiplication of broadcasts."""
    return _as_multiply(op, x, y)


def _sums_over_ones(op: ir.Operation) -> bool:
    shape, dims = op.operands[0].type.shape, Dims.of(op).contract[0]
    return bool(dims) and all(shape[d] == 1 for d in dims)


@rule("dot(x, y)", "float", rounds=True, when=_sums_over_ones)
def dot_over_ones(op: ir.Operation, x: Expr, y: Expr) -> Expr | None:
    """A product that sums over dimensions of size 1 is a multiplication of broadcasts."""
    return _as_multiply(op, x, y)


def _as_multiply(op: ir.Operation, x: Expr, y: Expr) -> Expr | None:
    dims, shape = Dims.of(op), op.results[0].type.shape
    if x.dtype != y.dtype or x.dtype != op.results[0].type.element_type or "algorithm" in op.attributes:
        return None
    b, m = len(dims.batch[0]), len(dims.free(0, x.rank))
    sides: list[Expr] = []
    for side, v in enumerate((x, y)):
        own = [*dims.batch[side], *dims.free(side, v.rank)]
        to = [*range(b), *range(b + m * side, b + m * side + len(own) - b)]
        flat = E.reshape(v, [n for d, n in enumerate(v.shape) if d not in dims.contract[side]])
        kept = [d for d in range(v.rank) if d not in dims.contract[side]]
        place = dict(zip(own, to, strict=True))
        sides.append(E.broadcast(flat, shape, [place[d] for d in kept]))
    return sides[0] * sides[1]


@rule("dot(x * c, y)", "float", rounds=True, gated=True)
def dot_of_multiple_left(op: ir.Operation, x: Expr, c: float, y: Expr) -> Expr | None:
    """dot(x * c, y) -> dot(x, y) * c where the product is smaller than x."""
    return product(op, x, y, Dims.of(op)) * c if single_use(op.operands[0]) else None


@rule("dot(x, y * c)", "float", rounds=True, gated=True)
def dot_of_multiple_right(op: ir.Operation, x: Expr, c: float, y: Expr) -> Expr | None:
    """dot(x, y * c) -> dot(x, y) * c where the product is smaller than y."""
    return product(op, x, y, Dims.of(op)) * c if single_use(op.operands[1]) else None


@rule("dot(-x, -y)", "inexact")
def dot_of_negated(op: ir.Operation, x: Expr, y: Expr) -> Expr:
    """dot(-x, -y) -> dot(x, y)."""
    return product(op, x, y, Dims.of(op))


@rule("dot(-x, y)", "inexact", gated=True)
def dot_of_negated_left(op: ir.Operation, x: Expr, y: Expr) -> Expr:
    """dot(-x, y) -> -dot(x, y) where the product is smaller than x."""
    return -product(op, x, y, Dims.of(op))


@rule("dot(x, -y)", "inexact", gated=True)
def dot_of_negated_right(op: ir.Operation, x: Expr, y: Expr) -> Expr:
    """dot(x, -y) -> -dot(x, y) where the product is smaller than y."""
    return -product(op, x, y, Dims.of(op))


@rule("dot(0, y)", "inexact")
def dot_of_zero(op: ir.Operation, y: Expr, driver: Driver) -> Expr | None:
    """dot(0, y) -> 0 for finite y."""
    return E.full(op.results[0].type, 0) if driver.facts.finite(y) else None


@rule("dot(x, 0)", "inexact")
def dot_with_zero(op: ir.Operation, x: Expr, driver: Driver) -> Expr | None:
    """dot(x, 0) -> 0 for finite x."""
    return E.full(op.results[0].type, 0) if driver.facts.finite(x) else None


@rule("dot(b := broadcast(x), y)", rounds=True, gated=True)
def dot_of_broadcast_left(op: ir.Operation, b: ir.Operation, x: Expr, y: Expr) -> Expr | None:
    """dot(broadcast(x), y) -> broadcast(dot(x, y)) where x is repeated along free dimensions."""
    return _broadcast_after(op, b, x, y, 0)


@rule("dot(x, b := broadcast(y))", rounds=True, gated=True)
def dot_of_broadcast_right(op: ir.Operation, b: ir.Operation, x: Expr, y: Expr) -> Expr | None:
    """dot(x, broadcast(y)) -> broadcast(dot(x, y)) where y is repeated along free dimensions."""
    return _broadcast_after(op, b, x, y, 1)


def _broadcast_after(op: ir.Operation, b: ir.Operation, x: Expr, y: Expr, side: int) -> Expr | None:
    dims, target, whole = Dims.of(op), ints(b, "broadcast_dimensions"), b.results[0].type.shape
    small = (x, y)[side]
    free = dims.free(side, len(whole))
    new = [d for d in free if d not in target]
    if not new or list(target) != sorted(target) or any(small.shape[i] != whole[d] for i, d in enumerate(target)):
        return None
    if len(target) + len(new) != len(whole):
        return None
    place = {d: i for i, d in enumerate(target)}
    moved = lambda ds: tuple(place[d] for d in ds)  # noqa: E731
    batch, contract = list(dims.batch), list(dims.contract)
    batch[side], contract[side] = moved(dims.batch[side]), moved(dims.contract[side])
    out = product(op, x, y, Dims((batch[0], batch[1]), (contract[0], contract[1])))
    other = len(whole) if side == 0 else x.rank
    first = len(dims.batch[0]) + (0 if side == 0 else len(dims.free(0, other)))
    dropped = {first + free.index(d) for d in new}
    shape = op.results[0].type.shape
    return E.broadcast(out, shape, [d for d in range(len(shape)) if d not in dropped])


@rule("reshape(d := dot(x, y))", rounds=True)
def reshape_of_dot(op: ir.Operation, d: ir.Operation, x: Expr, y: Expr) -> Expr | None:
    """A product whose free dimensions of size 1 are dropped afterwards is one without them."""
    dims, shape = Dims.of(d), op.results[0].type.shape
    sides: list[Expr] = []
    batch, contract = list(dims.batch), list(dims.contract)
    for side, v in enumerate((x, y)):
        ones = [e for e in dims.free(side, v.rank) if v.shape[e] == 1]
        kept = [e for e in range(v.rank) if e not in ones]
        sides.append(E.reshape(v, [v.shape[e] for e in kept]))
        batch[side] = tuple(kept.index(e) for e in dims.batch[side])
        contract[side] = tuple(kept.index(e) for e in dims.contract[side])
    if [n for n in d.results[0].type.shape if n != 1] != list(shape) or not single_use(d.results[0]):
        return None
    if any(x.shape[e] == 1 for e in dims.batch[0]):
        return None
    return product(d, sides[0], sides[1], Dims((batch[0], batch[1]), (contract[0], contract[1])))


@rule("reduce(where(p, x, 0), init)", "float", rounds=True)
def trace_of_dot(op: ir.Operation, p: Expr, x: Expr) -> Expr | None:
    """The sum over the diagonal of a product: nothing off the diagonal is computed."""
    dims, pair = ints(op, "dimensions"), diagonal(p.value)
    if body_of(op) != "stablehlo.add" or not starts_neutral(op) or pair is None or not set(pair) <= set(dims):
        return None
    order = tuple(range(x.rank))
    if (t := made_by(x, "transpose")) is not None:
        order, x = ints(t, "permutation"), Expr(t.operands[0])
    d = made_by(x, "dot_general")
    if d is None or not single_use(d.results[0]):
        return None
    lhs, rhs = E.exprs(d.operands)
    product_dims = Dims.of(d)
    places = [*((-1, b) for b in range(len(product_dims.batch[0])))]
    places += [(side, e) for side, v in enumerate((lhs, rhs)) for e in product_dims.free(side, v.rank)]
    (i, j) = (places[order[k]] for k in pair)
    if {i[0], j[0]} != {0, 1}:
        return None
    if i[0] == 1:
        i, j = j, i
    contract = (*product_dims.contract[0], i[1]), (*product_dims.contract[1], j[1])
    out = product(d, lhs, rhs, Dims(product_dims.batch, contract))
    left = [k for k in range(len(places)) if places[k] not in (i, j)]
    rest = [k for k in order if k in left]
    out = E.transpose(out, [left.index(k) for k in rest])
    summed = [rest.index(order[k]) for k in dims if k not in pair]
    return reduced_again(op, out, Expr(op.operands[1]), summed)


def diagonal(value: ir.Value) -> tuple[int, int] | None:
    """Two dimensions whose indices must be equal for a truth value to be true, if that is all it says."""
    b = made_by(value, "broadcast_in_dim")
    if b is not None:
        inner = diagonal(b.operands[0])
        dims = ints(b, "broadcast_dimensions")
        small, whole = b.operands[0].type.shape, value.type.shape
        if inner is None or any(small[d] != whole[dims[d]] for d in inner):
            return None
        return dims[inner[0]], dims[inner[1]]
    e = made_by(value, "compare")
    if e is None or direction(e) != "EQ":
        return None
    a, b2 = (maker(v) for v in e.operands)
    if a is None or b2 is None or a.name != "stablehlo.iota" or b2.name != "stablehlo.iota":
        return None
    i, j = integer(a, "iota_dimension"), integer(b2, "iota_dimension")
    return (i, j) if i != j and value.type.shape[i] == value.type.shape[j] else None


@rule("dot(x, y)", "float", when=lambda op: op.operands[0].type.rank == 2)
def dot_of_symmetric(op: ir.Operation, x: Expr, y: Expr, driver: Driver) -> Expr | None:
    """A symmetric matrix is summed over by its last dimension, so that a product and its mirror image meet."""
    dims = Dims.of(op)
    if dims.contract[0] != (0,) or dims.batch[0] or x.shape[0] != x.shape[1] or not driver.facts.symmetric(x):
        return None
    return product(op, x, y, Dims(dims.batch, ((1,), dims.contract[1])))


@rule("dot(p := pad(x, 0), y)", "float", rounds=True, gated=True)
def dot_of_padded_rows(op: ir.Operation, p: ir.Operation, x: Expr, y: Expr, driver: Driver) -> Expr | None:
    """dot(pad(x, 0), y) -> pad(dot(x, y), 0) where free dimensions are padded and y is finite: zeros stay zeros."""
    dims, edges = Dims.of(op), plain_padding(p)
    if edges is None or not driver.facts.finite(y) or not single_use(p.results[0]):
        return None
    free = dims.free(0, x.rank)
    if any((edges[0][d] or edges[1][d]) and d not in free for d in range(x.rank)):
        return None
    rank, first = op.results[0].type.rank, len(dims.batch[0])
    low, high = [0] * rank, [0] * rank
    for k, d in enumerate(free):
        low[first + k], high[first + k] = edges[0][d], edges[1][d]
    return E.pad(product(op, x, y, dims), 0, low, high)


@rule("dot(p := pad(x, 0), y)", "float", rounds=True, gated=True)
def dot_of_padded_sum(op: ir.Operation, p: ir.Operation, x: Expr, y: Expr, driver: Driver) -> Expr | None:
    """dot(pad(x, 0), y) -> dot(x, slice(y)) where what is summed over is padded and y is finite."""
    dims, edges = Dims.of(op), plain_padding(p)
    if edges is None or not driver.facts.finite(y) or not single_use(p.results[0]):
        return None
    padded = [d for d in range(x.rank) if edges[0][d] or edges[1][d]]
    if not padded or any(d not in dims.contract[0] for d in padded):
        return None
    start, limit = [0] * y.rank, list(y.shape)
    for d in padded:
        e = dims.contract[1][dims.contract[0].index(d)]
        start[e], limit[e] = edges[0][d], edges[0][d] + x.shape[d]
    return product(op, x, E.slice_(y, start, limit), dims)


# -- chains, with fast-math (an infinity would meet other partners) ----------------------------------------------------


@rule("dot(d := dot(x, y), z)", "float", rounds=True, fast_math=True, gated=True)
def dot_chain(op: ir.Operation, d: ir.Operation, x: Expr, y: Expr, z: Expr) -> Expr | None:
    """(x y) z -> x (y z) where that is cheaper."""
    outer, inner = Dims.of(op), Dims.of(d)
    if outer.batch[0] or inner.batch[0] or not single_use(d.results[0]):
        return None
    if (x.rank, y.rank, z.rank) != (2, 2, 2) or outer.contract[0] != (1,) or len(inner.contract[0]) != 1:
        return None
    second = inner.contract[1][0]
    right = product(op, y, z, Dims(((), ()), ((1 - second,), outer.contract[1])))
    return product(op, x, right, Dims(((), ()), (inner.contract[0], (0,))))


@rule("dot(x, y) + dot(x, z)", "float", rounds=True, fast_math=True, gated=True)
def dot_distributes(op: ir.Operation, x: Expr, y: Expr, z: Expr) -> Expr | None:
    """x y + x z -> x (y + z): one product instead of two."""
    first, second = (v.owner.operation for v in op.operands)
    if Dims.of(first) != Dims.of(second) or y.type != z.type:
        return None
    return product(first, x, y + z, Dims.of(first))


@rule("dot(x, z) + dot(y, z)", "float", rounds=True, fast_math=True, gated=True)
def dot_distributes_left(op: ir.Operation, x: Expr, y: Expr, z: Expr) -> Expr | None:
    """x z + y z -> (x + y) z: one product instead of two."""
    first, second = (v.owner.operation for v in op.operands)
    if Dims.of(first) != Dims.of(second) or x.type != y.type:
        return None
    return product(first, x + y, z, Dims.of(first))


@rule("dot(x, y)", "float", rounds=True, fast_math=True)
def dot_with_identity(op: ir.Operation, x: Expr, y: Expr) -> Expr | None:
    """dot(identity, y) -> y."""
    dims = Dims.of(op)
    if dims.batch[0] or len(dims.contract[0]) != 1:
        return None
    for side, (a, b) in enumerate(((x, y), (y, x))):
        if a.rank == 2 and is_identity(a.value):
            (at,) = dims.contract[1 - side]
            rest = [d for d in range(b.rank) if d != at]
            return E.transpose(b, [at, *rest] if side == 0 else [*rest, at])
    return None


def is_identity(value: ir.Value) -> bool:
    """Whether a matrix is seen to be the identity: where two iotas are equal, as a number."""
    c = made_by(value, "convert")
    return c is not None and value.type.rank == 2 and diagonal(c.operands[0]) is not None


# -- convolution -------------------------------------------------------------------------------------------------------


@rule("convolution(p := pad(x, 0), w)", "float", rounds=True)
def convolution_of_pad(op: ir.Operation, p: ir.Operation, x: Expr, w: Expr) -> Expr | None:
    """convolution(pad(x, 0), w) -> a convolution that pads by itself."""
    edges = plain_padding(p)
    numbers = hlo.ConvDimensionNumbers(op.attributes["dimension_numbers"])
    space = list(numbers.input_spatial_dimensions)
    if edges is None or any((edges[0][d] or edges[1][d]) and d not in space for d in range(x.rank)):
        return None
    if "lhs_dilation" in op.attributes and any(n != 1 for n in ints(op, "lhs_dilation")):
        return None
    old = ints(op, "padding") if "padding" in op.attributes else (0,) * (2 * len(space))
    new = [n + edges[k % 2][space[k // 2]] for k, n in enumerate(old)]
    attributes = dict(op.attributes.items())
    attributes["padding"] = ir.DenseIntElementsAttr.get(np.array(new, np.int64).reshape(-1, 2))
    return E.op("stablehlo.convolution", x, w, result=op.results[0].type, **attributes)


@rule("convolution(x * c, w)", "float", rounds=True, gated=True)
def convolution_of_multiple(op: ir.Operation, x: Expr, c: float, w: Expr) -> Expr | None:
    """convolution(x * c, w) -> convolution(x, w) * c where the result is smaller than x."""
    return E.op("stablehlo.convolution", x, w, result=op.results[0].type, **dict(op.attributes.items())) * c


@rule("convolution(x, w * c)", "float", rounds=True, gated=True)
def convolution_of_scaled_kernel(op: ir.Operation, x: Expr, c: float, w: Expr) -> Expr | None:
    """convolution(x, w * c) -> convolution(x, w) * c where the result is smaller than w."""
    return E.op("stablehlo.convolution", x, w, result=op.results[0].type, **dict(op.attributes.items())) * c
