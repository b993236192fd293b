"""Algebraic identities of elementwise arithmetic.

Capitals are constants. Rows that round reassociate: the last digit may differ. Those with an effect on the range have
another intermediate result than the program, which may be out of range; and those with one on the sign of a zero may
give the other zero. Everything else, infinities and what is not a number included, is the same on both sides.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from jaxlib.mlir import ir

from gradir.tensor.analysis.ranges import of_type
from gradir.tensor.analysis.zeros import may_be_minus_zero
from gradir.tensor.ir import expr as E
from gradir.tensor.ir.expr import Expr
from gradir.tensor.ir.reading import dtype, float_type, integer, ints, kind, made_by, single_use, splat_of
from gradir.tensor.optimize.driver import Driver
from gradir.tensor.optimize.effects import DERIVATIVE, FINITE, KINKS, RANGE, ROUNDS, ZERO_SIGN
from gradir.tensor.optimize.rule import Family, Replacement, is_normal

algebra = Family("algebra", "identities of elementwise arithmetic")
row, rule = algebra.row, algebra.rule

# -- neutral elements --------------------------------------------------------------------------------------------------

row("add_zero", "x + 0", "x", "number", effects=ZERO_SIGN)
row("sub_zero", "x - 0", "x", "number")
row("add_minus_zero", "x + -0.0", "x", "float")
row("zero_sub", "0 - x", "-x", "number", effects=ZERO_SIGN)
row("mul_one", "x * 1", "x", "number")
row("mul_minus_one", "x * -1", "-x", "number")
row("div_one", "x / 1", "x", "number")
row("div_minus_one", "x / -1", "-x", "number")
row("rem_one", "x % 1", "0", "int")
row("mul_zero_int", "x * 0", "0", "int")
row("sub_self_int", "x - x", "0", "int")
row("add_self", "x + x", "x * 2", "float")
row("sub_add_same_int", "(x + y) - y", "x", "int")
row("add_sub_same_int", "(x - y) + y", "x", "int")
row("sub_sub_same_int", "x - (x - y)", "y", "int")
row("sub_of_sum_int", "x - (x + y)", "-y", "int")
row("sub_from_difference_int", "(x - y) - x", "-y", "int")
row("shift_left_zero", "shift_left(x, 0)", "x", "int")
row("shift_right_zero", "shift_right_logical(x, 0)", "x", "int")
row("shift_right_arithmetic_zero", "shift_right_arithmetic(x, 0)", "x", "int")

# -- signs -------------------------------------------------------------------------------------------------------------

row("neg_neg", "-(-x)", "x", "number")
row("add_neg", "x + -y", "x - y", "number")
row("sub_neg", "x - -y", "x + y", "number")
row("neg_sub", "-(x - y)", "y - x", "number", effects=ZERO_SIGN)
row("neg_sub_from", "-x - y", "-(x + y)", "number", effects=ZERO_SIGN)
row("mul_neg_neg", "-x * -y", "x * y", "number")
row("div_neg_neg", "-x / -y", "x / y", "inexact")
row("neg_mul_const", "-(x * C)", "x * -C", "real")
row("mul_neg_const", "-x * C", "x * -C", "real")
row("neg_div_const", "-(x / C)", "x / -C", "float")
row("div_const_neg", "C / -x", "-C / x", "float")
row("div_neg_const", "-x / C", "x / -C", "float")
row("neg_add_const", "-(x + C)", "-C - x", "real", effects=ZERO_SIGN)
row("neg_const_div", "-(C / x)", "-C / x", "float")


def _both_once(op: ir.Operation) -> bool:
    """Whether an op's operand, and what is to change its sign in it, are for this op alone."""
    return single_use(op.operands[0])


@rule("-(x * (d := y - z))", "number", when=_both_once, effects=ZERO_SIGN)
def neg_mul_difference(d: ir.Operation, x: Expr, y: Expr, z: Expr) -> Expr | None:
    """-(x * (y - z)) -> x * (z - y)."""
    return x * (z - y) if single_use(d.results[0]) else None


@rule("-((d := y - z) / x)", "inexact", when=_both_once, effects=ZERO_SIGN)
def neg_difference_div(d: ir.Operation, x: Expr, y: Expr, z: Expr) -> Expr | None:
    """-((y - z) / x) -> (z - y) / x."""
    return (z - y) / x if single_use(d.results[0]) else None


row("mul_neg_left", "-x * y", "-(x * y)", "real", phase="up")
row("div_neg_left", "-x / y", "-(x / y)", "float", phase="up")
row("div_neg_right", "x / -y", "-(x / y)", "float", phase="up")
row("sub_mul_neg_const", "x - y * C", "x + y * -C", "float", phase="down")
row("abs_neg", "abs(-x)", "abs(x)", "real")
row("abs_abs", "abs(abs(x))", "abs(x)", "real")
row("cos_neg", "cos(-x)", "cos(x)", "float")
row("cos_abs", "cos(abs(x))", "cos(x)", "float")
row("sin_neg", "sin(-x)", "-sin(x)", "float", phase="up")
row("tanh_neg", "tanh(-x)", "-tanh(x)", "float", phase="up")
row("sign_neg", "sign(-x)", "-sign(x)", "real", phase="up")
row("sign_mul_abs", "sign(x) * abs(x)", "x", "real", effects=KINKS)
row("abs_mul_abs", "abs(x) * abs(x)", "x * x", "real")
row("sign_sign", "sign(sign(x))", "sign(x)", "real")
row("abs_mul_self", "abs(x * x)", "x * x", "float")
row("square_neg", "-x * -x", "x * x", "number")

# -- constants meet ----------------------------------------------------------------------------------------------------


def _is_only_user(op: ir.Operation) -> bool:
    """Whether nobody else needs the first operand.

    If someone does, nothing is gained, and in reverse mode something lost: the cotangents of that operand are added up
    before they are scaled, and may cancel, where each by itself is scaled out of range.
    """
    return single_use(op.operands[0])


row("mul_mul_const", "(x * C1) * C2", "x * (C1 * C2)", "real", effects=ROUNDS, when=_is_only_user)
row("add_add_const", "(x + C1) + C2", "x + (C1 + C2)", "number", effects=ROUNDS)
row("sub_add_const", "(x - C1) + C2", "x + (C2 - C1)", "number", effects=ROUNDS)
row("add_sub_const", "(x + C1) - C2", "x + (C1 - C2)", "number", effects=ROUNDS)
row("sub_sub_const", "(x - C1) - C2", "x - (C1 + C2)", "number", effects=ROUNDS)
row("const_sub_add", "C1 - (x + C2)", "(C1 - C2) - x", "number", effects=ROUNDS)
row("const_sub_sub", "C1 - (x - C2)", "(C1 + C2) - x", "number", effects=ROUNDS)
row("const_sub_const_sub", "C1 - (C2 - x)", "x + (C1 - C2)", "number", effects=ROUNDS)
row("const_sub_plus_const", "(C1 - x) + C2", "(C1 + C2) - x", "number", effects=ROUNDS)
row("const_sub_minus_const", "(C1 - x) - C2", "(C1 - C2) - x", "number", effects=ROUNDS)
row("div_mul_const", "(x / C1) * C2", "x * (C2 / C1)", "float", effects=ROUNDS, when=_is_only_user)
row("mul_div_const", "(x * C1) / C2", "x * (C1 / C2)", "float", effects=ROUNDS, when=_is_only_user)
row("div_div_const", "(x / C1) / C2", "x / (C1 * C2)", "float", effects=ROUNDS, when=_is_only_user)
row("const_div_div", "C1 / (x / C2)", "(C1 * C2) / x", "float", effects=ROUNDS | DERIVATIVE)
row("const_div_mul", "C1 / (x * C2)", "(C1 / C2) / x", "float", effects=ROUNDS | DERIVATIVE)
row("const_div_mul_const", "(C1 / x) * C2", "(C1 * C2) / x", "float", effects=ROUNDS | DERIVATIVE)
row("const_div_div_const", "(C1 / x) / C2", "(C1 / C2) / x", "float", effects=ROUNDS | DERIVATIVE)
row("mul_const_mul_const", "(x * C1) * (y * C2)", "(x * y) * (C1 * C2)", "number", effects=ROUNDS | RANGE)
row("add_const_add_const", "(x + C1) + (y + C2)", "(x + y) + (C1 + C2)", "number", effects=ROUNDS | RANGE)
row("sub_const_sub_const", "(x + C1) - (y + C2)", "(x - y) + (C1 - C2)", "number", effects=ROUNDS | RANGE)
row("div_const_mul_const", "(x * C1) / (y * C2)", "(x / y) * (C1 / C2)", "float", effects=ROUNDS | RANGE)
row("factor_const", "x * C + y * C", "(x + y) * C", "float", effects=ROUNDS | RANGE | ZERO_SIGN)
row("factor_const_sub", "x * C - y * C", "(x - y) * C", "float", effects=ROUNDS | RANGE | ZERO_SIGN)
row("factor_divisor", "x / C + y / C", "(x + y) / C", "float", effects=ROUNDS | RANGE | ZERO_SIGN)
row("factor_divisor_sub", "x / C - y / C", "(x - y) / C", "float", effects=ROUNDS | RANGE | ZERO_SIGN)
row("mul_const_div", "(C1 / x) * y", "(y * C1) / x", "float", effects=ROUNDS | FINITE)


@rule("x / C", "float", effects=ROUNDS)
def div_const(x: Expr, C: float) -> Expr | None:
    """x / C -> x * (1 / C), which for powers of two is exact."""
    return x * (1 / C) if _has(x.dtype, 1 / C) else None


def _has(element: ir.Type, number: float) -> bool:
    """Whether a type has a number, with all its digits."""
    of = dtype(element)
    if of is None:
        return False
    with np.errstate(over="ignore"):
        return is_normal(of(number), of)


@rule("x * C1 + y * C2", "float", effects=ROUNDS | RANGE | ZERO_SIGN)
def factor_opposite(x: Expr, y: Expr, C1: float, C2: float) -> Expr | None:
    """x * C + y * -C -> (x - y) * C."""
    return (x - y) * C1 if C1 == -C2 else None


@rule("x * C1 - y * C2", "float", effects=ROUNDS | RANGE | ZERO_SIGN)
def factor_opposite_sub(x: Expr, y: Expr, C1: float, C2: float) -> Expr | None:
    """x * C - y * -C -> (x + y) * C."""
    return (x + y) * C1 if C1 == -C2 else None


@rule("(x + C) + y", "number", effects=ROUNDS | RANGE)
def add_const_out(op: ir.Operation, x: Expr, y: Expr, C: float) -> Expr | None:
    """(x + C) + y -> (x + y) + C, where another constant waits."""
    waits = _meets_constant(op, ("stablehlo.add", "stablehlo.subtract"))
    return (x + y) + C if waits and splat_of(y.value) is None and splat_of(x.value) is None else None


@rule("(m := x * C) * (b := broadcast(y))", "inexact", effects=ROUNDS | RANGE)
def mul_const_to_smaller(m: ir.Operation, b: ir.Operation, x: Expr, y: Expr, C: float) -> Expr | None:
    """(x * C) * broadcast(y) -> x * broadcast(y * C): the constant goes where there is less to multiply."""
    return _with_smaller(m, b, x, y, C)


@rule("(m := x * (b := broadcast(y))) * C", "float", effects=ROUNDS | RANGE)
def mul_const_into_smaller(m: ir.Operation, b: ir.Operation, x: Expr, y: Expr, C: float) -> Expr | None:
    """(x * broadcast(y)) * C -> x * broadcast(y * C): the constant goes where there is less to multiply."""
    return _with_smaller(m, b, x, y, C)


def _with_smaller(m: ir.Operation, b: ir.Operation, x: Expr, y: Expr, c: float) -> Expr | None:
    if not single_use(m.results[0]) or E.size(y.shape) >= E.size(x.shape):
        return None
    return x * E.broadcast(y * c, x.shape, ints(b, "broadcast_dimensions"))


@rule("x / (b := broadcast(y))", "float", effects=ROUNDS | RANGE)
def div_by_broadcast(b: ir.Operation, x: Expr, y: Expr) -> Expr | None:
    """x / broadcast(y) -> x * broadcast(1 / y): there is less to divide."""
    if 4 * E.size(y.shape) > E.size(x.shape) or str(x.dtype) not in ("f32", "f64"):
        return None
    return x * E.broadcast(1 / y, x.shape, ints(b, "broadcast_dimensions"))


row("add_twice", "(x + y) + y", "x + y * 2", "float", effects=ROUNDS | RANGE)


@rule("(x + y * C) + y", "float", effects=ROUNDS | RANGE)
def add_once_more(x: Expr, y: Expr, C: float) -> Expr | None:
    """(x + y * C) + y -> x + y * (C + 1) for C > 0."""
    return x + y * (C + 1) if C > 0 else None


def _meets_constant(op: ir.Operation, names: Sequence[str] = ("stablehlo.multiply", "stablehlo.divide")) -> bool:
    """Whether a constant is the next to be multiplied with. (Otherwise it stays where it may be outside of a loop.)"""
    result = op.results[0]
    if not single_use(result):
        return False
    user = next(iter(result.uses)).owner.operation
    if user.name not in names:
        return False
    return any(v != result and splat_of(v) is not None for v in user.operands)


@rule("(x * C) * y", "real", effects=ROUNDS | RANGE, when=_meets_constant)
def mul_const_out(x: Expr, y: Expr, C: float) -> Expr | None:
    """(x * C) * y -> (x * y) * C, where another constant waits."""
    return (x * y) * C if splat_of(y.value) is None and splat_of(x.value) is None else None


@rule("(x * C) / y", "float", effects=ROUNDS | RANGE, when=_meets_constant)
def div_const_out(x: Expr, y: Expr, C: float) -> Expr | None:
    """(x * C) / y -> (x / y) * C, where another constant waits."""
    return (x / y) * C if splat_of(y.value) is None and splat_of(x.value) is None else None


@rule("x / (y * C)", "float", effects=ROUNDS | RANGE, when=_meets_constant)
def div_by_const_out(x: Expr, y: Expr, C: float) -> Expr | None:
    """x / (y * C) -> (x / y) * (1 / C), where another constant waits."""
    return (x / y) * (1 / C) if splat_of(x.value) is None and C else None


@rule("x + x * C", "float", effects=ROUNDS)
def add_multiple(x: Expr, C: float) -> Expr | None:
    """x + x * C -> x * (1 + C) for C > 0. (With C < 0 an infinite x would cancel itself.)"""
    return x * (1 + C) if C > 0 else None


@rule("x * C1 + x * C2", "float", effects=ROUNDS)
def add_multiples(x: Expr, C1: float, C2: float) -> Expr | None:
    """x * C1 + x * C2 -> x * (C1 + C2) for constants of one sign, where the type has their sum."""
    return x * (C1 + C2) if C1 * C2 > 0 and _has(x.dtype, C1 + C2) else None


# -- quotients, powers and roots ---------------------------------------------------------------------------------------

row("div_quotients", "(x / y) / (z / w)", "(x * w) / (y * z)", "float", effects=ROUNDS | RANGE)
row("div_div", "(x / y) / z", "x / (y * z)", "float", effects=ROUNDS | RANGE)
row("div_by_quotient", "x / (y / z)", "(x * z) / y", "float", effects=ROUNDS | RANGE)
# Not before something is differentiated: the derivative of rsqrt, y ** -1.5, may be out of range where that of a
# quotient is not.
row("div_sqrt", "x / sqrt(y)", "x * rsqrt(y)", "float", effects=ROUNDS | RANGE, gated=True, phase="down")
row("div_rsqrt", "x / rsqrt(y)", "x * sqrt(y)", "float", effects=ROUNDS | RANGE, gated=True)
row("one_div_sqrt", "1 / sqrt(x)", "rsqrt(x)", "float", effects=ROUNDS, gated=True, phase="down")
row("one_div_rsqrt", "1 / rsqrt(x)", "sqrt(x)", "float", effects=ROUNDS, gated=True)


@rule("(d := 1 / x) * y", "float", effects=ROUNDS | DERIVATIVE)
def mul_reciprocal(d: ir.Operation, x: Expr, y: Expr) -> Expr | None:
    """(1 / x) * y -> y / x, where nobody else needs the reciprocal: a product costs less than a quotient."""
    return y / x if single_use(d.results[0]) else None


row("div_exp", "x / exp(y)", "x * exp(-y)", "float", effects=ROUNDS | FINITE)
row("one_div_exp", "1 / exp(x)", "exp(-x)", "float", effects=ROUNDS)
row("power_zero", "x ** 0", "1", "float")
row("power_one", "x ** 1", "x", "float")
row("power_minus_one", "x ** -1", "1 / x", "float", effects=ROUNDS)
row("power_minus_two", "x ** -2", "(1 / x) * (1 / x)", "float", effects=ROUNDS | DERIVATIVE)
row("one_power", "1 ** x", "1", "float")
row("power_same_int", "(x ** y) * x", "x ** (y + 1)", "float", effects=ROUNDS | FINITE)
row("power_over", "(x ** C) / x", "x ** (C - 1)", "float", effects=ROUNDS | FINITE)
row("log_power", "log(x ** C)", "log(x) * C", "float", effects=ROUNDS | FINITE)
row("log_square", "log(x * x)", "log(abs(x)) * 2", "float", effects=ROUNDS | FINITE)
row("log_cbrt", "log(cbrt(x))", "log(x) * 0.3333333333333333", "float", effects=ROUNDS | DERIVATIVE)
row("power_power", "(x ** C1) ** C2", "x ** (C1 * C2)", "float", effects=ROUNDS | FINITE)
row("power_product", "(x ** C1) * (x ** C2)", "x ** (C1 + C2)", "float", effects=ROUNDS | FINITE)
row("exp_product", "exp(x) * exp(y)", "exp(x + y)", "float", effects=ROUNDS | FINITE)
row("log_exp", "log(exp(x))", "x", "float", effects=ROUNDS | FINITE)
row("exp_log", "exp(log(x))", "x", "float", effects=ROUNDS | FINITE)
row("log_sqrt", "log(sqrt(x))", "log(x) * 0.5", "float", effects=ROUNDS | DERIVATIVE)
row("log_rsqrt", "log(rsqrt(x))", "log(x) * -0.5", "float", effects=ROUNDS | FINITE)
row("log_one_plus", "log1p(expm1(x))", "x", "float", effects=ROUNDS | FINITE)
row("logistic_form", "1 / (1 + exp(-x))", "logistic(x)", "float", effects=ROUNDS | DERIVATIVE)
row("one_minus_logistic", "1 - logistic(x)", "logistic(-x)", "float", effects=ROUNDS | FINITE)
row("sqrt_square", "sqrt(x * x)", "abs(x)", "float", effects=ROUNDS | FINITE)
row("square_sqrt", "sqrt(x) * sqrt(x)", "x", "float", effects=ROUNDS | FINITE)
row("double_angle", "sin(x) * sin(x) + cos(x) * cos(x)", "1", "float", effects=ROUNDS | FINITE)
row("log_one_p", "log(1 + x)", "log1p(x)", "float", effects=ROUNDS | ZERO_SIGN)
row("exp_m_one", "exp(x) - 1", "expm1(x)", "float", effects=ROUNDS | ZERO_SIGN)
row("exp_plus_minus_one", "exp(x) + -1", "expm1(x)", "float", effects=ROUNDS | ZERO_SIGN)
row("one_m_exp", "1 - exp(x)", "-expm1(x)", "float", effects=ROUNDS | ZERO_SIGN)


@rule("expm1(x) + 1", "float", effects=ROUNDS)
def expm1_plus_one(op: ir.Operation, x: Expr) -> Expr | None:
    """expm1(x) + 1 -> exp(x), if nothing else needs it."""
    return E.exp(x) if single_use(op.operands[0]) else None


@rule("chlo_is_inf(x)", "bool")
def is_inf(x: Expr) -> Expr:
    """is_inf(x) -> abs(x) == inf."""
    return E.absolute(x).eq(float("inf"))


@rule("chlo_is_pos_inf(x)", "bool")
def is_pos_inf(x: Expr) -> Expr:
    """is_pos_inf(x) -> x == inf."""
    return x.eq(float("inf"))


@rule("chlo_is_neg_inf(x)", "bool")
def is_neg_inf(x: Expr) -> Expr:
    """is_neg_inf(x) -> x == -inf."""
    return x.eq(float("-inf"))


def _has_room(op: ir.Operation) -> bool:
    """Whether a type's least numbers are met in no common program, as those of f16 are (it has none below 6e-8)."""
    t = float_type(op.results[0].type)
    return t is None or t.width >= 32 or isinstance(t, ir.BF16Type)


# The derivative of x * x is d * x + d * x. Each term may be rounded to 0 where d * (2 * x), that of the square, is not.
row("square", "chlo_square(x)", "x * x", "number", effects=ROUNDS, when=_has_room)
row("square_narrow", "chlo_square(x)", "x * x", "number", effects=ROUNDS | DERIVATIVE)


@rule("x ** C", "float", effects=ROUNDS, when=_has_room)
def power_whole(x: Expr, C: float) -> Expr | None:
    """x ** n -> a product of squares, for whole n from 2 to 16."""
    return _product_of_squares(x, int(C)) if float(C).is_integer() and 2 <= C <= 16 else None


@rule("x ** C", "float", effects=ROUNDS | DERIVATIVE)
def power_whole_narrow(x: Expr, C: float) -> Replacement:
    """x ** n -> a product of squares, in f16 too."""
    return power_whole(x, C)


@rule("x ** C", "float", effects=ROUNDS | DERIVATIVE)
def power_whole_inverse(x: Expr, C: float) -> Expr | None:
    """x ** -n -> a product of squares of 1 / x, for whole n up to 16."""
    # Of the inverse, which is in range if the result is: the power of x need not be.
    return _product_of_squares(1 / x, int(-C)) if float(C).is_integer() and 5 <= -C <= 16 else None


def _product_of_squares(square: Expr, left: int) -> Expr | None:
    product = None
    while left:
        if left & 1:
            product = square if product is None else product * square
        left >>= 1
        if left:
            square = square * square
    return product


@rule("(b := broadcast(x)) ** (i := iota())", "float", effects=ROUNDS, gated=True)
def power_iota(op: ir.Operation, b: ir.Operation, i: ir.Operation, x: Expr) -> Expr | None:
    """x ** (0, 1, 2, …) -> 1, x, x * x, … side by side."""
    shape, along = op.results[0].type.shape, integer(i, "iota_dimension")
    dims, n = ints(b, "broadcast_dimensions"), shape[along]
    if not 2 <= n <= 9 or (along in dims and x.shape[dims.index(along)] != 1) or list(dims) != sorted(dims):
        return None
    line = [1 if d == along else m for d, m in enumerate(shape)]
    if E.size(x.shape) < E.size(line):
        return None
    one = E.reshape(x, line)
    powers = [E.full(one.type, 1), one]
    while len(powers) < n:
        k = len(powers)
        powers.append(powers[k // 2] * powers[k - k // 2])
    return E.concatenate(powers[:n], along)


@rule("x ** 0.5", "float", effects=ROUNDS | ZERO_SIGN)
def power_half(x: Expr, driver: Driver) -> Expr | None:
    """x ** 0.5 -> sqrt(x) for x that is nowhere negative. (They differ at -inf and -0.)"""
    return E.sqrt(x) if driver.facts.non_negative(x) or driver.is_fast else None


@rule("x ** -0.5", "float", effects=ROUNDS)
def power_minus_half(x: Expr, driver: Driver) -> Expr | None:
    """x ** -0.5 -> rsqrt(x) for x that is nowhere negative, nor -0."""
    return E.rsqrt(x) if _has_no_sign(x, driver) or driver.is_fast else None


def _has_no_sign(x: Expr, driver: Driver) -> bool:
    return driver.facts.non_negative(x) and not may_be_minus_zero(x.value)


# -- with proofs -------------------------------------------------------------------------------------------------------


@rule("x * 0", "inexact", effects=ZERO_SIGN)
def mul_zero(op: ir.Operation, x: Expr, driver: Driver) -> Expr | None:
    """x * 0 -> 0 for finite x."""
    return E.full(op.results[0].type, 0) if driver.facts.finite(x) else None


@rule("0 / x", "float")
def zero_div(op: ir.Operation, x: Expr, driver: Driver) -> Expr | None:
    """0 / x -> 0 for positive x that are numbers."""
    ordinary = driver.is_fast or (driver.facts.positive(x) and driver.facts.no_nan(x))
    return E.full(op.results[0].type, 0) if ordinary else None


@rule("x - x", "inexact")
def sub_self(op: ir.Operation, x: Expr, driver: Driver) -> Expr | None:
    """x - x -> 0 for finite x."""
    return E.full(op.results[0].type, 0) if driver.facts.finite(x) else None


@rule("x / x", "float")
def div_self(op: ir.Operation, x: Expr, driver: Driver) -> Expr | None:
    """x / x -> 1 for finite x > 0."""
    ordinary = driver.is_fast or (driver.facts.finite(x) and driver.facts.positive(x))
    return E.full(op.results[0].type, 1) if ordinary else None


@rule("0 / x", "int")
def zero_div_int(op: ir.Operation, x: Expr, driver: Driver) -> Expr | None:
    """0 / x -> 0 for integers other than 0."""
    return None if driver.facts.span(x).holds(0) else E.full(op.results[0].type, 0)


@rule("x / x", "int")
def div_self_int(op: ir.Operation, x: Expr, driver: Driver) -> Expr | None:
    """x / x -> 1 for integers other than 0."""
    return None if driver.facts.span(x).holds(0) else E.full(op.results[0].type, 1)


def _abs_known(op: ir.Operation, x: Expr, driver: Driver, ties: bool) -> Expr | None:
    if x.type != op.results[0].type:
        return None
    low, high, _ = driver.facts.span(x)
    return x if low > 0 or (ties and low == 0) else -x if high < 0 or (ties and high == 0) else None


@rule("abs(x)", "real")
def abs_known(op: ir.Operation, x: Expr, driver: Driver) -> Expr | None:
    """abs(x) -> x for x > 0, and -x for x < 0."""
    return _abs_known(op, x, driver, kind(x.type) == "int")


@rule("abs(x)", "float", effects=ZERO_SIGN | KINKS)
def abs_positive(op: ir.Operation, x: Expr, driver: Driver) -> Expr | None:
    """abs(x) -> x for x that is nowhere negative, and -x for one that is nowhere positive."""
    return _abs_known(op, x, driver, True)


def _is_jax_abs(op: ir.Operation) -> bool:
    return "gradir.primitive" in op.attributes and ir.StringAttr(op.attributes["gradir.primitive"]).value == "abs"


@rule("func_call(x)", "float", when=_is_jax_abs)
def abs_of_jax(op: ir.Operation, x: Expr, driver: Driver) -> Expr | None:
    """abs(x) -> x for x that is nowhere negative, by JAX's rule, too: its derivative at 0 is 1."""
    is_same = x.type == op.results[0].type and driver.facts.span(x).low >= 0 and not may_be_minus_zero(x.value)
    return x if is_same else None


@rule("sign(x)", "real")
def sign_known(op: ir.Operation, x: Expr, driver: Driver) -> Expr | None:
    """sign(x) -> 1 for x > 0, -1 for x < 0, and x if that is one of -1, 0 and 1."""
    low, high, nan = driver.facts.span(x)
    if not nan and (low > 0 or high < 0):
        return E.full(op.results[0].type, 1 if low > 0 else -1)
    return x if low >= -1 and high <= 1 and driver.facts.whole(x) else None


def _stays(name: str) -> None:
    def stays(x: Expr, driver: Driver) -> Expr | None:
        return x if driver.facts.whole(x) else None

    stays.__doc__ = f"{name}(x) -> x for whole numbers."
    rule(f"{name}(x)", "float", name=f"{name}_known")(stays)


for _name in ("floor", "ceil", "round_nearest_even", "round_nearest_afz"):
    _stays(_name)


@rule("is_finite(x)", "bool")
def is_finite_known(op: ir.Operation, x: Expr, driver: Driver) -> Expr | None:
    """is_finite(x) is true for finite x."""
    return E.full(op.results[0].type, True) if driver.facts.finite(x) else None


row("is_finite_neg", "is_finite(-x)", "is_finite(x)", "bool")


@rule("is_finite(abs(x))", "bool")
def is_finite_abs(x: Expr) -> Expr | None:
    """is_finite(abs(x)) -> is_finite(x) for real x."""
    return E.is_finite(x) if kind(x.type) == "float" else None


@rule("sqrt(x) * sqrt(x)", "float", effects=ROUNDS | ZERO_SIGN)
def square_sqrt_known(x: Expr, driver: Driver) -> Expr | None:
    """sqrt(x) * sqrt(x) -> x for x that is nowhere negative."""
    return x if driver.facts.non_negative(x) else None


@rule("sqrt(x * x)", "float", effects=ROUNDS | KINKS)
def sqrt_square_known(x: Expr, driver: Driver) -> Expr | None:
    """sqrt(x * x) -> abs(x) where the square does not overflow."""
    return E.absolute(x) if driver.facts.span(x).size < _ROOT.get(str(x.dtype), 0) else None


_ROOT = {"f64": 1e153, "f32": 1e18, "bf16": 1e18, "f16": 200}


@rule("exp(log(x))", "float", effects=ROUNDS | ZERO_SIGN)
def exp_log_known(x: Expr, driver: Driver) -> Expr | None:
    """exp(log(x)) -> x for x that is nowhere negative."""
    return x if driver.facts.non_negative(x) else None


@rule("log(exp(x))", "float", effects=ROUNDS | ZERO_SIGN)
def log_exp_known(x: Expr, driver: Driver) -> Expr | None:
    """log(exp(x)) -> x where the power neither overflows nor vanishes."""
    return x if driver.facts.span(x).size <= (9 if str(x.dtype) == "f16" else 80) else None


@rule("rsqrt(x) * rsqrt(x)", "float", effects=ROUNDS)
def rsqrt_square(x: Expr, driver: Driver) -> Expr | None:
    """rsqrt(x) * rsqrt(x) -> 1 / x for x that is nowhere negative, nor -0."""
    return 1 / x if _has_no_sign(x, driver) or driver.is_fast else None


# -- common factors ----------------------------------------------------------------------------------------------------

row("factor_left", "x * y + x * z", "x * (y + z)", "float", effects=ROUNDS | FINITE)
row("factor_left_sub", "x * y - x * z", "x * (y - z)", "float", effects=ROUNDS | FINITE)
row("factor_quotient", "x / z + y / z", "(x + y) / z", "float", effects=ROUNDS | FINITE)
row("factor_quotient_sub", "x / z - y / z", "(x - y) / z", "float", effects=ROUNDS | FINITE)
row("add_sub_same", "(x + y) - y", "x", "float", effects=ROUNDS | FINITE)
row("sub_add_same", "(x - y) + y", "x", "float", effects=ROUNDS | FINITE)
row("sub_from_difference", "(x - y) - x", "-y", "float", effects=ROUNDS | FINITE)
row("factor_int", "x * y + x * z", "x * (y + z)", "int")
row("cancel_factor", "(x * y) / y", "x", "float", effects=ROUNDS | FINITE)
row("cancel_quotient", "(x / y) * y", "x", "float", effects=ROUNDS | FINITE)
row("cancel_difference", "x - (x - y)", "y", "float", effects=ROUNDS | FINITE)
row("cancel_sum", "x - (x + y)", "-y", "float", effects=ROUNDS | FINITE)

# -- truth values and bits ---------------------------------------------------------------------------------------------

row("and_self", "x & x", "x", "bits")
row("or_self", "x | x", "x", "bits")
row("and_false", "x & 0", "0", "bits")
row("or_false", "x | 0", "x", "bits")
row("xor_false", "x ^ 0", "x", "bits")
row("and_true", "x & True", "x", "bool")
row("or_true", "x | True", "True", "bool")
row("xor_true", "x ^ True", "~x", "bool")
row("xor_self", "x ^ x", "0", "bits")
row("not_not", "~(~x)", "x", "bits")
row("and_absorb", "x & (x | y)", "x", "bits")
row("or_absorb", "x | (x & y)", "x", "bits")
row("and_not_self", "x & ~x", "0", "bits")
row("or_not_self", "x | ~x", "True", "bool")
row("not_and_not", "~x & ~y", "~(x | y)", "bits")
row("not_or_not", "~x | ~y", "~(x & y)", "bits")
row("and_and_self", "(x & y) & y", "x & y", "bits")
row("or_or_self", "(x | y) | y", "x | y", "bits")
row("xor_xor_self", "(x ^ y) ^ y", "x", "bits")


def _is_ones(x: Expr, c: int) -> bool:
    """Whether all bits of a constant are set."""
    t = ir.IntegerType(x.dtype)
    return c == (2**t.width - 1 if t.is_unsigned else -1)


@rule("x & C", "int")
def and_ones(x: Expr, C: int) -> Expr | None:
    """x & -1 -> x."""
    return x if _is_ones(x, C) else None


@rule("x | C", "int")
def or_ones(x: Expr, C: int) -> Expr | None:
    """x | -1 -> -1."""
    return E.full_like(x, C) if _is_ones(x, C) else None


@rule("x ^ C", "int")
def xor_ones(x: Expr, C: int) -> Expr | None:
    """x ^ -1 -> ~x."""
    return ~x if _is_ones(x, C) else None


@rule("(x / C1) / C2", "int")
def div_div_int(x: Expr, C1: int, C2: int, driver: Driver) -> Expr | None:
    """(x / C1) / C2 -> x / (C1 * C2) for positive integers, if the type has it; 0 if x can't be that large."""
    C = C1 * C2
    if C1 <= 0 or C2 <= 0:
        return None
    if of_type(x.dtype).high >= C:
        return x / C
    return E.zeros_like(x) if driver.facts.span(x).size < C else None


@rule("(x % C1) % C2", "int")
def rem_rem(x: Expr, C1: int, C2: int) -> Expr | None:
    """(x % C1) % C2 -> x % C2 if C2 divides C1."""
    return E.op("stablehlo.remainder", x, E.full_like(x, C2)) if C2 > 0 and C1 > 0 and C1 % C2 == 0 else None


@rule("optimization_barrier(*xs)", when=lambda op: any(made_by(v, "constant") is not None for v in op.operands))
def barrier_of_constants(op: ir.Operation, xs: list[Expr]) -> list[Expr]:
    """Constants pass a barrier."""
    others = [x for x in xs if made_by(x, "constant") is None]
    held = iter(E.exprs(E.ops(op.name, others, [x.type for x in others]).results) if others else [])
    return [x if made_by(x, "constant") is not None else next(held) for x in xs]
