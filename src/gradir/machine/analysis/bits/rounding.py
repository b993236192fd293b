"""Rounding by a large constant: `x + 1.5·2⁵²` has no digits behind the point, and `(x + C) - C` is a whole number.

As real numbers these are `x + C` and `x`, with the derivative 1. What the program means, and what its bits then say, is
the nearest whole number (with a smaller power of two: the nearest multiple of a fraction), whose derivative is zero as
that of `rint`.
"""

from __future__ import annotations

import math

from gradir.machine.ir import Constant, Instruction, Value
from gradir.machine.rules.elementary import number_of

__all__ = ["rounds"]

_DIGITS = {"float": 23, "double": 52}
_FRACTIONS = 8
"""To 1/256 at the finest, as tables of the exponential function have it: smaller constants may be meant as numbers."""


def rounds(i: Instruction) -> bool:
    """Whether a sum is there for what is rounded away: a constant that leaves few digits or none is added and taken off
    again.

    >>> from gradir.machine.ir.text.reader import read
    >>> def found(c):
    ...     lines = (f"%a = fadd double %x, {c}", f"%b = fadd double %a, -{c}", "ret double %b")
    ...     function = read("define double @f(double %x) {\\n  " + "\\n  ".join(lines) + "\\n}\\n").functions["f"]
    ...     return rounds(next(function.instructions()))
    >>> found("6755399441055744.0"), found("3.0")
    (True, False)
    """
    added = _added(i)
    if added is None or i.block is None or not _is_magic(added, i.type.scalar.text):
        return False
    users = i.block.function.users
    same = [i, *_read_again(i)]
    return any(_added(user) == -added for value in same for user in users.get(value, ()) if user is not i)


def _read_again(i: Instruction) -> list[Instruction]:
    """What is loaded from variables that a value is stored to, as what is `volatile` is."""
    users = i.block.function.users
    stores = [u for u in users.get(i, ()) if u.opcode == "store" and u.value is i]
    variables = [s.pointer for s in stores if isinstance(s.pointer, Instruction) and s.pointer.opcode == "alloca"]
    return [u for v in variables for u in users.get(v, ()) if u.opcode == "load" and u.type == i.type]


def _added(i: Instruction) -> float | None:
    """The constant that an instruction adds to something."""
    if i.type.scalar.text not in _DIGITS:
        return None
    match i.opcode:
        case "fadd":
            found = [number for o in i.operands if (number := _number(o)) is not None]
            return found[0] if len(found) == 1 else None
        case "fsub":
            number = _number(i.operands[1])
            return None if number is None else -number
        case "call" if (i.callee_name or "").startswith(("llvm.fmuladd.", "llvm.fma.")):
            return _number(i.arguments[2])
    return None


def _number(value: Value) -> float | None:
    return number_of(value.type, value.ref) if isinstance(value, Constant) else None


def _is_magic(number: float, type: str) -> bool:
    """Whether it is 1.5·2ⁿ, or 2ⁿ where there are no digits left at all."""
    mantissa, exponent = math.frexp(abs(number))
    if mantissa == 0.75:
        return exponent - 1 >= _DIGITS[type] - _FRACTIONS
    return mantissa == 0.5 and exponent - 1 >= _DIGITS[type]
