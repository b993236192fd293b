"""Globals that only a function further down uses: called directly, by a pointer, or virtually."""

from __future__ import annotations

from pathlib import Path

import pytest

import gradir

pytest.importorskip("ziglang", reason="C++ is compiled by zig")

SOURCE = """
#define NOINLINE __attribute__((noinline)) static
static double g[4];

NOINLINE double reads(double v) { return v * g[1]; }
NOINLINE double passes_on(double v) { return reads(v) + 1; }
NOINLINE void writes(double v) { g[2] = v * v; }
NOINLINE void hands_on(double v) { writes(v + 1); }
extern "C" double chain_of_reads(double x, double y) { g[1] = x * x; return passes_on(0.5) + y; }
extern "C" double chain_of_writes(double x, double y) { hands_on(x); return g[2] * y; }
extern "C" double both_chains(double x, double y) { g[1] = x; hands_on(x); return passes_on(y) + g[2]; }

static double by_pointer_reads(double *p, double v) { return v * g[1] + p[0]; }
static double by_pointer_writes(double *p, double v) { g[2] = v * g[1]; return v; }
static double (*table[2])(double *, double) = {by_pointer_reads, by_pointer_writes};
NOINLINE double dispatch(int c, double v, double *p) { return table[c & 1](p, v); }
extern "C" double table_reads(double x, double y) {
  double p[1] = {0};
  g[1] = x * x;
  return dispatch(y > 100, 0.5, p) * y;
}
extern "C" double table_writes(double x, double y) {
  double p[1] = {0};
  g[1] = x * y;
  dispatch(y < 100, 0.5, p);
  return g[2] * x;
}

struct Shape { virtual double area(double v) const = 0; virtual ~Shape() {} };
struct Reads : Shape { double area(double v) const override { return v * reads(g[1]); } };
struct Writes : Shape { double area(double v) const override { g[2] = v * g[0]; return v; } };
NOINLINE double of_shape(int c, double v) {
  Shape *s = c ? (Shape *)new Reads : (Shape *)new Writes;
  double r = s->area(v);
  delete s;
  return r;
}
extern "C" double virtual_reads(double x, double y) { g[1] = x * x; return of_shape(y > 0, 0.5) + y; }
extern "C" double virtual_writes(double x, double y) { g[0] = y * x; of_shape(y < 0, 0.5); return g[2] * x; }

static int depth_reads(int n) { return n; }
NOINLINE double recursive(int n, double v) {
  if (n <= 0) return v + g[3];
  g[3] = g[3] * 0.5 + reads(v);
  return recursive(n - depth_reads(1), v * 0.5);
}
extern "C" double recursion(double x, double y) { g[1] = x; g[3] = y * y; return recursive(3, 0.25); }
"""
FUNCTIONS = (
    "chain_of_reads", "chain_of_writes", "both_chains", "table_reads", "table_writes", "virtual_reads",
    "virtual_writes", "recursion",
)  # fmt: skip
X, Y, STEP = 1.3, 0.7, 1e-5


@pytest.fixture(scope="module", params=[True, False], ids=["optimised", "as it is"])
def module(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> gradir.NativeModule:
    path: Path = tmp_path_factory.mktemp("globals") / "globals.cpp"
    path.write_text(SOURCE)
    return gradir.load(path, optimise_first=request.param)


@pytest.mark.parametrize("name", FUNCTIONS)
def test_derivatives(module: gradir.NativeModule, name: str) -> None:
    """Central differences are off by the square of the step and by rounding over it: 1e-8 is above both."""
    f = module[name]
    wanted = [
        (f(X + STEP, Y) - f(X - STEP, Y)) / (2 * STEP),
        (f(X, Y + STEP) - f(X, Y - STEP)) / (2 * STEP),
    ]
    assert module.grad(name, wrt=(0, 1))(X, Y) == pytest.approx(wanted, abs=1e-8)
    tangent = module.jvp(name, wrt=(0, 1))
    assert [float(tangent(X, Y, *along)[1]) for along in ((1.0, 0.0), (0.0, 1.0))] == pytest.approx(wanted, abs=1e-8)
