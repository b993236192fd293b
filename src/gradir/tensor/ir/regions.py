"""Blocks and regions: where they end, what they take from outside, what stands in them, and copies of them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from jaxlib.mlir import ir


def terminator(block: ir.Block) -> ir.Operation:
    ops = block.operations
    return ops[len(ops) - 1].operation


def steps(block: ir.Block) -> Iterator[ir.Operation]:
    """The ops before the terminator, one after the other."""
    ops = iter(block.operations)
    following = next(ops, None)
    for view in ops:
        assert following is not None
        yield following.operation
        following = view


def captures(regions: Iterable[ir.Region]) -> list[ir.Value]:
    """The values from outside that the regions use, in order of first use."""
    inside: set[ir.Value] = set()
    outside: dict[ir.Value, None] = {}

    def walk(region: ir.Region) -> None:
        for block in region.blocks:
            inside.update(block.arguments)
            for op in block.operations:
                for v in op.operation.operands:
                    if v not in inside:
                        outside[v] = None
                for nested in op.operation.regions:
                    walk(nested)
                inside.update(op.operation.results)

    for region in regions:
        walk(region)
    return list(outside)


def defined_in(value: ir.Value, block: ir.Block) -> bool:
    """Whether a value is an argument of the block or the result of an op that stands in it."""
    if isinstance(value, ir.BlockArgument):
        return value.owner == block
    return value.owner.operation.block == block


def copy_region(source: ir.Region, target: ir.Region, outside: Mapping[ir.Value, ir.Value]) -> None:
    """Fill the empty region `target` with a copy of `source`; values from outside are mapped by `outside`."""
    for block in source.blocks:
        new = target.blocks.append(*[a.type for a in block.arguments])
        values = {**outside, **dict(zip(block.arguments, new.arguments, strict=True))}
        with ir.InsertionPoint(new):
            for op in block.operations:
                copy_op(op.operation, values)


def copy_op(op: ir.Operation, values: dict[ir.Value, ir.Value]) -> ir.Operation:
    """Clone `op` here with operands mapped by `values` (those that are not in it stay), and map its results."""
    new = op.clone()
    for i, v in enumerate(op.operands):
        mapped = values.get(v)
        if mapped is not None:
            new.operands[i] = mapped
    if len(op.regions):
        remap_nested(new, values)
    for old, result in zip(op.results, new.results, strict=True):
        values[old] = result
    return new


def copy_block(block: ir.Block, values: dict[ir.Value, ir.Value]) -> list[ir.Value]:
    """Copy the ops of a block here, but for its terminator; gives what that returns, mapped as in `copy_op`."""
    for op in steps(block):
        copy_op(op, values)
    return [values.get(v, v) for v in terminator(block).operands]


def remap_nested(op: ir.Operation, values: Mapping[ir.Value, ir.Value]) -> None:
    """Map the operands of the ops within `op`, where they are in `values`."""
    for region in op.regions:
        for block in region.blocks:
            for inner in block.operations:
                nested = inner.operation
                for i, v in enumerate(nested.operands):
                    mapped = values.get(v)
                    if mapped is not None:
                        nested.operands[i] = mapped
                remap_nested(nested, values)
