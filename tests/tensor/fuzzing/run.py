"""The fuzzer of the tensor level: random JAX programs and their derivatives, judged by f64.

    python tests/tensor/fuzzing/run.py --seeds 0:2000 --jobs 2 --out found/

prints what became of them, and writes each bad program, made small, as Python with its inputs.
"""

from __future__ import annotations

import argparse
import functools
import gc
import multiprocessing
import os
import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

if __package__ in (None, ""):
    sys.path.insert(0, str(Path(__file__).parents[1]))
os.environ.setdefault("JAX_PLATFORMS", "cpu")

import jax

from fuzzing.generate import program
from fuzzing.oracle import WAYS, Case, Outcome, judge
from fuzzing.shrink import shrunk, written

CHUNK = 25
"""How many programs a process runs: what it has learnt of them takes memory."""


def outcome(seed: int, ways: Sequence[str] = WAYS) -> Outcome:
    with jax.enable_x64(True):
        case = Case.of(program(seed), seed)
    return judge(case, ways)


def chunk(seeds: range, ways: Sequence[str] = WAYS) -> list[Outcome]:
    gc.set_threshold(100_000, 50, 50)  # tracing makes much that dies soon: a fifth of the time goes to look at it
    return [outcome(seed, ways) for seed in seeds]


def outcomes(first: int, last: int, jobs: int, ways: Sequence[str] = WAYS) -> Iterator[Outcome]:
    chunks = [range(k, min(k + CHUNK, last)) for k in range(first, last, CHUNK)]
    if jobs == 0:
        for seeds in chunks:
            yield from chunk(seeds, ways)
        return
    with multiprocessing.get_context("spawn").Pool(jobs, maxtasksperchild=8) as pool:
        for found in pool.imap(functools.partial(chunk, ways=ways), chunks):
            yield from found


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seeds", default="0:200", help="FIRST:LAST")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--out", type=Path, help="where to write bad programs")
    parser.add_argument("--small", action="store_true", help="make bad programs small")
    parser.add_argument("--of", default=",".join(WAYS), help="whose results to judge: plain,optimised")
    arguments = parser.parse_args()
    first, last = map(int, arguments.seeds.split(":"))
    began, counts = time.monotonic(), Counter[str]()
    for o in outcomes(first, last, arguments.jobs, arguments.of.split(",")):
        counts[o.kind] += 1
        if o.kind == "unknown" or o.kind == "not in JAX":
            counts[f"{o.kind}: {o.why[:80]}"] += 1
        for f in o.findings:
            print(f"{o.seed} {f.whose} {f.kind} {f.where} {f.why}", flush=True)
        for key in {f"{f.whose}: {f.kind}" for f in o.findings}:
            counts[key] += 1
        if o.findings and arguments.out:
            write(o, arguments.out, arguments.small)
    seconds = time.monotonic() - began
    print(f"\n{last - first} programs in {seconds:.0f} s")
    for kind, n in counts.most_common():
        print(f"{n:7} {kind}")
    return 1 if counts["bad"] else 0


def write(o: Outcome, folder: Path, small: bool) -> None:
    with jax.enable_x64(True):
        case = Case.of(program(o.seed), o.seed)
        found = o.findings
        if small:
            case, found = shrunk(case, found)
        folder.mkdir(parents=True, exist_ok=True)
        (folder / f"{o.seed}.py").write_text(written(case, found))


if __name__ == "__main__":
    sys.exit(main())
