"""What networks are made of: activations, normalisation, losses, convolutions, initial weights."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
from jax import lax

from gradir.frontends.sheaf.builtins.shapes import axes, shape_of
from gradir.frontends.sheaf.functions import builtin
from gradir.frontends.sheaf.source import SheafError
from gradir.frontends.sheaf.values import Value, describe, tensor

__all__: list[str] = []

ACTIVATIONS: dict[str, Callable[[Any], Any]] = {
    "relu": jax.nn.relu, "sigmoid": jax.nn.sigmoid, "silu": jax.nn.silu, "selu": jax.nn.selu,
    "softplus": jax.nn.softplus, "gelu": lambda x: jax.nn.gelu(x, approximate=True),
}  # fmt: skip


def _activation(function: Callable[[Any], Any]) -> Callable[[Value], Value]:
    def activate(x: Value, /) -> Value:
        x = jnp.asarray(tensor(x))
        return function(x if jnp.issubdtype(x.dtype, jnp.inexact) else x.astype(jnp.float32))

    return activate


for _name, _function in ACTIVATIONS.items():
    builtin(_name)(_activation(_function))


@builtin("leaky-relu")
def leaky_relu(x: Value, slope: Value = 0.01, /) -> Value:
    return jax.nn.leaky_relu(tensor(x), tensor(slope))


@builtin("elu")
def elu(x: Value, alpha: Value = 1.0, /) -> Value:
    return jax.nn.elu(tensor(x), tensor(alpha))


@builtin("celu")
def celu(x: Value, alpha: Value = 1.0, /) -> Value:
    return jax.nn.celu(tensor(x), tensor(alpha))


@builtin("softmax")
def softmax(x: Value, /, *, axis: Value = -1) -> Value:
    return jax.nn.softmax(jnp.asarray(tensor(x)), axis=axes(axis))


@builtin("log-softmax")
def log_softmax(x: Value, /, *, axis: Value = -1) -> Value:
    return jax.nn.log_softmax(jnp.asarray(tensor(x)), axis=axes(axis))


@builtin("normalize")
def normalize(x: Value, /) -> Value:
    """Divided by its sum over the last axis."""
    return tensor(x) / (jnp.sum(tensor(x), axis=-1, keepdims=True) + 1e-12)


@builtin("sparse-cross-entropy")
def sparse_cross_entropy(logits: Value, targets: Value, /) -> Value:
    """The mean negative log likelihood of whole-number targets, on the last axis."""
    logits, targets = jnp.asarray(tensor(logits)), jnp.asarray(tensor(targets))
    if logits.shape[:-1] != targets.shape:
        raise SheafError(f"logits {describe(logits)} are for targets of shape {list(logits.shape[:-1])}")
    chosen = jnp.take_along_axis(jax.nn.log_softmax(logits), targets.astype(jnp.int32)[..., None], axis=-1)
    return -jnp.mean(chosen)


@builtin("einsum")
def einsum(formula: Value, /, *operands: Value) -> Value:
    return jnp.einsum(formula, *(jnp.asarray(tensor(o)) for o in operands))


@builtin("conv1d")
def conv1d(x: Value, kernel: Value, /, *, stride: Value = 1, padding: Value = "same") -> Value:
    """x is batch, width, channels; the kernel width, channels in, channels out."""
    return _convolution(x, kernel, stride, padding, ("NWC", "WIO", "NWC"))


@builtin("conv2d")
def conv2d(x: Value, kernel: Value, /, *, stride: Value = 1, padding: Value = "same") -> Value:
    """x is batch, height, width, channels; the kernel height, width, channels in, channels out."""
    return _convolution(x, kernel, stride, padding, ("NHWC", "HWIO", "NHWC"))


def _convolution(x: Value, kernel: Value, stride: Value, padding: Value, layout: tuple[str, str, str]) -> Value:
    rank = len(layout[0]) - 2
    strides = shape_of(stride) * rank if len(shape_of(stride)) == 1 else shape_of(stride)
    pads = str(padding).upper() if isinstance(padding, str) else [shape_of(p) for p in padding]
    if isinstance(pads, str) and pads not in ("SAME", "VALID"):
        raise SheafError(f"there is no padding {padding!r}", hint=":same, :valid, or [low high] for each axis")
    return lax.conv_general_dilated(tensor(x), tensor(kernel), strides, pads, dimension_numbers=layout)


@builtin("max-pool")
def max_pool(x: Value, size: Value, /, *, stride: Value = None) -> Value:
    return _pool(x, size, stride, -jnp.inf, lax.max)


@builtin("avg-pool")
def avg_pool(x: Value, size: Value, /, *, stride: Value = None) -> Value:
    window = _window(x, size)
    return _pool(x, size, stride, 0.0, lax.add) / jnp.prod(jnp.asarray(window))


def _window(x: Value, size: Value) -> tuple[int, ...]:
    rank = jnp.ndim(tensor(x)) - 2
    sizes = shape_of(size)
    return (1, *(sizes * rank if len(sizes) == 1 else sizes), 1)


def _pool(x: Value, size: Value, stride: Value, start: float, combine: Callable[..., Any]) -> Value:
    array, window = jnp.asarray(tensor(x)), _window(x, size)
    steps = window if stride is None else _window(x, stride)
    return lax.reduce_window(array, jnp.asarray(start, array.dtype), combine, window, steps, "VALID")


def _initialiser(make: Callable[[], Any]) -> Callable[[Value, Value], Value]:
    def initialise(key: Value, shape: Value, /) -> Value:
        return make()(key, shape_of(shape), jnp.float32)

    return initialise


INITIALISERS: dict[str, Callable[[], Any]] = {
    "xavier-uniform": jax.nn.initializers.glorot_uniform, "xavier-normal": jax.nn.initializers.glorot_normal,
    "kaiming-uniform": jax.nn.initializers.he_uniform, "kaiming-normal": jax.nn.initializers.he_normal,
    "lecun-uniform": jax.nn.initializers.lecun_uniform, "lecun-normal": jax.nn.initializers.lecun_normal,
    "orthogonal": jax.nn.initializers.orthogonal,
}  # fmt: skip
for _name, _make in INITIALISERS.items():
    builtin(f"init-{_name}", _name)(_initialiser(_make))
