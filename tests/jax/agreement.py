"""Comparing gradir with JAX: same tree, same types, same numbers.

Numbers are compared leaf by leaf in the greatest norm: a gradient's small elements are sums of large terms, so their
error is relative to the terms and not to themselves.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest

import gradir.jax

ROUNDING = 1e4
"""How many units of rounding two ways to compute the same derivative may differ by. The programs here add up thousands
of terms at most and are well conditioned, so each way errs by less than that; in double precision it makes 2e-12,
where the smallest mistake in a rule (a wrong factor, a term left out) shows at 1e-3 or more."""


def unit(dtype: Any) -> float:
    """The unit of rounding of a type."""
    return float(jnp.finfo(dtype).eps)


def distance(ours: Any, theirs: Any) -> float:
    """How far two leaves are apart, relative to the greatest element; what is not finite must be so in both."""
    a, b = np.asarray(ours), np.asarray(theirs)
    wide = np.complex128 if np.iscomplexobj(b) else np.float64
    a, b = a.astype(wide), b.astype(wide)
    finite = np.isfinite(b)
    np.testing.assert_array_equal(np.isfinite(a), finite, "not finite in one of the two alone")
    np.testing.assert_array_equal(a[~finite], b[~finite])
    if not finite.any():
        return 0.0
    return float(np.abs(a[finite] - b[finite]).max() / max(np.abs(b[finite]).max(), 1e-300))


def is_number(x: Any) -> bool:
    """Not of the type of an integer's tangents, which has one value."""
    return getattr(x, "dtype", None) != jax.dtypes.float0


def assert_agree(ours: Any, theirs: Any, *, units: float = ROUNDING, check_weak: bool = False) -> None:
    """The two are one: in structure, shapes and types, and up to rounding in their numbers."""
    assert jax.tree.structure(ours) == jax.tree.structure(theirs)
    paths = jax.tree_util.tree_leaves_with_path(theirs)
    for (path, b), a in zip(paths, jax.tree.leaves(ours), strict=True):
        where = jax.tree_util.keystr(path) or "the result"
        if not is_number(b):
            assert (np.shape(a), np.asarray(a).dtype) == (np.shape(b), np.asarray(b).dtype), where
            continue
        a, b = jnp.asarray(a), jnp.asarray(b)  # outside `jit`, JAX hands Python's numbers on as they are
        assert (a.shape, a.dtype) == (b.shape, b.dtype), where
        if check_weak:
            assert a.weak_type == b.weak_type, f"{where}: weak type"
        if not jnp.issubdtype(b.dtype, jnp.inexact):
            np.testing.assert_array_equal(np.asarray(a), np.asarray(b), where)
            continue
        assert distance(a, b) <= units * unit(b.dtype), f"{where}:\nours   {a}\ntheirs {b}"


def direction(tree: Any) -> Any:
    """A tangent for a pytree: no two elements alike, none zero."""

    def leaf(x: Any) -> Any:
        x = jnp.asarray(x)
        if not jnp.issubdtype(x.dtype, jnp.inexact):
            return np.zeros(x.shape, jax.dtypes.float0)
        t = jnp.cos(jnp.arange(x.size) * 1.3 + 0.5).reshape(x.shape)
        if jnp.issubdtype(x.dtype, jnp.complexfloating):
            t = t + 1j * jnp.sin(jnp.arange(x.size) * 0.7 + 0.2).reshape(x.shape)
        return t.astype(x.dtype)

    return jax.tree.map(leaf, tree)


def inner(a: Any, b: Any) -> Any:
    """The real inner product of two pytrees of inexact leaves."""
    pairs = zip(jax.tree.leaves(a), jax.tree.leaves(b), strict=True)
    return sum(jnp.sum(jnp.real(x) * jnp.real(y) + jnp.imag(x) * jnp.imag(y)) for x, y in pairs)


def assert_same(use: Callable[[Any], Any], *, units: float = ROUNDING, check_weak: bool = False) -> Any:
    """`use` is given `gradir.jax` and then `jax`: what it makes of both must agree."""
    ours = use(gradir.jax)
    assert_agree(ours, use(jax), units=units, check_weak=check_weak)
    return ours


def assert_refused_alike(use: Callable[[Any], Any], match: str | None = None) -> None:
    """`use` fails with `gradir.jax` as it does with `jax`: the same type of error, and messages that say the same."""
    with pytest.raises(Exception, match=match) as expected:
        use(jax)
    with pytest.raises(expected.type, match=match):
        use(gradir.jax)
