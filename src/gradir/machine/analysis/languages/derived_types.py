"""Fortran's derived types: what flang's tables in a module say of their components."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass

from gradir.machine.ir import Global, Module
from gradir.machine.ir.constants import Part, read_constant

__all__ = [
    "ALLOCATABLE",
    "CFI_TYPES",
    "CFI_VERSION",
    "COMPLEX",
    "DATA",
    "DIMENSION",
    "HEAD",
    "INTEGER",
    "LOGICAL",
    "OBJECT",
    "POINTER",
    "TEXT",
    "Component",
    "DerivedType",
    "known_types",
    "types_of",
]

CFI_VERSION = 20180515
CFI_TYPES = {"f4": 27, "f8": 28, "i4": 9, "i8": 10, "c8": 34, "c16": 35}
"""What a descriptor says of its elements, by the letter and the bytes of NumPy's name of their type."""
HEAD, DIMENSION = 24, 24
"""Bytes of a descriptor before its dimensions, and of one of these."""
OBJECT = 42
"""What a descriptor says of objects."""
DATA, POINTER, ALLOCATABLE = 1, 2, 3
INTEGER, _REAL, COMPLEX, TEXT, LOGICAL, _DERIVED = 0, 1, 2, 3, 4, 5
_NUMBERS = (INTEGER, _REAL, COMPLEX, LOGICAL)
_LETTERS = {INTEGER: "i", _REAL: "f", COMPLEX: "c"}
_TYPE_CODES = {**CFI_TYPES, "i1": 7, "i2": 8}
_COMPONENT, _PROCEDURE = 256, 40
"""Bytes of what a table tells of a component, and of one that is a pointer to a procedure."""
_MOST_WRITTEN_OUT = 64
_EXPLICIT = 2
"""How the table marks a length that is the same for all objects of a type."""
_FINAL = 7
"""The first of the bits that say of which kinds final procedures are; those before say of which assignments are."""


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
    length: int | None = None
    """Of text: how many characters, if that is known."""

    @property
    def size(self) -> int:
        """The bytes of a number, or of a text."""
        return self.kind * (2 if self.category == COMPLEX else (self.length or 0) if self.category == TEXT else 1)

    @property
    def type_code(self) -> int | None:
        """What the descriptor of a number or of several says of them."""
        return _TYPE_CODES.get(f"{_LETTERS.get(self.category)}{self.size}")

    @property
    def is_known(self) -> bool:
        if self.category == _DERIVED:
            few = self.count is not None and self.count <= _MOST_WRITTEN_OUT
            return self.derived is not None and self.initial is None and (self.genre != DATA or few)
        if self.genre == DATA:
            few = self.count is not None and self.count <= _MOST_WRITTEN_OUT
            is_text = self.category == TEXT and self.length is not None
            return self.initial is None or (few and (is_text or (self.category in _NUMBERS and self.kind <= 8)))
        return self.genre in (POINTER, ALLOCATABLE) and self.type_code is not None


@dataclass(frozen=True)
class DerivedType:
    """A type: its components, and what else is done with its objects."""

    table: str
    size: int
    components: tuple[Component, ...]
    has_finals: bool
    procedures: tuple[tuple[int, str | None], ...] = ()
    """Where pointers to procedures lie, and what they point to at first."""
    parent: str | None = None
    """The table of the type that it extends."""
    is_assigned_by_procedure: bool = False
    """Whether a procedure of the program's assigns its objects where they are components of others."""


def types_of(module: Module) -> dict[str, DerivedType]:
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
        called = leaves.get(_address(at, 296) or "", {})
        places = [_PROCEDURE * i for i in range(_number(at, 328))]
        procedures = tuple((_number(called, p + 24), _address(called, p + 32)) for p in places)
        if places and not called:
            continue
        special = _number(at, 424)
        may_hold_any = any(c.genre == ALLOCATABLE and c.derived is not None for c in components)
        found[name] = DerivedType(
            name,
            _number(at, 88),
            tuple(components),
            special >> _FINAL != 0 or not (_number(at, 431) or may_hold_any or _holds_objects(components)),
            procedures,
            components[0].derived if components and _number(at, 428) else None,
            special & 6 != 0,
        )
    return found


def _holds_objects(components: Iterable[Component]) -> bool:
    return any(c.genre == DATA and c.derived is not None for c in components)


def known_types(types: dict[str, DerivedType]) -> dict[str, DerivedType]:
    """Those whose components, and theirs in turn, are all of kinds that can be written out."""
    known = {name: t for name, t in types.items() if not t.has_finals and all(c.is_known for c in t.components)}
    while True:
        less = {
            name: t for name, t in known.items() if all(c.derived is None or c.derived in known for c in t.components)
        }
        if len(less) == len(known):
            return known
        known = less


def _points_nowhere(variable: Global, module: Module) -> bool:
    """Whether a variable is the first value of a pointer that points nowhere: `=> null()`."""
    if "E.di." not in variable.name or variable.initializer is None:
        return False
    return dict(read_constant(variable.parts.type, variable.initializer, module.types).leaves())[0].text == "null"


def _component(leaves: dict[str, dict[int, Part]], table: str, start: int, nowhere: Collection[str]) -> Component:
    at = leaves[table]
    genre, category, kind, rank = (_number(at, start + HEAD + i) for i in range(4))
    derived, initial = _address(at, start + 56), _address(at, start + 248)
    if genre == POINTER and initial in nowhere:
        initial = None
    bounds = leaves.get(_address(at, start + 160) or "") if genre == DATA else None
    count: int | None = 1
    for r in range(rank if genre == DATA else 0):
        count = _extent(bounds, r) * count if bounds is not None and count is not None else None
    is_fixed = category == TEXT and genre == DATA and _number(at, start + 40) == _EXPLICIT
    length = _number(at, start + 48) if is_fixed else None
    return Component(genre, category, kind, rank, _number(at, start + 32), derived, initial, count, length)


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
