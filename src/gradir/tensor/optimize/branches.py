"""Branches: `if` and `case` whose choice is known, or whose branches share something."""

from __future__ import annotations

from jaxlib.mlir import ir

from gradir.tensor import expr as E
from gradir.tensor.activity import terminator
from gradir.tensor.dead import has_effect
from gradir.tensor.expr import Expr
from gradir.tensor.optimize.cost import CPU, total
from gradir.tensor.optimize.driver import CONTROL, Driver
from gradir.tensor.optimize.reading import is_used, splat_of
from gradir.tensor.optimize.rule import Family
from gradir.tensor.rules.rule import copy_op

branches = Family("branches", "if and case")
rule = branches.rule

CHEAP = 300
"""Nanoseconds that computing both branches may take, rather than choosing one."""


def _inlined(block: ir.Block) -> list[Expr]:
    """A branch's ops, here, and what it returns."""
    env: dict[ir.Value, ir.Value] = {}
    last = terminator(block)
    for view in block.operations:
        if view.operation != last:
            copy_op(view.operation, env)
    return [Expr(env.get(v, v)) for v in last.operands]


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


def _hands_on(op: ir.Operation, p: Expr, driver: Driver) -> list[Expr] | None:
    first, second = (terminator(_block(op, k)).operands for k in (0, 1))
    changed = False
    for r, a, b in zip(op.results, first, second, strict=True):
        outside = all(_is_outside(v, op) for v in (a, b))
        if not is_used(r) or not outside or not isinstance(r.type, ir.RankedTensorType):
            continue
        driver.push_users(r)
        r.replace_all_uses_with(a if a == b else E.select(p, Expr(a), Expr(b)).value)
        changed = True
    return E.exprs(op.results) if changed else None


def _is_outside(value: ir.Value, op: ir.Operation) -> bool:
    """Whether a value is made outside of an op."""
    owner = value.owner
    block = owner if isinstance(owner, ir.Block) else owner.operation.block
    return all(block != _block(op, k) for k in range(len(op.regions)))


@rule("if_(p)", kinks=True)
def if_is_select(op: ir.Operation, p: Expr) -> list[Expr] | None:
    """An if of cheap branches is a select: both are computed, and nothing has to wait for the choice.

    Not before it is differentiated: the branch that is not taken may have an infinite derivative.
    """
    ops = [view.operation for k in (0, 1) for view in _block(op, k).operations]
    if any(o.name in CONTROL or o.name == "func.call" for o in ops) or has_effect(op) or not p.type.has_static_shape:
        return None
    if any(o.name in ("stablehlo.divide", "stablehlo.remainder") and not E.is_differentiable(o.results[0].type)
           for o in ops):  # fmt: skip
        return None
    if not all(isinstance(r.type, ir.RankedTensorType) and r.type.has_static_shape for r in op.results):
        return None
    if total(ops).on(CPU) > CHEAP or sum(E.size(r.type.shape) for r in op.results) > 64:
        return None
    a, b = _inlined(_block(op, 0)), _inlined(_block(op, 1))
    return [E.select(p, x, y) for x, y in zip(a, b, strict=True)]


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
    known: dict[str, ir.Operation] = {}
    for view in _block(op, 0).operations:
        o = view.operation
        if _may_leave(o, op):
            known[_form(o)] = o
    for view in _block(op, 1).operations:
        o = view.operation
        twin = known.get(_form(o)) if _may_leave(o, op) else None
        if twin is not None and list(twin.operands) == list(o.operands) and twin.results[0].type == o.results[0].type:
            twin.move_before(op)
            driver.push_users(o.results[0])
            o.results[0].replace_all_uses_with(twin.results[0])
            driver.erase(o)
            return E.exprs(op.results)
    return None


def _may_leave(o: ir.Operation, op: ir.Operation) -> bool:
    return (
        o.name.startswith(("stablehlo.", "chlo."))
        and len(o.results) == 1
        and not len(o.regions)
        and o.name not in ("stablehlo.constant", "stablehlo.rng", "stablehlo.custom_call")
        and all(_is_outside(v, op) for v in o.operands)
    )


def _form(op: ir.Operation) -> str:
    return op.name + str(sorted((k, str(v)) for k, v in op.attributes.items()))
