"""Arrays without elements: what is made of one and has elements is known at once.

An op whose result is empty is left alone (`reading.kind` does not know such types, so no rule matches it): it costs
nothing, and goes when nothing is made of it any more. What is left are the few ops here, of something from nothing.
They come before all other rules, which so never see an operand without elements beside a result that has some.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from jaxlib.mlir import ir

from gradir.tensor.analysis.computation import is_neutral, single_op
from gradir.tensor.ir import expr as E
from gradir.tensor.ir.expr import Expr
from gradir.tensor.ir.reading import integer
from gradir.tensor.optimize.rule import Family

empty = Family("empty", "what is made of arrays without elements")
rule = empty.rule


def without_elements(*places: int) -> Callable[[ir.Operation], bool]:
    """Whether one of the operands at these places is empty."""
    return lambda op: any(0 in op.operands[k].type.shape for k in places)


def _everywhere(op: ir.Operation, values: Sequence[Expr]) -> list[Expr]:
    """A scalar for each result, at all its elements."""
    return [E.broadcast(v, r.type.shape, []) for v, r in zip(values, op.results, strict=True)]


@rule("reduce(*xs)", when=without_elements(0))
def reduce_empty(op: ir.Operation, xs: list[Expr]) -> list[Expr]:
    """A reduction of nothing is its initial value."""
    return _everywhere(op, xs[len(xs) // 2 :])


@rule("reduce_window(x, init)", when=without_elements(0))
def reduce_window_empty(op: ir.Operation, init: Expr) -> list[Expr] | None:
    """Windows on padding alone hold the initial value, if that changes nothing when it is combined with itself."""
    name = single_op(op.regions[0])
    return _everywhere(op, [init]) if name is not None and is_neutral(name, init.value) else None


@rule("select_and_scatter(x, source, init)", when=without_elements(1))
def select_and_scatter_empty(op: ir.Operation, init: Expr) -> list[Expr]:
    """Where no window sends anything, the initial value stands."""
    return _everywhere(op, [init])


@rule("pad(x, v)", when=without_elements(0))
def pad_empty(op: ir.Operation, v: Expr) -> list[Expr]:
    """Padding around nothing is nothing but padding."""
    return _everywhere(op, [v])


@rule("concatenate(*xs)", when=lambda op: without_elements(*range(len(op.operands)))(op))
def concatenate_empty(op: ir.Operation, xs: list[Expr]) -> Expr:
    """Pieces that have no elements go."""
    dim = integer(op, "dimension")
    return E.concatenate([x for x in xs if x.shape[dim]], dim)


def _zero(op: ir.Operation) -> Expr:
    """A sum over nothing is 0."""
    return E.full(op.results[0].type, 0)


for _name in ("dot", "convolution"):
    rule(f"{_name}(x, y)", name=f"{_name}_empty", when=without_elements(0, 1))(_zero)


@rule("scatter(*xs)", when=lambda op: without_elements(len(op.operands) - 1)(op))
def scatter_empty(op: ir.Operation, xs: list[Expr]) -> list[Expr]:
    """Where nothing is scattered, all stays."""
    return xs[: len(op.results)]


@rule("dynamic_update_slice(*xs)", when=without_elements(1))
def update_empty(op: ir.Operation, xs: list[Expr]) -> Expr:
    """An update by nothing changes nothing."""
    return xs[0]
