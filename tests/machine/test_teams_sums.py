"""Sums by teams of threads: they are computed only where a derivative needs them, or somebody asks for them."""

from __future__ import annotations

import ctypes
import re
from collections.abc import Callable, Iterator
from glob import glob
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import gradir

_RUNTIME = sorted(glob("/usr/lib/llvm-*/lib/libomp.so.5"))
pytestmark = pytest.mark.skipif(not _RUNTIME, reason="no libomp")
X, Y = np.random.default_rng(5).uniform(0.5, 1.5, size=(2, 11))


def steered(x: Any, y: Any) -> Any:
    s = 0.0
    for k in range(2):
        s = s + (k + 1) * (x @ y)
        s = 3 * s if s.real < 0 else s
    return s


FUNCTIONS: dict[str, Callable[[Any, Any], Any]] = {
    "total": lambda x, y: x @ y,
    "squared": lambda x, y: (x @ y) ** 2,
    "product": lambda x, y: np.prod(x + 0.1 * y),
    "twice": lambda x, y: x.sum() + x @ y,
    "steered": steered,
}


@pytest.fixture(scope="module")
def m() -> gradir.NativeModule:
    return gradir.load(Path(__file__).parent / "openmp" / "sums.c", flags=["-fopenmp"])


@pytest.fixture(params=[1, 3])
def threads(request: Any) -> Iterator[int]:
    library = ctypes.CDLL(_RUNTIME[-1])
    before = library.omp_get_max_threads()
    library.omp_set_num_threads(request.param)
    yield request.param
    library.omp_set_num_threads(before)


def slopes(f: Callable[[Any, Any], Any], x: Any, y: Any) -> list[np.ndarray]:
    """By complex steps, which are exact to the last digits."""
    steps = 1e-30j * np.eye(len(x))
    return [np.array([f(x + s, y).imag for s in steps]) / 1e-30, np.array([f(x, y + s).imag for s in steps]) / 1e-30]


@pytest.mark.parametrize("name", FUNCTIONS)
@pytest.mark.parametrize("sign", [1, -1])
def test_gradients(m: gradir.NativeModule, threads: int, name: str, sign: int) -> None:
    f, y = FUNCTIONS[name], sign * Y
    assert np.allclose(m.grad(name, ("x", "y"))(X, y, 11), slopes(f, X, y), rtol=1e-12)
    value, gradients = m.value_and_grad(name, ("x", "y"))(X, y, 11)
    assert np.isclose(value, f(X, y), rtol=1e-12) and np.allclose(gradients, slopes(f, X, y), rtol=1e-12)


def test_what_goes_elsewhere_is_computed(m: gradir.NativeModule, threads: int) -> None:
    out = np.zeros(1)
    m.grad("both", ("x", "y"))(X, Y, 11, out)
    assert np.isclose(out[0], X @ Y * Y[0], rtol=1e-12)


def forward_sweep(m: gradir.NativeModule, name: str, folder: Path, with_value: bool) -> str:
    """What each thread does in the forward sweep, as LLVM leaves it."""
    derivative = m.value_and_grad(name, ("x", "y")) if with_value else m.grad(name, ("x", "y"))
    derivative.save(folder / "derivative.ll")
    text = (folder / "derivative.ll").read_text()
    [found] = re.findall(r"^define [^\n]*@gradir_augmented_[^\n]*\n(.*?)^}", text, re.MULTILINE | re.DOTALL)
    return str(found)


@pytest.mark.parametrize("name", ["total", "squared", "both"])
@pytest.mark.parametrize("with_value", [False, True])
def test_who_sums_up(m: gradir.NativeModule, tmp_path: Path, name: str, with_value: bool) -> None:
    """The forward sweep of a sum has nothing to do, unless the value is asked for or used."""
    sums = re.search(r"fadd|fmuladd", forward_sweep(m, name, tmp_path, with_value)) is not None
    assert sums == (name != "total" or with_value)
