"""Programs that need the library, differentiated as a whole: complex numbers, BLAS, Fortran's arrays."""

from __future__ import annotations

import ctypes
import re
from pathlib import Path

import numpy as np
import pytest
from blas_calls import loaded, openblas
from formulas import jit

from gradir.errors import GradirError
from gradir.frontends import c, fortran
from gradir.machine import llvm
from gradir.machine.transform.derive import Program
from gradir.request import Activity as A
from gradir.request import Mode, Request

REAL, POINTER, INT = ctypes.c_double, ctypes.c_void_p, ctypes.c_int32


class Pair(ctypes.Structure):
    _fields_ = [("first", REAL), ("second", REAL)]


def derivatives(module: llvm.Module, name: str, marks: tuple[A, ...], returns: bool, symbols: dict[str, int]):
    """A function, its reverse and its forward derivative, compiled."""
    program = Program(llvm.canonical_text(llvm.normalise(module, [name])))
    forward = tuple(A.dup if m is A.active else m for m in marks)
    names = [
        name,
        program.derivative(Request(name, Mode.reverse, marks, (A.activenoneed,) if returns else ())),
        program.derivative(Request(name, Mode.forward, forward, (A.dupnoneed,) if returns else ())),
    ]
    derived = program.text()
    needed = re.findall(r"^declare[^@]*@((?:cblas_)?d\w+)\(", derived, flags=re.MULTILINE)
    compiled = jit(derived, names, {n: symbols[n] for n in needed if n in symbols})
    return [compiled[n] for n in names], compiled


COMPLEX = """
#include <complex.h>
#include <math.h>
double f(double x, double y) {
  double complex z = x + I * y;
  z = cexp(z) * csqrt(z) / (z + 2.0) + cpow(z, 1.5 + 0.5 * I) + ctanh(z) * clog(z);
  double whole, fraction = modf(x * 3.7, &whole);
  int exponent, sign;
  double mantissa = frexp(y * 5, &exponent);
  double special = lgamma_r(x + 2, &sign) * tgamma(y + 1.5) + jn(2, x);
  return creal(z) * cimag(z) + cabs(z) + fraction * y + mantissa * x + special;
}
"""


def test_complex_numbers_and_parts_of_numbers(tmp_path: Path) -> None:
    source = tmp_path / "f.c"
    source.write_text(COMPLEX)
    (f, reverse, forward), _alive = derivatives(c.to_llvm(source), "f", (A.active, A.active), True, {})
    primal = ctypes.CFUNCTYPE(REAL, REAL, REAL)(f)
    gradient = ctypes.CFUNCTYPE(Pair, REAL, REAL, REAL)(reverse)
    tangent = ctypes.CFUNCTYPE(REAL, REAL, REAL, REAL, REAL)(forward)
    for x, y in ((0.7, 0.3), (-0.4, 1.1), (1.3, -0.6)):
        h = 1e-6
        expected = [(primal(x + h, y) - primal(x - h, y)) / (2 * h), (primal(x, y + h) - primal(x, y - h)) / (2 * h)]
        found = gradient(x, y, 1.0)
        np.testing.assert_allclose([found.first, found.second], expected, rtol=1e-7)
        np.testing.assert_allclose([tangent(x, 1, y, 0), tangent(x, 0, y, 1)], expected, rtol=1e-7)


MATRICES = """
double ddot_(int *, double *, int *, double *, int *);
void cblas_dgemm(int, int, int, int, int, int, double, const double *, int, const double *, int, double, double *, int);
double f(double *a, double *b, double *c, int n) {
  int one = 1, all = n * n;
  cblas_dgemm(101, 111, 112, n, n, n, 1.5, a, n, b, n, 0.0, c, n);
  double size = ddot_(&all, c, &one, c, &one);
  for (int i = 0; i < all; i++) c[i] = 0;
  return size;
}
"""


@pytest.mark.skipif(openblas(False) is None, reason="this SciPy comes without its own OpenBLAS")
def test_blas(tmp_path: Path) -> None:
    source = tmp_path / "f.c"
    source.write_text(MATRICES)
    names = ["ddot_", "daxpy_", "dscal_", "dgemm_", "cblas_dgemm", "cblas_ddot", "cblas_daxpy"]
    symbols = {n: ctypes.cast(getattr(loaded(False), f"scipy_{n}"), POINTER).value or 0 for n in names}
    marks = (A.dup, A.dup, A.dup, A.const)
    (_, reverse, forward), _alive = derivatives(c.to_llvm(source), "f", marks, True, symbols)
    n, rng = 3, np.random.default_rng(0)
    a, b, da, db = rng.random((4, n, n))
    c_, ga, gb, gc, tc = np.zeros((5, n, n))
    arrays = [x.ctypes.data for x in (a, ga, b, gb, c_, gc)]
    ctypes.CFUNCTYPE(None, *[POINTER] * 6, INT, REAL)(reverse)(*arrays, n, 1.0)
    seed = 2 * 1.5 * a @ b.T
    np.testing.assert_allclose(ga, 1.5 * seed @ b, rtol=1e-13)
    np.testing.assert_allclose(gb, 1.5 * seed.T @ a, rtol=1e-13)
    arrays = [x.ctypes.data for x in (a, da, b, db, c_, tc)]
    tangent = ctypes.CFUNCTYPE(REAL, *[POINTER] * 6, INT)(forward)(*arrays, n)
    assert tangent == pytest.approx((ga * da).sum() + (gb * db).sum(), rel=1e-13)


ARRAYS = """
subroutine f(x, n, m, y) bind(c)
  use iso_c_binding
  integer(c_int), value :: n, m
  real(8), intent(in) :: x(n, m)
  real(8), intent(out) :: y(8)
  real(8) :: z(n, n), v(m)
  real(8), allocatable :: w(:)
  logical :: k(n, m)
  k = x > 0.5d0
  y(1) = sum(x)
  y(2) = product(x)
  y(3) = maxval(x)
  y(4) = minval(x)
  y(5) = norm2(x)
  y(6) = dot_product(x(:, 1), x(:, 2))
  y(7) = sum(x, mask=k) * maxval(x, mask=k)
  z = matmul(x, transpose(x))
  v = matmul(z(1, :), x)
  w = matmul(z, x(:, 1))
  y(8) = sum(z * z) + sum(v**3) + w(2)
  z = matmul(z, z)
  y(8) = y(8) + z(1, 2)
end subroutine
"""


def arrays_in_numpy(x: np.ndarray) -> list[float]:
    z = x @ x.T
    parts = [x.sum(), x.prod(), x.max(), x.min(), np.linalg.norm(x), x[:, 0] @ x[:, 1], x[x > 0.5].sum() * x.max()]
    return [*parts, (z * z).sum() + ((z[0] @ x) ** 3).sum() + (z @ x[:, 0])[1] + (z @ z)[0, 1]]


def test_arrays_of_fortran(tmp_path: Path) -> None:
    try:
        fortran.flang()
    except GradirError as error:
        pytest.skip(str(error))
    source = tmp_path / "f.f90"
    source.write_text(ARRAYS)
    marks = (A.dup, A.const, A.const, A.dup)
    (f, reverse, forward), _alive = derivatives(fortran.to_llvm(source), "f", marks, False, {})
    n, m, rng = 4, 3, np.random.default_rng(1)
    x, weights, direction = rng.random((n, m)), rng.random(8), rng.random((n, m))

    def primal(x: np.ndarray) -> np.ndarray:
        y, given = np.zeros(8), np.asfortranarray(x)
        ctypes.CFUNCTYPE(None, POINTER, INT, INT, POINTER)(f)(given.ctypes.data, n, m, y.ctypes.data)
        return y

    np.testing.assert_allclose(primal(x), arrays_in_numpy(x), rtol=1e-13)
    expected = np.zeros((n, m))
    for at in np.ndindex(n, m):
        step = np.zeros((n, m))
        step[at] = 1e-6
        expected[at] = weights @ (primal(x + step) - primal(x - step)) / 2e-6
    given, gradient, y, seed = np.asfortranarray(x), np.zeros((n, m), order="F"), np.zeros(8), weights.copy()
    both = ctypes.CFUNCTYPE(None, POINTER, POINTER, INT, INT, POINTER, POINTER)
    both(reverse)(given.ctypes.data, gradient.ctypes.data, n, m, y.ctypes.data, seed.ctypes.data)
    np.testing.assert_allclose(gradient, expected, rtol=1e-7, atol=1e-8)
    tangent, moved = np.asfortranarray(direction), np.zeros(8)
    both(forward)(given.ctypes.data, tangent.ctypes.data, n, m, y.ctypes.data, moved.ctypes.data)
    assert weights @ moved == pytest.approx((gradient * direction).sum(), rel=1e-12)
