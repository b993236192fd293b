"""Reading and writing at computed places."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from cases import CASES, Case, Inputs, case


def mixed(*specs: tuple[str, Sequence[int]] | tuple[str, Sequence[int], int, int]) -> Inputs:
    """Arguments of any kind: `("f64", shape)`, `("c128", shape)`, or `("i32", shape, low, high)` (without high)."""

    def draw(rng: np.random.Generator) -> list[np.ndarray]:
        out = []
        for kind, shape, *bounds in specs:
            if bounds:
                dtype = {"i": "int", "u": "uint"}[kind[0]] + kind[1:]
                out.append(rng.integers(*bounds, size=tuple(shape)).astype(dtype))
            else:
                x = rng.normal(size=tuple(shape))
                out.append(x + 1j * rng.normal(size=tuple(shape)) if kind == "c128" else x)
        return out

    return draw


# -- gather ------------------------------------------------------------------------------------------------------------


def gather(
    label: str, operand: str, indices: str, result: str, dims: str, sizes: str, inputs: Inputs, extra: str = ""
) -> Case:
    text = f"""
    func.func public @f(%x: tensor<{operand}>, %i: tensor<{indices}>) -> tensor<{result}> {{
      %0 = "stablehlo.gather"(%x, %i) {{
        dimension_numbers = #stablehlo.gather<{dims}>, slice_sizes = array<i64: {sizes}>{extra}
      }} : (tensor<{operand}>, tensor<{indices}>) -> tensor<{result}>
      return %0 : tensor<{result}>
    }}"""
    return case("stablehlo.gather", label, text, inputs)


ROWS = "offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1"
gather(
    "rows, with duplicates",
    "4x3xf64",
    "6x1xi32",
    "6x3xf64",
    ROWS,
    "1, 3",
    mixed(("f64", [4, 3]), ("i32", [6, 1], 0, 4)),
)
gather(
    "rows, out of range",
    "4x3xf64",
    "5x1xi64",
    "5x3xf64",
    ROWS,
    "1, 3",
    mixed(("f64", [4, 3]), ("i64", [5, 1], -9, 9)),
)
gather(
    "index without a dimension of components",
    "5xf64",
    "2x3xui32",
    "2x3xf64",
    "collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2",
    "1",
    mixed(("f64", [5]), ("u32", [2, 3], 0, 7)),
)
gather(
    "windows, out of range",
    "4x5xf64",
    "2x3xi32",
    "2x3x3xf64",
    "offset_dims = [0, 2], start_index_map = [1, 0], index_vector_dim = 0",
    "2, 3",
    mixed(("f64", [4, 5]), ("i32", [2, 3], -2, 6)),
)
gather(
    "batching dimensions",
    "2x4x3xf64",
    "5x2x1xi32",
    "5x2x3xf64",
    "offset_dims = [2], collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [1], "
    "start_index_map = [1], index_vector_dim = 2",
    "1, 1, 3",
    mixed(("f64", [2, 4, 3]), ("i32", [5, 2, 1], 0, 4)),
)
gather(
    "one index",
    "4x3xf64",
    "2xi32",
    "2x2xf64",
    "offset_dims = [0, 1], start_index_map = [0, 1], index_vector_dim = 0",
    "2, 2",
    mixed(("f64", [4, 3]), ("i32", [2], 0, 2)),
)
gather(
    "complex",
    "4x3xcomplex<f64>",
    "2x1xi32",
    "2x3xcomplex<f64>",
    ROWS,
    "1, 3",
    mixed(("c128", [4, 3]), ("i32", [2, 1], 0, 4)),
)
gather("no indices", "4x3xf64", "0x1xi32", "0x3xf64", ROWS, "1, 3", mixed(("f64", [4, 3]), ("i32", [0, 1], 0, 4)))
case(
    "stablehlo.gather",
    "sorted indices that are seen to be in range",
    """
    func.func public @f(%x: tensor<4x3xf64>) -> tensor<3xf64> {
      %i = stablehlo.constant dense<[[0, 2], [1, 1], [3, 0]]> : tensor<3x2xi32>
      %0 = "stablehlo.gather"(%x, %i) {
        dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0, 1], start_index_map = [0, 1],
          index_vector_dim = 1>, slice_sizes = array<i64: 1, 1>, indices_are_sorted = true
      } : (tensor<4x3xf64>, tensor<3x2xi32>) -> tensor<3xf64>
      return %0 : tensor<3xf64>
    }""",
    mixed(("f64", [4, 3])),
)
gather(
    "sorted indices",
    "5x2xf64",
    "4x1xi32",
    "4x2xf64",
    ROWS,
    "1, 2",
    lambda rng: [rng.normal(size=(5, 2)), np.sort(rng.integers(-1, 7, size=(4, 1)).astype(np.int32), axis=0)],
    ", indices_are_sorted = true",
)

# -- dynamic slices ----------------------------------------------------------------------------------------------------

case(
    "stablehlo.dynamic_slice",
    "out of range",
    """
    func.func public @f(%x: tensor<4x5xf64>, %i: tensor<i32>, %j: tensor<i32>) -> tensor<2x3xf64> {
      %0 = stablehlo.dynamic_slice %x, %i, %j, sizes = [2, 3]
        : (tensor<4x5xf64>, tensor<i32>, tensor<i32>) -> tensor<2x3xf64>
      return %0 : tensor<2x3xf64>
    }""",
    mixed(("f64", [4, 5]), ("i32", [], -2, 5), ("i32", [], -2, 5)),
)
case(
    "stablehlo.dynamic_slice",
    "twice from one value",
    """
    func.func public @f(%x: tensor<6xcomplex<f64>>, %i: tensor<ui8>, %j: tensor<ui8>) -> tensor<3xcomplex<f64>> {
      %0 = stablehlo.dynamic_slice %x, %i, sizes = [3] : (tensor<6xcomplex<f64>>, tensor<ui8>) -> tensor<3xcomplex<f64>>
      %1 = stablehlo.dynamic_slice %x, %j, sizes = [3] : (tensor<6xcomplex<f64>>, tensor<ui8>) -> tensor<3xcomplex<f64>>
      %2 = stablehlo.multiply %0, %1 : tensor<3xcomplex<f64>>
      return %2 : tensor<3xcomplex<f64>>
    }""",
    mixed(("c128", [6]), ("u8", [], 0, 9), ("u8", [], 0, 4)),
)
case(
    "stablehlo.dynamic_update_slice",
    "out of range",
    """
    func.func public @f(%x: tensor<4x5xf64>, %u: tensor<2x3xf64>, %i: tensor<i32>, %j: tensor<i32>) -> tensor<4x5xf64> {
      %0 = stablehlo.dynamic_update_slice %x, %u, %i, %j
        : (tensor<4x5xf64>, tensor<2x3xf64>, tensor<i32>, tensor<i32>) -> tensor<4x5xf64>
      return %0 : tensor<4x5xf64>
    }""",
    mixed(("f64", [4, 5]), ("f64", [2, 3]), ("i32", [], -2, 5), ("i32", [], -2, 5)),
)
case(
    "stablehlo.dynamic_update_slice",
    "into a constant",
    """
    func.func public @f(%u: tensor<2xf64>, %i: tensor<i64>) -> tensor<5xf64> {
      %x = stablehlo.constant dense<1.0> : tensor<5xf64>
      %0 = stablehlo.dynamic_update_slice %x, %u, %i : (tensor<5xf64>, tensor<2xf64>, tensor<i64>) -> tensor<5xf64>
      return %0 : tensor<5xf64>
    }""",
    mixed(("f64", [2]), ("i64", [], 0, 4)),
)

# -- scatter -----------------------------------------------------------------------------------------------------------

ROW_UPDATES = (
    "update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1"
)


def scatter(
    label: str, operand: str, indices: str, updates: str, dims: str, body: str, inputs: Inputs, unique: bool = False
) -> Case:
    """`body` is the computation of `%a` (old) and `%b` (update), scalars of type `T`, which gives `%c`."""
    scalar = f"tensor<{operand.split('x', operand.count('x') - operand.count('complex'))[-1]}>"
    text = f"""
    func.func public @f(%x: tensor<{operand}>, %i: tensor<{indices}>, %u: tensor<{updates}>) -> tensor<{operand}> {{
      %0 = "stablehlo.scatter"(%x, %i, %u) ({{
      ^bb0(%a: {scalar}, %b: {scalar}):
        {body.replace("T", scalar)}
      }}) {{
        scatter_dimension_numbers = #stablehlo.scatter<{dims}>, unique_indices = {str(unique).lower()}
      }} : (tensor<{operand}>, tensor<{indices}>, tensor<{updates}>) -> tensor<{operand}>
      return %0 : tensor<{operand}>
    }}"""
    return case("stablehlo.scatter", label, text, inputs)


def binary(name: str, operands: str = "%a, %b") -> str:
    return f"%c = stablehlo.{name} {operands} : T\n stablehlo.return %c : T"


SET = "stablehlo.return %b : T"
KEEP = "stablehlo.return %a : T"
OTHER = """%d = stablehlo.sine %a : T
        %e = stablehlo.multiply %d, %b : T
        %c = stablehlo.add %e, %a : T
        stablehlo.return %c : T"""
APPLY = """%k = stablehlo.constant dense<3.0> : T
        %d = stablehlo.multiply %a, %a : T
        %c = stablehlo.multiply %d, %k : T
        stablehlo.return %c : T"""


def distinct(rng: np.random.Generator) -> np.ndarray:
    return rng.permutation(5)[:3, None].astype(np.int32)


ROWS_OF_4 = mixed(("f64", [4, 2]), ("i32", [6, 1], -1, 5), ("f64", [6, 2]))  # with duplicates, and some dropped


def unique_rows(rng: np.random.Generator) -> list[np.ndarray]:
    """One row may be dropped."""
    return [rng.normal(size=(4, 2)), distinct(rng), rng.normal(size=(3, 2))]


for _name, _body in {
    "add": binary("add"),
    "add, update first": binary("add", "%b, %a"),
    "subtract": binary("subtract"),
    "subtract from update": binary("subtract", "%b, %a"),
    "multiply": binary("multiply"),
    "maximum": binary("maximum"),
    "minimum": binary("minimum", "%b, %a"),
    "set": SET,
    "keep": KEEP,
    "other": OTHER,
    "apply": APPLY,
}.items():
    if _name != "set":  # which of several updates is written is the back end's choice, and it is the last on both
        scatter(f"{_name}, with duplicates", "4x2xf64", "6x1xi32", "6x2xf64", ROW_UPDATES, _body, ROWS_OF_4)
    scatter(f"{_name}, unique", "4x2xf64", "3x1xi32", "3x2xf64", ROW_UPDATES, _body, unique_rows, unique=True)

scatter("set, with duplicates", "4x2xf64", "6x1xi32", "6x2xf64", ROW_UPDATES, SET, ROWS_OF_4)

WINDOWS = "update_window_dims = [1, 2], scatter_dims_to_operand_dims = [1, 0], index_vector_dim = 0"
WINDOWS_INSIDE = mixed(("f64", [3, 4]), ("i64", [2, 3], 0, 2), ("f64", [3, 2, 2]))
EVERY = {
    "add": binary("add"),
    "set": SET,
    "multiply": binary("multiply"),
    "maximum": binary("maximum"),
    "other": OTHER,
}
for _name, _body in EVERY.items():
    scatter(f"{_name}, windows that overlap", "3x4xf64", "2x3xi64", "3x2x2xf64", WINDOWS, _body, WINDOWS_INSIDE)

# A window that is partly outside: the interpreter drops elements, XLA whole windows.


def sticking_out(rng: np.random.Generator) -> list[np.ndarray]:
    return [rng.normal(size=5), np.array([[-1], [4], [2], [7]], np.int32), rng.normal(size=(4, 2))]


for _name, _body in EVERY.items():
    _dims = "update_window_dims = [1], scatter_dims_to_operand_dims = [0], index_vector_dim = 1"
    for _backend in ("reference", "xla"):
        _label = f"{_name}, windows partly outside on {_backend}"
        _case = scatter(_label, "5xf64", "4x1xi32", "4x2xf64", _dims, _body, sticking_out)
        CASES[-1] = replace(_case, backends=(_backend,))

BATCHING = (
    "update_window_dims = [2], inserted_window_dims = [1], input_batching_dims = [0], "
    "scatter_indices_batching_dims = [1], scatter_dims_to_operand_dims = [1], index_vector_dim = 2"
)
IN_BATCHES = mixed(("f64", [2, 3, 2]), ("i32", [3, 2, 1], -1, 4), ("f64", [3, 2, 2]))
for _name, _body in {"add": binary("add"), "set": SET, "multiply": binary("multiply"), "other": OTHER}.items():
    scatter(f"{_name}, batching dimensions", "2x3x2xf64", "3x2x1xi32", "3x2x2xf64", BATCHING, _body, IN_BATCHES)

for _name, _body in {"add": binary("add"), "set": SET, "multiply": binary("multiply"), "other": OTHER}.items():
    scatter(
        f"{_name}, complex",
        "4xcomplex<f64>",
        "4xi32",
        "4xcomplex<f64>",
        "inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1",
        _body,
        mixed(("c128", [4]), ("i32", [4], 0, 3), ("c128", [4])),
    )

scatter(
    "multiply, several zeros in one place",
    "2xf64",
    "4xi32",
    "4xf64",
    "inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1",
    binary("multiply"),
    lambda rng: [rng.normal(size=2), np.array([0, 0, 0, 1], np.int32), np.array([0.0, 2.0, 0.0, 0.0])],
)
NO_UPDATES = mixed(("f64", [4, 2]), ("i32", [0, 1], 0, 1), ("f64", [0, 2]))
for _name in ("add", "other"):
    scatter(f"{_name}, no updates", "4x2xf64", "0x1xi32", "0x2xf64", ROW_UPDATES, EVERY[_name], NO_UPDATES)
scatter(
    "set, one scalar",
    "f64",
    "0xi32",
    "f64",
    "index_vector_dim = 0",
    SET,
    mixed(("f64", []), ("i32", [0], 0, 1), ("f64", [])),
)

SEVERAL = """
    func.func public @f(%x: tensor<4xf64>, %y: tensor<4xf64>, %i: tensor<5x1xi32>, %u: tensor<5xf64>,
        %v: tensor<5xf64>) -> (tensor<4xf64>, tensor<4xf64>) {{
      {constant}
      %0:2 = "stablehlo.scatter"(%x, %y, %i, %u, %v) ({{
      ^bb0(%a: tensor<f64>, %b: tensor<f64>, %c: tensor<f64>, %d: tensor<f64>):
        {body}
      }}) {{
        scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0],
          index_vector_dim = 1>
      }} : (tensor<4xf64>, tensor<4xf64>, tensor<5x1xi32>, tensor<5xf64>, tensor<5xf64>)
        -> (tensor<4xf64>, tensor<4xf64>)
      return %0#0, %0#1 : tensor<4xf64>, tensor<4xf64>
    }}"""
SEVERAL_IN = mixed(("f64", [4]), ("f64", [4]), ("i32", [5, 1], -1, 5), ("f64", [5]), ("f64", [5]))
for _name, _body in {
    "each by itself": """%e = stablehlo.add %a, %c : tensor<f64>
        %g = stablehlo.maximum %b, %d : tensor<f64>
        stablehlo.return %e, %g : tensor<f64>, tensor<f64>""",
    "add and set": """%e = stablehlo.add %a, %c : tensor<f64>
        stablehlo.return %e, %d : tensor<f64>, tensor<f64>""",
    "together": """%e = stablehlo.multiply %b, %c : tensor<f64>
        %g = stablehlo.add %a, %d : tensor<f64>
        stablehlo.return %e, %g : tensor<f64>, tensor<f64>""",
    "with the greater": """%p = stablehlo.compare GT, %a, %c : (tensor<f64>, tensor<f64>) -> tensor<i1>
        %e = stablehlo.select %p, %a, %c : tensor<i1>, tensor<f64>
        %g = stablehlo.select %p, %b, %d : tensor<i1>, tensor<f64>
        stablehlo.return %e, %g : tensor<f64>, tensor<f64>""",
}.items():
    case("stablehlo.scatter", f"two inputs, {_name}", SEVERAL.format(body=_body, constant=""), SEVERAL_IN)
case(
    "stablehlo.scatter",
    "a constant from outside the computation",
    SEVERAL.format(
        constant="%k = stablehlo.constant dense<0.5> : tensor<f64>",
        body="""%e = stablehlo.multiply %a, %k : tensor<f64>
        %g = stablehlo.add %e, %c : tensor<f64>
        stablehlo.return %g, %d : tensor<f64>, tensor<f64>""",
    ),
    SEVERAL_IN,
    backends=("reference",),  # XLA takes no constant from outside a computation
)
