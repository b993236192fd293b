"""Integers that were computed from the bits of active floats in ways without a derivative, and floats made of them.

An exponent that is masked out, a hash, bytes that are taken one by one: as long as such integers guide branches and
indices, or are converted to numbers, their derivative is zero almost everywhere. Where their bits become a float again,
a derivative would be lost without a word. Those instructions are `lossy`; what depends on them is refused, if it
matters to an active output.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from gradir.machine.analysis.bits.operations import EXPONENT_BITS, bit_operation, has_no_digits, is_swap
from gradir.machine.analysis.bits.order import ByteOrder
from gradir.machine.analysis.bytes.counters import is_counted
from gradir.machine.analysis.bytes.typed_integers import converts_integer, reads_integer, stores_integer
from gradir.machine.analysis.bytes.types import FunctionTypes, Kind
from gradir.machine.analysis.cfg import CFG
from gradir.machine.analysis.intrinsics import masked_access
from gradir.machine.analysis.memory import Memory, Place
from gradir.machine.ir import Argument, Function, Instruction, Type, Value
from gradir.machine.ir.opcodes import OPCODES
from gradir.request import Activity as Mark

if TYPE_CHECKING:
    from gradir.machine.analysis.activity import Activity

__all__ = ["Summaries", "Summary", "Taint"]


class Summary(NamedTuple):
    """What a function does with bits, if some of what it is given is tainted."""

    result: bool = False
    """Whether its result may be made of bits without a derivative."""
    written: bool = False
    """Whether it may write such integers to memory that its caller sees."""
    lossy: bool = False
    """Whether it may make floats of them that matter."""


Key = tuple[str, frozenset[int]]
"""A function's name, and the numbers of its tainted arguments."""


class Summaries:
    """What functions do with bits: the least solution, found without recursion, since calls may be of any depth.

    What a function does may depend on what it calls, itself among it. So all begin as harmless, and whoever asked for a
    summary that turns out otherwise is analysed again.
    """

    def __init__(self) -> None:
        self._found: dict[Key, Summary] = {}
        self._analyses: dict[Key, Callable[[], Summary]] = {}
        self._askers: dict[Key, set[Key]] = {}
        self._waiting: dict[Key, None] = {}

    def of(self, key: Key, analyse: Callable[[], Summary], asker: Key | None) -> Summary:
        """The summary as it is known now, if the analysis of another asks for it (`asker`), else as it is."""
        if key not in self._found:
            self._found[key], self._analyses[key], self._askers[key] = Summary(), analyse, set()
            self._waiting[key] = None
        if asker is None:
            self._solve()
        elif key in self._askers:
            self._askers[key].add(asker)
        return self._found[key]

    def _solve(self) -> None:
        while self._waiting:
            key, _ = self._waiting.popitem()
            found = self._analyses[key]()
            if found != self._found[key]:
                self._found[key] = found
                self._waiting.update(dict.fromkeys(self._askers[key]))
        self._analyses.clear()
        self._askers.clear()


class Taint:
    """The tainted values and places of one function."""

    def __init__(self, activity: Activity, summaries: Summaries, tainted: frozenset[int] | None = None) -> None:
        self.activity, self.summaries = activity, summaries
        self._key = None if tainted is None else (activity.function.name, tainted)
        """Whose summary is made of this."""
        self.values: set[Value] = set()
        self.places: set[Place] = set()
        self.lossy: set[Instruction] = set()
        """What makes floats of tainted bits: bit casts, stores and copies to where floats are, calls."""
        self._regions: dict[tuple[Value, Value], frozenset[Kind]] = {}
        """What there is in what is copied, asked once."""

    @property
    def types(self) -> FunctionTypes:
        return self.activity.types

    @property
    def memory(self) -> Memory:
        return self.activity.memory

    def spread(self) -> bool:
        """From what is active now to all that is made of it; whether that makes more floats than before."""
        lossy, size = len(self.lossy), -1
        while size != (size := len(self.values) + len(self.places) + len(self.lossy)):
            for block in self.activity.cfg.order:
                for i in block.instructions:
                    self._visit(i)
        return len(self.lossy) > lossy

    def matters(self, i: Instruction) -> bool:
        """Whether a float that is made of tainted bits has a part in the derivative."""
        activity = self.activity
        match i.opcode:
            case "store" | "atomicrmw" | "cmpxchg":
                return activity.holds_active_floats(i.pointer)
            case "call" | "invoke":
                fact = self.memory.known(i)
                if fact is not None and fact.kind == "copy":
                    return activity.holds_active_floats(i.arguments[fact.pointer or 0])
                return activity.active_call(i)
        return activity.active(i)

    def follows(self, call: Instruction) -> bool:
        """Whether it is known what a call does with bits that it is handed, other than by way of memory."""
        fact = self.memory.known(call)
        if fact is not None or self.activity.inactive(call):
            return not _holds_integer(call.type)
        return bool(self._callees(call))

    # -- instructions -----------------------------------------------------------------------------------------------

    def _visit(self, i: Instruction) -> None:
        match i.opcode:
            case "load":
                self._load(i, i.pointer)
            case "store":
                self._store(i, i.value)
            case "atomicrmw" | "cmpxchg":
                self._load(i, i.pointer)
                for value in i.operands[1:]:
                    self._store(i, value)
            case "call" | "invoke":
                self._call(i)
            case "bitcast" if i.type.is_float:
                if i.operands[0] in self.values and not _is_power(i):
                    self.lossy.add(i)
            case "uitofp" | "sitofp" if not converts_integer(i):
                if self.activity.is_unclear(i) or any(t.source in self.values for t in self.activity.terms(i)):
                    self.lossy.add(i)
            case _ if OPCODES[i.opcode].keeps_bits and self._takes_on(i):
                self.values.add(i)

    def _load(self, i: Instruction, pointer: Value) -> None:
        if not _holds_integer(i.type) or self.activity.carries(i):
            return
        if "range" in i.metadata or reads_integer(i) or (i.opcode == "load" and is_counted(i)):
            return  # the tag of an enum, say: of the bits of a float nobody could tell
        place = self.memory.place(pointer)
        if place in self.places or (place in self.activity.varied_places and self._may_be_bits(pointer, i.type.size)):
            self.values.add(i)

    def _may_be_bits(self, pointer: Value, size: int) -> bool:
        """Whether some bytes may be those of floats: something says so, or nothing says that they are not."""
        if self._overlaps_floats(pointer, size):
            return True
        return not self.types.surely_integer(pointer, size) and self.types.memory(pointer, 0, size) is not Kind.pointer

    def _overlaps_floats(self, pointer: Value, size: int) -> bool:
        local = not self.memory.place(pointer).find().external
        return self.types.overlaps_floats(pointer, size, local=local)

    def _store(self, i: Instruction, value: Value) -> None:
        if value not in self.values or stores_integer(i):
            return
        sizes = {value.type.size, value.type.scalar.size}
        may_be_floats = self._may_be_bits if self._is_seen_outside(i.pointer) else self._overlaps_floats
        if any(may_be_floats(i.pointer, size) for size in sizes):
            self.lossy.add(i)
        else:
            self.places.add(self.memory.place(i.pointer))

    def _is_seen_outside(self, pointer: Value) -> bool:
        """Whether whoever asks for the derivative may take what is written there for floats."""
        if self.activity.nested:
            return False
        return any(isinstance(origin, Argument) for origin in self.memory.place(pointer).find().origins)

    def _takes_on(self, i: Instruction) -> bool:
        """Whether it makes an integer of the bits of active floats from which their derivative can't be told."""
        if not _holds_integer(i.type):
            return False
        tainted = any(o in self.values for o in i.operands)
        if i.type.is_aggregate or i.operands[0].type.is_aggregate:
            # Structs are in registers only where they are passed (`passes/words/aggregates.py`), by their own types.
            return tainted or (i.opcode == "insertvalue" and self._is_in_guise(i.operands[1]))
        return (tainted or any(map(self._has_active_bits, i.operands))) and not self._keeps_floats(i)

    def _has_active_bits(self, value: Value) -> bool:
        """Whether a value is an active float, or has the bits of one.

        All arguments of a callee are taken for active, its lengths and flags too: what is not known to be a float there
        is one's bits only if the call says so.
        """
        activity = self.activity
        return value in activity.varied and (not activity.nested or activity.carries(value))

    def _is_in_guise(self, value: Value) -> bool:
        """Whether an active float is an integer to LLVM."""
        return value.type.scalar.is_integer and self._has_active_bits(value)

    def _keeps_floats(self, i: Instruction) -> bool:
        carried = self.activity.carried(i)
        if carried is None:
            return False
        if any(self._has_several_in_a_lane(v) for v in (i, *i.operands)):
            return i.opcode in ("bitcast", "extractelement", "phi", "freeze") and i.operands[0] not in self.values
        if OPCODES[i.opcode].moves:
            return not any(o in self.values for o in i.operands)
        operation = bit_operation(i, carried, self.activity.carries)
        if operation is None or self._may_be_swapped(operation.operand):
            return False
        read = i.operands if operation.kind in ("sum", "difference", "same") else [operation.operand]
        return not any(o in self.values for o in read)

    def _may_be_swapped(self, value: Value) -> bool:
        return self.types.may_be_swapped(value) and self._order.may_be_reversed(value)

    @cached_property
    def _order(self) -> ByteOrder:
        activity = self.activity
        return ByteOrder(
            activity.module,
            activity.cfg,
            self.memory,
            lambda call: activity.reached(call, *call.arguments, call),
            activity.nested,
        )

    def _has_several_in_a_lane(self, value: Value) -> bool:
        """Whether a vector of integers carries floats, several of them in the guise of one lane."""
        if value.type.kind != "vector" or not value.type.element.is_integer:
            return False
        carried = self.activity.carried(value)
        return carried is not None and carried.count != value.type.count

    # -- calls ------------------------------------------------------------------------------------------------------

    def _call(self, call: Instruction) -> None:
        activity, name = self.activity, call.callee_name
        if (masked := masked_access(call)) is not None:
            if masked.stored is None:
                self._load(call, masked.pointer)
            return
        fact = self.memory.known(call)
        if fact is not None and fact.kind == "copy":
            self._copy(call, call.arguments[fact.pointer or 0], call.arguments[fact.source or 0], fact.size[0])
            return
        if is_swap(call) and activity.keeps_float(call) and call.arguments[0] not in self.values:
            return
        if name is not None and name.startswith("llvm."):
            bits = [a for a in call.arguments if _holds_integer(a.type)]
            if _holds_integer(call.type) and any(a in self.values or self._has_active_bits(a) for a in bits):
                self.values.add(call)
            return
        if fact is not None or activity.inactive(call) or activity.rule(call) is not None:
            return
        self._call_of_body(call)

    def _copy(self, call: Instruction, target: Value, source: Value, size: int) -> None:
        """Where one end is taken for integers and the other for floats, floats are made of bits or bits of floats."""
        here, there = (self._kinds(p, call.arguments[size]) for p in (target, source))
        to, origin = self.memory.place(target), self.memory.place(source)
        holds, comes = (any(k.is_float for k in kinds) for kinds in (here, there))
        if origin in self.places:
            if holds and not comes:
                self.lossy.add(call)
            self.places.add(to)
        elif self.activity.module.is_typed:
            return  # a float that is copied is one there, too: nobody reads it as anything else
        elif origin in self.activity.varied_places and comes and not holds and Kind.unknown not in here:
            self.places.add(to)

    def _kinds(self, pointer: Value, length: Value) -> frozenset[Kind]:
        key = (pointer, length)
        if key not in self._regions:
            self._regions[key] = self.types.region(pointer, length).kinds
        return self._regions[key]

    def _call_of_body(self, call: Instruction) -> None:
        activity = self.activity
        callees = self._callees(call)
        tainted = frozenset(
            n for n, a in enumerate(call.arguments) if a in self.values or self._loses_its_kind(a, n, callees)
        )
        reached = activity.reached(call, *call.arguments)
        memory = any(p in self.places for p in reached)
        active = any(map(self._has_active_bits, call.arguments)) or any(p in activity.varied_places for p in reached)
        if not (tainted or memory or active):
            return
        summary = self._of_callees(callees, tainted)
        if (summary.result or memory) and _holds_integer(call.type):
            if not activity.carries(call):
                self.values.add(call)
            elif summary.result:
                self.lossy.add(call)
        if summary.written:
            effects = self.memory.effects(call)
            written = reached if effects.written is None else [p for p in reached if p in effects.written]
            self.places.update(written)
        if summary.lossy and tainted:
            self.lossy.add(call)

    def _callees(self, call: Instruction) -> list[Function]:
        """The functions with a body that may be called."""
        functions = self.activity.module.functions
        names = [call.callee_name] if call.callee_name is not None else self.types.functions(call.callee)
        known = [f for n in names if (f := functions.get(n)) is not None and not f.is_declaration]
        return [f for f in known if len(f.arguments) == len(call.arguments)]

    def _loses_its_kind(self, value: Value, n: int, callees: list[Function]) -> bool:
        """Whether the bits of an active float are passed to a function that does not know them for those of a float."""
        if not value.type.scalar.is_integer or not self._has_active_bits(value):
            return False
        return any(FunctionTypes(self.types.provenance, f).carried(f.arguments[n]) is None for f in callees)

    def _of_callees(self, callees: list[Function], tainted: frozenset[int]) -> Summary:
        """What any of the functions that may be called does."""
        if not callees:
            return Summary(result=True, lossy=bool(tainted))
        return Summary(*map(any, zip(*(self._summary(f, tainted) for f in callees), strict=True)))

    def _summary(self, function: Function, tainted: frozenset[int]) -> Summary:
        return self.summaries.of((function.name, tainted), lambda: self._summarised(function, tainted), self._key)

    def _summarised(self, function: Function, tainted: frozenset[int]) -> Summary:
        cfg = CFG(function, loops=False)
        inner = type(self.activity)(
            self.activity.module,
            function,
            cfg,
            self.memory.of(function, cfg),
            FunctionTypes(self.types.provenance, function),
            [Mark.active] * len(function.arguments),
            None if function.result.kind == "void" else Mark.active,
            self.activity.registry,
            nested=True,
            tainted=tainted,
            summaries=self.summaries,
        )
        found = inner.taint
        ends = [b.terminator for b in cfg.order if b.terminator.opcode == "ret" and b.terminator.operands]
        return Summary(
            any(end.operands[0] in found.values for end in ends),
            any(place.find().external for place in found.places),
            any(found.matters(i) for i in found.lossy),
        )


def _is_power(cast: Instruction) -> bool:
    """Whether bits that become a float are a power of two."""
    element = cast.type.scalar
    return element.text in EXPONENT_BITS and has_no_digits(cast.operands[0], element)


def _holds_integer(type: Type) -> bool:
    return any(part.scalar.is_integer and part.scalar.count > 1 for _, part in type.parts())
