"""Making a formula short: every node is built anew by the operations of `algebra`, then given its usual name."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np

from gradir.formula import algebra
from gradir.formula.tree import Formula, Node, dtype_kind, make, nodes_of, number, numeric, size

__all__ = ["simplify"]


def simplify(formula: Formula) -> Formula:
    """The same formula, as short as it gets. Shapes of results stay."""
    try:
        short = _rebuilt(formula.results, _shortened)
        named = _rebuilt([short[r] for r in formula.results], _named)
    except RecursionError:  # two identities that undo each other: the long formula is right, too
        return formula
    return replace(formula, results=tuple(named[short[r]] for r in formula.results))


def _rebuilt(roots: Any, build: Callable[[Node, list[Node]], Node]) -> dict[Node, Node]:
    made: dict[Node, Node] = {}
    for node in nodes_of(roots):
        made[node] = build(node, [made[a] for a in node.args])
        assert made[node].shape == node.shape, f"{node} has become {made[node]}"
    return made


def _minus(x: Node) -> Node:
    return algebra.mul(number(-1, x.dtype), x)


def _inverse(x: Node) -> Node:
    return algebra.power(x, number(-1, x.dtype))


ARITHMETIC: dict[str, Callable[..., Node]] = {
    "add": algebra.add,
    "mul": algebra.mul,
    "neg": _minus,
    "sub": lambda x, y: algebra.add(x, _minus(y)),
    "div": lambda x, y: algebra.mul(x, _inverse(y)),
    "power": algebra.power,
    "rsqrt": lambda x: _inverse(algebra.unary("sqrt", x)),
    "where": algebra.where,
    "matmul": algebra.matmul,
}
"""The operations that algebra knows."""

ON_AXES: dict[str, Callable[..., Node]] = {
    "expand": algebra.expand,
    "squeeze": algebra.squeeze,
    "transpose": algebra.transpose,
    "index": algebra.index,
}
BINARY = {"maximum", "minimum", "atan2", "remainder", "quotient", "and", "or", "xor"}
REDUCTIONS = {"sum", "prod", "max", "min", "any", "all"}
LEAVES = {"variable", "number", "array"}
WHOLE = {"pad", "flip", "reshape", "einsum", "arange", "softmax", "logsumexp", "norm", "cumsum"}
"""What is neither elementwise nor taken apart."""


def _shortened(node: Node, args: list[Node]) -> Node:
    op = node.op
    if op == "array" and max(node.data, default=0) <= 0 and node.dtype != "i1":
        return _minus(make("array", (), node.shape, node.dtype, tuple(-v for v in node.data)))
    if op in LEAVES:
        return node
    if op in ARITHMETIC:
        return ARITHMETIC[op](*args)
    if op in ON_AXES:
        return ON_AXES[op](*args, node.data)
    if op == "broadcast":
        return algebra.broadcast(args[0], node.shape)
    if op in algebra.COMPARISONS:
        return algebra.compare(op, *args)
    if op in REDUCTIONS:
        return algebra.reduction(op, args[0], node.data)
    if op == "concat":
        return algebra.concat(args, node.data)
    if op in WHOLE:
        return make(op, args, node.shape, node.dtype, node.data)
    if op == "cast":
        return _cast(node, args[0])
    if op in BINARY:
        return algebra.elementwise(lambda *xs: _binary(op, *xs), *args)
    return algebra.unary(op, args[0])


KNOWN: dict[str, Callable[[Fraction, Fraction], Fraction]] = {"maximum": max, "minimum": min, "and": min, "or": max}
"""What two numbers make; truth values are 0 and 1."""


def _binary(op: str, x: Node, y: Node) -> Node:
    if op in ("maximum", "minimum") and (x.op == "number") > (y.op == "number"):
        x, y = y, x  # max(x, 0)
    if y is number(float("-inf" if op == "maximum" else "inf"), y.dtype) and op in ("maximum", "minimum"):
        return x
    if (a := numeric(x)) is not None and (b := numeric(y)) is not None and op in KNOWN:
        return number(KNOWN[op](a, b), x.dtype)
    return make(op, (x, y), np.broadcast_shapes(x.shape, y.shape), x.dtype)


def _cast(node: Node, x: Node) -> Node:
    """Another element type: of a condition, 1 where it holds; of whole numbers and floats, nothing that is written."""
    kinds = dtype_kind(x.dtype), dtype_kind(node.dtype)
    if kinds[0] == "bool":
        return algebra.where(x, number(1, node.dtype), number(0, node.dtype))
    if (value := numeric(x)) is not None:
        return number(Fraction(int(value)) if kinds[1] == "int" else value, node.dtype)
    if kinds == ("float", "float"):
        return x
    return algebra.elementwise(lambda y: make("cast", (y,), y.shape, node.dtype), x)


# -- Usual names -----------------------------------------------------------------------------------------------------


def _named(node: Node, args: list[Node]) -> Node:
    node = make(node.op, args, node.shape, node.dtype, node.data) if node.args else node
    if node.op == "mul":
        return _outer(_mean(node))
    if node.op == "concat" and all(a.shape == (1,) for a in node.args):
        return make("vector", [algebra.squeeze(a, (0,)) for a in node.args], node.shape, node.dtype)
    if node.op == "expand":
        return _kept(node.args[0], node) or node
    return node


def _kept(node: Node, expanded: Node) -> Node | None:
    """What is given new axes, computed with axes that are kept: `sqrt(sum(x, keepdims))`."""
    axes = expanded.data
    if node.op in KEPT and node.data == axes:
        return make("keep", (node,), expanded.shape, node.dtype, axes)
    if node.shape == ():
        return node if not node.args else None
    if node.op not in ELEMENTWISE:
        return None
    args = [_kept(a, expanded) if a.shape else a for a in node.args]
    return None if None in args else make(node.op, [a for a in args if a], expanded.shape, node.dtype, node.data)


ELEMENTWISE = {"add", "mul", "power", "sqrt", "exp", "log", "tanh", "sigmoid", "abs"}
KEPT = {"sum", "prod", "max", "min", "any", "all", "mean", "logsumexp"}
"""What leaves its axes with the length one if asked to."""


def _outer(node: Node) -> Node:
    """`x[:, None] * y` is the outer product of vectors, and that of columns is `x @ y.T`."""
    columns = [f for f in node.args if f.rank == 2 and f.shape[1] == 1 != f.shape[0]]
    rows = [f for f in node.args if f.rank == 1]
    if not columns or len(rows) != 1 or node.rank != 2:
        return node
    (row,) = rows
    rest = [f for f in node.args if f not in (*columns, row)]
    if row.op == "squeeze" and row.data == (1,):
        column = columns[0] if len(columns) == 1 else algebra.mul(*columns)
        other = row.args[0]
        turned = make("transpose", (other,), other.shape[::-1], other.dtype, (1, 0))
        made = make("matmul", (column, turned), (column.shape[0], row.shape[0]), node.dtype)
    elif len(columns) == 1 and columns[0].op == "expand" and not any(f.shape for f in rest):
        made = make("outer", (columns[0].args[0], row), node.shape, node.dtype)
    else:
        return node
    return make("mul", (*rest, made), node.shape, node.dtype) if rest else made


def _mean(node: Node) -> Node:
    """A sum by the number of its terms is their mean."""
    coefficient = numeric(node.args[0])
    if coefficient is None or coefficient.denominator == 1:
        return node
    for factor in node.args[1:]:
        total = factor.args[0] if factor.op == "keep" else factor
        if total.op != "sum":
            continue
        x = total.args[0]
        times = coefficient * size([x.shape[d] for d in total.data])
        if abs(times) == 1 or (abs(times) == 2 and abs(coefficient) != Fraction(1, 2)):
            mean = make("mean", (x,), total.shape, total.dtype, total.data)
            if total is not factor:
                mean = make("keep", (mean,), factor.shape, factor.dtype, factor.data)
            rest = [f for f in node.args[1:] if f is not factor]
            parts = [*([number(times, node.dtype)] if times != 1 else []), *rest, mean]
            return parts[0] if len(parts) == 1 else make("mul", parts, node.shape, node.dtype)
    return node
