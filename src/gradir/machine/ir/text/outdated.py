"""Constants that older LLVMs write and newer ones don't read: products of sizes and the like, computed here."""

from __future__ import annotations

from collections.abc import Callable

from gradir.errors import InputError
from gradir.machine.ir.text.typetext import Types

__all__ = ["with_constants_computed"]

_OPERATIONS: dict[str, Callable[[int, int], int]] = {
    "mul": int.__mul__,
    "shl": int.__lshift__,
    "lshr": int.__rshift__,
    "and": int.__and__,
    "or": int.__or__,
    "xor": int.__xor__,
    "udiv": int.__floordiv__,
    "add": int.__add__,
    "sub": int.__sub__,
}
_GONE = [op for op in _OPERATIONS if op not in ("add", "sub", "xor")]
_FLAGS = (" nuw", " nsw", " exact", " disjoint", " inbounds")


def with_constants_computed(text: str) -> str:
    """A module's text with its constant expressions of integers replaced by the numbers that they are.

    >>> size = "ptrtoint (ptr getelementptr ({ double, i8 }, ptr null, i32 1) to i64)"
    >>> with_constants_computed(f"@n = global i64 mul (i64 {size}, i64 3)")
    '@n = global i64 48'
    """
    types = Types(dict(_named_types(text)))
    pieces, at = [], 0
    while (begin := _next(text, at)) is not None:
        reader = _Reader(text, begin, types)
        try:
            number = str(reader.value())
        except (InputError, ValueError, ZeroDivisionError):
            number, reader.at = text[begin : begin + 1], begin + 1  # of something else: LLVM will say what
        pieces += [text[at:begin], number]
        at = reader.at
    return "".join([*pieces, text[at:]])


def _named_types(text: str) -> list[tuple[str, str]]:
    lines = [line.partition(" = type ") for line in text.splitlines() if line.startswith("%")]
    return [(name, body) for name, found, body in lines if found]


def _next(text: str, at: int) -> int | None:
    """Where the next operation on constants begins."""
    found = [p for op in _GONE for p in _places(text, op, at)]
    return min(found, default=None)


def _places(text: str, op: str, at: int) -> list[int]:
    endings = (f" {op} (i", *(f" {op}{flag} (i" for flag in _FLAGS), f" {op} nuw nsw (i")
    return [place + 1 for ending in endings if (place := text.find(ending, at)) >= 0]


class _Reader:
    """Reads a constant expression from a position on."""

    def __init__(self, text: str, at: int, types: Types) -> None:
        self.text, self.at, self.types = text, at, types

    def value(self) -> int:
        if self._takes("ptrtoint"):
            self._expect(" (ptr ")
            size = self._address()
            self._expect(" to i64)")
            return size
        for op, compute in _OPERATIONS.items():
            if self._takes(op):
                while any(self._takes(flag) for flag in _FLAGS):
                    pass
                self._expect(" (")
                a = self._operand()
                self._expect(", ")
                b = self._operand()
                self._expect(")")
                return compute(a, b)
        return int(self._until(",)"))

    def _operand(self) -> int:
        self._until(" ")
        self._expect(" ")
        return self.value()

    def _address(self) -> int:
        """The address of an element of an array that begins at null."""
        self._expect("getelementptr")
        while any(self._takes(flag) for flag in _FLAGS):
            pass
        self._expect(" (")
        element = self._until(",")
        self._expect(", ptr null, ")
        return self.types.parse(element).size * self._operand_then(")")

    def _operand_then(self, end: str) -> int:
        number = self._operand()
        self._expect(end)
        return number

    def _takes(self, word: str) -> bool:
        if not self.text.startswith(word, self.at):
            return False
        self.at += len(word)
        return True

    def _expect(self, word: str) -> None:
        if not self._takes(word):
            raise InputError(f"`{word}` expected")

    def _until(self, ends: str) -> str:
        """The text up to one of some characters, outside of brackets."""
        begin, depth = self.at, 0
        while self.at < len(self.text) and (depth or self.text[self.at] not in ends):
            depth += (self.text[self.at] in "{[(<") - (self.text[self.at] in ">)]}")
            self.at += 1
        return self.text[begin : self.at]
