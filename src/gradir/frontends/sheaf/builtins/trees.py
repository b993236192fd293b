"""Trees: dictionaries and lists, nested, with tensors for leaves. Dictionaries come in the order of their keys."""

from __future__ import annotations

import functools

import jax
import jax.numpy as jnp

from gradir.frontends.sheaf.functions import builtin
from gradir.frontends.sheaf.values import Value, tensor

__all__: list[str] = []


@builtin("flatten")
def flatten(tree: Value, /) -> Value:
    leaves, shape = jax.tree.flatten(tree)
    return tuple(leaves), shape


@builtin("unflatten")
def unflatten(leaves: Value, shape: Value, /) -> Value:
    return jax.tree.unflatten(shape, leaves)


@builtin("tree-map")
def tree_map(function: Value, tree: Value, /, *more: Value) -> Value:
    return jax.tree.map(function, tree, *more)


@builtin("tree-map-zeros", "tree-zeros")
def tree_zeros(tree: Value, /) -> Value:
    return jax.tree.map(lambda x: jnp.zeros_like(tensor(x)), tree)


@builtin("tree-reduce")
def tree_reduce(function: Value, tree: Value, start: Value = None, /) -> Value:
    leaves = jax.tree.leaves(tree)
    return functools.reduce(function, leaves) if start is None else functools.reduce(function, leaves, start)


@builtin("tree-leaves")
def tree_leaves(tree: Value, /) -> Value:
    return tuple(jax.tree.leaves(tree))
