"""Dynamic slices and updates whose places are known, or meet. (Gather and scatter: `scattering.py`.)"""

from __future__ import annotations

from collections.abc import Sequence

from jaxlib.mlir import ir

from gradir.tensor.analysis.ranges import of_type
from gradir.tensor.ir import expr as E
from gradir.tensor.ir.expr import Expr
from gradir.tensor.ir.reading import integer, ints, made_by, maker, single_use, splat_of
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
    if f is None or not is_elementwise(f) or not single_use(xs[0].value):
        return None
    sizes = op.results[0].type.shape
    parts = [E.dynamic_slice(Expr(v), xs[1:], sizes) if v.type.rank else Expr(v) for v in f.operands]
    return again(f, parts, sizes)


def is_elementwise(op: ir.Operation) -> bool:
    from gradir.tensor.optimize.pattern import CLASSES

    return op.name in CLASSES["stablehlo.elementwise"]


@rule("dynamic_slice(*xs)")
def dynamic_slice_of_update(op: ir.Operation, xs: list[Expr]) -> Expr | None:
    """What is read where it has just been written is what was written."""
    d = made_by(xs[0], "dynamic_update_slice")
    if d is None or d.operands[1].type != op.results[0].type or not same_places(list(d.operands)[2:], xs[1:]):
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


@rule("dynamic_slice(*xs)")
def dynamic_slice_of_slice(op: ir.Operation, xs: list[Expr], driver: Driver) -> Expr | None:
    """dynamic_slice(slice(x)) -> dynamic_slice(x): from so much further on."""
    inner = made_by(xs[0], "slice")
    sizes = op.results[0].type.shape
    if inner is None or any(n != 1 for n in ints(inner, "strides")):
        return None
    x = Expr(inner.operands[0])
    if not _fit(xs[1:], x.shape):
        return None
    first = ints(inner, "start_indices")
    rooms = _room(xs[0].shape, sizes)
    at = [_plus(_inside(s, room, driver), a) for s, room, a in zip(xs[1:], rooms, first, strict=True)]
    return E.dynamic_slice(x, at, sizes)


@rule("slice(d := dynamic_slice(*xs))", phase="up")
def slice_of_dynamic_slice(op: ir.Operation, d: ir.Operation, xs: list[Expr], driver: Driver) -> Expr | None:
    """slice(dynamic_slice(x)) -> dynamic_slice(x): of less, from so much further on."""
    first, sizes = ints(op, "start_indices"), op.results[0].type.shape
    if any(n != 1 for n in ints(op, "strides")) or not single_use(d.results[0]) or not _fit(xs[1:], xs[0].shape):
        return None
    rooms = _room(xs[0].shape, d.results[0].type.shape)
    at = [_plus(_inside(s, room, driver), a) for s, room, a in zip(xs[1:], rooms, first, strict=True)]
    return E.dynamic_slice(xs[0], at, sizes)


@rule("dynamic_slice(*xs)")
def dynamic_slice_twice(op: ir.Operation, xs: list[Expr], driver: Driver) -> Expr | None:
    """dynamic_slice(dynamic_slice(x)) -> dynamic_slice(x)."""
    inner = made_by(xs[0], "dynamic_slice")
    if inner is None or not single_use(xs[0].value):
        return None
    x, before, sizes = Expr(inner.operands[0]), E.exprs(list(inner.operands)[1:]), op.results[0].type.shape
    if before[0].type != xs[1].type or not _fit(xs[1:], x.shape):
        return None
    at: list[Expr] = []
    for d, (s, t) in enumerate(zip(before, xs[1:], strict=True)):
        outer, room = xs[0].shape[d], xs[0].shape[d] - sizes[d]
        at.append(s if outer == x.shape[d] and not room else _inside(s, x.shape[d] - outer, driver))
        if room:
            inside = _inside(t, room, driver)
            at[-1] = inside if outer == x.shape[d] else at[-1] + inside
    return E.dynamic_slice(x, at, sizes)


@rule("dynamic_slice(*xs)", phase="up", gated=True)
def dynamic_slice_reduce(op: ir.Operation, xs: list[Expr]) -> Expr | None:
    """dynamic_slice(reduce(x)) -> reduce(dynamic_slice(x)): only what is read is computed."""
    r = made_by(xs[0], "reduce")
    if r is None or len(r.operands) != 2 or not single_use(xs[0].value) or r.block != op.block:
        return None  # (what is done once, before a loop, is not moved into it)
    from gradir.tensor.optimize.reductions import reduced_again

    x, dims = Expr(r.operands[0]), ints(r, "dimensions")
    starts, sizes = iter(xs[1:]), iter(op.results[0].type.shape)
    zero = E.full(xs[1].type, 0)
    at = [zero if d in dims else next(starts) for d in range(x.rank)]
    part = E.dynamic_slice(x, at, [n if d in dims else next(sizes) for d, n in enumerate(x.shape)])
    return reduced_again(r, part, Expr(r.operands[1]), dims)


@rule("dynamic_slice(*xs)", phase="up", effects=ROUNDS, gated=True)
def dynamic_slice_dot(op: ir.Operation, xs: list[Expr]) -> Expr | None:
    """dynamic_slice(dot(x, y)) -> dot(dynamic_slice(x), dynamic_slice(y)): only what is read is computed."""
    m = made_by(xs[0], "dot_general")
    if m is None or not single_use(xs[0].value) or m.block != op.block:
        return None
    from gradir.tensor.ir.dot import Dims
    from gradir.tensor.optimize.products import product

    dims, sizes, zero = Dims.of(m), op.results[0].type.shape, E.full(xs[1].type, 0)
    operands, n = E.exprs(m.operands), len(dims.batch[0])
    parts: list[Expr] = []
    for side, x in enumerate(operands):
        at, room = [zero] * x.rank, list(x.shape)
        free = dims.free(side, x.rank)
        for result, d in [*enumerate(dims.batch[side]), *enumerate(free, n)]:
            at[d], room[d] = xs[1 + result], sizes[result]
        n += len(free)
        parts.append(x if room == x.shape else E.dynamic_slice(x, at, room))
    return product(m, parts[0], parts[1], dims)


# -- dynamic updates ---------------------------------------------------------------------------------------------------


@rule("dynamic_update_slice(*xs)")
def update_whole(op: ir.Operation, xs: list[Expr]) -> Expr | None:
    """An update of everything is the update."""
    return xs[1] if xs[1].type == op.results[0].type else None


@rule("dynamic_update_slice(*xs)")
def update_nothing(op: ir.Operation, xs: list[Expr]) -> Expr | None:
    """Writing back what was read there changes nothing."""
    d = made_by(xs[1], "dynamic_slice")
    same = d is not None and d.operands[0] == xs[0].value and same_places(list(d.operands)[1:], xs[2:])
    return xs[0] if same else None


@rule("dynamic_update_slice(*xs)")
def update_twice(op: ir.Operation, xs: list[Expr]) -> Expr | None:
    """Of two updates of one place the last counts."""
    d = made_by(xs[0], "dynamic_update_slice")
    if d is None or d.operands[1].type != xs[1].type or not same_places(list(d.operands)[2:], xs[2:]):
        return None
    return E.dynamic_update_slice(Expr(d.operands[0]), xs[1], xs[2:])


@rule("dynamic_update_slice(*xs)")
def update_covers(op: ir.Operation, xs: list[Expr]) -> Expr | None:
    """An update that a later one covers goes."""
    d = made_by(xs[0], "dynamic_update_slice")
    if d is None:
        return None
    first, second = d.operands[1].type.shape, xs[1].shape
    a = _starts(E.exprs(list(d.operands)[2:]), _room(xs[0].shape, first))
    b = _starts(xs[2:], _room(xs[0].shape, second))
    if a is None or b is None:
        return None
    parts = zip(a, first, b, second, strict=True)
    if not all(s <= r and r + n <= s + m for r, n, s, m in parts):
        return None
    return E.dynamic_update_slice(Expr(d.operands[0]), xs[1], xs[2:])


@rule("slice(d := dynamic_update_slice(*xs))")
def slice_of_update(op: ir.Operation, d: ir.Operation, xs: list[Expr]) -> Expr | None:
    """A slice of what has just been written is a slice of that; beside it, of what was there before."""
    starts = _starts(xs[2:], _room(xs[0].shape, xs[1].shape))
    if starts is None:
        return None
    low, high, strides = (ints(op, n) for n in ("start_indices", "limit_indices", "strides"))
    ends = [a + n for a, n in zip(starts, xs[1].shape, strict=True)]
    if any(high[k] <= starts[k] or ends[k] <= low[k] for k in range(len(low))):
        return E.slice_(xs[0], low, high, strides)
    if all(starts[k] <= low[k] and high[k] <= ends[k] for k in range(len(low))):
        here = [[n - a for n, a in zip(part, starts, strict=True)] for part in (low, high)]
        return E.slice_(xs[1], here[0], here[1], strides)
    return None


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


@rule("x + (d := dynamic_update_slice(*xs))", "number", effects=ZERO_SIGN)
def add_update(d: ir.Operation, x: Expr, xs: list[Expr]) -> Expr | None:
    """x + update(0, u) -> update(x, x there + u): no full array of zeros is added."""
    if splat_of(xs[0].value) != 0 or not single_use(d.results[0]):
        return None
    return E.dynamic_update_slice(x, E.dynamic_slice(x, xs[2:], xs[1].shape) + xs[1], xs[2:])


@rule("x - (d := dynamic_update_slice(*xs))", "number")
def sub_update(d: ir.Operation, x: Expr, xs: list[Expr]) -> Expr | None:
    """x - update(0, u) -> update(x, x there - u)."""
    if splat_of(xs[0].value) != 0 or not single_use(d.results[0]):
        return None
    return E.dynamic_update_slice(x, E.dynamic_slice(x, xs[2:], xs[1].shape) - xs[1], xs[2:])


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
