"""Loops of known length in reverse mode: nests of loops, the innermost of which keep what their rounds need in stacks.

Without a policy there is one level: each round of the forward loop puts what its backward round needs into stacks, and
the backward loop takes it out again. With more, the levels above keep the states at the beginning of their segments,
and each segment is run again before it is undone (see `analysis/schedule`).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from jaxlib.mlir import ir

from gradir.policy import AUTO, Policy
from gradir.tensor.analysis.cache import keep, nbytes, sources
from gradir.tensor.analysis.counting import Counter, values_by_round
from gradir.tensor.analysis.schedule import Nest, Plan, plan
from gradir.tensor.ir import expr as E
from gradir.tensor.ir.dead import drop_dead, is_repeatable
from gradir.tensor.ir.expr import Expr
from gradir.tensor.ir.regions import copy_op, defined_in, terminator
from gradir.tensor.rules.again import behind, some_bits
from gradir.tensor.rules.carried import CarriedInReverse, Values, index, only_written, put, stack_of, take
from gradir.tensor.rules.control import detached_block, give_back, or_zero
from gradir.tensor.rules.interface import Residuals, Reverse, Shadow, Split


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
    update = only_written(op, carry)
    if update is None:
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
    """One loop of known length in reverse mode."""

    def __init__(self, t: Reverse, op: ir.Operation, counter: Counter) -> None:
        super().__init__(t, op)
        self.counter = counter
        self.slots = [s for k in self.states if (s := slots(op, counter, k)) is not None]
        self.states = [k for k in self.states if k not in {s.carry for s in self.slots}]

    def plan_for(self, policy: Policy) -> Plan | None:
        """How to undo the loop; None if so few states can be kept that no nest will do.

        Rounds that can't be run again, or whose states can't be kept, keep what they need, whatever the policy is.
        """
        if policy.kind not in ("auto", "none") and not (is_repeatable(self.op) and self._is_static()):
            policy = AUTO
        state = kept = 1
        if policy.kind == "budget":
            state, kept = self.state_bytes(), self._bytes_kept()
        return plan(policy, self.counter.trips, state, kept)

    def _is_static(self) -> bool:
        types = [self.op.operands[k].type for k in self.carried]
        return all(isinstance(t, ir.RankedTensorType) and t.has_static_shape for t in types)

    def _bytes_kept(self) -> int:
        """What one round would keep, by emitting one for nothing."""
        before = dict(self.t.env)
        holder, block = detached_block([])
        with ir.InsertionPoint(block):
            _, body = detached_block([*(self.op.operands[k].type for k in self.carried), index(0).type])
            with ir.InsertionPoint(body):
                kept = RoundsKept(self, self.counter.trips, 0, cut=True).emit_round(body)
        found = sum(map(nbytes, kept))
        self.t.env.clear()
        self.t.env.update(before)
        holder.erase()
        return found

    def forwards(self, plan: Plan) -> None:
        """All nests; of the last one, what it keeps; of those before, the states that they begin with."""
        self.plan = plan
        t, op = self.t, self.op
        outside = {v: t.primal(v).value for v in self.outside()}
        state = [t.primal(op.operands[k]) for k in self.carried]
        self.begins: list[list[Expr]] = []
        self.kept: Kept | None = None
        first = 0
        for nest in self.plan.nests:
            self.begins.append([state[i] for i in self.read])
            if self.plan.begins_kept and nest is self.plan.nests[-1]:
                state, self.kept = self._sweep(nest, first, state, outside)
            else:
                state = self._advance(state, math.prod(nest), outside)
            first += math.prod(nest)
        for k, x in zip(self.carried, state, strict=True):
            t.env[op.results[k]] = x.value

    def _advance(self, state: Sequence[Expr], rounds: int, outside: Values) -> list[Expr]:
        """Rounds that keep nothing."""
        if rounds == 1:
            return self.round(state, outside)
        inits = [*state, index(0)]
        return counted(rounds, inits, lambda *now: [*self.round(now[:-1], outside), now[-1] + 1])[:-1]

    def _sweep(
        self, nest: Nest, first: Start, state: Sequence[Expr], outside: Values, *, again: bool = False
    ) -> tuple[list[Expr], Kept]:
        """The rounds of a nest, from number `first` on, with what its first level keeps.

        If it is run `again`, its state is what rounds read, and its stacks begin with a number that follows from its
        state: what is the same every time would be made once, kept all the while, and copied.
        """
        content = next((b for x in state if (b := some_bits(x)) is not None), None) if again else None
        if len(nest) == 1:
            return RoundsKept(self, nest[0], first, self.plan.cut).sweep(state, content)
        number, rounds, n = nest[0], math.prod(nest[1:]), len(state)
        read = range(n) if again else self.read

        def segment(*now: Expr) -> list[Expr]:
            state, done, stacks = now[:n], now[n], now[n + 1 :]
            kept = [put(stack, done, state[i]) for stack, i in zip(stacks, read, strict=True)]
            return [*self._advance(state, rounds, outside), done + 1, *kept]

        stacks = [empty(stack_of(number, state[i]), content) for i in read]
        outs = counted(number, [*state, index(0), *stacks], segment, n, as_it_is())
        return outs[:n], StatesKept(outs[n + 1 :])

    def pullback(self, cotangents: Sequence[Shadow]) -> None:
        t, op = self.t, self.op
        by_result = dict(zip(op.results, cotangents, strict=True))
        self.filled = [or_zero(by_result[op.results[s.carry]], op.results[s.carry].type) for s in self.slots]
        cts = self.coming_in(by_result)
        first = self.counter.trips
        for nest, begin in zip(reversed(self.plan.nests), reversed(self.begins), strict=True):
            first -= math.prod(nest)
            cts = self._undo_first(nest, first, cts) if self.kept is not None else self._redo(nest, first, begin, cts)
            self.kept = None
        self.going_out(cts)
        for s, ct in zip(self.slots, self.filled, strict=True):
            if op.operands[s.carry] in t.active:
                t.add(op.operands[s.carry], s.rest(ct))

    def _undo_first(self, nest: Nest, first: int, cts: Sequence[Expr]) -> list[Expr]:
        """Undo a nest that has kept its first level on the way forwards."""
        if isinstance(self.kept, RoundsKept):
            return self.kept.undo(cts)
        assert self.kept is not None
        outside = {v: self.t.lookup(v).value for v in self.outside()}
        kept = StatesKept([self.t.residual(x.value) for x in self.kept.stacks])
        with self.t.again(outside):
            return self._undo(nest, first, kept, cts, outside)

    def _redo(self, nest: Nest, first: int, begin: Sequence[Expr], cts: Sequence[Expr]) -> list[Expr]:
        """Run a nest again from its beginning, and undo it."""
        outside = {v: self.t.lookup(v).value for v in self.outside()}
        state, cts = behind([self.t.residual(x.value) for x in begin], cts)
        with self.t.again(outside):
            _, kept = self._sweep(nest, first, state, outside, again=True)
            return self._undo(nest, first, kept, cts, outside)

    def _undo(self, nest: Nest, first: Start, kept: Kept, cts: Sequence[Expr], outside: Values) -> list[Expr]:
        """Undo the rounds of a nest, where both sweeps stand side by side."""
        if isinstance(kept, RoundsKept):
            return kept.undo(cts)
        number, inner = nest[0], nest[1:]

        def segment(done: Expr, *cts: Expr) -> list[Expr]:
            here = E.full_like(done, number - 1) - done
            begin = here * math.prod(inner) + first
            state = [take(stack, here) for stack in kept.stacks]
            _, inner_kept = self._sweep(inner, begin, state, outside, again=True)
            return [done + 1, *self._undo(inner, begin, inner_kept, cts, outside)]

        return counted(number, [index(0), *cts], segment, 0, as_it_is())[1:]


Start = int | Expr
"""The number of a round."""


@dataclass
class StatesKept:
    """The states at the beginning of segments."""

    stacks: Sequence[Expr]


class RoundsKept:
    """What each of some rounds needs to be undone."""

    def __init__(self, loop: CountedLoop, rounds: int, first: Start, cut: bool) -> None:
        self.loop, self.t, self.rounds, self.first, self.cut = loop, loop.t, rounds, first, cut
        self.carried = loop.carried

    def sweep(self, state: Sequence[Expr], content: Expr | None) -> tuple[list[Expr], RoundsKept]:
        """The rounds, with stacks of what each has to keep."""
        loop, t, zero = self.loop, self.t, index(0)
        if len(state) < len(loop.carried):
            self.carried = [loop.carried[i] for i in loop.read]
        types = [*(x.type for x in state), zero.type]
        body_holder, body = detached_block(types)
        with ir.InsertionPoint(body):
            self.emit_round(body)
            round_ = Expr(body.arguments[len(state)])
            stacks: list[Expr] = []
            stacked: list[Expr] = []
            for v in self.kept:
                x = Expr(v)
                stack = Expr(body.add_argument(stack_of(self.rounds, x), loop.op.location))
                stacks.append(stack)
                stacked.append(put(stack, round_, x))
            yields = terminator(loop.body).operands
            give_back([*(t.primal(yields[k]) for k in self.carried), round_ + 1, *stacked])
        all_inits = [*state, zero, *(empty(s.type, content) for s in stacks)]
        all_types = [x.type for x in all_inits]
        made = E.ops("stablehlo.while", all_inits, all_types, self._attributes(), regions=2)
        E.fill(made.regions[0], all_types, lambda *now: [now[len(state)] < self.rounds])
        body.append_to(made.regions[1])
        del body_holder
        outs = list(made.results)
        self.stacks = dict(zip(self.kept, outs[len(state) + 1 :], strict=True))
        return E.exprs(outs[: len(state)]), self

    def emit_round(self, body: ir.Block) -> list[ir.Value]:
        """One round's forward sweep, here, in the body of the loop; its backward sweep waits. Gives what it keeps."""
        loop, t = self.loop, self.t
        for k in loop.carried:  # what is written alone may begin as anything
            argument = loop.body.arguments[k]
            is_here = k in self.carried
            t.env[argument] = body.arguments[self.carried.index(k)] if is_here else E.full(argument.type, 0).value
        yields = list(terminator(loop.body).operands)
        self.split: Split = t.split(
            loop.body,
            leading=[body.arguments[len(self.carried)].type],
            cotangents=[yields[k] for k in (*loop.states, *(s.carry for s in loop.slots))],
            want=[loop.body.arguments[k] for k in loop.states],
            accumulate=loop.sums,
            prepare=lambda residuals: self._know_counter(residuals, body),
        )
        # The values each round keeps for the backward loop; it computes the others from them again.
        self.counters = {v: x for v, x in self.split.known.items() if v in self._counter_values(body)}
        self.is_local = lambda v: defined_in(v, body) and v not in self.counters
        self.wanted = [v for v, _ in self.split.residuals]
        local = [v for v in self.wanted if self.is_local(v)]
        self.kept = keep(local, self.is_local) if self.cut else local
        return self.kept

    def _attributes(self) -> dict[str, ir.Attribute]:
        return as_it_is() if self.loop.plan.is_tight else {}

    def _counter_values(self, body: ir.Block) -> list[ir.Value]:
        """The number of the round and, if it is carried, the program's own counter."""
        loop = self.loop
        carried = self.carried.index(loop.counter.index) if loop.counter.index in self.carried else None
        return [body.arguments[i] for i in (len(self.carried), carried) if i is not None]

    def _know_counter(self, residuals: Residuals, body: ir.Block) -> None:
        """The counters' values in a backward round follow from the round's number: they need no stack.

        The backward loop counts up, too: compilers know the length of a loop from 0 to below a number, and on a GPU
        a loop of unknown length waits for the host in each round. It undoes the last round first.
        """
        c, done = self.loop.counter, Expr(residuals.block.arguments[0])
        self.undone = E.full_like(done, self.rounds - 1) - done
        residuals.known[body.arguments[len(self.carried)]] = self.undone
        if c.index in self.carried:
            here = body.arguments[self.carried.index(c.index)]
            number = self.undone if isinstance(self.first, int) and self.first == 0 else self.undone + self.first
            value = E.convert(number, Expr(here).dtype)
            value = value if c.step == 1 else value * c.step
            residuals.known[here] = value if c.start == 0 else value + c.start

    def undo(self, cts: Sequence[Expr]) -> list[Expr]:
        """The backward loop; cotangents go in and out as in `coming_in` and `going_out`."""
        loop, t, split = self.loop, self.t, self.split
        inits = [index(0), *cts]
        types = [x.type for x in inits]
        stacks = {v: t.residual(stack) for v, stack in self.stacks.items()}
        outside = sources(self.wanted, set(self.kept) | set(self.counters), self.is_local)
        known = {v: t.residual(v).value for v in outside}
        made = E.ops("stablehlo.while", inits, types, self._attributes(), regions=2)
        E.fill(made.regions[0], types, lambda done, *_: [done < self.rounds])
        block = split.block
        last = terminator(block)
        known |= {v: x.value for v, x in self.counters.items()}
        with split.at_residuals():
            for v, stack in stacks.items():
                known[v] = take(stack, self.undone).value
            again(self.wanted, known)
        values = [known[v] for v in self.wanted]
        with ir.InsertionPoint(last):
            done = Expr(block.arguments[0]) + 1
            ir.Operation.create("stablehlo.return", operands=[done.value, *last.operands])
        last.erase()
        split.bind([ct.value for ct in loop.filled], first=1 + len(loop.states))
        split.bind(values, first=len(types))
        drop_dead(block)
        block.append_to(made.regions[1])
        return E.exprs(made.results)[1:]


Kept = StatesKept | RoundsKept


# -- small loops and stacks --------------------------------------------------------------------------------------------


def as_it_is() -> dict[str, ir.Attribute]:
    """Of a loop that must stay as it is: the optimiser would take work out of it, and stack what that needs."""
    return {"gradir.segments": ir.UnitAttr.get()}


def counted(
    rounds: int,
    inits: Sequence[Expr],
    body: Callable[..., Sequence[Expr]],
    at: int = -1,
    attributes: dict[str, ir.Attribute] | None = None,
) -> list[Expr]:
    """A loop that a compiler can count: the value at one place runs from 0 to below a number, by 1."""
    return E.loop(inits, lambda *now: now[at] < rounds, body, attributes)


def empty(t: ir.RankedTensorType, content: Expr | None = None) -> Expr:
    """A stack that is yet to be filled; until then it has some number everywhere, or 0."""
    if content is None:
        return E.full(t, 0)
    return E.broadcast(E.convert(content, t.element_type), t.shape, [])
