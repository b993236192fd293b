"""Kernels as functions of PyTorch's and JAX's, here emulated on the CPU."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest

import gradir
import gradir.jax

torch = pytest.importorskip("torch")

SOURCE = """
__global__ void step(int n, double k, const double *__restrict__ f, double *__restrict__ u) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) u[i] = u[i] + k * f[i] * u[i] * u[i];
}
__global__ void split(int n, const float *x, const int *at, float *y, int *big, float *sum) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  y[i] = x[at[i]] * x[i];
  big[i] = x[i] > 0;
  atomicAdd(sum, y[i]);
}
"""


@pytest.fixture(scope="module")
def kernels(tmp_path_factory: pytest.TempPathFactory) -> Any:
    path = tmp_path_factory.mktemp("kernels") / "k.cu"
    path.write_text(SOURCE)
    return gradir.load(path)


def stepped(xp: Any, k: Any, f: Any, u: Any) -> Any:
    return u + k * f * u * u


def values() -> list[np.ndarray]:
    rng = np.random.default_rng(0)
    return [np.array(0.3), rng.normal(size=(7, 10)), rng.normal(size=(7, 10))]


def launch(**more: Any) -> dict[str, Any]:
    return {"grid": lambda u: -(-u.size // 32), "block": 32, "n": lambda u: u.size} | more


def test_torch_checks_all_modes(kernels: Any) -> None:
    import gradir.torch

    step = gradir.torch.function(kernels, "step", **launch())
    given = [torch.tensor(v, requires_grad=True) for v in values()]
    torch.testing.assert_close(step(*given), stepped(torch, *given))
    assert torch.autograd.gradcheck(step, given, check_forward_ad=True, check_batched_grad=False)
    before = given[2].detach().clone()
    assert torch.equal(given[2], before), "what is given stays as it is"
    many = torch.func.vmap(step, (None, 0, None))(given[0], torch.stack([given[1]] * 3), given[2])
    torch.testing.assert_close(many[1], stepped(torch, *given))
    with pytest.raises(gradir.RequestError, match="second derivatives"):
        torch.autograd.functional.hessian(lambda u: step(*given[:2], u).sum(), given[2])


def test_jax_transforms_it(kernels: Any) -> None:
    with jax.enable_x64(True):
        step = gradir.jax.function(kernels, "step", **launch())
        given = [jnp.asarray(v) for v in values()]

        def loss(function: Callable[..., Any]) -> Callable[..., Any]:
            return lambda *args: jnp.sin(function(*args)).sum()

        ours, theirs = loss(step), loss(lambda *args: stepped(jnp, *args))
        for differentiate in (jax.grad, gradir.jax.grad):
            found = jax.jit(differentiate(ours, (0, 1, 2)))(*given)
            for a, b in zip(found, jax.grad(theirs, (0, 1, 2))(*given), strict=True):
                np.testing.assert_allclose(a, b, rtol=1e-12)
        np.testing.assert_allclose(jax.jvp(ours, given, given), jax.jvp(theirs, given, given), rtol=1e-12)
        each = jax.vmap(jax.grad(ours, 2), (None, 0, None))(given[0], jnp.stack([given[1]] * 2), given[2])
        np.testing.assert_allclose(each[1], jax.grad(theirs, 2)(*given), rtol=1e-12)
        with pytest.raises(gradir.RequestError, match="second derivatives"):
            jax.hessian(ours, 2)(*given)


def test_fresh_outputs_and_integers(kernels: Any) -> None:
    """Arrays that are made for a call, integers in arrays, and some of the results."""
    rng, n = np.random.default_rng(1), 40
    x, at = rng.normal(size=n).astype(np.float32), rng.integers(0, n, n).astype(np.int32)
    how = {"grid": 2, "block": 32, "n": n, "y": "x", "big": "x", "sum": 1}
    split = gradir.jax.function(kernels, "split", **how)
    y, big, total = split(x, at)
    np.testing.assert_array_equal(big, x > 0)
    np.testing.assert_allclose(y, x[at] * x, rtol=1e-6)
    assert total.shape == (1,) and big.dtype == np.int32
    weights = jnp.arange(n, dtype=jnp.float32)
    found = jax.grad(lambda x: (split(x, at)[0] * weights).sum() + split(x, at)[2][0])(x)
    expected = jax.grad(lambda x: (x[at] * x * (weights + 1)).sum())(jnp.asarray(x))
    np.testing.assert_allclose(found, expected, rtol=1e-5, atol=1e-5)  # sums of floats, in another order
    only = gradir.jax.function(kernels, "split", outputs="sum", **how)
    np.testing.assert_allclose(only(x, at)[0], (x[at] * x).sum(), rtol=1e-5)


def test_a_parameter_learns_in_both(kernels: Any) -> None:
    """Gradient descent through a kernel, in PyTorch and under JAX's jit, ends where it does without one."""
    import gradir.torch

    _, f, u = values()
    goal = stepped(np, 0.7, f, u)
    step = gradir.torch.function(kernels, "step", **launch())
    k = torch.zeros((), dtype=torch.float64, requires_grad=True)
    optimizer = torch.optim.SGD([k], lr=0.1)
    for _ in range(30):
        optimizer.zero_grad()
        (step(k, torch.tensor(f), torch.tensor(u)) - torch.tensor(goal)).pow(2).mean().backward()
        optimizer.step()
    with jax.enable_x64(True):
        traced = gradir.jax.function(kernels, "step", **launch())

        @jax.jit
        def train(k: Any) -> Any:
            slope = jax.grad(lambda k: ((traced(k, f, u) - goal) ** 2).mean())
            return jax.lax.fori_loop(0, 30, lambda _, k: k - 0.1 * slope(k), k)

        np.testing.assert_allclose(k.item(), train(0.0), rtol=1e-12)
    assert abs(k.item() - 0.7) < 0.01


def test_what_is_missing_or_wrong_is_said(kernels: Any) -> None:
    import gradir.torch

    for bridge in (gradir.torch, gradir.jax):
        with pytest.raises(gradir.RequestError, match="sizes of its launch"):
            bridge.function(kernels, "step", n=3)
        with pytest.raises(gradir.RequestError, match="'k' is no integer"):
            bridge.function(kernels, "step", grid=1, block=1, k=2.0)
        with pytest.raises(gradir.GradirError, match="no kernel 'steps'"):
            bridge.function(kernels, "steps", grid=1, block=1)
        with pytest.raises(gradir.RequestError, match="writes nothing into 'f'"):
            bridge.function(kernels, "step", grid=1, block=1, outputs="f")
    step = gradir.torch.function(kernels, "step", **launch())
    f, u = torch.zeros(3), torch.zeros(3, dtype=torch.float64)
    with pytest.raises(gradir.InputError, match=r"'f' must be a tensor of torch\.float64"):
        step(1.0, f, u)
    with pytest.raises(gradir.InputError, match="takes k, f, u"):
        step(1.0, f)
    with pytest.raises(gradir.RequestError, match=r"4294967296 is no int"):
        gradir.torch.function(kernels, "step", grid=1, block=1)(1 << 32, 1.0, u, u)
