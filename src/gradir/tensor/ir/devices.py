"""Which devices talk to each other: meshes, and the groups of a collective."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from math import prod
from typing import Any

import numpy as np
from jaxlib.mlir import ir
from jaxlib.mlir.dialects import sdy
from jaxlib.mlir.dialects import stablehlo as hlo

__all__ = ["Among", "Mesh", "groups_of"]


@dataclass(frozen=True)
class Mesh:
    """Devices in a grid whose axes have names."""

    sizes: dict[str, int]
    devices: np.ndarray
    """The device at each place, an axis for each of the mesh's."""

    @staticmethod
    def of(mesh_or_name: ir.Attribute, module: ir.Operation) -> Mesh:
        """A mesh that is written out, or is named in a module."""
        found = mesh_or_name
        if isinstance(found, ir.FlatSymbolRefAttr):
            found = ir.SymbolTable(module)[found.value].attributes["mesh"]
        dialect: Any = sdy if sdy.MeshAttr.isinstance(found) else hlo  # which has meshes from JAX 0.11 on
        mesh = dialect.MeshAttr(found)
        sizes = {a.name: a.size for a in map(dialect.MeshAxisAttr, mesh.axes)}
        ids = list(mesh.device_ids or ()) or list(range(prod(sizes.values())))
        return Mesh(sizes, np.array(ids).reshape(tuple(sizes.values())))

    def groups(self, axes: Sequence[str]) -> np.ndarray:
        """The devices that differ in these axes only, a row for a group."""
        names = list(self.sizes)
        order = [*(names.index(a) for a in names if a not in axes), *(names.index(a) for a in axes)]
        return self.devices.transpose(order).reshape(-1, prod(self.sizes[a] for a in axes))


class Among(Enum):
    """Whom the numbers in a collective's groups stand for."""

    REPLICAS = "replicas, in each partition"
    PARTITIONS = "partitions, in each replica"
    BOTH = "replicas, each with all its partitions"
    DEVICES = "devices"

    @staticmethod
    def of(op: ir.Operation) -> Among:
        """As StableHLO has it: by whether there is a channel, and whether ids are global."""
        has_channel = "channel_handle" in op.attributes and _channel(op) > 0
        if op.name in _MOVES:
            return Among.PARTITIONS if has_channel else Among.REPLICAS
        if "use_global_device_ids" in op.attributes:
            return Among.DEVICES
        return Among.BOTH if has_channel else Among.REPLICAS


def _channel(op: ir.Operation) -> int:
    return hlo.ChannelHandle(op.attributes["channel_handle"]).handle


_MOVES = ("stablehlo.all_to_all", "stablehlo.collective_permute", "stablehlo.collective_broadcast")


def groups_of(op: ir.Operation) -> np.ndarray | None:
    """The devices of each group of a collective, a row for a group, filled up with -1 where some have fewer.

    They are written out, or (from JAX 0.11 on) said to be those along some axes of a mesh. None: it can't be told.
    """
    attr = op.attributes["replica_groups"]
    if isinstance(attr, ir.DenseIntElementsAttr):
        groups = np.array([int(v) for v in attr], np.int64).reshape(ir.RankedTensorType(attr.type).shape)
        return groups if Among.of(op) != Among.BOTH else _with_partitions(groups, op)
    by_axes = getattr(hlo, "ReplicaGroupMeshAxesAttr", None)
    if by_axes is None or not by_axes.isinstance(attr):
        return None
    said = by_axes(attr)
    axes = [hlo.AxisRefAttr(a) for a in said.axes]
    if any(a.sub_axis_info is not None for a in axes):
        return None
    return Mesh.of(said.mesh, _module_of(op)).groups([a.name for a in axes])


def _module_of(op: ir.Operation) -> ir.Operation:
    while op.parent is not None:
        op = op.parent.operation
    return op


def _with_partitions(replicas: np.ndarray, op: ir.Operation) -> np.ndarray | None:
    """The devices of groups of replicas, of which each has all its partitions: those of the first one come first."""
    found = _module_of(op).attributes
    if "mhlo.num_partitions" not in found:
        return None
    n = ir.IntegerAttr(found["mhlo.num_partitions"]).value
    devices = np.concatenate([np.where(replicas < 0, -1, replicas * n + p) for p in range(n)], axis=1)
    return np.take_along_axis(devices, np.argsort(devices < 0, axis=1, kind="stable"), axis=1)
