"""The programs that a command is given: files or standard input, in a language that is told or found out."""

from __future__ import annotations

import argparse
import sys
import tempfile
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gradir.cli.parser import refuse_what_does_not_apply
from gradir.cli.terminal import UsageError, progress
from gradir.errors import GradirError, InputError

if TYPE_CHECKING:
    from gradir.module import Module
    from gradir.native import NativeModule

__all__ = ["Inputs", "Source"]

STDIN = "<stdin>"
_SUFFIX_OF = {"c": ".c", "c++": ".cpp", "fortran": ".f90", "rust": ".rs", "llvm": ".ll", "core-mlir": ".mlir"}


@dataclass(frozen=True)
class Source:
    """One program: where its bytes are, what it is called in messages, and its language."""

    path: Path
    name: str
    language: str

    def read(self) -> bytes:
        return _bytes_of(self.path, self.name)


def _bytes_of(path: Path, name: str) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise InputError(f"can't read it: {error.strerror or error}", location=name) from None


class Inputs:
    """All sources of a command. What comes by standard input is kept as a file, for compilers, until the end."""

    def __init__(self, given: list[str], language: str | None) -> None:
        self._folder = tempfile.TemporaryDirectory(prefix="gradir-")
        self._stdin: Path | None = None
        self._given, self._language = given, language

    def close(self) -> None:
        self._folder.cleanup()

    @property
    def names(self) -> list[str]:
        """As they were given."""
        return list(self._given)

    @property
    def traced(self) -> Path | None:
        """The one file, if it is one of functions to be traced."""
        paths = [Path(name) for name in self._given]
        is_traced = len(paths) == 1 and self._language is None and paths[0].suffix in (".py", ".shf")
        return paths[0] if is_traced else None

    @cached_property
    def sources(self) -> list[Source]:
        if self._given.count("-") > 1:
            raise UsageError("standard input can be read once", word="-")
        return [self._source(name) for name in self._given]

    def _source(self, given: str) -> Source:
        from gradir.frontends.languages import SUFFIXES

        if given == "-":
            return self._from_stdin()
        path = Path(given)
        language = self._language or SUFFIXES.get(path.suffix) or _MLIR.get(path.suffix)
        language = language or _sniffed(_bytes_of(path, given), given)
        if language == "mlir" and path.is_file():
            language = _by_dialects(_bytes_of(path, given))
        return Source(path, given, language)

    def _from_stdin(self) -> Source:
        content = sys.stdin.buffer.read()
        if self._language is None and not content.strip():
            raise InputError("the program holds no function", location=STDIN)
        language = self._language or _sniffed(content, STDIN)
        if language == "mlir":
            language = _by_dialects(content)
        self._stdin = Path(self._folder.name) / f"stdin{_SUFFIX_OF.get(language, '')}"
        self._stdin.write_bytes(content)
        return Source(self._stdin, STDIN, language)

    # -- In messages

    def renamed(self, error: GradirError) -> None:
        """Let an error speak of standard input, not of the file that it is kept in."""
        if self._stdin is not None:
            error.message = error.message.replace(str(self._stdin), STDIN)
            error.location = error.location and error.location.replace(str(self._stdin), STDIN)

    def text_of(self, name: str) -> str | None:
        path = self._stdin if name == STDIN else Path(name)
        try:
            return None if path is None else path.read_text()
        except (OSError, ValueError):
            return None

    # -- As programs

    def is_native(self, arguments: argparse.Namespace) -> bool:
        """Whether the sources are of the machine level. Options that are for others are refused."""
        from gradir.frontends.languages import COMPILED, NATIVE

        languages = {s.language for s in self.sources}
        if "mlir" in languages and languages & NATIVE:
            other = next(s for s in self.sources if s.language != "mlir")
            raise UsageError(
                "MLIR and native code can't be linked", word=other.name, hint="give them to two commands, or say -x"
            )
        kinds = {"mlir"} if "mlir" in languages else {"native", *(["compiled"] if languages & COMPILED else [])}
        refuse_what_does_not_apply(arguments, kinds)
        return "native" in kinds

    def say_level(self) -> None:
        """Say which level an MLIR module goes to, where its text leaves a choice."""
        from gradir.frontends.mlir.levels import level_of

        for source in self.sources:
            if source.language == "core-mlir":
                print(f"gradir: {source.name} is for {level_of(source.read())}", file=sys.stderr)

    @property
    def is_compiled_here(self) -> bool:
        """Whether no other compiler will see the program."""
        return all(s.language != "llvm" for s in self.sources)

    @property
    def title(self) -> str:
        return ", ".join(s.name for s in self.sources)

    def module(self) -> Module:
        """The StableHLO program."""
        from gradir.module import Module
        from gradir.tensor.ir.module import functions, linked, parse

        with progress(f"reading {self.title}"):
            parts = [parse(source.read(), source.name) for source in self.sources]
            module = linked(parts) if len(parts) > 1 else parts[0]
            if not functions(module):
                raise InputError("the program holds no function", location=self.title)
            return Module(module)

    def llvm(self, flags: list[str]) -> Any:
        """The native program, as LLVM's module."""
        from gradir.frontends import CompilerOptions, to_llvm

        options = CompilerOptions(tuple(flags), None, self._languages())
        with progress(f"reading {self.title}"):
            return to_llvm([s.path for s in self.sources], options)

    def native(self, flags: list[str]) -> NativeModule:
        """The native program, to be differentiated by function."""
        from gradir import native

        with progress(f"compiling {self.title}"):
            return native.load([s.path for s in self.sources], flags=flags, languages=self._languages())

    def _languages(self) -> dict[Path, str]:
        """Of the files whose suffixes don't say it."""
        from gradir.frontends.languages import SUFFIXES

        return {s.path: s.language for s in self.sources if SUFFIXES.get(s.path.suffix) != s.language}


def _by_dialects(content: bytes) -> str:
    """Which of the two levels reads a module of MLIR."""
    from gradir.frontends.mlir.levels import level_of

    return "core-mlir" if level_of(content).is_machine else "mlir"


def _sniffed(content: bytes, name: str) -> str:
    from gradir.frontends.languages import by_content

    language = by_content(content)
    if language is None:
        raise InputError(
            "neither its name nor its text says which language it is in",
            location=name,
            hint="say it: -x mlir, llvm, c, c++, fortran or rust",
        )
    return language


_MLIR = dict.fromkeys((".mlir", ".mlirbc", ".mlirpa", ".stablehlo"), "mlir")
