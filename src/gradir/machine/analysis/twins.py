"""Loads in neighbouring loops that read the same elements: what one loop has read, the next need not keep again.

for (i < n) y[i] = a[i] * t[i];      // t is scratch memory, which the turn of an outer loop has filled
for (i < n) s += t[i] * b[i];        // and reads twice
"""

from __future__ import annotations

from gradir.machine.analysis.cfg import CFG, Loop
from gradir.machine.analysis.memory import Memory
from gradir.machine.ir import Block, Constant, Instruction, Value

__all__ = ["find_twins"]


def find_twins(cfg: CFG, memory: Memory) -> dict[Instruction, Instruction]:
    """For each load that repeats, turn by turn, one of an earlier loop within the same loop: the first such load."""
    groups: dict[object, list[Instruction]] = {}
    for block in cfg.order:
        loop = cfg.loop_of[block]
        if loop is None or not _is_regular(loop):
            continue
        for i in block.instructions:
            if i.opcode == "load" and (pattern := _pattern(i, loop)) is not None:
                groups.setdefault((loop.parent, pattern), []).append(i)
    twins: dict[Instruction, Instruction] = {}
    for loads in groups.values():
        for n, later in enumerate(loads):
            for first in loads[:n]:
                if first not in twins and _repeats(cfg, memory, first, later):
                    twins[later] = first
                    break
    return twins


def _is_regular(loop: Loop) -> bool:
    """Whether it has as many turns each time, known before the loop around it is entered: it keeps one block."""
    around, trip = loop.parent, loop.trip
    if around is None or around.trip is None or trip is None or not trip.exact:
        return False
    return not any(around.holds(v) for v in (*trip.operands, *around.trip.operands))


def _pattern(load: Instruction, loop: Loop) -> object | None:
    """Which elements a load reads in the course of its loop."""
    address = load.pointer
    if not isinstance(address, Instruction) or address.opcode != "getelementptr" or len(address.operands) != 2:
        return None
    base, index = address.operands
    induction = loop.inductions.get(index)  # type: ignore[call-overload]
    if induction is None or loop.holds(base) or loop.trip is None:
        return None
    trip = loop.trip
    count = (_known(trip.induction.start), trip.induction.step, trip.after, trip.predicate, _known(trip.bound))
    return (base, address.accessed_type, load.type, _known(induction.start), induction.step, count)


def _known(value: Value) -> object:
    return (value.type, value.ref) if isinstance(value, Constant) else value


def _repeats(cfg: CFG, memory: Memory, first: Instruction, later: Instruction) -> bool:
    """Whether the first loop runs before the other in each turn around them, and nothing is written in between."""
    before, after = cfg.loop_of[first.block], cfg.loop_of[later.block]
    assert before is not None and after is not None and before.parent is not None
    if before is after or not cfg.dominates(before.header, after.header):
        return False
    if not cfg.dominates(first.block, before.latch):  # it may have left elements out
        return False
    around = before.parent
    between = {b for b in _following(cfg, before.header, around) if b in after.blocks or _leads(cfg, b, after, around)}
    read = memory.access(first, first.pointer, first.type.size)
    if any(w.instruction.block in between and memory.may_change(read, w) for w in memory.writes):
        return False
    return not any(call.block in between for call in memory.opaque_calls)


def _leads(cfg: CFG, block: Block, to: Loop, around: Loop) -> bool:
    return to.header in _following(cfg, block, around)


def _following(cfg: CFG, block: Block, around: Loop) -> set[Block]:
    """The block, and what can run after it in the same turn of a loop."""
    found = {block}
    work = [block]
    while work:
        for s in cfg.successors(work.pop()):
            if s in around.blocks and s is not around.header and s not in found:
                found.add(s)
                work.append(s)
    return found
