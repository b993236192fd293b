"""Functions of functions: derivatives, batches, scans, pipelines and experts."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import jax
import jax.numpy as jnp

import gradir.jax
from gradir.errors import GradirError, NoRule
from gradir.frontends.sheaf import control
from gradir.frontends.sheaf.builtins.shapes import axes, whole
from gradir.frontends.sheaf.functions import BUILTINS, Builtin, Closure, builtin
from gradir.frontends.sheaf.source import SheafError
from gradir.frontends.sheaf.values import Value, describe, is_tensor, tensor

__all__: list[str] = []


def _traced(function: Value) -> Callable[..., Value]:
    """A function for JAX to trace."""
    if isinstance(function, Closure):
        return function.evaluator.staged(function)
    if not callable(function):
        raise SheafError(f"a function is wanted, not {describe(function)}")
    return function  # type: ignore[no-any-return]


def _float(value: Value) -> Any:
    """What is differentiated by: numbers of the host are floats here."""
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        return jnp.asarray(value, jnp.float32)
    if is_tensor(value) and not jnp.issubdtype(value.dtype, jnp.inexact):
        raise SheafError(f"there is no derivative by {describe(value)}", hint="make it a float: (float x)")
    return value


@builtin("value-and-grad")
def value_and_grad(function: Value, /, *, argnums: Value = 0, has_aux: bool = False) -> Value:
    """The function that gives a function's value and its gradient."""
    evaluator = function.evaluator if isinstance(function, Closure) else None
    make = evaluator.value_and_grad if evaluator else jax.value_and_grad
    by = axes(argnums)
    chosen = (by,) if isinstance(by, int) else by

    def scalar(*arguments: Value) -> Value:
        result = _traced(function)(*arguments)
        value, aux = result if has_aux else (result, None)
        value = jnp.asarray(tensor(value))
        if value.size != 1 or not jnp.issubdtype(value.dtype, jnp.floating):
            raise SheafError(
                f"the function to differentiate gives one float, not {describe(value)}", hint="sum or mean it"
            )
        return (value.reshape(()), aux) if has_aux else value.reshape(())

    def both(*arguments: Value) -> Value:
        given = [jax.tree.map(_float, a) if i in chosen else a for i, a in enumerate(arguments)]
        if max(chosen) >= len(given):
            raise SheafError(f"there is no argument {max(chosen)} to differentiate by")
        # What is no tensor (a string, a function) can't be an argument of what JAX traces: it is closed over.
        moving = [i for i, a in enumerate(given) if _is_numeric(a)]

        def of_numeric(*numeric: Value) -> Value:
            full = list(given)
            for i, value in zip(moving, numeric, strict=True):
                full[i] = value
            return scalar(*full)

        places = tuple(moving.index(i) for i in chosen)
        derivative = make(of_numeric, argnums=places[0] if isinstance(by, int) else places, has_aux=bool(has_aux))
        try:
            if evaluator is not None and not evaluator.stages:
                evaluator.guards_left = False
            made = derivative(*(given[i] for i in moving))
        except NoRule as error:
            raise SheafError(error.message, hint=error.hint) from error
        if evaluator is None or evaluator.stages:
            return made
        if evaluator.guards_left:
            evaluator.replayed(lambda: function(*given), evaluator.watches)
        return made

    return Builtin(f"the gradient of {getattr(function, 'name', 'a function')}", _positional(both))


@builtin("grad")
def grad(function: Value, /, *, argnums: Value = 0) -> Value:
    """The gradient function of a function."""
    both = BUILTINS["value-and-grad"](function, argnums=argnums)
    return Builtin(both.name, _positional(lambda *arguments: both(*arguments)[1]))


def _positional(function: Callable[..., Value]) -> Callable[..., Value]:
    def call(*arguments: Value) -> Value:
        return function(*arguments)

    return call


def _is_numeric(value: Value) -> bool:
    return all(is_tensor(leaf) or isinstance(leaf, (int, float)) for leaf in jax.tree.leaves(value))


@builtin("stop-gradient")
def stop_gradient(value: Value, /) -> Value:
    return jax.tree.map(jax.lax.stop_gradient, value)


@builtin("fixed-point")
def fixed_point(function: Value, start: Value, /, *arguments: Value) -> Value:
    """The x that `(function x arguments…)` leaves as it is, found from a start; differentiated by that equation."""
    return _solution(gradir.jax.fixed_point, function, start, arguments)


@builtin("find-root")
def find_root(function: Value, start: Value, /, *arguments: Value) -> Value:
    """The x for which `(function x arguments…)` is zero, by Newton's iteration; differentiated by that equation."""
    return _solution(gradir.jax.root, function, start, arguments)


def _solution(solve: Callable[..., Value], function: Value, start: Value, arguments: Sequence[Value]) -> Value:
    moving = [i for i, a in enumerate(arguments) if _is_numeric(a)]

    def of_numeric(x: Value, *numeric: Value) -> Value:
        full = list(arguments)
        for i, value in zip(moving, numeric, strict=True):
            full[i] = value
        return jax.tree.map(_float, _traced(function)(x, *full))

    try:
        return solve(of_numeric, jax.tree.map(_float, start), *(arguments[i] for i in moving))
    except GradirError as error:
        raise SheafError(error.message, hint=error.hint) from error


@builtin("vmap")
def vmap(function: Value, along: Value = 0, /) -> Value:
    """The function of a batch: along the first axes, or those that are said, nil for what is the same for all."""
    where = tuple(None if a is None else whole(a) for a in along) if isinstance(along, (tuple, list)) else whole(along)
    mapped = jax.vmap(_traced(function), in_axes=where)
    return Builtin(f"the batch of {getattr(function, 'name', 'a function')}", _positional(mapped))


@builtin("scan")
def scan(function: Value, start: Value, over: Value, /) -> Value:
    """Fold with what every step gives kept: `function` gives [state out], or one value that is both."""
    call = _traced(function)

    def step(carry: Value, x: Value) -> tuple[Value, Value]:
        made = call(carry, x)
        if isinstance(made, (tuple, list)) and len(made) == 2:
            return made[0], made[1]
        return made, made

    if isinstance(over, (tuple, list)) and over and not all(is_tensor(o) or isinstance(o, dict) for o in over):
        over = tensor(over)
    over = _stacked(over)
    if any(leaf.shape[0] == 0 for leaf in jax.tree.leaves(over)):
        raise SheafError("there is nothing to scan over", hint="the first axis has length 0")
    return control.fold(step, start, over)


def _stacked(alike: Value) -> Value:
    """A list of alike trees, such as layers, as one of tensors with another dimension in front."""
    return jax.tree.map(lambda *xs: jnp.stack(xs), *alike) if isinstance(alike, (tuple, list)) and alike else alike


@builtin("pipeline")
def pipeline(block: Value, start: Value, blocks: Value, /, *shared: Value, parts: Value = None) -> Value:
    """One block after the other, with the weights of each: on a mesh that has `stage`s, some on each device."""
    run = control.kept(_traced(block))
    with _told():
        return gradir.jax.pipeline(run, start, _stacked(blocks), *shared, parts=None if parts is None else whole(parts))


@builtin("experts")
def experts(expert: Value, x: Value, weights: Value, scores: Value, /, *, capacity: Value = 1.25) -> Value:
    """Each token through the expert that it scores highest: on a mesh that has `expert`s, some on each device."""
    with _told():
        return gradir.jax.experts(_traced(expert), x, _stacked(weights), scores, capacity=float(capacity))


@contextmanager
def _told() -> Iterator[None]:
    """Errors of gradir's, as those of a program."""
    try:
        yield
    except SheafError:
        raise
    except GradirError as error:
        raise SheafError(error.message, hint=error.hint) from error
