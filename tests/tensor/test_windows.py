"""Windows against JAX: ties of pooling and of running extrema, and random windows."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from against_jax import check, close, jvp, load, run, vjp
from hypothesis import given, settings
from hypothesis import strategies as st
from jax import lax

import gradir


@pytest.fixture(autouse=True, scope="module")
def wide() -> Iterator[None]:
    with jax.enable_x64(True):
        yield


def pool(op: Callable[..., Any], init: float, *window: Any, **more: Any) -> Callable[..., Any]:
    return lambda x: lax.reduce_window(x, init, op, *window, **more)


@pytest.mark.parametrize("padding", ["SAME", "VALID"])
@pytest.mark.parametrize(("op", "init"), [(lax.max, -np.inf), (lax.min, np.inf)])
def test_the_first_of_equal_elements_is_selected(op: Callable[..., Any], init: float, padding: str) -> None:
    x = np.array([[1.0, 1, 2, 2], [1, 1, 2, 2], [3, 0, 0, 3]])
    check(pool(op, init, (2, 2), (1, 1), padding), x)


def test_a_maximum_from_the_lowest_number_there_is() -> None:
    """Some programs start from the lowest finite number instead of minus infinity."""
    lowest, x, ct = float(np.finfo(np.float64).min), np.array([3.0, 1, 2]), np.array([1.0, 10, 100])
    close(vjp(pool(lax.max, lowest, (2,), (1,), "SAME"), [x], ct), [np.array([1.0, 0, 110])])


@pytest.mark.parametrize("f", [lax.cummax, lax.cummin, lax.cumprod])
@pytest.mark.parametrize("reverse", [False, True])
def test_running_reductions_with_ties_and_zeros(f: Callable[..., Any], reverse: bool) -> None:
    check(lambda x: f(x, axis=0, reverse=reverse), np.array([1.0, 0, 2, 2, 0, 2, 3, 3, 1]), twice=False)


def test_running_reductions_take_logarithmically_many_steps() -> None:
    x = np.linspace(0.5, 1.5, 256)
    text = str(load(lambda x: jnp.cumprod(x), [x]).vjp(name="d"))
    assert text.count("stablehlo.multiply") < 100
    assert "stablehlo.while" not in text
    sums = str(load(lambda x: jnp.cumsum(x), [x]).vjp(name="d"))
    assert sums.count("stablehlo.reduce_window") == 3  # of the function itself, of its value, and backwards


def test_large_windows() -> None:
    """More positions than are taken apart: by `select_and_scatter`, or where they overlap much, by doubling."""
    x = np.random.default_rng(0).normal(size=(10, 11))
    check(pool(lax.max, -np.inf, (9, 9), (9, 9), "SAME"), x)
    check(pool(lax.min, np.inf, (9, 10), (1, 1), "VALID"), x)


@st.composite
def windows(draw: st.DrawFn) -> tuple[list[int], dict[str, Any]]:
    """A shape of one or two dimensions and a window on it that fits."""
    rank = draw(st.integers(1, 2))

    def ints(low: int, high: int) -> tuple[int, ...]:
        return tuple(draw(st.integers(low, high)) for _ in range(rank))

    return [draw(st.integers(4, 6)) for _ in range(rank)], {
        "window_dimensions": ints(1, 3),
        "window_strides": ints(1, 3),
        "padding": tuple((draw(st.integers(0, 2)), draw(st.integers(0, 2))) for _ in range(rank)),
        "base_dilation": ints(1, 2),
        "window_dilation": ints(1, 2),
    }


@given(windows())
@settings(max_examples=4, deadline=None)
def test_any_window(window: tuple[list[int], dict[str, Any]]) -> None:
    """Extrema and products with holes and steps, which JAX has in forward mode only."""
    shape, options = window
    x = 1 + np.random.default_rng(0).permutation(int(np.prod(shape))).reshape(shape) / 10
    check(lambda x: lax.reduce_window(x, 0.0, lax.add, **options), x, twice=False)

    def largest(x: jax.Array) -> jax.Array:
        return lax.reduce_window(x, -np.inf, lax.max, **options)

    def times(x: jax.Array) -> jax.Array:
        return lax.reduce_window(x, 1.0, lax.mul, **options)

    def logs(x: jax.Array) -> jax.Array:
        return jnp.exp(lax.reduce_window(jnp.log(x), 0.0, lax.add, **options))

    t = np.cos(np.arange(x.size)).reshape(shape)
    for f, oracle in ((largest, largest), (times, logs)):
        tangents = jvp(f, [x], [t])
        close(tangents, jax.jvp(oracle, (x,), (t,))[1])
        ct = np.sin(np.arange(tangents[0].size)).reshape(tangents[0].shape)
        (by_x,) = vjp(f, [x], ct)
        np.testing.assert_allclose(np.sum(by_x * t), np.sum(ct * tangents[0]), atol=1e-10)


def test_batches_of_windows_with_an_initial_value_each() -> None:
    text = """func.func public @f(%x: tensor<5xf64>, %i: tensor<f64>) -> tensor<3xf64> {
      %r = "stablehlo.reduce_window"(%x, %i) ({
        ^bb0(%a: tensor<f64>, %b: tensor<f64>):
          %c = stablehlo.maximum %a, %b : tensor<f64>
          stablehlo.return %c : tensor<f64>
      }) {window_dimensions = array<i64: 3>} : (tensor<5xf64>, tensor<f64>) -> tensor<3xf64>
      return %r : tensor<3xf64>
    }"""
    x, i = np.arange(5.0), np.array([0.0, 3, 9])
    (out,) = run(gradir.load(text).batch(size=3, in_axes=[None, 0], name="d"), x, i)
    np.testing.assert_array_equal(out, np.maximum(np.array([2.0, 3, 4]), i[:, None]))
