"""Whether what Rust's library shows is left as it is: it calls functions of the program to write text of objects."""

from __future__ import annotations

from gradir.machine.ir import Argument, Function, Instruction, Module, Value

__all__ = ["changing", "shows"]

_TRAITS = ("7Display3fmt", "5Debug3fmt", "8LowerExp3fmt", "8UpperExp3fmt", "8LowerHex3fmt", "6Binary3fmt")
_SHOWING = ("3fmt5write", "3fmt6format", "6_print", "7_eprint")
_FORMATTER = 1
"""The parameter of those functions that they may write to: after the object."""


def shows(name: str) -> bool:
    """Whether a function of the library shows what it is given, by functions that it finds there."""
    return name.startswith(("_R", "_ZN")) and any(part in name for part in _SHOWING)


def changing(module: Module) -> Function | None:
    """A function of the program that shows an object and changes something (by a `Cell`, say), if there is one."""
    showing = [f for f in module.definitions if any(trait in f.name for trait in _TRAITS)]
    return next((f for f in showing if _changes(module, f, frozenset([_FORMATTER]), set())), None)


def _changes(module: Module, function: Function, own: frozenset[int], seen: set[tuple[str, frozenset[int]]]) -> bool:
    """Whether a function writes memory that is neither its own, nor the text, nor what `own` parameters point to: by
    itself, or by functions that it calls."""
    if (function.name, own) in seen:
        return False
    seen.add((function.name, own))
    for i in function.instructions():
        if i.opcode in ("store", "atomicrmw", "cmpxchg"):
            if not _is_own(i.pointer, own):
                return True
        elif i.opcode in ("call", "invoke"):
            name = i.callee_name or ""
            if name.startswith(("llvm.memcpy.", "llvm.memmove.", "llvm.memset.")) and not _is_own(i.arguments[0], own):
                return True
            callee = module.functions.get(name)
            if callee is not None and not callee.is_declaration:
                handed = frozenset(n for n, a in enumerate(i.arguments) if _is_own(a, own))
                if _changes(module, callee, handed, seen):
                    return True
    return False


def _is_own(pointer: Value, own: frozenset[int]) -> bool:
    while isinstance(pointer, Instruction) and pointer.opcode == "getelementptr":
        pointer = pointer.operands[0]
    if isinstance(pointer, Argument):
        return pointer.index in own
    return isinstance(pointer, Instruction) and pointer.opcode == "alloca"
