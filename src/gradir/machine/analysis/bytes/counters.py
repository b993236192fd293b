"""Counters: integers in memory to which a constant is added where they lie, and that are compared or converted.

Where objects of several types are one to the types (a tree whose root points back to the object that owns it), nobody
can tell a counter from the float or the address that another object has there. But what adding a constant does to the
bits of a float is known as well: its derivative stays what it was. So shadows are left alone.
"""

from __future__ import annotations

from gradir.machine.ir import Constant, Instruction, Value

__all__ = ["counts", "is_counted"]

_ENDS = frozenset(("icmp", "switch", "uitofp", "sitofp"))
_WAYS = frozenset(("phi", "freeze", "zext", "sext", "trunc"))
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

    Two counters that lie side by side may be loaded at once, and the first be put back elsewhere:

    >>> module = read('''
    ... define i1 @f(ptr %p) {
    ... entry:
    ...   %both = load atomic i64, ptr %p acquire, align 8
    ...   %last = icmp eq i64 %both, 4294967297
    ...   %n = trunc i64 %both to i32
    ...   br i1 %last, label %exit, label %less
    ... less:
    ...   %fewer = add i32 %n, -1
    ...   store i32 %fewer, ptr %p, align 8
    ...   br label %exit
    ... exit:
    ...   %was = phi i32 [ 1, %entry ], [ %n, %less ]
    ...   %none = icmp eq i32 %was, 1
    ...   ret i1 %none
    ... }''')
    >>> is_counted(next(module.functions["f"].instructions()))
    True
    """
    users = load.block.function.users.get(load, ())
    stores = [s for s in _sums_put_back(load) if _adds_to(s, load)]
    return bool(stores) and all(_counts_alone(user) for user in users)


def counts(store: Instruction) -> bool:
    """Whether a store puts a counter back."""
    load = _sum_of(store.value)
    return load is not None and _adds_to(store, load) and is_counted(load)


def _adds_to(store: Instruction, load: Instruction) -> bool:
    """Whether a store puts a load's value back with a constant added, and nothing was written in between."""
    if _sum_of(store.value) is not load or store.pointer is not load.pointer or store.flags or "volatile" in load.flags:
        return False
    if not load.type.is_integer or store.value.type.size < _SHORTEST:
        return False
    between = _between(load, store)
    return between is not None and not any(i.opcode in _WRITES for i in between)


def _between(load: Instruction, store: Instruction) -> list[Instruction] | None:
    """What runs between the two; None if it is not known."""
    block, found = store.block, store.block.instructions[: store.position]
    while block is not load.block:
        if len(block.predecessors) != 1:
            return None
        block = block.predecessors[0]
        found = [*block.instructions, *found]
    return found[load.position + 1 :]


def _sums_put_back(load: Instruction) -> list[Instruction]:
    """The stores of what is made of a loaded integer by adding a constant."""
    users = load.block.function.users
    words = [load, *(u for u in users.get(load, ()) if u.opcode == "trunc")]
    sums = [u for word in words for u in users.get(word, ()) if _sum_of(u) is load]
    return [s for sum in sums for s in users.get(sum, ()) if s.opcode == "store" and s.value is sum]


_WRITES = ("store", "call", "atomicrmw", "cmpxchg", "fence")


def _sum_of(value: Value) -> Instruction | None:
    """The load that a constant is added to."""
    if not isinstance(value, Instruction) or value.opcode not in ("add", "sub"):
        return None
    first, second = value.operands
    if isinstance(first, Instruction) and first.opcode == "trunc":  # of two counters that were loaded at once
        first = first.operands[0]
    return first if isinstance(first, Instruction) and first.opcode == "load" and isinstance(second, Constant) else None


def _counts_alone(user: Instruction) -> bool:
    """Whether an instruction compares or converts a loaded integer, or adds a constant to it that goes back."""
    if _ends(user) or _is_sum(user):
        return True
    return user.opcode == "trunc" and all(map(_counts_alone, user.block.function.users.get(user, ())))


def _is_sum(user: Instruction) -> bool:
    """Whether an instruction adds a constant, and the sum goes back, or is compared or converted, and nothing else."""
    load = _sum_of(user)
    if load is None:
        return False
    users = user.block.function.users.get(user, ())
    return all(_ends(u) or (u.opcode == "store" and u.value is user and _adds_to(u, load)) for u in users)


def _ends(user: Instruction, seen: frozenset[Instruction] = frozenset()) -> bool:
    """Whether an integer is compared or converted here, or where it goes from here."""
    if user.opcode in _ENDS or user in seen:
        return True
    users = user.block.function.users.get(user, ()) if user.opcode in _WAYS else ()
    return bool(users) and all(_ends(u, seen | {user}) for u in users)
