"""Loops: `stablehlo.while` in every mode.

In reverse mode, if the number of rounds is known, each round of the forward loop puts what its backward round needs
into stacks; the backward loop takes it out again, and carries the cotangents of the values that change and the sums of
the cotangents of the values from outside. If it is not known, see `checkpoints`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from jaxlib.mlir import ir

from gradir.tensor.analysis.activity import Batched, Flow
from gradir.tensor.analysis.cache import keep, sources
from gradir.tensor.analysis.counting import Counter, count, values_by_round
from gradir.tensor.ir import expr as E
from gradir.tensor.ir.dead import drop_dead
from gradir.tensor.ir.expr import Expr
from gradir.tensor.ir.regions import copy_op, defined_in, terminator
from gradir.tensor.rules.carried import CarriedInReverse, changing
from gradir.tensor.rules.checkpoints import CheckpointedLoop
from gradir.tensor.rules.control import detached_block, give_back, or_zero, refuse_tokens
from gradir.tensor.rules.interface import Batch, Forward, Pullback, Residuals, Reverse, Shadow
from gradir.tensor.rules.rule import Rule, add


class While:
    """`stablehlo.while`.

    A carried value that every round hands on unchanged is not carried at all.
    """

    def flow(self, flow: Flow, op: ir.Operation) -> None:
        cond, body = (r.blocks[0] for r in op.regions)
        yields = list(terminator(body).operands)
        inits, results = list(op.operands), list(op.results)
        while True:
            before = len(flow.reached)
            for k, init in enumerate(inits):
                inside = cond.arguments[k], body.arguments[k]
                if flow.backwards:
                    flow.link(results[k], yields[k])
                    flow.link(results[k], init)
                    flow.link(inside[1], yields[k])
                    flow.link(inside[1], init)
                else:
                    for source in (init, yields[k]):
                        for target in (*inside, results[k]):
                            flow.link(source, target)
            flow.block(cond)
            flow.block(body)
            if isinstance(flow, Batched) and terminator(cond).operands[0] in flow:
                for v in (*cond.arguments, *body.arguments, *results):
                    flow.mark(v)
            if len(flow.reached) == before:
                return

    def forward(self, t: Forward, op: ir.Operation) -> None:
        cond, body = (r.blocks[0] for r in op.regions)
        carried = changing(op)
        for k in set(range(len(op.operands))) - set(carried):
            primal, tangent = t.lookup(op.operands[k]), t.tangents.get(op.operands[k])
            for v in (cond.arguments[k], body.arguments[k], op.results[k]):
                t.bind(v, primal, tangent)
        shadows = [k for k in carried if body.arguments[k] in t.varied]
        inits = [t.lookup(op.operands[k]) for k in carried]
        inits += [or_zero(t.tangents.get(op.operands[k]), op.operands[k].type) for k in shadows]
        types = [x.type for x in inits]
        made = E.ops("stablehlo.while", inits, types, regions=2)

        def enter(block: ir.Block, arguments: Sequence[Expr]) -> None:
            tangents = dict(zip(shadows, arguments[len(carried) :], strict=True))
            for k, x in zip(carried, arguments, strict=False):
                t.bind(block.arguments[k], x, tangents.get(k))

        def condition(*arguments: Expr) -> list[Expr]:
            enter(cond, arguments)
            return [t.block(cond)[0][0]]

        def round_(*arguments: Expr) -> list[Expr]:
            enter(body, arguments)
            outs = t.block(body)
            return [outs[k][0] for k in carried] + [or_zero(outs[k][1], outs[k][0].type) for k in shadows]

        E.fill(made.regions[0], types, condition)
        E.fill(made.regions[1], types, round_)
        tangents = dict(zip(shadows, E.exprs(made.results)[len(carried) :], strict=True))
        for k, x in zip(carried, E.exprs(made.results), strict=False):
            t.bind(op.results[k], x, tangents.get(k))

    def batch(self, t: Batch, op: ir.Operation) -> None:
        cond, body = (r.blocks[0] for r in op.regions)
        carried = changing(op)
        for k in set(range(len(op.operands))) - set(carried):
            x = t.with_batch(op.operands[k]) if op.results[k] in t.batched else t.lookup(op.operands[k])
            for v in (cond.arguments[k], body.arguments[k], op.results[k]):
                t.env[v] = x.value
        each_decides = terminator(cond).operands[0] in t.batched
        if each_decides:
            refuse_tokens(op)
        inits = [
            t.with_batch(op.operands[k]) if op.results[k] in t.batched else t.lookup(op.operands[k]) for k in carried
        ]
        types = [x.type for x in inits]
        made = E.ops("stablehlo.while", inits, types, regions=2)

        def enter(block: ir.Block, arguments: Sequence[Expr]) -> None:
            for k, x in zip(carried, arguments, strict=True):
                t.env[block.arguments[k]] = x.value

        def decide(arguments: Sequence[Expr]) -> Expr:
            enter(cond, arguments)
            t.block(cond)
            return t.lookup(terminator(cond).operands[0])

        def condition(*arguments: Expr) -> list[Expr]:
            goes_on = decide(arguments)
            return [E.any_(goes_on) if each_decides else goes_on]

        def round_(*arguments: Expr) -> list[Expr]:
            goes_on = decide(arguments) if each_decides else None
            enter(body, arguments)
            t.block(body)
            outs: list[Expr] = []
            for k, old in zip(carried, arguments, strict=True):
                v = terminator(body).operands[k]
                new = t.with_batch(v) if op.results[k] in t.batched else t.lookup(v)
                if goes_on is not None:  # examples that are done keep what they have
                    new = E.select(E.broadcast_like(goes_on, new, [0]), new, old)
                outs.append(new)
            return outs

        E.fill(made.regions[0], types, condition)
        E.fill(made.regions[1], types, round_)
        for k, x in zip(carried, made.results, strict=True):
            t.env[op.results[k]] = x

    # -- reverse mode

    def augment(self, t: Reverse, op: ir.Operation) -> Pullback:
        counter = count(op)
        if counter is None:
            return CheckpointedLoop(t, op).pullback
        if counter.trips == 0:
            return self._skipped(t, op)
        return CountedLoop(t, op, counter).pullback

    def _skipped(self, t: Reverse, op: ir.Operation) -> Pullback:
        """A loop of no rounds hands its operands on."""
        for result, operand in zip(op.results, op.operands, strict=True):
            t.env[result] = t.primal(operand).value

        def pullback(cotangents: Sequence[Shadow]) -> None:
            for operand, ct in zip(op.operands, cotangents, strict=True):
                t.add(operand, ct)

        return pullback


@dataclass
class Slots:
    """A carried value of which each round writes one slot that no other round touches: a stack of results.

    Its cotangent does not change from round to round: each takes its own slot out of it.
    """

    carry: int
    dim: int
    written: np.ndarray

    def rest(self, ct: Expr) -> Shadow:
        """The cotangent of the initial value: what no round has written over."""
        n = ct.shape[self.dim]
        mask = np.isin(np.arange(n), self.written)
        if mask.all():
            return None
        here = E.broadcast(E.array(mask, ir.IntegerType.get_signless(1)), ct.shape, [self.dim])
        return E.select(here, 0, ct)


def slots(op: ir.Operation, counter: Counter, carry: int) -> Slots | None:
    """See whether a carried value is a stack: only written, by one dynamic_update_slice, each round somewhere else."""
    body = op.regions[1].blocks[0]
    value = terminator(body).operands[carry]
    if isinstance(value, ir.BlockArgument) or len(list(value.uses)) != 1 or len(list(body.arguments[carry].uses)) != 1:
        return None
    update = value.owner.operation
    if update.name != "stablehlo.dynamic_update_slice" or update.operands[0] != body.arguments[carry]:
        return None
    whole, part = update.operands[0].type.shape, update.operands[1].type.shape
    partial = [d for d, (n, m) in enumerate(zip(whole, part, strict=True)) if n != m]
    if len(partial) != 1 or part[partial[0]] != 1:
        return None
    (dim,) = partial
    written = values_by_round(update.operands[2 + dim], op, counter)
    if written is None or written.min() < 0 or written.max() >= whole[dim] or len(np.unique(written)) < len(written):
        return None
    return Slots(carry, dim, written)


def again(values: Iterable[ir.Value], known: dict[ir.Value, ir.Value]) -> None:
    """Compute values again, here, from those that are known; both end up in `known`."""
    todo = list(values)
    while todo:
        if todo[-1] in known:
            todo.pop()
            continue
        op = todo[-1].owner.operation
        missing = [v for v in op.operands if v not in known]
        todo += missing
        if not missing:
            copy_op(op, known)


class CountedLoop(CarriedInReverse):
    """One loop in reverse mode: the forward loop with stacks, and the backward loop that empties them."""

    def __init__(self, t: Reverse, op: ir.Operation, counter: Counter) -> None:
        super().__init__(t, op)
        self.counter = counter
        self.slots = [s for k in self.states if (s := slots(op, counter, k)) is not None]
        self.states = [k for k in self.states if k not in {s.carry for s in self.slots}]
        self._forwards()

    def _forwards(self) -> None:
        t, op, n = self.t, self.op, self.counter.trips
        i32 = ir.IntegerType.get_signless(32)
        inits = [t.primal(op.operands[k]) for k in self.carried]
        zero = E.full(E.tensor([], i32), 0)
        types = [*(x.type for x in inits), zero.type]
        body_holder, body = detached_block(types)
        with ir.InsertionPoint(body):
            for k, a in zip(self.carried, body.arguments, strict=False):
                t.env[self.body.arguments[k]] = a
            yields = list(terminator(self.body).operands)
            self.split = t.split(
                self.body,
                leading=[zero.type],
                cotangents=[yields[k] for k in (*self.states, *(s.carry for s in self.slots))],
                want=[self.body.arguments[k] for k in self.states],
                accumulate=self.sums,
                prepare=lambda residuals: self._know_counter(residuals, body),
            )
            # The values each round keeps for the backward loop; it computes the others from them again.
            self.counters = {v: x for v, x in self.split.known.items() if v in self._counter_values(body)}
            self.is_local = lambda v: defined_in(v, body) and v not in self.counters
            self.kept = keep([v for v, _ in self.split.residuals if self.is_local(v)], self.is_local)
            round_ = Expr(body.arguments[len(inits)])
            at = lambda x: [round_, *[E.full(E.tensor([], i32), 0)] * Expr(x).rank]  # noqa: E731
            stacks: list[Expr] = []
            stacked: list[Expr] = []
            for v in self.kept:
                x = Expr(v)
                stack = Expr(body.add_argument(E.tensor([n, *x.shape], x.dtype), op.location))
                stacks.append(stack)
                stacked.append(E.dynamic_update_slice(stack, E.reshape(x, [1, *x.shape]), at(v)))
            give_back([*(t.primal(yields[k]) for k in self.carried), round_ + 1, *stacked])
        all_inits = [*inits, zero, *(E.full(s.type, 0) for s in stacks)]
        all_types = [x.type for x in all_inits]
        made = E.ops("stablehlo.while", all_inits, all_types, regions=2)
        E.fill(made.regions[0], all_types, self._condition)
        body.append_to(made.regions[1])
        for k, value in zip(self.carried, made.results, strict=False):
            t.env[op.results[k]] = value
        self.stacks = dict(zip(self.kept, list(made.results)[len(inits) + 1 :], strict=True))
        del body_holder

    def _counter_values(self, body: ir.Block) -> list[ir.Value]:
        """The number of the round and, if it is carried, the program's own counter."""
        carried = self.carried.index(self.counter.index) if self.counter.index in self.carried else None
        return [body.arguments[i] for i in (len(self.carried), carried) if i is not None]

    def _condition(self, *arguments: Expr) -> list[Expr]:
        return [arguments[len(self.carried)] < self.counter.trips]

    def _know_counter(self, residuals: Residuals, body: ir.Block) -> None:
        """The counters' values in a backward round follow from the round's number: they need no stack.

        The backward loop counts up, too: compilers know the length of a loop from 0 to below a number, and on a GPU
        a loop of unknown length waits for the host in each round. It undoes the last round first.
        """
        c, done = self.counter, Expr(residuals.block.arguments[0])
        self.undone = round_ = E.full_like(done, c.trips - 1) - done
        residuals.known[body.arguments[len(self.carried)]] = round_
        if c.index in self.carried:
            here = body.arguments[self.carried.index(c.index)]
            value = E.convert(round_, Expr(here).dtype)
            value = value if c.step == 1 else value * c.step
            residuals.known[here] = value if c.start == 0 else value + c.start

    def pullback(self, cotangents: Sequence[Shadow]) -> None:
        t, op, n = self.t, self.op, self.counter.trips
        by_result = dict(zip(op.results, cotangents, strict=True))
        i32 = ir.IntegerType.get_signless(32)
        inits = [E.full(E.tensor([], i32), 0), *self.coming_in(by_result)]
        types = [x.type for x in inits]
        filled = [or_zero(by_result[op.results[s.carry]], op.results[s.carry].type) for s in self.slots]
        wanted = [v for v, _ in self.split.residuals]
        stacks = {v: t.residual(stack) for v, stack in self.stacks.items()}
        known = {v: t.residual(v).value for v in sources(wanted, set(self.kept) | set(self.counters), self.is_local)}
        made = E.ops("stablehlo.while", inits, types, regions=2)
        E.fill(made.regions[0], types, lambda done, *_: [done < n])
        block = self.split.block
        last = terminator(block)
        known |= {v: x.value for v, x in self.counters.items()}
        with self.split.at_residuals():
            zero = E.full(E.tensor([], i32), 0)
            for v, stack in stacks.items():
                starts = [self.undone, *[zero] * (stack.rank - 1)]
                known[v] = E.reshape(E.dynamic_slice(stack, starts, [1, *stack.shape[1:]]), stack.shape[1:]).value
            again(wanted, known)
        values = [known[v] for v in wanted]
        with ir.InsertionPoint(last):
            done = Expr(block.arguments[0]) + 1
            ir.Operation.create("stablehlo.return", operands=[done.value, *last.operands])
        last.erase()
        self.split.bind([ct.value for ct in filled], first=1 + len(self.states))
        self.split.bind(values, first=len(types))
        drop_dead(block)
        block.append_to(made.regions[1])
        self.going_out(E.exprs(made.results)[1:])
        for s, ct in zip(self.slots, filled, strict=True):
            if op.operands[s.carry] in t.active:
                t.add(op.operands[s.carry], s.rest(ct))


add(Rule("stablehlo.while", control=While()))
