"""Linear algebra and Fourier transforms as JAX lowers them, against JAX; conventions that differences don't show."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import jax
import jax.numpy as jnp
import jax.scipy.linalg as jsl
import numpy as np
import pytest

import gradir

QUICK = {"xla_backend_optimization_level": "0", "xla_llvm_disable_expensive_passes": "True"}

Arrays = Sequence[np.ndarray]
Function = Callable[..., Any]


@pytest.fixture(autouse=True)
def _in_double_precision() -> Any:
    with jax.enable_x64(True):
        yield


def real(*shape: int, seed: int = 0) -> np.ndarray:
    return np.random.default_rng(seed).normal(size=shape)


def complex_(*shape: int, seed: int = 0) -> np.ndarray:
    return real(*shape, seed=seed) + 1j * real(*shape, seed=seed + 1)


def positive(x: np.ndarray) -> np.ndarray:
    return x @ np.conj(np.swapaxes(x, -1, -2)) + np.eye(x.shape[-1])


def like(x: np.ndarray, seed: int) -> np.ndarray:
    return complex_(*x.shape, seed=seed) if np.iscomplexobj(x) else real(*x.shape, seed=seed)


def run(module: gradir.Module, name: str, *arguments: Any) -> list[np.ndarray]:
    out = module.run(name, *arguments, xla_options=QUICK)
    return [np.asarray(x) for x in (out if isinstance(out, tuple) else (out,))]


def close(got: Arrays, expected: Arrays, tol: float = 1e-9) -> None:
    assert len(got) == len(expected)
    for g, e in zip(got, expected, strict=True):
        np.testing.assert_allclose(g, e, rtol=tol, atol=tol * max(1.0, np.abs(e).max(initial=0.0)))


PROGRAMS: dict[str, tuple[Function, Arrays]] = {
    "cholesky": (jnp.linalg.cholesky, [positive(complex_(3, 3))]),
    "upper cholesky of a stack": (lambda a: jnp.linalg.cholesky(a, upper=True), [positive(real(2, 3, 3))]),
    "solve": (jnp.linalg.solve, [real(3, 3), real(3, 2, seed=1)]),
    "solve a stack": (jnp.linalg.solve, [complex_(2, 3, 3), complex_(2, 3, 1, seed=2)]),
    "inv": (jnp.linalg.inv, [real(3, 3)]),
    "slogdet": (lambda a: jnp.linalg.slogdet(a)[1], [real(4, 4)]),
    "det": (jnp.linalg.det, [complex_(4, 4)]),
    "triangular solve": (
        lambda a, b: jsl.solve_triangular(a, b, trans="C", lower=True),
        [complex_(3, 3) + 2 * np.eye(3), complex_(3, 2, seed=2)],
    ),
    "qr": (jnp.linalg.qr, [real(4, 3)]),
    "complete qr": (lambda a: jnp.linalg.qr(a, mode="complete"), [complex_(3, 2)]),
    "qr of a wide matrix": (jnp.linalg.qr, [complex_(2, 3)]),
    "qr with exchanges": (lambda a: jsl.qr(a, pivoting=True, mode="economic")[:2], [real(4, 3)]),
    "eigh": (jnp.linalg.eigh, [positive(complex_(3, 3))]),
    "svd": (lambda a: jnp.linalg.svd(a, full_matrices=False), [complex_(3, 2)]),
    "svd of a wide stack": (lambda a: jnp.linalg.svd(a, full_matrices=False), [real(2, 2, 3)]),
    "singular values": (lambda a: jnp.linalg.svd(a, compute_uv=False), [real(4, 3)]),
    "eig": (lambda a: jax.lax.linalg.eig(a, enable_eigvec_derivs=True, compute_left_eigenvectors=False), [real(3, 3)]),
    "pinv": (jnp.linalg.pinv, [real(4, 3)]),
    "lstsq": (lambda a, b: jnp.linalg.lstsq(a, b)[0], [real(4, 3), real(4, 2, seed=1)]),
    "matrix_power": (lambda a: jnp.linalg.matrix_power(a, -3), [real(3, 3)]),
    "tridiagonal solve": (
        jax.lax.linalg.tridiagonal_solve,
        [real(4), real(4, seed=1) + 4, real(4, seed=2), real(4, 2, seed=3)],
    ),
    "positive solve": (
        lambda a, b: jsl.solve(a @ a.T + jnp.eye(3), b, assume_a="pos"),
        [real(3, 3), real(3, 2, seed=1)],
    ),
    "rfft2": (lambda x: jnp.fft.rfft2(x) ** 2, [real(3, 4)]),
    "irfft": (lambda x: jnp.fft.irfft(x, 5) ** 2, [complex_(2, 3)]),
}
TWICE = ["cholesky", "triangular solve", "eigh", "irfft", "qr"]


def flat(f: Function) -> Function:
    return lambda *xs: tuple(jax.tree.leaves(f(*xs)))


def pullback(f: Function, cotangents: Arrays) -> Function:
    """JAX's, in this package's convention: a cotangent of a complex number is d/dRe + i·d/dIm."""
    conjugated = tuple(np.conj(c) for c in cotangents)
    return lambda *xs: tuple(jnp.conj(g) for g in jax.vjp(f, *xs)[1](conjugated))


@pytest.mark.parametrize("name", PROGRAMS)
def test_agrees_with_jax(name: str) -> None:
    f, xs = flat(PROGRAMS[name][0]), PROGRAMS[name][1]
    module = gradir.load(jax.jit(f).lower(*xs))
    wrt = range(len(xs))
    tangents = [like(x, 10 + i) for i, x in enumerate(xs)]
    values, expected = jax.jit(lambda xs, ts: jax.jvp(f, xs, ts))(tuple(xs), tuple(tangents))
    close(run(module.jvp(wrt=wrt), "jvp_main", *xs, *tangents), [*values, *expected])
    cotangents = [like(np.asarray(v), 20 + i) for i, v in enumerate(values)]
    gradients = jax.jit(pullback(f, cotangents))(*xs)
    vjp = module.vjp(wrt=wrt)
    close(run(vjp, "vjp_main", *xs, *cotangents), [*values, *gradients])
    if name not in TWICE:
        return
    second = jax.jit(lambda xs, ts: jax.jvp(pullback(f, cotangents), xs, ts)[1])(tuple(xs), tuple(tangents))
    *_, got = (run(vjp.jvp("vjp_main", wrt=wrt, name="twice"), "twice", *xs, *cotangents, *tangents),)
    close(got[-len(xs) :], second)


@pytest.mark.parametrize("name", ["cholesky", "solve", "qr", "svd"])
def test_a_batch_of_gradients_is_jax_s_vmap(name: str) -> None:
    f, xs = flat(PROGRAMS[name][0]), PROGRAMS[name][1]
    many = [np.stack([x * s for s in (1.0, 1.5, 2.0)]) for x in xs]
    values = jax.jit(f)(*xs)
    cotangents = [like(np.asarray(v), 20 + i) for i, v in enumerate(values)]
    module = gradir.load(jax.jit(f).lower(*xs)).vjp(wrt=range(len(xs)))
    axes = [0] * len(xs) + [None] * len(cotangents)
    got = run(module.batch("vjp_main", 3, in_axes=axes), "batch_vjp_main", *many, *cotangents)
    close(got[-len(xs) :], jax.jit(jax.vmap(pullback(f, cotangents)))(*many))


def test_where_a_factorisation_fails_a_program_says_what_counts_instead() -> None:
    """JAX's puts NaN in the place of factors that LAPACK could not find; a constant has no derivative."""
    module = gradir.load(jax.jit(jnp.linalg.cholesky).lower(np.zeros((2, 2, 2))))
    a, ct = np.stack([-np.eye(2), positive(real(2, 2))]), real(2, 2, 2, seed=1)
    value, gradient = run(module.vjp(), "vjp_main", a, ct)
    assert np.isnan(value[0, 0, 0]) and not gradient[0].any()
    (expected,) = jax.jit(pullback(flat(jnp.linalg.cholesky), [ct[1]]))(a[1])
    close([gradient[1]], [expected])


# -- conventions -------------------------------------------------------------------------------------------------------

CHOLESKY = """func.func @f(%a: tensor<{n}x{n}xf64>) -> tensor<{n}x{n}xf64> {{
  %0 = "stablehlo.cholesky"(%a) {{lower = true}} : (tensor<{n}x{n}xf64>) -> tensor<{n}x{n}xf64>
  return %0 : tensor<{n}x{n}xf64> }}"""


def test_the_gradient_of_a_factor_is_symmetric() -> None:
    """It is that by a symmetric matrix, although one triangle of it is read."""
    a, ct = positive(real(3, 3)), real(3, 3, seed=5)
    _, gradient = run(gradir.load(CHOLESKY.format(n=3)).vjp("f"), "vjp_f", a, ct)
    np.testing.assert_allclose(gradient, gradient.T)
    (expected,) = jax.jit(pullback(flat(jnp.linalg.cholesky), [ct]))(a)
    close([gradient], [expected])
    _, lower = run(gradir.load(CHOLESKY.format(n=3)).vjp("f"), "vjp_f", a, np.tril(ct))
    close([lower], [gradient])  # what a cotangent has above the diagonal does not count


def test_an_empty_matrix_has_an_empty_derivative() -> None:
    module = gradir.load(CHOLESKY.format(n=0))
    nothing = np.zeros((0, 0))
    assert run(module.jvp("f"), "jvp_f", nothing, nothing)[1].shape == (0, 0)
    assert run(module.vjp("f"), "vjp_f", nothing, nothing)[1].shape == (0, 0)


STRONG = """
func.func private @f(%a: tensor<2x2x2xf64>, %b: tensor<2x2x1xf64>) -> (tensor<2x2x1xf64>, tensor<2x2x2xf64>) {
  %x = "stablehlo.triangular_solve"(%a, %b) {left_side = true, lower = true, unit_diagonal = false,
    transpose_a = #stablehlo<transpose NO_TRANSPOSE>} : (tensor<2x2x2xf64>, tensor<2x2x1xf64>) -> tensor<2x2x1xf64>
  %l = "stablehlo.cholesky"(%a) {lower = true} : (tensor<2x2x2xf64>) -> tensor<2x2x2xf64>
  return %x, %l : tensor<2x2x1xf64>, tensor<2x2x2xf64>
}
func.func @g(%a: tensor<2x2x2xf64>, %b: tensor<2x2x1xf64>, %x: tensor<2x2x1xf64>, %l: tensor<2x2x2xf64>)
    -> (tensor<2x2x2xf64>, tensor<2x2x1xf64>) {
  %0:2 = enzyme.autodiff @f(%a, %b, %x, %l) {
    activity = [#enzyme<activity enzyme_active>, #enzyme<activity enzyme_active>],
    ret_activity = [#enzyme<activity enzyme_activenoneed>, #enzyme<activity enzyme_activenoneed>], strong_zero = STRONG}
    : (tensor<2x2x2xf64>, tensor<2x2x1xf64>, tensor<2x2x1xf64>, tensor<2x2x2xf64>)
    -> (tensor<2x2x2xf64>, tensor<2x2x1xf64>)
  return %0#0, %0#1 : tensor<2x2x2xf64>, tensor<2x2x1xf64>
}"""


def test_a_zero_cotangent_of_a_singular_matrix() -> None:
    """With strong zero it stays zero; the other matrix of the stack has its derivative all the same."""
    a = np.stack([np.zeros((2, 2)), positive(real(2, 2))])
    b, x, l = real(2, 2, 1, seed=1), real(2, 2, 1, seed=2), real(2, 2, 2, seed=3)
    x[0], l[0] = 0, 0
    weak = run(gradir.load(STRONG.replace("STRONG", "false")), "g", a, b, x, l)
    strong = run(gradir.load(STRONG.replace("STRONG", "true")), "g", a, b, x, l)
    for w, s in zip(weak, strong, strict=True):
        assert np.isnan(w[0]).all() and not s[0].any()
        np.testing.assert_allclose(s[1], w[1])


def test_what_a_routine_leaves_of_its_operand_has_no_derivative() -> None:
    text = """func.func @f(%a: tensor<3x2xf64>) -> tensor<3x2xf64> {
      %0:5 = stablehlo.custom_call @lapack_dgesdd_ffi(%a) {mhlo.backend_config = {mode = 83 : ui8},
        operand_layouts = [dense<[0, 1]> : tensor<2xindex>], result_layouts = [dense<[0, 1]> : tensor<2xindex>,
        dense<0> : tensor<1xindex>, dense<[0, 1]> : tensor<2xindex>, dense<[0, 1]> : tensor<2xindex>,
        dense<> : tensor<0xindex>]} : (tensor<3x2xf64>)
        -> (tensor<3x2xf64>, tensor<2xf64>, tensor<3x2xf64>, tensor<2x2xf64>, tensor<i32>)
      return %0#0 : tensor<3x2xf64>
    }"""
    for derive in (gradir.Module.jvp, gradir.Module.vjp):
        with pytest.raises(gradir.NoRule, match="result 0 of custom_call @lapack_dgesdd_ffi is scratch space"):
            derive(gradir.load(text), "f")


def test_a_schur_form_is_refused_by_name() -> None:
    module = gradir.load(jax.jit(jsl.schur).lower(real(3, 3)))
    with pytest.raises(gradir.NoRule, match="no reverse rule for custom_call @lapack_dgees_ffi"):
        module.vjp()
    forms = run(module.batch(size=2), "batch_main", np.stack([real(3, 3), real(3, 3, seed=1)]))
    close([x[1] for x in forms], run(module, "main", real(3, 3, seed=1)))


def test_qr_and_householder_products_of_xla() -> None:
    """XLA's own names for them, which JAX uses where no library is at hand."""
    text = """func.func @f(%a: tensor<4x3xf64>) -> (tensor<4x3xf64>, tensor<4x3xf64>) {
      %0:2 = stablehlo.custom_call @Qr(%a) : (tensor<4x3xf64>) -> (tensor<4x3xf64>, tensor<3xf64>)
      %1 = stablehlo.custom_call @ProductOfElementaryHouseholderReflectors(%0#0, %0#1)
        : (tensor<4x3xf64>, tensor<3xf64>) -> tensor<4x3xf64>
      return %0#0, %1 : tensor<4x3xf64>, tensor<4x3xf64>
    }"""
    a, da = real(4, 3), real(4, 3, seed=1)
    packed, q, _, dq = run(gradir.load(text).jvp("f"), "jvp_f", a, da)
    expected, dexpected = jax.jvp(lambda a: jnp.linalg.qr(a)[0], (a,), (da,))
    np.testing.assert_allclose(np.triu(packed[:3]), jnp.linalg.qr(a)[1], atol=1e-12)
    close([q, dq], [np.asarray(expected), np.asarray(dexpected)])
