"""Training: the loop, recipes, data, checkpoints, the command line."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from safetensors.numpy import load_file, save_file

from gradir import train
from gradir.cli import main
from gradir.errors import InputError, OutputError
from gradir.train.checkpoint import load_checkpoint, save_checkpoint
from gradir.train.curve import in_terminal, png
from gradir.train.data import read_data
from gradir.train.loop import Diverged, Loop
from gradir.train.session import Session

XOR = Path(__file__).parents[2] / "examples" / "xor.shf"
WANTED = 0.00423934
"""The loss of XOR's last step from these weights, by the right gradient in f64 and f32 alike (to 1e-7)."""

LINE = """
import jax.numpy as jnp
import numpy as np

def loss(p, x, y):
    return jnp.mean((x @ p["w"] + p["b"] - y) ** 2)

params = {"w": np.zeros(3, np.float32), "b": np.float32(0)}
_x = np.random.default_rng(0).normal(size=(53, 3)).astype(np.float32)
data = {"x": _x, "y": (_x @ np.array([1, -2, 3]) + 0.5).astype(np.float32)}
"""


@pytest.fixture
def line(tmp_path: Path) -> Path:
    path = tmp_path / "line.py"
    path.write_text(LINE)
    return path


def test_xor_from_the_published_weights() -> None:
    task = train.load(XOR)
    state = train.run(task)
    assert abs(state.losses[-1] - WANTED) <= 1e-6
    assert task.predict is not None
    predictions = np.asarray(task.predict(task.data["x"], *(state.parameters[n] for n in ("W1", "b1", "W2", "b2"))))
    np.testing.assert_allclose(predictions.ravel(), [0.104, 0.958, 0.947, 0.039], atol=6e-4)  # given to three digits


def by_hand(optimizer: str, recipe: train.Recipe, task: train.Task) -> list[float]:
    """The same training in plain JAX and NumPy's f64, with the formulas as the papers have them."""
    with jax.enable_x64(True):
        p = jax.tree.map(lambda v: np.asarray(v, np.float64), dict(task.parameters))
        data = {n: np.asarray(x, np.float64) for n, x in task.checked_data().items()}
        order = [
            np.asarray(jax.random.permutation(jax.random.fold_in(jax.random.key(recipe.seed), e), 53)) for e in range(4)
        ]
        m = v = jax.tree.map(np.zeros_like, p)
        losses, step, batches = [], 0, 53 // 10
        for epoch in range(recipe.epochs):
            for b in range(batches):
                some = order[epoch][10 * b : 10 * b + 10]
                batch = {n: x[some] for n, x in data.items()}
                value, g = jax.value_and_grad(lambda p, batch=batch: task.loss(**{**p, **batch}))(p)
                losses.append(float(value))
                if recipe.clip:
                    norm = np.sqrt(sum((np.asarray(x) ** 2).sum() for x in jax.tree.leaves(g)))
                    g = jax.tree.map(lambda x, norm=norm: x * min(1, recipe.clip / norm), g)
                share = step / (batches * recipe.epochs)
                rate = recipe.rate * (0.5 * (1 + np.cos(np.pi * share)) if recipe.schedule == "cosine" else 1)
                step += 1
                if optimizer == "sgd":
                    change = g
                elif optimizer == "momentum":
                    change = m = jax.tree.map(lambda m, g: 0.9 * m + g, m, g)
                else:
                    m = jax.tree.map(lambda m, g: 0.9 * m + 0.1 * g, m, g)
                    v = jax.tree.map(lambda v, g: 0.999 * v + 0.001 * g * g, v, g)
                    change = jax.tree.map(
                        lambda m, v, p, t=step: m / (1 - 0.9**t) / (np.sqrt(v / (1 - 0.999**t)) + 1e-8)
                        + (0.01 * p if optimizer == "adamw" else 0),
                        m, v, p,
                    )  # fmt: skip
                p = jax.tree.map(lambda p, c, rate=rate: p - rate * c, p, change)
        return losses


@pytest.mark.parametrize(
    ("optimizer", "more"),
    [
        ("sgd", {}),
        ("momentum", {}),
        ("adam", {}),
        ("adamw", {}),
        ("adam", {"schedule": "cosine"}),
        ("sgd", {"clip": 0.5}),
    ],
)
def test_optimizers_against_their_formulas(line: Path, optimizer: str, more: dict[str, Any]) -> None:
    """f32 against f64, over 20 steps that don't amplify errors: 1e-4 is some hundred roundings."""
    task = train.load(line)
    recipe = train.Recipe(optimizer=optimizer, rate=0.05, epochs=4, batch=10, seed=3, **more)
    np.testing.assert_allclose(train.run(task, recipe).losses, by_hand(optimizer, recipe, task), rtol=1e-4)


def test_a_run_that_stops_anywhere_goes_on_with_the_same_numbers(line: Path, tmp_path: Path) -> None:
    task = train.load(line)
    loop = Loop(task, train.Recipe(optimizer="adam", rate=0.01, epochs=8, batch=10))
    whole = train.run(task, loop.recipe)
    state, draw = loop.start(), random.Random(0)
    while state.step < loop.steps:
        state = loop.advance(state, draw.randint(1, 9))
        save_checkpoint(tmp_path / "c", loop, state)
        state = load_checkpoint(tmp_path / "c", Loop(train.load(line), loop.recipe))
    assert jax.tree.all(jax.tree.map(lambda a, b: bool((a == b).all()), state.parameters, whole.parameters))
    np.testing.assert_array_equal(state.losses, whole.losses)


def test_killed_at_any_moment_it_resumes_to_the_same_bits(line: Path, tmp_path: Path) -> None:
    def command(name: str) -> list[str]:
        files = [
            "--checkpoint",
            str(tmp_path / f"{name}.ckpt"),
            "--resume",
            "-o",
            str(tmp_path / f"{name}.safetensors"),
        ]
        recipe = ["--optimizer", "adam", "--rate", "0.001", "--epochs", "600", "--batch", "10", "--every", "0"]
        return [sys.executable, "-m", "gradir", "train", str(line), *recipe, *files, "--overwrite"]

    subprocess.run(command("whole"), check=True, capture_output=True)
    draw = random.Random(1)
    for _ in range(3):  # twenty by hand; each costs a start
        process = subprocess.Popen(command("killed"), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        until = time.monotonic() + 60
        while not (tmp_path / "killed.ckpt").exists() and process.poll() is None and time.monotonic() < until:
            time.sleep(0.01)
        time.sleep(draw.uniform(0, 0.3))
        process.send_signal(signal.SIGKILL)
        process.wait()
    subprocess.run(command("killed"), check=True, capture_output=True)
    whole, killed = load_file(tmp_path / "whole.safetensors"), load_file(tmp_path / "killed.safetensors")
    assert whole.keys() == killed.keys() == {"p.b", "p.w"}
    for name, array in whole.items():
        np.testing.assert_array_equal(array, killed[name])


def test_a_checkpoint_is_of_its_program_and_recipe(line: Path, tmp_path: Path) -> None:
    loop = Loop(train.load(line), train.Recipe(rate=0.1, epochs=2))
    path = tmp_path / "c.safetensors"
    save_checkpoint(path, loop, loop.advance(loop.start(), 1))
    with pytest.raises(InputError, match=r"rate 0.1 -> 0.2"):
        load_checkpoint(path, Loop(loop.task, train.Recipe(rate=0.2, epochs=2)))
    assert load_checkpoint(path, Loop(loop.task, train.Recipe(rate=0.1, epochs=9))).step == 1
    line.write_text(LINE.replace("** 2", "** 4"))
    with pytest.raises(InputError, match="another program"):
        load_checkpoint(path, Loop(train.load(line), loop.recipe))
    path.write_bytes(path.read_bytes()[:50])
    with pytest.raises(InputError, match="malformed"):
        load_checkpoint(path, loop)


def test_a_full_disk_leaves_the_old_checkpoint(line: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    loop = Loop(train.load(line), train.Recipe(rate=0.1, epochs=9))
    path = tmp_path / "c.safetensors"
    before = loop.advance(loop.start(), 2)
    save_checkpoint(path, loop, before)

    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OutputError, match="No space left"):
        save_checkpoint(path, loop, loop.advance(before, 2))
    assert load_checkpoint(path, loop).step == 2
    assert [p.name for p in tmp_path.iterdir() if p.suffix != ".py"] == ["c.safetensors"]


def test_training_goes_on_when_the_disk_is_full(
    line: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    loop = Loop(train.load(line), train.Recipe(rate=0.1, epochs=40))
    (tmp_path / f".c.safetensors.{'x' * 8}").write_text("of a process that was killed")
    written, is_full = os.fsync, iter([False, True, True])

    def full_for_a_while(handle: int) -> None:
        if next(is_full, False):
            raise OSError(28, "No space left on device")
        written(handle)

    monkeypatch.setattr(os, "fsync", full_for_a_while)
    state = Session(loop, tmp_path / "c.safetensors", every=0).run()
    assert capsys.readouterr().err.count("No space left on device") == 2
    np.testing.assert_array_equal(state.losses, train.run(loop.task, loop.recipe).losses)
    assert load_checkpoint(tmp_path / "c.safetensors", loop).step == 40
    assert [p.name for p in tmp_path.iterdir() if p.suffix != ".py"] == ["c.safetensors"]


def test_nan_is_traced_to_its_op(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "bad.shf"
    path.write_text(
        "(defn loss [w x]\n  (mean (log (- x w))))\n(def params {:w 0.5})\n(def data {:x [1 2 3]})\n"
        "(def train {:rate 10.0 :epochs 50})"
    )
    assert main(["train", str(path)]) == 3
    shown = capsys.readouterr().err
    assert "first op that made NaN" in shown and "bad.shf:2:9" in shown


def test_divergence_is_an_error(line: Path) -> None:
    with pytest.raises(Diverged, match=r"the loss is (inf|nan) in step \d+"):
        train.run(train.load(line), train.Recipe(rate=1e6, epochs=100))


def test_random_keys_are_given_where_they_are_asked_for(tmp_path: Path) -> None:
    path = tmp_path / "noisy.shf"
    path.write_text(
        "(defn loss [w x key] (mean (square (- (* w (dropout key x 0.5)) x))))\n(def params {:w 0.0})\n"
        "(def data {:x (ones [64])})"
    )
    states = [train.run(train.load(path), train.Recipe(rate=0.01, epochs=5, seed=s)) for s in (0, 0, 1)]
    assert (states[0].losses == states[1].losses).all() and (states[0].losses != states[2].losses).any()


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"optimizer": "adm"}, "did you mean adam"),
        ({"schedule": "cosin"}, "did you mean cosine"),
        ({"rate": -1.0}, "rate must be positive"),
        ({"rate": float("nan")}, "rate must be positive"),
        ({"epochs": -1}, "epochs must be a whole number"),
        ({"batch": 0}, "at least one example"),
        ({"epoch": 3}, "did you mean epochs"),
    ],
)
def test_bad_recipes(settings: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError) as caught:
        train.Recipe.of(settings)
    assert message in str(caught.value)


def test_bad_tasks(tmp_path: Path) -> None:
    def of(text: str, suffix: str = ".shf") -> train.Task:
        path = tmp_path / f"t{suffix}"
        path.write_text(text)
        return train.load(path)

    with pytest.raises(InputError, match="no such file"):
        train.load(tmp_path / "nothing.shf")
    with pytest.raises(InputError, match="defines no function 'loss'"):
        of("(def params {:w 1.0})")
    with pytest.raises(InputError, match="where do the parameters begin"):
        of("(defn loss [w] (* w w))")
    with pytest.raises(InputError, match=r"t.py:2: can't run it: ZeroDivisionError"):
        of("x = 1\ny = 1 / 0\n", ".py")
    with pytest.raises(InputError, match=r"can't train a '\.txt' file"):
        of("", ".txt")
    with pytest.raises(InputError, match="there are no data for x"):
        Loop(of("(defn loss [w x] (sum (* w x)))\n(def params {:w 1.0})"), train.Recipe())
    with pytest.raises(InputError, match="x 2, y 3"):
        Loop(of("(defn loss [w x y] w)\n(def params {:w 1.0})\n(def data {:x [1 2] :y [1 2 3]})"), train.Recipe())
    with pytest.raises(InputError, match="the loss must be one float"):
        train.run(of("(defn loss [w x] (* w x))\n(def params {:w 1.0})\n(def data {:x [1 2]})"), train.Recipe())


def test_data_from_every_kind_of_file(tmp_path: Path) -> None:
    x, y = np.arange(6, dtype=np.float32).reshape(3, 2), np.arange(3, dtype=np.int32)
    np.save(tmp_path / "x.npy", x)
    np.savez(tmp_path / "xy.npz", x=x, y=y)
    save_file({"x": x, "y": y}, tmp_path / "xy.safetensors")
    (tmp_path / "t.csv").write_text("a,b\n0,1\n2,3\n4,5\n")
    for words in (["xy.npz"], ["xy.safetensors"], ["x=x.npy", "y=y.npy"]):
        np.save(tmp_path / "y.npy", y)
        found = read_data([w.replace("=", f"={tmp_path}/") if "=" in w else str(tmp_path / w) for w in words])
        np.testing.assert_array_equal(found["x"], x)
        np.testing.assert_array_equal(found["y"], y)
    table = read_data([str(tmp_path / "t.csv")])
    np.testing.assert_array_equal(table["b"], [1, 3, 5])
    np.testing.assert_array_equal(read_data([f"x={tmp_path / 't.csv'}"])["x"], x)


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("a.npy", b"nonsense", "malformed"),
        ("a.npz", b"PK", "malformed"),
        ("a.csv", b"a,b\n1\n", "row 2 has 1 cells, not 2"),
        ("a.csv", b"a,b\n1,x\n", "'x' is no number"),
        ("a.csv", b"", "it is empty"),
        ("a.safetensors", b"1234", "malformed"),
        ("a.xyz", b"", "can't read data from '.xyz'"),
    ],
)
def test_malformed_data(tmp_path: Path, name: str, content: bytes, message: str) -> None:
    (tmp_path / name).write_bytes(content)
    with pytest.raises(InputError) as caught:
        read_data([str(tmp_path / name)])
    assert message in str(caught.value)


def test_the_command_writes_parameters_and_a_curve(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out, curve = tmp_path / "w.safetensors", tmp_path / "loss.png"
    command = ["train", str(XOR), "-o", str(out), "--curve", str(curve), "--epochs", "3"]
    assert main(command) == 0
    assert "loss 0.249" in capsys.readouterr().out
    assert load_file(out)["W1"].shape == (2, 8)
    assert curve.read_bytes().startswith(b"\x89PNG")
    assert main(command) == 2  # nothing is overwritten
    assert main(["train", str(XOR), "--init", str(out), "--epochs", "1"]) == 0
    assert main(["train", str(XOR), "--data", f"z={tmp_path}/none.npy"]) == 3


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_an_interrupt_stops_cleanly(line: Path, tmp_path: Path, number: signal.Signals) -> None:
    checkpoint = tmp_path / "c.safetensors"
    command = [sys.executable, "-m", "gradir", "train", str(line), "--epochs", "100000000", "--every", "0"]
    process = subprocess.Popen(
        [*command, "--rate", "1e-6", "--checkpoint", str(checkpoint)], stderr=subprocess.PIPE, text=True
    )
    until = time.monotonic() + 60
    while not checkpoint.exists() and time.monotonic() < until:
        time.sleep(0.05)
    process.send_signal(number)
    _, shown = process.communicate(timeout=60)
    assert process.returncode == 130 and "--resume" in shown
    assert len(load_file(checkpoint)["losses"]) > 0


def test_curves() -> None:
    shown = in_terminal([10.0, 1.0, 0.1, float("nan"), 0.01], width=10, height=3)
    assert len(shown.splitlines()) == 3 and shown.startswith("  10 ") and "0.01" in shown
    for losses in ([], [1.0], [0.0, 0.0], [-1.0, 2.0], [float("inf"), 1.0]):
        assert png(losses, 90, 60).endswith(b"IEND\xaeB`\x82")
        assert in_terminal(losses)


def test_settings_of_the_program_are_overruled_at_the_command_line(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["train", str(XOR), "--epochs", "7", "--optimizer", "adam", "--rate", "0.01"]) == 0
    assert "in step 7 of 7" in capsys.readouterr().out


def test_trees_of_parameters(tmp_path: Path) -> None:
    path = tmp_path / "net.shf"
    path.write_text("""
    (defn init [key]
      (let [[a b] (random-split key)]
        {:layers {:one {:W (xavier-uniform a [2 4]) :b (zeros 4)} :two {:W (xavier-uniform b [4 1]) :b (zeros 1)}}}))
    (defn net [p x] (-> x (linear (get p :layers :one)) tanh (linear (get p :layers :two))))
    (defn loss [p x y] (mse-loss (net p x) y))
    (def data {:x [[0 0] [0 1] [1 0] [1 1]] :y [[0] [1] [1] [0]]})
    """)
    task = train.load(path, seed=1)
    assert [name for name, _ in task.leaves()] == [
        "p.layers.one.W",
        "p.layers.one.b",
        "p.layers.two.W",
        "p.layers.two.b",
    ]
    state = train.run(task, train.Recipe(optimizer="adam", rate=0.05, epochs=400))
    assert state.losses[-1] < 0.01 < state.losses[0]
    assert json.dumps([list(np.shape(x)) for x in jax.tree.leaves(state.parameters)]) == "[[2, 4], [4], [4, 1], [1]]"
    assert jnp.isfinite(jax.tree.leaves(state.parameters)[0]).all()


def test_stablehlo(line: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A loss exported by JAX is trained to the numbers of the loss itself."""
    task = train.load(line)
    shapes = [jax.ShapeDtypeStruct(s, jnp.float32) for s in ((10, 3), (10,))]
    lowered = jax.jit(task.loss).lower(dict(task.parameters["p"]), *shapes)
    (tmp_path / "line.mlir").write_text(lowered.as_text(debug_info=True))
    save_file({"p.b": np.zeros((), np.float32), "p.w": np.zeros(3, np.float32)}, tmp_path / "start.safetensors")
    for name, array in task.data.items():
        np.save(tmp_path / f"{name}.npy", array)
    data = [word for n in ("x", "y") for word in ("--data", f"{n}={tmp_path}/{n}.npy")]
    said = ["--optimizer", "adam", "--rate", "0.05", "--epochs", "4", "--batch", "10", "--overwrite"]
    out = tmp_path / "w.safetensors"

    def trained(source: str, *more: str) -> dict[str, Any]:
        assert main(["train", str(tmp_path / source), *said, "-o", str(out), *more]) == 0, capsys.readouterr().err
        return load_file(out)

    model = ["--loss", "main", "--params", "p.w,p.b", "--init", str(tmp_path / "start.safetensors")]
    ours, theirs = trained("line.mlir", *model, *data), trained("line.py")
    for name in ("p.w", "p.b"):
        np.testing.assert_allclose(ours[name], theirs[name], rtol=1e-6)

    def refused(*words: str, code: int = 2) -> str:
        assert main(["train", str(tmp_path / "line.mlir"), *words]) == code
        return capsys.readouterr().err

    assert "name one by --loss: it has main" in refused()
    assert "--params, of p.b, p.w, x, y" in refused("--loss", "main")
    assert "no argument 'q'" in refused("--loss", "main", "--params", "q")
    assert "--init FILE.safetensors" in refused("--loss", "main", "--params", "p.w")
    assert "--batch 10" in refused(*model, *data, code=3)
