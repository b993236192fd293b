"""How values lie on several devices: annotations, which change no value, and programs for one device of many.

An annotation holds for tangents and cotangents as it does for the value: they have its shape and are used where it
is. A batch dimension is left to the partitioner.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from math import prod

import numpy as np
from jaxlib.mlir import ir
from jaxlib.mlir.dialects import sdy
from jaxlib.mlir.dialects import stablehlo as hlo

from gradir.errors import NoRule
from gradir.tensor.analysis.activity import Flow
from gradir.tensor.ir import expr as E
from gradir.tensor.ir.devices import Mesh
from gradir.tensor.ir.expr import Expr
from gradir.tensor.ir.module import location_text
from gradir.tensor.ir.regions import copy_op, terminator
from gradir.tensor.rules.collectives import SHARED, next_channel
from gradir.tensor.rules.control import detached_block, or_zero
from gradir.tensor.rules.custom_call import CUSTOM_CALLS
from gradir.tensor.rules.interface import Batch, Cotangent, Derivations, Forward, Pullback, Reverse, Shadow, Split
from gradir.tensor.rules.rule import Rule, Site, add, batched_type, linear

# -- annotations -------------------------------------------------------------------------------------------------------


def one_more(sharding: ir.Attribute, axes: Sequence[str] = (), closed: bool = False) -> ir.Attribute:
    """A tensor's sharding with a dimension in front that is split over `axes`."""
    old = sdy.TensorShardingAttr(sharding)
    first = sdy.DimensionShardingAttr.get([sdy.AxisRefAttr.get(a) for a in axes], is_closed=closed)
    return sdy.TensorShardingAttr.get(
        old.mesh_or_ref, [first, *old.dimension_shardings], old.replicated_axes, old.unreduced_axes
    )


def _batch_annotation(site: Site) -> list[Expr]:
    sharding = site.get("sharding")
    changed = {} if sharding is None else {"sharding": one_more(sharding)}
    return site.again(site.ins, [batched_type(r.type, site.size) for r in site.op.results], **changed)


def _again(site: Site, ct: Expr) -> Expr:
    return site.again([ct])[0]


for _name in ("sharding_constraint", "reshard", "propagation_barrier"):
    linear(f"sdy.{_name}", _again, batch=_batch_annotation)
add(Rule("sdy.sharding_group", inactive=True, batch=_batch_annotation))

# -- the same as custom calls, as they were before Shardy --------------------------------------------------------------


def _jvp_again(site: Site, tangents: Sequence[Shadow]) -> list[Shadow]:
    (d,) = tangents
    assert d is not None
    return [*site.again([d])]


def _vjp_again(site: Site, cotangents: Sequence[Shadow]) -> list[Cotangent]:
    (ct,) = cotangents
    assert ct is not None
    return [_again(site, ct)]


def _vjp_refused(site: Site, cotangents: Sequence[Shadow]) -> list[Cotangent]:
    raise NoRule(
        f"custom_call @{ir.StringAttr(site.attr('call_target_name')).value} has no reverse rule: it does not say over "
        "which devices a cotangent is summed",
        location=location_text(site.op.location),
        hint="lower with Shardy (jax_use_shardy_partitioner), whose sdy.manual_computation does, "
        "or differentiate inside the part that is for one device",
    )


def _batch_sharded_call(site: Site) -> list[Expr]:
    """`{devices=[2,1]<=[2]}` becomes `{devices=[1,2,1]<=[2]}`, with the first dimension left open."""
    changed: dict[str, ir.Attribute] = {}
    if (old := site.get("mhlo.sharding")) is not None:
        text = ir.StringAttr(old).value
        changed["mhlo.sharding"] = ir.StringAttr.get(text.replace("devices=[", "devices=[1,", 1))
    if ir.StringAttr(site.attr("call_target_name")).value == "Sharding":
        config = site.get("backend_config")
        given = re.findall(r"\d+", ir.StringAttr(config).value) if isinstance(config, ir.StringAttr) else []
        dims = ",".join(["0", *(str(int(d) + 1) for d in given)])
        changed["backend_config"] = ir.StringAttr.get(f"unspecified_dims=[{dims}]")
    return site.again(site.ins, [batched_type(site.out_type(), site.size)], **changed)


CUSTOM_CALLS["Sharding"] = Rule("custom_call @Sharding", jvp=_jvp_again, vjp=_vjp_again, batch=_batch_sharded_call)
for _target in ("SPMDFullToShardShape", "SPMDShardToFullShape"):
    CUSTOM_CALLS[_target] = Rule(f"custom_call @{_target}", jvp=_jvp_again, vjp=_vjp_refused, batch=_batch_sharded_call)


# -- programs for one device -------------------------------------------------------------------------------------------


class Manual:
    """`sdy.manual_computation`: what each device does with its parts of arrays, by collectives with others.

    The shardings say over which of the mesh's axes an array is split; over the other manual axes each device has a
    copy of the same part. A result's copies are equal, so each may count for its share of the whole: reverse mode
    gives each device that share of the cotangent, and adds up what the copies of an argument get. (Unless the
    computation tells shared values from others: then copies of a result or an argument are one value, as outside.)

    Residuals differ from device to device: they leave and come back stacked along a dimension that is split over all
    manual axes.
    """

    def block(self, op: ir.Operation) -> ir.Block:
        return op.regions[0].blocks[0]

    def flow(self, flow: Flow, op: ir.Operation) -> None:
        block = self.block(op)
        into = list(zip(op.operands, block.arguments, strict=True))
        out = list(zip(terminator(block).operands, op.results, strict=True))
        for outside, inside in into if not flow.backwards else [(r, v) for v, r in out]:
            flow.link(outside, inside)
        flow.block(block)
        for inside, outside in out if not flow.backwards else [(a, v) for v, a in into]:
            flow.link(inside, outside)

    # -- its parts

    def shardings(self, op: ir.Operation, side: str) -> list[ir.Attribute]:
        return list(sdy.TensorShardingPerValueAttr(op.attributes[f"{side}_shardings"]).shardings)

    def axes(self, op: ir.Operation) -> list[str]:
        return [str(a) for a in sdy.ManualAxesAttr(op.attributes["manual_axes"])]

    def mesh(self, op: ir.Operation, module: ir.Module) -> Mesh:
        shardings = [*self.shardings(op, "in"), *self.shardings(op, "out")]
        return Mesh.of(sdy.TensorShardingAttr(shardings[0]).mesh_or_ref, module.operation)

    def copies(self, op: ir.Operation, sharding: ir.Attribute) -> list[str]:
        """The manual axes along which the devices have copies of an array, and each may have its own cotangent."""
        if SHARED in op.attributes:
            return []
        t = sdy.TensorShardingAttr(sharding)
        used = [sdy.AxisRefAttr(a) for d in t.dimension_shardings for a in sdy.DimensionShardingAttr(d).axes]
        if list(t.unreduced_axes) or any(a.sub_axis_info is not None and a.name in self.axes(op) for a in used):
            raise NoRule(
                "sdy.manual_computation over parts of axes, or with values that are still to be summed, "
                "has no reverse rule",
                location=location_text(op.location),
                hint="split arrays over whole axes of the mesh, or differentiate inside the computation",
            )
        names = {a.name for a in used}
        return [a for a in self.axes(op) if a not in names]

    def emit(
        self,
        op: ir.Operation,
        operands: Sequence[tuple[Expr, ir.Attribute]],
        results: Sequence[tuple[ir.Type, ir.Attribute]],
        block: ir.Block,
    ) -> list[Expr]:
        """Another computation on the same devices: operands and results with their shardings."""
        attributes: dict[str, ir.Attribute] = {
            "in_shardings": sdy.TensorShardingPerValueAttr.get([s for _, s in operands]),
            "out_shardings": sdy.TensorShardingPerValueAttr.get([s for _, s in results]),
            **{key: op.attributes[key] for key in ("manual_axes", SHARED) if key in op.attributes},
        }
        made = E.ops(op.name, [x for x, _ in operands], [t for t, _ in results], attributes, regions=1)
        block.append_to(made.regions[0])
        return E.exprs(made.results)

    # -- transforms

    def forward(self, t: Forward, op: ir.Operation) -> None:
        block, ins, outs = self.block(op), self.shardings(op, "in"), self.shardings(op, "out")
        shadows = [k for k, v in enumerate(op.operands) if v in t.tangents]
        if not shadows:
            copy_op(op, t.env)
            return
        types = [a.type for a in block.arguments]
        _holder, new = detached_block([*types, *(types[k] for k in shadows)])
        tangents = dict(zip(shadows, E.exprs(new.arguments)[len(types) :], strict=True))
        for k, (a, x) in enumerate(zip(block.arguments, E.exprs(new.arguments), strict=False)):
            t.bind(a, x, tangents.get(k))
        with ir.InsertionPoint(new):
            returned = t.block(block)
            has = [k for k, (_, d) in enumerate(returned) if d is not None]
            _give_back([*(x for x, _ in returned), *(d for _, d in returned if d is not None)])
        operands = [(t.lookup(v), s) for v, s in zip(op.operands, ins, strict=True)]
        operands += [(t.tangents[op.operands[k]], ins[k]) for k in shadows]
        results = [(r.type, s) for r, s in zip(op.results, outs, strict=True)]
        made = self.emit(op, operands, [*results, *(results[k] for k in has)], new)
        found = dict(zip(has, made[len(results) :], strict=True))
        for k, (result, primal) in enumerate(zip(op.results, made, strict=False)):
            t.bind(result, primal, found.get(k))

    def augment(self, t: Reverse, op: ir.Operation) -> Pullback:
        block, ins, outs = self.block(op), self.shardings(op, "in"), self.shardings(op, "out")
        mesh = self.mesh(op, t.deriver.module)
        given = [k for k, r in enumerate(op.results) if r in t.active]
        wanted = [k for k, v in enumerate(op.operands) if v in t.active]
        shares = {k: prod(mesh.sizes[a] for a in self.copies(op, outs[k])) for k in given}
        sums = {k: self.copies(op, ins[k]) for k in wanted}
        primals = [t.primal(v) for v in op.operands]
        _holder, new = detached_block([a.type for a in block.arguments])
        for a, x in zip(block.arguments, new.arguments, strict=True):
            t.env[a] = x
        own = {x: k for k, x in enumerate(new.arguments)}
        with ir.InsertionPoint(new):
            yields = list(terminator(block).operands)
            split = t.split(
                block,
                cotangents=[yields[k] for k in given],
                want=[block.arguments[k] for k in wanted],
                returns="sdy.return",
            )
            kept = [v for v, _ in split.residuals if v not in own]
            _give_back([*(t.primal(v) for v in yields), *(E.reshape(Expr(v), [1, *Expr(v).shape]) for v in kept)])
        results = [(r.type, s) for r, s in zip(op.results, outs, strict=True)]
        stacks = [self._stack(op, ins[0] if ins else outs[0], v.type, mesh) for v in kept]
        operands = list(zip(primals, ins, strict=True))
        made = self.emit(op, operands, [*results, *stacks], new)
        for result, primal in zip(op.results, made, strict=False):
            t.env[result] = primal.value
        stacked = {v: (x, s) for v, x, (_, s) in zip(kept, made[len(results) :], stacks, strict=True)}

        def pullback(cotangents: Sequence[Shadow]) -> None:
            sources: list[tuple[Expr, ir.Attribute]] = []
            for k in given:
                ct = or_zero(cotangents[k], op.results[k].type)
                sources.append((ct * (1 / shares[k]) if shares[k] > 1 else ct, outs[k]))
            for v, _ in split.residuals:
                x, sharding = stacked[v] if v in stacked else operands[own[v]]
                sources.append((t.residual(x.value), sharding))
            self._unstack(split, stacked, len(given))
            self._sum_copies(split.block, [mesh.groups(sums[k]) if sums[k] else None for k in wanted], t.deriver)
            targets = [(op.operands[k].type, ins[k]) for k in wanted]
            for k, ct in zip(wanted, self.emit(op, sources, targets, split.block), strict=True):
                t.add(op.operands[k], ct)

        return pullback

    def _stack(
        self, op: ir.Operation, like: ir.Attribute, local: ir.Type, mesh: Mesh
    ) -> tuple[ir.RankedTensorType, ir.Attribute]:
        """The type and the sharding of all devices' values of a type, stacked."""
        t = ir.RankedTensorType(local)
        free = sdy.DimensionShardingAttr.get([], is_closed=False)
        bare = sdy.TensorShardingAttr.get(sdy.TensorShardingAttr(like).mesh_or_ref, [free] * t.rank)
        n = prod(mesh.sizes[a] for a in self.axes(op))
        return E.tensor([n, *t.shape], t.element_type), one_more(bare, self.axes(op), closed=True)

    def _unstack(self, split: Split, stacked: dict[ir.Value, tuple[Expr, ir.Attribute]], first: int) -> None:
        """Let the backward sweep take residuals as they come: those that were stacked, from their stacks."""
        block = split.block
        with ir.InsertionPoint.at_block_begin(block):
            for v, old in split.residuals:
                x = Expr(old)
                new = block.add_argument(E.tensor([1, *x.shape], x.dtype) if v in stacked else x.type, old.location)
                old.replace_all_uses_with(E.reshape(Expr(new), x.shape).value)
        for _ in split.residuals:
            block.erase_argument(first)

    def _sum_copies(self, block: ir.Block, groups: Sequence[np.ndarray | None], deriver: Derivations) -> None:
        """Before a block returns its values, add up those of each group of devices."""
        last = terminator(block)
        with ir.InsertionPoint(last):
            for k, group in enumerate(groups):
                if group is not None:
                    last.operands[k] = _all_reduce(Expr(last.operands[k]), group, next_channel(deriver)).value

    def batch(self, t: Batch, op: ir.Operation) -> None:
        if not any(v in t.batched for v in op.operands):
            copy_op(op, t.env)
            return
        block = self.block(op)
        _holder, new = detached_block([t.type(a) for a in block.arguments])
        t.env.update(zip(block.arguments, new.arguments, strict=True))
        with ir.InsertionPoint(new):
            t.block(block)
            yields = terminator(block).operands
            _give_back(
                [t.with_batch(v) if r in t.batched else t.lookup(v) for r, v in zip(op.results, yields, strict=True)]
            )

        def sharding(value: ir.Value, old: ir.Attribute) -> ir.Attribute:
            return one_more(old, closed=True) if value in t.batched else old

        ins, outs = self.shardings(op, "in"), self.shardings(op, "out")
        operands = [(t.lookup(v), sharding(v, s)) for v, s in zip(op.operands, ins, strict=True)]
        results = [(t.type(r), sharding(r, s)) for r, s in zip(op.results, outs, strict=True)]
        for result, value in zip(op.results, self.emit(op, operands, results, new), strict=True):
            t.env[result] = value.value


def _give_back(values: Sequence[Expr]) -> None:
    ir.Operation.create("sdy.return", operands=[v.value for v in values])


def _all_reduce(x: Expr, groups: np.ndarray, channel: int) -> Expr:
    i64 = ir.IntegerType.get_signless(64)
    attributes: dict[str, ir.Attribute] = {
        "replica_groups": ir.DenseIntElementsAttr.get(
            np.ascontiguousarray(groups, np.int64), type=E.tensor(groups.shape, i64)
        ),
        "channel_handle": hlo.ChannelHandle.get(channel, 1),
        "use_global_device_ids": ir.UnitAttr.get(),
    }
    made = E.ops("stablehlo.all_reduce", [x], [x.type], attributes, regions=1)
    scalar = E.tensor([], x.dtype)
    E.fill(made.regions[0], [scalar, scalar], lambda a, b: [a + b])
    return Expr(made.results[0])


add(Rule("sdy.manual_computation", control=Manual()))
