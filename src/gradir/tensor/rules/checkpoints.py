"""Loops of any length in reverse mode: a fixed number of checkpoints, and rounds that are run again.

How many rounds there will be is known only at the end, so the forward loop keeps the state of every round as long as
there is room, then of every second, every fourth, ..., by giving away the slots of the others. The backward loop undoes
one round at a time, from the last: it runs the loop again from the nearest checkpoint before that round. On its way it
keeps more checkpoints in the slots that are free (those of rounds that are undone are), at distances by which k free
slots and r repetitions reach over (k + r choose k) rounds, the most there can be [Griewank, Walther: Revolve]. So n
rounds that fit the slots are run twice, and k slots let about n^(1/k) repetitions do in all.

The forward loop fills half of the slots alone: the others are free for the backward loop from its beginning.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from jaxlib.mlir import ir

from gradir.errors import NoRule
from gradir.policy import Policy
from gradir.tensor.analysis.schedule import slots
from gradir.tensor.ir import expr as E
from gradir.tensor.ir.dead import is_repeatable
from gradir.tensor.ir.expr import Expr
from gradir.tensor.ir.module import location_text
from gradir.tensor.ir.regions import copy_op, terminator
from gradir.tensor.rules.again import behind
from gradir.tensor.rules.carried import CarriedInReverse, Values, index, put, stack_of, take
from gradir.tensor.rules.interface import Reverse, Shadow

__all__ = ["CheckpointedLoop"]

REPETITIONS = 24
"""The most that distances are planned for: 16 slots and 24 repetitions reach over 60,000,000,000 rounds."""
FAR = 2**30


@dataclass(frozen=True)
class Book:
    """States of a loop by their rounds. One more slot than there are rounds takes what is not to be kept."""

    rounds: Expr
    """Of each slot the round whose beginning it holds, or -1."""
    stacks: Sequence[Expr]

    @classmethod
    def empty(cls, state: Sequence[Expr], slots: int) -> Book:
        i32 = ir.IntegerType.get_signless(32)
        stacks = [E.full(stack_of(slots + 1, x), 0) for x in state]
        return cls(E.full(E.tensor([slots], i32), -1), stacks)

    @classmethod
    def of(cls, values: Sequence[Expr]) -> Book:
        return cls(values[0], values[1:])

    @property
    def values(self) -> list[Expr]:
        return [self.rounds, *self.stacks]

    @property
    def size(self) -> int:
        return self.rounds.shape[0]

    def put(self, state: Sequence[Expr], round_: Expr, free: Expr, when: Expr) -> Book:
        """Keep a state in the first free slot, if there is one, `when` it is to be kept."""
        slot = E.select(when, self._first(free), E.full_like(round_, self.size))
        rounds = E.select(self._numbers().eq(self._each(slot)), self._each(round_), self.rounds)
        return Book(rounds, [put(stack, slot, x) for stack, x in zip(self.stacks, state, strict=True)])

    def before(self, round_: Expr) -> tuple[Expr, list[Expr]]:
        """The last state that is kept of this round or one before, after its round."""
        past = E.select(self.rounds <= self._each(round_), self.rounds, -1)
        found = E.reduce(past, [0], "stablehlo.maximum", -1)
        slot = self._first(self.rounds.eq(self._each(found)))
        return found, [take(stack, slot) for stack in self.stacks]

    def not_at(self, stride: Expr, slots: int) -> Expr:
        """Which of the first slots are free, or hold a round that is no multiple of the stride."""
        at = E.op("stablehlo.remainder", self.rounds, self._each(stride)).eq(0)
        return ((self.rounds < 0) | ~at) & (self._numbers() < slots)

    def after(self, round_: Expr) -> Expr:
        """Which slots are free once the rounds after this one are undone."""
        return (self.rounds < 0) | (self.rounds > self._each(round_))

    def _numbers(self) -> Expr:
        return E.iota([self.size], 0, self.rounds.dtype)

    def _each(self, x: Expr) -> Expr:
        return E.broadcast(x, [self.size], [])

    def _first(self, which: Expr) -> Expr:
        return E.reduce(E.select(which, self._numbers(), self.size), [0], "stablehlo.minimum", self.size)


def reach(slots: int) -> np.ndarray:
    """By free slots and repetitions, over how many rounds they reach; without a slot, no distance is small enough."""
    table = [[min(math.comb(k + r, k), FAR) for r in range(REPETITIONS)] for k in range(slots + 1)]
    table[0] = [FAR] * REPETITIONS
    return np.array(table, np.int32)


def distance(rounds: Expr, free: Expr, table: Expr) -> Expr:
    """How far from here the next checkpoint is best kept, so many rounds before the one that is to be undone."""
    zero = E.full_like(rounds, 0)
    row = E.reshape(E.dynamic_slice(table, [free, zero], [1, REPETITIONS]), [REPETITIONS])
    short = E.convert(row < E.broadcast(rounds, [REPETITIONS], []), rounds.dtype)
    repetitions = E.reduce_sum(short, [0])
    return E.reshape(E.dynamic_slice(row, [E.maximum(repetitions - 1, 0)], [1]), [])


def count_of(which: Expr, dtype: ir.Type) -> Expr:
    return E.reduce_sum(E.convert(which, dtype), [0])


def next_multiple(x: Expr, of: Expr) -> Expr:
    """The first multiple after x."""
    return x - E.op("stablehlo.remainder", x, of) + of


class CheckpointedLoop(CarriedInReverse):
    """One loop in reverse mode whose number of rounds is not known, or too large for the states it may keep."""

    def __init__(self, t: Reverse, op: ir.Operation, policy: Policy) -> None:
        super().__init__(t, op)
        for k in self.carried:
            kept = op.operands[k].type
            if not isinstance(kept, ir.RankedTensorType) or not kept.has_static_shape:
                raise NoRule(
                    f"stablehlo.while of unknown length carries {kept}, of which no checkpoint can be kept",
                    location=location_text(op.location),
                    hint="give the program static shapes and no tokens, or use forward mode",
                )
        if not is_repeatable(op):
            raise NoRule(
                "stablehlo.while of unknown length has effects or draws random numbers: its rounds can't be run again",
                location=location_text(op.location),
                hint="take random numbers from rng_bit_generator (as JAX does), or use forward mode",
            )
        self.slots = slots(policy, self.state_bytes())
        self.begins_kept = policy.kind != "full"
        if self.begins_kept:
            outside = {v: t.primal(v).value for v in self.outside()}
            state, self.rounds, self.book = self._sweep([t.primal(op.operands[k]) for k in self.carried], outside)
            for k, x in zip(self.carried, state, strict=True):
                t.env[op.results[k]] = x.value
        else:
            copy_op(op, t.env)

    def _sweep(self, state: Sequence[Expr], outside: Values) -> tuple[list[Expr], Expr, Book]:
        """The loop as it is, in stretches from one checkpoint to the next; gives its end, its length and the book."""
        n, half = len(state), max(self.slots // 2, 1)
        read = self.read if n == len(self.carried) else range(n)

        def stretch(*arguments: Expr) -> list[Expr]:
            state, (done, stride), book = arguments[:n], arguments[n : n + 2], Book.of(arguments[n + 2 :])
            is_full = ~E.any_(book.not_at(stride, half))
            stride = E.select(is_full, stride * 2, stride)
            is_due = E.op("stablehlo.remainder", done, stride).eq(0)
            book = book.put([state[i] for i in read], done, book.not_at(stride, half), is_due)
            due = next_multiple(done, stride)
            at, after = self._advance(done, due, state, outside, while_it_goes_on=True)
            return [*after, at, stride, *book.values]

        inits = [*state, index(0), index(1), *Book.empty([state[i] for i in read], self.slots).values]
        outs = E.loop(inits, lambda *arguments: self.run(self.cond, arguments[:n], outside)[0], stretch)
        return outs[:n], outs[n], Book.of(outs[n + 2 :])

    def _advance(
        self, at: Expr, to: Expr, state: Sequence[Expr], outside: Values, *, while_it_goes_on: bool = False
    ) -> tuple[Expr, list[Expr]]:
        """Rounds that keep nothing, from one number to another, or to the loop's end."""

        def goes_on(at: Expr, *state: Expr) -> Expr:
            before = at < to
            return before & self.run(self.cond, state, outside)[0] if while_it_goes_on else before

        outs = E.loop([at, *state], goes_on, lambda at, *state: [at + 1, *self.round(state, outside)])
        return outs[0], outs[1:]

    def pullback(self, cotangents: Sequence[Shadow]) -> None:
        t, op = self.t, self.op
        coming_in = self.coming_in(dict(zip(op.results, cotangents, strict=True)))
        outside = {v: t.lookup(v).value for v in self.outside()}
        if self.begins_kept:
            rounds, book = t.residual(self.rounds.value), Book.of([t.residual(x.value) for x in self.book.values])
        else:
            begin = [t.lookup(op.operands[self.carried[i]]) for i in self.read]
            state, coming_in = behind(begin, coming_in)
            _, rounds, book = self._sweep(state, outside)
        self.going_out(self._undo(rounds, book, coming_in, outside))

    def _undo(self, rounds: Expr, book: Book, coming_in: Sequence[Expr], outside: Values) -> list[Expr]:
        """The rounds one by one, from the last; cotangents go in and out as in `coming_in` and `going_out`."""
        t, n = self.t, len(book.values)
        table = E.array(reach(self.slots), ir.IntegerType.get_signless(32))

        def undo(left: Expr, *arguments: Expr) -> list[Expr]:
            last = left - 1
            kept, state = self._again(last, Book.of(arguments[:n]), table, outside)
            yields = terminator(self.body).operands
            cts = arguments[n:]
            outs = t.undo_here(
                self.body,
                self.entered(self.body, state, outside),
                cotangents=list(zip((yields[k] for k in self.states), cts, strict=False)),
                want=[self.body.arguments[k] for k in self.states],
                accumulate=dict(zip(self.sums, cts[len(self.states) :], strict=True)),
            )
            return [last, *kept.values, *outs]

        return E.loop([rounds, *book.values, *coming_in], lambda left, *_: left > 0, undo)[1 + n :]

    def _again(self, target: Expr, book: Book, table: Expr, outside: Values) -> tuple[Book, list[Expr]]:
        """The state at the beginning of a round, by running the loop again from the last checkpoint before it."""
        n, dtype = len(self.read), target.dtype
        at, state = book.before(target)
        due = at + distance(target - at, count_of(book.after(target), dtype), table)

        def stretch(at: Expr, due: Expr, *arguments: Expr) -> list[Expr]:
            book = Book.of(arguments[n:])
            stop = E.minimum(due, target)
            _, state = self._advance(at, stop, arguments[:n], outside)
            free = book.after(target)
            further = stop + distance(target - stop, E.maximum(count_of(free, dtype) - 1, 0), table)
            return [stop, further, *state, *book.put(state, stop, free, stop < target).values]

        outs = E.loop([at, due, *state, *book.values], lambda at, *_: at < target, stretch)[2:]
        return Book.of(outs[n:]), outs[:n]
