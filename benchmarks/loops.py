"""Whole programs that are loops: gradients from `gradir.jax` beside what JAX's users write today, in one run.

    python benchmarks/loops.py
    python benchmarks/loops.py --quick
    python benchmarks/loops.py --only ode,fixed

An ordinary differential equation with steps chosen as it goes (JAX: a scan of fixed length with masks), a layer that is
a fixed point (JAX: unrolled), an optimiser inside an optimiser, and a simulation of 100,000 steps (JAX: `checkpoint` in
pieces). Time is the best of some calls, in turns; memory is what XLA says that the compiled program takes beside its
arguments and results; the error is that of the gradient, relative to JAX's.
"""

from __future__ import annotations

import argparse
import math
import time
from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

import gradir
import gradir.jax

Gradient = Callable[..., Any]
Contenders = dict[str, Gradient]
"""By name; the first is the program without a derivative."""


# -- an equation with steps chosen as it goes --------------------------------------------------------------------------


def field(y: Any, p: Any) -> Any:
    """Hunters and hunted."""
    return jnp.stack([p[0] * y[0] - p[1] * y[0] * y[1], p[2] * y[0] * y[1] - p[3] * y[1]])


def attempt(y: Any, t: Any, h: Any, p: Any, end: float) -> tuple[Any, Any, Any]:
    """A step by Bogacki and Shampine's pair: taken if its error is small, and the next one chosen by it."""
    h = jnp.minimum(h, end - t)
    k1 = field(y, p)
    k2 = field(y + h / 2 * k1, p)
    k3 = field(y + 3 * h / 4 * k2, p)
    z = y + h * (2 * k1 + 3 * k2 + 4 * k3) / 9
    k4 = field(z, p)
    error = jnp.max(jnp.abs(h * (-5 * k1 / 72 + k2 / 12 + k3 / 9 - k4 / 8)) / (1e-5 + 1e-5 * jnp.abs(y)))
    taken = error <= 1
    factor = jnp.clip(0.9 * lax.stop_gradient(jnp.maximum(error, 1e-8)) ** (-1 / 3), 0.2, 5.0)
    return jnp.where(taken, z, y), jnp.where(taken, t + h, t), h * factor


def ode(quick: bool) -> tuple[Contenders, tuple[Any, ...]]:
    end, most = (5.0, 512) if quick else (50.0, 4096)
    start = (jnp.array([1.0, 2.0]), 0.0, 0.01)

    def open_(p: Any) -> Any:
        y, *_ = lax.while_loop(lambda s: s[1] < end, lambda s: attempt(*s, p, end), start)
        return jnp.sum(y)

    def masked(p: Any, checkpoint: bool = False) -> Any:
        def step(s: Any, _: Any) -> tuple[Any, None]:
            new = attempt(*s, p, end)
            return jax.tree.map(lambda a, b: jnp.where(s[1] < end, a, b), new, s), None

        round_ = jax.checkpoint(step) if checkpoint else step
        (y, *_), _ = lax.scan(round_, start, None, length=most)
        return jnp.sum(y)

    return {
        "itself": jax.jit(open_),
        "gradir, while_loop": jax.jit(gradir.jax.grad(open_)),
        "JAX, masked scan": jax.jit(jax.grad(masked)),
        "JAX, masked scan, checkpoint": jax.jit(jax.grad(lambda p: masked(p, True))),
    }, (jnp.array([1.1, 0.4, 0.1, 0.4]),)


# -- a layer that is a fixed point -------------------------------------------------------------------------------------


def fixed(quick: bool) -> tuple[Contenders, tuple[Any, ...]]:
    n, batch, rounds = (64, 16, 100) if quick else (512, 64, 100)
    rng = np.random.default_rng(0)
    w = jnp.asarray(rng.normal(size=(n, n)) * 0.4 / math.sqrt(n), jnp.float32)
    x = jnp.asarray(rng.normal(size=(batch, n)), jnp.float32)
    # In full precision: where a GPU rounds factors to ten bits, the loop would not come to its end.
    layer = lambda z, w, x: jnp.tanh(jnp.matmul(z, w, precision="highest") + x)  # noqa: E731

    def equation(w: Any, x: Any) -> Any:
        return jnp.mean(gradir.jax.fixed_point(layer, jnp.zeros_like(x), w, x) ** 2)

    def open_(w: Any, x: Any) -> Any:
        """Until it has converged, as `fixed_point` does, and differentiated through its rounds."""
        go = lambda s: (layer(s[0], w, x), s[0])  # noqa: E731
        far = lambda s: jnp.linalg.norm(s[0] - s[1]) > 4e-6 * (1 + jnp.linalg.norm(s[0]))  # noqa: E731
        return jnp.mean(lax.while_loop(far, go, (jnp.zeros_like(x), jnp.ones_like(x)))[0] ** 2)

    def unrolled(w: Any, x: Any) -> Any:
        return jnp.mean(lax.fori_loop(0, rounds, lambda _, z: layer(z, w, x), jnp.zeros_like(x)) ** 2)

    return {
        "itself": jax.jit(equation),
        "gradir, by the equation": jax.jit(gradir.jax.grad(equation)),
        "gradir, through the rounds": jax.jit(gradir.jax.grad(open_)),
        f"JAX, {rounds} rounds": jax.jit(jax.grad(unrolled)),
    }, (w, x)


# -- an optimiser inside an optimiser ----------------------------------------------------------------------------------


def meta(quick: bool) -> tuple[Contenders, tuple[Any, ...]]:
    steps, width = (100, 16) if quick else (1000, 64)
    rng = np.random.default_rng(0)
    x = jnp.asarray(rng.normal(size=(128, 8)), jnp.float32)
    y = jnp.sin(x @ jnp.asarray(rng.normal(size=(8, 1)), jnp.float32))
    start = {
        "a": jnp.asarray(rng.normal(size=(8, width)) / math.sqrt(8), jnp.float32),
        "b": jnp.asarray(rng.normal(size=(width, 1)) / math.sqrt(width), jnp.float32),
    }

    def loss(p: Any) -> Any:
        return jnp.mean((jnp.tanh(x @ p["a"]) @ p["b"] - y) ** 2)

    def trained(rates: Any, m: Any, wrap: Callable[..., Any] = lambda f: f) -> Any:
        """The loss after training with these rates, one for each array."""

        def step(p: Any, _: Any) -> tuple[Any, None]:
            slopes = m.grad(loss)(p)
            return jax.tree.map(lambda v, g, r: v - jnp.exp(r) * g, p, slopes, rates), None

        return loss(lax.scan(wrap(step), start, None, length=steps)[0])

    def under(policy: str) -> Gradient:
        def gradient(rates: Any) -> Any:
            with gradir.checkpointing(policy):
                return gradir.jax.grad(lambda r: trained(r, gradir.jax))(rates)

        return jax.jit(gradient)

    return {
        "itself": jax.jit(lambda r: trained(r, jax)),
        "gradir": under("auto"),
        "gradir, sqrt": under("sqrt"),
        "JAX": jax.jit(jax.grad(lambda r: trained(r, jax))),
        "JAX, checkpoint": jax.jit(jax.grad(lambda r: trained(r, jax, jax.checkpoint))),
    }, ({"a": jnp.float32(-2.0), "b": jnp.float32(-3.0)},)


# -- a long simulation -------------------------------------------------------------------------------------------------


def simulation(quick: bool) -> tuple[Contenders, tuple[Any, ...]]:
    """A chain of masses and springs that stiffen, by leaps; the gradient by where it is struck."""
    steps, n = (2000, 200) if quick else (100_000, 1000)
    struck = jnp.asarray(np.exp(-((np.linspace(-5, 5, n)) ** 2)), jnp.float32)

    def step(state: Any) -> Any:
        u, v = state
        left, right = jnp.diff(u, prepend=0.0), jnp.diff(u, append=0.0)
        v = 0.9999 * v + 0.01 * (right - left + right**3 - left**3)
        return u + 0.01 * v, v

    energy = lambda s: jnp.sum(s[0] ** 2 + s[1] ** 2)  # noqa: E731
    run = lambda x: energy(lax.fori_loop(0, steps, lambda _, s: step(s), (x, jnp.zeros_like(x))))  # noqa: E731
    inner = math.isqrt(steps)

    def pieces(x: Any) -> Any:
        piece = jax.checkpoint(lambda s: lax.fori_loop(0, inner, lambda _, s: step(s), s))
        s = lax.fori_loop(0, steps // inner, lambda _, s: piece(s), (x, jnp.zeros_like(x)))
        return energy(lax.fori_loop(0, steps % inner, lambda _, s: step(s), s))

    def under(policy: str) -> Gradient:
        def gradient(x: Any) -> Any:
            with gradir.checkpointing(policy):
                return gradir.jax.grad(run)(x)

        return jax.jit(gradient)

    return {
        "itself": jax.jit(run),
        "gradir, revolve:64": under("revolve:64"),
        "gradir, sqrt": under("sqrt"),
        "JAX, checkpoint in pieces": jax.jit(jax.grad(pieces)),
        "JAX": jax.jit(jax.grad(run)),
    }, (struck,)


PROGRAMS = {"ode": ode, "fixed": fixed, "meta": meta, "simulation": simulation}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--only", default="", help="programs, by commas")
    parser.add_argument("--limit", type=float, default=2.0, help="GiB that a way may take")
    parser.add_argument("--repeats", type=int, default=3)
    arguments = parser.parse_args()
    chosen = [p for p in arguments.only.split(",") if p] or list(PROGRAMS)
    print(f"jax {jax.__version__}, {jax.devices()[0].device_kind}")
    print(f"{'':44}{'ms':>12}{'/ itself':>10}{'MiB':>10}{'error':>10}")
    for program in chosen:
        contenders, given = PROGRAMS[program](arguments.quick)
        compiled = {name: f.lower(*given).compile() for name, f in contenders.items()}
        memory = {name: c.memory_analysis().temp_size_in_bytes for name, c in compiled.items()}
        runs = {name: c for name, c in compiled.items() if memory[name] <= arguments.limit * 2**30}
        best = dict.fromkeys(runs, np.inf)
        found: dict[str, Any] = {}
        for _ in range(arguments.repeats):
            for name, run in runs.items():
                start = time.perf_counter()
                found[name] = jax.block_until_ready(run(*given))
                best[name] = min(best[name], time.perf_counter() - start)
        right = next(flat(found[name]) for name in runs if name.startswith("JAX"))
        for name in compiled:
            if name not in runs:
                print(f"{program + ': ' + name:44}{'left out':>12}{'':>10}{memory[name] / 2**20:10,.1f}")
                continue
            error = np.max(np.abs(flat(found[name]) - right)) / np.max(np.abs(right)) if name != "itself" else 0.0
            ratio, mib = best[name] / best["itself"], memory[name] / 2**20
            line = f"{program + ': ' + name:44}{1e3 * best[name]:12,.2f}{ratio:10.2f}{mib:10,.2f}{error:10.0e}"
            print(line, flush=True)


def flat(tree: Any) -> np.ndarray:
    return np.concatenate([np.ravel(np.asarray(leaf, np.float64)) for leaf in jax.tree.leaves(tree)])


if __name__ == "__main__":
    main()
