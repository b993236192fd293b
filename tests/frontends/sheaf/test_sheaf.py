"""The language as a whole: errors with their places, compiling, random streams, modules, effects."""

from __future__ import annotations

from pathlib import Path

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from gradir.frontends.sheaf import Program, SheafError
from gradir.frontends.sheaf.reader import Incomplete


def program(text: str = "") -> Program:
    return Program(text, name="model.shf")


def test_an_error_shows_the_line_the_place_and_the_way_there() -> None:
    p = program("(defn layer [x w]\n  (@ x w))\n\n(defn net [x]\n  (layer x (zeros [4 2])))")
    with pytest.raises(SheafError) as caught:
        p.net(np.zeros((1, 3), np.float32))
    assert str(caught.value).splitlines()[1:] == [
        " --> model.shf:2:3",
        "  |",
        "2 |   (@ x w))",
        "  |   ^^^^^^^",
        "  = x is f32[1x3] (model.shf:2:6)",
        "  = w is f32[4x2] (model.shf:2:8)",
        "  = in layer, called (model.shf:5:3)",
    ]


def test_a_missing_parenthesis_is_blamed_on_the_definition_before() -> None:
    with pytest.raises(Incomplete) as caught:
        program("(defn f [x]\n  (* x 2)\n\n(defn g [x] x)\n")
    assert "model.shf:1:1" in str(caught.value) and "model.shf:4:1" in str(caught.value)


def test_functions_are_compiled_once_for_each_shape(capfd: pytest.CaptureFixture[str]) -> None:
    p = program("(defn f [x r] (* x r))")
    for n in (2, 3, 2, 3):
        for rate in (0.5, 0.25):
            np.testing.assert_array_equal(p.f(np.ones(n, np.float32), rate), np.full(n, rate, np.float32))
    assert len(p.evaluator._compiled) == 2


def test_whole_numbers_are_built_in_only_where_they_must_be() -> None:
    p = program("(defn f [x n] (* x n)) (defn g [x n] (reshape x [n -1]))")
    for n in (1, 2, 3):
        p.f(np.ones(6, np.float32), n)
        assert p.g(np.ones(6, np.float32), n).shape == (n, 6 // n)
    assert len(p.evaluator._compiled) == 1 + 3


def test_what_prints_is_not_compiled(capsys: pytest.CaptureFixture[str]) -> None:
    p = program('(defn f [x] (print "x is {}" (sum x)) (* x 2)) (defn g [x] (f x))')
    for _ in range(2):
        p.g(np.ones(2, np.float32))
    assert capsys.readouterr().out == "x is 2.0\nx is 2.0\n"


def test_random_numbers_are_those_of_jax() -> None:
    p = program()
    key = jax.random.key(7)
    for text, wanted in (
        ("(random-normal (random-key 7) [3 2])", jax.random.normal(key, (3, 2))),
        ("(random-uniform (random-key 7) [5])", jax.random.uniform(key, (5,))),
        ("(random-randint (random-key 7) [5] 0 10)", jax.random.randint(key, (5,), 0, 10)),
        (
            "(random-normal (second (random-split (random-key 7))) [2])",
            jax.random.normal(jax.random.split(key)[1], (2,)),
        ),
        ("(choice (random-key 7) (arange 9) [4] :replace false)", jax.random.choice(key, jnp.arange(9), (4,), False)),
        ("(xavier-normal (random-key 7) [4 4])", jax.nn.initializers.glorot_normal()(key, (4, 4))),
        ("(random-bernoulli (random-key 7) 0.3 [8])", jax.random.bernoulli(key, 0.3, (8,))),
    ):
        np.testing.assert_array_equal(p.run(text), wanted)


def test_modules_are_found_beside_the_program_and_loaded_once(tmp_path: Path) -> None:
    (tmp_path / "layers.shf").write_text("(defn double [x] (* 2 x))")
    p = Program("(use layers) (use layers) (defn f [x] (double x))", folder=tmp_path)
    assert p.f(4) == 8


def test_guards_look_into_compiled_loops_and_derivatives() -> None:
    p = program("(defn f [x] (sum (second (scan (fn [c y] (guard :range [0 10] (+ c y))) 0.0 x))))")
    assert p.f(np.array([1, 2, 3], np.float32)) == 10
    for call in (p.f, lambda x: p.run("(grad f)")(x)):
        with pytest.raises(SheafError, match=r"values from 11.0 to 11.0 are not within 0.0 to 10.0"):
            call(np.array([5, 6, 7], np.float32))


def test_the_first_op_that_makes_nan_is_named() -> None:
    p = program("(defn f [x]\n  (let [a (- x 3)\n        b (sqrt a)]\n    (sum (* b b))))")
    with pytest.raises(SheafError) as caught:
        p.evaluator.replayed(lambda: p.f(np.array([1.0, 5.0], np.float32)), watch=True)
    assert "the first op that made NaN" in str(caught.value) and "model.shf:3:11" in str(caught.value)


def test_functions_are_usable_in_jax() -> None:
    p = program("(defn loss [p x] (mean (square (- (@ x (get p :w)) (get p :b)))))")
    parameters = {"w": jnp.arange(3.0), "b": jnp.ones(())}
    x = jnp.ones((2, 3))
    value, gradient = jax.jit(jax.value_and_grad(p.loss))(parameters, x)
    assert value == 4.0 and gradient["b"] == -4.0
    np.testing.assert_array_equal(jax.vmap(p.loss, (None, 0))(parameters, x), [4.0, 4.0])


@pytest.mark.parametrize(
    "text",
    [
        "(fn [x] (sum (map (fn [y] (* y y)) x)))",
        "(fn [x] (reduce (fn [a y] (+ (* a 0.5) (sin y))) 0.0 x))",
        "(fn [x] (if (> (sum x) 0) (sum (exp x)) (sum (cos x))))",
        "(fn [x] (repeat [i 4] [a (sum x)] (+ (* a a 0.1) (get x 1))))",
        "(fn [x] (case (int (get x 0)) 0 (sum x) 1 (sum (* x x)) (sum (** x 3))))",
        "(fn [x] (sum (tanh (@ (reshape x 2 2) (reshape x 2 2)))))",
        "(fn [x] (sparse-cross-entropy (reshape x 2 2) [0 1] :i32))",
    ],
)
@pytest.mark.parametrize("seed", [0, 1])
def test_derivatives_against_differences(text: str, seed: int) -> None:
    """Central differences of step h in f64 are off by h² times the third derivative: 1e-4 is far above both errors."""
    x = np.random.default_rng(seed).uniform(0.2, 1.8, 4)
    with jax.enable_x64(True):
        f = program().run(text)
        gradient = np.asarray(program().run(f"(grad {text})")(jnp.asarray(x)))
        step = 1e-5
        differences = [
            (float(f(jnp.asarray(x + step * e))) - float(f(jnp.asarray(x - step * e)))) / (2 * step) for e in np.eye(4)
        ]
    np.testing.assert_allclose(gradient, differences, rtol=1e-4, atol=1e-4)
