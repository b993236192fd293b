"""What real programs use besides arithmetic and loops, each against central differences, in both modes and widths."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import gradir

FOLDER = Path(__file__).parent / "constructs"
SOURCES = sorted(path for path in FOLDER.iterdir() if path.suffix in (".c", ".cpp"))
N = 6
H = 1e-5  # central differences: an error of about H² times the third derivative, and ε / H


def functions(path: Path) -> list[str]:
    return re.findall(r'^(?:extern "C" )?double (\w+)\(const double \*x, int n\)$', path.read_text(), re.MULTILINE)


@cache
def loaded(path: Path) -> Any:
    return gradir.load(path)


@pytest.mark.parametrize(
    ("path", "name"), [pytest.param(path, name, id=name) for path in SOURCES for name in functions(path)]
)
def test_constructs(path: Path, name: str) -> None:
    module = loaded(path)
    rng = np.random.default_rng(1)
    x, v = rng.uniform(0.3, 1.7, N), rng.normal(size=N)
    f = module[name]
    expected = [(f(x + e, N) - f(x - e, N)) / (2 * H) for e in H * np.eye(N)]
    found = module.grad(name)(x, N)
    assert np.allclose(found, expected, rtol=1e-7, atol=1e-7)
    _, tangent = module.jvp(name)(x, N, v)
    assert np.isclose(tangent, found @ v, rtol=1e-11)
    assert np.allclose(module.jacobian(name, mode="forward", width=4)(x, N), found, rtol=1e-11)
