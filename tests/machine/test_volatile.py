"""Volatile memory carries derivatives like any other; jumps back by `longjmp` are differentiated, or refused by name.

Derivatives are compared with central differences of step 1e-6, whose rounding leaves errors of about 1e-9 here; forward
and reverse mode with each other, to rounding.
"""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

import gradir
from gradir.errors import NoRule

VOLATILE = r"""
#include <math.h>
double scalar(double x) { volatile double y = x * x; y = y * x; return sin(y); }

static volatile double state;
double variable(double x) { state = x; state = state * state + x; return state; }

double loop(double x) { volatile double s = 0; for (int i = 0; i < 5; i++) s += x * i * s + x; return s; }

double array(double x) {
  volatile double a[3] = {x, x * x, 1};
  for (int i = 0; i < 2; i++) a[i + 1] = a[i] * a[i + 1];
  return a[2];
}

double counter(double x) { volatile int n = 3; double s = x; for (int i = 0; i < n; i++) s *= x; return s; }

struct Pair { double a, b; };
double whole(double x) { volatile struct Pair p = {x, 2 * x}; struct Pair q = p; return q.a * q.b; }

struct Members { volatile double a; int k; volatile double b; };
static void set(struct Members *m, double x) { m->a = x; m->b = x * x; m->k = 2; }
double members(double x) { struct Members m; set(&m, x); struct Members n = m; n.a += n.b * n.k; return n.a * n.b; }

double cast(double x) { double y = x * x; double z = *(volatile double *)&y; return z * x; }
double extended(double x) { volatile long double l = x; l *= x; return (double)l; }
double branch(double x) { volatile double y = x; if (y > 1) y = y * y; else y = 3 * y; return y * y; }

static volatile double table[4];
double tabled(double x) {
  for (int i = 0; i < 4; i++) table[i] = x * i;
  double s = 0;
  for (int i = 0; i < 4; i++) s += table[i] * table[3 - i];
  return s;
}

__attribute__((noinline)) static double twice(volatile double *p) { *p = *p * 2; return *p * *p; }
double call(double x) { volatile double y = x; double r = twice(&y); return r * y; }
"""

FUNCTIONS = [line.split("(")[0].split()[-1] for line in VOLATILE.splitlines() if line.startswith("double ")]

JUMPS = r"""
#include <setjmp.h>
static jmp_buf place;
static double total;
double global_sum(double x) {
  total = 0;
  volatile int k = 0;
  setjmp(place);
  total += x * k;
  if (k++ < 3) longjmp(place, 1);
  return total;
}
double volatile_sum(double x) {
  jmp_buf here;
  volatile double s = x;
  if (setjmp(here) < 1) { s = s * x; longjmp(here, 1); }
  return s * x;
}
static void fail(void) { longjmp(place, 2); }
double error_code(double x) { double y = x; if (setjmp(place)) return -x; if (x > 1) fail(); return y * y; }
double unix_form(double x) {
  sigjmp_buf here;
  volatile double s = 0;
  int n = sigsetjmp(here, 0);
  s += x;
  if (n < 2) siglongjmp(here, n + 1);
  return s * s;
}
static double __attribute__((noinline)) inner(double x) {
  jmp_buf here;
  volatile double y = x;
  if (!setjmp(here)) { y *= 3; longjmp(here, 1); }
  return y;
}
double in_callee(double x) { return inner(x) * x; }
static int __attribute__((noinline)) count(int n) {
  jmp_buf here;
  volatile int k = 0;
  if (setjmp(here) < n) { k++; longjmp(here, k); }
  return k;
}
double beside(double x) { double s = 1; for (int i = 0; i < count(3); i++) s *= x; return s; }
struct context { double least; jmp_buf way; int code; };
static void __attribute__((noinline)) leave(struct context *c, int code) { c->code = code; longjmp(c->way, 0); }
static double __attribute__((noinline)) root(struct context *c, double x) {
  if (x < c->least) leave(c, 4);
  return x * x;
}
double handled(double x) {
  struct context c = {.least = 1};
  volatile double s = x;
  if (setjmp(c.way)) return s * c.code;
  for (double y = x; ; y -= 0.25) s += root(&c, y);
}
double in_turn(double x) {
  jmp_buf here;
  volatile double s = x;
  volatile int k = 0;
  if (setjmp(here) == 0) { s *= x; longjmp(here, 5); }
  if (setjmp(here) < 3) { s *= x; k++; longjmp(here, k); }
  return s;
}
static double deep(int n, double x) { if (n == 0) longjmp(place, 1); return x * deep(n - 1, x); }
double from_deep(double x) { volatile double s = x; if (setjmp(place)) return s * x; return deep(3, x); }
double by_copy(double x) {
  jmp_buf here, there;
  volatile double s = x;
  if (setjmp(here)) return s * x;
  __builtin_memcpy(there, here, sizeof here);
  longjmp(there, 1);
}
static jmp_buf shared;
static void __attribute__((noinline)) again(void) { longjmp(shared, 1); }
static double either(double x, int k) { if (k) again(); if (setjmp(shared)) return x * x; return either(x, 1); }
double twice_set(double x) { return either(x, 0); }
"""

DERIVATIVES = {
    "global_sum": lambda x: 6.0,
    "volatile_sum": lambda x: 3 * x**2,
    "error_code": lambda x: -1.0 if x > 1 else 2 * x,
    "unix_form": lambda x: 18 * x,
    "in_callee": lambda x: 6 * x,
    "beside": lambda x: 3 * x**2,
    "handled": lambda x: 4 * (1 + 2 * sum(y for y in (x, x - 0.25, x - 0.5) if y >= 1)),
    "in_turn": lambda x: 5 * x**4,
}
REFUSED = ["from_deep", "by_copy", "twice_set"]
WAYS = ["zig", "-O0", "-O2"]
modules: dict[tuple[str, str], gradir.NativeModule] = {}


@pytest.fixture
def load(tmp_path: Path):
    def loaded(source: str, way: str) -> gradir.NativeModule:
        if (source, way) not in modules:
            path = tmp_path / "program.c"
            path.write_text(source)
            if way != "zig":
                if shutil.which("clang-19") is None:
                    pytest.skip("needs clang-19")
                made = tmp_path / "program.ll"
                subprocess.run(["clang-19", "-g", way, "-S", "-emit-llvm", "-o", str(made), str(path)], check=True)
                path = made
            modules[source, way] = gradir.load(path)
        return modules[source, way]

    return loaded


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("name", FUNCTIONS)
def test_volatile(load, name: str, way: str) -> None:
    m, h = load(VOLATILE, way), 1e-6
    for x in (0.6, 1.3):
        reference = (m[name](x + h) - m[name](x - h)) / (2 * h)
        value, tangent = m.jvp(name)(x, 1.0)
        assert value == pytest.approx(m[name](x), rel=1e-14)
        assert tangent == pytest.approx(reference, rel=1e-7)
        assert m.grad(name)(x) == pytest.approx(tangent, rel=1e-13)


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("name", REFUSED)
def test_jumps_back_are_refused(load, name: str, way: str) -> None:
    m = load(JUMPS, way)
    for make in (lambda: m.grad(name)(1.3), lambda: m.jvp(name)(1.3, 1.0)):
        for _ in range(2):  # the second time, too
            with pytest.raises(NoRule, match=r"setjmp.* may return twice"):
                make()


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("name", DERIVATIVES)
def test_jumps_back(load, name: str, way: str) -> None:
    """The buffer is on the stack, static, in a struct, and set twice; what jumps is the function, or a callee."""
    m = load(JUMPS, way)
    for x in (0.6, 1.3):
        assert m.jvp(name)(x, 1.0)[1] == pytest.approx(DERIVATIVES[name](x), rel=1e-14)
        assert m.grad(name)(x) == pytest.approx(DERIVATIVES[name](x), rel=1e-14)
