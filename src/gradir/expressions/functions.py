"""Functions of expressions: those of NumPy, and the activations and losses of networks."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import jax
import jax.numpy as jnp

from gradir.expressions.expression import Expression, expression

__all__ = [
    "absolute", "arctan", "binary_cross_entropy", "broadcast_to", "concatenate", "cos", "cosh", "cross_entropy", "dot",
    "einsum", "elu", "erf", "exp", "expm1", "gelu", "huber", "leaky_relu", "log", "log1p", "log_softmax", "logsumexp",
    "mae", "maximum", "mean", "minimum", "mse", "norm", "outer", "power", "prod", "relu", "reshape", "sigmoid", "sign",
    "silu", "sin", "sinh", "softmax", "softplus", "sqrt", "square", "stack", "stop_gradient", "sum", "tan", "tanh",
    "transpose", "var", "where",
]  # fmt: skip

Operand = Any
"""An expression, a number or an array."""


def _unary(name: str, function: Any) -> Any:
    def apply(x: Operand) -> Expression:
        return Expression(name, function, [expression(x)])

    apply.__name__ = name
    apply.__doc__ = f"`{name}` of each element."
    return apply


exp, expm1, log, log1p = (_unary(n, getattr(jnp, n)) for n in ("exp", "expm1", "log", "log1p"))
sin, cos, tan, arctan = (_unary(n, getattr(jnp, n)) for n in ("sin", "cos", "tan", "arctan"))
sinh, cosh, tanh = (_unary(n, getattr(jnp, n)) for n in ("sinh", "cosh", "tanh"))
sqrt, square, sign = (_unary(n, getattr(jnp, n)) for n in ("sqrt", "square", "sign"))
absolute = _unary("abs", jnp.abs)
erf = _unary("erf", jax.scipy.special.erf)
sigmoid, silu, softplus, elu = (_unary(n, getattr(jax.nn, n)) for n in ("sigmoid", "silu", "softplus", "elu"))
relu = _unary("relu", jax.nn.relu)
gelu, leaky_relu = _unary("gelu", jax.nn.gelu), _unary("leaky_relu", jax.nn.leaky_relu)
stop_gradient = _unary("stop_gradient", jax.lax.stop_gradient)


def _several(name: str, function: Any, *operands: Operand) -> Expression:
    return Expression(name, function, [expression(o) for o in operands])


def maximum(x: Operand, y: Operand) -> Expression:
    """The larger of two, by elements."""
    return _several("maximum", jnp.maximum, x, y)


def minimum(x: Operand, y: Operand) -> Expression:
    """The smaller of two, by elements."""
    return _several("minimum", jnp.minimum, x, y)


def power(x: Operand, y: Operand) -> Expression:
    """`x ** y`."""
    return expression(x) ** y


def where(condition: Operand, x: Operand, y: Operand) -> Expression:
    """`x` where the condition holds, `y` elsewhere."""
    return _several("where", jnp.where, condition, x, y)


def dot(x: Operand, y: Operand) -> Expression:
    """The product of vectors or matrices."""
    return _several("dot", jnp.dot, x, y)


def outer(x: Operand, y: Operand) -> Expression:
    """The outer product of vectors."""
    return _several("outer", jnp.outer, x, y)


def einsum(subscripts: str, *operands: Operand) -> Expression:
    """A sum of products by Einstein's convention."""
    return _several("einsum", lambda *xs: jnp.einsum(subscripts, *xs), *operands)


# -- Reductions and shapes


def sum(x: Operand, axis: Any = None, keepdims: bool = False) -> Expression:
    """The sum of all elements, or along axes."""
    return expression(x).sum(axis, keepdims)


def mean(x: Operand, axis: Any = None, keepdims: bool = False) -> Expression:
    """The mean of all elements, or along axes."""
    return expression(x).mean(axis, keepdims)


def prod(x: Operand, axis: Any = None) -> Expression:
    """The product of all elements, or along axes."""
    return _several("prod", lambda a: jnp.prod(a, axis=axis), x)


def var(x: Operand, axis: Any = None) -> Expression:
    """The variance of all elements, or along axes."""
    return _several("var", lambda a: jnp.var(a, axis=axis), x)


def norm(x: Operand) -> Expression:
    """The Euclidean norm."""
    return _several("norm", lambda a: jnp.sqrt(jnp.sum(a * a)), x)


def logsumexp(x: Operand, axis: Any = None) -> Expression:
    """The logarithm of the sum of exponentials."""
    return _several("logsumexp", lambda a: jax.nn.logsumexp(a, axis=axis), x)


def softmax(x: Operand, axis: int = -1) -> Expression:
    """Exponentials by their sum."""
    return _several("softmax", lambda a: jax.nn.softmax(a, axis=axis), x)


def log_softmax(x: Operand, axis: int = -1) -> Expression:
    """The logarithm of `softmax`."""
    return _several("log_softmax", lambda a: jax.nn.log_softmax(a, axis=axis), x)


def reshape(x: Operand, shape: Sequence[int]) -> Expression:
    """The same elements in another shape."""
    return expression(x).reshape(shape)


def transpose(x: Operand, axes: Sequence[int] | None = None) -> Expression:
    """The axes in another order, or in reverse."""
    return _several("transpose", lambda a: jnp.transpose(a, axes), x)


def broadcast_to(x: Operand, shape: Sequence[int]) -> Expression:
    """`x` spread to a shape."""
    return _several("broadcast_to", lambda a: jnp.broadcast_to(a, tuple(shape)), x)


def concatenate(parts: Sequence[Operand], axis: int = 0) -> Expression:
    """Arrays one after the other."""
    return _several("concatenate", lambda *xs: jnp.concatenate(xs, axis=axis), *parts)


def stack(parts: Sequence[Operand], axis: int = 0) -> Expression:
    """Arrays along a new axis."""
    return _several("stack", lambda *xs: jnp.stack(xs, axis=axis), *parts)


# -- Losses


def mse(prediction: Operand, target: Operand) -> Expression:
    """The mean squared error."""
    return mean((expression(prediction) - target) ** 2)


def mae(prediction: Operand, target: Operand) -> Expression:
    """The mean absolute error."""
    return mean(absolute(expression(prediction) - target))


def huber(prediction: Operand, target: Operand, delta: float = 1.0) -> Expression:
    """Squared where the error is less than `delta`, absolute beyond."""
    error = expression(prediction) - target
    size = absolute(error)
    return mean(where(size < delta, 0.5 * error**2, delta * (size - 0.5 * delta)))


def cross_entropy(logits: Operand, target: Operand) -> Expression:
    """The mean cross entropy of distributions, or one-hot rows, along the last axis."""
    return -mean(sum(expression(target) * log_softmax(logits), axis=-1))


def binary_cross_entropy(logits: Operand, target: Operand) -> Expression:
    """The mean cross entropy of a sigmoid."""
    z = expression(logits)
    return mean(softplus(z) - expression(target) * z)
