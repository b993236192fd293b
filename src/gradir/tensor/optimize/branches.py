"""Branches: `if` and `case` whose choice is known, or whose branches share something."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from jaxlib.mlir import ir

from gradir.tensor.analysis.cost import CPU, total
from gradir.tensor.ir import expr as E
from gradir.tensor.ir.dead import has_effect
from gradir.tensor.ir.expr import Expr
from gradir.tensor.ir.reading import is_bound, is_used, kind, maker, splat_of
from gradir.tensor.ir.regions import copy_block, copy_op, terminator
from gradir.tensor.optimize.driver import CONTROL, Driver
from gradir.tensor.optimize.effects import KINKS
from gradir.tensor.optimize.rule import Family

branches = Family("branches", "if and case")
rule = branches.rule

CHEAP = 300
"""Nanoseconds that computing both branches may take, rather than choosing one."""


def _inlined(block: ir.Block) -> list[Expr]:
    """A branch's ops, here, and what it returns."""
    return E.exprs(copy_block(block, {}))


def _block(op: ir.Operation, k: int) -> ir.Block:
    return op.regions[k].blocks[0]


@rule("if_(p)")
def if_known(op: ir.Operation, p: Expr) -> list[Expr] | None:
    """An if whose predicate is constant is the branch it takes."""
    choice = splat_of(p.value)
    return None if choice is None else _inlined(_block(op, 0 if choice else 1))


@rule("case(i)")
def case_known(op: ir.Operation, i: Expr) -> list[Expr] | None:
    """A case whose index is constant is the branch it takes."""
    choice = splat_of(i.value)
    if choice is None:
        return None
    n = len(op.regions)
    k = int(choice)  # type: ignore[arg-type]
    return _inlined(_block(op, k if 0 <= k < n else n - 1))


@rule("case(i)", when=lambda op: len(op.regions) == 1)
def case_of_one(op: ir.Operation) -> list[Expr]:
    """A case of one branch is that branch."""
    return _inlined(_block(op, 0))


@rule("if_(p)")
def if_hands_on(op: ir.Operation, p: Expr, driver: Driver) -> list[Expr] | None:
    """A result that both branches take from outside is that value, or a select of two."""
    return _hands_on(op, p, driver)


@rule("case(i)")
def case_hands_on(op: ir.Operation, i: Expr, driver: Driver) -> list[Expr] | None:
    """A result that all branches take from outside is that value, or one of two."""
    return _hands_on(op, i, driver)


def _hands_on(op: ir.Operation, choice: Expr, driver: Driver) -> list[Expr] | None:
    ends = [terminator(_block(op, k)).operands for k in range(len(op.regions))]
    changed = False
    for r, *values in zip(op.results, *ends, strict=True):
        few = len({*values}) == 1 or len(values) == 2
        if not is_used(r) or not few or not all(_is_outside(v, op) for v in values):
            continue
        if not isinstance(r.type, ir.RankedTensorType):
            continue
        driver.push_users(r)
        r.replace_all_uses_with(driver.taken(_chosen(choice, E.exprs(values))).value)
        changed = True
    return E.exprs(op.results) if changed else None


def _chosen(choice: Expr, values: list[Expr]) -> Expr:
    """The value of the branch that is taken, by selects."""
    out = values[-1]
    for k in reversed(range(len(values) - 1)):
        if values[k].value != out.value:
            out = E.select(choice if kind(choice.type) == "bool" else choice.eq(k), values[k], out)
    return out


@rule("if_(~p)")
def if_not(op: ir.Operation, p: Expr) -> list[Expr]:
    """if(!p, a, b) -> if(p, b, a)."""
    made = E.ops("stablehlo.if", [p], [r.type for r in op.results], regions=2)
    for k in (0, 1):
        E.fill(made.regions[k], [], lambda k=k: _inlined(_block(op, 1 - k)))
    return E.exprs(made.results)


@rule("if_(p)")
def if_unused(op: ir.Operation, driver: Driver) -> list[Expr] | None:
    """A result that nothing uses is not computed."""
    return _without_unused(op, driver)


@rule("case(i)")
def case_unused(op: ir.Operation, driver: Driver) -> list[Expr] | None:
    """A result that nothing uses is not computed."""
    return _without_unused(op, driver)


def _without_unused(op: ir.Operation, driver: Driver) -> list[Expr] | None:
    kept = [k for k, r in enumerate(op.results) if is_used(r)]
    if len(kept) == len(op.results) or not kept:
        return None
    made = E.ops(
        op.name, E.exprs(op.operands), [op.results[k].type for k in kept], dict(op.attributes.items()),
        regions=len(op.regions),
    )  # fmt: skip
    for source, target in zip(op.regions, made.regions, strict=True):
        block = source.blocks[0]
        last = terminator(block)
        unused = [m for k, v in enumerate(last.operands) if k not in kept and (m := maker(v)) is not None]
        driver.forget(last)
        with last.location, ir.InsertionPoint(last):
            ir.Operation.create("stablehlo.return", operands=[last.operands[k] for k in kept])
        last.erase()
        for m in {hash(m.results[0]): m for m in unused if m.block == block}.values():
            if not any(is_used(r) for r in m.results):
                driver.push(m)
        block.append_to(target)
    results = dict(zip(kept, E.exprs(made.results), strict=True))
    # (Nothing asks for the others.)
    return [results.get(k) or _nothing(r.type) for k, r in enumerate(op.results)]


def _nothing(t: ir.Type) -> Expr:
    assert isinstance(t, ir.RankedTensorType)
    return E.full(t, 0)


@rule("if_(p)")
def known_in_branch(op: ir.Operation, p: Expr, driver: Driver) -> list[Expr] | None:
    """Inside of a branch it is known why it was taken."""
    return _know(op, p, [True, False], driver)


@rule("case(i)")
def known_in_case(op: ir.Operation, i: Expr, driver: Driver) -> list[Expr] | None:
    """Inside of a branch but the last it is known why it was taken."""
    return _know(op, i, list(range(len(op.regions) - 1)), driver)


def _know(op: ir.Operation, choice: Expr, known: Sequence[int | bool], driver: Driver) -> list[Expr] | None:
    inside = [(use.owner.operation, use.operand_number) for use in choice.value.uses]
    changed = False
    for user, place in inside:
        k = _branch_of(user, op)
        if k is not None and k < len(known):
            with ir.InsertionPoint.at_block_begin(_block(op, k)):
                user.operands[place] = E.full(choice.type, known[k]).value
            driver.push(user)
            changed = True
    return E.exprs(op.results) if changed else None


def _branch_of(user: ir.Operation, op: ir.Operation) -> int | None:
    """In which branch of an op another one is, however deep."""
    block = user.block
    while block is not None:
        holder = block.owner.operation
        if holder == op:
            return next(k for k in range(len(op.regions)) if _block(op, k) == block)
        if holder.name in ("func.func", "builtin.module") or holder.parent is None:
            return None
        block = holder.block
    return None


def _is_outside(value: ir.Value, op: ir.Operation) -> bool:
    """Whether a value is made outside of an op."""
    owner = value.owner
    block = owner if isinstance(owner, ir.Block) else owner.operation.block
    return all(block != _block(op, k) for k in range(len(op.regions)))


@rule("if_(p)", effects=KINKS)
def if_is_select(op: ir.Operation, p: Expr) -> list[Expr] | None:
    """An if of cheap branches is a select: both are computed, and nothing has to wait for the choice.

    Not before it is differentiated: the branch that is not taken may have an infinite derivative.
    """
    return _as_select(op, p)


@rule("case(i)", effects=KINKS, gated=True, when=lambda op: 2 < len(op.regions) <= 4)
def case_is_select(op: ir.Operation, i: Expr) -> list[Expr] | None:
    """A case of cheap branches is a few selects."""
    return _as_select(op, i)


def _as_select(op: ir.Operation, choice: Expr) -> list[Expr] | None:
    n = len(op.regions)
    ops = [view.operation for k in range(n) for view in _block(op, k).operations]
    if any(o.name in CONTROL or o.name == "func.call" for o in ops) or has_effect(op):
        return None
    if any(o.name in ("stablehlo.divide", "stablehlo.remainder") and not E.is_differentiable(o.results[0].type)
           for o in ops):  # fmt: skip
        return None
    if not all(isinstance(r.type, ir.RankedTensorType) and r.type.has_static_shape for r in op.results):
        return None
    if total(ops).on(CPU) > CHEAP or sum(E.size(r.type.shape) for r in op.results) > 64:
        return None
    values = [_inlined(_block(op, k)) for k in range(n)]
    return [_chosen(choice, list(each)) for each in zip(*values, strict=True)]


@rule("case(i)", when=lambda op: len(op.regions) == 2)
def case_is_if(op: ir.Operation, i: Expr) -> list[Expr]:
    """A case of two branches is an if."""
    made = E.ops("stablehlo.if", [i.eq(0)], [r.type for r in op.results], regions=2)
    for k in (0, 1):
        E.fill(made.regions[k], [], lambda k=k: _inlined(_block(op, k)))
    return E.exprs(made.results)


@rule("if_(p)")
def hoist_from_branches(op: ir.Operation, driver: Driver) -> list[Expr] | None:
    """What both branches compute in the same way is computed once, before."""
    return _hoisted(op, driver)


@rule("case(i)")
def hoist_from_cases(op: ir.Operation, driver: Driver) -> list[Expr] | None:
    """What all branches compute in the same way is computed once, before."""
    return _hoisted(op, driver)


def _hoisted(op: ir.Operation, driver: Driver) -> list[Expr] | None:
    n, changed = len(op.regions), False
    known: dict[tuple[Any, ...], list[ir.Operation]] = {}
    for k in range(n):
        for view in _block(op, k).operations:
            o = view.operation
            if _may_leave(o, op):
                twins = known.setdefault(_form(o), [])
                if len(twins) == k:
                    twins.append(o)
    for twins in known.values():
        if len(twins) == n > 1:
            first, *others = twins
            first.move_before(op)
            driver.push(first)
            for o in others:
                driver.push_users(o.results[0])
                o.results[0].replace_all_uses_with(first.results[0])
                driver.erase(o)
            changed = True
    return E.exprs(op.results) if changed else None


def _may_leave(o: ir.Operation, op: ir.Operation) -> bool:
    return (
        o.name.startswith(("stablehlo.", "chlo."))
        and len(o.results) == 1
        and not len(o.regions)
        and o.name not in ("stablehlo.constant", "stablehlo.rng", "stablehlo.custom_call")
        and all(_is_outside(v, op) for v in o.operands)
    )


def _form(op: ir.Operation) -> tuple[Any, ...]:
    """What two ops that compute the same have in common."""
    attributes = tuple(sorted((k, str(v)) for k, v in op.attributes.items()))
    return op.name, op.results[0].type, tuple(op.operands), attributes


# -- branches in loops -------------------------------------------------------------------------------------------------

LARGEST_UNSWITCHED = 400
"""Ops that a loop may have, in all its copies."""


@rule("while_(*xs)")
def unswitch(op: ir.Operation, xs: list[Expr]) -> list[Expr] | None:
    """A loop with a branch that is the same in every round is a branch with loops."""
    body = op.regions[1].blocks[0]
    ops = [view.operation for view in body.operations]
    at = next((k for k, o in enumerate(ops) if o.name in _BRANCHES and _is_from_outside(o.operands[0], op)), None)
    if at is None or is_bound(op):
        return None
    n = len(ops[at].regions)
    if n * _size_of(op) > LARGEST_UNSWITCHED or not all(isinstance(x.type, ir.RankedTensorType) for x in xs):
        return None
    made = E.ops(ops[at].name, [Expr(ops[at].operands[0])], [r.type for r in op.results], regions=n)

    def loop(k: int) -> list[Expr]:
        copied = copy_op(op, {})
        choice = copied.regions[1].blocks[0].operations[at].operation
        with choice.location, ir.InsertionPoint(choice):
            values = _inlined(_block(choice, k))
        for r, v in zip(choice.results, values, strict=True):
            r.replace_all_uses_with(v.value)
        choice.erase()
        return E.exprs(copied.results)

    for k in range(n):
        E.fill(made.regions[k], [], lambda k=k: loop(k))
    return E.exprs(made.results)


_BRANCHES = ("stablehlo.if", "stablehlo.case")


def _is_from_outside(value: ir.Value, loop: ir.Operation) -> bool:
    owner = value.owner
    block = owner if isinstance(owner, ir.Block) else owner.operation.block
    return block != loop.regions[1].blocks[0]


def _size_of(op: ir.Operation) -> int:
    """How many ops an op holds, at any depth."""
    inner = [view.operation for r in op.regions for b in r.blocks for view in b.operations]
    return len(inner) + sum(_size_of(o) for o in inner if len(o.regions))
