"""Elementwise rules against JAX: the conventions at kinks and poles, and random shapes, dtypes and values."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from typing import Any

import jax
import numpy as np
import pytest
import scipy.special
from hypothesis import given, settings
from hypothesis import strategies as st
from jax import lax

import gradir

inf, nan = math.inf, math.nan


@pytest.fixture(autouse=True)
def wide() -> Iterator[None]:
    with jax.enable_x64(True):
        yield


def jvp(f: Callable[..., Any], primals: list[np.ndarray], tangents: list[np.ndarray]) -> np.ndarray:
    module = gradir.load(jax.jit(f).lower(*primals)).jvp(wrt=range(len(primals)), name="d")
    return module.run("d", *primals, *tangents)[1]


def vjp(f: Callable[..., Any], primals: list[np.ndarray], cotangent: np.ndarray) -> list[np.ndarray]:
    module = gradir.load(jax.jit(f).lower(*primals)).vjp(wrt=range(len(primals)), name="d")
    return list(module.run("d", *primals, cotangent)[1:])


def of_jax(f: Callable[..., Any], primals: list[np.ndarray], cotangent: np.ndarray) -> list[np.ndarray]:
    """JAX's cotangents are those of the transpose, ours those of the adjoint: the two are conjugates."""
    _, pull = jax.vjp(f, *primals)
    return [np.conj(np.asarray(x)) for x in pull(np.conj(cotangent))]


def relu_like(x: Any) -> Any:
    return lax.max(x, lax.mul(x, x))


KINKS: list[tuple[str, Callable[..., Any], list[list[float]]]] = [
    ("maximum at a tie", lax.max, [[1.0, 0.0, nan, 2.0], [1.0, -0.0, 1.0, 3.0]]),
    ("minimum at a tie", lax.min, [[1.0, 0.0, nan, 2.0], [1.0, -0.0, 1.0, 3.0]]),
    ("maximum of a value and its square", relu_like, [[0.0, 1.0, -1.0]]),
    ("clamp at its bounds", lambda x: lax.clamp(0.0, x, 1.0), [[0.0, 1.0, 0.5, -1.0, 2.0]]),
    ("clamp's bounds, active", lax.clamp, [[0.0, 0.0, 1.0], [0.0, -1.0, 2.0], [1.0, 1.0, 1.0]]),
    ("sqrt at 0", lax.sqrt, [[0.0, inf, -1.0]]),
    ("rsqrt at 0", lax.rsqrt, [[0.0, inf]]),
    ("cbrt at 0", lax.cbrt, [[0.0, inf, -8.0]]),
    ("log at 0", lax.log, [[0.0, inf, -1.0]]),
    ("power at 0", lax.pow, [[0.0, 0.0, 0.0, 0.0, 0.0, -2.0], [1.0, 2.0, 3.0, 0.5, -1.0, 2.0]]),
    ("integer powers", lambda x: lax.integer_pow(x, 3) + lax.integer_pow(x, 0), [[0.0, -1.0, 2.0]]),
    ("power by integers", lambda x: lax.pow(x, np.array([0, 1, 2, 3])), [[0.0, 0.0, 0.0, -2.0]]),
    ("remainder", lax.rem, [[5.5, -5.5, 5.5, 0.0, 6.0], [2.0, 2.0, -2.0, 2.0, 2.0]]),
    ("atan2 at the origin", lax.atan2, [[0.0, 0.0, 1.0], [0.0, -1.0, 0.0]]),
    ("division by 0", lax.div, [[1.0, 0.0, 1.0], [0.0, 0.0, inf]]),
    ("asin at 1", lax.asin, [[1.0, -1.0, 0.0]]),
    ("acos at 1", lax.acos, [[1.0, -1.0, 0.0]]),
    ("acosh at 1", lax.acosh, [[1.0, 2.0]]),
    ("atanh at 1", lax.atanh, [[1.0, -1.0, 0.0]]),
    ("tanh far out", lax.tanh, [[400.0, -400.0, 20.0, -0.0]]),
    ("logistic far out", lax.logistic, [[800.0, -30.0, 0.0]]),
    ("floor and its kin", lambda x: lax.floor(x) + lax.ceil(x) + lax.round(x) + lax.sign(x), [[0.0, 0.5, 1.0, -2.0]]),
    ("erf_inv at 1", lax.erf_inv, [[1.0, -1.0, 0.0]]),
    ("lgamma at poles", lax.lgamma, [[1.0, 2.0, 0.5]]),
    ("bessel_i1e at 0", lax.bessel_i1e, [[0.0, -1.0, 8.0]]),
]


@pytest.mark.parametrize(("f", "points"), [k[1:] for k in KINKS], ids=[k[0] for k in KINKS])
def test_kinks_as_in_jax(f: Callable[..., Any], points: list[list[float]]) -> None:
    primals = [np.array(p) for p in points]
    for i in range(len(primals)):  # one operand at a time, so that no infinity hides another
        tangents = [np.full_like(p, 1.5 * (k == i)) for k, p in enumerate(primals)]

        def alone(x: Any, i: int = i) -> Any:
            return f(*primals[:i], x, *primals[i + 1 :])

        expected = jax.jvp(alone, [primals[i]], [tangents[i]])[1]
        np.testing.assert_allclose(jvp(alone, [primals[i]], [tangents[i]]), expected, rtol=1e-12)
    ct = np.full_like(primals[0], 1.5)
    for got, expected in zip(vjp(f, primals, ct), of_jax(f, primals, ct), strict=True):
        np.testing.assert_allclose(got, expected, rtol=1e-12)


def test_where_gradir_is_not_jax() -> None:
    """Three points where JAX's number is not the derivative (or, at a kink, not the one of `sign`)."""
    zero = np.zeros(2)
    np.testing.assert_array_equal(jvp(lax.abs, [zero], [np.ones(2)]), [0, 0])
    # x to the power of 0 is 1 everywhere.
    np.testing.assert_array_equal(vjp(lax.pow, [zero, zero], np.ones(2)), [[0, 0], [0, 0]])
    # The sign of a complex number turns.
    z, t = np.array([3 + 4j, 0j]), np.array([1j, 1j])
    np.testing.assert_allclose(jvp(lax.sign, [z], [t]), [(4 * -3 + 3 * 3j) / 125, 0], atol=1e-15)
    # Bounds the wrong way round: the upper one is the result.
    bounds = [np.array([2.0]), np.array([0.5]), np.array([1.0])]
    assert [float(g[0]) for g in vjp(lax.clamp, bounds, np.ones(1))] == [0, 0, 1]


def test_complex_conventions() -> None:
    """Cotangents are d/dRe + i·d/dIm."""
    z = np.array([3 - 4j])
    assert vjp(lambda z: z * z, [z], np.array([1 + 0j]))[0] == 6 + 8j
    np.testing.assert_allclose(vjp(lax.abs, [z], np.array([1.0]))[0], 0.6 - 0.8j)
    np.testing.assert_allclose(jvp(lax.abs, [z], [np.array([1j])]), -0.8)
    np.testing.assert_array_equal(vjp(lax.abs, [0 * z], np.array([1.0]))[0], 0)
    np.testing.assert_array_equal(vjp(lax.imag, [z], np.array([2.0]))[0], 2j)
    np.testing.assert_array_equal(vjp(lax.real, [z], np.array([2.0]))[0], 2)


# -- random programs ---------------------------------------------------------------------------------------------------

REAL = {"float64": 1e-9, "float32": 1e-4, "bfloat16": 0.05, "float16": 0.02}
COMPLEX = {"complex128": 1e-9, "complex64": 1e-4}
BOTH = REAL | COMPLEX
positive, unit = (0.3, 3.0), (-0.9, 0.9)

OPS: list[tuple[Callable[..., Any], int, dict[str, float], tuple[float, float]]] = [
    *((f, 1, BOTH, (-2.0, 2.0)) for f in (lax.neg, lax.exp, lax.expm1, lax.sin, lax.cos, lax.tanh, lax.logistic)),
    *((f, 1, BOTH, positive) for f in (lax.log, lax.log1p, lax.sqrt, lax.rsqrt, lax.abs)),
    *((f, 1, BOTH, unit) for f in (lax.tan, lax.asin, lax.acos, lax.atan, lax.sinh, lax.cosh, lax.asinh, lax.atanh)),
    *((f, 1, REAL, unit) for f in (lax.erf, lax.erfc, lax.erf_inv)),
    *(
        (f, 1, {"float64": 1e-9, "float32": 1e-3}, positive)
        for f in (lax.cbrt, lax.lgamma, lax.digamma, lax.bessel_i1e)
    ),
    *((f, 2, BOTH, positive) for f in (lax.add, lax.sub, lax.mul, lax.div, lax.pow)),
    *((f, 2, REAL, positive) for f in (lax.max, lax.min, lax.atan2, lax.nextafter)),
    (lax.rem, 2, {"float64": 1e-9}, positive),
    (lax.complex, 2, {"float64": 1e-9, "float32": 1e-4}, (-2.0, 2.0)),
    *((f, 1, COMPLEX, (-2.0, 2.0)) for f in (lax.real, lax.imag, lax.conj)),
]
TRUTH = {lax.nextafter: lambda x, y: x + 0 * y}
"""What stands in for an op that JAX doesn't differentiate."""


@st.composite
def programs(draw: st.DrawFn) -> tuple[Callable[..., Any], Callable[..., Any], list[np.ndarray], float]:
    f, arity, dtypes, (low, high) = draw(st.sampled_from(OPS))
    dtype = draw(st.sampled_from(sorted(dtypes)))
    shape = tuple(draw(st.lists(st.integers(0, 3), max_size=3)))
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    values = [rng.uniform(low, high, shape) for _ in range(arity)]
    if dtype.startswith("complex"):
        values = [v + 1j * rng.uniform(low, high, shape) for v in values]
    return f, TRUTH.get(f, f), [np.asarray(v).astype(jax.numpy.dtype(dtype)) for v in values], dtypes[dtype]


@settings(max_examples=40, deadline=None, derandomize=True)
@given(programs(), st.integers(0, 2**32 - 1))
def test_random_programs_as_in_jax(
    program: tuple[Callable[..., Any], Callable[..., Any], list[np.ndarray], float], seed: int
) -> None:
    f, truth, primals, tolerance = program
    rng = np.random.default_rng(seed)

    def shadow(like: Any) -> np.ndarray:
        out = np.asarray(rng.normal(size=like.shape))
        return (out + 1j * rng.normal(size=like.shape) if like.dtype.kind == "c" else out).astype(like.dtype)

    def close(got: Any, expected: Any) -> None:
        expected = np.asarray(expected)
        assert got.dtype == expected.dtype and got.shape == expected.shape
        wide = np.complex128 if expected.dtype.kind == "c" else np.float64
        scale = np.abs(expected.astype(wide)).max(initial=1)
        np.testing.assert_allclose(got.astype(wide), expected.astype(wide), rtol=tolerance, atol=tolerance * scale)

    tangents = [shadow(x) for x in primals]
    result, expected = jax.jvp(truth, primals, tangents)
    close(jvp(f, primals, tangents), expected)
    ct = shadow(result)
    for got, expected in zip(vjp(f, primals, ct), of_jax(truth, primals, ct), strict=True):
        close(got, expected)


@pytest.mark.parametrize("narrow", ["bfloat16", "float16", "float8_e4m3fn", "float8_e5m2"])
def test_derivatives_pass_through_narrow_types(narrow: str) -> None:
    def f(x: Any) -> Any:
        return lax.mul(x.astype(narrow).astype("float32"), np.float32(2))

    x = np.array([0.5, -1.5], np.float32)
    np.testing.assert_array_equal(vjp(f, [x], np.ones(2, np.float32))[0], [2, 2])
    np.testing.assert_array_equal(jvp(f, [x], [np.ones(2, np.float32)]), [2, 2])


def test_reduce_precision_rounds_derivatives_too() -> None:
    """As in JAX: a program of lower precision has a derivative of lower precision."""
    x = np.array([1.0])
    assert jvp(lambda x: lax.reduce_precision(x, 5, 3), [x], [np.array([1.23])]) == 1.25


def test_bessel_i1e_derivative_is_exact() -> None:
    x = np.concatenate([np.linspace(1e-3, 8, 100), np.linspace(8, 100, 50), [1e3, 1e6]])
    x = np.concatenate([-x, x])
    expected = scipy.special.i0e(x) - scipy.special.i1e(x) * (np.sign(x) + 1 / x)
    np.testing.assert_allclose(jvp(lax.bessel_i1e, [x], [np.ones_like(x)]), expected, rtol=0, atol=2e-15)


@pytest.mark.parametrize(("op", "operand"), [("chlo.polygamma", "order"), ("chlo.zeta", "exponent")])
def test_refused_operands(op: str, operand: str) -> None:
    t = "tensor<f64>"
    module = gradir.load(
        f"func.func @f(%n: {t}, %x: {t}) -> {t} {{\n%y = {op} %n, %x : {t}, {t} -> {t}\nreturn %y : {t} }}"
    )
    for derive in (module.grad, lambda wrt: module.jvp(wrt=wrt)):
        with pytest.raises(gradir.NoRule, match=f"{op} has no derivative by its {operand}") as error:
            derive(wrt=0)
        assert error.value.location == "<text>:2:6"
    assert module.grad(wrt=1).function("grad_f").results


def test_broadcasting_where_dimensions_are_known_at_run_time() -> None:
    """XLA can't run the op itself, but its derivative is made of ops that it runs."""
    t, u = "tensor<?x?xf64>", "tensor<?xf64>"
    dup = "#enzyme<activity enzyme_dup>"
    module = gradir.load(f"""
      func.func private @f(%x: {t}, %y: {u}) -> {t} {{
        %z = chlo.broadcast_multiply %x, %y : ({t}, {u}) -> {t}
        return %z : {t}
      }}
      func.func @d(%x: {t}, %dx: {t}, %y: {u}, %dy: {u}) -> {t} {{
        %z = enzyme.fwddiff @f(%x, %dx, %y, %dy) {{
          activity = [{dup}, {dup}], ret_activity = [#enzyme<activity enzyme_dupnoneed>]}} : ({t}, {t}, {u}, {u}) -> {t}
        return %z : {t}
      }}""")
    rng = np.random.default_rng(0)
    for shapes in [((2, 1), (3,)), ((2, 3), (1,)), ((4, 3), (3,))]:
        x, dx, y, dy = (rng.normal(size=s) for s in (shapes[0], shapes[0], shapes[1], shapes[1]))
        np.testing.assert_allclose(module.lower().run("d", x, dx, y, dy), dx * y + x * dy)
