"""Gather and scatter whose places are known, or meet."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np
from jaxlib.mlir import ir

from gradir.tensor.analysis import ranges
from gradir.tensor.analysis.computation import single_op
from gradir.tensor.analysis.known import integers, progression
from gradir.tensor.ir import expr as E
from gradir.tensor.ir.expr import Expr
from gradir.tensor.ir.reading import integer, ints, made_by, single_use, splat_of
from gradir.tensor.ir.regions import copy_region, terminator
from gradir.tensor.optimize.driver import Driver
from gradir.tensor.optimize.effects import KINKS, RANGE, ROUNDS, ZERO_SIGN
from gradir.tensor.optimize.indexing import indexing
from gradir.tensor.optimize.pieces import box
from gradir.tensor.optimize.rule import again
from gradir.tensor.rules.indexing import Dims

rule = indexing.rule


# -- where windows lie -------------------------------------------------------------------------------------------------


def _places(dims: Dims, i: ir.Value, shape: Sequence[int], sizes: Sequence[int]) -> np.ndarray | None:
    """Where each window begins, if that is known: an array [*dimensions of the indices, dimensions of the operand].

    Nothing is moved inside: a gather does that, a scatter leaves out what does not fit.
    """
    data = integers(i)
    if data is None or not data.size:
        return None
    rows = np.moveaxis(data if dims.vector < data.ndim else data[..., None], dims.vector, -1).astype(np.int64)
    places = np.zeros((*rows.shape[:-1], len(shape)), np.int64)
    for k, d in enumerate(dims.index_map):
        places[..., d] = rows[..., k]
    for d, of in zip(dims.batching, dims.index_batching, strict=True):
        axis = of - (of > dims.vector)
        line = np.arange(rows.shape[axis])
        places[..., d] = line.reshape([-1 if a == axis else 1 for a in range(rows.ndim - 1)])
    return places


@dataclass
class Grid:
    """Windows of size 1 in some dimensions, where they go in equal steps, each along a dimension of the indices."""

    start: list[int]
    step: list[int]
    axis: list[int | None]
    """Along which dimension of the indices the windows move in each dimension of the operand."""
    counts: list[int]
    """How many elements of each dimension of the operand the windows take up."""
    lengths: tuple[int, ...]
    """The dimensions of the indices."""

    @property
    def moving(self) -> list[int]:
        """The dimensions along which windows move, in the order of the indices' dimensions."""
        return sorted((d for d, a in enumerate(self.axis) if a is not None), key=lambda d: self.axis[d])  # type: ignore[arg-type, return-value]

    @property
    def box(self) -> tuple[list[int], list[int], list[int]]:
        """Start, limit and strides of what the windows take up together."""
        low, high, strides = [], [], []
        for a, s, n in zip(self.start, self.step, self.counts, strict=True):
            first, last = sorted((a, a + s * (n - 1)))
            low.append(first)
            high.append(last + 1)
            strides.append(abs(s))
        return low, high, strides

    @property
    def backwards(self) -> list[int]:
        return [d for d, s in enumerate(self.step) if s < 0]


def _grid(places: np.ndarray, sizes: Sequence[int]) -> Grid | None:
    """The windows as a grid, if they lie on one."""
    lengths, rank = places.shape[:-1], places.shape[-1]
    found = Grid([int(n) for n in places.reshape(-1, rank)[0]], [1] * rank, [None] * rank, list(sizes), lengths)
    for d in range(rank):
        column = places[..., d]
        axes = [a for a in range(len(lengths)) if (np.diff(column, axis=a) != 0).any()]
        if not axes:
            continue
        if len(axes) != 1 or sizes[d] != 1 or axes[0] in found.axis:
            return None
        (axis,) = axes
        steps = progression(np.moveaxis(column, axis, 0).reshape(lengths[axis], -1)[:, 0])
        if steps is None or steps[1] == 0:
            return None
        found.step[d], found.axis[d], found.counts[d] = steps[1], axis, lengths[axis]
    return found


def _outer(dims: Dims, rank: int) -> list[int]:
    return [d for d in range(rank) if d not in dims.window]


def _as_windows(part: Expr, grid: Grid, dims: Dims, shape: Sequence[int]) -> Expr:
    """What all windows take up, as a gather gives it: with the dimensions of the indices."""
    moving = grid.moving
    rest = [d for d in range(part.rank) if d not in moving]
    sizes = [1 if d in moving else part.shape[d] for d in range(part.rank)]
    windows = [n for d, n in enumerate(sizes) if d not in dims.collapsed and d not in dims.batching]
    used = [grid.axis[d] for d in moving]
    part = E.reshape(E.transpose(part, [*moving, *rest]), [*(part.shape[d] for d in moving), *windows])
    n = len(grid.lengths)
    part = E.broadcast(part, [*grid.lengths, *windows], [*used, *range(n, n + len(windows))])  # type: ignore[list-item]
    order = [*_outer(dims, len(shape)), *dims.window]
    return E.transpose(part, [order.index(d) for d in range(len(shape))])


# -- gather ------------------------------------------------------------------------------------------------------------


@rule("gather(x, i)", when=lambda op: splat_of(op.operands[0]) is not None)
def gather_splat(op: ir.Operation, x: Expr) -> Expr | None:
    """A gather from a constant that is the same everywhere is one."""
    number = splat_of(x.value)
    return None if number is None else E.full(op.results[0].type, number)


@rule("gather(x, i)")
def gather_known(op: ir.Operation, x: Expr, i: Expr) -> Expr | None:
    """A gather at places that go in equal steps is a slice."""
    dims, shape = Dims.of_gather(op.attributes["dimension_numbers"]), op.results[0].type.shape
    sizes = ints(op, "slice_sizes")
    places = _places(dims, i.value, x.shape, sizes)
    if places is None:
        return None
    places = np.clip(places, 0, np.subtract(x.shape, sizes))
    grid = _grid(places, sizes)
    if grid is not None:
        part = E.slice_(x, *grid.box)
        part = E.reverse(part, grid.backwards) if grid.backwards else part
        return _as_windows(part, grid, dims, shape)
    # Steps that are equal only if the indices are seen as one row.
    flat = _grid(places.reshape(-1, x.rank), sizes) if not dims.batching else None
    if flat is None:
        return None
    part = E.slice_(x, *flat.box)
    part = E.reverse(part, flat.backwards) if flat.backwards else part
    (along,) = flat.moving
    rest = [d for d in range(x.rank) if d != along]
    windows = [n for d, n in enumerate(sizes) if d not in dims.collapsed]
    part = E.reshape(E.transpose(part, [along, *rest]), [*places.shape[:-1], *windows])
    order = [*_outer(dims, len(shape)), *dims.window]
    return E.transpose(part, [order.index(d) for d in range(len(shape))])


Scalar = Callable[[], Expr]


def _pieces(dims: Dims, i: ir.Value) -> list[tuple[ir.Value, Scalar | None]] | None:
    """The components of indices put together of them; with the number, where it is the same for all windows."""
    if dims.vector == i.type.rank or i.type.shape[dims.vector] == 1:
        return [(i, _scalar(i))]
    m = made_by(i, "concatenate")
    if m is not None and integer(m, "dimension") == dims.vector:
        if any(v.type.shape[dims.vector] != 1 for v in m.operands):
            return None
        return [(v, _scalar(v)) for v in m.operands]
    if E.size(i.type.shape) == i.type.shape[dims.vector]:  # one window

        def part(k: int) -> Scalar:
            return lambda: E.reshape(E.slice_(E.reshape(Expr(i), [E.size(i.type.shape)]), [k], [k + 1]), [])

        return [(i, part(k)) for k in range(i.type.shape[dims.vector])]
    return None


def _scalar(value: ir.Value) -> Scalar | None:
    b = made_by(value, "broadcast_in_dim")
    source = b.operands[0] if b is not None else value
    return (lambda: E.reshape(Expr(source), [])) if E.size(source.type.shape) == 1 else None


@rule("gather(x, i)")
def gather_from_one_place(op: ir.Operation, x: Expr, i: Expr) -> Expr | None:
    """Where all windows of a gather begin at one place (in some dimensions), that is a dynamic slice."""
    dims, shape = Dims.of_gather(op.attributes["dimension_numbers"]), op.results[0].type.shape
    sizes = ints(op, "slice_sizes")
    pieces = _pieces(dims, i.value) if not dims.batching else None
    if pieces is None or all(at is None or splat_of(v) is not None for v, at in pieces):
        return None
    kept = [k for k, (_, at) in enumerate(pieces) if at is None]
    fixed = {dims.index_map[k]: at for k, (_, at) in enumerate(pieces) if at is not None}
    room = [sizes[d] if d in fixed or d not in dims.index_map else n for d, n in enumerate(x.shape)]
    if kept and E.size(room) > 2 * E.size(shape):
        return None
    zero = E.full(E.tensor([], i.dtype), 0)
    part = E.dynamic_slice(x, [fixed[d]() if d in fixed else zero for d in range(x.rank)], room)
    if not kept:
        lengths = tuple(shape[d] for d in _outer(dims, len(shape)))
        return _as_windows(part, Grid([0] * x.rank, [1] * x.rank, [None] * x.rank, room, lengths), dims, shape)
    rest = [Expr(pieces[k][0]) for k in kept]
    attributes = dict(op.attributes.items())
    attributes["dimension_numbers"] = replace(dims, index_map=tuple(dims.index_map[k] for k in kept)).gather()
    at = E.concatenate(rest, dims.vector) if len(rest) > 1 else rest[0]
    return E.op("stablehlo.gather", part, at, result=op.results[0].type, **attributes)


@rule("gather(f := elementwise(*xs), i)", phase="up", gated=True)
def gather_elementwise(op: ir.Operation, f: ir.Operation, i: Expr) -> Expr | None:
    """gather(f(x)) -> f(gather(x)) where fewer elements are read than there are."""
    shape, x = op.results[0].type.shape, f.results[0]
    if not single_use(x) or E.size(shape) >= E.size(x.type.shape):
        return None
    parts: list[Expr] = []
    for v in f.operands:
        if not v.type.rank:
            parts.append(Expr(v))
        else:
            t = E.tensor(shape, v.type.element_type)
            parts.append(E.op("stablehlo.gather", Expr(v), i, result=t, **dict(op.attributes.items())))
    return again(f, parts, shape)


@rule("slice(g := gather(x, i))", phase="up", gated=True)
def slice_of_gather(op: ir.Operation, g: ir.Operation, x: Expr, i: Expr) -> Expr | None:
    """slice(gather(x, i)) -> gather(x, slice(i)): only what is used is gathered."""
    dims = Dims.of_gather(g.attributes["dimension_numbers"])
    start, limit, strides = box(op)
    shape = g.results[0].type.shape
    if dims.batching or not single_use(g.results[0]):
        return None
    if any((start[d], limit[d], strides[d]) != (0, shape[d], 1) for d in dims.window):
        return None
    parts = [[part[d] for d in _outer(dims, len(shape))] for part in (start, limit, strides)]
    if dims.vector < i.rank:
        for part, whole in zip(parts, (0, i.shape[dims.vector], 1), strict=True):
            part.insert(dims.vector, whole)
    attributes = dict(g.attributes.items())
    return E.op("stablehlo.gather", x, E.slice_(i, *parts), result=op.results[0].type, **attributes)


# -- scatter -----------------------------------------------------------------------------------------------------------


def _body(op: ir.Operation) -> str | None:
    """What a scatter does with the old element and the update: `add`, …, or `take` if it takes the update."""
    block = op.regions[0].blocks[0]
    if len(block.operations) == 1 and list(terminator(block).operands) == [block.arguments[1]]:
        return "take"
    name = single_op(op.regions[0])
    if name is None or list(block.operations[0].operation.operands) != list(block.arguments):
        return None if name not in _EITHER_WAY else name.removeprefix("stablehlo.")
    return name.removeprefix("stablehlo.")


_EITHER_WAY = frozenset(f"stablehlo.{n}" for n in ("add", "multiply", "maximum", "minimum", "and", "or", "xor"))


def _combined(body: str, old: Expr, new: Expr) -> Expr:
    return new if body == "take" else E.op(f"stablehlo.{body}", old, new)


def _geometry(op: ir.Operation) -> tuple[Dims, str | None, list[int]]:
    dims = Dims.of_scatter(op.attributes["scatter_dimension_numbers"])
    return dims, _body(op), dims.sizes(op.operands[0].type.rank, op.operands[2].type.shape)


def scatter_again(op: ir.Operation, x: Expr, i: Expr, u: Expr) -> Expr:
    """The same scatter, of other values."""
    made = E.ops("stablehlo.scatter", [x, i, u], [x.type], dict(op.attributes.items()), regions=1)
    copy_region(op.regions[0], made.regions[0], {})
    return Expr(made.results[0])


@rule("scatter(x, i, u)")
def scatter_one(op: ir.Operation, x: Expr, i: Expr, u: Expr, driver: Driver) -> Expr | None:
    """One window written at a place that is inside is a dynamic update."""
    dims, body, sizes = _geometry(op)
    if dims.batching or body is None or any(n != 1 for d, n in enumerate(u.shape) if d not in dims.window):
        return None
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
    if body != "take":
        window = _combined(body, E.dynamic_slice(x, starts, sizes), window)
    return E.dynamic_update_slice(x, window, starts)


@rule("scatter(x, i, u)", effects=ROUNDS)
def scatter_known(op: ir.Operation, x: Expr, i: Expr, u: Expr) -> Expr | None:
    """A scatter to places that go in equal steps is a pad, an update, or the whole."""
    dims, body, sizes = _geometry(op)
    places = _places(dims, i.value, x.shape, sizes) if body is not None else None
    if body is None or places is None:
        return None
    if ((places >= x.shape) | (places + np.asarray(sizes) <= 0)).any(-1).all():  # all windows lie wholly outside
        return x
    inside = ((places >= 0) & (places <= np.subtract(x.shape, sizes))).all()
    grid = _grid(places, sizes) if inside else None
    if grid is None:
        return None
    over = [a for a, n in enumerate(grid.lengths) if n > 1 and a not in grid.axis]
    if over and body != "add":
        return None  # one place is written more than once
    new = _as_part(u, grid, dims, over)
    start, limit, strides = grid.box
    number = splat_of(x.value)
    edges = start, [n - m for n, m in zip(x.shape, limit, strict=True)], [s - 1 for s in strides]
    if number is not None and (body == "take" or (body == "add" and number == 0)):
        return E.pad(new, number, *edges)
    dense = all(s == 1 for s in strides)
    if body != "take" and (dense or body != "add"):
        new = _combined(body, E.slice_(x, start, limit, strides), new)
    if new.shape == x.shape:
        return new
    if dense:
        return E.dynamic_update_slice(x, new, [E.full(E.tensor([], i.dtype), n) for n in start])
    if body == "add":
        return x + E.pad(new, 0, *edges)
    here = E.pad(E.full(E.tensor(new.shape, ir.IntegerType.get_signless(1)), True), False, *edges)
    return E.select(here, E.pad(new, 0, *edges), x)


def _as_part(u: Expr, grid: Grid, dims: Dims, over: Sequence[int]) -> Expr:
    """The updates of a scatter, as the part of the operand that they take up; those of one place added up."""
    u = E.transpose(u, [*_outer(dims, u.rank), *dims.window])
    u = E.reduce_sum(u, over) if over else u
    moving = grid.moving
    rest = [d for d in range(len(grid.counts)) if d not in moving]
    order = [*moving, *rest]
    u = E.transpose(E.reshape(u, [grid.counts[d] for d in order]), [order.index(d) for d in range(len(order))])
    return E.reverse(u, grid.backwards) if grid.backwards else u


def _may_be_marked(op: ir.Operation) -> bool:
    flag = op.attributes.get("unique_indices", None)
    return flag is None or not ir.BoolAttr(flag).value


def _may_meet(op: ir.Operation, places: np.ndarray | None, sizes: Sequence[int], dims: Dims) -> bool:
    """Whether two windows may lie on each other."""
    if not _may_be_marked(op):
        return False
    if E.size([n for d, n in enumerate(op.operands[2].type.shape) if d not in dims.window]) == 1:
        return False
    if places is None or any(sizes[d] != 1 for d in dims.index_map):
        return True
    rows = places.reshape(-1, places.shape[-1])
    return len(np.unique(rows, axis=0)) < len(rows)


@rule("scatter(x, i, u)", when=_may_be_marked)
def scatter_unique(op: ir.Operation, x: Expr, i: Expr) -> Expr | None:
    """A scatter whose windows are seen not to meet says so."""
    dims, _, sizes = _geometry(op)
    places = _places(dims, i.value, x.shape, sizes)
    if places is None or _may_meet(op, places, sizes, dims):
        return None
    op.attributes["unique_indices"] = ir.BoolAttr.get(True)
    return Expr(op.results[0])


@rule("scatter(x, i, g := gather(x, i))")
def scatter_of_gathered(op: ir.Operation, g: ir.Operation, x: Expr) -> Expr | None:
    """Writing back what was gathered there changes nothing. (What lies outside, as a whole, is not written.)"""
    dims, body, sizes = _geometry(op)
    if any(sizes[d] != 1 for d in dims.index_map):
        return None
    same = dims == Dims.of_gather(g.attributes["dimension_numbers"]) and tuple(sizes) == ints(g, "slice_sizes")
    return x if same and body == "take" else None


@rule("scatter(s := scatter(x, i, u), i, v)", effects=ROUNDS)
def scatter_scatter(op: ir.Operation, s: ir.Operation, x: Expr, i: Expr, u: Expr, v: Expr) -> Expr | None:
    """Two scatters to the same places are one: of the sum of the updates, or the last."""
    (dims, body, _), (first, inner, _) = _geometry(op), _geometry(s)
    if dims != first or u.type != v.type or not single_use(s.results[0]):
        return None
    if body == "take" and inner is not None:
        return scatter_again(op, x, i, v)
    return scatter_again(op, x, i, u + v) if body == inner == "add" else None


@rule("x + (s := scatter(0, i, u))", "number", effects=ROUNDS | ZERO_SIGN)
def add_scatter(s: ir.Operation, x: Expr, i: Expr, u: Expr) -> Expr | None:
    """x + scatter_add(0, u) -> scatter_add(x, u): no full array of zeros is added."""
    return scatter_again(s, x, i, u) if _body(s) == "add" and single_use(s.results[0]) else None


@rule("x - (s := scatter(0, i, u))", "number", effects=ROUNDS)
def sub_scatter(s: ir.Operation, x: Expr, i: Expr, u: Expr) -> Expr | None:
    """x - scatter_add(0, u) -> scatter_add(x, -u)."""
    return scatter_again(s, x, i, -u) if _body(s) == "add" and single_use(s.results[0]) else None


@rule("-(s := scatter(0, i, u))", "number", gated=True, effects=ZERO_SIGN)
def neg_scatter(s: ir.Operation, i: Expr, u: Expr) -> Expr | None:
    """-scatter_add(0, u) -> scatter_add(0, -u): fewer elements are negated."""
    if _body(s) not in ("add", "take") or not single_use(s.results[0]):
        return None
    return scatter_again(s, Expr(s.operands[0]), i, -u)


@rule("(s := scatter(0, i, u)) * C", "float", effects=ROUNDS | RANGE, gated=True)
def mul_scatter(op: ir.Operation, s: ir.Operation, i: Expr, u: Expr, C: float) -> Expr | None:
    """scatter_add(0, u) * C -> scatter_add(0, u * C): fewer elements are multiplied."""
    if _body(s) not in ("add", "take") or not single_use(s.results[0]) or not np.isfinite(C):
        return None
    return scatter_again(s, Expr(s.operands[0]), i, u * C)


@rule("unary(s := scatter(x, i, u))", effects=KINKS, gated=True)
def unary_of_scatter(op: ir.Operation, s: ir.Operation, x: Expr, i: Expr, u: Expr) -> Expr | None:
    """f(scatter(x, u)) -> scatter(f(x), f(u)) where x is a constant and u is taken as it is.

    (What is written outside, or overwritten, is kept from f and its derivative.)
    """
    if splat_of(x.value) is None or _body(s) != "take" or not single_use(s.results[0]):
        return None
    new = again(op, [x]), again(op, [u])
    made = E.ops("stablehlo.scatter", [new[0], i, new[1]], [new[0].type], dict(s.attributes.items()), regions=1)
    scalar = E.tensor([], new[0].dtype)
    E.fill(made.regions[0], [scalar, scalar], lambda _, update: [update])
    return Expr(made.results[0])


@rule("gather(s := scatter(x, i, u), i)")
def gather_of_scatter(op: ir.Operation, s: ir.Operation, x: Expr, i: Expr, u: Expr, driver: Driver) -> Expr | None:
    """What is gathered from where it has just been written is what was written."""
    wrote, body, sizes = _geometry(s)
    if wrote != Dims.of_gather(op.attributes["dimension_numbers"]) or u.type != op.results[0].type or body != "take":
        return None
    places = _places(wrote, i.value, x.shape, sizes)
    if _may_meet(s, places, sizes, wrote):
        return None
    room = [x.shape[d] - sizes[d] for d in wrote.index_map]
    known = ranges.components(i.value, wrote.vector)
    known = [driver.facts.bounds(i)] if len(known) == 1 else known
    return u if all(k.within(0, n) for k, n in zip(known, room, strict=True)) else None
