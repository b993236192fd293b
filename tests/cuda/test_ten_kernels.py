"""Ten kernels on the emulator: their values and gradients are those of the same functions in JAX, in both modes."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
import pytest

import gradir

SOURCE = Path(__file__).parents[2] / "benchmarks" / "cuda.cu"


class Case(NamedTuple):
    grid: Any
    block: Any
    make: Callable[[np.random.Generator], list[Any]]
    output: int
    function: Callable[..., Any]
    """Of the arguments that are not integers alone: what the output is afterwards."""


def _stencil(k: Any, u: Any, v: Any) -> Any:
    here = u[1:-1, 1:-1]
    around = u[1:-1, :-2] + u[1:-1, 2:] + u[:-2, 1:-1] + u[2:, 1:-1]
    return v.at[1:-1, 1:-1].set(here + k * (around - 4 * here) + here * (1 - here))


def _layer_norm(x: Any, gain: Any, bias: Any, y: Any) -> Any:
    mean = x.mean(1, keepdims=True)
    return (x - mean) / jnp.sqrt((x * x).mean(1, keepdims=True) - mean**2 + 1e-5) * gain + bias


def _nbody(p: Any, m: Any, a: Any) -> Any:
    d = p[None] - p[:, None]
    return (m[None, :, None] * d * ((d * d).sum(2, keepdims=True) + 0.01) ** -1.5).sum(1)


def _gelu(x: Any) -> Any:
    return 0.5 * x * (1 + jnp.tanh(0.7978845608 * (x + 0.044715 * x**3)))


def _functions(x: Any, y: Any) -> Any:
    softplus = lambda z: jnp.log(1 + jnp.exp(z))  # noqa: E731
    return _gelu(_gelu(x)) * softplus(softplus(x))


def _newton(x: Any, y: Any) -> Any:
    r = jnp.ones_like(x)
    for _ in range(20):  # enough for what is drawn
        r = jnp.where(abs(r**3 - x) > 1e-5 * x, r - (r**3 - x) / (3 * r * r), r)
    return r


BINS = np.random.default_rng(1).integers(0, 7, 100).astype(np.int32)

CASES = {
    "saxpy": Case(4, 64, lambda r: [200, 1.5, r.normal(size=200), r.normal(size=200)], 3, lambda a, x, y: a * x + y),
    "matmul": Case(
        (2, 2),
        (16, 16),
        lambda r: [32, r.normal(size=(32, 32)), r.normal(size=(32, 32)), np.zeros((32, 32))],
        3,
        lambda a, b, c: a @ b,
    ),
    "sum_squares": Case(2, 128, lambda r: [250, r.normal(size=250), np.zeros(1)], 2, lambda x, y: y + (x * x).sum()),
    "softmax": Case(
        3, 32, lambda r: [70, r.normal(size=(3, 70)), np.zeros((3, 70))], 2, lambda x, y: jax.nn.softmax(x, 1)
    ),
    "layer_norm": Case(
        3,
        32,
        lambda r: [64, r.normal(size=(3, 64)), r.normal(size=64), r.normal(size=64), np.zeros((3, 64))],
        4,
        _layer_norm,
    ),
    "stencil": Case(
        (2, 2), (8, 8), lambda r: [14, 0.1, r.normal(size=(14, 14)), r.normal(size=(14, 14))], 3, _stencil
    ),
    "nbody": Case(
        2, 32, lambda r: [64, r.normal(size=(64, 3)), r.uniform(size=64), np.zeros((64, 3))], 3, _nbody
    ),
    "newton": Case(2, 64, lambda r: [100, r.uniform(0.1, 4, size=100), np.zeros(100)], 2, _newton),
    "scatter": Case(
        2,
        64,
        lambda r: [100, BINS, r.normal(size=100), r.normal(size=100), np.zeros(7)],
        4,
        lambda w, x, y: y.at[BINS].add(w * x),
    ),
    "functions": Case(2, 64, lambda r: [100, r.normal(size=100), np.zeros(100)], 2, _functions),
}


@pytest.fixture(scope="module")
def kernels() -> Any:
    return gradir.load(SOURCE, flags=["-Dreal=double"])


def is_float(value: Any) -> bool:
    return isinstance(value, float) or (isinstance(value, np.ndarray) and value.dtype == np.float64)


def copies(values: list[Any]) -> list[Any]:
    return [v.copy() if isinstance(v, np.ndarray) else v for v in values]


@pytest.mark.parametrize("name", CASES)
def test_gradients_are_those_of_jax(kernels: Any, name: str) -> None:
    case, rng = CASES[name], np.random.default_rng(0)
    close = {"rtol": 1e-10, "atol": 1e-11}  # sums of a hundred doubles, in another order
    with jax.enable_x64(True):
        arguments = case.make(rng)
        floats = [k for k, v in enumerate(arguments) if is_float(v)]
        wanted, pull = jax.vjp(case.function, *(arguments[k] for k in floats))
        run = copies(arguments)
        kernels[name][case.grid, case.block](*run)
        np.testing.assert_allclose(run[case.output], wanted, **close)

        seed = rng.normal(size=wanted.shape)
        shadows = [np.zeros(np.shape(arguments[k]) or 1) for k in floats]
        shadows[floats.index(case.output)] += seed
        kernels.vjp(name)[case.grid, case.block](*copies(arguments), *shadows)
        for found, expected in zip(shadows, pull(seed), strict=True):
            np.testing.assert_allclose(found.reshape(np.shape(expected)), expected, **close)

        tangents = [rng.normal(size=np.shape(arguments[k])) for k in floats]
        _, pushed = jax.jvp(case.function, [arguments[k] for k in floats], tangents)
        given = [float(t) if np.ndim(t) == 0 else t.copy() for t in tangents]
        kernels.jvp(name)[case.grid, case.block](*copies(arguments), *given)
        np.testing.assert_allclose(given[floats.index(case.output)], pushed, **close)
