"""Sums and their kin, scans, sorting."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import jax.numpy as jnp
import torch
from jax import lax

from gradir.jax.lowering import ended
from gradir.torch.aten.elementwise import converted
from gradir.torch.aten.table import axes, floating, lowers, wide

Array = Any
Dims = int | Sequence[int] | None


def _cast(x: Array, to: torch.dtype | None) -> Array:
    return x if to is None else converted(x, to)


def _whole(x: Array) -> Array:
    """Truth values and small integers are summed up as 64-bit integers."""
    return x.astype(jnp.int64) if not jnp.issubdtype(x.dtype, jnp.inexact) else wide(x)


@lowers("sum", "sum.dim_IntList")
def _sum(x: Array, dim: Dims = None, keepdim: bool = False, *, dtype: torch.dtype | None = None) -> Array:
    return jnp.sum(_whole(_cast(x, dtype)), axes(dim, x.ndim), keepdims=keepdim)


@lowers("mean", "mean.dim")
def _mean(x: Array, dim: Dims = None, keepdim: bool = False, *, dtype: torch.dtype | None = None) -> Array:
    x = wide(_cast(x, dtype))
    over = axes(dim, x.ndim)
    return jnp.sum(x, over, keepdims=keepdim) / math.prod(x.shape[d] for d in over)


@lowers("prod", "prod.dim_int")
def _prod(x: Array, dim: Dims = None, keepdim: bool = False, *, dtype: torch.dtype | None = None) -> Array:
    return jnp.prod(_whole(_cast(x, dtype)), axes(dim, x.ndim), keepdims=keepdim)


@lowers("amax")
def _amax(x: Array, dim: Dims = None, keepdim: bool = False) -> Array:
    return jnp.max(x, axes(dim, x.ndim), keepdims=keepdim)


@lowers("amin")
def _amin(x: Array, dim: Dims = None, keepdim: bool = False) -> Array:
    return jnp.min(x, axes(dim, x.ndim), keepdims=keepdim)


@lowers("max")
def _max(x: Array) -> Array:
    return jnp.max(x)


@lowers("min")
def _min(x: Array) -> Array:
    return jnp.min(x)


@lowers("aminmax")
def _aminmax(x: Array, *, dim: int | None = None, keepdim: bool = False) -> tuple[Array, Array]:
    return _amin(x, dim, keepdim), _amax(x, dim, keepdim)


def _chosen(x: Array, index: Array, dim: int, keepdim: bool) -> tuple[Array, Array]:
    """The elements at one index along a dimension, whose derivative goes to that element alone, and the index."""
    if x.ndim == 0:
        return x, index
    values = jnp.take_along_axis(x, index, dim)
    return (values, index) if keepdim else (values.squeeze(dim), index.squeeze(dim))


@lowers("max.dim")
def _max_dim(x: Array, dim: int, keepdim: bool = False) -> tuple[Array, Array]:
    return _chosen(x, _argmax(x, dim, True), dim, keepdim)


@lowers("min.dim")
def _min_dim(x: Array, dim: int, keepdim: bool = False) -> tuple[Array, Array]:
    return _chosen(x, _argmin(x, dim, True), dim, keepdim)


@lowers("argmax")
def _argmax(x: Array, dim: int | None = None, keepdim: bool = False) -> Array:
    if x.ndim == 0:
        return jnp.zeros((), jnp.int64)
    return jnp.argmax(x, dim, keepdims=keepdim)


@lowers("argmin")
def _argmin(x: Array, dim: int | None = None, keepdim: bool = False) -> Array:
    if x.ndim == 0:
        return jnp.zeros((), jnp.int64)
    return jnp.argmin(x, dim, keepdims=keepdim)


@lowers("any", "any.dim", "any.dims")
def _any(x: Array, dim: Dims = None, keepdim: bool = False) -> Array:
    return jnp.any(x, axes(dim, x.ndim), keepdims=keepdim)


@lowers("all", "all.dim", "all.dims")
def _all(x: Array, dim: Dims = None, keepdim: bool = False) -> Array:
    return jnp.all(x, axes(dim, x.ndim), keepdims=keepdim)


@lowers("var_mean.correction")
def _var_mean(x: Array, dim: Dims = None, *, correction: Any = None, keepdim: bool = False) -> tuple[Array, Array]:
    x = wide(x)
    over = axes(dim, x.ndim)
    count = math.prod(x.shape[d] for d in over)
    mean = jnp.sum(x, over, keepdims=True) / count
    off = x - mean
    square = (off * jnp.conj(off)).real if jnp.iscomplexobj(x) else off * off
    free = count - (1 if correction is None else correction)
    total = jnp.sum(square, over, keepdims=keepdim)
    variance = total / free if free > 0 else total / jnp.zeros((), total.dtype)
    return variance, mean if keepdim else mean.squeeze(over)


@lowers("var.correction")
def _var(x: Array, dim: Dims = None, *, correction: Any = None, keepdim: bool = False) -> Array:
    return _var_mean(x, dim, correction=correction, keepdim=keepdim)[0]


@lowers("std.correction")
def _std(x: Array, dim: Dims = None, *, correction: Any = None, keepdim: bool = False) -> Array:
    return root(_var(x, dim, correction=correction, keepdim=keepdim))


@lowers("std_mean.correction")
def _std_mean(x: Array, dim: Dims = None, *, correction: Any = None, keepdim: bool = False) -> tuple[Array, Array]:
    variance, mean = _var_mean(x, dim, correction=correction, keepdim=keepdim)
    return root(variance), mean


def root(square: Array) -> Array:
    """A square root whose derivative is zero where it is: what PyTorch takes for deviations and norms."""
    return jnp.where(square == 0, 0, jnp.sqrt(jnp.where(square == 0, 1, square)))


@lowers("linalg_vector_norm")
def vector_norm(
    x: Array, ord: Any = 2, dim: Dims = None, keepdim: bool = False, *, dtype: torch.dtype | None = None
) -> Array:
    x = wide(_cast(x, dtype))
    over = axes(dim, x.ndim)
    if ord == 2:
        return root(jnp.sum((x * jnp.conj(x)).real if jnp.iscomplexobj(x) else x * x, over, keepdims=keepdim))
    size = jnp.abs(x)
    if ord == 0:
        return jnp.sum(x != 0, over, keepdims=keepdim).astype(size.dtype)
    if ord == 1:
        return jnp.sum(size, over, keepdims=keepdim)
    if abs(ord) == math.inf:
        return (jnp.max if ord > 0 else jnp.min)(size, over, keepdims=keepdim)
    total = jnp.sum(jnp.where(size == 0, 0 if ord > 0 else jnp.inf, jnp.where(size == 0, 1, size) ** ord),
                    over, keepdims=keepdim)  # fmt: skip
    nought = total == 0
    return jnp.where(nought, 0, jnp.where(nought, 1, total) ** (1 / ord))


@lowers("logsumexp")
def _logsumexp(x: Array, dim: Dims, keepdim: bool = False) -> Array:
    (x,) = floating(x)
    over = axes(dim, x.ndim)
    top = ended(jnp.max(x, over, keepdims=True))
    top = jnp.where(jnp.isfinite(top), top, 0)
    found = jnp.log(jnp.sum(jnp.exp(x - top), over, keepdims=True)) + top
    return found if keepdim else found.squeeze(over)


@lowers("cumsum")
def _cumsum(x: Array, dim: int, *, dtype: torch.dtype | None = None) -> Array:
    x = _whole(_cast(x, dtype))
    return jnp.cumsum(x, dim) if x.ndim else x


@lowers("cumprod")
def _cumprod(x: Array, dim: int, *, dtype: torch.dtype | None = None) -> Array:
    x = _whole(_cast(x, dtype))
    return jnp.cumprod(x, dim) if x.ndim else x


@lowers("logcumsumexp")
def _logcumsumexp(x: Array, dim: int) -> Array:
    if x.ndim == 0:
        return x
    top = ended(jnp.max(x, dim, keepdims=True))
    top = jnp.where(jnp.isfinite(top), top, 0)
    return jnp.log(jnp.cumsum(jnp.exp(x - top), dim)) + top


def _running(better: Callable[[Array, Array], Array]) -> Callable[[Array, int], tuple[Array, Array]]:
    """The best so far and where it was, of equals the last: the index moves, and the elements are taken from there."""

    def lower(x: Array, dim: int) -> tuple[Array, Array]:
        if x.ndim == 0:
            return x, jnp.zeros((), jnp.int64)
        fixed = ended(x)

        def join(a: tuple[Array, Array], b: tuple[Array, Array]) -> tuple[Array, Array]:
            take = better(b[0], a[0]) | jnp.isnan(b[0])
            return jnp.where(take, b[0], a[0]), jnp.where(take, b[1], a[1])

        places = lax.broadcasted_iota(jnp.int64, x.shape, dim % x.ndim)
        _, index = lax.associative_scan(join, (fixed, places), axis=dim % x.ndim)
        return jnp.take_along_axis(x, index, dim), index

    return lower


lowers("cummax")(_running(jnp.greater_equal))
lowers("cummin")(_running(jnp.less_equal))


def _order(x: Array, dim: int, descending: bool) -> Array:
    return jnp.argsort(ended(x), dim, stable=True, descending=descending)


@lowers("sort")
def _sort(x: Array, dim: int = -1, descending: bool = False) -> tuple[Array, Array]:
    if x.ndim == 0:
        return x, jnp.zeros((), jnp.int64)
    order = _order(x, dim, descending)
    return jnp.take_along_axis(x, order, dim), order


@lowers("sort.stable")
def _sort_stable(x: Array, *, stable: bool | None, dim: int = -1, descending: bool = False) -> tuple[Array, Array]:
    return _sort(x, dim, descending)


@lowers("argsort", "argsort.stable")
def _argsort(x: Array, dim: int = -1, descending: bool = False, *, stable: bool = True) -> Array:
    return _sort(x, dim, descending)[1]


@lowers("topk")
def _topk(x: Array, k: int, dim: int = -1, largest: bool = True, sorted: bool = True) -> tuple[Array, Array]:
    if x.ndim == 0:
        return x, jnp.zeros((), jnp.int64)
    order = lax.slice_in_dim(_order(x, dim, largest), 0, k, axis=dim)
    return jnp.take_along_axis(x, order, dim), order


@lowers("kthvalue")
def _kthvalue(x: Array, k: int, dim: int = -1, keepdim: bool = False) -> tuple[Array, Array]:
    if x.ndim == 0:
        return x, jnp.zeros((), jnp.int64)
    return _chosen(x, lax.slice_in_dim(_order(x, dim, False), k - 1, k, axis=dim), dim, keepdim)


@lowers("median.dim")
def _median_dim(x: Array, dim: int, keepdim: bool = False) -> tuple[Array, Array]:
    """The lower of two in the middle; nan if there is one (`argsort` puts them last)."""
    if x.ndim == 0:
        return x, jnp.zeros((), jnp.int64)
    order = _order(x, dim, False)
    n = x.shape[dim]
    middle = lax.slice_in_dim(order, (n - 1) // 2, (n - 1) // 2 + 1, axis=dim)
    last = lax.slice_in_dim(order, n - 1, n, axis=dim)
    return _chosen(x, jnp.where(jnp.isnan(jnp.take_along_axis(x, last, dim)), last, middle), dim, keepdim)


@lowers("median")
def _median(x: Array) -> Array:
    return _median_dim(x.ravel(), 0)[0]


@lowers("_softmax", "softmax.int")
def _softmax(x: Array, dim: int, half_to_float: Any = False, *, dtype: torch.dtype | None = None) -> Array:
    x = wide(_cast(x, dtype))
    if x.ndim == 0:
        return jnp.ones_like(x)
    e = jnp.exp(x - ended(jnp.max(x, dim, keepdims=True)))
    return e / jnp.sum(e, dim, keepdims=True)


@lowers("_log_softmax", "log_softmax.int")
def _log_softmax(x: Array, dim: int, half_to_float: Any = False, *, dtype: torch.dtype | None = None) -> Array:
    x = wide(_cast(x, dtype))
    if x.ndim == 0:
        return jnp.zeros_like(x)
    off = x - ended(jnp.max(x, dim, keepdims=True))
    return off - jnp.log(jnp.sum(jnp.exp(off), dim, keepdims=True))


@lowers("_safe_softmax")
def _safe_softmax(x: Array, dim: int, dtype: torch.dtype | None = None) -> Array:
    """Zero where a whole row is masked out by -inf."""
    x = wide(_cast(x, dtype))
    masked = jnp.all(x == -jnp.inf, dim, keepdims=True)
    return jnp.where(masked, 0, _softmax(jnp.where(masked, 0, x), dim))


@lowers("bincount")
def _bincount(x: Array, weights: Array | None = None, minlength: int = 0) -> Array:
    raise NotImplementedError("how many bins there are depends on the data")


@lowers("searchsorted.Tensor")
def _searchsorted(
    boundaries: Array, x: Array, *, out_int32: bool = False, right: bool = False, side: str | None = None,
    sorter: Array | None = None,
) -> Array:  # fmt: skip
    if sorter is not None:
        boundaries = jnp.take_along_axis(boundaries, sorter, -1)
    after = right or side == "right"
    compare = jnp.less_equal if after else jnp.less
    if boundaries.ndim == 1:
        return jnp.searchsorted(boundaries, x, side="right" if after else "left")
    return jnp.sum(compare(boundaries[..., None, :], x[..., None]), -1)


@lowers("bucketize.Tensor", "bucketize.Scalar")
def _bucketize(x: Any, boundaries: Array, *, out_int32: bool = False, right: bool = False) -> Array:
    return jnp.searchsorted(boundaries, jnp.asarray(x), side="right" if right else "left")


@lowers("histc")
def _histc(x: Array, bins: int = 100, min: Any = 0, max: Any = 0) -> Array:
    low, high = (jnp.min(x), jnp.max(x)) if min == max == 0 else (min, max)
    inside = (x >= low) & (x <= high)
    place = jnp.clip(jnp.floor((x - low) / (high - low) * bins).astype(jnp.int64), 0, bins - 1)
    return jnp.zeros(bins, x.dtype).at[place].add(inside.astype(x.dtype))
