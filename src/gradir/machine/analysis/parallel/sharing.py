"""Which threads of a team read the same memory, and so add to the same shadows: what only one of them reads needs no
atomics.

The runtime shares out the turns of a loop in chunks of consecutive numbers, each of which one thread gets. Reads that
move on with the turns (`x[i]`, `p[i].re`) are apart for any two turns; those that look around (`x[i - 1]`, `x[i + 1]`)
meet those of a few turns before and after, which are another thread's only at the ends of a chunk. It is so if nothing
else reads there before all threads have met. Of anything else it is not known who reads it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from typing import NamedTuple

from gradir.machine.analysis.addresses import gep_parts
from gradir.machine.analysis.cfg import CFG, Loop
from gradir.machine.analysis.memory import Memory, Place
from gradir.machine.ir import Argument, Block, Constant, Global, Instruction, Value

__all__ = ["BARRIERS", "BLOCK_BARRIERS", "GIVERS", "GRID_BARRIERS", "Sharing", "indexed"]

_SIZES = ("4", "4u", "8", "8u")
GIVERS = {f"__kmpc_for_static_init_{n}": 4 for n in _SIZES} | {f"__kmpc_dispatch_next_{n}": 3 for n in _SIZES}
"""What gives a thread its chunk, and the number of the argument that points to the first turn; the last one follows."""
_NEW = (*(f"__kmpc_for_static_init_{n}" for n in _SIZES), *(f"__kmpc_dispatch_init_{n}" for n in _SIZES))
"""Where the turns of a loop are shared out anew."""
BLOCK_BARRIERS = ("llvm.nvvm.barrier.cta.sync.aligned.all", "llvm.nvvm.barrier0")
"""Where the threads of a block of CUDA's meet."""
GRID_BARRIERS = (*BLOCK_BARRIERS, "llvm.nvvm.bar.warp.sync")
"""With those where the threads of a warp do."""
BARRIERS = ("__kmpc_barrier", "GOMP_barrier", *GRID_BARRIERS)
"""Where all threads of a team meet."""
_EXTENSIONS = ("sext", "zext", "freeze")
_CASTS = (*_EXTENSIONS, "trunc")
_BOUNDS = (*_CASTS, "add", "sub", "select", "phi")


class Walk(NamedTuple):
    """How an address moves on with the turns of a shared loop: `stride` bytes a turn, from `offset` behind `base`."""

    loop: Loop
    base: Value
    stride: int
    offset: int
    size: int
    row: Value | None = None
    """Where each turn has a row of elements (`a[i * n + j]`, with j less than n): how many there are in one."""


@dataclass(frozen=True)
class _Chunk:
    """Where a thread finds the first and the last turn that it is to do."""

    first: Value
    last: Value


class Sharing:
    """Of the reads of one thread in a team, which ones are no other thread's."""

    def __init__(self, cfg: CFG, memory: Memory, reads: Iterable[Instruction], elsewhere: Iterable[Place]) -> None:
        """`reads` are the loads whose shadows are added to, `elsewhere` is what others add to in other ways."""
        self.cfg, self.memory = cfg, memory
        self._elsewhere = set(elsewhere)
        self.reads = list(reads)
        self._loops = {loop: chunk for loop in cfg.loops if (chunk := self._chunk_of(loop)) is not None}
        self._walks = {read: self._walk(read) for read in self.reads}
        self._groups: dict[Place, int | None] = {}

    def reach(self, read: Instruction) -> int | None:
        """How many turns before and after may read there as well; None if any thread may, at any time."""
        place = self.memory.place(read.pointer)
        if place not in self._groups:
            self._groups[place] = self._reach(place)
        return self._groups[place]

    def loop_of(self, read: Instruction) -> Loop:
        """The loop whose turns are shared out, of a read that moves on with them."""
        walk = self._walks[read]
        assert walk is not None
        return walk.loop

    def widest(self, loop: Loop) -> int:
        """How far the reads of a loop whose turns are shared out look around."""
        reads = [read for read, walk in self._walks.items() if walk is not None and walk.loop is loop]
        return max((self.reach(read) or 0 for read in reads), default=0)

    def _reach(self, place: Place) -> int | None:
        if any(self.memory.places_overlap(place, other) for other in self._elsewhere):
            return None
        groups: dict[Loop, list[Walk]] = {}
        for read in self.reads:
            if self.memory.places_overlap(place, self.memory.place(read.pointer)):
                walk = self._walks[read]
                if walk is None:
                    return None
                groups.setdefault(walk.loop, []).append(walk)
        if any(self._may_follow(loop, groups) for loop in groups):
            return None
        reaches = [_overlap(walks) for walks in groups.values()]
        return None if None in reaches else max(reaches)  # type: ignore[type-var]

    # -- loops whose turns are shared out --------------------------------------------------------------------------

    def _chunk_of(self, loop: Loop) -> _Chunk | None:
        """Whether a loop goes from the first to the last turn of what the runtime gave this thread."""
        ends = [e.terminator.operands[0] for e, _ in loop.exits if len(e.terminator.operands) == 3]
        for call in self._givers():
            at = GIVERS[call.callee_name or ""]
            chunk = _Chunk(call.arguments[at], call.arguments[at + 1])
            steps = [i.start for i in loop.inductions.values() if i.step == 1]
            starts = any(_shift(start, chunk.first, _CASTS) is not None for start in steps)
            if starts and ends and len(ends) == len(loop.exits) and all(_bounded_by(e, chunk.last) for e in ends):
                return chunk
        return None

    def _givers(self) -> list[Instruction]:
        return [i for b in self.cfg.reachable for i in b.instructions if (i.callee_name or "") in GIVERS]

    def _walk(self, read: Instruction) -> Walk | None:
        loop = self.cfg.loop_of.get(read.block)
        while loop is not None and loop not in self._loops:
            loop = loop.parent
        if loop is None:
            return None
        found, row = _address(read.pointer, loop, self._loops[loop].first), None
        if found is None and (in_row := self._row(read, loop)) is not None:
            base, row = in_row
            found = base, 0, 0
        if found is None or not isinstance(found[0], (Argument, Global)):
            return None
        return Walk(loop, *found, read.type.size, row)

    def _row(self, read: Instruction, loop: Loop) -> tuple[Value, Value] | None:
        """The base and the length of the rows, if a turn reads in the row that has its number."""
        element, row = indexed(read.pointer, read.type.size), None
        if element is not None:
            row = indexed(element[0], read.type.size)
        if element is None or row is None:
            return None
        column, product = _plain(element[1]), row[1]
        if not isinstance(column, Instruction) or not isinstance(product, Instruction) or product.opcode != "mul":
            return None
        inner = self.cfg.loop_of.get(column.block)
        if inner is None or inner is loop or inner.header not in loop.blocks or inner.trip is None:
            return None
        trip, start = inner.trip, inner.trip.induction.start
        from_zero = trip.induction.phi is column and isinstance(start, Constant) and start.integer == 0
        if not from_zero or trip.induction.step != 1 or not trip.after or trip.predicate not in ("ne", "slt", "ult"):
            return None
        length, factors = _plain(trip.bound), [_plain(o) for o in product.operands]
        turn = next((f for f in factors if f in loop.inductions and f is not length), None)
        if turn is None or length not in factors or not isinstance(length, Argument):  # the same in all threads
            return None
        induction = loop.inductions[turn]  # type: ignore[index]
        shifted = _shift(induction.start, self._loops[loop].first)
        return None if induction.step != 1 or shifted is None else (row[0], length)

    def _may_follow(self, loop: Loop, others: Iterable[Loop]) -> bool:
        """Whether a thread may come from a loop to one whose turns are shared out anew, before all threads have met."""
        begun = {i for other in others for i in self._begins(other)}
        seen: set[Block] = set()
        work = [target for _, target in loop.exits]
        while work:
            block = work.pop()
            if block in seen:
                continue
            seen.add(block)
            for i in block.instructions:
                if i in begun:
                    return True
                if i.callee_name in BARRIERS:
                    break
            else:
                work += block.successors
        return False

    def _begins(self, loop: Loop) -> Iterator[Instruction]:
        """Where the turns of a loop may have been shared out."""
        for block in self.cfg.reachable:
            for i in block.instructions:
                if i.callee_name in _NEW and self.cfg.dominates(block, loop.header):
                    yield i


def indexed(pointer: Value, size: int) -> tuple[Value, Value] | None:
    """The base and the index of the address of an element of an array."""
    if not isinstance(pointer, Instruction) or pointer.opcode != "getelementptr" or len(pointer.operands) != 2:
        return None
    return (pointer.operands[0], pointer.operands[1]) if pointer.accessed_type.size == size else None


def _plain(value: Value) -> Value:
    """An index as it was before it was made longer."""
    while isinstance(value, Instruction) and (
        value.opcode == "sext" or (value.opcode == "zext" and "nneg" in value.flags)
    ):
        value = value.operands[0]
    return value


def _bounded_by(value: Value, pointer: Value, depth: int = 8) -> bool:
    """Whether a condition compares to what lies at an address, or to something less."""
    if not isinstance(value, Instruction) or depth == 0:
        return False
    if value.opcode == "load":
        return value.pointer is pointer
    smaller = value.opcode == "call" and (value.callee_name or "").startswith(("llvm.smin.", "llvm.umin."))
    if value.opcode in ("icmp", *_BOUNDS) or smaller:
        return any(_bounded_by(o, pointer, depth - 1) for o in value.operands)
    return False


def _address(pointer: Value, loop: Loop, first: Value) -> tuple[Value, int, int] | None:
    """Base, stride and offset of an address that moves on with the turns of a loop, and depends on nothing else."""
    stride, offset = 0, 0
    while isinstance(pointer, Instruction) and pointer.opcode == "getelementptr":
        for index, size in gep_parts(pointer):
            step = (0, 1) if index is None else _steps(index, loop, first)
            if step is None:
                return None
            stride += step[0] * size
            offset += step[1] * size
        pointer = pointer.pointer
    return (pointer, stride, offset) if stride > 0 else None


def _steps(index: Value, loop: Loop, first: Value) -> tuple[int, int] | None:
    """An index as a multiple of the turn's number and a constant; None if it is anything else."""
    if isinstance(index, Constant):
        return None if index.integer is None else (0, index.integer)
    if not isinstance(index, Instruction):
        return None
    if (induction := loop.inductions.get(index)) is not None:
        start = _shift(induction.start, first)
        return None if start is None or induction.step != 1 else (1, start)
    if index.opcode not in ("sext", "zext", "add", "mul", "shl"):
        return None
    inner = _steps(index.operands[0], loop, first)
    if inner is None:
        return None
    constant = (
        index.operands[1].integer if len(index.operands) > 1 and isinstance(index.operands[1], Constant) else None
    )
    match index.opcode:
        case "sext":
            return inner
        case "zext" if "nneg" in index.flags:
            return inner
        case "add" if constant is not None:
            return inner[0], inner[1] + constant
        case "mul" if constant is not None and constant > 0:
            return inner[0] * constant, inner[1] * constant
        case "shl" if constant is not None and 0 <= constant < 32:
            return inner[0] << constant, inner[1] << constant
    return None


def _shift(value: Value, pointer: Value, casts: Collection[str] = _EXTENSIONS) -> int | None:
    """How much a value is above what lies at an address; None if it is not made of that, by `casts`."""
    total = 0
    for _ in range(8):
        if not isinstance(value, Instruction):
            return None
        if value.opcode == "load":
            return total if value.pointer is pointer else None
        if value.opcode == "add" and isinstance(value.operands[1], Constant):
            total += value.operands[1].integer or 0
        elif value.opcode not in casts:
            return None
        value = value.operands[0]
    return None


def _overlap(walks: list[Walk]) -> int | None:
    """How many turns apart two reads may be that meet; None if they don't walk together."""
    if len({(w.base, w.stride, w.row, w.size if w.row is not None else 0) for w in walks}) != 1:
        return None
    if walks[0].row is not None:
        return 0
    low, high = min(w.offset for w in walks), max(w.offset + w.size for w in walks)
    return -(-(high - low) // walks[0].stride) - 1
