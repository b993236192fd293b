"""Macros: templates, and what keeps the names of a template apart from those of the program.

A name that a template binds (in `let`, `fn`, a loop) is a new one in every expansion, and a name that it takes from the
whole program means that, whatever the place of the call binds. What a macro is called with keeps its own meaning.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import count

from gradir.frontends.sheaf.forms import Form, Keyword, List, Map, Number, String, Symbol, Vector, head_of, walk
from gradir.frontends.sheaf.source import Place, SheafError
from gradir.frontends.sheaf.values import Key, Value

__all__ = ["Macro", "as_data", "as_form", "fresh", "instantiate"]

_numbers = count(1)
BINDERS = {"let": 1, "fn": 1, "repeat": 1, "while": 2, "as->": 2}
"""Forms that bind names, and which of their items says them."""


@dataclass(frozen=True, eq=False)
class Macro:
    name: str
    parameters: Sequence[str]
    rest: str | None
    body: Form
    place: Place

    def bind(self, forms: Sequence[Form], place: Place) -> dict[str, Value]:
        """What the parameters stand for in a call."""
        wanted = len(self.parameters)
        if len(forms) < wanted or (len(forms) > wanted and self.rest is None):
            more = " or more" if self.rest else ""
            raise SheafError(f"the macro {self.name} takes {wanted}{more} forms, not {len(forms)}", place)
        bound: dict[str, Value] = dict(zip(self.parameters, forms, strict=False))
        if self.rest is not None:
            bound[self.rest] = tuple(forms[wanted:])
        return bound


def fresh(stem: str) -> str:
    """A name that no program can write."""
    return f"{stem}\N{MIDDLE DOT}{next(_numbers)}"


def as_data(value: Value) -> Value:
    """A form as a value that functions can work on: lists and vectors of forms are lists."""
    match value:
        case List(items=items) | Vector(items=items):
            return items
        case Number(number):
            return number
        case String(text):
            return text
        case Keyword(name):
            return Key(name)
        case Map(items=items):
            return dict(items)
    return value


def as_form(value: Value, place: Place) -> Form:
    """A value that a macro made, as a form that stands where the macro was called."""
    match value:
        case Form():
            return value
        case None | bool():
            return Symbol("nil" if value is None else str(value).lower(), place=place)
        case Key():
            return Keyword(str(value), place=place)
        case str():
            return String(value, place=place)
        case int() | float():
            return Number(value, place=place)
        case tuple() | list():
            return List(tuple(as_form(v, place) for v in value), place=place)
        case dict():
            return Map(tuple((k, as_form(v, place)) for k, v in value.items()), place=place)
    raise SheafError("a macro gives a form: a list, a name, a number or a string", place)


def instantiate(template: Form, evaluate: Callable[[Form], Value], place: Place) -> Form:
    """A template with what is unquoted in it put in."""
    renamed = {name: fresh(name) for name in _bound_names(template)}
    kept = set(_parameters_of_defn(template))
    return _fill(template, evaluate, place, renamed, kept, 1)


def _fill(
    form: Form, evaluate: Callable[[Form], Value], place: Place, renamed: dict[str, str], kept: set[str], depth: int
) -> Form:
    match form:
        case Symbol(name):
            if name in renamed:
                return Symbol(renamed[name], place=place)
            return Symbol(name, place=place, is_global=name not in kept)
        case List(items=(Symbol("unquote"), inner)) if depth == 1:
            return as_form(evaluate(inner), place)
        case List(items=items) | Vector(items=items):
            deeper = {"quasiquote": 1, "unquote": -1}.get(head_of(form) or "", 0)
            filled: list[Form] = []
            for item in items:
                if head_of(item) == "unquote-splicing" and depth == 1 and isinstance(item, List):
                    filled += [as_form(v, place) for v in _spliced(evaluate(item.items[1]), item)]
                else:
                    filled.append(_fill(item, evaluate, place, renamed, kept, depth + deeper))
            return replace(form, items=tuple(filled), place=place)
        case Map(items=pairs):
            made = tuple((k, _fill(v, evaluate, place, renamed, kept, depth)) for k, v in pairs)
            return Map(made, place=place)
    return replace(form, place=place)


def _spliced(value: Value, where: Form) -> Sequence[Value]:
    value = as_data(value)
    if not isinstance(value, (tuple, list)):
        raise SheafError("what is spliced must be a list", where.place)
    return value


def _bound_names(template: Form) -> Iterator[str]:
    """The names that a template binds by itself. A name that ends with # is one as well."""
    for form in walk(template):
        if isinstance(form, Symbol) and form.name.endswith("#"):
            yield form.name
        place = BINDERS.get(head_of(form) or "")
        if place is None or not isinstance(form, List) or len(form.items) <= place:
            continue
        said = form.items[place]
        if isinstance(said, Symbol):
            yield said.name
        elif isinstance(said, Vector):
            some = said.items if head_of(form) == "fn" else said.items[::2]
            yield from (s.name for item in some for s in _pattern(item) if s.name != "&")
        if head_of(form) == "repeat" and len(form.items) > 2 and isinstance(form.items[2], Vector):
            yield from (s.name for s in _pattern(form.items[2].items[0]))


def _pattern(form: Form) -> Iterator[Symbol]:
    if isinstance(form, Symbol):
        yield form
    elif isinstance(form, Vector):
        for item in form.items:
            yield from _pattern(item)


def _parameters_of_defn(template: Form) -> Iterator[str]:
    """The parameters of functions that a template defines: they keep their names, which callers may say by keyword."""
    for form in walk(template):
        if head_of(form) == "defn" and isinstance(form, List):
            for item in form.items[1:3]:
                yield from (s.name for s in _pattern(item))
