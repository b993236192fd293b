"""What bit operations do to floats in the guise of integers: signs are set and flipped, lanes blanked out, digits
dropped, the next float taken."""

from __future__ import annotations

from collections.abc import Callable

from gradir.machine.ir import Constant, Instruction, Type, Value
from gradir.machine.ir.constants import read_constant

__all__ = ["EXPONENT_BITS", "BitOperation", "bit_operation", "has_no_digits", "is_digits", "is_sign", "is_swap"]

_CHOICES = ("llvm.umin.", "llvm.umax.", "llvm.smin.", "llvm.smax.")

EXPONENT_BITS = {"half": 5, "bfloat": 8, "float": 8, "double": 11}


class BitOperation:
    """`kind` of what is done to the floats in `operand`.

    - `absolute`, `negative` (minus the absolute value), `negate`
    - `signed`: with another sign, which the other operand is or flips
    - `same`: digits at the end are dropped or set, to what may be computed
    - `scale`: the exponent is set, to one that may be computed, so that it is divided by a power of two
    - `constant`: only the exponent is left, a power of two; or only the sign, which a constant has then
    - `sum`, `difference` (from a number): so many floats further up or down, or with another exponent
    - `first guess`: a `share` of its number, and a constant, as a root is guessed from the bits
    - `where`: kept where `mask` (of i1) is true, else zero
    - `lanes`: in each lane of a vector kept, negated or left out, as its factor in `factors` says
    """

    def __init__(
        self,
        kind: str,
        operand: Value,
        mask: Value | None = None,
        share: float = 1.0,
        factors: tuple[float, ...] = (),
    ) -> None:
        self.kind, self.operand, self.mask, self.share, self.factors = kind, operand, mask, share, factors


def bit_operation(i: Instruction, carried: Type, carries: Callable[[Value], object]) -> BitOperation | None:
    """What an operation does to floats of the type that it carries; None if it can't be told.

    `carries` tells which values have floats in them: to the bits of a float a number may be added.
    """
    element = carried.scalar
    if element.text not in EXPONENT_BITS or element.size != i.type.scalar.size:
        return None
    if (scaled := _scaled(i, element)) is not None:
        return scaled
    if i.opcode in ("add", "sub"):
        return _guessed(i, carries) or _summed(i, carries)
    if i.opcode not in ("and", "or", "xor"):
        return None
    for operand, other in (i.operands, i.operands[::-1]):
        if isinstance(operand, Constant):
            continue
        if isinstance(other, Constant) and i.opcode != "and" and is_sign(operand, element.size * 8):
            return BitOperation("constant", operand.operands[0])  # type: ignore[attr-defined]
        if isinstance(other, Constant):
            return _by_constant(i.opcode, operand, other, element)
        if i.opcode != "and" and is_sign(other, element.size * 8):
            return BitOperation("signed", operand)
        if i.opcode != "and" and is_digits(other, element) and not is_digits(operand, element):
            return BitOperation("same", operand)
        masks = isinstance(other, Instruction) and other.opcode == "sext"
        if i.opcode == "and" and masks and _is_truth(other.operands[0]):  # type: ignore[attr-defined]
            return BitOperation("where", operand, other.operands[0])  # type: ignore[attr-defined]
    return None


def _summed(i: Instruction, carries: Callable[[Value], object]) -> BitOperation | None:
    floats = [o for o in i.operands if not isinstance(o, Constant) and carries(o)]
    if len(floats) != 1 or i.operands[0] is i.operands[1]:
        return None
    return BitOperation("difference" if i.opcode == "sub" and floats[0] is i.operands[1] else "sum", floats[0])


def is_swap(i: Instruction) -> bool:
    """Whether the bytes of an integer, or of each lane of a vector, are put in reverse order, as files have them."""
    return (i.callee_name or "").startswith("llvm.bswap.")


def is_sign(value: Value, size: int) -> bool:
    """Whether a value has no bits but that of the sign."""
    if not isinstance(value, Instruction) or value.type.scalar.size * 8 != size:
        return False
    if value.opcode in ("phi", "select"):
        chosen = [v for v, _ in value.incoming] if value.opcode == "phi" else value.operands[1:]
        numbers = [bits_of_constant(v, size) for v in chosen if isinstance(v, Constant)]
        others = [v for v in chosen if not isinstance(v, Constant)]
        return bool(others) and {*numbers} <= {0, 1 << (size - 1)} and all(_is_masked_to_sign(v, size) for v in others)
    return _is_masked_to_sign(value, size)


def _is_masked_to_sign(value: Value, size: int) -> bool:
    if not isinstance(value, Instruction):
        return False
    literals = [bits_of_constant(o, size) for o in value.operands if isinstance(o, Constant)]
    constants = [bits for bits in literals if bits is not None]
    return (value.opcode == "and" and constants == [1 << (size - 1)]) or (
        value.opcode == "shl" and isinstance(value.operands[1], Constant) and constants == [size - 1]
    )


def is_digits(value: Value, element: Type) -> bool:
    """Whether a value that isn't constant has no bits but those of a float's digits."""
    if not isinstance(value, Instruction) or value.opcode != "zext":
        return False
    return value.operands[0].type.scalar.count <= digits_of(element)


def has_no_digits(value: Value, element: Type) -> bool:
    """Whether a value has a sign and an exponent alone: it is a power of two then, or nothing, whatever it was made of,
    and its derivative is zero."""
    if isinstance(value, Constant):
        bits = bits_of_constant(value, element.size * 8)
        return bits is not None and bits & ((1 << digits_of(element)) - 1) == 0
    if not isinstance(value, Instruction) or value.type.scalar.size != element.size:
        return False
    match value.opcode:
        case "shl":
            amount = value.operands[1]
            by = bits_of_constant(amount, element.size * 8) if isinstance(amount, Constant) else None
            return by is not None and by >= digits_of(element)
        case "and":
            return any(has_no_digits(o, element) for o in value.operands)
        case "or" | "xor" | "add" | "sub":
            return all(has_no_digits(o, element) for o in value.operands)
        case "select":
            return all(has_no_digits(o, element) for o in value.operands[1:])
        case "call" if (value.callee_name or "").startswith(_CHOICES):
            return all(has_no_digits(o, element) for o in value.arguments)
    return False


def digits_of(element: Type) -> int:
    """How many there are in a float, in bits."""
    return element.size * 8 - 1 - EXPONENT_BITS[element.text]


def _is_truth(value: Value) -> bool:
    return value.type.scalar.text == "i1"


_FACTORS = {"same": 1.0, "negate": -1.0, "constant": 0.0}
"""What some operations multiply by that constants do to floats."""


def _by_constant(opcode: str, operand: Value, constant: Constant, element: Type) -> BitOperation | None:
    bits = bits_of_constant(constant, element.size * 8)
    if bits is not None:
        kind = _kind_by_constant(opcode, bits, element)
        return BitOperation(kind, operand) if kind is not None else None
    if constant.type.kind != "vector":
        return None
    lanes = _lanes_of_constant(constant, element.size * 8)
    kinds = [None if bits is None else _kind_by_constant(opcode, bits, element) for bits in lanes]
    factors = tuple(_FACTORS[kind] for kind in kinds if kind in _FACTORS)
    return BitOperation("lanes", operand, factors=factors) if len(factors) == constant.type.count else None


def _kind_by_constant(opcode: str, bits: int, element: Type) -> str | None:
    size = element.size * 8
    sign = 1 << (size - 1)
    digits = (1 << digits_of(element)) - 1
    kinds = {("and", sign - 1): "absolute", ("or", sign): "negative", ("xor", sign): "negate"}
    if (opcode, bits) in kinds:
        return kinds[opcode, bits]
    if opcode == "and" and bits & digits == 0:
        return "constant"
    changed = ~bits & ((1 << size) - 1) if opcode == "and" else bits
    return "same" if changed & ~digits == 0 else None


def _scaled(i: Instruction, element: Type) -> BitOperation | None:
    """The digits of a float, perhaps its sign, with another exponent."""
    if i.opcode not in ("or", "add"):
        return None
    digits, sign = (1 << digits_of(element)) - 1, 1 << (element.size * 8 - 1)
    for inner, exponent in (i.operands, i.operands[::-1]):
        kept = _kept(inner, element.size * 8)
        if kept is not None and kept[1] in (digits, digits | sign) and has_no_digits(exponent, element):
            return BitOperation("scale", kept[0])
    return None


def _kept(value: Value, size: int) -> tuple[Value, int] | None:
    """What a constant mask is laid on, and the mask."""
    if not isinstance(value, Instruction) or value.opcode != "and":
        return None
    x, mask = value.operands if isinstance(value.operands[1], Constant) else value.operands[::-1]
    bits = bits_of_constant(mask, size) if isinstance(mask, Constant) else None
    return None if bits is None else (x, bits)


def _guessed(i: Instruction, carries: Callable[[Value], object]) -> BitOperation | None:
    """A constant and a share of the bits, whose exponent is near that share of the float's exponent."""
    shares = [o for o in i.operands if isinstance(o, Instruction)]
    if (
        len(shares) != 1
        or shares[0].opcode not in ("lshr", "ashr", "udiv", "sdiv")
        or not isinstance(i.operands[1 - i.operands.index(shares[0])], Constant)
    ):
        return None
    x, by = shares[0].operands
    number = bits_of_constant(by, i.type.scalar.count) if isinstance(by, Constant) else None
    if not number or isinstance(x, Constant) or not carries(x):
        return None
    share = 1 / (2**number if shares[0].opcode.endswith("shr") else number)
    return BitOperation("first guess", x, share=-share if i.opcode == "sub" and i.operands[1] is shares[0] else share)


def bits_of_constant(constant: Constant, size: int) -> int | None:
    """The bits of a number, or those that all lanes of a vector have."""
    if constant.type.kind == "vector" and constant.integer is None:
        numbers = set(_lanes_of_constant(constant, size))
        return numbers.pop() if len(numbers) == 1 else None
    return None if constant.integer is None else constant.integer & ((1 << size) - 1)


def _lanes_of_constant(constant: Constant, size: int) -> list[int | None]:
    """The bits of each lane of a vector that is defined, if they are known."""
    lanes = [lane.integer for lane in read_constant(constant.type, constant.ref).parts if not lane.is_undefined]
    return [None if number is None else number & ((1 << size) - 1) for number in lanes]
