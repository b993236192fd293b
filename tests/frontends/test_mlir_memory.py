"""Buffers that tensors become are freed, once: in functions, in derivatives, in loops and across calls."""

from __future__ import annotations

import resource
from pathlib import Path

import numpy as np
import pytest

import gradir

pytest.importorskip("torch_mlir")

N = 8192
"""A buffer has 64 KiB."""

PROGRAM = """
func.func private @sine(%x: tensor<8192xf64>) -> (tensor<8192xf64>, tensor<8192xf64>, tensor<8192xf64>) {
  %a = math.sin %x : tensor<8192xf64>
  return %a, %x, %a : tensor<8192xf64>, tensor<8192xf64>, tensor<8192xf64>
}
func.func private @same(%x: tensor<8192xf64>, %b: i1) -> tensor<8192xf64> {
  %r = scf.if %b -> tensor<8192xf64> {
    scf.yield %x : tensor<8192xf64>
  } else {
    %s = math.cos %x : tensor<8192xf64>
    scf.yield %s : tensor<8192xf64>
  }
  return %r : tensor<8192xf64>
}
func.func private @f(%x: tensor<8192xf64>, %n: index) -> tensor<8192xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r, %q = scf.for %i = %c0 to %n step %c1 iter_args(%u = %x, %v = %x) -> (tensor<8192xf64>, tensor<8192xf64>) {
    %a:3 = func.call @sine(%u) : (tensor<8192xf64>) -> (tensor<8192xf64>, tensor<8192xf64>, tensor<8192xf64>)
    %first = arith.cmpi eq, %i, %c0 : index
    %s = func.call @same(%a#1, %first) : (tensor<8192xf64>, i1) -> tensor<8192xf64>
    %p = arith.mulf %a#0, %s : tensor<8192xf64>
    %t = arith.addf %p, %a#2 : tensor<8192xf64>
    scf.yield %v, %t : tensor<8192xf64>, tensor<8192xf64>
  }
  %o = arith.addf %r, %q : tensor<8192xf64>
  return %o : tensor<8192xf64>
}
func.func @value(%m: memref<8192xf64>, %o: memref<8192xf64>, %n: index) {
  %x = bufferization.to_tensor %m restrict : memref<8192xf64> to tensor<8192xf64>
  %r = call @f(%x, %n) : (tensor<8192xf64>, index) -> tensor<8192xf64>
  bufferization.materialize_in_destination %r in restrict writable %o : (tensor<8192xf64>, memref<8192xf64>) -> ()
  return
}
func.func @tangents(%m: memref<8192xf64>, %o: memref<8192xf64>, %n: index) {
  %x = bufferization.to_tensor %m restrict : memref<8192xf64> to tensor<8192xf64>
  %one = arith.constant dense<1.0> : tensor<8192xf64>
  %r = enzyme.fwddiff @f(%x, %one, %n) {
    activity = [#enzyme<activity enzyme_dup>, #enzyme<activity enzyme_const>],
    ret_activity = [#enzyme<activity enzyme_dupnoneed>]
  } : (tensor<8192xf64>, tensor<8192xf64>, index) -> tensor<8192xf64>
  bufferization.materialize_in_destination %r in restrict writable %o : (tensor<8192xf64>, memref<8192xf64>) -> ()
  return
}
func.func @gradient(%m: memref<8192xf64>, %o: memref<8192xf64>, %n: index) {
  %x = bufferization.to_tensor %m restrict : memref<8192xf64> to tensor<8192xf64>
  %one = arith.constant dense<1.0> : tensor<8192xf64>
  %r:2 = enzyme.autodiff @f(%x, %n, %one) {
    activity = [#enzyme<activity enzyme_active>, #enzyme<activity enzyme_const>],
    ret_activity = [#enzyme<activity enzyme_active>]
  } : (tensor<8192xf64>, index, tensor<8192xf64>) -> (tensor<8192xf64>, tensor<8192xf64>)
  bufferization.materialize_in_destination %r#1 in restrict writable %o : (tensor<8192xf64>, memref<8192xf64>) -> ()
  return
}
"""


def dual(x: np.ndarray, n: int) -> tuple[np.ndarray, np.ndarray]:
    """The value of `f` and its derivative (element by element, since nothing mixes them)."""
    u, du, v, dv = x, np.ones_like(x), x, np.ones_like(x)
    for i in range(n):
        a, da = np.sin(u), np.cos(u) * du
        s, ds = (u, du) if i == 0 else (np.cos(u), -np.sin(u) * du)
        u, du, v, dv = v, dv, a * s + a, da * s + a * ds + da
    return u + v, du + dv


def resident() -> int:
    """Bytes of this process that are in memory."""
    return int(Path("/proc/self/statm").read_text().split()[1]) * resource.getpagesize()


@pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="tells by Linux's files what memory is taken")
def test_buffers_are_freed() -> None:
    """A buffer that stayed at each call would be 32 MiB in the end; most of these have a dozen."""
    m = gradir.load(PROGRAM)
    x, out = np.linspace(0.1, 2, N), np.zeros(N)
    value, slope = dual(x, 3)
    for name, wanted in (("value", value), ("tangents", slope), ("gradient", slope)):
        for _ in range(8):
            m[name](x, out, 3)
        np.testing.assert_allclose(out, wanted, rtol=1e-12, atol=1e-12)
        before = resident()
        for _ in range(512):
            m[name](x, out, 1)
        assert resident() - before < 8 * 2**20, name


def test_memory_of_the_program_s_own_is_left_alone() -> None:
    """A function of tensors that also allocates gives what it likes, and its callers don't free it."""
    m = gradir.load(
        """
memref.global "private" @kept : memref<4xf64> = dense<[1.0, 2.0, 3.0, 4.0]>
func.func private @table(%x: tensor<4xf64>) -> tensor<4xf64> {
  %k = memref.get_global @kept : memref<4xf64>
  %own = memref.alloc() : memref<4xf64>
  memref.copy %k, %own : memref<4xf64> to memref<4xf64>
  %t = bufferization.to_tensor %own restrict : memref<4xf64> to tensor<4xf64>
  %y = arith.mulf %t, %x : tensor<4xf64>
  memref.dealloc %own : memref<4xf64>
  return %y : tensor<4xf64>
}
func.func @f(%m: memref<4xf64>) {
  %x = bufferization.to_tensor %m restrict : memref<4xf64> to tensor<4xf64>
  %a = call @table(%x) : (tensor<4xf64>) -> tensor<4xf64>
  %b = call @table(%a) : (tensor<4xf64>) -> tensor<4xf64>
  bufferization.materialize_in_destination %b in restrict writable %m : (tensor<4xf64>, memref<4xf64>) -> ()
  return
}
func.func @df(%m: memref<4xf64>, %d: memref<4xf64>) {
  enzyme.fwddiff @f(%m, %d) {activity = [#enzyme<activity enzyme_dup>], ret_activity = []}
      : (memref<4xf64>, memref<4xf64>) -> ()
  return
}
"""
    )
    for _ in range(3):
        x, d = np.ones(4), np.ones(4)
        m.df(x, d)
        np.testing.assert_array_equal(x, [1, 4, 9, 16])
        np.testing.assert_array_equal(d, [1, 4, 9, 16])


def test_the_gradient_of_a_square_is_what_one_would_write() -> None:
    """It gives the gradient's buffer, and has one more, of the cotangent; nothing of a tape, no loop, no copy of it."""
    from gradir.frontends import mlir
    from gradir.machine.enzyme import lower_text

    text = """
func.func @square(%x: tensor<4xf64>) -> tensor<4xf64> {
  %y = arith.mulf %x, %x : tensor<4xf64>
  return %y : tensor<4xf64>
}
func.func @gradient(%x: tensor<4xf64>, %dy: tensor<4xf64>) -> tensor<4xf64> {
  %r = enzyme.autodiff @square(%x, %dy) {
    activity = [#enzyme<activity enzyme_active>], ret_activity = [#enzyme<activity enzyme_activenoneed>]
  } : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
  return %r : tensor<4xf64>
}
"""
    module, _ = mlir.callable_module(text, "<text>")
    lowered = lower_text(str(module), whole=True)
    body = lowered.partition("@gradient(")[2].partition("\n}")[0]
    assert "gradir" not in body and " br " not in body
    assert body.count("alloc(") == 2 and body.count("@free(") == 1 and body.count("memcpy") == 1
