"""Variables that one function sets and another reads in a later call: in the function, its derivatives, what ships."""

from __future__ import annotations

import ctypes
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import gradir

PLAIN = """
double gain = 1;
static double bias = 0.5;
static double kept;
void set(double g, double b) { gain = g; bias = b; }
double f(double x) { return gain * x * x * x + bias * x; }
void scaled(const double *x, double *y, int n) { for (int i = 0; i < n; i++) y[i] = gain * x[i] * x[i]; }
double keep(double x) { kept = x * x; return kept * gain; }
double last(void) { return kept; }
static double scratch[4];
double own(double x) { scratch[1] = x; scratch[2] = scratch[1] * x; return scratch[2]; }
"""
HELD = """
#include <cmath>
#include <cstdlib>
#include <vector>
static double *table;
static int length;
extern "C" void init(int n) {
  table = (double *)std::malloc(n * sizeof(double));
  length = n;
  for (int i = 0; i < n; i++) table[i] = i + 0.5;
}
extern "C" double polynomial(double x) {
  double s = 0;
  for (int i = 0; i < length; i++) s = s * x + table[i];
  return s;
}
static double *work;
extern "C" void init_work(int n) { work = (double *)std::malloc(n * sizeof(double)); }
extern "C" double written(double x) {
  for (int i = 0; i < 4; i++) work[i] = x * i;
  return work[1] * work[3];
}
static std::vector<double> coefficients = {1.0, 2.0};
static double scale = std::sqrt(2.0);
extern "C" void grow(double c) { coefficients.push_back(c); scale *= 2; }
extern "C" double grown(double x) {
  double s = 0;
  for (double c : coefficients) s = s * x + c;
  return s * scale;
}
static double *once;
static int made;
extern "C" void forget() { made = 0; }
extern "C" double lazily(double x) {
  if (!made) { once = (double *)std::malloc(8); made = 1; }
  *once = x * x;
  return *once * x;
}
"""
MODULE = """
module params
  implicit none
  real(8) :: gain = 1d0, coefficients(2)
  real(8), allocatable :: table(:)
contains
  subroutine setup(g, n) bind(c)
    real(8), value :: g
    integer, value :: n
    integer :: i
    gain = g
    coefficients = [g, g * g]
    if (allocated(table)) deallocate(table)
    allocate(table(n))
    do i = 1, n
      table(i) = i * 0.5d0
    end do
  end subroutine
  function f(x) bind(c) result(y)
    real(8), value :: x
    real(8) :: y
    integer :: i
    y = 0
    do i = 1, size(table)
      y = y + table(i) * x**i
    end do
    y = gain * y + sum(coefficients) * x
  end function
end module
"""


def slope(f: Any, x: float, h: float = 1e-5) -> float:
    return (f(x + h) - f(x - h)) / (2 * h)


def agrees(m: Any, name: str, x: float) -> None:
    # central differences: 1e-10 of the third derivative, and rounding of 1e-11
    expected = pytest.approx(slope(m[name], x), rel=1e-8)
    assert m.grad(name)(x) == expected and m.jvp(name)(x, 1.0)[1] == expected


def test_numbers_that_others_set(loaded) -> None:
    m = loaded("plain.c", PLAIN)
    assert m.f(2.0) == 9 and m.grad("f")(2.0) == 12.5
    m.set(3.0, 2.0)
    assert m.f(2.0) == 28 and m.grad("f")(2.0) == 38 and m.jvp("f")(2.0, 1.0) == (28, 38)
    assert m.hessian("f")(2.0) == 36
    m.set(1.0, 0.0)
    assert m.f(2.0) == 8 and m.grad("f")(2.0) == 12 and m.hessian("f")(2.0) == 12


def test_numbers_that_are_left_for_others(loaded) -> None:
    m = loaded("plain.c", PLAIN)
    m.set(1.0, 0.0)
    m.keep(2.0)
    assert m.last() == 4
    assert m.grad("keep")(3.0) == 6 and m.last() == 9
    assert m.grad("own")(3.0) == 6


def test_in_frameworks(loaded) -> None:
    torch = pytest.importorskip("torch")
    import jax

    import gradir.jax
    import gradir.torch

    m = loaded("plain.c", PLAIN)
    f = gradir.torch.function(m.scaled, y="x", n=lambda x: len(x))
    g = jax.jit(jax.grad(lambda x: gradir.jax.function(m.scaled, y="x", n=lambda x: len(x))(x).sum()))
    for gain in (3.0, 5.0):
        m.set(gain, 0.0)
        x = torch.arange(1.0, 4.0, dtype=torch.float64, requires_grad=True)
        f(x).sum().backward()
        assert x.grad.tolist() == [2 * gain, 4 * gain, 6 * gain]
        with jax.enable_x64(True):
            assert g(np.arange(1.0, 4.0)).tolist() == [2 * gain, 4 * gain, 6 * gain]


@pytest.mark.parametrize("suffix", [".so", ".ll"])
def test_what_ships(loaded, tmp_path: Path, suffix: str) -> None:
    m = loaded("plain.c", PLAIN)
    path = tmp_path / f"f{suffix}"
    m.save(path, derivatives=[m.grad("f")])
    if suffix == ".ll":
        again = gradir.load(path)
        again.set(3.0, 2.0)
        d = np.zeros(1)
        again["grad_f"](2.0, d)
        assert d[0] == 38
        return
    library = ctypes.CDLL(str(path))
    number = ctypes.c_double()
    library.set(ctypes.c_double(3.0), ctypes.c_double(2.0))
    library.grad_f(ctypes.c_double(2.0), ctypes.byref(number))
    assert number.value == 38


def test_variables_that_each_thread_has(loaded, tmp_path: Path) -> None:
    """In process they are the runtime's of GCC, in what ships the system's own."""
    text = PLAIN.replace("double gain", "_Thread_local double gain").replace("double bias", "_Thread_local double bias")
    m = loaded("threads.c", text)
    m.set(3.0, 2.0)
    agrees(m, "f", 2.0)
    assert m.grad("f")(2.0) == 38
    with ThreadPoolExecutor(1) as other:
        assert other.submit(m.grad("f"), 2.0).result() == 12.5
        other.submit(m.set, 1.0, 1.0).result()
        assert other.submit(m.grad("f"), 2.0).result() == 13
    assert m.grad("f")(2.0) == 38
    path = tmp_path / "f.so"
    m.save(path, derivatives=[m.grad("f")])
    library, number = ctypes.CDLL(str(path)), ctypes.c_double()
    library.set(ctypes.c_double(3.0), ctypes.c_double(2.0))
    library.grad_f(ctypes.c_double(2.0), ctypes.byref(number))
    assert number.value == 38


def test_memory_that_others_have_made(loaded) -> None:
    m = loaded("held.cpp", HELD)
    for n in (4, 6):
        m.init(n)
        agrees(m, "polynomial", 1.5)


def test_memory_that_others_have_made_and_that_is_written(loaded) -> None:
    m = loaded("held.cpp", HELD)
    m.init_work(4)
    assert m.written(1.5) == 6.75
    with pytest.raises(gradir.NoRule, match="which other functions have made"):
        m.grad("written")(1.5)


def test_objects_with_constructors(loaded) -> None:
    m = loaded("held.cpp", HELD)
    agrees(m, "grown", 1.5)
    m.grow(3.0)
    assert m.grown(1.0) == pytest.approx(12 * np.sqrt(2.0), rel=1e-15)
    agrees(m, "grown", 1.5)


def test_numbers_that_tell_of_memory_of_ones_own(loaded) -> None:
    m = loaded("held.cpp", HELD)
    assert m.lazily(2.0) == 8
    with pytest.raises(gradir.NoRule, match="is changed by @forget as well"):
        m.grad("lazily")(2.0)


def test_modules_of_fortran(loaded) -> None:
    m = loaded("params.f90", MODULE)
    for gain, n in ((3.0, 4), (2.0, 2)):
        m.setup(gain, n)
        agrees(m, "f", 1.5)
