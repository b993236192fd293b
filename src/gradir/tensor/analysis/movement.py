"""Ops that move elements about, done to arrays of labels: where each element of a result comes from."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from jaxlib.mlir import ir
from jaxlib.mlir.dialects import stablehlo as hlo

from gradir.tensor.ir.reading import integer, ints

Labels = np.ndarray[Any, Any]


def _broadcast(op: ir.Operation, x: Labels) -> Labels:
    shape, dims = op.results[0].type.shape, ints(op, "broadcast_dimensions")
    order = np.argsort(dims)
    placed = x.transpose(order)
    wide = [1] * len(shape)
    for d, n in zip(sorted(dims), placed.shape, strict=True):
        wide[d] = n
    return np.broadcast_to(placed.reshape(wide), shape)


def _slice(op: ir.Operation, x: Labels) -> Labels:
    parts = zip(ints(op, "start_indices"), ints(op, "limit_indices"), ints(op, "strides"), strict=True)
    return x[tuple(slice(*p) for p in parts)]


def _pad(op: ir.Operation, x: Labels, filler: Labels) -> Labels:
    shape = op.results[0].type.shape
    made = np.full(shape, filler.reshape(()), np.result_type(x, filler))
    low, interior = ints(op, "edge_padding_low"), ints(op, "interior_padding")
    inside, taken = [], []
    for n, size, a, t in zip(x.shape, shape, low, interior, strict=True):
        at = a + np.arange(n) * (t + 1)
        kept = (at >= 0) & (at < size)
        inside.append(at[kept])
        taken.append(np.flatnonzero(kept))
    made[np.ix_(*inside)] = x[np.ix_(*taken)]
    return made


MOVES: dict[str, Callable[..., Labels]] = {
    "reshape": lambda op, x: x.reshape(op.results[0].type.shape),
    "transpose": lambda op, x: x.transpose(ints(op, "permutation")),
    "broadcast_in_dim": _broadcast,
    "slice": _slice,
    "pad": _pad,
    "reverse": lambda op, x: np.flip(x, ints(op, "dimensions")),
    "concatenate": lambda op, *xs: np.concatenate(xs, integer(op, "dimension")),
}
"""By an op's name without its dialect: what it does to its operands, whatever these hold."""


def starts_of(op: ir.Operation, shape: Sequence[int], starts: Sequence[Labels]) -> tuple[slice, ...]:
    """The block of an operand that a dynamic slice takes, or a dynamic update writes: it never leaves the operand."""
    whole = op.operands[0].type.shape
    first = [min(max(int(s.reshape(())), 0), n - k) for s, n, k in zip(starts, whole, shape, strict=True)]
    return tuple(slice(a, a + k) for a, k in zip(first, shape, strict=True))


def gathered(op: ir.Operation, starts: Labels) -> Labels:
    """For each element of a gather's result, its place in the flat operand."""
    numbers = hlo.GatherDimensionNumbers(op.attributes["dimension_numbers"])
    sizes = ints(op, "slice_sizes")
    shape = op.operands[0].type.shape
    skipped = {*numbers.collapsed_slice_dims, *numbers.operand_batching_dims}
    windows = _Windows(
        starts, numbers.index_vector_dim, numbers.start_index_map, numbers.operand_batching_dims,
        numbers.start_indices_batching_dims, list(numbers.offset_dims), skipped, op.results[0].type.shape,
    )  # fmt: skip
    return windows.places(shape, [n - k for n, k in zip(shape, sizes, strict=True)])


def scattered(op: ir.Operation, operand: int, indices: Labels) -> Labels:
    """For each element of a scatter's update, its place in the flat operand; -1 if it is outside."""
    numbers = hlo.ScatterDimensionNumbers(op.attributes["scatter_dimension_numbers"])
    count = (len(op.operands) - 1) // 2
    shape, update = op.operands[operand].type.shape, op.operands[count + 1 + operand].type.shape
    skipped = {*numbers.inserted_window_dims, *numbers.input_batching_dims}
    windows = _Windows(
        indices, numbers.index_vector_dim, numbers.scattered_dims_to_operand_dims, numbers.input_batching_dims,
        numbers.scatter_indices_batching_dims, list(numbers.update_window_dims), skipped, update,
    )  # fmt: skip
    return windows.places(shape, None)


class _Windows:
    """Windows of an operand at given starts: what gather and scatter have in common."""

    def __init__(
        self, starts: Labels, vector: int, dims: Sequence[int], batching: Sequence[int], their: Sequence[int],
        offsets: Sequence[int], skipped: set[int], shape: Sequence[int],
    ) -> None:  # fmt: skip
        vectors = starts[..., None] if vector == starts.ndim else np.moveaxis(starts, vector, -1)
        self.starts = vectors.astype(np.int64)
        self.dims, self.offsets, self.skipped, self.shape = list(dims), offsets, skipped, shape
        self.outer = [d for d in range(len(shape)) if d not in offsets]
        axes = [d - (d > vector) for d in their]
        self.batching = dict(zip(batching, axes, strict=True))

    def places(self, shape: Sequence[int], last: Sequence[int] | None) -> Labels:
        """Where each element is in an operand of this shape. Starts are brought down to `last`, if it is given."""
        flat = np.zeros(self.shape, np.int64)
        outside = np.zeros(self.shape, np.bool_)
        window = iter(self.offsets)
        for d, n in enumerate(shape):
            at = np.zeros(self.shape, np.int64)
            if d in self.dims:
                start = self.starts[..., self.dims.index(d)]
                at = at + self._spread(start if last is None else np.clip(start, 0, max(last[d], 0)))
            if d in self.batching:
                axis = self.batching[d]
                line = np.arange(self.starts.shape[axis])
                along = line.reshape([-1 if a == axis else 1 for a in range(self.starts.ndim - 1)])
                at = at + self._spread(np.broadcast_to(along, self.starts.shape[:-1]))
            if d not in self.skipped:
                o = next(window)
                at = at + np.arange(self.shape[o]).reshape([-1 if a == o else 1 for a in range(len(self.shape))])
            outside |= (at < 0) | (at >= n)
            flat = flat * n + at
        return np.where(outside, -1, flat)

    def _spread(self, outer: Labels) -> Labels:
        """An array over the outer dimensions, over all dimensions of the result."""
        wide = [1] * len(self.shape)
        for d, n in zip(self.outer, outer.shape, strict=True):
            wide[d] = n
        return outer.reshape(wide)


def taps(size: int, window: int, result: int, *, stride: int, low: int, base: int, dilation: int) -> Labels:
    """For each position of a window along one dimension, where each element of the result looks; -1: at padding."""
    at = np.arange(result)[None, :] * stride + np.arange(window)[:, None] * dilation - low
    places = at // base
    return np.where((at % base == 0) & (places >= 0) & (places < size), places, -1)
