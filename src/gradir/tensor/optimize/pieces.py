"""Slice and pad: what is cut out of what has been computed or put together, and what is computed where all is padding.

(How pieces are put together is in `joins.py`.)
"""

from __future__ import annotations

from collections.abc import Sequence
from math import gcd
from typing import NamedTuple

import numpy as np
from jaxlib.mlir import ir

from gradir.tensor.ir import expr as E
from gradir.tensor.ir.expr import Expr
from gradir.tensor.ir.reading import integer, ints, made_by, single_use, splat_of
from gradir.tensor.optimize.driver import Driver
from gradir.tensor.optimize.effects import ZERO_SIGN
from gradir.tensor.optimize.rule import Family, again
from gradir.tensor.optimize.shapes import keeps_type, without_ones

pieces = Family("pieces", "slice, pad and concatenate")
rule = pieces.rule

Box = tuple[tuple[int, ...], tuple[int, ...], tuple[int, ...]]


def box(op: ir.Operation) -> Box:
    """Starts, limits and strides of a slice."""
    return ints(op, "start_indices"), ints(op, "limit_indices"), ints(op, "strides")


def cut(x: Expr, start: Sequence[int], shape: Sequence[int], strides: Sequence[int]) -> Expr:
    """The slice of this shape (nothing lies at the start of everything)."""
    some = list(zip(start, shape, strides, strict=True))
    limit = [a + (n - 1) * s + 1 if n else 0 for a, n, s in some]
    return E.slice_(x, [a if n else 0 for a, n, _ in some], limit, [s if n else 1 for _, n, s in some])


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
    return cut(x, start, op.results[0].type.shape, strides)


@rule("slice(p := pad(x, v))")
def slice_of_pad(op: ir.Operation, p: ir.Operation, x: Expr, v: Expr) -> Expr | None:
    """slice(pad(x)) -> pad(slice(x)), with the padding that is left; not a pad for each of many slices of one."""
    shape = op.results[0].type.shape
    start, _, strides = box(op)
    low, _, interior = padding(p)
    hits = [
        _hits(a - b, s, n, i + 1, m)
        for a, s, n, b, i, m in zip(start, strides, shape, low, interior, x.shape, strict=True)
    ]
    pads = all(h is not None for h in hits) and [h.many for h in hits if h is not None] != shape
    if pads and not single_use(p.results[0]) and 2 * E.size(shape) > E.size(p.results[0].type.shape):
        return None
    return _pad_of_slice(x, v, shape, hits)


class Hits(NamedTuple):
    """Where a row of places meets elements: places `at`, `at + gap`, …, elements `first`, `first + step`, …"""

    at: int
    gap: int
    first: int
    step: int
    many: int


def _hits(offset: int, stride: int, n: int, step: int, size: int) -> Hits | None:
    """The places offset + stride * j for j < n that are step * k for k < size, or None if there are none."""
    gap = step // gcd(stride, step)
    least = max(0, -(offset // stride))  # the first place that is not before the first element
    at = next((j for j in range(least, min(n, least + gap)) if (offset + stride * j) % step == 0), None)
    if at is None:
        return None
    first, each = (offset + stride * at) // step, stride * gap // step
    count = min((n - 1 - at) // gap, (size - 1 - first) // each) + 1
    return Hits(at, gap, first, each, count) if count > 0 else None


def _pad_of_slice(x: Expr, v: Expr, shape: Sequence[int], hits: Sequence[Hits | None]) -> Expr:
    """An array of v with elements of x in it."""
    found = [h for h in hits if h is not None]
    if len(found) < len(hits):
        return E.broadcast(v, shape, [])
    inner = cut(x, [h.first for h in found], [h.many for h in found], [h.step for h in found])
    high = [n - h.at - h.gap * (h.many - 1) - 1 for n, h in zip(shape, found, strict=True)]
    return E.pad(inner, v, [h.at for h in found], high, [h.gap - 1 if h.many > 1 else 0 for h in found])


@rule("slice(k := concatenate(*xs))")
def slice_of_concatenate(op: ir.Operation, k: ir.Operation, xs: list[Expr]) -> Expr | None:
    """slice(concatenate(xs)) -> concatenate of slices of those it meets."""
    start, limit, strides = box(op)
    dim, at, parts = integer(k, "dimension"), 0, list[Expr]()
    everywhere = limit[dim] - start[dim] == k.results[0].type.shape[dim] and strides[dim] == 1
    if (everywhere and not single_use(k.results[0])) or not op.results[0].type.shape[dim]:
        return None
    next_ = start[dim]
    for x in xs:
        n = x.shape[dim]
        if next_ < min(at + n, limit[dim]):
            first, last = list(start), list(limit)
            first[dim], last[dim] = next_ - at, min(limit[dim] - at, n)
            parts.append(E.slice_(x, first, last, strides))
            next_ += strides[dim] * parts[-1].shape[dim]
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
    shape, (first, _, strides), dims = op.results[0].type.shape, box(op), ints(r, "dimensions")
    last = [a + (n - 1) * s for a, n, s in zip(first, shape, strides, strict=True)]
    start = [x.shape[d] - 1 - last[d] if d in dims else a for d, a in enumerate(first)]
    return E.reverse(cut(x, start, shape, strides), dims)


@rule("slice(r := reshape(x))", phase="up")
def slice_of_reshape(op: ir.Operation, r: ir.Operation, x: Expr) -> Expr | None:
    """slice(reshape(x)) -> reshape(slice(x)) where what is cut out is one piece of x, too."""
    bounds = box(op)
    found = [[0] * x.rank, list(x.shape), [1] * x.rank]
    parts = groups(x.shape, r.results[0].type.shape)
    if parts is None or 0 in op.results[0].type.shape:
        return None
    for source, target in parts:
        inner = _same_part(
            [x.shape[d] for d in source],
            [r.results[0].type.shape[d] for d in target],
            [[part[d] for d in target] for part in bounds],
        )
        if inner is None:
            return None
        for to, part in zip(found, inner, strict=True):
            for d, n in zip(source, part, strict=True):
                to[d] = n
    return E.reshape(E.slice_(x, *found), op.results[0].type.shape)


def groups(source: Sequence[int], target: Sequence[int]) -> list[tuple[list[int], list[int]]] | None:
    """Which dimensions of a reshape's operand become which of its result's: the smallest groups of as many elements.

    >>> groups([6, 4, 5], [24, 1, 5])
    [([0, 1], [0]), ([], [1]), ([2], [2])]
    """
    found: list[tuple[list[int], list[int]]] = []
    i = j = 0
    if 0 in source:
        return None
    while i < len(source) or j < len(target):
        mine, theirs, m, n = list[int](), list[int](), 1, 1
        if i < len(source) and source[i] == 1:
            mine, i = [i], i + 1
        elif j < len(target) and target[j] == 1:
            theirs, j = [j], j + 1
        else:
            mine, theirs, m, n, i, j = [i], [j], source[i], target[j], i + 1, j + 1
        while m != n:
            if m < n:
                mine, m, i = [*mine, i], m * source[i], i + 1
            else:
                theirs, n, j = [*theirs, j], n * target[j], j + 1
        found.append((mine, theirs))
    return found


def _same_part(source: list[int], target: list[int], part: list[list[int]]) -> list[list[int]] | None:
    """A box of a group of dimensions, in terms of the dimensions that these were made of."""
    whole = [[0] * len(source), source, [1] * len(source)]
    start, _, strides = part
    sizes = [(b - a + s - 1) // s for a, b, s in zip(*part, strict=True)]
    if sizes == target:
        return whole
    if without_ones(source) == without_ones(target):
        places = iter([d for d, n in enumerate(target) if n != 1])
        at = [next(places) if n != 1 else None for n in source]
        return [[whole[k][i] if d is None else part[k][d] for i, d in enumerate(at)] for k in range(3)]
    # A row of neighbours: single indices, then a range, then everything.
    ranged = next((d for d, n in enumerate(sizes) if n != 1), len(sizes) - 1)
    if sizes[ranged + 1 :] != target[ranged + 1 :] or (strides[ranged] != 1 and sizes[ranged] > 1):
        return None
    each = E.size(target[ranged + 1 :])
    first = sum(a * E.size(target[d + 1 :]) for d, a in enumerate(start[: ranged + 1]))
    last = first + each * sizes[ranged]
    for d in range(len(source)):
        each = E.size(source[d + 1 :])
        around = each * source[d]
        if first % each == 0 and last % each == 0 and first // around == (last - 1) // around:
            index = [first // E.size(source[e + 1 :]) % source[e] for e in range(d + 1)]
            end = [i + 1 for i in index[:-1]] + [index[-1] + (last - first) // each]
            return [index + whole[0][d + 1 :], end + source[d + 1 :], whole[2]]
    return None


@rule("slice(f := elementwise(*xs))", phase="up", gated=True)
def slice_of_elementwise(op: ir.Operation, f: ir.Operation, xs: list[Expr], driver: Driver) -> Expr | None:
    """slice(f(x, y)) -> f(slice(x), slice(y)): only what is used is computed."""
    if not _only_slices(f.results[0]) or (driver.gates and not single_use(f.results[0])):  # what stays saves nothing
        return None
    bounds = box(op)
    return again(f, [E.slice_(x, *bounds) if x.rank else x for x in xs], op.results[0].type.shape)


def _only_slices(value: ir.Value) -> bool:
    """Whether slices use a value and nothing else does, and not so many that they are most of it again."""
    users = [use.owner.operation for use in value.uses]
    if not all(u.name == "stablehlo.slice" for u in users):
        return False
    return len(users) == 1 or sum(E.size(u.results[0].type.shape) for u in users) <= E.size(value.type.shape)


@rule("slice(f := clamp(a, x, b))", phase="up", gated=True)
def slice_of_clamp(op: ir.Operation, f: ir.Operation, a: Expr, x: Expr, b: Expr) -> Expr | None:
    """slice(clamp(a, x, b)) -> clamp(a, slice(x), b)."""
    if not _only_slices(f.results[0]):
        return None
    parts = [E.slice_(v, *box(op)) if v.rank else v for v in (a, x, b)]
    return E.op("stablehlo.clamp", *parts, result=op.results[0].type)


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


@rule("slice(w := reduce_window(x, init))", phase="up", gated=True)
def slice_of_window(op: ir.Operation, w: ir.Operation, x: Expr, init: Expr) -> Expr | None:
    """slice(reduce_window(x)) -> reduce_window(slice(x)): the last of running sums is one sum."""
    from gradir.tensor.ir.regions import copy_region

    one = (1,) * x.rank
    given = lambda name: ints(w, name) if name in w.attributes else one  # noqa: E731
    if not single_use(w.results[0]) or given("base_dilations") != one:
        return None
    shape, (start, _, strides) = op.results[0].type.shape, box(op)
    edges = ints(w, "padding") if "padding" in w.attributes else (0,) * (2 * x.rank)
    first, last, moves, margins = list[int](), list[int](), list[int](), list[int]()
    sizes = zip(start, strides, shape, given("window_strides"), given("window_dilations"), strict=True)
    for d, (a, s, n, move, apart) in enumerate(sizes):
        begin = a * move - edges[2 * d]
        end = begin + (n - 1) * s * move + (ints(w, "window_dimensions")[d] - 1) * apart + 1
        if n == 0 or min(end, x.shape[d]) <= max(begin, 0):  # nothing but padding
            return None
        first.append(max(begin, 0))
        last.append(min(end, x.shape[d]))
        margins += [max(-begin, 0), max(end - x.shape[d], 0)]
        moves.append(move * s if n > 1 else 1)
    attributes = {**dict(w.attributes.items()), "window_strides": E.i64s(moves)}
    attributes.pop("padding", None)
    if any(margins):
        attributes["padding"] = ir.DenseIntElementsAttr.get(np.array(margins, np.int64).reshape(-1, 2))
    made = E.ops("stablehlo.reduce_window", [E.slice_(x, first, last), init], [op.results[0].type], attributes, 1)
    copy_region(w.regions[0], made.regions[0], {})
    return Expr(made.results[0])


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
    (a, b, i), (c, d, j) = padding(inner), padding(op)
    if min((0, *a, *b)) < 0 or 0 in x.shape:
        return None
    low = [outer + n * (step + 1) for n, outer, step in zip(a, c, j, strict=True)]
    high = [outer + n * (step + 1) for n, outer, step in zip(b, d, j, strict=True)]
    return E.pad(x, v, low, high, [(m + 1) * (n + 1) - 1 for m, n in zip(i, j, strict=True)])


@rule("pad(inner := pad(x, v), w)")
def pad_pad_splat(op: ir.Operation, inner: ir.Operation, x: Expr, v: Expr, w: Expr) -> Expr | None:
    """Two pads with one constant are one."""
    a, b = splat_of(v.value), splat_of(w.value)
    return _pad_pad(op, inner, x, v) if a is not None and a == b else None


@rule("pad(x, v)", when=lambda op: min((0, *padding(op)[0], *padding(op)[1])) < 0)
def pad_negative(op: ir.Operation, x: Expr, v: Expr) -> Expr | None:
    """Negative padding is a slice."""
    shape, (low, _, interior) = op.results[0].type.shape, padding(op)
    hits = [_hits(-a, 1, n, i + 1, m) for a, n, i, m in zip(low, shape, interior, x.shape, strict=True)]
    return _pad_of_slice(x, v, shape, hits)


@rule("pad(x, v)", when=lambda op: any(padding(op)[2]))
def pad_inside_one(op: ir.Operation, x: Expr, v: Expr) -> Expr | None:
    """Where there is one element there is nothing between elements."""
    low, high, interior = padding(op)
    inside = [0 if n == 1 else i for n, i in zip(x.shape, interior, strict=True)]
    return E.pad(x, v, low, high, inside) if inside != list(interior) else None


@rule("reshape(p := pad(x, v))", phase="up")
def reshape_of_pad(op: ir.Operation, p: ir.Operation, x: Expr, v: Expr) -> Expr | None:
    """reshape(pad(x)) -> pad(reshape(x)) where what is padded stays a dimension, or becomes the slowest part of one."""
    (low, high, interior), shape = padding(p), op.results[0].type.shape
    parts = groups(p.results[0].type.shape, shape)
    if parts is None or not single_use(p.results[0]) or not _never_cuts(p):
        return None
    inner, new = list(shape), [[0] * len(shape) for _ in range(3)]
    for source, target in parts:
        padded = [d for d in source if low[d] or high[d] or interior[d]]
        if not padded:
            continue
        wide = [d for d in source if p.results[0].type.shape[d] != 1]
        to = [d for d in target if shape[d] != 1]
        each = E.size([x.shape[d] for d in wide[1:]])
        if padded != wide[:1] or len(to) != 1 or (each > 1 and interior[padded[0]]):
            return None
        (d,), t = padded, to[0]
        inner[t] = x.shape[d] * each
        for k, part in enumerate((low, high, interior)):
            new[k][t] = part[d] * each
    return E.pad(E.reshape(x, inner), v, *new)


@rule("transpose(p := pad(x, v))", phase="up")
def transpose_of_pad(op: ir.Operation, p: ir.Operation, x: Expr, v: Expr) -> Expr | None:
    """transpose(pad(x)) -> pad(transpose(x)): less is transposed."""
    permutation = ints(op, "permutation")
    parts = [[part[d] for d in permutation] for part in padding(p)]
    return E.pad(E.transpose(x, permutation), v, *parts) if single_use(p.results[0]) else None


@rule("unary(p := pad(x, v))", phase="up")
def unary_of_pad(op: ir.Operation, p: ir.Operation, x: Expr, v: Expr, driver: Driver) -> Expr | None:
    """f(pad(x, v)) -> pad(f(x), f(v))."""
    if not single_use(p.results[0]) or min((0, *padding(p)[0], *padding(p)[1])) < 0 or _is_spread(op, v, driver):
        return None
    return E.pad(again(op, [x]), again(op, [v]), *padding(p))


def _is_spread(op: ir.Operation, v: Expr, driver: Driver) -> bool:
    """Whether a value for the padding is no constant, and its cotangents can't be added up before an op's adjoint."""
    return splat_of(v.value) is None and driver.is_kept_apart(op)


@rule("binary(p := pad(x, v), q := pad(y, w))")
def binary_of_pads(
    op: ir.Operation, p: ir.Operation, q: ir.Operation, x: Expr, y: Expr, v: Expr, w: Expr, driver: Driver
) -> Expr | None:
    """f(pad(x, v), pad(y, w)) -> pad(f(x, y), f(v, w)) where the padding is the same."""
    if _is_spread(op, v, driver) or _is_spread(op, w, driver):
        return None
    if padding(p) != padding(q) or x.shape != y.shape or min((0, *padding(p)[0], *padding(p)[1])) < 0:
        return None  # (what is cut off is kept from f and its derivative)
    return E.pad(again(op, [x, y]), again(op, [v, w]), *padding(p))


def _uniform(x: Expr) -> Expr | None:
    """The scalar that an array has everywhere."""
    number = splat_of(x.value)
    if number is not None:
        return E.full(E.tensor([], x.dtype), number)
    b = made_by(x, "broadcast_in_dim")
    return E.reshape(Expr(b.operands[0]), []) if b is not None and E.size(b.operands[0].type.shape) == 1 else None


@rule("binary(p := pad(x, v), y)", phase="up")
def binary_of_pad_left(op: ir.Operation, p: ir.Operation, x: Expr, v: Expr, y: Expr, driver: Driver) -> Expr | None:
    """f(pad(x, v), c) -> pad(f(x, c), f(v, c)) where c is the same everywhere."""
    return _binary_of_pad(op, p, x, v, y, 0, driver)


@rule("binary(y, p := pad(x, v))", phase="up")
def binary_of_pad_right(op: ir.Operation, p: ir.Operation, x: Expr, v: Expr, y: Expr, driver: Driver) -> Expr | None:
    """f(c, pad(x, v)) -> pad(f(c, x), f(c, v)) where c is the same everywhere."""
    return _binary_of_pad(op, p, x, v, y, 1, driver)


def _binary_of_pad(
    op: ir.Operation, p: ir.Operation, x: Expr, v: Expr, y: Expr, side: int, driver: Driver
) -> Expr | None:
    if not single_use(p.results[0]) or min((0, *padding(p)[0], *padding(p)[1])) < 0 or not x.rank:
        return None
    scalar = _uniform(y)
    if scalar is None or _is_spread(op, v, driver) or _is_spread(op, scalar, driver):
        return None
    made = [
        again(op, [a, b] if side == 0 else [b, a], a.shape)
        for a, b in ((x, E.broadcast(scalar, x.shape, [])), (v, scalar))
    ]
    return E.pad(made[0], made[1], *padding(p))


def under(p: ir.Operation, y: Expr) -> Expr:
    """What of y lies where the elements of a pad's operand are."""
    shape, (low, _, interior) = p.operands[0].type.shape, padding(p)
    return cut(y, low, shape, [i + 1 for i in interior])


def _never_cuts(p: ir.Operation) -> bool:
    low, high, _ = padding(p)
    return min((0, *low, *high)) >= 0 and 0 not in p.operands[0].type.shape


def _pad_of(op: ir.Operation, x: Expr) -> ir.Operation:
    """The operand of an op that pads x."""
    return next(m for v in op.operands if (m := made_by(v, "pad")) is not None and m.operands[0] == x.value)


@rule("pad(x, 0) * y", "real", gated=True, effects=ZERO_SIGN)
def mul_of_zero_pad(op: ir.Operation, x: Expr, y: Expr, driver: Driver) -> Expr | None:
    """pad(x, 0) * y -> pad(x * slice(y), 0) for finite y: zeros are not multiplied."""
    p = _pad_of(op, x)
    if not _never_cuts(p) or not driver.facts.finite(y):
        return None
    return E.pad(x * under(p, y), 0, *padding(p))


@rule("(p := pad(x, 0)) / y", "float", gated=True)
def div_of_zero_pad(p: ir.Operation, x: Expr, y: Expr, driver: Driver) -> Expr | None:
    """pad(x, 0) / y -> pad(x / slice(y), 0) for positive y: zeros are not divided."""
    if not _never_cuts(p) or not driver.facts.positive(y) or not driver.facts.no_nan(y):
        return None
    return E.pad(x / under(p, y), 0, *padding(p))


@rule("pad(x, False) & y", "bool")
def and_of_false_pad(op: ir.Operation, x: Expr, y: Expr) -> Expr | None:
    """pad(x, false) & y -> pad(x & slice(y), false)."""
    p = _pad_of(op, x)
    return E.pad(x & under(p, y), False, *padding(p)) if _never_cuts(p) and single_use(p.results[0]) else None


@rule("where(t, p := pad(x, v), y)")
def select_of_pad_left(op: ir.Operation, p: ir.Operation, x: Expr, v: Expr, y: Expr) -> Expr | None:
    """select(t, pad(x, v), pad(y, v)) -> pad(select(slice(t), x, y), v); one side may be v itself."""
    return _select_of_pads(op, p, v)


@rule("where(t, y, p := pad(x, v))")
def select_of_pad_right(op: ir.Operation, p: ir.Operation, x: Expr, v: Expr, y: Expr) -> Expr | None:
    """select(t, y, pad(x, v)) -> pad(select(slice(t), y, x), v) where y is v everywhere."""
    return _select_of_pads(op, p, v)


def _select_of_pads(op: ir.Operation, p: ir.Operation, v: Expr) -> Expr | None:
    small = E.tensor(p.operands[0].type.shape, v.dtype)
    if not _never_cuts(p) or not single_use(p.results[0]):
        return None
    c, *sides = E.exprs(op.operands)
    inner, values = list[Expr](), list[Expr]()
    for side in sides:
        q, number = made_by(side, "pad"), splat_of(side.value)
        if q is not None and padding(q) == padding(p) and q.operands[0].type == small:
            inner.append(Expr(q.operands[0]))
            values.append(Expr(q.operands[1]))
        elif number is not None:
            inner.append(E.full(small, number))
            values.append(E.full(v.type, number))
        else:
            return None
    q = made_by(c, "pad")
    if not c.rank:
        return E.pad(E.select(c, *inner), E.select(c, *values), *padding(p))
    if q is not None and padding(q) == padding(p) and q.operands[0].type.shape == small.shape:
        return E.pad(E.select(Expr(q.operands[0]), *inner), E.select(Expr(q.operands[1]), *values), *padding(p))
    numbers = [splat_of(w.value) for w in values]
    if values[0].value != values[1].value and (numbers[0] is None or numbers[0] != numbers[1]):
        return None
    return E.pad(E.select(under(p, c), *inner), values[0], *padding(p))


@rule("where(p := pad(t, f), x, y)", gated=True)
def select_in_box(p: ir.Operation, t: Expr, f: Expr, x: Expr, y: Expr) -> Expr | None:
    """select by what is true in a box and false outside -> y, with that box of x written into it."""
    inside, outside = splat_of(t.value), splat_of(f.value)
    if plain_padding(p) is None or not _never_cuts(p) or inside is None or outside is None or inside == outside:
        return None
    x, y = (x, y) if inside else (y, x)
    if splat_of(y.value) is not None:
        return E.pad(under(p, x), E.full(E.tensor([], y.dtype), splat_of(y.value)), *padding(p))  # type: ignore[arg-type]
    i32 = ir.IntegerType.get_signless(32)
    return E.dynamic_update_slice(y, under(p, x), [E.full(E.tensor([], i32), n) for n in padding(p)[0]])
