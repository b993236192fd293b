"""Ten kernels on the emulator: their values and gradients are those of the same functions in JAX, in both modes."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest

import gradir

BENCHMARKS = Path(__file__).parents[2] / "benchmarks"


def _cases() -> Any:
    spec = importlib.util.spec_from_file_location("cuda_cases", BENCHMARKS / "cuda_cases.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


cases = _cases()


@pytest.fixture(scope="module")
def kernels() -> Any:
    return gradir.load(BENCHMARKS / "cuda.cu", flags=["-Dreal=double"])


def copies(values: list[Any]) -> list[Any]:
    return [v.copy() if isinstance(v, np.ndarray) else v for v in values]


@pytest.mark.parametrize("name", cases.CASES)
def test_gradients_are_those_of_jax(kernels: Any, name: str) -> None:
    case, rng = cases.CASES[name], np.random.default_rng(0)
    close = {"rtol": 1e-10, "atol": 1e-11}  # sums of a hundred doubles, in another order
    with jax.enable_x64(True):
        grid, block, arguments = case.make(rng, False)
        floats = [k for k, v in enumerate(arguments) if cases.is_float(v)]

        def function(*values: Any) -> Any:
            given = list(arguments)
            for k, v in zip(floats, values, strict=True):
                given[k] = v
            return case.function(jnp, *given)

        wanted, pull = jax.vjp(function, *(arguments[k] for k in floats))
        run = copies(arguments)
        kernels[name][grid, block](*run)
        np.testing.assert_allclose(run[case.output], wanted, **close)

        seed = rng.normal(size=wanted.shape)
        shadows = [np.zeros(np.shape(arguments[k]) or 1) for k in floats]
        shadows[floats.index(case.output)] += seed
        kernels.vjp(name)[grid, block](*copies(arguments), *shadows)
        for found, expected in zip(shadows, pull(seed), strict=True):
            np.testing.assert_allclose(found.reshape(np.shape(expected)), expected, **close)

        tangents = [rng.normal(size=np.shape(arguments[k])) for k in floats]
        _, pushed = jax.jvp(function, [arguments[k] for k in floats], tangents)
        given = [float(t) if np.ndim(t) == 0 else t.copy() for t in tangents]
        kernels.jvp(name)[grid, block](*copies(arguments), *given)
        np.testing.assert_allclose(given[floats.index(case.output)], pushed, **close)
