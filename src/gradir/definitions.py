"""What a Sheaf or a Python file defines: functions of named arguments, and values."""

from __future__ import annotations

import inspect
import runpy
import traceback
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import jax

from gradir.errors import InputError
from gradir.frontends.sheaf import Program, SheafError
from gradir.frontends.sheaf.forms import Symbol
from gradir.frontends.sheaf.functions import Closure
from gradir.frontends.sheaf.program import read_source

__all__ = ["Definitions", "leaf_names", "read_definitions", "sheaf_parameters"]


@dataclass(frozen=True)
class Definitions:
    """What a file defines, by name."""

    path: Path
    text: bytes
    get: Callable[[str], Any]
    names: Callable[[Any], list[str]]
    """The names of a function's arguments."""
    functions: tuple[str, ...]
    """The functions of the file's own."""
    replay: Callable[[str], Callable[..., None]] | None = None
    """A function that runs one of the program op by op, and raises at the first that makes NaN."""


def read_definitions(path: Path) -> Definitions:
    """Read a `.shf` or a `.py` file."""
    if not path.is_file():
        raise InputError("no such file", location=str(path))
    return sheaf_definitions(path) if path.suffix == ".shf" else python_definitions(path)


def sheaf_parameters(function: Any, path: Path) -> list[str]:
    """The names of a Sheaf function's arguments, each of which must have one."""
    if not isinstance(function, Closure) or function.rest is not None:
        name = getattr(function, "name", None) or "it"
        raise InputError(f"{name} is no function with a fixed number of arguments", location=str(path))
    for p in function.parameters:
        if not isinstance(p, Symbol):
            raise SheafError(f"the arguments of {function.name} have names", p.place)
    return [p.name for p in function.parameters if isinstance(p, Symbol)]


def leaf_names(tree: Any) -> list[list[str]]:
    """The way to each leaf of a tree, as words."""
    paths, _ = jax.tree_util.tree_flatten_with_path(tree)
    return [[str(getattr(k, "key", getattr(k, "idx", k))) for k in path] for path, _ in paths]


def sheaf_definitions(path: Path) -> Definitions:
    source = read_source(path)
    program = Program(source.text, name=str(path), folder=path.parent, compiles=False)
    known = program.evaluator.globals

    def replay(name: str) -> Callable[..., None]:
        def run(*arguments: Any) -> None:
            program.evaluator.replayed(lambda: known[name](*arguments), watch=True)

        return run

    return Definitions(
        path,
        source.text.encode(),
        known.get,
        lambda function: sheaf_parameters(function, path),
        tuple(program.functions),
        replay,
    )


def python_definitions(path: Path) -> Definitions:
    try:
        known = runpy.run_path(str(path), run_name=path.stem)
    except Exception as error:
        lines = [f.lineno for f in traceback.extract_tb(error.__traceback__) if f.filename == str(path)]
        where, reason = f"{path}:{lines[-1]}" if lines else str(path), str(error)
        if isinstance(error, SyntaxError) and error.filename == str(path):
            where, reason = f"{path}:{error.lineno}:{error.offset}", error.msg
        raise InputError(f"can't run it: {type(error).__name__}: {reason}", location=where) from error

    def names(function: Any) -> list[str]:
        return [p.name for p in inspect.signature(function).parameters.values() if p.default is p.empty]

    own = tuple(n for n, f in known.items() if callable(f) and getattr(f, "__module__", None) == path.stem)
    return Definitions(path, path.read_bytes(), known.get, names, own)
