"""Reading programs quickly: attributes and constants as Python values, each converted once.

Attributes and types are unique in their context, so what has been read from one holds for all that are equal to it.
"""

from __future__ import annotations

import re
from typing import Any

import ml_dtypes
import numpy as np
from jaxlib.mlir import ir
from jaxlib.mlir.dialects import stablehlo as hlo

from gradir.tensor.ir.context import remembered
from gradir.tensor.ir.expr import Expr

Number = int | float | complex | bool

_ints: dict[ir.Attribute, tuple[int, ...]] = remembered()
_texts: dict[ir.Attribute | ir.Type, str] = remembered()
_splats: dict[ir.Attribute, tuple[Number | None]] = remembered()
_kinds: dict[ir.Type, str] = remembered()
_directions: dict[ir.Attribute, str] = remembered()
_arrays: dict[ir.Attribute, tuple[np.ndarray | None]] = remembered()


def maker(value: ir.Value) -> ir.Operation | None:
    """The op that a value is a result of; None for an argument of a block."""
    owner = value.owner
    return None if isinstance(owner, ir.Block) else owner.operation


def made_by(value: ir.Value | Expr, name: str) -> ir.Operation | None:
    """The op that a value is the result of, if it has this name (without its dialect)."""
    op = maker(value.value if isinstance(value, Expr) else value)
    return op if op is not None and op.name == f"stablehlo.{name}" else None


def ints(op: ir.Operation, name: str) -> tuple[int, ...]:
    """An attribute that is an array of integers."""
    attr = op.attributes[name]
    found = _ints.get(attr)
    if found is None:
        found = _ints[attr] = (
            tuple(attr)
            if not isinstance(attr, ir.DenseIntElementsAttr)
            else tuple(int(i) for i in np.array(attr).ravel())
        )
    return found


def text_of(it: ir.Attribute | ir.Type) -> str:
    """How an attribute or a type is printed."""
    found = _texts.get(it)
    if found is None:
        found = _texts[it] = str(it)
    return found


def integer(op: ir.Operation, name: str) -> int:
    """An attribute that is an integer."""
    return ir.IntegerAttr(op.attributes[name]).value


def direction(op: ir.Operation) -> str:
    """In which direction a compare compares: `LT`, `EQ`, …"""
    attr = op.attributes["comparison_direction"]
    found = _directions.get(attr)
    if found is None:
        found = _directions[attr] = str(hlo.ComparisonDirectionAttr(attr).value)
    return found


def kind(t: ir.Type) -> str:
    """Of what a tensor is made: `float`, `complex`, `int`, `bool`, or `` for anything else (a quantised type, a token).

    Tensors whose shape is not known, or that have no elements, are none of these: the optimiser leaves them alone.
    """
    found = _kinds.get(t)
    if found is None:
        found = _kinds[t] = _kind(t)
    return found


def _kind(t: ir.Type) -> str:
    if not isinstance(t, ir.RankedTensorType) or not t.has_static_shape or t.encoding is not None or 0 in t.shape:
        return ""
    e = t.element_type
    if isinstance(e, ir.FloatType):
        return "float"
    if isinstance(e, ir.ComplexType):
        return "complex"
    if isinstance(e, ir.IntegerType):
        return "bool" if e.width == 1 else "int"
    return ""


def float_type(t: ir.Type) -> ir.FloatType | None:
    """The floats that a tensor is made of, or its complex numbers; None if there are none."""
    e = t.element_type if isinstance(t, ir.RankedTensorType) else None
    e = e.element_type if isinstance(e, ir.ComplexType) else e
    return e if isinstance(e, ir.FloatType) else None


def is_bound(op: ir.Operation) -> bool:
    """Whether attributes tie a loop or a branch to what it is: its results to devices, or the op to a rule of ours.

    Others that such an op may have are hints, which may go with it.
    """
    return any(a.startswith(("mhlo.sharding", "sdy.", "gradir.", "enzyme.")) for a in op.attributes)


def splat_of(value: ir.Value) -> Number | None:
    """The number that a constant holds everywhere, if it is one."""
    return number_in(maker(value))


def number_in(op: ir.Operation | None) -> Number | None:
    """The number that a constant holds everywhere, by the op that makes it."""
    if op is None or op.name != "stablehlo.constant":
        return None
    of = kind(op.result.type)
    if of == "":  # no numbers, or none that are known; and the bindings can't hold attributes of complex ones
        return None
    if of == "complex":
        return _complex_in(op)
    attr = op.attributes["value"]
    found = _splats.get(attr)
    if found is None:
        found = _splats[attr] = (_splat(attr, of),)
    return found[0]


_COMPLEX = re.compile(r"dense<\(([^,()]*),([^,()]*)\)>")


def _complex_in(op: ir.Operation) -> complex | None:
    """The complex number that a constant holds everywhere, as it is printed.

    A copy is printed, which stands nowhere: else all values of the function would be numbered. What holds several
    numbers is not written out.
    """
    match = _COMPLEX.search(op.clone(ip=False).get_asm(assume_verified=True, large_elements_limit=1))  # type: ignore[arg-type]
    parts = [_float(text) for text in match.groups()] if match else [None]
    return None if None in parts else complex(*parts)  # type: ignore[arg-type]


def _splat(attr: ir.Attribute, of: str) -> Number | None:
    if not isinstance(attr, ir.DenseElementsAttr) or not attr.is_splat:
        return None
    value = attr.get_splat_value()
    number: Number = value.value  # type: ignore[attr-defined]
    if of == "bool":
        return bool(number)
    return number


def _float(text: str) -> float | None:
    try:
        return float(text)
    except ValueError:  # hexadecimal: not a number, or infinite
        return None


_DTYPES: dict[str, Any] = {
    "f16": np.float16, "f32": np.float32, "f64": np.float64, "bf16": ml_dtypes.bfloat16, "i1": np.bool_,
    "complex<f32>": np.complex64, "complex<f64>": np.complex128,
    **{f"{p}{n}": np.dtype(f"{'u' if p == 'ui' else ''}int{n}").type for p in ("i", "ui") for n in (8, 16, 32, 64)},
}  # fmt: skip
_dtypes: dict[ir.Type, tuple[Any]] = remembered()


def dtype(t: ir.Type) -> Any:
    """NumPy's type for the elements, or None."""
    found = _dtypes.get(t)
    if found is None:
        found = _dtypes[t] = (_DTYPES.get(str(t)),)
    return found[0]


def array_of(value: ir.Value) -> np.ndarray | None:
    """The elements of a constant of integers, truth values or 32- and 64-bit floats, of up to 4096 of them."""
    op = maker(value)
    if op is None or op.name != "stablehlo.constant" or kind(value.type) not in ("float", "int", "bool"):
        return None
    attr = op.attributes["value"]
    found = _arrays.get(attr)
    if found is None:
        found = _arrays[attr] = (_array(attr, value.type),)
    return found[0]


def _array(attr: ir.Attribute, t: ir.Type) -> np.ndarray | None:
    assert isinstance(t, ir.RankedTensorType)
    of = dtype(t.element_type)
    if of is None or of is ml_dtypes.bfloat16 or int(np.prod(t.shape)) > 4096:
        return None
    if not isinstance(attr, ir.DenseElementsAttr):  # it is kept elsewhere, or sparse
        return None
    if attr.is_splat:
        return np.full(t.shape, attr.get_splat_value().value, of)  # type: ignore[attr-defined]
    return np.array(attr).astype(of, copy=False).reshape(t.shape)


def single_use(value: ir.Value) -> bool:
    """Whether one op uses a value, and once."""
    uses = iter(value.uses)
    return next(uses, None) is not None and next(uses, None) is None


def is_used(value: ir.Value) -> bool:
    return next(iter(value.uses), None) is not None
