"""A module of LLVM: its functions and variables, types, metadata and attribute groups."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property

from gradir.machine.ir.attributes import Attributes
from gradir.machine.ir.metadata import Metadata
from gradir.machine.ir.model import Function, Global, Instruction
from gradir.machine.ir.text.printer import print_function, print_global, print_group
from gradir.machine.ir.text.tokens import global_names
from gradir.machine.ir.text.typetext import Types

__all__ = ["TYPED", "Module"]

TYPED = "!gradir.typed"
"""The metadata of modules in a language whose types can't be got around."""


@dataclass
class Module:
    """A module: what LLVM printed of it, and what passes made of that. `str()` is text for LLVM."""

    types: Types
    globals: dict[str, Global] = field(default_factory=dict)
    """Variables, aliases and functions as values."""
    functions: dict[str, Function] = field(default_factory=dict)
    metadata: dict[str, str] = field(default_factory=dict)
    """Numbered and named nodes: `"!12"` to its text."""
    groups: dict[str, Attributes] = field(default_factory=dict)
    """Attribute groups: `"#0"` to what it says."""
    aliases: dict[str, str] = field(default_factory=dict)
    """Names of aliases to the names of the functions or globals that they stand for."""
    exceptions: Global = field(default_factory=lambda: Global("@gradir.exceptions"))
    """Stands for the memory of all objects that are thrown, which no name of the program does."""
    preamble: list[str] = field(default_factory=list)
    """The lines that name the source, the target and its layout, and assembly of the module."""
    comdats: dict[str, str] = field(default_factory=dict)
    """Groups that a linker keeps one of: `"$name"` to its kind."""

    def remove(self, name: str) -> None:
        """Take a function or a variable away that nothing uses any more."""
        self.functions.pop(name, None)
        del self.globals[name]

    def add_node(self, text: str) -> str:
        """A new node of metadata, which may name itself as {0}: its name."""
        name = f"!{1 + max((int(n[1:]) for n in self.metadata if n[1:].isdigit()), default=-1)}"
        self.metadata[name] = text.replace("{0}", name)
        return name

    @property
    def is_typed(self) -> bool:
        """Whether what is read in it as one type was written as that, and lies where such lie."""
        return TYPED in self.metadata

    @property
    def definitions(self) -> list[Function]:
        """The functions that have a body."""
        return [f for f in self.functions.values() if not f.is_declaration]

    @property
    def triple(self) -> str:
        """The target that it says it is for; nothing if it says none."""
        return next((line.split('"')[1] for line in self.preamble if line.startswith("target triple = ")), "")

    def functions_saying(self, word: str) -> list[Function]:
        """The functions whose attributes or metadata contain a word, found without reading the others."""
        groups = {f"{name} " for name, said in self.groups.items() if said.mentions(word)}
        return [f for f in self.functions.values() if f.says(word, groups)]

    @property
    def variables(self) -> Iterator[Global]:
        """Variables and aliases that the module defines or declares."""
        return (g for g in self.globals.values() if g.line)

    @cached_property
    def used_by_pointer(self) -> list[Global]:
        """The variables that functions use whose address is taken, themselves or by what they call: what is called by a
        pointer may be any of these functions."""
        taken = {n for g in self.variables for n in global_names(g.line)[1:]}
        taken.update(n for f in self.definitions for n in f.taken)
        waiting, seen = [n for n in taken if n in self.functions], set[str]()
        found: dict[str, Global] = {}
        while waiting:
            name = waiting.pop()
            if name in seen:
                continue
            seen.add(name)
            for mentioned in self.functions[name].mentioned:
                used = self.aliases.get(mentioned, mentioned)
                if used in self.functions:
                    waiting.append(used)
                elif used in self.globals and not self.globals[used].constant:
                    found[used] = self.globals[used]
        return list(found.values())

    def __str__(self) -> str:
        return "\n".join(self._lines()) + "\n"

    def _lines(self) -> Iterator[str]:
        yield from self.preamble
        yield from (f"{name} = type {body}" for name, body in self.types.lines.items())
        yield from (f"{name} = comdat {kind}" for name, kind in self.comdats.items())
        yield from map(print_global, self.variables)
        yield from map(print_function, self.functions.values())
        yield from (f"attributes {name} = {{ {print_group(said)} }}" for name, said in self.groups.items())
        yield from (f"{name} = {node}" for name, node in self.metadata.items())

    @cached_property
    def nodes(self) -> Metadata:
        """Its metadata, read as far as it is asked for."""
        return Metadata(self.metadata)

    def location(self, instruction: Instruction) -> str | None:
        """Where in the source an instruction comes from, as `file:line:column`, if debug information tells."""
        return self.source_location(instruction.metadata.get("dbg"))

    def source_location(self, node: str | None) -> str | None:
        scope = self.nodes.node(node)
        line = scope.number("line") if scope is not None else None
        if scope is None or line is None:
            return None
        column = scope.number("column")
        for _ in range(64):  # from scope to scope until one names a file
            if (file := scope.node("file")) is not None:
                return f"{file.string('filename') or '?'}:{line}" + (f":{column}" if column is not None else "")
            scope = scope.node("scope")
            if scope is None:
                return None
        return None
