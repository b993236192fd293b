"""Constant folding: ops whose operands are all constants, of up to 1024 elements, are computed here.

Arithmetic, comparisons and roots are exact; elementary functions are NumPy's, which may differ from a device's in the
last digit. What comes out infinite or undefined is left to the device.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import ml_dtypes
import numpy as np
from jaxlib.mlir import ir

from gradir.tensor import expr as E
from gradir.tensor.expr import Expr
from gradir.tensor.optimize.reading import array_of, direction, dtype, integer, ints, kind, splat_of
from gradir.tensor.optimize.rule import Family

folding = Family("folding", "ops of constants")

LARGEST = 1024

UNARY: dict[str, Callable[..., Any]] = {
    "abs": np.abs, "negate": np.negative, "ceil": np.ceil, "floor": np.floor, "sign": np.sign, "not": np.invert,
    "sqrt": np.sqrt, "exponential": np.exp, "exponential_minus_one": np.expm1, "log": np.log, "log_plus_one": np.log1p,
    "sine": np.sin, "cosine": np.cos, "tan": np.tan, "tanh": np.tanh, "cbrt": np.cbrt, "round_nearest_even": np.rint,
    "rsqrt": lambda x: 1 / np.sqrt(x), "logistic": lambda x: 1 / (1 + np.exp(-x)), "is_finite": np.isfinite,
}  # fmt: skip
BINARY: dict[str, Callable[..., Any]] = {
    "add": np.add, "subtract": np.subtract, "multiply": np.multiply, "divide": np.divide, "maximum": np.maximum,
    "minimum": np.minimum, "power": np.power, "atan2": np.arctan2, "and": np.bitwise_and, "or": np.bitwise_or,
    "xor": np.bitwise_xor, "remainder": np.fmod,
}  # fmt: skip
EXACT = {
    "abs", "negate", "ceil", "floor", "sign", "not", "is_finite", "round_nearest_even", "add", "subtract", "multiply",
    "divide", "maximum", "minimum", "and", "or", "xor", "remainder",
}  # fmt: skip
_COMPARE: dict[str, Callable[..., Any]] = {
    "LT": np.less, "LE": np.less_equal, "GT": np.greater, "GE": np.greater_equal, "EQ": np.equal, "NE": np.not_equal,
}  # fmt: skip


def _constant(op: ir.Operation, made: Any) -> Expr | None:
    """A constant of an op's type; None if it has an element that is infinite or not a number."""
    t = op.results[0].type
    of = dtype(t.element_type)
    made = np.asarray(made)
    if of is None or of is ml_dtypes.bfloat16 or (made.dtype.kind == "f" and not np.isfinite(made).all()):
        return None
    if made.ndim == 0:
        return E.full(t, made.astype(of).item())
    return E.array(made.astype(of), t.element_type)


def _values(op: ir.Operation) -> list[Any] | None:
    """The operands: numbers if they are the same everywhere, else arrays."""
    numbers = [splat_of(v) for v in op.operands]
    types = [dtype(v.type.element_type) for v in op.operands]
    if all(n is not None and not isinstance(n, complex) for n in numbers) and None not in types:
        return [t(n) for t, n in zip(types, numbers, strict=True)]
    arrays = [array_of(v) for v in op.operands]
    if any(a is None or a.size > LARGEST for a in arrays):
        return None
    return arrays


def _fold(name: str, compute: Callable[..., Any], operands: str) -> None:
    def fold(op: ir.Operation) -> Expr | None:
        values = _values(op)
        if values is None or kind(op.operands[0].type) not in ("float", "int", "bool"):
            return None
        if name in ("divide", "remainder", "power") and kind(op.operands[0].type) != "float":
            return None
        with np.errstate(all="ignore"):
            return _constant(op, compute(*values))

    fold.__doc__ = f"{name} of constants is a constant."
    pattern = f"{'and_' if name == 'and' else 'or_' if name == 'or' else 'not_' if name == 'not' else name}({operands})"
    folding.rule(pattern, name=f"fold_{name}", rounds=name not in EXACT, operands=("constant",))(fold)


for _name, _compute in UNARY.items():
    _fold(_name, _compute, "x")
for _name, _compute in BINARY.items():
    _fold(_name, _compute, "x, y")


@folding.rule("compare(x, y)", "bool", operands=("constant",))
def fold_compare(op: ir.Operation) -> Expr | None:
    """compare of constants is a constant."""
    values = _values(op)
    return None if values is None else _constant(op, _COMPARE[direction(op)](*values))


@folding.rule("where(p, x, y)", operands=("constant",))
def fold_select(op: ir.Operation) -> Expr | None:
    """select of constants is a constant."""
    values = _values(op)
    return None if values is None else _constant(op, np.where(*values))


@folding.rule("clamp(a, x, b)", "real", operands=("constant",))
def fold_clamp(op: ir.Operation) -> Expr | None:
    """clamp of constants is a constant."""
    values = _values(op)
    if values is None:
        return None
    a, x, b = values
    return _constant(op, np.minimum(np.maximum(x, a), b))


@folding.rule("convert(x)", operands=("constant",))
def fold_convert(op: ir.Operation) -> Expr | None:
    """convert of a constant is a constant."""
    values, of = _values(op), dtype(op.results[0].type.element_type)
    if values is None or of is None or kind(op.results[0].type) == "complex":
        return None
    source, target = kind(op.operands[0].type), kind(op.results[0].type)
    if source == "float" and target != "float":
        return None
    value = np.asarray(values[0])
    if source == "int" and target == "int" and (value.astype(of).astype(np.int64) != value.astype(np.int64)).any():
        return None
    return _constant(op, value.astype(bool) if target == "bool" else value.astype(of))


def _fold_moved(name: str, compute: Callable[[ir.Operation, np.ndarray], np.ndarray]) -> None:
    def fold(op: ir.Operation, x: Expr) -> Expr | None:
        value = array_of(x.value)
        if value is None or value.size > LARGEST or E.size(op.results[0].type.shape) > LARGEST:
            return None
        return _constant(op, compute(op, value)) if op.results[0].type.rank else None

    fold.__doc__ = f"{name} of a constant is a constant."
    folding.rule(f"{name}(x)", name=f"fold_{name}", operands=("constant",))(fold)


def _sliced(op: ir.Operation, x: np.ndarray) -> np.ndarray:
    parts = zip(ints(op, "start_indices"), ints(op, "limit_indices"), ints(op, "strides"), strict=True)
    return x[tuple(slice(*p) for p in parts)]


_fold_moved("reshape", lambda op, x: x.reshape(op.results[0].type.shape))
_fold_moved("transpose", lambda op, x: x.transpose(ints(op, "permutation")))
_fold_moved("slice", _sliced)
_fold_moved("reverse", lambda op, x: np.flip(x, ints(op, "dimensions")))


@folding.rule("concatenate(*xs)", when=lambda op: all(array_of(v) is not None for v in op.operands))
def fold_concatenate(op: ir.Operation, xs: list[Expr]) -> Expr | None:
    """concatenate of small constants is a constant."""
    if E.size(op.results[0].type.shape) > LARGEST or len(xs) < 2:
        return None
    return _constant(op, np.concatenate([array_of(x.value) for x in xs], integer(op, "dimension")))  # type: ignore[misc]
