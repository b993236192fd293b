"""Patterns name ops that there are: a rule with a slip of the pen would never fire, and nobody would know."""

from __future__ import annotations

from collections.abc import Iterator

from gradir.tensor.ir.context import context
from gradir.tensor.optimize import RULES
from gradir.tensor.optimize.pattern import CLASSES, Node, Pattern, parse


def ops_of(pattern: Pattern) -> Iterator[str]:
    if isinstance(pattern, Node):
        yield from CLASSES.get(pattern.op, (pattern.op,))
        for operand in pattern.operands:
            yield from ops_of(operand)


def strangers(pattern: Pattern) -> list[str]:
    known = context()
    return [op for op in ops_of(pattern) if not known.is_registered_operation(op) and not op.startswith("enzyme.")]


def test_every_op_of_a_pattern_exists() -> None:
    assert not {name: wrong for name, rule in RULES.items() if (wrong := strangers(rule.pattern))}


def test_a_slip_of_the_pen_is_found() -> None:
    assert strangers(parse("maximum(x, min(x, y))")) == ["stablehlo.min"]
