"""The sources that a program's locations lead to: read where they can be, and cut down to what matters."""

from __future__ import annotations

import linecache
import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import PurePath

from gradir.report.model import Cost, Derived, Place, Role, Source, SourceLine

__all__ = ["Found", "Sources", "language_of"]

WHOLE = 400
"""A file of no more lines is shown whole; of another, what is `NEAR` a line that matters."""
NEAR = 8
OWN = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "")
_LANGUAGES = {
    ".c": "C", ".h": "C", ".cpp": "C++", ".cc": "C++", ".cxx": "C++", ".hpp": "C++", ".f90": "Fortran", ".f": "Fortran",
    ".f95": "Fortran", ".f03": "Fortran", ".f08": "Fortran", ".rs": "Rust", ".py": "Python", ".shf": "Sheaf",
    ".mlir": "MLIR", ".ll": "LLVM IR",
}  # fmt: skip


def language_of(name: str) -> str:
    """
    >>> language_of("a/kernel.F90"), language_of("<stdin>")
    ('Fortran', 'text')
    """
    return _LANGUAGES.get(PurePath(name).suffix.lower(), "text")


@dataclass
class Found:
    """What is known of one line of a source."""

    is_active: bool = False
    primal: Cost = field(default_factory=Cost)


@dataclass
class Sources:
    """The files of a report, numbered as they are met."""

    texts: Mapping[str, str] = field(default_factory=dict)
    """Texts that are known without a look at the disk."""
    files: dict[str, int] = field(default_factory=dict)
    found: dict[Place, Found] = field(default_factory=dict)
    _lines: dict[str, Sequence[str]] = field(default_factory=dict)

    def place(self, name: str, line: int) -> Place | None:
        """A line of a file, if that can be read and has it."""
        if not 0 < line <= len(self.lines_of(name)):
            return None
        return Place(self.files.setdefault(name, len(self.files)), line)

    def lines_of(self, name: str) -> Sequence[str]:
        """The lines of a file; none if it can't be read, or is one of gradir's own, which nobody asked about.

        (Notebooks keep their cells where `linecache` finds them.)
        """
        if name not in self._lines:
            if name in self.texts:
                self._lines[name] = self.texts[name].splitlines()
            elif os.path.abspath(name).startswith(OWN):
                self._lines[name] = ()
            else:
                self._lines[name] = [line.rstrip("\r\n") for line in linecache.getlines(name)]
        return self._lines[name]

    def at(self, place: Place) -> Found:
        return self.found.setdefault(place, Found())

    def sources(self, derived: Iterable[Derived]) -> list[Source]:
        """The files, with what the lines of the derivative say of theirs."""
        by_place: dict[Place, list[Derived]] = {}
        for line in derived:
            for place in line.places:
                by_place.setdefault(place, []).append(line)
        return [self._source(name, number, by_place) for name, number in self.files.items()]

    def _source(self, name: str, number: int, derived: Mapping[Place, Sequence[Derived]]) -> Source:
        texts = self.lines_of(name)
        used = sorted({p.line for p in (*derived, *self.found) if p.file == number})
        shown = range(1, len(texts) + 1) if len(texts) <= WHOLE else _near(used, len(texts))
        lines = [self._line(Place(number, n), texts[n - 1], derived) for n in shown]
        return Source(name, language_of(name), lines, len(texts))

    def _line(self, place: Place, text: str, derived: Mapping[Place, Sequence[Derived]]) -> SourceLine:
        mine, found = derived.get(place, ()), self.found.get(place, Found())
        # A line of the derivative that comes from several of the source is shared by them.
        share = [1 / len(line.places) for line in mine]
        cost = Cost(
            sum(s * line.cost.operations for s, line in zip(share, mine, strict=True)),
            sum(s * line.cost.bytes for s, line in zip(share, mine, strict=True)),
        )
        return SourceLine(
            place.line,
            text,
            found.is_active,
            cost,
            found.primal,
            sum(s * line.kept for s, line in zip(share, mine, strict=True)),
            any(line.role is Role.again and line.cost != Cost() for line in mine),
            tuple(line.number for line in mine),
        )


def _near(used: Sequence[int], total: int) -> list[int]:
    """The lines that are not far from one that is used.

    >>> _near([3, 30], 100)[-3:]
    [36, 37, 38]
    """
    return sorted({n for u in used for n in range(max(1, u - NEAR), min(total, u + NEAR) + 1)})
