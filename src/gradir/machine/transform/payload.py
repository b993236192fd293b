"""What exceptions carry: the shadow of an object that is thrown, found again where it is caught.

The runtime hands an exception from `throw` to `catch`, and knows nothing of shadows. So the memory of the object is
made longer, and pointers to its shadows are kept behind the object. A handler finds them there, since the object itself
follows the head by which a landing pad knows an exception.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from gradir.machine.analysis.activity import carried_float
from gradir.machine.analysis.types import FunctionTypes, TypeAnalysis
from gradir.machine.ir import I64, PTR, Constant, Function, Global, Instruction, Module, Value
from gradir.machine.ir.builder import Expr
from gradir.machine.transform.frame import render_call

if TYPE_CHECKING:
    from gradir.machine.transform.frame import Frame
    from gradir.machine.transform.repeat import Repeat

__all__ = ["carries_floats", "check", "is_allocation", "is_handler", "shadow_of_caught", "shadow_of_thrown"]

_HEAD = 32
"""Bytes of the head before the object (`_Unwind_Exception`, the same wherever pointers have 8 bytes)."""
_ROOM = 1024
"""At this byte of the object's memory are the pointers to its shadows."""


def is_allocation(i: Instruction) -> bool:
    return i.callee_name == "__cxa_allocate_exception"


def is_handler(i: Instruction) -> bool:
    return i.callee_name in ("__cxa_begin_catch", "__cxa_get_exception_ptr")


def carries_floats(module: Module, types: TypeAnalysis) -> bool:
    """Whether an exception that is thrown or caught anywhere in a module may hold floats, or pointers to such."""
    there = [f for f in module.functions.values() if f.may_hold("__cxa_")]
    return any(_touches_floats(f, i, types) for f in there for i in f.instructions() if _is_source(i))


def _is_source(i: Instruction) -> bool:
    return i.opcode in ("call", "invoke") and (is_allocation(i) or is_handler(i))


def _touches_floats(function: Function, source: Instruction, types: TypeAnalysis) -> bool:
    known = types.of(function)
    addresses = _addresses(function, source)
    return any(_holds_floats(user, value, known) for value in addresses for user in function.users.get(value, []))


def _addresses(function: Function, source: Instruction) -> list[Instruction]:
    """The pointers into an object, as far as they stay in registers."""
    found = [source]
    for value in found:
        for user in function.users.get(value, []):
            if user.type.is_pointer and user.opcode not in ("load", "call", "invoke") and user not in found:
                found.append(user)
    return found


def _holds_floats(user: Instruction, pointer: Value, types: FunctionTypes) -> bool:
    """Whether an instruction shows that there may be floats where a pointer points to that it uses."""
    match user.opcode:
        case "load":
            return carried_float(user, types) is not None
        case "store":
            if user.value.type.holds_pointer:  # what it points to may hold floats, but a table of functions doesn't
                return user.value is pointer or not isinstance(user.value, (Constant, Global))
            return carried_float(user.value, types) is not None
        case "call" | "invoke":  # the runtime and constructors of the library's own exceptions put none there
            runtime = ("__cxa_", "llvm.lifetime", "_ZNSt", "_ZNKSt", "_ZSt")
            return not (user.callee_name or "").startswith(runtime) and types.may_hold_floats(pointer)
    return False


# -- shadows ----------------------------------------------------------------------------------------------------------


def shadow_of_thrown(repeat: Repeat, i: Instruction, *, lasting: bool) -> list[Expr]:
    """Write the allocation of an exception, with a shadow: one that lasts is not freed with the exception."""
    frame, code = repeat.frame, repeat.code
    size = i.arguments[0].integer if isinstance(i.arguments[0], Constant) else None
    if size is None or size > _ROOM:
        raise frame.refuse(
            i,
            f"an exception of more than {_ROOM} bytes carries derivatives, or one of a derivative carries them again",
            "throw a smaller object; of a derivative, carry numbers by other means than exceptions",
        )
    n, room = frame.shadows.pointers, -(-size * frame.shadows.scale // 16) * 16
    first = _ROOM + -(-n // 2) * 16
    total = first + (0 if lasting else n * room)
    given = i.arguments[0]
    repeat.write_call(i, render_call(i, i.render(i.ref, lambda v: str(total) if v is given else v.ref)))
    object = Expr(code, PTR, i.ref)
    made = []
    for k in range(n):
        if lasting:
            frame.program.declare("declare noalias ptr @malloc(i64)")
            made.append(code.emit(PTR, f"call noalias ptr @malloc(i64 {room})", "shadow"))
        else:
            made.append(code.offset(object, first + k * room))
        code.clear(made[k], code.constant(I64, room))
        code.store(made[k], code.offset(object, _ROOM + 8 * k))
    return made


def shadow_of_caught(repeat: Repeat, i: Instruction) -> list[Expr]:
    """The shadows of what a handler has caught: as far into each shadow as that is into the object."""
    code, shadows = repeat.code, repeat.frame.shadows
    object = code.offset(Expr(code, PTR, i.arguments[0].ref), _HEAD)
    caught, begin = (code.emit(I64, f"ptrtoint {p} to i64") for p in (Expr(code, PTR, i.ref), object))
    into = (caught - begin) * shadows.scale
    at = [code.offset(object, _ROOM + 8 * k) for k in range(shadows.pointers)]
    return [code.offset(code.load(PTR, p), into) for p in at]


def check(frame: Frame) -> None:
    """Refuse what is not known of exceptions that carry derivatives."""
    if not frame.activity.place_active(frame.memory.place(frame.module.exceptions)):
        return
    for block in frame.cfg.reachable:
        for i in block.instructions:
            if i.opcode in ("call", "invoke") and i.callee_name is None and _comes_from_exception(frame, i):
                raise frame.refuse(
                    i,
                    "a virtual function of an exception is called, where exceptions carry derivatives",
                    "read the members of the exception instead, or carry numbers by other means than exceptions",
                )
            if "@_ZTIP" in str(i).replace("@_ZTIPKc", ""):  # a text holds no floats
                raise frame.refuse(
                    i, "a pointer is thrown or caught, where exceptions carry derivatives", "throw the object itself"
                )


def _comes_from_exception(frame: Frame, call: Instruction) -> bool:
    place = frame.memory.place(frame.module.exceptions)
    return any(frame.memory.place(a) is place for a in call.arguments if a.type.is_pointer)
