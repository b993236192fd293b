"""Ops that compute nothing of their own: barriers, stops, tokens, talk with the host, and random numbers."""

from __future__ import annotations

from collections.abc import Sequence

from jaxlib.mlir import ir
from jaxlib.mlir.dialects import stablehlo as hlo

from gradir.tensor.analysis.activity import Flow
from gradir.tensor.ir import expr as E
from gradir.tensor.ir.expr import Expr
from gradir.tensor.ir.regions import copy_op
from gradir.tensor.rules.custom_call import one_by_one
from gradir.tensor.rules.interface import Batch, Cotangent, Forward, Pullback, Reverse, Shadow
from gradir.tensor.rules.rule import Rule, Site, add, add_shadows, inactive

# -- barriers ----------------------------------------------------------------------------------------------------------


class Barrier:
    """`stablehlo.optimization_barrier`: the identity on each operand, which holds them together.

    Tangents and cotangents get a barrier too: what must not be mixed with its neighbours must not be so on the way
    back. What an operand carries (a derivative, a batch) only its own result carries.
    """

    def flow(self, flow: Flow, op: ir.Operation) -> None:
        for v, r in zip(op.operands, op.results, strict=True):
            flow.link(*((r, v) if flow.backwards else (v, r)))

    def around(self, values: Sequence[Expr]) -> list[Expr]:
        if not values:
            return []
        return E.exprs(E.ops("stablehlo.optimization_barrier", values, [v.type for v in values]).results)

    def forward(self, t: Forward, op: ir.Operation) -> None:
        copy_op(op, t.env)
        pairs = [(r, t.tangents[v]) for v, r in zip(op.operands, op.results, strict=True) if v in t.tangents]
        t.tangents.update(zip((r for r, _ in pairs), self.around([d for _, d in pairs]), strict=True))

    def augment(self, t: Reverse, op: ir.Operation) -> Pullback:
        copy_op(op, t.env)

        def pullback(cotangents: Sequence[Shadow]) -> None:
            pairs = [(v, ct) for v, ct in zip(op.operands, cotangents, strict=True) if ct is not None]
            for (v, _), ct in zip(pairs, self.around([ct for _, ct in pairs]), strict=True):
                t.add(v, ct)

        return pullback

    def batch(self, t: Batch, op: ir.Operation) -> None:
        for r, x in zip(op.results, self.around([t.lookup(v) for v in op.operands]), strict=True):
            t.env[r] = x.value


add(Rule("stablehlo.optimization_barrier", control=Barrier()))

# -- stops -------------------------------------------------------------------------------------------------------------

inactive("enzyme.ignore_derivatives")

# -- tokens and the host: they have no derivative, and an example of a batch has no host of its own --------------------

for _name in ("after_all", "create_token", "infeed", "recv", "outfeed", "send"):
    add(Rule(f"stablehlo.{_name}", inactive=True))

# -- random numbers ----------------------------------------------------------------------------------------------------


def _parts(site: Site) -> tuple[Expr, Expr]:
    """How a random number depends on its two parameters: `a (1 - u) + b u` if uniform, `a + b z` if normal."""
    a, b, y = (_spread(site, x) for x in (*site.ins[:2], site.outs[0]))
    if str(hlo.RngDistributionAttr(site.attr("rng_distribution")).value) == "UNIFORM":
        u = (y - a) / (b - a)
        return 1 - u, u
    return E.full_like(y, 1), (y - a) / b


def _spread(site: Site, x: Expr) -> Expr:
    return E.broadcast(x, site.out_type().shape, []) if x.rank == 0 else x


def _times(site: Site, d: Expr, part: Expr) -> Expr:
    return site.scale(d, lambda d: d * part)


def _jvp_rng(site: Site, tangents: Sequence[Shadow]) -> list[Shadow]:
    out: Shadow = None
    for d, part in zip(tangents, _parts(site), strict=False):
        if d is not None:
            out = add_shadows(out, _times(site, _spread(site, d), part))
    return [out]


def _vjp_rng(site: Site, cotangents: Sequence[Shadow]) -> list[Cotangent]:
    (ct,) = cotangents
    assert ct is not None
    return [*(E.reduce_sum(_times(site, ct, part), range(ct.rank)) for part in _parts(site)), None]


# Where the examples of a batch share the parameters, they share what is drawn; else each draws with its own.
add(Rule("stablehlo.rng", jvp=_jvp_rng, vjp=_vjp_rng, batch=one_by_one))
add(Rule("stablehlo.rng_bit_generator", batch=one_by_one, inactive=True))
