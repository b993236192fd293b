"""Real programs (`tests/machine/real`): how long their gradients take, beside the programs, and how long to make.

python benchmarks/real.py [NAME ...]
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np

import gradir

FOLDER = Path(__file__).parent.parent / "tests" / "machine" / "real"
N = 12


def least(run: Callable[[], object], seconds: float = 0.4) -> float:
    """The shortest time of a call, in seconds."""
    best, end = float("inf"), time.perf_counter() + seconds
    while time.perf_counter() < end:
        begin = time.perf_counter()
        run()
        best = min(best, time.perf_counter() - begin)
    return best


def main(names: list[str]) -> None:
    os.environ.setdefault("GRADIR_CACHE", "off")
    x = np.random.default_rng(3).uniform(0.4, 1.6, N)
    print(f"{'program':18} {'lines':>5} {'primal':>10} {'gradient':>10} {'ratio':>6} {'load':>7} {'derive':>7}")
    for path in sorted(FOLDER.iterdir()):
        if names and path.stem not in names:
            continue
        begin = time.perf_counter()
        module = gradir.load(path)
        f = module[path.stem]
        f(x, N)
        loaded = time.perf_counter()
        gradient = module.grad(path.stem, wrt="x")
        try:
            gradient(x, N)
        except gradir.GradirError as refused:  # zig's C++ library has other forms than GNU's, with which it is tested
            print(f"{path.stem:18} refused: {str(refused).splitlines()[0]}")
            continue
        derived = time.perf_counter()
        primal, reverse = least(lambda f=f: f(x, N)), least(lambda g=gradient: g(x, N))
        lines = len(path.read_text().splitlines())
        times = f"{loaded - begin:6.1f}s {derived - loaded:6.1f}s"
        print(f"{path.stem:18} {lines:5} {primal * 1e6:8.1f}µs {reverse * 1e6:8.1f}µs {reverse / primal:6.2f} {times}")


if __name__ == "__main__":
    main(sys.argv[1:])
