"""Checkpointing policies: plans, where a policy may be said, and that gradients are those of the default."""

from __future__ import annotations

import math
import re
from pathlib import Path

import numpy as np
import pytest
from test_checkpoints import CT, PROGRAM, W, X, exact

import gradir
from gradir.cli import main
from gradir.errors import NoRule, RequestError
from gradir.policy import Policy, policy_now
from gradir.tensor.analysis.counting import count
from gradir.tensor.analysis.schedule import Plan, plan, slots
from gradir.tensor.ir.module import operations

N = 23
POLICIES = ("none", "full", "sqrt", "periodic:4", "revolve:2", "revolve:6", "budget:100", "budget:1kB")


def program(attributes: str = "", function: str = "", n: int = N) -> str:
    """The loop of unknown length of `test_checkpoints`, with its length known."""
    text = PROGRAM.format(attributes=attributes).replace(", %n: tensor<i32>)", ")")
    text = text.replace("%zero =", f"%n = stablehlo.constant dense<{n}> : tensor<i32>\n  %zero =", 1)
    return text.replace("-> tensor<2xf64> {", f"-> tensor<2xf64> attributes {{{function}}} {{", 1) if function else text


def derivative(attributes: str = "", function: str = "", n: int = N) -> gradir.Module:
    return gradir.load(program(attributes, function, n)).vjp(wrt=(0, 1), name="d")


def agrees(m: gradir.Module, n: int = N) -> None:
    for found, expected in zip(m.run("d", X, W, CT), exact(n), strict=True):
        np.testing.assert_allclose(found, expected, rtol=1e-12, atol=1e-14)  # some ulps of f64 a round


def stacks(m: gradir.Module) -> set[int]:
    """The lengths of the stacks of states, or of what rounds keep."""
    return {int(n) for n in re.findall(r"tensor<(\d+)x2xf64>", str(m))}


# -- plans -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("policy", [*POLICIES, "auto", "revolve:16", "revolve:64", "budget:40kB"])
def test_plans_have_all_rounds(policy: str) -> None:
    for n in (1, 2, 3, 4, 5, 17, 97, 100, 1000, 9973, 100_000, 999_983):
        found = plan(Policy.of(policy), n, 40, 60)
        assert found is None or sum(map(math.prod, found.nests)) == n


@pytest.mark.parametrize("k", [16, 64, 300])
def test_plans_keep_no_more_states_than_they_may(k: int) -> None:
    """And the rounds of the innermost level, which are undone next, are no more than three times that."""
    for n in (10, 100, 1000, 9973, 10_000, 99_991, 100_000):
        found = plan(Policy("revolve", k), n)
        if found is not None:
            *_, last = found.nests
            assert sum(last[:-1]) <= k and last[-1] <= 3 * k


def test_plans_take_few_bytes() -> None:
    for n in (100, 1000, 9973, 99_991, 1_000_000):
        (*_, (segments, rounds)) = plan(Policy("sqrt"), n).nests  # type: ignore[union-attr]
        assert segments + rounds <= 1.25 * 2 * math.sqrt(n)
    assert plan(Policy("budget", 10**6), 100, 10, 10_000) == plan(Policy("auto"), 100), "it is enough for all"
    *_, nest = plan(Policy("budget", 10**6), 1000, 100, 10_000).nests  # type: ignore[union-attr]
    assert len(nest) == 2 and nest[0] * 100 + nest[1] * 10_000 <= 10**6


def test_slots_of_loops_of_unknown_length() -> None:
    assert [slots(Policy.of(p), 1000) for p in ("auto", "none", "full", "sqrt", "revolve:7", "budget:11kB")] == [
        64, 64, 64, 64, 7, 10,
    ]  # fmt: skip
    assert slots(Policy("budget", 1), 1000) == 2


# -- words -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("words", ["", "all", "revolve", "revolve:x", "sqrt:3", "budget:", "budget:3 miles", "none:1"])
def test_words_that_are_no_policy(words: str) -> None:
    with pytest.raises(RequestError, match="no checkpointing policy") as refusal:
        Policy.of(words)
    assert "revolve:STATES" in str(refusal.value)


def test_words() -> None:
    assert [Policy.of(w).amount for w in ("budget:12", "budget:1.5kB", "budget:2 MiB", "budget:1e6")] == [
        12, 1500, 2**21, 10**6,
    ]  # fmt: skip
    for policy in POLICIES:
        assert Policy.of(str(Policy.of(policy))) == Policy.of(policy)


# -- gradients ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("policy", POLICIES)
def test_gradients_are_the_same(policy: str) -> None:
    agrees(derivative(f'gradir.checkpointing = "{policy}"'))


@pytest.mark.parametrize(("policy", "n"), [("full", 3), ("none", 0), ("sqrt", 0), ("full", 300), ("budget:2kB", 30)])
def test_loops_of_unknown_length(policy: str, n: int) -> None:
    with gradir.checkpointing(policy):
        m = gradir.load(PROGRAM.format(attributes="")).vjp(wrt=(0, 1), name="d")
    for found, expected in zip(m.run("d", X, W, np.int32(n), CT), exact(n), strict=True):
        np.testing.assert_allclose(found, expected, rtol=1e-12, atol=1e-14)


@pytest.mark.parametrize("backend", ["iree", "reference"])
def test_on_other_back_ends(backend: str) -> None:
    """In f32, since IREE has no sine of f64; as many roundings as in the loops of `test_checkpoints`."""
    text = program('gradir.checkpointing = "full"').replace("f64", "f32")
    m = gradir.load(text).vjp(wrt=(0, 1), name="d")
    x, w, ct = (v.astype(np.float32) for v in (X, W, CT))
    for found, expected in zip(m.run("d", x, w, ct, backend=backend), exact(N), strict=True):
        np.testing.assert_allclose(found, expected, rtol=1e-4, atol=1e-4 * np.abs(expected).max())


def test_rounds_that_can_not_be_run_again_keep_what_they_need() -> None:
    draw = """%low = stablehlo.constant dense<0.5> : tensor<f64>
    %high = stablehlo.constant dense<1.5> : tensor<f64>
    %two = stablehlo.constant dense<2> : tensor<1xi64>
    %u = stablehlo.rng %low, %high, %two, distribution = UNIFORM
      : (tensor<f64>, tensor<f64>, tensor<1xi64>) -> tensor<2xf64>
    %s = stablehlo.multiply %b, %u : tensor<2xf64>"""
    text = program('gradir.checkpointing = "sqrt"').replace("%s = stablehlo.sine %b : tensor<2xf64>", draw)
    assert N in stacks(gradir.load(text).vjp(wrt=(0, 1), name="d"))


@pytest.mark.parametrize("policy", ["auto", "full", "sqrt", "revolve:6"])
def test_loops_that_a_compiler_can_count(policy: str) -> None:
    """Up from 0 by 1, to below a number: where the length is known, so are those of all the loops made of it."""
    m = derivative(f'gradir.checkpointing = "{policy}"').ir
    counters = [count(op) for op in operations(m) if op.name == "stablehlo.while"]
    assert len(counters) > 1 and all(c is not None and c.step == 1 and c.start == 0 for c in counters)


# -- where it is said --------------------------------------------------------------------------------------------------


def test_a_loop_goes_before_its_function_and_a_function_before_the_program() -> None:
    with gradir.checkpointing("sqrt"):
        assert policy_now() == Policy("sqrt")
        assert N not in stacks(derivative())
        assert 4 in stacks(derivative(function='gradir.checkpointing = "periodic:4"'))
        assert N in stacks(derivative('gradir.checkpointing = "none"', 'gradir.checkpointing = "periodic:4"'))
    assert N in stacks(derivative())


def test_a_function_that_is_called() -> None:
    """Its policy is for what it calls in turn, too; and it goes with the derivative, for the next one."""
    body = program().replace("@main", "@inner").replace("func.func", "func.func private")
    text = f"""{body}
    func.func private @f(%x: tensor<2xf64>, %w: tensor<2xf64>) -> tensor<2xf64> attributes {{POLICY}} {{
      %y = call @inner(%x, %w) : (tensor<2xf64>, tensor<2xf64>) -> tensor<2xf64>
      return %y : tensor<2xf64>
    }}
    func.func @main(%x: tensor<2xf64>, %w: tensor<2xf64>) -> tensor<2xf64> {{
      %y = call @f(%x, %w) : (tensor<2xf64>, tensor<2xf64>) -> tensor<2xf64>
      return %y : tensor<2xf64>
    }}"""
    for policy in ("sqrt", "full"):
        m = gradir.load(text.replace("POLICY", f'gradir.checkpointing = "{policy}"')).vjp(wrt=(0, 1), name="d")
        assert N not in stacks(m)
        agrees(m)
    for wrong in ('gradir.checkpointing = "soon"', "gradir.checkpointing = 1 : i64"):
        with pytest.raises(NoRule, match=r"gradir\.checkpointing is") as refusal:
            gradir.load(text.replace("POLICY", wrong)).vjp("main", name="d")
        assert "way out" in str(refusal.value)


@pytest.mark.parametrize(
    ("attributes", "expected"),
    [
        ("enzyme.enable_checkpointing = true", plan(Policy("sqrt"), N)),
        ("enzyme.enable_checkpointing = true, enzyme.checkpoint_period = 4 : i64", plan(Policy("periodic", 4), N)),
        (
            "enzyme.enable_checkpointing = true, enzyme.checkpoint_period = 8 : i64, enzyme.binomial_checkpointing",
            plan(Policy("revolve", 8), N),
        ),
        ("enzyme.enable_checkpointing = false, enzyme.checkpoint_period = 4 : i64", plan(Policy("auto"), N)),
        ("enzyme.disable_mincut", plan(Policy("none"), N)),
    ],
)
def test_the_attributes_of_the_enzyme_dialect(attributes: str, expected: Plan | None) -> None:
    m = derivative(attributes)
    assert expected is not None and expected.nests[-1][0] in stacks(m)
    agrees(m)


def test_a_period_that_makes_no_sense() -> None:
    with pytest.raises(NoRule, match=r"enzyme\.checkpoint_period is 0"):
        derivative("enzyme.checkpoint_period = 0 : i64")


def test_a_loop_keeps_its_policy_through_forward_mode_and_batching() -> None:
    m = gradir.load(program('gradir.checkpointing = "periodic:4"')).jvp(wrt=0, name="t").vjp("t", wrt=0, name="d")
    assert 4 in stacks(m)
    m = gradir.load(program('gradir.checkpointing = "periodic:4"')).batch(size=3, name="b").vjp("b", wrt=0, name="d")
    assert "tensor<4x3x2xf64>" in str(m)


def test_command_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    source = tmp_path / "f.mlir"
    source.write_text(program())
    for words, length in (("periodic:4", 4), ("none", N)):
        assert main(["diff", str(source), "--checkpoints", words]) == 0
        assert f"tensor<{length}x2xf64>" in capsys.readouterr().out
    assert main(["diff", str(source), "--checkpoints", "often"]) == 2
    assert "no checkpointing policy" in capsys.readouterr().err
