"""What exceptions say of themselves (`e.what()`): a virtual function that has no part in any derivative.

Whatever class the exception is of, its text is made of its members, and nothing of it flows back into numbers. So the
call becomes one of a function that is known to read alone.
"""

from __future__ import annotations

from gradir.machine.ir import PTR, Constant, Function, Instruction, Module, Value
from gradir.machine.ir.instructions import call, located
from gradir.machine.ir.text.reader import extend
from gradir.machine.ir.text.tokens import global_names

__all__ = ["DECLARED", "WHAT", "run"]

WHAT = "gradir.what"
DECLARED = f"declare ptr @{WHAT}(ptr)"
_SLOT = 16
"""Bytes into a table of virtual functions: two destructors stand before."""


def run(module: Module) -> bool:
    """Let calls of `what` by what handlers have caught be such calls, where no other function can be meant. Whether
    there are any."""
    brought_along = [f for f in module.definitions if f.name.startswith("gradir") and f.name.endswith(".what")]
    for own in brought_along:  # by a derivative
        own.become_declaration()
    there = [f for f in module.definitions if f.may_hold("__cxa_begin_catch")]
    found = [i for f in there for i in f.instructions() if _asks(i)]
    if not found or not all(_only_says(f) for f in _virtual(module) if _fits(f)):
        return False
    if WHAT not in module.functions:
        extend(module, DECLARED)
    for i in found:
        made = located(call(PTR, module.globals[WHAT], i.arguments), i)
        i.insert_before(made)
        i.erase(made)
    return True


def _asks(i: Instruction) -> bool:
    """Whether an instruction calls the third virtual function of a caught exception, which gives a pointer."""
    if i.opcode != "call" or i.callee_name is not None or not i.type.is_pointer or len(i.arguments) != 1:
        return False
    [exception] = i.arguments
    entry = _loaded_from(i.callee)
    if not isinstance(entry, Instruction) or entry.opcode != "getelementptr" or len(entry.operands) != 2:
        return False
    index, size = entry.operands[1], entry.accessed_type.size
    at = index.integer * size if isinstance(index, Constant) and index.integer is not None else 0
    caught = isinstance(exception, Instruction) and exception.callee_name == "__cxa_begin_catch"
    return caught and at == _SLOT and _loaded_from(entry.pointer) is exception


def _loaded_from(value: Value) -> Value | None:
    return value.pointer if isinstance(value, Instruction) and value.opcode == "load" else None


def _virtual(module: Module) -> list[Function]:
    """The functions in the tables of all classes."""
    tables = (g for g in module.variables if g.name.startswith("_ZTV"))
    names = dict.fromkeys(name for g in tables for name in global_names(g.initializer or ""))
    return [module.functions[name] for name in names if name in module.functions]


def _fits(function: Function) -> bool:
    return function.result.is_pointer and [a.type.is_pointer for a in function.arguments] == [True]


def _only_says(function: Function) -> bool:
    """Whether it is a `what` that changes nothing."""
    if not function.name.startswith("_ZNK") or not function.name.endswith("4whatEv"):
        return False
    return function.is_declaration or not any(_may_write(i) for i in function.instructions())


def _may_write(i: Instruction) -> bool:
    if i.opcode == "store":
        return not (isinstance(i.pointer, Instruction) and i.pointer.opcode == "alloca")
    reads = i.opcode in ("call", "invoke") and (i.callee_name or "").startswith(("llvm.", "_ZNKSt"))
    return i.opcode in ("call", "invoke", "atomicrmw", "cmpxchg") and not reads
