"""Bytes that are moved one after the other are moved as what they are: words instead of vectors of bytes, and one copy
instead of a loop.

A loop that copies byte by byte is no `memmove` to a compiler where the two ends may overlap. It is a call of
`gradir.copy_bytes` here, which copies in the same order, and which has a derivative as all copies have.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from gradir.machine.analysis.bytes.types import FunctionTypes, TypeAnalysis
from gradir.machine.ir import I8, I64, VOID, Block, Constant, Global, Instruction, Module, Type, Value, array, vector
from gradir.machine.ir.instructions import alloca, call, cast, constant, element, jump, load, located, store, subtract
from gradir.machine.ir.text.reader import extend
from gradir.machine.passes.words.byte_words import are_apart, may_write, spot_of
from gradir.machine.rules.known import COPY_BYTES

__all__ = ["gather", "reread", "widen"]

_WORD = 8
_SHORTEST = 4
"""Bytes of the smallest float that is copied so."""


# -- Vectors ---------------------------------------------------------------------------------------------------------


def widen(module: Module) -> None:
    """Vectors of bytes that are only moved become words, or vectors of words.

    >>> from gradir.machine.ir.text.reader import read
    >>> module = read('''define void @f(ptr %p, ptr %q) {
    ... entry:
    ...   %v = load <16 x i8>, ptr %q, align 1
    ...   store <16 x i8> %v, ptr %p, align 1
    ...   ret void
    ... }''')
    >>> widen(module)
    >>> print(module.functions["f"].entry.instructions[0])
    %words = load <2 x i64>, ptr %q, align 1
    """
    for function in module.definitions:
        if function.may_hold(" x i8>") or function.may_hold(" x i16>"):
            for i in list(function.instructions()):
                if i.opcode == "load" and not i.flags and _is_of_words(i.type) and _is_only_moved(i):
                    _widen(i)


def _is_of_words(type: Type) -> bool:
    return type.kind == "vector" and type.element.text in ("i8", "i16") and type.size % _WORD == 0


def _is_only_moved(i: Instruction) -> bool:
    users = i.block.function.users.get(i, [])
    return all(u.opcode == "bitcast" or (u.opcode == "store" and u.value is i and not u.flags) for u in users)


def _widen(narrow: Instruction) -> None:
    count = narrow.type.size // _WORD
    wide = load(I64 if count == 1 else vector(count, I64), narrow.pointer, narrow.align, "words")
    wide.metadata = {kind: node for kind, node in narrow.metadata.items() if kind == "dbg"}
    narrow.insert_before(wide)
    for user in list(narrow.block.function.users.get(narrow, ())):
        if user.opcode == "store":
            user.insert_before(store(wide, user.pointer, user.align))
            user.erase()
        else:
            made: Value = wide
            if wide.type != user.type:
                made = cast("bitcast", wide, user.type, user.hint)
                user.insert_before(made)  # type: ignore[arg-type]
            user.erase(made)
    narrow.erase()


# -- First bytes -----------------------------------------------------------------------------------------------------


def reread(module: Module) -> None:
    """The first byte of a copy is loaded as the others are, where LLVM took it from a register that held its float.

    >>> from gradir.machine.ir.text.reader import read
    >>> module = read('''define double @f(ptr %p, ptr %q) {
    ... entry:
    ...   %x = load double, ptr %q, align 8
    ...   %word = bitcast double %x to i64
    ...   %first = trunc i64 %word to i8
    ...   store i8 %first, ptr %p, align 1
    ...   %q1 = getelementptr i8, ptr %q, i64 1
    ...   %second = load i8, ptr %q1, align 1
    ...   %p1 = getelementptr i8, ptr %p, i64 1
    ...   store i8 %second, ptr %p1, align 1
    ...   ret double %x
    ... }''')
    >>> reread(module)
    >>> [str(i) for i in module.functions["f"].entry.instructions if i.type.text == "i8"]
    ['%first = trunc i64 %word to i8', '%byte = load i8, ptr %q, align 1', '%second = load i8, ptr %q1, align 1']
    """
    for function in module.definitions:
        if function.may_hold(" to i8") and function.may_hold(" load i8, "):
            for i in list(function.instructions()):
                if i.opcode == "store" and not i.flags and (source := _where_it_lies(i)) is not None:
                    again = located(load(I8, source, 1, "byte"), i)
                    i.insert_before(again)
                    i.set_operand(0, again)


def _where_it_lies(first: Instruction) -> Value | None:
    """Where the float is in memory whose lowest byte is stored, if the byte after it is copied next from there."""
    x: Value = first.value
    for opcode in ("trunc", "bitcast"):
        if not isinstance(x, Instruction) or x.opcode != opcode:
            return None
        x = x.operands[0]
    source = _last_place(x, first) if x.type.is_float and first.value.type == I8 else None
    later = (i for i in first.block.instructions[first.position + 1 :] if i.opcode == "load" or may_write(i))
    byte, stored = next(later, None), next(later, None)
    if source is None or byte is None or byte.opcode != "load" or not _is_byte(byte):
        return None
    if stored is None or stored.opcode != "store" or not _is_stored(stored, byte):
        return None
    ends = ((source, byte.pointer), (first.pointer, stored.pointer))
    return source if all(_address(a).precedes(_address(b), 1) for a, b in ends) else None


def _last_place(x: Value, before: Instruction) -> Value | None:
    """Where a value was loaded from or stored to last, if nothing was written there since."""
    written: list[Value | str] = []
    for i in reversed(before.block.instructions[: before.position]):
        if (i is x and i.opcode == "load") or (i.opcode == "store" and i.value is x):
            base = spot_of(i.pointer).base
            return i.pointer if not i.flags and all(are_apart(base, other) for other in written) else None
        if i.opcode == "store":
            written.append(spot_of(i.pointer).base)
        elif may_write(i):
            return None
    return None


# -- Runs ------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Address:
    """A value, perhaps plus another one, plus some bytes."""

    base: Value
    index: Value | None
    offset: int

    def precedes(self, other: _Address, by: int) -> bool:
        return self.base is other.base and self.index is other.index and self.offset + by == other.offset


@dataclass(frozen=True)
class _Run:
    """Bytes that are loaded and stored one by one, next to each other, with nothing in between."""

    loads: list[Instruction]
    stores: list[Instruction]

    @property
    def source(self) -> Value:
        return self.loads[0].pointer

    @property
    def target(self) -> Value:
        return self.stores[0].pointer


def gather(module: Module, types: TypeAnalysis) -> bool:
    """Runs of bytes where floats are, and loops of such, become copies. Whether there was one."""
    found: list[tuple[_Run, _Loop | None]] = []
    exchanges: list[_Exchange] = []
    for function in module.definitions:
        if function.may_hold(" load i8, "):
            known = types.of(function)
            for block in function.blocks:
                found += [(run, loop) for run, loop in _runs(block) if _moves_floats(run, known)]
                exchanges += [e for e in _exchanges(block) if known.overlaps_floats(e.first.pointer, 1)]
    for exchange in exchanges:
        _exchange(module, exchange)
    for run, loop in found:
        if loop is not None:
            _replace_loop(module, run, loop)
        else:
            size = constant(I64, len(run.loads))
            run.stores[0].insert_before(_located(run, call(VOID, _copy(module), [run.target, run.source, size])))
            for i in (*run.stores, *run.loads):
                i.erase()
    return bool(found or exchanges)


def _runs(block: Block) -> Iterator[tuple[_Run, _Loop | None]]:
    runs = [run for run in _runs_in(block) if run.loads]
    if len(runs) == 1 and block in block.successors and (loop := _loop(block, runs[0])) is not None:
        yield runs[0], loop
    else:
        yield from ((run, None) for run in runs if len(run.loads) >= _SHORTEST)


def _runs_in(block: Block) -> Iterator[_Run]:
    run, pending = _Run([], []), None
    for i in block.instructions:
        if i.opcode == "load" and _is_byte(i) and pending is None:
            pending = i
        elif i.opcode == "store" and pending is not None and _is_stored(i, pending):
            if run.loads and not _follows(run, pending, i):
                yield run
                run = _Run([], [])
            run.loads.append(pending)
            run.stores.append(i)
            pending = None
        elif i.opcode in ("load", "store", "call", "invoke", "atomicrmw", "cmpxchg", "fence"):
            yield run
            run, pending = _Run([], []), i if i.opcode == "load" and _is_byte(i) else None
    yield run


def _is_byte(i: Instruction) -> bool:
    return i.type.text == "i8" and not i.flags and len(i.block.function.users.get(i, ())) == 1


def _is_stored(i: Instruction, value: Instruction) -> bool:
    return i.value is value and not i.flags


def _follows(run: _Run, byte: Instruction, stored: Instruction) -> bool:
    n = len(run.loads)
    return _address(run.source).precedes(_address(byte.pointer), n) and _address(run.target).precedes(
        _address(stored.pointer), n
    )


def _address(pointer: Value) -> _Address:
    offset, index = 0, None
    while isinstance(pointer, Instruction) and pointer.opcode == "getelementptr" and len(pointer.operands) == 2:
        step = pointer.operands[1]
        if isinstance(step, Constant) and step.integer is not None:
            offset += step.integer * pointer.accessed_type.size
        elif index is None and pointer.accessed_type.size == 1:
            index, more = _index(step)
            offset += more
        else:
            break
        pointer = pointer.operands[0]
    return _Address(pointer, index, offset)


def _index(value: Value) -> tuple[Value, int]:
    """A value, and what is added to it."""
    if isinstance(value, Instruction) and (value.opcode == "add" or "or disjoint" in value.pieces[0]):
        other = value.operands[1]
        if isinstance(other, Constant) and other.integer is not None:
            return value.operands[0], other.integer
    return value, 0


def _moves_floats(run: _Run, types: FunctionTypes) -> bool:
    """Whether there are floats at either end, so that the bytes are theirs."""
    return any(types.overlaps_floats(i.pointer, 1) for i in (*run.loads, *run.stores))


# -- Exchanges ---------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Exchange:
    """Bytes in two places that take each other's places, one after the other, with nothing in between."""

    turns: list[list[Instruction]]
    """Of each two bytes: where they are loaded and stored."""

    @property
    def first(self) -> Instruction:
        return self.turns[0][0]

    @property
    def second(self) -> Instruction:
        return self.turns[0][1]


def _exchanges(block: Block) -> Iterator[_Exchange]:
    """Exchanges of places that are apart, or the same: where they overlap, bytes would move twice."""
    accesses = [i for i in block.instructions if i.opcode == "load" or may_write(i)]
    at = 0
    while at + 4 <= len(accesses):
        turns: list[list[Instruction]] = []
        while _is_turn(turn := accesses[at : at + 4]) and (not turns or _is_next(turns[0], turn, len(turns))):
            turns.append(turn)
            at += 4
        if len(turns) >= _SHORTEST and _are_one_or_apart(turns[0][0], turns[0][1], len(turns)):
            yield _Exchange(turns)
        at += not turns


def _is_turn(accesses: list[Instruction]) -> bool:
    """Whether two bytes are loaded and each is stored where the other was."""
    if [i.opcode for i in accesses] != ["load", "load", "store", "store"]:
        return False
    one, other, *stores = accesses
    if not (_is_byte(one) and _is_byte(other)) or any(s.flags for s in stores):
        return False
    came_from = {one: other, other: one}
    ends = [(s.pointer, came_from.get(s.value)) for s in stores]  # type: ignore[call-overload]
    return {s.value for s in stores} == {one, other} and all(
        load is not None and _address(to) == _address(load.pointer) for to, load in ends
    )


def _is_next(first: list[Instruction], turn: list[Instruction], by: int) -> bool:
    pairs = zip(first[:2], turn[:2], strict=True)
    return all(_address(a.pointer).precedes(_address(b.pointer), by) for a, b in pairs)


def _are_one_or_apart(one: Instruction, other: Instruction, size: int) -> bool:
    """Whether two places of some bytes are the same or have no byte in common."""
    if min(one.align, other.align) >= size or are_apart(spot_of(one.pointer).base, spot_of(other.pointer).base):
        return True
    steps = [i for i in (one.pointer, other.pointer) if isinstance(i, Instruction) and i.opcode == "getelementptr"]
    if len(steps) != 2 or any(len(i.operands) != 2 for i in steps):
        return False
    strides = {i.accessed_type.size for i in steps}  # of elements of one array
    return steps[0].operands[0] is steps[1].operands[0] and len(strides) == 1 and min(strides) >= size


def _exchange(module: Module, exchange: _Exchange) -> None:
    one, other, size = exchange.first, exchange.second, len(exchange.turns)
    aside = alloca(array(size, I8), 16)
    one.block.function.entry.insert(0, aside)
    copy = _copy(module)
    for to, source in ((aside, one.pointer), (one.pointer, other.pointer), (other.pointer, aside)):
        made = located(call(VOID, copy, [to, source, constant(I64, size)]), one)
        exchange.turns[0][2].insert_before(made)
    for i in (i for turn in exchange.turns for i in reversed(turn)):
        i.erase()


# -- Loops -----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Loop:
    """A block that does nothing but copy a run of bytes in each turn, up to `bound`."""

    block: Block
    after: Block
    start: Value
    bound: Value
    source: Value
    target: Value


def _loop(block: Block, run: _Run) -> _Loop | None:
    *body, end = block.instructions
    if len(block.phis) != 1 or end.opcode != "br" or len(end.operands) != 3:
        return None
    index, step = block.phis[0], len(run.loads)
    start = next((v for v, b in index.incoming if b is not block), None)
    following = next((v for v, b in index.incoming if b is block), None)
    test = end.operands[0]
    if not isinstance(following, Instruction) or not isinstance(test, Instruction) or test.opcode != "icmp":
        return None
    counts = following.opcode == "add" and _index(following) == (index, step) and index.type == I64
    goes_on = "ne" if end.operands[1] is block else "eq"
    ends = [end for end in (run.source, run.target) if _is_element(end, index, block)]
    if not counts or test.info.get("predicate") != goes_on or test.operands[0] is not following or len(ends) != 2:
        return None
    users = block.function.users
    is_used = any(u.block is not block for i in body for u in users.get(i, ()))
    if start is None or is_used or _is_in(test.operands[1], block):
        return None
    moves = {*run.loads, *run.stores}
    if any(i not in moves and i.opcode not in ("phi", "getelementptr", "add", "or", "icmp") for i in body):
        return None
    after = next(b for b in block.successors if b is not block)
    source, target = (e.operands[0] for e in (run.source, run.target))  # type: ignore[attr-defined]
    return _Loop(block, after, start, test.operands[1], source, target)


def _is_in(value: Value, block: Block) -> bool:
    return isinstance(value, Instruction) and value.block is block


def _is_element(pointer: Value, index: Value, block: Block) -> bool:
    """Whether an address is so many bytes as a counter says after one that was there before."""
    return (
        isinstance(pointer, Instruction)
        and pointer.opcode == "getelementptr"
        and len(pointer.operands) == 2
        and pointer.accessed_type.size == 1
        and pointer.operands[1] is index
        and not _is_in(pointer.operands[0], block)
    )


def _replace_loop(module: Module, run: _Run, loop: _Loop) -> None:
    ends = [element(end, loop.start, "at") for end in (loop.target, loop.source)]
    size = subtract(loop.bound, loop.start, "bytes")
    copy = _located(run, call(VOID, _copy(module), [*ends, size]))
    for i in reversed(list(loop.block.instructions)):
        i.erase()
    loop.block.append(*ends, size, copy, jump(loop.after))


def _located(run: _Run, made: Instruction) -> Instruction:
    made.metadata = {kind: node for kind, node in run.stores[0].metadata.items() if kind == "dbg"}
    return made


def _copy(module: Module) -> Global:
    if COPY_BYTES not in module.functions:
        extend(module, f"declare void @{COPY_BYTES}(ptr captures(none), ptr readonly captures(none), i64) nounwind")
    return module.globals[COPY_BYTES]
