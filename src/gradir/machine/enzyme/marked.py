"""Calls and instructions that say of themselves that they carry no derivative: `call double @f(...) "enzyme_inactive"`,
or anything with `!enzyme_inactive`.

While derivatives are made such a call is one of a function that carries none; a number goes through
`__enzyme_ignore_derivatives`.
"""

from __future__ import annotations

from collections.abc import Sequence

from gradir.errors import RequestError
from gradir.machine.enzyme.ignored import NAME
from gradir.machine.ir import PTR, Constant, Global, Instruction, Module, Value
from gradir.machine.ir.attributes import Attributes
from gradir.machine.ir.instructions import call, invoke, located
from gradir.machine.ir.text.reader import extend

__all__ = ["run"]

_MARK = "enzyme_inactive"


def run(module: Module, name: str) -> None:
    """Let marked calls be calls of inactive functions. `name` is the module's, for messages."""
    by_group = any(said.mentions(_MARK) for said in module.groups.values())
    for function in list(module.definitions):
        if by_group or function.may_hold(_MARK):
            for i in [i for i in function.instructions() if _is_marked(i)]:
                i.metadata.pop(_MARK, None)
                if i.opcode in ("call", "invoke"):
                    _call_inactive(module, i)
                elif i.type.holds_pointer or i.type.kind == "void":
                    raise RequestError(
                        f"{_MARK} is said of `{i.opcode}`, and is known of calls and of what gives numbers",
                        location=module.location(i) or f"{name}: in {function.ref}",
                        hint="say it of a call, or of a function",
                    )
                else:
                    _ignore(module, i)


def _is_marked(i: Instruction) -> bool:
    said = str(i.info.get("attributes", "")) if i.opcode in ("call", "invoke") else ""
    return _MARK in i.metadata or f'"{_MARK}"' in said


def _call_inactive(module: Module, i: Instruction) -> None:
    made = module.globals[_around(module, i)]
    operands = [v for v in _all_passed(i) if not _stays(v)]
    if i.opcode == "invoke":
        instead = invoke(i.type, made, operands, i.normal, i.unwind)
    else:
        instead = call(i.type, made, operands)
    i.insert_before(located(instead, i))
    i.erase(instead if i.type.kind != "void" else None)


def _all_passed(i: Instruction) -> list[Value]:
    return [*i.arguments, i.callee]


def _stays(value: Value) -> bool:
    """Whether it is the same in the function: intrinsics have operands that must be constants."""
    return isinstance(value, (Constant, Global))


def _around(module: Module, i: Instruction) -> str:
    """A function that does what a call does."""
    n = 0
    while (name := f"gradir.inactive.{n}") in module.functions:
        n += 1
    said: Sequence[str] = i.info["argument_attributes"]  # type: ignore[assignment]
    kept = [_of_the_convention(text) for text in said]
    refs = [v.ref if _stays(v) else f"%x{k}" for k, v in enumerate(_all_passed(i))]
    operands = [f"{v.type} {a} {ref}" for v, a, ref in zip(i.arguments, kept, refs, strict=False)]
    taken = [f"{v.type} {ref}" for v, ref in zip(i.arguments, refs, strict=False) if not _stays(v)]
    taken += [] if _stays(i.callee) else [f"{PTR} {refs[-1]}"]
    type = i.info["function_type"] or i.type
    convention = [word for word in i.pieces[0].split() if word.endswith("cc")]
    head = " ".join(["call", *convention, _of_the_convention(str(i.info["result_attributes"]))])
    does = f"{head} {type} {refs[-1]}({', '.join(operands)})"
    body = f"  {does}\n  ret void" if i.type.kind == "void" else f"  %y = {does}\n  ret {i.type} %y"
    extend(module, f'define internal {i.type} @{name}({", ".join(taken)}) noinline "{_MARK}" {{\nentry:\n{body}\n}}')
    return name


_CONVENTION = ("sret", "byval", "byref", "zeroext", "signext", "inreg", "align", "nest", "swiftself")


def _of_the_convention(text: str) -> str:
    """The attributes that tell how something is passed."""
    said = Attributes(text)
    kept = [(key, said.value(key)) for key in _CONVENTION if said.has(key)]
    return " ".join(f"align {value}" if key == "align" else f"{key}({value})" if value else key for key, value in kept)


def _ignore(module: Module, i: Instruction) -> None:
    name = f"{NAME}.{str(i.type).replace(' ', '')}"
    if name not in module.functions:
        extend(module, f'declare {i.type} @"{name}"({i.type})')
    users = list(i.block.function.users.get(i, ()))
    made = located(call(i.type, module.globals[name], [i]), i)
    if i.opcode == "phi":
        i.block.insert(len(i.block.phis), made)
    else:
        i.insert_after(made)
    for user in users:
        user.replace_operand(i, made)
