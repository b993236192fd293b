"""Rules for native functions, said from Python: other functions of the program, or formulas."""

from __future__ import annotations

import inspect
from collections.abc import Sequence

from gradir.errors import InputError, RequestError, nearest
from gradir.machine.ir import Function
from gradir.machine.ir.text.reader import read
from gradir.machine.rules.registry import Registry, registration
from gradir.machine.rules.rule import Formula, Rule
from gradir.native.engine import Engine
from gradir.native.names import Functions

__all__ = ["Formula", "with_inactive", "with_rule"]


def with_rule(
    engine: Engine,
    name: str,
    augmented: str | None,
    reverse: str | None,
    forward: str | None,
    partials: Sequence[Formula | None] | None,
) -> Engine:
    """The module with a rule for one of its functions."""
    if (augmented is None) != (reverse is None):
        raise RequestError("a reverse rule is two functions", hint="name both: augmented= and reverse=")
    if augmented is None and forward is None and partials is None:
        raise RequestError(
            f"no rule for '{name}' was given", hint="give augmented= and reverse=, forward=, or partials="
        )
    if partials is not None and (augmented is not None or forward is not None):
        raise RequestError("formulas are for both modes", hint="leave out augmented=, reverse= and forward=")
    functions = engine.module.functions
    function = _found(engine, functions, name)
    if partials is not None:
        return _with_formulas(engine, function, partials)
    lines = []
    count = _count(engine)
    if augmented is not None and reverse is not None:
        names = [function.name, *(_found(engine, functions, n).name for n in (augmented, reverse))]
        lines.append(registration("register_gradient", names, count))
    if forward is not None:
        names = [function.name, _found(engine, functions, forward).name]
        lines.append(registration("register_derivative", names, count))
    return engine.extended("\n".join([engine.text, *lines]), Registry())


def with_inactive(engine: Engine, names: Sequence[str]) -> Engine:
    """The module with functions that carry no derivative."""
    functions = engine.module.functions
    inactive = [_found(engine, functions, name).name for name in names]
    return engine.extended(f"{engine.text}\n{registration('inactivefn', inactive, _count(engine))}", Registry())


def _count(engine: Engine) -> int:
    """How much was said from Python so far."""
    return sum(g.name.startswith("__enzyme_") and "_gradir." in g.name for g in engine.module.variables)


def _found(engine: Engine, functions: dict[str, Function], name: str) -> Function:
    """A function by its name in the source or its symbol."""
    known = Functions(engine.signatures.values())
    found = functions.get(name) or (functions[known.find(name).symbol] if name in known else None)
    if found is None:
        hint = nearest(name, {*functions, *known}, "functions that nothing calls are left out by compilers")
        raise InputError(f"the program neither defines nor calls a function '{name}'", hint=hint)
    return found


def _with_formulas(engine: Engine, function: Function, partials: Sequence[Formula | None]) -> Engine:
    types = [a.type for a in function.arguments]
    if not function.result.is_float or not all(t.is_float or t.is_integer for t in types):
        raise RequestError(f"formulas are for functions of numbers to a number, not for {function.header.strip()}")
    if len(partials) != len(types):
        raise RequestError(
            f"'{function.name}' takes {len(types)} arguments, {len(partials)} formulas were given",
            hint="one for each; None where the derivative is zero",
        )
    for i, (type, formula) in enumerate(zip(types, partials, strict=True)):
        if type.is_integer and formula is not None:
            raise RequestError(f"argument {i} of '{function.name}' is an integer", hint="its formula is None")
    rule = Rule(function.name, tuple(None if f is None else _of_operands(f, len(types)) for f in partials))
    rules = Registry(formulas={function.name: rule})
    return engine.extended(_declared_pure(engine.text, function.name), rules)


def _of_operands(formula: Formula, count: int) -> Formula:
    """A formula of the operands and the result, made of one that may leave out the result."""
    try:
        taken = len(inspect.signature(formula).parameters)
    except (TypeError, ValueError):
        taken = count
    if taken == count + 1:
        return formula
    if taken != count:
        raise RequestError(f"a formula of {taken} operands for a function of {count}")
    return lambda *operands: formula(*operands[:-1])


def _declared_pure(text: str, name: str) -> str:
    """A function that has formulas touches no memory, so that nothing needs to be kept because of it."""
    module = read(text)
    function = module.functions[name]
    if function.is_declaration:
        function.attributes.add("memory(none) nounwind willreturn")
    return str(module)
