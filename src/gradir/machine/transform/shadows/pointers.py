"""Shadows of what instructions make of pointers, also in the guise of integers: the same is done to the shadows.

One place says how, for the sweep that runs along with the program and for the one that computes a shadow again. A
number is its own shadow, or (where w shadows lie interleaved, and offsets are w times as large) w times itself.

What clears or sets bits of an address moves its shadow as far as it moves the address: a tag goes, and a block that
was aligned up begins as many bytes into its shadow, wherever that lies.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

from gradir.machine.analysis.bits.provenance import HIGH_BITS
from gradir.machine.analysis.intrinsics import handed_on
from gradir.machine.ir import I64, PTR, Constant, Instruction, Type, Value
from gradir.machine.ir.builder import Code, Expr
from gradir.machine.ir.types import leaves
from gradir.machine.transform.frame import Frame

__all__ = ["PointerShadow", "load_moved", "store_moved"]

_CASTS = frozenset(("freeze", "bitcast", "addrspacecast", "ptrtoint", "ptrtoaddr", "inttoptr", "trunc", "zext", "sext"))
_PARTS = frozenset(("extractvalue", "insertvalue", "extractelement", "insertelement", "shufflevector"))
_BITWISE = frozenset(("and", "or", "xor"))
_SCALING = frozenset(("mul", "shl", "lshr", "ashr", "trunc", "zext", "sext"))
_ARITHMETIC = frozenset(("add", "sub", "mul", "shl", "lshr", "ashr"))


Input = tuple[Literal["primal", "shadow"], Value]


class PointerShadow:
    """How the shadow of a value of one function follows from its operands and their shadows."""

    def __init__(self, frame: Frame) -> None:
        self.frame, self.shadows = frame, frame.shadows

    def inputs(self, i: Instruction) -> list[Input] | None:
        """What the shadow is computed from: `("primal" | "shadow", value)`; None if there is no way to."""
        if i.opcode == "getelementptr":
            return [self._moved_by(i.pointer), *(self._index_by(i, o) for o in i.operands[1:])]
        if i.opcode == "select":
            return [("primal", i.operands[0]), *map(self._moved_by, i.operands[1:])]
        if i.opcode in ("extractelement", "insertelement"):
            return [*map(self._moved_by, i.operands[:-1]), ("primal", i.operands[-1])]
        if i.opcode in _CASTS or i.opcode in _PARTS or i.opcode in _ARITHMETIC:
            return [self._moved_by(o) for o in i.operands]
        if i.opcode in _BITWISE:
            if self._is_sum(i):
                return [self._moved_by(o) for o in i.operands]
            return [*_primals([*i.operands, i]), ("shadow", self._carried(i))]
        if i.opcode == "call" and (given := handed_on(i)) is not None:
            return [*_primals([i, *given]), *map(self._moved_by, given)]
        return None

    def write(
        self, code: Code, i: Instruction, primal: Callable[[Value], Expr], shadow: Callable[[Value], Expr]
    ) -> Expr:
        """The shadow of a pointer (or of an integer made of one). `primal` and `shadow` give what `inputs` names."""

        def moved(v: Value) -> Expr:
            return self._moved(code, v, primal, shadow)

        if i.opcode == "getelementptr":
            return self._address(code, i, moved, primal, shadow)
        if i.opcode == "select":
            condition, yes, no = primal(i.operands[0]), *map(moved, i.operands[1:])
            return code.emit(i.type, f"select {condition}, {yes}, {no}", "shadow")
        if i.opcode in _SCALING:
            self._check_scale(i)
        if i.opcode == "freeze":
            return code.emit(i.type, f"freeze {moved(i.operands[0])}", "shadow")
        if i.opcode in _CASTS:
            self._check_source(i)
            return code.emit(i.type, f"{i.opcode} {moved(i.operands[0])} to {i.type}", "shadow")
        if i.opcode in _PARTS:
            last = i.operands[-1] if i.opcode in ("extractelement", "insertelement") else None
            text = i.render("", lambda v: primal(v).ref if v is last else moved(v).ref)
            return code.emit(i.type, text.partition(" = ")[2], "shadow")
        if i.opcode in _ARITHMETIC:
            a, b = moved(i.operands[0]), self._factor(i, i.operands[1], moved, primal)
            return code.emit(i.type, f"{i.opcode} {a}, {b.ref}", "shadow")
        if i.opcode in _BITWISE:
            return self._bitwise(code, i, moved, primal, shadow)
        if i.opcode == "call" and (given := handed_on(i)) is not None:
            return self._handed_on(code, i, given, moved, primal)
        raise self.frame.refuse(
            i, "a pointer to active memory is made in a way that has no shadow", "keep the pointer a pointer"
        )

    # -- operands ---------------------------------------------------------------------------------------------------

    def _moved_by(self, v: Value) -> Input:
        return ("shadow" if self.frame.shadowed(v) else "primal", v)

    def _moved(self, code: Code, v: Value, primal: Callable[[Value], Expr], shadow: Callable[[Value], Expr]) -> Expr:
        """The shadow of an operand; of a number, itself."""
        if self.frame.shadowed(v):
            return shadow(v)
        x = primal(v)
        if self.shadows.scale == 1 or not v.type.scalar.is_integer or v.type.is_aggregate:
            return x
        if isinstance(v, Constant) and v.integer is not None:
            return code.constant(v.type, v.integer * self.shadows.scale)
        return x * self.shadows.scale

    def _factor(
        self, i: Instruction, v: Value, moved: Callable[[Value], Expr], primal: Callable[[Value], Expr]
    ) -> Expr:
        return primal(v) if i.opcode in _SCALING and not self.frame.shadowed(v) else moved(v)

    def _carried(self, i: Instruction) -> Value:
        return next(o for o in i.operands if self.frame.shadowed(o))

    def _check_scale(self, i: Instruction) -> None:
        if self.shadows.scale > 1 and self.frame.types.provenance.made(i) != 0:
            raise self.frame.refuse_several(
                i, "an address is packed into an integer, which has no interleaved shadow", "use separate shadows"
            )

    def _check_source(self, i: Instruction) -> None:
        """Refuse to go where a number says, as if that were active memory."""
        if i.opcode != "inttoptr" or self.frame.carries_pointer(i.operands[0]):
            return
        users = self.frame.function.users.get(i, [])
        if any(u.opcode in ("load", "store", "getelementptr") and u.pointer is i for u in users):
            raise self.frame.refuse(
                i, "it is not known of which address this pointer is made", "keep the pointer a pointer"
            )

    # -- addresses --------------------------------------------------------------------------------------------------

    def _index_by(self, gep: Instruction, index: Value) -> Input:
        return ("shadow" if self._leads_elsewhere(gep, index) else "primal", index)

    def _leads_elsewhere(self, gep: Instruction, index: Value) -> bool:
        return self.frame.shadowed(index) and self.frame.types.provenance.leads(gep, index)

    def _address(
        self,
        code: Code,
        gep: Instruction,
        moved: Callable[[Value], Expr],
        primal: Callable[[Value], Expr],
        shadow: Callable[[Value], Expr],
    ) -> Expr:
        base, scale = moved(gep.pointer), self.shadows.scale
        leading = {o for o in gep.operands[1:] if self._leads_elsewhere(gep, o)}
        if scale == 1:
            steps = _steps(gep, base.ref, lambda v: (shadow if v in leading else primal)(v).ref, bool(leading))
            return code.emit(gep.type, steps, "shadow")

        def distance(index: Callable[[Value], str]) -> Expr:
            null = "null" if gep.type.is_pointer else "zeroinitializer"
            type = I64 if gep.type.is_pointer else Type(f"<{gep.type.count} x i64>", "vector", gep.type.count, (I64,))
            at = code.emit(gep.type, _steps(gep, null if base.type == gep.type else "null", index, loose=True))
            return code.emit(type, f"ptrtoint {at} to {type}")

        within = distance(lambda v: "0" if v in leading else primal(v).ref)
        step = within * scale
        if leading:
            step = step + (distance(lambda v: (shadow if v in leading else primal)(v).ref) - within)
        return code.emit(gep.type, f"getelementptr i8, {base}, {step}", "shadow")

    # -- bits -------------------------------------------------------------------------------------------------------

    def _is_sum(self, i: Instruction) -> bool:
        return all(self.frame.shadowed(o) for o in i.operands)

    def _bitwise(
        self,
        code: Code,
        i: Instruction,
        moved: Callable[[Value], Expr],
        primal: Callable[[Value], Expr],
        shadow: Callable[[Value], Expr],
    ) -> Expr:
        if self._is_sum(i):
            opcode = "add" if "disjoint" in i.flags else i.opcode
            a, b = map(moved, i.operands)
            return code.emit(i.type, f"{opcode} {a}, {b.ref}", "shadow")
        of = self._carried(i)
        [other] = [o for o in i.operands if o is not of]
        result = primal(i)
        moves = result - primal(of)
        follows = shadow(of) + (moves * self.shadows.scale if self.shadows.scale > 1 else moves)
        literal = other.integer if isinstance(other, Constant) else None
        if i.opcode != "and" or literal is not None:
            return follows
        # What is left of an address by a mask that is not known may be an address, or a few bits of it: a number.
        high = code.constant(i.type, HIGH_BITS)
        kept = code.emit(i.type, f"and {primal(other)}, {high.ref}")
        return kept.eq(high).select(follows, result)

    def _handed_on(
        self,
        code: Code,
        i: Instruction,
        given: list[Value],
        moved: Callable[[Value], Expr],
        primal: Callable[[Value], Expr],
    ) -> Expr:
        result = primal(i)
        if len(given) == 2:
            return result.eq(primal(given[0])).select(moved(given[0]), moved(given[1]))
        if not i.type.is_pointer:
            return moved(given[0])
        now, before = (code.emit(I64, f"ptrtoint {x} to i64") for x in (result, primal(given[0])))
        return code.emit(PTR, f"getelementptr i8, {moved(given[0])}, {(now - before) * self.shadows.scale}", "shadow")


def _primals(values: list[Value]) -> list[Input]:
    return [("primal", v) for v in values]


def _steps(gep: Instruction, base: str, index: Callable[[Value], str], loose: bool) -> str:
    """The text of a `getelementptr` from another base; where it may lead elsewhere, without the promise not to."""
    first = gep.operands[0]
    text = gep.render("", lambda v: base if v is first else index(v)).partition(" = ")[2]
    if loose:
        for flag in ("inbounds ", "nuw ", "nusw "):
            text = text.replace(f" {flag}", " ", 1)
    return text


# -- memory ----------------------------------------------------------------------------------------------------------


def load_moved(code: Code, type: Type, pointer: Expr, align: int, scale: int) -> Expr:
    """The shadows of pointers (and of integers made of them) that lie somewhere, as a value of that type."""
    if scale == 1 or not (type.is_aggregate or type.kind == "vector"):
        return code.load(type, pointer, f", align {align}", "shadow")
    whole = Expr(code, type, "zeroinitializer")
    for path, offset in _parts(type):
        x = load_moved(code, type.at(path), code.offset(pointer, offset * scale), 1, scale)
        whole = _with_part(code, whole, x, path)
    return whole


def store_moved(code: Code, value: Expr, pointer: Expr, align: int, scale: int) -> None:
    if scale == 1 or not (value.type.is_aggregate or value.type.kind == "vector"):
        code.store(value, pointer, f", align {align}")
        return
    for path, offset in _parts(value.type):
        store_moved(code, _part(code, value, path), code.offset(pointer, offset * scale), 1, scale)


def _parts(type: Type) -> list[tuple[tuple[int, ...], int]]:
    """The members of an aggregate or the lanes of a vector, and where they lie."""
    if type.kind == "vector":
        return [((n,), offset) for n, offset in enumerate(type.offsets)]
    return leaves(type, lambda t: not t.is_aggregate)


def _part(code: Code, whole: Expr, path: tuple[int, ...]) -> Expr:
    type = whole.type.at(path)
    if whole.type.kind == "vector":
        return code.emit(type, f"extractelement {whole}, i64 {path[0]}")
    return code.emit(type, f"extractvalue {whole}, {', '.join(map(str, path))}")


def _with_part(code: Code, whole: Expr, part: Expr, path: tuple[int, ...]) -> Expr:
    if whole.type.kind == "vector":
        return code.emit(whole.type, f"insertelement {whole}, {part}, i64 {path[0]}")
    return code.emit(whole.type, f"insertvalue {whole}, {part}, {', '.join(map(str, path))}")
