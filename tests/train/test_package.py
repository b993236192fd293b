"""Packages: what is built agrees with XLA, runs without Python, and is small."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from gradir import train
from gradir.cli import main
from gradir.errors import BackendError, InputError
from gradir.train.package import FORMS, build

XOR = Path(__file__).parents[2] / "examples" / "xor.shf"
RUNNER = shutil.which("iree-run-module", path=f"{Path(sys.executable).parent}:/usr/bin")

pytest.importorskip("iree.compiler")


@pytest.fixture(scope="module")
def loop() -> train.Loop:
    task = train.load(XOR)
    return train.Loop(task, train.Recipe.of(task.settings))


def run(folder: Path, function: str, *inputs: str) -> str:
    assert RUNNER is not None
    command = [RUNNER, f"--module={folder}/training_loop.vmfb", "--device=local-task", f"--function={function}"]
    return subprocess.run(
        [*command, *(f"--input={i}" for i in inputs)], capture_output=True, text=True, check=True, timeout=120
    ).stdout


W1 = (
    "2x8xf32=0.05723,-0.00872,0.04017,0.09566,-0.01383,0.06476,-0.03770,0.04296,"
    "0.06901,-0.09234,0.03320,0.07782,-0.04273,0.00332,0.00073,0.00774"
)
W2 = "8x1xf32=-0.13197,0.06499,0.00506,-0.04559,0.09581,-0.05592,0.04567,0.02028"
X, Y, B1, B2 = "4x2xf32=0,0,0,1,1,0,1,1", "4x1xf32=0,1,1,0", "8xf32=0,0,0,0,0,0,0,0", "1xf32=0"


def test_the_published_command_works_unchanged(loop: train.Loop, tmp_path: Path) -> None:
    package = build(loop, tmp_path / "out")
    assert package.form == "compact" and package.files["training_loop.vmfb"] <= 15_000
    shown = run(tmp_path / "out", "train", X, Y, W1, B1, W2, B2, "f32=0.7", "500")
    assert abs(float(re.findall(r"^f32=(.*)$", shown, re.M)[0]) - 0.00423934) <= 1e-6
    step = run(tmp_path / "out", "train_step", X, W1, B1, W2, B2, Y)
    assert len(re.findall(r"^result\[", step, re.M)) == 5
    assert set(package.checked) == {"train", "train_step", "loss", "predict"}
    manifest = json.loads((tmp_path / "out" / "manifest.json").read_text())
    names = [a["name"] for a in manifest["functions"]["train"]["arguments"]]
    assert names == ["x", "y", "W1", "b1", "W2", "b2", "rate", "epochs"]
    assert [a["name"] for a in manifest["functions"]["train_step"]["arguments"]] == ["x", "W1", "b1", "W2", "b2", "y"]
    with pytest.raises(InputError, match="holds something already"):
        build(loop, tmp_path / "out")


def test_the_training_loop_alone_is_small(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["build", str(XOR), "-o", str(tmp_path / "out"), "--only", "train"]) == 0
    assert "compact form, differences to XLA: train" in capsys.readouterr().out
    assert (tmp_path / "out" / "training_loop.vmfb").stat().st_size <= 11_000


def test_adam_and_a_tree_of_parameters(tmp_path: Path) -> None:
    path = tmp_path / "net.shf"
    path.write_text("""
    (def params {:p {:W (full [2 1] 0.5) :b (zeros 1)}})
    (defn loss [p x y] (mse-loss (linear x p) y))
    (defn predict [p x] (linear x p))
    (def data {:x [[0 0] [0 1] [1 0] [1 1]] :y [[0] [1] [1] [2]]})
    """)
    task = train.load(path)
    loop = train.Loop(task, train.Recipe(optimizer="adam", rate=0.1))
    for form in FORMS:
        package = build(loop, tmp_path / form, form=form)
        assert package.form == form and max(package.checked.values()) < 1e-5


def test_a_build_that_disagrees_is_refused(loop: train.Loop, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import gradir.train.package as package

    monkeypatch.setattr(package, "_difference", lambda made, expected: float(np.inf))
    with pytest.raises(BackendError, match="nothing was written"):
        build(loop, tmp_path / "out", only=["loss"])
    assert not (tmp_path / "out").exists()


def test_an_inline_mode_of_iree_is_refused(loop: train.Loop, tmp_path: Path) -> None:
    with pytest.raises(BackendError):
        build(loop, tmp_path / "out", only=["train"], flags=["--iree-execution-model=inline-dynamic"])
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize(
    ("more", "machine"),
    [
        ({"machine": "aarch64", "cpu": "cortex-a53"}, 183),
        ({"machine": "riscv64"}, 243),
        ({"triple": "armv7a-linux-gnueabihf"}, 40),
    ],
)
def test_another_machine(loop: train.Loop, tmp_path: Path, more: dict[str, str], machine: int) -> None:
    """The number of a machine stands in an ELF file's header."""
    build(loop, tmp_path / "out", only=["predict"], **more)  # type: ignore[arg-type]
    binary = (tmp_path / "out" / "training_loop.vmfb").read_bytes()
    assert len(binary) < 20_000
    assert int.from_bytes(binary[(at := binary.index(b"\x7fELF") + 18) : at + 2], "little") == machine


def test_batches_schedules_and_clipping_are_as_in_training(loop: train.Loop, tmp_path: Path) -> None:
    recipe = loop.recipe.with_(optimizer="adam", rate=0.05, batch=2, schedule="cosine", clip=0.1, epochs=9, seed=5)
    build(train.Loop(loop.task, recipe), tmp_path / "out", only=["train"])
    wanted = train.run(loop.task, recipe)
    shown = run(tmp_path / "out", "train", X, Y, W1, B1, W2, B2, "f32=0.05", "9")
    last = float(re.findall(r"^f32=(.*)$", shown, re.M)[0])
    np.testing.assert_allclose(last, wanted.losses[-1], rtol=1e-5)  # six digits are shown
    assert abs(last - train.run(loop.task, recipe.with_(seed=6)).losses[-1]) > 1e-3  # the order is of consequence


def test_random_numbers_are_those_of_training(tmp_path: Path) -> None:
    path = tmp_path / "noisy.shf"
    path.write_text(
        "(defn loss [w x key] (mean (square (- (* w (dropout key x 0.5)) x))))\n(def params {:w 0.0})\n"
        "(def data {:x (ones [64])})"
    )
    loop = train.Loop(train.load(path), train.Recipe(rate=0.1))
    assert build(loop, tmp_path / "out", only=["train"]).checked["train"] < 1e-6


def test_stablehlo_with_a_fixed_batch(tmp_path: Path) -> None:
    path = tmp_path / "line.mlir"
    path.write_text("""
    func.func @predict(%x: tensor<2x3xf32> loc("x"), %w: tensor<3xf32> loc("w")) -> tensor<2xf32> {
      %y = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0]
        : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2xf32>
      return %y : tensor<2xf32>
    }
    func.func @loss(%x: tensor<2x3xf32> loc("x"), %w: tensor<3xf32> loc("w")) -> tensor<f32> {
      %y = call @predict(%x, %w) : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2xf32>
      %z = stablehlo.multiply %y, %y : tensor<2xf32>
      %0 = stablehlo.constant dense<0.0> : tensor<f32>
      %l = stablehlo.reduce(%z init: %0) applies stablehlo.add across dimensions = [0]
        : (tensor<2xf32>, tensor<f32>) -> tensor<f32>
      return %l : tensor<f32>
    }
    """)
    start = {"w": np.array([1, 2, 3], np.float32)}
    task = train.load(path, parameters=["w"], initial=start).with_data({"x": np.eye(6, 3, dtype=np.float32)})
    package = build(train.Loop(task, train.Recipe(rate=0.1, batch=2, shuffle=False)), tmp_path / "out")
    assert set(package.checked) == {"train", "train_step", "loss", "predict"}
    after = json.loads((tmp_path / "out" / "manifest.json").read_text())["functions"]["predict"]["arguments"]
    assert after == [{"name": "x", "type": "tensor<2x3xf32>"}, {"name": "w", "type": "tensor<3xf32>"}]
    state = train.run(task, train.Recipe(rate=0.1, epochs=1, batch=2, shuffle=False))
    np.testing.assert_allclose(state.parameters["w"], [0.8, 1.6, 2.4], rtol=1e-6)  # w - 0.1 * 2 w, each seen once


def test_a_model_that_is_not_small(tmp_path: Path) -> None:
    path = tmp_path / "large.shf"
    path.write_text("""
    (def params {:W (full [64 64] 0.01)})
    (defn loss [W x] (mean (square (- (tanh (@ x W)) 0.5))))
    (def data {:x (reshape (/ (arange 2048) 2048.0) [32 64])})
    """)
    task = train.load(path)
    loop = train.Loop(task, train.Recipe(rate=0.1, epochs=4))
    package = build(loop, tmp_path / "out", only=["train"])
    assert package.form == "parallel" and {"input0.npy", "input1.npy"} <= set(package.files)
    assert RUNNER is not None
    script = [tmp_path / "out" / "run.sh", "3"]
    path_with_runner = {"PATH": f"{Path(RUNNER).parent}:/usr/bin:/bin"}
    shown = subprocess.run(script, capture_output=True, text=True, check=True, env=path_with_runner).stdout
    wanted = train.run(task, loop.recipe.with_(epochs=3)).losses[-1]
    np.testing.assert_allclose(float(re.findall(r"^f32=(.*)$", shown, re.M)[0]), wanted, rtol=1e-5)
    with pytest.raises(InputError, match="too large for the compact form"):
        build(loop, tmp_path / "small", form="compact")


def test_what_can_not_be_built_is_said(loop: train.Loop, tmp_path: Path) -> None:
    for more, message in (
        ({"machine": "vax"}, "there is no machine 'vax'"),
        ({"machine": "arm", "triple": "riscv64"}, "said twice"),
        ({"form": "flat"}, "there is no form 'flat'"),
        ({"form": "compact", "target": "vmvx"}, "for CPUs, not for vmvx"),
        ({"only": ["fly"]}, "no function 'fly'"),
    ):
        with pytest.raises(InputError, match=message):
            build(loop, tmp_path / "out", **more)  # type: ignore[arg-type]
    assert not (tmp_path / "out").exists()
