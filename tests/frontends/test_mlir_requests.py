"""Requests of the `enzyme` dialect in MLIR's own dialects: every kind of value, nested, in bodies, in batches."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest

import gradir
from gradir.mixed import MixedModule

pytest.importorskip("torch_mlir")


def load(text: str) -> Any:
    """Load a program whose activities are written `[dup, active]`."""
    spelt = re.sub(
        r"(activity = )\[([\w, ]*)\]",
        lambda m: f"{m[1]}[{', '.join(f'#enzyme<activity enzyme_{a}>' for a in re.findall(r'[a-z]+', m[2]))}]",
        text,
    )
    return gradir.load(spelt)


def test_derivative_of_a_derivative() -> None:
    m = load(
        """
func.func private @cube(%x: f64) -> f64 {
  %a = arith.mulf %x, %x : f64
  %b = arith.mulf %a, %x : f64
  return %b : f64
}
func.func private @d(%x: f64) -> f64 {
  %one = arith.constant 1.0 : f64
  %r = enzyme.autodiff @cube(%x, %one) {activity = [active], ret_activity = [activenoneed]} : (f64, f64) -> f64
  return %r : f64
}
func.func @dd(%x: f64) -> f64 {
  %one = arith.constant 1.0 : f64
  %r = enzyme.fwddiff @d(%x, %one) {activity = [dup], ret_activity = [dupnoneed]} : (f64, f64) -> f64
  return %r : f64
}
"""
    )
    assert m.dd(2.0) == 12.0


def test_vectors_and_complex_numbers() -> None:
    """The gradient of a real number by a complex one has both partial derivatives."""
    m = load(
        """
func.func private @f(%x: vector<4xf64>, %z: complex<f64>) -> (vector<4xf64>, f64) {
  %a = arith.mulf %x, %x : vector<4xf64>
  %n = complex.abs %z : complex<f64>
  return %a, %n : vector<4xf64>, f64
}
func.func @g(%m: memref<4xf64>, %re: f64, %im: f64) -> (f64, f64) {
  %c0 = arith.constant 0 : index
  %one = arith.constant 1.0 : f64
  %x = vector.load %m[%c0] : memref<4xf64>, vector<4xf64>
  %z = complex.create %re, %im : complex<f64>
  %r:2 = enzyme.autodiff @f(%x, %z, %x, %one) {activity = [active, active], ret_activity = [activenoneed, activenoneed]}
      : (vector<4xf64>, complex<f64>, vector<4xf64>, f64) -> (vector<4xf64>, complex<f64>)
  vector.store %r#0, %m[%c0] : memref<4xf64>, vector<4xf64>
  %a = complex.re %r#1 : complex<f64>
  %b = complex.im %r#1 : complex<f64>
  return %a, %b : f64, f64
}
"""
    )
    x = np.arange(1.0, 5.0)
    np.testing.assert_allclose(m.g(x, 3.0, 4.0), (0.6, 0.8), rtol=1e-15)
    np.testing.assert_array_equal(x, [2.0, 8.0, 18.0, 32.0])


def test_tensors() -> None:
    m = load(
        """
func.func private @f(%x: tensor<4xf64>, %y: f64) -> tensor<4xf64> {
  %e = tensor.empty() : tensor<4xf64>
  %r = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>],
      iterator_types = ["parallel"]}
      ins(%x : tensor<4xf64>) outs(%e : tensor<4xf64>) {
  ^bb0(%a: f64, %b: f64):
    %p = arith.mulf %a, %a : f64
    %q = arith.mulf %p, %y : f64
    linalg.yield %q : f64
  } -> tensor<4xf64>
  return %r : tensor<4xf64>
}
func.func @g(%m: memref<4xf64>, %y: f64) -> f64 {
  %x = bufferization.to_tensor %m restrict : memref<4xf64> to tensor<4xf64>
  %ct = arith.constant dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf64>
  %r:3 = enzyme.autodiff @f(%x, %y, %ct) {activity = [active, active], ret_activity = [active]}
      : (tensor<4xf64>, f64, tensor<4xf64>) -> (tensor<4xf64>, tensor<4xf64>, f64)
  bufferization.materialize_in_destination %r#1 in restrict writable %m : (tensor<4xf64>, memref<4xf64>) -> ()
  return %r#2 : f64
}
func.func @h(%m: memref<4xf64>, %y: f64) {
  %x = bufferization.to_tensor %m restrict : memref<4xf64> to tensor<4xf64>
  %t = arith.constant dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf64>
  %dy = arith.constant 1.0 : f64
  %r = enzyme.fwddiff @f(%x, %t, %y, %dy) {activity = [dup, dup], ret_activity = [dupnoneed]}
      : (tensor<4xf64>, tensor<4xf64>, f64, f64) -> (tensor<4xf64>)
  bufferization.materialize_in_destination %r in restrict writable %m : (tensor<4xf64>, memref<4xf64>) -> ()
  return
}
func.func @w(%m: memref<4xf64>, %y: f64) -> (f64, f64) {
  %x = bufferization.to_tensor %m restrict : memref<4xf64> to tensor<4xf64>
  %ct = arith.constant dense<[[1.0, 2.0, 3.0, 4.0],[0.0,0.0,0.0,1.0]]> : tensor<2x4xf64>
  %r:2 = enzyme.autodiff @f(%x, %y, %ct) {activity = [active, active], ret_activity = [activenoneed], width = 2 : i64}
      : (tensor<4xf64>, f64, tensor<2x4xf64>) -> (tensor<2x4xf64>, tensor<2xf64>)
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %a = tensor.extract %r#1[%c0] : tensor<2xf64>
  %b = tensor.extract %r#0[%c1, %c3] : tensor<2x4xf64>
  return %a, %b : f64, f64
}
"""
    )
    x = np.arange(1.0, 5.0)
    gradient = x.copy()
    assert m.g(gradient, 3.0) == 100.0
    np.testing.assert_array_equal(gradient, 6 * x * x)
    tangent = x.copy()
    m.h(tangent, 3.0)
    np.testing.assert_array_equal(tangent, 7 * x * x)
    assert m.w(x, 3.0) == (100.0, 24.0)


def test_memory_that_is_returned() -> None:
    m = load(
        """
func.func private @f(%x: memref<?xf64>, %y: f64) -> (memref<?xf64>, f64, index) {
  %c0 = arith.constant 0 : index
  %n = memref.dim %x, %c0 : memref<?xf64>
  %m = memref.alloc(%n) : memref<?xf64>
  %v = memref.load %x[%c0] : memref<?xf64>
  %w = arith.mulf %v, %y : f64
  memref.store %w, %m[%c0] : memref<?xf64>
  return %m, %w, %n : memref<?xf64>, f64, index
}
func.func @g(%x: memref<?xf64>, %dx: memref<?xf64>, %y: f64) -> (f64, f64, index) {
  %one = arith.constant 1.0 : f64
  %r:4 = enzyme.autodiff @f(%x, %dx, %y, %one) {activity = [dup, active], ret_activity = [const, active, const]}
      : (memref<?xf64>, memref<?xf64>, f64, f64) -> (memref<?xf64>, f64, index, f64)
  %c0 = arith.constant 0 : index
  %v = memref.load %r#0[%c0] : memref<?xf64>
  return %v, %r#3, %r#2 : f64, f64, index
}
func.func @h(%x: memref<?xf64>, %dx: memref<?xf64>, %y: f64) -> (f64, f64, index) {
  %one = arith.constant 1.0 : f64
  %r:3 = enzyme.fwddiff @f(%x, %dx, %y, %one) {activity = [dup, dup], ret_activity = [dup, constnoneed, const]}
      : (memref<?xf64>, memref<?xf64>, f64, f64) -> (memref<?xf64>, memref<?xf64>, index)
  %c0 = arith.constant 0 : index
  %v = memref.load %r#0[%c0] : memref<?xf64>
  %w = memref.load %r#1[%c0] : memref<?xf64>
  return %v, %w, %r#2 : f64, f64, index
}
"""
    )
    x, dx = np.arange(1.0, 5.0), np.zeros(4)
    assert m.g(x, dx, 3.0) == (3.0, 1.0, 4)
    np.testing.assert_array_equal(dx, [3.0, 0.0, 0.0, 0.0])
    assert m.h(x, np.ones(4), 3.0) == (3.0, 4.0, 4)


def test_each_thread_has_its_own_slots() -> None:
    m = load(
        """
func.func private @sq(%x: f64) -> f64 {
  %a = arith.mulf %x, %x : f64
  return %a : f64
}
func.func @g(%x: memref<?xf64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = arith.constant 1.0 : f64
  %n = memref.dim %x, %c0 : memref<?xf64>
  omp.parallel {
    omp.wsloop {
      omp.loop_nest (%i) : index = (%c0) to (%n) step (%c1) {
        %v = memref.load %x[%i] : memref<?xf64>
        %d = enzyme.autodiff @sq(%v, %one) {activity = [active], ret_activity = [activenoneed]} : (f64, f64) -> f64
        memref.store %d, %x[%i] : memref<?xf64>
        omp.yield
      }
    }
    omp.terminator
  }
  return
}
"""
    )
    x = np.arange(1.0, 1001.0)
    m.g(x)
    np.testing.assert_array_equal(x, np.arange(2.0, 2001.0, 2.0))


def test_strides() -> None:
    m = load(
        """
func.func @f(%x: memref<?x?xf64, strided<[?, ?], offset: ?>>) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.load %x[%c1, %c0] : memref<?x?xf64, strided<[?, ?], offset: ?>>
  %b = memref.load %x[%c0, %c1] : memref<?x?xf64, strided<[?, ?], offset: ?>>
  %r = arith.mulf %a, %b : f64
  return %r : f64
}
func.func @g(%x: memref<?x?xf64, strided<[?, ?], offset: ?>>, %d: memref<?x?xf64, strided<[?, ?], offset: ?>>) {
  %one = arith.constant 1.0 : f64
  enzyme.autodiff @f(%x, %d, %one) {activity = [dup], ret_activity = [activenoneed]}
      : (memref<?x?xf64, strided<[?, ?], offset: ?>>, memref<?x?xf64, strided<[?, ?], offset: ?>>, f64) -> ()
  return
}
func.func @k(%x: memref<3x4xf64>, %d: memref<3x4xf64>) {
  %s = memref.subview %x[1,1][2,2][1,2] : memref<3x4xf64> to memref<2x2xf64, strided<[4,2], offset: 5>>
  %t = memref.subview %d[1,1][2,2][1,2] : memref<3x4xf64> to memref<2x2xf64, strided<[4,2], offset: 5>>
  %sc = memref.cast %s : memref<2x2xf64, strided<[4,2], offset: 5>> to memref<?x?xf64, strided<[?, ?], offset: ?>>
  %tc = memref.cast %t : memref<2x2xf64, strided<[4,2], offset: 5>> to memref<?x?xf64, strided<[?, ?], offset: ?>>
  call @g(%sc, %tc) : (memref<?x?xf64, strided<[?, ?], offset: ?>>, memref<?x?xf64, strided<[?, ?], offset: ?>>) -> ()
  return
}
"""
    )
    x, d = np.arange(12.0).reshape(3, 4), np.zeros((3, 4))
    m.k(x, d)
    expected = np.zeros((3, 4))
    expected[1, 3], expected[2, 1] = 9, 7
    np.testing.assert_array_equal(d, expected)


def test_body() -> None:
    """What the body captures is constant."""
    m = load(
        """
func.func @g(%m: memref<?xf64>, %d: memref<?xf64>, %y: f64, %k: f64) -> (f64, f64) {
  %one = arith.constant 1.0 : f64
  %c0 = arith.constant 0 : index
  %r:2 = enzyme.autodiff_region(%m, %d, %y, %one) {
  ^bb0(%a: memref<?xf64>, %b: f64):
    %v = memref.load %a[%c0] : memref<?xf64>
    %p = arith.mulf %v, %b : f64
    %q = arith.mulf %p, %k : f64
    enzyme.yield %q : f64
  } attributes {activity = [dup, active], ret_activity = [active]}
      : (memref<?xf64>, memref<?xf64>, f64, f64) -> (f64, f64)
  return %r#0, %r#1 : f64, f64
}
"""
    )
    m_, d = np.array([2.0, 1.0]), np.zeros(2)
    assert m.g(m_, d, 3.0, 5.0) == (30.0, 10.0)
    np.testing.assert_array_equal(d, [15.0, 0.0])


def test_ignored_derivatives_and_lanes() -> None:
    m = load(
        """
func.func private @f(%x: f64) -> f64 {
  %i = enzyme.ignore_derivatives %x : f64 -> f64
  %r = arith.mulf %i, %x : f64
  return %r : f64
}
func.func @g(%x: f64) -> (f64, f64) {
  %one = arith.constant 1.0 : f64
  %r:2 = enzyme.autodiff @f(%x, %one) {activity = [active], ret_activity = [active]} : (f64, f64) -> (f64, f64)
  return %r#0, %r#1 : f64, f64
}
func.func @h(%x: f64) -> (f64, f64) {
  %one = arith.constant 1.0 : f64
  %two = arith.constant 2.0 : f64
  %t = enzyme.concat(%one, %two) : (f64, f64) -> tensor<2xf64>
  %r = enzyme.fwddiff @f(%x, %t) {activity = [dup], ret_activity = [dupnoneed], width = 2 : i64}
      : (f64, tensor<2xf64>) -> tensor<2xf64>
  %a = enzyme.extract %r[0] : (tensor<2xf64>) -> f64
  %b = enzyme.extract %r[1] : (tensor<2xf64>) -> f64
  return %a, %b : f64, f64
}
"""
    )
    assert m.g(3.0) == (9.0, 3.0)
    assert m.h(3.0) == (3.0, 6.0)


def test_batch() -> None:
    """And the derivative of a batch."""
    m = load(
        """
func.func private @f(%m: memref<?xf64>, %x: f64) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %v = memref.load %m[%c0] : memref<?xf64>
  %r = arith.mulf %v, %x : f64
  memref.store %r, %m[%c1] : memref<?xf64>
  return %r : f64
}
func.func @h(%m: memref<3x?xf64>, %o: memref<3xf64>) {
  %x = bufferization.to_tensor %o restrict : memref<3xf64> to tensor<3xf64>
  %r = enzyme.batch @f(%m, %x) {batch_shape = array<i64: 3>} : (memref<3x?xf64>, tensor<3xf64>) -> tensor<3xf64>
  bufferization.materialize_in_destination %r in restrict writable %o : (tensor<3xf64>, memref<3xf64>) -> ()
  return
}
func.func @dh(%m: memref<3x?xf64>, %dm: memref<3x?xf64>, %o: memref<3xf64>, %do: memref<3xf64>) {
  enzyme.autodiff @h(%m, %dm, %o, %do) {activity = [dup, dup], ret_activity = []}
      : (memref<3x?xf64>, memref<3x?xf64>, memref<3xf64>, memref<3xf64>) -> ()
  return
}
"""
    )
    a, o = np.arange(1.0, 7.0).reshape(3, 2), np.array([1.0, 2.0, 3.0])
    da, do = np.zeros((3, 2)), np.ones(3)
    m.dh(a, da, o, do)
    np.testing.assert_array_equal(o, [1.0, 6.0, 15.0])
    np.testing.assert_array_equal(a[:, 1], o)
    np.testing.assert_array_equal(da, [[1.0, 0.0], [2.0, 0.0], [3.0, 0.0]])
    np.testing.assert_array_equal(do, [1.0, 3.0, 5.0])


def test_functions_of_both_levels() -> None:
    """Each at its own; one of the machine level may need one of the tensor level."""
    m = load(
        """
func.func @loss(%x: tensor<3xf64>) -> tensor<f64> {
  %y = stablehlo.multiply %x, %x : tensor<3xf64>
  %zero = stablehlo.constant dense<0.0> : tensor<f64>
  %s = stablehlo.reduce(%y init: %zero) applies stablehlo.add across dimensions = [0]
      : (tensor<3xf64>, tensor<f64>) -> tensor<f64>
  return %s : tensor<f64>
}
func.func @dloss(%x: tensor<3xf64>, %dy: tensor<f64>) -> tensor<3xf64> {
  %dx = enzyme.autodiff @loss(%x, %dy) {activity = [active], ret_activity = [activenoneed]}
      : (tensor<3xf64>, tensor<f64>) -> tensor<3xf64>
  return %dx : tensor<3xf64>
}
func.func @energy(%m: memref<?xf64>) -> f64 {
  %c0 = arith.constant 0 : index
  %v = memref.load %m[%c0] : memref<?xf64>
  %e = math.exp %v : f64
  return %e : f64
}
func.func @force(%m: memref<?xf64>, %d: memref<?xf64>) {
  %one = arith.constant 1.0 : f64
  enzyme.autodiff @energy(%m, %d, %one) {activity = [dup], ret_activity = [activenoneed]}
      : (memref<?xf64>, memref<?xf64>, f64) -> ()
  return
}
func.func @through(%m: memref<3xf64>, %d: memref<3xf64>) {
  %one = arith.constant 1.0 : f64
  enzyme.autodiff @both(%m, %d, %one) {activity = [dup], ret_activity = [activenoneed]}
      : (memref<3xf64>, memref<3xf64>, f64) -> ()
  return
}
func.func private @both(%m: memref<3xf64>) -> f64 {
  %t = bufferization.to_tensor %m restrict : memref<3xf64> to tensor<3xf64>
  %s = func.call @loss(%t) : (tensor<3xf64>) -> tensor<f64>
  %r = tensor.extract %s[] : tensor<f64>
  return %r : f64
}
"""
    )
    x = np.array([1.0, 2.0, 3.0])
    assert isinstance(m, MixedModule)
    np.testing.assert_allclose(m.run("dloss", x, 2.0), 4 * x)
    np.testing.assert_allclose(m.grad("loss").run("grad_loss", x), 2 * x)
    np.testing.assert_allclose(m.grad("energy")(x), [np.exp(1), 0, 0])
    d = np.zeros(3)
    m.run("force", x, d)
    np.testing.assert_allclose(d, [np.exp(1), 0, 0])
    d = np.zeros(3)
    m.run("through", x, d)
    np.testing.assert_allclose(d, 2 * x)
    with pytest.raises(gradir.InputError, match="no function what"):
        m.run("what")


def test_a_dialect_of_passes_is_refused() -> None:
    with pytest.raises(gradir.RequestError, match=r"enzyme\.init: is not lowered") as raised:
        load(
            "func.func @g(%x: f64, %m: memref<f64>) -> f64 {\n"
            '  %c = "enzyme.init"() : () -> !enzyme.Cache<f64>\n'
            '  "enzyme.push"(%c, %x) : (!enzyme.Cache<f64>, f64) -> ()\n  return %x : f64\n}\n'
        )
    assert raised.value.location == "<text>:2:8" and "before" in str(raised.value.hint)


@pytest.mark.parametrize(
    ("said", "slope"), [("", np.nan), (", strong_zero = true", 0.0), (", strong_zero = false", np.nan)]
)
def test_strong_zero(said: str, slope: float) -> None:
    """Zero times the infinite slope of the root."""
    m = load(
        f"""
func.func @f(%x: f64, %y: f64) -> f64 {{
  %r = math.sqrt %x : f64
  %z = arith.mulf %r, %y : f64
  return %z : f64
}}
func.func @df(%x: f64, %y: f64, %m: memref<f64>) -> f64 {{
  %one = arith.constant 1.0 : f64
  %r:2 = enzyme.autodiff @f(%x, %y, %one)
    {{activity = [active, active], ret_activity = [activenoneed]{said}}} : (f64, f64, f64) -> (f64, f64)
  return %r#0 : f64
}}
"""
    )
    assert m.df(0.0, 0.0, np.zeros(())) == pytest.approx(slope, nan_ok=True)
    assert m.df(4.0, 3.0, np.zeros(())) == pytest.approx(0.75)
