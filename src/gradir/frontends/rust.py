"""Rust, by rustc. Functions to be called are `#[no_mangle] pub extern "C"`."""

from __future__ import annotations

import os
from pathlib import Path

from gradir.errors import BackendError
from gradir.frontends import DEFAULT, CompilerOptions
from gradir.frontends.compiler import compile_to_bitcode, find
from gradir.machine import llvm

__all__ = ["rustc", "to_llvm"]

# Level 2 brings the standard library's small functions along as IR, but LLVM's passes stay out: what is differentiated
# is chosen by gradir. A panic ends the process, so no call has a second way out.
_FLAGS = (
    "--emit=llvm-bc",
    "--crate-type=lib",
    "-g",
    "-Copt-level=2",
    "-Cno-prepopulate-passes",
    "-Cpanic=abort",
    "-Ccodegen-units=1",
)


def to_llvm(source: Path, options: CompilerOptions = DEFAULT) -> llvm.Module:
    """Compile a Rust file, a crate of its own."""
    wanted = options.compiler if "rustc" in (options.compiler or "") else None
    return compile_to_bitcode([rustc(wanted), *_FLAGS, *options.flags, str(source), "-o"], source)


def rustc(wanted: str | None = None) -> str:
    """The path of a rustc: the one asked for, the one that GRADIR_RUSTC names, or the one on PATH."""
    wanted = wanted or os.environ.get("GRADIR_RUSTC") or "rustc"
    found = find([wanted])
    if found is None:
        raise BackendError(
            f"there is no compiler '{wanted}'",
            hint="install Rust (https://rustup.rs) with an LLVM of at most 22, or name its rustc by GRADIR_RUSTC",
        )
    return found
