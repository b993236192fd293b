"""Derivative and batch rules: one file for a family of ops, one table for all of them."""

from __future__ import annotations

from jaxlib.mlir import ir

from gradir.tensor.rules import (
    collectives,
    control,
    convolution,
    custom_call,
    dynamic,
    elementwise,
    fft,
    indexing,
    lapack,
    linalg,
    loops,
    marks,
    normalization,
    products,
    reductions,
    refused,
    scatter,
    sharding,
    sorting,
    special,
    structural,
    windows,
)
from gradir.tensor.rules.custom_call import COMPOSITES, CUSTOM_CALLS
from gradir.tensor.rules.rule import RULES, Rule

__all__ = [
    "COMPOSITES",
    "CUSTOM_CALLS",
    "RULES",
    "Rule",
    "collectives",
    "control",
    "convolution",
    "custom_call",
    "dynamic",
    "elementwise",
    "fft",
    "indexing",
    "lapack",
    "linalg",
    "loops",
    "marks",
    "normalization",
    "products",
    "reductions",
    "refused",
    "rule_of",
    "scatter",
    "sharding",
    "sorting",
    "special",
    "structural",
    "windows",
]


def rule_of(op: ir.Operation) -> Rule | None:
    """The rule of an op, by its name; where the name does not tell enough, by what it calls or computes."""
    rule = RULES.get(op.name)
    return rule if rule is None or rule.variant is None else rule.variant(op)
