"""`gradir show` at the command line."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import jax
import numpy as np
import pytest

from gradir.cli import main

MODEL = """
(defn f [x y] (+ (* x y) x))
(defn loss [p x y] (mean (square (- (sigmoid (+ (@ x (get p :W)) (get p :b))) y))))
(def params {:p {:W [[1] [2]] :b [0]}})
(def data {:x [[1 0] [0 1] [1 1]] :y [[0.5] [0.5] [1]]})
(defn learn [learning-rate g] (- 1 (* learning-rate g)))
"""
MLIR = """
func.func @f(%x: tensor<f32>, %y: tensor<f32>) -> tensor<f32> {
  %0 = stablehlo.multiply %x, %y : tensor<f32>
  %1 = stablehlo.add %0, %x : tensor<f32>
  return %1 : tensor<f32>
}
"""
PYTHON = """
import jax.numpy as jnp

def g(A, v, scale=2.0):
    return scale * (v @ A @ v)
"""


@pytest.fixture
def files(tmp_path: Path) -> dict[str, str]:
    made = {}
    for name, text in (("model.shf", MODEL), ("f.mlir", MLIR), ("g.py", PYTHON)):
        (tmp_path / name).write_text(text)
        made[name] = str(tmp_path / name)
    return made


def show(capsys: pytest.CaptureFixture[str], *arguments: str, code: int = 0) -> str:
    assert main(["show", *arguments]) == code
    said = capsys.readouterr()
    return (said.err if code else said.out).rstrip("\n")


def test_sheaf(files: dict[str, str], capsys: pytest.CaptureFixture[str]) -> None:
    # Its arguments are called as the loss's data are, which don't fit.
    assert show(capsys, files["model.shf"], "--fn", "f", "--grad", "x") == "(+ y 1)"
    assert show(capsys, files["model.shf"], "--fn", "f") == "(+ (* x y) x)"
    assert show(capsys, "-e", "(grad (fn [x y] (+ (* x y) x)) x)") == "(+ y 1)"


def test_mlir_with_the_names_of_its_text(files: dict[str, str], capsys: pytest.CaptureFixture[str]) -> None:
    for by, wanted in (("x", "y + 1"), ("0", "y + 1"), ("1", "x")):
        assert show(capsys, files["f.mlir"], "--grad", by, "--as", "formula") == wanted
    text = show(capsys, files["f.mlir"], "--grad", "x", "--as", "mlir")
    assert "func.func @grad_x" in text and text.count("stablehlo.") == 2


def test_python_function(files: dict[str, str], capsys: pytest.CaptureFixture[str]) -> None:
    said = show(capsys, files["g.py"], "--grad", "v", "--shape", "A=3x3,v=3", "--as", "formula")
    assert said == "2 * (A @ v + Aᵀ @ v)"


def test_parameters_in_a_dictionary(files: dict[str, str], capsys: pytest.CaptureFixture[str]) -> None:
    whole = show(capsys, files["model.shf"], "--fn", "loss", "--grad", "p", "--as", "formula")
    assert [line.split(" = ")[0].strip() for line in whole.splitlines()] == ["grad_W", "grad_b", "where u", "and t"]
    by_leaf = show(capsys, files["model.shf"], "--fn", "loss", "--grad", "p.W", "--as", "python")
    names: dict[str, Any] = {}
    exec(by_leaf, names)
    rng = np.random.default_rng(0)
    W, b, x, y = (rng.normal(size=s).astype(np.float32) for s in ((2, 1), (1,), (3, 2), (3, 1)))

    def loss(W: Any) -> Any:
        return jax.numpy.mean((jax.nn.sigmoid(x @ W + b) - y) ** 2)

    # In f32, whose last bit is 1.2e-7.
    np.testing.assert_allclose(names["grad_W"](W, b, x, y), jax.jit(jax.grad(loss))(W), rtol=1e-5, atol=1e-6)


def test_names_with_dashes(files: dict[str, str], capsys: pytest.CaptureFixture[str]) -> None:
    arguments = (files["model.shf"], "--fn", "learn", "--grad", "g")
    assert show(capsys, *arguments) == "(- learning-rate)"
    assert show(capsys, *arguments, "--as", "formula") == "-learning_rate"


@pytest.mark.parametrize(
    ("arguments", "says", "code"),
    [
        (["{model.shf}"], "--fn names one of f, learn, loss", 2),
        (["{model.shf}", "--fn", "lss"], "did you mean loss?", 2),
        (["{model.shf}", "--fn", "f", "--grad", "z"], "there are x, y", 2),
        (["{f.mlir}", "--grad", "z"], "there are x, y; a number counts them from 0", 2),
        (["{f.mlir}", "--grad", "x", "--shape", "x=3"], "--shape is for .py and .shf files", 2),
        (["{g.py}", "--grad", "v"], "give shapes, as in --shape A=2x8", 3),
        (["{g.py}", "--grad", "v", "--shape", "A=3y3"], "shapes look like", 2),
        (["{g.py}", "--shape", "B=3"], "there is no argument 'B'", 2),
        (["-e", "(fn [x] (* 2 x))", "--grad", "x", "--shape", "x=3"], "take the sum or the mean", 2),
        (["-e", "(fn [x] (* 2 x)"], "^", 3),
        (["-e", "3"], "a function is wanted here", 3),
        (["missing.shf"], "no such file", 3),
        ([], "name a file", 2),
        (["-e", "(fn [x] (sum (sort x)))", "--grad", "x", "--shape", "x=3"], "--as mlir", 3),
    ],
)
def test_what_is_wrong_is_said(
    arguments: list[str], says: str, code: int, files: dict[str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    given = [files.get(a.strip("{}"), a) for a in arguments]
    assert says in show(capsys, *given, code=code)
