"""Every call that may throw has a landing pad: so the ways that exceptions take are ways of the control flow."""

from __future__ import annotations

from gradir.machine.ir import Block, Function, Instruction, Module, instructions

__all__ = ["PERSONALITY", "give_landing_pads", "may_throw"]

PERSONALITY = "ptr @__gxx_personality_v0"
"""C++'s, for a function that has no landing pads of its own."""


def may_throw(call: Instruction, module: Module) -> bool:
    """Whether a call may end by an exception, as far as is known."""
    name = call.callee_name
    if name is not None and name.startswith("llvm."):
        return False
    if "nounwind" in str(call.info["attributes"]).split() or call.callee.ref.startswith("asm"):
        return False
    function = module.functions.get(name) if name is not None else None
    return function is None or not function.has("nounwind")


def give_landing_pads(function: Function, module: Module) -> None:
    """Let each plain call that may throw end its block, and what it throws leave the function from one new block.

    The function is changed in place; its values stay the objects that they are.
    """
    calls = [i for i in function.instructions() if i.opcode == "call" and may_throw(i, module)]
    if not calls:
        return
    pad = function.add_block("gradir.leave")
    landing = instructions.cleanup_pad("gradir.thrown")
    pad.append(landing)
    pad.append(instructions.resume(landing))
    for call in reversed(calls):
        _invoke(call, call.block.split_after(call), pad)
    function.signature.trailing.setdefault("personality", f"personality {PERSONALITY}")


def _invoke(call: Instruction, normal: Block, unwind: Block) -> None:
    call.opcode = "invoke"
    call.operands[-1:] = [normal, unwind, call.callee]
    call.pieces[-1] += " to label "
    call.pieces += [" unwind label ", ""]
