"""What Enzyme's calls reach, cut out of a module: the rest stays as the compiler wrote it, and costs nothing.

The part is a module of its own. What it defines and the rest uses is external in both while they are apart.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from gradir.machine import llvm
from gradir.machine.enzyme.choices import place_of_function
from gradir.machine.enzyme.names import hook_of
from gradir.machine.ir import Constant, Function, Global, Module
from gradir.machine.ir.text.reader import extend, read
from gradir.machine.ir.text.tokens import global_names

__all__ = ["Cut", "cut", "joined"]


@dataclass
class Cut:
    """A module in two parts."""

    reached: str
    """The part that Enzyme's calls reach, with these calls."""
    rest: str
    linkage: dict[str, list[str]] = field(default_factory=dict)
    """The words before the types of functions and variables that both parts use."""
    groups: dict[str, str] = field(default_factory=dict)
    """Of what is in such a group: which one, of those that a linker keeps one of."""


def cut(text: str) -> Cut | None:
    """A module as LLVM prints it in two parts; None where nothing would be left over."""
    module = read(text)
    if "ifunc " in text or not (seeds := _seeds(module)):
        return None
    names = _reached(module, seeds)
    if all(f.name in names for f in module.definitions):
        return None
    shared = _mentioned_by_rest(module, names) & names
    made = Cut("", "")
    made.reached = str(_part(module, names, shared, made))
    made.rest = str(_rest(read(text), names, shared, made))
    return made


def joined(part: str, made: Cut) -> str:
    """The whole module again, with what became of the part."""
    module = read(str(llvm.link([llvm.parse(part), llvm.parse(made.rest)])))
    for name in made.linkage.keys() | made.groups.keys():
        function, g = module.functions.get(name), module.globals.get(name)
        if function is not None and not function.is_declaration:
            _restore_function(function, name, made)
        elif g is not None and g.line and g.parts.initializer is not None:
            _restore_variable(g, name, made)
    for group in dict.fromkeys(made.groups.values()):
        module.comdats.setdefault(group, "any")
    return str(module)


# -- What is reached -------------------------------------------------------------------------------------------------


def _seeds(module: Module) -> list[str]:
    """Functions with Enzyme's calls, and what a module says about derivatives besides."""
    callers = [f.name for f in module.definitions if f.may_hold("__enzyme_")]
    if not callers:
        return []
    said = [g.name for g in module.variables if "enzyme_" in g.line]
    for function in module.functions_saying("enzyme_"):
        said.append(function.name)
        for node in filter(None, map(module.nodes.node, function.metadata.values())):
            said += node.globals
    return [*callers, *_who_chooses(module, callers), *said]


def _who_chooses(module: Module, callers: list[str]) -> list[str]:
    """The callers of functions that are passed what is to be differentiated, as far as all are seen here."""
    found: list[str] = []
    waiting = [name for name in callers if _is_passed_functions(module.functions[name])]
    while waiting:
        function = module.functions[waiting.pop()]
        if function.signature.linkage in ("internal", "private"):
            more = [f.name for f in module.definitions if f.may_hold(function.ref) and function.name in f.mentioned]
            waiting += [name for name in more if name not in found]
            found += [name for name in more if name not in found]
    return found


def _is_passed_functions(function: Function) -> bool:
    calls = [i for i in function.instructions() if hook_of(i.callee_name) is not None]
    return any(not isinstance(v, (Global, Constant)) for i in calls for v in i.arguments[place_of_function(i) :][:1])


def _reached(module: Module, names: list[str]) -> set[str]:
    """The functions and variables that these need, as far as names tell."""
    standing_for: dict[str, list[str]] = {}
    for alias, target in module.aliases.items():
        standing_for.setdefault(target, []).append(alias)
    found: set[str] = set()
    waiting = list(names)
    while waiting:
        name = waiting.pop()
        if name not in found and name in module.globals:
            found.add(name)
            waiting += _mentioned(module, name)
            waiting += standing_for.get(name, [])  # an alias is where its target is
    return found


def _mentioned(module: Module, name: str) -> list[str]:
    function = module.functions.get(name)
    if function is None:
        return global_names(module.globals[name].line)[1:]
    return [*function.mentioned, *global_names(function.header)]


def _mentioned_by_rest(module: Module, names: set[str]) -> set[str]:
    found: set[str] = set()
    for g in module.globals.values():
        if g.name not in names:
            found.update(_mentioned(module, g.name))
    return found


# -- Two modules -----------------------------------------------------------------------------------------------------


def _part(module: Module, names: set[str], shared: set[str], made: Cut) -> Module:
    for name in [name for name in module.globals if name not in names]:
        module.remove(name)
    module.preamble = [line for line in module.preamble if not line.startswith("module asm ")]
    for name in names:
        function, g = module.functions.get(name), module.globals[name]
        if function is not None and not function.is_declaration:
            if " comdat" in function.header:
                made.groups[name] = _group(function.signature.trailing.pop("comdat"), name)
            if name in shared:
                made.linkage[name] = [function.signature.linkage]
                function.signature.linkage = ""
        elif g.line:
            if " comdat" in g.line and "comdat" in g.parts.trailing:
                made.groups[name] = _group(g.parts.trailing.pop("comdat"), name)
            if name in shared and g.parts.initializer is not None:
                made.linkage[name] = list(g.parts.words)
                g.parts.words = [word for word in g.parts.words if word not in _LOCAL]
    return module


_LOCAL = frozenset({"internal", "private", "linkonce", "linkonce_odr", "weak", "weak_odr", "available_externally"})


def _group(written: str, name: str) -> str:
    return written.removeprefix("comdat").strip("()") or (f"${name}" if _is_plain(name) else f'$"{name}"')


def _is_plain(name: str) -> bool:
    return all(c.isascii() and (c.isalnum() or c in "-$._") for c in name)


def _rest(module: Module, names: set[str], shared: set[str], made: Cut) -> Module:
    groups = set(made.groups.values())
    for name in names:
        function, g = module.functions.get(name), module.globals[name]
        if name not in shared:
            module.remove(name)
        elif function is not None:
            function.become_declaration()
        elif name in module.aliases:
            _declare_alias(module, g)
        elif g.line and g.parts.initializer is not None:
            kept = [word for word in g.parts.words if word not in _LOCAL and word != "dso_local"]
            g.parts.words, g.parts.initializer = ["external", *kept], None
            g.parts.trailing.pop("comdat", None)
    for f in module.definitions:
        if " comdat" in f.header and (group := _group(f.signature.trailing.get("comdat", ""), f.name)) in groups:
            made.groups[f.name] = group
            f.signature.trailing.pop("comdat", None)
    for name in groups:
        module.comdats.pop(name, None)
    return module


def _declare_alias(module: Module, alias: Global) -> None:
    """In the rest an alias of the part is a function, or a variable, of its own."""
    target, type = module.aliases.pop(alias.name), alias.value_type
    while target in module.aliases:
        target = module.aliases[target]
    function = module.functions.get(target)
    module.remove(alias.name)
    if function is None:
        extend(module, f"{alias.ref} = external global {type}")
    else:
        given = [str(a.type) for a in function.arguments] + ["..."] * function.variadic
        extend(module, f"declare {function.result} {alias.ref}({', '.join(given)})")


def _restore_function(function: Function, name: str, made: Cut) -> None:
    if name in made.linkage:
        function.signature.linkage = made.linkage[name][0]
    if name in made.groups and function.signature.linkage != "internal":
        function.signature.trailing["comdat"] = f"comdat({made.groups[name]})"


def _restore_variable(g: Global, name: str, made: Cut) -> None:
    if name in made.linkage:
        g.parts.words = list(made.linkage[name])
    if name in made.groups and "internal" not in g.parts.words:
        g.parts.trailing["comdat"] = f"comdat({made.groups[name]})"
