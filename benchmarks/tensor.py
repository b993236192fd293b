"""gradir against JAX at the tensor level, in one run.

    python benchmarks/tensor.py            # both tables
    python benchmarks/tensor.py --quick    # fewer repeats

The first table is the time to differentiate: tracing a GPT's loss, differentiating and lowering it to StableHLO, by
`jax.jit(gradir.jax.value_and_grad(f)).lower` and by `jax.jit(jax.value_and_grad(f)).lower`. The second is the run time
of both derivatives on XLA. Contenders take turns and the best time of each counts, since machines are noisy.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from typing import Any

import jax
import numpy as np
from programs import PROGRAMS, gpt, make

import gradir.jax


def fresh(loss: Callable[..., Any]) -> Callable[..., Any]:
    """The same function as a new object, so that nothing traced before is found again."""

    def again(*args: Any) -> Any:
        return loss(*args)

    return again


def lower(value_and_grad: Callable[..., Any], loss: Callable[..., Any], args: Any) -> float:
    jax.clear_caches()
    start = time.perf_counter()
    jax.jit(value_and_grad(fresh(loss))).lower(*args)
    return time.perf_counter() - start


def differentiate(repeats: int) -> None:
    print("time to differentiate and lower, seconds")
    print(f"{'':12}{'gradir':>10}{'jax':>10}{'gradir/jax':>12}{'ms/layer':>10}")
    for layers in (6, 24, 96):
        loss, args = gpt(layers)
        contenders = (gradir.jax.value_and_grad, jax.value_and_grad)
        best = [np.inf, np.inf]
        for _ in range(repeats):
            for i, contender in enumerate(contenders):
                best[i] = min(best[i], lower(contender, loss, args))
        ours, theirs = best
        print(f"gpt {layers:<8}{ours:10.3f}{theirs:10.3f}{ours / theirs:12.2f}{1e3 * ours / layers:10.2f}", flush=True)


def call_time(compiled: Any, args: Any, seconds: float) -> float:
    """The best time of a call, over calls that fill about `seconds`."""
    best, end = np.inf, time.perf_counter() + seconds
    while time.perf_counter() < end:
        start = time.perf_counter()
        jax.block_until_ready(compiled(*args))
        best = min(best, time.perf_counter() - start)
    return best


def run(names: list[str], rounds: int) -> None:
    print("\nrun time of value and gradient on XLA, microseconds")
    print(f"{'':20}{'gradir':>10}{'jax':>10}{'gradir/jax':>12}{'worst error':>14}")
    ratios = []
    for name in names:
        loss, args = make(name)
        compiled = [jax.jit(vg(loss)).lower(*args).compile() for vg in (gradir.jax.value_and_grad, jax.value_and_grad)]
        ours, theirs = (jax.tree.leaves(c(*args)) for c in compiled)
        error = max(
            float(np.max(np.abs(a - b)) / (np.max(np.abs(b)) + 1e-30)) for a, b in zip(ours, theirs, strict=True)
        )
        best = [np.inf, np.inf]
        for _ in range(rounds):
            for i, c in enumerate(compiled):
                best[i] = min(best[i], call_time(c, args, 0.15))
        ratios.append(best[0] / best[1])
        print(f"{name:20}{1e6 * best[0]:10.1f}{1e6 * best[1]:10.1f}{ratios[-1]:12.2f}{error:14.1e}", flush=True)
    print(f"{'geometric mean':40}{np.exp(np.mean(np.log(ratios))):12.2f}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--only", help="run time of these programs alone (comma-separated)")
    options = parser.parse_args()
    print(f"jax {jax.__version__}, {jax.devices()[0].device_kind}")
    if not options.only:
        differentiate(2 if options.quick else 5)
    run(options.only.split(",") if options.only else list(PROGRAMS), 3 if options.quick else 8)


if __name__ == "__main__":
    main()
