"""Reading the pretty form of `enzyme` ops.

MLIR parses an op of a dialect it has no C++ for in generic form only. Two pretty forms are in circulation: properties
stand in the ordinary dictionary, ``{activity = ...}``, or in one of their own, ``<{activity = ...}>`` or
``<activity = ...>``. `to_generic` turns both into the generic form, editing the text in place: no line is added or
removed, so that MLIR's locations stay true.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from gradir.errors import InputError

__all__ = ["properties", "to_generic"]

_STRING = r'"[^"\\\n]*(?:\\.[^"\\\n]*)*"'
_BLANK = re.compile(r"(?:\s|//[^\n]*)*")
_TOKEN = re.compile(
    rf"{_STRING}|@{_STRING}|[@^][\w$.-]+|%[\w$.-]+(?:#\d+)?|->|[<>=]=|[#!]?[\w$.]+|\S",
)
_SCAN = re.compile(rf"//[^\n]*|{_STRING}|(?<![\w$.#!@%^-])enzyme\.([\w.]+)")
"""Skips comments and strings (a generic op's name is a string), stops at a bare `enzyme.something`."""

_CLOSING = {"(": ")", "[": "]", "{": "}", "<": ">"}


def to_generic(text: str, name: str = "<text>") -> str:
    """Rewrite the pretty `enzyme` ops of an MLIR text into generic form; all other text stays as it is.

    `name` is the file name that an error shows.

    >>> to_generic("%r = enzyme.batch @f(%x) <batch_shape = array<i64: 2>> : (tensor<2xf64>) -> tensor<2xf64>")
    '%r = "enzyme.batch" (%x) {fn = @f, batch_shape = array<i64: 2>} : (tensor<2xf64>) -> tensor<2xf64>'
    >>> to_generic("enzyme.yield %a, %b : f32, tensor<2xf32>")
    '"enzyme.yield" (%a, %b) : (f32, tensor<2xf32>) -> ()'
    """
    edits: list[tuple[int, int, str]] = []
    for found in _SCAN.finditer(text):
        op = found[1]
        if op is None:
            continue
        cursor = _Cursor(text, found.end(), name, edits)
        if cursor.at("=", ",") or (cursor.at("}") and op != "yield"):
            continue  # the name of an attribute, such as {enzyme.disable_mincut}
        read = _PRETTY.get(op)
        if read is None:
            raise cursor.error(
                f"enzyme.{op} can't be read in pretty form",
                found.start(),
                f"gradir reads enzyme.{', enzyme.'.join(sorted(_PRETTY))}, and any op in generic form",
            )
        edits.append((found.start(), found.end(), f'"{found[0]}"'))
        read(cursor)
    return _apply(text, edits)


def _apply(text: str, edits: list[tuple[int, int, str]]) -> str:
    pieces: list[str] = []
    done = 0
    for start, end, replacement in sorted(edits, key=lambda edit: edit[:2]):
        pieces += (text[done:start], replacement)
        done = end
    return "".join([*pieces, text[done:]])


def properties(op: str) -> str | None:
    """The property dictionary of an op printed in generic form.

    >>> properties('%1 = "enzyme.batch"(%0) <{batch_shape = array<i64: 2>, fn = @f}> : (f32) -> f32')
    '{batch_shape = array<i64: 2>, fn = @f}'
    """
    name = re.compile(r'"enzyme\.\w+"').search(op)
    if name is None:
        return None
    cursor = _Cursor(op, name.end(), "<op>", [])
    cursor.skip("(")
    if not cursor.at("<"):
        return None
    cursor.take("<")
    start = cursor.start
    return op[start : cursor.skip("{") + 1]


class _Cursor:
    """A place in the text, from where one op is read and edited."""

    def __init__(self, text: str, position: int, name: str, edits: list[tuple[int, int, str]]) -> None:
        self.text = text
        self.position = position
        self.name = name
        self.edits = edits

    def error(self, message: str, position: int | None = None, hint: str | None = None) -> InputError:
        position = self.position if position is None else position
        line = self.text.count("\n", 0, position) + 1
        column = position - (self.text.rfind("\n", 0, position) + 1) + 1
        return InputError(message, location=f"{self.name}:{line}:{column}", hint=hint)

    @property
    def start(self) -> int:
        """Where the next token begins."""
        blank = _BLANK.match(self.text, self.position)
        assert blank is not None  # it matches the empty string
        return blank.end()

    def peek(self) -> str:
        """The next token, empty at the end of the text."""
        token = _TOKEN.match(self.text, self.start)
        return token[0] if token else ""

    def at(self, *tokens: str) -> bool:
        return self.peek() in tokens

    def take(self, expected: str = "") -> str:
        """Step over the next token, which must begin with `expected`."""
        token, start = self.peek(), self.start
        if not token or not token.startswith(expected):
            raise self.error(f"expected '{expected}' in an enzyme op, found '{token}'", start)
        self.position = start + len(token)
        return token

    def skip(self, opening: str, kinds: str = "([{<") -> int:
        """Step over a text in brackets, looking at these `kinds` of brackets only; the place of its last bracket."""
        first = self.start
        self.take(opening)
        open_ = [_CLOSING[opening]]
        closing = {_CLOSING[kind] for kind in kinds}
        while open_ and (token := self.peek()):
            self.take()
            if token in kinds:
                open_.append(_CLOSING[token])
            elif token in closing and token != open_.pop():
                break
        else:
            if not open_:
                return self.position - 1
        raise self.error(f"unbalanced '{opening}' in an enzyme op", first)

    def replace(self, start: int, end: int, replacement: str) -> None:
        self.edits.append((start, end, replacement))

    def insert(self, text: str, position: int | None = None) -> None:
        position = self.position if position is None else position
        self.replace(position, position, text)

    def drop(self, expected: str = "") -> str:
        """Step over the next token and delete it."""
        start = self.start
        token = self.take(expected)
        self.replace(start, self.position, "")
        return token

    # -- parts of an op ------------------------------------------------------------------------------------------

    def operands(self) -> int:
        """``%a, %b`` gets parentheses; how many they are."""
        first, count = self.start, 0
        while self.at(",") if count else self.peek().startswith("%"):
            if count:
                self.take(",")
            self.take("%")
            count += 1
        if count:
            self.insert("(", first)
            self.insert(")")
        return count

    def attributes(self, *first: str) -> None:
        """Any of ``<{...}>``, ``<...>``, ``{...}`` and ``attributes {...}``, one after the other, become one
        dictionary, which begins with `first`."""
        groups = list(self._groups())
        if not groups and first:
            self.insert(f" {{{', '.join(first)}}}")
        full = bool(first)
        for n, (start, end) in enumerate(groups):
            empty = not _BLANK.sub("", self.text[start + 1 : end])
            opening = f"{{{', '.join(first)}" if n == 0 else ""
            self.replace(start, start + 1, opening + (", " if full and not empty else ""))
            self.replace(end, end + 1, "}" if n == len(groups) - 1 else "")
            full = full or not empty

    def _groups(self) -> Iterator[tuple[int, int]]:
        """Where the first and last bracket of each dictionary stand."""
        while self.at("<", "{", "attributes"):
            if self.at("attributes"):
                self.drop()
            if self.at("<"):
                start = self.start
                look = _Cursor(self.text, start + 1, self.name, self.edits)
                if look.at("{"):  # <{...}> is {...} in angle brackets
                    self.drop("<")
                    yield self.start, self.skip("{")
                    self.drop(">")
                else:
                    yield start, self.skip("<")
            else:
                yield self.start, self.skip("{")

    def type_(self) -> None:
        """Step over one type, such as ``f32``, ``!enzyme.Cache<...>`` or ``tensor<2x!quant.uniform<...>>``."""
        self.take()
        if self.text.startswith("<", self.position):
            self.skip("<")


def _call(cursor: _Cursor) -> None:
    """``enzyme.autodiff @f(%x) {...} : (...) -> ...``"""
    function = cursor.drop("@")
    cursor.skip("(")
    cursor.attributes(f"fn = {function}")


def _region(cursor: _Cursor) -> None:
    """``enzyme.autodiff_region(%x) { ... } attributes {...} : (...) -> ...``"""
    cursor.skip("(")
    cursor.insert("(", cursor.start)
    cursor.skip("{", kinds="{")  # the body has ops of all dialects: only braces are sure to be brackets there
    cursor.insert(")")
    cursor.attributes()


def _yield(cursor: _Cursor) -> None:
    """``enzyme.yield %x, %y : t, u``"""
    count = cursor.operands()
    if count:
        cursor.take(":")
        cursor.insert("(", cursor.start)
    else:
        cursor.insert("() : (")
    for n in range(count):
        if n:
            cursor.take(",")
        cursor.type_()
    cursor.insert(") -> ()")


def _unary(cursor: _Cursor) -> None:
    """``enzyme.ignore_derivatives %x : t -> t``"""
    if not cursor.operands():
        cursor.take("%")
    cursor.attributes()
    cursor.take(":")
    if not cursor.at("("):  # else as in generic form
        cursor.insert("(", cursor.start)
        cursor.type_()
        cursor.insert(")")


def _extract(cursor: _Cursor) -> None:
    """``enzyme.extract %x[1] : (t) -> u``"""
    if not cursor.operands():
        cursor.take("%")
    cursor.drop("[")
    if not cursor.peek().isdigit():
        raise cursor.error(
            "enzyme.extract with an index that is known at run time only",
            cursor.start,
            "slice with stablehlo.dynamic_slice",
        )
    index = cursor.drop()
    cursor.drop("]")
    cursor.attributes(f"index = {index} : i64")


def _listed(cursor: _Cursor) -> None:
    """``enzyme.concat(%x, %y) : (...) -> ...``"""
    cursor.skip("(")
    cursor.attributes()


_PRETTY: dict[str, Callable[[_Cursor], None]] = {
    "autodiff": _call,
    "autodiff_region": _region,
    "batch": _call,
    "concat": _listed,
    "dump": _unary,
    "extract": _extract,
    "fwddiff": _call,
    "fwddiff_region": _region,
    "ignore_derivatives": _unary,
    "jacobian": _call,
    "yield": _yield,
}
