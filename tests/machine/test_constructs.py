"""What real programs use besides arithmetic and loops, each against central differences, in both modes and widths."""

from __future__ import annotations

import ctypes
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


def test_addresses_of_the_librarys_own(tmp_path: Path) -> None:
    """What comes from outside as `free` is `free`, too."""
    source = tmp_path / "address.c"
    source.write_text(
        "#include <stdlib.h>\n"
        "double told(double x, long at) { return (void (*)(void *))at == free ? x * x : -x; }\n"
        "void *(*get)(size_t) = malloc;\n"
        "void (*put)(void *) = free;\n"
    )
    module = gradir.load(source)
    free = ctypes.cast(ctypes.CDLL(None).free, ctypes.c_void_p).value
    abort = ctypes.cast(ctypes.CDLL(None).abort, ctypes.c_void_p).value
    assert module.value_and_grad("told", wrt="x")(3.0, free) == (9, 6)
    assert module.value_and_grad("told", wrt="x")(3.0, abort) == (-3, -1)


def test_new_that_throws_by_its_address(tmp_path: Path) -> None:
    source = tmp_path / "new.cpp"
    source.write_text(
        "#include <new>\n#include <cstddef>\n"
        "struct Ops { void *(*get)(std::size_t); void (*put)(void *); };\n"
        "Ops ops = {&operator new, &operator delete};\n"
        'extern "C" double asked(double x, long n) {\n'
        "  try {\n"
        "    double *p = (double *)ops.get((std::size_t)n);\n"
        "    *p = x * x;\n    double r = *p * 3;\n    ops.put(p);\n    return r;\n"
        "  } catch (std::bad_alloc &) { return x * 7; }\n"
        "}\n"
    )
    module = gradir.load(source)
    assert module.value_and_grad("asked", wrt="x")(2.0, 1 << 62) == (14, 7)
    assert module.value_and_grad("asked", wrt="x")(2.0, 8) == (12, 12)
