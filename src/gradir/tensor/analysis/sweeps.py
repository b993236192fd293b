"""What each op of a derivative is there for: the function itself, a partial derivative, or tangents and cotangents.

A derivative is a program like any other, and says nothing of where its ops come from but their locations. It is told by
what depends on what: an op that depends on the tangents or cotangents that go in belongs to them; of the others, one
that the function's own results need is the function's. What is left is needed by the derivative alone: the function
once more, if an op of the function stands at the same place of the source and does the same, else a partial derivative;
or, if it has nothing to do with numbers that have a derivative, counters and indices of its own. Calls must have been
inlined.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Literal

from jaxlib.mlir import ir

from gradir.tensor.ir.expr import is_differentiable
from gradir.tensor.ir.module import location_text, operations
from gradir.tensor.ir.regions import captures, terminator

__all__ = ["Part", "Sweeps"]

Part = Literal["primal", "partial", "again", "shadow"]

BRANCHES = ("stablehlo.if", "stablehlo.case")
CONSTANT = "stablehlo.constant"
HANDING_ON = frozenset(
    f"stablehlo.{n}" for n in ("reshape", "slice", "dynamic_slice", "select", "while", "optimization_barrier")
)
"""Ops by which what was kept is read."""


class Sweeps:
    """The parts of a derivative, given the block of its function, the shadows that go in and the primal results."""

    def __init__(self, block: ir.Block, shadows: Iterable[ir.Value], primal_results: Iterable[int]) -> None:
        self._carrying = set(shadows)
        _follow(block, self._carrying)
        returned = terminator(block).operands
        self._needed = {returned[k] for k in primal_results}
        _require(block, self._needed)
        self._primal: dict[tuple[str, str | None], list[ir.Operation]] = {}
        self._parts: dict[ir.Value, Part] = {}
        """By the first result: Python has no lasting names for ops."""
        ops = [op for view in block.operations for op in operations(view) if len(op.results)]
        for op in ops:
            if not self.carries(op) and any(r in self._needed for r in op.results):
                self._parts[op.results[0]] = "primal"
                self._primal.setdefault(_sight(op), []).append(op)
        for op in ops:
            if op.results[0] not in self._parts and (part := self._other(op)) is not None:
                self._parts[op.results[0]] = part
        self.kept = self._kept(block)

    def carries(self, op: ir.Operation) -> bool:
        """Whether a tangent or a cotangent goes through an op."""
        return any(r in self._carrying for r in op.results)

    def part(self, op: ir.Operation) -> Part | None:
        """None for what is none: ends of blocks, counters and indices of the derivative's own."""
        return self._parts.get(op.results[0]) if len(op.results) else None

    def _other(self, op: ir.Operation) -> Part | None:
        if self.carries(op):
            return "shadow"
        if not any(is_differentiable(v.type) for v in (*op.operands, *op.results)):
            return None
        return "again" if any(self._repeats(op, p) for p in self._primal.get(_sight(op), ())) else "partial"

    def _repeats(self, op: ir.Operation, primal: ir.Operation) -> bool:
        """Whether an op does what one of the function does."""
        if op.name == CONSTANT or [r.type for r in op.results] != [r.type for r in primal.results]:
            return False
        if _attributes(op) != _attributes(primal) or len(op.operands) != len(primal.operands):
            return False
        return all(map(self._stands_for, op.operands, primal.operands))

    def _stands_for(self, value: ir.Value, original: ir.Value) -> bool:
        """Whether a value may be another of the function: kept, brought along by a loop, or computed again."""
        made, was = _maker(value), _maker(original)
        if value == original or made is None:
            return True
        if made.name == CONSTANT or (was is not None and was.name == CONSTANT):
            return was is not None and made.name == was.name
        return self.part(made) != "partial" or made.name in HANDING_ON

    def _kept(self, block: ir.Block) -> dict[ir.Value, list[ir.Operation]]:
        """Values of the function that the rest of the derivative uses, with the ops that do; arguments are not kept."""
        found: dict[ir.Value, list[ir.Operation]] = {}
        for view in block.operations:
            op = view.operation
            if self.part(op) == "primal" or not len(op.results):
                continue
            for v in dict.fromkeys([*op.operands, *captures(op.regions)]):
                if isinstance(v, ir.BlockArgument) or v.owner.operation.block != block:
                    continue
                if self.part(v.owner.operation) == "primal" and not _is_constant(v.owner.operation):
                    found.setdefault(v, []).append(op)
        return found


def _is_constant(op: ir.Operation) -> bool:
    """Whether an op gives the same whatever the arguments are."""
    return all(not isinstance(v, ir.BlockArgument) and _is_constant(v.owner.operation) for v in op.operands) and not (
        captures(op.regions)
    )


def _sight(op: ir.Operation) -> tuple[str, str | None]:
    return op.name, location_text(op.location)


def _attributes(op: ir.Operation) -> dict[str, ir.Attribute]:
    return {name: op.attributes[name] for name in op.attributes}


def _maker(value: ir.Value) -> ir.Operation | None:
    return None if isinstance(value, ir.BlockArgument) else value.owner.operation


# -- what depends on what ----------------------------------------------------------------------------------------------


def _follow(block: ir.Block, reached: set[ir.Value]) -> None:
    """Add all that depends on the values in a set by way of numbers that have a derivative.

    (What has none is no shadow: that the order of a program is kept, say, may hang on the bits of one.)
    """
    for view in block.operations:
        op = view.operation
        if op.name == "stablehlo.while":
            _follow_loop(op, reached)
        elif op.name in BRANCHES:
            for region in op.regions:
                _follow(region.blocks[0], reached)
                _pass(terminator(region.blocks[0]).operands, op.results, reached)
        elif op.name == "stablehlo.optimization_barrier":
            _pass(op.operands, op.results, reached)
        elif any(v in reached for v in (*op.operands, *captures(op.regions))):
            reached.update(r for r in op.results if is_differentiable(r.type))


def _follow_loop(op: ir.Operation, reached: set[ir.Value]) -> None:
    condition, body = (region.blocks[0] for region in op.regions)
    _pass(op.operands, body.arguments, reached)
    before = -1
    while before != len(reached):
        before = len(reached)
        _follow(body, reached)
        _pass(terminator(body).operands, body.arguments, reached)
    _pass(body.arguments, condition.arguments, reached)
    _follow(condition, reached)
    _pass(body.arguments, op.results, reached)


def _require(block: ir.Block, needed: set[ir.Value]) -> None:
    """Add all that the values in a set depend on."""
    for view in reversed(list(block.operations)):
        op = view.operation
        if not any(r in needed for r in op.results):
            continue
        if op.name == "stablehlo.while":
            _require_loop(op, needed)
        elif op.name in BRANCHES:
            needed.add(op.operands[0])
            for region in op.regions:
                _pass(op.results, terminator(region.blocks[0]).operands, needed)
                _require(region.blocks[0], needed)
        elif op.name == "stablehlo.optimization_barrier":
            _pass(op.results, op.operands, needed)
        else:
            needed.update(op.operands)
            needed.update(captures(op.regions))


def _require_loop(op: ir.Operation, needed: set[ir.Value]) -> None:
    condition, body = (region.blocks[0] for region in op.regions)
    _pass(op.results, body.arguments, needed)
    needed.update(terminator(condition).operands)
    _require(condition, needed)
    _pass(condition.arguments, body.arguments, needed)
    before = -1
    while before != len(needed):
        before = len(needed)
        _pass(body.arguments, terminator(body).operands, needed)
        _require(body, needed)
    _pass(body.arguments, op.operands, needed)
    _pass(body.arguments, op.results, needed)


def _pass(sources: Sequence[ir.Value], targets: Sequence[ir.Value], reached: set[ir.Value]) -> None:
    """What holds for some values holds for others, one by one."""
    for source, target in zip(sources, targets, strict=True):
        if source in reached:
            reached.add(target)
