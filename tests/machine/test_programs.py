"""Whole programs against central differences: reverse, forward, vector and second-order modes."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
import pytest
from corpus import PROGRAMS, Program
from differential import Bench, Derivative, Function, central_difference, function_of

from gradir.errors import BackendError, MissingExtra

WIDTH = 3

# In double precision two steps of about 1e-4 leave errors of 1e-11 (rounding over the step, and the fourth order of the
# step); what a program multiplies that by was seen to stay below 1e-9. Single precision rounds at 6e-8: with steps of
# 2e-2 the differences are good to 1e-4, where half precision (5e-4) is passed through to 2e-2.
STEPS = {"double": 1e-4, "single": 2e-2, "half": 2e-1}
TOLERANCES = {"double": 1e-8, "single": 2e-3, "half": 5e-2}
# Forward and reverse mode multiply the same factors in another order, so they agree to rounding.
AGREEMENT = {"double": 1e-11, "single": 1e-4, "half": 5e-3}

PRECISIONS = {"mixed_precision": "single", "float_logistic": "single", "half_precision": "half"}


@dataclass(frozen=True)
class Case:
    """A program with its derivatives, compiled once, and what central differences say."""

    bench: Bench
    function: Function
    values: list[Any]
    directions: list[np.ndarray]
    seeds: list[np.ndarray]
    value: np.ndarray
    differences: list[np.ndarray]
    derivatives: dict[str, Derivative]
    second_bench: Bench
    second: Derivative
    """The forward derivative of the reverse derivative, which is a program like any other."""
    precision: str


@cache
def case(program: Program) -> Case:
    rng = np.random.default_rng(0)
    function, values = function_of(program.name, program.returns, program.arguments(rng))
    try:
        source = program.to_llvm()
    except (BackendError, MissingExtra) as error:
        pytest.skip(str(error))
    bench = Bench(source, function)
    reverse = bench.reverse(function)
    derivatives = {
        "forward": bench.forward(function),
        "reverse": reverse,
        "vector forward": bench.forward(function, WIDTH),
        "vector reverse": bench.reverse(function, WIDTH),
    }
    bench.build()
    second_bench = bench.bench_of(reverse)
    second = second_bench.forward(second_bench.entry)
    second_bench.build()
    value = bench.run(function, values)
    directions = [rng.normal(size=len(function.input(values))) for _ in range(WIDTH)]
    seeds = [rng.normal(size=len(value)) for _ in range(WIDTH)]
    precision = PRECISIONS.get(program.name, "double")
    differences = [
        central_difference(lambda h, v=v: bench.run(function, function.moved(values, h * v)), STEPS[precision])
        for v in directions
    ]
    return Case(
        bench, function, values, directions, seeds, value, differences, derivatives, second_bench, second, precision
    )


def assert_close(found: Any, expected: Any, tolerance: float) -> None:
    """Errors are measured against the largest entry: an entry that should be zero has no scale of its own."""
    scale = 1e-3 + np.max(np.abs(expected), initial=0)
    np.testing.assert_allclose(found, expected, rtol=0, atol=tolerance * scale)


everywhere = pytest.mark.parametrize("program", PROGRAMS, ids=str)


@everywhere
def test_forward(program: Program) -> None:
    c = case(program)
    for v, expected in zip(c.directions, c.differences, strict=True):
        value, tangent = c.bench.jvp(c.derivatives["forward"], c.values, [v])
        assert_close(value, c.value, AGREEMENT[c.precision])
        assert_close(tangent, expected, TOLERANCES[c.precision])


@everywhere
def test_reverse(program: Program) -> None:
    c = case(program)
    for s in c.seeds:
        value, gradient = c.bench.vjp(c.derivatives["reverse"], c.values, [s])
        assert_close(value, c.value, AGREEMENT[c.precision])
        _, tangent = c.bench.jvp(c.derivatives["forward"], c.values, [c.directions[0]])
        scale = np.linalg.norm(gradient) * np.linalg.norm(c.directions[0]) + np.linalg.norm(s) * np.linalg.norm(tangent)
        assert abs(gradient @ c.directions[0] - s @ tangent) <= AGREEMENT[c.precision] * scale
        assert_close([gradient @ v for v in c.directions], [s @ d for d in c.differences], 10 * TOLERANCES[c.precision])


@everywhere
def test_vector_forward(program: Program) -> None:
    c = case(program)
    value, *tangents = c.bench.jvp(c.derivatives["vector forward"], c.values, c.directions)
    assert_close(value, c.value, AGREEMENT[c.precision])
    for v, tangent in zip(c.directions, tangents, strict=True):
        _, alone = c.bench.jvp(c.derivatives["forward"], c.values, [v])
        assert_close(tangent, alone, AGREEMENT[c.precision])


@everywhere
def test_vector_reverse(program: Program) -> None:
    c = case(program)
    value, *gradients = c.bench.vjp(c.derivatives["vector reverse"], c.values, c.seeds)
    assert_close(value, c.value, AGREEMENT[c.precision])
    for s, gradient in zip(c.seeds, gradients, strict=True):
        _, alone = c.bench.vjp(c.derivatives["reverse"], c.values, [s])
        assert_close(gradient, alone, AGREEMENT[c.precision])


@everywhere
def test_second_order(program: Program) -> None:
    """The forward derivative of the reverse derivative, by its inputs and by its seeds."""
    c = case(program)
    gradient, values = c.second_bench.entry, seeded(c)
    v = np.random.default_rng(1).normal(size=len(gradient.input(values)))
    value, tangent = c.second_bench.jvp(c.second, values, [v])
    assert_close(value, c.bench.run(c.derivatives["reverse"], values), AGREEMENT[c.precision])
    expected = central_difference(
        lambda h: c.second_bench.run(gradient, gradient.moved(values, h * v)), STEPS[c.precision] / 2
    )
    assert_close(tangent, expected, 10 * TOLERANCES[c.precision])


def seeded(c: Case) -> list[Any]:
    """Operands of the reverse derivative: the program's own, with random seeds as shadows."""
    rng = np.random.default_rng(2)
    operands: list[Any] = []
    for value, type, active in zip(c.values, c.function.parameters, c.function.active, strict=True):
        operands.append(value)
        if active and type.is_pointer:
            operands.append(rng.normal(size=value.shape).astype(value.dtype))
    if c.function.result.kind != "void":
        operands.append(0.7)
    return operands
