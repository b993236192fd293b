"""Structs and arrays that are held in registers, taken apart into their scalars.

Compilers return small structs in registers, C's in the guise of integers (`{ i64, i64 }` for four floats), and rustc
keeps pairs there. What each integer carries is known (`analysis/bytes/types.py`), but the derivative of a struct has
room for what are floats by their own types alone. So structs are left only where they come from calls and go to
returns; between them are scalars.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import gcd

from gradir.machine.ir import Argument, Constant, Function, Instruction, Module, Type, Value
from gradir.machine.ir.constants import Part, read_constant
from gradir.machine.ir.instructions import (
    add_offset,
    extract_value,
    freeze,
    insert_value,
    load,
    located,
    phi,
    select,
    store,
)
from gradir.machine.ir.text.tokens import global_names
from gradir.machine.ir.types import leaves

__all__ = ["run"]

_SIGNS = ("insertvalue ", "extractvalue ", "load {", "load [", "load %", "load <{")
_ADDRESS = "ptrtoint (ptr @"
_MOST_PARTS = 64
_LANDED = "{ ptr, i32 }"
"""What an exception lands as: those who unwind know it in one piece."""


def run(module: Module) -> None:
    """Take structs apart that hold integers, which may be the bits of anything.

    >>> from gradir.machine.ir.text.printer import print_function
    >>> from gradir.machine.ir.text.reader import read
    >>> module = read('''define i64 @f({ i64, i64 } %a, i64 %b, i1 %c) {
    ... entry:
    ...   %other = insertvalue { i64, i64 } %a, i64 %b, 1
    ...   %chosen = select i1 %c, { i64, i64 } %a, { i64, i64 } %other
    ...   %r = extractvalue { i64, i64 } %chosen, 1
    ...   ret i64 %r
    ... }''')
    >>> run(module)
    >>> print(print_function(module.functions["f"]))
    define i64 @f({ i64, i64 } %a, i64 %b, i1 %c) {
    entry:
      %a.0 = extractvalue { i64, i64 } %a, 0
      %a.1 = extractvalue { i64, i64 } %a, 1
      %chosen.0 = select i1 %c, i64 %a.0, i64 %a.0
      %chosen.1 = select i1 %c, i64 %a.1, i64 %b
      ret i64 %chosen.1
    }
    """
    for function in module.definitions:
        if function.may_hold(_ADDRESS):
            _spell_out(function)
        if any(map(function.may_hold, _SIGNS)):
            whole = [i for i in function.instructions() if _is_whole(i)]
            stored = [i for i in function.instructions() if _is_stored_whole(i)]
            if (stored or any(_is_taken_apart(i) for i in whole)) and all(map(_has_room_after, whole)):
                _Scalars(function, whole, stored).write()


def _spell_out(function: Function) -> None:
    """Structs of constants with an address for an integer, as pointers to members of classes are: put together, so that
    the address has a shadow as any other."""
    for i in list(function.instructions()):
        if i.opcode not in ("store", "ret", "call", "invoke"):
            continue  # others are taken apart
        for k, operand in enumerate(i.operands):
            if isinstance(operand, Constant) and operand.globals and _holds_bits(operand.type):
                made: Value = Constant(operand.type, "poison")
                for part, (path, _) in zip(_Scalars.constants(operand), _members(operand.type), strict=True):
                    made = located(insert_value(made, part, path, "spelled"), i)
                    i.insert_before(made)
                i.set_operand(k, made)


def _is_whole(i: Instruction) -> bool:
    """Whether an instruction gives a struct that can be had in parts as well."""
    if i.opcode not in ("phi", "select", "freeze", "insertvalue", "extractvalue", "load") or "volatile" in i.flags:
        return False
    return _holds_bits(i.type) and (i.opcode != "extractvalue" or _holds_bits(i.operands[0].type))


def _holds_bits(type: Type) -> bool:
    if not type.is_aggregate or type.text == _LANDED:
        return False
    parts = list(type.parts())
    return len(parts) <= _MOST_PARTS and any(part.is_integer and part.count > 8 for _, part in parts)


def _is_stored_whole(i: Instruction) -> bool:
    return i.opcode == "store" and _holds_bits(i.value.type) and not isinstance(i.value, Constant) and not i.flags


def _is_taken_apart(i: Instruction) -> bool:
    """Whether it pays: it isn't only put together for a call or a return."""
    users = i.block.function.users.get(i, [])
    return i.opcode not in ("insertvalue", "extractvalue") or any(u.opcode == "extractvalue" for u in users)


def _has_room_after(i: Instruction) -> bool:
    """Whether the parts of what its operands are can be taken out where they are made."""
    given = [o for o in i.operands if isinstance(o, Instruction) and o.opcode == "invoke"]
    return all(len(o.normal.predecessors) == 1 for o in given)


class _Scalars:
    """The parts of a function's structs."""

    def __init__(self, function: Function, whole: Sequence[Instruction], stored: Sequence[Instruction]) -> None:
        self.function, self.whole, self.stored = function, whole, stored
        self.parts: dict[Value, list[Value]] = {}

    def write(self) -> None:
        for i in self.whole:
            if i.opcode == "phi":
                self.parts[i] = [self._empty_phi(i, n) for n in range(len(_members(i.type)))]
        for i in self.whole:
            if i.opcode == "phi":
                self._fill(i)
        for i in (*self.whole, *self.stored):
            for user in list(self.function.users.get(i, ())) if i.opcode != "store" else [i]:
                if user.block is not None:
                    self._use(user)
        for i in self.whole:
            i.erase()

    def of(self, value: Value) -> list[Value]:
        """The scalars of a struct, in order."""
        if not value.type.is_aggregate:
            return [value]
        if value not in self.parts:
            self.parts[value] = self.constants(value) if isinstance(value, Constant) else self._made(value)
        return self.parts[value]

    # -- where they come from -----------------------------------------------------------------------------------------

    def _made(self, value: Value) -> list[Value]:
        if not isinstance(value, Instruction) or not _is_whole(value):
            return self._taken_out(value)
        match value.opcode:
            case "insertvalue":
                found = list(self.of(value.operands[0]))
                begin = _place(value.type, value.indices)
                inserted = self.of(value.operands[1])
                found[begin : begin + len(inserted)] = inserted
                return found
            case "extractvalue":
                begin = _place(value.operands[0].type, value.indices)
                return self.of(value.operands[0])[begin : begin + len(_members(value.type))]
            case "select":
                yes, no = (self.of(v) for v in value.operands[1:])
                made = [select(value.operands[0], a, b) for a, b in zip(yes, no, strict=True)]
            case "freeze":
                made = [freeze(part) for part in self.of(value.operands[0])]
            case _:
                return self._loaded(value)
        return self._inserted(value, made)

    def _inserted(self, value: Instruction, made: list[Instruction]) -> list[Value]:
        for n, i in enumerate(made):
            i.hint = f"{_name(value)}.{n}"
            value.insert_before(located(i, value))
        return list(made)

    def _loaded(self, value: Instruction) -> list[Value]:
        made = []
        for n, (path, offset) in enumerate(_members(value.type)):
            place = self._address(value, value.pointer, offset)
            part = load(value.type.at(path), place, gcd(value.align, offset), f"{_name(value)}.{n}")
            value.insert_before(located(part, value))
            made.append(part)
        return list(made)

    def _address(self, before: Instruction, pointer: Value, offset: int) -> Value:
        if not offset:
            return pointer
        made = located(add_offset(pointer, offset, "part"), before)
        before.insert_before(made)
        return made

    def _taken_out(self, value: Value) -> list[Value]:
        """Of a call, an argument, or the like: by an `extractvalue` each, right where it is made."""
        made = [extract_value(value, path, f"{_name(value)}.{n}") for n, (path, _) in enumerate(_members(value.type))]
        if isinstance(value, Argument):
            self.function.entry.insert(0, *made)
        elif isinstance(value, Instruction) and value.opcode == "invoke":
            value.normal.insert(len(value.normal.phis), *made)
        else:
            assert isinstance(value, Instruction)
            value.insert_after(*(located(i, value) for i in made))
        return list(made)

    @staticmethod
    def constants(value: Constant) -> list[Value]:
        types = [value.type.at(path) for path, _ in _members(value.type)]
        if value.is_undefined or value.ref == "zeroinitializer":
            return [Constant(type, value.ref) for type in types]
        return list(_spelled(read_constant(value.type, value.ref)))

    # -- joins --------------------------------------------------------------------------------------------------------

    def _empty_phi(self, whole: Instruction, n: int) -> Instruction:
        type = whole.type.at(_members(whole.type)[n][0])
        made = phi(type, [(Constant(type, "poison"), block) for _, block in whole.incoming], f"{_name(whole)}.{n}")
        whole.insert_before(located(made, whole))
        return made

    def _fill(self, whole: Instruction) -> None:
        for k, (value, _) in enumerate(whole.incoming):
            for made, part in zip(self.parts[whole], self.of(value), strict=True):
                assert isinstance(made, Instruction)
                made.set_operand(2 * k, part)

    # -- where they go ------------------------------------------------------------------------------------------------

    def _use(self, user: Instruction) -> None:
        if _is_whole(user):
            return  # it goes itself
        if user.opcode == "extractvalue" and not user.type.is_aggregate:
            user.erase(self.of(user.operands[0])[_place(user.operands[0].type, user.indices)])
        elif _is_stored_whole(user):
            for part, (_, offset) in zip(self.of(user.value), _members(user.value.type), strict=True):
                place = self._address(user, user.pointer, offset)
                user.insert_before(located(store(part, place, gcd(user.align, offset)), user))
            user.erase()
        else:
            for k, operand in enumerate(user.operands):
                if isinstance(operand, Instruction) and _is_whole(operand):
                    user.set_operand(k, self._put_together(operand, user))

    def _put_together(self, whole: Instruction, before: Instruction) -> Value:
        made: Value = Constant(whole.type, "poison")
        for part, (path, _) in zip(self.of(whole), _members(whole.type), strict=True):
            made = located(insert_value(made, part, path, _name(whole)), whole)
            before.insert_before(made)
        return made


def _members(type: Type) -> list[tuple[tuple[int, ...], int]]:
    """The ways to the scalars and vectors of a struct, and their offsets."""
    return leaves(type, lambda t: not t.is_aggregate)


def _place(type: Type, path: Sequence[int]) -> int:
    """The number of the first scalar of a member."""
    return next(n for n, (way, _) in enumerate(_members(type)) if way[: len(path)] == tuple(path))


def _spelled(constant: Part) -> list[Constant]:
    if constant.type.is_aggregate and constant.parts:
        return [leaf for part in constant.parts for leaf in _spelled(part)]
    if constant.type.is_aggregate:  # zero, or undefined
        return [Constant(constant.type.at(path), constant.text) for path, _ in _members(constant.type)]
    return [Constant(constant.type, constant.text, tuple(global_names(constant.text)))]


def _name(value: Value) -> str:
    return value.ref.strip('%"')
