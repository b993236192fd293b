"""StableHLO modules as something to train: their functions, to be called with JAX arrays."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import jax
import numpy as np

from gradir import module
from gradir.definitions import Definitions
from gradir.errors import InputError, RequestError
from gradir.jax.primitive import call
from gradir.jax.program import program_in
from gradir.tensor.ir.signature import Signature, TensorSpec

__all__ = ["FORMATS", "stablehlo_definitions", "zeros"]

FORMATS = tuple(module.FORMATS)


def stablehlo_definitions(path: Path) -> Definitions:
    """The public functions of a module. It holds nothing else: no parameters, data or settings."""
    program = module.load(path).lower(keeps_ends=True)
    signatures = program.functions

    def get(name: str) -> Any:
        signature = signatures.get(name)
        return None if signature is None else _Function(program, signature, str(path))

    return Definitions(path, path.read_bytes(), get, lambda f: f.names, tuple(signatures))


def zeros(found: Definitions, function: str, names: Sequence[str] | None) -> dict[str, Any]:
    """Zeros of the shapes of some arguments."""
    shapes = found.get(function).shapes
    if not names:
        hint = f"--params, of {', '.join(shapes)}"
        raise RequestError(f"which arguments of {function} are trained?", location=str(found.path), hint=hint)
    for name in names:
        if name not in shapes:
            hint = f"it has {', '.join(shapes)}"
            raise RequestError(f"{function} has no argument '{name}'", location=str(found.path), hint=hint)
    return {n: np.zeros(shapes[n].shape, shapes[n].dtype) for n in names}


class _Function:
    """A function of a StableHLO module."""

    def __init__(self, program: module.Module, signature: Signature, source: str) -> None:
        self.signature, self.source = signature, source
        self.names = [_argument_name(spec, i) for i, spec in enumerate(signature.arguments)]
        self.shapes = dict(zip(self.names, signature.arguments, strict=True))
        if len(self.shapes) < len(self.names):
            raise InputError(f"two arguments of @{signature.name} have one name", location=source)
        if not signature.is_static:
            hint = "export it for the shapes of a batch"
            raise InputError(f"@{signature.name} leaves dimensions open: {signature}", location=source, hint=hint)
        self.program = program_in(program.ir, signature.name)

    def __call__(self, *arguments: Any) -> Any:
        given = [self._given(*one) for one in zip(arguments, self.names, self.signature.arguments, strict=True)]
        results = call(self.program, *given)
        return results[0] if len(results) == 1 else results

    def _given(self, value: Any, name: str, spec: TensorSpec) -> Any:
        array = jax.numpy.asarray(value)
        if jax.numpy.issubdtype(array.dtype, jax.dtypes.prng_key):
            array = jax.random.key_data(array)
        if array.shape != spec.shape or array.dtype != spec.dtype:
            is_batch = array.ndim and array.shape[1:] == spec.shape[1:] and array.dtype == spec.dtype
            raise InputError(
                f"{name} is {array.dtype}{list(array.shape)}, and @{self.signature.name} takes {spec}",
                location=self.source,
                hint=f"--batch {spec.shape[0]}" if is_batch else None,
            )
        return array


def _argument_name(spec: TensorSpec, position: int) -> str:
    """`w.a` for JAX's `w['a']`; the position, where an argument has no name."""
    return ".".join(re.findall(r"\w+", spec.name or "")) or f"arg{position}"
