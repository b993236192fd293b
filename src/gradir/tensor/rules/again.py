"""Running something again in the backward sweep: what it waits for, and what of it was saved after all.

In a function that is run again (`gradir.remat`), `gradir.saved` marks values that are kept nevertheless, as policies of
`jax.checkpoint` ask for. It is the identity. The function then comes in two more forms: one that gives the saved values
as further results, and one that takes them as further arguments, in which `gradir.given(computed, saved)` stands for
what was saved, and hands its cotangent to what would compute it.
"""

from __future__ import annotations

from collections.abc import Sequence

from jaxlib.mlir import ir

from gradir.tensor.analysis.activity import Flow
from gradir.tensor.ir import expr as E
from gradir.tensor.ir.expr import Expr
from gradir.tensor.ir.regions import copy_block, copy_op, steps, terminator
from gradir.tensor.rules.interface import Batch, Derivations, Forward, Pullback, Reverse, Shadow
from gradir.tensor.rules.rule import Rule, add

SAVED, GIVEN = "gradir.saved", "gradir.given"


# -- waiting -----------------------------------------------------------------------------------------------------------


def behind(
    values: Sequence[Expr], cotangents: Sequence[Expr], tied: Sequence[bool] | None = None
) -> tuple[list[Expr], list[Expr]]:
    """Values from which something is run again, but not before these cotangents are known.

    Else a compiler would find that it has computed this before, or compute it too early, and keep it after all. There
    is an op to say so, a barrier; but XLA drops it on CPUs before it decides on an order. So the values that are `tied`
    (all of them, if nothing is said) also depend on the cotangents, by a condition that holds and that no compiler can
    know.
    """
    inputs = [*values, *cotangents]
    held = E.exprs(E.ops("stablehlo.optimization_barrier", inputs, [x.type for x in inputs]).results)
    values, cotangents = held[: len(values)], held[len(values) :]
    true = _true(cotangents)
    if tied is None or not any(tied):
        tied = [True] * len(values)
    if true is not None:
        values = [_chosen(true, x) if t else x for x, t in zip(values, tied, strict=True)]
    return values, cotangents


def _true(cotangents: Sequence[Expr]) -> Expr | None:
    """True, once these are known: of two numbers that follow each other one is even, and so is their product."""
    bits = [b for ct in cotangents if (b := some_bits(ct)) is not None]
    if not bits:
        return None
    number = bits[0]
    for more in bits[1:]:
        number = number + more
    return (number * (number + 1) & E.full_like(number, 1)).eq(0)


def some_bits(x: Expr) -> Expr | None:
    """The first element as an integer."""
    t = x.type
    if not t.has_static_shape or E.size(t.shape) == 0 or not isinstance(t.element_type, (ir.FloatType, ir.ComplexType)):
        return None
    first = E.reshape(E.slice_(x, [0] * x.rank, [1] * x.rank), [])
    if E.is_complex(first.dtype):
        first = E.op("stablehlo.real", first)
    integer = ir.IntegerType.get_signless(ir.FloatType(first.dtype).width)
    found = E.op("stablehlo.bitcast_convert", first, result=E.tensor([], integer))
    return E.convert(found, ir.IntegerType.get_signless(32))


def _chosen(true: Expr, x: Expr) -> Expr:
    if not isinstance(x.type, ir.RankedTensorType) or not x.type.has_static_shape or E.size(x.shape) == 0:
        return x
    return E.select(true, x, E.zeros_like(x))


# -- what is saved -----------------------------------------------------------------------------------------------------


def with_saved(desk: Derivations, name: str) -> tuple[str, str]:
    """A function that also gives what it marks as saved, and one that takes that; else the function itself, twice."""
    return desk.once(("with saved", name), lambda: _with_saved(desk, name))


def _with_saved(desk: Derivations, name: str) -> tuple[str, str]:
    function = desk.function(name)
    entry = function.entry_block
    marks = [op for op in steps(entry) if op.name == SAVED]
    if not marks:
        return name, name
    types = [a.type for a in entry.arguments]

    def saving(arguments: Sequence[Expr]) -> list[Expr]:
        env: dict[ir.Value, ir.Value] = dict(zip(entry.arguments, (x.value for x in arguments), strict=True))
        return E.exprs([*copy_block(entry, env), *(env[m.results[0]] for m in marks)])

    def given(arguments: Sequence[Expr]) -> list[Expr]:
        env: dict[ir.Value, ir.Value] = dict(zip(entry.arguments, (x.value for x in arguments), strict=False))
        saved = dict(zip(marks, arguments[len(types) :], strict=True))
        for op in steps(entry):
            if op in saved:
                operands = [env[op.operands[0]], saved[op].value]
                made = ir.Operation.create(GIVEN, results=[saved[op].type], operands=operands)
                env[op.results[0]] = made.results[0]
            else:
                copy_op(op, env)
        return [Expr(env[v]) for v in terminator(entry).operands]

    return (
        desk.define(f"{name}.saving", types, saving, function.location),
        desk.define(f"{name}.given", [*types, *(m.results[0].type for m in marks)], given, function.location),
    )


class Saved:
    """The identity: `gradir.saved(x)`, and `gradir.given(x, saved)`, whose value is at hand."""

    def flow(self, flow: Flow, op: ir.Operation) -> None:
        x, r = op.operands[0], op.results[0]
        flow.link(*((r, x) if flow.backwards else (x, r)))

    def forward(self, t: Forward, op: ir.Operation) -> None:
        t.bind(op.results[0], t.lookup(op.operands[-1]), t.tangents.get(op.operands[0]))

    def augment(self, t: Reverse, op: ir.Operation) -> Pullback:
        t.env[op.results[0]] = t.primal(op.operands[-1]).value

        def pullback(cotangents: Sequence[Shadow]) -> None:
            t.add(op.operands[0], cotangents[0])

        return pullback

    def batch(self, t: Batch, op: ir.Operation) -> None:
        has = op.results[0] in t.batched
        t.env[op.results[0]] = (t.with_batch(op.operands[0]) if has else t.lookup(op.operands[0])).value


add(Rule(SAVED, control=Saved()))
add(Rule(GIVEN, control=Saved()))
