"""JAX's differentiation API, computed by gradir: the same signatures, pytrees and conventions.

>>> import gradir.jax, jax, jax.numpy as jnp
>>> round(float(gradir.jax.grad(lambda x: jnp.sin(x) ** 2)(1.0)), 4)
0.9093

The functions work in and outside `jax.jit`, under `jax.vmap`, nested in each other, and under JAX's own `grad` and
`jvp`. `stop_gradient`, `custom_jvp` and `custom_vjp` are honoured.
"""

from __future__ import annotations

from pathlib import Path

from jax import checkpoint, linear_transpose

from gradir.jax.calculus import (
    grad,
    hessian,
    hvp,
    jacfwd,
    jacobian,
    jacrev,
    jvp,
    linearize,
    optimize,
    per_example_grad,
    value_and_grad,
    vjp,
)
from gradir.jax.functions import function
from gradir.jax.implicit import fixed_point, implicit, root
from gradir.jax.laplacian import laplacian
from gradir.jax.parallel import experts, pipeline
from gradir.jax.sparse import sparse_hessian, sparse_jacobian
from gradir.jax.taylor import jet
from gradir.jax_internals import hide_frames

hide_frames(str(Path(__file__).parent.parent))

__all__ = [
    "checkpoint",
    "experts",
    "fixed_point",
    "function",
    "grad",
    "hessian",
    "hvp",
    "implicit",
    "jacfwd",
    "jacobian",
    "jacrev",
    "jet",
    "jvp",
    "laplacian",
    "linear_transpose",
    "linearize",
    "optimize",
    "per_example_grad",
    "pipeline",
    "root",
    "sparse_hessian",
    "sparse_jacobian",
    "value_and_grad",
    "vjp",
]
