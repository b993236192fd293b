"""The self-check: what is right passes, and what is broken on purpose is found."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import gradir
from gradir.cli import main
from gradir.errors import InternalError
from gradir.machine.transform.adjoint import Adjoint
from gradir.machine.transform.verify import Verify, verifying

SOURCE = """
#include <math.h>
#include <stdlib.h>
#include <string.h>
double overwritten(const double *x, int n) {
  double a[8], s = 0;
  for (int i = 0; i < 8; i++) a[i] = x[i % n];
  for (int k = 0; k < 3; k++)
    for (int i = 0; i < 8; i++) { s += a[i] * a[(i + 1) % 8]; a[i] = sin(a[i]) * s; }
  return s;
}
double copied(const double *x, int n) {
  double *a = malloc(n * sizeof(double)), *b = calloc(n, sizeof(double));
  for (int i = 0; i < n; i++) a[i] = x[i] * x[0];
  memcpy(b, a, n * sizeof(double));
  for (int i = 0; i < n; i++) a[i] *= b[n - 1 - i];
  double s = 0;
  for (int i = 0; i < n; i++) s += a[i] * b[i];
  free(a);
  free(b);
  return s;
}
__attribute__((noinline)) static void scale(double *a, int n, double by) {
  for (int i = 0; i < n; i++) a[i] *= by * a[0];
}
double called(const double *x, int n) {
  double a[4] = {x[0], 1, x[1], 2};
  scale(a, 4, x[2]);
  double kept = a[1];
  scale(a, 3, kept);
  return a[0] + a[2] * kept;
}
typedef struct { double value; int next; } Cell;
double chained(const double *x, int n) {
  Cell cells[6];
  for (int i = 0; i < 6; i++) cells[i] = (Cell){x[i % n], (i * 5 + 1) % 6};
  double s = 1;
  for (int k = 0, at = 0; k < 10; k++) { s = s * 0.5 + cells[at].value; cells[at].value *= s; at = cells[at].next; }
  return s;
}
double searched(const double *x, int n) {
  double low = 0, high = 4;
  while (high - low > 1e-3 && n--) {
    double middle = (low + high) / 2;
    if (middle * middle < x[0]) low = middle * x[1]; else high = middle;
  }
  return low * high;
}
"""
NAMES = ["overwritten", "copied", "called", "chained", "searched"]


@pytest.fixture(scope="module", params=[[], ["-O0"]])
def source(request, tmp_path_factory):
    path = tmp_path_factory.mktemp("verify") / "verify.c"
    path.write_text(SOURCE)
    return path, request.param


@pytest.mark.parametrize("name", NAMES)
def test_what_is_right_passes(source, name: str) -> None:
    path, flags = source
    x = np.array([1.25, 0.75, 1.5])
    plain = gradir.load(path, flags=flags).grad(name)(x, 3)
    with verifying(Verify.all):
        m = gradir.load(path, flags=flags)
        assert np.array_equal(m.grad(name)(x, 3), plain)
        text = m.to_llvm([m.grad(name)])
    if name in ("overwritten", "called"):  # the others keep all that they need, and have no local floats alone
        assert "gradir.demand" in text


def test_a_store_that_is_not_undone_is_found(source, monkeypatch) -> None:
    has_work = Adjoint.has_work
    monkeypatch.setattr(Adjoint, "has_work", lambda self, i: i.opcode != "store" and has_work(self, i))
    path, flags = source
    with (
        verifying(Verify.structure),
        pytest.raises(InternalError, match=r"verify.c:\d+.*doesn't undo it: store double"),
    ):
        gradir.load(path, flags=flags).grad("overwritten")(np.ones(3), 3)


BROKEN = """
import sys
import numpy as np
import gradir
from gradir.machine.analysis.memory import Memory
from gradir.machine.transform.adjoint import Adjoint
{patch}
gradir.load(sys.argv[1]).grad(sys.argv[2])(np.array([1.25, 0.75, 1.5]), 3)
"""
READ_AGAIN = "Memory.overwritten = lambda self, load: False"
NOT_CLEARED = """
from gradir.machine.transform.shadows.shadow import Shadows
store = Shadows.store
zero = "zeroinitializer"
Shadows.store = lambda self, code, value, *rest: None if value.ref == zero else store(self, code, value, *rest)
"""


@pytest.mark.parametrize(
    ("patch", "name", "message"),
    [
        (READ_AGAIN, "overwritten", "is read again in the reverse sweep, but it has been overwritten"),
        (READ_AGAIN, "chained", "is read again in the reverse sweep, but it has been overwritten"),
        (NOT_CLEARED, "overwritten", "leaves with a shadow that is not zero"),
    ],
)
def test_what_goes_wrong_at_run_time_is_found(patch: str, name: str, message: str, tmp_path: Path) -> None:
    path = tmp_path / "verify.c"
    path.write_text(SOURCE)
    command = [sys.executable, "-c", BROKEN.format(patch=patch), str(path), name]
    environment = os.environ | {"GRADIR_VERIFY": "1"}
    done = subprocess.run(command, capture_output=True, text=True, check=False, env=environment)
    assert done.returncode != 0 and message in done.stdout, done.stderr[-2000:]


def test_the_command_line(tmp_path: Path, capsys) -> None:
    path = tmp_path / "verify.c"
    path.write_text(SOURCE)
    assert main(["diff", str(path), "--fn", "overwritten", "--verify"]) == 0
    assert "gradir.demand" in capsys.readouterr().out
    assert main(["diff", str(path), "--fn", "overwritten"]) == 0
    assert "gradir.demand" not in capsys.readouterr().out
