"""Words that are read as one integer of sixteen bytes and more, and lanes that are written as integers."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import gradir

PROGRAM = """
; struct { double *a; double weight; double *b; long none; }, read as one integer of 32 bytes: *a *b weight
define internal double @product(ptr %s) noinline {
entry:
  %all = load i256, ptr %s, align 16
  %first = trunc i256 %all to i64
  %a = inttoptr i64 %first to ptr
  %second = lshr i256 %all, 64
  %bits = trunc i256 %second to i64
  %weight = bitcast i64 %bits to double
  %third = lshr i256 %all, 128
  %word = trunc i256 %third to i64
  %b = inttoptr i64 %word to ptr
  %fourth = lshr i256 %all, 192
  %is.none = icmp eq i256 %fourth, 0
  %x = load double, ptr %a, align 8
  %y = load double, ptr %b, align 8
  %w = select i1 %is.none, double %weight, double 1.0
  %xy = fmul double %x, %y
  %r = fmul double %xy, %w
  ret double %r
}

define double @wide(ptr %x) {
entry:
  %s = alloca [32 x i8], align 16
  %s8 = getelementptr i8, ptr %s, i64 8
  %s16 = getelementptr i8, ptr %s, i64 16
  %s24 = getelementptr i8, ptr %s, i64 24
  %x1 = getelementptr double, ptr %x, i64 1
  %w = load double, ptr %x1, align 8
  store ptr %x, ptr %s, align 16
  store double %w, ptr %s8, align 8
  store ptr %x1, ptr %s16, align 8
  store i64 0, ptr %s24, align 8
  %r = call double @product(ptr %s)
  ret double %r
}

; two floats are read as integers, 0.75 takes the place of the second, and they are written
define internal void @change(ptr %to, ptr %from) noinline {
entry:
  %bits = load <2 x i32>, ptr %from, align 4
  %changed = insertelement <2 x i32> %bits, i32 1061158912, i64 1
  store <2 x i32> %changed, ptr %to, align 4
  ret void
}

define float @lanes(ptr %x) {
entry:
  %y = alloca [2 x float], align 4
  call void @change(ptr %y, ptr %x)
  %y1 = getelementptr float, ptr %y, i64 1
  %a = load float, ptr %y, align 4
  %b = load float, ptr %y1, align 4
  %ab = fmul float %a, %b
  %r = fmul float %ab, %a
  ret float %r
}
"""
CASES = {
    "wide": (np.array([2.0, 3.0]), [9.0, 12.0]),  # x y²
    "lanes": (np.array([2.0, 3.0], np.float32), [3.0, 0.0]),  # 0.75 x²
}


@pytest.mark.parametrize("name", CASES)
def test_derivatives(name: str, tmp_path: Path) -> None:
    path = tmp_path / "program.ll"
    path.write_text(PROGRAM)
    module = gradir.load(path)
    x, expected = CASES[name]
    np.testing.assert_array_equal(module.grad(name)(x), expected)  # small whole numbers: exact
    along = np.array([0.5, -2.0], x.dtype)
    tangent = module.jvp(name)(x, along)[1]  # and of what may be written, where an address is stored
    assert (tangent[0] if isinstance(tangent, tuple) else tangent) == np.dot(expected, along)
