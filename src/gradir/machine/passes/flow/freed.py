"""What is freed where ways join is freed on each of them.

LLVM puts the ends of ways together that free something, each its own: one call frees what a `phi` chooses. Whatever may
be chosen would be one place of memory to the analyses, text and numbers alike.
"""

from __future__ import annotations

from gradir.machine.ir import Block, Instruction, Module, Value
from gradir.machine.ir.instructions import call, jump, located
from gradir.machine.rules.known import known

__all__ = ["run"]

_DONE_BEFORE = ("phi", "getelementptr", "icmp", "select")
"""What may stand before a call that is moved up: it does nothing."""


def run(module: Module) -> None:
    """Free on the ways to a block what it would free."""
    names = {name for name, f in module.functions.items() if f.is_declaration and _frees(name)}
    for function in module.definitions:
        if any(function.may_hold(f"@{name}(") for name in names):
            for block in list(function.blocks):
                if (found := _freed_first(block, names)) is not None:
                    _move(found)


def _frees(name: str) -> bool:
    fact = known(name)
    return fact is not None and fact.kind == "free"


def _freed_first(block: Block, names: set[str]) -> Instruction | None:
    """The call that frees one of several values, before anything else is done in a block, if it can be moved up."""
    for i in block.instructions:
        if i.callee_name in names:
            movable = len(i.arguments) == 1 and i.opcode == "call" and _is_chosen(i.arguments[0], block)
            return i if movable and all(_leads_to(b, block) for b in block.predecessors) else None
        if i.opcode not in _DONE_BEFORE and not (i.callee_name or "").startswith(("llvm.lifetime.", "llvm.dbg.")):
            return None
    return None


def _is_chosen(v: Value, block: Block) -> bool:
    """Whether a value depends on the way by which a block was reached."""
    joins = isinstance(v, Instruction) and v.opcode == "phi" and v.block is block
    return joins and len({value for value, _ in v.incoming}) > 1  # type: ignore[attr-defined]


def _leads_to(block: Block, target: Block) -> bool:
    """Whether there is one way from a block to another, on which something can be done."""
    ends = block.terminator
    return ends.opcode in ("br", "switch") and sum(o is target for o in ends.operands) == 1


def _move(free: Instruction) -> None:
    chosen, block = free.arguments[0], free.block
    assert isinstance(chosen, Instruction)
    for value, before in chosen.incoming:
        way = before if len(before.successors) == 1 else _way(before, block)
        way.terminator.insert_before(located(call(free.type, free.callee, [value]), free))
    free.erase()
    if not block.function.users.get(chosen):
        chosen.erase()


def _way(before: Block, block: Block) -> Block:
    """A block of its own between two."""
    way = block.function.add_block("freed", before=block)
    way.append(jump(block))
    before.terminator.replace_operand(block, way)
    for phi in block.phis:
        phi.replace_operand(before, way)
    return way
