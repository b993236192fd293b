"""Vectors of floats and addresses side by side are taken apart: each lane is loaded and stored by itself.

A loop over structs of a double and a pointer, vectorised, moves both in one vector, the doubles in the guise of
pointers or integers. Whoever looks at such a vector can't tell what it holds; of a lane one can.
"""

from __future__ import annotations

from math import gcd

from gradir.machine.ir import Constant, Function, Instruction, Module, Type, Value
from gradir.machine.ir.instructions import add_offset, extract_lane, insert_lane, load, store

__all__ = ["run"]

_CASTS = frozenset(("bitcast", "inttoptr", "ptrtoint"))
_MOVES = _CASTS | {"shufflevector", "insertelement", "load"}
_WORD = 8
"""Bytes of a lane that may be a float or an address."""


def run(module: Module) -> None:
    """Take such vectors apart.

    >>> from gradir.machine.ir.text.printer import print_function
    >>> from gradir.machine.ir.text.reader import read
    >>> module = read('''define void @f(ptr %p, <2 x double> %x, <2 x ptr> %q) {
    ... entry:
    ...   %b = bitcast <2 x double> %x to <2 x i64>
    ...   %r = inttoptr <2 x i64> %b to <2 x ptr>
    ...   %v = shufflevector <2 x ptr> %r, <2 x ptr> %q, <2 x i32> <i32 0, i32 3>
    ...   store <2 x ptr> %v, ptr %p, align 16
    ...   ret void
    ... }''')
    >>> run(module)
    >>> print(print_function(module.functions["f"]))
    define void @f(ptr %p, <2 x double> %x, <2 x ptr> %q) {
    entry:
      %lane = extractelement <2 x double> %x, i64 0
      store double %lane, ptr %p, align 8
      %lane.1 = extractelement <2 x ptr> %q, i64 1
      %at = getelementptr i8, ptr %p, i64 8
      store ptr %lane.1, ptr %at, align 8
      ret void
    }
    """
    for function in module.definitions:
        if function.may_hold("> "):
            _take_apart(function)


def _take_apart(function: Function) -> None:
    accesses = [i for i in function.instructions() if i.opcode in ("load", "store") and not i.flags]
    for i in accesses:
        if i.opcode == "load" and not i.is_erased and _is_mixable(i):
            if _is_distributed(i):
                _load_lanes(i)
            elif _is_copied(i):
                _copy_lanes(i)
    for i in accesses:
        if i.opcode == "store" and not i.is_erased and _is_mixable(i.value) and _mixes(i):
            _store_lanes(i)


def _is_mixable(v: Value) -> bool:
    return v.type.kind == "vector" and not v.type.is_float and v.type.element.size == _WORD


def _users(v: Instruction) -> list[Instruction]:
    return v.block.function.users.get(v, [])


# -- stores ----------------------------------------------------------------------------------------------------------


def _mixes(whole: Instruction) -> bool:
    """Whether floats are stored, or what comes from several vectors."""
    sources = {_source(whole.value, k)[0] for k in range(whole.value.type.count)}
    return len(sources) > 1 or any(v.type.scalar.kind == "float" for v in sources)


def _store_lanes(whole: Instruction) -> None:
    for k in range(whole.value.type.count):
        value, lane = _source(whole.value, k)
        if isinstance(value, Constant) and value.is_undefined:
            continue
        if value.type.kind == "vector":
            value = extract_lane(value, lane, "lane")
            whole.insert_before(value)
        _store_lane(whole, value, k)
    unused = whole.value
    whole.erase()
    _drop(unused)


def _store_lane(whole: Instruction, value: Value, k: int) -> None:
    at = _address(whole, k)
    whole.insert_before(*([at] if isinstance(at, Instruction) and k else []), store(value, at, _align(whole, k)))


def _source(v: Value, lane: int) -> tuple[Value, int]:
    """Where a lane of a vector comes from: a lane of another one, or (then the number means nothing) a scalar."""
    while isinstance(v, Instruction):
        if v.opcode in _CASTS and v.operands[0].type.kind == "vector" and v.operands[0].type.count == v.type.count:
            v = v.operands[0]
        elif v.opcode == "shufflevector":
            mask: tuple[int, ...] = v.info["mask"]  # type: ignore[assignment]
            n = v.operands[0].type.count
            if mask[lane] < 0:
                return Constant(v.type.element, "poison"), 0
            v, lane = (v.operands[0], mask[lane]) if mask[lane] < n else (v.operands[1], mask[lane] - n)
        elif v.opcode == "insertelement" and isinstance(v.operands[2], Constant):
            if v.operands[2].integer == lane:
                return v.operands[1], 0
            v = v.operands[0]
        else:
            break
    return v, lane


# -- loads -----------------------------------------------------------------------------------------------------------


def _is_distributed(whole: Instruction) -> bool:
    """Whether floats are taken out of a vector, or several vectors."""
    users = _users(whole)
    return all(_takes_lanes(u, whole) for u in users) and (len(users) > 1 or any(_as_floats(u) for u in users))


def _takes_lanes(user: Instruction, whole: Instruction) -> bool:
    """Whether an instruction takes lanes of a vector, and of no other."""
    if user.opcode != "shufflevector" or user.operands[0] is not whole:
        return False
    mask: tuple[int, ...] = user.info["mask"]  # type: ignore[assignment]
    return all(0 <= lane < whole.type.count for lane in mask)


def _as_floats(value: Instruction) -> list[Instruction]:
    """The casts that make floats of a vector, if it is used for nothing else."""
    found: list[Instruction] = []
    for user in _users(value):
        if user.opcode not in _CASTS or user.type.kind != "vector" or user.type.count != value.type.count:
            return []
        inner = [user] if user.type.is_float else _as_floats(user)
        if not inner:
            return []
        found += inner
    return found


def _load_lanes(whole: Instruction) -> None:
    for shuffle in dict.fromkeys(_users(whole)):
        mask: tuple[int, ...] = shuffle.info["mask"]  # type: ignore[assignment]
        for taken in _as_floats(shuffle) or [shuffle]:
            made: Value = Constant(taken.type, "poison")
            for to, lane in enumerate(mask):
                part = _load_lane(whole, taken.type.element, lane)
                made = insert_lane(made, part, to, "lanes")
                whole.insert_before(made)
            unused = taken.operands[0]
            taken.erase(made)
            _drop(unused)


def _load_lane(whole: Instruction, type: Type, lane: int) -> Instruction:
    at = _address(whole, lane)
    part = load(type, at, _align(whole, lane), "lane")
    whole.insert_before(*([at] if isinstance(at, Instruction) and lane else []), part)
    return part


def _is_copied(whole: Instruction) -> bool:
    users = _users(whole)
    return bool(users) and all(u.opcode == "store" and u.value is whole and not u.flags for u in users)


def _copy_lanes(whole: Instruction) -> None:
    parts = [_load_lane(whole, whole.type.element, k) for k in range(whole.type.count)]
    for user in list(_users(whole)):
        for k, part in enumerate(parts):
            _store_lane(user, part, k)
        user.erase()
    whole.erase()


# -- both ------------------------------------------------------------------------------------------------------------


def _address(access: Instruction, lane: int) -> Value:
    return add_offset(access.pointer, lane * _WORD, "at") if lane else access.pointer


def _align(access: Instruction, lane: int) -> int:
    return gcd(access.align, lane * _WORD) if lane else min(access.align, _WORD)


def _drop(value: Value) -> None:
    """Moves of vectors that nobody uses any more would say what is not so."""
    if isinstance(value, Instruction) and not value.is_erased and value.opcode in _MOVES and not _users(value):
        operands = value.operands
        value.erase()
        for o in operands:
            _drop(o)
