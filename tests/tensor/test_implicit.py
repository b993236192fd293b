"""Functions that solve an equation: their derivatives are those of the solution, unrolled or known in closed form."""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp
import ml_dtypes
import numpy as np
import pytest

import gradir
from gradir.tensor.rules import implicit

EQUATION = """
func.func private @residual(%x: TYPE, %a: TYPE) -> TYPE {
  %cube = stablehlo.multiply %x, %x : TYPE
  %third = stablehlo.multiply %cube, %x : TYPE
  %turned = stablehlo.reverse %x, dims = [0] : TYPE
  %sum = stablehlo.add %third, %turned : TYPE
  %left = stablehlo.subtract %sum, %a : TYPE
  return %left : TYPE
}
func.func private @map(%x: TYPE, %a: TYPE) -> TYPE {
  %left = call @residual(%x, %a) : (TYPE, TYPE) -> TYPE
  %small = stablehlo.constant dense<0.1> : TYPE
  %step = stablehlo.multiply %left, %small : TYPE
  %next = stablehlo.subtract %x, %step : TYPE
  return %next : TYPE
}
func.func public @solve(%a: TYPE) -> TYPE attributes {RULE} {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %start = stablehlo.constant dense<1.0> : TYPE
  %out:2 = stablehlo.while(%i = %zero, %x = %start) : tensor<i32>, TYPE
  cond {
    %most = stablehlo.constant dense<600> : tensor<i32>
    %on = stablehlo.compare LT, %i, %most : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %on : tensor<i1>
  } do {
    %y = func.call @map(%x, %a) : (TYPE, TYPE) -> TYPE
    %one = stablehlo.constant dense<1> : tensor<i32>
    %j = stablehlo.add %i, %one : tensor<i32>
    stablehlo.return %j, %y : tensor<i32>, TYPE
  }
  return %out#1 : TYPE
}
"""


def module(rule: str, n: int = 2, dtype: str = "f64") -> gradir.Module:
    return gradir.load(EQUATION.replace("TYPE", f"tensor<{n}x{dtype}>").replace("RULE", rule))


def exact(a: Any) -> Any:
    """By Newton's iteration, unrolled."""
    x = jnp.ones_like(a)
    for _ in range(40):
        left = lambda x: x**3 + x[::-1] - a  # noqa: E731
        x = x - jnp.linalg.solve(jax.jacfwd(left)(x), left(x))
    return x


@pytest.mark.parametrize("direct", [128, 0])
@pytest.mark.parametrize("rule", ["gradir.implicit = @residual", "gradir.fixed_point = @map"])
def test_derivatives_are_those_of_the_solution(rule: str, direct: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(implicit, "DIRECT", direct)
    rng = np.random.default_rng(0)
    with jax.enable_x64(True):
        m = module(rule)
        a, t, ct = rng.uniform(2, 5, 2), rng.normal(size=2), rng.normal(size=2)
        # 600 steps that each take a tenth of the way at least leave nothing of the start but rounding.
        np.testing.assert_allclose(m.run("solve", a), exact(a), rtol=1e-12)
        np.testing.assert_allclose(m.jvp().run("jvp_solve", a, t)[1], jax.jvp(exact, (a,), (t,))[1], rtol=1e-10)
        np.testing.assert_allclose(m.vjp().run("vjp_solve", a, ct)[1], jax.vjp(exact, a)[1](ct)[0], rtol=1e-10)
        both = m.jacobian(mode="forward", name="j").jvp("j")
        np.testing.assert_allclose(
            both.run("jvp_j", a, t)[1], jax.jvp(jax.jacfwd(exact), (a,), (t,))[1], rtol=1e-8, atol=1e-10
        )


def test_no_round_of_the_solver_is_in_the_derivative() -> None:
    """Only what finds x has the solver's 600 rounds; the linear equation has one for each of its two unknowns."""
    text = str(module("gradir.implicit = @residual").vjp())
    assert text.count("dense<600>") == 1  # in the solver, which its derivative calls


def test_many_unknowns_need_no_matrix() -> None:
    n = 300
    a = np.random.default_rng(1).uniform(2, 5, n)
    ct = np.random.default_rng(2).normal(size=n)
    with jax.enable_x64(True):
        m = module("gradir.implicit = @residual", n).vjp()
        assert f"{n}x{n}" not in str(m)
        np.testing.assert_allclose(m.run("vjp_solve", a, ct)[1], jax.vjp(exact, a)[1](ct)[0], rtol=1e-9, atol=1e-12)


LINEAR = """
func.func private @residual(%x: tensor<4xDT>, %a: tensor<4x4xDT>, %b: tensor<4xDT>) -> tensor<4xDT> {
  %p = stablehlo.dot_general %a, %x, contracting_dims = [1] x [0] : (tensor<4x4xDT>, tensor<4xDT>) -> tensor<4xDT>
  %r = stablehlo.subtract %p, %b : tensor<4xDT>
  return %r : tensor<4xDT>
}
func.func public @solve(%a: tensor<4x4xDT>, %b: tensor<4xDT>) -> tensor<4xDT> attributes {gradir.implicit = @residual} {
  return %b : tensor<4xDT>
}
"""
"""(The solver is not right but where `a b = b`; its derivative does not care.)"""


@pytest.mark.parametrize("direct", [128, 0])
@pytest.mark.parametrize("kind", ["general", "skew", "needs a pivot", "small"])
def test_linear_equations(kind: str, direct: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """By b, the derivative of the solution of `a x = b` is the inverse of a."""
    monkeypatch.setattr(implicit, "DIRECT", direct)
    rng = np.random.default_rng(3)
    a = rng.normal(size=(4, 4)) + 2 * np.eye(4)
    if kind == "skew":  # which BiCGStab can't solve
        a = np.kron(np.diag([1.0, 2.0]), np.array([[0.0, 1], [-1, 0]]))
    if kind == "needs a pivot":
        a[0, 0] = 0.0
    if kind == "small":
        a *= 1e-160
    b, ct = rng.normal(size=4), rng.normal(size=4)
    with jax.enable_x64(True):
        m = gradir.load(LINEAR.replace("DT", "f64"))
        got = m.vjp(wrt=1).run("vjp_solve", a, b, ct)[1]
        np.testing.assert_allclose(got, np.linalg.solve(a.T, ct), rtol=1e-10)


def test_products_are_computed_in_full_precision() -> None:
    """A GPU rounds factors to ten bits unless it is asked not to: no iteration would come to its end."""
    m = gradir.load(LINEAR.replace("DT", "f32"))
    products = [line for line in str(m.vjp(wrt=1)).splitlines() if "dot_general" in line]
    own = [line for line in str(m).splitlines() if "dot_general" in line]
    assert set(own) < set(products)
    assert all("HIGHEST" in line for line in products if line not in own)


def test_what_has_no_solution_is_no_number(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(implicit, "DIRECT", 0)
    with jax.enable_x64(True):
        m = gradir.load(LINEAR.replace("DT", "f64")).vjp(wrt=1)
        singular = np.diag([1.0, 1.0, 1.0, 0.0])
        assert np.isnan(m.run("vjp_solve", singular, np.ones(4), np.ones(4))[1]).all()


@pytest.mark.parametrize("dtype", ["f16", "bf16", "f32"])
@pytest.mark.parametrize("direct", [0, 128])
def test_in_other_precisions(dtype: str, direct: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(implicit, "DIRECT", direct)
    m = gradir.load(LINEAR.replace("DT", dtype)).vjp(wrt=1)
    of = {"f16": np.float16, "bf16": ml_dtypes.bfloat16, "f32": np.float32}[dtype]
    a = (np.random.default_rng(4).normal(size=(4, 4)) + 3 * np.eye(4)).astype(of)
    ct = np.arange(1, 5).astype(of)
    got = m.run("vjp_solve", a, np.ones(4, of), ct)[1]
    assert got.dtype == of
    want = np.linalg.solve(a.T.astype(np.float64), ct.astype(np.float64))
    # It is solved in f32 at least, and rounded once more (iterated: as near as products in the type can tell).
    np.testing.assert_allclose(got.astype(np.float64), want, rtol=8 * float(ml_dtypes.finfo(of).eps))


@pytest.mark.parametrize(
    ("rule", "says"),
    [
        ("gradir.implicit = @nowhere", "there is no function @nowhere"),
        ("gradir.implicit = 3 : i32", "does not name one function"),
        ("gradir.implicit = @residual, gradir.fixed_point = @map", "does not name one function"),
        ("gradir.implicit = @solve", "it takes"),
    ],
)
def test_bad_equations_are_refused(rule: str, says: str) -> None:
    with pytest.raises(gradir.GradirError, match=says):
        module(rule).vjp()


def test_rules_from_python() -> None:
    m = gradir.load(LINEAR.replace("DT", "f32").replace("attributes {gradir.implicit = @residual} ", ""))
    a, b, ct = 2 * np.eye(4, dtype=np.float32), np.ones(4, np.float32), np.ones(4, np.float32)
    got = m.with_rule("solve", implicit="residual").vjp("solve", wrt=1).run("vjp_solve", a, b, ct)[1]
    np.testing.assert_allclose(got, np.full(4, 0.5), rtol=1e-6)
