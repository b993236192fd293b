"""Rust at every level of optimisation: closures, slices, vectors, boxes, iterators, structs by value, traits."""

from __future__ import annotations

import re
import shutil
from functools import cache
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


@cache
def enums(level: str):
    return gradir.load(FOLDER / "enums.rs", flags=[f"-Copt-level={level}"])


@pytest.mark.parametrize("name", functions(FOLDER / "numbers.rs"))
def test_functions_of_a_number(numbers, name: str) -> None:
    f, x, n = numbers[name], 1.3, 4
    expected = (f(x + H, n) - f(x - H, n)) / (2 * H)
    reverse = numbers.grad(name)(x, n)
    _, forward = numbers.jvp(name)(x, n, 1.0)
    assert np.isclose(reverse, expected, rtol=1e-7, atol=1e-7)
    assert np.isclose(reverse, forward, rtol=1e-12)


@pytest.mark.parametrize("name", functions(FOLDER / "arrays.rs"))
def test_functions_of_an_array(arrays, name: str) -> None:
    f, x = arrays[name], np.array([1.3, 0.7, 2.1, -0.4, 0.9, 1.7])
    expected = [(f(x + e, 6) - f(x - e, 6)) / (2 * H) for e in H * np.eye(6)]
    assert np.allclose(arrays.grad(name)(x, 6), expected, rtol=1e-7, atol=1e-7)


@pytest.mark.parametrize(
    ("level", "name"),
    [
        (level, name)
        for name in functions(FOLDER / "enums.rs")
        for level in ("0", "1", "3")
        if level == "1" or "map" not in name  # maps take seconds
    ],
)
def test_words_of_several_types(level: str, name: str) -> None:
    """What is a float in one variant is a length or an address in another."""
    module = enums(level)
    f, x, v = module[name], np.array([1.3, 0.7, 2.1, 0.4, 0.9, 1.7]), np.array([0.3, -1.1, 0.7, 0.2, -0.5, 0.9])
    expected = np.array([(f(x + e, 6) - f(x - e, 6)) / (2 * H) for e in H * np.eye(6)])
    assert np.allclose(module.grad(name)(x, 6), expected, rtol=1e-7, atol=1e-7)
    _, tangent = module.jvp(name)(x, 6, v)
    assert np.isclose(tangent, expected @ v, rtol=1e-7, atol=1e-7)


_PUNNED = """
#[derive(Clone, Copy)] union Word { number: f64, bits: u64 }
#[inline(never)] fn count(words: &[Word]) -> f64 { words.iter().map(|w| unsafe { w.bits } as f64).sum() }
#[inline(never)] fn total(words: &[Word]) -> f64 { words.iter().map(|w| unsafe { w.number }).sum() }
#[no_mangle]
pub unsafe extern "C" fn punned(x: *const f64, n: i32) -> f64 {
    let x = std::slice::from_raw_parts(x, n as usize);
    let words: Vec<Word> = x.iter().map(|v| Word { number: v * v }).collect();
    count(&words) + total(&words)
}
"""


def test_bits_of_floats_are_no_integers_of_an_enum(tmp_path: Path) -> None:
    """A program with a union may read a float's bits as a number, which is a straight line between powers of two: it is
    not believed that it doesn't."""
    path = tmp_path / "punned.rs"
    path.write_text(_PUNNED)
    f, x = gradir.load(path), np.array([1.3, 0.7, 2.1])
    expected = [(f.punned(x + e, 3) - f.punned(x - e, 3)) / (2 * H) for e in H * np.eye(3)]
    assert np.allclose(f.grad("punned")(x, 3), expected, rtol=1e-6)  # of about 1e19 the last 2048 are rounded
    assert np.isclose(f.jvp("punned")(x, 3, np.ones(3))[1], sum(expected), rtol=1e-6)


_CHANGED_WHEN_SHOWN = """
use std::cell::Cell;
struct Seen { value: f64, shown: Cell<f64> }
impl std::fmt::Display for Seen {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.shown.set(self.shown.get() * 2.0 + self.value);
        write!(f, "{}", self.value)
    }
}
#[no_mangle]
pub unsafe extern "C" fn shown(x: *const f64, n: i32) -> f64 {
    let a = std::slice::from_raw_parts(x, n as usize);
    let s = Seen { value: a[0] * a[1], shown: Cell::new(a[2]) };
    let t = format!("[{}]", s).len() as f64;
    s.shown.get() * a[1] + 0.0 * t
}
"""


_BY_ANOTHER = "fn note(s: &Seen) { s.shown.set(s.shown.get() * 2.0 + s.value); }\n"


@pytest.mark.parametrize("where", ["here", "in a function"])
def test_what_changes_while_it_is_shown_is_refused(tmp_path: Path, where: str) -> None:
    """The library calls what writes the text of an object by its address: nobody sees that it is changed there."""
    path = tmp_path / "shown.rs"
    source = _CHANGED_WHEN_SHOWN
    if where != "here":
        source = source.replace("self.shown.set(self.shown.get() * 2.0 + self.value)", "note(self)")
        source = source.replace("impl std", f"#[inline(never)] {_BY_ANOTHER}impl std", 1)
    path.write_text(source)
    module = gradir.load(path)
    with pytest.raises(NoRule, match="while it shows an object"):
        module.grad("shown")(np.ones(6), 6)
    with pytest.raises(NoRule, match="while it shows an object"):
        module.jvp("shown")(np.ones(6), 6, np.ones(6))
