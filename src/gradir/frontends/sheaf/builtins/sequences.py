"""Lists, strings and dictionaries, and functions over them."""

from __future__ import annotations

from collections.abc import Sequence

import jax.numpy as jnp

from gradir.frontends.sheaf import control
from gradir.frontends.sheaf.builtins.shapes import whole
from gradir.frontends.sheaf.functions import builtin
from gradir.frontends.sheaf.macros import fresh
from gradir.frontends.sheaf.source import SheafError
from gradir.frontends.sheaf.values import Value, describe, is_tensor, is_traced, tensor, truth

__all__: list[str] = []


def _items(sequence: Value) -> Sequence[Value]:
    if isinstance(sequence, (tuple, list, str)):
        return sequence
    if isinstance(sequence, dict):
        return tuple(sequence.items())
    if is_tensor(sequence) and sequence.ndim:
        return tuple(sequence)
    raise SheafError(f"a list is wanted, not {describe(sequence)}")


@builtin("len", "count")
def length(sequence: Value, /) -> Value:
    if is_tensor(sequence) and sequence.ndim:
        return int(sequence.shape[0])
    return len(sequence) if isinstance(sequence, dict) else len(_items(sequence))


@builtin("empty?")
def is_empty(sequence: Value, /) -> Value:
    return length(sequence) == 0


@builtin("rest")
def rest(sequence: Value, /) -> Value:
    return sequence[1:] if is_tensor(sequence) else tuple(_items(sequence)[1:])


@builtin("cons")
def cons(value: Value, sequence: Value, /) -> Value:
    return (value, *_items(sequence))


@builtin("append")
def append(sequence: Value, value: Value, /) -> Value:
    if is_tensor(sequence):
        return jnp.append(sequence, jnp.asarray(tensor(value), sequence.dtype))
    return (*_items(sequence), value)


@builtin("reverse")
def reverse(sequence: Value, /) -> Value:
    return sequence[::-1] if is_tensor(sequence) or isinstance(sequence, str) else tuple(_items(sequence)[::-1])


@builtin("concat")
def concat(*sequences: Value, axis: Value = 0) -> Value:
    """Lists become one list, strings one string, tensors one tensor along `:axis`. One list of tensors will do, too."""
    if len(sequences) == 1 and isinstance(sequences[0], (tuple, list)) and any(map(is_tensor, sequences[0])):
        sequences = tuple(sequences[0])
    if any(map(is_tensor, sequences)):
        return jnp.concatenate([jnp.asarray(tensor(s)) for s in sequences], axis=whole(axis))
    if sequences and all(isinstance(s, str) for s in sequences):
        return "".join(sequences)
    return tuple(item for s in sequences for item in _items(s))


@builtin("map")
def map_(function: Value, sequence: Value, /, *more: Value) -> Value:
    return tuple(function(*items) for items in zip(*map(_items, (sequence, *more)), strict=False))


@builtin("filter")
def filter_(function: Value, sequence: Value, /) -> Value:
    return tuple(item for item in _items(sequence) if truth(function(item)))


@builtin("find")
def find(function: Value, sequence: Value, /) -> Value:
    return next((item for item in _items(sequence) if truth(function(item))), None)


@builtin("index-of")
def index_of(sequence: Value, value: Value, /) -> Value:
    items = _items(sequence)
    return next((i for i, item in enumerate(items) if item is value or _equals(item, value)), -1)


def _equals(a: Value, b: Value) -> bool:
    return bool(jnp.array_equal(tensor(a), tensor(b))) if is_tensor(a) or is_tensor(b) else a == b


@builtin("reduce")
def reduce(function: Value, start: Value, sequence: Value = None, /) -> Value:
    """Fold a list or the rows of a tensor; without a start, the first element is it."""
    if sequence is None:
        items = _items(start)
        if not len(items):
            raise SheafError("there is nothing to begin with in an empty list", hint="give a start: (reduce f 0 xs)")
        return reduce(function, items[0], items[1:])
    if is_tensor(sequence) and sequence.ndim and sequence.shape[0] > 1 and (is_traced(sequence) or is_traced(start)):
        return control.fold(lambda carry, x: (function(carry, x), None), start, sequence)[0]
    for item in _items(sequence):
        start = function(start, item)
    return start


@builtin("apply")
def apply(function: Value, /, *arguments: Value) -> Value:
    return function(*arguments[:-1], *_items(arguments[-1]))


@builtin("sort")
def sort(sequence: Value, /, *, axis: Value = -1, reverse: bool = False, key: Value = None) -> Value:
    if is_tensor(sequence):
        return jnp.sort(sequence, axis=whole(axis), descending=bool(reverse))
    by = None if key is None else lambda item: _sortable(key(item))
    return tuple(sorted(_items(sequence), key=by, reverse=bool(reverse)))


def _sortable(value: Value) -> Value:
    return value.item() if is_tensor(value) and value.size == 1 else value


# -- Dictionaries ------------------------------------------------------------------------------------------------------


@builtin("dict")
def dict_(*items: Value) -> Value:
    if len(items) % 2:
        raise SheafError("a dictionary is made of keys and values in turn")
    return dict(zip(map(str, items[::2]), items[1::2], strict=True))


@builtin("assoc")
def assoc(collection: Value, /, *items: Value) -> Value:
    if isinstance(collection, (tuple, list)):
        changed = list(collection)
        for i, value in zip(items[::2], items[1::2], strict=True):
            changed[whole(i)] = value
        return tuple(changed)
    return {**_dictionary(collection), **dict_(*items)}


@builtin("dissoc")
def dissoc(collection: Value, /, *names: Value) -> Value:
    gone = {str(n) for name in names for n in (name if isinstance(name, (tuple, list)) else (name,))}
    return {k: v for k, v in _dictionary(collection).items() if k not in gone}


@builtin("keys")
def keys(collection: Value, /) -> Value:
    return tuple(_dictionary(collection))


@builtin("vals")
def vals(collection: Value, /) -> Value:
    return tuple(_dictionary(collection).values())


@builtin("merge")
def merge(*collections: Value) -> Value:
    return {k: v for c in collections for k, v in _dictionary(c).items()}


@builtin("contains?")
def contains(collection: Value, key: Value, /) -> Value:
    return key in collection if isinstance(collection, (dict, str, tuple, list)) else False


def _dictionary(value: Value) -> dict[str, Value]:
    if not isinstance(value, dict):
        raise SheafError(f"a dictionary is wanted, not {describe(value)}")
    return value


# -- Strings and names -------------------------------------------------------------------------------------------------


@builtin("chars")
def chars(text: Value, /) -> Value:
    return tuple(text)


@builtin("symbol?")
def is_symbol(value: Value, /) -> Value:
    return isinstance(value, str)


@builtin("gensym")
def gensym(stem: Value = "g", /) -> Value:
    return fresh(str(stem))
