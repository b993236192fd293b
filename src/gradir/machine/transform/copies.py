"""Copies and fills of memory: `memcpy`, `memmove`, `memset`, and what they do to shadows."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gradir.machine.analysis.types import Kind, Region
from gradir.machine.ir import PTR, Constant, Instruction, Type, Value
from gradir.machine.ir.builder import Code, Expr
from gradir.machine.rules.known import Known
from gradir.machine.transform.runtime import accumulate, each_piece

if TYPE_CHECKING:
    from gradir.machine.transform.augment import Augmented
    from gradir.machine.transform.reverse import Reverse

__all__ = ["Copies"]


class Copies:
    """What a copy moves is told by the types of the memory: floats are added back in reverse, shadows of pointers
    copied forward."""

    def __init__(self, reverse: Reverse) -> None:
        self.r, self.frame = reverse, reverse.frame

    def fact(self, i: Instruction) -> Known | None:
        fact = self.frame.memory.known(i)
        return fact if fact is not None and fact.kind in ("copy", "set") else None

    def target(self, i: Instruction) -> Value:
        fact = self.fact(i)
        assert fact is not None and fact.pointer is not None
        return i.arguments[fact.pointer]

    def has_work(self, i: Instruction) -> bool:
        if i.opcode not in ("call", "invoke") or self.fact(i) is None:
            return False
        if not self.frame.activity.holds_active_floats(self.target(i)):
            return False
        return any(k.is_float or k is Kind.unknown for k in self.region(i).kinds)

    def region(self, i: Instruction) -> Region:
        """What is copied or filled, as one end or the other tells."""
        fact = self.fact(i)
        assert fact is not None
        length = i.arguments[fact.size[0]]
        ends = [self.target(i)] + ([i.arguments[fact.source]] if fact.source is not None else [])
        found = [self.frame.types.region(end, length) for end in ends]
        for region in found:
            if not region.kinds & {Kind.unknown, Kind.anything}:
                return region
        return next((r for r in found if Kind.unknown not in r.kinds), found[0])

    def _blanks(self, i: Instruction, region: Region) -> bool:
        """Whether memory is filled that is the function's own, or that is known to hold pointers, but not only.

        Shadows of its floats are zero in the forward sweep, those of pointers are to be; when the reverse sweep has
        come here, nobody asks any more.
        """
        fact = self.fact(i)
        assert fact is not None
        own = not self.frame.memory.place(self.target(i)).external
        pointers = Kind.pointer in region.kinds and not any(k.is_float for k in region.kinds)
        return fact.source is None and Kind.unknown in region.kinds and (own or pointers)

    def _blank(self, code: Code, targets: list[Expr], length: Expr) -> None:
        if self.frame.shadows.scale > 1:
            length = length * self.frame.shadows.scale
        for t in targets:
            code.clear(t, length)

    # -- forward ----------------------------------------------------------------------------------------------------

    def forward(self, augmented: Augmented, i: Instruction) -> None:
        """Shadows of pointers are copied along."""
        frame, code = self.frame, augmented.code
        fact, target = self.fact(i), self.target(i)
        assert fact is not None
        if i.type.is_pointer and frame.shadowed(i):
            frame.shadow_values[i] = frame.shadow(code, target)
        if isinstance(target, Constant) or not frame.shadowed(target):
            return
        region = self.region(i)
        if self._blanks(i, region):
            size = i.arguments[fact.size[0]]
            self._blank(code, frame.shadow(code, target), code.to_i64(Expr(code, size.type, size.ref)))
            return
        if Kind.pointer not in region.kinds:
            return
        targets = frame.shadow(code, target)
        sources = [Expr(code, PTR, "null")] * len(targets)
        if fact.source is not None:
            source = i.arguments[fact.source]
            if not frame.shadowed(source):
                return
            sources = frame.shadow(code, source)
        length = code.to_i64(Expr(code, i.arguments[fact.size[0]].type, i.arguments[fact.size[0]].ref))
        name = self._pointer_copy(region, frame.shadows.scale, fill=fact.source is None)
        for to, origin in zip(targets, sources, strict=True):
            code.line(f"call void @{name}({to}, {origin}, {length})")

    def _pointer_copy(self, region: Region, scale: int, fill: bool) -> str:
        """A function that copies the pointers of a region (or clears them) and leaves the rest alone."""
        period = _period(region)
        offsets = [f.offset for f in region.fields if f.kind is Kind.pointer]
        name = f"gradir.{'clear' if fill else 'copy'}_pointers.{period}.{'_'.join(map(str, offsets))}.{scale}"
        moves = ""
        for n, o in enumerate(offsets):
            moves += f"  %to.{n} = getelementptr i8, ptr %to.at, i64 {o * scale}\n"
            if fill:
                moves += f"  store ptr null, ptr %to.{n}\n"
            else:
                moves += f"  %from.{n} = getelementptr i8, ptr %from.at, i64 {o * scale}\n"
                moves += f"  %p.{n} = load ptr, ptr %from.{n}\n  store ptr %p.{n}, ptr %to.{n}\n"
        self.frame.program.define(name, each_piece(name, period, period * scale, moves))
        return name

    # -- reverse ----------------------------------------------------------------------------------------------------

    def undo(self, i: Instruction) -> None:
        r, frame, code = self.r, self.frame, self.r.reverse
        fact, target = self.fact(i), self.target(i)
        assert fact is not None
        region = self.region(i)
        if self._blanks(i, region):
            spot = r.spot(i.block)
            self._blank(code, r.shadow(target, spot), code.to_i64(r.primal(i.arguments[fact.size[0]], spot)))
            return
        if Kind.unknown in region.kinds:
            raise frame.refuse(
                i,
                f"it is not known what is copied here\n  {frame.types.explain(target)}",
                "compile with debug information or strict aliasing, or copy element by element",
            )
        spot = r.spot(i.block)
        length = code.to_i64(r.primal(i.arguments[fact.size[0]], spot))
        if frame.shadows.scale > 1:
            length = length * frame.shadows.scale
        targets = r.shadow(target, spot)
        source = i.arguments[fact.source] if fact.source is not None else None
        floats = {f.kind for f in region.fields if f.kind.is_float}
        plain = len(floats) == 1 and not region.kinds - floats - {Kind.anything}
        if source is None or not frame.shadowed(source):
            if plain:
                for t in targets:
                    code.clear(t, length)
            else:
                name = self._float_move(region, frame.shadows.scale, add=False)
                for t in targets:
                    code.line(f"call void @{name}(ptr null, {t}, {length})")
            return
        sources = r.shadow(source, spot)
        if plain:
            kind = next(iter(floats))
            through = "move" in (i.callee_name or "")
            name = f"gradir.accumulate.{kind.name}{'.through' if through else ''}"
            if through:
                for line in (
                    "declare noalias ptr @malloc(i64)",
                    "declare void @free(ptr)",
                    "declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)",
                    "declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)",
                ):
                    frame.program.declare(line)
            frame.program.define(name, accumulate(name, kind.value, kind.size, through))
        else:
            name = self._float_move(region, frame.shadows.scale, add=True)
        for s, t in zip(sources, targets, strict=True):
            code.line(f"call void @{name}({s}, {t}, {length})")

    def _float_move(self, region: Region, scale: int, add: bool) -> str:
        """A function that adds the floats of a region to those of another (or not), and clears them.

        As in `memmove`, the two may overlap: none may be added to before it is moved itself."""
        period = _period(region)
        name = f"gradir.{'give' if add else 'clear'}_floats.{period}."
        name += "_".join(f"{f.offset}{f.kind.name}{f.size}" for f in region.fields if f.kind.is_float) + f".{scale}"
        body, n = "", 0
        for f in region.fields:
            type = f.kind.float_type
            if type is None:
                continue
            for k in range(f.size // type.size * scale):
                body += self._move(type, f.offset * scale + k * type.size, n, add)
                n += 1
        self.frame.program.define(name, each_piece(name, period * scale, period * scale, body))
        return name

    @staticmethod
    def _move(type: Type, offset: int, n: int, add: bool) -> str:
        text = f"  %from.{n} = getelementptr i8, ptr %from.at, i64 {offset}\n"
        if add:
            text += f"  %to.{n} = getelementptr i8, ptr %to.at, i64 {offset}\n"
            text += f"  %x.{n} = load {type}, ptr %from.{n}, align {type.size}\n"
            text += f"  %y.{n} = load {type}, ptr %to.{n}, align {type.size}\n"
            text += f"  %s.{n} = fadd {type} %x.{n}, %y.{n}\n  store {type} %s.{n}, ptr %to.{n}, align {type.size}\n"
        return text + f"  store {type} 0.0, ptr %from.{n}, align {type.size}\n"


def _period(region: Region) -> int:
    """The bytes after which the same fields come again, or after which there are none."""
    return region.period or max(f.offset + f.size for f in region.fields)
