"""Reductions along whole dimensions: `reduce`, `map`, `chlo.scan`.

Sums and extrema have rules of their own. What is reduced by any other computation is differentiated as a fold of that
computation: as a tree where it is associative (products, pairs of a value and its index), as a loop where it is not.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
from jaxlib.mlir import ir

from gradir.tensor.analysis.computation import NEUTRAL, is_neutral, single_op
from gradir.tensor.ir import expr as E
from gradir.tensor.ir.expr import Expr, i64s, select
from gradir.tensor.ir.regions import terminator
from gradir.tensor.rules.computation import count_up, fold, function_of, over_arrays, prefix, suffix
from gradir.tensor.rules.interface import Cotangent, Shadow
from gradir.tensor.rules.rule import Rule, Site, add, add_shadows, batched_type, expand, with_batch, zero_of

# -- reduce ------------------------------------------------------------------------------------------------------------


def reduced(site: Site) -> list[int]:
    return list(site.attr("dimensions"))


def kept(site: Site) -> list[int]:
    """The operand's dimensions that the result has."""
    dims = set(reduced(site))
    return [d for d in range(site.in_type(0).rank) if d not in dims]


def spread(site: Site, x: Expr) -> Expr:
    """A value of the result's shape, repeated along the reduced dimensions."""
    t = site.in_type(0)
    return E.broadcast(x, t.shape, kept(site)) if t.has_static_shape else E.broadcast_like(x, site.ins[0], kept(site))


def everywhere(site: Site, scalar: Expr) -> Expr:
    """A scalar in the result's type."""
    t = site.out_type()
    scalar = E.convert(scalar, t.element_type)
    return E.broadcast(scalar, t.shape, []) if t.has_static_shape else E.broadcast_like(scalar, site.outs[0], [])


def _batch_reduce(site: Site) -> list[Expr] | None:
    n = len(site.ins) // 2
    if any(site.batched[n:]):
        return _batch_with_inits(site)
    return _reduce_again(site, [with_batch(site, i) for i in range(n)], site.ins[n:])


def _reduce_again(site: Site, operands: Sequence[Expr], inits: Sequence[Expr]) -> list[Expr]:
    """The op with a first dimension more, which is not reduced."""
    types = [batched_type(r.type, site.size) for r in site.op.results]
    return site.again([*operands, *inits], types, dimensions=i64s([d + 1 for d in reduced(site)]))


def _batch_with_inits(site: Site) -> list[Expr] | None:
    """Initial values that differ: where one is known that changes nothing, start from it and add theirs after."""
    name, t = single_op(site.op.regions[0]) or "", site.in_type(1).element_type
    if name not in NEUTRAL or not (isinstance(t, ir.FloatType) or np.isfinite(NEUTRAL[name])):
        return None
    (out,) = _reduce_again(site, [with_batch(site, 0)], [E.full(site.in_type(1), NEUTRAL[name])])
    return [E.op(name, E.broadcast_like(E.convert(site.ins[1], out.dtype), out, [0]), out)]


def _expand_reduce(site: Site) -> list[Expr]:
    n, dims, rest = len(site.ins) // 2, reduced(site), kept(site)
    shape = [site.in_type(0).shape[d] for d in rest]
    length = E.size([site.in_type(0).shape[d] for d in dims])
    xs = [E.reshape(E.transpose(x, [*dims, *rest]), [length, *shape]) for x in site.ins[:n]]
    inits = [E.broadcast(x, shape, []) for x in site.ins[n:]]
    return fold(site, site.op.regions[0], xs, inits)


# -- sums


def _jvp_sum(site: Site, tangents: Sequence[Shadow]) -> list[Shadow]:
    dx, di = tangents
    if dx is None:
        assert di is not None
        return [everywhere(site, di)]
    return [*site.again([dx, di or zero_of(site.in_type(1))])]


def _vjp_sum(site: Site, cotangents: Sequence[Shadow]) -> list[Cotangent]:
    (ct,) = cotangents
    assert ct is not None
    x = spread(site, E.convert(ct, site.in_type(0).element_type)) if site.active[0] else None
    init = E.convert(E.reduce_sum(ct, range(ct.rank)), site.in_type(1).element_type) if site.active[1] else None
    return [x, init]


# -- extrema


def _hits(site: Site) -> tuple[Expr, Expr | None, Expr]:
    """Where an extremum is attained: by which elements, whether by the initial value, and how often altogether."""
    x, init, y = *site.ins, site.outs[0]
    element, extremum = E.convert(x, y.dtype), spread(site, y)
    is_maximum = single_op(site.op.regions[0]) == "stablehlo.maximum"
    hits = E.convert(~(element < extremum if is_maximum else element > extremum), y.dtype)
    # Where the extremum is not a number no element equals it, all "hit" it, and no share of it is a number.
    count = select(y.eq(y), E.reduce_sum(hits, reduced(site)), math.nan)
    if is_neutral(single_op(site.op.regions[0]) or "", site.op.operands[1]):
        return hits, None, count
    by_init = E.convert(everywhere(site, init).eq(y), y.dtype)
    return hits, by_init, count + by_init


def _jvp_extremum(site: Site, tangents: Sequence[Shadow]) -> list[Shadow]:
    """The mean of the tangents of those that attain it."""
    dx, di = tangents
    if not E.size(site.in_type(0).shape):
        return _jvp_sum(site, [None, di]) if di is not None else [None]
    hits, by_init, count = _hits(site)
    total: Shadow = None
    if dx is not None:
        total = E.reduce_sum(E.convert(dx, hits.dtype) * hits, reduced(site))
    if di is not None and by_init is not None:
        total = add_shadows(total, everywhere(site, di) * by_init)
    return [None if total is None else site.scale(total, lambda d: d / count)]


def _vjp_extremum(site: Site, cotangents: Sequence[Shadow]) -> list[Cotangent]:
    """Those that attain it share the cotangent evenly."""
    (ct,) = cotangents
    assert ct is not None
    hits, by_init, count = _hits(site)
    share = site.scale(ct, lambda d: d / count)
    x = E.convert(spread(site, share) * hits, site.in_type(0).element_type) if site.active[0] else None
    init = None
    if site.active[1] and by_init is not None:
        init = E.convert(E.reduce_sum(share * by_init, range(ct.rank)), site.in_type(1).element_type)
    return [x, init]


_SUM = Rule("stablehlo.reduce", jvp=_jvp_sum, vjp=_vjp_sum, batch=_batch_reduce, expand=_expand_reduce)
_EXTREMUM = Rule("stablehlo.reduce", jvp=_jvp_extremum, vjp=_vjp_extremum, batch=_batch_reduce, expand=_expand_reduce)
_FOLD = Rule("stablehlo.reduce", batch=_batch_reduce, expand=_expand_reduce)
_REDUCE = {"stablehlo.add": _SUM, "stablehlo.maximum": _EXTREMUM, "stablehlo.minimum": _EXTREMUM}


def _reduce_variant(op: ir.Operation) -> Rule:
    """Extrema of complex numbers compare lexicographically, which the fold of `maximum` knows."""
    name = single_op(op.regions[0]) or ""
    if name != "stablehlo.add" and E.is_complex(op.results[0].type.element_type):
        return _FOLD
    return _REDUCE.get(name, _FOLD)


add(Rule("stablehlo.reduce", variant=_reduce_variant))


# -- map ---------------------------------------------------------------------------------------------------------------


def _expand_map(site: Site) -> list[Expr]:
    return over_arrays(site, site.op.regions[0])(site.ins)


expand("stablehlo.map", _expand_map)


# -- scan --------------------------------------------------------------------------------------------------------------


def _expand_scan(site: Site) -> list[Expr]:
    """A counted loop: each round takes a slice of every input and what is carried, and gives one of every output."""
    sizes: Any = site.attr("operandSegmentSizes")
    inputs, carried = site.ins[: sizes[0]], site.ins[sizes[0] :]
    n_outputs = site.attr("resultSegmentSizes")[0]
    dim = int(site.attr("dimension").value)
    length = inputs[0].shape[dim] if inputs else int(site.attr("scan_dim_size").value)
    backwards = (given := site.get("is_reverse")) is not None and bool(given.value)
    running = _running_op(site.op)
    if running is not None:
        return _expand_running(running, inputs[0], carried[0], dim, backwards)
    body = function_of(site, site.op.regions[0])

    def step(i: Expr, *state: Expr) -> list[Expr]:
        at = (length - 1) - i if backwards else i
        zero = E.full(i.type, 0)

        def place(rank: int) -> list[Expr]:
            return [at if d == dim else zero for d in range(rank)]

        def row(x: Expr) -> Expr:
            before, after = x.shape[:dim], x.shape[dim + 1 :]
            return E.reshape(E.dynamic_slice(x, place(x.rank), [*before, 1, *after]), [*before, *after])

        made = site.deriver.call(body, [*map(row, inputs), *state[n_outputs:]])
        outputs = [
            E.dynamic_update_slice(so_far, E.reshape(new, [*new.shape[:dim], 1, *new.shape[dim:]]), place(so_far.rank))
            for so_far, new in zip(state, made[:n_outputs], strict=False)
        ]
        return [*outputs, *made[n_outputs:]]

    empty = [zero_of(r.type) for r in list(site.op.results)[:n_outputs]]
    return count_up(length, step, [*empty, *carried])


def _running_op(op: ir.Operation) -> str | None:
    """The op of a running sum, product or extremum, if the scan is one: its output is what it carries."""
    block = op.regions[0].blocks[0]
    only = block.operations[0].operation
    if len(block.operations) != 2 or len(block.arguments) != 2 or set(only.operands) != set(block.arguments):
        return None
    return only.name if only.name in NEUTRAL and list(terminator(block).operands) == [only.results[0]] * 2 else None


def _expand_running(name: str, x: Expr, start: Expr, dim: int, backwards: bool) -> list[Expr]:
    n, rest = x.shape[dim], [d for d in range(x.rank) if d != dim]
    if not n:
        return [x, start]
    outs = (suffix if backwards else prefix)(lambda both: [E.op(name, *both)], [x], dim)
    out = E.op(name, E.broadcast(start, x.shape, rest), outs[0])
    last = 0 if backwards else n - 1
    return [out, E.reshape(E.slice_in_dim(out, last, last + 1, dim), start.shape)]


expand("chlo.scan", _expand_scan)
