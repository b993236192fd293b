"""Gradients of long loops: memory and time for each way to keep what the backward sweep needs, in one run.

    python benchmarks/memory.py
    python benchmarks/memory.py --quick          # up to 1,000 steps
    python benchmarks/memory.py --most 1000000   # up to a million
    python benchmarks/memory.py --ways revolve   # those with this word in their name

A recurrence on a state of 10,000 floats. Time is the best of some calls, in turns, as a multiple of the loop itself;
memory is what XLA says that the compiled program takes beside its arguments and results. "gradir, any length" is a
`while_loop` whose length is known at run time only, compiled once for all lengths, which JAX can't differentiate in
reverse mode; equinox is its checkpointed `while_loop`, where it is installed. Ways that would take more memory than
--limit are left out.
"""

from __future__ import annotations

import argparse
import importlib.util
import math
import sys
import time
from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

import gradir
import gradir.jax

SIZE = 10_000
Step = Callable[[Any], Any]


def step(y: Any, x: Any) -> Any:
    return 0.9 * jnp.sin(y) + 0.1 * x


def open_loop(x: Any, n: Any) -> Any:
    y, _ = lax.while_loop(lambda s: s[1] < n, lambda s: (step(s[0], x), s[1] + 1), (x, 0))
    return jnp.sum(y)


def of_length(n: int, body: Callable[[Any, Any], Any]) -> Callable[[Any], Any]:
    return lambda x: jnp.sum(lax.fori_loop(0, n, lambda _, y: body(y, x), x))


def in_pieces(n: int) -> Callable[[Any], Any]:
    """Two loops, the inner one checkpointed: what JAX's users write for long loops."""
    inner = math.isqrt(n)

    @jax.checkpoint
    def piece(y: Any, x: Any) -> Any:
        return lax.fori_loop(0, inner, lambda _, y: step(y, x), y)

    def whole(x: Any) -> Any:
        y = lax.fori_loop(0, n // inner, lambda _, y: piece(y, x), x)
        return jnp.sum(lax.fori_loop(0, n % inner, lambda _, y: step(y, x), y))

    return whole


def with_equinox(slots: int, most: int) -> Callable[[Any, Any], Any]:
    import equinox.internal as eqxi

    def whole(x: Any, n: Any) -> Any:
        y, _, _ = eqxi.while_loop(
            lambda s: s[1] < n, lambda s: (step(s[0], s[2]), s[1] + 1, s[2]), (x, 0, x),
            kind="checkpointed", checkpoints=slots, max_steps=most,
        )  # fmt: skip
        return jnp.sum(y)

    return whole


KNOWN = ("auto", "none", "full", "sqrt", "revolve:16", "revolve:64", "budget:4MB")
UNKNOWN = ("revolve:16", "revolve:64", "revolve:256", "budget:4MB")
Way = tuple[Callable[..., Any], tuple[Any, ...]]


def ways(n: int, most: int) -> dict[str, Way]:
    """By name: a gradient that is compiled, and what it is called with beside the state."""
    made: dict[str, Way] = {}
    for policy in KNOWN:
        made[f"gradir, {policy}"] = under(policy, of_length(n, step)), ()
    for policy in UNKNOWN:
        made[f"gradir, any length, {policy}"] = under(policy, open_loop), (jnp.int32(n),)
    made["JAX, fori_loop"] = jax.jit(jax.grad(of_length(n, step))), ()
    made["JAX, checkpoint in pieces"] = jax.jit(jax.grad(in_pieces(n))), ()
    if importlib.util.find_spec("equinox"):
        made["equinox, 64 checkpoints"] = jax.jit(jax.grad(with_equinox(64, most))), (jnp.int32(n),)
    return made


def under(policy: str, f: Callable[..., Any]) -> Callable[..., Any]:
    """A gradient with a policy, which holds whenever it is traced."""

    @jax.jit
    def gradient(*xs: Any) -> Any:
        with gradir.checkpointing(policy):
            return gradir.jax.grad(f)(*xs)

    return gradient


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--most", type=int, default=100_000)
    parser.add_argument("--ways", default="", help="only ways with this word in their name")
    parser.add_argument("--limit", type=float, default=2.0, help="GiB that a way may take")
    arguments = parser.parse_args()
    most = min(arguments.most, 1000) if arguments.quick else arguments.most
    x = jnp.linspace(0, 1, SIZE)
    primal = jax.jit(open_loop)
    print(f"{'':34}{'steps':>10}{'MiB':>10}{'time / primal':>16}")
    for n in (k for k in (100, 1000, 10_000, 100_000, 1_000_000) if k <= most):
        expected, rows = None, {}
        for name, (run, more) in ways(n, most).items():
            if arguments.ways not in name:
                continue
            memory = run.lower(x, *more).compile().memory_analysis().temp_size_in_bytes
            if memory > arguments.limit * 2**30:
                print(f"{name:34}{n:10,}{memory / 2**20:10,.0f}{'left out':>16}")
                continue
            found = np.asarray(run(x, *more))
            expected = found if expected is None else expected
            # Some thousand roundings of f32, which the recurrence makes smaller by a tenth in each step.
            if not np.allclose(found, expected, rtol=1e-4, atol=1e-6):
                sys.exit(f"{name}: another gradient, at {n} steps")
            rows[name] = memory, run, more
        best = dict.fromkeys(["primal", *rows], np.inf)
        for _ in range(2 if n >= 100_000 else 5):
            for name in best:
                run, more = (primal, (jnp.int32(n),)) if name == "primal" else rows[name][1:]
                start = time.perf_counter()
                jax.block_until_ready(run(x, *more))
                best[name] = min(best[name], time.perf_counter() - start)
        for name, (memory, *_) in rows.items():
            print(f"{name:34}{n:10,}{memory / 2**20:10,.1f}{best[name] / best['primal']:16.2f}", flush=True)


if __name__ == "__main__":
    main()
