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


TABLES = """
static double a, b, c[3];
static double *const table[] = {&a, &b, &c[1], c};
static struct { const char *name; double *p; double scale; } entries[] = {{"a", &a, 1}, {"b", &b, 2}, {"c", c + 2, 3}};
static double *const *const tables[] = {table, table + 1};
static double *const outer = &c[1], *const *const inner = &outer;

double chosen(double x, double y, int n) {
  a = x; b = y;
  *table[n % 2] *= x;
  return a * b;
}
// What is read by the one name is written by the other: the reverse sweep needs what was there.
double overwritten(double x, double y, int n) {
  a = x; b = y; c[0] = c[1] = c[2] = x * y;
  for (int i = 0; i < n; i++) {
    double *p = table[i % 4];
    *p = *p * a + b * *table[(i + 1) % 4];
  }
  return a * b + c[0] * c[1];
}
double named(double x, double y, int n) {
  a = x; b = y; c[2] = 1;
  for (int i = 0; i < 3; i++)
    if (entries[i].name[0] != 'z') *entries[i].p += entries[i].scale * x * n;
  return a * b * c[2];
}
__attribute__((noinline)) static void add(int i, double v) { *tables[i % 2][i % 3] += v * **inner; }
double by_a_call(double x, double y, int n) {
  a = x; b = y; c[1] = x;
  for (int i = 0; i < n; i++) add(i, x * y);
  return a * b * c[1];
}
"""


@pytest.fixture(scope="module")
def tables(tmp_path_factory):
    path = tmp_path_factory.mktemp("tables") / "tables.c"
    path.write_text(TABLES)
    return gradir.load(path)


@pytest.mark.parametrize("name", ["chosen", "overwritten", "named", "by_a_call"])
def test_tables_of_variables(tables, name):
    x, y, n, h, f = 1.2, 0.7, 5, 1e-5, tables[name]
    # Central differences err by the step's square and by rounding over it.
    expected = [(f(x + h, y, n) - f(x - h, y, n)) / (2 * h), (f(x, y + h, n) - f(x, y - h, n)) / (2 * h)]
    np.testing.assert_allclose(tables.grad(name, wrt=(0, 1))(x, y, n), expected, rtol=1e-7)
    forward = tables.jvp(name, wrt=(0, 1))
    np.testing.assert_allclose([forward(x, y, n, 1.0, 0.0)[1], forward(x, y, n, 0.0, 1.0)[1]], expected, rtol=1e-7)


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


# Each reads what the call before has left there, which is a constant to this one, and then writes x² or 3 x there.
KEPT = """
#include <stdlib.h>
#define APART static __attribute__((noinline))
APART void put(double *p, int i, double v) { p[i] = v; }
APART double get(double *p, int i) { return p[i]; }

static double *block;
double in_block(double x, int k) {
  if (!block) block = calloc(4, sizeof(double));
  double before = get(block, k);
  put(block, k, x * x);
  return before * x + get(block, k);
}

typedef struct node { struct node *next; double v; } node;
static node *list;
APART node *last(node *n) { while (n->next) n = n->next; return n; }
double in_list(double x, int k) {
  for (int i = 0; !list || (i < k && !list->next->next); i++) {
    node *n = calloc(1, sizeof(node));
    n->next = list;
    list = n;
    if (!n->next) n->next = calloc(1, sizeof(node));
  }
  node *n = last(list);
  double before = n->v;
  n->v = x * x;
  return before * x + last(list)->v;
}

static struct { int n; float **rows; } table;
APART void put_in_row(float **rows, int k, float v) { rows[k & 1][k] = v; }
APART float in_row(float **rows, int k) { return rows[k & 1][k]; }
double in_rows(double x, int k) {
  if (!table.rows) {
    table.rows = malloc(2 * sizeof(float *));
    for (int i = 0; i < 2; i++) table.rows[i] = calloc(4, sizeof(float));
  }
  double before = in_row(table.rows, k);
  put_in_row(table.rows, k, x * x);
  return before * x + in_row(table.rows, k);
}

static double *middle;
double in_middle(double x, int k) {
  if (!middle) middle = (double *)calloc(8, sizeof(double)) + 4;
  double before = get(middle, -k);
  put(middle, -k, x * x);
  return before * x + get(middle, -k);
}

static double *grown;
static int size;
double in_grown(double x, int k) {
  double *more = calloc(size + 40, sizeof(double));
  for (int i = 0; i < size; i++) more[i] = grown[i];
  free(grown);
  grown = more;
  size += 40;
  double before = get(grown, k);
  put(grown, k, x * x);
  return before * x + get(grown, k);
}
"""


@pytest.fixture(scope="module")
def kept(tmp_path_factory):
    path = tmp_path_factory.mktemp("kept") / "kept.c"
    path.write_text(KEPT)
    return gradir.load(path)


@pytest.mark.parametrize("name", ["in_block", "in_list", "in_rows", "in_middle", "in_grown"])
def test_what_an_earlier_call_has_left_is_constant(kept, name):
    """Single precision in `in_rows`: squares of numbers of a few bits are exact."""
    gradient, forward, before = kept.grad(name, wrt=0), kept.jvp(name, wrt=0), 0.0
    for x in (1.5, 0.75, 2.25, 0.5):
        assert gradient(x, 2) == before + 2 * x
        assert forward(x, 2, 1.0) == (before * x + x * x, before + 2 * x)
        before = x * x


def test_several_directions_clear_what_an_earlier_call_has_left(kept):
    hessian = kept.hessian("in_block", wrt=0)
    assert [float(hessian(x, 2)) for x in (1.5, 0.75, 2.25)] == [2.0] * 3
