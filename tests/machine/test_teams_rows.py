"""Rows of memory that all threads of a team read: each adds to sums of its own, and the result is in closed form."""

from __future__ import annotations

import ctypes
from collections.abc import Iterator
from glob import glob
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import gradir

_RUNTIME = sorted(glob("/usr/lib/llvm-*/lib/libomp.so.5"))
pytestmark = pytest.mark.skipif(not _RUNTIME, reason="no libomp")
RANDOM = np.random.default_rng(3)


@pytest.fixture(scope="module")
def m() -> gradir.NativeModule:
    return gradir.load(Path(__file__).parent / "openmp" / "rows.c", flags=["-fopenmp"])


@pytest.fixture(params=[1, 2, 3])
def threads(request: Any) -> Iterator[int]:
    library = ctypes.CDLL(_RUNTIME[-1])
    before = library.omp_get_max_threads()
    library.omp_set_num_threads(request.param)
    yield request.param
    library.omp_set_num_threads(before)


@pytest.mark.parametrize("n", [1, 7, 40])
def test_a_product_of_matrices(m: gradir.NativeModule, threads: int, n: int) -> None:
    a, b = RANDOM.normal(size=(2, n, n))
    da, db = m.grad("product", ("x", "b"))(a, b, np.zeros((n, n)), n)
    product = 2 * a @ b
    assert np.allclose(da, product @ b.T, rtol=1e-11, atol=1e-11) and np.allclose(db, a.T @ product, atol=1e-11)


@pytest.mark.parametrize("apart", [3, 5000, 400_000])
def test_rows_far_from_each_other(m: gradir.NativeModule, threads: int, apart: int) -> None:
    """A thread's sums move on to a row that is too far to hold all in between."""
    n, rows = 5, 4
    x, b = RANDOM.normal(size=n), np.zeros(rows * apart + 4)
    places = [k * apart + j + 1 for k in range(rows) for j in range(3)]
    b[places] = RANDOM.normal(size=len(places))
    dx, db = m.grad("far", ("x", "b"))(x, b, n, rows, apart)
    expected = np.zeros_like(b)
    np.add.at(expected, places, x.sum())
    assert np.allclose(db, expected, rtol=1e-12) and np.allclose(dx, b[places].sum(), rtol=1e-12)


def test_two_rows_at_a_time(m: gradir.NativeModule, threads: int) -> None:
    x, b = RANDOM.normal(size=(2, 9))
    dx, db = m.grad("two", ("x", "b"))(x, b, 9)
    expected = np.zeros(9)
    expected[:-1] += b[1:] * x.sum()
    expected[1:] += b[:-1] * x.sum()
    assert np.allclose(db, expected, rtol=1e-12) and np.allclose(dx, b[1:] @ b[:-1], rtol=1e-12)
