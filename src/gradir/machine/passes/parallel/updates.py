"""Atomic updates of floats in OpenMP's programs, in a form that has a derivative.

A compiler writes `#pragma omp atomic` as an atomic addition, or for other operations as a loop that tries until nobody
came between (`cmpxchg`). A loop that adds becomes an addition. If there are others, if the result of an addition is
used, or if floats are read or written by atomics, what a thread finds depends on the order of the threads: then all of
them are done under one lock, whose turns are noted and undone in the opposite order (`transform/parallel/teams.py`).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from gradir.machine.ir import I1, I32, VOID, Constant, Function, Instruction, Module, Type, Value
from gradir.machine.ir.instructions import atomic_add, binary, call, load, store
from gradir.machine.ir.text.reader import extend
from gradir.machine.passes.parallel.teams import IDENT, declare_runtime

__all__ = ["run"]

_LOCK = "gradir.atomic.lock"


class _Loop(NamedTuple):
    """A loop that tries to put a new value in the place of the one that it has read."""

    read: Instruction
    """The first read, before the loop."""
    held: Instruction
    """What was read last, a phi."""
    number: Instruction
    """It as a float."""
    exchange: Instruction


def run(module: Module) -> None:
    """Write atomic updates of floats as additions, or if some are none, all under a lock."""
    if not any(name.startswith("__kmpc_") for name in module.functions):
        return
    for function in module.definitions:
        for loop in _loops(function):
            _add_at_once(loop)
    if any(_needs_lock(function) for function in module.definitions):
        declare_runtime(module)
        extend(module, f"@{_LOCK} = internal global [8 x i32] zeroinitializer, align 8")
        for function in module.definitions:
            for loop in _loops(function):
                _lock_loop(module, loop)
            for i in [i for i in function.instructions() if _is_update(i) or _is_access(i)]:
                _lock_one(module, i)


def _loops(function: Function) -> list[_Loop]:
    if not function.may_hold("cmpxchg"):
        return []
    return [found for i in function.instructions() if (found := _loop(i)) is not None]


def _loop(exchange: Instruction) -> _Loop | None:
    if exchange.opcode != "cmpxchg":
        return None
    users, held = exchange.block.function.users, exchange.operands[1]
    if not isinstance(held, Instruction) or held.opcode != "phi" or len(held.incoming) != 2:
        return None
    before = [v for v, b in held.incoming if b is not exchange.block]
    numbers = [u for u in users.get(held, []) if u.opcode == "bitcast" and u.type.kind == "float"]
    taken = [u.opcode for u in users.get(exchange, [])]
    if len(before) != 1 or len(numbers) != 1 or set(taken) != {"extractvalue"}:
        return None
    [read], [number] = before, numbers
    if not isinstance(read, Instruction) or read.opcode != "load" or read.pointer is not exchange.pointer:
        return None
    return _Loop(read, held, number, exchange)


def _add_at_once(loop: _Loop) -> None:
    """If all that the loop does is to add something, and nobody asks for what was there."""
    users, block = loop.number.block.function.users, loop.exchange.block
    adds = users.get(loop.number, [])
    if len(adds) != 1 or adds[0].opcode != "fadd" or len(users.get(adds[0], [])) != 1:
        return
    [cast] = users[adds[0]]
    others = [o for o in adds[0].operands if o is not loop.number]
    if cast.opcode != "bitcast" or loop.exchange.operands[2] is not cast or len(others) != 1:
        return
    if isinstance(others[0], Instruction) and others[0].block is block:
        return
    if any(u.block is not block for i in (loop.held, *users[loop.exchange]) for u in users.get(i, [])):
        return
    loop.exchange.insert_before(atomic_add(loop.exchange.pointer, others[0]))
    _leave(loop)


def _lock_loop(module: Module, loop: _Loop) -> None:
    _begin(module, loop.read)
    plain = load(loop.read.type, loop.read.pointer, loop.read.align)
    loop.read.insert_before(plain)
    loop.read.erase(plain)
    loop.exchange.insert_before(store(loop.exchange.operands[2], loop.exchange.pointer, loop.exchange.align))
    _end(module, loop.exchange)
    _leave(loop)


def _leave(loop: _Loop) -> None:
    """The loop is done in its first turn."""
    for taken in list(loop.exchange.block.function.users[loop.exchange]):
        first: Value = loop.held
        taken.erase(first if taken.indices == (0,) else Constant(I1, "true"))
    loop.exchange.erase()


def _needs_lock(function: Function) -> bool:
    if _loops(function):
        return True
    return any(
        _is_access(i) or (_is_update(i) and function.users.get(i))
        for i in (function.instructions() if function.may_hold(" atomic") or function.may_hold("atomicrmw") else ())
    )


def _is_update(i: Instruction) -> bool:
    return i.opcode == "atomicrmw" and i.operands[1].type.kind == "float" and i.info["operation"] in ("fadd", "fsub")


def _is_access(i: Instruction) -> bool:
    """Whether a float is read or written by an atomic, perhaps in the guise of an integer."""
    if i.opcode not in ("load", "store") or "atomic" not in i.flags:
        return False
    type: Type = i.accessed_type
    if type.kind == "float" or i.opcode == "store":
        return type.kind == "float" or (isinstance(i.value, Instruction) and i.value.opcode == "bitcast")
    users = i.block.function.users.get(i, [])
    return bool(users) and all(u.opcode == "bitcast" for u in users)


def _lock_one(module: Module, i: Instruction) -> None:
    _begin(module, i)
    if i.opcode == "store":
        i.insert_before(store(i.value, i.pointer, i.align))
    else:
        plain = load(i.type, i.pointer, i.align)
        i.insert_before(plain)
        if i.opcode == "atomicrmw":
            changed = binary(str(i.info["operation"]), plain, i.operands[1])
            i.insert_before(changed, store(changed, i.pointer, i.align))
        i.replace_uses(plain)
    _end(module, i)
    i.erase()


def _begin(module: Module, i: Instruction) -> None:
    i.insert_before(*_meeting(module, "__kmpc_critical"))


def _end(module: Module, i: Instruction) -> None:
    i.insert_before(*_meeting(module, "__kmpc_end_critical"))


def _meeting(module: Module, name: str) -> Iterator[Instruction]:
    place, lock = module.globals[IDENT[1:]], module.globals[_LOCK]
    thread = call(I32, module.globals["__kmpc_global_thread_num"], [place])
    yield thread
    yield call(VOID, module.globals[name], [place, thread, lock])
