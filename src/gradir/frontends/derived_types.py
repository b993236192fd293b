"""Fortran's derived types: how flang's runtime begins and ends their lives, written out.

flang calls its runtime to set the components of a new object and to free those of an old one, with a table that says
what components there are. From the tables in a module come functions that do the same, step by step, which can be
differentiated. What they don't know (types with final procedures, large arrays of objects in objects) is left to the
runtime.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from functools import partial

from gradir.machine import llvm
from gradir.machine.analysis.addresses import gep_steps, member_offset
from gradir.machine.analysis.languages.derived_types import (
    ALLOCATABLE,
    DATA,
    HEAD,
    OBJECT,
    DerivedType,
    known_types,
    types_of,
)
from gradir.machine.ir import I8, I32, I64, PTR, VOID, Constant, Instruction, Module, Value
from gradir.machine.ir.constants import read_constant
from gradir.machine.ir.instructions import add_offset, call, constant, load, store
from gradir.machine.ir.text.reader import extend, read
from gradir.machine.passes.languages.objects import (
    ASSIGN,
    DESTROY,
    INITIALIZE,
    add_for_type,
    can_be_assigned,
    is_settled,
    name_for,
)

__all__ = ["asks_runtime", "written_out"]


def asks_runtime(module: llvm.Module) -> bool:
    """Whether a module leaves lives of objects to the runtime."""
    return any(f.name in (*_ROUTINES, *_ASSIGNMENTS, *_ON_ARRAYS, _ASSOCIATE) for f in module.functions)


def written_out(text: str) -> str:
    """The module with what its own tables say in place of calls of the runtime."""
    module = read(text)
    known = known_types(types_of(module))
    types = {name: t for name, t in known.items() if is_settled(t, known)}
    add = partial(add_for_type, module, types=types, all_known=False)
    for i in _calls(module, _ROUTINES):
        _redirect(module, i, types, add)
    _allocate_objects(module, types, add)
    _assign_objects(module, types, add)
    _associate_pointers(module)
    for i in _calls(module, _ON_ARRAYS):
        for descriptor in i.arguments:
            _say_again(i, descriptor)
    return str(module)


def _calls(module: Module, names: Collection[str]) -> Iterator[Instruction]:
    """The calls of some functions."""
    for function in list(module.definitions):
        if any(map(function.may_hold, names)):
            yield from [i for i in function.instructions() if i.opcode == "call" and i.callee_name in names]


def _allocate_objects(module: Module, types: dict[str, DerivedType], add: Callable[[str, str], None]) -> None:
    """Write out how single objects are allocated and deallocated whose types are known here."""
    for i in _calls(module, _ALLOCATES):
        descriptor, routine = i.arguments[0], _ALLOCATES[i.callee_name or ""]
        table = _table_of(descriptor) if isinstance(descriptor, Instruction) else None
        if table is None or table not in types:
            continue
        name = f"gradir.{i.callee_name}.{table}"
        if name not in module.functions:
            add(_ROUTINES[routine], table)
            extend(module, _allocation(i, name, name_for(_ROUTINES[routine], table), routine))
        i.set_operand(len(i.operands) - 1, module.globals[name])


def _allocation(call_: Instruction, own: str, action: str, routine: str) -> str:
    """What allocates an object and gives it its first values, or destroys and frees it.

    The memory is the runtime's, as others may free it. It is told that there is no object in it, so what has a body for
    memory alone can do it; what it finds out by itself has been done, or is done again.
    """
    name = call_.callee_name or ""
    given = ", ".join(f"{a.type} %a{n}" for n, a in enumerate(call_.arguments))
    place = "  %type = getelementptr i8, ptr %a0, i64 21"
    runs = [place, "  store i8 -1, ptr %type, align 1", f"  %status = call i32 @{name}({given})"]
    runs += [f"  store i8 {OBJECT}, ptr %type, align 1"]
    acts = ["object:", "  %at = load ptr, ptr %a0, align 8", f'  call void @"{action}"(ptr %at)']
    acts += ["  br label %done", "done:"]
    if routine == "_FortranAInitialize":
        choice = ["  %made = icmp eq i32 %status, 0", "  br i1 %made, label %object, label %done"]
        lines = [*runs, *choice, *acts]
    else:
        choice = ["  %old = load ptr, ptr %a0, align 8", "  %there = icmp ne ptr %old, null"]
        lines = [*choice, "  br i1 %there, label %object, label %done", *acts, *runs]
    begin = f'define internal i32 @"{own}"({given}) alwaysinline {{'
    return "\n".join([begin, *lines, "  ret i32 %status", "}"])


def _associate_pointers(module: Module) -> None:
    """Write out that a pointer to an object, of whatever class, points to another one: its descriptor is copied."""
    for i in _calls(module, [_ASSOCIATE]):
        to, source = i.arguments[:2]
        said = _said_of(source) if isinstance(source, Instruction) else {}
        if said.get(20) != {"0"} or said.get(23) != {"1"} or i.block.function.users.get(i):
            continue
        for at, type_ in ((0, PTR), (8, I64), (16, I32), (20, I8), (21, I8), (23, I8), (HEAD, PTR), (HEAD + 8, I64)):
            here, there = add_offset(to, at), add_offset(source, at)
            value = load(type_, there, type_.size)
            i.insert_before(here, there, value, store(value, here, type_.size))
        attribute = add_offset(to, 22)
        i.insert_before(attribute, store(constant(I8, 1), attribute, 1))
        i.erase()


def _assign_objects(module: Module, types: dict[str, DerivedType], add: Callable[[str, str], None]) -> None:
    """Write out assignments of single objects whose types are known here."""
    for function in list(module.definitions):
        for i in list(function.instructions()) if any(map(function.may_hold, _ASSIGNMENTS)) else ():
            if i.opcode != "call" or i.callee_name not in _ASSIGNMENTS:
                continue
            to, source = i.arguments[:2]
            tables = [_table_of(d) if isinstance(d, Instruction) else None for d in (to, source)]
            new = i.callee_name == _ASSIGNMENTS[-1]  # what is there is no object yet
            if (
                tables[0] is None
                or tables[0] != tables[1]
                or tables[0] not in types
                or not can_be_assigned(types[tables[0]], types)
                or (new and not _is_plain(types[tables[0]], types))
            ):
                _say_again(i, source)
                continue
            add(ASSIGN, tables[0])
            bases = [load(PTR, descriptor, 8) for descriptor in (to, source)]
            i.insert_before(*bases)
            i.insert_before(call(VOID, module.globals[name_for(ASSIGN, tables[0])], bases))
            i.erase()


def _say_again(assignment: Instruction, descriptor: Value) -> None:
    """Store once more what is known of the numbers in an array: LLVM forgets it, as others see the descriptor."""
    for at in (20, 21, 23) if isinstance(descriptor, Instruction) else ():
        assert isinstance(descriptor, Instruction)
        said = _said_of(descriptor).get(at, set())
        if len(said) == 1 and (number := next(iter(said))).lstrip("-").isdigit():
            place = add_offset(descriptor, at)
            assignment.insert_before(place, store(constant(I8, int(number)), place, 1))


def _is_plain(type_: DerivedType, types: dict[str, DerivedType]) -> bool:
    """Whether nothing in an object is allocated."""
    inner = [types[c.derived] for c in type_.components if c.genre == DATA and c.derived is not None]
    return all(c.genre != ALLOCATABLE for c in type_.components) and all(_is_plain(t, types) for t in inner)


def _redirect(
    module: Module, call_: Instruction, types: dict[str, DerivedType], add: Callable[[str, str], None]
) -> None:
    """Let a call do what is right for the type of its object, if that is known here."""
    descriptor = call_.arguments[0]
    table = _table_of(descriptor) if isinstance(descriptor, Instruction) else None
    if table is None or table not in types:
        return
    verb = _ROUTINES[call_.callee_name or ""]
    add(verb, table)
    base = load(PTR, descriptor, 8)
    call_.insert_before(base)
    call_.insert_before(call(VOID, module.globals[name_for(verb, table)], [base]))
    call_.erase()


def _table_of(descriptor: Instruction) -> str | None:
    """The table of the one object that a descriptor of this function describes, if nothing else is ever said of it."""
    said = _said_of(descriptor)
    rank, table = (said.get(at, set()) for at in (20, HEAD))
    return next(iter(table))[1:].strip('"') if rank == {"0"} and len(table) == 1 else None


def _said_of(descriptor: Instruction, depth: int = 0) -> dict[int, set[str]]:
    """What is stored in a descriptor of this function, by place; nothing if it may be changed elsewhere. Descriptors
    are copied field by field; who is passed one of what is neither a pointer nor allocatable leaves it as it is."""
    if descriptor.opcode != "alloca" or depth > 4:
        return {}
    users = descriptor.block.function.users
    said: dict[int, set[str]] = {}
    passed = False
    todo: list[tuple[Instruction, int]] = [(descriptor, 0)]
    while todo:
        pointer, at = todo.pop()
        for user in users.get(pointer, ()):
            name = user.callee_name or ""
            if user.opcode == "getelementptr" and user.pointer is pointer:
                offsets, strides = gep_steps(user)
                if len(offsets) != 1 or strides:
                    return {}
                todo.append((user, at + offsets[0]))
            elif user.opcode == "store" and user.operands[1] is pointer and user.operands[0] is not pointer:
                for place, value in _stored(user.operands[0]):
                    copied = _loaded_from(value)
                    same = copied is not None and copied[1] == at + place
                    known = _said_of(copied[0], depth + 1).get(at + place) if copied is not None and same else None
                    said.setdefault(at + place, set()).update(known or {value.ref})
            elif name.startswith("llvm.memset.") and user.arguments[0] is pointer:
                byte, size = (a.ref for a in user.arguments[1:3])
                if byte != "0" or not size.isdigit():
                    return {}
                for place in range(at, at + int(size)):
                    said.setdefault(place, set()).add("0")
            elif user.opcode != "load" and not name.startswith(("llvm.lifetime.", *_KEEP_KINDS)):
                if user.opcode != "call" or pointer is not descriptor or name.startswith("llvm."):
                    return {}
                passed |= name != _ASSOCIATE or user.arguments[1] is not descriptor
    return said if not passed or said.get(22) == {"0"} else {}


def _stored(value: Value) -> Iterator[tuple[int, Value]]:
    """The parts of a value, as they were put together, and where each lies."""
    if not value.type.is_aggregate:
        yield 0, value
        return
    seen: set[int] = set()
    while isinstance(value, Instruction) and value.opcode == "insertvalue":
        at = member_offset(value.type, value.indices)
        if at not in seen:
            seen.add(at)
            yield at, value.operands[1]
        value = value.operands[0]
    if isinstance(value, Instruction) and value.opcode == "load":
        yield from ((at, _Part(value, at)) for at, _ in value.type.parts() if at not in seen)
    elif isinstance(value, Constant):
        leaves = read_constant(value.type, value.ref).leaves()
        yield from ((at, Value(leaf.type, leaf.text)) for at, leaf in leaves if at not in seen)


class _Part(Value):
    """A part of an aggregate that is loaded whole."""

    def __init__(self, whole: Instruction, at: int) -> None:
        super().__init__(VOID, f"{whole.ref} + {at}")
        self.whole, self.at = whole, at


def _loaded_from(value: Value) -> tuple[Instruction, int] | None:
    """The variable that a value is loaded from, and where in it."""
    at, value = (value.at, value.whole) if isinstance(value, _Part) else (0, value)
    pointer = value.pointer if isinstance(value, Instruction) and value.opcode == "load" else None
    while isinstance(pointer, Instruction) and pointer.opcode == "getelementptr":
        offsets, strides = gep_steps(pointer)
        if len(offsets) != 1 or strides:
            return None
        at, pointer = at + offsets[0], pointer.pointer
    return (pointer, at) if isinstance(pointer, Instruction) and pointer.opcode == "alloca" else None


# -- Names -------------------------------------------------------------------------------------------------------------

_ASSIGNMENTS = ("_FortranAAssign", "_FortranAAssignPolymorphic", "_FortranAAssignTemporary")
_ASSOCIATE = "_FortranAPointerAssociate"
_ROUTINES = {
    "_FortranAInitialize": INITIALIZE,
    "_FortranADestroy": DESTROY,
    "_FortranADestroyWithoutFinalization": DESTROY,
}
_ALLOCATES = {
    "_FortranAPointerAllocate": "_FortranAInitialize",
    "_FortranAAllocatableAllocate": "_FortranAInitialize",
    "_FortranAPointerDeallocate": "_FortranADestroy",
    "_FortranAAllocatableDeallocate": "_FortranADestroy",
}
"""What allocates and deallocates, and what is done with each object then."""
_ON_ARRAYS = (
    *_ALLOCATES,
    *(f"_FortranA{name}" for name in ("PointerAllocateSource", "AllocatableAllocateSource", "MoveAlloc")),
    *(f"_FortranA{name}SetBounds" for name in ("Pointer", "Allocatable")),
    *(f"_FortranA{name}" for name in ("Reshape", "Transpose", "Spread", "Pack", "Unpack", "Count", "All", "Any")),
    *(f"_FortranA{name}{kind}" for name in ("Cshift", "Eoshift") for kind in ("", "Vector")),
    *(f"_FortranA{name}Dim" for name in ("Sum", "Product", "Maxval", "Minval", "Maxloc", "Minloc")),
    *(f"_FortranA{name}Real{kind}" for name in ("Maxloc", "Minloc") for kind in (4, 8)),
    *(f"_FortranA{name}ArrayConstructor{what}" for name, what in (("Init", "Vector"), ("Push", "Value"))),
)
"""Functions that have bodies in gradir's library, for numbers of all kinds."""
_KEEP_KINDS = (*_ROUTINES, *_ASSIGNMENTS, *_ON_ARRAYS)
"""What changes neither the rank nor the type that a descriptor tells, unless it makes it."""
