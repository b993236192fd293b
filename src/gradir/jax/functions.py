"""Functions of modules as JAX functions: under `jit`, `vmap`, `grad` and each other, like JAX's own."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

import jax

from gradir.errors import InputError, RequestError
from gradir.jax.primitive import call
from gradir.jax.program import program_in
from gradir.module import Module

__all__ = ["function"]


def function(f: Any, fn: str | None = None) -> Callable[..., Any]:
    """A function of a `Module`, to be called on JAX arrays, in and outside of all transformations.

    >>> import gradir, jax
    >>> m = gradir.load('''func.func @square(%x: tensor<f32>) -> tensor<f32> {
    ...   %y = stablehlo.multiply %x, %x : tensor<f32>
    ...   return %y : tensor<f32>
    ... }''')
    >>> float(jax.jit(jax.grad(function(m, "square")))(3.0))
    6.0
    """
    if isinstance(f, Module):
        return _of_module(f, fn)
    raise RequestError(f"a {type(f).__name__} is no module", hint="give what gradir.load gives")


def _of_module(module: Module, fn: str | None) -> Callable[..., Any]:
    signature = module.function(fn)
    if not signature.is_static:
        raise InputError(
            f"{signature.name} has dimensions that are known at run time only: {signature}",
            hint="give it shapes, e.g. by Module.run",
        )
    program = program_in(module.lower().ir, signature.name)

    def called(*args: Any) -> Any:
        if len(args) != len(program.ins):
            raise InputError(f"{signature.name} takes {len(program.ins)} arguments, not {len(args)}")
        arrays = [
            _fitted(x, aval, i, signature.name) for i, (x, aval) in enumerate(zip(args, program.ins, strict=True))
        ]
        results = call(program, *arrays)
        return results[0] if len(results) == 1 else tuple(results)

    named = [spec.name or "" for spec in signature.arguments]
    distinct = len(set(named)) == len(named) and all(map(str.isidentifier, named))
    names = named if distinct else [f"arg{i}" for i in range(len(named))]
    positional = inspect.Parameter.POSITIONAL_ONLY
    called.__signature__ = inspect.Signature([inspect.Parameter(n, positional) for n in names])  # type: ignore[attr-defined]
    called.__name__ = called.__qualname__ = signature.name
    return called


def _fitted(x: Any, aval: Any, i: int, name: str) -> Any:
    """A number takes the type of the argument; an array must have it."""
    if isinstance(x, (bool, int, float, complex)):
        x = jax.numpy.asarray(x, aval.dtype)
    found = jax.typeof(x)
    if found.shape != aval.shape or found.dtype != aval.dtype:
        raise InputError(f"argument {i} of {name}: expected {aval.str_short()} but got {found.str_short()}")
    return x
