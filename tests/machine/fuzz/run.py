"""The fuzzer: generated programs, differentiated at every level and in every mode, against dual numbers.

    python tests/machine/fuzz/run.py --seeds 0:200 --levels O0,O1,O2,O3

prints a table of outcomes, and writes each program that fails to a folder.
"""

from __future__ import annotations

import argparse
import json
import os
import pickle
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from pathlib import Path

if __package__ in (None, ""):
    sys.path.insert(0, str(Path(__file__).parent.parent))

from fuzz.compile import COMPILERS, LEVELS, compiled, source_of
from fuzz.differentiate import ENVIRONMENT, MODES, Job
from fuzz.generate import program
from fuzz.oracle import Case, Expected, GeneratorError, case_of, expected_of
from fuzz.tree import Program

__all__ = ["Outcome", "Setting", "judge", "outcomes", "settings"]

BATCH = 16
TIMEOUT = 120.0
"""Seconds for one function in one mode; a batch has more."""
BAD = ("wrong", "crash", "hang", "traceback", "raised")


@dataclass(frozen=True)
class Outcome:
    """Of one function at one level in one mode."""

    name: str
    level: str
    mode: str
    kind: str
    """right, refused, wrong, crash, hang, traceback, raised (an exception where there is none), or unjudged."""
    why: str = ""


@dataclass(frozen=True)
class Setting:
    """How programs become IR and how they are differentiated."""

    level: str
    compiler: str
    modes: tuple[str, ...]
    optimise_first: bool = True
    noalias: bool = False

    def __str__(self) -> str:
        more = ("" if self.optimise_first else ", as it is") + (", noalias" if self.noalias else "")
        return f"{self.compiler} {self.level}{more}"


def settings(batch: int, levels: Sequence[str], modes: Sequence[str], compiler: str | None = None) -> list[Setting]:
    """Each level once, with what else can be chosen changing from batch to batch. Every level runs forward and reverse
    mode; the dearer modes are spread over the levels."""
    dear = [m for m in modes if m not in ("forward", "reverse")]
    cheap = tuple(m for m in modes if m in ("forward", "reverse"))
    made = []
    for i, level in enumerate(levels):
        mine = tuple(m for j, m in enumerate(dear) if (j + batch) % len(levels) == i or len(levels) == 1)
        chosen = compiler or list(COMPILERS)[(batch + i) % 2]
        plain = level == "O0" and batch % 3 == 1
        made.append(Setting(level, chosen, cheap + mine, not plain, (batch + i) % 4 == 3))
    return made


# -- Running a job in a process of its own ---------------------------------------------------------------------------


def execute(job: Job, folder: Path, timeout: float) -> tuple[list[dict[str, str]], tuple[str, str] | None, str]:
    """The outcomes that a job told of, and if it didn't end well, where it was and how it ended."""
    path = folder / f"job{threading.get_ident()}.pickle"
    path.write_bytes(pickle.dumps(job))
    command = [sys.executable, str(Path(__file__).parent / "differentiate.py"), str(path)]
    process = subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=ENVIRONMENT, start_new_session=True
    )
    try:
        output, errors = process.communicate(timeout=timeout)
        end = "" if process.returncode == 0 else "crash"
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        output, errors = process.communicate()
        end = "hang"
    found, at = [], None
    for line in output.splitlines():
        try:
            said = json.loads(line)
        except ValueError:  # cut off by the end of the process
            continue
        if "begin" in said:
            at = tuple(said["begin"])
        else:
            found.append(said)
    if not end:
        return found, None, ""
    how = f"ended by {process.returncode}: {errors[-2000:]}" if end == "crash" else f"more than {timeout:.0f} s"
    return found, at, f"{end}\n{how}"


def judge(job: Job, level: str, folder: Path) -> list[Outcome]:
    """All outcomes of a job. What ends its process is found by running a part of it alone."""
    wanted = [(n, m) for n in job.names for m in job.modes]
    found, at, end = execute(job, folder, TIMEOUT + 3 * len(wanted))
    done = {(f["name"], f["mode"]): f for f in found}
    told = [_outcome(f, level) for f in done.values()]
    left = [w for w in wanted if w not in done]
    if not end or not left:
        return told
    kind, _, why = end.partition("\n")
    if len(wanted) == 1:
        return [*told, Outcome(job.names[0], level, job.modes[0], kind, why)]
    names = list(dict.fromkeys(name for name, _ in left))
    if len(names) == 1:
        parts = [replace(job, names=(name,), modes=(mode,)) for name, mode in left]
    else:
        suspects = {at[0]} if at is not None and at[0] in names else set(names[: len(names) // 2])
        groups = ([n for n in names if n in suspects], [n for n in names if n not in suspects])
        parts = [replace(job, names=tuple(group)) for group in groups]
    return [*told, *(o for part in parts for o in judge(part, level, folder))]


def _outcome(said: dict[str, str], level: str) -> Outcome:
    return Outcome(said["name"], level, said["mode"], said["outcome"], said["why"])


# -- Batches -----------------------------------------------------------------------------------------------------------


def jobs(
    programs: Sequence[Program], cases: Sequence[Case], expected: Sequence[Expected], setting: Setting, folder: Path
) -> Iterator[Job]:
    """The programs as modules, one for each language."""
    for language in ("c", "cpp"):
        mine = [(p, c, e) for p, c, e in zip(programs, cases, expected, strict=True) if p.language == language]
        if not mine:
            continue
        module = compiled([p for p, _, _ in mine], language, setting.level, setting.compiler, folder)
        judged = [(p, c, e) for p, c, e in mine if e.is_judged]
        if judged:
            yield Job(
                str(module),
                tuple(p.name for p, _, _ in judged),
                setting.modes,
                {p.name: c for p, c, _ in judged},
                {p.name: e for p, _, e in judged},
                frozenset(p.name for p, _, _ in judged if is_coarse(p)),
                setting.optimise_first,
                setting.noalias,
            )


def is_coarse(program: Program) -> bool:
    """Whether it computes in single precision somewhere."""
    return "(F)" in program.text() or "F f" in program.text()


def outcomes(
    programs: Sequence[Program], cases: Sequence[Case], chosen: Sequence[Setting], folder: Path
) -> list[Outcome]:
    """Of some programs, at some levels."""
    try:
        expected = expected_of(programs, cases, folder)
    except GeneratorError as error:
        blamed = {p.name for p in programs if f"{p.name}:" in str(error)}
        if not blamed or len(programs) == len(blamed):
            raise
        left = [(p, c) for p, c in zip(programs, cases, strict=True) if p.name not in blamed]
        rest = outcomes([p for p, _ in left], [c for _, c in left], chosen, folder)
        return [*(Outcome(name, "", "", "unjudged", str(error)) for name in blamed), *rest]
    found = [Outcome(p.name, "", "", "unjudged") for p, e in zip(programs, expected, strict=True) if not e.is_judged]
    for setting in chosen:
        for job in jobs(programs, cases, expected, setting, folder):
            found += judge(job, str(setting), folder)
    return found


def batches(seeds: range, size: int) -> Iterator[range]:
    return (seeds[i : i + size] for i in range(0, len(seeds), size))


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seeds", default="0:50", help="A:B, without B")
    parser.add_argument("--levels", default="O0,O1,O2,O3", help=f"of {', '.join(LEVELS)}")
    parser.add_argument("--modes", default=",".join(MODES))
    parser.add_argument("--compiler", choices=list(COMPILERS))
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--batch", type=int, default=BATCH)
    parser.add_argument("--out", type=Path, default=Path(tempfile.gettempdir()) / "gradir-fuzz")
    options = parser.parse_args(arguments)
    first, _, last = options.seeds.partition(":")
    seeds = range(int(first), int(last or int(first) + 1))
    options.out.mkdir(parents=True, exist_ok=True)
    levels, modes = options.levels.split(","), tuple(options.modes.split(","))
    started = time.time()
    found: list[Outcome] = []

    def one(batch: range) -> list[Outcome]:
        folder = Path(tempfile.mkdtemp(prefix="batch-", dir=options.out))
        try:
            chosen = settings(batch.start // options.batch, levels, modes, options.compiler)
            return outcomes([program(s) for s in batch], [case_of(s) for s in batch], chosen, folder)
        finally:
            shutil.rmtree(folder)

    with ThreadPoolExecutor(options.jobs) as pool:
        for batch, result in zip(parts := list(batches(seeds, options.batch)), pool.map(one, parts), strict=True):
            found += result
            for o in result:
                if o.kind == "unjudged" and o.why:
                    print(f"{o.name} is not valid: {o.why.splitlines()[0]}")
            for bad in (o for o in result if o.kind in BAD):
                keep(options.out, bad)
                print(f"{bad.name} [{bad.level}, {bad.mode}] {bad.kind}: {bad.why.strip().splitlines()[-1][:200]}")
            done = batch.stop - seeds.start
            print(f"-- {done} programs, {time.time() - started:.0f} s", flush=True)
    print(report(found))
    print(f"{len(seeds) / (time.time() - started):.2f} programs a second")
    return int(any(o.kind in BAD for o in found))


def keep(folder: Path, bad: Outcome) -> None:
    """Write a program that failed, with what was found."""
    made = program(int(bad.name.removeprefix("fuzz_")))
    head = "\n".join(
        f"// {line}" for line in f"{bad.name}: {bad.kind} at {bad.level}, {bad.mode}\n{bad.why}".splitlines()
    )
    (folder / f"{bad.name}.{made.language}").write_text(f"{head}\n{source_of([made])}")


def report(found: Iterable[Outcome]) -> str:
    """A table: modes down, outcomes across; then why programs were refused, most often first."""
    found = list(found)
    kinds = list(dict.fromkeys(["right", "refused", *(o.kind for o in found if o.kind != "unjudged")]))
    counts = Counter((o.mode, o.kind) for o in found)
    rows = [["mode", *kinds]]
    rows += [[m, *(str(counts[m, k]) for k in kinds)] for m in dict.fromkeys(o.mode for o in found) if m]
    programs = {o.name for o in found}
    judged = programs - {o.name for o in found if o.kind == "unjudged"}
    refused = {o.name for o in found if o.kind == "refused"}
    bad = {o.name for o in found if o.kind in BAD}
    lines = ["  ".join(cell.rjust(10) for cell in row) for row in rows]
    lines.append(f"{len(programs)} programs, {len(judged)} judged, {len(refused)} refused somewhere, {len(bad)} bad")
    reasons = Counter(
        o.why.partition(":")[2][-160:].strip().splitlines()[0] if o.why else "" for o in found if o.kind == "refused"
    )
    lines += [f"{count:5} refused: {why}" for why, count in reasons.most_common(12)]
    return "\n".join(lines)


if __name__ == "__main__":
    sys.exit(main())
