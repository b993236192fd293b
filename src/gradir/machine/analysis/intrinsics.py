"""What LLVM's own functions do with memory and with addresses: accesses by masks, and addresses that are handed on."""

from __future__ import annotations

from typing import NamedTuple

from gradir.machine.ir import Instruction, Value

__all__ = ["MaskedAccess", "handed_on", "masked_access", "reads_only"]

_READING = (
    *("llvm.masked.load.", "llvm.masked.gather.", "llvm.masked.expandload.", "llvm.vp.load.", "llvm.vp.gather."),
    *("llvm.ptrmask.", "llvm.threadlocal.address.", "llvm.objectsize.", "llvm.prefetch.", "llvm.stackrestore"),
    *("llvm.launder.invariant.", "llvm.strip.invariant.", "llvm.ptr.annotation."),
)


def reads_only(name: str) -> bool:
    """Whether it is one of LLVM's own functions that take pointers and write nothing."""
    return name.startswith(_READING)


class MaskedAccess(NamedTuple):
    """A load or a store (of `stored`) of those lanes of a vector that a mask tells."""

    pointer: Value
    """A pointer to the first lane, or a vector of pointers to each."""
    mask: Value
    stored: Value | None
    passthrough: Value | None
    """What the lanes of a load are that the mask leaves out."""


def masked_access(i: Instruction) -> MaskedAccess | None:
    """The access that a call of `llvm.masked.load` and its kind is."""
    name = i.callee_name if i.opcode == "call" else None
    if name is None or not name.startswith("llvm.masked."):
        return None
    what, arguments = name.split(".")[2], i.arguments
    if what in ("store", "scatter", "compressstore"):
        return MaskedAccess(arguments[1], arguments[-1], arguments[0], None)
    if what in ("load", "gather", "expandload"):
        return MaskedAccess(arguments[0], arguments[-2], None, arguments[-1])
    return None


_HANDING_ON = ("ptrmask", "launder.invariant", "strip.invariant", "ptr.annotation", "ssa.copy", "expect")


def handed_on(call: Instruction) -> list[Value] | None:
    """Of LLVM's functions that give a pointer (or an integer) that they are given, more or less: what they may give."""
    name = (call.callee_name or "").removeprefix("llvm.")
    if call.type.kind == "void" or call.type.is_float or name == call.callee_name:
        return None
    if name.startswith(_HANDING_ON):
        return call.arguments[:1]
    return call.arguments if name.startswith(("umin.", "umax.", "smin.", "smax.")) else None
