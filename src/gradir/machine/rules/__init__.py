"""What is known of instructions and functions: derivative rules as formulas, one file for a family."""

from __future__ import annotations

from gradir.machine.rules import arithmetic, mathlib

from gradir.machine.rules import intrinsics  # isort: skip  (it wraps the rows of the others)
from gradir.machine.rules.rule import RULES, Formula, Partial, Rule, constants_of, rule_for, rule_named

__all__ = [
    "RULES",
    "Formula",
    "Partial",
    "Rule",
    "arithmetic",
    "constants_of",
    "intrinsics",
    "mathlib",
    "rule_for",
    "rule_named",
]
