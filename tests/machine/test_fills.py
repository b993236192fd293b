"""Fills of the caller's memory: the cotangent of what was there ends, whether or not anything says it was floats.

Compilers make `memset` of stores of zeros, after which nothing in the function tells what the bytes hold.
"""

from __future__ import annotations

import numpy as np
import pytest

import gradir

FILL = "declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)\n"
TWO = """
define double @f(ptr %x, i64 %n) {
  call void @llvm.memset.p0.i64(ptr %x, i8 0, i64 16, i1 false)
  %p = getelementptr double, ptr %x, i64 7
  %v = load double, ptr %p
  ret double %v
}
"""
FIRST_BYTES = """
define double @f(ptr %x, i64 %n) {
  %bytes = mul i64 %n, 8
  call void @llvm.memset.p0.i64(ptr %x, i8 0, i64 %bytes, i1 false)
  %p = getelementptr i8, ptr %x, i64 56
  %v = load double, ptr %p
  ret double %v
}
"""
IN_A_LOOP = """
define double @f(ptr %x, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %p = getelementptr i8, ptr %x, i64 %i
  call void @llvm.memset.p0.i64(ptr %p, i8 0, i64 8, i1 false)
  %next = add i64 %i, 8
  %more = icmp ult i64 %next, 16
  br i1 %more, label %loop, label %done
done:
  %q = getelementptr i8, ptr %x, i64 56
  %v = load double, ptr %q
  ret double %v
}
"""
IN_A_CALL = """
define internal void @clear(ptr %x) noinline {
  call void @llvm.memset.p0.i64(ptr %x, i8 0, i64 16, i1 false)
  ret void
}
define double @f(ptr %x, i64 %n) {
  call void @clear(ptr %x)
  %p = getelementptr double, ptr %x, i64 7
  %v = load double, ptr %p
  ret double %v
}
"""
ON_CONDITION = """
define double @f(ptr %x, i64 %n) {
entry:
  %p = getelementptr i8, ptr %x, i64 56
  %v = load double, ptr %p
  %some = icmp sgt i64 %n, 1
  br i1 %some, label %clear, label %done
clear:
  call void @llvm.memset.p0.i64(ptr %x, i8 0, i64 16, i1 false)
  br label %done
done:
  ret double %v
}
"""
PARTLY_READ = """
define double @f(ptr %x, i64 %n) {
  %before = load double, ptr %x
  call void @llvm.memset.p0.i64(ptr %x, i8 0, i64 16, i1 false)
  %p = getelementptr double, ptr %x, i64 7
  %v = load double, ptr %p
  %r = fmul double %v, %before
  ret double %r
}
"""
PROGRAMS = {
    "two": TWO,
    "a count of bytes": FIRST_BYTES,
    "in a loop": IN_A_LOOP,
    "in a call": IN_A_CALL,
    "on a condition": ON_CONDITION,
    "partly read": PARTLY_READ,
}


@pytest.mark.parametrize("optimise_first", [True, False])
@pytest.mark.parametrize("name", PROGRAMS)
def test_what_is_filled_has_no_cotangent(name: str, optimise_first: bool) -> None:
    module = gradir.load(PROGRAMS[name] + FILL, optimise_first=optimise_first)
    x, cotangent, tangent = np.arange(1.0, 9.0), np.arange(2.0, 10.0), np.arange(3.0, 11.0)
    expected = np.where(np.arange(8) < 2, 0.0, cotangent)
    expected[7] += x[0] if name == "partly read" else 1.0
    expected[0] += x[7] if name == "partly read" else 0.0
    _, gradient = module.vjp("f", wrt=0)(x.copy(), 2, 1.0, cotangent)
    np.testing.assert_array_equal(gradient, expected)
    _, (_, moved) = module.jvp("f", wrt=0)(x.copy(), 2, tangent)
    np.testing.assert_array_equal(moved, np.where(np.arange(8) < 2, 0.0, tangent))
