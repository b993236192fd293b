"""Loops: `stablehlo.while` in every mode.

In reverse mode, loops of known length are in `counted`, others in `checkpoints`; a policy says what they keep. Either
way the backward loop carries the cotangents of the values that change and the sums of the cotangents of the values from
outside.
"""

from __future__ import annotations

from collections.abc import Sequence

from jaxlib.mlir import ir

from gradir.tensor.analysis.activity import Batched, Flow
from gradir.tensor.analysis.counting import count
from gradir.tensor.analysis.schedule import policy_of, settings
from gradir.tensor.ir import expr as E
from gradir.tensor.ir.expr import Expr
from gradir.tensor.ir.regions import terminator
from gradir.tensor.rules.carried import changing
from gradir.tensor.rules.checkpoints import CheckpointedLoop
from gradir.tensor.rules.control import or_zero, refuse_tokens
from gradir.tensor.rules.counted import CountedLoop
from gradir.tensor.rules.interface import Batch, Forward, Pullback, Reverse, Shadow
from gradir.tensor.rules.rule import Rule, add


class While:
    """`stablehlo.while`.

    A carried value that every round hands on unchanged is not carried at all.
    """

    def flow(self, flow: Flow, op: ir.Operation) -> None:
        cond, body = (r.blocks[0] for r in op.regions)
        yields = list(terminator(body).operands)
        inits, results = list(op.operands), list(op.results)
        while True:
            before = len(flow.reached)
            for k, init in enumerate(inits):
                inside = cond.arguments[k], body.arguments[k]
                if flow.backwards:
                    flow.link(results[k], yields[k])
                    flow.link(results[k], init)
                    flow.link(inside[1], yields[k])
                    flow.link(inside[1], init)
                else:
                    for source in (init, yields[k]):
                        for target in (*inside, results[k]):
                            flow.link(source, target)
            flow.block(cond)
            flow.block(body)
            if isinstance(flow, Batched) and terminator(cond).operands[0] in flow:
                for v in (*cond.arguments, *body.arguments, *results):
                    flow.mark(v)
            if len(flow.reached) == before:
                return

    def forward(self, t: Forward, op: ir.Operation) -> None:
        cond, body = (r.blocks[0] for r in op.regions)
        carried = changing(op)
        for k in set(range(len(op.operands))) - set(carried):
            primal, tangent = t.lookup(op.operands[k]), t.tangents.get(op.operands[k])
            for v in (cond.arguments[k], body.arguments[k], op.results[k]):
                t.bind(v, primal, tangent)
        shadows = [k for k in carried if body.arguments[k] in t.varied]
        inits = [t.lookup(op.operands[k]) for k in carried]
        inits += [or_zero(t.tangents.get(op.operands[k]), op.operands[k].type) for k in shadows]

        def enter(block: ir.Block, arguments: Sequence[Expr]) -> None:
            tangents = dict(zip(shadows, arguments[len(carried) :], strict=True))
            for k, x in zip(carried, arguments, strict=False):
                t.bind(block.arguments[k], x, tangents.get(k))

        def condition(*arguments: Expr) -> Expr:
            enter(cond, arguments)
            return t.block(cond)[0][0]

        def round_(*arguments: Expr) -> list[Expr]:
            enter(body, arguments)
            outs = t.block(body)
            return [outs[k][0] for k in carried] + [or_zero(outs[k][1], outs[k][0].type) for k in shadows]

        outs = E.loop(inits, condition, round_, settings(op))
        tangents = dict(zip(shadows, outs[len(carried) :], strict=True))
        for k, x in zip(carried, outs, strict=False):
            t.bind(op.results[k], x, tangents.get(k))

    def batch(self, t: Batch, op: ir.Operation) -> None:
        cond, body = (r.blocks[0] for r in op.regions)
        carried = changing(op)
        for k in set(range(len(op.operands))) - set(carried):
            x = t.with_batch(op.operands[k]) if op.results[k] in t.batched else t.lookup(op.operands[k])
            for v in (cond.arguments[k], body.arguments[k], op.results[k]):
                t.env[v] = x.value
        each_decides = terminator(cond).operands[0] in t.batched
        if each_decides:
            refuse_tokens(op)
        inits = [
            t.with_batch(op.operands[k]) if op.results[k] in t.batched else t.lookup(op.operands[k]) for k in carried
        ]

        def enter(block: ir.Block, arguments: Sequence[Expr]) -> None:
            for k, x in zip(carried, arguments, strict=True):
                t.env[block.arguments[k]] = x.value

        def decide(arguments: Sequence[Expr]) -> Expr:
            enter(cond, arguments)
            t.block(cond)
            return t.lookup(terminator(cond).operands[0])

        def condition(*arguments: Expr) -> Expr:
            goes_on = decide(arguments)
            return E.any_(goes_on) if each_decides else goes_on

        def round_(*arguments: Expr) -> list[Expr]:
            goes_on = decide(arguments) if each_decides else None
            enter(body, arguments)
            t.block(body)
            outs: list[Expr] = []
            for k, old in zip(carried, arguments, strict=True):
                v = terminator(body).operands[k]
                new = t.with_batch(v) if op.results[k] in t.batched else t.lookup(v)
                if goes_on is not None:  # examples that are done keep what they have
                    new = E.select(E.broadcast_like(goes_on, new, [0]), new, old)
                outs.append(new)
            return outs

        outs = E.loop(inits, condition, round_, settings(op))
        for k, x in zip(carried, outs, strict=True):
            t.env[op.results[k]] = x.value

    # -- reverse mode

    def augment(self, t: Reverse, op: ir.Operation) -> Pullback:
        counter, policy = count(op), policy_of(op)
        if counter is None:
            return CheckpointedLoop(t, op, policy).pullback
        if counter.trips == 0:
            return self._skipped(t, op)
        loop = CountedLoop(t, op, counter)
        plan = loop.plan_for(policy)
        if plan is None:
            return CheckpointedLoop(t, op, policy).pullback
        loop.forwards(plan)
        return loop.pullback

    def _skipped(self, t: Reverse, op: ir.Operation) -> Pullback:
        """A loop of no rounds hands its operands on."""
        for result, operand in zip(op.results, op.operands, strict=True):
            t.env[result] = t.primal(operand).value

        def pullback(cotangents: Sequence[Shadow]) -> None:
            for operand, ct in zip(op.operands, cotangents, strict=True):
                t.add(operand, ct)

        return pullback


add(Rule("stablehlo.while", control=While()))
