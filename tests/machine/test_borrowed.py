"""Memory that a function allocates for itself: its derivatives take it from where their tapes are, and give it back.

All is polynomial in x, so that central differences of these values are exact to 1e-8 and better.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from pathlib import Path

import numpy as np
import pytest

import gradir
from gradir import frontends
from gradir.machine import llvm
from gradir.machine.analysis.cfg import CFG
from gradir.machine.analysis.memory import Memory
from gradir.machine.ir import Instruction
from gradir.machine.ir.text.reader import read

HEAD = """
#include <malloc.h>
#include <stdlib.h>
#include <string.h>
#define KEEP __attribute__((noinline))
static double *left_there;
#define EACH for (int i = 0; i < n; i++)
KEEP static double norm(const double *v, int n) { double s = 0; EACH s += v[i] * v[i]; return s; }
KEEP static double *made(int n) { double *v = malloc(n * sizeof *v); v[0] = 1.5; return v; }
KEEP static void drop(double *v) { free(v); }
KEEP static void fill(double **to, int n) { *to = malloc(n * sizeof **to); memset(*to, 0, n * sizeof **to); }
"""
# What is computed of x[0], x[1], ... and n, in a loop, so that all of it lives until the loop is undone.
BORROWED = {
    "scratch": """
        double *v = malloc(n * sizeof *v); for (int i = 0; i < n; i++) v[i] = x[i] * r; s += norm(v, n);
        free(v);""",
    "zeros": "double *v = calloc(n + 5, sizeof *v); v[r % 8] = x[0] * x[1]; s += norm(v, n + 5); free(v);",
    "of_no_size": "double *v = malloc(0); s += v ? x[0] * x[1] : 0; free(v);",
    "large": "double *v = calloc(5000, sizeof *v); v[r * 7] = x[r % 3] * x[1]; s += norm(v, 5000); free(v);",
    "around_the_limit": """
        double *v = malloc((2047 + r) * sizeof *v); v[2046 + r] = x[0]; s += v[2046 + r] * x[1]; free(v);""",
    "one_of_two": """
        double *v = malloc(8), *w = malloc(8); *v = x[0]; *w = x[1] * r; s += *(r & 1 ? v : w) * x[2];
        free(v); free(w);""",
    "not_always": "double *v = r & 1 ? malloc(80) : 0; if (v) { v[1] = x[1]; s += v[1] * v[1] * x[0]; } free(v);",
    "pointers": """
        double **rows = malloc(3 * sizeof *rows);
        for (int i = 0; i < 3; i++) { rows[i] = malloc(16); rows[i][0] = x[i]; rows[i][1] = x[i] * r; }
        for (int i = 0; i < 3; i++) s += rows[i][0] * rows[2 - i][1];
        for (int i = 0; i < 3; i++) free(rows[i]);
        free(rows);""",
    "never_freed": "double *v = malloc(16); v[0] = x[0] * r; v[1] = v[0] * x[1]; s += v[1];",
}
OWN = {
    "grown": """
        double *v = malloc(8); *v = x[0];
        for (int i = 1; i < n; i++) { v = realloc(v, 8 * (i + 1)); v[i] = v[i - 1] * x[i]; }
        s += norm(v, n); free(v);""",
    "measured": "double *v = malloc(40); v[1] = x[1]; s += v[1] * x[0] * (malloc_usable_size(v) >= 40); free(v);",
    "of_another": "double *v = made(n); for (int i = 1; i < n; i++) v[i] = v[i - 1] * x[i]; s += norm(v, n); free(v);",
    "given_to_another": "double *v = malloc(24); v[2] = x[2] * r; s += norm(v + 2, 1); drop(v);",
    "through_a_pointer": "double *v; fill(&v, n); v[1] = x[0] * x[1]; s += norm(v, n); free(v);",
    "either": "double *v = r & 1 ? malloc(n * 8) : made(n); v[0] = x[0]; v[1] = x[1] * r; s += norm(v, 2); free(v);",
    "left": """
        if (left_there) free(left_there); left_there = malloc(24); left_there[1] = x[1] * r;
        s += left_there[1] * x[0];""",
}
LOCAL = {
    "variable_length": "double v[n + r]; memset(v, 0, sizeof v); v[r] = x[1]; v[0] = x[0] * r; s += norm(v, n + r);",
}
PROGRAMS = BORROWED | OWN | LOCAL


@cache
def text_of(level: int, folder: Path) -> str:
    source = folder / "borrowed.c"
    functions = [
        f"double {name}(const double *x, int n) {{ double s = 0; for (int r = 1; r < 40; r++) {{ {body} }} return s; }}"
        for name, body in PROGRAMS.items()
    ]
    source.write_text(HEAD + "\n".join(functions))
    module = frontends.to_llvm(source)
    return str(llvm.optimise(module, level=level, target=llvm.Target(cpu="x86-64")) if level else module)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("borrowed")


def differences(f: Callable[..., float], x: np.ndarray) -> np.ndarray:
    steps = 1e-4 * np.eye(len(x))
    return np.array([(f(x + h, 3) - f(x - h, 3)) / 2e-4 for h in steps])


@pytest.mark.parametrize("level", [0, 2])
@pytest.mark.parametrize("name", PROGRAMS)
def test_derivatives(name: str, level: int, folder: Path) -> None:
    x, v = np.array([1.25, -0.75, 0.5]), np.array([0.5, 1.0, -2.0])
    (path := folder / f"borrowed{level}.ll").write_text(text_of(level, folder))
    module = gradir.load(path)
    expected = differences(module[name], x)
    gradient = module.grad(name, wrt="x")
    for _ in range(3):  # what is kept for the next call is used again
        np.testing.assert_allclose(gradient(x, 3), expected, rtol=1e-6, atol=1e-6)
    np.testing.assert_allclose(module.jvp(name, wrt="x")(x, 3, v)[-1], expected @ v, rtol=1e-6, atol=1e-6)
    hessian = module.hessian(name, wrt="x")(x, 3)
    steps = 1e-4 * np.eye(3)
    np.testing.assert_allclose(
        hessian, [(gradient(x + h, 3) - gradient(x - h, 3)) / 2e-4 for h in steps], rtol=1e-6, atol=1e-5
    )


def allocations(name: str, folder: Path) -> dict[Instruction, bool]:
    """Those of a function as it was written, of which LLVM would leave out some, and whether each is private."""
    normal = llvm.normalise(llvm.parse(text_of(0, folder)), keep=[name], optimise=False)
    module = read(llvm.canonical_text(normal))
    function = module.functions[name]
    memory = Memory(module, function, CFG(function))
    known = ((i, memory.known(i)) for i in function.instructions() if i.opcode == "call")
    return {i: memory.is_private(i) for i, fact in known if fact and fact.kind in ("allocate", "zero_allocate")}


@pytest.mark.parametrize("name", BORROWED)
def test_who_borrows(name: str, folder: Path) -> None:
    found = allocations(name, folder)
    assert found and all(found.values())


@pytest.mark.parametrize("name", OWN)
def test_who_does_not(name: str, folder: Path) -> None:
    assert not any(allocations(name, folder).values())


THROWING = """
#include <stdexcept>
#include <vector>
__attribute__((noinline)) static double inner(const double *x, int n, int k) {
    std::vector<double> v(n + k);
    std::vector<int> seen(k + 1);
    for (int i = 0; i < n; i++) v[i] = x[i] * k, seen[k] += i;
    double s = 0;
    for (double e : v) s += e * e;
    if (s > 20) throw std::runtime_error("large");
    return s * seen[k];
}
extern "C" double thrower(const double *x, int n) {
    double s = 0;
    for (int k = 0; k < 9; k++) {
        double *own = new double[n + 1];
        own[n] = x[k % n];
        try {
            s += inner(x, n, k) * own[n];
        } catch (const std::exception &) {
            s += x[0] * own[n];
        }
        delete[] own;
    }
    return s;
}
"""


def test_what_throws_gives_it_back(tmp_path: Path) -> None:
    (source := tmp_path / "thrower.cpp").write_text(THROWING)
    module = gradir.load(source, flags=["-O1"])
    x, steps = np.array([1.25, -0.75, 0.5]), 1e-4 * np.eye(3)
    gradient = module.grad("thrower", wrt="x")
    np.testing.assert_allclose(gradient(x, 3), differences(module["thrower"], x), rtol=1e-6)
    by_differences = [(gradient(x + h, 3) - gradient(x - h, 3)) / 2e-4 for h in steps]
    np.testing.assert_allclose(module.hessian("thrower", wrt="x")(x, 3), by_differences, rtol=1e-6)
