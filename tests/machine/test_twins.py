"""Loads that repeat those of a loop before: told when they do, and only then; gradients are right either way."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import gradir
from gradir.frontends import to_llvm
from gradir.machine import llvm
from gradir.machine.analysis.cfg import CFG
from gradir.machine.analysis.memory import Memory
from gradir.machine.analysis.twins import find_twins
from gradir.machine.ir.text.reader import read

pytest.importorskip("ziglang")

TEMPLATE = """
#include <stdlib.h>
#include <math.h>
double f(const double *x, const double *a, int n, int m) {
  double *t = malloc(n * sizeof(double)), sum = 0;
  for (int k = 0; k < m; k++) {
    for (int i = 0; i < n; i++) t[i] = sin(x[i] * (k + 1));
    double first = 0, second = 0;
    for (int i = 0; i < n; i++) first += t[i] * t[i] * a[i];
    BETWEEN
    for (int i = FROM; i < n; i++) second += WHICH t[i] * t[i] * t[i];
    sum += first * second;
  }
  free(t);
  return sum;
}
"""
CASES = {
    "the same elements": ("", "0", "", 1),
    "only some of them": ("", "0", "if (a[i] > 0)", 2),  # the condition's loads repeat, too
    "written in between": ("t[n / 2] *= x[0];", "0", "", 0),
    "other elements": ("", "1", "", 0),
    "called in between": ("t[k % n] = exp(t[k % n]);", "0", "", 0),
}


def compiled(tmp_path: Path, case: str) -> tuple[Path, int]:
    between, start, which, count = CASES[case]
    text = TEMPLATE.replace("BETWEEN", between).replace("FROM", start)
    path = tmp_path / "twins.c"
    if which:
        text = text.replace("second += WHICH", f"{which} second +=")
    path.write_text(text.replace("WHICH", ""))
    return path, count


@pytest.mark.parametrize("case", CASES)
def test_found_where_they_are(case: str, tmp_path: Path) -> None:
    path, count = compiled(tmp_path, case)
    module = read(llvm.canonical_text(llvm.normalise(to_llvm(path), ["f"], noalias=["f"])))
    function = module.functions["f"]
    cfg = CFG(function)
    assert len(find_twins(cfg, Memory(module, function, cfg, noalias=True))) == count


@pytest.mark.parametrize("case", CASES)
def test_gradients(case: str, tmp_path: Path) -> None:
    path, _ = compiled(tmp_path, case)
    module = gradir.load(path)
    rng = np.random.default_rng(0)
    x, a = rng.normal(size=5), rng.normal(size=5)
    gradient = module.grad("f", wrt="x")(x, a, 5, 4)
    f = module["f"]
    step = 1e-6 * np.eye(5)
    expected = [(f(x + h, a, 5, 4) - f(x - h, a, 5, 4)) / 2e-6 for h in step]
    # Differences of values of size 10 with steps of 1e-6 are good to 1e-8.
    np.testing.assert_allclose(gradient, expected, rtol=1e-6, atol=1e-7)
