"""Generated programs as LLVM IR, by a compiler."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from fuzz.oracle import HERE, GeneratorError, clang, header, source_of
from fuzz.tree import Program
from gradir.frontends.libcxx import with_library
from gradir.machine import llvm

__all__ = ["COMPILERS", "unoptimised"]

COMPILERS = {
    "clang": {"c": (*clang("c"), "-std=c17"), "cpp": (*clang("cpp"), "-std=c++20")},
    "zig": {
        "c": (sys.executable, "-m", "ziglang", "cc", "-std=c17", "-fno-sanitize=all"),
        "cpp": (sys.executable, "-m", "ziglang", "c++", "-std=c++20", "-fno-sanitize=all"),
    },
}
_FLAGS = ("-emit-llvm", "-fno-math-errno", "-fno-stack-protector", f"-I{HERE}", "-w")
_CPU = re.compile(r' "(?:target-cpu|target-features|tune-cpu)"="[^"]*"')
_UNOPTIMISED = ("-O3", "-Xclang", "-disable-llvm-passes")


def unoptimised(programs: Sequence[Program], language: str, compiler: str, folder: Path) -> str:
    """The IR of programs of one language, with all that it needs of the standard library, ready to be optimised."""
    source = folder / f"program.{language}"
    source.write_text(source_of(programs))
    output = source.with_suffix(f".{language}.bc")
    driver = COMPILERS[compiler][language]
    flags = [*_FLAGS, *_UNOPTIMISED]
    if language == "cpp" and compiler == "clang":
        flags += ["-include-pch", str(header((*driver, *flags), folder.parent))]
    caches = {name: str(folder.parent / "zig") for name in ("ZIG_LOCAL_CACHE_DIR", "ZIG_GLOBAL_CACHE_DIR")}
    command = [*driver, *flags, "-c", str(source), "-o", str(output)]
    made = subprocess.run(command, capture_output=True, text=True, check=False, env={**os.environ, **caches})
    if made.returncode:
        raise GeneratorError(made.stderr)
    module = llvm.parse(output.read_bytes())
    if language == "cpp" and compiler == "zig":
        module = with_library(module, driver[:4])
    return _CPU.sub("", str(module))
