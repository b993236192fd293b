"""What `gradir.load` takes, and which of the two levels reads it."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from gradir.errors import InputError

__all__ = ["load"]

_LLVM_TEXT = re.compile(r"^(?:define|declare|target (?:triple|datalayout)|source_filename|; ModuleID)\b", re.MULTILINE)
_BITCODE_MAGICS = (b"BC\xc0\xde", b"\xde\xc0\x17\x0b")


def load(
    source: Any,
    *,
    flags: Sequence[str] = (),
    compiler: str | None = None,
    libraries: Sequence[str] = (),
    signature: Any = None,
    optimise_first: bool = True,
) -> Any:
    """Read a program.

    A StableHLO program (a path, MLIR text, bytes, or what JAX lowers and exports) gives a `Module`. Native code gives a
    `NativeModule`: a path or a list of paths to C, C++, Fortran, Rust or LLVM files, LLVM text or bitcode, or a
    function compiled by Numba. The options are for native code: `flags` and `compiler` for the compiler, shared
    `libraries` that the code calls, the Numba `signature`, and whether to optimise before differentiating.

    >>> m = load("func.func @f(%x: tensor<f32>) -> tensor<f32> { return %x : tensor<f32> }")
    >>> m.function("f")
    Signature(name='f', ...)
    >>> m = load("define double @square(double %x) {\\n %y = fmul double %x, %x\\n ret double %y\\n}")
    >>> m.square(3.0)
    9.0
    """
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
    if flags or compiler or libraries or signature is not None:
        raise InputError("flags, compiler, libraries and signature are for native code, not for StableHLO")
    from gradir import module

    return module.load(source)


def _is_native(source: Any) -> bool:
    if isinstance(source, (list, tuple)):
        return True
    if isinstance(source, bytes):
        return source.startswith(_BITCODE_MAGICS)
    if isinstance(source, (str, os.PathLike)):
        text = os.fspath(source)
        if isinstance(source, str) and "\n" in source:
            return _LLVM_TEXT.search(source) is not None
        from gradir.frontends.suffixes import SUFFIXES

        return Path(text).suffix in SUFFIXES
    from gradir.frontends.numba import is_dispatcher

    return is_dispatcher(source)
