"""Convolutions: bilinear, and each transpose is again a convolution.

Write s for the stride, l and r for the dilations of the operands and p for the low padding. Along one spatial dimension

    out[o] = Σ_k lhs[(o s + k r - p) / l] · rhs[k]

so the cotangent of `lhs` is a convolution of the result's cotangent (dilated by s) with the reversed kernel, at stride
l, and that of `rhs` is one of `lhs` with the cotangent (dilated by s) for its kernel, at stride r.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from jaxlib.mlir import ir
from jaxlib.mlir.dialects import stablehlo as hlo

from gradir.errors import NoRule
from gradir.tensor.ir import expr as E
from gradir.tensor.ir.expr import Expr, i64, i64s
from gradir.tensor.ir.module import location_text
from gradir.tensor.rules.interface import Cotangent, Shadow
from gradir.tensor.rules.products import multiply, tangent_of_product
from gradir.tensor.rules.rule import Rule, Site, add, expand

Ints = tuple[int, ...]


@dataclass(frozen=True)
class Dims:
    """Where an array has its dimensions: batch and features (of a kernel: the features that go in and come out)."""

    first: int
    second: int
    spatial: Ints

    def swapped(self) -> Dims:
        return Dims(self.second, self.first, self.spatial)

    def sizes(self, shape: Sequence[int]) -> list[int]:
        return [shape[d] for d in self.spatial]


@dataclass(frozen=True)
class Convolution:
    """All that an op says, apart from its operands."""

    lhs: Dims
    rhs: Dims
    out: Dims
    strides: Ints
    padding: tuple[tuple[int, int], ...]
    lhs_dilation: Ints
    rhs_dilation: Ints
    reversal: tuple[bool, ...]
    feature_groups: int
    batch_groups: int
    precision: ir.Attribute | None

    @classmethod
    def of(cls, op: ir.Operation, padding: np.ndarray | None = None) -> Convolution:
        n = hlo.ConvDimensionNumbers(op.attributes["dimension_numbers"])
        spatial = len(n.input_spatial_dimensions)

        def each(name: str, default: int) -> Ints:
            return tuple(op.attributes[name]) if name in op.attributes else (default,) * spatial

        if padding is None:
            padding = np.zeros((spatial, 2), np.int64)
            if "padding" in op.attributes:
                padding[:] = np.array(ir.DenseIntElementsAttr(op.attributes["padding"]))
        return cls(
            lhs=Dims(n.input_batch_dimension, n.input_feature_dimension, tuple(n.input_spatial_dimensions)),
            rhs=Dims(
                n.kernel_input_feature_dimension, n.kernel_output_feature_dimension, tuple(n.kernel_spatial_dimensions)
            ),
            out=Dims(n.output_batch_dimension, n.output_feature_dimension, tuple(n.output_spatial_dimensions)),
            strides=each("window_strides", 1),
            padding=tuple((int(low), int(high)) for low, high in padding),
            lhs_dilation=each("lhs_dilation", 1),
            rhs_dilation=each("rhs_dilation", 1),
            reversal=tuple(bool(x) for x in each("window_reversal", 0)),
            feature_groups=int(op.attributes["feature_group_count"].value),
            batch_groups=int(op.attributes["batch_group_count"].value),
            precision=op.attributes.get("precision_config"),
        )

    def emit(self, lhs: Expr, rhs: Expr, dtype: ir.Type) -> Expr:
        numbers = [x for d in (self.lhs, self.rhs, self.out) for x in (d.first, d.second, list(d.spatial))]
        attributes: dict[str, ir.Attribute] = {
            "dimension_numbers": hlo.ConvDimensionNumbers.get(*numbers),
            "window_strides": i64s(self.strides),
            "padding": ir.DenseElementsAttr.get(np.array(self.padding, np.int64).reshape(-1, 2)),
            "lhs_dilation": i64s(self.lhs_dilation),
            "rhs_dilation": i64s(self.rhs_dilation),
            "window_reversal": E.bools(self.reversal),
            "feature_group_count": i64(self.feature_groups),
            "batch_group_count": i64(self.batch_groups),
        }
        if self.precision is not None:
            attributes["precision_config"] = self.precision
        result = E.tensor(self.result_shape(lhs.shape, rhs.shape), dtype)
        return E.op("stablehlo.convolution", lhs, rhs, result=result, **attributes)

    def result_shape(self, lhs: Sequence[int], rhs: Sequence[int]) -> list[int]:
        shape = [0] * len(lhs)
        shape[self.out.first] = lhs[self.lhs.first] // self.batch_groups
        shape[self.out.second] = rhs[self.rhs.second]
        for i, d in enumerate(self.out.spatial):
            (low, high), n = self.padding[i], dilated(lhs[self.lhs.spatial[i]], self.lhs_dilation[i])
            window = dilated(rhs[self.rhs.spatial[i]], self.rhs_dilation[i])
            padded = low + n + high
            shape[d] = 0 if padded < window else (padded - window) // self.strides[i] + 1
        return shape

    def reversed_dims(self, which: bool) -> list[int]:
        """The kernel's spatial dimensions that the op reverses, or does not."""
        return [d for d, is_reversed in zip(self.rhs.spatial, self.reversal, strict=True) if is_reversed == which]

    def for_lhs(self, lhs: Sequence[int], rhs: Sequence[int]) -> Convolution:
        """The convolution of the cotangent with the reversed kernel that gives the cotangent of lhs, up to groups."""
        padding: list[tuple[int, int]] = []
        out = self.result_shape(lhs, rhs)
        for i, (low, _) in enumerate(self.padding):
            window = dilated(rhs[self.rhs.spatial[i]], self.rhs_dilation[i])
            whole = dilated(lhs[self.lhs.spatial[i]], self.lhs_dilation[i]) + window - 1
            before = window - 1 - low
            padding.append((before, whole - before - dilated(out[self.out.spatial[i]], self.strides[i])))
        return replace(
            self,
            lhs=self.out,
            rhs=self.rhs.swapped(),
            out=self.lhs,
            strides=self.lhs_dilation,
            padding=tuple(padding),
            lhs_dilation=self.strides,
            reversal=(False,) * len(padding),
            feature_groups=max(self.feature_groups, self.batch_groups),
            batch_groups=1,
        )

    def for_rhs(self, lhs: Sequence[int], rhs: Sequence[int]) -> Convolution:
        """The convolution of lhs with the cotangent that gives the cotangent of rhs, if the kernel is not reversed."""
        padding: list[tuple[int, int]] = []
        out = self.result_shape(lhs, rhs)
        for i, (low, _) in enumerate(self.padding):
            window = dilated(rhs[self.rhs.spatial[i]], self.rhs_dilation[i])
            whole = dilated(out[self.out.spatial[i]], self.strides[i]) + window - 1
            padding.append((low, whole - low - dilated(lhs[self.lhs.spatial[i]], self.lhs_dilation[i])))
        return replace(
            self,
            lhs=self.lhs.swapped(),
            rhs=self.out,
            out=self.rhs,
            strides=self.rhs_dilation,
            padding=tuple(padding),
            rhs_dilation=self.strides,
            reversal=(False,) * len(padding),
            feature_groups=self.batch_groups,
            batch_groups=self.feature_groups,
        )


def dilated(n: int, by: int) -> int:
    return (n - 1) * by + 1 if n else 0


# -- groups and batches are parts of a dimension -----------------------------------------------------------------------


def move_part(x: Expr, source: int, n: int, target: int, groups: int = 1) -> Expr:
    """Take the outer n of dimension `source` into dimension `target`, outside of all but its outer `groups`."""
    shape, split = list(x.shape), list[int]()
    places: dict[str, int] = {}
    for d, size in enumerate(shape):
        if d == source:
            places["part"] = len(split)
            split += [n, size // n]
        elif d == target:
            places["groups"] = len(split)
            split += [groups, size // groups]
        else:
            split.append(size)
    order = [d for d in range(len(split)) if d != places["part"]]
    order.insert(order.index(places["groups"]) + 1, places["part"])
    shape[source] //= n
    shape[target] *= n
    return E.reshape(E.transpose(E.reshape(x, split), order), shape)


def into(x: Expr, dim: int, groups: int = 1) -> Expr:
    """An array with its batch dimension, the first, made part of dimension `dim`."""
    merged = move_part(x, 0, x.shape[0], dim + 1, groups)
    return E.reshape(merged, merged.shape[1:])


def out_of(x: Expr, dim: int, n: int, groups: int = 1) -> Expr:
    """The inverse of `into`."""
    shape = list(x.shape)
    inner = shape[dim] // (n * groups)
    split = E.reshape(x, [*shape[:dim], groups, n, inner, *shape[dim + 1 :]])
    order = [dim + 1, *(d for d in range(split.rank) if d != dim + 1)]
    shape[dim] = groups * inner
    return E.reshape(E.transpose(split, order), [n, *shape])


# -- rules -------------------------------------------------------------------------------------------------------------


def _jvp(site: Site, tangents: Sequence[Shadow]) -> list[Shadow]:
    return tangent_of_product(site, tangents, Convolution.of(site.op).emit)


def _vjp(site: Site, cotangents: Sequence[Shadow]) -> list[Cotangent]:
    (ct,) = cotangents
    assert ct is not None
    out: list[Cotangent] = [None, None]
    for i, transpose in enumerate((_transpose_lhs, _transpose_rhs)):
        if site.active[i]:
            mine = site.in_type(i)
            empty = not E.size(mine.shape) or not E.size(ct.shape) or not E.size(site.in_type(1 - i).shape)
            out[i] = E.full(mine, 0) if empty else E.convert(transpose(site, ct), mine.element_type)
    return out


def _transpose_lhs(site: Site, ct: Expr) -> Expr:
    conv = Convolution.of(site.op)
    dims, groups = conv.rhs, max(conv.feature_groups, conv.batch_groups)
    transposed = conv.for_lhs(site.in_type(0).shape, site.in_type(1).shape)

    def product(d: Expr, factor: Expr, dtype: ir.Type) -> Expr:
        # Groups are the outer part of the features that come out, and what comes out now are the others.
        kernel = move_part(factor, dims.second, groups, dims.first) if groups > 1 else factor
        kernel = E.reverse(kernel, conv.reversed_dims(False))
        out = transposed.emit(E.convert(d, dtype), E.convert(kernel, dtype), dtype)
        if conv.batch_groups > 1:  # in the result groups are the outer part of the batch
            out = move_part(out, conv.lhs.second, conv.batch_groups, conv.lhs.first)
        return out

    return multiply(site, ct, E.conj(site.ins[1]), product)


def _transpose_rhs(site: Site, ct: Expr) -> Expr:
    conv = Convolution.of(site.op)
    transposed = conv.for_rhs(site.in_type(0).shape, site.in_type(1).shape)

    def product(d: Expr, factor: Expr, dtype: ir.Type) -> Expr:
        out = transposed.emit(E.convert(factor, dtype), E.convert(d, dtype), dtype)
        return E.reverse(out, conv.reversed_dims(True))

    return multiply(site, ct, E.conj(site.ins[0]), product)


def _batch(site: Site) -> list[Expr]:
    """Examples become part of the batch, of the features that come out, or, where both operands have them, groups."""
    conv, n, dtype = Convolution.of(site.op), site.size, site.out_type().element_type
    lhs, rhs = site.ins
    if all(site.batched):
        if conv.batch_groups > 1:
            wide = replace(conv, batch_groups=conv.batch_groups * n)
            lhs = into(lhs, conv.lhs.first)
        else:
            wide = replace(conv, feature_groups=conv.feature_groups * n)
            lhs = into(lhs, conv.lhs.second)
        return [out_of(wide.emit(lhs, into(rhs, conv.rhs.second), dtype), conv.out.second, n)]
    if site.batched[0]:
        lhs = into(lhs, conv.lhs.first, conv.batch_groups)
        return [out_of(conv.emit(lhs, rhs, dtype), conv.out.first, n)]
    groups = max(conv.feature_groups, conv.batch_groups)
    rhs = into(rhs, conv.rhs.second, groups)
    return [out_of(conv.emit(lhs, rhs, dtype), conv.out.second, n, groups)]


add(Rule("stablehlo.convolution", jvp=_jvp, vjp=_vjp, batch=_batch))


def _expand_dynamic(site: Site) -> list[Expr]:
    padding = site.op.operands[2]
    if isinstance(padding, ir.BlockArgument) or padding.owner.operation.name != "stablehlo.constant":
        raise NoRule(
            "the padding of this dynamic_conv is not a constant",
            location=location_text(site.op.location),
            hint="pad the operand with stablehlo.dynamic_pad, and convolve without padding",
        )
    values = np.array(ir.DenseIntElementsAttr(padding.owner.operation.attributes["value"]))
    conv = Convolution.of(site.op, np.broadcast_to(values, padding.type.shape))
    return [conv.emit(site.ins[0], site.ins[1], site.out_type().element_type)]


expand("stablehlo.dynamic_conv", _expand_dynamic)
