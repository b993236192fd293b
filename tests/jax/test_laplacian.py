"""Forward Laplacians beside the traces of JAX's Hessians."""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax import lax

import gradir.jax

pytestmark = pytest.mark.usefixtures("x64")

D = 8
RNG = np.random.default_rng(0)
WEIGHTS = [RNG.normal(size=(D, D)) for _ in range(3)]
X = np.random.default_rng(1).normal(size=D)


def network(x: Any) -> Any:
    for w in WEIGHTS:
        x = jnp.tanh(x @ w + 0.1)
    return jnp.sum(x**2)


def particles(x: Any) -> Any:
    """Features of each of four points in the plane, and of each pair of them, which shares none or all variables."""
    r = x.reshape(4, 2)
    alone = jnp.tanh(r @ WEIGHTS[0][:2, :5])
    apart = jnp.sqrt(jnp.sum((r[:, None] - r[None]) ** 2, -1) + 1.0)
    return jnp.sum(jnp.log(1 + jnp.sum(alone, 1) ** 2)) + jnp.sum(jnp.exp(-apart)) + jnp.prod(alone[:, 0])


def attention(x: Any) -> Any:
    q = x.reshape(4, 2)
    return jnp.sum((jax.nn.softmax(q @ q.T) @ q) ** 2)


def moved(x: Any) -> Any:
    pieces = jnp.concatenate([x[::-1], jnp.zeros(2), x[2:5] ** 2])
    return jnp.pad(pieces, (1, 0)).reshape(2, 7).T * jnp.sin(jnp.arange(14.0).reshape(7, 2))


PROGRAMS = {
    "network": network,
    "particles": particles,
    "attention": attention,
    "moved": moved,
    "loop": lambda x: jnp.sum(lax.fori_loop(0, 3, lambda i, v: jnp.sin(v) + v * x[i], x)),
    "scan": lambda x: lax.scan(lambda c, a: (jnp.sin(c) * a, c * a), 1.0, x)[1],
    "branch": lambda x: lax.cond(x[0] > 0, lambda x: jnp.sum(x**3), lambda x: jnp.prod(x), x),
    "neighbours": lambda x: x**3 * x[::-1] / (1 + jnp.roll(x, 1) ** 2),
    "sorted": lambda x: jnp.sort(x) ** 2,
    "rules of its own": lambda x: jnp.sum(jax.nn.relu(x) ** 3) + jax.nn.logsumexp(x * x),
    "convolved": lambda x: jnp.convolve(x, x[:3]) ** 2,
    "solve": lambda x: jnp.sum(jnp.linalg.solve(jnp.eye(4) * 5 + jnp.outer(x[:4], x[4:]), x[:4])),
    "complex": lambda x: jnp.sum(jnp.abs(jnp.exp(1j * x) * x + x[::-1])),
    "chosen": lambda x: jnp.where(x > 0, jnp.abs(x) ** jnp.sin(x), jnp.maximum(x, -0.5) ** 2),
    "reduced": lambda x: jnp.max(x) * jnp.prod(x) + jnp.sum(x[jnp.array([3, 3, 1])] ** 3),
    "nothing": lambda x: jnp.floor(x),
    "linear": lambda x: 2 * x + 1,
    "number": lambda x: {"a": jnp.sum(x**2), "b": (x, jnp.cumsum(x) ** 2)},
}


def trace_of_hessian(fun: Any, x: Any) -> Any:
    n = x.size
    second = jax.jacfwd(jax.jacfwd(fun))(x)
    return jax.tree.map(lambda h, y: jnp.trace(h.reshape(*y.shape, n, n), axis1=-2, axis2=-1), second, fun(x))


def close(ours: Any, theirs: Any) -> None:
    assert jax.tree.structure(ours) == jax.tree.structure(theirs)
    for a, b in zip(jax.tree.leaves(ours), jax.tree.leaves(theirs), strict=True):
        assert a.dtype == b.dtype
        # Sums of some dozens of terms of order one to a hundred, in another order.
        np.testing.assert_allclose(a, b, rtol=1e-11, atol=1e-11)


@pytest.mark.parametrize("name", PROGRAMS)
def test_programs(name: str):
    fun, x = PROGRAMS[name], jnp.asarray(X)
    value, jacobian, laplacian = jax.jit(gradir.jax.laplacian(fun))(x)
    close(value, fun(x))
    close(jacobian, jax.jacfwd(fun)(x))
    close(laplacian, trace_of_hessian(fun, x))


def test_arguments_and_trees():
    def fun(p: Any, y: Any, k: int) -> Any:
        return jnp.sum(p["a"] ** k) * y + jnp.sum(p["b"] * y**2)

    p, y = {"a": jnp.arange(1.0, 4.0), "b": jnp.ones((2, 2))}, jnp.array(3.0)
    value, (by_p, by_y), laplacian = gradir.jax.laplacian(fun, argnums=(0, 1))(p, y, 3)
    close((by_p, by_y), jax.grad(fun, argnums=(0, 1))(p, y, 3))
    close(laplacian, jnp.sum(6 * p["a"]) * y + 8.0)
    assert float(value) == float(fun(p, y, 3))


def test_under_other_transformations():
    xs = jnp.asarray(RNG.normal(size=(3, D)))
    many = jax.vmap(gradir.jax.laplacian(network))(xs)
    close(many.laplacian, jnp.stack([trace_of_hessian(network, x) for x in xs]))

    def residual(w: Any) -> Any:
        return gradir.jax.laplacian(lambda x: jnp.sum(jnp.tanh(x @ w) ** 2))(X).laplacian ** 2

    def theirs(w: Any) -> Any:
        return trace_of_hessian(lambda x: jnp.sum(jnp.tanh(x @ w) ** 2), X) ** 2

    close(gradir.jax.grad(residual)(WEIGHTS[0]), jax.grad(theirs)(WEIGHTS[0]))
    twice = gradir.jax.laplacian(lambda x: gradir.jax.laplacian(lambda y: jnp.sum(jnp.sin(y) * y))(x).laplacian)
    close(twice(X).laplacian, jnp.sum(-4 * jnp.cos(X) + X * jnp.sin(X)))


def test_float32_empty_and_refused():
    narrow = gradir.jax.laplacian(lambda x: jnp.sum(x**3))(jnp.ones(3, jnp.float32))
    assert narrow.laplacian.dtype == np.float32
    assert float(narrow.laplacian) == 18
    empty = gradir.jax.laplacian(lambda x: jnp.sum(x**3))(jnp.zeros(0))
    assert empty.jacobian.shape == (0,)
    assert float(empty.laplacian) == 0
    with pytest.raises(TypeError, match="real-valued inputs"):
        gradir.jax.laplacian(jnp.sum)(jnp.arange(3))
    with pytest.raises(TypeError, match="real-valued outputs"):
        gradir.jax.laplacian(lambda x: x * 1j)(jnp.ones(3))


def test_blocks_of_variables_have_derivatives_of_their_own():
    """Twice as many particles of three variables each: twice the work, and not four times."""

    def work(n: int) -> float:
        def fun(x: Any) -> Any:
            h = jnp.tanh(jnp.tanh(x.reshape(n, 3) @ jnp.ones((3, 32))) @ jnp.ones((32, 32)))
            return jnp.sum(h**2)

        run = jax.jit(lambda x: gradir.jax.laplacian(fun)(x).laplacian)
        return run.lower(jnp.zeros(3 * n)).compile().cost_analysis()["flops"]

    assert work(40) < 2.5 * work(20)


def test_the_first_layer_is_no_product():
    weights = jnp.ones((64, 4))
    run = jax.jit(lambda w, x: gradir.jax.laplacian(lambda x: jnp.sum(jnp.tanh(x @ w)))(x).laplacian)
    assert run.lower(weights, jnp.zeros(64)).compile().cost_analysis()["flops"] < 4 * 64 * 4 * 4
