"""Arrays without elements: value, gradient, forward mode and batch, optimised and not, are JAX's.

`python tests/jax/test_jax_empty.py 0 900` tries more seeds of the random programs (about a second each).
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from agreement import assert_agree, direction
from empty_programs import arguments, program
from jax import lax

import gradir
import gradir.jax as ours

X = np.random.default_rng(0).uniform(-1, 1, (2, 3))


@contextmanager
def double() -> Iterator[None]:
    """Double precision: `ROUNDING` units are 2e-12 there, and each way errs by less."""
    with jax.enable_x64(True):
        yield


def derivatives(m: Any, f: Callable[..., Any], *args: Any) -> Any:
    """The value as the module has it, and both derivatives."""
    value = (ours.optimize(f) if m is ours else f)(*args)
    return value, m.grad(f, tuple(range(len(args))))(*args), m.jvp(f, args, direction(args))[1]


def batches(n: int) -> Callable[..., Any]:
    """Over n examples of all but the second argument, which they share."""

    def use(m: Any, f: Callable[..., Any], *args: Any) -> Any:
        some = [jnp.stack([x, -x])[:n] if k != 1 else x for k, x in enumerate(args)]
        axes = tuple(None if k == 1 else 0 for k in range(len(args)))
        value = ours.optimize(f) if m is ours else f
        return jax.vmap(value, axes)(*some), jax.vmap(m.grad(f), axes)(*some)

    return use


def check(f: Callable[..., Any], args: Any, use: Callable[..., Any]) -> None:
    with double():
        theirs = jax.jit(lambda *a: use(jax, f, *a))(*args)
        for optimised in (True, False):
            with gradir.optimizing(optimised):
                assert_agree(jax.jit(lambda *a: use(ours, f, *a))(*args), theirs)


FUNCTIONS: dict[str, Callable[[Any], Any]] = {
    "maximum of nothing": lambda x: x * (lax.reduce_max(lax.stop_gradient(x)[:, :0], (1,))[:, None] < x),
    "product of nothing": lambda x: jnp.prod(x[:, :0], 1) * x[:, 0],
    "edge": lambda x: jnp.pad(x, [(0, 0), (1, 0)], mode="edge"),
    "wrap": lambda x: jnp.pad(x, [(0, 0), (2, 0)], mode="wrap"),
    "padding alone": lambda x: lax.pad(x[:0], x[0, 0], [(1, 2, 1), (0, 1, 0)]),
    "dot over nothing": lambda x: x[:, :0] @ x[:, :0].T + x[:, :2],
    "batched dot over nothing": lambda x: jnp.einsum("bij,bjk->bik", x[:, :, None][:, :, :0], x[:, None][:, :0]) + 1,
    "convolution over nothing": lambda x: lax.conv(x[None, :0], x[:1, :0, None], (1,), "VALID") + x[0, 1],
    "windows on padding": lambda x: lax.reduce_window(x[:0], 0.0, lax.add, (2, 2), (1, 1), [(2, 1), (0, 0)]) + x[0, 0],
    "scatter of nothing": lambda x: x.at[jnp.zeros(0, int)].multiply(x[:0]) * x,
    "update by nothing": lambda x: lax.dynamic_update_slice(x * 2, x[:, :0], (jnp.int32(0), jnp.int32(x[0, 0] > 0))),
    "scan of no rounds": lambda x: lax.scan(lambda c, a: (c * a.sum(), c), x, x[:0])[0],
    "scan over empty rows": lambda x: lax.scan(lambda c, a: (c + a.sum(), c * a), x[0, 0], x[:, :0])[0] * x,
    "sort": lambda x: jnp.sort(x[:, :0], 1).sum() + x,
    "reshape": lambda x: jnp.concatenate([x[:0].reshape(3, 0).T, x]),
    "stack of empties": lambda x: jnp.stack([x[:0]] * 5).sum((0, 1)) + x,
}


@pytest.mark.parametrize("name", FUNCTIONS)
def test_something_from_nothing(name: str) -> None:
    check(lambda x: jnp.sum(FUNCTIONS[name](x) * 0.7), (X,), derivatives)


def test_extremes_of_nothing_are_infinite() -> None:
    assert ours.optimize(lambda x: jnp.max(jnp.exp(x)[:0], initial=-0.5))(X) == -0.5
    none = ours.optimize(lambda x: lax.reduce_max(jnp.broadcast_to(x, (0, 5)), (0,)))(np.ones(5, np.float32))
    np.testing.assert_array_equal(none, np.full(5, -np.inf))


def check_seed(seed: int) -> None:
    use = derivatives if seed % 3 else batches([2, 1, 0][seed % 9 // 3])
    check(program(seed, 3 + seed % 8), arguments(seed), use)


@pytest.mark.parametrize("seed", [14, 44, *range(6)])
def test_random_programs_with_empty_axes(seed: int) -> None:
    check_seed(seed)


def main(first: int, last: int) -> None:
    failed = []
    for seed in range(first, last):
        try:
            check_seed(seed)
        except Exception as e:
            failed.append(seed)
            print(f"seed {seed}: {type(e).__name__}: {str(e)[:300]}", flush=True)
        if seed % 50 == 49:
            jax.clear_caches()
    print(f"{last - first} programs, {len(failed)} failed: {failed}")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:3]))
