"""Sharding constraints that can go: those that say nothing, and those that say what follows from others.

JAX writes one behind every op of a program on a mesh with explicit axes. Most say of an elementwise op's result what
was said of its operands, which a partitioner sees by itself, and stand between ops that rewrites look for together.
"""

from __future__ import annotations

from jaxlib.mlir import ir

from gradir.tensor.ir.annotations import CONSTRAINT, is_open
from gradir.tensor.ir.module import functions
from gradir.tensor.ir.reading import made_by, splat_of
from gradir.tensor.optimize.pattern import CLASSES

__all__ = ["drop_implied"]

def drop_implied(module: ir.Module) -> None:
    """Drop the constraints of a module that say nothing, or what is known without them."""
    for function in functions(module).values():
        if not function.is_external:
            _visit(function.entry_block, {})


def _visit(block: ir.Block, known: dict[ir.Value, ir.Attribute]) -> None:
    """Drop constraints in a block, where it is known of some values how they are split."""
    for view in list(block.operations):
        op = view.operation
        for region in op.regions:
            for inner in region.blocks:
                _visit(inner, dict(known))
        if op.name != CONSTRAINT:
            continue
        sharding, x, result = op.attributes["sharding"], op.operands[0], op.results[0]
        if is_open(sharding) or _is_known(x, sharding, known) or _follows(x, sharding, known):
            result.replace_all_uses_with(x)
            op.erase()
            if not is_open(sharding):
                known[x] = sharding
        else:
            known[result] = sharding


def _follows(x: ir.Value, sharding: ir.Attribute, known: dict[ir.Value, ir.Attribute]) -> bool:
    """Whether all operands of the elementwise op that makes a value are split in this way."""
    if isinstance(x, ir.BlockArgument) or x.owner.operation.name not in CLASSES["stablehlo.elementwise"]:
        return False
    arrays = [v for v in x.owner.operation.operands if splat_of(v) is None and not _is_spread(v)]
    return bool(arrays) and all(_is_known(v, sharding, known) for v in arrays)


def _is_known(v: ir.Value, sharding: ir.Attribute, known: dict[ir.Value, ir.Attribute]) -> bool:
    return v in known and known[v] == sharding


def _is_spread(v: ir.Value) -> bool:
    """Whether a value is one number everywhere: each device has it, however it is split."""
    op = made_by(v, "broadcast_in_dim")
    return op is not None and op.operands[0].type.rank == 0
