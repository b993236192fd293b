"""Copies and fills of memory: `memcpy`, `memmove`, `memset`, and what they do to shadows."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from functools import cached_property
from itertools import permutations
from typing import TYPE_CHECKING

from gradir.machine.analysis.bytes.types import Kind, Region, RegionField
from gradir.machine.ir import PTR, Constant, Instruction, Value
from gradir.machine.ir.builder import Code, Expr
from gradir.machine.rules.known import COPY_BYTES, Known
from gradir.machine.transform.runtime.functions import (
    Move,
    accumulate,
    each_field,
    from_first_word,
    give_doubles,
    in_chunks,
    move_addresses,
    through,
)

if TYPE_CHECKING:
    from gradir.machine.transform.augment import Augmented
    from gradir.machine.transform.frame import Frame
    from gradir.machine.transform.reverse import Reverse

__all__ = ["Copied", "Copies"]

_LONGEST_NAME = 120
_WORD = Kind.word.size


class Copied:
    """What is moved, as the types of the memory at both ends tell, and the shadows of pointers with it."""

    def __init__(self, frame: Frame) -> None:
        self.frame = frame

    def fact(self, i: Instruction) -> Known | None:
        fact = self.frame.memory.known(i)
        return fact if fact is not None and fact.kind in ("copy", "set") else None

    def target(self, i: Instruction) -> Value:
        fact = self.fact(i)
        assert fact is not None and fact.pointer is not None
        return i.arguments[fact.pointer]

    def region(self, i: Instruction) -> Region:
        """What is copied or filled, as one end or the other tells. Neither does where one is disputed."""
        types, ends, length = self.frame.types, [i.arguments[n] for n in self._ends(i)], self._size(i)
        region, *other = (self._own(types.region(end, length), end) for end in ends)
        if not other:
            return region
        region = region.joined(other[0])
        fields = [
            f._replace(kind=Kind.unknown) if any(types.is_disputed(end, f.size, f.offset) for end in ends) else f
            for f in region.fields
        ]
        return region._replace(fields=tuple(fields))

    def _size(self, i: Instruction) -> Value:
        fact = self.fact(i)
        assert fact is not None
        return i.arguments[fact.size[0]]

    def _ends(self, i: Instruction) -> list[int]:
        """Which arguments are where to, and where from if it is a copy."""
        fact = self.fact(i)
        assert fact is not None
        return [n for n in (fact.pointer, fact.source) if n is not None]

    def told_at_run_time(self, i: Instruction, region: Region) -> Region:
        """The region as words, if it isn't known what is in it, but that nothing else can be; else as it is."""
        if Kind.unknown not in region.kinds:
            return region
        if self.frame.module.is_typed and self.frame.shadows.scale == 1:
            whole = all(self.frame.types.holds_words(i.arguments[n]) for n in self._ends(i))
            return Region.of_words(0, aligned=True) if whole else region
        if self._makes_floats_of_integers(i):
            return region
        found = [self.frame.types.words(i.arguments[n], i.align_of_argument(n)) for n in self._ends(i)]
        begins = {begin for end in found if end is not None for begin in end} or {0}
        if None in found or len(begins) > 1:
            return region
        begin, length = begins.pop(), self._size(i)
        end = length.integer if isinstance(length, Constant) else None
        cut = [f for f in region.until(begin) if f.offset < begin]
        if end is not None:
            cut += [f for f in region.until(end) if f.offset + f.size > end - (end - begin) % _WORD]
        if any(f.kind not in (Kind.integer, Kind.anything) for f in cut):
            return region
        return Region.of_words(begin)

    def _makes_floats_of_integers(self, i: Instruction) -> bool:
        """Whether one end holds floats where the other holds what is surely integers: the bits of the one were made by
        calculating with the other."""
        types, ends = self.frame.types, [i.arguments[n] for n in self._ends(i)]
        for here, there in permutations(ends, 2):
            region = types.region(here, self._size(i))
            reach = max((f.offset + f.size for f in region.fields), default=0)
            floats = [f for f in region.until(reach) if f.kind.is_float]
            if any(types.surely_integer(there, f.size, f.offset) for f in floats):
                return True
        return False

    def _own(self, region: Region, pointer: Value) -> Region:
        """What is known of memory, without what may be another's that the same pointers point to.

        An array of floats and a struct, of which a pointer may point to either, are one to the types: what lies between
        the struct's floats isn't in the array.
        """
        base = self.frame.memory.base(pointer)[0]
        kinds = self._accessed.get(base, set[Kind]())
        if base not in self._mixed or not any(kind.is_float for kind in kinds):
            return region
        foreign = region.kinds - kinds - {Kind.integer, Kind.anything}
        fields = (f._replace(kind=Kind.unknown) if f.kind in foreign else f for f in region.fields)
        return region._replace(fields=tuple(fields)) if foreign else region

    @cached_property
    def _mixed(self) -> set[Value]:
        """Pointers that others are computed from which may be computed from another one as well."""
        found: set[Value] = set()
        for i in self.frame.function.instructions():
            if i.opcode in ("phi", "select") and i.type.is_pointer:
                chosen = [v for v, _ in i.incoming] if i.opcode == "phi" else i.operands[1:]
                bases = {self.frame.memory.base(v)[0] for v in chosen if not isinstance(v, Constant)} - {i}
                found |= bases if len(bases) > 1 else set()
        return found

    @cached_property
    def _accessed(self) -> dict[Value, set[Kind]]:
        """The floats that the function itself has arrays of, without gaps, and whether it has pointers there, too."""
        found: dict[Value, set[Kind]] = {}
        for i in self.frame.function.instructions():
            if i.opcode in ("load", "store") and (kind := Kind.of(i.accessed_type.scalar)) is not None:
                base, _, stride = self.frame.memory.base(i.pointer)
                if stride == kind.size or kind is Kind.pointer:
                    found.setdefault(base, set()).add(kind)
        return found

    # -- functions that do it, `(to, from, bytes)` ------------------------------------------------------------------

    def pointer_function(self, region: Region, i: Instruction, action: str) -> str:
        """Copies the pointers of a region, or clears them (at `to`), and leaves the rest alone."""

        def move(mark: str) -> str:
            if action == "clear":
                return f"  store ptr null, ptr %to.{mark}, align 1\n"
            text = f"  %p.{mark} = load ptr, ptr %from.{mark}, align 1\n"
            return text + f"  store ptr %p.{mark}, ptr %to.{mark}, align 1\n"

        bodies = {Kind.pointer: move, Kind.word: move_addresses(self.frame.shadows.scale, copy=action == "copy")}
        once, repeated = ([f for f in part if f.kind in bodies] for part in (region.head, region.repeated))
        moves = [[Move(f.offset, f.size, bodies[f.kind]) for f in part] for part in (once, repeated)]
        name = self._apart(i, self._defined(f"{action}_pointers", region, once, repeated, moves), action)
        return self._aligned(region, name, ("to", "from") if action == "copy" else ("to",))

    def float_function(self, region: Region, i: Instruction, action: str, *, shared: bool = False) -> str:
        """Gives the floats of a region (at `from`) to those of another, where they are added, or only clears them.

        Other threads may add to what is shared at the same time.
        """
        if (kind := self._only_kind(region)) is not None:
            region = Region(kind.size, (RegionField(0, kind.size, kind),))
        once, repeated = (
            [f for f in part if f.kind.is_float or f.kind is Kind.word] for part in (region.head, region.repeated)
        )
        if kind is not None and action == "give" and self.frame.shadows.scale == 1:
            name = f"gradir.give_floats.{kind.name}{'.shared' * shared}"  # a loop that LLVM makes vectors of
            self.frame.program.define(name, accumulate(name, kind.value, kind.size, shared=shared))
        else:
            moves = [[self._float_move(f, action == "give", shared) for f in part] for part in (once, repeated)]
            name = self._defined(f"{action}{'_shared' * shared}_floats", region, once, repeated, moves)
        name = self._apart(i, name, action, lambda: self.float_function(region, i, "clear"))
        return self._aligned(region, name, ("to", "from") if action == "give" else ("from",))

    def _aligned(self, region: Region, name: str, ends: Sequence[str]) -> str:
        """The same from the first whole word on, where a region is counted from there."""
        if not region.aligned:
            return name
        aligned = f"{name}.aligned"
        self.frame.program.define(aligned, from_first_word(aligned, name, ends))
        return aligned

    def _float_move(self, field: RegionField, add: bool, shared: bool = False) -> Move:
        if field.kind is Kind.word:
            return Move(field.offset, field.size, give_doubles(self.frame.shadows.scale, add=add))
        type = field.kind.float_type
        assert type is not None
        wide = self.frame.shadows.of(type) if self.frame.shadows.scale > 1 else type

        def move(mark: str) -> str:
            text = f"  %x.{mark} = load {wide}, ptr %from.{mark}, align 1\n" if add else ""
            text += f"  store {wide} zeroinitializer, ptr %from.{mark}, align 1\n"  # before the two are one
            if add and shared:
                text += f"  %y.{mark} = atomicrmw fadd ptr %to.{mark}, {wide} %x.{mark} monotonic\n"
            elif add:
                text += f"  %y.{mark} = load {wide}, ptr %to.{mark}, align 1\n"
                text += f"  %s.{mark} = fadd {wide} %x.{mark}, %y.{mark}\n"
                text += f"  store {wide} %s.{mark}, ptr %to.{mark}, align 1\n"
            return text

        return Move(field.offset, field.size, move)

    def _only_kind(self, region: Region) -> Kind | None:
        """The kind of float that a region is an array of, but for what was never written."""
        floats = [f for f in region.fields if f.kind.is_float]
        kinds = region.kinds - {Kind.anything}
        if len(kinds) != 1 or not floats:
            return None
        kind = floats[0].kind
        even = all(n % kind.size == 0 for n in (region.period, region.begin, *(f.offset for f in floats)))
        return kind if even else None

    def _defined(
        self,
        what: str,
        region: Region,
        once: list[RegionField],
        repeated: list[RegionField],
        moves: Sequence[Sequence[Move]],
    ) -> str:
        program, scale = self.frame.program, self.frame.shadows.scale
        parts = ["_".join(f"{f.offset}{f.kind.name}" for f in part) for part in (once, repeated)]
        name = f"gradir.{what}.{parts[0]}.{region.begin}.{region.period}.{parts[1]}.{scale}"
        if len(name) > _LONGEST_NAME:
            name = f"gradir.{what}.{hashlib.sha1(name.encode()).hexdigest()}"
        program.declare("declare i64 @llvm.usub.sat.i64(i64, i64)")
        program.define(name, each_field(name, moves[0], region.begin, region.period, moves[1], scale))
        return name

    def _apart(self, i: Instruction, name: str, action: str, clear: Callable[[], str] = str) -> str:
        """The same by way of a copy, where the two ends of a copy may overlap."""
        if action == "clear" or "memcpy" in (i.callee_name or ""):
            return name
        program = self.frame.program
        for line in (
            "declare noalias ptr @malloc(i64)",
            "declare void @free(ptr)",
            "declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)",
        ):
            program.declare(line)
        scale, moved = self.frame.shadows.scale, f"{name}.through"
        program.define(moved, through(moved, name, clear(), scale))
        if i.callee_name != COPY_BYTES:
            return moved
        chunks = f"{name}.chunks"
        program.define(chunks, in_chunks(chunks, name, moved, scale, back=action == "give"))
        return chunks


class Copies(Copied):
    """What a copy is in reverse mode: floats are added back, shadows of pointers copied forward."""

    def __init__(self, reverse: Reverse) -> None:
        super().__init__(reverse.frame)
        self.r = reverse

    def has_work(self, i: Instruction) -> bool:
        if i.opcode not in ("call", "invoke") or self.fact(i) is None:
            return False
        if not self.frame.activity.holds_active_floats(self.target(i)):
            return False
        region = self.region(i)
        return self._wipes(i, region) or any(k.is_float or k is Kind.unknown for k in region.kinds)

    def _blanks(self, i: Instruction, region: Region) -> bool:
        """Whether memory is filled that is the function's own, or that is known to hold pointers, but not only.

        Shadows of its floats are zero in the forward sweep, those of pointers are to be; when the reverse sweep has
        come here, nobody asks any more.
        """
        fact = self.fact(i)
        assert fact is not None
        own = self.frame.memory.is_local(self.target(i))
        pointers = Kind.pointer in region.kinds and not any(k.is_float for k in region.kinds)
        return fact.source is None and Kind.unknown in region.kinds and (own or pointers)

    def _wipes(self, i: Instruction, region: Region) -> bool:
        """Whether memory of the caller's is filled, of which nobody here says what some of it holds.

        The caller may have floats there, whose cotangents end here; a pointer there would be read by nobody.
        """
        fact = self.fact(i)
        assert fact is not None
        external = self.frame.memory.place(self.target(i)).external
        return fact.source is None and external and Kind.anything in region.kinds and Kind.pointer not in region.kinds

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
            bytes, targets = code.to_i64(Expr(code, size.type, size.ref)), frame.shadow(code, target)
            if frame.constancy.may_be(target):
                bytes = frame.constancy.length(code, bytes, Expr(code, PTR, target.ref), targets[0])
            self._blank(code, targets, bytes)
            return
        region = self.told_at_run_time(i, region)
        if not region.kinds & {Kind.pointer, Kind.word}:
            return
        targets = frame.shadow(code, target)
        sources = [Expr(code, PTR, "null")] * len(targets)
        if fact.source is not None:
            source = i.arguments[fact.source]
            # Pointers in memory without a shadow lead to such memory, and are their own shadows.
            itself = [Expr(code, PTR, source.ref)] * len(targets)
            sources = frame.shadow(code, source) if frame.shadowed(source) else itself
        length = code.to_i64(Expr(code, i.arguments[fact.size[0]].type, i.arguments[fact.size[0]].ref))
        if frame.constancy.may_be(target):
            length = frame.constancy.length(code, length, Expr(code, PTR, target.ref), targets[0])
        name = self.pointer_function(region, i, "copy" if fact.source is not None else "clear")
        for to, origin in zip(targets, sources, strict=True):
            code.line(f"call void @{name}({to}, {origin}, {length})")

    # -- reverse ----------------------------------------------------------------------------------------------------

    def undo(self, i: Instruction) -> None:
        r, frame, code = self.r, self.frame, self.r.reverse
        fact, target = self.fact(i), self.target(i)
        assert fact is not None
        region = self.region(i)
        if self._blanks(i, region) or self._wipes(i, region):
            self._blank(code, r.shadow(target, r.spot(i.block)), self._length(i))
            return
        region = self.told_at_run_time(i, region)
        if Kind.unknown in region.kinds:
            raise frame.refuse(
                i,
                f"it is not known what is copied here\n  {frame.types.explain(target)}",
                "compile with debug information or strict aliasing, or copy element by element",
            )
        spot = r.spot(i.block)
        length = self._length(i)
        targets = r.shadow(target, spot)
        source = i.arguments[fact.source] if fact.source is not None else None
        if source is None or not frame.shadowed(source):
            name, sources = self.float_function(region, i, "clear"), [Expr(code, PTR, "null")] * len(targets)
        else:
            shared = frame.may_be_shared(i, source)
            if shared and (Kind.word in region.kinds or frame.shadows.scale > 1):
                raise frame.refuse(
                    i, "what is copied here is shared by threads, and may hold pointers", "copy element by element"
                )
            name, sources = self.float_function(region, i, "give", shared=shared), r.shadow(source, spot)
            if frame.constancy.may_be(source):
                given = frame.constancy.length(code, length, r.primal(source, spot), sources[0])
                clear, rest = self.float_function(region, i, "clear"), length - given
                for t in targets:
                    code.line(f"call void @{clear}(ptr null, {t}, {rest})")
                length = given
        for s, t in zip(sources, targets, strict=True):
            code.line(f"call void @{name}({s}, {t}, {length})")

    def _length(self, i: Instruction) -> Expr:
        """How many bytes of the target's shadow there are to undo: none if it is constant."""
        r, fact, target, spot = self.r, self.fact(i), self.target(i), self.r.spot(i.block)
        assert fact is not None
        length = r.reverse.to_i64(r.primal(i.arguments[fact.size[0]], spot))
        if not self.frame.constancy.may_be(target):
            return length
        return self.frame.constancy.length(r.reverse, length, r.primal(target, spot), r.shadow(target, spot)[0])
