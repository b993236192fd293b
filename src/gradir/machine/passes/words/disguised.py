"""Addresses in registers of floats, and floats in registers of pointers, become integers of eight bytes.

Of a union of a number and a pointer that LLVM keeps in a register, it takes the type of one of them, and makes the
other into that: `phi double [ %x, … ], [ bitcast (ptrtoint %p), … ]`. As integers they are what they are, words, of
which `moved_words` knows.
"""

from __future__ import annotations

from collections.abc import Iterator

from gradir.machine.ir import DOUBLE, I64, PTR, Constant, Function, Instruction, Module, Type, Value
from gradir.machine.ir.graphs import reachable
from gradir.machine.ir.instructions import cast, constant, freeze, load, located, phi, select

__all__ = ["run"]

_CHOICES = ("phi", "select", "freeze")
_OUT = {DOUBLE: "bitcast", PTR: "ptrtoint"}
_BACK = {DOUBLE: "bitcast", PTR: "inttoptr"}
"""What makes a word of a float or a pointer, and the other way round."""


def run(module: Module) -> None:
    for function in module.definitions:
        if function.may_hold("ptrtoint") or function.may_hold("inttoptr"):
            for found in _disguised(function):
                _Retyped(function, found).run()


def _disguised(function: Function) -> Iterator[list[Instruction]]:
    """For each type, the choices and loads of it some of which are of the other: those that are made of it, those that
    become it, and what lies between the two."""
    for type in (DOUBLE, PTR):
        every = [i for i in function.instructions() if i.type == type]
        choices = {i for i in every if i.opcode in _CHOICES}
        made = {i for i in choices if _is_made_of_other(i)}
        loads = [i for i in every if i.opcode == "load" and not i.flags and _becomes_other(i)]
        become = {i for i in choices if _becomes_other(i)}
        users = {i: [u for u in function.users.get(i, ()) if u in choices] for i in choices}
        operands = {i: [o for o in i.operands if isinstance(o, Instruction) and o in choices] for i in choices}
        onwards, back = reachable(users, *made), reachable(operands, *become)
        chosen = made | become | (onwards & back)
        if found := [i for i in every if i in chosen or i in loads]:
            yield found


def _is_made_of_other(i: Instruction) -> bool:
    if i.opcode not in _CHOICES:
        return False
    words = [o.operands[0] for o in i.operands if isinstance(o, Instruction) and o.opcode == _BACK[i.type]]
    return any(isinstance(w, Instruction) and w.type == I64 and _makes_word(w, _other(i.type)) for w in words)


def _becomes_other(i: Instruction) -> bool:
    users = i.block.function.users
    words = [u for u in users.get(i, ()) if u.opcode == _OUT[i.type] and u.type == I64]
    return any(u.opcode == _BACK[_other(i.type)] and u.type == _other(i.type) for w in words for u in users.get(w, ()))


def _makes_word(word: Instruction, of: Type) -> bool:
    return word.opcode == _OUT[of] and word.operands[0].type == of


def _other(type: Type) -> Type:
    return PTR if type == DOUBLE else DOUBLE


class _Retyped:
    """Some values of a function, as words."""

    def __init__(self, function: Function, values: list[Instruction]) -> None:
        self.function, self.values = function, values
        self.words: dict[Value, Instruction] = {}

    def run(self) -> None:
        for i in self.values:
            self.words[i] = made = located(self._word(i), i)
            i.insert_before(made)
        for i in self.values:
            self._connect(i)
        for i in self.values:
            for user in list(self.function.users.get(i, ())):
                if user.opcode == _OUT[i.type] and user.type == I64:
                    user.erase(self.words[i])
            back = located(cast(_BACK[i.type], self.words[i], i.type), i)
            self.words[i].block.insert(self._after(i), back)
            i.erase(back)

    def _word(self, i: Instruction) -> Instruction:
        """The instruction as one that gives a word; of a choice, what is chosen comes when all words are there."""
        nothing = Constant(I64, "poison")
        match i.opcode:
            case "phi":
                return phi(I64, [(nothing, block) for _, block in i.incoming])
            case "select":
                return select(i.operands[0], nothing, nothing)
            case "freeze":
                return freeze(nothing)
        return load(I64, i.pointer, i.align)

    def _connect(self, i: Instruction) -> None:
        word = self.words[i]
        if i.opcode == "phi":
            for n, (value, block) in enumerate(i.incoming):
                word.set_operand(2 * n, self._of(value, block.terminator))
        elif i.opcode != "load":
            for n in range(i.opcode == "select", len(i.operands)):
                word.set_operand(n, self._of(i.operands[n], word))

    def _of(self, value: Value, before: Instruction) -> Value:
        """The word that a value is."""
        if value in self.words:
            return self.words[value]
        if isinstance(value, Constant) and (value.is_undefined or value.ref in ("null", "0.000000e+00")):
            return constant(I64, 0)
        if isinstance(value, Instruction) and value.opcode == _BACK[value.type] and value.operands[0].type == I64:
            return value.operands[0]
        made = located(cast(_OUT[value.type], value, I64), before)
        before.insert_before(made)
        return made

    def _after(self, i: Instruction) -> int:
        """Where in its block what is made of a word may stand."""
        word = self.words[i]
        return len(word.block.phis) if word.opcode == "phi" else word.position + 1
