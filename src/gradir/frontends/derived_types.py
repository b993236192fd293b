"""Fortran's derived types: how flang's runtime begins and ends their lives, written out.

flang calls its runtime to set the components of a new object and to free those of an old one, with a table that says
what components there are. From the tables in a module come functions that do the same, step by step, which can be
differentiated. What they don't know (types with final procedures, arrays of objects) is left to the runtime.
"""

from __future__ import annotations

from dataclasses import dataclass

from gradir.machine import llvm
from gradir.machine.analysis.addresses import gep_steps
from gradir.machine.ir import PTR, VOID, Instruction, Module
from gradir.machine.ir.constants import Part, read_constant
from gradir.machine.ir.instructions import call, load
from gradir.machine.ir.reader import extend, read
from gradir.machine.jit import CFI_TYPES, CFI_VERSION

__all__ = ["asks_runtime", "written_out"]

_HEAD, _DIMENSION = 24, 24
"""Bytes of a descriptor before its dimensions, and of one of these."""
_COMPONENT = 256
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
            return self.derived is not None and self.initial is None and (self.genre != _DATA or self.rank == 0)
        if self.genre == _DATA:
            return self.initial is None or (self.rank == 0 and self.category in _NUMBERS and self.kind <= 8)
        return self.genre in (_POINTER, _ALLOCATABLE) and self.type_code is not None


@dataclass(frozen=True)
class DerivedType:
    """A type: its components, and what need not be done with its objects."""

    table: str
    size: int
    components: tuple[Component, ...]
    has_finals: bool


def asks_runtime(module: llvm.Module) -> bool:
    """Whether a module leaves lives of objects to the runtime."""
    return any(f.name in _ROUTINES for f in module.functions)


def written_out(text: str) -> str:
    """The module with what its own tables say in place of calls of the runtime."""
    module = read(text)
    types = _known(_types(module))
    for routine, write in _ROUTINES.items():
        declared = module.functions.get(routine)
        if declared is None or not declared.is_declaration or not types:
            continue
        given = ", ".join(f"{a.type} %a{a.index}" for a in declared.arguments)
        for t in types.values():
            extend(module, write(t, types))
        extend(module, _dispatch(routine, given, str(declared.result), list(types.values())))
        for function in module.definitions:
            if function.name != _own(routine) and function.may_hold(routine):
                for i in list(function.instructions()):
                    if i.opcode == "call" and i.callee_name == routine:
                        _redirect(module, i, routine, types)
    return str(module)


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
    if descriptor.opcode != "alloca":
        return None
    users = descriptor.block.function.users
    said: dict[int, set[str]] = {}
    todo: list[tuple[Instruction, int]] = [(descriptor, 0)]
    while todo:
        pointer, at = todo.pop()
        for user in users.get(pointer, ()):
            name = user.callee_name or ""
            if user.opcode == "getelementptr" and user.pointer is pointer:
                offsets, strides = gep_steps(user)
                if len(offsets) != 1 or strides:
                    return None
                todo.append((user, at + offsets[0]))
            elif user.opcode == "store" and user.operands[1] is pointer and user.operands[0] is not pointer:
                said.setdefault(at, set()).add(user.operands[0].ref)
            elif (
                user.opcode != "load" and not (at == 0 and name in _ROUTINES) and not name.startswith("llvm.lifetime.")
            ):
                return None
    rank, table = said.get(20, set()), said.get(_HEAD, set())
    return next(iter(table))[1:].strip('"') if rank == {"0"} and len(table) == 1 else None


# -- Tables ------------------------------------------------------------------------------------------------------------


def _types(module: Module) -> dict[str, DerivedType]:
    """The derived types that a module has tables of, by the names of these."""
    tables = {g.name: g for g in module.variables if "type_infoT" in g.line and g.initializer is not None}
    leaves = {
        name: dict(read_constant(g.parts.type, g.initializer or "", module.types).leaves())
        for name, g in tables.items()
    }
    found = {}
    for name, g in tables.items():
        if "type_infoTderivedtype" not in g.line.partition("{")[0]:
            continue
        at = leaves[name]
        base = _address(at, 232)
        count = _number(at, 264)
        if count and (base is None or base not in leaves or tables[base].parts.type.size != _COMPONENT * count):
            continue  # of another flang
        components = [_component(leaves[base], i * _COMPONENT) for i in range(count)] if base else []
        flags = [_number(at, 429 + i) for i in range(3)]
        found[name] = DerivedType(name, _number(at, 88), tuple(components), not flags[2])
    return found


def _component(at: dict[int, Part], start: int) -> Component:
    genre, category, kind, rank = (_number(at, start + _HEAD + i) for i in range(4))
    derived, initial = _address(at, start + 56), _address(at, start + 248)
    return Component(genre, category, kind, rank, _number(at, start + 32), derived, initial)


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


def _initialize(type_: DerivedType, types: dict[str, DerivedType]) -> str:
    """Allocatable components are not allocated, pointers point nowhere, and objects within are set in turn."""
    routine = "_FortranAInitialize"
    lines = [f"define internal void {_part(routine, type_.table)}(ptr %at) alwaysinline {{"]
    for i, c in enumerate(type_.components):
        if c.genre == _DATA:
            if c.derived is not None:
                lines += [
                    f"  %c{i} = getelementptr i8, ptr %at, i64 {c.offset}",
                    f"  call void {_part(routine, c.derived)}(ptr %c{i})",
                ]
            elif c.initial is not None:
                lines += _initial_value(i, c, c.initial)
            continue
        is_derived = c.derived is not None
        size = types[c.derived].size if c.derived is not None else c.size
        code = 42 if is_derived else c.type_code
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
    return "\n".join([*lines, "  ret void", "}"])


def _initial_value(i: int, component: Component, source: str) -> list[str]:
    """Copies a number, or the two of a complex one."""
    is_integer = component.category in (_INTEGER, _LOGICAL)
    kind = f"i{8 * component.kind}" if is_integer else {2: "half", 4: "float", 8: "double"}[component.kind]
    lines = []
    for k in range(component.size // component.kind):
        lines += [
            f'  %v{i}.{k}.at = getelementptr i8, ptr @"{source}", i64 {k * component.kind}',
            f"  %v{i}.{k} = load {kind}, ptr %v{i}.{k}.at, align {component.kind}",
            f"  %c{i}.{k} = getelementptr i8, ptr %at, i64 {component.offset + k * component.kind}",
            f"  store {kind} %v{i}.{k}, ptr %c{i}.{k}, align {component.kind}",
        ]
    return lines


def _destroy(type_: DerivedType, types: dict[str, DerivedType]) -> str:
    """What is allocated is freed, after what its objects have allocated themselves."""
    routine = "_FortranADestroy"
    lines = [
        f"define internal void {_part(routine, type_.table)}(ptr %at) alwaysinline {{",
        "  br label %next0",
        "next0:",
    ]
    for i, c in enumerate(type_.components):
        lines.append(f"  %c{i} = getelementptr i8, ptr %at, i64 {c.offset}")
        if c.genre == _DATA and c.derived is not None:
            lines.append(f"  call void {_part(routine, c.derived)}(ptr %c{i})")
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


_ROUTINES = {"_FortranAInitialize": _initialize, "_FortranADestroy": _destroy}
