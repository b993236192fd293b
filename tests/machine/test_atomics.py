"""Atomic sums, differences and exchanges of active memory, whose results carry derivatives, too."""

from __future__ import annotations

import numpy as np
import pytest

import gradir
from gradir.errors import NoRule

pytest.importorskip("ziglang", reason="C is compiled by zig")

SOURCE = """
double exchanged(double a, double b) {
  double s = a, old = 0, y = b;
  __atomic_exchange(&s, &y, &old, 5);
  return old * old * b + s * a;
}
double fetched(double a, double b) {
  double s = a, old = __atomic_fetch_add(&s, b * b, 5);
  return old * s;
}
double in_a_loop(double a, double b) {
  double s = 0;
  for (int i = 0; i < 4; i++) {
    double old = __atomic_fetch_sub(&s, a * i, 5);
    s += old * b;
  }
  return s;
}
float singles(float a, float b) {
  float s = a, y = b * a, old;
  __atomic_exchange(&s, &y, &old, 5);
  __atomic_fetch_add(&s, old, 5);
  return s * old;
}
double counted(double a, double b) {  // integers beside
  int n = 0, one = 1;
  double s = a;
  while (__atomic_fetch_add(&n, one, 5) < 3) s *= b;
  int expected = 4;
  __atomic_compare_exchange_n(&n, &expected, 7, 0, 5, 5);
  return s * n;
}
double compared(double a, double b) {
  double s = a, expected = a, y = b * a;
  __atomic_compare_exchange(&s, &expected, &y, 0, 5, 5);
  return s * b;
}
double left_alone(double a, double b) {  // another is expected: it is given back, and nothing is written
  double s = a * b, expected = 2 * a, y = b * a;
  int done = __atomic_compare_exchange(&s, &expected, &y, 0, 5, 5);
  return s * expected + done;
}
double tried_again(double a, double b) {  // as std::atomic<double> adds
  double s = a;
  for (int i = 0; i < 4; i++) {
    double old, new;
    __atomic_load(&s, &old, 5);
    do new = old * b + i;
    while (!__atomic_compare_exchange(&s, &old, &new, 1, 5, 5));
  }
  return s;
}
float both(float a, float b) {
  float s = a, old = a, y = b * a;
  for (int i = 0; i < 3; i++)
    if (__atomic_compare_exchange(&s, &old, &y, 0, 5, 5)) y *= a;
  return s * old;
}
struct shared { double *where; double v; int count; };
double beside(double a, double b) {  // a count in memory that has floats and pointers, too
  struct shared s[2] = {{&b, a, 1}, {&s[0].v, b, 2}};
  int expected = 2;
  __atomic_compare_exchange_n(&s[expected & 1].count, &expected, 5, 0, 5, 5);
  return *s[1].where * s[0].v * *s[0].where + s[0].count * a * expected;
}
"""
IN_PARALLEL = """
double f(double a, double b) {
  double s = a;
  #pragma omp parallel for
  for (int i = 0; i < 4; i++) {
    double old = b, new = i * b;
    __atomic_compare_exchange(&s, &old, &new, 1, 5, 5);
  }
  return s;
}
"""


@pytest.fixture(scope="module")
def module(tmp_path_factory):
    path = tmp_path_factory.mktemp("atomics") / "atomics.c"
    path.write_text(SOURCE)
    return gradir.load(path)


# Central differences err by the step's square and by rounding over it: 1e-10 in double, 1e-4 in single precision.
@pytest.mark.parametrize("name, h, tolerance", [
    ("exchanged", 1e-5, 1e-7), ("fetched", 1e-5, 1e-7), ("in_a_loop", 1e-5, 1e-7), ("counted", 1e-5, 1e-7),
    ("compared", 1e-5, 1e-7), ("left_alone", 1e-5, 1e-7), ("tried_again", 1e-5, 1e-7), ("beside", 1e-5, 1e-7),
    ("singles", 1e-2, 1e-3), ("both", 1e-2, 1e-3),
])  # fmt: skip
def test_derivatives(module, name, h, tolerance):
    a, b, f = 1.3, 0.7, module[name]
    expected = [(f(a + h, b) - f(a - h, b)) / (2 * h), (f(a, b + h) - f(a, b - h)) / (2 * h)]
    np.testing.assert_allclose(module.grad(name, wrt=(0, 1))(a, b), expected, rtol=tolerance)
    forward = module.jvp(name, wrt=(0, 1))
    np.testing.assert_allclose([forward(a, b, 1.0, 0.0)[1], forward(a, b, 0.0, 1.0)[1]], expected, rtol=tolerance)


@pytest.mark.parametrize("mode", ["grad", "jvp"])
def test_an_exchange_on_a_condition_is_refused_where_threads_come_between(tmp_path, mode):
    path = tmp_path / "parallel.c"
    path.write_text(IN_PARALLEL)
    module = gradir.load(path, flags=["-fopenmp"])
    with pytest.raises(NoRule, match="an atomic exchange on active memory"):
        getattr(module, mode)("f", wrt=(0, 1))(1.3, 0.7, *([] if mode == "grad" else [1.0, 0.0]))
