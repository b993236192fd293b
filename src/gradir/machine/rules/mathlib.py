"""The C math library, and LLVM's intrinsics of the same names: each row is the formula.

A formula gets the operands and, last, the result `r`, and uses the result where that saves a call. Names are those in
double; the spellings for other precisions and other libraries are the table's business (`rule.rule_named`).
"""

from __future__ import annotations

from math import log as ln
from math import pi
from math import sqrt as root

from gradir.machine.ir.builder import Expr
from gradir.machine.rules.elementary import (
    both_hold,
    constant_of,
    copysign,
    cos,
    cosh,
    exp,
    floor,
    integer,
    library,
    log,
    one_like,
    pow,
    power_of_two,
    sign,
    sin,
    sinh,
    sqrt,
    to_float,
    where,
)
from gradir.machine.rules.rule import Formula, partials

LN2, LN10 = ln(2), ln(10)


def both(names: str, *formulas: Formula | None, note: str = "") -> None:
    """A function of the C library that is an intrinsic as well."""
    for name in names.split():
        partials(f"{name} llvm.{name}", *formulas, note=note)


# -- exponentials and logarithms --------------------------------------------------------------------------------------

both("exp", lambda x, r: r)
both("exp2", lambda x, r: r * LN2)
both("exp10", lambda x, r: r * LN10)
partials("pow10", lambda x, r: r * LN10)
partials("expm1", lambda x, r: r + 1.0)
partials("exp2m1", lambda x, r: (r + 1.0) * LN2)
partials("exp10m1", lambda x, r: (r + 1.0) * LN10)
both("log", lambda x, r: 1.0 / x)
both("log2", lambda x, r: (1 / LN2) / x)
both("log10", lambda x, r: (1 / LN10) / x)
partials("log1p logp1", lambda x, r: 1.0 / (x + 1.0))
partials("log2p1", lambda x, r: (1 / LN2) / (x + 1.0))
partials("log10p1", lambda x, r: (1 / LN10) / (x + 1.0))

# -- powers and roots -------------------------------------------------------------------------------------------------

both("sqrt", lambda x, r: 0.5 / r, note="infinite at 0")
partials("cbrt", lambda x, r: (1 / 3) / (r * r), note="infinite at 0")
partials("rsqrt", lambda x, r: -0.5 * (r / x))
partials("__nv_rcbrt", lambda x, r: (-1 / 3) * (r / x))


def _pow_by_base(x: Expr, y: Expr, r: Expr) -> Expr | float:
    """`y * pow(x, y - 1)`"""
    exponent = constant_of(y)
    if exponent is None:
        return where(y.eq(0.0), 0.0, y * pow(x, y - 1.0), x)
    if exponent in (0, 1):
        return exponent
    if exponent == 2:
        return x * 2.0
    return exponent * pow(x, x.code.constant(x.type, exponent - 1))


def _pow_by_exponent(x: Expr, y: Expr, r: Expr) -> Expr:
    """`r * log(x)`"""
    flat = both_hold(x.eq(0.0), y >= 0.0)
    return where(flat, 0.0, r * log(x), x)


both(
    "pow",
    _pow_by_base,
    _pow_by_exponent,
    note="by x: 0 where y is 0; by y: 0 where x is 0 and y is not negative",
)
partials("powr", _pow_by_base, _pow_by_exponent)
partials("rootn", lambda x, n, r: r / (x * to_float(n, x)), None)
partials("compoundn", lambda x, n, r: to_float(n, x) * (r / (x + 1.0)), None)

AT_ORIGIN = "0 at the origin, as for `fabs`"


def _share(x: Expr, r: Expr) -> Expr:
    """x over the length of a vector that x is a part of."""
    return where(r.eq(0.0), 0.0, x / r, x)


partials("hypot", lambda x, y, r: _share(x, r), lambda x, y, r: _share(y, r), note=AT_ORIGIN)
partials("__nv_rhypot", lambda x, y, r: -(x * r * r * r), lambda x, y, r: -(y * r * r * r))
partials("__nv_norm3d", *(lambda *v, i=i: _share(v[i], v[-1]) for i in range(3)), note=AT_ORIGIN)
partials("__nv_norm4d", *(lambda *v, i=i: _share(v[i], v[-1]) for i in range(4)), note=AT_ORIGIN)

# -- trigonometric and hyperbolic functions ---------------------------------------------------------------------------

both("sin", lambda x, r: cos(x))
both("cos", lambda x, r: -sin(x))
both("tan", lambda x, r: r * r + 1.0)
both("asin", lambda x, r: 1.0 / sqrt((1.0 - x) * (x + 1.0)), note="infinite at ±1")
both("acos", lambda x, r: -1.0 / sqrt((1.0 - x) * (x + 1.0)), note="infinite at ±1")
both("atan", lambda x, r: 1.0 / (x * x + 1.0))
both(
    "atan2",
    lambda y, x, r: x / (x * x + y * y),
    lambda y, x, r: -(y / (x * x + y * y)),
    note="undefined (nan) at the origin",
)
both("sinh", lambda x, r: cosh(x))
both("cosh", lambda x, r: sinh(x))
both("tanh", lambda x, r: 1.0 - r * r)
partials("asinh", lambda x, r: 1.0 / sqrt(x * x + 1.0))
partials("acosh", lambda x, r: 1.0 / sqrt((x - 1.0) * (x + 1.0)), note="infinite at 1")
partials("atanh", lambda x, r: 1.0 / ((1.0 - x) * (x + 1.0)), note="infinite at ±1")


def _turns(x: Expr) -> Expr:
    """πx, less whole turns, so that it is as accurate far from 0 as near it."""
    return (x - floor(x * 0.5 + 0.5) * 2.0) * pi


partials("sinpi", lambda x, r: cos(_turns(x)) * pi)
partials("cospi", lambda x, r: sin(_turns(x)) * -pi)
partials("tanpi", lambda x, r: (r * r + 1.0) * pi)
partials("asinpi", lambda x, r: (1 / pi) / sqrt((1.0 - x) * (x + 1.0)), note="infinite at ±1")
partials("acospi", lambda x, r: (-1 / pi) / sqrt((1.0 - x) * (x + 1.0)), note="infinite at ±1")
partials("atanpi", lambda x, r: (1 / pi) / (x * x + 1.0))
partials(
    "atan2pi",
    lambda y, x, r: (x * (1 / pi)) / (x * x + y * y),
    lambda y, x, r: (y * (-1 / pi)) / (x * x + y * y),
    note="undefined (nan) at the origin",
)

# -- error function, gamma function, Bessel functions -----------------------------------------------------------------

partials("erf", lambda x, r: exp(-(x * x)) * (2 / root(pi)))
partials("erfc", lambda x, r: exp(-(x * x)) * (-2 / root(pi)))
partials("__nv_erfcx _FortranAErfcScaled", lambda x, r: x * r * 2.0 - 2 / root(pi))
partials("__nv_erfinv", lambda x, r: exp(r * r) * (root(pi) / 2))
partials("__nv_erfcinv", lambda x, r: exp(r * r) * (-root(pi) / 2))
partials("__nv_normcdf", lambda x, r: exp(x * x * -0.5) * (1 / root(2 * pi)))
partials("__nv_normcdfinv", lambda x, r: exp(r * r * 0.5) * root(2 * pi))


def polygamma(n: Expr | int, x: Expr) -> Expr:
    return library("gradir.polygamma", integer(n, x) if isinstance(n, int) else n, x)


partials("lgamma gamma", lambda x, r: polygamma(0, x), note="`signgam` has no derivative")
partials("tgamma numba_gamma", lambda x, r: r * polygamma(0, x))
partials("gradir.polygamma", None, lambda n, x, r: polygamma(n + 1, x))

partials("j0", lambda x, r: -library("j1", x))
partials("j1", lambda x, r: where(x.eq(0.0), 0.5, library("j0", x) - r / x, x))
partials("jn", None, lambda n, x, r: (library("jn", n - 1, x) - library("jn", n + 1, x)) * 0.5)
partials("y0", lambda x, r: -library("y1", x))
partials("y1", lambda x, r: library("y0", x) - r / x)
partials("yn", None, lambda n, x, r: (library("yn", n - 1, x) - library("yn", n + 1, x)) * 0.5)
partials("__nv_cyl_bessel_i0", lambda x, r: library("__nv_cyl_bessel_i1", x))
partials("__nv_cyl_bessel_i1", lambda x, r: where(x.eq(0.0), 0.5, library("__nv_cyl_bessel_i0", x) - r / x, x))

# -- absolute values, extremes, remainders ----------------------------------------------------------------------------

both("fabs", lambda x, r: sign(x), note="0 at 0")
both(
    "copysign",
    lambda x, y, r: sign(x) * copysign(one_like(x), y),
    None,
    note="by x: 0 at 0, as for `fabs`",
)


def first(x: Expr, y: Expr, r: Expr) -> Expr:
    """1 where the result is the first operand"""
    return where(r.eq(x), 1.0, 0.0, x)


def second(x: Expr, y: Expr, r: Expr) -> Expr:
    """1 where it is not"""
    return where(r.eq(x), 0.0, 1.0, x)


TIES = "of equal operands the first counts"
partials("fmax fmin fmaximum fminimum fmaximum_num fminimum_num", first, second, note=TIES)
partials("fmaximum_mag fminimum_mag fmaximum_mag_num fminimum_mag_num", first, second, note=TIES)
partials("llvm.maxnum llvm.minnum llvm.maximum llvm.minimum llvm.maximumnum llvm.minimumnum", first, second, note=TIES)
partials(
    "fdim",
    lambda x, y, r: where(x > y, 1.0, 0.0, x),
    lambda x, y, r: where(x > y, -1.0, 0.0, x),
    note="0 where the operands are equal",
)
partials("__nv_saturate", lambda x, r: where(r.eq(x), 1.0, 0.0, x))


def quotient(x: Expr, y: Expr, r: Expr) -> Expr:
    """`-((x - r) / y)`"""
    return -((x - r) / y)


partials("fmod", lambda x, y, r: 1.0, quotient, note="by y: minus the quotient, rounded towards zero")
partials("remainder drem", lambda x, y, r: 1.0, quotient, note="by y: minus the quotient, rounded to nearest")
partials("_FortranAModReal", lambda x, y, f, l, r: 1.0, lambda x, y, f, l, r: quotient(x, y, r), None, None)
partials("_FortranAModuloReal", lambda x, y, f, l, r: 1.0, lambda x, y, f, l, r: quotient(x, y, r), None, None)

# -- arithmetic as functions ------------------------------------------------------------------------------------------

both("fma", lambda x, y, z, r: y, lambda x, y, z, r: x, lambda x, y, z, r: 1.0)
partials("__nv_dadd __nv_fadd", lambda x, y, r: 1.0, lambda x, y, r: 1.0)
partials("__nv_dsub __nv_fsub", lambda x, y, r: 1.0, lambda x, y, r: -1.0)
partials("__nv_dmul __nv_fmul", lambda x, y, r: y, lambda x, y, r: x)
partials("__nv_ddiv __nv_fdiv __nv_fdivide", lambda x, y, r: 1.0 / y, lambda x, y, r: -(r * (1.0 / y)))
partials("__nv_drcp __nv_frcp", lambda x, r: -(r * r))
partials("__nv_dsqrt __nv_fsqrt", lambda x, r: 0.5 / r)
partials("__nv_frsqrt", lambda x, r: -0.5 * (r / x))

# -- the parts of a number --------------------------------------------------------------------------------------------


both("ldexp", lambda x, n, r: power_of_two(n, x), None)
partials("scalbn scalbln numba_ldexp", lambda x, n, r: power_of_two(n, x), None)
partials("significand _FortranAFraction", lambda x, r: where(x.eq(0.0), 1.0, r / x, x))
partials("_FortranAScale", lambda x, n, r: power_of_two(n, x), None)
partials("_FortranASetExponent", lambda x, n, r: where(x.eq(0.0), 1.0, r / x, x), None)
partials("_FortranANearest", lambda x, up, r: 1.0, None)
partials("_FortranARRSpacing", lambda x, r: where(x.eq(0.0), 0.0, r / x, x))
partials("_FortranASpacing", None)
partials("nextafter nexttoward", lambda x, y, r: 1.0, None)
partials("nextup nextdown", lambda x, r: 1.0)
partials("logb ilogb llogb", None)
both("floor ceil trunc rint nearbyint round roundeven", None)
both("lrint llrint lround llround", None)
