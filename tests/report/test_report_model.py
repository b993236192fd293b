"""What a report says of a StableHLO program, against what is known of the program otherwise."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from programs import gpt

import gradir
import gradir.expressions
from gradir.errors import InputError, RequestError
from gradir.frontends.sheaf import Program
from gradir.report.model import Derived, Model, Place, Role
from gradir.tensor.analysis.cost import total

PROGRAM = """\
func.func @f(%x: tensor<4x3xf32>, %w: tensor<3x2xf32>, %b: tensor<4x2xf32>) -> tensor<f32> {
  %xw = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<4x3xf32>, tensor<3x2xf32>) -> tensor<4x2xf32>
  %c = stablehlo.cosine %b : tensor<4x2xf32>
  %y = stablehlo.tanh %xw : tensor<4x2xf32>
  %z = stablehlo.multiply %y, %c : tensor<4x2xf32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %sum = stablehlo.reduce(%z init: %zero) applies stablehlo.add across dimensions = [0, 1] : (tensor<4x2xf32>, tensor<f32>) -> tensor<f32>
  return %sum : tensor<f32>
}
"""  # noqa: E501


@pytest.fixture(scope="module")
def path(written: Callable[[str, str], Path]) -> Path:
    return written("f.mlir", PROGRAM)


@pytest.fixture(scope="module")
def model(path: Path) -> Model:
    return gradir.load(path).report("f", wrt=(0, 1)).model


def with_word(model: Model, word: str) -> list[Derived]:
    return [line for line in model.lines if word in line.text]


def test_the_source_is_shown_as_it_is(model: Model) -> None:
    [source] = model.sources
    assert [line.text for line in source.lines] == PROGRAM.splitlines()
    assert [line.number for line in source.lines] == list(range(1, 10))
    assert source.language == "MLIR"


def test_the_derivative_that_is_shown_is_the_one_that_runs(model: Model, path: Path) -> None:
    rng = np.random.default_rng(0)
    args = [rng.normal(size=s).astype(np.float32) for s in ((4, 3), (3, 2), (4, 2), ())]
    shown = gradir.load("\n".join(line.text for line in model.lines)).run("vjp_f", *args)
    made = gradir.load(path).vjp("f", (0, 1)).run("vjp_f", *args)
    for a, b in zip(shown, made, strict=True):
        np.testing.assert_array_equal(a, b)


def test_lines_are_linked_in_both_directions(model: Model) -> None:
    [source] = model.sources
    there = {(line.number, d) for line in source.lines for d in line.derived}
    back = {(place.line, line.number) for line in model.lines for place in line.places}
    assert there == back
    assert {line.places for line in with_word(model, "dot_general")} == {(Place(0, 2),)}
    assert len(with_word(model, "dot_general")) == 3  # the product and its two transposes


def test_active_is_what_depends_on_the_chosen_arguments(model: Model) -> None:
    [source] = model.sources
    assert {line.number for line in source.lines if line.is_active} == {2, 4, 5, 7}  # not the cosine of %b


def test_roles(model: Model) -> None:
    [first, *others] = with_word(model, "dot_general")
    assert first.role is Role.primal
    assert {line.role for line in others} == {Role.shadow}
    assert {line.role for line in with_word(model, "tanh")} == {Role.primal}
    assert {line.role for line in with_word(model, "subtract")} == {Role.partial}  # 1 - tanh²
    assert not any(line.role is Role.again for line in model.lines)


def test_operations_by_hand(model: Model) -> None:
    """A product of 4x3 and 3x2 takes 2·4·3·2 operations, and so do its transposes."""
    assert [line.cost.operations for line in with_word(model, "dot_general")] == [48, 48, 48]
    assert [line.cost.bytes for line in with_word(model, "dot_general")] == [4 * (12 + 6 + 8)] * 3
    [source] = model.sources
    assert source.lines[1].cost.operations == 3 * 48
    assert source.lines[1].primal.operations == 48


def test_costs_of_lines_add_up_to_that_of_the_program(model: Model, path: Path) -> None:
    whole = gradir.load(path).vjp("f", (0, 1)).ir
    [function] = [op for op in whole.body.operations if "f.reverse" in str(op.attributes["sym_name"])]
    expected = total(view.operation for view in function.regions[0].blocks[0].operations)
    assert sum(line.cost.operations for line in model.lines) == expected.flops
    assert sum(line.cost.bytes for line in model.lines) == expected.bytes


def test_kept_is_what_the_cotangents_need(model: Model) -> None:
    """The tanh, whose slope is of its value, and the cosine, by which the cotangent is multiplied: 4x2 of f32 each."""
    kept = {line.number: line.kept for line in model.sources[0].lines if line.kept}
    assert kept == {3: 32, 4: 32}


def test_rules_by_name_and_line() -> None:
    text = "\n".join(
        [
            "func.func @f(%x: tensor<8xf32>) -> tensor<8xf32> {",
            "  %0 = stablehlo.sine %x : tensor<8xf32>",
            "  %1 = stablehlo.negate %0 : tensor<8xf32>",
            "  %2 = stablehlo.negate %1 : tensor<8xf32>",
            "  return %2 : tensor<8xf32>",
            "}",
        ]
    )
    model = gradir.load(text).report("f").model
    [rule] = [r for r in model.rules if r.name == "neg_neg"]
    assert rule.times == 1 and rule.family == "algebra"
    assert rule.saved.operations == 16  # two negations of 8 numbers
    before, after = model.graphs
    assert sum(n.label == "negate" for n in before.nodes) > 0
    assert sum(n.label == "negate" for n in after.nodes) == 0


def test_a_program_of_no_file_is_shown_as_it_is_printed() -> None:
    model = gradir.load(PROGRAM).report("f").model
    assert "shown as MLIR" in model.notes[0]
    [source] = model.sources
    assert any("dot_general" in line.text and line.derived for line in source.lines)


def loop(w: jax.Array, x: jax.Array) -> jax.Array:
    def body(i: int, x: jax.Array) -> jax.Array:
        return jnp.sin(w @ x)  # in a loop

    return jnp.sum(jax.lax.fori_loop(0, 10, body, x))


@pytest.fixture(scope="module")
def looping() -> gradir.Module:
    return gradir.load(jax.jit(loop).lower(jnp.ones((4, 4)), jnp.ones(4)))


def test_jax_is_linked_to_python(looping: gradir.Module) -> None:
    model = looping.report("main", (0, 1), title="loop").model
    [source] = model.sources
    assert source.name == __file__ and source.language == "Python"
    [line] = [line for line in source.lines if line.text.endswith("# in a loop")]
    texts = [model.lines[n - 1].text for n in line.derived]
    assert line.is_active
    assert any("cosine" in t for t in texts) and any("dot_general" in t for t in texts)
    assert (model.function, model.derivative) == ("loop", "vjp_loop")


@pytest.mark.parametrize(("policy", "recomputes"), [("none", False), ("full", True)])
def test_recomputed_under_a_policy(looping: gradir.Module, policy: str, recomputes: bool) -> None:
    with gradir.checkpointing(policy):
        report = looping.report("main", (0, 1))
        memory = looping.memory_report("main", (0, 1), policies=[policy])
    again = [line for line in report.model.lines if line.role is Role.again and line.cost.operations]
    assert bool(again) is recomputes is bool(memory[policy].recomputed)
    assert any(line.is_recomputed for line in report.model.sources[0].lines) is recomputes


def test_costs_of_loops_count_their_rounds(looping: gradir.Module) -> None:
    with gradir.checkpointing("none"):
        model = looping.report("main", (0, 1)).model
    first = next(line for line in with_word(model, "dot_general") if line.role is Role.primal)
    assert first.cost.operations == 10 * 2 * 4 * 4


def test_a_loop_of_unknown_length_is_said_to_be_one() -> None:
    def f(x: jax.Array) -> jax.Array:
        return jax.lax.while_loop(lambda x: jnp.sum(x) < 9, lambda x: x * 1.5, x)

    model = gradir.load(jax.jit(f).lower(jnp.ones(3))).report().model
    assert any("run time only" in note for note in model.notes)


def test_lines_of_gradir_itself_are_no_source() -> None:
    """What a front end of gradir's traced on someone's behalf has its own lines for places."""
    function = gradir.expressions.Var("x", (3,))
    model = (function * function).stablehlo().report("forward").model
    assert not any("src/gradir" in source.name for source in model.sources)


SHEAF = """\
(defn twice [f x] (f (f x)))

(defn loss [x]
  (let [y (twice (fn [u] (tanh u)) x)]
    (if (> (first (shape y)) 2)
      (sum (* y
              (sin y)))
      (softmax y))))
"""


def test_a_sheaf_program_has_lines_of_its_own(written: Callable[[str, str], Path]) -> None:
    """Calls, functions that others call, and special forms: each op is of the innermost form around it."""
    path = written("model.shf", SHEAF)
    program = Program(path.read_text(), name=str(path))
    module = gradir.load(jax.jit(program.loss).lower(jnp.ones(3)))
    model = module.report("main").model
    [source] = [source for source in model.sources if source.language == "Sheaf"]
    assert [line.text for line in source.lines] == SHEAF.splitlines()
    assert {line.number for line in source.lines if line.derived} == {4, 6, 7}
    assert {place.line for line in with_word(model, "tanh") for place in line.places} == {4}
    assert {place.line for line in with_word(model, "sine") for place in line.places} == {7}


def test_forward_mode(path: Path) -> None:
    model = gradir.load(path).report("f", wrt=1, mode="forward").model
    assert model.derivative == "jvp_f" and model.mode == "forward"
    assert [line.role for line in with_word(model, "dot_general")] == [Role.primal, Role.shadow]


def test_a_gpt_step_is_small_and_complete() -> None:
    loss, (params, tokens) = gpt(2, width=16, heads=2, vocabulary=32, length=8)
    leaves, tree = jax.tree.flatten(params)

    def flat(*args: jax.Array) -> jax.Array:
        return loss(jax.tree.unflatten(tree, args[:-1]), args[-1])

    module = gradir.load(jax.jit(flat, keep_unused=True).lower(*leaves, tokens))
    report = module.report("main", tuple(range(len(leaves))), title="gpt")
    assert len(report.html) < 3_000_000
    names = [source.name for source in report.model.sources]
    assert any(name.endswith("programs.py") for name in names)
    costly = [line for line in report.model.lines if line.cost.operations > 100]
    assert sum(bool(line.places) for line in costly) > 0.95 * len(costly)
    assert {g.title for g in report.model.graphs} == {"Before optimisation", "After optimisation"}


def test_an_unknown_function_is_refused(path: Path) -> None:
    with pytest.raises(InputError, match="no function @g"):
        gradir.load(path).report("g")
    with pytest.raises(RequestError, match="mode='sideways'"):
        gradir.load(path).report("f", mode="sideways")
    with pytest.raises(RequestError):
        gradir.load(path).report("f", wrt=7)
