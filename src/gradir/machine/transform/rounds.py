"""Derivatives of loops that keep a few states and run the rounds between them again, as a checkpointing policy says.

The augmented function of a loop runs its rounds as they are, and saves states on the way: what the rounds write, as
`passes/loops/rounds.py` found it. Its counterpart goes back from the last state to the first: it puts one back, runs
the rounds up to where it was last, augmented, and undoes them. Where that is too far for a tape, it saves more states
on the way, in the slots that are free again, as many rounds apart as is best for so many slots (Griewank's binomial
schedule, in units of the rounds that a tape may have).

Of a loop whose length is known only when it has ended, the states are as many rounds apart as slots allow: when all
are taken, every other one is dropped. All memory is as the loop left it when it is undone.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from gradir.machine.ir import I1, I32, I64, PTR, struct
from gradir.machine.ir.builder import DOUBLE, Code, Expr
from gradir.machine.passes.loops.rounds import LoopFunction, Stretch, rounds_of
from gradir.machine.transform.storage import BUFFER, FREED
from gradir.policy import Policy

if TYPE_CHECKING:
    from gradir.machine.transform.derive import Program
    from gradir.machine.transform.reverse import Reverse

__all__ = ["derivative"]

HEAD = 16
"""The bytes before a state: its round."""
FOREVER = 1 << 40
SPLIT = "gradir.rounds_ahead"

_KINDS = {"state": ("state",), "all": ("state", "end", "input"), "input": ("input",)}
"""The stretches of memory that are moved together, by a name for them."""


def derivative(
    program: Program, names: tuple[str, str], reverse: Reverse, loop: LoopFunction, policy: Policy
) -> list[str]:
    """The texts of the augmented function of a loop and of its counterpart, and of what they share."""
    made = _Checkpointed(program, names, reverse, loop, policy)
    return [*made.moves(), made.augmented(), made.undone()]


class _Checkpointed:
    def __init__(
        self, program: Program, names: tuple[str, str], reverse: Reverse, loop: LoopFunction, policy: Policy
    ) -> None:
        self.program, self.names, self.reverse, self.loop, self.policy = program, names, reverse, loop, policy
        self.types = [p.type for p in reverse.forward.parameters[:-1]]
        self.at, self.shadows_at = self._places()
        self.tape = struct([*self.types, *[I64] * 4, PTR, BUFFER])
        self.pool = program.pool()
        self.has_inputs = any(s.kind == "input" for s in loop.stretches)
        program.define(SPLIT, _split_text())
        for name in ("gradir.reserve", "gradir.release", "gradir.free_all", "gradir.arena.end"):
            program.need_runtime(name)
        for line in (
            "declare noalias ptr @malloc(i64)",
            "declare void @free(ptr)",
            "declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)",
            "declare double @llvm.sqrt.f64(double)",
            "declare i64 @llvm.smin.i64(i64, i64)",
            "declare i64 @llvm.smax.i64(i64, i64)",
        ):
            program.declare(line)

    def _places(self) -> tuple[list[int], list[list[int]]]:
        """For each argument of the rounds function, which parameters it and its shadows are."""
        found, shadows, n = [], [], 0
        frame = self.reverse.frame
        for a, mark in zip(frame.function.arguments, frame.marks, strict=True):
            more = len(frame.shadow_parameters(a)) if mark.has_shadow else 0
            found.append(n)
            shadows.append(list(range(n + 1, n + 1 + more)))
            n += 1 + more
        return found, shadows

    # -- the tape ---------------------------------------------------------------------------------------------------

    def _field(self, code: Code, tape: Expr, k: int) -> Expr:
        return code.emit(PTR, f"getelementptr {self.tape}, {tape}, i32 0, i32 {k}", "at")

    def _own(self, code: Code, tape: Expr, which: str) -> Expr:
        """Where something of its own is: the rounds that were run, slots, rounds of a tape, the bytes of a slot, what
        was saved of inputs, and the buffer of states."""
        numbers = ("rounds", "slots", "base", "stride", "inputs", "states")
        return self._field(code, tape, len(self.types) + numbers.index(which))

    def _parameter(self, code: Code, tape: Expr, k: int) -> Expr:
        return code.load(self.types[k], self._field(code, tape, k))

    def _parameters(self, code: Code, tape: Expr) -> list[Expr]:
        return [self._parameter(code, tape, k) for k in range(len(self.types))]

    # -- states -----------------------------------------------------------------------------------------------------

    def moves(self) -> list[str]:
        """Functions that tell the bytes of some memory, save it and put it back."""
        found = []
        for which, kinds in _KINDS.items():
            if which == "input" and not self.has_inputs:
                continue
            name = f"{self.names[0]}.{which}.bytes"
            code = Code(name, I64, [(PTR, "tape")], linkage="internal", attributes="nounwind")
            found.append(self._through(code, kinds, lambda code, memory, at, bytes: None))
            for verb in ("save", "restore"):
                code = Code(
                    f"{self.names[0]}.{which}.{verb}", I64, [(PTR, "tape"), (PTR, "saved")],
                    linkage="internal", attributes="noinline nounwind",
                )  # fmt: skip

                def move(code: Code, memory: Expr, at: Expr, bytes: Expr, verb: str = verb) -> None:
                    saved = code.offset(code.parameters[1], at)
                    to, source = (saved, memory) if verb == "save" else (memory, saved)
                    code.line(f"call void @llvm.memcpy.p0.p0.i64({to}, {source}, {bytes}, i1 false)")

                found.append(self._through(code, kinds, move))
        return found

    def _through(self, code: Code, kinds: Sequence[str], move: Callable[[Code, Expr, Expr, Expr], None]) -> str:
        """The text of a function that goes through stretches of memory, and gives their bytes."""
        tape, total = code.parameters[0], code.constant(I64, 0)
        for s in self.loop.stretches:
            if s.kind not in kinds:
                continue
            for memory, bytes in self._memory(code, tape, s):
                move(code, memory, total, bytes)
                total = total + code.emit(I64, f"and {bytes + 15}, -16")
        code.ret(total)
        return code.text()

    def _memory(self, code: Code, tape: Expr, s: Stretch) -> list[tuple[Expr, Expr]]:
        """A stretch, and where it holds pointers, that of its shadows, which are pointers as well."""
        where = self._parameter(code, tape, self.at[s.pointer])
        if s.begin is None:
            bytes = code.constant(I64, s.bytes)
        else:
            where = code.offset(where, self._parameter(code, tape, self.at[s.begin]))
            bytes = self._parameter(code, tape, self.at[s.bytes])
        found = [(where, bytes)]
        if s.pointees:
            size = code.constant(I64, s.bytes * self.reverse.shadows.scale)
            found += [(self._parameter(code, tape, k), size) for k in self.shadows_at[s.pointer]]
        return found

    def _push(self, code: Code, tape: Expr, round: Expr, stride: Expr) -> None:
        states = self._own(code, tape, "states")
        at = code.emit(PTR, f"call ptr @gradir.reserve({states}, ptr @{self.pool}, {stride})", "state")
        code.store(round, at)
        code.emit(I64, f"call i64 @{self.names[0]}.state.save({tape}, {code.offset(at, HEAD)})")

    def _states(self, code: Code, tape: Expr) -> tuple[Expr, Expr]:
        """The states, and where the bytes in use are told."""
        states = self._own(code, tape, "states")
        return code.load(PTR, states), code.offset(states, 16)

    def _run(self, code: Code, given: list[Expr], limit: Expr) -> None:
        """Run some rounds as they are."""
        own = [limit, *(given[k] for k in self.at[1:])]
        code.line(f"call void @{rounds_of(self.loop.name)}({', '.join(map(str, own))})")
        for s in self.loop.stretches:
            if s.pointees:
                self._follow(code, given, s)

    def _follow(self, code: Code, given: list[Expr], s: Stretch) -> None:
        """Let the shadow of a pointer that rounds carry be that of what it points to now."""
        now = code.load(PTR, given[self.at[s.pointer]])
        for part, slot in enumerate(self.shadows_at[s.pointer]):
            shadow = Expr(code, PTR, "null")
            for k in s.pointees:
                own = self.shadows_at[k]
                shadow = now.eq(given[self.at[k]]).select(given[own[part] if own else self.at[k]], shadow)
            code.store(shadow, given[slot])

    # -- forward ----------------------------------------------------------------------------------------------------

    def augmented(self) -> str:
        code = Code(
            self.names[0], PTR, [*((t, "x") for t in self.types), (PTR, "freed")],
            linkage="internal", attributes="nounwind",
        )  # fmt: skip
        *given, freed = code.parameters
        size = f"ptrtoint (ptr getelementptr ({self.tape}, ptr null, i32 1) to i64)"
        tape = code.emit(PTR, f"call noalias ptr @malloc(i64 {size})", "tape")
        if self.program.throws:
            entry = f"call ptr @gradir.reserve({freed}, ptr @{self.program.freed_pool()}, i64 32)"
            listed = code.emit(PTR, entry, "listed")
            code.store(tape, listed)
            code.store(Expr(code, PTR, "@free"), code.offset(listed, 8))
        for k, value in enumerate(given):
            code.store(value, self._field(code, tape, k))
        states = self._own(code, tape, "states")
        code.line(f"store {BUFFER} zeroinitializer, {states}")
        bytes = code.emit(I64, f"call i64 @{self.names[0]}.state.bytes({tape})", "bytes")
        stride = bytes + HEAD
        code.store(stride, self._own(code, tape, "stride"))
        if self.has_inputs:
            size_ = code.emit(I64, f"call i64 @{self.names[0]}.input.bytes({tape})")
            inputs = code.emit(PTR, f"call ptr @malloc({size_ + 16})", "inputs")
            code.emit(I64, f"call i64 @{self.names[0]}.input.save({tape}, {inputs})")
            code.store(inputs, self._own(code, tape, "inputs"))
        expected = given[self.at[self.loop.expected]]
        is_known = expected > 0
        slots, base = self._plan(code, expected)
        position, gap, count = (code.alloca(I64, hint) for hint in ("position", "gap", "count"))
        zero = code.constant(I64, 0)
        code.store(zero, position)
        code.store(code.constant(I64, 1), count)
        code.store(self._first_gap(code), gap)
        self._push(code, tape, zero, stride)
        head, ran, on, done = (code.block(hint) for hint in ("head", "ran", "on", "done"))
        code.br(head)
        code.at(head)
        now, taken = code.load(I64, position), code.load(I64, count)
        ahead = self._ahead(code, expected - now, base, slots - taken)
        step = is_known.select(ahead, code.load(I64, gap))
        code.br(ran)
        code.at(ran)
        self._run(code, given, step)
        run = code.load(I64, given[self.at[self.loop.rounds]])
        reached = now + run
        code.store(reached, position)
        left = code.load(I32, given[self.at[self.loop.exit]])
        code.cond_br(left.eq(0), on, done)
        code.at(on)
        self._make_room(code, tape, is_known, slots, stride, gap, count)
        self._push(code, tape, reached, stride)
        code.store(code.load(I64, count) + 1, count)
        code.br(head)
        code.at(done)
        for which, value in (("rounds", reached), *self._plan_back(code, reached, is_known, slots, base)):
            code.store(value, self._own(code, tape, which))
        code.ret(tape)
        return code.text()

    def _plan(self, code: Code, expected: Expr) -> tuple[Expr, Expr]:
        """The slots, and the rounds of a tape, of a loop of known length on its way."""
        match self.policy.kind:
            case "sqrt":
                base = self._root(code, expected)
                return expected / base + 1, base
            case "periodic":
                slots = code.constant(I64, self.policy.amount)
                return slots, (expected + (self.policy.amount - 1)) / slots
            case "revolve":
                return code.constant(I64, self.policy.amount), code.constant(I64, 2 * self.policy.amount)
        return code.constant(I64, 1), code.constant(I64, FOREVER)

    def _plan_back(self, code: Code, rounds: Expr, is_known: Expr, slots: Expr, base: Expr) -> list[tuple[str, Expr]]:
        """The same on the way back, when the length is known: of one that was not known before, whole gaps are
        taped."""
        if self.policy.kind == "full":
            base = self._root(code, rounds)
            return [("slots", rounds / base + 1), ("base", base)]
        if self.policy.kind == "revolve":
            return [("slots", slots), ("base", base)]
        return [("slots", slots), ("base", is_known.select(base, code.constant(I64, FOREVER)))]

    @staticmethod
    def _root(code: Code, number: Expr) -> Expr:
        real = code.emit(DOUBLE, f"sitofp {number} to double")
        root = code.emit(DOUBLE, f"call double @llvm.sqrt.f64({real})")
        return code.emit(I64, f"fptosi {root} to i64") + 1

    def _first_gap(self, code: Code) -> Expr:
        """How far the first states of a loop of unknown length are apart."""
        return code.constant(I64, {"revolve": 2 * self.policy.amount, "full": FOREVER}.get(self.policy.kind, 1))

    def _ahead(self, code: Code, rest: Expr, base: Expr, free: Expr) -> Expr:
        """How far to run to the next state."""
        return code.emit(I64, f"call i64 @{SPLIT}({rest}, {base}, {free})", "ahead")

    def _make_room(
        self, code: Code, tape: Expr, is_known: Expr, slots: Expr, stride: Expr, gap: Expr, count: Expr
    ) -> None:
        """Of a loop of unknown length, when all slots are taken: drop every other state, and go on twice as far. With
        as many slots as one likes, each gap is one round longer than the one before."""
        if self.policy.kind == "full":
            return
        on = code.block("room")
        if self.policy.kind == "sqrt":
            code.store(code.load(I64, gap) + 1, gap)
            code.br(on)
            code.at(on)
            return
        thin, next, body = code.block("thin"), code.block("each"), code.block("move")
        even = code.constant(I64, self.policy.amount & ~1)
        taken = code.load(I64, count)
        unknown = code.emit(I1, f"xor {is_known}, true")
        code.cond_br(code.emit(I1, f"and {taken >= even}, {unknown.ref}"), thin, on)
        code.at(thin)
        which = code.alloca(I64, "which")
        code.store(code.constant(I64, 1), which)
        half = even / 2
        code.br(next)
        code.at(next)
        k = code.load(I64, which)
        finished = code.block("thinned")
        code.cond_br(k < half, body, finished)
        code.at(body)
        data, _ = self._states(code, tape)
        to, source = code.offset(data, k * stride), code.offset(data, k * 2 * stride)
        code.line(f"call void @llvm.memcpy.p0.p0.i64({to}, {source}, {stride}, i1 false)")
        code.store(k + 1, which)
        code.br(next)
        code.at(finished)
        _, used = self._states(code, tape)
        code.store(half * stride, used)
        code.store(half, count)
        code.store(code.load(I64, gap) * 2, gap)
        code.br(on)
        code.at(on)

    # -- back -------------------------------------------------------------------------------------------------------

    def undone(self) -> str:
        reverse, results = self.reverse, self.reverse.reverse.result
        code = Code(
            self.names[1], results, [(PTR, "tape")], linkage="internal", attributes="nounwind",
            fast=reverse.forward.fast.strip(),
        )  # fmt: skip
        [tape] = code.parameters
        given = self._parameters(code, tape)
        size = code.emit(I64, f"call i64 @{self.names[0]}.all.bytes({tape})")
        after = code.emit(PTR, f"call ptr @malloc({size + 16})", "after")
        code.emit(I64, f"call i64 @{self.names[0]}.all.save({tape}, {after})")
        if self.has_inputs:
            inputs = code.load(PTR, self._own(code, tape, "inputs"))
            code.emit(I64, f"call i64 @{self.names[0]}.input.restore({tape}, {inputs})")
            code.line(f"call void @free({inputs})")
        slots, base, stride = (code.load(I64, self._own(code, tape, which)) for which in ("slots", "base", "stride"))
        end = code.alloca(I64, "end")
        code.store(code.load(I64, self._own(code, tape, "rounds")), end)
        total = code.alloca(results, "total") if results.kind != "void" else None
        if total is not None:
            code.line(f"store {results} zeroinitializer, {total}")
        freed = code.alloca(FREED, "freed")
        head, body, short, far, more, last, undo, done = (
            code.block(hint) for hint in ("head", "body", "short", "far", "more", "last", "undo", "done")
        )
        code.br(head)
        code.at(head)
        data, used_at = self._states(code, tape)
        used = code.load(I64, used_at)
        code.cond_br(used > 0, body, done)
        code.at(body)
        top = code.offset(data, used - stride)
        round, until = code.load(I64, top), code.load(I64, end)
        code.emit(I64, f"call i64 @{self.names[0]}.state.restore({tape}, {code.offset(top, HEAD)})")
        length = until - round
        code.cond_br(length <= base, short, far)
        code.at(short)
        code.store(used - stride, used_at)
        code.store(round, end)
        code.br(undo)
        code.at(far)
        free = slots - used / stride
        code.cond_br(free > 0, more, last)
        code.at(more)
        ahead = self._ahead(code, length, base, free)
        self._run(code, given, ahead)
        self._push(code, tape, round + ahead, stride)
        code.br(head)
        code.at(last)
        rest = length - base
        self._run(code, given, rest)
        code.store(round + rest, end)
        code.br(undo)
        code.at(undo)
        limit = code.phi(I64, [(length.ref, short), (base.ref, last)], "limit")
        code.line(f"store {FREED} zeroinitializer, {freed}")
        passed = [limit, *given[1:], freed]
        text = f"call ptr @{reverse.forward.name}({', '.join(map(str, passed))})"
        taped = code.emit(PTR, text, "taped")
        text = f"call {results} @{reverse.reverse.name}({taped})"
        if total is None:
            code.line(text)
        else:
            one = code.emit(results, text)
            code.store(reverse.shadows.add(code, code.load(results, total), one), total)
        code.line(f"call void @gradir.free_all({freed}, ptr @{self.program.freed_pool()})")
        code.line(f"call void @gradir.arena.end({freed})")
        code.br(head)
        code.at(done)
        code.emit(I64, f"call i64 @{self.names[0]}.all.restore({tape}, {after})")
        code.line(f"call void @free({after})")
        code.line(f"call void @gradir.release(ptr @{self.pool}, {data})")
        if not self.program.throws:
            code.line(f"call void @free({tape})")
        code.ret(code.load(results, total) if total is not None else None)
        return code.text()


def _split_text() -> str:
    """How many of some rounds to run to the next state, with so many slots free for states, if a tape has `base`
    rounds at most. All of them, if there is no slot, or no need.

    In units of tapes: with s = free + 1 states, C(s + t, t) units take t runs. Of so few t as will do, the left part is
    as short as leaves a right part for one state less.
    """
    return f"""
define internal i64 @{SPLIT}(i64 %rest, i64 %base, i64 %free) nounwind memory(none) {{
entry:
  %short = icmp sle i64 %rest, %base
  %none = icmp sle i64 %free, 0
  %all = or i1 %short, %none
  br i1 %all, label %whole, label %begin
whole:
  ret i64 {FOREVER}
begin:
  %s = add i64 %free, 1
  %up = add i64 %rest, %base
  %up.less = sub i64 %up, 1
  %units.all = sdiv i64 %up.less, %base
  %units = call i64 @llvm.smin.i64(i64 %units.all, i64 {FOREVER})
  br label %head
head:
  %t = phi i64 [ 1, %begin ], [ %t.next, %next ]
  %before = phi i64 [ 0, %begin ], [ %last, %next ]
  %last = phi i64 [ 1, %begin ], [ %reach, %next ]
  %st = add i64 %s, %t
  %product = mul i64 %last, %st
  %reach = sdiv i64 %product, %t
  %enough = icmp sge i64 %reach, %units
  br i1 %enough, label %found, label %next
next:
  %t.next = add i64 %t, 1
  br label %head
found:
  %right.s = mul i64 %reach, %s
  %right = sdiv i64 %right.s, %st
  %left = sub i64 %units, %right
  %least = call i64 @llvm.smax.i64(i64 %left, i64 %before)
  %some = call i64 @llvm.smax.i64(i64 %least, i64 1)
  %fewer = sub i64 %units, 1
  %chosen = call i64 @llvm.smin.i64(i64 %some, i64 %fewer)
  %ahead = mul i64 %chosen, %base
  ret i64 %ahead
}}"""
