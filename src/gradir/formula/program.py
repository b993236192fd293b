"""From a StableHLO program to the formula of one of its functions."""

from __future__ import annotations

from collections.abc import Sequence

from jaxlib.mlir import ir

from gradir.errors import InputError
from gradir.formula.reader import WAY_OUT, read
from gradir.formula.simplify import simplify
from gradir.formula.tree import Formula, depth
from gradir.tensor.ir.dead import drop_dead
from gradir.tensor.ir.entry import MAIN, Program, isolate
from gradir.tensor.ir.inline import inline_calls
from gradir.tensor.ir.module import functions, operations
from gradir.tensor.optimize import optimize

__all__ = ["alone", "formula_of"]

LARGE = 2000
"""Ops of a function that is no longer read as a formula, by anyone."""
DEEP = 250
"""Operations within operations, likewise."""


def alone(module: ir.Module, function: str, *, optimised: bool = True) -> Program:
    """A function with what it calls inlined, the code optimised, and nothing that it has no use for."""
    program = isolate(module, function)
    inline_calls(program.module)
    if optimised:
        optimize(program.module)
    with program.module.context:
        drop_dead(functions(program.module)[MAIN].entry_block)
    return program


def formula_of(
    module: ir.Module,
    function: str,
    *,
    name: str | None = None,
    parameters: Sequence[str] | None = None,
    results: Sequence[str] | None = None,
    optimised: bool = True,
    short: bool = True,
) -> Formula:
    """The formula of a function, alone, and made short."""
    program = alone(module, function, optimised=optimised)
    main = functions(program.module)[MAIN]
    count = len(operations(main))
    if count > LARGE:
        raise InputError(f"@{function} has {count} ops: as a formula no one could read it", hint=WAY_OUT)
    signature = program.signature
    named = parameters or [a.name or f"arg{i}" for i, a in enumerate(signature.arguments)]
    gives = results or [f"result{i}" for i in range(len(signature.results))]
    made = read(main, name or signature.name, named, gives)
    if (levels := depth(made)) > DEEP:
        raise InputError(f"@{function} goes {levels} operations deep: as a formula no one could read it", hint=WAY_OUT)
    return simplify(made) if short else made
