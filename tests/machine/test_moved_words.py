"""Words that are an address in one object and a number in another are copied as what they are, in both modes."""

from __future__ import annotations

import numpy as np

import gradir

PROGRAM = """
declare ptr @malloc(i64)
declare void @free(ptr)

; struct { ptr values; double weight; } or struct { double weight; ptr values; }, of which the words are moved alike
define internal void @move(ptr %to, ptr %from) noinline {
  %first = load i64, ptr %from, align 8
  store i64 %first, ptr %to, align 8
  %q = getelementptr i8, ptr %from, i64 8
  %second = load i64, ptr %q, align 8
  %p = getelementptr i8, ptr %to, i64 8
  store i64 %second, ptr %p, align 8
  ret void
}

define double @f(ptr %x) {
  %x1.at = getelementptr double, ptr %x, i64 1
  %x1 = load double, ptr %x1.at, align 8
  %values = call ptr @malloc(i64 8)
  %square = fmul double %x1, %x1
  store double %square, ptr %values, align 8
  %a = alloca [16 x i8], align 8
  %b = alloca [16 x i8], align 8
  %c = alloca [16 x i8], align 8
  %d = alloca [16 x i8], align 8
  %x0 = load double, ptr %x, align 8
  %a8 = getelementptr i8, ptr %a, i64 8
  store ptr %values, ptr %a, align 8
  store double %x0, ptr %a8, align 8
  %b8 = getelementptr i8, ptr %b, i64 8
  %twice = fadd double %x0, %x1
  store double %twice, ptr %b, align 8
  store ptr %values, ptr %b8, align 8
  call void @move(ptr %c, ptr %a)
  call void @move(ptr %d, ptr %b)
  %p = load ptr, ptr %c, align 8
  %c8 = getelementptr i8, ptr %c, i64 8
  %w = load double, ptr %c8, align 8
  %v = load double, ptr %p, align 8
  %u = load double, ptr %d, align 8
  %d8 = getelementptr i8, ptr %d, i64 8
  %p.again = load ptr, ptr %d8, align 8
  %v.again = load double, ptr %p.again, align 8
  %m = fmul double %w, %v
  %n = fmul double %u, %v.again
  %sum = fadd double %m, %n
  call void @free(ptr %values)
  ret double %sum
}
"""


def test_words_of_two_kinds(tmp_path) -> None:
    path = tmp_path / "words.ll"
    path.write_text(PROGRAM)
    module = gradir.load(path)
    x, y = 0.7, 1.3  # x y² + (x + y) y²
    expected = [2 * y * y, 4 * x * y + 3 * y * y]
    assert np.allclose(module.grad("f")(np.array([x, y])), expected, rtol=1e-14)
    assert np.isclose(module.jvp("f")(np.array([x, y]), np.array([1.0, 2.0]))[1], expected[0] + 2 * expected[1])
