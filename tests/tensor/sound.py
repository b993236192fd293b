"""What is true of every program that a transform has made."""

from __future__ import annotations

import gradir
from gradir.tensor.ir.module import functions, operations, verify

EFFECTS = {"func.call", "func.return", "stablehlo.return", "stablehlo.custom_call", "stablehlo.outfeed"}
"""Ops that may be there for another reason than their results."""


def sound(made: gradir.Module, source: gradir.Module) -> gradir.Module:
    """It verifies, means the same as text, keeps what was there, and computes nothing that no result needs."""
    module, text = made.ir, str(made)
    verify(module)
    assert str(gradir.load(text)) == text
    old, new = texts(source), texts(made)
    assert {name: new[name] for name in old} == old
    assert "gradir.holder" not in text and "gradir.backward_sweep" not in text
    for name, function in functions(module).items():
        if name not in old:
            for op in operations(function)[1:]:
                used = any(True for r in op.results for _ in r.uses)
                assert used or op.name in EFFECTS, f"no result of @{name} needs {op}"
    return made


def texts(module: gradir.Module) -> dict[str, str]:
    """The functions by name."""
    copy = module.ir
    return {name: str(op) for name, op in functions(copy).items()}


def count(module: gradir.Module, *names: str, function: str | None = None) -> int:
    """How many ops of these names (or of any) a module, or one function of it, has."""
    copy = module.ir
    root = copy if function is None else functions(copy)[function]
    return sum(not names or op.name in names for op in operations(root))
