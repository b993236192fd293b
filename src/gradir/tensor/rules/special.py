"""CHLO: special functions, and ops that broadcast their operands as NumPy does."""

from __future__ import annotations

import decimal
import math
from collections.abc import Callable, Sequence
from decimal import Decimal
from functools import cache

import numpy as np
from jaxlib.mlir import ir
from jaxlib.mlir.dialects import chlo
from jaxlib.mlir.dialects import stablehlo as hlo

from gradir.errors import NoRule
from gradir.tensor.ir import expr as E
from gradir.tensor.ir.expr import Expr, exp, op, rsqrt, select
from gradir.tensor.ir.module import location_text
from gradir.tensor.rules.rule import Rule, Site, add, batch_elementwise, elementwise, expand, inactive, linear

# -- circular and hyperbolic functions ---------------------------------------------------------------------------------
# Each square root is taken where it has the branch of the function itself, so that the rows hold for complex numbers.



def _one_over_hypotenuse(x: Expr) -> Expr:
    """`1 / sqrt(x² + 1)`, of a real x without its square where that may leave the range."""
    if E.is_complex(x.dtype):
        return rsqrt(x * x + 1)
    a = E.absolute(x)
    long, short = E.maximum(a, 1), E.minimum(a, 1)
    ratio = short / long
    return rsqrt(ratio * ratio + 1) / long


elementwise("chlo.acos", lambda d, x, y: d * -rsqrt((1 - x) * (1 + x)))
elementwise("chlo.asin", lambda d, x, y: d * rsqrt((1 - x) * (1 + x)))
elementwise("chlo.atan", lambda d, x, y: d / (1 + x * x))
elementwise("chlo.tan", lambda d, x, y: d * (1 + y * y))
elementwise("chlo.sinh", lambda d, x, y: d * op("chlo.cosh", x))
elementwise("chlo.cosh", lambda d, x, y: d * op("chlo.sinh", x))
elementwise("chlo.asinh", lambda d, x, y: d * _one_over_hypotenuse(x))
elementwise("chlo.acosh", lambda d, x, y: d * (rsqrt(x - 1) * rsqrt(x + 1)))
elementwise("chlo.atanh", lambda d, x, y: d / ((1 - x) * (1 + x)))


def _asin_acos_kernel(site: Site) -> list[Expr]:
    """What asin, acos and their kin have in common, by what it gives them: asin(z) = (atan2(Re z, Re w), ±Im w)."""
    (z,) = site.ins
    return [E.complex_(E.real(E.sqrt((1 - z) * (1 + z))), E.absolute(E.imag(op("chlo.asin", z))))]


add(Rule("chlo._asin_acos_kernel", expand=_asin_acos_kernel, batch=batch_elementwise))

# -- error function and gamma function ---------------------------------------------------------------------------------

_SLOPE = 2 / math.sqrt(math.pi)
"""The derivative of the error function at 0."""

elementwise("chlo.erf", lambda d, x, y: d * (_SLOPE * exp(-(x * x))))
elementwise("chlo.erfc", lambda d, x, y: d * (-_SLOPE * exp(-(x * x))))
elementwise("chlo.erf_inv", lambda d, x, y: d * (1 / _SLOPE * exp(y * y)))
elementwise("chlo.lgamma", lambda d, x, y: d * op("chlo.digamma", x))


def _trigamma(x: Expr) -> Expr:
    """The derivative of digamma, left of 0 by reflection: polygamma's series is cut off too early there."""
    is_left = x < 0
    within = select(is_left, x - op("stablehlo.round_nearest_even", x), 0.5)  # where the sine is taken, and exact
    series = op("chlo.polygamma", E.full_like(x, 1), select(is_left, 1 - x, x))
    slope = math.pi / E.sin(math.pi * within)
    return select(is_left, slope * slope - series, series)


elementwise("chlo.digamma", lambda d, x, y: d * _trigamma(x))


def _no_derivative(by: str, function: str) -> Callable[..., Expr]:
    def row(d: Expr, *values: Expr) -> Expr:
        raise NoRule(
            f"{function} has no derivative by its {by}",
            location=location_text(ir.Location.current),
            hint=f"make the {by} a constant, or wrap it in enzyme.ignore_derivatives",
        )

    return row


elementwise(
    "chlo.polygamma",
    _no_derivative("order", "chlo.polygamma"),
    lambda d, n, x, y: d * op("chlo.polygamma", n + 1, x),
)
elementwise(
    "chlo.zeta",
    _no_derivative("exponent", "chlo.zeta"),
    lambda d, s, q, y: d * (-s * op("chlo.zeta", s + 1, q)),
)

# -- Bessel function ---------------------------------------------------------------------------------------------------
# The derivative of i1e(x) = exp(-|x|) I1(x) needs I0, which CHLO doesn't have. It is an even function, approximated by
# Chebyshev polynomials on two intervals of |x|: itself up to SPLIT, and times |x|^(3/2), as a function of 1/|x|, above.

SPLIT = 8.0


PI = Decimal("3.14159265358979323846264338327950288419716939937510582097494")


def i1e_prime(x: Decimal) -> Decimal:
    """The derivative of i1e at x >= 0, by its power series, or far out by the asymptotic series."""
    return _by_power_series(x) if x < 60 else _by_asymptotic_series(x)


def _by_power_series(x: Decimal) -> Decimal:
    """exp(-x) (I0 - I1 / x - I1), term by term."""
    term0, term1 = Decimal(1), Decimal("0.5")  # of I0 and of I1 / x
    total = Decimal(0)
    for k in range(1, 200):
        total += term0 - (1 + x) * term1
        term0, term1 = term0 * (x / (2 * k)) ** 2, term1 * (x / 2) ** 2 / (k * (k + 1))
    return total * (-x).exp()


def _by_asymptotic_series(x: Decimal) -> Decimal:
    """exp(-x) I1(x) = Σ c_k x^(-k - 1/2), term by term differentiated."""
    c, total = Decimal(1), Decimal(0)
    for k in range(40):
        total -= (k + Decimal("0.5")) * c / x**k
        c *= Decimal((2 * k + 1) ** 2 - 4) / (8 * (k + 1))
    return total / (2 * PI * x**3).sqrt()


def _cosine(x: Decimal) -> Decimal:
    term = total = Decimal(1)
    for k in range(1, 100, 2):
        term *= -x * x / (k * (k + 1))
        total += term
    return total


def chebyshev(f: Callable[[Decimal], Decimal], degree: int = 40) -> list[float]:
    """The coefficients of the polynomial that agrees with `f` at the Chebyshev points of [-1, 1]."""
    n = degree + 1
    cosines = [_cosine(PI * m / (2 * n)) for m in range(4 * n)]
    values = [f(cosines[2 * j + 1]) for j in range(n)]
    sums = [sum(y * cosines[k * (2 * j + 1) % (4 * n)] for j, y in enumerate(values)) for k in range(n)]
    return [float(s / n * (2 if k else 1)) for k, s in enumerate(sums)]


@cache
def i1e_prime_coefficients() -> tuple[list[float], list[float]]:
    """For both intervals, in many digits, so that each is right to its last."""
    split = Decimal(SPLIT)

    def below(t: Decimal) -> Decimal:
        return i1e_prime(split / 2 * (t + 1))

    def above(t: Decimal) -> Decimal:
        x = 2 * split / (t + 1)
        return i1e_prime(x) * x * x.sqrt()

    with decimal.localcontext(prec=60):
        return chebyshev(below), chebyshev(above)


def clenshaw(t: Expr, coefficients: Sequence[float], epsilon: float) -> Expr:
    """The sum of Chebyshev polynomials at `t`, as many as `epsilon` needs."""
    last = max(k for k, c in enumerate(coefficients) if abs(c) > epsilon / 8)
    twice, one, two = t * 2, E.zeros_like(t), E.zeros_like(t)
    for c in reversed(coefficients[1 : last + 1]):
        one, two = twice * one - two + c, one
    return t * one - two + coefficients[0]


def bessel_i1e_prime(x: Expr) -> Expr:
    """Each formula sees only arguments it is good for, so that its own derivative is finite where it is not taken."""
    wide = isinstance(x.dtype, ir.F64Type)
    a = E.absolute(E.convert(x, x.dtype if wide else ir.F32Type.get()))
    epsilon = float(np.finfo(np.float64 if wide else np.float32).eps)
    low, high = i1e_prime_coefficients()
    is_far = a > SPLIT
    near, far = select(is_far, SPLIT, a), select(is_far, a, SPLIT)
    above = clenshaw(2 * SPLIT / far - 1, high, epsilon) / (far * E.sqrt(far))
    below = clenshaw(near * (2 / SPLIT) - 1, low, epsilon)
    return E.convert(select(is_far, above, below), x.dtype)


elementwise("chlo.bessel_i1e", lambda d, x, y: d * bessel_i1e_prime(x))

# -- others ------------------------------------------------------------------------------------------------------------

elementwise("chlo.square", lambda d, x, y: d * (2 * x))
elementwise("chlo.next_after", lambda d, x, y, z: d, None)
linear("chlo.conj", lambda site, ct: E.conj(ct), batch=batch_elementwise)
for _name in ("constant", "constant_like", "is_inf", "is_neg_inf", "is_pos_inf", "mulhi"):
    inactive(f"chlo.{_name}")

# -- broadcasting ------------------------------------------------------------------------------------------------------


def _broadcasting(name: str, target: str) -> None:
    """`chlo.broadcast_f`: its operands, broadcast to the shape of the result, and then `f`."""

    def body(site: Site) -> list[Expr]:
        shape = _common_shape(site)
        operands = [_spread(site, x, shape) for x in site.ins]
        return [op(target, *operands, result=site.out_type(), **_attributes(site))]

    expand(name, body)


def _attributes(site: Site) -> dict[str, ir.Attribute]:
    """Those of the op without broadcasting, in the terms of its own dialect."""
    kept = {name: attr for name, attr in site.attributes().items() if name != "broadcast_dimensions"}
    if "comparison_direction" in kept:
        direction = chlo.ComparisonDirectionAttr(kept["comparison_direction"])
        kept["comparison_direction"] = hlo.ComparisonDirectionAttr.get(direction.value)
    if "compare_type" in kept:
        kept["compare_type"] = hlo.ComparisonTypeAttr.get(chlo.ComparisonTypeAttr(kept["compare_type"]).value)
    return kept


def _dims(site: Site, x: Expr) -> list[int]:
    """Which dimensions of the result those of `x` are: the last, or, for the smaller operand, those that are named."""
    rank = site.out_type().rank
    named = site.get("broadcast_dimensions")
    return list(named) if named is not None and x.rank < rank else list(range(rank - x.rank, rank))


def _common_shape(site: Site) -> Expr | None:
    """The sizes of the result's dimensions, where they are known at run time only."""
    t = site.out_type()
    if t.has_static_shape:
        return None
    one = E.array([1], ir.IntegerType.get_signless(32))
    sizes: list[Expr] = [one] * t.rank
    for x in site.ins:
        for d, at in enumerate(_dims(site, x)):
            mine = E.reshape(op("stablehlo.get_dimension_size", x, dimension=E.i64(d)), [1])
            sizes[at] = mine if sizes[at] is one else select(sizes[at].eq(1), mine, sizes[at])
    return E.concatenate(sizes, 0)


def _spread(site: Site, x: Expr, sizes: Expr | None) -> Expr:
    shape, dims = site.out_type().shape, _dims(site, x)
    if sizes is None:
        return E.broadcast(x, shape, dims)
    target = E.tensor(shape, x.dtype)
    return op("stablehlo.dynamic_broadcast_in_dim", x, sizes, result=target, broadcast_dimensions=E.i64s(dims))


for _name in ("add", "and", "atan2", "compare", "complex", "divide", "maximum", "minimum", "multiply", "or", "power"):
    _broadcasting(f"chlo.broadcast_{_name}", f"stablehlo.{_name}")
for _name in ("remainder", "select", "shift_left", "shift_right_arithmetic", "shift_right_logical", "subtract", "xor"):
    _broadcasting(f"chlo.broadcast_{_name}", f"stablehlo.{_name}")
for _name in ("next_after", "polygamma", "zeta"):
    _broadcasting(f"chlo.broadcast_{_name}", f"chlo.{_name}")
