"""Control flow on values that are known only when the program runs: it becomes control flow of the compiled program.

What is decided, or carried round a loop, is a tree of tensors. Both branches, and every round, must give the same tree
with the same shapes; element types are made alike where they can be.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
from jax import lax

from gradir.frontends.sheaf.source import SheafError
from gradir.frontends.sheaf.values import ONE_TRUTH, Value, describe, is_tensor, shape_name, tensor

__all__ = ["UNROLLED", "choose", "counted", "fold", "is_condition", "kept", "loop", "staged"]

UNROLLED = 4096
"""How many rounds of a loop whose body must know its counter are written out at most."""

Thunk = Callable[[], Value]


def staged(value: Value) -> Value:
    """A value as a tree of tensors."""
    return jax.tree.map(_leaf, value)


def _leaf(value: Value) -> Any:
    if is_tensor(value) or isinstance(value, (bool, int, float)):
        return jnp.asarray(value) if not is_tensor(value) else value
    raise SheafError(
        f"{describe(value)} can't be the result of a choice or a loop that is decided when the program runs",
        hint="give numbers and tensors, or lists and dictionaries of them",
    )


def is_condition(value: Value) -> Any:
    """A tensor as one truth value."""
    if value.size != 1:
        raise SheafError(f"{describe(value)} is neither true nor false", hint=ONE_TRUTH)
    flat = value.reshape(())
    return flat if flat.dtype == jnp.bool_ else flat != 0


def choose(condition: Any, then: Thunk, otherwise: Thunk) -> Value:
    """`if` on a value that is known at run time."""
    shapes = [jax.eval_shape(lambda f=f: staged(f())) for f in (then, otherwise)]
    wanted = _common(shapes[0], shapes[1], "the branches of this `if` give")
    return lax.cond(
        is_condition(condition), lambda: _cast(staged(then()), wanted), lambda: _cast(staged(otherwise()), wanted)
    )


def loop(condition: Callable[[Value], Value], body: Callable[[Value], Value], start: Value) -> Value:
    """`while` on a value that is known at run time."""
    start = _settled(body, start)
    return lax.while_loop(
        lambda carry: is_condition(jnp.asarray(tensor(condition(carry)))),
        lambda carry: _cast(staged(body(carry)), carry),
        start,
    )


def counted(rounds: Any, body: Callable[[Any, Value], Value], start: Value) -> Value:
    """`repeat`: a loop with a counter."""
    zero = jnp.zeros((), jnp.int32)
    start = _settled(lambda carry: body(zero, carry), start)
    if isinstance(rounds, int):
        # A scan of known length is the form that is differentiated without a limit on its length.
        carry, _ = lax.scan(lambda c, i: (_cast(staged(body(i, c)), c), None), start, jnp.arange(rounds))
        return carry
    return lax.fori_loop(0, rounds, lambda i, c: _cast(staged(body(i, c)), c), start)


def fold(step: Callable[[Value, Value], tuple[Value, Value]], start: Value, over: Value) -> tuple[Value, Value]:
    """`scan`: the last state, and what every step gave, stacked."""
    first = jax.tree.map(lambda x: x[0], over)
    start = _settled(lambda carry: step(carry, first)[0], start)

    def round_(carry: Value, x: Value) -> tuple[Value, Value]:
        after, out = step(carry, x)
        return _cast(staged(after), carry), staged(out)

    return lax.scan(round_, start, over)


def kept(block: Callable[..., Value]) -> Callable[..., Value]:
    """A function whose first argument is a state, and gives one that is built alike."""

    def run(state: Value, *given: Value) -> Value:
        after = staged(block(state, *given))
        before, made = (jax.eval_shape(lambda s: s, s) for s in (staged(state), after))
        _common(before, made, "a block takes and gives")
        return _cast(after, state)

    return run


def _settled(body: Callable[[Value], Value], start: Value) -> Value:
    """The state a loop begins with, in the element types that its body gives."""
    start = staged(start)
    for _ in range(3):
        after = jax.eval_shape(lambda s: staged(body(s)), start)
        wanted = _common(jax.eval_shape(lambda s: s, start), after, "a loop's state before and after a round is")
        if all(a.dtype == b.dtype for a, b in zip(jax.tree.leaves(start), jax.tree.leaves(wanted), strict=True)):
            break
        start = _cast(start, wanted)
    return start


def _common(one: Value, other: Value, what: str) -> Value:
    """The shapes and element types that fit both of two trees."""
    if jax.tree.structure(one) != jax.tree.structure(other):
        raise SheafError(f"{what} {_shape(one)} and {_shape(other)}", hint="both must be built alike")

    def meet(a: Any, b: Any) -> Any:
        if a.shape != b.shape:
            raise SheafError(f"{what} {_shape(one)} and {_shape(other)}", hint="both must have the same shapes")
        if a.dtype == b.dtype:
            return a
        return jax.ShapeDtypeStruct(a.shape, jnp.promote_types(a.dtype, b.dtype))

    return jax.tree.map(meet, one, other)


def _shape(tree: Value) -> str:
    """A tree of shapes, as one writes it."""
    match tree:
        case None:
            return "nil"
        case dict():
            return "{" + " ".join(f":{k} {_shape(v)}" for k, v in tree.items()) + "}"
        case tuple() | list():
            return f"[{' '.join(map(_shape, tree))}]"
    return shape_name(tree)


def _cast(tree: Value, like: Value) -> Value:
    return jax.tree.map(lambda x, t: x if x.dtype == t.dtype else x.astype(t.dtype), tree, like)
