"""Loops whose length is known at run time only, in reverse mode: right for any length and number of slots, on every
back end, and no round is run more often than the slots make necessary."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from fuzzing import interpreter
from fuzzing.interpreter import Interpreter

import gradir
from gradir.errors import NoRule, RequestError

PROGRAM = """
func.func @main(%x: tensor<2xf64>, %w: tensor<2xf64>, %n: tensor<i32>) -> tensor<2xf64> {{
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %r:3 = stablehlo.while(%i = %zero, %y = %x, %k = %w) : tensor<i32>, tensor<2xf64>, tensor<2xf64> attributes {{{attributes}}}
  cond {{
    %goes = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %goes : tensor<i1>
  }} do {{
    %one = stablehlo.constant dense<1> : tensor<i32>
    %j = stablehlo.add %i, %one : tensor<i32>
    %f = stablehlo.convert %i : (tensor<i32>) -> tensor<f64>
    %phase = stablehlo.broadcast_in_dim %f, dims = [] : (tensor<f64>) -> tensor<2xf64>
    %a = stablehlo.multiply %y, %k : tensor<2xf64>
    %b = stablehlo.add %a, %phase : tensor<2xf64>
    %s = stablehlo.sine %b : tensor<2xf64>
    %t = stablehlo.reverse %s, dims = [0] : tensor<2xf64>
    stablehlo.return %j, %t, %k : tensor<i32>, tensor<2xf64>, tensor<2xf64>
  }}
  return %r#1 : tensor<2xf64>
}}
"""  # noqa: E501
X, W, CT = np.array([0.3, -0.8]), np.array([1.7, 1.4]), np.array([0.9, -1.1])


def exact(n: int) -> list[np.ndarray]:
    """Value and derivatives, round by round."""
    states = [X]
    for i in range(n):
        states.append(np.sin(states[-1] * W + i)[::-1])
    ct, dw = CT, np.zeros(2)
    for i in reversed(range(n)):
        d = ct[::-1] * np.cos(states[i] * W + i)
        ct, dw = d * W, dw + d * states[i]
    return [states[-1], ct, dw]


def derivative(attributes: str = "", dtype: str = "f64") -> gradir.Module:
    text = PROGRAM.format(attributes=attributes).replace("f64", dtype)
    return gradir.load(text).vjp(wrt=(0, 1), name="d")


@pytest.mark.parametrize("slots", [2, 3, 4, 7, 16, 64])
def test_any_length_with_any_number_of_slots(slots: int) -> None:
    run = Interpreter(derivative(f"gradir.checkpoints = {slots} : i64").ir, entry="d")
    for n in (0, 1, 2, 3, 4, 7, 8, 9, 15, 16, 17, 31, 33, *[100] * (slots > 4)):
        for found, expected in zip(run(X, W, np.int32(n), CT), exact(n), strict=True):
            np.testing.assert_allclose(found, expected, rtol=1e-12, atol=1e-14)


@pytest.mark.parametrize("backend", ["xla", "iree", "reference"])
def test_on_every_back_end(backend: str) -> None:
    """In f32, since IREE has no sine of f64: 21 rounds that may double an error of 6e-8 each, but shrink as often."""
    m = derivative("gradir.checkpoints = 4 : i64", "f32")
    x, w, ct = (v.astype(np.float32) for v in (X, W, CT))
    for n in (0, 3, 21):
        for found, expected in zip(m.run("d", x, w, np.int32(n), ct, backend=backend), exact(n), strict=True):
            np.testing.assert_allclose(found, expected, rtol=1e-4, atol=1e-4 * np.abs(expected).max())


@pytest.mark.parametrize(("slots", "n"), [(64, 32), (64, 500), (16, 400), (8, 300), (4, 60)])
def test_rounds_are_run_again_as_often_as_slots_make_necessary(
    slots: int, n: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The forward loop leaves gaps of at most 4n / slots, which half of the slots reach over in r repetitions."""
    rounds, sine = 0, np.sin

    def counted(x: Any) -> Any:
        nonlocal rounds
        rounds += 1
        return sine(x)

    monkeypatch.setitem(interpreter.ELEMENTWISE, "sine", counted)
    run = Interpreter(derivative(f"gradir.checkpoints = {slots} : i64").ir, entry="d")
    run(X, W, np.int32(n), CT)
    gap, free = max(1, math.ceil(4 * n / slots)), slots // 2
    r = next(r for r in range(100) if math.comb(free + r, r) >= gap)
    assert rounds <= n * (1 + r)


def test_rounds_that_would_not_be_the_same_again_are_refused() -> None:
    draw = """%low = stablehlo.constant dense<0.5> : tensor<f64>
    %high = stablehlo.constant dense<1.5> : tensor<f64>
    %two = stablehlo.constant dense<2> : tensor<1xi64>
    %u = stablehlo.rng %low, %high, %two, distribution = UNIFORM
      : (tensor<f64>, tensor<f64>, tensor<1xi64>) -> tensor<2xf64>
    %s = stablehlo.multiply %b, %u : tensor<2xf64>"""
    text = PROGRAM.format(attributes="").replace("%s = stablehlo.sine %b : tensor<2xf64>", draw)
    with pytest.raises(NoRule, match="run again") as refusal:
        gradir.load(text).vjp(wrt=(0, 1), name="d")
    assert "way out" in str(refusal.value) and "<text>:4" in str(refusal.value)


def test_the_number_of_slots_can_be_chosen() -> None:
    with gradir.checkpointing(5):
        assert "tensor<6x2xf64>" in str(derivative())
        assert "tensor<10x2xf64>" in str(derivative("gradir.checkpoints = 9 : i64"))
    assert "tensor<65x2xf64>" in str(derivative())


def test_a_number_of_checkpoints_that_makes_no_sense_is_refused() -> None:
    with pytest.raises(RequestError, match="can't keep 0 states"), gradir.checkpointing(0):
        pass
    for words in ("gradir.checkpoints = 1 : i64", 'gradir.checkpoints = "few"'):
        with pytest.raises(NoRule, match=r"gradir\.checkpoints") as refusal:
            derivative(words)
        assert "way out" in str(refusal.value)
