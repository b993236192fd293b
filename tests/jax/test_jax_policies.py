"""Checkpointing of what JAX traces: policies of gradir's, `jax.checkpoint` and its policies, with what they save.

Memory is what XLA says that the compiled program takes for temporary values.

What is saved is marked in the program (`gradir.saved`), and taken where that is run again (`gradir.given`).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from agreement import assert_agree
from jax import lax
from jax.ad_checkpoint import checkpoint_name

import gradir
import gradir.jax as ours

V = np.linspace(0.1, 0.9, 6)
M = np.random.default_rng(0).normal(size=(6, 6)) * 0.4


def stepwise(x: Any) -> Any:
    return jnp.sum(lax.fori_loop(0, 23, lambda i, y: jnp.sin(y * M[0] + 0.1 * i) * x, x))


def scanned(x: Any) -> Any:
    """With results of each round, and inputs."""

    def step(c: Any, a: Any) -> tuple[Any, Any]:
        c = jnp.tanh(jnp.asarray(M) @ c + a)
        return c, c * a

    c, ys = lax.scan(step, x, jnp.outer(jnp.linspace(0, 1, 17), x), reverse=True)
    return jnp.sum(ys**2) + jnp.sum(c)


def nested(x: Any) -> Any:
    def inner(y: Any, i: Any) -> Any:
        return lax.fori_loop(0, 7, lambda j, z: jnp.sin(z + 0.1 * i * j) * x, y)

    return jnp.sum(lax.fori_loop(0, 11, lambda i, y: inner(y, i) + y, x))


def recorded(x: Any) -> Any:
    """Rounds write where their values say, some over what others wrote, and nobody reads it before the end."""

    def step(i: Any, s: Any) -> Any:
        y, all_ = s
        y = jnp.sin(y * M[1] + 0.1 * i) + x
        return y, lax.dynamic_update_slice(all_, y[None] * x, (jnp.int32(10 * jnp.abs(y[2])) % 9, 0))

    y, all_ = lax.fori_loop(0, 19, step, (x, jnp.outer(jnp.arange(9.0), x)))
    return jnp.sum(all_**2) + jnp.sum(y)


def recorded_while(goes_on: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """The same, in a loop of unknown length."""

    def step(s: Any) -> Any:
        i, y, all_, x = s
        y = jnp.sin(y * M[1] + 0.1 * i) + x
        return i + 1, y, lax.dynamic_update_slice(all_, y[None] * x, (i % 9, 0)), x

    def f(x: Any) -> Any:
        _, y, all_, _ = lax.while_loop(goes_on, step, (0, x, jnp.outer(jnp.arange(9.0), x), x))
        return jnp.sum(all_**2) + jnp.sum(y)

    return f


def unrolled(rounds: int) -> Callable[[Any], Any]:
    """What `recorded_while` computes."""

    def f(x: Any) -> Any:
        y, all_ = x, jnp.outer(jnp.arange(9.0), x)
        for i in range(rounds):
            y = jnp.sin(y * M[1] + 0.1 * i) + x
            all_ = all_.at[i % 9].set(y * x)
        return jnp.sum(all_**2) + jnp.sum(y)

    return f


def second(f: Callable[[Any], Any]) -> Callable[[Any, Any], Any]:
    """Reverse over reverse."""
    return lambda m, x: m.grad(lambda x: jnp.vdot(m.grad(f)(x), V))(x)


@pytest.mark.parametrize("policy", ["none", "full", "sqrt", "revolve:4", "revolve:8", "budget:400"])
def test_gradients(policy: str) -> None:
    for f in (stepwise, scanned, nested, recorded):
        with gradir.checkpointing(policy):
            assert_agree(jax.jit(ours.grad(f))(V), jax.jit(jax.grad(f))(V))
    twelve = recorded_while(lambda s: s[0] < 12 + (s[3][0] < 0))
    until_written = recorded_while(lambda s: s[2][5, 0] == 5 * s[3][0])  # the condition reads what rounds only write
    with gradir.checkpointing(policy):
        assert_agree(jax.jit(ours.grad(twelve))(V), jax.jit(jax.grad(unrolled(12)))(V))
        assert_agree(jax.jit(ours.grad(until_written))(V), jax.jit(jax.grad(unrolled(6)))(V))


@pytest.mark.parametrize("policy", ["full", "sqrt"])
def test_more_derivatives(policy: str) -> None:
    with gradir.checkpointing(policy):
        twice = jax.jit(second(scanned), static_argnums=0)
        assert_agree(twice(ours, V), twice(jax, V))
        xs = np.stack([V, 2 * V])
        assert_agree(jax.jit(jax.vmap(ours.grad(scanned)))(xs), jax.jit(jax.vmap(jax.grad(scanned)))(xs))


# -- memory ------------------------------------------------------------------------------------------------------------

SIZE, STEPS = 1000, 400
STATE = 4 * SIZE


def long_loop(x: Any) -> Any:
    y, _ = lax.scan(lambda y, a: (jnp.sin(y) * x + a, None), x, jnp.linspace(0, 1, STEPS, dtype=np.float32))
    return jnp.sum(y)


def memory(f: Callable[..., Any], *args: Any) -> tuple[int, Any]:
    compiled = jax.jit(f).lower(*args).compile()
    return compiled.memory_analysis().temp_size_in_bytes, compiled(*args)


def test_policies_take_the_memory_that_they_say() -> None:
    x = np.linspace(0.1, 0.9, SIZE, dtype=np.float32)
    taken: dict[str, int] = {}
    expected = jax.grad(long_loop)(x)
    for policy in ("auto", "sqrt", "full", "revolve:10", "budget:200kB", "budget:100kB"):
        with gradir.checkpointing(policy):
            taken[policy], found = memory(ours.grad(long_loop), x)
        # 400 roundings of f32, in a recurrence that does not make them larger.
        np.testing.assert_allclose(found, expected, rtol=1e-4, atol=1e-5)
    few = 10 * STATE  # a state, its cotangent, that of x, and what fusions leave over
    assert taken["auto"] > STEPS * STATE
    assert taken["sqrt"] < 40 * STATE + few and taken["full"] < 40 * STATE + few
    assert taken["revolve:10"] < 20 * STATE + few
    assert taken["budget:200kB"] < 200_000 + few and taken["budget:100kB"] < 100_000 + few


# -- jax.checkpoint ----------------------------------------------------------------------------------------------------

LAYERS, BATCH, WIDTH = 8, 128, 32
WEIGHTS = np.random.default_rng(1).normal(size=(LAYERS, WIDTH, WIDTH)).astype(np.float32) / 6
POLICIES = {
    "nothing": jax.checkpoint_policies.nothing_saveable,
    "default": None,
    "dots": jax.checkpoint_policies.dots_saveable,
    "products": jax.checkpoint_policies.dots_with_no_batch_dims_saveable,
    "named": jax.checkpoint_policies.save_only_these_names("hidden"),
    "others": jax.checkpoint_policies.save_anything_except_these_names("hidden"),
    "everything": jax.checkpoint_policies.everything_saveable,
}


def layer(x: Any, w: Any) -> Any:
    h = checkpoint_name(x @ w, "hidden")
    for _ in range(3):
        h = jnp.sin(h) * jnp.tanh(h @ w.T)
    return x + jax.jit(jnp.cos)(h)


def network(policy: Any) -> Callable[[Any, Any], Any]:
    def f(ws: Any, x: Any) -> Any:
        for w in ws:
            x = jax.checkpoint(layer, policy=policy)(x, w)
        return jnp.sum(x**2)

    return f


@pytest.mark.parametrize("name", POLICIES)
def test_policies_of_jax(name: str) -> None:
    x = np.random.default_rng(2).normal(size=(BATCH, WIDTH)).astype(np.float32)
    ws = list(WEIGHTS)
    taken, found = memory(ours.grad(network(POLICIES[name])), ws, x)
    for a, b in zip(found, jax.grad(network(None))(ws, x), strict=True):
        # Sums of 128 products in f32, eight layers of them, in another order.
        np.testing.assert_allclose(a, b, rtol=1e-3, atol=1e-4 * np.abs(b).max())
    everything, _ = memory(ours.grad(network(jax.checkpoint_policies.everything_saveable)), ws, x)
    one = 4 * BATCH * WIDTH
    limits = {"nothing": (LAYERS + 20) * one, "default": (LAYERS + 20) * one, "named": (2 * LAYERS + 20) * one}
    limits["others"] = 15 * LAYERS * one  # all that a layer computes, also what it could from other values
    assert taken <= limits.get(name, 1.05 * everything)
    assert limits["named"] < everything, "there is something to save"


def test_saved_values_and_further_derivatives() -> None:
    """Of a function with saved values: forward mode, reverse over reverse, batches, saved values that are results."""

    policy = POLICIES["named"]

    def f(x: Any) -> Any:
        block = jax.checkpoint(lambda y: jnp.sin(checkpoint_name(jnp.asarray(M) @ y, "hidden") * y), policy=policy)
        for _ in range(3):
            x = block(x)
        return jnp.sum(x**2)

    assert_agree(jax.jit(ours.grad(f))(V), jax.grad(f)(V))
    assert_agree(jax.jit(second(f), static_argnums=0)(ours, V), second(f)(jax, V))
    assert_agree(jax.jit(lambda x: ours.jvp(f, (x,), (x,)))(V), jax.jvp(f, (V,), (V,)))
    assert_agree(jax.jit(ours.hessian(f))(V), jax.hessian(f)(V))
    xs = np.stack([V, 2 * V])
    assert_agree(jax.jit(jax.vmap(ours.grad(f)))(xs), jax.vmap(jax.grad(f))(xs))


@pytest.mark.parametrize("name", ["dots", "named", "others"])
def test_what_a_function_with_saved_values_may_hold(name: str) -> None:
    """Loops, branches, integers, functions with a rule of their own, and functions like itself."""

    def saving(f: Callable[..., Any]) -> Callable[..., Any]:
        return jax.checkpoint(f, policy=POLICIES[name])

    def hidden(x: Any) -> Any:
        return checkpoint_name(jnp.asarray(M) @ x, "hidden")

    def looped(x: Any) -> Any:
        return lax.scan(lambda c, a: (jnp.tanh(hidden(c) + a), c), x, jnp.ones((5, 6)))[1]

    def branching(x: Any) -> Any:
        return lax.cond(x[0] > 0, lambda z: jnp.sin(hidden(z)), lambda z: z, x)

    def with_integers(x: Any) -> Any:
        i = jnp.argsort(x)
        return x[i] * i + jax.nn.relu(hidden(x))

    def f(x: Any) -> Any:
        parts = [saving(g)(x) for g in (looped, branching, with_integers, saving(hidden))]
        scanned, _ = lax.scan(saving(lambda c, a: (jnp.sin(hidden(c) + a), None)), x, jnp.ones((5, 6)))
        return sum(jnp.sum(p**2) for p in (*parts, scanned))

    assert_agree(jax.jit(ours.grad(f))(V), jax.jit(jax.grad(f))(V))


def test_a_policy_of_gradir_for_a_part_of_a_function() -> None:
    x = np.linspace(0.1, 0.9, SIZE, dtype=np.float32)

    def f(x: Any) -> Any:
        return jax.checkpoint(long_loop, policy=gradir.Policy.of("sqrt"))(x)

    taken, found = memory(ours.grad(f), x)
    np.testing.assert_allclose(found, jax.grad(f)(x), rtol=1e-4, atol=1e-5)
    assert taken < 50 * STATE
