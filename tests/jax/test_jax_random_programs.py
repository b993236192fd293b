"""Random small programs: chains of elementwise ops, reductions, shape changes, products, sorting, branches and loops.

Hypothesis draws the program and makes a failing one small; the numbers are fixed, and no two of them alike. All values
are kept near 1, and everything is in double precision, so `ROUNDING` units (2e-12) are far more than rounding makes.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from agreement import assert_agree, direction
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from jax import lax

import gradir.jax as ours

Array = Any

UNARY: dict[str, Callable[[Array], Array]] = {
    "sin": jnp.sin,
    "tanh": jnp.tanh,
    "exp": lambda x: jnp.exp(-(x**2)),
    "log": lambda x: jnp.log1p(x * x),
    "sqrt": lambda x: jnp.sqrt(1 + x * x),
    "cube": lambda x: x**3 / (1 + x**4),
    "sigmoid": jax.nn.sigmoid,
    "relu": lambda x: jax.nn.relu(x - 0.1),
    "softmax": lambda x: jax.nn.softmax(x, -1) if x.ndim else x,
    "stop": lambda x: x * lax.stop_gradient(jnp.cos(x)),
    "clip": lambda x: jnp.clip(x, -0.7, 0.8),
    "jitted": jax.jit(lambda x: jnp.cos(x) * x),
    "checkpointed": jax.checkpoint(lambda x: jnp.sin(jnp.cos(x) * x)),
    "complex": lambda x: jnp.abs(jnp.exp(1j * x) + 0.5),
    "narrow": lambda x: x.astype(jnp.float32).astype(jnp.float64),
    "loop": lambda x: lax.fori_loop(0, 3, lambda i, y: jnp.sin(y) + 0.1 * i * x, x),
    "scan": lambda x: lax.scan(lambda c, a: (jnp.tanh(c + a), c * a), 0.3 * x, jnp.stack([x, 2 * x]))[1].sum(0),
    "branch": lambda x: lax.cond(jnp.sum(x) > 0.2, lambda x: jnp.sin(x) * 2, lambda x: x * x / (1 + x * x), x),
}

BINARY: dict[str, Callable[[Array, Array], Array]] = {
    "add": lambda x, y: x + y,
    "subtract": lambda x, y: x - 0.7 * y,
    "multiply": lambda x, y: x * y,
    "divide": lambda x, y: x / (2 + y * y),
    "power": lambda x, y: (1.1 + x * x) ** jnp.tanh(y),
    "atan2": lambda x, y: jnp.arctan2(x, 1.3 + y * y),
    "maximum": jnp.maximum,
    "minimum": lambda x, y: jnp.minimum(x, y),
    "where": lambda x, y: jnp.where(x > y, x * y, y),
    "hypot": lambda x, y: jnp.hypot(x, y + 0.5),
    "logaddexp": jnp.logaddexp,
}

SHAPE: dict[str, Callable[[Array], Array]] = {
    "transpose": jnp.transpose,
    "flatten": jnp.ravel,
    "stack": lambda x: jnp.stack([x, 0.5 * x]),
    "expand": lambda x: x[None] * jnp.linspace(0.5, 1, 2).reshape(2, *[1] * x.ndim),
    "flip": lambda x: jnp.flip(x, 0) if x.ndim else x,
    "roll": lambda x: jnp.roll(x, 1),
    "slice": lambda x: x[:2] if x.ndim else x,
    "stride": lambda x: x[..., ::2] if x.ndim else x,
    "pad": lambda x: jnp.pad(x, 1) if x.ndim else x,
    "take": lambda x: x[jnp.array([0, -1, 0])] if x.ndim else x,
    "scatter": lambda x: x.at[jnp.array([0, -1])].add(0.3 * x[:2]) if x.ndim and x.shape[0] > 1 else x,
    "update": lambda x: x.at[0].set(jnp.sin(x[-1])) if x.ndim else x,
    "concatenate": lambda x: jnp.concatenate([x, x[::-1]]) if x.ndim else x,
    "cumsum": lambda x: jnp.cumsum(x, -1) / 3 if x.ndim else x,
    "cumprod": lambda x: jnp.cumprod(x, 0) if x.ndim else x,
    "sort": lambda x: jnp.sort(x, -1) if x.ndim else x,
    "gram": lambda x: x @ x.T / 3 if x.ndim == 2 else x,
    "sum": lambda x: jnp.sum(x, 0) / 2 if x.ndim else x,
    "mean": lambda x: jnp.mean(x, -1) if x.ndim else x,
    "max": lambda x: jnp.max(x, 0) if x.ndim else x,
    "min": lambda x: jnp.min(x, -1) if x.ndim else x,
    "prod": lambda x: jnp.prod(x, -1) if x.ndim else x,
    "logsumexp": lambda x: jax.nn.logsumexp(x, -1) if x.ndim else x,
    "vmapped": lambda x: jax.vmap(lambda r: r / (1 + jnp.sum(r**2)))(x) if x.ndim else x,
    "fft": lambda x: jnp.abs(jnp.fft.rfft(x) + 2.0) / 3 if x.ndim else x,
}

STEP = st.one_of(
    st.tuples(st.sampled_from(sorted(UNARY)), st.integers(0, 9)),
    st.tuples(st.sampled_from(sorted(BINARY)), st.integers(0, 9), st.integers(0, 9)),
    st.tuples(st.sampled_from(sorted(SHAPE)), st.integers(0, 9)),
)
LARGEST = 100


def run(program: list[Any], x: Array, y: Array) -> Array:
    """Run the program on a growing list of values; every value counts in the result."""
    values = [x, y]
    for name, *places in program:
        args = [values[p % len(values)] for p in places]
        if name in BINARY:
            try:
                shape = jnp.broadcast_shapes(args[0].shape, args[1].shape)
            except ValueError:
                args, shape = [args[0], jnp.sum(args[1]) / 3], args[0].shape
            out = BINARY[name](*args) if np.prod(shape) <= LARGEST else args[0]
        else:
            out = (UNARY | SHAPE)[name](args[0])
        values.append(out if out.size <= LARGEST else args[0])
    return sum(jnp.mean(v * jnp.cos(jnp.arange(v.size) + k).reshape(v.shape)) for k, v in enumerate(values) if v.size)


X, Y = np.random.default_rng(1).uniform(-1, 1, (2, 3)), np.random.default_rng(2).uniform(-1, 1, 3)


def check(program: list[Any], derivatives: Callable[[Any, Any], Callable[..., Any]]) -> None:
    def loss(x, y):
        return run(program, x, y)

    with jax.enable_x64(True):
        assert_agree(jax.jit(derivatives(ours, loss))(X, Y), jax.jit(derivatives(jax, loss))(X, Y))


def both_modes(m: Any, loss: Any) -> Callable[..., Any]:
    return lambda *x: (m.value_and_grad(loss, (0, 1))(*x), m.jvp(loss, x, direction(x)))


def both_orders(m: Any, loss: Any) -> Callable[..., Any]:
    """Forward over reverse and reverse over reverse."""
    gradient = m.grad(loss, (0, 1))

    def slope(*x):
        return sum(jnp.vdot(g, t) for g, t in zip(gradient(*x), direction(x), strict=True))

    return lambda *x: (m.jvp(gradient, x, direction(x)), m.grad(slope, (0, 1))(*x))


def batched(m: Any, loss: Any) -> Callable[..., Any]:
    """Over examples that differ, with one argument shared."""
    return lambda x, y: (
        jax.vmap(m.grad(loss, (0, 1)), (0, None))(jnp.stack([x, -x, x * 0.5]), y),
        jax.vmap(lambda y: m.jvp(loss, (x, y), direction((x, y))))(jnp.stack([y, -y])),
    )


quick = settings(
    max_examples=8,
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture],
)


@pytest.mark.parametrize("length", [3, 6])
@pytest.mark.parametrize("derivatives", [both_modes, both_orders, batched])
def test_random_program(derivatives: Any, length: int) -> None:
    @quick
    @given(st.lists(STEP, min_size=length, max_size=length))
    def holds(program: list[Any]) -> None:
        check(program, derivatives)

    holds()
