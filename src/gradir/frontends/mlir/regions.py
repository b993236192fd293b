"""Ops that differentiate their own body: the body becomes a function, what it captures constant arguments of it."""

from __future__ import annotations

from torch_mlir import ir

from gradir.frontends.mlir import emit
from gradir.frontends.mlir.requests import DIFFERENTIATE, read_activities, refusal
from gradir.frontends.mlir.substrate import operations
from gradir.request import Activity, operand_slots

__all__ = ["REGIONS", "outline"]

REGIONS = {f"{name}_region": name for name in DIFFERENTIATE}
"""The ops that differentiate their own body, with the op that does the same to a function."""


def outline(op: ir.Operation, module: ir.Module, number: int) -> None:
    """Replace a region op by one that names a function. Only the arguments of the body are differentiated."""
    mode = DIFFERENTIATE[REGIONS[op.name]]
    region = op.regions[0]
    entry = region.blocks[0] if len(region.blocks) else None
    ends = [inner for inner in operations(op) if inner.name == "enzyme.yield"]
    if entry is None or not ends:
        raise refusal(op, "needs a body that ends in enzyme.yield")
    results = [v.type for v in ends[0].operands]
    activity = list(read_activities(op, "activity", "argument", len(entry.arguments), mode))
    ret_activity = read_activities(op, "ret_activity", "result", len(results), mode)
    slots = list(operand_slots(mode, activity, ret_activity))
    if len(slots) != len(op.operands):
        raise refusal(op, f"takes {len(slots)} operands, {len(op.operands)} given", "the activities ask for them")
    given = dict(zip(slots, op.operands, strict=True))
    for value in _capture(region):
        given["arg", len(activity), "primal"] = value
        activity.append(Activity.const)
    for end in ends:
        with end.location, ir.InsertionPoint(end):
            emit.emit("func.return", [], list(end.operands))
        end.erase()
    name = f"{_name_around(op)}.region{number}"
    inputs = [a.type for a in entry.arguments]
    with op.location:
        function = emit.private_function(module, name, inputs, results)
        for block in list(region.blocks):
            block.append_to(function.regions[0])
        kept = {n: op.attributes[n] for n in ("ret_activity", "width", "strong_zero") if n in op.attributes}
        with ir.InsertionPoint(op):
            made = ir.Operation.create(
                REGIONS[op.name],
                [r.type for r in op.results],
                [given[slot] for slot in operand_slots(mode, activity, ret_activity)],
                attributes=kept | {"fn": ir.FlatSymbolRefAttr.get(name), "activity": _attribute(activity)},
            )
    for old, new in zip(op.results, made.results, strict=True):
        old.replace_all_uses_with(new)
    op.erase()


def _attribute(activities: list[Activity]) -> ir.Attribute:
    return ir.ArrayAttr.get([ir.Attribute.parse(f"#enzyme<activity {a.attribute_name}>") for a in activities])


def _capture(region: ir.Region) -> list[ir.Value]:
    """Give the body an argument for each value that it uses from outside; those values. Constants are copied in."""
    entry = region.blocks[0]
    ops = [op for block in region.blocks for view in block.operations for op in operations(view.operation)]
    inside: set[ir.Value] = set()
    for block in _blocks(region):
        inside.update(block.arguments)
    for op in ops:
        inside.update(op.results)
    stands_for: dict[ir.Value, ir.Value] = {}
    captured: list[ir.Value] = []
    for op in ops:
        for n, value in enumerate(op.operands):
            if value in inside:
                continue
            if value not in stands_for:
                maker = value.owner
                if isinstance(maker, ir.Operation) and maker.name == "arith.constant":
                    stands_for[value] = maker.clone(ip=ir.InsertionPoint.at_block_begin(entry)).operation.results[0]
                else:
                    stands_for[value] = entry.add_argument(value.type, value.location)
                    captured.append(value)
            op.operands[n] = stands_for[value]
    return captured


def _blocks(region: ir.Region) -> list[ir.Block]:
    found = []
    for block in region.blocks:
        found.append(block)
        for view in block.operations:
            for inner in view.operation.regions:
                found += _blocks(inner)
    return found


def _name_around(op: ir.Operation) -> str:
    while op.name != "func.func":
        op = op.parent.operation
    return ir.StringAttr(op.attributes["sym_name"]).value
