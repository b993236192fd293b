"""How values of LLVM types lie in memory: sizes, alignments, and the numbers they are made of."""

from __future__ import annotations

import re
from dataclasses import dataclass

from gradir.errors import InputError

__all__ = ["Layout", "layout"]

# The format letters are those of `struct`; integers are packed unsigned, so that both readings of a number fit.
_SCALARS = {
    "half": (2, 2, "e"),
    "bfloat": (2, 2, "H"),
    "float": (4, 4, "f"),
    "double": (8, 8, "d"),
    "x86_fp80": (16, 16, "16s"),
    "fp128": (16, 16, "16s"),
    "ptr": (8, 8, "Q"),
    "i128": (16, 16, "16s"),
}


@dataclass(frozen=True)
class Layout:
    """A type's size and alignment in bytes, the offset and format of each number in it, and what it is made of."""

    size: int
    align: int
    numbers: tuple[tuple[int, str], ...]
    parts: tuple[Layout, ...] | None = None


def layout(text: str) -> Layout:
    """The layout of a type without names.

    >>> layout("{ double, [2 x i32], i8 }").numbers
    ((0, 'd'), (8, 'I'), (12, 'I'), (16, 'B'))
    >>> layout("{ i8, double }").size
    16
    """
    found, rest = _layout(text.strip())
    if rest:
        raise InputError(f"not a type: {text}")
    return found


def _layout(text: str) -> tuple[Layout, str]:
    if text.startswith("{"):
        return _struct(text[1:].lstrip())
    counted = re.match(r"([\[<])(\d+) x ", text)
    if counted:
        element, rest = _layout(text[counted.end() :])
        count = int(counted[2])
        whole = _in_a_row([element] * count)
        if counted[1] == "<":
            size = 1 << (max(whole.size, 1) - 1).bit_length()  # a vector is aligned to its size
            whole = Layout(size, size, whole.numbers, whole.parts)
        return whole, rest.lstrip()[1:].lstrip()
    word = re.match(r"\w+", text)
    if word is None:
        raise InputError(f"a type that can't be passed: {text}")
    rest = text[word.end() :].lstrip()
    if word[0] in _SCALARS:
        size, align, form = _SCALARS[word[0]]
        return Layout(size, align, ((0, form),)), rest
    bits = re.fullmatch(r"i(\d+)", word[0])
    if bits is None or int(bits[1]) > 64:
        raise InputError(f"a type that can't be passed: {word[0]}")
    size = max(1, 1 << (int(bits[1]) - 1).bit_length() >> 3) if int(bits[1]) > 8 else 1
    return Layout(size, size, ((0, {1: "B", 2: "H", 4: "I", 8: "Q"}[size]),)), rest


def _struct(text: str) -> tuple[Layout, str]:
    parts = []
    while not text.startswith("}"):
        part, text = _layout(text)
        parts.append(part)
        text = text.lstrip().removeprefix(",").lstrip()
    return _in_a_row(parts), text[1:].lstrip()


def _in_a_row(parts: list[Layout]) -> Layout:
    at, align = 0, 1
    numbers: list[tuple[int, str]] = []
    for part in parts:
        at = -(-at // part.align) * part.align
        numbers += [(at + offset, form) for offset, form in part.numbers]
        at += part.size
        align = max(align, part.align)
    return Layout(-(-at // align) * align, align, tuple(numbers), tuple(parts))
