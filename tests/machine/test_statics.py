"""Globals with constructors, and memory that globals hold from one call to the next."""

from __future__ import annotations

import numpy as np
import pytest

import gradir
from gradir.errors import NoRule

pytest.importorskip("ziglang", reason="C++ is compiled by zig")

SOURCE = """
#include <cmath>
#include <cstdlib>
#include <iostream>
#include <map>
#include <vector>

static std::vector<double> table = {1, 2, 3};
static double k = std::sin(table[1]);
struct Counter { int n = 7; Counter() { n = 3; } ~Counter() { n = 0; } };
static Counter counter;
extern "C" double constructed(double a, double b) {
  double s = 0;
  for (double t : table) s += t * a * b;
  return s * k + counter.n;
}

extern "C" double static_map(double a, double b) {
  static std::map<int, int> m = {{1, 2}, {3, 4}};
  return a * m[3] * b;
}

// What is pushed in a later call goes to memory that an earlier one has allocated.
extern "C" double scratch(double a, double b) {
  static std::vector<double> w;
  w.clear();
  for (int i = 0; i < 5; i++) w.push_back(a * i);
  return w[2] * w[3] * b;
}

static double *buffer;
static int capacity;
extern "C" double allocated_once(double a, double b) {
  if (!buffer) buffer = (double *)malloc((capacity = 8) * sizeof(double));
  for (int i = 0; i < capacity; i++) buffer[i] = a * i + b;
  return buffer[2] * buffer[3];
}

// A pointer between a number and a count: the number's shadow is cleared, the pointer's is not.
struct Box { double x; double *p; int n; };
static Box box;
extern "C" double boxed(double a, double b) {
  if (!box.p) box.p = new double[4];
  box.x = a;
  box.p[1] = box.x * b;
  box.x += box.p[1];
  box.n++;
  return box.x * box.p[1];
}

// Constructors of globals lie in a section of their own, which an exception must not stumble over.
extern "C" double caught(double a, double b) {
  double s = 0;
  for (int i = 0; i < 4; i++) try {
    if (i == 2) throw i;
    s += a * i;
  } catch (int) { s *= b; }
  return s;
}

static std::vector<double> work(20);
extern "C" double constructed_work(double a, double b) {
  for (int i = 0; i < 5; i++) work[i] = a * i;
  return work[2] * work[3] * b;
}
"""


@pytest.fixture(scope="module")
def module(tmp_path_factory):
    path = tmp_path_factory.mktemp("statics") / "statics.cpp"
    path.write_text(SOURCE)
    return gradir.load(path)


@pytest.mark.parametrize("name", ["constructed", "static_map", "scratch", "allocated_once", "boxed", "caught"])
def test_derivatives_call_after_call(module, name):
    gradient, forward, f, h = module.grad(name, wrt=(0, 1)), module.jvp(name, wrt=(0, 1)), module[name], 1e-5
    for a, b in ((1.3, 0.7), (0.4, 2.1), (1.3, 0.7)):
        expected = [(f(a + h, b) - f(a - h, b)) / (2 * h), (f(a, b + h) - f(a, b - h)) / (2 * h)]
        # Central differences with a step of 1e-5 err by its square and by rounding over it: 1e-10 both.
        np.testing.assert_allclose(gradient(a, b), expected, rtol=1e-7)
        np.testing.assert_allclose([forward(a, b, 1.0, 0.0)[1], forward(a, b, 0.0, 1.0)[1]], expected, rtol=1e-7)


def test_constructors_run_once_in_the_order_of_the_source(module):
    assert module.constructed(1.0, 1.0) == pytest.approx(6 * np.sin(2) + 3, rel=1e-15)


@pytest.mark.parametrize("mode", ["grad", "jvp"])
def test_memory_from_before_the_program_has_no_shadow(module, mode):
    assert module.constructed_work(2.0, 1.0) == 24.0
    with pytest.raises(NoRule, match="gets its memory before the program begins"):
        getattr(module, mode)("constructed_work", wrt=(0, 1))(2.0, 1.0, *([] if mode == "grad" else [1.0, 0.0]))
