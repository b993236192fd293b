"""Products that sum: `dot_general`, and the older ops that mean one.

The cotangent of an operand is again a `dot_general`: the result's cotangent against the other operand, contracted over
that operand's free dimensions. Its dimensions come out as batch, kept, contracted; of the two orders of its operands
the one is taken that needs no transpose, if there is one.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from jaxlib.mlir import ir
from jaxlib.mlir.dialects import chlo
from jaxlib.mlir.dialects import stablehlo as hlo

from gradir.tensor.ir import expr as E
from gradir.tensor.ir.dot import Dims, pair
from gradir.tensor.ir.expr import Expr
from gradir.tensor.rules.interface import Cotangent, Shadow
from gradir.tensor.rules.rule import Rule, Site, add, add_shadows, expand

Product = Callable[[Expr, Expr, ir.Type], Expr]
"""`product(d, factor, dtype)`: a bilinear op of a derivative and a factor that need not have the same type."""


# -- what all products share -------------------------------------------------------------------------------------------


def wider(a: ir.Type, b: ir.Type) -> ir.Type:
    """The element type that holds both: the wider one, and f32 for two different ones of the same width."""
    if a == b:
        return a
    width_a, width_b = (E.real_type(t).width for t in (a, b))  # pyright: ignore[reportAttributeAccessIssue]
    return ir.F32Type.get() if width_a == width_b else (a if width_a > width_b else b)


def multiply(site: Site, d: Expr, factor: Expr, product: Product, dtype: ir.Type | None = None) -> Expr:
    """`product(d, factor)`, in the wider of their types; with strong zero, zeros of `d` win over whatever they meet.

    Where all factors are finite a plain product has this property. Elsewhere it is computed from the factors with
    their infinities replaced by their signs, and the infinities that a non-zero derivative meets are counted apart:
    what meets some of both signs (or a NaN, which counts as both) is NaN.
    """
    dtype = dtype or wider(d.dtype, factor.dtype)
    if not site.strong_zero:
        return product(d, factor, dtype)
    if E.is_complex(dtype):
        half = E.real_type(dtype)
        (dr, di), (fr, fi) = ((E.real(x), E.imag(x)) for x in (d, factor))
        rr, ii, ri, ir_ = (_strong(x, y, product, half) for x, y in ((dr, fr), (di, fi), (dr, fi), (di, fr)))
        return E.complex_(rr - ii, ri + ir_)
    return _strong(d, factor, product, dtype)


def _strong(d: Expr, factor: Expr, product: Product, dtype: ir.Type) -> Expr:
    plain = product(d, factor, dtype)
    made = E.ops("stablehlo.if", [E.all_(E.is_finite(factor))], [plain.type], regions=2)

    def exact() -> list[Expr]:
        f32, inf = ir.F32Type.get(), float("inf")
        finite, zero = E.is_finite(factor), E.zeros_like(plain)
        sign, way = (E.convert(x > 0, f32) - E.convert(x < 0, f32) for x in (factor, d))  # of a NaN: 0
        infinite = E.convert(~finite, f32)
        balance = product(way, sign * infinite, f32)
        number = product(E.convert(d.ne(0), f32), infinite, f32)
        tame = product(d, E.select(finite, factor, E.convert(sign, factor.dtype)), dtype)
        return [tame + E.select(balance > -number, inf, zero) + E.select(balance < number, -inf, zero)]

    E.fill(made.regions[0], [], lambda: [plain])
    E.fill(made.regions[1], [], exact)
    return Expr(made.results[0])


def tangent_of_product(site: Site, tangents: Sequence[Shadow], emit: Product) -> list[Shadow]:
    """Each factor's tangent times the other factor, where `emit(lhs, rhs, dtype)` makes the product."""
    total: Shadow = None
    dtype = site.out_type().element_type
    if tangents[0] is not None:
        total = multiply(site, tangents[0], site.ins[1], emit, dtype)
    if tangents[1] is not None:
        flipped = multiply(site, tangents[1], site.ins[0], lambda d, factor, dtype: emit(factor, d, dtype), dtype)
        total = add_shadows(total, flipped)
    return [total]


# -- dot_general -------------------------------------------------------------------------------------------------------

def how(site: Site, swap: bool = False) -> dict[str, ir.Attribute]:
    """The attributes that say how to multiply; swapped, those of the product with its operands exchanged."""
    out: dict[str, ir.Attribute] = {}
    precision, algorithm = site.get("precision_config"), site.get("algorithm")
    if precision is not None:
        both = list(precision)
        out["precision_config"] = ir.ArrayAttr.get(both[::-1] if swap else both)
    if algorithm is not None:
        a = hlo.DotAlgorithm(algorithm)
        out["algorithm"] = (
            a
            if not swap
            else hlo.DotAlgorithm.get(
                a.rhs_precision_type,
                a.lhs_precision_type,
                a.accumulation_type,
                a.rhs_component_count,
                a.lhs_component_count,
                a.num_primitive_operations,
                a.allow_imprecise_accumulation,
            )
        )
    return out


def _jvp_dot(site: Site, tangents: Sequence[Shadow]) -> list[Shadow]:
    dims = Dims.of(site.op)

    def emit(x: Expr, y: Expr, dtype: ir.Type) -> Expr:
        return E.dot_general(x, y, dims.contract, dims.batch, dtype=dtype, **how(site))

    return tangent_of_product(site, tangents, emit)


def _vjp_dot(site: Site, cotangents: Sequence[Shadow]) -> list[Cotangent]:
    (ct,) = cotangents
    assert ct is not None
    return [_transpose_dot(site, i, ct) if active else None for i, active in enumerate(site.active)]


def _transpose_dot(site: Site, i: int, ct: Expr) -> Expr:
    """The cotangent of operand i: `ct` against the other operand, over that one's free dimensions."""
    dims = Dims.of(site.op)
    dims = dims if i == 0 else dims.swapped()
    mine, factor = site.in_type(i), E.conj(site.ins[1 - i])
    my_batch, its_batch = dims.batch
    kept, its_free = dims.free(0, mine.rank), dims.free(1, factor.rank)
    batch = list(range(len(my_batch)))
    start = len(batch) + (len(kept) if i == 0 else 0)  # where the other operand's dimensions are in the result
    contract = list(range(start, start + len(its_free)))
    contracted = [m for _, m in sorted(zip(dims.contract[1], dims.contract[0], strict=True))]
    straight = [*my_batch, *kept, *contracted]
    crossed = [*my_batch, *contracted, *kept]
    cross = crossed == list(range(mine.rank)) and straight != crossed

    def product(d: Expr, y: Expr, dtype: ir.Type) -> Expr:
        # The cotangent stands in for operand i, and so takes over its precision.
        attributes = how(site, swap=(i == 1) != cross)
        if d.dtype != y.dtype:
            d, y = E.convert(d, dtype), E.convert(y, dtype)
        if cross:
            return E.dot_general(y, d, (its_free, contract), (its_batch, batch), dtype=dtype, **attributes)
        out = E.dot_general(d, y, (contract, its_free), (batch, its_batch), dtype=dtype, **attributes)
        return E.transpose(out, [straight.index(d) for d in range(mine.rank)])

    return E.convert(multiply(site, ct, factor, product), mine.element_type)


def _batch_dot(site: Site) -> list[Expr]:
    """Batched on both sides: one more batch dimension. On one side: one more free dimension of it."""
    dims = Dims.of(site.op)
    x, y = site.ins
    (xb, yb), (xc, yc) = (
        [[d + has for d in side] for side, has in zip(pair, site.batched, strict=True)]
        for pair in (dims.batch, dims.contract)
    )
    if all(site.batched):
        xb, yb = [0, *xb], [0, *yb]
    numbers = how(site)
    out = E.dot_general(x, y, (xc, yc), (xb, yb), dtype=site.out_type().element_type, **numbers)
    if all(site.batched):
        return [out]
    at = len(xb) if site.batched[0] else x.rank - len(xc)
    return [E.transpose(out, [at, *(d for d in range(out.rank) if d != at)])]


add(Rule("stablehlo.dot_general", jvp=_jvp_dot, vjp=_vjp_dot, batch=_batch_dot))


def _expand_dot(site: Site) -> list[Expr]:
    """The last dimension of the one against the first of the other."""
    x, y = site.ins
    return [E.dot_general(x, y, ([x.rank - 1], [0]), dtype=site.out_type().element_type, **how(site))]


expand("stablehlo.dot", _expand_dot)


# -- einsum ------------------------------------------------------------------------------------------------------------


def _labels(site: Site) -> tuple[list[list[str]], list[str]]:
    """The labels of each operand's dimensions and of the result's; what `...` stands for is numbered from the right."""
    config = ir.StringAttr(site.attr("einsum_config")).value.replace(" ", "")
    given, arrow, wanted = config.partition("->")
    operands = given.split(",")

    def split(text: str, rank: int) -> list[str]:
        before, dots, after = text.partition("...")
        hidden = rank - len(before) - len(after) if dots else 0
        return [*before, *(f"...{k}" for k in reversed(range(hidden))), *after]

    labels = [split(text, site.in_type(i).rank) for i, text in enumerate(operands)]
    if arrow:
        return labels, split(wanted, site.out_type().rank)
    every = [label for side in labels for label in side]
    hidden = sorted({label for label in every if len(label) > 1}, reverse=True)
    return labels, [*hidden, *sorted(label for label in every if every.count(label) == 1 and len(label) == 1)]


def _distinct(x: Expr, labels: list[str], keep: set[str]) -> tuple[Expr, list[str]]:
    """Take diagonals until no label is there twice, and sum over what nobody keeps."""
    i32 = ir.IntegerType.get_signless(32)
    while len(set(labels)) < len(labels):
        second = next(d for d, label in enumerate(labels) if label in labels[:d])
        first = labels.index(labels[second])
        on_diagonal = E.iota(x.shape, first, i32).eq(E.iota(x.shape, second, i32))
        x = E.reduce_sum(E.select(on_diagonal, x, 0), [second])
        labels = labels[:second] + labels[second + 1 :]
    x = E.reduce_sum(x, [d for d, label in enumerate(labels) if label not in keep])
    return x, [label for label in labels if label in keep]


def _arranged(x: Expr, labels: list[str], wanted: list[str]) -> Expr:
    return E.transpose(x, [labels.index(label) for label in wanted])


def _expand_einsum(site: Site) -> list[Expr]:
    (mine, its), wanted = _labels(site)
    x, mine = _distinct(site.ins[0], mine, {*its, *wanted})
    y, its = _distinct(site.ins[1], its, {*mine, *wanted})
    shared = [label for label in mine if label in its]
    batch, contract = ([s for s in shared if (s in wanted) == kept] for kept in (True, False))

    def dims(labels: list[str], some: list[str]) -> list[int]:
        return [labels.index(label) for label in some]

    out = E.dot_general(
        x,
        y,
        (dims(mine, contract), dims(its, contract)),
        (dims(mine, batch), dims(its, batch)),
        dtype=site.out_type().element_type,
        **how(site),
    )
    free = [[label for label in side if label not in shared] for side in (mine, its)]
    return [_arranged(out, [*batch, *free[0], *free[1]], wanted)]


def _expand_unary_einsum(site: Site) -> list[Expr]:
    labels, wanted = _labels(site)
    return [_arranged(*_distinct(site.ins[0], labels[-1], set(wanted)), wanted)]


expand("stablehlo.einsum", _expand_einsum)
expand("stablehlo.unary_einsum", _expand_unary_einsum)


# -- ragged_dot --------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Ragged:
    """The dimension numbers of a `chlo.ragged_dot`: groups of rows of lhs, each with a matrix of its own in rhs."""

    dims: Dims
    ragged: int
    group: Sequence[int]

    @classmethod
    def of(cls, op: ir.Operation) -> Ragged:
        n = chlo.RaggedDotDimensionNumbers(op.attributes["ragged_dot_dimension_numbers"])
        batch = pair(n.lhs_batching_dimensions, n.rhs_batching_dimensions)
        dims = Dims(batch, pair(n.lhs_contracting_dimensions, n.rhs_contracting_dimensions))
        return cls(dims, n.lhs_ragged_dimensions[0], list(n.rhs_group_dimensions))

    def emit(self, site: Site, x: Expr, y: Expr, dtype: ir.Type) -> Expr:
        """The op for these operands, with the site's groups; where what is contracted is ragged, groups come first."""
        (xb, yb), (xc, yc) = self.dims.batch, self.dims.contract
        shape = [x.shape[d] for d in (*xb, *self.dims.free(0, x.rank))]
        shape += [y.shape[d] for d in self.dims.free(1, y.rank) if d not in self.group]
        if self.ragged in xc:
            shape = [site.in_type(2).shape[-1], *shape]
        numbers = chlo.RaggedDotDimensionNumbers.get(*map(list, (xb, yb, xc, yc)), [self.ragged], list(self.group))
        attributes: dict[str, ir.Attribute] = {"ragged_dot_dimension_numbers": numbers}
        if (precision := site.get("precision_config")) is not None:
            attributes["precision_config"] = precision
        return E.op("chlo.ragged_dot", x, y, site.ins[2], result=E.tensor(shape, dtype), **attributes)


def _expand_ragged(site: Site) -> list[Expr]:
    """Dense products, with zeros where an element is not of the group."""
    n, (x, y, sizes) = Ragged.of(site.op), site.ins
    (xb, yb), (xc, yc) = n.dims.batch, n.dims.contract
    dtype, attributes = site.out_type().element_type, _plain_precision(site)

    def up(dims: Sequence[int]) -> list[int]:
        return [d + 1 for d in dims]

    if n.ragged in xb:
        return [E.dot_general(x, y, (xc, yc), (xb, yb), dtype=dtype, **attributes)]
    if n.ragged in xc:
        at = xc.index(n.ragged)
        x = _grouped(x, sizes, n.ragged, [*xb, *xc[:at]])
        y = _grouped(y, sizes, yc[at], [*yb, *yc[:at]])
        return [E.dot_general(x, y, (up(xc), up(yc)), ([0, *up(xb)], [0, *up(yb)]), dtype=dtype, **attributes)]
    free = n.dims.free(0, x.rank)
    x = _grouped(x, sizes, n.ragged, [*xb, *free[: free.index(n.ragged)]])
    return [E.dot_general(x, y, ([*up(xc), 0], [*yc, *n.group]), (up(xb), yb), dtype=dtype, **attributes)]


def _grouped(x: Expr, sizes: Expr, ragged: int, outer: Sequence[int]) -> Expr:
    """`x` once for each group, in a new first dimension, with zeros outside of the group."""
    groups, length = sizes.shape[-1], x.shape[ragged]
    prefix = sizes.shape[:-1]
    square = [*prefix, groups, groups]
    upto = E.iota(square, len(prefix), sizes.dtype) <= E.iota(square, len(prefix) + 1, sizes.dtype)
    along = E.broadcast(sizes, square, range(len(prefix) + 1))
    end = E.reduce_sum(E.select(upto, along, 0), [len(prefix)])
    shape, first = [*prefix, groups, length], range(len(prefix) + 1)
    place = E.iota(shape, len(prefix) + 1, sizes.dtype)
    inside = (place < E.broadcast(end, shape, first)) & (place >= E.broadcast(end - sizes, shape, first))
    whole = [groups, *x.shape]
    dims = [*(d + 1 for d in outer[: len(prefix)]), 0, ragged + 1]
    return E.select(E.broadcast(inside, whole, dims), E.broadcast(x, whole, range(1, len(whole))), 0)


def _plain_precision(site: Site) -> dict[str, ir.Attribute]:
    """StableHLO's precision for CHLO's."""
    given = site.get("precision_config")
    if given is None:
        return {}
    names = [str(p).rstrip(">").split()[-1] for p in given]
    return {"precision_config": ir.ArrayAttr.get([hlo.PrecisionAttr.get(name) for name in names])}


def _jvp_ragged(site: Site, tangents: Sequence[Shadow]) -> list[Shadow]:
    numbers = Ragged.of(site.op)
    return tangent_of_product(site, tangents, lambda x, y, dtype: numbers.emit(site, x, y, dtype))


def _vjp_ragged(site: Site, cotangents: Sequence[Shadow]) -> list[Cotangent]:
    """Where rows are ragged: against the same groups' matrices for lhs, and group by group for the matrices of rhs."""
    (ct,) = cotangents
    assert ct is not None
    n, (left, right) = Ragged.of(site.op), (site.in_type(0), site.in_type(1))
    (xb, yb), (xc, yc) = n.dims.batch, n.dims.contract
    x_kept, y_kept = n.dims.free(0, left.rank), [d for d in n.dims.free(1, right.rank) if d not in n.group]
    batch = list(range(len(xb)))
    ct_x = [len(batch) + k for k in range(len(x_kept))]
    ct_y = [len(batch) + len(x_kept) + k for k in range(len(y_kept))]

    def for_lhs(d: Expr, y: Expr, dtype: ir.Type) -> Expr:
        numbers = Ragged(Dims(pair(batch, yb), pair(ct_y, y_kept)), ct_x[x_kept.index(n.ragged)], n.group)
        out = numbers.emit(site, E.convert(d, dtype), E.convert(y, dtype), dtype)
        order = [*xb, *x_kept, *(m for _, m in sorted(zip(yc, xc, strict=True)))]
        return E.transpose(out, [order.index(d) for d in range(left.rank)])

    def for_rhs(d: Expr, x: Expr, dtype: ir.Type) -> Expr:
        numbers = Ragged(Dims(pair(xb, batch), pair(x_kept, ct_x)), n.ragged, [])
        out = numbers.emit(site, E.convert(x, dtype), E.convert(d, dtype), dtype)
        order = [*n.group, *yb, *(m for _, m in sorted(zip(xc, yc, strict=True))), *y_kept]
        return E.transpose(out, [order.index(d) for d in range(right.rank)])

    out: list[Cotangent] = [None, None, None]
    for i, product in enumerate((for_lhs, for_rhs)):
        if site.active[i]:
            out[i] = E.convert(multiply(site, ct, E.conj(site.ins[1 - i]), product), site.in_type(i).element_type)
    return out


_RAGGED_ROWS = Rule("chlo.ragged_dot", jvp=_jvp_ragged, vjp=_vjp_ragged, expand=_expand_ragged)
_RAGGED_OTHER = Rule("chlo.ragged_dot", jvp=_jvp_ragged, expand=_expand_ragged)


def _ragged_variant(op: ir.Operation) -> Rule:
    n = Ragged.of(op)
    return _RAGGED_OTHER if n.ragged in (*n.dims.batch[0], *n.dims.contract[0]) else _RAGGED_ROWS


add(Rule("chlo.ragged_dot", variant=_ragged_variant))
