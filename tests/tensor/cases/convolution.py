"""Convolutions: every attribute, in the usual and in unusual orders of dimensions."""

from __future__ import annotations

from collections.abc import Sequence

from cases import case, complex_normal, normal
from cases.products import tensor


def convolution(
    label: str,
    shapes: Sequence[Sequence[int]],
    numbers: str,
    window: str = "",
    groups: tuple[int, int] = (1, 1),
    element: str = "f64",
    more: str = "",
) -> None:
    """`shapes` of the two operands and the result; `groups` of features and of the batch."""
    x, w, _ = shapes
    a, b, r = (tensor(s, element) for s in shapes)
    text = f"""func.func public @f(%x: {a}, %w: {b}) -> {r} {{
      %r = stablehlo.convolution(%x, %w) dim_numbers = {numbers}, window = {{{window}}}
        {{feature_group_count = {groups[0]} : i64, batch_group_count = {groups[1]} : i64{more}}} : ({a}, {b}) -> {r}
      return %r : {r}
    }}"""
    case("stablehlo.convolution", label, text, (normal if element == "f64" else complex_normal)(x, w))


LINE = "[b, f, 0]x[o, i, 0]->[b, f, 0]"
PLANE = "[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]"

convolution("a line", [[2, 2, 5], [2, 2, 2], [2, 2, 4]], LINE)
convolution("a plane", [[1, 3, 3, 2], [2, 2, 2, 2], [1, 2, 2, 2]], PLANE)
SPACE = "[b, 0, 1, 2, f]x[0, 1, 2, i, o]->[b, 0, 1, 2, f]"
convolution("space", [[1, 2, 2, 3, 1], [2, 1, 2, 1, 2], [1, 1, 2, 2, 2]], SPACE)
convolution("no space", [[2, 3], [3, 2], [2, 2]], "[b, f]x[i, o]->[b, f]")
convolution("mixed dimensions", [[3, 2, 2, 3], [2, 2, 2, 2], [2, 2, 2, 2]], "[0, b, f, 1]x[i, 0, o, 1]->[1, f, 0, b]")
convolution("strides", [[1, 1, 7], [2, 1, 2], [1, 2, 3]], LINE, "stride = [2]")
convolution("strides that leave a rest", [[1, 2, 7], [1, 2, 2], [1, 1, 2]], LINE, "stride = [4]")
convolution("padding", [[1, 2, 3], [2, 2, 2], [1, 2, 5]], LINE, "pad = [[1, 2]]")
convolution("negative padding", [[1, 2, 6], [2, 2, 2], [1, 2, 3]], LINE, "pad = [[-1, -1]]")
convolution("padding of both signs", [[2, 1, 4], [1, 1, 3], [2, 1, 3]], LINE, "pad = [[3, -2]]")
convolution("wide padding", [[1, 1, 2], [1, 1, 2], [1, 1, 7]], LINE, "pad = [[4, 2]]")
convolution("dilated operand", [[1, 2, 3], [2, 2, 2], [1, 2, 4]], LINE, "lhs_dilate = [2]")
convolution("dilated kernel", [[1, 2, 5], [2, 2, 2], [1, 2, 3]], LINE, "rhs_dilate = [2]")
convolution("reversed", [[1, 2, 4], [2, 2, 2], [1, 2, 3]], LINE, "reverse = [true]")
convolution(
    "all of these",
    [[1, 4, 4, 2], [2, 2, 2, 2], [1, 4, 2, 2]],
    PLANE,
    "stride = [2, 1], pad = [[1, 1], [-1, 0]], lhs_dilate = [2, 1], rhs_dilate = [2, 1], reverse = [true, false]",
)
convolution("feature groups", [[2, 4, 3], [4, 2, 2], [2, 4, 2]], LINE, groups=(2, 1))
convolution("depthwise", [[1, 3, 3, 2], [2, 2, 1, 4], [1, 3, 2, 4]], PLANE, "pad = [[1, 0], [0, 0]]", groups=(2, 1))
convolution("batch groups", [[4, 2, 3], [4, 2, 2], [2, 4, 2]], LINE, groups=(1, 2))
convolution("batch groups and strides", [[4, 5, 2], [2, 2, 2], [2, 3, 2]], "[b, 0, f]x[0, i, o]->[b, 0, f]",
            "stride = [2], pad = [[1, 0]]", groups=(1, 2))  # fmt: skip
convolution("reversed groups", [[1, 4, 3], [4, 2, 2], [1, 4, 2]], LINE, "reverse = [true]", groups=(2, 1))
convolution("precision", [[1, 2, 3], [2, 2, 2], [1, 2, 2]], LINE,
            more=", precision_config = [#stablehlo<precision HIGHEST>, #stablehlo<precision DEFAULT>]")  # fmt: skip
convolution("complex", [[1, 2, 3], [2, 2, 2], [1, 2, 2]], LINE, element="complex<f64>")
convolution("a kernel that is too large", [[1, 1, 2], [1, 1, 3], [1, 1, 0]], LINE)
convolution("an empty batch", [[0, 1, 3], [1, 1, 2], [0, 1, 2]], LINE)

case(
    "stablehlo.dynamic_conv",
    "constant padding",
    """func.func public @f(%x: tensor<1x4x2xf64>, %w: tensor<2x2x2xf64>) -> tensor<1x3x2xf64> {
      %p = stablehlo.constant dense<[[1, 1]]> : tensor<1x2xi64>
      %r = "stablehlo.dynamic_conv"(%x, %w, %p) {dimension_numbers = #stablehlo.conv<[b, 0, f]x[0, i, o]->[b, 0, f]>,
        window_strides = array<i64: 2>, feature_group_count = 1 : i64, batch_group_count = 1 : i64}
        : (tensor<1x4x2xf64>, tensor<2x2x2xf64>, tensor<1x2xi64>) -> tensor<1x3x2xf64>
      return %r : tensor<1x3x2xf64>
    }""",
    normal((1, 4, 2), (2, 2, 2)),
    backends=("reference",),  # XLA has no dynamic_conv
)
