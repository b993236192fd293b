"""LLVM IR as it is written by hand, with what compilers of C seldom write: against central differences."""

from __future__ import annotations

import pytest

import gradir
from gradir.errors import RequestError
from gradir.machine.enzyme import lower_text

MUST_BE_LAST = """
define internal double @multiply(double %x, double %sum, i32 %n) noinline {
  %end = icmp eq i32 %n, 0
  br i1 %end, label %done, label %more
done:
  ret double %sum
more:
  %next = fmul double %sum, %x
  %left = sub i32 %n, 1
  %r = musttail call double @add(double %x, double %next, i32 %left)
  ret double %r
}
define internal double @add(double %x, double %sum, i32 %n) noinline {
  %next = fadd double %sum, %x
  %r = musttail call double @multiply(double %x, double %next, i32 %n)
  ret double %r
}
define double @f(double %x) {
  %r = call double @multiply(double %x, double 1.0, i32 4)
  ret double %r
}
"""
BY_A_POINTER = """
define internal double @square(double %x) noinline {
  %y = fmul double %x, %x
  ret double %y
}
define internal double @apply(ptr %g, double %x) noinline {
  %positive = fcmp ogt double %x, 0.0
  br i1 %positive, label %yes, label %no
yes:
  %r = musttail call double %g(ptr %g, double %x)
  ret double %r
no:
  ret double %x
}
define internal double @last(ptr %g, double %x) noinline {
  %y = tail call double @times(double %x, double %x)
  ret double %y
}
define internal double @times(double %x, double %y) noinline {
  %s = call double @square(double %y)
  %z = fmul double %x, %s
  ret double %z
}
define double @f(double %x) {
  %r = call double @apply(ptr @last, double %x)
  ret double %r
}
"""


@pytest.mark.parametrize("text", [MUST_BE_LAST, BY_A_POINTER])
@pytest.mark.parametrize("optimise_first", [True, False])
def test_calls_that_must_come_last(text: str, optimise_first: bool) -> None:
    """`musttail` says that nothing may come after: the one return of a function did."""
    module = gradir.load(text, optimise_first=optimise_first)
    x, h = 0.8, 1e-6
    slope = (module.f(x + h) - module.f(x - h)) / (2 * h)
    assert module.grad("f")(x) == pytest.approx(slope, rel=1e-8)
    assert module.jvp("f")(x, 1.0)[1] == pytest.approx(slope, rel=1e-8)


LANES_AS_INTEGERS = """
declare <4 x double> @llvm.sin.v4f64(<4 x double>)
define double @f(double %x) {
  %p = alloca [5 x double]
  %one = insertelement <4 x double> <double 0.0, double 2.0, double 3.0, double 4.0>, double %x, i64 0
  %all = shufflevector <4 x double> %one, <4 x double> poison, <4 x i32> zeroinitializer
  %product = fmul <4 x double> %all, <double 1.0, double 2.0, double 3.0, double 4.0>
  %sines = call <4 x double> @llvm.sin.v4f64(<4 x double> %product)
  %whole = bitcast <4 x double> %sines to i256
  %later = lshr i256 %whole, 64
  %middle = trunc i256 %later to i128
  store i128 %middle, ptr %p
  %last = lshr i256 %whole, 192
  %word = trunc i256 %last to i64
  %at = getelementptr double, ptr %p, i64 2
  store i64 %word, ptr %at
  %second = getelementptr double, ptr %p, i64 1
  %a = load double, ptr %p
  %b = load double, ptr %second
  %c = load double, ptr %at
  %ab = fmul double %a, %b
  %abc = fmul double %ab, %c
  ret double %abc
}
"""
FLOATS_AS_INTEGERS = """
define double @f(double %x) {
  %p = alloca [4 x float]
  %t = fptrunc double %x to float
  %one = insertelement <4 x float> <float 0.0, float 2.0, float 3.0, float 4.0>, float %t, i64 1
  %square = fmul <4 x float> %one, %one
  %whole = bitcast <4 x float> %square to i128
  %later = lshr i128 %whole, 32
  %middle = trunc i128 %later to i64
  store i64 %middle, ptr %p
  %a = load float, ptr %p
  %second = getelementptr float, ptr %p, i64 1
  %b = load float, ptr %second
  %ab = fmul float %a, %b
  %r = fpext float %ab to double
  ret double %r
}
"""


@pytest.mark.parametrize("optimise_first", [True, False])
def test_lanes_that_are_stored_as_integers(optimise_first: bool) -> None:
    """As LLVM leaves copies of parts of vectors, where it has no pass to come that would say it better."""
    module = gradir.load(LANES_AS_INTEGERS, optimise_first=optimise_first)
    x, h = 0.3, 1e-6
    slope = (module.f(x + h) - module.f(x - h)) / (2 * h)
    assert module.grad("f")(x) == pytest.approx(slope, rel=1e-8)
    assert module.jvp("f")(x, 1.0)[1] == pytest.approx(slope, rel=1e-8)
    module = gradir.load(FLOATS_AS_INTEGERS, optimise_first=optimise_first)
    assert module.grad("f")(x) == pytest.approx(9 * 2 * x, rel=1e-6)  # in single precision
    assert module.jvp("f")(x, 1.0)[1] == pytest.approx(9 * 2 * x, rel=1e-6)


MARKED = """
%pair = type {{ double, double }}
declare double @__enzyme_autodiff(...)
declare double @__enzyme_fwddiff(...)
declare i32 @__gxx_personality_v0(...)
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
declare double @other(double)
define internal double @square(double %x) {{
  %y = fmul double %x, %x
  ret double %y
}}
define internal void @both(ptr sret(%pair) %to, ptr byval(%pair) %from) noinline {{
  %second = getelementptr double, ptr %from, i64 1
  %a = load double, ptr %from
  %b = load double, ptr %second
  %ab = fmul double %a, %b
  %at = getelementptr double, ptr %to, i64 1
  store double %ab, ptr %to
  store double %a, ptr %at
  ret void
}}
define internal double @through_memory(double %x) {{
  %from = alloca %pair
  %to = alloca %pair
  store double %x, ptr %from
  %second = getelementptr double, ptr %from, i64 1
  store double 1.0, ptr %second
  call void @both(ptr sret(%pair) %to, ptr byval(%pair) %from) "enzyme_inactive"
  %y = load double, ptr %to
  %z = fmul double %y, %x
  ret double %z
}}
define internal double @throwing(double %x) personality ptr @__gxx_personality_v0 {{
  %a = invoke double @square(double %x) "enzyme_inactive" to label %on unwind label %out
on:
  %y = fmul double %a, %x
  ret double %y
out:
  %e = landingpad {{ ptr, i32 }} cleanup
  resume {{ ptr, i32 }} %e
}}
define internal double @f(double %x) {{
entry:
  {line}
  %y = fmul double %a, %x
  ret double %y
}}
define double @reverse(double %x) {{
  %d = call double (...) @__enzyme_autodiff(ptr @f, double %x)
  ret double %d
}}
define double @forward(double %x) {{
  %d = call double (...) @__enzyme_fwddiff(ptr @f, double %x, double 1.0)
  ret double %d
}}
!0 = !{{}}
"""


@pytest.mark.parametrize(
    ("line", "slope"),
    [
        ("%a = call double @square(double %x)", 12),
        ('%a = call double @square(double %x) "enzyme_inactive"', 4),
        ("%a = call double @square(double %x), !enzyme_inactive !0", 4),
        ("%a = fmul double %x, %x, !enzyme_inactive !0", 4),
        ("%a = call double @through_memory(double %x)", 8),
        ('%p = select i1 true, ptr @square, ptr @other\n  %a = call double %p(double %x) "enzyme_inactive"', 4),
        (
            "%m = alloca double\n  %n = alloca double\n  store double %x, ptr %m\n"
            '  call void @llvm.memcpy.p0.p0.i64(ptr %n, ptr %m, i64 8, i1 false) "enzyme_inactive"\n'
            "  %a = load double, ptr %n",
            2,
        ),
        ("%a = call double @throwing(double %x)", 16),
    ],
)
@pytest.mark.parametrize("optimise", [True, False])
def test_calls_that_are_marked_as_inactive(line: str, slope: float, optimise: bool) -> None:
    """A factor that comes from what is inactive is a constant."""
    made = gradir.load(lower_text(MARKED.format(line=line), optimise=optimise))
    assert made.reverse(2.0) == slope and made.forward(2.0) == slope


def test_what_is_marked_and_gives_no_number() -> None:
    line = "%p = alloca double\n  store double %x, ptr %p, !enzyme_inactive !0\n  %a = load double, ptr %p"
    with pytest.raises(RequestError, match="enzyme_inactive is said of `store`"):
        lower_text(MARKED.format(line=line))
