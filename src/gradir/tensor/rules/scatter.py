"""Scatter: windows of an operand are combined with updates by a computation of its own, given as a region.

A region that adds, subtracts, multiplies, takes the greater or lesser, or takes the update is recognised, for each
input of a scatter by itself, and has a rule. Any other is run one window after the other, in a loop that is
differentiated like any loop; so is a product whose factors meet in one element. Where several updates are written to
one element, only one of them is there afterwards: which one, a scatter of the updates' numbers tells, and the values
are then written by those numbers, so that value and derivative can't disagree.

What falls outside is dropped. The specification drops elements, XLA whole windows as soon as a part of them is
outside; a back end is asked which it does where this can matter.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from jaxlib.mlir import ir

from gradir.errors import NoRule
from gradir.tensor.ir import expr as E
from gradir.tensor.ir.expr import Expr
from gradir.tensor.ir.module import location_text
from gradir.tensor.ir.reading import maker
from gradir.tensor.ir.regions import copy_op, terminator
from gradir.tensor.rules.computation import count_up
from gradir.tensor.rules.indexing import (
    Body,
    Dims,
    are_unique,
    flag,
    gather,
    in_range,
    per_component,
    plus,
    scatter,
    take_update,
    upper_limit,
)
from gradir.tensor.rules.interface import Cotangent, Shadow
from gradir.tensor.rules.rule import Rule, Site, add, prepend, with_batch


def i1() -> ir.Type:
    return ir.IntegerType.get_signless(1)


def i32() -> ir.Type:
    return ir.IntegerType.get_signless(32)


def i64() -> ir.Type:
    return ir.IntegerType.get_signless(64)


# -- windows -----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Windows:
    """The places that a scatter writes to, in the program that is being built."""

    operand: Expr
    updates: Expr
    """(Of both the shape counts, and not the elements.)"""
    indices: Expr
    dims: Dims
    inside: bool
    """Whether it is known that nothing falls outside."""
    unique: bool
    """Whether it is known that no two windows meet."""
    is_sorted: bool

    @property
    def sizes(self) -> list[int]:
        return self.dims.sizes(self.operand.rank, self.updates.shape)

    @property
    def may_stick_out(self) -> bool:
        """Whether a window may be partly outside."""
        return not self.inside and any(self.sizes[d] > 1 for d in self.dims.index_map)

    def write(self, x: Expr, updates: Expr, body: Body) -> Expr:
        return scatter(x, self.indices, updates, self.dims, body, is_sorted=self.is_sorted, unique=self.unique)

    def clear(self, x: Expr, value: E.Scalar = 0) -> Expr:
        """`x` with one value wherever an update is written."""
        return self.write(x, filled(value, x.dtype, self.updates), take_update)

    def add(self, x: Expr | None, updates: Expr) -> Expr:
        return self.write(filled(0, updates.dtype, self.operand) if x is None else x, updates, plus)

    def read(self, x: Expr) -> Expr:
        """The windows of `x`, in the updates' shape; where an update is dropped, anything."""
        if not self.may_stick_out:
            return gather(x, self.indices, self.dims, self.sizes, is_sorted=self.is_sorted)
        # A gather would push such a window inside. With a margin of zeros it stays where it is.
        mapped, sizes = self.dims.index_map, self.sizes
        margin = [sizes[d] if d in mapped else 0 for d in range(len(sizes))]
        end = upper_limit(x, self.indices, self.dims, [0] * len(sizes))
        indices = E.convert(E.minimum(self.indices, end), i64())
        indices = E.maximum(indices + per_component([margin[d] for d in mapped], indices, self.dims.vector), 0)
        return gather(E.pad(x, 0, margin, margin), indices, self.dims, sizes)

    def take(self, x: Expr) -> Expr:
        """The windows of `x`, in the updates' shape; zero where an update is dropped."""
        landed = self.landed()
        return self.read(x) if landed is None else E.select(landed, self.read(x), 0)

    def landed(self) -> Expr | None:
        """Which elements of the updates are written at all; None if all are."""
        if self.inside:
            return None
        most = upper_limit(self.operand, self.indices, self.dims, self.sizes)
        good = (self.indices >= 0) & (self.indices <= most)
        if self.dims.vector < good.rank:
            good = E.reduce(good, [self.dims.vector], "stablehlo.and", True)
        good = E.broadcast_like(good, self.updates, self.dims.places(self.updates.rank))
        if not self.may_stick_out:
            return good
        present = self.read(filled(True, i1(), self.operand))
        return good | (present & E.broadcast_like(drops_elements(), self.updates, []))


def filled(value: E.Scalar, dtype: ir.Type, like: Expr) -> Expr:
    """One value everywhere in the shape of `like`."""
    if like.type.has_static_shape:
        return E.full(E.tensor(like.shape, dtype), value)
    return E.broadcast_like(E.full(E.tensor([], dtype), value), like, [])


def drops_elements() -> Expr:
    """A question to the back end: is the inner element of a window written whose other one is outside?"""
    dims = Dims((1,), (), (), (), (0,), 1)
    ask = scatter(
        E.full(E.tensor([2], i32()), 0),
        E.full(E.tensor([1, 1], i32()), 1),
        E.full(E.tensor([1, 2], i32()), 1),
        dims,
        plus,
    )
    return E.reshape(E.slice_(ask, [1], [2]), []).eq(1)


def windows_of(site: Site) -> Windows:
    n = count(site.op)
    x, indices, updates = site.ins[0], site.ins[n], site.ins[n + 1]
    dims = Dims.of_scatter(site.attr("scatter_dimension_numbers"))
    inside = in_range(site.op.operands[n], dims, x.shape, dims.sizes(x.rank, updates.shape))
    return Windows(x, updates, indices, dims, inside, is_unique(site.op), flag(site, "indices_are_sorted"))


def count(op: ir.Operation) -> int:
    """How many arrays are written to."""
    return len(op.operands) // 2


def is_unique(op: ir.Operation) -> bool:
    n = count(op)
    if "unique_indices" in op.attributes and ir.BoolAttr(op.attributes["unique_indices"]).value:
        return True
    dims = Dims.of_scatter(op.attributes["scatter_dimension_numbers"])
    x, updates = op.operands[0].type, op.operands[n + 1].type
    assert isinstance(x, ir.RankedTensorType) and isinstance(updates, ir.RankedTensorType)
    return are_unique(op.operands[n], dims, dims.sizes(x.rank, updates.shape))


# -- the computation ---------------------------------------------------------------------------------------------------


def kinds(op: ir.Operation) -> list[str]:
    """What the computation does with each input: a key of `KINDS`, or "other"."""
    return [_kind(op, k) for k in range(count(op))]


def _kind(op: ir.Operation, k: int) -> str:
    block, n = op.regions[0].blocks[0], count(op)
    old, update = block.arguments[k], block.arguments[n + k]
    given = terminator(block).operands[k]
    if given == update:
        return "set"
    if given == old:
        return "keep"
    op_of = maker(given)
    if op_of is None or len(op_of.operands) != 2 or old.type.element_type != op.results[k].type.element_type:
        return "other"
    name, sides = op_of.name.removeprefix("stablehlo."), list(op_of.operands)
    known = sides == [old, update] or (sides == [update, old] and name != "subtract")
    return name if known and name in KINDS else "other"


@dataclass
class Slot:
    """One of the arrays that a scatter writes to."""

    site: Site
    where: Windows
    k: int

    @property
    def x(self) -> Expr:
        return self.site.ins[self.k]

    @property
    def u(self) -> Expr:
        return self.site.ins[count(self.site.op) + 1 + self.k]

    @property
    def y(self) -> Expr:
        return self.site.outs[self.k]

    @property
    def dtype(self) -> ir.Type:
        return self.site.out_type(self.k).element_type

    def zeros(self) -> Expr:
        return filled(0, self.dtype, self.x)


@dataclass(frozen=True)
class Kind:
    """How a derivative passes a scatter of one kind."""

    body: Body
    jvp: Callable[[Slot, Shadow, Shadow], Shadow]
    """(operand's tangent, updates' tangent) -> result's tangent."""
    vjp: Callable[[Slot, Expr, bool, bool], tuple[Shadow, Shadow]]
    """(result's cotangent, is the operand's wanted, is the updates' wanted) -> (operand's, updates')."""


def _jvp_add(slot: Slot, x: Shadow, u: Shadow) -> Shadow:
    return x if u is None else slot.where.add(x, u)


def _vjp_add(slot: Slot, ct: Expr, x: bool, u: bool) -> tuple[Shadow, Shadow]:
    return ct, slot.where.take(ct) if u else None


def _jvp_subtract(slot: Slot, x: Shadow, u: Shadow) -> Shadow:
    return x if u is None else slot.where.add(x, -u)


def _vjp_subtract(slot: Slot, ct: Expr, x: bool, u: bool) -> tuple[Shadow, Shadow]:
    return ct, -slot.where.take(ct) if u else None


def _jvp_set(slot: Slot, x: Shadow, u: Shadow) -> Shadow:
    target = slot.zeros() if x is None else x
    return slot.where.clear(target) if u is None else slot.where.write(target, u, take_update)


def _vjp_set(slot: Slot, ct: Expr, x: bool, u: bool) -> tuple[Shadow, Shadow]:
    return slot.where.clear(ct) if x else None, slot.where.take(ct) if u else None


def _jvp_multiply(slot: Slot, x: Shadow, u: Shadow) -> Shadow:
    """(By the updates only where they are unique.)"""
    site, where = slot.site, slot.where
    by_x = None if x is None else site.scale(x, lambda d: where.write(d, slot.u, TIMES))
    if u is None:
        return by_x
    return where.add(by_x, site.scale(u, lambda d: d * where.read(slot.x)))


def _vjp_multiply(slot: Slot, ct: Expr, x: bool, u: bool) -> tuple[Shadow, Shadow]:
    site, where = slot.site, slot.where
    by_x = site.scale(ct, lambda d: where.write(d, E.conj(slot.u), TIMES)) if x else None
    by_u = site.scale(where.take(ct), lambda d: d * where.read(E.conj(slot.x))) if u else None
    return by_x, by_u


def _hits(slot: Slot) -> tuple[Expr, Expr, Expr]:
    """Where the operand is the extremum, which updates are not, and how many share each element.

    "Are" and "are not" are two comparisons, since an array of truths that two places need would be written to memory
    for them, and XLA's CPU code for a gather that ends in one is five times slower than for the gather itself. Should
    a compiler round an update in two ways for the two, so that the one that is the extremum is not counted, it has no
    one to share with.
    """
    mine, at_updates = slot.x.eq(slot.y), slot.where.read(slot.y)
    shares = slot.where.add(E.convert(mine, slot.dtype), E.convert(slot.u.eq(at_updates), slot.dtype))
    return mine, slot.u.ne(at_updates), E.maximum(shares, 1)


def _jvp_extremum(slot: Slot, x: Shadow, u: Shadow) -> Shadow:
    """The mean of the tangents of all that attain it."""
    mine, missed, shares = _hits(slot)
    total = None if x is None else E.select(mine, x, 0)
    if u is not None:
        total = slot.where.add(total, E.select(missed, 0, u))
    return None if total is None else slot.site.scale(total, lambda d: d / shares)


def _vjp_extremum(slot: Slot, ct: Expr, x: bool, u: bool) -> tuple[Shadow, Shadow]:
    mine, missed, shares = _hits(slot)
    share = slot.site.scale(ct, lambda d: d / shares)
    return E.select(mine, share, 0) if x else None, E.select(missed, 0, slot.where.take(share)) if u else None


TIMES: Body = lambda old, update: [old * update]  # noqa: E731
KINDS = {
    "keep": Kind(lambda old, update: [old], lambda slot, x, u: x, lambda slot, ct, x, u: (ct, None)),
    "set": Kind(take_update, _jvp_set, _vjp_set),
    "add": Kind(plus, _jvp_add, _vjp_add),
    "subtract": Kind(lambda old, update: [old - update], _jvp_subtract, _vjp_subtract),
    "multiply": Kind(TIMES, _jvp_multiply, _vjp_multiply),
    "maximum": Kind(lambda old, update: [E.maximum(old, update)], _jvp_extremum, _vjp_extremum),
    "minimum": Kind(lambda old, update: [E.minimum(old, update)], _jvp_extremum, _vjp_extremum),
}

# -- the rule ----------------------------------------------------------------------------------------------------------


def _jvp_scatter(site: Site, tangents: Sequence[Shadow]) -> list[Shadow]:
    n, where = count(site.op), windows_of(site)
    return [
        None if x is None and u is None else KINDS[kind].jvp(Slot(site, where, k), x, u)
        for k, (kind, x, u) in enumerate(zip(kinds(site.op), tangents[:n], tangents[n + 1 :], strict=True))
    ]


def _vjp_scatter(site: Site, cotangents: Sequence[Shadow]) -> list[Cotangent]:
    n, where = count(site.op), windows_of(site)
    pairs: list[tuple[Shadow, Shadow]] = []
    for k, (kind, ct) in enumerate(zip(kinds(site.op), cotangents, strict=True)):
        if ct is None:
            pairs.append((None, None))
        else:
            pairs.append(KINDS[kind].vjp(Slot(site, where, k), ct, site.active[k], site.active[n + 1 + k]))
    return [*(x for x, _ in pairs), None, *(u for _, u in pairs)]


def _batch_scatter(site: Site) -> list[Expr]:
    n = count(site.op)
    each = site.batched[n]
    dims = Dims.of_scatter(site.attr("scatter_dimension_numbers")).batched(True, each)
    operands = [with_batch(site, i) if i != n else site.ins[n] for i in range(2 * n + 1)]
    return site.again(
        operands,
        [x.type for x in operands[:n]],
        scatter_dimension_numbers=dims.scatter(),
        indices_are_sorted=ir.BoolAttr.get(flag(site, "indices_are_sorted") and not each),
    )


def _needs_expansion(op: ir.Operation, active: Sequence[bool]) -> bool:
    """Whether the computation has no rule, or one for unique indices only."""
    n = count(op)
    pairs = list(zip(kinds(op), active[:n], active[n + 1 :], strict=True))
    if any(kind == "other" and (x or u) for kind, x, u in pairs):
        return True
    return any(kind in ("set", "multiply") and u for kind, _, u in pairs) and not is_unique(op)


def _expand_scatter(site: Site) -> list[Expr]:
    found, where = kinds(site.op), windows_of(site)
    n = count(site.op)
    xs, us = site.ins[:n], site.ins[n + 1 :]
    if not all(v.type.has_static_shape for v in site.op.operands):
        raise NoRule(
            "stablehlo.scatter of an open shape, where updates may meet in one element",
            location=location_text(site.op.location),
            hint="say unique_indices = true if they don't, or make the shape static",
        )
    if not E.size(where.updates.shape):
        return xs
    if "other" not in found and "multiply" not in found:
        return _by_number(where, found, xs, us)
    if where.unique:
        return _at_once(site, where, xs, us)
    return _one_by_one(site, where, xs, us)


def _by_number(where: Windows, found: Sequence[str], xs: Sequence[Expr], us: Sequence[Expr]) -> list[Expr]:
    """Scatter the updates' numbers; then write just those updates whose numbers are there."""
    shape = where.updates.shape
    size = E.size(shape)
    index = i32() if size < 2**31 else i64()
    numbers = E.reshape(E.iota([size], 0, index), shape) + 1
    there = where.write(filled(0, index, where.operand), numbers, take_update)
    wins = where.read(there).eq(numbers)

    def written(kind: str, x: Expr, u: Expr) -> Expr:
        if kind != "set":
            return where.write(x, u, KINDS[kind].body)
        nothing = _nothing(x.dtype)
        return where.add(where.clear(x, nothing), E.select(wins, u, nothing))

    return [written(*each) for each in zip(found, xs, us, strict=True)]


def _nothing(dtype: ir.Type) -> E.Scalar:
    """What can be added to any number without a trace: 0 for integers, -0 for floats (0 would change a -0)."""
    if isinstance(dtype, ir.IntegerType):
        return 0
    return complex(-0.0, -0.0) if E.is_complex(dtype) else -0.0


def _at_once(site: Site, where: Windows, xs: Sequence[Expr], us: Sequence[Expr]) -> list[Expr]:
    """Windows that do not meet: read them all, compute, write them all."""
    landed = where.landed()
    # What is dropped takes part in nothing, not even as 0 times infinity.
    given = us if landed is None else [E.select(landed, u, 0) for u in us]
    news = _computed(site, [where.take(x) for x in xs], given)
    return [where.write(x, new, take_update) for x, new in zip(xs, news, strict=True)]


def _computed(site: Site, olds: Sequence[Expr], us: Sequence[Expr]) -> list[Expr]:
    """The scatter's computation applied to whole arrays: as a function, batched over their elements."""
    deriver, block = site.deriver, site.op.regions[0].blocks[0]
    last = terminator(block)

    def body(arguments: Sequence[Expr]) -> list[Expr]:
        values = {a: x.value for a, x in zip(block.arguments, arguments, strict=True)}
        values.update((v, site.captured(v).value) for v in site.captures())
        for view in block.operations:
            if view.operation != last:
                copy_op(view.operation, values)
        return [Expr(values.get(v, v)) for v in last.operands]

    types = [a.type for a in block.arguments]
    scalar = deriver.define("scatter.computation", types, body, site.op.location)
    shape = olds[0].shape
    size = E.size(shape)
    flat = [E.reshape(E.convert(x, t.element_type), [size]) for x, t in zip((*olds, *us), types, strict=True)]
    symbol, has = deriver.batch_of(scalar, (True,) * len(types), size)
    outs = [o if b else prepend(o, size) for o, b in zip(deriver.call(symbol, flat), has, strict=True)]
    return [E.convert(E.reshape(o, shape), x.dtype) for o, x in zip(outs, olds, strict=True)]


def _one_by_one(site: Site, where: Windows, xs: Sequence[Expr], us: Sequence[Expr]) -> list[Expr]:
    """Windows that may meet: one after the other, in a loop. (Those of different batches never meet.)"""
    dims, rank = where.dims, where.indices.rank
    together = list(dims.index_batching)
    apart = [d for d in range(rank) if d != dims.vector and d not in together]
    shape = where.indices.shape
    batch, n = [shape[d] for d in together], E.size([shape[d] for d in apart])
    width = [dims.vector] if dims.vector < rank else []
    indices = E.transpose(where.indices, [*together, *apart, *width])
    indices = E.reshape(indices, [*batch, n, len(dims.index_map)])
    place = dims.places(where.updates.rank)  # of each dimension of the indices but the one of components
    of = {d: place[j] for j, d in enumerate(d for d in range(rank) if d != dims.vector)}
    inner = [where.updates.shape[d] for d in dims.window]
    order = [*(of[d] for d in together), *(of[d] for d in apart), *dims.window]
    rows = [E.reshape(E.transpose(u, order), [*batch, n, *inner]) for u in us]
    b = len(batch)
    each = replace(
        where,
        dims=replace(dims, window=tuple(range(b, b + len(inner))), index_batching=tuple(range(b)), vector=b),
        unique=True,
        is_sorted=False,
    )
    zero = E.full(E.tensor([], i32()), 0)

    def row(x: Expr, i: Expr) -> Expr:
        starts = [i if d == b else zero for d in range(x.rank)]
        sizes = [1 if d == b else s for d, s in enumerate(x.shape)]
        return E.reshape(E.dynamic_slice(x, starts, sizes), [s for d, s in enumerate(x.shape) if d != b])

    def round_(i: Expr, *so_far: Expr) -> Sequence[Expr]:
        mine = [row(u, i) for u in rows]
        here = replace(each, indices=row(indices, i), updates=mine[0])
        return _at_once(site, here, so_far, mine)

    return count_up(n, round_, xs)


add(
    Rule(
        "stablehlo.scatter",
        jvp=_jvp_scatter,
        vjp=_vjp_scatter,
        batch=_batch_scatter,
        expand=_expand_scatter,
        expands=_needs_expansion,
    )
)
