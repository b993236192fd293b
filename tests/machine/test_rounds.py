"""Checkpointing policies for native loops: the gradient is that of the tape, and memory is as the function left it."""

from __future__ import annotations

import resource
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from test_fortran import needs_flang

import gradir
from gradir.cli import main
from gradir.machine.passes.loops.rounds import Note

FOLDER = Path(__file__).parent / "rounds"
FEW, POLICIES = ["sqrt", "revolve:2"], ["sqrt", "periodic:5", "revolve:2", "revolve:7", "full"]
X = np.sin(np.arange(12.0))

CASES: dict[str, tuple[Any, ...]] = {
    "heat": (X, 12, 57, 0.1),
    "leapfrog": (X, np.zeros(12), np.zeros(12), 12, 57),
    "root": (2.0,),
    "decay": (X[:8], 1000, 1e-3),
    "plate": (np.sin(np.arange(35.0)), 5, 7, 40),
    "history": (X, np.linspace(0.8, 1.1, 12), np.zeros(40), 12, 40),
    "halves": (X, 12, 77),
    "scratch": (X, 12, 33),
    "twice": (X, np.cos(X), 12, 20),
}
@pytest.fixture(scope="module")
def module() -> gradir.NativeModule:
    return gradir.load(FOLDER / "loops.c")


def gradients(m: gradir.NativeModule, name: str, policy: str, given: tuple[Any, ...]) -> tuple[list[Any], list[Any]]:
    """The value with the gradient by the first argument, and memory as it is then."""
    with gradir.checkpointing(policy):
        derivative = m.value_and_grad(name)
    values = [v.copy(order="K") if isinstance(v, np.ndarray) else v for v in given]
    return list(derivative(*values)), [v for v in values if isinstance(v, np.ndarray)]


def same(gradient: Any, expected: Any, policy: str = "") -> None:
    """But for roundings: LLVM may order the sums of derivatives, those of another policy in another way
    (and adjoints of what all rounds read are summed up for each stretch of rounds first)."""
    np.testing.assert_allclose(gradient, expected, rtol=1e-12, atol=1e-13, err_msg=policy)


def left(m: gradir.NativeModule, name: str) -> list[str]:
    """Why loops of a function keep all."""
    notes = [n for n in m.loops if n.function == name]
    assert notes, m.loops
    return [n.left for n in notes if n.left is not None]


@pytest.mark.parametrize("name", CASES)
def test_a_policy_changes_no_gradient(module: gradir.NativeModule, name: str) -> None:
    expected, after = gradients(module, name, "none", CASES[name])
    for policy in POLICIES if name == "root" else FEW:  # of unknown length, and others
        found, memory = gradients(module, name, policy, CASES[name])
        for a, b in zip(found, expected, strict=True):
            # The same rounds are run on the same numbers; sums may be in another order.
            same(a, b, policy)
        for a, b in zip(memory, after, strict=True):
            np.testing.assert_array_equal(a, b, policy)
    assert left(module, "simulate" if name == "twice" else name) == []


@pytest.mark.parametrize("steps", [0, 1, 2, 3, 4, 5, 8, 13, 14, 15])
def test_any_number_of_rounds(module: gradir.NativeModule, steps: int) -> None:
    given = (X, np.zeros(12), np.zeros(12), 12, steps)
    (value, expected), _ = gradients(module, "leapfrog", "none", given)
    for policy in POLICIES:
        (found, gradient), _ = gradients(module, "leapfrog", policy, given)
        assert found == value
        same(gradient, expected, policy)


@pytest.mark.parametrize("n", [0, 1, 2, 3])
def test_inner_loops_that_are_not_entered(module: gradir.NativeModule, n: int) -> None:
    given = (X, n, 9, 0.1)
    (_, expected), _ = gradients(module, "heat", "none", given)
    (_, gradient), _ = gradients(module, "heat", "revolve:2", given)
    np.testing.assert_allclose(gradient, expected, rtol=1e-13)


def test_memory_that_overlaps(module: gradir.NativeModule) -> None:
    """`c` is a part of `x`, so the safe version runs."""

    def run(policy: str) -> np.ndarray:
        whole = np.linspace(0.5, 1.0, 18)
        with gradir.checkpointing(policy):
            derivative = module.grad("history")
        gradient = derivative(whole[:12], whole[6:], np.zeros(9), 12, 9)
        return np.concatenate([gradient, whole])

    same(run("revolve:2"), run("none"))


def test_an_address_that_moves(module: gradir.NativeModule) -> None:
    far = np.array([3, -2, 4, -5], np.int32)
    given = (X, far, 4, 11)
    with gradir.checkpointing("revolve:2"):
        found = module.jacobian("steps", outputs="x", mode="reverse")(X.copy(), *given[1:])
    expected = module.jacobian("steps", outputs="x", mode="forward")(X.copy(), *given[1:])
    np.testing.assert_allclose(found, expected, rtol=1e-12)


def test_several_directions(module: gradir.NativeModule) -> None:
    given = (X[:6].copy(), np.zeros(6), 6, 30)
    with gradir.checkpointing("revolve:3"):
        found = module.jacobian("flow", outputs="y", mode="reverse")(*given)
    np.testing.assert_allclose(found, module.jacobian("flow", outputs="y", mode="forward")(*given), rtol=1e-12)
    assert left(module, "flow") == []


def test_second_derivatives_do_as_without_a_policy(module: gradir.NativeModule) -> None:
    with gradir.checkpointing("sqrt"):
        hessian = module.hessian("heat")
    np.testing.assert_array_equal(hessian(X[:4].copy(), 4, 7, 0.1), module.hessian("heat")(X[:4].copy(), 4, 7, 0.1))


@pytest.mark.parametrize(
    ("name", "given", "why"),
    [
        ("prints", (0.7, 9), "@printf can't be called again"),
        ("spread", (X, np.arange(12, dtype=np.int32)[::-1].copy(), 12, 5), "it is not known how much memory this may"),
        ("prefix", (X, 12), "each round writes a part of its own of memory that rounds read"),
    ],
)
def test_what_cannot_be_run_again_is_left_and_named(module: Any, name: str, given: tuple[Any, ...], why: str) -> None:
    (_, expected), _ = gradients(module, name, "none", given)
    (_, gradient), _ = gradients(module, name, "sqrt", given)
    same(gradient, expected)
    [said] = left(module, name)
    assert why in said
    [note] = [n for n in module.loops if n.function == name]
    assert "loops.c:" in note.where and f"the loop in @{name} keeps what its rounds need" in str(note)


def test_a_budget_is_not_for_native_code(module: gradir.NativeModule) -> None:
    (_, expected), _ = gradients(module, "decay", "none", CASES["decay"])
    (_, gradient), _ = gradients(module, "decay", "budget:1MiB", CASES["decay"])
    same(gradient, expected)
    assert any(n.where == "budget:1048576" and "revolve:64" in str(n.left) for n in module.loops)


WORDS = np.array([1.0, 2, 10, 3, 4, 5, 10, 6, -1])
MOVING = [("by_table", (X, 12, 9)), ("either", (X, X[:1].copy(), 12, 1, 9)), ("words", (WORDS, 3.0))]
MOVING += [("calls", (X, 12, 9)), ("entered", (0.7, 4, 9))]


@pytest.mark.parametrize(("name", "given"), MOVING)
def test_addresses_that_are_not_plain(module: gradir.NativeModule, name: str, given: tuple[Any, ...]) -> None:
    (_, expected), _ = gradients(module, name, "none", given)
    (_, gradient), _ = gradients(module, name, "revolve:2", given)
    same(gradient, expected)


@needs_flang
def test_fortran() -> None:
    m = gradir.load(FOLDER / "heat.f90")
    given = (X, 12, 50, 0.1, np.zeros(()))

    def run(policy: str) -> list[np.ndarray]:
        with gradir.checkpointing(policy):
            derivative = m.grad("heat", outputs="e")
        values = [v.copy() if isinstance(v, np.ndarray) else v for v in given]
        return [derivative(*values), *(v for v in values if isinstance(v, np.ndarray))]

    expected = run("none")
    for policy in FEW:
        for a, b in zip(run(policy), expected, strict=True):
            same(a, b, policy)
    assert [n.left for n in m.loops if n.where.endswith("heat.f90:10:3")] == [None]


@pytest.mark.parametrize(
    ("file", "names"),
    [
        ("sim.cpp", ["sim", "caught"]),
        pytest.param("sim.rs", ["sim"], marks=pytest.mark.skipif(not shutil.which("rustc"), reason="needs rustc")),
    ],
)
def test_other_languages(file: str, names: list[str]) -> None:
    m = gradir.load(FOLDER / file)
    for name in names:
        (_, expected), after = gradients(m, name, "none", (X, 12, 40))
        (_, gradient), memory = gradients(m, name, "revolve:3", (X, 12, 40))
        same(gradient, expected)
        np.testing.assert_array_equal(memory[0], after[0])
        assert left(m, name) == []


PEAK = """
import sys
import numpy as np
import gradir
m = gradir.load(sys.argv[1])
with gradir.checkpointing(sys.argv[2]):
    gradient = m.grad("heat")
u = np.sin(np.arange(4096.0))
for steps in (200, 2000):
    gradient(u.copy(), 4096, steps, 0.1)
    print(open("/proc/self/statm").read().split()[1])
"""


@pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="needs Linux")
def test_memory_does_not_grow_with_the_rounds() -> None:
    """A tape of the heat equation grows by about 32 KiB in each of 1,800 rounds; the states of `revolve:8` don't.

    Derivatives keep their memory for the next call, so it is there afterwards. (The peak would not do: it may be the
    compiler's.)
    """

    def growth(policy: str) -> int:
        ran = subprocess.run(
            [sys.executable, "-c", PEAK, str(FOLDER / "loops.c"), policy], capture_output=True, text=True, check=True
        )
        few, many = map(int, ran.stdout.split())
        return (many - few) * resource.getpagesize()

    assert growth("none") > 40e6
    assert growth("revolve:8") < 8e6


def test_the_command_line(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "d.ll"
    words = ["diff", str(FOLDER / "loops.c"), "--fn", "heat", "--grad", "--checkpoints", "revolve:16", "-o", str(out)]
    assert main(words) == 0
    assert "loops.c:9:3: the loop in @heat keeps states" in capfd.readouterr().err
    assert "gradir.rounds.heat.0" in out.read_text()


def test_notes_read_well() -> None:
    assert str(Note("f", "f.c:3:1", None)) == "f.c:3:1: the loop in @f keeps states"
