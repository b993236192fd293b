"""Ops that can't be differentiated or batched, and why: the reason stands in the error, and in `docs/ops.md`."""

from __future__ import annotations

from jaxlib.mlir import ir

from gradir.errors import NoRule
from gradir.tensor.analysis.activity import Flow
from gradir.tensor.ir.module import location_text
from gradir.tensor.ir.reading import maker
from gradir.tensor.ir.regions import copy_op
from gradir.tensor.rules.interface import Batch, Forward, Pullback, Reverse
from gradir.tensor.rules.rule import Rule, add

_TUPLE = "values in a tuple can't be differentiated or batched: canonicalize the module, which takes tuples apart"
_ASYNCHRONOUS = "asynchronous ops come from compiler passes: give the module as it was before them"
_HOST = "it talks with the host, and an example of a batch has no host of its own"
_QUANTISED = "jaxlib's MLIR has no quantised types, so such a program can't be read"

REFUSED: dict[str, str] = {
    "stablehlo.tuple": _TUPLE,
    "stablehlo.get_tuple_element": _TUPLE,
    "stablehlo.async_start": _ASYNCHRONOUS,
    "stablehlo.async_done": _ASYNCHRONOUS,
    "stablehlo.infeed": _HOST,
    "stablehlo.outfeed": _HOST,
    "stablehlo.send": _HOST,
    "stablehlo.recv": _HOST,
    "stablehlo.uniform_quantize": _QUANTISED,
    "stablehlo.uniform_dequantize": _QUANTISED,
}


class Refusal:
    """For ops whose operands or results have types with no place for a derivative or a batch.

    Without it these would be lost without a word. Where there are none, the op goes by.
    """

    def flow(self, flow: Flow, op: ir.Operation) -> None:
        if flow.backwards:  # what a derivative never reached is not active, whatever depends on it
            return
        makers = [made_by for v in op.operands if (made_by := maker(v)) is not None]
        if any(v in flow for made_by in (op, *makers) for v in made_by.operands):
            raise self._no_rule(op)

    def forward(self, t: Forward, op: ir.Operation) -> None:
        copy_op(op, t.env)

    def augment(self, t: Reverse, op: ir.Operation) -> Pullback:
        raise self._no_rule(op)

    def batch(self, t: Batch, op: ir.Operation) -> None:
        copy_op(op, t.env)

    def _no_rule(self, op: ir.Operation) -> NoRule:
        return NoRule(
            f"no rule for {op.name}: {REFUSED[op.name]}",
            location=location_text(op.location),
            hint="put it in a function with a rule of its own (gradir.jvp, gradir.vjp), "
            "or its operands behind enzyme.ignore_derivatives",
        )


for _name in ("tuple", "get_tuple_element", "async_start", "async_done"):
    add(Rule(f"stablehlo.{_name}", control=Refusal()))
