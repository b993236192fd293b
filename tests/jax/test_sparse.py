"""Sparse Jacobians and Hessians beside JAX's dense ones, and how sparse they are."""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
import scipy.sparse as sp
from jax import lax
from jax.flatten_util import ravel_pytree

import gradir.jax
from gradir.errors import GradirError

pytestmark = pytest.mark.usefixtures("x64")

N = 12


def heat(u: Any) -> Any:
    """The residual of a step of a nonlinear heat equation: three entries in a row."""
    wide = jnp.pad(u, 1)
    return u - 0.1 * (wide[2:] - 2 * u + wide[:-2]) * (1 + u**2)


def plane(u: Any) -> Any:
    """Five-point differences in two dimensions, with a source."""
    wide = jnp.pad(u, 1)
    around = wide[2:, 1:-1] + wide[:-2, 1:-1] + wide[1:-1, 2:] + wide[1:-1, :-2]
    return around - 4 * u + jnp.exp(-u)


def convolved(u: Any) -> Any:
    """The same with a convolution: zeros in the kernel are no entries."""
    kernel = jnp.array([[0.0, 1.0, 0.0], [1.0, -4.0, 1.0], [0.0, 1.0, 0.0]])
    return lax.conv_general_dilated(u[None, None], kernel[None, None], (1, 1), "SAME")[0, 0] + jnp.exp(-u)


def scanned(u: Any) -> Any:
    """Each output depends on the inputs before it."""
    return lax.scan(lambda c, x: (jnp.sin(c) + x, c * x), 1.0, u)[1]


def swept(u: Any) -> Any:
    """A loop of rounds over a band: after three, seven entries in a row."""
    return lax.fori_loop(0, 3, lambda _, v: v + 0.1 * (jnp.roll(v, 1) - v) * jnp.roll(v, -1), u)


def settled(u: Any) -> Any:
    """A loop of unknown length: anything may reach anything in a block that it mixes."""

    def step(s: Any) -> Any:
        return s[0].at[::2].multiply(0.5 + 0.1 * jnp.tanh(s[0][1::2])), s[1] * 0.5

    return lax.while_loop(lambda s: s[1] > 0.1, step, (u, jnp.max(u) ** 2 + 1))[0]


def chosen(u: Any) -> Any:
    mask = jnp.arange(N) % 3 == 0
    return jnp.where(mask, jax.nn.relu(u), u[::-1] ** 2) * jnp.cumsum(jnp.ones(N))


def mixed(u: Any) -> Any:
    at = jnp.array([3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8])
    return u[at] * u + jnp.zeros(N).at[at].add(u**2) + lax.stop_gradient(u[::-1])


JACOBIANS = {
    "stencil": (heat, (N,), 3 * N - 2),
    "five points": (plane, (4, 5), 5 * 20 - 2 * 9),
    "convolution": (convolved, (4, 5), 5 * 20 - 2 * 9),
    "scan": (scanned, (N,), N * (N + 1) // 2),
    "loop": (swept, (N,), None),
    "unknown length": (settled, (N,), None),
    "masks": (chosen, (N,), N),
    "indices": (mixed, (N,), None),
    "matrix": (lambda u: jnp.triu(jnp.ones((N, N))) @ u, (N,), N * (N + 1) // 2),
    "matrices": (lambda u: jnp.einsum("bij,bj->bi", u[:, :, None] * u[:, None, :], u), (3, 4), 3 * 16),
    "sorted": (lambda u: jnp.sort(u, axis=1) ** 2, (3, 4), None),
    "all of it": (lambda u: jnp.sum(u) * u, (N,), N * N),
    "none of it": (lambda u: jnp.floor(u), (N,), 0),
    "to one": (lambda u: jnp.prod(u), (N,), N),
    "empty": (lambda u: u * 2, (0,), 0),
    "nothing comes out": (lambda u: u[:0], (N,), 0),
    "solve": (lambda u: jnp.linalg.solve(jnp.eye(4) * 3 + u[:4, :4], u[:4]), (4, 4), None),
}


BY_ROWS = ("stencil", "five points", "scan", "indices", "to one", "nothing comes out")


@pytest.mark.parametrize(("name", "mode"), [*((n, "forward") for n in JACOBIANS), *((n, "reverse") for n in BY_ROWS)])
def test_jacobians(name: str, mode: Any):
    fun, shape, entries = JACOBIANS[name]
    x = jnp.asarray(np.random.default_rng(0).normal(size=shape))
    sparse = gradir.jax.sparse_jacobian(fun, mode=mode)
    found = sparse(x)
    dense = jax.jacfwd(fun)(x)
    assert isinstance(found, sp.csr_array)
    assert found.dtype == dense.dtype
    # A compressed product adds zeros to an entry and nothing else; XLA may round a batch in another way.
    np.testing.assert_allclose(found.toarray(), dense.reshape(found.shape), rtol=1e-12, atol=1e-13)
    if entries is not None:
        assert sparse.pattern(x).nnz == entries


def rosenbrock(x: Any) -> Any:
    return jnp.sum(100.0 * (x[1:] - x[:-1] ** 2) ** 2 + (1 - x[:-1]) ** 2)


HESSIANS = {
    "Rosenbrock": (rosenbrock, (N,), 3 * N - 2, 3),
    "separable": (lambda x: jnp.sum(jnp.sin(x) * jnp.exp(x)), (N,), N, 1),
    "linear": (lambda x: jnp.sum(x * jnp.arange(1.0, N + 1)), (N,), 0, 1),
    "arrow": (lambda x: jnp.sum(x[0] * jnp.sin(x)), (N,), 3 * N - 2, 2),
    "dense": (lambda x: jnp.sum(x) ** 3, (N,), N * N, N),
    "relu": (lambda x: jnp.sum(jax.nn.relu(x[1:] - x[:-1]) ** 3), (N,), 3 * N - 2, 3),
    "plane": (lambda u: jnp.sum((u[1:] - u[:-1]) ** 4) + jnp.sum((u[:, 1:] - u[:, :-1]) ** 4), (4, 5), 82, None),
    "scan": (lambda x: lax.scan(lambda c, a: (a, c * a**2), 1.0, x)[1].sum(), (N,), 3 * N - 2, None),
    "empty": (lambda x: jnp.sum(x), (0,), 0, 0),
    "a number": (lambda x: x**3, (), 1, 1),
}


@pytest.mark.parametrize("name", HESSIANS)
def test_hessians(name: str):
    fun, shape, entries, colors = HESSIANS[name]
    x = jnp.asarray(np.random.default_rng(1).normal(size=shape))
    sparse = gradir.jax.sparse_hessian(fun)
    found = sparse(x)
    # Products with the Hessian, in another order of terms than JAX's.
    np.testing.assert_allclose(found.toarray(), jax.hessian(fun)(x).reshape(found.shape), rtol=1e-11, atol=1e-11)
    assert sparse.pattern(x).nnz == entries
    if colors is not None:
        assert sparse.pattern(x).star.count == colors


def test_float32_is_float32():
    x = jnp.linspace(0, 1, N, dtype=jnp.float32)
    found = gradir.jax.sparse_jacobian(heat)(x)
    assert found.dtype == np.float32
    np.testing.assert_allclose(found.toarray(), jax.jacfwd(heat)(x), rtol=1e-5, atol=1e-6)  # some roundings of f32


def test_pytrees_are_vectors():
    def fun(p: Any, scale: float) -> Any:
        return {"a": p["x"][1:] * p["y"], "b": scale * jnp.sum(p["x"])}

    p = {"x": jnp.arange(1.0, 4.0), "y": jnp.array([5.0, 7.0])}
    found = gradir.jax.sparse_jacobian(fun)(p, 3.0)
    flat, back = ravel_pytree(p)
    dense = jax.jacfwd(lambda v: ravel_pytree(fun(back(v), 3.0))[0])(flat)
    np.testing.assert_array_equal(found.toarray(), dense)
    both = gradir.jax.sparse_jacobian(lambda x, y: x * y, argnums=(0, 1))(p["y"], p["y"])
    np.testing.assert_array_equal(both.toarray(), [[5, 0, 5, 0], [0, 7, 0, 7]])


def test_bcoo_inside_of_jit_and_under_vmap():
    sparse = gradir.jax.sparse_jacobian(heat, format="bcoo")
    xs = jnp.asarray(np.random.default_rng(0).normal(size=(3, N)))
    inside = jax.jit(lambda x: sparse(x).todense())
    np.testing.assert_allclose(inside(xs[0]), jax.jacfwd(heat)(xs[0]), rtol=1e-12)
    np.testing.assert_allclose(jax.vmap(inside)(xs), jax.vmap(jax.jacfwd(heat))(xs), rtol=1e-12)
    with pytest.raises(GradirError, match="bcoo"):
        jax.jit(lambda x: gradir.jax.sparse_jacobian(heat)(x).nnz)(xs[0])


def test_a_pattern_is_used_again():
    x = jnp.linspace(0.1, 1, N)
    pattern = gradir.jax.sparse_jacobian(heat).pattern(x)
    again = gradir.jax.sparse_jacobian(lambda u: heat(u) * 2, pattern=pattern)
    np.testing.assert_allclose(again(x).toarray(), 2 * jax.jacfwd(heat)(x), rtol=1e-12)
    given = gradir.jax.sparse_hessian(
        rosenbrock, pattern=sp.diags_array(np.ones((3, N)), offsets=[-1, 0, 1], shape=(N, N))
    )
    np.testing.assert_allclose(given(x).toarray(), jax.hessian(rosenbrock)(x), rtol=1e-12)
    with pytest.raises(GradirError, match="12 rows and 12 columns"):
        gradir.jax.sparse_jacobian(lambda u: u[1:], pattern=pattern)(x)


def test_indices_that_are_arguments():
    def fun(x: Any, at: Any) -> Any:
        return x[at] ** 2

    sparse = gradir.jax.sparse_jacobian(fun)
    x = jnp.arange(1.0, 5.0)
    for at in ([0, 2], [3, 1]):
        np.testing.assert_array_equal(sparse(x, jnp.array(at)).toarray(), jax.jacfwd(fun)(x, jnp.array(at)))
        assert sparse.pattern(x, jnp.array(at)).nnz == 2
    inside = jax.jit(lambda x, at: gradir.jax.sparse_jacobian(fun, format="bcoo")(x, at).todense())
    np.testing.assert_array_equal(inside(x, jnp.array([3, 1])), jax.jacfwd(fun)(x, jnp.array([3, 1])))


def test_what_is_closed_over_is_known():
    rng = np.random.default_rng(0)
    at = jnp.asarray(rng.integers(0, 200, 200))

    def fun(x: Any) -> Any:
        return x[at] * jnp.where(at % 2 == 0, x, 1.0)

    x = jnp.asarray(rng.normal(size=200))
    sparse = gradir.jax.sparse_jacobian(fun)
    np.testing.assert_allclose(sparse(x).toarray(), jax.jacfwd(fun)(x), rtol=1e-12)
    assert sparse.pattern(x).nnz <= 400


def test_large_patterns_take_no_longer_than_their_entries():
    x = jnp.asarray(np.random.default_rng(0).normal(size=20_000))
    pattern = gradir.jax.sparse_hessian(rosenbrock).pattern(x)
    assert pattern.nnz == 3 * x.size - 2
    assert pattern.star.count == 3
    whole = gradir.jax.sparse_jacobian(lambda x: jnp.sum(x) * x[:5]).pattern(x)
    assert whole.nnz == 5 * x.size


@pytest.mark.parametrize(
    ("call", "says"),
    [
        (lambda: gradir.jax.sparse_jacobian(jnp.sin)(jnp.arange(3)), "real-valued inputs"),
        (lambda: gradir.jax.sparse_jacobian(jnp.sin)(jnp.ones(3) * 1j), "real-valued inputs"),
        (lambda: gradir.jax.sparse_jacobian(lambda x: x > 0)(jnp.ones(3)), "real-valued outputs"),
        (lambda: gradir.jax.sparse_hessian(lambda x: x)(jnp.ones(3)), "scalar-output"),
    ],
)
def test_what_has_no_sparse_derivative(call: Any, says: str):
    with pytest.raises(TypeError, match=says):
        call()


def test_bad_options():
    with pytest.raises(GradirError, match="mode"):
        gradir.jax.sparse_jacobian(jnp.sin, mode="sideways")  # type: ignore[arg-type]
    with pytest.raises(GradirError, match="format"):
        gradir.jax.sparse_jacobian(jnp.sin, format="dia")  # type: ignore[arg-type]
