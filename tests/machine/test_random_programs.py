"""Random programs: forward against central differences, reverse against forward, at every mode's own width."""

from __future__ import annotations

import os
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
import pytest
from differential import Bench, central_difference, function_of
from random_c import LENGTH, PRELUDE, program

from gradir.errors import BackendError, MissingExtra
from gradir.frontends import to_llvm

# GRADIR_FUZZ=100:400 tries seeds 100 to 399 instead.
FIRST, LAST = map(int, os.environ.get("GRADIR_FUZZ", "1:25").split(":"))


@cache
def compiled() -> Any:
    """All of the programs in one module, since starting a compiler takes longer than what it does."""
    with TemporaryDirectory() as folder:
        source = Path(folder) / "random.c"
        source.write_text(PRELUDE + "".join(program(seed) for seed in range(FIRST, LAST)))
        return to_llvm(source)


@pytest.mark.parametrize("seed", range(FIRST, LAST))
def test_random_program(seed: int) -> None:
    try:
        source = compiled()
    except (BackendError, MissingExtra) as error:
        pytest.skip(str(error))
    rng = np.random.default_rng(seed)
    arrays = rng.uniform(-1, 1, size=(2, LENGTH))
    arguments = (arrays[0], arrays[1], rng.integers(0, LENGTH, 4).astype(np.int32), int(rng.integers(3, 6)), 0.4)
    function, values = function_of(f"fuzz_{seed}", "double", arguments)
    bench = Bench(source, function)
    forward, reverse, vector = bench.forward(function), bench.reverse(function), bench.reverse(function, 2)
    bench.build(level=2)

    value = bench.run(function, values)
    v, seeds = rng.normal(size=len(function.input(values))), rng.normal(size=(2, len(value)))
    after, tangent = bench.jvp(forward, values, [v])
    np.testing.assert_allclose(after, value, rtol=1e-12, atol=1e-12)
    expected, again = (
        central_difference(lambda h: bench.run(function, function.moved(values, h * v)), step) for step in (1e-4, 1e-5)
    )
    scale = 1 + np.max(np.abs(tangent))
    if np.max(np.abs(expected - again)) < 1e-6 * scale:  # else a branch changes sides within the step
        np.testing.assert_allclose(tangent, expected, rtol=0, atol=1e-7 * scale, err_msg=program(seed))

    after, gradient = bench.vjp(reverse, values, [seeds[0]])
    np.testing.assert_allclose(after, value, rtol=1e-12, atol=1e-12)
    size = np.linalg.norm(gradient) * np.linalg.norm(v) + np.linalg.norm(seeds[0]) * np.linalg.norm(tangent)
    assert abs(gradient @ v - seeds[0] @ tangent) <= 1e-12 * size, program(seed)
    _, first, second = bench.vjp(vector, values, list(seeds))
    np.testing.assert_allclose(first, gradient, rtol=1e-9, atol=1e-12 * scale, err_msg=program(seed))
    size += np.linalg.norm(second) * np.linalg.norm(v) + np.linalg.norm(seeds[1]) * np.linalg.norm(tangent)
    assert abs(second @ v - seeds[1] @ tangent) <= 1e-12 * size, program(seed)
