"""Floats that are taken out of wider integers in registers, or of vectors of such: found where they were put in.

C passes a struct of a float and an integer as one integer, and LLVM may join two such integers in a vector. Once all
calls that pass them are inlined, a float that comes out is one that went in, beside bits that nobody asks for.
"""

from __future__ import annotations

from gradir.machine.ir import Constant, Function, Instruction, Module, Type, Value
from gradir.machine.ir.constants import read_constant
from gradir.machine.ir.instructions import extract_lane, insert_lane, located, phi, select

__all__ = ["run"]

_PURE = frozenset(
    "bitcast zext sext trunc or and xor add shl lshr insertelement extractelement shufflevector phi select".split(),  # noqa: SIM905
)
_MOST = 64
"""Joins that are looked through."""


def run(module: Module) -> bool:
    """Use such floats themselves. Whether there were some.

    >>> from gradir.machine.ir.text.printer import print_function
    >>> from gradir.machine.ir.text.reader import read
    >>> module = read('''define float @f(<2 x float> %v) {
    ... entry:
    ...   %b = bitcast <2 x float> %v to <2 x i32>
    ...   %z = zext <2 x i32> %b to <2 x i64>
    ...   %w = or disjoint <2 x i64> %z, splat (i64 17179869184)
    ...   %c = bitcast <2 x i64> %w to <4 x float>
    ...   %r = extractelement <4 x float> %c, i64 2
    ...   ret float %r
    ... }''')
    >>> run(module)
    True
    >>> print(print_function(module.functions["f"]))
    define float @f(<2 x float> %v) {
    entry:
      %r.1 = extractelement <2 x float> %v, i64 1
      ret float %r.1
    }
    """
    changed = [_run(f) for f in module.definitions if f.may_hold(" = bitcast ")]
    return any(changed)


def _run(function: Function) -> bool:
    changed = False
    for i in list(function.instructions()):
        if not i.is_erased and i.type.is_float and (found := _taken_out(i)) is not None:
            _replace(i, *found)
            changed = True
    for i in [i for i in function.instructions() if _is_bits_of_floats(i)] if changed else ():
        if not _is_seen(i, 0, i.type.scalar.bits, set()):
            i.erase(Constant(i.type, "zeroinitializer" if i.type.kind == "vector" else "0"))
    return changed


def _is_bits_of_floats(i: Instruction) -> bool:
    return i.opcode == "bitcast" and i.operands[0].type.is_float and i.type.scalar.is_integer


# -- what comes out -------------------------------------------------------------------------------------------------


def _taken_out(i: Instruction) -> tuple[Value, int] | None:
    """Of which value an instruction takes a float (or several) out, and where it begins: if that is where integers, of
    which it is a part, are put together."""
    whole, at = i.operands[0] if i.operands else None, 0
    if i.opcode == "extractelement" and isinstance(whole, Instruction) and whole.opcode == "bitcast":
        lane = _number(i.operands[1])
        if lane is None:
            return None
        whole, at = whole.operands[0], lane * i.type.bits
    elif i.opcode != "bitcast":
        return None
    assert whole is not None
    width = i.type.scalar.bits
    if not all(_is_float(whole, at + k * width, i.type.scalar) for k in range(i.type.lanes)):
        return None
    return whole, at


def _is_float(value: Value, at: int, type: Type) -> bool:
    """Whether some bits of a value are a float of a type, wherever they come from."""
    seen: set[tuple[Value, int]] = set()
    work = [(value, at)]
    while work:
        value, at = _origin(*work.pop(), type)
        if _is_whole(value, at, type) or (isinstance(value, Constant) and value.is_undefined) or (value, at) in seen:
            continue
        seen.add((value, at))
        if not isinstance(value, Instruction) or value.opcode not in ("phi", "select") or len(seen) > _MOST:
            return False
        work += [(v, at) for v in _joined(value)]
    return True


def _joined(value: Instruction) -> list[Value]:
    return [v for v, _ in value.incoming] if value.opcode == "phi" else list(value.operands[1:])


def _origin(value: Value, at: int, type: Type) -> tuple[Value, int]:
    """As far back as some bits of a value (those of a vector's lanes follow each other) come from one other."""
    while not _is_whole(value, at, type):
        came = _came_from(value, at, type.bits) if isinstance(value, Instruction) else None
        if came is None:
            break
        value, at = came
    return value, at


def _is_whole(value: Value, at: int, type: Type) -> bool:
    """Whether it is itself a float of a type, or a vector of such."""
    return value.type.scalar == type and at % type.bits == 0


def _came_from(i: Instruction, at: int, bits: int) -> tuple[Value, int] | None:
    """The operand that gives an instruction some of its bits as they are, and where they are in that."""
    wide = i.type.scalar.bits
    lane, low = divmod(at, wide)
    if low + bits > wide and i.opcode != "bitcast":
        return None
    match i.opcode:
        case "bitcast" if not i.operands[0].type.holds_pointer:
            return i.operands[0], at
        case "zext" | "sext" | "trunc":
            narrow = i.operands[0].type.scalar.bits
            return (i.operands[0], lane * narrow + low) if low + bits <= narrow else None
        case "or" | "xor" | "add" | "and":
            return _beside(i, lane, low, bits)
        case "shl" | "lshr":
            by = _bits_of(i.operands[1], lane)
            source = None if by is None else low - by if i.opcode == "shl" else low + by
            return (i.operands[0], lane * wide + source) if source is not None and 0 <= source <= wide - bits else None
        case "insertelement":
            put = _number(i.operands[2])
            return None if put is None else (i.operands[1], low) if put == lane else (i.operands[0], at)
        case "extractelement":
            taken = _number(i.operands[1])
            return None if taken is None else (i.operands[0], taken * wide + low)
        case "shufflevector":
            mask: tuple[int, ...] = i.info["mask"]  # type: ignore[assignment]
            which, k = divmod(mask[lane], i.operands[0].type.count)
            return (i.operands[which], k * wide + low) if mask[lane] >= 0 else None
    return None


def _beside(i: Instruction, lane: int, low: int, bits: int) -> tuple[Value, int] | None:
    """The operand whose bits another one leaves alone."""
    for value, other in (i.operands, i.operands[::-1]):
        if i.opcode == "and":
            mask = _bits_of(other, lane)
            left_alone = mask is not None and mask >> low & (1 << bits) - 1 == (1 << bits) - 1
        elif i.opcode == "add":  # what is added must not carry into them
            left_alone = _is_blank(other, lane, 0, low + bits)
        else:
            left_alone = _is_blank(other, lane, low, bits)
        if left_alone:
            return value, lane * i.type.scalar.bits + low
    return None


def _is_blank(value: Value, lane: int, low: int, bits: int, depth: int = 8) -> bool:
    """Whether some bits of a lane are surely zero."""
    number = _bits_of(value, lane)
    if number is not None:
        return number >> low & (1 << bits) - 1 == 0
    if not isinstance(value, Instruction) or not depth:
        return False

    def blank(v: Value, first: int = low, count: int = bits) -> bool:
        return _is_blank(v, lane, first, count, depth - 1)

    match value.opcode:
        case "and":
            return any(map(blank, value.operands))
        case "or" | "xor" | "phi" | "select":
            return all(blank(v) for v in value.operands if v.type == value.type)
        case "add":
            return all(blank(v, 0, low + bits) for v in value.operands)
        case "shl":
            by = _bits_of(value.operands[1], lane)
            return by is not None and (by >= low + bits or blank(value.operands[0], max(0, low - by), low + bits - by))
        case "zext":
            narrow = value.operands[0].type.scalar.bits
            return low >= narrow or (low + bits <= narrow and blank(value.operands[0]))
        case "insertelement":
            put = _number(value.operands[2])
            if put == lane:
                return _is_blank(value.operands[1], 0, low, bits, depth - 1)
            return put is not None and blank(value.operands[0])
    return False


# -- what is left ---------------------------------------------------------------------------------------------------


def _is_seen(value: Instruction, low: int, high: int, asked: set[tuple[Value, int, int]]) -> bool:
    """Whether anything depends on some bits of an integer, or of any lane of a vector of integers."""
    if (value, low, high) in asked or low >= high:
        return False
    asked.add((value, low, high))
    users = value.block.function.users.get(value, [])
    return len(asked) > _MOST or any(_sees(user, value, low, high, asked) for user in users)


def _sees(user: Instruction, value: Instruction, low: int, high: int, asked: set[tuple[Value, int, int]]) -> bool:
    wide = user.type.scalar.bits if user.type.scalar.is_integer else 0
    lanes = range(user.type.lanes if wide else 0)
    others = [o for o in user.operands if o is not value]
    if user.opcode in ("trunc", "shl") and "nsw" in user.flags:
        return True  # bits that are dropped have to be as they were
    match user.opcode:
        case "zext" | "or" | "xor" | "phi" | "shufflevector":
            return _is_seen(user, low, high, asked)
        case "extractelement" if user.operands[0] is value:
            return _is_seen(user, low, high, asked)
        case "insertelement" | "select" if user.operands[0 if user.opcode == "select" else 2] is not value:
            return _is_seen(user, low, high, asked)
        case "trunc":
            return _is_seen(user, low, min(high, wide), asked)
        case "lshr" | "shl" if user.operands[0] is value and len(by := {_bits_of(others[0], k) for k in lanes}) == 1:
            [step] = by
            if step is None:
                return True
            moved = step if user.opcode == "shl" else -step
            return _is_seen(user, max(0, low + moved), min(wide, high + moved), asked)
        case "and" if others:
            masks = [_bits_of(others[0], k) for k in lanes]
            hidden = all(m is not None and m >> low & (1 << high - low) - 1 == 0 for m in masks)
            return not hidden and _is_seen(user, low, high, asked)
        case "add" if others and all(_is_blank(others[0], k, 0, high) for k in lanes):  # nothing is carried on
            return _is_seen(user, low, high, asked)
        case "bitcast" if wide and value.type.scalar.bits % wide == 0:
            return _parts_are_seen(user, value.type.scalar.bits // wide, low, high, asked)
    return True


def _parts_are_seen(cast: Instruction, parts: int, low: int, high: int, asked: set[tuple[Value, int, int]]) -> bool:
    """Of a vector whose lanes are parts of wider ones: whether those are taken out that have the bits."""
    wide = cast.type.scalar.bits
    for user in cast.block.function.users.get(cast, []):
        lane = _number(user.operands[1]) if user.opcode == "extractelement" else None
        if lane is None:
            return True
        begin = lane % parts * wide
        if _is_seen(user, max(0, low - begin), min(wide, high - begin), asked):
            return True
    return False


# -- both -----------------------------------------------------------------------------------------------------------


def _number(value: Value) -> int | None:
    return value.integer if isinstance(value, Constant) else None


def _bits_of(value: Value, lane: int) -> int | None:
    """The bits of a constant, or of a lane of one."""
    if not isinstance(value, Constant) or value.is_undefined:
        return None
    number = value.integer
    if value.type.kind == "vector" and value.ref != "zeroinitializer":
        number = read_constant(value.type, value.ref).parts[lane].integer
    return None if number is None else number & (1 << value.type.scalar.bits) - 1


def _replace(i: Instruction, whole: Value, at: int) -> None:
    unused, made, width = i.operands[0], Constant(i.type, "poison"), i.type.scalar.bits
    floats = _Floats(i.type.scalar)
    result: Value = made
    for lane in range(i.type.lanes):
        part = floats.at(whole, at + lane * width, i)
        if i.type.kind == "vector":
            part = located(insert_lane(result, part, lane, _hint(i)), i)
            i.insert_before(part)
        result = part
    i.erase(result)
    _drop(unused)


class _Floats:
    """Floats of a type, from where they were put together; joins of integers become joins of floats."""

    def __init__(self, type: Type) -> None:
        self.type = type
        self.made: dict[tuple[Value, int], Value] = {}

    def at(self, value: Value, at: int, before: Instruction) -> Value:
        """The float that some bits of a value are, for an instruction that comes later."""
        value, at = _origin(value, at, self.type)
        if isinstance(value, Constant) and value.is_undefined:
            return Constant(self.type, value.ref)
        if value.type.kind == "vector" and _is_whole(value, at, self.type):
            lane = located(extract_lane(value, at // self.type.bits, _hint(before)), before)
            before.insert_before(lane)
            return lane
        if value.type == self.type:
            return value
        if (value, at) not in self.made:
            assert isinstance(value, Instruction)
            self._join(value, at)
        return self.made[value, at]

    def _join(self, value: Instruction, at: int) -> None:
        if value.opcode == "select":
            yes, no = (self.at(v, at, value) for v in value.operands[1:])
            made = located(select(value.operands[0], yes, no, _hint(value)), value)
            value.insert_before(made)
            self.made[value, at] = made
            return
        poison = Constant(self.type, "poison")
        made = located(phi(self.type, [(poison, block) for _, block in value.incoming], _hint(value)), value)
        value.insert_before(made)
        self.made[value, at] = made  # before what comes round in a loop
        for k, (v, block) in enumerate(value.incoming):
            made.set_operand(2 * k, self.at(v, at, block.terminator))


def _hint(i: Instruction) -> str:
    return i.ref.lstrip("%").strip('"') or "part"


def _drop(value: Value) -> None:
    """What nobody uses any more would say of floats what is not so."""
    if not isinstance(value, Instruction) or value.is_erased or value.opcode not in _PURE:
        return
    if not value.block.function.users.get(value):
        operands = value.operands
        value.erase()
        for operand in operands:
            _drop(operand)
