"""Generated programs as LLVM IR, at the levels that compilers have."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from fuzz.oracle import HERE, GeneratorError, clang, header
from fuzz.tree import Program

__all__ = ["COMPILERS", "LEVELS", "compiled", "source_of"]

LEVELS = {
    "O0": ("-O0",),
    "O1": ("-O1",),
    "O2": ("-O2",),
    "O3": ("-O3", "-march=native"),
    # As gradir's own front end asks for it, and with nothing said of types.
    "front": ("-O1", "-Xclang", "-disable-llvm-passes", "-g", "-fno-discard-value-names"),
    "untyped": ("-O2", "-fno-strict-aliasing", "-Xclang", "-disable-llvm-passes"),
}
COMPILERS = {
    "clang": {"c": (*clang("c"), "-std=c17"), "cpp": (*clang("cpp"), "-std=c++20")},
    "zig": {
        "c": (sys.executable, "-m", "ziglang", "cc", "-std=c17", "-fno-sanitize=all"),
        "cpp": (sys.executable, "-m", "ziglang", "c++", "-std=c++20", "-fno-sanitize=all"),
    },
}
_FLAGS = ("-emit-llvm", "-fno-math-errno", "-fno-stack-protector", f"-I{HERE}", "-w")


def source_of(programs: Sequence[Program]) -> str:
    return '#include "scalar.h"\n' + "\n".join(p.text() for p in programs)


def compiled(programs: Sequence[Program], language: str, level: str, compiler: str, folder: Path) -> Path:
    """Bitcode of programs of one language."""
    source = folder / f"{level}.{language}"
    source.write_text(source_of(programs))
    output = source.with_suffix(f".{language}.bc")
    flags = [*_FLAGS, *LEVELS[level]]
    if language == "cpp" and compiler == "clang":
        flags += ["-include-pch", str(header((*COMPILERS[compiler][language], *flags), folder.parent))]
    command = [*COMPILERS[compiler][language], *flags, "-c", str(source), "-o", str(output)]
    caches = {name: str(folder.parent / "zig") for name in ("ZIG_LOCAL_CACHE_DIR", "ZIG_GLOBAL_CACHE_DIR")}
    made = subprocess.run(command, capture_output=True, text=True, check=False, env={**os.environ, **caches})
    if made.returncode:
        raise GeneratorError(made.stderr)
    return output
