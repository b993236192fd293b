"""Programs of every family: gradir's derivatives are JAX's.

Everything is in double precision, where `ROUNDING` units leave no room for a wrong rule, except
`test_single_precision`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import pytest
from agreement import assert_agree, direction, distance, inner, unit
from programs import PROGRAMS, gpt, make

import gradir.jax

NAMES = sorted(PROGRAMS)
DEEP = [name for name in NAMES if name != "gpt6"]
SHALLOW = [name for name in NAMES if name != "gpt12"]
"""Six layers show nothing that twelve don't, and twelve take long to compile in two precisions."""

SMALLER = {"gpt6": lambda: gpt(2, width=16, heads=2, length=8), "gpt12": lambda: gpt(1, width=16, heads=2, length=8)}
"""Derivatives of derivatives compile for long: a few layers show what twelve would."""

Made = tuple[Callable[..., Any], Any, tuple[Any, ...]]


def wide(x: Any) -> Any:
    """In double precision."""
    x = jnp.asarray(x)
    if jnp.issubdtype(x.dtype, jnp.complexfloating):
        return x.astype(jnp.complex128)
    return x.astype(jnp.float64) if jnp.issubdtype(x.dtype, jnp.floating) else x


def made(name: str, *, small: bool = False) -> Made:
    """The program's loss, its parameters and its other arguments, in double precision."""
    loss, (params, *rest) = (SMALLER.get(name, PROGRAMS[name]) if small else PROGRAMS[name])()
    return loss, jax.tree.map(wide, params), tuple(jax.tree.map(wide, r) for r in rest)


@pytest.mark.parametrize("name", DEEP)
def test_value_and_grad_under_jit(name: str, x64: None) -> None:
    loss, params, rest = made(name)
    assert_agree(
        jax.jit(gradir.jax.value_and_grad(loss))(params, *rest), jax.jit(jax.value_and_grad(loss))(params, *rest)
    )


@pytest.mark.parametrize("name", SHALLOW)
def test_single_precision(name: str) -> None:
    """Outside `jit`, in JAX's default precision: as near to the truth (in double precision) as JAX is.

    Both err by rounding, in different ways: up to three times JAX's error is no worse, and 16 units are what any two
    orders of a sum may differ by where JAX happens to be exact.
    """
    loss, args = make(name)
    ours = gradir.jax.value_and_grad(loss)(*args)
    theirs = jax.jit(jax.value_and_grad(loss))(*args)
    assert jax.tree.map(lambda x: (x.shape, x.dtype), ours) == jax.tree.map(lambda x: (x.shape, x.dtype), theirs)
    with jax.enable_x64(True):
        truth = jax.jit(jax.value_and_grad(loss))(*jax.tree.map(wide, args))
    for a, b, exact in zip(*map(jax.tree.leaves, (ours, theirs, truth)), strict=True):
        assert distance(a, exact) <= 3 * distance(b, exact) + 16 * unit(jnp.float32)


@pytest.mark.parametrize("name", DEEP)
def test_jvp(name: str, x64: None) -> None:
    loss, params, rest = made(name)
    args = (params, *rest)

    # Tangents of integers have a type of their own, which is no argument of a compiled function.
    tangents = direction(args)
    assert_agree(
        jax.jit(lambda *x: gradir.jax.jvp(loss, x, tangents))(*args),
        jax.jit(lambda *x: jax.jvp(loss, x, tangents))(*args),
    )


@pytest.mark.parametrize("name", NAMES)
def test_second_derivatives(name: str, x64: None) -> None:
    """A Hessian times a vector: forward over reverse and reverse over reverse, by gradir alone and mixed with JAX."""
    loss, params, rest = made(name, small=True)
    v = direction(params)

    def slope(grad: Any) -> Any:
        return lambda p: inner(grad(loss)(p, *rest), v)

    theirs = jax.jit(lambda p: jax.jvp(lambda p: jax.grad(loss)(p, *rest), (p,), (v,)))(params)
    assert_agree(
        jax.jit(lambda p: gradir.jax.jvp(lambda p: gradir.jax.grad(loss)(p, *rest), (p,), (v,)))(params), theirs
    )
    twice = jax.jit(gradir.jax.grad(slope(gradir.jax.grad)))(params)
    if any(jnp.iscomplexobj(x) for x in jax.tree.leaves(params)):
        theirs = None, jax.jit(jax.grad(slope(jax.grad)))(params)  # for complex numbers no product with the Hessian
    assert_agree(twice, theirs[1])


@pytest.mark.parametrize("name", NAMES)
def test_vmap_of_grad(name: str, x64: None) -> None:
    """Parameters batched, the other arguments not."""
    loss, params, rest = made(name, small=True)
    some = jax.tree.map(lambda x, t: jnp.stack([x, x + 0.01 * t]), params, direction(params))
    axes = (0, *(None for _ in rest))
    assert_agree(
        jax.jit(jax.vmap(gradir.jax.grad(loss), axes))(some, *rest),
        jax.jit(jax.vmap(jax.grad(loss), axes))(some, *rest),
    )
