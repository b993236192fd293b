"""Loops with several entries: one entry each, the same results, and derivatives."""

from __future__ import annotations

import random

import numpy as np
import pytest

import gradir
from gradir.frontends.c import to_llvm
from gradir.machine import llvm
from gradir.machine.ir.text.reader import read
from gradir.machine.passes.flow import reducible
from gradir.machine.passes.flow.reducible import irreducible_functions

FORMULAS = ("y * 0.9 + x[i % n]", "sin(y) + x[0]", "cos(y) * x[i % n]", "0.5 * y - x[1] * x[i % n]")
MACHINES = range(8)


def machine(seed: int) -> str:
    """Blocks that jump to each other at random, as the data say, until they have run thirty times."""
    r = random.Random(seed)
    labels = [f"l{k}" for k in range(r.randint(3, 7))]
    lines = [f"double machine{seed}(const double *x, const int *code, int n) {{", "  double y = x[0]; int i = 0;"]
    lines += [f"  if (code[0] > 1) goto {r.choice(labels)};"]
    for label in labels:
        lines.append(f"{label}: y = {r.choice(FORMULAS)}; if (i++ > 30) goto done;")
        if r.random() < 0.3:
            lines.append("  while (y > 2) y *= 0.5;")
        choices = [f"case {k}: goto {r.choice(labels)};" for k in range(r.randint(0, 3))]
        if choices:
            lines.append(f"  switch (code[i % n]) {{ {' '.join(choices)} }}")
    return "\n".join([*lines, f"  goto {labels[0]};", "done: return y; }"])


@pytest.fixture(scope="module")
def source(tmp_path_factory):
    path = tmp_path_factory.mktemp("machines") / "machines.c"
    path.write_text("#include <math.h>\n" + "\n".join(map(machine, MACHINES)))
    return path


@pytest.fixture(scope="module")
def machines(source):
    return gradir.load(source)


@pytest.mark.parametrize("optimise", [True, False])
def test_no_loop_has_two_entries(source, optimise):
    module = to_llvm(source)
    assert irreducible_functions(llvm.normalise(llvm.parse(llvm.bitcode(module)), optimise=optimise)) == []
    # Most of the machines need it.
    assert len(irreducible_functions(read(str(module)))) > len(MACHINES) // 2


@pytest.mark.parametrize("seed", MACHINES)
def test_random_jumps(machines, seed):
    rng = np.random.default_rng(seed)
    x, code, v = rng.normal(size=17), rng.integers(0, 4, 17).astype(np.int32), rng.normal(size=17)
    f = machines[f"machine{seed}"]
    value, gradient = f.value_and_grad("x")(x, code, 17)
    assert value == pytest.approx(f(x, code, 17), rel=1e-12)
    h = 1e-6
    slope = (f(x + h * v, code, 17) - f(x - h * v, code, 17)) / (2 * h)
    assert gradient @ v == pytest.approx(slope, rel=1e-5, abs=1e-7)
    _, tangent = f.jvp("x")(x, code, 17, v)
    assert gradient @ v == pytest.approx(tangent, rel=1e-10, abs=1e-12)


def test_what_has_one_entry_stays_as_it_is():
    body = "e:\n br label %l\nl:\n br i1 %c, label %l, label %x\nx:\n ret void"
    text = str(llvm.parse(f"define void @f(i1 %c) {{\n{body}\n}}"))
    module = read(text)
    reducible.run(module)
    assert str(llvm.parse(str(module))) == text
