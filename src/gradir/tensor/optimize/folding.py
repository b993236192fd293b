"""Constant folding: ops whose operands are all constants, of up to 1024 elements, are computed here.

Arithmetic, comparisons and roots are exact; elementary functions are NumPy's, which may differ from a device's in the
last digit. What comes out infinite or undefined is left to the device, unless it was infinite before.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import ml_dtypes
import numpy as np
from jaxlib.mlir import ir

from gradir.tensor.analysis.computation import single_op
from gradir.tensor.analysis.known import integers
from gradir.tensor.analysis.spans import is_total, toward_zero
from gradir.tensor.ir import expr as E
from gradir.tensor.ir.expr import Expr
from gradir.tensor.ir.reading import array_of, direction, dtype, integer, ints, kind, made_by, splat_of
from gradir.tensor.optimize.effects import NONE, ROUNDS
from gradir.tensor.optimize.rule import Family

folding = Family("folding", "ops of constants")

LARGEST = 1024


def _away_from_zero(x: Any) -> Any:
    whole = np.trunc(x)
    return np.where(np.abs(x - whole) >= 0.5, whole + np.sign(x), whole)


UNARY: dict[str, Callable[..., Any]] = {
    "abs": np.abs, "negate": np.negative, "ceil": np.ceil, "floor": np.floor, "sign": np.sign, "not": np.invert,
    "sqrt": np.sqrt, "exponential": np.exp, "exponential_minus_one": np.expm1, "log": np.log, "log_plus_one": np.log1p,
    "sine": np.sin, "cosine": np.cos, "tan": np.tan, "tanh": np.tanh, "cbrt": np.cbrt, "round_nearest_even": np.rint,
    "rsqrt": lambda x: 1 / np.sqrt(x), "logistic": lambda x: 1 / (1 + np.exp(-x)), "is_finite": np.isfinite,
    "round_nearest_afz": _away_from_zero, "real": np.real, "imag": np.imag,
}  # fmt: skip
BINARY: dict[str, Callable[..., Any]] = {
    "add": np.add, "subtract": np.subtract, "multiply": np.multiply, "divide": np.divide, "maximum": np.maximum,
    "minimum": np.minimum, "power": np.power, "atan2": np.arctan2, "and": np.bitwise_and, "or": np.bitwise_or,
    "xor": np.bitwise_xor, "remainder": np.fmod, "complex": lambda x, y: x + 1j * y,
}  # fmt: skip
EXACT = {
    "abs", "negate", "ceil", "floor", "sign", "not", "is_finite", "round_nearest_even", "add", "subtract", "multiply",
    "divide", "maximum", "minimum", "and", "or", "xor", "remainder", "round_nearest_afz", "real", "imag", "complex",
}  # fmt: skip
COMPLEX = {
    "abs", "negate", "add", "subtract", "multiply", "divide", "real", "imag", "exponential", "log", "sqrt", "sine",
    "cosine", "tanh",
}  # fmt: skip
"""What is computed of complex constants, too."""
_COMPARE: dict[str, Callable[..., Any]] = {
    "LT": np.less, "LE": np.less_equal, "GT": np.greater, "GE": np.greater_equal, "EQ": np.equal, "NE": np.not_equal,
}  # fmt: skip


def _constant(op: ir.Operation, made: Any, infinite: bool = False) -> Expr | None:
    """A constant of an op's type; None if it has an element that is infinite or not a number, and was not before."""
    t = op.results[0].type
    of = dtype(t.element_type)
    made = np.asarray(made)
    if of is None or (made.dtype.kind in "fc" and not infinite and not np.isfinite(made).all()):
        return None
    with np.errstate(all="ignore"):
        made = made.astype(of)
    if kind(t) == "float" and not infinite and not np.isfinite(made.astype(np.float64)).all():
        return None  # too large for the type
    if made.ndim == 0:
        return E.full(t, made.item())
    if kind(t) == "complex" or of is ml_dtypes.bfloat16:
        return None
    return E.array(made, t.element_type)


def _values(op: ir.Operation) -> list[Any] | None:
    """The operands: numbers if they are the same everywhere, else arrays. (16-bit floats of 8 digits as wider ones.)"""
    numbers: list[Any] = [splat_of(v) for v in op.operands]
    types = [dtype(v.type.element_type) for v in op.operands]
    if all(n is not None for n in numbers) and None not in types:
        return [(np.float32 if t is ml_dtypes.bfloat16 else t)(n) for t, n in zip(types, numbers, strict=True)]
    arrays = [array_of(v) for v in op.operands]
    if any(a is None or a.size > LARGEST for a in arrays):
        return None
    return arrays


def _has_infinite(values: list[Any]) -> bool:
    return any(np.asarray(v).dtype.kind == "f" and np.isinf(v).any() for v in values)


def _fold(name: str, compute: Callable[..., Any], operands: str) -> None:
    def fold(op: ir.Operation) -> Expr | None:
        of = kind(op.operands[0].type)
        values = _values(op) if of in ("float", "int", "bool") or (of == "complex" and name in COMPLEX) else None
        if values is None or (of == "bool" and name not in BOOLEAN):
            return None
        if of == "int" and name in INTEGER:
            return INTEGER[name](op, *values)
        if name == "not" and of == "bool":
            return _constant(op, np.logical_not(values[0]))
        with np.errstate(all="ignore"):
            made = compute(*values)
        return _constant(op, made, name in UNMOVED and _has_infinite(values) and not np.isnan(made).any())

    fold.__doc__ = f"{name} of constants is a constant."
    pattern = f"{'and_' if name == 'and' else 'or_' if name == 'or' else 'not_' if name == 'not' else name}({operands})"
    folding.rule(pattern, name=f"fold_{name}", effects=NONE if name in EXACT else ROUNDS, operands=("constant",))(fold)


UNMOVED = {"abs", "negate", "maximum", "minimum"}
"""What may give an infinite constant if it is given one."""
BOOLEAN = {"not", "and", "or", "xor", "maximum", "minimum", "add", "multiply"}


def _whole(
    op: ir.Operation, x: Any, y: Any, compute: Callable[[int, int], int], allowed: Callable[[int, int], bool]
) -> Expr | None:
    """An operation on integers, element by element, where it means the same to everybody."""
    xs, ys = np.broadcast_arrays(np.asarray(x), np.asarray(y))
    pairs = [(int(a), int(b)) for a, b in zip(xs.ravel(), ys.ravel(), strict=True)]
    if not all(allowed(a, b) for a, b in pairs):
        return None
    t = ir.IntegerType(op.results[0].type.element_type)
    made = [compute(a, b) % 2**t.width for a, b in pairs]
    made = [m if t.is_unsigned or m < 2 ** (t.width - 1) else m - 2**t.width for m in made]
    return _constant(op, np.array(made, dtype(t)).reshape(xs.shape))


def _bits(op: ir.Operation) -> int:
    return ir.IntegerType(op.results[0].type.element_type).width


INTEGER: dict[str, Callable[..., Expr | None]] = {
    "divide": lambda op, x, y: _whole(op, x, y, toward_zero, lambda a, b: b not in (0, -1)),
    "remainder": lambda op, x, y: _whole(
        op, x, y, lambda a, b: a - b * toward_zero(a, b), lambda a, b: b not in (0, -1)
    ),
    "power": lambda op, x, y: _whole(op, x, y, lambda a, b: pow(a, b, 2 ** _bits(op)), lambda a, b: b >= 0),
    "shift_left": lambda op, x, y: _whole(op, x, y, lambda a, b: a << b, lambda a, b: 0 <= b < _bits(op)),
    "shift_right_logical": lambda op, x, y: _whole(
        op, x, y, lambda a, b: (a % 2 ** _bits(op)) >> b, lambda a, b: 0 <= b < _bits(op)
    ),
    "shift_right_arithmetic": lambda op, x, y: _whole(
        op, x, y, lambda a, b: (a if a < 2 ** (_bits(op) - 1) else a - 2 ** _bits(op)) >> b,
        lambda a, b: 0 <= b < _bits(op),
    ),
    "popcnt": lambda op, x: _whole(op, x, x, lambda a, _: (a % 2 ** _bits(op)).bit_count(), lambda *_: True),
    "count_leading_zeros": lambda op, x: _whole(
        op, x, x, lambda a, _: _bits(op) - (a % 2 ** _bits(op)).bit_length(), lambda *_: True
    ),
}  # fmt: skip
"""Operations on integers whose rules differ from NumPy's, or that NumPy has not."""
ONLY_INTEGER = {
    "shift_left": "x, y",
    "shift_right_logical": "x, y",
    "shift_right_arithmetic": "x, y",
    "popcnt": "x",
    "count_leading_zeros": "x",
}

for _name, _compute in UNARY.items():
    _fold(_name, _compute, "x")
for _name, _compute in BINARY.items():
    _fold(_name, _compute, "x, y")
for _name, _operands in ONLY_INTEGER.items():
    _fold(_name, lambda *_: None, _operands)


SPECIAL: dict[str, Callable[..., Any]] = {
    "sinh": np.sinh, "cosh": np.cosh, "asin": np.arcsin, "acos": np.arccos, "atan": np.arctan, "asinh": np.arcsinh,
    "acosh": np.arccosh, "atanh": np.arctanh, "erf": np.vectorize(math.erf), "erfc": np.vectorize(math.erfc),
    "lgamma": np.vectorize(math.lgamma),
}  # fmt: skip
"""Functions of the dialect above."""


def _fold_special(name: str, compute: Callable[..., Any]) -> None:
    def fold(op: ir.Operation) -> Expr | None:
        values = _values(op) if kind(op.operands[0].type) == "float" else None
        if values is None or not np.isfinite(values[0]).all() or (name == "lgamma" and (values[0] <= 0).any()):
            return None
        with np.errstate(all="ignore"):
            return _constant(op, compute(values[0]))

    fold.__doc__ = f"{name} of a constant is a constant."
    folding.rule(f"chlo_{name}(x)", "float", name=f"fold_{name}", effects=ROUNDS, operands=("constant",))(fold)


for _name, _compute in SPECIAL.items():
    _fold_special(_name, _compute)


@folding.rule("compare(x, y)", "bool", operands=("constant",))
def fold_compare(op: ir.Operation) -> Expr | None:
    """compare of constants is a constant."""
    values = _values(op) if kind(op.operands[0].type) != "complex" and not is_total(op) else None
    return None if values is None else _constant(op, _COMPARE[direction(op)](*values))


@folding.rule("where(p, x, y)", operands=("constant",))
def fold_select(op: ir.Operation) -> Expr | None:
    """select of constants is a constant."""
    values = _values(op)
    if values is None:
        return None
    return _constant(op, np.where(*values), not any(np.isnan(v).any() for v in values[1:]))


@folding.rule("clamp(a, x, b)", "real", operands=("constant",))
def fold_clamp(op: ir.Operation) -> Expr | None:
    """clamp of constants is a constant."""
    values = _values(op)
    if values is None:
        return None
    a, x, b = values
    return _constant(op, np.minimum(np.maximum(x, a), b), _has_infinite([x]))


@folding.rule("convert(x)", operands=("constant",))
def fold_convert(op: ir.Operation) -> Expr | None:
    """convert of a constant is a constant."""
    values, of = _values(op), dtype(op.results[0].type.element_type)
    source, target = kind(op.operands[0].type), kind(op.results[0].type)
    if values is None or of is None or (source == "complex" and target != "complex"):
        return None
    value = np.asarray(values[0])
    if source == "float" and target in ("int", "bool"):
        if not np.isfinite(value).all():
            return None
        value = np.trunc(value.astype(np.float64)) if target == "int" else value
        if target == "int" and not ((value >= np.iinfo(of).min) & (value < float(np.iinfo(of).max))).all():
            return None
    if source == "int" and target == "int" and (value.astype(of).astype(object) != value.astype(object)).any():
        return None
    with np.errstate(over="ignore"):  # what is too large for fewer bits is infinite, as at run time
        made = value.astype(bool) if target == "bool" else value.astype(np.float32 if of is ml_dtypes.bfloat16 else of)
    return _constant(op, made, source == "float" and _has_infinite([value]) and not np.isnan(value).any())


def _fold_moved(name: str, compute: Callable[[ir.Operation, np.ndarray], np.ndarray]) -> None:
    def fold(op: ir.Operation, x: Expr) -> Expr | None:
        value = array_of(x.value)
        if value is None or value.size > LARGEST or E.size(op.results[0].type.shape) > LARGEST:
            return None
        return _constant(op, compute(op, value), True) if op.results[0].type.rank else None

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
    return _constant(op, np.concatenate([array_of(x.value) for x in xs], integer(op, "dimension")), True)  # type: ignore[misc]


@folding.rule("pad(x, v)", operands=("constant",))
def fold_pad(op: ir.Operation, x: Expr, v: Expr) -> Expr | None:
    """pad of a small constant is a constant."""
    value, filler = array_of(x.value), splat_of(v.value)
    low, high, inner = (ints(op, n) for n in ("edge_padding_low", "edge_padding_high", "interior_padding"))
    if (
        value is None
        or filler is None
        or E.size(op.results[0].type.shape) > LARGEST
        or min((*low, *high), default=0) < 0
    ):
        return None
    made = np.full(op.results[0].type.shape, filler, value.dtype)
    made[tuple(slice(a, n - b, i + 1) for a, b, i, n in zip(low, high, inner, made.shape, strict=True))] = value
    return _constant(op, made, True)


@folding.rule("dynamic_update_slice(*xs)", when=lambda op: all(array_of(v) is not None for v in op.operands))
def fold_dynamic_update_slice(op: ir.Operation, xs: list[Expr]) -> Expr | None:
    """dynamic_update_slice of small constants is a constant."""
    x, u, *at = (array_of(v.value) for v in xs)
    if x is None or u is None or x.size > LARGEST or not x.ndim:
        return None
    starts = [min(max(int(i), 0), n - m) for i, n, m in zip(at, x.shape, u.shape, strict=True)]  # type: ignore[arg-type]
    made = x.copy()
    made[tuple(slice(a, a + m) for a, m in zip(starts, u.shape, strict=True))] = u
    return _constant(op, made, True)


_REDUCE: dict[str, Callable[..., Any]] = {
    "add": np.add, "multiply": np.multiply, "maximum": np.maximum, "minimum": np.minimum, "and": np.bitwise_and,
    "or": np.bitwise_or,
}  # fmt: skip


@folding.rule("reduce(x, init)", effects=ROUNDS, operands=("constant", "iota"))
def fold_reduce(op: ir.Operation, x: Expr, init: Expr) -> Expr | None:
    """reduce of a small constant is a constant; of an iota, if it is the same everywhere."""
    ufunc = _REDUCE.get((single_op(op.regions[0]) or "").removeprefix("stablehlo."))
    start, value = splat_of(init.value), _elements(x)
    if ufunc is None or value is None or start is None or isinstance(start, complex):
        return None
    with np.errstate(all="ignore"):
        made = ufunc(ufunc.reduce(value, axis=ints(op, "dimensions"), dtype=value.dtype), value.dtype.type(start))  # type: ignore[attr-defined]
    made = np.asarray(made)
    if made_by(x, "iota") is not None and made.size and (made == made.ravel()[0]).all():
        made = made.ravel()[0]
    elif made_by(x, "iota") is not None:
        return None
    return _constant(op, made)


def _elements(x: Expr) -> np.ndarray | None:
    """The elements of a constant, or of an iota of numbers that its type has."""
    i, of = made_by(x, "iota"), dtype(x.dtype)
    if i is None:
        value = array_of(x.value)
        return value if value is not None and value.size <= LARGEST else None
    if kind(x.type) == "int":
        known = integers(x.value)
        return None if known is None or of is None else known.astype(of)
    along = integer(i, "iota_dimension")
    if of not in (np.float32, np.float64) or E.size(x.shape) > 1 << 16:
        return None
    return np.broadcast_to(
        np.arange(x.shape[along], dtype=of).reshape([-1 if d == along else 1 for d in range(x.rank)]), x.shape
    )


# -- sizes that are known after all ------------------------------------------------------------------------------------


def _whole_numbers(x: Expr) -> list[int] | None:
    value = array_of(x.value)
    return None if value is None else [int(i) for i in value]


@folding.rule("dynamic_iota(s)", "number")
def known_iota(op: ir.Operation) -> Expr:
    """A dynamic_iota of a known shape is an iota."""
    t = op.results[0].type
    return E.iota(t.shape, integer(op, "iota_dimension"), t.element_type)


@folding.rule("dynamic_pad(*xs)")
def known_pad(xs: list[Expr]) -> Expr | None:
    """A dynamic_pad of known widths is a pad."""
    x, v, *widths = xs
    low, high, inner = map(_whole_numbers, widths)
    return None if low is None or high is None or inner is None else E.pad(x, v, low, high, inner)


@folding.rule("dynamic_gather(x, i, s)")
def known_gather(op: ir.Operation, x: Expr, i: Expr, s: Expr) -> Expr | None:
    """A dynamic_gather of windows of a known size is a gather."""
    sizes = _whole_numbers(s)
    if sizes is None:
        return None
    attributes = dict(op.attributes.items()) | {"slice_sizes": E.i64s(sizes)}
    return E.op("stablehlo.gather", x, i, result=op.results[0].type, **attributes)


@folding.rule("get_tuple_element(t := tuple(*xs))")
def element_of_tuple(op: ir.Operation, xs: list[Expr]) -> Expr:
    """An element of what was just put together."""
    return xs[integer(op, "index")]
