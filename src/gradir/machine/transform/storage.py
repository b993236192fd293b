"""Where the reverse sweep finds what it needs: slots for what is made once, arrays for what a loop makes in each turn.

The arrays of a loop nest are sized once, before the outermost loop whose inner trip counts are known there, and
indexed by the
loops' counters. Where an inner count varies (a triangular loop) or is not known at all, the same records go to a
buffer that grows, and
the reverse sweep takes them off its end again.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from gradir.machine.analysis.cache import Need
from gradir.machine.analysis.cfg import CFG, Loop, TripCount
from gradir.machine.ir import I64, PTR, Type, Value, array, struct
from gradir.machine.ir.builder import Code, Expr

__all__ = ["BUFFER", "FREED", "Records", "Slot", "Tape", "goes_back", "kept_align", "product", "span_of", "times_back"]

BUFFER = struct([PTR, I64, I64])
"""A buffer that grows: data, capacity and use in bytes."""

FREED = struct([PTR, I64, I64, PTR, PTR, PTR, I64])
"""What a derivative and all that it calls share: such a buffer for what is to be freed at the end; the team of threads
that fills it, if any (`teams.py`); and the arena of the tapes (`arena_runtime.py`)."""

Condition = tuple[Value, bool]
"""A value of type i1, and what it has to be."""

STACK_LIMIT = 1 << 14
"""Arrays of fixed size up to so many bytes are kept on the stack."""


@dataclass(frozen=True, eq=False)
class Slot:
    """Memory that both sweeps reach: as seen by the forward sweep, and by the reverse sweep."""

    type: Type
    forward: Expr
    reverse: Expr


class Tape:
    """What lasts from the forward sweep to the reverse sweep: stack memory of one function, or the fields of a struct
    on the heap."""

    def __init__(self, forward: Code, reverse: Code, struct_name: str | None) -> None:
        self.forward, self.reverse, self.struct_name = forward, reverse, struct_name
        self.fields: list[Type] = []
        self.align = 16

    def slot(self, type: Type, hint: str, *, zero: bool = False, align: int = 0) -> Slot:
        if self.struct_name is None:
            at = self.forward.alloca(type, hint, align)
            made = Slot(type, at, at)
        else:
            self._pad(type, align)
            k = len(self.fields)
            self.fields.append(type)
            made = Slot(type, *(self._field(code, k, hint) for code in (self.forward, self.reverse)))
        if zero:
            self.forward.entry.lines.append(f"store {type} zeroinitializer, {made.forward}")
        return made

    def _pad(self, type: Type, align: int) -> None:
        """Fields begin where their alignment wants; a heap block itself begins at a multiple of 16."""
        end = struct([*self.fields, type]).offsets[-1]
        if gap := -end % max(align, 1):
            self.fields.append(array(gap, Type("i8", "int", 8)))
        self.align = max(self.align, align)

    def _field(self, code: Code, k: int, hint: str) -> Expr:
        name = f"%{code.name_for(hint)}"
        code.entry.lines.append(f"{name} = getelementptr {self.struct_name}, ptr %gradir.tape, i32 0, i32 {k}")
        return Expr(code, PTR, name)

    @property
    def size(self) -> str:
        return f"ptrtoint (ptr getelementptr ({self.struct_name}, ptr null, i32 1) to i64)"


@dataclass(eq=False)
class Records:
    """What is kept of one type in each turn of one loop: an array of each field, for the turns that are reserved at
    once.

    Types are kept apart, so that a derivative of the derivative sees arrays of one type each.
    """

    loop: Loop
    type: Type
    span: list[Loop]
    """The loops whose counts are known before the first of them is entered, outermost first; empty if the loop's own
    count is not."""
    pool: str
    """Where the memory waits for the next call; of a kernel, the room on the thread's stack."""
    runtime: str = "gradir"
    """What the functions begin with that give and take memory: `gradir`, or `gradir.room`."""
    fields: dict[Need, int] = field(default_factory=dict)
    """The fields by number."""
    state: Slot | None = None
    """The block, of a loop that is entered once; else a buffer that grows."""
    base: dict[str, Expr] = field(default_factory=dict)
    """For each sweep, where the records begin that are reserved at present."""
    turns: dict[str, list[Expr | int]] = field(default_factory=dict)
    """For each sweep, the number of turns of each loop in the span."""
    on_stack: bool = False
    conditions: list[Condition] | None = field(default_factory=list)
    """What has to hold for all loops of the span to be entered, so that their counts mean something; None if that is
    known only where the last of them is."""

    @property
    def size(self) -> int:
        """Bytes that are kept in a turn."""
        return len(self.fields) * self.type.size

    @property
    def entered_once(self) -> bool:
        return bool(self.span) and self.span[0].parent is None

    @property
    def constant_turns(self) -> int | None:
        total = 1
        for loop in self.span:
            constant = loop.trip.constant if loop.trip else None
            if constant is None:
                return None
            total *= constant + 1
        return total if self.span else None

    def add(self, need: Need) -> None:
        self.fields[need] = len(self.fields)

    def address(self, code: Code, sweep: str, need: Need, counter: Callable[[Loop], Expr]) -> Expr:
        """Where a field of the present turn lies."""
        index: Expr | None = None
        for loop, turns in zip(self.span, self.turns[sweep], strict=True):
            index = counter(loop) if index is None else index * turns + counter(loop)
        begin = self.base[sweep]
        if number := self.fields[need]:
            total = product(code, self.turns[sweep])
            begin = code.element(self.type, begin, total * number)
        return begin if index is None else code.element(self.type, begin, index)


def kept_align(type: Type) -> str:
    """What is kept is aligned as memory from `malloc` is, which is less than wide vectors would like."""
    if type.kind == "vector":
        return f", align {type.scalar.size}"
    return ", align 16" if type.align > 16 else ""


def product(code: Code, factors: list[Expr | int]) -> Expr | int:
    total: Expr | int = 1
    for f in factors:
        if isinstance(total, int) and total == 1:
            total = f
        elif isinstance(f, Expr) or isinstance(total, Expr):
            total = f * total if isinstance(f, Expr) else total * f
        else:
            total *= f
    return total


def span_of(loop: Loop, cfg: CFG) -> list[Loop]:
    """The longest chain of loops that ends with this one, all of whose counts are known before the first is entered.

    If that is entered several times, the counts must hold there: that of a loop behind a condition may be anything.
    """
    span: list[Loop] = []
    candidate: Loop | None = loop
    while candidate is not None and candidate.trip is not None:
        chain = [candidate, *span]
        if any(candidate.holds(v) for l in chain if l.trip for v in l.trip.operands):
            break
        span = chain
        candidate = candidate.parent
    while span and span[0].parent is not None and conditions_of(span, cfg) != []:
        del span[0]
    return span


def conditions_of(span: Sequence[Loop], cfg: CFG) -> list[Condition] | None:
    """What has to hold for each loop of a nest to run, or to have a count that means something, when the first is
    entered; None if it is not known then."""
    found: list[Condition] = []
    for outer, inner in pairwise(span):
        block = inner.preheader
        if inner.trip is not None and inner.trip.constant is not None:
            continue
        while not all(cfg.dominates(block, b) for b in (outer.latch, *(b for b, _ in outer.exits))):
            before = cfg.predecessors(block)
            if len(before) != 1:
                return None
            last = before[0].terminator
            if len(set(before[0].successors)) > 1:
                if last.opcode != "br" or span[0].holds(last.operands[0]):
                    return None
                found.append((last.operands[0], last.operands[1] is block))
            block = before[0]
    return found


def goes_back(code: Code, loop: Loop, value: Callable[[Value], Expr]) -> Expr | int:
    """How often a loop goes back at most, by what is known before it is entered: one less than it has turns."""
    assert loop.trip is not None
    if loop.trip.constant is not None:
        return loop.trip.constant
    return times_back(code, loop.trip, *map(value, loop.trip.operands))


def times_back(code: Code, trip: TripCount, start: Expr, bound: Expr) -> Expr:
    """How often a loop goes back at most, from where it starts and what bounds it."""
    step, skip = trip.induction.step, 1 if trip.after else 0
    down = step < 0
    if trip.predicate == "ne":
        a, b = _integer(code, start), _integer(code, bound)
        distance = code.to_i64((a - b) if down else (b - a))
    else:
        signed = trip.predicate.startswith("s")
        a, b = (code.to_i64(_integer(code, x), signed=signed) for x in (start, bound))
        if trip.predicate.endswith("e"):
            b = b - 1 if down else b + 1
        low, high = (b, a) if down else (a, b)
        distance = high - low if signed else code.call(I64, "llvm.usub.sat.i64", high, low)
    size = abs(step)
    if size > 1:
        if trip.predicate != "ne":
            distance = distance + (size - 1)
        distance = code.emit(I64, f"sdiv {distance}, {size}")
    if skip:
        distance = distance - 1
    if trip.predicate == "ne":
        return distance
    return code.call(I64, "llvm.smax.i64", distance, code.constant(I64, 0))


def _integer(code: Code, x: Expr) -> Expr:
    return code.emit(I64, f"ptrtoint {x} to i64") if x.type.is_pointer else x
