"""What a reverse sweep keeps: the fewest bytes, never an address or an index that can be had again, and sized once."""

from __future__ import annotations

import re
from collections import Counter
from itertools import product
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import gradir
from gradir import frontends
from gradir.machine import llvm
from gradir.machine.analysis.cfg import CFG
from gradir.machine.ir import Function
from gradir.machine.ir.text.reader import read
from gradir.machine.jit.report import default_marks, report
from gradir.machine.transform.derive import Options, Program
from gradir.network import Network
from gradir.request import Mode, Request

SOURCE = """
#include <math.h>
double gathered(const double *x, const int *at, long n) {
    double s = 0; for (long i = 0; i < n; i++) s += x[at[i]] * x[at[i]]; return s;
}
void in_place(double *x, long n) { for (long i = 0; i < n; i++) x[i] = x[i] * x[i]; }
double read_only(const double *x, long n) {
    double s = 0; for (long i = 0; i < n; i++) s += sqrt(x[i]) * x[i]; return s;
}
void squares(double *y, const double *x, long n) { for (long i = 0; i < n; i++) y[i] = x[i] * x[i]; }
void narrow(float *x, long n) { for (long i = 0; i < n; i++) { double d = x[i]; x[i] = (float)(d * d * d); } }
void chain(double *x, long n) {
    for (long i = 0; i < n; i++) { double a = x[i], b = a * a, c = b + a, d = c * b; x[i] = d * c; }
}
double linear(const double *x, double w, long n) {
    double s = 0; for (long i = 0; i < n; i++) s += w * 3 * x[i]; return s;
}
double powers(const double *x, long n) { double s = 0; for (long i = 0; i < n; i++) s += exp(x[i]); return s; }
double branches(const double *x, long n) {
    double s = 0;
    for (long i = 0; i < n; i++) { if (x[i] > 0) s += x[i] * x[i]; else s -= sin(x[i]); }
    return s;
}
double running(const double *x, long n) { double p = 1; for (long i = 0; i < n; i++) p *= x[i]; return p; }
void triangle(double *x, long n) { for (long i = 0; i < n; i++) for (long j = 0; j < i; j++) x[j] = x[j] * x[i]; }
void square(double *x, long n, long m) {
    for (long i = 0; i < n; i++) for (long j = 0; j < m; j++) x[j] = x[j] * x[j + 1];
}
void small(double *x) { for (int i = 0; i < 10; i++) for (int j = 0; j < 8; j++) x[j] = x[j] * x[j + 1]; }
void large(double *x) { for (int i = 0; i < 10000; i++) for (int j = 0; j < 8; j++) x[j] = x[j] * x[j + 1]; }
double until(double x, double eps) { while (fabs(x * x - 2) > eps) x = 0.5 * (x + 2 / x); return x; }
double early(const double *x, long n) {
    double p = 1; for (long i = 0; i < n; i++) { p *= x[i]; if (p > 100) break; } return p;
}
double two_ways(const double *x, long n) {
    double p = 1;
    for (long i = 0; i < n; i++) { p *= x[i]; if (p > 100) return p * 2; p = sin(p); if (p < -1) return p * 3; }
    return p;
}
__attribute__((noinline)) double inner(double *x, long n) {
    double s = 0; for (long i = 0; i < n; i++) { x[i] *= x[i]; s += x[i]; } return s;
}
double outer(double *x, long n) { double s = 0; for (long k = 0; k < 3; k++) s += inner(x, n); return s; }
void strided(double *x, long n, long k) { for (long i = 0; i < n; i++) x[k * i + 3] = x[k * i + 3] * x[k * i]; }
double local(const double *x) {
    double w[4]; for (int i = 0; i < 4; i++) w[i] = x[i] * x[i]; return w[0] * w[1] * w[2] * w[3];
}
"""
ALL = re.findall(r"^(?:__attribute__\(\(noinline\)\) )?(?:double|void) (\w+)\(", SOURCE, re.MULTILINE)


@pytest.fixture(scope="module")
def text(tmp_path_factory: pytest.TempPathFactory) -> str:
    path = tmp_path_factory.mktemp("cache") / "kernels.c"
    path.write_text(SOURCE)
    return llvm.canonical_text(llvm.normalise(frontends.to_llvm([path])))


def kept(text: str, name: str) -> list[tuple[str, int, int]]:
    """What is kept: what it is, its bytes, and how many loops it is kept in each turn of."""
    lines = report(Program(text), "cache", names=[name]).split("\n")[1:]
    found = []
    for line in lines:
        if m := re.match(r"  (.*?) %\S+: (\d+) bytes(?: for each turn of ([^;]*))?", line):
            found.append((m[1], int(m[2]), len((m[3] or "").split())))
    return sorted(found)


class Derived:
    """The derivative of one function, and what it calls."""

    def __init__(self, text: str, name: str, options: Options = Options()) -> None:
        program = Program(text)
        marks, result = default_marks(program.functions[name])
        request = Request(name, Mode.reverse, tuple(marks), () if result is None else (result,))
        made = program.derivative(request, options)
        self.text = program.text()
        llvm.parse(self.text)
        self.function: Function = read(self.text).functions[made]
        self.cfg = CFG(self.function, loops=False)

    def calls(self, name: str) -> list[str]:
        return [str(i) for i in self.function.instructions() if i.callee_name == name]

    def in_loop(self, name: str) -> bool:
        """Whether a call of the function may run more than once."""
        found = [i for i in self.function.instructions() if i.callee_name == name]
        return any(i.block in self.cfg.reaches.get(i.block, ()) for i in found)


VALUE = "the value"


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("gathered", []),
        ("read_only", []),
        ("linear", []),
        ("branches", []),
        ("in_place", [(VALUE, 8, 1)]),
        ("squares", [(VALUE, 8, 1)]),  # y may be x
        ("narrow", [(VALUE, 4, 1)]),  # the float, not the double that is made of it
        ("chain", [(VALUE, 8, 1)]),
        ("powers", [(VALUE, 8, 1)]),
        ("running", [(VALUE, 8, 1)]),
        ("strided", [(VALUE, 8, 1)] * 2),
        ("triangle", [(VALUE, 8, 2)] * 2),
        ("until", [("how often it went back, the loop", 8, 0), (VALUE, 8, 1)]),
        ("early", [("how often it went back, the loop", 8, 0), (VALUE, 8, 1)]),
        ("outer", [("what was recorded by the call", 8, 1)]),
    ],
)
def test_what_is_kept(text: str, name: str, expected: list[tuple[str, int, int]]):
    assert kept(text, name) == expected


@pytest.mark.parametrize("name", ALL)
def test_addresses_indices_and_counters_are_not_kept(text: str, name: str):
    program = Program(text)
    lines = report(program, "cache", names=[name])
    values = {i.ref: i for i in program.functions[name].instructions()}
    for ref in re.findall(r"the (?:value|shadow of) (%\S+):", lines):
        assert values[ref].type.is_float, lines


def test_arguments_that_overlap_nothing_are_read_again(text: str):
    safe, fast = Derived(text, "squares"), Derived(text, "squares", Options(noalias=True))
    assert safe.calls("gradir.acquire") and not fast.calls("gradir.acquire")


@pytest.mark.parametrize("name", ["in_place", "squares", "chain", "running", "square", "strided", "large", "powers"])
def test_no_allocation_in_loops_whose_counts_are_known(text: str, name: str):
    derived = Derived(text, name)
    assert len(derived.calls("gradir.acquire")) == len(derived.calls("gradir.release")) == 1
    assert not derived.in_loop("gradir.acquire") and not derived.in_loop("gradir.release")
    for function in ("malloc", "free", "gradir.grow", "gradir.reserve"):
        assert not derived.calls(function)


def test_a_triangular_loop_grows(text: str):
    derived = Derived(text, "triangle")
    assert derived.in_loop("gradir.reserve") and not derived.calls("gradir.acquire")
    # Not in the inner loop: its count is known before it begins.
    loops = CFG(derived.function).loops
    deepest = max(l.depth for l in loops)
    inside = set().union(*(l.blocks for l in loops if l.depth == deepest))
    assert deepest == 2
    assert all(i.block not in inside for i in derived.function.instructions() if i.callee_name == "gradir.reserve")
    assert derived.calls("gradir.release")


def test_a_loop_of_unknown_count_grows_by_the_turn(text: str):
    derived = Derived(text, "until")
    assert derived.in_loop("gradir.reserve") and len(derived.calls("gradir.release")) == 1


def test_a_bound_that_may_not_be_reached_is_room_enough(text: str):
    derived = Derived(text, "two_ways")
    assert len(derived.calls("gradir.acquire")) == 1 and not derived.in_loop("gradir.acquire")
    assert not derived.calls("gradir.reserve")
    kinds = {what for what, _, loops in kept(text, "two_ways") if loops == 0}
    assert {"how often it went back, the loop", "by which way it was left, the loop"} <= kinds


def test_small_loops_are_kept_on_the_stack(text: str):
    derived = Derived(text, "small")
    assert not [i for i in derived.function.instructions() if (i.callee_name or "").startswith("gradir.")]
    assert re.search(r"alloca \[\d+ x (?:i8|double)\]", derived.text.partition("@gradir_reverse_small(")[2])
    assert Derived(text, "large").calls("gradir.acquire")


def test_local_arrays_need_no_heap(text: str):
    derived = Derived(text, "local")
    names = Counter(i.callee_name for i in derived.function.instructions() if i.opcode == "call")
    assert not [n for n in names if n and not n.startswith("llvm.")]


def test_what_is_dear_is_computed_once(text: str):
    derived = Derived(text, "powers")
    assert len(derived.calls("llvm.exp.f64")) + len(derived.calls("exp")) == 1


def test_what_is_cheap_is_computed_again(text: str):
    derived = Derived(text, "branches")
    compared = [i for i in derived.function.instructions() if i.opcode == "fcmp"]
    assert len(compared) == 2  # once on the way there, once on the way back


# -- The cut itself


def cost(weights: list[int | None], inputs: list[list[int]], required: list[int], chosen: set[int]) -> int | None:
    """What it costs to keep the chosen nodes; None if then something that is required is not to be had."""

    def had(k: int) -> bool:
        if k in chosen:
            return True
        return bool(inputs[k]) and all(had(i) for i in inputs[k])

    if not all(had(k) for k in required):
        return None
    total = 0
    for k in chosen:
        if weights[k] is None:
            return None
        total += weights[k] or 0
    return total


@settings(max_examples=150, deadline=None)
@given(st.data())
def test_the_cut_is_the_least(data: st.DataObject):
    """Against trying all sets. Nodes without inputs can only be kept; the others follow from their inputs."""
    n = data.draw(st.integers(1, 7))
    inputs = [data.draw(st.lists(st.integers(0, k - 1), max_size=2, unique=True)) if k else [] for k in range(n)]
    weights = [data.draw(st.integers(1, 9)) for _ in range(n)]
    required = data.draw(st.lists(st.integers(0, n - 1), min_size=1, max_size=3, unique=True))
    network = Network()
    for k in required:
        network.link((k, "out"), "sink", None)
    for k in range(n):
        network.link((k, "in"), (k, "out"), weights[k])
        if not inputs[k]:
            network.link("source", (k, "in"), None)
        for i in inputs[k]:
            network.link((i, "out"), (k, "in"), None)
    after = network.cut_at_sink()
    chosen = {k for k in range(n) if (k, "out") in after and (k, "in") not in after}
    found = cost(weights, inputs, required, chosen)
    sets = ({k for k in range(n) if bits[k]} for bits in product((0, 1), repeat=n))
    costs = [c for s in sets if (c := cost(weights, inputs, required, s)) is not None]
    assert found == min(costs)


def test_wide_vectors_are_kept_where_malloc_puts_them(tmp_path: Path) -> None:
    """Eight tapes on the heap at once, not all of which begin at a multiple of 32."""
    (path := tmp_path / "wide.c").write_text(
        """
typedef double v4 __attribute__((vector_size(32), aligned(8)));
__attribute__((noinline)) static double square(double *x, double w) {
    v4 v = *(v4 *)x;
    *(v4 *)x = v * v * w;
    return v[0] * v[3];
}
double squares(double *x, double w) {
    double s = 0;
    for (int i = 0; i < 8; i++) s += square(x + 4 * i, w);
    for (int i = 0; i < 32; i++) s += x[i];
    return s;
}"""
    )
    x = np.linspace(1, 2, 32)
    rows = x.reshape(8, 4)
    expected = 3 * rows
    expected[:, [0, 3]] += rows[:, [3, 0]]
    np.testing.assert_allclose(gradir.load(path).grad("squares", wrt="x")(x.copy(), 1.5), expected.ravel(), rtol=1e-14)
