"""Which devices talk to each other: meshes, and the groups of a collective."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import prod
from typing import Any

import numpy as np
from jaxlib.mlir import ir
from jaxlib.mlir.dialects import sdy
from jaxlib.mlir.dialects import stablehlo as hlo

__all__ = ["Mesh", "groups_of"]


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


def groups_of(op: ir.Operation) -> np.ndarray | None:
    """The devices of each group of a collective, a row for a group, filled up with -1 where some have fewer.

    They are written out, or (from JAX 0.11 on) said to be those along some axes of a mesh. None: it can't be told.
    """
    attr = op.attributes["replica_groups"]
    if isinstance(attr, ir.DenseIntElementsAttr):
        return np.array([int(v) for v in attr], np.int64).reshape(ir.RankedTensorType(attr.type).shape)
    by_axes = getattr(hlo, "ReplicaGroupMeshAxesAttr", None)
    if by_axes is None or not by_axes.isinstance(attr):
        return None
    said = by_axes(attr)
    axes = [hlo.AxisRefAttr(a) for a in said.axes]
    if any(a.sub_axis_info is not None for a in axes):
        return None
    module = op
    while module.parent is not None:
        module = module.parent.operation
    return Mesh.of(said.mesh, module).groups([a.name for a in axes])
