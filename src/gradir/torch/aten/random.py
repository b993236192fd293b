"""Random numbers, drawn from the seed that a program is given. They are not those of PyTorch's generators."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import jax
import jax.numpy as jnp
import torch

from gradir.jax.lowering import ended
from gradir.torch.aten.table import dtype as dtype_of
from gradir.torch.aten.table import lowers

Array = Any
Draw = Callable[[], Any]


def _type(given: torch.dtype | None) -> Any:
    return dtype_of(given or torch.get_default_dtype())


def dropout(key: Any, x: Array, p: float) -> tuple[Array, Array]:
    """Elements kept with probability 1 - p, and made greater by as much; also which ones."""
    if p >= 1:
        return jnp.zeros_like(x), jnp.zeros(x.shape, bool)
    mask = jax.random.bits(key, x.shape, jnp.uint32) < jnp.uint32(round((1 - p) * (2**32 - 1)))
    return jnp.where(mask, x * jnp.asarray(1 / (1 - p), x.dtype), 0), mask


@lowers("native_dropout", draws=True)
def _native_dropout(draw: Draw, x: Array, p: float, train: bool | None) -> tuple[Array, Array]:
    if train is False or p == 0:
        return x, jnp.ones(x.shape, bool)
    return dropout(draw(), x, p)


@lowers("dropout", draws=True)
def _dropout(draw: Draw, x: Array, p: float, train: bool) -> Array:
    return _native_dropout(draw, x, p, train)[0]


@lowers("rrelu_with_noise_functional", draws=True)
def _rrelu(
    draw: Draw, x: Array, noise: Array, lower: float = 0.125, upper: float = 1 / 3, training: bool = False, *_: Any
) -> tuple[Array, Array]:
    if not training:
        return jnp.where(x <= 0, x * ((lower + upper) / 2), x), noise
    slope = jnp.where(x <= 0, jax.random.uniform(draw(), x.shape, x.dtype, lower, upper), 1)
    return x * slope, slope


@lowers("rand", draws=True)
def _rand(draw: Draw, size: Sequence[int], *, dtype: torch.dtype | None = None, **_: Any) -> Array:
    return jax.random.uniform(draw(), tuple(size), _type(dtype))


@lowers("randn", draws=True)
def _randn(draw: Draw, size: Sequence[int], *, dtype: torch.dtype | None = None, **_: Any) -> Array:
    return jax.random.normal(draw(), tuple(size), _type(dtype))


@lowers("rand_like", draws=True)
def _rand_like(draw: Draw, x: Array, *, dtype: torch.dtype | None = None, **_: Any) -> Array:
    return jax.random.uniform(draw(), x.shape, x.dtype if dtype is None else _type(dtype))


@lowers("randn_like", draws=True)
def _randn_like(draw: Draw, x: Array, *, dtype: torch.dtype | None = None, **_: Any) -> Array:
    return jax.random.normal(draw(), x.shape, x.dtype if dtype is None else _type(dtype))


@lowers("randint", draws=True)
def _randint(draw: Draw, high: int, size: Sequence[int], **options: Any) -> Array:
    return _randint_low(draw, 0, high, size, **options)


@lowers("randint.low", draws=True)
def _randint_low(
    draw: Draw, low: int, high: int, size: Sequence[int], *, dtype: torch.dtype | None = torch.int64, **_: Any
) -> Array:
    return jax.random.randint(draw(), tuple(size), low, high, jnp.int64).astype(_type(dtype))


@lowers("randint_like", draws=True)
def _randint_like(draw: Draw, x: Array, high: int, **_: Any) -> Array:
    return _randint_like_low(draw, x, 0, high)


@lowers("randint_like.low_dtype", draws=True)
def _randint_like_low(draw: Draw, x: Array, low: int, high: int, **_: Any) -> Array:
    return jax.random.randint(draw(), x.shape, low, high, jnp.int64).astype(x.dtype)


@lowers("bernoulli", draws=True)
def _bernoulli(draw: Draw, p: Array, **_: Any) -> Array:
    return jax.random.bernoulli(draw(), ended(p)).astype(p.dtype)


@lowers("bernoulli.p", draws=True)
def _bernoulli_p(draw: Draw, x: Array, p: float = 0.5, **_: Any) -> Array:
    return jax.random.bernoulli(draw(), p, x.shape).astype(x.dtype)


@lowers("uniform", draws=True)
def _uniform(draw: Draw, x: Array, low: float = 0.0, high: float = 1.0, **_: Any) -> Array:
    return jax.random.uniform(draw(), x.shape, x.dtype, low, high)


@lowers("normal_functional", draws=True)
def _normal(draw: Draw, x: Array, mean: float = 0.0, std: float = 1.0, **_: Any) -> Array:
    return mean + std * jax.random.normal(draw(), x.shape, x.dtype)


@lowers("normal.Tensor_Tensor", "normal.Tensor_float", "normal.float_Tensor", draws=True)
def _normal_of(draw: Draw, mean: Any, std: Any = 1.0, **_: Any) -> Array:
    mean, std = jnp.broadcast_arrays(mean, std)
    return ended(mean + std * jax.random.normal(draw(), mean.shape, mean.dtype))


@lowers("exponential", draws=True)
def _exponential(draw: Draw, x: Array, lambd: float = 1.0, **_: Any) -> Array:
    return jax.random.exponential(draw(), x.shape, x.dtype) / lambd


@lowers("randperm", draws=True)
def _randperm(draw: Draw, n: int, **_: Any) -> Array:
    return jax.random.permutation(draw(), n)


@lowers("multinomial", draws=True)
def _multinomial(draw: Draw, p: Array, count: int, replacement: bool = False, **_: Any) -> Array:
    shape = (count,) if p.ndim == 1 else (p.shape[0], count)
    logits = jnp.log(p)
    if replacement:
        return jax.random.categorical(draw(), logits[..., None, :], -1, shape)
    noisy = logits + jax.random.gumbel(draw(), p.shape, p.dtype)  # the greatest of these are a draw without replacement
    return jax.lax.top_k(noisy, count)[1]
