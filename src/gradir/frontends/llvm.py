"""LLVM IR itself, as text (`.ll`) or bitcode (`.bc`)."""

from __future__ import annotations

from pathlib import Path

from gradir.frontends import DEFAULT, CompilerOptions, content_of
from gradir.machine import llvm

__all__ = ["to_llvm"]


def to_llvm(source: Path, options: CompilerOptions = DEFAULT) -> llvm.Module:
    """Read a module. It may come from anywhere, so it is not trusted to be well-formed."""
    del options  # flags are for the sources beside it
    return llvm.parse(content_of(source), str(source), untrusted=True)
