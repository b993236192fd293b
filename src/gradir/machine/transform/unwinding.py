"""How derivative code unwinds: who throws and who catches, and how a call gets a landing pad."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gradir.machine.ir import Function, Module
from gradir.machine.ir.builder import CodeBlock
from gradir.machine.rules.effects import throws_or_catches

if TYPE_CHECKING:
    from gradir.machine.transform.frame import Frame

__all__ = ["as_invoke", "catches", "throws", "unwinds"]

_FAST = frozenset(["nnan", "ninf", "nsz", "arcp", "contract", "afn", "reassoc", "fast"])


def throws(module: Module) -> bool:
    """Whether anything in a module throws, or catches what others throw."""
    return any(map(throws_or_catches, module.functions))


def catches(module: Module) -> bool:
    """Whether a function of the module catches an exception and goes on: what threw may have to be undone in part."""
    return any(_catches(f) for f in module.functions.values() if f.may_hold("landingpad"))


def _catches(function: Function) -> bool:
    found = [b for b in function.blocks if any(i.opcode == "landingpad" for i in b.instructions)]
    for block in found:
        if block.terminator.opcode == "ret":
            return True
        found += [s for s in block.successors if s not in found]
    return False


def unwinds(frame: Frame) -> bool:
    """Whether an exception may leave a function."""
    return not frame.function.has("nounwind") and frame.program.throws


def as_invoke(line: str, normal: CodeBlock, unwind: CodeBlock) -> str:
    """A call as it is written (with its result's name, without metadata), as an `invoke`."""
    name, equals, call = line.partition(" = ") if line.startswith("%") else ("", "", line)
    call = call.removeprefix("call ")
    while (word := call.partition(" "))[0] in _FAST:  # an invoke has no such flags
        call = word[2]
    return f"{name}{equals}invoke {call} to label {normal.ref} unwind label {unwind.ref}"
