"""The tokens of LLVM IR text, line by line."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection

from gradir.errors import InputError

__all__ = ["Tokens", "global_names", "local_refs", "renamed", "unescaped", "without_words", "words"]


def words(text: str) -> frozenset[str]:
    return frozenset(text.split())


def unescaped(text: str) -> str:
    r"""What a string stands for: without its quotes, and with the bytes that its escapes name.

    >>> unescaped(r'"a \22b\22 \C3\A9"')
    'a "b" é'
    """
    first, *escaped = text.removeprefix('"').removesuffix('"').replace("\\\\", "\\5C").split("\\")
    if not escaped:
        return first
    parts = [first.encode(), *(bytes.fromhex(part[:2]) + part[2:].encode() for part in escaped)]
    return b"".join(parts).decode(errors="replace")


_TOKEN = re.compile(
    r"""\s*(?:
      (?P<local>%(?:"(?:[^"\\]|\\\\|\\..)*"|[-\w.$]+))
    | (?P<glob>@(?:"(?:[^"\\]|\\\\|\\..)*"|[-\w.$]+))
    | (?P<string>c?"(?:[^"\\]|\\\\|\\..)*")
    | (?P<meta>!(?:"(?:[^"\\]|\\\\|\\..)*"|[-\w.$]+)?)
    | (?P<group>\#\d+)
    | (?P<number>-?\d[\w.+-]*)
    | (?P<word>[-\w.$]+)
    | (?P<punct>\.\.\.|[][(){}<>,=*|:])
    )""",
    re.VERBOSE,
)
_FLAGS = words(
    "nuw nsw exact disjoint nneg samesign inbounds nusw nnan ninf nsz arcp contract afn reassoc fast volatile atomic"
)


_SYMBOL = re.compile(r'''(?P<ref>[@%]"(?:[^"\\]|\\\\|\\..)*"|[@%][-\w.$]+)|"(?:[^"\\]|\\\\|\\..)*"''')
"""A name, or a string (in which nothing is a name)."""


def global_names(text: str) -> list[str]:
    """The names of functions and variables in a text of any length, each once.

    >>> global_names('call void @f(ptr @"a b", ptr @f) ; "@no"')
    ['f', 'a b']
    """
    refs = dict.fromkeys(m["ref"] for m in _SYMBOL.finditer(text) if m["ref"] and m["ref"][0] == "@")
    return [ref[1:].strip('"') for ref in refs]


def local_refs(text: str) -> list[str]:
    """How the values (and named types) of a function are written that stand in a text, each once.

    >>> local_refs('fmul double %x, %"a b" ; "%no"')
    ['%x', '%"a b"']
    """
    return list(dict.fromkeys(m["ref"] for m in _SYMBOL.finditer(text) if m["ref"] and m["ref"][0] == "%"))


def renamed(text: str, rename: Callable[[str], str]) -> str:
    """A text with other names for the values, types and functions in it. `rename` is given the name with its mark.

    >>> renamed('call void @f(ptr %x, metadata !"@f")', lambda ref: ref.replace("@f", "@g"))
    'call void @g(ptr %x, metadata !"@f")'
    """
    return _SYMBOL.sub(lambda m: rename(m[0]) if m["ref"] else m[0], text)


def without_words(text: str, dropped: Collection[str]) -> str:
    """A piece of text without some words.

    >>> without_words("add nuw nsw i64 ", ["nuw"])
    'add nsw i64 '
    """
    tokens, gone = Tokens(text), list[tuple[int, int]]()
    for n, (word, (begin, _)) in enumerate(zip(tokens.texts, tokens.spans, strict=True)):
        if word in dropped:
            gone.append((begin, tokens.spans[n + 1][0] if n + 1 < len(tokens.texts) else len(text)))
    for begin, end in reversed(gone):
        text = text[:begin] + text[end:]
    return text


class Tokens:
    """The tokens of one line, with their places in it."""

    __slots__ = ("at", "kinds", "line", "spans", "texts")

    def __init__(self, line: str, start: int = 0) -> None:
        self.line = line
        self.texts: list[str] = []
        self.kinds: list[str] = []
        self.spans: list[tuple[int, int]] = []
        self.at = 0
        for m in _TOKEN.finditer(line, start):
            if m.start() != start:
                break
            kind = m.lastgroup or ""
            self.kinds.append(kind)
            self.texts.append(m[kind])
            self.spans.append(m.span(kind))
            start = m.end()
        if start < len(line) and line[start:].strip():
            raise InputError(f"can't read this LLVM IR: {line.strip()}")

    def peek(self, ahead: int = 0) -> str:
        at = self.at + ahead
        return self.texts[at] if at < len(self.texts) else ""

    def next(self) -> str:
        if self.at == len(self.texts):
            raise self.unreadable("it ends too soon")
        text = self.texts[self.at]
        self.at += 1
        return text

    def number(self) -> int:
        text = self.next()
        if not text.isdigit():
            raise self.unreadable(f"{text!r} is no number")
        return int(text)

    def unreadable(self, why: str) -> InputError:
        return InputError(f"can't read this LLVM IR ({why}): {self.line.strip()}")

    def accept(self, text: str) -> bool:
        if self.peek() == text and self.at < len(self.texts):
            self.at += 1
            return True
        return False

    def expect(self, text: str) -> None:
        if not self.accept(text):
            raise self.unreadable(f"expected {text!r}")

    def skip_balanced(self) -> None:
        """Over one bracketed group that begins here."""
        depth = 0
        while self.at < len(self.texts):
            text = self.next()
            if text in ("(", "[", "{", "<"):
                depth += 1
            elif text in (")", "]", "}", ">"):
                depth -= 1
                if depth == 0:
                    return

    def flags(self) -> frozenset[str]:
        found = []
        while True:
            word = self.peek()
            if word in _FLAGS:
                found.append(self.next())
            elif word == "inrange":
                self.next()
                self.skip_balanced()
            else:
                return frozenset(found)
