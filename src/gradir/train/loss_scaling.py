"""Loss scaling: gradients in 16 bits are those of a multiple of the loss, lest small ones become zero.

The scale doubles after many steps without an overflow. A step whose gradients overflow changes nothing but the scale,
which is halved. It does not fall below one: what is no number then comes from the model, and shows in the loss.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp

__all__ = ["SCALE", "start", "update"]

Tree = Any
SCALE, QUIET = "scale", "quiet"
FIRST, GREATEST = 2.0**15, 2.0**15
"""In 16 bits the cotangent of the loss, which is the scale, must be a number."""
PERIOD = 1000
"""Steps without an overflow after which the scale is doubled."""


def start() -> dict[str, Any]:
    """What is kept: the scale, and the steps since it has changed."""
    return {SCALE: jnp.float32(FIRST), QUIET: jnp.zeros((), jnp.int32)}


def update(
    step: Callable[..., tuple[Tree, Tree]], parameters: Tree, gradients: Tree, state: Tree, rate: Any
) -> tuple[Tree, Tree]:
    """A step of an optimiser from gradients of the scaled loss; none, if one of them is no number."""
    scale, quiet = state[SCALE], state[QUIET]
    inner = {n: x for n, x in state.items() if n not in (SCALE, QUIET)}
    true = jax.tree.map(lambda g: (g.astype(jnp.float32) / scale).astype(g.dtype), gradients)
    finite = jnp.stack([jnp.all(jnp.isfinite(g)) for g in jax.tree.leaves(true)]).all()
    goes = finite | (scale <= 1)
    new = step(parameters, true, inner, rate)
    after, inner = jax.tree.map(lambda a, b: jnp.where(goes, a, b), new, (parameters, inner))
    is_due = quiet + 1 >= PERIOD
    grown = jnp.where(is_due, jnp.minimum(2 * scale, GREATEST), scale)
    kept = {
        SCALE: jnp.where(finite, grown, jnp.maximum(scale / 2, 1)),
        QUIET: jnp.where(finite & ~is_due, quiet + 1, 0),
    }
    return after, {**inner, **kept}
