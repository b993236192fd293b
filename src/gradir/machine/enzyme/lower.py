"""Replaces Enzyme's calls in a module, from the inside out: the derivative of a derivative needs the first one."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from gradir.errors import RequestError
from gradir.machine import llvm
from gradir.machine.enzyme import choices, dense, ignored, iterations, marked, truncated
from gradir.machine.enzyme.adapter import Adapter, thunk
from gradir.machine.enzyme.calls import EnzymeCall, find_calls, read_call
from gradir.machine.enzyme.names import Hook, hook_of
from gradir.machine.enzyme.prepare import Shields, target_of
from gradir.machine.enzyme.reach import cut, joined
from gradir.machine.ir import Function, Instruction, Module
from gradir.machine.ir.text.reader import extend, read
from gradir.machine.ir.text.tokens import global_names
from gradir.machine.passes.inner import as_program
from gradir.machine.passes.languages import variadic
from gradir.machine.passes.portable import portable
from gradir.machine.rules.registry import Registry
from gradir.request import Request

if TYPE_CHECKING:
    from gradir.machine.transform.derive import Program

__all__ = ["lower_text", "normalised_text", "requests_of"]


def lower_text(
    text: str | bytes, *, optimise: bool = True, whole: bool = False, again: bool = False, name: str = "<module>"
) -> str:
    """The module with each of Enzyme's calls replaced by the derivative that it asks for.

    The module may be fresh from the front end or optimised and vectorised. With `optimise`, what the calls reach is
    optimised before and after differentiating, for the machine that it was compiled for. The rest stays as it is; it is
    optimised too if the module is to be `whole`, since no other compiler will see it. What is to be differentiated
    `again` from outside keeps calls of functions with rules of their own, and takes memory as programs do.
    """
    source = str(llvm.parse(text, name))
    parts = cut(source)
    lowering = _Lowering(source if parts is None else parts.reached, name, optimise)
    while lowering.replace_calls():
        pass
    lowered = lowering.finished()
    if again:
        lowered = as_program(str(llvm.parse(lowered, name)), lowering.rounds + 1)
    if parts is not None and whole:
        lowered = joined(lowered, parts)
    lowered = lowering.optimised(lowered, again)
    return portable(lowered if parts is None or whole else joined(lowered, parts))


def requests_of(text: str | bytes, *, optimise: bool = True, name: str = "<module>") -> list[Request]:
    """What Enzyme's calls in a module ask for (those within other derivatives included), without making it."""
    return normalised_text(text, optimise=optimise, name=name)[1]


def normalised_text(text: str | bytes, *, optimise: bool = True, name: str = "<module>") -> tuple[str, list[Request]]:
    """A module as derivatives are made from it, and what Enzyme's calls in it ask for."""
    lowering = _Lowering(str(llvm.parse(text, name)), name, optimise)
    lowering.normalise()
    choices.run(lowering.module)
    module = lowering.module
    return str(module), [read_call(module, *found, name).request for found in find_calls(module)]


class _Lowering:
    def __init__(self, text: str, name: str, optimise: bool) -> None:
        self.module = read(text)
        self.given = frozenset(self.module.functions)
        self.name, self.optimise = name, optimise
        self.shields = Shields()
        self.target, self.target_attributes = target_of(self.module)
        self.target_lines = [line for line in self.module.preamble if line.startswith("target ")]
        self.count = self.rounds = 0
        marked.run(self.module, name)
        iterations.begin(self.module, name)
        ignored.begin(self.module, name)
        truncated.run(self.module, name)
        variadic.run(self.module, whole=False, without=Registry.of(self.module).rules())

    def normalise(self) -> None:
        self.shields.raise_in(self.module)
        shielded = llvm.parse(str(self.module), self.name)
        self.module = llvm.normalise(shielded, optimise=self.optimise, target=self.target)
        self.shields.lower_in(self.module)

    def replace_calls(self) -> bool:
        """Replace the innermost calls. Whether there are more."""
        self.normalise()
        choices.run(self.module)
        found = find_calls(self.module)
        calls = self.ready(found) if found else []
        if calls:
            self.replace(calls, are_more=len(calls) < len(found))
        return len(calls) < len(found)

    def ready(self, found: list[tuple[Function, Instruction, Hook]]) -> list[EnzymeCall]:
        """The calls that can be replaced now: those of functions that hold, and reach, no such call themselves."""
        module = self.module
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

    def replace(self, calls: list[EnzymeCall], are_more: bool) -> None:
        module = self.module
        adapters = [Adapter(module, call, f"gradir.call.{self.count + i}") for i, call in enumerate(calls)]
        self.count += len(calls)
        for adapter in adapters:
            adapter.insert(module)
        if all(call.hook in (Hook.batch, Hook.call_inactive) for call in calls):
            _write_plainly(adapters)
            _define(module, adapters)
            return
        from gradir.machine.transform.derive import Program

        thunks: dict[str, str] = {}
        rules = Registry.of(module).rules()
        for call in calls:
            if call.target.is_declaration or call.target.name in rules:
                thunks.setdefault(call.target.name, f"gradir.thunk.{call.target.name}")
        for name, made in thunks.items():
            extend(module, thunk(module.functions[name], made))
        before = set(module.functions)
        program = Program(str(module))
        targets = [call.target for call in calls] + [module.functions[name] for name in program.taken]
        program.differentiated = frozenset[str]().union(*(_reached(module, target) for target in targets))
        again = {call.target.name for call in calls if call.hook is Hook.reverse and not call.free}
        for adapter in adapters:
            _write(adapter, program, thunks, again)
        self.module = read(program.text())
        for adapter in adapters:
            adapter.drop_unneeded(self.module, adapters)
        iterations.deepen(self.module, before)
        _define(self.module, adapters)
        if are_more:
            self.rounds += 1
            text = str(llvm.parse(str(self.module), self.name))
            self.module = read(as_program(text, self.rounds))

    def finished(self) -> str:
        module = self.module = dense.run(self.module, self.name)
        self.shields.settle(module)
        iterations.finish(module)
        ignored.finish(module)
        for function in module.definitions:
            if function.name not in self.given and not function.signature.linkage:
                function.signature.linkage = "internal"  # another module may have a function of this name
        _check_all_is_replaced(module, self.name)
        return str(module)

    def optimised(self, text: str, again: bool) -> str:
        """What is finished, for the machine."""
        shields = Shields()
        if again:
            module = read(text)
            shields.raise_in(module)
            text = str(module)
        made = llvm.parse(text, self.name)
        if self.optimise:
            llvm.optimise(made, target=self.target)
        module = read(str(made))
        shields.lower_in(module)
        # The module is still for the machine, in the words of the compiler that it came from.
        lines = [line for line in module.preamble if not line.startswith("target ")]
        module.preamble = [*lines, *self.target_lines]
        if self.target_attributes:
            for function in module.definitions:
                function.attributes.add(self.target_attributes)
        return str(module)


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
        yield from global_names(variable.initializer)
    if (function := module.functions.get(name)) is not None:
        for instruction in function.instructions():
            if hook_of(instruction.callee_name) is None:
                yield from instruction.mentioned


def _define(module: Module, adapters: list[Adapter]) -> None:
    for adapter in adapters:
        extend(module, adapter.text())
        for declaration in adapter.declarations:
            if global_names(declaration)[0] not in module.functions:
                extend(module, declaration)


def _check_all_is_replaced(module: Module, name: str) -> None:
    """Nothing of Enzyme's interface may be left for the linker to miss."""
    left = {f.name for f in module.functions.values() if f.is_declaration and "__enzyme_" in f.name}
    for function in module.definitions if left else ():
        for instruction in function.instructions() if function.may_hold("__enzyme_") else ():
            used = next((n for n in instruction.mentioned if n in left), None)
            if used is not None:
                way_out = "use __enzyme_autodiff or __enzyme_fwddiff, and call them by name"
                raise RequestError(
                    f"{used} is not supported",
                    location=module.location(instruction) or f"{name}: in {function.ref}",
                    hint=way_out,
                )
    for g in list(module.variables):
        if g.initializer is not None and not left.isdisjoint(global_names(g.initializer)):
            raise RequestError(f"the address of one of Enzyme's functions is kept in {g.ref}", location=name)
    for function_name in left:
        module.remove(function_name)


# -- Bodies ----------------------------------------------------------------------------------------------------------


def _write_plainly(adapters: list[Adapter]) -> None:
    for adapter in adapters:
        if adapter.call.hook is Hook.batch:
            adapter.batch()
        else:
            adapter.call_plainly()


def _write(adapter: Adapter, program: Program, thunks: dict[str, str], again: set[str]) -> None:
    """`again` are the functions whose reverse half may run several times."""
    from gradir.machine.transform.derive import Options

    call = adapter.call
    halves = Options(late_shadows=True, repeatable=call.target.name in again)
    request = call.request
    request = replace(request, function=thunks.get(request.function, request.function))
    match call.hook:
        case Hook.autodiff | Hook.fwddiff:
            adapter.differentiate(program.derivative(request), request)
        case Hook.fwdsplit:
            program.need_runtime("gradir.free_all")
            program.need_runtime("gradir.arena.end")
            adapter.run_again(program.derivative(request), request, program.freed_pool())
        case Hook.augmentfwd:
            adapter.augment(program.split(request, halves)[0], request)
        case Hook.reverse:
            program.need_runtime("gradir.free_all")
            program.need_runtime("gradir.arena.end")
            adapter.reverse(program.split(request, halves)[1], request, program.freed_pool(), halves.repeatable)
        case Hook.augmentsize:
            adapter.size()
        case Hook.virtualreverse:
            adapter.address([program.shadow_address(table) for table in call.tables])
        case Hook.batch | Hook.call_inactive:
            _write_plainly([adapter])
        case _:
            raise adapter.error("this is not supported", "use __enzyme_autodiff or __enzyme_fwddiff")
