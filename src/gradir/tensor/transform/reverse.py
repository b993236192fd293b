"""Reverse mode: one sweep forwards that computes the primal, one backwards that carries cotangents.

Values are immutable, so where both sweeps are in one block the backward sweep simply uses the forward sweep's values.
Where they are not (branches, loops, calls) the backward sweep is built as a block of its own, whose arguments are the
cotangents and the *residuals*: just those forward values that its ops really use. The op's own rule then says how
residuals travel (as results of a branch or a call, in a stack for a loop).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

from jaxlib.mlir import ir

from gradir.request import Activity, Request, operand_slots, result_slots, shadow_results
from gradir.tensor.analysis.activity import ActiveValues, Mask
from gradir.tensor.analysis.cache import bits
from gradir.tensor.analysis.schedule import following
from gradir.tensor.ir.dead import drop_dead
from gradir.tensor.ir.expr import Expr, full, zeros_like
from gradir.tensor.ir.regions import copy_op, steps, terminator
from gradir.tensor.rules.collectives import VARY
from gradir.tensor.rules.cotangents import Piece, Sum
from gradir.tensor.rules.interface import Cotangent, Pullback, Shadow
from gradir.tensor.rules.rule import Site
from gradir.tensor.transform.desk import Desk

Lookup = Callable[[ir.Value], Expr]


class Residuals:
    """The forward sweep's values for the backward sweep: arguments of its block, or computed again where it is free."""

    def __init__(self, block: ir.Block) -> None:
        self.block = block
        self.known: dict[ir.Value, Expr] = {}
        self.arguments: dict[ir.Value, ir.Value] = {}
        self._last: ir.Operation | None = None
        self.first: ir.Operation | None = None

    def __call__(self, value: ir.Value) -> Expr:
        found = self.known.get(value)
        if found is None:
            found = self.known[value] = self._again(value) or self._argument(value)
        return found

    def _argument(self, value: ir.Value) -> Expr:
        self.arguments[value] = argument = self.block.add_argument(value.type, value.location)
        return Expr(argument)

    def _again(self, value: ir.Value) -> Expr | None:
        """Recompute: constants, shape changes that do not shrink, and scalar integers (counters and their kin)."""
        if isinstance(value, ir.BlockArgument):
            return None
        op = value.owner.operation
        free = op.name in _CONSTANTS or (op.name in _RESHAPING and bits(op.operands[0]) <= bits(value))
        if not free and not (op.name in _INDEXING and _is_index(value) and all(_is_index(v) for v in op.operands)):
            return None
        operands = {v: self(v).value for v in op.operands}
        with self._head():
            self._last = copy_op(op, operands)
        return Expr(self._last.results[0])

    def _head(self) -> ir.InsertionPoint:
        """Recomputed values stand at the head of the block, so that they are visible everywhere in it."""
        return ir.InsertionPoint.after(self._last) if self._last else ir.InsertionPoint.at_block_begin(self.block)

    def prepared(self) -> None:
        """What stands in the block now needs no residual: residuals may be found after it."""
        ops = self.block.operations
        self._last = self.first = ops[len(ops) - 1].operation if len(ops) else None

    def needed(self) -> list[tuple[ir.Value, ir.Value]]:
        """The forward values that are used, each with its argument; the other arguments are taken away."""
        used: list[tuple[ir.Value, ir.Value]] = []
        for value, argument in self.arguments.items():
            if any(True for _ in argument.uses):
                used.append((value, argument))
        keep = {a for _, a in used}
        made = set(self.arguments.values())
        for i in reversed(range(len(self.block.arguments))):
            if (a := self.block.arguments[i]) in made and a not in keep:
                self.block.erase_argument(i)
        return used


_CONSTANTS = {"stablehlo.constant", "stablehlo.iota"}
_RESHAPING = {
    *("stablehlo.broadcast_in_dim", "stablehlo.reshape", "stablehlo.transpose", "stablehlo.convert"),
    *("sdy.sharding_constraint", VARY),  # which change nothing of a value but what is known of it
}
_INDEXING = {
    f"stablehlo.{n}" for n in ("add", "subtract", "multiply", "compare", "select", "minimum", "maximum", "clamp")
}


def _is_index(value: ir.Value) -> bool:
    t = value.type
    return isinstance(t, ir.RankedTensorType) and t.rank == 0 and isinstance(t.element_type, ir.IntegerType)


@dataclass
class Split:
    """A block whose forward sweep has been emitted and whose backward sweep waits to be placed."""

    block: ir.Block
    """In an op that stands in the forward sweep, for now. Ends in a return of the wanted cotangents.

    Arguments: those asked for, the cotangents, then the residuals.
    """
    residuals: list[tuple[ir.Value, ir.Value]]
    """A forward value and the argument of `block` that stands for it."""
    known: dict[ir.Value, Expr]
    """Forward values that the block can compute for itself, and its arguments for the others."""
    prepared: ir.Operation | None
    """The last op of the block that needs no residual."""

    def at_residuals(self) -> ir.InsertionPoint:
        """Where residuals that are not at hand can be computed."""
        if self.prepared is None:
            return ir.InsertionPoint.at_block_begin(self.block)
        return ir.InsertionPoint.after(self.prepared)

    def bind(self, values: Sequence[ir.Value], first: int = 0) -> None:
        """Replace the block's arguments, from number `first` on, by values that are visible where it will stand."""
        for i in reversed(range(first, first + len(values))):
            self.block.arguments[i].replace_all_uses_with(values[i - first])
            self.block.erase_argument(i)


class Reverse:
    """A program being built beside its source."""

    def __init__(self, deriver: Desk, active: ActiveValues, strong_zero: bool, linear: bool = False) -> None:
        self.deriver = deriver
        self.active = active
        self.strong_zero = strong_zero
        self.linear = linear
        """Whether it is the transpose of a tangent that is built."""
        self.env: dict[ir.Value, ir.Value] = {}
        """The source's values in the forward sweep."""
        self.cotangents: dict[ir.Value, Sum] = {}
        """The cotangents of the source's values, as far as they are known."""
        self.residual: Lookup = Expr
        """A value of the forward sweep, as the backward sweep sees it."""

    def primal(self, value: ir.Value) -> Expr:
        """A source value in the forward sweep."""
        return Expr(self.env.get(value, value))

    def lookup(self, value: ir.Value) -> Expr:
        """A source value in the backward sweep."""
        return self.residual(self.env.get(value, value))

    # -- the two sweeps

    def forwards(self, block: ir.Block) -> list[tuple[ir.Operation, Pullback]]:
        """Emit the primal ops; gives the steps that the backward sweep has to undo."""
        undo: list[tuple[ir.Operation, Pullback]] = []
        for op in steps(block):
            if any(r in self.active for r in op.results):
                with op.location:
                    undo.append((op, self.augment(op)))
            else:
                copy_op(op, self.env)
        return undo

    def augment(self, op: ir.Operation) -> Pullback:
        rule = self.deriver.rule(op)
        if rule is not None and rule.control is not None:
            return rule.control.augment(self, op)
        if rule is None or (rule.vjp is None and rule.expand is None):
            raise self.deriver.no_rule(op, "reverse")
        if rule.vjp is None or rule.is_expanded(op, self.active.mask(op.operands)):
            return self.deriver.outlined(op).augment(self, op)
        copy_op(op, self.env)
        vjp = rule.vjp

        def pullback(cotangents: Sequence[Shadow]) -> None:
            site = Site(op, self.deriver, self.lookup, self.active.mask(op.operands), self.strong_zero)
            for operand, ct in zip(op.operands, vjp(site, cotangents), strict=True):
                self.add(operand, ct)

        return pullback

    def backwards(self, undo: Sequence[tuple[ir.Operation, Pullback]]) -> None:
        for op, pullback in reversed(undo):
            if any(r in self.cotangents for r in op.results):
                with op.location:
                    pullback([self.take(r) for r in op.results])

    def add(self, value: ir.Value, ct: Cotangent) -> None:
        """Add to the cotangent of a source value, if it is active."""
        if ct is None or value not in self.active:
            return
        so_far = self.cotangents.setdefault(value, Sum())
        if isinstance(ct, Piece):
            so_far.pieces.append(ct)
        elif isinstance(ct, Expr):
            so_far.whole = ct if so_far.whole is None else so_far.whole + ct
        else:
            so_far.whole = ct.add_to(so_far.total())

    def take(self, value: ir.Value) -> Shadow:
        """The whole cotangent of a source value, which is not kept any longer."""
        found = self.cotangents.pop(value, None)
        return None if found is None else found.total()

    # -- a block whose sweeps are apart

    def split(
        self,
        source: ir.Block,
        *,
        cotangents: Sequence[ir.Value],
        accumulate: Sequence[ir.Value] = (),
        want: Sequence[ir.Value] = (),
        leading: Sequence[ir.Type] = (),
        prepare: Callable[[Residuals], None] | None = None,
        returns: str = "stablehlo.return",
    ) -> Split:
        """Emit the forward sweep of `source` here, and its backward sweep into a block that waits (see `interface`)."""
        undo = self.forwards(source)
        here = ir.Location.current
        holder = ir.Operation.create("gradir.backward_sweep", regions=1)
        types = [*leading, *(v.type for v in cotangents), *(v.type for v in accumulate)]
        block = ir.Block.create_at_start(holder.regions[0], types, [here] * len(types))
        residuals = Residuals(block)
        outer = self.residual, self.cotangents
        self.residual, self.cotangents = residuals, {}
        arguments = [Expr(a) for a in block.arguments][len(leading) :]
        try:
            with ir.InsertionPoint(block):
                if prepare is not None:
                    prepare(residuals)
                    residuals.prepared()
                for v, ct in zip(accumulate, arguments[len(cotangents) :], strict=True):
                    self.cotangents[v] = Sum(ct)
                for v, ct in zip(cotangents, arguments, strict=False):
                    self.add(v, ct)
                self.backwards(undo)
                out = [self.take(v) or zeros_like(self.lookup(v)) for v in (*want, *accumulate)]
                ir.Operation.create(returns, operands=[o.value for o in out])
            drop_dead(block, after=residuals.first)
        finally:
            self.residual, self.cotangents = outer
        return Split(block, residuals.needed(), residuals.known, residuals.first)

    @contextmanager
    def again(self, values: Mapping[ir.Value, ir.Value]) -> Iterator[None]:
        """Within, forward sweeps are emitted once more, in the backward sweep (see `interface`)."""
        outer = self.env, self.residual
        self.env, self.residual = dict(values), Expr
        try:
            yield
        finally:
            self.env, self.residual = outer

    def undo_here(
        self,
        source: ir.Block,
        values: Mapping[ir.Value, ir.Value],
        *,
        cotangents: Sequence[tuple[ir.Value, Expr]],
        want: Sequence[ir.Value],
        accumulate: Mapping[ir.Value, Expr],
    ) -> list[Expr]:
        """Emit both sweeps of `source` here, in the backward sweep (see `interface`)."""
        outer = self.cotangents
        self.cotangents = {v: Sum(ct) for v, ct in accumulate.items()}
        try:
            with self.again(values):
                undo = self.forwards(source)
                for v, ct in cotangents:
                    self.add(v, ct)
                self.backwards(undo)
                return [self.take(v) or zeros_like(self.lookup(v)) for v in (*want, *accumulate)]
        finally:
            self.cotangents = outer


# -- whole functions ---------------------------------------------------------------------------------------------------


def reverse_function(deriver: Desk, request: Request, *, seeded: bool = False) -> str:
    """The function's derivative, its operands and results in the request's order.

    If it is `seeded`, its cotangents are 1 and not among the operands.
    """
    source = deriver.prepared(request.function, reverse=True)
    entry = source.entry_block
    returned = list(terminator(entry).operands)
    slots = list(operand_slots(request.mode, request.activity, request.ret_activity))
    if seeded:
        slots = [(kind, i, part) for kind, i, part in slots if kind == "arg"]
    args = [a is Activity.active for a in request.activity]
    rets = [a.has_cotangent for a in request.ret_activity]
    transform = Reverse(deriver, ActiveValues(deriver, entry, args, rets), request.strong_zero)
    settled: set[int] = set()

    def body(arguments: Sequence[Expr]) -> list[Expr]:
        for (kind, i, part), value in zip(slots, arguments, strict=True):
            if kind == "arg" and part == "primal":
                transform.env[entry.arguments[i]] = value.value
        undo = transform.forwards(entry)
        settled.update(made_so_far())
        for (kind, j, _), value in zip(slots, arguments, strict=True):
            if kind == "result":
                transform.add(returned[j], value)
        for value, has_cotangent in zip(returned, rets, strict=True):
            if seeded and has_cotangent:
                transform.add(value, full(value.type, 1))
        transform.backwards(undo)
        return [
            transform.primal(returned[i])
            if part == "primal"
            else transform.take(entry.arguments[i]) or zeros_like(transform.primal(entry.arguments[i]))
            for _, i, part in result_slots(request.mode, request.activity, request.ret_activity)
        ]

    types = [(entry.arguments if kind == "arg" else returned)[i].type for kind, i, _ in slots]
    name = f"{request.function}.reverse"
    with following(source.operation):
        return deriver.define(name, types, body, source.location, lambda: settled, shadow_results(request))


def made_so_far() -> Iterator[int]:
    """The ops of the block that is being built, by what the optimiser tells them apart by; not those with a body."""
    for view in ir.InsertionPoint.current.block.operations:
        op = view.operation
        if len(op.results) and (not len(op.regions) or op.name == "stablehlo.reduce"):
            yield hash(op.results[0])


@dataclass(frozen=True)
class SplitFunction:
    """A function's sweeps as two functions: what reverse mode calls in place of a call."""

    augmented: str
    """`(args…) -> (results…, more residuals…)`"""
    backward: str
    """`(cotangents of active results…, residuals…) -> (cotangents of active args…)`"""
    residuals: tuple[tuple[str, int], ...]
    """Where each residual is found: `("arg", i)` of the call, or `("result", i)` of the augmented function."""


def split_function(
    deriver: Desk, name: str, args: Mask, results: Mask, strong_zero: bool, linear: bool = False
) -> SplitFunction:
    source = deriver.prepared(name, reverse=True)
    entry = source.entry_block
    returned = list(terminator(entry).operands)
    transform = Reverse(deriver, ActiveValues(deriver, entry, args, results), strong_zero, linear)
    where: list[tuple[str, int]] = []
    backward: list[str] = []

    def body(arguments: Sequence[Expr]) -> list[Expr]:
        for a, primal in zip(entry.arguments, arguments, strict=True):
            transform.env[a] = primal.value
        split = transform.split(
            entry,
            cotangents=[v for v, active in zip(returned, results, strict=True) if active],
            want=[a for a, active in zip(entry.arguments, args, strict=True) if active],
            returns="func.return",
        )
        backward.append(deriver.adopt(f"{name}.backward", split.block, source.location, range(sum(args))))
        outs = [transform.primal(v).value for v in returned]
        found = {value: ("result", j) for j, value in enumerate(outs)}
        found |= {a.value: ("arg", i) for i, a in enumerate(arguments)}
        for value, _ in split.residuals:
            if value not in found:
                found[value] = "result", len(outs)
                outs.append(value)
            where.append(found[value])
        return [Expr(v) for v in outs]

    with following(source.operation):
        augmented = deriver.define(f"{name}.augmented", [a.type for a in entry.arguments], body, source.location)
    return SplitFunction(augmented, backward[0], tuple(where))
