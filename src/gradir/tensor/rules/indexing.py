"""Ops that read and write at computed places: gather, scatter's geometry, dynamic slices.

A gather clamps its indices, so that every window it reads is inside; a scatter drops what falls outside. So the
transpose of a gather clamps before it scatters, and that of a scatter takes nothing back from what was dropped. Where
`ranges` shows that indices are in range, neither is needed.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from jaxlib.mlir import ir
from jaxlib.mlir.dialects import stablehlo as hlo

from gradir.tensor.analysis import ranges
from gradir.tensor.ir import expr as E
from gradir.tensor.ir.expr import Expr, i64s
from gradir.tensor.rules.interface import Cotangent, Shadow
from gradir.tensor.rules.rule import Part, Rule, Site, add, expand, linear, with_batch, zero_of

# -- geometry ----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Dims:
    """How windows of an operand, the indices that place them, and the array of windows belong together.

    A gather and the scatter that undoes it have the same geometry; only the names differ. "Windows" are a gather's
    result or a scatter's updates.
    """

    window: tuple[int, ...]
    """Dimensions of the windows array that run inside a window (offset_dims, update_window_dims)."""
    collapsed: tuple[int, ...]
    """Operand dimensions in which a window has size 1 and no dimension of its own."""
    batching: tuple[int, ...]
    """Operand dimensions that go along with dimensions of the indices …"""
    index_batching: tuple[int, ...]
    """… and those dimensions of the indices."""
    index_map: tuple[int, ...]
    """Operand dimension of each component of an index."""
    vector: int
    """The dimension of the indices that holds the components; their rank if there is one component and no dimension."""

    @staticmethod
    def of_gather(attr: ir.Attribute) -> Dims:
        d = hlo.GatherDimensionNumbers(attr)
        return Dims(
            tuple(d.offset_dims),
            tuple(d.collapsed_slice_dims),
            tuple(d.operand_batching_dims),
            tuple(d.start_indices_batching_dims),
            tuple(d.start_index_map),
            d.index_vector_dim,
        )

    @staticmethod
    def of_scatter(attr: ir.Attribute) -> Dims:
        d = hlo.ScatterDimensionNumbers(attr)
        return Dims(
            tuple(d.update_window_dims),
            tuple(d.inserted_window_dims),
            tuple(d.input_batching_dims),
            tuple(d.scatter_indices_batching_dims),
            tuple(d.scattered_dims_to_operand_dims),
            d.index_vector_dim,
        )

    def _lists(self) -> list[Any]:
        parts = (self.window, self.collapsed, self.batching, self.index_batching, self.index_map)
        return [*map(list, parts), self.vector]

    def gather(self) -> ir.Attribute:
        return hlo.GatherDimensionNumbers.get(*self._lists())  # type: ignore[return-value]

    def scatter(self) -> ir.Attribute:
        return hlo.ScatterDimensionNumbers.get(*self._lists())  # type: ignore[return-value]

    def batched(self, operand: bool, indices: bool) -> Dims:
        """The geometry when the windows, and of the operand and the indices those said, get a new first dimension."""
        o, i = int(operand), int(indices)
        up = lambda dims, by: tuple(d + by for d in dims)  # noqa: E731
        both = (0,) if operand and indices else ()
        return Dims(
            window=((0,) if operand and not indices else ()) + up(self.window, 1),
            collapsed=up(self.collapsed, o),
            batching=both + up(self.batching, o),
            index_batching=both + up(self.index_batching, i),
            index_map=up(self.index_map, o),
            vector=self.vector + i,
        )

    def sizes(self, rank: int, windows: Sequence[int]) -> list[int]:
        """The size of a window in each dimension of the operand."""
        inside = iter(windows[d] for d in self.window)
        return [1 if d in self.collapsed or d in self.batching else next(inside) for d in range(rank)]

    def places(self, rank: int) -> list[int]:
        """The dimensions of the windows array, of this rank, that tell one window from another."""
        return [d for d in range(rank) if d not in self.window]


def gather(x: Expr, indices: Expr, dims: Dims, sizes: Sequence[int], *, is_sorted: bool = False) -> Expr:
    return E.op(
        "stablehlo.gather",
        x,
        indices,
        dimension_numbers=dims.gather(),
        slice_sizes=i64s(sizes),
        indices_are_sorted=ir.BoolAttr.get(is_sorted),
    )


Body = Callable[..., Sequence[Expr]]


def scatter(
    x: Expr, indices: Expr, updates: Expr, dims: Dims, body: Body, *, is_sorted: bool = False, unique: bool = False
) -> Expr:
    """Combine the windows `updates` with those of `x` by `body(old, update)`."""
    attributes: dict[str, ir.Attribute] = {
        "scatter_dimension_numbers": dims.scatter(),
        "indices_are_sorted": ir.BoolAttr.get(is_sorted),
        "unique_indices": ir.BoolAttr.get(unique),
    }
    made = E.ops("stablehlo.scatter", [x, indices, updates], [x.type], attributes, regions=1)
    scalar = E.tensor([], x.dtype)
    E.fill(made.regions[0], [scalar, scalar], body)
    return Expr(made.results[0])


def plus(old: Expr, update: Expr) -> list[Expr]:
    return [old + update]


def take_update(old: Expr, update: Expr) -> list[Expr]:
    return [update]


# -- what is known of indices ------------------------------------------------------------------------------------------


def limits(dims: Dims, shape: Sequence[int], sizes: Sequence[int]) -> list[int]:
    """The greatest index, for each component, whose window is inside an operand of this (static) shape."""
    return [shape[d] - sizes[d] for d in dims.index_map]


def in_range(indices: ir.Value, dims: Dims, shape: Sequence[int], sizes: Sequence[int]) -> bool:
    """Whether the indices (of the source program) are seen to place every window inside."""
    if any(n < 0 for n in limits(dims, shape, sizes)):
        return False  # a dimension of open size
    known = ranges.components(indices, dims.vector)
    return all(k.within(0, n) for k, n in zip(known, limits(dims, shape, sizes), strict=True))


def is_single(indices: ir.Value, dims: Dims) -> bool:
    """Whether there is one index only (in each batch)."""
    t = indices.type
    assert isinstance(t, ir.RankedTensorType)
    return all(n == 1 for d, n in enumerate(t.shape) if d != dims.vector and d not in dims.index_batching)


def are_unique(indices: ir.Value, dims: Dims, sizes: Sequence[int]) -> bool:
    """Whether windows are seen not to meet."""
    if is_single(indices, dims):
        return True
    data = ranges.integers(indices)
    if data is None or dims.index_batching or any(sizes[d] != 1 for d in dims.index_map):
        return False
    rows = np.moveaxis(data if dims.vector < data.ndim else data[..., None], dims.vector, -1)
    rows = rows.reshape(-1, rows.shape[-1])
    return len(np.unique(rows, axis=0)) == len(rows)


def per_component(numbers: Sequence[int], like: Expr, dim: int) -> Expr:
    """A number for each component of an index, in the shape of the indices `like`, whose components are along `dim`."""
    low, high = ranges.of_type(like.dtype)
    fitting = [max(low, min(n, high)) for n in numbers]
    if len(set(fitting)) == 1:
        return E.full_like(like, fitting[0])
    return E.broadcast_like(E.array(np.array(fitting), like.dtype), like, [dim])


def upper_limit(x: Expr, indices: Expr, dims: Dims, sizes: Sequence[int] | Expr) -> Expr:
    """The greatest index whose window, of `sizes`, is inside `x`; for each component, in the shape of the indices."""
    if x.type.has_static_shape and not isinstance(sizes, Expr):
        return per_component(limits(dims, x.shape, sizes), indices, dims.vector)
    shape = E.shape_of(x)
    window = E.convert(sizes, shape.dtype) if isinstance(sizes, Expr) else E.array(np.array(sizes), shape.dtype)
    room = E.minimum(shape - window, min(2**31 - 1, ranges.of_type(indices.dtype).high))
    chosen = E.concatenate([E.slice_(room, [d], [d + 1]) for d in dims.index_map], 0)
    chosen = E.convert(chosen, indices.dtype)
    if dims.vector == indices.rank:
        return E.broadcast_like(E.reshape(chosen, []), indices, [])
    return E.broadcast_like(chosen, indices, [dims.vector])


def clamped(indices: Expr, most: Expr) -> Expr:
    """Indices as a gather uses them: from 0 to their limit."""
    return E.minimum(E.maximum(indices, 0), most)


# -- gather ------------------------------------------------------------------------------------------------------------


@dataclass
class Scattered:
    """The cotangent `updates` of windows of a value: a gather's transpose."""

    value: Expr
    """(What counts is its shape.)"""
    indices: Expr
    updates: Expr
    dims: Dims
    is_sorted: bool
    unique: bool

    def add_to(self, accumulated: Expr | None) -> Expr:
        target = E.zeros_like(self.value) if accumulated is None else accumulated
        return scatter(
            target, self.indices, self.updates, self.dims, plus, is_sorted=self.is_sorted, unique=self.unique
        )


def flag(site: Site, name: str) -> bool:
    attr = site.get(name)
    return attr is not None and bool(ir.BoolAttr(attr).value)


def _transpose_gather(site: Site, ct: Expr) -> Cotangent:
    dims = Dims.of_gather(site.attr("dimension_numbers"))
    x, indices = site.ins
    source, sizes = site.op.operands[1], list(site.attr("slice_sizes"))
    inside = in_range(source, dims, x.shape, sizes)
    if not inside:
        indices = clamped(indices, upper_limit(x, indices, dims, sizes))
    # Clamping keeps the order of numbers, but not that of several components taken together.
    is_sorted = flag(site, "indices_are_sorted") and (len(dims.index_map) == 1 or inside)
    single = is_single(source, dims)
    unique = single or (inside and are_unique(source, dims, sizes))
    return Scattered(x, indices, ct, dims, is_sorted or single, unique)


def _batch_gather(site: Site) -> list[Expr]:
    dims = Dims.of_gather(site.attr("dimension_numbers"))
    x, indices = site.ins
    whole, each = site.batched
    sizes = list(site.attr("slice_sizes"))
    if whole:
        sizes = [1 if each else site.size, *sizes]
    is_sorted = flag(site, "indices_are_sorted") and not each
    return [gather(x, indices, dims.batched(whole, each), sizes, is_sorted=is_sorted)]


linear("stablehlo.gather", _transpose_gather, batch=_batch_gather)


def _expand_index_select(site: Site) -> list[Expr]:
    """Whole slices along `dim`, by indices that share their first `batch_dims` dimensions with the operand."""
    x, indices = site.ins
    dim, batch = (ir.IntegerAttr(site.attr(a)).value for a in ("dim", "batch_dims"))
    shared = tuple(range(batch))
    rank = site.out_type().rank
    places = set(shared) | set(range(dim, dim + indices.rank - batch))
    window = tuple(d for d in range(rank) if d not in places)
    sizes = [1 if d == dim or d in shared else n for d, n in enumerate(x.shape)]
    return [gather(x, indices, Dims(window, (dim,), shared, shared, (dim,), indices.rank), sizes)]


expand("stablehlo.torch_index_select", _expand_index_select)

# -- dynamic slices ----------------------------------------------------------------------------------------------------


def _with_zero(starts: Sequence[Expr]) -> list[Expr]:
    """Starts for a value that has got a new first dimension."""
    return [E.full(E.tensor([], starts[0].dtype), 0) if starts else zero_index(), *starts]


def zero_index() -> Expr:
    return E.full(E.tensor([], ir.IntegerType.get_signless(32)), 0)


def _stacked(site: Site, first: int) -> Expr:
    """The scalar starts, operands from `first` on, of all examples as an array of index vectors."""
    columns = [E.reshape(with_batch(site, i), [site.size, 1]) for i in range(first, len(site.ins))]
    return E.concatenate(columns, 1)


def _windows(rank: int) -> Dims:
    """Whole windows placed by one index each."""
    return Dims(tuple(range(1, rank + 1)), (), (), (), tuple(range(rank)), 1)


def _transpose_dynamic_slice(site: Site, ct: Expr) -> Cotangent:
    return Part(site.in_type(0), ct, site.ins[1:])


def _batch_dynamic_slice(site: Site) -> list[Expr]:
    x, sizes = site.ins[0], list(site.attr("slice_sizes"))
    if not any(site.batched[1:]):
        return [E.dynamic_slice(x, _with_zero(site.ins[1:]), [site.size, *sizes])]
    dims = _windows(len(sizes))
    if site.batched[0]:
        dims = replace(dims, batching=(0,), index_batching=(0,), index_map=tuple(d + 1 for d in dims.index_map))
        sizes = [1, *sizes]
    return [gather(x, _stacked(site, 1), dims, sizes)]


linear("stablehlo.dynamic_slice", _transpose_dynamic_slice, batch=_batch_dynamic_slice)


def _jvp_dynamic_update_slice(site: Site, tangents: Sequence[Shadow]) -> list[Shadow]:
    x, update = (zero_of(site.in_type(i)) if t is None else t for i, t in enumerate(tangents[:2]))
    return [E.dynamic_update_slice(x, update, site.ins[2:])]


def _vjp_dynamic_update_slice(site: Site, cotangents: Sequence[Shadow]) -> list[Cotangent]:
    (ct,) = cotangents
    assert ct is not None
    starts, update = site.ins[2:], site.in_type(1)
    return [
        E.dynamic_update_slice(ct, zero_of(update), starts) if site.active[0] else None,
        E.dynamic_slice(ct, starts, update.shape) if site.active[1] else None,
        *[None] * len(starts),
    ]


def _batch_dynamic_update_slice(site: Site) -> list[Expr]:
    x, update = with_batch(site, 0), with_batch(site, 1)
    if not any(site.batched[2:]):
        return [E.dynamic_update_slice(x, update, _with_zero(site.ins[2:]))]
    n = x.rank - 1
    dims = Dims(tuple(range(1, n + 1)), (), (0,), (0,), tuple(range(1, n + 1)), 1)
    indices = _stacked(site, 2)
    indices = clamped(indices, upper_limit(x, indices, dims, [1, *update.shape[1:]]))
    return [scatter(x, indices, update, dims, take_update, is_sorted=True, unique=True)]


add(
    Rule(
        "stablehlo.dynamic_update_slice",
        jvp=_jvp_dynamic_update_slice,
        vjp=_vjp_dynamic_update_slice,
        batch=_batch_dynamic_update_slice,
    )
)
