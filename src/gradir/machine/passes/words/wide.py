"""Words that are read as one integer of sixteen bytes and more are read one by one.

Where LLVM loads several members at once (a loop over structs, vectorised, of which it needs every second word), it
takes them for one wide integer, and cuts out what it wants by shifts. An address in it has no shadow then; a word has.
"""

from __future__ import annotations

from math import gcd

from gradir.machine.ir import I64, Constant, Function, Instruction, Module, Value
from gradir.machine.ir.instructions import add_offset, binary, cast, constant, load, located

__all__ = ["run"]

_BITS = 64


def run(module: Module) -> None:
    """Load the words of wide integers.

    >>> from gradir.machine.ir.text.printer import print_function
    >>> from gradir.machine.ir.text.reader import read
    >>> module = read('''define i64 @f(ptr %p) {
    ... entry:
    ...   %x = load i256, ptr %p, align 16
    ...   %y = lshr i256 %x, 192
    ...   %z = trunc i256 %y to i64
    ...   ret i64 %z
    ... }''')
    >>> run(module)
    >>> print(print_function(module.functions["f"]))
    define i64 @f(ptr %p) {
    entry:
      %word.at = getelementptr i8, ptr %p, i64 24
      %word = load i64, ptr %word.at, align 8
      ret i64 %word
    }
    """
    for function in module.definitions:
        if function.may_hold(" = load i"):
            for i in list(function.instructions()):
                if _is_wide_load(i):
                    _Words(function, i).take()


def _is_wide_load(i: Instruction) -> bool:
    return i.opcode == "load" and i.type.is_integer and _is_words(i.type.count) and not i.flags


def _is_words(bits: int) -> bool:
    return bits > _BITS and bits % _BITS == 0


class _Words:
    """The words of an integer that is loaded, each loaded where the whole was."""

    def __init__(self, function: Function, whole: Instruction) -> None:
        self.function, self.whole = function, whole
        self.words: dict[int, Instruction] = {}

    def take(self) -> None:
        """Let who cuts bits out of one word cut them out of it; whoever asks for more (a comparison) has the whole."""
        for user, begin in self._pieces():
            word = self._shifted(user, begin)
            user.erase(word if user.type == I64 else self._before(user, cast("trunc", word, user.type)))
        for i in [*self.function.users.get(self.whole, ()), self.whole]:
            if not self.function.users.get(i):
                i.erase()

    def _pieces(self) -> list[tuple[Instruction, int]]:
        """Who cuts bits out of one word, and where they begin."""
        begins = [(self.whole, 0)]
        begins += [(u, by) for u in self._users(self.whole, "lshr") if (by := _number(u.operands[1])) is not None]
        return [
            (u, begin) for i, begin in begins for u in self._users(i, "trunc") if begin % _BITS + u.type.count <= _BITS
        ]

    def _users(self, i: Instruction, opcode: str) -> list[Instruction]:
        return [u for u in self.function.users.get(i, ()) if u.opcode == opcode]

    def _shifted(self, user: Instruction, begin: int) -> Value:
        n, by = divmod(begin, _BITS)
        if n not in self.words:
            pointer, at = self.whole.pointer, n * _BITS // 8
            if at:
                pointer = self._before(self.whole, add_offset(pointer, at, "word.at"))
            self.words[n] = self._before(self.whole, load(I64, pointer, gcd(self.whole.align, at or 8), "word"))
        return self._before(user, binary("lshr", self.words[n], constant(I64, by))) if by else self.words[n]

    def _before(self, user: Instruction, made: Instruction) -> Instruction:
        user.insert_before(located(made, user))
        return made


def _number(value: Value) -> int | None:
    return value.integer if isinstance(value, Constant) else None
