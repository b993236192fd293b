"""What carries a derivative.

A value is *varied* if it depends on an active argument, and *useful* if an active result depends on it; it is active
if it is both. The same walk with other edges tells the batch transform which values carry the batch dimension. How a
fact flows through control flow is said by that op's own rule (`rules/control.py`); through a call, by the callee.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from jaxlib.mlir import ir

from gradir.errors import NoRule
from gradir.tensor.ir.expr import is_differentiable
from gradir.tensor.ir.module import location_text

if TYPE_CHECKING:
    from gradir.tensor.rules.rule import Rule
    from gradir.tensor.transform.derive import Deriver

Mask = tuple[bool, ...]


class Flow:
    """The set of values reached from some others, grown by walking blocks (forwards here, backwards in `Useful`)."""

    backwards = False

    def __init__(self, deriver: Deriver, start: Iterable[ir.Value] = ()) -> None:
        self.deriver = deriver
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
        rule = self.deriver.rule(op)
        if rule is not None and rule.control is not None:
            rule.control.flow(self, op)
        else:
            self.leaf(op, rule)

    def block(self, block: ir.Block) -> None:
        for op in block.operations:
            self.op(op.operation)

    def leaf(self, op: ir.Operation, rule: Rule | None) -> None:
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

    def leaf(self, op: ir.Operation, rule: Rule | None) -> None:
        if rule is not None and rule.inactive:
            return
        self.refuse_captures(op, "differentiated")
        if any(v in self.reached for v in passing(op, rule)):
            for r in op.results:
                self.mark(r)

    def callee(self, name: str, mask: Mask) -> Mask:
        return self.deriver.varied_results(name, mask)


class Useful(Flow):
    """Backwards: what the active results depend on by a derivative."""

    backwards = True

    def mark(self, value: ir.Value) -> None:
        if is_differentiable(value.type):
            self.reached.add(value)

    def block(self, block: ir.Block) -> None:
        for op in reversed(list(block.operations)):
            self.op(op.operation)

    def leaf(self, op: ir.Operation, rule: Rule | None) -> None:
        if rule is not None and rule.inactive:
            return
        if any(r in self.reached for r in op.results):
            for v in passing(op, rule):
                self.mark(v)

    def callee(self, name: str, mask: Mask) -> Mask:
        return self.deriver.useful_args(name, mask)


class Batched(Flow):
    """Forwards: what depends on a batched argument at all, and so carries the batch dimension."""

    def mark(self, value: ir.Value) -> None:
        if isinstance(value.type, ir.RankedTensorType):  # not a token
            self.reached.add(value)

    def leaf(self, op: ir.Operation, rule: Rule | None) -> None:
        if op.name == "stablehlo.get_dimension_size":
            return
        self.refuse_captures(op, "batched")
        if any(v in self.reached for v in op.operands):
            for r in op.results:
                self.mark(r)

    def callee(self, name: str, mask: Mask) -> Mask:
        return self.deriver.batched_results(name, mask)


def passing(op: ir.Operation, rule: Rule | None) -> list[ir.Value]:
    """The operands through which a derivative can pass."""
    operands = list(op.operands)
    if rule is None or rule.active_operands is None:
        return operands
    return [v for v, passes in zip(operands, rule.active_operands(op), strict=True) if passes]


class ActiveValues:
    """The active values of one function, for some active arguments and results."""

    def __init__(self, deriver: Deriver, entry: ir.Block, args: Sequence[bool], results: Sequence[bool]) -> None:
        returned = list(terminator(entry).operands)
        self.varied = Varied(deriver)
        for v, active in zip(entry.arguments, args, strict=True):
            if active:
                self.varied.mark(v)
        self.varied.block(entry)
        self.useful = Useful(deriver)
        for v, active in zip(returned, results, strict=True):
            if active:
                self.useful.mark(v)
        self.useful.block(entry)

    def __contains__(self, value: ir.Value) -> bool:
        return value in self.varied.reached and value in self.useful.reached

    def mask(self, values: Iterable[ir.Value]) -> Mask:
        return tuple(v in self for v in values)


def terminator(block: ir.Block) -> ir.Operation:
    ops = block.operations
    return ops[len(ops) - 1].operation


def captures(regions: Iterable[ir.Region]) -> list[ir.Value]:
    """The values from outside that the regions use, in order of first use."""
    inside: set[ir.Value] = set()
    outside: dict[ir.Value, None] = {}

    def walk(region: ir.Region) -> None:
        for block in region.blocks:
            inside.update(block.arguments)
            for op in block.operations:
                for v in op.operation.operands:
                    if v not in inside:
                        outside[v] = None
                for nested in op.operation.regions:
                    walk(nested)
                inside.update(op.operation.results)

    for region in regions:
        walk(region)
    return list(outside)
