"""Which memory a pointer may point to, and whether what was read is still there later.

Places are classes of memory, found by unification (Steensgaard): pointers that are mixed (by a phi, a select,
arithmetic, or by being
stored where the other is) share a place, and each place knows the place of the pointers that it holds. On top of
places,
two accesses are told apart by constant offsets, by strides and by type (TBAA).
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, field
from functools import cached_property

from gradir.machine.analysis.addresses import gep_parts
from gradir.machine.analysis.bits.provenance import Provenance
from gradir.machine.analysis.bytes.types import TypeAnalysis
from gradir.machine.analysis.cfg import CFG
from gradir.machine.analysis.intrinsics import handed_on, masked_access, reads_only
from gradir.machine.analysis.tbaa import types_differ
from gradir.machine.ir import Argument, Constant, Function, Global, Instruction, Module, Value, is_null
from gradir.machine.ir.attributes import Attributes
from gradir.machine.ir.graphs import callees_first, mentioners, reachable
from gradir.machine.ir.memory_effects import MemoryEffects, memory_effects
from gradir.machine.ir.text.tokens import global_names
from gradir.machine.rules import blas, mpi
from gradir.machine.rules.known import JOINED, SPAWN, Known, known

__all__ = ["Access", "Effects", "Memory", "Place", "Summary"]


_ARITHMETIC = frozenset(
    ("add", "sub", "mul", "shl", "lshr", "ashr", "and", "or", "xor", "trunc", "zext", "sext", "udiv", "sdiv")
)
"""What may be done to addresses in the guise of integers."""

_LOCKS = ("pthread_mutex_lock", "pthread_spin_lock")


class Place:
    """A class of memory. Ask for it by `Memory.place`: unification changes which object stands for it."""

    __slots__ = ("content", "external", "fickle", "number", "origins", "parent")
    counter = 0

    def __init__(self, external: bool = False) -> None:
        self.parent: Place | None = None
        self.content: Place | None = None
        self.external = external
        """Whether memory that exists outside the function may be part of it."""
        self.fickle = False
        """Whether it may be memory that changes without a word: a library's own, such as `errno`, or what a message is
        received in."""
        self.origins: set[Value] = set()
        """The arguments, globals, allocas and allocations in it."""
        Place.counter += 1
        self.number = Place.counter

    def find(self) -> Place:
        root = self
        while root.parent is not None:
            root = root.parent
        place = self
        while place.parent is not None:  # the next search is shorter
            place.parent, place = root, place.parent
        return root

    def inside(self) -> Place:
        """The place of the pointers that this place holds."""
        root = self.find()
        if root.content is None:
            root.content = Place(root.external)
        return root.content.find()

    def __repr__(self) -> str:
        root = self.find()
        names = sorted(o.ref for o in root.origins)
        return f"<place {root.number}{' external' if root.external else ''} {' '.join(names)}>"


def unify(a: Place, b: Place) -> Place:
    work = [(a, b)]
    while work:
        x, y = (p.find() for p in work.pop())
        if x is y:
            continue
        y.parent = x
        x.external |= y.external
        x.fickle |= y.fickle
        x.origins |= y.origins
        if x.content is None:
            x.content = y.content
        elif y.content is not None:
            work.append((x.content, y.content))
        inner = x.content.find() if x.external and x.content is not None else None
        while inner is not None and not inner.external:  # what outside memory points to is outside
            inner.external = True
            inner = inner.content.find() if inner.content is not None else None
    return a.find()


@dataclass(frozen=True, eq=False)
class Access:
    """A read or write of memory: `size` bytes (None: unknown) at a constant `offset` and multiples of `stride` from
    `base`."""

    instruction: Instruction
    pointer: Value
    size: int | None
    base: Value
    offset: int
    stride: int
    """The greatest common divisor of what variable indices add; 0 if nothing varies."""


@dataclass
class Summary:
    """What a function does to the memory that its caller sees, for calls to it: places by the way they are reached."""

    arguments: list[Place]
    result: Place
    written: set[Place] = field(default_factory=set)
    open: bool = True
    """Whether the function is still being looked at: a call of it is one that it makes itself, directly or not."""
    called: set[Place] = field(default_factory=set)
    """Where the pointers point to that are called, or that a rule takes: they need shadows."""
    managed: set[Place] = field(default_factory=set)
    """Memory that it allocates, gives back or asks the library about that it comes from: it must be that library's."""
    globals: dict[Global, Place] = field(default_factory=dict)
    """The globals that it uses."""
    writes: bool = False
    """Whether it writes memory that others can see at all."""
    waits: set[str] = field(default_factory=set)
    """Functions that it calls, directly or not, that were still open when it was closed: more is known of them now."""


@dataclass
class Effects:
    """What a call does, in places of the caller."""

    written: set[Place] | None = None
    """What it writes; None if that is all that it can get at."""
    unseen: bool = True
    """Whether it may write memory that the caller doesn't hand it."""
    globals: list[Place] = field(default_factory=list)
    called: set[Place] = field(default_factory=set)
    """Where the pointers point to that it calls, or hands to a rule."""
    managed: set[Place] = field(default_factory=set)


class Memory:
    """The memory of one function, as its instructions see it."""

    def __init__(
        self,
        module: Module,
        function: Function,
        cfg: CFG,
        *,
        noalias: bool = False,
        finished: dict[str, Summary] | None = None,
        provenance: Provenance | None = None,
        summaries: dict[str, Summary] | None = None,
        summary: Summary | None = None,
        ruled: Collection[str] = (),
        threads: bool = False,
        own: Collection[str] = (),
    ) -> None:
        """`finished` are summaries that hold whoever calls: for all functions of a module they are made once.

        `ruled` are functions with rules of the program's own, which take a shadow for each pointer. With `threads`,
        others run the same code on the same memory. `own` are variables that no argument leads to.
        """
        self.ruled, self.threads, self.own = ruled, threads, own
        self.module, self.function, self.cfg, self.noalias = module, function, cfg, noalias
        self.provenance = provenance or TypeAnalysis(module).provenance
        self._places: dict[Value, Place] = {}
        self._finished: dict[str, Summary] = {} if finished is None else finished
        self._summaries: dict[str, Summary] = {} if summaries is None else summaries
        self._known: dict[str, Known | None] = {}
        self._bases: dict[Value, tuple[Value, int, int]] = {}
        self._effects: dict[Instruction, Effects] = {}
        if summary is None:
            for name in callees_first(module, function, self._finished):  # a chain may be longer than Python's stack
                self.summary(name)
        for argument in function.arguments:
            if summary is not None:
                self._places[argument] = summary.arguments[argument.index]
                summary.arguments[argument.index].origins.add(argument)
            elif self.points(argument):
                self.place(argument)
        for block in cfg.reachable:
            for instruction in block.instructions:
                self._visit(instruction)
            last = block.terminator
            if summary is not None and last.opcode == "ret" and last.operands and self.points(last.operands[0]):
                unify(summary.result, self.place(last.operands[0]))
        if self._takes_turns:
            self._share()

    def of(self, function: Function, cfg: CFG) -> Memory:
        """The memory of another function of the module: what is known of those that it calls is shared."""
        return Memory(
            self.module,
            function,
            cfg,
            finished=self._finished,
            provenance=self.provenance,
            ruled=self.ruled,
            threads=self.threads,
        )

    # -- threads ----------------------------------------------------------------------------------------------------

    @cached_property
    def _takes_turns(self) -> bool:
        """Whether threads that the program makes take locks: until they are joined, what they write may change at any
        time, though they are seen to run where they are made."""
        functions = self.module.functions
        return JOINED in functions and not functions.keys().isdisjoint(_LOCKS)

    def _share(self) -> None:
        """What threads are handed is as what others have."""
        spawn = (name for name in self.module.functions if name.startswith(SPAWN))
        makers = reachable(mentioners(self.module.definitions), *spawn)
        for block in self.cfg.reachable:
            for i in block.instructions:
                if i.opcode in ("call", "invoke") and (i.callee_name is None or i.callee_name in makers):
                    for place in self.reached(i):
                        place.external = True

    # -- places -----------------------------------------------------------------------------------------------------

    def points(self, value: Value) -> bool:
        """Whether a value is, or holds, a pointer, perhaps in the guise of an integer."""
        return value.type.holds_pointer or self.provenance.carries(value)

    def place(self, pointer: Value) -> Place:
        """Where a pointer points to. Of an aggregate, where the pointers in it point to."""
        found = self._places.get(pointer)
        if found is None:
            found = self._places[pointer] = self._new_place(pointer)
            if isinstance(pointer, Global) and pointer.name not in self.module.aliases:
                self._place_contents(pointer)
        return found.find()

    def _place_contents(self, g: Global) -> None:
        """Let what a global begins with point to where it does: a table of variables leads to each of them."""
        if "@" not in (g.initializer or ""):
            return
        for name in global_names(g.initializer or ""):
            other = self.module.globals.get(name)
            if other is not None and name not in self.module.functions and not _is_plain_constant(other):
                unify(self.place(g).inside(), self.place(other))

    @property
    def globals(self) -> Iterator[Global]:
        """The variables of the module that the function may use, itself or by what it calls."""
        used = [self.module.globals.get(name) for name in self.function.mentioned]
        found = dict.fromkeys([*filter(None, used), *(v for v in self._places if isinstance(v, Global))])
        return (g for g in found if g.name not in self.module.functions)

    def places(self) -> set[Place]:
        """All that were asked for so far."""
        return {place.find() for place in self._places.values()}

    def _new_place(self, pointer: Value) -> Place:
        if isinstance(pointer, Constant):
            if not pointer.globals:
                return Place()  # null and undef point nowhere
            return self.place(self.module.globals[pointer.globals[0]])
        if isinstance(pointer, Global):
            target = self.module.aliases.get(pointer.name)
            if target and target in self.module.globals and target != pointer.name:
                return self.place(self.module.globals[target])
        place = Place(external=isinstance(pointer, (Argument, Global)))
        if isinstance(pointer, (Argument, Global)):
            place.origins.add(pointer)
            # A variable of another library (`signgam`, `optind`) changes with any call into it.
            variable = isinstance(pointer, Global) and bool(pointer.line)
            place.fickle = variable and pointer.initializer is None and not pointer.constant  # type: ignore[union-attr]
            if isinstance(pointer, Argument) and pointer.has("byval"):
                place.external = False
        return place

    def _visit(self, i: Instruction) -> None:
        match i.opcode:
            case "getelementptr" | "addrspacecast" | "freeze" | "extractvalue" | "extractelement" | "bitcast":
                if self.points(i):
                    unify(self.place(i), self.place(i.operands[0]))
                if i.opcode == "getelementptr" and is_null(i.operands[0]):  # a sum of addresses and numbers
                    self._join_addresses(i, i.operands[1:])
            case "inttoptr":
                if self.points(i.operands[0]):
                    unify(self.place(i), self.place(i.operands[0]))
                else:  # a number: nobody knows what is there
                    self.place(i).external = True
            case "ptrtoint" | "ptrtoaddr":
                if self.points(i):
                    unify(self.place(i), self.place(i.operands[0]))
            case _ if i.opcode in _ARITHMETIC:
                if self.points(i) and any(u.opcode != "icmp" for u in self.function.users.get(i, [])):
                    self._join_addresses(i, i.operands)
            case "phi" | "select" | "insertvalue" | "insertelement" | "shufflevector":
                if self.points(i):
                    for operand in i.operands[1:] if i.opcode == "select" else i.operands:
                        if self.points(operand):
                            unify(self.place(i), self.place(operand))
            case "load":
                if self.points(i):
                    unify(self.place(i), self.place(i.pointer).inside())
            case "store":
                if self.points(i.value):
                    unify(self.place(i.pointer).inside(), self.place(i.value))
            case "atomicrmw" | "cmpxchg":
                if self.points(i):
                    unify(self.place(i), self.place(i.pointer).inside())
                    unify(self.place(i), self.place(i.operands[-1]))
            case "alloca":
                self.place(i).origins.add(i)
            case "landingpad":
                thrown = unify(self.place(i), self.place(self.module.exceptions))
                if "@_ZTIP" in str(i):  # a handler of pointers is given what the exception holds
                    unify(thrown, thrown.inside())
            case "call" | "invoke":
                self._visit_call(i)

    def _join_addresses(self, i: Instruction, operands: list[Value]) -> None:
        """Addresses in the guise of integers. To what a difference is added, it leads from its one end to the other,
        and these are of one place already."""
        carried = [o for o in operands if self.points(o)]
        whole = [o for o in carried if self.provenance.made(o) != 0]
        for operand in whole or carried:
            unify(self.place(i), self.place(operand))

    def _visit_call(self, call: Instruction) -> None:
        name = call.callee_name
        fact = self.known(call)
        kind = fact.kind if fact else None
        pointers = [a for a in call.arguments if self.points(a)]
        if (masked := masked_access(call)) is not None:
            moved = masked.stored or call
            if self.points(moved):
                unify(self.place(masked.pointer).inside(), self.place(moved))
        elif kind in ("allocate", "zero_allocate"):
            self.place(call).origins.add(call)
        elif kind == "reallocate":
            unify(self.place(call), self.place(pointers[0])).origins.add(call)
        elif kind == "copy":
            unify(self.place(pointers[0]).inside(), self.place(pointers[1]).inside())
            if call.type.holds_pointer:
                unify(self.place(call), self.place(pointers[0]))
        elif name == "__cxa_allocate_exception":
            unify(self.place(call), self.place(self.module.exceptions))
        elif (given := handed_on(call)) is not None:
            for p in (p for p in given if self.points(p)):
                unify(self.place(call), self.place(p))
        elif fact is not None:
            self._visit_known(call, fact)
        elif name and (summary := self.summary(name)) is not None:
            self._apply(summary, call)
            if name == JOINED and self._takes_turns:
                self._effects[call] = Effects(set(), unseen=True)
        elif (written := self._written_arguments(call)) is not None:
            self._effects[call] = Effects({self.place(call.arguments[n]) for n in written}, unseen=False)
            for n in mpi.written_later(name):
                self.place(call.arguments[n]).fickle = True
        else:
            self._mix(call, pointers)
            if not self._declared_effects(call).other:
                self._effects[call] = Effects({self.place(p) for p in pointers}, unseen=False)
            elif name is None:
                self._effects[call] = Effects(globals=[self.place(g) for g in self.module.used_by_pointer])

    def _visit_known(self, call: Instruction, fact: Known) -> None:
        """A function of a library: what it may store where, and where its result points to."""
        pointers = [(n, a) for n, a in enumerate(call.arguments) if a.type.holds_pointer and not is_null(a)]
        objects = [a for n, a in pointers if fact.reaches_on(n)]
        for a in objects:  # their parts may point to each other
            whole = unify(self.place(a), self.place(a).inside())
            unify(whole, self.place(objects[0])).origins.add(call)
        for n, a in pointers:
            if fact.operands[n].way == "k":
                inside = self.place(a).inside()
                self.place(a).fickle = inside.fickle = inside.external = True
            if fact.operands[n].way in ("p", "t"):
                self.place(a).inside().origins.add(call)
                for _, other in pointers:
                    if other is not a:
                        unify(self.place(a).inside(), self.place(other))
        if not call.type.holds_pointer:
            return
        result = fact.operands.result
        if result == "new":
            self.place(call).origins.add(call)
            return
        if result == "own":
            self.place(call).external = self.place(call).fickle = True
            return
        self.place(call).external |= not pointers
        aliased = [a for n, a in pointers if result is None or n == result]
        for a in aliased[:1]:
            unify(self.place(call), self.place(a))

    def _written_arguments(self, call: Instruction) -> frozenset[int] | None:
        """Of a routine of a library that is known to reach only what it is passed: the arguments that it writes
        through."""
        function = self.module.functions.get(call.callee_name or "")
        if function is None or not function.is_declaration:
            return None
        found = blas.written(function)
        return mpi.written(function) if found is None else found

    def _mix(self, call: Instruction, pointers: list[Value]) -> None:
        """A call of something unknown may store any of the pointers into any of what it can reach."""
        if self.points(call):
            pointers = [*pointers, call]
        for p in pointers:
            unify(self.place(p).inside(), self.place(p).inside().inside())
            unify(self.place(pointers[0]).inside(), self.place(p).inside())
        for p in pointers:  # it may remember them, and write there when it is called again
            self.place(p).external = self.place(p).inside().external = True

    def called_by(self, call: Instruction) -> set[Place]:
        """Where the pointers point to that a call calls or that a rule takes, itself or further on."""
        if call.callee_name is None:
            return {self.place(call.callee)}
        taken = [a for a in self.taken_by(call) if a.type.holds_pointer] if call.callee_name in self.ruled else []
        return self.effects(call).called.union(self.place(a) for a in taken if not is_null(a))

    def managed_by(self, call: Instruction) -> set[Place]:
        """The memory that a call gives back, or of which the library that it comes from is asked more; of a function of
        the program, also what that allocates for others."""
        name, fact = call.callee_name, self.known(call)
        if fact is not None and fact.kind in ("allocate", "zero_allocate", "copy", "set"):
            return set()
        if fact is not None and fact.kind in ("free", "reallocate"):
            return {self.place(call.arguments[fact.pointer or 0])}
        if name is not None and (name.startswith("llvm.") or self._written_arguments(call) is not None):
            return set()
        if name is not None and self.summary(name) is not None:
            return self.effects(call).managed
        return self.reached(call)

    def is_private(self, pointer: Value) -> bool:
        """Whether an address is in memory that the function allocates, which nobody else sees but what it calls
        meanwhile, and that doesn't give it back or ask how much there is: any memory does, until the function
        returns."""
        place = self.place(pointer)
        if place.external or place in self._shown:
            return False
        return all(_is_variable(o) or self._is_plain_allocation(o) for o in place.origins)

    def _is_allocation(self, origin: Value) -> bool:
        """Whether memory comes from a call of what is known to allocate."""
        if not isinstance(origin, Instruction) or origin.opcode not in ("call", "invoke"):
            return False
        fact = self.known(origin)
        return fact is not None and fact.kind in ("allocate", "zero_allocate", "reallocate")

    def _is_plain_allocation(self, allocation: Value) -> bool:
        """Whether it is new memory, aligned to no more than tapes are."""
        if not self._is_allocation(allocation):
            return False
        assert isinstance(allocation, Instruction)
        fact = self.known(allocation)
        if fact is None or fact.kind == "reallocate" or fact.data is not None or not fact.size:
            return False
        others = (a for n, a in enumerate(allocation.arguments) if n not in fact.size)
        return all(isinstance(a, Constant) and a.type.is_integer and (a.integer or 65) <= 64 for a in others)

    @cached_property
    def _shown(self) -> set[Place]:
        """What is returned, thrown or managed by others: they may do with it what they want."""
        found: set[Place] = self._thrown()
        for block in self.cfg.reachable:
            for i in block.instructions:
                if i.opcode in ("ret", "resume"):
                    found |= self._reached_from(self.place(o) for o in i.operands if self.points(o))
                elif i.opcode in ("call", "invoke") and not ((fact := self.known(i)) and fact.kind == "free"):
                    found |= self.managed_by(i)
        return {place.find() for place in found}

    def taken_by(self, call: Instruction) -> list[Value]:
        """The arguments by which a call may get at floats."""
        buffers = mpi.buffers(call.callee_name) if self._written_arguments(call) is not None else None
        return call.arguments if buffers is None else [call.arguments[n] for n in buffers]

    def effects(self, call: Instruction) -> Effects:
        return self._effects.get(call) or Effects()

    def known(self, call: Instruction) -> Known | None:
        """What is known of the function that is called, if it has no body."""
        name = call.callee_name
        if name is None:
            return None
        if name not in self._known:
            function = self.module.functions.get(name)
            has_body = function is not None and not function.is_declaration
            self._known[name] = None if has_body else known(name, function)
        return self._known[name]

    # -- calls ------------------------------------------------------------------------------------------------------

    def summary(self, name: str) -> Summary | None:
        """What is known of a function with a body (None: nothing)."""
        if (found := self._summaries.get(name) or self._finished.get(name)) is not None:
            return found
        callee = self.module.functions.get(name)
        if callee is None or callee.is_declaration:
            return None
        made = self._summaries[name] = Summary([Place(self.points(a)) for a in callee.arguments], Place())
        inner = Memory(
            self.module,
            callee,
            CFG(callee),
            finished=self._finished,
            provenance=self.provenance,
            summaries=self._summaries,
            summary=made,
            ruled=self.ruled,
        )
        made.waits = {w for i in callee.instructions() for w in self._waits(i.callee_name)} - {name}
        made.open = False
        for i in callee.instructions():
            for o in i.operands:  # a global that is only read or written has had no need of a place yet
                if o.type.holds_pointer and (isinstance(o, Global) or (isinstance(o, Constant) and o.globals)):
                    inner.place(o)
        made.globals = {
            v: p for v, p in inner._places.items() if isinstance(v, Global) and v.name not in self.module.functions
        }
        for block in inner.cfg.reachable:
            for i in block.instructions:
                if i.opcode in ("call", "invoke"):
                    made.called |= inner.called_by(i)
                    made.managed |= inner.managed_by(i)
        made.managed |= {p for p in inner.places() if any(map(inner._is_allocation, p.origins))}
        for write in inner.writes:
            place = inner.place(write.pointer)
            made.written.add(place)
            made.writes = True
        for call in inner.opaque_calls:
            made.writes = True
            places, unseen = inner.changed_by(call)
            made.written |= places
            if unseen:
                made.written.add(Place(external=True))
        if not made.waits:
            self._finished[name] = made
        return made

    def _waits(self, name: str | None) -> set[str]:
        found = self._summaries.get(name) if name is not None else None  # what is finished waits for nothing
        if found is None or name is None:
            return set()
        return {name} if found.open else found.waits

    def _apply(self, summary: Summary, call: Instruction) -> None:
        """What is one place in the callee is one place here. In a recursive call, the callee's places are the
        caller's own."""
        if summary.open:
            for inner, a in zip(summary.arguments, call.arguments, strict=False):
                if self.points(a):
                    unify(inner, self.place(a))
            if self.points(call):
                unify(summary.result, self.place(call))
            return
        mapped: dict[Place, Place] = {}
        work = [
            (inner.find(), self.place(a))
            for inner, a in zip(summary.arguments, call.arguments, strict=False)
            if self.points(a)
        ]
        if self.points(call):
            work.append((summary.result.find(), self.place(call)))
        globals = dict(summary.globals)
        for name in summary.waits:
            globals |= self._summaries[name].globals
        work += [(inner, self.place(g)) for g, inner in globals.items()]
        seen: set[tuple[Place, Place]] = set()
        while work:
            inner, here = (p.find() for p in work.pop())
            if (inner, here) in seen:
                continue
            seen.add((inner, here))
            if inner in mapped:
                here = unify(mapped[inner], here)
            elif summary.waits and inner in {p.find() for p in mapped.values()}:  # shared: apart they would never end
                here = inner = unify(inner, here)
            mapped[inner] = here
            here.fickle |= inner.fickle
            if inner.content is not None:
                work.append((inner.content.find(), here.inside()))
            for origin in inner.origins:
                if isinstance(origin, Global):
                    unify(here, self.place(origin))
        effects = self._effects[call] = Effects(globals=[self.place(g) for g in globals if not g.constant])
        every = [summary, *(self._summaries[name] for name in summary.waits)]
        effects.called = {mapped[p.find()] for s in every for p in s.called if p.find() in mapped}
        effects.managed = {mapped[p.find()] for s in every for p in s.managed if p.find() in mapped}
        if not summary.waits:
            effects.written = {mapped[p.find()] for p in summary.written if p.find() in mapped}
            effects.unseen = any(p.find() not in mapped and p.find().external for p in summary.written)
        if self.points(call) and not summary.result.find().external:
            self.place(call).origins.add(call)

    # -- reads and writes -------------------------------------------------------------------------------------------

    @cached_property
    def writes(self) -> list[Access]:
        """Everything that may change memory by a pointer that is seen here."""
        found: list[Access] = []
        for block in self.cfg.reachable:
            for i in block.instructions:
                found.extend(self._writes_of(i))
        return found

    @cached_property
    def opaque_calls(self) -> list[Instruction]:
        """Calls that may write what can't be told by their operands alone."""
        found = []
        for block in self.cfg.reachable:
            for i in block.instructions:
                if i.opcode in ("call", "invoke") and self._is_opaque(i):
                    found.append(i)
        return found

    def _is_opaque(self, call: Instruction) -> bool:
        name = call.callee_name
        if name == JOINED:
            return self._takes_turns
        if (fact := self.known(call)) is not None:
            return any(fact.reaches_on(n) for n, a in enumerate(call.arguments) if a.type.holds_pointer)
        if masked_access(call) is not None or self._declared_effects(call).writes_nothing:
            return False
        if name and name.startswith("llvm."):
            return any(a.type.holds_pointer for a in call.arguments) and not reads_only(name)
        if name and (summary := self.summary(name)) is not None:
            return summary.writes or bool(summary.waits) or (summary.open and name != self.function.name)
        return True

    def _declared_effects(self, call: Instruction) -> MemoryEffects:
        """What the attributes of a call and of the function say, which both hold."""
        function = self.module.functions.get(call.callee_name or "")
        at_call = memory_effects(Attributes(str(call.info["attributes"])))
        return at_call & memory_effects(function.attributes) if function is not None else at_call

    def _writes_of(self, i: Instruction) -> Iterator[Access]:
        if i.opcode == "store":
            yield self.access(i, i.pointer, i.value.type.size)
        elif i.opcode in ("atomicrmw", "cmpxchg"):
            yield self.access(i, i.pointer, i.operands[1].type.size)
        elif (masked := masked_access(i)) is not None:
            if masked.stored is not None:
                yield self.access(
                    i, masked.pointer, masked.stored.type.size if masked.pointer.type.is_pointer else None
                )
        elif i.opcode in ("call", "invoke") and (fact := self.known(i)) is not None:
            for n, a in enumerate(i.arguments):
                if a.type.is_pointer and fact.may_write(n) and fact.kind != "free":
                    yield self.access(i, a, _bytes(i, fact))

    def access(self, instruction: Instruction, pointer: Value, size: int | None) -> Access:
        return Access(instruction, pointer, size, *self.base(pointer))

    def base(self, pointer: Value) -> tuple[Value, int, int]:
        """Where an address comes from: the value it is computed from, a constant offset, and a stride."""
        found = self._bases.get(pointer)
        if found is not None:
            return found
        found = (pointer, 0, 0)
        if isinstance(pointer, Instruction) and pointer.opcode == "getelementptr" and pointer.type.is_pointer:
            base, offset, stride = self.base(pointer.pointer)
            more, step = _gep_offset(pointer)
            found = (base, offset + more, math.gcd(stride, step))
        elif isinstance(pointer, Instruction) and (induction := self._induction(pointer)):
            base, offset, stride = self.base(induction[0])
            found = (base, offset, math.gcd(stride, induction[1]))
        self._bases[pointer] = found
        return found

    def is_local(self, pointer: Value) -> bool:
        """Whether an address is surely in memory of the function's own, whatever else its place may be."""
        return _is_variable(self.base(pointer)[0]) or not self.place(pointer).external

    @staticmethod
    def distance(pointer: Value) -> tuple[Value, int]:
        """An address that this one is computed from, so many bytes before it."""
        total = 0
        while isinstance(pointer, Instruction) and pointer.opcode == "getelementptr" and pointer.type.is_pointer:
            offset, step = _gep_offset(pointer)
            if step:
                break
            total, pointer = total + offset, pointer.pointer
        return pointer, total

    def _induction(self, phi: Instruction) -> tuple[Value, int] | None:
        loop = self.cfg.loop_of.get(phi.block)
        found = loop.inductions.get(phi) if loop else None
        return (found.start, abs(found.step)) if found else None

    # -- what may be the same ---------------------------------------------------------------------------------------

    def may_alias(self, a: Access, b: Access) -> bool:
        """Whether two accesses may touch the same bytes."""
        if not self.places_overlap(self.place(a.pointer), self.place(b.pointer)):
            return False
        return not (a.base is b.base and self._is_fixed(a.base) and _apart(a, b))

    def may_change(self, read: Access, write: Access) -> bool:
        """Whether what was read may be changed by a write, when the same is read once more as what it was.

        So types tell: memory that is written as another type can't be read as the first one. (A write that comes after
        all reads may well give memory another type, as scratch memory and variants do.)
        """
        return self.may_alias(read, write) and not types_differ(self.module, read.instruction, write.instruction)

    def _is_fixed(self, base: Value) -> bool:
        """Whether it is one address throughout: not one that a loop computes anew, nor another one in each thread."""
        if self.threads and isinstance(base, Instruction) and base.opcode != "alloca":
            return False
        return not isinstance(base, Instruction) or self.cfg.loop_of.get(base.block) is None

    def places_overlap(self, p: Place, q: Place) -> bool:
        p, q = p.find(), q.find()
        if p is q:
            return True
        if not (p.external and q.external):
            return False
        return not (self._own(p) or self._own(q) or self._are_apart(p, q))

    @staticmethod
    def _are_apart(p: Place, q: Place) -> bool:
        """Whether both are known to be variables, and none is in both."""
        variables = p.origins and q.origins and all(isinstance(o, Global) for o in p.origins | q.origins)
        return bool(variables) and not p.origins & q.origins

    def _own(self, place: Place) -> bool:
        """Whether an outside place is known to be no other: all it can be is arguments that overlap nothing."""
        origins = place.origins
        return bool(origins) and all(
            (isinstance(o, Argument) and (self.noalias or o.has("noalias")))
            or (isinstance(o, Global) and (self.noalias or o.name in self.own))
            for o in origins
        )

    def overwritten(self, load: Instruction) -> bool:
        """Whether what a load reads may be changed after it, before the function returns."""
        if load.flags & {"volatile", "atomic"}:
            return True
        if "invariant.load" in load.metadata:
            return False
        masked = masked_access(load)
        pointer = masked.pointer if masked is not None else load.pointer
        place = self.place(pointer)
        if place.fickle or place in self._thrown():  # an exception is gone when it has been handled
            return True
        if place.origins and all(isinstance(o, Global) and o.constant for o in place.origins):
            return False
        read = self.access(load, pointer, load.type.size if pointer.type.is_pointer else None)
        for call in self.opaque_calls:
            if self._still_returns(load, call) and self.may_be_written_by(call, place):
                return True
        return any(self._still_returns(load, w.instruction) and self.may_alias(read, w) for w in self.writes)

    def stays(self, call: Instruction, place: Place) -> bool:
        """Whether memory that a call is given is as the call found it until the function returns."""
        if place.fickle or place in self._thrown():
            return False
        for other in self.opaque_calls:
            if (other is call or self._still_returns(call, other)) and self.may_be_written_by(other, place):
                return False
        later = (w for w in self.writes if self._still_returns(call, w.instruction))
        return not any(self.places_overlap(place, self.place(w.pointer)) for w in later)

    def is_written(self, place: Place) -> bool:
        """Whether anything in the function may write there."""
        if any(self.may_be_written_by(call, place) for call in self.opaque_calls):
            return True
        return any(self.places_overlap(place, self.place(w.pointer)) for w in self.writes)

    def apart(self, call: Instruction) -> bool:
        """Whether the pointers that a call is given lead to memory that doesn't overlap, nor overlaps globals."""
        places = [self.place(a) for a in call.arguments if a.type.is_pointer and not is_null(a)]
        others = [self.place(g) for g in self.module.globals.values() if g.line and not g.constant]
        pairs = [(p, q) for n, p in enumerate(places) for q in (*places[n + 1 :], *others)]
        return not any(p is q or self.places_overlap(p, q) for p, q in pairs)

    def apart_from_contents(self, call: Instruction) -> bool:
        """Whether no pointer in the memory that a call is given leads to that memory itself."""
        given = {self.place(a) for a in call.arguments if a.type.is_pointer and not is_null(a)}
        further = self._reached_from(p.inside() for p in given)
        return not any(self.places_overlap(p, q) for p in given for q in further)

    def _still_returns(self, load: Instruction, write: Instruction) -> bool:
        """Whether a write may follow a load, and the function may return after both: else nobody asks any more."""
        return write.block in self.cfg.live and self.cfg.may_follow(load, write)

    def _thrown(self) -> set[Place]:
        """The places of exceptions, and of what they own."""
        found: set[Place] = set()
        place = self._places.get(self.module.exceptions)
        while place is not None and place.find() not in found:
            found.add(place.find())
            place = place.find().content
        return found

    def may_be_written_by(self, call: Instruction, place: Place) -> bool:
        """Whether a call may write to a place."""
        places, unseen = self.changed_by(call)
        return any(self.places_overlap(place, p) for p in places) or (unseen and place.find().external)

    def changed_by(self, call: Instruction) -> tuple[set[Place], bool]:
        """The places that an opaque call may write, and whether it may write memory that it isn't handed as well."""
        if (fact := self.known(call)) is not None:
            handed = [a for n, a in enumerate(call.arguments) if a.type.holds_pointer and fact.reaches_on(n)]
            return self._reached_from(self.place(a) for a in handed if not is_null(a)), False
        effects = self.effects(call)
        if effects.written is not None:
            return effects.written, effects.unseen
        return self.reached(call), True

    def reached(self, call: Instruction) -> set[Place]:
        """The places that a call can get at by what it is passed, and by globals."""
        passed = [self.place(a) for a in call.arguments if self.points(a) and not is_null(a)]
        return self._reached_from([*passed, *self.effects(call).globals])

    def _reached_from(self, places: Iterable[Place]) -> set[Place]:
        reached: set[Place] = set()
        work = list(places)
        while work:
            p = work.pop().find()
            if p not in reached:
                reached.add(p)
                if p.content is not None:
                    work.append(p.content)
        return reached


def _is_plain_constant(g: Global) -> bool:
    """Whether nobody writes it, and it leads nowhere: it has no derivative, by whatever pointer it is read."""
    return g.constant and "@" not in (g.initializer or "")


def _is_variable(value: Value) -> bool:
    return isinstance(value, Instruction) and value.opcode == "alloca"


def _bytes(call: Instruction, fact: Known) -> int | None:
    """How many bytes a call copies or sets, if that is a literal."""
    total = 1
    for n in fact.size:
        length = call.arguments[n]
        number = length.integer if isinstance(length, Constant) else None
        if number is None:
            return None
        total *= number
    return total if fact.size else None


def _gep_offset(gep: Instruction) -> tuple[int, int]:
    """The constant part of what a `getelementptr` adds, and the divisor of its variable part."""
    constant, stride = 0, 0
    for index, size in gep_parts(gep):
        number = 1 if index is None else index.integer if isinstance(index, Constant) else None
        if number is None:
            stride = math.gcd(stride, size)
        else:
            constant += number * size
    return constant, stride


def _apart(a: Access, b: Access) -> bool:
    """Whether two accesses from one base can't meet."""
    if a.size is None or b.size is None:
        return False
    stride = math.gcd(a.stride, b.stride)
    if stride == 0:
        return a.offset + a.size <= b.offset or b.offset + b.size <= a.offset
    gap = (b.offset - a.offset) % stride
    return gap >= a.size and stride - gap >= b.size
