"""Taylor mode beside nested forward mode of JAX; Jacobians by shape, products with Hessians, gradients by example."""

from __future__ import annotations

import math
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax import lax

import gradir.jax
from gradir.errors import GradirError

pytestmark = pytest.mark.usefixtures("x64")

D, ORDER = 4, 3
W = np.random.default_rng(0).normal(size=(D, D))


def _with_derivative(fun: Any) -> Any:
    """A function that gives a list of derivatives, with one more."""

    def longer(t: Any) -> Any:
        made, moved = jax.jvp(fun, (t,), (1.0,))
        return [made, moved] if not isinstance(made, list) else [*made, moved[-1]]

    return longer


def derivatives_in_turn(fun: Any, x: Any, series: Any) -> list[Any]:
    """One derivative after the other of the function along the curve, at 0."""

    def along(t: Any) -> Any:
        return fun(sum((s * t ** (k + 1) / math.factorial(k + 1) for k, s in enumerate(series)), x))

    current: Any = along
    for _ in series:
        current = _with_derivative(current)
    return jax.jit(current)(0.0)[1:]


PROGRAMS = {
    "exp, log": lambda x: jnp.log(1.5 + jnp.exp(x)) + jnp.expm1(x) * jnp.log1p(x * x),
    "circular": lambda x: jnp.sin(x) * jnp.cos(x**2) + jnp.tan(0.3 * x),
    "network": lambda x: jnp.sum(jnp.tanh(jnp.tanh(x @ W) @ W) * jax.nn.sigmoid(x)),
    "quotients": lambda x: x / (1 + x**2) + 1 / (2 + jnp.sqrt(1 + x * x)) + lax.rsqrt(3 + x),
    "powers": lambda x: jnp.abs(x) ** 2.5 + (2 + x**2) ** x,
    "products": lambda x: jnp.convolve(x, x) + jnp.sum(jnp.outer(x, x) @ x),
    "moved": lambda x: jnp.concatenate([x[::-1] ** 2, x[1:] * x[:-1]]),
    "kinks": lambda x: jnp.maximum(x, 0.1) ** 3 + jnp.where(x > 0, x, jnp.abs(x) * x) + jnp.max(x) ** 2,
    "others": lambda x: lax.erf(x) * jnp.arctan(x) + lax.lgamma(2 + x * x),
    "loop": lambda x: lax.fori_loop(0, 3, lambda i, v: jnp.sin(v) + v * x[i], x),
    "scan": lambda x: lax.scan(lambda c, a: (jnp.sin(c) * a, c * a), 1.0, x)[1],
    "branch": lambda x: lax.cond(x[0] > 0, lambda x: jnp.sum(x**3), lambda x: jnp.prod(x), x),
    "rules of its own": lambda x: jax.nn.relu(x) ** 3 + jax.nn.softmax(x),
    "solve": lambda x: jnp.linalg.solve(jnp.eye(D) * 5 + jnp.outer(x, x), x),
    "nothing": lambda x: jnp.floor(x),
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_jets(name: str):
    fun = PROGRAMS[name]
    rng = np.random.default_rng(1)
    x, series = jnp.asarray(rng.normal(size=D)), [jnp.asarray(rng.normal(size=D)) for _ in range(ORDER)]
    value, found = jax.jit(lambda x, s: gradir.jax.jet(fun, (x,), (s,)))(x, series)
    np.testing.assert_allclose(value, fun(x), rtol=1e-12)
    for ours, theirs in zip(found, derivatives_in_turn(fun, x, series), strict=True):
        # The k-th derivative is a sum of terms up to k! times those of the first, in another order.
        np.testing.assert_allclose(ours, theirs, rtol=1e-9, atol=1e-9 * max(1, float(jnp.abs(theirs).max())))


def test_high_orders_take_no_more_than_their_square():
    x, order = jnp.asarray(0.3), 16
    _, found = gradir.jax.jet(lambda x: jnp.exp(jnp.sin(x)), (x,), ([jnp.ones(()), *[jnp.zeros(())] * (order - 1)],))
    # exp(sin x)' = cos x exp(sin x): Leibniz' rule gives each derivative from those before.
    made = [math.exp(math.sin(0.3))]
    slopes = [math.cos(0.3 + k * math.pi / 2) for k in range(order)]
    for n in range(order):
        made.append(sum(math.comb(n, k) * slopes[k] * made[n - k] for k in range(n + 1)))
    np.testing.assert_allclose(found, made[1:], rtol=1e-10)


def test_trees_and_several_arguments():
    def fun(p: Any, y: Any) -> Any:
        return {"a": p["u"] * y, "b": jnp.sum(p["u"]) ** 2}

    p, dp = {"u": jnp.array([1.0, 2.0])}, {"u": jnp.array([0.5, -1.0])}
    value, series = gradir.jax.jet(fun, (p, 3.0), ((dp, dp), (1.0, 0.0)))
    assert value["a"].tolist() == [3.0, 6.0]
    np.testing.assert_allclose(series["a"][0], dp["u"] * 3 + p["u"])
    np.testing.assert_allclose(series["a"][1], dp["u"] * 3 + 2 * dp["u"])
    np.testing.assert_allclose(series["b"], [2 * 3 * -0.5, 2 * 0.25 + 2 * 3 * -0.5])


@pytest.mark.parametrize(
    ("primals", "series", "says"),
    [
        ((1.0,), ((1.0,), (1.0,)), "1 primals"),
        ((1.0,), ((),), "not empty"),
        ((jnp.ones(2),), ((jnp.ones(3),),), "shape"),
        (({"a": 1.0},), ((1.0,),), "structure"),
    ],
)
def test_series_that_do_not_fit(primals: Any, series: Any, says: str):
    with pytest.raises(GradirError, match=says):
        gradir.jax.jet(lambda x: jnp.sum(jax.tree.leaves(x)[0]), primals, series)


# -- Jacobians, Hessians, examples -------------------------------------------------------------------------------------


@pytest.mark.parametrize("shapes", [(3, 5), (5, 3), (1, 4), (4, 1), (0, 2), (2, 0)])
def test_jacobians_of_any_shape(shapes: tuple[int, int]):
    n, m = shapes
    matrix = np.random.default_rng(0).normal(size=(m, n))

    def fun(x: Any) -> Any:
        return {"y": jnp.sin(jnp.asarray(matrix) @ x)}

    x = jnp.linspace(0, 1, n)
    for mode in ("auto", "forward", "reverse"):
        np.testing.assert_allclose(gradir.jax.jacobian(fun, mode=mode)(x)["y"], jax.jacfwd(fun)(x)["y"], rtol=1e-12)
    with pytest.raises(GradirError, match="mode"):
        gradir.jax.jacobian(fun, mode="sideways")  # type: ignore[arg-type]


def test_jacobians_go_the_shorter_way():
    def by_rows(x: Any) -> Any:
        return gradir.jax.jacobian(lambda x: jnp.sum(jnp.tanh(x @ jnp.ones((64, 8)))))(x)

    text = jax.jit(by_rows).lower(jnp.zeros(64)).as_text()
    assert "64x64x" not in text
    aux = gradir.jax.jacobian(lambda x: (x**2, x), has_aux=True)(jnp.ones(2))
    assert aux[0].tolist() == [[2, 0], [0, 2]]


def test_products_with_hessians():
    def fun(x: Any, y: Any) -> Any:
        return jnp.sum(jnp.sin(x) * y["a"] ** 2)

    x, y = jnp.arange(1.0, 4.0), {"a": jnp.ones(3)}
    tangents = (jnp.array([1.0, -1.0, 0.5]), {"a": jnp.array([0.0, 2.0, 1.0])})
    ours = gradir.jax.hvp(fun, (x, y), tangents)
    theirs = jax.jvp(jax.grad(fun, argnums=(0, 1)), (x, y), tangents)[1]
    for a, b in zip(jax.tree.leaves(ours), jax.tree.leaves(theirs), strict=True):
        np.testing.assert_allclose(a, b, rtol=1e-12)
    with pytest.raises(TypeError, match="tuples or lists"):
        gradir.jax.hvp(fun, x, tangents)


def test_gradients_by_example():
    def loss(w: Any, x: Any, y: Any) -> Any:
        return (jnp.tanh(w["a"] @ x) - y) ** 2

    rng = np.random.default_rng(0)
    w, xs, ys = (
        {"a": jnp.asarray(rng.normal(size=3))},
        jnp.asarray(rng.normal(size=(5, 3))),
        jnp.asarray(rng.normal(size=5)),
    )
    found = gradir.jax.per_example_grad(loss)(w, xs, ys)["a"]
    np.testing.assert_allclose(found, jnp.stack([jax.grad(loss)(w, x, y)["a"] for x, y in zip(xs, ys, strict=True)]))
    turned = gradir.jax.per_example_grad(loss, in_axes=(None, 1, 0))(w, xs.T, ys)["a"]
    np.testing.assert_allclose(turned, found, rtol=1e-14)
