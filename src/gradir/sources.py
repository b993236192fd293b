"""What `gradir.load` takes, and which of the two levels reads it."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import FunctionType
from typing import Any

from gradir.errors import InputError
from gradir.frontends.languages import SUFFIXES, by_content
from gradir.frontends.mlir.levels import level_of

__all__ = ["load"]


def load(
    source: Any,
    example_inputs: Any = None,
    example_kwargs: Mapping[str, Any] | None = None,
    *,
    flags: Sequence[str] = (),
    compiler: str | None = None,
    libraries: Sequence[str] = (),
    signature: Any = None,
    optimise_first: bool = True,
) -> Any:
    """Read a program.

    A StableHLO program (a path, MLIR text, bytes, or what JAX lowers and exports) gives a `Module`: JAX has left
    `stop_gradient` and rules of functions' own out of it, which `gradir.jax` honours. Native code gives a
    `NativeModule`: a path or a list of paths to C, C++, Fortran, Rust or LLVM files, LLVM text or bitcode, or a
    function compiled by Numba. The options are for native code: `flags` and `compiler` for the compiler, shared
    `libraries` that the code calls, the Numba `signature`, and whether to optimise before differentiating.

    MLIR's own dialects (`memref`, `scf`, `linalg`, …) are native code, too, once upstream MLIR has lowered them; a
    module that has StableHLO besides gives a `MixedModule`.

    A `.cu` file gives a `CudaModule`, whose kernels are launched as `m["f"][grid, block](…)`; so does the LLVM IR for
    NVPTX that was made of one.

    A function of Numba that has not been compiled yet is compiled for its `signature`, or for the types of
    `example_inputs`.

    A module of PyTorch gives a `Module`, too, with `example_inputs` (a tensor, or a tuple) and `example_kwargs` that it
    is traced at; so does an `ExportedProgram`, which has them (see `gradir.torch`).

    >>> m = load("func.func @f(%x: tensor<f32>) -> tensor<f32> { return %x : tensor<f32> }")
    >>> m.function("f")
    Signature(name='f', ...)
    >>> m = load("define double @square(double %x) {\\n %y = fmul double %x, %x\\n ret double %y\\n}")
    >>> m.square(3.0)
    9.0
    """
    if _is_torch(source):
        _refuse_options(flags, compiler, libraries, signature)
        from gradir.torch.loading import load as load_torch

        return load_torch(source, example_inputs, example_kwargs)
    if example_inputs is not None and signature is None and example_kwargs is None and _is_numba(source):
        from gradir.frontends.numba import types_of

        example_inputs, signature = None, types_of(example_inputs)
    if isinstance(source, FunctionType):
        raise InputError(
            f"{source.__name__} is a function of Python, which nothing has compiled yet",
            hint="gradir.load(numba.njit(f), (x,)), gradir.load(jax.jit(f).lower(x)) or gradir.tensorflow.load(f, x)",
        )
    if example_inputs is not None or example_kwargs is not None:
        raise InputError(
            f"example inputs are not for a {type(source).__name__}",
            hint="they say at what a module of PyTorch is traced, and for what types a function of Numba is compiled",
        )
    if _is_kernels(source):
        from gradir.frontends import cuda

        if libraries or signature is not None:
            raise InputError("libraries and signature are not for CUDA's kernels")
        return cuda.load(Path(source), flags=flags, compiler=compiler)
    if _is_native(source):
        from gradir import native

        return native.load(
            source,
            flags=flags,
            compiler=compiler,
            libraries=libraries,
            signature=signature,
            optimise_first=optimise_first,
        )
    _refuse_options(flags, compiler, libraries, signature)
    if (content := _mlir_content(source)) is not None and (level := level_of(content)).is_machine:
        return _load_core_mlir(source, content, level.name, optimise_first)
    from gradir import module

    return module.load(source)


def _mlir_content(source: Any) -> str | bytes | None:
    """MLIR that is given as text, as bytes or in a file; None for anything else."""
    if isinstance(source, bytes):
        return source
    if isinstance(source, str) and (set(source) & set('{}()"\n') or not source.strip()):
        return source
    if isinstance(source, (str, os.PathLike)) and Path(source).is_file():
        return Path(source).read_bytes()
    return None


def _load_core_mlir(source: Any, content: str | bytes, level: str, optimise_first: bool) -> Any:
    """MLIR's own dialects, with StableHLO besides if the level is mixed."""
    from gradir import native

    if content is source:
        name, given = "<text>", content.encode() if isinstance(content, str) else content
        machine = native.load(given, optimise_first=optimise_first)
    else:
        name = str(source)
        machine = native.load(source, languages={Path(source): "core-mlir"}, optimise_first=optimise_first)
    if level == "machine":
        return machine
    from gradir.mixed import MixedModule

    return MixedModule.of(machine, content, name)


def _refuse_options(flags: Sequence[str], compiler: str | None, libraries: Sequence[str], signature: Any) -> None:
    if flags or compiler or libraries or signature is not None:
        raise InputError("flags, compiler, libraries and signature are for native code, not for StableHLO")


def _is_torch(source: Any) -> bool:
    """Whether this is a module of PyTorch's or an exported program: nobody has one who hasn't imported `torch`."""
    torch = sys.modules.get("torch")
    if torch is None:
        return False
    exported = sys.modules.get("torch.export")
    return isinstance(source, torch.nn.Module) or (
        exported is not None and isinstance(source, exported.ExportedProgram)
    )


def _is_kernels(source: Any) -> bool:
    """Whether this is a file of CUDA's kernels, or LLVM IR that was made of one."""
    if not isinstance(source, (str, os.PathLike)) or (isinstance(source, str) and "\n" in source):
        return False
    path = Path(source)
    if path.suffix == ".cu":
        return True
    if path.suffix != ".ll" or not path.is_file():
        return False
    with path.open("rb") as file:
        return b'target triple = "nvptx64' in (head := file.read(4096)) and b" ptx_kernel " in head + file.read()


def _is_native(source: Any) -> bool:
    if isinstance(source, (list, tuple)):
        return True
    if isinstance(source, bytes):
        return by_content(source) == "llvm"
    if isinstance(source, str) and "\n" in source:
        return by_content(source.encode()) == "llvm"
    if isinstance(source, (str, os.PathLike)):
        return Path(source).suffix in SUFFIXES
    return _is_numba(source)


def _is_numba(source: Any) -> bool:
    from gradir.frontends.numba import is_dispatcher

    return is_dispatcher(source)
