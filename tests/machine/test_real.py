"""Whole programs in the manner of their fields, at every level of optimisation, against central differences.

Each is a file of a few hundred lines with a function of its own name. One level of each is run by turns, all of them by
`./test --every`.
"""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from compilers import has_flang

import gradir
from gradir.frontends.c import clang

FOLDER = Path(__file__).parent / "real"
PROGRAMS = sorted(FOLDER.iterdir())
N = 12
H = 1e-5  # central differences of values near 1 to 50: rounding leaves some 1e-10 of them, the third derivative less
LEVELS = ("-O0", "-O1", "-O2", "-O3")


def loaded(path: Path, level: str, folder: Path) -> Any:
    """The program as a compiler's own optimiser leaves it: in vectors, unrolled, inlined."""
    if path.suffix == ".f90":
        if not has_flang():
            pytest.skip("needs flang (apt install flang-19)")
        return gradir.load(path, flags=[level, "-ffp-contract=off"])
    if path.suffix == ".rs":
        if shutil.which("rustc") is None:
            pytest.skip("needs rustc")
        return gradir.load(path, flags=[f"-Copt-level={level[-1]}"])
    made = folder / f"{path.stem}.ll"
    cpp = path.suffix == ".cpp"
    if cpp and shutil.which("clang-19") is None:
        if path.stem != "ray_tracer":
            pytest.skip("needs clang-19 and GNU's C++ library (apt install clang-19)")
        return gradir.load(path)  # zig's C++ library is linked to sources alone
    driver = ["clang-19", "--driver-mode=g++"] if cpp else [*clang("zig"), "cc"]
    flags = ["-g", level, "-fno-math-errno", "-ffp-contract=off"]  # which products are fused is LLVM's to choose
    flags += ["-fno-sanitize=all", "-fno-stack-protector", "-S", "-emit-llvm"]
    subprocess.run([*driver, *flags, str(path), "-o", str(made)], check=True, capture_output=True)
    return gradir.load(made)


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("path", PROGRAMS, ids=lambda path: path.stem)
def test_programs(path: Path, level: str, tmp_path: Path) -> None:
    module = loaded(path, level, tmp_path)
    f, name = module[path.stem], path.stem
    rng = np.random.default_rng(3)
    x, v = rng.uniform(0.4, 1.6, N), rng.normal(size=N)
    expected = [(f(x + e, N) - f(x - e, N)) / (2 * H) for e in H * np.eye(N)]
    value, found = module.value_and_grad(name, wrt="x")(x, N)
    # flang's runtime adds in another order than what is differentiated in its place.
    assert np.isclose(value, f(x, N), rtol=1e-14) if path.suffix == ".f90" else value == f(x, N)
    assert np.allclose(found, expected, rtol=1e-6, atol=1e-6 * max(1, np.abs(expected).max()))
    tangent = module.jvp(name, wrt="x")(x, N, v)[1]
    assert np.isclose(tangent, found @ v, rtol=1e-9)
