"""Pointers that functions without a body give into memory that they were given."""

from __future__ import annotations

import numpy as np
import pytest

import gradir

pytest.importorskip("ziglang", reason="C++ is compiled by zig")

SOURCE = """
#include <cstring>

struct Shape { virtual double area() const = 0; virtual ~Shape() {} };
struct Named { double weight; virtual double name() const { return 1; } virtual ~Named() {} };
struct Circle : Shape { double r; Circle(double r) : r(r) {} double area() const override { return 3 * r * r; } };
struct Square : Shape, Named {
  double w;
  Square(double w, double k) : w(w) { weight = k; }
  double area() const override { return w * w; }
};

extern "C" double down(double a, double b) {
  Circle c(a);
  Square s(a, b);
  Shape *v[2] = {&c, &s};
  double total = 0;
  for (Shape *p : v)
    if (auto *q = dynamic_cast<Square *>(p)) total += q->w * q->weight;
    else total += p->area();
  return total;
}

// The other base lies elsewhere in the object.
extern "C" double across(double a, double b) {
  Circle c(a);
  Square s(a, b);
  Shape *v[2] = {&s, &c};
  double total = 1;
  for (Shape *p : v)
    if (auto *n = dynamic_cast<Named *>(p)) total *= n->weight * n->name();
    else total += p->area() * b;
  return total;
}

struct Record { char name[8]; double value; };
extern "C" double found(double a, double b) {
  Record r = {"ab=xyz", a * b};
  char *at = strchr(r.name, '=');
  Record *same = (Record *)(at - 2);
  return same->value * (at - r.name);
}
"""


@pytest.mark.parametrize("name", ["down", "across", "found"])
def test_derivatives(tmp_path, name):
    (tmp_path / "returned.cpp").write_text(SOURCE)
    module = gradir.load(tmp_path / "returned.cpp")
    a, b, h, f = 1.3, 0.7, 1e-5, module[name]
    expected = [(f(a + h, b) - f(a - h, b)) / (2 * h), (f(a, b + h) - f(a, b - h)) / (2 * h)]
    # Central differences with a step of 1e-5 err by its square and by rounding over it: 1e-10 both.
    np.testing.assert_allclose(module.grad(name, wrt=(0, 1))(a, b), expected, rtol=1e-7)
    forward = module.jvp(name, wrt=(0, 1))
    np.testing.assert_allclose([forward(a, b, 1.0, 0.0)[1], forward(a, b, 0.0, 1.0)[1]], expected, rtol=1e-7)
