"""Reverse mode: a forward sweep, then the function's blocks in reverse order, each undoing its instructions' part.

Where the two sweeps are in one function (combined) they share its stack; where they are two (split), a struct on the
heap.
The reverse sweep is written twice: first on scratch paper, to learn what it asks for; then, when it is decided what
is kept and
what is computed again, for good.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from gradir.machine.analysis.cache import Need, Needs
from gradir.machine.analysis.cfg import Loop
from gradir.machine.analysis.idle import Idle
from gradir.machine.analysis.parallel.grid import Restored
from gradir.machine.analysis.unread import unneeded_stores
from gradir.machine.ir import I1, I8, I32, I64, PTR, Argument, Block, Constant, Global, Instruction, Type, Value
from gradir.machine.ir.builder import Code, CodeBlock, Expr
from gradir.machine.passes.flow.throwing import PERSONALITY
from gradir.machine.transform import halves
from gradir.machine.transform.adjoint import Adjoint
from gradir.machine.transform.augment import Augmented
from gradir.machine.transform.calls import Calls
from gradir.machine.transform.frame import Frame, Given, metadata_of, pack, render_call, result_type
from gradir.machine.transform.parallel import teams
from gradir.machine.transform.parallel.grid import Grid
from gradir.machine.transform.runtime import arena as arena_runtime
from gradir.machine.transform.shadows import payload
from gradir.machine.transform.shadows.copies import Copies
from gradir.machine.transform.shadows.masked import Masked
from gradir.machine.transform.shadows.pointers import PointerShadow, load_moved
from gradir.machine.transform.storage import FREED, Records, Slot, Tape, goes_back, kept_align, product
from gradir.machine.transform.unwinding import unwinds
from gradir.machine.transform.verify import Verifier, Verify
from gradir.request import Activity as Mark

__all__ = ["Reverse", "Spot"]


_MALLOC, _TAKE = "call noalias ptr @malloc", "call noalias ptr @gradir.arena.tape"
MOST_ACCESSES, MOST_INSTRUCTIONS = 300, 1000
"""Of a loop that LLVM may vectorise: the reverse of one of 4,400 instructions took it 16 seconds."""


class Spot(NamedTuple):
    """A place in the reverse sweep: where code goes, and the loop whose turn it belongs to."""

    block: CodeBlock
    loop: Loop | None


@dataclass(frozen=True)
class Choice:
    """How a block knows where it was entered from: by a condition (true: the first), or by a number that was noted."""

    need: Need
    by_condition: bool
    targets: list[Block]


@dataclass(frozen=True)
class Part:
    """The turns of a loop whose ends are undone apart from the rest: what it touches other threads may touch as well.

    From the `top` turn down to the `bottom` one; `alone` tells if no other thread meets them.
    """

    block: CodeBlock
    top: Expr
    bottom: Expr
    alone: Expr
    opening: Expr
    """Whether it is the first part."""
    reach: int

    @classmethod
    def begin(cls, code: Code, before: CodeBlock, last: Expr | int, reach: int) -> Part:
        """The first part, of the last turns."""
        top = last if isinstance(last, Expr) else code.constant(I64, last)
        bottom = code.call(I64, "llvm.smax.i64", top - (reach - 1), code.constant(I64, 0))
        block = code.block("part")
        code.at(block)
        whole, end = code.phi(I64, [], "top"), code.phi(I64, [], "bottom")
        alone, opening = code.phi(I1, [], "alone"), code.phi(I1, [], "opening")
        for n, first in enumerate((top.ref, bottom.ref, "false", "true")):
            block.phis[n] += f"[ {first}, {before.ref} ], [ FOLLOWING ]"
        return cls(block, whole, end, alone, opening, reach)

    def go_on(self, code: Code) -> None:
        """The part after this one: all but the first turns, and then those."""
        rest = self.bottom > self.reach
        end = rest.select(code.constant(I64, self.reach), code.constant(I64, 0))
        for n, following in enumerate(((self.bottom - 1).ref, end.ref, rest.ref, "false")):
            self.block.phis[n] = self.block.phis[n].replace("FOLLOWING", f"{following}, {code.here.ref}")
        code.br(self.block)


class Reverse:
    """The derivative of one function in reverse mode."""

    def __init__(
        self, frame: Frame, name: str, split_name: tuple[str, str] | None = None, *, given: Given | None = None
    ) -> None:
        """`given` is what is known of the arguments of a function that is called; of any other all there is is here."""
        self.frame, self.cfg, self.shadows = frame, frame.cfg, frame.shadows
        self.split = split_name is not None
        self.name, self.split_name = name, split_name
        self.pointers = PointerShadow(frame)
        self.needs = Needs(
            frame.cfg,
            frame.memory,
            combined=not self.split,
            late_shadows=frame.options.late_shadows,
            closed=given is None or given.closed,
            lasting=frozenset() if given is None else given.lasting,
            shadow_inputs=self.pointers.inputs,
            restored=self._restored(),
        )
        self.unread = frozenset[int]() if given is None else given.unread
        self.unneeded = frozenset[Instruction]()
        """What is stored for nobody."""
        self.is_last: Expr | None = None
        """Of a reverse half that may run several times: whether this is the last one."""
        self.late_shadows: list[Expr] = []
        """The shadows that the reverse half is given itself."""
        self.kept: set[Need] = set()
        self.checked: set[Need] = set()
        """What is kept only to be compared to what is read again."""
        self.verifier = Verifier(self) if frame.options.verify is not Verify.nothing else None
        self.copies, self.calls, self.masked = Copies(self), Calls(self), Masked(self)
        self.meetings = teams.Meetings(self)
        self.sharing = teams.sharing(self) if given is not None and given.alone else None
        self.grid = Grid(self) if frame.options.grid else None
        self.idle = Idle(frame.function, frame.cfg, lambda i: frame.activity.rule(i) is not None)
        self.working = self._blocks_with_work()
        self.exit = self._exit()
        self.escapes = [b for b in self.cfg.order if b.terminator.opcode == "resume"]
        """Where exceptions leave a function whose caller may go on: what it did until there has to be undone."""

    def _restored(self) -> Restored | None:
        """Of a kernel: the memory that threads share in turns."""
        frame = self.frame
        if not frame.options.grid or self.split:
            return None
        return Restored(self.cfg, frame.memory, frame.program.registry.shadow_globals, frame.undoes_store)

    # -- the whole --------------------------------------------------------------------------------------------------

    def write(self) -> list[str]:
        """The text of the function, or of the two."""
        frame = self.frame
        frame.check_types()
        frame.check_rules()
        payload.check(frame)
        frame.check_jumps()
        teams.check(frame)
        self._begin()
        self.required: set[Need] | None = set()
        self._write_reverse()
        required = self.required
        self.required = None
        self.kept = self.needs.keep(required)
        if restored := self.needs.restored.stores() if self.needs.restored is not None else ():
            self.kept = self.needs.keep({*required, *(Need("primal", i.pointer) for i in restored)})
            self.kept |= {Need("tape", i) for i in restored}
        loops = {loop.nest[0].header.name for n in self.kept if (loop := self.needs.loop(n)) is not None}
        frame.program.kept.setdefault(frame.function.name, set()).update(loops)
        if self.unread:
            self.unneeded = unneeded_stores(frame.memory, self.unread, {n.of for n in required})
        if self.verifier is not None:
            self.checked = self.verifier.repeated_loads(required)
        self._begin()
        forward = Augmented(self)
        forward.write(self._at_return)
        self._write_reverse()
        forward.write_leaving(self._give_back)
        if self.verifier is not None:
            self.verifier.check_writes()
        if self.is_last is not None:
            halves.check_repeatable(self)
        if self.split:
            self._align_tape()
            return [self.forward.text(), self.reverse.text()]
        return [self.forward.text()]

    def _begin(self) -> None:
        """Empty paper."""
        frame = self.frame
        self.slots: dict[Need, Slot] = {}
        self.records: dict[tuple[Loop, Type], Records] = {}
        self.counted: set[Loop] = {n.of for n in self.kept if n.kind == "turns"}  # type: ignore[misc]
        self._stacks: dict[tuple[Instruction, str], list[Slot]] = {}
        self._freed: Slot | None = None
        self._left_by: Slot | None = None
        if self.grid is not None:
            self.grid.begin()
        frame.shadow_values.clear()
        parameters = frame.parameters()
        seed = self._seed_type()
        if self.split_name is None:
            if seed is not None:
                parameters.append((seed, "seed"))
            self.forward = self.reverse = frame.code(
                self.name, result_type([*self._primal_results(), *self._gradient_types()]), parameters
            )
            self.seed = self.reverse.parameters[-1] if seed is not None else None
            self.tape = Tape(self.forward, self.reverse, None)
            self.forward.attributes = frame.program.attributes_for(frame.function)
            self.forward.personality = self._personality()
        else:
            augmented, reverse = self.split_name
            parameters.append((PTR, "freed"))
            self.forward = frame.code(augmented, result_type(self.augmented_results()), parameters, linkage="internal")
            self.reverse = frame.code(reverse, result_type(self._gradient_types()), [], linkage="internal")
            self.seed = Expr(self.reverse, seed, "%gradir.seed") if seed is not None else None
            self.tape = Tape(self.forward, self.reverse, f"%gradir.tape.{augmented}")
            self.forward.personality = self._personality()
            self._take_tape()
            if self.escapes:
                self._left_by = self.tape.slot(I32, "left.by")
        if frame.options.noalias and not self.split:
            for k, p in enumerate(self.forward.parameters):
                if p.type.is_pointer:
                    self.forward.parameter_attributes[k] = "noalias"
        bound = frame.bind_parameters(self.forward)
        if self.split:
            self._bind_reverse(bound)
        frame.shadow_values.update({a: shadows for a, shadows in bound.items() if frame.is_pointer(a)})
        frame.bind_constants(self.forward)
        if frame.program.has_global_shadows and not self.split:
            self.forward.entry.lines.append("call void @gradir.clear_globals()")

    def _bind_reverse(self, shadows: dict[Argument, list[Expr]]) -> None:
        """The parameters of the reverse half. Its shadows have the names that the forward half has for its own."""
        given = [shadow for of in shadows.values() for shadow in of] if self.frame.options.late_shadows else []
        self.late_shadows = [Expr(self.reverse, shadow.type, shadow.ref) for shadow in given]
        seed = [self.seed] if self.seed is not None else []
        self.is_last = Expr(self.reverse, I1, "%gradir.last") if self.frame.options.repeatable else None
        last = [self.is_last] if self.is_last is not None else []
        self.reverse.parameters = [*seed, *self.late_shadows, *last, Expr(self.reverse, PTR, "%gradir.tape")]

    def _personality(self) -> str:
        """Memory is given back when an exception passes, so there are landing pads where the program has none."""
        if self.frame.function.personality or not unwinds(self.frame):
            return self.frame.function.personality
        self.frame.program.declare("declare i32 @__gxx_personality_v0(...)")
        return PERSONALITY

    # -- signature --------------------------------------------------------------------------------------------------

    def _seed_type(self) -> Type | None:
        mark = self.frame.result
        if mark is not None and mark.has_cotangent:
            return self.shadows.passed(self.frame.function.result)
        return None

    def _primal_results(self) -> list[Type]:
        mark = self.frame.result
        return [self.frame.function.result] if mark is not None and mark.keeps_primal else []

    def _gradient_types(self) -> list[Type]:
        return [self.shadows.passed(a.type) for a, m in self._active_arguments()]

    def _active_arguments(self) -> list[tuple[Argument, Mark]]:
        return [
            (a, m) for a, m in zip(self.frame.function.arguments, self.frame.marks, strict=True) if m is Mark.active
        ]

    def augmented_results(self) -> list[Type]:
        """The tape, the result, and the shadow of the result if that is a pointer."""
        result = self.frame.function.result
        types = [PTR]
        if result.kind != "void":
            types.append(result)
            given = self.frame.gives_pointer(self.frame.function)
            if given and self.frame.result is not None and self.frame.result.has_shadow:
                types += [result] * self.shadows.pointers
        return types

    # -- memory of both sweeps --------------------------------------------------------------------------------------

    def stack(self, alloca: Instruction, type: Type) -> Slot:
        return self._stack(alloca, "primal", type, 1)[0]

    def stack_shadow(self, alloca: Instruction, type: Type) -> list[Slot]:
        if self.shadows.scale > 1:
            type = Type(f"[{self.shadows.scale} x {type}]", "array", self.shadows.scale, (type,))
        return self._stack(alloca, "shadow", type, self.shadows.pointers)

    def _stack(self, alloca: Instruction, what: str, type: Type, n: int) -> list[Slot]:
        key = (alloca, what)
        if key not in self._stacks:
            align = max(16, alloca.align)
            self._stacks[key] = made = [self.tape.slot(type, f"{what}.stack", align=align) for _ in range(n)]
            if what == "shadow" and self.frame.options.repeatable:  # it holds what the time before has left
                self.reverse.entry.lines += [f"store {type} zeroinitializer, {slot.reverse}" for slot in made]
        return self._stacks[key]

    def stack_shadows(self, alloca: Instruction) -> list[Slot]:
        """The shadows of local memory that were set aside."""
        return self._stacks.get((alloca, "shadow"), [])

    def freed(self) -> Slot:
        """The list of memory to free at the very end: a callee has it from its caller, whose reverse sweep comes
        later."""
        if self._freed is None:
            if self.split:
                given = self.forward.parameters[-1]
                self._freed = Slot(FREED, given, self._in_reverse(given) if self.frame.program.catches else given)
            else:
                self._freed = self.tape.slot(FREED, "freed", zero=True)
        return self._freed

    def _in_reverse(self, given: Expr) -> Expr:
        """What the forward sweep of a callee was given, as its reverse sweep has it."""
        where = self.tape.slot(PTR, "given")
        self.forward.entry.lines.append(f"store {given}, {where.forward}")
        name = f"%{self.reverse.name_for('given')}"
        self.reverse.entry.lines.append(f"{name} = load ptr, {where.reverse}")
        return Expr(self.reverse, PTR, name)

    @property
    def has_arena(self) -> bool:
        """Whether what is kept for the reverse sweep is taken from an arena: a function's that is called."""
        return self.split and not self.frame.options.grid

    def _take_tape(self) -> None:
        program = self.frame.program
        if not self.has_arena:
            program.declare("declare noalias ptr @malloc(i64)")
            self.forward.entry.lines.append(f"%gradir.tape = {_MALLOC}(i64 {self.tape.size})")
            return
        program.need_runtime("gradir.arena.tape")
        given = f"{self.forward.parameters[-1]}, i64 {self.tape.size}"
        self.forward.entry.lines.append(f"%gradir.tape = {_TAKE}({given})")
        if program.catches:
            self._enter_tape()

    def _align_tape(self) -> None:
        """Where more is wanted than `malloc` and the arena promise."""
        lines, align, program = self.forward.entry.lines, self.tape.align, self.frame.program
        if self.has_arena and align > arena_runtime.ALIGN:
            program.need_runtime("gradir.arena.wide_tape")
            lines[0] = lines[0].replace(f"{_TAKE}(", f"call noalias ptr @gradir.arena.wide_tape(i64 {align}, ")
        elif not self.has_arena and align > 16:
            program.declare("declare noalias ptr @aligned_alloc(i64, i64)")
            lines[0] = lines[0].replace(f"{_MALLOC}(", f"call noalias ptr @aligned_alloc(i64 {align}, ")

    def _enter_tape(self) -> None:
        """Note the tape in the list before anything else, so that a caller that catches an exception finds it there."""
        code, program = self.forward, self.frame.program
        program.need_runtime("gradir.reserve")
        program.need_runtime("gradir.arena.keep")
        entry = f"call ptr @gradir.reserve({self.freed().forward}, ptr @{program.freed_pool()}, i64 32)"
        at = code.emit(PTR, entry, "listed")
        code.store(Expr(code, PTR, "%gradir.tape"), at)
        code.store(Expr(code, PTR, "@gradir.arena.keep"), code.offset(at, 8))

    def note_exit(self, escape: Block) -> None:
        """By which way the function is left; by returning it is the number after the last escape."""
        if self._left_by is not None:
            number = self.escapes.index(escape) if escape in self.escapes else len(self.escapes)
            self.forward.store(self.forward.constant(I32, number), self._left_by.forward)

    def type_of(self, need: Need) -> Type:
        match need.kind:
            case "turns":
                return I64
            case "left":
                return _number_type(len(self.exiting(need.of)))  # type: ignore[arg-type]
            case "came":
                return _number_type(len(self.entries(need.of)))  # type: ignore[arg-type]
            case "tape" if need.of.opcode == "store":  # type: ignore[union-attr]
                return need.of.value.type  # type: ignore[union-attr]
            case "tape":
                return self.meetings.tape_type(need.of) or self.calls.tape_type(need.of)  # type: ignore[arg-type]
            case _:
                return need.of.type  # type: ignore[union-attr]

    # -- what there is to do ----------------------------------------------------------------------------------------

    def _exit(self) -> Block | None:
        returns = [b for b in self.cfg.order if b.terminator.opcode == "ret"]
        assert len(returns) <= 1, "functions are brought to one return before"
        return returns[0] if returns else None

    def _blocks_with_work(self) -> set[Block]:
        adjoint = Adjoint(self)
        return {b for b in self.cfg.order if any(adjoint.has_work(i) for i in b.instructions)}

    def entries(self, block: Block) -> list[Block]:
        return [p for p in self.cfg.predecessors(block) if p in self.cfg.live]

    def exiting(self, loop: Loop) -> list[Block]:
        return list(dict.fromkeys(e for e, _ in loop.exits))

    # -- the turn ---------------------------------------------------------------------------------------------------

    def _at_return(self, ret: Instruction) -> None:
        code = self.forward
        if not self.split:
            self._turn = code.here
            return
        self.note_exit(ret.block)
        results = [Expr(code, PTR, "%gradir.tape")]
        if ret.operands:
            value = ret.operands[0]
            results.append(Expr(code, value.type, value.ref))
            if len(self.augmented_results()) > 2:
                if self.frame.shadowed(value):
                    results += self.frame.shadow(code, value)
                else:
                    results += [Expr(code, value.type, value.ref)] * self.shadows.pointers
        code.ret(pack(code, results))

    # -- the reverse sweep ------------------------------------------------------------------------------------------

    def _write_reverse(self) -> None:
        code = self.reverse
        self.memo: dict[tuple[CodeBlock, Need], Expr] = {}
        self.blocks: dict[Block, CodeBlock] = {}
        self.before: dict[Loop, CodeBlock] = {}
        self.heads: dict[Loop, CodeBlock] = {}
        self.counters: dict[Loop, Expr] = {}
        self.tops: dict[Loop, Expr | int] = {}
        """The number of the turn that each loop begins with, going back."""
        self.parts: dict[Loop, Part] = {}
        self.todo: list[Block] = []
        self.adjoint = Adjoint(self)
        self.windows = teams.Windows(self)
        done = code.block("done")
        begin = code.block("turn")
        code.at(begin)
        if self._left_by is not None:
            code.at(self._choose_exit(begin))
        if self.exit is not None:
            self._seed()
            code.br(self.block(self.exit))
        else:
            code.here.terminator = "unreachable"
        while self.todo:
            self._block(self.todo.pop(0), done)
        self._finish(done)
        if self.split:
            code.at(code.entry)
            if self.late_shadows and self.required is None and halves.keeps_shadows(self):
                halves.check_shadows(self)
            code.br(begin)
        elif self.required is None and self.exit is not None:
            self._turn.terminator = f"br label {begin.ref}"

    def _choose_exit(self, begin: CodeBlock) -> CodeBlock:
        """Begin where the function was left; gives the block for where it returned."""
        code = self.reverse
        assert self._left_by is not None
        returned = code.block("returned")
        number = code.load(I32, self._left_by.reverse)
        cases = " ".join(f"i32 {k}, label {self.block(b).ref}" for k, b in enumerate(self.escapes))
        begin.terminator = f"switch {number}, label {returned.ref} [ {cases} ]"
        return returned

    def _seed(self) -> None:
        assert self.exit is not None
        operands = self.exit.terminator.operands
        mark = self.frame.result
        if operands and mark is not None and mark.has_cotangent and self.frame.active(operands[0]):
            assert self.seed is not None
            type, guise = self.frame.shadow_types(operands[0])
            self.adjoint.add(operands[0], self.shadows.from_passed(self.reverse, self.seed, type, guise))

    def _finish(self, done: CodeBlock) -> None:
        """All is undone: give back memory, and return the results."""
        code, program = self.reverse.at(done), self.frame.program
        results: list[Expr] = []
        if not self.split and self._primal_results():
            # A function that never returns has no value.
            returned = self.exit.terminator.operands[0].ref if self.exit is not None else "poison"
            value = returned if self.required is None else "poison"
            results.append(Expr(code, self.frame.function.result, value))
        if self.verifier is not None and not self.split:
            self.verifier.check_locals(code)
        self.windows.flush(code)
        for a, _ in self._active_arguments():
            results.append(self.shadows.to_passed(code, self.adjoint.take(a), *self.frame.shadow_types(a)))
        if self.is_last is not None:
            again = code.block("again")
            code.cond_br(self.is_last, last := code.block("last"), again)
            code.at(again).ret(pack(code, results))
            code.at(last)
        self._give_back()
        if self.has_arena:
            back = "gradir.arena.rewind" if program.catches else "gradir.arena.back"
            program.need_runtime(back)
            code.line(f"call void @{back}(ptr %gradir.tape)")
        elif self.split:
            program.need_runtime("free")
            code.line("call void @free(ptr %gradir.tape)")
        code.ret(pack(code, results))

    def _give_back(self) -> None:
        """Give back what was kept, and free what the program has freed."""
        code, program = self.reverse, self.frame.program
        for records in self.records.values():
            if records.on_stack or records.state is None:
                continue
            program.need_runtime(f"{records.runtime}.release")
            data = code.load(PTR, records.state.reverse)
            pool = "null" if self.has_arena else records.pool
            code.line(f"call void @{records.runtime}.release(ptr {pool}, {data})")
        if self._freed is not None and not self.split:
            program.need_runtime("gradir.free_all")
            code.line(f"call void @gradir.free_all({self._freed.reverse}, ptr @{program.freed_pool()})")
            if not self.frame.options.grid:
                program.need_runtime("gradir.arena.end")
                code.line(f"call void @gradir.arena.end({self._freed.reverse})")

    # -- blocks in reverse ------------------------------------------------------------------------------------------

    def block(self, block: Block) -> CodeBlock:
        """Where the undoing of a block begins."""
        if block not in self.blocks:
            self.blocks[block] = self.reverse.block(f"undo.{block.name.strip(chr(34))}")
            self.todo.append(block)
        return self.blocks[block]

    def spot(self, block: Block) -> Spot:
        return Spot(self.blocks[block], self.cfg.loop_of[block])

    def _block(self, block: Block, done: CodeBlock) -> None:
        code = self.reverse.at(self.blocks[block])
        self.adjoint.fetch(block)
        for i in reversed(block.instructions):
            if i.opcode != "phi":
                self.frame.locate(code, i, "shadow")
                self.adjoint.undo(i)
                if self.verifier is not None and self.adjoint.has_work(i):
                    self.verifier.undone.add(i)
                code.at(self.blocks[block])
        if self.grid is not None:
            self.grid.flush()
        code.location = ""
        loop = self.cfg.headers.get(block)
        if loop is not None:
            self._go_round(loop)
        elif block is self.cfg.function.entry:
            code.br(done)
        else:
            self._go_back(block)

    def _go_round(self, loop: Loop) -> None:
        """At a loop's header: back to the turn before, or, in the first turn, out of the loop."""
        code = self.reverse
        part = self.parts.get(loop)
        first = self.counters[loop].eq(part.bottom if part is not None else 0)
        out, again = code.block("leave"), code.block("again")
        code.cond_br(first, out, again)
        taken = self.adjoint.take_phis(loop.header)
        code.at(out)
        if part is not None:
            following = code.block("part")
            code.cond_br(part.bottom.eq(0), out := code.block("leave"), following)
            code.at(following)
            self.adjoint.give_phis(taken, loop.latch)
            part.go_on(code)
            code.at(out)
        self.adjoint.give_phis(taken, loop.preheader)
        code.br(self.target(loop.preheader, loop.parent))
        code.at(again)
        self.adjoint.give_phis(taken, loop.latch)
        before = self.counters[loop]
        less = code.emit(I64, f"add nsw {before}, -1", "turn")
        head = self.heads[loop]
        head.phis[0] = head.phis[0].replace("PREVIOUS", f"{less.ref}, {again.ref}")
        if len(head.phis) > 1:
            head.phis[1] = head.phis[1].replace("PREVIOUS", f"false, {again.ref}")
        code.br(head)
        if self.is_huge(loop):
            assert code.here.terminator is not None
            code.here.terminator += self.frame.program.scalar_loop()

    def is_huge(self, loop: Loop) -> bool:
        """Whether LLVM would think about vectorising the loop for longer than that is worth."""
        accesses = sum(i.opcode in ("load", "store") for b in loop.blocks for i in b.instructions)
        kept = sum(len(r.fields) for r in self.records.values() if r.loop.header in loop.blocks)
        return accesses + kept > MOST_ACCESSES or sum(len(b.instructions) for b in loop.blocks) > MOST_INSTRUCTIONS

    def _go_back(self, block: Block) -> None:
        """To where the block was entered from."""
        code, loop = self.reverse, self.cfg.loop_of[block]
        active_phis = any(self.adjoint.has_work(p) for p in block.phis)
        if not active_phis and (skipped := self._idle_way(block)) is not None:
            code.br(self.block(skipped))
            return
        entries = self.entries(block)
        if len(entries) == 1:
            self.adjoint.give_phis(self.adjoint.take_phis(block), entries[0])
            code.br(self.target(entries[0], loop))
            return
        choice = self._choice(block, entries)
        chosen = self.lookup(choice.need, self.spot(block))
        taken = self.adjoint.take_phis(block)
        here = code.here
        ways = []
        for entry in choice.targets:
            way = code.block("back")
            code.at(way)
            self.adjoint.give_phis(taken, entry)
            code.br(self.target(entry, loop))
            ways.append(way)
        code.at(here)
        if choice.by_condition:
            code.cond_br(chosen, ways[0], ways[1])
        else:
            cases = " ".join(f"{chosen.type} {k}, label {w.ref}" for k, w in enumerate(ways[1:], 1))
            here.terminator = f"switch {chosen}, label {ways[0].ref} [ {cases} ]"

    def _choice(self, block: Block, entries: list[Block]) -> Choice:
        above = self.cfg.idom[block]
        br = above.terminator
        if (
            len(entries) == 2
            and br.opcode == "br"
            and len(br.operands) == 3
            and self.cfg.loop_of[above] is self.cfg.loop_of[block]
        ):
            yes, no = br.operands[1:]
            sides = [self._side(above, e, block, yes, no) for e in entries]  # type: ignore[arg-type]
            if set(sides) == {True, False}:
                targets = entries if sides[0] else entries[::-1]
                return Choice(Need("primal", br.operands[0]), True, targets)
        return Choice(Need("came", block), False, entries)

    def _side(self, above: Block, entry: Block, block: Block, yes: Block, no: Block) -> bool | None:
        """On which side of a branch one comes to the block by way of `entry`."""
        if yes is no:
            return None
        if entry is above:
            return True if block is yes else False if block is no else None
        for side, target in ((True, yes), (False, no)):
            if target is not block and len(self.cfg.predecessors(target)) == 1 and self.cfg.dominates(target, entry):
                return side
        return None

    def _idle_way(self, block: Block) -> Block | None:
        """The block above from which all ways lead here without doing anything that has to be undone."""
        loop = self.cfg.loop_of[block]
        above = self.cfg.idom[block]
        while self.cfg.loop_of[above] is not loop:
            if self.cfg.idom[above] is above:
                return None
            above = self.cfg.idom[above]
        if loop is not None and above not in loop.blocks:
            return None
        seen: set[Block] = {above}
        work = self.entries(block)
        while work:
            b = work.pop()
            if b in seen:
                continue
            if b in self.working or b is block:
                return None
            seen.add(b)
            work.extend(self.entries(b))
        return above

    def target(self, block: Block, loop: Loop | None) -> CodeBlock:
        """Where to go to undo `block`, coming from the given loop: first into the loops around the block."""
        inner = self.cfg.loop_of[block]
        if inner is loop:
            return self.block(block)
        assert inner is not None
        outermost = inner
        while outermost.parent is not loop:
            assert outermost.parent is not None
            outermost = outermost.parent
        return self._enter(outermost)

    # -- loops in reverse -------------------------------------------------------------------------------------------

    def _enter(self, loop: Loop) -> CodeBlock:
        """Where the undoing of a loop begins: with its last turn."""
        if loop in self.before:
            return self.before[loop]
        code, here = self.reverse, self.reverse.here
        before, head = code.block("enter"), code.block("turn")
        self.before[loop], self.heads[loop] = before, head
        spot = Spot(before, loop.parent)
        code.at(before)
        for records in self.records.values():
            if records.span and records.span[0] is loop:
                self._open_records(records, spot)
        turns = self._goes_back(loop, spot) if loop.trip else 0
        if loop.trip is None or not loop.trip.exact:
            turns = self.lookup(Need("turns", loop), spot)
        self.tops[loop] = turns
        exiting = self.exiting(loop)
        start, opening, entry = turns, "true", before
        if reach := self.sharing.widest(loop) if self.sharing is not None else 0:
            self.parts[loop] = part = Part.begin(code, before, turns, reach)
            start, opening, entry = part.top, part.opening.ref, part.block
        code.at(head)
        counter = code.phi(I64, [], "turn")
        head.phis[0] += f"[ {start.ref if isinstance(start, Expr) else start}, {entry.ref} ], [ PREVIOUS ]"
        self.counters[loop] = counter
        for records in self.records.values():
            if records.loop is loop and not records.span:
                self._open_records(records, Spot(head, loop))
        if exiting == [loop.latch]:
            code.br(self.block(loop.latch))
        else:
            last = code.phi(I1, [], "last")
            head.phis[1] += f"[ {opening}, {entry.ref} ], [ PREVIOUS ]"
            self._dispatch(loop, exiting, last, spot)
        code.at(before).br(self.parts[loop].block if loop in self.parts else head)
        if loop in self.parts:
            code.at(entry).br(head)
        code.at(here)
        return before

    def spot_before(self, loop: Loop) -> Spot:
        """Where the undoing of a loop begins, before its last turn."""
        return Spot(self.before[loop], loop.parent)

    def _dispatch(self, loop: Loop, exiting: list[Block], last: Expr, before: Spot) -> None:
        """In the last turn, only what ran before the loop was left is undone."""
        code = self.reverse
        outs = [self.target(e, loop) for e in exiting]
        usual = self.block(loop.latch)
        if len(outs) == 1:
            code.cond_br(last, outs[0], usual)
            return
        which = self.lookup(Need("left", loop), before)
        leaving = code.block("left")
        code.cond_br(last, leaving, usual)
        cases = " ".join(f"{which.type} {k}, label {o.ref}" for k, o in enumerate(outs[1:], 1))
        leaving.terminator = f"switch {which}, label {outs[0].ref} [ {cases} ]"

    def _goes_back(self, loop: Loop, spot: Spot) -> Expr | int:
        return goes_back(self.reverse, loop, lambda v: self.primal(v, spot))

    def _open_records(self, records: Records, spot: Spot) -> None:
        """Find the records that the forward sweep reserved last."""
        code = self.reverse
        assert records.state is not None
        turns = [self._goes_back(l, spot) + 1 for l in records.span]
        records.turns["reverse"] = turns
        if records.on_stack:
            records.base["reverse"] = records.state.reverse
        elif records.entered_once:
            records.base["reverse"] = code.load(PTR, records.state.reverse, hint="kept.at")
        else:
            total = product(code, turns)
            size = total * records.size if isinstance(total, Expr) else code.constant(I64, total * records.size)
            records.base["reverse"] = self._pop(records.state, size)

    def _pop(self, buffer: Slot, bytes: Expr) -> Expr:
        """What came last into a buffer, which is in use no longer."""
        code = self.reverse
        if self.has_arena:
            self.frame.program.need_runtime("gradir.arena.pop")
            return code.emit(PTR, f"call ptr @gradir.arena.pop({buffer.reverse}, {bytes})", "kept.at")
        used_at = code.offset(buffer.reverse, 16)
        used = code.load(I64, used_at) - bytes
        code.store(used, used_at)
        return code.offset(code.load(PTR, buffer.reverse), used)

    # -- looking things up ------------------------------------------------------------------------------------------

    def primal(self, value: Value, spot: Spot) -> Expr:
        return self.lookup(Need("primal", value), spot)

    def shadow(self, value: Value, spot: Spot) -> list[Expr]:
        """The shadow of a pointer."""
        if isinstance(value, (Constant, Global)):
            return self.frame.shadow(self.reverse, value)
        return [self.lookup(Need("shadow", value, k), spot) for k in range(self.shadows.pointers)]

    def usable_shadow(self, pointer: Value, type: Type, spot: Spot) -> list[Expr]:
        """The shadows of memory that floats of a type are undone in."""
        shadows = self.shadow(pointer, spot)
        if not self.frame.constancy.may_be(pointer):
            return shadows
        return self.frame.constancy.instead(self.reverse, type, self.primal(pointer, spot), shadows)

    def lookup(self, need: Need, spot: Spot) -> Expr:
        """What the forward sweep had in the turn that is being undone at `spot`."""
        if self.required is not None:
            self.required.add(need)
            return Expr(self.reverse, self.type_of(need), "poison")
        if (found := self._found(need, spot)) is not None:
            return found
        here, location = self.reverse.here, self.reverse.location
        wanted = [(need, spot)]
        while wanted:  # what it follows from comes first, over chains of any length
            n, s = wanted[-1]
            if self._found(n, s) is None:
                home = self._home(n, s)
                inputs = [] if n in self.kept or self.needs.twin(n) in self.kept else self.needs.inputs(n) or []
                if missing := [(i, home) for i in inputs if self._found(i, home) is None]:
                    wanted += missing
                    continue
                self.reverse.at(home.block)
                if isinstance(n.of, Instruction):
                    self.frame.locate(self.reverse, n.of, "kept" if n in self.kept else "again")
                self.memo[home.block, n] = self._load(n) if n in self.kept else self._recompute(n, home)
                if n in self.checked and self.verifier is not None:
                    self.verifier.compare(n, self.memo[home.block, n], self._load(n))
            wanted.pop()
        self.reverse.at(here).location = location
        return self.memo[self._home(need, spot).block, need]

    def _found(self, need: Need, spot: Spot) -> Expr | None:
        if (found := self._at_hand(need)) is not None:
            return found
        return self.memo.get((self._home(need, spot).block, need))

    def _home(self, need: Need, spot: Spot) -> Spot:
        """Where it is the same for all turns: before the outermost loop that doesn't change it."""
        loop = self.needs.loop(need)
        if spot.loop is loop:
            return spot
        inner = spot.loop
        assert inner is not None, f"{need} is not to be had here"
        while inner.parent is not loop:
            inner = inner.parent
            assert inner is not None, f"{need} is not to be had here"
        return Spot(self.before[inner], loop)

    def _at_hand(self, need: Need) -> Expr | None:
        of, code = need.of, self.reverse
        if need in self.kept or not self.needs.free(need):
            return None
        if isinstance(of, Instruction) and of.opcode == "alloca" and (of, "primal") in self._stacks:
            stacks = self._stacks[(of, need.kind)]
            return stacks[need.part].reverse
        if need.kind == "shadow":
            assert isinstance(of, Value)
            return self.frame.shadow(code, of)[need.part]
        if need.kind == "tape":
            return self.calls.tape(of)  # type: ignore[arg-type]
        assert isinstance(of, Value)
        return Expr(code, of.type, of.ref)

    def _load(self, need: Need) -> Expr:
        code = self.reverse
        type = self.type_of(need)
        if need in self.slots:
            return code.load(type, self.slots[need].reverse, kept_align(type))
        return self._load_record(need, self.needs.loop(need))

    def _load_record(self, need: Need, loop: Loop | None) -> Expr:
        """What was kept in the same turn as that of `loop`, which is its own loop or one that repeats it."""
        code, type, its = self.reverse, self.type_of(need), self.needs.loop(need)
        assert loop is not None and its is not None
        address = self.records[its, type].address(
            code, "reverse", need, lambda l: self.counters[loop if l is its else l]
        )
        return code.load(type, address, kept_align(type) + self.frame.program.scope("cache"))

    def _recompute(self, need: Need, home: Spot) -> Expr:
        code, of = self.reverse, need.of
        assert isinstance(of, Instruction)
        if (twin := self.needs.twin(need)) is not None and twin in self.kept:
            return self._load_record(twin, self.needs.loop(need))
        if of.opcode == "phi":
            return self._recompute_phi(need, of, home)
        if need.kind == "shadow":
            return self._recompute_shadow(need, of, home)
        suffix = self.frame.program.of_primal(of) if of.opcode == "load" else metadata_of(of)
        values = {o: self.primal(o, home).ref for o in of.operands if not isinstance(o, (Block, Global))}
        text = of.render("", lambda v: values.get(v, v.ref), suffix).partition(" = ")[2]
        if of.opcode == "call":
            text = render_call(of, text)
        return code.emit(of.type, text, "again")

    def _recompute_phi(self, need: Need, phi: Instruction, home: Spot) -> Expr:
        code = self.reverse
        loop = self.cfg.loop_of[phi.block]
        if loop is None or phi not in loop.inductions:
            value = next(v for v, b in phi.incoming if b in self.cfg.live)
            return self.lookup(Need(need.kind, value, need.part), home)
        induction = loop.inductions[phi]
        if isinstance(induction.start, (Constant, Global)) and need.kind == "shadow":
            start = self.frame.shadow(code, induction.start)[need.part]
        else:
            start = self.lookup(Need(need.kind, induction.start, need.part), home)
        turn = self.counters[loop]
        if phi.type.is_pointer:
            scale = self.shadows.scale if need.kind == "shadow" else 1
            return code.offset(start, turn * (induction.step * scale))
        if phi.type != I64:
            cast = "trunc" if phi.type.count < 64 else "sext"
            turn = code.emit(phi.type, f"{cast} {turn} to {phi.type}")
        steps = turn if induction.step == 1 else turn * induction.step
        if isinstance(induction.start, Constant) and induction.start.integer == 0:
            return steps
        return start + steps

    def _recompute_shadow(self, need: Need, of: Instruction, home: Spot) -> Expr:
        code, k = self.reverse, need.part
        if of.opcode == "load":
            at = self.shadow(of.pointer, home)[k]
            return load_moved(code, of.type, at, self.frame.shadow_align(of), self.shadows.scale)
        return self.pointers.write(code, of, lambda v: self.primal(v, home), lambda v: self.shadow(v, home)[k])


def _number_type(count: int) -> Type:
    """The smallest type that tells so many things apart."""
    return I8 if count <= 256 else I32
