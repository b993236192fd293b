"""What functions of a library write into active memory: constants, whose tangents and adjoints are zero."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from gradir.machine.analysis.languages.shown import changing, shows
from gradir.machine.ir import I64, Instruction, Value
from gradir.machine.ir.builder import Code, Expr
from gradir.machine.rules.effects import RESULT, is_of_exceptions
from gradir.machine.transform.frame import Frame

__all__ = ["Written", "constants_written"]


@dataclass(frozen=True)
class Written:
    """Memory that a call writes constants into: so many bytes, times the values of `factors`.

    With `count`, that is so only if the call says that it read more than as many numbers.
    """

    call: Instruction
    pointer: Value
    bytes: int
    factors: tuple[Value, ...] = ()
    count: int | None = None

    def size(self, code: Code, scale: int, value: Callable[[Value], Expr]) -> Expr:
        """How many bytes of shadow there are to clear."""
        total = code.constant(I64, self.bytes * scale)
        for factor in self.factors:
            # What is read may be nothing, or an error, which is negative.
            number = code.to_i64(value(factor), signed=True)
            total = total * (number > 0).select(number, code.constant(I64, 0))
        if self.count is not None:
            enough = code.to_i64(value(self.call), signed=True) > self.count
            total = enough.select(total, code.constant(I64, 0))
        return total


def constants_written(frame: Frame, call: Instruction) -> list[Written]:
    """The memory with active floats that a function of a library writes to."""
    fact = frame.memory.known(call)
    if fact is None or fact.kind != "inactive":
        return []
    if shows(call.callee_name or "") and (guilty := changing(frame.module)) is not None:
        raise frame.refuse(
            call,
            f"@{guilty.name} changes memory while it shows an object",
            "count and remember elsewhere than where text is made",
        )
    found = []
    for n, a in enumerate(call.arguments):
        way, factors = fact.operands[n]
        if way not in ("n", "w", "p", "d") or not a.type.is_pointer or not frame.shadowed(a):
            continue
        if way in ("p", "d"):  # nobody would tell the shadow of the memory
            if is_of_exceptions(call.callee_name or ""):
                continue  # only they themselves follow the pointers of an exception (see `payload.check`)
            raise frame.refuse(
                call,
                f"@{call.callee_name} changes pointers that lie in active memory",
                "keep text, streams and the like apart from active numbers",
            )
        if not frame.activity.holds_active_floats(a):
            continue
        if way == "n":
            size = _number_at(frame, a)
            if size is None:
                raise _unknown(frame, call)
            if size:
                count = n - len(fact.operands.each) if n >= len(fact.operands.each) else None
                found.append(Written(call, a, size, count=count))
        elif not factors:
            raise _unknown(frame, call)
        else:
            found.append(Written(call, a, 1, tuple(call if k == RESULT else call.arguments[k] for k in factors)))
    return found


def _number_at(frame: Frame, pointer: Value) -> int | None:
    """The bytes of the float that lies where a pointer points to; 0 for integers, None if nobody knows."""
    for size in (4, 8, 16):
        if (type := frame.types.memory(pointer, 0, size).float_type) is not None and type.size == size:
            return size
    return 0 if frame.types.surely_integer(pointer, 4) else None


def _unknown(frame: Frame, call: Instruction) -> Exception:
    return frame.refuse(
        call,
        f"@{call.callee_name} writes numbers into active memory, and it isn't known how many",
        "let it write to memory of its own, and copy the numbers from there",
    )
