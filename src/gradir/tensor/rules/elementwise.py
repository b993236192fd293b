"""Elementwise ops: the derivative of each is a row, and the row is the formula.

`d` is the derivative that comes in (a tangent or a cotangent), then come the operands and the result. Conventions at
kinks and poles are JAX's; `docs/conventions.md` lists them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import ml_dtypes
from jaxlib.mlir import ir

from gradir.errors import NoRule
from gradir.tensor.ir import expr as E
from gradir.tensor.ir.expr import Expr, log, power, select, sign
from gradir.tensor.ir.module import location_text
from gradir.tensor.ir.reading import dtype as numpy_type
from gradir.tensor.ir.reading import splat_of
from gradir.tensor.rules.interface import Cotangent, Shadow
from gradir.tensor.rules.rule import (
    Rule,
    Site,
    add,
    add_shadows,
    batch_elementwise,
    batched_type,
    elementwise,
    inactive,
    linear,
    with_batch,
)

# -- one operand -------------------------------------------------------------------------------------------------------

elementwise("stablehlo.negate", lambda d, x, y: -d)
elementwise("stablehlo.exponential", lambda d, x, y: d * y)
elementwise("stablehlo.exponential_minus_one", lambda d, x, y: d * (y + 1))
elementwise("stablehlo.log", lambda d, x, y: d / x)
elementwise("stablehlo.log_plus_one", lambda d, x, y: d / (x + 1))
elementwise("stablehlo.sqrt", lambda d, x, y: d * (0.5 / y))
elementwise("stablehlo.rsqrt", lambda d, x, y: ((d * y) * y) * (-0.5 * y))  # y³ may be out of range where this is not
elementwise("stablehlo.cbrt", lambda d, x, y: d * ((1 / 3) / (y * y)))
elementwise("stablehlo.tan", lambda d, x, y: d * (1 + y * y))
elementwise("stablehlo.tanh", lambda d, x, y: d * ((1 - y) + (1 - y) * y))
elementwise("stablehlo.logistic", lambda d, x, y: d * (y * (1 - y)))


def _one(shadows: Sequence[Shadow]) -> Expr:
    """The only tangent or cotangent there is."""
    (d,) = shadows
    assert d is not None
    return d


def _unary(name: str, jvp: Callable[[Site, Expr], Shadow], vjp: Callable[[Site, Expr], Shadow]) -> None:
    """One operand and one result, where a row does not say it all."""
    add(
        Rule(
            name,
            jvp=lambda site, tangents: [jvp(site, _one(tangents))],
            vjp=lambda site, cotangents: [vjp(site, _one(cotangents))],
            batch=batch_elementwise,
        )
    )


def _circular(name: str, factor: Callable[[Callable[[str], Expr]], Expr]) -> None:
    """Sine and cosine: each has the other for its derivative, as accurate as was asked for."""

    def at(site: Site) -> Expr:
        accuracy = site.get("result_accuracy")
        attributes = {} if accuracy is None else {"result_accuracy": accuracy}
        return factor(lambda other: E.op(other, site.ins[0], **attributes))

    _unary(
        name,
        lambda site, t: site.scale(t, lambda d: d * at(site)),
        lambda site, ct: site.scale(ct, lambda d: d * E.conj(at(site))),
    )


_circular("stablehlo.sine", lambda emit: emit("stablehlo.cosine"))
_circular("stablehlo.cosine", lambda emit: -emit("stablehlo.sine"))

# -- two operands ------------------------------------------------------------------------------------------------------

elementwise("stablehlo.add", lambda d, x, y, z: d, lambda d, x, y, z: d)
elementwise("stablehlo.subtract", lambda d, x, y, z: d, lambda d, x, y, z: -d)
elementwise("stablehlo.multiply", lambda d, x, y, z: d * y, lambda d, x, y, z: d * x)
elementwise("stablehlo.divide", lambda d, x, y, z: d / y, lambda d, x, y, z: -(d / y * z))


def _turn_by(d: Expr, leg: Expr, x: Expr, y: Expr) -> Expr:
    """`d leg / (x² + y²)`, scaled by a power of two where the squares of real numbers would leave the range.

    (Not scaled by the greater one: XLA makes one division of two, by the very square that is to be avoided.)
    """
    dtype = numpy_type(x.dtype)
    if dtype is None or E.is_complex(x.dtype):
        return d * (leg / (x * x + y * y))
    widest = int(ml_dtypes.finfo(dtype).maxexp)
    power, quarter = 2.0 ** (widest // 2 + 2), 2.0 ** (widest // 4)
    r = E.maximum(E.absolute(x), E.absolute(y))
    down = select(r > quarter, E.full_like(r, 1 / power), 1.0)
    up = select(r < 1 / quarter, E.full_like(r, power), 1.0)
    scale = down * up
    x, y, leg = x * scale, y * scale, leg * scale
    return (d * down) * (up * (leg / (x * x + y * y)))  # (`d` alone may grow out of range, and the quotient shrink)


elementwise(
    "stablehlo.atan2",
    lambda d, x, y, z: _turn_by(d, y, x, y),
    lambda d, x, y, z: _turn_by(d, -x, x, y),
)


def _has_inverse(x: Expr) -> Expr:
    """Whether a number is one, and not so small that its inverse is out of range."""
    dtype = numpy_type(x.dtype)
    return E.absolute(x) > (0.0 if dtype is None else float(ml_dtypes.finfo(dtype).tiny))


def _by_base(d: Expr, x: Expr, y: Expr, z: Expr) -> Expr:
    """The derivative of a power by its base. For a negative exponent it is the power over the base, also at the ends.

    Where x ** y is out of range, so is x ** (y - 1), and a quotient takes a tenth of the time of another power. (At the
    pole the infinity has the sign of 1 / x.)
    """
    exponent = splat_of(y.value)
    if isinstance(exponent, (int, float)) and exponent < 0:
        return d * (exponent * (z / x))
    if exponent is not None:
        return d * select(y.eq(0), 0, y * power(x, y - 1))
    # x to the 0 is 1 also where x is 0. Elsewhere the exponent 0 is like others: it may be differentiated in its turn.
    pole = y.eq(0) & ~_has_inverse(x)
    return d * select(pole, 0, y * power(select(pole, 1, x), y - 1))


elementwise(
    "stablehlo.power",  # by the exponent, 0 to any power changes as 0 does
    _by_base,
    lambda d, x, y, z: d * (log(select(x.eq(0), 1, x)) * z),
)


def share(d: Expr, mine: Expr, other: Expr, wins: Expr) -> Expr:
    """The winner takes `d`; at a tie each side takes half.

    The operands are compared with each other and not with the result: a compiler may compute an operand once for the
    result and once more, rounded otherwise, for the comparison, and then no one would win.
    """
    return d * select(mine.eq(other), 0.5, E.convert(wins, d.dtype))


elementwise(
    "stablehlo.maximum",
    lambda d, x, y, z: share(d, x, y, _less(y, x)),
    lambda d, x, y, z: share(d, y, x, _less(x, y)),
)
elementwise(
    "stablehlo.minimum",
    lambda d, x, y, z: share(d, x, y, _less(x, y)),
    lambda d, x, y, z: share(d, y, x, _less(y, x)),
)


def _quotient(x: Expr, y: Expr, remainder: Expr) -> Expr:
    """How often `y` goes into `x`. Without the remainder the division is exact but for rounding, which goes away."""
    if E.is_complex(x.dtype):
        raise NoRule(
            "stablehlo.remainder of complex numbers has no derivative by its second operand",
            location=location_text(ir.Location.current),
            hint="StableHLO does not say what it means; use real numbers",
        )
    return E.op("stablehlo.round_nearest_even", (x - remainder) / y)


elementwise("stablehlo.remainder", lambda d, x, y, z: d, lambda d, x, y, z: -(d * _quotient(x, y, z)))

# -- real and complex --------------------------------------------------------------------------------------------------
# These are not holomorphic: a cotangent goes back by the adjoint of the derivative as a map of pairs of reals.


def _abs_jvp(site: Site, t: Expr) -> Expr:
    """The derivative of |x| is the part of `t` along x; at 0 it is 0."""

    def along(d: Expr) -> Expr:
        direction = sign(site.ins[0])
        if not E.is_complex(d.dtype):
            return d * direction
        return E.real(direction) * E.real(d) + E.imag(direction) * E.imag(d)

    out = along(t)
    return select(t.eq(0), 0, out) if site.strong_zero else out


def _abs_vjp(site: Site, ct: Expr) -> Expr:
    direction = sign(site.ins[0])
    if not E.is_complex(direction.dtype):
        return site.scale(ct, lambda d: d * direction)
    return E.complex_(site.scale(ct, lambda d: d * E.real(direction)), site.scale(ct, lambda d: d * E.imag(direction)))


_unary("stablehlo.abs", _abs_jvp, _abs_vjp)


def _turn(site: Site, d: Expr) -> Shadow:
    """The sign x / |x| of a complex x changes by the part of `d` across x, a map that is its own adjoint (0 at 0)."""
    if not E.is_complex(d.dtype):
        return None
    radius, s = E.absolute(site.ins[0]), site.outs[0]

    def across(d: Expr) -> Expr:
        turned = (E.real(s) * E.imag(d) - E.imag(s) * E.real(d)) / select(radius.eq(0), 1, radius)
        return E.complex_(-E.imag(s) * turned, E.real(s) * turned)

    return site.scale(d, across)


_unary("stablehlo.sign", _turn, _turn)


def _transpose_real(site: Site, ct: Expr) -> Expr:
    return E.complex_(ct, E.zeros_like(ct)) if E.is_complex(site.in_type(0).element_type) else ct


def _transpose_imag(site: Site, ct: Expr) -> Shadow:
    return E.complex_(E.zeros_like(ct), ct) if E.is_complex(site.in_type(0).element_type) else None


linear("stablehlo.real", _transpose_real, batch=batch_elementwise)
linear("stablehlo.imag", _transpose_imag, batch=batch_elementwise)
linear("stablehlo.complex", lambda site, ct: [E.real(ct), E.imag(ct)], batch=batch_elementwise, operands=2)

# -- types -------------------------------------------------------------------------------------------------------------

linear("stablehlo.convert", lambda site, ct: E.convert(ct, site.in_type(0).element_type), batch=batch_elementwise)
linear("stablehlo.reduce_precision", lambda site, ct: site.again([ct]), batch=batch_elementwise)


def _reinterpret(site: Site, d: Expr) -> Shadow:
    """The bits of a number, read as another type, have no derivative; read as its own type they are the number."""
    return d if site.in_type(0) == site.out_type() else None


_unary("stablehlo.bitcast_convert", _reinterpret, _reinterpret)

# -- selection ---------------------------------------------------------------------------------------------------------


def _batch_select(site: Site) -> list[Expr]:
    """One predicate for all may stay a scalar; each example's own is spread over the example."""
    x, y = with_batch(site, 1), with_batch(site, 2)
    pred = site.ins[0]
    if site.batched[0] or pred.rank:
        pred = with_batch(site, 0)
        pred = E.broadcast_like(pred, x, range(pred.rank))
    return site.again([pred, x, y], [batched_type(site.out_type(), site.size)])


elementwise(
    "stablehlo.select",
    None,
    lambda d, p, x, y, z: select(p, d, 0),
    lambda d, p, x, y, z: select(p, 0, d),
    batch=_batch_select,
)


def _less(x: Expr, y: Expr) -> Expr:
    """Complex numbers are compared as `maximum` does: by the real part, then by the imaginary part."""
    return ~x.eq(y) & E.maximum(x, y).eq(y) if E.is_complex(x.dtype) else x < y


def _clamp_takes(site: Site, i: int) -> Expr:
    """Where operand i of `clamp(low, x, high)` is the result, ties excluded."""
    x = site.ins[1]
    low, high = (E.broadcast_like(bound, x, range(bound.rank)) for bound in (site.ins[0], site.ins[2]))
    if i == 0:
        return _less(x, low) & _less(low, high)
    if i == 1:
        return _less(low, x) & _less(x, high)
    return _less(high, E.maximum(x, low))  # `high` is applied last


def _clamp_jvp(site: Site, tangents: Sequence[Shadow]) -> list[Shadow]:
    total: Shadow = None
    for i, t in enumerate(tangents):
        if t is not None:
            full = E.broadcast_like(t, site.ins[1], range(t.rank))
            total = add_shadows(total, select(_clamp_takes(site, i), full, 0))
    return [total]


def _clamp_vjp(site: Site, cotangents: Sequence[Shadow]) -> list[Cotangent]:
    ct = _one(cotangents)
    out: list[Cotangent] = []
    for i, active in enumerate(site.active):
        part = select(_clamp_takes(site, i), ct, 0) if active else None
        if part is not None and site.in_type(i).rank < part.rank:  # a scalar bound
            part = E.reduce_sum(part, range(part.rank))
        out.append(part)
    return out


def _batch_clamp(site: Site) -> list[Expr]:
    """A scalar bound for all examples stays one; others get a value for each element."""
    x = with_batch(site, 1)
    bounds = [
        E.broadcast_like(with_batch(site, i), x, range(site.in_type(i).rank + 1))
        if site.batched[i] or site.in_type(i).rank
        else site.ins[i]
        for i in (0, 2)
    ]
    return site.again([bounds[0], x, bounds[1]], [batched_type(site.out_type(), site.size)])


add(Rule("stablehlo.clamp", jvp=_clamp_jvp, vjp=_clamp_vjp, batch=_batch_clamp))

# -- derivative zero ---------------------------------------------------------------------------------------------------

for _name in ("ceil", "floor", "round_nearest_afz", "round_nearest_even", "compare", "is_finite"):
    inactive(f"stablehlo.{_name}")
for _name in ("and", "or", "xor", "not", "popcnt", "count_leading_zeros"):
    inactive(f"stablehlo.{_name}")
for _name in ("shift_left", "shift_right_arithmetic", "shift_right_logical"):
    inactive(f"stablehlo.{_name}")
