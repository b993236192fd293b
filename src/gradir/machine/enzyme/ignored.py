"""`__enzyme_ignore_derivatives(x)`: x, as a constant.

While derivatives are made it is a function that nobody can look into, and that carries no derivative.
"""

from __future__ import annotations

from gradir.errors import RequestError
from gradir.machine.ir import Function, Module
from gradir.machine.ir.text.reader import extend

__all__ = ["NAME", "begin", "finish", "shut"]

NAME = "__enzyme_ignore_derivatives"


def begin(module: Module, name: str) -> None:
    """Say what is known of the functions. `name` is the module's, for messages."""
    for function in _declared(module):
        types = [a.type for a in function.arguments]
        if function.variadic or types != [function.result] or function.result.holds_pointer:
            raise RequestError(
                f"{function.ref} takes a number, and gives one of the same type",
                location=name,
                hint=f"declare it as double {NAME}(double)",
            )
        function.attributes.add('nounwind willreturn memory(none) "enzyme_inactive"')


def finish(module: Module) -> None:
    """Let each give what it takes."""
    _define(module, "alwaysinline nounwind")


def shut(module: Module, name: str) -> None:
    """Let each give what it takes in a way that LLVM does not look at: where derivatives are made when asked for."""
    begin(module, name)
    _define(module, 'noinline optnone nounwind willreturn memory(none) "enzyme_inactive"')


def _define(module: Module, attributes: str) -> None:
    for function in _declared(module):
        type = function.result
        head = f"define internal {type} {function.ref}({type} %x) {attributes}"
        extend(module, f"{head} {{\nentry:\n  ret {type} %x\n}}")


def _declared(module: Module) -> list[Function]:
    return [f for f in module.functions.values() if f.is_declaration and NAME in f.name]
