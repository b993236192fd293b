"""The metadata of a module as nodes: debug information, TBAA, and what front ends attach besides.

A node is read when it is first asked for, once: a module has many more than anyone looks at. A part of a node is asked
for as what it should be (`node.number("line")`, `node.node("scope")`), by its name in a specialised node and by its
number in a tuple; a part that is not there, or is something else, is None or empty.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from gradir.machine.ir.text.tokens import Tokens, unescaped

__all__ = ["Metadata", "Node"]


class _Reference(NamedTuple):
    """Another node, by its name."""

    name: str


class _Words(NamedTuple):
    """Names of DWARF's or LLVM's, joined by `|`: a tag, an encoding, flags."""

    words: tuple[str, ...]


class _Constant(NamedTuple):
    """A constant of LLVM's, with its type: `i64 8`, `ptr @f`."""

    integer: int | None
    globals: tuple[str, ...]


@dataclass(eq=False, slots=True)
class Node:
    """A node. Nodes are compared by identity: the one that a name stands for is made once."""

    metadata: Metadata = field(repr=False)
    name: str
    """`!12`; empty for a node that stands inside another."""
    kind: str
    """The name of a specialised node, such as `DILocation`; empty for a tuple."""
    is_distinct: bool = False
    parts: dict[str | int, _Part] = field(default_factory=dict)

    def __contains__(self, key: str | int) -> bool:
        return key in self.parts

    @property
    def tag(self) -> str:
        """What it describes: DWARF's tag where it has one, else its kind."""
        return self.word("tag") or self.kind

    def node(self, key: str | int) -> Node | None:
        part = self.parts.get(key)
        if isinstance(part, _Reference):
            return self.metadata.node(part.name)
        return part if isinstance(part, Node) else None

    def nodes(self, key: str) -> list[Node | None]:
        """The entries of the tuple that a part is; None for those that are null."""
        listed = self.node(key)
        return [listed.node(i) for i in listed.parts] if listed is not None else []

    def string(self, key: str | int) -> str | None:
        part = self.parts.get(key)
        return part if isinstance(part, str) else None

    def number(self, key: str | int) -> int | None:
        part = self.parts.get(key)
        if isinstance(part, _Constant):
            return part.integer
        return part if isinstance(part, int) else None

    def words(self, key: str | int) -> tuple[str, ...]:
        part = self.parts.get(key)
        return part.words if isinstance(part, _Words) else ()

    def word(self, key: str | int) -> str:
        """The first of the words, or the only one."""
        return next(iter(self.words(key)), "")

    @property
    def globals(self) -> list[str]:
        """The names of functions and variables that it mentions."""
        return [name for part in self.parts.values() if isinstance(part, _Constant) for name in part.globals]


_Part = str | int | None | _Reference | _Words | _Constant | Node


class Metadata:
    """The nodes of a module, from the texts that stand behind their names.

    >>> metadata = Metadata({"!0": '!DILocation(line: 3, scope: !1)', "!1": 'distinct !DISubprogram(name: "f")'})
    >>> location = metadata.node("!0")
    >>> location.kind, location.number("line"), location.node("scope").string("name")
    ('DILocation', 3, 'f')
    """

    def __init__(self, texts: Mapping[str, str]) -> None:
        self._texts = texts
        self._nodes: dict[str, Node] = {}

    def node(self, name: str | None) -> Node | None:
        """The node that a name (`!12`) stands for, or the node that is written out in its place (`!{}`)."""
        found = self._nodes.get(name or "")
        if found is None and name:
            text = self._texts.get(name, name if name[-1] in ")}" else "")
            if text:
                found = self._nodes[name] = self._read(Tokens(text), name)
        return found

    def of_kind(self, kind: str) -> Iterator[Node]:
        """All specialised nodes of a kind."""
        begins = (f"!{kind}(", f"distinct !{kind}(")
        for name, text in self._texts.items():
            if text.startswith(begins) and (node := self.node(name)) is not None:
                yield node

    def _read(self, tokens: Tokens, name: str = "") -> Node:
        is_distinct = tokens.accept("distinct")
        # A list in a generic node stands without the mark that other tuples have.
        kind = "" if tokens.peek() == "{" else tokens.next().removeprefix("!")
        node = Node(self, name, kind, is_distinct)
        end = {"{": "}", "(": ")"}.get(tokens.next())
        if end is None:
            raise tokens.unreadable("no metadata")
        while not tokens.accept(end):
            key: str | int = len(node.parts)
            if tokens.peek(1) == ":":
                key = tokens.next()
                tokens.expect(":")
            node.parts[key] = self._read_part(tokens)
            if tokens.peek() != end:
                tokens.expect(",")
        return node

    def _read_part(self, tokens: Tokens) -> _Part:
        first, second = tokens.peek(), tokens.peek(1)
        if first == "{" or (first[:1] == "!" and second in ("{", "(")):
            return self._read(tokens)
        start = tokens.at
        while tokens.peek() not in (",", ")", "}", ""):
            if tokens.peek() in ("(", "[", "{", "<"):
                tokens.skip_balanced()
            else:
                tokens.next()
        return _leaf(tokens.kinds[start : tokens.at], tokens.texts[start : tokens.at])


def _leaf(kinds: list[str], texts: list[str]) -> _Part:
    """A part that holds no other node."""
    match kinds, texts:
        case ["meta"], [text]:
            return unescaped(text[1:]) if text[1:2] == '"' else _Reference(text)
        case ["string"], [text]:
            return unescaped(text)
        case ["number"], [text] if (number := _integer(text)) is not None:
            return number
        case ["word"], ["null"]:
            return None
    if kinds[:1] == ["word"] and all(text == "|" for text in texts[1::2]):
        return _Words(tuple(texts[::2]))
    names = tuple(text[1:].strip('"') for kind, text in zip(kinds, texts, strict=True) if kind == "glob")
    return _Constant(_integer(texts[1]) if len(texts) == 2 else None, names)


def _integer(text: str) -> int | None:
    try:
        return int(text)
    except ValueError:
        return {"true": 1, "false": 0}.get(text)
