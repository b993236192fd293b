"""Debug locations in a derivative: which line of the source an instruction comes from, and what it is there for.

LLVM hands on the locations of instructions through all that it does, and little else. So the part that an instruction
has in a derivative is told by its location, too: by the discriminator of its scope, which DWARF has for telling apart
what was made of one line.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Literal, NamedTuple, get_args

from gradir.machine.ir.metadata import Metadata, Node

__all__ = ["Origin", "Part", "marked", "origin"]

Part = Literal["primal", "kept", "partial", "again", "shadow"]
"""The function itself; reading what was kept of it; a partial derivative; the function once more; a shadow."""
_PARTS: tuple[Part, ...] = get_args(Part)
_FIRST = 0x67726400
"""The discriminators of parts, from here on: compilers begin at 1."""
_DEEPEST = 64
"""How many scopes may stand in each other."""


class Origin(NamedTuple):
    """Where an instruction comes from."""

    file: str
    line: int
    part: Part
    callers: tuple[tuple[str, int], ...] = ()
    """The places of the calls that were inlined, innermost first."""


def marked(location: Node, part: Part, add: Callable[[str], str]) -> str:
    """The name of a location like another, for a part of a derivative; `add` adds nodes and gives their names."""
    scope, file = location.node("scope"), _file(location)
    if part == "primal" or scope is None or file is None:
        return location.name
    number = _FIRST + _PARTS.index(part)
    block = add(f"!DILexicalBlockFile(scope: {scope.name}, file: {file.name}, discriminator: {number})")
    line, column = location.number("line") or 0, location.number("column") or 0
    inlined = location.node("inlinedAt")
    at = f", inlinedAt: {inlined.name}" if inlined is not None else ""
    return add(f"!DILocation(line: {line}, column: {column}, scope: {block}{at})")


def origin(metadata: Metadata, name: str | None) -> Origin | None:
    """What a location says, if it leads to a line of a file."""
    location = metadata.node(name)
    place = _place(location)
    if location is None or place is None:
        return None
    callers: list[tuple[str, int]] = []
    around = location.node("inlinedAt")
    while around is not None and len(callers) < _DEEPEST:
        if (caller := _place(around)) is not None:
            callers.append(caller)
        around = around.node("inlinedAt")
    return Origin(*place, _part(location), tuple(callers))


def _place(location: Node | None) -> tuple[str, int] | None:
    line = location.number("line") if location is not None else None
    if location is None or not line or (file := _file(location)) is None:
        return None
    return os.path.join(file.string("directory") or "", file.string("filename") or "?"), line


def _file(location: Node) -> Node | None:
    scope = location.node("scope")
    for _ in range(_DEEPEST):
        if scope is None or (file := scope.node("file")) is not None:
            return None if scope is None else file
        scope = scope.node("scope")
    return None


def _part(location: Node) -> Part:
    scope = location.node("scope")
    for _ in range(_DEEPEST):
        if scope is None or scope.kind == "DISubprogram":
            break
        number = (scope.number("discriminator") or 0) - _FIRST
        if 0 <= number < len(_PARTS):
            return _PARTS[number]
        scope = scope.node("scope")
    return "primal"
