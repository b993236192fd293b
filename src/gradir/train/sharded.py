"""The training loop on a mesh of devices, in one process or in several."""

from __future__ import annotations

import hashlib
import zlib
from collections.abc import Mapping
from typing import Any

import jax
import numpy as np

from gradir.train.loop import BLOCK, CHUNK, Loop, State
from gradir.train.mesh import Layout
from gradir.train.recipe import Recipe
from gradir.train.task import Task
from gradir.version import __version__

__all__ = ["ShardedLoop", "placed"]

Tree = Any
Array = Any
FEED = 64 << 20
"""Bytes of batches that the program is given at once."""


class ShardedLoop(Loop):
    """The loop of a task on a mesh. It is the program of one device, which XLA's partitioner splits.

    So a step sees the examples that it sees on one device, and its loss is the same but for the order of sums. The data
    stay where they are, in memory or in a file: before each chunk of steps a process reads the rows of its own devices.
    """

    shardings: tuple[Tree, Tree]

    def __init__(self, task: Task, recipe: Recipe, layout: Layout) -> None:
        self.layout = layout
        parameters = dict(task.parameters)
        state = jax.eval_shape(recipe.start, parameters)
        self.shardings = layout.of_parameters(parameters), layout.of_state(state, parameters)
        super().__init__(task, recipe)
        layout.check_batch(self.batch // recipe.accumulate)
        self._all = self._batches(None) if self.is_whole else None

    def _held(self, data: Mapping[str, Any]) -> dict[str, Any]:
        return {n: x if isinstance(x, np.ndarray) else np.asarray(x) for n, x in data.items()}

    def _compiled(self) -> Any:
        return jax.jit(self._chunk, out_shardings=(*self.shardings, self.layout.whole))

    def one_step(self, *given: Any) -> tuple[Any, Tree, Tree, Tree]:
        with self.layout.entered():
            return super().one_step(*given)

    @property
    def chunk(self) -> int:
        if self.is_whole:
            return CHUNK
        size = sum(x[:1].nbytes * self.batch for x in self.data.values() if x.ndim)
        return max(1, min(BLOCK, FEED // max(size, 1)))

    def start(self) -> State:
        on, state_on = self.shardings
        parameters = self.task.first(on)
        if self.task.init is None:
            parameters = jax.tree.map(placed, parameters, on)
        return State(parameters, jax.jit(self.recipe.start, out_shardings=state_on)(parameters))

    def _given(self, first: int, count: int) -> tuple[Any, Any]:
        if self._all is not None:
            return None, self._all
        return np.arange(self.chunk, dtype=np.int32), self._batches(self._orders(first, count)[:count])

    def _batches(self, orders: Array | None) -> dict[str, Any]:
        """The examples of each step, one step behind the other; or all of them. A process reads its own."""
        return {n: self._fed(x, orders) for n, x in self.data.items()}

    def _fed(self, x: Array, orders: Array | None) -> Any:
        if not x.ndim:
            return placed(x, self.layout.whole)
        dtype = jax.dtypes.canonicalize_dtype(x.dtype)
        if orders is None:
            return placed(x, self.layout.of_batch())
        count = len(orders)

        def rows(index: tuple[slice, ...]) -> Array:
            """A part of the batches, of which some steps at the end may not be needed, and are not read."""
            _, examples, *rest = index
            some = x[orders[:, examples]][:, :, *rest]
            made = np.zeros((self.chunk, *some.shape[1:]), dtype)
            made[:count] = some
            return made

        return jax.make_array_from_callback((self.chunk, self.batch, *x.shape[1:]), self.layout.of_batch(None), rows)

    def facts(self) -> dict[str, Any]:
        return {
            "a gradir": __version__,
            "a JAX": jax.__version__,
            "a program": self.task.identity,
            "first parameters": self._first_digest(),
            **{f"data of {n}": _digest(x) for n, x in self.data.items()},
            **{f"the setting {n}": value for n, value in self.recipe.settings().items()},
            "a mesh": self.layout.sizes,
            "rules to split": repr(self.layout.rules),
        }

    def _first_digest(self) -> int:
        """A checksum of the first parameters, or of what makes them."""
        if self.task.init is not None:
            return zlib.crc32(jax.jit(self.task.init).lower().as_text().encode())
        return zlib.crc32(b"".join(np.asarray(x).tobytes() for _, x in self.task.leaves()))

    def prepare(self, state: State) -> str:
        given = self._given(state.step, 1)
        lowered = self._advance.lower(state.parameters, state.optimizer, state.step, 1, *given, self.rate)
        return hashlib.sha256(lowered.as_text().encode()).hexdigest()[:16]

    def fetched(self, tree: Tree) -> Tree:
        whole = jax.jit(lambda t: t, out_shardings=self.layout.whole)(tree)
        return jax.tree.map(np.asarray, whole)


def _digest(x: Array) -> str:
    """What some data are: their type, and a checksum of a hundred examples of them."""
    some = x[np.linspace(0, len(x) - 1, 100).astype(int)] if x.ndim and len(x) > 100 else x
    return f"{x.dtype}{list(x.shape)} {zlib.crc32(np.asarray(some).tobytes()):08x}"


def placed(x: Array, sharding: Any) -> Any:
    """An array on a mesh, of which this process puts its own parts there."""
    host = x if isinstance(x, np.ndarray) else np.asarray(x)
    dtype = jax.dtypes.canonicalize_dtype(host.dtype)
    return jax.make_array_from_callback(host.shape, sharding, lambda index: np.asarray(host[index], dtype))
