"""Making tensors, and changing their shapes."""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from gradir.frontends.sheaf.functions import builtin
from gradir.frontends.sheaf.source import SheafError
from gradir.frontends.sheaf.values import Value, describe, dtype_of, is_tensor, is_traced, tensor

__all__ = ["axes", "shape_of", "whole"]


def whole(value: Value) -> int:
    """A whole number that is known."""
    if isinstance(value, int) and not isinstance(value, bool):
        return value
    if is_traced(value):
        return int(value)  # JAX says that it is not known
    if (is_tensor(value) and value.size == 1) or isinstance(value, float):
        number = float(value if isinstance(value, float) else value.reshape(()))
        if number.is_integer():
            return int(number)
    raise SheafError(f"a whole number is wanted, not {describe(value)}")


def shape_of(value: Value, *more: Value) -> tuple[int, ...]:
    """A shape: a list of whole numbers, a tensor of them, or one number."""
    if more:
        return tuple(map(whole, (value, *more)))
    if is_tensor(value) and value.ndim == 1:
        return tuple(whole(v) for v in np.asarray(value))
    if isinstance(value, (tuple, list)):
        return tuple(map(whole, value))
    return (whole(value),)


def axes(value: Value) -> Any:
    """An axis, several, or none for all."""
    if value is None:
        return None
    return shape_of(value) if isinstance(value, (tuple, list)) or (is_tensor(value) and value.ndim) else whole(value)


@builtin("zeros", "init-zeros")
def zeros(shape: Value, /, *more: Value, dtype: Value = "f32") -> Value:
    return jnp.zeros(_after_key(shape, more), dtype_of(dtype))


@builtin("ones", "init-ones")
def ones(shape: Value, /, *more: Value, dtype: Value = "f32") -> Value:
    return jnp.ones(_after_key(shape, more), dtype_of(dtype))


def _after_key(shape: Value, more: tuple[Value, ...]) -> tuple[int, ...]:
    """A shape, which may follow a random key, as other initialisers take one."""
    if is_tensor(shape) and jnp.issubdtype(shape.dtype, jax.dtypes.prng_key):
        return shape_of(*more)
    return shape_of(shape, *more)


@builtin("full")
def full(shape: Value, value: Value, /, *, dtype: Value = "f32") -> Value:
    return jnp.full(shape_of(shape), tensor(value), dtype_of(dtype))


@builtin("eye")
def eye(n: Value, m: Value = None, /, *, dtype: Value = "f32") -> Value:
    return jnp.eye(whole(n), None if m is None else whole(m), dtype=dtype_of(dtype))


@builtin("arange", "range")
def arange(*bounds: Value, dtype: Value = None) -> Value:
    if not 1 <= len(bounds) <= 3:
        raise SheafError("a range has an end, or a start, an end and perhaps a step")
    of = dtype_of(dtype or ("f32" if any(isinstance(b, float) for b in bounds) else "i32"))
    numbers = [b if isinstance(b, float) else whole(b) for b in bounds]
    start, stop, step = [0, numbers[0], 1] if len(numbers) == 1 else [*numbers, 1][:3]
    return jnp.arange(start, stop, step, dtype=of)


@builtin("linspace")
def linspace(low: Value, high: Value, n: Value, /) -> Value:
    return jnp.linspace(tensor(low), tensor(high), whole(n), dtype=jnp.float32)


@builtin("tensor")
def make_tensor(values: Value, dtype: Value = None, /) -> Value:
    made = jnp.asarray(tensor(values))
    return made if dtype is None else made.astype(dtype_of(dtype))


@builtin("one-hot")
def one_hot(indices: Value, n: Value, /, *, dtype: Value = "f32") -> Value:
    return jax.nn.one_hot(tensor(indices), whole(n), dtype=dtype_of(dtype))


@builtin("tril")
def tril(x: Value, k: Value = 0, /) -> Value:
    return jnp.tril(tensor(x), whole(k))


@builtin("triu")
def triu(x: Value, k: Value = 0, /) -> Value:
    return jnp.triu(tensor(x), whole(k))


@builtin("shape")
def shape(x: Value, axis: Value = None, /) -> Value:
    found = jnp.shape(tensor(x))
    return found if axis is None else found[whole(axis)]


@builtin("ndim")
def ndim(x: Value, /) -> Value:
    return jnp.ndim(tensor(x))


@builtin("size")
def size(x: Value, /) -> Value:
    return jnp.size(tensor(x))


@builtin("reshape")
def reshape(x: Value, shape: Value, /, *more: Value) -> Value:
    return jnp.reshape(tensor(x), shape_of(shape, *more))


@builtin("ravel")
def ravel(x: Value, /) -> Value:
    return jnp.ravel(tensor(x))


@builtin("transpose")
def transpose(x: Value, order: Value = None, /, *more: Value) -> Value:
    return jnp.transpose(tensor(x), None if order is None else shape_of(order, *more))


@builtin("tr")
def trace_or_transpose(x: Value, /) -> Value:
    """The transpose: the last two axes change places."""
    return jnp.swapaxes(tensor(x), -1, -2)


@builtin("swapaxes")
def swapaxes(x: Value, a: Value, b: Value, /) -> Value:
    return jnp.swapaxes(tensor(x), whole(a), whole(b))


@builtin("expand-dims")
def expand_dims(x: Value, axis: Value, /) -> Value:
    return jnp.expand_dims(tensor(x), axes(axis))


@builtin("squeeze")
def squeeze(x: Value, along: Value = None, /, *, axis: Value = None) -> Value:
    return jnp.squeeze(tensor(x), axes(along if axis is None else axis))


@builtin("broadcast-to")
def broadcast_to(x: Value, shape: Value, /) -> Value:
    return jnp.broadcast_to(tensor(x), shape_of(shape))


@builtin("tile")
def tile(x: Value, times: Value, /) -> Value:
    return jnp.tile(tensor(x), shape_of(times))


@builtin("pad")
def pad(x: Value, widths: Value, value: Value = 0, /) -> Value:
    return jnp.pad(tensor(x), [shape_of(w) for w in widths], constant_values=value)


@builtin("stack")
def stack(parts: Value, /, *, axis: Value = 0) -> Value:
    return jnp.stack([jnp.asarray(tensor(p)) for p in parts], axis=whole(axis))


@builtin("flip")
def flip(x: Value, along: Value = None, /, *, axis: Value = None) -> Value:
    return jnp.flip(tensor(x), axes(along if axis is None else axis))


@builtin("roll")
def roll(x: Value, shift: Value, axis: Value = None, /) -> Value:
    return jnp.roll(tensor(x), axes(shift), axes(axis))


@builtin("tensor-split")
def tensor_split(x: Value, n: Value, /, *, axis: Value = 0) -> Value:
    return tuple(jnp.split(tensor(x), whole(n), axis=whole(axis)))
