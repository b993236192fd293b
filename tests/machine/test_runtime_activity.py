"""Constant memory that meets active memory: a pointer that is its own shadow says that it is constant.

Each program in `programs/constancy` has an `f` of eight active and eight constant numbers. Derivatives are compared to
central differences, good to about 1e-10 for such polynomials; and the constant numbers are the same afterwards.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from differential import Bench, Function, central_difference
from test_enzyme import needs_clang
from test_pointers import X, compiled

from gradir.errors import RequestError
from gradir.machine import ir, jit, llvm
from gradir.machine.transform.derive import Program
from gradir.request import Activity, Mode, Request

FOLDER = Path(__file__).parent / "programs" / "constancy"
C = np.array([1.5, -0.5, 0.25, 2.0, 0.75, 1.25, -1.0, 0.5])
F = Function("f", (ir.PTR, ir.PTR, ir.I64), (True, False, False), ir.DOUBLE)
PROGRAMS = sorted(p.name for p in FOLDER.iterdir())


def check(source: llvm.Module, *, optimise: bool) -> None:
    # What one mode learns of constant memory must not help the other: a bench each.
    benches = [Bench(llvm.clone(source), F, optimise=optimise) for _ in range(2)]
    forward, forward2 = (benches[0].forward(F, width) for width in (1, 2))
    reverse, reverse2 = (benches[1].reverse(F, width) for width in (1, 2))
    for bench in benches:
        bench.build(level=1)
    bench = benches[0]
    values = [X, C, len(X)]
    gradient = np.array(
        [central_difference(lambda h, e=e: bench.run(F, [X + h * e, C, 8])[-1:], 1e-3)[0] for e in np.eye(len(X))]
    )
    directions = [np.cos(np.arange(8.0)), np.sin(np.arange(8.0))]
    for derivative, count in ((forward, 1), (forward2, 2)):
        found = [d[-1] for d in bench.jvp(derivative, values, directions[:count])[1:]]
        np.testing.assert_allclose(found, [gradient @ d for d in directions[:count]], rtol=1e-7, atol=1e-8)
    seeds = [np.append(np.zeros(8), s) for s in (1.0, -0.5)]
    bench = benches[1]
    for derivative, count in ((reverse, 1), (reverse2, 2)):
        operands = bench.vjp_operands(derivative, values, seeds[:count])
        bench.call(derivative, operands.values)
        found = [memory[0] for memory in operands.memory[1:]]
        np.testing.assert_allclose(found, [gradient * s[-1] for s in seeds[:count]], rtol=1e-7, atol=1e-8)
        left = C.copy()
        bench.call(F, [X.copy(), left, 8])
        np.testing.assert_array_equal(operands.values[1 + count], left)


@needs_clang
@pytest.mark.parametrize("flags", ["-O0", "-O2"])
@pytest.mark.parametrize("name", PROGRAMS)
def test_constant_memory_meets_active_memory(name: str, flags: str, tmp_path: Path) -> None:
    check(compiled(FOLDER / name, flags, tmp_path), optimise=flags != "-O0")


SCRATCH = """
double f(double *x, double *scratch, long n) {
  double s = 0;
  for (long i = 0; i < n; i++) scratch[i] = x[i] * x[i];
  for (long i = 0; i < n; i++) s += scratch[i] * x[i];
  return s;
}"""


@needs_clang
def test_constant_memory_that_is_written_is_refused(tmp_path: Path) -> None:
    """A workspace that is marked constant meets no active memory: it is active memory, and has to have a shadow."""
    (tmp_path / "scratch.c").write_text(SCRATCH)
    source = compiled(tmp_path / "scratch.c", "-O2", tmp_path)
    for derive in (Bench.forward, Bench.reverse):
        with pytest.raises(RequestError, match="marked const"):
            derive(Bench(source, F), F)


ASKED = """
__attribute__((noinline)) static double dot(double *a, double *b, long n) {
  double s = 0;
  for (long i = 0; i < n; i++) s += (i + 1) * a[i] * b[i] * b[i];
  return s;
}
double f(double *x, double *c, long n) { return dot(x, c, n) + dot(x, x, n); }"""


@needs_clang
@pytest.mark.parametrize("flags", ["-O0", "-O2"])
def test_a_shadow_that_is_the_memory_itself_says_that_it_is_constant(flags: str, tmp_path: Path) -> None:
    (tmp_path / "asked.c").write_text(ASKED)
    text = llvm.canonical_text(llvm.normalise(compiled(tmp_path / "asked.c", flags, tmp_path), keep=["f"]))
    program = Program(text)
    marks = (Activity.dup, Activity.dup, Activity.const)
    reverse = program.derivative(Request("f", Mode.reverse, marks, (Activity.active,), runtime_activity=True))
    forward = program.derivative(Request("f", Mode.forward, marks, (Activity.dup,), runtime_activity=True))
    pointers = ("ptr", "ptr", "ptr", "ptr", "i64")
    entries = [jit.Entry(reverse, (*pointers, "double"), "double"), jit.Entry(forward, pointers, "{ double, double }")]
    library = jit.compile_library(program.text(), entries)
    x, c, dx, tangent, k = X.copy(), C.copy(), np.zeros(8), np.cos(np.arange(8.0)), np.arange(1.0, 9.0)
    at = [a.ctypes.data for a in (x, dx, c, c)]
    library[reverse](*at, 8, 1.0)
    wanted = k * C * C + 3 * k * X * X
    np.testing.assert_allclose(dx, wanted, rtol=1e-14)
    np.testing.assert_array_equal(c, C)
    _, found = library[forward](at[0], tangent.ctypes.data, at[2], at[3], 8)
    assert found == pytest.approx(wanted @ tangent, rel=1e-14)
