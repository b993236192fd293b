"""The forward sweep of reverse mode: the function's own code, with shadows of pointers, and with what the reverse
sweep needs kept."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from gradir.machine.analysis.cache import Need, is_static_alloca
from gradir.machine.analysis.cfg import Loop
from gradir.machine.ir import I8, I64, PTR, Block, Constant, Instruction, Type, Value, array
from gradir.machine.ir.builder import CodeBlock, Expr
from gradir.machine.passes.flow.throwing import may_throw
from gradir.machine.rules.known import Known
from gradir.machine.transform.parallel.teams import TURN
from gradir.machine.transform.repeat import Repeat
from gradir.machine.transform.runtime.arena import RUNTIME, SEGMENTS
from gradir.machine.transform.runtime.grid import ROOM
from gradir.machine.transform.shadows import payload
from gradir.machine.transform.storage import (
    BUFFER,
    STACK_LIMIT,
    Records,
    conditions_of,
    goes_back,
    kept_align,
    product,
    span_of,
)
from gradir.machine.transform.unwinding import unwinds

if TYPE_CHECKING:
    from gradir.machine.transform.reverse import Reverse

__all__ = ["Augmented"]

_DROPPED = (
    "llvm.lifetime.",
    "llvm.dbg.",
    "llvm.stacksave",
    "llvm.stackrestore",
    "llvm.experimental.noalias",
    "llvm.invariant.",
)


class Augmented(Repeat):
    """Writes the forward sweep."""

    def __init__(self, reverse: Reverse) -> None:
        super().__init__(reverse.frame, reverse.forward)
        self.r = reverse
        self.counters: dict[Loop, Expr] = {}
        self.latches = {l.latch: l for l in self.cfg.loops}
        self.steps: dict[Block, list[str]] = {}
        """What counts the turns of a loop, at the end of its latch."""
        self.leaving: list[tuple[CodeBlock, str]] = []
        """Where an exception leaves the function, and what it came with."""
        self._cleanup: CodeBlock | None = None

    def write(self, at_return: Callable[[Instruction], None]) -> None:
        code = self.code
        self.open_blocks()
        self._set_aside()
        for loop in self.r.counted:
            self._count(loop)
        for a in self.frame.function.arguments:
            self.keep(Need("primal", a), Expr(code, a.type, a.ref), code.entry)
            for k, s in enumerate(self.frame.shadow_values.get(a, [])):
                self.keep(Need("shadow", a, k), s, code.entry)
        for block in self.cfg.reachable:
            self._block(block, at_return)
        self.close_phis()
        code.at(code.entry).br(self.blocks[self.frame.function.entry])

    # -- memory for what is kept ------------------------------------------------------------------------------------

    def _set_aside(self) -> None:
        """A slot or an array for each need that is kept."""
        r = self.r
        for need in sorted(r.kept | r.checked, key=self._order):
            type = r.type_of(need)
            loop = r.needs.loop(need)
            if loop is None:
                r.slots[need] = r.tape.slot(type, "kept")
                continue
            key = (loop, type)
            if key not in r.records:
                r.records[key] = Records(loop, type, span_of(loop, self.cfg), *self._room())
            r.records[key].add(need)
        for records in r.records.values():
            total = records.constant_turns
            if records.entered_once and total is not None and total * records.size <= STACK_LIMIT:
                records.on_stack = True
                records.state = r.tape.slot(array(total * len(records.fields), records.type), "kept", align=16)
            elif records.entered_once:
                records.state = r.tape.slot(PTR, "kept", zero=True)
                records.conditions = conditions_of(records.span, self.cfg)
            else:
                records.state = r.tape.slot(SEGMENTS if r.has_arena else BUFFER, "kept", zero=True)
            r.counted.update(records.span)

    def _room(self) -> tuple[str, str]:
        """Where the memory of records comes from, and the functions that take and give it."""
        if self.r.has_arena:
            return self.r.freed().forward.ref, RUNTIME
        if not self.frame.options.grid or self.r.split:
            return f"@{self.frame.program.pool()}", "gradir"
        return self.r.tape.slot(array(ROOM, I8), "room", align=16).forward.ref, "gradir.room"

    def _order(self, need: Need) -> tuple[int, int, str, int]:
        of = need.of
        block = of.header if isinstance(of, Loop) else of if isinstance(of, Block) else getattr(of, "block", None)
        at = self.cfg.number.get(block, -1) if block is not None else -1
        return at, getattr(of, "position", -1), need.kind, need.part

    def _count(self, loop: Loop) -> None:
        """A counter of the loop's turns: one that it has anyway, or a new one."""
        for phi, induction in loop.inductions.items():
            if (
                induction.step == 1
                and phi.type == I64
                and isinstance(induction.start, Constant)
                and induction.start.integer == 0
            ):
                self.counters[loop] = Expr(self.code, I64, phi.ref)
                return
        name, following = (f"%{self.code.name_for(hint)}" for hint in ("turn", "turn.next"))
        before, latch = (self.way(b, loop.header) for b in (loop.preheader, loop.latch))
        pairs = [f"[ 0, {before.ref} ]"] * _ways(loop.preheader, loop.header)
        pairs += [f"[ {following}, {latch.ref} ]"] * _ways(loop.latch, loop.header)
        self.blocks[loop.header].phis.append(f"{name} = phi i64 {', '.join(pairs)}")
        self.steps.setdefault(loop.latch, []).append(f"{following} = add nuw nsw i64 {name}, 1")
        self.counters[loop] = Expr(self.code, I64, name)

    def _reserve(self, records: Records) -> None:
        """Make room for the turns to come, where they are known; else for this turn."""
        code, r, turns = self.code, self.r, records.turns["forward"]
        assert records.state is not None
        if records.on_stack:
            records.base["forward"] = records.state.forward
            return
        total = product(code, turns)
        bytes = total * records.size if isinstance(total, Expr) else code.constant(I64, total * records.size)
        pool, runtime = Expr(code, PTR, records.pool), records.runtime
        for value, truth in records.conditions or ():
            condition, none = Expr(code, value.type, value.ref), code.constant(I64, 0)
            bytes = condition.select(bytes, none) if truth else condition.select(none, bytes)
        if records.conditions is None:
            r.frame.program.need_runtime(f"{runtime}.acquire_once")
            given = f"{records.state.forward}, {pool}, {bytes}"
            base = code.emit(PTR, f"call ptr @{runtime}.acquire_once({given})", "kept.at")
        elif records.entered_once:
            r.frame.program.need_runtime(f"{runtime}.acquire")
            noalias = "noalias " if runtime in ("gradir", RUNTIME) else ""
            base = code.emit(PTR, f"call {noalias}ptr @{runtime}.acquire({pool}, {bytes})", "kept.at")
            code.store(base, records.state.forward)
        else:
            r.frame.program.need_runtime(f"{runtime}.reserve")
            base = code.emit(PTR, f"call ptr @{runtime}.reserve({records.state.forward}, {pool}, {bytes})", "kept.at")
        records.base["forward"] = base

    def _enter_loops(self, block: Block) -> None:
        """Before a loop is entered: room for it and the loops inside whose counts are known here."""
        for records in self.r.records.values():
            if records.span and records.span[0].preheader is block:
                here = [goes_back(self.code, l, lambda v: Expr(self.code, v.type, v.ref)) for l in records.span]
                records.turns["forward"] = [back + 1 for back in here]
            if records.span and records.span[-1 if records.conditions is None else 0].preheader is block:
                self._reserve(records)

    def keep(self, need: Need, value: Expr, block: CodeBlock | None = None) -> None:
        if need not in self.r.kept and need not in self.r.checked:
            return
        code, here, place = self.code, self.code.here, self.code.location
        if block is not None:
            code.at(block)
        if isinstance(need.of, Instruction):
            self.frame.locate(code, need.of, "kept")
        if (slot := self.r.slots.get(need)) is not None:
            code.store(value, slot.forward, kept_align(value.type))
        else:
            loop = self.r.needs.loop(need)
            assert loop is not None
            records = self.r.records[loop, self.r.type_of(need)]
            address = records.address(code, "forward", need, lambda l: self.counters[l])
            code.store(value, address, kept_align(value.type) + self.r.frame.program.scope("cache"))
        code.at(here).location = place

    # -- blocks -----------------------------------------------------------------------------------------------------

    def _block(self, block: Block, at_return: Callable[[Instruction], None]) -> None:
        code, made = self.code, self.blocks[block]
        code.at(made)
        for phi in block.phis:
            self.repeat_phi(phi)
        loop = self.cfg.headers.get(block)
        for records in self.r.records.values():
            if records.loop is loop and not records.span:
                records.turns["forward"] = []
                self._reserve(records)
        for phi in block.phis:
            self._keep_value(phi)
        came = Need("came", block)
        if came in self.r.kept:
            where = [
                (str(k), self.way(p, block))
                for k, p in enumerate(self.r.entries(block))
                for _ in range(_ways(p, block))
            ]
            self.keep(came, code.phi(self.r.type_of(came), where, "came"))
        for i in block.body:
            self.frame.locate(code, i, "primal")
            self._instruction(i)
        code.location = ""
        self.end(block)
        if block in self.cfg.live:
            self._leave_loops(block)
            self._enter_loops(block)
        code.here.lines += self.steps.get(block, [])
        self._terminator(block.terminator, at_return)

    def _leave_loops(self, block: Block) -> None:
        """Note how often loops have gone back, and by which block they are left, just before they may be left."""
        code = self.code
        loop = self.cfg.loop_of[block]
        while loop is not None:
            if any(block is e for e, _ in loop.exits):
                turns = Need("turns", loop)
                if turns in self.r.kept:
                    self.keep(turns, self.counters[loop])
                left = Need("left", loop)
                if left in self.r.kept:
                    self.keep(left, code.constant(self.r.type_of(left), self.r.exiting(loop).index(block)))
            loop = loop.parent

    # -- exceptions -------------------------------------------------------------------------------------------------

    def in_parts(self, block: Block) -> bool:
        return any(self._is_guarded(i) for i in block.body)

    def _is_guarded(self, i: Instruction) -> bool:
        """Whether an exception from a call would leave the function, which has memory to give back before."""
        if self.r.split or i.opcode not in ("call", "invoke") or not unwinds(self.frame):
            return False
        return may_throw(i, self.frame.module)

    def landing_pad(self, i: Instruction) -> CodeBlock | None:
        own = super().landing_pad(i)
        if own is not None or not self._is_guarded(i):
            return own
        if self._cleanup is None:
            self._cleanup = self.code.block("unwind")
            name = f"%{self.code.name_for('thrown')}"
            self._cleanup.pad = f"{name} = landingpad {{ ptr, i32 }} cleanup"
            self.leaving.append((self._cleanup, name))
        return self._cleanup

    def _resume(self, i: Instruction) -> None:
        if self.r.split:
            self.r.note_exit(i.block)
            self.repeat_branch(i)
        else:
            self.leaving.append((self.code.here, i.operands[0].ref))

    def write_leaving(self, give_back: Callable[[], None]) -> None:
        """When it is known what there is to give back: let exceptions leave."""
        for block, thrown in self.leaving:
            self.code.at(block)
            give_back()
            block.terminator = f"resume {{ ptr, i32 }} {thrown}"

    def _terminator(self, i: Instruction, at_return: Callable[[Instruction], None]) -> None:
        code = self.code
        if i.opcode == "ret":
            at_return(i)
        elif i.opcode == "invoke":
            self._instruction(i)
            self.go_on(i)
        elif i.opcode == "resume":
            self._resume(i)
        else:
            self.repeat_branch(i)
            loop = self.latches.get(i.block)
            if loop is not None and self.r.is_huge(loop):
                assert code.here.terminator is not None
                code.here.terminator += self.frame.program.scalar_loop()

    # -- instructions -----------------------------------------------------------------------------------------------

    def _instruction(self, i: Instruction) -> None:
        if i in self.r.unneeded:
            return
        if i.opcode in ("call", "invoke"):
            self._call(i)
        elif i.opcode == "alloca":
            self._alloca(i)
        else:
            if i.opcode == "store" and (before := Need("tape", i)) in self.r.kept:
                there = Expr(self.code, i.pointer.type, i.pointer.ref)
                self.keep(before, self.code.load(i.value.type, there, f", align {i.align}", "before"))
            self.repeat(i)
            if i.opcode == "store":
                if self.frame.shadowed(i.pointer) and self.moves_pointer(i):
                    self.store_pointer(i)
            elif self.frame.shadowed(i):
                self.frame.shadow_values[i] = self.shadow(i)
        self._keep_value(i)

    def _keep_value(self, i: Instruction) -> None:
        if i.type.kind != "void":
            self.keep(Need("primal", i), Expr(self.code, i.type, i.ref))
        if self.frame.carries_pointer(i):
            for k, s in enumerate(self.frame.shadow_values.get(i, [])):
                self.keep(Need("shadow", i, k), s)

    # -- stack and heap ---------------------------------------------------------------------------------------------

    def _alloca(self, i: Instruction) -> None:
        code, frame = self.code, self.frame
        if not is_static_alloca(i, self.cfg):
            self._dynamic_alloca(i)
            return
        type = i.accessed_type
        if i.operands:
            count = i.operands[0].integer if isinstance(i.operands[0], Constant) else 1
            type = Type(f"[{count} x {type}]", "array", count or 0, (type,))
        primal = self.r.stack(i, type)
        code.entry.lines.append(f"{i.ref} = getelementptr i8, {primal.forward}, i64 0")
        if frame.shadowed(i):
            shadows = self.r.stack_shadow(i, type)
            frame.shadow_values[i] = [s.forward for s in shadows]
            here = code.here
            code.at(code.entry)
            for s in shadows:  # not by a store, of which LLVM makes one for each element
                code.clear(s.forward, code.constant(I64, s.type.size))
            code.at(here)

    def _dynamic_alloca(self, i: Instruction) -> None:
        """Stack memory whose amount is told at run time is borrowed, as it has to outlive a turn or the sweep."""
        code, frame = self.code, self.frame
        size = code.constant(I64, i.accessed_type.size)
        if i.operands:
            size = code.to_i64(Expr(code, i.operands[0].type, i.operands[0].ref)) * size
        if not frame.options.grid:
            self._borrow(i, size, "malloc", "free")
            return
        frame.program.need_runtime("malloc")
        code.line(f"{i.ref} = call noalias ptr @malloc({size})")
        made = [Expr(code, PTR, i.ref)]
        if frame.shadowed(i):
            size = size * self.shadows.scale
            take = f"call noalias ptr @malloc({size})"
            frame.shadow_values[i] = [code.emit(PTR, take, "shadow") for _ in range(self.shadows.pointers)]
            for shadow in frame.shadow_values[i]:
                code.clear(shadow, size)
            made += frame.shadow_values[i]
        for memory in made:
            self.defer_free(memory, "free", [])

    def _may_borrow(self, pointer: Value) -> bool:
        return not self.frame.options.grid and self.frame.memory.is_private(pointer)

    def _borrow(self, i: Instruction, bytes: Expr, allocate: str, free: str) -> None:
        """Take what the function alone allocates, and its shadows, from where the tapes are: it lasts until the
        function has been undone, and goes with its tape. Where that is not worth it, `allocate` makes it."""
        code, program = self.code, self.frame.program
        where = f"{self.r.freed().forward}, ptr @{program.freed_pool()}"
        for name in ("gradir.arena.borrow", "gradir.arena.borrow_zero", "malloc"):
            program.need_runtime(name)
        program.declare(f"declare void @{free}(ptr)")
        zeros = "call ptr @gradir.arena.borrow_zero"
        if allocate == "calloc":
            self.write_call(i, f"{i.ref} = {zeros}({where}, {bytes})")
        else:
            given = f"{where}, {bytes}, ptr @{allocate}, ptr @{free}"
            self.write_call(i, f"{i.ref} = call ptr @gradir.arena.borrow({given})")
        if self.frame.shadowed(i):
            size = bytes * self.shadows.scale
            shadows = [code.emit(PTR, f"{zeros}({where}, {size})", "shadow") for _ in range(self.shadows.pointers)]
            self.frame.shadow_values[i] = shadows

    def defer_free(self, pointer: Expr, function: str, more: list[Expr]) -> None:
        """The reverse sweep may still read the memory: it is freed at its end."""
        code, program = self.code, self.frame.program
        program.need_runtime("gradir.reserve")
        program.declare("declare void @free(ptr)")
        at = code.emit(
            PTR, f"call ptr @gradir.reserve({self.r.freed().forward}, ptr @{program.freed_pool()}, i64 32)", "freed"
        )
        code.store(pointer, at)
        code.store(Expr(code, PTR, f"@{function}"), code.offset(at, 8))
        for k, x in enumerate(more[:2]):
            code.store(x, code.offset(at, 16 + 8 * k))

    # -- calls ------------------------------------------------------------------------------------------------------

    def _call(self, i: Instruction) -> None:
        name = i.callee_name
        if name is not None and name.startswith(_DROPPED):
            if i.type.kind != "void":
                self.code.line(f"{i.ref} = getelementptr i8, ptr null, i64 0")
            return
        fact = self.frame.memory.known(i)
        kind = fact.kind if fact else None
        if self.r.meetings.is_one(i):
            self._meet(i)
        elif kind == "free":
            self._free(i)
        elif payload.is_allocation(i) and self.frame.shadowed(i):
            self.frame.shadow_values[i] = payload.shadow_of_thrown(self, i, lasting=True)
            for shadow in self.frame.shadow_values[i]:
                self.defer_free(shadow, "free", [])
        elif payload.is_handler(i) and self.frame.shadowed(i):
            self.repeat_call(i)
            self.frame.shadow_values[i] = payload.shadow_of_caught(self, i)
        elif i.block not in self.cfg.live and kind is None:  # nothing is undone of a way that doesn't return
            self.repeat_call(i)
            if self.frame.shadowed(i):
                self.frame.shadow_values[i] = [Expr(self.code, i.type, "null")] * self.shadows.pointers
        elif fact is not None and kind in ("allocate", "zero_allocate"):
            self._allocate(i, fact)
        elif kind in ("copy", "set"):
            self.repeat_call(i)
            self.r.copies.forward(self, i)
        elif kind == "mirrored":
            self.mirror(i)
        elif self.r.masked.is_masked(i):
            self.r.masked.check(i)
            self.repeat_call(i)
        elif self.r.calls.is_active(i):
            self.r.calls.forward(self, i)
        else:
            self.repeat_call(i)
            self.store_ends(i, fact)
            if self.frame.shadowed(i):
                self.frame.shadow_values[i] = self.shadow_returned(i, fact)

    def _meet(self, i: Instruction) -> None:
        """A lock is taken before its turn is noted, and given back after that."""
        before = self.r.meetings.tape_type(i) == TURN
        if not before:
            self.repeat_call(i)
        if (noted := self.r.meetings.forward(self.code, i)) is not None:
            self.r.calls.tapes[i] = noted
            self.keep(Need("tape", i), noted)
        if before:
            self.repeat_call(i)

    def _allocate(self, i: Instruction, fact: Known) -> None:
        if not self._may_borrow(i):
            self.repeat_call(i)
            if self.frame.shadowed(i):
                self.shadow_allocation(i, fact)
            return
        sizes = (self.code.to_i64(Expr(self.code, a.type, a.ref)) for a in (i.arguments[n] for n in fact.size))
        bytes = next(sizes)
        for size in sizes:
            bytes = bytes * size
        if fact.kind == "zero_allocate":
            self._borrow(i, bytes, "calloc", "free")
        elif len(i.arguments) == 1:  # C++'s throws where there is no memory
            self._borrow(i, bytes, i.callee.ref[1:], fact.free or "free")
        else:
            self._borrow(i, bytes, "malloc", "free")

    def _free(self, i: Instruction) -> None:
        code = self.code
        pointer, *rest = i.arguments
        if isinstance(pointer, Constant) or self._may_borrow(pointer):
            return
        more = [Expr(code, a.type, a.ref) for a in rest if a.type == I64]
        free = i.callee.ref[1:]
        self.defer_free(Expr(code, PTR, pointer.ref), free, more)
        if self.frame.shadowed(pointer):
            shadows, constancy = self.frame.shadow(code, pointer), self.frame.constancy
            if constancy.may_be(pointer):
                shadows = [constancy.or_null(code, Expr(code, PTR, pointer.ref), s) for s in shadows]
            for s in shadows:
                self.frame.program.lasting.drop(code, s)
                self.defer_free(s, free, more)


def _ways(block: Block, to: Block) -> int:
    """How many edges lead from one block to another: a `switch` may have several."""
    return sum(o is to for o in block.terminator.operands)
