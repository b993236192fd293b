"""Looking things up: in tensors, lists, strings and dictionaries."""

from __future__ import annotations

from typing import Any

import jax.numpy as jnp
from jax import lax

from gradir.frontends.sheaf.builtins.shapes import shape_of, whole
from gradir.frontends.sheaf.functions import builtin
from gradir.frontends.sheaf.source import SheafError
from gradir.frontends.sheaf.values import Value, describe, is_tensor, tensor

__all__ = ["look_up"]

_MISSING = object()


def look_up(collection: Value, key: Value, default: Value = _MISSING) -> Value:
    """One step into a collection."""
    if isinstance(collection, dict):
        if key in collection:
            return collection[key]
        if default is not _MISSING:
            return default
        known = ", ".join(f":{k}" for k in collection)
        raise SheafError(f"there is no :{key}", hint=f"there are {known}" if known else "the dictionary is empty")
    if isinstance(collection, (tuple, list, str)):
        i = whole(key)
        if -len(collection) <= i < len(collection):
            return collection[i]
        if default is not _MISSING:
            return default
        raise SheafError(f"there is no element {i}: there are {len(collection)}")
    if is_tensor(collection):
        return jnp.asarray(collection)[_index(key)]
    if collection is None and default is not _MISSING:
        return default
    raise SheafError(f"{describe(collection)} holds nothing to look up")


def _index(key: Value) -> Any:
    """An index into a tensor. Indices past an end give the last element, as everywhere in XLA."""
    if key is Ellipsis or key is None or isinstance(key, int):
        return key
    index = jnp.asarray(tensor(key))
    if jnp.issubdtype(index.dtype, jnp.floating):
        raise SheafError(f"an index is a whole number, not {describe(index)}", hint="(int i), or [0 2] :i32")
    return index


@builtin("get")
def get(collection: Value, key: Value, /, *more: Value) -> Value:
    """One key; a path; several indices of a tensor; or a key and what to give if it is missing."""
    if is_tensor(collection):
        return jnp.asarray(collection)[tuple(map(_index, (key, *more)))]
    if not more:
        return look_up(collection, key)
    if len(more) == 1 and not _leads_on(look_up(collection, key, None), more[0]):
        return look_up(collection, key, more[0])
    return get(look_up(collection, key), *more)


def _leads_on(found: Value, key: Value) -> bool:
    """Whether the last of several keys is a step further, not what to give if there is nothing."""
    if isinstance(found, dict):
        return isinstance(key, str) and key in found
    return is_tensor(found) or isinstance(found, (tuple, list))


@builtin("get-in")
def get_in(collection: Value, path: Value, default: Value = _MISSING, /) -> Value:
    for key in path:
        collection = look_up(collection, key, default)
        if collection is default:
            return default
    return collection


@builtin("first")
def first(sequence: Value, /) -> Value:
    return _at(sequence, 0)


@builtin("second")
def second(sequence: Value, /) -> Value:
    return _at(sequence, 1)


@builtin("last")
def last(sequence: Value, /) -> Value:
    return _at(sequence, -1)


@builtin("nth")
def nth(sequence: Value, i: Value, /) -> Value:
    return look_up(sequence, i)


def _at(sequence: Value, i: int) -> Value:
    if is_tensor(sequence) and (not sequence.ndim or sequence.shape[0] <= abs(i)):
        raise SheafError(f"there is no such element in {describe(sequence)}")
    return look_up(sequence, i)


@builtin("slice")
def slice_(x: Value, start: Value, end: Value = None, /, *, axis: Value = 0) -> Value:
    """`x[start:end]` of a string, a list or a tensor."""
    piece = slice(whole(start), None if end is None else whole(end))
    if isinstance(x, (str, tuple, list)):
        return x[piece]
    array = jnp.asarray(tensor(x))
    if not -array.ndim <= whole(axis) < array.ndim:
        raise SheafError(f"{describe(x)} has no axis {whole(axis)} to slice")
    return array[(slice(None),) * (whole(axis) % array.ndim) + (piece,)]


@builtin("dynamic-slice")
def dynamic_slice(x: Value, start: Value, size: Value, /) -> Value:
    """A piece that begins where a tensor says: along the first axis, or along all, if starts and sizes are lists."""
    array = jnp.asarray(tensor(x))
    if isinstance(size, (tuple, list)) or (is_tensor(size) and size.ndim):
        starts = [tensor(s) for s in start]
        return lax.dynamic_slice(array, [jnp.asarray(s, jnp.int32) for s in starts], shape_of(size))
    return lax.dynamic_slice_in_dim(array, jnp.asarray(tensor(start)).astype(jnp.int32), whole(size))


@builtin("dynamic-update-slice")
def dynamic_update_slice(x: Value, update: Value, start: Value, /) -> Value:
    array, piece = jnp.asarray(tensor(x)), jnp.asarray(tensor(update))
    starts = list(start) if isinstance(start, (tuple, list)) else [start] + [0] * (array.ndim - 1)
    return lax.dynamic_update_slice(
        array, piece.astype(array.dtype), [jnp.asarray(tensor(s), jnp.int32) for s in starts]
    )


@builtin("index-update")
def index_update(x: Value, index: Value, value: Value, /) -> Value:
    """A copy with other elements at some places."""
    at = tuple(map(_index, index)) if isinstance(index, (tuple, list)) else _index(index)
    return jnp.asarray(tensor(x)).at[at].set(tensor(value))


@builtin("take")
def take(x: Value, indices: Value, /, *, axis: Value = 0) -> Value:
    return jnp.take(jnp.asarray(tensor(x)), _index(indices), axis=whole(axis), mode="clip")


@builtin("top-k", "top_k")
def top_k(x: Value, k: Value, /) -> Value:
    values, indices = lax.top_k(jnp.asarray(tensor(x)), whole(k))
    return values, indices


@builtin("append-and-roll")
def append_and_roll(x: Value, value: Value, /) -> Value:
    array = jnp.asarray(tensor(x))
    return jnp.concatenate([array[1:], jnp.asarray(tensor(value), array.dtype)[None]])
