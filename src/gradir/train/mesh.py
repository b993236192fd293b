"""How training lies on a mesh of devices: the batch over its axis `data`, parameters as rules by their names say.

`model` is for parts of parameters, `stage` for the blocks of a pipeline (`gradir.jax.pipeline`), `expert` for experts
(`gradir.jax.experts`), over which the batch is split, too.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from fnmatch import fnmatch
from math import prod
from typing import Any

import jax
import numpy as np
from jax.sharding import AxisType, Mesh, NamedSharding, PartitionSpec

from gradir.definitions import leaf_names
from gradir.errors import InputError

__all__ = ["DATA", "MODEL", "Layout", "Longest", "Rules", "Sizes", "mesh_name", "named_sizes", "read_axes"]

STAGE, EXPERT, DATA, MODEL = "stage", "expert", "data", "model"
AXES = (STAGE, EXPERT, DATA, MODEL)
"""What every mesh has: those that are not asked for have one device. The last are the nearest to each other."""
BATCH = (EXPERT, DATA)
"""The axes that the batch is split over, as `gradir.jax.experts` wants it."""
Tree = Any
Sizes = Sequence[int] | Mapping[str, int]
"""Devices for the data, and for the model; or along each axis that is named."""


def named_sizes(sizes: Sizes) -> dict[str, int]:
    """The devices along each axis of a mesh.

    >>> named_sizes([4, 2])
    {'stage': 1, 'expert': 1, 'data': 4, 'model': 2}
    """
    if not isinstance(sizes, Mapping):
        if not 1 <= len(sizes) <= 2:
            shown = "x".join(map(str, sizes))
            raise InputError(f"a mesh of {shown}", hint="give one number or two, 8 or 8x64, or name axes: stage=4")
        sizes = dict(zip((DATA, MODEL), sizes, strict=False))
    if min(sizes.values(), default=1) < 1:
        raise InputError(f"a mesh of {mesh_name(sizes)}", hint="along each axis there is at least one device")
    return {**dict.fromkeys(AXES, 1), **sizes}


def mesh_name(sizes: Mapping[str, int]) -> str:
    """A mesh as it is written: `4x2` of those for the data and the model, `data=2,stage=4` of others.

    >>> mesh_name({"stage": 1, "data": 4, "model": 2}), mesh_name({"stage": 4, "data": 2})
    ('4x2', 'stage=4,data=2')
    """
    more = [axis for axis, size in sizes.items() if size != 1 and axis not in (DATA, MODEL)]
    if more:
        return ",".join(f"{axis}={size}" for axis, size in sizes.items() if size != 1)
    data, model = sizes.get(DATA, 1), sizes.get(MODEL, 1)
    return f"{data}x{model}" if model != 1 else str(data)


@dataclass(frozen=True)
class Longest:
    """Split the longest dimension that can be over an axis; an array that has none stays whole."""

    axis: str
    least: int = 1
    """The dimensions of an array from which on it is split."""


Axes = Sequence[str | None] | Longest
"""For each dimension the axis that it is split over, several as `data+model`; or the longest dimension's."""
Rules = Sequence[tuple[str, Axes]]
"""Patterns of parameters' names, and the axes that their dimensions are split over. The first that fits counts."""

BY_DEFAULT = ("*", Longest(MODEL, least=2))


def read_axes(text: str) -> Axes:
    """Axes as they are written: a word for each dimension, `-` for one that is not split; or `longest:data`.

    >>> read_axes("-,model")
    [None, 'model']
    >>> read_axes("longest:data")
    Longest(axis='data', least=1)
    """
    kind, found, axis = text.partition(":")
    if found and kind == "longest":
        return Longest(axis.strip())
    return [None if word.strip() in ("-", "") else word.strip() for word in text.split(",")]


def _axes_in(axes: Axes) -> list[str]:
    """The names of axes in a rule."""
    if isinstance(axes, Longest):
        return [axes.axis]
    return [name for axis in axes if axis is not None for name in axis.split("+")]


@dataclass(frozen=True)
class Layout:
    """A mesh, and how parameters lie on it. The optimiser's state lies as the parameters do."""

    mesh: Mesh
    rules: Rules = ()

    @classmethod
    def of(cls, sizes: Sizes, rules: Rules = (), *, all_devices: bool = False) -> Layout:
        """A mesh of so many devices along its axes; of those that are there, or of all of them."""
        named = named_sizes(sizes)
        used = {*AXES, *(axis for _, axes in rules for axis in _axes_in(axes))}
        for axis in named:
            if axis not in used:
                raise InputError(
                    f"no rule splits anything over the axis '{axis}' of this mesh",
                    hint=f"axes with a meaning of their own are {', '.join(AXES)}",
                )
        wanted, there = prod(named.values()), jax.device_count()
        if wanted > there or (all_devices and wanted < there):
            among = f", in {jax.process_count()} processes" if jax.process_count() > 1 else ""
            flag = f"XLA_FLAGS=--xla_force_host_platform_device_count={wanted}"
            fit = f"--mesh {there}, or sizes whose product is {there}"
            raise InputError(
                f"a mesh of {mesh_name(named)} is one of {wanted} devices, where there are {there}{among}",
                hint=fit if all_devices else f"start with {flag}, or --mesh {there}",
            )
        devices = np.array(jax.devices()[:wanted]).reshape(tuple(named.values()))
        return cls(Mesh(devices, tuple(named), axis_types=(AxisType.Auto,) * len(named)), rules)

    @contextmanager
    def entered(self) -> Iterator[None]:
        """Trace what knows of a mesh (pipelines, experts) for this one."""
        with jax.sharding.use_abstract_mesh(self.mesh.abstract_mesh):
            yield

    @property
    def sizes(self) -> dict[str, int]:
        return dict(self.mesh.shape)

    @property
    def whole(self) -> NamedSharding:
        """Of what all devices have."""
        return self.over()

    def over(self, *axes: str | None) -> NamedSharding:
        return NamedSharding(self.mesh, PartitionSpec(*axes))

    def of_batch(self, *before: None) -> NamedSharding:
        """Of a batch, whose rows may come behind other dimensions."""
        return NamedSharding(self.mesh, PartitionSpec(*before, BATCH))

    def check_batch(self, examples: int) -> None:
        """Complain of a batch, or a part of one that is computed at once, that can't be split."""
        parts = prod(self.sizes[axis] for axis in BATCH)
        if examples % parts:
            raise InputError(
                f"a batch of {examples} can't be split over {parts} devices", hint=f"--batch {parts}, or a multiple"
            )

    def of_parameters(self, parameters: Tree) -> Tree:
        """How each parameter is split."""
        specs = self._specs(parameters)
        self._check_used(specs)
        shardings = [NamedSharding(self.mesh, spec) for spec in specs.values()]
        return jax.tree.unflatten(jax.tree.structure(parameters), shardings)

    def of_state(self, state: Tree, parameters: Tree) -> Tree:
        """How the optimiser's state is split: what is kept for a parameter, as the parameter is."""
        specs = self._specs(parameters)
        leaves, form = jax.tree.flatten(state)
        shapes = dict(zip(specs, map(np.shape, jax.tree.leaves(parameters)), strict=True))
        made = []
        for words, leaf in zip(leaf_names(state), leaves, strict=True):
            name = ".".join(words[1:])  # after the name of the moment
            fits = shapes.get(name) == np.shape(leaf)
            made.append(NamedSharding(self.mesh, specs[name] if fits else PartitionSpec()))
        return jax.tree.unflatten(form, made)

    def _check_used(self, specs: Mapping[str, PartitionSpec]) -> None:
        """Complain of devices that would all do the same: along an axis that is for parameters, and splits none."""
        said = [axes for spec in specs.values() for axes in spec if axes is not None]
        used = {axis for axes in said for axis in ((axes,) if isinstance(axes, str) else axes)}
        for axis, size in self.sizes.items():
            if size > 1 and axis not in (*BATCH, MODEL, *used):
                raise InputError(
                    f"no parameter is split over the {size} devices of the axis '{axis}'",
                    hint=f"say which are, by --split 'p.blocks.*={axis}' or `sharded` in the program",
                )

    def _specs(self, parameters: Tree) -> dict[str, PartitionSpec]:
        names = map(".".join, leaf_names(parameters))
        return {n: self._spec(n, np.shape(x)) for n, x in zip(names, jax.tree.leaves(parameters), strict=True)}

    def _spec(self, name: str, shape: Sequence[int]) -> PartitionSpec:
        for pattern, axes in (*self.rules, BY_DEFAULT):
            if fnmatch(name, pattern):
                if isinstance(axes, Longest):
                    return PartitionSpec(*self._longest(name, shape, axes))
                return PartitionSpec(*self._checked(name, shape, axes))
        raise AssertionError("the last rule fits every name")

    def _longest(self, name: str, shape: Sequence[int], rule: Longest) -> list[str | None]:
        parts = self._parts((rule.axis,), name)
        can = [d for d, n in enumerate(shape) if n % parts == 0]
        if parts == 1 or len(shape) < rule.least or not can:
            return []
        chosen = max(can, key=lambda d: (shape[d], d))
        return [rule.axis if d == chosen else None for d in range(len(shape))]

    def _checked(self, name: str, shape: Sequence[int], axes: Sequence[str | None]) -> list[tuple[str, ...] | None]:
        while axes and axes[-1] is None:
            axes = axes[:-1]
        if len(axes) > len(shape):
            raise InputError(f"{name} has {len(shape)} dimensions, and a rule says how to split {len(axes)}")
        split = [tuple(axis.split("+")) if axis is not None else None for axis in axes]
        for d, some in enumerate(split):
            parts = self._parts(some or (), name)
            if shape[d] % parts:
                raise InputError(f"dimension {d} of {name}, of {shape[d]}, can't be split over {parts} devices")
        used = [axis for some in split for axis in some or ()]
        if len(set(used)) < len(used):
            raise InputError(f"a rule splits two dimensions of {name} over one axis: {', '.join(used)}")
        return split

    def _parts(self, axes: Sequence[str], name: str) -> int:
        """Into how many parts these axes split."""
        for axis in axes:
            if axis not in self.sizes:
                known = ", ".join(self.sizes)
                raise InputError(f"the mesh has no axis '{axis}' to split {name} over", hint=f"it has {known}")
        return prod(self.sizes[axis] for axis in axes)
