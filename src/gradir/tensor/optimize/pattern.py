"""Patterns: the left side of a rule, written as the formula it matches.

A pattern is a Python expression. Calls are ops (`tanh(x)`, `dot_general(x, y)`), operators are the ops they stand for,
numbers are constants that hold that number everywhere (0 is not -0). Capitals (`C`, `C1`) are such constants, too, of
any number (but neither infinite nor a float zero); other names are any value, and the same name twice is the same value
twice.
`t := transpose(x)` names an op, for a rule that wants its attributes. `*xs` stands for all operands of an op that takes
any number of them. `unary`, `binary` and `elementwise` stand for any op of that class.

Addition, multiplication and their kind match in both orders. (Of a constant and another operand, the driver sees to it
that the constant stands on the right.)
"""

from __future__ import annotations

import ast
import itertools
import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from typing import TypeAlias

from jaxlib.mlir import ir

from gradir.tensor.ir.reading import maker, number_in

Number = int | float | complex | bool
Bound: TypeAlias = ir.Value | ir.Operation | Number | list[ir.Value]


@dataclass(frozen=True)
class Any:
    """Any value; the same one wherever the name stands."""

    name: str


@dataclass(frozen=True)
class Splat:
    """A constant with one number everywhere: this number, or any, which then has a name."""

    name: str | None
    number: Number | None = None
    minus: bool = False
    """Whether a 0 is -0."""


@dataclass(frozen=True)
class Rest:
    """All further operands of an op."""

    name: str


@dataclass(frozen=True)
class Node:
    """The result of an op."""

    op: str
    operands: tuple[Pattern, ...]
    name: str | None = None

    @property
    def rest(self) -> str | None:
        """What operands after the first are called, of which there may be any number."""
        last = self.operands[-1] if self.operands else None
        return last.name if isinstance(last, Rest) else None

    @property
    def first(self) -> tuple[Pattern, ...]:
        """The operands that there must be."""
        return self.operands if self.rest is None else self.operands[:-1]


Pattern: TypeAlias = Any | Splat | Rest | Node

NAMES = {
    "exp": "exponential",
    "expm1": "exponential_minus_one",
    "log1p": "log_plus_one",
    "sin": "sine",
    "cos": "cosine",
    "neg": "negate",
    "not_": "not",
    "and_": "and",
    "or_": "or",
    "if_": "if",
    "while_": "while",
    "where": "select",
    "broadcast": "broadcast_in_dim",
    "dot": "dot_general",
}
OPERATORS: dict[type[ast.AST], str] = {
    ast.Add: "add",
    ast.Sub: "subtract",
    ast.Mult: "multiply",
    ast.Div: "divide",
    ast.Mod: "remainder",
    ast.Pow: "power",
    ast.USub: "negate",
    ast.Invert: "not",
    ast.BitAnd: "and",
    ast.BitOr: "or",
    ast.BitXor: "xor",
}
UNARY = frozenset(
    f"stablehlo.{n}"
    for n in (
        "abs", "cbrt", "ceil", "cosine", "exponential", "exponential_minus_one", "floor", "log", "log_plus_one",
        "logistic", "negate", "not", "round_nearest_even", "rsqrt", "sign", "sine", "sqrt", "tan", "tanh", "convert",
        "is_finite", "real", "imag",
    )
)  # fmt: skip
BINARY = frozenset(
    f"stablehlo.{n}"
    for n in (
        "add", "atan2", "divide", "maximum", "minimum", "multiply", "power", "remainder", "subtract", "and", "or",
        "xor", "compare", "complex",
    )
)  # fmt: skip
CLASSES = {
    "stablehlo.unary": UNARY,
    "stablehlo.binary": BINARY,
    "stablehlo.elementwise": UNARY | BINARY | {"stablehlo.select"},
}
COMMUTATIVE = frozenset(f"stablehlo.{n}" for n in ("add", "multiply", "maximum", "minimum", "and", "or", "xor"))


def op_name(short: str) -> str:
    """`exp` and `exponential` are `stablehlo.exponential`; `chlo_erf` is `chlo.erf`."""
    for dialect in ("chlo", "func", "enzyme"):
        if short.startswith(f"{dialect}_"):
            return f"{dialect}.{short.removeprefix(f'{dialect}_')}"
    return f"stablehlo.{NAMES.get(short, short)}"


def is_constant_name(name: str) -> bool:
    """Whether a name in a formula stands for a constant: those in capitals do."""
    return name[0].isupper()


@cache
def parse(text: str) -> Pattern:
    """The pattern that a text stands for.

    >>> parse("x + 0")
    Node(op='stablehlo.add', operands=(Any(name='x'), Splat(name=None, number=0, minus=False)), name=None)
    """
    return _pattern(ast.parse(text, mode="eval").body)


def _pattern(tree: ast.expr, name: str | None = None) -> Pattern:
    match tree:
        case ast.NamedExpr(target=ast.Name(id=given), value=inner):
            return _pattern(inner, given)
        case ast.Constant(value=bool() | int() | float() | complex() as number):
            return Splat(None, number)
        case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=int() | float() as number)):
            return Splat(None, -number, number == 0)
        case ast.UnaryOp(op=ast.USub(), operand=ast.Name(id="inf")):
            return Splat(None, float("-inf"))
        case ast.Name(id=given):
            if given in ("inf", "nan"):
                return Splat(None, float(given))
            return Splat(given) if is_constant_name(given) else Any(given)
        case ast.Starred(value=ast.Name(id=given)):
            return Rest(given)
        case ast.Call(func=ast.Name(id=op), args=operands):
            return Node(op_name(op), tuple(map(_pattern, operands)), name)
        case ast.BinOp(left=left, op=operator, right=right):
            return Node(op_name(OPERATORS[type(operator)]), (_pattern(left), _pattern(right)), name)
        case ast.UnaryOp(op=operator, operand=operand):
            return Node(op_name(OPERATORS[type(operator)]), (_pattern(operand),), name)
    raise ValueError(f"not a pattern: {ast.unparse(tree)}")


def orders(pattern: Pattern) -> Iterator[Pattern]:
    """The pattern with the operands of commutative ops in every order, without those that match the same."""
    seen: set[Pattern] = set()
    for each in _orders(pattern):
        form = _anonymous(each)
        if form not in seen:
            seen.add(form)
            yield each


def _orders(pattern: Pattern) -> Iterator[Pattern]:
    if not isinstance(pattern, Node):
        yield pattern
        return
    for operands in itertools.product(*(list(_orders(o)) for o in pattern.operands)):
        swaps = pattern.op in COMMUTATIVE and len(operands) == 2
        constant = [isinstance(o, Splat) for o in operands]
        # The driver puts constants on the right.
        if not (swaps and constant == [True, False]):
            yield Node(pattern.op, operands, pattern.name)
        if swaps and constant != [False, True]:
            yield Node(pattern.op, operands[::-1], pattern.name)


def _anonymous(pattern: Pattern, names: dict[str, str] | None = None) -> Pattern:
    """The same pattern with names given by order of appearance: equal for patterns that match the same."""
    names = {} if names is None else names
    match pattern:
        case Any(name):
            return Any(names.setdefault(name, f"v{len(names)}"))
        case Splat(str() as name, number, _):
            return Splat(names.setdefault(name, f"C{len(names)}"), number)
        case Node(op, operands, name):
            # A name that a rule asks for makes a difference, unless the op is the same by its place.
            return Node(op, tuple(_anonymous(o, names) for o in operands), name)
    return pattern


@cache
def names_of(op: str) -> frozenset[str]:
    """The names of ops that a name in a pattern stands for."""
    return CLASSES.get(op) or frozenset({op})


Match = Callable[[ir.Value, ir.Operation | None, dict[str, Bound]], bool]
"""Whether a value (and the op that makes it, if the pattern looks at it) is what a pattern says."""
MatchOp = Callable[
    [ir.Operation, Sequence[ir.Value], Sequence[ir.Operation | None], dict[str, Bound]],
    bool,
]
"""Whether an op is, given its operands and what makes these."""


@cache
def matcher(pattern: Node) -> MatchOp:
    """A function that says whether an op of the right name is what a pattern says, and binds its names on the way."""
    name, parts, n, rest = pattern.name, _parts(pattern), len(pattern.first), pattern.rest

    def match(
        op: ir.Operation,
        operands: Sequence[ir.Value],
        makers: Sequence[ir.Operation | None],
        env: dict[str, Bound],
    ) -> bool:
        if len(operands) != n and (rest is None or len(operands) < n):
            return False
        for k, fits, _ in parts:
            if not fits(operands[k], makers[k], env):
                return False
        if rest is not None:
            env[rest] = list(operands)[n:]
        if name is not None:
            env[name] = op
        return True

    return match


def _parts(pattern: Node) -> list[tuple[int, Match, bool]]:
    """How to match each operand, and whether that takes a look at its maker.

    What can fail at a glance comes first: constants and ops before names.
    """
    parts = [(k, _match(p), not isinstance(p, Any)) for k, p in enumerate(pattern.first)]
    return sorted(parts, key=lambda part: _rank(pattern, part[0]))


def _rank(pattern: Node, k: int) -> int:
    operand = pattern.operands[k]
    return 2 if isinstance(operand, Any) else 1 if isinstance(operand, Node) else 0


def _match(pattern: Pattern) -> Match:
    if isinstance(pattern, Any):
        return _match_any(pattern.name)
    if isinstance(pattern, Splat):
        return _match_splat(pattern.name, pattern.number, pattern.minus)
    assert isinstance(pattern, Node)
    wanted, parts = names_of(pattern.op), _parts(pattern)
    n, name, rest = len(parts), pattern.name, pattern.rest

    def match(value: ir.Value, made: ir.Operation | None, env: dict[str, Bound]) -> bool:
        if made is None or made.name not in wanted:
            return False
        operands = made.operands
        if len(operands) != n and (rest is None or len(operands) < n):
            return False
        for k, fits, looks in parts:
            v = operands[k]
            if not fits(v, maker(v) if looks else None, env):
                return False
        if rest is not None:
            env[rest] = list(operands)[n:]
        if name is not None:
            env[name] = made
        return True

    return match


def _match_any(name: str) -> Match:
    def match(value: ir.Value, made: ir.Operation | None, env: dict[str, Bound]) -> bool:
        known = env.get(name)
        if known is None:
            env[name] = value
            return True
        return bool(known == value)

    return match


def _is_minus(zero: Number) -> bool:
    """Whether a zero is -0, or a part of it is."""
    z = complex(zero)
    return math.copysign(1, z.real) < 0 or math.copysign(1, z.imag) < 0


def _match_splat(name: str | None, number: Number | None, minus: bool) -> Match:
    def match_number(value: ir.Value, made: ir.Operation | None, env: dict[str, Bound]) -> bool:
        found = number_in(made)
        if found is None or number is None:
            return False
        if found == number:
            return found != 0 or _is_minus(found) == minus
        return number != number and found != found

    def match_name(value: ir.Value, made: ir.Operation | None, env: dict[str, Bound]) -> bool:
        assert name is not None
        found = number_in(made)
        if found is None or found - found != 0 or (found == 0 and isinstance(found, (float, complex))):
            return False  # infinities and zeros obey hardly any law
        return bool(env.setdefault(name, found) == found)

    return match_name if number is None else match_number
