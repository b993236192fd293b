"""The types of memory and of integers: which bytes are floats, pointers or integers.

LLVM's memory has no types, and integers of LLVM move doubles as well as counts. The derivative has to know: adjoints
are added where floats are, pointers have shadows, integers have neither. Evidence comes from accesses and arithmetic,
from TBAA, debug information and LLVM's own types, and from known functions. Pointers that may point to the same memory,
and integers that are copies of each other, share their evidence, over the whole module: through calls in both
directions, through `memcpy`, and from an array to its elements. `evidence` gathers it, `contents` keeps it; here are
the questions.

    types = TypeAnalysis(module).of(function)
    types.memory(pointer, 0, 8)      # Kind.float64
"""

from __future__ import annotations

from functools import cached_property
from math import lcm
from typing import NamedTuple

from gradir.machine.analysis.addresses import at_most, factor
from gradir.machine.analysis.bits.provenance import Provenance
from gradir.machine.analysis.bytes.contents import (
    ACCESS,
    BITS,
    DECLARED,
    Cell,
    Claim,
    Kind,
    Object,
    Spot,
    Target,
    access_spot,
    covers,
    decide,
    merge_claims,
    shift,
)
from gradir.machine.analysis.bytes.evidence import Evidence
from gradir.machine.analysis.bytes.resolution import fields_over, resolve
from gradir.machine.ir import Constant, Function, Module, Type, Value, vector

__all__ = ["FunctionTypes", "Kind", "Region", "RegionField", "TypeAnalysis"]


_SPELLED_OUT = 1024
"""Regions of no more bytes are described field by field, larger ones only by what repeats in them."""


_PRINTED = 16
_WORD = Kind.word.size


class RegionField(NamedTuple):
    offset: int
    size: int
    kind: Kind


class Region(NamedTuple):
    """What a stretch of memory holds: fields, and after `period` bytes the same again (0: it doesn't repeat).

    Fields before `begin` are there once: a header, or all that is known of memory whose length nobody knows.
    """

    period: int
    fields: tuple[RegionField, ...]
    begin: int = 0
    aligned: bool = False
    """Whether all that is counted from is the first address that is a multiple of a word."""

    @staticmethod
    def of_words(begin: int, *, aligned: bool = False) -> Region:
        """Nothing is known but that there are words from `begin` on."""
        return Region(_WORD, (RegionField(begin, _WORD, Kind.word),), begin, aligned)

    @property
    def kinds(self) -> frozenset[Kind]:
        return frozenset(f.kind for f in self.fields)

    @property
    def head(self) -> tuple[RegionField, ...]:
        """The fields that are there once."""
        return tuple(f for f in self.fields if f.offset < self.begin or not self.period)

    @property
    def repeated(self) -> tuple[RegionField, ...]:
        return self.fields[len(self.head) :]

    def joined(self, other: Region) -> Region:
        """What two say together of the same bytes (the two ends of a copy); unknown where they contradict each other.

        >>> number, gap = RegionField(0, 8, Kind.float64), RegionField(8, 8, Kind.anything)
        >>> Region(0, (number, gap)).joined(Region(0, (number._replace(kind=Kind.anything), gap)))[1][0].kind
        <Kind.float64: 'double'>
        """
        if self == other:
            return self
        if self.period and other.period:
            period = lcm(self.period, other.period)
            first = max(self.begin, other.begin)
            for begin in range(first, min(first + period, _SPELLED_OUT)):
                if (begin - self.begin) % self.period == (begin - other.begin) % other.period == 0:
                    end = begin + period
                    return Region(period, tuple(_overlaid(self.until(end), other.until(end))), begin)
            return self if Kind.unknown not in self.kinds else other
        end = max(f.offset + f.size for r in (self, other) if not r.period for f in r.fields)
        return Region(0, tuple(_overlaid(self.until(end), other.until(end))))

    def until(self, end: int) -> list[RegionField]:
        """The fields of the first bytes, one by one."""
        found = list(self.head)
        for at in range(0, end - self.begin, self.period) if self.period else ():
            found += [f._replace(offset=f.offset + at) for f in self.repeated if f.offset + at + f.size <= end]
        return found

    def __str__(self) -> str:
        body = ", ".join(
            f"{f.offset}: {f.kind.value}" + (f" ({f.size} bytes)" if not f.kind.size else "") for f in self.fields
        )
        begin = f" from {self.begin} on" if self.begin else ""
        return f"every {self.period} bytes{begin} {{{body}}}" if self.period else f"{{{body}}}"


class TypeAnalysis:
    """The types of a module. Nothing is done until they are first asked for.

    >>> from gradir.machine.ir.text.reader import read
    >>> module = read('''
    ... define void @copy(ptr %to, ptr %from) {
    ... entry:
    ...   %bits = load i64, ptr %from, align 8
    ...   store i64 %bits, ptr %to, align 8
    ...   %x = load double, ptr %to, align 8
    ...   ret void
    ... }''')
    >>> function = module.functions["copy"]
    >>> types = TypeAnalysis(module).of(function)
    >>> types.memory(function.arguments[1], 0, 8), types.value(next(function.instructions()))
    (<Kind.float64: 'double'>, <Kind.float64: 'double'>)
    """

    def __init__(self, module: Module) -> None:
        self.module = module

    @property
    def facts(self) -> Evidence:
        return self.provenance.facts

    @cached_property
    def provenance(self) -> Provenance:
        """What integers are made of; known with the rest, since those made of addresses count as pointers."""
        facts = Evidence(self.module)
        facts.learn()
        return Provenance(facts)

    def of(self, function: Function) -> FunctionTypes:
        return FunctionTypes(self.provenance, function)


class FunctionTypes:
    """What is known of a function's values and of the memory that its pointers point to."""

    def __init__(self, provenance: Provenance, function: Function) -> None:
        self.provenance, self.facts, self.function = provenance, provenance.facts, function
        self.result = self.facts.results.get(function.name) or Value(function.result, "")
        """What stands for all that the function returns."""

    def value(self, v: Value) -> Kind:
        """What a scalar carries (or each lane of a vector): for an integer, whose bits these really are.

        Of an integer that carries several floats side by side the answer is unknown: `carried` tells.
        """
        scalar = v.type.scalar
        kind = Kind.of(scalar)
        if kind is not None:
            return kind
        if isinstance(v, Constant):
            zero = v.is_undefined or v.integer == 0 or v.ref == "zeroinitializer"
            return Kind.anything if zero else Kind.integer
        if not scalar.is_integer:
            return Kind.unknown
        if scalar.count == 1:
            return Kind.integer
        cell = self.facts.cells.get(v)
        kind = (cell.kind if cell else None) or Kind.unknown
        return Kind.unknown if kind.is_float and kind.size != scalar.size else kind

    def carried(self, v: Value) -> Type | None:
        """The floats that an integer (or a vector of integers) carries, as a type of its size: `double`, or `<2 x
        float>` of an i64."""
        cell = self.facts.cells.get(v)
        kind = cell.kind if cell else None
        element = kind.float_type if kind else None
        if element is None or not v.type.scalar.is_integer or v.type.scalar.size % element.size:
            return None
        if element.size == v.type.size and v.type.is_integer:
            return element
        return vector(v.type.lanes * (v.type.scalar.size // element.size), element)

    def is_called_float(self, v: Value) -> bool:
        """Whether anything says that an integer is the bits of a float, whatever else is said."""
        cell = self.facts.cells.get(v)
        return cell is not None and any(kind.is_float for kind in cell.find().claims)

    def is_called_both(self, v: Value) -> bool:
        """Whether something says that an integer is the bits of a float, and something that it is an address."""
        cell = self.facts.cells.get(v)
        return cell is not None and Kind.pointer in cell.find().claims and self.is_called_float(v)

    def may_be_swapped(self, v: Value) -> bool:
        """Whether the bytes of an integer may be in reverse order."""
        cell = self.facts.cells.get(v)
        return cell is not None and any(cell.find() is other.find() for other in self.facts.swapped)

    def memory(self, pointer: Value, offset: int, size: int) -> Kind:
        """What `size` bytes hold, `offset` bytes after the spot that the pointer points to."""
        target = self.facts.target(pointer)
        if target is None:  # null: whatever is read there, nothing is
            return Kind.anything
        obj = self.facts.memory.settle(target)
        kinds = {self._at(obj, shift(spot, offset), size) for spot in target.spots}
        kinds.discard(Kind.anything)
        return kinds.pop() if len(kinds) == 1 else Kind.unknown if kinds else Kind.anything

    def region(self, pointer: Value, length: int | Value | None) -> Region:
        """What `length` bytes hold from where the pointer points to. Without a length, or with one that is computed
        (a value), the region is what repeats: of `n * 8` bytes, 8; and before it what is there once. It may end
        anywhere, within a field too."""
        target = self.facts.target(pointer)
        if isinstance(length, Constant):
            length = length.integer
        step = 0
        most = None
        if isinstance(length, Value):
            step, most, length = factor(length), at_most(length), None
        if target is None:
            return Region(1, (RegionField(0, 1, Kind.anything),))
        obj = self.facts.memory.settle(target)
        if most and most <= _SPELLED_OUT:
            fields = self._fields(target, obj, 0, most)
            if all(f.kind in (Kind.integer, Kind.anything) for f in fields):
                return Region(0, tuple(fields))
        if length is not None and length <= _SPELLED_OUT:
            fields = self._fields(target, obj, 0, length)
            return _shortest(fields, length) or Region(0, tuple(fields))
        repeating = self._repeating(target, obj, step, length)
        if repeating is not None and Kind.unknown not in repeating.kinds:
            return repeating
        headed = self._with_head(target, obj)
        return headed if repeating is None or Kind.unknown not in headed.kinds else repeating

    def _repeating(self, target: Target, obj: Object, step: int, length: int | None) -> Region | None:
        """A region in which the same comes again from its first byte on, if there is nothing to the contrary."""
        steps = [key[1] for key in obj.fields if key[1]]
        period = step if step > 1 else max(steps, default=0)
        if not 0 < period <= _SPELLED_OUT:
            period = min(steps, default=0)
        if not 0 < period <= _SPELLED_OUT:
            return None
        fields = self._fields(target, obj, 0, period)
        for at in self._repetitions(target, obj, period, length):
            later = self._fields(target, obj, at, period)
            silent = step > 1 and all(f.kind in (Kind.unknown, Kind.anything) for f in later)
            if later != fields and not silent:
                return None
        return _shortest(fields, period) or Region(period, tuple(fields))

    def _with_head(self, target: Target, obj: Object) -> Region:
        """A region that begins with what is known of single bytes, then repeats what is known of arrays."""
        nothing = RegionField(0, 1, self._gap(obj))
        unknown = Region(1, (RegionField(0, 1, Kind.unknown),))
        steps = {key[1] for key in obj.fields if key[1]}
        last = max(key[0] + key[3] for key in obj.fields) if obj.fields else 0
        end, period = max(0, last - min(spot[0] for spot in target.spots)), lcm(*steps)
        if end + 2 * period > _SPELLED_OUT:
            return unknown
        if not steps:
            return Region(1, (*self._fields(target, obj, 0, end), nothing._replace(offset=end)), end)
        fields = self._fields(target, obj, 0, end + 2 * period)
        begin = next((f.offset for f in fields if f.offset >= end), end)
        once = [f for f in fields if f.offset < begin + period]
        again = [(f.offset - period, f.size, f.kind) for f in fields if begin + period <= f.offset]
        if [f for f in once if begin <= f.offset][: len(again)] != again or any(
            f.offset < edge < f.offset + f.size for f in fields for edge in (begin, begin + period)
        ):
            return unknown
        return Region(period, tuple(once), begin)

    def holds_words(self, pointer: Value) -> bool:
        """Whether there are doubles, addresses and integers alone where a pointer points to.

        Floats of another size are none of these, nor are integers made of addresses, of which any bit may be used.
        """
        target = self.facts.target(pointer)
        if target is None:
            return True
        cells = [cell.find() for cell in self.facts.memory.settle(target).fields.values()]
        floats = {kind for cell in cells for kind in cell.claims if kind.is_float}
        if not (floats or self._floats_of_module) <= {Kind.float64}:
            return False
        return not any(self.provenance.holds_address([cell]) and not _may_be_pointer(cell) for cell in cells)

    def words(self, pointer: Value, align: int) -> set[int] | None:
        """Where, after a pointer of some alignment, words begin that are doubles, addresses or integers, modulo their
        size; None if there may be anything else."""
        target = self.facts.target(pointer)
        if target is None:
            return set()
        if not self.holds_words(pointer):
            return None
        fields = [(key, cell.find()) for key, cell in self.facts.memory.settle(target).fields.items()]
        if align % _WORD and any(step % _WORD for _, step, _ in target.spots):
            return None
        wide = [key for key, cell in fields if cell.claims.keys() & {Kind.float64, Kind.pointer}]
        # What was reached by a step of bytes may lie anywhere: it says nothing of where words begin.
        return {(key[0] - begin) % _WORD for key in wide if key[1] % _WORD == 0 for begin, _, _ in target.spots}

    @property
    def _floats_of_module(self) -> set[Kind]:
        """The kinds of floats that are known to lie in memory anywhere."""
        cells = (cell.find() for obj in self.facts.memory.roots.values() for cell in obj.fields.values())
        return {kind for cell in cells for kind in cell.claims if kind.is_float}

    def may_hold_floats(self, pointer: Value) -> bool:
        """Whether there may be floats where a pointer points to, or where pointers that are kept there point to.

        There are none if all that is known of is integers and pointers to such; of nothing, nothing is known.
        """
        target = self.facts.target(pointer)
        return target is not None and self._any_floats([self.facts.memory.settle(target)])

    def leads_to_floats(self, pointer: Value) -> bool:
        """Whether there may be floats where pointers point to that are kept where a pointer points to."""
        target = self.facts.target(pointer)
        if target is None:
            return False
        cells = (cell.find() for cell in self.facts.memory.settle(target).fields.values())
        return self._any_floats([self.facts.memory.settle(c.target) for c in cells if c.target is not None])

    def leads_to_integers(self, pointer: Value) -> bool:
        """Whether a pointer points to integers that are counted or compared with, or to pointers to such: to text, or
        to where in a text one is."""
        target = self.facts.target(pointer)
        if target is None:
            return False
        cells = [cell.find() for cell in self.facts.memory.settle(target).fields.values()]
        if cells and all(_is_counted(cell) for cell in cells):
            return True
        if {cell.kind for cell in cells} != {Kind.pointer} or any(cell.target is None for cell in cells):
            return False
        found = {obj.number: obj for c in cells if c.target for obj in [self.facts.memory.settle(c.target)]}.values()
        return all(obj.fields and all(_is_counted(cell.find()) for cell in obj.fields.values()) for obj in found)

    def _any_floats(self, work: list[Object]) -> bool:
        seen: set[int] = set()
        while work:
            obj = work.pop()
            if obj.number in seen or obj.functions:
                continue
            seen.add(obj.number)
            kinds = [(cell.find(), cell.kind) for cell in obj.fields.values()]
            if obj.closed or (not any(kind in (Kind.integer, Kind.pointer) for _, kind in kinds) and not obj.zero):
                return True
            for cell, kind in kinds:
                if kind is Kind.pointer and cell.target is not None:
                    work.append(self.facts.memory.settle(cell.target))
                elif kind not in (Kind.integer, Kind.pointer, Kind.anything):
                    return True
        return False

    def overlaps_floats(self, pointer: Value, size: int, *, local: bool = False) -> bool:
        """Whether something firm says that some of these bytes may be those of a float, whatever else is said.

        Where integers of another size are firmly known in its place, two objects were taken for one, or an array lies
        next to floats: unless it begins where floats are, which are then moved in pieces. In memory that is `local` to
        the function, no two callers' objects are taken for one.
        """
        floats = [
            (kind.size, offset)
            for kind, weight, offset in self._claims(pointer, size)
            if kind.is_float and weight >= DECLARED
        ]
        if any(size in (1, width) for width, _ in floats):
            return True
        integers = [
            (offset, offset + length)
            for _, offset, (_, _, _, length), cell in self.facts.fields_over(pointer, size)
            if (claim := cell.find().claims.get(Kind.integer)) is not None and claim[0] > BITS
        ]
        apart = any(all(end <= at or at + width <= begin for begin, end in integers) for width, at in floats)
        return apart or (bool(floats) and self._runs_over_floats(pointer, size, local))

    def _runs_over_floats(self, pointer: Value, size: int, local: bool) -> bool:
        """Whether it points to elements of an array, without gaps, the first of which lies over floats.

        Where an array ends isn't known, so that what lies over other elements says nothing. If the integers are
        calculated with, neither do floats at a computed distance: both may be parts of one block. A single integer
        that shares its bytes with a float is a member of a union.
        """
        target = self.facts.target(pointer)
        if target is None:
            return False
        obj = self.facts.memory.settle(target)
        moved = not any(k is Kind.integer and weight >= ACCESS for k, weight, _ in self._claims(pointer, size))
        if not (moved or local):
            return False
        begins = [start for start, step, mixed in target.spots if step == size and not mixed]
        return any(
            kind.is_float and claim[0] >= (DECLARED if moved else ACCESS)
            for begin in begins
            for _, _, (start, step, mixed, _), cell in fields_over(obj, (begin, 0, False), size)
            if step == 0 or (moved and start == begin and not mixed)
            for kind, claim in cell.find().claims.items()
        )

    def has_floats(self, pointer: Value, offset: int, size: int) -> bool:
        """Whether anything firm says that some of these bytes, `offset` after a pointer, are those of a float."""
        return any(kind.is_float and weight >= DECLARED for kind, weight, _ in self._claims(pointer, size, offset))

    def cut_floats(self, pointer: Value, size: int) -> list[range]:
        """The floats of which these bytes are a part, as the bytes that they lie in, from the pointer on.

        Integers of four bytes and more are found there in unions, and where two objects are taken for one.
        """
        if size >= 4 and self.surely_integer(pointer, size):
            return []
        return [
            range(offset, offset + kind.size)
            for kind, weight, offset in self._claims(pointer, size)
            if kind.is_float and weight >= DECLARED and not (offset >= 0 and offset + kind.size <= size)
        ]

    def surely_integer(self, pointer: Value, size: int, offset: int = 0) -> bool:
        """Whether something firm says that these bytes are integers: more than bit operations, known to floats too."""
        return any(kind is Kind.integer and weight > BITS for kind, weight, _ in self._claims(pointer, size, offset))

    def accessed_as_float(
        self, pointer: Value, size: int, *, spaced_alike: bool = False, or_declared: bool = False
    ) -> bool:
        """Whether these very bytes are read or written as a float somewhere, or perhaps only said to be one.

        Of elements of structs, perhaps without the accesses that are spaced closer: those of an array that shares a
        pointer with the structs, and whose floats lie over whatever the structs have.
        """
        least = DECLARED if or_declared else ACCESS
        return any(
            kind.is_float and kind.size == size and claim[0] >= least and offset <= 0 and offset % size == 0
            for spot, offset, (_, step, _, _), cell in self.facts.fields_over(pointer, size)
            if not (spaced_alike and 0 < step < spot[1])
            for kind, claim in cell.find().claims.items()
        )

    def meets(self, pointer: Value, other: Value) -> bool:
        """Whether two pointers point to elements of one array of structs, and to the same member."""
        one, two = self.facts.target(pointer), self.facts.target(other)
        if one is None or two is None or self.facts.memory.settle(one) is not self.facts.memory.settle(two):
            return False
        return any(
            every and (start - at) % every == 0 and step % every == 0
            for start, every, _ in one.spots
            for at, step, _ in two.spots
        )

    def is_number(self, pointer: Value, type: Type) -> bool:
        """Whether an integer of some type where a pointer points to is surely a number, and nothing else."""
        if not type.is_integer or not self.surely_integer(pointer, type.size):
            return False
        return self.memory(pointer, 0, type.size) is Kind.integer

    def is_colour(self, pointer: Value, type: Type) -> bool:
        """Whether an integer decides what a library does to pointers beside it, and to their shadows beside its own."""
        colours = {cell.find() for cell in self.facts.colours} if type.is_integer and type.size == 4 else set()
        return any(cell.find() in colours for *_, cell in self.facts.fields_over(pointer, 4)) if colours else False

    def is_disputed(self, pointer: Value, size: int, offset: int) -> bool:
        """Whether these bytes are accessed as one thing and as another, by pointers that the types can't tell apart."""
        said = {kind for kind, weight, _ in self._claims(pointer, size, offset) if weight >= DECLARED}
        return Kind.pointer in said and any(kind.is_float for kind in said)

    def holds_addresses(self, pointer: Value, size: int) -> bool:
        """Whether these bytes may be integers that are made of addresses."""
        return self.provenance.holds_address(cell.find() for *_, cell in self.facts.fields_over(pointer, size))

    def _claims(self, pointer: Value, size: int, at: int = 0) -> list[tuple[Kind, int, int]]:
        """All that is said of any of these bytes, with its weight, and where what is meant begins."""
        target = self.facts.target(pointer)
        if target is None:
            return []
        obj = self.facts.memory.settle(target)
        key = (obj.number, len(obj.fields), tuple(target.spots), at, size)
        if key not in self.facts.claims:
            said = (
                (kind, claim[0], offset + part)
                for _, offset, (_, _, _, length), cell in self.facts.fields_over(pointer, size, at)
                for kind, claim in cell.find().claims.items()
                for part in range(0, max(1, length - kind.size + 1), kind.size or length)
            )
            self.facts.claims[key] = list(dict.fromkeys(said))
        return self.facts.claims[key]

    def functions(self, pointer: Value) -> list[str]:
        """The functions that a pointer may be the address of, as far as they are seen."""
        target = self.facts.target(pointer)
        return sorted(self.facts.memory.settle(target).functions) if target is not None else []

    def pattern(self, pointer: Value) -> str:
        """All that is known of the memory around where a pointer points to: `{0: i32, 8 + 16k: double}`."""
        target = self.facts.target(pointer)
        if target is None:
            return "null"
        obj = self.facts.memory.settle(target)
        if obj.functions:
            return " or ".join(f"@{name}" for name in sorted(obj.functions))
        begin = target.spots[0][0]
        found: dict[Spot, str] = {}
        for start, step, mixed, size in sorted(obj.fields, key=lambda key: (not key[1], key[1], key[0], -key[3])):
            spot = (start, step, mixed)
            kind = self._at(obj, spot, size)
            what = f"i{size * 8}" if kind is Kind.integer else kind.value
            if not any(covers(other, spot) and text == what for other, text in found.items()):
                found[spot] = what
        lines = []
        for (start, step, _), what in sorted(found.items()):
            at = start - begin if abs(start - begin) <= 1 << 30 or not step else (start - begin) % step
            lines.append(f"{at} + {step}k: {what}" if step else f"{at}: {what}")
        if len(lines) > _PRINTED:
            lines[_PRINTED:] = [f"and {len(lines) - _PRINTED} more"]
        return f"{{{', '.join(lines)}}}"

    def explain(self, v: Value, offset: int = 0, size: int = 8) -> str:
        """Where the knowledge comes from: of an integer what it carries, of a pointer what is where it points to."""
        facts = self.facts
        if v.type.scalar.is_pointer:
            target = facts.target(v)
            if target is None:
                return f"{v.ref} is null"
            obj = facts.memory.settle(target)
            spots = [access_spot(shift(spot, offset), size) for spot in target.spots]
            claims = merge_claims(cell.find().claims for s in spots for _, _, _, cell in fields_over(obj, s, size))
            what = f"{size} bytes at {v.ref}" + (f" + {offset}" if offset else "")
            return self._explained(what, self.memory(v, offset, size), claims)
        cell = facts.cells.get(v)
        return self._explained(v.ref, self.value(v), cell.find().claims if cell else {})

    def _explained(self, what: str, kind: Kind, claims: dict[Kind, Claim]) -> str:
        lines = [f"{what}: {kind.value}"]
        for k, (weight, why, where) in sorted(claims.items(), key=lambda c: -c[1][0]):
            spot = self.facts.module.location(where) if where is not None else None
            code = f" `{where}`" if where is not None else ""
            note = " (weak)" if weight <= BITS else ""
            lines.append(f"  {k.value}{note}: {why}{code}{f' at {spot}' if spot else ''}")
        if not claims:
            lines.append("  nothing says what it is")
        return "\n".join(lines)

    # -- what is at a spot ---------------------------------------------------------------------------------------------

    def _at(self, obj: Object, spot: Spot, size: int) -> Kind:
        kinds: set[Kind] = set()
        for item in resolve(obj, access_spot(spot, size), size, self.facts.contradicted):
            kind, whole = item.kind, item.offset >= 0 and item.end <= size
            if kind.is_float and not whole:
                whole = kind.size <= size and item.offset % kind.size == 0
            kinds.add(kind if whole or kind in (Kind.integer, Kind.anything) else Kind.unknown)
        if len(kinds) > 1:
            kinds.discard(Kind.anything)
        return self._gap(obj) if not kinds else kinds.pop() if len(kinds) == 1 else Kind.unknown

    def _repetitions(self, target: Target, obj: Object, period: int, length: int | None) -> list[int]:
        """Where a pattern must hold again: next to it, and wherever something is said of single elements."""
        found = {period, 2 * period}
        for start, _, _, _ in obj.fields:
            for spot in target.spots:
                found.add((start - spot[0]) // period * period)
        return sorted(at for at in found if at > 0 and (length is None or at + period <= length))[:64]

    @staticmethod
    def _gap(obj: Object) -> Kind:
        return Kind.anything if obj.zero else Kind.unknown

    def _fields(self, target: Target, obj: Object, start: int, length: int) -> list[RegionField]:
        """The fields of a stretch of memory, from offset 0 on, as all the spots say that it may be at."""
        found = [self._fields_at(obj, access_spot(shift(spot, start), 8), length) for spot in target.spots]
        if all(fields == found[0] for fields in found):
            return found[0]
        common = set(found[0]).intersection(*found[1:])
        return [f if f in common else f._replace(kind=Kind.unknown) for f in found[0]]

    def _fields_at(self, obj: Object, spot: Spot, length: int) -> list[RegionField]:
        key = (obj.number, spot, length)
        if key not in self.facts.regions:
            self.facts.regions[key] = self._find_fields(obj, spot, length)
        return self.facts.regions[key]

    def _find_fields(self, obj: Object, spot: Spot, length: int) -> list[RegionField]:
        fields: list[RegionField] = []
        at = 0
        for item in resolve(obj, spot, length, self.facts.contradicted):
            kind = item.kind
            if item.offset < at:
                cut = (kind.is_float and (at - item.offset) % kind.size == 0) or kind in (Kind.integer, Kind.anything)
                if item.end > at and at < length:
                    fields.append(RegionField(at, min(item.end, length) - at, kind if cut else Kind.unknown))
            else:
                if item.offset > at:
                    fields.append(self._between(obj, fields, item.offset, item.offset - at))
                fits = item.end <= length or kind in (Kind.integer, Kind.anything)
                size = min(item.end, length) - item.offset
                fields.append(RegionField(item.offset, size, kind if fits else Kind.unknown))
            at = max(at, min(item.end, length))
        if at < length:
            fields.append(self._between(obj, fields, length, length - at))
        found = _merged([piece for field in fields for piece in _pieces(field)])
        return self._with_doubtful(obj, spot, found, length)

    def _with_doubtful(self, obj: Object, spot: Spot, fields: list[RegionField], length: int) -> list[RegionField]:
        """The fields, with floats where integers are found that an array of floats would reach.

        It may end before them, or two objects were taken for one, and these are floats in one of them. Whoever moves
        them as floats is right: the shadows of integers are zero, and stay so.
        """
        if all(f.kind is not Kind.integer for f in fields):
            return fields
        for offset, _, (_, step, _, size), cell in fields_over(obj, spot, length):
            claims = cell.find().claims
            kind = decide(claims)
            if kind is None or kind.size != size or not kind.is_float or not step or step % size:
                continue
            if max(c[0] for c in claims.values()) < DECLARED or not 0 <= offset <= length - size:
                continue
            made = RegionField(offset, size, kind)
            met = [f for f in fields if _meet(f, made)]
            if any(f.kind is Kind.integer for f in met) and all(f.kind in (Kind.integer, Kind.anything) for f in met):
                rest = [gap for f in met for gap in _uncovered(f, [made])]
                fields = sorted([*(f for f in fields if f not in met), *rest, made])
        return fields

    def _between(self, obj: Object, fields: list[RegionField], end: int, gap: int) -> RegionField:
        """Bytes that nothing is said about. A few after a field are padding."""
        padding = fields and gap < 8 and end % 4 == 0
        return RegionField(end - gap, gap, Kind.anything if padding else self._gap(obj))


def _is_counted(cell: Cell) -> bool:
    """Whether it is an integer, for more than that bits of it are used, and never anything else."""
    claims = {kind: claim[0] for kind, claim in cell.claims.items() if kind is not Kind.anything}
    return claims.keys() == {Kind.integer} and claims[Kind.integer] > BITS and cell.target is None


def _is_pointer(cell: Cell) -> bool:
    """Whether it is loaded, stored or declared as one."""
    claim = cell.claims.get(Kind.pointer)
    return claim is not None and claim[0] >= DECLARED


def _may_be_pointer(cell: Cell) -> bool:
    """Whether it is one, or is only said to be one where an array of them would reach this far."""
    return _is_pointer(cell) or cell.claims.keys() <= {Kind.pointer, Kind.anything}


def _merged(fields: list[RegionField]) -> list[RegionField]:
    """The fields, with neighbours that nothing is known of in one."""
    found: list[RegionField] = []
    for field in fields:
        if found and field.kind is found[-1].kind is Kind.unknown:
            found[-1] = found[-1]._replace(size=found[-1].size + field.size)
        else:
            found.append(field)
    return found


def _pieces(field: RegionField) -> list[RegionField]:
    """The floats of a field that was moved in one piece."""
    size = field.kind.size if field.kind.is_float else field.size
    if size >= field.size:
        return [field]
    return [RegionField(at, size, field.kind) for at in range(field.offset, field.offset + field.size, size)]


def _overlaid(over: list[RegionField], under: list[RegionField]) -> list[RegionField]:
    """The fields of both descriptions: what one doesn't know the other may."""
    found = [f for f in over if f.kind not in _SILENT]
    for f in under:
        met = [n for n, g in enumerate(found) if _meet(f, g)] if f.kind not in _SILENT else []
        if f.kind not in _SILENT and not met:
            found.append(f)
        for n in met:
            if found[n].kind is not f.kind or (f.kind is not Kind.integer and found[n] != f):
                found[n] = found[n]._replace(kind=Kind.unknown)
    silent = [f for f in over if f.kind in _SILENT]
    for gap in [gap for f in silent for gap in _uncovered(f, found)]:
        written = gap.kind is not Kind.anything and any(g.kind is not Kind.anything for g in under if _meet(gap, g))
        found.append(gap._replace(kind=Kind.unknown if written else Kind.anything))
    return sorted(found)


_SILENT = (Kind.unknown, Kind.anything)


def _meet(a: RegionField, b: RegionField) -> bool:
    return a.offset < b.offset + b.size and b.offset < a.offset + a.size


def _uncovered(field: RegionField, by: list[RegionField]) -> list[RegionField]:
    """The parts of a field that others leave."""
    found, at, end = [], field.offset, field.offset + field.size
    for f in sorted(f for f in by if _meet(f, field)):
        if f.offset > at:
            found.append(field._replace(offset=at, size=f.offset - at))
        at = max(at, f.offset + f.size)
    return [*found, field._replace(offset=at, size=end - at)] if at < end else found


def _shortest(fields: list[RegionField], length: int) -> Region | None:
    """The shortest pattern that, repeated, describes `length` bytes."""
    for count in range(1, len(fields) + 1):
        period = length * count // len(fields)
        if len(fields) % count or period * len(fields) != length * count:
            continue
        if all(
            (f.offset - period, f.size, f.kind) == before for before, f in zip(fields, fields[count:], strict=False)
        ):
            return Region(period, tuple(fields[:count])) if count < len(fields) or count == 1 else None
    return None
