"""Floats and integers that travel together as one wide integer, as C passes and copies small structs: they are taken
apart."""

from __future__ import annotations

import math
import re

from gradir.machine.analysis.types import FunctionTypes, Kind, TypeAnalysis
from gradir.machine.ir import Constant, Instruction, Module, Value, integer
from gradir.machine.ir.instructions import add_offset, constant, load, store

__all__ = ["copy_pieces", "pieces_of", "with_lanes_taken", "with_packed_floats_inlined", "with_parts_loaded"]

_DEFINITION = re.compile(r"^define .*?^\}", re.MULTILINE | re.DOTALL)
_PACKED = re.compile(r"= bitcast (?:i(?:32|64) %\S+ to (?:float|double)|(?:float|double) %\S+ to i(?:32|64))\b")
_WIDE = re.compile(r"\bi(?:64|128)\b")


def with_packed_floats_inlined(text: str) -> str:
    """C passes a struct of a float and an integer as one integer. Only where the callee is inlined are these two
    values again."""
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
    for group, number in added.items():
        said = re.sub(r" (?:noinline|optnone|alwaysinline)(?= )", "", group)
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


# -- lanes -----------------------------------------------------------------------------------------------------------

_WHOLE = re.compile(r"^  (%\S+) = bitcast (<(\d+) x (float|double)>) (%\S+) to i\d+(?=,|$)", re.MULTILINE)
_MOVED = re.compile(r"^  (%\S+) = lshr (?:exact )?i\d+ (%\S+), (\d+)(?=,|$)", re.MULTILINE)
_PART = re.compile(r"^  (%\S+) = trunc (?:nuw |nsw )*i\d+ (%\S+) to i\d+(?=,|$)", re.MULTILINE)
_BACK = re.compile(
    r"^  (%\S+) = bitcast i\d+ (%\S+) to (?:<(\d+) x (float|double)>|(float|double))(?=,|$)", re.MULTILINE
)


def with_lanes_taken(text: str) -> str:
    """Lanes that are taken out of a vector as part of one wide integer are taken as lanes.

    >>> print(with_lanes_taken('''define <2 x double> @f(<8 x double> %v) {
    ...   %w = bitcast <8 x double> %v to i512
    ...   %s = lshr i512 %w, 64
    ...   %p = trunc i512 %s to i128
    ...   %r = bitcast i128 %p to <2 x double>
    ...   ret <2 x double> %r
    ... }''').split("\\n")[4].strip())
    %r = shufflevector <8 x double> %v, <8 x double> poison, <2 x i32> <i32 1, i32 2>
    """
    return _DEFINITION.sub(_lanes_taken, text) if _WHOLE.search(text) and _BACK.search(text) else text


def _lanes_taken(match: re.Match[str]) -> str:
    body = match[0]
    wholes = {m[1]: m for m in _WHOLE.finditer(body)}
    moved = {m[1]: (m[2], int(m[3])) for m in _MOVED.finditer(body)}
    parts = {m[1]: m[2] for m in _PART.finditer(body)}

    def take(back: re.Match[str]) -> str:
        source, by = moved.get(parts.get(back[2], ""), (parts.get(back[2], ""), 0))
        whole = wholes.get(source)
        element = back[4] or back[5]
        if whole is None or whole[4] != element or by % (32 if element == "float" else 64):
            return back[0]
        first = by // (32 if element == "float" else 64)
        if back[3] is None:
            return f"  {back[1]} = extractelement {whole[2]} {whole[5]}, i64 {first}"
        lanes = ", ".join(f"i32 {first + k}" for k in range(int(back[3])))
        return f"  {back[1]} = shufflevector {whole[2]} {whole[5]}, {whole[2]} poison, <{back[3]} x i32> <{lanes}>"

    return _BACK.sub(take, body)


# -- copies ----------------------------------------------------------------------------------------------------------


def copy_pieces(module: Module, types: TypeAnalysis) -> bool:
    """A small struct that is copied as one integer is copied piece by piece, where floats and other things are in it.

    Whether there was such a copy.
    """
    found: list[tuple[Instruction, list[tuple[int, int]]]] = []
    for function in module.functions.values():
        for i in function.instructions():
            if i.opcode != "store" or not i.value.type.is_integer or i.value.type.size not in (8, 16):
                continue
            if not _is_load(i.value) and not (isinstance(i.value, Constant) and i.value.integer is not None):
                continue
            pieces = pieces_of(types.of(function), i.pointer, i.value.type.size)
            if pieces is not None:
                found.append((i, pieces))
    for whole, pieces in found:
        _copy_in_pieces(whole, pieces)
    return bool(found)


def _copy_in_pieces(whole: Instruction, pieces: list[tuple[int, int]]) -> None:
    """Store, and load, one piece after the other."""
    value = whole.value
    for at, size in pieces:
        if isinstance(value, Instruction):
            part: Value = _part_of(value, at, size)
        else:
            assert isinstance(value, Constant)
            part = constant(integer(size * 8), (value.integer or 0) >> 8 * at & (1 << 8 * size) - 1)
        place = add_offset(whole.pointer, at, "piece")
        whole.insert_before(*_located(whole, place, store(part, place, _aligned(whole.align, at, size))))
    whole.erase()
    if isinstance(value, Instruction) and not value.block.function.users.get(value):
        value.erase()


def _part_of(whole: Instruction, at: int, size: int) -> Instruction:
    """A piece of what a load reads, loaded beside it."""
    place = add_offset(whole.pointer, at, "piece")
    part = load(integer(size * 8), place, _aligned(whole.align, at, size), f"{whole.ref[1:]}.{at}")
    whole.insert_after(*_located(whole, place, part))
    return part


def _located(origin: Instruction, *made: Instruction) -> tuple[Instruction, ...]:
    for i in made:
        i.metadata = {kind: node for kind, node in origin.metadata.items() if kind == "dbg"}
    return made


def _aligned(align: int, at: int, size: int) -> int:
    return math.gcd(align, at) if at else min(align, size)


def pieces_of(types: FunctionTypes, pointer: Value, size: int) -> list[tuple[int, int]] | None:
    """The offsets and sizes of what lies in some bytes, if there are floats and other things in it; else None."""
    if types.memory(pointer, 0, size) is not Kind.unknown:
        return None
    found: list[tuple[int, int]] = []
    kinds: set[Kind] = set()
    for at in range(0, size, 8):
        whole = types.memory(pointer, at, 8)
        if whole not in (Kind.unknown, Kind.anything):
            found.append((at, 8))
            kinds.add(whole)
            continue
        for half in (at, at + 4):
            found.append((half, 4))
            kinds.add(types.memory(pointer, half, 4))
    return found if Kind.unknown not in kinds and any(k.is_float for k in kinds) else None


def _is_load(value: Value) -> bool:
    return isinstance(value, Instruction) and value.opcode == "load" and not value.flags & {"volatile", "atomic"}
