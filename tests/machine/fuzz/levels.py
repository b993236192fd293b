"""A module at the levels that compilers have, made from what a compiler hands to its optimiser."""

from __future__ import annotations

import re
from collections.abc import Collection

from gradir.machine import llvm

__all__ = ["LEVELS", "Levels", "at_level"]

LEVELS = ("O0", "O1", "O2", "O3", "front")
"""`front` is what is handed to the optimiser, as gradir's own front end takes it."""

_TYPED = re.compile(r", !tbaa(?:\.struct)? !\d+|^ *call void @llvm\.lifetime\..*\n", re.MULTILINE)
_ANY_CPU = llvm.Target(cpu="x86-64")


class Levels:
    """A module of several functions, from which one is had at any level."""

    def __init__(self, text: str, names: Collection[str]) -> None:
        self.names = frozenset(names)
        self.typed = llvm.parse(text)
        # As compilers write it where they don't optimise: nothing is said of types, and of how long variables live.
        self.untyped = llvm.parse(_TYPED.sub("", text))

    def choose(self, name: str) -> None:
        """Leave one of the functions, and what it needs."""
        for module in (self.typed, self.untyped):
            llvm.hide(module, self.names - {name})
            llvm.drop_unused(module)

    def at(self, level: str) -> llvm.Module:
        return at_level(llvm.clone(self.untyped if level == "O0" else self.typed), level)


def at_level(module: llvm.Module, level: str) -> llvm.Module:
    """The module as LLVM's pipeline for a level leaves it, in place: the highest with all that this CPU can do."""
    if level in ("O0", "front"):
        return module
    return llvm.optimise(module, level=int(level[1:]), target=llvm.HOST if level == "O3" else _ANY_CPU)
