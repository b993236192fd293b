"""Loads and stores of some lanes of a vector, as vectorised code has them: `llvm.masked.load`, `store`, `gather` and
`scatter`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gradir.machine.analysis.intrinsics import masked_access
from gradir.machine.ir import I1, I64, PTR, Constant, Instruction, Value
from gradir.machine.ir.attributes import Attributes
from gradir.machine.ir.builder import Expr

if TYPE_CHECKING:
    from gradir.machine.transform.reverse import Reverse

__all__ = ["Masked"]


class Masked:
    """Reverse mode goes lane by lane, from the last to the first: lanes of a gather may be one number, of a scatter
    one place."""

    def __init__(self, reverse: Reverse) -> None:
        self.r, self.frame, self.shadows = reverse, reverse.frame, reverse.frame.shadows

    def is_masked(self, i: Instruction) -> bool:
        return masked_access(i) is not None

    def has_work(self, i: Instruction) -> bool:
        access = masked_access(i)
        if access is None or self.frame.types.is_number(access.pointer, (access.stored or i).type.element):
            return False
        if access.stored is None:
            return self.frame.active(i)
        return self.frame.activity.holds_active_floats(access.pointer)

    def check(self, i: Instruction) -> None:
        """Shadows of pointers would have to be moved along."""
        access = masked_access(i)
        assert access is not None
        moved: Value = access.stored or i
        if self.frame.types.is_number(access.pointer, moved.type.element):
            return
        if not moved.type.is_float and (
            self.frame.shadowed(moved) or (access.stored and self.frame.shadowed(access.pointer))
        ):
            raise self.frame.refuse(
                i, "some lanes of a vector of pointers or integers in active memory", "move floats as floats"
            )
        name = i.callee_name or ""
        if ("expand" in name or "compress" in name) and self.has_work(i):
            raise self.frame.refuse(
                i, "packed lanes of a vector in active memory have no derivative", "compile without -march=native"
            )

    def undo(self, i: Instruction) -> None:
        access = masked_access(i)
        assert access is not None
        code, adjoint, spot = self.r.reverse, self.r.adjoint, self.r.spot(i.block)
        moved: Value = access.stored or i
        element, type = moved.type.element, moved.type
        pointers = self.r.usable_shadow(access.pointer, type, spot)
        mask = None if _all(access.mask) else self.r.primal(access.mask, spot)
        said: list[str] = i.info["argument_attributes"]  # type: ignore[assignment]
        align = Attributes(said[i.arguments.index(access.pointer)]).value("align")
        suffix = f", align {align or 1}"
        if access.stored is None:
            d = adjoint.take(i)
            if access.passthrough is not None and mask is not None:
                adjoint.add(access.passthrough, self._choose(mask, self.shadows.zero(code, type), d))
        else:
            d = self.shadows.zero(code, type)
        nowhere: Expr | None = None
        for lane in reversed(range(type.count)):
            places = [self._place(p, lane, element.size) for p in pointers]
            if mask is not None:
                if nowhere is None:
                    nowhere = code.alloca(self.shadows.of(element), "nowhere")
                on = code.emit(I1, f"extractelement {mask}, i64 {lane}")
                code.line(f"store {self.shadows.of(element)} zeroinitializer, {nowhere}")
                places = [on.select(p, nowhere) for p in places]
            there = self.shadows.load(code, element, places, suffix)
            at = code.constant(I64, lane)
            if access.stored is None:
                more = self.shadows.extract_lane(code, d, element, at)
                if self.frame.may_be_shared(i, access.pointer):
                    self.shadows.add_atomically(code, more, element, places)
                    continue
                self.shadows.store(code, self.shadows.add(code, there, more), element, places, suffix)
            else:
                self.shadows.store(code, self.shadows.zero(code, element), element, places, suffix)
                d = self.shadows.insert_lane(code, d, there, at)
        if access.stored is not None:
            adjoint.add(access.stored, d)

    def _place(self, pointer: Expr, lane: int, size: int) -> Expr:
        code = self.r.reverse
        if pointer.type.kind == "vector":
            return code.emit(PTR, f"extractelement {pointer}, i64 {lane}")
        return code.offset(pointer, lane * size * self.shadows.scale)

    def _choose(self, mask: Expr, yes: Expr, no: Expr) -> Expr:
        return self.shadows.widen(self.r.reverse, mask).select(yes, no)


def _all(mask: Value) -> bool:
    return (
        isinstance(mask, Constant)
        and "false" not in mask.ref
        and "zeroinitializer" not in mask.ref
        and "true" in mask.ref
    )
