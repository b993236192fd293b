"""What rounds hand on: arrays of which each round reads and writes a part, and sums."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np
from jaxlib.mlir import ir

from gradir.tensor.analysis.counting import Counter, values_by_round
from gradir.tensor.ir import expr as E
from gradir.tensor.ir.expr import Expr
from gradir.tensor.ir.reading import ints, is_bound, is_used, kind, made_by, maker, single_use
from gradir.tensor.ir.regions import captures, terminator
from gradir.tensor.optimize.driver import Driver
from gradir.tensor.optimize.effects import ROUNDS
from gradir.tensor.optimize.loops import blocks, forget_terminator, loops, remade
from gradir.tensor.optimize.pattern import CLASSES
from gradir.tensor.optimize.pieces import box
from gradir.tensor.optimize.rule import again

rule = loops.rule

Box = tuple[Sequence[int], Sequence[int], Sequence[int]]


# -- arrays ------------------------------------------------------------------------------------------------------------


@dataclass
class Access:
    """A part of an array that each round reads or writes."""

    op: ir.Operation
    starts: list[ir.Value]
    sizes: list[int]

    def rows(self, dim: int, loop: ir.Operation, counter: Counter) -> np.ndarray | None:
        """Where the part begins along a dimension, in each round."""
        n = self.op.operands[0].type.shape[dim]
        if self.sizes[dim] == n:
            return np.zeros(counter.trips, np.int64)
        begins = values_by_round(self.starts[dim], loop, counter)
        return None if begins is None else np.clip(begins, 0, n - self.sizes[dim])


def _reads(argument: ir.Value) -> list[Access]:
    found: list[Access] = []
    for use in argument.uses:
        o = use.owner.operation
        if o.name == "stablehlo.dynamic_slice" and o.operands[0] == argument:
            found.append(Access(o, list(o.operands)[1:], list(o.results[0].type.shape)))
    return found


def _writes(value: ir.Value, argument: ir.Value) -> list[Access] | None:
    """The updates, one after the other, that make the value of the next round of that of this one."""
    found: list[Access] = []
    while value != argument:
        o = maker(value)
        if o is None or o.name != "stablehlo.dynamic_update_slice":
            return None
        found.append(Access(o, list(o.operands)[2:], list(o.operands[1].type.shape)))
        value = o.operands[0]
    return found


def _read_from_the_start(
    op: ir.Operation,
    xs: list[Expr],
    driver: Driver,
    readers: Callable[[int], list[Access]],
    misses: Callable[[Access, list[Access], int, ir.Operation, Counter], bool],
) -> list[Expr] | None:
    """Those who read carried arrays, and miss all that is written by some dimension, read what the loop is given."""
    counter = driver.counter(op)
    if counter is None or not counter.trips:
        return None
    _, body = blocks(op)
    changed = False
    for k, value in enumerate(terminator(body).operands):
        found = readers(k) if k != counter.index else []
        writes = _writes(value, body.arguments[k]) if found else None
        for r in found if writes else ():
            if any(misses(r, writes or [], d, op, counter) for d in range(len(xs[k].shape))):
                r.op.operands[0] = xs[k].value
                driver.push(r.op)
                changed = True
    return E.exprs(op.results) if changed else None


@rule("while_(*xs)")
def read_before_write(op: ir.Operation, xs: list[Expr], driver: Driver) -> list[Expr] | None:
    """What no earlier round has written is read from the array that the loop begins with."""
    _, body = blocks(op)
    return _read_from_the_start(op, xs, driver, lambda k: _reads(body.arguments[k]), _is_untouched)


def _is_untouched(read: Access, writes: list[Access], dim: int, loop: ir.Operation, counter: Counter) -> bool:
    """Whether, along a dimension, each round reads what no round before it has written."""
    n = read.op.operands[0].type.shape[dim]
    begins = read.rows(dim, loop, counter)
    if begins is None or read.sizes[dim] == n:
        return False
    rounds = np.arange(counter.trips)
    first = np.full(n, counter.trips)
    """The first round that writes each row."""
    for w in writes:
        written = w.rows(dim, loop, counter)
        if written is None:
            return False
        for j in range(w.sizes[dim]):
            np.minimum.at(first, written + j, rounds)
    return all((first[begins + j] >= rounds).all() for j in range(read.sizes[dim]))


@rule("while_(*xs)")
def result_untouched(op: ir.Operation, xs: list[Expr], driver: Driver) -> list[Expr] | None:
    """A slice of a result that no round has written is a slice of what the loop begins with."""

    def slices(k: int) -> list[Access]:
        users = (use.owner.operation for use in op.results[k].uses)
        return [Access(u, [], u.results[0].type.shape) for u in users if u.name == "stablehlo.slice"]

    return _read_from_the_start(op, xs, driver, slices, _is_beside)


def _is_beside(part: Access, writes: list[Access], dim: int, loop: ir.Operation, counter: Counter) -> bool:
    """Whether a slice has nothing of what is written, by where it lies along a dimension."""
    low, high = ints(part.op, "start_indices")[dim], ints(part.op, "limit_indices")[dim]
    for w in writes:
        rows = w.rows(dim, loop, counter)
        if rows is None or ((rows < high) & (rows + w.sizes[dim] > low)).any():
            return False
    return True


@rule("while_(*xs)")
def carry_slice(op: ir.Operation, xs: list[Expr], driver: Driver) -> list[Expr] | None:
    """Of a value that goes through elementwise ops alone, and of which a slice is used, that slice is carried."""
    cond, body = blocks(op)
    if is_bound(op):
        return None
    for k, r in enumerate(op.results):
        users = [use.owner.operation for use in r.uses]
        if not users or users[0].name != "stablehlo.slice":
            continue
        first = users[0]
        same = all(u.name == first.name and dict(u.attributes.items()) == dict(first.attributes.items()) for u in users)
        if not same or is_used(cond.arguments[k]):
            continue
        chain = _elementwise_chain(body, k)
        if chain is None:
            continue
        bounds = box(first)
        step = partial(_in_slices, chain=chain, end=terminator(body).operands[k], at=body.arguments[k], bounds=bounds)
        part = E.slice_(xs[k], *bounds)
        forget_terminator(driver, body)
        # The old chain stays behind for a moment, on a value that nobody asks for.
        made = remade(op, [], [(part, step)])
        new = made[-1]
        assert new is not None
        for u in users:
            driver.push_users(u.results[0])
            u.results[0].replace_all_uses_with(new.value)
            u.operands[0] = xs[k].value  # lest the loop goes with it, which the driver holds
            driver.erase(u)
        return made[:-1]  # type: ignore[return-value]
    return None


def _elementwise_chain(body: ir.Block, k: int) -> list[ir.Operation] | None:
    """The ops that lead from a carried value to its next, if they are elementwise and lead to nothing else."""
    argument, last = body.arguments[k], terminator(body)
    reached, chain = {argument}, list[ir.Operation]()
    for view in body.operations:
        o = view.operation
        if not any(v in reached for v in o.operands):
            if len(o.regions) and any(v in reached for v in captures(o.regions)):
                return None
            continue
        if o == last:
            ends = [j for j, v in enumerate(o.operands) if v in reached]
            return chain if ends == [k] and chain else None
        if o.name not in CLASSES["stablehlo.elementwise"] or o.results[0].type.shape != argument.type.shape:
            return None
        if any(v.type.rank and v.type.shape != argument.type.shape for v in o.operands):
            return None
        reached.update(o.results)
        chain.append(o)
    return None


def _in_slices(x: Expr, *, chain: list[ir.Operation], end: ir.Value, at: ir.Value, bounds: Box) -> Expr:
    """What a chain of elementwise ops makes of a slice of its value."""
    known: dict[ir.Value, Expr] = {at: x}
    for o in chain:
        operands = [
            known[v] if v in known else E.slice_(Expr(v), *bounds) if v.type.rank else Expr(v) for v in o.operands
        ]
        known[o.results[0]] = again(o, operands, x.shape)
    return known[end]


# -- sums --------------------------------------------------------------------------------------------------------------


@rule("while_(*xs)")
def masked_sum(op: ir.Operation, driver: Driver) -> list[Expr] | None:
    """where(p, sum + x, sum), where the sum is carried, is sum + where(p, x, -0): no round depends on another."""
    _, body = blocks(op)
    last, changed = terminator(body), False
    for k, value in enumerate(last.operands):
        argument, choice = body.arguments[k], made_by(value, "select")
        if choice is None or choice.block != body or not single_use(value) or argument not in list(choice.operands)[1:]:
            continue
        p, a, b = choice.operands
        f = maker(b if a == argument else a)
        if f is None or f.block != body or f.name not in _NEUTRAL or not single_use(f.results[0]):
            continue
        x, y = f.operands
        if y == argument and f.name != "stablehlo.subtract":
            x, y = y, x
        if x != argument or y == argument or len(list(argument.uses)) != 2:
            continue
        if driver.minds_zero_signs and kind(value.type) == "complex":
            continue
        with last.location, ir.InsertionPoint(last):
            none = E.full(y.type, _NEUTRAL[f.name])
            term = E.select(Expr(p), none, Expr(y)) if a == argument else E.select(Expr(p), Expr(y), none)
            last.operands[k] = E.op(f.name, Expr(argument), term).value
        driver.erase(choice)
        changed = True
    return E.exprs(op.results) if changed else None


_NEUTRAL = {"stablehlo.add": -0.0, "stablehlo.subtract": 0.0, "stablehlo.multiply": 1.0}
"""What changes nothing, not even the sign of a zero (of a real number)."""


@rule("while_(*xs)", effects=ROUNDS)
def carried_sum(op: ir.Operation, driver: Driver) -> list[Expr] | None:
    """(sum + a) + b, where the sum is carried, is sum + (a + b): a round needs the sum for one thing alone."""
    _, body = blocks(op)
    changed = False
    last = terminator(body)
    for k, value in enumerate(last.operands):
        terms = _terms(value, body.arguments[k], body)
        if terms is None or len(terms) < 2:
            continue
        with last.location, ir.InsertionPoint(last):
            plus, minus = ([Expr(v) for v, sign in terms if sign == s] for s in (1, -1))
            total = _sum(plus) - _sum(minus) if plus and minus else _sum(plus or minus)
            so_far = Expr(body.arguments[k])
            new = so_far + total if plus else so_far - total
        old = maker(value)
        assert old is not None
        last.operands[k] = new.value
        driver.erase(old)
        changed = True
    return E.exprs(op.results) if changed else None


def _sum(xs: list[Expr]) -> Expr:
    total = xs[0]
    for x in xs[1:]:
        total = total + x
    return total


def _terms(value: ir.Value, argument: ir.Value, body: ir.Block) -> list[tuple[ir.Value, int]] | None:
    """What is added to a carried value (1) or subtracted from it (-1), one after the other, and nothing else."""
    found: list[tuple[ir.Value, int]] = []
    if kind(value.type) not in ("float", "complex", "int") or not single_use(argument):
        return None
    while value != argument:
        o = maker(value)
        if (
            o is None
            or o.block != body
            or not single_use(value)
            or o.name not in ("stablehlo.add", "stablehlo.subtract")
        ):
            return None
        a, b = o.operands
        if o.name == "stablehlo.subtract":
            found.append((b, -1))
            value = a
        elif _leads_to(argument, a):
            found.append((b, 1))
            value = a
        else:
            found.append((a, 1))
            value = b
    return found[::-1]


def _leads_to(argument: ir.Value, value: ir.Value, depth: int = 16) -> bool:
    """Whether a carried value goes into a value by sums alone."""
    if value == argument:
        return True
    o = maker(value)
    if o is None or depth == 0 or o.name not in ("stablehlo.add", "stablehlo.subtract"):
        return False
    return any(_leads_to(argument, v, depth - 1) for v in o.operands)
