"""Fission: what of a loop's rounds need not wait for one another leaves the loop, as one batched computation.

Before the loop: products and sums that depend on the counter and on what is outside alone, such as the input's part of
a recurrent cell. After it: what only goes into a stack of results, or into a sum that no round reads, such as the
gradient of that cell's weights; the values that it needs are stacked instead.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from jaxlib.mlir import ir

from gradir.tensor.analysis.cost import CPU, cost, size
from gradir.tensor.analysis.counting import Counter
from gradir.tensor.ir import expr as E
from gradir.tensor.ir.dot import Dims
from gradir.tensor.ir.expr import Expr
from gradir.tensor.ir.reading import is_bound, made_by, maker
from gradir.tensor.ir.regions import captures, terminator
from gradir.tensor.optimize.driver import CONTROL, Driver
from gradir.tensor.optimize.effects import ROUNDS
from gradir.tensor.optimize.loops import adds_up_after, blocks, forget_terminator, may_move, remade, round_number
from gradir.tensor.optimize.pattern import CLASSES
from gradir.tensor.optimize.raising import (
    LARGEST,
    SUMS,
    Slots,
    Term,
    asked,
    batched,
    filled,
    product_of,
    raising,
    slots_of,
    summed,
    term_of,
)

rule = raising.rule

PRODUCTS = frozenset(
    f"stablehlo.{n}" for n in ("dot_general", "convolution", "cholesky", "triangular_solve", "fft")
)  # fmt: skip
VIEWS = frozenset(f"stablehlo.{n}" for n in ("reshape", "transpose", "broadcast_in_dim", "convert"))
LEAST, LEAST_BY_VECTOR = 512, 8192
"""Operations below which a product (of matrices, or with a vector) is as good as free on a CPU: it is written out."""
START = 8
"""Launches that a product or a sum of a round costs: it ends a fusion before and after it."""
MOST = 200
"""Launches that a product can save at most as a part of a larger one: a large one runs at full speed by itself."""


@dataclass
class Body:
    """A loop's body, and what of it depends on values that other rounds have made."""

    op: ir.Operation
    counter: Counter
    varied: set[ir.Value] = field(default_factory=set)
    fixed: set[ir.Value] = field(default_factory=set)
    """What depends on the counter, and on nothing else that changes."""
    _heavy: dict[ir.Value, bool] = field(default_factory=dict)
    _places: dict[ir.Value, int] = field(default_factory=dict)
    """At which place of the body each value is made."""

    def __post_init__(self) -> None:
        block = self.block
        for k, a in enumerate(block.arguments):
            (self.fixed if k == self.counter.index else self.varied).add(a)
        for place, view in enumerate(block.operations):
            o = view.operation
            results = list(o.results)
            self._places.update(dict.fromkeys(results, place))
            if not self.varied.isdisjoint(o.operands) or not may_move(o, self.counter):
                self.varied.update(results)
                continue
            needs = _needs(o)
            if not self.varied.isdisjoint(needs):
                self.varied.update(results)
            elif not self.fixed.isdisjoint(needs):
                self.fixed.update(results)

    @property
    def block(self) -> ir.Block:
        return blocks(self.op)[1]

    def is_here(self, value: ir.Value) -> bool:
        m = maker(value)
        return m is not None and m.block == self.block

    def is_heavy(self, value: ir.Value, among: set[ir.Value]) -> bool:
        """Whether a product (or a sum of much) goes into a value, by way of values that are `among` these."""
        found = self._heavy.get(value)
        if found is None:
            m = maker(value)
            found = (
                m is not None
                and value in among
                and self.is_here(value)
                and (_is_product(m) or any(self.is_heavy(v, among) for v in m.operands))
            )
            self._heavy[value] = found
        return found

    def below(
        self, values: Iterable[ir.Value], among: set[ir.Value], leaves: Iterable[ir.Value] = ()
    ) -> list[ir.Operation]:
        """The ops that make these values, by way of values that are `among` these and not `leaves`; in order."""
        stop, chosen, todo = set(leaves), dict[int, ir.Operation](), list(values)
        while todo:
            value = todo.pop()
            if value not in among or value in stop or value not in self._places:
                continue
            place = self._places[value]
            if place not in chosen:
                chosen[place] = made = value.owner.operation
                todo += _needs(made)
        return [chosen[place] for place in sorted(chosen)]


def _needs(op: ir.Operation) -> list[ir.Value]:
    return [*op.operands, *(captures(op.regions) if len(op.regions) else ())]


def _is_product(op: ir.Operation) -> bool:
    if op.name in PRODUCTS or _is_outer(op):
        return True
    if op.name != "stablehlo.reduce":
        return False
    many, few = size(op.operands[0].type)[0], size(op.results[0].type)[0]
    return many >= 256 and many >= 8 * few


def _is_outer(op: ir.Operation) -> bool:
    """Whether an op multiplies two values that are repeated along different dimensions."""
    if op.name != "stablehlo.multiply":
        return False
    sides = [made_by(v, "broadcast_in_dim") for v in op.operands]
    n = size(op.results[0].type)[0]
    return n >= 64 and all(b is not None and 4 * size(b.operands[0].type)[0] <= n for b in sides)


def _bytes(value: ir.Value) -> int:
    return size(value.type)[1]


def _loop(op: ir.Operation, driver: Driver) -> Counter | None:
    counter = driver.counter(op)
    if counter is None or counter.trips < 4 or is_bound(op) or driver.acts(op) or adds_up_after(op, driver):
        return None
    return counter


def _without_view(value: ir.Value, among: set[ir.Value]) -> ir.Value:
    """What a value is a view of, as far as that is not larger."""
    while (m := maker(value)) is not None and m.name in VIEWS:
        source = m.operands[0]
        if source not in among or _bytes(source) > _bytes(value):
            return value
        value = source
    return value


# -- before ------------------------------------------------------------------------------------------------------------


@rule("while_(*xs)", effects=ROUNDS)
def lift_before(op: ir.Operation, driver: Driver) -> list[Expr] | None:
    """Products in a loop that follow from the counter and from outside alone are one product before it."""
    counter = _loop(op, driver)
    if counter is None or not any(_is_product(view.operation) for view in blocks(op)[1].operations):
        return None
    if driver.device is CPU and driver.gates and not driver.ahead:
        return None  # XLA's loop is mostly slower then (an LSTM of 64 units: 470 to 770 us); its derivative is faster
    body = Body(op, counter)
    chosen: dict[ir.Value, None] = {}
    for view in body.block.operations:
        for v in _needs(view.operation):
            used_late = v in body.fixed and not any(r in body.fixed for r in view.operation.results)
            if used_late and body.is_heavy(v, body.fixed):
                seen = _without_view(v, body.fixed)
                if body.is_heavy(seen, body.fixed):
                    chosen[seen] = None
    wanted = _paying_before(body, list(chosen), driver) if driver.gates else list(chosen)
    made = body.below(wanted, body.fixed)
    if not wanted or sum(_bytes(r) for o in made for r in o.results) * counter.trips > LARGEST:
        return None
    stacks = batched(op, counter, wanted)
    if stacks is None:
        return None
    at = round_number(counter, body.block)
    for v, stack in zip(wanted, stacks, strict=True):
        m = maker(v)
        assert m is not None
        with m.location, ir.InsertionPoint(m):
            here = _row(stack, at)
        driver.push_users(v)
        v.replace_all_uses_with(here.value)
        driver.erase(m)
    forget_terminator(driver, body.block)
    return remade(op)  # type: ignore[return-value]


def _row(stack: Expr, at: Expr) -> Expr:
    zero = E.full(at.type, 0)
    return E.reshape(E.dynamic_slice(stack, [at, *[zero] * (stack.rank - 1)], [1, *stack.shape[1:]]), stack.shape[1:])


def _paying_before(body: Body, values: list[ir.Value], driver: Driver) -> list[ir.Value]:
    """The values for which more is saved in a round than it takes to write them down and read them again.

    Saved is what leaves the loop: not a product of which another value is made that stays.
    """
    while True:
        gone = _leaving(body, values)
        paying = [v for v in values if _saved_by(body, v, gone, driver) > 2 * _bytes(v) / driver.device.bytes]
        if len(paying) == len(values):
            return values
        values = paying


def _leaving(body: Body, values: Sequence[ir.Value]) -> set[ir.Value]:
    """What nobody in the loop needs if these values come from outside."""
    gone, given = set[ir.Value](), set(values)
    for o in reversed(body.below(values, body.fixed)):
        users = [u.owner.operation for r in o.results if r not in given for u in r.uses]
        if all(len(u.results) and u.results[0] in gone for u in users):
            gone.update(o.results)
    return gone


def _saved_by(body: Body, value: ir.Value, gone: set[ir.Value], driver: Driver) -> float:
    made = body.below([value], body.fixed)
    return sum(_saved(o, driver) for o in made if _is_product(o) and o.results[0] in gone)


def _saved(op: ir.Operation, driver: Driver) -> float:
    """Nanoseconds by which a product is cheaper as a part of one that is larger."""
    device, flops = driver.device, cost(op).flops
    if op.name == "stablehlo.dot_general" and device is CPU:
        dims = Dims.of(op)
        free = [E.size([v.type.shape[d] for d in dims.free(k, v.type.rank)]) for k, v in enumerate(op.operands)]
        if flops < (LEAST_BY_VECTOR if 1 in free else LEAST):
            return 0
    return 0 if _is_outer(op) else START * device.launch + min(flops / device.flops / 8, MOST * device.launch)


# -- after -------------------------------------------------------------------------------------------------------------


@dataclass
class Late:
    """A carried value that no round reads, with what each round has for it."""

    carry: int
    part: Slots | Term
    value: ir.Value
    leaves: list[ir.Value] = field(default_factory=list)
    """Values of the core that go into it, or values that need no product."""
    ops: list[ir.Operation] = field(default_factory=list)


@dataclass
class Stack:
    """Where the loop keeps a value of every round: in slots of its own, or as what the round before has left."""

    slots: Slots
    first: int | None = None
    """The carried value that the first round finds."""

    @property
    def carry(self) -> int:
        return self.slots.carry

    def read(self, whole: Expr, xs: Sequence[Expr]) -> Expr:
        """Every round's value, the rounds first and in order."""
        dim = self.slots.dim
        rows = E.transpose(whole, [dim, *(d for d in range(whole.rank) if d != dim)])
        if self.slots.step < 0:
            rows = E.reverse(rows, [0])
        if self.first is None:
            return rows
        init = xs[self.first]
        return E.concatenate([E.reshape(init, [1, *init.shape]), E.slice_in_dim(rows, 0, rows.shape[0] - 1, 0)], 0)


@rule("while_(*xs)", effects=ROUNDS)
def lift_after(op: ir.Operation, xs: list[Expr], driver: Driver) -> list[Expr] | None:
    """Products in a loop whose results are only stacked or added up are one product after it."""
    counter = _loop(op, driver)
    if counter is None:
        return None
    late = _late(op, counter)
    if not late or len(late) == len(xs) - 1:
        return None
    body = Body(op, counter)
    core = _core(body, late)
    has: dict[ir.Value, Stack] = _stacked(body, late)
    chosen = _choose(body, late, core, has, driver)
    if not chosen:
        return None
    leaves = list(dict.fromkeys(v for c in chosen for v in c.leaves))
    new = [v for v in leaves if v not in has]
    made = sum(_bytes(r) for c in chosen for o in c.ops for r in o.results if not (r == c.value and _adds_up(c)))
    if (sum(map(_bytes, new)) + made) * counter.trips > LARGEST:
        return None
    return _after(op, xs, body, chosen, leaves, has, driver)


def _late(op: ir.Operation, counter: Counter) -> list[Late]:
    found: list[Late] = []
    for k in range(len(op.operands)):
        if k == counter.index:
            continue
        slot = slots_of(op, counter, k)
        term = term_of(blocks(op)[1], k) if slot is None else None
        if slot is not None:
            found.append(Late(k, slot, slot.update.operands[1]))
        elif term is not None:
            found.append(Late(k, term, term.term))
    return found


def _core(body: Body, late: Sequence[Late]) -> set[ir.Value]:
    """The values that the next round depends on."""
    apart = {c.carry for c in late}
    ends = [v for k, v in enumerate(terminator(body.block).operands) if k not in apart]
    everything = body.varied | body.fixed
    return {r for o in body.below(ends, everything) for r in o.results}


def _stacked(body: Body, late: Sequence[Late]) -> dict[ir.Value, Stack]:
    """Values of which the loop keeps a stack already: every round's, in order."""
    found: dict[ir.Value, Stack] = {}
    for c in late:
        if isinstance(c.part, Slots) and c.part.fills(body.counter.trips):
            m = made_by(c.value, "reshape")
            whole = list(c.value.type.shape)
            if m is not None and list(m.operands[0].type.shape) == whole[: c.part.dim] + whole[c.part.dim + 1 :]:
                found[m.operands[0]] = Stack(c.part)
    late_ones = {c.carry for c in late}
    for k, v in enumerate(terminator(body.block).operands):
        if v in found and k not in late_ones and k != body.counter.index:
            found[body.block.arguments[k]] = Stack(found[v].slots, k)
    return found


def _choose(
    body: Body, late: Sequence[Late], core: set[ir.Value], has: dict[ir.Value, Stack], driver: Driver
) -> list[Late]:
    """The carried values that are worth computing later."""
    apart = {v for v in body.varied if v not in core}
    chosen: list[Late] = []
    for c in late:
        if not _cut(body, c.value, apart, core, c.leaves):
            continue
        c.ops = body.below([c.value], apart | body.fixed, c.leaves)
        if not any(_is_product(o) for o in c.ops) or any(o.name in CONTROL for o in c.ops):
            continue
        if _is_alone(body, c) and (not driver.gates or _pays_after(c, has, driver)):
            chosen.append(c)
    for c in late:  # what follows from stacks that there are anyway
        if c not in chosen and (chosen or isinstance(c.part, Slots)):
            taken = {has[v].carry for d in chosen for v in d.leaves if v in has}
            known = {v for d in chosen for v in d.leaves} | {v for v, s in has.items() if s.carry != c.carry}
            c.leaves.clear()
            if c.carry not in taken and _cut_at(body, c.value, apart, known, c.leaves):
                c.ops = body.below([c.value], apart | body.fixed, c.leaves)
                if _is_alone(body, c) and (chosen or all(map(_is_light, c.ops))):
                    chosen.append(c)
                    has = {v: s for v, s in has.items() if s.carry != c.carry}
    return chosen


def _is_light(op: ir.Operation) -> bool:
    return op.name in VIEWS or (
        op.name in CLASSES["stablehlo.elementwise"] and cost(op).flops <= size(op.results[0].type)[0]
    )


def _cut(body: Body, value: ir.Value, apart: set[ir.Value], core: set[ir.Value], leaves: list[ir.Value]) -> bool:
    """Find what must be stacked for a value: what goes into its products, and what the next round depends on."""
    if value not in body.varied:
        return True
    if value in core or not body.is_here(value):
        leaves.append(value)
        return True
    m = maker(value)
    assert m is not None
    if not body.is_heavy(value, apart):
        leaves.append(_without_view(value, body.varied))
        return True
    if not may_move(m, body.counter) or len(m.results) != 1:
        return False
    return all(_cut(body, v, apart, core, leaves) for v in _needs(m))


def _cut_at(body: Body, value: ir.Value, apart: set[ir.Value], known: set[ir.Value], leaves: list[ir.Value]) -> bool:
    """Find stacked values that a value follows from."""
    if value not in body.varied:
        return True
    if value in known:
        leaves.append(value)
        return True
    m = maker(value)
    if m is None or value not in apart or not may_move(m, body.counter) or len(m.results) != 1:
        return False
    return all(_cut_at(body, v, apart, known, leaves) for v in _needs(m))


def _is_alone(body: Body, c: Late) -> bool:
    """Whether nothing else needs the products of a value that is to be computed later."""
    mine = {hash(r) for o in c.ops for r in o.results}
    end = maker(terminator(body.block).operands[c.carry])
    for o in c.ops:
        if _is_product(o):
            for use in o.results[0].uses:
                user = use.owner.operation
                if user != end and not any(hash(r) in mine for r in user.results):
                    return False
    return True


def _pays_after(c: Late, has: dict[ir.Value, Stack], driver: Driver) -> bool:
    device, saved = driver.device, 0.0
    for o in c.ops:
        if _is_product(o):
            saved += _saved(o, driver)
    if isinstance(c.part, Term):
        saved += START * device.launch + 2 * _bytes(c.value) / device.bytes
    lost = sum(2 * _bytes(v) for v in dict.fromkeys(c.leaves) if v not in has)
    if isinstance(c.part, Slots):
        lost += _bytes(c.value)
    elif not _adds_up(c):
        lost += 2 * _bytes(c.value)
    return saved > lost / device.bytes


def _adds_up(c: Late) -> bool:
    """Whether a product over all rounds is never there as a whole: they are summed over while it is made."""
    m = maker(c.value)
    outer = m is not None and _is_outer(m) and isinstance(c.part, Term) and SUMS[c.part.op] == "stablehlo.add"
    return outer or _product_of(c) is not None


def _product_of(c: Late) -> ir.Operation | None:
    """The product that a sum adds up, which can add up over the rounds as well."""
    m = product_of(c.part) if isinstance(c.part, Term) else None
    return m if m is not None and m in c.ops else None


def _after(
    op: ir.Operation,
    xs: list[Expr],
    body: Body,
    chosen: list[Late],
    leaves: list[ir.Value],
    has: dict[ir.Value, Stack],
    driver: Driver,
) -> list[Expr] | None:
    """The loop with stacks of `leaves`, and after it what is `chosen`."""
    counter, n = body.counter, body.counter.trips
    kinds = {v: E.tensor([n, *v.type.shape], v.type.element_type) for v in leaves}
    new = [v for v in leaves if v not in has]
    inits = [E.full(kinds[v], 0) for v in new]
    # The computation comes first, on what stands for the stacks: if it can't be made, the loop stays as it is.
    stand_ins = {v: E.op("stablehlo.optimization_barrier", E.full(t, 0), result=t) for v, t in kinds.items()}
    barriers = [m for x in stand_ins.values() if (m := maker(x.value)) is not None]
    outs = list(dict.fromkeys(v for c in chosen for v in _wanted(c)))
    values = batched(op, counter, outs, stand_ins)
    if values is None:
        for b in barriers:
            b.erase()
        return None
    results = _results(xs, chosen, dict(zip(outs, values, strict=True)))
    with ir.InsertionPoint(barriers[0]) if barriers else ir.InsertionPoint(op):
        at = round_number(counter, body.block)
        ends = [maker(terminator(body.block).operands[c.carry]) for c in chosen]
        forget_terminator(driver, body.block)
        added = [(init, lambda stack, v=v: _with_row(stack, Expr(v), at)) for init, v in zip(inits, new, strict=True)]
        for c in chosen:  # which only its own end uses
            body.block.arguments[c.carry].replace_all_uses_with(xs[c.carry].value)
        made = remade(op, [c.carry for c in chosen], added)
        for end in ends:
            assert end is not None
            driver.erase(end)
        stacks = dict(zip(new, made[len(xs) :], strict=True))
        for v, b in zip(stand_ins, barriers, strict=True):
            stack = stacks[v] if v in stacks else has[v].read(made[has[v].carry], xs)  # type: ignore[arg-type]
            assert stack is not None
            b.results[0].replace_all_uses_with(stack.value)
    for b in barriers:
        b.erase()
    return [results.get(k) or made[k] for k in range(len(xs))]  # type: ignore[misc]


def _wanted(c: Late) -> list[ir.Value]:
    """What must be known of every round: if it is stacked anyway, the value itself."""
    return asked(c.part) if isinstance(c.part, Term) and c.value not in c.leaves else [c.value]


def _results(xs: list[Expr], chosen: Sequence[Late], values: dict[ir.Value, Expr]) -> dict[int, Expr]:
    """The results of what is computed after the loop, from what every round has."""
    return {
        c.carry: summed(c.part, xs[c.carry], values)
        if isinstance(c.part, Term)
        else filled(xs[c.carry], c.part, values[c.value])
        for c in chosen
    }


def _with_row(stack: Expr, x: Expr, at: Expr) -> Expr:
    zero = E.full(at.type, 0)
    return E.dynamic_update_slice(stack, E.reshape(x, [1, *x.shape]), [at, *[zero] * x.rank])
