"""What can be called: functions of the program, and those built in."""

from __future__ import annotations

import inspect
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from gradir.errors import nearest
from gradir.frontends.sheaf.forms import Form, Keyword
from gradir.frontends.sheaf.scope import Scope
from gradir.frontends.sheaf.source import Place, SheafError
from gradir.frontends.sheaf.values import Key, Value

__all__ = ["BUILTINS", "Builtin", "Closure", "Function", "Runs", "builtin", "split"]


class Function(ABC):
    """A value that can be called."""

    name: str
    keywords: Sequence[str] = ()
    """The names of parameters that may be given by keyword."""

    @abstractmethod
    def __call__(self, *arguments: Value, **keywords: Value) -> Value: ...


class Runs(Protocol):
    """What runs the functions of a program: an `Evaluator`, as far as they and the built-in functions know it."""

    value_and_grad: Callable[..., Any]
    stages: int
    guards_left: bool
    watches: bool

    def apply(self, function: Closure, arguments: Sequence[Value], keywords: Mapping[str, Value]) -> Value: ...

    def staged(self, function: Callable[..., Value]) -> Callable[..., Value]: ...

    def replayed(self, function: Callable[[], Value], watch: bool = False) -> Value: ...


@dataclass(eq=False)
class Builtin(Function):
    """A function that is written in Python."""

    name: str
    function: Callable[..., Value]
    is_pure: bool = True
    keywords: Sequence[str] = field(init=False)

    def __post_init__(self) -> None:
        parameters = inspect.signature(self.function).parameters.values()
        self.keywords = tuple(p.name.replace("_", "-") for p in parameters if p.kind is p.KEYWORD_ONLY)
        places = [p for p in parameters if p.kind is p.POSITIONAL_ONLY]
        self.least = sum(p.default is p.empty for p in places)
        self.most = None if any(p.kind is p.VAR_POSITIONAL for p in parameters) else len(places)

    def __call__(self, *arguments: Value, **keywords: Value) -> Value:
        if len(arguments) < self.least or (self.most is not None and len(arguments) > self.most):
            stray = [a for a in arguments if isinstance(a, Key)]
            hint = nearest(stray[0], self.keywords, form=":{}", cutoff=0.5) if stray else None
            raise SheafError(f"{self.name} takes {self._count()}, not {len(arguments)}", hint=hint)
        return self.function(*arguments, **{k.replace("-", "_"): v for k, v in keywords.items()})

    def _count(self) -> str:
        if self.most is None:
            return f"{self.least} arguments or more"
        if self.most != self.least:
            return f"{self.least} to {self.most} arguments"
        return f"{self.least} argument{'s' * (self.least != 1)}"


@dataclass(eq=False)
class Closure(Function):
    """A function of the program, with the names it sees."""

    name: str
    parameters: Sequence[Form]
    """Names, or what takes an argument to pieces."""
    rest: str | None
    body: Sequence[Form]
    scope: Scope
    evaluator: Runs
    place: Place
    keywords: Sequence[str] = ()
    is_global: bool = False

    def __call__(self, *arguments: Value, **keywords: Value) -> Value:
        return self.evaluator.apply(self, arguments, keywords)


BUILTINS: dict[str, Builtin] = {}


def builtin(*names: str, pure: bool = True) -> Callable[[Callable[..., Value]], Callable[..., Value]]:
    """Make a Python function known under some names. Its positional-only parameters are arguments, and its keyword-only
    ones are keyword arguments."""

    def add(function: Callable[..., Value]) -> Callable[..., Value]:
        for name in names:
            assert name not in BUILTINS, f"two functions are called {name}"
            BUILTINS[name] = Builtin(name, function, pure)
        return function

    return add


def split(function: Value, given: Sequence[tuple[Form, Value]]) -> tuple[list[Value], dict[str, Value]]:
    """The positional and the keyword arguments of a call.

    A keyword that names a parameter is a keyword argument, with what follows it, or true if nothing or another keyword
    argument follows. Any other keyword is a value.
    """
    known = getattr(function, "keywords", ())
    names = [f.name if isinstance(f, Keyword) and f.name in known else None for f, _ in given]
    positional: list[Value] = []
    keywords: dict[str, Any] = {}
    i = 0
    while i < len(given):
        name = names[i]
        if name is None:
            positional.append(given[i][1])
        else:
            follows = i + 1 < len(given) and names[i + 1] is None
            if name in keywords:
                raise SheafError(f"the keyword argument :{name} is given twice", given[i][0].place)
            keywords[name] = given[i + 1][1] if follows else True
            i += follows
        i += 1
    return positional, keywords
