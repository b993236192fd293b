"""Rules of a program's own, in the shape that derivatives call them in.

A rule is a function of the program's, compiled by the conventions of its language: several results come back in memory
or packed in a vector. A wrapper around such a function gives them as a struct. What doesn't fit at all is an error,
since LLVM would call it all the same.
"""

from __future__ import annotations

from collections.abc import Sequence

from gradir.errors import RequestError
from gradir.machine.ir import I8, Argument, Function, Module, Type, array, struct
from gradir.machine.ir.builder import Code, Expr, plain_name
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
    _check(function, rule, _taken(function), wrappers.own(rule))
    returned = _returned(rule, wrappers)
    return wrappers.around(rule, returned) if returned != rule.result else rule.name


def _returned(rule: Function, wrappers: _Wrappers) -> Type:
    """What an augmented function gives."""
    if rule.result.kind == "vector":  # {float, float} in one register
        return struct([rule.result.element] * rule.result.count)
    return wrappers.in_memory(rule) or rule.result


def _reverse(function: Function, rule: Function, augmented: Function, wrappers: _Wrappers) -> str:
    returned, tape = wrappers.in_memory(rule), _returned(augmented, wrappers)
    if tape.is_aggregate and function.result.kind != "void":
        tape = tape.elements[0]
    taken = [*_taken(function), *([function.result] if function.result.is_float else [])]
    own = wrappers.own(rule)
    pieces = own[len(taken) :] if tape.is_aggregate and _holds(own[len(taken) :], tape) else []
    if pieces:
        _check(function, rule, taken, own[: len(taken)])
    else:
        _check(function, rule, [*taken, *([tape] if tape.kind != "void" else [])], own)
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
    result = plain if len(floats) > 1 else floats[0] if floats else given
    if returned is not None or pieces or (len(floats) > 1 and given.elements != plain.elements):
        return wrappers.around(rule, result, tape if pieces else None, len(pieces))
    return rule.name


def _holds(pieces: Sequence[Argument], tape: Type) -> bool:
    """Whether arguments are a tape that is a struct: its address, or its words one by one."""
    if _is_address(pieces, tape):
        return True
    sizes = [piece.type.size for piece in pieces]
    return sizes != [] and 8 * (len(pieces) - 1) < tape.size <= 8 * (len(pieces) - 1) + max(8, sizes[-1])


def _is_address(pieces: Sequence[Argument], tape: Type) -> bool:
    return len(pieces) == 1 and pieces[0].type.is_pointer and tape.size > 8


def _taken(function: Function) -> list[Type]:
    """The types of what a rule takes first: each pointer is followed by its shadow."""
    return [a.type for a in function.arguments for _ in range(1 + a.type.is_pointer)]


def _check(function: Function, rule: Function, wanted: Sequence[Type], given: Sequence[Argument]) -> None:
    types = [a.type for a in given]
    if types == list(wanted) or rule.variadic:
        return
    said = f"{len(types)} arguments, not {len(wanted)}"
    if len(types) == len(wanted):
        n = next(n for n, pair in enumerate(zip(types, wanted, strict=True)) if pair[0] != pair[1])
        said = f"{types[n]} as argument {n + 1}, not {wanted[n]}"
    raise RequestError(
        f"the rule @{rule.name} of @{function.name} takes {said}",
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

    def own(self, rule: Function) -> list[Argument]:
        """What a function takes, without the memory for its result."""
        return rule.arguments[1:] if self.in_memory(rule) else rule.arguments

    def around(self, rule: Function, result: Type, tape: Type | None = None, pieces: int = 0) -> str:
        """A function that gives `result`, read from the memory that a rule returns it in. The rule may take a `tape` in
        `pieces`."""
        name = base = f"gradir.rule.{plain_name(rule.name)}"
        while name in self.module.functions:
            name = f"{base}.{len(self.made)}.{len(name)}"
        in_memory, own = self.in_memory(rule) is not None, self.own(rule)
        types = [a.type for a in own[: len(own) - pieces]] + ([tape] if tape is not None else [])
        code = Code(name, result, [(t, "x") for t in types], linkage="internal", attributes="alwaysinline")
        held = {k: f"byval({v})" for k, a in enumerate(own) if (v := a.attributes.value("byval"))}
        code.parameter_attributes = {k: v for k, v in held.items() if k < len(own) - pieces}
        passed = list(code.parameters)
        if tape is not None:
            passed += _in_pieces(code, passed.pop(), own[len(own) - pieces :])
        given = [f"{p.type} {held.get(k, '')} {p.ref}" for k, p in enumerate(passed)]
        if result.kind == "void":
            code.line(f"call void {rule.ref}({', '.join(given)})")
            code.ret()
            return self.add(name, code)
        memory = code.alloca(array(max(result.size, rule.result.size), I8), "memory", align=16)
        if in_memory:
            code.line(f"call void {rule.ref}({', '.join([f'ptr sret({result}) {memory.ref}', *given])})")
        else:
            returned = code.emit(rule.result, f"call {rule.result} {rule.ref}({', '.join(given)})")
            code.store(returned, memory, ", align 1")
        code.ret(code.load(result, memory, f", align {result.align if in_memory else 1}"))
        return self.add(name, code)

    def add(self, name: str, code: Code) -> str:
        extend(self.module, code.text())
        self.made.append(self.module.functions[name])
        return name


def _in_pieces(code: Code, tape: Expr, pieces: Sequence[Argument]) -> list[Expr]:
    """A tape as C passes such a struct: by its address, or word by word."""
    memory = code.alloca(array(tape.type.size + 16, I8), "tape", align=16)
    code.store(tape, memory, ", align 16")
    if _is_address(pieces, tape.type):
        return [memory]
    return [code.load(p.type, code.offset(memory, 8 * k), ", align 8") for k, p in enumerate(pieces)]
