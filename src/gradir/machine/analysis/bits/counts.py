"""Numbers that are made of the digits of floats, and floats whose digits are made of numbers.

`(float)bits_of(x)` counts how many floats lie below x: it is a straight line between powers of two (fast logarithms are
made of it), as is what a shift, a sum with a constant or a mask that keeps the first digits leave of it. The other way
round, an integer that a float was rounded to may become the digits of another (fast exponentials). Such an integer is a
number with a slope. One that is left with a sign or an exponent alone is constant, almost everywhere.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple, Protocol

from gradir.machine.analysis.bits.operations import EXPONENT_BITS, bits_of_constant, digits_of, has_no_digits
from gradir.machine.ir import Constant, Instruction, Type, Value
from gradir.machine.ir.opcodes import OPCODES

__all__ = ["Term", "Unclear", "digits_counted", "digits_made"]


class Term(NamedTuple):
    """A float that a number grows with, and how fast: by so much for each step of the float's bits (or, of one that was
    rounded to an integer, for each whole step)."""

    source: Value
    share: float


class Unclear(Exception):
    """The digits of floats are in a number, in a way that is not understood."""

    def __init__(self, sources: Iterable[Value]) -> None:
        super().__init__()
        self.sources = tuple(sources)


class Floats(Protocol):
    """What is known of the floats that integers have the bits of."""

    def carried(self, value: Value) -> Type | None:
        """Which floats an integer has the bits of, if any."""

    def may_carry(self, load: Instruction) -> bool:
        """Whether what is taken for an integer is read where floats lie."""


def digits_counted(conversion: Instruction, floats: Floats) -> list[Term]:
    """Of an integer that is converted to a float: the floats whose digits are in it.

    >>> from gradir.machine.ir.text.reader import read
    >>> module = read('''define double @f(double %x) {
    ... entry:
    ...   %bits = bitcast double %x to i64
    ...   %half = lshr i64 %bits, 1
    ...   %count = uitofp i64 %half to double
    ...   %exponent = lshr i64 %bits, 52
    ...   %power = uitofp i64 %exponent to double
    ...   ret double %count
    ... }''')
    >>> f = {i.ref: i for i in module.functions["f"].instructions()}
    >>> class Nothing:
    ...     def carried(self, value): ...
    >>> def found(of):
    ...     return [(t.source.ref, t.share) for t in digits_counted(f[of], Nothing())]
    >>> found("%count"), found("%power")
    ([('%x', 0.5)], [])
    """
    return _Counter(floats).terms(conversion.operands[0])


def digits_made(cast: Instruction) -> list[Term]:
    """Of bits that become a float: the floats that were rounded to integers, and now are its digits."""
    element, bits = cast.type.scalar, cast.operands[0]
    if element.text not in EXPONENT_BITS or bits.type.scalar.size != element.size or has_no_digits(bits, element):
        return []
    return [term for term in _made(bits) if abs(term.share) < 2 ** digits_of(element)]


_DEEPEST = 200
"""Of so many operations in a row nobody makes a number with a slope."""


class _Counter:
    """Looks for the floats whose digits are in an integer, each integer once: they may be mixed over and over."""

    def __init__(self, floats: Floats) -> None:
        self.floats = floats
        self._found: dict[tuple[Value, int], list[Term]] = {}
        self._depth = 0

    def terms(self, v: Value, wanted: int | None = None) -> list[Term]:
        """The floats whose digits are in the wanted bits of an integer."""
        wanted = _ones(v) if wanted is None else wanted
        if isinstance(v, Constant) or wanted == 0 or self._depth > _DEEPEST:
            return []
        if (v, wanted) not in self._found:
            self._found[v, wanted] = []  # round a loop it is what it was before
            self._depth += 1
            self._found[v, wanted] = self._look(v, wanted)
            self._depth -= 1
        return self._found[v, wanted]

    def _look(self, v: Value, wanted: int) -> list[Term]:
        if isinstance(v, Instruction) and v.opcode == "bitcast" and v.operands[0].type.is_float:
            return _of_float(v, wanted)
        if (carried := self.floats.carried(v)) is not None and carried.scalar.size == v.type.scalar.size:
            return [Term(v, 1.0)] if _has_first_digit(wanted, carried.scalar) else []
        if not isinstance(v, Instruction):
            return []
        if v.opcode == "load" and self.floats.may_carry(v):
            raise Unclear([v])
        if len(v.operands) == 2 and (number := _literal(v.operands[1], v)) is not None:
            return self._with_literal(v, number, wanted)
        operands = v.operands
        match v.opcode:
            case "trunc" | "zext" | "sext" | "freeze":
                return self.terms(operands[0], wanted & _ones(operands[0]))
            case "add" | "sub" | "or":
                first, second = (self.terms(o, wanted) for o in operands)
                if v.opcode == "or" and first and second:
                    return _unclear(first, second)
                return [*first, *_scaled(second, -1.0 if v.opcode == "sub" else 1.0)]
            case _ if OPCODES[v.opcode].keeps_bits or (v.callee_name or "").startswith("llvm."):
                integers = [o for o in operands if o.type.scalar.is_integer]
                return _unclear(*map(self.terms, integers))
        return []

    def _with_literal(self, v: Instruction, number: int, wanted: int) -> list[Term]:
        """Of an operation with a constant."""
        x = v.operands[0]
        match v.opcode:
            case "lshr" | "ashr":
                return _scaled(self.terms(x, wanted << number & _ones(v)), 2.0**-number)
            case "shl":
                return _scaled(self.terms(x, wanted >> number), 2.0**number)
            case "and" | "or":
                return self.terms(x, wanted & (number if v.opcode == "and" else ~number))
            case "add" | "sub":
                return self.terms(x, wanted)
            case "mul" | "udiv" | "sdiv" if 0 < number < 1 << (v.type.scalar.count - 1):
                return _scaled(self.terms(x), float(number) if v.opcode == "mul" else 1.0 / number)
        return _unclear(self.terms(x)) if OPCODES[v.opcode].keeps_bits else []


def _ones(value: Value) -> int:
    return (1 << value.type.scalar.count) - 1


def _of_float(cast: Instruction, wanted: int) -> list[Term]:
    x = cast.operands[0]
    element = x.type.scalar
    if element.text not in EXPONENT_BITS or isinstance(x, Constant):
        return []
    if element.size != cast.type.scalar.size:
        raise Unclear([x])
    return [Term(x, 1.0)] if _has_first_digit(wanted, element) else []


def _has_first_digit(wanted: int, element: Type) -> bool:
    """Whether it is a number of floats: the last digits alone are noise, or a smaller member of a union. (A member of
    the float's size has a derivative of zero there, whatever it is multiplied by.)"""
    return element.text in EXPONENT_BITS and bool(wanted >> (digits_of(element) - 1) & 1)


def _unclear(*found: list[Term]) -> list[Term]:
    if any(found):
        raise Unclear(t.source for terms in found for t in terms)
    return []


def _made(v: Value) -> list[Term]:
    """The floats that were rounded to an integer, which is moved, shifted up and added to, but not mixed otherwise."""
    if not isinstance(v, Instruction):
        return []
    number = _literal(v.operands[1], v) if len(v.operands) == 2 else None
    match v.opcode:
        case "fptosi" | "fptoui":
            return [Term(v.operands[0], 1.0)]
        case "trunc" | "zext" | "sext" | "freeze":
            return _made(v.operands[0])
        case "shl" if number is not None:
            return _scaled(_made(v.operands[0]), 2.0**number)
        case "add" | "sub" | "or" if any(isinstance(o, Constant) for o in v.operands):
            first, second = map(_made, v.operands)
            return [*first, *_scaled(second, -1.0 if v.opcode == "sub" else 1.0)]
    return []


def _scaled(terms: list[Term], by: float) -> list[Term]:
    return [Term(t.source, t.share * by) for t in terms]


def _literal(v: Value, of: Instruction) -> int | None:
    return bits_of_constant(v, of.type.scalar.count) if isinstance(v, Constant) else None
