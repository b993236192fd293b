"""Loops of a few rounds, whose number is known, are marked for LLVM to write out.

What each round of a loop keeps for the reverse sweep lies in memory; of straight code it lies in registers. LLVM's own
choice (rounds in groups, with a loop for the rest) would make counted loops into ones that are harder to count, so that
all other loops are marked to stay as they are.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from gradir.errors import NoRule
from gradir.machine.analysis.cfg import CFG, Loop
from gradir.machine.ir import Constant, Instruction, Module, Value

__all__ = ["mark"]


def mark(module: Module, function: str, most_rounds: int, most_instructions: int) -> bool:
    """Mark the loops of a function: the innermost ones of at most so many rounds, and instructions in all of them, to
    be written out, the others to stay. Whether there are any of the first kind."""
    try:
        loops = CFG(module.functions[function]).loops
    except NoRule:  # refused later, if somebody wants its derivative
        return False
    full, stay = (module.add_node(f'!{{!"llvm.loop.unroll.{what}"}}') for what in ("full", "disable"))
    found = False
    for loop in loops:
        size = sum(len(b.instructions) for b in loop.blocks)
        rounds = None if loop.children else rounds_of(loop, min(most_rounds, most_instructions // size))
        found = found or rounds is not None
        said = stay if rounds is None else full
        loop.latch.terminator.metadata["llvm.loop"] = module.add_node(f"distinct !{{{{0}}, {said}}}")
    return found


def rounds_of(loop: Loop, most: int) -> int | None:
    """The number of rounds of a loop, if it is left at its end alone, after at most so many rounds, whatever the data.

    >>> from gradir.machine.ir.text.reader import read
    >>> module = read('''
    ... define void @f() {
    ... entry:
    ...   br label %loop
    ... loop:
    ...   %d = phi i32 [ 16, %entry ], [ %half, %loop ]
    ...   %half = lshr i32 %d, 1
    ...   %done = icmp eq i32 %half, 0
    ...   br i1 %done, label %exit, label %loop
    ... exit:
    ...   ret void
    ... }''')
    >>> rounds_of(CFG(module.functions["f"]).loops[0], 10)
    5
    """
    end = loop.latch.terminator
    if [b for b, _ in loop.exits] != [loop.latch] or len(end.operands) != 3:
        return None
    phis = [i for i in loop.header.instructions if i.opcode == "phi" and i.type.is_integer]
    state: dict[Value, int] = {}
    for phi in phis:
        start = next(v for v, b in phi.incoming if b is not loop.latch)
        if isinstance(start, Constant) and start.integer is not None:
            state[phi] = start.integer
    stays_if = end.block.successors.index(loop.header) == 0
    for round in range(1, most + 1):
        goes = _evaluate(end.operands[0], state)
        if goes is None:
            return None
        if (goes & 1 == 1) != stays_if:
            return round
        following = {p: _evaluate(next(v for v, b in p.incoming if b is loop.latch), state) for p in phis}
        state = {p: v for p, v in following.items() if v is not None}
    return None


def _evaluate(value: Value, state: Mapping[Value, int], depth: int = 20) -> int | None:
    """An integer in a round of a loop, by those that its header's phis have; None if it depends on something else."""
    if isinstance(value, Constant):
        return value.integer
    if value in state:
        return state[value]
    if not isinstance(value, Instruction) or depth == 0 or not value.type.is_integer:
        return None
    bits = value.type.count
    if value.opcode in ("zext", "sext", "trunc", "freeze"):
        given = _evaluate(value.operands[0], state, depth - 1)
        if given is None:
            return None
        return _signed(given, bits) if value.opcode != "zext" else given % (1 << value.operands[0].type.count)
    if value.opcode != "icmp" and value.opcode not in _INTEGER:
        return None
    a, b = (_evaluate(o, state, depth - 1) for o in value.operands)
    if a is None or b is None:
        return None
    if value.opcode == "icmp":
        return int(_compare(value.predicate, a, b, value.operands[0].type.count))
    return _signed(_INTEGER[value.opcode](a, b, bits), bits)


def _signed(x: int, bits: int) -> int:
    x %= 1 << bits
    return x - (1 << bits) if x >> (bits - 1) else x


_INTEGER: dict[str, Callable[[int, int, int], int]] = {
    "add": lambda a, b, _: a + b,
    "sub": lambda a, b, _: a - b,
    "mul": lambda a, b, _: a * b,
    "and": lambda a, b, _: a & b,
    "or": lambda a, b, _: a | b,
    "xor": lambda a, b, _: a ^ b,
    "shl": lambda a, b, bits: a << b if 0 <= b < bits else 0,
    "lshr": lambda a, b, bits: a % (1 << bits) >> b if 0 <= b < bits else 0,
    "ashr": lambda a, b, bits: a >> b if 0 <= b < bits else 0,
}


def _compare(predicate: str, a: int, b: int, bits: int) -> bool:
    if predicate[0] == "u":
        a, b = a % (1 << bits), b % (1 << bits)
    match predicate.removeprefix("u").removeprefix("s"):
        case "eq":
            return a == b
        case "ne":
            return a != b
        case "lt":
            return a < b
        case "le":
            return a <= b
        case "gt":
            return a > b
        case _:
            return a >= b
