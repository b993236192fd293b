"""`enzyme.concat`, `extract` and `broadcast`, which put shadows together and take them apart, as StableHLO.

They are lowered before anything is differentiated, so the transforms don't know them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from jaxlib.mlir import ir

from gradir.tensor.enzyme.dialect import refusal
from gradir.tensor.ir.expr import Expr, broadcast, concatenate, exprs, reshape, slice_in_dim, tensor

__all__ = ["RESULT", "lower_shape"]


def _operands(op: ir.Operation) -> list[ir.RankedTensorType]:
    types = [v.type for v in op.operands if isinstance(v.type, ir.RankedTensorType)]
    if not types or len(types) != len(op.operands):
        raise refusal(op, "needs operands, all of them tensors")
    if len(types) > 1 and op.name != "enzyme.concat":
        raise refusal(op, f"takes one operand, {len(types)} given")
    return types


def _index(op: ir.Operation) -> int:
    index = op.attributes.get("index")
    if not isinstance(index, ir.IntegerAttr):
        raise refusal(op, "needs the attribute index, an integer")
    return index.value


def _shape(op: ir.Operation) -> list[int]:
    shape = op.attributes.get("shape")
    if not isinstance(shape, ir.DenseI64ArrayAttr):
        raise refusal(op, "needs the attribute shape, an array of sizes")
    return list(shape)


def _concat_type(op: ir.Operation) -> ir.Type:
    first, *others = _operands(op)
    if any(t != first for t in others):
        raise refusal(op, "needs operands of one type")
    return tensor([1 + len(others), *first.shape], first.element_type)


def _extract_type(op: ir.Operation) -> ir.Type:
    (t,) = _operands(op)
    if not t.rank or not 0 <= _index(op) < t.shape[0]:
        raise refusal(op, f"there is no slice {_index(op)} of {t}")
    return tensor(t.shape[1:], t.element_type)


def _broadcast_type(op: ir.Operation) -> ir.Type:
    (t,) = _operands(op)
    return tensor([*_shape(op), *t.shape], t.element_type)


def _concat(op: ir.Operation, xs: Sequence[Expr]) -> Expr:
    return concatenate([reshape(x, [1, *x.shape]) for x in xs], 0)


def _extract(op: ir.Operation, xs: Sequence[Expr]) -> Expr:
    index = _index(op)
    return reshape(slice_in_dim(xs[0], index, index + 1, 0), xs[0].shape[1:])


def _broadcast(op: ir.Operation, xs: Sequence[Expr]) -> Expr:
    new = _shape(op)
    return broadcast(xs[0], [*new, *xs[0].shape], range(len(new), len(new) + xs[0].rank))


RESULT: dict[str, Callable[[ir.Operation], ir.Type]] = {
    "enzyme.concat": _concat_type,
    "enzyme.extract": _extract_type,
    "enzyme.broadcast": _broadcast_type,
}
"""The type that the one result of each must have."""

_EMIT: dict[str, Callable[[ir.Operation, Sequence[Expr]], Expr]] = {
    "enzyme.concat": _concat,
    "enzyme.extract": _extract,
    "enzyme.broadcast": _broadcast,
}


def lower_shape(op: ir.Operation) -> None:
    """Replace one of these ops by StableHLO, at the ambient insertion point."""
    op.results[0].replace_all_uses_with(_EMIT[op.name](op, exprs(list(op.operands))).value)
    op.erase()
