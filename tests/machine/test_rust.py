"""Rust at every level of optimisation: closures, slices, vectors, boxes, iterators, structs by value, traits."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import numpy as np
import pytest

import gradir
from gradir.errors import NoRule

FOLDER = Path(__file__).parent / "levels"
H = 1e-5  # central differences: an error of about H² times the third derivative, and ε / H
pytestmark = pytest.mark.skipif(shutil.which("rustc") is None, reason="needs rustc")


def functions(path: Path) -> list[str]:
    return re.findall(r'extern "C" fn (\w+)', path.read_text())


@pytest.fixture(scope="module", params=["0", "1", "2", "3"])
def numbers(request):
    return gradir.load(FOLDER / "numbers.rs", flags=[f"-Copt-level={request.param}"])


@pytest.fixture(scope="module", params=["0", "2"])
def arrays(request):
    return gradir.load(FOLDER / "arrays.rs", flags=[f"-Copt-level={request.param}"])


@pytest.mark.parametrize("name", functions(FOLDER / "numbers.rs"))
def test_functions_of_a_number(numbers, name: str) -> None:
    f, x, n = numbers[name], 1.3, 4
    expected = (f(x + H, n) - f(x - H, n)) / (2 * H)
    reverse = numbers.grad(name)(x, n)
    _, forward = numbers.jvp(name)(x, n, 1.0)
    assert np.isclose(reverse, expected, rtol=1e-7, atol=1e-7)
    assert np.isclose(reverse, forward, rtol=1e-12)


@pytest.mark.parametrize("name", [n for n in functions(FOLDER / "arrays.rs") if n != "tree"])
def test_functions_of_an_array(arrays, name: str) -> None:
    f, x = arrays[name], np.array([1.3, 0.7, 2.1, -0.4, 0.9, 1.7])
    expected = [(f(x + e, 6) - f(x - e, 6)) / (2 * H) for e in H * np.eye(6)]
    assert np.allclose(arrays.grad(name)(x, 6), expected, rtol=1e-7, atol=1e-7)


def test_what_types_do_not_tell_is_refused(arrays) -> None:
    """A B-tree's leaf is a union of keys, floats and lengths in unnamed bytes."""
    with pytest.raises(NoRule, match="way out"):
        arrays.grad("tree")(np.ones(6), 6)
