"""Collectives: fewer of them, and of smaller arrays."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import numpy as np
from jaxlib.mlir import ir

from gradir.tensor.analysis.computation import single_op
from gradir.tensor.ir import expr as E
from gradir.tensor.ir.devices import Among, groups_of
from gradir.tensor.ir.expr import Expr
from gradir.tensor.ir.reading import integer, ints, kind, made_by, single_use, splat_of
from gradir.tensor.ir.regions import copy_region, terminator
from gradir.tensor.optimize.driver import Driver
from gradir.tensor.optimize.effects import RANGE, ROUNDS, ZERO_SIGN
from gradir.tensor.optimize.loops import forget_terminator, remade
from gradir.tensor.optimize.rule import Family, again

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
    same = all(k in a.attributes and k in b.attributes and a.attributes[k] == b.attributes[k] for k in keys)
    return same and Among.of(a) == Among.of(b)


@rule("(a := all_reduce(x)) + (b := all_reduce(y))", "inexact", effects=ROUNDS)
def add_of_all_reduces(a: ir.Operation, b: ir.Operation, x: Expr, y: Expr) -> Expr | None:
    """all_reduce(x) + all_reduce(y) -> all_reduce(x + y)."""
    if not (
        _is_sum(a) and _is_sum(b) and _same_devices(a, b) and single_use(a.results[0]) and single_use(b.results[0])
    ):
        return None
    return _again(a, x + y)


@rule("(a := all_reduce(x)) - (b := all_reduce(y))", "inexact", effects=ROUNDS)
def sub_of_all_reduces(a: ir.Operation, b: ir.Operation, x: Expr, y: Expr) -> Expr | None:
    """all_reduce(x) - all_reduce(y) -> all_reduce(x - y)."""
    if not (
        _is_sum(a) and _is_sum(b) and _same_devices(a, b) and single_use(a.results[0]) and single_use(b.results[0])
    ):
        return None
    return _again(a, x - y)


@rule("slice(a := all_reduce(x))", effects=ROUNDS)
def slice_of_all_reduce(op: ir.Operation, a: ir.Operation, x: Expr) -> Expr | None:
    """slice(all_reduce(x)) -> all_reduce(slice(x)): less is sent."""
    if len(a.operands) != 1 or single_op(a.regions[0]) is None or not single_use(a.results[0]):
        return None
    return _again(a, E.slice_(x, ints(op, "start_indices"), ints(op, "limit_indices"), ints(op, "strides")))


@rule("reduce(a := all_reduce(x), init)", "inexact", effects=ROUNDS)
def reduce_of_all_reduce(op: ir.Operation, a: ir.Operation, x: Expr, init: Expr) -> Expr | None:
    """sum(all_reduce(x)) -> all_reduce(sum(x)): less is sent."""
    from gradir.tensor.optimize.reductions import body_of, reduced_again, starts_neutral

    if not _is_sum(a) or body_of(op) != "stablehlo.add" or not starts_neutral(op) or not single_use(a.results[0]):
        return None
    return _again(a, reduced_again(op, x, init, ints(op, "dimensions")))


@rule("all_reduce(b := broadcast(x))", effects=ROUNDS)
def all_reduce_of_broadcast(op: ir.Operation, b: ir.Operation, x: Expr) -> Expr | None:
    """all_reduce(broadcast(x)) -> broadcast(all_reduce(x)): less is sent."""
    t = op.results[0].type
    if len(op.operands) != 1 or single_op(op.regions[0]) is None or E.size(x.shape) >= E.size(t.shape):
        return None
    return E.broadcast(_again(op, x), t.shape, ints(b, "broadcast_dimensions"))


@rule("all_reduce(-x)", "inexact", effects=ZERO_SIGN)
def all_reduce_of_negate(op: ir.Operation, x: Expr) -> Expr | None:
    """all_reduce(-x) -> -all_reduce(x)."""
    return -_again(op, x) if _is_sum(op) else None


@rule("all_reduce(x * C)", "float", effects=ROUNDS | RANGE)
def all_reduce_of_multiple(op: ir.Operation, x: Expr, C: float) -> Expr | None:
    """all_reduce(x * C) -> all_reduce(x) * C, so that constants meet."""
    return _again(op, x) * C if _is_sum(op) else None


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


def _alone(op: ir.Operation) -> bool:
    """Whether each device of a collective is a group of its own."""
    groups = groups_of(op)
    return groups is not None and groups.ndim == 2 and groups.shape[0] > 0 and groups.shape[1] == 1


def _together(op: ir.Operation) -> int | None:
    """How many devices each group of a collective has, if all have as many."""
    groups = groups_of(op)
    if groups is None or groups.ndim != 2 or not groups.size or (groups < 0).any():
        return None
    return groups.shape[1]


@rule("all_reduce(x)", when=lambda op: len(op.operands) == 1 and _alone(op))
def all_reduce_alone(op: ir.Operation, x: Expr) -> Expr | None:
    """What one device adds up is what it has."""
    return x if single_op(op.regions[0]) is not None else None


@rule("all_gather(x)", when=lambda op: len(op.operands) == 1 and _alone(op))
def all_gather_alone(op: ir.Operation, x: Expr) -> Expr | None:
    """What one device gathers is what it has."""
    return x if x.type == op.results[0].type else None


@rule("all_reduce(a := all_reduce(x))", "float", effects=ROUNDS)
def all_reduce_twice(op: ir.Operation, a: ir.Operation, x: Expr) -> Expr | None:
    """all_reduce(all_reduce(x)) -> all_reduce(x) * n, for groups of n devices."""
    n = _together(op)
    if n is None or not (_is_sum(op) and _is_sum(a) and _same_devices(op, a)):
        return None
    return Expr(a.results[0]) * n


@rule("all_reduce(x)", "float", effects=ROUNDS, when=lambda op: splat_of(op.operands[0]) is not None)
def all_reduce_splat(op: ir.Operation, x: Expr) -> Expr | None:
    """The sum of a constant over n devices is n times that."""
    number, n = splat_of(x.value), _together(op)
    if number is None or n is None or not _is_sum(op):
        return None
    return E.full(x.type, number * n)


@rule("concatenate(*xs)", when=lambda op: len(op.operands) > 1 and made_by(op.operands[0], "all_reduce") is not None)
def concatenate_of_all_reduces(op: ir.Operation, xs: list[Expr]) -> Expr | None:
    """concatenate(all_reduce(x), all_reduce(y)) -> all_reduce(concatenate(x, y)): one is sent."""
    makers = [m for x in xs if (m := made_by(x, "all_reduce")) is not None and single_use(x.value)]
    if len(makers) < len(xs) or any(len(m.operands) != 1 for m in makers):
        return None
    body = single_op(makers[0].regions[0])
    same = all(_same_devices(makers[0], m) and single_op(m.regions[0]) == body for m in makers)
    if body is None or not same:
        return None
    return _again(makers[0], E.concatenate([Expr(m.operands[0]) for m in makers], integer(op, "dimension")))


@rule("unary(a := all_gather(x))", when=lambda op: len(op.operands) == 1)
def unary_of_all_gather(op: ir.Operation, a: ir.Operation, x: Expr) -> Expr | None:
    """f(all_gather(x)) -> all_gather(f(x)): less is computed."""
    if len(a.operands) != 1 or not single_use(a.results[0]):
        return None
    small = again(op, [x])
    t = E.tensor(a.results[0].type.shape, small.dtype)
    return E.op("stablehlo.all_gather", small, result=t, **dict(a.attributes.items()))


@rule("binary(a := all_gather(x), b := all_gather(y))")
def binary_of_all_gathers(op: ir.Operation, a: ir.Operation, b: ir.Operation, x: Expr, y: Expr) -> Expr | None:
    """f(all_gather(x), all_gather(y)) -> all_gather(f(x, y)): less is computed, and sent."""
    if not (_same_devices(a, b) and x.shape == y.shape and len(a.operands) == len(b.operands) == 1):
        return None
    if not (single_use(a.results[0]) and single_use(b.results[0])):
        return None
    small = again(op, [x, y])
    t = E.tensor(op.results[0].type.shape, small.dtype)
    return E.op("stablehlo.all_gather", small, result=t, **dict(a.attributes.items()))


@rule("slice(a := all_gather(x))")
def slice_of_all_gather(op: ir.Operation, a: ir.Operation, x: Expr) -> Expr | None:
    """slice(all_gather(x)) -> all_gather(slice(x)) along other dimensions: less is sent."""
    start, limit, strides = (list(ints(op, n)) for n in ("start_indices", "limit_indices", "strides"))
    d = integer(a, "all_gather_dim")
    if len(a.operands) != 1 or not single_use(a.results[0]):
        return None
    if (start[d], limit[d], strides[d]) != (0, a.results[0].type.shape[d], 1):
        return None
    limit[d] = x.shape[d]
    return E.op(
        "stablehlo.all_gather", E.slice_(x, start, limit, strides), result=op.results[0].type,
        **dict(a.attributes.items()),
    )  # fmt: skip


def _scattered_again(op: ir.Operation, x: Expr) -> Expr:
    """The same reduce_scatter of another array."""
    made = E.ops(op.name, [x], [op.results[0].type], dict(op.attributes.items()), regions=1)
    copy_region(op.regions[0], made.regions[0], {})
    return Expr(made.results[0])


@rule("(a := reduce_scatter(x)) + (b := reduce_scatter(y))", "inexact", effects=ROUNDS)
def add_of_reduce_scatters(a: ir.Operation, b: ir.Operation, x: Expr, y: Expr) -> Expr | None:
    """reduce_scatter(x) + reduce_scatter(y) -> reduce_scatter(x + y): one is sent."""
    if not (_is_sum(a) and _is_sum(b) and _same_devices(a, b) and x.shape == y.shape):
        return None
    return _scattered_again(a, x + y) if single_use(a.results[0]) and single_use(b.results[0]) else None


@rule("reduce_scatter(-x)", "inexact", effects=ZERO_SIGN)
def reduce_scatter_of_negate(op: ir.Operation, x: Expr) -> Expr | None:
    """reduce_scatter(-x) -> -reduce_scatter(x): less is negated."""
    return -_scattered_again(op, x) if _is_sum(op) else None


@rule("reduce_scatter(x * C)", "float", effects=ROUNDS | RANGE)
def reduce_scatter_of_multiple(op: ir.Operation, x: Expr, C: float) -> Expr | None:
    """reduce_scatter(x * C) -> reduce_scatter(x) * C: less is multiplied."""
    return _scattered_again(op, x) * C if _is_sum(op) else None


@rule("all_to_all(inner := all_to_all(x))")
def all_to_all_and_back(op: ir.Operation, inner: ir.Operation, x: Expr) -> Expr | None:
    """An all_to_all that undoes another goes with it."""
    there, back = ((integer(o, "split_dimension"), integer(o, "concat_dimension")) for o in (inner, op))
    same = op.attributes["replica_groups"] == inner.attributes["replica_groups"]
    same = same and len(op.operands) == len(inner.operands) == 1
    same = same and Among.of(op) == Among.of(inner)
    return x if same and there == back[::-1] and x.type == op.results[0].type else None


@rule("while_(*xs)", effects=ROUNDS)
def all_reduce_after_loop(op: ir.Operation, xs: list[Expr], driver: Driver) -> list[Expr] | None:
    """A sum of what is added up over all devices in each round is added up over them once, after the loop."""
    body = op.regions[1].blocks[0]
    if len(op.attributes):
        return None
    for k, value in enumerate(terminator(body).operands):
        add, argument = made_by(value, "add"), body.arguments[k]
        if add is None or not single_use(value) or not single_use(argument) or kind(value.type) not in _INEXACT:
            continue
        a, b = add.operands
        term = b if a == argument else a
        sent = made_by(term, "all_reduce")
        if sent is None or not _is_sum(sent) or argument not in (a, b) or not single_use(term) or sent.block != body:
            continue
        if list(op.regions[0].blocks[0].arguments[k].uses):
            continue  # the loop's end depends on the sum so far
        outside = _again_before(sent, op)
        argument.replace_all_uses_with(xs[k].value)
        forget_terminator(driver, body)
        made = remade(op, [k], [(E.full(xs[k].type, 0), partial(E.op, "stablehlo.add", Expr(sent.operands[0])))])
        driver.erase(add)
        total = outside(made[-1])  # type: ignore[arg-type]
        results = [*made[:-1]]
        results[k] = xs[k] + total
        return results  # type: ignore[return-value]
    return None


_INEXACT = ("float", "complex")


def _again_before(sent: ir.Operation, loop: ir.Operation) -> Callable[[Expr], Expr]:
    """The collective for the time after the loop, when the one in it is gone."""
    copy = sent.clone()
    copy.move_before(loop)

    def emit(x: Expr) -> Expr:
        made = _again(copy, x)
        copy.erase()
        return made

    return emit


@rule("collective_permute(inner := collective_permute(x))")
def permute_permute(op: ir.Operation, inner: ir.Operation, x: Expr) -> Expr | None:
    """Two collective permutes are one, where every device takes part in both."""
    first, second = (np.array(o.attributes["source_target_pairs"]) for o in (inner, op))
    to = dict(map(tuple, first.tolist()))
    then = dict(map(tuple, second.tolist()))
    if set(to.values()) != set(then) or set(to) != set(then) or Among.of(op) != Among.of(inner):
        return None
    attributes = dict(op.attributes.items())
    pairs = np.array([[a, then[b]] for a, b in to.items()], np.int64)
    attributes["source_target_pairs"] = ir.DenseIntElementsAttr.get(pairs)
    return E.op("stablehlo.collective_permute", x, **attributes)
