"""Ops that move elements about: they are linear, and each stands with its transpose."""

from __future__ import annotations

from collections.abc import Sequence

from jaxlib.mlir import ir

from gradir.tensor.ir import expr as E
from gradir.tensor.ir.expr import Expr
from gradir.tensor.rules.cotangents import Piece
from gradir.tensor.rules.interface import Cotangent
from gradir.tensor.rules.rule import Site, expand, inactive, linear, with_batch

inactive("stablehlo.constant")
inactive("stablehlo.iota")


def _batch_reshape(site: Site) -> list[Expr]:
    return [E.reshape(site.ins[0], [site.size, *site.out_type().shape])]


linear("stablehlo.reshape", lambda site, ct: E.reshape(ct, site.in_type(0).shape), batch=_batch_reshape)


def _transpose_transpose(site: Site, ct: Expr) -> Expr:
    permutation = list(site.attr("permutation"))
    return E.transpose(ct, [permutation.index(d) for d in range(len(permutation))])


def _batch_transpose(site: Site) -> list[Expr]:
    return [E.transpose(site.ins[0], [0, *(d + 1 for d in site.attr("permutation"))])]


linear("stablehlo.transpose", _transpose_transpose, batch=_batch_transpose)


def _transpose_broadcast(site: Site, ct: Expr) -> Expr:
    """Sum over what was repeated: the new dimensions, and those that were 1."""
    shape, dims = site.in_type(0).shape, list(site.attr("broadcast_dimensions"))
    out = site.out_type().shape
    repeated = [d for d in range(len(out)) if d not in dims or shape[dims.index(d)] != out[d]]
    ct = E.reduce_sum(ct, repeated)
    kept = [d for d in dims if d not in repeated]  # in the operand's order
    ct = E.transpose(ct, [sorted(kept).index(d) for d in kept])
    return E.reshape(ct, shape)


def _batch_broadcast(site: Site) -> list[Expr]:
    dims = [0, *(d + 1 for d in site.attr("broadcast_dimensions"))]
    return [E.broadcast(site.ins[0], [site.size, *site.out_type().shape], dims)]


linear("stablehlo.broadcast_in_dim", _transpose_broadcast, batch=_batch_broadcast)


def _expand_broadcast(site: Site) -> list[Expr]:
    shape, rank = site.out_type().shape, site.in_type(0).rank
    return [E.broadcast(site.ins[0], shape, range(len(shape) - rank, len(shape)))]


expand("stablehlo.broadcast", _expand_broadcast)


def _transpose_slice(site: Site, ct: Expr) -> Cotangent:
    start, strides = (list(site.attr(a)) for a in ("start_indices", "strides"))
    shape, n = site.in_type(0).shape, site.out_type().shape
    if not E.size(n):
        return E.full(site.in_type(0), 0)
    if all(t == 1 for t in strides):
        return Piece(site.in_type(0), ct, start)
    high = [s - (a + (k - 1) * t + 1) for s, a, k, t in zip(shape, start, n, strides, strict=True)]
    return E.pad(ct, 0, start, high, [t - 1 for t in strides])


def _batch_slice(site: Site) -> list[Expr]:
    start, limit, strides = (list(site.attr(a)) for a in ("start_indices", "limit_indices", "strides"))
    return [E.slice_(site.ins[0], [0, *start], [site.size, *limit], [1, *strides])]


linear("stablehlo.slice", _transpose_slice, batch=_batch_slice)


def _transpose_concatenate(site: Site, ct: Expr) -> list[Cotangent]:
    dim, at = ir.IntegerAttr(site.attr("dimension")).value, 0
    parts: list[Cotangent] = []
    for i, active in enumerate(site.active):
        n = site.in_type(i).shape[dim]
        parts.append(E.slice_in_dim(ct, at, at + n, dim) if active else None)
        at += n
    return parts


def _batch_concatenate(site: Site) -> list[Expr]:
    dim = ir.IntegerAttr(site.attr("dimension")).value
    return [E.concatenate([with_batch(site, i) for i in range(len(site.ins))], dim + 1)]


linear("stablehlo.concatenate", _transpose_concatenate, batch=_batch_concatenate, operands=-1)


def _batch_reverse(site: Site) -> list[Expr]:
    return [E.reverse(site.ins[0], [d + 1 for d in site.attr("dimensions")])]


linear("stablehlo.reverse", lambda site, ct: E.reverse(ct, list(site.attr("dimensions"))), batch=_batch_reverse)


def _transpose_pad(site: Site, ct: Expr) -> list[Cotangent]:
    """The operand's part by a slice (and, where padding cuts, a pad); the padding value takes the rest."""
    low, high, interior = (list(site.attr(a)) for a in ("edge_padding_low", "edge_padding_high", "interior_padding"))
    kept = E.pad(ct, 0, [max(0, -p) for p in low], [max(0, -p) for p in high])
    shape = site.in_type(0).shape
    first = [max(0, p) for p in low]
    limit = [a + max(0, (n - 1) * (t + 1) + 1) for a, n, t in zip(first, shape, interior, strict=True)]
    inside = E.slice_(kept, first, limit, [t + 1 for t in interior])
    if not site.active[1]:
        return [inside]
    rest = E.select(_unpadded(shape, low, high, interior), 0, ct)
    return [inside, E.reduce_sum(rest, range(rest.rank))]


def _unpadded(shape: Sequence[int], low: Sequence[int], high: Sequence[int], interior: Sequence[int]) -> Expr:
    """Which elements of a padded array come from the operand."""
    return E.pad(E.full(E.tensor(shape, ir.IntegerType.get_signless(1)), True), False, low, high, interior)


def _batch_pad(site: Site) -> list[Expr]:
    low, high, interior = (list(site.attr(a)) for a in ("edge_padding_low", "edge_padding_high", "interior_padding"))
    x = with_batch(site, 0)
    if not site.batched[1]:
        return [E.pad(x, site.ins[1], [0, *low], [0, *high], [0, *interior])]
    # Each example pads with a value of its own: pad with anything, and put the value where nothing of `x` is.
    padded = E.pad(x, 0, [0, *low], [0, *high], [0, *interior])
    shape = padded.shape
    inside = E.broadcast(_unpadded(x.shape[1:], low, high, interior), shape, range(1, len(shape)))
    return [E.select(inside, padded, E.broadcast(site.ins[1], shape, [0]))]


linear("stablehlo.pad", _transpose_pad, batch=_batch_pad, operands=2)
