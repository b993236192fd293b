"""Rules of a program's own, in the shape that derivatives call them in.

A rule is a function of the program's, compiled by the conventions of its language: several results come back in memory
or packed in a vector. A wrapper around such a function gives them as a struct. What doesn't fit at all is an error,
since LLVM would call it all the same.
"""

from __future__ import annotations

from gradir.errors import RequestError
from gradir.machine.ir import I8, Function, Module, Type, array, struct
from gradir.machine.ir.builder import Code, plain_name
from gradir.machine.ir.text.reader import extend
from gradir.machine.rules.registry import CustomGradient, Registry

__all__ = ["run"]


def run(module: Module, registry: Registry) -> list[Function]:
    """Add wrappers around rules, which the registry then names in place of the rules."""
    wrappers = _Wrappers(module)
    for name, rule in list(registry.gradients.items()):
        function = module.functions.get(name)
        if function is None:
            continue
        augmented, reverse = (_rule(module, name, n) for n in (rule.augmented, rule.reverse))
        registry.gradients[name] = CustomGradient(
            _augmented(function, augmented, wrappers), _reverse(function, reverse, augmented, wrappers)
        )
    for name, derivative in list(registry.derivatives.items()):
        if name in module.functions:
            forward = _rule(module, name, derivative)
            if returned := wrappers.in_memory(forward):
                registry.derivatives[name] = wrappers.around(forward, returned)
    return wrappers.made


def _rule(module: Module, name: str, rule: str) -> Function:
    found = module.functions.get(rule)
    if found is None:
        raise RequestError(f"the rule of @{name} names @{rule}, which is not in the program")
    return found


def _augmented(function: Function, rule: Function, wrappers: _Wrappers) -> str:
    returned = wrappers.in_memory(rule)
    _check(function, rule, _taken(function), returned)
    if returned is None and rule.result.kind == "vector":  # {float, float} in one register
        returned = struct([rule.result.element] * rule.result.count)
    if returned is not None:
        return wrappers.around(rule, returned)
    return rule.name


def _reverse(function: Function, rule: Function, augmented: Function, wrappers: _Wrappers) -> str:
    returned = wrappers.in_memory(rule)
    has_tape = augmented.result.kind != "void" or wrappers.in_memory(augmented) is not None
    taken = _taken(function) + int(function.result.is_float) + int(has_tape)
    _check(function, rule, taken, returned)
    floats = [a.type for a in function.arguments if a.type.holds_float]
    given = returned or rule.result
    if floats and given.kind == "void":
        raise RequestError(
            f"the reverse rule @{rule.name} gives nothing, but @{function.name} takes floats by value",
            hint="return their cotangents: one as it is, several in a struct",
        )
    plain = struct(floats)
    if given.kind != "void" and not _fits(given, plain):
        wanted = ", ".join(map(str, floats)) or "nothing"
        raise RequestError(
            f"the reverse rule @{rule.name} gives {given}, not the cotangents of the floats that @{function.name} "
            f"takes by value: {wanted}"
        )
    if returned is not None or (len(floats) > 1 and given.elements != plain.elements):
        return wrappers.around(rule, plain if len(floats) > 1 else floats[0])
    return rule.name


def _taken(function: Function) -> int:
    """How many arguments a rule takes: each pointer is followed by its shadow."""
    return len(function.arguments) + sum(a.type.is_pointer for a in function.arguments)


def _check(function: Function, rule: Function, count: int, returned: Type | None) -> None:
    found = len(rule.arguments) - (returned is not None)
    if found != count and not rule.variadic:
        raise RequestError(
            f"the rule @{rule.name} of @{function.name} takes {found} arguments, not {count}",
            hint="the function's own, each pointer followed by its shadow; in reverse then the cotangent of a float "
            "that it returns, and the tape if there is one",
        )


def _fits(given: Type, plain: Type) -> bool:
    """Whether it holds the same floats, or as many bytes of which nothing is known."""
    parts = [t for _, t in given.parts()]
    return parts == [t for _, t in plain.parts()] or (set(parts) == {I8} and given.size == plain.size)


class _Wrappers:
    """Functions around rules, by name."""

    def __init__(self, module: Module) -> None:
        self.module = module
        self.made: list[Function] = []

    def in_memory(self, rule: Function) -> Type | None:
        """What a function returns through its first argument."""
        held = rule.arguments[0].attributes.value("sret") if rule.arguments else None
        return self.module.types.parse(held) if held else None

    def around(self, rule: Function, result: Type) -> str:
        """A function that gives `result`, read from the memory that a rule returns it in."""
        name = base = f"gradir.rule.{plain_name(rule.name)}"
        while name in self.module.functions:
            name = f"{base}.{len(self.made)}.{len(name)}"
        in_memory = rule.result.kind == "void"
        own = rule.arguments[1:] if in_memory else rule.arguments
        code = Code(name, result, [(a.type, "x") for a in own], linkage="internal", attributes="alwaysinline")
        held = {k: f"byval({v})" for k, a in enumerate(own) if (v := a.attributes.value("byval"))}
        code.parameter_attributes = dict(held)
        given = [f"{p.type} {held.get(k, '')} {p.ref}" for k, p in enumerate(code.parameters)]
        memory = code.alloca(array(max(result.size, rule.result.size), I8), "memory", align=16)
        if in_memory:
            code.line(f"call void {rule.ref}({', '.join([f'ptr sret({result}) {memory.ref}', *given])})")
        else:
            returned = code.emit(rule.result, f"call {rule.result} {rule.ref}({', '.join(given)})")
            code.store(returned, memory, ", align 1")
        code.ret(code.load(result, memory, f", align {result.align if in_memory else 1}"))
        extend(self.module, code.text())
        self.made.append(self.module.functions[name])
        return name
