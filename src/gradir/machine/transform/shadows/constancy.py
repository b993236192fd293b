"""Run-time activity: memory without derivatives is its own shadow, and a comparison tells.

Where pointers to constant memory and to memory with a shadow meet (in a phi, in a struct, in a callee), no analysis
knows which one it is. A pointer to constant memory then has itself for a shadow, and whoever is about to use a shadow
that may be such a one compares first: tangents of constant memory are read as zero, and nothing is added or written
to it. Only places where both may meet pay for that.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from gradir.errors import NeedsShadow, OneDirection, RequestError
from gradir.machine.analysis.intrinsics import handed_on
from gradir.machine.analysis.memory import Place
from gradir.machine.ir import I1, I64, PTR, Argument, Instruction, Type, Value, is_null
from gradir.machine.ir.builder import Code, Expr
from gradir.machine.transform.shadows.called import only_reads

if TYPE_CHECKING:
    from gradir.machine.transform.frame import Frame

__all__ = ["Constancy"]


class Constancy:
    """Which pointers of one function may have themselves for a shadow, and what is done about it."""

    def __init__(self, frame: Frame) -> None:
        self.frame, self.memory, self.activity = frame, frame.memory, frame.activity

    # -- which ------------------------------------------------------------------------------------------------------

    def may_be(self, pointer: Value) -> bool:
        """Whether the memory that a pointer points to may be constant, though its place is active."""
        if not self.places or self.memory.place(pointer) not in self.places:
            return False
        base = self.memory.base(pointer)[0] if pointer.type.is_pointer else pointer
        if isinstance(base, Instruction):
            fact = self.memory.known(base) if base.opcode == "call" else None
            return base.opcode != "alloca" and not (fact is not None and "allocate" in fact.kind)
        return not isinstance(base, Argument) or self.asked or base in self.constant_arguments

    @property
    def asked(self) -> bool:
        """Whether shadows that a caller gives may be the memory itself."""
        return self.frame.options.runtime_activity

    @cached_property
    def constant_arguments(self) -> list[Argument]:
        """Arguments that are marked constant, though active memory may be what they point to."""
        marked = zip(self.frame.function.arguments, self.frame.marks, strict=True)
        return [a for a, mark in marked if not mark.has_shadow and self.frame.shadowed(a)]

    @cached_property
    def places(self) -> set[Place]:
        """Where pointers to constant memory and to other memory may meet."""
        begin = [self.memory.place(a) for a in self.constant_arguments]
        for i in self.frame.function.instructions():
            if self.frame.carries_pointer(i):
                if i.opcode in ("call", "invoke") and self._gives_constant(i) and self.frame.shadowed(i):
                    begin.append(self.memory.place(i))
                if self.asked and self.memory.place(i).external:
                    begin.append(self.memory.place(i))
        if self.asked:
            begin += [self.memory.place(a) for a in self.frame.function.arguments if self.frame.carries_pointer(a)]
        found: set[Place] = set()
        while begin:
            place = begin.pop().find()
            if place not in found:
                found.add(place)
                if place.content is not None:
                    begin.append(place.content)
        return found

    def _gives_constant(self, call: Instruction) -> bool:
        """Whether a call gives a pointer that has no shadow: that of a function without a part in the derivative."""
        fact = self.memory.known(call)
        if handed_on(call) is not None or (fact is not None and fact.kind not in ("inactive", "pure")):
            return False
        return self.activity.inactive(call) or fact is not None or not self.activity.active_call(call)

    def check(self) -> None:
        """Refuse an argument that is said to be constant, but is written active numbers to, whatever it is."""
        for a in self.constant_arguments:
            if any(u.opcode in ("call", "invoke") and u.callee is a for u in self.frame.function.users.get(a, [])):
                continue  # a function: who calls it asks for its derivative
            written = self.activity.holds_active_floats(a) and not self._meets_others(a) and not self._is_read_alone(a)
            if (written or self.frame.shadows.scale > 1) and not self.asked:
                message = f"argument {a.index} ({a.name}) of @{self.frame.function.name} is marked const, "
                message += "but the memory it points to may carry derivatives"
                if self.activity.nested:
                    raise RequestError(message, hint="give it a shadow (dup)")
                raise NeedsShadow(message, a.index, hint="give it a shadow (dup)")

    def _meets_others(self, argument: Argument) -> bool:
        place, own = self.memory.place(argument), set(self.constant_arguments)
        if any(origin not in own for origin in place.origins):
            return True
        mine = {self.memory.place(a) for a in own}
        return any(p.content is not None and p.content.find() is place and p not in mine for p in self.memory.places())

    def _is_read_alone(self, argument: Argument) -> bool:
        """Whether nothing writes there: what is called by a pointer might, but none of the functions that it may be
        writes anything."""
        place, memory = self.memory.place(argument), self.memory
        if self.frame.program.differentiated is None:
            return False
        elsewhere = (w for w in memory.writes if not (isinstance(w.base, Instruction) and w.base.opcode == "alloca"))
        if any(memory.places_overlap(place, memory.place(w.pointer)) for w in elsewhere):
            return False
        called = [call for call in memory.opaque_calls if memory.may_be_written_by(call, place)]
        return all(call.callee_name is None and only_reads(self.frame, call) for call in called)

    def reaches_constant(self, pointer: Value) -> bool:
        """Whether a callee that is given a pointer and its shadow may come by it to memory that is its own shadow."""
        if is_null(pointer) or not self.frame.carries_pointer(pointer):
            return False
        place: Place | None = self.memory.place(pointer)
        seen: set[Place] = set()
        while place is not None and place.find() not in seen:
            place = place.find()
            seen.add(place)
            if place in self.places or not self.activity.place_active(place):
                return place in self.places or self.frame.types.leads_to_floats(pointer)
            place = place.content
        return False

    # -- what is done -----------------------------------------------------------------------------------------------

    def is_so(self, code: Code, primal: Expr, shadow: Expr) -> Expr:
        return code.emit(I1, f"icmp eq {shadow}, {primal.ref}", "constant")

    def instead(self, code: Code, type: Type, primal: Expr, shadows: list[Expr]) -> list[Expr]:
        """The shadows to use for floats of a type, or for a pointer: those of constant memory are a place that is zero
        and that nobody reads."""
        self.check_layout()
        if primal.type.kind == "vector":
            raise RequestError(
                f"@{self.frame.function.name} gathers what may be constant and active memory",
                hint="compile without vectorising loops",
            )
        constant = self.is_so(code, primal, shadows[0])
        nowhere = code.alloca(type, "nowhere")
        code.line(f"store {type} zeroinitializer, {nowhere}")
        return [constant.select(nowhere, s) for s in shadows]

    def length(self, code: Code, length: Expr, primal: Expr, shadow: Expr) -> Expr:
        """The bytes of a shadow to work on: none of constant memory."""
        self.check_layout()
        return self.is_so(code, primal, shadow).select(code.constant(I64, 0), length)

    def or_null(self, code: Code, primal: Expr, shadow: Expr) -> Expr:
        self.check_layout()
        return self.is_so(code, primal, shadow).select(Expr(code, PTR, "null"), shadow)

    def check_layout(self) -> None:
        if self.frame.shadows.scale > 1:
            raise OneDirection(
                f"@{self.frame.function.name} mixes constant and active memory, which interleaved shadows can't tell",
                hint="use separate shadows (width 1)",
            )
