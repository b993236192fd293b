"""Threads that programs make by hand: parallel derivatives are those of the same programs without threads."""

from __future__ import annotations

import ctypes
import re
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

import gradir
from gradir.machine.ir.text.reader import read
from gradir.machine.passes.parallel.threads import fits
from gradir.native.engine import Engine

FOLDER = Path(__file__).parent / "threads"
SOURCE, CXX = FOLDER / "joined.c", FOLDER / "joined.cpp"


def names_in(source: Path) -> list[str]:
    return re.findall(r"^(?:extern \"C\" )?double (\w+)\(const double \*x, int n\)", source.read_text(), re.MULTILINE)


N = 13
X = np.random.default_rng(0).uniform(0.5, 1.5, N)
D = np.random.default_rng(1).normal(size=N)
# Threads add up in any order, and multiply in any: a few units in the last place of the largest.
ROUNDING = 5e-14
# Central differences of steps of 1e-5 are off by the square of that, and by the rounding of the values over it.
DIFFERENCES = 5e-9


@pytest.fixture
def in_parallel(monkeypatch):
    """Where threads would each run where they are made, a test fails."""
    program = Engine.program

    def only(self, symbol: str, noalias: bool, threads: bool = True):
        made = program(self, symbol, noalias, threads)
        assert made.spawning, f"{symbol} runs its threads where they are made"
        return made

    monkeypatch.setattr(Engine, "program", only)


def check(function, want, tolerance, rounds=3):
    gradient, tangent = function.grad(wrt=["x"]), function.jvp(wrt=["x"])
    for _ in range(rounds):
        assert np.abs(gradient(X, N) - want).max() <= tolerance * np.abs(want).max()
        assert abs(tangent(X, N, D)[1] - want @ D) <= tolerance * np.abs(want * D).sum()


def central(function: Callable[..., float]) -> np.ndarray:
    steps = 1e-5 * np.eye(N)
    return np.array([(function(X + h, N) - function(X - h, N)) / 2e-5 for h in steps])


@pytest.fixture(scope="module")
def alone():
    return gradir.load(SOURCE, flags=["-DALONE"])


@pytest.fixture(scope="module")
def wanted(alone):
    """The gradients of the programs without threads."""
    return {name: np.asarray(alone.grad(name, wrt=["x"])(X, N)) for name in names_in(SOURCE)}


@pytest.fixture(scope="module")
def programs():
    return {first: gradir.load(SOURCE, optimise_first=first) for first in (True, False)}


@pytest.mark.parametrize("name", names_in(SOURCE))
def test_derivatives_are_those_without_threads(name, programs, wanted, in_parallel):
    for program in programs.values():
        check(program.function(name), wanted[name], ROUNDING)


def test_those_are_derivatives(alone, wanted):
    for name in ("beside", "sometimes"):
        want = central(alone.function(name))
        assert np.abs(wanted[name] - want).max() <= DIFFERENCES * np.abs(want).max()


@pytest.mark.parametrize("name", ["guarded", "workers"])
def test_cxx(name, in_parallel):
    function = gradir.load(CXX).function(name)
    check(function, central(function), DIFFERENCES)


@pytest.mark.parametrize(("name", "level"), [("lambdas", "-O0"), ("arguments", "-O2")])
def test_cxx_with_the_library_of_gnu(name, level, in_parallel, tmp_path):
    clang, text = shutil.which("clang-19") or pytest.skip("no clang-19"), tmp_path / "joined.ll"
    command = [clang, "--driver-mode=g++", level, "-g", "-S", "-emit-llvm", CXX, "-o", text]
    if subprocess.run(command, check=False, capture_output=True).returncode:
        pytest.skip("no C++ library of GNU's")
    assert "_M_start_thread" in text.read_text()
    function = gradir.load(text).function(name)
    check(function, central(function), DIFFERENCES)


@pytest.mark.parametrize("name", names_in(FOLDER / "alone.c"))
def test_what_threads_may_learn_of_each_other_in_other_ways_is_done_by_one(name):
    function = gradir.load(FOLDER / "alone.c").function(name)
    check(function, central(function), DIFFERENCES, rounds=1)


def test_what_is_read_under_a_lock_is_kept_as_others_change_it_until_they_are_joined(in_parallel):
    function = gradir.load(FOLDER / "turns.c").function("watched")
    check(function, central(function), DIFFERENCES, rounds=1)


REFUSED = {"told": "by @pthread_cond_wait", "spinning": "in a loop"}


@pytest.mark.parametrize("name", REFUSED)
@pytest.mark.parametrize("mode", ["grad", "jvp"])
def test_threads_that_wait_for_their_maker_are_refused_by_name_and_line(name, mode):
    function = gradir.load(FOLDER / "refused.c").function(name)
    with pytest.raises(gradir.errors.NoRule, match=REFUSED[name]) as caught:
        getattr(function, mode)(wrt=["x"])(*((X, N) if mode == "grad" else (X, N, D)))
    assert "refused.c:" in str(caught.value) and "way out" in str(caught.value)


def test_second_derivatives_are_made_of_code_that_one_thread_runs(programs, alone):
    for name in ("results", "locked"):
        want = alone.hessian(name, wrt="x")(X, N)
        assert np.abs(programs[True].hessian(name, wrt="x")(X, N) - want).max() <= ROUNDING * np.abs(want).max()


def test_a_library_that_is_written_out_makes_threads(programs, wanted, tmp_path):
    want, got = wanted["beside"], np.zeros(N)
    path = tmp_path / "beside.so"
    programs[True].grad("beside", wrt=["x"]).save(path)
    pointer = ctypes.POINTER(ctypes.c_double)
    gradient = getattr(ctypes.CDLL(str(path)), "grad_beside")
    gradient(X.ctypes.data_as(pointer), got.ctypes.data_as(pointer), N)
    assert np.abs(got - want).max() <= ROUNDING * np.abs(want).max()


MADE = "declare i32 @pthread_create(ptr, ptr, ptr, ptr)\ndeclare i32 @pthread_join(i64, ptr)\n"
UNDERSTOOD = {
    "define i32 @f(ptr %p) {\n  %x = load atomic i32, ptr %p monotonic, align 4\n  ret i32 %x\n}": True,
    "define i32 @f(ptr %p) {\n  %x = load atomic i32, ptr %p acquire, align 4\n  ret i32 %x\n}": False,
    "define void @f(ptr %p) {\n  %x = atomicrmw add ptr %p, i32 1 seq_cst\n  ret void\n}": True,
    "define i32 @f(ptr %p) {\n  %x = atomicrmw add ptr %p, i32 1 monotonic\n  ret i32 %x\n}": True,
    "define i32 @f(ptr %p) {\n  %x = atomicrmw add ptr %p, i32 1 acq_rel\n  ret i32 %x\n}": False,
    "define void @f() {\n  fence seq_cst\n  ret void\n}": False,
    "define void @f(ptr %p) {\n  %x = cmpxchg ptr %p, i32 0, i32 1 monotonic monotonic\n  ret void\n}": False,
    'define void @f() {\n  call void asm sideeffect "mfence", "~{memory}"()\n  ret void\n}': False,
    "declare i32 @pthread_setdetachstate(ptr, i32)": False,
    "declare i32 @pthread_mutex_trylock(ptr)": False,
    "declare void @_ZNSt6thread6detachEv(ptr)": False,
    "declare i32 @pthread_mutex_lock(ptr)": True,
}


@pytest.mark.parametrize("text", UNDERSTOOD)
def test_what_hands_over_data_is_known(text):
    assert fits(read(MADE + text)) is UNDERSTOOD[text]
    assert not fits(read(text))
