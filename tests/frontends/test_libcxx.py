"""Parts of libc++ that are not in its headers come from zig's sources, and have derivatives."""

from __future__ import annotations

import numpy as np
import pytest

import gradir
from gradir.errors import NativeException

pytest.importorskip("ziglang", reason="libc++'s sources come with zig")

SOURCE = """
#include <algorithm>
#include <memory>
#include <string>
#include <vector>

// std::sort of doubles is one function of libc++'s own.
extern "C" double sorted(double a, double b) {
  std::vector<double> v = {a, b, a * b, 3, 0.1};
  std::sort(v.begin(), v.end());
  double s = 0;
  for (size_t i = 0; i < v.size(); i++) s += v[i] * v[i] * (i + 1);
  return s;
}

// A string that grows beyond what fits in itself, as state that guides floats.
extern "C" double lengths(double a, double b) {
  std::string s;
  double r = 0;
  for (int i = 0; i < 40; i++) {
    s.append("ab");
    r += a * s.size() * b;
  }
  return r;
}

struct Node { double value; std::shared_ptr<Node> left, right; };

static std::shared_ptr<Node> build(double a, int depth) {
  auto node = std::make_shared<Node>();
  node->value = a * depth;
  if (depth > 0) node->left = build(a + 1, depth - 1);
  if (depth > 1) node->right = build(a * 2, depth - 2);
  return node;
}

static double total(const std::shared_ptr<Node> &n) {
  return n ? n->value * n->value + total(n->left) * total(n->right) + n->value : 0;
}

extern "C" double counted(double a, double b) { return total(build(a, 3)) * b; }
"""


@pytest.fixture(scope="module")
def module(tmp_path_factory):
    path = tmp_path_factory.mktemp("libcxx") / "library.cpp"
    path.write_text(SOURCE)
    return gradir.load(path)


def test_what_is_linked_is_not_the_programs_own(module):
    assert list(module.functions) == ["sorted", "lengths", "counted"]


@pytest.mark.parametrize("name", ["sorted", "lengths", "counted"])
def test_derivatives(module, name):
    a, b, h = 1.3, 0.7, 1e-5
    f = module[name]
    expected = [(f(a + h, b) - f(a - h, b)) / (2 * h), (f(a, b + h) - f(a, b - h)) / (2 * h)]
    # Central differences with a step of 1e-5 err by its square and by rounding over it: 1e-10 both.
    np.testing.assert_allclose(module.grad(name, wrt=(0, 1))(a, b), expected, rtol=1e-7)
    forward = module.jvp(name, wrt=(0, 1))
    np.testing.assert_allclose([forward(a, b, 1.0, 0.0)[1], forward(a, b, 0.0, 1.0)[1]], expected, rtol=1e-7)


THROWING = """
#include <new>
#include <stdexcept>
#include <string>
#include <typeinfo>

struct Bad : std::runtime_error {
  explicit Bad(const std::string &what) : std::runtime_error("bad: " + what) {}
};

extern "C" double thrown(double a, int n) {
  switch (n) {
  case 1: throw std::invalid_argument("n is " + std::to_string(n));
  case 2: throw std::bad_alloc();
  case 3: throw Bad("of a length that no string keeps in itself");
  case 4: throw std::bad_cast();
  }
  return a * a * n;
}

extern "C" double caught(double a, int n) {
  double made = a;
  for (int i = 0; i < n; i++) {
    try {
      if (i % 3 == 1) throw std::out_of_range("at " + std::to_string(i));
      if (i % 3 == 2) throw std::bad_alloc();
      made *= a;
    } catch (const std::out_of_range &error) {
      made += a * std::string(error.what()).size();
    } catch (const std::bad_alloc &) {
      made = made * made;
    }
  }
  return made;
}
"""


@pytest.fixture(scope="module")
def throwing(tmp_path_factory):
    path = tmp_path_factory.mktemp("libcxx") / "throwing.cpp"
    path.write_text(THROWING)
    return gradir.load(path)


@pytest.mark.parametrize(
    "n, said",
    [
        (1, "std::invalid_argument: n is 1"),
        (2, "std::bad_alloc"),
        (3, "Bad: bad: of a length that no string keeps in itself"),
        (4, "std::bad_cast"),
    ],
)
def test_standard_exceptions_are_the_processs_own(throwing, n, said):
    with pytest.raises(NativeException, match=said):
        throwing.thrown(1.5, n)
    with pytest.raises(NativeException, match=said):
        throwing.grad("thrown", wrt="a")(1.5, n)
    assert throwing.grad("thrown", wrt="a")(1.5, 7) == 21


def test_what_catches_standard_exceptions_has_derivatives(throwing):
    a, v = 1.1, 0.3

    def caught(a):
        made = a * a
        made = (made + a * 4) ** 2  # "at 1"
        return made * a + a * 4

    expected = (caught(a + 1e-6) - caught(a - 1e-6)) / 2e-6
    assert throwing.caught(a, 5) == pytest.approx(caught(a), rel=1e-15)
    assert throwing.grad("caught", wrt="a")(a, 5) == pytest.approx(expected, rel=1e-8)
    assert throwing.jvp("caught", wrt="a")(a, 5, v)[1] == pytest.approx(expected * v, rel=1e-8)
