"""The analyses as text: what a reader looks for is there, with its source line."""

from __future__ import annotations

import pytest

from gradir import frontends
from gradir.errors import InputError, RequestError
from gradir.machine import llvm
from gradir.machine.jit.report import ANALYSES, report
from gradir.machine.transform.derive import Program
from gradir.request import Activity, Mode, Request

SOURCE = """
double f(const double *x, const int *at, long n, double scale) {
    double sum = 0;
    for (long i = 0; i < n; i++)
        sum += x[at[i]] * scale;
    return sum;
}
"""


@pytest.fixture(scope="module")
def program(tmp_path_factory) -> Program:
    path = tmp_path_factory.mktemp("report") / "sum.c"
    path.write_text(SOURCE)
    return Program(llvm.canonical_text(llvm.normalise(frontends.to_llvm([path]))))


@pytest.mark.parametrize("analysis", ANALYSES)
def test_every_analysis_has_a_report_that_names_the_source(program, analysis):
    text = report(program, analysis)
    assert text.startswith(f"{analysis} of @f (")
    assert "sum.c:2)" in text.split("\n")[0]


def test_types(program):
    lines = report(program, "types").split("\n")
    assert "  ptr %x -> {0 + 8k: double}" in lines
    assert "  ptr %at -> {0 + 4k: i32}" in lines


def test_loops(program):
    text = report(program, "loops")
    assert "goes back while" in text
    assert "= 0 + 1 k" in text
    assert "sum.c:" in text.split("\n")[1]


def test_dominators(program):
    assert report(program, "dominators").split("\n")[1].startswith("  %entry")


def test_alias(program):
    text = report(program, "alias")
    assert "#0: %x" in text
    assert "stays" in text


def test_activity_is_as_the_request_says(program):
    assert "%scale: active" in report(program, "activity")
    constant = (Activity.const,) * 3
    request = Request("f", Mode.reverse, (Activity.dup, *constant), (Activity.active,))
    text = report(program, "activity", request)
    assert "%scale: constant" in text
    assert "%x: has a shadow" in text


def test_what_is_kept():
    text = """
define void @f(ptr %x, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %p = getelementptr double, ptr %x, i64 %i
  %y = load double, ptr %p, align 8
  %z = fmul double %y, %y
  store double %z, ptr %p, align 8
  %next = add i64 %i, 1
  %more = icmp slt i64 %next, %n
  br i1 %more, label %loop, label %done
done:
  ret void
}
"""
    lines = report(Program(text), "cache").split("\n")
    assert lines == ["cache of @f", "  the value %y: 8 bytes for each turn of %loop"]


def test_what_is_unknown_is_explained():
    text = """
define void @f(ptr %p, ptr %q) {
entry:
  %x = load double, ptr %p, align 8
  %v = load i64, ptr %p, align 8
  %w = inttoptr i64 %v to ptr
  %low = trunc i64 %v to i8
  store i8 %low, ptr %q, align 1
  store i8 1, ptr %w, align 1
  ret void
}
"""
    found = report(Program(text), "types")
    assert "i64 %v: unknown" in found
    assert "double: it is loaded `%x = load double, ptr %p, align 8`" in found
    assert "ptr: it is made of an address" in found


def test_unknown_names_are_errors(program):
    with pytest.raises(RequestError, match="no analysis 'type'"):
        report(program, "type")
    with pytest.raises(InputError, match="no function @g"):
        report(program, "types", names=["g"])
