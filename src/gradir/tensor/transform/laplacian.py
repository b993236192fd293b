"""The forward Laplacian: each value with its derivatives by the variables and the sum of its second derivatives.

For an op g of values u, the Laplacian of g(u) is Dg[Lu] + Σ_k D²g[J_k u, J_k u], over the variables k. So linear ops
map Laplacians as they map values; of an elementwise op the last term needs its second derivatives once, and the
products of gradients Σ_k J_k u_a J_k u_b; any other op is differentiated twice in every direction. Where it is known
that an element depends on a few variables only, only these derivatives are computed (`Directions`).
"""

from __future__ import annotations

import functools
import itertools
import math
import operator
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from jaxlib.mlir import ir

from gradir.tensor.analysis.activity import Mask
from gradir.tensor.analysis.computation import single_op
from gradir.tensor.analysis.movement import MOVES, Labels
from gradir.tensor.ir import expr as E
from gradir.tensor.ir.dot import Dims
from gradir.tensor.ir.expr import Expr
from gradir.tensor.ir.reading import ints
from gradir.tensor.rules.dependence import is_elementwise
from gradir.tensor.rules.rule import add_shadows, zero_of
from gradir.tensor.transform.desk import Desk
from gradir.tensor.transform.local import Local, Walk

Shadow = Expr | None


@dataclass(eq=False)
class Directions:
    """Derivatives of a value by some variables: slot s of element e is that by variable `which[s, e]`.

    `base` and `which` have a first dimension for the slots, of which each element has one for each variable that it
    may depend on (-1: none, and the derivative is zero). Without `which`, there is a slot for each variable, in order.
    The derivatives are the base times the `slope`, which has no such dimension: elementwise ops change the slope alone,
    and nothing is done for each variable until elements are added up.
    """

    base: Expr
    which: Labels | None
    slope: Shadow = None

    @property
    def slots(self) -> int:
        return self.base.shape[0]

    @property
    def values(self) -> Expr:
        if self.slope is None:
            return self.base
        return self.base * E.broadcast(self.slope, self.base.shape, range(1, self.base.rank))


@dataclass
class Jet:
    """What goes along with a value: its derivatives, and its Laplacian (None: zero)."""

    directions: Directions
    laplacian: Shadow


class Laplacian(Walk[Jet]):
    """Values with their jets, for n variables."""

    def __init__(self, deriver: Desk, n: int) -> None:
        super().__init__(deriver)
        self.n = n
        self._products: dict[tuple[ir.Value, ir.Value], Expr] = {}

    def seed(self, value: ir.Value, first: int) -> None:
        """The elements of an argument are the variables from number `first` on."""
        t = value.type
        which = np.arange(first, first + math.prod(t.shape)).reshape(1, *t.shape)
        ones = E.full(E.tensor([1, *t.shape], t.element_type), 1)
        self.shadows[value] = Jet(self._dense_if_all(Directions(ones, which)), None)

    def leaf(self, op: ir.Operation, local: Local) -> Sequence[Jet | None]:
        active = [v for v, a in zip(local.values, local.active, strict=True) if a]
        first = local.first()
        if _is_plain(op, active):
            return [self._elementwise(local, active)]
        if not local.uses(first, local.active):
            return self._linear(op, local, first, active)
        return self._general(local, first, active)

    def _laplacians(self, local: Local, active: Sequence[ir.Value]) -> list[Shadow]:
        """What the op makes of its operands' Laplacians: its derivative along them."""
        given = tuple(v in active and self.shadows[v].laplacian is not None for v in local.values)
        if not any(given):
            return [None] * sum(local.smooth)
        shadows = [self.shadows[v].laplacian for v, g in zip(local.values, given, strict=True) if g]
        return list(local.call(local.first(given), *(s for s in shadows if s is not None)))

    # -- kinds of ops

    def _linear(self, op: ir.Operation, local: Local, first: str, active: Sequence[ir.Value]) -> list[Jet | None]:
        laplacians = self._laplacians(local, active)
        directions = self._sparse_linear(op, local, first, active)
        if directions is None:
            dense = [self.dense(self.shadows[v].directions).values for v in active]
            return [
                Jet(Directions(d, None), l) for d, l in zip(local.over(first, self.n, *dense), laplacians, strict=True)
            ]
        return [Jet(directions, laplacians[0])]

    def _sparse_linear(
        self, op: ir.Operation, local: Local, first: str, active: Sequence[ir.Value]
    ) -> Directions | None:
        """An op that moves elements moves the slots; sums may make slots of what they add up."""
        name = op.name.removeprefix("stablehlo.")
        given = [self.shadows[v].directions for v in active]
        if all(d.which is None for d in given):
            return None
        if name in MOVES or is_elementwise(op):
            given = self.alike(given) if is_elementwise(op) else self._as_many(given)
            if given[0].which is None:
                return None
            values = local.over(first, given[0].slots, *(d.values for d in given))[0]
            if is_elementwise(op):
                return Directions(values, given[0].which)
            slots = given[0].slots
            by = dict(zip(active, (d.which for d in given), strict=True))
            labels = [_labels(by.get(v), v, slots) for v in op.operands]
            return Directions(values, np.stack([MOVES[name](op, *(l[s] for l in labels)) for s in range(slots)]))
        if len(active) == 1 and name == "dot_general":
            return self._sparse_dot(op, local, first, active[0])
        if active == [op.operands[0]] and name == "reduce" and single_op(op.regions[0]) == "stablehlo.add":
            return self._sparse_sum(op, local, first, given[0])
        return None

    def _sparse_dot(self, op: ir.Operation, local: Local, first: str, active: ir.Value) -> Directions | None:
        """A product with a matrix that carries nothing."""
        side = 0 if op.operands[0] == active else 1
        dims = Dims.of(op) if side == 0 else Dims.of(op).swapped()
        d, other = self.shadows[active].directions, self.lookup(op.operands[1 - side])
        assert d.which is not None
        if op.operands[0] == op.operands[1] or d.base.dtype != op.results[0].type.element_type:
            return None
        rank = d.which.ndim - 1
        batch, contract, free = dims.batch[0], dims.contract[0], dims.free(0, rank)
        theirs = dims.free(1, other.rank)
        which = d.which.transpose([0, *(k + 1 for k in (*batch, *free, *contract))])
        outer = [other.shape[k] for k in theirs]
        lead, n_batch, n_free = d.slots, len(batch), len(free)
        terms = which.reshape(*which.shape[: 1 + n_batch + n_free], -1)  # (slots, batch, free, terms)

        def spread(found: Labels) -> Labels:
            """Over the product's dimensions: the batch, then the free ones of both sides in their order."""
            at = 1 + n_batch + (n_free if side == 0 else 0)
            wide = found.reshape(*found.shape[:at], *[1] * len(outer), *found.shape[at:])
            return np.broadcast_to(wide, [found.shape[0], *op.results[0].type.shape])

        if not terms.shape[-1]:
            return None
        if (terms == terms[..., :1]).all():  # what is added up depends on the same variables
            return Directions(local.over(first, lead, d.values)[0], spread(terms[..., 0]))
        slots = np.moveaxis(terms, -1, 1).reshape(-1, *terms.shape[1:-1])
        if slots.shape[0] > self.n or not _distinct(slots):
            return None
        # Each term of the sum has a slot of its own: the product, without the sum.
        x = E.transpose(d.values, [0, *(k + 1 for k in (*contract, *batch, *free))])
        x = E.reshape(x, [slots.shape[0], *(d.which.shape[k + 1] for k in (*batch, *free))])
        y = E.transpose(other, [*dims.contract[1], *dims.batch[1], *theirs])
        y = E.reshape(y, [terms.shape[-1], *(other.shape[k] for k in dims.batch[1]), *outer])
        shape = [lead, terms.shape[-1], *op.results[0].type.shape]
        x = E.reshape(x, [lead, terms.shape[-1], *x.shape[1:]])
        batches = range(2, 2 + n_batch)
        mine = range(2 + n_batch, 2 + n_batch + n_free) if side == 0 else range(len(shape) - n_free, len(shape))
        rest = [k for k in range(2 + n_batch, len(shape)) if k not in mine]
        product = E.broadcast(x, shape, [0, 1, *batches, *mine]) * E.broadcast(y, shape, [1, *batches, *rest])
        return self._dense_if_all(Directions(E.reshape(product, [slots.shape[0], *shape[2:]]), spread(slots)))

    def _sparse_sum(self, op: ir.Operation, local: Local, first: str, d: Directions) -> Directions | None:
        assert d.which is not None
        dims = ints(op, "dimensions")
        kept = [k for k in range(d.which.ndim - 1) if k not in dims]
        which = d.which.transpose([0, *(k + 1 for k in (*dims, *kept))])
        terms = which.reshape(d.slots, -1, *which.shape[1 + len(dims) :])
        if not terms.shape[1]:
            return None
        if (terms == terms[:, :1]).all():
            return Directions(local.over(first, d.slots, d.values)[0], terms[:, 0])
        slots = terms.reshape(-1, *terms.shape[2:])
        if slots.shape[0] > self.n or not _distinct(slots):
            return None
        values = E.reshape(E.transpose(d.values, [0, *(k + 1 for k in (*dims, *kept))]), list(slots.shape))
        return self._dense_if_all(Directions(values, slots))

    def _elementwise(self, local: Local, active: Sequence[ir.Value]) -> Jet:
        """The chain rule, with each partial derivative computed once for all variables."""
        given = self.alike([self.shadows[v].directions for v in active])
        (laplacian,) = self._laplacians(local, active)
        one = E.full(local.op.results[0].type, 1)
        masks = [_only(local.values, v) for v in active]
        slopes = [_product(d.slope, local.call(local.first(m), one)[0]) for m, d in zip(masks, given, strict=True)]
        for (m, d), (k, e) in itertools.combinations_with_replacement(zip(masks, given, strict=True), 2):
            if local.uses(local.first(m), k):
                (curved,) = local.call(local.second(m, k), self.inner(d, e), one)
                laplacian = add_shadows(laplacian, curved if d is e else curved + curved)
        base, which = given[0].base, given[0].which
        if all(d.base.value == base.value for d in given):
            return Jet(Directions(base, which, functools.reduce(operator.add, slopes)), laplacian)
        parts = [Directions(d.base, which, slope).values for d, slope in zip(given, slopes, strict=True)]
        return Jet(Directions(functools.reduce(operator.add, parts), which), laplacian)

    def inner(self, d: Directions, e: Directions) -> Expr:
        """The products of two values' gradients, element by element; that of their bases is computed once."""
        key = (d.base.value, e.base.value)
        if key not in self._products:
            self._products[key] = E.reduce_sum(d.base * e.base, [0])
        return _product(_product(d.slope, self._products[key]), e.slope)

    def _general(self, local: Local, first: str, active: Sequence[ir.Value]) -> list[Jet | None]:
        """Any op: twice along each variable."""
        dense = [self.dense(self.shadows[v].directions).values for v in active]
        pushed = local.over(first, self.n, *dense)
        curved = [E.reduce_sum(c, [0]) for c in local.over(local.second(), self.n, *dense, *dense)]
        laplacians = self._laplacians(local, active)
        return [Jet(Directions(d, None), add_shadows(l, c)) for d, l, c in zip(pushed, laplacians, curved, strict=True)]

    # -- slots

    def dense(self, d: Directions) -> Directions:
        """A slot for each variable."""
        if d.which is None:
            return d
        shape, values = d.base.shape[1:], d.values
        i32 = ir.IntegerType.get_signless(32)
        number = E.iota([self.n, *shape], 0, i32)
        total: Shadow = None
        for s in range(d.slots):
            mine = E.broadcast(E.array(d.which[s], i32), [self.n, *shape], range(1, 1 + len(shape)))
            value = E.reshape(E.slice_in_dim(values, s, s + 1, 0), shape)
            wide = E.broadcast(value, [self.n, *shape], range(1, 1 + len(shape)))
            total = add_shadows(total, E.select(number.eq(mine), wide, 0))
        assert total is not None
        return Directions(total, None)

    def _dense_if_all(self, d: Directions) -> Directions:
        """Slots that are those of all variables, in order."""
        if d.which is None or d.slots != self.n:
            return d
        number = np.arange(self.n).reshape([-1] + [1] * (d.which.ndim - 1))
        return Directions(d.base, None, d.slope) if (d.which == number).all() else d

    def _as_many(self, given: Sequence[Directions]) -> list[Directions]:
        """With as many slots each; dense ones, if one is."""
        if any(d.which is None for d in given):
            return [self.dense(d) for d in given]
        slots = max(d.slots for d in given)
        return [_with_slots(d, slots) for d in given]

    def alike(self, given: Sequence[Directions]) -> list[Directions]:
        """Values of one shape with the same slots for the same variables."""
        if all(_same(d.which, given[0].which) for d in given):
            return list(given)
        slots = sum(d.slots for d in given)
        if any(d.which is None for d in given) or 2 * slots > self.n:
            return [self.dense(d) for d in given]
        which = np.full((0, *given[0].base.shape[1:]), -1)
        for d in given:
            assert d.which is not None
            new = np.where((d.which[:, None] == which[None]).any(axis=1), -1, d.which)
            which = np.concatenate([which, new[(new >= 0).reshape(len(new), -1).any(axis=1)]])
        return [Directions(_placed(d, which), which) for d in given]


def _product(x: Shadow, y: Shadow) -> Expr:
    """Where no factor is 1, and one of them is there."""
    found = y if x is None else x if y is None else x * y
    assert found is not None
    return found


def _placed(d: Directions, which: Labels) -> Expr:
    """The derivatives in the slots of `which`, where each variable of an element has one."""
    shape, values = d.base.shape[1:], d.values
    i1 = ir.IntegerType.get_signless(1)
    assert d.which is not None
    slots: list[Expr] = []
    for target in which:
        total: Shadow = None
        for s, mine in enumerate(d.which):
            here = (mine == target) & (mine >= 0)
            if here.any():
                value = E.reshape(E.slice_in_dim(values, s, s + 1, 0), shape)
                total = add_shadows(total, value if here.all() else E.select(E.array(here, i1), value, 0))
        slots.append(E.full(E.tensor(shape, d.base.dtype), 0) if total is None else total)
    return E.concatenate([E.reshape(x, [1, *shape]) for x in slots], 0)


def _with_slots(d: Directions, slots: int) -> Directions:
    missing = slots - d.slots
    if not missing:
        return d
    assert d.which is not None
    shape = d.which.shape[1:]
    zeros = E.full(E.tensor([missing, *shape], d.base.dtype), 0)
    return Directions(E.concatenate([d.values, zeros], 0), np.concatenate([d.which, np.full((missing, *shape), -1)]))


def _labels(which: Labels | None, value: ir.Value, slots: int) -> Labels:
    return np.full((slots, *value.type.shape), -1) if which is None else which


def _same(a: Labels | None, b: Labels | None) -> bool:
    return a is b or (a is not None and b is not None and np.array_equal(a, b))


def _distinct(slots: Labels) -> bool:
    """Whether no element has two slots for one variable."""
    ordered = np.sort(slots, axis=0)
    return not ((ordered[1:] == ordered[:-1]) & (ordered[1:] >= 0)).any()


def _only(values: Sequence[ir.Value], chosen: ir.Value) -> Mask:
    return tuple(v == chosen for v in values)


def _is_plain(op: ir.Operation, active: Sequence[ir.Value]) -> bool:
    """An elementwise op of real values of one shape."""
    t = op.results[0].type
    return is_elementwise(op) and E.is_float(t.element_type) and all(v.type == t for v in active)


def laplacian_function(deriver: Desk, name: str, args: Mask, results: Mask) -> str:
    """`(args…) -> (results…, derivatives of those in the mask…, Laplacians of those…)`.

    The variables are the elements of the arguments in the mask; a derivative has a first dimension for them.
    """
    source = deriver.prepared(name)
    entry = source.entry_block
    n = sum(math.prod(a.type.shape) for a, on in zip(entry.arguments, args, strict=True) if on)
    walk = Laplacian(deriver, n)

    def body(arguments: Sequence[Expr]) -> list[Expr]:
        walk.env.update(zip(entry.arguments, (a.value for a in arguments), strict=True))
        first = 0
        for a, on in zip(entry.arguments, args, strict=True):
            if on:
                walk.seed(a, first)
                first += math.prod(a.type.shape)
        returned = walk.block(entry)
        chosen = [v for v, on in zip(returned, results, strict=True) if on]
        jets = [walk.shadows.get(v) for v in chosen]
        wide = [E.tensor([n, *v.type.shape], v.type.element_type) for v in chosen]
        derivatives = [
            zero_of(t) if j is None else walk.dense(j.directions).values for j, t in zip(jets, wide, strict=True)
        ]
        laplacians = [None if j is None else j.laplacian for j in jets]
        return [
            *(walk.lookup(v) for v in returned),
            *derivatives,
            *(zero_of(v.type) if l is None else l for v, l in zip(chosen, laplacians, strict=True)),
        ]

    shadows = range(len(results), len(results) + 2 * sum(results))
    types = [a.type for a in entry.arguments]
    return deriver.define(f"{name}.laplacian", types, body, source.location, shadows=shadows)
