"""Memory that nobody reads: what is written there need not be, where a derivative is asked for without the value.

LLVM drops such a value and the loop that computes it, but not where a team of threads sums it up: it doesn't see that
the memory which the threads are handed is not read afterwards.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator

from gradir.machine.analysis.memory import Memory, Place
from gradir.machine.ir import Argument, Instruction, Value
from gradir.machine.ir.opcodes import OPCODES

__all__ = ["is_unread", "unneeded_stores"]

_IDLE_CALLS = ("llvm.lifetime.", "llvm.dbg.")
_AS_WRITTEN = {"volatile", "atomic"}


def is_unread(memory: Memory, call: Instruction, place: Place, *, value_is_wanted: bool) -> bool:
    """Whether a call is given memory of the function's own that nobody else reads, unless to return what it found."""
    origins = place.origins
    if place.external or place.fickle or not all(isinstance(o, Instruction) and o.opcode == "alloca" for o in origins):
        return False
    for i in _uses(memory, place):
        if i is call or _is_step(i) or _writes_only(memory, i, place):
            continue
        returned = all(u.opcode == "ret" for u in memory.function.users.get(i, ()))
        if i.opcode != "load" or value_is_wanted or not returned:
            return False
    return True


def unneeded_stores(memory: Memory, arguments: Collection[int], needed: Collection[object]) -> frozenset[Instruction]:
    """The stores to what some arguments lead to, if nothing is computed from what is read there but what goes there.

    `needed` is what else has to be known later.
    """
    found: set[Instruction] = set()
    for a in memory.function.arguments:
        place = memory.place(a) if a.index in arguments else None
        if place is not None and place.origins == {a}:
            found |= _own_stores(memory, place, needed) or set()
    return frozenset(found)


def _own_stores(memory: Memory, place: Place, needed: Collection[object]) -> set[Instruction] | None:
    """The stores to a place, if what is read there goes nowhere else."""
    stores, work = set[Instruction](), list[Instruction]()
    for i in _uses(memory, place):
        if i.opcode == "load" and not i.flags & _AS_WRITTEN:
            work.append(i)
        elif _writes_only(memory, i, place):
            stores.add(i)
        elif not _is_step(i):
            return None
    seen = set(work)
    while work:
        i = work.pop()
        if i in needed:
            return None
        for user in memory.function.users.get(i, ()):
            if user in stores or user in seen:
                continue
            if OPCODES[user.opcode].derivative not in ("rule", "convert", "move"):
                return None
            seen.add(user)
            work.append(user)
    return stores


def _uses(memory: Memory, place: Place) -> Iterator[Instruction]:
    """The instructions that are given, or give, a pointer that leads to a place, or may get there on their own."""
    for block in memory.cfg.reachable:
        for i in block.instructions:
            if i.opcode in ("call", "invoke"):
                if place in memory.reached(i):
                    yield i
            elif any(_leads_to(memory, v, place) for v in i.operands):
                yield i


def _leads_to(memory: Memory, value: Value, place: Place) -> bool:
    if not isinstance(value, Argument | Instruction) or not memory.points(value):
        return False
    return memory.place(value) is place


def _writes_only(memory: Memory, i: Instruction, place: Place) -> bool:
    """Whether an instruction stores a number at a place."""
    if i.opcode != "store" or i.flags & _AS_WRITTEN:
        return False
    return not memory.points(i.value) and memory.place(i.pointer) is place


def _is_step(i: Instruction) -> bool:
    """Whether an instruction computes an address, or only says how long memory lives."""
    return i.opcode == "getelementptr" or (i.callee_name or "").startswith(_IDLE_CALLS)
