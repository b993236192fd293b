"""The initialisers of globals: which addresses lie where in them, and the tables of shadows to go with them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from gradir.errors import RequestError
from gradir.machine.ir import Type
from gradir.machine.ir.tokens import Tokens

__all__ = ["names_in", "parts", "pointers_in", "scaled_address", "table"]

_ADDRESS = re.compile(r'getelementptr[\w ]*(?:inrange\([^)]*\) )?\(i8, ptr (@(?:"[^"]*"|[-\w.$]+)), i64 (-?\d+)\)')


def pointers_in(type: Type, text: str) -> Iterator[tuple[int, str]]:
    """The addresses in a constant, with the bytes where they lie.

    >>> from gradir.machine.ir import DOUBLE, PTR, array, struct
    >>> list(pointers_in(struct([DOUBLE, array(2, PTR)]), "{ double 1.0, [2 x ptr] [ptr @f, ptr null] }"))
    [(8, '@f')]
    """
    if "@" not in text:
        return
    if type.is_pointer:
        yield 0, text
    elif type.is_aggregate:
        body = text[2:-2] if text.startswith("<{") else text[1:-1]
        for i, (offset, part) in enumerate(zip(type.offsets, parts(body), strict=True)):
            inner = type.at([i])
            for at, pointer in pointers_in(inner, _without_type(part, inner)):
                yield offset + at, pointer
    else:
        raise RequestError(
            f"an address in the guise of {type} has no shadow: {text}", hint="keep the pointer a pointer"
        )


def names_in(text: str) -> list[str]:
    """The names of functions and variables that a constant, or any other text, mentions.

    >>> names_in('[2 x ptr] [ptr @f, ptr getelementptr (i8, ptr @"a b", i64 8)]')
    ['f', 'a b']
    """
    if "@" not in text:
        return []
    tokens = Tokens(text)
    return [name[1:].strip('"') for kind, name in zip(tokens.kinds, tokens.texts, strict=True) if kind == "glob"]


def _without_type(part: str, type: Type) -> str:
    if part.startswith(f"{type} "):
        return part[len(str(type)) + 1 :]
    return part.partition(" ")[2]  # a struct with a name


def parts(text: str) -> Iterator[str]:
    """What stands between commas, but for those within brackets and strings."""
    depth, start = 0, 0
    for m in re.finditer(r'"[^"]*"|[][(){}<>,]', text):
        if m[0] in "([{<":
            depth += 1
        elif m[0] in ")]}>":
            depth -= 1
        elif m[0] == "," and depth == 0:
            yield text[start : m.start()].strip()
            start = m.end()
    yield text[start:].strip()


def table(type: Type, text: str, scale: int, shadow: Callable[[str], str]) -> tuple[str, str]:
    """The type and the text of a shadow: `shadow` of each address, `scale` times as far from the start; else zero."""
    types, values, at = [], [], 0
    for offset, pointer in pointers_in(type, text):
        if gap := offset * scale - at:
            types.append(f"[{gap} x i8]")
            values.append(f"[{gap} x i8] zeroinitializer")
        types.append("ptr")
        values.append(f"ptr {shadow(pointer)}")
        at = offset * scale + 8
    if rest := type.size * scale - at:
        types.append(f"[{rest} x i8]")
        values.append(f"[{rest} x i8] zeroinitializer")
    return f"<{{ {', '.join(types)} }}>", f"<{{ {', '.join(values)} }}>"


def scaled_address(text: str, scale: int) -> str:
    """An address inside a global, so many times as far from its beginning.

    >>> scaled_address("getelementptr inbounds nuw inrange(-16, 8) (i8, ptr @table, i64 16)", 3)
    'getelementptr (i8, ptr @table, i64 48)'
    """
    made = _ADDRESS.sub(lambda m: f"getelementptr (i8, ptr {m[1]}, i64 {int(m[2]) * scale})", text)
    if made.count("getelementptr") != len(_ADDRESS.findall(text)):
        raise RequestError(f"an address inside a global has no interleaved shadow: {text}", hint="use separate shadows")
    return made
