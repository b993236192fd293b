"""Loads and stores of some lanes of a vector of integers or pointers, written lane by lane.

Vectorised loops over structs gather and scatter their members (`llvm.masked.gather`). Of floats that has a derivative
as it is; integers and pointers have to be told apart, and pointers have shadows, which is known of single ones. What
are surely integers is left as it is.
"""

from __future__ import annotations

from math import gcd

from gradir.machine.analysis.bytes.types import FunctionTypes, TypeAnalysis
from gradir.machine.analysis.intrinsics import MaskedAccess, masked_access
from gradir.machine.ir import Constant, Function, Instruction, Module, Type, Value
from gradir.machine.ir.attributes import Attributes
from gradir.machine.ir.constants import read_constant
from gradir.machine.ir.instructions import (
    add_offset,
    alloca,
    extract_lane,
    insert_lane,
    load,
    located,
    select,
    store,
)

__all__ = ["run"]

_NAMES = ("llvm.masked.load.", "llvm.masked.store.", "llvm.masked.gather.", "llvm.masked.scatter.")


def run(module: Module, types: TypeAnalysis) -> bool:
    """Write such accesses lane by lane. Whether there were any."""
    if not any(name.startswith(_NAMES) for name in module.functions):
        return False
    found = False
    for function in module.definitions:
        if function.may_hold("llvm.masked."):
            calls = [i for i in function.instructions() if (i.callee_name or "").startswith(_NAMES)]
            work = [i for i in calls if not _is_left(i, types.of(function))]
            lanes = _Lanes(function)
            for i in work:
                lanes.write(i)
            found |= bool(work)
    return found


def _is_left(i: Instruction, types: FunctionTypes) -> bool:
    access = masked_access(i)
    assert access is not None
    moved: Value = access.stored or i
    return moved.type.is_float or moved.type.scalable or types.is_number(access.pointer, moved.type.element)


class _Lanes:
    """The accesses of one function."""

    def __init__(self, function: Function) -> None:
        self.function = function
        self._nowhere: dict[Type, Instruction] = {}

    def write(self, i: Instruction) -> None:
        access = masked_access(i)
        assert access is not None
        type = (access.stored or i).type
        made: Value = Constant(type, "poison")
        for lane, on in enumerate(_mask(access.mask)):
            if access.stored is not None:
                self._store(i, access.stored, access, lane, on)
                continue
            part = self._load(i, type.element, access, lane, on)
            if part is not None:
                made = self._before(i, insert_lane(made, part, lane, "lanes"))
        i.erase(made if access.stored is None else None)

    def _store(self, i: Instruction, stored: Value, access: MaskedAccess, lane: int, on: bool | None) -> None:
        if on is not False:
            value = self._before(i, extract_lane(stored, lane, "lane"))
            place, align = self._place(i, access, value.type, lane, on)
            self._before(i, store(value, place, align))

    def _load(self, i: Instruction, type: Type, access: MaskedAccess, lane: int, on: bool | None) -> Value | None:
        """What a lane becomes; None of one that nobody gives a value."""
        through = access.passthrough
        if isinstance(through, Constant) and through.is_undefined:
            through = None
        instead = self._before(i, extract_lane(through, lane, "lane")) if through is not None and not on else None
        if on is False:
            return instead
        place, align = self._place(i, access, type, lane, on)
        part = self._before(i, load(type, place, align, "lane"))
        if on or instead is None:
            return part
        return self._before(i, select(self._on(i, access, lane), part, instead, "lane"))

    def _place(self, i: Instruction, access: MaskedAccess, type: Type, lane: int, on: bool | None) -> tuple[Value, int]:
        """Where a lane is loaded from or stored to, and its alignment: where its mask is off, to where nobody looks."""
        said: list[str] = i.info["argument_attributes"]  # type: ignore[assignment]
        align = int(Attributes(said[i.arguments.index(access.pointer)]).value("align") or 1)
        place: Value
        if access.pointer.type.kind == "vector":
            place = self._before(i, extract_lane(access.pointer, lane, "at"))
        elif lane:
            place = self._before(i, add_offset(access.pointer, lane * type.size, "at"))
            align = gcd(align, lane * type.size)
        else:
            place = access.pointer
        if on is None:
            place = self._before(i, select(self._on(i, access, lane), place, self._none(type)))
        return place, min(align, type.align)

    def _on(self, i: Instruction, access: MaskedAccess, lane: int) -> Instruction:
        return self._before(i, extract_lane(access.mask, lane, "on"))

    def _none(self, type: Type) -> Instruction:
        if type not in self._nowhere:
            self._nowhere[type] = alloca(type, type.align, "nowhere")
            self.function.entry.insert(0, self._nowhere[type])
        return self._nowhere[type]

    @staticmethod
    def _before(i: Instruction, made: Instruction) -> Instruction:
        i.insert_before(located(made, i))
        return made


def _mask(mask: Value) -> list[bool | None]:
    """Of each lane whether it is on; None if that isn't known."""
    count = mask.type.count
    if not isinstance(mask, Constant):
        return [None] * count
    if mask.is_undefined or mask.ref == "zeroinitializer":
        return [False] * count
    return [part.integer == 1 for part in read_constant(mask.type, mask.ref).parts]
