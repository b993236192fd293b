"""Python builders of `enzyme` ops, at MLIR's ambient insertion point and location.

Each infers its result types from the function it names, and refuses what `verify` would.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import cast

from jaxlib.mlir import ir
from jaxlib.mlir.dialects import builtin, func

from gradir.errors import RequestError
from gradir.request import Activity, Mode, operand_slots
from gradir.tensor.enzyme.dialect import BATCH, IGNORE, JACOBIAN, YIELD, activity_array
from gradir.tensor.enzyme.verify import check, form, signature
from gradir.tensor.ir.module import functions

__all__ = [
    "autodiff",
    "autodiff_region",
    "batch",
    "fwddiff",
    "fwddiff_region",
    "ignore_derivatives",
    "jacobian",
]

Body = Callable[..., Sequence[ir.Value]]
"""Emits the ops of a region, given its arguments, and returns what it yields."""

Fill = Callable[[ir.Region], None]


def autodiff(
    fn: str,
    operands: Sequence[ir.Value],
    activity: Sequence[Activity],
    ret_activity: Sequence[Activity],
    *,
    width: int = 1,
    strong_zero: bool = False,
) -> list[ir.Value]:
    """``enzyme.autodiff``: the function's results that are needed, then the gradient of each active argument.

    `operands` are the arguments (each followed by its shadow, if it has one), then the active results' cotangents.
    """
    return _build("enzyme.autodiff", operands, _request(activity, ret_activity, width, strong_zero) | _callee(fn))


def fwddiff(
    fn: str,
    operands: Sequence[ir.Value],
    activity: Sequence[Activity],
    ret_activity: Sequence[Activity],
    *,
    width: int = 1,
    strong_zero: bool = False,
) -> list[ir.Value]:
    """``enzyme.fwddiff``: each result that is needed, followed by its tangent.

    `operands` are the arguments, each followed by its tangent, if it has one.
    """
    return _build("enzyme.fwddiff", operands, _request(activity, ret_activity, width, strong_zero) | _callee(fn))


def jacobian(
    fn: str,
    operands: Sequence[ir.Value],
    activity: Sequence[Activity],
    ret_activity: Sequence[Activity],
    *,
    strong_zero: bool = False,
) -> list[ir.Value]:
    """``enzyme.jacobian``: for each active result and then each active argument, the array of derivatives."""
    return _build(JACOBIAN, operands, _request(activity, ret_activity, 1, strong_zero) | _callee(fn))


def batch(fn: str, operands: Sequence[ir.Value], batch_shape: Sequence[int]) -> list[ir.Value]:
    """``enzyme.batch``: the function over examples, which fill the leading dimensions `batch_shape` of every value."""
    return _build(BATCH, operands, {"batch_shape": ir.DenseI64ArrayAttr.get(list(batch_shape))} | _callee(fn))


def autodiff_region(
    operands: Sequence[ir.Value],
    body: Body,
    activity: Sequence[Activity],
    ret_activity: Sequence[Activity],
    *,
    width: int = 1,
    strong_zero: bool = False,
) -> list[ir.Value]:
    """``enzyme.autodiff_region``: `autodiff` of what `body` emits. A value that it captures is constant."""
    attributes = _request(activity, ret_activity, width, strong_zero)
    return _build("enzyme.autodiff_region", operands, attributes, fill=_filler(body, operands, activity))


def fwddiff_region(
    operands: Sequence[ir.Value],
    body: Body,
    activity: Sequence[Activity],
    ret_activity: Sequence[Activity],
    *,
    width: int = 1,
    strong_zero: bool = False,
) -> list[ir.Value]:
    """``enzyme.fwddiff_region``: `fwddiff` of what `body` emits. A value that it captures is constant."""
    attributes = _request(activity, ret_activity, width, strong_zero)
    return _build("enzyme.fwddiff_region", operands, attributes, fill=_filler(body, operands, activity))


def ignore_derivatives(value: ir.Value) -> ir.Value:
    """``enzyme.ignore_derivatives``: the value, through which no derivative flows."""
    op = ir.Operation.create(IGNORE, results=[value.type], operands=[value])
    return next(iter(op.results))


def _callee(fn: str) -> dict[str, ir.Attribute]:
    return {"fn": ir.FlatSymbolRefAttr.get(fn)}


def _request(
    activity: Sequence[Activity], ret_activity: Sequence[Activity], width: int, strong_zero: bool
) -> dict[str, ir.Attribute]:
    attributes: dict[str, ir.Attribute] = {
        "activity": activity_array(activity),
        "ret_activity": activity_array(ret_activity),
    }
    if width != 1:
        attributes["width"] = ir.IntegerAttr.get(ir.IntegerType.get_signless(64), width)
    if strong_zero:
        attributes["strong_zero"] = ir.BoolAttr.get(True)
    return attributes


def _filler(body: Body, operands: Sequence[ir.Value], activity: Sequence[Activity]) -> Fill:
    """Gives a region a block whose arguments are like the primals among `operands`, and what `body` emits."""

    def fill(region: ir.Region) -> None:
        slots = operand_slots(Mode.reverse, activity, ())  # the arguments and their shadows: alike in both modes
        types = [v.type for v, (_, _, part) in zip(operands, slots, strict=False) if part == "primal"]
        block = ir.Block.create_at_start(region, types, [ir.Location.current] * len(types))
        with ir.InsertionPoint(block):
            ir.Operation.create(YIELD, operands=list(body(*block.arguments)))

    return fill


def _build(
    name: str, operands: Sequence[ir.Value], attributes: dict[str, ir.Attribute], fill: Fill | None = None
) -> list[ir.Value]:
    """Create the op without results, to learn from it (as `verify` does) which results it has; then with them."""
    known = _functions_around(ir.InsertionPoint.current.block)

    def create(results: Sequence[ir.Type]) -> ir.Operation:
        return ir.Operation.create(
            name, results, list(operands), attributes=attributes, regions=0 if fill is None else 1
        )

    draft = create([])
    try:
        if fill is not None:
            fill(draft.regions[0])
        op = create(form(draft, signature(draft, known)).result_types)
        for region in draft.regions:
            region.blocks[0].append_to(op.regions[0])
    finally:
        draft.erase()
    try:
        check(op, known)
    except RequestError:
        op.erase()
        raise
    return list(op.results)


def _functions_around(block: ir.Block) -> Mapping[str, func.FuncOp]:
    """The functions of the module in which a block stands."""
    owner = block.owner.operation
    while owner.parent is not None:
        owner = owner.parent.operation
    module = owner.opview
    return functions(cast(ir.Module, module)) if isinstance(module, builtin.ModuleOp) else {}
