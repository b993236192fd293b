"""Loops whose rounds can be run again, as functions of their own.

A loop becomes a call of a *loop function*, which calls a *rounds function*: so many rounds of the loop, from the values
that it carries, which are in memory meanwhile. All the memory that a round needs to be run again is handed over, with
how much it is (`extents.py`). The derivative of a loop function keeps some of the states, and runs the rounds between
them again (`transform/rounds.py`); for all others it is a call like any other.

Where it turns out when the loop is entered that its memory is not as it was taken to be, the loop itself is run.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from typing import NamedTuple

from gradir.machine.analysis.cfg import CFG, Loop
from gradir.machine.analysis.memory import Memory
from gradir.machine.ir import I32, I64, VOID, Argument, Block, Constant, Function, Instruction, Module, Type, Value
from gradir.machine.ir.builder import plain_name
from gradir.machine.ir.graphs import reachable
from gradir.machine.ir.instructions import alloca, binary, branch, call, compare, constant, jump, load, store, switch
from gradir.machine.ir.text.reader import extend
from gradir.machine.passes.loops.extents import Extent, Left, Touched, tests_at_end, turns_beyond
from gradir.machine.passes.loops.numbers import Computed, Emitter, Number, Unsigned
from gradir.machine.passes.parallel.teams import is_team
from gradir.machine.passes.parallel.threads import is_spawn

__all__ = ["Kept", "LoopFunction", "Note", "Stretch", "is_loop", "outline", "rounds_of"]

_LOOP, _ROUNDS = "gradir.loop.", "gradir.rounds."


def is_loop(name: str | None) -> bool:
    """Whether a function is a loop of another one."""
    return name is not None and name.startswith(_LOOP)


def rounds_of(name: str) -> str:
    """The function that runs some rounds of a loop function."""
    return _ROUNDS + name.removeprefix(_LOOP)


class Stretch(NamedTuple):
    """Memory of a loop function, by the numbers of its arguments: a pointer, how far from it it begins, its bytes."""

    pointer: int
    begin: int | None
    bytes: int
    """The bytes themselves, if there is no argument for where it begins."""
    kind: str
    """`state`: rounds write it. `end`: and none reads it. `input`: others write it, once the loop is done."""
    pointees: tuple[int, ...] = ()
    """If it is a pointer, the arguments that it may be: its shadow is theirs."""


@dataclass(frozen=True)
class LoopFunction:
    """What the arguments of a loop function are, by their numbers. The first is the most rounds to run."""

    name: str
    rounds: int
    """Where the number of rounds that were run is left."""
    exit: int
    """Where it is left by which way the loop was left; 0 if it was not."""
    expected: int
    """The number of rounds, or 0 if it is not known."""
    stretches: tuple[Stretch, ...]


class Note(NamedTuple):
    """What became of a loop: why it is left as it is, if it is."""

    function: str
    where: str
    left: str | None

    def __str__(self) -> str:
        became = "keeps states" if self.left is None else f"keeps what its rounds need: {self.left}"
        return f"{self.where}: the loop in @{self.function} {became}"


Kept = dict[str, set[str]]
"""The headers of the outermost loops of each function that keep anything for the reverse sweep."""


def outline(module: Module, symbol: str, kept: Kept, ruled: Collection[str]) -> tuple[list[LoopFunction], list[Note]]:
    """Make functions of the outermost loops that keep something, if they can be run again."""
    made: list[LoopFunction] = []
    notes: list[Note] = []
    work, seen = [symbol], set[str]()
    mentions = {f.name: f.mentioned for f in module.definitions}
    called = {name for names in mentions.values() for name in names}
    inside = reachable(mentions, *(name for name in mentions if is_team(name) or is_spawn(name)))  # memory is shared
    while work:
        function = module.functions.get(work.pop(0))
        if function is None or function.is_declaration or function.name in seen:
            continue
        seen.add(function.name)
        work += function.mentioned
        if function.name in inside:
            continue
        for header in sorted(kept.get(function.name, ())):
            cfg = CFG(function)
            loop = next((l for l in cfg.loops if l.parent is None and l.header.name == header), None)
            if loop is None:
                continue
            memory = Memory(module, function, cfg, ruled=ruled, noalias=False)
            where = _where(module, loop)
            try:
                alone = function.name == symbol and symbol not in called
                outlined = _Outlined(module, function, cfg, memory, loop, len(made), alone)
            except Left as left:
                at = module.location(left.at) if left.at is not None else None
                why = f"{left.why}: {left.at}" if left.at is not None else left.why
                notes.append(Note(function.name, at or where, why))
                continue
            inside |= reachable(mentions, *(n for b in loop.blocks for i in b.instructions for n in i.mentioned))
            made.append(outlined.write())
            notes.append(Note(function.name, where, None))
    return made, notes


def _where(module: Module, loop: Loop) -> str:
    found = (module.location(i) for b in (loop.latch, loop.header) for i in reversed(b.instructions))
    return next(filter(None, found), f"the loop at {loop.header.ref}")


class _Outlined:
    """One loop on its way to functions of its own."""

    def __init__(
        self, module: Module, function: Function, cfg: CFG, memory: Memory, loop: Loop, number: int, alone: bool
    ) -> None:
        self.module, self.function, self.cfg, self.loop = module, function, cfg, loop
        self.name = f"{plain_name(function.name)}.{number}"
        if sum(o is loop.header for o in loop.preheader.terminator.operands) != 1:
            raise Left("several ways lead into the loop", loop.preheader.terminator)
        self.exits = [(b, s) for b in cfg.reachable if b in loop.blocks for s in b.successors if s not in loop.blocks]
        self.live_out = self._live_out()
        touched = Touched(module, function, cfg, memory, loop, alone=alone)
        self.extents = touched.extents()
        self.pointees = [touched.pointees(v) for v in (*loop.header.phis, *self.live_out)]
        self.sunk: list[Instruction] = []
        self.captured = self._captured()

    def _live_out(self) -> list[Instruction]:
        """Values of the loop that are used after it, which has to be by phis where it is left."""
        found: dict[Instruction, None] = {}
        targets = {t for _, t in self.exits}
        for block in self.function.blocks:
            if block in self.loop.blocks:
                continue
            for i in block.instructions:
                for o in i.operands:
                    if not self.loop.holds(o):
                        continue
                    if i.opcode != "phi" or block not in targets:
                        raise Left("a value of the loop is used after it in an unusual way", i)
                    assert isinstance(o, Instruction)
                    found[o] = None
        return list(found)

    def _captured(self) -> list[Value]:
        """What the loop uses and doesn't compute; addresses are computed again from their bases."""
        found: dict[Value, None] = {}
        work: list[Value] = [
            o
            for b in self.cfg.reachable
            if b in self.loop.blocks
            for i in b.instructions
            for o in self._own_operands(i)
        ]
        seen: set[Value] = set()

        def visit(v: Value) -> None:
            if v in seen or isinstance(v, (Constant, Block)) or self.loop.holds(v):
                return
            if not isinstance(v, (Argument, Instruction)):
                return
            seen.add(v)
            if isinstance(v, Instruction) and v.opcode == "getelementptr":
                for o in v.operands:
                    visit(o)
                self.sunk.append(v)
            else:
                found[v] = None

        for v in work:
            visit(v)
        return list(found)

    def _own_operands(self, i: Instruction) -> Iterator[Value]:
        if i.opcode == "phi" and i.block is self.loop.header:
            yield from (v for v, b in i.incoming if b in self.loop.blocks)
        elif (i.callee_name or "").startswith("llvm.lifetime."):
            return
        else:
            yield from i.operands

    # -- the functions ----------------------------------------------------------------------------------------------

    def write(self) -> LoopFunction:
        """Add the functions to the module, and call them."""
        function, loop = self.function, self.loop
        self.round_names = {h: function.fresh(h) for h in ("limit", "rounds", "exit", "round", "next", "again", "done")}
        self.phi_slots = {phi: function.fresh(f"{phi.ref.strip('%')}.slot") for phi in loop.header.phis}
        self.out_slots = {v: function.fresh(f"{v.ref.strip('%')}.out") for v in self.live_out}
        roots = [e.base for e in self._every_extent()] + [v for found in self.pointees for v in found]
        roots = [v for v in dict.fromkeys(roots) if v not in self.captured]
        call_ = self._call(roots)
        extend(self.module, self._texts(call_.types))
        self._redirect(call_)
        return call_.described

    def _every_extent(self) -> list[Extent]:
        return [*self.extents.state, *self.extents.ends, *self.extents.inputs]

    def _call(self, roots: list[Value]) -> _Call:
        """Where the loop was entered: how much memory it touches, and the call, or the loop as it was."""
        function, loop = self.function, self.loop
        guard, run = function.add_block("loop.guard", loop.header), function.add_block("loop.run", loop.header)
        last = loop.preheader.terminator
        guard.append(branch(Constant(Type("i1", "int", 1), "true"), run, loop.header))
        last.replace_operand(loop.header, guard)
        for phi in loop.header.phis:
            phi.replace_operand(loop.preheader, guard)
        emitter = Emitter(guard.terminator)
        slots: list[tuple[Type, Value]] = []

        def slot(type: Type, hint: str) -> Value:
            made = alloca(type, max(type.align, 1), hint)
            function.entry.insert(0, made)
            slots.append((type, made))
            return made

        rounds, left = slot(I64, "rounds"), slot(I32, "exit")
        phis = [slot(phi.type, "carried") for phi in loop.header.phis]
        outs = [slot(v.type, "left") for v in self.live_out]
        given: list[Value] = [constant(I64, -1), rounds, left, *phis, *outs, *self.captured, *roots]
        carried: list[list[Value]] = [[], [], *self.pointees]
        stretches = [
            Stretch(1 + k, None, type.size, "state", tuple(given.index(v) for v in found))
            for k, ((type, _), found) in enumerate(zip(slots, carried, strict=True))
        ]
        first = len(given)
        expected = self._expected(emitter)
        given.append(expected)
        kinds = [("state", self.extents.state), ("end", self.extents.ends), ("input", self.extents.inputs)]
        for kind, extents in kinds:
            for e in extents:
                at = given.index(e.base)
                given += [emitter.short(e.begin), emitter.short(Computed("max", 0, e.bytes))]
                stretches.append(Stretch(at, len(given) - 2, len(given) - 1, kind))
        self._check(emitter)
        name = _LOOP + self.name
        types = [v.type for v in given]
        described = LoopFunction(name, 1, 2, first, tuple(stretches))
        return _Call(
            guard,
            run,
            given,
            types,
            [*zip(loop.header.phis, phis, strict=True)],
            [*zip(self.live_out, outs, strict=True)],
            left,
            roots,
            described,
        )

    def _expected(self, emitter: Emitter) -> Value:
        """The number of rounds at most, as far as it is known."""
        trip = self.loop.trip
        if trip is None or not (trip.after or tests_at_end(self.loop)):
            return constant(I64, 0)
        if trip.bound.type.is_pointer or abs(trip.induction.step) != 1:
            return constant(I64, 0)
        if trip.constant is not None:
            return constant(I64, trip.constant + 1)
        start, bound = trip.operands
        if start.type.count != bound.type.count or start.type.count > 64:
            return constant(I64, 0)

        def number(v: Value) -> Number:
            if isinstance(v, Constant):
                return v.integer or 0
            return Unsigned(v) if trip.predicate[0] == "u" else v

        a, b = (start, bound) if trip.induction.step > 0 else (bound, start)
        distance: Number = Computed("sub", number(b), number(a))
        distance = Computed("add", distance, turns_beyond(trip))
        return emitter.short(Computed("max", 1, Computed("min", distance, 1 << 40)))

    def _check(self, emitter: Emitter) -> None:
        """Whether the memory is as it is taken to be."""
        condition: Value | None = None
        for least, most in dict.fromkeys(self.extents.checks):
            if isinstance(least, int) and isinstance(most, int) and least <= most:
                continue
            holds = emitter.insert(compare("sle", emitter.value(least), emitter.value(most)))
            condition = holds if condition is None else emitter.insert(binary("and", condition, holds))
        if condition is not None:
            emitter.before.set_operand(0, condition)

    def _redirect(self, c: _Call) -> None:
        """Call the loop, and go on where it was left."""
        run, loop = c.run, self.loop
        callee = self.module.globals[_LOOP + self.name]
        for phi, slot in c.phis:
            start = next(v for v, b in phi.incoming if b is c.guard)
            run.append(store(start, slot, max(phi.type.align, 1)))
        run.append(call(VOID, callee, c.given))
        found: dict[Value, Instruction] = {}
        for v, slot in c.outs:
            found[v] = load(v.type, slot, max(v.type.align, 1), "after")
            run.append(found[v])
        number = load(I32, c.left, 4, "way")
        run.append(number)
        ways = []
        for k, (source, target) in enumerate(self.exits):
            way = self.function.add_block("loop.left", loop.header)
            way.append(jump(target))
            for phi in target.phis:
                value = next(v for v, b in phi.incoming if b is source)
                _add_incoming(phi, found.get(value, value), way)
            ways.append((k + 1, way))
        run.append(switch(number, ways[-1][1], ways[:-1]))
        self.function._users = self.function._predecessors = None

    def _texts(self, types: list[Type]) -> str:
        """The rounds function, in the words of the loop, and the loop function, which runs all rounds."""
        n, loop = self.round_names, self.loop
        slots = [n["rounds"], n["exit"], *self.phi_slots.values(), *self.out_slots.values()]
        names = [n["limit"], *slots, *(v.ref for v in self.captured)]
        names += [self.function.fresh("extent") for _ in types[len(names) :]]
        parameters = ", ".join(f"{t} {ref}" for t, ref in zip(types, names, strict=True))
        entry, begun = self.function.fresh("begin"), {}
        lines = [f"{entry[1:]}:", *(f"  {i}" for i in self.sunk)]
        for phi, slot in self.phi_slots.items():
            begun[phi] = self.function.fresh("begun")
            lines.append(f"  {begun[phi]} = load {phi.type}, ptr {slot}")
        lines += [f"  br label {n['again']}", f"{n['again'][1:]}:"]
        for phi in loop.header.phis:
            around = next(v for v, b in phi.incoming if b is loop.latch)
            lines.append(f"  {phi.ref} = phi {phi.type} [ {begun[phi]}, {entry} ], [ {around.ref}, {loop.latch.ref} ]")
        lines.append(f"  {n['round']} = phi i64 [ 0, {entry} ], [ {n['next']}, {loop.latch.ref} ]")
        lines.append(f"  {n['next']} = add nuw nsw i64 {n['round']}, 1")
        stop, enough = self.function.fresh("stop"), self.function.fresh("enough")
        lines.append(f"  {enough} = icmp eq i64 {n['round']}, {n['limit']}")
        lines.append(f"  br i1 {enough}, label {stop}, label {loop.header.ref}")
        ways = {edge: self.function.fresh("way") for edge in self.exits}
        for block in self.cfg.reachable:
            if block in loop.blocks:
                lines += self._block(block, ways)
        stored = [(phi.type, phi.ref, slot) for phi, slot in self.phi_slots.items()]
        lines += self._leave(stop, n["round"], 0, stored)
        for k, (edge, way) in enumerate(ways.items()):
            live = [(v.type, v.ref, s) for v, s in self.out_slots.items() if self.cfg.dominates(v.block, edge[0])]
            lines += self._leave(way, n["next"], k + 1, live)
        lines += [f"{n['done'][1:]}:", "  ret void"]
        given = ", ".join(f"{t} %{k}" for k, t in enumerate(types))
        rounds, whole = _ROUNDS + self.name, _LOOP + self.name
        return (
            f"define internal void @{rounds}({parameters}) noinline nounwind {{\n" + "\n".join(lines) + "\n}\n"
            f"define internal void @{whole}({given}) noinline nounwind {{\nentry:\n"
            f"  call void @{rounds}({given})\n  ret void\n}}\n"
        )

    def _leave(self, label: str, rounds: str, way: int, values: list[tuple[Type, str, str]]) -> list[str]:
        n = self.round_names
        return [
            f"{label[1:]}:",
            *(f"  store {type} {ref}, ptr {slot}" for type, ref, slot in values),
            f"  store i64 {rounds}, ptr {n['rounds']}",
            f"  store i32 {way}, ptr {n['exit']}",
            f"  br label {n['done']}",
        ]

    def _block(self, block: Block, ways: dict[tuple[Block, Block], str]) -> Iterator[str]:
        """A block as it stands, with other ends for the ways out and the way back."""
        loop, again = self.loop, self.round_names["again"]

        def name(v: Value, i: Instruction) -> str:
            if not isinstance(v, Block) or not i.is_terminator:
                return v.ref
            return again if v is loop.header else ways.get((block, v), v.ref)

        yield f"{block.name}:"
        for i in block.instructions:
            if (i.opcode == "phi" and block is loop.header) or (i.callee_name or "").startswith("llvm.lifetime."):
                continue
            kept = "".join(f", !{k} {v}" for k, v in i.metadata.items() if k != "llvm.loop")
            yield "  " + i.render(i.ref if i.type.kind != "void" else "", lambda v, i=i: name(v, i), kept)  # type: ignore[misc]


class _Call(NamedTuple):
    guard: Block
    run: Block
    given: list[Value]
    types: list[Type]
    phis: list[tuple[Instruction, Value]]
    outs: list[tuple[Instruction, Value]]
    left: Value
    roots: list[Value]
    described: LoopFunction


def _add_incoming(phi: Instruction, value: Value, block: Block) -> None:
    """One more way by which a block is entered."""
    phi.pieces[-1:] = [" ], [ ", ", ", " ]"]
    phi.operands += [value, block]
    phi.block.function._users = None
