"""Words that are only moved, and that may be floats or addresses from object to object, are copied by `memcpy`.

A register has to be one or the other; of a copy, what lies in the shadow tells at run time. Compilers move the members
of `std::function`, of tuples and of vectors of pairs in words, and the same words move another object's numbers.
"""

from __future__ import annotations

from gradir.machine.analysis.types import Kind, TypeAnalysis
from gradir.machine.ir import I1, I8, I64, VOID, Constant, Instruction, Module, Value, array
from gradir.machine.ir.instructions import alloca, call, constant, located
from gradir.machine.ir.reader import extend

__all__ = ["run"]

_COPY = "llvm.memcpy.p0.p0.i64"


def run(module: Module, types: TypeAnalysis) -> bool:
    """Copy words of unknown kind. Whether there were any."""
    found = []
    for function in module.definitions:
        if function.may_hold("load i64"):
            known = types.of(function)
            found += [
                i
                for i in function.instructions()
                if i.opcode == "load" and i.type == I64 and not i.flags and _is_only_stored(i)
                if known.value(i) is Kind.unknown and known.memory(i.pointer, 0, 8) is Kind.unknown
            ]
    if found and _COPY not in module.functions:
        extend(module, f"declare void @{_COPY}(ptr, ptr, i64, i1)")
    for i in found:
        _copy(module, i)
    return bool(found)


def _is_only_stored(i: Instruction) -> bool:
    users = i.block.function.users.get(i, [])
    return bool(users) and all(u.opcode == "store" and u.value is i and not u.flags for u in users)


def _copy(module: Module, word: Instruction) -> None:
    function = word.block.function
    kept = alloca(array(8, I8), 8, "word")
    function.entry.insert(0, kept)
    for user in list(function.users.get(word, ())):
        user.insert_before(located(_copied(module, user.pointer, kept, user.align, 8), user))
        user.erase()
    word.insert_before(located(_copied(module, kept, word.pointer, 8, word.align), word))
    word.erase()


def _copied(module: Module, to: Value, source: Value, *aligned: int) -> Instruction:
    made = call(VOID, module.globals[_COPY], [to, source, constant(I64, 8), Constant(I1, "false")])
    made.info["argument_attributes"] = [*(f"align {n}" for n in aligned), "", ""]
    return made
