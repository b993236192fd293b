"""OpenMP: five programs with parallel loops and their gradients, on one thread and two, beside the code without it.

    python benchmarks/parallel.py
    python benchmarks/parallel.py --quick
    python benchmarks/parallel.py --only dot,heat

Time is the best of some calls, in turns. A gradient's ratio is its time by that of the primal, both of the same build
on as many threads; the speed-up is the time on one thread by that on two. The gradient is what is saved as a library
(`--restrict --cpu native`), and adds to memory that is there, as the primal reads such: called from Python, it is given
new zeros each time, which one thread makes. The error is that of the gradient on two threads from Python, relative to
the one without OpenMP.
"""

from __future__ import annotations

import argparse
import ctypes
import tempfile
import time
from collections.abc import Callable
from functools import partial
from glob import glob
from pathlib import Path
from typing import Any

import numpy as np

import gradir

SOURCE = Path(__file__).parent / "parallel.c"
Call = Callable[[], Any]


def arguments(name: str, quick: bool) -> tuple[list[str], tuple[Any, ...]]:
    """What a gradient is by, and what a program is given."""
    random, few = np.random.default_rng(0), 4 if quick else 1
    match name:
        case "dot":
            n = 300_000 // few  # with shadows 10 MB, which caches hold: a larger one measures the memory
            return ["x", "y"], (random.normal(size=n), random.normal(size=n), n)
        case "heat":
            n = 20_000 // few
            return ["x"], (random.normal(size=n), np.zeros(n), np.zeros(n), n, 50)
        case "particles":
            n, k = 20_000 // few, 16
            near = (np.arange(n)[:, None] + random.integers(1, 100, (n, k))) % n
            return ["x"], (random.normal(size=3 * n), near.astype(np.int32).reshape(-1), n, k)
        case "matmul":
            n = 256 // few
            return ["a", "b"], (random.normal(size=n * n), random.normal(size=n * n), np.zeros(n * n), n)
        case _:
            return ["p"], (np.array([1.0, 0.05, 0.2, 1.0]), 4_000 // few, 50)


def shipped(gradient: Any, values: tuple[Any, ...]) -> Call:
    """A call of a gradient as C makes it, with shadows that are there."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "gradient.so"
        gradient.save(path, noalias=True, cpu="native")
        library = ctypes.CDLL(str(path))
    passed: list[Any] = []
    for value in values:
        passed.append(value.ctypes.data_as(ctypes.c_void_p) if isinstance(value, np.ndarray) else ctypes.c_int(value))
        if isinstance(value, np.ndarray) and value.dtype == np.float64:
            passed.append(np.zeros_like(value).ctypes.data_as(ctypes.c_void_p))
    return partial(getattr(library, gradient.name), *passed)


NAMES = ("dot", "heat", "particles", "matmul", "monte_carlo")


def best(calls: dict[Any, Call], rounds: int, set_up: Callable[[Any], None]) -> dict[Any, float]:
    """The best time of each, in turns, so that what else the machine does meets all of them."""
    times = dict.fromkeys(calls, float("inf"))
    for _ in range(rounds):
        for key, call in calls.items():
            set_up(key)
            start = time.perf_counter()
            call()
            times[key] = min(times[key], time.perf_counter() - start)
    return times


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--only", default=",".join(NAMES))
    parser.add_argument("--rounds", type=int, default=15)
    given = parser.parse_args()
    runtime = ctypes.CDLL(sorted(glob("/usr/lib/llvm-*/lib/libomp.so.5"))[-1], ctypes.RTLD_GLOBAL)
    parallel, sequential = gradir.load(SOURCE, flags=["-fopenmp"]), gradir.load(SOURCE)
    titles = ("program", "primal ms", "gradient", "1 thread", "2 threads", "speed-up", "of gradient", "error")
    print("".join(f"{title:>13}" for title in titles))
    print(f"{'':>13}{'sequential':>13}{'/ primal':>13}{'/ primal':>13}{'/ primal':>13}{'of primal':>13}")
    for name in given.only.split(","):
        wrt, values = arguments(name, given.quick)
        calls: dict[Any, Call] = {}
        gradients = {}
        for threads in (0, 1, 2):
            module = parallel if threads else sequential
            function, gradient = module.function(name), module.grad(name, wrt=wrt)
            calls[threads, "primal"] = partial(function, *values)
            calls[threads, "gradient"] = shipped(gradient, values)
            runtime.omp_set_num_threads(max(threads, 1))
            gradients[threads] = np.concatenate([np.ravel(g) for g in np.atleast_1d(gradient(*values))])
        times = best(calls, given.rounds, lambda key: runtime.omp_set_num_threads(max(key[0], 1)))
        ratios = [times[t, "gradient"] / times[t, "primal"] for t in (0, 1, 2)]
        speed = [times[1, what] / times[2, what] for what in ("primal", "gradient")]
        error = np.abs(gradients[2] - gradients[0]).max() / np.abs(gradients[0]).max()
        numbers = [1e3 * times[0, "primal"], *ratios, *speed]
        print(f"{name:>13}" + "".join(f"{number:13.2f}" for number in numbers) + f"{error:13.1e}")


if __name__ == "__main__":
    main()
