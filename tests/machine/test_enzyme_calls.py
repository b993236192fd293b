"""Enzyme's calls in LLVM IR as requests: what is understood, and what is complained about."""

from __future__ import annotations

import re

import pytest

from gradir.errors import RequestError
from gradir.machine.enzyme import requests_of
from gradir.request import Activity, Mode, Request

active, dup, const = Activity.active, Activity.dup, Activity.const
dupnoneed, activenoneed, constnoneed = Activity.dupnoneed, Activity.activenoneed, Activity.constnoneed

MODULE = """
%struct.S = type {{ double, double, double }}
@enzyme_dup = external global i32
@enzyme_const = global i32 0
@enzyme_out = external global i8
@enzyme_dupnoneed = external global i64
@enzyme_width = external global i32
@enzyme_primal_return = external global i32
@_ZN2ns12enzyme_constE = internal global i32 0
@table = internal constant ptr @square
@use = external global double
declare double @__enzyme_autodiff(...)
declare void @__enzyme_autodiff_void(ptr, ...)
declare double @__enzyme_fwddiff(...)
declare void @__enzyme_fwddiff_S(ptr sret(%struct.S), ptr, ...)
declare i32 @printf(ptr, ...)
define double @square(double %x) {{
  %y = fmul double %x, %x
  ret double %y
}}
define double @sum(ptr %x, i64 %n, double %f) {{
  %v = load double, ptr %x
  %y = fmul double %v, %f
  ret double %y
}}
define void @write(ptr %x, ptr %y) {{
  %v = load double, ptr %x
  store double %v, ptr %y
  ret void
}}
define void @large(ptr sret(%struct.S) %out, double %x) {{
  store double %x, ptr %out
  ret void
}}
define i32 @count(i32 %n) {{
  ret i32 %n
}}
define void @caller(ptr %p, ptr %q, double %d, i64 %n, ptr %unknown) {{
{body}
  ret void
}}
"""


def requests(body: str, optimise: bool = True) -> list[Request]:
    lines = "\n".join(f"  {line.strip()}" for line in body.strip().splitlines())
    kept = re.sub(r"(%r\d*) = (.*)$", r"\1 = \2\n  store volatile double \1, ptr @use", lines, flags=re.MULTILINE)
    return requests_of(MODULE.format(body=kept), optimise=optimise, name="calls.ll")


@pytest.mark.parametrize("optimise", [True, False])
@pytest.mark.parametrize(
    "call, expected",
    [
        ("@__enzyme_autodiff(ptr @square, double %d)", ("square", [active], activenoneed)),
        ('@__enzyme_autodiff(ptr @square, metadata !"enzyme_const", double %d)', None),
        ("@__enzyme_autodiff(ptr @square, ptr @enzyme_primal_return, double %d)", None),
        (
            "@__enzyme_autodiff(ptr @sum, ptr %p, ptr %q, i64 %n, double %d)",
            ("sum", [dup, const, active], activenoneed),
        ),
        (
            '@__enzyme_autodiff(ptr @sum, metadata !"enzyme_const", ptr %p, i64 %n, ptr @enzyme_out, double %d)',
            ("sum", [const, const, active], activenoneed),
        ),
        (
            "@__enzyme_autodiff(ptr @sum, ptr @enzyme_dup, ptr %p, ptr %q, ptr @enzyme_const, i64 1, ptr @enzyme_const,"
            " double %d, double 3.0)",
            None,
        ),
        ("@__enzyme_fwddiff(ptr @square, double %d, double 1.0)", ("square", [dup], dupnoneed)),
        (
            '@__enzyme_fwddiff(ptr @sum, ptr %p, ptr %q, i64 %n, metadata !"enzyme_const", double %d)',
            ("sum", [dup, const, const], dupnoneed),
        ),
    ],
)
def test_calls_are_understood(call: str, expected: tuple[str, list[Activity], Activity] | None, optimise: bool) -> None:
    if expected is None:  # nothing is wrong with what is asked, only with what it gives
        requests(f"call double (...) {call}", optimise)
        return
    (request,) = requests(f"%r = call double (...) {call}", optimise)
    function, activity, ret = expected
    mode = Mode.forward if "fwddiff" in call else Mode.reverse
    assert request == Request(function, mode, tuple(activity), (ret,))


def test_markers_are_loaded_cast_and_mangled() -> None:
    (request,) = requests(
        """
        %a = load i32, ptr @enzyme_dup
        %b = load i64, ptr @enzyme_dupnoneed
        %t = trunc i64 %b to i32
        call void (ptr, ...) @__enzyme_autodiff_void(ptr @write, i32 %a, ptr %p, ptr %q, i32 %t, ptr %q, ptr %p)
        """
    )
    assert request == Request("write", Mode.reverse, (dup, dupnoneed), ())
    (request,) = requests(
        """
        %a = load i32, ptr @_ZN2ns12enzyme_constE
        %b = load i8, ptr @enzyme_out
        %r = call double (...) @__enzyme_autodiff(ptr @sum, i32 %a, ptr %p, i64 %n, i8 %b, double %d)
        """
    )
    assert request.activity == (const, const, active)


def test_the_function_may_come_through_constants_and_casts() -> None:
    found = requests(
        """
        %f = load ptr, ptr @table
        %r1 = call double (...) @__enzyme_autodiff(ptr %f, double %d)
        %i = ptrtoint ptr @square to i64
        %g = inttoptr i64 %i to ptr
        %r2 = call double (...) @__enzyme_autodiff(ptr %g, double %d)
        """,
        optimise=False,
    )
    assert [request.function for request in found] == ["square", "square"]


def test_width_takes_a_shadow_for_each_direction() -> None:
    (request,) = requests(
        """
        %w = load i32, ptr @enzyme_width
        call void (ptr, ...) @__enzyme_autodiff_void(ptr @write, i32 %w, i32 2, ptr %p, ptr %q, ptr %q, ptr %p, ptr %q,
                                                     ptr %q)
        """
    )
    assert (request.width, request.activity) == (2, (dup, dup))


def test_results_in_memory_that_the_call_does_not_name() -> None:
    (request,) = requests(
        """
        %s = alloca %struct.S
        call void (ptr, ptr, ...) @__enzyme_fwddiff_S(ptr sret(%struct.S) %s, ptr @large, double %d, double 1.0)
        call i32 (ptr, ...) @printf(ptr %s)
        """
    )
    assert request == Request("large", Mode.forward, (dupnoneed, dup), ())


def test_cotangents_that_nobody_takes_are_not_made() -> None:
    (request,) = requests(
        "call void (ptr, ...) @__enzyme_autodiff_void(ptr @sum, ptr %p, ptr %q, i64 %n, double %d)",
    )
    assert request.activity == (dup, const, const)


@pytest.mark.parametrize(
    "call, complaint",
    [
        ("@__enzyme_autodiff()", "without a function"),
        ("@__enzyme_autodiff(ptr %unknown, double %d)", "not one function"),
        ("@__enzyme_autodiff(ptr @use, double %d)", "not a function"),
        ("@__enzyme_autodiff(ptr @printf, ptr %p, ptr %q)", "variable number of arguments"),
        ("@__enzyme_autodiff(ptr @square)", "the value at argument 1 of @square is missing"),
        ("@__enzyme_autodiff(ptr @square, double %d, double 1.0, double 2.0)", "2 more arguments are passed"),
        ("@__enzyme_autodiff(ptr @sum, ptr %p)", "the shadow at argument 1 of @sum is missing"),
        ('@__enzyme_autodiff(ptr @sum, ptr %p, metadata !"enzyme_const", i64 1)', "missing: enzyme_const stands there"),
        ("@__enzyme_autodiff(ptr @sum, double %d)", "must be ptr, but double is passed"),
        ("@__enzyme_autodiff(ptr @square, i32 2, double %d)", "must be double, but i32 is passed"),
        ('@__enzyme_autodiff(ptr @sum, metadata !"enzyme_out", ptr %p)', "floats passed by value"),
        ('@__enzyme_autodiff(ptr @square, metadata !"enzyme_dup", double %d, double %d)', "no shadow memory"),
        ('@__enzyme_fwddiff(ptr @square, metadata !"enzyme_out", double %d)', "in forward mode"),
        ('@__enzyme_autodiff(ptr @square, metadata !"enzyme_width", i64 %n, double %d)', "enzyme_width needs a number"),
        ('@__enzyme_autodiff(ptr @square, metadata !"enzyme_vector", double %d)', "means nothing"),
    ],
)
def test_complaints(call: str, complaint: str) -> None:
    with pytest.raises(RequestError, match=complaint) as info:
        requests(f"%r = call double (...) {call}")
    assert info.value.location == "calls.ll: in @caller"


def test_complaints_name_the_source_line() -> None:
    module = MODULE.format(body="  %r = call double (...) @__enzyme_autodiff(ptr @sum, ptr %p), !dbg !5")
    module = module.replace("%unknown) {", "%unknown) !dbg !3 {") + (
        '!llvm.dbg.cu = !{!1}\n!llvm.module.flags = !{!0}\n!0 = !{i32 2, !"Debug Info Version", i32 3}\n'
        "!1 = distinct !DICompileUnit(language: DW_LANG_C99, file: !2, emissionKind: FullDebug)\n"
        '!2 = !DIFile(filename: "kernel.c", directory: "/")\n'
        '!3 = distinct !DISubprogram(name: "caller", file: !2, type: !4, unit: !1, spFlags: DISPFlagDefinition)\n'
        "!4 = !DISubroutineType(types: !{})\n!5 = !DILocation(line: 42, column: 7, scope: !3)\n"
    )
    with pytest.raises(RequestError, match=r"kernel\.c:42:7: __enzyme_autodiff: the shadow"):
        requests_of(module)
