"""Replaces Enzyme's calls in a module, from the inside out: the derivative of a derivative needs the first one."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from gradir.errors import RequestError
from gradir.machine import llvm
from gradir.machine.enzyme.adapter import Adapter, reference, thunk
from gradir.machine.enzyme.calls import EnzymeCall, find_calls, read_call
from gradir.machine.enzyme.names import Hook, hook_of
from gradir.machine.enzyme.prepare import Shields, target_of
from gradir.machine.enzyme.reach import cut, joined
from gradir.machine.ir import Constant, Function, Global, Module
from gradir.machine.ir.reader import read
from gradir.machine.passes.inner import as_program
from gradir.machine.passes.portable import portable
from gradir.machine.rules.registry import Registry
from gradir.request import Request

if TYPE_CHECKING:
    from gradir.machine.transform.derive import Program

__all__ = ["lower_text", "normalised_text", "requests_of"]


def lower_text(text: str | bytes, *, optimise: bool = True, name: str = "<module>") -> str:
    """The module with each of Enzyme's calls replaced by the derivative that it asks for.

    The module may be fresh from the front end or optimised and vectorised. With `optimise`, what the calls reach is
    optimised before and after differentiating, for the machine that it was compiled for; the rest stays as it is.
    """
    source = str(llvm.parse(text, name))
    parts = cut(source)
    lowering = _Lowering(source if parts is None else parts.reached, name, optimise)
    while lowering.replace_calls():
        pass
    lowered = lowering.finished()
    return portable(lowered if parts is None else joined(lowered, parts))


def requests_of(text: str | bytes, *, optimise: bool = True, name: str = "<module>") -> list[Request]:
    """What Enzyme's calls in a module ask for (those within other derivatives included), without making it."""
    return normalised_text(text, optimise=optimise, name=name)[1]


def normalised_text(text: str | bytes, *, optimise: bool = True, name: str = "<module>") -> tuple[str, list[Request]]:
    """A module as derivatives are made from it, and what Enzyme's calls in it ask for."""
    lowering = _Lowering(str(llvm.parse(text, name)), name, optimise)
    module = lowering.normalised()
    return lowering.text, [read_call(module, *found, name).request for found in find_calls(module)]


class _Lowering:
    def __init__(self, text: str, name: str, optimise: bool) -> None:
        self.text, self.name, self.optimise = text, name, optimise
        self.shields = Shields()
        self.target, self.target_attributes = target_of(text)
        self.target_lines = re.findall(r"^target (?:datalayout|triple) = .*$", text, re.MULTILINE)
        self.count = self.rounds = 0

    def normalised(self) -> Module:
        shielded = llvm.parse(self.shields.raise_in(self.text), self.name)
        normal = llvm.normalise(shielded, optimise=self.optimise, target=self.target)
        self.text = self.shields.lower_in(llvm.canonical_text(normal))
        return read(self.text)

    def calls(self, module: Module) -> list[EnzymeCall]:
        """The calls that can be replaced now: those of functions that hold, and reach, no such call themselves."""
        found = find_calls(module)
        if not found:
            return []
        plain = [f for f in found if f[2] is Hook.call_inactive]
        if plain:
            return [read_call(module, *f, self.name) for f in plain]
        callers = {caller.name for caller, _, _ in found}
        calls = [read_call(module, *f, self.name) for f in found]
        ready = [call for call in calls if call.tables or callers.isdisjoint(_reached(module, call.target))]
        if not ready:
            raise RequestError(
                f"{calls[0].target.ref} needs the derivative of itself to be differentiated",
                location=calls[0].location,
            )
        return ready

    def replace_calls(self) -> bool:
        """Replace the innermost calls. Whether there are more."""
        module = self.normalised()
        calls = self.calls(module)
        if calls:
            self.replace(module, calls)
        return len(calls) < len(find_calls(module))

    def replace(self, module: Module, calls: list[EnzymeCall]) -> None:
        adapters = [Adapter(call, f"gradir.call.{self.count + i}") for i, call in enumerate(calls)]
        self.count += len(calls)
        text = _with_lines(self.text, adapters)
        if all(call.hook in (Hook.batch, Hook.call_inactive) for call in calls):
            _write_plainly(adapters)
            self.text = _with_definitions(text, adapters)
            return
        from gradir.machine.transform.derive import Program

        thunks: dict[str, str] = {}
        rules = Registry.of(module).rules()
        for call in calls:
            if call.target.is_declaration or call.target.name in rules:
                thunks.setdefault(call.target.name, f"gradir.thunk.{call.target.name}")
        text += "".join(thunk(module.functions[f], t) for f, t in thunks.items())
        text += "".join(f"{adapter.declaration()}\n" for adapter in adapters)
        program = Program(str(llvm.parse(text, self.name)) if thunks else text)
        for adapter in adapters:
            _write(adapter, program, thunks)
        self.text = str(llvm.parse(_with_definitions(program.text(), adapters), self.name))
        if len(calls) < len(find_calls(module)):
            self.rounds += 1
            self.text = as_program(self.text, self.rounds)

    def finished(self) -> str:
        module = llvm.parse(self.shields.settle(self.text), self.name)
        if self.optimise:
            llvm.optimise(module, target=self.target)
        return _for_target(self.as_compiled(str(module)), self.target_attributes)

    def as_compiled(self, text: str) -> str:
        """The module is still for the machine, in the words of the compiler that it came from."""
        for line in self.target_lines:
            what = line.partition(" = ")[0]
            text = "\n".join(line if old.startswith(f"{what} = ") else old for old in text.split("\n"))
        return text


def _reached(module: Module, function: Function) -> set[str]:
    """The functions that may run when one is called, as far as names tell."""
    seen: set[str] = set()
    waiting = [function.name]
    while waiting:
        name = waiting.pop()
        if name in seen:
            continue
        seen.add(name)
        waiting += _mentioned(module, name)
    return seen


def _mentioned(module: Module, name: str) -> Iterator[str]:
    if name in module.aliases:
        yield module.aliases[name]
    if (variable := module.globals.get(name)) is not None and variable.initializer is not None:
        yield from (m[1] or m[2] for m in re.finditer(r'@(?:"([^"]*)"|([-\w.$]+))', variable.initializer))
    if (function := module.functions.get(name)) is not None:
        for instruction in function.instructions():
            if hook_of(instruction.callee_name) is not None:
                continue
            for operand in instruction.operands:
                if isinstance(operand, Global):
                    yield operand.name
                elif isinstance(operand, Constant):
                    yield from operand.globals


# -- Text ------------------------------------------------------------------------------------------------------------

_CALL = re.compile(r'^  (?:%(?:"[^"]*"|[-\w.$]+) = )?(?:(?:tail|musttail|notail) )?(?:call|invoke) ')


def _with_lines(text: str, adapters: list[Adapter]) -> str:
    """Write the new calls in place of the old ones."""
    wanted = {id(adapter.call.instruction): adapter for adapter in adapters}
    order: dict[str, list[Adapter | None]] = {}
    for adapter in adapters:
        caller = adapter.call.caller
        if caller.ref not in order:
            hooks = [i for i in caller.instructions() if hook_of(i.callee_name) is not None]
            order[caller.ref] = [wanted.get(id(i)) for i in hooks]
    lines, caller_ref, i = text.split("\n"), "", 0
    kept: list[str] = []
    while i < len(lines):
        line = lines[i]
        i += 1
        if line.startswith("define "):
            match = re.search(r'@(?:"[^"]*"|[-\w.$]+)(?=\()', line)
            caller_ref = match[0] if match else ""
        if caller_ref in order and "__enzyme_" in line and _CALL.match(line) and _calls_hook(line):
            new = order[caller_ref].pop(0)
            if new is not None:
                while i < len(lines) and lines[i].startswith("          "):  # an invoke's labels
                    line += " " + lines[i].strip()
                    i += 1
                line = new.line(line)
        kept.append(line)
    return "\n".join(kept)


def _calls_hook(line: str) -> bool:
    """Whether the function that is called, the first name before a parenthesis, is one of Enzyme's."""
    match = re.search(r'@(?:"([^"]*)"|([-\w.$]+))\(', line)
    return match is not None and hook_of(match[1] or match[2]) is not None


def _with_definitions(text: str, adapters: list[Adapter]) -> str:
    declared = {f"{reference(adapter.name)}(" for adapter in adapters}
    lines = [
        line
        for line in text.split("\n")
        if not (line.startswith("declare ") and any(name in line for name in declared))
    ]
    known = set(re.findall(r'^(?:define|declare) .*?(@(?:"[^"]*"|[-\w.$]+))\(', "\n".join(lines), re.MULTILINE))
    for adapter in adapters:
        lines.append(adapter.text())
        for declaration in adapter.declarations:
            match = re.search(r'@(?:"[^"]*"|[-\w.$]+)', declaration)
            if match and match[0] not in known:
                known.add(match[0])
                lines.append(declaration)
    return "\n".join(lines) + "\n"


def _for_target(text: str, attributes: str) -> str:
    """Say again, for every function with a body, which machine it is for."""
    if not attributes:
        return text
    number = 1 + max((int(n) for n in re.findall(r"#(\d+)", text)), default=0)
    lines = text.split("\n")
    for i, line in enumerate(lines):
        if line.startswith("define "):
            end = _end_of_parameters(line)
            lines[i] = f"{line[:end]} #{number}{line[end:]}"
    lines.append(f"attributes #{number} = {{ {attributes} }}")
    return "\n".join(lines) + "\n"


def _end_of_parameters(line: str) -> int:
    """Where a function's attributes begin."""
    opening = re.search(r'@(?:"[^"]*"|[-\w.$]+)\(', line)
    assert opening is not None
    depth = 1
    for m in re.finditer(r'"[^"]*"|[()]', line[opening.end() :]):
        depth += {"(": 1, ")": -1}.get(m[0], 0)
        if depth == 0:
            end = opening.end() + m.end()
            after = re.match(r"(?: (?:local_)?unnamed_addr)?(?: addrspace\(\d+\))?", line[end:])
            return end + (after.end() if after else 0)
    return len(line)


# -- Bodies ----------------------------------------------------------------------------------------------------------


def _write_plainly(adapters: list[Adapter]) -> None:
    for adapter in adapters:
        if adapter.call.hook is Hook.batch:
            adapter.batch()
        else:
            adapter.call_plainly()


def _write(adapter: Adapter, program: Program, thunks: dict[str, str]) -> None:
    call = adapter.call
    request = call.request
    request = replace(request, function=thunks.get(request.function, request.function))
    match call.hook:
        case Hook.autodiff | Hook.fwddiff:
            adapter.differentiate(program.derivative(request), request)
        case Hook.augmentfwd:
            adapter.augment(program.split(request)[0], request)
        case Hook.reverse:
            program.need_runtime("gradir.free_all")
            adapter.reverse(program.split(request)[1], request, program.freed_pool())
        case Hook.augmentsize:
            adapter.size()
        case Hook.virtualreverse:
            adapter.address([program.shadow_address(table) for table in call.tables])
        case Hook.batch | Hook.call_inactive:
            _write_plainly([adapter])
        case _:
            raise adapter.error("this is not supported", "use __enzyme_autodiff or __enzyme_fwddiff")
