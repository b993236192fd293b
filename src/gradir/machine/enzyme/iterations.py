"""`__enzyme_iter(n, k)`: how many terms of a series a function takes, and how many more each derivative takes.

It stands for `n` where the function itself runs, for `n + k` in its derivative, and for `n + 2 k` in the derivative of
that: the derivative of a truncated series has lost a term.

While derivatives are made such a call is one of a function that nobody can look into, one for each order.
"""

from __future__ import annotations

from collections.abc import Callable, Collection

from gradir.errors import RequestError
from gradir.machine.ir import Function, Instruction, Module, Type
from gradir.machine.ir.text.reader import extend

__all__ = ["begin", "deepen", "finish"]

_NAME = "__enzyme_iter"
_OPAQUE = "iterations"


def begin(module: Module, name: str) -> None:
    """Let calls of `__enzyme_iter` be calls of the opaque function of order 0. `name` is the module's, for messages."""

    def of_order_0(caller: Function, call: Instruction) -> str | None:
        if _NAME not in (call.callee_name or ""):
            return None
        types = {call.type, *(a.type for a in call.arguments)}
        if len(call.arguments) != 2 or len(types) != 1 or not call.type.is_integer:
            raise RequestError(
                f"{_NAME} takes two integers and gives one of the same type",
                location=module.location(call) or f"{name}: in {caller.ref}",
                hint="declare it as size_t __enzyme_iter(size_t terms, size_t more_per_derivative)",
            )
        return _declared(module, call.type, 0)

    _rename(module, list(module.functions.values()), _NAME, of_order_0)


def deepen(module: Module, before: Collection[str]) -> None:
    """In the functions that were not there before, which are derivatives, count one order more."""

    def of_next_order(_: Function, call: Instruction) -> str | None:
        order = _order(call.callee_name)
        return None if order is None else _declared(module, call.type, order + 1)

    made = [function for name, function in module.functions.items() if name not in before]
    _rename(module, made, f"@{_OPAQUE}.", of_next_order)


def finish(module: Module) -> None:
    """Say what the opaque functions give."""
    for function in list(module.functions.values()):
        order = _order(function.name)
        if order is not None and function.is_declaration:
            type = function.result
            extend(
                module,
                f"define internal {type} {function.ref}({type} %n, {type} %k) alwaysinline nounwind {{\nentry:\n"
                f"  %more = mul {type} %k, {order}\n  %terms = add {type} %n, %more\n  ret {type} %terms\n}}",
            )


def _rename(
    module: Module, functions: list[Function], mark: str, renamed: Callable[[Function, Instruction], str | None]
) -> None:
    """Let calls, in functions that mention something, be calls of what `renamed` says."""
    for function in functions:
        if not function.is_declaration and function.may_hold(mark):
            for i in list(function.instructions()):
                if i.callee_name is not None and (other := renamed(function, i)) is not None:
                    i.set_operand(len(i.operands) - 1, module.globals[other])


def _declared(module: Module, type: Type, order: int) -> str:
    name = f"{_OPAQUE}.{order}.{type}"
    if name not in module.functions:
        said = 'nounwind willreturn memory(none) "enzyme_inactive"'
        extend(module, f"declare {type} @{name}({type}, {type}) {said}")
    return name


def _order(name: str | None) -> int | None:
    match (name or "").split("."):
        case [word, order, _] if word == _OPAQUE and order.isdigit():
            return int(order)
    return None
