"""The reader: text to forms, with line and column on each."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from gradir.frontends.sheaf.forms import Form, Keyword, List, Map, Number, String, Symbol, Vector
from gradir.frontends.sheaf.source import Place, SheafError, Source

__all__ = ["Incomplete", "read"]

DTYPES = ("f16", "bf16", "f32", "f64", "i8", "i16", "i32", "i64", "u8", "u16", "u32", "u64", "bool")
CLOSES = {"(": ")", "[": "]", "{": "}"}
MARKS = {"'": "quote", "`": "quasiquote", "~": "unquote", "~@": "unquote-splicing"}
ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "0": "\0", '"': '"', "\\": "\\"}
TOKEN = re.compile(
    r"""(?P<space>[\s,]+)|(?P<comment>;[^\n]*)|(?P<string>"(?:[^"\\]|\\.)*")|(?P<open_string>")"""
    r"""|(?P<mark>~@|['`~])|(?P<bracket>[()\[\]{}])|(?P<atom>[^\s,;"'`~()\[\]{}]+)""",
    re.DOTALL,
)


class Incomplete(SheafError):
    """A text that ends before what it began: a REPL asks for more."""


@dataclass(frozen=True)
class Token:
    kind: str
    text: str
    place: Place


def read(source: Source) -> list[Form]:
    """All forms of a text.

    >>> [str(f) for f in read(Source("<doc>", "(defn f [x] (* x 2)) ; twice"))]
    ['(defn f [x] (* x 2))']
    """
    return list(_Reader(source).forms())


def _tokens(source: Source) -> Iterator[Token]:
    line, start = 1, 0  # of the line
    for match in TOKEN.finditer(source.text):
        kind, text = match.lastgroup or "", match[0]
        first = text.partition("\n")[0]
        place = Place(source, line, match.start() - start + 1, max(1, len(first)))
        if kind == "open_string":
            raise Incomplete("this string is not closed", place, hint='close it by a "')
        if kind not in ("space", "comment"):
            yield Token(kind, text, place)
        if newlines := text.count("\n"):
            line += newlines
            start = match.start() + text.rindex("\n") + 1


class _Reader:
    def __init__(self, source: Source) -> None:
        self.tokens = list(_tokens(source))
        self.next = 0

    def forms(self) -> Iterator[Form]:
        while self.next < len(self.tokens):
            yield self.form()

    def form(self) -> Form:
        token = self.tokens[self.next]
        self.next += 1
        match token.kind:
            case "string":
                return String(_unescaped(token), place=token.place)
            case "atom":
                return _atom(token)
            case "mark":
                if self.next == len(self.tokens):
                    raise Incomplete(f"nothing follows this {token.text}", token.place)
                return List((Symbol(MARKS[token.text], place=token.place), self.form()), place=token.place)
        if token.text not in CLOSES:
            raise SheafError(
                f"this '{token.text}' closes nothing", token.place, hint="take it away, or look for a missing opening"
            )
        return self.bracketed(token)

    def bracketed(self, opening: Token) -> Form:
        items: list[Form] = []
        closing = CLOSES[opening.text]
        while True:
            if self.next == len(self.tokens):
                error = Incomplete(f"this '{opening.text}' is never closed", opening.place, hint=f"add a '{closing}'")
                if blamed := self._blamed(opening):
                    error.note("the form before which it should perhaps close begins here", blamed)
                raise error
            token = self.tokens[self.next]
            if token.kind == "bracket" and token.text in CLOSES.values():
                break
            items.append(self.form())
        self.next += 1
        if token.text != closing:
            raise SheafError(
                f"'{opening.text}' is closed by '{token.text}'", token.place, hint=f"write '{closing}' here"
            ).note("opened here", opening.place)
        place = opening.place
        if token.place.line == place.line:
            place = replace(place, width=token.place.column - place.column + 1)
        if opening.text == "(":
            return List(tuple(items), place=place)
        if opening.text == "[":
            return Vector(tuple(items), self.suffix(), place=place)
        return _map(items, place)

    def _blamed(self, opening: Token) -> Place | None:
        """The first form at the left margin within what is not closed: most likely it was meant to stand alone."""
        inside = self.tokens[self.tokens.index(opening) + 1 :]
        return next((t.place for t in inside if t.text == "(" and t.place.column == 1), None)

    def suffix(self) -> str | None:
        """The element type after a vector."""
        if self.next < len(self.tokens) and self.tokens[self.next].text[1:] in DTYPES:
            token = self.tokens[self.next]
            if token.text.startswith(":"):
                self.next += 1
                return token.text[1:]
        return None


def _atom(token: Token) -> Form:
    text, place = token.text, token.place
    if text.startswith(":"):
        if text == ":":
            raise SheafError("a keyword needs a name", place)
        return Keyword(text[1:], place=place)
    if text[0].isdigit() or (text[0] in "+-." and len(text) > 1 and (text[1].isdigit() or text[1] == ".")):
        for kind in (int, float):
            try:
                return Number(kind(text), place=place)
            except ValueError:
                continue
        if text != "...":
            raise SheafError(f"'{text}' is neither a number nor a name", place)
    if text in ("inf", "-inf", "nan"):
        return Number(float(text), place=place)
    return Symbol(text, place=place)


def _unescaped(token: Token) -> str:
    """The characters of a string. A backslash before any other character is dropped."""
    return re.sub(r"\\(.)", lambda m: ESCAPES.get(m[1], m[1]), token.text[1:-1], flags=re.DOTALL)


def _map(items: list[Form], place: Place) -> Map:
    pairs: dict[str, Form] = {}
    if len(items) % 2:
        raise SheafError("a key has no value", items[-1].place, hint="a dictionary is {:key value ...}")
    for key, value in zip(items[::2], items[1::2], strict=True):
        match key:
            case Keyword(name) | Symbol(name) | String(name):
                pass
            case _:
                raise SheafError("a key is a keyword, a name or a string", key.place)
        if name in pairs:
            raise SheafError(f"the key :{name} stands here twice", key.place)
        pairs[name] = value
    return Map(tuple(pairs.items()), place=place)
