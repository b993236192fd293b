"""What the adjoint of an op does to a cotangent: whether two may be added up before it."""

from __future__ import annotations

from jaxlib.mlir import ir

from gradir.tensor.analysis.computation import single_op
from gradir.tensor.ir.reading import float_type

_HANDS_ON = frozenset(
    f"stablehlo.{n}"
    for n in (
        "add", "broadcast_in_dim", "complex", "concatenate", "convert", "dynamic_slice", "dynamic_update_slice",
        "gather", "imag", "negate", "pad", "real", "reshape", "reverse", "select", "slice", "subtract", "transpose",
    )
)  # fmt: skip


def scales(op: ir.Operation) -> bool:
    """Whether the adjoint of an op may give another size, or type, to a cotangent than it had.

    Then two cotangents added up before it can overflow where those added up behind it do not: 4e4 and 3e4 in f16, each
    times 0.01. And in a narrower type they lose more of their digits.
    """
    if not len(op.operands) or not any(float_type(r.type) is not None for r in op.results):
        return False
    if op.name == "stablehlo.reduce":
        return single_op(op.regions[0]) != "stablehlo.add"
    return op.name not in _HANDS_ON or (op.name == "stablehlo.convert" and _is_narrower(op))


def _is_narrower(convert: ir.Operation) -> bool:
    given, made = (float_type(v.type) for v in (convert.operands[0], convert.results[0]))
    return given is not None and made is not None and made.width < given.width
