"""What turns a source into one of the two levels. Here: sources of several languages into one LLVM module."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path

from gradir.errors import InputError
from gradir.frontends.languages import FRONT_ENDS, SUFFIXES
from gradir.frontends.texts import opened_where_mixed
from gradir.machine.ir.module import TYPED
from gradir.machine.ir.text.reader import read
from gradir.machine.llvm import Module, Phases, link, parse, phase  # `llvm` is a front end here
from gradir.machine.passes.words import typed_integers

__all__ = ["DEFAULT", "SUFFIXES", "CompilerOptions", "content_of", "to_llvm"]

PathLike = str | os.PathLike[str]


@dataclass(frozen=True)
class CompilerOptions:
    """What to tell the compiler: flags of its own (`-DN=3`, `-Iinclude`, `-ffast-math`), and which one to use.

    `compiler` is a name or path of a clang, flang or rustc, or "zig" for the clang inside the `ziglang` package.
    `languages` are those ("c", "c++", "fortran", "rust", "llvm") of files whose suffixes don't say it.
    """

    flags: tuple[str, ...] = ()
    compiler: str | None = None
    languages: Mapping[Path, str] = field(default_factory=dict)

    def language_of(self, source: Path) -> str | None:
        """The language of a file."""
        return self.languages.get(source) or SUFFIXES.get(source.suffix)


DEFAULT = CompilerOptions()


def to_llvm(
    sources: Sequence[PathLike] | PathLike,
    options: CompilerOptions = DEFAULT,
    *,
    phases: Phases | None = None,
) -> Module:
    """Compile every source to LLVM IR, with debug info and before any optimisation, and link them."""
    paths = [Path(sources)] if isinstance(sources, (str, os.PathLike)) else [Path(s) for s in sources]
    if not paths:
        raise InputError("there is no source to read")
    with phase(phases, "front end"):
        modules = [_read(path, options) for path in paths]
    if len(modules) == 1:
        return modules[0]
    with phase(phases, "link"):
        return link(map(_without_marks, opened_where_mixed(modules)))


def _without_marks(module: Module) -> Module:
    """A module that others may hand memory to, of whatever types."""
    text = str(module)
    if TYPED not in text:
        return module
    marked = read(text)
    typed_integers.drop(marked)
    return parse(str(marked))


def content_of(path: Path) -> bytes:
    """What is in a file."""
    try:
        return path.read_bytes()
    except OSError as error:
        raise InputError(f"can't read it: {error.strerror or error}", location=str(path)) from None


def _read(path: Path, options: CompilerOptions) -> Module:
    language = options.language_of(path)
    if language is None:
        known = ", ".join(dict.fromkeys(SUFFIXES))
        raise InputError(f"no language has the suffix '{path.suffix}'", location=str(path), hint=f"known are {known}")
    if not path.is_file():
        raise InputError("no such file", location=str(path))
    read: Callable[[Path, CompilerOptions], Module] = import_module(f"gradir.frontends.{FRONT_ENDS[language]}").to_llvm
    return read(path, options)
