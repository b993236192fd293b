"""What a step of training would take on a mesh of devices that need not be there: XLA compiles it, nothing is run.

The program is compiled for as many host devices as the mesh has (which exist by name only): how arrays are split, what
is sent and how much memory each device needs is then known. How long it would take on a chip is told by its rates: each
device computes as fast as its arithmetic and its memory allow, and then sends. That is a bound, not a forecast.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from gradir.backends.hlo import Collective, collectives, repeated
from gradir.train.loop import Loop
from gradir.train.mesh import Layout, Rules, Sizes

__all__ = ["CHIPS", "Chip", "Plan", "plan"]

Tree = Any


@dataclass(frozen=True)
class Chip:
    """Rates by the second, as its maker gives them, and bytes of memory."""

    flops: float
    bytes: float
    memory: float
    link: float
    """To other devices, in one direction."""


CHIPS = {
    "h200": Chip(flops=495e12, bytes=4.8e12, memory=141e9, link=450e9),
    "h100": Chip(flops=495e12, bytes=3.35e12, memory=80e9, link=450e9),
    "a100": Chip(flops=156e12, bytes=2.0e12, memory=80e9, link=300e9),
    "cpu": Chip(flops=2e10, bytes=1e10, memory=16e9, link=1e9),
}
"""Products of 32 bits as these chips compute them by default (TF32, dense); `cpu` is one core of many, roughly."""


@dataclass(frozen=True)
class Plan:
    """What each device would need and do in a step."""

    mesh: Mapping[str, int]
    batch: int
    memory: int
    """Bytes: arguments, results and temporary values, as XLA counts them."""
    flops: float
    moved: float
    """Bytes read from and written to memory."""
    sent: Mapping[str, tuple[int, int]]
    """Over each axis: how many collectives, and the bytes that a device gets by them."""

    def seconds(self, chip: Chip) -> float:
        """The least that a step takes."""
        computing = max(self.flops / chip.flops, self.moved / chip.bytes)
        return computing + sum(size for _, size in self.sent.values()) / chip.link

    def fits(self, chip: Chip) -> bool:
        return self.memory <= chip.memory


def plan(loop: Loop, sizes: Sizes, *, batch: int | None = None, rules: Rules = ()) -> Plan:
    """Compile a step for a mesh, by the devices for the data and for the model, or along each axis that is named.

    Rules say which dimensions of which parameters; the first that fits a name counts. Without one, an array of at least
    two dimensions is split in the longest that can be. The optimiser's state lies as the parameters do.
    """
    layout = Layout.of(sizes, rules)
    number = batch or loop.recipe.batch or loop.examples
    layout.check_batch(number)
    first = dict(loop.task.parameters)
    parameters = _typed(first, layout.of_parameters(first))
    start = jax.eval_shape(loop.recipe.start, first)
    state = _typed(start, layout.of_state(start, first))
    data = {
        n: jax.ShapeDtypeStruct(
            (number, *x.shape[1:]) if x.ndim else (), x.dtype, sharding=layout.of_batch() if x.ndim else None
        )
        for n, x in loop.data.items()
    }

    def step(parameters: Tree, state: Tree, data: Tree) -> Any:
        with layout.entered():
            loss, _, after, state = loop.one_step(parameters, state, 0, max(loop.steps, 1), data, loop.rate)
        return loss, after, state

    compiled = jax.jit(step, donate_argnums=(0, 1)).lower(parameters, state, data).compile()
    needs, costs = compiled.memory_analysis(), compiled.cost_analysis()
    text = compiled.as_text()
    more = repeated(text)
    memory = needs.argument_size_in_bytes + needs.output_size_in_bytes - needs.alias_size_in_bytes
    return Plan(
        mesh=layout.sizes,
        batch=number,
        memory=memory + needs.temp_size_in_bytes,
        flops=float(costs.get("flops", 0)) + more.flops,
        moved=float(costs.get("bytes accessed", 0)) + more.bytes,
        sent=_by_axis(collectives(text), layout.sizes),
    )


def _typed(tree: Tree, shardings: Tree) -> Tree:
    """The types of arrays, with how they are split."""
    return jax.tree.map(lambda x, s: jax.ShapeDtypeStruct(np.shape(x), jnp.result_type(x), sharding=s), tree, shardings)


def _by_axis(found: Sequence[Collective], mesh: Mapping[str, int]) -> dict[str, tuple[int, int]]:
    """Number and bytes of collectives by the axes along which their devices differ: `data`, `model`, `data+model`."""
    out: dict[str, tuple[int, int]] = {}
    for c in found:
        if len(c.group) == 1:
            continue  # among itself
        places = np.array(np.unravel_index(list(c.group), tuple(mesh.values())))
        axes = "+".join(a for a, row in zip(mesh, places, strict=True) if len(set(row.tolist())) > 1) or "?"
        number, size = out.get(axes, (0, 0))
        out[axes] = number + c.times, size + c.bytes * c.times
    return out
