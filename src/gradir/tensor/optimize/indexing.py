"""Dynamic slices and updates whose places are known, or meet. (Gather and scatter: `scattering.py`.)"""

from __future__ import annotations

from collections.abc import Sequence

from jaxlib.mlir import ir

from gradir.tensor.analysis.ranges import of_type
from gradir.tensor.ir import expr as E
from gradir.tensor.ir.expr import Expr
from gradir.tensor.ir.reading import integer, ints, single_use, splat_of
from gradir.tensor.optimize.driver import Driver
from gradir.tensor.optimize.effects import ROUNDS, ZERO_SIGN
from gradir.tensor.optimize.rule import Family, again

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


def same_places(first: Sequence[ir.Value | Expr], second: Sequence[ir.Value | Expr]) -> bool:
    """Whether two lists of starts are the same: the same values, or constants of one number."""
    pairs = zip(first, second, strict=True)
    return all(
        a == b or ((n := splat_of(a)) is not None and n == splat_of(b)) for a, b in ((_v(x), _v(y)) for x, y in pairs)
    )


def _v(x: ir.Value | Expr) -> ir.Value:
    return x.value if isinstance(x, Expr) else x


def _room(shape: Sequence[int], sizes: Sequence[int]) -> list[int]:
    return [n - m for n, m in zip(shape, sizes, strict=True)]


@rule("dynamic_slice(x, *at)", when=lambda op: op.operands[0].type == op.results[0].type)
def dynamic_slice_whole(x: Expr) -> Expr:
    """A dynamic slice of everything is the whole."""
    return x


@rule("dynamic_slice(x, *at)")
def dynamic_slice_static(op: ir.Operation, x: Expr, at: list[Expr]) -> Expr | None:
    """A dynamic slice from constant places is a slice."""
    sizes = op.results[0].type.shape
    starts = _starts(at, _room(x.shape, sizes))
    return None if starts is None else E.slice_(x, starts, [a + n for a, n in zip(starts, sizes, strict=True)])


@rule("dynamic_slice(x := constant(), *at)")
def dynamic_slice_splat(op: ir.Operation, x: ir.Operation) -> Expr | None:
    """A dynamic slice of a constant that is the same everywhere is one."""
    number = splat_of(x.results[0])
    return None if number is None else E.full(op.results[0].type, number)


@rule("dynamic_slice(x := iota(), *at)")
def dynamic_slice_iota(op: ir.Operation, x: ir.Operation, at: list[Expr], driver: Driver) -> Expr | None:
    """Element i of an iota is i."""
    t, of, dim = op.results[0].type, x.results[0].type, integer(x, "iota_dimension")
    if t.shape[dim] != 1 or not driver.facts.bounds(at[dim]).within(0, of.shape[dim] - 1):
        return None
    return E.broadcast(E.convert(at[dim], of.element_type), t.shape, [])


@rule("dynamic_slice(b := broadcast_in_dim(x), *at)")
def dynamic_slice_broadcast(op: ir.Operation, b: ir.Operation, x: Expr, at: list[Expr]) -> Expr:
    """dynamic_slice(broadcast(x)) -> broadcast(dynamic_slice(x)): only along dimensions that x has."""
    dims, shape, full = ints(b, "broadcast_dimensions"), op.results[0].type.shape, b.results[0].type.shape
    # Where x is repeated from one element, each piece is that element.
    sizes = [shape[d] if x.shape[i] == full[d] else 1 for i, d in enumerate(dims)]
    zero = E.full(at[0].type, 0) if x.rank else None
    starts = [at[d] if x.shape[i] == full[d] else zero for i, d in enumerate(dims)]
    inner = E.dynamic_slice(x, [s for s in starts if s is not None], sizes) if x.rank else x
    return E.broadcast(inner, shape, dims)


@rule("dynamic_slice(f := elementwise(*xs), *at)", phase="up", gated=True)
def dynamic_slice_elementwise(op: ir.Operation, f: ir.Operation, xs: list[Expr], at: list[Expr]) -> Expr | None:
    """dynamic_slice(f(x, y)) -> f(dynamic_slice(x), dynamic_slice(y)): only what is read is computed."""
    if not single_use(f.results[0]):
        return None
    sizes = op.results[0].type.shape
    return again(f, [E.dynamic_slice(x, at, sizes) if x.rank else x for x in xs], sizes)


@rule("dynamic_slice(dynamic_update_slice(x, y, *there), *at)")
def dynamic_slice_of_update(op: ir.Operation, y: Expr, there: list[Expr], at: list[Expr]) -> Expr | None:
    """What is read where it has just been written is what was written."""
    return y if y.type == op.results[0].type and same_places(there, at) else None


@rule("dynamic_slice(r := reshape(x), *at)")
def dynamic_slice_reshape(op: ir.Operation, r: ir.Operation, x: Expr, at: list[Expr]) -> Expr | None:
    """dynamic_slice(reshape(x)) -> reshape(dynamic_slice(x)) where the reshape only adds dimensions of size 1."""
    shape, sizes = r.results[0].type.shape, op.results[0].type.shape
    kept = [d for d in range(len(shape)) if shape[d] != 1]
    if [shape[d] for d in kept] != x.shape:
        return None
    inner = E.dynamic_slice(x, [at[d] for d in kept], [sizes[d] for d in kept]) if kept else x
    return E.reshape(inner, sizes)


@rule("dynamic_slice(t := transpose(x), *at)", phase="up")
def dynamic_slice_transpose(op: ir.Operation, t: ir.Operation, x: Expr, at: list[Expr]) -> Expr:
    """dynamic_slice(transpose(x)) -> transpose(dynamic_slice(x))."""
    permutation, sizes = ints(t, "permutation"), op.results[0].type.shape
    to = {source: to for to, source in enumerate(permutation)}
    order = [to[d] for d in range(len(permutation))]
    return E.transpose(E.dynamic_slice(x, [at[d] for d in order], [sizes[d] for d in order]), permutation)


def _inside(start: Expr, room: int, driver: Driver) -> Expr:
    """A start as the op uses it: not outside."""
    if driver.facts.bounds(start).within(0, room):
        return start
    low, high = of_type(start.dtype)
    return E.minimum(E.maximum(start, 0), min(room, high)) if low < 0 else E.minimum(start, min(room, high))


def _plus(start: Expr, by: int) -> Expr:
    return start + by if by else start


def _fit(starts: Sequence[Expr], shape: Sequence[int]) -> bool:
    """Whether the type of the starts can hold every place."""
    return all(n <= of_type(s.dtype).high for s, n in zip(starts, shape, strict=True))


@rule("dynamic_slice(inner := slice(x), *at)")
def dynamic_slice_of_slice(
    op: ir.Operation, inner: ir.Operation, x: Expr, at: list[Expr], driver: Driver
) -> Expr | None:
    """dynamic_slice(slice(x)) -> dynamic_slice(x): from so much further on."""
    sizes = op.results[0].type.shape
    if any(n != 1 for n in ints(inner, "strides")) or not _fit(at, x.shape):
        return None
    rooms = _room(inner.results[0].type.shape, sizes)
    return E.dynamic_slice(x, _further(at, rooms, ints(inner, "start_indices"), driver), sizes)


@rule("slice(d := dynamic_slice(x, *at))", phase="up")
def slice_of_dynamic_slice(op: ir.Operation, d: ir.Operation, x: Expr, at: list[Expr], driver: Driver) -> Expr | None:
    """slice(dynamic_slice(x)) -> dynamic_slice(x): of less, from so much further on."""
    if any(n != 1 for n in ints(op, "strides")) or not single_use(d.results[0]) or not _fit(at, x.shape):
        return None
    rooms = _room(x.shape, d.results[0].type.shape)
    return E.dynamic_slice(x, _further(at, rooms, ints(op, "start_indices"), driver), op.results[0].type.shape)


def _further(at: Sequence[Expr], rooms: Sequence[int], by: Sequence[int], driver: Driver) -> list[Expr]:
    """Starts so much further on."""
    return [_plus(_inside(s, room, driver), n) for s, room, n in zip(at, rooms, by, strict=True)]


@rule("dynamic_slice(inner := dynamic_slice(x, *before), *after)")
def dynamic_slice_twice(
    op: ir.Operation, inner: ir.Operation, x: Expr, before: list[Expr], after: list[Expr], driver: Driver
) -> Expr | None:
    """dynamic_slice(dynamic_slice(x)) -> dynamic_slice(x)."""
    if not single_use(inner.results[0]) or before[0].type != after[0].type or not _fit(after, x.shape):
        return None
    sizes, between = op.results[0].type.shape, inner.results[0].type.shape
    at: list[Expr] = []
    for d, (s, t) in enumerate(zip(before, after, strict=True)):
        outer, room = between[d], between[d] - sizes[d]
        at.append(s if outer == x.shape[d] and not room else _inside(s, x.shape[d] - outer, driver))
        if room:
            inside = _inside(t, room, driver)
            at[-1] = inside if outer == x.shape[d] else at[-1] + inside
    return E.dynamic_slice(x, at, sizes)


@rule("dynamic_slice(r := reduce(x, init), *at)", phase="up", gated=True)
def dynamic_slice_reduce(op: ir.Operation, r: ir.Operation, x: Expr, init: Expr, at: list[Expr]) -> Expr | None:
    """dynamic_slice(reduce(x)) -> reduce(dynamic_slice(x)): only what is read is computed."""
    if not single_use(r.results[0]) or r.block != op.block:
        return None  # (what is done once, before a loop, is not moved into it)
    from gradir.tensor.optimize.reductions import reduced_again

    dims, zero = ints(r, "dimensions"), E.full(at[0].type, 0)
    starts, sizes = iter(at), iter(op.results[0].type.shape)
    there = [zero if d in dims else next(starts) for d in range(x.rank)]
    part = E.dynamic_slice(x, there, [n if d in dims else next(sizes) for d, n in enumerate(x.shape)])
    return reduced_again(r, part, init, dims)


@rule("dynamic_slice(m := dot(x, y), *at)", phase="up", effects=ROUNDS, gated=True)
def dynamic_slice_dot(op: ir.Operation, m: ir.Operation, x: Expr, y: Expr, at: list[Expr]) -> Expr | None:
    """dynamic_slice(dot(x, y)) -> dot(dynamic_slice(x), dynamic_slice(y)): only what is read is computed."""
    if not single_use(m.results[0]) or m.block != op.block:
        return None
    from gradir.tensor.ir.dot import Dims
    from gradir.tensor.optimize.products import product

    dims, sizes, zero = Dims.of(m), op.results[0].type.shape, E.full(at[0].type, 0)
    n, parts = len(dims.batch[0]), list[Expr]()
    for side, z in enumerate((x, y)):
        there, room = [zero] * z.rank, list(z.shape)
        free = dims.free(side, z.rank)
        for result, d in [*enumerate(dims.batch[side]), *enumerate(free, n)]:
            there[d], room[d] = at[result], sizes[result]
        n += len(free)
        parts.append(z if room == z.shape else E.dynamic_slice(z, there, room))
    return product(m, parts[0], parts[1], dims)


# -- dynamic updates ---------------------------------------------------------------------------------------------------


@rule("dynamic_update_slice(x, y, *at)", when=lambda op: op.operands[1].type == op.results[0].type)
def update_whole(y: Expr) -> Expr:
    """An update of everything is the update."""
    return y


@rule("dynamic_update_slice(x, dynamic_slice(x, *there), *at)")
def update_nothing(x: Expr, there: list[Expr], at: list[Expr]) -> Expr | None:
    """Writing back what was read there changes nothing."""
    return x if same_places(there, at) else None


@rule("dynamic_update_slice(dynamic_update_slice(x, y, *there), z, *at)")
def update_twice(x: Expr, y: Expr, z: Expr, there: list[Expr], at: list[Expr]) -> Expr | None:
    """Of two updates of one place the last counts."""
    return E.dynamic_update_slice(x, z, at) if y.type == z.type and same_places(there, at) else None


@rule("dynamic_update_slice(dynamic_update_slice(x, y, *there), z, *at)")
def update_covers(x: Expr, y: Expr, z: Expr, there: list[Expr], at: list[Expr]) -> Expr | None:
    """An update that a later one covers goes."""
    a, b = _starts(there, _room(x.shape, y.shape)), _starts(at, _room(x.shape, z.shape))
    if a is None or b is None:
        return None
    parts = zip(a, y.shape, b, z.shape, strict=True)
    if not all(s <= r and r + n <= s + m for r, n, s, m in parts):
        return None
    return E.dynamic_update_slice(x, z, at)


@rule("slice(dynamic_update_slice(x, y, *at))")
def slice_of_update(op: ir.Operation, x: Expr, y: Expr, at: list[Expr]) -> Expr | None:
    """A slice of what has just been written is a slice of that; beside it, of what was there before."""
    starts = _starts(at, _room(x.shape, y.shape))
    if starts is None:
        return None
    low, high, strides = (ints(op, n) for n in ("start_indices", "limit_indices", "strides"))
    ends = [a + n for a, n in zip(starts, y.shape, strict=True)]
    if any(high[k] <= starts[k] or ends[k] <= low[k] for k in range(len(low))):
        return E.slice_(x, low, high, strides)
    if all(starts[k] <= low[k] and high[k] <= ends[k] for k in range(len(low))):
        here = [[n - a for n, a in zip(part, starts, strict=True)] for part in (low, high)]
        return E.slice_(y, here[0], here[1], strides)
    return None


@rule("dynamic_update_slice(k := constant(), y, *at)")
def update_splat(op: ir.Operation, k: ir.Operation, y: Expr, at: list[Expr]) -> Expr | None:
    """An update at a constant place of an array that is the same everywhere is a pad."""
    number, shape = splat_of(k.results[0]), op.results[0].type.shape
    starts = _starts(at, _room(shape, y.shape))
    if number is None or starts is None:
        return None
    return E.pad(y, number, starts, [n - a - m for n, a, m in zip(shape, starts, y.shape, strict=True)])


@rule("dynamic_update_slice(k := constant(), j := constant(), *at)")
def update_splat_by_same(k: ir.Operation, j: ir.Operation) -> Expr | None:
    """Writing a number over itself changes nothing."""
    old, new = splat_of(k.results[0]), splat_of(j.results[0])
    return Expr(k.results[0]) if old is not None and old == new else None


@rule("x + (d := dynamic_update_slice(0, y, *at))", "number", effects=ZERO_SIGN)
def add_update(d: ir.Operation, x: Expr, y: Expr, at: list[Expr]) -> Expr | None:
    """x + update(0, u) -> update(x, x there + u): no full array of zeros is added."""
    if not single_use(d.results[0]):
        return None
    return E.dynamic_update_slice(x, E.dynamic_slice(x, at, y.shape) + y, at)


@rule("x - (d := dynamic_update_slice(0, y, *at))", "number")
def sub_update(d: ir.Operation, x: Expr, y: Expr, at: list[Expr]) -> Expr | None:
    """x - update(0, u) -> update(x, x there - u)."""
    if not single_use(d.results[0]):
        return None
    return E.dynamic_update_slice(x, E.dynamic_slice(x, at, y.shape) - y, at)


@rule("dynamic_update_slice(x, y, *at)", phase="down", gated=True)
def update_to_concatenate(x: Expr, y: Expr, at: list[Expr]) -> Expr | None:
    """An update at a constant place along one dimension is a concatenate."""
    starts = _starts(at, _room(x.shape, y.shape))
    dims = [d for d in range(x.rank) if y.shape[d] != x.shape[d]]
    if starts is None or len(dims) != 1:
        return None
    (dim,) = dims
    parts = [y]
    if starts[dim]:
        parts.insert(0, E.slice_in_dim(x, 0, starts[dim], dim))
    end = starts[dim] + y.shape[dim]
    if end < x.shape[dim]:
        parts.append(E.slice_in_dim(x, end, x.shape[dim], dim))
    return E.concatenate(parts, dim)


@rule("sort(*xs)", when=lambda op: op.operands[0].type.shape[integer(op, "dimension")] == 1)
def sort_of_one(xs: list[Expr]) -> list[Expr]:
    """One element is in order."""
    return xs
