"""Shadows that last from one derivative to the next: those of memory that globals lead to.

What an earlier call has left there are no derivatives of this one. So where globals hold pointers, the shadows of all
that is allocated are entered in a table (`gradir.shadows` in rules/library.c), and when a derivative begins, the floats
in all that can be reached from the globals are cleared. Elsewhere nothing is entered.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING

from gradir.machine.analysis.bytes.types import Kind, Region
from gradir.machine.ir import Instruction, Value
from gradir.machine.ir.builder import Code, Expr
from gradir.machine.rules.known import CLEAR, DROP, KEEP
from gradir.machine.transform.shadows.copies import Copied

if TYPE_CHECKING:
    from gradir.machine.transform.derive import Program
    from gradir.machine.transform.frame import Frame

__all__ = ["Lasting"]

_HEADS = {
    KEEP: f"void @{KEEP}(ptr, i64, i64, ptr)",
    DROP: f"void @{DROP}(ptr)",
    CLEAR: f"void @{CLEAR}(ptr, i64)",
}


class Lasting:
    """Which shadows of a program last, and what is written about it."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self._roots: dict[str, int] = {}
        """Shadows of globals that hold pointers, with their sizes."""

    def add_root(self, shadow: str, size: int) -> None:
        self._roots[shadow] = size

    def keep(self, frame: Frame, code: Code, i: Instruction, size: Value | None, shadow: Expr, bytes: Expr) -> None:
        """Enter the shadow of what an instruction has allocated; its size, if one argument tells it."""
        if not self.program.has_global_shadows:
            return
        self.program.declare(f"declare {_HEADS[KEEP]}")
        scale = frame.shadows.scale
        clear = Copied(frame).float_function(_region(frame, i, size), i, "clear")
        code.line(f"call void @{KEEP}({shadow}, {bytes}, i64 {scale}, ptr @{clear})")

    def drop(self, code: Code, shadow: Expr) -> None:
        """It is freed."""
        if self.program.has_global_shadows:
            self.program.declare(f"declare {_HEADS[DROP]}")
            code.line(f"call void @{DROP}({shadow})")

    def clear(self, shadows: Collection[str]) -> list[str]:
        """What is done when a derivative begins, as far as the shadows of globals are used."""
        roots = {shadow: size for shadow, size in self._roots.items() if shadow in shadows}
        if roots:
            self.program.declare(f"declare {_HEADS[CLEAR]}")
        return [f"call void @{CLEAR}(ptr {shadow}, i64 {size})" for shadow, size in roots.items()]

    @staticmethod
    def nothing() -> dict[str, str]:
        """The functions where nothing lasts."""
        ends = "alwaysinline nounwind {\n  ret void\n}"
        return {name: f"define internal {_HEADS[name]} {ends}" for name in (KEEP, DROP)}


def _region(frame: Frame, i: Instruction, size: Value | None) -> Region:
    region = frame.types.region(i, size)
    if Kind.unknown not in region.kinds:
        return region
    begins = frame.types.words(i, 16)
    return Region.of_words(next(iter(begins), 0)) if begins is not None and len(begins) <= 1 else region
