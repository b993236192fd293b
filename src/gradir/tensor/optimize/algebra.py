"""Algebraic identities of elementwise arithmetic.

A name that begins with `c` is a constant. Rows that say `rounds` reassociate: the last digit may differ, and where an
intermediate result over- or underflows the outcome may. Everything else, infinities and what is not a number included,
is the same on both sides, but for the sign of a zero.
"""

from __future__ import annotations

from jaxlib.mlir import ir

from gradir.tensor import expr as E
from gradir.tensor.expr import Expr
from gradir.tensor.optimize.driver import Driver
from gradir.tensor.optimize.reading import integer, ints, single_use, splat_of
from gradir.tensor.optimize.rule import Family

algebra = Family("algebra", "identities of elementwise arithmetic")
row, rule = algebra.row, algebra.rule

# -- neutral elements --------------------------------------------------------------------------------------------------

row("add_zero", "x + 0", "x", "number")
row("sub_zero", "x - 0", "x", "number")
row("zero_sub", "0 - x", "-x", "number")
row("mul_one", "x * 1", "x", "number")
row("mul_minus_one", "x * -1", "-x", "real")
row("div_one", "x / 1", "x", "number")
row("div_minus_one", "x / -1", "-x", "real")
row("rem_one", "x % 1", "0", "int")
row("mul_zero_int", "x * 0", "0", "int")
row("sub_self_int", "x - x", "0", "int")
row("add_self", "x + x", "x * 2", "inexact")
row("sub_add_same_int", "(x + y) - y", "x", "int")
row("add_sub_same_int", "(x - y) + y", "x", "int")
row("sub_sub_same_int", "x - (x - y)", "y", "int")
row("shift_left_zero", "shift_left(x, 0)", "x", "int")
row("shift_right_zero", "shift_right_logical(x, 0)", "x", "int")
row("shift_right_arithmetic_zero", "shift_right_arithmetic(x, 0)", "x", "int")

# -- signs -------------------------------------------------------------------------------------------------------------

row("neg_neg", "-(-x)", "x", "number")
row("add_neg", "x + -y", "x - y", "number")
row("sub_neg", "x - -y", "x + y", "number")
row("neg_sub", "-(x - y)", "y - x", "number")
row("neg_sub_from", "-x - y", "-(x + y)", "number")
row("mul_neg_neg", "-x * -y", "x * y", "number")
row("div_neg_neg", "-x / -y", "x / y", "float")
row("neg_mul_const", "-(x * c)", "x * -c", "real")
row("mul_neg_const", "-x * c", "x * -c", "real")
row("neg_div_const", "-(x / c)", "x / -c", "float")
row("div_const_neg", "c / -x", "-c / x", "float")
row("div_neg_const", "-x / c", "x / -c", "float")
row("neg_add_const", "-(x + c)", "-c - x", "real")
row("neg_const_div", "-(c / x)", "-c / x", "float")
row("mul_neg_left", "-x * y", "-(x * y)", "real", phase="up")
row("div_neg_left", "-x / y", "-(x / y)", "float", phase="up")
row("div_neg_right", "x / -y", "-(x / y)", "float", phase="up")
row("sub_mul_neg_const", "x - y * c", "x + y * -c", "float", phase="down")
row("abs_neg", "abs(-x)", "abs(x)", "real")
row("abs_abs", "abs(abs(x))", "abs(x)", "real")
row("cos_neg", "cos(-x)", "cos(x)", "float")
row("cos_abs", "cos(abs(x))", "cos(x)", "float")
row("sin_neg", "sin(-x)", "-sin(x)", "float", phase="up")
row("tanh_neg", "tanh(-x)", "-tanh(x)", "float", phase="up")
row("sign_neg", "sign(-x)", "-sign(x)", "real", phase="up")
row("sign_mul_abs", "sign(x) * abs(x)", "x", "real", kinks=True)
row("abs_mul_abs", "abs(x) * abs(x)", "x * x", "real")
row("sign_sign", "sign(sign(x))", "sign(x)", "real")
row("abs_mul_self", "abs(x * x)", "x * x", "float")
row("square_neg", "-x * -x", "x * x", "number")

# -- constants meet ----------------------------------------------------------------------------------------------------

row("mul_mul_const", "(x * c1) * c2", "x * (c1 * c2)", "number", rounds=True)
row("add_add_const", "(x + c1) + c2", "x + (c1 + c2)", "number", rounds=True)
row("sub_add_const", "(x - c1) + c2", "x + (c2 - c1)", "number", rounds=True)
row("add_sub_const", "(x + c1) - c2", "x + (c1 - c2)", "number", rounds=True)
row("sub_sub_const", "(x - c1) - c2", "x - (c1 + c2)", "number", rounds=True)
row("const_sub_add", "c1 - (x + c2)", "(c1 - c2) - x", "number", rounds=True)
row("const_sub_sub", "c1 - (x - c2)", "(c1 + c2) - x", "number", rounds=True)
row("const_sub_const_sub", "c1 - (c2 - x)", "x + (c1 - c2)", "number", rounds=True)
row("const_sub_plus_const", "(c1 - x) + c2", "(c1 + c2) - x", "number", rounds=True)
row("const_sub_minus_const", "(c1 - x) - c2", "(c1 - c2) - x", "number", rounds=True)
row("div_mul_const", "(x / c1) * c2", "x * (c2 / c1)", "float", rounds=True)
row("mul_div_const", "(x * c1) / c2", "x * (c1 / c2)", "float", rounds=True)
row("div_div_const", "(x / c1) / c2", "x / (c1 * c2)", "float", rounds=True)
row("const_div_div", "c1 / (x / c2)", "(c1 * c2) / x", "float", rounds=True)
row("const_div_mul", "c1 / (x * c2)", "(c1 / c2) / x", "float", rounds=True)
row("const_div_mul_const", "(c1 / x) * c2", "(c1 * c2) / x", "float", rounds=True)
row("const_div_div_const", "(c1 / x) / c2", "(c1 / c2) / x", "float", rounds=True)
row("mul_const_mul_const", "(x * c1) * (y * c2)", "(x * y) * (c1 * c2)", "float", rounds=True)
row("div_const_mul_const", "(x * c1) / (y * c2)", "(x / y) * (c1 / c2)", "float", rounds=True)
row("factor_const", "x * c + y * c", "(x + y) * c", "float", rounds=True)
row("factor_const_sub", "x * c - y * c", "(x - y) * c", "float", rounds=True)
row("factor_divisor", "x / c + y / c", "(x + y) / c", "float", rounds=True)
row("factor_divisor_sub", "x / c - y / c", "(x - y) / c", "float", rounds=True)
row("mul_const_div", "(c1 / x) * y", "(y * c1) / x", "float", rounds=True, fast_math=True)


@rule("x / c", "float", rounds=True)
def div_const(x: Expr, c: float) -> Expr | None:
    """x / c -> x * (1 / c), which for powers of two is exact."""
    inverse = 1 / c if c else 0.0
    return x * inverse if inverse and 1e-30 < abs(inverse) < 1e30 else None


@rule("(x * c) * y", "float", rounds=True)
def mul_const_out(op: ir.Operation, x: Expr, y: Expr, c: float) -> Expr | None:
    """(x * c) * y -> (x * y) * c, where another constant waits."""
    return (x * y) * c if _meets_constant(op) and splat_of(y.value) is None and splat_of(x.value) is None else None


def _meets_constant(op: ir.Operation) -> bool:
    """Whether a constant is the next to be multiplied with. (Otherwise it stays where it may be outside of a loop.)"""
    result = op.results[0]
    if not single_use(result):
        return False
    user = next(iter(result.uses)).owner.operation
    if user.name not in ("stablehlo.multiply", "stablehlo.divide"):
        return False
    return any(v != result and splat_of(v) is not None for v in user.operands)


@rule("(x * c) / y", "float", rounds=True)
def div_const_out(op: ir.Operation, x: Expr, y: Expr, c: float) -> Expr | None:
    """(x * c) / y -> (x / y) * c, where another constant waits."""
    return (x / y) * c if _meets_constant(op) and splat_of(y.value) is None and splat_of(x.value) is None else None


@rule("x / (y * c)", "float", rounds=True)
def div_by_const_out(op: ir.Operation, x: Expr, y: Expr, c: float) -> Expr | None:
    """x / (y * c) -> (x / y) * (1 / c), where another constant waits."""
    if splat_of(x.value) is not None or not _meets_constant(op) or not c or not 1e-30 < abs(1 / c) < 1e30:
        return None
    return (x / y) * (1 / c)


@rule("x + x * c", "float", rounds=True)
def add_multiple(x: Expr, c: float) -> Expr | None:
    """x + x * c -> x * (1 + c) for c > 0. (With c < 0 an infinite x would cancel itself.)"""
    return x * (1 + c) if c > 0 else None


@rule("x * c1 + x * c2", "float", rounds=True)
def add_multiples(x: Expr, c1: float, c2: float) -> Expr | None:
    """x * c1 + x * c2 -> x * (c1 + c2) for constants of one sign."""
    return x * (c1 + c2) if c1 * c2 > 0 else None


# -- quotients, powers and roots ---------------------------------------------------------------------------------------

row("div_div", "(x / y) / z", "x / (y * z)", "float", rounds=True)
row("div_by_quotient", "x / (y / z)", "(x * z) / y", "float", rounds=True)
row("div_sqrt", "x / sqrt(y)", "x * rsqrt(y)", "float", rounds=True)
row("div_rsqrt", "x / rsqrt(y)", "x * sqrt(y)", "float", rounds=True)
row("one_div_sqrt", "1 / sqrt(x)", "rsqrt(x)", "float", rounds=True)
row("one_div_rsqrt", "1 / rsqrt(x)", "sqrt(x)", "float", rounds=True)
row("mul_reciprocal", "(1 / x) * y", "y / x", "float", rounds=True)
row("div_exp", "x / exp(y)", "x * exp(-y)", "float", rounds=True, fast_math=True)
row("one_div_exp", "1 / exp(x)", "exp(-x)", "float", rounds=True)
row("power_zero", "x ** 0", "1", "float")
row("power_one", "x ** 1", "x", "float")
row("power_two", "x ** 2", "x * x", "float", rounds=True)
row("power_minus_one", "x ** -1", "1 / x", "float", rounds=True)
row("power_three", "x ** 3", "x * (x * x)", "float", rounds=True)
row("power_four", "x ** 4", "(x * x) * (x * x)", "float", rounds=True)
row("power_minus_two", "x ** -2", "1 / (x * x)", "float", rounds=True)
row("one_power", "1 ** x", "1", "float")
row("power_same_int", "(x ** y) * x", "x ** (y + 1)", "float", rounds=True, fast_math=True)
row("power_power", "(x ** c1) ** c2", "x ** (c1 * c2)", "float", rounds=True, fast_math=True)
row("power_product", "(x ** c1) * (x ** c2)", "x ** (c1 + c2)", "float", rounds=True, fast_math=True)
row("exp_product", "exp(x) * exp(y)", "exp(x + y)", "float", rounds=True, fast_math=True)
row("log_exp", "log(exp(x))", "x", "float", rounds=True, fast_math=True)
row("exp_log", "exp(log(x))", "x", "float", rounds=True, fast_math=True)
row("log_sqrt", "log(sqrt(x))", "log(x) * 0.5", "float", rounds=True)
row("log_rsqrt", "log(rsqrt(x))", "log(x) * -0.5", "float", rounds=True, fast_math=True)
row("log_one_plus", "log1p(expm1(x))", "x", "float", rounds=True, fast_math=True)
row("logistic_form", "1 / (1 + exp(-x))", "logistic(x)", "float", rounds=True)
row("one_minus_logistic", "1 - logistic(x)", "logistic(-x)", "float", rounds=True, fast_math=True)
row("sqrt_square", "sqrt(x * x)", "abs(x)", "float", rounds=True, fast_math=True)
row("square_sqrt", "sqrt(x) * sqrt(x)", "x", "float", rounds=True, fast_math=True)
row("double_angle", "sin(x) * sin(x) + cos(x) * cos(x)", "1", "float", rounds=True, fast_math=True)
row("log_one_p", "log(1 + x)", "log1p(x)", "float", rounds=True)
row("exp_m_one", "exp(x) - 1", "expm1(x)", "float", rounds=True)


@rule("x ** c", "float", rounds=True)
def power_whole(x: Expr, c: float) -> Expr | None:
    """x ** n -> a product of squares, for whole n up to 16."""
    n = int(c) if float(c).is_integer() and 5 <= abs(c) <= 16 else 0
    if not n:
        return None
    square, product, left = x, None, abs(n)
    while left:
        if left & 1:
            product = square if product is None else product * square
        left >>= 1
        if left:
            square = square * square
    assert product is not None
    return product if n > 0 else 1 / product


@rule("(b := broadcast(x)) ** (i := iota())", "float", rounds=True, gated=True)
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


@rule("x ** 0.5", "float", rounds=True)
def power_half(x: Expr, driver: Driver) -> Expr | None:
    """x ** 0.5 -> sqrt(x) for x that is nowhere negative. (They differ at -inf and -0.)"""
    return E.sqrt(x) if driver.facts.non_negative(x) or driver.fast_math else None


@rule("x ** -0.5", "float", rounds=True)
def power_minus_half(x: Expr, driver: Driver) -> Expr | None:
    """x ** -0.5 -> rsqrt(x) for x that is nowhere negative."""
    return E.rsqrt(x) if driver.facts.non_negative(x) or driver.fast_math else None


# -- with proofs -------------------------------------------------------------------------------------------------------


@rule("x * 0", "inexact")
def mul_zero(op: ir.Operation, x: Expr, driver: Driver) -> Expr | None:
    """x * 0 -> 0 for finite x."""
    return E.full(op.results[0].type, 0) if driver.facts.finite(x) else None


@rule("0 / x", "float")
def zero_div(op: ir.Operation, x: Expr, driver: Driver) -> Expr | None:
    """0 / x -> 0 for positive x that are numbers."""
    ordinary = driver.fast_math or (driver.facts.positive(x) and driver.facts.no_nan(x))
    return E.full(op.results[0].type, 0) if ordinary else None


@rule("x - x", "inexact")
def sub_self(op: ir.Operation, x: Expr, driver: Driver) -> Expr | None:
    """x - x -> 0 for finite x."""
    return E.full(op.results[0].type, 0) if driver.facts.finite(x) else None


@rule("x / x", "float")
def div_self(op: ir.Operation, x: Expr, driver: Driver) -> Expr | None:
    """x / x -> 1 for finite x > 0."""
    ordinary = driver.fast_math or (driver.facts.finite(x) and driver.facts.positive(x))
    return E.full(op.results[0].type, 1) if ordinary else None


@rule("abs(x)", "real", kinks=True)
def abs_positive(x: Expr, driver: Driver) -> Expr | None:
    """abs(x) -> x for x that is nowhere negative."""
    return x if driver.facts.non_negative(x) else None


@rule("rsqrt(x) * rsqrt(x)", "float", rounds=True)
def rsqrt_square(x: Expr, driver: Driver) -> Expr | None:
    """rsqrt(x) * rsqrt(x) -> 1 / x for x that is nowhere negative."""
    return 1 / x if driver.facts.non_negative(x) or driver.fast_math else None


# -- common factors ----------------------------------------------------------------------------------------------------

row("factor_left", "x * y + x * z", "x * (y + z)", "float", rounds=True, fast_math=True)
row("factor_left_sub", "x * y - x * z", "x * (y - z)", "float", rounds=True, fast_math=True)
row("factor_quotient", "x / z + y / z", "(x + y) / z", "float", rounds=True, fast_math=True)
row("factor_quotient_sub", "x / z - y / z", "(x - y) / z", "float", rounds=True, fast_math=True)
row("add_sub_same", "(x + y) - y", "x", "float", rounds=True, fast_math=True)
row("factor_int", "x * y + x * z", "x * (y + z)", "int")
row("cancel_factor", "(x * y) / y", "x", "float", rounds=True, fast_math=True)
row("cancel_quotient", "(x / y) * y", "x", "float", rounds=True, fast_math=True)
row("cancel_difference", "x - (x - y)", "y", "float", rounds=True, fast_math=True)
row("cancel_sum", "x - (x + y)", "-y", "float", rounds=True, fast_math=True)

# -- truth values and bits ---------------------------------------------------------------------------------------------

row("and_self", "x & x", "x", "bits")
row("or_self", "x | x", "x", "bits")
row("and_false", "x & 0", "0", "bits")
row("or_false", "x | 0", "x", "bits")
row("xor_false", "x ^ 0", "x", "bits")
row("and_true", "x & True", "x", "bool")
row("or_true", "x | True", "True", "bool")
row("xor_true", "x ^ True", "~x", "bool")
row("and_ones", "x & -1", "x", "int")
row("or_ones", "x | -1", "-1", "int")
row("xor_ones", "x ^ -1", "~x", "int")
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
