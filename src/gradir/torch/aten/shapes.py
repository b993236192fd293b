"""Shapes, parts, paddings and new tensors."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from typing import Any

import jax.numpy as jnp
import numpy as np
import torch
from jax import lax

from gradir.torch.aten.table import dtype, lowers, promoted

Array = Any

# -- Views -----------------------------------------------------------------------------------------------------------


@lowers("view", "reshape", "_unsafe_view", "_reshape_alias", "view_copy", "reshape_as", "view_as")
def _view(x: Array, size: Any, *_: Any) -> Array:
    return jnp.reshape(x, getattr(size, "shape", size))


@lowers("flatten.using_ints")
def _flatten(x: Array, start_dim: int = 0, end_dim: int = -1) -> Array:
    if x.ndim == 0:
        return x.reshape(1)
    start, end = start_dim % x.ndim, end_dim % x.ndim
    return x.reshape(*x.shape[:start], -1, *x.shape[end + 1 :]) if x.size else x.reshape(
        *x.shape[:start], math.prod(x.shape[start : end + 1]), *x.shape[end + 1 :]
    )  # fmt: skip


@lowers("unflatten.int")
def _unflatten(x: Array, dim: int, sizes: Sequence[int]) -> Array:
    dim %= x.ndim
    return x.reshape(*x.shape[:dim], *sizes, *x.shape[dim + 1 :])


@lowers("expand", "expand_copy")
def _expand(x: Array, size: Sequence[int], *, implicit: bool = False) -> Array:
    new = len(size) - x.ndim
    return jnp.broadcast_to(x, [x.shape[i - new] if n == -1 else n for i, n in enumerate(size)])


@lowers("expand_as")
def _expand_as(x: Array, y: Array) -> Array:
    return jnp.broadcast_to(x, y.shape)


@lowers("broadcast_tensors")
def _broadcast_tensors(xs: Sequence[Array]) -> list[Array]:
    return list(jnp.broadcast_arrays(*xs))


@lowers("permute", "permute_copy")
def _permute(x: Array, dims: Sequence[int]) -> Array:
    return jnp.transpose(x, dims)


@lowers("transpose.int", "swapaxes", "swapdims", "transpose_copy.int")
def _transpose(x: Array, a: int, b: int) -> Array:
    return jnp.swapaxes(x, a, b) if x.ndim else x


@lowers("t", "numpy_T", "mT", "t_copy")
def _t(x: Array) -> Array:
    return jnp.swapaxes(x, -1, -2) if x.ndim > 1 else x


@lowers("movedim.int", "movedim.intlist")
def _movedim(x: Array, source: Any, destination: Any) -> Array:
    return jnp.moveaxis(x, source, destination)


@lowers("squeeze", "squeeze_copy")
def _squeeze(x: Array) -> Array:
    return jnp.squeeze(x)


@lowers("squeeze.dim", "squeeze.dims")
def _squeeze_dims(x: Array, dim: int | Sequence[int]) -> Array:
    dims = [dim] if isinstance(dim, int) else dim
    return jnp.squeeze(x, tuple(d % x.ndim for d in dims if x.shape[d] == 1)) if x.ndim else x


@lowers("unsqueeze", "unsqueeze_copy")
def _unsqueeze(x: Array, dim: int) -> Array:
    return jnp.expand_dims(x, dim)


@lowers("slice.Tensor", "slice_copy.Tensor")
def _slice(x: Array, dim: int = 0, start: int | None = None, end: int | None = None, step: int = 1) -> Array:
    return x[_along(x, dim, slice(start, end, step))]


def _along(x: Array, dim: int, index: Any) -> tuple[Any, ...]:
    return (*[slice(None)] * (dim % x.ndim), index)


@lowers("select.int", "select_copy.int")
def _select(x: Array, dim: int, index: Any) -> Array:
    if isinstance(index, int):
        return lax.index_in_dim(x, index, dim % x.ndim, keepdims=False)
    return lax.dynamic_index_in_dim(x, index, dim % x.ndim, keepdims=False)


@lowers("narrow", "narrow_copy")
def _narrow(x: Array, dim: int, start: int, length: int) -> Array:
    start = start % x.shape[dim] if start < 0 else start
    return lax.slice_in_dim(x, start, start + length, axis=dim % x.ndim)


@lowers("slice_scatter")
def _slice_scatter(
    x: Array, source: Array, dim: int = 0, start: int | None = None, end: int | None = None, step: int = 1
) -> Array:
    return x.at[_along(x, dim, slice(start, end, step))].set(source.astype(x.dtype), unique_indices=True)


@lowers("select_scatter")
def _select_scatter(x: Array, source: Array, dim: int, index: int) -> Array:
    return x.at[_along(x, dim, index)].set(source.astype(x.dtype))


def _diagonal_of(x: Array, offset: int, dim1: int, dim2: int) -> tuple[Array, tuple[Any, ...]]:
    """The matrices with their two dimensions last, and the indices of a diagonal of them."""
    moved = jnp.moveaxis(x, (dim1, dim2), (-2, -1))
    rows, columns = moved.shape[-2:]
    n = max(min(rows + min(offset, 0), columns - max(offset, 0)), 0)
    along = np.arange(n)
    return moved, (..., along + max(-offset, 0), along + max(offset, 0))


@lowers("diagonal", "diagonal_copy")
def _diagonal(x: Array, offset: int = 0, dim1: int = 0, dim2: int = 1) -> Array:
    moved, index = _diagonal_of(x, offset, dim1, dim2)
    return moved[index]


@lowers("diagonal_scatter")
def _diagonal_scatter(x: Array, source: Array, offset: int = 0, dim1: int = 0, dim2: int = 1) -> Array:
    moved, index = _diagonal_of(x, offset, dim1, dim2)
    return jnp.moveaxis(moved.at[index].set(source), (-2, -1), (dim1, dim2))


@lowers("diag_embed")
def _diag_embed(x: Array, offset: int = 0, dim1: int = -2, dim2: int = -1) -> Array:
    n = x.shape[-1] + abs(offset)
    along = np.arange(x.shape[-1])
    index = (..., along + max(-offset, 0), along + max(offset, 0))
    matrices = jnp.zeros((*x.shape[:-1], n, n), x.dtype).at[index].set(x)
    return jnp.moveaxis(matrices, (-2, -1), (dim1, dim2))


@lowers("tril")
def _tril(x: Array, diagonal: int = 0) -> Array:
    return jnp.tril(x, diagonal)


@lowers("triu")
def _triu(x: Array, diagonal: int = 0) -> Array:
    return jnp.triu(x, diagonal)


@lowers("as_strided", "as_strided_copy")
def _as_strided(x: Array, size: Sequence[int], stride: Sequence[int], storage_offset: int | None = None) -> Array:
    """Of a tensor that lies in memory row by row, as all of an exported program are taken to."""
    return x.ravel()[strided(size, stride, storage_offset)]


@lowers("as_strided_scatter")
def _as_strided_scatter(
    x: Array, source: Array, size: Sequence[int], stride: Sequence[int], storage_offset: int | None = None
) -> Array:
    return x.ravel().at[strided(size, stride, storage_offset)].set(source).reshape(x.shape)


def strided(size: Sequence[int], stride: Sequence[int], offset: int | None) -> Any:
    """The places in memory of a tensor's elements."""
    places = np.full(tuple(size), offset or 0)
    for d, (n, step) in enumerate(zip(size, stride, strict=True)):
        places += (np.arange(n) * step).reshape([-1 if i == d else 1 for i in range(len(size))])
    return places


@lowers("unfold", "unfold_copy")
def _unfold(x: Array, dim: int, size: int, step: int) -> Array:
    if x.ndim == 0:
        return jnp.broadcast_to(x, (size,))
    dim %= x.ndim
    starts = np.arange(0, x.shape[dim] - size + 1, step)
    taken = jnp.take(x, starts[:, None] + np.arange(size), axis=dim)
    return jnp.moveaxis(taken, dim + 1, -1)


# -- Several in one, one in several ----------------------------------------------------------------------------------


@lowers("cat", "concat")
def _cat(xs: Sequence[Array], dim: int = 0) -> Array:
    kept = [x for x in xs if x.shape != (0,)] or list(xs[:1])
    return jnp.concatenate(promoted(*kept), dim)


@lowers("stack")
def _stack(xs: Sequence[Array], dim: int = 0) -> Array:
    return jnp.stack(promoted(*xs), dim)


@lowers("split_with_sizes", "split_with_sizes_copy", "split.sizes")
def _split_with_sizes(x: Array, sizes: Sequence[int], dim: int = 0) -> list[Array]:
    return jnp.split(x, list(itertools.accumulate(sizes))[:-1], dim)


@lowers("split.Tensor", "split_copy.Tensor")
def _split(x: Array, size: int, dim: int = 0) -> list[Array]:
    return jnp.split(x, list(range(size, x.shape[dim], size)) if size else [], dim)


@lowers("chunk")
def _chunk(x: Array, chunks: int, dim: int = 0) -> list[Array]:
    return _split(x, max(-(-x.shape[dim] // chunks), 1), dim)


@lowers("unbind.int", "unbind_copy.int")
def _unbind(x: Array, dim: int = 0) -> list[Array]:
    return [lax.index_in_dim(x, i, dim % x.ndim, keepdims=False) for i in range(x.shape[dim])]


@lowers("repeat")
def _repeat(x: Array, repeats: Sequence[int]) -> Array:
    return jnp.tile(x, tuple(repeats)) if len(repeats) else x


@lowers("repeat_interleave.self_int")
def _repeat_interleave(x: Array, repeats: int, dim: int | None = None, *, output_size: int | None = None) -> Array:
    return jnp.repeat(x, repeats, axis=dim)


@lowers("repeat_interleave.self_Tensor", "repeat_interleave.Tensor")
def _repeat_interleave_tensor(*_: Any, **__: Any) -> Array:
    raise NotImplementedError("how many elements there are depends on the data")


@lowers("flip")
def _flip(x: Array, dims: Sequence[int]) -> Array:
    return jnp.flip(x, tuple(dims)) if x.ndim and len(dims) else x


@lowers("roll")
def _roll(x: Array, shifts: Sequence[int], dims: Sequence[int] = ()) -> Array:
    if len(dims) == 0:
        return jnp.roll(x.ravel(), shifts[0]).reshape(x.shape)
    return jnp.roll(x, tuple(shifts), tuple(dims))


@lowers("rot90")
def _rot90(x: Array, k: int = 1, dims: Sequence[int] = (0, 1)) -> Array:
    return jnp.rot90(x, k, (dims[0], dims[1]))


# -- Paddings --------------------------------------------------------------------------------------------------------


def _widths(x: Array, pad: Sequence[int]) -> list[tuple[int, int]]:
    """PyTorch's list begins with the last dimension."""
    pairs = list(zip(pad[::2], pad[1::2], strict=True))[::-1]
    return [(0, 0)] * (x.ndim - len(pairs)) + pairs


@lowers("constant_pad_nd")
def _constant_pad(x: Array, pad: Sequence[int], value: Any = 0) -> Array:
    return lax.pad(x, jnp.asarray(value, x.dtype), [(*w, 0) for w in _widths(x, pad)])


def _pad_by(mode: str) -> Any:
    def lower(x: Array, pad: Sequence[int]) -> Array:
        widths = _widths(x, pad)
        for d, (low, high) in enumerate(widths):  # negative widths cut off
            x = lax.slice_in_dim(x, max(-low, 0), x.shape[d] - max(-high, 0), axis=d)
        return jnp.pad(x, [(max(low, 0), max(high, 0)) for low, high in widths], mode)

    return lower


for rank in (1, 2, 3):
    lowers(f"reflection_pad{rank}d")(_pad_by("reflect"))
    lowers(f"replication_pad{rank}d")(_pad_by("edge"))
lowers("_pad_circular")(_pad_by("wrap"))


@lowers("pixel_shuffle")
def _pixel_shuffle(x: Array, factor: int) -> Array:
    *batch, c, h, w = x.shape
    y = x.reshape(*batch, c // factor**2, factor, factor, h, w)
    n = len(batch)
    order = [*range(n), n, n + 3, n + 1, n + 4, n + 2]
    return y.transpose(order).reshape(*batch, c // factor**2, h * factor, w * factor)


# -- New tensors -----------------------------------------------------------------------------------------------------


def _type(given: torch.dtype | None, value: Any = 0.0) -> Any:
    if given is None:
        given = {bool: torch.bool, int: torch.int64, complex: torch.complex64}.get(type(value))
    return dtype(given or torch.get_default_dtype())


@lowers("full")
def _full(size: Sequence[int], value: Any, *, dtype: torch.dtype | None = None, **_: Any) -> Array:
    return jnp.full(tuple(size), value, _type(dtype, value))


@lowers("empty.memory_format", "zeros", "empty_permuted")
def _zeros(size: Sequence[int], *_: Any, dtype: torch.dtype | None = None, **__: Any) -> Array:
    return jnp.zeros(tuple(size), _type(dtype))


@lowers("ones")
def _ones(size: Sequence[int], *, dtype: torch.dtype | None = None, **_: Any) -> Array:
    return jnp.ones(tuple(size), _type(dtype))


@lowers("empty_strided")
def _empty_strided(size: Sequence[int], stride: Any, *, dtype: torch.dtype | None = None, **_: Any) -> Array:
    return _zeros(size, dtype=dtype)


@lowers("scalar_tensor")
def _scalar_tensor(value: Any, *, dtype: torch.dtype | None = None, **_: Any) -> Array:
    return jnp.asarray(value, _type(dtype))


@lowers("full_like")
def _full_like(x: Array, value: Any, *, dtype: torch.dtype | None = None, **_: Any) -> Array:
    return jnp.full(x.shape, value, x.dtype if dtype is None else _type(dtype))


@lowers("zeros_like", "empty_like")
def _zeros_like(x: Array, *, dtype: torch.dtype | None = None, **_: Any) -> Array:
    return _full_like(x, 0, dtype=dtype)


@lowers("ones_like")
def _ones_like(x: Array, *, dtype: torch.dtype | None = None, **_: Any) -> Array:
    return _full_like(x, 1, dtype=dtype)


@lowers("new_full")
def _new_full(x: Array, size: Sequence[int], value: Any, *, dtype: torch.dtype | None = None, **_: Any) -> Array:
    return jnp.full(tuple(size), value, x.dtype if dtype is None else _type(dtype))


@lowers("new_zeros", "new_empty")
def _new_zeros(x: Array, size: Sequence[int], *, dtype: torch.dtype | None = None, **_: Any) -> Array:
    return _new_full(x, size, 0, dtype=dtype)


@lowers("new_ones")
def _new_ones(x: Array, size: Sequence[int], *, dtype: torch.dtype | None = None, **_: Any) -> Array:
    return _new_full(x, size, 1, dtype=dtype)


@lowers("new_empty_strided")
def _new_empty_strided(
    x: Array, size: Sequence[int], stride: Any, *, dtype: torch.dtype | None = None, **_: Any
) -> Array:
    return _new_full(x, size, 0, dtype=dtype)


@lowers("arange")
def _arange(end: Any, *, dtype: torch.dtype | None = None, **_: Any) -> Array:
    return _arange_step(0, end, 1, dtype=dtype)


@lowers("arange.start", "arange.start_step")
def _arange_step(start: Any, end: Any, step: Any = 1, *, dtype: torch.dtype | None = None, **_: Any) -> Array:
    whole = all(isinstance(v, int) for v in (start, end, step))
    count = max(math.ceil((end - start) / step), 0)
    kind = _type(dtype, 0 if whole else 0.0)
    return (start + jnp.arange(count) * step).astype(kind)


@lowers("linspace")
def _linspace(start: Any, end: Any, steps: int, *, dtype: torch.dtype | None = None, **_: Any) -> Array:
    return jnp.linspace(start, end, steps).astype(_type(dtype))


@lowers("eye")
def _eye(n: int, *, dtype: torch.dtype | None = None, **_: Any) -> Array:
    return jnp.eye(n, dtype=_type(dtype))


@lowers("eye.m")
def _eye_m(n: int, m: int, *, dtype: torch.dtype | None = None, **_: Any) -> Array:
    return jnp.eye(n, m, dtype=_type(dtype))


@lowers("tril_indices")
def _tril_indices(row: int, col: int, offset: int = 0, **_: Any) -> Array:
    return jnp.stack(jnp.tril_indices(row, offset, col)).astype(jnp.int64)


@lowers("triu_indices")
def _triu_indices(row: int, col: int, offset: int = 0, **_: Any) -> Array:
    return jnp.stack(jnp.triu_indices(row, offset, col)).astype(jnp.int64)
