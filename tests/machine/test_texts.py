"""Strings of the C++ library beside active numbers, of LLVM's library and of GNU's, against central differences."""

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

FOLDER = Path(__file__).parent / "texts"
N = 6
H = 1e-5  # central differences: an error of about H² times the third derivative, and ε / H
LIBRARIES = ("LLVM's", "GNU's")


def functions(stem: str) -> list[str]:
    return re.findall(r"^extern \"C\" double (\w+)\(", (FOLDER / f"{stem}.cpp").read_text(), re.MULTILINE)


@cache
def loaded(stem: str, library: str) -> Any:
    """From the source with LLVM's library; with GNU's as LLVM IR that clang writes without optimisation."""
    source = FOLDER / f"{stem}.cpp"
    if library == "LLVM's":
        return gradir.load(source)
    clang = shutil.which("clang-19")
    if clang is None:
        pytest.skip("needs clang-19 and GNU's C++ library")
    made = subprocess.run(
        [clang, "-S", "-emit-llvm", "-g1", "-O0", "-std=c++17", "-o", "-", source], capture_output=True, check=True
    )
    return gradir.load(made.stdout)


@pytest.mark.parametrize("library", LIBRARIES)
@pytest.mark.parametrize("name", functions("names"))
def test_text_beside_numbers(name: str, library: str) -> None:
    module = loaded("names", library)
    rng = np.random.default_rng(1)
    x, v = rng.uniform(0.3, 1.7, N), rng.normal(size=N)
    f = module[name]
    expected = [(f(x + e, N) - f(x - e, N)) / (2 * H) for e in H * np.eye(N)]
    gradient = module.grad(name)
    found = gradient(x, N)
    assert np.allclose(found, expected, rtol=1e-7, atol=1e-7)
    assert np.array_equal(gradient(x, N), found)  # nothing of the first call is left
    _, tangent = module.jvp(name)(x, N, v)
    tangent = tangent[0] if isinstance(tangent, tuple) else tangent  # nobody says that x is not written to
    assert np.isclose(tangent, found @ v, rtol=1e-11)


@pytest.mark.parametrize("library", LIBRARIES)
@pytest.mark.parametrize("name", functions("bytes"))
def test_bytes_of_numbers_are_no_text(name: str, library: str) -> None:
    module, x = loaded("bytes", library), np.linspace(0.5, 1.5, N)
    for derive in (module.grad, module.jvp):
        try:
            made = derive(name)(x, N, np.ones(N)) if derive == module.jvp else derive(name)(x, N) @ np.ones(N)
        except gradir.NoRule:
            continue
        tangent = made[1] if isinstance(made, tuple) else made
        assert np.isclose(tangent, 2 * x @ np.arange(1, N + 1), rtol=1e-12)


def test_strings_that_other_code_works_on_stay_open(tmp_path: Path) -> None:
    """A module into which members were inlined is linked to one where they are calls."""
    if (clang := shutil.which("clang-19")) is None:
        pytest.skip("needs clang-19 and GNU's C++ library")
    one, other = tmp_path / "one.ll", tmp_path / "other.cpp"
    parts = {
        one: '#include <string>\ndouble kept(std::string &s, double x) {'
        ' s += "more text than there is room for"; return x * s.size(); }',
        other: "#include <string>\ndouble kept(std::string &, double);\n"
        'extern "C" double f(const double *x, int n) { std::string s("a"); double y = 0;'
        " for (int i = 0; i < n; i++) y += kept(s, x[i]) * x[i]; return y; }",
    }
    source = tmp_path / "one.cpp"
    source.write_text(parts[one])
    subprocess.run([clang, "-S", "-emit-llvm", "-O2", "-o", one, source], check=True)
    other.write_text(parts[other])
    module, x = gradir.load([one, other], compiler=clang), np.linspace(0.5, 1.5, N)
    sizes = 1 + 32 * np.arange(1, N + 1)
    try:
        found = module.grad("f")(x, N)
    except gradir.NoRule:
        return
    assert np.allclose(found, 2 * x * sizes, rtol=1e-14)
