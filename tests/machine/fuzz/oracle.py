"""What is right: programs compiled for dual numbers of dual numbers, and run.

One run for each input gives the function's outputs, their derivatives along a direction v, by that input, and of the
one by the other.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np

from fuzz.case import INPUTS, OUTPUTS, Case
from fuzz.generate import LENGTH
from fuzz.tree import Program

__all__ = ["Expected", "GeneratorError", "clang", "expected_of", "header", "source_of"]

HERE = Path(__file__).parent


class GeneratorError(Exception):
    """A generated program that doesn't compile or doesn't run: a bug of the generator."""


@dataclass(frozen=True)
class Expected:
    """The outputs, the Jacobian, and the Jacobian of J v; with the decisions that were too close."""

    value: np.ndarray
    jacobian: np.ndarray
    tangent: np.ndarray
    second: np.ndarray
    ties: int

    @property
    def is_judged(self) -> bool:
        parts = (self.value, self.jacobian, self.tangent, self.second)
        return self.ties == 0 and all(np.isfinite(p).all() and np.abs(p).max(initial=0) < 1e8 for p in parts)


_MAIN = """
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <malloc.h>
extern "C" void *__libc_malloc(size_t);
extern "C" void *malloc(size_t n)
{{
    void *p = __libc_malloc(n);
    return p ? memset(p, 0xff, malloc_usable_size(p)) : p;
}}
extern "C" void *realloc(void *p, size_t n)
{{
    void *q = malloc(n);
    if (p && q) {{
        size_t old = malloc_usable_size(p);
        memcpy(q, p, old < n ? old : n);
        free(p);
    }}
    return q;
}}
typedef T Function(T *, T *, const int *, int, T);
static void run(FILE *file, Function *f, const double *in, const double *v, const int *k, int n)
{{
    for (int i = 0; i < {inputs}; i++) {{
        T z[{inputs}];
        for (int j = 0; j < {inputs}; j++)
            z[j] = T(Dual<double>(in[j], v[j]), Dual<double>(i == j, 0));
        ties = 0;
        z[{inputs} - 1] = f(z, z + {length}, k, n, z[{inputs} - 1]);
        double count = (double)ties;
        fwrite(&count, sizeof count, 1, file);
        fwrite(z, sizeof(T), {inputs}, file);
    }}
}}
int main(int argc, char **argv)
{{
    FILE *file = fopen(argv[1], "wb");
    for (int i = 2; i < argc; i++)
        switch (atoi(argv[i])) {{
{cases}
        }}
    return fclose(file);
}}
"""


def oracle_source(programs: Sequence[Program], cases: Sequence[Case]) -> str:
    """A C++ program that writes what `expected_of` reads."""
    calls = []
    for i, (program, case) in enumerate(zip(programs, cases, strict=True)):
        arrays = ", ".join(
            f"(const {type}[]){{{', '.join(map(repr, values.tolist()))}}}"
            for type, values in (("double", case.input), ("double", case.directions[0]), ("int", case.k))
        )
        calls.append(f"        case {i}: run(file, {program.name}, {arrays}, {case.n}); break;")
    main = _MAIN.format(inputs=INPUTS, length=LENGTH, cases="\n".join(calls))
    return source_of(programs) + main


def source_of(programs: Sequence[Program]) -> str:
    """The programs in one file, such that a compiler's complaints name them."""
    return '#include "scalar.h"\n' + "\n".join(f'#line 1 "{p.name}"\n{p.text()}' for p in programs)


def clang(language: str) -> tuple[str, ...]:
    """The command of a clang: one that is there, else zig's."""
    name = {"c": "clang", "cpp": "clang++"}[language]
    found = next((f for n in (f"{name}-19", name) if (f := shutil.which(n))), None)
    return (found,) if found else (sys.executable, "-m", "ziglang", "c++" if language == "cpp" else "cc")


@cache
def header(command: tuple[str, ...], folder: Path) -> Path:
    """The headers of generated programs, compiled once for some flags."""
    content = str(HERE).encode() + b"".join((HERE / name).read_bytes() for name in ("scalar.h", "dual.hpp"))
    compiled = folder / f"scalar-{hashlib.sha256(content + repr(command).encode()).hexdigest()[:16]}.pch"
    if not compiled.is_file():
        fresh = compiled.with_suffix(f".{os.getpid()}")
        command = (
            *(f for f in command if f != "-emit-llvm"),
            "-Xclang",
            "-fno-pch-timestamp",
            "-x",
            "c++-header",
            str(HERE / "scalar.h"),
            "-o",
            str(fresh),
        )
        subprocess.run(command, check=True, capture_output=True)
        fresh.replace(compiled)
    return compiled


# What nobody set is not a number, on the stack and (by `malloc` above) on the heap: such a program is not judged.
COMPILER = (*clang("cpp"), "-std=c++20", "-O0", "-DORACLE", "-ftrivial-auto-var-init=pattern", f"-I{HERE}", "-w")


def expected_of(programs: Sequence[Program], cases: Sequence[Case], folder: Path) -> list[Expected]:
    """Compile and run the oracle of some programs."""
    source, binary, output = folder / "oracle.cpp", folder / "oracle", folder / "oracle.bin"
    source.write_text(oracle_source(programs, cases))
    command = [*COMPILER, "-include-pch", str(header(COMPILER, folder.parent)), str(source), "-o", str(binary)]
    made = subprocess.run(command, capture_output=True, text=True, check=False)
    if made.returncode:
        raise GeneratorError(made.stderr)
    try:
        command = [str(binary), str(output), *map(str, range(len(programs)))]
        ran = subprocess.run(command, timeout=60, check=False)
    except subprocess.TimeoutExpired:
        raise GeneratorError("a program doesn't end") from None
    if ran.returncode:
        raise GeneratorError(f"a program ended by {ran.returncode}")
    numbers = np.fromfile(output).reshape(len(programs), INPUTS, 1 + 4 * INPUTS)
    found = []
    for rows in numbers:
        outputs = rows[:, 1:].reshape(INPUTS, OUTPUTS, 4)
        found.append(
            Expected(
                outputs[0, :, 0],
                outputs[:, :, 2].T.copy(),
                outputs[0, :, 1],
                outputs[:, :, 3].T.copy(),
                int(rows[:, 0].sum()),
            )
        )
    return found
