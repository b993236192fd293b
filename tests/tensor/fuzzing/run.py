"""The fuzzer of the tensor level: random JAX programs and their derivatives, judged in a wider type.

    python tests/tensor/fuzzing/run.py --seeds 0:2000 --jobs 2 --out found/

prints what became of them, and writes each bad program, made small, as Python with its inputs.
"""

from __future__ import annotations

import argparse
import gc
import multiprocessing
import os
import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from multiprocessing.connection import Connection
from pathlib import Path

if __package__ in (None, ""):
    sys.path.insert(0, str(Path(__file__).parents[1]))
os.environ.setdefault("JAX_PLATFORMS", "cpu")

import jax

from fuzzing.generate import program
from fuzzing.oracle import WAYS, Case, Finding, Outcome, judge
from fuzzing.shrink import shrunk, written

CHUNK = 50
"""How many programs a process runs: what it has learnt of them takes memory."""
TOO_LONG = 20
"""Seconds for a program, of a chunk: some two are usual where every core is busy."""
SPAWN = multiprocessing.get_context("spawn")


def outcome(seed: int, ways: Sequence[str] = WAYS, order: int = 1) -> Outcome:
    with jax.enable_x64(True):
        case = Case.of(program(seed), seed, order)
    return judge(case, ways)


def chunk(seeds: Sequence[int], ways: Sequence[str] = WAYS, order: int = 1) -> list[Outcome]:
    gc.set_threshold(100_000, 50, 50)  # tracing makes much that dies soon: a fifth of the time goes to look at it
    return [outcome(seed, ways, order) for seed in seeds]


def told(to: Connection, seeds: Sequence[int], ways: Sequence[str], order: int) -> None:
    to.send(chunk(seeds, ways, order))


def alone(seeds: Sequence[int], ways: Sequence[str], order: int) -> list[Outcome]:
    """What a process of its own says of the seeds. If it ends without a word, the seed that ends it is looked for."""
    here, there = SPAWN.Pipe(duplex=False)
    process = SPAWN.Process(target=told, args=(there, seeds, ways, order), daemon=True)
    process.start()
    there.close()
    try:
        if here.poll(TOO_LONG * len(seeds)):
            return list(here.recv())
        why = "no answer"
    except EOFError:
        process.join()
        why = f"the process ended with {process.exitcode}"
    finally:
        process.kill()
    if len(seeds) == 1:
        return [Outcome(seeds[0], "bad", [Finding("crash", "either", "", why)])]
    middle = len(seeds) // 2
    return alone(seeds[:middle], ways, order) + alone(seeds[middle:], ways, order)


def outcomes(first: int, last: int, jobs: int, ways: Sequence[str] = WAYS, order: int = 1) -> Iterator[Outcome]:
    chunks = [range(k, min(k + CHUNK, last)) for k in range(first, last, CHUNK)]
    if jobs == 0:
        for seeds in chunks:
            yield from chunk(seeds, ways, order)
        return
    with ThreadPoolExecutor(jobs) as pool:
        for found in as_completed([pool.submit(alone, seeds, ways, order) for seeds in chunks]):
            yield from found.result()


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seeds", default="0:200", help="FIRST:LAST")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--out", type=Path, help="where to write bad programs")
    parser.add_argument("--small", action="store_true", help="make bad programs small")
    parser.add_argument("--of", default=",".join(WAYS), help="whose results to judge: plain,optimised")
    parser.add_argument("--order", type=int, choices=(1, 2), default=1, help="first derivatives, or second ones")
    arguments = parser.parse_args()
    first, last = map(int, arguments.seeds.split(":"))
    began, counts = time.monotonic(), Counter[str]()
    found = outcomes(first, last, arguments.jobs, arguments.of.split(","), arguments.order)
    for done, o in enumerate(found, 1):
        counts[o.kind] += 1
        if done % 1000 == 0:
            print(f"{done} programs in {time.monotonic() - began:.0f} s", flush=True)
        if o.kind == "unknown" or o.kind == "not in JAX":
            counts[f"{o.kind}: {o.why[:80]}"] += 1
        for f in o.findings:
            print(f"{o.seed} {f.whose} {f.kind} {f.where} {f.why}", flush=True)
        for key in {f"{f.whose}: {f.kind}" for f in o.findings}:
            counts[key] += 1
        if o.findings and arguments.out:
            write(o, arguments.out, arguments.small, arguments.order)
    seconds = time.monotonic() - began
    print(f"\n{last - first} programs in {seconds:.0f} s")
    for kind, n in counts.most_common():
        print(f"{n:7} {kind}")
    return 1 if counts["bad"] else 0


def write(o: Outcome, folder: Path, small: bool, order: int) -> None:
    with jax.enable_x64(True):
        case = Case.of(program(o.seed), o.seed, order)
        found = o.findings
        if small:
            case, found = shrunk(case, found)
        folder.mkdir(parents=True, exist_ok=True)
        (folder / f"{o.seed}.py").write_text(written(case, found))


if __name__ == "__main__":
    sys.exit(main())
