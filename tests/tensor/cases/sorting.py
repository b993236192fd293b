"""Sorting, and what is made of it."""

from __future__ import annotations

import numpy as np

from cases import Inputs, case, normal


def ordered(*shape: int) -> Inputs:
    """Random numbers that keep their distance, so that no difference changes their order."""
    return lambda rng: [(rng.permutation(np.prod(shape)).reshape(shape) + rng.uniform(-0.3, 0.3, shape)) / 3]


LESS = "%p = stablehlo.compare LT, %a, %b : (tensor<f64>, tensor<f64>) -> tensor<i1>\n stablehlo.return %p : tensor<i1>"

case(
    "stablehlo.sort",
    "one operand",
    f"""
    func.func public @f(%x: tensor<3x5xf64>) -> tensor<3x5xf64> {{
      %0 = "stablehlo.sort"(%x) ({{
      ^bb0(%a: tensor<f64>, %b: tensor<f64>):
        {LESS}
      }}) {{dimension = 1 : i64, is_stable = true}} : (tensor<3x5xf64>) -> tensor<3x5xf64>
      return %0 : tensor<3x5xf64>
    }}""",
    ordered(3, 5),
)
case(
    "stablehlo.sort",
    "first dimension, counted from the end, descending",
    f"""
    func.func public @f(%x: tensor<4x3xf64>) -> tensor<4x3xf64> {{
      %0 = "stablehlo.sort"(%x) ({{
      ^bb0(%a: tensor<f64>, %b: tensor<f64>):
        {LESS.replace("LT", "GT")}
      }}) {{dimension = -2 : i64, is_stable = false}} : (tensor<4x3xf64>) -> tensor<4x3xf64>
      return %0 : tensor<4x3xf64>
    }}""",
    ordered(4, 3),
)
case(
    "stablehlo.sort",
    "keys, values and integers",
    """
    func.func public @f(%x: tensor<2x4xf64>, %y: tensor<2x4xcomplex<f64>>, %k: tensor<2x4xi32>)
        -> (tensor<2x4xf64>, tensor<2x4xcomplex<f64>>, tensor<2x4xi32>) {
      %0:3 = "stablehlo.sort"(%x, %y, %k) ({
      ^bb0(%a: tensor<f64>, %b: tensor<f64>, %c: tensor<complex<f64>>, %d: tensor<complex<f64>>, %i: tensor<i32>,
           %j: tensor<i32>):
        %p = stablehlo.compare LT, %i, %j : (tensor<i32>, tensor<i32>) -> tensor<i1>
        %q = stablehlo.compare EQ, %i, %j : (tensor<i32>, tensor<i32>) -> tensor<i1>
        %r = stablehlo.compare GT, %a, %b : (tensor<f64>, tensor<f64>) -> tensor<i1>
        %s = stablehlo.and %q, %r : tensor<i1>
        %t = stablehlo.or %p, %s : tensor<i1>
        stablehlo.return %t : tensor<i1>
      }) {dimension = 1 : i64, is_stable = true} : (tensor<2x4xf64>, tensor<2x4xcomplex<f64>>, tensor<2x4xi32>)
        -> (tensor<2x4xf64>, tensor<2x4xcomplex<f64>>, tensor<2x4xi32>)
      return %0#0, %0#1, %0#2 : tensor<2x4xf64>, tensor<2x4xcomplex<f64>>, tensor<2x4xi32>
    }""",
    lambda rng: [
        *ordered(2, 4)(rng),
        rng.normal(size=(2, 4)) + 1j * rng.normal(size=(2, 4)),
        rng.integers(0, 3, (2, 4)).astype(np.int32),
    ],
)
case(
    "stablehlo.sort",
    "with its permutation",
    """
    func.func public @f(%x: tensor<5xf64>, %y: tensor<5xf64>) -> (tensor<5xf64>, tensor<5xf64>, tensor<5xi64>) {
      %n = stablehlo.iota dim = 0 : tensor<5xi64>
      %0:3 = "stablehlo.sort"(%x, %n, %y) ({
      ^bb0(%a: tensor<f64>, %b: tensor<f64>, %c: tensor<i64>, %d: tensor<i64>, %g: tensor<f64>, %h: tensor<f64>):
        %p = stablehlo.compare LT, %a, %b : (tensor<f64>, tensor<f64>) -> tensor<i1>
        stablehlo.return %p : tensor<i1>
      }) {dimension = 0 : i64} : (tensor<5xf64>, tensor<5xi64>, tensor<5xf64>)
        -> (tensor<5xf64>, tensor<5xi64>, tensor<5xf64>)
      return %0#0, %0#2, %0#1 : tensor<5xf64>, tensor<5xf64>, tensor<5xi64>
    }""",
    lambda rng: [*ordered(5)(rng), *normal([5])(rng)],
)
case(
    "stablehlo.sort",
    "nothing",
    f"""
    func.func public @f(%x: tensor<2x0xf64>, %y: tensor<1xf64>) -> (tensor<2x0xf64>, tensor<1xf64>) {{
      %0 = "stablehlo.sort"(%x) ({{
      ^bb0(%a: tensor<f64>, %b: tensor<f64>):
        {LESS}
      }}) {{dimension = 1 : i64}} : (tensor<2x0xf64>) -> tensor<2x0xf64>
      %1 = "stablehlo.sort"(%y) ({{
      ^bb0(%a: tensor<f64>, %b: tensor<f64>):
        {LESS}
      }}) {{dimension = 0 : i64}} : (tensor<1xf64>) -> tensor<1xf64>
      return %0, %1 : tensor<2x0xf64>, tensor<1xf64>
    }}""",
    normal([2, 0], [1]),
)

TOP_K = """
    func.func public @f(%x: tensor<2x6xf64>) -> (tensor<2x3xf64>, tensor<2x3xi32>) {{
      %0:2 = {op}
      return %0#0, %0#1 : tensor<2x3xf64>, tensor<2x3xi32>
    }}"""
case(
    "chlo.top_k",
    "",
    TOP_K.format(op="chlo.top_k(%x, k = 3) : tensor<2x6xf64> -> (tensor<2x3xf64>, tensor<2x3xi32>)"),
    ordered(2, 6),
)
case(
    "custom_call @mhlo.topk",
    "",
    TOP_K.format(
        op="stablehlo.custom_call @mhlo.topk(%x) "
        "{mhlo.attributes = {k = 3 : i64, largest = true}, mhlo.version = 1 : i64} "
        ": (tensor<2x6xf64>) -> (tensor<2x3xf64>, tensor<2x3xi32>)"
    ),
    ordered(2, 6),
    backends=("xla",),  # the interpreter has no custom calls
)
APPROXIMATE = """
    func.func private @greater(%a: tensor<f64>, %b: tensor<f64>, %i: tensor<i32>, %j: tensor<i32>) -> tensor<i1> {{
      %p = stablehlo.compare GT, %a, %b : (tensor<f64>, tensor<f64>) -> tensor<i1>
      return %p : tensor<i1>
    }}
    func.func public @f(%x: tensor<6x2xf64>) -> (tensor<3x2xf64>, tensor<3x2xi32>) {{
      %n = stablehlo.iota dim = 0 : tensor<6x2xi32>
      %c = stablehlo.constant dense<-1> : tensor<i32>
      %z = stablehlo.constant dense<0xFFF0000000000000> : tensor<f64>
      %0:2 = stablehlo.custom_call @ApproxTopK(%x, %n, %z, %c) {{
        backend_config = "", called_computations = [@greater], mhlo.backend_config = {{aggregate_to_topk = true,
          is_fallback = true, recall_target = 0.95 : f32, reduction_dim = 0 : i64,
          reduction_input_size_override = -1 : i64, top_k = 3 : i64}}
      }} : (tensor<6x2xf64>, tensor<6x2xi32>, tensor<f64>, tensor<i32>) -> (tensor<3x2xf64>, tensor<3x2xi32>)
      return %0#0, %0#1 : tensor<3x2xf64>, tensor<3x2xi32>
    }}"""
case("custom_call @ApproxTopK", "", APPROXIMATE.format(), ordered(6, 2), backends=("xla",))  # as above
