"""MLIR's own dialects (`func`, `arith`, `scf`, `memref`, …), lowered to LLVM IR by upstream MLIR.

Upstream MLIR comes with the wheel `torch-mlir`, and is imported when a module needs it: a module of StableHLO doesn't.
"""

from __future__ import annotations

from collections.abc import Mapping
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from gradir.errors import InputError, MissingExtra
from gradir.frontends import DEFAULT, CompilerOptions
from gradir.frontends.mlir.levels import Level, level_of
from gradir.machine import llvm

if TYPE_CHECKING:
    from gradir.machine.jit.signature import Signature

__all__ = ["Level", "asks_for_derivatives", "callable_module", "level_of", "to_llvm"]


def to_llvm(source: Path, options: CompilerOptions = DEFAULT) -> llvm.Module:
    """Lower a file. Its `enzyme` ops are calls of Enzyme's functions then, as in C."""
    del options  # flags are for the sources beside it
    try:
        content = source.read_bytes()
    except OSError as error:
        raise InputError(f"can't read it: {error.strerror or error}", location=str(source)) from None
    return llvm.parse(_lowered(content, str(source)), str(source))


def callable_module(source: str | bytes, name: str) -> tuple[llvm.Module, Mapping[str, Signature]]:
    """Lower a text, with an entry for each function that NumPy's arrays and Python's numbers can be passed to."""
    _need_upstream(name)
    from gradir.frontends.mlir import entries, lowering, substrate

    module = substrate.parse(source, name)
    described = entries.add_entries(module)
    return llvm.parse(lowering.lower(module, name), name), described


def asks_for_derivatives(module: llvm.Module) -> bool:
    """Whether a module that was lowered had `enzyme` ops."""
    return any("__enzyme_" in name for name in llvm.imports(module))


def _lowered(source: str | bytes, name: str) -> str:
    _need_upstream(name)
    from gradir.frontends.mlir import lowering, substrate

    return lowering.lower(substrate.parse(source, name), name)


def _has_upstream() -> bool:
    try:
        return find_spec("torch_mlir") is not None
    except ValueError:  # it was taken out of the process
        return False


def _need_upstream(name: str) -> None:
    if not _has_upstream():
        error = MissingExtra("torch-mlir, which lowers MLIR's own dialects to LLVM IR,", "mlir")
        error.location = name
        raise error
