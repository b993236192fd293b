"""Data layouts: what LLVM's `target datalayout` says of a machine's memory, and whether that is supported.

How types lie in memory is computed in one place, `ir.Type`, by rules that little-endian machines with pointers of eight
bytes share: x86-64, AArch64, RISC-V, PowerPC (little-endian), NVPTX. A module for any other machine is refused when it
is read, since a front end has put sizes and offsets into its code as numbers.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache

from gradir.errors import InputError
from gradir.machine.ir.types import DOUBLE, I8, I32, I64, PTR, Type, vector

__all__ = ["DataLayout"]

_WAY_OUT = "compile for a little-endian 64-bit machine, such as x86_64-linux-gnu or aarch64-linux-gnu"


@dataclass(frozen=True)
class Pointers:
    """The pointers of an address space: their bits in memory, their alignment, and the bits that address."""

    size: int = 64
    align: int = 64
    index: int = 64
    is_integral: bool = True

    @property
    def difference(self) -> str | None:
        """What is not as in the pointers that are supported."""
        if (self.size, self.index) != (64, 64):
            return f"have {_bytes(min(self.size, self.index))}, not 8"
        if not self.is_integral:
            return "can't be converted to integers and back (they are non-integral)"
        return None


@dataclass(frozen=True)
class DataLayout:
    """How a machine lays out memory.

    >>> layout = DataLayout.read("e-m:e-p:32:32-p1:64:64-i64:32-f80:32-n8:16:32")
    >>> layout.pointers(0).size, layout.pointers(1).size, layout.align(I64), layout.align(I32)
    (32, 64, 4, 4)
    """

    is_big_endian: bool
    spaces: Mapping[int, Pointers]
    aligns: Mapping[tuple[str, int], int]
    """Alignments in bits, by `i`, `f` or `v` and the number of bits."""
    stack: int
    """The address space of local variables."""

    @staticmethod
    @cache
    def read(text: str) -> DataLayout:
        """The layout that a string describes. What it leaves out is as LLVM's reference says."""
        is_big_endian, stack = False, 0
        spaces = {0: Pointers()}
        not_integral: list[int] = []
        aligns = dict(_DEFAULTS)
        for specification in text.split("-"):
            key, *numbers = specification.split(":")
            letter, space = key[:1], int(key.lstrip("peu") or 0) if key[:1] == "p" else 0
            if key in ("e", "E"):
                is_big_endian = key == "E"
            elif key == "ni":
                not_integral += map(int, numbers)
            elif letter == "p":
                size, align = int(numbers[0]), int(numbers[1])
                spaces[space] = Pointers(size, align, int(numbers[3]) if len(numbers) > 3 else size)
            elif letter in "ifv" and key[1:].isdigit():
                aligns[letter, int(key[1:])] = int(numbers[0])
            elif letter == "A":
                stack = int(key[1:])
        for space in not_integral:
            given = spaces.get(space, spaces[0])
            spaces[space] = Pointers(given.size, given.align, given.index, is_integral=False)
        return DataLayout(is_big_endian, spaces, aligns, stack)

    def pointers(self, space: int) -> Pointers:
        return self.spaces.get(space, self.spaces[0])

    def align(self, type: Type) -> int:
        """The alignment of a number or a vector, in bytes."""
        bits = type.store_size * 8
        match type.kind:
            case "ptr":
                return self.pointers(0).align // 8
            case "int":  # as the next larger one that is known, or the largest
                known = sorted(n for letter, n in self.aligns if letter == "i")
                return self.aligns["i", next((n for n in known if n >= bits), known[-1])] // 8
            case kind:
                natural = 1 << (bits - 1).bit_length()
                return self.aligns.get(("v" if kind == "vector" else "f", bits), natural) // 8

    def check(self, location: str | None, mentions: Callable[[str], bool]) -> None:
        """Refuse code for memory that is laid out in another way than `Type` has it.

        `mentions` tells whether a type occurs in the code: what is rare matters only where it is used.
        """
        reason = self._difference(mentions)
        if reason is not None:
            message = f"code for this machine is not supported: {reason}"
            raise InputError(message, location=location, hint=_WAY_OUT)

    def _difference(self, mentions: Callable[[str], bool]) -> str | None:
        if (difference := self.pointers(0).difference) is not None:
            return f"its pointers {difference}"
        if self.is_big_endian:
            return "its numbers begin with their highest byte (it is big-endian)"
        if self.stack != 0:
            return f"its local variables have an address space of their own ({self.stack})"
        for type in (*_COMMON, *_RARE):
            if self.align(type) != type.align and (type in _COMMON or mentions(type.text)):
                return f"{type} is aligned to {_bytes(self.align(type) * 8)}, not {type.align}"
        if ("f", 80) not in self.aligns and mentions("x86_fp80"):
            return "it has no floats of 80 bits (x86_fp80, a long double on other machines)"
        return None

    def check_space(self, space: int, line: str) -> None:
        """Refuse pointers of an address space where they are not as those of others are."""
        if (difference := self.pointers(space).difference) is not None:
            hint = "use pointers of the default address space"
            raise InputError(f"pointers of address space {space} {difference}: {line.strip()}", hint=hint)


def _bytes(bits: int) -> str:
    return f"{bits // 8} byte{'s' if bits > 8 else ''}"


_DEFAULTS = {
    **{("i", n): max(n, 8) for n in (1, 8, 16, 32)},
    ("i", 64): 32,
    **{("f", n): n for n in (16, 32, 64, 128)},
    **{("v", n): n for n in (64, 128)},
}

_FLOAT = Type("float", "float")
_COMMON = (I8, Type("i16", "int", 16), I32, I64, _FLOAT, DOUBLE, PTR)
_RARE = (
    *(Type(f"i{n}", "int", n) for n in (128, 256)),
    *(Type(name, "float") for name in ("half", "bfloat", "x86_fp80", "fp128")),
    *(vector(n, t) for t in (I32, I64, _FLOAT, DOUBLE) for n in (2, 4, 8)),
)
