"""Atomic exchanges of floats, done step by step where one thread runs.

`std::atomic<double>` adds by a loop that tries until nobody came between (`cmpxchg`). What an exchange has for a
derivative depends on whether it took place; written as a load, a comparison and a store, that is known. In programs of
several threads exchanges stay as they are (`passes/parallel/updates.py` knows those of OpenMP), and are refused.
"""

from __future__ import annotations

from gradir.machine.analysis.bytes.types import TypeAnalysis
from gradir.machine.ir import Instruction, Module
from gradir.machine.ir.instructions import equals, load, located, select, store
from gradir.machine.passes.parallel.teams import is_team

__all__ = ["run"]


def run(module: Module, types: TypeAnalysis) -> bool:
    """Write exchanges of floats step by step. Whether there were any."""
    if any(map(is_team, module.functions)):
        return False
    found = [
        i
        for function in module.definitions
        if function.may_hold("cmpxchg ")
        for i in function.instructions()
        if i.opcode == "cmpxchg" and _is_of_floats(i, types) and _is_taken_apart(i)
    ]
    for i in found:
        _write(i)
    return bool(found)


def _is_of_floats(i: Instruction, types: TypeAnalysis) -> bool:
    return types.of(i.block.function).memory(i.pointer, 0, i.operands[1].type.size).is_float


def _is_taken_apart(i: Instruction) -> bool:
    """Whether what was there, and whether it took place, are asked for one by one (`passes/words/aggregates.py`)."""
    return all(user.opcode == "extractvalue" for user in i.block.function.users.get(i, ()))


def _write(i: Instruction) -> None:
    pointer, expected, new = i.operands
    before = located(load(new.type, pointer, i.align, "before"), i)
    same = located(equals(before, expected, "same"), i)
    after = located(select(same, new, before, "after"), i)
    i.insert_before(before, same, after, located(store(after, pointer, i.align), i))
    for user in list(i.block.function.users.get(i, ())):
        user.erase(before if user.indices == (0,) else same)
    i.erase()
