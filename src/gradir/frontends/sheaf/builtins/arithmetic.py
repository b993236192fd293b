"""Arithmetic and comparisons: on numbers of the host as Python has them, on tensors element by element."""

from __future__ import annotations

import math
import operator
from collections.abc import Callable
from functools import reduce
from typing import Any

import jax.numpy as jnp
from jax import lax
from jax.scipy import special

from gradir.frontends.sheaf.functions import builtin
from gradir.frontends.sheaf.source import SheafError
from gradir.frontends.sheaf.values import Key, Value, dtype_of, is_tensor, tensor

__all__: list[str] = []


def _on_host(*values: Value) -> bool:
    return all(isinstance(v, (int, float)) for v in values)


def _binary(host: Callable[[Any, Any], Any], device: Callable[[Any, Any], Any]) -> Callable[[Value, Value], Value]:
    def compute(x: Value, y: Value, /) -> Value:
        return host(x, y) if _on_host(x, y) else device(tensor(x), tensor(y))

    return compute


add = _binary(operator.add, jnp.add)
subtract = _binary(operator.sub, jnp.subtract)
multiply = _binary(operator.mul, jnp.multiply)


@builtin("+")
def plus(*values: Value) -> Value:
    return reduce(add, values) if values else 0.0


@builtin("*")
def times(*values: Value) -> Value:
    return reduce(multiply, values) if values else 1.0


@builtin("-")
def minus(first: Value, /, *rest: Value) -> Value:
    if not rest:
        return -first if _on_host(first) else jnp.negative(tensor(first))
    return reduce(subtract, rest, first)


@builtin("/")
def divide(x: Value, /, *rest: Value) -> Value:
    return reduce(_binary(operator.truediv, jnp.divide), rest, x) if rest else divide(1.0, x)


def _power(x: Any, y: Any) -> Any:
    if jnp.issubdtype(jnp.result_type(x), jnp.integer) and isinstance(y, int) and y < 0:
        raise SheafError("a whole number to a negative power", hint="make it a float: (float x)")
    return jnp.power(x, y)


def _host_power(x: float, y: float) -> float:
    result = x**y
    if isinstance(result, complex):
        return math.nan
    return result


BINARY: dict[str, Callable[[Value, Value], Value]] = {
    "//": _binary(operator.floordiv, jnp.floor_divide),
    "%": _binary(operator.mod, jnp.mod),
    "mod": _binary(operator.mod, jnp.mod),
    "**": _binary(_host_power, _power),
    "<": _binary(operator.lt, jnp.less),
    ">": _binary(operator.gt, jnp.greater),
    "<=": _binary(operator.le, jnp.less_equal),
    ">=": _binary(operator.ge, jnp.greater_equal),
    "minimum": _binary(min, jnp.minimum),
    "maximum": _binary(max, jnp.maximum),
    "atan2": _binary(math.atan2, jnp.arctan2),
    "ash": _binary(lambda x, n: x << n if n >= 0 else x >> -n, lambda x, n: jnp.where(n >= 0, x << n, x >> -n)),
}
for _name, _function in BINARY.items():
    builtin(_name)(_function)


@builtin("@")
def matmul(x: Value, y: Value, /, *rest: Value) -> Value:
    made = jnp.matmul(jnp.asarray(tensor(x)), jnp.asarray(tensor(y)))
    return matmul(made, *rest) if rest else made


@builtin("==")
def equal(x: Value, y: Value, /) -> Value:
    if is_tensor(x) or is_tensor(y):
        return jnp.equal(tensor(x), tensor(y))
    return x == y


@builtin("!=")
def not_equal(x: Value, y: Value, /) -> Value:
    return jnp.logical_not(made) if is_tensor(made := equal(x, y)) else not made


@builtin("=")
def same(x: Value, y: Value, /, *rest: Value) -> Value:
    """Whether values are the same as a whole."""
    if is_tensor(x) or is_tensor(y):
        one = jnp.array_equal(tensor(x), tensor(y))
    elif isinstance(x, (tuple, list)) and isinstance(y, (tuple, list)):
        one = len(x) == len(y) and all(bool(same(a, b)) for a, b in zip(x, y, strict=True))
    else:
        one = x == y and isinstance(x, Key) == isinstance(y, Key)
    return jnp.logical_and(one, same(y, *rest)) if rest else one


@builtin("not")
def logical_not(x: Value, /) -> Value:
    return jnp.logical_not(x) if is_tensor(x) else x is None or not x


def _unary(host: Callable[[Any], Any] | None, device: Callable[[Any], Any]) -> Callable[[Value], Value]:
    def compute(x: Value, /) -> Value:
        return host(x) if host is not None and _on_host(x) else device(jnp.asarray(tensor(x)))

    return compute


def _float(function: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """A function of floats: whole numbers become f32 first."""
    return lambda x: function(x if jnp.issubdtype(x.dtype, jnp.inexact) else x.astype(jnp.float32))


UNARY: dict[str, Callable[[Value], Value]] = {
    "abs": _unary(abs, jnp.abs),
    "floor": _unary(math.floor, jnp.floor),
    "ceil": _unary(math.ceil, jnp.ceil),
    "round": _unary(round, jnp.round),
    "sign": _unary(lambda x: (x > 0) - (x < 0), jnp.sign),
    "neg": _unary(operator.neg, jnp.negative),
    "square": _unary(lambda x: x * x, jnp.square),
    "erf": _unary(None, _float(special.erf)),
    "rsqrt": _unary(None, _float(lax.rsqrt)),
    "isnan": _unary(math.isnan, jnp.isnan),
    "isfinite": _unary(math.isfinite, jnp.isfinite),
} | {
    name: _unary(None, _float(getattr(jnp, name)))
    for name in (
        "exp", "expm1", "log", "log1p", "log2", "sqrt", "cbrt", "tanh", "sinh", "cosh", "sin", "cos", "tan", "arcsin",
        "arccos", "arctan",
    )
}  # fmt: skip
for _name, _unary_function in UNARY.items():
    builtin(_name)(_unary_function)


@builtin("clamp", "clip")
def clip(x: Value, low: Value, high: Value, /) -> Value:
    return jnp.clip(tensor(x), tensor(low), tensor(high))


@builtin("where")
def where(condition: Value, x: Value, y: Value, /) -> Value:
    return jnp.where(tensor(condition), tensor(x), tensor(y))


@builtin("int")
def to_int(x: Value, /) -> Value:
    """A whole number: fractions are cut off."""
    if isinstance(x, str):
        return int(x)
    return int(x) if _on_host(x) else jnp.trunc(tensor(x)).astype(jnp.int32)


@builtin("float")
def to_float(x: Value, /) -> Value:
    if isinstance(x, str):
        return float(x)
    return float(x) if _on_host(x) else jnp.asarray(tensor(x)).astype(jnp.float32)


@builtin("cast")
def cast(x: Value, dtype: Value = None, /) -> Value:
    """A tensor with another element type, which a literal vector before it has taken already."""
    array = jnp.asarray(tensor(x))
    return array if dtype is None else array.astype(dtype_of(dtype))
