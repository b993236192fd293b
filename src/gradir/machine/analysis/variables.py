"""Global variables: which functions change them, and what they use them for."""

from __future__ import annotations

from collections.abc import Iterator

from gradir.machine.ir import Function, Global, Instruction, Value

__all__ = ["holds_functions", "may_change"]


def may_change(function: Function, g: Global) -> bool:
    """Whether a function does anything with a variable but load from it.

    >>> from gradir.machine.ir.text.reader import read
    >>> module = read('''
    ... @v = global [2 x ptr] zeroinitializer
    ... define ptr @f(i64 %n) {
    ... entry:
    ...   %p = getelementptr ptr, ptr @v, i64 %n
    ...   %x = load ptr, ptr %p, align 8
    ...   ret ptr %x
    ... }
    ... define void @g(ptr %x) {
    ... entry:
    ...   store ptr %x, ptr @v, align 8
    ...   ret void
    ... }''')
    >>> [may_change(f, module.globals["v"]) for f in module.definitions]
    [False, True]
    """
    return any(i.opcode != "load" for i in _uses(function, g))


def holds_functions(function: Function, g: Global) -> bool:
    """Whether what a function loads from a variable is called, and nothing else."""
    loads = [i for i in _uses(function, g) if i.opcode == "load" and i.type.is_pointer]
    users = ((load, user) for load in loads for user in function.users.get(load, []))
    return all(user.opcode in ("call", "invoke") and user.callee is load for load, user in users)


def _uses(function: Function, g: Global) -> Iterator[Instruction]:
    """What works on a variable, by any address in it."""
    addresses: list[Value] = [g]
    for address in addresses:
        for i in _users(function, address):
            if i.opcode == "getelementptr":
                addresses.append(i)
            else:
                yield i


def _users(function: Function, address: Value) -> list[Instruction]:
    if isinstance(address, Global):
        return [i for i in function.instructions() if address.name in i.mentioned]
    return function.users.get(address, [])
