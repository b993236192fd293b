"""Marks what the source reads and converts as integers (`analysis/bytes/typed_integers.py`), in a front end's IR."""

from __future__ import annotations

from gradir.machine.analysis.bytes.typed_integers import MARK
from gradir.machine.ir import Argument, Instruction, Module, Type, Value
from gradir.machine.ir.module import TYPED

__all__ = ["drop", "run"]


def run(module: Module) -> None:
    """Mark all loads and stores of integers, and conversions from them. Only for modules as they come from a language
    whose types hold, before LLVM's passes."""
    node = module.add_node("!{}")
    module.metadata[TYPED] = "!{}"
    for function in module.definitions:
        for i in function.instructions():
            if _takes_integer(i):
                i.metadata[MARK] = node


def drop(module: Module) -> None:
    """Take the marks back: the module is linked with code in a language whose types say less, and may be handed
    anything by that."""
    if module.metadata.pop(TYPED, None) is not None:
        for function in module.definitions:
            for i in function.instructions():
                i.metadata.pop(MARK, None)


def _takes_integer(i: Instruction) -> bool:
    match i.opcode:
        case "uitofp" | "sitofp":
            return True
        case "load" if _is_integer(i.type):
            return i.type.size <= _SMALL or _is_scalar(i)
        case "store" if _is_integer(i.value.type):
            return i.value.type.size <= _SMALL or _is_scalar(i.value)
    return False


_SMALL = 2
"""Bytes that no float of the language fits into."""

_MOVES = ("phi", "select", "freeze", "bitcast", "extractvalue", "extractelement", "ptrtoint")


def _is_integer(type: Type) -> bool:
    return type.is_integer and type.count > 1


def _is_scalar(value: Value) -> bool:
    """Whether a value is an integer in the source, and no small array of floats that is passed in the guise of one, nor
    a part of something that is moved piece by piece: of these nobody says that all their bytes are defined."""
    if isinstance(value, Argument):
        return value.has("noundef")
    if not isinstance(value, Instruction):
        return True
    if value.opcode in ("call", "invoke"):
        name = value.callee_name or ""
        return name.startswith("llvm.") or "noundef" in str(value.info["result_attributes"]).split()
    return "noundef" in value.metadata if value.opcode == "load" else value.opcode not in _MOVES
