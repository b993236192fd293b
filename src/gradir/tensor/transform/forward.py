"""Forward mode: each op is followed by the op that computes its tangent."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property

from jaxlib.mlir import ir

from gradir.request import Request, operand_slots, result_slots, shadow_results
from gradir.tensor.analysis.activity import Useful, Varied
from gradir.tensor.ir.expr import Expr, is_differentiable, zeros_like
from gradir.tensor.ir.regions import copy_op, steps, terminator
from gradir.tensor.rules.interface import Shadow
from gradir.tensor.rules.rule import Site
from gradir.tensor.transform.desk import Desk


class Forward:
    """A program being built beside its source: `env` has the source's values, `tangents` those of the varied ones."""

    def __init__(self, deriver: Desk, varied: Varied, strong_zero: bool, useful: Callable[[], Useful]) -> None:
        self.deriver = deriver
        self.varied = varied
        self.strong_zero = strong_zero
        self._find_useful = useful
        self.env: dict[ir.Value, ir.Value] = {}
        self.tangents: dict[ir.Value, Expr] = {}

    @cached_property
    def useful(self) -> Useful:
        """The values on whose tangents those that are asked for depend. (Few ask: the others are dead in the end.)"""
        return self._find_useful()

    def lookup(self, value: ir.Value) -> Expr:
        return Expr(self.env.get(value, value))

    def bind(self, value: ir.Value, primal: Expr, tangent: Shadow = None) -> None:
        self.env[value] = primal.value
        if tangent is not None:
            self.tangents[value] = tangent

    def block(self, block: ir.Block) -> list[tuple[Expr, Shadow]]:
        """Emit the block's ops with their tangents; gives what its terminator returns."""
        for op in steps(block):
            with op.location:
                self.op(op)
        return [(self.lookup(v), self.tangents.get(v)) for v in terminator(block).operands]

    def op(self, op: ir.Operation) -> None:
        rule = self.deriver.rule(op)
        if rule is not None and rule.control is not None:
            return rule.control.forward(self, op)
        tangents = [self.tangents.get(v) for v in op.operands]
        if all(t is None for t in tangents) or (rule is not None and rule.inactive) or not _differentiable(op):
            copy_op(op, self.env)
            return None
        if rule is None or (rule.jvp is None and rule.expand is None):
            raise self.deriver.no_rule(op, "forward")
        active = [t is not None for t in tangents]
        if rule.jvp is None or rule.is_expanded(op, active):
            return self.deriver.outlined(op).forward(self, op)
        copy_op(op, self.env)
        site = Site(op, self.deriver, self.lookup, active, self.strong_zero)
        for result, tangent in zip(op.results, rule.jvp(site, tangents), strict=True):
            if tangent is not None:
                self.tangents[result] = tangent
        return None


def _differentiable(op: ir.Operation) -> bool:
    """Whether a tangent of one of its results can be of use. (An argmax reduces values, too, which nobody reads.)"""
    return any(is_differentiable(r.type) and next(iter(r.uses), None) is not None for r in op.results)


def forward_function(deriver: Desk, request: Request) -> str:
    """The function's derivative, its operands and results in the request's order."""
    source = deriver.prepared(request.function)
    entry = source.entry_block
    slots = list(operand_slots(request.mode, request.activity, request.ret_activity))
    seeds = [entry.arguments[i] for _, i, part in slots if part == "shadow"]
    varied = Varied(deriver)
    for v in seeds:
        varied.mark(v)
    varied.block(entry)

    def useful() -> Useful:
        found = Useful(deriver)
        for _, j, part in result_slots(request.mode, request.activity, request.ret_activity):
            if part != "primal":
                found.mark(terminator(entry).operands[j])
        found.block(entry)
        return found

    transform = Forward(deriver, varied, request.strong_zero, useful)

    def body(arguments: Sequence[Expr]) -> list[Expr]:
        for (_, i, part), value in zip(slots, arguments, strict=True):
            if part == "primal":
                transform.bind(entry.arguments[i], value)
            elif entry.arguments[i] in varied:
                transform.tangents[entry.arguments[i]] = value
        returned = transform.block(entry)
        return [
            returned[j][0] if part == "primal" else returned[j][1] or zeros_like(returned[j][0])
            for _, j, part in result_slots(request.mode, request.activity, request.ret_activity)
        ]

    types = [entry.arguments[i].type for _, i, _ in slots]
    return deriver.define(f"{request.function}.forward", types, body, source.location, shadows=shadow_results(request))
