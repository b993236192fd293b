"""Floats and integers that travel together as one wide integer, as C passes and copies small structs: they are taken
apart."""

from __future__ import annotations

import math
from collections.abc import Iterator
from itertools import islice

from gradir.machine.analysis.bytes.types import FunctionTypes, Kind, TypeAnalysis
from gradir.machine.ir import Constant, Function, Instruction, Module, Type, Value, integer
from gradir.machine.ir.instructions import add_offset, constant, extract_lane, load, shuffle, store

__all__ = ["copy_pieces", "inline_packed", "load_parts", "pieces_of", "take_lanes"]

_FEW = 50
"""Instructions of a function that may be written out for each of its calls."""


def inline_packed(module: Module) -> bool:
    """C passes a struct of a float and an integer as one integer, and programs pass a float's bits. Only where the
    callee is inlined are these what they were again. Whether a function was marked so."""
    casting = [f for f in module.definitions if f.may_hold(" = bitcast ") and _casts_floats(f)]
    marked = [f for f in [*casting, *filter(_is_of_bits, module.definitions)] if _takes_packed(f)]
    for function in marked:
        function.attributes.remove("noinline", "optnone")
        function.attributes.add("alwaysinline")
    return bool(marked)


def _is_of_bits(function: Function) -> bool:
    """Whether a small function makes an integer of integers: these may be the bits of floats."""
    if not all(t.is_integer for t in (function.result, *(a.type for a in function.arguments))):
        return False
    body = list(islice(function.instructions(), _FEW + 1))
    return len(body) <= _FEW and all(i.type.is_integer or i.opcode in ("br", "ret", "switch") for i in body)


def _takes_packed(function: Function) -> bool:
    types = [function.result, *(a.type for a in function.arguments)]
    wide = any(t.is_integer and t.count in (64, 128) for type in types if type.kind != "void" for _, t in type.parts())
    return wide and not function.has("alwaysinline")


def _casts_floats(function: Function) -> bool:
    return any(_is_scalar(cast.type) and _is_scalar(cast.operands[0].type) for cast in _casts(function))


def _is_scalar(type: Type) -> bool:
    return type.scalar.text in ("float", "double", "i32", "i64")


def _casts(function: Function) -> Iterator[Instruction]:
    """Where bits of one kind are taken for another."""
    if function.may_hold(" = bitcast "):
        for i in function.instructions():
            if i.opcode == "bitcast" and not isinstance(i.operands[0], Constant):
                yield i


def load_parts(module: Module) -> bool:
    """A float that is half of an integer from memory is loaded by itself. Whether there was one.

    >>> from gradir.machine.ir.text.printer import print_function
    >>> from gradir.machine.ir.text.reader import read
    >>> module = read('''define float @f(ptr %p) {
    ... entry:
    ...   %x = load i64, ptr %p, align 8
    ...   %y = lshr i64 %x, 32
    ...   %z = trunc i64 %y to i32
    ...   %f = bitcast i32 %z to float
    ...   ret float %f
    ... }''')
    >>> load_parts(module)
    True
    >>> print(print_function(module.functions["f"]))
    define float @f(ptr %p) {
    entry:
      %part = getelementptr i8, ptr %p, i64 4
      %f.1 = load float, ptr %part, align 4
      %x = load i64, ptr %p, align 8
      %y = lshr i64 %x, 32
      %z = trunc i64 %y to i32
      ret float %f.1
    }
    """
    found = [
        (cast, whole, by // 8)
        for function in module.definitions
        for cast in _casts(function)
        if cast.type.text == "float" and (taken := _taken_from(cast)) is not None
        for whole, by in [taken]
        if _is_load(whole) and whole.type.text == "i64" and by in (0, 32)
    ]
    for cast, whole, at in found:
        place = add_offset(whole.pointer, at, "part") if at else whole.pointer
        part = load(cast.type, place, min(4, whole.align), cast.ref[1:])
        whole.insert_before(*_located(whole, *([place] if isinstance(place, Instruction) and at else []), part))
        cast.erase(part)
    return bool(found)


def take_lanes(module: Module) -> bool:
    """Lanes that are taken out of a vector as part of one wide integer are taken, and stored, as lanes. Whether there
    were any.

    >>> from gradir.machine.ir.text.reader import read
    >>> module = read('''define <2 x double> @f(<8 x double> %v) {
    ... entry:
    ...   %w = bitcast <8 x double> %v to i512
    ...   %s = lshr i512 %w, 64
    ...   %p = trunc i512 %s to i128
    ...   %r = bitcast i128 %p to <2 x double>
    ...   ret <2 x double> %r
    ... }''')
    >>> take_lanes(module)
    True
    >>> print(module.functions["f"].entry.instructions[3])
    %r.1 = shufflevector <8 x double> %v, <8 x double> poison, <2 x i32> <i32 1, i32 2>
    """
    changed = False
    for function in module.definitions:
        for cast in list(_casts(function)):
            if cast.type.is_float and (made := _lanes_in(cast, cast.type.scalar, cast.ref[1:])) is not None:
                cast.insert_before(*_located(cast, made))
                cast.erase(made)
                changed = True
        for whole in list(_integer_stores(function)):
            if (made := _lanes_in(whole, None, "lanes")) is not None:
                whole.insert_before(*_located(whole, made, store(made, whole.pointer, whole.align)))
                whole.erase()
                changed = True
    return changed


def _integer_stores(function: Function) -> Iterator[Instruction]:
    """Where lanes may be stored as an integer."""
    if function.may_hold(" = bitcast <") and function.may_hold("store i"):
        for i in function.instructions():
            if i.opcode == "store" and i.value.type.is_integer and i.pieces[0].startswith("store i"):
                yield i


def _lanes_in(user: Instruction, element: Type | None, hint: str) -> Instruction | None:
    """The lanes that an integer is made of, as floats of one type or of any; None if it is made of other things."""
    taken = _taken_from(user)
    vector = taken[0].operands[0] if taken is not None and taken[0].opcode == "bitcast" else None
    if taken is None or vector is None or vector.type.kind != "vector" or not vector.type.is_float:
        return None
    size = vector.type.element.size * 8
    (first, rest), (count, more) = divmod(taken[1], size), divmod(user.operands[0].type.bits, size)
    if rest or more or first + count > vector.type.count or element not in (None, vector.type.element):
        return None
    is_one = count == 1 and user.type.kind != "vector"
    return extract_lane(vector, first, hint) if is_one else shuffle(vector, list(range(first, first + count)), hint)


def _taken_from(cast: Instruction) -> tuple[Instruction, int] | None:
    """The wide integer that bits were cut out of, and where they begin in it."""
    part = cast.operands[0]
    if not isinstance(part, Instruction) or part.opcode != "trunc":
        return None
    whole = part.operands[0]
    if not isinstance(whole, Instruction):
        return None
    if whole.opcode == "lshr" and isinstance(whole.operands[0], Instruction):
        by = whole.operands[1]
        if isinstance(by, Constant) and by.integer is not None:
            return whole.operands[0], by.integer
    return whole, 0


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
