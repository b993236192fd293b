"""Loops: what they need not carry, what need not be done in them, and loops that need not be."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from jaxlib.mlir import ir

from gradir.tensor.analysis.cost import cost
from gradir.tensor.analysis.counting import Counter, integer
from gradir.tensor.ir import expr as E
from gradir.tensor.ir.dead import carried_for, within
from gradir.tensor.ir.expr import Expr
from gradir.tensor.ir.reading import float_type, is_bound, is_used, maker
from gradir.tensor.ir.regions import captures, terminator
from gradir.tensor.optimize.driver import CONTROL, Driver
from gradir.tensor.optimize.rule import Family

loops = Family("loops", "while: carried values, invariants, counters and tiny loops")
rule = loops.rule


def blocks(op: ir.Operation) -> tuple[ir.Block, ir.Block]:
    cond, body = (r.blocks[0] for r in op.regions)
    return cond, body


Carry = tuple[Expr, Callable[[Expr], Expr]]
"""A value to carry: what it begins as, and what a round makes of it."""


def narrowed(op: ir.Operation, dropped: Sequence[int]) -> list[Expr | None]:
    """The loop without some of its carried values, which nothing in it may use any more; None for their results."""
    return remade(op, dropped)


def remade(op: ir.Operation, dropped: Sequence[int] = (), added: Sequence[Carry] = ()) -> list[Expr | None]:
    """The loop without some of its carried values, and with others; None for the results of those that go.

    Its blocks move to the new loop. What is added comes last.
    """
    kept = [k for k in range(len(op.operands)) if k not in set(dropped)]
    cond, body = blocks(op)
    inits = [*(Expr(op.operands[k]) for k in kept), *(init for init, _ in added)]
    new = E.ops("stablehlo.while", inits, [x.type for x in inits], dict(op.attributes.items()), regions=2)
    last = terminator(body)
    for init, _ in added:
        cond.add_argument(init.type, op.location)
    with last.location, ir.InsertionPoint(last):
        more = [step(Expr(body.add_argument(init.type, op.location))).value for init, step in added]
        ir.Operation.create("stablehlo.return", operands=[*(last.operands[k] for k in kept), *more])
    last.erase()
    for region, block in zip(new.regions, (cond, body), strict=True):
        for k in sorted(dropped, reverse=True):
            block.erase_argument(k)
        block.append_to(region)
    results: dict[int, Expr] = dict(zip(kept, E.exprs(new.results), strict=False))
    return [*(results.get(k) for k in range(len(op.operands))), *E.exprs(new.results)[len(kept) :]]


def round_number(counter: Counter, block: ir.Block) -> Expr:
    """How many rounds there have been, in a block that has the counter. (Emitted where the block begins.)"""
    with ir.InsertionPoint.at_block_begin(block):
        i = Expr(block.arguments[counter.index])
        if counter.step == -1:
            return counter.start - i
        rounds = i if counter.start == 0 else i - counter.start
        return rounds if counter.step == 1 else rounds / counter.step


# -- what is carried ---------------------------------------------------------------------------------------------------


@rule("while_(*xs)")
def carry_invariant(op: ir.Operation, xs: list[Expr], driver: Driver) -> list[Expr] | None:
    """A value that every round hands on unchanged is not carried: the loop takes it from outside."""
    cond, body = blocks(op)
    yields = terminator(body).operands
    # (A constant that each round gives anew is unchanged, too.)
    fixed = [k for k in range(len(xs)) if yields[k] == body.arguments[k] or yields[k] == xs[k].value]
    if not fixed or is_bound(op):
        return None
    for k in fixed:
        for block in (cond, body):
            driver.push_users(block.arguments[k])
            block.arguments[k].replace_all_uses_with(xs[k].value)
    forget_terminator(driver, body)
    made = narrowed(op, fixed)
    return [x if r is None else r for x, r in zip(xs, made, strict=True)]


def forget_terminator(driver: Driver, body: ir.Block) -> None:
    driver.forget(terminator(body))


@rule("while_(*xs)")
def carry_unused(op: ir.Operation, xs: list[Expr], driver: Driver) -> list[Expr] | None:
    """A value that neither a result nor the loop's end depends on is not carried."""
    used = {k for k, r in enumerate(op.results) if is_used(r)}
    if len(used) == len(xs) or is_bound(op) or driver.acts(op):
        return None
    needed = carried_for(op, used)
    if len(needed) == len(xs):
        return None
    cond, body = blocks(op)
    dropped = [k for k in range(len(xs)) if k not in needed]
    # What computes a dropped value from itself goes with it: its argument gets another meaning, which nobody asks for.
    for k in dropped:
        for block in (cond, body):
            driver.push_users(block.arguments[k])
            block.arguments[k].replace_all_uses_with(xs[k].value)
    forget_terminator(driver, body)
    made = narrowed(op, dropped)
    return [x if r is None else r for x, r in zip(xs, made, strict=True)]


@rule("while_(*xs)")
def carry_twice(op: ir.Operation, xs: list[Expr], driver: Driver) -> list[Expr] | None:
    """Of two values that begin the same and go on the same, one is carried."""
    cond, body = blocks(op)
    yields = terminator(body).operands
    for j in range(len(xs)):
        for k in range(j):
            if xs[j].value != xs[k].value or is_bound(op):
                continue
            if float_type(xs[j].type) is not None and driver.is_kept_apart(op):
                continue
            if _are_equal(yields[j], yields[k], {body.arguments[j]: body.arguments[k]}):
                for block in (cond, body):
                    driver.push_users(block.arguments[j])
                    block.arguments[j].replace_all_uses_with(block.arguments[k])
                forget_terminator(driver, body)
                made = narrowed(op, [j])
                return [made[k] if r is None else r for r in made]  # type: ignore[misc]
    return None


def _are_equal(a: ir.Value, b: ir.Value, same: dict[ir.Value, ir.Value], depth: int = 4) -> bool:
    """Whether two values are equal if some others are: computed in the same way."""
    if a == b or same.get(a, a) == b:
        return True
    f, g = maker(a), maker(b)
    if f is None or g is None or depth == 0 or f.name != g.name or f.name in _STAYS or len(f.regions):
        return False
    if a.type != b.type or len(f.operands) != len(g.operands) or len(f.results) != 1:
        return False
    if dict(f.attributes.items()) != dict(g.attributes.items()):
        return False
    return all(_are_equal(v, w, same, depth - 1) for v, w in zip(f.operands, g.operands, strict=True))


# -- counters ----------------------------------------------------------------------------------------------------------


@rule("while_(*xs)")
def counter_result(op: ir.Operation, driver: Driver) -> list[Expr] | None:
    """What a counter has come to at the end is known."""
    counter = driver.counter(op)
    if counter is None or not is_used(op.results[counter.index]):
        return None
    end = driver.taken(E.full(op.results[counter.index].type, counter.start + counter.step * counter.trips))
    op.results[counter.index].replace_all_uses_with(end.value)
    return E.exprs(op.results)


@rule("while_(*xs)")
def second_counter(op: ir.Operation, xs: list[Expr], driver: Driver) -> list[Expr] | None:
    """A second counter follows from the first: it is not carried."""
    counter = driver.counter(op)
    if counter is None or is_bound(op):
        return None
    cond, body = blocks(op)
    for k in range(len(xs)):
        if k == counter.index:
            continue
        start, step = integer(xs[k].value), _step_of(body, k)
        if start is None or step is None:
            continue
        end = E.full(op.results[k].type, start + step * counter.trips)
        for block in (cond, body):
            value = _in_terms_of(counter, block, k, start, step)
            driver.push_users(block.arguments[k])
            block.arguments[k].replace_all_uses_with(value.value)
        forget_terminator(driver, body)
        made = narrowed(op, [k])
        return [end if r is None else r for r in made]
    return None


def _step_of(body: ir.Block, k: int) -> int | None:
    op = maker(terminator(body).operands[k])
    if op is None or op.name != "stablehlo.add" or body.arguments[k].type.rank:
        return None
    a, b = op.operands
    if a != body.arguments[k]:
        a, b = b, a
    return integer(b) if a == body.arguments[k] else None


def _in_terms_of(counter: Counter, block: ir.Block, k: int, start: int, step: int) -> Expr:
    """The value of another counter, in a block that has the first. (Emitted where the block begins.)"""
    with ir.InsertionPoint.at_block_begin(block):
        i, of = Expr(block.arguments[counter.index]), block.arguments[k].type.element_type
        if (counter.start, counter.step) == (start, step):
            return E.convert(i, of)
        rounds = i if counter.start == 0 else i - counter.start
        if counter.step != 1:
            rounds = E.op("stablehlo.divide", rounds, E.full_like(rounds, counter.step))
        value = E.convert(rounds, of)
        value = value if step == 1 else value * step
        return value if start == 0 else value + start


# -- what need not be done inside --------------------------------------------------------------------------------------

_CHEAP = frozenset(f"stablehlo.{n}" for n in ("constant", "iota", "broadcast_in_dim", "reshape", "convert", "return"))
_STAYS = frozenset(
    f"stablehlo.{n}"
    for n in (
        "rng", "rng_bit_generator", "all_reduce", "all_gather", "all_to_all", "reduce_scatter", "collective_permute",
        "collective_broadcast", "infeed", "outfeed", "send", "recv", "optimization_barrier", "custom_call", "after_all",
    )
)  # fmt: skip


@rule("while_(*xs)")
def hoist_invariant(op: ir.Operation, driver: Driver) -> list[Expr] | None:
    """What a round computes from outside alone is computed once, before the loop."""
    counter = driver.counter(op)
    _, body = blocks(op)
    inside: set[ir.Value] = set(body.arguments)
    moved: dict[ir.Value, ir.Operation] = {}
    worth: list[ir.Operation] = []
    for view in body.operations:
        o = view.operation
        from_outside = not any(v in inside for v in o.operands)
        if from_outside and len(o.regions):
            from_outside = not any(v in inside for v in captures(o.regions))
        is_call = from_outside and not driver.ahead and _is_plain_call(o, counter)
        if from_outside and (is_call or may_move(o, counter)) and not driver.is_added_up_after(o):
            for r in o.results:
                moved[r] = o
            if is_call or (o.name not in _CHEAP and cost(o).flops + cost(o).bytes > 0):
                worth.append(o)
        else:
            inside.update(o.results)
    if not worth:
        return None
    chosen: dict[ir.Operation, None] = {}

    def choose(o: ir.Operation) -> None:
        for v in [*o.operands, *(captures(o.regions) if len(o.regions) else ())]:
            if v in moved and moved[v] not in chosen:
                choose(moved[v])
        chosen[o] = None

    for o in worth:
        if o not in chosen:
            choose(o)
    for o in chosen:
        o.move_before(op)
        driver.push(o)
        for r in o.results:
            driver.push_users(r)
    return E.exprs(op.results)


def _is_plain_call(op: ir.Operation, counter: Counter | None) -> bool:
    """Whether a call of a loop that has rounds does nothing but compute: a rule that somebody wrote, mostly."""
    if op.name != "func.call" or counter is None or counter.trips < 1:
        return False
    return not any(o.name in _STAYS for o in within(op))


def adds_up_after(op: ir.Operation, driver: Driver) -> bool:
    """Whether a round has an op of what is outside alone that must not be done once for all rounds yet."""
    if not driver.ahead:
        return False
    _, body = blocks(op)
    inside: set[ir.Value] = set(body.arguments)
    for view in body.operations:
        o = view.operation
        if not any(v in inside for v in o.operands) and driver.is_added_up_after(o):
            return True
        inside.update(o.results)
    return False


def may_move(op: ir.Operation, counter: Counter | None) -> bool:
    if op.name in _STAYS or op.name in CONTROL or not op.name.startswith(("stablehlo.", "chlo.")):
        return False
    if op.name == "stablehlo.return" or not len(op.results):
        return False
    if op.name in ("stablehlo.divide", "stablehlo.remainder") and not E.is_differentiable(op.results[0].type):
        return counter is not None and counter.trips > 0  # a division by zero must not happen in a loop of no rounds
    return all(isinstance(r.type, ir.RankedTensorType) for r in op.results)


# -- loops that need not be --------------------------------------------------------------------------------------------


@rule("while_(*xs)")
def no_rounds(op: ir.Operation, xs: list[Expr], driver: Driver) -> list[Expr] | None:
    """A loop of no rounds gives what it is given."""
    counter = driver.counter(op)
    return list(xs) if counter is not None and counter.trips == 0 else None
