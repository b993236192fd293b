"""Where JAX users would notice that it isn't JAX: control flow, callbacks, exports, messages, printing, the cache."""

from __future__ import annotations

import traceback
from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax import export
from jax.experimental.ode import odeint

import gradir.jax as gj
from gradir.jax import program

X = jnp.array([0.5, -1.0, 2.0])


def cubic(x: Any) -> Any:
    return jnp.sum(x**3)


# -- Functions that JAX has


def test_linearize():
    def f(x: Any, n: Any) -> Any:
        return {"s": jnp.sin(x) * n, "n": n + 1}

    n = jnp.array([1, 2, 3])
    value, push = gj.linearize(f, X, n)
    _, theirs = jax.linearize(f, X, n)
    tangents = jnp.array([1.0, 2.0, 3.0]), np.zeros(3, jax.dtypes.float0)
    for g in (push, jax.jit(push)):
        moved = g(*tangents)
        np.testing.assert_allclose(moved["s"], theirs(*tangents)["s"], rtol=1e-6)
        assert moved["n"].dtype == jax.dtypes.float0
    np.testing.assert_allclose(value["s"], f(X, n)["s"], rtol=1e-6)
    value, push, aux = gj.linearize(lambda x: (x * x, "aux"), 3.0, has_aux=True)
    assert (value, push(1.0), aux) == (9.0, 6.0, "aux")
    with pytest.raises(ValueError, match="tangent values inconsistent"):
        gj.linearize(cubic, X)[1](1.0)


def test_linear_transpose_and_checkpoint():
    (moved,) = gj.linear_transpose(lambda x: 3.0 * x[::-1], X)(X)
    np.testing.assert_allclose(moved, 3.0 * X[::-1])
    np.testing.assert_allclose(gj.grad(gj.checkpoint(cubic))(X), 3 * X**2, rtol=1e-6)


# -- Python control flow


def branches(x: Any) -> Any:
    if x > 0:
        return x * x
    return -x


def rounds(x: Any) -> Any:
    while x < 100:
        x = x * x
    return x


@pytest.mark.parametrize("f", [branches, rounds, lambda x: x * [1.0, 2.0, 3.0, 4.0][int(x)]])
def test_python_may_look_at_values(f: Callable[..., Any]):
    for transform in (gj.grad, gj.jacfwd, gj.jacrev, gj.hessian, lambda f: gj.grad(gj.grad(f))):
        theirs = {gj.grad: jax.grad, gj.jacfwd: jax.jacfwd, gj.jacrev: jax.jacrev, gj.hessian: jax.hessian}
        want = theirs.get(transform, lambda f: jax.grad(jax.grad(f)))(f)(3.0)
        np.testing.assert_allclose(transform(f)(3.0), want, rtol=1e-6)
    _, pull = gj.vjp(f, 3.0)
    np.testing.assert_allclose(pull(1.0)[0], jax.grad(f)(3.0), rtol=1e-6)
    np.testing.assert_allclose(gj.jvp(f, (3.0,), (2.0,))[1], 2 * jax.grad(f)(3.0), rtol=1e-6)
    np.testing.assert_allclose(gj.linearize(f, 3.0)[1](2.0), 2 * jax.grad(f)(3.0), rtol=1e-6)


def test_where_it_can_not_the_argument_is_named():
    def f(params: Any, x: Any) -> Any:
        return x if params["w"][0] > 0 else -x

    with pytest.raises(jax.errors.TracerBoolConversionError, match=r"argument params\['w'\]") as caught:
        jax.jit(gj.grad(f, argnums=1))({"w": X}, 1.0)
    assert "test_jax_as_jax.py" in str(caught.value)
    with pytest.raises(jax.errors.TracerBoolConversionError, match=r"f at .*test_jax_as_jax.*argument params\['w'\]"):
        gj.laplacian(f)({"w": X}, 1.0)  # which JAX hasn't


# -- What no program can hold


def test_odeint():
    def explicit(p: Any) -> Any:
        return odeint(lambda y, t, p: -p * y, jnp.array(1.0), jnp.array([0.0, 1.0]), p)[-1]

    def closure(p: Any) -> Any:
        return odeint(lambda y, t: -p * y, jnp.array(1.0), jnp.array([0.0, 1.0]))[-1]

    for f in (explicit, closure):
        for g in (gj.grad(f), jax.jit(gj.grad(f))):
            np.testing.assert_allclose(g(2.0), -np.exp(-2.0), rtol=1e-5)  # odeint's tolerance is 1.4e-8, in float32


def test_a_custom_vjp_may_close_over_an_argument():
    def f(x: Any, c: Any) -> Any:
        @jax.custom_vjp
        def scaled(x: Any) -> Any:
            return c * x

        scaled.defvjp(lambda x: (scaled(x), None), lambda _, g: (10 * c * g,))
        return scaled(x)

    assert gj.grad(f)(2.0, 3.0) == jax.grad(f)(2.0, 3.0) == 30.0


@pytest.mark.parametrize("jit", [lambda f: f, jax.jit])
def test_effects_of_the_primal_stay(jit: Callable[..., Any], capfd: pytest.CaptureFixture[str]):
    seen: list[float] = []

    def f(x: Any) -> Any:
        jax.debug.print("x is {x}", x=x)
        jax.debug.callback(lambda v: seen.append(float(v)), 2 * x)
        known = jax.pure_callback(np.sin, jax.ShapeDtypeStruct((), jnp.float32), jax.lax.stop_gradient(x))
        return known * x

    np.testing.assert_allclose(jit(gj.grad(f))(3.0), np.sin(3.0), rtol=1e-6)
    jax.effects_barrier()
    assert capfd.readouterr().out == "x is 3.0\n" and seen == [6.0]


def test_symbolic_shapes():
    def norm(x: Any) -> Any:
        return jnp.sum(jnp.sin(x) * x)

    (n,) = export.symbolic_shape("n")
    made = export.export(jax.jit(gj.value_and_grad(norm)))(jax.ShapeDtypeStruct((n,), jnp.float32))
    for x in (X, jnp.arange(5.0)):
        value, gradient = export.deserialize(made.serialize()).call(x)
        np.testing.assert_allclose(value, norm(x), rtol=1e-6)
        np.testing.assert_allclose(gradient, np.sin(x) + x * np.cos(x), rtol=1e-5)


@pytest.mark.parametrize("dtype", [jnp.bfloat16, jnp.float16])
def test_a_backward_rule_may_give_another_type(dtype: Any):
    @jax.custom_vjp
    def twice(x: Any) -> Any:
        return 2 * x

    twice.defvjp(lambda x: (twice(x), None), lambda _, g: ((2 * g).astype(dtype),))
    made = gj.grad(lambda x: jnp.sum(twice(jnp.sin(x))))(X)
    assert made.dtype == jnp.float32
    np.testing.assert_allclose(made, 2 * np.cos(X), rtol=1e-6)  # 2 is the same in all types


# -- Messages


def test_tracebacks_show_the_users_frames():
    def loss(x: Any) -> Any:
        return jnp.sum(x + jnp.ones(7))

    with pytest.raises(TypeError) as caught:
        gj.grad(loss)(X)
    with pytest.raises(TypeError) as scalar:
        gj.grad(jnp.sin)(X)
    for error in (caught.value, scalar.value):
        shown = [
            frame.f_code.co_filename
            for frame, _ in traceback.walk_tb(error.__traceback__)
            if "/gradir/" in frame.f_code.co_filename and not frame.f_locals.get("__tracebackhide__")
        ]
        assert not shown, "what pytest hides, so does a terminal"


def test_jaxprs_are_readable():
    shown = str(jax.make_jaxpr(gj.grad(lambda x: jnp.sum(jnp.sin(x))))(X))
    assert "stablehlo.cosine %arg0" in shown and "float32[3]" in shown and "0x" not in shown and "Deriver" not in shown
    second = str(jax.make_jaxpr(lambda x, t: jax.jvp(gj.grad(cubic), (x,), (t,)))(X, X))
    assert "gradir_tangent[" in second and "0x" not in second


# -- What was made before is found again


def lowerings(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """One entry for each function that is lowered from now on."""
    seen: list[int] = []
    lower = program.lower
    monkeypatch.setattr(program, "lower", lambda traced: (seen.append(1), lower(traced))[1])
    return seen


def test_a_call_from_another_line_makes_nothing_new(monkeypatch: pytest.MonkeyPatch):
    big = jnp.arange(100.0)

    def f(x: Any, scale: float) -> Any:
        return jnp.sum(jnp.tanh(x) * scale) + jnp.sum(big) * x[0]

    seen = lowerings(monkeypatch)
    first = gj.grad(lambda x: f(x, 3.0))(X)
    assert len(seen) == 1
    second = gj.grad(
        lambda y: f(y, 3.0),
    )(X)
    assert len(seen) == 1, "neither lines nor names matter"
    np.testing.assert_array_equal(first, second)
    np.testing.assert_allclose(gj.grad(lambda x: f(x, -0.0))(X)[1:], 0.0)
    np.testing.assert_allclose(gj.grad(lambda x: f(x, 2.0))(X)[1:], 2 / np.cosh(X[1:]) ** 2, rtol=1e-5)
    assert len(seen) == 3, "but numbers do"
    big = -big
    np.testing.assert_allclose(gj.grad(lambda x: f(x, 3.0))(X)[0] - first[0], -2 * 4950.0, rtol=1e-6)
    assert len(seen) == 3, "and large constants are arguments"


def test_jax_forgets_programs_with_what_it_has_made_itself(monkeypatch: pytest.MonkeyPatch):
    seen = lowerings(monkeypatch)
    for _ in range(2):
        gj.grad(lambda x: jnp.sum(jnp.sin(x) * 7))(X)
    assert len(seen) == 1
    jax.clear_caches()
    gj.grad(lambda x: jnp.sum(jnp.sin(x) * 7))(X)
    assert len(seen) == 2


def test_rules_of_users_are_found_again_wherever_they_stand():
    @jax.custom_jvp
    def f(x: Any) -> Any:
        return jnp.sin(x)

    f.defjvp(lambda p, t: (f(*p), 5.0 * t[0]))
    gj.grad(lambda x: f(x) * 2)(1.0)
    before = {id(p) for p in program._programs.values()}
    assert gj.grad(lambda y: f(y) * 2)(1.0) == 10.0
    assert {id(p) for p in program._programs.values()} == before


def test_programs_that_differ_in_little_are_told_apart():
    rules = {}
    for name, f in {
        "int": lambda x: x**2,
        "float": lambda x: x**2.0,
        "minus zero": lambda x: x * -0.0 + 1 / x,
        "zero": lambda x: x * 0.0 + 1 / x,
        "inner": lambda x: jax.lax.cond(x > 0, lambda x: 2 * x, lambda x: 3 * x, x),
        "other inner": lambda x: jax.lax.cond(x > 0, lambda x: 3 * x, lambda x: 2 * x, x),
        "constant": lambda x: jnp.sum(x * jnp.array([1.0, 2.0])),
        "other constant": lambda x: jnp.sum(x * jnp.array([1.0, 3.0])),
    }.items():
        rules[name] = float(gj.grad(f)(2.0)), float(jax.grad(f)(2.0))
    for name, (ours, theirs) in rules.items():
        assert ours == pytest.approx(theirs, rel=1e-6), name
