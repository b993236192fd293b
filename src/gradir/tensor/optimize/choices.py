"""Select, compare, minimum, maximum and clamp."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from jaxlib.mlir import ir
from jaxlib.mlir.dialects import stablehlo as hlo

from gradir.tensor.analysis.known import integers
from gradir.tensor.analysis.spans import ALL, FLIP, SWAP, Span, decided, is_total
from gradir.tensor.ir import expr as E
from gradir.tensor.ir.expr import Expr
from gradir.tensor.ir.reading import direction, kind, made_by, maker, single_use, splat_of
from gradir.tensor.optimize.converts import has
from gradir.tensor.optimize.driver import Driver
from gradir.tensor.optimize.effects import FINITE, KINKS, ROUNDS, ZERO_SIGN
from gradir.tensor.optimize.pattern import BINARY, UNARY
from gradir.tensor.optimize.rule import Family, again

choices = Family("choices", "select, compare, minimum, maximum and clamp")
row, rule = choices.row, choices.rule

# -- select ------------------------------------------------------------------------------------------------------------

row("select_true", "where(True, x, y)", "x")
row("select_false", "where(False, x, y)", "y")
row("select_same", "where(p, x, x)", "x")
row("select_not", "where(~p, x, y)", "where(p, y, x)")
row("select_is_predicate", "where(p, True, False)", "p", "bool")
row("select_is_not", "where(p, False, True)", "~p", "bool")
row("select_and", "where(p, x, False)", "p & x", "bool")
row("select_or", "where(p, True, x)", "p | x", "bool")
row("select_and_not", "where(p, False, x)", "~p & x", "bool")
row("select_or_not", "where(p, x, True)", "~p | x", "bool")
row("select_or_self", "where(p, p, x)", "p | x", "bool")
row("select_and_self", "where(p, x, p)", "p & x", "bool")
row("select_select_true", "where(p, where(p, x, y), z)", "where(p, x, z)")
row("select_select_false", "where(p, x, where(p, y, z))", "where(p, x, z)")
row("select_select_or", "where(p, x, where(q, x, y))", "where(p | q, x, y)")
row("select_select_and", "where(p, where(q, x, y), y)", "where(p & q, x, y)")
row("select_of_implied", "where(p & q, where(p, x, y), z)", "where(p & q, x, z)")
row("select_of_implied_and", "where(p, where(p & q, x, y), z)", "where(p, where(q, x, y), z)")
row("select_of_excluded_or", "where(p, x, where(p | q, y, z))", "where(p, x, where(q, y, z))")
row("select_of_excluded", "where(p | q, x, where(p, y, z))", "where(p | q, x, z)")
row("add_selects", "where(p, x, 0) + where(p, 0, y)", "where(p, x, y)", "number", effects=ZERO_SIGN)
row("add_select_halves", "where(p, x, y) + where(p, y, x)", "x + y", "number")
row("add_select_zero_same", "where(p, x, 0) + where(p, y, 0)", "where(p, x + y, 0)", "number")
row("add_select_zero_same_else", "where(p, 0, x) + where(p, 0, y)", "where(p, 0, x + y)", "number")
row("sub_select_zero_same", "where(p, x, 0) - where(p, y, 0)", "where(p, x - y, 0)", "number")
row("sub_selects", "where(p, x, 0) - where(p, 0, y)", "where(p, x, -y)", "number", effects=ZERO_SIGN)
row("sub_selects_else", "where(p, 0, x) - where(p, y, 0)", "where(p, -y, x)", "number", effects=ZERO_SIGN)
row(
    "add_selects_to",
    "(a + where(p, x, 0)) + where(p, 0, y)",
    "a + where(p, x, y)",
    "number",
    effects=ROUNDS | ZERO_SIGN,
)
row("sub_selects_from", "(a - where(p, x, 0)) - where(p, 0, y)", "a - where(p, x, y)", "number", effects=ROUNDS)
# The derivatives of products and quotients need what their factors are kept from: 0 times it may not be a number.
row("mul_select_zero_same", "where(p, x, 0) * where(p, y, 0)", "where(p, x * y, 0)", "number", effects=KINKS)
row("mul_select_zero_same_else", "where(p, 0, x) * where(p, 0, y)", "where(p, 0, x * y)", "number", effects=KINKS)
row("div_select_safe", "where(p, x, 0) / where(p, y, 1)", "where(p, x / y, 0)", "float", effects=KINKS)
row("neg_select_zero", "-where(p, x, 0)", "where(p, -x, 0)", "number", phase="up", effects=ZERO_SIGN)
row("neg_select_zero_else", "-where(p, 0, x)", "where(p, 0, -x)", "number", phase="up", effects=ZERO_SIGN)
row("mul_selects", "where(p, x, 1) * where(p, 1, y)", "where(p, x, y)", "number")
row("select_zero_mul_const", "where(p, x, 0) * C", "where(p, x * C, 0)", "float", phase="up", effects=ZERO_SIGN)
row("select_zero_mul_const_else", "where(p, 0, x) * C", "where(p, 0, x * C)", "float", phase="up", effects=ZERO_SIGN)
row("mul_select_zero", "where(p, x, 0) * y", "where(p, x * y, 0)", "float", effects=FINITE, phase="up")


@rule("where(p, x, 0)", "inexact")
def select_of_zeroed(op: ir.Operation, p: Expr, x: Expr) -> Expr | None:
    """select(p, select(p, x, _), 0) is select(p, x, 0), also through a negation."""
    n = made_by(x, "negate")
    inner = made_by(n.operands[0], "select") if n is not None else None
    if inner is None or inner.operands[0] != p.value:
        return None
    return E.select(p, -Expr(inner.operands[1]), 0)


def _branch_makers(op: ir.Operation) -> list[ir.Operation | None]:
    return [maker(v) for v in list(op.operands)[1:]]


def _of_dependent(op: ir.Operation, p: Expr, x: Expr, y: Expr, names: frozenset[str]) -> Expr | None:
    for truth, branch in ((True, x), (False, y)):
        f = maker(branch.value)
        if f is None or f.name not in names or not single_use(branch.value):
            continue
        given = [_given(v, p, truth) for v in f.operands]
        if any(g is not None for g in given):
            made = again(f, [Expr(v) if g is None else g for g, v in zip(given, f.operands, strict=True)])
            return E.select(p, made, y) if truth else E.select(p, x, made)
    return None


_ELEMENTWISE = UNARY | BINARY - {"stablehlo.compare"}
_LINEAR = frozenset(f"stablehlo.{n}" for n in ("negate", "add", "subtract", "convert", "real", "imag", "complex"))


@rule("where(p, x, y)", when=lambda op: any(f is not None and f.name in _LINEAR for f in _branch_makers(op)))
def select_of_dependent(op: ir.Operation, p: Expr, x: Expr, y: Expr) -> Expr | None:
    """select(p, select(p, x, _) + y, z) -> select(p, x + y, z), on both sides: where it counts, it is known."""
    return _of_dependent(op, p, x, y, _LINEAR)


@rule("where(p, x, y)", effects=KINKS, when=lambda op: any(f is not None for f in _branch_makers(op)))
def select_of_dependent_function(op: ir.Operation, p: Expr, x: Expr, y: Expr) -> Expr | None:
    """select(p, f(select(p, x, _)), z) -> select(p, f(x), z). (The derivative of f may need what it is kept from.)"""
    return _of_dependent(op, p, x, y, _ELEMENTWISE)


def _given(value: ir.Value, p: Expr, truth: bool) -> Expr | None:
    """What a value is where p is true (or false), if it is chosen by p, or made of it."""
    op = maker(value)
    if op is None or not len(op.operands) or op.operands[0] != p.value:
        return None
    if op.name == "stablehlo.select":
        return Expr(op.operands[1 if truth else 2])
    return E.full(value.type, truth) if op.name == "stablehlo.convert" and kind(value.type) != "complex" else None


@rule("where(p, convert(p), x)")
def select_of_own_number(op: ir.Operation, p: Expr, x: Expr) -> Expr | None:
    """select(p, convert(p), x) -> select(p, 1, x)."""
    return E.select(p, E.full(op.results[0].type, 1), x) if kind(x.type) != "complex" else None


@rule("where(p, x, convert(p))")
def select_of_own_number_else(op: ir.Operation, p: Expr, x: Expr) -> Expr | None:
    """select(p, x, convert(p)) -> select(p, x, 0)."""
    return E.select(p, x, E.full(op.results[0].type, 0)) if kind(x.type) != "complex" else None


# -- compare -----------------------------------------------------------------------------------------------------------


def _compare(op: ir.Operation, to: str, x: Expr, y: Expr) -> Expr:
    attributes = dict(op.attributes.items())
    attributes["comparison_direction"] = hlo.ComparisonDirectionAttr.get(to)
    if kind(op.operands[0].type) != kind(x.type):
        attributes.pop("compare_type", None)
    return E.op("stablehlo.compare", x, y, **attributes)


def _ordered(x: Expr, y: Expr, driver: Driver) -> bool:
    """Whether one of two is always less, or they are equal: there is nothing that is not a number."""
    if kind(x.type) in ("int", "bool"):
        return True
    return kind(x.type) == "float" and driver.facts.no_nan(x) and driver.facts.no_nan(y)


@rule("compare(x, y)", "bool")
def compare_known(op: ir.Operation, x: Expr, y: Expr, driver: Driver) -> Expr | None:
    """A comparison that is decided by the bounds of what it compares is a constant."""
    if kind(x.type) not in ("int", "float") or is_total(op):
        return None
    a = driver.facts.span(x)
    if a == ALL and splat_of(y.value) is None:
        return None
    known = decided(direction(op), a, driver.facts.span(y))
    return None if known is None else E.full(op.results[0].type, known)


@rule("compare(x, x)", "bool")
def compare_self(op: ir.Operation, x: Expr, driver: Driver) -> Expr | None:
    """x == x is true, x < x false, if x is a number."""
    to = direction(op)
    if to in ("LT", "GT") or kind(x.type) in ("int", "bool") or (kind(x.type) == "float" and driver.facts.no_nan(x)):
        return E.full(op.results[0].type, to in ("EQ", "LE", "GE"))
    return None


@rule("~compare(x, y)", "bool", name="not_compare")
def not_compare(op: ir.Operation, x: Expr, y: Expr, driver: Driver) -> Expr | None:
    """not (x < y) -> x >= y, where both are numbers; not (x == y) -> x != y in any case."""
    inner = op.operands[0].owner.operation
    to = direction(inner)
    return _compare(inner, FLIP[to], x, y) if to in ("EQ", "NE") or _ordered(x, y, driver) else None


@rule("compare(x, y)", "bool", when=lambda op: made_by(op.operands[0], "constant") is not None)
def compare_const_right(op: ir.Operation, x: Expr, y: Expr) -> Expr | None:
    """c < x -> x > c."""
    return None if made_by(y, "constant") is not None else _compare(op, SWAP[direction(op)], y, x)


@rule("compare(x, y)", "bool", when=lambda op: direction(op) in ("GT", "GE"))
def compare_is_less(op: ir.Operation, x: Expr, y: Expr) -> Expr | None:
    """x > y -> y < x, so that equal comparisons look equal; but constants stay on the right."""
    return None if made_by(y, "constant") is not None else _compare(op, SWAP[direction(op)], y, x)


@rule("compare(x, y)", "bool", when=lambda op: direction(op) in ("EQ", "NE"))
def compare_like_twin(op: ir.Operation, x: Expr, y: Expr) -> Expr | None:
    """x == y -> y == x, where these are compared the other way round already, and nowhere else this way."""
    users = [use.owner.operation for use in itertools.islice(y.value.uses, 16)]
    orders = [tuple(u.operands) for u in users if u.name == op.name and u != op]
    swaps = (y.value, x.value) in orders and (x.value, y.value) not in orders
    return _compare(op, direction(op), y, x) if swaps and x.value != y.value else None


@rule("compare(x + C, y)", "bool", when=lambda op: direction(op) not in ("EQ", "NE"))
def compare_off_by_one(op: ir.Operation, x: Expr, y: Expr, C: int, driver: Driver) -> Expr | None:
    """x - 1 < y -> x <= y for integers that don't overflow, and the like."""
    to = {(-1, "LT"): "LE", (-1, "GE"): "GT", (1, "LE"): "LT", (1, "GT"): "GE"}.get((C, direction(op)))
    if to is None or kind(x.type) != "int":
        return None
    low, high = driver.facts.bounds(x)
    return _compare(op, to, x, y) if has(x.dtype, low + C, high + C) else None


@rule("compare(x, y + C)", "bool", when=lambda op: direction(op) not in ("EQ", "NE"))
def compare_off_by_one_right(op: ir.Operation, x: Expr, y: Expr, C: int, driver: Driver) -> Expr | None:
    """x < y + 1 -> x <= y for integers that don't overflow, and the like."""
    to = {(1, "LT"): "LE", (1, "GE"): "GT", (-1, "LE"): "LT", (-1, "GT"): "GE"}.get((C, direction(op)))
    if to is None or kind(x.type) != "int":
        return None
    low, high = driver.facts.bounds(y)
    return _compare(op, to, x, y) if has(x.dtype, low + C, high + C) else None


@rule("where(compare(x, y), u, v)")
def select_by_less(op: ir.Operation, x: Expr, y: Expr, u: Expr, v: Expr, driver: Driver) -> Expr | None:
    """select(x != y, u, v) -> select(x == y, v, u), and x >= y as x < y where both are numbers."""
    inner = op.operands[0].owner.operation
    to = direction(inner)
    if to not in ("NE", "LE", "GE") or not _only_chooses(inner.results[0]) or is_total(inner):
        return None
    if to != "NE" and not _ordered(x, y, driver):
        return None
    return E.select(_compare(inner, FLIP[to], x, y), v, u)


def _only_chooses(p: ir.Value) -> bool:
    """Whether a truth value is used as a predicate only."""
    users = (use.owner.operation for use in p.uses)
    return all(u.name == "stablehlo.select" and list(u.operands).count(p) == 1 and u.operands[0] == p for u in users)


@rule("compare(-x, -y)", "bool")
def compare_negated(op: ir.Operation, x: Expr, y: Expr, driver: Driver) -> Expr | None:
    """-x < -y -> x > y, for integers if the least one is not among them."""
    return _compare(op, SWAP[direction(op)], x, y) if _negates(x, driver) and _negates(y, driver) else None


@rule("compare(-x, C)", "bool")
def compare_negated_const(op: ir.Operation, x: Expr, C: float, driver: Driver) -> Expr | None:
    """-x < C -> x > -C, for integers if the least one is not among them."""
    if not _negates(x, driver) or not has(x.dtype, -C):
        return None
    return _compare(op, SWAP[direction(op)], x, E.full_like(x, -C))


def _negates(x: Expr, driver: Driver) -> bool:
    """Whether -x is what it is for real numbers."""
    if kind(x.type) == "float":
        return True
    return kind(x.type) == "int" and str(x.dtype)[0] != "u" and has(x.dtype, -driver.facts.bounds(x).low)


def _wrapped(x: Expr, number: int) -> Expr:
    """A whole number as the type of x has it after it has gone round."""
    t = ir.IntegerType(x.dtype)
    number %= 2**t.width
    return E.full_like(x, number if t.is_unsigned or number < 2 ** (t.width - 1) else number - 2**t.width)


@rule("compare(x + C1, C2)", "bool")
def compare_shifted(op: ir.Operation, x: Expr, C1: int, C2: int, driver: Driver) -> Expr | None:
    """x + C1 < C2 -> x < C2 - C1 for integers that don't overflow; x + C1 == C2 -> x == C2 - C1 for all."""
    if kind(x.type) != "int":
        return None
    if direction(op) in ("EQ", "NE"):
        return _compare(op, direction(op), x, _wrapped(x, C2 - C1))
    low, high = driver.facts.bounds(x)
    return (
        _compare(op, direction(op), x, E.full_like(x, C2 - C1)) if has(x.dtype, low + C1, high + C1, C2 - C1) else None
    )


@rule("compare(C1 - x, C2)", "bool")
def compare_reflected(op: ir.Operation, x: Expr, C1: int, C2: int, driver: Driver) -> Expr | None:
    """C1 - x < C2 -> x > C1 - C2 for integers that don't overflow; C1 - x == C2 -> x == C1 - C2 for all."""
    if kind(x.type) != "int":
        return None
    if direction(op) in ("EQ", "NE"):
        return _compare(op, direction(op), x, _wrapped(x, C1 - C2))
    low, high = driver.facts.bounds(x)
    fits = has(x.dtype, C1 - low, C1 - high, C1 - C2)
    return _compare(op, SWAP[direction(op)], x, E.full_like(x, C1 - C2)) if fits else None


@rule("compare(x - y, 0)", "bool")
def compare_difference(op: ir.Operation, x: Expr, y: Expr, driver: Driver) -> Expr | None:
    """x - y < 0 -> x < y for integers that don't overflow; x - y == 0 -> x == y for all."""
    if kind(x.type) != "int":
        return None
    a, b = driver.facts.bounds(x), driver.facts.bounds(y)
    exact = direction(op) in ("EQ", "NE") or has(x.dtype, a.low - b.high, a.high - b.low)
    return _compare(op, direction(op), x, y) if exact else None


@rule("compare(x + z, y + z)", "bool")
def compare_sums(op: ir.Operation, x: Expr, y: Expr) -> Expr | None:
    """x + z == y + z -> x == y for integers."""
    return _compare(op, direction(op), x, y) if kind(x.type) == "int" and direction(op) in ("EQ", "NE") else None


@rule("compare(x * C, 0)", "bool")
def compare_multiple(op: ir.Operation, x: Expr, C: float, driver: Driver) -> Expr | None:
    """x * C < 0 -> x < 0 for C > 0, and x > 0 for C < 0, where the product neither vanishes nor overflows."""
    if kind(x.type) == "int":
        low, high = driver.facts.bounds(x)
        if not C or not has(x.dtype, low * C, high * C):
            return None
    elif kind(x.type) != "float" or abs(C) < 1 or is_total(op):
        return None
    return _compare(op, direction(op) if C > 0 else SWAP[direction(op)], x, E.zeros_like(x))


@rule("compare(abs(x), 0)", "bool")
def compare_abs_zero(op: ir.Operation, x: Expr, driver: Driver) -> Expr | None:
    """abs(x) < 0 is false; abs(x) <= 0 -> x == 0; abs(x) > 0 -> x != 0 but for what is not a number."""
    to = direction(op)
    if is_total(op):
        return None
    if to == "LT":
        return E.full(op.results[0].type, False)
    if kind(x.type) not in ("float", "int") or to == "GE" or (to == "GT" and not _ordered(x, x, driver)):
        return None
    return _compare(op, {"LE": "EQ", "GT": "NE"}.get(to, to), x, E.zeros_like(x))


_HOLDS: dict[str, Callable[[float, float], bool]] = {
    "LT": lambda a, b: a < b, "LE": lambda a, b: a <= b, "GT": lambda a, b: a > b, "GE": lambda a, b: a >= b,
    "EQ": lambda a, b: a == b, "NE": lambda a, b: a != b,
}  # fmt: skip


def _of_two(op: ir.Operation, p: Expr, if_true: float, if_false: float) -> Expr | None:
    """A comparison of what has one number where p is true, and another where it is not, with a constant."""
    number, t = splat_of(op.operands[1]), op.results[0].type
    if number is None or isinstance(number, complex) or is_total(op):
        return None
    holds = _HOLDS[direction(op)]
    yes, no = holds(if_true, number), holds(if_false, number)
    if yes == no:
        return E.full(t, yes)
    if p.type != t:
        p = E.broadcast(p, t.shape, [])
    return p if yes else ~p


@rule("compare(x, y)", "bool", when=lambda op: splat_of(op.operands[1]) is not None)
def compare_converted_bool(op: ir.Operation, x: Expr, y: Expr) -> Expr | None:
    """convert(p) != 0 -> p for a truth value p, and the like; also p == true -> p."""
    inner = made_by(x, "convert")
    p = Expr(inner.operands[0]) if inner is not None and kind(x.type) in ("float", "int") else x
    return _of_two(op, p, 1, 0) if kind(p.type) == "bool" else None


@rule("compare(where(p, C1, C2), y)", "bool", when=lambda op: splat_of(op.operands[1]) is not None)
def compare_of_two(op: ir.Operation, p: Expr, C1: float, C2: float) -> Expr | None:
    """select(p, C1, C2) > C -> p, or not p, or a constant."""
    return _of_two(op, p, C1, C2) if not isinstance(C1, complex) else None


# -- comparisons of the same things ------------------------------------------------------------------------------------

_PLACES = {"LT": "<", "LE": "<=", "GT": ">", "GE": "=>", "EQ": "=", "NE": "<>?"}
"""Where a number stands to another if a comparison is true: before, at, or after it, or (`?`) one is not a number."""


def _truths(
    first: ir.Operation, second: ir.Operation, driver: Driver
) -> tuple[frozenset[Any], frozenset[Any], frozenset[Any]] | None:
    """Where two comparisons are true, and all places that there are, if they compare the same things.

    That is two values, or one with two constants.
    """
    x, y, a = Expr(first.operands[0]), Expr(first.operands[1]), direction(first)
    u, v, b = Expr(second.operands[0]), Expr(second.operands[1]), direction(second)
    if kind(x.type) not in ("int", "float") or x.type != u.type or is_total(first) or is_total(second):
        return None
    if u.value != x.value:
        u, v, b = v, u, SWAP[b]
    if u.value != x.value:
        return None
    unordered = frozenset() if _ordered(x, y, driver) else frozenset({"?"})
    if v.value == y.value:
        every = frozenset("<=>") | unordered
        return frozenset(_PLACES[a]) & every, frozenset(_PLACES[b]) & every, every
    c, d = splat_of(y.value), splat_of(v.value)
    if not isinstance(c, (int, float)) or not isinstance(d, (int, float)) or c == d or not math.isfinite(c - d):
        return None
    places = _places(c, d, kind(x.type) == "int")
    one, other = (
        frozenset(k for k in places if _HOLDS[to](k, n)) | (unordered if to == "NE" else frozenset())
        for n, to in ((c, a), (d, b))
    )
    return one, other, frozenset(places) | unordered


def _both(op: ir.Operation, combine: Callable[..., frozenset[Any]], driver: Driver) -> Expr | None:
    """The comparison that two of the same things come to."""
    first, second = (v.owner.operation for v in op.operands)
    found = _truths(first, second, driver)
    if found is None:
        return None
    one, other, every = found
    made = combine(one, other)
    for places, operand in ((one, op.operands[0]), (other, op.operands[1])):
        if made == places:
            return Expr(operand)
    if not made or made == every:
        return E.full(op.results[0].type, bool(made))
    if not every <= frozenset("<=>?"):
        return None
    for to, of in _PLACES.items():
        if made == frozenset(of) & every:
            return _compare(first, to, Expr(first.operands[0]), Expr(first.operands[1]))
    return None


def _chosen_by_compare(v: ir.Value) -> ir.Operation | None:
    inner = made_by(v, "select")
    return inner if inner is not None and made_by(inner.operands[0], "compare") is not None else None


@rule(
    "where(q := compare(x, y), u, v)",
    when=lambda op: any(_chosen_by_compare(v) is not None for v in list(op.operands)[1:]),
)
def select_of_decided(op: ir.Operation, q: ir.Operation, u: Expr, v: Expr, driver: Driver) -> Expr | None:
    """select(x < y, select(x >= y, a, b), c) -> select(x < y, b, c): one comparison decides the other."""
    p = Expr(op.operands[0])
    for truth, branch in ((True, u), (False, v)):
        inner = _chosen_by_compare(branch.value)
        found = None if inner is None else _truths(q, inner.operands[0].owner.operation, driver)
        if inner is None or found is None or inner.operands[0].type != p.type:
            continue
        here, there, every = found
        here = here if truth else every - here
        if here <= there or not here & there:
            made = Expr(inner.operands[1 if here <= there else 2])
            return E.select(p, made, v) if truth else E.select(p, u, made)
    return None


def _places(c: float, d: float, whole: bool) -> list[float]:
    """A number for each place that two constants divide the numbers into: before, at, between and after them."""
    low, high = min(c, d), max(c, d)
    between = [] if whole and high - low == 1 else [low / 2 + high / 2]
    return [-math.inf, low, *between, high, math.inf]


@rule("compare(x, y) & compare(u, v)", "bool")
def and_of_compares(op: ir.Operation, driver: Driver) -> Expr | None:
    """x <= y and x >= y -> x == y, x < 3 and x < 5 -> x < 3, x < y and x > y -> false, and the like."""
    return _both(op, frozenset.intersection, driver)


@rule("compare(x, y) | compare(u, v)", "bool")
def or_of_compares(op: ir.Operation, driver: Driver) -> Expr | None:
    """x < y or x == y -> x <= y, x < 3 or x < 5 -> x < 5, and the like."""
    return _both(op, frozenset.union, driver)


row("and_and_common", "(p & q) & (p & r)", "(p & q) & r", "bits")
row("or_or_common", "(p | q) | (p | r)", "(p | q) | r", "bits")
row("and_and_not", "(p & q) & ~p", "0", "bits")
row("or_or_not", "(p | q) | ~p", "True", "bool")
row("or_of_ands", "(p & q) | (p & ~q)", "p", "bits")
row("and_of_ors", "(p | q) & (p | ~q)", "p", "bits")
row("and_compare_same", "p & (p & q)", "p & q", "bool")
row("or_compare_same", "p | (p | q)", "p | q", "bool")

# -- minimum, maximum and clamp ----------------------------------------------------------------------------------------

row("max_self", "maximum(x, x)", "x")
row("min_self", "minimum(x, x)", "x")
row("max_lowest", "maximum(x, -inf)", "x", "float")
row("min_highest", "minimum(x, inf)", "x", "float")
row("max_max_same", "maximum(maximum(x, y), y)", "maximum(x, y)", "real", effects=KINKS)
row("min_min_same", "minimum(minimum(x, y), y)", "minimum(x, y)", "real", effects=KINKS)
row("max_min_same", "maximum(minimum(x, y), y)", "y", "int")
row("min_max_same", "minimum(maximum(x, y), y)", "y", "int")
row("max_max_const", "maximum(maximum(x, C1), C2)", "maximum(x, maximum(C1, C2))", "real", effects=KINKS)
row("min_min_const", "minimum(minimum(x, C1), C2)", "minimum(x, minimum(C1, C2))", "real", effects=KINKS)
row("max_neg_neg", "maximum(-x, -y)", "-minimum(x, y)", "float", effects=ZERO_SIGN)
row("min_neg_neg", "minimum(-x, -y)", "-maximum(x, y)", "float", effects=ZERO_SIGN)
row("max_is_abs", "maximum(x, -x)", "abs(x)", "float", effects=ZERO_SIGN)
row("min_is_neg_abs", "minimum(x, -x)", "-abs(x)", "float", effects=ZERO_SIGN)


def _extreme_known(name: str, pick: Callable[[Span, Span], bool]) -> None:
    """Rules for a maximum (minimum) whose bounds decide it; where there may be a tie, its derivative may change."""

    def known(x: Expr, y: Expr, driver: Driver, ties: bool) -> Expr | None:
        a = driver.facts.span(x)
        if a == ALL:
            return None
        b = driver.facts.span(y)
        for one, s, t in ((x, a, b), (y, b, a)):
            if not t.nan and pick(s, t) and (ties or (s.low > t.high or s.high < t.low)):
                return one
        return None

    def extreme_known(x: Expr, y: Expr, driver: Driver) -> Expr | None:
        return known(x, y, driver, kind(x.type) != "float")

    def extreme_known_tie(x: Expr, y: Expr, driver: Driver) -> Expr | None:
        return known(x, y, driver, True)

    extreme_known.__doc__ = f"A {name} that the bounds of its operands decide."
    extreme_known_tie.__doc__ = f"A {name} that the bounds of its operands decide, but for ties."
    short = name[:3]
    rule(f"{name}(x, y)", "real", name=f"{short}_known")(extreme_known)
    rule(f"{name}(x, y)", "float", name=f"{short}_known_tie", effects=KINKS)(extreme_known_tie)


_extreme_known("maximum", lambda s, t: s.low >= t.high)
_extreme_known("minimum", lambda s, t: s.high <= t.low)


def _clamp_known(a: Expr, x: Expr, b: Expr, driver: Driver) -> Expr | None:
    of = driver.facts.span(x)
    if of == ALL:
        return None
    low, high = driver.facts.span(a), driver.facts.span(b)
    if low.nan or high.nan:
        return None
    above, below = low.high <= of.low, of.high <= high.low
    if above and below:
        return x
    a, b = (v if v.type == x.type else E.broadcast(v, x.shape, []) for v in (a, b))
    if not of.nan and high.high <= max(of.low, low.low):
        return b
    if not of.nan and of.high <= low.low:
        return E.minimum(a, b)
    return E.minimum(x, b) if above else E.maximum(x, a) if below and low.high <= high.low else None


@rule("clamp(a, x, b)", "int")
def clamp_known(a: Expr, x: Expr, b: Expr, driver: Driver) -> Expr | None:
    """A clamp of integers that are inside already, or all on one side."""
    return _clamp_known(a, x, b, driver)


@rule("clamp(a, x, b)", "float", effects=KINKS)
def clamp_known_float(a: Expr, x: Expr, b: Expr, driver: Driver) -> Expr | None:
    """A clamp of floats that are inside already, or all on one side."""
    return _clamp_known(a, x, b, driver)


@rule("clamp(a, clamp(a, x, b), b)", effects=KINKS)
def clamp_clamp(a: Expr, x: Expr, b: Expr) -> Expr:
    """A clamp to the same bounds twice."""
    return E.op("stablehlo.clamp", a, x, b)


@rule("clamp(-inf, x, b)", "float", effects=KINKS)
def clamp_above(x: Expr, b: Expr) -> Expr | None:
    """A clamp with no lower bound is a minimum."""
    return E.minimum(x, b) if b.type == x.type else E.minimum(x, E.broadcast(b, x.shape, []))


@rule("clamp(a, x, inf)", "float", effects=KINKS)
def clamp_below(x: Expr, a: Expr) -> Expr | None:
    """A clamp with no upper bound is a maximum."""
    return E.maximum(x, a) if a.type == x.type else E.maximum(x, E.broadcast(a, x.shape, []))


@rule("where(compare(x, y), u, v)", "real", effects=ZERO_SIGN | KINKS)
def select_is_max(op: ir.Operation, x: Expr, y: Expr, u: Expr, v: Expr, driver: Driver) -> Expr | None:
    """select(x > y, x, y) -> max(x, y) where both are numbers, and the like; select(x == y, x, y) -> y."""
    inner = op.operands[0].owner.operation
    to = direction(inner)
    if is_total(inner) or {u.value, v.value} != {x.value, y.value} or u.value == v.value:
        return None
    if to in ("EQ", "NE"):
        return v if to == "EQ" else u
    if not _ordered(x, y, driver):
        return None
    return E.maximum(x, y) if (to in ("GT", "GE")) == (u.value == x.value) else E.minimum(x, y)


@rule("where(compare(x, 0), x, -x)", "float", effects=ZERO_SIGN | KINKS)
def select_is_abs(op: ir.Operation, x: Expr) -> Expr | None:
    """select(x > 0, x, -x) -> abs(x), and -abs(x) for x < 0."""
    return _abs_if(op, x, ("GT", "GE"))


@rule("where(compare(x, 0), -x, x)", "float", effects=ZERO_SIGN | KINKS)
def select_is_abs_else(op: ir.Operation, x: Expr) -> Expr | None:
    """select(x < 0, -x, x) -> abs(x), and -abs(x) for x > 0."""
    return _abs_if(op, x, ("LT", "LE"))


def _abs_if(op: ir.Operation, x: Expr, directions: Sequence[str]) -> Expr | None:
    """The absolute value if a comparison goes in one of these directions, its negative if in the other."""
    inner = op.operands[0].owner.operation
    to = direction(inner)
    if to in ("EQ", "NE") or is_total(inner):
        return None
    return E.absolute(x) if to in directions else -E.absolute(x)


@rule("where(p, 1, 0)", "int")
def select_is_convert(op: ir.Operation, p: Expr) -> Expr | None:
    """select(p, 1, 0) -> p as a whole number. (A float p times x is a select for XLA, which loses 0 times infinity.)"""
    t = op.results[0].type
    return E.convert(p, t.element_type) if p.rank == len(t.shape) else None


@rule("where(p, 0, 1)", "int")
def select_is_not_convert(op: ir.Operation, p: Expr) -> Expr | None:
    """select(p, 0, 1) -> not p as a number."""
    t = op.results[0].type
    return E.convert(~p, t.element_type) if p.rank == len(t.shape) else None


@rule("1 - convert(p)", "real")
def one_minus_mask(op: ir.Operation, p: Expr) -> Expr | None:
    """1 - convert(p) -> convert(not p) for a truth value."""
    return E.convert(~p, op.results[0].type.element_type) if kind(p.type) == "bool" else None


@rule("convert(p) * x", "float", effects=ZERO_SIGN)
def mul_mask(op: ir.Operation, p: Expr, x: Expr, driver: Driver) -> Expr | None:
    """convert(p) * x -> select(p, x, 0) for finite x."""
    other = made_by(x, "convert")
    if kind(p.type) != "bool" or (other is not None and kind(other.operands[0].type) == "bool"):
        return None
    return E.select(p, x, 0) if driver.facts.finite(x) else None


@rule("where(p, x, y)", phase="up", when=lambda op: op.operands[0].type.rank == 1 or op.operands[0].type.rank == 2)
def select_by_place(op: ir.Operation, p: Expr, x: Expr, y: Expr) -> Expr | None:
    """select(iota < n, x, 0) -> a part of x, padded, where the rest of x need not be computed."""
    for truth, kept, other in ((True, x, y), (False, y, x)):
        f, filler = maker(kept.value), splat_of(other.value)
        if filler is None or f is None or f.name not in _ELEMENTWISE or not single_use(kept.value):
            continue
        found = _run(p, truth)
        if found is None:
            continue
        dim, start, stop = found
        n = kept.shape[dim]
        if 0 < stop - start <= n // 2:
            low, high = ([k if d == dim else 0 for d in range(kept.rank)] for k in (start, n - stop))
            return E.pad(E.slice_in_dim(kept, start, stop, dim), filler, low, high)
    return None


def _run(p: Expr, truth: bool) -> tuple[int, int, int] | None:
    """Along which dimension, and from where to where, a predicate that no argument goes into is true (or false)."""
    if (made_by(p, "compare") is None and made_by(p, "and") is None) or E.size(p.shape) > 1 << 16:
        return None
    known = integers(p.value)
    if known is None:
        return None
    wanted = known.astype(bool) == truth
    for dim in range(p.rank):
        line = np.moveaxis(wanted, dim, 0).reshape(p.shape[dim], -1)
        if (line == line[:, :1]).all():
            (places,) = np.nonzero(line[:, 0])
            run = len(places) and places[-1] - places[0] + 1 == len(places)
            return (dim, int(places[0]), int(places[-1]) + 1) if run else None
    return None
