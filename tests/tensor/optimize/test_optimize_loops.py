"""Loops on whole programs: what leaves them, what is left of them, and that results stay the same."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax import lax

import gradir
import gradir.jax
from gradir.tensor.ir.module import operations
from gradir.tensor.optimize import CPU, GPU, Fired, optimize

LOOPED = "stablehlo.while"


def names(m: gradir.Module, inside: bool | None = None) -> list[str]:
    """The names of a module's ops: all, or those in loops, or those that are not."""
    held = m.ir
    return [op.name.removeprefix("stablehlo.") for op in operations(held) if inside in (None, _in_loop(op))]


def _in_loop(op: Any) -> bool:
    parent = op.parent
    while parent is not None:
        if parent.operation.name == LOOPED:
            return True
        parent = parent.operation.parent
    return False


def optimised(f: Callable[..., Any], *args: Any) -> gradir.Module:
    """The function after it has been optimised, which must give what it gave before."""
    ours = jax.jit(gradir.jax.optimize(f))
    values = [jnp.asarray(np.random.default_rng(0).uniform(-0.5, 0.5, a.shape), a.dtype) for a in args]
    for a, b in zip(jax.tree.leaves(ours(*values)), jax.tree.leaves(f(*values)), strict=True):
        np.testing.assert_allclose(a, b, rtol=1e-4, atol=1e-5)
    return gradir.load(ours.lower(*args))


def rnn(x: Any, w: Any, u: Any) -> Any:
    def step(h: Any, here: Any) -> Any:
        h = jnp.tanh(here @ w + h @ u)
        return h, h

    return lax.scan(step, jnp.zeros((x.shape[1], u.shape[0])), x)[1]


CELL = jnp.ones((20, 8, 16)), jnp.ones((16, 32)), jnp.ones((32, 32))


def test_products_with_the_inputs_of_a_cell_are_one_before_its_loop() -> None:
    """That pays on GPUs. On CPUs it does in derivatives only."""
    written = gradir.load(jax.jit(rnn).lower(*CELL))
    for device, outside, together in ((GPU, 1, 4), (CPU, 0, 1)):
        module = written.ir
        optimize(module, device=device)
        m = gradir.Module(module)
        assert names(m, inside=False).count("dot_general") == outside
        assert names(m, inside=True).count("dot_general") == together * (2 - outside)


def test_gradients_of_a_cell_are_added_up_after_its_loop() -> None:
    loss = lambda *args: jnp.sum(rnn(*args) ** 2)  # noqa: E731
    args = [0.1 * jnp.asarray(np.random.default_rng(k).normal(size=a.shape), a.dtype) for k, a in enumerate(CELL)]
    ours = jax.jit(gradir.jax.grad(loss, argnums=(0, 1, 2)))
    for a, b in zip(ours(*args), jax.grad(loss, argnums=(0, 1, 2))(*args), strict=True):
        np.testing.assert_allclose(a, b, rtol=1e-3, atol=1e-4)
    m = gradir.load(ours.lower(*args))
    assert names(m, inside=True).count("dot_general") == 2  # one forwards, one back
    log: list[Fired] = []
    m.optimize(log=log)
    assert sum(f.family in ("loops", "raising") for f in log) <= 1, [str(f) for f in log]


def count_up(n: int, body: Callable[..., Any], *state: Any) -> Any:
    """A loop that counts from 1, as Julia's do."""
    made = lax.while_loop(lambda c: c[0] <= n, lambda c: (c[0] + 1, *body(*c)), (jnp.int32(1), *state))
    return made[1:]


def test_three_loops_are_a_product_of_matrices() -> None:
    def product(x: Any, y: Any) -> Any:
        def element(i: Any, j: Any) -> Any:
            term = lambda k, s: [s + lax.dynamic_slice(x, (i - 1, k - 1), (1, 1)) * lax.dynamic_slice(y, (k - 1, j - 1), (1, 1))]  # noqa: E501, E731  # fmt: skip
            return count_up(x.shape[1], term, jnp.zeros((1, 1)))[0]

        def row(i: Any, out: Any) -> Any:
            return count_up(y.shape[1], lambda j, o: [lax.dynamic_update_slice(o, element(i, j), (i - 1, j - 1))], out)

        return count_up(x.shape[0], row, jnp.zeros((x.shape[0], y.shape[1])))[0]

    made = names(optimised(product, jnp.ones((8, 9)), jnp.ones((9, 7))))
    assert "while" not in made and made.count("dot_general") == 1


@pytest.mark.parametrize(
    "body",
    [
        lambda x, i, a: a.at[i].set(jnp.sin(a[i])),
        lambda x, i, a: a.at[i].add(x[i] * a[i]),
        lambda x, i, a: a + lax.dynamic_update_slice(jnp.zeros_like(a), jnp.sin(x[i])[None], (i, 0)),
        lambda x, i, a: a.at[i].set(x[i]).at[i].multiply(2.0),
        lambda x, i, a: (a - x[i]) + x[19 - i],
        lambda x, i, a: jnp.where(x[i] > 0, a + x[i], a),
    ],
)
def test_rounds_that_only_seem_to_depend_on_each_other_are_one(body: Callable[..., Any]) -> None:
    m = optimised(lambda x, a: lax.fori_loop(0, 20, lambda i, a: body(x, i, a), a), *[jnp.ones((20, 4))] * 2)
    assert "while" not in names(m)


@pytest.mark.parametrize(
    "body",
    [
        lambda x, i, a: a.at[i].set(a[jnp.maximum(i - 1, 0)] * x[i]),
        lambda x, i, a: a.at[(i * 7) % 20].set(jnp.sum(a, 0)),
        lambda x, i, a: a * x[i][None] + 1,
    ],
)
def test_rounds_that_depend_on_each_other_stay(body: Callable[..., Any]) -> None:
    m = optimised(lambda x, a: lax.fori_loop(0, 20, lambda i, a: body(x, i, a), a), *[jnp.ones((20, 4))] * 2)
    assert "while" in names(m)


def test_loops_of_unknown_length_and_of_no_rounds_are_right() -> None:
    def some(x: Any, n: Any) -> Any:
        add = lambda i, s: s + x[jnp.clip(i, 0, 19)] @ x[:4]  # noqa: E731
        return lax.fori_loop(0, n.astype(jnp.int32), add, jnp.zeros(4)), lax.fori_loop(3, 3, add, jnp.ones(4))

    made = jax.jit(gradir.jax.optimize(some))
    for n in (0, 1, 5):
        x = jnp.asarray(np.random.default_rng(n).normal(size=(20, 4)), jnp.float32)
        for ours, theirs in zip(made(x, jnp.float32(n)), some(x, jnp.float32(n)), strict=True):
            np.testing.assert_allclose(ours, theirs, rtol=1e-4)


def test_a_branch_that_stays_the_same_leaves_the_loop() -> None:
    def f(x: Any, p: Any) -> Any:
        either = lambda y: lax.cond(p > 0, lambda y: jnp.tanh(x @ y), lambda y: jnp.sin(y @ x), y)  # noqa: E731
        return lax.fori_loop(0, 20, lambda _, y: either(y), x)

    m = optimised(f, jnp.ones((16, 16)), jnp.float32(1))
    assert "if" in names(m, inside=False) and "if" not in names(m, inside=True)


def test_what_takes_the_place_of_a_branch_outlives_rules_that_decline_it() -> None:
    """A select stands for one of the branch's results; a rule that looks at its sum with 0, and declines, leaves it."""

    def f(xs: Any, start: Any) -> Any:
        def step(c: Any, x: Any) -> Any:
            kept, out = lax.cond(x[0] > 0, lambda: (c, c), lambda: (c * 0.5, jnp.zeros_like(c)))
            return kept, out + 0.0

        return lax.scan(step, start, xs[:, None], reverse=True)

    optimised(f, jnp.ones(4), jnp.float32(2))


@pytest.mark.parametrize(("length", "rounds"), [(40, 4), (35, 5), (21, 3), (19, 4), (7, 1)])
@pytest.mark.parametrize("backwards", [False, True])
def test_some_rounds_of_a_long_loop_are_one_on_a_gpu(length: int, rounds: int, backwards: bool) -> None:
    """With what is left over behind it, and with stacks (written forwards or backwards) that are written at once."""

    def f(h: Any, xs: Any) -> Any:
        def step(h: Any, x: Any) -> Any:
            return jnp.sin(h * x) + x, (h, jnp.cos(h))

        return lax.scan(step, h, xs, reverse=backwards)

    rng = np.random.default_rng(length)
    args = rng.normal(size=3), rng.normal(size=(length, 3))
    with jax.enable_x64(True):
        module = gradir.load(jax.jit(f).lower(*args)).ir
        optimize(module, device=GPU)
        m = gradir.Module(module)
        for ours, theirs in zip(m.run(*args), jax.tree.leaves(f(*args)), strict=True):
            np.testing.assert_allclose(ours, theirs, rtol=1e-12)  # the same operations, fused in another way
    inside = names(m, inside=True)
    assert inside.count("sine") == rounds
    assert inside.count("dynamic_update_slice") == 2
    assert names(m, inside=False).count("sine") == (length % rounds if rounds > 1 else 0)


def test_a_stack_that_is_read_is_written_in_each_round() -> None:
    def f(x: Any) -> Any:
        return lax.fori_loop(1, 41, lambda i, a: a.at[i].set(jnp.sin(a[i - 1]) + x), jnp.zeros(41))

    module = gradir.load(jax.jit(f).lower(0.3)).ir
    optimize(module, device=GPU)
    m = gradir.Module(module)
    np.testing.assert_allclose(m.run(np.float32(0.3)), f(0.3), rtol=1e-5)
    assert names(m, inside=True).count("dynamic_update_slice") == 4
