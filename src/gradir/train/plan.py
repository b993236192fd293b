"""What a step of training would take on a mesh of devices that need not be there: XLA compiles it, nothing is run.

The program is compiled for as many host devices as the mesh has (which exist by name only): how arrays are split, what
is sent and how much memory each device needs is then known. How long it would take on a chip is told by its rates: each
device computes as fast as its arithmetic and its memory allow, and then sends. That is a bound, not a forecast.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fnmatch import fnmatch
from math import prod
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax.sharding import AxisType, NamedSharding, PartitionSpec

from gradir.backends.hlo import Collective, collectives
from gradir.definitions import leaf_names
from gradir.errors import InputError
from gradir.train.loop import Loop

__all__ = ["CHIPS", "Chip", "Plan", "plan"]

DATA, MODEL = "data", "model"
AXES = (DATA, MODEL)
Tree = Any
Rules = Sequence[tuple[str, Sequence[str | None]]]
"""Patterns of parameters' names, and the axes that their dimensions are split over."""


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


def plan(loop: Loop, sizes: Sequence[int], *, batch: int | None = None, rules: Rules = ()) -> Plan:
    """Compile a step for a mesh: the batch is split over its first axis, parameters over its second.

    Rules say which dimensions of which parameters; the first that fits a name counts. Without one, an array of at least
    two dimensions is split in the longest that can be. The optimiser's state lies as the parameters do.
    """
    if not 1 <= len(sizes) <= len(AXES) or min(sizes) < 1:
        raise InputError(f"a mesh of {'x'.join(map(str, sizes))}", hint="give one number or two: 8, or 8x64")
    sizes = (*sizes, 1)[: len(AXES)]
    names = dict(zip(AXES, sizes, strict=True))
    if prod(sizes) > jax.device_count():
        raise InputError(
            f"a mesh of {prod(sizes)} devices, where there are {jax.device_count()}",
            hint=f"start with XLA_FLAGS=--xla_force_host_platform_device_count={prod(sizes)}",
        )
    devices = np.array(jax.devices()[: prod(sizes)]).reshape(tuple(sizes))
    mesh = jax.sharding.Mesh(devices, tuple(names), axis_types=(AxisType.Auto,) * len(sizes))
    number = batch or loop.recipe.batch or loop.examples
    if number % names[DATA]:
        raise InputError(
            f"a batch of {number} can't be split over {names[DATA]} devices",
            hint=f"--batch {names[DATA]}, or a multiple",
        )
    parameters = _placed(dict(loop.task.parameters), mesh, rules)
    state = _placed(jax.eval_shape(loop.recipe.start, dict(loop.task.parameters)), mesh, rules)
    split = NamedSharding(mesh, PartitionSpec(DATA))
    data = {
        n: jax.ShapeDtypeStruct((number, *x.shape[1:]) if x.ndim else (), x.dtype, sharding=split if x.ndim else None)
        for n, x in loop.data.items()
    }

    def step(parameters: Tree, state: Tree, data: Tree) -> Any:
        loss, _, after, state = loop.one_step(parameters, state, 0, max(loop.steps, 1), data, loop.rate)
        return loss, after, state

    compiled = jax.jit(step, donate_argnums=(0, 1)).lower(parameters, state, data).compile()
    needs, costs = compiled.memory_analysis(), compiled.cost_analysis()
    memory = needs.argument_size_in_bytes + needs.output_size_in_bytes - needs.alias_size_in_bytes
    return Plan(
        mesh=names,
        batch=number,
        memory=memory + needs.temp_size_in_bytes,
        flops=float(costs.get("flops", 0)),
        moved=float(costs.get("bytes accessed", 0)),
        sent=_by_axis(collectives(compiled.as_text()), names),
    )


def _placed(tree: Tree, mesh: Any, rules: Rules) -> Tree:
    """The types of parameters, with how they are split."""
    leaves, form = jax.tree.flatten(tree)
    made = []
    for words, leaf in zip(leaf_names(tree), leaves, strict=True):
        spec = _spec(".".join(words), np.shape(leaf), dict(mesh.shape), rules)
        sharding = NamedSharding(mesh, PartitionSpec(*spec))
        made.append(jax.ShapeDtypeStruct(np.shape(leaf), jnp.result_type(leaf), sharding=sharding))
    return jax.tree.unflatten(form, made)


def _spec(name: str, shape: Sequence[int], mesh: Mapping[str, int], rules: Rules) -> list[str | None]:
    for pattern, axes in rules:
        if fnmatch(name, pattern):
            return _checked(name, shape, mesh, axes)
    spec: list[str | None] = [None] * len(shape)
    can = [d for d, n in enumerate(shape) if n % mesh[MODEL] == 0]
    if mesh[MODEL] > 1 and len(shape) > 1 and can:
        spec[max(can, key=lambda d: (shape[d], d))] = MODEL
    return spec


def _checked(name: str, shape: Sequence[int], mesh: Mapping[str, int], axes: Sequence[str | None]) -> list[str | None]:
    if len(axes) > len(shape):
        raise InputError(f"{name} has {len(shape)} dimensions, and a rule says how to split {len(axes)}")
    for d, axis in enumerate(axes):
        if axis is not None and axis not in mesh:
            raise InputError(f"the mesh has no axis '{axis}' to split {name} over", hint=f"it has {', '.join(mesh)}")
        if axis is not None and shape[d] % mesh[axis]:
            raise InputError(f"dimension {d} of {name}, of {shape[d]}, can't be split over {mesh[axis]} devices")
    return list(axes)


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
