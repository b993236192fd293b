"""Objects of Fortran's derived types: what begins and ends their lives, and copies them, written out by their tables.

flang's runtime does this with the tables that a module has of its types. Here each type gets a function for each verb:
one that gives a new object its first values, one that frees what an object owns, and one that copies an object. Where a
type is found out when the program runs (`class`), all that it may be are tried.

`run` gives them to the bodies of the runtime's functions in gradir's library, which know how many objects there are and
ask for what is done with each.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import pairwise

from gradir.machine.analysis.languages.derived_types import (
    ALLOCATABLE,
    CFI_VERSION,
    DATA,
    DIMENSION,
    HEAD,
    INTEGER,
    LOGICAL,
    OBJECT,
    POINTER,
    TEXT,
    Component,
    DerivedType,
    known_types,
    types_of,
)
from gradir.machine.ir import VOID, Module, Type
from gradir.machine.ir.text.reader import extend

__all__ = ["ASSIGN", "DESTROY", "INITIALIZE", "add_for_type", "can_be_assigned", "is_settled", "name_for", "run"]

INITIALIZE, DESTROY, ASSIGN = (f"gradir.objects.{verb}" for verb in ("initialize", "destroy", "assign"))
_REFUSED = "_FortranAObjectsOfTypesThatAreNotWrittenOut"
"""Nobody defines it: what would call it is refused by its name."""
_STOP = "_FortranAReportFatalUserError"
_MESSAGE = "gradir.objects.message"
_ASSIGNMENT = "_FortranAAssignPolymorphic"
_BY_THE_RUNTIME = {
    "fortran_initialized": "_FortranAInitialize",
    "fortran_destroyed": "_FortranADestroy",
    "fortran_assigned_objects": _ASSIGNMENT,
}
"""What the runtime has for functions of the library."""
_TAKEN = {"_FortranAInitialize": "ptr, ptr, i32", "_FortranADestroy": "ptr", _ASSIGNMENT: "ptr, ptr, ptr, i32"}
_DONE_AS_WELL = ("_FortranADestroyWithoutFinalization", "_FortranAAssignTemporary")
_UNKNOWN = "a derivative met an object of a type that another file defines"

Types = dict[str, DerivedType]


def run(module: Module) -> bool:
    """Define what the module declares of the functions that take an object of whatever type; whether there were any."""
    wanted = [v for v in _WRITERS if v in module.functions and module.functions[v].is_declaration]
    if not wanted:
        return False
    all_types = types_of(module)
    types = known_types(all_types)
    _declare_memory(module)
    all_known = len(types) == len(all_types)
    if not all_known:
        _leave_to_the_runtime(module)
    for verb in wanted:
        chosen = [t.table for t in types.values() if verb != ASSIGN or can_be_assigned(t, types)]
        for table in chosen:
            add_for_type(module, verb, table, types, all_known)
        extend(module, _by_type(verb, verb, chosen, _otherwise(module, all_known and len(chosen) == len(types))))
    return True


def _leave_to_the_runtime(module: Module) -> None:
    """Let the library call the runtime, which knows all types but has no derivatives: of objects without active numbers
    none is needed, others are refused."""
    for helper, routine in _BY_THE_RUNTIME.items():
        given = "ptr %a0, ptr %a1" if routine == _ASSIGNMENT else "ptr %a0"
        rest = "" if routine == "_FortranADestroy" else ", ptr null, i32 0"
        result = module.functions[routine].result if routine in module.functions else VOID
        _define_anew(module, f"gradir.library.{helper}", VOID, given, f"call {result} @{routine}({given}{rest})")
    for name in ("_FortranAInitialize", "_FortranADestroy", *_DONE_AS_WELL, _ASSIGNMENT):
        function = module.functions.get(name)
        taken = ", ".join(str(a.type) for a in function.arguments) if function is not None else _TAKEN.get(name)
        if taken is not None:
            result = function.result if function is not None else VOID
            if function is not None:
                module.remove(name)
            extend(module, f"declare {result} @{name}({taken})")


def _define_anew(module: Module, name: str, result: Type, given: str, action: str) -> None:
    if name in module.functions:
        module.remove(name)
        extend(module, f"define internal {result} @{name}({given}) alwaysinline {{\n  {action}\n  ret {result}\n}}")


def add_for_type(module: Module, verb: str, table: str, types: Types, all_known: bool) -> None:
    """Add the function for objects of a type, and what it needs for those in them; each once."""
    if name_for(verb, table) in module.functions:
        return
    _declare_memory(module)
    extend(module, _WRITERS[verb](types[table], types))
    for c in types[table].components:
        if c.derived is None or c.genre == POINTER:
            continue
        candidates = _may_be(c, types)
        needs = [verb] if verb != ASSIGN or c.genre == DATA else [INITIALIZE, DESTROY, ASSIGN]
        for needed in needs:
            for other in candidates:
                add_for_type(module, needed, other, types, all_known)
            if len(candidates) > 1 and (several := _for_any(needed, c.derived)) not in module.functions:
                extend(module, _by_type(several, needed, candidates, _otherwise(module, all_known)))


def can_be_assigned(type_: DerivedType, types: Types, within: frozenset[str] = frozenset()) -> bool:
    """Whether objects are copied component by component: none of these has an assignment of its own."""
    owned = [c for c in type_.components if c.derived is not None and c.genre != POINTER]
    inner = {other for c in owned for other in _may_be(c, types)}
    return all(
        not types[name].is_assigned_by_procedure and can_be_assigned(types[name], types, within | {type_.table})
        for name in inner - within - {type_.table}
    )


def is_settled(type_: DerivedType, types: Types, within: frozenset[str] = frozenset()) -> bool:
    """Whether it is known of all objects that an object owns of which type they are."""
    owned = [c for c in type_.components if c.derived is not None and c.genre != POINTER]
    inner = {other for c in owned for other in _may_be(c, types)} - within - {type_.table}
    return all(len(_may_be(c, types)) == 1 for c in owned) and all(
        is_settled(types[name], types, within | {type_.table}) for name in inner
    )


def name_for(verb: str, table: str) -> str:
    return f"{verb}.{table}"


def _for_any(verb: str, table: str) -> str:
    return f"{verb}.any.{table}"


def _may_be(component: Component, types: Types) -> list[str]:
    """The types that objects of a component may have: one that is allocated may be of one that extends its own."""
    assert component.derived is not None
    if component.genre == DATA:
        return [component.derived]
    return [name for name in types if _extends(name, component.derived, types)]


def _extends(name: str | None, ancestor: str, types: Types) -> bool:
    while name is not None and name != ancestor:
        name = types[name].parent if name in types else None
    return name is not None


# -- By the type that is found -----------------------------------------------------------------------------------------


def _by_type(name: str, verb: str, tables: Iterable[str], end: list[str]) -> str:
    """What does for an object what is right for the type whose table it is given."""
    objects = ["ptr %at", "ptr %from"][: 2 if verb == ASSIGN else 1]
    lines = [f'define internal void @"{name}"({", ".join(objects)}, ptr %type) alwaysinline {{', "  br label %test0"]
    number = 0
    for number, table in enumerate(tables, 1):
        i = number - 1
        lines += [
            f"test{i}:",
            f'  %is{i} = icmp eq ptr %type, @"{table}"',
            f"  br i1 %is{i}, label %do{i}, label %test{number}",
            f"do{i}:",
            f'  call void @"{name_for(verb, table)}"({", ".join(objects)})',
            "  ret void",
        ]
    return "\n".join([*lines, f"test{number}:", *end, "}"])


def _otherwise(module: Module, all_known: bool) -> list[str]:
    """The program ends where all types of the module are known and another is met; else it is not known what to do."""
    if not all_known:
        if _REFUSED not in module.functions:
            extend(module, f"declare void @{_REFUSED}()")
        return [f"  call void @{_REFUSED}()", "  ret void"]
    if _MESSAGE not in module.globals:
        extend(module, f'@{_MESSAGE} = internal constant [{len(_UNKNOWN) + 1} x i8] c"{_UNKNOWN}\\00"')
    if _STOP not in module.functions:
        extend(module, f"declare void @{_STOP}(ptr, ptr, i32)")
    result = module.functions[_STOP].result
    return [f"  call {result} @{_STOP}(ptr @{_MESSAGE}, ptr null, i32 0)", "  unreachable"]


def _declare_memory(module: Module) -> None:
    """Declare what allocates, frees and copies."""
    for name, line in _MEMORY.items():
        if name not in module.functions:
            extend(module, line)


_MEMORY = {
    "malloc": "declare noalias ptr @malloc(i64)",
    "free": "declare void @free(ptr)",
    "llvm.memcpy.p0.p0.i64": "declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)",
    "llvm.memmove.p0.p0.i64": "declare void @llvm.memmove.p0.p0.i64(ptr, ptr, i64, i1)",
}


# -- For one type ------------------------------------------------------------------------------------------------------


def _begin(verb: str, type_: DerivedType) -> str:
    given = "ptr %at, ptr %from" if verb == ASSIGN else "ptr %at"
    return f'define internal void @"{name_for(verb, type_.table)}"({given}) alwaysinline {{'


def _initialize(type_: DerivedType, types: Types) -> str:
    """Allocatable components are not allocated, pointers point nowhere, and objects within are set in turn."""
    lines = [_begin(INITIALIZE, type_)]
    for i, c in enumerate(type_.components):
        if c.genre == DATA:
            if c.derived is not None:
                lines += _within(i, c, types[c.derived], INITIALIZE)
            elif c.initial is not None:
                lines += _initial_value(i, c, c.initial)
            continue
        if c.initial is not None:  # a pointer that has a target from the start
            lines += [
                f"  %c{i} = getelementptr i8, ptr %at, i64 {c.offset}",
                f'  call void @llvm.memcpy.p0.p0.i64(ptr %c{i}, ptr @"{c.initial}", i64 {HEAD + DIMENSION * c.rank}, '
                "i1 false)",
            ]
            continue
        is_derived = c.derived is not None
        size = types[c.derived].size if c.derived is not None else c.size
        code = OBJECT if is_derived else c.type_code
        fields = [(0, "ptr", "null"), (8, "i64", size), (16, "i32", CFI_VERSION), (20, "i8", c.rank), (21, "i8", code)]
        fields += [(22, "i8", 1 if c.genre == POINTER else 2), (23, "i8", int(is_derived))]
        if is_derived:
            after = HEAD + DIMENSION * c.rank
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


def _within(i: int, component: Component, type_: DerivedType, verb: str) -> list[str]:
    """Does something with an object that lies in another one, or with each of an array of some."""
    lines = []
    for k in range(component.count or 0):
        lines += [
            f"  %c{i}.{k} = getelementptr i8, ptr %at, i64 {component.offset + k * type_.size}",
            f'  call void @"{name_for(verb, type_.table)}"(ptr %c{i}.{k})',
        ]
    return lines


def _initial_value(i: int, component: Component, source: str) -> list[str]:
    """Copies a number, the two of a complex one, those of an array, or text."""
    if component.category == TEXT:
        size = (component.count or 0) * component.size
        return [
            f"  %c{i} = getelementptr i8, ptr %at, i64 {component.offset}",
            f'  call void @llvm.memcpy.p0.p0.i64(ptr %c{i}, ptr @"{source}", i64 {size}, i1 false)',
        ]
    is_integer = component.category in (INTEGER, LOGICAL)
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


def _destroy(type_: DerivedType, types: Types) -> str:
    """What is allocated is freed, after what its objects have allocated themselves."""
    lines = [_begin(DESTROY, type_), "  br label %next0", "next0:"]
    for i, c in enumerate(type_.components):
        lines.append(f"  %c{i} = getelementptr i8, ptr %at, i64 {c.offset}")
        if c.genre == DATA and c.derived is not None:
            lines += _within(i, c, types[c.derived], DESTROY)
        if c.genre != ALLOCATABLE:
            lines += [f"  br label %next{i + 1}", f"next{i + 1}:"]
            continue
        lines += [
            f"  %base{i} = load ptr, ptr %c{i}, align 8",
            f"  %there{i} = icmp ne ptr %base{i}, null",
            f"  br i1 %there{i}, label %free{i}, label %next{i + 1}",
            f"free{i}:",
        ]
        if c.derived is not None:
            lines += [*_type_in(f"%c{i}", c), *_count(f"%c{i}", c)]
            lines += _each(f"e{i}", f"free{i}", f"%c{i}", [f"%base{i}"], c, types, [DESTROY])
        lines += [
            f"  call void @free(ptr %base{i})",
            f"  store ptr null, ptr %c{i}, align 8",
            f"  br label %next{i + 1}",
            f"next{i + 1}:",
        ]
    return "\n".join([*lines, "  ret void", "}"])


def _assignment(type_: DerivedType, types: Types) -> str:
    """Data and pointers are copied; what is allocated is allocated anew, and copied."""
    lines = [_begin(ASSIGN, type_), "  br label %next0", "next0:"]
    starts = sorted({c.offset for c in type_.components} | {offset for offset, _ in type_.procedures})
    ends = dict(pairwise([*starts, type_.size]))
    for i, c in enumerate(type_.components):
        if c.genre == DATA and c.derived is not None:
            for k in range(c.count or 0):
                at = c.offset + k * types[c.derived].size
                lines += [
                    f"  %t{i}.{k} = getelementptr i8, ptr %at, i64 {at}",
                    f"  %f{i}.{k} = getelementptr i8, ptr %from, i64 {at}",
                    f'  call void @"{name_for(ASSIGN, c.derived)}"(ptr %t{i}.{k}, ptr %f{i}.{k})',
                ]
        elif c.genre == ALLOCATABLE:
            lines += _reallocated(i, c, types)
            continue
        else:
            lines += _copied(f"d{i}", c.offset, ends[c.offset] - c.offset)
        lines += [f"  br label %next{i + 1}", f"next{i + 1}:"]
    for i, (offset, _) in enumerate(type_.procedures):
        lines += _copied(f"p{i}", offset, 8)
    return "\n".join([*lines, "  ret void", "}"])


def _copied(name: str, offset: int, size: int) -> list[str]:
    return [
        f"  %{name}.to = getelementptr i8, ptr %at, i64 {offset}",
        f"  %{name}.from = getelementptr i8, ptr %from, i64 {offset}",
        f"  call void @llvm.memmove.p0.p0.i64(ptr %{name}.to, ptr %{name}.from, i64 {size}, i1 false)",
    ]


def _reallocated(i: int, component: Component, types: Types) -> list[str]:
    """Copies an allocatable component: numbers, or objects that own memory in turn."""
    to, source, derived = f"%t{i}", f"%f{i}", component.derived
    lines = [
        f"  {to} = getelementptr i8, ptr %at, i64 {component.offset}",
        f"  {source} = getelementptr i8, ptr %from, i64 {component.offset}",
        f"  %old{i} = load ptr, ptr {to}, align 8",
        f"  %given{i} = load ptr, ptr {source}, align 8",
        f"  %there{i} = icmp ne ptr %given{i}, null",
        f"  %was{i} = icmp ne ptr %old{i}, null",
        *_count(source, component),
        *(_count(to, component) if derived is not None else ()),
    ]
    size = str(component.size)
    if derived is not None:
        lines += [*_type_in(source, component), *_type_in(to, component)]
        size = f"{source}.size"
        lines += [
            f"  store i64 {size}, ptr {to}.size.at, align 8",
            f"  store ptr {source}.type, ptr {to}.type.at, align 8",
        ]
    for at in range(HEAD, HEAD + DIMENSION * component.rank, 8):
        lines += [
            f"  {source}.{at}.at = getelementptr i8, ptr {source}, i64 {at}",
            f"  {to}.{at}.at = getelementptr i8, ptr {to}, i64 {at}",
            f"  {source}.{at} = load i64, ptr {source}.{at}.at, align 8",
            f"  store i64 {source}.{at}, ptr {to}.{at}.at, align 8",
        ]
    lines += [
        f"  br i1 %there{i}, label %copy{i}, label %none{i}",
        f"copy{i}:",
        f"  %bytes{i} = mul i64 {source}.count, {size}",
        f"  %new{i} = call ptr @malloc(i64 %bytes{i})",
    ]
    if derived is None:
        lines.append(f"  call void @llvm.memcpy.p0.p0.i64(ptr %new{i}, ptr %given{i}, i64 %bytes{i}, i1 false)")
    else:
        objects = [f"%new{i}", f"%given{i}"]
        lines += _each(f"n{i}", f"copy{i}", source, objects, component, types, [INITIALIZE, ASSIGN])
    lines += [
        f"  br label %set{i}",
        f"none{i}:",
        f"  br label %set{i}",
        f"set{i}:",
        f"  %base{i} = phi ptr [ %new{i}, %{'over.n' if derived is not None else 'copy'}{i} ], [ null, %none{i} ]",
        f"  store ptr %base{i}, ptr {to}, align 8",
        f"  br i1 %was{i}, label %free{i}, label %next{i + 1}",
        f"free{i}:",
    ]
    if derived is not None:
        lines += _each(f"o{i}", f"free{i}", to, [f"%old{i}"], component, types, [DESTROY])
    return [*lines, f"  call void @free(ptr %old{i})", f"  br label %next{i + 1}", f"next{i + 1}:"]


def _type_in(descriptor: str, component: Component) -> list[str]:
    """The table of the type that the objects of a component have now, and the bytes of each."""
    return [
        f"  {descriptor}.type.at = getelementptr i8, ptr {descriptor}, i64 {HEAD + DIMENSION * component.rank}",
        f"  {descriptor}.type = load ptr, ptr {descriptor}.type.at, align 8",
        f"  {descriptor}.size.at = getelementptr i8, ptr {descriptor}, i64 8",
        f"  {descriptor}.size = load i64, ptr {descriptor}.size.at, align 8",
    ]


def _count(descriptor: str, component: Component) -> list[str]:
    """How many elements there are in an allocatable component."""
    lines, count = [], "1"
    for r in range(component.rank):
        at = HEAD + DIMENSION * r + 8
        lines += [
            f"  {descriptor}.extent{r}.at = getelementptr i8, ptr {descriptor}, i64 {at}",
            f"  {descriptor}.extent{r} = load i64, ptr {descriptor}.extent{r}.at, align 8",
            f"  {descriptor}.count{r} = mul i64 {count}, {descriptor}.extent{r}",
        ]
        count = f"{descriptor}.count{r}"
    return [*lines, f"  {descriptor}.count = add i64 {count}, 0"]


def _each(
    name: str, before: str, descriptor: str, bases: list[str], component: Component, types: Types, verbs: list[str]
) -> list[str]:
    """What is done with each object of an allocated component, or with each of two at once."""
    assert component.derived is not None
    is_one_type = len(_may_be(component, types)) == 1
    size = str(types[component.derived].size) if is_one_type else f"{descriptor}.size"
    lines = [
        f"  br label %loop.{name}",
        f"loop.{name}:",
        f"  %k.{name} = phi i64 [ 0, %{before} ], [ %k.{name}.next, %body.{name} ]",
        f"  %more.{name} = icmp slt i64 %k.{name}, {descriptor}.count",
        f"  br i1 %more.{name}, label %body.{name}, label %over.{name}",
        f"body.{name}:",
        f"  %byte.{name} = mul i64 %k.{name}, {size}",
    ]
    lines += [f"  %x{n}.{name} = getelementptr i8, ptr {base}, i64 %byte.{name}" for n, base in enumerate(bases)]
    for verb in verbs:
        objects = [f"ptr %x{n}.{name}" for n in range(2 if verb == ASSIGN else 1)]
        function = name_for(verb, component.derived)
        if not is_one_type:
            function = _for_any(verb, component.derived)
            objects.append(f"ptr {descriptor}.type")
        lines.append(f'  call void @"{function}"({", ".join(objects)})')
    return [*lines, f"  %k.{name}.next = add i64 %k.{name}, 1", f"  br label %loop.{name}", f"over.{name}:"]


_WRITERS: dict[str, Callable[[DerivedType, Types], str]] = {
    INITIALIZE: _initialize,
    DESTROY: _destroy,
    ASSIGN: _assignment,
}
