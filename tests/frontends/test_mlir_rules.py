"""What functions and calls of MLIR say of their own derivatives, and Jacobians, at the machine level."""

from __future__ import annotations

import re
from math import cos, sin
from typing import Any

import numpy as np
import pytest

import gradir

pytest.importorskip("torch_mlir")


def load(text: str) -> Any:
    """Load a program whose activities are written `[dup, active]`."""
    spelt = re.sub(
        r"(activity = )\[([\w, ]*)\]",
        lambda m: f"{m[1]}[{', '.join(f'#enzyme<activity enzyme_{a}>' for a in re.findall(r'[a-z]+', m[2]))}]",
        text,
    )
    return gradir.load(spelt)


# -- Rules of one's own: none is the function's true derivative, so each shows that it was called ----------------------

RULED = """
func.func private @k(%x: f64, %n: index, %y: f64) -> f64 attributes {SAID} {
  %r = arith.mulf %x, %y : f64
  return %r : f64
}
func.func private @jvp(%x: f64, %n: index, %y: f64, %dx: f64, %dy: f64) -> (f64, f64) {
  %r = arith.mulf %x, %y : f64
  %c = arith.constant 7.0 : f64
  %d = arith.mulf %c, %dx : f64
  %e = arith.addf %d, %dy : f64
  return %r, %e : f64, f64
}
func.func private @vjp(%x: f64, %n: index, %y: f64, %ct: f64) -> (f64, f64) {
  %c = arith.constant 5.0 : f64
  %d = arith.mulf %c, %ct : f64
  %e = arith.mulf %x, %ct : f64
  return %d, %e : f64, f64
}
func.func private @keeping(%x: f64, %n: index, %y: f64) -> (f64, f64, index) {
  %r = arith.mulf %x, %y : f64
  %s = arith.mulf %x, %x : f64
  return %r, %s, %n : f64, f64, index
}
func.func private @backward(%s: f64, %n: index, %ct: f64) -> (f64, f64) {
  %i = arith.index_cast %n : index to i64
  %f = arith.sitofp %i : i64 to f64
  %d = arith.mulf %s, %ct : f64
  %e = arith.mulf %f, %ct : f64
  return %d, %e : f64, f64
}
func.func @h(%x: f64, %y: f64) -> f64 {
  %n = arith.constant 3 : index
  %s = math.sin %x : f64
  %r = call @k(%s, %n, %y) : (f64, index, f64) -> f64
  return %r : f64
}
func.func @forward(%x: f64, %y: f64) -> f64 {
  %one = arith.constant 1.0 : f64
  %r = enzyme.fwddiff @h(%x, %one, %y, %one) {activity = [dup, dup], ret_activity = [dupnoneed]}
      : (f64, f64, f64, f64) -> f64
  return %r : f64
}
"""
REVERSE = """
func.func @reverse(%x: f64, %y: f64) -> (f64, f64, f64) {
  %one = arith.constant 1.0 : f64
  %r:3 = enzyme.autodiff @h(%x, %y, %one) {activity = [active, active], ret_activity = [active]}
      : (f64, f64, f64) -> (f64, f64, f64)
  return %r#0, %r#1, %r#2 : f64, f64, f64
}
"""
X, Y = 0.5, 2.0
VALUE = sin(X) * Y


def test_a_jvp_is_used_in_both_modes() -> None:
    m = load(RULED.replace("SAID", "gradir.jvp = @jvp") + REVERSE)
    assert m.forward(X, Y) == pytest.approx(7 * cos(X) + 1)
    assert m.reverse(X, Y) == pytest.approx((VALUE, 7 * cos(X), 1))


def test_a_jvp_and_a_vjp_each_in_its_mode() -> None:
    m = load(RULED.replace("SAID", "gradir.jvp = @jvp, gradir.vjp = @vjp") + REVERSE)
    assert m.forward(X, Y) == pytest.approx(7 * cos(X) + 1)
    assert m.reverse(X, Y) == pytest.approx((VALUE, 5 * cos(X), sin(X)))


def test_a_vjp_of_two_functions() -> None:
    m = load(RULED.replace("SAID", "gradir.jvp = @jvp, gradir.vjp = [@keeping, @backward]") + REVERSE)
    assert m.reverse(X, Y) == pytest.approx((VALUE, sin(X) ** 2 * cos(X), 3))
    assert m.grad("h", wrt=(0, 1))(X, Y) == pytest.approx((sin(X) ** 2 * cos(X), 3))


@pytest.mark.parametrize("said", ["gradir.inactive", "enzyme_inactive", "enzyme.inactive"])
def test_inactive_functions(said: str) -> None:
    assert load(RULED.replace("SAID", said) + REVERSE).reverse(X, Y) == pytest.approx((VALUE, 0, 0))


def test_an_inactive_call() -> None:
    """The other call of the same function is active."""
    text = RULED.replace(" attributes {SAID}", "").replace(
        "  %r = call @k(%s, %n, %y) : (f64, index, f64) -> f64\n  return %r",
        "  %r = call @k(%s, %n, %y) {enzyme_inactive} : (f64, index, f64) -> f64\n"
        "  %q = call @k(%s, %n, %r) : (f64, index, f64) -> f64\n  return %q",
    )
    assert load(text + REVERSE).reverse(X, Y) == pytest.approx((VALUE * sin(X), VALUE * cos(X), 0))


@pytest.mark.parametrize(
    ("said", "message"),
    [
        ("gradir.vjp = @nowhere", "there is no function @nowhere"),
        ("gradir.vjp = @jvp", "its rule @jvp takes"),
        ("gradir.jvp = 3 : i32", "names no rule"),
        ("gradir.implicit = @jvp", "a rule of the tensor level"),
    ],
)
def test_rules_that_do_not_fit(said: str, message: str) -> None:
    with pytest.raises(gradir.RequestError, match=message) as raised:
        load(RULED.replace("SAID", said))
    assert raised.value.location == "<text>:2:1" and raised.value.hint


def test_rules_of_memory_are_refused() -> None:
    with pytest.raises(gradir.RequestError, match="rules are of numbers"):
        load(
            "func.func @r(%m: memref<f64>) {\n  return\n}\n"
            "func.func @k(%m: memref<f64>) attributes {gradir.jvp = @r} {\n  return\n}\n"
        )


# -- Jacobians -------------------------------------------------------------------------------------------------------

CURVES = """
func.func private @f(%x: tensor<3xf64>, %k: f64) -> (tensor<2x1xf64>, f64, tensor<f32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %a = tensor.extract %x[%c0] : tensor<3xf64>
  %b = tensor.extract %x[%c1] : tensor<3xf64>
  %c = tensor.extract %x[%c2] : tensor<3xf64>
  %p = arith.mulf %a, %b : f64
  %q = arith.mulf %p, %c : f64
  %s = arith.mulf %q, %k : f64
  %t = tensor.from_elements %p, %s : tensor<2x1xf64>
  %n = arith.truncf %k : f64 to f32
  %u = tensor.from_elements %n : tensor<f32>
  return %t, %q, %u : tensor<2x1xf64>, f64, tensor<f32>
}
"""


def jacobian(activity: str, ret_activity: str) -> Any:
    return load(
        CURVES
        + f"""
func.func @g(%m: memref<3xf64>, %j: memref<2x1x3xf64>, %jk: memref<2x1xf64>, %q: memref<3xf64>, %k: f64) -> f64 {{
  %x = bufferization.to_tensor %m restrict : memref<3xf64> to tensor<3xf64>
  %r:6 = enzyme.jacobian @f(%x, %k) {{activity = [{activity}], ret_activity = [{ret_activity}]}}
      : (tensor<3xf64>, f64) -> (tensor<2x1x3xf64>, tensor<2x1xf64>, tensor<3xf64>, f64, tensor<3xf32>, tensor<f32>)
  bufferization.materialize_in_destination %r#0 in restrict writable %j : (tensor<2x1x3xf64>, memref<2x1x3xf64>) -> ()
  bufferization.materialize_in_destination %r#1 in restrict writable %jk : (tensor<2x1xf64>, memref<2x1xf64>) -> ()
  bufferization.materialize_in_destination %r#2 in restrict writable %q : (tensor<3xf64>, memref<3xf64>) -> ()
  %n = tensor.extract %r#5[] : tensor<f32>
  %e = arith.extf %n : f32 to f64
  %o = arith.addf %e, %r#3 : f64
  return %o : f64
}}
"""
    )


@pytest.mark.parametrize(
    ("activity", "ret_activity", "x_is_active", "last"),
    [
        ("active, active", "active, active, const", True, 0.0),  # by rows
        ("active, active", "active, active, dup", True, 1.0),  # by columns: the precisions differ
        ("const, active", "active, const, active", False, 1.0),
    ],
)
def test_jacobian(activity: str, ret_activity: str, x_is_active: bool, last: float) -> None:
    """Pairs that are not active are zero."""
    m = jacobian(activity, ret_activity)
    j, jk, q = np.ones((2, 1, 3)), np.ones((2, 1)), np.ones(3)
    assert m.g(np.array([2.0, 3.0, 5.0]), j, jk, q, 7.0) == last
    np.testing.assert_array_equal(jk, [[0], [30]])
    np.testing.assert_array_equal(j, np.array([[[3.0, 2, 0]], [[105, 70, 42]]]) * x_is_active)
    np.testing.assert_array_equal(q, np.array([15.0, 10, 6]) * x_is_active)


def test_jacobian_of_a_number_by_a_matrix_and_the_contrary() -> None:
    m = load(
        """
func.func private @det(%x: tensor<2x2xf64>) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = tensor.extract %x[%c0, %c0] : tensor<2x2xf64>
  %b = tensor.extract %x[%c0, %c1] : tensor<2x2xf64>
  %c = tensor.extract %x[%c1, %c0] : tensor<2x2xf64>
  %d = tensor.extract %x[%c1, %c1] : tensor<2x2xf64>
  %p = arith.mulf %a, %d : f64
  %q = arith.mulf %b, %c : f64
  %r = arith.subf %p, %q : f64
  return %r : f64
}
func.func private @powers(%x: f64) -> tensor<2x2xf64> {
  %a = arith.mulf %x, %x : f64
  %b = arith.mulf %a, %x : f64
  %c = arith.mulf %b, %x : f64
  %r = tensor.from_elements %x, %a, %b, %c : tensor<2x2xf64>
  return %r : tensor<2x2xf64>
}
func.func private @gradient(%x: tensor<2x2xf64>) -> tensor<2x2xf64> {
  %r = enzyme.jacobian @det(%x) {activity = [active], ret_activity = [active]} : (tensor<2x2xf64>) -> tensor<2x2xf64>
  return %r : tensor<2x2xf64>
}
func.func @g(%y: f64, %m: memref<2x2xf64>, %d: memref<2x2xf64>, %h: memref<2x2x2x2xf64>) {
  %x = bufferization.to_tensor %m restrict : memref<2x2xf64> to tensor<2x2xf64>
  %r = enzyme.jacobian @powers(%y) {activity = [active], ret_activity = [active]} : (f64) -> tensor<2x2xf64>
  bufferization.materialize_in_destination %r in restrict writable %d : (tensor<2x2xf64>, memref<2x2xf64>) -> ()
  %j = enzyme.jacobian @gradient(%x) {activity = [active], ret_activity = [active]}
      : (tensor<2x2xf64>) -> tensor<2x2x2x2xf64>
  bufferization.materialize_in_destination %j in restrict writable %h
      : (tensor<2x2x2x2xf64>, memref<2x2x2x2xf64>) -> ()
  return
}
"""
    )
    d, h = np.zeros((2, 2)), np.zeros((2, 2, 2, 2))
    m.g(3.0, np.arange(4.0).reshape(2, 2), d, h)
    np.testing.assert_array_equal(d, [[1, 6], [27, 108]])
    np.testing.assert_array_equal(h.reshape(4, 4), [[0, 0, 0, 1], [0, 0, -1, 0], [0, -1, 0, 0], [1, 0, 0, 0]])


@pytest.mark.parametrize(
    ("types", "operands", "said", "message"),
    [
        ("(memref<f64>) -> f64", "%a: memref<f64>", "", "memory is not the same each time"),
        ("(tensor<?xf64>) -> f64", "%a: tensor<?xf64>", "", "with a static shape"),
        ("(f64) -> i32", "%a: f64", "", "result 0 has type i32"),
        ("(f64) -> tensor<2xf64>", "%a: f64", "", "has type tensor<2xf64>, not f64"),
        ("(f64, f64) -> f64", "%a: f64", "", "has 2 operands"),
        ("(f64) -> f64", "%a: f64", ", width = 2 : i64", "has no width"),
    ],
)
def test_jacobians_that_are_refused(types: str, operands: str, said: str, message: str) -> None:
    inputs = types[1:].partition(")")[0]
    active = ", ".join(["active"] * len(inputs.split(",")))
    with pytest.raises(gradir.RequestError, match=message) as raised:
        load(
            f"func.func private @f{types}\nfunc.func @g({operands}, %m: memref<f64>) {{\n"
            f"  %r = enzyme.jacobian @f(%a) {{activity = [{active}], ret_activity = [active]{said}}}"
            f" : ({operands[4:]}) -> f64\n  return\n}}\n"
        )
    assert raised.value.location == "<text>:3:8"
