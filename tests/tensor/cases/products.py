"""Products that sum: `dot_general` and its kin."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from cases import case, complex_normal, normal


def tensor(shape: Sequence[int], element: str = "f64") -> str:
    return f"tensor<{'x'.join([*map(str, shape), element])}>"


def dot(
    label: str,
    shapes: Sequence[Sequence[int]],
    contract: tuple[str, str],
    batch: tuple[str, str] = ("", ""),
    more: str = "",
    element: str = "f64",
    **options: object,
) -> None:
    (x, y), out = shapes[:2], shapes[2]
    types = f"({tensor(x, element)}, {tensor(y, element)}) -> {tensor(out, element)}"
    text = f"""func.func public @f(%x: {tensor(x, element)}, %y: {tensor(y, element)}) -> {tensor(out, element)} {{
      %r = stablehlo.dot_general %x, %y, batching_dims = [{batch[0]}] x [{batch[1]}],
        contracting_dims = [{contract[0]}] x [{contract[1]}]{more} : {types}
      return %r : {tensor(out, element)}
    }}"""
    case("stablehlo.dot_general", label, text, (normal if element == "f64" else complex_normal)(x, y), **options)


dot("matrices", [[2, 3], [3, 4], [2, 4]], ("1", "0"))
dot("transposed matrices", [[3, 2], [4, 3], [2, 4]], ("0", "1"))
dot("vectors", [[3], [3], []], ("0", "0"))
dot("a matrix and a vector", [[2, 3], [3], [2]], ("1", "0"))
dot("an outer product", [[2], [2, 2], [2, 2, 2]], ("", ""))
dot("a batch", [[2, 2, 3], [2, 3, 2], [2, 2, 2]], ("2", "1"), ("0", "0"))
dot("batches in other places", [[3, 2, 2], [2, 2, 3], [2, 2, 2]], ("0", "2"), ("2", "0"))
dot("two contracted dimensions", [[2, 2, 3], [3, 2, 2], [2, 2]], ("0, 2", "1, 0"))
dot("several of each", [[2, 2, 2, 2], [2, 2, 2, 2], [2, 2, 2]], ("3, 0", "1, 2"), ("1", "3"))
dot("a batch only", [[2, 3], [2, 3], [2, 3]], ("", ""), ("0, 1", "0, 1"))
# The reference interpreter stops at a sum of no products.
dot("no products", [[2, 0], [0, 2], [2, 2]], ("1", "0"), backends=("xla",))
dot("no rows", [[0, 2], [2, 3], [0, 3]], ("1", "0"), backends=("xla",))
dot("sizes of one", [[1, 2], [2, 1], [1, 1]], ("1", "0"))
dot("precision", [[2, 3], [3, 2], [2, 2]], ("1", "0"), more=", precision = [HIGHEST, HIGH]")
dot("complex", [[2, 2], [2, 3], [2, 3]], ("1", "0"), element="complex<f64>")
dot("complex, a batch", [[2, 2, 2], [2, 1, 2], [2, 2, 1]], ("1", "2"), ("0", "0"), element="complex<f64>")

case(
    "stablehlo.dot_general",
    "a matrix with itself",
    """func.func public @f(%x: tensor<3x3xf64>) -> tensor<3x3xf64> {
      %r = stablehlo.dot_general %x, %x, contracting_dims = [1] x [1]
        : (tensor<3x3xf64>, tensor<3x3xf64>) -> tensor<3x3xf64>
      return %r : tensor<3x3xf64>
    }""",
    normal((3, 3)),
)

case(
    "stablehlo.dot_general",
    "sizes known at run time",
    """func.func public @f(%x: tensor<?x?x2xf64>, %y: tensor<?x2x?xf64>) -> tensor<?x?x?xf64> {
      %r = stablehlo.dot_general %x, %y, batching_dims = [0] x [0], contracting_dims = [2] x [1]
        : (tensor<?x?x2xf64>, tensor<?x2x?xf64>) -> tensor<?x?x?xf64>
      return %r : tensor<?x?x?xf64>
    }""",
    normal((2, 1, 2), (2, 2, 2)),
)

for label, x, y, out in [
    ("matrices", [2, 3], [3, 2], [2, 2]),
    ("a vector and a matrix", [3], [3, 2], [2]),
    ("a matrix and a vector", [2, 3], [3], [2]),
    ("vectors", [3], [3], []),
]:
    case(
        "stablehlo.dot",
        label,
        f"""func.func public @f(%x: {tensor(x)}, %y: {tensor(y)}) -> {tensor(out)} {{
          %r = stablehlo.dot %x, %y, precision = [DEFAULT, HIGHEST] : ({tensor(x)}, {tensor(y)}) -> {tensor(out)}
          return %r : {tensor(out)}
        }}""",
        normal(x, y),
    )

for config, x, y, out in [
    ("ab,bc->ca", [2, 3], [3, 2], [2, 2]),
    ("abc,acd->abd", [2, 2, 3], [2, 3, 2], [2, 2, 2]),
    ("ab,c->a", [2, 3], [2], [2]),
    ("aab,b->a", [2, 2, 3], [3], [2]),
    ("...ab,...bc->...ac", [2, 2, 3], [2, 3, 2], [2, 2, 2]),
]:
    case(
        "stablehlo.einsum",
        config,
        f"""func.func public @f(%x: {tensor(x)}, %y: {tensor(y)}) -> {tensor(out)} {{
          %r = "stablehlo.einsum"(%x, %y) {{einsum_config = "{config}"}} : ({tensor(x)}, {tensor(y)}) -> {tensor(out)}
          return %r : {tensor(out)}
        }}""",
        normal(x, y),
        backends=("xla",),  # the reference interpreter has no einsum
    )

# -- ragged_dot: the reference interpreter runs it, XLA does on accelerators only --------------------------------------


def ragged(label: str, shapes: Sequence[Sequence[int]], sizes: object, numbers: str) -> None:
    (x, y), out = shapes[:2], shapes[2]
    counts = np.array(sizes, np.int32)
    case(
        "chlo.ragged_dot",
        label,
        f"""func.func public @f(%x: {tensor(x)}, %y: {tensor(y)}) -> {tensor(out)} {{
          %s = stablehlo.constant dense<{counts.tolist()}> : {tensor(counts.shape, "i32")}
          %r = "chlo.ragged_dot"(%x, %y, %s) <{{ragged_dot_dimension_numbers = #chlo.ragged_dot<{numbers}>,
            precision_config = [#chlo<precision DEFAULT>, #chlo<precision HIGHEST>]}}>
            : ({tensor(x)}, {tensor(y)}, {tensor(counts.shape, "i32")}) -> {tensor(out)}
          return %r : {tensor(out)}
        }}""",
        normal(x, y),
        backends=("reference",),
    )


def ragged_numbers(batch: str, contract: tuple[str, str], rows: str, group: str) -> str:
    return (
        f"lhs_batching_dimensions = [{batch}], rhs_batching_dimensions = [{batch}], "
        f"lhs_contracting_dimensions = [{contract[0]}], rhs_contracting_dimensions = [{contract[1]}], "
        f"lhs_ragged_dimensions = [{rows}], rhs_group_dimensions = [{group}]"
    )


ragged("rows", [[5, 2], [2, 2, 3], [5, 3]], [2, 2], ragged_numbers("", ("1", "1"), "0", "0"))
ragged("contracted", [[5, 2], [5, 3], [2, 2, 3]], [2, 3], ragged_numbers("", ("0", "0"), "0", ""))
