"""Sorting against JAX: what programs make of it, ties, second derivatives, and that nothing is sorted twice."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax import lax

import gradir
from gradir.tensor.ir.entry import isolate

QUICK = {"xla_backend_optimization_level": "0", "xla_llvm_disable_expensive_passes": "True"}

X = np.random.default_rng(0).normal(size=(3, 5))
TIES = np.array([[2.0, 1.0, 2.0, 1.0, 2.0], [0.0, -0.0, 0.0, 3.0, 3.0], [1.0, 1.0, 1.0, 1.0, 1.0]])


@pytest.fixture(autouse=True)
def wide() -> Iterator[None]:
    """Double precision; and JAX's compiler in a hurry, since what it compiles runs for microseconds."""
    jax.config.update("jax_disable_most_optimizations", True)
    with jax.enable_x64(True):
        yield
    jax.config.update("jax_disable_most_optimizations", False)


def scalar(f: Callable[..., Any]) -> Callable[..., Any]:
    def total(x: Any) -> Any:
        y = f(x)
        return (jnp.sin(y) * jnp.cos(jnp.arange(y.size)).reshape(y.shape)).sum()

    return total


PROGRAMS: list[Callable[..., Any]] = [
    lambda x: jnp.sort(x, axis=0),
    lambda x: jnp.sort(x, descending=True),
    lambda x: x[:, jnp.argsort(x[0])],
    lambda x: lax.sort((x, x * x), num_keys=1)[1],
    lambda x: lax.sort((jnp.round(x), x), num_keys=2, is_stable=False)[1],
    lambda x: lax.top_k(x, 3)[0],
    lambda x: lax.top_k(x.T, 2)[0],
    lambda x: lax.approx_max_k(x, 2)[0],
    lambda x: lax.approx_min_k(x, 3, reduction_dimension=0)[0],
    lambda x: jax.vmap(jnp.sort)(x),
    lambda x: jnp.median(x, axis=1),
    lambda x: jnp.quantile(x, 0.3, axis=0),
]


@pytest.mark.parametrize("x", [X, TIES], ids=["", "ties"])
@pytest.mark.parametrize("f", PROGRAMS)
def test_programs(f: Callable[..., Any], x: np.ndarray) -> None:
    g = scalar(f)
    got = gradir.load(jax.jit(g).lower(x)).grad(name="d").run("d", x, xla_options=QUICK)
    np.testing.assert_allclose(got, jax.jit(jax.grad(g))(x), rtol=1e-12, atol=1e-12)


def test_second_derivatives() -> None:
    """Of all programs together: forward over reverse, and reverse over reverse."""

    def total(x: Any) -> Any:
        return sum(scalar(f)(x) for f in PROGRAMS)

    direction = np.cos(np.arange(X.size)).reshape(X.shape)
    expected = jax.jit(lambda x, d: jax.jvp(jax.grad(total), (x,), (d,)))(X, direction)[1]
    module = gradir.load(jax.jit(total).lower(X)).grad(name="g")
    for mode in ("jvp", "vjp"):
        got = getattr(module, mode)("g", name="d").run("d", X, direction, xla_options=QUICK)[1]
        np.testing.assert_allclose(got, expected, rtol=1e-11, atol=1e-11)


@pytest.mark.parametrize("mode", ["grad", "jvp", "hessian"])
def test_sorted_once(mode: str) -> None:
    """Value and derivative, of whatever order, share one sort with one permutation."""
    module = gradir.load(jax.jit(lambda x: (jnp.sort(x) ** 3)[0, 1]).lower(X))
    derived = getattr(module, mode)(name="d")
    assert str(isolate(derived.ir, "d").module).count('"stablehlo.sort"') == 1


def test_a_permutation_that_is_there_is_used() -> None:
    """`argsort` has counted already."""

    def f(x: Any) -> Any:
        keys, _, values = lax.sort((x, lax.iota(np.int32, 5), x * x), num_keys=1)
        return keys @ values

    text = str(gradir.load(jax.jit(f).lower(X[0])).value_and_grad(name="d"))
    assert text[text.index("func.func private @main.reverse") :].count("stablehlo.iota") == 1
