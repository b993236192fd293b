"""What exceptions carry: the shadow of an object that is thrown, found again where it is caught.

The runtime hands an exception from `throw` to `catch`, and knows nothing of shadows. So the memory of the object is
made longer, and pointers to its shadows are kept behind the object, behind the largest that is thrown. A handler finds
them there: what it is given is the object, or a base of it, and then the object follows the head by which a landing pad
knows an exception. The derivative of a derivative does the same with the longer objects.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from gradir.machine.analysis.activity import carried_float
from gradir.machine.analysis.bytes.types import FunctionTypes, TypeAnalysis
from gradir.machine.ir import I64, PTR, Constant, Function, Global, Instruction, Module, Value
from gradir.machine.ir.builder import Expr
from gradir.machine.transform.frame import render_call

if TYPE_CHECKING:
    from gradir.machine.transform.frame import Frame
    from gradir.machine.transform.repeat import Repeat

__all__ = ["carries_floats", "check", "is_allocation", "is_handler", "room_in", "shadow_of_caught", "shadow_of_thrown"]

_HEAD = 32
"""Bytes of the head before the object (`_Unwind_Exception`, the same wherever pointers have 8 bytes)."""
_ROOM = 1024
"""At this byte of the object's memory, or a power of two as far, are the pointers to its shadows."""
_BASES = "_ZTVN10__cxxabiv121__vmi_class_type_infoE"
"""What describes classes of which a base may be elsewhere than at the beginning. (The library has none.)"""


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


def room_in(module: Module) -> int:
    """How far from the beginning of an exception's memory the pointers to its shadows are."""
    there = [f for f in module.functions.values() if f.may_hold("__cxa_allocate_exception")]
    sizes = [_size(i) or 0 for f in there for i in f.instructions() if is_allocation(i)]
    room = _ROOM
    while room < max(sizes, default=0):
        room *= 2
    return room


def _size(allocation: Instruction) -> int | None:
    size = allocation.arguments[0]
    return size.integer if isinstance(size, Constant) else None


def shadow_of_thrown(repeat: Repeat, i: Instruction, *, lasting: bool) -> list[Expr]:
    """Write the allocation of an exception, with a shadow: one that lasts is not freed with the exception."""
    frame, code = repeat.frame, repeat.code
    size, room = _size(i), frame.program.exception_room
    if size is None:
        raise frame.refuse(
            i,
            "an exception carries derivatives whose size is not known when compiling",
            "throw an object of a type of its own",
        )
    n, length = frame.shadows.pointers, -(-size * frame.shadows.scale // 16) * 16
    first = room + -(-n // 2) * 16
    total = first + (0 if lasting else n * length)
    given = i.arguments[0]
    repeat.write_call(i, render_call(i, i.render(i.ref, lambda v: str(total) if v is given else v.ref)))
    object = Expr(code, PTR, i.ref)
    made = []
    for k in range(n):
        if lasting:
            frame.program.declare("declare noalias ptr @malloc(i64)")
            made.append(code.emit(PTR, f"call noalias ptr @malloc(i64 {length})", "shadow"))
        else:
            made.append(code.offset(object, first + k * length))
        code.clear(made[k], code.constant(I64, length))
        code.store(made[k], code.offset(object, room + 8 * k))
    return made


def shadow_of_caught(repeat: Repeat, i: Instruction) -> list[Expr]:
    """The shadows of what a handler has caught: as far into each shadow as that is into the object."""
    frame, code = repeat.frame, repeat.code
    caught, room = Expr(code, PTR, i.ref), frame.program.exception_room
    if not _may_be_bases(frame.module):
        return [code.load(PTR, code.offset(caught, room + 8 * k)) for k in range(frame.shadows.pointers)]
    if room > _ROOM:
        raise frame.refuse(
            i,
            "an exception of a class with several bases carries derivatives of a derivative",
            "derive it from one class, or carry numbers by other means than exceptions",
        )
    object = code.offset(Expr(code, PTR, i.arguments[0].ref), _HEAD)
    here, begin = (code.emit(I64, f"ptrtoint {p} to i64") for p in (caught, object))
    into = (here - begin) * frame.shadows.scale
    at = [code.offset(object, room + 8 * k) for k in range(frame.shadows.pointers)]
    return [code.offset(code.load(PTR, p), into) for p in at]


def _may_be_bases(module: Module) -> bool:
    """Whether what is caught may be a base that is not where the object begins."""
    elsewhere = [g.name for g in module.variables if g.name.startswith("_ZTI") and g.initializer is None]
    return _BASES in module.globals or any(
        len(name) > len("_ZTId") and not name.startswith(("_ZTISt", "_ZTINSt", "_ZTIP")) for name in elsewhere
    )


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
