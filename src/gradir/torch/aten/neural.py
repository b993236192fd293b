"""Convolutions, pools, normalisations, attention and recurrent layers."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import partial, reduce
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

from gradir.jax.lowering import ended
from gradir.torch.aten.random import dropout
from gradir.torch.aten.reductions import _safe_softmax
from gradir.torch.aten.table import lowers, wide

Array = Any
Draw = Callable[[], Any]

# -- Convolutions ----------------------------------------------------------------------------------------------------


@lowers("convolution")
def _convolution(
    x: Array, weight: Array, bias: Array | None, stride: Sequence[int], padding: Sequence[int],
    dilation: Sequence[int], transposed: bool, output_padding: Sequence[int], groups: int,
) -> Array:  # fmt: skip
    rank = weight.ndim - 2
    stride, padding, dilation, output_padding = (_each(v, rank) for v in (stride, padding, dilation, output_padding))
    lone = x.ndim == rank + 1
    if lone:
        x = x[None]
    if transposed:
        inside, outside, *kernel = weight.shape
        weight = weight.reshape(groups, inside // groups, outside, *kernel).swapaxes(1, 2)
        weight = jnp.flip(weight.reshape(groups * outside, inside // groups, *kernel), tuple(range(2, rank + 2)))
        reach = [d * (k - 1) for d, k in zip(dilation, kernel, strict=True)]
        pads = [(r - p, r - p + o) for r, p, o in zip(reach, padding, output_padding, strict=True)]
        y = _correlate(x, weight, [1] * rank, pads, stride, dilation, groups)
    else:
        y = _correlate(x, weight, stride, [(p, p) for p in padding], [1] * rank, dilation, groups)
    if bias is not None:
        y = y + bias.reshape(-1, *[1] * rank)
    return y[0] if lone else y


@lowers("convolution_backward")
def _convolution_backward(
    g: Array, x: Array, weight: Array, bias_sizes: Any, stride: Sequence[int], padding: Sequence[int],
    dilation: Sequence[int], transposed: bool, output_padding: Sequence[int], groups: int, mask: Sequence[bool],
) -> tuple[Array | None, ...]:  # fmt: skip
    """What a module asks for that takes derivatives itself: of operand, weight and bias, those wanted."""
    _, pull = jax.vjp(
        lambda x, w: _convolution(x, w, None, stride, padding, dilation, transposed, output_padding, groups), x, weight
    )
    channel = g.ndim - (weight.ndim - 1)
    bias = jnp.sum(g, tuple(d for d in range(g.ndim) if d != channel))
    return tuple(found if wanted else None for found, wanted in zip((*pull(g), bias), mask, strict=True))


def _correlate(
    x: Array, weight: Array, stride: Sequence[int], pads: Sequence[tuple[int, int]], spread: Sequence[int],
    dilation: Sequence[int], groups: int,
) -> Array:  # fmt: skip
    return lax.conv_general_dilated(
        x, weight, tuple(stride), pads, lhs_dilation=tuple(spread), rhs_dilation=tuple(dilation),
        feature_group_count=groups,
    )  # fmt: skip


def _each(value: int | Sequence[int], rank: int) -> list[int]:
    """One number for each dimension, where one may stand for all."""
    values = [value] if isinstance(value, int) else list(value)
    return values * rank if len(values) == 1 else values


# -- Pools -----------------------------------------------------------------------------------------------------------


def _windows(
    x: Array, kernel: Sequence[int], stride: Sequence[int], padding: Sequence[int], dilation: Sequence[int],
    ceil_mode: bool,
) -> tuple[list[int], list[int], list[int], list[tuple[int, int]]]:  # fmt: skip
    """Window, strides, dilation and padding, for all dimensions of an array. The last window may reach over its end."""
    rank = len(kernel)
    pads = []
    for n, k, s, p, d in zip(x.shape[-rank:], kernel, stride, padding, dilation, strict=True):
        reach = d * (k - 1) + 1
        count = (n + 2 * p - reach) // s + 1
        if ceil_mode:
            count = -((reach - n - 2 * p) // s) + 1
            count -= (count - 1) * s >= n + p
        pads.append((p, max((count - 1) * s + reach - n - p, 0) if ceil_mode else p))
    front = x.ndim - rank
    return [1] * front + [*kernel], [1] * front + [*stride], [1] * front + [*dilation], [(0, 0)] * front + pads


def _max_pool(rank: int) -> Callable[..., tuple[Array, Array]]:
    def lower(
        x: Array, kernel: Any, stride: Any = (), padding: Any = 0, dilation: Any = 1, ceil_mode: bool = False
    ) -> tuple[Array, Array]:
        kernel = _each(kernel, rank)
        sizes = kernel, _each(stride, rank) or kernel, _each(padding, rank), _each(dilation, rank)
        window, strides, spread, pads = _windows(x, *sizes, ceil_mode)
        low = jnp.asarray(-jnp.inf if jnp.issubdtype(x.dtype, jnp.floating) else jnp.iinfo(x.dtype).min, x.dtype)
        over = partial(
            lax.reduce_window, window_dimensions=tuple(window), window_strides=tuple(strides), padding=pads,
            window_dilation=tuple(spread),
        )  # fmt: skip
        places = jnp.broadcast_to(jnp.arange(math.prod(x.shape[-rank:])).reshape(x.shape[-rank:]), x.shape)

        def better(a: tuple[Array, Array], b: tuple[Array, Array]) -> tuple[Array, Array]:
            take = (b[0] > a[0]) | ((b[0] == a[0]) & (b[1] < a[1])) | (jnp.isnan(b[0]) & ~jnp.isnan(a[0]))
            return jnp.where(take, b[0], a[0]), jnp.where(take, b[1], a[1])

        # Of these two nobody needs the second, as a rule: then it is never computed.
        values = over(x, low, lax.max)
        last = jnp.iinfo(places.dtype).max
        index = over((ended(x), places), (low, jnp.asarray(last, places.dtype)), better)[1]
        return values, index

    return lower


for rank in (2, 3):
    lowers(f"max_pool{rank}d_with_indices")(_max_pool(rank))


@lowers("max_pool2d_with_indices_backward", "max_pool3d_with_indices_backward")
def _max_pool_backward(g: Array, x: Array, kernel: Sequence[int], *rest: Any) -> Array:
    return _to_places(g, x, rest[-1], len(kernel))


@lowers("adaptive_max_pool2d_backward")
def _adaptive_max_pool_backward(g: Array, x: Array, index: Array) -> Array:
    return _to_places(g, x, index, 2)


def _to_places(g: Array, x: Array, index: Array, rank: int) -> Array:
    """What belongs to the greatest of windows, added up at their places in the last dimensions of x."""
    front = math.prod(x.shape[: x.ndim - rank])
    along = jnp.arange(front)[:, None]
    return jnp.zeros((front, x.size // front), g.dtype).at[along, index.reshape(front, -1)].add(
        g.reshape(front, -1)).reshape(x.shape)  # fmt: skip


def _avg_pool(rank: int) -> Callable[..., Array]:
    def lower(
        x: Array, kernel: Any, stride: Any = (), padding: Any = 0, ceil_mode: bool = False,
        count_include_pad: bool = True, divisor_override: int | None = None,
    ) -> Array:  # fmt: skip
        kernel = _each(kernel, rank)
        strides, padding = _each(stride, rank) or kernel, _each(padding, rank)
        window, steps, _, pads = _windows(x, kernel, strides, padding, [1] * rank, ceil_mode)
        total = lax.reduce_window(wide(x), np.zeros((), wide(x).dtype), lax.add, tuple(window), tuple(steps), pads)
        if divisor_override is not None:
            return total / divisor_override
        counts = []
        for n, k, s, p, count in zip(x.shape[-rank:], kernel, strides, padding, total.shape[-rank:], strict=True):
            start = np.arange(count) * s - p
            end = np.minimum(start + k, n + p)
            counts.append(end - start if count_include_pad else np.minimum(end, n) - np.maximum(start, 0))
        return total / reduce(np.multiply.outer, counts).astype(total.dtype)

    return lower


def _mean_backward(lower: Callable[..., Array]) -> Callable[..., Array]:
    """What modules ask for that take derivatives themselves."""

    def backward(g: Array, x: Array, *rest: Any) -> Array:
        (found,) = jax.linear_transpose(lambda x: lower(x, *(rest or (g.shape[-2:],))), x)(g)
        return found

    return backward


for rank in (1, 2, 3):
    lowers(f"avg_pool{rank}d")(_avg_pool(rank))
    lowers(f"avg_pool{rank}d_backward")(_mean_backward(_avg_pool(rank)))


@lowers(
    "adaptive_avg_pool1d", "adaptive_avg_pool2d", "adaptive_avg_pool3d", "_adaptive_avg_pool2d", "_adaptive_avg_pool3d"
)
def _adaptive_avg_pool(x: Array, size: Sequence[int]) -> Array:
    x = wide(x)
    for d, count in zip(range(x.ndim - len(size), x.ndim), size, strict=True):
        n = x.shape[d]
        if n % count == 0:
            x = jnp.mean(x.reshape(*x.shape[:d], count, n // count, *x.shape[d + 1 :]), d + 1)
            continue
        parts = np.zeros((count, n), x.dtype)
        for i in range(count):
            start, end = i * n // count, -(-(i + 1) * n // count)
            parts[i, start:end] = 1 / (end - start)
        x = _along(x, parts, d)
    return x


lowers("_adaptive_avg_pool2d_backward")(_mean_backward(_adaptive_avg_pool))


@lowers("adaptive_max_pool2d", "adaptive_max_pool3d")
def _adaptive_max_pool(x: Array, size: Sequence[int]) -> tuple[Array, Array]:
    """Each window is gathered; one that is shorter than others has its last element again."""
    extents = x.shape[-len(size) :]
    rank, index = len(size), []
    for d, (n, count) in enumerate(zip(extents, size, strict=True)):
        start = np.arange(count) * n // count
        end = -(-(np.arange(count) + 1) * n // count)
        places = np.minimum(start[:, None] + np.arange((end - start).max()), end[:, None] - 1)
        index.append(
            places.reshape([count if i == d else places.shape[1] if i == rank + d else 1 for i in range(2 * rank)])
        )
    front = x.shape[: x.ndim - rank]
    flat = np.ravel_multi_index(np.broadcast_arrays(*index), extents).reshape(*size, -1)
    windows = x.reshape(*front, -1)[..., flat]
    best = jnp.argmax(ended(windows), -1, keepdims=True)
    values = jnp.take_along_axis(windows, best, -1)[..., 0]
    return values, jnp.take_along_axis(jnp.broadcast_to(flat, windows.shape), best, -1)[..., 0]


def _along(x: Array, matrix: Any, dim: int) -> Array:
    """A matrix times an array along one of its dimensions."""
    return jnp.moveaxis(jnp.tensordot(x, jnp.asarray(matrix, x.dtype), ((dim,), (1,))), -1, dim)


# -- Interpolation ---------------------------------------------------------------------------------------------------


def _source(count: int, n: int, align: bool, scale: float | None) -> Any:
    """Where in the input each element of the output lies."""
    out = np.arange(count)
    if align:
        return out * ((n - 1) / (count - 1)) if count > 1 else out * 0.0
    return (out + 0.5) * (1 / scale if scale else n / count) - 0.5


def _linear_weights(count: int, n: int, align: bool, scale: float | None) -> Any:
    place = np.maximum(_source(count, n, align, scale), 0)
    low = np.minimum(place.astype(int), n - 1)
    high = np.minimum(low + 1, n - 1)
    part = np.clip(place - low, 0, 1)
    weights = np.zeros((count, n))
    np.add.at(weights, (np.arange(count), low), 1 - part)
    np.add.at(weights, (np.arange(count), high), part)
    return weights


def _cubic_weights(count: int, n: int, align: bool, scale: float | None) -> Any:
    place = _source(count, n, align, scale)
    low, a = np.floor(place).astype(int), -0.75
    weights = np.zeros((count, n))
    for step in (-1, 0, 1, 2):
        off = np.abs(place - low - step)
        near = ((a + 2) * off - (a + 3)) * off * off + 1
        far = ((a * off - 5 * a) * off + 8 * a) * off - 4 * a
        np.add.at(weights, (np.arange(count), np.clip(low + step, 0, n - 1)), np.where(off <= 1, near, far))
    return weights


def _smoothed_weights(kernel: Callable[[Any], Any], reach: float) -> Callable[..., Any]:
    """Weights of a kernel that becomes as much wider as the output is smaller, as in Pillow."""

    def weights(count: int, n: int, align: bool, scale: float | None) -> Any:
        step = ((n - 1) / (count - 1) if count > 1 else 0.0) if align else 1 / scale if scale else n / count
        wider = max(step, 1.0)
        centre = step * (np.arange(count)[:, None] + 0.5)
        low = np.maximum((centre - reach * wider + 0.5).astype(int), 0)
        high = np.minimum((centre + reach * wider + 0.5).astype(int), n)
        place = np.arange(n)
        found = np.where((place >= low) & (place < high), kernel(np.abs((place - centre + 0.5) / wider)), 0)
        return found / found.sum(1, keepdims=True)

    return weights


def _tent(off: Any) -> Any:
    return np.maximum(1 - off, 0)


def _cubic(off: Any) -> Any:
    near = (1.5 * off - 2.5) * off * off + 1
    far = ((-0.5 * off + 2.5) * off - 4) * off + 2
    return np.where(off < 1, near, np.where(off < 2, far, 0))


def _interpolate(weights: Callable[..., Any]) -> Callable[..., Array]:
    """Dimension by dimension, each by a matrix: its derivative is the transposed matrix, and no scatter."""

    def lower(x: Array, size: Sequence[int], align: bool, *scales: float | None) -> Array:
        kind, x = x.dtype, wide(x)
        given = [*scales, *[None] * (len(size) - len(scales))]
        for d, count, scale in zip(range(2, x.ndim), size, given, strict=True):
            x = _along(x, weights(count, x.shape[d], align, scale), d)
        return x.astype(kind)

    return lower


def _interpolates(lower: Callable[..., Array], *names: str) -> None:
    """Put an interpolation into the table: by sizes, by factors, as modules ask for it, and the derivative that modules
    ask for which take such themselves."""

    def by_factors(x: Array, size: Sequence[int] | None, *rest: Any) -> Array:
        *how, factors = rest
        if size is None:
            size = [int(n * factor) for n, factor in zip(x.shape[2:], factors, strict=True)]
        return lower(x, size, *how, *(factors or ()))

    def backward(g: Array, size: Sequence[int], input_size: Sequence[int], *rest: Any) -> Array:
        (x,) = jax.linear_transpose(lambda x: lower(x, size, *rest), jnp.zeros(tuple(input_size), g.dtype))(g)
        return x

    lowers(*names)(lower)
    lowers(*(f"{name}.vec" for name in names))(by_factors)
    lowers(*(f"{name}_backward" for name in names))(backward)


_interpolates(_interpolate(_linear_weights), "upsample_linear1d", "upsample_bilinear2d", "upsample_trilinear3d")
_interpolates(_interpolate(_cubic_weights), "upsample_bicubic2d")
_interpolates(_interpolate(_smoothed_weights(_tent, 1)), "_upsample_bilinear2d_aa")
_interpolates(_interpolate(_smoothed_weights(_cubic, 2)), "_upsample_bicubic2d_aa")


def _nearest(exact: bool) -> Callable[..., Array]:
    def lower(x: Array, size: Sequence[int], *scales: float | None) -> Array:
        given = [*scales, *[None] * (len(size) - len(scales))]
        for d, count, scale in zip(range(2, x.ndim), size, given, strict=True):
            n = x.shape[d]
            step = np.float32(1 / scale) if scale else np.float32(n / count)
            place = np.floor((np.arange(count) + np.float32(0.5 * exact)) * step).astype(int)
            place = np.minimum(place, n - 1)
            if n and count % n == 0 and np.array_equal(place, np.arange(count) // (count // n)):
                x = jnp.repeat(x, count // n, axis=d)
            else:
                x = jnp.take(x, place, axis=d)
        return x

    return lower


for rank in (1, 2, 3):
    _interpolates(_nearest(False), f"upsample_nearest{rank}d")
    _interpolates(_nearest(True), f"_upsample_nearest_exact{rank}d")

# -- Normalisation ---------------------------------------------------------------------------------------------------


def _moments(x: Array, over: tuple[int, ...]) -> tuple[Array, Array]:
    mean = jnp.mean(x, over, keepdims=True)
    off = x - mean
    return mean, jnp.mean(off * off, over, keepdims=True)


def _batch_norm(
    x: Array, weight: Array | None, bias: Array | None, mean: Array, variance: Array, eps: float
) -> tuple[Array, Array]:
    """With statistics that have the shape of one value a channel; also the reciprocal of the deviation."""
    shape = [1, -1, *[1] * (x.ndim - 2)]
    scale = lax.rsqrt(wide(variance) + eps).reshape(shape)
    y = (wide(x) - wide(mean).reshape(shape)) * scale
    if weight is not None:
        y = y * wide(weight).reshape(shape)
    if bias is not None:
        y = y + wide(bias).reshape(shape)
    return y.astype(x.dtype), scale.reshape(-1)


@lowers("_native_batch_norm_legit_functional")
def _batch_norm_functional(
    x: Array, weight: Array | None, bias: Array | None, running_mean: Array, running_var: Array, training: bool,
    momentum: float, eps: float,
) -> tuple[Array, ...]:  # fmt: skip
    if not training:
        y, _ = _batch_norm(x, weight, bias, running_mean, running_var, eps)
        return y, jnp.zeros(0, x.dtype), jnp.zeros(0, x.dtype), running_mean, running_var
    over = (0, *range(2, x.ndim))
    mean, variance = (m.reshape(-1) for m in _moments(wide(x), over))
    y, scale = _batch_norm(x, weight, bias, mean, variance, eps)
    count = x.size // x.shape[1]
    unbiased = variance * (count / (count - 1)) if count > 1 else variance / 0
    moved = (
        ended(((1 - momentum) * old + momentum * new).astype(old.dtype))
        for old, new in ((running_mean, mean), (running_var, unbiased))
    )
    return y, mean, scale, *moved


@lowers("_batch_norm_with_update_functional")
def _batch_norm_with_update(
    x: Array, weight: Array | None, bias: Array | None, running_mean: Array, running_var: Array, momentum: float,
    eps: float,
) -> tuple[Array, ...]:  # fmt: skip
    y, mean, scale, *moved = _batch_norm_functional(x, weight, bias, running_mean, running_var, True, momentum, eps)
    return y, mean, scale, jnp.zeros(0, jnp.uint8), *moved


@lowers("_native_batch_norm_legit_no_training")
def _batch_norm_no_training(
    x: Array, weight: Array | None, bias: Array | None, mean: Array, variance: Array, momentum: float, eps: float
) -> tuple[Array, ...]:
    return _batch_norm(x, weight, bias, mean, variance, eps)[0], jnp.zeros(0, x.dtype), jnp.zeros(0, x.dtype)


@lowers("_batch_norm_no_update")
def _batch_norm_no_update(*args: Any) -> tuple[Array, ...]:
    return *_batch_norm_no_training(*args), jnp.zeros(0, jnp.uint8)


@lowers("_native_batch_norm_legit.no_stats")
def _batch_norm_no_stats(
    x: Array, weight: Array | None, bias: Array | None, training: bool, momentum: float, eps: float
) -> tuple[Array, ...]:
    none = jnp.zeros(x.shape[1], wide(x).dtype)
    return _batch_norm_functional(x, weight, bias, none, none, True, momentum, eps)[:3]


@lowers("native_layer_norm")
def _layer_norm(
    x: Array, shape: Sequence[int], weight: Array | None, bias: Array | None, eps: float
) -> tuple[Array, Array, Array]:
    over = tuple(range(x.ndim - len(shape), x.ndim))
    mean, variance = _moments(wide(x), over)
    scale = lax.rsqrt(variance + eps)
    y = (wide(x) - mean) * scale
    if weight is not None:
        y = y * wide(weight)
    if bias is not None:
        y = y + wide(bias)
    return y, mean, scale


@lowers("_fused_rms_norm")
def _rms_norm(x: Array, shape: Sequence[int], weight: Array | None, eps: float | None) -> tuple[Array, Array]:
    y = wide(x)
    over = tuple(range(x.ndim - len(shape), x.ndim))
    least = float(jnp.finfo(y.dtype).eps) if eps is None else eps
    scale = lax.rsqrt(jnp.mean(y * y, over, keepdims=True) + least)
    return y * scale if weight is None else y * scale * wide(weight), scale


@lowers("native_group_norm")
def _group_norm(
    x: Array, weight: Array | None, bias: Array | None, n: int, channels: int, rest: int, groups: int, eps: float
) -> tuple[Array, Array, Array]:
    parts = wide(x).reshape(n, groups, -1)
    mean, variance = _moments(parts, (2,))
    scale = lax.rsqrt(variance + eps)
    y = ((parts - mean) * scale).reshape(x.shape)
    shape = [-1, *[1] * (x.ndim - 2)]
    if weight is not None:
        y = y * wide(weight).reshape(shape)
    if bias is not None:
        y = y + wide(bias).reshape(shape)
    return y, mean.reshape(n, groups), scale.reshape(n, groups)


# -- Attention -------------------------------------------------------------------------------------------------------


@lowers("scaled_dot_product_attention", draws=True)
def _attention(
    draw: Draw, q: Array, k: Array, v: Array, mask: Array | None = None, dropout_p: float = 0.0,
    is_causal: bool = False, *, scale: float | None = None, enable_gqa: bool = False,
) -> Array:  # fmt: skip
    if enable_gqa:
        k, v = (jnp.repeat(m, q.shape[-3] // m.shape[-3], axis=-3) for m in (k, v))
    factor = 1 / math.sqrt(q.shape[-1]) if scale is None else scale
    scores = wide(jnp.matmul(q * jnp.asarray(factor, q.dtype), jnp.swapaxes(k, -1, -2)))
    if is_causal:
        mask = jnp.tril(jnp.ones(scores.shape[-2:], bool))
    if mask is None:
        weights = jnp.exp(scores - ended(jnp.max(scores, -1, keepdims=True)))
        weights = weights / jnp.sum(weights, -1, keepdims=True)
    else:
        scores = jnp.where(mask, scores, -jnp.inf) if mask.dtype == bool else scores + mask
        weights = _safe_softmax(scores, -1)
    if dropout_p > 0:
        weights, _ = dropout(draw(), weights, dropout_p)
    return jnp.matmul(weights.astype(v.dtype), v)


# -- Alignments ------------------------------------------------------------------------------------------------------


def ctc_loss(scores: Array, targets: Array, times: Array, lengths: Array, blank: int) -> Array:
    """Connectionist temporal classification, for each of a batch: a loop over time of what all alignments amount to.

    Its derivative is that of the logarithms of probabilities that it is given. PyTorch's own takes them to be a
    `log_softmax`, behind which the two are the same.
    """
    scores = wide(scores)
    number, places = targets.shape
    labels = jnp.full((number, 2 * places + 1), blank).at[:, 1::2].set(targets)
    at = jnp.arange(2 * places + 1)
    skips = (at >= 2) & (labels != blank) & (labels != jnp.roll(labels, 2, 1))
    chosen = jnp.take_along_axis(scores, jnp.broadcast_to(labels, (len(scores), *labels.shape)), 2)
    never = jnp.full(labels.shape, -jnp.inf, scores.dtype)

    def later(sums: Array, steps: int) -> Array:
        return jnp.concatenate([never[:, :steps], sums], 1)[:, : sums.shape[1]]

    def step(sums: Array, now: tuple[Array, Array]) -> tuple[Array, None]:
        time, score = now
        skipped = jnp.where(skips, later(sums, 2), -jnp.inf)
        moved = _log_sum(jnp.stack([sums, later(sums, 1), skipped])) + score
        return jnp.where((time < times)[:, None], moved, sums), None

    start = jnp.where((at == 0) | ((at == 1) & (lengths > 0)[:, None]), chosen[0], -jnp.inf)
    start = jnp.where((times > 0)[:, None], start, jnp.where(at == 0, jnp.zeros_like(start), -jnp.inf))
    sums, _ = lax.scan(step, start, (jnp.arange(1, len(scores)), chosen[1:]))
    ends = jnp.stack([2 * lengths, jnp.maximum(2 * lengths - 1, 0)], 1)
    last = jnp.take_along_axis(sums, ends, 1)
    last = jnp.where(jnp.stack([lengths >= 0, lengths > 0], 1), last, -jnp.inf)
    return -_log_sum(last.T)


def _log_sum(x: Array) -> Array:
    """The logarithm of the sum of exponentials, over the first dimension; where all are zero, with derivative 0."""
    top = ended(jnp.max(x, 0))
    top = jnp.where(jnp.isfinite(top), top, 0)
    total = jnp.sum(jnp.exp(x - top), 0)
    return jnp.where(total == 0, -jnp.inf, jnp.log(jnp.where(total == 0, 1, total)) + top)


# -- Recurrent layers ------------------------------------------------------------------------------------------------

State = tuple[Array, ...]


def _lstm_cell(state: State, gates: Array, recurrent: Callable[[Array], Array], project: Any) -> State:
    h, c = state
    i, f, g, o = jnp.split(gates + recurrent(h), 4, -1)
    c = lax.logistic(f) * c + lax.logistic(i) * jnp.tanh(g)
    h = lax.logistic(o) * jnp.tanh(c)
    return (h if project is None else h @ project.T), c


def _gru_cell(state: State, gates: Array, recurrent: Callable[[Array], Array], project: Any) -> State:
    (h,) = state
    (reset, update, new), (r, u, n) = (jnp.split(v, 3, -1) for v in (gates, recurrent(h)))
    update = lax.logistic(update + u)
    new = jnp.tanh(new + lax.logistic(reset + r) * n)
    return (new + update * (h - new),)


def _rnn_cell(activation: Callable[[Array], Array]) -> Callable[..., State]:
    def cell(state: State, gates: Array, recurrent: Callable[[Array], Array], project: Any) -> State:
        return (activation(gates + recurrent(state[0])),)

    return cell


def _layer(cell: Callable[..., State], x: Array, state: State, weights: Sequence[Array], has_biases: bool,
           backwards: bool) -> tuple[Array, State]:  # fmt: skip
    """One direction of one layer: inputs of all times are multiplied at once, and a loop does the rest."""
    to_gates, to_state, *rest = weights
    biases, rest = (rest[:2], rest[2:]) if has_biases else ([0, 0], rest)
    project = rest[0] if rest else None

    def step(state: State, gates: Array) -> tuple[State, Array]:
        state = cell(state, gates, lambda h: h @ to_state.T + biases[1], project)
        return state, state[0]

    last, out = lax.scan(step, state, x @ to_gates.T + biases[0], reverse=backwards)
    return out, last


def _recurrent(
    cell: Callable[..., State], draw: Draw, x: Array, start: Sequence[Array], weights: Sequence[Array],
    has_biases: bool, layers: int, dropout_p: float, train: bool, bidirectional: bool, batch_first: bool,
) -> tuple[Array, ...]:  # fmt: skip
    if batch_first:
        x = jnp.swapaxes(x, 0, 1)
    directions = 2 if bidirectional else 1
    each = len(weights) // (layers * directions)
    lasts: list[State] = []
    for layer in range(layers):
        outs = []
        for direction in range(directions):
            i = layer * directions + direction
            state = tuple(s[i] for s in start)
            out, last = _layer(cell, x, state, weights[i * each : (i + 1) * each], has_biases, direction == 1)
            outs.append(out)
            lasts.append(last)
        x = jnp.concatenate(outs, -1) if bidirectional else outs[0]
        if train and dropout_p > 0 and layer < layers - 1:
            x, _ = dropout(draw(), x, dropout_p)
    finals = [jnp.stack(parts) for parts in zip(*lasts, strict=True)]
    return (jnp.swapaxes(x, 0, 1) if batch_first else x), *finals


@lowers("lstm.input", draws=True)
def _lstm(draw: Draw, x: Array, hx: Sequence[Array], *rest: Any) -> tuple[Array, ...]:
    return _recurrent(_lstm_cell, draw, x, hx, *rest)


def _one_state(cell: Callable[..., State]) -> Callable[..., tuple[Array, ...]]:
    def lower(draw: Draw, x: Array, hx: Array, *rest: Any) -> tuple[Array, ...]:
        return _recurrent(cell, draw, x, (hx,), *rest)

    return lower


lowers("gru.input", draws=True)(_one_state(_gru_cell))
lowers("rnn_tanh.input", draws=True)(_one_state(_rnn_cell(jnp.tanh)))
lowers("rnn_relu.input", draws=True)(_one_state(_rnn_cell(lambda x: jnp.where(x <= 0, 0, x))))


def _packed(*_: Any, **__: Any) -> Array:
    raise NotImplementedError("packed sequences, whose lengths are data: pad them, and mask what follows their ends")


lowers("lstm.data", "gru.data", "rnn_tanh.data", "rnn_relu.data", "_pack_padded_sequence")(_packed)
