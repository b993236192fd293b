"""Collectives: fewer of them, and of smaller arrays."""

from __future__ import annotations

import numpy as np
from jaxlib.mlir import ir

from gradir.tensor import expr as E
from gradir.tensor.expr import Expr
from gradir.tensor.optimize.reading import ints, single_use
from gradir.tensor.optimize.rule import Family
from gradir.tensor.rules.computation import single_op
from gradir.tensor.rules.rule import copy_region

collectives = Family("collectives", "all_reduce and its kind")
rule = collectives.rule


def _again(op: ir.Operation, x: Expr) -> Expr:
    """The same collective of another array."""
    made = E.ops(op.name, [x], [x.type], dict(op.attributes.items()), regions=len(op.regions))
    for mine, theirs in zip(made.regions, op.regions, strict=True):
        copy_region(theirs, mine, {})
    return Expr(made.results[0])


def _is_sum(op: ir.Operation) -> bool:
    return len(op.operands) == 1 and single_op(op.regions[0]) == "stablehlo.add"


def _same_devices(a: ir.Operation, b: ir.Operation) -> bool:
    """Whether two collectives are over the same groups. (Each has a channel of its own, which is only a number.)"""
    apart = ("channel_handle",)
    keys = {*a.attributes, *b.attributes} - set(apart)
    return all(k in a.attributes and k in b.attributes and a.attributes[k] == b.attributes[k] for k in keys)


@rule("(a := all_reduce(x)) + (b := all_reduce(y))", "inexact", rounds=True)
def add_of_all_reduces(a: ir.Operation, b: ir.Operation, x: Expr, y: Expr) -> Expr | None:
    """all_reduce(x) + all_reduce(y) -> all_reduce(x + y)."""
    if not (
        _is_sum(a) and _is_sum(b) and _same_devices(a, b) and single_use(a.results[0]) and single_use(b.results[0])
    ):
        return None
    return _again(a, x + y)


@rule("(a := all_reduce(x)) - (b := all_reduce(y))", "inexact", rounds=True)
def sub_of_all_reduces(a: ir.Operation, b: ir.Operation, x: Expr, y: Expr) -> Expr | None:
    """all_reduce(x) - all_reduce(y) -> all_reduce(x - y)."""
    if not (
        _is_sum(a) and _is_sum(b) and _same_devices(a, b) and single_use(a.results[0]) and single_use(b.results[0])
    ):
        return None
    return _again(a, x - y)


@rule("slice(a := all_reduce(x))", rounds=True)
def slice_of_all_reduce(op: ir.Operation, a: ir.Operation, x: Expr) -> Expr | None:
    """slice(all_reduce(x)) -> all_reduce(slice(x)): less is sent."""
    if len(a.operands) != 1 or single_op(a.regions[0]) is None or not single_use(a.results[0]):
        return None
    return _again(a, E.slice_(x, ints(op, "start_indices"), ints(op, "limit_indices"), ints(op, "strides")))


@rule("reduce(a := all_reduce(x), init)", "inexact", rounds=True)
def reduce_of_all_reduce(op: ir.Operation, a: ir.Operation, x: Expr, init: Expr) -> Expr | None:
    """sum(all_reduce(x)) -> all_reduce(sum(x)): less is sent."""
    from gradir.tensor.optimize.reductions import body_of, reduced_again, starts_neutral

    if not _is_sum(a) or body_of(op) != "stablehlo.add" or not starts_neutral(op) or not single_use(a.results[0]):
        return None
    return _again(a, reduced_again(op, x, init, ints(op, "dimensions")))


@rule("all_reduce(b := broadcast(x))", rounds=True)
def all_reduce_of_broadcast(op: ir.Operation, b: ir.Operation, x: Expr) -> Expr | None:
    """all_reduce(broadcast(x)) -> broadcast(all_reduce(x)): less is sent."""
    t = op.results[0].type
    if len(op.operands) != 1 or single_op(op.regions[0]) is None or E.size(x.shape) >= E.size(t.shape):
        return None
    return E.broadcast(_again(op, x), t.shape, ints(b, "broadcast_dimensions"))


@rule("all_reduce(-x)", "inexact")
def all_reduce_of_negate(op: ir.Operation, x: Expr) -> Expr | None:
    """all_reduce(-x) -> -all_reduce(x)."""
    return -_again(op, x) if _is_sum(op) else None


@rule("all_reduce(x * c)", "float", rounds=True)
def all_reduce_of_multiple(op: ir.Operation, x: Expr, c: float) -> Expr | None:
    """all_reduce(x * c) -> all_reduce(x) * c, so that constants meet."""
    return _again(op, x) * c if _is_sum(op) else None


@rule("transpose(a := all_reduce(x))")
def transpose_of_all_reduce(op: ir.Operation, a: ir.Operation, x: Expr) -> Expr | None:
    """transpose(all_reduce(x)) -> all_reduce(transpose(x)), so that transposes meet what they cancel."""
    if len(a.operands) != 1 or single_op(a.regions[0]) is None or not single_use(a.results[0]):
        return None
    return _again(a, E.transpose(x, ints(op, "permutation")))


@rule("reshape(a := all_reduce(x))")
def reshape_of_all_reduce(op: ir.Operation, a: ir.Operation, x: Expr) -> Expr | None:
    """reshape(all_reduce(x)) -> all_reduce(reshape(x))."""
    if len(a.operands) != 1 or single_op(a.regions[0]) is None or not single_use(a.results[0]):
        return None
    return _again(a, E.reshape(x, op.results[0].type.shape))


@rule("collective_permute(inner := collective_permute(x))")
def permute_permute(op: ir.Operation, inner: ir.Operation, x: Expr) -> Expr | None:
    """Two collective permutes are one, where every device takes part in both."""
    first, second = (np.array(o.attributes["source_target_pairs"]) for o in (inner, op))
    to = dict(map(tuple, first.tolist()))
    then = dict(map(tuple, second.tolist()))
    if set(to.values()) != set(then) or set(to) != set(then):
        return None
    attributes = dict(op.attributes.items())
    pairs = np.array([[a, then[b]] for a, b in to.items()], np.int64)
    attributes["source_target_pairs"] = ir.DenseIntElementsAttr.get(pairs)
    return E.op("stablehlo.collective_permute", x, **attributes)
