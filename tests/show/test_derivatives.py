"""The derivatives of `derivatives.toml`: printed as it says, and each of them checked by numbers."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import jax
import numpy as np
import pytest

from gradir.formula import python
from gradir.frontends.sheaf import Program
from gradir.show import View, parse_shapes, view_of_text

GOLDEN = tomllib.loads((Path(__file__).parent / "derivatives.toml").read_text())["derivative"]


def shown(case: dict[str, str]) -> View:
    return view_of_text(case["of"], [case["by"]], parse_shapes([case.get("shapes", "")]))


@pytest.fixture(params=GOLDEN, ids=lambda case: f"{case['of']} by {case['by']}")
def case(request: pytest.FixtureRequest) -> Any:
    return request.param


def test_there_are_twenty() -> None:
    assert len({case["of"] for case in GOLDEN}) >= 20


def test_is_what_a_mathematician_would_write(case: dict[str, str]) -> None:
    view = shown(case)
    assert view.text("sexpr") == case["sexpr"]
    assert view.text("formula") == case["formula"]
    check_numbers(case, view)


def check_numbers(case: dict[str, str], view: View) -> None:
    """What is printed, run as Sheaf and as Python, against JAX's derivative of the function itself."""
    formula = view.formula
    rng = np.random.default_rng(0)
    names = list(view.parameters)
    values = [rng.uniform(0.2, 1.5, p.shape).astype(np.float32) for p in formula.parameters]
    text = f"(def f {case['of']}) (defn derivative [{' '.join(names)}] {case['sexpr']})"
    program = Program(text, compiles=False)
    wanted = np.asarray(jax.jit(jax.grad(program.f, names.index(case["by"])))(*values))
    source: dict[str, Any] = {}
    exec(python(formula), source)
    for got in (jax.jit(program.derivative)(*values), source[view.name](*values)):
        assert np.shape(got) == wanted.shape
        # Both in f32, whose last bit is 1.2e-7: a few dozen operations, some of which cancel by a digit.
        np.testing.assert_allclose(np.asarray(got), wanted, rtol=2e-5, atol=2e-6)
