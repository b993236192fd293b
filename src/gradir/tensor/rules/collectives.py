"""Collectives: the same program runs on many devices, and they exchange values.

What is differentiated is the sum over all devices: a cotangent says how the sum of all devices' objectives changes
with this device's value. So an `all_reduce` that adds is its own transpose: what every device gets the sum of, every
device's objective depends on. (Where each device computes the same loss from it and the loss counts once, seed one
device's cotangent with 1, or each with its share.)

In a program that tells values that vary from device to device from those that devices share, the cotangent of what is
shared is shared as well, and is that of the sum of all devices' objectives by the one value. `gradir.vary` stands where
a shared value becomes one of each device's own: cotangents are added up there. An `all_reduce` with `gradir.shared` has
a shared result: what it adds up gets its cotangent as it is, and nothing is sent.

A derivative's collectives are among the same devices as those they belong to, on channels of their own: XLA gives all
values on one channel one layout.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Sequence
from weakref import WeakKeyDictionary

import numpy as np
from jaxlib.mlir import ir
from jaxlib.mlir.dialects import stablehlo as hlo

from gradir.errors import NoRule
from gradir.tensor.analysis.computation import single_op
from gradir.tensor.ir import expr as E
from gradir.tensor.ir.devices import groups_of
from gradir.tensor.ir.expr import Expr, i64
from gradir.tensor.ir.module import location_text, operations
from gradir.tensor.rules.computation import fold
from gradir.tensor.rules.interface import Cotangent, Derivations, Shadow
from gradir.tensor.rules.rule import Rule, Site, add, batched_type, inactive, with_batch

VARY = "gradir.vary"
SHARED = "gradir.shared"
"""On an all_reduce: its result is a value that its devices share. On a region: it tells such values from others."""

# -- what all share ----------------------------------------------------------------------------------------------------


_channels: WeakKeyDictionary[Derivations, Iterator[int]] = WeakKeyDictionary()


def next_channel(deriver: Derivations) -> int:
    """A channel that no collective of the module uses."""
    if deriver not in _channels:
        found = [op.attributes for op in operations(deriver.module) if "channel_handle" in op.attributes]
        used = [hlo.ChannelHandle(attributes["channel_handle"]).handle for attributes in found]
        _channels[deriver] = itertools.count(max(used, default=0) + 1)
    return next(_channels[deriver])


def channel(site: Site) -> dict[str, ir.Attribute]:
    """A channel for another collective like the site's, if that has one."""
    attr = site.get("channel_handle")
    old = None if attr is None else hlo.ChannelHandle(attr)
    if old is None or old.handle <= 0:
        return {} if attr is None else {"channel_handle": attr}
    return {"channel_handle": hlo.ChannelHandle.get(next_channel(site.deriver), old.channel_type)}


def again(site: Site, operands: Sequence[Expr], results: Sequence[ir.Type], **changed: ir.Attribute) -> list[Expr]:
    """The same op for other operands."""
    return site.again(operands, results, **{**channel(site), **changed})


def among(
    site: Site, name: str, operands: Sequence[Expr], results: Sequence[ir.Type], **attributes: ir.Attribute
) -> list[Expr]:
    """Another collective among the same devices; if it combines values, by adding them."""
    shared = ("replica_groups", "use_global_device_ids")
    given = {key: value for key in shared if (value := site.get(key)) is not None} | channel(site)
    sums = name in ("stablehlo.all_reduce", "stablehlo.reduce_scatter")
    made = E.ops(name, operands, results, {**given, **attributes}, regions=int(sums))
    if sums:
        scalar = E.tensor([], operands[0].dtype)
        E.fill(made.regions[0], [scalar, scalar], lambda a, b: [a + b])
    return E.exprs(made.results)


def total(site: Site, xs: Sequence[Expr], shared: bool | None = None) -> list[Expr]:
    """The sums over the group: shared by its devices if what the site gives is."""
    mark = {SHARED: ir.UnitAttr.get()} if (is_shared(site) if shared is None else shared) else {}
    return among(site, "stablehlo.all_reduce", xs, [x.type for x in xs], **mark)


def is_shared(site: Site) -> bool:
    return site.get(SHARED) is not None


def own(site: Site, xs: Sequence[Expr]) -> list[Expr]:
    """Shared values of the group, as each device's own."""
    return [among(site, VARY, [x], [x.type])[0] for x in xs]


def pulled(site: Site, cotangents: Sequence[Expr]) -> list[Expr]:
    """The cotangents of what a device adds to a sum, from those of the sum."""
    return own(site, cotangents) if is_shared(site) else total(site, cotangents)


def gathered(site: Site, x: Expr) -> Expr:
    """The values of the group's devices, stacked along a new first dimension."""
    n = group_size(site)
    one = E.reshape(x, [1, *x.shape])
    return among(site, "stablehlo.all_gather", [one], [E.tensor([n, *x.shape], x.dtype)], all_gather_dim=i64(0))[0]


def groups(site: Site) -> np.ndarray:
    """The devices of each group, a row for a group."""
    found = groups_of(site.op)
    if found is None or not found.size or found.min() < 0:
        raise NoRule(
            f"{site.op.name} with groups that are not written out, or not of one size, has no derivative here",
            location=location_text(site.op.location),
            hint="write all devices into replica_groups, in groups of one size",
        )
    return found


def group_size(site: Site) -> int:
    return groups(site).shape[1]


def combine(site: Site, x: Expr) -> Expr:
    """The group's values combined by the op's computation, in the group's order."""
    xs = gathered(site, x)
    first = E.reshape(E.slice_in_dim(xs, 0, 1, 0), x.shape)
    return fold(site, site.op.regions[0], [E.slice_in_dim(xs, 1, xs.shape[0], 0)], [first])[0]


def each(shadows: Sequence[Shadow]) -> list[int]:
    """The places of those that are there."""
    return [k for k, d in enumerate(shadows) if d is not None]


def _jvp_linear(site: Site, tangents: Sequence[Shadow]) -> list[Shadow]:
    """The same op, for those operands that have a tangent."""
    out: list[Shadow] = [None] * len(tangents)
    chosen = each(tangents)
    types = [site.out_type(k) for k in chosen]
    for k, d in zip(chosen, again(site, [d for d in tangents if d is not None], types), strict=True):
        out[k] = d
    return out


def _scatter_back(site: Site, cotangents: Sequence[Shadow], made: Sequence[Expr]) -> list[Cotangent]:
    """The cotangents that were made for the results that have one, in the operands' places and types."""
    out: list[Cotangent] = [None] * len(cotangents)
    for k, ct in zip(each(cotangents), made, strict=True):
        out[k] = E.convert(ct, site.in_type(k).element_type)
    return out


def _given(cotangents: Sequence[Shadow]) -> list[Expr]:
    return [ct for ct in cotangents if ct is not None]


def _shifted(site: Site, *dimensions: str) -> list[Expr]:
    """Batch an op that acts along some dimensions: they come one later."""
    changed = {name: i64(ir.IntegerAttr(site.attr(name)).value + 1) for name in dimensions}
    operands = [with_batch(site, i) for i in range(len(site.ins))]
    return again(site, operands, [batched_type(r.type, site.size) for r in site.op.results], **changed)


# -- all_reduce --------------------------------------------------------------------------------------------------------


def _vjp_sum(site: Site, cotangents: Sequence[Shadow]) -> list[Cotangent]:
    return _scatter_back(site, cotangents, pulled(site, _given(cotangents)))


def _winners(site: Site, k: int) -> tuple[Expr, Callable[[Expr], Expr]]:
    """Whether this device's value is the greatest (or least) of the group, and the share of each device of which it is.

    (Where all are NaN none is, and the share is not a number.)
    """
    mine = site.ins[k].eq(E.convert(site.outs[k], site.in_type(k).element_type))
    (number,) = total(site, [E.convert(mine, site.out_type(k).element_type)])
    return mine, lambda d: site.scale(d, lambda d: d / number)


def _jvp_extreme(site: Site, tangents: Sequence[Shadow]) -> list[Shadow]:
    out: list[Shadow] = [None] * len(tangents)
    for k, d in enumerate(tangents):
        if d is not None:
            mine, share = _winners(site, k)
            won = E.convert(E.select(mine, d, 0), site.out_type(k).element_type)
            out[k] = share(total(site, [won])[0])
    return out


def _vjp_extreme(site: Site, cotangents: Sequence[Shadow]) -> list[Cotangent]:
    out: list[Expr] = []
    for k, ct in enumerate(cotangents):
        if ct is not None:
            mine, share = _winners(site, k)
            (whole,) = pulled(site, [share(ct)] if is_shared(site) else [ct])
            out.append(E.select(mine, whole if is_shared(site) else share(whole), 0))
    return _scatter_back(site, cotangents, out)


def _expand_all_reduce(site: Site) -> list[Expr]:
    """Any other computation: every device gets all values and combines them."""
    if is_shared(site):
        raise NoRule(
            "stablehlo.all_reduce by a computation of several ops has no derivative where devices share the result",
            location=location_text(site.op.location),
            hint="gather the values (jax.lax.all_gather) and combine them on every device",
        )
    return [E.convert(combine(site, x), site.out_type(k).element_type) for k, x in enumerate(site.ins)]


_SUM = Rule("stablehlo.all_reduce", jvp=_jvp_linear, vjp=_vjp_sum, batch=_shifted)
_EXTREME = Rule("stablehlo.all_reduce", jvp=_jvp_extreme, vjp=_vjp_extreme, batch=_shifted)
_ANY = Rule("stablehlo.all_reduce", expand=_expand_all_reduce, batch=_shifted)


def _all_reduce(op: ir.Operation) -> Rule:
    kinds = {"stablehlo.add": _SUM, "stablehlo.maximum": _EXTREME, "stablehlo.minimum": _EXTREME}
    return kinds.get(single_op(op.regions[0]) or "", _ANY)


add(Rule("stablehlo.all_reduce", variant=_all_reduce))


def _vjp_cross_replica_sum(site: Site, cotangents: Sequence[Shadow]) -> list[Cotangent]:
    return [*site.again(_given(cotangents))]


add(Rule("stablehlo.cross-replica-sum", jvp=_jvp_linear, vjp=_vjp_cross_replica_sum, batch=_shifted))


def _vjp_vary(site: Site, cotangents: Sequence[Shadow]) -> list[Cotangent]:
    return [*total(site, _given(cotangents), shared=True)]


add(Rule(VARY, jvp=_jvp_linear, vjp=_vjp_vary, batch=_shifted))


# -- all_gather and reduce_scatter: each is the other's transpose ------------------------------------------------------


def _vjp_all_gather(site: Site, cotangents: Sequence[Shadow]) -> list[Cotangent]:
    made = [
        among(
            site,
            "stablehlo.reduce_scatter",
            [ct],
            [E.tensor(site.in_type(k).shape, ct.dtype)],
            scatter_dimension=site.attr("all_gather_dim"),
        )[0]
        for k, ct in enumerate(cotangents)
        if ct is not None
    ]
    return _scatter_back(site, cotangents, made)


add(
    Rule(
        "stablehlo.all_gather",
        jvp=_jvp_linear,
        vjp=_vjp_all_gather,
        batch=lambda site: _shifted(site, "all_gather_dim"),
    )
)


def _vjp_reduce_scatter(site: Site, cotangents: Sequence[Shadow]) -> list[Cotangent]:
    made = [
        among(
            site,
            "stablehlo.all_gather",
            [ct],
            [E.tensor(site.in_type(k).shape, ct.dtype)],
            all_gather_dim=site.attr("scatter_dimension"),
        )[0]
        for k, ct in enumerate(cotangents)
        if ct is not None
    ]
    return _scatter_back(site, cotangents, made)


def _expand_reduce_scatter(site: Site) -> list[Expr]:
    """Any other computation: every device combines all values and takes its part of the result.

    Which part that is, a reduce_scatter says: the sum of the group's `0, 1, 2, …`, scattered, is n times the place.
    """
    i32 = ir.IntegerType.get_signless(32)
    n, dim = group_size(site), ir.IntegerAttr(site.attr("scatter_dimension")).value
    (place,) = among(
        site, "stablehlo.reduce_scatter", [E.iota([n], 0, i32)], [E.tensor([1], i32)], scatter_dimension=i64(0)
    )
    t = site.out_type()
    start = E.reshape(place, []) / n * t.shape[dim]
    whole = combine(site, site.ins[0])
    zero = E.full(E.tensor([], i32), 0)
    part = E.dynamic_slice(whole, [start if d == dim else zero for d in range(t.rank)], t.shape)
    return [E.convert(part, t.element_type)]


def _batch_reduce_scatter(site: Site) -> list[Expr]:
    return _shifted(site, "scatter_dimension")


_SCATTERED_SUM = Rule("stablehlo.reduce_scatter", jvp=_jvp_linear, vjp=_vjp_reduce_scatter, batch=_batch_reduce_scatter)
_SCATTERED = Rule("stablehlo.reduce_scatter", expand=_expand_reduce_scatter, batch=_batch_reduce_scatter)
add(
    Rule(
        "stablehlo.reduce_scatter",
        variant=lambda op: _SCATTERED_SUM if single_op(op.regions[0]) == "stablehlo.add" else _SCATTERED,
    )
)

# -- ops that move values ----------------------------------------------------------------------------------------------


def _vjp_all_to_all(site: Site, cotangents: Sequence[Shadow]) -> list[Cotangent]:
    """What was split and sent is sent back and put together."""
    types = [site.in_type(k) for k in each(cotangents)]
    swapped = {"split_dimension": site.attr("concat_dimension"), "concat_dimension": site.attr("split_dimension")}
    return _scatter_back(site, cotangents, again(site, _given(cotangents), types, **swapped))


add(
    Rule(
        "stablehlo.all_to_all",
        jvp=_jvp_linear,
        vjp=_vjp_all_to_all,
        batch=lambda site: _shifted(site, "split_dimension", "concat_dimension"),
    )
)


def _pairs(pairs: np.ndarray) -> ir.Attribute:
    i64_ = ir.IntegerType.get_signless(64)
    return ir.DenseIntElementsAttr.get(np.ascontiguousarray(pairs, np.int64), type=E.tensor(pairs.shape, i64_))


def _vjp_permute(site: Site, cotangents: Sequence[Shadow]) -> list[Cotangent]:
    """Every value goes back where it came from; what was sent nowhere gets zero, as it should."""
    attr = ir.DenseIntElementsAttr(site.attr("source_target_pairs"))
    pairs = np.array([int(v) for v in attr], np.int64).reshape(-1, 2)
    types = [site.in_type(k) for k in each(cotangents)]
    back = again(site, _given(cotangents), types, source_target_pairs=_pairs(pairs[:, ::-1]))
    return _scatter_back(site, cotangents, back)


add(Rule("stablehlo.collective_permute", jvp=_jvp_linear, vjp=_vjp_permute, batch=_shifted))


def _vjp_broadcast(site: Site, cotangents: Sequence[Shadow]) -> list[Cotangent]:
    """The first device of a group gets the sum of the group's cotangents, one sent after the other."""
    members = groups(site)
    (ct,) = cotangents
    assert ct is not None
    sent = [
        E.op(
            "stablehlo.collective_permute",
            ct,
            result=ct.type,
            source_target_pairs=_pairs(members[:, [k, 0]]),
            **channel(site),
        )
        for k in range(members.shape[1])
    ]
    out = sent[0]
    for more in sent[1:]:
        out = out + more
    return [out]


add(Rule("stablehlo.collective_broadcast", jvp=_jvp_linear, vjp=_vjp_broadcast, batch=_shifted))

# -- who am I ----------------------------------------------------------------------------------------------------------

inactive("stablehlo.partition_id")
inactive("stablehlo.replica_id")
