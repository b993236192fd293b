"""Imports point one way: between rooms, between the floors of a level, and never in a circle within the tensor level.

An import inside a function, or one for a type checker only, counts like one at the top of a file.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

import gradir

ROOT = Path(gradir.__file__).parent

ROOMS = {
    "errors": set(),
    "request": set(),
    "policy": {"errors"},
    "network": set(),
    "version": set(),
    "coloring": set(),
    "files": {"errors"},
    "jax_internals": set(),
    "tensor": {"errors", "policy", "request", "network"},
    "machine": {"errors", "policy", "request", "network", "files", "version"},
    "backends": {"errors", "request", "files", "jax_internals", "tensor", "machine"},
    "frontends": {"errors", "request", "files", "tensor", "machine", "backends", "jax"},
    "formula": {"errors", "tensor"},
}
"""The rooms that each may import beside itself. What is not listed here stands on top."""

FLOORS = {
    "tensor": ("ir", "analysis", "rules", "transform", "optimize", "enzyme"),
    "machine": ("ir", "rules", "analysis", "passes", "transform", "enzyme", "jit"),
}
"""From the ground up: a floor imports itself and those before it."""


@cache
def modules() -> dict[str, Path]:
    named = {}
    for path in sorted(ROOT.rglob("*.py")):
        parts = path.relative_to(ROOT).with_suffix("").parts
        named[".".join(("gradir", *parts)).removesuffix(".__init__")] = path
    return named


def imports(module: str) -> Iterator[tuple[int, str]]:
    """The modules of gradir that a module imports anywhere in its text, each with its line."""
    path = modules()[module]
    package = module if path.name == "__init__.py" else module.rpartition(".")[0]
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            names = [a.name for a in node.names]
        elif isinstance(node, ast.ImportFrom):
            base = node.module or ""
            if node.level:
                parts = package.split(".")
                base = ".".join([*parts[: len(parts) - node.level + 1], *([base] if base else [])])
            names = [f"{base}.{a.name}" for a in node.names]
        else:
            continue
        for name in names:
            while name and name not in modules():  # a thing of a module, or a module
                name = name.rpartition(".")[0]
            if name and name != module:
                yield node.lineno, name


def place(module: str) -> tuple[str, str]:
    """The room of a module, and its floor."""
    _, room, floor, *_ = [*module.split("."), "", ""]
    return room, floor


@pytest.mark.parametrize("room", ROOMS)
def test_rooms(room: str) -> None:
    wrong = [
        f"{module}:{line}: {name}"
        for module in modules()
        if place(module)[0] == room
        for line, name in imports(module)
        if place(name)[0] not in {room, *ROOMS[room]}
    ]
    assert not wrong


@pytest.mark.parametrize("level", FLOORS)
def test_floors(level: str) -> None:
    floors = FLOORS[level]
    folders = {p.name for p in (ROOT / level).iterdir() if (p / "__init__.py").exists()}
    assert folders == set(floors), "a folder is a floor, and has its place among the others"
    wrong = []
    for module in modules():
        room, floor = place(module)
        if room == level and floor in floors:
            for line, name in imports(module):
                theirs = place(name)
                if theirs[0] == level and theirs[1] in floors and floors.index(theirs[1]) > floors.index(floor):
                    wrong.append(f"{module}:{line}: {floor} reaches up to {name}")
    assert not wrong


def test_one_file_knows_the_inside_of_jax() -> None:
    knowing = {module for module, path in modules().items() if "jax._src" in path.read_text()}
    assert knowing == {"gradir.jax_internals"}


@pytest.mark.parametrize("floor", ["passes", "transform", "enzyme"])
def test_no_regular_expression_edits_llvm_ir(floor: str) -> None:
    """Only the reader and tables of names may have some."""
    inside = [path for module, path in modules().items() if module.startswith(f"gradir.machine.{floor}.")]
    assert inside
    for path in inside:
        nodes = list(ast.walk(ast.parse(path.read_text())))
        named = {a.name for node in nodes if isinstance(node, ast.Import) for a in node.names}
        named |= {node.module for node in nodes if isinstance(node, ast.ImportFrom) and node.module}
        assert "re" not in named, path


def test_the_tensor_level_has_no_file_beside_its_floors() -> None:
    assert [p.name for p in (ROOT / "tensor").glob("*.py")] == ["__init__.py"]


def knots(graph: dict[str, set[str]]) -> list[list[str]]:
    """The groups of modules that reach each other."""
    reach: dict[str, set[str]] = {}
    for module in graph:
        seen: set[str] = set()
        todo = list(graph[module])
        while todo:
            name = todo.pop()
            if name not in seen:
                seen.add(name)
                todo += graph.get(name, ())
        reach[module] = seen
    found = {tuple(sorted(m for m in graph if m in reach[n] and n in reach[m])) for n in graph if n in reach[n]}
    return sorted(map(list, found))


def test_knots_are_found() -> None:
    assert knots({"a": {"b"}, "b": {"a"}, "c": {"a"}, "d": set()}) == [["a", "b"]]


ACYCLIC = ["tensor", "machine.ir", "jax", "backends", "frontends.sheaf", "formula", "expressions"]


@pytest.mark.parametrize("place", [f"gradir.{name}" for name in ACYCLIC])
def test_no_cycle(place: str) -> None:
    graph = {
        module: {name for _, name in imports(module) if name.startswith(f"{place}.")}
        for module in modules()
        if module.startswith(f"{place}.")
    }
    # A package's own file gathers its modules; that a module lies in a package is no import of that file.
    assert not knots(graph)
