"""The table of derivative rules: for each operand of a pure function, d result / d operand as a formula.

A formula is called with the operands and, last, the result, as `Expr`s of code under construction, and gives the
partial derivative: an `Expr`, or a plain number where it is constant. Where the result is a struct (`llvm.sincos`), it
gives one for each field, `None` for a field without a derivative. Where the result is one number and the operand a
vector (`llvm.vector.reduce.fadd`), the partial is a vector, to be contracted with the operand's tangent.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache

from gradir.machine.ir import VOID, Constant, Instruction, Type
from gradir.machine.ir.builder import Code, Expr
from gradir.machine.ir.opcodes import OPCODES
from gradir.machine.ir.text.tokens import local_refs

__all__ = ["RULES", "Formula", "Partial", "Rule", "constants_of", "partials", "rule_for", "rule_named"]

Partial = Expr | float | tuple[Expr | float | None, ...]
Formula = Callable[..., Partial]


@dataclass(frozen=True)
class Rule:
    """The derivative of one function: a formula for each operand, `None` where the derivative is zero."""

    name: str
    partials: tuple[Formula | None, ...]
    note: str = ""
    """What it does where calculus leaves a choice: for the page of rules."""

    @property
    def is_zero(self) -> bool:
        """Whether the result depends on no operand smoothly, as that of `floor`."""
        return not any(self.partials)

    def uses(
        self, i: int, types: tuple[Type, ...], result: Type, constants: tuple[str | None, ...] = ()
    ) -> frozenset[int]:
        """Which operands formula `i` reads; -1 is the result.

        `constants` are the literals among the operands (`None` for the others): a formula may be simpler with them.

        >>> from gradir.machine.ir import DOUBLE
        >>> sorted(RULES["fdiv"].uses(1, (DOUBLE, DOUBLE), DOUBLE))
        [-1, 1]
        """
        return _uses(self, i, types, result, constants or (None,) * len(types))


@cache
def _uses(
    rule: Rule, i: int, types: tuple[Type, ...], result: Type, constants: tuple[str | None, ...]
) -> frozenset[int]:
    formula = rule.partials[i]
    if formula is None:
        return frozenset()
    code = Code("scratch", VOID, [(type, "operand") for type in (*types, result)])
    given = {p.ref: n for n, p in enumerate(code.parameters[:-1])} | {code.parameters[-1].ref: -1}
    operands = [
        p if c is None else Expr(code, p.type, c) for p, c in zip(code.parameters, (*constants, None), strict=True)
    ]
    found = formula(*operands)
    written = dict(line.split(" = ", 1) for line in code.entry.lines)
    pending = [part.ref for part in (found if isinstance(found, tuple) else (found,)) if isinstance(part, Expr)]
    read: set[int] = set()
    while pending:
        ref = pending.pop()
        if ref in given:
            read.add(given[ref])
        elif ref in written:
            pending += local_refs(written.pop(ref))
    return frozenset(read)


RULES: dict[str, Rule] = {}
"""By opcode (`fdiv`), by intrinsic without its overload (`llvm.exp`), or by the C library's name in double (`exp`)."""


def partials(names: str, *formulas: Formula | None, note: str = "") -> None:
    """Add a rule to the table, under one name or several."""
    for name in names.split():
        assert name not in RULES, name
        RULES[name] = Rule(name, formulas, note)


def rule_for(instruction: Instruction) -> Rule | None:
    """The rule of an instruction, by its opcode or by what it calls."""
    if instruction.opcode not in ("call", "invoke"):
        return RULES.get(instruction.opcode)
    name = instruction.callee_name
    if name is None:
        return None
    return rule_named(name, [a.type for a in instruction.arguments], instruction.type)


def constants_of(instruction: Instruction) -> tuple[str | None, ...]:
    """The literals among an instruction's operands, as `Rule.uses` wants them."""
    operands = instruction.arguments if instruction.opcode in ("call", "invoke") else instruction.operands
    return tuple(o.ref if isinstance(o, Constant) else None for o in operands)


def rule_named(name: str, types: Sequence[Type], result: Type) -> Rule | None:
    """The rule of a function, if its operands and result are what the rule is for.

    >>> from gradir.machine.ir import DOUBLE, I32
    >>> rule_named("__exp_finite", [DOUBLE], DOUBLE).name, rule_named("llvm.powi.f64.i32", [DOUBLE, I32], DOUBLE).name
    ('exp', 'llvm.powi')
    >>> rule_named("exp", [DOUBLE, DOUBLE], DOUBLE) is None     # somebody's own
    True
    """
    rule = _intrinsic(name) if name.startswith("llvm.") else _in_library(name, types, result)
    return rule if rule is not None and len(rule.partials) == len(types) else None


@cache
def _intrinsic(name: str) -> Rule | None:
    """By the longest part of the name that is in the table: the rest is the overload."""
    while "." in name:
        if name in RULES:
            return RULES[name]
        name = name.rpartition(".")[0]
    return None


_SPELLINGS = tuple(
    (re.compile(pattern), key)
    for pattern, key in (
        (r"(\w+)", "{}"),
        (r"__(\w+)_finite", "{}"),
        (r"__nv_(?:fast_)?(\w+?)(?:_r[nzud])?", "__nv_{}"),
        (r"__nv_(?:fast_)?(\w+?)(?:_r[nzud])?", "{}"),
        (r"numba_(\w+)", "numba_{}"),
        (r"__ocml_(?:native_)?(\w+)_f(?:16|32|64)", "{}"),
        (r"_ZGV[a-zA-Z]+\d+v+_(\w+)", "{}"),  # glibc's vector functions
        (r"(_FortranA\w+?)_?(?:4|8|10|16)([ik]?)", "{}{}"),
    )
)
_OPCODES = frozenset(row.name for row in OPCODES.values() if row.derivative == "rule")
_OF_PRECISION = {"float": "f", "x86_fp80": "l", "fp128": "l", "ppc_fp128": "l"}


def _in_library(name: str, types: Sequence[Type], result: Type) -> Rule | None:
    """By the C library's name in double, of which there are several spellings."""
    floats = [t for t in (*types, result) if t.is_float]
    if name in _OPCODES or not floats:
        return None
    suffix = _OF_PRECISION.get(floats[-1].scalar.text, "")
    for spelling, key in _SPELLINGS:
        if m := spelling.fullmatch(name):
            base = key.format(*m.groups())
            told = not suffix or name.startswith(
                ("__ocml", "__nv", "_Fortran")
            )  # the name tells the precision elsewhere
            if told and base in RULES and base not in _OPCODES:
                return RULES[base]
            if suffix and base.endswith(suffix) and base[:-1] in RULES and base[:-1] not in _OPCODES:
                return RULES[base[:-1]]
    return RULES.get(name) if "." in name else None
