"""Jumps to computed addresses (GNU C's `goto *labels[n]`) become switches: the address of a block is a number.

Nothing else can be done with such an address but to keep it, to compare it and to jump there.
"""

from __future__ import annotations

from collections.abc import Mapping

from gradir.machine.ir import I64, Block, Constant, Function, Module
from gradir.machine.ir.constants import BLOCK_ADDRESS, with_numbered_blocks
from gradir.machine.ir.instructions import cast, located, phi, switch

__all__ = ["run"]


def run(module: Module) -> None:
    """Make switches of the computed jumps.

    >>> from gradir.machine.ir.text.reader import read
    >>> module = read('''
    ... @labels = internal constant [2 x ptr] [ptr blockaddress(@f, %one), ptr blockaddress(@f, %two)]
    ... define i32 @f(i64 %n) {
    ... entry:
    ...   %p = getelementptr [2 x ptr], ptr @labels, i64 0, i64 %n
    ...   %to = load ptr, ptr %p, align 8
    ...   indirectbr ptr %to, [label %one, label %two]
    ... one:
    ...   ret i32 1
    ... two:
    ...   ret i32 2
    ... }''')
    >>> run(module)
    >>> print(module.globals["labels"].parts.initializer)
    [ptr inttoptr (i64 2 to ptr), ptr inttoptr (i64 3 to ptr)]
    >>> print(*module.functions["f"].entry.instructions[-2:], sep="; ")
    %number = ptrtoint ptr %to to i64; switch i64 %number, label %two [ i64 2, label %one ]
    """
    numbers: dict[str, dict[str, int]] = {}
    for function in module.definitions:
        if function.may_hold("indirectbr"):
            numbers[function.name] = {block.name: n for n, block in enumerate(function.blocks, 1)}
    if not numbers:
        return
    for variable in module.globals.values():
        if BLOCK_ADDRESS in (variable.initializer or ""):
            variable.parts.initializer = with_numbered_blocks(variable.initializer or "", numbers)
    for function in module.definitions:
        if function.may_hold(BLOCK_ADDRESS):
            _number_operands(function, numbers)
        if function.name in numbers:
            _jump_by_number(function, numbers[function.name])


def _number_operands(function: Function, numbers: Mapping[str, Mapping[str, int]]) -> None:
    for i in function.instructions():
        for n, operand in enumerate(i.operands):
            if isinstance(operand, Constant) and BLOCK_ADDRESS in operand.ref:
                text = with_numbered_blocks(operand.ref, numbers)
                left = tuple(name for name in operand.globals if f"@{name}" in text)
                i.set_operand(n, Constant(operand.type, text, left))


def _jump_by_number(function: Function, numbers: Mapping[str, int]) -> None:
    for i in [i for i in function.instructions() if i.opcode == "indirectbr" and i.block.successors]:
        number = located(cast("ptrtoint", i.operands[0], I64, "number"), i)
        *blocks, last = dict.fromkeys(i.block.successors)
        chosen = located(switch(number, last, [(numbers[b.name], b) for b in blocks]), i)
        for block in (*blocks, last):
            _meet_once(block)
        i.insert_before(number, chosen)
        i.erase()


def _meet_once(block: Block) -> None:
    """Of several ways from a block to another one, phis keep one: a jump may name a block more than once."""
    for i in [i for i in block.instructions if i.opcode == "phi"]:
        incoming = list({other: value for value, other in i.incoming}.items())
        if len(incoming) < len(i.incoming):
            made = phi(i.type, [(value, other) for other, value in incoming], i.ref[1:].strip('"'))
            i.insert_before(made)
            i.erase(made)
