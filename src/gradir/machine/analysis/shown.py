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
    return next((f for f in showing if any(map(_changes, f.instructions()))), None)


def _changes(i: Instruction) -> bool:
    """Whether memory is written that is neither the function's own nor the text."""
    if i.opcode not in ("store", "atomicrmw", "cmpxchg"):
        return False
    root: Value = i.pointer
    while isinstance(root, Instruction) and root.opcode == "getelementptr":
        root = root.operands[0]
    if isinstance(root, Argument):
        return root.index != _FORMATTER
    return not isinstance(root, Instruction) or root.opcode != "alloca"
