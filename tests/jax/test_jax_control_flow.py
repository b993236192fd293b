"""Loops and branches: what JAX makes of them, in both modes, batched, and one in the other.

In double precision; `ROUNDING` units are 2e-12 there.
"""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from agreement import assert_agree, assert_same, direction
from jax import lax

import gradir.jax as ours

pytestmark = pytest.mark.usefixtures("x64")

V = np.array([0.5, -1.0, 2.0])
W = np.array([0.9, 0.3, -0.4])
XS = np.linspace(-1, 1, 12).reshape(4, 3)


def every_way(fun: Any, x: Any, y: Any) -> None:
    """Both modes, both second derivatives and a batch, in one program, so that it is compiled once."""
    x, y = jnp.asarray(x), jnp.asarray(y)
    along = direction((x, y))

    def derivatives(m: Any) -> Any:
        gradient = m.grad(fun, (0, 1))

        def slope(x, y):
            return sum(jnp.vdot(g, t) for g, t in zip(gradient(x, y), along, strict=True))

        @jax.jit
        def all_of_them(x: Any, y: Any) -> Any:
            return (
                m.value_and_grad(fun, (0, 1))(x, y),
                m.jvp(fun, (x, y), along),
                m.jvp(gradient, (x, y), along)[1],
                m.grad(slope, (0, 1))(x, y),
                jax.vmap(gradient)(jnp.stack([x, x * 0.5]), jnp.stack([y, y * 0.5])),
            )

        return all_of_them(x, y)

    assert_same(derivatives)


def rnn(c: Any, x: Any) -> Any:
    c = jnp.tanh(c * W + x)
    return c, c**2


LOOPS = {
    "scan": lambda c, xs: jnp.sum(lax.scan(rnn, c, xs)[1]),
    "last": lambda c, xs: jnp.sum(lax.scan(rnn, c, xs)[0]),
    "both": lambda c, xs: jnp.sum(lax.scan(rnn, c, xs)[0]) + jnp.sum(lax.scan(rnn, c, xs)[1] * xs),
    "reversed": lambda c, xs: jnp.sum(lax.scan(rnn, c, xs, reverse=True)[1] * xs),
    "unrolled": lambda c, xs: jnp.sum(lax.scan(rnn, c, xs, unroll=2)[1] * xs),
    "unrolled with a rest": lambda c, xs: jnp.sum(lax.scan(rnn, c, xs, unroll=3)[1] * xs),
    "wholly unrolled": lambda c, xs: jnp.sum(lax.scan(rnn, c, xs, unroll=True)[1] * xs),
    "without xs": lambda c, xs: jnp.sum(lax.scan(lambda c, _: (jnp.sin(c) * xs[0], c), c, None, length=5)[1]),
    "without carry": lambda c, xs: jnp.sum(lax.scan(lambda _, x: (None, jnp.sin(x) * c), None, xs)[1]),
    "map": lambda c, xs: jnp.sum(lax.map(lambda x: jnp.sin(x) * c, xs)),
    "map in batches": lambda c, xs: jnp.sum(lax.map(lambda x: jnp.sin(x) * c, xs, batch_size=3)),
    "of one round": lambda c, xs: jnp.sum(lax.scan(rnn, c, xs[:1])[1]),
    "of no round": lambda c, xs: jnp.sum(lax.scan(rnn, c, xs[:0])[0] * xs[0]),
    "in scan": lambda c, xs: jnp.sum(lax.scan(lambda c, x: lax.scan(rnn, c, xs * x)[:2], c, xs)[1]),
    "fori": lambda c, xs: jnp.sum(lax.fori_loop(0, 4, lambda i, c: jnp.sin(c) * xs[i], c)),
    "fori from 1": lambda c, xs: jnp.sum(lax.fori_loop(1, 4, lambda i, c: jnp.sin(c) * xs[i] + i, c)),
    "fori of none": lambda c, xs: jnp.sum(lax.fori_loop(4, 2, lambda i, c: jnp.sin(c) * xs[i], c) * xs[0]),
    "fori in fori": lambda c, xs: jnp.sum(
        lax.fori_loop(0, 3, lambda i, c: lax.fori_loop(0, 2, lambda j, d: jnp.sin(d) * xs[i + j], c), c)
    ),
    "filling": lambda c, xs: jnp.sum(
        lax.fori_loop(0, 4, lambda i, s: s.at[i].set(jnp.sin(xs[i] * c)), jnp.ones((6, 3)) * c) ** 2
    ),
    "filling backwards": lambda c, xs: jnp.sum(
        lax.fori_loop(0, 4, lambda i, s: s.at[3 - i].set(jnp.sin(xs[i] * c)), jnp.zeros((4, 3))) ** 2
    ),
    "filling over": lambda c, xs: jnp.sum(
        lax.fori_loop(0, 4, lambda i, s: s.at[i // 2].set(jnp.sin(xs[i] * c) * s[0]), jnp.ones((2, 3)) * c) ** 2
    ),
    "read what was written": lambda c, xs: jnp.sum(
        lax.fori_loop(1, 4, lambda i, s: s.at[i].set(jnp.sin(s[i - 1]) * xs[i]), jnp.ones((4, 3)) * c)
    ),
    "with unused state": lambda c, xs: jnp.sum(
        lax.fori_loop(0, 3, lambda i, s: (jnp.sin(s[0]), s[1] * xs[i], s[2] + 1), (c, c, 0))[0]
    ),
    "with integer state": lambda c, xs: jnp.sum(
        lax.fori_loop(0, 4, lambda i, s: (jnp.sin(s[0]) * xs[s[1] % 4], s[1] + 3), (c, 0))[0]
    ),
    "that swaps": lambda c, xs: jnp.sum(lax.fori_loop(0, 3, lambda i, s: (s[1] * c, jnp.sin(s[0])), (c, xs[0]))[0]),
    "with an invariant": lambda c, xs: jnp.sum(
        lax.fori_loop(0, 3, lambda i, s: (jnp.sin(s[0]) * s[1], s[1]), (c, xs[0]))[1] * c
    ),
    "with one value twice": lambda c, xs: jnp.sum(
        lax.fori_loop(0, 3, lambda i, s: (jnp.sin(s[0]) * s[1] * c, s[1]), (c, c))[0]
    ),
    "associative": lambda c, xs: jnp.sum(lax.associative_scan(lambda a, b: jnp.tanh(a * b) + a, xs * c)),
    "associative reversed": lambda c, xs: jnp.sum(lax.associative_scan(jnp.multiply, xs * c, reverse=True, axis=1)),
    "branch in scan": lambda c, xs: jnp.sum(
        lax.scan(lambda c, x: (lax.cond(x[1] > 0, lambda c: jnp.sin(c) * x, lambda c: c * c, c),) * 2, c, xs)[1]
    ),
    "scan in branch": lambda c, xs: jnp.sum(
        lax.cond(c[0] > 0, lambda c: lax.scan(rnn, c, xs)[1], lambda c: xs * c, c) ** 2
    ),
    "switch in scan": lambda c, xs: jnp.sum(
        lax.scan(
            lambda c, ix: (lax.switch(ix[0] % 3, [jnp.sin, lambda c: c * ix[1], lambda c: W], c), c),
            c,
            (jnp.arange(4), xs),
        )[0]
    ),
    "call in scan": lambda c, xs: jnp.sum(
        lax.scan(lambda c, x: (jax.jit(lambda c, x: jax.jit(jnp.tanh)(c * x))(c, x),) * 2, c, xs)[1]
    ),
    "matrix in scan": lambda c, xs: jnp.sum(lax.scan(lambda c, x: (xs.T @ (xs @ c) * 0.3 + x, c), c, xs)[0]),
}


@pytest.mark.parametrize("fun", LOOPS.values(), ids=LOOPS)
def test_loop(fun: Any) -> None:
    every_way(fun, V, XS)


BRANCHES = {
    "cond": lambda x, w: jnp.sum(lax.cond(x[0] > 0, lambda x: jnp.sin(x) * w, lambda x: x**3, x)),
    "cond that takes the other": lambda x, w: jnp.sum(lax.cond(x[0] < 0, lambda x: jnp.sin(x) * w, lambda x: x**3, x)),
    "cond with captures": lambda x, w: lax.cond(w[0] > 0, lambda: jnp.sum(x * w), lambda: jnp.prod(x)) * x[1],
    "cond with a constant": lambda x, w: jnp.sum(lax.cond(x[0] > 0, lambda x: jnp.ones(3), lambda x: x * w, x) * x),
    "cond with several results": lambda x, w: sum(
        map(jnp.sum, lax.cond(x[0] > 0, lambda x: (x, w, x * w), lambda x: (w, x, x + w), x))
    ),
    "cond with integers": lambda x, w: jnp.sum(lax.cond(x[0] > 0, lambda: (x, 3), lambda: (w, 4))[0]),
    "switch": lambda x, w: jnp.sum(lax.switch(2, [jnp.sin, jnp.cos, lambda x: x * w], x)),
    "switch out of range": lambda x, w: jnp.sum(
        lax.switch((x[0] * 20).astype(int), [jnp.sin, jnp.cos, lambda x: x * w], x)
    ),
    "cond in cond": lambda x, w: jnp.sum(
        lax.cond(
            x[0] > 0,
            lambda x: lax.cond(x[1] > 0, lambda x: x * w, lambda x: jnp.sin(x) * x[2], x),
            lambda x: jnp.exp(x),
            x,
        )
    ),
    "select": lambda x, w: jnp.sum(jnp.where(x > 0, jnp.sin(x) * w, w**2) + jnp.select([x > 1, x > 0], [w, x], x * w)),
    "piecewise": lambda x, w: jnp.sum(jnp.piecewise(x, [x < 0, x >= 0], [lambda x: x**3, lambda x: jnp.sin(x)]) * w),
    "cond of a call": lambda x, w: jnp.sum(jax.jit(lambda x: lax.cond(x[0] > 0, jnp.tanh, jnp.exp, x))(x * w)),
}


@pytest.mark.parametrize("fun", BRANCHES.values(), ids=BRANCHES)
def test_branch(fun: Any) -> None:
    every_way(fun, V, W)


# -- loops of unknown length -------------------------------------------------------------------------------------------

UNKNOWN = {
    "while": lambda x: lax.while_loop(lambda c: jnp.sum(c**2) > 0.5, lambda c: jnp.sin(c) * 0.9, x),
    "while with a counter": lambda x: lax.while_loop(
        lambda s: (s[1] < 10) & (jnp.sum(s[0]) < 50), lambda s: (s[0] * 1.5 + x, s[1] + 1), (x, 0)
    )[0],
    "fori to a value": lambda x: lax.fori_loop(0, jnp.argmax(x) + 2, lambda i, c: jnp.sin(c) * x, x),
    "newton": lambda x: lax.while_loop(
        lambda r: jnp.max(jnp.abs(r * r - 2 - x**2)) > 1e-13, lambda r: 0.5 * (r + (2 + x**2) / r), jnp.ones(3)
    ),
}


@pytest.mark.parametrize("fun", UNKNOWN.values(), ids=UNKNOWN)
def test_forward_mode_through_a_loop_of_unknown_length(fun: Any) -> None:
    assert_same(lambda m: m.jvp(fun, (V,), (W,)))
    assert_same(lambda m: jax.jit(lambda x: m.jvp(lambda y: m.jvp(fun, (y,), (W,))[1], (x,), (W,)))(V))
    assert_same(lambda m: m.jacfwd(fun)(V))
    assert_same(lambda m: jax.jit(jax.vmap(lambda x: m.jvp(fun, (x,), (x,))))(np.stack([V, V * 2, W])))


AROUND: dict[str, Any] = {
    "alone": lambda fun: fun,
    "scan": lambda fun: lambda x: lax.scan(lambda c, _: (fun(c), None), x, None, length=2)[0],
    "cond": lambda fun: lambda x: lax.cond(x[0] > 0, fun, jnp.sin, x),
    "call": lambda fun: lambda x: jax.jit(fun)(x),
    "while": lambda fun: (
        lambda x: lax.while_loop(lambda s: jnp.sum(s[1]) < 2.5, lambda s: (fun(s[0]), s[1] + 1), (x, x * 0))[0]
    ),
    "vmap": lambda fun: lambda x: jnp.sum(jax.vmap(fun)(jnp.stack([x, x * 2, 0.5 - x])), 0),
}


@pytest.mark.parametrize("fun", UNKNOWN.values(), ids=UNKNOWN)
@pytest.mark.parametrize("place", AROUND)
def test_reverse_mode_through_a_loop_of_unknown_length(fun: Any, place: str) -> None:
    """JAX refuses these: its forward mode tells what is right."""
    around = AROUND[place](fun)

    def loss(x: Any) -> Any:
        return jnp.vdot(jnp.sin(around(x)), W)

    assert_agree(ours.grad(loss)(V), jax.jacfwd(loss)(V))
    assert_agree(jax.jit(ours.value_and_grad(loss))(W), (loss(W), jax.jacfwd(loss)(W)))
    assert_agree(ours.jacrev(around)(V), jax.jacfwd(around)(V))


@pytest.mark.parametrize("fun", UNKNOWN.values(), ids=UNKNOWN)
def test_more_modes_through_a_loop_of_unknown_length(fun: Any) -> None:
    def loss(x: Any) -> Any:
        return jnp.vdot(jnp.sin(fun(x)), W)

    expected = jax.jacfwd(jax.jacfwd(loss))(V)
    assert_agree(ours.jacfwd(ours.grad(loss))(V), expected)
    assert_agree(ours.jacrev(ours.jacfwd(loss))(V), expected)
    assert_agree(ours.jacrev(ours.grad(loss))(V), expected)
    several = np.stack([V, V * 2, W])
    assert_agree(jax.vmap(ours.grad(loss))(several), jax.vmap(jax.jacfwd(loss))(several))


def test_reverse_mode_beside_a_loop_of_unknown_length() -> None:
    """Only what carries a derivative needs a rule."""

    def fun(x: Any) -> Any:
        n = lax.while_loop(lambda n: n**2 < 50, lambda n: n + 1, 0)
        y = lax.while_loop(lambda y: y < 20.0, lambda y: y * 2, 1.0)
        z = lax.stop_gradient(UNKNOWN["while"](x))
        return jnp.sum(jnp.sin(x) * n * y * z)

    assert_same(lambda m: m.value_and_grad(fun)(V))


def test_while_loop_with_a_constant_count() -> None:
    """JAX refuses reverse mode through any `while_loop`; gradir sees that this one has four rounds."""

    def fun(x: Any) -> Any:
        return jnp.sum(lax.while_loop(lambda s: s[0] < 4, lambda s: (s[0] + 1, jnp.sin(s[1]) * x), (0, x))[1])

    def known(x: Any) -> Any:
        return jnp.sum(lax.fori_loop(0, 4, lambda _, y: jnp.sin(y) * x, x))

    with pytest.raises(ValueError):
        jax.grad(fun)(V)
    assert_agree(ours.grad(fun)(V), jax.grad(known)(V))

    def downwards(x):
        return jnp.sum(lax.while_loop(lambda s: s[0] > 1, lambda s: (s[0] - 2, jnp.sin(s[1]) * x), (8, x))[1])

    assert_agree(ours.grad(downwards)(V), jax.grad(known)(V))

    def by_limit(x):
        return jnp.sum(
            lax.while_loop(lambda s: s[0] < 4, lambda s: (1 + s[0], jnp.sin(s[1]) * x), (jnp.int32(0), x))[1]
        )

    assert_agree(ours.grad(by_limit)(V), jax.grad(known)(V))


def test_long_loop() -> None:
    """A thousand rounds: residuals are stacked, not unrolled."""

    def fun(x: Any) -> Any:
        return jnp.sum(lax.fori_loop(0, 1000, lambda i, y: y + 0.001 * jnp.sin(y * x), x))

    assert_same(lambda m: jax.jit(m.grad(fun))(V))
    text = jax.jit(ours.grad(fun)).lower(V).as_text()
    assert text.count("stablehlo.sine") + text.count("stablehlo.cosine") < 10


def test_differential_equation() -> None:
    """A Runge-Kutta integrator with parameters, by scan."""

    def solve(p: Any) -> Any:
        def field(y):
            return jnp.array([p["a"] * y[0] - y[0] * y[1], p["b"] * y[0] * y[1] - y[1]])

        def step(y: Any, _: Any) -> Any:
            h = 0.05
            k1 = field(y)
            k2 = field(y + h / 2 * k1)
            k3 = field(y + h / 2 * k2)
            k4 = field(y + h * k3)
            y = y + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4)
            return y, y

        return jnp.sum(lax.scan(step, p["y0"], None, length=40)[1] ** 2)

    p = {"a": 1.5, "b": 0.8, "y0": np.array([1.0, 0.5])}
    assert_same(lambda m: jax.jit(m.value_and_grad(solve))(p))
    assert_same(lambda m: jax.jit(m.hessian(lambda y: solve({**p, "y0": y})))(p["y0"]))


# -- what XLA makes of loops -------------------------------------------------------------------------------------------


def _by_scan(x: Any, w: Any) -> Any:
    return lax.scan(lambda c, a: (jnp.tanh(w * c + a), c * a), x[0], x)[1]


def _by_fori_loop(x: Any, w: Any) -> Any:
    return lax.fori_loop(0, 200, lambda i, c: jnp.tanh(w * c + x[i % 7]), x[0])


def _by_counted_while(x: Any, w: Any) -> Any:
    def round_(s: Any) -> Any:
        return s[0] - 1, jnp.tanh(w * s[1] + x[s[0] % 3])

    return lax.while_loop(lambda s: s[0] > 0, round_, (200, x[0]))[1]


def _by_nested_loops(x: Any, w: Any) -> Any:
    return lax.scan(lambda c, a: (lax.fori_loop(0, 150, lambda i, d: jnp.sin(d * w) + a, c), c), x[0], x)[0]


@pytest.mark.parametrize("f", [_by_scan, _by_fori_loop, _by_counted_while, _by_nested_loops])
def test_xla_knows_how_long_backward_loops_are(f: Any) -> None:
    """Of a loop that counts down it does not, above 128 rounds; on a GPU each round then waits for the host."""
    x, w = jnp.linspace(0, 1, 200), jnp.asarray(0.7)
    text = jax.jit(ours.grad(lambda x, w: f(x, w).sum(), (0, 1))).lower(x, w).compile().as_text()
    loops = [line for line in text.splitlines() if " while(" in line]
    assert len(loops) >= 2 and all("known_trip_count" in line for line in loops)
