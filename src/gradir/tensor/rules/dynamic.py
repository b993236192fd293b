"""Ops whose shapes are operands.

Where the result's type is static, shape operands say nothing new, and the op is its static twin. Where it is not (the
program is for arguments of any size, and becomes static when it is run on some), derivatives are made of such ops in
turn, with shapes that are computed as well.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from jaxlib.mlir import ir

from gradir.errors import NoRule
from gradir.tensor.analysis.ranges import integers
from gradir.tensor.ir import expr as E
from gradir.tensor.ir.expr import Expr, i64s
from gradir.tensor.ir.module import location_text
from gradir.tensor.rules.indexing import Dims, Scattered, clamped, gather, upper_limit
from gradir.tensor.rules.interface import Cotangent, Shadow
from gradir.tensor.rules.rule import Expand, Rule, Site, add, batched_type, prepend, with_batch

# -- shapes as values --------------------------------------------------------------------------------------------------


def numbers(x: Sequence[int], like: Expr) -> Expr:
    """A constant vector of the same element type as `like`."""
    return E.array(np.array(x, np.int64), like.dtype)


def shape_like(x: Expr, like: Expr) -> Expr:
    """The shape of `x` as a vector of the same element type as `like`."""
    return E.convert(E.shape_of(x), like.dtype)


def with_first(n: int, vector: Expr) -> Expr:
    """A vector with one number more, in front."""
    return E.concatenate([numbers([n], vector), vector], 0)


def constant_vector(value: ir.Value) -> list[int] | None:
    """The numbers of a constant vector."""
    data = integers(value)
    return None if data is None else [int(n) for n in data]


def _is_static(op: ir.Operation) -> bool:
    return all(v.type.has_static_shape for v in (*op.operands, *op.results))


def _static_or(static: Expand, otherwise: Rule) -> Rule:
    """A rule for static types by the static twin, and one for all others."""
    twin = Rule(otherwise.name, expand=static)
    return add(Rule(otherwise.name, variant=lambda op: twin if _is_static(op) else otherwise))


def _one_shape(batch: Callable[[Site], list[Expr]], first: int) -> Callable[[Site], list[Expr]]:
    """A batch rule for shape operands, those from number `first` on, that are the same for all examples."""

    def checked(site: Site) -> list[Expr]:
        if any(site.batched[first:]):
            raise NoRule(
                f"{site.op.name}: the examples of a batch would have different shapes",
                location=location_text(site.op.location),
                hint="compute the shape from values that all examples share",
            )
        return batch(site)

    return checked


def _linear(site: Site, tangents: Sequence[Shadow], n: int = 1) -> list[Shadow]:
    filled = [E.zeros_like(site.ins[i]) if t is None else t for i, t in enumerate(tangents[:n])]
    return [*site.again([*filled, *site.ins[n:]])]


# -- reshape -----------------------------------------------------------------------------------------------------------


def dynamic_reshape(x: Expr, shape: Expr, t: ir.RankedTensorType) -> Expr:
    if t.has_static_shape:
        return E.reshape(x, t.shape)
    return E.op("stablehlo.dynamic_reshape", x, shape, result=t)


def _vjp_reshape(site: Site, cotangents: Sequence[Shadow]) -> list[Cotangent]:
    (ct,) = cotangents
    assert ct is not None
    t = site.in_type(0)
    shape = site.ins[1] if t.has_static_shape else E.shape_of(site.ins[0])
    return [dynamic_reshape(ct, shape, t), None]


def _batch_reshape(site: Site) -> list[Expr]:
    x, shape = site.ins
    return site.again([x, with_first(site.size, shape)], [batched_type(site.out_type(), site.size)])


_static_or(
    lambda site: [E.reshape(site.ins[0], site.out_type().shape)],
    Rule("stablehlo.dynamic_reshape", jvp=_linear, vjp=_vjp_reshape, batch=_one_shape(_batch_reshape, 1)),
)

# -- broadcast_in_dim --------------------------------------------------------------------------------------------------


def _known(site: Site, name: str) -> list[int]:
    found = site.get(name)
    return [] if found is None else list(found)


def _vjp_broadcast(site: Site, cotangents: Sequence[Shadow]) -> list[Cotangent]:
    """Sum over what was repeated.

    Whether a dimension of open size is repeated may be open too: then it is split in two, how often and how large,
    of which one is 1.
    """
    (ct,) = cotangents
    assert ct is not None
    source, out, dims = site.in_type(0), site.out_type(), list(site.attr("broadcast_dimensions"))
    same = _known(site, "known_nonexpanding_dimensions")
    sizes: list[Expr] = []
    types: list[int] = []
    repeated: list[int] = []
    whole = E.shape_of(ct)
    size_of = lambda shape, d: E.slice_(shape, [d], [d + 1])  # noqa: E731
    inner = E.shape_of(site.ins[0])
    for d in range(out.rank):
        n = size_of(whole, d)
        if d not in dims:
            repeated.append(len(sizes))
            sizes.append(n)
            types.append(out.shape[d])
            continue
        i = dims.index(d)
        mine = size_of(inner, i)
        if i not in same and (source.is_dynamic_dim(i) or (source.shape[i] == 1 and out.shape[d] != 1)):
            repeated.append(len(sizes))
            sizes.append(E.op("stablehlo.divide", n, E.maximum(mine, 1)))
            types.append(ir.ShapedType.get_dynamic_size())
        sizes.append(mine)
        types.append(source.shape[i])
    split = dynamic_reshape(ct, E.concatenate(sizes, 0), E.tensor(types, ct.dtype))
    summed = E.reduce_sum(split, repeated)
    order = sorted(dims)
    return [E.transpose(summed, [order.index(d) for d in dims]), None]


def _batch_broadcast(site: Site) -> list[Expr]:
    x, shape = site.ins
    changed = {"broadcast_dimensions": i64s([0, *(d + 1 for d in site.attr("broadcast_dimensions"))])}
    for name in ("known_expanding_dimensions", "known_nonexpanding_dimensions"):
        if site.get(name) is not None:
            first = [0] if "non" in name else []
            changed[name] = i64s([*first, *(d + 1 for d in _known(site, name))])
    return site.again([x, with_first(site.size, shape)], [batched_type(site.out_type(), site.size)], **changed)


_static_or(
    lambda site: [E.broadcast(site.ins[0], site.out_type().shape, list(site.attr("broadcast_dimensions")))],
    Rule(
        "stablehlo.dynamic_broadcast_in_dim",
        jvp=_linear,
        vjp=_vjp_broadcast,
        batch=_one_shape(_batch_broadcast, 1),
    ),
)

# -- iota and sizes ----------------------------------------------------------------------------------------------------


def _batch_iota(site: Site) -> list[Expr]:
    t = site.out_type()
    if not t.has_static_shape:
        raise NoRule(
            f"{site.op.name}: the examples of a batch would have different shapes",
            location=location_text(site.op.location),
            hint="compute the shape from values that all examples share",
        )
    return [prepend(E.iota(t.shape, ir.IntegerAttr(site.attr("iota_dimension")).value, t.element_type), site.size)]


add(Rule("stablehlo.dynamic_iota", batch=_batch_iota, inactive=True))
add(
    Rule(
        "stablehlo.get_dimension_size",
        batch=lambda site: site.again(site.ins, dimension=E.i64(ir.IntegerAttr(site.attr("dimension")).value + 1)),
        inactive=True,
    )
)


def _dimension(site: Site) -> int:
    return ir.IntegerAttr(site.attr("dimension")).value


def _vjp_set_size(site: Site, cotangents: Sequence[Shadow]) -> list[Cotangent]:
    """Back to the size before, with zeros in what was cut off."""
    (ct,) = cotangents
    assert ct is not None
    t, d = site.in_type(0), _dimension(site)
    i32 = ir.IntegerType.get_signless(32)
    if t.is_dynamic_dim(d):
        n = E.op("stablehlo.get_dimension_size", site.ins[0], dimension=E.i64(d))
        return [E.op("stablehlo.set_dimension_size", ct, n, result=t, dimension=E.i64(d)), None]
    n = E.full(E.tensor([], i32), t.shape[d])
    whole = E.op("stablehlo.set_dimension_size", ct, n, result=t, dimension=E.i64(d))
    inside = E.iota(t.shape, d, i32) < E.broadcast(site.ins[1], t.shape, [])
    return [E.select(inside, whole, 0), None]


def _batch_set_size(site: Site) -> list[Expr]:
    return site.again(site.ins, [batched_type(site.out_type(), site.size)], dimension=E.i64(_dimension(site) + 1))


add(
    Rule(
        "stablehlo.set_dimension_size",
        jvp=lambda site, tangents: [*site.again([tangents[0] or E.zeros_like(site.ins[0]), site.ins[1]])],
        vjp=_vjp_set_size,
        batch=_one_shape(_batch_set_size, 1),
    )
)

# -- slice and pad -----------------------------------------------------------------------------------------------------


def _grid(shape: Sequence[int], like: Expr) -> Expr:
    """For each place of an array of this shape its indices, along a new last dimension."""
    rank = len(shape)
    columns = [E.reshape(E.iota(shape, d, like.dtype), [*shape, 1]) for d in range(rank)]
    return E.concatenate(columns, rank)


def _everywhere(vector: Expr, shape: Sequence[int]) -> Expr:
    """A number for each dimension, at every place of an array of this shape."""
    return E.broadcast(vector, [*shape, len(shape)], [len(shape)])


def _elements(rank: int) -> Dims:
    """Single elements, each placed by an index for every dimension."""
    every = tuple(range(rank))
    return Dims((), every, (), (), every, rank)


def _expand_slice(site: Site) -> list[Expr]:
    x, *vectors = site.ins
    known = [constant_vector(v) for v in site.op.operands[1:]]
    if all(k is not None for k in known):
        return [E.slice_(x, *known)]  # type: ignore[arg-type]
    shape = site.out_type().shape
    if not shape or not E.size(shape):
        return [E.reshape(x, shape) if not shape else E.full(site.out_type(), 0)]
    start, _, strides = (_everywhere(v, shape) for v in vectors)
    return [gather(x, start + _grid(shape, start) * strides, _elements(x.rank), [1] * x.rank)]


def _slice(t: ir.Type, x: Expr, *vectors: Expr) -> Expr:
    """By `vectors` start, limit and strides, to the type `t`."""
    return E.op("stablehlo.real_dynamic_slice", x, *vectors, result=t)


def _pad(t: ir.Type, x: Expr, value: Expr, *vectors: Expr) -> Expr:
    """By `vectors` low, high and interior, to the type `t`."""
    return E.op("stablehlo.dynamic_pad", x, value, *vectors, result=t)


def _vjp_slice(site: Site, cotangents: Sequence[Shadow]) -> list[Cotangent]:
    (ct,) = cotangents
    assert ct is not None
    x, start, _, strides = site.ins
    end = start + (shape_like(ct, start) - 1) * strides + 1
    zero = E.full(E.tensor([], ct.dtype), 0)
    return [_pad(site.in_type(0), ct, zero, start, shape_like(x, start) - end, strides - 1), None, None, None]


def _batch_slice(site: Site) -> list[Expr]:
    x, start, limit, strides = site.ins
    first = (0, site.size, 1)
    vectors = [with_first(n, v) for n, v in zip(first, (start, limit, strides), strict=True)]
    return [_slice(batched_type(site.out_type(), site.size), x, *vectors)]


_static_or(
    _expand_slice,
    Rule("stablehlo.real_dynamic_slice", jvp=_linear, vjp=_vjp_slice, batch=_one_shape(_batch_slice, 1)),
)


def _expand_pad(site: Site) -> list[Expr]:
    x, value, low, _, interior = site.ins
    known = [constant_vector(v) for v in site.op.operands[2:]]
    if all(k is not None for k in known):
        return [E.pad(x, value, *known)]  # type: ignore[arg-type]
    shape = site.out_type().shape
    filled = E.broadcast(value, shape, [])
    if not shape:
        return [x]
    if not E.size(shape) or not E.size(x.shape):
        return [filled]
    offset = _grid(shape, low) - _everywhere(low, shape)
    step = _everywhere(interior, shape) + 1
    index = E.op("stablehlo.divide", offset, step)
    there = (offset >= 0) & (index * step).eq(offset) & (index < _everywhere(numbers(x.shape, low), shape))
    there = E.reduce(there, [len(shape)], "stablehlo.and", True)
    return [E.select(there, gather(x, index, _elements(x.rank), [1] * x.rank), filled)]


def _vjp_pad(site: Site, cotangents: Sequence[Shadow]) -> list[Cotangent]:
    """First undo the cutting (negative padding), then take out what comes from the operand."""
    (ct,) = cotangents
    assert ct is not None
    x, _, low, high, interior = site.ins
    zero = E.full(E.tensor([], ct.dtype), 0)
    none = E.zeros_like(low)
    open_ = E.tensor([ir.ShapedType.get_dynamic_size()] * x.rank, ct.dtype)
    uncut = _pad(open_, ct, zero, E.maximum(0 - low, 0), E.maximum(0 - high, 0), none)
    start, strides = E.maximum(low, 0), interior + 1
    limit = start + E.maximum((shape_like(x, low) - 1) * strides + 1, 0)
    inside = _slice(site.in_type(0), uncut, start, limit, strides)
    value = None
    if site.active[1]:
        value = E.reduce_sum(ct, range(ct.rank)) - E.reduce_sum(inside, range(ct.rank))
    return [inside, value, None, None, None]


def _batch_pad(site: Site) -> list[Expr]:
    x, value, *vectors = with_batch(site, 0), *site.ins[1:]
    t = E.tensor([site.size, *site.out_type().shape], x.dtype)
    vectors = [with_first(0, v) for v in vectors]
    if not site.batched[1]:
        return [_pad(t, x, value, *vectors)]
    # Each example pads with a value of its own: pad with anything, and put the value where nothing of `x` is.
    i1 = ir.IntegerType.get_signless(1)
    padded = _pad(t, x, E.full(E.tensor([], x.dtype), 0), *vectors)
    no = E.full(E.tensor([], i1), False)
    yes = E.broadcast_like(E.full(E.tensor([], i1), True), x, [])
    inside = _pad(E.tensor(t.shape, i1), yes, no, *vectors)
    return [E.select(inside, padded, E.broadcast_like(value, padded, [0]))]


_static_or(
    _expand_pad,
    Rule(
        "stablehlo.dynamic_pad",
        jvp=lambda site, tangents: _linear(site, tangents, 2),
        vjp=_vjp_pad,
        batch=_one_shape(_batch_pad, 2),
    ),
)

# -- gather ------------------------------------------------------------------------------------------------------------


def _expand_gather(site: Site) -> list[Expr]:
    """A static result's type tells the window's sizes."""
    dims = Dims.of_gather(site.attr("dimension_numbers"))
    x, indices, _ = site.ins
    flag = site.get("indices_are_sorted")
    is_sorted = flag is not None and bool(ir.BoolAttr(flag).value)
    return [gather(x, indices, dims, dims.sizes(x.rank, site.out_type().shape), is_sorted=is_sorted)]


def _vjp_gather(site: Site, cotangents: Sequence[Shadow]) -> list[Cotangent]:
    (ct,) = cotangents
    assert ct is not None
    dims = Dims.of_gather(site.attr("dimension_numbers"))
    x, indices, sizes = site.ins
    if dims.index_map:
        indices = clamped(indices, upper_limit(x, indices, dims, sizes))
    return [Scattered(x, indices, ct, dims, is_sorted=False, unique=False), None, None]


def _batch_gather(site: Site) -> list[Expr]:
    operand, indices = site.batched[:2]
    dims = Dims.of_gather(site.attr("dimension_numbers")).batched(operand, indices)
    sizes = with_first(1 if indices else site.size, site.ins[2]) if operand else site.ins[2]
    return site.again(
        [*site.ins[:2], sizes],
        [batched_type(site.out_type(), site.size)],
        dimension_numbers=dims.gather(),
        indices_are_sorted=ir.BoolAttr.get(False),
    )


_static_or(
    _expand_gather,
    Rule("stablehlo.dynamic_gather", jvp=_linear, vjp=_vjp_gather, batch=_one_shape(_batch_gather, 2)),
)
