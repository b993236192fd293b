"""Allocators whose address is taken, `ops.get = malloc`: functions of the program's own that call them.

Who calls by an address calls functions with bodies, of which there are derivatives. What is compared to the address may
be either function: others know the library's own.
"""

from __future__ import annotations

from gradir.machine.ir import VOID, Constant, Function, Global, Instruction, Module, Value
from gradir.machine.ir.builder import Code
from gradir.machine.ir.instructions import binary, compare, located
from gradir.machine.ir.text.reader import extend
from gradir.machine.ir.text.tokens import global_names, renamed
from gradir.machine.rules.known import known

__all__ = ["run"]

_KINDS = ("allocate", "zero_allocate", "reallocate", "free")


def run(module: Module) -> None:
    """Have such functions call what allocates and frees, wherever that is not called itself.

    >>> from gradir.machine.ir.text.reader import read
    >>> module = read('''@get = global ptr @malloc
    ... declare noalias ptr @malloc(i64)''')
    >>> run(module)
    >>> module.globals["get"].initializer
    '@gradir.own.malloc'
    """
    for function in [f for f in module.functions.values() if f.is_declaration and _allocates(f)]:
        users = [f for f in module.definitions if f.may_hold(function.ref)]
        places = [(i, n) for f in users for i in f.instructions() for n in _mentions(i, function.name)]
        variables = [g for g in module.variables if function.name in global_names(g.initializer or "")]
        if not places and not variables:
            continue
        own = f"gradir.own.{function.name}"
        _define(module, function, own)
        for i, n in places:
            if i.opcode == "icmp":
                _compare_with_both(i, n, _other(i.operands[n], function, own))
            else:
                i.set_operand(n, _other(i.operands[n], function, own))
        for g in variables:
            g.parts.initializer = _with_other(g.initializer or "", function, own)


def _allocates(function: Function) -> bool:
    found = None if function.variadic else known(function.name, function)
    return found is not None and found.kind in _KINDS and not function.name.startswith("llvm.")


def _mentions(i: Instruction, name: str) -> list[int]:
    """The operands, but for what is called, that mention a function."""
    operands = i.arguments if i.opcode in ("call", "invoke") else i.operands
    return [n for n, operand in enumerate(operands) if name in _names(operand)]


def _names(value: Value) -> tuple[str, ...]:
    if isinstance(value, Constant):
        return value.globals
    return (value.name,) if isinstance(value, Global) else ()


def _other(value: Value, function: Function, own: str) -> Constant:
    ref = _with_other(value.ref, function, own)
    return Constant(value.type, ref, tuple(global_names(ref)))


def _with_other(text: str, function: Function, own: str) -> str:
    return renamed(text, lambda ref: f"@{own}" if ref == function.ref else ref)


def _compare_with_both(i: Instruction, n: int, other: Value) -> None:
    """Of two comparisons for equality one is enough; whatever else is asked of addresses is not known."""
    predicate, operands = str(i.info["predicate"]), list(i.operands)
    if predicate not in ("eq", "ne"):
        return
    operands[n] = other
    a, b = operands
    second = located(compare(predicate, a, b, "own"), i)
    i.insert_after(second)
    both = located(binary("or" if predicate == "eq" else "and", i, second), i)
    users = list(i.block.function.users.get(i, ()))
    second.insert_after(both)
    for user in users:
        user.replace_operand(i, both)


def _define(module: Module, function: Function, own: str) -> None:
    parameters = [(a.type, "x") for a in function.arguments]
    attributes = "nounwind" if function.has("nounwind") else ""
    code = Code(own, function.result, parameters, linkage="internal", attributes=attributes)
    given = code.call(function.result, function.name, *code.parameters)
    code.ret(None if function.result == VOID else given)
    extend(module, code.text())
