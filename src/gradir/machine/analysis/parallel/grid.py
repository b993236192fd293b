"""What the threads of a GPU's grid have in common: where they part ways, and which memory they share in turns.

All threads of a block run the same code, and meet at barriers. Between two barriers, in one *phase*, no thread reads
what another writes, or the program has a race. The reverse sweep has the same phases, in the opposite order.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from functools import cached_property
from typing import NamedTuple

from gradir.machine.analysis.addresses import gep_parts
from gradir.machine.analysis.cfg import CFG
from gradir.machine.analysis.memory import Memory, Place
from gradir.machine.analysis.parallel.sharing import GRID_BARRIERS
from gradir.machine.ir import Argument, Block, Constant, Global, Instruction, Value

__all__ = ["EVERY", "Divergence", "Launch", "Own", "Restored"]

_SREG = "llvm.nvvm.read.ptx.sreg."
_COMMON = ("ctaid.", "nctaid.", "ntid.")
"""Of what tells a thread its place, what all threads of a block have in common."""

EVERY = frozenset("xyz")


class Launch(NamedTuple):
    """What is known of a launch when the code for it is made."""

    block: tuple[int, int, int]
    """How many threads a block has, in each direction."""
    is_line: bool
    """Whether it is in x alone, in fewer than 2^31 threads, so that their numbers there tell them apart."""
    spreads: bool = False
    """Whether there are so many blocks that their sums go to several places first."""


class Divergence:
    """What differs between the threads of a block, and which branches they may take different ways at."""

    def __init__(self, cfg: CFG) -> None:
        self.cfg = cfg
        self._after = self._postdominators()
        self._axes: dict[Value, frozenset[str]] = {}
        self._find_axes()

    def axes(self, value: Value) -> frozenset[str]:
        """The coordinates of a thread in its block that a value may depend on: threads that differ in others alone
        have the same."""
        return self._axes.get(value, frozenset())

    def apart(self, block: Block) -> Instruction | None:
        """A branch where threads part, some of which don't come to a block, or come to it more often than others."""
        for branch in self._branches:
            if block in self._until_met(branch.block):
                return branch
        return None

    @cached_property
    def _branches(self) -> list[Instruction]:
        ends = [b.terminator for b in self.cfg.reachable]
        return [i for i in ends if len(set(i.block.successors)) > 1 and self.axes(i.operands[0])]

    def _postdominators(self) -> dict[Block, set[Block]]:
        """The blocks that every way from a block to an end goes through, itself among them."""
        blocks = self.cfg.reachable
        found = {b: {b} if not b.successors else set(blocks) for b in blocks}
        changed = True
        while changed:
            changed = False
            for b in reversed(blocks):
                if b.successors:
                    new = set.intersection(*(found[s] for s in b.successors)) | {b}
                    if new != found[b]:
                        found[b], changed = new, True
        return found

    def _until_met(self, block: Block) -> set[Block]:
        """The blocks that may come after a branch, before all ways from it have met."""
        meeting, seen = self._after[block] - {block}, set[Block]()
        work = list(block.successors)
        while work:
            b = work.pop()
            if b not in seen and b not in meeting:
                seen.add(b)
                work += b.successors
        return seen

    def _meets(self, block: Block) -> set[Block]:
        """Where ways from a branch may come together."""
        between = self._until_met(block)
        return between | {s for b in (block, *between) for s in b.successors}

    def _find_axes(self) -> None:
        """What each value depends on: what it is computed from, and which way was taken."""
        instructions = [i for b in self.cfg.reachable for i in b.instructions]
        ways: dict[Block, frozenset[str]] = {}
        changed = True
        while changed:
            changed = False
            for i in instructions:
                axes = self._axes_of(i, ways)
                if axes != self.axes(i):
                    self._axes[i] = axes
                    changed = True
            if changed:
                self.__dict__.pop("_branches", None)
                ways = {}
                for branch in self._branches:
                    for block in self._meets(branch.block):
                        ways[block] = ways.get(block, frozenset()) | self.axes(branch.operands[0])

    def _axes_of(self, i: Instruction, ways: Mapping[Block, frozenset[str]]) -> frozenset[str]:
        name = i.callee_name or ""
        if name.startswith(f"{_SREG}tid."):
            return frozenset(name[-1])
        if name.startswith("llvm.nvvm.") and not name.removeprefix(_SREG).startswith(_COMMON):
            return EVERY
        if i.opcode in ("atomicrmw", "cmpxchg", "alloca"):
            return EVERY
        chosen = ways.get(i.block, frozenset()) if i.opcode == "phi" else frozenset()
        return chosen.union(*map(self.axes, i.operands))


class Restored:
    """Shared memory that the reverse sweep puts back as it was, store by store.

    Then what was read there need not be kept, where it is read again in the phase in which it was read: nobody has
    overwritten it there, nor does anybody restore it yet. So it is for loads all of whose uses come after them in their
    own block, with neither a barrier nor a store there in between; and what is computed from such loads is *fleeting*,
    too, unless it is kept.
    """

    def __init__(
        self, cfg: CFG, memory: Memory, shared: Collection[str], is_undone: Callable[[Instruction], bool]
    ) -> None:
        """`is_undone` tells of a store whether the reverse sweep comes to it."""
        self.cfg, self.memory, self.shared, self.is_undone = cfg, memory, shared, is_undone
        self.used: set[Place] = set()
        """The places that have to be restored, since something is read there again."""
        self._confined: dict[Instruction, bool] = {}

    def is_read_again(self, load: Instruction) -> bool:
        """Whether a load from memory that is overwritten later can be repeated."""
        place = self.memory.place(load.pointer)
        if not self._is_restorable(place) or not self.is_confined(load):
            return False
        self.used.add(place)
        return True

    def outlives(self, i: Instruction) -> bool:
        """Whether a value is used where what it is computed from can't be had again."""
        return not self.is_confined(i) and any(map(self.is_fleeting, i.operands))

    def is_fleeting(self, value: Value) -> bool:
        """Whether a value may be computed again only in its own phase."""
        if not isinstance(value, Instruction) or value.opcode == "phi":
            return False
        if value.opcode == "load":
            place = self.memory.place(value.pointer)
            return self._is_restorable(place) and self.memory.overwritten(value) and self.is_confined(value)
        return self.is_confined(value) and any(self.is_fleeting(o) for o in value.operands)

    def stores(self) -> list[Instruction]:
        """What has to be undone."""
        return [i for place in self.used for i in self._writes(place)]

    def _is_restorable(self, place: Place) -> bool:
        """Whether it is shared memory that is written by stores alone."""
        if not place.origins or not all(isinstance(o, Global) and o.name in self.shared for o in place.origins):
            return False
        return all(i.opcode == "store" and self.is_undone(i) for i in self._writes(place))

    def _writes(self, place: Place) -> list[Instruction]:
        memory = self.memory
        calls = [call for call in memory.opaque_calls if memory.may_be_written_by(call, place)]
        there = [w.instruction for w in memory.writes if memory.places_overlap(place, memory.place(w.pointer))]
        return [*calls, *there]

    def is_confined(self, i: Instruction) -> bool:
        """Whether a value is used in its own block alone, before anything is written or threads meet."""
        if i not in self._confined:
            users = self.cfg.function.users.get(i, [])
            last = max((u.position for u in users if u.block is i.block), default=i.position)
            between = i.block.instructions[i.position + 1 : last]
            self._confined[i] = all(u.block is i.block and u.opcode != "phi" for u in users) and not any(
                b.opcode == "store" or (b.callee_name or "") in GRID_BARRIERS for b in between
            )
        return self._confined[i]


Form = dict[tuple[str, ...], int]
"""An integer as a sum of products: of arguments, of what gives a thread its place, and of inductions."""

_THREAD, _BLOCK, _BLOCKS = ("tid.x",), ("ctaid.x", "ntid.x"), ("nctaid.x", "ntid.x")
"""The number of a thread is that in its block, and those of the blocks before. All of them are so many threads."""


class Own:
    """Of what the threads of a grid read, what is read by one thread alone, if the launch is in x alone.

    So it is for `p[c * i + k]` with the number i of the thread in the grid (in the block, for shared memory), or with
    an i that goes on from there by the number of all threads; and if nothing else in that memory has a shadow that is
    added to, but other fields of the same elements.
    """

    def __init__(
        self,
        memory: Memory,
        shared: Collection[str],
        reads: list[Instruction],
        others: set[Place],
        threads: int | None = None,
    ) -> None:
        """`reads` are the loads whose shadows are added to, `others` is what is added to in other ways. There may be a
        known number of threads in a block, in x."""
        self.memory, self.shared, self._others = memory, shared, others
        self._reads, self._forms = reads, _Forms(threads)
        self._answers: dict[Place, bool] = {}

    def is_own(self, read: Instruction) -> bool:
        """Whether no other thread reads there."""
        place = self.memory.place(read.pointer)
        if place not in self._answers:
            self._answers[place] = self._find(place)
        return self._answers[place]

    def _find(self, place: Place) -> bool:
        overlap = self.memory.places_overlap
        if any(overlap(place, other) for other in self._others):
            return False
        walks = [self._walk(r) for r in self._reads if overlap(place, self.memory.place(r.pointer))]
        found = [w for w in walks if w is not None]
        if len(found) != len(walks) or len({w[:3] for w in found}) != 1:
            return False
        _, _, stride, _, _ = found[0]
        low, high = min(w[3] for w in found), max(w[3] + w[4] for w in found)
        return high - low <= stride

    def _walk(self, read: Instruction) -> tuple[Value, tuple[object, ...], int, int, int] | None:
        """Base, what is the same for all threads, bytes from thread to thread, offset and size of a read."""
        total, pointer = _Sum(), read.pointer
        while isinstance(pointer, Instruction) and pointer.opcode == "getelementptr":
            for index, size in gep_parts(pointer):
                total.add(self._forms.of(index) if index is not None else {(): 1}, size)
            pointer = pointer.pointer
        form, is_shared = total.form, isinstance(pointer, Global) and pointer.name in self.shared
        if form is None or not isinstance(pointer, (Argument, Global)):
            return None
        stride, offset = form.pop(_THREAD, 0), form.pop((), 0)
        if stride <= 0 or (not is_shared and form.pop(_BLOCK, 0) != stride):
            return None
        round = form.pop(("round",), 0)  # in which turn of a loop that goes on by the number of all threads
        if round % stride or any(not set(product).isdisjoint(_PLACES) for product in form):
            return None
        return pointer, tuple(sorted(form.items())), stride, offset, read.type.size


_PLACES = ("round", *(f"{name}.{axis}" for name in ("tid", "ctaid") for axis in "xyz"))


class _Sum:
    """A form that is added to; None once something is not understood."""

    def __init__(self) -> None:
        self.form: Form | None = {}

    def add(self, more: Form | None, factor: int = 1) -> None:
        if self.form is None or more is None:
            self.form = None
            return
        for product, count in more.items():
            self.form[product] = self.form.get(product, 0) + count * factor
            if not self.form[product]:
                del self.form[product]


class _Forms:
    """Integers as forms, where they are ones. Numbers that overflow are no less apart, as long as there are fewer than
    2^31 threads (which is asked at run time); but multiples of them may not be, and must not overflow."""

    def __init__(self, threads: int | None) -> None:
        self.threads = threads

    def of(self, value: Value, depth: int = 12) -> Form | None:
        if isinstance(value, Constant):
            return None if value.integer is None else {(): value.integer}
        if isinstance(value, Argument):
            return {(value.ref,): 1}
        if not isinstance(value, Instruction) or depth == 0:
            return None
        name = value.callee_name or ""
        if name.startswith(_SREG):
            return {(name.removeprefix(_SREG),): 1}
        if value.opcode in ("sext", "zext", "freeze"):
            return self.of(value.operands[0], depth - 1)
        if value.opcode == "phi":
            return self._round(value, depth)
        if value.opcode not in ("add", "sub", "mul", "shl"):
            return None
        a, b = (self.of(o, depth - 1) for o in value.operands)
        total = _Sum()
        match value.opcode:
            case "add":
                total.add(a)
                total.add(b)
            case "sub":
                total.add(a)
                total.add(b, -1)
            case "mul" | "shl":
                return self._product(value, a, b)
        return total.form

    def _product(self, value: Instruction, a: Form | None, b: Form | None) -> Form | None:
        if a is None or b is None:
            return None
        if value.opcode == "shl":
            if set(b) != {()} or not 0 <= b[()] < 32:
                return None
            b = {(): 1 << b[()]}
        made: Form = {}
        for p, m in a.items():
            for q, n in b.items():
                product, count = self._in_blocks(tuple(sorted((*p, *q))), m * n)
                made[product] = made.get(product, 0) + count
        counts = set(made) <= {_BLOCK, _BLOCKS, ()} and all(made[p] == 1 for p in made if p)
        return made if counts or value.flags & {"nsw", "nuw"} else None

    def _in_blocks(self, product: tuple[str, ...], count: int) -> tuple[tuple[str, ...], int]:
        """A multiple of the threads of a block, by that name."""
        if self.threads is not None and product in (_BLOCK[:1], _BLOCKS[:1]) and count % self.threads == 0:
            return (*product, "ntid.x"), count // self.threads
        return product, count

    def _round(self, phi: Instruction, depth: int) -> Form | None:
        """Of a loop that each thread goes through in steps of the number of all threads: where it began, and a
        multiple."""
        if len(phi.incoming) != 2:
            return None
        for (start, _), (following, _) in (phi.incoming, phi.incoming[::-1]):
            if isinstance(following, Instruction) and following.opcode == "add" and phi in following.operands:
                step = self.of(next(o for o in following.operands if o is not phi), depth - 1)
                begin = self.of(start, depth - 1)
                if begin is None or step is None or set(step) != {_BLOCKS} or step[_BLOCKS] != 1:
                    return None
                if begin.get(_THREAD) != 1 or begin.get(_BLOCK) != 1:
                    return None
                return begin | {("round",): 1}
        return None
