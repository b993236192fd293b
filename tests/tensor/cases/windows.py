"""Sliding windows. Ties are in `test_windows.py`."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from cases import Case, Inputs, case, normal
from cases.reductions import D, computation, one

INFINITIES = {"maximum": "0xFFF0000000000000", "minimum": "0x7FF0000000000000", "add": "0.0", "multiply": "1.0"}


def window(size: Sequence[int], stride: object = 1, pad: object = 0, holes: object = 1, steps: object = 1) -> str:
    """The attributes of a window; a number stands for the same in all dimensions."""

    def ints(x: object) -> str:
        return ", ".join(map(str, x if isinstance(x, (tuple, list)) else [x] * len(size)))

    padding = np.broadcast_to(np.array(pad), (len(size), 2)).tolist()
    return (
        f"{{window_dimensions = array<i64: {ints(size)}>, window_strides = array<i64: {ints(stride)}>, "
        f"base_dilations = array<i64: {ints(holes)}>, window_dilations = array<i64: {ints(steps)}>, "
        f"padding = dense<{padding}> : tensor<{len(size)}x2xi64>}}"
    )


def windows(
    label: str,
    inputs: Inputs,
    types: Sequence[str],
    results: Sequence[str],
    region: str,
    attributes: str,
    **options: object,
) -> Case:
    """`types` are those of the operands and then of the initial values; all are arguments of @f."""
    arguments = ", ".join(f"%a{i}: {t}" for i, t in enumerate(types))
    values = ", ".join(f"%a{i}" for i in range(len(types)))
    outs, returned = ", ".join(results), ", ".join(f"%r#{k}" for k in range(len(results)))
    text = (
        f"func.func public @f({arguments}) -> ({outs}) {{\n"
        f'%r:{len(results)} = "stablehlo.reduce_window"({values}) {region} {attributes}'
        f" : ({', '.join(types)}) -> ({outs})\n"
        f"return {returned} : {outs}\n}}"
    )
    return case("stablehlo.reduce_window", label, text, inputs, **options)


def plain(op: str, label: str, shape: Sequence[int], out: Sequence[int], attributes: str) -> None:
    """With the constant for initial value that changes nothing."""
    whole, part = (f"tensor<{'x'.join(map(str, [*s, 'f64']))}>" for s in (shape, out))
    case(
        "stablehlo.reduce_window",
        f"{op}, {label}",
        f"""func.func public @f(%x: {whole}) -> {part} {{
          %i = stablehlo.constant dense<{INFINITIES[op]}> : {D}
          %r = "stablehlo.reduce_window"(%x, %i) {one(op)} {attributes} : ({whole}, {D}) -> {part}
          return %r : {part}
        }}""",
        normal(shape),
    )


for op in ("add", "maximum", "minimum", "multiply"):
    plain(op, "strided and padded", [4, 5], [2, 3], window([2, 3], [2, 2], [[0, 1], [1, 1]]))
    plain(op, "overlapping", [5], [4], window([2]))
    plain(op, "dilated", [5, 3], [5, 2], window([2, 2], 1, [[1, 2], [0, 0]], [1, 1], [3, 1]))
    plain(op, "with holes", [3], [4], window([2], 1, [[0, 0]], 2))
    plain(op, "running", [5, 2], [5, 2], window([5, 1], 1, [[4, 0], [0, 0]]))
    plain(op, "running backwards", [4], [4], window([4], 1, [[0, 3]]))
for op in ("add", "maximum", "multiply"):
    plain(op, "no windows", [2], [0], window([3]))
    plain(op, "one element", [1, 1], [1, 1], window([1, 1]))
plain("add", "gaps between windows", [7], [2], window([2], 4))
plain("maximum", "gaps between windows", [7], [2], window([2], 4))
plain("maximum", "all of it", [2, 3], [1, 1], window([2, 3]))
plain("add", "cut by its padding", [6], [3], window([2], 1, [[-1, -1]]))
plain("multiply", "cut by its padding", [6], [3], window([2], 1, [[-1, -1]]))
plain("maximum", "cut by its padding", [6], [3], window([2], 1, [[-1, -1]]))
plain("add", "strides, holes and steps", [4], [4], window([3], 2, [[2, 3]], 2, 2))
plain("multiply", "of size five", [8], [4], window([5]))

M, V = "tensor<4x3xf64>", "tensor<6xf64>"
for op in ("add", "maximum", "multiply"):
    # No padding: with an initial value that changes results, XLA leaves out what the specification pads with.
    windows(f"{op}, from an argument", normal((6,), ()), [V, D], ["tensor<2xf64>"], one(op), window([3], 2))
windows(
    "not associative",
    normal((6,), ()),
    [V, D],
    ["tensor<2xf64>"],
    computation(
        f"""%s = stablehlo.sine %p0 : {D}
        %q = stablehlo.multiply %p1, %p1 : {D}
        %c = stablehlo.add %s, %q : {D}
        stablehlo.return %c : {D}""",
        D,
        D,
    ),
    window([3], 2),
)
windows(
    "not associative, many positions",
    normal((5, 5), ()),
    ["tensor<5x5xf64>", D],
    ["tensor<1x2xf64>"],
    computation(
        f"""%k = stablehlo.constant dense<0.5> : {D}
        %s = stablehlo.multiply %p0, %k : {D}
        %c = stablehlo.subtract %p1, %s : {D}
        stablehlo.return %c : {D}""",
        D,
        D,
    ),
    window([5, 4], 1),
)
SELECT = computation(
    f"""%g = stablehlo.compare GE, %p0, %p2 : ({D}, {D}) -> tensor<i1>
    %u = stablehlo.select %g, %p0, %p2 : tensor<i1>, {D}
    %w = stablehlo.select %g, %p1, %p3 : tensor<i1>, {D}
    stablehlo.return %u, %w : {D}, {D}""",
    *[D] * 4,
)
windows("a value beside the greatest, from arguments", normal((6,), (6,), (), ()), [V, V, D, D], ["tensor<2xf64>"] * 2,
        SELECT, window([3], 2))  # fmt: skip
case(
    "stablehlo.reduce_window",
    "a value beside the greatest",
    f"""func.func public @f(%x: {V}, %y: {V}) -> (tensor<3xf64>, tensor<3xf64>) {{
      %i = stablehlo.constant dense<0xFFF0000000000000> : {D}
      %o = stablehlo.constant dense<0.0> : {D}
      %r:2 = "stablehlo.reduce_window"(%x, %y, %i, %o) {SELECT} {window([3], 2, [[0, 1]])}
        : ({V}, {V}, {D}, {D}) -> (tensor<3xf64>, tensor<3xf64>)
      return %r#0, %r#1 : tensor<3xf64>, tensor<3xf64>
    }}""",
    normal((6,), (6,)),
)

# -- select_and_scatter ------------------------------------------------------------------------------------------------


def scattering(
    label: str, select: str, scatter: str, shape: Sequence[int], source: Sequence[int], attributes: str
) -> None:
    whole, part = (f"tensor<{'x'.join(map(str, [*s, 'f64']))}>" for s in (shape, source))
    chooser = computation(f"{select}\nstablehlo.return %c : tensor<i1>", D, D)

    def program(arguments: str, init: str) -> str:
        return f"""func.func public @f(%x: {whole}, %s: {part}{arguments}) -> {whole} {{
          {init}
          %r = "stablehlo.select_and_scatter"(%x, %s, %i) ({chooser[1:-1]}, {one(scatter)[1:-1]}) {attributes}
            : ({whole}, {part}, {D}) -> {whole}
          return %r : {whole}
        }}"""

    neutral = f"%i = stablehlo.constant dense<{INFINITIES[scatter]}> : {D}"
    case("stablehlo.select_and_scatter", label, program("", neutral), normal(shape, source))
    case(
        "stablehlo.select_and_scatter",
        f"{label}, from an argument",
        program(f", %i: {D}", ""),
        normal(shape, source, ()),
        backends=("xla",),  # the reference interpreter combines with the initial value once more for each window
    )


def two_dims(size: Sequence[int], stride: Sequence[int], pad: object) -> str:
    padding = np.broadcast_to(np.array(pad), (len(size), 2)).tolist()
    sizes, strides = (", ".join(map(str, x)) for x in (size, stride))
    return (
        f"{{window_dimensions = array<i64: {sizes}>, window_strides = array<i64: {strides}>, "
        f"padding = dense<{padding}> : tensor<{len(size)}x2xi64>}}"
    )


def by(way: str) -> str:
    return f"%c = stablehlo.compare {way}, %p0, %p1 : ({D}, {D}) -> tensor<i1>"


scattering("GE, add", by("GE"), "add", [4, 4], [2, 3], two_dims([2, 2], [2, 1], 0))
scattering("LT, add, padded", by("LT"), "add", [5], [3], two_dims([3], [2], [[1, 1]]))
scattering("GT, multiply", by("GT"), "multiply", [5], [3], two_dims([3], [2], [[1, 1]]))
scattering(
    "by another comparison",
    f"""%u = stablehlo.abs %p0 : {D}
    %v = stablehlo.abs %p1 : {D}
    %c = stablehlo.compare GE, %u, %v : ({D}, {D}) -> tensor<i1>""",
    "add",
    [5],
    [3],
    two_dims([3], [2], [[1, 1]]),
)
