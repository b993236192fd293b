"""Fortran's derived types: how flang's runtime begins and ends their lives, written out.

flang calls its runtime to set the components of a new object and to free those of an old one, with a table that says
what components there are. From the tables in a module come functions that do the same, step by step, which can be
differentiated. What they don't know (types with final procedures, large arrays of objects in objects) is left to the
runtime.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass

from gradir.machine import llvm
from gradir.machine.analysis.addresses import gep_steps, member_offset
from gradir.machine.ir import I8, I32, I64, PTR, VOID, Constant, Global, Instruction, Module, Value
from gradir.machine.ir.constants import Part, read_constant
from gradir.machine.ir.instructions import add_offset, call, constant, load, store
from gradir.machine.ir.reader import extend, read
from gradir.machine.jit import CFI_TYPES, CFI_VERSION

__all__ = ["asks_runtime", "written_out"]

_HEAD, _DIMENSION = 24, 24
"""Bytes of a descriptor before its dimensions, and of one of these."""
_COMPONENT, _PROCEDURE = 256, 40
_OBJECT = 42
_MOST_WRITTEN_OUT = 64
_DATA, _POINTER, _ALLOCATABLE = 1, 2, 3
_INTEGER, _REAL, _COMPLEX, _LOGICAL, _DERIVED = 0, 1, 2, 4, 5
_NUMBERS = (_INTEGER, _REAL, _COMPLEX, _LOGICAL)
_LETTERS = {_INTEGER: "i", _REAL: "f", _COMPLEX: "c"}
_TYPE_CODES = {**CFI_TYPES, "i1": 7, "i2": 8}
"""What a descriptor says of its elements, by their letter and size."""


@dataclass(frozen=True)
class Component:
    """One component: what it is (data, a pointer, allocatable), of which type, and where it lies in an object."""

    genre: int
    category: int
    kind: int
    rank: int
    offset: int
    derived: str | None
    """The table of its type, if that is derived."""
    initial: str | None
    """What holds its first value, if it has one."""
    count: int | None = 1
    """Of data: how many elements it has, if that is known."""

    @property
    def size(self) -> int:
        """The bytes of a number."""
        return self.kind * (2 if self.category == _COMPLEX else 1)

    @property
    def type_code(self) -> int | None:
        """What the descriptor of a number or of several says of them."""
        return _TYPE_CODES.get(f"{_LETTERS.get(self.category)}{self.size}")

    @property
    def is_known(self) -> bool:
        if self.category == _DERIVED:
            few = self.count is not None and self.count <= _MOST_WRITTEN_OUT
            return self.derived is not None and self.initial is None and (self.genre != _DATA or few)
        if self.genre == _DATA:
            few = self.count is not None and self.count <= _MOST_WRITTEN_OUT
            return self.initial is None or (few and self.category in _NUMBERS and self.kind <= 8)
        return self.genre in (_POINTER, _ALLOCATABLE) and self.type_code is not None


@dataclass(frozen=True)
class DerivedType:
    """A type: its components, and what need not be done with its objects."""

    table: str
    size: int
    components: tuple[Component, ...]
    has_finals: bool
    procedures: tuple[tuple[int, str | None], ...] = ()
    """Where pointers to procedures lie, and what they point to at first."""


def asks_runtime(module: llvm.Module) -> bool:
    """Whether a module leaves lives of objects to the runtime."""
    return any(f.name in (*_ROUTINES, *_ASSIGNMENTS, *_ON_ARRAYS, _ASSOCIATE) for f in module.functions)


def written_out(text: str) -> str:
    """The module with what its own tables say in place of calls of the runtime."""
    module = read(text)
    types = _known(_types(module))
    for routine, write in _ROUTINES.items():
        declared = module.functions.get(routine)
        if declared is None or not declared.is_declaration or not types:
            continue
        _declare_allocation(module)
        given = ", ".join(f"{a.type} %a{a.index}" for a in declared.arguments)
        for t in types.values():
            extend(module, write(routine, t, types))
        extend(module, _dispatch(routine, given, str(declared.result), list(types.values())))
        for function in module.definitions:
            if function.name != _own(routine) and function.may_hold(routine):
                for i in list(function.instructions()):
                    if i.opcode == "call" and i.callee_name == routine:
                        _redirect(module, i, routine, types)
    _allocate_objects(module, types)
    _assign_objects(module, {name: t for name, t in types.items() if _can_be_assigned(t, types)})
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


def _allocate_objects(module: Module, types: dict[str, DerivedType]) -> None:
    """Write out how single objects are allocated and deallocated whose types are known here."""
    for i in _calls(module, _ALLOCATES):
        descriptor, routine = i.arguments[0], _ALLOCATES[i.callee_name or ""]
        table = _table_of(descriptor) if isinstance(descriptor, Instruction) else None
        if table is None or table not in types:
            continue
        _declare_allocation(module)
        name = f"{_own(i.callee_name or '')}.{table}"
        if name not in module.functions:
            if f"{_own(routine)}.{table}" not in module.functions:
                for t in types.values():
                    extend(module, _ROUTINES[routine](routine, t, types))
            extend(module, _allocation(i, types[table], routine))
        i.set_operand(len(i.operands) - 1, module.globals[name])


def _allocation(call_: Instruction, type_: DerivedType, routine: str) -> str:
    """What allocates an object and gives it its first values, or destroys and frees it.

    The memory is the runtime's, as others may free it. It is told that there is no object in it, so what has a body for
    memory alone can do it; what it finds out by itself has been done, or is done again.
    """
    name = call_.callee_name or ""
    given = ", ".join(f"{a.type} %a{n}" for n, a in enumerate(call_.arguments))
    place = "  %type = getelementptr i8, ptr %a0, i64 21"
    runs = [place, "  store i8 -1, ptr %type, align 1", f"  %status = call i32 @{name}({given})"]
    runs += [f"  store i8 {_OBJECT}, ptr %type, align 1"]
    acts = ["object:", "  %at = load ptr, ptr %a0, align 8", f"  call void {_part(routine, type_.table)}(ptr %at)"]
    acts += ["  br label %done", "done:"]
    if routine == "_FortranAInitialize":
        choice = ["  %made = icmp eq i32 %status, 0", "  br i1 %made, label %object, label %done"]
        lines = [*runs, *choice, *acts]
    else:
        choice = ["  %old = load ptr, ptr %a0, align 8", "  %there = icmp ne ptr %old, null"]
        lines = [*choice, "  br i1 %there, label %object, label %done", *acts, *runs]
    begin = f"define internal i32 {_part(name, type_.table)}({given}) alwaysinline {{"
    return "\n".join([begin, *lines, "  ret i32 %status", "}"])


def _associate_pointers(module: Module) -> None:
    """Write out that a pointer to an object, of whatever class, points to another one: its descriptor is copied."""
    for i in _calls(module, [_ASSOCIATE]):
        to, source = i.arguments[:2]
        said = _said_of(source) if isinstance(source, Instruction) else {}
        if said.get(20) != {"0"} or said.get(23) != {"1"} or i.block.function.users.get(i):
            continue
        for at, type_ in ((0, PTR), (8, I64), (16, I32), (20, I8), (21, I8), (23, I8), (_HEAD, PTR), (_HEAD + 8, I64)):
            here, there = add_offset(to, at), add_offset(source, at)
            value = load(type_, there, type_.size)
            i.insert_before(here, there, value, store(value, here, type_.size))
        attribute = add_offset(to, 22)
        i.insert_before(attribute, store(constant(I8, 1), attribute, 1))
        i.erase()


def _assign_objects(module: Module, types: dict[str, DerivedType]) -> None:
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
                or (new and not _is_plain(types[tables[0]], types))
            ):
                _say_again(i, source)
                continue
            _declare_assignment(module, types[tables[0]], types)
            bases = [load(PTR, descriptor, 8) for descriptor in (to, source)]
            i.insert_before(*bases)
            i.insert_before(call(VOID, module.globals[f"{_own(_ASSIGNMENTS[0])}.{tables[0]}"], bases))
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
    inner = [types[c.derived] for c in type_.components if c.genre == _DATA and c.derived is not None]
    return all(c.genre != _ALLOCATABLE for c in type_.components) and all(_is_plain(t, types) for t in inner)


def _can_be_assigned(type_: DerivedType, types: dict[str, DerivedType]) -> bool:
    """Whether nothing in an object holds objects that are allocated on their own."""
    inner = [c.derived for c in type_.components if c.genre == _DATA and c.derived is not None]
    return all(c.genre != _ALLOCATABLE or c.derived is None for c in type_.components) and all(
        _can_be_assigned(types[name], types) for name in inner
    )


def _redirect(module: Module, call_: Instruction, routine: str, types: dict[str, DerivedType]) -> None:
    """Let a call do what is right for the type of its object; that is known here, or found out when it runs."""
    descriptor = call_.arguments[0]
    table = _table_of(descriptor) if isinstance(descriptor, Instruction) else None
    if table is None or table not in types:
        call_.set_operand(len(call_.operands) - 1, module.globals[_own(routine)])
        return
    base = load(PTR, descriptor, 8)
    call_.insert_before(base)
    call_.insert_before(call(VOID, module.globals[f"{_own(routine)}.{table}"], [base]))
    call_.erase()


def _table_of(descriptor: Instruction) -> str | None:
    """The table of the one object that a descriptor of this function describes, if nothing else is ever said of it."""
    said = _said_of(descriptor)
    rank, table = (said.get(at, set()) for at in (20, _HEAD))
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


# -- Tables ------------------------------------------------------------------------------------------------------------


def _types(module: Module) -> dict[str, DerivedType]:
    """The derived types that a module has tables of, by the names of these."""
    tables = {g.name: g for g in module.variables if "type_infoT" in g.line and g.initializer is not None}
    leaves = {
        name: dict(read_constant(g.parts.type, g.initializer or "", module.types).leaves())
        for name, g in tables.items()
    }
    nowhere = {g.name for g in module.variables if _points_nowhere(g, module)}
    found = {}
    for name, g in tables.items():
        if "type_infoTderivedtype" not in g.line.partition("{")[0]:
            continue
        at = leaves[name]
        base = _address(at, 232)
        count = _number(at, 264)
        if count and (base is None or base not in leaves or tables[base].parts.type.size != _COMPONENT * count):
            continue  # of another flang
        components = [_component(leaves, base, i * _COMPONENT, nowhere) for i in range(count)] if base else []
        flags = [_number(at, 429 + i) for i in range(3)]
        called = leaves.get(_address(at, 296) or "", {})
        places = [_PROCEDURE * i for i in range(_number(at, 328))]
        procedures = tuple((_number(called, p + 24), _address(called, p + 32)) for p in places)
        if places and not called:
            continue
        found[name] = DerivedType(name, _number(at, 88), tuple(components), not flags[2], procedures)
    return found


def _points_nowhere(variable: Global, module: Module) -> bool:
    """Whether a variable is the first value of a pointer that points nowhere: `=> null()`."""
    if "E.di." not in variable.name or variable.initializer is None:
        return False
    return dict(read_constant(variable.parts.type, variable.initializer, module.types).leaves())[0].text == "null"


def _component(leaves: dict[str, dict[int, Part]], table: str, start: int, nowhere: Collection[str]) -> Component:
    at = leaves[table]
    genre, category, kind, rank = (_number(at, start + _HEAD + i) for i in range(4))
    derived, initial = _address(at, start + 56), _address(at, start + 248)
    if genre == _POINTER and initial in nowhere:
        initial = None
    bounds = leaves.get(_address(at, start + 160) or "") if genre == _DATA else None
    count: int | None = 1
    for r in range(rank if genre == _DATA else 0):
        count = _extent(bounds, r) * count if bounds is not None and count is not None else None
    return Component(genre, category, kind, rank, _number(at, start + 32), derived, initial, count)


def _extent(bounds: dict[int, Part], dimension: int) -> int:
    """How many elements there are along a dimension, from its two bounds: each a mark, then the number."""
    low, high = (_number(bounds, 32 * dimension + at) for at in (8, 24))
    return max(0, high - low + 1)


def _number(at: dict[int, Part], offset: int) -> int:
    part = at.get(offset)
    return (part.integer or 0) if part is not None else 0


def _address(at: dict[int, Part], offset: int) -> str | None:
    part = at.get(offset)
    address = part.address if part is not None else None
    return address.name if address is not None else None


def _known(types: dict[str, DerivedType]) -> dict[str, DerivedType]:
    """Those whose components, and theirs in turn, are all of kinds that can be written out."""
    known = {name: t for name, t in types.items() if not t.has_finals and all(c.is_known for c in t.components)}
    while True:
        less = {
            name: t for name, t in known.items() if all(c.derived is None or c.derived in known for c in t.components)
        }
        if len(less) == len(known):
            return known
        known = less


# -- Code --------------------------------------------------------------------------------------------------------------


def _own(routine: str) -> str:
    return f"gradir.{routine}"


def _part(routine: str, table: str) -> str:
    return f'@"{_own(routine)}.{table}"'


def _dispatch(routine: str, given: str, result: str, types: list[DerivedType]) -> str:
    """What takes an object's descriptor, and does what is right for its type; else, what the runtime does."""
    names = [part.split()[-1] for part in given.split(", ")]
    passed = ", ".join(f"{part.split()[0]} {name}" for part, name in zip(given.split(", "), names, strict=True))
    value = "" if result == "void" else f" {result} zeroinitializer" if result == "{}" else f" {result} %r"
    lines = [
        f'define internal {result} @"{_own(routine)}"({given}) alwaysinline {{',
        f"  %rank.at = getelementptr i8, ptr {names[0]}, i64 20",
        "  %rank = load i8, ptr %rank.at, align 4",
        "  %single = icmp eq i8 %rank, 0",
        "  br i1 %single, label %object, label %runtime",
        "object:",
        f"  %base = load ptr, ptr {names[0]}, align 8",
        f"  %type.at = getelementptr i8, ptr {names[0]}, i64 {_HEAD}",
        "  %type = load ptr, ptr %type.at, align 8",
        "  br label %test0",
    ]
    for i, t in enumerate(types):
        lines += [
            f"test{i}:",
            f'  %is{i} = icmp eq ptr %type, @"{t.table}"',
            f"  br i1 %is{i}, label %do{i}, label %test{i + 1}",
            f"do{i}:",
            f"  call void {_part(routine, t.table)}(ptr %base)",
            "  br label %done",
        ]
    lines += [
        f"test{len(types)}:",
        "  br label %runtime",
        "runtime:",
        f"  {'%r = ' if value.endswith('%r') else ''}call {result} @{routine}({passed})",
        "  br label %done",
        "done:",
        f"  ret{value or ' void'}",
        "}",
    ]
    return "\n".join(lines)


def _initialize(routine: str, type_: DerivedType, types: dict[str, DerivedType]) -> str:
    """Allocatable components are not allocated, pointers point nowhere, and objects within are set in turn."""
    lines = [f"define internal void {_part(routine, type_.table)}(ptr %at) alwaysinline {{"]
    for i, c in enumerate(type_.components):
        if c.genre == _DATA:
            if c.derived is not None:
                lines += _within(i, c, types[c.derived], _part(routine, c.derived))
            elif c.initial is not None:
                lines += _initial_value(i, c, c.initial)
            continue
        if c.initial is not None:  # a pointer that has a target from the start
            lines += [
                f"  %c{i} = getelementptr i8, ptr %at, i64 {c.offset}",
                f'  call void @llvm.memcpy.p0.p0.i64(ptr %c{i}, ptr @"{c.initial}", i64 {_HEAD + _DIMENSION * c.rank}, '
                "i1 false)",
            ]
            continue
        is_derived = c.derived is not None
        size = types[c.derived].size if c.derived is not None else c.size
        code = _OBJECT if is_derived else c.type_code
        fields = [(0, "ptr", "null"), (8, "i64", size), (16, "i32", CFI_VERSION), (20, "i8", c.rank), (21, "i8", code)]
        fields += [(22, "i8", 1 if c.genre == _POINTER else 2), (23, "i8", int(is_derived))]
        if is_derived:
            after = _HEAD + _DIMENSION * c.rank
            fields += [(after, "ptr", f'@"{c.derived}"'), (after + 8, "i64", 0)]
        for at, kind, value in fields:
            lines += [
                f"  %c{i}.{at} = getelementptr i8, ptr %at, i64 {c.offset + at}",
                f"  store {kind} {value}, ptr %c{i}.{at}, align {1 if kind == 'i8' else 4 if kind == 'i32' else 8}",
            ]
    for i, (offset, procedure) in enumerate(type_.procedures):
        value = "null" if procedure is None else f'@"{procedure}"'
        lines += [
            f"  %p{i} = getelementptr i8, ptr %at, i64 {offset}",
            f"  store ptr {value}, ptr %p{i}, align 8",
        ]
    return "\n".join([*lines, "  ret void", "}"])


def _within(i: int, component: Component, type_: DerivedType, action: str) -> list[str]:
    """Does something with an object that lies in another one, or with each of an array of some."""
    lines = []
    for k in range(component.count or 0):
        lines += [
            f"  %c{i}.{k} = getelementptr i8, ptr %at, i64 {component.offset + k * type_.size}",
            f"  call void {action}(ptr %c{i}.{k})",
        ]
    return lines


def _initial_value(i: int, component: Component, source: str) -> list[str]:
    """Copies a number, the two of a complex one, or those of an array."""
    is_integer = component.category in (_INTEGER, _LOGICAL)
    kind = f"i{8 * component.kind}" if is_integer else {2: "half", 4: "float", 8: "double"}[component.kind]
    lines = []
    for k in range((component.count or 0) * component.size // component.kind):
        lines += [
            f'  %v{i}.{k}.at = getelementptr i8, ptr @"{source}", i64 {k * component.kind}',
            f"  %v{i}.{k} = load {kind}, ptr %v{i}.{k}.at, align {component.kind}",
            f"  %c{i}.{k} = getelementptr i8, ptr %at, i64 {component.offset + k * component.kind}",
            f"  store {kind} %v{i}.{k}, ptr %c{i}.{k}, align {component.kind}",
        ]
    return lines


def _destroy(routine: str, type_: DerivedType, types: dict[str, DerivedType]) -> str:
    """What is allocated is freed, after what its objects have allocated themselves."""
    lines = [
        f"define internal void {_part(routine, type_.table)}(ptr %at) alwaysinline {{",
        "  br label %next0",
        "next0:",
    ]
    for i, c in enumerate(type_.components):
        lines.append(f"  %c{i} = getelementptr i8, ptr %at, i64 {c.offset}")
        if c.genre == _DATA and c.derived is not None:
            lines += _within(i, c, types[c.derived], _part(routine, c.derived))
        if c.genre != _ALLOCATABLE:
            lines += [f"  br label %next{i + 1}", f"next{i + 1}:"]
            continue
        lines += [
            f"  %base{i} = load ptr, ptr %c{i}, align 8",
            f"  %there{i} = icmp ne ptr %base{i}, null",
            f"  br i1 %there{i}, label %free{i}, label %next{i + 1}",
            f"free{i}:",
        ]
        if c.derived is not None:
            lines += _each(i, c, types[c.derived].size, f"call void {_part(routine, c.derived)}(ptr %element{i})")
        lines += [
            f"  call void @free(ptr %base{i})",
            f"  store ptr null, ptr %c{i}, align 8",
            f"  br label %next{i + 1}",
            f"next{i + 1}:",
        ]
    return "\n".join([*lines, "  ret void", "}"])


def _declare_assignment(module: Module, type_: DerivedType, types: dict[str, DerivedType]) -> None:
    """The function that assigns an object of a type to another, with those of the objects in it, made once."""
    if f"{_own(_ASSIGNMENTS[0])}.{type_.table}" in module.functions:
        return
    for c in type_.components:
        if c.genre == _DATA and c.derived is not None:
            _declare_assignment(module, types[c.derived], types)
    _declare_allocation(module)
    extend(module, _assignment(type_, types))


def _declare_allocation(module: Module) -> None:
    for name, line in _ALLOCATION.items():
        if name not in module.functions:
            extend(module, line)


def _assignment(type_: DerivedType, types: dict[str, DerivedType]) -> str:
    """Data and pointers are copied; what is allocated is allocated anew, and copied."""
    name = _part(_ASSIGNMENTS[0], type_.table)
    lines = [f"define internal void {name}(ptr %at, ptr %from) alwaysinline {{", "begin:"]
    starts = sorted({c.offset for c in type_.components} | {offset for offset, _ in type_.procedures})
    ends = dict(zip(starts, [*starts[1:], type_.size], strict=True))
    for i, c in enumerate(type_.components):
        if c.genre == _DATA and c.derived is not None:
            for k in range(c.count or 0):
                at = c.offset + k * types[c.derived].size
                lines += [
                    f"  %t{i}.{k} = getelementptr i8, ptr %at, i64 {at}",
                    f"  %f{i}.{k} = getelementptr i8, ptr %from, i64 {at}",
                    f"  call void {_part(_ASSIGNMENTS[0], c.derived)}(ptr %t{i}.{k}, ptr %f{i}.{k})",
                ]
        elif c.genre == _ALLOCATABLE:
            lines += _reallocated(i, c)
        else:
            lines += _copied(f"d{i}", c.offset, ends[c.offset] - c.offset)
    for i, (offset, _) in enumerate(type_.procedures):
        lines += _copied(f"p{i}", offset, 8)
    return "\n".join([*lines, "  ret void", "}"])


def _copied(name: str, offset: int, size: int) -> list[str]:
    return [
        f"  %{name}.to = getelementptr i8, ptr %at, i64 {offset}",
        f"  %{name}.from = getelementptr i8, ptr %from, i64 {offset}",
        f"  call void @llvm.memmove.p0.p0.i64(ptr %{name}.to, ptr %{name}.from, i64 {size}, i1 false)",
    ]


def _reallocated(i: int, component: Component) -> list[str]:
    """Copies an allocatable component of numbers."""
    lines = [
        f"  %t{i} = getelementptr i8, ptr %at, i64 {component.offset}",
        f"  %f{i} = getelementptr i8, ptr %from, i64 {component.offset}",
        f"  %old{i} = load ptr, ptr %t{i}, align 8",
        f"  %given{i} = load ptr, ptr %f{i}, align 8",
        f"  %there{i} = icmp ne ptr %given{i}, null",
    ]
    count = "1"
    for r in range(component.rank):
        for field in (0, 8, 16):
            at = _HEAD + _DIMENSION * r + field
            lines += [
                f"  %f{i}.{at}.at = getelementptr i8, ptr %f{i}, i64 {at}",
                f"  %t{i}.{at}.at = getelementptr i8, ptr %t{i}, i64 {at}",
                f"  %f{i}.{at} = load i64, ptr %f{i}.{at}.at, align 8",
                f"  store i64 %f{i}.{at}, ptr %t{i}.{at}.at, align 8",
            ]
        lines.append(f"  %count{i}.{r} = mul i64 {count}, %f{i}.{_HEAD + _DIMENSION * r + 8}")
        count = f"%count{i}.{r}"
    return [
        *lines,
        f"  br i1 %there{i}, label %copy{i}, label %none{i}",
        f"copy{i}:",
        f"  %bytes{i} = mul i64 {count}, {component.size}",
        f"  %new{i} = call ptr @malloc(i64 %bytes{i})",
        f"  call void @llvm.memcpy.p0.p0.i64(ptr %new{i}, ptr %given{i}, i64 %bytes{i}, i1 false)",
        f"  br label %set{i}",
        f"none{i}:",
        f"  br label %set{i}",
        f"set{i}:",
        f"  %base{i} = phi ptr [ %new{i}, %copy{i} ], [ null, %none{i} ]",
        f"  store ptr %base{i}, ptr %t{i}, align 8",
        f"  call void @free(ptr %old{i})",
    ]


def _each(i: int, component: Component, size: int, action: str) -> list[str]:
    """An action on each element of an allocated component."""
    lines, count = [], "1"
    for r in range(component.rank):
        at = _HEAD + _DIMENSION * r + 8
        lines += [
            f"  %extent{i}.{r}.at = getelementptr i8, ptr %c{i}, i64 {at}",
            f"  %extent{i}.{r} = load i64, ptr %extent{i}.{r}.at, align 8",
            f"  %count{i}.{r} = mul i64 {count}, %extent{i}.{r}",
        ]
        count = f"%count{i}.{r}"
    return [
        *lines,
        f"  br label %loop{i}",
        f"loop{i}:",
        f"  %k{i} = phi i64 [ 0, %free{i} ], [ %k{i}.next, %body{i} ]",
        f"  %more{i} = icmp slt i64 %k{i}, {count}",
        f"  br i1 %more{i}, label %body{i}, label %over{i}",
        f"body{i}:",
        f"  %byte{i} = mul i64 %k{i}, {size}",
        f"  %element{i} = getelementptr i8, ptr %base{i}, i64 %byte{i}",
        f"  {action}",
        f"  %k{i}.next = add i64 %k{i}, 1",
        f"  br label %loop{i}",
        f"over{i}:",
    ]


_ALLOCATION = {
    "malloc": "declare noalias ptr @malloc(i64)",
    "free": "declare void @free(ptr)",
    "llvm.memcpy.p0.p0.i64": "declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)",
    "llvm.memmove.p0.p0.i64": "declare void @llvm.memmove.p0.p0.i64(ptr, ptr, i64, i1)",
}
_ASSIGNMENTS = ("_FortranAAssign", "_FortranAAssignPolymorphic", "_FortranAAssignTemporary")
_ASSOCIATE = "_FortranAPointerAssociate"
_ROUTINES = {
    "_FortranAInitialize": _initialize,
    "_FortranADestroy": _destroy,
    "_FortranADestroyWithoutFinalization": _destroy,
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
