"""What LLVM reads ahead of the branch that decides against it may never have been written, and what a program computes
and leaves alone may be infinite: nothing comes from there.

The numbers are small integers and halves of them, so that the results are exact.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

import numpy as np
import pytest

import gradir

SOURCE = """
#include <string.h>
typedef union { double one; double two[2]; long whole; } Either;
#define EACH for (int i = 0; i < n; i++)
double chosen(const double *x, int n) {
    double s = 0;
    EACH { double w[2]; memcpy(w, x + 2 * i, 16); s += w[0] < 0 ? w[0] * w[1] : w[0]; }
    return s;
}
double before_a_branch(const double *x, int n) {
    double s = 0;
    EACH { double w[2]; memcpy(w, x + 2 * i, 16); double p = w[0] * w[1]; if (w[0] < 0) s += p; else s += w[0]; }
    return s;
}
double member(const double *x, int n) {
    double s = 0;
    EACH { Either e; memcpy(&e, x + 2 * i, 16); if (x[2 * i] < 0) s += e.two[0] * e.two[1]; else s += e.one; }
    return s;
}
double by_words(const double *x, int n) {
    double s = 0;
    EACH {
        unsigned long w[2];
        double a, b;
        memcpy(w, x + 2 * i, 16), memcpy(&a, w, 8), memcpy(&b, w + 1, 8);
        s += a < 0 ? a * b : a;
    }
    return s;
}
double squared(const double *x, int n) {
    double s = 0;
    EACH { double a = x[2 * i], b = x[2 * i + 1]; s += a < 0 ? (a * b) * (a * b) * 0.5 + a * b : a; }
    return s;
}
"""
NAMES = ("chosen", "before_a_branch", "member", "by_words", "squared")


@cache
def module_of(text: str, flags: str, folder: Path) -> gradir.native.NativeModule:
    (source := folder / "ahead.c").write_text(text)
    return gradir.load(source, flags=flags.split())


@pytest.mark.parametrize("garbage", [np.nan, np.inf, -np.inf])
@pytest.mark.parametrize("flags", ["-O0", "-O2", "-O3 -march=native"])
@pytest.mark.parametrize("name", NAMES)
def test_nothing_comes_of_it(name: str, flags: str, garbage: float, tmp_path_factory: pytest.TempPathFactory) -> None:
    module = module_of(SOURCE, flags, tmp_path_factory.getbasetemp())
    x = np.array([1.0, garbage, -2.0, 3.0, 4.0, garbage])
    product = x[2] * x[3]
    outer = 1.0 + product if name == "squared" else 1.0
    expected = [1.0, 0.0, outer * x[3], outer * x[2], 1.0, 0.0]
    np.testing.assert_array_equal(module.grad(name, wrt="x")(x, 3), expected)
    np.testing.assert_array_equal(module.jacobian(name, wrt="x")(x, 3), expected)
    assert module.jvp(name, wrt="x")(x, 3, np.ones(6))[-1] == sum(expected)
    second = module.hessian(name, wrt="x")(x, 3)
    inner = [[x[3] ** 2, outer + product], [outer + product, x[2] ** 2]] if name == "squared" else [[0, 1], [1, 0]]
    assert np.isfinite(second).all()
    np.testing.assert_array_equal(second[2:4, 2:4], inner)


LEFT_ALONE = """
#include <math.h>
#define KEEP __attribute__((noinline)) static
KEEP double half(double x) { return x * 0.5; }
double on_one_way(double x, double y, int n) {
    double q;
    if (n > 0) q = half(x) / y; else q = half(half(x));
    return y != 0 ? q * x : x;
}
double summed(double x, double y, int n) {
    double q = 0;
    for (int i = 0; i < n; i++) q += x / y;
    return y != 0 ? q * q : x;
}
double by_rules(double x, double y, int n) {
    double r = sqrt(y) * pow(y, 0.25) * log(y + 1) * cbrt(y);
    return y > 0 ? r : x;
}
double by_test(double x, double y, int n) { double q = x / y; return isfinite(q) ? q : x; }
"""
ALONE = ("on_one_way", "summed", "by_rules", "by_test")


@pytest.mark.parametrize("flags", ["-O0", "-O2", "-O3 -march=native"])
@pytest.mark.parametrize("name", ALONE)
def test_infinities_are_left_alone(name: str, flags: str, tmp_path_factory: pytest.TempPathFactory) -> None:
    module = module_of(LEFT_ALONE, flags, tmp_path_factory.getbasetemp())
    assert module[name](3.0, 0.0, 3) == 3.0
    assert module.grad(name, wrt=("x", "y"))(3.0, 0.0, 3) == (1.0, 0.0)
    assert module.jvp(name, wrt=("x", "y"))(3.0, 0.0, 3, 1.0, 1.0) == (3.0, 1.0)


def test_used_infinities_are_not_hidden(tmp_path: Path) -> None:
    """The slope is 1; that 0 * inf is none of that is said, not made 0."""
    (source := tmp_path / "roots.c").write_text("#include <math.h>\ndouble f(double x) { return sqrt(x) * sqrt(x); }")
    assert np.isnan(gradir.load(source).grad("f")(0.0))
