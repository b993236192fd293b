"""Convolutions of what has been padded, moved, sliced or scaled."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from jaxlib.mlir import ir
from jaxlib.mlir.dialects import stablehlo as hlo

from gradir.tensor.ir import expr as E
from gradir.tensor.ir.expr import Expr
from gradir.tensor.ir.reading import integer, ints, single_use
from gradir.tensor.optimize.effects import ROUNDS
from gradir.tensor.optimize.pieces import box, plain_padding
from gradir.tensor.optimize.products import multiplied_again, permuted, products

rule = products.rule


@rule("convolution(p := pad(x, 0), w)", "float", effects=ROUNDS)
def convolution_of_pad(op: ir.Operation, p: ir.Operation, x: Expr, w: Expr) -> Expr | None:
    """convolution(pad(x, 0), w) -> a convolution that pads by itself."""
    edges = plain_padding(p)
    numbers = hlo.ConvDimensionNumbers(op.attributes["dimension_numbers"])
    space = list(numbers.input_spatial_dimensions)
    if edges is None or any((edges[0][d] or edges[1][d]) and d not in space for d in range(x.rank)):
        return None
    if "lhs_dilation" in op.attributes and any(n != 1 for n in ints(op, "lhs_dilation")):
        return None
    old = ints(op, "padding") if "padding" in op.attributes else (0,) * (2 * len(space))
    new = [n + edges[k % 2][space[k // 2]] for k, n in enumerate(old)]
    attributes = dict(op.attributes.items())
    attributes["padding"] = ir.DenseIntElementsAttr.get(np.array(new, np.int64).reshape(-1, 2))
    return E.op("stablehlo.convolution", x, w, result=op.results[0].type, **attributes)


@dataclass(frozen=True)
class Places:
    """Where the dimensions of a convolution's operands and result are: of each, two of its own, then those in space."""

    x: tuple[int, ...]
    w: tuple[int, ...]
    out: tuple[int, ...]

    @staticmethod
    def of(op: ir.Operation) -> Places:
        n = hlo.ConvDimensionNumbers(op.attributes["dimension_numbers"])
        return Places(
            (n.input_batch_dimension, n.input_feature_dimension, *n.input_spatial_dimensions),
            (n.kernel_input_feature_dimension, n.kernel_output_feature_dimension, *n.kernel_spatial_dimensions),
            (n.output_batch_dimension, n.output_feature_dimension, *n.output_spatial_dimensions),
        )

    def attribute(self) -> ir.Attribute:
        parts = [a for v in (self.x, self.w, self.out) for a in (v[0], v[1], list(v[2:]))]
        return hlo.ConvDimensionNumbers.get(*parts)


def convolved_again(op: ir.Operation, x: Expr, w: Expr, places: Places, shape: Sequence[int]) -> Expr:
    """The same convolution of operands, and with a result, that lie otherwise."""
    made = multiplied_again(op, x, w).value.owner.operation
    made.attributes["dimension_numbers"] = places.attribute()
    made.results[0].set_type(E.tensor(shape, op.results[0].type.element_type))
    return Expr(made.results[0])


@rule("convolution(t := transpose(x), w)", effects=ROUNDS)
def convolution_of_transpose(op: ir.Operation, t: ir.Operation, x: Expr, w: Expr) -> Expr:
    """convolution(transpose(x), w) -> a convolution of x as it lies."""
    places = Places.of(op)
    return convolved_again(
        op, x, w, replace(places, x=permuted(places.x, ints(t, "permutation"))), op.results[0].type.shape
    )


@rule("convolution(x, t := transpose(w))", effects=ROUNDS)
def convolution_of_transposed_kernel(op: ir.Operation, t: ir.Operation, x: Expr, w: Expr) -> Expr:
    """convolution(x, transpose(w)) -> a convolution with w as it lies."""
    places = Places.of(op)
    return convolved_again(
        op, x, w, replace(places, w=permuted(places.w, ints(t, "permutation"))), op.results[0].type.shape
    )


@rule("transpose(d := convolution(x, w))", effects=ROUNDS)
def transpose_of_convolution(op: ir.Operation, d: ir.Operation, x: Expr, w: Expr) -> Expr | None:
    """transpose(convolution(x, w)) -> a convolution whose result lies so."""
    places, permutation = Places.of(d), ints(op, "permutation")
    if not single_use(d.results[0]):
        return None
    out = tuple(permutation.index(e) for e in places.out)
    return convolved_again(d, x, w, replace(places, out=out), op.results[0].type.shape)


@rule("slice(d := convolution(x, w))", effects=ROUNDS, phase="up", gated=True)
def slice_of_convolution(op: ir.Operation, d: ir.Operation, x: Expr, w: Expr) -> Expr | None:
    """slice(convolution(x, w)) -> convolution(slice(x), slice(w)) where examples or features are left out."""
    places, whole = Places.of(d), d.results[0].type.shape
    groups_of = [integer(d, f"{n}_group_count") for n in ("feature", "batch") if f"{n}_group_count" in d.attributes]
    if not single_use(d.results[0]) or any(n != 1 for n in groups_of):
        return None
    bounds, parts = box(op), []
    for v, mine, theirs in ((x, places.x[0], places.out[0]), (w, places.w[1], places.out[1])):
        start, limit, strides = [0] * v.rank, list(v.shape), [1] * v.rank
        start[mine], limit[mine], strides[mine] = (part[theirs] for part in bounds)
        parts.append(E.slice_(v, start, limit, strides))
    for e in places.out[2:]:
        if (bounds[0][e], bounds[1][e], bounds[2][e]) != (0, whole[e], 1):
            return None
    return convolved_again(d, parts[0], parts[1], places, op.results[0].type.shape)
