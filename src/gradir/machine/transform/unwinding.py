"""How derivative code unwinds: calls that may throw, and where an exception goes that leaves them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gradir.machine.ir import Instruction, Module
from gradir.machine.ir.builder import CodeBlock

if TYPE_CHECKING:
    from gradir.machine.transform.frame import Frame

__all__ = ["PERSONALITY", "as_invoke", "may_throw", "throws", "unwinds"]

PERSONALITY = "ptr @__gxx_personality_v0"
"""C++'s, for a function that has no landing pads of its own."""


def throws(module: Module) -> bool:
    """Whether there is anything in a module that throws: without C++'s runtime, nothing does."""
    return any(name.startswith(("__cxa_", "_Z", "__gxx_personality_v0")) for name in module.functions)


def unwinds(frame: Frame) -> bool:
    """Whether an exception may leave a function."""
    return not frame.function.has("nounwind") and frame.program.throws


def may_throw(call: Instruction, module: Module) -> bool:
    name = call.callee_name
    if name is not None and name.startswith("llvm."):
        return False
    if "nounwind" in str(call.info["attributes"]).split() or call.callee.ref.startswith("asm"):
        return False
    function = module.functions.get(name) if name is not None else None
    return function is None or not function.has("nounwind")


def as_invoke(line: str, normal: CodeBlock, unwind: CodeBlock) -> str:
    """A call as it is written (with its result's name, without metadata), as an `invoke`."""
    name, equals, call = line.partition(" = ") if line.startswith("%") else ("", "", line)
    return f"{name}{equals}invoke {call.removeprefix('call ')} to label {normal.ref} unwind label {unwind.ref}"

