"""Ops that go element by element. At kinks, derivatives are PyTorch's: so `where` in place of clamps and maxima."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import jax.numpy as jnp
import jax.scipy.special as special
import torch
from jax import lax

from gradir.jax.lowering import ended
from gradir.torch.aten.table import dtype, floating, lowers, promoted, wide

Array = Any

# -- One argument ----------------------------------------------------------------------------------------------------

_FLOATING: dict[str, Callable[[Array], Array]] = {
    "exp": jnp.exp, "exp2": jnp.exp2, "expm1": jnp.expm1, "log": jnp.log, "log2": jnp.log2, "log10": jnp.log10,
    "log1p": jnp.log1p, "sqrt": jnp.sqrt, "rsqrt": lax.rsqrt, "sin": jnp.sin, "cos": jnp.cos, "tan": jnp.tan,
    "asin": jnp.arcsin, "acos": jnp.arccos, "atan": jnp.arctan, "sinh": jnp.sinh, "cosh": jnp.cosh, "tanh": jnp.tanh,
    "asinh": jnp.arcsinh, "acosh": jnp.arccosh, "atanh": jnp.arctanh, "sigmoid": lax.logistic, "erf": lax.erf,
    "erfc": lax.erfc, "erfinv": lax.erf_inv, "lgamma": lax.lgamma, "digamma": lax.digamma,
    "reciprocal": lambda x: 1 / x, "special_ndtri": special.ndtri, "special_i0e": special.i0e,
    "special_i1e": special.i1e, "special_log_ndtr": special.log_ndtr, "special_i1": special.i1, "i0": special.i0,
}  # fmt: skip
_KEEPING: dict[str, Callable[[Array], Array]] = {
    "neg": jnp.negative, "abs": jnp.abs, "sign": jnp.sign, "sgn": jnp.sign, "floor": jnp.floor, "ceil": jnp.ceil,
    "round": jnp.round, "trunc": jnp.trunc, "bitwise_not": jnp.invert, "logical_not": jnp.logical_not,
    "isnan": jnp.isnan, "isinf": jnp.isinf, "isfinite": jnp.isfinite, "signbit": jnp.signbit, "positive": lambda x: x,
    "conj_physical": jnp.conj, "_conj": jnp.conj, "_conj_physical": jnp.conj, "resolve_conj": lambda x: x,
    "resolve_neg": lambda x: x, "_neg_view": jnp.negative, "real": jnp.real, "imag": jnp.imag, "angle": jnp.angle,
    "frac": lambda x: x - jnp.trunc(x),
    "relu": lambda x: jnp.where(x <= 0, 0, x), "square": lambda x: x * x,
}  # fmt: skip


def _unary(function: Callable[[Array], Array], floats: bool) -> Callable[[Array], Array]:
    def lower(x: Array) -> Array:
        return function(floating(x)[0] if floats else x)

    return lower


for name, function in _FLOATING.items():
    lowers(name)(_unary(function, True))
for name, function in _KEEPING.items():
    lowers(name)(_unary(function, False))


@lowers("round.decimals")
def _round(x: Array, *, decimals: int) -> Array:
    return jnp.round(x * 10.0**decimals) / 10.0**decimals


@lowers("elu")
def _elu(x: Array, alpha: float = 1, scale: float = 1, input_scale: float = 1) -> Array:
    below = jnp.where(x > 0, 0, x)  # so that what is not taken has a finite derivative
    return jnp.where(x > 0, x * scale, jnp.expm1(below * input_scale) * (alpha * scale))


@lowers("celu")
def _celu(x: Array, alpha: float = 1) -> Array:
    return _elu(x, alpha, 1, 1 / alpha)


@lowers("selu")
def _selu(x: Array) -> Array:
    return _elu(x, 1.6732632423543772, 1.0507009873554805)


@lowers("softplus")
def _softplus(x: Array, beta: float = 1, threshold: float = 20) -> Array:
    below = jnp.where(x * beta > threshold, 0, x)
    return jnp.where(x * beta > threshold, x, jnp.log1p(jnp.exp(below * beta)) / beta)


@lowers("mish")
def _mish(x: Array) -> Array:
    return x * jnp.tanh(_softplus(x))


@lowers("log_sigmoid_forward")
def _log_sigmoid_forward(x: Array) -> tuple[Array, Array]:
    return _log_sigmoid(x), jnp.zeros(0, x.dtype)


@lowers("log_sigmoid")
def _log_sigmoid(x: Array) -> Array:
    below = x < 0
    return jnp.where(below, x, 0) - jnp.log1p(jnp.exp(jnp.where(below, x, -x)))


@lowers("silu")
def _silu(x: Array) -> Array:
    return x * lax.logistic(x)


@lowers("gelu")
def _gelu(x: Array, *, approximate: str = "none") -> Array:
    y = wide(x)
    if approximate == "tanh":
        return 0.5 * y * (1 + jnp.tanh(math.sqrt(2 / math.pi) * (y + 0.044715 * y * y * y)))
    return 0.5 * y * (1 + lax.erf(y * math.sqrt(0.5)))


@lowers("nan_to_num")
def _nan_to_num(x: Array, nan: Any = None, posinf: Any = None, neginf: Any = None) -> Array:
    if not jnp.issubdtype(x.dtype, jnp.inexact):
        return x
    limits = jnp.finfo(x.dtype)
    x = jnp.where(jnp.isnan(x), 0.0 if nan is None else nan, x)
    x = jnp.where(x == jnp.inf, limits.max if posinf is None else posinf, x)
    return jnp.where(x == -jnp.inf, limits.min if neginf is None else neginf, x)


@lowers("polygamma")
def _polygamma(n: int, x: Array) -> Array:
    (x,) = floating(x)
    if n == 0:
        return lax.digamma(x)
    order = jnp.asarray(n, x.dtype)
    if n > 1:
        return lax.polygamma(order, x)
    reflected = x < 0.5  # for the first derivative of digamma alone PyTorch has negative numbers
    sine = jnp.sin(math.pi * jnp.where(reflected, x, 0.5))
    found = lax.polygamma(order, jnp.where(reflected, 1 - x, x))
    return jnp.where(reflected, (math.pi / sine) ** 2 - found, found)


# -- Two arguments ---------------------------------------------------------------------------------------------------


def _binary(function: Callable[[Array, Array], Array], floats: bool = False) -> Callable[..., Array]:
    def lower(x: Any, y: Any) -> Array:
        return function(*(floating(x, y) if floats else promoted(x, y)))

    return lower


def _atan2(y: Array, x: Array) -> Array:
    """At the origin the derivative is 0."""
    origin = (y == 0) & (x == 0)
    return jnp.where(origin, ended(jnp.arctan2(y, x)), jnp.arctan2(y, jnp.where(origin, 1, x)))


def _remainder(x: Array, y: Array) -> Array:
    """With the sign of the divisor: exact, as the remainder with the sign of the dividend is."""
    if not jnp.issubdtype(x.dtype, jnp.floating):
        return jnp.remainder(x, y)
    r = _fmod(x, y)
    return jnp.where((r != 0) & ((r < 0) != (y < 0)), r + y, r)


def _fmod(x: Array, y: Array) -> Array:
    return lax.rem(*jnp.broadcast_arrays(x, y))


def _xlogy(x: Array, y: Array) -> Array:
    nought = (x == 0) & ~jnp.isnan(y)
    return jnp.where(nought, 0, x * jnp.log(jnp.where(nought, 1, y)))


def _xlog1py(x: Array, y: Array) -> Array:
    nought = (x == 0) & ~jnp.isnan(y)
    return jnp.where(nought, 0, x * jnp.log1p(jnp.where(nought, 0, y)))


def _logaddexp(x: Array, y: Array) -> Array:
    top = ended(jnp.maximum(x, y))
    top = jnp.where(jnp.isfinite(top), top, 0)
    return top + jnp.log(jnp.exp(x - top) + jnp.exp(y - top))


def _logaddexp2(x: Array, y: Array) -> Array:
    top = ended(jnp.maximum(x, y))
    top = jnp.where(jnp.isfinite(top), top, 0)
    return top + jnp.log2(jnp.exp2(x - top) + jnp.exp2(y - top))


def _hypot(x: Array, y: Array) -> Array:
    nought = (x == 0) & (y == 0)
    scale = ended(jnp.where(nought, 1, jnp.maximum(jnp.abs(x), jnp.abs(y))))
    scale = jnp.where(jnp.isfinite(scale), scale, 1)
    square = (x / scale) ** 2 + (y / scale) ** 2
    return scale * jnp.where(nought, square, jnp.sqrt(jnp.where(nought, 1, square)))


def _fmax(x: Array, y: Array) -> Array:
    return jnp.where((x >= y) | jnp.isnan(y), x, y)


def _fmin(x: Array, y: Array) -> Array:
    return jnp.where((x <= y) | jnp.isnan(y), x, y)


def _truth(function: Callable[[Array, Array], Array]) -> Callable[..., Array]:
    def lower(x: Any, y: Any) -> Array:
        return function(jnp.asarray(x).astype(bool), jnp.asarray(y).astype(bool))

    return lower


for name, compare in {
    "eq": jnp.equal, "ne": jnp.not_equal, "lt": jnp.less, "le": jnp.less_equal, "gt": jnp.greater,
    "ge": jnp.greater_equal,
}.items():  # fmt: skip
    lowers(f"{name}.Tensor", f"{name}.Scalar")(_binary(compare))
_COMBINING: dict[str, Callable[[Array, Array], Array]] = {
    "bitwise_and": jnp.bitwise_and, "bitwise_or": jnp.bitwise_or, "bitwise_xor": jnp.bitwise_xor,
    "__and__": jnp.bitwise_and, "__or__": jnp.bitwise_or, "__xor__": jnp.bitwise_xor, "remainder": _remainder,
    "fmod": _fmod,
}  # fmt: skip
for name, combine in _COMBINING.items():
    lowers(f"{name}.Tensor", f"{name}.Scalar", f"{name}.Scalar_Tensor")(_binary(combine))
for name, shift in {"bitwise_left_shift": jnp.left_shift, "bitwise_right_shift": jnp.right_shift}.items():
    lowers(f"{name}.Tensor", f"{name}.Tensor_Scalar", f"{name}.Scalar_Tensor")(_binary(shift))
lowers("logical_and")(_truth(jnp.logical_and))
lowers("logical_or")(_truth(jnp.logical_or))
lowers("logical_xor")(_truth(jnp.logical_xor))
lowers("maximum")(_binary(jnp.maximum))
lowers("minimum")(_binary(jnp.minimum))
lowers("fmax")(_binary(_fmax))
lowers("fmin")(_binary(_fmin))
lowers("gcd")(_binary(jnp.gcd))
lowers("lcm")(_binary(jnp.lcm))
lowers("nextafter")(_binary(jnp.nextafter))
lowers("mul.Tensor", "mul.Scalar")(_binary(jnp.multiply))
lowers("atan2")(_binary(_atan2, True))
lowers("hypot")(_binary(_hypot, True))
lowers("copysign.Tensor", "copysign.Scalar")(_binary(jnp.copysign, True))
lowers("logaddexp")(_binary(_logaddexp, True))
lowers("logaddexp2")(_binary(_logaddexp2, True))
lowers("xlogy.Tensor", "xlogy.Scalar_Other", "xlogy.Scalar_Self")(_binary(_xlogy, True))
lowers("special_xlog1py", "special_xlog1py.other_scalar", "special_xlog1py.self_scalar")(_binary(_xlog1py, True))


@lowers("add.Tensor", "add.Scalar")
def _add(x: Any, y: Any, alpha: Any = 1) -> Array:
    x, y = promoted(x, y)
    return x + y if _is_one(alpha) else x + y * jnp.asarray(alpha, x.dtype)


@lowers("sub.Tensor", "sub.Scalar")
def _sub(x: Any, y: Any, alpha: Any = 1) -> Array:
    x, y = promoted(x, y)
    return x - y if _is_one(alpha) else x - y * jnp.asarray(alpha, x.dtype)


def _is_one(factor: Any) -> bool:
    """Whether a factor may be left out; one that was taken out of a tensor is not known."""
    return isinstance(factor, (int, float)) and factor == 1


@lowers("rsub.Tensor", "rsub.Scalar")
def _rsub(x: Any, y: Any, alpha: Any = 1) -> Array:
    return _sub(y, x, alpha)


@lowers("div.Tensor", "div.Scalar", "true_divide.Tensor", "true_divide.Scalar")
def _div(x: Any, y: Any) -> Array:
    x, y = floating(x, y)
    return x / y


@lowers("div.Tensor_mode", "div.Scalar_mode")
def _div_mode(x: Any, y: Any, *, rounding_mode: str | None) -> Array:
    if rounding_mode is None:
        return _div(x, y)
    x, y = promoted(x, y)
    if jnp.issubdtype(x.dtype, jnp.integer) or x.dtype == bool:
        return jnp.floor_divide(x, y) if rounding_mode == "floor" else lax.div(*jnp.broadcast_arrays(x, y))
    if rounding_mode == "trunc":
        return jnp.trunc(x / y)
    whole = jnp.floor_divide(x, y)
    return jnp.where(y == 0, x / y, whole)


@lowers("floor_divide", "floor_divide.Scalar")
def _floor_divide(x: Any, y: Any) -> Array:
    return _div_mode(x, y, rounding_mode="floor")


@lowers("pow.Tensor_Tensor", "pow.Tensor_Scalar", "pow.Scalar")
def _pow(x: Any, y: Any) -> Array:
    if isinstance(y, (int, float)) and not isinstance(y, bool):
        (x,) = promoted(x) if isinstance(y, int) else floating(x)
        if y == int(y) and 0 <= y <= 8:
            return lax.integer_pow(x, int(y))
        if y == 0.5:
            return jnp.sqrt(x)
        if jnp.issubdtype(x.dtype, jnp.inexact):
            return jnp.power(x, jnp.asarray(y, x.dtype))
    return jnp.power(*promoted(x, y))


@lowers("ldexp.Tensor")
def _ldexp(x: Any, y: Any) -> Array:
    x, y = floating(x, y)
    return x * jnp.exp2(y)


# -- Three and more --------------------------------------------------------------------------------------------------


@lowers("where.self", "where.ScalarSelf", "where.ScalarOther", "where.Scalar")
def _where(condition: Array, x: Any, y: Any) -> Array:
    return jnp.where(condition.astype(bool), *promoted(x, y))


@lowers("clamp", "clamp.Tensor")
def _clamp(x: Array, min: Any = None, max: Any = None) -> Array:
    bounds = [b for b in (min, max) if b is not None]
    x, *bounds = promoted(x, *bounds)
    if min is not None:
        x = jnp.where(x < bounds[0], bounds[0], x)
    if max is not None:
        x = jnp.where(x > bounds[-1], bounds[-1], x)
    return x


@lowers("clamp_min", "clamp_min.Tensor")
def _clamp_min(x: Array, min: Any) -> Array:
    return _clamp(x, min)


@lowers("clamp_max", "clamp_max.Tensor")
def _clamp_max(x: Array, max: Any) -> Array:
    return _clamp(x, None, max)


@lowers("hardtanh")
def _hardtanh(x: Array, min_val: Any = -1, max_val: Any = 1) -> Array:
    """Its derivative at the bounds is 0, where that of `clamp` is 1."""
    low, high = jnp.asarray(min_val, x.dtype), jnp.asarray(max_val, x.dtype)
    return jnp.where(x <= low, low, jnp.where(x >= high, high, x))


@lowers("hardsigmoid")
def _hardsigmoid(x: Array) -> Array:
    return jnp.where(x <= -3, 0, jnp.where(x >= 3, 1, x / 6 + 0.5)).astype(x.dtype)


@lowers("hardswish")
def _hardswish(x: Array) -> Array:
    between = jnp.clip(x, -3, 3)  # so that what is not taken is finite
    return jnp.where(x <= -3, 0, jnp.where(x >= 3, x, between * (between + 3) / 6)).astype(x.dtype)


@lowers("sinc")
def _sinc(x: Array) -> Array:
    (x,) = floating(x)
    turned = math.pi * jnp.where(x == 0, 1, x)
    return jnp.where(x == 0, 1, jnp.sin(turned) / turned)


@lowers("lerp.Scalar", "lerp.Tensor")
def _lerp(x: Array, y: Array, weight: Any) -> Array:
    x, y, weight = promoted(x, y, weight)
    return x + weight * (y - x)


@lowers("addcmul")
def _addcmul(x: Array, a: Array, b: Array, *, value: Any = 1) -> Array:
    x, a, b = promoted(x, a, b)
    return x + jnp.asarray(value, x.dtype) * a * b


@lowers("addcdiv")
def _addcdiv(x: Array, a: Array, b: Array, *, value: Any = 1) -> Array:
    x, a, b = floating(x, a, b)
    return x + jnp.asarray(value, x.dtype) * a / b


@lowers("complex")
def _complex(x: Array, y: Array) -> Array:
    return lax.complex(x, y)


@lowers("polar")
def _polar(length: Array, angle: Array) -> Array:
    return lax.complex(length * jnp.cos(angle), length * jnp.sin(angle))


@lowers("view_as_real")
def _view_as_real(x: Array) -> Array:
    return jnp.stack([x.real, x.imag], -1)


@lowers("view_as_complex")
def _view_as_complex(x: Array) -> Array:
    return lax.complex(x[..., 0], x[..., 1])


# -- Copies and types ------------------------------------------------------------------------------------------------


@lowers(
    "clone", "alias", "contiguous", "lift_fresh_copy", "lift_fresh", "lift", "_to_copy", "alias_copy"
)  # fmt: skip
def _to_copy(x: Array, *_: Any, dtype: torch.dtype | None = None, **__: Any) -> Array:
    return x if dtype is None else converted(x, dtype)


@lowers("_local_scalar_dense")
def _local_scalar_dense(x: Array) -> Array:
    """A number taken out of a tensor, which carries no derivative."""
    return ended(x.reshape(()))


@lowers("type_as")
def _type_as(x: Array, y: Array) -> Array:
    return x.astype(y.dtype)


@lowers("copy")
def _copy(x: Array, source: Array, non_blocking: bool = False) -> Array:
    return jnp.broadcast_to(source, x.shape).astype(x.dtype)


@lowers("view.dtype")
def _view_dtype(x: Array, to: torch.dtype) -> Array:
    return x.view(dtype(to))


def converted(x: Array, to: torch.dtype) -> Array:
    """To another type: real parts of complex numbers, as PyTorch does it."""
    wanted = dtype(to)
    if jnp.iscomplexobj(x) and not to.is_complex and to is not torch.bool:
        x = x.real
    return x.astype(wanted)
