"""Sparse Jacobians and Hessians of native functions beside dense ones."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.sparse as sp

import gradir
from gradir.errors import GradirError

SOURCE = """
#include <math.h>
double rosenbrock(const double *x, int n) {
  double s = 0;
  for (int i = 0; i + 1 < n; i++) {
    double a = x[i + 1] - x[i] * x[i], b = 1 - x[i];
    s += 100 * a * a + b * b;
  }
  return s;
}
void burgers(const double *u, double *r, int n) {
  for (int i = 0; i < n; i++) {
    double l = i ? u[i - 1] : 0, h = i + 1 < n ? u[i + 1] : 0;
    r[i] = u[i] + 0.1 * u[i] * (h - l) - 0.05 * (h - 2 * u[i] + l);
  }
}
double both(const double *x, double k, double *y, int n) {
  double s = 0;
  for (int i = 0; i < n; i++) { y[i] = k * x[i] * x[i]; s += y[i] * (i % 2); }
  return s;
}
void gate(const double *x, double *y, int n) {
  for (int i = 0; i < n; i++) y[i] = x[i] > 0 ? x[(i + 1) % n] * x[i] : x[i];
}
void in_place(float *x, int n) { for (int i = 1; i < n; i++) x[i] = sinf(x[i]) * x[i - 1]; }
"""
N = 9


@pytest.fixture(scope="module")
def m(loaded) -> gradir.NativeModule:
    return loaded("kernel.c", SOURCE)


def point(seed: int = 0) -> np.ndarray:
    return np.random.default_rng(seed).normal(size=N)


def test_hessian(m):
    sparse = m.sparse_hessian("rosenbrock")
    for seed in range(3):
        found = sparse(point(seed), N)
        assert isinstance(found, sp.csr_array) and found.nnz == 3 * N - 2
        assert np.allclose(found.toarray(), m.hessian("rosenbrock")(point(seed), N), rtol=1e-12)
    assert sparse.compress.pattern.star.count == 3


@pytest.mark.parametrize("width", [1, 8])
@pytest.mark.parametrize("mode", ["auto", "forward", "reverse"])
def test_jacobian(m, mode, width):
    x, r = point(), np.zeros(N)
    found = m.sparse_jacobian("burgers", mode=mode, width=width)(x, r, N)
    expected, now = m.jacobian("burgers")(x, np.zeros(N), N), np.zeros(N)
    m.burgers(x, now, N)
    assert np.allclose(found.toarray(), expected, rtol=1e-12) and found.nnz == 3 * N - 2
    assert np.array_equal(r, now)
    several = m.sparse_jacobian("both", ("x", "k"), mode=mode, width=width)(x, 2.0, r, N).toarray()
    (sx, sk), (yx, yk) = m.jacobian("both", ("x", "k"))(x, 2.0, np.zeros(N), N)
    assert np.allclose(several, np.block([[sx[None], np.array([[sk]])], [yx, yk[:, None]]]), rtol=1e-12)


def test_in_place_and_single_precision(m):
    x = point().astype(np.float32)
    found = m.sparse_jacobian("in_place")(x.copy(), N)
    assert found.dtype == np.float32
    assert np.allclose(found.toarray(), m.jacobian("in_place")(x.copy(), N), rtol=1e-5)  # some roundings of f32


def test_a_given_pattern_is_checked(m):
    x, r = point(), np.zeros(N)
    band = sp.diags_array(np.ones((3, N)), offsets=[-1, 0, 1], shape=(N, N))
    assert np.allclose(m.sparse_jacobian("burgers", pattern=band)(x, r, N).toarray(), m.jacobian("burgers")(x, r, N))
    with pytest.raises(GradirError, match="entries outside of the given pattern"):
        m.sparse_jacobian("burgers", pattern=sp.eye_array(N))(x, r, N)
    with pytest.raises(GradirError, match="entries outside of the given pattern"):
        m.sparse_hessian("rosenbrock", pattern=sp.eye_array(N))(x, N)
    with pytest.raises(GradirError, match="2 rows and 2 columns"):
        m.sparse_jacobian("burgers", pattern=sp.eye_array(2))(x, r, N)
    half = sp.diags_array(np.ones((2, N)), offsets=[0, 1], shape=(N, N))
    assert np.allclose(m.sparse_hessian("rosenbrock", pattern=half)(x, N).toarray(), m.hessian("rosenbrock")(x, N))


def test_a_pattern_that_was_found_grows(m):
    """At each point other branches are taken; at zero, a derivative is zero that is none elsewhere."""
    sparse = m.sparse_jacobian("gate")
    y = np.zeros(N)
    for x in (np.zeros(N), *map(point, range(4))):
        assert np.allclose(sparse(x, y, N).toarray(), m.jacobian("gate")(x, np.zeros(N), N), rtol=1e-12)
    curved = m.sparse_hessian("rosenbrock")
    for x in (np.zeros(N), point()):
        assert np.allclose(curved(x, N).toarray(), m.hessian("rosenbrock")(x, N), rtol=1e-12)


def test_other_sizes_are_other_patterns(m):
    sparse = m.sparse_hessian("rosenbrock")
    for n in (2, 5, 1):
        x = np.linspace(0.5, 1, n)
        assert np.allclose(sparse(x, n).toarray(), m.hessian("rosenbrock")(x, n), rtol=1e-12)
