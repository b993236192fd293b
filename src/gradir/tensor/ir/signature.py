"""What a function takes and gives, as NumPy sees it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from operator import index
from typing import Any, Literal, SupportsIndex

import ml_dtypes
import numpy as np
from jaxlib.mlir import ir
from jaxlib.mlir.dialects import func

from gradir.errors import RequestError, nearest

__all__ = ["Signature", "TensorSpec", "Wrt", "element_dtype", "places", "signature"]

Wrt = int | str | Sequence[int | str]
"""Arguments, by number or name."""

_DTYPES = {
    "i1": "bool",
    **{f"i{n}": f"int{n}" for n in (2, 4, 8, 16, 32, 64)},
    **{f"ui{n}": f"uint{n}" for n in (2, 4, 8, 16, 32, 64)},
    "bf16": "bfloat16",
    **{f"f{n}": f"float{n}" for n in (16, 32, 64)},
    "complex<f32>": "complex64",
    "complex<f64>": "complex128",
    "f4E2M1FN": "float4_e2m1fn",
    "f6E2M3FN": "float6_e2m3fn",
    "f6E3M2FN": "float6_e3m2fn",
    "f8E3M4": "float8_e3m4",
    "f8E4M3": "float8_e4m3",
    "f8E4M3B11FNUZ": "float8_e4m3b11fnuz",
    "f8E4M3FN": "float8_e4m3fn",
    "f8E4M3FNUZ": "float8_e4m3fnuz",
    "f8E5M2": "float8_e5m2",
    "f8E5M2FNUZ": "float8_e5m2fnuz",
    "f8E8M0FNU": "float8_e8m0fnu",
}


@cache
def element_dtype(element: str) -> np.dtype[Any] | None:
    """The NumPy dtype of an MLIR element type; None where NumPy has none.

    >>> element_dtype("bf16")
    dtype(bfloat16)
    """
    name = _DTYPES.get(element)
    if name is None:
        return None
    return np.dtype(getattr(ml_dtypes, name) if hasattr(ml_dtypes, name) else name)


@dataclass(frozen=True)
class TensorSpec:
    """The shape and element type of an argument or a result. A dimension known at run time only is None.

    >>> print(TensorSpec((2, None), "f32"))
    tensor<2x?xf32>
    """

    shape: tuple[int | None, ...]
    element: str
    name: str | None = None

    @property
    def dtype(self) -> np.dtype[Any] | None:
        return element_dtype(self.element)

    @property
    def kind(self) -> Literal["truth", "integer", "real", "complex"]:
        """What numbers its elements are."""
        if self.element == "i1":
            return "truth"
        if self.element.startswith(("i", "ui")):
            return "integer"
        return "complex" if self.element.startswith("complex") else "real"

    def accepts(self, shape: tuple[int, ...]) -> bool:
        return len(shape) == len(self.shape) and all(
            want is None or want == got for want, got in zip(self.shape, shape, strict=True)
        )

    def __str__(self) -> str:
        return f"tensor<{'x'.join([*('?' if n is None else str(n) for n in self.shape), self.element])}>"


@dataclass(frozen=True)
class Signature:
    """A function's name, arguments and results.

    >>> print(Signature("f", (TensorSpec((3,), "f32", "x"),), (TensorSpec((), "f32"),)))
    f(x: tensor<3xf32>) -> tensor<f32>
    """

    name: str
    arguments: tuple[TensorSpec, ...]
    results: tuple[TensorSpec, ...]

    @property
    def is_static(self) -> bool:
        """Whether every dimension is known before a call."""
        return all(None not in spec.shape for spec in (*self.arguments, *self.results))

    def __str__(self) -> str:
        arguments = ", ".join(f"{a.name}: {a}" if a.name else str(a) for a in self.arguments)
        results = ", ".join(map(str, self.results))
        return f"{self.name}({arguments}) -> {results if len(self.results) == 1 else f'({results})'}"


def places(given: Signature, wrt: Wrt, location: str | None = None) -> tuple[int, ...]:
    """The numbers of arguments.

    >>> places(Signature("f", (TensorSpec((3,), "f32", "x"), TensorSpec((), "f32", "rate")), ()), ["rate", -2])
    (1, 0)
    """
    count, names = len(given.arguments), [spec.name for spec in given.arguments]
    try:
        listed = [wrt] if isinstance(wrt, (str, SupportsIndex)) else list(wrt)
        asked = [which if isinstance(which, str) else index(which) for which in listed]
    except TypeError:
        hint = "say which arguments by number or name: wrt=(0, 'x')"
        raise RequestError(f"wrt={wrt!r}", location=location, hint=hint) from None
    found = []
    for which in asked:
        if isinstance(which, str) and which not in names:
            known = [name for name in names if name]
            hint = f"its arguments are {', '.join(known)}" if known else "its arguments have no names: give numbers"
            message = f"@{given.name} has no argument '{which}'"
            raise RequestError(message, location=location, hint=nearest(which, known, hint))
        if not isinstance(which, str) and not -count <= which < count:
            message = f"wrt={which}: @{given.name} has {count} argument{'s' * (count != 1)}"
            raise RequestError(message, location=location)
        found.append(names.index(which) if isinstance(which, str) else which % count)
    return tuple(found)


def signature(function: func.FuncOp) -> Signature:
    """The signature of an MLIR function. JAX keeps the names of arguments as their locations."""
    kind = function.type
    locations: list[ir.Location | None] = [None] * len(kind.inputs)
    if not function.is_external:
        locations = [argument.location for argument in function.entry_block.arguments]
    return Signature(
        ir.StringAttr(function.attributes["sym_name"]).value,
        tuple(_spec(t, loc) for t, loc in zip(kind.inputs, locations, strict=True)),
        tuple(_spec(t) for t in kind.results),
    )


def _spec(t: ir.Type, location: ir.Location | None = None) -> TensorSpec:
    name = location.name_str if isinstance(location, ir.NameLoc) else None
    if not isinstance(t, ir.RankedTensorType):
        return TensorSpec((), str(t), name)
    shape = tuple(None if t.is_dynamic_dim(d) else t.get_dim_size(d) for d in range(t.rank))
    return TensorSpec(shape, str(t.element_type), name)
