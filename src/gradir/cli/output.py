"""What a command writes: a form for each suffix, all of it or nothing."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gradir.cli.terminal import UsageError, progress
from gradir.errors import nearest

if TYPE_CHECKING:
    from gradir.module import Module

__all__ = ["llvm_form", "mlir_form", "write_content", "write_llvm", "write_module"]

MLIR_FORMS = {
    ".mlir": "text",
    ".mlirbc": "bytecode",
    ".mlirpa": "portable",
    ".stablehlo": "portable",
    ".vmfb": "vmfb",
}
LLVM_FORMS = {".ll": "text", ".bc": "bitcode", ".o": "object", ".s": "assembly"}
_FOR_A_TERMINAL = ("text", "assembly")


def mlir_form(arguments: argparse.Namespace) -> str:
    """The form in which a StableHLO program is to be written, known before the work begins."""
    return _form(arguments, MLIR_FORMS, "MLIR", "portable" if arguments.version else "text")


def llvm_form(arguments: argparse.Namespace) -> str:
    """The form in which LLVM IR is to be written."""
    form = _form(arguments, LLVM_FORMS, "LLVM IR", "text")
    if arguments.llvm_version is not None and form != "text":
        raise UsageError(f"--emit-llvm writes text, not {form}", word="--emit-llvm", hint="name a .ll file with -o")
    return form


def _form(arguments: argparse.Namespace, forms: dict[str, str], what: str, otherwise: str) -> str:
    suffix = Path(arguments.output).suffix
    known = [*forms, *dict.fromkeys(forms.values())]
    if arguments.emit and arguments.emit not in forms.values():
        hint = f"it is written as {', '.join(dict.fromkeys(forms.values()))}"
        raise UsageError(f"{what} is not written as {arguments.emit}", word=arguments.emit, hint=hint)
    if not arguments.emit and suffix and suffix not in forms and not arguments.version:
        near = nearest(suffix, forms, f"use one of {', '.join(forms)}, or say --emit")
        raise UsageError(f"{what} has no form for the suffix '{suffix}'", word=arguments.output, hint=near)
    form = arguments.emit or forms.get(suffix) or otherwise
    assert form in known
    if arguments.version and form != "portable":
        raise UsageError(f"{form} has no version", word="--version", hint="a version is for portable artifacts")
    if arguments.output == "-" and form not in _FOR_A_TERMINAL and sys.stdout.isatty():
        raise UsageError(f"{form} is no reading for a terminal", hint="name a file with -o")
    return form


def write_module(module: Module, form: str, arguments: argparse.Namespace) -> None:
    """Write a StableHLO program."""
    if form == "vmfb":
        with progress("compiling by IREE"):
            content = module.to_bytes(form)
    else:
        content = module.to_bytes(form, arguments.version)
    write_content(content, arguments.output)
    if form == "vmfb" and arguments.output != "-":
        print(f"{arguments.output}: {len(content):,} bytes", file=sys.stderr)


def write_llvm(text: str, form: str, arguments: argparse.Namespace, name: str) -> None:
    """Write LLVM IR that is ready for others."""
    from gradir.machine import llvm

    match form:
        case "text":
            content = llvm_text(text, arguments.llvm_version).encode()
        case "bitcode":
            content = llvm.bitcode(llvm.parse(text, name))
        case "object":
            content = llvm.emit_object(llvm.parse(text, name))
        case _:
            content = llvm.emit_assembly(llvm.parse(text, name)).encode()
    write_content(content, arguments.output)


def llvm_text(text: str, version: int | None) -> str:
    """LLVM IR in the words of a version. Those before 19 write debug information in another way: it is left out."""
    from gradir.machine import llvm
    from gradir.machine.passes.portable import portable

    if version is None:
        return text
    return portable(str(llvm.without_debug_info(text)) if version < 19 else text)


def write_content(content: bytes, path: str) -> None:
    """Write to a file, or to stdout if it is called `-`."""
    from gradir.files import write_file

    if path == "-":
        stream: Any = sys.stdout
        stream.flush()
        stream.buffer.write(content)
        stream.buffer.flush()
    else:
        write_file(path, content)
