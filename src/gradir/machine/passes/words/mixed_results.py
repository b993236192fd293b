"""Functions that give pointers and floats in one piece, `{ ptr, double }`, leave them in memory of their caller.

Compilers return small structs in registers, and so do the augmented functions that a derivative is made of again. In
registers the derivative of a struct has room for the floats, in its shadow for the pointers; memory has room for both.
"""

from __future__ import annotations

from gradir.machine.ir import PTR, VOID, Argument, Constant, Function, Instruction, Module, Type, Value
from gradir.machine.ir.attributes import Attributes
from gradir.machine.ir.graphs import direct_calls
from gradir.machine.ir.instructions import (
    add_offset,
    alloca,
    call,
    extract_value,
    insert_value,
    load,
    located,
    ret,
    store,
)
from gradir.machine.ir.types import leaves

__all__ = ["run"]

_CONVENTIONS = ("fastcc", "coldcc", "tailcc")


def run(module: Module) -> None:
    """Change such functions, and all calls of them, where these can be seen."""
    for function in [f for f in module.definitions if f.result.is_aggregate and _is_internal(f)]:
        if function.result.holds_pointer and function.result.holds_float:
            calls = direct_calls(module, function)
            if calls is not None and not function.variadic and all(map(_is_plain, calls)):
                type, place = function.result, _take_place(function)
                for i in calls:
                    _call(function, i)
                for i in [b.terminator for b in function.blocks if b.terminator.opcode == "ret"]:
                    _leave(i, type, place)


def _is_internal(function: Function) -> bool:
    return function.signature.linkage in ("internal", "private")


def _is_plain(i: Instruction) -> bool:
    """Whether a call can be written anew."""
    said: list[str] = i.info["argument_attributes"]  # type: ignore[assignment]
    passed = {word.partition("(")[0] for text in said for word in text.split()}
    return not passed & {"byval", "sret", "inalloca", "inreg", "nest"} and "musttail" not in i.pieces[0]


def _parts(type: Type) -> list[tuple[tuple[int, ...], int]]:
    return leaves(type, lambda part: not part.is_aggregate)


def _take_place(function: Function) -> Argument:
    place = Argument(PTR, function.fresh("result"), len(function.arguments), Attributes("noalias"))
    said = function.signature
    for a in function.arguments:
        a.attributes.remove("returned")
    said.arguments.append(place)
    said.result, said.result_attributes = VOID, Attributes()
    said.words = [word for word in said.words if word not in _CONVENTIONS]  # as those who call it are written anew
    said.attributes.remove("memory")  # it writes there, now
    return place


def _leave(i: Instruction, type: Type, place: Argument) -> None:
    [value] = i.operands
    for path, offset in _parts(type):
        part = _before(i, extract_value(value, path, "part"))
        at = _before(i, add_offset(place, offset, "at")) if offset else place
        _before(i, store(part, at, type.at(path).align))
    _before(i, ret(None))
    i.erase()


def _call(function: Function, i: Instruction) -> None:
    """The call, with a place for what is given; who takes a part of that reads it there."""
    type, caller = i.type, i.block.function
    place = alloca(type, type.align, "given")
    caller.entry.insert(0, place)
    _before(i, call(VOID, i.callee, [*i.arguments, place]))
    whole: Value = Constant(type, "poison")
    parts = {}
    for path, offset in _parts(type):
        at = _before(i, add_offset(place, offset, "at")) if offset else place
        parts[path] = _before(i, load(type.at(path), at, type.at(path).align, "part"))
    for user in list(caller.users.get(i, ())):
        if user.opcode == "extractvalue" and user.indices in parts:
            user.erase(parts[user.indices])
    if caller.users.get(i):
        for path, part in parts.items():
            whole = _before(i, insert_value(whole, part, path, "whole"))
    i.erase(whole)


def _before(i: Instruction, made: Instruction) -> Instruction:
    i.insert_before(located(made, i))
    return made
