"""One C function in SciPy, PyTorch and JAX, with its exact derivatives.

A chain of springs hangs between two points: SciPy finds its shape by Newton's method with exact Hessians, PyTorch
learns the springs' rest length from that shape, JAX computes the forces of many chains at once.
"""

import tempfile
from pathlib import Path

import jax
import numpy as np
import scipy.optimize
import torch

import gradir
import gradir.jax
import gradir.scipy
import gradir.torch

KERNEL = """
#include <math.h>

/* inner points (x, y) of a chain from (0, 0) to (1, 0) with weight */
double energy(const double *x, int n, double rest) {
  double e = 0, left = 0, below = 0;
  for (int i = 0; i <= n / 2; i++) {
    double right = i < n / 2 ? x[2 * i] : 1, above = i < n / 2 ? x[2 * i + 1] : 0;
    double length = sqrt((right - left) * (right - left) + (above - below) * (above - below));
    e += 50 * (length - rest) * (length - rest) + 0.1 * above;
    left = right;
    below = above;
  }
  return e;
}
"""

with tempfile.TemporaryDirectory() as folder:
    source = Path(folder) / "springs.c"
    source.write_text(KERNEL)
    m = gradir.load(source)


def length(x):
    return len(x)


# SciPy: the shape at rest, with exact gradients and Hessians
points = 9
start = np.stack([np.linspace(0, 1, points + 2)[1:-1], np.full(points, -0.05)], axis=1).ravel()
chain = gradir.scipy.objective(m.energy, n=length, rest=0.12)
found = scipy.optimize.minimize(chain.fun, start, jac=chain.jac, hess=chain.hess, method="trust-exact", tol=1e-9)
print(f"SciPy: {found.nit} steps; the chain hangs {-found.x[1::2].min():.4f} deep")

# PyTorch: the rest length for which that shape is one of equilibrium
energy = gradir.torch.function(m.energy, n=length)
shape = torch.tensor(found.x, requires_grad=True)
rest = torch.nn.Parameter(torch.tensor(0.1, dtype=torch.float64))
optimizer = torch.optim.LBFGS([rest], max_iter=50, tolerance_grad=1e-12, line_search_fn="strong_wolfe")


def closure():
    optimizer.zero_grad()
    (forces,) = torch.autograd.grad(energy(shape, rest), shape, create_graph=True)
    loss = torch.sum(forces**2)
    loss.backward()
    return loss


optimizer.step(closure)
print(f"PyTorch: rest length {rest.item():.6f}, by second derivatives")

# JAX: forces on many chains at once, in a compiled program that calls the C code itself
jax.config.update("jax_enable_x64", True)
chains = found.x + 0.01 * np.random.default_rng(0).normal(size=(100, 2 * points))
forces = -jax.jit(jax.vmap(jax.grad(gradir.jax.function(m.energy, n=length)), in_axes=(0, None)))(chains, 0.12)
print(f"JAX: forces {forces.shape}, the largest {np.abs(forces).max():.4f}")

h = 1e-6
step = h * np.eye(2 * points)
differences = [
    (m.energy(chains[0] + s, 2 * points, 0.12) - m.energy(chains[0] - s, 2 * points, 0.12)) / (2 * h) for s in step
]
print("largest deviation from central differences:", np.abs(forces[0] + np.array(differences)).max())
