"""A self-check of derivatives in reverse mode: by `--verify`, `verifying()` or GRADIR_VERIFY=1.

On the structure, when a derivative has been written (GRADIR_VERIFY=structure is this alone, and on in tests): every
write to active memory was undone in the reverse sweep, or is known to write no floats. At run time, by code that is
added to the derivative: whatever the reverse sweep reads again from memory is compared to what the forward sweep read
(which is kept as well), and the shadows of local floats are zero when the function is left. A violation at run time is
printed, and ends the process.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from enum import Enum
from typing import TYPE_CHECKING

from gradir.errors import InternalError
from gradir.machine.analysis.bytes.types import Kind
from gradir.machine.analysis.cache import Need, is_static_alloca
from gradir.machine.analysis.intrinsics import masked_access
from gradir.machine.ir import I1, Constant, Instruction, Type, Value
from gradir.machine.ir.builder import Code, Expr

if TYPE_CHECKING:
    from gradir.machine.transform.derive import Program
    from gradir.machine.transform.reverse import Reverse

__all__ = ["Verifier", "Verify", "asked_for", "demand", "stop", "verifying"]


class Verify(Enum):
    """How much is checked."""

    nothing = ""
    structure = "structure"
    all = "1"


_ASKED: ContextVar[Verify | None] = ContextVar("verify", default=None)


def asked_for() -> Verify:
    """What is to be checked here: as `verifying` says, or else the environment."""
    said = os.environ.get("GRADIR_VERIFY", "")
    return _ASKED.get() or (Verify.nothing if said in ("", "0") else Verify(said if said == "structure" else "1"))


@contextmanager
def verifying(what: Verify = Verify.all) -> Iterator[None]:
    """Derivatives that are made meanwhile check themselves."""
    token = _ASKED.set(what)
    try:
        yield
    finally:
        _ASKED.reset(token)


class Verifier:
    """The check of one derivative in reverse mode."""

    def __init__(self, reverse: Reverse) -> None:
        self.r, self.frame = reverse, reverse.frame
        self.undone: set[Instruction] = set()
        """What the reverse sweep has undone."""

    # -- structure --------------------------------------------------------------------------------------------------

    def check_writes(self) -> None:
        """Every write to active memory in a block that leads to the return is undone."""
        for block in self.frame.cfg.order:
            for i in block.instructions:
                if i not in self.undone and (pointer := self._loses(i)) is not None:
                    raise InternalError(
                        f"this writes to active memory, and the reverse sweep doesn't undo it: {i}\n"
                        f"  {self.frame.types.explain(pointer)}",
                        location=self.frame.module.location(i) or f"@{self.frame.function.name}",
                    )

    def _loses(self, i: Instruction) -> Value | None:
        """Where an instruction writes what may be active floats."""
        if i.opcode in ("store", "atomicrmw", "cmpxchg"):
            size = (i.value if i.opcode == "store" else i.operands[1]).type.size
            return i.pointer if self._may_be_active(i.pointer, size) else None
        if (masked := masked_access(i)) is not None and masked.stored is not None:
            size = masked.stored.type.scalar.size
            return masked.pointer if self._may_be_active(masked.pointer, size) else None
        fact = self.frame.memory.known(i) if i.opcode in ("call", "invoke") else None
        if fact is not None and fact.kind in ("copy", "set") and fact.pointer is not None:
            target, length = i.arguments[fact.pointer], i.arguments[fact.size[0]]
            number = length.integer if isinstance(length, Constant) else None
            return target if number != 0 and self._may_be_active(target, number or 8) else None
        return None

    def _may_be_active(self, pointer: Value, size: int) -> bool:
        if not self.frame.activity.holds_active_floats(pointer):
            return False
        types, end = self.frame.types, min(size, _LOOKED_AT)
        return any(types.memory(pointer, at, n).is_float for n in (2, 4, 8) for at in range(0, end - n + 1, n))

    # -- what is read again -----------------------------------------------------------------------------------------

    def repeated_loads(self, required: Iterable[Need]) -> set[Need]:
        """The loads of numbers that the reverse sweep repeats, given what it keeps."""
        found: set[Need] = set()
        if self.frame.options.verify is not Verify.all:
            return found
        seen: set[Need] = set()
        work = list(required)
        while work:
            need = work.pop()
            if need in seen or need in self.r.kept or self.r.needs.free(need):
                continue
            seen.add(need)
            of = need.of
            if need.kind == "primal" and isinstance(of, Instruction) and of.opcode == "load" and _comparable(of.type):
                found.add(need)
            work += self.r.needs.inputs(need) or []
        return found

    def compare(self, need: Need, again: Expr, before: Expr) -> None:
        """Add a comparison of what was read again to what was read first, bit by bit."""
        assert isinstance(need.of, Instruction)
        code, type = self.r.reverse, again.type
        if type.kind != "int":
            bits = Type(f"i{type.size * 8}", "int", type.size * 8)
            cast = "ptrtoint" if type.is_pointer else "bitcast"
            again, before = (code.emit(bits, f"{cast} {x} to {bits}") for x in (again, before))
        same = code.emit(I1, f"icmp eq {again}, {before.ref}")
        self._demand(code, same, need.of, "is read again in the reverse sweep, but it has been overwritten")

    # -- shadows when they leave ------------------------------------------------------------------------------------

    def check_locals(self, code: Code) -> None:
        """Add a check that the shadows of local floats are zero."""
        if self.frame.options.verify is not Verify.all:
            return
        self.frame.program.define(_IS_ZERO, _ZERO_TEXT)
        for i in self.frame.function.entry.instructions:
            if not is_static_alloca(i, self.frame.cfg) or not self.frame.shadowed(i):
                continue
            if (kind := self._only_floats(i)) is None:
                continue
            mask = "9223372036854775807" if kind.size == 8 else "9223372034707292159"  # all but the signs
            for slot in self.r.stack_shadows(i):
                count = slot.type.size // 8
                text = f"call i1 @{_IS_ZERO}({slot.reverse}, i64 {count}, i64 {mask})"
                zero = code.emit(I1, text)
                self._demand(code, zero, i, "leaves with a shadow that is not zero")

    def _only_floats(self, alloca: Instruction) -> Kind | None:
        type = alloca.accessed_type
        kinds = {self.frame.types.memory(alloca, at, 8) for at in range(0, type.size, 8)}
        if type.size % 8 or len(kinds) != 1 or not (kind := kinds.pop()).is_float or kind.size not in (4, 8):
            return None
        return kind

    # -- run time ---------------------------------------------------------------------------------------------------

    def _demand(self, code: Code, holds: Expr, i: Instruction, complaint: str) -> None:
        program = self.frame.program
        where = self.frame.module.location(i) or f"@{self.frame.function.name}"
        demand(program, code, holds, program.text_constant(f"gradir: {where}: {i} {complaint}"))


def demand(program: Program, code: Code, holds: Expr, message: str) -> None:
    """At run time: that something holds, else say a message, by its address, and abort."""
    code.line(_demanded(program, str(holds), message))


def stop(program: Program, message: str) -> str:
    """The instruction that says a message and aborts."""
    return _demanded(program, "i1 false", program.text_constant(message))


def _demanded(program: Program, holds: str, message: str) -> str:
    program.declare("declare i32 @puts(ptr)")
    program.declare("declare i32 @fflush(ptr)")
    program.declare("declare void @abort()")
    program.define(_DEMAND, _DEMAND_TEXT)
    return f"call void @{_DEMAND}({holds}, ptr {message})"


_LOOKED_AT = 128
"""How many bytes of a copy are looked at, for floats among them."""


def _comparable(type: Type) -> bool:
    return (
        type.is_pointer or type.kind == "int" or (type.kind in ("float", "vector") and type.size in (2, 4, 8, 16, 32))
    )


_DEMAND, _IS_ZERO = "gradir.demand", "gradir.is_zero"
_DEMAND_TEXT = f"""define internal void @{_DEMAND}(i1 %holds, ptr %message) noinline nounwind {{
  br i1 %holds, label %fine, label %broken
broken:
  call i32 @puts(ptr %message)
  call i32 @fflush(ptr null)
  call void @abort()
  unreachable
fine:
  ret void
}}"""
_ZERO_TEXT = f"""define internal i1 @{_IS_ZERO}(ptr %memory, i64 %count, i64 %mask) noinline nounwind {{
entry:
  br label %head
head:
  %k = phi i64 [ 0, %entry ], [ %next, %body ]
  %more = icmp ult i64 %k, %count
  br i1 %more, label %body, label %zero
body:
  %at = getelementptr i64, ptr %memory, i64 %k
  %word = load i64, ptr %at, align 4
  %bits = and i64 %word, %mask
  %next = add i64 %k, 1
  %is = icmp eq i64 %bits, 0
  br i1 %is, label %head, label %rest
rest:
  ret i1 false
zero:
  ret i1 true
}}"""
