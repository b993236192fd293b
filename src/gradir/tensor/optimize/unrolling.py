"""Loops whose rounds stand one after the other: all of them, or on a GPU some at a time."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from jaxlib.mlir import ir

from gradir.tensor.analysis.cost import GPU, total
from gradir.tensor.analysis.counting import Counter, values_by_round
from gradir.tensor.ir import expr as E
from gradir.tensor.ir.expr import Expr
from gradir.tensor.ir.reading import is_bound, maker, single_use
from gradir.tensor.ir.regions import copy_op, terminator
from gradir.tensor.optimize.driver import CONTROL, Driver
from gradir.tensor.optimize.loops import blocks, loops

rule = loops.rule

LARGEST_UNROLLED = 64
"""Ops that unrolling a loop may leave."""
LARGEST_TOGETHER = 400
"""Ops that a round of a loop may have that stands for some."""


@rule("while_(*xs)")
def unroll(op: ir.Operation, xs: list[Expr], driver: Driver) -> list[Expr] | None:
    """A loop of one round, or of a few small ones, is its rounds one after the other."""
    counter = driver.counter(op)
    _, body = blocks(op)
    if counter is None or not counter.trips or is_bound(op):
        return None
    large = counter.trips > 4 or len(body.operations) * counter.trips > LARGEST_UNROLLED
    if counter.trips > 1 and (large or _is_nested(body)):
        return None
    return _last_rounds(body, counter, xs, counter.trips)


@rule("while_(*xs)", phase="last", on=GPU)
def unroll_in_part(op: ir.Operation, xs: list[Expr], driver: Driver) -> list[Expr] | None:
    """A long loop of small rounds makes several rounds in one: on a GPU, where starting kernels takes its time.

    XLA fuses what it finds in one round only, needs a kernel to count and often others to copy what is carried, and
    starts kernels at once only where five or more follow each other. What each of these rounds writes into its place of
    a stack is written at once.
    """
    counter = driver.counter(op)
    _, body = blocks(op)
    if counter is None or abs(counter.step) != 1 or is_bound(op) or _is_nested(body):
        return None
    if driver.gates and not _takes_starting(body, driver):
        return None
    together = _together(counter.trips, len(body.operations))
    if together is None:
        return None
    rest = counter.trips % together
    stacks = [found for place in range(len(xs)) if (found := _stack(op, counter, place)) is not None]
    end = counter.start + counter.step * (counter.trips - rest)
    made = E.loop(
        xs,
        lambda *now: E.compare("LT" if counter.step > 0 else "GT", now[counter.index], end),
        lambda *now: _rounds(body, now, together, stacks),
        dict(op.attributes.items()),
    )
    return _last_rounds(body, counter, made, rest)


def _is_nested(body: ir.Block) -> bool:
    return any(view.operation.name in CONTROL for view in body.operations)


def _takes_starting(body: ir.Block, driver: Driver) -> bool:
    """Whether a round's time is that of starting its kernels rather than theirs."""
    one = total(view.operation for view in body.operations)
    return 2 * one.launches * driver.device.launch > one.on(driver.device)


def _together(trips: int, size: int) -> int | None:
    """How many rounds of some ops are to be one, so that none or few are left over."""
    for n in (4, 5, 3, 6):
        if trips % n == 0 and trips > n and size * n <= LARGEST_TOGETHER:
            return n
    return 4 if trips >= 16 and size * 4 <= LARGEST_TOGETHER else None


def _last_rounds(body: ir.Block, counter: Counter, carried: Sequence[Expr], n: int) -> list[Expr]:
    """What the last rounds of a loop make of what is carried."""
    if not n:
        return list(carried)
    values, of = [x.value for x in carried], carried[counter.index].type
    for left in range(n, 0, -1):
        values[counter.index] = E.full(of, counter.start + (counter.trips - left) * counter.step).value
        env = _round(body, values)
        values = [env.get(v, v) for v in terminator(body).operands]
    values[counter.index] = E.full(of, counter.start + counter.trips * counter.step).value
    return E.exprs(values)


def _round(
    body: ir.Block, values: Sequence[ir.Value], without: Sequence[ir.Operation] = ()
) -> dict[ir.Value, ir.Value]:
    """Emit a round that begins with these values; what has become of the body's own."""
    env = dict(zip(body.arguments, values, strict=True))
    last = terminator(body)
    for view in body.operations:
        if view.operation != last and view.operation not in without:
            copy_op(view.operation, env)
    return env


# -- stacks: what each round writes into a place of its own ------------------------------------------------------------


@dataclass(frozen=True)
class _Stack:
    """A carried array of which nothing is read, and into which each round writes next to where the last one wrote."""

    place: int
    """Among what is carried."""
    update: ir.Operation
    dim: int
    ahead: bool
    """Whether the next round writes behind, not before."""

    def written(self, array: Expr, rounds: Sequence[dict[ir.Value, ir.Value]]) -> Expr:
        """The array with what some rounds write, at once."""
        if not self.ahead:
            rounds = rounds[::-1]
        _, update, *starts = self.update.operands
        block = E.concatenate([Expr(env.get(update, update)) for env in rounds], self.dim)
        return E.dynamic_update_slice(array, block, [Expr(rounds[0].get(v, v)) for v in starts])


def _stack(op: ir.Operation, counter: Counter, place: int) -> _Stack | None:
    """A carried value as a stack, if it is one."""
    _, body = blocks(op)
    array, made = body.arguments[place], terminator(body).operands[place]
    update = maker(made)
    if update is None or update.name != "stablehlo.dynamic_update_slice" or update.operands[0] != array:
        return None
    if update.operands[1] == array or not single_use(array) or not single_use(made):
        return None
    whole, part = array.type.shape, update.operands[1].type.shape
    dims = [d for d, (n, m) in enumerate(zip(whole, part, strict=True)) if n != m]
    if len(dims) != 1:
        return None
    (dim,) = dims
    starts = values_by_round(update.operands[2 + dim], op, counter)
    if starts is None or starts.min() < 0 or starts.max() + part[dim] > whole[dim]:  # which would be moved
        return None
    steps = np.diff(starts)
    ahead = bool(len(steps) and (steps == part[dim]).all())
    return _Stack(place, update, dim, ahead) if ahead or (steps == -part[dim]).all() else None


def _rounds(body: ir.Block, carried: Sequence[Expr], n: int, stacks: Sequence[_Stack]) -> list[Expr]:
    """Some rounds, one after the other, whose stacks are written at the end."""
    values = [x.value for x in carried]
    updates = [stack.update for stack in stacks]
    kept = {stack.place for stack in stacks}
    rounds = []
    for _ in range(n):
        rounds.append(env := _round(body, values, updates))
        made = terminator(body).operands
        values = [values[k] if k in kept else env.get(v, v) for k, v in enumerate(made)]
    results = E.exprs(values)
    for stack in stacks:
        results[stack.place] = stack.written(results[stack.place], rounds)
    return results
