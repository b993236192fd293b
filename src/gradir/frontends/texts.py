"""Strings of C++ in code that nothing was inlined into yet: said to be worked on by their members alone."""

from __future__ import annotations

from collections.abc import Sequence

from gradir.machine.ir.text.reader import read
from gradir.machine.llvm import Module, parse
from gradir.machine.passes.languages import texts
from gradir.machine.rules.texts import OPAQUE, is_member

__all__ = ["closed", "closed_if_plain", "opened_where_mixed"]


def closed(module: Module) -> Module:
    """A module as a front end has written it."""
    if not _has_members(module):
        return module
    marked = read(str(module))
    texts.mark(marked)
    return parse(str(marked))


def closed_if_plain(module: Module) -> Module:
    """A module that may come from anywhere, if what works on strings is as it was written: compiled without
    optimisation."""
    if not _has_members(module):
        return module
    marked = read(str(module))
    if not all(f.has("optnone") for f in marked.definitions if is_member(f.name) or any(map(is_member, f.mentioned))):
        return module
    texts.mark(marked)
    return parse(str(marked))


def opened_where_mixed(modules: Sequence[Module]) -> list[Module]:
    """Modules that are to be linked: one in which members were inlined works on the strings of the others, too."""
    marked = [OPAQUE in str(m) for m in modules]
    if not any(marked) or all(is_marked or not _has_members(m) for m, is_marked in zip(modules, marked, strict=True)):
        return list(modules)
    return [_opened(m) if is_marked else m for m, is_marked in zip(modules, marked, strict=True)]


def _opened(module: Module) -> Module:
    opened = read(str(module))
    texts.leave_open(opened)
    return parse(str(opened))


def _has_members(module: Module) -> bool:
    return any(is_member(f.name) for f in module.functions)
