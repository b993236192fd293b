"""Prepared programs in files, compact, for a machine that has no compilers; and what became of them."""

from __future__ import annotations

import lzma
import pickle
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from fuzz.differentiate import Subject

__all__ = ["Batch", "Outcome", "load", "save"]


@dataclass(frozen=True)
class Outcome:
    """Of one function at one level in one mode."""

    name: str
    level: str
    mode: str
    kind: str
    """right, refused, wrong, crash, hang, traceback, raised (an exception where there is none), or unjudged."""
    why: str = ""


@dataclass(frozen=True)
class Batch:
    """Programs of one language in a module as a compiler hands it to its optimiser, and those that can't be judged."""

    text: str
    subjects: tuple[Subject, ...]
    unjudged: tuple[Outcome, ...] = ()


# Modules of C++ have much of the standard library in common: a window that spans many of them.
_FILTERS = [{"id": lzma.FILTER_LZMA2, "preset": 6, "dict_size": 1 << 27}]


def save(items: Iterable[Any], path: Path) -> None:
    """Write items as they come. A file is there when it is whole."""
    part = path.with_suffix(".part")
    with lzma.open(part, "wb", format=lzma.FORMAT_XZ, filters=_FILTERS) as file:
        for item in items:
            pickle.dump(item, file)
    part.replace(path)


def load(path: Path) -> Iterator[Any]:
    with lzma.open(path) as file:
        while file.peek(1):
            yield pickle.load(file)
