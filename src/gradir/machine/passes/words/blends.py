"""Choices that are made by masks, `(a & m) | (b & ~m)` with a mask of ones or of zeros, written as selects.

Programs choose between floats in this way to do without a branch, and LLVM writes the one half as a select at times. A
select moves its operands as they are, so that all that is known of moves is known of it: which floats an integer
carries, and what their derivatives are. Where the masks are constants, lanes of two vectors are shuffled.
"""

from __future__ import annotations

from gradir.machine.ir import I1, Constant, Instruction, Module, Value
from gradir.machine.ir.constants import read_constant
from gradir.machine.ir.instructions import constant, equals, located, select, shuffle

__all__ = ["run"]

Condition = tuple[object, bool]
"""Something that is true or false, and whether it has to be true."""


def run(module: Module) -> None:
    """Write choices by masks as selects.

    >>> from gradir.machine.ir.text.printer import print_function
    >>> from gradir.machine.ir.text.reader import read
    >>> module = read('''define i64 @f(i64 %a, i64 %b, i1 %c) {
    ... entry:
    ...   %one = zext i1 %c to i64
    ...   %m = sub i64 0, %one
    ...   %yes = and i64 %m, %a
    ...   %no = select i1 %c, i64 0, i64 %b
    ...   %r = or i64 %yes, %no
    ...   ret i64 %r
    ... }''')
    >>> run(module)
    >>> print(print_function(module.functions["f"]).splitlines()[-3])
      %r.1 = select i1 %blank, i64 %b, i64 %a
    """
    for function in module.definitions:
        if function.may_hold(" = or <") or function.may_hold(" = or disjoint <"):
            for i in [i for i in function.instructions() if i.opcode == "or" and i.type.kind == "vector"]:
                _shuffle(i)
        if function.may_hold(" = and i") or function.may_hold(" = or "):
            numbers = [i for i in function.instructions() if i.type.is_integer and i.type.count in (16, 32, 64)]
            for i in numbers:
                if i.opcode == "and":
                    _blank(i)
            for i in numbers:
                if i.opcode in ("or", "xor", "add"):
                    _choose(i)


def _blank(i: Instruction) -> None:
    """`a & m` is `a` or nothing."""
    for mask, kept in (i.operands, i.operands[::-1]):
        if isinstance(mask, Instruction) and _may_be_chosen(i, kept) and _is_mask(mask):
            is_zero = equals(mask, constant(mask.type, 0), "blank")
            chosen = located(select(is_zero, constant(i.type, 0), kept, _hint(i)), i)
            i.insert_before(is_zero, chosen)
            i.erase(chosen)
            return


def _may_be_chosen(i: Instruction, kept: Value) -> bool:
    """Whether `kept` may be one side of a choice: constants often have nothing to do with one."""
    users = i.block.function.users.get(i, [])
    return not isinstance(kept, Constant) or any(u.opcode in ("or", "xor", "add") for u in users)


def _choose(i: Instruction) -> None:
    """The sum of two of which always one is nothing is the other one."""
    a, b = i.operands
    here, there = _kept(a), _kept(b)
    if here is None or there is None:
        return
    (value, when), (other, otherwise) = here, there
    if when[0] != otherwise[0] or when[1] == otherwise[1]:
        return
    assert isinstance(a, Instruction)
    yes, no = (other, value) if _is_nothing(a.operands[1]) else (value, other)
    chosen = located(select(a.operands[0], yes, no, _hint(i)), i)
    i.insert_before(chosen)
    i.erase(chosen)


def _hint(i: Instruction) -> str:
    return i.ref.lstrip("%").strip('"')


def _kept(value: Value) -> tuple[Value, Condition] | None:
    """Of a select between a value and nothing: the value, and when it is that."""
    if not isinstance(value, Instruction) or value.opcode != "select" or value.operands[0].type != I1:
        return None
    condition, yes, no = value.operands
    if _is_nothing(yes) == _is_nothing(no):
        return None
    key, truth = _truth(condition)
    return (no, (key, not truth)) if _is_nothing(yes) else (yes, (key, truth))


def _is_nothing(value: Value) -> bool:
    return isinstance(value, Constant) and value.integer == 0


# -- constant masks ---------------------------------------------------------------------------------------------------


def _shuffle(i: Instruction) -> None:
    """The sum of two vectors of which in each lane one is nothing has the other's lanes."""
    sides = [_lanes_kept(operand) for operand in i.operands]
    if None in sides:
        return
    (a, here), (b, there) = sides  # type: ignore[misc]
    lanes = []
    for n, (one, other) in enumerate(zip(here, there, strict=True)):
        if one and other:
            return
        if one or (not other and isinstance(a, Constant)):
            lanes.append(n)
        elif other or isinstance(b, Constant):
            lanes.append(i.type.count + n)
        else:
            return
    made = located(shuffle(a, lanes, _hint(i), b), i)
    i.insert_before(made)
    i.erase(made)


def _lanes_kept(value: Value) -> tuple[Value, list[bool]] | None:
    """A vector of which a constant mask leaves out lanes, or a constant, and the lanes that are left of it."""
    if isinstance(value, Constant):
        return value, [lane != 0 for lane in _numbers(value)]
    if isinstance(value, Instruction) and value.opcode == "and":
        for mask, kept in (value.operands, value.operands[::-1]):
            if isinstance(mask, Constant) and not isinstance(kept, Constant) and {*_numbers(mask)} <= {0, -1}:
                return kept, [lane == -1 for lane in _numbers(mask)]
    return None


def _numbers(vector: Constant) -> list[int | None]:
    if vector.ref == "zeroinitializer":
        return [0] * vector.type.count
    return [lane.integer for lane in read_constant(vector.type, vector.ref).parts]


# -- conditions ------------------------------------------------------------------------------------------------------


def _truth(value: Value) -> Condition:
    """What a value that is zero (false) or not says, so that what says the same is equal."""
    truth = True
    while isinstance(value, Instruction) and (step := _simpler(value)) is not None:
        value, alike = step
        truth = truth == alike
    if isinstance(value, Instruction) and value.opcode == "phi" and (known := _by_predecessor(value)) is not None:
        first = known[0]
        return (value.block, tuple(k == first for k in known)), truth == first
    return value, truth


def _simpler(value: Instruction) -> tuple[Value, bool] | None:
    """A value that is zero where this one is (True), or where this one is not (False)."""
    a, *more = value.operands
    number = more[0].integer if more and isinstance(more[0], Constant) else None
    match value.opcode:
        case "zext" | "sext":
            return a, True
        case "trunc" if _is_bit(a):
            return a, True
        case "sub" if _is_nothing(a):
            return more[0], True
        case "add" if number == -1 and _is_bit(a):
            return a, False
        case "xor" if number == -1 and _is_mask(a):
            return a, False
        case "xor" if number is not None and number & 1 and (value.type == I1 or (number == 1 and _is_bit(a))):
            return a, False
        case "icmp" if value.info["predicate"] in ("eq", "ne") and _compares(a, number):
            return a, (value.info["predicate"] == "ne") == (number == 0)
    return None


def _compares(value: Value, number: int | None) -> bool:
    """Whether a comparison with a number tells whether a value is zero."""
    return number == 0 or (number == 1 and _is_bit(value))


def _by_predecessor(phi: Instruction) -> tuple[bool, ...] | None:
    """Whether a phi of constants is other than zero, by the blocks that control comes from in the order of names."""
    known = []
    for value, _ in sorted(phi.incoming, key=lambda pair: pair[1].name):
        if not isinstance(value, Constant) or value.integer is None:
            return None
        known.append(value.integer != 0)
    return tuple(known)


def _is_mask(value: Value) -> bool:
    """Whether all bits are alike."""
    if not isinstance(value, Instruction) or not value.type.is_integer:
        return False
    a, *more = value.operands
    match value.opcode:
        case "sext":
            return a.type == I1
        case "sub":
            return _is_nothing(a) and _is_bit(more[0])
        case "add":
            return isinstance(more[0], Constant) and more[0].integer == -1 and _is_bit(a)
        case "xor":
            return isinstance(more[0], Constant) and more[0].integer == -1 and _is_mask(a)
        case "freeze":
            return _is_mask(a)
    return False


def _is_bit(value: Value, seen: set[Value] | None = None) -> bool:
    """Whether a number is 0 or 1. What was `seen` is, if the rest is: one that isn't ends the search."""
    seen = set() if seen is None else seen
    if isinstance(value, Constant):
        return value.integer in (0, 1)
    if not isinstance(value, Instruction) or not value.type.is_integer:
        return False
    if value in seen:
        return True  # if all that comes into a loop is, so is what goes round in it
    seen.add(value)
    match value.opcode:
        case "zext":
            return value.operands[0].type == I1 or _is_bit(value.operands[0], seen)
        case "freeze":
            return _is_bit(value.operands[0], seen)
        case "and":
            return any(isinstance(o, Constant) and o.integer == 1 for o in value.operands) or all(
                _is_bit(o, seen) for o in value.operands
            )
        case "or" | "xor":
            return all(_is_bit(o, seen) for o in value.operands)
        case "lshr":
            by = value.operands[1]
            return isinstance(by, Constant) and by.integer == value.type.count - 1
        case "select":
            return all(_is_bit(o, seen) for o in value.operands[1:])
        case "phi":
            return all(_is_bit(v, seen) for v, _ in value.incoming)
    return False
