"""What carries a derivative.

A value is *varied* if it depends on an active argument, and *useful* if an active result depends on it; it is active
if it is both. The same walk with other edges tells the batch transform which values carry the batch dimension. How a
fact flows through control flow is said by that op's own rule (`rules/control.py`); through a call, by the callee.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Protocol

from jaxlib.mlir import ir

from gradir.errors import NoRule
from gradir.tensor.ir.expr import is_differentiable
from gradir.tensor.ir.module import location_text
from gradir.tensor.ir.regions import captures, terminator

Mask = tuple[bool, ...]


class Control(Protocol):
    """What an op with control flow says of itself."""

    def flow(self, flow: Flow, op: ir.Operation) -> None:
        """Let a fact flow through the op."""


class OpRule(Protocol):
    """What the rule of an op says of the ways through it."""

    @property
    def control(self) -> Control | None: ...
    @property
    def inactive(self) -> bool:
        """Whether its derivative is zero."""

    @property
    def active_operands(self) -> Callable[[ir.Operation], Sequence[bool]] | None:
        """Which operands a derivative passes through at all (default: every one)."""


class Ways(Protocol):
    """What leads on from an op, and from a call: its rule, and what reaches the callee's other end."""

    def rule(self, op: ir.Operation) -> OpRule | None: ...
    def varied_results(self, name: str, args: Mask) -> Mask: ...
    def useful_args(self, name: str, results: Mask) -> Mask: ...
    def batched_results(self, name: str, args: Mask) -> Mask: ...


class Flow:
    """The set of values reached from some others, grown by walking blocks (forwards here, backwards in `Useful`)."""

    backwards = False

    def __init__(self, ways: Ways, start: Iterable[ir.Value] = ()) -> None:
        self.ways = ways
        self.reached: set[ir.Value] = set(start)

    def __contains__(self, value: ir.Value) -> bool:
        return value in self.reached

    def mask(self, values: Iterable[ir.Value]) -> Mask:
        return tuple(v in self.reached for v in values)

    def mark(self, value: ir.Value) -> None:
        self.reached.add(value)

    def link(self, source: ir.Value, target: ir.Value) -> None:
        """The fact flows from `source` to `target`."""
        if source in self.reached:
            self.mark(target)

    def op(self, op: ir.Operation) -> None:
        rule = self.ways.rule(op)
        if rule is not None and rule.control is not None:
            rule.control.flow(self, op)
        else:
            self.leaf(op, rule)

    def block(self, block: ir.Block) -> None:
        for op in block.operations:
            self.op(op.operation)

    def leaf(self, op: ir.Operation, rule: OpRule | None) -> None:
        raise AssertionError("a flow says what a leaf op does")

    def refuse_captures(self, op: ir.Operation, what: str) -> None:
        """A computation (of a reduce, a scatter, …) sees its arguments only; what it takes from outside is constant."""
        if len(op.regions) and any(v in self.reached for v in captures(op.regions)):
            raise NoRule(
                f"the region of {op.name} uses a value from outside, by which it can't be {what}",
                location=location_text(op.location),
                hint="make that value an operand of the op, or a constant",
            )

    def callee(self, name: str, mask: Mask) -> Mask:
        """The function's results (or, backwards, arguments) that are reached when those of `mask` are."""
        raise AssertionError("a flow says what a call does")


class Varied(Flow):
    """Forwards: what depends on the active arguments by a derivative."""

    def mark(self, value: ir.Value) -> None:
        if is_differentiable(value.type):
            self.reached.add(value)

    def leaf(self, op: ir.Operation, rule: OpRule | None) -> None:
        if rule is not None and rule.inactive:
            return
        self.refuse_captures(op, "differentiated")
        if not self.reached.isdisjoint(passing(op, rule)):
            for r in op.results:
                self.mark(r)

    def callee(self, name: str, mask: Mask) -> Mask:
        return self.ways.varied_results(name, mask)


class Useful(Flow):
    """Backwards: what the active results depend on by a derivative."""

    backwards = True

    def mark(self, value: ir.Value) -> None:
        if is_differentiable(value.type):
            self.reached.add(value)

    def block(self, block: ir.Block) -> None:
        for op in reversed(list(block.operations)):
            self.op(op.operation)

    def leaf(self, op: ir.Operation, rule: OpRule | None) -> None:
        if rule is not None and rule.inactive:
            return
        if not self.reached.isdisjoint(op.results):
            for v in passing(op, rule):
                self.mark(v)

    def callee(self, name: str, mask: Mask) -> Mask:
        return self.ways.useful_args(name, mask)


class Batched(Flow):
    """Forwards: what depends on a batched argument at all, and so carries the batch dimension."""

    def mark(self, value: ir.Value) -> None:
        if isinstance(value.type, ir.RankedTensorType):  # not a token
            self.reached.add(value)

    def leaf(self, op: ir.Operation, rule: OpRule | None) -> None:
        if op.name == "stablehlo.get_dimension_size":
            return
        self.refuse_captures(op, "batched")
        if not self.reached.isdisjoint(op.operands):
            for r in op.results:
                self.mark(r)

    def callee(self, name: str, mask: Mask) -> Mask:
        return self.ways.batched_results(name, mask)


def passing(op: ir.Operation, rule: OpRule | None) -> Iterable[ir.Value]:
    """The operands through which a derivative can pass."""
    if rule is None or rule.active_operands is None:
        return op.operands
    return [v for v, passes in zip(op.operands, rule.active_operands(op), strict=True) if passes]


class ActiveValues:
    """The active values of one function, for some active arguments and results."""

    def __init__(self, ways: Ways, entry: ir.Block, args: Sequence[bool], results: Sequence[bool]) -> None:
        returned = list(terminator(entry).operands)
        self.varied = Varied(ways)
        for v, active in zip(entry.arguments, args, strict=True):
            if active:
                self.varied.mark(v)
        self.varied.block(entry)
        self.useful = Useful(ways)
        for v, active in zip(returned, results, strict=True):
            if active:
                self.useful.mark(v)
        self.useful.block(entry)

    def __contains__(self, value: ir.Value) -> bool:
        return value in self.varied.reached and value in self.useful.reached

    def mask(self, values: Iterable[ir.Value]) -> Mask:
        return tuple(v in self for v in values)
