"""The fuzzer: generated programs, differentiated at every level and in every mode, against dual numbers.

    python tests/machine/fuzz/run.py prepare --seeds 0:200 --out programs.xz
    python tests/machine/fuzz/run.py judge programs.xz --jobs 2 --out report.jsonl

The first step needs compilers; the second needs none, and goes on where it was interrupted. It prints a table.
`show` prints the programs that fail, `report` the table of some reports.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

if __package__ in (None, ""):
    sys.path.insert(0, str(Path(__file__).parent.parent))

import numpy as np

from fuzz.case import Truth, case_of
from fuzz.compile import COMPILERS, unoptimised
from fuzz.differentiate import Setting, Subject, judge
from fuzz.generate import program
from fuzz.isolate import Ended, Forks, Say
from fuzz.levels import Levels
from fuzz.oracle import Expected, GeneratorError, expected_of, source_of
from fuzz.store import Batch, Outcome, load, save
from fuzz.tree import Program

__all__ = ["BAD", "outcomes", "prepared", "settings_of"]

BATCH = 32
SECONDS = 60
"""Of CPU time, for one step of one program."""
BAD = ("wrong", "crash", "hang", "traceback", "raised")


Settings = Callable[[int], tuple[Setting, ...]]
"""By seed."""

# Every level runs forward and reverse mode. The dearer modes take turns, and so do the levels that they run at.
_LEVELS = ("O0", "O1", "O2", "O3")
_DEAR = ("forward4", "reverse4", "second")


def settings_of(seed: int) -> tuple[Setting, ...]:
    """How the program of a seed is differentiated."""
    made = []
    for i, level in enumerate(_LEVELS):
        dear = (_DEAR[seed % 3],) if seed // 3 % 4 == i else ()
        # What LLVM makes of derivatives is dear: most are compiled as they are.
        optimised = 2 if seed % 4 == i else 0
        made.append(Setting(level, ("forward", "reverse", *dear), True, (seed + i) % 4 == 3, optimised))
    return tuple(made)


def settings_by_turns(seed: int) -> tuple[Setting, ...]:
    """At one level, in every mode but the dear ones of other levels."""
    return settings_of(seed)[seed // 3 % 4 :][:1]


def settings_as_it_is(seed: int) -> tuple[Setting, ...]:
    """What a compiler wrote is differentiated without being optimised first."""
    return tuple(replace(setting, optimise_first=False) for setting in settings_of(seed))


# -- Preparing: what needs compilers -----------------------------------------------------------------------------------


def prepared(programs: Sequence[Program], seeds: Sequence[int], compiler: str, folder: Path) -> Iterator[Batch]:
    """Compile some programs, and compute what is right in the cases of some seeds."""
    try:
        expected = expected_of(programs, [case_of(seed) for seed in seeds], folder)
        every = list(zip(programs, seeds, expected, strict=True))
        batches = [_batch([x for x in every if x[0].language == l], l, compiler, folder) for l in ("c", "cpp")]
    except GeneratorError as error:
        yield from _in_parts(programs, seeds, compiler, folder, str(error))
    else:
        yield from batches


def _batch(programs: Sequence[tuple[Program, int, Expected]], language: str, compiler: str, folder: Path) -> Batch:
    judged = [x for x in programs if x[2].is_judged]
    text = unoptimised([p for p, _, _ in judged], language, compiler, folder) if judged else ""
    left = tuple(Outcome(p.name, "", "", "unjudged") for p, _, e in programs if not e.is_judged)
    return Batch(text, tuple(_subject(*x) for x in judged), left)


def _in_parts(
    programs: Sequence[Program], seeds: Sequence[int], compiler: str, folder: Path, error: str
) -> Iterator[Batch]:
    """Without the programs that a compiler complains of; if it names none, by halves."""
    blamed = [f"{program.name}:" in error or len(programs) == 1 for program in programs]
    parts = [range(len(programs))[: len(programs) // 2], range(len(programs))[len(programs) // 2 :]]
    if any(blamed):
        yield Batch("", (), tuple(Outcome(p.name, "", "", "unjudged", error) for p, b in zip(programs, blamed) if b))
        parts = [[i for i, b in enumerate(blamed) if not b]]
    for part in parts:
        if part:
            yield from prepared([programs[i] for i in part], [seeds[i] for i in part], compiler, folder)


def _subject(program: Program, seed: int, expected: Expected) -> Subject:
    case = case_of(seed)
    truth = Truth(
        expected.value,
        case.directions @ expected.jacobian.T,
        case.cotangents @ expected.jacobian,
        case.cotangents[0] @ expected.second,
    )
    return Subject(program.name, seed, truth, "(F)" in program.text() or "F f" in program.text())


def _prepare(seeds: range, compiler: str, size: int, folder: Path) -> Iterator[Batch]:
    started = time.time()
    for batch in (seeds[i : i + size] for i in range(0, len(seeds), size)):
        for made in prepared([program(s) for s in batch], batch, compiler, folder):
            yield replace(made, subjects=tuple(map(_compact, made.subjects)))
        print(f"-- {batch.stop - seeds.start} programs, {time.time() - started:.0f} s", flush=True)


def _compact(subject: Subject) -> Subject:
    """Without what its settings don't ask for, and without digits that nobody compares."""
    modes = {mode for setting in settings_of(subject.seed) for mode in setting.modes}
    truth = subject.truth
    return replace(
        subject,
        truth=Truth(
            _rounded(truth.value),
            _rounded(truth.tangents[: 2 if "forward4" in modes else 1]),
            _rounded(truth.gradients[: 2 if "reverse4" in modes else 1]),
            _rounded(truth.second) if "second" in modes else np.zeros(0),
        ),
    )


def _rounded(array: np.ndarray) -> np.ndarray:
    """With 36 bits after the point: an error of 1e-11, where 1e-8 is asked for."""
    return (np.ascontiguousarray(array).view(np.uint64) & np.uint64(0xFFFF_FFFF_FFFF_0000)).view(np.float64)


# -- Judging: what needs none ------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Task:
    """A program in some settings, to be judged in a process of its own."""

    levels: Levels
    subject: Subject
    settings: tuple[Setting, ...]

    def __call__(self, say: Say) -> None:
        self.levels.choose(self.subject.name)  # in this process alone
        for setting in self.settings:
            say(begin=[setting.level, setting.modes])
            judge(self.levels.at(setting.level), self.subject, setting, say)

    def after(self, ended: Ended) -> tuple[list[Outcome], _Task | None]:
        """What became of it, and what is left to do if its process ended before it did."""
        name, by_level = self.subject.name, {s.level: s for s in self.settings}
        found = [
            Outcome(name, str(by_level[s["level"]]), s["mode"], s["kind"], s["why"]) for s in ended.said if "kind" in s
        ]
        if not ended.how:
            return found, None
        begun = [s["begin"] for s in ended.said if "begin" in s]
        level, modes = begun[-1] if begun else (self.settings[0].level, self.settings[0].modes)
        done = {(o.level, o.mode) for o in found}
        if len(modes) == 1:
            found.append(Outcome(name, str(by_level[level]), modes[0], ended.how, ended.why))
            done.add((str(by_level[level]), modes[0]))
        left = []
        for setting in self.settings:
            undone = tuple(m for m in setting.modes if (str(setting), m) not in done)
            alone = setting.level == level and len(modes) > 1
            left += [replace(setting, modes=m) for m in ([(m,) for m in undone] if alone else [undone]) if m]
        return found, replace(self, settings=tuple(left)) if left else None


def outcomes(
    batches: Iterable[Batch],
    settings: Settings = settings_of,
    *,
    jobs: int = 1,
    until: float = float("inf"),
    done: Collection[str] = (),
) -> Iterator[list[Outcome]]:
    """Of programs, each when all is known of it, but for those that are done. `settings` are by seed."""
    found: dict[str, list[Outcome]] = {}
    forks = Forks(jobs, SECONDS)
    for ended in forks.run(_tasks(batches, settings, done), until):
        task = ended.task
        assert isinstance(task, _Task)
        told, left = task.after(ended)
        found.setdefault(task.subject.name, []).extend(told)
        if left is not None:
            forks.add(left)
        else:
            yield found.pop(task.subject.name)


def _tasks(batches: Iterable[Batch], settings: Settings, done: Collection[str]) -> Iterator[_Task]:
    for batch in batches:
        if left := [subject for subject in batch.subjects if subject.name not in done]:
            levels = Levels(batch.text, [subject.name for subject in batch.subjects])
            yield from (_Task(levels, subject, settings(subject.seed)) for subject in left)


def _judge(files: Sequence[Path], settings: Settings, jobs: int, limit: float, out: Path) -> list[Outcome]:
    """Judge prepared programs, and write a line for each as it is known. A report that is there is continued."""
    started = time.monotonic()
    found = _read(out) if out.exists() else []
    done = frozenset(o.name for o in found)
    batches = [batch for file in files for batch in load(file)]
    with out.open("a") as report:
        for batch in batches:
            new = [o for o in batch.unjudged if o.name not in done]
            found += new
            report.writelines(_line([o]) for o in new)
        for count, told in enumerate(outcomes(batches, settings, jobs=jobs, until=started + limit, done=done), 1):
            found += told
            report.write(_line(told))
            report.flush()
            for bad in (o for o in told if o.kind in BAD):
                print(f"{bad.name} [{bad.level}, {bad.mode}] {bad.kind}: {_last_line(bad.why)}", flush=True)
            if count % 100 == 0:
                print(f"-- {count} programs, {time.monotonic() - started:.0f} s", flush=True)
    return found


def _last_line(why: str) -> str:
    return (why.strip().splitlines() or [""])[-1][:200]


def _line(told: Sequence[Outcome]) -> str:
    """Right outcomes are only counted by their modes; of the others all is kept."""
    rows = [[o.level, o.mode, o.kind, o.why[-4000:]] for o in told]
    return json.dumps({"name": told[0].name, "outcomes": rows}) + "\n"


def _read(path: Path) -> list[Outcome]:
    found = []
    for line in path.read_text().splitlines(keepends=True):
        if line.endswith("\n"):  # else it was interrupted
            said = json.loads(line)
            found += [Outcome(said["name"], *row) for row in said["outcomes"]]
    return found


def table(found: Iterable[Outcome]) -> str:
    """Modes down, outcomes across; then why programs were refused, most often first."""
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


# -- The command -------------------------------------------------------------------------------------------------------


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    prepare = commands.add_parser("prepare", help="generate and compile programs, and compute what is right")
    prepare.add_argument("--seeds", type=_range, required=True, help="A:B, without B")
    prepare.add_argument("--compiler", choices=list(COMPILERS), default="clang")
    prepare.add_argument("--batch", type=int, default=BATCH)
    prepare.add_argument("--out", type=Path, required=True)
    judging = commands.add_parser("judge", help="differentiate prepared programs, and compare")
    judging.add_argument("files", nargs="+", type=Path)
    judging.add_argument("--jobs", type=int, default=1)
    way = judging.add_mutually_exclusive_group()
    way.add_argument("--as-it-is", action="store_true", help="without optimising before differentiating")
    way.add_argument("--by-turns", action="store_true", help="each program at one level")
    judging.add_argument("--limit", type=float, default=float("inf"), help="seconds")
    judging.add_argument("--out", type=Path, required=True, help="a report, to which is added what it doesn't have")
    reporting = commands.add_parser("report", help="the table of some reports")
    reporting.add_argument("files", nargs="+", type=Path)
    show = commands.add_parser("show", help="print a program")
    show.add_argument("seed", type=int)
    options = parser.parse_args(arguments)
    if options.command == "show":
        print(source_of([program(options.seed)]))
        return 0
    if options.command == "prepare":
        with tempfile.TemporaryDirectory(prefix="gradir-fuzz-") as root:
            (folder := Path(root) / "work").mkdir()
            save(_prepare(options.seeds, options.compiler, options.batch, folder), options.out)
        return 0
    os.environ["GRADIR_CACHE"] = "off"
    if options.command == "judge":
        chosen = {options.as_it_is: settings_as_it_is, options.by_turns: settings_by_turns}
        settings = chosen.get(True, settings_of)
        found = _judge(options.files, settings, options.jobs, options.limit, options.out)
    else:
        found = [o for file in options.files for o in _read(file)]
    print(table(found))
    return int(any(o.kind in BAD for o in found))


def _range(text: str) -> range:
    first, _, last = text.partition(":")
    return range(int(first), int(last or int(first) + 1))


if __name__ == "__main__":
    sys.exit(main())
