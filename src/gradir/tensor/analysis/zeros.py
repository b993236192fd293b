"""The sign of zeros: which values may be -0, and whether anyone can tell -0 from 0.

`x + 0 -> x` gives -0 for -0 where the program gives 0. That is harmless if x is never -0, or if nothing that is
computed from the result depends on it: most ops hand the sign of a zero on or drop it; a division, an arctangent, a
result of the function and whatever is not known here can see it. So can ops whose derivative divides by what they are
given, such as a root: the program may yet be differentiated.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence

import numpy as np
from jaxlib.mlir import ir

from gradir.tensor.analysis.computation import single_op
from gradir.tensor.analysis.facts import Facts
from gradir.tensor.analysis.spans import is_total
from gradir.tensor.ir.reading import array_of, kind, maker, splat_of

DEPTH = 8
"""How many ops deep the question goes whether a value may be -0."""
BUDGET = 96
"""How many uses are looked at before a sign is taken to be seen."""


def keeps_zero_signs(op: ir.Operation, values: Sequence[ir.Value], shadows: Collection[int] = ()) -> bool:
    """Whether values can take the place of an op's results although their zeros may have other signs.

    Nobody looks at the zeros of the function's results in the places of `shadows`.
    """
    return all(
        (not may_be_minus_zero(old) and not may_be_minus_zero(new))
        or not is_seen(old, shadows)
        or not _may_be_zero(old)
        for old, new in zip(op.results, values, strict=True)
        if kind(old.type) in ("float", "complex", "")
    )


def _may_be_zero(value: ir.Value) -> bool:
    return kind(value.type) != "float" or Facts().span(value).holds(0)


# -- which values may be -0 --------------------------------------------------------------------------------------------

_NEVER = frozenset(f"stablehlo.{n}" for n in ("abs", "exponential", "logistic", "iota", "cosine"))
_LIKE_FIRST = frozenset(
    f"stablehlo.{n}"
    for n in (
        "reshape", "transpose", "broadcast_in_dim", "slice", "reverse", "gather", "dynamic_slice", "sqrt", "tanh",
        "reduce_precision", "optimization_barrier", "subtract",
    )
)  # fmt: skip
_LIKE_ANY = frozenset(
    f"stablehlo.{n}" for n in ("concatenate", "pad", "dynamic_update_slice", "maximum", "minimum", "select", "clamp")
)


def may_be_minus_zero(value: ir.Value, depth: int = DEPTH) -> bool:
    """Whether an element may be -0."""
    if kind(value.type) in ("int", "bool"):
        return False
    op = maker(value)
    if op is None or depth == 0 or kind(value.type) != "float":
        return True
    name = op.name
    if name == "stablehlo.constant":
        return _holds_minus_zero(value)
    if name in _NEVER:
        return False
    operands = list(op.operands)
    if name in _LIKE_FIRST:  # (a difference is -0 for -0 - 0 alone)
        return len(op.results) != 1 or may_be_minus_zero(operands[0], depth - 1)
    if name in _LIKE_ANY:
        return any(may_be_minus_zero(v, depth - 1) for v in operands)
    match name:
        case "stablehlo.convert":
            return may_be_minus_zero(operands[0], depth - 1)
        case "stablehlo.add":  # -0 + -0 alone
            return all(may_be_minus_zero(v, depth - 1) for v in operands)
        case "stablehlo.multiply":
            return operands[0] != operands[1]
        case "stablehlo.reduce" | "stablehlo.reduce_window":
            return not _sums_from_zero(op)
    return True


def _holds_minus_zero(constant: ir.Value) -> bool:
    number = splat_of(constant)
    if isinstance(number, float):
        return number == 0 and math.copysign(1, number) < 0
    numbers = array_of(constant)
    return numbers is None or bool(((numbers == 0) & np.signbit(numbers)).any())


def _sums_from_zero(op: ir.Operation) -> bool:
    """Whether a reduction adds to something that is not -0: then neither is the sum."""
    return (
        len(op.operands) == 2
        and single_op(op.regions[0]) == "stablehlo.add"
        and not may_be_minus_zero(op.operands[1], 1)
    )


# -- who can see the sign of a zero ------------------------------------------------------------------------------------

_DROPS = frozenset(
    f"stablehlo.{n}" for n in ("abs", "exponential", "cosine", "logistic", "is_finite")
) | {"chlo.erfc", "chlo.cosh", "chlo.is_inf", "chlo.is_neg_inf", "chlo.is_pos_inf"}  # fmt: skip
_PASSES = frozenset(
    f"stablehlo.{n}"
    for n in (
        "reshape", "transpose", "broadcast_in_dim", "slice", "reverse", "gather", "dynamic_slice", "concatenate", "pad",
        "dynamic_update_slice", "select", "clamp", "maximum", "minimum", "multiply", "negate", "sign",
        "tanh", "sine", "tan", "floor", "ceil", "round_nearest_even", "round_nearest_afz", "exponential_minus_one",
        "log_plus_one", "reduce_precision", "dot_general", "convolution", "all_gather", "all_to_all",
        "collective_permute", "complex", "real", "imag", "real_dynamic_slice", "dynamic_pad",
    )
)  # fmt: skip
_PASSES |= {
    "chlo.erf",
    "chlo.asin",
    "chlo.sinh",
    "chlo.asinh",
    "chlo.atanh",
    "chlo.square",
    "enzyme.ignore_derivatives",
}
_PASSES_COMPLEX = frozenset(
    f"stablehlo.{n}"
    for n in (
        "reshape", "transpose", "broadcast_in_dim", "slice", "reverse", "gather", "dynamic_slice", "concatenate", "pad",
        "dynamic_update_slice", "select", "add", "subtract", "multiply", "negate", "complex", "real", "imag", "reduce",
        "dot_general", "convolution",
    )
)  # fmt: skip
"""Complex functions have branch cuts: they see on which side of zero a number is."""


def is_seen(value: ir.Value, shadows: Collection[int] = ()) -> bool:
    """Whether anything can depend on the sign of a value's zeros."""
    seen, todo, left = {value}, [value], BUDGET
    while todo:
        for use in todo.pop().uses:
            left -= 1
            reached = _reached(use.owner.operation, use.operand_number, shadows) if left else None
            if reached is None:
                return True
            for v in reached:
                if v not in seen:
                    seen.add(v)
                    todo.append(v)
    return False


def _reached(user: ir.Operation, k: int, shadows: Collection[int]) -> Sequence[ir.Value] | None:
    """Which values have the sign of the zero that is a user's operand k; None if the user itself tells."""
    name, operands = user.name, user.operands
    if kind(operands[k].type) == "complex" or (len(user.results) and kind(user.results[0].type) == "complex"):
        return list(user.results) if name in _PASSES_COMPLEX else None
    if name in _DROPS:
        return []
    if name in _PASSES:
        both = name == "stablehlo.multiply" and operands[0] == operands[1]
        return [] if both or name == "chlo.square" else list(user.results)
    match name:
        case "stablehlo.add":
            return [] if not may_be_minus_zero(operands[1 - k], 3) else list(user.results)
        case "stablehlo.subtract":  # a zero that is subtracted from 0
            return [] if k == 1 and not may_be_minus_zero(operands[0], 3) else list(user.results)
        case "stablehlo.divide" | "stablehlo.remainder":
            return list(user.results) if k == 0 else [] if name == "stablehlo.remainder" else None
        case "stablehlo.compare":
            return None if is_total(user) else []
        case "stablehlo.convert":
            return list(user.results) if kind(user.results[0].type) == "float" else []
        case "stablehlo.power":
            return _through_power(user, k)
        case "stablehlo.reduce" | "stablehlo.reduce_window":
            return _through_reduction(user)
        case "stablehlo.scatter" | "stablehlo.optimization_barrier":
            return list(user.results) if len(user.results) == 1 else None
        case "stablehlo.while":
            return _carried(user, k)
        case "stablehlo.return":
            holder = user.parent.operation
            if holder.name in ("stablehlo.if", "stablehlo.case"):
                return [holder.results[k]]
            if holder.name == "stablehlo.while" and user.block == holder.regions[1].blocks[0]:
                return _carried(holder, k)
        case "func.return":
            return [] if k in shadows else None
    return None


def _carried(loop: ir.Operation, k: int) -> list[ir.Value]:
    return [loop.results[k], *(region.blocks[0].arguments[k] for region in loop.regions)]


def _through_power(user: ir.Operation, k: int) -> Sequence[ir.Value] | None:
    """x ** n for an n > 0 has the sign of a zero x where n is odd; anything to the power of a zero is 1."""
    if k == 1:
        return []
    n = splat_of(user.operands[1])
    if not isinstance(n, float) or not n > 0:
        return None
    return list(user.results) if n % 2 == 1 else []


def _through_reduction(user: ir.Operation) -> Sequence[ir.Value] | None:
    if _sums_from_zero(user):
        return []
    known = ("stablehlo.add", "stablehlo.multiply", "stablehlo.maximum", "stablehlo.minimum")
    return list(user.results) if len(user.results) == 1 and single_op(user.regions[0]) in known else None
