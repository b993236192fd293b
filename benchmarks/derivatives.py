"""Whole derivatives: Laplacians of networks, sparse Hessians and Jacobians, beside what others compute in the same run.

    python benchmarks/derivatives.py
    python benchmarks/derivatives.py --quick            # small sizes, few rounds
    python benchmarks/derivatives.py --only laplacian   # or hessian, jacobian

Times are the best of some calls after compilation, all ways in turn. JAX's is the fastest of several ways to write it:
the trace of a Hessian, products with the Hessian at once or one after the other, a linearised gradient, forward over
forward mode, and `jax.experimental.jet`. `folx`, `asdex` and `sparsejac` take part where they are installed.
"""

from __future__ import annotations

import argparse
import importlib.util
import itertools
import sys
import time
from collections.abc import Callable
from functools import partial
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax.experimental import jet

import gradir.jax

Way = Callable[..., Any]


def best_of(ways: dict[str, Callable[[], Any]], seconds: float) -> dict[str, float]:
    """The shortest time of each, in turns, for about so long each."""
    best = {}
    for name, run in ways.items():
        jax.block_until_ready(run())
        start = time.perf_counter()
        jax.block_until_ready(run())
        best[name] = time.perf_counter() - start
    rounds = max(5, min(200, int(seconds / max(best.values()))))
    for _ in range(rounds):
        for name, run in ways.items():
            start = time.perf_counter()
            jax.block_until_ready(run())
            best[name] = min(best[name], time.perf_counter() - start)
    return best


def agree(name: str, found: Any, expected: Any, rtol: float) -> None:
    scale = max(np.abs(expected).max(), 1e-30)
    if not np.allclose(found, expected, rtol=rtol, atol=rtol * scale):
        sys.exit(f"{name}: another derivative, by {np.abs(found - expected).max() / scale:.1e}")


# -- Laplacians --------------------------------------------------------------------------------------------------------


def network(weights: Any, x: Any) -> Any:
    for w, b in weights[:-1]:
        x = jnp.tanh(x @ w + b)
    w, b = weights[-1]
    return (x @ w + b)[0]


def weights_of(d: int, width: int, depth: int) -> list[tuple[Any, Any]]:
    rng = np.random.default_rng(0)
    sizes = [d, *[width] * depth, 1]
    return [
        (jnp.asarray(rng.normal(size=(a, b)) / np.sqrt(a), jnp.float32), jnp.full(b, 0.1, jnp.float32))
        for a, b in itertools.pairwise(sizes)
    ]


def jax_laplacians() -> dict[str, Callable[[Way], Way]]:
    """Ways to write a Laplacian in JAX."""

    def products(f: Way, every: Callable[[Way, Any], Any]) -> Way:
        def laplacian(x: Any) -> Any:
            g = jax.grad(f)
            return jnp.sum(every(lambda v: jnp.vdot(v, jax.jvp(g, (x,), (v,))[1]), jnp.eye(x.size, dtype=x.dtype)))

        return laplacian

    def linearised(f: Way) -> Way:
        def laplacian(x: Any) -> Any:
            _, push = jax.linearize(jax.grad(f), x)
            return jnp.sum(jax.vmap(lambda v: jnp.vdot(v, push(v)))(jnp.eye(x.size, dtype=x.dtype)))

        return laplacian

    def forward_twice(f: Way) -> Way:
        def laplacian(x: Any) -> Any:
            def second(v: Any) -> Any:
                return jax.jvp(lambda y: jax.jvp(f, (y,), (v,))[1], (x,), (v,))[1]

            return jnp.sum(jax.vmap(second)(jnp.eye(x.size, dtype=x.dtype)))

        return laplacian

    def by_jet(f: Way) -> Way:
        def laplacian(x: Any) -> Any:
            def second(v: Any) -> Any:
                return jet.jet(f, (x,), ((v, jnp.zeros_like(v)),))[1][1]

            return jnp.sum(jax.vmap(second)(jnp.eye(x.size, dtype=x.dtype)))

        return laplacian

    return {
        "trace": lambda f: lambda x: jnp.trace(jax.hessian(f)(x)),
        "products at once": lambda f: products(f, lambda one, vs: jax.vmap(one)(vs)),
        "products in turn": lambda f: products(f, jax.lax.map),
        "linearised": linearised,
        "forward twice": forward_twice,
        "jet": by_jet,
    }


def with_folx(f: Way, sparsity: int) -> Way:
    import folx

    made = folx.forward_laplacian(f, sparsity_threshold=sparsity)
    return lambda x: made(x).laplacian


def laplacians(quick: bool, seconds: float) -> None:
    print(f"{'Laplacian of a network (3 hidden layers)':44}{'ms':>10}{'JAX / gradir':>16}{'folx / gradir':>16}")
    for width in (64, 256):
        for d in (8, 32) if quick else (8, 32, 128, 512):
            for batch in (1, 32):
                _laplacian(d, width, batch, seconds)


def _laplacian(d: int, width: int, batch: int, seconds: float) -> None:
    weights = weights_of(d, width, 3)
    x = jnp.asarray(np.random.default_rng(1).normal(size=(batch, d)), jnp.float32)

    def compiled(way: Callable[[Way], Way]) -> Way:
        def one(weights: Any, x: Any) -> Any:
            return way(lambda y: network(weights, y))(x)

        return jax.jit(jax.vmap(one, in_axes=(None, 0)) if batch > 1 else lambda weights, x: one(weights, x[0])[None])

    ways = {"gradir": compiled(lambda f: lambda x: gradir.jax.laplacian(f)(x).laplacian)}
    ways |= {f"JAX, {name}": compiled(way) for name, way in jax_laplacians().items()}
    if importlib.util.find_spec("folx"):
        for sparsity in (0, 6):
            ways[f"folx, sparsity {sparsity}"] = compiled(partial(with_folx, sparsity=sparsity))
    expected = np.asarray(ways["gradir"](weights, x))
    for name, run in ways.items():
        agree(name, np.asarray(run(weights, x)), expected, 1e-3)  # sums of up to 512 terms of f32
    best = best_of({name: partial(run, weights, x) for name, run in ways.items()}, seconds)
    ratios = []
    for who in ("JAX", "folx"):
        theirs = [t for name, t in best.items() if name.startswith(f"{who},")]
        ratios.append(f"{min(theirs) / best['gradir']:.2f}" if theirs else "–")
    label = f"  d = {d}, width {width}, {batch} point{'s' * (batch > 1)}"
    print(f"{label:44}{best['gradir'] * 1e3:10.3f}{ratios[0]:>16}{ratios[1]:>16}", flush=True)


# -- sparse matrices ---------------------------------------------------------------------------------------------------


def rosenbrock(x: Any) -> Any:
    return jnp.sum(100.0 * (x[1:] - x[:-1] ** 2) ** 2 + (1 - x[:-1]) ** 2)


def hessians(quick: bool, seconds: float) -> None:
    print(f"{'Hessian of chained Rosenbrock':44}{'ms':>10}{'in gradients':>16}{'first call, s':>16}")
    for n in (100, 1000) if quick else (100, 1000, 10_000, 100_000):
        x = jnp.asarray(np.random.default_rng(0).normal(size=n), jnp.float32)
        gradient, hessian = jax.jit(jax.grad(rosenbrock)), gradir.jax.sparse_hessian(rosenbrock)
        start = time.perf_counter()
        found = hessian(x)
        first = time.perf_counter() - start
        v = np.random.default_rng(1).normal(size=n).astype(np.float32)
        product = np.asarray(jax.jvp(jax.grad(rosenbrock), (x,), (jnp.asarray(v),))[1])
        agree("gradir", found @ v, product, 1e-4)
        ways = {"gradient": partial(gradient, x), "hessian": partial(hessian, x)}
        best = best_of(ways, seconds)
        label = f"  {n:,} variables"
        print(
            f"{label:44}{best['hessian'] * 1e3:10.3f}{best['hessian'] / best['gradient']:16.1f}{first:16.2f}",
            flush=True,
        )


def burgers(u: Any) -> Any:
    """The residual of a step of Burgers' equation on a line."""
    wide = jnp.pad(u, 1)
    return u + 0.1 * u * (wide[2:] - wide[:-2]) - 0.05 * (wide[2:] - 2 * u + wide[:-2])


def bratu(u: Any) -> Any:
    """The residual of Bratu's equation in the plane, by five-point differences."""
    n = int(np.sqrt(u.size))
    wide = jnp.pad(u.reshape(n, n), 1)
    around = wide[2:, 1:-1] + wide[:-2, 1:-1] + wide[1:-1, 2:] + wide[1:-1, :-2]
    return (around - 4 * wide[1:-1, 1:-1] + 0.01 * jnp.exp(wide[1:-1, 1:-1])).ravel()


def jacobians(quick: bool, seconds: float) -> None:
    print(f"{'sparse Jacobian of a residual':44}{'ms':>10}{'theirs / gradir':>16}{'pattern, s':>16}")
    for name, fun, sizes in (
        ("Burgers, 1-D", burgers, (1000,) if quick else (1000, 10_000, 100_000)),
        ("Bratu, 2-D", bratu, (32**2,) if quick else (32**2, 100**2, 300**2)),
    ):
        for n in sizes:
            x = jnp.asarray(np.random.default_rng(0).normal(size=n), jnp.float32)
            ours = gradir.jax.sparse_jacobian(fun, format="bcoo")
            start = time.perf_counter()
            pattern = ours.pattern(x)
            took = time.perf_counter() - start
            made = {
                "gradir": jax.jit(lambda x, ours=ours: ours(x).data),  # type: ignore[misc]
                "asdex": _with_asdex(fun, x),
                "sparsejac": _with_sparsejac(fun, pattern),
            }
            ways = {who: partial(run, x) for who, run in made.items() if run is not None}
            best = best_of(ways, seconds)
            ratios = ", ".join(f"{who} {t / best['gradir']:.2f}" for who, t in best.items() if who != "gradir") or "–"
            label = f"  {name}, {n:,} unknowns, {pattern.columns.count} colours"
            print(f"{label:44}{best['gradir'] * 1e3:10.3f}{ratios:>30}{took:10.2f}", flush=True)


def _with_asdex(fun: Way, x: Any) -> Way | None:
    if not importlib.util.find_spec("asdex"):
        return None
    import asdex

    made = asdex.jacobian(fun, x)
    return jax.jit(lambda x: made(x).data)


def _with_sparsejac(fun: Way, pattern: Any) -> Way | None:
    """With gradir's pattern, for it finds none itself; its colouring takes minutes for large ones."""
    if not importlib.util.find_spec("sparsejac") or pattern.shape[1] > 10_000:
        return None
    import sparsejac
    from jax.experimental import sparse

    places = jnp.asarray(np.stack([pattern.rows, pattern.cols], 1))
    made = sparsejac.jacfwd(fun, sparse.BCOO((jnp.ones(pattern.nnz), places), shape=pattern.shape))
    return jax.jit(lambda x: made(x).data)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--only", choices=("laplacian", "hessian", "jacobian"))
    parser.add_argument("--seconds", type=float, default=2.0, help="how long each way is measured for, about")
    arguments = parser.parse_args()
    seconds = 0.2 if arguments.quick else arguments.seconds
    for name, run in (("hessian", hessians), ("jacobian", jacobians), ("laplacian", laplacians)):
        if arguments.only in (None, name):
            run(arguments.quick, seconds)


if __name__ == "__main__":
    main()
