"""Reductions: over everything, or along `:axis`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax.numpy as jnp
from jax.scipy.special import logsumexp

from gradir.frontends.sheaf.builtins.shapes import axes
from gradir.frontends.sheaf.functions import builtin
from gradir.frontends.sheaf.values import Value, tensor

__all__: list[str] = []

REDUCTIONS: dict[str, Callable[..., Any]] = {
    "sum": jnp.sum, "mean": jnp.mean, "product": jnp.prod, "prod": jnp.prod, "var": jnp.var, "std": jnp.std,
    "min": jnp.min, "max": jnp.max, "any": jnp.any, "all": jnp.all, "logsumexp": logsumexp,
}  # fmt: skip
SEARCHES: dict[str, Callable[..., Any]] = {"argmax": jnp.argmax, "argmin": jnp.argmin}


def _reduction(function: Callable[..., Any]) -> Callable[..., Value]:
    def reduce(x: Value, along: Value = None, /, *, axis: Value = None, keepdims: bool = False) -> Value:
        return function(jnp.asarray(tensor(x)), axis=axes(axis if along is None else along), keepdims=bool(keepdims))

    return reduce


for _name, _function in (REDUCTIONS | SEARCHES).items():
    builtin(_name)(_reduction(_function))


@builtin("norm")
def norm(x: Value, /, *, axis: Value = None, keepdims: bool = False) -> Value:
    return jnp.sqrt(jnp.sum(jnp.square(tensor(x)), axis=axes(axis), keepdims=bool(keepdims)))


@builtin("cumsum")
def cumsum(x: Value, /, *, axis: Value = None) -> Value:
    return jnp.cumsum(jnp.asarray(tensor(x)), axis=axes(axis))


@builtin("cumprod")
def cumprod(x: Value, /, *, axis: Value = None) -> Value:
    return jnp.cumprod(jnp.asarray(tensor(x)), axis=axes(axis))
