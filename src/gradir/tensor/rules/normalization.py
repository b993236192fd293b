"""Batch normalisation, as the simpler ops that define it. Types narrower than f32 are computed in f32."""

from __future__ import annotations

from collections.abc import Sequence

from jaxlib.mlir import ir

from gradir.tensor.ir import expr as E
from gradir.tensor.ir.expr import Expr
from gradir.tensor.rules.rule import Site, expand


class Norm:
    """One op: its epsilon, which dimension has the features, and its operands in the precision to compute in."""

    def __init__(self, site: Site) -> None:
        t = site.in_type(0)
        narrow = isinstance(t.element_type, ir.FloatType) and t.element_type.width < 32
        self.ins = [E.convert(x, ir.F32Type.get()) if narrow else x for x in site.ins]
        self.shape = t.shape
        self.feature = int(ir.IntegerAttr(site.attr("feature_index")).value)
        self.epsilon = float(ir.FloatAttr(site.attr("epsilon")).value)
        self.others = [d for d in range(t.rank) if d != self.feature]
        self.count = E.size([t.shape[d] for d in self.others])

    def wide(self, x: Expr) -> Expr:
        """A number for each feature, repeated."""
        return E.broadcast(x, self.shape, [self.feature])

    def sum(self, x: Expr) -> Expr:
        return E.reduce_sum(x, self.others)

    def normalized(self, x: Expr, mean: Expr, variance: Expr) -> Expr:
        return (x - self.wide(mean)) * self.wide(E.rsqrt(variance + self.epsilon))


def _converted(site: Site, values: Sequence[Expr]) -> list[Expr]:
    return [E.convert(v, site.out_type(i).element_type) for i, v in enumerate(values)]


def _expand_inference(site: Site) -> list[Expr]:
    norm = Norm(site)
    x, scale, offset, mean, variance = norm.ins
    return _converted(site, [norm.normalized(x, mean, variance) * norm.wide(scale) + norm.wide(offset)])


def _expand_training(site: Site) -> list[Expr]:
    norm = Norm(site)
    x, scale, offset = norm.ins
    mean = norm.sum(x) / norm.count
    centered = x - norm.wide(mean)
    variance = norm.sum(centered * centered) / norm.count
    normal = centered * norm.wide(E.rsqrt(variance + norm.epsilon))
    return _converted(site, [normal * norm.wide(scale) + norm.wide(offset), mean, variance])


def _expand_grad(site: Site) -> list[Expr]:
    norm = Norm(site)
    x, scale, mean, variance, d = norm.ins
    normal = norm.normalized(x, mean, variance)
    d_scale, d_offset = norm.sum(d * normal), norm.sum(d)
    centered = d - norm.wide(d_offset / norm.count) - normal * norm.wide(d_scale / norm.count)
    dx = centered * norm.wide(scale * E.rsqrt(variance + norm.epsilon))
    return _converted(site, [dx, d_scale, d_offset])


expand("stablehlo.batch_norm_inference", _expand_inference)
expand("stablehlo.batch_norm_training", _expand_training)
expand("stablehlo.batch_norm_grad", _expand_grad)
