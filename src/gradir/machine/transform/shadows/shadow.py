"""Shadows: what a value or a piece of memory carries besides itself, for one direction or for several at once.

With width w the shadow of a float is a vector of w floats, so that one sweep does the arithmetic of w directions. The
shadow of a
pointer is w pointers to separate shadows (as Enzyme's interface has it), or one pointer to interleaved ones, where what
lies at byte o of the memory has its w shadows at byte o·w.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import Enum

from gradir.machine.ir import I64, PTR, Instruction, Type, Value, array, struct, vector
from gradir.machine.ir.builder import Code, Expr
from gradir.machine.ir.types import leaves

__all__ = ["Addition", "Layout", "Shadows", "float_paths"]

Addition = Callable[[Expr, Expr], None]
"""Writes what adds a number to what is at an address."""


class Layout(Enum):
    """Where the shadows of several directions lie."""

    separate = "separate"
    interleaved = "interleaved"


@dataclass(frozen=True)
class Shadows:
    """How shadows of `width` directions are kept."""

    width: int = 1
    layout: Layout = Layout.separate

    @property
    def pointers(self) -> int:
        """How many pointers are the shadow of one."""
        return self.width if self.layout is Layout.separate else 1

    @property
    def scale(self) -> int:
        """How many bytes of shadow there are behind each of those pointers for a byte of memory."""
        return 1 if self.layout is Layout.separate else self.width

    # -- floats -----------------------------------------------------------------------------------------------------

    def of(self, type: Type) -> Type:
        """The type of the shadow of a float, of a vector of floats, or of an aggregate with floats in it."""
        if self.width == 1:
            return type
        match type.kind:
            case "float":
                return vector(self.width, type)
            case "vector":
                return vector(self.width * type.count, type.element) if type.is_float else type
            case "array":
                return array(type.count, self.of(type.element))
            case "struct":
                return struct([self.of(e) for e in type.elements], type.packed)
        return type

    def passed(self, type: Type) -> Type:
        """The type in which it is passed to and returned from a derivative: an array with an entry per direction."""
        return type if self.width == 1 else array(self.width, type)

    def widen(self, code: Code, x: Expr) -> Expr:
        """A primal float (or a condition) in the lanes of its shadow: each lane w times."""
        if self.width == 1:
            return x
        if x.type.kind != "vector":
            return code.splat(x, vector(self.width, x.type))
        lanes = [i for i in range(x.type.count) for _ in range(self.width)]
        return self._shuffle(code, x, lanes)

    def _shuffle(self, code: Code, x: Expr, lanes: Sequence[int]) -> Expr:
        mask = ", ".join(f"i32 {i}" if i >= 0 else "i32 poison" for i in lanes)
        of = vector(len(lanes), x.type.element)
        return code.emit(of, f"shufflevector {x}, {x.type} poison, <{len(lanes)} x i32> <{mask}>")

    def lanes(self, lanes: Sequence[int]) -> list[int]:
        """Where the shadows of a vector's lanes are."""
        return [i * self.width + k if i >= 0 else -1 for i in lanes for k in range(self.width)]

    def extract_lane(self, code: Code, whole: Expr, type: Type, lane: Expr) -> Expr:
        """The shadow of one lane (of the type `type`) of a vector."""
        w = self.width
        if w == 1:
            return code.emit(type, f"extractelement {whole}, {lane}")
        return self.pack(code, [code.emit(type, f"extractelement {whole}, {lane * w + k}") for k in range(w)], type)

    def insert_lane(self, code: Code, whole: Expr, x: Expr, lane: Expr) -> Expr:
        """The shadow of a vector with that of one lane replaced."""
        w = self.width
        if w == 1:
            return code.emit(whole.type, f"insertelement {whole}, {x}, {lane}")
        for k in range(w):
            part = code.emit(whole.type.element, f"extractelement {x}, i64 {k}")
            whole = code.emit(whole.type, f"insertelement {whole}, {part}, {lane * w + k}")
        return whole

    def sum_lanes(self, code: Code, x: Expr, type: Type) -> Expr:
        """The shadow of the sum of a vector's lanes."""
        w = self.width
        if w == 1:
            parts = [code.emit(type.element, f"extractelement {x}, i64 {i}") for i in range(type.count)]
        else:
            parts = [self._shuffle(code, x, range(i * w, i * w + w)) for i in range(type.count)]
        total = parts[0]
        for part in parts[1:]:
            total = total + part
        return total

    def zero(self, code: Code, type: Type) -> Expr:
        return Expr(code, self.of(type), "zeroinitializer")

    def add(self, code: Code, a: Expr, b: Expr) -> Expr:
        """The sum of two shadows, in an aggregate of each float in it."""
        if a.type.is_float:
            return a + b
        total = a
        for path in float_paths(a.type):
            t = a.type.at(path)
            where = ", ".join(map(str, path))
            x, y = (code.emit(t, f"extractvalue {v}, {where}") for v in (a, b))
            total = code.emit(a.type, f"insertvalue {total}, {x + y}, {where}")
        return total

    def pack(self, code: Code, parts: Sequence[Expr], type: Type) -> Expr:
        """One shadow of the shadows of each direction, of the primal type `type`."""
        if self.width == 1:
            return parts[0]
        of = self.of(type)
        if type.kind == "float":
            result = Expr(code, of, "poison")
            for k, part in enumerate(parts):
                result = code.emit(of, f"insertelement {result}, {part}, i64 {k}")
            return result
        if type.kind == "vector":
            result = Expr(code, of, "poison")
            for k, part in enumerate(parts):
                for lane in range(type.count):
                    x = code.emit(type.element, f"extractelement {part}, i64 {lane}")
                    result = code.emit(of, f"insertelement {result}, {x}, i64 {lane * self.width + k}")
            return result
        result = Expr(code, of, "poison")
        for i in range(type.count if type.kind == "array" else len(type.elements)):
            inner = type.at([i])
            if inner.kind not in ("float", "vector", "array", "struct"):
                continue
            packed = self.pack(code, [code.emit(inner, f"extractvalue {p}, {i}") for p in parts], inner)
            result = code.emit(of, f"insertvalue {result}, {packed}, {i}")
        return result

    def unpack(self, code: Code, shadow: Expr, type: Type) -> list[Expr]:
        """The shadows of each direction."""
        if self.width == 1:
            return [shadow]
        if type.kind == "float":
            return [code.emit(type, f"extractelement {shadow}, i64 {k}") for k in range(self.width)]
        if type.kind == "vector":
            return [
                self._shuffle(code, shadow, [i * self.width + k for i in range(type.count)]) for k in range(self.width)
            ]
        parts = [Expr(code, type, "zeroinitializer") for _ in range(self.width)]
        for i in range(type.count if type.kind == "array" else len(type.elements)):
            inner = type.at([i])
            if inner.kind not in ("float", "vector", "array", "struct"):
                continue
            member = code.emit(self.of(inner), f"extractvalue {shadow}, {i}")
            for k, x in enumerate(self.unpack(code, member, inner)):
                parts[k] = code.emit(type, f"insertvalue {parts[k]}, {x}, {i}")
        return parts

    def from_passed(self, code: Code, x: Expr, type: Type, guise: Type) -> Expr:
        """A shadow of floats `type` that was passed, perhaps in the guise of an integer."""
        parts = [x]
        if self.width > 1:
            parts = [code.emit(guise, f"extractvalue {x}, {k}") for k in range(self.width)]
        if type != guise:
            parts = [code.emit(type, f"bitcast {part} to {type}") for part in parts]
        return self.pack(code, parts, type)

    def to_passed(self, code: Code, shadow: Expr, type: Type, guise: Type) -> Expr:
        if shadow.ref == "zeroinitializer":
            return Expr(code, self.passed(guise), shadow.ref)
        parts = self.unpack(code, shadow, type)
        if type != guise:
            parts = [code.emit(guise, f"bitcast {part} to {guise}") for part in parts]
        if self.width == 1:
            return parts[0]
        result = Expr(code, self.passed(guise), "poison")
        for k, x in enumerate(parts):
            result = code.emit(result.type, f"insertvalue {result}, {x}, {k}")
        return result

    # -- memory -----------------------------------------------------------------------------------------------------

    def load(self, code: Code, type: Type, pointers: Sequence[Expr], suffix: str = "") -> Expr:
        """The shadow of the float (or vector, or aggregate) at a place."""
        if self.width == 1:
            return code.load(type, pointers[0], suffix)
        if self.layout is Layout.interleaved and type.is_float:
            return code.load(self.of(type), pointers[0], f", align {type.scalar.size}")
        if self.layout is Layout.interleaved:
            return self._load_leaves(code, type, pointers[0])
        return self.pack(code, [code.load(type, p, suffix) for p in pointers], type)

    def _load_leaves(self, code: Code, type: Type, pointer: Expr) -> Expr:
        result = self.zero(code, type)
        for path, offset in leaves(type):
            x = self.load(code, type.at(path), [code.offset(pointer, offset * self.width)])
            result = code.emit(result.type, f"insertvalue {result}, {x}, {', '.join(map(str, path))}")
        return result

    def store(self, code: Code, shadow: Expr, type: Type, pointers: Sequence[Expr], suffix: str = "") -> None:
        if self.width == 1:
            code.store(shadow, pointers[0], suffix)
        elif self.layout is Layout.interleaved and type.is_float:
            code.store(shadow, pointers[0], f", align {type.scalar.size}")
        elif self.layout is Layout.interleaved:
            for path, offset in leaves(type):
                x = code.emit(self.of(type.at(path)), f"extractvalue {shadow}, {', '.join(map(str, path))}")
                self.store(code, x, type.at(path), [code.offset(pointers[0], offset * self.width)])
        else:
            for x, p in zip(self.unpack(code, shadow, type), pointers, strict=True):
                code.store(x, p, suffix)

    def add_atomically(
        self, code: Code, shadow: Expr, type: Type, pointers: Sequence[Expr], addition: Addition | None = None
    ) -> None:
        """Add to the shadow of memory that other threads may add to at the same time, float by float: by atomics,
        unless there is a better way."""
        together = self.layout is Layout.interleaved and self.width > 1
        scale = self.width if together else 1
        parts = [shadow] if together else self.unpack(code, shadow, type)
        for part, pointer in zip(parts, pointers, strict=True):
            for path, offset in leaves(type):
                leaf = self.of(type.at(path)) if together else type.at(path)
                x = code.emit(leaf, f"extractvalue {part}, {', '.join(map(str, path))}") if path else part
                for lane in range(leaf.count if leaf.kind == "vector" else 1):
                    one = x if leaf.kind != "vector" else code.emit(leaf.element, f"extractelement {x}, i64 {lane}")
                    at = code.offset(pointer, offset * scale + lane * leaf.scalar.size)
                    if addition is not None:
                        addition(at, one)
                    else:
                        code.line(f"atomicrmw fadd {at}, {one} monotonic")

    def gep(
        self, code: Code, gep: Instruction, pointers: Sequence[Expr], index: Callable[[Value], str], hint: str
    ) -> list[Expr]:
        """The shadow of an address: the same steps from the shadow of the base."""
        if self.scale == 1:
            return [code.emit(gep.type, _from(gep, p.ref, index), hint) for p in pointers]
        null = _from(gep, "null", index)
        for flag in ("inbounds ", "nuw ", "nusw "):
            null = null.replace(f" {flag}", " ", 1)
        offset = code.emit(I64, f"ptrtoint {PTR} {code.emit(PTR, null).ref} to i64")
        return [code.emit(gep.type, f"getelementptr i8, {p}, {offset * self.scale}", hint) for p in pointers]


def _from(gep: Instruction, base: str, index: Callable[[Value], str]) -> str:
    """The text of a `getelementptr` from another base."""
    return gep.render("", lambda v: base if v is gep.operands[0] else index(v)).partition(" = ")[2]


def float_paths(type: Type) -> list[tuple[int, ...]]:
    """The ways to the floats (and vectors of floats) of an aggregate, as `extractvalue` names them."""
    return [path for path, _ in leaves(type)]
