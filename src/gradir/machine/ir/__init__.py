"""LLVM IR as Python objects, with its reader: the only floor that knows LLVM's text."""

from gradir.machine.ir.model import (
    Argument,
    Block,
    Constant,
    DebugRecord,
    Function,
    Global,
    Instruction,
    Signature,
    Value,
    Variable,
    is_null,
)
from gradir.machine.ir.module import Module
from gradir.machine.ir.types import DOUBLE, I1, I8, I32, I64, PTR, VOID, Type, array, integer, struct, vector

__all__ = [
    "DOUBLE",
    "I1",
    "I8",
    "I32",
    "I64",
    "PTR",
    "VOID",
    "Argument",
    "Block",
    "Constant",
    "DebugRecord",
    "Function",
    "Global",
    "Instruction",
    "Module",
    "Signature",
    "Type",
    "Value",
    "Variable",
    "array",
    "integer",
    "is_null",
    "struct",
    "vector",
]
