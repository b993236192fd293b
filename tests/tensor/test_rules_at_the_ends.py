"""Derivative rules of elementwise ops at the ends of the range of narrow types, against f64.

The rules are found in the table, so a new one can't escape. What a rule emits is interpreted in the type itself and in
f64: where the derivative is a normal number of the type, a formula must neither overflow nor lose it on the way.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from functools import cache
from typing import Any

import jax
import ml_dtypes
import numpy as np
import pytest
import scipy.special
from fuzzing.interpreter import DTYPES, Interpreter

import gradir
import gradir.jax
from gradir.tensor.rules import RULES
from gradir.tensor.rules.rule import batch_elementwise

NARROW = ("f16", "bf16", "f32")
UNITS = 16
"""Units of rounding that a formula of a few ops may be off by: of the derivative, and of what rounding its arguments
makes of it."""

EXCUSED = {
    "stablehlo.exponential_minus_one": "y + 1 of y near -1 loses digits, as in JAX: no exponential is kept",
    "stablehlo.logistic": "1 - y of y near 1 likewise",
    "stablehlo.tanh": "1 - y of y near 1 likewise",
    "stablehlo.power": "x^(y-1) overflows a little before y x^(y-1) does, for y between -1 and 0, as in JAX",
    "chlo.next_after": "the derivative is 1",
    "chlo.polygamma": "the derivative is another value of the same function, which SciPy has not everywhere",
    "chlo.zeta": "likewise",
}


@cache
def arity(name: str) -> int:
    """How many operands of one real type the op takes, or 0 if it is not such an op."""
    for n in (1, 2, 3):
        try:
            gradir.load(program(name, n, "f32", 1))
        except gradir.GradirError:
            continue
        return n
    return 0


def program(name: str, n: int, dtype: str, size: int) -> str:
    t = f"tensor<{size}x{dtype}>"
    operands, types = [f"%x{i}" for i in range(n)], ", ".join([t] * n)
    given = ", ".join(f"{x}: {t}" for x in operands)
    return f"""func.func @f({given}) -> {t} {{
        %y = "{name}"({", ".join(operands)}) : ({types}) -> {t}
        return %y : {t}
    }}"""


ELEMENTWISE = [
    name
    for name, rule in sorted(RULES.items())
    if rule.jvp and rule.batch is batch_elementwise and arity(name) in (1, 2)
]


def grid(dtype: str, n: int) -> list[np.ndarray]:
    """Points all over the range, of both signs, more of them near 1; every pair of them for two operands."""
    ends = ml_dtypes.finfo(DTYPES[dtype])
    low, high = np.log2(float(ends.tiny)), np.log2(float(ends.max))
    sizes = np.exp2(np.concatenate([np.linspace(low, high, 30 // n, endpoint=False), np.linspace(-3, 4, 16 // n)]))
    points = [*(1.23 * sizes), 0.99, 0.9, 1.0, 2.0, 3.0, 8.5, float(ends.max), float(ends.tiny)]
    line = np.array([*points, *(-x for x in points)])
    pairs = np.array(list(itertools.product(line, repeat=n)))
    return [np.asarray(x).astype(DTYPES[dtype]) for x in pairs.T]


def shaken(xs: Sequence[np.ndarray], eps: float, seed: int) -> list[np.ndarray]:
    rng = np.random.default_rng(seed)
    return [x.astype(np.float64) * (1 + eps * rng.uniform(-1, 1, x.shape)) for x in xs]


@pytest.mark.parametrize("dtype", NARROW)
@pytest.mark.parametrize("name", [n for n in ELEMENTWISE if n not in EXCUSED])
def test_rule_keeps_to_the_range(name: str, dtype: str) -> None:
    n = arity(name)
    xs = grid(dtype, n)
    ends = ml_dtypes.finfo(DTYPES[dtype])
    eps, tiny, top = float(ends.eps), float(ends.tiny), float(ends.max)
    wrong: list[str] = []
    for k in range(n):
        try:
            with gradir.optimizing(False):
                module = gradir.load(program(name, n, dtype, xs[0].size)).vjp("f", [k], name="d")
        except gradir.NoRule:
            continue
        narrow, wide = (Interpreter(module.ir, wide=w, entry="d") for w in (False, True))
        one = np.ones(xs[0].shape, xs[0].dtype)
        value, got = (x.astype(np.float64) for x in narrow(*xs, one))
        truth = wide(*xs, one)[1]
        with np.errstate(all="ignore"):
            moved = [np.abs(wide(*shaken(xs, eps, s), one.astype(np.float64))[1] - truth) for s in range(4)]
            noise = np.max(moved, 0)
            sound = np.isfinite(value) & (np.abs(truth) >= tiny) & (np.abs(truth) <= top) & np.isfinite(noise)
            bad = sound & ~(np.abs(got - truth) <= UNITS * (eps * np.abs(truth) + noise))
        wrong += [
            f"by operand {k} at {[float(x[i]) for x in xs]}: {got[i]:.6g} instead of {truth[i]:.6g}"
            for i in np.flatnonzero(bad)
        ]
    assert not wrong, f"{len(wrong)} of {xs[0].size} points:\n" + "\n".join(wrong[:10])


# -- what JAX has no or no right derivative of, against exact values ---------------------------------------------------


def slope(f: Callable[..., Any], *xs: Any) -> np.ndarray:
    """The gradient by the first argument, optimised and compiled by XLA."""
    return np.asarray(gradir.jax.grad(lambda *xs: jax.numpy.sum(f(*xs)))(*xs)).astype(np.float64)


@pytest.mark.parametrize("x", [-0.3, -3.3, -8.5, -9.75, -30.2, 0.4, 7.0])
def test_digamma_left_of_0(x: float) -> None:
    """By the recurrence of trigamma, from where SciPy has it. (1e-5: some units of f32, and sin π x is computed.)"""
    n = max(0, int(np.ceil(-x)))
    exact = scipy.special.polygamma(1, x + n) + sum(1 / (x + k) ** 2 for k in range(n))
    np.testing.assert_allclose(slope(jax.lax.digamma, np.float32(x)), exact, rtol=1e-5)


def test_i0e_far_out() -> None:
    """Of i1e - i0e the difference is taken, so the error is relative to i0e; it was nan."""
    x = np.array([50, 1e4, 1e30], np.float32)
    exact = scipy.special.i1e(x.astype(float)) - scipy.special.i0e(x.astype(float))
    got = slope(jax.lax.bessel_i0e, x)
    assert (np.abs(got - exact) <= 1e-6 * scipy.special.i0e(x.astype(float))).all()


def test_bessel_jn_by_its_recurrence() -> None:
    """It was -3.88 for the order 3; JAX's own is nan. (Terms of some hundred cancel: 1e-5 is some units of them.)"""
    got = jax.jit(gradir.jax.jacfwd(lambda x: jax.scipy.special.bessel_jn(x, v=3)))(np.float32(5))
    np.testing.assert_allclose(got, [scipy.special.jvp(k, 5.0) for k in range(4)], atol=1e-5)


@pytest.mark.parametrize("extremum", [jax.numpy.max, jax.numpy.min])
def test_an_extremum_that_is_not_a_number_has_no_derivative(extremum: Callable[..., Any]) -> None:
    """Under `jit`, too, where XLA makes a select of the product by which JAX gets nan."""

    def f(x: Any) -> Any:
        return extremum(jax.numpy.log(x), axis=0)

    x = np.array([[-1.0, 2.0], [3.0, 4.0]], np.float32)
    for optimised in (False, True):
        with gradir.optimizing(optimised):
            got = np.asarray(jax.jit(gradir.jax.grad(lambda x: f(x).sum()))(x))
            moved = np.asarray(jax.jit(lambda x: gradir.jax.jvp(f, (x,), (x * 0 + 1,))[1])(x))
        assert np.isnan(got[:, 0]).all() and np.isfinite(got[:, 1]).all()
        assert np.isnan(moved[0]) and np.isfinite(moved[1])


@pytest.mark.parametrize("size", [1e-38, 1e-30, 1e-10, 1.0, 1e10, 1e30])
def test_atan2_at_every_size(size: float) -> None:
    y, x = np.float32(3 * size), np.float32(4 * size)
    np.testing.assert_allclose(slope(jax.lax.atan2, y, x), 4 / 25 / size, rtol=1e-6)
