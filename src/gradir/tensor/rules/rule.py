"""What a rule is, and the table of all rules.

A rule knows one op and nothing of the transforms; the transforms know rules and no op. There are four kinds of row:

- `elementwise`: a formula per operand, linear in the derivative `d`;
- `linear`: the op is linear in some operands, and a transpose says how a cotangent goes back;
- `Rule(...)` written out, where calculus does not fit on a line;
- `expand`: the op means the same as a few simpler ones, and is differentiated (or batched) as those.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from jaxlib.mlir import ir
from jaxlib.mlir.dialects import stablehlo as hlo

from gradir.request import Activity, Mode, Request
from gradir.tensor.ir import expr as E
from gradir.tensor.ir.expr import Expr
from gradir.tensor.ir.regions import captures, copy_region, remap_nested
from gradir.tensor.rules.interface import Control, Cotangent, Derivations, Shadow


class Site:
    """One op of the source program, seen from the program that is being built."""

    __slots__ = ("_ins", "_lookup", "_outs", "active", "batched", "deriver", "op", "size", "strong_zero")

    def __init__(
        self,
        op: ir.Operation,
        deriver: Derivations,
        lookup: Callable[[ir.Value], Expr],
        active: Sequence[bool] = (),
        strong_zero: bool = False,
        batched: Sequence[bool] = (),
        size: int = 0,
    ) -> None:
        self.op = op
        self.deriver = deriver
        self.active = active
        """Which operands carry a derivative."""
        self.strong_zero = strong_zero
        self.batched = batched
        """Which operands carry the batch dimension, as their first."""
        self.size = size
        """The size of the batch dimension."""
        self._lookup = lookup
        self._ins: list[Expr] | None = None
        self._outs: list[Expr] | None = None

    @property
    def ins(self) -> list[Expr]:
        """The operands' values in the new program."""
        if self._ins is None:
            self._ins = [self._lookup(v) for v in self.op.operands]
        return self._ins

    @property
    def outs(self) -> list[Expr]:
        """The results' values in the new program."""
        if self._outs is None:
            self._outs = [self._lookup(v) for v in self.op.results]
        return self._outs

    def in_type(self, i: int) -> ir.RankedTensorType:
        return self.op.operands[i].type  # pyright: ignore[reportReturnType]

    def out_type(self, i: int = 0) -> ir.RankedTensorType:
        return self.op.results[i].type  # pyright: ignore[reportReturnType]

    def attr(self, name: str) -> Any:
        return self.op.attributes[name]

    def get(self, name: str) -> Any | None:
        return self.op.attributes.get(name)

    def attributes(self) -> dict[str, ir.Attribute]:
        return dict(self.op.attributes.items())

    def again(self, operands: Sequence[Expr], results: Sequence[ir.Type] | None = None, **changed: Any) -> list[Expr]:
        """The same op with other operands (of the same types unless `results` says otherwise); regions come along."""
        outside = {v: self.captured(v).value for v in self.captures()}
        if results is None and not changed:
            new = self.op.clone()
            for i, o in enumerate(operands):
                new.operands[i] = o.value
            remap_nested(new, outside)
            return E.exprs(new.results)
        attributes = {**self.attributes(), **{k: v for k, v in changed.items() if v is not None}}
        types = [r.type for r in self.op.results] if results is None else list(results)
        new = E.ops(self.op.name, operands, types, attributes, regions=len(self.op.regions))
        for mine, theirs in zip(new.regions, self.op.regions, strict=True):
            copy_region(theirs, mine, outside)
        return E.exprs(new.results)

    def captures(self) -> list[ir.Value]:
        """The values from outside (of the source program) that the op's regions use."""
        return captures(self.op.regions) if len(self.op.regions) else []

    def captured(self, value: ir.Value) -> Expr:
        """Such a value in the new program."""
        return self._lookup(value)

    def scale(self, d: Expr, formula: Callable[[Expr], Expr]) -> Expr:
        """`formula(d)`, linear in each element of `d`; with strong zero, zero where `d` is zero, whatever it meets."""
        out = formula(d)
        return E.select(d.eq(0), 0, out) if self.strong_zero else out


Jvp = Callable[[Site, Sequence[Shadow]], Sequence[Shadow]]
Vjp = Callable[[Site, Sequence[Shadow]], Sequence[Cotangent]]
Batch = Callable[[Site], Sequence[Expr] | None]
"""None: with its operands batched as these are, the op is expanded first."""
Expand = Callable[[Site], Sequence[Expr]]


@dataclass
class Rule:
    """How one op is differentiated and batched.

    `jvp(site, tangents)` gives the results' tangents, `vjp(site, cotangents)` the operands' cotangents (only those
    that `site.active` asks for need be there), `batch(site)` the results with the batch dimension first. `expand`
    emits simpler ops for it, and serves every mode that has no rule of its own. An `inactive` op has the derivative
    zero.
    """

    name: str
    jvp: Jvp | None = None
    vjp: Vjp | None = None
    batch: Batch | None = None
    expand: Expand | None = None
    expands: Callable[[ir.Operation, Sequence[bool]], bool] | None = None
    """Whether, with these operands active, it is expanded although it has rules: where its primal must change too."""
    inactive: bool = False
    active_operands: Callable[[ir.Operation], Sequence[bool]] | None = None
    """Which operands a derivative passes through at all (default: every one of a differentiable type)."""
    control: Control | None = None
    """For ops that hold control flow: see `rules/control.py`."""
    variant: Callable[[ir.Operation], Rule | None] | None = None
    """For ops that hold a computation: the rule by what it is (a sum's, a maximum's, any other's)."""
    notes: str = field(default="")

    def is_expanded(self, op: ir.Operation, active: Sequence[bool]) -> bool:
        return self.expands is not None and self.expands(op, active)


RULES: dict[str, Rule] = {}


def add(rule: Rule) -> Rule:
    assert rule.name not in RULES, f"two rules for {rule.name}"
    RULES[rule.name] = rule
    return rule


# -- elementwise rows --------------------------------------------------------------------------------------------------

Row = Callable[..., Expr]
"""`row(d, *operands, *results)`: how one operand's derivative `d` contributes to the result's. Linear in `d`."""


def elementwise(name: str, *rows: Row | None, batch: Batch | None = None) -> Rule:
    """An elementwise op that is holomorphic in each operand: a row per operand, None where the derivative is zero.

    Reverse mode multiplies by the conjugated factor: `conj(row(conj(d)))`, which for real numbers is `row(d)`.
    """

    def apply(site: Site, row: Row, d: Expr) -> Expr:
        return site.scale(d, lambda d: row(d, *site.ins, *site.outs))

    def jvp(site: Site, tangents: Sequence[Shadow]) -> list[Shadow]:
        total: Shadow = None
        for row, t in zip(rows, tangents, strict=True):
            if row is not None and t is not None:
                total = add_shadows(total, apply(site, row, t))
        return [total]

    def vjp(site: Site, cotangents: Sequence[Shadow]) -> list[Cotangent]:
        (d,) = cotangents
        assert d is not None
        flipped = E.conj(d)
        return [
            E.conj(apply(site, row, flipped)) if row is not None and active else None
            for row, active in zip(rows, site.active, strict=True)
        ]

    return add(Rule(name, jvp=jvp, vjp=vjp, batch=batch or batch_elementwise, inactive=not any(rows)))


def inactive(name: str, batch: Batch | None = None) -> Rule:
    """An op whose derivative is zero (or does not exist: integers, comparisons)."""
    return add(Rule(name, batch=batch or batch_elementwise, inactive=True))


def add_shadows(a: Shadow, b: Shadow) -> Shadow:
    if a is None or b is None:
        return b if a is None else a
    return a + b


def with_batch(site: Site, i: int) -> Expr:
    """Operand i with the batch dimension, broadcast if it has none of its own."""
    x = site.ins[i]
    return x if site.batched[i] else prepend(x, site.size)


def prepend(x: Expr, n: int) -> Expr:
    """`x` repeated n times along a new first dimension."""
    target, dims = batched_type(x.type, n), E.i64s(range(1, x.rank + 1))
    if x.type.has_static_shape or x.type.encoding is not None:
        return E.op("stablehlo.broadcast_in_dim", x, result=target, broadcast_dimensions=dims)
    sizes = E.concatenate([E.array([n], ir.IntegerType.get_signless(32)), E.shape_of(x)], 0)
    return E.op("stablehlo.dynamic_broadcast_in_dim", x, sizes, result=target, broadcast_dimensions=dims)


def batched_type(t: ir.Type, n: int) -> ir.RankedTensorType:
    """With a first dimension of size n, and the bounds (of open dimensions) that it had."""
    assert isinstance(t, ir.RankedTensorType)
    bounds = None
    if t.encoding is not None:
        bounds = hlo.TypeExtensions.get([ir.ShapedType.get_dynamic_size(), *hlo.TypeExtensions(t.encoding).bounds])
    return E.tensor([n, *t.shape], t.element_type, bounds)


def batch_elementwise(site: Site) -> list[Expr]:
    """Shapes grow by the batch dimension and nothing else changes."""
    operands = [with_batch(site, i) for i in range(len(site.ins))]
    return site.again(operands, [batched_type(r.type, site.size) for r in site.op.results])


# -- linear rows -------------------------------------------------------------------------------------------------------


def linear(
    name: str,
    transpose: Callable[..., Cotangent | Sequence[Cotangent]],
    *,
    batch: Batch | None = None,
    operands: int = 1,
) -> Rule:
    """An op with one result that is linear in its first `operands` operands taken together (the rest are integers).

    `transpose(site, ct)` gives the cotangent of each of them.
    """

    def jvp(site: Site, tangents: Sequence[Shadow]) -> list[Shadow]:
        if all(t is None for t in tangents):
            return [None]
        n = operands if operands >= 0 else len(tangents)
        filled = [zero_of(site.in_type(i)) if t is None else t for i, t in enumerate(tangents[:n])]
        return [*site.again([*filled, *site.ins[n:]])]

    def vjp(site: Site, cotangents: Sequence[Shadow]) -> Sequence[Cotangent]:
        (ct,) = cotangents
        out = transpose(site, ct)
        outs: list[Cotangent] = list(out) if isinstance(out, Sequence) else [out]
        return outs + [None] * (len(site.op.operands) - len(outs))

    return add(Rule(name, jvp=jvp, vjp=vjp, batch=batch))


def zero_of(t: ir.Type) -> Expr:
    assert isinstance(t, ir.RankedTensorType)
    return E.full(t, 0)


def transposed(jvp: Jvp) -> Vjp:
    """Reverse mode from forward mode: a jvp is linear in its tangents, and its gradient by them is its transpose."""

    def vjp(site: Site, cotangents: Sequence[Shadow]) -> list[Cotangent]:
        op, deriver = site.op, site.deriver
        known = [*op.operands, *op.results]
        chosen = [i for i, active in enumerate(site.active) if active]
        given = [j for j, ct in enumerate(cotangents) if ct is not None]

        def body(arguments: Sequence[Expr]) -> list[Expr]:
            values = dict(zip(known, arguments, strict=False))
            tangents = dict(zip(chosen, arguments[len(known) :], strict=True))
            here = Site(op, deriver, values.__getitem__, site.active)
            out = jvp(here, [tangents.get(i) for i in range(len(op.operands))])
            return [out[j] or zero_of(op.results[j].type) for j in given]

        shadows = [op.operands[i].type for i in chosen]
        symbol = deriver.define(f"{op.name}.jvp", [*(v.type for v in known), *shadows], body, op.location)
        activity = (Activity.const,) * len(known) + (Activity.active,) * len(chosen)
        rets = (Activity.activenoneed,) * len(given)
        symbol = deriver.derive(Request(symbol, Mode.reverse, activity, rets, strong_zero=site.strong_zero))
        # What the transpose does not look at need not be kept for it: any value will do, the tangents' own included.
        used = [next(iter(a.uses), None) is not None for a in deriver.function(symbol).entry_block.arguments]
        values = [x if needed else zero_of(x.type) for x, needed in zip([*site.ins, *site.outs], used, strict=False)]
        given_cotangents = [ct for ct in cotangents if ct is not None]
        out = iter(deriver.call(symbol, [*values, *map(zero_of, shadows), *given_cotangents]))
        return [next(out) if active else None for active in site.active]

    return vjp


def expand(name: str, body: Expand) -> Rule:
    """An op that stands for simpler ones."""
    return add(Rule(name, expand=body))


@dataclass
class Part:
    """The cotangent `update` of one block of a value, at `starts` (scalars): a dynamic slice's transpose."""

    type: ir.RankedTensorType
    update: Expr
    starts: Sequence[Expr]

    def add_to(self, accumulated: Expr | None) -> Expr:
        if accumulated is None:
            return E.dynamic_update_slice(zero_of(self.type), self.update, self.starts)
        old = E.dynamic_slice(accumulated, self.starts, self.update.shape)
        return E.dynamic_update_slice(accumulated, old + self.update, self.starts)
