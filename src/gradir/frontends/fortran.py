"""Fortran, by flang."""

from __future__ import annotations

import os
import re
from pathlib import Path

from gradir.errors import BackendError
from gradir.frontends import DEFAULT, CompilerOptions
from gradir.frontends.compiler import compile_to_llvm, find
from gradir.machine import llvm
from gradir.machine.layout import layout

__all__ = ["flang", "to_llvm"]

_VERSIONS = range(22, 16, -1)
_FLANGS = ("flang-new", "flang", *(f"flang-{v}" for v in _VERSIONS), *(f"flang-new-{v}" for v in _VERSIONS))

# flang has no way to leave out LLVM's passes: what would make vectors and unroll loops is held back by limits instead.
_FLAGS = (
    "-S",
    "-emit-llvm",
    "-g",
    "-O1",
    *("-mllvm", "-force-vector-width=1"),
    *("-mllvm", "-force-vector-interleave=1"),
    *("-mllvm", "-unroll-max-count=1"),
    *("-mllvm", "-unroll-full-max-count=0"),
    *("-mllvm", "-unroll-threshold=0"),
)


def to_llvm(source: Path, options: CompilerOptions = DEFAULT) -> llvm.Module:
    """Compile a Fortran file."""
    wanted = options.compiler if "flang" in (options.compiler or "") else None
    return compile_to_llvm([flang(wanted), *_FLAGS, *options.flags, str(source), "-o"], source, _folded)


_PRODUCT = re.compile(
    r"mul (?:nuw )?(?:nsw )?\(i64 ptrtoint \(ptr getelementptr \((\w+), ptr null, i(?:32|64) 1\) to i64\)"
    r", i64 (\d+)\)"
)


def _folded(text: str) -> str:
    """flang's tables of types hold products of sizes as constants, which a newer LLVM doesn't read: multiply them."""
    return _PRODUCT.sub(lambda match: str(layout(match[1]).size * int(match[2])), text)


def flang(wanted: str | None = None) -> str:
    """The path of a flang: the one asked for, the one that GRADIR_FLANG names, or one on PATH."""
    wanted = wanted or os.environ.get("GRADIR_FLANG")
    found = find([wanted] if wanted else _FLANGS)
    if found is None:
        raise BackendError(
            f"there is no compiler '{wanted}'" if wanted else "there is no Fortran compiler",
            hint="install flang of LLVM 17 to 22 (apt install flang-19, conda install flang) or set GRADIR_FLANG",
        )
    return found
