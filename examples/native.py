"""Differentiate a C function and call the gradient on NumPy arrays.

The energy of a chain of springs between points in the plane, and the forces: minus its gradient.
"""

import tempfile
from pathlib import Path

import numpy as np

import gradir

KERNEL = """
#include <math.h>

double energy(const double *x, int n, double stiffness, double rest) {
  double e = 0;
  for (int i = 0; i + 1 < n; i++) {
    double dx = x[2 * i + 2] - x[2 * i], dy = x[2 * i + 3] - x[2 * i + 1];
    double stretch = sqrt(dx * dx + dy * dy) - rest;
    e += 0.5 * stiffness * stretch * stretch;
  }
  return e;
}
"""

with tempfile.TemporaryDirectory() as folder:
    source = Path(folder) / "springs.c"
    source.write_text(KERNEL)
    m = gradir.load(source)  # compiled by the clang in the ziglang package; names and types come from debug info
print(m.functions["energy"])

x = np.random.default_rng(0).normal(size=(5, 2))
value, (dx, dk) = m.value_and_grad("energy", wrt=("x", "stiffness"))(x, 5, 2.0, 1.0)
print("energy:", value)
print("forces:", -dx, sep="\n")
print("by the stiffness:", dk)

h = 1e-6
step = h * np.eye(10).reshape(10, 5, 2)
differences = [(m.energy(x + s, 5, 2.0, 1.0) - m.energy(x - s, 5, 2.0, 1.0)) / (2 * h) for s in step]
print("largest deviation from central differences:", np.abs(dx.ravel() - differences).max())

hessian = m.hessian("energy")(x, 5, 2.0, 1.0).reshape(10, 10)
print("stiffest mode of the chain:", np.linalg.eigvalsh(hessian).max())
