"""The training loop, as one compiled program that does many steps at a time."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

import gradir.jax
from gradir.errors import GradirError, InputError
from gradir.train.recipe import Recipe
from gradir.train.task import Task

__all__ = ["Diverged", "Loop", "State", "run"]

Tree = Any
CHUNK = 512
"""The most steps that the program does before the host has a word."""
BLOCK = 64
"""Steps whose losses are put with the others at once: XLA's CPU back end copies all of them to change one."""


class Diverged(GradirError):
    """A loss that is no number any more."""


@dataclass(frozen=True)
class State:
    """Where training stands: what the next step needs, and the losses so far."""

    parameters: Tree
    optimizer: Tree
    step: int = 0
    losses: np.ndarray[Any, Any] = field(default_factory=lambda: np.zeros(0, np.float32))


class Loop:
    """A task with a recipe, compiled.

    Each step depends on its number and the state alone, so that a run which is stopped and resumed anywhere gives the
    very numbers of one that is not.
    """

    shardings: tuple[Tree, Tree] | None = None
    """How the parameters and the optimiser's state lie on a mesh, if they lie on one."""

    def __init__(self, task: Task, recipe: Recipe) -> None:
        self.task, self.recipe = task, recipe
        self.data = self._held(task.checked_data())
        examples = [x.shape[0] for x in self.data.values() if x.ndim]
        self.examples = min(examples, default=1)
        self.batch = min(recipe.batch or self.examples, self.examples)
        if self.batch % recipe.accumulate:
            raise InputError(f"a batch of {self.batch} can't be computed in {recipe.accumulate} equal parts")
        self.steps = recipe.epochs * self.steps_per_epoch
        self.rate = np.float32(recipe.rate)
        self._advance = self._compiled()
        self._order = jax.jit(self.order)

    def _held(self, data: Mapping[str, Any]) -> dict[str, Any]:
        """The data, where steps take them from."""
        return {n: jnp.asarray(x) for n, x in data.items()}

    def _compiled(self) -> Any:
        return jax.jit(self._chunk)

    @property
    def steps_per_epoch(self) -> int:
        return self.examples // self.batch

    @property
    def is_whole(self) -> bool:
        """Whether a batch is all the data, in their order."""
        return self.batch == self.examples

    def start(self) -> State:
        parameters = self.task.first()
        return State(parameters, self.recipe.start(parameters))

    def advance(self, state: State, steps: int) -> State:
        """Do some steps, at most `CHUNK` and those that are left."""
        count = min(steps, self.chunk, self.steps - state.step)
        if count <= 0:
            return state
        parameters, optimizer, losses = self._advance(
            state.parameters, state.optimizer, state.step, count, *self._given(state.step, count), self.rate
        )
        done = np.concatenate([state.losses, np.asarray(losses)[:count]])
        return State(parameters, optimizer, state.step + count, done)

    @property
    def chunk(self) -> int:
        """The most steps at a time."""
        return CHUNK

    def _given(self, first: int, count: int) -> tuple[Any, Any]:
        """What the program takes for some steps: the examples of each, and the data."""
        return None if self.is_whole else self._orders(first, count), self.data

    def _orders(self, first: int, count: int) -> np.ndarray[Any, Any]:
        """The examples of each step's batch."""
        rows = np.zeros((CHUNK, self.batch), np.int32)
        for epoch in range(first // self.steps_per_epoch, (first + count - 1) // self.steps_per_epoch + 1):
            order = np.asarray(self._order(epoch))
            begin = epoch * self.steps_per_epoch
            here = slice(max(first, begin), min(first + count, begin + self.steps_per_epoch))
            rows[here.start - first : here.stop - first] = order[here.start - begin : here.stop - begin]
        return rows

    def order(self, epoch: Any) -> Any:
        """The examples of each step of an epoch, step by step."""
        examples = jnp.arange(self.examples, dtype=jnp.int32)
        if self.recipe.shuffle:
            examples = jax.random.permutation(jax.random.fold_in(jax.random.key(self.recipe.seed), epoch), examples)
        return examples[: self.steps_per_epoch * self.batch].reshape(self.steps_per_epoch, self.batch)

    def _chunk(
        self, parameters: Tree, optimizer: Tree, first: Any, count: Any, orders: Any, data: Mapping[str, Any], rate: Any
    ) -> tuple[Tree, Tree, Any]:
        def step(i: Any, carry: tuple[Tree, Tree, Any], begin: Any) -> tuple[Tree, Tree, Any]:
            parameters, optimizer, losses = carry
            batch = data if orders is None else self.batch_of(data, orders[begin + i])
            loss, _, parameters, optimizer = self.one_step(
                parameters, optimizer, first + begin + i, self.steps, batch, rate
            )
            return parameters, optimizer, lax.dynamic_update_slice(losses, loss.astype(jnp.float32)[None], (i,))

        def block(b: Any, carry: tuple[Tree, Tree, Any]) -> tuple[Tree, Tree, Any]:
            *state, losses = carry
            begin = b * BLOCK
            rounds = jnp.minimum(BLOCK, count - begin)
            *state, some = lax.fori_loop(0, rounds, partial(step, begin=begin), (*state, jnp.zeros(BLOCK, jnp.float32)))
            return *state, lax.dynamic_update_slice(losses, some, (begin,))

        blocks = (count + BLOCK - 1) // BLOCK
        return lax.fori_loop(0, blocks, block, (parameters, optimizer, jnp.zeros(CHUNK, jnp.float32)))

    def facts(self) -> dict[str, Any]:
        """What must be the same in all processes, by what it is about."""
        return {}

    def prepare(self, state: State) -> str:
        """Make the program ready to go on from a state, and give a digest of it."""
        return ""

    def fetched(self, tree: Tree) -> Tree:
        """Arrays of the state, whole and at hand."""
        return tree

    @staticmethod
    def batch_of(data: Mapping[str, Any], rows: Any) -> dict[str, Any]:
        """Some of the examples; what has no dimension is the same for all."""
        return {n: x[rows] if x.ndim else x for n, x in data.items()}

    def one_step(
        self, parameters: Tree, optimizer: Tree, step: Any, steps: Any, batch: Mapping[str, Any], rate: Any
    ) -> tuple[Any, Tree, Tree, Tree]:
        """A step of so many: the loss and its gradients, then the parameters and the optimiser's state after it."""
        scale = self.recipe.scale(optimizer)
        loss, gradients = self._loss_and_gradients(parameters, step, batch, scale)
        now = self.recipe.rate_at(step, steps, rate)
        parameters, optimizer = self.recipe.update(parameters, gradients, optimizer, now)
        return loss, gradients, parameters, optimizer

    def _loss_and_gradients(
        self, parameters: Tree, step: Any, batch: Mapping[str, Any], scale: Any
    ) -> tuple[Any, Tree]:
        """The loss and the gradients of its multiple, if it is scaled: means of those of the parts of a batch."""
        parts = self.recipe.accumulate

        def one(part: Any) -> tuple[Any, Tree]:
            some = batch if parts == 1 else {n: self._part(x, part) if x.ndim else x for n, x in batch.items()}
            loss = partial(self.loss, step=step, batch=some, part=part if parts > 1 else None)
            if scale is None:
                return gradir.jax.value_and_grad(loss)(parameters)
            scaled, gradients = gradir.jax.value_and_grad(lambda p: loss(p) * scale)(parameters)
            return scaled / scale, gradients

        if parts == 1:
            return one(0)
        start = jax.tree.map(lambda x: jnp.zeros(x.shape, x.dtype), jax.eval_shape(one, 0))
        total = lax.fori_loop(0, parts, lambda part, sums: jax.tree.map(jnp.add, sums, one(part)), start)
        return jax.tree.map(lambda x: x / parts, total)

    def _part(self, x: Any, part: Any) -> Any:
        """A part of a batch, in which each device has some of its own rows."""
        return x.reshape(-1, self.recipe.accumulate, *x.shape[1:])[:, part]

    def loss(self, parameters: Tree, step: Any, batch: Mapping[str, Any], part: Any = None) -> Any:
        given = {**parameters, **batch}
        if self.recipe.precision != "float32":
            given = jax.tree.map(partial(_lowered, dtype=jnp.dtype(self.recipe.precision)), given)
        if self.task.is_key("key") and "key" in self.task.arguments:
            given["key"] = jax.random.fold_in(jax.random.key(self.recipe.seed), step)
            if part is not None:
                given["key"] = jax.random.fold_in(given["key"], part)
        value = jnp.asarray(self.task.loss(*(given[n] for n in self.task.arguments)))
        if value.size != 1 or not jnp.issubdtype(value.dtype, jnp.floating):
            raise InputError(f"the loss must be one float, not {value.dtype}{list(value.shape)}")
        return value.reshape(()).astype(jnp.promote_types(value.dtype, jnp.float32))

    def check(self, before: State, after: State) -> None:
        """Complain of losses that are no numbers, and say which op made the first."""
        new = after.losses[before.step :]
        if np.isfinite(new).all():
            return
        step = before.step + int(np.argmin(np.isfinite(new)))
        message = f"the loss is {new[step - before.step]} in step {step}"
        at = self.advance(before, step - before.step) if step > before.step else before
        hint = "a smaller rate, --clip, or a look at the data for NaN"
        if self.task.explain is not None and np.isnan(new[step - before.step]):
            batch = self.data if self.is_whole else self.batch_of(self.data, self._orders(step, 1)[0])
            key = jax.random.fold_in(jax.random.key(self.recipe.seed), step)
            given = {**self.fetched(at.parameters), **batch, "key": key}
            self.task.explain(*(given[n] for n in self.task.arguments))
        raise Diverged(message, hint=hint)


def _lowered(x: Any, dtype: Any) -> Any:
    """A number of 32 bits in fewer."""
    return jnp.asarray(x).astype(dtype) if jnp.result_type(x) == jnp.float32 else x


def run(task: Task, recipe: Recipe | None = None, *, start: State | None = None) -> State:
    """Train, from the start or from where a state stands.

    Without a recipe, it is as the program's own settings say.
    """
    loop = Loop(task, recipe or Recipe.of(task.settings))
    state = start or loop.start()
    while state.step < loop.steps:
        before, state = state, loop.advance(state, CHUNK)
        loop.check(before, state)
    return state
