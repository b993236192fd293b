"""LLVM IR as it is written by hand, with what compilers of C seldom write: against central differences."""

from __future__ import annotations

import pytest

import gradir

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
