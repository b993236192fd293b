"""Weights in f32 that programs use in bf16 or f16, again and again: their gradients are added up in f32.

The optimiser would compute once what is the same in all rounds of a loop, or all rows of an array. Of what is yet to be
differentiated that must not be a number of another type, since the gradient is the sum over rounds and rows, in that
type: 3000 ones in bf16 are 256. Nor a number in f16 that is scaled: the sum is of terms that are not, and overflows.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax import lax

import gradir
import gradir.jax as gj

BF16, F16, F32 = jnp.bfloat16, jnp.float16, jnp.float32
ROUNDS = 3000


def recurrent(w: Any, x: Any) -> Any:
    def step(c: Any, x: Any) -> Any:
        c = (2 * w.astype(BF16) * jnp.cos(c).astype(BF16)).astype(F32) + x
        return c, c

    return lax.scan(step, jnp.zeros(4), x)[1].sum()


def recurrent_by_matrix(w: Any, x: Any) -> Any:
    def step(c: Any, x: Any) -> Any:
        c = jnp.tanh((jnp.outer(w, w).astype(BF16).T @ c.astype(BF16)).astype(F32) + x)
        return c, c

    return lax.scan(step, jnp.zeros(4), x)[1].sum()


def counted(w: Any, x: Any) -> Any:
    def body(i: Any, s: Any) -> Any:
        c = (jnp.exp(w.astype(BF16)) * jnp.cos(s[0]).astype(BF16)).astype(F32)
        return c, s[1] + c.sum() + x[i].sum()

    return lax.fori_loop(0, ROUNDS, body, (jnp.zeros(4), jnp.float32(0)))[1]


def nested(w: Any, x: Any) -> Any:
    def inner(c: Any, _: Any) -> Any:
        c = (2 * w.astype(BF16) * jnp.cos(c).astype(BF16)).astype(F32)
        return c, c.sum()

    def outer(c: Any, x: Any) -> Any:
        c, sums = lax.scan(inner, c + x, None, length=50)
        return c, sums.sum()

    return lax.scan(outer, jnp.zeros(4), x[:60])[1].sum()


def chosen(w: Any, x: Any) -> Any:
    def step(c: Any, x: Any) -> Any:
        scaled, plain = 2 * w.astype(BF16), w.astype(BF16)
        c = lax.cond(x[0] > 2, lambda: plain, lambda: scaled * jnp.cos(c).astype(BF16)).astype(F32)
        return c, c

    return lax.scan(step, jnp.zeros(4), x)[1].sum()


def repeated(w: Any, x: Any) -> Any:
    return (jnp.broadcast_to(w, x.shape).astype(BF16) * x.astype(BF16)).astype(F32).sum()


def repeated_and_more(w: Any, x: Any) -> Any:
    return (jnp.exp(jnp.tile(w, (ROUNDS, 1)).astype(BF16)) * x.astype(BF16)).astype(F32).sum()


def mapped(w: Any, x: Any) -> Any:
    return lax.map(lambda row: (jnp.exp(w.astype(BF16)) * row.astype(BF16)).astype(F32).sum(), x).sum()


PROGRAMS = [recurrent, recurrent_by_matrix, counted, nested, chosen, repeated, repeated_and_more, mapped]


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda p: p.__name__)
def test_gradients_are_added_up_in_f32(program: Callable[..., Any]) -> None:
    """Terms are rounded to eight bits two or three times, in another order than JAX's, and in all rounds alike."""
    w, x = jnp.full(4, 0.5), jnp.ones((ROUNDS, 4))
    expected, found = (jax.jit(api.grad(program))(w, x) for api in (jax, gj))
    np.testing.assert_allclose(found, expected, rtol=2**-8)


def cell(weights: Callable[[Any], Any]) -> Callable[..., Any]:
    def program(w: Any, x: Any) -> Any:
        def step(c: Any, x: Any) -> Any:
            return jnp.tanh((c.astype(BF16) @ weights(w)).astype(F32) + x), None

        return lax.scan(step, jnp.zeros(x.shape[1:]), x)[0].sum()

    return program


@pytest.mark.parametrize(
    "weights",
    [
        lambda w: w.astype(BF16),
        lambda w: (jax.nn.softplus(w.astype(BF16)) * 2).T,  # a rule of JAX's own, which stays a call
        lambda w: (w / jnp.linalg.norm(w)).astype(BF16),
    ],
    ids=["cast", "by a rule", "normed"],
)
def test_what_is_the_same_in_all_rounds_is_not_kept_for_each(weights: Callable[[Any], Any]) -> None:
    rng = np.random.default_rng(0)
    args = jnp.asarray(rng.normal(size=(64, 64)) * 0.1, F32), jnp.asarray(rng.normal(size=(40, 8, 64)), F32)
    lowered = jax.jit(gj.grad(cell(weights))).lower(*args)
    assert "40x64x64" not in lowered.as_text()
    expected, found = jax.jit(jax.grad(cell(weights)))(*args), lowered.compile()(*args)
    # Bits of eight in each of 40 products that add up, some of which cancel.
    np.testing.assert_allclose(found, expected, atol=2**-6 * np.abs(expected).max())


def advected(q: Any, u: Any) -> Any:
    """Of its two weights, whose sum is 1, each alone has a derivative that f16 can't hold."""

    def step(q: Any, _: Any) -> Any:
        t = u * 0.3
        return (1 - t) * q + t * jnp.roll(q, 1), None

    q, _ = lax.scan(step, q, None, length=30)
    return jnp.sum(q * jnp.arange(1, q.size + 1, dtype=q.dtype))


def scaled_rows(x: Any, v: Any) -> Any:
    return jnp.sum(jnp.broadcast_to(x, v.shape) / 64 * v)


def scaled_rounds(x: Any, v: Any) -> Any:
    return lax.scan(lambda c, row: (c + jnp.sum(x / 64 * jnp.cos(c * 0) * row), None), F16(0), v)[0]


@pytest.mark.parametrize(
    ("program", "given"),
    [
        (advected, [60 + np.arange(100) % 7, np.full(100, 0.5)]),
        (scaled_rows, [np.ones(3), np.full((200, 3), 1000)]),
        (scaled_rounds, [np.ones(3), np.full((60, 3), 1000)]),
    ],
    ids=lambda p: getattr(p, "__name__", ""),
)
def test_sums_of_scaled_terms_stay_in_the_range_of_f16(program: Callable[..., Any], given: list[Any]) -> None:
    """As far as JAX's do, on the interpreter, which keeps no more digits and no more range than f16 has."""
    args = [jnp.asarray(a, F16) for a in given]
    both = [jax.jit(api.grad(program, argnums=(0, 1))).lower(*args).as_text() for api in (jax, gj)]
    expected, found = (gradir.load(text).run("main", *args, backend="reference") for text in both)
    for e, f in zip(expected, found, strict=True):
        finite = np.isfinite(np.asarray(e, np.float64))
        assert np.isfinite(np.asarray(f, np.float64)[finite]).all()
        np.testing.assert_allclose(np.asarray(f)[finite], np.asarray(e)[finite], rtol=0.05)  # 200 roundings of 2 ** -11
