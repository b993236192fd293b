"""Pieces put together: concatenates, sums of pads that lie side by side, and arrays rolled around."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from jaxlib.mlir import ir

from gradir.tensor.analysis.cost import CPU, size
from gradir.tensor.ir import expr as E
from gradir.tensor.ir.expr import Expr
from gradir.tensor.ir.reading import Number, integer, ints, made_by, maker, single_use, splat_of
from gradir.tensor.optimize.driver import Driver
from gradir.tensor.optimize.effects import ROUNDS, ZERO_SIGN
from gradir.tensor.optimize.pattern import CLASSES
from gradir.tensor.optimize.pieces import box, cut, padding, pieces, plain_padding
from gradir.tensor.optimize.rule import again

rule = pieces.rule


# -- sums of pads ------------------------------------------------------------------------------------------------------


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


@rule("(p := pad(x, 0)) + (q := pad(y, 0))", "number", gated=True, effects=ZERO_SIGN)
def add_pads(p: ir.Operation, q: ir.Operation, x: Expr, y: Expr) -> Expr | None:
    """pad(x, 0) + pad(y, 0) -> pad(concatenate(x, y), 0) where they lie side by side."""
    return _side_by_side(p, q, x, y) if _beside(p, q) is not None else None


@rule("(p := pad(x, 0)) - (q := pad(y, 0))", "number", gated=True, effects=ZERO_SIGN)
def sub_pads(p: ir.Operation, q: ir.Operation, x: Expr, y: Expr) -> Expr | None:
    """pad(x, 0) - pad(y, 0) -> pad(concatenate(x, -y), 0) where they lie side by side."""
    return _side_by_side(p, q, x, -y) if _beside(p, q) is not None else None


@rule("(z + (p := pad(x, 0))) + (q := pad(y, 0))", "number", gated=True, effects=ZERO_SIGN)
def add_pads_first(op: ir.Operation, p: ir.Operation, q: ir.Operation, x: Expr, y: Expr, z: Expr) -> Expr | None:
    """(z + pad(x, 0)) + pad(y, 0) -> z + pad(concatenate(x, y), 0) where they lie side by side."""
    inner = next((m for v in op.operands if (m := made_by(v, "add")) is not None), None)
    if inner is None or not single_use(inner.results[0]) or _beside(p, q) is None:
        return None
    return z + _side_by_side(p, q, x, y)


def _beside(p: ir.Operation, q: ir.Operation) -> int | None:
    """The one dimension along which the operands of two pads don't overlap, and without which they lie alike."""
    a, b = plain_padding(p), plain_padding(q)
    if a is None or b is None:
        return None
    m, n = p.operands[0].type.shape, q.operands[0].type.shape
    differ = [d for d in range(len(m)) if (a[0][d], m[d]) != (b[0][d], n[d])]
    if len(differ) != 1 or 0 in (*m, *n):
        return None
    (d,) = differ
    return d if a[0][d] + m[d] <= b[0][d] or b[0][d] + n[d] <= a[0][d] else None


def _side_by_side(p: ir.Operation, q: ir.Operation, x: Expr, y: Expr) -> Expr:
    d = _beside(p, q)
    assert d is not None
    if padding(p)[0][d] > padding(q)[0][d]:
        p, q, x, y = q, p, y, x
    low, high = list(padding(p)[0]), list(padding(p)[1])
    high[d] = padding(q)[1][d]
    parts, gap = [x], padding(q)[0][d] - low[d] - x.shape[d]
    if gap:
        parts.append(E.full(E.tensor([*x.shape[:d], gap, *x.shape[d + 1 :]], x.dtype), 0))
    return E.pad(E.concatenate([*parts, y], d), 0, low, high)


@rule("concatenate(*xs) + (p := pad(y, 0))", "number", gated=True, effects=ZERO_SIGN)
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


@rule("x + (p := pad(y, 0))", "number", phase="down", gated=True, effects=ZERO_SIGN)
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


@rule("x + (p := pad(y, 0))", "number", effects=ROUNDS | ZERO_SIGN)
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


class Spread(NamedTuple):
    """A term of a sum: a multiple of a value, with zeros around it."""

    of: ir.Value
    low: Sequence[int]
    high: Sequence[int]
    factor: Number


def _spread(value: ir.Value) -> Spread | None:
    p = made_by(value, "pad")
    edges = plain_padding(p) if p is not None and single_use(value) else None
    if p is None or edges is None or splat_of(p.operands[1]) != 0:
        return None
    x = p.operands[0]
    if (m := made_by(x, "negate")) is not None:
        return Spread(m.operands[0], *edges, -1)
    if (m := made_by(x, "multiply")) is not None and (factor := splat_of(m.operands[1])) is not None:
        return Spread(m.operands[0], *edges, factor)
    return Spread(x, *edges, 1)


SUMS = ("stablehlo.add", "stablehlo.subtract")
MOST_TERMS = 64


def _parts_of_sum(value: ir.Value, block: ir.Block) -> list[ir.Value]:
    """What a value is the sum or difference of, in this block."""
    m = maker(value)
    return list(m.operands) if m is not None and m.name in SUMS and m.block == block else []


def _terms(value: ir.Value, block: ir.Block) -> list[ir.Value]:
    """The terms of a sum, as far as its parts have no other use."""
    return [t for v in _parts_of_sum(value, block) for t in (single_use(v) and _terms(v, block)) or [v]]


def _summed(value: ir.Value, block: ir.Block, instead: dict[ir.Value, Expr]) -> Expr:
    """A sum with other terms in the place of some, in the same order."""
    parts = [
        instead.get(v) or (_summed(v, block, instead) if single_use(v) and _parts_of_sum(v, block) else Expr(v))
        for v in _parts_of_sum(value, block)
    ]
    return E.op(value.owner.name, *parts)


def spread_of_one(op: ir.Operation, driver: Driver) -> Expr | None:
    """pad(x, 0) here + k pad(x, 0) there -> slices of one pad of x, added up: on a CPU.

    A CPU's code for a pad asks of each element whether it is one of x, and computes x anew for each pad. The adjoint of
    a stencil, which reads its neighbours, is such a sum.
    """
    block, whole = op.block, op.results[0]
    goes_on = single_use(whole) and any(u.owner.operation.name in SUMS for u in whole.uses)
    if (driver.gates and driver.device is not CPU) or goes_on:  # the whole sum has its turn
        return None
    places: dict[ir.Value, dict[ir.Value, Spread]] = {}
    for t in _terms(whole, block)[:MOST_TERMS]:
        if (s := _spread(t)) is not None and _is_computed(s.of):
            places.setdefault(s.of, {})[t] = s
    instead: dict[ir.Value, Expr] = {}
    for pads in places.values():
        instead |= _slices_of_one(pads, whole.type.shape)
    return _summed(whole, block, instead) if instead else None


def _is_computed(x: ir.Value) -> bool:
    """Whether a value is made by what is computed where it is used, and not kept."""
    m = maker(x)
    return m is not None and m.name in CLASSES["stablehlo.elementwise"]


def _slices_of_one(pads: dict[ir.Value, Spread], shape: Sequence[int]) -> dict[ir.Value, Expr]:
    """Terms as slices of one pad, if there are some and they are about as large as it."""
    x = Expr(next(iter(pads.values())).of)
    low = [max(s.low[d] for s in pads.values()) for d in range(x.rank)]
    high = [max(s.high[d] for s in pads.values()) for d in range(x.rank)]
    large = E.size([a + n + b for a, n, b in zip(low, x.shape, high, strict=True)])
    if len({s.low for s in pads.values()}) < 2 or large > 2 * E.size(shape) or E.size(shape) > 2 * E.size(x.shape):
        return {}
    one, found = E.pad(x, 0, low, high), dict[ir.Value, Expr]()
    for t, s in pads.items():
        start = [a - b for a, b in zip(low, s.low, strict=True)]
        piece = E.slice_(one, start, [a + n for a, n in zip(start, shape, strict=True)])
        found[t] = piece if s.factor == 1 else piece * s.factor
    return found


for _name, _pattern in (("add", "x + y"), ("sub", "x - y")):
    rule(_pattern, "number", name=f"{_name}_spread_of_one", phase="down", effects=ZERO_SIGN, some=("pad",))(
        spread_of_one
    )


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


@rule("concatenate(*xs)", when=lambda op: len(op.operands) > 1)
def concatenate_slices(op: ir.Operation, xs: list[Expr]) -> Expr | None:
    """x[a:b] and x[b:c] side by side are x[a:c]; so are x[a], x[a + s], x[a + 2 s], … x[a::s]."""
    dim, parts = integer(op, "dimension"), [Part.of(x) for x in xs]
    joined = [parts[0]]
    for part in parts[1:]:
        both = joined[-1].then(part, dim)
        joined = [*joined, part] if both is None else [*joined[:-1], both]
    return E.concatenate([p.emit() for p in joined], dim) if len(joined) < len(xs) else None


@dataclass(frozen=True)
class Part:
    """A slice before it is emitted; anything else is all of itself."""

    source: Expr
    start: tuple[int, ...]
    shape: tuple[int, ...]
    strides: tuple[int, ...]

    @staticmethod
    def of(x: Expr) -> Part:
        op, shape = made_by(x, "slice"), tuple(x.shape)
        if op is None:
            return Part(x, (0,) * x.rank, shape, (1,) * x.rank)
        return Part(Expr(op.operands[0]), box(op)[0], shape, box(op)[2])

    def emit(self) -> Expr:
        return cut(self.source, self.start, self.shape, self.strides)

    def alike(self, other: Part, dim: int) -> bool:
        """Whether both are of one array, and of the same places along all other dimensions."""
        if self.source.value != other.source.value or 0 in (*self.shape, *other.shape):
            return False
        mine, theirs = (list(zip(p.start, p.shape, p.strides, strict=True)) for p in (self, other))
        return mine[:dim] + mine[dim + 1 :] == theirs[:dim] + theirs[dim + 1 :]

    def then(self, other: Part, dim: int) -> Part | None:
        """Both in one, if the other goes on where this one ends."""
        if not self.alike(other, dim):
            return None
        step = other.start[dim] - self.start[dim] - (self.shape[dim] - 1) * self.strides[dim]
        if step < 1 or any(p.shape[dim] > 1 and p.strides[dim] != step for p in (self, other)):
            return None
        shape, strides = list(self.shape), list(self.strides)
        shape[dim], strides[dim] = self.shape[dim] + other.shape[dim], step
        return Part(self.source, self.start, tuple(shape), tuple(strides))


@rule("concatenate(*xs)", when=lambda op: op.operands[0].type.shape[integer(op, "dimension")] == 1)
def concatenate_backwards(op: ir.Operation, xs: list[Expr]) -> Expr | None:
    """x[n], …, x[1], x[0] side by side are x, reversed."""
    dim, parts = integer(op, "dimension"), [Part.of(x) for x in xs]
    if len(xs) < 3 or any(p.shape[dim] != 1 for p in parts):
        return None
    whole = parts[-1]
    for part in reversed(parts[:-1]):
        both = whole.then(part, dim)
        if both is None:
            return None
        whole = both
    return E.reverse(whole.emit(), [dim])


def _unreshaped(x: Expr) -> Expr:
    r = made_by(x, "reshape")
    return x if r is None else Expr(r.operands[0])


def _of_slices(op: ir.Operation) -> bool:
    return len(op.operands) > 1 and made_by(_unreshaped(Expr(op.operands[0])), "slice") is not None


@rule("concatenate(*xs)", when=_of_slices)
def concatenate_stack(op: ir.Operation, xs: list[Expr]) -> Expr | None:
    """x[:, 0], x[:, 1], … side by side along another dimension are a transpose of x."""
    dim, n, parts = integer(op, "dimension"), len(xs), [Part.of(_unreshaped(x)) for x in xs]
    if any(x.type != xs[0].type or p.shape != parts[0].shape for x, p in zip(xs, parts, strict=True)):
        return None
    for e in range(len(parts[0].shape)):
        whole: Part | None = parts[0]
        for part in parts[1:]:
            whole = whole.then(part, e) if whole is not None else None
        if whole is not None:
            shape = parts[0].shape
            split = E.reshape(whole.emit(), [*shape[:e], n, *shape[e:]])
            first = E.transpose(split, [e, *(d for d in range(len(shape) + 1) if d != e)])
            flat = E.reshape(first, [n, *xs[0].shape])
            apart = E.transpose(flat, [*range(1, dim + 1), 0, *range(dim + 1, xs[0].rank + 1)])
            return E.reshape(apart, op.results[0].type.shape)
    return None


@rule("concatenate(*xs)", phase="down")
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


@rule("concatenate(*xs)", when=lambda op: len(op.operands) > 1 and op.operands[0] == op.operands[1])
def concatenate_copies(op: ir.Operation, xs: list[Expr]) -> Expr | None:
    """Copies of one value side by side are a broadcast."""
    dim, x = integer(op, "dimension"), xs[0]
    if any(other.value != x.value for other in xs):
        return None
    if x.shape[dim] == 1:
        return E.broadcast(x, op.results[0].type.shape, range(x.rank))
    shape = [*x.shape[:dim], len(xs), *x.shape[dim:]]
    return E.reshape(E.broadcast(x, shape, [*range(dim), *range(dim + 1, len(shape))]), op.results[0].type.shape)


def _of_broadcasts(op: ir.Operation) -> bool:
    return len(op.operands) > 1 and made_by(op.operands[0], "broadcast_in_dim") is not None


@rule("concatenate(*xs)", when=_of_broadcasts)
def concatenate_broadcasts(op: ir.Operation, xs: list[Expr]) -> Expr | None:
    """Broadcasts side by side are one: of the one value that they repeat, or of their values side by side."""
    dim, shape, small = integer(op, "dimension"), op.results[0].type.shape, list[Expr]()
    dims: tuple[int, ...] | None = None
    for x in xs:
        b = made_by(x, "broadcast_in_dim")
        if b is None or (dims is not None and ints(b, "broadcast_dimensions") != dims):
            return None
        dims = ints(b, "broadcast_dimensions")
        small.append(Expr(b.operands[0]))
    assert dims is not None
    along = dims.index(dim) if dim in dims else None
    if along is None or all(x.shape[along] == 1 for x in small):
        same = all(x.value == small[0].value for x in small)
        return E.broadcast(small[0], shape, dims) if same else None
    if any(s.shape[along] != x.shape[dim] for s, x in zip(small, xs, strict=True)):
        return None
    if E.size(small[0].shape) == E.size(xs[0].shape) or not _fit(small, along):
        return None
    return E.broadcast(E.concatenate(small, along), shape, dims)


def _fit(xs: Sequence[Expr], dim: int) -> bool:
    """Whether arrays can be put together along a dimension."""
    shapes = [[*x.shape[:dim], *x.shape[dim + 1 :]] for x in xs]
    return all(s == shapes[0] for s in shapes)


@rule("concatenate(*xs)", when=lambda op: made_by(op.operands[0], "pad") is not None)
def concatenate_pads(op: ir.Operation, xs: list[Expr]) -> Expr | None:
    """concatenate(pad(x, v), pad(y, v)) -> pad(concatenate(x, y), v) where both are padded alike across."""
    dim, makers = integer(op, "dimension"), [made_by(x, "pad") for x in xs]
    pads = [p for p in makers if p is not None and single_use(p.results[0])]
    if len(pads) < len(xs) or len(xs) < 2:
        return None
    value, number = pads[0].operands[1], splat_of(pads[0].operands[1])
    for p in pads:
        if p.operands[1] != value and (number is None or splat_of(p.operands[1]) != number):
            return None
        if padding(p) != padding(pads[0]) or any(part[dim] for part in padding(p)):
            return None
    return E.pad(E.concatenate([Expr(p.operands[0]) for p in pads], dim), Expr(value), *padding(pads[0]))


def _of_elementwise(op: ir.Operation) -> bool:
    first = maker(op.operands[0])
    return first is not None and first.name in CLASSES["stablehlo.elementwise"] and len(op.operands) > 1


@rule("concatenate(*xs)", phase="down", when=_of_elementwise)
def concatenate_elementwise(op: ir.Operation, xs: list[Expr]) -> Expr | None:
    """concatenate(f(x), f(y)) -> f(concatenate(x, y)): one op instead of many, and no more is put together."""
    dim, makers = integer(op, "dimension"), list[ir.Operation]()
    for x in xs:
        m = maker(x.value)
        if m is None or not single_use(x.value) or (makers and not same_op(m, makers[0])):
            return None
        makers.append(m)
    columns = [E.exprs([m.operands[k] for m in makers]) for k in range(len(makers[0].operands))]
    if any(len(c[0].shape) != xs[0].rank for c in columns):  # a predicate for all
        return None
    if sum(not _joins(c, dim) for c in columns) > 1:
        return None
    return again(makers[0], [_joined(c, dim) for c in columns], op.results[0].type.shape)


def same_op(a: ir.Operation, b: ir.Operation) -> bool:
    """Whether two ops do the same, to operands of the same element types."""
    if a.name != b.name or dict(a.attributes.items()) != dict(b.attributes.items()):
        return False
    return all(
        v.type.element_type == w.type.element_type and v.type.rank == w.type.rank
        for v, w in zip(a.operands, b.operands, strict=True)
    )


def _joins(xs: list[Expr], dim: int) -> bool:
    """Whether arrays side by side are one that is there already, or the same everywhere."""
    number = splat_of(xs[0].value)
    if number is not None:
        return all(splat_of(x.value) == number for x in xs)
    if xs[0].shape[dim] == 1 and all(x.value == xs[0].value for x in xs):
        return True
    whole: Part | None = Part.of(xs[0])
    for x in xs[1:]:
        whole = whole.then(Part.of(x), dim) if whole is not None else None
    return whole is not None


def _joined(xs: list[Expr], dim: int) -> Expr:
    number, shape = splat_of(xs[0].value), list(xs[0].shape)
    if number is not None and all(splat_of(x.value) == number for x in xs):
        shape[dim] = sum(x.shape[dim] for x in xs)
        return E.full(E.tensor(shape, xs[0].dtype), number)
    return E.concatenate(xs, dim)


@rule("transpose(k := concatenate(*xs))", phase="up")
def transpose_of_concatenate(op: ir.Operation, k: ir.Operation, xs: list[Expr]) -> Expr | None:
    """transpose(concatenate(xs)) -> concatenate(transpose(xs)) where all have been transposed before."""
    if not all(made_by(x, "transpose") or splat_of(x.value) is not None for x in xs) or not single_use(k.results[0]):
        return None
    permutation = ints(op, "permutation")
    return E.concatenate([E.transpose(x, permutation) for x in xs], permutation.index(integer(k, "dimension")))


# -- rolls: x[k:] and x[:k] side by side -------------------------------------------------------------------------------


class Roll(NamedTuple):
    """An array whose first k places along a dimension were moved to its end."""

    x: Expr
    dim: int
    k: int

    def of(self, x: Expr) -> Expr:
        n = x.shape[self.dim]
        k = self.k % n
        parts = [E.slice_in_dim(x, k, n, self.dim), E.slice_in_dim(x, 0, k, self.dim)]
        return E.concatenate(parts, self.dim) if k else x


def roll_of(op: ir.Operation | None) -> Roll | None:
    """What a concatenate rolls, and how far."""
    if op is None or op.name != "stablehlo.concatenate" or len(op.operands) != 2:
        return None
    dim, (a, b) = integer(op, "dimension"), (Part.of(x) for x in E.exprs(op.operands))
    whole = b.then(a, dim)
    if whole is None or list(whole.shape) != whole.source.shape:
        return None
    return Roll(whole.source, dim, b.shape[dim])


@rule("binary(*xs)", operands=("concatenate",))
def binary_of_rolls(op: ir.Operation, xs: list[Expr]) -> Expr | None:
    """f(roll(x), roll(y)) -> roll(f(x, y)) where both are rolled alike."""
    first, inner = None, list[Expr]()
    for x in xs:
        number, roll = splat_of(x.value), roll_of(maker(x.value))
        if number is None and (roll is None or not single_use(x.value)):
            return None
        if roll is not None and first is not None and roll[1:] != first[1:]:
            return None
        first = first or roll
        inner.append(x if roll is None else roll.x)
    return None if first is None or len(xs) < 2 else first.of(again(op, inner, first.x.shape))


@rule("unary(k := concatenate(*xs))")
def unary_of_roll(op: ir.Operation, k: ir.Operation) -> Expr | None:
    """f(roll(x)) -> roll(f(x)), so that rolls meet."""
    roll = roll_of(k)
    if roll is None or not single_use(k.results[0]) or size(op.results[0].type) > size(k.results[0].type):
        return None
    return roll.of(again(op, [roll.x]))


@rule("binary(k := concatenate(*xs), j := concatenate(*ys))", phase="up", gated=True)
def binary_of_concatenates(
    op: ir.Operation, k: ir.Operation, j: ir.Operation, xs: list[Expr], ys: list[Expr]
) -> Expr | None:
    """f(concatenate(x, y), concatenate(z, w)) -> concatenate(f(x, z), f(y, w)) where the cuts are the same."""
    dim = integer(k, "dimension")
    if integer(j, "dimension") != dim or [x.shape for x in xs] != [y.shape for y in ys] or len(xs) > 8:
        return None
    if not single_use(k.results[0]) or not single_use(j.results[0]):
        return None
    return E.concatenate([again(op, [x, y]) for x, y in zip(xs, ys, strict=True)], dim)


@rule("concatenate(*xs)", when=lambda op: len(op.operands) == 2)
def roll_through_rolls(op: ir.Operation, xs: list[Expr]) -> Expr | None:
    """roll(roll(roll(x, k, d), m, e), n, d) -> roll(roll(x, k + n, d), m, e)."""
    last = roll_of(op)
    between = list[Roll]()
    while last is not None and len(between) < 4:
        rolled = (between[-1] if between else last).x.value
        below = roll_of(maker(rolled))
        if below is None or sum(1 for _ in rolled.uses) != 2:
            return None
        if below.dim == last.dim:
            out = Roll(below.x, below.dim, below.k + last.k).of(below.x)
            for r in reversed(between):
                out = r.of(out)
            return out
        between.append(below)
    return None
