"""With `strong_zero`, a shadow that is zero stays zero, whatever it meets: 0·inf and 0·nan are 0, in every rule."""

from __future__ import annotations

import numpy as np
import pytest
from cases import CASES, Case
from exam import Arrays, Exam, compiled, complaint, derivative, fastest, is_float, some_of_each

from gradir.request import Activity, Mode

POISON = np.array([np.inf, -np.inf, np.nan])


class Poisoned(Exam):
    """Shadows of ones and zeros, at a point where numbers are infinite or undefined wherever `zero(shape)` is."""

    def __init__(self, case: Case) -> None:
        super().__init__(case)
        self.clean = self.values
        self.values = [self.poisoned(x) if x.dtype.kind in "fc" else x for x in self.clean]
        self.at = self.given(self.values)

    def zero(self, shape: tuple[int, ...]) -> np.ndarray:
        """Everywhere."""
        return np.ones(shape, bool)

    def poisoned(self, x: np.ndarray) -> np.ndarray:
        poison = np.empty(x.shape, x.dtype)
        poison.real = self.rng.choice(POISON, x.shape)
        if np.iscomplexobj(x):
            poison.imag = self.rng.choice(POISON, x.shape)
        return np.where(self.zero(x.shape), poison, x)

    def shapes(self) -> list[tuple[int, ...]]:
        """Of the results."""
        if self.function.is_static:
            lead = (self.replicas,) * self.lead
            return [(*lead, *s.shape) for s in self.outputs]  # type: ignore[misc]
        return [y.shape for y in compiled(self.module, "f", fastest(self.case))(*self.clean)]

    def ask(self, mode: Mode, values: Arrays) -> None:
        """The derivative at a point; shadows are drawn the same way each time."""
        rng = np.random.default_rng(0)
        forward = mode is Mode.forward
        active, result = (Activity.dup, Activity.dupnoneed) if forward else (Activity.active, Activity.activenoneed)

        def shadow(spec, shape):  # type: ignore[no-untyped-def]
            drawn = np.asarray(rng.normal(size=shape)).astype(spec.dtype)
            return self.paper.argument(np.where(self.zero(shape), 0, drawn).astype(spec.dtype), spec)

        arguments = [
            (x, active, shadow(x[1], v.shape) if forward else None) if is_float(x[1]) else (x, Activity.const, None)
            for x, v in zip(self.given(values), values, strict=True)
        ]
        results = [
            (s, result, None if forward else shadow(s, shape)) if is_float(s) else (s, Activity.constnoneed, None)
            for s, shape in zip(self.outputs, self.shapes(), strict=True)
        ]
        op, operands, types = derivative(mode, "f", arguments, results, strong_zero=True)
        self.paper.ask(f"{mode.value} mode", op, operands, types, [None] * len(types))

    def answers(self) -> list[tuple[str, np.ndarray]]:
        got = compiled(self.lowered(), "check", fastest(self.case))(*self.paper.arguments)
        return [(what, x) for (what, _), x in zip(self.paper.expected, got, strict=True)]


DIFFERENTIATED = list(some_of_each([c for c in CASES if {"forward", "reverse"} & set(c.modes)], 3))


@pytest.mark.parametrize("case", DIFFERENTIATED, ids=[c.id for c in DIFFERENTIATED])
def test_zero_stays_zero(case: Case) -> None:
    exam = Poisoned(case)
    if not exam.differentiable:
        return
    for mode in Mode:
        if mode.value in case.modes:
            exam.ask(mode, exam.values)
    for what, x in exam.answers():
        assert not np.any(x), f"{case.op} ({case.label}), {what}: {x}"


class HalfPoisoned(Poisoned):
    """Elementwise: what is zero in one place has nothing to do with what is not zero in another."""

    def zero(self, shape: tuple[int, ...]) -> np.ndarray:
        return (np.arange(np.prod(shape, dtype=int)) % 2 == 0).reshape(shape)


def _is_elementwise(case: Case) -> bool:
    exam = Exam(case)
    return exam.differentiable and len({s.shape for s in (*exam.inputs, *exam.outputs)}) == 1


ELEMENTWISE = [
    c for c in CASES if c.op.startswith(("stablehlo.multiply", "stablehlo.divide", "stablehlo.power", "chlo.erf_inv"))
] + [c for c in CASES if c.op in ("stablehlo.sqrt", "stablehlo.log", "stablehlo.abs", "chlo.lgamma", "chlo.acosh")]
ELEMENTWISE = [c for c in ELEMENTWISE if _is_elementwise(c)]


@pytest.mark.parametrize("case", ELEMENTWISE, ids=[c.id for c in ELEMENTWISE])
def test_others_stay_what_they_are(case: Case) -> None:
    exam = HalfPoisoned(case)
    for values in (exam.clean, exam.values):
        for mode in Mode:
            exam.ask(mode, values)
    answers = exam.answers()
    half = len(answers) // 2
    for (what, expected), (_, got) in zip(answers[:half], answers[half:], strict=True):
        said = complaint(got, expected, 1e-12)
        assert said is None, f"{case.op} ({case.label}), {what}: {said}"
        assert np.any(got), "the other half has a derivative"


def test_without_it_zero_is_lost() -> None:
    """What the flag is for."""
    case = next(c for c in CASES if c.id == "stablehlo.multiply: real")
    exam = Poisoned(case)
    values, zero = exam.given(exam.values), exam.paper.argument(np.zeros(4), exam.outputs[0])
    op, operands, types = derivative(
        Mode.reverse,
        "f",
        [(x, Activity.active, None) for x in values],
        [(exam.outputs[0], Activity.activenoneed, zero)],
    )
    exam.paper.ask("reverse mode", op, operands, types, [None] * 2)
    assert all(np.isnan(x).all() for _, x in exam.answers())


def product(a: str, b: str, result: str) -> Case:
    text = f"""func.func public @f(%a: {a}, %b: {b}) -> {result} {{
      %r = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : ({a}, {b}) -> {result}
      return %r : {result}
    }}"""
    return Case("stablehlo.dot_general", "a row of infinities", text, lambda rng: [np.ones((2, 3)), np.ones((3, 2))])


def test_a_row_of_a_matrix_product() -> None:
    """Row 0 of `a` meets row 0 of the cotangent only, which is zero: the gradient of `b` is the other row's."""
    exam = Poisoned(product("tensor<2x3xf64>", "tensor<3x2xf64>", "tensor<2x2xf64>"))
    a = np.array([[np.inf, np.nan, -np.inf], [1.0, 2.0, 3.0]])
    b, c = np.arange(6.0).reshape(3, 2), np.array([[0.0, 0.0], [5.0, 7.0]])
    operands = exam.given([a, b])
    ct = exam.paper.argument(c, exam.outputs[0])
    op, values, types = derivative(
        Mode.reverse,
        "f",
        [(x, Activity.active, None) for x in operands],
        [(exam.outputs[0], Activity.activenoneed, ct)],
        strong_zero=True,
    )
    exam.paper.ask("reverse mode", op, values, types, [None] * 2)
    (_, da), (_, db) = exam.answers()
    np.testing.assert_allclose(da, c @ b.T)
    np.testing.assert_allclose(db, np.outer(a[1], c[1]))


def test_an_image_of_a_convolution() -> None:
    """Image 0 meets only zeros of the cotangent: the gradient of the kernel is the other image's."""
    x, k, y = "tensor<2x4x1xf64>", "tensor<2x1x1xf64>", "tensor<2x3x1xf64>"
    text = f"""func.func public @f(%x: {x}, %k: {k}) -> {y} {{
      %y = stablehlo.convolution(%x, %k) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {{}}
        {{batch_group_count = 1 : i64, feature_group_count = 1 : i64}} : ({x}, {k}) -> {y}
      return %y : {y}
    }}"""
    exam = Exam(Case("stablehlo.convolution", "", text, lambda rng: [np.zeros((2, 4, 1)), np.zeros((2, 1, 1))]))
    images, kernel, c = np.arange(8.0).reshape(2, 4, 1), np.array([2.0, 3.0]).reshape(2, 1, 1), np.ones((2, 3, 1))
    images[0], c[0] = POISON[[0, 1, 2, 0], None], 0
    ct = exam.paper.argument(c, exam.outputs[0])
    op, values, types = derivative(
        Mode.reverse,
        "f",
        [(v, Activity.active, None) for v in exam.given([images, kernel])],
        [(exam.outputs[0], Activity.activenoneed, ct)],
        strong_zero=True,
    )
    exam.paper.ask("reverse mode", op, values, types, [None] * 2)
    dx, dk = compiled(exam.lowered(), "check", "xla")(*exam.paper.arguments)
    np.testing.assert_allclose(dx[..., 0], [[0, 0, 0, 0], [2, 5, 5, 3]])
    np.testing.assert_allclose(dk.ravel(), [4 + 5 + 6, 5 + 6 + 7])
