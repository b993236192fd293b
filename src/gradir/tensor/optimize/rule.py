"""What a rewrite is, and the table of all of them.

There are two ways to write one down. Where a formula says it all, it is a row: `row("sub_neg", "x - -y", "x + y")`.
Where attributes decide, it is a function under `@rule`, whose parameters are the names in its pattern: it gives what
takes the op's place, or None if it does not apply. It decides before it emits.
"""

from __future__ import annotations

import ast
import inspect
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np
from jaxlib.mlir import ir

from gradir.tensor import expr as E
from gradir.tensor.expr import Expr
from gradir.tensor.optimize.pattern import OPERATORS, Bound, Node, op_name, orders, parse
from gradir.tensor.optimize.reading import dtype

if TYPE_CHECKING:
    from gradir.tensor.optimize.driver import Driver

Replacement = Expr | Sequence[Expr] | None
Apply = Callable[..., Replacement]

KINDS = {
    "float": frozenset({"float"}),
    "complex": frozenset({"complex"}),
    "int": frozenset({"int"}),
    "bool": frozenset({"bool"}),
    "inexact": frozenset({"float", "complex"}),
    "real": frozenset({"float", "int"}),
    "number": frozenset({"float", "complex", "int"}),
    "bits": frozenset({"int", "bool"}),
    "any": frozenset({"float", "complex", "int", "bool"}),
}

PHASES = ("clean", "up", "down")
"""Cleaning is always worth it. What makes values smaller moves up to where they are made; what is left moves down."""


@dataclass(frozen=True, eq=False)
class Rewrite:
    """One rule."""

    name: str
    family: str
    pattern: Node
    formula: str
    apply: Apply
    kinds: frozenset[str]
    phase: str = "clean"
    rounds: bool = False
    """Whether it may change the rounding (it reassociates). The others give the very same numbers."""
    fast_math: bool = False
    """Whether it holds for ordinary numbers alone: not for infinities, or what is not a number."""
    kinks: bool = False
    """Whether it may change the derivative where there is none (at ties and corners): it is not for what is still to be
    differentiated."""
    gated: bool = False
    """Whether it is a matter of cost: it fires if the estimate falls."""
    operands: frozenset[str] | None = None
    """What all operands must be made by, constants aside, where the pattern leaves that open."""
    when: Callable[[ir.Operation], bool] | None = None
    """A quick look at the op that shows most ops to be out of the question."""
    variants: tuple[Node, ...] = field(default=())
    wants: tuple[str, ...] = ()

    def __repr__(self) -> str:
        return f"<{self.family}/{self.name}: {self.formula}>"


RULES: dict[str, Rewrite] = {}


class Family:
    """A room for rules: `algebra = Family("algebra")`, then `algebra.row(…)` and `@algebra.rule(…)`."""

    def __init__(self, name: str, about: str) -> None:
        self.name, self.about = name, about
        FAMILIES[name] = self

    def row(self, name: str, left: str, right: str, kinds: str = "any", **options: Any) -> None:
        """A rule that is a formula on both sides. Constants on the right are computed when it is applied."""
        _add(Rewrite(name, self.name, _node(left), f"{left} -> {right}", _formula(right), KINDS[kinds], **options))

    def rule(self, left: str, kinds: str = "any", **options: Any) -> Callable[[Apply], Apply]:
        """A rule that is a function; its name is the rule's, and the first line of its docstring says what it does."""

        def add(apply: Apply) -> Apply:
            name = options.pop("name", None) or apply.__name__.strip("_")
            if "operands" in options:
                options["operands"] = frozenset(map(op_name, options["operands"]))
            about = (apply.__doc__ or "").strip().partition("\n")[0].rstrip(".")
            _add(Rewrite(name, self.name, _node(left), about or left, apply, KINDS[kinds], **options))
            return apply

        return add


FAMILIES: dict[str, Family] = {}


def _node(text: str) -> Node:
    pattern = parse(text)
    assert isinstance(pattern, Node), f"a rule is about an op: {text}"
    return pattern


def _add(rewrite: Rewrite) -> None:
    assert rewrite.name not in RULES, f"two rules are called {rewrite.name}"
    assert rewrite.phase in PHASES, rewrite.phase
    object.__setattr__(rewrite, "variants", tuple(p for p in orders(rewrite.pattern) if isinstance(p, Node)))
    object.__setattr__(rewrite, "wants", tuple(inspect.signature(rewrite.apply).parameters))
    RULES[rewrite.name] = rewrite


def arguments(rewrite: Rewrite, op: ir.Operation, env: dict[str, Bound], driver: Driver) -> list[Any]:
    """What a rule's function asks for, by name."""
    given: list[Any] = []
    for name in rewrite.wants:
        if name == "op":
            given.append(op)
        elif name == "driver":
            given.append(driver)
        elif name == "env":
            given.append(env)
        else:
            value = env[name]
            if isinstance(value, ir.Value):
                given.append(Expr(value))
            else:
                given.append(E.exprs(value) if isinstance(value, list) else value)
    return given


def again(op: ir.Operation, operands: Sequence[Expr], shape: Sequence[int] | None = None) -> Expr:
    """The same elementwise op on other operands, which may have another shape."""
    shape = operands[-1].shape if shape is None else shape
    t = E.tensor(shape, op.results[0].type.element_type)
    return E.op(op.name, *operands, result=t, **dict(op.attributes.items()))


# -- the right side of a row -----------------------------------------------------------------------------------------


class Declined(Exception):
    """A constant on the right side came out infinite or zero where the left side's were not."""


def _formula(text: str) -> Apply:
    tree = ast.parse(text, mode="eval").body

    def apply(op: ir.Operation, env: dict[str, Bound]) -> Expr | None:
        result = op.results[0].type
        of = dtype(result.element_type)
        if of is None and any(not isinstance(v, (ir.Value, ir.Operation, list)) for v in env.values()):
            return None  # constants of a type that NumPy has not
        with np.errstate(all="ignore"):
            try:
                made = _emit(tree, env, of)
                if isinstance(made, Expr):  # an absolute value is real, what it is of may be complex
                    return made if made.type == result else None
                return E.full(result, _plain(made))
            except Declined:
                return None

    return apply


def _plain(number: Any) -> Any:
    return number.item() if hasattr(number, "item") else number


def _emit(tree: ast.expr, env: dict[str, Bound], of: Any) -> Any:
    """An expression's value: emitted if it depends on the program's, computed if it is constant."""
    match tree:
        case ast.Constant(value=number):
            return of(number) if of is not None else number
        case ast.Name(id=name):
            if name in ("inf", "nan"):
                return of(float(name))
            bound = env[name]
            if isinstance(bound, ir.Value):
                return Expr(bound)
            return of(bound) if of is not None else bound
        case ast.BinOp(left=left, op=operator, right=right):
            return _apply(OPERATORS[type(operator)], [_emit(left, env, of), _emit(right, env, of)], of)
        case ast.UnaryOp(op=operator, operand=operand):
            return _apply(OPERATORS[type(operator)], [_emit(operand, env, of)], of)
        case ast.Call(func=ast.Name(id=name), args=operands):
            return _apply(name, [_emit(o, env, of) for o in operands], of)
    raise ValueError(f"not a formula: {ast.unparse(tree)}")


def _apply(name: str, operands: list[Any], of: Any) -> Any:
    if any(isinstance(o, Expr) for o in operands):
        chosen = name in ("where", "select")
        like = next((o for o in operands[chosen:] if isinstance(o, Expr)), operands[0])
        if not chosen and any(isinstance(o, Expr) and o.shape != like.shape for o in operands):
            raise Declined  # a select may have one predicate for all
        return E.op(op_name(name), *(o if isinstance(o, Expr) else _full(like, o) for o in operands))
    made = _compute(name)(*operands)
    made = made if of is None else of(made)
    if of is not None and np.issubdtype(of, np.inexact) and not (np.isfinite(made) and made != 0):
        raise Declined
    return made


def _full(like: Expr, number: Any) -> Expr:
    number = _plain(number)
    return E.full_like(like, number.real if isinstance(number, complex) and not E.is_complex(like.dtype) else number)


@cache
def _compute(name: str) -> Callable[..., Any]:
    return getattr(np, {"negate": "negative", "not": "bitwise_not"}.get(name, name))
