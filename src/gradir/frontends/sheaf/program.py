"""A Sheaf program: its functions, to call or to lower."""

from __future__ import annotations

from collections.abc import Callable
from importlib import resources
from pathlib import Path
from typing import Any

import gradir.frontends.sheaf.builtins
import gradir.frontends.sheaf.special  # both make themselves known
import gradir.jax
from gradir.frontends.sheaf.evaluator import Evaluator
from gradir.frontends.sheaf.functions import Closure
from gradir.frontends.sheaf.source import Place, SheafError, Source
from gradir.frontends.sheaf.values import Value

__all__ = ["Program", "read_source"]

PRELOADED = ("macros", "nn", "optim")
"""The modules of the library, which need no `use`."""


def read_source(path: Path) -> Source:
    try:
        return Source(str(path), path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError) as error:
        raise SheafError(f"can't read {path}: {getattr(error, 'strerror', None) or error}") from None


class Program:
    """A program with its library. Functions are called by name; `-` may be written `_`.

    >>> p = Program("(defn twice [x] (* 2 x))")
    >>> p.twice(4)
    8
    """

    def __init__(
        self,
        text: str = "",
        *,
        name: str = "<text>",
        folder: Path | None = None,
        value_and_grad: Callable[..., Any] = gradir.jax.value_and_grad,
        compiles: bool = True,
    ) -> None:
        self.evaluator = Evaluator(value_and_grad, compiles)
        self.evaluator.find_module = self._module
        self.folder = folder or Path()
        for module in PRELOADED:
            self.evaluator.loaded.add(module)
            self.evaluator.run(_library(module))
        self.own: set[str] = set()
        self.run(text, name)

    def run(self, text: str, name: str = "<text>") -> Value:
        """Evaluate more forms; gives the value of the last."""
        before = set(self.evaluator.globals)
        try:
            return self.evaluator.run(Source(name, text))
        finally:
            self.own |= set(self.evaluator.globals) - before

    @property
    def functions(self) -> dict[str, Closure]:
        """The functions that the program itself defines."""
        found = self.evaluator.globals
        return {name: found[name] for name in sorted(self.own) if isinstance(found[name], Closure)}

    def __getitem__(self, name: str) -> Value:
        for known in (name, name.replace("_", "-")):
            if known in self.evaluator.globals:
                return self.evaluator.globals[known]
        names = ", ".join(self.functions) or "none"
        raise SheafError(f"the program has no '{name}'", hint=f"its functions are {names}")

    def __getattr__(self, name: str) -> Value:
        if name.startswith("_"):
            raise AttributeError(name)
        try:
            return self[name]
        except SheafError as error:
            raise AttributeError(str(error)) from None

    def _module(self, name: str, place: Place) -> Source | None:
        here = Path(place.source.name).parent
        for folder in (here, self.folder, Path()):
            for path in (folder / name, folder / f"{name}.shf"):
                if path.is_file():
                    return read_source(path)
        return None


def _library(name: str) -> Source:
    file = resources.files("gradir.frontends.sheaf") / "library" / f"{name}.shf"
    return Source(f"<library>/{name}.shf", file.read_text(encoding="utf-8"))
