"""Which bytes of memory a loop touches, as numbers that are known where it is entered.

A loop's rounds can be run again if what they read is put back before. How much that is follows from the objects (local
memory, what was allocated, variables), or from the addresses: bases that the loop doesn't change, with indices that
count from one bound to another. Memory that is not known to be there is not touched: an address counts if it is used in
the first round for sure; any other has to lie among those, or there is another version of the loop (`Extents.checks`).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

from gradir.machine.analysis.addresses import gep_parts
from gradir.machine.analysis.cfg import CFG, Induction, Loop, TripCount
from gradir.machine.analysis.intrinsics import masked_access
from gradir.machine.analysis.memory import Memory, Place
from gradir.machine.ir import Block, Constant, Function, Global, Instruction, Module, Value
from gradir.machine.passes.loops.numbers import Guarded, Number, Unsigned, combined
from gradir.machine.rules.rule import rule_for

__all__ = ["Extent", "Extents", "Left", "Touched", "tests_at_end", "turns_beyond"]

FAR = 1 << 62
"""Further than any address is from another one."""


class Left(Exception):
    """Why a loop is left as it is."""

    def __init__(self, why: str, at: Instruction | None = None) -> None:
        super().__init__(why)
        self.why, self.at = why, at


class Span(NamedTuple):
    """The least and the greatest that an integer may be in any round."""

    low: Number
    high: Number
    streams: bool = False
    """Whether it goes on from round to round, by the counter of the loop itself."""
    exact: bool = True
    """Whether it is both in some round, if all that it is made of is."""
    made_of: frozenset[Value] = frozenset()
    """The counters in it: of one that is there twice the ends don't come together."""


# -- memory ----------------------------------------------------------------------------------------------------------


class Touch(NamedTuple):
    """Bytes from a base that one instruction reads or writes."""

    base: Value
    span: Span | None
    """None if it is not known which."""
    written: bool
    instruction: Instruction
    place: Place


class Extent(NamedTuple):
    """A stretch of memory: where it begins, from a base, and its bytes."""

    base: Value
    begin: Number
    bytes: Number


@dataclass
class Extents:
    """What has to be put back before rounds of a loop are run again."""

    state: list[Extent] = field(default_factory=list)
    """What rounds write, and later ones read."""
    ends: list[Extent] = field(default_factory=list)
    """What rounds write and none reads: it is as it was left once all is done."""
    inputs: list[Extent] = field(default_factory=list)
    """What rounds read that is overwritten after the loop."""
    checks: list[tuple[Number, Number]] = field(default_factory=list)
    """Pairs of which the first must not be greater, or none of this holds."""


_MOST_LOOKS = 20_000
"""At phis and what is computed from them, which may be many ways."""

_HARMLESS = ("llvm.lifetime.", "llvm.assume", "llvm.dbg.", "llvm.experimental.noalias.scope", "llvm.prefetch")


class Touched:
    """Looks through the memory that a loop of a function touches."""

    def __init__(self, module: Module, function: Function, cfg: CFG, memory: Memory, loop: Loop, *, alone: bool):
        """`alone` tells if nobody changes the function's memory after it has returned, before it is undone."""
        self.module, self.function, self.cfg, self.memory, self.loop = module, function, cfg, memory, loop
        self.alone = alone
        holding = [f for f in module.definitions if f.may_hold("landingpad")]
        self.aborts = not any(i.opcode == "landingpad" for f in holding for i in f.instructions())
        """Whether a way that doesn't return is the end of the program: nobody catches an exception."""
        self.checks: list[tuple[Number, Number]] = []
        self._spans: dict[Value, Span | None] = {}
        self._stays: dict[Place, bool] = {}
        self._looks = 0

    def extents(self) -> Extents:
        touches: list[Touch] = []
        for block in self.cfg.reachable:
            if block in self.loop.blocks:
                for i in block.instructions:
                    touches += self._touches(i)
        needed = [t for t in touches if t.written or not self._lasts(t.place)]
        found = Extents()
        for base in dict.fromkeys(t.base for t in needed):
            self._add(found, base, [t for t in touches if t.base is base], touches)
        for t in needed:
            if t.written and t.span is not None and t.span.streams and self._is_read(t, touches):
                raise Left("each round writes a part of its own of memory that rounds read", t.instruction)
        found.checks += self.checks
        return found

    def pointees(self, carried: Instruction) -> list[Value]:
        """Of a value that rounds carry and that may be a pointer: the addresses that it may be."""
        if not self.memory.points(carried):
            return []
        bases = self._bases(carried, frozenset()) if carried.type.is_pointer else []
        if not bases or any(o is None or (o.low, o.high) != (0, 0) or self.loop.holds(b) for b, o in bases):
            raise Left("rounds carry addresses that move", carried)
        return list(dict.fromkeys(b for b, _ in bases))

    def _add(self, found: Extents, base: Value, touches: list[Touch], every: list[Touch]) -> None:
        """The stretches from one base."""
        size = self._size(base)
        writes = [t for t in touches if t.written]
        if size is not None:
            whole = Extent(base, 0, size)
            if writes:
                (found.state if any(self._is_read(t, every) for t in writes) else found.ends).append(whole)
            if not self._lasts(self.memory.place(base)):
                found.inputs.append(whole)
            return
        for t in touches:
            if t.span is None and (t.written or not self._lasts(t.place)):
                raise Left("it is not known how much memory this may reach", t.instruction)
        known = [t for t in touches if t.span is not None]
        sure = [(t, span) for t in known if (span := self._surely(t)) is not None]
        if not sure:
            raise Left("it is not known in advance if this memory is used at all", touches[0].instruction)
        low, high = _hull([span for _, span in sure])
        for t in known:
            if all(t is not s for s, _ in sure) and (t.written or not self._lasts(t.place)):
                assert t.span is not None
                self.checks += [(low, t.span.low), (t.span.high, high)]
        if writes:
            spans = [span for t, span in sure if t.written]
            maybe = any(all(t is not s for s, _ in sure) for t in writes)
            begin, end = (low, high) if maybe or not spans else _hull(spans)
            into = found.state if any(self._is_read(t, every) for t in writes) else found.ends
            into.append(Extent(base, begin, combined("sub", end, begin)))
        if any(not self._lasts(t.place) for t in touches):
            found.inputs.append(Extent(base, low, combined("sub", high, low)))

    def _is_read(self, write: Touch, touches: list[Touch]) -> bool:
        return any(not t.written and self.memory.places_overlap(t.place, write.place) for t in touches)

    def _size(self, base: Value) -> Number | None:
        """The bytes of an object that is known as a whole."""
        if isinstance(base, Global):
            known = base.line and base.name not in self.module.functions and base.initializer is not None
            return base.value_type.size if known else None
        if not isinstance(base, Instruction):
            return None
        if base.opcode == "alloca":
            count: Number = 1
            for operand in base.operands:
                count = operand.integer or 0 if isinstance(operand, Constant) else Unsigned(operand)
            return combined("mul", count, base.accessed_type.size)
        fact = self.memory.known(base) if base.opcode == "call" else None
        if fact is None or fact.kind not in ("allocate", "zero_allocate") or fact.data is not None or not fact.size:
            return None
        total: Number = 1
        for n in fact.size:
            operand = base.arguments[n]
            literal = operand.integer if isinstance(operand, Constant) else None
            total = combined("mul", total, Unsigned(operand) if literal is None else literal)
        return total

    def _lasts(self, place: Place) -> bool:
        """Whether memory is the same when the loop is undone as at its end."""
        place = place.find()
        if place not in self._stays:
            self._stays[place] = self._find_lasting(place)
        return self._stays[place]

    def _find_lasting(self, place: Place) -> bool:
        memory, after = self.memory, self.cfg.reaches[self.loop.latch] - self.loop.blocks
        if place.origins and all(isinstance(o, Global) and o.constant for o in place.origins):
            return True
        if place.fickle or (place.external and not self.alone):
            return False
        for w in memory.writes:
            if w.instruction.block in after and memory.places_overlap(place, memory.place(w.pointer)):
                return False
        for call in memory.opaque_calls:
            if call.block in after:
                places, unseen = memory.changed_by(call)
                if (unseen and place.external) or any(memory.places_overlap(place, p) for p in places):
                    return False
        return True

    # -- what an instruction touches --------------------------------------------------------------------------------

    def _touches(self, i: Instruction) -> Iterator[Touch]:
        match i.opcode:
            case "load" | "store":
                if i.flags & {"volatile", "atomic"}:
                    raise Left("this can't be done again", i)
                size = i.type.size if i.opcode == "load" else i.value.type.size
                yield from self._at(i, i.pointer, Span(0, size), i.opcode == "store")
            case "call":
                yield from self._touches_of_call(i)
            case "invoke" | "atomicrmw" | "cmpxchg" | "fence" | "landingpad" | "va_arg" | "indirectbr" | "callbr":
                raise Left("this can't be done again", i)
            case "alloca":
                raise Left("rounds take stack memory of their own", i)

    def _touches_of_call(self, call: Instruction) -> Iterator[Touch]:
        name = call.callee_name or ""
        if _is_harmless(call):
            return
        fact = self.memory.known(call)
        pointers = [a for a in call.arguments if a.type.holds_pointer]
        if fact is None and name.startswith("llvm.") and not pointers and masked_access(call) is None:
            return
        if fact is None:
            yield from self._touches_of_callee(call)
        elif fact.kind in ("copy", "set"):
            span = Span(0, 1)
            for n in fact.size:
                size = self._span(call.arguments[n])
                if size is None:
                    raise Left("it is not known how much memory this may reach", call)
                span = _together(span, size, 0, combined("mul", span.high, size.high))
            assert fact.pointer is not None
            yield from self._at(call, call.arguments[fact.pointer], span, True)
            if fact.source is not None:
                yield from self._at(call, call.arguments[fact.source], span, False)
        elif fact.kind in ("allocate", "zero_allocate"):
            self._check_local(call)
        elif fact.kind == "free":
            freed = self.memory.base(call.arguments[fact.pointer or 0])[0]
            if not self._is_local(freed):
                raise Left("memory is freed that was there before the loop", call)
        elif fact.kind == "pure" or (name.startswith("llvm.") and fact.writes_nothing and not pointers):
            for p in pointers:
                yield Touch(self.memory.base(p)[0], None, False, call, self.memory.place(p))
        else:
            raise Left(f"@{name} can't be called again: what it does is not only a matter of memory", call)

    def _touches_of_callee(self, call: Instruction) -> Iterator[Touch]:
        """A function that is not inlined: of what it may reach, whole objects are known."""
        self._check_callee(call, call.callee_name, set())
        written, unseen = self.memory.changed_by(call) if call in self.memory.opaque_calls else (set(), False)
        if unseen:
            raise Left(f"it is not known what memory @{call.callee_name} writes", call)
        changed = {place.find() for place in written}
        for place in self.memory.reached(call):
            if place not in changed and self._lasts(place):
                yield Touch(call, None, False, call, place)
                continue
            if place.external or not place.origins:
                raise Left(f"it is not known how much memory @{call.callee_name} may reach", call)
            for origin in place.origins:
                if isinstance(origin, Instruction) and not self.cfg.dominates(origin.block, self.loop.preheader):
                    raise Left(f"@{call.callee_name} may reach memory that is not there before the loop", call)
                yield Touch(origin, None, False, call, place)
                if place in changed:
                    yield Touch(origin, None, True, call, place)

    def _check_callee(self, call: Instruction, name: str | None, seen: set[str]) -> None:
        function = self.module.functions.get(name or "")
        if function is None or function.is_declaration or name in self.memory.ruled:
            raise Left(f"@{name or 'a function by its address'} may do what can't be done again", call)
        if function.name in seen:
            return
        seen.add(function.name)
        for i in function.instructions():
            if i.opcode in ("invoke", "atomicrmw", "cmpxchg", "fence", "callbr") or i.flags & {"volatile", "atomic"}:
                raise Left(f"@{name} does what can't be done again", call)
            if i.opcode != "call" or rule_for(i) is not None or (i.callee_name or "").startswith("llvm."):
                continue
            fact = self.memory.known(i)
            if fact is None:
                self._check_callee(call, i.callee_name, seen)
            elif fact.kind not in ("pure", "copy", "set"):
                raise Left(f"@{name} calls @{i.callee_name}, which can't be called again", call)

    def _check_local(self, allocation: Instruction) -> None:
        """Refuse memory of a round that another round may see."""
        work, seen = [allocation], set[Instruction]()
        while work:
            i = work.pop()
            for user in self.function.users.get(i, []):
                if user in seen:
                    continue
                seen.add(user)
                stays = user.block in self.loop.blocks and user.block is not self.loop.header
                if user.opcode in ("getelementptr", "select") or (user.opcode == "phi" and stays):
                    work.append(user)
                elif not self._only_uses(user, i):
                    raise Left("memory that a round allocates may be seen by others", user)

    def _only_uses(self, user: Instruction, pointer: Instruction) -> bool:
        """Whether an instruction reads, writes or frees memory, and leaves its address nowhere."""
        match user.opcode:
            case "load" | "icmp":
                return True
            case "store":
                return user.value is not pointer
            case "call":
                fact = self.memory.known(user)
                return (fact is not None and fact.kind in ("free", "copy", "set")) or _is_harmless(user)
        return False

    def _is_local(self, base: Value) -> bool:
        """Whether it is memory that the loop allocates itself."""
        if not isinstance(base, Instruction) or not self.loop.holds(base):
            return False
        fact = self.memory.known(base) if base.opcode == "call" else None
        return fact is not None and fact.kind in ("allocate", "zero_allocate")

    def _at(self, i: Instruction, pointer: Value, span: Span, written: bool) -> Iterator[Touch]:
        place = self.memory.place(pointer)
        for base, offset in self._bases(pointer, frozenset()):
            if self._is_local(base):
                continue
            if self.loop.holds(base) and (written or not self._lasts(place)):
                raise Left("the address is found in memory, in each round anew", i)
            yield Touch(base, None if offset is None else _sum(offset, span), written, i, place)

    def _bases(self, pointer: Value, around: frozenset[Value]) -> list[tuple[Value, Span | None]]:
        """What addresses an address is computed from that the loop doesn't change, and how far it is from each."""
        if not self.loop.holds(pointer):
            base = _outer_base(pointer)
            if base is pointer:
                return [(base, Span(0, 0))]
            distance = combined("sub", Unsigned(pointer), Unsigned(base))
            return [(base, Span(distance, distance))]
        assert isinstance(pointer, Instruction)
        self._looks += 1
        if self._looks > _MOST_LOOKS:
            raise Left("the loop's addresses are too many", pointer)
        match pointer.opcode:
            case "getelementptr" if pointer.type.is_pointer:
                offset = self._offset(pointer)
                found = self._bases(pointer.pointer, around)
                return [(b, None if o is None or offset is None else _sum(o, offset)) for b, o in found]
            case "select":
                return _perhaps([pair for o in pointer.operands[1:] for pair in self._bases(o, around)])
            case "phi" if pointer in around:
                return [(pointer, Span(0, 0))]  # where that is looked at, it shows if it has moved meanwhile
            case "phi":
                induction = self._induction(pointer)
                if induction is not None:
                    steps = self._steps(induction)
                    return [
                        (b, None if o is None or steps is None else _sum(o, steps))
                        for b, o in self._bases(induction.start, around)
                    ]
                found = []
                for value, block in pointer.incoming:
                    first = pointer.block is self.loop.header and block is not self.loop.latch
                    pairs = self._bases(value, around | {pointer})
                    found += pairs if first else _perhaps(pairs)  # which the first round may not have
                stays = all(o is not None and (o.low, o.high) == (0, 0) for b, o in found if b is pointer)
                return [(b, o if stays else None) for b, o in found if b is not pointer]
        return [(pointer, Span(0, 0))]

    def _offset(self, gep: Instruction) -> Span | None:
        total = Span(0, 0)
        for index, size in gep_parts(gep):
            span = Span(1, 1) if index is None else self._span(index)
            if span is None:
                return None
            part = span._replace(low=combined("mul", span.low, size), high=combined("mul", span.high, size))
            total = _sum(total, part)
        return total

    # -- what integers may be ---------------------------------------------------------------------------------------

    def _span(self, v: Value) -> Span | None:
        if v not in self._spans:
            self._spans[v] = None  # what comes back to itself is not known
            self._spans[v] = self._find_span(v)
        return self._spans[v]

    def _find_span(self, v: Value) -> Span | None:
        if isinstance(v, Constant):
            return None if v.integer is None else Span(v.integer, v.integer)
        if not v.type.is_integer or v.type.count > 64:
            return None
        if not isinstance(v, Instruction) or not self.loop.holds(v):
            return Span(v, v)
        match v.opcode:
            case "sext" | "freeze":
                return self._span(v.operands[0])
            case "zext":
                return self._not_negative(self._span(v.operands[0]))
            case "trunc":
                return self._fitting(self._span(v.operands[0]), v)
            case "add" | "sub" | "mul" | "shl" | "or":
                return self._of_two(v)
            case "and" | "urem" | "srem" if isinstance(v.operands[1], Constant) and (v.operands[1].integer or 0) > 0:
                most = (v.operands[1].integer or 1) - (v.opcode != "and")
                return Span(-most if v.opcode == "srem" else 0, most, exact=False)
            case "select":
                return _either([self._span(o) for o in v.operands[1:]])
            case "phi":
                induction = self._induction(v)
                if induction is None:
                    return None if v.block is self.loop.header else _either([self._span(o) for o in v.operands[::2]])
                steps, start = self._steps(induction), self._span(induction.start)
                return self._fitting(None if steps is None or start is None else _sum(start, steps), v)
        return None

    def _of_two(self, v: Instruction) -> Span | None:
        a, b = (self._span(o) for o in v.operands)
        if a is None or b is None:
            return None
        match v.opcode:
            case "sub":
                found = _together(a, b, combined("sub", a.low, b.high), combined("sub", a.high, b.low))
            case "or":
                if "disjoint" not in v.flags:
                    return None
                found = _sum(a, b)
            case "add":
                found = _sum(a, b)
            case _:
                if v.opcode == "shl":
                    if not isinstance(b.low, int) or b.low != b.high or not 0 <= b.low < 32:
                        return None
                    b = Span(1 << b.low, 1 << b.low)
                products = [combined("mul", x, y) for x in {a.low: 0, a.high: 0} for y in {b.low: 0, b.high: 0}]
                low = high = products[0]
                for p in products[1:]:
                    low, high = combined("min", low, p), combined("max", high, p)
                found = _together(a, b, low, high)
        return self._fitting(found, v)

    def _not_negative(self, span: Span | None) -> Span | None:
        if span is not None:
            self.checks.append((0, span.low))
        return span

    def _fitting(self, span: Span | None, v: Value) -> Span | None:
        """As long as nothing overflows."""
        if span is not None:
            most = 1 << (v.type.count - 1)
            self.checks += [(-most, span.low), (span.high, most - 1)]
        return span

    def _induction(self, phi: Instruction) -> Induction | None:
        loop = self.cfg.headers.get(phi.block)
        return loop.inductions.get(phi) if loop is not None else None

    def _steps(self, induction: Induction) -> Span | None:
        """How far an induction variable gets from its start."""
        loop = self.cfg.headers[induction.phi.block]
        trip = loop.trip
        if trip is None or (not trip.after and not tests_at_end(loop)):
            return None
        back = self._times_back(loop)
        if back is None:
            return None
        last = combined("mul", back.high, induction.step)
        low, high = (0, last) if induction.step > 0 else (last, 0)
        return Span(low, high, loop is self.loop, not back.made_of, back.made_of | {induction.phi})

    def _times_back(self, loop: Loop) -> Span | None:
        """How often a loop goes back at most, in any round."""
        trip = loop.trip
        assert trip is not None
        if trip.bound.type.is_pointer:
            return None
        start, bound = self._span(trip.induction.start), self._span(trip.bound)
        if start is None or bound is None:
            return None
        step = trip.induction.step
        if trip.predicate[0] == "u":
            self.checks += [(0, start.low), (0, bound.low)]
        end: Number = bound.high if step > 0 else bound.low
        if trip.predicate == "ne" and trip.bound.type.count < 64:  # or it goes round
            self.checks.append((start.high, bound.low) if step > 0 else (bound.high, start.low))
        distance = combined("sub", end, start.low) if step > 0 else combined("sub", start.high, end)
        distance = combined("add", distance, turns_beyond(trip) - 1)
        if abs(step) == 1:
            return Span(0, combined("max", 0, distance), made_of=start.made_of | bound.made_of)
        most = combined("max", 0, distance)
        return Span(0, most // abs(step)) if isinstance(most, int) else None

    # -- what is sure to happen -------------------------------------------------------------------------------------

    def _surely(self, t: Touch) -> Span | None:
        """What an instruction touches for sure in the first round (all rounds, if it goes on with them), or where a
        condition that no round changes says so."""
        assert t.span is not None
        if not t.span.exact:
            return None
        conditions: list[tuple[Value, bool]] = []
        block: Block = t.instruction.block
        inner = self.cfg.loop_of[block]
        while inner is not None:
            more = self._conditions(block, inner)
            if more is None:
                return None
            conditions += more
            if inner is self.loop:
                break
            if self._ways_out(inner) != [inner.latch]:
                return None
            block, inner = inner.preheader, inner.parent
        if t.span.streams and (len(self._ways_out(self.loop)) != 1 or not (self.loop.trip and self.loop.trip.exact)):
            return None
        low, high = t.span.low, t.span.high
        for condition, truth in conditions:
            low, high = Guarded(condition, truth, low, FAR), Guarded(condition, truth, high, -FAR)
        return Span(low, high, t.span.streams)

    def _ways_out(self, loop: Loop) -> list[Block]:
        """The blocks by which a loop may be left, each once for each way."""
        if self.aborts:
            return [b for b, _ in loop.exits]
        return [b for b in loop.blocks for s in b.successors if s not in loop.blocks]

    def _conditions(self, block: Block, loop: Loop) -> list[tuple[Value, bool]] | None:
        """What has to hold for a block to be reached in each turn of its loop; None if that is not known."""
        found: list[tuple[Value, bool]] = []
        ends = [loop.latch, *self._ways_out(loop)]
        while not all(self.cfg.dominates(block, b) for b in ends):
            before = self.cfg.predecessors(block)
            if len(before) != 1 or block is loop.header:
                return None
            inner = self.cfg.loop_of[before[0]]
            if inner is not loop:  # behind a loop, which ends
                while inner is not None and inner.parent is not loop:
                    inner = inner.parent
                if inner is None or len(self._ways_out(inner)) != 1:
                    return None
                block = inner.preheader
                continue
            last = before[0].terminator
            if len(set(before[0].successors)) > 1:
                if last.opcode != "br" or self.loop.holds(last.operands[0]):
                    return None
                found.append((last.operands[0], last.operands[1] is block))
            block = before[0]
        return found


def _is_harmless(call: Instruction) -> bool:
    return rule_for(call) is not None or (call.callee_name or "").startswith(_HARMLESS)


def tests_at_end(loop: Loop) -> bool:
    """Whether all of a turn is done before the loop may be left."""
    return all(b is loop.latch for b, _ in loop.exits)


def turns_beyond(trip: TripCount) -> int:
    """How many more turns there are than from the start to the bound, of steps of one."""
    return int(not trip.after) + int(trip.predicate.endswith("e") and trip.predicate != "ne")


def _outer_base(pointer: Value) -> Value:
    while isinstance(pointer, Instruction) and pointer.opcode == "getelementptr" and pointer.type.is_pointer:
        pointer = pointer.pointer
    return pointer


def _together(a: Span, b: Span, low: Number, high: Number) -> Span:
    exact = a.exact and b.exact and a.made_of.isdisjoint(b.made_of)
    return Span(low, high, a.streams or b.streams, exact, a.made_of | b.made_of)


def _perhaps(bases: list[tuple[Value, Span | None]]) -> list[tuple[Value, Span | None]]:
    """Of addresses that are not used for sure."""
    return [(base, None if offset is None else offset._replace(exact=False)) for base, offset in bases]


def _sum(a: Span, b: Span) -> Span:
    return _together(a, b, combined("add", a.low, b.low), combined("add", a.high, b.high))


def _either(spans: list[Span | None]) -> Span | None:
    found: Span | None = None
    for s in spans:
        if s is None:
            return None
        found = s if found is None else _together(found, s, *_hull([found, s]))._replace(exact=False)
    return found


def _hull(spans: list[Span]) -> tuple[Number, Number]:
    low, high = spans[0].low, spans[0].high
    for s in spans[1:]:
        low, high = combined("min", low, s.low), combined("max", high, s.high)
    return low, high
