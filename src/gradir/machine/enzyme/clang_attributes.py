"""Enzyme's attributes in C and C++: `__attribute__((enzyme_inactive))` and `enzyme_function_like("log")`.

They are those of a plugin of clang. Without it clang warns and goes on, and nothing is left of them; so they are
defined as annotations (`FLAGS`), which become the attributes of LLVM's functions that the plugin makes.
"""

from __future__ import annotations

from collections.abc import Iterator

from gradir.errors import RequestError
from gradir.machine import llvm
from gradir.machine.ir import Module
from gradir.machine.ir.constants import read_constant
from gradir.machine.ir.text.reader import extend, read
from gradir.machine.ir.text.tokens import global_names
from gradir.machine.rules.registry import registration

__all__ = ["FLAGS", "with_attributes"]

FLAGS = (
    '-Denzyme_inactive=annotate("enzyme_inactive")',
    '-Denzyme_shouldrecompute=annotate("enzyme_shouldrecompute")',
    '-Denzyme_function_like(name)=annotate("enzyme_function_like=" name)',
)
_ANNOTATIONS = "llvm.global.annotations"


def with_attributes(module: llvm.Module) -> llvm.Module:
    """The module with the attributes that its annotations stand for."""
    if all(g.name != _ANNOTATIONS for g in module.global_variables):
        return module
    found = read(str(module))
    for name, said in list(_said(found)):
        key, _, value = said.partition("=")
        function = found.functions.get(name)
        if function is not None:
            function.attributes.add(f'"{key}"="{value}"' if value else f'"{key}"')
        elif key == "enzyme_inactive":
            extend(found, registration("inactive_global", [name], -1 - len(found.globals)))
        else:
            raise RequestError(f"{key} is said of {name}, which is no function")
    return llvm.parse(str(found))


def _said(module: Module) -> Iterator[tuple[str, str]]:
    """Of functions and variables: what Enzyme's annotations say."""
    annotations = module.globals[_ANNOTATIONS]
    for entry in read_constant(annotations.value_type, annotations.initializer or "", module.types).parts:
        of, text = (global_names(part.text)[0] for part in entry.parts[:2])
        target = module.globals[text]
        held = read_constant(target.value_type, target.initializer or "").string
        if held is not None and held.startswith("enzyme_"):
            yield of, held
