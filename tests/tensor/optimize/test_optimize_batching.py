"""Computations that were written out one by one are one again; and pieces of every shape leave no trace of an error."""

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
from gradir.tensor.ir import inline
from gradir.tensor.ir.module import functions, operations, verify
from gradir.tensor.optimize import optimize

N, T, D = 6, 5, 3


def optimised(f: Callable[..., Any], *args: Any) -> list[str]:
    """The names of ops after optimising, whose results are the same as before."""
    held = gradir.load(jax.jit(f).lower(*args)).ir
    inline.inline_calls(held)
    optimize(held)
    verify(held)
    ours = gradir.Module(held).compile()(*map(np.asarray, args))
    for a, b in zip(jax.tree.leaves(ours), jax.tree.leaves(f(*args)), strict=True):
        np.testing.assert_allclose(a, b, rtol=2e-4, atol=2e-5)
    main = functions(held)["main"].operation
    return [op.name.removeprefix("stablehlo.") for op in operations(main)]  # type: ignore[arg-type]


def some(*shape: int) -> jax.Array:
    return jnp.asarray(np.random.default_rng(sum(shape)).normal(size=shape), jnp.float32)


def heads(q: Any, k: Any, v: Any) -> Any:
    cut = [[x[:, h * D : (h + 1) * D] for x in (q, k, v)] for h in range(N)]
    return jnp.concatenate([jax.nn.softmax(a @ b.T / 2) @ c for a, b, c in cut], 1)


def test_heads_one_by_one_are_batched() -> None:
    q, k, v = some(T, N * D), some(T, N * D) + 1, some(T, N * D) - 1
    made = optimised(heads, q, k, v)
    assert made.count("dot_general") == 2 and "concatenate" not in made and "slice" not in made


def test_so_are_heads_that_are_cut_out_of_one_array() -> None:
    def f(x: Any) -> Any:
        return heads(*(x[:, i * N * D : (i + 1) * N * D] for i in range(3)))

    made = optimised(f, some(T, 3 * N * D))
    assert made.count("dot_general") == 2 and "concatenate" not in made


def test_experts_with_one_input_are_one_product() -> None:
    def f(x: Any, w: Any, b: Any) -> Any:
        return jnp.stack([jnp.tanh(x @ w[i] + b[i]) for i in range(N)])

    made = optimised(f, some(T, D), some(N, D, D), some(N, D))
    assert made.count("dot_general") == made.count("tanh") == made.count("add") == 1


def test_gradients_of_experts_are_batched() -> None:
    def loss(x: Any, w: Any, u: Any) -> Any:
        return sum(jnp.sum((jnp.maximum(x[i] @ w[i], 0) @ u[i]) ** 2) for i in range(N))

    made = optimised(jax.grad(loss, (0, 1, 2)), some(N, T, D), some(N, D, D), some(N, D, D) + 1)
    assert made.count("dot_general") <= 6 and "concatenate" not in made


def test_what_waits_for_what_came_before_stays_in_order() -> None:
    def f(x: Any, w: Any) -> Any:
        h = jnp.zeros(D)
        for i in range(N):
            h = jnp.tanh(x[i] @ w[0] + h @ w[1])
        return h

    made = optimised(f, some(N, D), some(2, D, D))
    assert made.count("tanh") == N and made.count("dot_general") <= N + 1


def test_pieces_that_overlap_or_differ_stay() -> None:
    def f(x: Any) -> Any:
        return jnp.stack([jnp.sum(x[i : i + 3] ** 2) for i in range(N)])

    assert optimised(f, some(N + 2, T)).count("reduce") == N
    assert optimised(lambda x: jnp.stack([jnp.sum(x[:n]) for n in range(1, N)]), some(N)).count("reduce") >= N - 2


def pad(x: Any, *edges: tuple[int, int, int]) -> Any:
    return lax.pad(x, jnp.float32(0), edges)


@pytest.mark.parametrize(
    ("f", "left"),
    [
        (lambda x: pad(x, (1, 2, 1), (0, 0, 0))[1:10:2], []),
        (lambda x: pad(x, (1, 2, 1), (0, 0, 0))[2:9:2], []),
        (lambda x: pad(pad(x, (1, 2, 1), (0, 1, 0)), (0, 1, 2), (2, -1, 0)), ["pad"]),
        (lambda x: pad(x, (-2, 1, 1), (1, -2, 0)), ["slice", "pad"]),
        (lambda x: pad(x, (-5, 9, 0), (0, 0, 0)), []),
        (lambda x: pad(x[2:2], (1, 2, 3), (0, 0, 0)), []),
        (lambda x: jnp.concatenate([x[2:2], x[0:4:2], x[4:], x[5:5]]), ["slice"]),
        (lambda x: jnp.roll(jnp.roll(x, (1, 2), (0, 1)), (-1, -2), (0, 1)), []),
        (lambda x: jnp.roll(x, 2, 0) * jnp.roll(-x, 2, 0), ["multiply", "negate", "slice", "slice", "concatenate"]),
        (lambda x: jnp.stack([x[:, 2], x[:, 1], x[:, 0]], 1), ["reverse"]),
        (lambda x: x.reshape(15)[6:9], ["slice", "reshape"]),
    ],
)  # fmt: skip
def test_what_is_left_of_pieces(f: Callable[[Any], Any], left: list[str]) -> None:
    made = [n for n in optimised(f, some(5, 3)) if n not in ("func.func", "func.return", "constant")]
    assert sorted(made) == sorted(left)


@pytest.mark.parametrize(
    "f",
    [
        lambda c, u: c * u,
        lambda c, u: jnp.where(c > u, u, c),
        lambda c, u: jnp.maximum(c, u),
        lambda c, u: jnp.where(c > 0, u, c),
        lambda c, u: lax.clamp(c, u, 2 * c),
        lambda c, u: lax.clamp(u, c, 1.0 + u),
    ],
)
def test_scalars_with_one_that_all_share(f: Callable[..., Any]) -> None:
    """An operand that is the same for all of them is a scalar, as the pieces are: it has to be spread."""
    x, c = some(N), jnp.float32(0.3)
    optimised(lambda x, c: jnp.stack([f(c, x[i]) for i in range(N)]), x, c)
    optimised(jax.grad(lambda x, c: sum(f(c, x[i]) ** 2 for i in range(4)), (0, 1)), x, c)
    for wrt in (0, 1):
        ours = gradir.jax.grad(lambda x, c: lax.map(lambda u: f(c, u), x).sum(), wrt)(x[:4], c)
        theirs = jax.grad(lambda x, c: lax.map(lambda u: f(c, u), x).sum(), wrt)(x[:4], c)
        np.testing.assert_allclose(ours, theirs, rtol=1e-6)


def test_every_other_piece_is_found_among_those_that_are_used_otherwise() -> None:
    """Places that are two apart, where the ops between do something else to their pieces."""

    def f(x: Any, w: Any) -> Any:
        return jnp.stack([jnp.sin(x[i]) @ w if i % 2 else jnp.cos(x[i]) * 2 for i in range(2 * N)])

    made = optimised(f, some(2 * N, D), some(D, D))
    assert made.count("dot_general") == made.count("sine") == 1


def test_pieces_that_are_not_in_step_stay_apart() -> None:
    """All of these products fit each other two by two, and no four of them make one product."""
    pairs = [(i, i * i % 13) for i in range(13)]

    def f(x: Any) -> Any:
        return sum(jnp.sum(x[i] * x[j]) for i, j in pairs)

    made = optimised(f, some(13, D))
    assert made.count("multiply") + made.count("dot_general") >= len(set(pairs)) - 4


def test_rows_in_step_are_found_beside_rows_that_are_not() -> None:
    def f(x: Any, y: Any) -> Any:
        straight = [jnp.sum(x[i] * y[2 * i]) for i in range(N)]
        return jnp.stack([*straight, *(jnp.sum(x[i] * y[i * i % 7] * y[0]) for i in range(N))])

    optimised(f, some(N, D), some(2 * N, D) + 1)
