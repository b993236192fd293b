"""Calls with pytrees as calls with flat arrays, and what may be differentiated of them."""

from __future__ import annotations

import functools
import inspect
import operator
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Literal, get_args

import jax
import numpy as np
from jax import tree_util

from gradir.errors import RequestError
from gradir.jax.program import Program, differentiable, program_of
from gradir.jax_internals import sourceinfo, speak_of

Argnums = int | Sequence[int]
Mode = Literal["auto", "forward", "reverse"]
"""How a Jacobian is computed."""


class Flat:
    """A call of a function with pytrees, as one with flat arrays."""

    def __init__(
        self, fun: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any], argnums: Argnums, has_aux: bool
    ) -> None:
        self.has_aux = has_aux
        self.argnums = argnums
        self.numbers = numbers_of(argnums, len(args))
        self.fun = fun
        self.given, self.tree = tree_util.tree_flatten((args, kwargs))
        owners = [i for i, a in enumerate(args) for _ in tree_util.tree_leaves(a)]
        owners += [-1] * (len(self.given) - len(owners))
        self.chosen = [o in self.numbers for o in owners]
        self.chosen_leaves = [x for x, c in zip(self.given, self.chosen, strict=True) if c]
        self._pass([c or isinstance(x, _ARRAYS) for x, c in zip(self.given, self.chosen, strict=True)])

    def _pass(self, passed: list[bool]) -> None:
        """Choose the leaves that are arguments of the program; the function finds the others as they are."""
        self.passed = passed
        self.leaves = [x for x, p in zip(self.given, passed, strict=True) if p]

    def program(self) -> tuple[Program, list[Any]]:
        """The program over the leaves, after the values that the function closes over."""
        try:
            program, consts = program_of(self._run(), self.leaves)
        except NOT_CONCRETE:
            if self.passed == self.chosen:
                raise
            self._pass(self.chosen)  # Python code may look into what is not differentiated
            program, consts = program_of(self._run(), self.leaves)
        return program, consts

    def _run(self) -> Callable[..., list[Any]]:
        """The function over the leaves."""

        def run(*leaves: Any) -> list[Any]:
            passed = iter(leaves)
            given = [next(passed) if p else x for x, p in zip(self.given, self.passed, strict=True)]
            args, kwargs = tree_util.tree_unflatten(self.tree, given)
            out = self.fun(*args, **kwargs)
            aux_leaves: list[Any] = []
            if self.has_aux:
                if not isinstance(out, (tuple, list)) or len(out) != 2:
                    raise TypeError(
                        "expected function with aux output to return a two-element tuple, "
                        f"but got type {type(out)} with value {out}"
                    )
                out, aux = out
                self.aux, self.aux_tree = tree_util.tree_flatten(aux)
                aux_leaves = [x for x in self.aux if isinstance(x, jax.Array)]  # what is no array comes back as it is
                self.aux = [None if isinstance(x, jax.Array) else x for x in self.aux]
            out_leaves, self.out_tree = tree_util.tree_flatten(out)
            self.main_outs = len(out_leaves)
            return [*out_leaves, *aux_leaves]

        if hasattr(self.fun, "__name__"):
            functools.update_wrapper(run, self.fun)
            del run.__wrapped__  # type: ignore[attr-defined]
        speak_of(run, "differentiation", sourceinfo(self.fun), self._names())
        return run

    def _names(self) -> list[str]:
        """What the leaves that are passed are called in the function: `x`, `params['w']`."""
        args, kwargs = tree_util.tree_unflatten(self.tree, range(len(self.given)))
        try:
            bound = inspect.signature(self.fun).bind(*args, **kwargs).arguments
        except (TypeError, ValueError):
            bound = {"args": args, "kwargs": kwargs}
        paths = tree_util.tree_flatten_with_path(dict(bound))[0]
        named = {i: f"{path[0].key}{tree_util.keystr(path[1:])}" for path, i in paths}
        return [named.get(i, f"args[{i}]") for i, p in enumerate(self.passed) if p]

    def active(self, consts: Sequence[Any], program: Program) -> tuple[bool, ...]:
        inexact = differentiable(program.ins)[len(consts) :]
        chosen = [c for c, p in zip(self.chosen, self.passed, strict=True) if p]
        return (False,) * len(consts) + tuple(c and i for c, i in zip(chosen, inexact, strict=True))

    def results(self, leaves: Sequence[Any]) -> Any:
        out = tree_util.tree_unflatten(self.out_tree, leaves[: self.main_outs])
        if not self.has_aux:
            return out
        arrays = iter(leaves[self.main_outs :])
        return out, tree_util.tree_unflatten(self.aux_tree, [next(arrays) if x is None else x for x in self.aux])

    @property
    def differentiated(self) -> Differentiated:
        types = [jax.typeof(x) if chosen else None for x, chosen in zip(self.given, self.chosen, strict=True)]
        return Differentiated(self.tree, types, self.numbers, isinstance(self.argnums, int))


@dataclass(frozen=True)
class Differentiated:
    """The arguments that are differentiated: their types and not their values, whose trace may be over."""

    tree: Any
    types: Sequence[Any]
    numbers: tuple[int, ...]
    is_one: bool

    def gradients(self, made: Sequence[Any]) -> Any:
        """The gradients as pytrees of the arguments; an integer's is of JAX's type float0."""
        found = iter(made)
        leaves = [t if t is None else self._gradient(t, found) for t in self.types]
        args, _ = tree_util.tree_unflatten(self.tree, leaves)
        picked = tuple(args[i] for i in self.numbers)
        return picked[0] if self.is_one else picked

    def _gradient(self, of: Any, found: Iterator[Any]) -> Any:
        if not differentiable([of])[0]:
            return np.zeros(of.shape, jax.dtypes.float0)
        return next(found)


_ARRAYS = (jax.Array, np.ndarray, np.generic, float, complex)
"""What is passed to a program. Integers, booleans and other objects are for Python code, which decides by them."""

NOT_CONCRETE = (
    jax.errors.ConcretizationTypeError,
    jax.errors.TracerArrayConversionError,
    jax.errors.TracerIntegerConversionError,
    jax.errors.NonConcreteBooleanIndexError,
)


def indices(argnums: Any) -> Argnums:
    try:
        return operator.index(argnums)
    except TypeError:
        return tuple(operator.index(i) for i in argnums)


def numbers_of(argnums: Argnums, n: int) -> tuple[int, ...]:
    numbers = (argnums,) if isinstance(argnums, int) else tuple(argnums)
    for i in numbers:
        if not -n <= i < n:
            raise ValueError(f"argnums={argnums} asks for positional argument {i}, but the call has {n} of them.")
    return tuple(i % n for i in numbers)


def bound(
    fun: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any], argnums: Argnums
) -> tuple[bool, Callable[..., Any], tuple[Any, ...]]:
    """The function of the chosen arguments alone, and those; whether several were asked for."""
    numbers = numbers_of(argnums, len(args))

    def partial_fun(*chosen: Any) -> Any:
        full = list(args)
        for i, x in zip(numbers, chosen, strict=True):
            full[i] = x
        return fun(*full, **kwargs)

    return not isinstance(argnums, int), partial_fun, tuple(args[i] for i in numbers)


def basis(x: Any) -> Any:
    """All unit vectors of a pytree, stacked along a new first axis of each leaf."""
    leaves, tree = tree_util.tree_flatten(x)
    sizes = [int(np.size(leaf)) for leaf in leaves]
    total, at, made = sum(sizes), 0, []
    for leaf, n in zip(leaves, sizes, strict=True):
        dtype = jax.dtypes.result_type(leaf)
        eye = jax.numpy.eye(total, n, k=-at, dtype=dtype)
        made.append(eye.reshape(total, *np.shape(leaf)))
        at += n
    return tree_util.tree_unflatten(tree, made)


# -- JAX's checks ------------------------------------------------------------------------------------------------------


def check_callable(fun: Any) -> None:
    if not callable(fun):
        raise TypeError(f"Expected a callable value, got {fun}")


def check_input(name: str, x: Any, holomorphic: bool, allow_int: bool) -> None:
    dtype = jax.typeof(x).dtype
    if holomorphic and not jax.numpy.issubdtype(dtype, np.complexfloating):
        raise TypeError(f"{name} with holomorphic=True requires inputs with complex dtype, but got {dtype.name}.")
    if not jax.numpy.issubdtype(dtype, np.inexact) and not allow_int:
        raise TypeError(
            f"{name} requires real- or complex-valued inputs (input dtype that is a sub-dtype of np.inexact), but got "
            f"{dtype.name}. If you want to use Boolean- or integer-valued inputs, use vjp or set allow_int to True."
        )


def check_forward_input(name: str, x: Any, holomorphic: bool) -> None:
    dtype = jax.typeof(x).dtype
    if holomorphic and not jax.numpy.issubdtype(dtype, np.complexfloating):
        raise TypeError(f"{name} with holomorphic=True requires inputs with complex dtype, but got {dtype.name}.")
    if not holomorphic and not jax.numpy.issubdtype(dtype, np.floating):
        raise TypeError(
            f"{name} requires real-valued inputs (input dtype that is a sub-dtype of np.floating), but got "
            f"{dtype.name}. For holomorphic differentiation, pass holomorphic=True. Otherwise, use jvp."
        )


def check_output(name: str, x: Any, holomorphic: bool, any_real: bool = False) -> None:
    dtype = x.dtype
    if holomorphic and not jax.numpy.issubdtype(dtype, np.complexfloating):
        raise TypeError(f"{name} with holomorphic=True requires outputs with complex dtype, but got {dtype.name}.")
    if not holomorphic and not any_real and not jax.numpy.issubdtype(dtype, np.floating):
        is_complex = jax.numpy.issubdtype(dtype, np.complexfloating)
        hint = "For holomorphic differentiation, pass holomorphic=True. Otherwise" if is_complex else "For others"
        raise TypeError(
            f"{name} requires real-valued outputs (output dtype that is a sub-dtype of np.floating), but got "
            f"{dtype.name}. {hint}, use vjp."
        )


def check_scalar(flat: Flat, program: Program) -> None:
    what = None
    if flat.main_outs != 1 or flat.out_tree != tree_util.tree_structure(0):
        what = f"was {tree_util.tree_unflatten(flat.out_tree, [a.str_short() for a in program.outs[: flat.main_outs]])}"
    elif program.outs[0].shape != ():
        what = f"had shape: {program.outs[0].shape}"
    if what is not None:
        raise TypeError(f"Gradient only defined for scalar-output functions. Output {what}.")


def split_axis(array: Any, axis: int, leaves: Sequence[Any]) -> list[Any]:
    """An axis over the elements of all leaves, taken apart into arrays that have each leaf's shape in its place."""
    axis %= array.ndim
    before, after = array.shape[:axis], array.shape[axis + 1 :]
    ends = np.cumsum([np.size(leaf) for leaf in leaves])[:-1]
    pieces = jax.numpy.split(array, ends, axis=axis)
    return [piece.reshape(*before, *np.shape(leaf), *after) for piece, leaf in zip(pieces, leaves, strict=True)]


def check_mode(mode: str) -> None:
    if mode not in get_args(Mode):
        raise RequestError(f"mode={mode!r}", hint="a Jacobian's mode is 'auto', 'forward' or 'reverse'")
