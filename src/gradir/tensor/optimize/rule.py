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
from fractions import Fraction
from typing import Any

import ml_dtypes
import numpy as np
from jaxlib.mlir import ir

from gradir.tensor.analysis.cost import Device
from gradir.tensor.ir import expr as E
from gradir.tensor.ir.expr import Expr
from gradir.tensor.ir.reading import dtype
from gradir.tensor.optimize.effects import NONE, Effect
from gradir.tensor.optimize.pattern import OPERATORS, Bound, Node, is_constant_name, op_name, orders, parse

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

PHASES = ("clean", "up", "down", "last")
"""Cleaning is always worth it. What makes values smaller moves up to where they are made; what is left moves down. What
makes programs larger comes last, by itself."""


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
    effects: Effect = NONE
    """What it may change; without any, it gives the very same numbers."""
    gated: bool = False
    """Whether it is a matter of cost: it fires if the estimate falls."""
    operands: frozenset[str] | None = None
    """What all operands must be made by, constants aside, where the pattern leaves that open."""
    some: frozenset[str] | None = None
    """What at least one operand must be made by, where the pattern leaves that open."""
    when: Callable[[ir.Operation], bool] | None = None
    """A quick look at the op that shows most ops to be out of the question."""
    on: Device | None = None
    """The device that it pays on, where it is a matter of cost and pays on no other."""
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
            for names in ("operands", "some"):
                if names in options:
                    options[names] = frozenset(map(op_name, options[names]))
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


def arguments(rewrite: Rewrite, op: ir.Operation, env: dict[str, Bound], driver: object) -> list[Any]:
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
    """A constant on the right side came out of range, or with fewer digits than the left side's have."""


Emit = Callable[[dict[str, Bound], Sequence[Any]], Any]
"""Emits a part of a formula, given what its names are bound to and the numbers that were computed first."""
Compute = Callable[[dict[str, Bound], Any], Any]
"""Computes a part that is all constants, as a number of the element type; or declines."""


def _formula(text: str) -> Apply:
    """What a formula stands for: first its constants are computed, so that nothing is emitted if one is no good."""
    constants: list[Compute] = []
    emit = _emitter(ast.parse(text, mode="eval").body, constants)

    def apply(op: ir.Operation, env: dict[str, Bound]) -> Expr | None:
        result = op.results[0].type
        of = dtype(result.element_type)
        if of is None and any(not isinstance(v, (ir.Value, ir.Operation, list)) for v in env.values()):
            return None  # constants of a type that NumPy has not
        try:
            made = emit(env, [c(env, of) for c in constants])
        except Declined:
            return None
        if not isinstance(made, Expr):
            return E.full(result, _plain(made))
        return made if made.type == result else None  # an absolute value is real, what it is of may be complex

    return apply


def _plain(number: Any) -> Any:
    return number.item() if hasattr(number, "item") else number


def _emitter(tree: ast.expr, constants: list[Compute]) -> Emit:
    name, operands = _parts(tree)
    if not operands and not _is_constant(name):
        return lambda env, _: Expr(env[name])  # type: ignore[arg-type]
    if _is_constant(name) if not operands else all(map(_holds_constants, operands)):
        place = len(constants)
        constants.append(_computer(tree))
        return lambda _, computed: computed[place]
    emitters = [_emitter(o, constants) for o in operands]
    full_name, chosen = op_name(str(name)), name in ("where", "select")

    def emit(env: dict[str, Bound], computed: Sequence[Any]) -> Expr:
        parts = [e(env, computed) for e in emitters]
        like = next((p for p in parts[chosen:] if isinstance(p, Expr)), parts[0])
        if not chosen and any(isinstance(p, Expr) and p is not like and p.shape != like.shape for p in parts):
            raise Declined  # a select may have one predicate for all
        return E.op(full_name, *(p if isinstance(p, Expr) else _full(like, p) for p in parts))

    return emit


def _parts(tree: ast.expr) -> tuple[Any, list[ast.expr]]:
    """An op's name and operands; or a name or a number, and nothing."""
    match tree:
        case ast.Constant(value=number):
            return number, []
        case ast.Name(id=name):
            return float(name) if name in ("inf", "nan") else name, []
        case ast.BinOp(left=left, op=operator, right=right):
            return OPERATORS[type(operator)], [left, right]
        case ast.UnaryOp(op=operator, operand=operand):
            return OPERATORS[type(operator)], [operand]
        case ast.Call(func=ast.Name(id=name), args=operands):
            return name, operands
    raise ValueError(f"not a formula: {ast.unparse(tree)}")


def _is_constant(leaf: Any) -> bool:
    return not isinstance(leaf, str) or is_constant_name(leaf)


def _holds_constants(tree: ast.expr) -> bool:
    name, operands = _parts(tree)
    return all(map(_holds_constants, operands)) if operands else _is_constant(name)


def _computer(tree: ast.expr) -> Compute:
    name, operands = _parts(tree)
    if not operands:
        read = (lambda env: env[name]) if isinstance(name, str) else (lambda _: name)
        return lambda env, of: read(env) if of is None else of(read(env))
    function = getattr(np, {"negate": "negative", "not": "bitwise_not"}.get(name, name))
    computers = [_computer(o) for o in operands]

    def compute(env: dict[str, Bound], of: Any) -> Any:
        with np.errstate(all="ignore"):
            given = [c(env, of) for c in computers]
            made = function(*given)
        made = made if of is None else of(made)
        if of is None or np.dtype(of).kind in "biu":
            return made
        if not is_normal(made, of) or (name in ("add", "subtract") and _loses_digits(made, given)):
            raise Declined
        return made

    return compute


def is_normal(number: Any, of: Any) -> bool:
    """Whether a number of a NumPy type is neither 0 nor infinite, and large enough to have all its digits."""
    parts = of(0).real.dtype
    if parts.kind in "biu":
        return bool(number != 0)
    return bool(np.isfinite(number) and abs(number) >= ml_dtypes.finfo(parts).smallest_normal)


def _loses_digits(made: Any, given: Sequence[Any]) -> bool:
    """Whether a sum of constants is rounded by more than the last digits of what is added last.

    `(x - 1000) + 0.01` is 0.01 at 1000; with -999.99 in one step, rounded to f16, it would be 0.
    """
    if abs(made) <= 4 * min(map(abs, given)):
        return False
    parts = [[Fraction(float(part)) for part in (n.real, n.imag)] for n in (made, *given)]
    return any(abs(m) not in (abs(a + b), abs(a - b)) for m, a, b in zip(*parts, strict=True))


def _full(like: Expr, number: Any) -> Expr:
    number = _plain(number)
    return E.full_like(like, number.real if isinstance(number, complex) and not E.is_complex(like.dtype) else number)
