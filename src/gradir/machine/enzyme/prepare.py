"""Shields a module from LLVM's passes while Enzyme's calls are still in it, and takes the shields away afterwards.

Passes may not learn what a marker holds, merge two of Enzyme's calls, inline a function with a rule of its own, or look
through its body, or hand on what was stored in an inactive variable instead of reading it.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field

from gradir.machine.enzyme.adapter import reference
from gradir.machine.enzyme.names import Hook, hook_of, is_annotation, marker_named
from gradir.machine.ir import Constant, Function, Global, Instruction, Module, Value, Variable
from gradir.machine.ir.text.reader import extend
from gradir.machine.llvm import HOST, Target
from gradir.machine.rules.registry import Registry

__all__ = ["Shields", "target_of"]

_ADDED = "__enzyme_register_gradir."


@dataclass
class Shields:
    """What was changed in a module, so that it can be changed back when LLVM has printed it again."""

    markers: dict[str, Variable] = field(default_factory=dict)
    """What a marker is in the end, by its name."""
    linkage: dict[str, str] = field(default_factory=dict)
    """The linkage of a function, by its name."""
    opaque: frozenset[str] = frozenset()
    """Functions that are not to be looked into besides those that the module itself says so of."""

    def raise_in(self, module: Module) -> None:
        """Prepare a module for passes."""
        rules = Registry.of(module)
        for g in list(module.variables):
            if marker_named(g.name) is not None and g.parts.kind != "alias":
                self._hide_value(g)
        self._hide_bodies(module, rules.rules() | self.opaque)
        for function in module.functions.values():
            if function.is_declaration and hook_of(function.name) is not None:
                function.attributes.add("nomerge nounwind" if hook_of(function.name) is Hook.todense else "nomerge")
            elif function.is_declaration and is_annotation(function.name):
                function.attributes.add('nomerge "enzyme_inactive"')
        _add_globals_of_metadata(module, rules)
        for function in module.definitions:
            if not rules.inactive_globals.isdisjoint(function.mentioned):
                _pin(function, rules.inactive_globals)

    def lower_in(self, module: Module) -> None:
        """Give functions back the linkage that they had."""
        for name, linkage in self.linkage.items():
            if (function := module.functions.get(name)) is not None and not function.is_declaration:
                function.signature.linkage = linkage

    def settle(self, module: Module) -> None:
        """Take away all that was only for differentiating. Markers that nobody defined need no definition elsewhere."""
        for function in module.definitions:
            if function.may_hold("__enzyme_"):
                for i in list(function.instructions()):
                    if i.opcode == "call" and i.type.kind == "void" and is_annotation(i.callee_name or ""):
                        i.erase()
        for name in [g.name for g in module.variables if g.name.startswith(_ADDED)]:
            module.remove(name)
        for name, said in self.markers.items():
            if name in module.globals:
                module.globals[name].parts = said

    def _hide_value(self, g: Global) -> None:
        said = g.parts
        if said.initializer is None:
            self.markers.setdefault(g.name, Variable(["internal"], "global", said.type, "zeroinitializer"))
        else:
            said.metadata = {}  # nodes have other numbers when it comes back
            self.markers.setdefault(g.name, said)
        g.parts = Variable(["external"], "global", said.type)

    def _hide_bodies(self, module: Module, names: Collection[str]) -> None:
        """LLVM assumes nothing of the body of a weak function, since another may take its place."""
        for name in sorted(names):
            if (function := module.functions.get(name)) is not None and not function.is_declaration:
                self.linkage.setdefault(name, function.signature.linkage)
                function.signature.linkage = "weak"


def _pin(function: Function, inactive: Collection[str]) -> None:
    """Have the program read what it has stored in an inactive variable: what was stored has a derivative."""
    accesses = (i for i in function.instructions() if i.opcode in ("load", "store") and "volatile" not in i.flags)
    for i in accesses:
        if not _variables(i.pointer).isdisjoint(inactive):
            i.flags |= {"volatile"}
            i.pieces[0] = i.pieces[0].replace(i.opcode, f"{i.opcode} volatile", 1)


def _variables(pointer: Value) -> set[str]:
    """The variables that an address is in, as far as it says so itself."""
    while isinstance(pointer, Instruction) and pointer.opcode == "getelementptr":
        pointer = pointer.pointer
    if isinstance(pointer, Constant):
        return set(pointer.globals)
    return {pointer.name} if isinstance(pointer, Global) else set()


def _add_globals_of_metadata(module: Module, rules: Registry) -> None:
    """Rules that are metadata, as globals: what only metadata mentions would be removed as dead."""
    by_metadata = {f.name for f in module.functions_saying("enzyme_gradient") if "enzyme_gradient" in f.metadata}
    for i, name in enumerate(sorted(by_metadata & set(rules.gradients))):
        rule = rules.gradients[name]
        entries = ", ".join(f"ptr {reference(n)}" for n in (name, rule.augmented, rule.reverse))
        extend(module, f"@{_ADDED}{i} = global [3 x ptr] [{entries}]")


def target_of(module: Module) -> tuple[Target, str]:
    """The machine that a module was compiled for, and the attributes that say so."""
    groups = (said for said in module.groups.values() if said.mentions("target-cpu"))
    said = next(groups, None) or next((f.attributes for f in module.functions_saying("target-cpu")), None)
    cpu = said.value("target-cpu") if said is not None else None
    if said is None or cpu is None:
        return HOST, ""
    features = said.value("target-features")
    known = ",".join(f for f in (features or "").split(",") if not _is_gone(f))
    attributes = f'"target-cpu"="{cpu}"' + (f' "target-features"="{features}"' if features is not None else "")
    return Target(module.triple, cpu, known), attributes


def _is_gone(feature: str) -> bool:
    """Whether older clangs name a feature that LLVM has dropped."""
    name = feature[1:]
    return name == "evex512" or (name.startswith("avx10.") and "-" in name)
