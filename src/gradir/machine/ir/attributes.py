"""Attributes of functions, parameters, results and calls, as sets."""

from __future__ import annotations

from collections.abc import Iterator

from gradir.machine.ir.text.tokens import Tokens

__all__ = ["Attributes"]


class Attributes:
    """A set of attributes, each known by its name: `nounwind`, `align`, `memory`, `byval`, `"target-cpu"`.

    A name is asked for with or without the quotes of a string attribute, and with or without what it is said with.

    >>> said = Attributes('noundef align 8 byval(%pair) "target-cpu"="any"')
    >>> said.has("noundef"), said.has("align 8"), said.has("align 16"), said.value("byval"), said.value("target-cpu")
    (True, True, False, '%pair', 'any')
    >>> said.remove("byval", "target-cpu")
    True
    >>> said.add("align 16")
    >>> str(said)
    'noundef align 16'
    """

    __slots__ = ("_entries", "_text")

    def __init__(self, text: str = "") -> None:
        self._text = text
        """What has not been read yet."""
        self._entries: dict[str, str] = {}

    @property
    def _said(self) -> dict[str, str]:
        """Texts by name (that of a string attribute with its quotes)."""
        if self._text:
            text, self._text = self._text, ""
            self._entries.update(_parsed(text))
        return self._entries

    def has(self, attribute: str) -> bool:
        said = self._said
        if attribute in said or f'"{attribute}"' in said:
            return True
        return any(text == attribute for text in said.values())

    __contains__ = has

    def value(self, name: str) -> str | None:
        """What an attribute says: the type of `byval`, the number of `align`, the text of a string attribute."""
        text = self._said.get(name) or self._said.get(f'"{name}"')
        if text is None:
            return None
        if text[0] == '"':
            return text.partition("=")[2][1:-1]
        return text[len(name) :].strip(" =").removeprefix("(").removesuffix(")")

    def add(self, text: str) -> None:
        """Say more, or say it otherwise: the later word counts."""
        if text:
            self._said.update(_parsed(text))

    def mentions(self, word: str) -> bool:
        """Whether the word stands anywhere in it, which is quickly told."""
        return word in self._text or any(word in text for text in self._entries.values())

    def update(self, other: Attributes) -> None:
        self._said.update(other._said)

    def remove(self, *names: str) -> bool:
        """Whether any of them was there."""
        there = [key for key in self._said if key in names or key.strip('"') in names]
        for key in there:
            del self._said[key]
        return bool(there)

    def copy(self) -> Attributes:
        made = Attributes()
        made.update(self)
        return made

    @property
    def names(self) -> list[str]:
        """Without the quotes of string attributes."""
        return [key.strip('"') for key in self._said]

    def __iter__(self) -> Iterator[str]:
        return iter(self._said.values())

    def __len__(self) -> int:
        return len(self._said)

    def __str__(self) -> str:
        return " ".join(self._said.values())

    def __repr__(self) -> str:
        return f"<{self}>"


def _parsed(text: str) -> Iterator[tuple[str, str]]:
    tokens = Tokens(text)
    texts, spans, count = tokens.texts, tokens.spans, len(tokens.texts)
    while tokens.at < count:
        start = tokens.at
        name = tokens.next()
        if tokens.peek() == "(":
            tokens.skip_balanced()
        elif tokens.peek() == "=" and name[0] != '"':  # as groups write `alignstack`
            tokens.next()
            yield name, f"{name}({tokens.next()})"
            continue
        elif tokens.accept("=") or (name == "align" and tokens.at < count and texts[tokens.at].isdigit()):
            tokens.next()
        yield name, text[spans[start][0] : spans[tokens.at - 1][1]]
