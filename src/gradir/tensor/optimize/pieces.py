"""Slice, pad and concatenate: what is cut out of what has been put together, and sums of pieces."""

from __future__ import annotations

from jaxlib.mlir import ir

from gradir.tensor import expr as E
from gradir.tensor.expr import Expr
from gradir.tensor.optimize.driver import Driver
from gradir.tensor.optimize.pattern import CLASSES
from gradir.tensor.optimize.reading import integer, ints, made_by, maker, single_use, splat_of
from gradir.tensor.optimize.rule import Family, again
from gradir.tensor.optimize.shapes import keeps_type

pieces = Family("pieces", "slice, pad and concatenate")
rule = pieces.rule

Box = tuple[tuple[int, ...], tuple[int, ...], tuple[int, ...]]


def box(op: ir.Operation) -> Box:
    """Starts, limits and strides of a slice."""
    return ints(op, "start_indices"), ints(op, "limit_indices"), ints(op, "strides")


def padding(op: ir.Operation) -> Box:
    """Low, high and interior padding."""
    return ints(op, "edge_padding_low"), ints(op, "edge_padding_high"), ints(op, "interior_padding")


def plain_padding(op: ir.Operation) -> tuple[tuple[int, ...], tuple[int, ...]] | None:
    """Low and high padding, if there is no other and neither is negative."""
    low, high, interior = padding(op)
    return None if any(interior) or min((0, *low, *high)) < 0 else (low, high)


# -- slice -------------------------------------------------------------------------------------------------------------


@rule("slice(x)", when=keeps_type)
def slice_whole(x: Expr) -> Expr:
    """A slice of everything is the whole."""
    return x


@rule("slice(inner := slice(x))")
def slice_slice(op: ir.Operation, inner: ir.Operation, x: Expr) -> Expr:
    """Two slices are one."""
    (a, _, s), (b, _, t) = box(inner), box(op)
    start = [i + j * k for i, j, k in zip(a, b, s, strict=True)]
    strides = [j * k for j, k in zip(s, t, strict=True)]
    limit = [i + (n - 1) * k + 1 for i, n, k in zip(start, op.results[0].type.shape, strides, strict=True)]
    return E.slice_(x, start, limit, strides)


@rule("slice(p := pad(x, v))")
def slice_of_pad(op: ir.Operation, p: ir.Operation, x: Expr, v: Expr) -> Expr | None:
    """slice(pad(x)) -> pad(slice(x)), with the padding that is left."""
    edges = plain_padding(p)
    start, limit, strides = box(op)
    if edges is None or any(s != 1 for s in strides):
        return None
    low, high, first, last = [], [], [], []
    for a, b, before, n in zip(start, limit, edges[0], x.shape, strict=True):
        inside = max(a, before), min(b, before + n)
        if inside[0] >= inside[1]:  # nothing but padding
            return E.broadcast(v, op.results[0].type.shape, [])
        first.append(inside[0] - before)
        last.append(inside[1] - before)
        low.append(inside[0] - a)
        high.append(b - inside[1])
    return E.pad(E.slice_(x, first, last), v, low, high)


@rule("slice(k := concatenate(*xs))")
def slice_of_concatenate(op: ir.Operation, k: ir.Operation, xs: list[Expr]) -> Expr | None:
    """slice(concatenate(xs)) -> concatenate of slices of those it meets."""
    start, limit, strides = box(op)
    dim, at, parts = integer(k, "dimension"), 0, list[Expr]()
    if strides[dim] != 1 or (not single_use(k.results[0]) and limit[dim] - start[dim] == k.results[0].type.shape[dim]):
        return None
    for x in xs:
        n = x.shape[dim]
        a, b = max(start[dim], at) - at, min(limit[dim], at + n) - at
        if a < b:
            first, last = list(start), list(limit)
            first[dim], last[dim] = a, b
            parts.append(E.slice_(x, first, last, strides))
        at += n
    return E.concatenate(parts, dim)


@rule("slice(b := broadcast(x))")
def slice_of_broadcast(op: ir.Operation, b: ir.Operation, x: Expr) -> Expr:
    """slice(broadcast(x)) -> broadcast(slice(x))."""
    (start, limit, strides), dims = box(op), ints(b, "broadcast_dimensions")
    whole = b.results[0].type.shape
    spread = [x.shape[i] != whole[d] for i, d in enumerate(dims)]
    inner = E.slice_(
        x,
        [0 if s else start[d] for s, d in zip(spread, dims, strict=True)],
        [1 if s else limit[d] for s, d in zip(spread, dims, strict=True)],
        [1 if s else strides[d] for s, d in zip(spread, dims, strict=True)],
    )
    return E.broadcast(inner, op.results[0].type.shape, dims)


@rule("slice(t := transpose(x))", phase="up")
def slice_of_transpose(op: ir.Operation, t: ir.Operation, x: Expr) -> Expr:
    """slice(transpose(x)) -> transpose(slice(x)): less is transposed."""
    permutation = ints(t, "permutation")
    parts = [[0] * x.rank for _ in range(3)]
    for mine, theirs in zip(parts, box(op), strict=True):
        for to, source in enumerate(permutation):
            mine[source] = theirs[to]
    return E.transpose(E.slice_(x, *parts), permutation)


@rule("slice(r := reverse(x))", phase="up")
def slice_of_reverse(op: ir.Operation, r: ir.Operation, x: Expr) -> Expr:
    """slice(reverse(x)) -> reverse(slice(x))."""
    start, limit, strides = map(list, box(op))
    dims = ints(r, "dimensions")
    for d in dims:
        n = op.results[0].type.shape[d]
        last = start[d] + (n - 1) * strides[d]
        start[d], limit[d] = x.shape[d] - 1 - last, x.shape[d] - start[d]
    return E.reverse(E.slice_(x, start, limit, strides), dims)


@rule("slice(r := reshape(x))", phase="up")
def slice_of_reshape(op: ir.Operation, r: ir.Operation, x: Expr) -> Expr | None:
    """slice(reshape(x)) -> reshape(slice(x)) where the reshape only adds or drops dimensions of size 1."""
    middle = r.results[0].type.shape
    if [n for n in middle if n != 1] != [n for n in x.shape if n != 1]:
        return None
    places = iter([d for d, n in enumerate(middle) if n != 1])
    at = [next(places) if n != 1 else None for n in x.shape]
    start, limit, strides = box(op)
    inner = E.slice_(
        x,
        [0 if d is None else start[d] for d in at],
        [1 if d is None else limit[d] for d in at],
        [1 if d is None else strides[d] for d in at],
    )
    return E.reshape(inner, op.results[0].type.shape)


@rule("slice(f := elementwise(*xs))", phase="up", gated=True)
def slice_of_elementwise(op: ir.Operation, f: ir.Operation, xs: list[Expr]) -> Expr | None:
    """slice(f(x, y)) -> f(slice(x), slice(y)): only what is used is computed."""
    if not _only_slices(f.results[0]):
        return None
    bounds = box(op)
    return again(f, [E.slice_(x, *bounds) if x.rank else x for x in xs], op.results[0].type.shape)


def _only_slices(value: ir.Value) -> bool:
    """Whether slices use a value and nothing else does, and not so many that they are most of it again."""
    users = [use.owner.operation for use in value.uses]
    if not all(u.name == "stablehlo.slice" for u in users):
        return False
    return len(users) == 1 or sum(E.size(u.results[0].type.shape) for u in users) <= E.size(value.type.shape)


@rule("slice(r := reduce(x, init))", phase="up", gated=True)
def slice_of_reduce(op: ir.Operation, r: ir.Operation, x: Expr, init: Expr) -> Expr | None:
    """slice(reduce(x)) -> reduce(slice(x))."""
    from gradir.tensor.optimize.reductions import reduced_again

    if not single_use(r.results[0]):
        return None
    dims, (start, limit, strides) = set(ints(r, "dimensions")), map(iter, box(op))
    parts: list[list[int]] = [[], [], []]
    for d, n in enumerate(x.shape):
        for mine, theirs, whole in zip(parts, (start, limit, strides), (0, n, 1), strict=True):
            mine.append(whole if d in dims else next(theirs))
    return reduced_again(r, E.slice_(x, *parts), init, sorted(dims))


# -- pad ---------------------------------------------------------------------------------------------------------------


@rule("pad(x, v)", when=keeps_type)
def pad_nothing(op: ir.Operation, x: Expr) -> Expr | None:
    """A pad that adds nothing goes."""
    return x if not any(n for part in padding(op) for n in part) else None


@rule("pad(x, v)")
def pad_splat(op: ir.Operation, x: Expr, v: Expr) -> Expr | None:
    """A number padded with itself is that number."""
    a, b = splat_of(x.value), splat_of(v.value)
    return None if a is None or a != b else E.full(op.results[0].type, a)


@rule("pad(inner := pad(x, v), v)")
def pad_pad(op: ir.Operation, inner: ir.Operation, x: Expr, v: Expr) -> Expr | None:
    """Two pads with one value are one."""
    return _pad_pad(op, inner, x, v)


def _pad_pad(op: ir.Operation, inner: ir.Operation, x: Expr, v: Expr) -> Expr | None:
    a, b = plain_padding(inner), plain_padding(op)
    if a is None or b is None:
        return None
    low = [i + j for i, j in zip(a[0], b[0], strict=True)]
    high = [i + j for i, j in zip(a[1], b[1], strict=True)]
    return E.pad(x, v, low, high)


@rule("pad(inner := pad(x, v), w)")
def pad_pad_splat(op: ir.Operation, inner: ir.Operation, x: Expr, v: Expr, w: Expr) -> Expr | None:
    """Two pads with one constant are one."""
    a, b = splat_of(v.value), splat_of(w.value)
    return _pad_pad(op, inner, x, v) if a is not None and a == b else None


@rule("pad(x, v)")
def pad_negative(op: ir.Operation, x: Expr, v: Expr) -> Expr | None:
    """Negative padding is a slice."""
    low, high, interior = padding(op)
    if any(interior) or min((0, *low, *high)) >= 0:
        return None
    cut = (
        E.slice_(x, [max(0, -a) for a in low], [n - max(0, -b) for n, b in zip(x.shape, high, strict=True)])
        if all(n - max(0, -a) - max(0, -b) >= 0 for n, a, b in zip(x.shape, low, high, strict=True))
        else None
    )
    return None if cut is None else E.pad(cut, v, [max(0, a) for a in low], [max(0, b) for b in high])


@rule("transpose(p := pad(x, v))", phase="up")
def transpose_of_pad(op: ir.Operation, p: ir.Operation, x: Expr, v: Expr) -> Expr | None:
    """transpose(pad(x)) -> pad(transpose(x)): less is transposed."""
    permutation = ints(op, "permutation")
    parts = [[part[d] for d in permutation] for part in padding(p)]
    return E.pad(E.transpose(x, permutation), v, *parts) if single_use(p.results[0]) else None


@rule("unary(p := pad(x, v))", phase="up")
def unary_of_pad(op: ir.Operation, p: ir.Operation, x: Expr, v: Expr) -> Expr | None:
    """f(pad(x, v)) -> pad(f(x), f(v))."""
    if not single_use(p.results[0]) or min((0, *padding(p)[0], *padding(p)[1])) < 0:
        return None
    return E.pad(again(op, [x]), again(op, [v]), *padding(p))


@rule("binary(p := pad(x, v), q := pad(y, w))")
def binary_of_pads(
    op: ir.Operation, p: ir.Operation, q: ir.Operation, x: Expr, y: Expr, v: Expr, w: Expr
) -> Expr | None:
    """f(pad(x, v), pad(y, w)) -> pad(f(x, y), f(v, w)) where the padding is the same."""
    if padding(p) != padding(q) or x.shape != y.shape:
        return None
    return E.pad(again(op, [x, y]), again(op, [v, w]), *padding(p))


@rule("binary(p := pad(x, v), c)", phase="up")
def binary_of_pad_const(op: ir.Operation, p: ir.Operation, x: Expr, v: Expr, c: float) -> Expr | None:
    """f(pad(x, v), c) -> pad(f(x, c), f(v, c))."""
    if not single_use(p.results[0]) or min((0, *padding(p)[0], *padding(p)[1])) < 0:
        return None
    dtype = op.operands[1].type.element_type
    small = [E.full(E.tensor(t.shape, dtype), c) for t in (x.type, v.type)]
    return E.pad(again(op, [x, small[0]]), again(op, [v, small[1]]), *padding(p))


@rule("pad(x, 0) * y", "float", gated=True)
def mul_of_zero_pad(op: ir.Operation, x: Expr, y: Expr, driver: Driver) -> Expr | None:
    """pad(x, 0) * y -> pad(x * slice(y), 0) for finite y: zeros are not multiplied."""
    p = next((m for v in op.operands if (m := made_by(v, "pad")) is not None and m.operands[0] == x.value), None)
    edges = plain_padding(p) if p is not None else None
    if edges is None or not driver.facts.finite(y):
        return None
    limit = [a + n for a, n in zip(edges[0], x.shape, strict=True)]
    return E.pad(x * E.slice_(y, edges[0], limit), 0, *edges)


def _one_sided(op: ir.Operation) -> tuple[int, int, int] | None:
    """Along which dimension alone a pad pads, and where its operand begins and ends there."""
    edges = plain_padding(op)
    if edges is None:
        return None
    dims = [d for d in range(len(edges[0])) if edges[0][d] or edges[1][d]]
    if len(dims) != 1:
        return None
    (d,) = dims
    return d, edges[0][d], edges[0][d] + op.operands[0].type.shape[d]


@rule("(p := pad(x, 0)) + (q := pad(y, 0))", "number")
def add_pads(p: ir.Operation, q: ir.Operation, x: Expr, y: Expr) -> Expr | None:
    """pad(x, 0) + pad(y, 0) -> concatenate(x, y) where they lie side by side."""
    a, b = _one_sided(p), _one_sided(q)
    if a is None or b is None or a[0] != b[0]:
        return None
    if a[1] > b[1]:
        a, b, x, y = b, a, y, x
    dim, whole = a[0], p.results[0].type.shape
    if a[2] > b[1]:
        return None
    parts = [x]
    if b[1] > a[2]:
        parts.append(E.full(E.tensor([*whole[:dim], b[1] - a[2], *whole[dim + 1 :]], x.dtype), 0))
    low, high = [0] * len(whole), [0] * len(whole)
    low[dim], high[dim] = a[1], whole[dim] - b[2]
    return E.pad(E.concatenate([*parts, y], dim), 0, low, high)


@rule("concatenate(*xs) + (p := pad(y, 0))", "number", gated=True)
def add_pad_to_concatenate(op: ir.Operation, p: ir.Operation, y: Expr) -> Expr | None:
    """concatenate(xs) + pad(y, 0), where y lies on one of the pieces, is added to that piece alone."""
    k = next((m for v in op.operands if (m := made_by(v, "concatenate")) is not None), None)
    at = _one_sided(p)
    if k is None or at is None or at[0] != integer(k, "dimension") or not single_use(k.results[0]):
        return None
    parts, begin = E.exprs(k.operands), 0
    for n, part in enumerate(parts):
        end = begin + part.shape[at[0]]
        if (begin, end) == at[1:]:
            parts[n] = part + y
            return E.concatenate(parts, at[0])
        begin = end
    return None


@rule("x + (p := pad(y, 0))", "number", phase="down", gated=True)
def add_pad_in_place(op: ir.Operation, p: ir.Operation, x: Expr, y: Expr) -> Expr | None:
    """x + pad(y, 0) -> the sum where y lies, and x beside it."""
    at = _one_sided(p)
    if at is None or not single_use(p.results[0]):
        return None
    dim, a, b = at
    n = x.shape[dim]
    parts = [E.slice_in_dim(x, a, b, dim) + y]
    if a:
        parts.insert(0, E.slice_in_dim(x, 0, a, dim))
    if b < n:
        parts.append(E.slice_in_dim(x, b, n, dim))
    return E.concatenate(parts, dim)


@rule("x + (p := pad(y, 0))", "number", rounds=True)
def add_pad_to_update(op: ir.Operation, p: ir.Operation, x: Expr, y: Expr) -> Expr | None:
    """update(x, 0) + … + pad(y, 0) -> update(x, y) + … where y lies where the zeros were written."""
    edges = plain_padding(p)
    terms: list[Expr] = []
    while edges is not None and (above := made_by(x, "add")) is not None and single_use(x.value) and len(terms) < 16:
        x, term = E.exprs(above.operands)
        terms.append(term)
    u = made_by(x, "dynamic_update_slice")
    if edges is None or u is None or not single_use(u.results[0]) or splat_of(u.operands[1]) != 0:
        return None
    starts = [splat_of(v) for v in list(u.operands)[2:]]
    if u.operands[1].type != y.type or starts != list(edges[0]):
        return None
    out = E.dynamic_update_slice(Expr(u.operands[0]), y, E.exprs(list(u.operands)[2:]))
    for term in reversed(terms):
        out = out + term
    return out


# -- concatenate -------------------------------------------------------------------------------------------------------


@rule("concatenate(*xs)", when=lambda op: len(op.operands) == 1)
def concatenate_one(xs: list[Expr]) -> Expr:
    """A concatenate of one is that one."""
    return xs[0]


@rule("concatenate(*xs)")
def concatenate_splats(op: ir.Operation, xs: list[Expr]) -> Expr | None:
    """Neighbours that are the same constant are one piece."""
    dim = integer(op, "dimension")
    numbers = [splat_of(x.value) for x in xs]
    for k in range(len(xs) - 1):
        if numbers[k] is not None and numbers[k] == numbers[k + 1]:
            shape = list(xs[k].shape)
            shape[dim] += xs[k + 1].shape[dim]
            both = E.full(E.tensor(shape, xs[k].dtype), numbers[k])  # type: ignore[arg-type]
            return E.concatenate([*xs[:k], both, *xs[k + 2 :]], dim)
    return None


@rule("concatenate(*xs)")
def concatenate_flat(op: ir.Operation, xs: list[Expr]) -> Expr | None:
    """A concatenate of concatenates along one dimension is one."""
    dim, flat = integer(op, "dimension"), list[Expr]()
    for x in xs:
        inner = made_by(x, "concatenate")
        same = inner is not None and integer(inner, "dimension") == dim and single_use(x.value)
        flat += E.exprs(inner.operands) if same and inner is not None else [x]
    return E.concatenate(flat, dim) if len(flat) > len(xs) else None


@rule("concatenate(*xs)")
def concatenate_slices(op: ir.Operation, xs: list[Expr]) -> Expr | None:
    """x[a:b] and x[b:c] side by side are x[a:c]."""
    dim = integer(op, "dimension")
    for k in range(len(xs) - 1):
        a, b = made_by(xs[k], "slice"), made_by(xs[k + 1], "slice")
        if a is None or b is None or a.operands[0] != b.operands[0]:
            continue
        (s, l, t), (u, m, w) = box(a), box(b)
        others = all(s[d] == u[d] and l[d] == m[d] and t[d] == w[d] for d in range(len(s)) if d != dim)
        if others and l[dim] == u[dim] and t[dim] == w[dim] == 1:
            limit = list(l)
            limit[dim] = m[dim]
            joined = E.slice_(Expr(a.operands[0]), s, limit, t)
            return E.concatenate([*xs[:k], joined, *xs[k + 2 :]], dim)
    return None


@rule("concatenate(*xs)", "number", phase="down")
def concatenate_to_pad(op: ir.Operation, xs: list[Expr]) -> Expr | None:
    """concatenate(0, x, 0) -> pad(x, 0)."""
    numbers = [splat_of(x.value) for x in xs]
    inner = [k for k, n in enumerate(numbers) if n is None]
    edges = {n for n in numbers if n is not None}
    if len(inner) != 1 or len(edges) != 1:
        return None
    (k,), (number,), dim = inner, edges, integer(op, "dimension")
    low, high = [0] * xs[k].rank, [0] * xs[k].rank
    low[dim], high[dim] = sum(x.shape[dim] for x in xs[:k]), sum(x.shape[dim] for x in xs[k + 1 :])
    return E.pad(xs[k], number, low, high)


@rule("concatenate(*xs)")
def concatenate_copies(op: ir.Operation, xs: list[Expr]) -> Expr | None:
    """Copies of one value, of size 1 along the dimension, side by side are a broadcast."""
    dim = integer(op, "dimension")
    if len(xs) < 2 or xs[0].shape[dim] != 1 or any(x.value != xs[0].value for x in xs):
        return None
    return E.broadcast(xs[0], op.results[0].type.shape, range(xs[0].rank))


@rule("concatenate(*xs)", phase="down")
def concatenate_unary(op: ir.Operation, xs: list[Expr]) -> Expr | None:
    """concatenate(f(x), f(y)) -> f(concatenate(x, y)): one op instead of many."""
    first = maker(xs[0].value)
    if first is None or first.name not in CLASSES["stablehlo.unary"] or len(xs) < 2:
        return None
    makers = [maker(x.value) for x in xs]
    inner: list[Expr] = []
    for x, m in zip(xs, makers, strict=True):
        if m is None or m.name != first.name or not single_use(x.value) or len(m.attributes) != len(first.attributes):
            return None
        if m.operands[0].type.element_type != first.operands[0].type.element_type:
            return None
        inner.append(Expr(m.operands[0]))
    return again(first, [E.concatenate(inner, integer(op, "dimension"))])


@rule("transpose(k := concatenate(*xs))", phase="up")
def transpose_of_concatenate(op: ir.Operation, k: ir.Operation, xs: list[Expr]) -> Expr | None:
    """transpose(concatenate(xs)) -> concatenate(transpose(xs)) where all have been transposed before."""
    if not all(made_by(x, "transpose") or splat_of(x.value) is not None for x in xs) or not single_use(k.results[0]):
        return None
    permutation = ints(op, "permutation")
    return E.concatenate([E.transpose(x, permutation) for x in xs], permutation.index(integer(k, "dimension")))
