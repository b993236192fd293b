"""Every rule, in every mode, against central differences.

For each case (see `cases/`) one program asks, by `enzyme` ops, for all derivatives of the case's function at once; it
is lowered, run on each back end, and compared with what differences of the function itself say.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cache

import numpy as np
import pytest
from cases import CASES, Case
from exam import FirstOrder, Nested, compiled, complaint, fastest, some_of_each

import gradir
from gradir.tensor.ir.expr import Expr
from gradir.tensor.rules import RULES
from gradir.tensor.rules.interface import Cotangent, Shadow
from gradir.tensor.rules.rule import Site


@cache
def first_order(case: Case) -> tuple[FirstOrder, gradir.Module]:
    exam = FirstOrder(case)
    return exam, exam.lowered()


@pytest.mark.parametrize(
    ("case", "backend"), [pytest.param(c, b, id=f"{c.id} on {b}") for c in CASES for b in c.backends]
)
def test_derivatives(case: Case, backend: str) -> None:
    exam, lowered = first_order(case)
    got = compiled(lowered, "check", backend)(*exam.paper.arguments)
    wrong = [
        f"{case.op} ({case.label}), {what}, on {backend}: {said}"
        for (what, expected), result in zip(exam.paper.expected, got, strict=True)
        if expected is not None and (said := complaint(result, expected, case.rtol))
    ]
    assert not wrong, "\n".join(wrong)


TWICE = list(some_of_each([c for c in CASES if c.second and {"forward", "reverse"} <= set(c.modes)], 5))


@pytest.mark.parametrize("case", TWICE, ids=[c.id for c in TWICE])
def test_second_derivatives(case: Case) -> None:
    """What rules emit has rules: a derivative in a derivative, against differences of the derivative."""
    exam = Nested(case)
    if not exam.differentiable:
        return
    got = compiled(exam.lowered(exam.functions), "check", fastest(case))(*exam.paper.arguments)
    n = len(exam.answered)
    expected = [(after - before) / (2 * case.step) for after, before in zip(got[:n], got[n : 2 * n], strict=True)]
    assert all(np.isfinite(x).all() for x in expected), f"{case.id}: differences are not finite; choose other inputs"
    questions = [what for what, _ in exam.paper.expected[2 * n :]]
    wrong = [
        f"{case.op} ({case.label}), {what}: {said}"
        for what, answer, result in zip(questions, expected * 3, got[2 * n :], strict=True)
        if (said := complaint(result, answer, 10 * case.rtol))
    ]
    assert not wrong, "\n".join(wrong)


def test_a_wrong_rule_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """The exam has teeth: a rule that is wrong in one mode fails in that mode, at any width, and says where."""
    case = next(c for c in CASES if c.id == "stablehlo.tanh: real")
    right = RULES["stablehlo.tanh"]

    def twice(site: Site, cotangents: Sequence[Shadow]) -> list[Cotangent]:
        assert right.vjp is not None
        (ct,) = right.vjp(site, cotangents)
        assert isinstance(ct, Expr)
        return [ct * 2]

    monkeypatch.setitem(RULES, "stablehlo.tanh", replace(right, vjp=twice))
    exam = FirstOrder(case)
    got = compiled(exam.lowered(), "check", "xla")(*exam.paper.arguments)
    wrong = {
        what: said
        for (what, expected), result in zip(exam.paper.expected, got, strict=True)
        if expected is not None and (said := complaint(result, expected, case.rtol))
    }
    assert set(wrong) == {f"reverse mode of width {w}" for w in (1, 2, 3)}
    assert all(said.startswith("element [") for said in wrong.values())
