"""Numbers that are known where a loop is entered, as expressions, and the instructions that compute them there.

They are whole numbers: nothing overflows, whatever the types of what they are made of.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

from gradir.machine.ir import Instruction, Value, integer
from gradir.machine.ir.instructions import binary, cast, compare, constant, select

__all__ = ["Computed", "Emitter", "Guarded", "Number", "Unsigned", "combined"]


@dataclass(frozen=True)
class Computed:
    """A number made of others, without overflow: `add`, `sub`, `mul`, `min`, `max`."""

    operation: str
    a: Number
    b: Number


class Unsigned(NamedTuple):
    """An integer or an address, taken without a sign."""

    value: Value


class Guarded(NamedTuple):
    """A number that counts where a condition holds, else another one."""

    condition: Value
    truth: bool
    number: Number
    otherwise: int


Number = int | Value | Unsigned | Computed | Guarded
"""A value is taken with its sign."""

_FOLDED: dict[str, Callable[[int, int], int]] = {
    "add": lambda a, b: a + b,
    "sub": lambda a, b: a - b,
    "mul": lambda a, b: a * b,
    "min": min,
    "max": max,
}


def combined(operation: str, a: Number, b: Number) -> Number:
    """A number made of others, computed at once where they are literals."""
    if isinstance(a, int) and isinstance(b, int):
        return _FOLDED[operation](a, b)
    if (operation in ("add", "sub") and b == 0) or (operation == "mul" and b == 1):
        return a
    if (operation == "add" and a == 0) or (operation in ("min", "max") and a == b):
        return b
    return Computed(operation, a, b)


WIDE = integer(128)
"""In which no sum or product of numbers of 64 bits overflows."""


class Emitter:
    """Writes numbers as instructions, before another one."""

    def __init__(self, before: Instruction) -> None:
        self.before = before
        self._made: dict[Number, Value] = {}

    def insert(self, made: Instruction) -> Instruction:
        self.before.insert_before(made)
        return made

    def value(self, number: Number) -> Value:
        """The number in 128 bits."""
        if isinstance(number, int):
            return constant(WIDE, number)
        if number not in self._made:
            self._made[number] = self._value(number)
        return self._made[number]

    def _value(self, number: Number) -> Value:
        if isinstance(number, Value):
            return self.insert(cast("sext", number, WIDE, "wide"))
        if isinstance(number, Unsigned):
            value = number.value
            if value.type.is_pointer:
                value = self.insert(cast("ptrtoint", value, integer(64), "address"))
            return self.insert(cast("zext", value, WIDE, "wide"))
        if isinstance(number, Guarded):
            value, other = self.value(number.number), constant(WIDE, number.otherwise)
            yes, no = (value, other) if number.truth else (other, value)
            return self.insert(select(number.condition, yes, no, "counts"))
        assert isinstance(number, Computed)
        a, b = self.value(number.a), self.value(number.b)
        if number.operation in ("min", "max"):
            order = "slt" if number.operation == "min" else "sgt"
            return self.insert(select(self.insert(compare(order, a, b)), a, b, number.operation))
        return self.insert(binary(number.operation, a, b))

    def short(self, number: Number) -> Value:
        """The number in 64 bits."""
        if isinstance(number, int):
            return constant(integer(64), number)
        return self.insert(cast("trunc", self.value(number), integer(64), "extent"))
