"""A copy of a function, that is seen in its module alone."""

from __future__ import annotations

from collections.abc import Mapping

from gradir.machine.ir import Function, Module
from gradir.machine.ir.text.printer import print_function
from gradir.machine.ir.text.reader import extend
from gradir.machine.ir.text.tokens import renamed

__all__ = ["copied", "forget_description"]


def copied(module: Module, function: Function, names: Mapping[str, str]) -> Function:
    """A copy of a function, in which functions have other names: `names` has its own at least."""
    refs = {f'@"{name}"': f'@"{other}"' for name, other in names.items()}
    refs |= {f"@{name}": f'@"{other}"' for name, other in names.items()}
    extend(module, renamed(print_function(function), lambda ref: refs.get(ref, ref)))
    made = module.functions[names[function.name]]
    made.signature.linkage = "internal"
    made.signature.trailing.pop("comdat", None)
    return made


def forget_description(function: Function) -> None:
    """What debuggers are told of a function is of that one alone."""
    function.signature.metadata.pop("dbg", None)
    for i in function.instructions():
        i.records.clear()
        i.metadata.pop("DIAssignID", None)
