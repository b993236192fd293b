"""What is mutated: IR of generated programs and of the corpus, at the levels that compilers have."""

from __future__ import annotations

import random
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from corpus import PROGRAMS
from differential import Function, function_of

from fuzz.case import case_of
from fuzz.compile import unoptimised
from fuzz.generate import LENGTH, program
from fuzz.levels import LEVELS, Levels
from fuzz.oracle import clang
from gradir.machine import llvm

__all__ = ["Base", "base_of"]


@dataclass(frozen=True)
class Base:
    """IR to be changed, and how its function is called."""

    name: str
    text: str
    function: Function
    values: tuple[Any, ...]


def base_of(seed: int, folder: Path) -> Base:
    """The base of a seed."""
    rng = random.Random(seed)
    level = rng.choice(LEVELS)
    if rng.random() < 0.5:
        return _from_corpus(rng, level, folder)
    while program(chosen := rng.randrange(100_000)).language != "c":
        pass
    return _generated(chosen, level, folder)


def _generated(seed: int, level: str, folder: Path) -> Base:
    made = program(seed)
    text = str(Levels(unoptimised([made], made.language, "clang", folder), [made.name]).at(level))
    case = case_of(seed)
    memory = [case.input[:LENGTH], case.input[LENGTH : 2 * LENGTH]]
    arguments = (*(m.copy() for m in memory), case.k, case.n, float(case.input[-1]))
    function, values = function_of(made.name, "double", arguments)
    return Base(f"{made.name}-{level}", text, function, tuple(values))


def _from_corpus(rng: random.Random, level: str, folder: Path) -> Base:
    chosen = rng.choice([p for p in PROGRAMS if p.source.endswith((".c", ".cpp"))])
    output = folder / "corpus.bc"
    driver = clang("c" if chosen.source.endswith(".c") else "cpp")
    flags = ("-w", "-fno-math-errno", "-c", "-emit-llvm", *_FLAGS[level])
    subprocess.run([*driver, *flags, str(chosen.path), "-o", str(output)], check=True)
    arguments = chosen.arguments(np.random.default_rng(rng.randrange(1000)))
    function, values = function_of(chosen.name, chosen.returns, arguments)
    text = str(llvm.parse(output.read_bytes()))
    return Base(f"{chosen.name}-{level}", text, function, tuple(values))


_FLAGS = {
    "O0": ("-O0",),
    "O1": ("-O1",),
    "O2": ("-O2",),
    "O3": ("-O3",),
    "front": ("-O1", "-Xclang", "-disable-llvm-passes", "-g"),
}
