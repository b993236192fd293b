"""Sorting: the derivative moves along with the elements.

One operand more, that counts 0, 1, 2, …, comes out of the sort as the permutation; by it tangents are gathered and
cotangents scattered. A sort that has no such operand is given one when it is differentiated, so that it is still
sorted once only. The order itself has no derivative: equal elements keep the order in which the sort puts them.
"""

from __future__ import annotations

from collections.abc import Sequence

from jaxlib.mlir import ir

from gradir.tensor.analysis.ranges import counts_along
from gradir.tensor.ir import expr as E
from gradir.tensor.ir.expr import Expr, i64
from gradir.tensor.ir.regions import copy_op
from gradir.tensor.rules.custom_call import CUSTOM_CALLS
from gradir.tensor.rules.indexing import Dims, Scattered, gather
from gradir.tensor.rules.interface import Cotangent, Shadow
from gradir.tensor.rules.rule import Rule, Site, add, batch_elementwise, batched_type, with_batch

# -- moving along one dimension ----------------------------------------------------------------------------------------


def along(rank: int, dim: int) -> Dims:
    """Elements placed by an index along `dim`, each in its own row."""
    others = tuple(d for d in range(rank) if d != dim)
    return Dims((), (dim,), others, others, (dim,), rank)


def taken(x: Expr, indices: Expr, dim: int) -> Expr:
    """`x` at the `indices` along `dim`."""
    if not E.size(x.shape):
        return E.full(E.tensor(indices.shape, x.dtype), 0)
    return gather(x, indices, along(x.rank, dim), [1] * x.rank)


def put_back(x: Expr, ct: Expr, indices: Expr, dim: int) -> Cotangent:
    """The transpose of `taken` for indices that are in range and differ."""
    if not E.size(x.shape):
        return None
    return Scattered(x, indices, ct, along(x.rank, dim), is_sorted=False, unique=True)


# -- sort --------------------------------------------------------------------------------------------------------------


def _dimension(op: ir.Operation) -> int:
    rank = op.operands[0].type.rank
    return ir.IntegerAttr(op.attributes["dimension"]).value % rank if "dimension" in op.attributes else rank - 1


def _permutation(op: ir.Operation) -> int | None:
    """Which operand counts along the sorted dimension, if one does."""
    dim = _dimension(op)
    return next((k for k, v in enumerate(op.operands) if counts_along(v, dim)), None)


def _jvp_sort(site: Site, tangents: Sequence[Shadow]) -> list[Shadow]:
    which = _permutation(site.op)
    assert which is not None
    return [None if t is None else taken(t, site.outs[which], _dimension(site.op)) for t in tangents]


def _vjp_sort(site: Site, cotangents: Sequence[Shadow]) -> list[Cotangent]:
    which = _permutation(site.op)
    assert which is not None
    return [
        put_back(site.ins[k], ct, site.outs[which], _dimension(site.op)) if ct is not None and active else None
        for k, (ct, active) in enumerate(zip(cotangents, site.active, strict=True))
    ]


def _sort_with_permutation(site: Site) -> list[Expr]:
    """The same sort with one operand more."""
    shape, dim, n = site.in_type(0).shape, _dimension(site.op), len(site.ins)
    index = ir.IntegerType.get_signless(32 if shape[dim] < 2**31 else 64)
    operands = [*site.ins, E.iota(shape, dim, index)]
    attributes = site.attributes() | {"dimension": i64(dim)}
    made = E.ops(site.op.name, operands, [x.type for x in operands], attributes, regions=1)
    block = site.op.regions[0].blocks[0]
    outside = {v: site.captured(v).value for v in site.captures()}
    scalar = E.tensor([], index)
    types = [a.type for a in block.arguments]
    new = ir.Block.create_at_start(made.regions[0], [*types, scalar, scalar], [site.op.location] * (2 * n + 2))
    values = {**outside, **dict(zip(block.arguments, new.arguments, strict=False))}
    with ir.InsertionPoint(new):
        for view in block.operations:
            copy_op(view.operation, values)
    return E.exprs(made.results)[:n]


def _batch_sort(site: Site) -> list[Expr]:
    operands = [with_batch(site, i) for i in range(len(site.ins))]
    return site.again(operands, [x.type for x in operands], dimension=i64(_dimension(site.op) + 1))


add(
    Rule(
        "stablehlo.sort",
        jvp=_jvp_sort,
        vjp=_vjp_sort,
        batch=_batch_sort,
        expand=_sort_with_permutation,
        expands=lambda op, active: _permutation(op) is None,
    )
)

# -- the greatest k ----------------------------------------------------------------------------------------------------


def _jvp_top_k(site: Site, tangents: Sequence[Shadow]) -> list[Shadow]:
    (t,) = tangents
    assert t is not None
    return [taken(t, site.outs[1], t.rank - 1), None]


def _vjp_top_k(site: Site, cotangents: Sequence[Shadow]) -> list[Cotangent]:
    ct = cotangents[0]
    return [None if ct is None else put_back(site.ins[0], ct, site.outs[1], ct.rank - 1)]


def _top_k(name: str) -> Rule:
    """Values and their places along the last dimension; a batch is but another dimension before it."""
    return Rule(name, jvp=_jvp_top_k, vjp=_vjp_top_k, batch=batch_elementwise)


add(_top_k("chlo.top_k"))
for _target in ("mhlo.topk", "TopK"):
    CUSTOM_CALLS[_target] = _top_k(f"custom_call @{_target}")


def _reduction_dim(site: Site) -> int:
    return ir.IntegerAttr(ir.DictAttr(site.attr("mhlo.backend_config"))["reduction_dim"]).value


def _jvp_approximate(site: Site, tangents: Sequence[Shadow]) -> list[Shadow]:
    """(values, their numbers, two fillers): a filler, whose number is -1, has no derivative."""
    t, places = tangents[0], site.outs[1]
    return [None if t is None else E.select(places >= 0, taken(t, places, _reduction_dim(site)), 0), None]


def _vjp_approximate(site: Site, cotangents: Sequence[Shadow]) -> list[Cotangent]:
    ct = cotangents[0]
    if ct is None:
        return [None] * 4
    # Fillers are outside, so that a scatter drops them; but they are all alike.
    dims = along(ct.rank, _reduction_dim(site))
    return [Scattered(site.ins[0], site.outs[1], ct, dims, is_sorted=False, unique=False), None, None, None]


def _batch_approximate(site: Site) -> list[Expr]:
    config = {a.name: a.attr for a in ir.DictAttr(site.attr("mhlo.backend_config"))}
    config["reduction_dim"] = i64(_reduction_dim(site) + 1)
    operands = [with_batch(site, 0), with_batch(site, 1), *site.ins[2:]]
    types = [batched_type(r.type, site.size) for r in site.op.results]
    return site.again(operands, types, **{"mhlo.backend_config": ir.DictAttr.get(config)})


CUSTOM_CALLS["ApproxTopK"] = Rule(
    "custom_call @ApproxTopK",
    jvp=_jvp_approximate,
    vjp=_vjp_approximate,
    batch=_batch_approximate,
    active_operands=lambda op: [k == 0 for k in range(len(op.operands))],
)
