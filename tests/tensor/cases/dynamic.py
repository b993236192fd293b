"""Ops whose shapes are operands.

Back ends run programs of static shapes only; one with open dimensions (`?`) becomes static for the arguments it is
called with. So an open shape in a case comes from the shape of an argument.
"""

from __future__ import annotations

import numpy as np

from cases import Inputs, case, complex_normal, normal


def one(op: str, label: str, body: str, arguments: str, result: str, inputs: Inputs, **options: object) -> None:
    """A program that gives `%r`."""
    text = f"func.func public @f({arguments}) -> tensor<{result}> {{\n{body}\nreturn %r : tensor<{result}>\n}}"
    case(f"stablehlo.{op}", label, text, inputs, **options)


def sizes(x: str, t: str, *dims: int) -> str:
    """`%n0`, `%n1`, …: sizes of `x` as vectors of one number."""
    return "\n".join(
        f"%s{k} = stablehlo.get_dimension_size {x}, dim = {d} : (tensor<{t}>) -> tensor<i32>\n"
        f"%n{k} = stablehlo.reshape %s{k} : (tensor<i32>) -> tensor<1xi32>"
        for k, d in enumerate(dims)
    )


def vector(*numbers: int) -> Inputs:
    return lambda rng: [np.array(numbers, np.int64)]


def together(*parts: Inputs) -> Inputs:
    return lambda rng: [x for part in parts for x in part(rng)]


# -- reshape -----------------------------------------------------------------------------------------------------------

one(
    "dynamic_reshape",
    "static",
    "%r = stablehlo.dynamic_reshape %x, %s : (tensor<6xf64>, tensor<2xi64>) -> tensor<2x3xf64>",
    "%x: tensor<6xf64>, %s: tensor<2xi64>",
    "2x3xf64",
    together(normal([6]), vector(2, 3)),
)
one(
    "dynamic_reshape",
    "open",
    sizes("%x", "?x2xf64", 0)
    + """
    %c = stablehlo.constant dense<2> : tensor<1xi32>
    %s = stablehlo.concatenate %c, %n0, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %r = stablehlo.dynamic_reshape %x, %s : (tensor<?x2xf64>, tensor<2xi32>) -> tensor<2x?xf64>""",
    "%x: tensor<?x2xf64>",
    "2x?xf64",
    normal([3, 2]),
)

# -- broadcast_in_dim --------------------------------------------------------------------------------------------------

one(
    "dynamic_broadcast_in_dim",
    "static",
    """%r = stablehlo.dynamic_broadcast_in_dim %x, %s, dims = [2, 0]
      : (tensor<3x1xf64>, tensor<3xi64>) -> tensor<2x2x3xf64>""",
    "%x: tensor<3x1xf64>, %s: tensor<3xi64>",
    "2x2x3xf64",
    together(normal([3, 1]), vector(2, 2, 3)),
)
for _label, _shape in {"repeats": [1, 3], "does not repeat": [2, 3]}.items():
    one(
        "dynamic_broadcast_in_dim",
        f"open, {_label}",
        sizes("%y", "?x?xf64", 0, 1)
        + """
        %c = stablehlo.constant dense<2> : tensor<1xi32>
        %s = stablehlo.concatenate %n1, %c, %n0, dim = 0
          : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
        %0 = stablehlo.dynamic_broadcast_in_dim %x, %s, dims = [2, 0]
          : (tensor<?x?xf64>, tensor<3xi32>) -> tensor<?x2x?xf64>
        %1 = stablehlo.dynamic_broadcast_in_dim %y, %s, dims = [2, 0] {
          known_nonexpanding_dimensions = array<i64: 0, 1>} : (tensor<?x?xf64>, tensor<3xi32>) -> tensor<?x2x?xf64>
        %r = stablehlo.multiply %0, %1 : tensor<?x2x?xf64>""",
        "%x: tensor<?x?xf64>, %y: tensor<?x?xf64>",
        "?x2x?xf64",
        normal(_shape, [2, 3]),
    )
one(
    "dynamic_broadcast_in_dim",
    "open, from static",
    sizes("%y", "?xf64", 0)
    + """
    %c = stablehlo.constant dense<2> : tensor<1xi32>
    %s = stablehlo.concatenate %n0, %c, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %r = stablehlo.dynamic_broadcast_in_dim %x, %s, dims = [0, 1] {known_expanding_dimensions = array<i64: 0>}
      : (tensor<1x2xf64>, tensor<2xi32>) -> tensor<?x2xf64>""",
    "%x: tensor<1x2xf64>, %y: tensor<?xf64>",
    "?x2xf64",
    normal([1, 2], [3]),
)

# -- iota and sizes ----------------------------------------------------------------------------------------------------

one(
    "dynamic_iota",
    "static",
    """%i = stablehlo.dynamic_iota %s, dim = 0 : (tensor<1xi64>) -> tensor<4xf64>
    %r = stablehlo.multiply %i, %x : tensor<4xf64>""",
    "%x: tensor<4xf64>, %s: tensor<1xi64>",
    "4xf64",
    together(normal([4]), vector(4)),
)
one(
    "dynamic_iota",
    "open",
    sizes("%x", "?xf64", 0)
    + """
    %i = stablehlo.dynamic_iota %n0, dim = 0 : (tensor<1xi32>) -> tensor<?xf64>
    %r = stablehlo.multiply %i, %x : tensor<?xf64>""",
    "%x: tensor<?xf64>",
    "?xf64",
    normal([4]),
)
one(
    "get_dimension_size",
    "",
    """%n = stablehlo.get_dimension_size %x, dim = 1 : (tensor<2x3xf64>) -> tensor<i32>
    %i = stablehlo.convert %n : (tensor<i32>) -> tensor<f64>
    %b = stablehlo.broadcast_in_dim %i, dims = [] : (tensor<f64>) -> tensor<2x3xf64>
    %r = stablehlo.multiply %b, %x : tensor<2x3xf64>""",
    "%x: tensor<2x3xf64>",
    "2x3xf64",
    normal([2, 3]),
)

# -- slice and pad -----------------------------------------------------------------------------------------------------

THREE = """%a = stablehlo.constant dense<{}> : tensor<{n}xi32>
    %b = stablehlo.constant dense<{}> : tensor<{n}xi32>
    %c = stablehlo.constant dense<{}> : tensor<{n}xi32>
    """
one(
    "real_dynamic_slice",
    "constant",
    THREE.format([1, 0], [6, 2], [2, 1], n=2)
    + """%r = stablehlo.real_dynamic_slice %x, %a, %b, %c
      : (tensor<6x2xf64>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>) -> tensor<3x2xf64>""",
    "%x: tensor<6x2xf64>",
    "3x2xf64",
    normal([6, 2]),
    backends=("xla",),  # the interpreter lacks the op
)
one(
    "real_dynamic_slice",
    "open",
    sizes("%x", "?x2xf64", 0)
    + """
    %z = stablehlo.constant dense<0> : tensor<1xi32>
    %o = stablehlo.constant dense<1> : tensor<1xi32>
    %t = stablehlo.constant dense<2> : tensor<1xi32>
    %a = stablehlo.concatenate %o, %z, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %b = stablehlo.concatenate %n0, %t, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %c = stablehlo.concatenate %t, %o, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %r = stablehlo.real_dynamic_slice %x, %a, %b, %c
      : (tensor<?x2xf64>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>) -> tensor<?x2xf64>""",
    "%x: tensor<?x2xf64>",
    "?x2xf64",
    normal([6, 2]),
)
one(
    "dynamic_pad",
    "constant",
    THREE.format([1, -1], [-2, 1], [1, 0], n=2)
    + """%r = stablehlo.dynamic_pad %x, %v, %a, %b, %c
      : (tensor<3x2xf64>, tensor<f64>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>) -> tensor<4x2xf64>""",
    "%x: tensor<3x2xf64>, %v: tensor<f64>",
    "4x2xf64",
    normal([3, 2], []),
)
one(
    "dynamic_pad",
    "at run time",
    """%r = stablehlo.dynamic_pad %x, %v, %a, %b, %c
      : (tensor<3x2xf64>, tensor<f64>, tensor<2xi64>, tensor<2xi64>, tensor<2xi64>) -> tensor<4x2xf64>""",
    "%x: tensor<3x2xf64>, %v: tensor<f64>, %a: tensor<2xi64>, %b: tensor<2xi64>, %c: tensor<2xi64>",
    "4x2xf64",
    together(normal([3, 2], []), vector(1, -1), vector(-2, 1), vector(1, 0)),
    backends=("reference",),  # XLA pads by constants only
)
one(
    "dynamic_pad",
    "open",
    sizes("%x", "?xcomplex<f64>", 0)
    + """
    %o = stablehlo.constant dense<-1> : tensor<1xi32>
    %t = stablehlo.constant dense<2> : tensor<1xi32>
    %r = stablehlo.dynamic_pad %x, %v, %n0, %o, %t
      : (tensor<?xcomplex<f64>>, tensor<complex<f64>>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>)
      -> tensor<?xcomplex<f64>>""",
    "%x: tensor<?xcomplex<f64>>, %v: tensor<complex<f64>>",
    "?xcomplex<f64>",
    complex_normal([3], []),
)

# -- gather ------------------------------------------------------------------------------------------------------------

ROWS = (
    "#stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0, 1], index_vector_dim = 1>"
)
one(
    "dynamic_gather",
    "static",
    f"""%r = "stablehlo.dynamic_gather"(%x, %i, %s) {{dimension_numbers = {ROWS}}}
      : (tensor<3x4xf64>, tensor<2x2xi32>, tensor<2xi64>) -> tensor<2x3xf64>""",
    "%x: tensor<3x4xf64>, %i: tensor<2x2xi32>, %s: tensor<2xi64>",
    "2x3xf64",
    together(normal([3, 4]), lambda rng: [rng.integers(-1, 4, (2, 2)).astype(np.int32)], vector(1, 3)),
    backends=("reference",),  # XLA gathers by constant sizes only
)
one(
    "dynamic_gather",
    "open",
    sizes("%x", "3x?xf64", 1)
    + f"""
    %o = stablehlo.constant dense<1> : tensor<1xi32>
    %m = stablehlo.subtract %n0, %o : tensor<1xi32>
    %s = stablehlo.concatenate %o, %m, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %r = "stablehlo.dynamic_gather"(%x, %i, %s) {{dimension_numbers = {ROWS}}}
      : (tensor<3x?xf64>, tensor<2x2xi32>, tensor<2xi32>) -> tensor<2x?xf64>""",
    "%x: tensor<3x?xf64>, %i: tensor<2x2xi32>",
    "2x?xf64",
    together(normal([3, 4]), lambda rng: [rng.integers(-1, 4, (2, 2)).astype(np.int32)]),
)

case(
    "stablehlo.set_dimension_size",
    "bounded",
    """
    func.func public @f(%x: tensor<2x4xf64>, %n: tensor<i32>) -> tensor<2xf64> {
      %0 = stablehlo.set_dimension_size %x, %n, dim = 1
        : (tensor<2x4xf64>, tensor<i32>) -> tensor<2x?xf64, #stablehlo.bounds<?, 4>>
      %1 = stablehlo.multiply %0, %0 : tensor<2x?xf64, #stablehlo.bounds<?, 4>>
      %z = stablehlo.constant dense<0.0> : tensor<f64>
      %2 = stablehlo.reduce(%1 init: %z) applies stablehlo.add across dimensions = [1]
        : (tensor<2x?xf64, #stablehlo.bounds<?, 4>>, tensor<f64>) -> tensor<2xf64>
      return %2 : tensor<2xf64>
    }""",
    lambda rng: [rng.normal(size=(2, 4)), np.array(rng.integers(1, 5), np.int32)],
    backends=("xla",),  # the interpreter has no sizes below a bound
    modes=("forward", "reverse"),  # a batch of different sizes has no type
)
case(
    "stablehlo.set_dimension_size",
    "bounded, the same for a whole batch",
    """
    func.func public @f(%x: tensor<2x4xf64>) -> tensor<2xf64> {
      %n = stablehlo.constant dense<3> : tensor<i32>
      %0 = stablehlo.set_dimension_size %x, %n, dim = 1
        : (tensor<2x4xf64>, tensor<i32>) -> tensor<2x?xf64, #stablehlo.bounds<?, 4>>
      %1 = stablehlo.multiply %0, %0 : tensor<2x?xf64, #stablehlo.bounds<?, 4>>
      %z = stablehlo.constant dense<0.0> : tensor<f64>
      %2 = stablehlo.reduce(%1 init: %z) applies stablehlo.add across dimensions = [1]
        : (tensor<2x?xf64, #stablehlo.bounds<?, 4>>, tensor<f64>) -> tensor<2xf64>
      return %2 : tensor<2xf64>
    }""",
    normal([2, 4]),
    backends=("xla",),
)

# -- open shapes of ops whose shapes are not operands ------------------------------------------------------------------

one(
    "gather",
    "open",
    """%r = "stablehlo.gather"(%x, %i) {
      dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0],
        index_vector_dim = 1>, slice_sizes = array<i64: 1, 2>
    } : (tensor<?x2xf64>, tensor<?x1xi32>) -> tensor<?x2xf64>""",
    "%x: tensor<?x2xf64>, %i: tensor<?x1xi32>",
    "?x2xf64",
    together(normal([4, 2]), lambda rng: [rng.integers(-1, 6, (5, 1)).astype(np.int32)]),
)
for _label, _body, _unique in [
    ("add", "%c = stablehlo.add %a, %b : tensor<f64>\n stablehlo.return %c : tensor<f64>", False),
    ("maximum", "%c = stablehlo.maximum %a, %b : tensor<f64>\n stablehlo.return %c : tensor<f64>", False),
    ("set, unique", "stablehlo.return %b : tensor<f64>", True),
]:
    one(
        "scatter",
        f"{_label}, open",
        f"""%r = "stablehlo.scatter"(%x, %i, %u) ({{
        ^bb0(%a: tensor<f64>, %b: tensor<f64>):
          {_body}
        }}) {{
          scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0],
            index_vector_dim = 1>, unique_indices = {str(_unique).lower()}
        }} : (tensor<?xf64>, tensor<?x1xi32>, tensor<?xf64>) -> tensor<?xf64>""",
        "%x: tensor<?xf64>, %i: tensor<?x1xi32>, %u: tensor<?xf64>",
        "?xf64",
        lambda rng, unique=_unique: [
            rng.normal(size=4),
            (rng.permutation(6)[:5] if unique else rng.integers(-1, 6, 5)).astype(np.int32)[:, None],
            rng.normal(size=5),
        ],
    )
