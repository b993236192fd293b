"""What a loop carries from round to round, and whose cotangents its backward sweep carries."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from jaxlib.mlir import ir

from gradir.tensor.analysis.cache import nbytes
from gradir.tensor.ir import expr as E
from gradir.tensor.ir.expr import Expr
from gradir.tensor.ir.regions import captures, copy_block, terminator
from gradir.tensor.rules.control import or_zero
from gradir.tensor.rules.interface import Reverse, Shadow

Values = Mapping[ir.Value, ir.Value]


def changing(op: ir.Operation) -> list[int]:
    """The positions of the carried values that change from round to round."""
    body = op.regions[1].blocks[0]
    yields = terminator(body).operands
    return [k for k in range(len(op.operands)) if yields[k] != body.arguments[k]]


def only_written(op: ir.Operation, carry: int) -> ir.Operation | None:
    """What writes a part of a carried value in each round, if that is all that is done with it."""
    cond, body = (r.blocks[0] for r in op.regions)
    value = terminator(body).operands[carry]
    uses = [len(list(v.uses)) for v in (cond.arguments[carry], body.arguments[carry], value)]
    if isinstance(value, ir.BlockArgument) or uses != [0, 1, 1]:
        return None
    update = value.owner.operation
    is_update = update.name == "stablehlo.dynamic_update_slice" and update.operands[0] == body.arguments[carry]
    return update if is_update else None


class CarriedInReverse:
    """The parts of one `while` in reverse mode.

    A carried value that every round hands on unchanged is one from outside, whatever name the body has for it.
    """

    def __init__(self, t: Reverse, op: ir.Operation) -> None:
        self.t, self.op = t, op
        self.cond, self.body = (r.blocks[0] for r in op.regions)
        self.carried = changing(op)
        self.read = [i for i, k in enumerate(self.carried) if only_written(op, k) is None]
        """Which of these a round reads. When rounds are run again, they are all of the state."""
        self.fixed = [k for k in range(len(op.operands)) if k not in self.carried]
        for k in self.fixed:
            for v in (self.cond.arguments[k], self.body.arguments[k], op.results[k]):
                t.env[v] = t.primal(op.operands[k]).value
        # (A value that no round reads is not useful inside, though what the last round makes of it may be.)
        self.states = [k for k in self.carried if self.body.arguments[k] in t.active or op.results[k] in t.active]
        """The carried values whose cotangents the backward loop carries, too."""
        active = [k for k in self.fixed if self.body.arguments[k] in t.active]
        inside = [v for v in captures([op.regions[1]]) if v in t.active]
        self.sums: list[ir.Value] = [self.body.arguments[k] for k in active] + inside
        """Values from outside: the backward loop carries the sums of their cotangents."""
        self.sum_targets: list[ir.Value] = [op.operands[k] for k in active] + inside
        self.invariant_results = {op.results[k]: op.operands[k] for k in active}

    def coming_in(self, by_result: dict[ir.Value, Shadow]) -> list[Expr]:
        """What the backward loop begins with: the cotangents of `states`, then the sums so far of `sum_targets`.

        Cotangents of results that no round changes go to their operands. One outside value may have two names
        (captured, and carried unchanged): the first to ask takes its sum so far.
        """
        for result, operand in self.invariant_results.items():
            self.t.add(operand, by_result[result])
        sums = [or_zero(self.t.take(v), v.type) for v in self.sum_targets]
        results = [self.op.results[k] for k in self.states]
        return [*(or_zero(by_result[r], r.type) for r in results), *sums]

    def going_out(self, cotangents: Sequence[Expr]) -> None:
        """What the backward loop ends with, in the same order, goes to operands and to values from outside."""
        targets = [*(self.op.operands[k] for k in self.states), *self.sum_targets]
        for v, ct in zip(targets, cotangents, strict=True):
            self.t.add(v, ct)

    # -- the loop's own rounds

    def state_bytes(self) -> int:
        """What one checkpoint takes."""
        return sum(nbytes(self.op.operands[self.carried[i]]) for i in self.read)

    def outside(self) -> list[ir.Value]:
        """The values that the loop takes from outside: captured, or carried unchanged."""
        unchanged = [b.arguments[k] for b in (self.cond, self.body) for k in self.fixed]
        return [*captures(self.op.regions), *unchanged]

    def entered(self, block: ir.Block, state: Sequence[Expr], outside: Values) -> dict[ir.Value, ir.Value]:
        """The arguments of a block, for a state or for what is read of it: the rest may begin as anything."""
        if len(state) < len(self.carried):
            given = dict(zip(self.read, state, strict=True))
            types = [self.op.operands[k].type for k in self.carried]
            state = [given[i] if i in given else E.full(t, 0) for i, t in enumerate(types)]
        return {**outside, **{block.arguments[k]: x.value for k, x in zip(self.carried, state, strict=True)}}

    def run(self, block: ir.Block, state: Sequence[Expr], outside: Values) -> list[Expr]:
        """Emit a block of the loop for a state; gives what it returns."""
        return E.exprs(copy_block(block, self.entered(block, state, outside)))

    def round(self, state: Sequence[Expr], outside: Values) -> list[Expr]:
        """Emit one round, which keeps nothing, of a state or of what is read of it."""
        yields = self.run(self.body, state, outside)
        made = [yields[k] for k in self.carried]
        return made if len(state) == len(made) else [made[i] for i in self.read]


# -- stacks ------------------------------------------------------------------------------------------------------------


def index(number: int) -> Expr:
    """The number of a round, or of a place in a stack."""
    return E.full(E.tensor([], ir.IntegerType.get_signless(32)), number)


def stack_of(n: int, x: Expr) -> ir.RankedTensorType:
    """The type of a stack of n values like x."""
    return E.tensor([n, *x.shape], x.dtype)


def put(stack: Expr, at: Expr, x: Expr) -> Expr:
    return E.dynamic_update_slice(stack, E.reshape(x, [1, *x.shape]), [at, *[index(0)] * x.rank])


def take(stack: Expr, at: Expr) -> Expr:
    starts = [at, *[index(0)] * (stack.rank - 1)]
    return E.reshape(E.dynamic_slice(stack, starts, [1, *stack.shape[1:]]), stack.shape[1:])
