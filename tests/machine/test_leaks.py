"""Every program's derivatives in a C program of their own, under valgrind: no leak, no access to what isn't theirs, and
nothing undefined in what they decide by, write or give.
"""

from __future__ import annotations

import ctypes
import ctypes.util
import platform
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from corpus import PROGRAMS, Program
from differential import Bench, Derivative, dtype_of
from test_programs import case

from gradir.machine import llvm
from gradir.native.engine import release_function

# valgrind doesn't know AVX-512, nor every form of AVX's moves.
TARGET = llvm.Target("x86_64-unknown-linux-gnu", "x86-64-v2")
VALGRIND = ["valgrind", "--quiet", "--leak-check=full", "--error-exitcode=9"]
VALGRIND += ["--show-leak-kinds=all", "--errors-for-leak-kinds=all"]  # what is kept is given back at the end
# The inner derivative of a derivative frees all memory by C's `free`, which on this platform is what `delete` calls.
VALGRIND += ["--show-mismatched-frees=no"]

LIBRARIES = [ctypes.CDLL(ctypes.util.find_library(name)) for name in ("c", "m", "stdc++", "gcc_s")]

needs_tools = pytest.mark.skipif(
    not (shutil.which("valgrind") and shutil.which("cc") and platform.machine() == "x86_64"),
    reason="needs valgrind and a C compiler (apt install valgrind gcc) on x86-64",
)


@needs_tools
@pytest.mark.parametrize("suffix", [".c", ".cpp", ".f90"])
def test_derivatives_free_what_they_allocate(suffix: str, tmp_path: Path) -> None:
    drivers: dict[str, str] = {}
    missing: set[str] = set()
    objects = []
    for program in PROGRAMS:
        if program.path.suffix == suffix:
            for bench, derivatives in benches(program):
                objects.append(tmp_path / f"{len(objects)}.o")
                objects[-1].write_bytes(compiled(program, bench, derivatives, drivers, missing))
    main = tmp_path / "main.c"
    main.write_text(main_program(drivers, missing))
    run(["cc", "-g", "-O1", str(main), *map(str, objects), "-o", str(tmp_path / "main"), "-lm", "-lstdc++"])
    run([*VALGRIND, str(tmp_path / "main")])


Calls = dict[str, tuple[Derivative, list[Any]]]
"""Derivatives by name, and what to call them with."""


def benches(program: Program) -> list[tuple[Bench, Calls]]:
    c = case(program)
    forward, reverse, vector = (c.derivatives[mode] for mode in ("forward", "reverse", "vector reverse"))
    seeded = c.bench.vjp_operands(reverse, c.values, c.seeds[:1]).values
    direction = np.random.default_rng(3).normal(size=len(reverse.input(seeded)))
    first = {
        "forward": (forward, c.bench.jvp_operands(forward, c.values, c.directions[:1]).values),
        "reverse": (reverse, seeded),
        "vector_reverse": (vector, c.bench.vjp_operands(vector, c.values, c.seeds).values),
    }
    second = {"second_order": (c.second, c.second_bench.jvp_operands(c.second, seeded, [direction]).values)}
    return [(c.bench, first), (c.second_bench, second)]


def compiled(program: Program, bench: Bench, calls: Calls, drivers: dict[str, str], missing: set[str]) -> bytes:
    """An object with the derivatives, functions that C can call them by, and one that gives back what they keep."""
    text = bench.program.text()
    names = [f"{program.name}_{mode}" for mode in calls]
    for name, (derivative, operands) in zip(names, calls.values(), strict=True):
        text += caller(name, derivative)
        drivers[name] = driver(name, derivative, operands)
    release = release_function(text, f"release_{names[0]}")
    if release:
        drivers[names[-1]] += f"\nvoid release_{names[0]}(void);"
        drivers[f"release_{names[0]}"] = ""
    module = llvm.optimise(llvm.parse(text + release), target=TARGET, level=1)
    imports = llvm.imports(module)
    missing.update(name for name in imports if not any(hasattr(library, name) for library in LIBRARIES))
    return llvm.emit_object(module, target=TARGET)


def run(command: Sequence[str]) -> None:
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, f"{' '.join(command[:4])}\n{done.stdout[-1000:]}\n{done.stderr[:8000]}"


def caller(name: str, derivative: Derivative) -> str:
    """A function for C: it takes the operands from slots of eight bytes and leaves the result after them."""
    lines, operands, at = [], [], 0
    for i, type in enumerate(derivative.parameters):
        lines += [
            f"  %at.{i} = getelementptr i8, ptr %frame, i64 {at}",
            f"  %p.{i} = load {type}, ptr %at.{i}, align 8",
        ]
        operands.append(f"{type} %p.{i}")
        at += slot_size(type.size)
    call = f"call {derivative.result} @{derivative.name}({', '.join(operands)})"
    if derivative.result.kind == "void":
        lines.append(f"  {call}")
    else:
        lines += [f"  %result = {call}", f"  %place = getelementptr i8, ptr %frame, i64 {at}"]
        lines.append(f"  store {derivative.result} %result, ptr %place, align 8")
    body = "\n".join(lines)
    return f"define void @{name}(ptr %frame) {{\n{body}\n  ret void\n}}\n"


def slot_size(size: int) -> int:
    return -(-size // 8) * 8


def driver(name: str, derivative: Derivative, operands: Sequence[Any]) -> str:
    """A C function that makes the operands, each array in memory of its own, and calls twice.

    The second call finds what the first has kept.
    """
    lines, data, at = [], [], 0
    for i, (type, value) in enumerate(zip(derivative.parameters, operands, strict=True)):
        content = np.asarray(value) if type.is_pointer else np.asarray(value, dtype_of(type))
        data.append(f"static const unsigned char {name}_{i}[] = {{{', '.join(map(str, content.tobytes()))}}};")
        call = "place" if type.is_pointer else "memcpy"
        lines.append(f"        {call}(frame + {at}, {name}_{i}, sizeof {name}_{i});")
        at += slot_size(type.size)
    size = at + slot_size(derivative.result.size)
    places = [at for at, type in slots(derivative) if type.is_pointer]
    sizes = [np.asarray(v).nbytes for t, v in zip(derivative.parameters, operands, strict=True) if t.is_pointer]
    lines += ["        " + f"{name}(frame);", f"        must_be_defined(frame, {max(size, 8)});"]
    lines += [
        f"        must_be_defined(*(void **)(frame + {at}), {size});" for at, size in zip(places, sizes, strict=True)
    ]
    lines += [f"        free(*(void **)(frame + {at}));" for at in places]
    head = [f"void {name}(void *);", *data, f"static void run_{name}(void)", "{"]
    loop = ["    for (int round = 0; round < 2; round++) {", f"        char *frame = calloc(1, {max(size, 8)});"]
    return "\n".join([*head, *loop, *lines, "        free(frame);", "    }", "}"])


def slots(derivative: Derivative) -> list[tuple[int, Any]]:
    found, at = [], 0
    for type in derivative.parameters:
        found.append((at, type))
        at += slot_size(type.size)
    return found


def main_program(drivers: dict[str, str], missing: set[str]) -> str:
    """Calls them all. What is missing is of another C++ library than the linker's: throwing, on paths not taken."""
    calls = "\n".join(f"    {'' if name.startswith('release_') else 'run_'}{name}();" for name in drivers)
    stubs = "\n".join(f'__asm__(".globl {name}\\n{name}: ud2");' for name in sorted(missing))
    return f"""#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* valgrind looks at what the system is given. */
static void must_be_defined(const void *memory, size_t size)
{{
    static int nowhere = -1;
    if (nowhere < 0) nowhere = open("/dev/null", O_WRONLY);
    if (write(nowhere, memory, size) < 0) abort();
}}

static void place(void *at, const void *data, size_t size)
{{
    void *memory = malloc(size);
    memcpy(memory, data, size);
    memcpy(at, &memory, sizeof memory);
}}

{stubs}

{chr(10).join(drivers.values())}

int main(void)
{{
{calls}
    return 0;
}}
"""
