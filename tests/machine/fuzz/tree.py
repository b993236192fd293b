"""Programs as trees of text, so that a shrinker can take parts out without knowing C.

A template's `$` stand for its children: `statement("if ($) $", condition, block)`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

__all__ = ["Block", "Expression", "Node", "Program", "Statement", "expression", "statement"]


@dataclass(eq=False)
class Node:
    parts: list[str | Node] = field(default_factory=list)

    def text(self) -> str:
        return "".join(p if isinstance(p, str) else p.text() for p in self.parts)

    def nodes(self) -> Iterator[Node]:
        yield self
        for part in self.parts:
            if isinstance(part, Node):
                yield from part.nodes()

    def size(self) -> int:
        return sum(1 for _ in self.nodes())


@dataclass(eq=False)
class Expression(Node):
    """Of a type: "T", "F", "int" or "bool"."""

    type: str = "T"


@dataclass(eq=False)
class Statement(Node):
    pass


@dataclass(eq=False)
class Block(Node):
    """Statements in braces, or without at the top of a file. Its parts are the statements."""

    braces: bool = True

    def text(self) -> str:
        body = "\n".join(p if isinstance(p, str) else p.text() for p in self.parts)
        return f"{{\n{body}\n}}" if self.braces else body


def _parts(template: str, children: Sequence[Node | str]) -> list[str | Node]:
    texts = template.split("$")
    if len(texts) != len(children) + 1:
        raise AssertionError(f"{template!r} has {len(texts) - 1} places for {len(children)} children")
    parts: list[str | Node] = [texts[0]]
    for child, text in zip(children, texts[1:], strict=True):
        parts += [child, text]
    return parts


def expression(type: str, template: str, *children: Node | str) -> Expression:
    return Expression(_parts(template, children), type)


def statement(template: str, *children: Node | str) -> Statement:
    return Statement(_parts(template, children))


@dataclass(eq=False)
class Program:
    """One generated function with all that it needs: `double <name>(T *x, T *y, const int *k, int n, T a)`."""

    name: str
    language: str
    """"c" or "cpp"."""
    top: Block
    features: set[str]

    def text(self) -> str:
        return indented(self.top.text())


def indented(text: str) -> str:
    """With each line's place by the braces around it."""
    lines, depth = [], 0
    for line in text.split("\n"):
        line = line.strip()
        closes = len(line) - len(line.lstrip("}"))
        lines.append("    " * max(depth - closes, 0) + line if not line.startswith("#") else line)
        depth += line.count("{") - line.count("}")
    return "\n".join(lines) + "\n"
