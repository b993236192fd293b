"""What memory holds, as far as it is known: objects, the spots pointers point to in them, and evidence for each field.

An *object* is all memory that some pointers may point into; objects that turn out to be one are merged, each at its own
shift, so that a pointer to a member and a pointer to the struct around it speak of the same bytes. A *spot*
`(start, step, mixed)` is the offsets `start, start + step, start + 2 step, …` (one offset if `step` is 0); it is
`mixed` if the step is what several strides have in common, so that not every such offset need be reached. A *cell* is
one scalar, in memory or in a register, with the evidence for what it is; cells that hold copies of each other are
merged.
"""

from __future__ import annotations

from collections.abc import Iterable
from enum import Enum
from math import gcd

from gradir.machine.ir import Instruction, Type

__all__ = [
    "ACCESS",
    "ARRAY",
    "BITS",
    "DECLARED",
    "NOTHING",
    "Cell",
    "Claim",
    "Contents",
    "Kind",
    "Spot",
    "Target",
    "anchor",
    "shift",
]


class Kind(Enum):
    """What some bytes are. The values are LLVM's names of types, where it has one."""

    float16 = "half"
    bfloat = "bfloat"
    float32 = "float"
    float64 = "double"
    float80 = "x86_fp80"
    float128 = "fp128"
    double_double = "ppc_fp128"
    pointer = "ptr"
    integer = "integer"
    anything = "anything"
    """Fits every type: zero, undefined, never written."""
    word = "double, ptr or integer"
    """Any of these, from place to place: what lies in the shadow tells at run time."""
    unknown = "unknown"

    is_float: bool
    size: int
    """Bytes of a float or a pointer; 0 where the kind doesn't say."""

    __hash__ = object.__hash__  # Enum's is written in Python, and the analyses ask for millions

    @property
    def float_type(self) -> Type | None:
        """The LLVM type of a float."""
        return Type(self.value, "float") if self in _FLOATS else None

    @staticmethod
    def of(type: Type) -> Kind | None:
        """What a scalar of an LLVM type surely is; None for integers, which may carry the bits of anything."""
        return _BY_TYPE.get(type.text) or (Kind.pointer if type.kind == "ptr" else None)


_FLOATS = frozenset(Kind) - {Kind.pointer, Kind.integer, Kind.anything, Kind.word, Kind.unknown}
for _kind in Kind:
    _kind.is_float = _kind in _FLOATS
    _kind.size = Type(_kind.value, "float").size if _kind.is_float else 8 * (_kind in (Kind.pointer, Kind.word))
_BY_TYPE = {k.value: k for k in _FLOATS}

NOTHING, BITS, ARRAY, DECLARED, ACCESS = range(5)
"""How much a piece of evidence weighs: zero fits all; bit operations are done on floats too; that a `double *` points
to more doubles than one; a type that was declared for these bytes; an access or arithmetic of that type."""

Claim = tuple[int, str, Instruction | None]
"""The weight, the reason and the spot of a piece of evidence."""

Spot = tuple[int, int, bool]

_LOWEST = -(1 << 40)
_MOST_SPOTS = 4


def shift(spot: Spot, by: int, step: int = 0) -> Spot:
    """The spot `by` bytes further on, or any multiple of `step` from there."""
    start, old, mixed = spot
    start += by
    new = gcd(old, step)
    if start < _LOWEST // 2 and new:
        start = _LOWEST + (start - _LOWEST) % new
    return start, new, mixed or (old != 0 and step != 0 and old != step)


def anchor(spot: Spot) -> int:
    """An offset that stands for a spot where objects are laid over each other: where it starts, or, of an array that
    reaches down without end, its element next to the object's own beginning."""
    start, step, _ = spot
    return start % step if start < _LOWEST // 2 and step else start


def covers(a: Spot, b: Spot) -> bool:
    """Whether every offset of `b` is one of `a`."""
    if a[1] == 0:
        return b[1] == 0 and a[0] == b[0]
    return b[0] >= a[0] and (b[0] - a[0]) % a[1] == 0 and b[1] % a[1] == 0


def access_spot(spot: Spot, size: int) -> Spot:
    """Where an access is, given that no two elements of an array overlap: their distance is the size at least.

    What is no scalar (a few bytes of padding) is nobody's element.
    """
    start, step, _ = spot
    if step and step % size and size.bit_count() == 1:
        return start, size, True
    return spot


def clamped(spot: Spot, begin: int) -> Spot:
    """The elements of an array that don't lie before `begin`, unless it reaches down without end."""
    start, step, mixed = spot
    if step == 0 or start >= begin or start < _LOWEST // 2:
        return spot
    return begin + (start - begin) % step, step, mixed


def joined(spots: list[Spot], new: Spot) -> list[Spot]:
    """A few spots that cover `spots` and `new`."""
    for i, old in enumerate(spots):
        if covers(old, new):
            return spots
        if (
            old[1] and old[1] == new[1] and (old[0] - new[0]) % old[1] == 0
        ):  # it grows downwards, so let it have no lower end
            lowest = _LOWEST + (new[0] - _LOWEST) % old[1]
            return joined([*spots[:i], *spots[i + 1 :]], (lowest, old[1], old[2] or new[2]))
    kept = [p for p in spots if not covers(new, p)]
    kept.append(new)
    if len(kept) <= _MOST_SPOTS:
        return kept
    start = min(p[0] for p in kept)
    step = 0
    for p in kept:
        step = gcd(step, gcd(p[1], p[0] - start))
    return [(start, step, any(p[2] for p in kept) or len({p[1] for p in kept if p[1]}) > 1)]


class Cell:
    """A scalar and the evidence for what it is."""

    __slots__ = ("claims", "forward", "target")

    def __init__(self) -> None:
        self.claims: dict[Kind, Claim] = {}
        self.forward: Cell | None = None
        self.target: Target | None = None
        """Where it points to, if it is a pointer."""

    def find(self) -> Cell:
        cell = self
        while cell.forward is not None:
            if cell.forward.forward is not None:
                cell.forward = cell.forward.forward
            cell = cell.forward
        return cell

    @property
    def kind(self) -> Kind | None:
        """What the weightiest evidence says; unknown if it contradicts itself, None if there is none."""
        return decide(self.find().claims)


def decide(claims: dict[Kind, Claim]) -> Kind | None:
    if not claims:
        return None
    if len(claims) == 1:
        return next(iter(claims))
    most = max(c[0] for c in claims.values())
    best = [k for k, c in claims.items() if c[0] == most]
    if len(best) == 1:
        return best[0]
    # Of a union of integers and something else (an enum of Rust's, a tagged pointer, a number of either kind) the
    # shadow moves along as if it were that: an integer's is zero, and whatever is done to integers leaves it so.
    others = [k for k in best if k is not Kind.integer]
    return others[0] if len(others) == 1 else Kind.unknown


class Object:
    """Contents that pointers point into: its fields by spot and size. It may be part of another one, at a shift."""

    __slots__ = ("begin", "closed", "declared", "fields", "functions", "into", "number", "offset", "origin", "zero")

    def __init__(self, origin: str, number: int) -> None:
        self.number = number
        self.into: Object | None = None
        self.offset = 0
        self.begin = 0
        """The lowest offset that an array in it can begin at: where pointers to it were first seen to point to."""
        self.fields: dict[tuple[int, int, bool, int], Cell] = {}
        self.functions: set[str] = set()
        """Names of the functions that it is."""
        self.zero = False
        """Whether it is zero where nothing was stored."""
        self.declared: set[tuple[object, Spot]] = set()
        """Types that were laid over it already, and where."""
        self.closed = False
        """Whether there are objects of a trait in it, that only the methods of their types look into."""
        self.origin = origin


class Target:
    """Where a pointer points to: an object, and spots in it."""

    __slots__ = ("object", "spots")

    def __init__(self, object: Object, spots: list[Spot]) -> None:
        self.object = object
        self.spots = spots


class Contents:
    """All objects and cells of a module, and what merges them."""

    def __init__(self) -> None:
        self.changes = 0
        """Counts what was learned about where pointers point to; when it stays the same, all is known."""
        self.roots: dict[int, Object] = {}
        """The objects that are part of no other, by their numbers."""
        self.made = 0
        self.waiting = False
        """Whether a merge waits that would lay a member of one object over another member of another: the two may turn
        out to be one (`last = &(*last)->next` of a list whose head is a member, too), and nothing need be shifted."""
        self._passing: float = 0
        """How many of those wait no longer."""

    def object(self, origin: str) -> Object:
        self.made += 1
        made = self.roots[self.made] = Object(origin, self.made)
        return made

    def pointer(self, origin: str) -> Target:
        """A pointer to an object of its own."""
        return Target(self.object(origin), [(0, 0, False)])

    # -- objects ----------------------------------------------------------------------------------------------------

    def settle(self, target: Target) -> Object:
        """The object that a pointer points into, all merges done; its spots are then offsets in that one."""
        obj = target.object
        if obj.into is None:
            return obj
        by = 0
        while obj.into is not None:
            by += obj.offset
            obj = obj.into
        step = target.object
        if step.into is not obj:  # shorten the way for the next one
            step.into, step.offset = obj, by
        if by:
            target.spots = [shift(p, by) for p in target.spots]
        target.object = obj
        return obj

    def flow(self, source: Target, sink: Target) -> None:
        """What `source` points to, `sink` may point to as well."""
        if source is sink:
            return
        a, b = self.settle(source), self.settle(sink)
        if a is not b:
            at, bt = anchor(source.spots[0]), anchor(sink.spots[0])
            if at != bt and at and bt:
                if self._passing < 1:
                    self.waiting = True
                    return
                self._passing -= 1
                at = bt + _apart(a, b, at - bt)
            self.merge(a, at, b, bt)
            self.settle(source)
            self.settle(sink)
        if source.spots == sink.spots:
            return
        for spot in source.spots:
            spots = joined(sink.spots, spot)
            if spots is not sink.spots:
                sink.spots = spots
                self.changes += 1

    def pass_on(self, *, all: bool) -> None:
        """Let merges pass that wait: one, since the next may wait for what this one tells, or all from now on."""
        self._passing = float("inf") if all else 1

    def merge(self, a: Object, at: int, b: Object, bt: int) -> None:
        """Offset `at` in `a` turned out to be offset `bt` in `b`."""
        pending = [(a, at, b, bt)]
        while pending:
            a, at, b, bt = pending.pop()
            while a.into is not None:
                at += a.offset
                a = a.into
            while b.into is not None:
                bt += b.offset
                b = b.into
            if a is b:
                continue
            if len(b.fields) > len(a.fields):
                a, at, b, bt = b, bt, a, at
            self.changes += 1
            by = at - bt
            b.into, b.offset = a, by
            self.roots.pop(b.number, None)
            a.functions |= b.functions
            a.zero = a.zero or b.zero
            a.closed = a.closed or b.closed
            a.begin = min(a.begin, b.begin + by)
            a.declared |= {(what, shift(spot, by)) for what, spot in b.declared}
            fields, b.fields = b.fields, {}
            for (start, step, mixed, size), cell in fields.items():
                key = (*shift((start, step, mixed), by), size)
                there = a.fields.get(key)
                if there is None:
                    a.fields[key] = cell
                else:
                    self.unify(there, cell, pending)

    def field(self, object: Object, spot: Spot, size: int) -> Cell:
        """The cell at a spot in an object."""
        key = (*clamped(spot, object.begin), size)
        cell = object.fields.get(key)
        if cell is None:
            cell = object.fields[key] = Cell()
            self.changes += 1
            return cell
        return cell.find() if cell.forward is not None else cell

    # -- cells ------------------------------------------------------------------------------------------------------

    def claim(self, cell: Cell, kind: Kind, weight: int, why: str, where: Instruction | None = None) -> None:
        if cell.forward is not None:
            cell = cell.find()
        old = cell.claims.get(kind)
        if old is None or old[0] < weight:
            cell.claims[kind] = (weight, why, where)
            self.changes += 1

    def unify(self, a: Cell, b: Cell, pending: list[tuple[Object, int, Object, int]] | None = None) -> Cell:
        """Two cells that hold the same scalar."""
        a, b = a.find(), b.find()
        if a is b:
            return a
        b.forward = a
        for kind, claim in b.claims.items():
            old = a.claims.get(kind)
            if old is None or old[0] < claim[0]:
                a.claims[kind] = claim
        self.changes += 1
        if a.target is None:
            a.target = b.target
        elif b.target is not None:
            if pending is None:
                self.flow(b.target, a.target)
            else:  # within a merge: this pair of objects is merged next, and the spots with them
                self._merge_targets(a.target, b.target, pending)
        return a

    def _merge_targets(self, a: Target, b: Target, pending: list[tuple[Object, int, Object, int]]) -> None:
        x, y = self.settle(a), self.settle(b)
        if x is not y:
            at, bt = anchor(a.spots[0]), anchor(b.spots[0])
            pending.append((x, at, y, bt))
            by = at - bt
        else:
            by = 0
        for spot in b.spots:
            a.spots = joined(a.spots, shift(spot, by))

    def point(self, cell: Cell, origin: str) -> Target:
        """Where a cell points to: an object of its own, if nothing is known."""
        cell = cell.find()
        if cell.target is None:
            cell.target = self.pointer(origin)
        return cell.target


def _apart(a: Object, b: Object, otherwise: int) -> int:
    """How far what is declared for both objects lies further on in the first: two of one type, in which pointers point
    to different members, are laid over each other as they are."""
    there: dict[object, int] = {}
    for what, (start, step, _) in b.declared:
        if not step:
            there[what] = min(start, there.get(what, start))
    found = [start - there[what] for what, (start, step, _) in a.declared if not step and what in there]
    return min(found, key=abs) if found else otherwise


def merge_claims(all: Iterable[dict[Kind, Claim]]) -> dict[Kind, Claim]:
    result: dict[Kind, Claim] = {}
    for claims in all:
        for k, c in claims.items():
            old = result.get(k)
            if old is None or old[0] < c[0]:
                result[k] = c
    return result
