"""The derivatives of bit operations on floats in the guise of integers, and of numbers made of their digits, as factors
of the operand's derivative."""

from __future__ import annotations

from collections.abc import Callable

from gradir.machine.analysis.bits.counts import Term
from gradir.machine.analysis.bits.operations import EXPONENT_BITS, BitOperation
from gradir.machine.ir import Instruction, Type, Value, vector
from gradir.machine.ir.builder import Code, Expr

__all__ = ["count_slope", "slope"]


def slope(
    code: Code, i: Instruction, operation: BitOperation, carried: Type, primal: Callable[[Value], Expr]
) -> Expr | float:
    """What the derivative of the operand is multiplied by; of a mask it is 0 or 1, and `operation.mask` decides."""
    match operation.kind:
        case "absolute":
            return _sign(code, primal(operation.operand), carried)
        case "negative":
            return -_sign(code, primal(operation.operand), carried)
        case "signed":
            return _sign(code, primal(operation.operand), carried) * _sign(code, primal(i), carried)
        case "scale" | "sum":
            return _steps(code, primal(operation.operand), primal(i), carried)
        case "difference":
            return -_steps(code, primal(operation.operand), primal(i), carried)
        case "first guess":
            return operation.share * _steps(code, primal(operation.operand), primal(i), carried)
        case "negate":
            return -1.0
        case "lanes":
            factors = ", ".join(f"{carried.element} {factor}" for factor in operation.factors)
            return Expr(code, carried, f"<{factors}>")
    return 1.0


def count_slope(
    code: Code, i: Instruction, term: Term, type: Type, primal: Callable[[Value], Expr]
) -> Expr:
    """What the derivative of a float is multiplied by where the number of its bits becomes a float, or where it was
    rounded to an integer that becomes the bits of one. Of numbers far from 1 it is not infinite, but very large."""
    x = _float(code, primal(i if i.opcode == "bitcast" else term.source), type)
    bits, element = _integers(type), type.scalar
    exponents = EXPONENT_BITS[element.text]
    digits = element.size * 8 - 1 - exponents
    highest, bias = (1 << exponents) - 1, (1 << (exponents - 1)) - 1
    found = code.emit(bits, f"bitcast {x} to {bits}")
    found = code.emit(bits, f"and {found}, {code.constant(bits, highest << digits).ref}")
    if i.opcode == "bitcast":
        step = code.emit(type, f"bitcast {found} to {type}") * (term.share * 2.0**-digits)
    else:
        apart = code.constant(bits, (2 * bias + digits) << digits)
        turned = code.emit(bits, f"sub {apart}, {found.ref}")
        turned = code.intrinsic("umin", turned, code.constant(bits, (highest - 1) << digits))
        step = code.emit(type, f"bitcast {turned} to {type}") * term.share
    return step * _sign(code, x, type)


def _integers(type: Type) -> Type:
    """Of floats: integers of their size."""
    whole = Type(f"i{type.scalar.size * 8}", "int", type.scalar.size * 8)
    return vector(type.count, whole) if type.kind == "vector" else whole


def _float(code: Code, x: Expr, type: Type) -> Expr:
    """A float in the guise of an integer, as a float."""
    return code.emit(type, f"bitcast {x} to {type}") if x.type != type else x


def _sign(code: Code, x: Expr, type: Type) -> Expr:
    """1 or -1 by the sign of a float (or of the floats of a vector) in the guise of an integer."""
    return code.intrinsic("copysign", code.constant(type, 1.0), _float(code, x, type))


def _steps(code: Code, x: Expr, r: Expr, type: Type) -> Expr:
    """How far a float moves where another one, from whose bits it differs by a number, moves by 1.

    The next larger bits are one digit further from zero, and a digit is worth 2 to the exponent: it is the quotient
    of these powers, with the signs. The exponents of what are no floats, as in a union, may be any: the quotient is
    finite all the same, so that nothing comes of it where there is no derivative.
    """
    bits, element = x.type, type.scalar
    exponents = EXPONENT_BITS[element.text]
    digits = element.size * 8 - 1 - exponents
    highest, bias = (1 << exponents) - 1, (1 << (exponents - 1)) - 1

    def both(opcode: str, a: Expr, b: Expr | int) -> Expr:
        b = b if isinstance(b, Expr) else code.constant(bits, b)
        return code.emit(bits, f"{opcode} {a}, {b.ref}")

    def exponent(v: Expr) -> Expr:
        found = both("and", both("lshr", v, digits), highest)
        return code.intrinsic("umax", found, code.constant(bits, 1))  # what is smaller still has digits like these

    apart = both("sub", exponent(r), exponent(x))
    power = code.intrinsic("smax", both("add", apart, bias), code.constant(bits, 0))
    power = code.intrinsic("smin", power, code.constant(bits, highest - 1))
    sign = both("shl", both("lshr", both("xor", x, r), element.size * 8 - 1), element.size * 8 - 1)
    return _float(code, both("or", both("shl", power, digits), sign), type)
