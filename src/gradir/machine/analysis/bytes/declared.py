"""Types that the program's source declared for memory, as LLVM's own types, TBAA and debug information tell them.

A declared type is a node of debug information, a TBAA type (which is a tuple, so the two can't be confused), or an LLVM
type. Its fields are found when they are asked for, so a type that refers to itself is no trouble.
"""

from __future__ import annotations

from functools import cached_property
from typing import NamedTuple

from gradir.machine.analysis.bytes.contents import ARRAY, BITS, DECLARED, Contents, Kind, Object, Spot, Target, shift
from gradir.machine.ir import Argument, Function, Module, Type
from gradir.machine.ir.metadata import Node
from gradir.machine.ir.model import DebugRecord

__all__ = ["COPIED", "Declarations", "Field", "Key"]

Key = Node | Type

_MOST_FIELDS = 256
_UNROLLED = 16
_DEPTH = 3


class Field(NamedTuple):
    """A scalar in a declared type, or (with a step) as many of them as an array has."""

    offset: int
    step: int
    size: int
    kind: Kind
    weight: int = DECLARED
    pointee: Key | None = None


_TBAA_SIZES = {"bool": 1, "_Bool": 1, "short": 2, "int": 4, "long": 8, "long long": 8, "__int128": 16, "wchar_t": 4}
_TBAA_FLOATS = {"float": Kind.float32, "double": Kind.float64, "_Float16": Kind.float16, "__fp16": Kind.float16}
_TBAA_FLOATS |= {"half": Kind.float16, "__bf16": Kind.bfloat}
_DWARF_FLOATS = {16: Kind.float16, 32: Kind.float32, 64: Kind.float64, 80: Kind.float80, 128: Kind.float80}
_SEE_THROUGH = frozenset(
    f"DW_TAG_{name}_type" for name in ("const", "volatile", "restrict", "atomic", "immutable", "packed")
) | {"DW_TAG_typedef"}
_POINTERS = frozenset(f"DW_TAG_{name}_type" for name in ("pointer", "reference", "rvalue_reference"))
_RECORDS = frozenset({"DW_TAG_structure_type", "DW_TAG_class_type", "DW_TAG_union_type"})

COPIED = "gradir.copied"
"""What says of a parameter that it is the address of a copy, where `byval` said so before the copy was written."""


class Declarations:
    """The declared types of one module."""

    def __init__(self, module: Module) -> None:
        self.module = module
        self.known: dict[Key, tuple[Field, ...]] = {}
        self.tags: dict[str, tuple[Kind | None, Node | None, int]] = {}

    # -- laying a type over memory ----------------------------------------------------------------------------------

    def lay(self, memory: Contents, target: Target, key: Key, why: str, *, array: bool = False) -> None:
        """Claim what `key` declares where a pointer points to. An `array` may have more than one element."""
        obj = memory.settle(target)
        for spot in target.spots:
            self._lay(memory, obj, spot, key, why, 0)
            if array and spot[1] == 0 and (size := self.size(key)) and not self._is_address(key):
                self._lay(memory, obj, (spot[0], size, False), key, why, 0, ARRAY)

    def _lay(
        self, memory: Contents, obj: Object, spot: Spot, key: Key, why: str, depth: int, most: int = DECLARED
    ) -> None:
        if (key, spot) in obj.declared:
            return
        obj.declared.add((key, spot))
        for field in self.fields(key):
            cell = memory.field(obj, shift(spot, field.offset, field.step), field.size)
            memory.claim(cell, field.kind, min(field.weight, most), why)
            if field.pointee is not None and depth < _DEPTH and most > ARRAY:
                pointee = memory.point(cell, why)
                inner = memory.settle(pointee)
                self._lay(memory, inner, pointee.spots[0], field.pointee, why, depth + 1)
                if (size := self.size(field.pointee)) and not self._is_address(field.pointee):
                    self._lay(memory, inner, (pointee.spots[0][0], size, False), field.pointee, why, depth + 1, ARRAY)

    def _is_address(self, key: Key) -> bool:
        """Whether it is a pointer. A pointer to that is where one is to be put as often as it is an array of some."""
        fields = self.fields(key)
        return len(fields) == 1 and fields[0].kind is Kind.pointer and not fields[0].step

    def fields(self, key: Key) -> tuple[Field, ...]:
        found = self.known.get(key)
        if found is None:
            self.known[key] = ()  # what holds itself by value can't be, but broken debug information might say so
            if isinstance(key, Type):
                found = tuple(_type_fields(key))
            elif _is_tbaa(key):
                found = tuple(self._tbaa_fields(key))
            else:
                found = tuple(self._debug_fields(key))
            self.known[key] = found = found[:_MOST_FIELDS]
        return found

    def size(self, key: Key) -> int:
        """Bytes from one to the next in an array; 0 if that is not known."""
        if isinstance(key, Type):
            return key.size
        if _is_tbaa(key):
            fields = self.fields(key)
            return fields[0].size if len(fields) == 1 else 0
        return _debug_size(key)

    # -- TBAA -------------------------------------------------------------------------------------------------------

    def tag(self, tag: str) -> tuple[Kind | None, Node | None, int]:
        """Of an access tag: the kind of what is accessed, the TBAA type around it, and the offset in that one."""
        found = self.tags.get(tag)
        if found is None:
            node = self.module.nodes.node(tag)
            around, accessed, offset = (node.node(0), node.node(1), node.number(2)) if node else (None, None, None)
            if around is not None and accessed is not None and offset is not None:
                found = _tbaa_kind(accessed), around, offset
            else:
                found = None, None, 0
            self.tags[tag] = found
        return found

    def _tbaa_fields(self, node: Node) -> list[Field]:
        name = node.string(0)
        kind = _tbaa_kind(node)
        if name in _TBAA_FLOATS or name in _TBAA_SIZES or kind is Kind.pointer:
            assert kind is not None
            pointee: Key | None = None
            if name is not None and name.startswith("p1 ") and name[3:] in _TBAA_FLOATS:
                pointee = _TBAA_FLOATS[name[3:]].float_type
            return [Field(0, 0, kind.size or _TBAA_SIZES.get(name or "", 0), kind, DECLARED, pointee)]
        if name is None or name == "omnipotent char":
            return []
        found = []
        for i in range(1, len(node.parts), 2):  # members, each with its offset
            inner, offset = node.node(i), node.number(i + 1)
            if inner is not None and offset is not None:
                found += [f._replace(offset=f.offset + offset) for f in self.fields(inner)]
        return found

    # -- debug information ------------------------------------------------------------------------------------------

    @cached_property
    def _variables(self) -> dict[Node, dict[int, tuple[str, Node]]]:
        """For each subprogram the names and types of its parameters, by their numbers."""
        found: dict[Node, dict[int, tuple[str, Node]]] = {}
        for variable in self.module.nodes.of_kind("DILocalVariable"):
            number, scope, type = variable.number("arg"), variable.node("scope"), variable.node("type")
            if number is not None and scope is not None and type is not None:
                found.setdefault(scope, {})[number] = variable.string("name") or "", type
        return found

    def arguments(self, function: Function) -> dict[int, tuple[str, Node]]:
        """Names and types of a function's parameters in the source, numbered from 1.

        They are as many as the LLVM function's only where no struct was taken apart to be passed.
        """
        subprogram = self._subprogram(function)
        if subprogram is not None and subprogram in self._variables:
            return self._variables[subprogram]
        types = self._parameter_types(function)
        return {i: ("", t) for i, t in enumerate(types[1:], 1) if t is not None}

    def told(self, function: Function) -> dict[Argument, tuple[str, Node]]:
        """Names and types of the variables whose values a function's parameters are, as a debugger is told."""
        found = {}
        for record in (record for i in function.instructions() for record in i.records):
            variable = _valued(record, self.module)
            type = variable.node("type") if variable is not None else None
            if variable is None or type is None or variable.node("scope") is not self._subprogram(function):
                continue
            if isinstance(record.operands[0], Argument) and "arg" in variable:
                found[record.operands[0]] = variable.string("name") or "", type
        return found

    def _subprogram(self, function: Function) -> Node | None:
        return self.module.nodes.node(function.metadata.get("dbg"))

    def _parameter_types(self, function: Function) -> list[Node | None]:
        """The types of the result and of the parameters; None for nothing."""
        subprogram = self._subprogram(function)
        type = subprogram.node("type") if subprogram is not None else None
        return type.nodes("types") if type is not None else []

    def pointee(self, node: Node) -> Node | None:
        """Of the type of a pointer or a reference: what it points to."""
        type = _seen(node)
        return type.node("baseType") if type.tag in _POINTERS else None

    def is_descriptor(self, node: Node) -> bool:
        """Whether a Fortran array is passed with its bounds, by a pointer to a struct that points to the data."""
        return "dataLocation" in _seen(node)

    def passed_by_value(self, node: Node) -> bool:
        """Whether an argument of a struct type that became a pointer is the pointer in that struct, not its address."""
        type = _seen(node)
        small = type.tag in _RECORDS and _debug_size(node) <= 16
        return small and "DIFlagTypePassByReference" not in type.words("flags")

    def is_fortran(self, function: Function) -> bool:
        subprogram = self._subprogram(function)
        unit = subprogram.node("unit") if subprogram is not None else None
        return unit is not None and unit.word("language").startswith("DW_LANG_Fortran")

    def is_pointer(self, node: Node) -> bool:
        return _seen(node).tag in _POINTERS

    def _debug_fields(self, node: Node) -> list[Field]:
        type, size = _seen(node), _debug_size(node)
        if type.kind == "DIBasicType":
            return _basic_fields(type, size)
        if type.tag in _POINTERS:
            return [Field(0, 0, 8, Kind.pointer, DECLARED, type.node("baseType"))]
        if type.tag == "DW_TAG_enumeration_type":
            return [Field(0, 0, size, Kind.integer)]
        if type.tag == "DW_TAG_array_type":
            return self._array_fields(type)
        if type.tag in _RECORDS:
            return self._member_fields(type)
        return []

    def _array_fields(self, type: Node) -> list[Field]:
        element = type.node("baseType")
        if element is None or "dataLocation" in type:
            return []
        count = 1
        for bound in type.nodes("elements"):
            length = bound.number("count") if bound is not None else None
            count *= max(length or 0, 0)  # -1 is C's way to say that nobody knows
        return list(_repeated(self.fields(element), _debug_size(element), count))

    def _member_fields(self, type: Node) -> list[Field]:
        found: list[Field] = []
        for member in type.nodes("elements"):
            if member is None or member.tag not in ("DW_TAG_member", "DW_TAG_inheritance"):
                continue
            base, flags = member.node("baseType"), member.words("flags")
            if base is None or "DIFlagStaticMember" in flags:
                continue
            at = (member.number("offset") or 0) // 8
            if "DIFlagBitField" in flags:
                found.append(Field(at, 0, 1, Kind.integer, BITS))
            elif _is_char(base):
                found.append(Field(at, 0, 1, Kind.integer))
            else:
                found += [f._replace(offset=f.offset + at) for f in self.fields(base)]
            if len(found) > _MOST_FIELDS:
                break
        return found


def _is_tbaa(node: Node) -> bool:
    return not node.kind


def _tbaa_kind(node: Node) -> Kind | None:
    name = node.string(0)
    if name is None:
        return None
    if name in _TBAA_FLOATS:
        return _TBAA_FLOATS[name]
    depth = name.partition(" ")[0]  # "p2 double" is the type of pointers to pointers to doubles
    if name in ("any pointer", "vtable pointer") or (depth[0:1] == "p" and depth[1:].isdigit() and depth != name):
        return Kind.pointer
    if name in _TBAA_SIZES or name.startswith("_ZTS"):
        return Kind.integer
    return None


def _valued(record: DebugRecord, module: Module) -> Node | None:
    """The variable that has just the value of an operand."""
    if not record.pieces[0].strip().startswith("#dbg_value(") or len(record.operands) != 1:
        return None
    _, variable, expression = record.pieces[1].split(", ")[:3]
    return module.nodes.node(variable) if expression == "!DIExpression()" else None


def _seen(type: Node) -> Node:
    """A type through typedefs and qualifiers."""
    for _ in range(64):
        base = type.node("baseType") if type.tag in _SEE_THROUGH else None
        if base is None:
            break
        type = base
    return type


def _debug_size(type: Node) -> int:
    return (_seen(type).number("size") or 0) // 8


def _is_char(type: Node) -> bool:
    """Whether it is a single character. As a member that is a small number, elsewhere memory of any type."""
    type = _seen(type)
    return type.kind == "DIBasicType" and type.number("size") == 8


def _basic_fields(type: Node, size: int) -> list[Field]:
    encoding = type.word("encoding")
    if encoding == "DW_ATE_float" and size * 8 in _DWARF_FLOATS:
        return [Field(0, 0, size, _DWARF_FLOATS[size * 8])]
    if encoding == "DW_ATE_complex_float" and size * 4 in _DWARF_FLOATS:
        return [Field(at, 0, size // 2, _DWARF_FLOATS[size * 4]) for at in (0, size // 2)]
    if size > 1 or encoding == "DW_ATE_boolean":
        return [Field(0, 0, size, Kind.integer)]
    return []


def _type_fields(type: Type) -> list[Field]:
    """Of an LLVM type. Integers say little: a union, too, is written as one."""
    if type.kind in ("array", "vector"):
        return list(_repeated(tuple(_type_fields(type.element)), type.element.size, type.count))
    if type.kind == "struct":
        return [
            f._replace(offset=f.offset + at)
            for at, element in zip(type.offsets, type.elements, strict=True)
            for f in _type_fields(element)
        ]
    kind = Kind.of(type)
    if kind is not None:
        return [Field(0, 0, type.size, kind)]
    return [Field(0, 0, type.size, Kind.integer, BITS)] if type.is_integer and type.count > 8 else []


def _repeated(fields: tuple[Field, ...], step: int, count: int) -> list[Field]:
    """The fields of an array; a short one is spelled out. With a `count` of 0 nobody knows how long it is."""
    if 0 < count <= _UNROLLED and count * len(fields) <= _MOST_FIELDS:
        return [f._replace(offset=f.offset + i * step) for i in range(count) for f in fields]
    if len(fields) == 1 and fields[0].step == fields[0].size:
        return list(fields)  # rows of numbers without a gap are one long row
    if any(f.step and f.step != step for f in fields):
        return []  # long arrays in long arrays, of more than one type: no one step describes them
    return [f._replace(step=step) for f in fields] if step else []
