"""Native functions on the arrays of other libraries: the same memory by DLPack, derivatives in the caller's kind."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest
import torch

from gradir.errors import InputError

KERNELS = """
double energy(const double *x, int n, double k) {
  double s = 0;
  for (int i = 0; i < n; i++) s += k * x[i] * x[i] * x[i];
  return s;
}
void scaled(const double *x, double *y, int n) { for (int i = 0; i < n; i++) y[i] = x[i] * x[0]; }
"""

x = np.array([0.5, 1.5, 2.0])


@pytest.fixture(scope="module")
def m(loaded):
    return loaded("kernels.c", KERNELS)


def jax_array():
    with jax.enable_x64(True):
        return jnp.asarray(x)


@pytest.mark.parametrize(("make", "kind"), [(lambda: torch.tensor(x), torch.Tensor), (jax_array, jax.Array)])
def test_derivatives_have_the_kind_of_the_argument(m, make, kind):
    assert m.energy(make(), 3, 2.0) == pytest.approx(2 * np.sum(x**3))
    gradients = m.grad("energy", wrt=("x", "k"))(make(), 3, 2.0)
    assert isinstance(gradients[0], kind) and isinstance(gradients[1], float)
    assert np.allclose(np.asarray(gradients[0]), 6 * x * x)
    hessian = m.hessian("energy")(make(), 3, 2.0)
    assert isinstance(hessian, kind) and np.allclose(np.asarray(hessian), np.diag(12 * x))
    assert isinstance(m.hvp("energy")(make(), 3, 2.0, np.ones(3)), kind)
    jacobian = m.jacobian("scaled")(make(), np.zeros(3), 3)
    assert isinstance(jacobian, kind) and jacobian.shape == (3, 3)
    _, pulled = m.vjp("scaled")(make(), np.zeros(3), 3, make())
    assert isinstance(pulled, kind)
    assert np.allclose(np.asarray(pulled), np.asarray(jacobian).T @ x)


def test_tensors_are_written_in_place(m):
    given, written = torch.tensor(x, requires_grad=True), torch.zeros(3, dtype=torch.float64)
    m.scaled(given, written, 3)
    assert np.allclose(written, x * x[0])
    value, tangent = m.jvp("scaled")(given, written, 3, torch.ones(3, dtype=torch.float64))
    assert value is None and isinstance(tangent, torch.Tensor) and np.allclose(tangent, x[0] + x)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: jax_array(), "must be writable, since the function writes into it, not read-only"),
        (lambda: torch.zeros(3), "must be an array of float64, not one of float32"),
        (lambda: torch.zeros(6, dtype=torch.float64)[::2], "must be contiguous"),
        (lambda: torch.zeros(3, dtype=torch.bfloat16), "must be a NumPy array of float64, not a Tensor"),
        (lambda: torch.zeros(3, device="meta"), "must be a NumPy array of float64, not a Tensor"),
    ],
)
def test_what_does_not_fit_is_said(m, make, message):
    with pytest.raises(InputError, match=message):
        m.scaled(x, make(), 3)


@pytest.mark.parametrize(
    ("make", "hint"),
    [
        (lambda: torch.arange(6, dtype=torch.float64)[::2], "x.contiguous()"),
        (lambda: torch.ones(3), "x.to(torch.float64)"),
        (lambda: jnp.ones(3, jnp.float32), "x.astype('float64'), after jax.config.update('jax_enable_x64', True)"),
        (lambda: np.ones(6)[::2], "numpy.ascontiguousarray(x)"),
    ],
)
def test_ways_out_are_in_the_words_of_the_library(m, make, hint):
    with pytest.raises(InputError) as raised:
        m.energy(make(), 3, 2.0)
    assert hint in raised.value.hint


def test_there_is_no_derivative_by_nothing(m):
    for derivative in (m.grad("energy"), m.jacobian("energy"), m.hessian("energy")):
        with pytest.raises(InputError, match="energy: 'x' is None, and there is no derivative by nothing"):
            derivative(None, 3, 2.0)


def test_addresses_are_those_of_numpy():
    from gradir.machine.jit.arguments import address_of

    whole = np.arange(24.0).reshape(4, 6)
    for array in (whole, whole[1:], whole[:, ::-2], whole.T, whole[0, 0:0], np.zeros(()), whole.view(np.recarray)):
        assert address_of(array) == array.__array_interface__["data"][0]
