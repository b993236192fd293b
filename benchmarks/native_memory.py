"""Memory and time of the gradient of a time-stepping loop in C, for each checkpointing policy.

python benchmarks/native_memory.py [rounds ...]

The heat equation with a source, on 10,000 points in place. Each row is a process of its own: the gradient by the first
values, the peak of its memory beyond what it has before, and its time over that of the function itself (the best of
three).
"""

from __future__ import annotations

import resource
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter

POLICIES = ("none", "sqrt", "periodic:10", "revolve:64", "full")
ROUNDS = (100, 1_000, 10_000, 100_000)
POINTS = 10_000
MOST_BYTES = 2e9
"""Of what a process may take: without a policy it grows with the rounds."""

SOURCE = """
double heat(double *u, int n, int steps) {
  for (int t = 0; t < steps; ++t) {
    double left = u[0];
    for (int i = 1; i < n - 1; ++i) {
      double here = u[i];
      u[i] = here + 0.1 * (left - 2 * here + u[i + 1]) + 0.01 * here * here;
      left = here;
    }
  }
  double sum = 0;
  for (int i = 0; i < n; ++i) sum += u[i] * u[i];
  return sum;
}
"""


def best(f, times: int = 3) -> float:
    taken = []
    for _ in range(times):
        begin = perf_counter()
        f()
        taken.append(perf_counter() - begin)
    return min(taken)


def row(policy: str, rounds: int) -> None:
    import numpy as np

    import gradir

    with TemporaryDirectory() as folder:
        source = Path(folder) / "heat.c"
        source.write_text(SOURCE)
        m = gradir.load(source)
        with gradir.checkpointing(policy):
            gradient = m.grad("heat")
        u = np.sin(np.arange(float(POINTS)))
        gradient(u.copy(), POINTS, 2)
        before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        times = 3 if rounds <= 10_000 else 1
        taken = best(lambda: gradient(u.copy(), POINTS, rounds), times)
        memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
        primal = best(lambda: m["heat"](u.copy(), POINTS, rounds), times)
    print(f"{rounds:>10,}  {policy:12} {memory / 1024:>10.1f} MiB {taken:>9.3f} s {taken / primal:>8.2f} ×", flush=True)


def main() -> None:
    chosen = tuple(map(int, sys.argv[1:])) or ROUNDS
    print(f"{'rounds':>10}  {'policy':12} {'memory':>14} {'time':>11} {'of primal':>10}")
    for rounds in chosen:
        for policy in POLICIES:
            if policy == "none" and rounds * POINTS * 8 > MOST_BYTES:
                print(f"{rounds:>10,}  {policy:12} {'would take':>10} {rounds * POINTS * 8 / 2**30:.0f} GiB")
                continue
            subprocess.run([sys.executable, __file__, "--row", policy, str(rounds)], check=True)


if __name__ == "__main__":
    if sys.argv[1:2] == ["--row"]:
        row(sys.argv[2], int(sys.argv[3]))
    else:
        main()
