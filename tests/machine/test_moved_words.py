"""Words that are an address in one object and a number in another are copied as what they are, in both modes."""

from __future__ import annotations

import numpy as np
import pytest

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


CLOSURE = """
@a = internal constant i8 0
@table = internal constant {{ ptr, ptr }} {{ ptr @a, ptr @a }}
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)

; x[0] = v * v, by way of a closure that the types can't tell from a table of addresses; times v
define double @f(ptr %x, double %v, i1 %c, i64 %n) {{
entry:
  %closure = alloca {{ ptr, double }}, align 8
  %kept = alloca double, align 8
  %slot = alloca ptr, align 8
  %square = fmul double %v, %v
  store double %square, ptr %kept, align 8
  store ptr %x, ptr %closure, align 8
  %at = getelementptr i8, ptr %closure, i64 8
  call void @llvm.memcpy.p0.p0.i64(ptr align 8 %at, ptr align 8 %kept, i64 8, i1 false)
  %which = select i1 %c, ptr @table, ptr %closure
  store volatile ptr %which, ptr %slot, align 8
  %word = load i64, ptr %at, align 8
  {moves}
  %element = getelementptr double, ptr %x, i64 %n
  %r = load double, ptr %element, align 8
  %s = fmul double %r, %v
  ret double %s
}}
"""

MOVES = {
    "stored": "store i64 %word, ptr %x, align 8",
    "compared": "%t = icmp eq i64 %word, 0\n store i1 %t, ptr %slot\n store i64 %word, ptr %x, align 8",
    "frozen": "%w = freeze i64 %word\n store i64 %w, ptr %x, align 8",
    "chosen": "%w = select i1 %c, i64 0, i64 %word\n store i64 %w, ptr %x, align 8",
    "chosen of two": """
  %other = load i64, ptr %closure, align 8
  %w = select i1 %c, i64 %other, i64 %word
  store i64 %w, ptr %x, align 8""",
    "made of a float or an address": """
  %address = ptrtoint ptr %x to i64
  %bits = bitcast double %square to i64
  %w = select i1 %c, i64 %address, i64 %bits
  store i64 %w, ptr %x, align 8""",
    "made into a float or an address": """
  %bits = bitcast double %square to i64
  %there = load i64, ptr %closure, align 8
  br i1 %c, label %one, label %two
one:
  br label %two
two:
  %w = phi i64 [ %bits, %entry ], [ %there, %one ]
  br i1 %c, label %address, label %number
address:
  %p = inttoptr i64 %w to ptr
  store double 0.0, ptr %p, align 8
  br label %done
number:
  %y = bitcast i64 %w to double
  store double %y, ptr %x, align 8
  br label %done
done:""",
    "joined": """
  br i1 %c, label %one, label %two
one:
  br label %two
two:
  %w = phi i64 [ %word, %entry ], [ 0, %one ]
  store i64 %w, ptr %x, align 8""",
    "changing places in a loop": """
  %other = load i64, ptr %closure, align 8
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %p = phi i64 [ %word, %entry ], [ %q, %loop ]
  %q = phi i64 [ %other, %entry ], [ %p, %loop ]
  %next = add i64 %i, 1
  %more = icmp ult i64 %next, 3
  br i1 %more, label %loop, label %done
done:
  store i64 %p, ptr %x, align 8""",
}

CALCULATED = {
    "by bits": "%w = xor i64 %word, 0\n store i64 %w, ptr %x",
    "in an address": """
  %address = ptrtoint ptr %x to i64
  %bits = bitcast double %square to i64
  %w = select i1 %c, i64 %address, i64 %bits
  %even = and i64 %w, -2
  store i64 %even, ptr %slot
  store i64 %w, ptr %x, align 8""",
}


@pytest.mark.parametrize("moves", MOVES.values(), ids=MOVES)
@pytest.mark.parametrize("first", [False, True], ids=["as it is", "optimised"])
def test_words_that_are_moved_in_registers(moves: str, first: bool) -> None:
    module = gradir.load(CLOSURE.format(moves=moves), optimise_first=first)
    x, v = np.array([0.3, 0.4]), 1.3
    value, (slope, dx) = module.jvp("f", wrt=(0, 1))(x.copy(), v, False, 0, np.ones(2), 1.0)
    assert value == pytest.approx(v**3, rel=1e-15)
    assert slope == pytest.approx(3 * v**2, rel=1e-15) and dx == pytest.approx([2 * v, 1], rel=1e-15)
    dx, slope = module.grad("f", wrt=(0, 1))(x.copy(), v, False, 0)
    assert slope == pytest.approx(3 * v**2, rel=1e-15) and not dx.any()


@pytest.mark.parametrize("moves", CALCULATED.values(), ids=CALCULATED)
def test_words_that_are_calculated_with_are_refused(moves: str) -> None:
    module = gradir.load(CLOSURE.format(moves=moves), optimise_first=False)
    x, v = np.array([0.3, 0.4]), 1.3
    with pytest.raises(gradir.NoRule):
        module.grad("f", wrt=(0, 1))(x, v, False, 0)
    with pytest.raises(gradir.NoRule):
        module.jvp("f", wrt=(0, 1))(x, v, False, 0, np.ones(2), 1.0)
