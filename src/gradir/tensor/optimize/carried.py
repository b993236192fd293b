"""What rounds hand on: arrays of which each round reads and writes a part, and sums."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from jaxlib.mlir import ir

from gradir.tensor import expr as E
from gradir.tensor.activity import terminator
from gradir.tensor.expr import Expr
from gradir.tensor.optimize.driver import Driver
from gradir.tensor.optimize.loops import blocks, loops
from gradir.tensor.optimize.reading import kind, maker, single_use
from gradir.tensor.rules.counting import Counter, count, values_by_round

rule = loops.rule


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


@rule("while_(*xs)")
def read_before_write(op: ir.Operation, xs: list[Expr], driver: Driver) -> list[Expr] | None:
    """What no earlier round has written is read from the array that the loop begins with."""
    counter = count(op)
    if counter is None or not counter.trips:
        return None
    _, body = blocks(op)
    changed = False
    for k, value in enumerate(terminator(body).operands):
        argument = body.arguments[k]
        if k == counter.index or value == argument or not argument.type.rank:
            continue
        reads = _reads(argument)
        writes = _writes(value, argument) if reads else None
        for r in reads if writes else ():
            if any(_is_untouched(r, writes or [], d, op, counter) for d in range(argument.type.rank)):
                r.op.operands[0] = xs[k].value
                driver.push(r.op)
                changed = True
    return E.exprs(op.results) if changed else None


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


# -- sums --------------------------------------------------------------------------------------------------------------


@rule("while_(*xs)", rounds=True)
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
