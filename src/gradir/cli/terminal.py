"""What a person sees: complaints with the place they are about, colours, and how long work goes on."""

from __future__ import annotations

import errno
import os
import re
import shlex
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path
from typing import Any, TextIO

from gradir.errors import (
    GradirError,
    InputError,
    InternalError,
    LostProcess,
    OutputError,
    RequestError,
    UnknownFunction,
    UnknownTarget,
)

__all__ = [
    "EXIT_BUG", "EXIT_INTERRUPTED", "EXIT_LOST", "EXIT_USAGE",
    "UsageError", "complain", "exit_code", "paint", "progress", "stages", "unexpected", "unwritten",
]  # fmt: skip

TextOf = Callable[[str], str | None]
"""The text of a source by the name that locations have for it."""


class UsageError(GradirError):
    """A command that makes no sense: `word` is what of it doesn't."""

    def __init__(self, message: str, *, word: str | None = None, hint: str | None = None) -> None:
        super().__init__(message, hint=hint)
        self.word = word


EXIT_REFUSED, EXIT_USAGE, EXIT_BAD_INPUT, EXIT_BUG, EXIT_LOST, EXIT_INTERRUPTED = 1, 2, 3, 70, 75, 130


def exit_code(error: GradirError, asked_by_program: bool = False) -> int:
    """What an error is about: the command, what it was given, gradir itself, or what can't be done.

    What is wrong with a request for a derivative is the command's fault, or that of the program that asks.
    """
    if isinstance(error, InternalError):
        return EXIT_BUG
    if isinstance(error, LostProcess):
        return EXIT_LOST
    if isinstance(error, (UsageError, UnknownFunction, UnknownTarget, OutputError)):
        return EXIT_USAGE
    if isinstance(error, InputError):
        return EXIT_BAD_INPUT
    if isinstance(error, RequestError):
        return EXIT_BAD_INPUT if asked_by_program and error.location else EXIT_USAGE
    return EXIT_REFUSED


def unexpected(error: Exception) -> GradirError:
    """What to tell of an error that should not have been."""
    return GradirError(
        f"a bug in gradir: {type(error).__name__}: {error}", hint="please report it; GRADIR_DEBUG=1 shows where"
    )


def unwritten(error: OSError) -> OutputError | None:
    """What to tell of standard output that takes no more: of a disk that is full."""
    if error.filename is not None or error.errno not in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO):
        return None
    return OutputError(f"can't write it: {error.strerror}", location="<stdout>")


# -- Complaints ------------------------------------------------------------------------------------------------------

_PLACE = re.compile(r"^(?P<file>.+?):(?P<line>\d+)(?::(?P<column>\d+))?$")


def complain(error: GradirError, words: Sequence[str] = (), text_of: TextOf | None = None) -> None:
    """Tell an error, with carets under the place that it is about: of the source, or of the command."""
    head = f"gradir: {paint('error:', '31', sys.stderr)}"
    if type(error).__str__ is not GradirError.__str__:  # which shows its place itself
        print(f"{head} {error}", file=sys.stderr)
        return
    lines = [f"{head} {error.location}: {error.message}" if error.location else f"{head} {error.message}"]
    if isinstance(error, UsageError):
        lines += _in_command(error.word, words)
    elif error.location and "^" not in error.message:  # a compiler's message has its own
        lines += _in_source(error.location, text_of or _file_text)
    if error.hint:
        lines.append(f"  way out: {error.hint}")
    print("\n".join(lines), file=sys.stderr)


def _in_command(word: str | None, words: Sequence[str]) -> list[str]:
    """The command, and carets under one of its words (or under the value that an option has)."""
    if word is None:
        return []
    shown = "gradir"
    at: tuple[int, int] | None = None
    for given in words:
        quoted = shlex.quote(given)
        start = len(shown) + 1
        option, is_option, value = given.partition("=")
        if at is None and given == word:
            at = start, len(quoted)
        elif at is None and is_option and option == word:
            at = start, len(option)
        elif at is None and is_option and value == word:
            at = start + quoted.rfind(value), len(value)
        shown += f" {quoted}"
    return [] if at is None else [f"  {shown}", f"  {' ' * at[0]}{_carets(at[1])}"]


def _in_source(location: str, text_of: TextOf) -> list[str]:
    """The line that a location names, and a caret under its column (without one, under all that stands there)."""
    place = _PLACE.match(location)
    text = text_of(place["file"]) if place else None
    lines = (text or "").split("\n")
    if place is None or not 0 < int(place["line"]) <= len(lines):
        return []
    line = lines[int(place["line"]) - 1].rstrip().replace("\t", " ")
    if not line:
        return []
    start, length = len(line) - len(line.lstrip()), len(line.strip())
    if place["column"] is not None and int(place["column"]) > 0:
        start = min(int(place["column"]) - 1, len(line))
        length = len((re.match(r"[%@#!]?[\w.]+", line[start:]) or re.match("", "x"))[0]) or 1  # type: ignore[index]
    margin = " " * len(place["line"])
    return [f"  {place['line']} | {line}", f"  {margin} | {' ' * start}{_carets(length)}"]


def _carets(length: int) -> str:
    return paint("^" + "~" * (length - 1), "32", sys.stderr)


def _file_text(name: str) -> str | None:
    try:
        return Path(name).read_text(errors="strict")
    except (OSError, ValueError):
        return None


def paint(text: str, colour: str, stream: Any = None) -> str:
    """Coloured at a terminal, unless NO_COLOR asks for none; plain anywhere else."""
    stream = stream or sys.stdout
    plain = os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb" or not stream.isatty()
    return text if plain else f"\033[{colour}m{text}\033[0m"


# -- Long work -------------------------------------------------------------------------------------------------------

stages: ContextVar[dict[str, float]] = ContextVar("gradir_stages")
"""How long each stage of the command has taken so far, in seconds."""

_WIDTH = 24
_PATIENCE = 0.5
"""Seconds until a bar is worth looking at."""


class Progress:
    """A stage of the work. At a terminal it shows a bar: how much is done, or, where no one knows, that it goes on."""

    def __init__(self, what: str, stream: TextIO) -> None:
        self.what, self.stream = what, stream
        self.share: float | None = None
        self.began = time.perf_counter()
        self._is_over = threading.Event()
        self._painter: threading.Thread | None = None

    def advance(self, done: int, total: int) -> None:
        """Say how much is done."""
        self.share = done / total if total else None

    def __enter__(self) -> Progress:
        if self.stream.isatty():
            print(f"{self.what} ...", end="\r", file=self.stream, flush=True)
            self._painter = threading.Thread(target=self._paint, daemon=True)
            self._painter.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        self._is_over.set()
        if self._painter is not None:
            self._painter.join()
            print("\033[K", end="", file=self.stream, flush=True)
            if kind is None and self.taken > 1:
                print(f"{self.what}: {self.taken:.1f} s", file=self.stream)

    @property
    def taken(self) -> float:
        return time.perf_counter() - self.began

    def _paint(self) -> None:
        while not self._is_over.wait(0.1):
            if self.taken >= _PATIENCE:
                print(f"\033[K{self.what} {bar(self.share, self.taken)}", end="\r", file=self.stream, flush=True)


def bar(share: float | None, taken: float) -> str:
    """A bar that is filled as far as work is done, or a block that goes to and fro.

    >>> bar(0.5, 2.0)
    '[============            ] 50 %, 2 s'
    >>> bar(None, 0.7)
    '[       ====             ] 1 s'
    """
    if share is not None:
        filled = round(share * _WIDTH)
        return f"[{'=' * filled}{' ' * (_WIDTH - filled)}] {share:.0%}".replace("%", " %") + f", {taken:.0f} s"
    block, room = 4, _WIDTH - 4
    at = int(taken * 10) % (2 * room)
    at = at if at <= room else 2 * room - at
    return f"[{' ' * at}{'=' * block}{' ' * (room - at)}] {taken:.0f} s"


@contextmanager
def progress(what: str) -> Iterator[Progress]:
    """A stage of the work: timed, and shown to a person at a terminal."""
    stage = Progress(what, sys.stderr)
    try:
        with stage:
            yield stage
    finally:
        kept = stages.get({})
        kept[what] = kept.get(what, 0.0) + stage.taken
