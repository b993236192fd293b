"""Derivatives of threads that a program makes and joins: what each runs is differentiated, and run by a thread.

- Forward mode: a thread runs the tangent function.
- The forward sweep of reverse mode: a thread runs the augmented function, and leaves the tape in its record.
- The reverse sweep: where the thread was joined, one begins that takes the tape; where it was made, that one is joined.

So whatever waited for something that a thread did is undone before that is, and what is undone at the same time was
done at the same time. Then several threads may add to one shadow (`Beside`). What they did under locks is undone in
turns, as in teams (`teams.py`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from gradir.machine.ir import I64, PTR, VOID, Type
from gradir.machine.ir.builder import Code, Expr
from gradir.machine.passes.parallel.threads import (
    TAPE,
    UNDO,
    arguments_in,
    handle_of,
    keep_result,
    new_record,
    record_of,
    result_in,
    shadow_in,
    wait,
)
from gradir.machine.transform.frame import pack, result_type
from gradir.request import Activity as Mark

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gradir.machine.transform.derive import Program
    from gradir.machine.transform.reverse import Reverse
    from gradir.machine.transform.shadows.shadow import Shadows

__all__ = ["augmented", "forward", "joined", "joined_forward", "undone"]


def _code(name: str, result: Type, types: Sequence[Type]) -> Code:
    return Code(name, result, [(t, "x") for t in types], linkage="internal", attributes="noinline nounwind")


def _entry(name: str) -> Code:
    """What a thread begins with: it is given a record."""
    return Code(name, PTR, [(PTR, "record")], linkage="internal", attributes="nounwind")


def _begin(code: Code, record: Expr) -> Expr:
    """Have a thread run what goes with a function; gives its handle."""
    code.line(f"call void @gradir.thread.start({record}, ptr @{code.name}.run)")
    return handle_of(code, record)


def _handles(own: Type, first: Sequence[Type] = ()) -> Type:
    """What a function gives that makes a thread: handles, where what the thread runs gives pointers."""
    count = 1 if own == PTR else len(own.elements) - len(first)
    return result_type([*first, *[I64] * count])


def forward(name: str, own: Code) -> list[str]:
    """The text of a function that has a thread run a tangent function; it gives the handle, and that as its shadow."""
    types, result = [p.type for p in own.parameters], _handles(own.result)
    code, run = _code(name, result, types), _entry(f"{name}.run")
    shadows = 0 if own.result == PTR else len(own.result.elements) - 1
    handle = _begin(code, new_record(code, code.parameters, shadows))
    code.ret(pack(code, [handle] * (1 + shadows)))
    [record] = run.parameters
    whole = run.emit(own.result, f"call {own.result} @{own.name}({_listed(run, record, types, shadows)})", "result")
    keep_result(run, record, _parts(run, whole))
    run.ret(Expr(run, PTR, "null"))
    return [code.text(), run.text()]


def augmented(program: Program, name: str, undo: str, reverse: Reverse) -> list[str]:
    """The text of a function that has a thread run an augmented function; it gives the record as the tape, the handle
    and its shadow. `undo` is what a thread runs that undoes it."""
    own, types = reverse.forward, [p.type for p in reverse.forward.parameters[:-1]]
    program.need_runtime("gradir.thread.new")
    program.freed_pool()
    code, run = _code(name, _handles(own.result, [PTR]), [*types, PTR]), _entry(f"{name}.run")
    *given, freed = code.parameters
    shadows = len(own.result.elements) - 2
    record = new_record(code, given, shadows, freed)
    code.store(Expr(code, PTR, f"@{undo}.run"), code.offset(record, UNDO))
    code.ret(pack(code, [record, *[_begin(code, record)] * (1 + shadows)]))
    [record] = run.parameters
    given_there = f"{_listed(run, record, types, shadows)}, {record}"
    whole = run.emit(own.result, f"call {own.result} @{own.name}({given_there})", "augmented")
    tape, *parts = _parts(run, whole)
    run.store(tape, run.offset(record, TAPE))
    keep_result(run, record, parts)
    run.ret(Expr(run, PTR, "null"))
    return [code.text(), run.text()]


def undone(program: Program, name: str, reverse: Reverse) -> list[str]:
    """The text of a function that waits until what a thread did is undone, and of what a thread runs that does so."""
    program.need_runtime("gradir.thread.undone")
    code, run = _code(name, VOID, [PTR]), _entry(f"{name}.run")
    code.line(f"call void @gradir.thread.undone({code.parameters[0]})")
    code.ret()
    tape = run.load(PTR, run.offset(run.parameters[0], TAPE), hint="tape")
    run.line(f"call void @{reverse.reverse.name}({tape})")
    run.ret(Expr(run, PTR, "null"))
    return [code.text(), run.text()]


def _listed(code: Code, record: Expr, types: Sequence[Type], shadows: int) -> str:
    return ", ".join(map(str, arguments_in(code, record, types, shadows)))


def _parts(code: Code, whole: Expr) -> list[Expr]:
    if whole.type == PTR:
        return [whole]
    return [code.emit(t, f"extractvalue {whole}, {k}") for k, t in enumerate(whole.type.elements)]


def joined(
    program: Program, names: tuple[str, str], marks: Sequence[Mark], result: Mark | None, shadows: Shadows
) -> list[str]:
    """The texts of a function that waits for a thread, and of one that begins to undo what that did."""
    program.need_runtime("gradir.thread.undo")
    n = shadows.pointers
    handles = 1 + (n if marks[0].has_shadow else 0)
    given = n if result is not None and result.has_shadow else 0
    code = _code(names[0], result_type([PTR] * (2 + given)), [I64] * handles + [PTR])
    undo = _code(names[1], VOID, [PTR])
    record, freed = record_of(code, code.parameters[0]), code.parameters[-1]
    wait(code, record)
    if program.catches:  # there the tape is looked up in the list
        for runtime in ("gradir.reserve", "gradir.arena.keep"):
            program.need_runtime(runtime)
        entry = code.emit(PTR, f"call ptr @gradir.reserve({freed}, ptr @{program.freed_pool()}, i64 32)", "listed")
        code.store(record, entry)
        code.store(Expr(code, PTR, "@gradir.arena.keep"), code.offset(entry, 8))
    parts = [record, result_in(code, record), *(shadow_in(code, record, k) for k in range(given))]
    code.ret(pack(code, parts))
    undo.line(f"call void @gradir.thread.undo({undo.parameters[0]})")
    undo.ret()
    return [code.text(), undo.text()]


def joined_forward(name: str, marks: Sequence[Mark], result: Mark | None, shadows: Shadows) -> list[str]:
    """The text of a function that waits for a thread which ran a tangent function."""
    n = shadows.pointers
    given = n if result is not None and result.has_shadow else 0
    code = _code(name, result_type([PTR] * (1 + given)), [I64] * (1 + (n if marks[0].has_shadow else 0)))
    record = record_of(code, code.parameters[0])
    wait(code, record)
    parts = [result_in(code, record), *(shadow_in(code, record, k) for k in range(given))]
    code.line(f"call void @gradir.thread.end({record})")
    code.ret(pack(code, parts))
    return [code.text()]
