"""Where a function is traced: on which mesh, inside which `shard_map`, under which names of axes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import jax

from gradir.jax_internals import checks_varying, jax_core, use_axis_env

__all__ = ["Scope", "abstract", "names_in"]


@dataclass(frozen=True)
class Scope:
    """The mesh, the names of axes that collectives know, and whether JAX checks which values vary along them.

    In a `shard_map` with `check_vma`, JAX knows of each value along which axes of the mesh it varies. A derivative that
    is asked for later than its function was traced is traced in the scope of the function.
    """

    mesh: Any
    names: Any
    checked: bool

    @staticmethod
    def here(avals: Sequence[Any] = ()) -> Scope:
        """The scope of the code that runs, for arguments of these types, which may bring a mesh along."""
        mesh = jax.sharding.get_abstract_mesh()
        brought = (a.sharding.mesh for a in avals if mesh.empty and _says(a.sharding.mesh))
        return Scope(next(brought, mesh), jax_core.get_axis_env(), checks_varying.value)

    @contextmanager
    def entered(self) -> Iterator[None]:
        with jax.sharding.use_abstract_mesh(self.mesh), checks_varying(self.checked), use_axis_env(self.names):
            yield

    @property
    def is_typed(self) -> bool:
        """Whether the types of values say how they lie on the mesh, or along which axes they vary."""
        return _says(self.mesh)

    @property
    def batches(self) -> frozenset[Any]:
        """The names of axes that no mesh has: those of `jax.vmap`."""
        return frozenset(self.names.axis_sizes) - frozenset(self.mesh.manual_axes)

    def varying(self, aval: Any) -> Any:
        """A type of which nothing is known: it may vary along all axes that code is for one device of."""
        axes = frozenset(self.mesh.manual_axes) if self.checked else frozenset()
        sharding = jax.sharding.NamedSharding(self.mesh, jax.sharding.PartitionSpec(*[None] * aval.ndim))
        return aval.update(sharding=sharding, manual_axis_type=aval.mat.update(varying=axes)) if self.is_typed else aval


def _says(mesh: Any) -> bool:
    """Whether types say something of a mesh: of automatic axes they don't."""
    return not mesh.empty and not mesh.are_all_axes_auto


def abstract(aval: Any) -> jax.ShapeDtypeStruct:
    """An argument of a type, to trace with."""
    sharding = aval.sharding if _says(aval.sharding.mesh) else None
    return jax.ShapeDtypeStruct(
        aval.shape, aval.dtype, weak_type=aval.weak_type, sharding=sharding, manual_axis_type=aval.mat
    )


def names_in(jaxpr: Any) -> set[Any]:
    """The names of axes that the collectives of a traced function speak of."""
    found: set[Any] = set()
    for eqn in jaxpr.eqns:
        for key in ("axis_name", "axes"):
            names = eqn.params.get(key, ())
            found |= set(names) if isinstance(names, (tuple, list, set, frozenset)) else {names}
        for inner in jax_core.jaxprs_in_params(eqn.params):
            found |= names_in(inner)
    return found
