"""Losses and gradients of modules, computed on XLA."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import torch
from torch import nn
from torch.export.graph_signature import InputKind
from torch.utils._pytree import TreeSpec, tree_flatten, tree_unflatten

from gradir.backends import Executable
from gradir.errors import InputError
from gradir.torch.exchange import to_jax, to_torch
from gradir.torch.export import export
from gradir.torch.program import Argument, Program

__all__ = ["ValueAndGrad", "value_and_grad"]

Loss = Callable[..., torch.Tensor]


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
        self._objective = _Objective(module, loss, has_aux)
        self._options = dict(options)
        self._compiled: dict[Any, _Compiled] = {}

    def __call__(self, *inputs: Any, seed: int | None = None, **keywords: Any) -> tuple[Any, dict[str, torch.Tensor]]:
        """The loss and the gradients. Random numbers are drawn from `seed`, or one that PyTorch's generator gives."""
        leaves, tree = tree_flatten((inputs, keywords))
        watched = _watched(self._objective)
        key = (tree, tuple(map(_mark, leaves)), watched.values, watched.marks)
        compiled = self._compiled.get(key)
        if compiled is None:
            compiled = self._compile(inputs, keywords, watched)
            self._compiled[key] = compiled
        return compiled(leaves, seed)

    def backward(self, *inputs: Any, seed: int | None = None, **keywords: Any) -> Any:
        """The loss, after adding the gradients to each parameter's `.grad`: what `loss.backward()` does in PyTorch."""
        value, gradients = self(*inputs, seed=seed, **keywords)
        for name, parameter in self._objective.parameters_by_name():
            if name in gradients:
                gradient = gradients[name]
                parameter.grad = gradient if parameter.grad is None else parameter.grad + gradient
        return value

    def _compile(self, inputs: tuple[Any, ...], keywords: Mapping[str, Any], watched: _Watched) -> _Compiled:
        return _Compiled(self._objective, inputs, keywords, watched, self._options)


class _Objective(nn.Module):  # type: ignore[misc]
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

    def parameters_by_name(self) -> Iterator[tuple[str, nn.Parameter]]:
        """As the user's module names them; those of the loss begin with `loss.`"""
        for name, parameter in self.named_parameters():
            yield name.removeprefix("module."), parameter


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
    needed = [
        p
        for p in parameters
        if p.default is p.empty and p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)
    ]
    return max(len(needed) - 1, 0)


# -- What a program was made for -------------------------------------------------------------------------------------


def _mark(leaf: Any) -> Any:
    """What of an input a program depends on: all of it, or of a tensor, all but its contents."""
    if isinstance(leaf, torch.Tensor):
        return leaf.shape, leaf.dtype, leaf.device.type
    return type(leaf), leaf


@dataclass(frozen=True)
class _Watched:
    """What a trace depends on beside its inputs, and may change between two calls."""

    values: tuple[Any, ...]
    """Numbers, modes and the like, of modules and of what the loss closes over; other objects by identity."""
    marks: tuple[Any, ...]
    """Types and places of parameters and buffers."""
    held: tuple[Any, ...]
    """The objects that are known by identity, so that no other takes it."""


def _watched(objective: _Objective) -> _Watched:
    values: list[Any] = []
    held: list[Any] = []
    for part in objective.modules():
        for name, value in part.__dict__.items():
            if name[0] != "_" and name != "of":
                _note(value, values, held)
    for value in _closed_over(objective.of):
        _note(value, values, held)
    marks = tuple(
        (name, t.shape, t.dtype, t.device.type, t.requires_grad)
        for group in (objective.named_parameters(), objective.named_buffers())
        for name, t in group
    )
    return _Watched(tuple(values), marks, tuple(held))


def _closed_over(function: Any) -> list[Any]:
    """The values that a function finds outside of itself: in the functions around it, and globally."""
    if not inspect.isfunction(function):
        return []
    cells = [c.cell_contents for c in function.__closure__ or () if _is_full(c)]
    named = [function.__globals__[n] for n in function.__code__.co_names if n in function.__globals__]
    return [*cells, *named, *(function.__defaults__ or ())]


def _is_full(cell: Any) -> bool:
    try:
        return bool(cell.cell_contents) or True
    except ValueError:
        return False


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
        objective: _Objective,
        inputs: tuple[Any, ...],
        keywords: Mapping[str, Any],
        watched: _Watched,
        options: Mapping[str, Any],
    ) -> None:
        self._watched = watched
        program = Program(export(objective, inputs, keywords))
        self._state = _state(program, objective)
        parameters = dict(objective.named_parameters())
        names = {id(p): name for name, p in objective.parameters_by_name()}
        # A parameter with several names is one argument for each: its gradient is the sum of theirs.
        self._gradients = [
            (i, names[id(tensor)])
            for i, (tensor, argument) in enumerate(self._state)
            if argument.kind is InputKind.PARAMETER and tensor.requires_grad
        ]
        if not parameters or not self._gradients:
            raise InputError("the module has no parameters that require a gradient")
        module = program.module(constants=False)
        self._draws = program.draws
        self._run = _executable(module, [i for i, _ in self._gradients], self._state, options)
        self._buffers = [dict(objective.named_buffers())[name] for name in program.buffers]
        self._tree: TreeSpec = program.exported.call_spec.out_spec
        self._has_aux = objective.has_aux
        self._idle = {
            name: p for name, p in objective.parameters_by_name() if p.requires_grad and name not in self._named
        }

    @property
    def _named(self) -> set[str]:
        return {name for _, name in self._gradients}

    def __call__(self, leaves: Sequence[Any], seed: int | None) -> tuple[Any, dict[str, torch.Tensor]]:
        values = [tensor for tensor, _ in self._state]
        values += [leaf for leaf in leaves if isinstance(leaf, torch.Tensor)]
        arrays = [to_jax(v) for v in values]
        if self._draws:
            arrays.append(to_jax(torch.randint(2**62, ()) if seed is None else torch.tensor(seed, dtype=torch.int64)))
        found = [to_torch(array) for array in self._run(*arrays)]
        split = len(found) - len(self._gradients)
        results = found[: split - len(self._buffers)]
        with torch.no_grad():
            for buffer, new in zip(self._buffers, found[len(results) : split], strict=True):
                buffer.copy_(new)
        gradients: dict[str, torch.Tensor] = {}
        for (_, name), gradient in zip(self._gradients, found[split:], strict=True):
            gradients[name] = gradients[name] + gradient if name in gradients else gradient
        gradients |= {name: torch.zeros_like(p, requires_grad=False) for name, p in self._idle.items()}
        value, rest = tree_unflatten([*results, *[None] * (self._tree.num_leaves - len(results))], self._tree)
        return ((value, rest) if self._has_aux else value), gradients


def _state(program: Program, objective: _Objective) -> list[tuple[torch.Tensor, Argument]]:
    """The module's tensors that a program takes, in its order."""
    own = dict(objective.named_parameters(remove_duplicate=False)) | dict(
        objective.named_buffers(remove_duplicate=False)
    )
    constants = program.exported.constants
    return [
        (own[a.name] if a.name in own else constants[a.name], a) for a in program.arguments if a.is_state
    ]


def _executable(
    module: Any, wrt: Sequence[int], state: Sequence[tuple[torch.Tensor, Argument]], options: Mapping[str, Any]
) -> Executable:
    devices = {tensor.device.type for tensor, _ in state}
    if len(devices) > 1:
        raise InputError(f"the module's tensors are on several devices: {', '.join(sorted(devices))}")
    platform = {"platform": "cpu" if devices <= {"cpu"} else "gpu"}
    derived = module.value_and_grad("main", wrt)
    return derived.compile("value_and_grad_main", **(platform | dict(options)))
