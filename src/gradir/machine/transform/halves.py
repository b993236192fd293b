"""Halves of a derivative that a program calls itself: the reverse half takes its shadows anew, and may run again.

Who calls the two halves (Enzyme's `__enzyme_augmentfwd` and `__enzyme_reverse`) may have no shadows yet for the first,
or others for the second. So the reverse half is given shadows (`Options.late_shadows`), and hands them on to the
functions that it calls by name. What the forward half has put somewhere is still the first ones: then both must be the
same, which is found out at run time.

With `Options.repeatable` the reverse half leaves the tape as it is unless it is told that this is the last time.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from gradir.machine.analysis.cache import is_static_alloca
from gradir.machine.analysis.memory import Place
from gradir.machine.ir import Instruction, Value
from gradir.machine.passes.loops.rounds import is_loop
from gradir.machine.passes.parallel.teams import is_fork
from gradir.machine.passes.parallel.threads import is_spawn
from gradir.machine.transform.verify import demand

if TYPE_CHECKING:
    from gradir.machine.transform.reverse import Reverse

__all__ = ["check_repeatable", "check_shadows", "keeps_shadows", "takes_late_shadows"]

_OWN = frozenset({"malloc", "_Znwm", "_Znam"})
"""What gives memory that holds nothing yet: where it is read something was written before, whose undoing clears it."""


def takes_late_shadows(i: Instruction) -> bool:
    """Whether the reverse half of a callee can be given shadows: of one called by its name that is no team, thread or
    loop."""
    name = i.callee_name
    return name is not None and not (is_fork(name) or is_spawn(name) or is_loop(name))


# -- shadows ---------------------------------------------------------------------------------------------------------


def keeps_shadows(r: Reverse) -> bool:
    """Whether the reverse sweep may meet shadows that the forward sweep was given: on the tape, or put into memory."""
    given = _given_places(r)

    def is_given(pointer: Value) -> bool:
        return r.frame.shadowed(pointer) and r.frame.memory.place(pointer) in given

    if any(n.kind == "shadow" and isinstance(n.of, Instruction) and is_given(n.of) for n in r.kept):
        return True
    return any(_puts_somewhere(r, i, is_given) for b in r.cfg.order for i in b.instructions)


def _given_places(r: Reverse) -> set[Place]:
    """Where arguments lead to, directly or further on."""
    found: set[Place] = set()
    waiting = [r.frame.memory.place(a) for a in r.frame.function.arguments if r.frame.shadowed(a)]
    while waiting:
        place = waiting.pop().find()
        if place not in found:
            found.add(place)
            waiting += [place.content] if place.content is not None else []
    return found


def _puts_somewhere(r: Reverse, i: Instruction, is_given: Callable[[Value], bool]) -> bool:
    match i.opcode:
        case "load":
            return is_given(i)
        case "store":
            return is_given(i.value)
        case "call" | "invoke" if r.calls.is_active(i):
            early = r.calls.custom(i) is None and not takes_late_shadows(i)
            return early and any(map(is_given, i.arguments))
        case "call" | "invoke":
            return any(is_given(a) and r.frame.memory.place(a).content is not None for a in i.arguments)
    return False


def check_shadows(r: Reverse) -> None:
    """Before anything is undone: that the shadows are those that the forward sweep was given."""
    code, name = r.reverse, r.frame.function.name
    message = r.frame.program.text_constant(
        f"gradir: __enzyme_reverse of {name} is given other shadows than __enzyme_augmentfwd, which has stored those"
    )
    for shadow in r.late_shadows:
        kept = r.tape.slot(shadow.type, "given.shadow")
        r.forward.entry.lines.append(f"store {shadow}, {kept.forward}")
        demand(r.frame.program, code, code.load(shadow.type, kept.reverse).eq(shadow), message)


# -- running several times -------------------------------------------------------------------------------------------


def check_repeatable(r: Reverse) -> None:
    """Refuse what a reverse sweep leaves otherwise than it found it."""
    for b in r.cfg.order:
        for i in b.instructions:
            if said := _used_up_by(r, i):
                raise r.frame.refuse(
                    i, f"enzyme_nofree: a tape serves once here, {said}", "call __enzyme_augmentfwd again"
                )
    for records in r.records.values():
        if not (records.on_stack or records.entered_once):
            last = records.loop.header.terminator
            said = "since nobody knows before how often this loop goes round"
            raise r.frame.refuse(
                last, f"enzyme_nofree: a tape serves once here, {said}", "call __enzyme_augmentfwd again"
            )


def _used_up_by(r: Reverse, i: Instruction) -> str | None:
    frame = r.frame
    if i.opcode == "alloca" and frame.shadowed(i):
        if not is_static_alloca(i, r.cfg):
            return "for this memory has no fixed size"
        return "for there are pointers in this memory" if frame.memory.place(i).content is not None else None
    if i.opcode in ("call", "invoke"):
        if r.calls.is_active(i):
            return "for what is called keeps a tape of its own"
        if i.type.is_pointer and frame.shadowed(i) and i.callee_name not in _OWN:
            return "for this memory has a shadow that may hold what the first time has left"
    return "for exceptions may leave the function" if i.opcode in ("invoke", "resume") else None
