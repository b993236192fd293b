"""Which rules of the optimiser fire on the corpus, how often, and what they save.

    python benchmarks/census.py [--only graph,flow] [--unused]

Lowers five derivatives of each program of `corpus.py` (gradient, derivative in a direction, second derivative in a
direction, gradients of a batch, gradients in a loop) and counts. What a rule saves is what the cost model says of the
programs in which it fired, in nanoseconds on the device at hand, before other rules had their turn.
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any

import jax
import jax.numpy as jnp
from corpus import PROGRAMS, Arrays
from jax import lax

import gradir.jax as gj
from gradir.tensor.analysis.cost import CPU, GPU
from gradir.tensor.optimize.rule import FAMILIES, RULES
from gradir.tensor.optimize.watch import Watch, watching


def by_floats(f: Callable[..., Any], args: tuple[Any, ...]) -> tuple[Callable[..., Any], tuple[Any, ...]]:
    """A function of its arguments that are floats, the others bound."""
    real = [all(jnp.issubdtype(x.dtype, jnp.floating) for x in jax.tree.leaves(a)) for a in args]

    def bound(*floats: Any) -> Any:
        rest = iter(floats)
        return f(*(next(rest) if r else a for r, a in zip(real, args, strict=True)))

    return bound, tuple(a for r, a in zip(real, args, strict=True) if r)


def derivatives(f: Callable[..., Any], args: tuple[Any, ...]) -> Iterator[tuple[str, Callable[[], Any]]]:
    """Derivatives of a function, to be lowered."""
    every = tuple(range(len(args)))
    gradient = gj.grad(f, every)
    batch = jax.tree.map(lambda x: jnp.stack([x, x]), args)

    def step(carry: Any, _: Any) -> Any:
        return jax.tree.map(lambda x, g: x - 0.01 * g, carry, gradient(*carry)), None

    yield "gradient", lambda: jax.jit(gradient).lower(*args)
    yield "direction", lambda: jax.jit(lambda *a: gj.jvp(f, a, a)).lower(*args)
    yield "second", lambda: jax.jit(lambda *a: gj.jvp(gradient, a, a)).lower(*args)
    yield "batch", lambda: jax.jit(jax.vmap(gradient)).lower(*batch)
    yield "loop", lambda: jax.jit(gj.grad(lambda *a: f(*lax.scan(step, a, None, length=4)[0]), every)).lower(*args)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", default="", help="programs whose names begin so (comma-separated)")
    parser.add_argument("--unused", action="store_true", help="also name the rules that nothing wanted")
    arguments = parser.parse_args()
    device = GPU if jax.default_backend() == "gpu" else CPU
    fired, saved, wanted = Counter[str](), Counter[str](), dict[str, set[str]]()
    for name in (n for n in PROGRAMS if n.startswith(tuple(arguments.only.split(",")))):
        program = by_floats(*PROGRAMS[name](Arrays(name, jnp.float32)))
        for what, lower in derivatives(*program):
            watch = Watch()
            try:
                with watching(watch):
                    lower()
            except Exception as error:  # a program that has no such derivative still counts for the others
                print(f"{name}: no {what}: {type(error).__name__}: {str(error).splitlines()[0][:80]}", flush=True)
            for f in watch.fired:
                fired[f.rule] += 1
                saved[f.rule] += round((f.before - f.after).on(device))
                wanted.setdefault(f.rule, set()).add(name)
    print(f"{'':34}{'fired':>8}{'programs':>10}{'saved us':>12}")
    for rule, n in fired.most_common():
        print(f"{rule:34}{n:8}{len(wanted[rule]):10}{saved[rule] / 1000:12.1f}")
    print(f"{len(fired)} of {len(RULES)} rules in {len(FAMILIES)} families fired, {fired.total()} times")
    if arguments.unused:
        print("\n".join(sorted(r.name for r in RULES.values() if r.name not in fired)))


if __name__ == "__main__":
    main()
