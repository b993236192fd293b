"""Whether strings of the C++ library are used for text alone, and not for the bytes of numbers.

Bytes that members of `std::string` read, write or keep are nobody's derivative. So where bytes of floats may go in, or
come out as floats, strings are to be looked into like any other memory.
"""

from __future__ import annotations

from collections.abc import Iterator

from gradir.machine.analysis.bytes.contents import DECLARED, Cell, Object
from gradir.machine.analysis.bytes.evidence import Evidence
from gradir.machine.analysis.bytes.resolution import fields_over
from gradir.machine.analysis.bytes.types import TypeAnalysis
from gradir.machine.ir import Function, Instruction, Module, Value
from gradir.machine.rules.texts import OPAQUE, is_member, takes_string

__all__ = ["keeps_numbers"]


def keeps_numbers(module: Module, types: TypeAnalysis) -> Instruction | None:
    """A call by which bytes of floats may be kept in a string, or taken from one, if there is any.

    Strings are those whose members are called, and have no body here.
    """
    members = {f.name: f for f in module.functions_saying(OPAQUE) if is_member(f.name)}
    calls = list(_calls(module, members)) if members else []
    if not calls:
        return None
    facts = types.facts
    of_floats = _bytes_of_floats(facts)
    return next((i for i in calls if _handles_floats(facts, i, members[i.callee_name or ""], of_floats)), None)


def _calls(module: Module, members: dict[str, Function]) -> Iterator[Instruction]:
    calling = (f for f in module.definitions if any(name in members for name in f.mentioned))
    instructions = (i for f in calling for i in f.instructions())
    return (i for i in instructions if i.opcode in ("call", "invoke") and i.callee_name in members)


def _handles_floats(facts: Evidence, call: Instruction, member: Function, of_floats: set[Cell]) -> bool:
    """Whether what a member is handed as characters may be a float's bytes, or what it gives is read as floats."""
    gives_struct = bool(member.arguments) and member.arguments[0].has("sret")
    objects = 1 + gives_struct + takes_string(member.name)
    for a in call.arguments[objects:]:
        if a.type.is_pointer and _points_to_float(facts, a):
            return True
        if (cell := facts.cells.get(a)) is not None and cell.find() in of_floats:
            return True
    return call.type.is_pointer and _leads_to_floats(facts, call, of_floats)


def _points_to_float(facts: Evidence, pointer: Value) -> bool:
    return any(_is_float(cell) for *_, cell in facts.fields_over(pointer, 1))


def _leads_to_floats(facts: Evidence, pointer: Value, of_floats: set[Cell]) -> bool:
    target = facts.target(pointer)
    cells = facts.memory.settle(target).fields.values() if target is not None else ()
    return any(_is_float(cell) or cell.find() in of_floats for cell in cells)


def _bytes_of_floats(facts: Evidence) -> set[Cell]:
    """The cells of single bytes that lie where floats are as well."""
    return {cell for obj in facts.memory.roots.values() for cell in _bytes_in(obj)}


def _bytes_in(obj: Object) -> Iterator[Cell]:
    bytes = [(key, cell) for key, cell in obj.fields.items() if key[3] == 1]
    if bytes and any(map(_is_float, obj.fields.values())):
        for (start, step, mixed, size), cell in bytes:
            if any(_is_float(other) for *_, other in fields_over(obj, (start, step, mixed), size)):
                yield cell.find()


def _is_float(cell: Cell) -> bool:
    return any(kind.is_float and claim[0] >= DECLARED for kind, claim in cell.find().claims.items())
