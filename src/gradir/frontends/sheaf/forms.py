"""What the reader makes of a text: forms, each with its place."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from gradir.frontends.sheaf.source import NOWHERE, Place

__all__ = ["Form", "Keyword", "List", "Map", "Number", "String", "Symbol", "Vector", "head_of", "walk"]


@dataclass(frozen=True)
class Form:
    """A piece of a program. Two forms are equal if they read the same, wherever they stand."""

    place: Place = field(default=NOWHERE, compare=False, repr=False, kw_only=True)


@dataclass(frozen=True)
class Number(Form):
    value: int | float

    def __str__(self) -> str:
        return repr(self.value)


@dataclass(frozen=True)
class String(Form):
    value: str

    def __str__(self) -> str:
        escaped = self.value.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n").replace("\t", "\\t")
        return f'"{escaped}"'


@dataclass(frozen=True)
class Keyword(Form):
    name: str

    def __str__(self) -> str:
        return f":{self.name}"


@dataclass(frozen=True)
class Symbol(Form):
    name: str
    is_global: bool = field(default=False, compare=False, repr=False, kw_only=True)
    """Whether it stands for a name of the whole program, whatever is called so where it stands: a macro brought it."""

    def __str__(self) -> str:
        return self.name


@dataclass(frozen=True)
class List(Form):
    items: tuple[Form, ...]

    def __str__(self) -> str:
        return f"({' '.join(map(str, self.items))})"


@dataclass(frozen=True)
class Vector(Form):
    """A tensor if all within are numbers, else a tuple; or names, where names are bound."""

    items: tuple[Form, ...]
    dtype: str | None = None

    def __str__(self) -> str:
        return f"[{' '.join(map(str, self.items))}]" + (f" :{self.dtype}" if self.dtype else "")


@dataclass(frozen=True)
class Map(Form):
    """Keys, which are not evaluated, and values."""

    items: tuple[tuple[str, Form], ...]

    def __str__(self) -> str:
        return "{" + " ".join(f":{k} {v}" for k, v in self.items) + "}"


def head_of(form: Form) -> str | None:
    """The name that a list begins with."""
    if isinstance(form, List) and form.items and isinstance(form.items[0], Symbol):
        return form.items[0].name
    return None


def walk(form: Form) -> Iterator[Form]:
    """A form and all within."""
    yield form
    if isinstance(form, (List, Vector)):
        for item in form.items:
            yield from walk(item)
    elif isinstance(form, Map):
        for _, value in form.items:
            yield from walk(value)
