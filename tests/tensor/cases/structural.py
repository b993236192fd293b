"""Ops that move elements about."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from cases import Inputs, case, complex_normal, normal


def one(op: str, label: str, attributes: str, operands: Sequence[str], result: str, inputs: Inputs) -> None:
    """A program of one op, with these attributes; types are written `2x3xf64`."""
    names = [f"%{n}" for n, _ in zip("xyz", operands, strict=False)]
    types = [f"tensor<{t}>" for t in operands]
    arguments = ", ".join(f"{n}: {t}" for n, t in zip(names, types, strict=True))
    text = f"""
    func.func public @f({arguments}) -> tensor<{result}> {{
      %r = "stablehlo.{op}"({", ".join(names)}) {{{attributes}}} : ({", ".join(types)}) -> tensor<{result}>
      return %r : tensor<{result}>
    }}"""
    case(f"stablehlo.{op}", label, text, inputs)


def array(name: str, *numbers: int) -> str:
    values = ": " + ", ".join(map(str, numbers)) if numbers else ""
    return f"{name} = array<i64{values}>"


# -- shape -------------------------------------------------------------------------------------------------------------

one("reshape", "", "", ["2x6xf64"], "3x4xf64", normal([2, 6]))
one("reshape", "to a scalar", "", ["1x1xf64"], "f64", normal([1, 1]))
one("reshape", "empty", "", ["0x3xf64"], "2x0xf64", normal([0, 3]))
one("transpose", "", array("permutation", 1, 2, 0), ["2x3x2xf64"], "3x2x2xf64", normal([2, 3, 2]))
one(
    "transpose", "complex", array("permutation", 1, 0), ["2x3xcomplex<f64>"], "3x2xcomplex<f64>", complex_normal([2, 3])
)
one("reverse", "", array("dimensions", 0, 2), ["2x3x2xf64"], "2x3x2xf64", normal([2, 3, 2]))
one("reverse", "no dimension", array("dimensions"), ["3xf64"], "3xf64", normal([3]))

# -- broadcast ---------------------------------------------------------------------------------------------------------

one(
    "broadcast_in_dim",
    "new dimensions, and one of size 1, in another order",
    array("broadcast_dimensions", 2, 0, 3),
    ["3x2x1xf64"],
    "2x2x3x2xf64",
    normal([3, 2, 1]),
)
one("broadcast_in_dim", "scalar", array("broadcast_dimensions"), ["f64"], "2x3xf64", normal([]))
one("broadcast_in_dim", "to nothing", array("broadcast_dimensions", 1), ["1xf64"], "2x0xf64", normal([1]))
one("broadcast", "", array("broadcast_sizes", 2, 1), ["3xf64"], "2x1x3xf64", normal([3]))

# -- parts -------------------------------------------------------------------------------------------------------------


def slice_(*dims: tuple[int, int, int]) -> str:
    start, limit, strides = zip(*dims, strict=True)
    return ", ".join([array("start_indices", *start), array("limit_indices", *limit), array("strides", *strides)])


one("slice", "", slice_((1, 3, 1), (0, 2, 1)), ["4x3xf64"], "2x2xf64", normal([4, 3]))
one("slice", "strides", slice_((1, 7, 3), (2, 3, 1)), ["7x3xf64"], "2x1xf64", normal([7, 3]))
one("slice", "empty", slice_((2, 2, 2)), ["4xf64"], "0xf64", normal([4]))
case(
    "stablehlo.slice",
    "pieces of one value",
    """
    func.func public @f(%x: tensor<6xf64>) -> tensor<2xf64> {
      %0 = stablehlo.slice %x [0:2] : (tensor<6xf64>) -> tensor<2xf64>
      %1 = stablehlo.slice %x [3:5] : (tensor<6xf64>) -> tensor<2xf64>
      %2 = stablehlo.slice %x [1:6:3] : (tensor<6xf64>) -> tensor<2xf64>
      %3 = stablehlo.multiply %0, %1 : tensor<2xf64>
      %4 = stablehlo.multiply %3, %2 : tensor<2xf64>
      return %4 : tensor<2xf64>
    }""",
    normal([6]),
)
one(
    "concatenate",
    "three, one of them empty",
    "dimension = 1 : i64",
    ["2x1xf64", "2x0xf64", "2x2xf64"],
    "2x3xf64",
    normal([2, 1], [2, 0], [2, 2]),
)
case(
    "stablehlo.concatenate",
    "one value twice, with a constant, complex",
    """
    func.func public @f(%x: tensor<2xcomplex<f64>>) -> tensor<5xcomplex<f64>> {
      %c = stablehlo.constant dense<(1.0, 2.0)> : tensor<1xcomplex<f64>>
      %0 = "stablehlo.concatenate"(%x, %c, %x) {dimension = 0 : i64}
        : (tensor<2xcomplex<f64>>, tensor<1xcomplex<f64>>, tensor<2xcomplex<f64>>) -> tensor<5xcomplex<f64>>
      return %0 : tensor<5xcomplex<f64>>
    }""",
    complex_normal([2]),
)

# -- pad ---------------------------------------------------------------------------------------------------------------


def pad(label: str, operand: str, result: str, dims: Sequence[tuple[int, int, int]], inputs: Inputs) -> None:
    """Each dimension is padded low, high and between."""
    low, high, interior = zip(*dims, strict=True) if dims else ((), (), ())
    names = "edge_padding_low", "edge_padding_high", "interior_padding"
    attributes = ", ".join(array(name, *ns) for name, ns in zip(names, (low, high, interior), strict=True))
    one("pad", label, attributes, [operand, "complex<f64>" if "complex" in operand else "f64"], result, inputs)


pad("edges and between", "2x3xf64", "4x8xf64", [(1, 1, 0), (0, 1, 2)], normal([2, 3], []))
pad("cut", "5x2xf64", "2x4xf64", [(-1, -2, 0), (2, 0, 0)], normal([5, 2], []))
pad("cut between", "4xf64", "6xf64", [(-1, -3, 2)], normal([4], []))
pad("cut away and padded", "3xf64", "1xf64", [(-5, 3, 0)], normal([3], []))
pad("nothing", "0xf64", "3xf64", [(1, 2, 0)], normal([0], []))
pad("complex", "2xcomplex<f64>", "4xcomplex<f64>", [(1, 0, 1)], complex_normal([2], []))
pad("scalar", "f64", "f64", [], normal([], []))

# -- without operands --------------------------------------------------------------------------------------------------

case(
    "stablehlo.iota",
    "",
    """
    func.func public @f(%x: tensor<2x3xf64>) -> tensor<2x3xf64> {
      %i = stablehlo.iota dim = 1 : tensor<2x3xf64>
      %0 = stablehlo.multiply %x, %i : tensor<2x3xf64>
      return %0 : tensor<2x3xf64>
    }""",
    normal([2, 3]),
)
case(
    "stablehlo.constant",
    "",
    """
    func.func public @f(%x: tensor<2xf64>) -> (tensor<2xf64>, tensor<2xf64>) {
      %c = stablehlo.constant dense<[2.0, -1.0]> : tensor<2xf64>
      %0 = stablehlo.multiply %x, %c : tensor<2xf64>
      return %0, %c : tensor<2xf64>, tensor<2xf64>
    }""",
    normal([2]),
)

for _label, _batch, _indices, _result in [("", 0, (2, 2), "2x2x2x2xf64"), ("batch dimension", 1, (2, 3), "2x3x2xf64")]:
    one(
        "torch_index_select",
        _label,
        f"dim = 1 : i64, batch_dims = {_batch} : i64",
        ["2x4x2xf64", f"{_indices[0]}x{_indices[1]}xi32"],
        _result,
        lambda rng, shape=_indices: [rng.normal(size=(2, 4, 2)), rng.integers(0, 4, shape).astype(np.int32)],
    )
