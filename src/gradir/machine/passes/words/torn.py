"""Words that are copied in two pieces are copied as one.

Rust's `Result<T, E>` has the first byte of an `E` where `T` has a word of its own. LLVM reads that byte by itself, and
then stores it beside a copy of what follows: of an address, one byte and seven more. C++'s `std::optional<T>` begins
with a byte that stands for nothing, and where LLVM keeps that byte of a variable in a register, the variable is a byte
shorter than what is copied by it.
"""

from __future__ import annotations

from typing import NamedTuple

from gradir.machine.ir import I1, I8, I64, VOID, Constant, Instruction, Module, Value, array
from gradir.machine.ir.instructions import add_offset, alloca, call, constant, located
from gradir.machine.passes.words.byte_words import Spot, are_apart, spot_of

__all__ = ["run"]

_COPY = "llvm.memcpy.p0.p0.i64"
_WORD = 8
_HARMLESS = ("llvm.lifetime.", "llvm.experimental.noalias.", "llvm.dbg.")


def run(module: Module) -> None:
    """Copy the whole word that a copy begins within, if the piece before it is copied beside it.

    >>> from gradir.machine.ir.text.reader import read
    >>> module = read('''
    ... declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
    ... define void @f(ptr noalias %p, ptr noalias %q) {
    ... entry:
    ...   %tag = load i8, ptr %p, align 8
    ...   %p1 = getelementptr i8, ptr %p, i64 1
    ...   %q1 = getelementptr i8, ptr %q, i64 1
    ...   call void @llvm.memcpy.p0.p0.i64(ptr %q1, ptr %p1, i64 15, i1 false)
    ...   store i8 %tag, ptr %q, align 8
    ...   ret void
    ... }''')
    >>> run(module)
    >>> [str(i) for i in module.functions["f"].instructions() if i.opcode in ("store", "call")]
    ['call void @llvm.memcpy.p0.p0.i64(ptr %to, ptr %from, i64 16, i1 false)']
    """
    if _COPY not in module.functions:
        return
    for function in module.definitions:
        if function.may_hold(_COPY):
            for i in [i for i in function.instructions() if i.opcode == "alloca" and not i.operands]:
                if (torn := _torn(i)) is not None:
                    _make_whole(module, i, torn)
            for i in list(function.instructions()):
                if i.callee_name == _COPY and (piece := _piece_before(i)) is not None:
                    _join(module, i, piece)


def _piece_before(copy: Instruction) -> Instruction | None:
    """The store of the bytes between the beginning of a word and that of a copy within it."""
    (to, begin), source = spot_of(copy.arguments[0]), spot_of(copy.arguments[1])
    size = copy.arguments[2]
    before = begin % _WORD
    if not before or source.offset % _WORD != before or not isinstance(size, Constant):
        return None
    if (size.integer or 0) < _WORD - before or not are_apart(to, source.base):
        return None
    block = copy.block.instructions
    for store in (i for i in block if i.opcode == "store" and spot_of(i.pointer) == Spot(to, begin - before)):
        read = store.value
        if not isinstance(read, Instruction) or read.opcode != "load":
            continue
        whole = read.type.is_integer and read.type.count == 8 * before
        same = spot_of(read.pointer) == Spot(source.base, source.offset - before)
        if whole and same and not (store.flags or read.flags) and _nothing_between(copy, store, read):
            return store
    return None


def _nothing_between(copy: Instruction, store: Instruction, read: Instruction) -> bool:
    """Whether nobody sees that a piece is written with the copy, or writes where it is read."""
    block = copy.block.instructions
    at, stored = block.index(copy), block.index(store)
    others = _on_the_way(read, copy)
    if others is None or any(_writes(i) for i in others if i is not store):
        return False
    spot = spot_of(store.pointer)
    return not any(_meets(i, spot, read.type.size) for i in block[min(at, stored) + 1 : max(at, stored)])


def _on_the_way(first: Instruction, last: Instruction) -> list[Instruction] | None:
    """What runs between two instructions, if the only way to the second one leads by the first."""
    block, found, seen = last.block, [], {last.block}
    there = block.instructions[: block.instructions.index(last)]
    while first not in there:
        found += there
        if len(block.predecessors) != 1 or (block := block.predecessors[0]) in seen:
            return None
        seen.add(block)
        there = block.instructions
    return found + there[there.index(first) + 1 :]


def _writes(i: Instruction) -> bool:
    if i.opcode in ("call", "invoke"):
        return not _is_harmless(i)
    return i.opcode in ("store", "atomicrmw", "cmpxchg", "fence")


def _meets(i: Instruction, spot: Spot, size: int) -> bool:
    """Whether an instruction may read or write some bytes."""
    if i.opcode not in ("load", "store"):
        return _writes(i)
    base, offset = spot_of(i.pointer)
    if base == spot.base:
        return offset < spot.offset + size and spot.offset < offset + i.accessed_type.size
    return not are_apart(base, spot.base)


def _join(module: Module, copy: Instruction, piece: Instruction) -> None:
    to, source = copy.arguments[:2]
    _copy_more(module, copy, piece.value.type.size, to, source)
    piece.erase()


def _copy_more(module: Module, copy: Instruction, before: int, to: Value, source: Value) -> None:
    """Let a copy begin some bytes earlier."""
    size = copy.arguments[2]
    assert isinstance(size, Constant) and size.integer is not None
    ends = [add_offset(p, -before, name) for p, name in ((to, "to"), (source, "from"))]
    whole = [*ends, constant(I64, size.integer + before), Constant(I1, "false")]
    for made in (*ends, call(VOID, module.globals[_COPY], whole)):
        copy.insert_before(located(made, copy))
    copy.erase()


# -- variables ---------------------------------------------------------------------------------------------------------


class _Torn(NamedTuple):
    """A variable without the first bytes of what is copied by it."""

    filled: Instruction
    taken: list[tuple[Instruction, Instruction]]
    """The copies out of it, and the stores of the first bytes beside them."""
    before: int


def _torn(variable: Instruction) -> _Torn | None:
    """What is known of a variable that is filled by one copy, if whoever copies it stores the bytes before as well."""
    users = [u for u in variable.block.function.users.get(variable, ()) if not _is_harmless(u)]
    if not all(u.callee_name == _COPY and _is_of_size(u, variable.accessed_type.size) for u in users):
        return None
    filled, taken = ([u for u in users if u.arguments[n] is variable] for n in (0, 1))
    if len(filled) != 1 or not taken or filled[0] in taken:
        return None
    pieces = [_first_bytes(copy, filled[0]) for copy in taken]
    sizes = {p.value.type.size for p in pieces if p is not None}
    if None in pieces or len(sizes) != 1:
        return None
    return _Torn(filled[0], [(c, p) for c, p in zip(taken, pieces, strict=True) if p is not None], sizes.pop())


def _is_harmless(i: Instruction) -> bool:
    return (i.callee_name or "").startswith(_HARMLESS)


def _is_of_size(copy: Instruction, size: int) -> bool:
    return isinstance(copy.arguments[2], Constant) and copy.arguments[2].integer == size


def _first_bytes(copy: Instruction, filled: Instruction) -> Instruction | None:
    """The store of what stands before the source of a variable's bytes to where they are copied at last."""
    to, source = spot_of(copy.arguments[0]), spot_of(filled.arguments[1])
    for store in [i for i in copy.block.instructions if i.opcode == "store" and spot_of(i.pointer).base == to.base]:
        read, before = store.value, to.offset - spot_of(store.pointer).offset
        if not isinstance(read, Instruction) or read.opcode != "load" or read.block is not filled.block:
            continue
        whole = 0 < before < _WORD and read.type.is_integer and read.type.count == 8 * before
        if not whole or spot_of(read.pointer) != Spot(source.base, source.offset - before):
            continue
        others = _between(read, filled)
        unseen = not any(_meets(i, spot_of(store.pointer), before) for i in _between(store, copy))
        if unseen and not any(map(_writes, others)) and not (store.flags or read.flags):
            return store
    return None


def _between(a: Instruction, b: Instruction) -> list[Instruction]:
    """What stands between two instructions of a block."""
    block = a.block.instructions
    first, last = sorted((block.index(a), block.index(b)))
    return block[first + 1 : last]


def _make_whole(module: Module, variable: Instruction, torn: _Torn) -> None:
    """Give a variable room for the bytes before."""
    size = variable.accessed_type.size
    whole = located(alloca(array(size + torn.before, I8), _WORD, "whole"), variable)
    variable.insert_before(whole)
    rest = add_offset(whole, torn.before, "rest")
    variable.insert_before(located(rest, variable))
    _copy_more(module, torn.filled, torn.before, rest, torn.filled.arguments[1])
    for copy, piece in torn.taken:
        _copy_more(module, copy, torn.before, copy.arguments[0], rest)
        piece.erase()
    for user in list(variable.block.function.users.get(variable, ())):
        user.erase()
    variable.erase()
