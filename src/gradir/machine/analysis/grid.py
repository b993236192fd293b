"""What the threads of a GPU's grid have in common: where they part ways, and which memory they share in turns.

All threads of a block run the same code, and meet at barriers. Between two barriers, in one *phase*, no thread reads
what another writes, or the program has a race. The reverse sweep has the same phases, in the opposite order.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from functools import cached_property

from gradir.machine.analysis.cfg import CFG
from gradir.machine.analysis.memory import Memory, Place
from gradir.machine.analysis.sharing import GRID_BARRIERS
from gradir.machine.ir import Block, Global, Instruction, Value

__all__ = ["Divergence", "Restored"]

_OWN = ("llvm.nvvm.read.ptx.sreg.tid.", "llvm.nvvm.read.ptx.sreg.laneid", "llvm.nvvm.shfl.")
"""What gives each thread another value."""


class Divergence:
    """Which branches the threads of a block may take different ways at."""

    def __init__(self, cfg: CFG) -> None:
        self.cfg = cfg
        self._after = self._postdominators()
        self._varying: set[Value] = set()
        self._find_varying()

    def apart(self, block: Block) -> Instruction | None:
        """A branch where threads part, some of which don't come to a block, or come to it more often than others."""
        for branch in self._branches:
            if block in self._until_met(branch.block):
                return branch
        return None

    @cached_property
    def _branches(self) -> list[Instruction]:
        ends = [b.terminator for b in self.cfg.reachable]
        return [i for i in ends if len(set(i.block.successors)) > 1 and i.operands[0] in self._varying]

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

    def _find_varying(self) -> None:
        """What may differ between threads, with what it is computed from and which way was taken."""
        instructions = [i for b in self.cfg.reachable for i in b.instructions]
        merged: set[Block] = set()
        changed = True
        while changed:
            changed = False
            for i in instructions:
                if i not in self._varying and self._varies(i, merged):
                    self._varying.add(i)
                    changed = True
            if changed:
                self.__dict__.pop("_branches", None)
                merged = {b for branch in self._branches for b in self._meets(branch.block)}

    def _varies(self, i: Instruction, merged: Collection[Block]) -> bool:
        if (i.callee_name or "").startswith(_OWN) or i.opcode in ("atomicrmw", "cmpxchg", "alloca"):
            return True
        if i.opcode == "phi" and i.block in merged:
            return True
        return any(o in self._varying for o in i.operands)


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
