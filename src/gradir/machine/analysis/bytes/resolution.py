"""What the evidence for a stretch of memory adds up to, where several fields of an object speak of the same bytes.

What is said of single bytes is right where an array is only said to reach this far; of two arrays, the one that begins
nearer. Fields whose stride is not known (mixed ones) count only if nothing in the object contradicts them: that there
is a double somewhere doesn't make an array of doubles of a struct.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from math import gcd

from gradir.machine.analysis.bytes.contents import ARRAY, DECLARED, Cell, Claim, Kind, Object, Spot, clamped, decide

__all__ = ["Contradictions", "Item", "contradicted", "fields_over", "resolve"]

Key = tuple[int, int, bool, int]
"""A field of an object: its spot and size."""

Contradictions = dict[tuple[int, Key], bool]
"""By the number of an object and a field of it."""

_MARGIN = 16
"""What lies so many bytes before and after may have to do with it: no scalar is larger."""


@dataclass
class Item:
    """A field where it lies in the bytes that are asked about: its offset from their begin."""

    offset: int
    size: int
    kind: Kind
    claims: dict[Kind, Claim]
    start: int
    """Of the field in its object, with its step (0: there is one only)."""
    step: int
    first: bool
    """Whether it is the first element of the array that the field is."""
    weight: int
    everywhere: bool
    """Of an array that is asked about: whether it lies like this in each element, not only in some."""

    @property
    def end(self) -> int:
        return self.offset + self.size

    def meets(self, other: Item) -> bool:
        return self.offset < other.end and other.offset < self.end

    def agrees(self, other: Item) -> bool:
        """Whether two that share bytes say the same of them."""
        if Kind.anything in (self.kind, other.kind):
            return True
        if self.kind is not other.kind or self.kind is Kind.unknown:
            return False
        if self.kind.is_float:
            return (self.offset - other.offset) % self.kind.size == 0
        return self.kind is Kind.integer or self.offset == other.offset


def fields_over(obj: Object, spot: Spot, size: int, margin: int = 0) -> Iterator[tuple[int, bool, Key, Cell]]:
    """The fields that share bytes with `size` bytes at a spot: the offset, whether it is so everywhere, the field."""
    start, step, _ = spot
    for key, cell in obj.fields.items():
        at, every, _, n = key
        first, common = at - start, gcd(every, step)
        lowest, end = 1 - n - margin, size + margin
        if common == 0:
            if lowest <= first < end:
                yield first, True, key, cell
            continue
        from_lowest = lowest + (first - lowest) % common
        if every and not step:
            from_lowest = max(from_lowest, first)
        elif step and not every:
            end = min(end, first + 1)
        for offset in range(from_lowest, end, common):
            everywhere = not step or (every != 0 and step % every == 0 and offset >= first)
            yield offset, everywhere, key, cell


def contradicted(obj: Object, spot: Spot, size: int, kind: Kind) -> bool:
    """Whether something firm speaks against that all bytes of an array are of a kind."""
    for offset, _, (_, _, mixed, n), cell in fields_over(obj, spot, size):
        claims = cell.find().claims
        if mixed or not claims or max(c[0] for c in claims.values()) < DECLARED:
            continue
        aligned = offset % kind.size == 0 if kind.is_float else kind is not Kind.pointer or (offset == 0 and n == size)
        if decide(claims) is not kind or not aligned:
            return True
    return False


def resolve(obj: Object, spot: Spot, size: int, wrong: Contradictions | None = None) -> list[Item]:
    """What is known of `size` bytes at a spot: fields that don't contradict each other, or are unknown, in order.

    Once all is learnt, `wrong` keeps from one question to the next which fields are contradicted.
    """
    spot = clamped(spot, obj.begin)
    accepted = _Items()
    for group in _groups(_items(obj, spot, size, {} if wrong is None else wrong)):
        above, everywhere = _Items(accepted), _Items(i for i in group if i.everywhere)
        for item in group:
            # What is so in some elements holds where nothing is so in all of them.
            holds = not spot[1] or item.everywhere or not everywhere.met_by(item)
            if holds and all(a.kind is Kind.anything for a in above.met_by(item)):
                _accept(accepted, item)
    found = [i for i in accepted if i.offset < size and i.end > 0]
    return sorted(found, key=lambda i: (i.offset, -i.size))


def _items(obj: Object, spot: Spot, size: int, wrong: Contradictions) -> list[Item]:
    """The fields that have to do with it. Of arrays that say the same of some bytes, the one that begins nearest."""
    found: dict[object, Item] = {}
    said: dict[Key, tuple[dict[Kind, Claim], Kind, int] | None] = {}
    for offset, everywhere, key, cell in fields_over(obj, spot, size, _MARGIN):
        if key not in said:
            said[key] = _said(obj, spot, key, cell, wrong)
        if (what := said[key]) is None:
            continue
        claims, kind, weight = what
        start, step, _, n = key
        first = offset == start - spot[0]
        same = (offset, n, kind, weight, step, first, everywhere)
        if same not in found or found[same].start < start:
            found[same] = Item(offset, n, kind, claims, start, step, first, weight, everywhere)
    return list(found.values())


def _said(
    obj: Object, spot: Spot, key: Key, cell: Cell, wrong: Contradictions
) -> tuple[dict[Kind, Claim], Kind, int] | None:
    """The claims of a field, what they add up to, and their weight; None if it doesn't count at a spot."""
    claims = cell.find().claims
    kind = decide(claims)
    if kind is None:
        return None
    start, step, mixed, n = key
    if mixed:
        if (obj.number, key) not in wrong:
            wrong[obj.number, key] = contradicted(obj, (start, step, mixed), n, kind)
        if wrong[obj.number, key]:
            if not spot[1]:
                return None
            kind = Kind.unknown  # asked about many places at once, one of which it may well be
    return claims, kind, max(c[0] for c in claims.values())


def _groups(items: list[Item]) -> list[list[Item]]:
    """By weight: what is firm, what may be an array, the rest. In each, single fields, then the nearest arrays."""
    items.sort(key=lambda i: (i.step != 0, -i.start, -i.step, -i.weight))
    firm = [i for i in items if i.weight >= DECLARED]
    maybe = [i for i in items if i.weight == ARRAY]
    return [firm, maybe, [i for i in items if i.weight < ARRAY]]


class _Items:
    """Items in the order in which they came, found by the bytes that they lie in."""

    def __init__(self, items: Iterable[Item] = ()) -> None:
        self._all: dict[int, Item] = {}
        self._order: dict[int, int] = {}
        self._stretches: dict[int, list[Item]] = {}
        for item in items:
            self.append(item)

    def __iter__(self) -> Iterator[Item]:
        return iter(self._all.values())

    def append(self, item: Item) -> None:
        self._all[id(item)] = item
        self._order[id(item)] = len(self._order)
        for n in self._over(item):
            self._stretches.setdefault(n, []).append(item)

    def remove(self, item: Item) -> None:
        del self._all[id(item)]
        for n in self._over(item):
            self._stretches[n].remove(item)

    def met_by(self, item: Item) -> list[Item]:
        """Those that share bytes with an item."""
        stretches = self._over(item)
        found = [a for n in stretches for a in self._stretches.get(n, ()) if a.meets(item)]
        if len(stretches) == 1 or len(found) < 2:
            return found
        return sorted({id(a): a for a in found}.values(), key=lambda a: self._order[id(a)])

    @staticmethod
    def _over(item: Item) -> range:
        return range(item.offset // _STRETCH, (item.end - 1) // _STRETCH + 1)


_STRETCH = 16
"""Bytes that are looked up together: the largest scalar lies in two such stretches at most."""


def _accept(accepted: _Items, item: Item) -> None:
    """Add an item to those that hold, unless one of them overrules it. Contradictions make both unknown."""
    for other in accepted.met_by(item):
        if other.agrees(item):
            continue
        if {other.kind, item.kind} == {Kind.pointer, Kind.integer}:
            # A union of both (an enum of Rust's, objects of several classes): the shadow moves along, as a pointer's.
            if item.kind is Kind.pointer:
                accepted.remove(other)
                continue
            return
        if _overrules(other, item, accepted):
            return
        if item.weight > other.weight:
            accepted.remove(other)
            continue
        if item.weight < other.weight:
            return
        other.kind = item.kind = Kind.unknown
    if not any((a.offset, a.size, a.kind) == (item.offset, item.size, item.kind) for a in accepted.met_by(item)):
        accepted.append(item)


def _overrules(other: Item, item: Item, accepted: _Items) -> bool:
    """Whether an array ends before the element that `item` would be, because `other` is there."""
    if not item.step:
        return False
    if other.step:
        return other.start - item.start > 4 * max(other.step, item.step)
    # Something else begins where an element would, though not the first one. Where it begins within one, bits of that
    # one are meant.
    return not item.first and any(not a.step and a.offset == item.offset for a in accepted.met_by(item))
