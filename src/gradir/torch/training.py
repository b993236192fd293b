"""Losses and gradients of modules, computed on XLA."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Hashable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, is_dataclass
from functools import partial
from typing import Any

import jax
import torch
from torch import nn
from torch.export.graph_signature import InputKind
from torch.utils._pytree import TreeSpec, tree_flatten, tree_unflatten

from gradir.backends import Executable
from gradir.errors import InputError
from gradir.module import Module
from gradir.torch.exchange import to_jax, to_torch
from gradir.torch.export import export
from gradir.torch.program import Program

__all__ = ["ValueAndGrad", "WithLoss", "marks", "own_name", "value_and_grad", "watched"]

Loss = Callable[..., torch.Tensor]
Tensors = dict[str, torch.Tensor]

KEPT = 64
"""How many programs of one module are kept: where there are more, something changes with every step for good."""


def value_and_grad(
    module: nn.Module, loss: Loss | None = None, *, has_aux: bool = False, **options: Any
) -> ValueAndGrad:
    """A function of a module's inputs that gives the loss, and the gradient of it by each parameter, by name.

    `loss` takes the module's output and, if it has more parameters that must be given, as many of the last inputs:
    `value_and_grad(model, F.cross_entropy)(x, y)` is the loss of `model(x)` and `y`. Without one, the module's output
    is the loss. With `has_aux`, the loss is the first of two, and the second is given back beside it. `options` are
    those of the XLA back end.

    >>> import torch
    >>> model = torch.nn.Linear(2, 1)
    >>> step = value_and_grad(model, torch.nn.functional.mse_loss)
    >>> loss, gradients = step(torch.ones(5, 2), torch.zeros(5, 1))
    >>> sorted(gradients)
    ['bias', 'weight']
    """
    return ValueAndGrad(module, loss, has_aux, options)


class ValueAndGrad:
    """The compiled loss and gradients of a module; one program for each set of shapes, types and modes that is met.

    Parameters and buffers are the module's own, and read where they lie; buffers that the module writes to are written
    to. Gradients are those by the parameters that require one.
    """

    def __init__(self, module: nn.Module, loss: Loss | None, has_aux: bool, options: Mapping[str, Any]) -> None:
        if not isinstance(module, nn.Module):
            raise InputError(f"a {type(module).__name__} is no torch.nn.Module", hint="wrap the function in a module")
        self.module = module
        self._objective = WithLoss(module, loss, has_aux)
        self._options = dict(options)
        self._compiled: dict[Any, _Compiled] = {}

    def __call__(self, *inputs: Any, seed: int | None = None, **keywords: Any) -> tuple[Any, dict[str, torch.Tensor]]:
        """The loss and the gradients. Random numbers are drawn from `seed`, or one that PyTorch's generator gives."""
        compiled, tensors, leaves = self._found(inputs, keywords)
        value, gradients = compiled(tensors, leaves, seed)
        return value, gradients | {own_name(name): torch.zeros_like(tensors[name]) for name in compiled.idle}

    def backward(self, *inputs: Any, seed: int | None = None, **keywords: Any) -> Any:
        """The loss, after adding the gradients to each parameter's `.grad`: what `loss.backward()` does in PyTorch."""
        compiled, tensors, leaves = self._found(inputs, keywords)
        value, gradients = compiled(tensors, leaves, seed)
        for name in compiled.trained:
            parameter, gradient = tensors[name], gradients[own_name(name)]
            parameter.grad = gradient if parameter.grad is None else parameter.grad + gradient
        return value

    def _found(self, inputs: tuple[Any, ...], keywords: Mapping[str, Any]) -> tuple[_Compiled, Tensors, list[Any]]:
        """The program for some inputs, made if it is the first of its kind; the module's tensors; the inputs, flat."""
        leaves, tree = tree_flatten((inputs, keywords))
        tensors = self._objective.tensors()
        seen = watched(self._objective)
        key = (tree, tuple(map(_mark, leaves)), marks(tensors), seen.values)
        if key not in self._compiled:
            while len(self._compiled) >= KEPT:
                del self._compiled[next(iter(self._compiled))]
            self._compiled[key] = _Compiled(self._objective, inputs, keywords, seen.held, self._options)
        return self._compiled[key], tensors, leaves


class WithLoss(nn.Module):  # type: ignore[misc]
    """A module with its loss, as one module."""

    def __init__(self, module: nn.Module, loss: Loss | None, has_aux: bool) -> None:
        super().__init__()
        self.module = module
        self.has_aux = has_aux
        self.targets = 0 if loss is None else _targets(loss)
        if isinstance(loss, nn.Module):
            self.loss = loss
        self.__dict__["of"] = loss  # not as a part of the module

    def forward(self, *inputs: Any, **keywords: Any) -> Any:
        split = len(inputs) - self.targets
        if split < 0:
            raise InputError(f"the loss takes {self.targets} of the inputs beside the output, and there are none")
        output = self.module(*inputs[:split], **keywords)
        found = output if self.of is None else self.of(output, *inputs[split:])
        value, rest = _parted(found) if self.has_aux else (found, None)
        if not isinstance(value, torch.Tensor) or value.numel() != 1 or not value.is_floating_point():
            raise InputError(
                f"the loss is {_described(value)}, not one real number",
                hint=None if self.of is not None else "give a loss: value_and_grad(module, loss)",
            )
        return value.reshape(()), rest

    def tensors(self) -> Tensors:
        """Parameters and buffers as they are now, under each of their names."""
        parameters = self.named_parameters(remove_duplicate=False)
        return dict(parameters) | dict(self.named_buffers(remove_duplicate=False))


def own_name(name: str) -> str:
    """As the user's module names its parameters; those of the loss begin with `loss.`"""
    return name.removeprefix("module.")


def _parted(found: Any) -> tuple[Any, Any]:
    if not isinstance(found, (tuple, list)) or len(found) != 2:
        raise InputError("with has_aux, a loss gives two: the loss itself, and what else is wanted")
    return found[0], found[1]


def _described(value: Any) -> str:
    if isinstance(value, torch.Tensor):
        return f"a tensor of shape {tuple(value.shape)} and type {value.dtype}"
    return f"a {type(value).__name__}"


def _targets(loss: Loss) -> int:
    """How many arguments a loss must be given beside the output."""
    called = loss.forward if isinstance(loss, nn.Module) else loss
    try:
        parameters = inspect.signature(called).parameters.values()
    except (TypeError, ValueError):
        return 0
    needed = [p for p in parameters if p.default is p.empty and p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)]
    return max(len(needed) - 1, 0)


# -- What a program was made for -------------------------------------------------------------------------------------


def _mark(leaf: Any) -> Any:
    """What of an input a program depends on: all of it, or of a tensor, all but its contents."""
    if isinstance(leaf, torch.Tensor):
        return leaf.shape, leaf.dtype, leaf.device.type
    if is_dataclass(leaf) or not isinstance(leaf, Hashable):
        kind = type(leaf).__name__
        hint = f"torch.export.register_dataclass({kind})" if is_dataclass(leaf) else "give tensors, or what has a hash"
        raise InputError(f"an input is a {kind}, into which PyTorch does not look", hint=hint)
    return type(leaf), leaf


def marks(tensors: Tensors) -> tuple[Any, ...]:
    """What of a module's tensors a program depends on: all but their contents, and which names are of the same one."""
    first: dict[int, int] = {}
    return tuple(
        (name, t.shape, t.dtype, t.device.type, t.requires_grad, first.setdefault(id(t), i))
        for i, (name, t) in enumerate(tensors.items())
    )


@dataclass(frozen=True)
class _Watched:
    """What a trace depends on beside its inputs, and may change between two calls."""

    values: tuple[Any, ...]
    """Numbers, modes and the like, of modules and of what the loss closes over; other objects by identity."""
    held: tuple[Any, ...]
    """The objects that are known by identity, so that no other takes it."""


def watched(objective: WithLoss) -> _Watched:
    values: list[Any] = []
    held: list[Any] = []
    for part in objective.modules():
        for name, value in part.__dict__.items():
            if name not in _BOOKKEEPING:
                _note(value, values, held)
        if not part.forward.__module__.startswith("torch."):
            _note_closure(part.forward, values, held)
    _note_closure(objective.of, values, held)
    return _Watched(tuple(values), tuple(held))


_BOOKKEEPING = {*vars(nn.Module()), "of"} - {"training"}
"""What every module has: its parameters, buffers, parts and hooks, which are looked at by other ways."""


def _note_closure(function: Any, values: list[Any], held: list[Any]) -> None:
    """The values that a function finds outside of itself: around it, globally, or in the object that it belongs to."""
    if isinstance(function, partial):
        _note([function.args, function.keywords], values, held)
        _note_closure(function.func, values, held)
    elif inspect.ismethod(function):
        _note_closure(function.__func__, values, held)
        if not isinstance(function.__self__, nn.Module):
            _note(getattr(function.__self__, "__dict__", None), values, held)
    elif inspect.isfunction(function):
        globally = function.__globals__
        for name in function.__code__.co_names:
            if name in globally:
                _note(globally[name], values, held)
        for cell in function.__closure__ or ():
            with suppress(ValueError):  # a name that has no value yet
                _note(cell.cell_contents, values, held)
        _note(function.__defaults__, values, held)
    elif function is not None and not isinstance(function, nn.Module):
        _note(getattr(function, "__dict__", None), values, held)


def _note(value: Any, values: list[Any], held: list[Any], depth: int = 3) -> None:
    if value is None or isinstance(value, (bool, int, float, complex, str, torch.dtype)):
        values.append((type(value), value))
    elif isinstance(value, (list, tuple, set, frozenset)) and depth:
        values.append(len(value))
        for item in value:
            _note(item, values, held, depth - 1)
    elif isinstance(value, dict) and depth:
        for key, item in value.items():
            values.append(str(key))
            _note(item, values, held, depth - 1)
    else:
        values.append(id(value))
        held.append(value)


# -- One program -----------------------------------------------------------------------------------------------------


class _Compiled:
    """The program for one set of shapes and modes."""

    def __init__(
        self,
        objective: WithLoss,
        inputs: tuple[Any, ...],
        keywords: Mapping[str, Any],
        held: Any,
        options: Mapping[str, Any],
    ) -> None:
        self._held = held
        program = Program(export(objective, inputs, keywords, name=type(objective.module).__name__))
        self._state = [a.name for a in program.arguments if a.is_state]
        self._constants = dict(program.exported.constants)
        tensors = objective.tensors()
        parameters = {n: p for n, p in objective.named_parameters() if p.requires_grad}
        # A parameter with several names is one argument for each: its gradient, under the first, is the sum of theirs.
        first = {id(p): name for name, p in parameters.items()}
        self._gradients = [
            (i, first[id(tensors[a.name])])
            for i, a in enumerate(program.arguments)
            if a.kind is InputKind.PARAMETER and id(tensors[a.name]) in first and a.is_used
        ]
        self.trained = list(dict.fromkeys(name for _, name in self._gradients))
        self.idle = [name for name in parameters if name not in self.trained]
        if not self.trained:
            raise InputError("the loss depends on no parameter that requires a gradient")
        module = program.module(constants=False)
        self._draws = program.draws
        devices = {tensors[name].device.type for name in self._state if name in tensors}
        self._run = _executable(module, [i for i, _ in self._gradients], devices, options)
        self._buffers = program.buffers
        self._tree: TreeSpec = program.exported.call_spec.out_spec
        self._has_aux = objective.has_aux

    def __call__(
        self, tensors: Tensors, leaves: Sequence[Any], seed: int | None
    ) -> tuple[Any, dict[str, torch.Tensor]]:
        values = [tensors[name] if name in tensors else self._constants[name] for name in self._state]
        values += [leaf for leaf in leaves if isinstance(leaf, torch.Tensor)]
        arrays = [to_jax(v) for v in values]
        if self._draws:
            arrays.append(to_jax(torch.randint(2**62, ()) if seed is None else torch.tensor(seed, dtype=torch.int64)))
        ran = jax.block_until_ready(self._run(*arrays))  # by then nothing reads the tensors' memory any more
        found = [to_torch(array) for array in ran]
        split = len(found) - len(self._gradients)
        results = found[: split - len(self._buffers)]
        with torch.no_grad():
            for name, new in zip(self._buffers, found[len(results) : split], strict=True):
                tensors[name].copy_(new)
        gradients: dict[str, torch.Tensor] = {}
        for (_, name), gradient in zip(self._gradients, found[split:], strict=True):
            own = own_name(name)
            gradients[own] = gradients[own] + gradient if own in gradients else gradient
        value, rest = tree_unflatten([*results, *[None] * (self._tree.num_leaves - len(results))], self._tree)
        return ((value, rest) if self._has_aux else value), gradients


def _executable(module: Module, wrt: Sequence[int], devices: set[str], options: Mapping[str, Any]) -> Executable:
    if len(devices) > 1:
        raise InputError(f"the module's tensors are on several devices: {', '.join(sorted(devices))}")
    platform = {"platform": "cpu" if devices <= {"cpu"} else "gpu"}
    derived = module.value_and_grad("main", wrt)
    return derived.compile("value_and_grad_main", **(platform | dict(options)))
