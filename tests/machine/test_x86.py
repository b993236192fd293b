"""x86's own vector instructions: values and derivatives of functions written with intrinsics."""

from __future__ import annotations

import ctypes
import re
import subprocess
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import gradir
from gradir.errors import NoRule

FOLDER = Path(__file__).parent / "x86"
FLAGS = {"avx2": ["-mavx2", "-mfma", "-mf16c"], "avx512": ["-mavx512f", "-mavx512dq", "-mavx512vl", "-mfma"]}
COUNT = {"avx2": 4, "avx512": 8}
CASES = [
    (file, name)
    for file in FLAGS
    for name in re.findall(r"^double (\w+)\(const double \*x\)", (FOLDER / f"{file}.c").read_text(), re.MULTILINE)
]
ROUNDING = {"inverse": 1e-6, "root": 1e-6, "low_root": 2e-3, "estimates": 3e-4, "halves": 2e-3}
"""What functions in fewer digits than the doubles they are given are off by, relative to 1: estimates of 12 or 14 bits,
some made better by a step of Newton's, and halves."""
H = 2.0**-6
SMOOTH = 2  # points of each function


def _can(file: str) -> bool:
    flags = Path("/proc/cpuinfo")
    said = flags.read_text().split() if flags.exists() else []
    return {f.removeprefix("-m") for f in FLAGS[file]} <= set(said)


@cache
def _loaded(file: str, level: str) -> Any:
    return gradir.load(FOLDER / f"{file}.c", flags=[*FLAGS[file], level, "-ffp-contract=off"])


@cache
def _compiled(file: str, folder: Path) -> ctypes.CDLL:
    """The functions as a C compiler of the system makes them."""
    made = folder / f"{file}.so"
    command = ["cc", "-O1", "-ffp-contract=off", "-shared", "-fPIC", *FLAGS[file], FOLDER / f"{file}.c", "-o", made]
    subprocess.run(command, check=True)
    return ctypes.CDLL(str(made))


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("x86")


@pytest.mark.parametrize("level", ["-O0", "-O2"])
@pytest.mark.parametrize("file, name", CASES)
def test_values_and_derivatives(file: str, name: str, level: str, folder: Path) -> None:
    if not _can(file):
        pytest.skip(f"this CPU lacks {file}")
    m, compiled = _loaded(file, level), _compiled(file, folder)[name]
    compiled.restype, compiled.argtypes = ctypes.c_double, [ctypes.c_void_p]

    def f(x: np.ndarray) -> float:
        return compiled(np.ascontiguousarray(x).ctypes.data)

    rng = np.random.default_rng(3)
    # Of functions in 32 bits each value is off by some units of the last of 24 digits.
    off = ROUNDING.get(name, 1e-6 if re.search("_[ps]s[(]|inf8?[(]", _source(file, name)) else 1e-15)
    tolerance = 8 * off / H + 1e-5  # the rest is what is left of the fifth derivative
    found = 0
    while found < SMOOTH:
        x = rng.uniform(0.4, 1.6, COUNT[file])
        expected, nearer = _differences(f, x, H), _differences(f, x, H / 2)
        if not np.allclose(expected, nearer, rtol=0, atol=4 * tolerance):
            continue  # a kink or a jump is near
        found += 1
        v = rng.normal(size=x.size)
        value, gradient = m.value_and_grad(name, wrt="x")(x)
        assert value == f(x)
        assert np.allclose(gradient, expected, rtol=0, atol=10 * tolerance)
        # Derivatives have as few digits as the numbers.
        assert np.isclose(m.jvp(name, wrt="x")(x, v)[1], gradient @ v, rtol=0, atol=40 * off + 1e-12)


def _source(file: str, name: str) -> str:
    text = (FOLDER / f"{file}.c").read_text()
    return text[text.index(f"double {name}(") :].partition("\ndouble ")[0]


def _differences(f: Callable[[np.ndarray], float], x: np.ndarray, h: float) -> np.ndarray:
    """Central differences, right for polynomials of the fourth degree."""
    steps = h * np.eye(x.size)
    return np.array([8 * (f(x + e) - f(x - e)) - (f(x + 2 * e) - f(x - 2 * e)) for e in steps]) / (12 * h)


EXTREMES = """
#include <immintrin.h>
double largest(const double *x, const double *y) {
  __m128d v = _mm_max_pd(_mm_loadu_pd(x), _mm_loadu_pd(y));
  return v[0] + v[1];
}
double smallest(const double *x, const double *y) {
  __m128d v = _mm_min_pd(_mm_loadu_pd(x), _mm_loadu_pd(y));
  return v[0] + v[1];
}
"""


@pytest.mark.parametrize("name, first", [("largest", [0, 0]), ("smallest", [1, 0])])
def test_of_equal_operands_the_second_counts(name: str, first: list[float], tmp_path: Path) -> None:
    source = tmp_path / "extremes.c"
    source.write_text(EXTREMES)
    x, y = np.array([1.0, 2.0]), np.array([3.0, 2.0])
    by_x, by_y = gradir.load(source).grad(name, wrt=("x", "y"))(x, y)
    np.testing.assert_array_equal(by_x, first)
    np.testing.assert_array_equal(by_y, 1 - np.array(first))


REFUSED = """
#include <immintrin.h>
double toward_zero(const double *x) {
  __m512d v = _mm512_loadu_pd(x);
  return _mm512_add_round_pd(v, v, _MM_FROUND_TO_ZERO | _MM_FROUND_NO_EXC)[0];
}
double half_by_hand(const double *x) {
  __m128d a = _mm_loadu_pd(x), b = _mm_loadu_pd(x + 2), c = _mm_loadu_pd(x + 4);
  __asm__("vfmadd231sd %1, %2, %0" : "+x"(c) : "x"(a), "x"(b));  /* of the lower lane alone */
  return c[0] * 2 + c[1] * 3;
}
double packed(const double *x) { return _mm512_maskz_compress_pd(x[0] > 1 ? 7 : 9, _mm512_loadu_pd(x))[1]; }
"""


@pytest.mark.parametrize(
    "name, instruction",
    [
        ("toward_zero", "llvm.x86.avx512.*add.pd.512"),
        ("packed", "llvm.x86.avx512.*compress"),
        ("half_by_hand", "inline assembly"),
    ],
)
def test_what_is_not_known_is_named(name: str, instruction: str, tmp_path: Path) -> None:
    source = tmp_path / "refused.c"
    source.write_text(REFUSED)
    with pytest.raises(NoRule, match=instruction):
        gradir.load(source, flags=FLAGS["avx512"]).grad(name, wrt="x")(np.ones(8))
