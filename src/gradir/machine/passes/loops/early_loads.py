"""Loads go before stores to other arrays, so that they are on their way while others are waited for.

A derivative reads its shadows where the reverse sweep begins, behind the program's own stores, and no back end moves a
load over a store. Only arrays that are said not to overlap (`noalias` parameters) are told apart.
"""

from __future__ import annotations

from gradir.machine.ir import Argument, Block, Function, Instruction, Value

__all__ = ["run"]

_PURE = ("getelementptr", "sext", "zext", "trunc", "add", "sub", "mul", "shl", "and", "or", "addrspacecast", "select")
"""What addresses are computed by."""


def run(function: Function) -> None:
    """In each block by itself."""
    for block in function.blocks:
        for load in [i for i in block.instructions if i.opcode == "load"]:
            _hoist(block, load)


def _hoist(block: Block, load: Instruction) -> None:
    """Move a load, with what its address is computed by, before the first of the stores that it may pass."""
    base = _array(load.pointer)
    if base is None or load.flags & {"volatile", "atomic"}:
        return
    order = block.instructions
    at = order.index(load)
    moved, needed, first = [load], set(load.operands), None
    for k in range(at - 1, -1, -1):
        i = order[k]
        if i in needed:
            if i.opcode not in _PURE:
                break
            moved.append(i)
            needed |= set(i.operands)
        elif i.opcode in ("store", "atomicrmw"):
            other = _array(i.pointer)
            if other is None or other is base:
                break
            first = i
        elif i.opcode in ("call", "invoke", "fence", "cmpxchg") and not _is_silent(i):
            break
    if first is None:
        return
    place = order.index(first)
    behind = [i for i in reversed(moved) if order.index(i) > place]
    for i in behind:
        order.remove(i)
    order[place:place] = behind
    block.is_stale = True


def _array(pointer: Value) -> Argument | None:
    """The parameter that an address is in the array of, if that is apart from all others."""
    while isinstance(pointer, Instruction) and pointer.opcode in ("getelementptr", "addrspacecast"):
        pointer = pointer.operands[0]
    return pointer if isinstance(pointer, Argument) and pointer.has("noalias") else None


def _is_silent(call: Instruction) -> bool:
    """Whether a call has nothing to do with memory, its own or that of threads it waits for."""
    return isinstance(call.callee, Function) and call.callee.attributes.value("memory") == "none"
