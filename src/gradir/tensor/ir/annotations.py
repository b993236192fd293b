"""How values lie on a mesh, as ops of their own: it holds of a value, whatever becomes of the op that makes it."""

from __future__ import annotations

from collections.abc import Sequence

from jaxlib.mlir import ir
from jaxlib.mlir.dialects import sdy

from gradir.tensor.ir.module import operations
from gradir.tensor.ir.regions import copy_block

__all__ = ["CONSTRAINT", "drop_open", "is_open", "spell_out"]

CONSTRAINT = "sdy.sharding_constraint"
_SHARDING = "sdy.sharding"
_BOUND = {f"stablehlo.{name}" for name in ("custom_call", "infeed", "outfeed", "send", "recv")}
"""Ops that run where their attribute says."""


def drop_open(module: ir.Module) -> None:
    """Drop constraints that say nothing.

    JAX writes one behind every op of a `shard_map` over some of the axes: also between a loop's counter and its limit.
    """
    if all(op.operation.name != "sdy.mesh" for op in module.body.operations):
        return
    for op in operations(module):
        if op.name == CONSTRAINT and is_open(op.attributes["sharding"]):
            op.results[0].replace_all_uses_with(op.operands[0])
            op.erase()


def spell_out(module: ir.Module) -> None:
    """Write shardings that ops have as attributes as constraints behind them, and named computations as their ops.

    A loop that carries more, an op on a batch and a product's transpose have other results than the op that the
    attribute was written for. Constraints that say nothing go.
    """
    with module.context:
        drop_open(module)
        for op in reversed(operations(module)):  # the inner ones first
            if op.name == "sdy.named_computation":
                _inline(op)
            elif _SHARDING in op.attributes and op.name not in _BOUND:
                attribute = op.attributes[_SHARDING]
                if sdy.TensorShardingPerValueAttr.isinstance(attribute):
                    del op.attributes[_SHARDING]
                    _constrain(op, list(sdy.TensorShardingPerValueAttr(attribute).shardings))


def _constrain(op: ir.Operation, shardings: Sequence[ir.Attribute]) -> None:
    for result, sharding in zip(op.results, shardings, strict=True):
        if not is_open(sharding) and any(True for _ in result.uses):
            with op.location, ir.InsertionPoint.after(op):
                made = _constraint(result, sharding)
            result.replace_all_uses_except(made, made.owner.operation)


def _constraint(value: ir.Value, sharding: ir.Attribute) -> ir.Value:
    if is_open(sharding):
        return value
    made = ir.Operation.create(CONSTRAINT, [value.type], [value], {"sharding": sharding})
    return made.results[0]


def _inline(op: ir.Operation) -> None:
    """Put the ops of a named computation in its place, between constraints on what it takes and gives."""
    block = op.regions[0].blocks[0]
    ins, outs = (sdy.TensorShardingPerValueAttr(op.attributes[f"{side}_shardings"]).shardings for side in ("in", "out"))
    with op.location, ir.InsertionPoint(op):
        given = [_constraint(v, s) for v, s in zip(op.operands, ins, strict=True)]
        made = copy_block(block, dict(zip(block.arguments, given, strict=True)))
        for result, value, sharding in zip(op.results, made, outs, strict=True):
            result.replace_all_uses_with(_constraint(value, sharding))
    op.erase()


def is_open(sharding: ir.Attribute) -> bool:
    """Whether a sharding leaves all to the partitioner. (A scalar can't be split.)"""
    t = sdy.TensorShardingAttr(sharding)
    dims = [sdy.DimensionShardingAttr(d) for d in t.dimension_shardings]
    free = all(not list(d.axes) and not d.is_closed for d in dims)
    return free and not list(t.replicated_axes) and not list(t.unreduced_axes)
