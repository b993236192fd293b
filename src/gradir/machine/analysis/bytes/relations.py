"""What fields, copies and parts of integers say of each other, once it is known where pointers point to."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from gradir.machine.analysis.bits.operations import EXPONENT_BITS, bit_operation, has_no_digits, is_digits, is_sign
from gradir.machine.analysis.bytes.contents import (
    ARRAY,
    BITS,
    DECLARED,
    Cell,
    Kind,
    Object,
    Spot,
    Target,
    access_spot,
    anchor,
    covers,
    decide,
    shift,
)
from gradir.machine.analysis.bytes.resolution import contradicted, fields_over
from gradir.machine.ir import Constant, Instruction, Value

if TYPE_CHECKING:
    from gradir.machine.analysis.bytes.evidence import Evidence

__all__ = ["Relations"]


class Relations:
    """Between fields of an object, the two ends of a copy, the instances of an allocation, an integer and its parts."""

    def __init__(self, facts: Evidence) -> None:
        self.facts, self.memory = facts, facts.memory
        self.copies: list[tuple[Value, Value, int | None, set[object]]] = []
        """Where to, where from, how many bytes (None: unknown), and what was said of it already."""
        self.instances: list[tuple[Value, Instruction]] = []
        """Results of functions that give new memory, and calls of them."""
        self.carries: list[Instruction] = []
        """Shifts and truncations, which may take floats out of an integer."""
        self.changes: list[Instruction] = []
        """Operations on bits that make floats of floats."""
        self.disputes: list[tuple[Cell, Cell]] = []
        """Where something is copied from and where to, and what is known of the two does not agree."""

    def relate(self, loose: bool) -> None:
        for obj in list(self.memory.roots.values()):
            if len(obj.fields) > 1:
                self._arrays(obj, loose)
                self._packed(obj)
        for to, source, length, done in self.copies:
            a, b = self.facts.target(to), self.facts.target(source)
            if a is not None and b is not None:
                self._copy(a, b, length, done)
                self._copy(b, a, length, done)
        for one, other in self.disputes:
            self._may_hold(one, other)
            self._may_hold(other, one)
        for result, call in self.instances:
            if result in self.facts.targets:
                self._instance(self.facts.targets[result], self.facts.targets[call])
        for i in self.carries:
            self._carry(i)
        for i in self.changes if loose else ():
            self._change(i)

    def _arrays(self, obj: Object, loose: bool) -> None:
        """An element of an array, seen alone, is what the others are."""
        cells: dict[int, set[Cell]] = {}
        for (_, _, _, size), cell in obj.fields.items():
            cells.setdefault(size, set()).add(cell.find())
        for (start, step, mixed, size), cell in list(obj.fields.items()):
            claims = cell.find().claims
            # That a pointer may point to an array says nothing of what else is there.
            if not step or len(cells[size]) == 1 or (claims and all(c[0] == ARRAY for c in claims.values())):
                continue
            array, kind = (start, step, mixed), decide(claims)
            if mixed and (kind is None or contradicted(obj, array, size, kind)):
                continue
            for other, at in list(obj.fields.items()):
                if other[3] != size or at.find() is cell.find():
                    continue
                spot = other[:3]
                if not covers(array, spot) and not (other[1] == step and (other[0] - start) % step == 0):
                    continue
                if not _agree(cell.find(), at.find(), loose):
                    continue
                if kind is None or decide(at.find().claims) is kind or not contradicted(obj, spot, size, kind):
                    self.memory.unify(cell, at)

    def _packed(self, obj: Object) -> None:
        """An integer that is moved may carry two smaller ones, or two floats of half its size."""
        for (start, step, mixed, size), cell in list(obj.fields.items()):
            if size < 4 or mixed or any(c[0] > BITS for c in cell.find().claims.values()):
                continue
            parts = fields_over(obj, (start, step, mixed), size)
            kinds = {
                part.kind for offset, _, key, part in parts if offset >= 0 and offset + key[3] <= size and key[3] < size
            }
            kinds -= {None, Kind.anything}
            if len(kinds) == 1 and (kind := kinds.pop()) is not None and (kind.is_float or kind is Kind.integer):
                self.memory.claim(cell, kind, DECLARED, "it moves memory that holds these")

    def _copy(self, source: Target, to: Target, length: int | None, done: set[object]) -> None:
        """What is at one end of a copy is at the other; `done` remembers what was said already."""
        a, b = self.memory.settle(source), self.memory.settle(to)
        state = (a.number, b.number, len(a.fields), *source.spots, *to.spots)
        if a is b or len(b.fields) > 1024 or state in done:
            return
        done.add(state)
        for spot in source.spots:
            for key, cell in list(a.fields.items()):
                size = key[3]
                for there in to.spots:
                    said = (a.number, b.number, spot, there, key)
                    if said in done:
                        continue
                    done.add(said)
                    for offset, every in _within(spot, key, length):
                        at, over, mixed = access_spot(shift(there, offset, every), size)
                        other = self.memory.field(b, (at, over, mixed or key[2]), size)
                        if _agree(cell.find(), other, loose=True):
                            self.memory.unify(other, cell)
                        else:
                            self.disputes.append((cell, other))
                        if a.into is not None or b.into is not None:
                            return  # pointers in it showed that these are one object

    def _may_hold(self, cell: Cell, source: Cell) -> None:
        """What is at the other end of a copy may be here, too, whatever else is: one is read as what it is there, and
        written as what it is here."""
        cell, source = cell.find(), source.find()
        if cell is source:
            return
        for kind, claim in list(source.claims.items()):
            if claim[0] >= DECLARED and (kind.is_float or kind is Kind.pointer):
                self.memory.claim(cell, kind, *claim)
        if source.target is not None:
            self.memory.flow(source.target, self.memory.point(cell, "what is copied there"))

    def _instance(self, made: Target, here: Target) -> None:
        """What a function has put into memory that it gives, is in this instance of it."""
        a, b = self.memory.settle(made), self.memory.settle(here)
        if a is b or made.spots != [made.spots[0]] or made.spots[0][1]:
            return
        b.zero = b.zero or a.zero
        by = anchor(here.spots[0]) - anchor(made.spots[0])
        for (start, step, mixed, size), field in list(a.fields.items()):
            there = self.memory.field(b, shift((start, step, mixed), by), size)
            cell = field.find()
            for kind, claim in cell.claims.items():
                self.memory.claim(there, kind, *claim)
            if cell.target is not None:
                self.memory.flow(cell.target, self.memory.point(there, "its contents"))
                b = self.memory.settle(here)

    def _carry(self, i: Instruction) -> None:
        """Floats that are put side by side in a larger integer, or taken out of one."""
        wide, narrow = (i.operands[0], i) if i.opcode in ("trunc", "lshr") else (i, i.operands[0])
        sources = [wide, narrow] + ([i.operands[1]] if i.opcode == "or" else [])
        cells = [cell for v in sources if (cell := self.facts.cell(v)) is not None]
        most = max(v.type.size for v in sources)
        for cell in cells:
            for kind, claim in list(cell.claims.items()):
                if kind.is_float and claim[0] > BITS and kind.size < most:
                    for other in cells:
                        self.memory.claim(other, kind, claim[0], "it carries these", i)
                    return

    def _change(self, i: Instruction) -> None:
        """What becomes a float when its sign, its last digits or its number are changed was one, if nothing speaks
        against it. Random digits that are given an exponent were none."""
        result = self.facts.cell(i)
        element = kind.float_type if result is not None and (kind := decide(result.claims)) is not None else None
        if element is None or element.text not in EXPONENT_BITS:
            return
        given = [o for o in i.operands if not isinstance(o, Constant) and not is_sign(o, i.type.scalar.size * 8)]
        given = [o for o in given if i.opcode == "and" or not (is_digits(o, element) or has_no_digits(o, element))]
        cell = self.facts.cell(given[0]) if len(given) == 1 else None
        if cell is None or any(claim[0] > BITS for claim in cell.claims.values()):
            return
        operation = bit_operation(i, element, carries=lambda v: v is given[0])
        if operation is not None and operation.operand is given[0] and operation.kind != "constant":
            self.memory.claim(cell, Kind(element.text), DECLARED, "its bits become a float", i)


def _agree(array: Cell, element: Cell, loose: bool) -> bool:
    a, b = decide(array.claims), decide(element.claims)
    if a is b:
        return a is not None or loose
    if Kind.unknown in (a, b):
        return False
    if a in (None, Kind.anything) or b in (None, Kind.anything):
        return loose or Kind.pointer in (a, b)
    if not loose:
        return False
    # Bit operations don't make an integer of what is a float everywhere else.
    return any(max(c[0] for c in cell.claims.values()) <= BITS for cell in (array, element))


def _within(spot: Spot, key: tuple[int, int, bool, int], length: int | None) -> Iterator[tuple[int, int]]:
    """Where in a region of `length` bytes at `spot` a field lies: offsets from its start, each with a step or alone.

    Nothing, if it is not known how the field's elements lie to the region's begin.
    """
    begin, every, vague = spot
    start, step, mixed, size = key
    if vague or every % (step or every or 1):
        return
    end = length - size if length is not None else None
    if step == 0:
        first = (start - begin) % every if every else start - begin
        if first >= 0 and (end is None or first <= end) and start >= begin:
            yield first, 0
        return
    first = (start - begin) % step if every or start < begin else start - begin
    if end is None or mixed or step % size or (end - first) // step >= 16:
        if end is None or first <= end:
            yield first, step
    else:
        for offset in range(first, end + 1, step):
            yield offset, 0
