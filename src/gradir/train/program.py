"""The program of a package: training as functions of tensors, with the loops of epochs and batches around a step.

    train(data…, parameters…, rate, epochs) -> (parameters…, last loss)
    train_step(the loss's arguments) -> (loss, gradients…)
    loss(the loss's arguments) -> loss
    predict(its arguments) -> its results

with dictionaries flattened in the order of their keys.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jaxlib.mlir import ir
from jaxlib.mlir.dialects import arith, func, scf

import gradir.jax
from gradir.backends.iree import avoid_trouble
from gradir.definitions import leaf_names
from gradir.errors import InputError
from gradir.tensor.ir import expr as E
from gradir.tensor.ir.expr import Expr
from gradir.tensor.ir.module import clone, functions, merged
from gradir.tensor.optimize import optimize
from gradir.train.loop import Loop

__all__ = ["ENTRIES", "Interface", "add_training", "pieces"]

Tree = Any

ENTRIES = ("train", "train_step", "loss", "predict")
INNER = ("update", "start", "order")
"""What `train` is made of."""


@dataclass(frozen=True)
class Interface:
    """What the functions of a package take and give, by name and in order."""

    loop: Loop

    @cached_property
    def given(self) -> list[str]:
        """The loss's arguments that are given by whoever calls it, which random keys are not."""
        known = {*self.loop.data, *self.loop.task.parameters}
        return [n for n in self.loop.task.arguments if n in known]

    @cached_property
    def trained(self) -> list[str]:
        return [n for n in self.given if n in self.loop.task.parameters]

    @cached_property
    def values(self) -> dict[str, Tree]:
        """The data and the first parameters."""
        return {**self.loop.data, **self.loop.task.parameters}

    @cached_property
    def arguments(self) -> dict[str, list[str]]:
        return {
            "train": [*self.loop.data, *self.leaves(self.trained), "rate", "epochs"],
            "train_step": self.leaves(self.given),
            "loss": self.leaves(self.given),
            "predict": self.leaves(self.loop.task.predict_arguments),
        }

    @cached_property
    def results(self) -> dict[str, list[str]]:
        parameters = self.leaves(self.trained)
        return {"train": [*parameters, "loss"], "train_step": ["loss", *parameters], "loss": ["loss"]}

    def leaves(self, names: Sequence[str]) -> list[str]:
        """The names of arguments, those of trees by their leaves."""
        return [".".join([name, *words]) for name in names for words in leaf_names(self.values[name])]


def pieces(interface: Interface, wanted: Collection[str]) -> ir.Module:
    """The functions that are wanted of `ENTRIES`, and what `train` is made of, optimised. It is not in it itself."""
    made = _Pieces(interface).all()
    kept = {n: piece for n, piece in made.items() if n in wanted or (n in INNER and "train" in wanted)}
    lowered = {name: _lowered(f, given) for name, (f, given) in kept.items()}
    for module in lowered.values():
        optimize(module)
        avoid_trouble(module)
    return merged(lowered, private=INNER)


class _Pieces:
    """The functions in JAX, with the shapes that they are for."""

    def __init__(self, interface: Interface) -> None:
        self.interface, self.loop, self.task = interface, interface.loop, interface.loop.task
        self.shapes: dict[str, Tree] = {n: jax.tree.map(_shape, v) for n, v in interface.values.items()}
        self.batch = {**self.shapes, **{n: self._of_batch(self.shapes[n]) for n in self.loop.data}}

    def _of_batch(self, whole: jax.ShapeDtypeStruct) -> jax.ShapeDtypeStruct:
        return jax.ShapeDtypeStruct((self.loop.batch, *whole.shape[1:]), whole.dtype) if whole.shape else whole

    def all(self) -> dict[str, tuple[Callable[..., Any], Sequence[Tree]]]:
        """Each with its arguments."""
        loop, given = self.loop, self.interface.given
        parameters = [self.shapes[n] for n in self.interface.trained]
        state = jax.eval_shape(loop.recipe.start, dict(zip(self.interface.trained, parameters, strict=True)))
        count, rate = jax.ShapeDtypeStruct((), jnp.int32), jax.ShapeDtypeStruct((), jnp.float32)
        order = [] if loop.is_whole else [jax.ShapeDtypeStruct((loop.steps_per_epoch, loop.batch), jnp.int32)]
        found: dict[str, tuple[Callable[..., Any], Sequence[Tree]]] = {
            "loss": (self.loss, [self.batch[n] for n in given]),
            "train_step": (self.train_step, [self.batch[n] for n in given]),
            "update": (
                self.update, [{n: self.shapes[n] for n in loop.data}, parameters, state, count, count, rate, *order]
            ),
            "start": (self.start, parameters),
        }  # fmt: skip
        if order:
            found["order"] = (loop.order, [count])
        if self.task.predict is not None:
            missing = [n for n in self.task.predict_arguments if n not in self.shapes]
            if missing:
                raise InputError(f"predict takes {', '.join(missing)}, of which the shape is not known")
            found["predict"] = (self.task.predict, [self.batch[n] for n in self.task.predict_arguments])
        return found

    def loss(self, *given: Tree) -> Any:
        values = dict(zip(self.interface.given, given, strict=True))
        trained = {n: values.pop(n) for n in self.interface.trained}
        return self.loop.loss(trained, 0, values)

    def train_step(self, *given: Tree) -> Any:
        places = tuple(i for i, n in enumerate(self.interface.given) if n in self.interface.trained)
        return gradir.jax.value_and_grad(self.loss, argnums=places)(*given)

    def update(
        self, data: Tree, values: Sequence[Tree], state: Tree, step: Any, steps: Any, rate: Any, *order: Any
    ) -> Any:
        names = self.interface.trained
        batch = self.loop.batch_of(data, order[0][step % self.loop.steps_per_epoch]) if order else data
        before = dict(zip(names, values, strict=True))
        value, gradients, after, state = self.loop.one_step(before, state, step, steps, batch, rate)
        return [after[n] for n in names], state, value, [gradients[n] for n in names]

    def start(self, *values: Tree) -> Tree:
        return self.loop.recipe.start(dict(zip(self.interface.trained, values, strict=True)))


def _shape(x: Any) -> jax.ShapeDtypeStruct:
    return jax.ShapeDtypeStruct(np.shape(x), jnp.asarray(x).dtype)


def _lowered(function: Callable[..., Any], given: Sequence[Tree]) -> ir.Module:
    return clone(jax.jit(function, keep_unused=True).lower(*given).compiler_ir("stablehlo"))


# -- The loops ---------------------------------------------------------------------------------------------------------


def add_training(module: ir.Module, loop: Loop, name: str = "train", *, gradients: bool = False) -> None:
    """Add `train`: the loops of epochs and batches around `update`. With the last step's gradients, if asked for.

    The loops are of the `scf` dialect: IREE 3.13 can't compile a `stablehlo.while` that carries its limit.
    """
    with module.context, ir.Location.unknown():
        _Training(module, loop, gradients).add(name)


@dataclass(frozen=True)
class _Training:
    """The function `train`, while it is written."""

    module: ir.Module
    loop: Loop
    gradients: bool

    def add(self, name: str) -> None:
        found = functions(self.module)
        update, start = found["update"], found["start"]
        inputs, state = len(self.loop.data), len(start.type.results)
        trained = len(jax.tree.leaves(dict(self.loop.task.parameters)))
        types, made = list(update.type.inputs), list(update.type.results)
        if not self.gradients:
            made = made[: trained + state + 1]
        kept = [*range(trained), *range(trained + state, len(made))]
        i32 = ir.IntegerType.get_signless(32)
        rate_type = ir.RankedTensorType.get([], ir.F32Type.get())
        with ir.InsertionPoint(self.module.body):
            train = func.FuncOp(name, ([*types[: inputs + trained], rate_type, i32], [made[i] for i in kept]))
        block = train.add_entry_block()
        with ir.InsertionPoint(block):
            *given, rate, epochs = block.arguments
            data, parameters = given[:inputs], given[inputs:]
            first = [*parameters, *(func.CallOp(start, parameters).results if state else ())]
            per_epoch = arith.constant(i32, self.loop.steps_per_epoch)
            steps, zero = _scalar(arith.muli(epochs, per_epoch)), E.full(E.tensor([], i32), 0).value
            # Counters are carried: IREE 3.13 trips over unsigned numbers that are made of a loop's own. And only where
            # they are of use: a package is to be small.
            counts = any(True for _ in update.entry_block.arguments[inputs + len(first)].uses)

            def one_step(carried: Sequence[ir.Value], order: Sequence[ir.Value]) -> list[ir.Value]:
                step = carried[-1] if counts else zero
                now = [*data, *carried[: len(first)], step, steps, rate, *order]
                return [*list(func.CallOp(update, now).results)[: len(made)], *([_next(step)] if counts else ())]

            def one_epoch(carried: Sequence[ir.Value]) -> list[ir.Value]:
                if "order" not in found:
                    return one_step(carried, ())
                order = func.CallOp(found["order"], [carried[-1]]).results
                return [*_for(per_epoch, carried[:-1], lambda now: one_step(now, order)), _next(carried[-1])]

            counters = [zero] * (counts + ("order" in found))
            done = _for(epochs, [*first, *(E.full(t, 0).value for t in made[len(first) :]), *counters], one_epoch)
            func.ReturnOp([done[i] for i in kept])


def _for(
    count: ir.Value, start: Sequence[ir.Value], body: Callable[[Sequence[ir.Value]], Sequence[ir.Value]]
) -> list[ir.Value]:
    """So many rounds of a body, from what is carried into a round to what is carried out of it."""
    index = ir.IndexType.get()
    low, one = (arith.constant(index, n) for n in (0, 1))
    loop = scf.ForOp(low, arith.index_cast(index, count), one, list(start))
    with ir.InsertionPoint(loop.body):
        scf.YieldOp(list(body(list(loop.inner_iter_args))))
    return list(loop.results)


def _next(counter: ir.Value) -> ir.Value:
    return (Expr(counter) + 1).value


def _scalar(value: ir.Value) -> ir.Value:
    """A number as a tensor. (jaxlib has no `tensor` dialect; IREE reads the op's generic form.)"""
    to = ir.RankedTensorType.get([], value.type)
    return ir.Operation.create("tensor.from_elements", [to], [value]).result
