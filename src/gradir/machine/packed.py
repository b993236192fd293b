"""Floats and integers that travel together as one wide integer, as C passes and copies small structs: they are taken apart."""

from __future__ import annotations

import re

__all__ = ["with_packed_floats_inlined", "with_parts_loaded"]

_DEFINITION = re.compile(r"^define .*?^\}", re.MULTILINE | re.DOTALL)
_PACKED = re.compile(r"= bitcast (?:i(?:32|64) %\S+ to (?:float|double)|(?:float|double) %\S+ to i(?:32|64))\b")
_WIDE = re.compile(r"\bi(?:64|128)\b")


def with_packed_floats_inlined(text: str) -> str:
    """C passes a struct of a float and an integer as one integer. Only where the callee is inlined are these two values again."""
    groups = dict(re.findall(r"^attributes (#\d+) = \{(.*)\}", text, re.MULTILINE))
    added: dict[str, str] = {}

    def mark(match: re.Match[str]) -> str:
        head, _, body = match[0].partition("\n")
        group = re.search(r"\) .*?(#\d+)", head)
        if group is None or not _PACKED.search(body) or not _WIDE.search(head):
            return match[0]
        number = added.setdefault(groups[group[1]], f"#{len(groups) + len(added)}")
        return f"{head[: group.start(1)]}{number}{head[group.end(1) :]}\n{body}"

    text = _DEFINITION.sub(mark, text)
    for said, number in added.items():
        said = re.sub(r" (?:noinline|optnone|alwaysinline)(?= )", "", said)
        text += f"\nattributes {number} = {{ alwaysinline{said}}}\n"
    return text


_LOAD = re.compile(r"^  (%\S+) = load i64, ptr (\S+), align (\d+)(?=,|$)", re.MULTILINE)
_SHIFT = re.compile(r"^  (%\S+) = lshr (?:exact )?i64 (%\S+), 32(?=,|$)", re.MULTILINE)
_TRUNC = re.compile(r"^  (%\S+) = trunc (?:nuw |nsw )*i64 (%\S+) to i32(?=,|$)", re.MULTILINE)
_CAST = re.compile(r"^  (%\S+) = bitcast i32 (%\S+) to float(?:,.*)?\n", re.MULTILINE)


def with_parts_loaded(text: str) -> str:
    """A float that is half of an integer from memory is loaded by itself.

    >>> print(with_parts_loaded('''define float @f(ptr %p) {
    ...   %x = load i64, ptr %p, align 8
    ...   %y = lshr i64 %x, 32
    ...   %z = trunc i64 %y to i32
    ...   %f = bitcast i32 %z to float
    ...   ret float %f
    ... }'''))
    define float @f(ptr %p) {
      %f.part = getelementptr i8, ptr %p, i64 4
      %f = load float, ptr %f.part, align 4
      %x = load i64, ptr %p, align 8
      %y = lshr i64 %x, 32
      %z = trunc i64 %y to i32
      ret float %f
    }
    """
    return _DEFINITION.sub(_parts_loaded, text) if _CAST.search(text) else text


def _parts_loaded(match: re.Match[str]) -> str:
    body = match[0]
    loads = {m[1]: m for m in _LOAD.finditer(body)}
    shifted = {m[1]: m[2] for m in _SHIFT.finditer(body)}
    halves = {m[1]: m[2] for m in _TRUNC.finditer(body)}
    before: dict[str, str] = {}

    def drop(cast: re.Match[str]) -> str:
        whole = halves.get(cast[2], "")
        high = whole in shifted
        load = loads.get(shifted[whole] if high else whole)
        if load is None:
            return cast[0]
        name = cast[1].replace('"', "")
        align = min(4, int(load[3]))
        place, lines = load[2], ""
        if high:
            place = f'%"{name[1:]}.part"' if '"' in cast[1] else f"{name}.part"
            lines = f"  {place} = getelementptr i8, ptr {load[2]}, i64 4\n"
        before[load[1]] = before.get(load[1], "") + f"{lines}  {cast[1]} = load float, ptr {place}, align {align}\n"
        return ""

    body = _CAST.sub(drop, body)
    return _LOAD.sub(lambda m: before.get(m[1], "") + m[0], body)
