"""The loss of a module as a function of JAX arrays: for `gradir train`, for meshes of devices, for JAX's optimisers."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import torch
from torch import nn

from gradir.errors import InputError
from gradir.jax.functions import function
from gradir.torch.aten.table import dtype
from gradir.torch.exchange import to_jax
from gradir.torch.export import export
from gradir.torch.program import Program
from gradir.torch.training import Loss, WithLoss, marks, own_name, watched

__all__ = ["Objective", "objective"]

Array = Any


def objective(module: nn.Module, loss: Loss | None = None) -> Objective:
    """The loss of a module's output and the last inputs, as a function of JAX arrays.

    `loss` is as in `value_and_grad`. The function's arguments are the parameters, a dictionary that begins as `params`,
    the inputs, under the names of the module's and the loss's, and a random key (of use with dropout).

    >>> import torch
    >>> f = objective(torch.nn.Linear(2, 1), torch.nn.functional.mse_loss)
    >>> list(f.params), str(inspect.signature(f))
    (['weight', 'bias'], '(params, input, target, key)')
    >>> import gradir.jax, jax
    >>> step = jax.jit(gradir.jax.value_and_grad(f))
    >>> loss, gradients = step(f.params, jax.numpy.ones((5, 2)), jax.numpy.zeros((5, 1)))
    >>> gradients["weight"].shape
    (1, 2)
    """
    return Objective(module, loss)


class Objective:
    """The loss of a module, to be called with its parameters, inputs, and perhaps a random key.

    Parameters that require no gradient, and buffers, are part of the program as they are when it is traced.
    """

    params: dict[str, np.ndarray[Any, Any]]
    """The parameters that require a gradient, as they were when this was made, by name."""

    def __init__(self, module: nn.Module, loss: Loss | None) -> None:
        if not isinstance(module, nn.Module):
            raise InputError(f"a {type(module).__name__} is no torch.nn.Module", hint="wrap the function in a module")
        self._whole = _Widened(module, loss, has_aux=False)
        trained = {n: p for n, p in self._whole.named_parameters() if p.requires_grad}
        if not trained:
            raise InputError("the module has no parameter that requires a gradient")
        self.params = {own_name(n): np.array(to_jax(p)) for n, p in trained.items()}
        self._programs: dict[Any, _Program] = {}
        names = ["params", *_required(module.forward)]
        if loss is not None:
            names += _required(loss.forward if isinstance(loss, nn.Module) else loss)[1:]
        names.append("key")
        if len(set(names)) < len(names):
            raise InputError(
                f"two arguments have one name: {', '.join(names)}", hint="call them otherwise, in a loss of your own"
            )
        kind = inspect.Parameter.POSITIONAL_OR_KEYWORD
        self.__signature__ = inspect.Signature([inspect.Parameter(n, kind) for n in names])
        self.__name__ = f"the loss of {type(module).__name__}"

    def __call__(self, params: Mapping[str, Array], *given: Array) -> Array:
        """The loss. A random key, which comes last, may be left out where none is needed."""
        number = len(self.__signature__.parameters) - 2
        if not number <= len(given) <= number + 1:
            raise InputError(f"{self.__name__} takes {self.__signature__}, and has got {1 + len(given)} arguments")
        inputs = [jnp.asarray(x) for x in given[:number]]
        key = given[number] if len(given) > number else None
        if wrong := set(params) ^ set(self.params):
            raise InputError(f"{self.__name__} has other parameters: {', '.join(sorted(wrong))}")
        return self._program(inputs)(params, inputs, key)

    def _program(self, inputs: list[Array]) -> _Program:
        seen = watched(self._whole)
        shapes = tuple((x.shape, x.dtype.name) for x in inputs)
        at = (shapes, marks(self._whole.tensors()), seen.values)
        if at not in self._programs:
            self._programs[at] = _Program(self._whole, inputs, seen.held)
        return self._programs[at]


class _Widened(WithLoss):
    """A module with its loss, for integers of 32 bits as JAX has them: PyTorch's own are of 64."""

    def forward(self, *inputs: Any) -> Any:
        return super().forward(*(x.long() if x.dtype == torch.int32 else x for x in inputs))


class _Program:
    """The program for inputs of some shapes."""

    def __init__(self, whole: WithLoss, inputs: list[Array], held: Any) -> None:
        self._held = held
        name = type(whole.module).__name__
        program = Program(export(whole, tuple(_example(x) for x in inputs), {}, name=name))
        if program.buffers:
            written = ", ".join(map(own_name, program.buffers))
            raise InputError(
                f"{name} writes to its buffers {written}, which are no parameters",
                hint="call eval() on the layers that do, or train it by gradir.torch.value_and_grad",
            )
        tensors = whole.tensors()
        first = {id(p): own_name(n) for n, p in whole.named_parameters() if p.requires_grad}
        state = [a.name for a in program.arguments if a.is_state and a.name in tensors]
        self._sources: list[Callable[[Mapping[str, Array]], Array]] = [
            _from_params(first[id(t)], t) if id(t := tensors[n]) in first else _fixed(to_jax(t)) for n in state
        ]
        self._draws = program.draws
        self._run = function(program.module(seed=jnp.uint32), "main")

    def __call__(self, params: Mapping[str, Array], inputs: list[Array], key: Array | None) -> Array:
        values = [source(params) for source in self._sources]
        if not self._draws:
            return self._run(*values, *inputs)
        if key is None:
            raise InputError("the module draws random numbers", hint="give a key, as the last argument")
        return self._run(*values, *inputs, jax.random.bits(key, (), jnp.uint32))


def _from_params(name: str, like: torch.Tensor) -> Callable[[Mapping[str, Array]], Array]:
    """A parameter, in the type that the program was made for."""
    kind = dtype(like.dtype)
    return lambda params: jnp.asarray(params[name]).astype(kind)


def _fixed(value: Array) -> Callable[[Mapping[str, Array]], Array]:
    return lambda _: value


def _example(x: Array) -> torch.Tensor:
    """A tensor like an array that is yet to come."""
    kind = getattr(torch, x.dtype.name, None)
    if not isinstance(kind, torch.dtype):
        raise InputError(f"PyTorch has no tensors of {x.dtype.name}")
    return torch.zeros(tuple(x.shape), dtype=kind)


def _required(called: Any) -> list[str]:
    """The names of the arguments that a function must be given."""
    positional = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
    found = inspect.signature(called).parameters.values()
    return [p.name for p in found if p.default is p.empty and p.kind in positional]
