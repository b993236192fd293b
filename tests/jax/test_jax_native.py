"""Native functions in JAX, called by XLA: under `jit`, `vmap` and every derivative, JAX's and gradir's."""

import subprocess
import sys

import jax
import jax.numpy as jnp
import numba
import numpy as np
import pytest

import gradir
import gradir.jax
from gradir.errors import InputError, RequestError

KERNELS = """
#include <math.h>
double chain(const double *x, int n, double k) {
  double s = 0;
  for (int i = 0; i + 1 < n; i++) s += k * sin(x[i + 1] - x[i]) * x[i];
  return s;
}
long spread(const double *x, const int *at, double *y, int n) {
  for (int i = 0; i < n; i++) y[i] += x[at[i]] * x[0];
  return n;
}
float single(const float *x, float a, long n) {
  float s = 0;
  for (long i = 0; i < n; i++) s += a * x[i] * x[i];
  return s;
}
"""

FORTRAN = """
subroutine wave(u, v, n, m, c)
  integer, intent(in) :: n, m
  real(8), intent(in) :: u(n, m), c
  real(8), intent(out) :: v(n, m)
  integer :: i, j
  do j = 1, m
    do i = 1, n
      v(i, j) = c * sin(u(i, j)) * u(1, j) + i
    end do
  end do
end subroutine
"""

CPP = """
#include <stdexcept>
extern "C" double checked(const double *x) { if (x[0] < 0) throw std::domain_error("negative"); return x[0] * x[0]; }
"""


@pytest.fixture(scope="module", autouse=True)
def sixty_four_bits():
    with jax.enable_x64(True):
        yield


@pytest.fixture(scope="module")
def m(loaded):
    return loaded("kernels.c", KERNELS)


@pytest.fixture(scope="module")
def chain(m):
    return gradir.jax.function(m, "chain", n=lambda x: len(x))


def chain_in_jax(x, k):
    return jnp.sum(k * jnp.sin(x[1:] - x[:-1]) * x[:-1])


X = np.random.default_rng(0).normal(size=(3, 4))
K = 0.7


def agree(found, wanted):
    jax.tree.map(lambda f, w: np.testing.assert_allclose(f, w, rtol=1e-10, atol=1e-12), found, wanted)


@pytest.mark.parametrize(
    "transform",
    [
        lambda f: jax.jit(f),
        lambda f: jax.grad(f, (0, 1)),
        lambda f: jax.jit(jax.value_and_grad(f)),
        lambda f: jax.jacfwd(f, (0, 1)),
        lambda f: jax.jit(jax.hessian(f)),
        lambda f: jax.jacrev(jax.grad(f, 1)),
        lambda f: lambda x, k: jax.linearize(f, x, k)[1](x, k),
        lambda f: gradir.jax.grad(f, (0, 1)),
        lambda f: gradir.jax.hessian(f),
    ],
)
def test_one(chain, transform):
    agree(transform(chain)(X[0], K), transform(chain_in_jax)(X[0], K))


@pytest.mark.parametrize(
    "transform",
    [
        lambda f: jax.vmap(f, (0, None)),
        lambda f: jax.jit(jax.vmap(jax.grad(f, (0, 1)), (0, None))),
        lambda f: jax.vmap(jax.hessian(f), (0, None)),
        lambda f: jax.grad(lambda x, k: jnp.sum(jax.vmap(f, (0, None))(x, k) ** 2), (0, 1)),
        lambda f: jax.vmap(lambda x, k: jax.vmap(f, (None, 0))(x, k * jnp.arange(5.0)), (0, None)),
        lambda f: lambda x, k: jax.vmap(f, (1, None), 0)(x.T, k),
        lambda f: lambda x, k: jax.lax.scan(lambda c, row: (c + f(row, k), f(row, c)), 0.0, x),
    ],
)
def test_many(chain, transform):
    agree(transform(chain)(X, K), transform(chain_in_jax)(X, K))


def test_fortran_order(loaded):
    m = loaded("wave.f90", FORTRAN)
    wave = gradir.jax.function(m.wave, v="u", n=lambda u: u.shape[0], m=lambda u: u.shape[1])

    def reference(u, c):
        return c * jnp.sin(u) * u[0] + jnp.arange(1.0, len(u) + 1)[:, None]

    u = np.stack([X, X + 1])
    agree(wave(X, K), reference(X, K))
    agree(jax.jacrev(wave, (0, 1))(X, K), jax.jacrev(reference, (0, 1))(X, K))
    both = [jax.jit(jax.vmap(jax.jacfwd(f), (0, None)))(u, K) for f in (wave, reference)]
    agree(*both)


def test_several_results_and_integers(m):
    spread = gradir.jax.function(m.spread, n=lambda at: len(at))
    x, at, y = X[0], np.array([1, 1, 3], np.int32), np.ones(3)
    count, written = jax.jit(spread)(x, at, y)
    assert count == 3 and count.dtype == np.int64 and np.all(y == 1)
    agree(written, 1 + x[at] * x[0])
    jacobians = jax.jacrev(lambda x, y: spread(x, at, y)[1], (0, 1))(x, y)
    agree(jacobians, jax.jacrev(lambda x, y: y + x[at] * x[0], (0, 1))(x, y))
    only = gradir.jax.function(m.spread, y="at", n=3)(x, at)[1]
    agree(only, x[at] * x[0])


def test_numba_and_exceptions(tmp_path):
    @numba.njit
    def weighed(x, k):
        total = 0.0
        for i in range(x.shape[0]):
            if x[i] > 100.0:
                raise ValueError("too large")
            total += k * np.sin(x[i]) * x[i]
        return total

    f = gradir.jax.function(gradir.load(weighed, signature="float64(float64[::1], float64)"))

    def reference(x, k):
        return jnp.sum(k * jnp.sin(x) * x)

    agree(*(jax.jit(jax.vmap(jax.hessian(g), (0, None)))(X, K) for g in (f, reference)))
    with pytest.raises(jax.errors.JaxRuntimeError, match="weighed raised an exception"):
        jax.block_until_ready(jax.vmap(f, (0, None))(X + np.array([[0.0], [1000.0], [0.0]]), K))
    (tmp_path / "checked.cpp").write_text(CPP)
    checked = gradir.jax.function(gradir.load(tmp_path / "checked.cpp"))
    assert jax.jit(jax.grad(checked))(np.array([3.0])) == 6.0
    with pytest.raises(jax.errors.JaxRuntimeError, match="negative"):
        jax.block_until_ready(jax.jit(jax.vmap(checked))(np.array([[1.0], [-1.0]])))


def test_types(m):
    single = gradir.jax.function(m.single, n=lambda x: len(x))
    with jax.enable_x64(False):
        agree(jax.jit(jax.grad(single))(jnp.array([1.0, 2.0]), 3.0), np.float32([6.0, 12.0]))
    with (
        jax.enable_x64(False),
        pytest.raises(InputError, match="must be an array of float64, not one of float32") as said,
    ):
        gradir.jax.function(m, "chain", n=3)(jnp.zeros(3), 1.0)
    assert "jax_enable_x64" in str(said.value)
    with pytest.raises(InputError, match="chain takes x, k, and 1 arguments came"):
        gradir.jax.function(m, "chain", n=3)(X[0])
    with pytest.raises(RequestError, match="'n: int' must be an integer known beforehand"):
        jax.jit(gradir.jax.function(m, "chain"))(X[0], 3, K)
    with pytest.raises(RequestError, match="a int is no native function or module"):
        gradir.jax.function(3)


def test_no_python_runs_in_between(m):
    """The program has a custom call of XLA's interface, and no callback."""
    lowered = jax.jit(jax.grad(gradir.jax.function(m, "chain", n=4))).lower(X[0], K).as_text()
    assert "custom_call @gradir.native." in lowered and "callback" not in lowered


SHARED = """
import jax, numpy as np, gradir, gradir.jax
jax.config.update("jax_enable_x64", True)
jax.config.update("jax_compilation_cache_dir", {folder!r})
jax.config.update("jax_persistent_cache_min_compile_time_secs", 0)
jax.config.update("jax_persistent_cache_min_entry_size_bytes", 0)
f = gradir.jax.function(gradir.load({source!r}))
print(jax.jit(jax.grad(f))(3.0))
"""


def test_programs_that_jax_keeps_for_other_processes(tmp_path):
    """A program found on disk calls code by its content, never by an address of the process that compiled it."""
    source = tmp_path / "f.c"
    for text, wanted in (("x * x", "6.0"), ("x * x", "6.0")):
        source.write_text(f"double f(double x) {{ return {text}; }}")
        code = SHARED.format(folder=str(tmp_path / "cache"), source=str(source))
        ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
        assert ran.stdout.strip() == wanted, ran.stderr
