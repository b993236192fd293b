"""Programs with loops whose end is found at run time, as they are written: reverse mode, where JAX has none.

Against JAX's forward mode, central differences, and the unrolled program.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax import lax
from jax.scipy.special import betainc

import gradir
import gradir.jax as gj

pytestmark = pytest.mark.usefixtures("x64")

SMALL = {np.dtype(np.float64): 1e-12, np.dtype(np.float32): 1e-6}
"""What iterations end by: some roundings of numbers near 1."""


def newton(a: Any) -> Any:
    """The square root."""
    return lax.while_loop(lambda r: jnp.abs(r * r - a) > SMALL[r.dtype], lambda r: 0.5 * (r + a / r), 1.0 + a)


def bisection(a: Any) -> Any:
    """The cube root: halves of an interval, and one step of Newton's at the end (a choice alone has no derivative)."""

    def halve(s: Any) -> Any:
        low, high = s
        middle = 0.5 * (low + high)
        return lax.cond(middle**3 < a, lambda: (middle, high), lambda: (low, middle))

    low, high = lax.while_loop(lambda s: s[1] - s[0] > 1e-6, halve, (0.0 * a, 1.0 + a))
    r = 0.5 * (low + high)
    return r - (r**3 - a) / (3 * r**2)


def runge_kutta(a: Any) -> Any:
    """y' = sin t - a y from 0 to 2, by Heun's method with steps that follow the error."""

    def slope(t: Any, y: Any) -> Any:
        return jnp.sin(t) - a * y

    def attempt(s: Any) -> Any:
        t, y, h, n = s
        h = jnp.minimum(h, 2.0 - t)
        k1 = slope(t, y)
        k2 = slope(t + h, y + h * k1)
        error = 0.5 * h * jnp.abs(k2 - k1)
        is_good = error < 1e-5
        grown = h * jnp.clip(0.9 * jnp.sqrt(1e-5 / jnp.maximum(error, 1e-12)), 0.3, 2.0)
        t, y = lax.cond(is_good, lambda: (t + h, y + 0.5 * h * (k1 + k2)), lambda: (t, y))
        return t, y, grown, n + 1

    return lax.while_loop(lambda s: (s[0] < 2.0) & (s[3] < 5000), attempt, (0.0, 1.0 + 0 * a, 0.1, 0))[1]


def power_iteration(a: Any) -> Any:
    """The greatest eigenvalue of a matrix that depends on a."""
    m = jnp.array([[2.0, 0.3], [0.3, 1.0]]) + a * jnp.array([[0.1, 0.5], [0.5, -0.2]])

    def step(s: Any) -> Any:
        v, _, n = s
        w = m @ v
        return w / jnp.linalg.norm(w), v, n + 1

    start = jnp.array([1.0, 0.2]) / jnp.sqrt(1.04)
    v, _, _ = lax.while_loop(
        lambda s: (jnp.max(jnp.abs(s[0] - s[1])) > SMALL[s[0].dtype]) & (s[2] < 200), step, (start, start + 1.0, 0)
    )
    return v @ m @ v


def to_a_bound(a: Any) -> Any:
    """So many rounds as the number is large."""
    return lax.fori_loop(0, jnp.asarray(10 * a).astype(int), lambda i, y: jnp.sin(y) + a / (i + 1.0), a)


def nested(a: Any) -> Any:
    """A loop in a loop, with a branch and an early end by a flag."""

    def inner(y: Any) -> Any:
        return lax.while_loop(lambda z: z < 3.0, lambda z: z * 1.3 + 0.1 * a, y)

    def outer(s: Any) -> Any:
        y, n, _ = s
        y = lax.cond(n % 2 == 0, lambda: inner(y) * 0.3, lambda: jnp.cos(y) * a)
        return y, n + 1, (n > 4) & (y < 0.8)

    return lax.while_loop(lambda s: ~s[2] & (s[1] < 30), outer, (a, 0, False))[0]


PROGRAMS: dict[str, tuple[Callable[[Any], Any], float]] = {
    "newton": (newton, 2.3),
    "bisection": (bisection, 1.7),
    "adaptive Runge-Kutta": (runge_kutta, 0.8),
    "power iteration": (power_iteration, 0.4),
    "run-time bound": (to_a_bound, 1.25),
    "nested, with a branch": (nested, 0.9),
}
# Steps that follow the error are taken or not: the result jumps by up to that error where this changes.
ROUGH = {"adaptive Runge-Kutta": (1e-3, 5e-2)}


@pytest.mark.parametrize("name", PROGRAMS)
def test_gradient(name: str) -> None:
    fun, at = PROGRAMS[name]
    with pytest.raises(ValueError, match="Reverse-mode differentiation"):
        jax.grad(jax.jit(fun))(at)
    found = gj.grad(fun)(at)
    np.testing.assert_allclose(found, jax.jacfwd(fun)(at), rtol=1e-10)
    h, tolerance = ROUGH.get(name, (1e-5, 1e-6))
    difference = (fun(at + h) - fun(at - h)) / (2 * h)
    np.testing.assert_allclose(found, difference, rtol=tolerance)
    with gradir.checkpointing(4):
        np.testing.assert_allclose(jax.jit(gj.grad(fun))(at), found, rtol=1e-10)


@pytest.mark.parametrize("backend", ["xla", "iree", "reference"])
@pytest.mark.parametrize("name", PROGRAMS)
def test_on_every_back_end(name: str, backend: str) -> None:
    """In f32, since IREE has no sine of f64. Some ten to thirty rounds, each of a few roundings (6e-8), and sums that
    grow by less than 2 from round to round; where they cancel, less is left of them (1e-6 of numbers near 1)."""
    fun, at = PROGRAMS[name]
    expected = jax.jacfwd(fun)(at)
    with jax.enable_x64(False):
        lowered = jax.jit(gj.grad(fun)).lower(np.float32(at))
    module = gradir.load(lowered.as_text())
    found = module.run("main", np.float32(at), backend=backend)
    np.testing.assert_allclose(found, expected, rtol=ROUGH.get(name, (0, 1e-4))[1], atol=1e-6)


def test_unrolled() -> None:
    def unrolled(a: Any) -> Any:
        y = a
        for i in range(12):
            y = jnp.sin(y) + a / (i + 1.0)
        return y

    np.testing.assert_allclose(gj.grad(to_a_bound)(1.25), jax.grad(unrolled)(1.25), rtol=1e-13)


@pytest.mark.parametrize("name", PROGRAMS)
def test_lanes_that_stop_at_different_rounds(name: str) -> None:
    fun, at = PROGRAMS[name]
    several = at * jnp.array([1.0, 1.1, 0.7])
    expected = jnp.stack([jax.jacfwd(fun)(a) for a in several])
    np.testing.assert_allclose(jax.vmap(gj.grad(fun))(several), expected, rtol=1e-10)
    np.testing.assert_allclose(gj.grad(lambda a: jnp.sum(jax.vmap(fun)(a)))(several), expected, rtol=1e-10)


@pytest.mark.parametrize("wrt", [0, 1])
def test_the_incomplete_beta_function_has_derivatives_by_its_parameters(wrt: int) -> None:
    """Which JAX refuses. Where one parameter is 1 it is a power: I_x(a, 1) = x^a and I_x(1, b) = 1 - (1 - x)^b."""
    of = lambda p, x: betainc(p, 1.0, x) if wrt == 0 else betainc(1.0, p, x)  # noqa: E731
    exact = lambda p, x: x**p if wrt == 0 else 1 - (1 - x) ** p  # noqa: E731
    with jax.enable_x64(True):
        p, x = jnp.array([0.3, 2.5, 7.0, 1.3, 0.8]), jnp.array([0.2, 0.5, 0.9, 0.0, 1.0])
        ours = jax.vmap(gj.grad(of))(p, x)
        theirs = jnp.where((x > 0) & (x < 1), jax.vmap(jax.grad(exact))(p, jnp.clip(x, 0.1, 0.9)), 0)
        np.testing.assert_allclose(ours, theirs, rtol=1e-9, atol=1e-14)
        np.testing.assert_allclose(gj.jvp(lambda p: of(p, x), (p,), (jnp.ones(5),))[1], theirs, rtol=1e-9, atol=1e-14)
        np.testing.assert_allclose(gj.grad(gj.grad(of))(2.5, 0.5), jax.grad(jax.grad(exact))(2.5, 0.5), rtol=1e-7)
        by_both = gj.grad(lambda p, x: of(p, x), (0, 1))(2.5, 0.5)
        np.testing.assert_allclose(by_both, jax.grad(exact, (0, 1))(2.5, 0.5), rtol=1e-9)
    np.testing.assert_allclose(
        gj.grad(of)(jnp.float16(2.5), jnp.float16(0.5)), jax.grad(exact)(2.5, 0.5), rtol=2e-3
    )  # f16's own rounding
