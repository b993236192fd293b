"""C and C++ at every level of optimisation that a compiler has, against central differences, in both modes."""

from __future__ import annotations

import re
import shutil
import subprocess
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import gradir

FOLDER = Path(__file__).parent / "levels"
SOURCES = sorted(path for path in FOLDER.iterdir() if path.suffix in (".c", ".cpp"))
LEVELS = ("-O0", "-O1", "-O2", "-O3 -march=native")
N = 6
H = 1e-5  # central differences: an error of about H² times the third derivative, and ε / H

CLANG = shutil.which("clang-19")
pytestmark = pytest.mark.skipif(CLANG is None, reason="needs clang-19")

REFUSED = {
    ("tuples", "-O3 -march=native"): "vectors of floats, addresses and integers at once",
    **{("counts_first", level): "a vector of integers that may be the bits of numbers" for level in LEVELS[2:]},
}
"""What is refused at a level, and why: of code for this machine, where its vectors are such."""


def functions(path: Path) -> list[str]:
    return re.findall(r'^(?:extern "C" )?double (\w+)\(const double \*x, int n\)$', path.read_text(), re.MULTILINE)


@cache
def loaded(path: Path, level: str) -> Any:
    """By the text that clang writes, without debug information: types are known by what the code does."""
    made = subprocess.run(
        [str(CLANG), "-S", "-emit-llvm", "-g1", *level.split(), "-o", "-", path], capture_output=True, check=True
    )
    return gradir.load(made.stdout)


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize(
    ("path", "name"), [pytest.param(path, name, id=name) for path in SOURCES for name in functions(path)]
)
def test_levels(path: Path, name: str, level: str) -> None:
    module = loaded(path, level)
    rng = np.random.default_rng(1)
    x, v = rng.uniform(0.3, 1.7, N), rng.normal(size=N)
    f = module[name]
    try:
        found = module.grad(name)(x, N)
    except gradir.NoRule:
        assert (name, level) in REFUSED
        return
    assert (name, level) not in REFUSED or "native" in level
    expected = [(f(x + e, N) - f(x - e, N)) / (2 * H) for e in H * np.eye(N)]
    assert np.allclose(found, expected, rtol=1e-7, atol=1e-7)
    _, tangent = module.jvp(name)(x, N, v)
    if isinstance(tangent, tuple):  # nobody says that x is not written to
        tangent = tangent[0]
    assert np.isclose(tangent, found @ v, rtol=1e-11)


@pytest.mark.parametrize("name", functions(FOLDER / "optional.cpp"))
def test_by_the_front_end(name: str) -> None:
    """As it comes from gradir's own compiler, before any other pass than gradir's."""
    module, x = by_front_end(FOLDER / "optional.cpp"), np.random.default_rng(1).uniform(0.3, 1.7, N)
    f = module[name]
    expected = [(f(x + e, N) - f(x - e, N)) / (2 * H) for e in H * np.eye(N)]
    assert np.allclose(module.grad(name)(x, N), expected, rtol=1e-7, atol=1e-7)


@cache
def by_front_end(path: Path) -> Any:
    return gradir.load(path)
