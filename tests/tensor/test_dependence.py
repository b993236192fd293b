"""What an analysis says that a result depends on, beside what changes when an argument does."""

from __future__ import annotations

import numpy as np
import pytest
from cases import CASES, Case
from exam import compiled, fastest, replicas, some_of_each

import gradir
from gradir.tensor.ir.module import functions
from gradir.tensor.rules.dependence import FLOWS, dependences

MOVING = ("reshape", "transpose", "broadcast_in_dim", "slice", "pad", "reverse", "concatenate")
CONTROL = ("while", "if", "case", "map")
CHECKED = {*FLOWS, *(f"stablehlo.{name}" for name in (*MOVING, *CONTROL, "clamp", "complex", "custom_call"))}


def pattern(module: gradir.Module, variables: list[int], numbers: dict[int, np.ndarray]) -> list[np.ndarray | None]:
    """For each result, a row for each element: on which elements of the variables it depends."""
    own = module.ir
    with own.context:
        found = dependences(functions(own), "f", variables, numbers)
        return [None if d is None else d.sets[d.labels.ravel()].toarray() for d in found]


def observed(case: Case, module: gradir.Module, inputs: list[np.ndarray], variables: list[int]) -> list[np.ndarray]:
    """For each result, a row for each element: which elements of the variables change it."""
    run = compiled(module, "f", fastest(case))
    rng = np.random.default_rng(0)
    before = run(*inputs)
    changed: list[list[np.ndarray]] = [[] for _ in before]
    for i in variables:
        for k in range(inputs[i].size):
            seen = [np.zeros(b.size, np.bool_) for b in before]
            for size in (1e-3, -1.0, 3.0):  # a kink or a comparison may hide one
                moved = [x.copy() for x in inputs]
                moved[i].reshape(-1)[k] += size * (1 + rng.random())
                for s, a, b in zip(seen, before, run(*moved), strict=True):
                    s |= ~((a == b) | ((a != a) & (b != b))).ravel()
            for row, s in zip(changed, seen, strict=True):
                row.append(s)
    return [np.stack(rows, axis=1) if rows else np.zeros((b.size, 0)) for rows, b in zip(changed, before, strict=True)]


def _checked(case: Case) -> bool:
    return case.op in CHECKED and bool(case.backends)


@pytest.mark.parametrize("case", list(some_of_each([c for c in CASES if _checked(c)], 5)), ids=lambda c: c.id)
def test_nothing_changes_that_does_not_depend(case: Case):
    module = gradir.load(case.text)
    inputs = [np.asarray(x) for x in case.inputs(np.random.default_rng(0))]
    variables = [i for i, x in enumerate(inputs) if np.issubdtype(x.dtype, np.inexact)]
    sizes = sum(inputs[i].size for i in variables)
    if replicas(module) > 1 or not 0 < sizes <= 80 or "?" in str(module.function("f")):
        pytest.skip("only what is small, has static arguments and runs on one device")
    known = {i: x for i, x in enumerate(inputs) if i not in variables}
    real = observed(case, module, inputs, variables)
    for numbers in (known, {}):
        for claimed, changes in zip(pattern(module, variables, numbers), real, strict=True):
            allowed = np.zeros(changes.shape, np.bool_) if claimed is None else claimed
            assert not (changes & ~allowed).any()
