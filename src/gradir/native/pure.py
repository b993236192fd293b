"""A native function as one of values: what it writes comes back as a result, and nothing that it is given changes.

This is how NumPy's users, SciPy's solvers, PyTorch, JAX and TensorFlow want to call a C function that fills an array.
"""

from __future__ import annotations

import inspect
import math
from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any

import numpy as np

from gradir.errors import InputError, RequestError
from gradir.machine.jit.arguments import NDArray
from gradir.machine.jit.signature import Argument, Array, Descriptor, Pointer, Scalar, View
from gradir.native.function import NativeFunction, Wrt, several

__all__ = ["Pure", "Shaped"]

Rule = Any
"""What an argument is that the caller leaves out: a value (of an array that is written: its shape), the name of the
argument whose shape it has, or a function of the other arguments, taken by name, that gives one of these. Such a
function sees of arrays what stays the same from call to call: `Shaped`."""


class Shaped:
    """An array of which the shape alone is known: `shape`, `ndim`, `size` and `len`."""

    __slots__ = ("shape",)

    def __init__(self, shape: tuple[int, ...]) -> None:
        self.shape = shape

    @property
    def ndim(self) -> int:
        return len(self.shape)

    @property
    def size(self) -> int:
        return math.prod(self.shape)

    def __len__(self) -> int:
        if not self.shape:
            raise InputError("an array without dimensions has no length", hint="len(x) is asked for; x.size is 1")
        return self.shape[0]


class Pure:
    """A native function of values to values.

    `given` says what arguments are that the caller leaves out: for a number its value, for an array that the function
    writes its shape (which begins as zeros), by itself or as a function of other arguments. An array that the function
    writes and that the caller gives is copied first. Results are what the function returns, and the arrays that it
    writes (or those of them that are named by `outputs`).
    """

    def __init__(self, function: NativeFunction, given: Mapping[str, Rule], outputs: Wrt = None) -> None:
        self.function = function
        self.rules = {function.index(name): rule for name, rule in given.items()}
        arguments, roles = function.arguments, function.roles
        self.inputs = tuple(i for i in range(len(arguments)) if i not in self.rules)
        """The arguments that the caller gives."""
        self.written = tuple(i for i, role in enumerate(roles) if role.is_memory and role.writes)
        self.fresh = tuple(i for i in self.written if i in self.rules)
        """Arrays that are made for each call."""
        self.outputs = self.written if outputs is None else self._chosen(outputs)
        for i, rule in self.rules.items():
            for name in _parameters(rule) if callable(rule) else ():
                if function.index(name) not in self.inputs:
                    what = f"'{arguments[i].name}' is computed from '{name}', which the caller doesn't give"
                    raise RequestError(f"{function.name}: {what}")

    def _chosen(self, outputs: Wrt) -> tuple[int, ...]:
        chosen = tuple(self.function.index(o) for o in several(outputs))
        for i in chosen:
            if i not in self.written:
                raise RequestError(f"{self.function.name} writes nothing into '{self.function.arguments[i].name}'")
        return chosen

    @cached_property
    def names(self) -> tuple[str, ...]:
        """What the caller gives, by name."""
        return tuple(self.function.arguments[i].name for i in self.inputs)

    # -- Arguments

    def resolved(self, values: Sequence[Any]) -> dict[int, Any]:
        """For each argument that is left out its value, or its shape, at the caller's values."""
        by_index = dict(zip(self.inputs, values, strict=True))
        found = {}
        for i, rule in self.rules.items():
            value = rule(*self.named(rule, by_index)) if callable(rule) else rule
            found[i] = self._shape(i, value, by_index) if i in self.fresh else value
        return found

    def named(self, rule: Any, values: Mapping[int, Any]) -> list[Any]:
        """What a function of arguments is called with."""
        return [_seen(values[self.function.index(name)]) for name in _parameters(rule)]

    def _shape(self, i: int, rule: Rule, values: Mapping[int, Any]) -> tuple[int, ...]:
        if isinstance(rule, str):
            like = self.function.index(rule)
            if like not in values:
                raise RequestError(
                    f"{self.function.name}: '{self.function.arguments[i].name}' has the shape of '{rule}', "
                    "which the caller doesn't give"
                )
            return tuple(_seen(values[like]).shape) if hasattr(values[like], "shape") else np.shape(values[like])
        if isinstance(rule, (int, np.integer)):
            return (int(rule),)
        if isinstance(rule, (tuple, list)) and all(isinstance(n, (int, np.integer)) for n in rule):
            return tuple(int(n) for n in rule)
        raise RequestError(
            f"{self.function.name}: the function writes '{self.function.arguments[i].name}', and {rule!r} is no shape",
            hint="give its shape, the name of an argument of the same shape, or a function that computes it",
        )

    def arguments(self, values: Sequence[Any]) -> list[Any]:
        """All arguments of the native function, of its own to be written."""
        given = dict(zip(self.inputs, values, strict=True))
        for i, found in self.resolved(values).items():
            given[i] = self.zeros(i, found) if i in self.fresh else found
        for i in self.written:
            if i not in self.fresh and given[i] is not None:
                given[i] = np.array(given[i], order="K")
        return [given[i] for i in range(len(self.function.arguments))]

    def zeros(self, i: int, shape: tuple[int, ...]) -> NDArray:
        return np.zeros(shape, self.dtype(i), order="F" if is_fortran(self.function.arguments[i]) else "C")

    def dtype(self, i: int) -> np.dtype[Any]:
        """Of which type an array for an argument is."""
        argument = self.function.arguments[i]
        element = element_of(argument)
        if element is None or element.dtype is None:
            raise RequestError(
                f"{self.function.name}: an array of {argument.type} can't be made", hint="let the caller give it"
            )
        return element.dtype

    def results(self, arguments: Sequence[Any]) -> list[Any]:
        """Of a call with all arguments: what the function returns, and what it wrote."""
        result = self.function(*arguments)
        return [*([] if result is None else [result]), *(arguments[i] for i in self.outputs)]


def element_of(argument: Argument) -> Scalar | None:
    """The numbers that an argument's memory holds, or the number that it is."""
    kind: Any = argument.type
    while isinstance(kind, (Pointer, Array, Descriptor, View)):
        kind = kind.target if isinstance(kind, Pointer) else kind.element
    return kind if isinstance(kind, Scalar) else None


def is_fortran(argument: Argument) -> bool:
    """Whether an argument's memory has the first dimension's elements side by side."""
    return argument.by_reference or (isinstance(argument.type, View) and argument.type.order == "F")


def _seen(value: Any) -> Any:
    """What a rule sees of an argument."""
    return Shaped(tuple(value.shape)) if hasattr(value, "shape") else value


def _parameters(rule: Any) -> list[str]:
    return [p.name for p in inspect.signature(rule).parameters.values()]
