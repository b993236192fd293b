"""Layers that know of a mesh: a pipeline of blocks, and experts of which each takes some of the tokens.

On one device they are a loop over blocks and a batch of experts. Where the mesh around (`jax.set_mesh`, or that of
`gradir train`) has the axis, each device along it has some of the blocks, or of the experts, and values are sent to
where they are needed. The numbers are the same.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from math import ceil, prod
from typing import Any

import jax
import jax.numpy as jnp
from jax import lax
from jax.sharding import PartitionSpec as P

from gradir.errors import InputError

__all__ = ["experts", "pipeline"]

Tree = Any
EXPERT = "expert"


def pipeline(
    block: Callable[..., Tree],
    x: Tree,
    blocks: Tree,
    *shared: Tree,
    parts: int | None = None,
    axis: str = "stage",
    data: str = "data",
) -> Tree:
    """One block after the other: `block(x, blocks[0])`, of that `block(…, blocks[1])`, and so on.

    `blocks` is a tree of arrays with a first dimension for the blocks; `x` is a batch whose rows a block treats one by
    one, and a block gives what it takes. It is given what is `shared`, too. On a mesh with this axis, each device along
    it has as many blocks as the others, and `parts` of the batch (as many as there are devices, if not said) go from
    one to the next. Rows are split over the axis `data`, if there is one.

    >>> import jax.numpy as jnp
    >>> weights = jnp.stack([jnp.eye(2), 2 * jnp.eye(2), 3 * jnp.eye(2)])
    >>> print(pipeline(lambda x, w: x @ w, jnp.ones((4, 2)), weights)[0])
    [6. 6.]
    """
    stages = _size(axis)
    if stages == 1:
        return _in_turn(block, x, blocks, shared)
    layers, rows, parts = _first(blocks, "blocks"), _first(x, "the batch"), parts or stages
    if layers % stages:
        raise InputError(f"{layers} blocks can't be split over the {stages} devices of the axis '{axis}'")
    if rows % parts:
        raise InputError(f"a batch of {rows} can't go through a pipeline in {parts} equal parts")
    # Rows are dealt out one by one, so that each device which has some of a batch has some of each part.
    dealt = jax.tree.map(lambda v: v.reshape(rows // parts, parts, *v.shape[1:]).swapaxes(0, 1), x)
    # Each device adds up its own gradients of the weights over all rounds, and they are summed over the data once.
    # (Where rows are split over experts first, the partitioner has to see to it.)
    others = _free_size(data) if _free_size(EXPERT) == 1 else 1
    over = (axis, data) if others > 1 and (rows // parts) % others == 0 else (axis,)
    of_rows = P(None, over[1:])
    staged = _on(over, partial(_stage, block, stages, parts, over), (P(axis), of_rows, P()), of_rows)
    return jax.tree.map(lambda v: v.swapaxes(0, 1).reshape(rows, *v.shape[2:]), staged(blocks, dealt, shared))


def _in_turn(block: Callable[..., Tree], x: Tree, blocks: Tree, shared: Sequence[Tree]) -> Tree:
    return lax.scan(lambda x, b: (block(x, b, *shared), None), x, blocks)[0]


def _stage(
    block: Callable[..., Tree],
    stages: int,
    parts: int,
    over: Sequence[str],
    blocks: Tree,
    xs: Tree,
    shared: Sequence[Tree],
) -> Tree:
    """What one device does: a part of the batch in each round, which it has from the device before it."""
    axis = over[0]
    blocks, xs, shared = (jax.tree.map(partial(_varying, over), tree) for tree in (blocks, xs, shared))
    at = lax.axis_index(axis)
    on = [(k, k + 1) for k in range(stages - 1)]

    def round_(came: Tree, t: Any) -> tuple[Tree, Tree]:
        # Before anything has come, a part of the batch is computed in vain: its derivatives are numbers, unlike zero's.
        is_first = (at == 0) | (t < at)
        fresh = jax.tree.map(lambda v: v[jnp.minimum(t, parts - 1)], xs)
        given = jax.tree.map(partial(jnp.where, is_first), fresh, came)
        made = _in_turn(block, given, blocks, shared)
        return jax.tree.map(lambda v: lax.ppermute(v, axis, on), made), made

    start = jax.tree.map(lambda v: jnp.zeros_like(v[0]), xs)
    _, made = lax.scan(round_, start, jnp.arange(parts + stages - 1))
    last = jax.tree.map(lambda v: jnp.where(at == stages - 1, v[stages - 1 :], 0), made)
    return lax.psum(last, axis)


def _varying(axes: Sequence[str], x: Any) -> Any:
    """A value as each device's own along some axes."""
    missing = tuple(a for a in axes if a not in jax.typeof(x).mat.varying)
    return lax.pcast(x, missing, to="varying") if missing else x


def experts(
    expert: Callable[[Any, Tree], Any],
    x: Any,
    weights: Tree,
    scores: Any,
    *,
    capacity: float = 1.25,
    axis: str = EXPERT,
    data: str = "data",
) -> Any:
    """Each token through the expert of its greatest score, times the score's softmax.

    `x` has rows of a batch, tokens, and what a token is; `scores` a number for each expert instead of the last;
    `weights` are a tree of arrays with a first dimension for the experts, and `expert(tokens, of_one)` takes some
    tokens. Of a row, an expert takes up to `capacity` times its equal share; what comes later is zero. On a mesh with
    this axis, each device along it has some of the experts, and tokens are sent there and back (`all_to_all`); rows
    are split over it, and then over the axis `data`.

    >>> import jax.numpy as jnp
    >>> x, scores = jnp.ones((1, 2, 3)), jnp.array([[[9.0, -9.0], [-9.0, 9.0]]])
    >>> print(experts(lambda t, w: t * w, x, jnp.array([2.0, 5.0]), scores)[0])
    [[2. 2. 2.]
     [5. 5. 5.]]
    """
    number, devices = _first(weights, "experts"), _size(axis)
    if scores.shape[-1] != number or scores.shape[:-1] != x.shape[:-1]:
        raise InputError(
            f"scores of shape {scores.shape} don't fit {number} experts and tokens of shape {x.shape}",
            hint="they have x's shape, but for the last dimension: a number for each expert",
        )
    if number % devices or x.shape[0] % devices:
        raise InputError(
            f"{number} experts and a batch of {x.shape[0]} can't be split over the {devices} devices of '{axis}'"
        )
    tokens = x.reshape(x.shape[0], -1, x.shape[-1])
    places = min(tokens.shape[1], max(1, ceil(capacity * tokens.shape[1] / number)))
    taken, weight = _routed(scores.reshape(*tokens.shape[:2], number), places)
    taken = taken.astype(x.dtype)
    given = jnp.einsum("btec,btd->ebcd", taken, tokens)
    run: Callable[[Tree, Any], Any] = partial(_some_experts, expert)
    if devices > 1:
        # XLA's partitioner, left alone with an all_to_all, would gather what is split over another axis.
        others = _free_size(data)
        over = (axis, data) if others > 1 and x.shape[0] % (devices * others) == 0 else (axis,)
        run = _on(over, partial(_sent, run, axis), (P(axis), P(None, over)), P(None, over))
    made = jnp.einsum("btec,ebcd->btd", taken * weight[:, :, None, None].astype(x.dtype), run(weights, given))
    return made.reshape(*x.shape[:-1], made.shape[-1])


def _routed(scores: Any, places: int) -> tuple[Any, Any]:
    """Which expert takes each token, at which of its places (one of them is 1, or none is); and the token's weight."""
    chosen = jax.nn.one_hot(jnp.argmax(scores, -1), scores.shape[-1], dtype=jnp.int32)
    place = jnp.cumsum(chosen, axis=1) - 1  # in its expert's row, if it is chosen
    return chosen[..., None] * (place[..., None] == jnp.arange(places)), jnp.max(jax.nn.softmax(scores), -1)


def _some_experts(expert: Callable[[Any, Tree], Any], weights: Tree, given: Any) -> Any:
    """Each expert's tokens, of all rows, at once."""
    made = jax.vmap(expert)(given.reshape(given.shape[0], -1, given.shape[-1]), weights)
    return made.reshape(*given.shape[:-1], made.shape[-1])


def _sent(run: Callable[[Tree, Any], Any], axis: str, weights: Tree, given: Any) -> Any:
    """What one device does: it sends tokens of its rows to their experts, and gets those of all rows for its own."""
    devices = lax.axis_size(axis)
    exchanged = partial(lax.all_to_all, axis_name=axis, split_axis=0, concat_axis=0, tiled=True)
    there = exchanged(given.reshape(devices, -1, *given.shape[1:]))
    made = run(weights, jnp.moveaxis(there, 0, 2))  # rows stay in front, over which other axes may split
    return exchanged(jnp.moveaxis(made, 2, 0)).reshape(*given.shape[:-1], made.shape[-1])


def _on(axes: Sequence[str], local: Callable[..., Any], ins: Any, out: Any) -> Callable[..., Any]:
    """A function of each device along some axes; others are left to the partitioner."""
    return jax.shard_map(local, in_specs=ins, out_specs=out, axis_names=set(axes))


def _size(axis: str) -> int:
    """The devices along an axis of the mesh around, over which nobody splits work yet: one, if it has none."""
    if axis in jax.sharding.get_abstract_mesh().manual_axes:
        raise InputError(
            f"this is inside of a shard_map over '{axis}', which it splits work over itself",
            hint="call it outside, or name another axis",
        )
    return _free_size(axis)


def _free_size(axis: str) -> int:
    mesh = jax.sharding.get_abstract_mesh()
    return 1 if axis in mesh.manual_axes else int(mesh.shape.get(axis, 1))


def _first(tree: Tree, what: str) -> int:
    """The first dimension that all arrays of a tree have."""
    found = {leaf.shape[:1] for leaf in jax.tree.leaves(tree)}
    if len(found) != 1 or not prod(next(iter(found)), start=0 if () in found else 1):
        raise InputError(f"arrays of {what} begin with one dimension that is the same for all, and not 0")
    return int(next(iter(found))[0])
