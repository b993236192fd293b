"""Expressions in Python: values and gradients against JAX, formulas to the letter, and what is refused."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest

import gradir.expressions as g
from gradir.errors import GradirError
from gradir.expressions import Expression, Var, grad, hessian, value_and_grad

x, y = Var("x"), Var("y")
X, W, b, t = Var("X", (5, 3)), Var("W", (3, 2)), Var("b", (2,)), Var("t", (5, 2))
z = X @ W + b


def values(e: Expression, seed: int = 0) -> list[np.ndarray[Any, Any]]:
    rng = np.random.default_rng(seed)
    return [rng.normal(size=v.shape).astype(v.dtype) for v in e.variables]


def test_the_first_example() -> None:
    assert repr(grad(x * y + x, x)) == "y + 1"
    assert repr(grad(x * y + x, y)) == "x"
    assert repr(x * y + x) == "x * y + x"


@pytest.mark.parametrize(
    ("e", "wanted"),
    [
        (grad(grad(x**3 * y, x), x), "6 * x * y"),
        (grad(x * y + x, x) * 2 + y, "3 * y + 2"),
        (hessian(g.exp(x * y), x), "y^2 * exp(x * y)"),
        (grad(g.sum(z), b), "5 * ones(2)"),
        (grad(g.mse(g.sigmoid(z), t), b), "mean(u * (1 - u) * (u - t), axis=0)\n  where u = sigmoid(X @ W + b)"),
        (
            grad(g.cross_entropy(z, t), W),
            "0.2 * Xᵀ @ (sum(t, axis=1, keepdims=True) * softmax(X @ W + b, axis=1) - t)",
        ),
        (grad(g.binary_cross_entropy(z, t), W), "0.1 * Xᵀ @ (sigmoid(X @ W + b) - t)"),
        (grad(g.mean(g.relu(z)), W), "0.1 * Xᵀ @ where(X @ W + b <= 0, 0, 1)"),
        (z.T, "(X @ W + b)ᵀ"),
        (b[0] * b[1], "b[0] * b[1]"),
        (g.where(x > y, x, 0.5), "where(x > y, x, 0.5)"),
        (g.maximum(b, 0), "max(b, 0)"),
        (b.reshape(2, 1), "b[:, None]"),
        (np.array([1.0, 2.0]) * b, "b * [1, 2]"),
    ],
)
def test_formulas(e: Expression, wanted: str) -> None:
    assert e.formula() == wanted


LOSSES: dict[str, tuple[Expression, Callable[..., Any]]] = {
    "mse": (g.mse(z, t), lambda X, W, b, t: jnp.mean((X @ W + b - t) ** 2)),
    "mae": (g.mae(z, t), lambda X, W, b, t: jnp.mean(jnp.abs(X @ W + b - t))),
    "cross entropy": (
        g.cross_entropy(z, t),
        lambda X, W, b, t: -jnp.mean(jnp.sum(t * jax.nn.log_softmax(X @ W + b), -1)),
    ),
    "gelu": (g.mean(g.gelu(z) * t), lambda X, W, b, t: jnp.mean(jax.nn.gelu(X @ W + b) * t)),
    "layers": (
        g.mse(g.tanh(z) @ Var("V", (2, 4)), 1.0),
        lambda X, W, b, V: jnp.mean((jnp.tanh(X @ W + b) @ V - 1.0) ** 2),
    ),
    "norm": (g.norm(z @ b) + g.logsumexp(b), lambda X, W, b: jnp.linalg.norm((X @ W + b) @ b) + jax.nn.logsumexp(b)),
}


@pytest.mark.parametrize("name", LOSSES)
def test_value_and_gradients(name: str) -> None:
    loss, reference = LOSSES[name]
    both = value_and_grad(loss)
    given = values(loss)
    named = {v.name: a for v, a in zip(loss.variables, given, strict=True)}
    value, gradients = jax.jit(jax.value_and_grad(lambda named: reference(**named)))(named)
    got, by_name = both(*given)
    source: dict[str, Any] = {}
    exec(both.python(), source)
    printed = source["value_and_grad"](*given)
    for wanted, *mine in zip((value, *(gradients[n] for n in by_name)), (got, *by_name.values()), printed, strict=True):
        for m in mine:
            # All in f32, whose last bit is 1.2e-7; sums of up to 30 terms of size one.
            np.testing.assert_allclose(m, wanted, rtol=2e-5, atol=2e-6)
            assert np.shape(m) == np.shape(wanted)
    assert list(by_name) == [v.name for v in loss.variables]


def test_programs() -> None:
    e = x * y + x
    module = e.stablehlo()
    assert list(module.functions) == ["forward", "grad_x", "grad_y"]
    assert [float(module.run(f, 2.0, 3.0)) for f in module.functions] == [8.0, 4.0, 2.0]
    assert str(module).count("stablehlo.multiply") == 1, "nothing is computed in vain"
    assert list(e.stablehlo("y").functions) == ["forward", "grad_y"]
    assert list(z.stablehlo().functions) == ["forward"]
    both = value_and_grad(e, [y]).stablehlo()
    assert [float(r) for r in both.run("value_and_grad", 2.0, 3.0)] == [8.0, 2.0]


def test_callables() -> None:
    e = grad(x * y + x, x)
    assert float(e(2.0, 3.0)) == float(e(y=3.0, x=2.0)) == float(e.numpy()(2.0, 3.0)) == 4.0
    assert isinstance(e(2.0, 3.0), np.ndarray)
    assert float(jax.jit(e.jax())(2.0, 3.0)) == 4.0
    assert float(jax.grad(e.jax(), 1)(2.0, 3.0)) == 1.0
    value, gradients = jax.jit(value_and_grad(x * y).jax())(2.0, 3.0)
    assert float(value) == 6.0 and {k: float(v) for k, v in gradients.items()} == {"x": 3.0, "y": 2.0}
    assert e.sexpr() == "(+ y 1)" and e.python("slope").endswith("def slope(x, y):\n    return y + 1")


def test_doubles() -> None:
    d = Var("d", (2,), "f64")
    e = grad(g.sum(g.exp(d) / 3 + 0.1 * d), d)
    assert e.formula() == "exp(d) / 3 + 0.1"
    made = e([1.0, 2.0])
    assert made.dtype == np.float64
    # To the last bits of f64.
    np.testing.assert_allclose(made, np.exp([1.0, 2.0]) / 3 + 0.1, rtol=1e-15)


@pytest.mark.parametrize(
    ("make", "says"),
    [
        (lambda: X @ t, ["X of shape (5, 3)", "t of shape (5, 2)"]),
        (lambda: (X @ W) + X, ["X @ W of shape (5, 2)", "X of shape (5, 3)"]),
        (lambda: grad(z, W), ["X @ W + b", "(5, 2)", "take the sum or the mean"]),
        (lambda: grad(x, y), ["x has no variable y"]),
        (lambda: grad(Var("n", (), "i32") * x, "n"), ["int32"]),
        (lambda: Var("if"), ["can't be a variable's name"]),
        (lambda: Var("x", (2, -1)), ["shape"]),
        (lambda: Var("x", (), "f99"), ["element type"]),
        (lambda: Var("x", (3,)) * x + x, ["two variables are called x", "(3,)", "()"]),
        (lambda: z(X=1), ["no value for W, b"]),
        (lambda: x(1, 2), ["2 values for 1 variables"]),
        (lambda: x(q=1), ["there is no variable q"]),
        (lambda: b([1.0, 2.0, 3.0]), ["b has the shape (2,), and its value (3,)"]),
        (lambda: x + "1", ["'1'"]),
        (lambda: value_and_grad(Var("n", (), "i32") * 2), ["no variable to differentiate by"]),
    ],
)
def test_what_is_wrong_is_said(make: Callable[[], object], says: list[str]) -> None:
    with pytest.raises(GradirError) as caught:
        make()
    assert all(word in str(caught.value) for word in says), caught.value


def test_no_truth_before_a_value() -> None:
    with pytest.raises(TypeError, match="use where"):
        bool(x > y)
