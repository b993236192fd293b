"""Gather, scatter and dynamic slices whose places are known, or meet."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from jaxlib.mlir import ir

from gradir.tensor import expr as E
from gradir.tensor.activity import terminator
from gradir.tensor.expr import Expr
from gradir.tensor.optimize.driver import Driver
from gradir.tensor.optimize.known import integers, progression
from gradir.tensor.optimize.reading import integer, ints, made_by, maker, single_use, splat_of
from gradir.tensor.optimize.rule import Family, again
from gradir.tensor.rules.computation import single_op
from gradir.tensor.rules.indexing import Dims

indexing = Family("indexing", "gather, scatter and dynamic slices")
rule = indexing.rule


# -- dynamic slices ----------------------------------------------------------------------------------------------------


def _starts(values: Sequence[Expr], room: Sequence[int]) -> list[int] | None:
    """Starts that are constant, moved inside as the op does."""
    found: list[int] = []
    for v, most in zip(values, room, strict=True):
        number = splat_of(v.value)
        if number is None:
            return None
        found.append(max(0, min(int(number), most)))  # type: ignore[arg-type]
    return found


def _room(shape: Sequence[int], sizes: Sequence[int]) -> list[int]:
    return [n - m for n, m in zip(shape, sizes, strict=True)]


@rule("dynamic_slice(*xs)")
def dynamic_slice_whole(op: ir.Operation, xs: list[Expr]) -> Expr | None:
    """A dynamic slice of everything is the whole."""
    return xs[0] if xs[0].type == op.results[0].type else None


@rule("dynamic_slice(*xs)")
def dynamic_slice_static(op: ir.Operation, xs: list[Expr]) -> Expr | None:
    """A dynamic slice from constant places is a slice."""
    sizes = op.results[0].type.shape
    starts = _starts(xs[1:], _room(xs[0].shape, sizes))
    return None if starts is None else E.slice_(xs[0], starts, [a + n for a, n in zip(starts, sizes, strict=True)])


@rule("dynamic_slice(*xs)")
def dynamic_slice_splat(op: ir.Operation, xs: list[Expr]) -> Expr | None:
    """A dynamic slice of a constant that is the same everywhere is one."""
    number = splat_of(xs[0].value)
    return None if number is None else E.full(op.results[0].type, number)


@rule("dynamic_slice(*xs)")
def dynamic_slice_iota(op: ir.Operation, xs: list[Expr], driver: Driver) -> Expr | None:
    """Element i of an iota is i."""
    x, t = xs[0], op.results[0].type
    source = made_by(x, "iota")
    if source is None:
        return None
    dim = ir.IntegerAttr(source.attributes["iota_dimension"]).value
    start = xs[1 + dim]
    if t.shape[dim] != 1 or not driver.facts.bounds(start).within(0, x.shape[dim] - 1):
        return None
    return E.broadcast(E.convert(start, x.dtype), t.shape, [])


@rule("dynamic_slice(*xs)")
def dynamic_slice_broadcast(op: ir.Operation, xs: list[Expr]) -> Expr | None:
    """dynamic_slice(broadcast(x)) -> broadcast(dynamic_slice(x)): only along dimensions that x has."""
    b = made_by(xs[0], "broadcast_in_dim")
    if b is None:
        return None
    x, dims, shape = Expr(b.operands[0]), ints(b, "broadcast_dimensions"), op.results[0].type.shape
    full = xs[0].shape
    # Where x is repeated from one element, each piece is that element.
    sizes = [shape[d] if x.shape[i] == full[d] else 1 for i, d in enumerate(dims)]
    zero = E.full(xs[1].type, 0) if x.rank else None
    starts = [xs[1 + d] if x.shape[i] == full[d] else zero for i, d in enumerate(dims)]
    inner = E.dynamic_slice(x, [s for s in starts if s is not None], sizes) if x.rank else x
    return E.broadcast(inner, shape, dims)


@rule("dynamic_slice(*xs)", phase="up", gated=True)
def dynamic_slice_elementwise(op: ir.Operation, xs: list[Expr]) -> Expr | None:
    """dynamic_slice(f(x, y)) -> f(dynamic_slice(x), dynamic_slice(y)): only what is read is computed."""
    f = maker(xs[0].value)
    if f is None or not _is_elementwise(f) or not single_use(xs[0].value):
        return None
    sizes = op.results[0].type.shape
    parts = [E.dynamic_slice(Expr(v), xs[1:], sizes) if v.type.rank else Expr(v) for v in f.operands]
    return again(f, parts, sizes)


def _is_elementwise(op: ir.Operation) -> bool:
    from gradir.tensor.optimize.pattern import CLASSES

    return op.name in CLASSES["stablehlo.elementwise"]


@rule("dynamic_slice(*xs)")
def dynamic_slice_of_update(op: ir.Operation, xs: list[Expr]) -> Expr | None:
    """What is read where it has just been written is what was written."""
    d = made_by(xs[0], "dynamic_update_slice")
    if d is None or d.operands[1].type != op.results[0].type or list(d.operands)[2:] != [x.value for x in xs[1:]]:
        return None
    return Expr(d.operands[1])


@rule("dynamic_slice(*xs)")
def dynamic_slice_reshape(op: ir.Operation, xs: list[Expr]) -> Expr | None:
    """dynamic_slice(reshape(x)) -> reshape(dynamic_slice(x)) where the reshape only adds dimensions of size 1."""
    r = made_by(xs[0], "reshape")
    if r is None:
        return None
    x, shape, sizes = Expr(r.operands[0]), xs[0].shape, op.results[0].type.shape
    kept = [d for d in range(len(shape)) if shape[d] != 1]
    if [shape[d] for d in kept] != x.shape:
        return None
    inner = E.dynamic_slice(x, [xs[1 + d] for d in kept], [sizes[d] for d in kept]) if kept else x
    return E.reshape(inner, sizes)


@rule("dynamic_slice(*xs)", phase="up")
def dynamic_slice_transpose(op: ir.Operation, xs: list[Expr]) -> Expr | None:
    """dynamic_slice(transpose(x)) -> transpose(dynamic_slice(x))."""
    t = made_by(xs[0], "transpose")
    if t is None:
        return None
    permutation, sizes = ints(t, "permutation"), op.results[0].type.shape
    at = {source: to for to, source in enumerate(permutation)}
    order = [at[d] for d in range(len(permutation))]
    inner = E.dynamic_slice(Expr(t.operands[0]), [xs[1 + d] for d in order], [sizes[d] for d in order])
    return E.transpose(inner, permutation)


# -- dynamic updates ---------------------------------------------------------------------------------------------------


@rule("dynamic_update_slice(*xs)")
def update_whole(op: ir.Operation, xs: list[Expr]) -> Expr | None:
    """An update of everything is the update."""
    return xs[1] if xs[1].type == op.results[0].type else None


@rule("dynamic_update_slice(*xs)")
def update_nothing(op: ir.Operation, xs: list[Expr]) -> Expr | None:
    """Writing back what was read there changes nothing."""
    d = made_by(xs[1], "dynamic_slice")
    same = d is not None and d.operands[0] == xs[0].value and list(d.operands)[1:] == [x.value for x in xs[2:]]
    return xs[0] if same else None


@rule("dynamic_update_slice(*xs)")
def update_twice(op: ir.Operation, xs: list[Expr]) -> Expr | None:
    """Of two updates of one place the last counts."""
    d = made_by(xs[0], "dynamic_update_slice")
    if d is None or d.operands[1].type != xs[1].type or list(d.operands)[2:] != [x.value for x in xs[2:]]:
        return None
    return E.dynamic_update_slice(Expr(d.operands[0]), xs[1], xs[2:])


@rule("dynamic_update_slice(*xs)")
def update_splat(op: ir.Operation, xs: list[Expr]) -> Expr | None:
    """An update at a constant place of an array that is the same everywhere is a pad."""
    number, sizes = splat_of(xs[0].value), xs[1].shape
    starts = _starts(xs[2:], _room(xs[0].shape, sizes))
    if number is None or starts is None:
        return None
    high = [n - a - m for n, a, m in zip(xs[0].shape, starts, sizes, strict=True)]
    return E.pad(xs[1], number, starts, high)


@rule("dynamic_update_slice(*xs)")
def update_splat_by_same(op: ir.Operation, xs: list[Expr]) -> Expr | None:
    """Writing a number over itself changes nothing."""
    old, new = splat_of(xs[0].value), splat_of(xs[1].value)
    return xs[0] if old is not None and old == new else None


@rule("dynamic_update_slice(*xs)", phase="down", gated=True)
def update_to_concatenate(op: ir.Operation, xs: list[Expr]) -> Expr | None:
    """An update at a constant place along one dimension is a concatenate."""
    sizes = xs[1].shape
    starts = _starts(xs[2:], _room(xs[0].shape, sizes))
    dims = [d for d in range(xs[0].rank) if sizes[d] != xs[0].shape[d]]
    if starts is None or len(dims) != 1:
        return None
    (dim,) = dims
    parts = [xs[1]]
    if starts[dim]:
        parts.insert(0, E.slice_in_dim(xs[0], 0, starts[dim], dim))
    end = starts[dim] + sizes[dim]
    if end < xs[0].shape[dim]:
        parts.append(E.slice_in_dim(xs[0], end, xs[0].shape[dim], dim))
    return E.concatenate(parts, dim)


@rule("sort(*xs)", when=lambda op: op.operands[0].type.shape[integer(op, "dimension")] == 1)
def sort_of_one(xs: list[Expr]) -> list[Expr]:
    """One element is in order."""
    return xs


# -- gather ------------------------------------------------------------------------------------------------------------


@rule("gather(x, i)", when=lambda op: splat_of(op.operands[0]) is not None)
def gather_splat(op: ir.Operation, x: Expr) -> Expr | None:
    """A gather from a constant that is the same everywhere is one."""
    number = splat_of(x.value)
    return None if number is None else E.full(op.results[0].type, number)


@rule("gather(x, i)")
def gather_known(op: ir.Operation, x: Expr, i: Expr) -> Expr | None:
    """A gather at places that go in equal steps is a slice."""
    dims = Dims.of_gather(op.attributes["dimension_numbers"])
    sizes = ints(op, "slice_sizes")
    places = _windows(dims, i, x.shape, sizes)
    if places is None:
        return None
    moving = [d for d in range(x.rank) if len(np.unique(places[:, d])) > 1]
    n = len(places)
    if len(moving) > 1 or any(sizes[d] != 1 for d in moving):
        return None
    start, limit, strides, backwards = list(places[0]), [0] * x.rank, [1] * x.rank, False
    for d in range(x.rank):
        limit[d] = start[d] + sizes[d]
    for d in moving:
        steps = progression(places[:, d])
        if steps is None or steps[1] == 0:
            return None
        first, step = steps
        backwards = step < 0
        low, high = sorted((first, first + step * (n - 1)))
        start[d], limit[d], strides[d] = low, high + 1, abs(step)
    part = E.slice_(x, [int(a) for a in start], [int(a) for a in limit], strides)
    if backwards:
        part = E.reverse(part, moving)
    return _as_windows(part, moving, dims, i, op.results[0].type.shape)


def _windows(dims: Dims, i: Expr, shape: Sequence[int], sizes: Sequence[int]) -> np.ndarray | None:
    """Where each window begins, in order, if that is known: an array [windows, dimensions of the operand]."""
    if dims.batching:
        return None
    data = integers(i.value)
    if data is None or not data.size:
        return None
    rows = np.moveaxis(data if dims.vector < data.ndim else data[..., None], dims.vector, -1)
    rows = rows.reshape(-1, rows.shape[-1])
    places = np.zeros((len(rows), len(shape)), np.int64)
    for k, d in enumerate(dims.index_map):
        places[:, d] = np.clip(rows[:, k], 0, shape[d] - sizes[d])
    return places


def _as_windows(part: Expr, moving: Sequence[int], dims: Dims, i: Expr, shape: Sequence[int]) -> Expr:
    """A slice that holds all windows, as a gather gives them: with the dimensions of the indices."""
    outer = [d for d in range(len(shape)) if d not in dims.window]
    rank = part.rank
    if moving:
        part = E.transpose(part, [*moving, *(d for d in range(rank) if d not in moving)])
        n = part.shape[0]
        inner = [1 if d in moving else part.shape[1:][d - (d > moving[0])] for d in range(rank)]
    else:
        n, inner = 1, part.shape
    windows = [m for d, m in enumerate(inner) if d not in dims.collapsed]
    part = E.reshape(part, [n, *windows])
    if not moving:
        part = E.broadcast(E.reshape(part, windows), [E.size([shape[d] for d in outer]), *windows],
                           range(1, 1 + len(windows)))  # fmt: skip
    part = E.reshape(part, [*(shape[d] for d in outer), *windows])
    order = [*outer, *dims.window]
    return E.transpose(part, [order.index(d) for d in range(len(shape))])


@rule("gather(x, i)", phase="up", gated=True)
def gather_elementwise(op: ir.Operation, x: Expr, i: Expr) -> Expr | None:
    """gather(f(x)) -> f(gather(x)) where fewer elements are read than there are."""
    f = maker(x.value)
    if (
        f is None
        or not _is_elementwise(f)
        or not single_use(x.value)
        or E.size(op.results[0].type.shape) >= E.size(x.shape)
    ):
        return None
    shape = op.results[0].type.shape
    parts: list[Expr] = []
    for v in f.operands:
        if not v.type.rank:
            parts.append(Expr(v))
        else:
            t = E.tensor(shape, v.type.element_type)
            parts.append(E.op("stablehlo.gather", Expr(v), i, result=t, **dict(op.attributes.items())))
    return again(f, parts, shape)


# -- scatter -----------------------------------------------------------------------------------------------------------


def _scatter_body(op: ir.Operation) -> str | None:
    """What a scatter does with the old element and the update: `add`, …, or `take` if it takes the update."""
    block = op.regions[0].blocks[0]
    if len(block.operations) == 1 and list(terminator(block).operands) == [block.arguments[1]]:
        return "take"
    name = single_op(op.regions[0])
    return None if name is None else name.removeprefix("stablehlo.")


@rule("scatter(x, i, u)")
def scatter_one(op: ir.Operation, x: Expr, i: Expr, u: Expr, driver: Driver) -> Expr | None:
    """One window written at a place that is inside is a dynamic update."""
    dims = Dims.of_scatter(op.attributes["scatter_dimension_numbers"])
    body = _scatter_body(op)
    sizes = dims.sizes(x.rank, u.shape)
    if (
        dims.batching
        or body not in ("take", "add")
        or any(n != 1 for d, n in enumerate(u.shape) if d not in dims.window)
    ):
        return None
    from gradir.tensor.rules import ranges

    known = ranges.components(i.value, dims.vector)
    if len(known) == 1:
        known = [driver.facts.bounds(i)]
    room = [x.shape[d] - sizes[d] for d in dims.index_map]
    if not all(k.within(0, n) for k, n in zip(known, room, strict=True)):
        return None
    starts = [E.full(E.tensor([], i.dtype), 0)] * x.rank
    flat = E.reshape(i, [len(known)])
    for k, d in enumerate(dims.index_map):
        starts[d] = E.reshape(E.slice_(flat, [k], [k + 1]), [])
    window = E.reshape(u, sizes)
    if body == "add":
        window = E.dynamic_slice(x, starts, sizes) + window
    return E.dynamic_update_slice(x, window, starts)


@rule("scatter(x, i, u)")
def scatter_known(op: ir.Operation, x: Expr, i: Expr, u: Expr) -> Expr | None:
    """A scatter into all places, in order, takes the updates or combines with them."""
    dims = Dims.of_scatter(op.attributes["scatter_dimension_numbers"])
    body, sizes = _scatter_body(op), dims.sizes(x.rank, u.shape)
    if body is None or len(dims.index_map) != 1 or dims.vector not in (i.rank, i.rank - 1):
        return None
    (d,) = dims.index_map
    data = integers(i.value) if not dims.batching else None
    if data is None or data.size != x.shape[d] or sizes[d] != 1 or len(data.shape) - (dims.vector < data.ndim) != 1:
        return None
    if any(sizes[e] != x.shape[e] for e in range(x.rank) if e != d) or progression(data.ravel()) != (0, 1):
        return None
    (outer,) = [e for e in range(u.rank) if e not in dims.window]
    moved = E.transpose(u, [outer, *(e for e in range(u.rank) if e != outer)])
    rest = [x.shape[e] for e in range(x.rank) if e != d]
    whole = E.transpose(
        E.reshape(moved, [x.shape[d], *rest]), [e + 1 if e < d else 0 if e == d else e for e in range(x.rank)]
    )
    return whole if body == "take" else E.op(f"stablehlo.{body}", x, whole)


@rule("gather(s := scatter(x, i, u), i)")
def gather_of_scatter(op: ir.Operation, s: ir.Operation, x: Expr, i: Expr, u: Expr) -> Expr | None:
    """What is gathered from where one window has just been written is that window."""
    wrote, reads = (
        Dims.of_scatter(s.attributes["scatter_dimension_numbers"]),
        Dims.of_gather(op.attributes["dimension_numbers"]),
    )
    inside = integers(i.value)
    if wrote != reads or _scatter_body(s) != "take" or u.type != op.results[0].type or inside is None:
        return None
    sizes = wrote.sizes(x.rank, u.shape)
    room = [x.shape[d] - sizes[d] for d in wrote.index_map]
    one = all(n == 1 for e, n in enumerate(i.shape) if e != wrote.vector)
    return u if one and not wrote.batching and (inside >= 0).all() and (inside <= min(room)).all() else None
