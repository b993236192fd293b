"""Structs passed by value: the callee's own copy, made in plain sight.

A `byval` parameter is a pointer to a copy that the call makes. Derivatives take such a parameter as a plain pointer, so
the copy is written out at the begin of the function, where it has a derivative like any other copy.
"""

from __future__ import annotations

from gradir.machine.analysis.bytes.declared import COPIED
from gradir.machine.ir import I1, I64, PTR, VOID, Argument, Constant, Function, Global, Module
from gradir.machine.ir.attributes import Attributes
from gradir.machine.ir.instructions import alloca, call, constant
from gradir.machine.ir.text.reader import extend

__all__ = ["run"]

_COPY = "llvm.memcpy.p0.p0.i64"


def run(module: Module) -> None:
    """Write the copies of `byval` parameters as instructions of the functions that have them."""
    for function in module.functions_saying("byval("):
        for argument in list(function.arguments):
            if argument.has("byval") and not function.is_declaration:
                _copy(module, function, argument)


def _copy(module: Module, function: Function, argument: Argument) -> None:
    type = module.types.parse(argument.attributes.value("byval") or "")
    align = int(argument.attributes.value("align") or type.align)
    given = Argument(PTR, function.fresh(f"{argument.name}.given"), argument.index, Attributes(f'"{COPIED}"'))
    function.arguments[argument.index] = given
    own = alloca(type, align)
    if argument.name.isdigit():  # numbers are in the order of the text
        argument.ref = function.fresh("own")
    own.ref = argument.ref
    copied = call(VOID, _memcpy(module), [own, given, constant(I64, type.size), Constant(I1, "false")])
    for user in list(function.users.get(argument, ())):
        user.replace_operand(argument, own)
    function.entry.insert(0, own, copied)


def _memcpy(module: Module) -> Global:
    if _COPY not in module.functions:
        extend(module, f"declare void @{_COPY}(ptr, ptr, i64, i1)")
    return module.globals[_COPY]
