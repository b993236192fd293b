"""One op as a function of the operands that carry something: its derivatives, emitted where they are used.

And a walk over a program whose values carry something each, op by op.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Container, Iterator, Sequence
from typing import Generic, TypeVar

from jaxlib.mlir import ir

from gradir.request import Activity, Mode, Request
from gradir.tensor.analysis.activity import Mask
from gradir.tensor.ir.expr import Expr, exprs, is_differentiable
from gradir.tensor.ir.inline import callee_of
from gradir.tensor.ir.reading import made_by
from gradir.tensor.ir.regions import captures, copy_block, copy_op, steps, terminator
from gradir.tensor.rules.control import is_open
from gradir.tensor.rules.rule import prepend
from gradir.tensor.transform.desk import Desk

Carried = TypeVar("Carried")


class Local:
    """An op, seen alone. `values` are its operands, and what its regions take from outside, but for constants."""

    def __init__(self, deriver: Desk, op: ir.Operation, values: Sequence[ir.Value], active: Mask, here: Sequence[Expr]):
        self.deriver, self.op = deriver, op
        self.values, self.active, self.here = values, active, here
        self.smooth = tuple(is_differentiable(r.type) for r in op.results)
        """Which results can carry a derivative."""
        self.symbol = self._define()

    @staticmethod
    def of(
        deriver: Desk, op: ir.Operation, lookup: Callable[[ir.Value], Expr], active: Container[ir.Value]
    ) -> Local | None:
        """The op, if something reaches it that its results can carry on."""
        outside = captures(op.regions) if len(op.regions) else []
        values = [v for v in dict.fromkeys([*op.operands, *outside]) if not made_by(v, "constant")]
        mask = tuple(v in active for v in values)
        if not any(mask) or not any(is_differentiable(r.type) for r in op.results):
            return None
        return Local(deriver, op, values, mask, [lookup(v) for v in values])

    def _define(self) -> str:
        def body(arguments: Sequence[Expr]) -> list[Expr]:
            env = {v: a.value for v, a in zip(self.values, arguments, strict=True)}
            for v in [*self.op.operands, *captures(self.op.regions)]:
                if v not in env:  # a constant: what is known of a loop by its bounds stays known
                    copy_op(v.owner.operation, env)
            copy_op(self.op, env)
            return [Expr(env[r]) for r in self.op.results]

        return self.deriver.define(f"{self.op.name}.alone", [v.type for v in self.values], body, self.op.location)

    def first(self, mask: Mask | None = None) -> str:
        """`(values…, tangents of those in the mask…) -> (tangents of smooth results…)`"""
        return self.pushed(self.symbol, self.active if mask is None else mask, self.smooth)

    def second(self, mask: Mask | None = None, again: Mask | None = None) -> str:
        """`(values…, tangents…, tangents again…) -> (second derivatives…)`, linear in each of the two."""
        mask, again = self.active if mask is None else mask, self.active if again is None else again
        wide = again + (False,) * sum(mask)
        return self.pushed(self.first(mask), wide, (True,) * sum(self.smooth))

    def orders(self, most: int) -> Iterator[str]:
        """The derivatives along a curve, from the first to that of order `most`, one by one.

        `(values…, first derivatives of the active ones…, second derivatives…, …) -> (derivatives of smooth results…)`
        """
        symbol, mask, results = self.symbol, self.active, self.smooth
        active, n = sum(self.active), len(self.values)
        for k in range(most):
            pushed = self.pushed(symbol, mask, results)
            known = n + k * active
            types = [a.type for a in self.deriver.function(pushed).entry_block.arguments]

            def body(arguments: Sequence[Expr], pushed: str = pushed, known: int = known) -> list[Expr]:
                return inlined(self.deriver, pushed, [*arguments[:known], *arguments[n:]])  # each moves on by one

            name = f"{self.op.name}.order{k + 1}"
            symbol = self.deriver.define(name, types[: known + active], body, self.op.location)
            mask, results = self.active + (True,) * ((k + 1) * active), (True,) * sum(self.smooth)
            yield symbol

    def pushed(self, symbol: str, mask: Mask, results: Mask) -> str:
        """`(arguments…, tangents of those in the mask…) -> (tangents of those results…)`"""
        activity = tuple(Activity.dup if m else Activity.const for m in mask)
        rets = tuple(Activity.dupnoneed if r else Activity.constnoneed for r in results)
        derived = self.deriver.derive(Request(symbol, Mode.forward, activity, rets))
        types = [a.type for a in self.deriver.function(symbol).entry_block.arguments]
        shadows = [t for t, m in zip(types, mask, strict=True) if m]

        def body(arguments: Sequence[Expr]) -> list[Expr]:
            rest = iter(arguments[len(types) :])
            given = [x for a, m in zip(arguments, mask, strict=False) for x in ([a, next(rest)] if m else [a])]
            return inlined(self.deriver, derived, given)

        return self.deriver.define(f"{symbol}.push", [*types, *shadows], body, self.op.location)

    def uses(self, symbol: str, mask: Mask) -> bool:
        """Whether one of these derivatives looks at one of the values in the mask."""
        arguments = self.deriver.function(symbol).entry_block.arguments
        return any(m and next(iter(a.uses), None) is not None for a, m in zip(arguments, mask, strict=False))

    def call(self, symbol: str, *shadows: Expr) -> list[Expr]:
        """Emit one of these derivatives, here."""
        return inlined(self.deriver, symbol, [*self.here, *shadows])

    def over(self, symbol: str, size: int, *shadows: Expr) -> list[Expr]:
        """The same over n examples of all shadows, along a new first dimension of each."""
        mask = (False,) * len(self.values) + (True,) * len(shadows)
        batched, has = self.deriver.batch_of(symbol, mask, size)
        outs = inlined(self.deriver, batched, [*self.here, *shadows])
        return [o if h else prepend(o, size) for o, h in zip(outs, has, strict=True)]


class Walk(ABC, Generic[Carried]):
    """A program being built beside its source, of which some values carry something: their `shadows`."""

    def __init__(self, deriver: Desk) -> None:
        self.deriver = deriver
        self.env: dict[ir.Value, ir.Value] = {}
        self.shadows: dict[ir.Value, Carried] = {}

    @abstractmethod
    def leaf(self, op: ir.Operation, local: Local) -> Sequence[Carried | None]:
        """What the results that can carry something do, of an op that stands here already."""

    def lookup(self, value: ir.Value) -> Expr:
        return Expr(self.env.get(value, value))

    def block(self, block: ir.Block) -> list[ir.Value]:
        for op in steps(block):
            with op.location:
                self.op(op)
        return list(terminator(block).operands)

    def op(self, op: ir.Operation) -> None:
        if op.name == "func.call" and is_open(self.deriver, callee_of(op)):
            return self._call(op)
        for r in op.results:
            self.shadows.pop(r, None)  # of another call
        rule = self.deriver.rule(op)
        local = Local.of(self.deriver, op, self.lookup, self.shadows)
        copy_op(op, self.env)
        if local is None or (rule is not None and rule.inactive):
            return None
        results = [r for r, smooth in zip(op.results, local.smooth, strict=True) if smooth]
        for r, carried in zip(results, self.leaf(op, local), strict=True):
            if carried is not None:
                self.shadows[r] = carried
        return None

    def _call(self, op: ir.Operation) -> None:
        entry = self.deriver.function(callee_of(op)).entry_block
        for inner, outer in zip(entry.arguments, op.operands, strict=True):
            self._alias(inner, outer)
        for result, inner in zip(op.results, self.block(entry), strict=True):
            self._alias(result, inner)

    def _alias(self, new: ir.Value, old: ir.Value) -> None:
        self.env[new] = self.lookup(old).value
        self.shadows.pop(new, None)
        if old in self.shadows:
            self.shadows[new] = self.shadows[old]


def inlined(deriver: Desk, symbol: str, arguments: Sequence[Expr]) -> list[Expr]:
    """What a function computes, emitted here instead of a call: the optimiser sees it with what is around it."""
    entry = deriver.function(symbol).entry_block
    env = {a: x.value for a, x in zip(entry.arguments, arguments, strict=True)}
    return exprs(copy_block(entry, env))
