"""Bytes that together are a word, stored one by one: the word is stored.

Where LLVM has unrolled a loop that copies bytes, and put the loads before a loop or the stores after it, or where it
has taken bytes out of a word by shifts, there is no loop left that could be told to be a copy. But eight bytes beside
each other that come from eight beside each other are a word, and a word may be the bits of a float.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from gradir.machine.ir import (
    I8,
    I32,
    I64,
    Argument,
    Block,
    Constant,
    Global,
    Instruction,
    Module,
    Type,
    Value,
)
from gradir.machine.ir.constants import read_constant
from gradir.machine.ir.instructions import add_offset, load, located, store

__all__ = ["Spot", "are_apart", "may_write", "run", "spot_of"]

_WORDS = (I64, I32)


Base = Value | str
"""What an address is made of: a value, or the name of a global."""


class Spot(NamedTuple):
    """So many bytes after where something begins."""

    base: Base
    offset: int


class _Byte(NamedTuple):
    """One byte of a word: that of a number in a register, or (if `word` is a load of it alone) one from memory."""

    word: Value
    number: int


class _Put(NamedTuple):
    """A byte, where it goes, and the store that puts it there."""

    offset: int
    value: Value
    lane: int | None
    by: Instruction


class _Word(NamedTuple):
    """Bytes that are stored, and the word that they make up: in a register, or the bytes that some loads give."""

    parts: list[_Put]
    type: Type
    register: Value | None
    loads: list[Instruction]


def run(module: Module) -> bool:
    """Store words instead of their bytes. Whether there were some.

    >>> from gradir.machine.ir.text.reader import read
    >>> def lines(text): return "".join(text.replace("N", str(n)) for n in range(4))
    >>> loads = lines("  %aN = getelementptr i8, ptr %p, i64 N\\n  %vN = load i8, ptr %aN, align 1\\n")
    >>> stores = lines("  %bN = getelementptr i8, ptr %q, i64 N\\n  store i8 %vN, ptr %bN, align 1\\n")
    >>> module = read(f"define void @f(ptr %p, ptr %q) {{\\nentry:\\n{loads}{stores}  ret void\\n}}")
    >>> run(module)
    True
    >>> [str(i) for i in module.functions["f"].instructions() if i.opcode in ("load", "store")]
    ['%word = load i32, ptr %at, align 1', 'store i32 %word, ptr %b0, align 1']
    """
    joined = False
    for function in module.definitions:
        if function.may_hold("store i8 ") or function.may_hold(" x i8> "):
            groups = [group for block in function.blocks for group in _groups(block)]
            words = [word for group in groups for word in _words(group)]
            for word in words:
                _store(word)
            for i in {put.by for word in words for put in word.parts}:
                i.erase()
            for i in [i for i in function.instructions() if _is_byte_load(i) and not function.users.get(i)]:
                i.erase()
            joined |= bool(words)
    return joined


# -- where bytes go ---------------------------------------------------------------------------------------------------


def _groups(block: Block) -> Iterator[list[_Put]]:
    """Bytes that are stored beside each other, with nothing in between that could see some of them without the rest."""
    groups: dict[Base, list[_Put]] = {}
    for i in block.instructions:
        if i.opcode == "store" and not i.flags and _is_of_bytes(i.value.type):
            base, offset = spot_of(i.pointer)
            yield from _ended(groups, [b for b in groups if b != base and not are_apart(b, base)])
            lanes = i.value.type.count if i.value.type.kind == "vector" else None
            puts = [_Put(offset + (k or 0), i.value, k, i) for k in (range(lanes) if lanes is not None else [None])]
            if {p.offset for p in groups.get(base, [])} & {p.offset for p in puts}:
                yield from _ended(groups, [base])
            groups.setdefault(base, []).extend(puts)
        elif i.opcode in ("load", "store"):
            base, _ = spot_of(i.pointer)
            yield from _ended(groups, [b for b in groups if not are_apart(b, base)])
        elif _touches_memory(i):
            yield from _ended(groups, list(groups))
    yield from groups.values()


def _ended(groups: dict[Base, list[_Put]], bases: Sequence[Base]) -> Iterator[list[_Put]]:
    for base in bases:
        yield groups.pop(base)


def _is_of_bytes(type: Type) -> bool:
    return type == I8 or (type.kind == "vector" and type.element == I8)


def spot_of(pointer: Value) -> Spot:
    offset = 0
    while isinstance(pointer, Instruction) and pointer.opcode == "getelementptr" and len(pointer.operands) == 2:
        step = pointer.operands[1]
        if not isinstance(step, Constant) or step.integer is None:
            break
        offset += step.integer * pointer.accessed_type.size
        pointer = pointer.operands[0]
    if isinstance(pointer, (Constant, Global)) and (at := read_constant(pointer.type, pointer.ref).address) is not None:
        return Spot(at.name, offset + at.offset)
    return Spot(pointer, offset)


def are_apart(a: Base, b: Base) -> bool:
    """Whether two values point into different objects."""
    if a == b:
        return False
    return (_is_local(a) and _is_object(b)) or (_is_local(b) and _is_object(a)) or (_is_own(a) and _is_own(b))


def _is_local(value: Base) -> bool:
    return isinstance(value, Instruction) and value.opcode == "alloca"


def _is_object(value: Base) -> bool:
    return isinstance(value, (Argument, str)) or _is_local(value)


def _is_own(value: Base) -> bool:
    """Whether it is an object that nothing else leads to."""
    return isinstance(value, str) or (isinstance(value, Argument) and value.has("noalias"))


def may_write(i: Instruction) -> bool:
    """Whether an instruction may change memory."""
    return i.opcode == "store" or _touches_memory(i)


def _touches_memory(i: Instruction) -> bool:
    if i.opcode in ("call", "invoke"):
        return not (i.type.is_float and (i.callee_name or "").startswith("llvm."))
    return i.opcode in ("atomicrmw", "cmpxchg", "fence")


# -- what they are ----------------------------------------------------------------------------------------------------


def _words(puts: list[_Put]) -> list[_Word]:
    """The words that bytes make up, if need be in halves. Of a vector of bytes all have to."""
    by_offset = {put.offset: put for put in puts}
    words: list[_Word] = []
    at = min(by_offset)
    while at <= max(by_offset):
        word = next((w for type in _WORDS if at % type.size == 0 and (w := _word(by_offset, at, type))), None)
        if word is not None:
            words.append(word)
        at += len(word.parts) if word is not None else 1
    taken = {(put.by, put.lane) for word in words for put in word.parts}
    left = {put.by for put in puts if (put.by, put.lane) not in taken}
    while broken := [word for word in words if any(put.by in left for put in word.parts)]:
        left |= {put.by for word in broken for put in word.parts}
        words = [word for word in words if word not in broken]
    return words


def _word(puts: dict[int, _Put], at: int, type: Type) -> _Word | None:
    """The bytes from an offset on, if they are those of a word: in a register, or of loads that can be one."""
    parts = [puts[k] for k in range(at, at + type.size) if k in puts]
    bytes = [byte for put in parts if (byte := _byte(put.value, put.lane)) is not None]
    if len(bytes) != type.size:
        return None
    word = bytes[0].word
    if all(byte.word is word and word.type == type and byte.number == k for k, byte in enumerate(bytes)):
        return _Word(parts, type, word, [])
    loads = [byte.word for byte in bytes if isinstance(byte.word, Instruction) and _is_byte_load(byte.word)]
    return _Word(parts, type, None, loads) if len(loads) == len(bytes) and _are_one(loads) else None


def _store(word: _Word) -> None:
    """Where the last of its bytes is stored. The bytes themselves are left."""
    order = {i: n for n, i in enumerate(word.parts[0].by.block.instructions)}
    last = max((put.by for put in word.parts), key=order.__getitem__)
    value = word.register if word.register is not None else _loaded(word.loads, word.type)
    pointer = word.parts[0].by.pointer
    if word.parts[0].lane:
        made = add_offset(pointer, word.parts[0].lane, "at")
        last.insert_before(made)
        pointer = made
    last.insert_before(located(store(value, pointer, 1), last))


def _byte(value: Value, lane: int | None) -> _Byte | None:
    """Which byte of which word a byte is, or a lane of a vector."""
    shift = 0
    while isinstance(value, Instruction):
        match value.opcode:
            case "trunc":
                value = value.operands[0]
            case "lshr" if (by := _number(value.operands[1], lane)) is not None:
                value, shift = value.operands[0], shift + by
            case "insertelement" if lane is not None and (at := _number(value.operands[2], None)) is not None:
                value, lane = (value.operands[1], None) if at == lane else (value.operands[0], lane)
            case "shufflevector" if lane is not None:
                mask: tuple[int, ...] = value.info["mask"]  # type: ignore[assignment]
                first = value.operands[0].type.count
                if mask[lane] < 0:
                    return None
                value, lane = value.operands[int(mask[lane] >= first)], mask[lane] % first
            case _:
                break
    if lane is not None or isinstance(value, Constant) or shift % 8 or not value.type.is_integer:
        return None
    return _Byte(value, shift // 8)


def _number(value: Value, lane: int | None) -> int | None:
    if not isinstance(value, Constant):
        return None
    if lane is None or value.type.kind != "vector":
        return value.integer
    parts = read_constant(value.type, value.ref).parts
    return parts[lane].integer if lane < len(parts) else None


def _is_byte_load(value: Value) -> bool:
    return isinstance(value, Instruction) and value.opcode == "load" and value.type == I8 and not value.flags


def _are_one(loads: list[Instruction]) -> bool:
    """Whether loads are of bytes beside each other, and nobody writes there from the first to the last of them."""
    spots = [spot_of(i.pointer) for i in loads]
    begin = spots[0]
    if any(i.block is not loads[0].block for i in loads):
        return False
    if any(s.base != begin.base or s.offset != begin.offset + k for k, s in enumerate(spots)):
        return False
    left = set(loads)
    for i in loads[0].block.instructions:
        if i in left:
            left.discard(i)
            if not left:
                return True
        elif len(left) < len(loads) and (
            _touches_memory(i) or (i.opcode == "store" and not are_apart(spot_of(i.pointer).base, begin.base))
        ):
            return False
    return False


def _loaded(loads: list[Instruction], type: Type) -> Instruction:
    """The word that some bytes are, loaded where the first of them is."""
    order = {i: n for n, i in enumerate(loads[0].block.instructions)}
    first = min(loads, key=order.__getitem__)
    pointer = add_offset(first.pointer, -loads.index(first), "at")
    word = located(load(type, pointer, 1, "word"), first)
    first.insert_before(pointer, word)
    return word
