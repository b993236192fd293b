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


def function(
    f: Any,
    fn: str | None = None,
    *,
    outputs: Any = None,
    grid: Any = None,
    block: Any = None,
    shared: Any = 0,
    **given: Any,
) -> Callable[..., Any]:
    """A native function, a CUDA kernel or a function of a `Module`, to be called on JAX arrays, in and outside of all
    transformations.

    A native function is called by XLA itself, on the CPU. A kernel is launched by XLA where it runs on a GPU, and
    emulated on the CPU; it takes `grid`, `block` and `shared` (the bytes of `extern __shared__` memory), the sizes of
    its launch, or functions that compute these from arguments by their names.

    Arrays are given for arrays and floating-point numbers (a number will do for these), integers by value as they are:
    they are static. Results are what the function returns, and the arrays that it writes (or those of them that
    `outputs` names). Keywords say what arguments are that are left out: of an array that is written the shape, of
    others the value; a function of other arguments' names computes either, from shapes.

    >>> import gradir, jax
    >>> m = gradir.load('''func.func @square(%x: tensor<f32>) -> tensor<f32> {
    ...   %y = stablehlo.multiply %x, %x : tensor<f32>
    ...   return %y : tensor<f32>
    ... }''')
    >>> float(jax.jit(jax.grad(function(m, "square")))(3.0))
    6.0
    """
    from gradir.frontends.cuda import CudaModule
    from gradir.native import NativeFunction, NativeModule

    if isinstance(f, CudaModule):
        from gradir.jax.native import kernel_function
        from gradir.native.cuda import CudaLayout

        if grid is None or block is None:
            raise RequestError("a kernel needs the sizes of its launch", hint="give grid=… and block=…")
        return kernel_function(CudaLayout(f, fn, given, outputs, grid=grid, block=block, shared=shared))
    if grid is not None or block is not None:
        raise RequestError("only CUDA kernels have a grid and blocks")
    if isinstance(f, Module):
        if given or outputs is not None:
            raise RequestError("a StableHLO function takes all of its arguments and gives all of its results")
        return _of_module(f, fn)
    if isinstance(f, NativeModule):
        f = f.function(fn)
    if isinstance(f, NativeFunction):
        from gradir.jax.native import native_function
        from gradir.native.pure import Pure

        return native_function(Pure(f, given, outputs))
    raise RequestError(f"a {type(f).__name__} is no native function or module", hint="give what gradir.load gives")


def _of_module(module: Module, fn: str | None) -> Callable[..., Any]:
    signature = module.function(fn)
    if not signature.is_static:
        raise InputError(
            f"{signature.name} has dimensions that are known at run time only: {signature}",
            hint="give it shapes, e.g. by Module.run",
        )
    program = program_in(module.lower(keeps_ends=True).ir, signature.name)

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
