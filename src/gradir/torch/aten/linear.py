"""Products of matrices, factorisations, Fourier transforms."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

from gradir.torch.aten.reductions import vector_norm
from gradir.torch.aten.table import lowers

Array = Any


@lowers("mm", "bmm", "matmul", "mv", "dot")
def _matmul(x: Array, y: Array) -> Array:
    return jnp.matmul(x, y)


@lowers("vdot", "linalg_vecdot")
def _vdot(x: Array, y: Array, *, dim: int = -1) -> Array:
    return jnp.sum(jnp.conj(x) * y, dim)


@lowers("linear")
def _linear(x: Array, weight: Array, bias: Array | None = None) -> Array:
    if weight.ndim == 1:
        y = jnp.matmul(x, weight)
    else:
        y = lax.dot_general(x, weight, (((x.ndim - 1,), (1,)), ((), ())))
    return y if bias is None else y + bias


@lowers("addmm", "baddbmm", "addmv")
def _addmm(bias: Array, x: Array, y: Array, *, beta: Any = 1, alpha: Any = 1) -> Array:
    product = jnp.matmul(x, y)
    if alpha != 1:
        product = product * jnp.asarray(alpha, product.dtype)
    if beta == 0:
        return product
    return product + (bias if beta == 1 else bias * jnp.asarray(beta, bias.dtype))


@lowers("addbmm")
def _addbmm(bias: Array, x: Array, y: Array, *, beta: Any = 1, alpha: Any = 1) -> Array:
    return jnp.asarray(beta, x.dtype) * bias + jnp.asarray(alpha, x.dtype) * jnp.einsum("bij,bjk->ik", x, y)


@lowers("addr")
def _addr(bias: Array, x: Array, y: Array, *, beta: Any = 1, alpha: Any = 1) -> Array:
    return jnp.asarray(beta, x.dtype) * bias + jnp.asarray(alpha, x.dtype) * jnp.outer(x, y)


@lowers("_trilinear")
def _trilinear(
    x: Array, y: Array, z: Array, expand1: Sequence[int], expand2: Sequence[int], expand3: Sequence[int],
    sumdim: Sequence[int], unroll_dim: int = 1,
) -> Array:  # fmt: skip
    spread = (jnp.expand_dims(v, tuple(e)) for v, e in zip((x, y, z), (expand1, expand2, expand3), strict=True))
    return jnp.sum(math.prod(spread), tuple(sumdim))


@lowers("_cdist_forward")
def _cdist(x: Array, y: Array, p: float, compute_mode: int | None = None) -> Array:
    return vector_norm(x[..., :, None, :] - y[..., None, :, :], p, -1)


@lowers("_pdist_forward")
def _pdist(x: Array, p: float = 2) -> Array:
    """Distances between any two rows, each once."""
    first, second = np.triu_indices(len(x), 1)
    return vector_norm(x[first] - x[second], p, -1)


@lowers("trace")
def _trace(x: Array) -> Array:
    return jnp.trace(x)


@lowers("linalg_cross")
def _cross(x: Array, y: Array, *, dim: int = -1) -> Array:
    x, y = jnp.broadcast_arrays(x, y)
    return jnp.cross(x, y, axis=dim)


# -- Factorisations --------------------------------------------------------------------------------------------------


def _no_error(x: Array) -> Array:
    """What LAPACK says: a failure is nan in the result instead."""
    return jnp.zeros(x.shape[:-2], jnp.int32)


@lowers("linalg_cholesky_ex")
def _cholesky_ex(x: Array, *, upper: bool = False, check_errors: bool = False) -> tuple[Array, Array]:
    # Of the lower triangle, as in PyTorch: the other one is not read.
    lower = jnp.tril(x)
    whole = lower + jnp.conj(jnp.swapaxes(jnp.tril(x, -1), -1, -2))
    factor = lax.linalg.cholesky(whole, symmetrize_input=False)
    return jnp.conj(jnp.swapaxes(factor, -1, -2)) if upper else factor, _no_error(x)


@lowers("linalg_cholesky")
def _cholesky(x: Array, *, upper: bool = False) -> Array:
    return _cholesky_ex(x, upper=upper)[0]


@lowers("cholesky")
def _old_cholesky(x: Array, upper: bool = False) -> Array:
    return _cholesky_ex(x, upper=upper)[0]


@lowers("cholesky_solve")
def _cholesky_solve(b: Array, factor: Array, upper: bool = False) -> Array:
    shape = jnp.broadcast_shapes(b.shape[:-2], factor.shape[:-2])
    b, factor = (jnp.broadcast_to(m, (*shape, *m.shape[-2:])) for m in (b, factor))
    for transposed in (upper, not upper):
        b = lax.linalg.triangular_solve(
            factor, b, left_side=True, lower=not upper, transpose_a=transposed, conjugate_a=transposed
        )
    return b


@lowers("cholesky_inverse")
def _cholesky_inverse(factor: Array, upper: bool = False) -> Array:
    return _cholesky_solve(jnp.eye(factor.shape[-1], dtype=factor.dtype), factor, upper)


@lowers("linalg_lu_factor_ex")
def _lu_factor_ex(x: Array, *, pivot: bool = True, check_errors: bool = False) -> tuple[Array, Array, Array]:
    return *_lu_factor(x, pivot=pivot), _no_error(x)


@lowers("linalg_lu_factor")
def _lu_factor(x: Array, *, pivot: bool = True) -> tuple[Array, Array]:
    factors, pivots, _ = _lu_parts(x, pivot)
    return factors, pivots + 1


def _lu_parts(x: Array, pivot: bool) -> tuple[Array, Array, Array]:
    """Both triangles in one matrix; which rows were exchanged, one after the other; and where each row is now."""
    if not pivot:
        raise NotImplementedError("an LU factorisation without pivots")
    factors, pivots, rows = lax.linalg.lu(x)
    return factors, pivots, rows


@lowers("linalg_lu")
def _lu(x: Array, *, pivot: bool = True) -> tuple[Array, Array, Array]:
    factors, _, rows = _lu_parts(x, pivot)
    permutation = jnp.swapaxes(jnp.eye(x.shape[-2], dtype=x.dtype)[rows], -1, -2)
    return permutation, *_triangles(factors)


def _triangles(factors: Array) -> tuple[Array, Array]:
    m, n = factors.shape[-2:]
    k = min(m, n)
    return jnp.tril(factors[..., :, :k], -1) + jnp.eye(m, k, dtype=factors.dtype), jnp.triu(factors[..., :k, :])


@lowers("linalg_lu_solve")
def _lu_solve(factors: Array, pivots: Array, b: Array, *, left: bool = True, adjoint: bool = False) -> Array:
    if not left or adjoint:
        raise NotImplementedError("lu_solve from the right, or with the adjoint matrix")
    shape = jnp.broadcast_shapes(b.shape[:-2], factors.shape[:-2])
    rows = jnp.broadcast_to(lax.linalg.lu_pivots_to_permutation(pivots - 1, b.shape[-2]), (*shape, b.shape[-2]))
    b, factors = (jnp.broadcast_to(m, (*shape, *m.shape[-2:])) for m in (b, factors))
    y = lax.linalg.triangular_solve(
        factors, jnp.take_along_axis(b, rows[..., None], -2), left_side=True, lower=True, unit_diagonal=True
    )
    return lax.linalg.triangular_solve(factors, y, left_side=True, lower=False)


@lowers("linalg_householder_product")
def _householder_product(reflectors: Array, scales: Array) -> Array:
    """The first columns of a product of reflections I - tau v v^H, of which the last is applied first."""
    m, n = reflectors.shape[-2:]
    vectors = jnp.tril(reflectors, -1) + jnp.eye(m, n, dtype=reflectors.dtype)

    def reflect(product: Array, one: tuple[Array, Array]) -> tuple[Array, None]:
        v, scale = one
        along = jnp.einsum("...i,...ij->...j", jnp.conj(v), product)
        return product - scale[..., None, None] * v[..., :, None] * along[..., None, :], None

    start = jnp.broadcast_to(jnp.eye(m, n, dtype=reflectors.dtype), reflectors.shape)
    count = scales.shape[-1]
    each = jnp.moveaxis(vectors[..., :count], -1, 0), jnp.moveaxis(scales, -1, 0)
    return lax.scan(reflect, start, each, reverse=True)[0]


@lowers("linalg_inv", "inverse")
def _inv(x: Array) -> Array:
    return jnp.linalg.inv(x)


@lowers("linalg_solve")
def _solve(a: Array, b: Array, *, left: bool = True) -> Array:
    return _solve_ex(a, b, left=left)[0]


@lowers("linalg_inv_ex")
def _inv_ex(x: Array, *, check_errors: bool = False) -> tuple[Array, Array]:
    return jnp.linalg.inv(x), _no_error(x)


@lowers("linalg_solve_triangular")
def _solve_triangular(a: Array, b: Array, *, upper: bool, left: bool = True, unitriangular: bool = False) -> Array:
    shape = jnp.broadcast_shapes(a.shape[:-2], b.shape[:-2])
    a, b = (jnp.broadcast_to(m, (*shape, *m.shape[-2:])) for m in (a, b))
    return lax.linalg.triangular_solve(a, b, left_side=left, lower=not upper, unit_diagonal=unitriangular)


@lowers("linalg_qr")
def _qr(x: Array, mode: str = "reduced") -> tuple[Array, Array]:
    if mode == "r":
        return jnp.zeros(0, x.dtype), jnp.linalg.qr(x, "r")
    q, r = jnp.linalg.qr(x, mode)
    return q, r


@lowers("_linalg_eigh")
def _eigh(x: Array, UPLO: str = "L", compute_v: bool = True) -> tuple[Array, Array]:
    values, vectors = jnp.linalg.eigh(x, UPLO=UPLO, symmetrize_input=False)
    return values, vectors if compute_v else jnp.zeros(0, x.dtype)


@lowers("_linalg_svd")
def _svd(
    x: Array, full_matrices: bool = False, compute_uv: bool = True, *, driver: str | None = None
) -> tuple[Array, Array, Array]:
    if not compute_uv:
        none = jnp.zeros(0, x.dtype)
        return none, jnp.linalg.svd(x, compute_uv=False), none
    u, s, vh = jnp.linalg.svd(x, full_matrices)
    return u, s, vh


@lowers("_linalg_slogdet")
def _slogdet(x: Array) -> tuple[Array, ...]:
    sign, logarithm = jnp.linalg.slogdet(x)
    return sign, logarithm, x, jnp.zeros(x.shape[:-1], jnp.int32)


@lowers("_linalg_det")
def _det(x: Array) -> tuple[Array, ...]:
    return jnp.linalg.det(x), x, jnp.zeros(x.shape[:-1], jnp.int32)


@lowers("_linalg_solve_ex")
def _solve_ex(a: Array, b: Array, *, left: bool = True, check_errors: bool = False) -> tuple[Array, ...]:
    vector = b.ndim == 1 or (b.ndim == a.ndim - 1 and b.shape == a.shape[:-1])
    right = b[..., None] if vector else b
    if not left:
        a, right = jnp.swapaxes(a, -1, -2), jnp.swapaxes(right, -1, -2)
    found = jnp.linalg.solve(a, right)
    if not left:
        found = jnp.swapaxes(found, -1, -2)
    return found[..., 0] if vector else found, a, jnp.zeros(a.shape[:-1], jnp.int32), _no_error(a)


@lowers("linalg_matrix_exp")
def _matrix_exp(x: Array) -> Array:
    return jax.scipy.linalg.expm(x)


# -- Fourier transforms ----------------------------------------------------------------------------------------------

_NORMS = {True: ("backward", "ortho", "forward"), False: ("forward", "ortho", "backward")}
"""PyTorch's numbers say by what the result is divided: nothing, the root of the count, the count."""


@lowers("_fft_c2c")
def _fft_c2c(x: Array, dim: Sequence[int], normalization: int, forward: bool) -> Array:
    transform = jnp.fft.fftn if forward else jnp.fft.ifftn
    return transform(x, axes=tuple(dim), norm=_NORMS[forward][normalization])


@lowers("_fft_r2c")
def _fft_r2c(x: Array, dim: Sequence[int], normalization: int, onesided: bool) -> Array:
    transform = jnp.fft.rfftn if onesided else jnp.fft.fftn
    return transform(x, axes=tuple(dim), norm=_NORMS[True][normalization])


@lowers("_fft_c2r")
def _fft_c2r(x: Array, dim: Sequence[int], normalization: int, last_dim_size: int) -> Array:
    sizes = [*(x.shape[d] for d in dim[:-1]), last_dim_size]
    return jnp.fft.irfftn(x, sizes, axes=tuple(dim), norm=_NORMS[False][normalization])
