"""Where a piece of a program stands in its source, and errors that show it."""

from __future__ import annotations

import functools
import types
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from gradir.errors import InputError

__all__ = ["NOWHERE", "Place", "SheafError", "Source", "at", "called"]


@dataclass(frozen=True, eq=False)
class Source:
    """A text with a name: a file's path, or `<repl>`."""

    name: str
    text: str
    lines: Sequence[str] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "lines", self.text.split("\n"))


@dataclass(frozen=True)
class Place:
    """A stretch of one line: both are counted from 1, and `width` is in characters."""

    source: Source
    line: int
    column: int
    width: int = 1

    def __str__(self) -> str:
        return f"{self.source.name}:{self.line}:{self.column}"


NOWHERE = Place(Source("<built in>", ""), 1, 1, 0)


class SheafError(InputError):
    """A mistake in a Sheaf program: what is wrong, the line with a caret under the place, and a way out.

    >>> place = Place(Source("model.shf", "(+ x yy)"), 1, 6, 2)
    >>> print(SheafError("there is no name 'yy'", place, hint="did you mean 'y'?"))
    there is no name 'yy'
     --> model.shf:1:6
      |
    1 | (+ x yy)
      |      ^^
      = way out: did you mean 'y'?
    """

    def __init__(self, message: str, place: Place | None = None, *, hint: str | None = None) -> None:
        super().__init__(message, location=str(place) if place else None, hint=hint)
        self.place = place
        self.notes: list[tuple[str, Place | None]] = []
        """What else to say, and where: the way of calls that led here, the other half of a mismatch."""

    def note(self, text: str, place: Place | None = None) -> SheafError:
        self.notes.append((text, place))
        return self

    def __str__(self) -> str:
        shown = [self.message]
        places = [p for p in (self.place, *(p for _, p in self.notes)) if p is not None]
        margin = max((len(str(p.line)) for p in places), default=1)
        if self.place:
            shown += _excerpt(self.place, margin)
        for text, place in self.notes:
            shown.append(f"{' ' * margin} = {text}" + (f" ({place})" if place else ""))
        if self.hint:
            shown.append(f"{' ' * margin} = way out: {self.hint}")
        return "\n".join(shown)


def _excerpt(place: Place, margin: int) -> list[str]:
    space = " " * margin
    where = f"{space}--> {place}"
    if not 0 < place.line <= len(place.source.lines) or not place.width:
        return [where]
    line = place.source.lines[place.line - 1]
    blank = "".join("\t" if c == "\t" else " " for c in line[: place.column - 1])
    return [where, f"{space} |", f"{place.line:>{margin}} | {line}".rstrip(), f"{space} | {blank}{'^' * place.width}"]


@contextmanager
def at(place: Place) -> Iterator[None]:
    """Errors that don't know where they are, are here."""
    try:
        yield
    except SheafError as error:
        if error.place is None:
            error.place, error.location = place, str(place)
        raise


def called(place: Place, function: Callable[..., Any], arguments: Sequence[Any], keywords: Mapping[str, Any]) -> Any:
    """Call a function from a frame that stands in the line of the place: for JAX, that is where its ops come from.

    >>> import sys
    >>> called(Place(Source("model.shf", "(+ x y)"), 1, 1), lambda: sys._getframe(1).f_code.co_filename, (), {})
    'model.shf'
    """
    return _frame(place.source.name, place.line)(function, arguments, keywords)


@functools.lru_cache(maxsize=4096)
def _frame(name: str, line: int) -> Callable[..., Any]:
    code = _called.__code__.replace(co_filename=name, co_firstlineno=line, co_name="form", co_qualname="form")
    return types.FunctionType(code, {})


_called = lambda function, arguments, keywords: function(*arguments, **keywords)  # noqa: E731  # all in one line
