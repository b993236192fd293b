"""Enzyme's calls of a function that is chosen when the program runs: a call for each function that it may be.

Compilers make such calls of two that stand in the branches of an `if`.
"""

from __future__ import annotations

from collections.abc import Sequence

from gradir.machine.enzyme.names import Hook, hook_of
from gradir.machine.ir import PTR, Argument, Block, Constant, Global, Instruction, Module, Value
from gradir.machine.ir.attributes import Attributes
from gradir.machine.ir.instructions import branch, equals, jump, phi
from gradir.machine.ir.text.tokens import global_names

__all__ = ["functions_in", "place_of_function", "run"]

_CASTS = frozenset({"bitcast", "addrspacecast", "inttoptr", "ptrtoint", "freeze"})
_OF_ONE = (Hook.virtualreverse, Hook.todense)
_MOST = 16
"""Functions that one call may choose from."""


def run(module: Module) -> None:
    """Take calls apart, where all functions that may be meant are known."""
    for function in module.definitions:
        if function.may_hold("__enzyme_"):
            for i in list(function.instructions()):
                hook = hook_of(i.callee_name) if i.opcode == "call" else None
                if hook is not None and hook not in _OF_ONE:
                    _take_apart(module, i)


def _take_apart(module: Module, i: Instruction) -> None:
    place = place_of_function(i)
    names = sorted(functions_in(module, i.arguments[place])) if len(i.arguments) > place else []
    if not 1 < len(names) <= _MOST or not all(name in module.functions for name in names):
        return
    function, here, rest = i.block.function, i.block, i.block.split_after(i)
    found: list[tuple[Value, Block]] = []
    for name in names:
        there = function.add_block("chosen", before=rest)
        made = _copied(i)
        made.operands[place] = module.globals[name]
        there.append(made, jump(rest))
        found.append((made, there))
        if name == names[-1]:
            here.append(jump(there))
        else:
            is_this, other = equals(i.arguments[place], module.globals[name]), function.add_block("other", before=there)
            here.append(is_this, branch(is_this, there, other))
            here = other
    if not function.users.get(i):
        i.erase()
    else:
        result = phi(i.type, found)
        rest.insert(0, result)
        i.erase(result)


def place_of_function(i: Instruction) -> int:
    """Which argument of a call says what is to be differentiated: before it may stand where the result goes."""
    attributes: Sequence[str] = i.info["argument_attributes"]  # type: ignore[assignment]
    return int(bool(attributes) and Attributes(attributes[0]).has("sret"))


def _copied(i: Instruction) -> Instruction:
    made = Instruction("")
    made.opcode, made.type, made.flags = i.opcode, i.type, i.flags
    made.pieces, made.operands = list(i.pieces), list(i.operands)
    made.info, made.metadata = dict(i.info), dict(i.metadata)
    return made


def functions_in(module: Module, value: Value, seen: frozenset[Value] = frozenset()) -> set[str]:
    """The functions that a value may be; empty if that isn't known."""
    if value in seen or len(seen) > _MOST:
        return set()
    within = seen | {value}
    match value:
        case Global():
            held = value.initializer if value.constant else None
            return {held[1:].strip('"')} if held and held.startswith("@") else {value.name}
        case Constant():
            return set(value.globals)
        case Argument():
            return _of_all(module, _passed(module, value), within)
        case Instruction() if value.opcode in _CASTS:
            return functions_in(module, value.operands[0], within)
        case Instruction() if value.opcode == "load":
            return _of_table(module, value.pointer, within)
        case Instruction() if value.opcode == "select":
            return _of_all(module, value.operands[1:], within)
        case Instruction() if value.opcode == "phi":
            return _of_all(module, [v for v, _ in value.incoming if v is not value], within)
    return set()


def _of_all(module: Module, values: Sequence[Value], seen: frozenset[Value]) -> set[str]:
    found = [functions_in(module, value, seen) for value in dict.fromkeys(values)]
    return set().union(*found) if all(found) else set()


def _of_table(module: Module, pointer: Value, seen: frozenset[Value]) -> set[str]:
    """What a constant holds, or an array of constants."""
    if isinstance(pointer, Global):
        return functions_in(module, pointer, seen) if pointer.constant else set()
    if not isinstance(pointer, Instruction) or pointer.opcode != "getelementptr":
        return set()
    table = pointer.operands[0]
    if not isinstance(table, Global) or not table.constant or table.value_type.kind != "array":
        return set()
    names = global_names(table.initializer or "")
    return set(names) if table.value_type.element == PTR and all(n in module.functions for n in names) else set()


def _passed(module: Module, argument: Argument) -> list[Value]:
    """What an internal function is passed for an argument, by all who call it; nothing if they aren't all known."""
    function = next((f for f in module.definitions if f.has_body_read and argument in f.arguments), None)
    if function is None or function.signature.linkage not in ("internal", "private"):
        return []
    if any(function.ref in g.line for g in module.variables):
        return []
    found = []
    for i in (i for f in module.definitions if f.may_hold(function.ref) for i in f.instructions()):
        if function.name in i.mentioned:
            if i.callee_name != function.name or i.mentioned.count(function.name) > 1:
                return []
            found.append(i.arguments[argument.index])
    return found
