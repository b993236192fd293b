"""Thread-local variables of code that is loaded by itself: LLVM's linker for running processes has no place for them.

The runtime of GCC, which every process with C++ has, keeps a copy for each thread that asks for one
(`__emutls_get_address`). A function asks where it begins. What it asks by, a *control*, is what modules share that
share such a variable.
"""

from __future__ import annotations

from gradir.machine.ir import PTR, Constant, Function, Global, Instruction, Module, Value
from gradir.machine.ir.constants import Part, read_constant
from gradir.machine.ir.instructions import add_offset, binary, call, cast
from gradir.machine.ir.text.reader import extend, read
from gradir.machine.ir.text.tokens import global_names

__all__ = ["control_of", "is_thread_local", "with_thread_locals"]

_GET = "__emutls_get_address"
_WORD = "thread_local"


def with_thread_locals(text: str) -> str:
    """A module's text, in which variables that each thread has are asked for.

    >>> print(with_thread_locals('''@v = internal thread_local global double 1.0
    ... define double @f() {
    ... entry:
    ...   %x = load double, ptr @v
    ...   ret double %x
    ... }''').split("define ")[1].split("declare ")[0])
    double @f() {
    entry:
      %v = call ptr @__emutls_get_address(ptr @v.threads)
      %x = load double, ptr %v
      ret double %x
    }
    <BLANKLINE>
    """
    if _WORD not in text:
        return text
    module = read(text)
    local = {g.name: g for g in module.variables if is_thread_local(g)}
    if not local:
        return text
    extend(module, f"declare ptr @{_GET}(ptr)\n" + "\n".join(map(_announced, local.values())))
    for function in module.definitions:
        if any(function.may_hold(g.ref) for g in local.values()):
            _ask(function, module, local)
    return str(module)


def is_thread_local(g: Global) -> bool:
    return any(word.startswith(_WORD) for word in g.parts.words)


def control_of(name: str) -> str:
    """The name of what the runtime is told of a variable."""
    return f"{name}.threads"


def _announced(g: Global) -> str:
    """What the runtime is told of a variable, from now on the value that copies begin with: its size, its alignment, a
    number that the runtime notes there, and where that value is. Of one that is elsewhere that has been told there."""
    g.parts.words = [word for word in g.parts.words if not word.startswith(_WORD)]
    if g.initializer is None:
        return f"{_control(g)} = external global {{ i64, i64, ptr, ptr }}"
    linkage = "internal " if {"internal", "private"} & {*g.parts.words} else ""
    align = int(g.parts.trailing.get("align", "").removeprefix("align ").strip() or g.value_type.align)
    said = f"i64 {g.value_type.size}, i64 {align}, ptr null, ptr {g.ref}"
    return f"{_control(g)} = {linkage}global {{ i64, i64, ptr, ptr }} {{ {said} }}"


def _control(g: Global) -> str:
    quote = '"' if '"' in g.ref else ""
    return f"@{quote}{control_of(g.name)}{quote}"


def _ask(function: Function, module: Module, local: dict[str, Global]) -> None:
    found: dict[str, Value] = {}
    made: list[Instruction] = []

    def written(i: Instruction) -> Instruction:
        made.append(i)
        return i

    def address(name: str) -> Value:
        if name not in found:
            control = module.globals[_control(local[name])[1:].strip('"')]
            found[name] = written(call(PTR, module.globals[_GET], [control], hint=name))
        return found[name]

    def computed(part: Part) -> Value:
        """What a constant is made of addresses of this thread's."""
        if not any(name in local for name in global_names(part.text)):
            return Constant(part.type, part.text, tuple(global_names(part.text)))
        if part.type.is_pointer and (at := part.address) is not None:
            base = address(at.name)
            return written(add_offset(base, at.offset, hint=at.name)) if at.offset else base
        first, *rest = (computed(p) for p in part.parts)
        if not rest:
            return written(cast(part.opcode, first, part.type))
        return written(binary(part.opcode, first, rest[0]))

    for i in list(function.instructions()):
        for n, operand in enumerate(i.operands):
            if isinstance(operand, Global) and operand.name in local:
                i.set_operand(n, address(operand.name))
            elif isinstance(operand, Constant) and any(name in local for name in operand.globals):
                i.set_operand(n, computed(read_constant(operand.type, operand.ref, module.types)))
    function.entry.insert(0, *made)
