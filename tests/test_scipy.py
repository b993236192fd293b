"""What SciPy's solvers are given: native, traced and StableHLO functions with exact derivatives."""

import jax
import jax.numpy as jnp
import numba
import numpy as np
import pytest
import scipy.optimize as so
import scipy.sparse as sp
from scipy.integrate import solve_ivp

import gradir
import gradir.scipy
from gradir.errors import RequestError

KERNELS = """
#include <math.h>
double rosenbrock(const double *x, int n) {
  double s = 0;
  for (int i = 0; i + 1 < n; i++) {
    double a = x[i + 1] - x[i] * x[i], b = 1 - x[i];
    s += 100 * a * a + b * b;
  }
  return s;
}
void curve(const double *x, double *r, int n) {
  for (int i = 0; i < n; i++) r[i] = exp(x[i]) - 1 - i + (i ? 0.1 * x[i - 1] * x[i] : 0);
}
void oscillator(double t, const double *y, double *dy, double mu) {
  dy[0] = y[1];
  dy[1] = mu * (1 - y[0] * y[0]) * y[1] - y[0];
}
"""

START = np.full(8, 0.3)


def rosenbrock(x):
    return jnp.sum(100 * (x[1:] - x[:-1] ** 2) ** 2 + (1 - x[:-1]) ** 2)


def curve(x):
    before = jnp.concatenate([jnp.zeros(1), x[:-1]])
    return jnp.exp(x) - 1 - jnp.arange(len(x)) + 0.1 * before * x


@pytest.fixture(scope="module")
def m(loaded):
    return loaded("kernels.c", KERNELS)


def chain(m, kind, **more):
    if kind == "native":
        return gradir.scipy.objective(m, "rosenbrock", n=lambda x: x.size, **more)
    if kind == "jax":
        return gradir.scipy.objective(rosenbrock, **more)
    with jax.enable_x64(True):
        module = gradir.load(jax.jit(rosenbrock).lower(jnp.zeros(8)))
    return gradir.scipy.objective(module, **more)


@pytest.mark.parametrize("kind", ["native", "jax", "stablehlo"])
def test_minimize(m, kind):
    p = chain(m, kind)
    for found in (
        so.minimize(p.fun, START, jac=p.jac, hess=p.hess, method="trust-exact"),
        so.minimize(p.fun_and_jac, START, jac=True, hessp=p.hessp, method="trust-krylov"),
    ):
        # The solvers stop at a gradient of 1e-5, and the smallest curvature here is about 0.5.
        assert found.success and np.allclose(found.x, 1, atol=1e-4)


@pytest.mark.parametrize("kind", ["native", "jax", "stablehlo"])
def test_derivatives_agree_with_scipys(m, kind):
    p, v = chain(m, kind), np.arange(8.0)
    assert p.fun(START) == pytest.approx(so.rosen(START), rel=1e-14)
    assert np.allclose(p.jac(START), so.rosen_der(START), rtol=1e-12)
    assert np.allclose(p.hess(START), so.rosen_hess(START), rtol=1e-12)
    assert np.allclose(p.hessp(START, v), so.rosen_hess_prod(START, v), rtol=1e-12)
    sparse = chain(m, kind, sparse=True).hess(START)
    assert sp.issparse(sparse) and sparse.nnz == 22
    assert np.allclose(sparse.toarray(), so.rosen_hess(START), rtol=1e-12)


@pytest.mark.parametrize("sparse", [False, True])
def test_residuals(m, sparse):
    native = gradir.scipy.residuals(m.curve, r="x", n=lambda x: x.size, sparse=sparse)
    traced = gradir.scipy.residuals(curve, sparse=sparse)
    w = np.arange(1.0, 9.0)
    for r in (native, traced):
        assert np.allclose(so.least_squares(r.fun, START, jac=r.jac).fun, 0, atol=1e-8)
        assert sp.issparse(r.jac(START)) is sparse
        assert np.allclose(r.hess(START, w), native.hess(START, w), rtol=1e-13)
    both = [r.jac(START).toarray() if sparse else r.jac(START) for r in (native, traced)]
    assert np.allclose(*both, rtol=1e-14)
    if not sparse:
        assert np.abs(so.root(native.fun, START, jac=native.jac).fun).max() < 1e-7


def test_constraints(m):
    p = chain(m, "native")
    # The unit ball leaves out the minimum, so that the constraint's curvature counts.
    ball = gradir.scipy.residuals(lambda x: jnp.sum(x * x)[None])
    limit = so.NonlinearConstraint(ball.fun, -np.inf, 1.0, jac=ball.jac, hess=ball.hess)
    found = so.minimize(p.fun, START[:2], jac=p.jac, hess=p.hess, constraints=[limit], method="trust-constr")
    assert np.allclose(found.x, [0.7864151541, 0.6176983125], atol=1e-4)  # scipy's tutorial has the same problem


def test_stiff_equations(m):
    native = gradir.scipy.residuals(m.oscillator, wrt="y", dy="y", mu=100.0)
    traced = gradir.scipy.residuals(lambda t, y: jnp.array([y[1], 100 * (1 - y[0] ** 2) * y[1] - y[0]]), wrt="y")
    start = np.array([2.0, 0.0])
    ends = [solve_ivp(r.fun, (0, 50), start, method="BDF", jac=r.jac, rtol=1e-8).y[:, -1] for r in (native, traced)]
    assert np.allclose(*ends, rtol=1e-6)  # each follows the equation to 1e-8 a step
    assert native.jac(0.0, start).tolist() == [[0.0, 1.0], [-1.0, -300.0]]


def test_numba_and_scipys_own_arguments():
    @numba.njit
    def spread(x, scale):
        return scale * np.sum((x - 2.0) ** 4)

    m = gradir.load(spread, signature="float64(float64[::1], float64)")
    p = gradir.scipy.objective(m)
    found = so.minimize(p.fun, np.zeros(3), args=(0.5,), jac=p.jac, hess=p.hess, method="trust-exact", tol=1e-10)
    assert np.allclose(found.x, 2, atol=1e-2)  # a quartic minimum: the cube of the distance is below the tolerance
    assert np.allclose(p.hessp(np.zeros(3), np.ones(3), 0.5), 24.0)


def test_fortran(loaded):
    m = loaded("valley.f90", """
function valley(x, n, a) result(s)
  integer, intent(in) :: n
  real(8), intent(in) :: x(n), a
  real(8) :: s
  integer :: i
  s = 0
  do i = 1, n - 1
    s = s + a * (x(i + 1) - x(i)**2)**2 + (1 - x(i))**2
  end do
end function
""")
    p = gradir.scipy.objective(m, n=lambda x: len(x), a=100.0)
    assert np.allclose(p.hess(START), so.rosen_hess(START), rtol=1e-12)
    found = so.minimize(p.fun, START, jac=p.jac, hess=p.hess, method="trust-exact")
    assert found.success and np.allclose(found.x, 1, atol=1e-4)


def test_hessian_products_and_weights(m):
    at, v = START.copy(), np.arange(8.0)
    assert np.allclose(m.hvp("rosenbrock")(at, 8, v), so.rosen_hess_prod(at, v), rtol=1e-12)
    with pytest.raises(gradir.InputError, match="1 vectors are needed, not 0"):
        m.hvp("rosenbrock")(at, 8)
    weighted = m.hessian("curve", weighted=True)(at, np.zeros(8), 8, v)
    assert np.allclose(np.diag(weighted), v * np.exp(at)) and np.allclose(np.diag(weighted, 1), 0.1 * v[1:])
    with pytest.raises(gradir.InputError, match="a weight is needed for r"):
        m.hessian("curve", weighted=True)(at, np.zeros(8), 8)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda m: gradir.scipy.objective(3), "a int is no function"),
        (lambda m: gradir.scipy.objective(m.curve, r="x", n=2).fun(START[:2]), "one number, and the function gives 2"),
        (lambda m: gradir.scipy.objective(rosenbrock, "f"), "is for modules"),
        (lambda m: gradir.scipy.objective(rosenbrock, k=2), "no argument 'k'"),
        (lambda m: gradir.scipy.residuals(m.curve, wrt="x", x=1.0), "no argument that SciPy could vary"),
        (lambda m: gradir.scipy.residuals(m.curve, r=lambda n: n, n=2), "'r' is computed from 'n'"),
        (lambda m: gradir.scipy.residuals(m.curve, r=2.5, n=2).fun(START), "'r', and 2.5 is no shape"),
        (lambda m: gradir.scipy.residuals(m.curve, r="x").fun(START), "SciPy passed 1 arguments, where x, n"),
    ],
)
def test_what_does_not_fit_is_said(m, make, message):
    with pytest.raises(RequestError, match=message):
        make(m)
