"""`gradir.load` of a module or an exported program."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import torch
from torch import nn
from torch.export import ExportedProgram

from gradir.errors import InputError
from gradir.module import Module
from gradir.torch.export import export, lowered_to_table
from gradir.torch.program import Program

__all__ = ["inputs_of", "load"]


def load(
    source: nn.Module | ExportedProgram,
    example_inputs: Any = None,
    example_kwargs: Mapping[str, Any] | None = None,
) -> Module:
    """A module at some inputs, or an exported program, as a StableHLO module with the function `main`.

    Its arguments are parameters, buffers and inputs, each under its name, and last a `seed` if it draws random numbers.
    Its results are the module's, flat, then the new contents of the buffers that it writes to.

    >>> import torch
    >>> m = load(torch.nn.Linear(2, 1, bias=False), torch.zeros(3, 2))
    >>> print(m.function("main"))
    main(weight: tensor<1x2xf32>, input: tensor<3x2xf32>) -> tensor<3x1xf32>
    """
    if isinstance(source, ExportedProgram):
        if example_inputs is not None or example_kwargs:
            raise InputError("an exported program has its inputs already", hint="load it without example inputs")
        return Program(lowered_to_table(source)).module()
    args, kwargs = inputs_of(source, example_inputs, example_kwargs)
    return Program(export(source, args, kwargs)).module()


def inputs_of(
    module: nn.Module, inputs: Any, keywords: Mapping[str, Any] | None
) -> tuple[tuple[Any, ...], dict[str, Any]]:
    """What a module is called with: a tensor, a tuple of inputs, or keywords alone."""
    if inputs is None and not keywords:
        raise InputError(
            f"a {type(module).__name__} needs example inputs to be traced", hint="gradir.load(module, (x, …))"
        )
    if inputs is None:
        return (), dict(keywords or {})
    args = tuple(inputs) if isinstance(inputs, (tuple, list)) else (inputs,)
    if not any(isinstance(leaf, torch.Tensor) for leaf in torch.utils._pytree.tree_leaves((args, keywords))):
        raise InputError(f"example inputs are tensors, not {type(inputs).__name__}")
    return args, dict(keywords or {})
