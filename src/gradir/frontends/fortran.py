"""Fortran, by flang."""

from __future__ import annotations

import atexit
import hashlib
import os
import tempfile
from functools import cache
from pathlib import Path

from gradir.errors import BackendError
from gradir.frontends import DEFAULT, CompilerOptions
from gradir.frontends.compiler import compile_to_llvm, find, kept_library
from gradir.frontends.derived_types import asks_runtime, written_out
from gradir.machine import llvm

__all__ = ["flang", "runtime_library", "to_llvm"]

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
    modules = ("-module-dir", _module_folder(), "-I", _module_folder())
    language = ("-x", "f95") if source in options.languages else ()
    command = [flang(wanted), *_FLAGS, *modules, *options.flags, *language, str(source), "-o"]
    module = compile_to_llvm(command, source, text=True)
    return llvm.parse(written_out(str(module)), str(source)) if asks_runtime(module) else module


@cache
def _module_folder() -> str:
    """Where the files lie that flang writes of modules: for the sources that use them, until the process ends."""
    folder = tempfile.TemporaryDirectory(prefix="gradir-fortran-")
    atexit.register(folder.cleanup)
    return folder.name


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


# -- What compiled code needs at run time ------------------------------------------------------------------------------

_ARCHIVES = (("libFortranRuntime.a", "libFortranDecimal.a"), ("libflang_rt.runtime.a",))


def runtime_library(folder: Path | None) -> str | None:
    """flang's runtime as a shared library, since it comes as an archive: made once and kept in a folder.

    None where there is none, or nothing to link with; what the code lacks is then named when it is loaded.
    """
    root = Path(flang()).resolve().parent.parent / "lib"
    archives = next((found for names in _ARCHIVES if (found := _archives(root, names))), None)
    if archives is None:
        return None
    stamp = hashlib.sha256(repr([(str(a), a.stat().st_mtime_ns) for a in archives]).encode()).hexdigest()[:16]
    whole = ["-Wl,--whole-archive", *map(str, archives), "-Wl,--no-whole-archive"]
    return kept_library(folder, f"flang-{stamp}", lambda _: whole)


def _archives(root: Path, names: tuple[str, ...]) -> list[Path] | None:
    found = [next(iter(sorted(root.rglob(name))), None) for name in names]
    return [path for path in found if path is not None] if None not in found else None
