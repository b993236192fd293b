"""LLVM IR itself, as text (`.ll`) or bitcode (`.bc`)."""

from __future__ import annotations

from pathlib import Path

from gradir.errors import InputError
from gradir.frontends import DEFAULT, CompilerOptions
from gradir.machine import llvm

__all__ = ["to_llvm"]


def to_llvm(source: Path, options: CompilerOptions = DEFAULT) -> llvm.Module:
    """Read a module. It may come from anywhere, so it is not trusted to be well-formed."""
    del options  # flags are for the sources beside it
    try:
        content = source.read_bytes()
    except OSError as error:
        raise InputError(f"can't read it: {error.strerror or error}", location=str(source)) from None
    return llvm.parse(content, str(source), untrusted=True)
