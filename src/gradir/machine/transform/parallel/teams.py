"""Derivatives that a team of threads runs: what each thread of a parallel region does is differentiated, and forked.

In reverse mode each thread leaves a tape, as any call does, and a team of as many threads takes them again: each thread
undoes what it did, whichever iterations those were. What a thread notes of that stands in an *entry*, the first part of
which is its list of what is to be freed at the end:

    { ptr, i64, i64 }   the list
    ptr                 the team: { i64 threads, ptr first entry, ptr first lock, ptr outermost team }
    ptr, i64            the next entry, and the number of the thread
    ptr                 the tape
    ...                 what the thread gives for the floats that were passed by value

Threads that meet at a barrier meet there again on the way back. What they did one at a time, under a lock, is undone in
the opposite order: each notes the number of its turn, and waits for it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from gradir.machine.analysis.cache import Need
from gradir.machine.analysis.intrinsics import masked_access
from gradir.machine.analysis.memory import Place
from gradir.machine.analysis.parallel.grid import Divergence, Own
from gradir.machine.analysis.parallel.sharing import BARRIERS, BLOCK_BARRIERS, GRID_BARRIERS, Sharing, indexed
from gradir.machine.ir import I32, I64, PTR, Instruction, Module, Type, Value, struct
from gradir.machine.ir.builder import Code, Expr
from gradir.machine.ir.graphs import mentioners, reachable
from gradir.machine.passes.parallel.teams import IDENT, fork_call, load_all, store_all, thread_code
from gradir.machine.rules import mpi
from gradir.machine.transform.runtime.teams import RESULTS, TAPE, WINDOW, add_to_window
from gradir.request import Mode

if TYPE_CHECKING:
    from gradir.machine.analysis.cfg import Loop
    from gradir.machine.transform.derive import Program
    from gradir.machine.transform.frame import Frame
    from gradir.machine.transform.reverse import Reverse

__all__ = ["TURN", "Meetings", "Windows", "augmented", "check", "meeting_functions", "own", "sharing", "undone"]


def augmented(program: Program, name: str, reverse: Reverse) -> list[str]:
    """The text of a function that has a team run an augmented function; it gives the team, as a tape."""
    callee, types = reverse.forward.name, [p.type for p in reverse.forward.parameters[:-1]]
    results = reverse.reverse.result
    code = Code(name, PTR, [*((t, "x") for t in types), (PTR, "freed")], linkage="internal", attributes="nounwind")
    *given, freed = code.parameters
    for runtime in ("gradir.team.new", "gradir.team.enter", "gradir.team.adopt"):
        program.need_runtime(runtime)
    team = code.emit(PTR, f"call ptr @gradir.team.new({freed})", "team")
    if program.throws:
        program.need_runtime("gradir.reserve")
        entry = code.emit(PTR, f"call ptr @gradir.reserve({freed}, ptr @{program.freed_pool()}, i64 32)", "listed")
        code.store(team, entry)
        code.store(Expr(code, PTR, "@gradir.team.drop"), code.offset(entry, 8))
    frame = code.alloca(struct([PTR, *types]), "frame", align=16)
    store_all(code, [team, *given], frame)
    fork_call(code, f"{name}.run", frame)
    code.line(f"call void @gradir.team.adopt({team}, {freed}, ptr @{program.freed_pool()})")
    code.ret(team)
    run = thread_code(f"{name}.run")
    team, *given = load_all(run, [PTR, *types], run.parameters[2])
    size = RESULTS + (0 if results.kind == "void" else results.size)
    entry = run.emit(PTR, f"call ptr @gradir.team.enter({team}, i64 {size})", "entry")
    tape = run.emit(PTR, f"call ptr @{callee}({', '.join(map(str, [*given, entry]))})", "tape")
    run.store(tape, run.offset(entry, TAPE))
    run.ret()
    return [code.text(), run.text()]


def undone(program: Program, name: str, reverse: Reverse) -> list[str]:
    """The text of a function that has a team of as many threads take the tapes, and gives the sum of their results."""
    callee, results = reverse.reverse.name, reverse.reverse.result
    for runtime in ("gradir.team.entry", "gradir.team.mine", "gradir.team.drop"):
        program.need_runtime(runtime)
    program.declare("declare i32 @__kmpc_global_thread_num(ptr)")
    program.declare("declare void @__kmpc_push_num_threads(ptr, i32, i32)")
    program.declare("declare void @free(ptr)")
    code = Code(name, results, [(PTR, "team")], linkage="internal", attributes="nounwind", fast=reverse.forward.fast)
    [team] = code.parameters
    threads = code.load(I64, team, hint="threads")
    number = code.emit(I32, f"trunc {threads} to i32")
    here = code.emit(I32, f"call i32 @__kmpc_global_thread_num(ptr {IDENT})")
    code.line(f"call void @__kmpc_push_num_threads(ptr {IDENT}, {here}, {number})")
    fork_call(code, f"{name}.run", team)
    total = _sum(code, reverse, team, threads) if results.kind != "void" else None
    code.line(f"call void @gradir.team.drop({team}, i64 0, i64 0)")
    if not program.throws:
        code.line(f"call void @free({team})")
    code.ret(total)
    run = thread_code(f"{name}.run")
    entry = run.emit(PTR, f"call ptr @gradir.team.mine({run.parameters[2]})", "entry")
    tape = run.load(PTR, run.offset(entry, TAPE))
    text = f"call {results} @{callee}({tape})"
    if results.kind == "void":
        run.line(text)
    else:
        run.store(run.emit(results, text), run.offset(entry, RESULTS), ", align 8")
    run.ret()
    return [code.text(), run.text()]


def _sum(code: Code, reverse: Reverse, team: Expr, threads: Expr) -> Expr:
    """The sum of what the threads gave, in the order of their numbers."""
    results, shadows = reverse.reverse.result, reverse.shadows
    before, head, body, done = code.here, *(code.block(hint) for hint in ("head", "body", "done"))
    code.br(head)
    code.at(head)
    k, total = code.phi(I64, [], "k"), code.phi(results, [], "total")
    code.cond_br(k < threads, body, done)
    code.at(body)
    entry = code.emit(PTR, f"call ptr @gradir.team.entry({team}, {k})", "entry")
    one = code.load(results, code.offset(entry, RESULTS), ", align 8")
    new, following = shadows.add(code, total, one), k + 1
    for n, (phi, first, next) in enumerate(((k, "0", following), (total, "zeroinitializer", new))):
        head.phis[n] = f"{phi.ref} = phi {phi.type} [ {first}, {before.ref} ], [ {next.ref}, {body.ref} ]"
    code.br(head)
    code.at(done)
    return total


_ORDERED = ("__kmpc_ordered", "__kmpc_end_ordered")
_OTHERS = [(f"{lock}_lock", f"{lock}_unlock") for lock in ("pthread_mutex", "pthread_spin")]
_LOCKS = {"__kmpc_critical", "__kmpc_critical_with_hint", _ORDERED[0], "omp_set_lock", *(lock for lock, _ in _OTHERS)}
_UNLOCKS = {"__kmpc_end_critical", _ORDERED[1], "omp_unset_lock", *(unlock for _, unlock in _OTHERS)}
_ALONE = {
    "__kmpc_serialized_parallel": "__kmpc_end_serialized_parallel",
    "__kmpc_end_serialized_parallel": "__kmpc_serialized_parallel",
}
"""Where a thread begins and ends to be a team by itself."""
_MEETINGS = frozenset((*BARRIERS, *_LOCKS, *_UNLOCKS, *_ALONE))

_WITHOUT_TURNS = (
    *("omp_test_lock", "omp_set_nest_lock", "omp_unset_nest_lock", "omp_test_nest_lock", "sem_", "pthread_cond_"),
    *("pthread_mutex_trylock", "pthread_rwlock_"),
)
"""What may wait for another thread, in an order that is not noted."""

_RUNTIME = ("__kmpc_", "GOMP_", "__tgt_")

TURN = struct([PTR, I64])
"""The counter of a lock, and the number of a turn."""


def meeting_functions(module: Module) -> frozenset[str]:
    """The functions with a body that let threads wait for each other, themselves or by what they call."""
    return frozenset(reachable(mentioners(module.definitions), *_MEETINGS) - _MEETINGS)


def check(frame: Frame) -> None:
    """Refuse what OpenMP's runtime does in ways that are not known here, and threads that share what they may not."""
    if frame.options.grid:
        _check_barriers(frame)
    for block in frame.cfg.reachable:
        for i in block.instructions:
            if (name := i.callee_name or "").startswith(_RUNTIME) and frame.memory.known(i) is None:
                raise frame.refuse(
                    i,
                    f"@{name} of OpenMP's runtime has no derivative",
                    "write the region with parallel, for, sections, single, master, critical, atomic or barrier",
                )
            if frame.options.threads:
                _check_shared(frame, i, name)


def _check_barriers(frame: Frame) -> None:
    """Refuse barriers of a block that only some of its threads come to."""
    divergence: Divergence | None = None
    for block in frame.cfg.reachable:
        for i in block.instructions:
            if i.callee_name not in BLOCK_BARRIERS:
                continue
            divergence = divergence or Divergence(frame.cfg)
            if (branch := divergence.apart(block)) is not None:
                way = f", by the branch at {where}" if (where := frame.module.location(branch)) else ""
                raise frame.refuse(
                    i,
                    f"some threads of a block may not come to this barrier{way}",
                    "put what only some threads do into an if, without return, and the barrier outside of it",
                )


def _check_shared(frame: Frame, i: Instruction, name: str) -> None:
    if frame.mode is Mode.reverse and name.startswith(_WITHOUT_TURNS):
        raise frame.refuse(
            i, f"@{name} in a parallel region has no derivative: the order of turns is not known", "use omp critical"
        )
    if mpi.communicates(name):
        raise frame.refuse(
            i,
            f"@{name} in a parallel region has no derivative: messages of several threads may be mixed up",
            "communicate outside of the region",
        )
    for used in i.mentioned:
        g = frame.module.globals.get(used)
        local = g is not None and g.line and any(word.startswith("thread_local") for word in g.parts.words)
        if local and g is not None and frame.activity.holds_active_floats(g):
            raise frame.refuse(
                i,
                f"@{used} is another variable in each thread, and a thread of the reverse sweep may be another one",
                "make it a local variable of the region",
            )


def sharing(reverse: Reverse) -> Sharing:
    """Who adds to the shadows of what the threads read."""
    return Sharing(reverse.frame.cfg, reverse.frame.memory, *_additions(reverse))


def own(reverse: Reverse) -> Own:
    """What only one thread of a grid adds to the shadow of."""
    frame, launch = reverse.frame, reverse.frame.options.launch
    threads = launch.block[0] if launch is not None else None
    return Own(frame.memory, frame.program.registry.shadow_globals, *_additions(reverse), threads)


def _additions(reverse: Reverse) -> tuple[list[Instruction], set[Place]]:
    """The loads whose shadows are added to, and where else shadows are added to."""
    frame, memory = reverse.frame, reverse.frame.memory
    reads, elsewhere = [], set[Place]()
    for block in frame.cfg.reachable:
        for i in block.instructions:
            if i.opcode == "load" and frame.active(i) and memory.place(i.pointer).external:
                reads.append(i)
            elif i.opcode in ("call", "invoke") and (
                reverse.calls.is_active(i) or reverse.copies.has_work(i) or masked_access(i) is not None
            ):
                elsewhere |= memory.reached(i)
    return reads, elsewhere


def _row(read: Instruction, loop: Loop) -> tuple[Value, Value] | None:
    """The base and the first index of a row, if each turn of a loop reads the next element of one."""
    found = indexed(read.pointer, read.type.size)
    if found is None or loop.holds(found[0]) or not isinstance(found[1], Instruction) or found[1].type != I64:
        return None
    induction = loop.inductions.get(found[1])
    return (found[0], induction.start) if induction is not None and induction.step == 1 else None


class Windows:
    """Sums of its own that a thread makes for memory which all threads read and none writes: one window for each place
    that is read in loops, in ways that nothing is known of."""

    def __init__(self, reverse: Reverse) -> None:
        self.r, self.frame = reverse, reverse.frame
        self._made: dict[tuple[Place, Type], list[Expr]] = {}
        self._rows: dict[Instruction, list[Expr] | None] = {}

    def of(self, read: Instruction, count: int) -> list[Expr]:
        """The windows of the shadows of what is read; none if that is added to at once."""
        frame, type = self.frame, read.type
        place = frame.memory.place(read.pointer)
        if self.r.sharing is None or frame.cfg.loop_of[read.block] is None or frame.constancy.may_be(read.pointer):
            return []
        if str(type) not in ("double", "float") or frame.shadows.scale > 1 or frame.memory.is_written(place):
            return []
        key = (place, type)
        if key not in self._made:
            code = self.r.reverse
            made = [code.alloca(WINDOW, "window") for _ in range(count)]
            code.entry.lines += [f"store {WINDOW} zeroinitializer, {window}" for window in made]
            self._made[key] = made
            for name, text in add_to_window(str(type), type.size).items():
                frame.program.define(name, text)
            for runtime in ("calloc", "free"):
                frame.program.need_runtime(runtime)
            frame.program.declare("declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)")
        return self._made[key]

    def add(self, read: Instruction, windows: list[Expr], amounts: list[Expr], places: list[Expr]) -> None:
        """Add to the sums of what was read."""
        code, rows, loop = self.r.reverse, self._rows_of(read, windows), self.frame.cfg.loop_of[read.block]
        if rows is None or loop is None:
            for window, x, at in zip(windows, amounts, places, strict=True):
                code.line(f"call void @gradir.window.add.{x.type}({window}, {at}, {x})")
            return
        scope = self.frame.program.scope("cache")
        for x, row in zip(amounts, rows, strict=True):
            place = code.element(read.type, row, self.r.counters[loop])
            code.store(code.load(read.type, place, scope) + x, place, scope)

    def _rows_of(self, read: Instruction, windows: list[Expr]) -> list[Expr] | None:
        """Where the sums are that a loop adds to, if it goes through a row, and nothing else in it moves the window."""
        loop, memory = self.frame.cfg.loop_of[read.block], self.frame.memory
        assert loop is not None and self.r.sharing is not None
        if read not in self._rows:
            place, found = memory.place(read.pointer), _row(read, loop)
            others = [o for o in self.r.sharing.reads if o.block in loop.blocks and memory.place(o.pointer) is place]
            fits = found is not None and others == [read] and not loop.children and loop not in self.r.parts
            self._rows[read] = self._hold(loop, read.type, *found, windows) if fits and found is not None else None
        return self._rows[read]

    def _hold(self, loop: Loop, type: Type, base: Value, start: Value, windows: list[Expr]) -> list[Expr]:
        """Have the windows hold all that a loop is about to add to, before it begins."""
        code, here, spot = self.r.reverse, self.r.reverse.here, self.r.spot_before(loop)
        code.at(spot.block)
        top, index = self.r.tops[loop], self.r.primal(start, spot)
        bytes = ((top if isinstance(top, Expr) else code.constant(I64, top)) + 1) * type.size
        firsts = [code.element(type, shadow, index) for shadow in self.r.usable_shadow(base, type, spot)]
        rows = [
            code.emit(PTR, f"call ptr @gradir.window.hold.{type}({window}, {first}, {bytes})", "row")
            for window, first in zip(windows, firsts, strict=True)
        ]
        code.at(here)
        return rows

    def flush(self, code: Code) -> None:
        """Hand the sums over to the memory."""
        for (_, type), windows in self._made.items():
            for window in windows:
                code.line(f"call void @gradir.window.flush.{type}({window})")


class Meetings:
    """Where threads wait for each other, in either direction."""

    def __init__(self, reverse: Reverse) -> None:
        self.r, self.frame = reverse, reverse.frame

    def is_one(self, i: Instruction) -> bool:
        """Whether threads wait for each other there."""
        threads = self.frame.options.threads or bool(self.frame.program.spawning)
        return threads and (i.callee_name or "") in _MEETINGS

    def in_callee(self, i: Instruction) -> bool:
        """Whether a function is called in which threads wait for each other."""
        program, name = self.frame.program, i.callee_name or ""
        if program.spawning and (name in program.joining or name in program.meeting_functions):
            return True
        return self.frame.options.threads and name in program.meeting_functions

    def tape_type(self, i: Instruction) -> Type | None:
        """Of what is noted there for the way back."""
        if not self.is_one(i) or i.callee_name not in _LOCKS | _UNLOCKS:
            return None
        return PTR if i.callee_name in _LOCKS else TURN

    def forward(self, code: Code, i: Instruction) -> Expr | None:
        """Within the lock: note whose turn it is."""
        type = self.tape_type(i)
        if type is None:
            return None
        self.frame.program.need_runtime("gradir.turns")
        locks = [] if i.callee_name in _ORDERED else [a for a in i.arguments if a.type.is_pointer]
        lock = Expr(code, PTR, locks[-1].ref if locks else "null")
        counter = code.emit(PTR, f"call ptr @gradir.turns({self.r.freed().forward}, {lock})", "turns")
        verb = "take" if type == PTR else "let"
        self.frame.program.need_runtime(f"gradir.{verb}")
        counter = code.emit(PTR, f"call ptr @gradir.{verb}({counter})", "turns")
        if type == PTR:
            return counter
        self.frame.program.need_runtime("gradir.turn")
        turn = code.emit(I64, f"call i64 @gradir.turn({counter})", "turn")
        pair = code.emit(TURN, f"insertvalue {TURN} poison, {counter}, 0")
        return code.emit(TURN, f"insertvalue {pair}, {turn}, 1")

    def undo(self, i: Instruction) -> None:
        code, program, name = self.r.reverse, self.frame.program, i.callee_name or ""
        if name in GRID_BARRIERS:
            given = ", ".join(f"{a.type} {self.r.primal(a, self.r.spot(i.block)).ref}" for a in i.arguments)
            code.line(f"call void @{name}({given})")
            return
        if name in BARRIERS or name in _ALONE:
            again = _ALONE.get(name, "__kmpc_barrier")
            program.declare("declare i32 @__kmpc_global_thread_num(ptr)")
            program.declare(f"declare void @{again}(ptr, i32)")
            thread = code.emit(I32, f"call i32 @__kmpc_global_thread_num(ptr {IDENT})")
            code.line(f"call void @{again}(ptr {IDENT}, {thread})")
            return
        noted = self.r.lookup(Need("tape", i), self.r.spot(i.block))
        if name in _LOCKS:
            program.need_runtime("gradir.leave")
            code.line(f"call void @gradir.leave({noted})")
            return
        program.need_runtime("gradir.wait")
        counter = code.emit(PTR, f"extractvalue {noted}, 0")
        turn = code.emit(I64, f"extractvalue {noted}, 1")
        code.line(f"call void @gradir.wait({counter}, {turn})")
