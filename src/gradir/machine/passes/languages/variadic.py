"""Functions of a variable number of arguments take the rest of them in memory, as they take what registers can't hold.

On x86-64 a `va_list` says how much of the saved registers has been read, and where on the stack the rest lies: in words
of eight bytes, one after the other. Here the caller writes all of the rest to such words of its own and passes their
address, and `va_start` says that no register is left to be read. What reads the list (code of the program's, or
`vprintf`) is as it was, and numbers in it have derivatives like any in memory.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from gradir.machine.ir import (
    I1,
    I32,
    I64,
    PTR,
    VOID,
    Argument,
    Constant,
    Function,
    Instruction,
    Module,
    array,
)
from gradir.machine.ir.attributes import Attributes
from gradir.machine.ir.graphs import direct_calls
from gradir.machine.ir.instructions import add_offset, alloca, call, constant, located, store
from gradir.machine.ir.text.reader import extend
from gradir.machine.passes.apart import copied, forget_description

__all__ = ["run"]

_START, _COPY, _END = "llvm.va_start", "llvm.va_copy", "llvm.va_end"
_GENERAL, _FLOATING = 6 * 8, 6 * 8 + 8 * 16
"""The bytes of a function's registers for integers, and of all its registers: read so far, none is left."""
_LIST = 24
_LOCAL, _FOR_ALL = ("internal", "private"), ("", "linkonce_odr", "weak_odr")
"""Linkage of what others don't see, and of what they see and can't replace."""
_MEMCPY = "llvm.memcpy.p0.p0.i64"


def run(module: Module, whole: bool = True, without: Collection[str] = ()) -> None:
    """Pass the rest of the arguments by an address, wherever all calls of a function can be seen.

    If the module is not the `whole` program, others may call what is not internal: its calls here are of a copy.
    Functions `without` stay as they are.
    """
    if not any(name.startswith(_START) for name in module.functions) or not _is_system_v(module):
        return
    for function in [f for f in module.definitions if f.may_hold(f"@{_START}") and f.variadic]:
        calls = direct_calls(module, function)
        if calls is None or not all(map(_is_plain, calls)) or function.name in without:
            continue
        if whole or function.signature.linkage in _LOCAL:
            _pass_by_address(function, calls)
        elif function.signature.linkage in _FOR_ALL:
            _pass_by_address(*_apart(module, function, calls))
    for function in [f for f in module.definitions if f.may_hold(f"@{_COPY}") or f.may_hold(f"@{_END}")]:
        _copy_lists(module, function)


def _is_system_v(module: Module) -> bool:
    return module.triple.startswith("x86_64") and "windows" not in module.triple


def _apart(module: Module, function: Function, calls: Sequence[Instruction]) -> tuple[Function, list[Instruction]]:
    """A copy that is seen in this module alone, and the calls, which are of the copy now."""
    copy = copied(module, function, {function.name: f"gradir.{function.name}"})
    forget_description(function)  # the copy has it now
    for i in calls:
        i.set_operand(len(i.operands) - 1, module.globals[copy.name])
    return copy, direct_calls(module, copy) or []


def _is_plain(i: Instruction) -> bool:
    """Whether all that is passed fits in words."""
    attributes: Sequence[str] = i.info["argument_attributes"]  # type: ignore[assignment]
    plain = all(a.type.is_pointer or a.type.text in ("i32", "i64", "double") for a in i.arguments)
    return plain and not any("byval" in said for said in attributes)


def _pass_by_address(function: Function, calls: Sequence[Instruction]) -> None:
    for i in calls:
        _pass_in_memory(function, i)
    _take(function)


def _pass_in_memory(function: Function, i: Instruction) -> None:
    count = len(function.arguments)
    fixed, rest = i.arguments[:count], i.arguments[count:]
    words = alloca(array(max(len(rest), 1), I64), 16, "rest")
    i.block.function.entry.insert(0, words)
    for n, value in enumerate(rest):
        at = add_offset(words, 8 * n)
        i.insert_before(at, store(value, at, 8))
    made = located(call(i.type, i.callee, [*fixed, words]), i)
    i.insert_before(made)
    i.erase(made if i.type.kind != "void" else None)


def _take(function: Function) -> None:
    rest = Argument(PTR, function.fresh("rest"), len(function.arguments), Attributes())
    function.signature.arguments.append(rest)
    function.signature.variadic = False
    for i in _of(function, _START):
        for offset, value in ((0, constant(I32, _GENERAL)), (4, constant(I32, _FLOATING)), (8, rest)):
            at = add_offset(i.arguments[0], offset)
            i.insert_before(at, store(value, at, value.type.size))
        i.erase()


def _copy_lists(module: Module, function: Function) -> None:
    for i in _of(function, _COPY):
        if _MEMCPY not in module.functions:
            extend(module, f"declare void @{_MEMCPY}(ptr, ptr, i64, i1)")
        i.insert_before(
            call(VOID, module.globals[_MEMCPY], [*i.arguments, constant(I64, _LIST), Constant(I1, "false")])
        )
        i.erase()
    for i in _of(function, _END):
        i.erase()


def _of(function: Function, name: str) -> list[Instruction]:
    return [i for i in function.instructions() if (i.callee_name or "").startswith(name)]
