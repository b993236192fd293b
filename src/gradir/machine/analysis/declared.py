"""Types that the program's source declared for memory, as LLVM's own types, TBAA and debug information tell them.

A declared type is named by a key: the number of a debug-information node (`"!17"`), a TBAA type (`"tbaa !9"`), or an
LLVM type. Its fields are found when they are asked for, so a type that refers to itself is no trouble.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from gradir.machine.analysis.contents import ARRAY, BITS, DECLARED, Contents, Kind, Object, Spot, Target, shift
from gradir.machine.ir import Function, Module, Type

__all__ = ["Declarations", "Field", "Key"]

Key = str | Type

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
_NODES = re.compile(r"!\d+|null")
_MEMBER = re.compile(r"(!\d+), i64 (\d+)")


class Declarations:
    """The declared types of one module."""

    def __init__(self, module: Module) -> None:
        self.module = module
        self.known: dict[Key, tuple[Field, ...]] = {}
        self.sizes: dict[str, int] = {}
        self.tags: dict[str, tuple[Kind | None, str, int]] = {}
        self._variables: dict[str, dict[int, tuple[str, str]]] | None = None

    # -- laying a type over memory ----------------------------------------------------------------------------------

    def lay(self, memory: Contents, target: Target, key: Key, why: str, *, array: bool = False) -> None:
        """Claim what `key` declares where a pointer points to. An `array` may have more than one element."""
        obj = memory.settle(target)
        for spot in target.spots:
            self._lay(memory, obj, spot, key, why, 0)
            if array and spot[1] == 0 and (size := self.size(key)):
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
                if size := self.size(field.pointee):
                    self._lay(memory, inner, (pointee.spots[0][0], size, False), field.pointee, why, depth + 1, ARRAY)

    def fields(self, key: Key) -> tuple[Field, ...]:
        found = self.known.get(key)
        if found is None:
            self.known[key] = ()  # what holds itself by value can't be, but broken debug information might say so
            if isinstance(key, Type):
                found = tuple(_type_fields(key))
            elif key.startswith("tbaa "):
                found = tuple(self._tbaa_fields(key[5:]))
            else:
                found = tuple(self._debug_fields(key))
            self.known[key] = found = found[:_MOST_FIELDS]
        return found

    def size(self, key: Key) -> int:
        """Bytes from one to the next in an array; 0 if that is not known."""
        if isinstance(key, Type):
            return key.size
        if key.startswith("tbaa "):
            fields = self.fields(key)
            return fields[0].size if len(fields) == 1 else 0
        return self._debug_size(key)

    # -- TBAA -------------------------------------------------------------------------------------------------------

    def tag(self, tag: str) -> tuple[Kind | None, str, int]:
        """Of an access tag: the kind of what is accessed, the TBAA type around it, and the offset in that one."""
        found = self.tags.get(tag)
        if found is None:
            text = self.module.metadata.get(tag, "")
            m = re.match(r"!\{(!\d+), (!\d+), i64 (\d+)", text)
            found = (self._tbaa_kind(m[2]), f"tbaa {m[1]}", int(m[3])) if m else (None, "", 0)
            self.tags[tag] = found
        return found

    def _tbaa_name(self, node: str) -> str | None:
        m = re.match(r'!\{!"([^"]*)"', self.module.metadata.get(node, ""))
        return m[1] if m else None

    def _tbaa_kind(self, node: str) -> Kind | None:
        name = self._tbaa_name(node)
        if name is None:
            return None
        if name in _TBAA_FLOATS:
            return _TBAA_FLOATS[name]
        if name in ("any pointer", "vtable pointer") or re.match(r"p\d+ ", name):
            return Kind.pointer
        if name in _TBAA_SIZES or name.startswith("_ZTS"):
            return Kind.integer
        return None

    def _tbaa_fields(self, node: str) -> list[Field]:
        name = self._tbaa_name(node)
        kind = self._tbaa_kind(node)
        if name in _TBAA_FLOATS or name in _TBAA_SIZES or kind is Kind.pointer:
            assert kind is not None
            pointee: Key | None = None
            if name is not None and name.startswith("p1 ") and name[3:] in _TBAA_FLOATS:
                pointee = _TBAA_FLOATS[name[3:]].float_type
            return [Field(0, 0, kind.size or _TBAA_SIZES.get(name or "", 0), kind, DECLARED, pointee)]
        if name is None or name == "omnipotent char":
            return []
        found = []
        for inner, offset in _MEMBER.findall(self.module.metadata.get(node, "")):
            found += [f._replace(offset=f.offset + int(offset)) for f in self.fields(f"tbaa {inner}")]
        return found

    # -- debug information ------------------------------------------------------------------------------------------

    def arguments(self, function: Function) -> dict[int, tuple[str, str]]:
        """Names and types (nodes of debug information) of a function's parameters in the source, numbered from 1.

        They are as many as the LLVM function's only where no struct was taken apart to be passed.
        """
        if self._variables is None:
            self._variables = {}
            for text in self.module.metadata.values():
                if text.startswith("!DILocalVariable(") and (m := re.search(r"\barg: (\d+), scope: (!\d+)", text)):
                    type, name = re.search(r"\btype: (!\d+)", text), re.search(r'name: "([^"]*)"', text)
                    if type:
                        self._variables.setdefault(m[2], {})[int(m[1])] = (name[1] if name else "", type[1])
        node = function.metadata.get("dbg", "")
        found = self._variables.get(node)
        if found:
            return found
        types = self._parameter_types(node)
        return {i: ("", t) for i, t in enumerate(types[1:], 1) if t != "null"}

    def result(self, function: Function) -> str | None:
        types = self._parameter_types(function.metadata.get("dbg", ""))
        return types[0] if types and types[0] != "null" else None

    def _parameter_types(self, subprogram: str) -> list[str]:
        m = re.search(r"\btype: (!\d+)", self.module.metadata.get(subprogram, ""))
        m = m and re.search(r"\btypes: (!\d+)", self.module.metadata.get(m[1], ""))
        return _NODES.findall(self.module.metadata.get(m[1], "")) if m else []

    def pointee(self, node: str) -> str | None:
        """Of the type of a pointer or a reference: what it points to."""
        tag, text = self._see(node)
        m = re.search(r"\bbaseType: (!\d+)", text) if tag in _POINTERS else None
        return m[1] if m else None

    def is_descriptor(self, node: str) -> bool:
        """Whether a Fortran array is passed with its bounds, by a pointer to a struct that points to the data."""
        return "dataLocation:" in self._see(node)[1]

    def passed_by_value(self, node: str) -> bool:
        """Whether an argument of a struct type that became a pointer is the pointer in that struct, not its address."""
        tag, text = self._see(node)
        if tag not in ("DW_TAG_structure_type", "DW_TAG_class_type", "DW_TAG_union_type"):
            return False
        return self._debug_size(node) <= 16 and "DIFlagTypePassByReference" not in text

    def is_fortran(self, function: Function) -> bool:
        m = re.search(r"\bunit: (!\d+)", self.module.metadata.get(function.metadata.get("dbg", ""), ""))
        return m is not None and "DW_LANG_Fortran" in self.module.metadata.get(m[1], "")

    def is_pointer(self, node: str) -> bool:
        return self._see(node)[0] in _POINTERS

    def _see(self, node: str) -> tuple[str, str]:
        """The tag and text of a type, through typedefs and qualifiers."""
        for _ in range(64):
            text = self.module.metadata.get(node, "").removeprefix("distinct ")
            m = re.search(r"\btag: (\w+)", text)
            tag = m[1] if m else text.partition("(")[0]
            base = re.search(r"\bbaseType: (!\d+)", text)
            if tag not in _SEE_THROUGH or base is None:
                return tag, text
            node = base[1]
        return "", ""

    def _debug_size(self, node: str) -> int:
        found = self.sizes.get(node)
        if found is None:
            m = re.search(r"\bsize: (\d+)", self._see(node)[1])
            found = self.sizes[node] = int(m[1]) // 8 if m else 0
        return found

    def _debug_fields(self, node: str) -> list[Field]:
        tag, text = self._see(node)
        size = self._debug_size(node)
        if tag == "!DIBasicType":
            return _basic_fields(text, size)
        if tag in _POINTERS:
            return [Field(0, 0, 8, Kind.pointer, DECLARED, self.pointee(node))]
        if tag == "DW_TAG_enumeration_type":
            return [Field(0, 0, size, Kind.integer)]
        if tag == "DW_TAG_array_type":
            return self._array_fields(text)
        if tag in ("DW_TAG_structure_type", "DW_TAG_class_type", "DW_TAG_union_type"):
            return self._member_fields(text)
        return []

    def _array_fields(self, text: str) -> list[Field]:
        base, bounds = re.search(r"\bbaseType: (!\d+)", text), re.search(r"\belements: (!\d+)", text)
        if base is None or "dataLocation:" in text:
            return []
        step = self._debug_size(base[1])
        count = 1
        for bound in _NODES.findall(self.module.metadata.get(bounds[1], "")) if bounds else ():
            m = re.search(r"\bcount: (\d+)", self.module.metadata.get(bound, ""))
            count = count * int(m[1]) if m else 0
        return list(_repeated(self.fields(base[1]), step, count))

    def _is_char(self, node: str) -> bool:
        """Whether it is a single character. As a member that is a small number, elsewhere memory of any type."""
        tag, text = self._see(node)
        return tag == "!DIBasicType" and "size: 8," in text

    def _member_fields(self, text: str) -> list[Field]:
        elements = re.search(r"\belements: (!\d+)", text)
        found: list[Field] = []
        for member in _NODES.findall(self.module.metadata.get(elements[1], "")) if elements else ():
            inner = self.module.metadata.get(member, "")
            base = re.search(r"\bbaseType: (!\d+)", inner)
            if (
                base is None
                or not re.search(r"tag: DW_TAG_(?:member|inheritance)", inner)
                or "DIFlagStaticMember" in inner
            ):
                continue
            offset = re.search(r"\boffset: (\d+)", inner)
            at = int(offset[1]) // 8 if offset else 0
            if "DIFlagBitField" in inner:
                found.append(Field(at, 0, 1, Kind.integer, BITS))
            elif self._is_char(base[1]):
                found.append(Field(at, 0, 1, Kind.integer))
            else:
                found += [f._replace(offset=f.offset + at) for f in self.fields(base[1])]
            if len(found) > _MOST_FIELDS:
                break
        return found


def _basic_fields(text: str, size: int) -> list[Field]:
    m = re.search(r"\bencoding: DW_ATE_(\w+)", text)
    encoding = m[1] if m else ""
    if encoding == "float" and size * 8 in _DWARF_FLOATS:
        return [Field(0, 0, size, _DWARF_FLOATS[size * 8])]
    if encoding == "complex_float" and size * 4 in _DWARF_FLOATS:
        return [Field(at, 0, size // 2, _DWARF_FLOATS[size * 4]) for at in (0, size // 2)]
    if size > 1 or encoding == "boolean":
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
