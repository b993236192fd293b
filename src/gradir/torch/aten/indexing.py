"""Gathers and scatters.

PyTorch stops at an index that is out of range, which no compiled program does: here such an element is nan (or a number
far from any other) when it is read, and nothing when it is written.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import jax.numpy as jnp
import numpy as np

from gradir.jax.lowering import ended
from gradir.torch.aten.table import lowers, promoted

Array = Any


def _plain(index: Array, size: int) -> Array:
    """An index for an op that has no negative ones: those are out of range."""
    return jnp.where(index < 0, size, index)


@lowers("embedding")
def _embedding(
    weight: Array, index: Array, padding_idx: int = -1, scale_grad_by_freq: bool = False, sparse: bool = False
) -> Array:
    if scale_grad_by_freq:
        raise NotImplementedError("scale_grad_by_freq, which is no derivative")
    rows = jnp.take(weight, _plain(index, weight.shape[0]), axis=0, mode="fill")
    if padding_idx < 0:
        return rows
    return jnp.where((index == padding_idx)[..., None], ended(rows), rows)


def _index(x: Array, indices: Sequence[Array | None]) -> tuple[Any, ...]:
    if any(i is not None and i.dtype == bool for i in indices):
        raise NotImplementedError("a mask as an index: how many elements there are depends on the data")
    return tuple(slice(None) if i is None else i for i in indices)


@lowers("index.Tensor", "_unsafe_index.Tensor")
def _index_tensor(x: Array, indices: Sequence[Array | None]) -> Array:
    return x.at[_index(x, indices)].get(mode="fill")


@lowers("_unsafe_masked_index")
def _masked_index(x: Array, mask: Array, indices: Sequence[Array | None], fill: Any) -> Array:
    inside = [None if i is None else jnp.clip(i, -n, n - 1) for i, n in zip(indices, x.shape, strict=False)]
    return jnp.where(mask, x[_index(x, inside)], jnp.asarray(fill, x.dtype))


@lowers("index_put", "_unsafe_index_put")
def _index_put(
    x: Array, indices: Sequence[Array | None], values: Array, accumulate: bool = False, unsafe: bool = False
) -> Array:
    values = values.astype(x.dtype)
    if len(indices) == 1 and indices[0] is not None and indices[0].dtype == bool and values.size == 1:
        mask = indices[0].reshape(indices[0].shape + (1,) * (x.ndim - indices[0].ndim))
        return jnp.where(mask, x + values.reshape(()) if accumulate else values.reshape(()), x)
    place = x.at[_index(x, indices)]
    return place.add(values) if accumulate else place.set(values)


@lowers("index_select")
def _index_select(x: Array, dim: int, index: Array) -> Array:
    if x.ndim == 0:
        return x
    return jnp.take(x, _plain(index.reshape(-1), x.shape[dim]), axis=dim, mode="fill")


@lowers("take")
def _take(x: Array, index: Array) -> Array:
    return x.ravel().at[index].get(mode="fill")


@lowers("gather")
def _gather(x: Array, dim: int, index: Array, *, sparse_grad: bool = False) -> Array:
    if x.ndim == 0:
        return jnp.broadcast_to(x, index.shape)
    return x.at[_grid(x, dim, index)].get(mode="fill")


def _grid(x: Array, dim: int, index: Array) -> tuple[Array, ...]:
    """Where the elements at `index` along a dimension are."""
    dim %= x.ndim
    along = [np.arange(n).reshape([-1 if i == d else 1 for i in range(index.ndim)]) for d, n in enumerate(index.shape)]
    return tuple(_plain(index, x.shape[dim]) if d == dim else a for d, a in enumerate(along))


def _scattered(x: Array, dim: int, index: Array, source: Any) -> tuple[Any, Array]:
    flat = x.ndim == 0
    if flat:
        x, index = x.reshape(1), index.reshape(-1)
    source = jnp.asarray(source, x.dtype)
    if source.ndim and not flat:
        source = source[tuple(slice(n) for n in index.shape)]
    elif source.ndim == 0 and flat and index.size:
        source = source.reshape(1)
    return x.at[_grid(x, dim, index)], source


@lowers("scatter.src", "scatter.value")
def _scatter(x: Array, dim: int, index: Array, source: Any) -> Array:
    place, source = _scattered(x, dim, index, source)
    return place.set(source).reshape(x.shape)


@lowers("scatter_add")
def _scatter_add(x: Array, dim: int, index: Array, source: Array) -> Array:
    place, source = _scattered(x, dim, index, source)
    return place.add(source).reshape(x.shape)


@lowers("scatter.reduce", "scatter.value_reduce")
def _scatter_op(x: Array, dim: int, index: Array, source: Any, *, reduce: str) -> Array:
    place, source = _scattered(x, dim, index, source)
    return (place.add(source) if reduce == "add" else place.multiply(source)).reshape(x.shape)


@lowers("scatter_reduce.two")
def _scatter_reduce(
    x: Array, dim: int, index: Array, source: Array, reduce: str, *, include_self: bool = True
) -> Array:
    place, source = _scattered(x, dim, index, source)
    ones = jnp.zeros(jnp.atleast_1d(x).shape, jnp.int64).at[_grid(jnp.atleast_1d(x), dim, jnp.atleast_1d(index))]
    count = ones.add(1).reshape(x.shape)
    kept = True if include_self else count == 0
    if reduce in ("sum", "mean"):
        start = jnp.where(kept, x, 0)
        place, source = _scattered(start, dim, index, source)
        total = place.add(source).reshape(x.shape)
        if reduce == "sum":
            return total
        total_count = jnp.maximum(count + (1 if include_self else 0), 1)
        return total / total_count if jnp.issubdtype(x.dtype, jnp.inexact) else total // total_count
    neutral = {"prod": 1, "amax": _lowest(x), "amin": _highest(x)}[reduce]
    place, source = _scattered(jnp.where(kept, x, neutral), dim, index, source)
    update = {"prod": place.multiply, "amax": place.max, "amin": place.min}[reduce]
    return update(source).reshape(x.shape)


def _lowest(x: Array) -> Any:
    return -jnp.inf if jnp.issubdtype(x.dtype, jnp.floating) else jnp.iinfo(x.dtype).min


def _highest(x: Array) -> Any:
    return jnp.inf if jnp.issubdtype(x.dtype, jnp.floating) else jnp.iinfo(x.dtype).max


def _along(x: Array, dim: int, index: Array) -> Any:
    return x.at[(*[slice(None)] * (dim % max(x.ndim, 1)), index.reshape(-1))]


@lowers("index_add")
def _index_add(x: Array, dim: int, index: Array, source: Array, *, alpha: Any = 1) -> Array:
    y = jnp.atleast_1d(x)
    return _along(y, dim, index).add(jnp.asarray(alpha, x.dtype) * source.reshape(-1 if x.ndim == 0 else source.shape)
                                     ).reshape(x.shape)  # fmt: skip


@lowers("index_reduce")
def _index_reduce(
    x: Array, dim: int, index: Array, source: Array, reduce: str, *, include_self: bool = True
) -> Array:
    along = index.reshape([-1 if d == dim % max(x.ndim, 1) else 1 for d in range(max(x.ndim, 1))])
    return _scatter_reduce(x, dim, jnp.broadcast_to(along, source.shape), source, reduce, include_self=include_self)


@lowers("put")
def _put(x: Array, index: Array, source: Array, accumulate: bool = False) -> Array:
    place = x.ravel().at[index.ravel()]
    return (place.add if accumulate else place.set)(source.ravel()).reshape(x.shape)


@lowers("index_copy")
def _index_copy(x: Array, dim: int, index: Array, source: Array) -> Array:
    y = jnp.atleast_1d(x)
    return _along(y, dim, index).set(source.reshape(-1) if x.ndim == 0 else source).reshape(x.shape)


@lowers("index_fill.int_Scalar", "index_fill.int_Tensor")
def _index_fill(x: Array, dim: int, index: Array, value: Any) -> Array:
    return _along(jnp.atleast_1d(x), dim, index).set(jnp.asarray(value, x.dtype)).reshape(x.shape)


@lowers("masked_fill.Scalar", "masked_fill.Tensor")
def _masked_fill(x: Array, mask: Array, value: Any) -> Array:
    return jnp.where(mask, jnp.asarray(value).astype(x.dtype), x)


@lowers("masked_scatter")
def _masked_scatter(x: Array, mask: Array, source: Array) -> Array:
    x, mask = jnp.broadcast_arrays(x, mask)
    place = jnp.cumsum(mask.ravel()) - 1
    return jnp.where(mask.ravel(), source.ravel().at[place].get(mode="fill"), x.ravel()).reshape(x.shape)


def _depends(*_: Any, **__: Any) -> Array:
    raise NotImplementedError("how many elements there are depends on the data")


lowers("nonzero", "masked_select", "_unique2", "unique_dim", "unique_consecutive")(_depends)


@lowers("isin.Tensor_Tensor")
def _isin(x: Array, among: Array, *, assume_unique: bool = False, invert: bool = False) -> Array:
    x, among = promoted(x, among)
    found = jnp.any(x[..., None] == among.ravel(), -1)
    return ~found if invert else found
