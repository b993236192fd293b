"""LLVM IR itself, as text (`.ll`) or bitcode (`.bc`)."""

from __future__ import annotations

from pathlib import Path

from gradir.frontends import DEFAULT, CompilerOptions, content_of
from gradir.frontends.derived_types import asks_runtime, written_out
from gradir.frontends.texts import closed_if_plain
from gradir.machine import llvm

__all__ = ["read_llvm", "to_llvm"]


def to_llvm(source: Path, options: CompilerOptions = DEFAULT) -> llvm.Module:
    """Read a module."""
    del options  # flags are for the sources beside it
    return read_llvm(content_of(source), str(source))


def read_llvm(content: str | bytes, name: str = "<module>") -> llvm.Module:
    """The module that text or bitcode holds. It may come from anywhere, so it is not trusted to be well-formed.

    What flang wrote is made what the front end for Fortran makes of it.
    """
    module = llvm.parse(content, name, untrusted=True)
    return llvm.parse(written_out(str(module)), name) if asks_runtime(module) else closed_if_plain(module)
