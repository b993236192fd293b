"""The values of the language, how they are told apart, and how they are shown.

Numbers, strings, `true`, `false` and `nil` are Python's; a tensor is a JAX array (or what JAX traces one by), a list
is a tuple, a dictionary a dict with strings for keys.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from gradir.frontends.sheaf.source import SheafError

__all__ = [
    "DTYPES", "ONE_TRUTH", "Key", "Value", "describe", "dtype_of", "is_plain", "is_tensor", "is_traced", "shape_name",
    "show", "tensor", "truth",
]  # fmt: skip

Value = Any

DTYPES: dict[str, Any] = {
    "f16": jnp.float16, "bf16": jnp.bfloat16, "f32": jnp.float32, "f64": jnp.float64,
    "i8": jnp.int8, "i16": jnp.int16, "i32": jnp.int32, "i64": jnp.int64,
    "u8": jnp.uint8, "u16": jnp.uint16, "u32": jnp.uint32, "u64": jnp.uint64, "bool": jnp.bool_,
}  # fmt: skip
_SHORT = {np.dtype(t): name for name, t in DTYPES.items()}
_LONG = {np.dtype(t).name: t for t in DTYPES.values()}


ONE_TRUTH = "say (any x) or (all x), or use where"


class Key(str):
    """A keyword as a value: equal to the string of its name."""

    __slots__ = ()

    def __repr__(self) -> str:
        return f":{self}"


def is_tensor(value: Value) -> bool:
    return isinstance(value, (jax.Array, np.ndarray, np.generic))


def is_traced(value: Value) -> bool:
    """Whether it is known when the program runs, not before."""
    return any(isinstance(leaf, jax.core.Tracer) for leaf in jax.tree.leaves(value))


def is_plain(value: Value) -> bool:
    """Whether it is a number of the host: one that shapes and indices can be made of."""
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def tensor(value: Value) -> Any:
    """A tensor, or a number that acts as one: lists of numbers become tensors.

    >>> tensor((1.0, 2)).shape
    (2,)
    """
    if isinstance(value, (bool, int, float)) or is_tensor(value):
        return value
    if isinstance(value, (tuple, list)):
        parts = [jnp.asarray(tensor(v)) for v in value]
        if len({p.shape for p in parts}) > 1:
            raise SheafError(f"a list of tensors of different shapes is no tensor: {', '.join(map(describe, parts))}")
        return jnp.stack(parts) if parts else jnp.zeros(0, jnp.float32)
    raise SheafError(f"a number or a tensor is wanted here, not {describe(value)}")


def dtype_of(name: Value) -> Any:
    """The element type that a name stands for: `:f32`, "float32"."""
    found = DTYPES.get(str(name)) or _LONG.get(str(name))
    if found is None:
        raise SheafError(f"there is no element type {name!r}", hint=f"there are {', '.join(f':{d}' for d in DTYPES)}")
    return found


def truth(value: Value) -> bool:
    """Whether a value that is known counts as true: not `false`, `nil`, zero or empty."""
    if is_tensor(value):
        if value.size != 1:
            raise SheafError(f"{describe(value)} is neither true nor false", hint=ONE_TRUTH)
        return bool(value.reshape(()))
    return bool(value)


@dataclass(frozen=True)
class _Kind:
    """Values of some types: what they are, in a word or two, and how the language writes them."""

    types: type | tuple[type, ...]
    describe: Callable[[Any], str]
    show: Callable[[Any], str]


def _truth_name(value: bool) -> str:
    return "true" if value else "false"


def _quoted(text: str) -> str:
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n") + '"'


def _keys(value: dict[str, Value]) -> str:
    return f"a dictionary of {' '.join(f':{k}' for k in value)}" if value else "an empty dictionary"


_KINDS = (
    _Kind(type(None), lambda _: "nil", lambda _: "nil"),
    _Kind(bool, _truth_name, _truth_name),
    _Kind(Key, lambda v: f"the keyword :{v}", lambda v: f":{v}"),
    _Kind(str, lambda _: "a string", _quoted),
    _Kind((int, float), lambda v: f"the number {v!r}", repr),
    _Kind((tuple, list), lambda v: f"a list of {len(v)}", lambda v: f"[{' '.join(map(show, v))}]"),
    _Kind(dict, _keys, lambda v: "{" + " ".join(f":{k} {show(x)}" for k, x in v.items()) + "}"),
)
"""The first that fits counts: a truth value is also a whole number, and a keyword a string."""


def _kind_of(value: Value) -> _Kind | None:
    return next((kind for kind in _KINDS if isinstance(value, kind.types)), None)


def describe(value: Value) -> str:
    """What a value is, in a word or two.

    >>> describe(jnp.zeros((2, 3))), describe({"a": 1}), describe((1, 2))
    ('f32[2x3]', 'a dictionary of :a', 'a list of 2')
    """
    if (kind := _kind_of(value)) is not None:
        return kind.describe(value)
    if is_tensor(value):
        return shape_name(value)
    if callable(value):
        return f"the function {getattr(value, 'name', None) or 'fn'}"
    return f"a {type(value).__name__}"


def shape_name(array: Any) -> str:
    """The element type and shape of anything that has them: `f32[2x3]`."""
    is_key = jnp.issubdtype(array.dtype, jax.dtypes.prng_key)
    kind = "key" if is_key else _SHORT.get(np.dtype(array.dtype), str(array.dtype))
    return f"{kind}[{'x'.join(map(str, array.shape))}]"


def show(value: Value, *, quoted: bool = True) -> str:
    """A value as the language writes it.

    >>> print(show({"a": (1, 2.5, "x"), "b": jnp.ones((2, 2)), "c": None}))
    {:a [1 2.5 "x"] :b [[1.0 1.0] [1.0 1.0]] :c nil}
    """
    if not quoted and isinstance(value, str) and not isinstance(value, Key):
        return value
    if (kind := _kind_of(value)) is not None:
        return kind.show(value)
    if is_tensor(value) and not is_traced(value):
        return _numbers(value) if not jnp.issubdtype(value.dtype, jax.dtypes.prng_key) else describe(value)
    return f"<{describe(value)}>"


LONG = 1000
"""Tensors of more elements are shown in short."""


def _numbers(value: Any) -> str:
    array = np.asarray(value)
    if array.size > LONG:
        return f"<{describe(value)}>"
    scalar: Callable[[Any], str] = str
    if array.dtype == np.bool_:
        scalar = lambda x: "true" if x else "false"  # noqa: E731
    elif not np.issubdtype(array.dtype, np.integer):
        scalar = lambda x: repr(float(str(x)))  # noqa: E731  # the shortest that reads back as this
    return _nested(array, scalar)


def _nested(array: Sequence[Any] | np.ndarray[Any, Any], scalar: Callable[[Any], str]) -> str:
    if isinstance(array, np.ndarray) and array.ndim:
        return f"[{' '.join(_nested(a, scalar) for a in array)}]"
    return scalar(array)
