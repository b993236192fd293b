"""Integers of which the source's types say that they are no float's bits: loads, stores and conversions with a mark.

LLVM's integers move doubles as well as counts, and in a union (an enum of Rust's) both lie in the same bytes. A
language whose types can't be got around says of each integer that is read what it is; the front end marks those.

LLVM may let one load serve for two of different types, where one of them was moved to a place where it means nothing.
So a load is believed as far as it is used as an integer, and only so; a store, if what it stores was not read for
something else. Accesses that LLVM joins lose their marks.
"""

from __future__ import annotations

from gradir.machine.ir import Instruction, Value
from gradir.machine.ir.opcodes import OPCODES

__all__ = ["MARK", "converts_integer", "reads_integer", "stores_integer"]

MARK = "gradir.integer"
"""The kind of metadata."""

_ENDS = frozenset(("icmp", "switch", "getelementptr", "mul", "udiv", "sdiv", "urem", "srem", "uitofp", "sitofp"))
"""What is done to integers alone: LLVM makes none of these of what is done to floats."""

_PASSES = frozenset(("call", "invoke", "ret", "insertvalue"))
"""Floats go there as floats, unless the source passes them in the guise of integers: such loads have no mark."""

_SUMS = frozenset(("add", "sub", "call", "invoke"))
"""What makes a number of others; calls are those of LLVM's own that count."""

_COUNTING = ("llvm.assume", "llvm.u", "llvm.s", "llvm.ct")


def converts_integer(i: Instruction) -> bool:
    """Whether what becomes a number was an integer in the source."""
    return MARK in i.metadata


def reads_integer(load: Instruction) -> bool:
    """Whether a load reads what is an integer in the source, and is used as nothing else.

    >>> from gradir.machine.ir.text.reader import read
    >>> module = read('''
    ... define double @f(ptr %p) {
    ... entry:
    ...   %n = load i64, ptr %p, align 8, !gradir.integer !0
    ...   %count = uitofp i64 %n to double
    ...   %m = load i64, ptr %p, align 8, !gradir.integer !0
    ...   %x = bitcast i64 %m to double
    ...   ret double %count
    ... }
    ... !0 = !{}''')
    >>> [reads_integer(i) for i in module.functions["f"].instructions() if i.opcode == "load"]
    [True, False]
    """
    return MARK in load.metadata and _counts(load)


def _counts(v: Instruction) -> bool:
    """Whether an integer is used as one in all places. A sum may go anywhere, but become an address."""
    todo: list[tuple[Value, bool]] = [(v, False)]
    seen = {todo[0]}
    while todo:
        value, is_sum = todo.pop()
        for user in v.block.function.users.get(value, ()):
            if _keeps_integer(user):
                item = (user, is_sum or user.opcode in _SUMS)
                if item not in seen:
                    seen.add(item)
                    todo.append(item)
            elif not _ends_as_integer(user) and (not is_sum or user.opcode == "inttoptr"):
                return False
    return True


def _ends_as_integer(user: Instruction) -> bool:
    """Whether an instruction takes an integer for what it is, and gives none."""
    return user.opcode in _ENDS or user.opcode in _PASSES or (user.opcode == "store" and MARK in user.metadata)


def _keeps_integer(user: Instruction) -> bool:
    """Whether what an instruction makes of an integer is one, in a register."""
    if user.opcode in ("call", "invoke"):
        return (user.callee_name or "").startswith(_COUNTING) and user.type.is_integer
    return user.opcode not in ("bitcast", *_ENDS) and user.type.is_integer and OPCODES[user.opcode].keeps_bits


def stores_integer(store: Instruction) -> bool:
    """Whether a store writes what is an integer in the source, wherever that comes from."""
    return MARK in store.metadata and all(_is_meant(v) for v in _chosen_from(store.value))


def _is_meant(v: Value) -> bool:
    """Whether a value was not loaded, or taken from a float or an address, for something else than an integer."""
    if not isinstance(v, Instruction):
        return True
    return MARK in v.metadata if v.opcode == "load" else v.opcode not in ("bitcast", "ptrtoint", "extractvalue")


def _chosen_from(v: Value) -> set[Value]:
    """The values that a value is one of, or has bits of."""
    todo, seen, found = [v], {v}, set[Value]()
    while todo:
        v = todo.pop()
        if not isinstance(v, Instruction) or v.opcode not in _CHOICES:
            found.add(v)
            continue
        operands = v.operands[1:] if v.opcode == "select" else v.operands[::2] if v.opcode == "phi" else v.operands
        todo += [o for o in operands if o not in seen]
        seen.update(operands)
    return found


_CHOICES = frozenset(("phi", "select", "freeze", "and", "or", "xor", "shl", "lshr", "ashr", "trunc", "zext"))
