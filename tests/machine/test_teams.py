"""Parallel regions of OpenMP: derivatives that teams of threads run are those of the same code without OpenMP."""

from __future__ import annotations

import contextlib
import ctypes
import re
import shutil
import subprocess
from glob import glob
from pathlib import Path

import numpy as np
import pytest

import gradir

SOURCE = Path(__file__).parent / "openmp" / "regions.c"
NAMES = re.findall(r"^double (\w+)\(const double \*x, int n\)", SOURCE.read_text(), re.MULTILINE)
N = 13
X = np.random.default_rng(0).uniform(0.5, 1.5, N)
D = np.random.default_rng(1).normal(size=N)
# Threads add up in any order: a few units in the last place of the largest. One function keeps a number in 32 bits.
ROUNDING = 2e-14
FLOATS = {"first_private": 1e-7}

_RUNTIME = sorted(glob("/usr/lib/llvm-*/lib/libomp.so.5"))
pytestmark = pytest.mark.skipif(not _RUNTIME, reason="no libomp")


@pytest.fixture(scope="module")
def runtime():
    """LLVM's runtime, by which a test says how many threads there are to be.

    GNU's is there as well, as it is where PyTorch is: some of its functions have the same names.
    """
    with contextlib.suppress(OSError):
        ctypes.CDLL("libgomp.so.1", mode=ctypes.RTLD_GLOBAL)
    library = ctypes.CDLL(_RUNTIME[-1])
    before = library.omp_get_max_threads()
    library.omp_set_max_active_levels(2)
    yield library
    library.omp_set_num_threads(before)


@pytest.fixture(scope="module")
def parallel():
    return gradir.load(SOURCE, flags=["-fopenmp"])


@pytest.fixture(scope="module")
def sequential():
    return gradir.load(SOURCE)


def check(function, want, runtime, tolerance=ROUNDING, modes=("reverse", "forward")):
    gradient, tangent = function.grad(wrt=["x"]), function.jvp(wrt=["x"])
    for threads in (1, 2, 4):
        runtime.omp_set_num_threads(threads)
        for _ in range(3 if threads > 1 else 1):
            if "reverse" in modes:
                assert np.abs(gradient(X, N) - want).max() <= tolerance * np.abs(want).max()
            if "forward" in modes:
                assert abs(tangent(X, N, D)[1] - want @ D) <= tolerance * np.abs(want * D).sum()


@pytest.mark.parametrize("name", NAMES)
def test_derivatives_are_those_without_openmp(name, parallel, sequential, runtime):
    want = np.asarray(sequential.grad(name, wrt=["x"])(X, N))
    check(parallel.function(name), want, runtime, FLOATS.get(name, ROUNDING))


@pytest.mark.parametrize("level", ["-O0", "-O2", "-O3"])
def test_as_the_compiler_optimised_it(level, sequential, runtime, tmp_path):
    clang = shutil.which("clang-19") or pytest.skip("no clang-19")
    text = tmp_path / "regions.ll"
    flags = [level, "-g", "-fopenmp", "-fno-math-errno", "-S", "-emit-llvm"]
    subprocess.run([clang, *flags, SOURCE, "-o", text], check=True)
    module = gradir.load(text)
    for name in ("heat", "dynamic_chunks"):
        want = np.asarray(sequential.grad(name, wrt=["x"])(X, N))
        check(module.function(name), want, runtime, modes=("reverse",))


def test_code_as_the_front_end_wrote_it(sequential, runtime):
    module = gradir.load(SOURCE, flags=["-fopenmp"], optimise_first=False)
    want = np.asarray(sequential.grad("singles", wrt=["x"])(X, N))
    check(module.function("singles"), want, runtime)


REFUSED = {
    "tried": "order of turns",
    "across": "__kmpc_doacross",
    "private_copies": "__kmpc_copyprivate",
    "sent": "MPI_Send in a parallel region",
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_is_not_understood_is_refused_by_name_and_line(name):
    module = gradir.load(SOURCE.with_name("refused.c"), flags=["-fopenmp"])
    with pytest.raises(gradir.errors.NoRule, match=REFUSED[name]) as caught:
        module.grad(name, wrt=["x"])(X, N)
    assert "refused.c:" in str(caught.value) and "way out" in str(caught.value)


def test_second_derivatives_are_made_of_code_that_one_thread_runs(parallel, sequential, runtime):
    runtime.omp_set_num_threads(4)
    for name in ("heat", "criticals"):
        want = sequential.hessian(name, wrt="x")(X, N)
        assert np.abs(parallel.hessian(name, wrt="x")(X, N) - want).max() <= ROUNDING * np.abs(want).max()


@pytest.mark.parametrize("name", ["energy", "steps", "tops"])
def test_fortran(name, runtime):
    if not any(map(shutil.which, ("flang-new-19", "flang-new", "flang-19", "flang"))):
        pytest.skip("no flang")
    source = SOURCE.with_suffix(".f90")
    want = np.asarray(gradir.load(source).grad(name, wrt=["x"])(X, N))
    gradient = gradir.load(source, flags=["-fopenmp"]).grad(name, wrt=["x"])
    for threads in (1, 2, 4):
        runtime.omp_set_num_threads(threads)
        assert np.abs(gradient(X, N) - want).max() <= ROUNDING * np.abs(want).max()


@pytest.mark.parametrize("name", ["heat", "neighbours"])
def test_ends_of_chunks_of_any_length(name, parallel, sequential, runtime):
    want, gradient = sequential.grad(name, wrt="x"), parallel.grad(name, wrt="x")
    for n in (3, 4, 5, 6, 7, 9, 12, 40):
        x = np.linspace(0.5, 1.5, n)
        for threads in (1, 2, 3, 4):
            runtime.omp_set_num_threads(threads)
            assert np.abs(gradient(x, n) - want(x, n)).max() <= ROUNDING * np.abs(want(x, n)).max()


def test_without_the_runtime_it_says_what_is_missing(monkeypatch):
    monkeypatch.setenv("GRADIR_LIBOMP", "/nowhere/libomp.so")
    with pytest.raises(gradir.errors.BackendError, match="runtime of OpenMP"):
        gradir.load(SOURCE, flags=["-fopenmp"]).function("dot")(X, N)
