"""Computations that an op holds in a region: what they are, and how to apply them to whole arrays.

The specification leaves it to the implementation in which order a reduction combines its elements. The back ends at
hand fold them one after another, so that is what a computation means here, whether or not it is associative. Where it
is, a tree gives the same in logarithmic depth.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from jaxlib.mlir import ir

from gradir.tensor.analysis.computation import is_associative, single_op
from gradir.tensor.ir import expr as E
from gradir.tensor.ir.expr import Expr
from gradir.tensor.ir.regions import captures, copy_op, terminator
from gradir.tensor.rules.rule import Site, prepend

# -- applying one to arrays --------------------------------------------------------------------------------------------

Apply = Callable[[Sequence[Expr]], list[Expr]]


def inline(site: Site, region: ir.Region, arguments: Sequence[Expr]) -> list[Expr]:
    """The computation's ops, here, and what it returns of these arguments."""
    block = region.blocks[0]
    values = dict(zip(block.arguments, (a.value for a in arguments), strict=True))
    for outside in captures([region]):
        values[outside] = site.captured(outside).value
    for view in block.operations:
        if view.operation != terminator(block):
            copy_op(view.operation, values)
    return [Expr(values[v]) for v in terminator(block).operands]


def function_of(site: Site, region: ir.Region) -> str:
    """The computation as a function of the module. (The site is that of an op being expanded.)"""
    types = [a.type for a in region.blocks[0].arguments]
    name = f"{site.op.name.removeprefix('stablehlo.')}.computation"
    return site.deriver.define(name, types, lambda arguments: inline(site, region, arguments), site.op.location)


def over_arrays(site: Site, region: ir.Region) -> Apply:
    """A computation of scalars, applied to each element of arrays of one shape."""
    block = region.blocks[0]
    types = [a.type.element_type for a in block.arguments]
    name = single_op(region)
    symbol = "" if name else function_of(site, region)

    def apply(xs: Sequence[Expr]) -> list[Expr]:
        xs = [E.convert(x, t) for x, t in zip(xs, types, strict=True)]
        if name:
            only = block.operations[0].operation
            given = dict(zip(block.arguments, xs, strict=True))
            return [E.op(name, *(given[v] for v in only.operands), **dict(only.attributes.items()))]
        shape = xs[0].shape
        if not shape:
            return site.deriver.call(symbol, xs)
        n = E.size(shape)
        batched, has = site.deriver.batch_of(symbol, (True,) * len(xs), n)
        outs = site.deriver.call(batched, [E.reshape(x, [n]) for x in xs])
        return [E.reshape(o if h else prepend(o, n), shape) for o, h in zip(outs, has, strict=True)]

    return apply


# -- folding -----------------------------------------------------------------------------------------------------------


def fold(site: Site, region: ir.Region, xs: Sequence[Expr], inits: Sequence[Expr]) -> list[Expr]:
    """Combine arrays along their first dimension, in order, starting from `inits` (of the other dimensions' shape)."""
    apply, n = over_arrays(site, region), xs[0].shape[0]
    types = [a.type.element_type for a in region.blocks[0].arguments]
    xs = [E.convert(x, t) for x, t in zip(xs, types[: len(xs)], strict=True)]
    inits = [E.convert(x, t) for x, t in zip(inits, types[: len(xs)], strict=True)]
    if not n or not E.size(xs[0].shape):
        return list(inits)
    if is_associative(region):
        return apply([*inits, *_tree(apply, xs, commutes=single_op(region) is not None)])

    def step(i: Expr, *so_far: Expr) -> list[Expr]:
        zero = E.full(i.type, 0)
        rows = [E.dynamic_slice(x, [i, *[zero] * (x.rank - 1)], [1, *x.shape[1:]]) for x in xs]
        return apply([*so_far, *(E.reshape(row, row.shape[1:]) for row in rows)])

    return count_up(n, step, inits)


def _tree(apply: Apply, xs: Sequence[Expr], commutes: bool) -> list[Expr]:
    """Combine along the first dimension by halves; neighbours only, unless the computation commutes."""
    while (n := xs[0].shape[0]) > 1:
        half, odd = divmod(n, 2)
        if commutes:
            left, right = ([E.slice_in_dim(x, k * half, (k + 1) * half, 0) for x in xs] for k in (0, 1))
        else:
            left, right = ([E.slice_in_dim(x, k, 2 * half, 0, stride=2) for x in xs] for k in (0, 1))
        combined = apply([*left, *right])
        if odd:
            combined = [
                E.concatenate([c, E.slice_in_dim(x, n - 1, n, 0)], 0) for c, x in zip(combined, xs, strict=True)
            ]
        xs = combined
    return [E.reshape(x, x.shape[1:]) for x in xs]


def prefix(apply: Apply, xs: Sequence[Expr], dim: int) -> list[Expr]:
    """The results up to each element: first those of pairs, from these those at odd places, then at even ones."""
    n = xs[0].shape[dim]
    if n < 2:
        return list(xs)
    pairs = [[E.slice_in_dim(x, k, n - n % 2, dim, 2) for x in xs] for k in (0, 1)]
    odd = prefix(apply, apply([*pairs[0], *pairs[1]]), dim)
    even = [E.slice_in_dim(x, 0, 1, dim) for x in xs]
    if n > 2:
        before = [E.slice_in_dim(x, 0, (n - 1) // 2, dim) for x in odd]
        later = apply([*before, *(E.slice_in_dim(x, 2, n, dim, 2) for x in xs)])
        even = [E.concatenate([x, y], dim) for x, y in zip(even, later, strict=True)]
    return [_interleave(x, y, dim) for x, y in zip(even, odd, strict=True)]


def _interleave(even: Expr, odd: Expr, dim: int) -> Expr:
    n = even.shape[dim] + odd.shape[dim]

    def apart(x: Expr, first: int) -> Expr:
        low, high, interior = ([0] * x.rank for _ in range(3))
        low[dim], high[dim], interior[dim] = first, n - first - (2 * x.shape[dim] - 1), 1
        return E.pad(x, 0, low, high, interior)

    return apart(even, 0) + apart(odd, 1)


def suffix(apply: Apply, xs: Sequence[Expr], dim: int) -> list[Expr]:
    """The results from each element on: a prefix from the other side, with sides exchanged."""
    n = len(xs)
    flipped = prefix(lambda both: apply([*both[n:], *both[:n]]), [E.reverse(x, [dim]) for x in xs], dim)
    return [E.reverse(x, [dim]) for x in flipped]


def count_up(n: int, step: Callable[..., Sequence[Expr]], state: Sequence[Expr]) -> list[Expr]:
    """The state after `state = step(i, *state)` for i = 0, …, n - 1."""
    counter = E.tensor([], ir.IntegerType.get_signless(32))
    start = [E.full(counter, 0), *state]
    return E.loop(start, lambda i, *_: i < n, lambda i, *held: [i + 1, *step(i, *held)])[1:]
