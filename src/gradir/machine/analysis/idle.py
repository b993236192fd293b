"""Where an adjoint is zero for certain, though the partial derivative that it is multiplied by may be no number.

Zero times infinity is not zero. A program may divide by zero, or read what was never written, without harm: in lanes
of a vector that nobody reads, in values that a compiler computes ahead of the branch that would have decided against
them, or that the program itself computes and then leaves alone. In the reverse sweep nothing may come from there.

Where a value is used, but multiplied by zero, 0 * inf stays no number: `sqrt(x) * sqrt(x)` has the slope 1 at 0, not 0.
"""

from __future__ import annotations

from collections.abc import Callable

from gradir.machine.analysis.cfg import CFG
from gradir.machine.ir import Block, Constant, Function, Instruction, Value
from gradir.machine.ir.opcodes import OPCODES

__all__ = ["Idle"]

_LANEWISE_CALLS = (
    "fma", "fmuladd", "fabs", "copysign", "minnum", "maxnum", "minimum", "maximum", "floor", "ceil", "trunc", "rint",
    "sqrt", "nearbyint", "round", "roundeven", "sin", "cos", "tan", "exp", "exp2", "log", "log2", "log10", "pow",
)  # fmt: skip
_CHOICES = ("minnum", "maxnum", "minimum", "maximum", "fmin", "fmax")


class Idle:
    """Which lanes of a function's vectors nobody reads, and which of its values may be computed for nothing."""

    def __init__(self, function: Function, cfg: CFG, has_rule: Callable[[Instruction], bool]) -> None:
        self.function, self.cfg, self.has_rule = function, cfg, has_rule
        self._read: dict[Value, set[int]] = {}
        self._find_read_lanes()
        self._unused: set[Instruction] = set()
        for block in reversed(cfg.order):
            for i in (*reversed(block.body), *block.phis):
                if all(self._may_not_use(u, i) for u in function.users.get(i, [])):
                    self._unused.add(i)

    def read_lanes(self, i: Instruction) -> list[bool] | None:
        """For each lane whether it is read; None if all are."""
        if i.type.kind != "vector":
            return None
        read = self._read.get(i, set())
        return None if len(read) == i.type.count else [k in read for k in range(i.type.count)]

    def is_unused(self, i: Instruction) -> bool:
        """Whether it may be that nothing depends on a value: then what it was computed from may be no number."""
        return i in self._unused

    # -- lanes ------------------------------------------------------------------------------------------------------

    def _find_read_lanes(self) -> None:
        work = [i for block in self.cfg.reachable for i in reversed(block.instructions)]
        while work:
            i = work.pop()
            for operand in i.operands:
                if operand.type.kind != "vector" or isinstance(operand, Constant):
                    continue
                known = self._read.setdefault(operand, set())
                more = self._lanes_read_by(i, operand) - known
                if more:
                    known |= more
                    if isinstance(operand, Instruction):
                        work.append(operand)

    def _lanes_read_by(self, i: Instruction, operand: Value) -> set[int]:
        every = set(range(operand.type.count))
        own = self._read.get(i, set())
        match i.opcode:
            case "extractelement":
                lane = i.operands[1].integer if isinstance(i.operands[1], Constant) else None
                return every if lane is None else {lane}
            case "insertelement":
                lane = i.operands[2].integer if isinstance(i.operands[2], Constant) else None
                return own if lane is None else own - {lane}
            case "shufflevector":
                return self._shuffled(i, operand, own)
        if i.type.kind == "vector" and i.type.count == operand.type.count and self._is_lanewise(i):
            return set(own)
        return every

    def _shuffled(self, i: Instruction, operand: Value, own: set[int]) -> set[int]:
        mask: tuple[int, ...] = i.info["mask"]  # type: ignore[assignment]
        n = operand.type.count
        found: set[int] = set()
        for which, o in enumerate(i.operands[:2]):
            if o is operand:
                found |= {
                    m - which * n for lane, m in enumerate(mask) if lane in own and which * n <= m < (which + 1) * n
                }
        return found

    def _is_lanewise(self, i: Instruction) -> bool:
        return OPCODES[i.opcode].lanewise or (i.opcode == "call" and _is_called(i, _LANEWISE_CALLS))

    # -- values that were computed ahead ----------------------------------------------------------------------------

    def _may_not_use(self, user: Instruction, i: Instruction) -> bool:
        """Whether a use of a value may fail to make anything depend on it. What comes later in the code is known
        already."""
        if user.opcode in ("fcmp", "fptosi", "fptoui"):
            return True
        if user.opcode == "phi":
            ways = (block for value, block in user.incoming if value is i)
            return user in self._unused or any(self._may_turn_away(i.block, way, user.block) for way in ways)
        if user.block is not i.block and not self._follows(i.block, user.block):
            return True
        if user.opcode == "select" and user.operands[0] is not i:
            return True
        if user.opcode == "call" and _is_called(user, _CHOICES):
            return True
        return user.type.is_float and (OPCODES[user.opcode].finite or self.has_rule(user)) and user in self._unused

    def _may_turn_away(self, block: Block, last: Block, target: Block) -> bool:
        """Whether one may get from a block to elsewhere than from `last` to `target`."""
        if any(l.header is target for l in self.cfg.loops):
            return block is not last and not self._follows(block, last)
        return len(set(last.successors)) > 1 or (block is not last and not self._follows(block, last))

    def _follows(self, block: Block, later: Block) -> bool:
        """Whether one comes to a block after another for certain, in the same turn of all loops."""
        loop = self.cfg.loop_of.get(block)
        if later not in self.cfg.live or self.cfg.loop_of[later] is not loop:  # nobody comes back from an exception
            return False
        ends = [loop.latch] if loop else [b for b in self.cfg.order if b.terminator.opcode in self.cfg.ends]
        return all(self.cfg.dominates(later, end) for end in ends)


def _is_called(i: Instruction, names: tuple[str, ...]) -> bool:
    base = (i.callee_name or "").removeprefix("llvm.")
    return any(base == n or base == n + "f" or base.startswith(n + ".") for n in names)
