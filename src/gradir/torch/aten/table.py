"""How ATen's ops are computed with JAX: the table, and PyTorch's rules for the types of results.

A function of the table takes what the op's schema says, arrays of JAX in the place of tensors, and gives arrays whose
types need not be right yet: whoever calls it converts them to what PyTorch says the op gives.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache, reduce
from typing import Any

import jax.numpy as jnp
import torch

__all__ = ["DRAWING", "TABLE", "dtype", "floating", "lowers", "promoted", "torch_dtype", "wide"]

Array = Any
Lowering = Callable[..., Any]

TABLE: dict[Any, Lowering] = {}
"""The function that computes each op."""

DRAWING: set[Any] = set()
"""The ops that may draw random numbers: their functions take first a function that gives a new key."""


def lowers(*names: str, draws: bool = False) -> Callable[[Lowering], Lowering]:
    """Put a function into the table, for ops such as "add.Tensor" ("relu" is "relu.default").

    A version of PyTorch that doesn't have an op needs no function for it.
    """

    def register(function: Lowering) -> Lowering:
        for name in names:
            packet, _, overload = name.partition(".")
            op = getattr(getattr(torch.ops.aten, packet, None), overload or "default", None)
            if op is not None:
                TABLE[op] = function
                if draws:
                    DRAWING.add(op)
        return function

    return register


# -- Types -----------------------------------------------------------------------------------------------------------


@cache
def dtype(of: torch.dtype) -> Any:
    """JAX's name for a type of PyTorch's."""
    name = str(of).removeprefix("torch.")
    try:
        return jnp.dtype(_NAMES.get(name, name))
    except TypeError:
        raise ValueError(f"XLA has no arrays of {name}") from None


_NAMES = {"chalf": "complex64"}


@cache
def torch_dtype(of: Any) -> torch.dtype:
    """PyTorch's name for a type of JAX's."""
    return getattr(torch, jnp.dtype(of).name)


def promoted(*values: Any, least: torch.dtype | None = None) -> list[Any]:
    """Arrays and Python numbers as arrays of the type that PyTorch computes with.

    Arrays with dimensions decide, then those without, then Python's numbers; the latter two have a say only if they are
    of a higher kind (real rather than integer, complex rather than real). With `least`, the kind is at least its.
    """
    ranks: tuple[list[torch.dtype], ...] = ([], [], [])
    for value in values:
        if isinstance(value, (bool, int, float, complex)):
            ranks[2].append(_OF_NUMBER[type(value)] or torch.get_default_dtype())
        else:
            ranks[1 if value.ndim == 0 else 0].append(torch_dtype(value.dtype))
    first, *others = (reduce(torch.promote_types, rank) for rank in ranks if rank)
    found = first
    for other in others:
        if _kind(other) > _kind(found):
            found = torch.promote_types(found, other) if found.is_floating_point else other
    if least is not None and _kind(found) < _kind(least):
        found = least
    return [jnp.asarray(value).astype(dtype(found)) for value in values]


_OF_NUMBER: dict[type, torch.dtype | None] = {
    bool: torch.bool, int: torch.int64, float: None, complex: torch.complex64,
}  # fmt: skip


def _kind(of: torch.dtype) -> int:
    return 3 if of.is_complex else 2 if of.is_floating_point else int(of is not torch.bool)


def floating(*values: Any) -> list[Any]:
    """As `promoted`, at least of the default real type."""
    return promoted(*values, least=torch.get_default_dtype())


def wide(value: Array) -> Array:
    """Numbers of half the precision or less as f32, in which PyTorch accumulates."""
    return value.astype(jnp.float32) if value.dtype in (jnp.bfloat16, jnp.float16) else value


def axes(dims: int | Sequence[int] | None, rank: int) -> tuple[int, ...]:
    """Dimensions counted from the front; none named means all."""
    if dims is None or (not isinstance(dims, int) and len(dims) == 0):
        return tuple(range(rank))
    given = (dims,) if isinstance(dims, int) else dims
    return tuple(d % max(rank, 1) for d in given) if rank else ()
