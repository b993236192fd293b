"""Raising: a loop of independent rounds becomes one batched computation.

A round may depend on the counter and on what is outside. What it leaves behind is a slot of an array that it alone
writes, or a term of a sum, a product, a maximum or a minimum. The body becomes a function of the counter, which the
batch transform maps over all rounds at once; indices that followed the counter are then known, and gathers by them
become slices.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from jaxlib.mlir import ir
from jaxlib.mlir.dialects import func

from gradir.errors import GradirError
from gradir.tensor.analysis.cost import size
from gradir.tensor.analysis.counting import Counter, count, values_by_round
from gradir.tensor.analysis.known import progression
from gradir.tensor.analysis.ranges import of_type
from gradir.tensor.ir import expr as E
from gradir.tensor.ir.dot import Dims, in_full, is_of_matrices
from gradir.tensor.ir.expr import Expr
from gradir.tensor.ir.inline import inline_call, inline_every
from gradir.tensor.ir.module import operations
from gradir.tensor.ir.reading import float_type, is_bound, kind, made_by, maker, single_use, splat_of
from gradir.tensor.ir.regions import captures, copy_op, terminator
from gradir.tensor.optimize.driver import CONTROL, Driver
from gradir.tensor.optimize.effects import ROUNDS
from gradir.tensor.optimize.loops import adds_up_after, blocks
from gradir.tensor.optimize.products import product
from gradir.tensor.optimize.reductions import has_number
from gradir.tensor.optimize.rule import Family
from gradir.tensor.rules.rule import prepend
from gradir.tensor.transform.derive import Deriver

raising = Family("raising", "loops of independent rounds as one batched computation")
rule = raising.rule

LARGEST = 64 << 20
"""Bytes that all rounds at once may need."""

SUMS = {
    "stablehlo.add": "stablehlo.add",
    "stablehlo.subtract": "stablehlo.add",
    "stablehlo.multiply": "stablehlo.multiply",
    "stablehlo.maximum": "stablehlo.maximum",
    "stablehlo.minimum": "stablehlo.minimum",
    "stablehlo.and": "stablehlo.and",
    "stablehlo.or": "stablehlo.or",
}
"""What may take a term into a carried value, and what the terms come to together."""


def _neutral(name: str, t: ir.RankedTensorType) -> int | float | bool:
    if name in ("stablehlo.add", "stablehlo.multiply"):
        return int(name == "stablehlo.multiply")
    if kind(t) == "bool":
        return name in ("stablehlo.and", "stablehlo.minimum")
    if kind(t) == "float":
        return -np.inf if name == "stablehlo.maximum" else np.inf
    low, high = of_type(t.element_type)
    return {"stablehlo.maximum": low, "stablehlo.minimum": high, "stablehlo.or": 0}.get(name, high if low == 0 else -1)


@dataclass
class Term:
    """A carried value to which each round adds (or by which it multiplies, …) a term that does not depend on it."""

    carry: int
    op: str
    term: ir.Value


@dataclass
class Slots:
    """A carried array of which each round writes a part that no other round touches, and which none reads."""

    carry: int
    dim: int
    """The dimension along which the parts lie one after the other, in equal steps."""
    start: int
    step: int
    update: ir.Operation

    @property
    def sizes(self) -> list[int]:
        return list(self.update.operands[1].type.shape)

    def fills(self, trips: int) -> bool:
        """Whether all rounds together write everything."""
        whole = list(self.update.operands[0].type.shape)
        whole[self.dim] //= trips
        return self.sizes == whole


def slots_of(op: ir.Operation, counter: Counter, carry: int) -> Slots | None:
    """See whether a carried value is only written, by one dynamic_update_slice, each round somewhere else."""
    _, body = blocks(op)
    value, argument = terminator(body).operands[carry], body.arguments[carry]
    update = made_by(value, "dynamic_update_slice")
    if update is None or update.block != body or update.operands[0] != argument:
        return None
    if not single_use(value) or not single_use(argument):
        return None
    whole, part = (v.type.shape for v in list(update.operands)[:2])
    found: Slots | None = None
    for d, at in enumerate(list(update.operands)[2:]):
        if part[d] == whole[d] or _is_invariant(at, body):
            continue
        written = values_by_round(at, op, counter)
        steps = progression(written) if written is not None else None
        if written is None or steps is None or found is not None:
            return None
        start, step = steps
        if step == 0 or abs(step) < part[d] or (part[d] > 1 and abs(step) != part[d]):
            return None
        if written.min() < 0 or written.max() > whole[d] - part[d]:
            return None
        found = Slots(carry, d, start, step, update)
    return found


def _is_invariant(value: ir.Value, body: ir.Block) -> bool:
    """Whether a scalar is the same in every round: from outside, or a constant."""
    m = maker(value)
    if m is None:
        return value.owner != body
    return m.block != body or splat_of(value) is not None


@rule("while_(*xs)", effects=ROUNDS)
def raise_loop(op: ir.Operation, xs: list[Expr], driver: Driver) -> list[Expr] | None:
    """A loop whose rounds don't depend on each other is one batched computation."""
    counter = driver.counter(op)
    if counter is None or counter.trips < 2 or is_bound(op) or driver.acts(op) or adds_up_after(op, driver):
        return None
    parts = _independent(op, counter)
    if parts is None or not _is_small(op, counter):
        return None
    written, terms = parts
    if not all(has_number(SUMS[t.op], Expr(t.term), counter.trips) for t in terms):
        return None  # (XLA makes a multiple of a sum of equal terms)
    wanted = list(dict.fromkeys([*(s.update.operands[1] for s in written), *(v for t in terms for v in asked(t))]))
    made = batched(op, counter, wanted)
    if made is None:
        return None
    values = dict(zip(wanted, made, strict=True))
    results = list(xs)
    results[counter.index] = E.full(op.results[counter.index].type, counter.start + counter.step * counter.trips)
    for s in written:
        results[s.carry] = filled(xs[s.carry], s, values[s.update.operands[1]])
    for t in terms:
        results[t.carry] = summed(t, xs[t.carry], values)
    return results


def asked(t: Term) -> list[ir.Value]:
    """What must be known of every round for a sum: the term, or the factors of a product that can add up itself."""
    m = product_of(t)
    return [t.term] if m is None else list(m.operands)


def product_of(t: Term) -> ir.Operation | None:
    """The product that is a term of a sum, which can add up over the rounds as well: in the sum's own type, if it was
    made wider for that."""
    term = t.term
    if (c := made_by(term, "convert")) is not None and _is_widened(c):
        term = c.operands[0]
    m = made_by(term, "dot_general")
    return m if SUMS[t.op] == "stablehlo.add" and kind(t.term.type) in ("float", "complex") else None


def _is_widened(c: ir.Operation) -> bool:
    """Whether a float that nobody else needs is converted to a wider one, of a product that may give either."""
    types = c.operands[0].type, c.results[0].type
    narrow, wide = map(float_type, types)
    if narrow is None or wide is None or narrow.width >= wide.width or kind(types[0]) != kind(types[1]):
        return False
    if not single_use(c.operands[0]):
        return False
    m = maker(c.operands[0])
    return m is not None and "algorithm" not in m.attributes


def summed(t: Term, init: Expr, values: Mapping[ir.Value, Expr]) -> Expr:
    """What a sum comes to, of the `values` that were asked for: each of every round, the rounds first."""
    m = product_of(t)
    if m is None or t.term in values:
        body = SUMS[t.op]
        return E.op(t.op, init, E.reduce(values[t.term], [0], body, _neutral(body, t.term.type)))
    dims = Dims.of(m)
    (b0, b1), (c0, c1) = (([d + 1 for d in side] for side in part) for part in (dims.batch, dims.contract))
    over = Dims((tuple(b0), tuple(b1)), ((0, *c0), (0, *c1)))
    x, y = (values[v] for v in m.operands)
    return E.op(t.op, init, product(m, x, y, over, t.term.type.element_type))


def _independent(op: ir.Operation, counter: Counter) -> tuple[list[Slots], list[Term]] | None:
    """How each carried value but the counter comes about, if no round depends on another."""
    _, body = blocks(op)
    written: list[Slots] = []
    terms: list[Term] = []
    for k in range(len(op.operands)):
        if k == counter.index:
            continue
        slot = slots_of(op, counter, k)
        term = term_of(body, k) if slot is None else None
        if slot is not None:
            written.append(slot)
        elif term is not None:
            terms.append(term)
        else:
            return None
    if any(not _can_be_batched(view.operation) for view in body.operations):
        return None
    return written, terms


def _can_be_batched(op: ir.Operation) -> bool:
    """Whether all rounds of an op can be done at once: also a loop's, if each has as many rounds."""
    if op.name == "stablehlo.while":
        inside = all(_can_be_batched(view.operation) for r in op.regions for view in r.blocks[0].operations)
        return inside and count(op) is not None and not is_bound(op)
    return op.name not in CONTROL and op.name != "func.call"


def term_of(body: ir.Block, k: int) -> Term | None:
    argument, value = body.arguments[k], terminator(body).operands[k]
    op = maker(value)
    if op is None or op.name not in SUMS or op.block != body:
        return None
    if not single_use(value) or not single_use(argument):
        return None
    a, b = op.operands
    if b == argument and op.name != "stablehlo.subtract":
        a, b = b, a
    return Term(k, op.name, b) if a == argument and b != argument else None


def _is_small(op: ir.Operation, counter: Counter) -> bool:
    needed = _bytes_made(op)
    carried = sum(size(x.type)[1] for x in op.operands)
    return needed * counter.trips <= LARGEST + carried * counter.trips  # (the arrays that are written are not repeated)


def _bytes_made(loop: ir.Operation) -> int:
    """The bytes of all that a round makes."""
    _, body = blocks(loop)
    ops = [view.operation for view in body.operations]
    inside = sum(_bytes_made(o) for o in ops if o.name == "stablehlo.while")
    return inside + sum(size(r.type)[1] for o in ops for r in o.results)


def batched(
    op: ir.Operation, counter: Counter, wanted: Sequence[ir.Value], stacks: Mapping[ir.Value, Expr] | None = None
) -> list[Expr] | None:
    """Values of the body in all rounds, along a new first dimension; of some values there are `stacks` of that kind."""
    module = _module_of(op)
    if module is None:
        return None
    _, body = blocks(op)
    given = dict(stacks or {})
    outside = captures([op.regions[1]])
    i = body.arguments[counter.index]
    deriver = Deriver(module)

    def round_(arguments: list[Expr]) -> list[Expr]:
        env: dict[ir.Value, ir.Value] = dict(zip([i, *given, *outside], (a.value for a in arguments), strict=True))
        for o in _needed(body, wanted, given):
            _ask_for_full_products(copy_op(o, env))
        return [Expr(env.get(v, v)) for v in wanted]

    known = set(deriver.functions)
    try:
        types = [i.type, *(v.type for v in (*given, *outside))]
        one = deriver.define("round", types, round_, op.location)  # type: ignore[arg-type]
        many, has = deriver.batch_of(one, (*[True] * (1 + len(given)), *[False] * len(outside)), counter.trips)
    except GradirError:  # an op that can't be batched
        _erase_others(deriver, known)
        return None
    numbers = E.iota([counter.trips], 0, i.type.element_type)
    numbers = numbers if counter.step == 1 else numbers * counter.step
    numbers = numbers if counter.start == 0 else numbers + counter.start
    function = deriver.functions[many]
    inline_every(function, lambda name: deriver.functions[name] if name not in known else None)
    call = E.ops(
        "func.call",
        [numbers, *given.values(), *E.exprs(outside)],
        function.type.results,
        {"callee": ir.FlatSymbolRefAttr.get(many)},
    )
    values = _inlined(call, function)
    _erase_others(deriver, known)
    return [v if h else prepend(v, counter.trips) for v, h in zip(values, has, strict=True)]


def _ask_for_full_products(op: ir.Operation) -> None:
    """Products with vectors are about to become products of matrices, which may be rounded."""
    for o in operations(op):
        if o.name == "stablehlo.dot_general" and not is_of_matrices(o):
            for name, value in in_full(dict(o.attributes), o.operands[0].type.element_type).items():
                o.attributes[name] = value


def _erase_others(deriver: Deriver, known: set[str]) -> None:
    """Erase the functions that were made on the way."""
    for name in set(deriver.functions) - known:
        deriver.functions[name].operation.erase()


def _inlined(call: ir.Operation, callee: func.FuncOp) -> list[Expr]:
    """The values of a call whose callee has taken its place."""
    # A copy that stands for the results until the call is gone.
    holders = [E.op("stablehlo.optimization_barrier", Expr(r), result=r.type) for r in call.results]
    inline_call(call, callee)
    values: list[Expr] = []
    for h in holders:
        barrier = maker(h.value)
        assert barrier is not None
        values.append(Expr(barrier.operands[0]))
        barrier.erase()
    return values


def _needed(body: ir.Block, wanted: Sequence[ir.Value], given: Collection[ir.Value] = ()) -> list[ir.Operation]:
    """The ops of a body that these values depend on, where some are given; in order."""
    needed, chosen = set(wanted), list[ir.Operation]()
    for view in reversed(list(body.operations)):
        o = view.operation
        if any(r in needed and r not in given for r in o.results):
            chosen.append(o)
            needed.update(o.operands)
            if len(o.regions):
                needed.update(captures(o.regions))
    return chosen[::-1]


def _module_of(op: ir.Operation) -> ir.Module | None:
    top = op
    while top.parent is not None:
        top = top.parent.operation
    return _Rooted(top) if top.name == "builtin.module" else None  # type: ignore[return-value]


class _Rooted:
    """A module seen from an op in it: what a `Deriver` needs of one."""

    def __init__(self, operation: ir.Operation) -> None:
        self.operation = operation
        self.body = operation.regions[0].blocks[0]
        self.context = operation.context


def filled(init: Expr, s: Slots, values: Expr) -> Expr:
    """The array with every round's part written: `values` has the rounds first."""
    n, sizes = values.shape[0], s.sizes
    start, step = s.start, s.step
    if step < 0:
        values, start, step = E.reverse(values, [0]), start + step * (n - 1), -step
    # The rounds come to stand before the dimension along which the parts lie, and are one with it.
    order = [*range(1, s.dim + 1), 0, *range(s.dim + 1, init.rank + 1)]
    sizes[s.dim] *= n
    whole = E.reshape(E.transpose(values, order), sizes)
    if sizes == init.shape:
        return whole
    index = ir.IntegerType.get_signless(32)
    starts = [E.full(E.tensor([], index), 0)] * init.rank
    for d, at in enumerate(list(s.update.operands)[2:]):
        if sizes[d] != init.shape[d] and d != s.dim:
            number = splat_of(at)
            starts[d] = Expr(at) if number is None else E.full(at.type, number)
    if len({x.type for x in starts}) > 1:
        wide = ir.IntegerType.get_signless(64)
        starts = [E.convert(x, wide) for x in starts]
    if step == s.sizes[s.dim]:
        starts[s.dim] = E.full(starts[s.dim].type, start)
        return E.dynamic_update_slice(init, whole, starts)
    room = [m if d == s.dim else k for d, (m, k) in enumerate(zip(init.shape, sizes, strict=True))]
    part = init if room == init.shape else E.dynamic_slice(init, starts, room)
    part = _spread(part, whole, s.dim, start, step)
    return part if room == init.shape else E.dynamic_update_slice(init, part, starts)


def _spread(init: Expr, rows: Expr, dim: int, start: int, step: int) -> Expr:
    """An array with rows written at every `step`-th place along a dimension."""
    n, rank = rows.shape[dim], init.rank
    end = start + step * (n - 1) + 1
    mask = np.zeros(init.shape[dim], bool)
    mask[start:end:step] = True
    along = lambda number: [number if d == dim else 0 for d in range(rank)]  # noqa: E731
    spread = E.pad(rows, 0, along(start), along(init.shape[dim] - end), along(step - 1))
    here = E.broadcast(E.array(mask, ir.IntegerType.get_signless(1)), init.shape, [dim])
    return E.select(here, spread, init)
