"""The second fuzzer: LLVM IR with changes that the verifier accepts, differentiated forward and in reverse.

    python tests/machine/fuzz/mutate.py --seeds 0:200

What comes out must be right or refused. What is right, differences of the changed function tell where it is smooth, and
forward and reverse mode tell of each other everywhere. Where the changed function itself crashes, hangs or gives no
finite number, nothing is judged; if a value looks wrong, valgrind is asked whether the function has a meaning at all.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
import traceback
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

if __package__ in (None, ""):
    sys.path.insert(0, str(Path(__file__).parent.parent))

import numpy as np
from corpus import PROGRAMS
from differential import Bench, Function, central_difference, function_of

from fuzz.compile import compiled
from fuzz.differentiate import ENVIRONMENT, is_invalid
from fuzz.generate import LENGTH, program
from fuzz.mutations import mutated
from fuzz.oracle import case_of, clang
from gradir.errors import GradirError
from gradir.machine import jit, llvm

__all__ = ["Base", "judge", "mutant"]

TIMEOUT = 60.0
BAD = ("wrong", "crash", "hang", "traceback")


@dataclass(frozen=True)
class Base:
    """IR to be changed, and how its function is called."""

    name: str
    text: str
    function: Function
    values: tuple[Any, ...]


# -- What is changed -----------------------------------------------------------------------------------------------


def _generated(seed: int, level: str, folder: Path) -> Base:
    made = program(seed)
    module = compiled([made], made.language, level, "clang", folder)
    case = case_of(seed)
    memory = [case.input[:LENGTH], case.input[LENGTH : 2 * LENGTH]]
    arguments = (*(m.copy() for m in memory), case.k, case.n, float(case.input[-1]))
    function, values = function_of(made.name, "double", arguments)
    return Base(f"{made.name}-{level}", _text(module), function, tuple(values))


def _text(module: Path) -> str:
    return str(llvm.parse(module.read_bytes()))


def _from_corpus(index: int, level: str, folder: Path) -> Base:
    chosen = [p for p in PROGRAMS if p.source.endswith((".c", ".cpp"))][index]
    output = folder / "corpus.bc"
    driver = clang("c" if chosen.source.endswith(".c") else "cpp")
    subprocess.run(
        [*driver, f"-{level}", "-w", "-fno-math-errno", "-c", "-emit-llvm", str(chosen.path), "-o", str(output)],
        check=True,
    )
    function, values = function_of(chosen.name, chosen.returns, chosen.arguments(np.random.default_rng(index)))
    return Base(f"{chosen.name}-{level}", _text(output), function, tuple(values))


@cache
def _written() -> list[Path]:
    return sorted((Path(__file__).parent / "ir").glob("*.ll"))


def _by_hand(path: Path) -> Base:
    """A file with a function `f` of the generated programs' signature."""
    case = case_of(1)
    arguments = (
        case.input[:LENGTH].copy(),
        case.input[LENGTH : 2 * LENGTH].copy(),
        case.k,
        case.n,
        float(case.input[-1]),
    )
    function, values = function_of("f", "double", arguments)
    return Base(path.stem, path.read_text(), function, tuple(values))


def base_of(seed: int, folder: Path) -> Base:
    """What a seed changes. Neighbours change the same, so that it is compiled once."""
    rng = random.Random(seed // 8)
    kind = rng.random()
    if kind < 0.2 and _written():
        return _by_hand(rng.choice(_written()))
    level = rng.choice(["O0", "O1", "O2", "O3"])
    if kind < 0.55:
        count = sum(p.source.endswith((".c", ".cpp")) for p in PROGRAMS)
        return _from_corpus(rng.randrange(count), level, folder)
    while program(seed_of_program := rng.randrange(100_000)).language != "c":
        pass
    return _generated(seed_of_program, level, folder)


def is_valid(text: str) -> bool:
    """Whether LLVM reads and verifies it."""
    try:
        llvm.parse(text)
    except GradirError:
        return False
    return True


def mutant(seed: int, folder: Path) -> tuple[Base, list[str]]:
    """The base of a seed with its changes, and what they are."""
    base = _cached_base(seed // 8, folder)
    text, names = mutated(base.text, seed, is_valid)
    return Base(base.name, text, base.function, base.values), names


@cache
def _cached_base(group: int, folder: Path) -> Base:
    return base_of(group * 8, folder)


# -- What is judged ------------------------------------------------------------------------------------------------


def judge(base: Base, seed: int, stage: Callable[[str], None]) -> tuple[str, str]:
    """The outcome for one module, and why. `stage` is told what begins, since the process may end there."""
    function, values = base.function, list(base.values)
    stage("primal")
    try:
        reference = _primal(base)
    except GradirError as error:
        return "unjudged", f"the function itself: {error}"
    value = reference(values)
    if not np.isfinite(value).all() or np.abs(value).max(initial=0) > 1e8:
        return "unjudged", "the function gives no finite number"
    stage("derivative")
    try:
        bench = Bench(llvm.parse(base.text), function, optimise=seed % 4 != 3)
        forward, reverse = bench.forward(function), bench.reverse(function)
        bench.build(level=2)
    except GradirError as error:
        return "traceback" if is_invalid(error) else "refused", f"{type(error).__name__}: {error}"
    except Exception:
        return "traceback", traceback.format_exc()
    stage("call")
    rng = np.random.default_rng(seed)
    v, s = rng.normal(size=len(function.input(values))), rng.normal(size=len(value))
    after, tangent = bench.jvp(forward, values, [v])
    again, gradient = bench.vjp(reverse, values, [s])
    for found, mode in ((after, "forward"), (again, "reverse")):
        if not np.allclose(found, value, rtol=1e-6, atol=1e-6):
            return "wrong", f"{mode} mode gives the value {found} and not {value}"
    stage("differences")
    kind, why = _compared(lambda h: reference(function.moved(values, h * v)), value, tangent, gradient, v, s)
    if kind == "wrong":
        # Where a function has converged and goes on, rounding decides what its derivative is.
        near = bench.jvp(forward, function.moved(values, 1e-10 * v), [v])[1]
        if not np.allclose(near, tangent, rtol=1e-6, atol=1e-6):
            return "unjudged", f"ill-conditioned: {why}"
    return kind, why


def _primal(base: Base) -> Callable[[Sequence[Any]], np.ndarray]:
    """The function as it stands, without any optimisation."""
    bench = object.__new__(Bench)
    function = base.function
    text = str(llvm.prepare(llvm.parse(base.text), [function.name]))
    entry = jit.Entry(function.name, tuple(map(str, function.parameters)), str(function.result))
    bench._library = jit.compile_library(text, [entry], level=0)
    return lambda values: bench.run(function, values)


def _compared(
    f: Callable[[float], np.ndarray],
    value: np.ndarray,
    tangent: np.ndarray,
    gradient: np.ndarray,
    v: np.ndarray,
    s: np.ndarray,
) -> tuple[str, str]:
    coarse, fine = central_difference(f, 1e-3), central_difference(f, 1e-4)
    scale = 1 + max(np.abs(fine).max(initial=0), np.abs(value).max(initial=0))
    is_smooth = np.isfinite(fine).all() and np.abs(coarse - fine).max(initial=0) < 1e-6 * scale
    if not is_smooth and not (np.isfinite(tangent).all() and np.isfinite(gradient).all()):
        return "unjudged", "not smooth, and no finite derivative"
    if is_smooth:
        error = np.abs(tangent - fine).max(initial=0) if np.isfinite(tangent).all() else np.inf
        if not error < 1e-4 * scale:
            at = int(np.nanargmax(np.abs(tangent - fine)))
            return "wrong", f"tangent[{at}] is {tangent[at]} but differences say {fine[at]}"
    # Single precision has about seven digits, and some programs compute in it.
    size = 1 + np.linalg.norm(gradient) * np.linalg.norm(v) + np.linalg.norm(s) * np.linalg.norm(tangent)
    if not abs(gradient @ v - s @ tangent) < 1e-5 * size:
        return "wrong", f"reverse mode says {gradient @ v} and forward mode {s @ tangent}" + (
            "" if is_smooth else ", not smooth"
        )
    return "right", "" if is_smooth else "both modes agree, not smooth"


# -- Whether a function has a meaning ------------------------------------------------------------------------------

_MAIN = """
#include <stdio.h>
{arrays}
extern {result} {name}({types});
int main(void)
{{
    {call};
    {prints}
    return 0;
}}
"""


def is_defined(base: Base, folder: Path) -> bool:
    """Whether valgrind finds nothing to say about a run of it: no access out of bounds, no value that nobody set."""
    types = {"ptr": "void *", "double": "double", "float": "float", "i32": "int", "i64": "long"}
    arrays, arguments, prints = [], [], []
    for i, (type, v) in enumerate(zip(base.function.parameters, base.values, strict=True)):
        if type.is_pointer:
            kinds = {
                "f8": "double",
                "f4": "float",
                "i4": "int",
                "i8": "long",
                "i1": "signed char",
                "u1": "unsigned char",
            }
            kind = kinds[v.dtype.str[1:]]
            numbers = ", ".join(map(repr, v.ravel().tolist()))
            arrays.append(f"static {kind} a{i}[] = {{{numbers}}};")
            arguments.append(f"a{i}")
            prints.append(f'for (int i = 0; i < {v.size}; i++) if (a{i}[i] == 77) puts("");')
        else:
            arguments.append(repr(v.item() if hasattr(v, "item") else v))
    result = types.get(str(base.function.result), "void")
    call = f"{'' if result == 'void' else f'{result} r = '}{base.function.name}({', '.join(arguments)})"
    if result != "void":
        prints.append('if (r == 77) puts("");')
    main = _MAIN.format(
        arrays="\n".join(arrays), result=result, name=base.function.name, call=call, prints="\n    ".join(prints),
        types=", ".join(types[str(p)] for p in base.function.parameters),
    )  # fmt: skip
    (folder / "main.c").write_text(main)
    return not any(_complaint(base.text, checker, folder) for checker in (_by_valgrind, _by_address_sanitizer))


def _complaint(text: str, checker: Callable[[str, Path], list[str] | None], folder: Path) -> bool:
    command = checker(text, folder)
    if command is None:
        return False
    environment = {**os.environ, "ASAN_OPTIONS": "detect_leaks=0"}
    try:
        return subprocess.run(command, capture_output=True, check=False, timeout=60, env=environment).returncode != 0
    except subprocess.TimeoutExpired:
        return True


def _by_valgrind(text: str, folder: Path) -> list[str] | None:
    """It knows of memory on the heap, and of what nobody set."""
    (folder / "mutant.o").write_bytes(llvm.emit_object(llvm.parse(text), level=0))
    binary = _linked((), ("clang++-19",), folder)
    return None if binary is None else ["valgrind", "-q", "--error-exitcode=99", binary]


# What an older clang doesn't know, and what has a sanitizer look at a function.
_NEWER = re.compile(
    r" nocreateundeforpoison| captures\([^)]*\)| range\(i\d+ [^)]*\)"
    r"|\b(?:samesign|nusw|nneg|disjoint) |(?<=getelementptr )nuw "
)
_DEFINITION = re.compile(
    r"^(define .*?\)(?: (?:local_)?unnamed_addr)?)(?= (?:#|\{|!|comdat|align|personality))", re.MULTILINE
)


def _by_address_sanitizer(text: str, folder: Path) -> list[str] | None:
    """It knows of arrays on the stack and of globals. gcc comes with its runtime."""
    (folder / "mutant.ll").write_text(_DEFINITION.sub(r"\1 sanitize_address", _NEWER.sub("", text)))
    flags = ("-w", "-O0", "-fsanitize=address")
    command = ["clang-19", *flags, "-c", "-x", "ir", str(folder / "mutant.ll"), "-o", str(folder / "mutant.o")]
    if subprocess.run(command, capture_output=True, check=False).returncode:
        return None
    binary = _linked(("-fsanitize=address",), ("g++", "-fsanitize=address"), folder)
    return None if binary is None else [binary]


def _linked(flags: Sequence[str], linker: Sequence[str], folder: Path) -> str | None:
    main, binary = folder / "main.o", folder / "mutant"
    commands = (
        ["clang-19", "-w", "-O0", *flags, "-c", str(folder / "main.c"), "-o", str(main)],
        [*linker, str(folder / "mutant.o"), str(main), "-lm", "-o", str(binary)],
    )
    made = all(subprocess.run(c, capture_output=True, check=False).returncode == 0 for c in commands)
    return str(binary) if made else None


# -- The worker, and who starts it ------------------------------------------------------------------------------------


def work(first: int, last: int, folder: Path) -> None:
    """Judge some seeds, and print a line for each stage and each outcome."""
    for seed in range(first, last):
        print(json.dumps({"seed": seed, "stage": "mutate"}), flush=True)
        base, names = mutant(seed, folder)
        if not names:
            kind, why = "unjudged", "no change was accepted"
        else:
            kind, why = judge(base, seed, lambda s, n=seed: print(json.dumps({"seed": n, "stage": s}), flush=True))
        said = {"seed": seed, "outcome": kind, "why": why, "names": names, "base": base.name}
        print(json.dumps(said), flush=True)


def outcomes(seeds: range, folder: Path, timeout: float = TIMEOUT) -> Iterator[dict[str, Any]]:
    """What becomes of each seed: {"seed", "outcome", "why", "names", "base"}."""
    work = folder / "work"
    work.mkdir(exist_ok=True)
    for said in _told(seeds, folder, timeout):
        if said["outcome"] in BAD:
            base, names = mutant(said["seed"], work)
            said = {**said, "base": base.name, "names": names}
            if said["outcome"] in ("wrong", "crash") and not is_defined(base, work):
                said["outcome"] = "undefined"
        yield said


def _told(seeds: range, folder: Path, timeout: float) -> Iterator[dict[str, Any]]:
    """What workers tell. One that ends or hangs is started again after where it was."""
    at = seeds.start
    while at < seeds.stop:
        command = [sys.executable, __file__, "--work", f"{at}:{seeds.stop}", "--out", str(folder)]
        process = subprocess.Popen(
            command,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            start_new_session=True,
            env=ENVIRONMENT,
        )
        stage = {"seed": at, "stage": "start"}
        assert process.stdout is not None
        with _deadline(process, timeout) as deadline:
            for line in process.stdout:
                deadline.postpone()
                said = json.loads(line) if line.endswith("}\n") else {}
                if "outcome" in said:
                    at = said["seed"] + 1
                    yield said
                elif "stage" in said:
                    stage = said
            process.wait()
        if at < seeds.stop:
            at = stage["seed"] + 1
            kind = "hang" if deadline.expired else "crash"
            if stage["stage"] in ("primal", "differences"):
                kind = "unjudged"
            why = f"while: {stage['stage']}, {process.returncode}"
            yield {"seed": stage["seed"], "outcome": kind, "why": why, "names": [], "base": "?"}


class _deadline:
    """Kills a process that says nothing for some time."""

    def __init__(self, process: subprocess.Popen[str], seconds: float) -> None:
        self.process, self.seconds, self.expired = process, seconds, False
        self.last = time.time()
        self.done = threading.Event()
        self.thread = threading.Thread(target=self._watch, daemon=True)

    def postpone(self) -> None:
        self.last = time.time()

    def _watch(self) -> None:
        while not self.done.wait(1):
            if time.time() - self.last > self.seconds:
                self.expired = True
                os.killpg(self.process.pid, signal.SIGKILL)
                return

    def __enter__(self) -> _deadline:
        self.thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.done.set()


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seeds", default="0:50")
    parser.add_argument("--work", help=argparse.SUPPRESS)
    parser.add_argument("--show", type=int, help="print the module of a seed")
    parser.add_argument("--out", type=Path, default=Path(tempfile.gettempdir()) / "gradir-mutants")
    options = parser.parse_args()
    options.out.mkdir(parents=True, exist_ok=True)
    folder = options.out / "work"
    folder.mkdir(exist_ok=True)
    if options.work:
        work(*map(int, options.work.split(":")), folder)
        return 0
    if options.show is not None:
        base, names = mutant(options.show, folder)
        print(f"; {base.name}: {', '.join(names)}\n{base.text}")
        return 0
    seeds = range(*map(int, options.seeds.split(":")))
    started, counts, reasons = time.time(), Counter[str](), Counter[str]()
    for said in outcomes(seeds, options.out):
        kind = said["outcome"]
        counts[kind] += 1
        if kind == "refused":
            reasons[said["why"].splitlines()[0][-150:]] += 1
        if kind in BAD:
            what = f"{said['seed']} [{said['base']}: {', '.join(said['names'])}] {kind}"
            text = mutant(said["seed"], folder)[0].text
            (options.out / f"{said['seed']}.ll").write_text(f"; {what}\n; {said['why'][:300]!r}\n{text}")
            print(f"{what}: {said['why'].strip().splitlines()[-1][:200]}", flush=True)
    print(", ".join(f"{count} {kind}" for kind, count in counts.most_common()))
    print("\n".join(f"{count:5} refused: {why}" for why, count in reasons.most_common(15)))
    print(f"{len(seeds) / (time.time() - started):.2f} a second")
    shutil.rmtree(folder)
    return int(any(counts[kind] for kind in BAD))


if __name__ == "__main__":
    sys.exit(main())
