"""Calls that are not inlined: of functions with a body, by pointers, and of functions with a rule of their own."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from gradir.machine.analysis.cache import Need
from gradir.machine.analysis.unread import is_unread
from gradir.machine.ir import I64, PTR, Argument, Instruction, Type, Value, is_null, struct
from gradir.machine.ir.builder import Code, Expr
from gradir.machine.passes.loops.rounds import is_loop
from gradir.machine.passes.parallel.teams import is_fork
from gradir.machine.passes.parallel.threads import is_spawn, thread_of
from gradir.machine.rules import mpi
from gradir.machine.rules.numpy_routines import numpy_function
from gradir.machine.rules.registry import CustomGradient
from gradir.machine.rules.threads import MAKING, why_refused
from gradir.machine.transform import halves
from gradir.machine.transform.frame import UNKNOWN, Frame, Given, result_type
from gradir.machine.transform.shadows.called import derivatives_called, fits, may_lack_shadow
from gradir.request import Activity as Mark

if TYPE_CHECKING:
    from gradir.machine.transform.augment import Augmented
    from gradir.machine.transform.reverse import Reverse, Spot

__all__ = ["Calls", "check_callee"]


class Calls:
    """The forward sweep calls an augmented function, which leaves a tape; the reverse sweep hands that to its
    counterpart."""

    def __init__(self, reverse: Reverse) -> None:
        self.r, self.frame = reverse, reverse.frame
        self.tapes: dict[Instruction, Expr] = {}

    def custom(self, i: Instruction) -> CustomGradient | None:
        return self.frame.program.registry.gradients.get(i.callee_name or "")

    def is_active(self, i: Instruction) -> bool:
        """Whether a call is differentiated by calling a derivative."""
        activity = self.frame.activity
        if self.custom(i) is None and (activity.rule(i) is not None or activity.inactive(i)):
            return False
        if self.custom(i) is None and (self.frame.memory.known(i) is not None or activity.is_harmless(i)):
            return False
        return activity.active_call(i) or self.r.meetings.in_callee(i)

    def marks(self, i: Instruction) -> list[Mark]:
        """What the callee is told of its arguments. Through a pointer all is active, for it is not known who is
        called."""
        frame, indirect = self.frame, i.callee_name is None
        found = []
        for a in i.arguments:
            if frame.is_pointer(a):
                known = frame.passed_with_shadow(a) or is_null(a)
                found.append(Mark.dup if known or (indirect and a.type.is_pointer) else Mark.const)
            elif frame.float_of(a) is not None:
                found.append(Mark.active if indirect or frame.active(a) else Mark.const)
            else:
                found.append(Mark.const)
        return found

    def result_mark(self, i: Instruction) -> Mark | None:
        if i.type.kind == "void":
            return None
        if self._gives_pointer(i):
            return Mark.dup if i.callee_name is None or self.frame.shadowed(i) else Mark.const
        if self.frame.float_of(i) is not None:
            return Mark.active if i.callee_name is None or self.frame.active(i) else Mark.const
        return Mark.const

    def _gives_pointer(self, i: Instruction) -> bool:
        function = self.frame.module.functions.get(i.callee_name or "")
        return i.type.holds_pointer if function is None else self.frame.gives_pointer(function)

    # -- forward ----------------------------------------------------------------------------------------------------

    def forward(self, augmented: Augmented, i: Instruction) -> None:
        frame, code = self.frame, augmented.code
        self._check(i)
        custom = self.custom(i)
        arguments = self._arguments(code, i)
        n = frame.shadows.pointers if self._gives_pointer(i) and self.result_mark(i) is Mark.dup else 0
        if custom is not None:
            callee, type = f"@{custom.augmented}", self._custom_results(custom)
        elif i.callee_name is None:
            frame.announce_constants(i)
            pair = frame.shadow(code, i.callee)[0]
            if may_lack_shadow(frame, i):
                pair = derivatives_called(frame, code, i, Expr(code, PTR, i.callee.ref), pair)
            callee, type = (
                code.load(PTR, pair).ref,
                result_type([PTR, *([i.type] if i.type.kind != "void" else []), *[i.type] * n]),
            )
        else:
            names = self._split(i)
            callee, type = (
                f"@{names[0]}",
                result_type([PTR, *([i.type] if i.type.kind != "void" else []), *[i.type] * n]),
            )
        if custom is None:
            arguments.append(self.r.freed().forward)
            self._mark(augmented, i)
        text = frame.program.signatures.call(callee, type, arguments)
        if type.kind == "void":
            code.line(text)
            return
        # What a rule throws leaves the function: nobody knows how to undo a part of what a rule does.
        whole = code.emit(type, text, "augmented") if custom else augmented.emit_call(i, type, text, "augmented")
        tape = whole
        if type.is_aggregate and (custom is None or i.type.kind != "void"):
            tape = code.emit(type.elements[0], f"extractvalue {whole}, 0", "tape")
            if i.type.kind != "void":
                code.line(f"{i.ref} = extractvalue {whole}, 1")
            if n:
                frame.shadow_values[i] = [
                    code.emit(i.type, f"extractvalue {whole}, {2 + k}", "shadow") for k in range(n)
                ]
        if not self._is_listed(i):
            self.tapes[i] = tape
            augmented.keep(Need("tape", i), tape)

    def _split(self, i: Instruction) -> tuple[str, str]:
        """The names of the two functions that a call becomes."""
        frame, name = self.frame, i.callee_name
        assert name is not None
        return frame.program.split_of(
            name, self.marks(i), self.result_mark(i), frame.shadows, frame.options_for(i), self._given(i)
        )

    def _given(self, i: Instruction) -> Given:
        """What is known here of the memory that a loop or a team of threads is given, where it pays most."""
        memory, needs = self.frame.memory, self.r.needs
        if is_loop(i.callee_name):  # what is in memory that it carries may be any of its other memory
            carries = any(a.type.is_pointer and memory.place(a).content is not None for a in i.arguments)
            return Given(memory.apart(i) and not carries, closed=True)
        if is_spawn(i.callee_name):
            through = self.frame.program.runs_through(thread_of(i.callee_name or ""))
            return Given(memory.apart(i) and memory.apart_from_contents(i), alone=through)
        if not is_fork(i.callee_name):
            return UNKNOWN
        places = {n: memory.place(a) for n, a in enumerate(i.arguments) if a.type.is_pointer and not is_null(a)}
        own = {n: p for n, p in places.items() if not p.external or needs.is_lasting(p)}
        lasting = frozenset(n for n, p in own.items() if memory.stays(i, p))
        unread = frozenset(n for n, p in places.items() if is_unread(memory, i, p, value_is_wanted=self._wants_value))
        alone = not self.frame.options.threads and not self.frame.beside.others(i)
        return Given(memory.apart(i), lasting, alone=alone, unread=unread)

    @property
    def _wants_value(self) -> bool:
        """Whether somebody asks for what the function gives."""
        mark = self.frame.result
        return self.r.split or (mark is not None and mark.keeps_primal)

    def _is_listed(self, i: Instruction) -> bool:
        """Whether the tape is found in the list of what is freed at the end: also where the call throws."""
        return self.custom(i) is None and self.frame.program.catches

    def _mark(self, augmented: Augmented, i: Instruction) -> None:
        """Before the call: where the callee will enter its tape in the list."""
        if self._is_listed(i):
            used = augmented.code.offset(self.r.freed().forward, 16)
            self.tapes[i] = augmented.code.load(I64, used, hint="mark")
            augmented.keep(Need("tape", i), self.tapes[i])

    def _found_tape(self, i: Instruction) -> Expr:
        code, found = self.r.reverse, self.r.lookup(Need("tape", i), self.r.spot(i.block))
        if not self._is_listed(i):
            return found
        return code.load(PTR, code.offset(code.load(PTR, self.r.freed().reverse), found), hint="tape")

    def _check(self, i: Instruction) -> None:
        frame = self.frame
        if i.type.holds_pointer and frame.active(i):
            raise frame.refuse(
                i, "pointers and active floats returned in one piece have no derivative", "return them apart"
            )
        if self.custom(i) is None:
            check_callee(frame, i, "__enzyme_register_gradient_…")
        elif any(frame.may_be_shared(i, a) for a in i.arguments if a.type.is_pointer and frame.shadowed(a)):
            raise frame.refuse(
                i,
                f"the reverse rule of @{i.callee_name} may write to memory while other threads do",
                "call it outside of the parallel region, or with memory of the thread's own",
            )
        elif frame.shadows.width > 1 and any(v.type.holds_pointer for v in (*i.arguments, i)):
            raise frame.refuse_several(
                i,
                f"the reverse rule of @{i.callee_name} takes memory, and one direction at a time",
                "differentiate with width 1",
            )

    def _custom_results(self, custom: CustomGradient) -> Type:
        return self.frame.module.functions[custom.augmented].result

    def _arguments(self, code: Code, i: Instruction) -> list[Expr]:
        """Arguments, each pointer with a shadow followed by it."""
        found: list[Expr] = []
        for a, mark in zip(i.arguments, self.marks(i), strict=True):
            found.append(Expr(code, a.type, a.ref))
            if mark is Mark.dup:
                found += self._shadow_or_self(code, a)
            elif a.type.is_pointer and self.custom(i) is not None:
                found.append(Expr(code, PTR, a.ref))  # there are no floats: it is its own shadow
        return found

    def _shadow_or_self(self, code: Code, a: Value) -> list[Expr]:
        if self.frame.shadowed(a):
            return self.frame.shadow(code, a)
        return [Expr(code, a.type, a.ref)] * self.frame.shadows.pointers

    # -- reverse ----------------------------------------------------------------------------------------------------

    def tape(self, i: Instruction) -> Expr:
        return self.tapes[i]

    def tape_type(self, i: Instruction) -> Type:
        custom = self.custom(i)
        if custom is None:
            return I64 if self._is_listed(i) else PTR
        results = self._custom_results(custom)
        return results.elements[0] if results.is_aggregate and i.type.kind != "void" else results

    def undo(self, i: Instruction) -> None:
        r, frame, code = self.r, self.frame, self.r.reverse
        self._check(i)
        if custom := self.custom(i):
            self._undo_by_rule(i, custom)
            return
        spot = r.spot(i.block)
        given: list[Expr] = []
        if self.result_mark(i) is Mark.active:
            d = r.adjoint.take(i) if frame.active(i) else frame.shadows.zero(code, i.type)
            given.append(frame.shadows.to_passed(code, d, *frame.shadow_types(i)))
        given += self._late_shadows(i, spot)
        given.append(self._found_tape(i))
        floats = [a for a, m in zip(i.arguments, self.marks(i), strict=True) if m is Mark.active]
        type = result_type([frame.shadows.passed(a.type) for a in floats])
        if i.callee_name is None:
            pair = r.shadow(i.callee, spot)[0]
            if may_lack_shadow(frame, i):
                pair = derivatives_called(frame, code, i, r.primal(i.callee, spot), pair)
            callee = code.load(PTR, code.offset(pair, 8)).ref
        else:
            callee = f"@{self._split(i)[1]}"
        text = frame.program.signatures.call(callee, type, given)
        if type.kind == "void":
            code.line(text)
            return
        for a, part in zip(floats, _parts(code, code.emit(type, text), floats), strict=True):
            r.adjoint.add(a, frame.shadows.from_passed(code, part, *frame.shadow_types(a)))

    def _late_shadows(self, i: Instruction, spot: Spot) -> list[Expr]:
        """The shadows that the callee's reverse half is given."""
        if not (self.frame.options.late_shadows and halves.takes_late_shadows(i)):
            return []
        found: list[Expr] = []
        for a, mark in zip(i.arguments, self.marks(i), strict=True):
            if mark is Mark.dup and self.frame.shadowed(a):
                found += self.r.shadow(a, spot)
            elif mark is Mark.dup:
                found += [self.r.primal(a, spot)] * self.frame.shadows.pointers
        return found

    def _undo_by_rule(self, i: Instruction, custom: CustomGradient) -> None:
        """A reverse rule of the program's own, which knows one direction: it is called for each."""
        r, frame, code, shadows = self.r, self.frame, self.r.reverse, self.frame.shadows
        spot = r.spot(i.block)
        arguments: list[Expr] = []
        for a, mark in zip(i.arguments, self.marks(i), strict=True):
            arguments.append(r.primal(a, spot))
            if a.type.is_pointer:
                arguments += r.shadow(a, spot) if mark is Mark.dup and not is_null(a) else [arguments[-1]]
        seeds: list[list[Expr]] = [[]] * shadows.width
        if i.type.is_float:
            d = r.adjoint.take(i) if frame.active(i) else shadows.zero(code, i.type)
            seeds = [[seed] for seed in shadows.unpack(code, d, i.type)]
        floats = [a for a in i.arguments if frame.float_of(a) is not None]
        type = frame.module.functions[custom.reverse].result
        found: list[list[Expr]] = [[] for _ in floats]
        for k, seed in enumerate(seeds):
            given = [*arguments, *seed, *self._tape_of_rule(i, custom, arguments, k)]
            text = f"call {type} @{custom.reverse}({', '.join(map(str, given))})"
            if type.kind == "void":
                code.line(text)
                continue
            for parts, part in zip(found, _parts(code, code.emit(type, text), floats), strict=True):
                parts.append(part)
        for a, parts in zip(floats, found, strict=True):
            if parts:
                r.adjoint.add(a, shadows.pack(code, parts, a.type))

    def _tape_of_rule(
        self, i: Instruction, custom: CustomGradient, arguments: list[Expr], direction: int
    ) -> list[Expr]:
        """The tape for one direction. A rule may free its tape, so there is another for each further direction."""
        type, code = self.tape_type(i), self.r.reverse
        if type.kind == "void":
            return []
        if direction == 0 or not type.holds_pointer:
            return [self.r.lookup(Need("tape", i), self.r.spot(i.block))]
        results = self._custom_results(custom)
        again = code.emit(results, f"call {results} @{custom.augmented}({', '.join(map(str, arguments))})", "augmented")
        return [again if results == type else code.emit(type, f"extractvalue {again}, 0", "tape")]


def check_callee(frame: Frame, i: Instruction, registration: str) -> None:
    """Refuse a call of what has no derivative here."""
    name = i.callee_name
    if i.callee.ref.startswith("asm"):
        raise frame.refuse(
            i, "inline assembly on active data has no derivative", "write it in the language, or give a rule"
        )
    if name is None:
        _check_called(frame, i)
        return
    if mpi.is_rule(name):
        raise frame.refuse(
            i, "derivatives of MPI's calls have no derivatives", "take differences of first derivatives instead"
        )
    function = frame.module.functions.get(name)
    if function is None or function.is_declaration:
        if instead := mpi.way_out(name):
            raise frame.refuse(i, f"{name} has no derivative", instead)
        if MAKING.fullmatch(name):
            raise frame.refuse(i, *why_refused(frame.module.functions))
        if called := numpy_function(name):
            what, instead = called
            raise frame.refuse(i, f"{what} has no derivative here", instead)
        raise frame.refuse(
            i,
            f"@{name} has no body here and no rule is known for it",
            f"link its code, register a derivative ({registration}), or mark it inactive (__enzyme_inactivefn)",
        )
    if function.variadic:
        raise frame.refuse(i, f"@{name} takes a variable number of arguments", "pass an array")


def _check_called(frame: Frame, i: Instruction) -> None:
    """Refuse a call by a pointer if no derivative is to be found by that pointer's shadow."""
    callee = i.callee
    known = not isinstance(callee, Argument) or frame.marks[callee.index].has_shadow
    if isinstance(callee, Argument) and not known and frame.program.differentiated is None:
        raise frame.refuse(
            i,
            f"it is not known which function the argument '{callee.name}' is",
            "call the function by its name, or give the pointer a shadow: the address of its derivative",
        )
    for name in frame.types.functions(callee):
        function = frame.module.functions.get(name)
        if function is None or not function.is_declaration or not fits(function, i):
            continue
        if not frame.program.has_derivative_by_address(function):
            raise frame.refuse(
                i,
                f"this may call @{name}, which has no body here and no rule is known for it",
                "link its code, or call it by its name and register a derivative or mark it inactive",
            )


def _parts(code: Code, whole: Expr, floats: Sequence[Value]) -> list[Expr]:
    """What a derivative gives for each float: in a struct if there are several, or if it was written so."""
    type = whole.type
    if len(floats) == 1 and (type.kind != "struct" or type in (floats[0].type, struct([]))):
        return [whole]
    return [code.emit(type.elements[k], f"extractvalue {whole}, {k}") for k in range(len(floats))]
