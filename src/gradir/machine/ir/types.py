"""Types of LLVM: known by their text, with what each is made of and how it lies in memory."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

__all__ = [
    "DOUBLE",
    "I1",
    "I8",
    "I32",
    "I64",
    "PTR",
    "VOID",
    "Type",
    "array",
    "integer",
    "leaves",
    "struct",
    "vector",
]

_FLOAT_BITS = {"half": 16, "bfloat": 16, "float": 32, "double": 64, "x86_fp80": 80, "fp128": 128, "ppc_fp128": 128}

_COMPOSED = ("vector", "array", "struct")


@dataclass(frozen=True)
class Type:
    """A type, known by its text.

    `kind` is one of void, int, float, ptr, vector, array, struct, label, metadata, token, function.

    >>> vector(4, DOUBLE).text, struct([DOUBLE, I32]).text
    ('<4 x double>', '{ double, i32 }')
    """

    text: str
    kind: str
    count: int = 0
    """Of a vector or an array the number of its elements; of an integer the number of its bits."""
    elements: tuple[Type, ...] = ()
    """The element of a vector or an array, the fields of a struct, the result and parameters of a function."""
    packed: bool = False
    scalable: bool = False

    def __str__(self) -> str:
        return self.text

    @property
    def element(self) -> Type:
        return self.elements[0]

    @property
    def is_float(self) -> bool:
        """A float or a vector of floats: what arithmetic has derivatives for."""
        return self.kind == "float" or (self.kind == "vector" and self.elements[0].kind == "float")

    @property
    def is_pointer(self) -> bool:
        return self.kind == "ptr"

    @property
    def is_integer(self) -> bool:
        return self.kind == "int"

    @property
    def is_aggregate(self) -> bool:
        return self.kind in ("struct", "array")

    @cached_property
    def holds_pointer(self) -> bool:
        """Whether it is, or is made of, pointers among others."""
        return self.is_pointer or (self.kind in _COMPOSED and any(e.holds_pointer for e in self.elements))

    @cached_property
    def holds_float(self) -> bool:
        """Whether it is, or is made of, floats among others."""
        return self.kind == "float" or (self.kind in _COMPOSED and any(e.holds_float for e in self.elements))

    @property
    def scalar(self) -> Type:
        """The element of a vector; any other type itself."""
        return self.elements[0] if self.kind == "vector" else self

    @property
    def lanes(self) -> int:
        return self.count if self.kind == "vector" else 1

    @cached_property
    def size(self) -> int:
        """Bytes from one such value to the next in an array, on all machines that `ir.layout` lets pass."""
        match self.kind:
            case "int" | "float" | "ptr" | "vector":
                return _up(self.store_size, self.align)
            case "array":
                return self.count * self.element.size
            case "struct":
                end = self.offsets[-1] + self.elements[-1].size if self.elements else 0
                return _up(end, self.align)
            case _:
                return 0

    @cached_property
    def align(self) -> int:
        match self.kind:
            case "int" | "float" | "ptr":
                return min(16, _power(self.store_size))
            case "array":
                return self.element.align
            case "vector":
                return _power(self.store_size)
            case "struct":
                return 1 if self.packed else max((e.align for e in self.elements), default=1)
            case _:
                return 1

    @cached_property
    def bits(self) -> int:
        """The bits that a value has: fewer than its bytes where it is padded. Those of a vector follow each other."""
        match self.kind:
            case "int":
                return self.count
            case "float":
                return _FLOAT_BITS[self.text]
            case "ptr":
                return 64
            case "vector":
                return self.count * self.element.bits
            case _:
                return self.size * 8

    @property
    def store_size(self) -> int:
        """The bytes that a store of it writes, and a load reads: 10 for an `x86_fp80`, whose size is 16."""
        return (self.bits + 7) // 8

    @cached_property
    def offsets(self) -> tuple[int, ...]:
        """Where the fields of a struct begin, or the elements of an array or a vector."""
        if self.kind == "array":
            return tuple(i * self.element.size for i in range(self.count))
        if self.kind == "vector":
            return tuple(i * self.element.bits // 8 for i in range(self.count))
        at, offsets = 0, []
        for e in self.elements:
            at = at if self.packed else _up(at, e.align)
            offsets.append(at)
            at += e.size
        return tuple(offsets)

    def parts(self) -> Iterator[tuple[int, Type]]:
        """The scalars (and pointers) that a value of this type is made of, with their byte offsets.

        >>> [(o, t.text) for o, t in struct([I32, array(2, DOUBLE)]).parts()]
        [(0, 'i32'), (8, 'double'), (16, 'double')]
        """
        match self.kind:
            case "array" | "vector":
                inner = list(self.element.parts())
                for at in self.offsets:
                    for o, t in inner:
                        yield at + o, t
            case "struct":
                for at, e in zip(self.offsets, self.elements, strict=True):
                    for o, t in e.parts():
                        yield at + o, t
            case _:
                yield 0, self

    def at(self, indices: Sequence[int]) -> Type:
        """The type of a member, as `extractvalue` names it."""
        inner = self
        for i in indices:
            inner = inner.elements[i] if inner.kind == "struct" else inner.element
        return inner


def _up(n: int, align: int) -> int:
    return -(-n // align) * align


def _power(n: int) -> int:
    return 1 << max(0, n - 1).bit_length()


VOID = Type("void", "void")
I1, I8, I32, I64 = (Type(f"i{n}", "int", n) for n in (1, 8, 32, 64))
DOUBLE = Type("double", "float")
PTR = Type("ptr", "ptr")


def integer(bits: int) -> Type:
    return Type(f"i{bits}", "int", bits)


def vector(count: int, element: Type) -> Type:
    return Type(f"<{count} x {element}>", "vector", count, (element,))


def array(count: int, element: Type) -> Type:
    return Type(f"[{count} x {element}]", "array", count, (element,))


def struct(fields: Sequence[Type], packed: bool = False) -> Type:
    body = f"{{ {', '.join(map(str, fields))} }}" if fields else "{}"
    return Type(f"<{body}>" if packed else body, "struct", 0, tuple(fields), packed)


def leaves(type: Type, wanted: Callable[[Type], bool] = lambda t: t.is_float) -> list[tuple[tuple[int, ...], int]]:
    """The floats (or what else is wanted) of an aggregate: how to get there, and where they lie in memory.

    >>> leaves(struct([I32, array(2, DOUBLE)]))
    [((1, 0), 8), ((1, 1), 16)]
    """
    if wanted(type):
        return [((), 0)]
    if not type.is_aggregate:
        return []
    found = []
    for i, offset in enumerate(type.offsets):
        found += [((i, *path), offset + more) for path, more in leaves(type.at([i]), wanted)]
    return found
