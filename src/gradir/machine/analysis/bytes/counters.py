"""Counters: integers in memory to which a constant is added where they lie, and that are compared or converted.

Where objects of several types are one to the types (a tree whose root points back to the object that owns it), nobody
can tell a counter from the float or the address that another object has there. But what adding a constant does to the
bits of a float is known as well: its derivative stays what it was. So shadows are left alone.
"""

from __future__ import annotations

from gradir.machine.ir import Constant, Instruction, Value

__all__ = ["counts", "is_counted"]

_ENDS = frozenset(("icmp", "switch", "uitofp", "sitofp"))
_SHORTEST = 4
"""Bytes of a counter: what is smaller may be a part of anything."""


def is_counted(load: Instruction) -> bool:
    """Whether what is loaded goes back with a constant added, and is otherwise compared or converted alone.

    >>> from gradir.machine.ir.text.reader import read
    >>> module = read('''
    ... define void @f(ptr %p, ptr %q) {
    ... entry:
    ...   %n = load i64, ptr %p, align 8
    ...   %more = add i64 %n, 1
    ...   store i64 %more, ptr %p, align 8
    ...   %m = load i64, ptr %q, align 8
    ...   %next = add i64 %m, 1
    ...   store i64 %next, ptr %q, align 8
    ...   %x = bitcast i64 %m to double
    ...   ret void
    ... }''')
    >>> [is_counted(i) for i in module.functions["f"].instructions() if i.opcode == "load"]
    [True, False]
    """
    users = load.block.function.users.get(load, ())
    stores = [s for s in load.block.instructions if s.opcode == "store" and _adds_to(s, load)]
    return bool(stores) and all(_ends(user) or _is_sum(user) for user in users)


def counts(store: Instruction) -> bool:
    """Whether a store puts a counter back."""
    load = _sum_of(store.value)
    return load is not None and _adds_to(store, load) and is_counted(load)


def _adds_to(store: Instruction, load: Instruction) -> bool:
    """Whether a store puts a load's value back with a constant added, and nothing was written in between."""
    if _sum_of(store.value) is not load or store.pointer is not load.pointer or store.flags or load.flags:
        return False
    if store.block is not load.block or not load.type.is_integer or load.type.size < _SHORTEST:
        return False
    between = load.block.instructions[load.position + 1 : store.position]
    return not any(i.opcode in _WRITES for i in between)


_WRITES = ("store", "call", "atomicrmw", "cmpxchg", "fence")


def _sum_of(value: Value) -> Instruction | None:
    """The load that a constant is added to."""
    if not isinstance(value, Instruction) or value.opcode not in ("add", "sub"):
        return None
    first, second = value.operands
    return first if isinstance(first, Instruction) and first.opcode == "load" and isinstance(second, Constant) else None


def _is_sum(user: Instruction) -> bool:
    """Whether an instruction adds a constant, and the sum goes back, or is compared or converted, and nothing else."""
    load = _sum_of(user)
    if load is None:
        return False
    users = user.block.function.users.get(user, ())
    return all(_ends(u) or (u.opcode == "store" and u.value is user and _adds_to(u, load)) for u in users)


def _ends(user: Instruction) -> bool:
    return user.opcode in _ENDS
