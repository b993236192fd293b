"""Region ops as function ops: the body becomes a private function, what it captures constant arguments of it."""

from __future__ import annotations

from collections.abc import Iterator

from jaxlib.mlir import ir

from gradir.request import Activity, operand_slots
from gradir.tensor.enzyme.dialect import REGIONS, YIELD, activity_array
from gradir.tensor.enzyme.verify import read_request, signature
from gradir.tensor.ir.reading import maker
from gradir.tensor.transform.derive import Deriver

__all__ = ["outline"]


def outline(op: ir.Operation, deriver: Deriver) -> None:
    """Replace a region op, whose body has no other, by one that names a function, at the ambient insertion point.

    The function's arguments are the block's, then one for each captured value. Only the block's arguments are
    differentiated: a captured value is constant, even where the op has the same value as an operand.
    """
    request = read_request(op, signature(op, {}))
    mode, ret_activity = request.mode, request.ret_activity
    given = dict(zip(operand_slots(mode, request.activity, ret_activity), op.operands, strict=True))
    activity = list(request.activity)
    block = op.regions[0].blocks[0]
    for value in _capture(block):
        given["arg", len(activity), "primal"] = value
        activity.append(Activity.const)
    _end_in_return(block)
    attributes = dict(op.attributes.items())
    name = ir.StringAttr(attributes["fn"]).value if "fn" in attributes else f"{_function_around(op)}.region"
    attributes["fn"] = ir.FlatSymbolRefAttr.get(deriver.adopt(name, block, op.location))
    attributes["activity"] = activity_array(activity, op.context)
    made = ir.Operation.create(
        REGIONS[op.name],
        [r.type for r in op.results],
        [given[slot] for slot in operand_slots(mode, activity, ret_activity)],
        attributes=attributes,
    )
    for old, new in zip(op.results, made.results, strict=True):
        old.replace_all_uses_with(new)
    op.erase()


def _capture(block: ir.Block) -> list[ir.Value]:
    """Give the block an argument for each value that it uses from outside; those values. Constants are copied in."""
    ops = list(_within(block))
    inside: set[ir.Value] = set(block.arguments)
    for op in ops:
        inside.update(op.results)
        inside.update(a for region in op.regions for inner in region.blocks for a in inner.arguments)
    stands_for: dict[ir.Value, ir.Value] = {}
    captured: list[ir.Value] = []
    for op in ops:
        for n, value in enumerate(op.operands):
            if value in inside:
                continue
            if value not in stands_for:
                constant = maker(value)
                if constant is not None and constant.name == "stablehlo.constant":
                    copy = constant.clone(ip=ir.InsertionPoint.at_block_begin(block))
                    stands_for[value] = copy.operation.results[0]
                else:
                    stands_for[value] = block.add_argument(value.type, value.location)
                    captured.append(value)
            op.operands[n] = stands_for[value]
    return captured


def _within(block: ir.Block) -> Iterator[ir.Operation]:
    for view in block.operations:
        yield view.operation
        for region in view.operation.regions:
            for inner in region.blocks:
                yield from _within(inner)


def _end_in_return(block: ir.Block) -> None:
    last = block.operations[len(block.operations) - 1].operation
    assert last.name == YIELD  # as `verify` found
    ir.Operation.create("func.return", operands=list(last.operands), loc=last.location, ip=ir.InsertionPoint(last))
    last.erase()


def _function_around(op: ir.Operation) -> str:
    while op.name != "func.func":
        assert op.parent is not None  # `verify` has been here
        op = op.parent.operation
    return ir.StringAttr(op.attributes["sym_name"]).value
