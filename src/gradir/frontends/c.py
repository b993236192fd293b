"""C and C++: by the clang inside the `ziglang` package, or by a clang that is there."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Sequence
from glob import glob
from importlib.util import find_spec
from pathlib import Path

from gradir.errors import BackendError, MissingExtra
from gradir.frontends import DEFAULT, CompilerOptions
from gradir.frontends.compiler import compile_to_llvm, find
from gradir.frontends.libcxx import with_library
from gradir.frontends.texts import closed
from gradir.machine import llvm
from gradir.machine.enzyme import clang_attributes, include

__all__ = ["clang", "to_llvm", "zig_cpp"]

_CLANGS = ("clang", *(f"clang-{version}" for version in range(22, 14, -1)))

# -O1 lets clang tell all it knows (TBAA, lifetimes), but its passes stay out: what is differentiated is chosen by
# gradir. Errors of libm are not reported in errno, or else each call of sqrt would write memory.
_FLAGS = (
    "-c",
    "-emit-llvm",
    "-g",
    "-O1",
    "-Xclang",
    "-disable-llvm-passes",
    "-fno-math-errno",
    "-fno-discard-value-names",
    "-fno-sanitize=all",
    "-fno-stack-protector",
    *clang_attributes.FLAGS,
)


def to_llvm(source: Path, options: CompilerOptions = DEFAULT) -> llvm.Module:
    """Compile a C or C++ file."""
    driver, flags = clang(options.compiler), list(options.flags)
    is_cpp = options.language_of(source) == "c++"
    is_zig = driver[-1] == "ziglang"
    if is_zig:
        driver.append("c++" if is_cpp else "cc")
        flags = [_zig_flag(flag) for flag in flags]
        if "-fopenmp" in flags:
            flags += _openmp_headers()
    elif is_cpp:
        driver.append("--driver-mode=g++")
    if source in options.languages:  # whatever the suffix says
        flags += ["-x", options.languages[source]]
    flags += ["-idirafter", include()]
    module = clang_attributes.with_attributes(compile_to_llvm([*driver, *_FLAGS, *flags, str(source), "-o"], source))
    if not is_cpp:
        return module
    return closed(with_library(module, driver) if is_zig else module)


def clang(wanted: str | None = None) -> list[str]:
    """The command of a clang: the one asked for, the one that GRADIR_CLANG names, zig's, or one on PATH."""
    wanted = wanted or os.environ.get("GRADIR_CLANG")
    if wanted == "zig" or (not wanted and find_spec("ziglang") is not None):
        if find_spec("ziglang") is None:
            raise MissingExtra("the clang inside ziglang", "c")
        return [sys.executable, "-m", "ziglang"]
    found = find([wanted] if wanted else _CLANGS)
    if found is None and wanted:
        raise BackendError(f"there is no compiler '{wanted}'", hint="name a clang that is on PATH, or 'zig'")
    if found is None:
        raise MissingExtra("a C compiler", "c")
    return [found]


def zig_cpp() -> list[str]:
    """The command of the C++ compiler inside ziglang."""
    return [*clang("zig"), "c++"]


def _openmp_headers() -> list[str]:
    """Where omp.h is, which zig has not: beside the headers of the clang that the runtime came with."""
    found = sorted(glob("/usr/lib/llvm-*/lib/clang/*/include/omp.h"))
    return ["-idirafter", str(Path(found[-1]).parent)] if found else []


def _zig_flag(flag: str) -> str:
    """zig spells CPUs with underscores."""
    name, is_march, cpu = flag.partition("-march=")
    return f"-march={cpu.replace('-', '_')}" if is_march and not name else flag


def version(command: Sequence[str]) -> str:
    """What a clang says of itself, in one line."""
    arguments = ["cc", "--version"] if command[-1] == "ziglang" else ["--version"]
    run = subprocess.run([*command, *arguments], capture_output=True, text=True, check=False)
    return (run.stdout.strip().splitlines() or ["?"])[0]
