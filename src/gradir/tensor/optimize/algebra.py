"""Algebraic identities of elementwise arithmetic.

A name that begins with `c` is a constant. Rows that say `rounds` reassociate: the last digit may differ, and where an
intermediate result over- or underflows the outcome may. Everything else, infinities and what is not a number included,
is the same on both sides, but for the sign of a zero.
"""

from __future__ import annotations

from collections.abc import Sequence

from jaxlib.mlir import ir

from gradir.tensor.analysis.ranges import of_type
from gradir.tensor.ir import expr as E
from gradir.tensor.ir.expr import Expr
from gradir.tensor.ir.reading import integer, ints, kind, made_by, single_use, splat_of
from gradir.tensor.optimize.driver import Driver
from gradir.tensor.optimize.rule import Family

algebra = Family("algebra", "identities of elementwise arithmetic")
row, rule = algebra.row, algebra.rule

# -- neutral elements --------------------------------------------------------------------------------------------------

row("add_zero", "x + 0", "x", "number")
row("sub_zero", "x - 0", "x", "number")
row("zero_sub", "0 - x", "-x", "number")
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
row("neg_sub", "-(x - y)", "y - x", "number")
row("neg_sub_from", "-x - y", "-(x + y)", "number")
row("mul_neg_neg", "-x * -y", "x * y", "number")
row("div_neg_neg", "-x / -y", "x / y", "inexact")
row("neg_mul_const", "-(x * c)", "x * -c", "real")
row("mul_neg_const", "-x * c", "x * -c", "real")
row("neg_div_const", "-(x / c)", "x / -c", "float")
row("div_const_neg", "c / -x", "-c / x", "float")
row("div_neg_const", "-x / c", "x / -c", "float")
row("neg_add_const", "-(x + c)", "-c - x", "real")
row("neg_const_div", "-(c / x)", "-c / x", "float")


def _both_once(op: ir.Operation) -> bool:
    """Whether an op's operand, and what is to change its sign in it, are for this op alone."""
    return single_use(op.operands[0])


@rule("-(x * (d := y - z))", "number", when=_both_once)
def neg_mul_difference(d: ir.Operation, x: Expr, y: Expr, z: Expr) -> Expr | None:
    """-(x * (y - z)) -> x * (z - y)."""
    return x * (z - y) if single_use(d.results[0]) else None


@rule("-((d := y - z) / x)", "inexact", when=_both_once)
def neg_difference_div(d: ir.Operation, x: Expr, y: Expr, z: Expr) -> Expr | None:
    """-((y - z) / x) -> (z - y) / x."""
    return (z - y) / x if single_use(d.results[0]) else None


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

row("mul_mul_const", "(x * c1) * c2", "x * (c1 * c2)", "real", rounds=True)
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
row("mul_const_mul_const", "(x * c1) * (y * c2)", "(x * y) * (c1 * c2)", "number", rounds=True)
row("add_const_add_const", "(x + c1) + (y + c2)", "(x + y) + (c1 + c2)", "number", rounds=True)
row("sub_const_sub_const", "(x + c1) - (y + c2)", "(x - y) + (c1 - c2)", "number", rounds=True)
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


@rule("x * c1 + y * c2", "float", rounds=True)
def factor_opposite(x: Expr, y: Expr, c1: float, c2: float) -> Expr | None:
    """x * c + y * -c -> (x - y) * c."""
    return (x - y) * c1 if c1 == -c2 else None


@rule("x * c1 - y * c2", "float", rounds=True)
def factor_opposite_sub(x: Expr, y: Expr, c1: float, c2: float) -> Expr | None:
    """x * c - y * -c -> (x + y) * c."""
    return (x + y) * c1 if c1 == -c2 else None


@rule("(x + c) + y", "number", rounds=True)
def add_const_out(op: ir.Operation, x: Expr, y: Expr, c: float) -> Expr | None:
    """(x + c) + y -> (x + y) + c, where another constant waits."""
    waits = _meets_constant(op, ("stablehlo.add", "stablehlo.subtract"))
    return (x + y) + c if waits and splat_of(y.value) is None and splat_of(x.value) is None else None


@rule("(m := x * c) * (b := broadcast(y))", "inexact", rounds=True)
def mul_const_to_smaller(m: ir.Operation, b: ir.Operation, x: Expr, y: Expr, c: float) -> Expr | None:
    """(x * c) * broadcast(y) -> x * broadcast(y * c): the constant goes where there is less to multiply."""
    return _with_smaller(m, b, x, y, c)


@rule("(m := x * (b := broadcast(y))) * c", "float", rounds=True)
def mul_const_into_smaller(m: ir.Operation, b: ir.Operation, x: Expr, y: Expr, c: float) -> Expr | None:
    """(x * broadcast(y)) * c -> x * broadcast(y * c): the constant goes where there is less to multiply."""
    return _with_smaller(m, b, x, y, c)


def _with_smaller(m: ir.Operation, b: ir.Operation, x: Expr, y: Expr, c: float) -> Expr | None:
    if not single_use(m.results[0]) or E.size(y.shape) >= E.size(x.shape):
        return None
    return x * E.broadcast(y * c, x.shape, ints(b, "broadcast_dimensions"))


@rule("x / (b := broadcast(y))", "float", rounds=True)
def div_by_broadcast(b: ir.Operation, x: Expr, y: Expr) -> Expr | None:
    """x / broadcast(y) -> x * broadcast(1 / y): there is less to divide."""
    if 4 * E.size(y.shape) > E.size(x.shape) or str(x.dtype) not in ("f32", "f64"):
        return None
    return x * E.broadcast(1 / y, x.shape, ints(b, "broadcast_dimensions"))


row("add_twice", "(x + y) + y", "x + y * 2", "float", rounds=True)


@rule("(x + y * c) + y", "float", rounds=True)
def add_once_more(x: Expr, y: Expr, c: float) -> Expr | None:
    """(x + y * c) + y -> x + y * (c + 1) for c > 0."""
    return x + y * (c + 1) if c > 0 else None


def _meets_constant(op: ir.Operation, names: Sequence[str] = ("stablehlo.multiply", "stablehlo.divide")) -> bool:
    """Whether a constant is the next to be multiplied with. (Otherwise it stays where it may be outside of a loop.)"""
    result = op.results[0]
    if not single_use(result):
        return False
    user = next(iter(result.uses)).owner.operation
    if user.name not in names:
        return False
    return any(v != result and splat_of(v) is not None for v in user.operands)


@rule("(x * c) * y", "real", rounds=True, when=_meets_constant)
def mul_const_out(x: Expr, y: Expr, c: float) -> Expr | None:
    """(x * c) * y -> (x * y) * c, where another constant waits."""
    return (x * y) * c if splat_of(y.value) is None and splat_of(x.value) is None else None


@rule("(x * c) / y", "float", rounds=True, when=_meets_constant)
def div_const_out(x: Expr, y: Expr, c: float) -> Expr | None:
    """(x * c) / y -> (x / y) * c, where another constant waits."""
    return (x / y) * c if splat_of(y.value) is None and splat_of(x.value) is None else None


@rule("x / (y * c)", "float", rounds=True, when=_meets_constant)
def div_by_const_out(x: Expr, y: Expr, c: float) -> Expr | None:
    """x / (y * c) -> (x / y) * (1 / c), where another constant waits."""
    return (x / y) * (1 / c) if splat_of(x.value) is None and c and 1e-30 < abs(1 / c) < 1e30 else None


@rule("x + x * c", "float", rounds=True)
def add_multiple(x: Expr, c: float) -> Expr | None:
    """x + x * c -> x * (1 + c) for c > 0. (With c < 0 an infinite x would cancel itself.)"""
    return x * (1 + c) if c > 0 else None


@rule("x * c1 + x * c2", "float", rounds=True)
def add_multiples(x: Expr, c1: float, c2: float) -> Expr | None:
    """x * c1 + x * c2 -> x * (c1 + c2) for constants of one sign."""
    return x * (c1 + c2) if c1 * c2 > 0 else None


# -- quotients, powers and roots ---------------------------------------------------------------------------------------

row("div_quotients", "(x / y) / (z / w)", "(x * w) / (y * z)", "float", rounds=True)
row("div_div", "(x / y) / z", "x / (y * z)", "float", rounds=True)
row("div_by_quotient", "x / (y / z)", "(x * z) / y", "float", rounds=True)
row("div_sqrt", "x / sqrt(y)", "x * rsqrt(y)", "float", rounds=True, gated=True)
row("div_rsqrt", "x / rsqrt(y)", "x * sqrt(y)", "float", rounds=True, gated=True)
row("one_div_sqrt", "1 / sqrt(x)", "rsqrt(x)", "float", rounds=True, gated=True)
row("one_div_rsqrt", "1 / rsqrt(x)", "sqrt(x)", "float", rounds=True, gated=True)
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
row("power_over", "(x ** c) / x", "x ** (c - 1)", "float", rounds=True, fast_math=True)
row("log_power", "log(x ** c)", "log(x) * c", "float", rounds=True, fast_math=True)
row("log_square", "log(x * x)", "log(abs(x)) * 2", "float", rounds=True, fast_math=True)
row("log_cbrt", "log(cbrt(x))", "log(x) * 0.3333333333333333", "float", rounds=True)
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
row("exp_plus_minus_one", "exp(x) + -1", "expm1(x)", "float", rounds=True)
row("square", "chlo_square(x)", "x * x", "number", rounds=True)
row("one_m_exp", "1 - exp(x)", "-expm1(x)", "float", rounds=True)


@rule("expm1(x) + 1", "float", rounds=True)
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


@rule("abs(x)", "float", kinks=True)
def abs_positive(op: ir.Operation, x: Expr, driver: Driver) -> Expr | None:
    """abs(x) -> x for x that is nowhere negative, and -x for one that is nowhere positive."""
    return _abs_known(op, x, driver, True)


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


@rule("sqrt(x) * sqrt(x)", "float", rounds=True)
def square_sqrt_known(x: Expr, driver: Driver) -> Expr | None:
    """sqrt(x) * sqrt(x) -> x for x that is nowhere negative."""
    return x if driver.facts.non_negative(x) else None


@rule("sqrt(x * x)", "float", rounds=True, kinks=True)
def sqrt_square_known(x: Expr, driver: Driver) -> Expr | None:
    """sqrt(x * x) -> abs(x) where the square does not overflow."""
    return E.absolute(x) if driver.facts.span(x).size < _ROOT.get(str(x.dtype), 0) else None


_ROOT = {"f64": 1e153, "f32": 1e18, "bf16": 1e18, "f16": 200}


@rule("exp(log(x))", "float", rounds=True)
def exp_log_known(x: Expr, driver: Driver) -> Expr | None:
    """exp(log(x)) -> x for x that is nowhere negative."""
    return x if driver.facts.non_negative(x) else None


@rule("log(exp(x))", "float", rounds=True)
def log_exp_known(x: Expr, driver: Driver) -> Expr | None:
    """log(exp(x)) -> x where the power neither overflows nor vanishes."""
    return x if driver.facts.span(x).size <= (9 if str(x.dtype) == "f16" else 80) else None


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
row("sub_add_same", "(x - y) + y", "x", "float", rounds=True, fast_math=True)
row("sub_from_difference", "(x - y) - x", "-y", "float", rounds=True, fast_math=True)
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


@rule("x & c", "int")
def and_ones(x: Expr, c: int) -> Expr | None:
    """x & -1 -> x."""
    return x if _is_ones(x, c) else None


@rule("x | c", "int")
def or_ones(x: Expr, c: int) -> Expr | None:
    """x | -1 -> -1."""
    return E.full_like(x, c) if _is_ones(x, c) else None


@rule("x ^ c", "int")
def xor_ones(x: Expr, c: int) -> Expr | None:
    """x ^ -1 -> ~x."""
    return ~x if _is_ones(x, c) else None


@rule("(x / c1) / c2", "int")
def div_div_int(x: Expr, c1: int, c2: int, driver: Driver) -> Expr | None:
    """(x / c1) / c2 -> x / (c1 * c2) for positive integers, if the type has it; 0 if x can't be that large."""
    c = c1 * c2
    if c1 <= 0 or c2 <= 0:
        return None
    if c <= of_type(x.dtype).high:
        return x / c
    return E.zeros_like(x) if driver.facts.span(x).size < c else None


@rule("(x % c1) % c2", "int")
def rem_rem(x: Expr, c1: int, c2: int) -> Expr | None:
    """(x % c1) % c2 -> x % c2 if c2 divides c1."""
    return E.op("stablehlo.remainder", x, E.full_like(x, c2)) if c2 > 0 and c1 > 0 and c1 % c2 == 0 else None


@rule("optimization_barrier(*xs)", when=lambda op: any(made_by(v, "constant") is not None for v in op.operands))
def barrier_of_constants(op: ir.Operation, xs: list[Expr]) -> list[Expr]:
    """Constants pass a barrier."""
    others = [x for x in xs if made_by(x, "constant") is None]
    held = iter(E.exprs(E.ops(op.name, others, [x.type for x in others]).results) if others else [])
    return [x if made_by(x, "constant") is not None else next(held) for x in xs]
