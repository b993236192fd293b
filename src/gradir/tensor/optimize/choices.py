"""Select, compare, minimum, maximum and clamp."""

from __future__ import annotations

from jaxlib.mlir import ir
from jaxlib.mlir.dialects import stablehlo as hlo

from gradir.tensor import expr as E
from gradir.tensor.expr import Expr
from gradir.tensor.optimize.driver import Driver
from gradir.tensor.optimize.reading import direction, kind, made_by, splat_of
from gradir.tensor.optimize.rule import Family

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
row("select_select_true", "where(p, where(p, x, y), z)", "where(p, x, z)")
row("select_select_false", "where(p, x, where(p, y, z))", "where(p, x, z)")
row("select_select_or", "where(p, x, where(q, x, y))", "where(p | q, x, y)")
row("select_select_and", "where(p, where(q, x, y), y)", "where(p & q, x, y)")
row("add_selects", "where(p, x, 0) + where(p, 0, y)", "where(p, x, y)", "number")
row("add_select_halves", "where(p, x, y) + where(p, y, x)", "x + y", "number")
row("add_select_zero_same", "where(p, x, 0) + where(p, y, 0)", "where(p, x + y, 0)", "number")
row("add_select_zero_same_else", "where(p, 0, x) + where(p, 0, y)", "where(p, 0, x + y)", "number")
row("sub_select_zero_same", "where(p, x, 0) - where(p, y, 0)", "where(p, x - y, 0)", "number")
row("neg_select_zero", "-where(p, x, 0)", "where(p, -x, 0)", "number", phase="up")
row("mul_selects", "where(p, x, 1) * where(p, 1, y)", "where(p, x, y)", "number")
row("select_zero_mul_const", "where(p, x, 0) * c", "where(p, x * c, 0)", "float", phase="up")
row("mul_select_zero", "where(p, x, 0) * y", "where(p, x * y, 0)", "float", fast_math=True, phase="up")


@rule("where(p, x, 0)", "inexact")
def select_of_zeroed(op: ir.Operation, p: Expr, x: Expr) -> Expr | None:
    """select(p, select(p, x, _), 0) is select(p, x, 0), also through a negation."""
    n = made_by(x, "negate")
    inner = made_by(n.operands[0], "select") if n is not None else None
    if inner is None or inner.operands[0] != p.value:
        return None
    return E.select(p, -Expr(inner.operands[1]), 0)


# -- compare -----------------------------------------------------------------------------------------------------------

_FLIP = {"LT": "GE", "LE": "GT", "GT": "LE", "GE": "LT", "EQ": "NE", "NE": "EQ"}
_SWAP = {"LT": "GT", "LE": "GE", "GT": "LT", "GE": "LE", "EQ": "EQ", "NE": "NE"}


def _compare(op: ir.Operation, to: str, x: Expr, y: Expr) -> Expr:
    attributes = dict(op.attributes.items())
    attributes["comparison_direction"] = hlo.ComparisonDirectionAttr.get(to)
    return E.op("stablehlo.compare", x, y, **attributes)


@rule("compare(x, y)", "bool")
def compare_known(op: ir.Operation, x: Expr, y: Expr, driver: Driver) -> Expr | None:
    """A comparison of integers whose bounds decide it is a constant."""
    if kind(x.type) != "int":
        return None
    a, b = driver.facts.bounds(x), driver.facts.bounds(y)
    to = direction(op)
    if to in ("GT", "GE"):
        to, a, b = _SWAP[to], b, a
    apart = a.high < b.low or b.high < a.low
    always = {"LT": a.high < b.low, "LE": a.high <= b.low, "EQ": a.low == a.high == b.low == b.high, "NE": apart}[to]
    never = {"LT": a.low >= b.high, "LE": a.low > b.high, "EQ": apart, "NE": a.low == a.high == b.low == b.high}[to]
    return E.full(op.results[0].type, bool(always)) if always or never else None


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
    ordered = kind(x.type) in ("int", "bool") or (driver.facts.no_nan(x) and driver.facts.no_nan(y))
    return _compare(inner, _FLIP[to], x, y) if to in ("EQ", "NE") or ordered else None


@rule("compare(c, x)", "bool")
def compare_const_right(op: ir.Operation, c: float, x: Expr) -> Expr | None:
    """c < x -> x > c."""
    return None if splat_of(x.value) is not None else _compare(op, _SWAP[direction(op)], x, Expr(op.operands[0]))


@rule("compare(-x, -y)", "bool")
def compare_negated(op: ir.Operation, x: Expr, y: Expr) -> Expr | None:
    """-x < -y -> x > y for floats."""
    return _compare(op, _SWAP[direction(op)], x, y) if kind(x.type) == "float" else None


@rule("compare(-x, c)", "bool")
def compare_negated_const(op: ir.Operation, x: Expr, c: float) -> Expr | None:
    """-x < c -> x > -c for floats."""
    return _compare(op, _SWAP[direction(op)], x, E.full_like(x, -c)) if kind(x.type) == "float" else None


@rule("compare(x + c1, c2)", "bool")
def compare_shifted(op: ir.Operation, x: Expr, c1: int, c2: int, driver: Driver) -> Expr | None:
    """x + c1 < c2 -> x < c2 - c1 for integers that don't overflow."""
    if kind(x.type) != "int":
        return None
    low, high = driver.facts.bounds(x)
    limit = 2**31 - 1
    if max(abs(low), abs(high)) + abs(c1) > limit or abs(c2 - c1) > limit or (str(x.dtype)[0] == "u"):
        return None
    return _compare(op, direction(op), x, E.full_like(x, c2 - c1))


@rule("compare(abs(x), 0)", "bool")
def compare_abs_zero(op: ir.Operation, x: Expr) -> Expr | None:
    """abs(x) < 0 is false; abs(x) == 0 -> x == 0; abs(x) > 0 -> x != 0 but for what is not a number."""
    to = direction(op)
    if to == "LT":
        return E.full(op.results[0].type, False)
    if kind(x.type) not in ("float", "int"):
        return None
    return _compare(op, to, x, E.zeros_like(x)) if to in ("EQ", "NE") else None


@rule("compare(x, y)", "bool")
def compare_converted_bool(op: ir.Operation, x: Expr, y: Expr) -> Expr | None:
    """convert(p) != 0 -> p for a truth value p, and the like."""
    inner, number = made_by(x, "convert"), splat_of(y.value)
    if inner is None or kind(inner.operands[0].type) != "bool" or kind(x.type) not in ("float", "int"):
        return None
    p, to = Expr(inner.operands[0]), direction(op)
    if (to, number) in (("NE", 0), ("GT", 0), ("EQ", 1), ("GE", 1)):
        return p
    return ~p if (to, number) in (("EQ", 0), ("NE", 1), ("LT", 1), ("LE", 0)) else None


row("and_compare_same", "p & (p & q)", "p & q", "bool")
row("or_compare_same", "p | (p | q)", "p | q", "bool")

# -- minimum, maximum and clamp ----------------------------------------------------------------------------------------

row("max_self", "maximum(x, x)", "x")
row("min_self", "minimum(x, x)", "x")
row("max_lowest", "maximum(x, -inf)", "x", "float")
row("min_highest", "minimum(x, inf)", "x", "float")
row("max_max_same", "maximum(maximum(x, y), y)", "maximum(x, y)", "real", kinks=True)
row("min_min_same", "minimum(minimum(x, y), y)", "minimum(x, y)", "real", kinks=True)
row("max_min_same", "maximum(minimum(x, y), y)", "y", "int")
row("min_max_same", "minimum(maximum(x, y), y)", "y", "int")
row("max_max_const", "maximum(maximum(x, c1), c2)", "maximum(x, maximum(c1, c2))", "real", kinks=True)
row("min_min_const", "minimum(minimum(x, c1), c2)", "minimum(x, minimum(c1, c2))", "real", kinks=True)
row("max_neg_neg", "maximum(-x, -y)", "-minimum(x, y)", "float")
row("min_neg_neg", "minimum(-x, -y)", "-maximum(x, y)", "float")
row("max_is_abs", "maximum(x, -x)", "abs(x)", "float")
row("min_is_neg_abs", "minimum(x, -x)", "-abs(x)", "float")


@rule("maximum(x, y)", "int")
def max_known(x: Expr, y: Expr, driver: Driver) -> Expr | None:
    """A maximum of integers whose bounds decide it."""
    a, b = driver.facts.bounds(x), driver.facts.bounds(y)
    return x if a.low >= b.high else y if b.low >= a.high else None


@rule("minimum(x, y)", "int")
def min_known(x: Expr, y: Expr, driver: Driver) -> Expr | None:
    """A minimum of integers whose bounds decide it."""
    a, b = driver.facts.bounds(x), driver.facts.bounds(y)
    return x if a.high <= b.low else y if b.high <= a.low else None


@rule("maximum(x, 0)", "float", kinks=True)
def max_zero_known(x: Expr, driver: Driver) -> Expr | None:
    """max(x, 0) -> x for x that is nowhere negative."""
    return x if driver.facts.non_negative(x) else None


@rule("clamp(a, x, b)", "int")
def clamp_known(a: Expr, x: Expr, b: Expr, driver: Driver) -> Expr | None:
    """A clamp of integers that are inside already."""
    low, high, of = driver.facts.bounds(a), driver.facts.bounds(b), driver.facts.bounds(x)
    return x if low.high <= of.low and of.high <= high.low else None


@rule("clamp(a, clamp(a, x, b), b)")
def clamp_clamp(a: Expr, x: Expr, b: Expr) -> Expr:
    """A clamp to the same bounds twice."""
    return E.op("stablehlo.clamp", a, x, b)


@rule("clamp(-inf, x, b)", "float", kinks=True)
def clamp_above(x: Expr, b: Expr) -> Expr | None:
    """A clamp with no lower bound is a minimum."""
    return E.minimum(x, b) if b.type == x.type else E.minimum(x, E.broadcast(b, x.shape, []))


@rule("clamp(a, x, inf)", "float", kinks=True)
def clamp_below(x: Expr, a: Expr) -> Expr | None:
    """A clamp with no upper bound is a maximum."""
    return E.maximum(x, a) if a.type == x.type else E.maximum(x, E.broadcast(a, x.shape, []))


@rule("where(compare(x, y), x, y)", "float", kinks=True)
def select_is_max(op: ir.Operation, x: Expr, y: Expr, driver: Driver) -> Expr | None:
    """select(x > y, x, y) -> max(x, y) where both are numbers."""
    to = direction(op.operands[0].owner.operation)
    if to in ("EQ", "NE") or not (driver.facts.no_nan(x) and driver.facts.no_nan(y)):
        return None
    return E.maximum(x, y) if to in ("GT", "GE") else E.minimum(x, y)


@rule("where(p, 1, 0)", "real")
def select_is_convert(op: ir.Operation, p: Expr) -> Expr | None:
    """select(p, 1, 0) -> p as a number."""
    t = op.results[0].type
    return E.convert(p, t.element_type) if p.rank == len(t.shape) else None


@rule("convert(p) * x", "float")
def mul_mask(op: ir.Operation, p: Expr, x: Expr, driver: Driver) -> Expr | None:
    """convert(p) * x -> select(p, x, 0) for finite x."""
    return E.select(p, x, 0) if kind(p.type) == "bool" and driver.facts.finite(x) else None
