"""Fixed points and roots from JAX: the same derivatives as those of the iteration, unrolled until it has converged."""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest

import gradir
import gradir.jax as gj

RNG = np.random.default_rng(0)


def layer(x: Any, w: Any, b: Any) -> Any:
    return jnp.tanh(w @ x + b)


def equilibrium(w: Any, b: Any) -> Any:
    return jnp.sum(gj.fixed_point(layer, jnp.zeros_like(b), w, b) ** 2)


def unrolled(w: Any, b: Any) -> Any:
    x = jnp.zeros_like(b)
    for _ in range(80):
        x = layer(x, w, b)
    return jnp.sum(x**2)


@pytest.mark.parametrize("n", [3, 600])  # by a matrix, and without one
@pytest.mark.parametrize("m", [gj, jax], ids=["gradir", "jax"])
def test_a_fixed_point_has_the_gradient_of_its_iteration(m: Any, n: int) -> None:
    with jax.enable_x64(True):
        w, b = jnp.asarray(RNG.normal(size=(n, n)) * 0.4 / np.sqrt(n)), jnp.asarray(RNG.normal(size=n))
        ours, theirs = jax.jit(m.grad(equilibrium, (0, 1)))(w, b), jax.jit(jax.grad(unrolled, (0, 1)))(w, b)
        for x, y in zip(ours, theirs, strict=True):  # both have converged to some units of rounding
            np.testing.assert_allclose(x, y, rtol=1e-9, atol=1e-12)
        t = jnp.asarray(RNG.normal(size=n))
        ours, theirs = (d(lambda b: f(w, b), (b,), (t,))[1] for d, f in ((m.jvp, equilibrium), (jax.jvp, unrolled)))
        np.testing.assert_allclose(ours, theirs, rtol=1e-9)


def test_second_derivatives_and_batches() -> None:
    with jax.enable_x64(True):
        w, b = jnp.asarray(RNG.normal(size=(3, 3)) * 0.2), jnp.asarray(RNG.normal(size=3))
        ours = gj.hessian(lambda b: equilibrium(w, b))(b)
        np.testing.assert_allclose(ours, jax.hessian(lambda b: unrolled(w, b))(b), rtol=1e-8, atol=1e-12)
        some = jnp.stack([b, 2 * b, -b])
        ours = jax.vmap(gj.grad(equilibrium, 1), (None, 0))(w, some)
        np.testing.assert_allclose(ours, jax.vmap(jax.grad(unrolled, 1), (None, 0))(w, some), rtol=1e-9)


@pytest.mark.parametrize("m", [gj, jax], ids=["gradir", "jax"])
def test_what_a_function_closes_over_is_differentiated(m: Any) -> None:
    with jax.enable_x64(True):
        golden = lambda a: gj.fixed_point(lambda x: 1 + a / x, 1.0)  # noqa: E731
        np.testing.assert_allclose(m.grad(golden)(1.0), 1 / np.sqrt(5), rtol=1e-12)
        cube = lambda a: gj.root(lambda x: {"u": x["u"] ** 3 - a}, {"u": 1.0})["u"]  # noqa: E731
        np.testing.assert_allclose(m.grad(cube)(8.0), 1 / 12, rtol=1e-12)


@pytest.mark.parametrize("m", [gj, jax], ids=["gradir", "jax"])
def test_a_tree_of_which_a_part_is_asked_for(m: Any) -> None:
    halves = lambda a: gj.fixed_point(lambda x: {"u": 0.5 * a, "v": 0.25 * x["u"]}, {"u": 0.0, "v": 0.0})  # noqa: E731
    assert m.grad(lambda a: halves(a)["v"])(2.0) == 0.125


@pytest.mark.parametrize("m", [gj, jax], ids=["gradir", "jax"])
def test_a_solver_of_ones_own_is_not_looked_into(m: Any) -> None:
    @gj.implicit(lambda x, a, k: x**3 + k * x - a)
    def solve(a: Any, k: Any) -> Any:  # by halving, whose own derivative is zero
        low, high = jnp.zeros_like(a), a
        for _ in range(60):
            middle = (low + high) / 2
            below = middle**3 + k * middle < a
            low, high = jnp.where(below, middle, low), jnp.where(below, high, middle)
        return low

    with jax.enable_x64(True):
        a = jnp.array([10.0, 30.0])
        x = solve(a, 1)
        np.testing.assert_allclose(m.grad(lambda a: jnp.sum(solve(a, 1)))(a), 1 / (3 * x**2 + 1), rtol=1e-12)


@pytest.mark.parametrize("m", [gj, jax], ids=["gradir", "jax"])
def test_what_has_not_converged_has_no_derivative(m: Any) -> None:
    assert np.isnan(m.grad(lambda a: gj.fixed_point(lambda x, a: 2 * x + a, 1.0, a, most=20))(1.0))
    assert np.isnan(m.jvp(lambda a: gj.root(lambda x, a: x * x + a, 1.0, a), (1.0,), (1.0,))[1])


def test_shapes_that_do_not_fit_are_refused() -> None:
    with pytest.raises(gradir.GradirError, match=r"a step gives float32\[3\]"):
        gj.fixed_point(lambda x: x * jnp.ones(3), 1.0)
    with pytest.raises(gradir.GradirError, match="the residual gives"):
        gj.implicit(lambda x, a: jnp.stack([x, a]))(lambda a: a)(1.0)


def test_nothing_to_solve() -> None:
    x = gj.fixed_point(lambda x, a: x * a, jnp.zeros(0), 2.0)
    assert x.shape == (0,)
    assert gj.grad(lambda a: jnp.sum(gj.fixed_point(lambda x, a: x * a, jnp.zeros(0), a)))(2.0) == 0


@pytest.mark.parametrize("dtype", [jnp.float16, jnp.bfloat16])
@pytest.mark.parametrize("n", [30, 600])
def test_in_half_precision(dtype: Any, n: int) -> None:
    rng = np.random.default_rng(1)
    w, b = jnp.asarray(rng.normal(size=(n, n)) * 0.4 / np.sqrt(n), dtype), jnp.asarray(rng.normal(size=n), dtype)
    ours = jax.jit(gj.grad(equilibrium, 1))(w, b)
    right = jax.grad(unrolled, 1)(w.astype(jnp.float32), b.astype(jnp.float32))
    assert ours.dtype == dtype
    # It has converged when a step changes four units of rounding; the linear equation likewise.
    error = np.linalg.norm(np.asarray(ours, np.float32) - right) / np.linalg.norm(right)
    assert error < 8 * float(jnp.finfo(dtype).eps)


def test_products_are_computed_in_full_precision() -> None:
    """A GPU rounds factors to ten bits unless it is asked not to: no iteration would come to its end."""
    w, b = jnp.eye(3) / 4, jnp.ones(3)
    root = lambda w, b: jnp.sum(gj.root(lambda x, w, b: x - layer(x, w, b), b, w, b))  # noqa: E731
    given = gj.implicit(lambda x, w, b: x - layer(x, w, b))(lambda w, b: b)
    for f in (equilibrium, root):
        text = jax.jit(gj.grad(f, (0, 1))).lower(w, b).as_text()
        products = [line for line in text.splitlines() if "dot_general" in line]
        assert products
        assert all("HIGHEST" in line for line in products if line.count("3x3")), text
    text = jax.jit(gj.grad(lambda w, b: jnp.sum(given(w, b)), (0, 1))).lower(w, b).as_text()
    assert all("HIGHEST" in line for line in text.splitlines() if "dot_general" in line)
