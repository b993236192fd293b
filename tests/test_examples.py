"""The programs in `examples/`, which the README names: derivatives agree with central differences, models learn."""

import os
import re
import runpy
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from gradir import train
from gradir.frontends.sheaf import Program
from gradir.train.mesh import Layout
from gradir.train.sharded import ShardedLoop

EXAMPLES = Path(__file__).parent.parent / "examples"
TOLERANCES = {"quickstart.py": 1e-3, "native.py": 1e-7, "frameworks.py": 1e-7}  # in single and in double precision


def test_all_are_tested():
    assert {p.name for p in EXAMPLES.glob("*.py")} == {*TOLERANCES, "gpt.py"}
    assert {p.stem for p in EXAMPLES.glob("*.shf")} == {"digits", "gpt", "gpt_experts", "pendulum", "xor"}


@pytest.mark.parametrize("name", TOLERANCES)
def test_example(name: str):
    example = EXAMPLES / name
    plain = {k: v for k, v in os.environ.items() if k != "TF_CPP_MIN_LOG_LEVEL"}  # (which JAX has set in this process)
    ran = subprocess.run([sys.executable, str(example)], capture_output=True, text=True, check=False, env=plain)
    assert ran.returncode == 0, ran.stderr
    assert not re.search(r"^[IWEF]\d{4} ", ran.stderr, re.MULTILINE), ran.stderr  # lines of a library's log
    deviation = re.search(r"largest deviation from central differences: (\S+)", ran.stdout)
    assert deviation is not None and float(deviation[1]) < TOLERANCES[example.name]


def test_pendulum():
    task = train.load(EXAMPLES / "pendulum.shf")
    state = train.run(task, train.Recipe.of(task.settings))
    # Noise of 0.01 on 80 angles leaves about 0.01 / sqrt(80) times a few of doubt.
    truth = Program((EXAMPLES / "pendulum.shf").read_text())["truth"]
    for name, value in truth.items():
        assert abs(float(state.parameters["p"][name]) - value) < 0.02


def test_digits():
    task = train.load(EXAMPLES / "digits.shf")
    some = {name: numbers[:256] for name, numbers in task.data.items()}
    assert sorted(set(np.asarray(some["y"]).tolist())) == list(range(10))
    state = train.run(task.with_data(some), train.Recipe.of(task.settings, epochs=10))
    assert state.losses[-1] < np.log(10) - 0.2, "better than chance"


def test_gpt():
    """One epoch teaches it which letters are common, and what it writes is made of these."""
    gpt = runpy.run_path(str(EXAMPLES / "gpt.py"))
    text = Program((EXAMPLES / "gpt.shf").read_text())["text"]
    written = gpt["main"](epochs=1, letters=20)
    assert written.startswith(text[:48]) and len(written) == 68
    assert set(written) <= set(text)


def test_gpt_with_experts_on_a_mesh():
    """A step on stages of which each has some of the experts: the loss of one device, and less of it afterwards."""
    task = train.load(EXAMPLES / "gpt_experts.shf")
    some = {name: numbers[:8] for name, numbers in task.data.items()}
    recipe = train.Recipe.of(task.settings, batch=None, schedule="constant")
    loop = ShardedLoop(task.with_data(some), recipe, Layout.of({"stage": 2, "expert": 2}, task.sharded))
    first, second = loop.advance(loop.start(), 2).losses
    np.testing.assert_allclose(first, task.loss(task.parameters["p"], some["x"], some["y"]), rtol=1e-5)
    assert second < first
