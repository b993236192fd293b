"""Tensors in MLIR's own dialects: passed from Python, of unknown sizes, and in the dialect's ops about values."""

from __future__ import annotations

import re
import subprocess
import sys
from typing import Any

import numpy as np
import pytest

import gradir
from gradir.mixed import MixedModule

pytest.importorskip("torch_mlir")


def spelt(text: str) -> str:
    """A program whose activities are written `[dup, active]`."""
    return re.sub(
        r"(activity = )\[([\w, ]*)\]",
        lambda m: f"{m[1]}[{', '.join(f'#enzyme<activity enzyme_{a}>' for a in re.findall(r'[a-z]+', m[2]))}]",
        text,
    )


def load(text: str) -> Any:
    return gradir.load(spelt(text))


def test_functions_of_tensors_from_python() -> None:
    """Tensors that are given are arrays that are written, at the end."""
    m = load(
        """
func.func @scaled(%x: tensor<4xf64>, %k: f64) -> (tensor<4xf64>, f64) {
  %s = tensor.splat %k : tensor<4xf64>
  %a = arith.mulf %x, %x : tensor<4xf64>
  %b = arith.mulf %a, %s : tensor<4xf64>
  return %b, %k : tensor<4xf64>, f64
}
func.func @loss(%x: tensor<?x2xf32>, %w: tensor<2xf32>) -> f32 {
  %z = arith.constant 0.1 : f32
  %e = tensor.empty() : tensor<f32>
  %i = linalg.fill ins(%z : f32) outs(%e : tensor<f32>) -> tensor<f32>
  %r = linalg.generic {
    indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j)>, affine_map<(i, j) -> ()>],
    iterator_types = ["reduction", "reduction"]
  } ins(%x, %w : tensor<?x2xf32>, tensor<2xf32>) outs(%i : tensor<f32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %t = arith.mulf %a, %b : f32
    %u = math.tanh %t : f32
    %v = arith.addf %o, %u : f32
    linalg.yield %v : f32
  } -> tensor<f32>
  %q = tensor.extract %r[] : tensor<f32>
  return %q : f32
}
"""
    )
    x, out = np.arange(1.0, 5.0), np.zeros(4)
    assert m.scaled(x, 2.0, out) == 2.0
    np.testing.assert_array_equal(out, 2 * x * x)
    np.testing.assert_array_equal(x, np.arange(1.0, 5.0))
    assert m.scaled(x, 3.0, x) == 3.0  # what is read may be what is written
    np.testing.assert_array_equal(x, 3 * np.arange(1.0, 5.0) ** 2)
    rows, w = np.ones((3, 2), np.float32), np.array([0.5, 0.25], np.float32)
    np.testing.assert_allclose(m.loss(rows, w), 3 * np.tanh(w).sum() + 0.1, rtol=1e-6)
    gradient = 1 - np.tanh(w) ** 2
    found = m.grad("loss", wrt=(0, 1))(rows, w)
    np.testing.assert_allclose(found[0], np.tile(w * gradient, (3, 1)), rtol=1e-6)
    np.testing.assert_allclose(found[1], 3 * gradient, rtol=1e-6)
    value, slope = m.vjp("scaled", wrt="arg0", outputs="result0")(np.ones(4), 5.0, np.zeros(4), 0.0, np.arange(4.0))
    assert value == 5.0
    np.testing.assert_array_equal(slope, 10 * np.arange(4.0))


DYNAMIC = """
func.func private @k(%x: tensor<?xf64>, %y: tensor<2x?xf64>) -> (tensor<?xf64>, f64) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = tensor.dim %x, %c0 : tensor<?xf64>
  %s = tensor.extract_slice %y[1, 0] [1, %n] [1, 1] : tensor<2x?xf64> to tensor<?xf64>
  %q = arith.mulf %s, %x : tensor<?xf64>
  %e = tensor.extract %q[%c1] : tensor<?xf64>
  return %q, %e : tensor<?xf64>, f64
}
func.func @gradients(%x: tensor<?xf64>, %y: tensor<2x?xf64>, %dx: memref<?xf64>, %dy: memref<2x?xf64>,
    %q: memref<?xf64>) -> f64 {
  %one = arith.constant 1.0 : f64
  %r:4 = enzyme.autodiff @k(%x, %y, %x, %one) {activity = [active, active], ret_activity = [active, active]}
      : (tensor<?xf64>, tensor<2x?xf64>, tensor<?xf64>, f64) -> (tensor<?xf64>, f64, tensor<?xf64>, tensor<2x?xf64>)
  bufferization.materialize_in_destination %r#0 in restrict writable %q : (tensor<?xf64>, memref<?xf64>) -> ()
  bufferization.materialize_in_destination %r#2 in restrict writable %dx : (tensor<?xf64>, memref<?xf64>) -> ()
  bufferization.materialize_in_destination %r#3 in restrict writable %dy : (tensor<2x?xf64>, memref<2x?xf64>) -> ()
  return %r#1 : f64
}
func.func @slope(%x: tensor<?xf64>, %t: tensor<?xf64>, %y: tensor<2x?xf64>) -> f64 {
  %r = enzyme.fwddiff @k(%x, %t, %y) {activity = [dup, const], ret_activity = [constnoneed, dupnoneed]}
      : (tensor<?xf64>, tensor<?xf64>, tensor<2x?xf64>) -> f64
  return %r : f64
}
func.func @product(%x: tensor<?xf64>, %y: tensor<2x?xf64>, %ct: tensor<?xf64>) {
  %r = enzyme.autodiff @k(%x, %y, %ct) {activity = [active, const], ret_activity = [activenoneed, constnoneed]}
      : (tensor<?xf64>, tensor<2x?xf64>, tensor<?xf64>) -> tensor<?xf64>
  return
}
"""


def test_tensors_of_unknown_sizes() -> None:
    m = load(DYNAMIC)
    x, y = np.array([1.0, 2.0, 3.0]), np.array([[0.0, 0.0, 0.0], [4.0, 5.0, 6.0]])
    dx, dy, q = np.zeros(3), np.ones((2, 3)), np.zeros(3)
    assert m.gradients(x, y, dx, dy, q) == 10.0
    cotangent = x + np.array([0, 1, 0])
    np.testing.assert_array_equal(q, x * y[1])
    np.testing.assert_array_equal(dx, y[1] * cotangent)
    np.testing.assert_array_equal(dy, [np.zeros(3), x * cotangent])
    assert m.slope(x, np.array([7.0, 8.0, 9.0]), y) == 40.0


STOPPED = """
import os, sys, gradir, numpy as np
m = gradir.load(sys.stdin.read())
for call in (lambda x: m.product(x, np.ones((2, 3)), x[:2].copy()), lambda x: m.slope(x, np.ones(2), np.ones((2, 3)))):
    if not (child := os.fork()):
        call(np.ones(3))
        os._exit(0)
    print(os.WIFSIGNALED(os.waitpid(child, 0)[1]))
"""


def test_sizes_that_do_not_fit_stop_the_program() -> None:
    given = [sys.executable, "-c", STOPPED]
    done = subprocess.run(given, input=spelt(DYNAMIC), capture_output=True, text=True, check=True)
    said = done.stdout + done.stderr
    assert said.count("True") == 2
    assert "than its cotangent" in said and "the tangent of argument 0 has another size than it" in said


def test_results_of_unknown_sizes_need_a_cotangent() -> None:
    with pytest.raises(gradir.RequestError, match=r"result 0 has type tensor<\?xf64>"):
        load(DYNAMIC.replace("[constnoneed, dupnoneed]", "[const, dupnoneed]"))


def test_memrefs_of_any_rank() -> None:
    m = load(
        """
func.func private @k(%u: memref<*xf64>, %y: f64) -> f64 {
  %c0 = arith.constant 0 : index
  %m = memref.cast %u : memref<*xf64> to memref<?xf64>
  %v = memref.load %m[%c0] : memref<?xf64>
  %r = arith.mulf %v, %v : f64
  %s = arith.mulf %y, %r : f64
  memref.store %s, %m[%c0] : memref<?xf64>
  return %r : f64
}
func.func @forward(%x: memref<?xf64>, %d: memref<?xf64>) -> f64 {
  %one = arith.constant 1.0 : f64
  %u = memref.cast %x : memref<?xf64> to memref<*xf64>
  %du = memref.cast %d : memref<?xf64> to memref<*xf64>
  %r = enzyme.fwddiff @k(%u, %du, %one, %one) {activity = [dup, dup], ret_activity = [dupnoneed]}
      : (memref<*xf64>, memref<*xf64>, f64, f64) -> f64
  return %r : f64
}
func.func @reverse(%x: memref<?xf64>, %d: memref<?xf64>) -> f64 {
  %one = arith.constant 1.0 : f64
  %u = memref.cast %x : memref<?xf64> to memref<*xf64>
  %du = memref.cast %d : memref<?xf64> to memref<*xf64>
  %r = enzyme.autodiff @k(%u, %du, %one, %one) {activity = [dup, active], ret_activity = [activenoneed]}
      : (memref<*xf64>, memref<*xf64>, f64, f64) -> f64
  return %r : f64
}
"""
    )
    d = np.ones(2)
    assert m.forward(np.array([3.0, 4.0]), d) == 6.0
    np.testing.assert_array_equal(d, [9 + 6, 1])
    d = np.ones(2)
    assert m.reverse(np.array([3.0, 4.0]), d) == 9.0
    np.testing.assert_array_equal(d, [12, 1])


def test_broadcast_and_ignored_derivatives() -> None:
    m = load(
        """
func.func private @k(%x: tensor<?xf64>, %y: f64) -> f64 {
  %c1 = arith.constant 1 : index
  %i = enzyme.ignore_derivatives %x : tensor<?xf64> -> tensor<?xf64>
  %q = arith.mulf %i, %x : tensor<?xf64>
  %e = tensor.extract %q[%c1] : tensor<?xf64>
  %b = "enzyme.broadcast"(%y) {shape = array<i64: 3>} : (f64) -> tensor<3xf64>
  %c = "enzyme.broadcast"(%b) {shape = array<i64: 2>} : (tensor<3xf64>) -> tensor<2x3xf64>
  %s = enzyme.extract %c[1] : (tensor<2x3xf64>) -> tensor<3xf64>
  %t = enzyme.extract %s[2] : (tensor<3xf64>) -> f64
  %r = arith.mulf %t, %e : f64
  return %r : f64
}
func.func @g(%x: tensor<?xf64>, %y: f64) -> (f64, f64) {
  %one = arith.constant 1.0 : f64
  %c1 = arith.constant 1 : index
  %r:2 = enzyme.autodiff @k(%x, %y, %one) {activity = [active, active], ret_activity = [activenoneed]}
      : (tensor<?xf64>, f64, f64) -> (tensor<?xf64>, f64)
  %e = tensor.extract %r#0[%c1] : tensor<?xf64>
  return %e, %r#1 : f64, f64
}
"""
    )
    assert m.g(np.array([3.0, 4.0]), 5.0) == (20.0, 16.0)


def test_bytecode_with_both_levels() -> None:
    from gradir.frontends.mlir import substrate

    class Sink(list[bytes]):
        def write(self, data: bytes) -> None:
            self.append(bytes(data))

    both = """
func.func @square(%x: tensor<3xf64>) -> tensor<3xf64> {
  %y = stablehlo.multiply %x, %x : tensor<3xf64>
  return %y : tensor<3xf64>
}
"""
    machine = """
func.func @energy(%m: memref<3xf64>) -> f64 {
  %c0 = arith.constant 0 : index
  %v = memref.load %m[%c0] : memref<3xf64>
  %w = arith.mulf %v, %v : f64
  return %w : f64
}
"""
    for text, is_mixed in ((both + machine, True), (both, False)):
        sink = Sink()
        substrate.parse(text, "<text>").operation.write_bytecode(sink)
        m = gradir.load(b"".join(sink))
        assert isinstance(m, MixedModule) == is_mixed
        np.testing.assert_array_equal(m.run("square", np.arange(3.0)), [0, 1, 4])
        if is_mixed:
            np.testing.assert_array_equal(m.grad("energy")(np.array([3.0, 1.0, 1.0])), [6, 0, 0])


def test_a_module_of_numbers_alone_is_for_the_machine_level() -> None:
    m = gradir.load(
        "func.func private @sinh(f64) -> f64\n"
        "func.func @f(%x: f64) -> f64 {\n  %r = call @sinh(%x) : (f64) -> f64\n  return %r : f64\n}\n"
    )
    np.testing.assert_allclose(m.grad("f")(0.3), np.cosh(0.3), rtol=1e-14)
