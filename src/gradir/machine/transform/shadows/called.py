"""Functions that are called by an address without a shadow, or which is its own: constant memory, variables that were
set before the derivative began, and shadows that were made as objects are, hold functions and no derivatives.

Where a call by a pointer may be of one of those, its derivatives are looked for at run time, by the function's address,
among all functions of the module whose address is taken and that can be called like this.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from gradir.machine.ir import PTR, Function, Instruction, Module
from gradir.machine.ir.builder import Code, Expr
from gradir.machine.ir.memory_effects import memory_effects
from gradir.machine.ir.text.tokens import global_names

if TYPE_CHECKING:
    from gradir.machine.transform.frame import Frame

__all__ = ["derivatives_called", "fits", "may_lack_shadow", "only_reads", "taken"]


def may_lack_shadow(frame: Frame, call: Instruction) -> bool:
    """Whether the address that a call calls may come from memory where there are no derivatives beside it: constant
    memory, a variable that others have written addresses into, an object whose shadow was made as objects are."""
    if frame.program.differentiated is None:  # from Python such memory is given a shadow, or refused
        return False
    return bool(frame.constancy.places) or frame.constancy.asked or frame.memory.place(call.callee).external


def derivatives_called(frame: Frame, code: Code, call: Instruction, callee: Expr, shadow: Expr) -> Expr:
    """Where the derivatives are found of what a call by a pointer calls: at the pointer's shadow, if it has one."""
    return code.emit(PTR, f"call ptr @{_finder(frame, call)}({callee}, {shadow})", "derivatives")


def fits(function: Function, call: Instruction) -> bool:
    """Whether a function can be called like this."""
    types = [a.type for a in function.arguments]
    return not function.variadic and function.result == call.type and types == [a.type for a in call.arguments]


def only_reads(frame: Frame, call: Instruction) -> bool:
    """Whether no function of the module that a call by a pointer may call writes to memory."""
    functions = [frame.module.functions[name] for name in frame.program.taken]
    return all(_writes_nothing(frame, f) for f in functions if fits(f, call))


def _writes_nothing(frame: Frame, function: Function) -> bool:
    if memory_effects(function.attributes).writes_nothing:
        return True
    summary = frame.memory.summary(function.name)
    return summary is not None and not summary.writes and not summary.open


def taken(module: Module) -> frozenset[str]:
    """The functions whose address is anywhere but where they are called.

    >>> from gradir.machine.ir.text.reader import read
    >>> sorted(taken(read('''
    ... @table = constant [1 x ptr] [ptr @a]
    ... define void @a() {
    ...   ret void
    ... }
    ... define void @b(ptr %p) {
    ...   ret void
    ... }
    ... define void @c() {
    ...   call void @b(ptr @c)
    ...   ret void
    ... }''')))
    ['a', 'c']
    """
    found: set[str] = set()
    for g in module.variables:
        found.update(global_names(g.initializer or ""))
    for function in module.definitions:
        if any(name in module.functions for name in function.mentioned):
            for i in function.instructions():
                called = i.callee_name if i.opcode in ("call", "invoke") else None
                given = i.operands if called is None else i.arguments
                found.update(name for v in given for name in global_names(v.ref))
    return frozenset(found & module.functions.keys())


def _finder(frame: Frame, call: Instruction) -> str:
    """The function that looks for the derivatives of the functions that fit a call."""
    program, shadows = frame.program, frame.shadows
    types = "_".join(str(t) for t in (call.type, *(a.type for a in call.arguments)))
    name = f"gradir.derivatives.{frame.mode.name}.{shadows.width}{shadows.layout.name[0]}.{_plain(types)}"
    if program.defines(name):
        return name
    lines, at = [], 0
    for candidate in sorted(program.taken):
        function = program.module.functions[candidate]
        if not fits(function, call) or not program.has_derivative_by_address(function):
            continue
        [found, *_] = program.shadow_of_constant(program.module.globals[candidate], shadows, frame)
        lines += [
            f"  %is.{at} = icmp eq ptr %function, {function.ref}",
            f"  br i1 %is.{at}, label %found.{at}, label %next.{at}",
            f"found.{at}:",
            f"  ret ptr {found}",
            f"next.{at}:",
        ]
        at += 1
    where = frame.module.location(call) or f"@{frame.function.name}"
    complaint = f"gradir: {where}: nothing is known of the derivative of a function that is called by its address"
    stops = program.stop(f"{complaint}: give the memory that holds the address a shadow")
    head = [
        f"define internal ptr @{name}(ptr %function, ptr %shadow) noinline nounwind {{",
        "entry:",
        "  %constant = icmp eq ptr %function, %shadow",
        "  %none = icmp eq ptr %shadow, null",
        "  %lacks = or i1 %constant, %none",
        "  br i1 %lacks, label %look, label %has",
        "has:",
        "  ret ptr %shadow",
        "look:",
    ]
    program.define(name, "\n".join((*head, *lines, f"  {stops}", "  unreachable", "}")))
    return name


def _plain(types: str) -> str:
    return "".join(c if c.isalnum() or c == "_" else "." for c in types)
