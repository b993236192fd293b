"""Batching: a program over one example becomes one over n, with the batch dimension first in every value that needs it.

Values that do not depend on a batched argument stay as they are, so nothing is computed n times that is the same n
times. Several shadows at once (`width`) are the batch of a derivative over its shadows, with the primals unbatched.
"""

from __future__ import annotations

from collections.abc import Sequence

from jaxlib.mlir import ir

from gradir.tensor.analysis.activity import Batched, Mask
from gradir.tensor.ir.expr import Expr, full
from gradir.tensor.ir.regions import copy_op, steps, terminator
from gradir.tensor.rules.rule import Site, batched_type, prepend
from gradir.tensor.transform.desk import Desk


class Batch:
    """A program being built beside its source."""

    def __init__(self, deriver: Desk, batched: Batched, size: int) -> None:
        self.deriver = deriver
        self.batched = batched
        self.size = size
        self.env: dict[ir.Value, ir.Value] = {}

    def lookup(self, value: ir.Value) -> Expr:
        return Expr(self.env.get(value, value))

    def with_batch(self, value: ir.Value) -> Expr:
        """A source value with the batch dimension, broadcast if it has none of its own."""
        x = self.lookup(value)
        return x if value in self.batched else prepend(x, self.size)

    def type(self, value: ir.Value) -> ir.Type:
        """The type of a source value in the new program."""
        return batched_type(value.type, self.size) if value in self.batched else value.type

    def block(self, block: ir.Block) -> None:
        for op in steps(block):
            with op.location:
                self.op(op)

    def op(self, op: ir.Operation) -> None:
        rule = self.deriver.rule(op)
        if rule is not None and rule.control is not None:
            return rule.control.batch(self, op)
        if not any(v in self.batched for v in op.operands):
            copy_op(op, self.env)
            return None
        if rule is None or (rule.batch is None and rule.expand is None):
            raise self.deriver.no_rule(op, "batch")
        types = [self.type(r) for r in op.results]
        if all(isinstance(t, ir.RankedTensorType) and 0 in t.shape for t in types):  # no rule need think of nothing
            for result, t in zip(op.results, types, strict=True):
                self.env[result] = full(t, 0).value
            return None
        site = Site(op, self.deriver, self.lookup, batched=self.batched.mask(op.operands), size=self.size)
        values = rule.batch(site) if rule.batch is not None else None
        if values is None:
            return self.deriver.outlined(op).batch(self, op)
        for result, value in zip(op.results, values, strict=True):
            self.env[result] = value.value
        return None


def batch_function(deriver: Desk, name: str, args: Mask, size: int) -> tuple[str, Mask]:
    """The function over n examples where the arguments in the mask carry them, and which results do."""
    source = deriver.prepared(name)
    entry = source.entry_block
    flow = Batched(deriver)
    for a, is_batched in zip(entry.arguments, args, strict=True):
        if is_batched:
            flow.mark(a)
    flow.block(entry)
    transform = Batch(deriver, flow, size)

    def body(arguments: Sequence[Expr]) -> list[Expr]:
        transform.env.update(zip(entry.arguments, (a.value for a in arguments), strict=True))
        transform.block(entry)
        return [transform.lookup(v) for v in terminator(entry).operands]

    symbol = deriver.define(f"{name}.batch{size}", [transform.type(a) for a in entry.arguments], body, source.location)
    for attribute in ("gradir.inactive", "gradir.remat"):
        if attribute in source.attributes:
            deriver.function(symbol).attributes[attribute] = source.attributes[attribute]
    return symbol, flow.mask(terminator(entry).operands)
