"""Which instructions of a function run while threads do that the program has made, and may not have joined yet.

Between where a thread may have been made and where one may still be joined others run: then two may add to one shadow
at the same time, in the reverse sweep as well, which begins to undo what a thread did where that was joined.
"""

from __future__ import annotations

from collections.abc import Collection
from functools import cached_property

from gradir.machine.analysis.cfg import CFG
from gradir.machine.analysis.memory import Memory, Place
from gradir.machine.ir import Instruction

__all__ = ["Beside"]


class Beside:
    """Where in a function other threads may run, if nobody else did when it was called."""

    def __init__(
        self, cfg: CFG, memory: Memory, spawning: Collection[str], joining: Collection[str], *, returns: bool
    ) -> None:
        """`spawning` and `joining` are the functions that do so. If the function `returns` to another one, that may
        join what was made here."""
        self.cfg, self.memory, self.returns = cfg, memory, returns
        self._spawning, self._joining = spawning, joining
        self._known: dict[Instruction, bool] = {}

    def others(self, i: Instruction) -> bool:
        """Whether other threads may run while an instruction does."""
        if not self._spawns:
            return False
        if i not in self._known:
            after = any(self.cfg.may_follow(spawn, i) for spawn in self._spawns)
            joins = i in self._joins or any(self.cfg.may_follow(i, join) for join in self._joins)
            self._known[i] = after and (self.returns or joins)
        return self._known[i]

    @cached_property
    def handed(self) -> set[Place]:
        """The memory of the function's own that threads may get at."""
        return {place for spawn in self._spawns for place in self.memory.reached(spawn)}

    @cached_property
    def _spawns(self) -> list[Instruction]:
        return self._calls(self._spawning)

    @cached_property
    def _joins(self) -> list[Instruction]:
        return self._calls(self._joining)

    def _calls(self, names: Collection[str]) -> list[Instruction]:
        """Calls of some functions. What is called by a pointer may be any."""
        if not names:
            return []
        return [
            i
            for block in self.cfg.reachable
            for i in block.instructions
            if i.opcode in ("call", "invoke") and (i.callee_name is None or i.callee_name in names)
        ]
