"""Addresses as LLVM computes them: constant offsets, strides, and numbers that divide an index."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import permutations
from math import gcd, lcm

from gradir.machine.ir import Block, Constant, Instruction, Type, Value

__all__ = ["at_most", "factor", "gep_parts", "gep_steps", "member_offset", "offsets_asked_for"]

_MOST_STEPS = 1 << 14
_FEW = 4
"""So many offsets of one address are told one by one."""


def gep_parts(gep: Instruction) -> Iterator[tuple[Value | None, int]]:
    """What an address is the sum of: multiples of indices, each with its size, and offsets of fields (no index).

    A field that is not a plain number (of a vector of addresses) may be anywhere.
    """
    type = gep.accessed_type
    for n, index in enumerate(gep.operands[1:]):
        if n and type.kind == "struct":
            field = index.integer if isinstance(index, Constant) else None
            yield (index, 1) if field is None else (None, type.offsets[field])
            type = type.elements[field or 0]
            continue
        if n:
            type = type.element
        yield index, type.size


def gep_steps(i: Instruction) -> tuple[list[int], list[int]]:
    """The constant part of an address (or the few that it may be), and the strides of what is not constant."""
    offsets, steps = [0], []
    for index, size in gep_parts(i):
        numbers = [1] if index is None else _choices(index)
        if not numbers and index is not None and i.accessed_type.is_integer:
            numbers = _counted_out(index)  # of a few integers in a struct: floats may lie beside them
        if numbers and len(numbers) * len(offsets) <= _FEW:
            offsets = [o + number * size for o in offsets for number in numbers]
        elif index is not None:
            first, step = _counted(index) or (0, factor(index))
            offsets = [o + first * size for o in offsets]
            steps.append(size * step)
    return offsets, sorted({s for s in steps if s}, reverse=True)


def _choices(index: Value) -> list[int]:
    """The few numbers that an index may be; none if they are not known."""
    if isinstance(index, Instruction) and index.opcode in ("phi", "select"):
        values = index.operands[::2] if index.opcode == "phi" else index.operands[1:]
    else:
        values = [index]
    numbers = {v.integer if isinstance(v, Constant) else None for v in values}
    return sorted(n for n in numbers if n is not None) if None not in numbers else []


def _counted_out(index: Value) -> list[int]:
    """The numbers that an index is one after the other in a loop of a few rounds; none if that is not known.

    >>> from gradir.machine.ir.text.reader import read
    >>> f = read('''
    ... define void @f(ptr %p) {
    ... entry:
    ...   br label %loop
    ... loop:
    ...   %i = phi i64 [ 0, %entry ], [ %next, %loop ]
    ...   %at = shl nuw nsw i64 %i, 3
    ...   %q = getelementptr i8, ptr %p, i64 %at
    ...   %next = add nuw nsw i64 %i, 1
    ...   %done = icmp eq i64 %next, 3
    ...   br i1 %done, label %exit, label %loop
    ... exit:
    ...   ret void
    ... }''').functions["f"]
    >>> gep_steps(f.blocks[1].instructions[2])
    ([0, 8, 16], [])
    """
    if isinstance(index, Instruction) and index.opcode in ("shl", "mul") and index.flags & {"nsw", "nuw"}:
        by = index.operands[1].integer if isinstance(index.operands[1], Constant) else None
        if by is None or by < 0:
            return []
        return [number << by if index.opcode == "shl" else number * by for number in _counted_out(index.operands[0])]
    found = _counted(index)
    if found is None or not isinstance(index, Instruction) or index.opcode != "phi":
        return []
    again = next(b for v, b in index.incoming if not isinstance(v, Constant))
    rounds = _rounds(again.terminator, index.block)
    begin, step = found
    return [begin + n * step for n in range(rounds)] if rounds <= _FEW else []


def _rounds(ends: Instruction, header: Block) -> int:
    """How often a loop runs that goes on or ends by `ends`, once a number in it is another one; more than a few if that
    is not known."""
    asked = ends.operands[0] if ends.opcode == "br" and len(ends.operands) == 3 else None
    if not isinstance(asked, Instruction) or asked.opcode != "icmp" or not isinstance(asked.operands[1], Constant):
        return _FEW + 1
    bound, goes_on = asked.operands[1].integer, {"eq": False, "ne": True}.get(str(asked.info["predicate"]))
    for phi in header.phis:
        begin = next((v.integer for v, _ in phi.incoming if isinstance(v, Constant)), None)
        following = next((v for v, b in phi.incoming if b.terminator is ends), None)
        step = _grown_by(following, phi)
        if asked.operands[0] not in (phi, following) or goes_on is None or None in (begin, step, bound):
            continue
        assert begin is not None and step is not None and bound is not None
        rounds, rest = divmod(bound - begin, step)
        rounds += asked.operands[0] is phi
        # The operands of a branch are its condition, then where it leads if that holds.
        if rest == 0 and rounds > 0 and goes_on == (ends.operands[1] is header):
            return rounds
    return _FEW + 1


def _grown_by(following: Value | None, phi: Instruction) -> int | None:
    """What is added to a number from round to round."""
    if not isinstance(following, Instruction) or following.opcode != "add" or following.operands[0] is not phi:
        return None
    return (following.operands[1].integer or None) if isinstance(following.operands[1], Constant) else None


def _counted(index: Value) -> tuple[int, int] | None:
    """Of an index that counts up in a loop: what it begins with, and by how much it grows."""
    cast = isinstance(index, Instruction) and index.opcode in ("sext", "zext")
    if cast and isinstance(index, Instruction):
        index = index.operands[0]
    if not isinstance(index, Instruction) or index.opcode != "phi" or len(index.incoming) != 2:
        return None
    for first, following in permutations(v for v, _ in index.incoming):
        begin = first.integer if isinstance(first, Constant) else None
        if begin is None or not isinstance(following, Instruction) or following.opcode != "add":
            continue
        step = following.operands[1].integer if isinstance(following.operands[1], Constant) else None
        if following.operands[0] is not index or step is None or step <= 0:
            continue
        stays = "nsw" in following.flags or ("nuw" in following.flags and not cast)  # above what it begins with
        if stays and (begin >= 0 or not cast):
            return begin, step
    return None


def offsets_asked_for(gep: Instruction) -> range | None:
    """Where an address lies, as bytes from the one that it is computed from, if its indices are below constants that
    branches on the way have asked for; None if there is no such bound.

    >>> from gradir.machine.ir.text.reader import read
    >>> f = read('''
    ... define void @f(ptr %name, i32 %n) {
    ... entry:
    ...   %fits = icmp ult i32 %n, 7
    ...   br i1 %fits, label %write, label %done
    ... write:
    ...   %i = zext i32 %n to i64
    ...   %p = getelementptr i8, ptr %name, i64 %i
    ...   br label %done
    ... done:
    ...   ret void
    ... }''').functions["f"]
    >>> offsets_asked_for(f.blocks[1].instructions[1])
    range(0, 7)
    """
    first = last = 0
    for index, size in gep_parts(gep):
        found = range(1, 2) if index is None else _asked_for(index, gep.block)
        if not found:
            return None
        first, last = first + found[0] * size, last + found[-1] * size
    return range(first, last + 1)


def _asked_for(index: Value, block: Block) -> range | None:
    if isinstance(index, Constant):
        return range(index.integer, index.integer + 1) if index.integer is not None else None
    cast = index.opcode if isinstance(index, Instruction) else ""
    inner = index.operands[0] if isinstance(index, Instruction) and cast in ("sext", "zext") else index
    most = at_most(index)
    if most is not None and isinstance(index, Instruction) and _is_length(index, block):
        return range(most + 1)
    signed = _is_never_negative(inner, set()) or (isinstance(index, Instruction) and "nneg" in index.flags)
    while len(block.predecessors) == 1:
        before = block.predecessors[0]
        test = before.terminator.operands[0] if len(set(before.successors)) == 2 else None
        if isinstance(test, Instruction) and test.opcode == "icmp" and test.operands[0] is inner:
            bound = test.operands[1].integer if isinstance(test.operands[1], Constant) else None
            below = test.predicate if before.successors[0] is block else _OPPOSITE.get(test.predicate, "")
            unsigned = below[:1] == "u" and (cast == "zext" or inner is index)
            if bound is not None and bound > 0 and below in _BELOW and (signed or unsigned):
                return range(bound + (below[2] == "e"))
        block = before
    return None


def _is_length(v: Instruction, block: Block) -> bool:
    """Whether so many bytes are copied in a block, or it is said in other ways that a number isn't negative."""
    copied = ("llvm.memcpy.", "llvm.memmove.", "llvm.memset.")
    users = [u for u in block.function.users.get(v, ()) if u.block is block]
    users = [u for u in users if (u.callee_name or "").startswith(copied)]
    never = v.opcode == "and" or (v.callee_name or "").startswith("llvm.umin.")
    return never or any(u.arguments[2] is v for u in users)


_BELOW = ("ult", "slt", "ule", "sle")
_OPPOSITE = {"ugt": "ule", "uge": "ult", "sgt": "sle", "sge": "slt"}


def _is_never_negative(v: Value, seen: set[Value]) -> bool:
    """Whether an integer begins at no less than zero, and only grows."""
    if isinstance(v, Constant):
        return v.integer is not None and v.integer >= 0
    if not isinstance(v, Instruction) or v in seen:
        return v in seen
    seen.add(v)
    if v.opcode == "phi":
        return all(_is_never_negative(o, seen) for o, _ in v.incoming)
    return v.opcode == "add" and "nsw" in v.flags and all(_is_never_negative(o, seen) for o in v.operands)


def at_most(length: Value) -> int | None:
    """The greatest that a number of bytes can be, if its making tells: no such number is negative.

    >>> from gradir.machine.ir.text.reader import read
    >>> f = read('''
    ... declare i64 @llvm.smin.i64(i64, i64)
    ... define i64 @f(i64 %n, i1 %c) {
    ... entry:
    ...   %a = call i64 @llvm.smin.i64(i64 %n, i64 11)
    ...   %b = and i64 %n, 7
    ...   %d = select i1 %c, i64 %a, i64 %b
    ...   ret i64 %d
    ... }''').functions["f"]
    >>> [at_most(i) for i in f.instructions()][:3]
    [11, 7, 11]
    """
    if isinstance(length, Constant):
        return length.integer if length.integer is not None and length.integer >= 0 else None
    if not isinstance(length, Instruction):
        return None
    if length.opcode == "select":
        test = length.operands[0]
        compared = test.operands if isinstance(test, Instruction) and test.opcode == "icmp" else []
        if compared and compared[0] is length.operands[1] and test.predicate in _BELOW:  # type: ignore[attr-defined]
            return _greatest([at_most(compared[1]), at_most(length.operands[2])])
        return _greatest([at_most(o) for o in length.operands[1:]])
    least = length.opcode == "and" or (length.callee_name or "").startswith(("llvm.umin.", "llvm.smin."))
    given = length.arguments if length.opcode == "call" else length.operands
    constants = [o.integer for o in given if isinstance(o, Constant) and o.integer is not None] if least else []
    return min((c for c in constants if c >= 0), default=None)


def _greatest(bounds: list[int | None]) -> int | None:
    return max(b for b in bounds if b is not None) if None not in bounds else None


def factor(v: Value) -> int:
    """A number that divides an integer, as far as its making tells: 0 divides only zero, 1 everything.

    >>> from gradir.machine.ir.text.reader import read
    >>> f = read('''
    ... define i64 @f(i64 %n) {
    ... entry:
    ...   %a = shl i64 %n, 4
    ...   %b = add i64 %a, 24
    ...   %c = xor i64 %b, 40
    ...   %d = shl i64 %n, 32
    ...   %e = ashr i64 %d, 28
    ...   ret i64 %c
    ... }''').functions["f"]
    >>> [factor(i) for i in f.instructions()][:5]
    [16, 8, 8, 4096, 16]
    """
    return _factor(v, _MOST_STEPS, frozenset())


def _factor(v: Value, most: int, around: frozenset[Value]) -> int:
    """`most` bounds the work, which the operands share; `around` are the phis that are being asked about."""
    if isinstance(v, Constant):
        return abs(v.integer) if v.integer is not None else 1
    if not isinstance(v, Instruction) or most < 1:
        return 1
    if v in around:
        return 0  # what a loop adds to itself: the rest tells
    return lcm(_made_of(v, (most - 1) // max(1, len(v.operands)), around), _divided_by(v))


def _made_of(v: Instruction, most: int, around: frozenset[Value]) -> int:
    match v.opcode:
        case "mul":
            a, b = (_factor(o, most, around) for o in v.operands)
            return _unwrapped(a * b, v)
        case "shl" if isinstance(v.operands[1], Constant):
            return _unwrapped(_factor(v.operands[0], most, around) << min(v.operands[1].integer or 0, 12), v)
        case "ashr" | "lshr" if isinstance(v.operands[1], Constant):
            return _shifted_back(v.operands[0], v.operands[1].integer or 0, most, around)
        case "add" | "sub" | "select":
            return _unwrapped(gcd(*(_factor(o, most, around) for o in v.operands[-2:])), v)
        case "or" if "disjoint" in v.flags:
            return gcd(*(_factor(o, most, around) for o in v.operands))
        case "or" | "xor":  # bits at the end that neither has
            divisor = gcd(*(_factor(o, most, around) for o in v.operands))
            return divisor & -divisor
        case "phi":
            return gcd(*(_factor(o, most, around | {v}) for o in v.operands[::2]))
        case "sext" | "zext" | "freeze":
            return _factor(v.operands[0], most, around)
        case "and" if isinstance(v.operands[1], Constant) and (mask := v.operands[1].integer):
            return mask & -mask
    return 1


def _shifted_back(v: Value, by: int, most: int, around: frozenset[Value]) -> int:
    """Of an integer that is shifted right: what its zeros at the end leave. An index of 32 bits comes as
    `(n << 32) >> 28`."""
    if isinstance(v, Instruction) and v.opcode == "shl" and isinstance(v.operands[1], Constant):
        before = v.operands[1].integer or 0
        divisor = _factor(v.operands[0], most, around)
        return (divisor & -divisor) << min(before - by, 12) if before >= by else 1
    divisor = _factor(v, most, around)
    return max(1, (divisor & -divisor) >> by)


def _unwrapped(divisor: int, v: Instruction) -> int:
    """A divisor that an overflow leaves one: no address is so large, but an index of 32 bits may be."""
    safe = v.type.scalar.count >= 64 or v.flags & {"nsw", "nuw"} or v.opcode == "select"
    return divisor if safe else divisor & -divisor


def _divided_by(v: Instruction) -> int:
    """What an integer is divided by without a rest: the size of what two pointers' difference is counted in."""
    found = 1
    for user in v.block.function.users.get(v, ()):
        by = user.operands[1] if "exact" in user.flags else None
        if isinstance(by, Constant) and user.operands[0] is v and (number := by.integer):
            found = lcm(found, number if user.opcode in ("sdiv", "udiv") else 1 << min(number, 12))
    return found


def member_offset(type: Type, indices: tuple[int, ...]) -> int:
    """Where a member of a struct or an array begins, as `extractvalue` names it."""
    offset = 0
    for n in indices:
        offset += type.offsets[n]
        type = type.elements[n] if type.kind == "struct" else type.element
    return offset
