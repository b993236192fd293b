# ruff: noqa: E501
"""Some lanes of a vector of integers or pointers, loaded and stored: floats in the guise of integers, addresses, counts."""

from __future__ import annotations

import numpy as np
import pytest
from differential import Bench, function_of

from gradir.machine import llvm

X = np.array([1.5, -0.75, 2.0, 0.5])
ON = "<4 x i1> <i1 true, i1 false, i1 true, i1 true>"
COMPUTED = "  %v = insertelement <4 x i32> poison, i32 %n, i64 0\n" + (
    "  %w = shufflevector <4 x i32> %v, <4 x i32> poison, <4 x i32> zeroinitializer\n"
    "  %m = icmp ne <4 x i32> %w, <i32 3, i32 1, i32 3, i32 3>\n"
)
"""The same mask, for n = 1."""
EACH = "  %all = getelementptr double, ptr %x, <4 x i64> <i64 3, i64 2, i64 1, i64 0>\n"
PROGRAMS = {
    # What is done; then a product of the last two lanes is taken, and the second lane is as it was, or 2.
    "loaded": "  %r = call <4 x i64> @llvm.masked.load.v4i64.p0(ptr align 8 %x, MASK, <4 x i64> splat (i64 TWO))\n",
    "stored": "  %y = load <4 x i64>, ptr %x, align 8\n  store <4 x double> splat (double 2.0), ptr %t, align 8\n"
    "  call void @llvm.masked.store.v4i64.p0(<4 x i64> %y, ptr align 8 %t, MASK)\n  %r = load <4 x i64>, ptr %t, align 8\n",
    "gathered": f"{EACH}  %back = shufflevector <4 x ptr> %all, <4 x ptr> poison, <4 x i32> <i32 3, i32 2, i32 1, i32 0>\n"
    "  %r = call <4 x i64> @llvm.masked.gather.v4i64.v4p0(<4 x ptr> align 8 %back, MASK, <4 x i64> splat (i64 TWO))\n",
    "scattered": "  %y = load <4 x i64>, ptr %x, align 8\n  store <4 x double> splat (double 2.0), ptr %t, align 8\n"
    "  %to = getelementptr double, ptr %t, <4 x i64> <i64 0, i64 1, i64 2, i64 3>\n"
    "  call void @llvm.masked.scatter.v4i64.v4p0(<4 x i64> %y, <4 x ptr> align 8 %to, MASK)\n"
    "  %r = load <4 x i64>, ptr %t, align 8\n",
    "addresses": "  %two = alloca double\n  store double 2.0, ptr %two\n"
    + "".join(
        f"  %p{k} = getelementptr double, ptr %x, i64 {k}\n  %q{k} = getelementptr ptr, ptr %s, i64 {k}\n"
        f"  store ptr %p{k}, ptr %q{k}\n"
        for k in range(4)
    )
    + "  %one = insertelement <4 x ptr> poison, ptr %two, i64 1\n"
    "  %l = call <4 x ptr> @llvm.masked.load.v4p0.p0(ptr align 8 %s, MASK, <4 x ptr> %one)\n"
    + "".join(f"  %l{k} = extractelement <4 x ptr> %l, i64 {k}\n  %d{k} = load i64, ptr %l{k}\n" for k in range(4))
    + "".join(
        f"  %r{k if k < 3 else ''} = insertelement <4 x i64> {f'%r{k - 1}' if k else 'poison'}, i64 %d{k}, i64 {k}\n"
        for k in range(4)
    ),
}
DECLARED = """
declare <4 x i64> @llvm.masked.load.v4i64.p0(ptr, <4 x i1>, <4 x i64>)
declare <4 x ptr> @llvm.masked.load.v4p0.p0(ptr, <4 x i1>, <4 x ptr>)
declare void @llvm.masked.store.v4i64.p0(<4 x i64>, ptr, <4 x i1>)
declare <4 x i64> @llvm.masked.gather.v4i64.v4p0(<4 x ptr>, <4 x i1>, <4 x i64>)
declare void @llvm.masked.scatter.v4i64.v4p0(<4 x i64>, <4 x ptr>, <4 x i1>)
"""


@pytest.mark.parametrize("mask", [ON, "<4 x i1> %m"], ids=["known", "computed"])
@pytest.mark.parametrize("how", PROGRAMS)
def test_derivatives(how: str, mask: str) -> None:
    """x0 y x2 x3, where y is 2, since its lane is off."""
    code = PROGRAMS[how].replace("MASK", mask).replace("TWO", str(0x4000_0000_0000_0000))
    text = f"""define double @f(ptr %x, i32 %n) {{
entry:
  %t = alloca [4 x double]
  %s = alloca [4 x ptr]
{COMPUTED}{code}
  %d = bitcast <4 x i64> %r to <4 x double>
  %a = extractelement <4 x double> %d, i64 0
  %b = extractelement <4 x double> %d, i64 1
  %c = extractelement <4 x double> %d, i64 2
  %e = extractelement <4 x double> %d, i64 3
  %ab = fmul double %a, %b
  %ce = fmul double %c, %e
  %z = fmul double %ab, %ce
  ret double %z
}}{DECLARED}"""
    function, values = function_of("f", "double", (X, 1))
    bench = Bench(llvm.parse(text), function, optimise=False)
    forward, reverse = bench.forward(function), bench.reverse(function)
    bench.build(level=0)
    expected = 2 * np.array([X[2] * X[3], 0, X[0] * X[3], X[0] * X[2]])
    value, gradient = bench.vjp(reverse, values, [np.array([0, 0, 0, 0, 1.0])])
    assert value[-1] == 2 * X[0] * X[2] * X[3]
    np.testing.assert_allclose(gradient, expected, rtol=1e-15)
    v = np.array([0.5, 2.0, -1.0, 3.0])
    np.testing.assert_allclose(bench.jvp(forward, values, [v])[1][-1], expected @ v, rtol=1e-14)


@pytest.mark.parametrize("optimise", [False, True])
def test_numbers_beside_floats_stay_in_one_piece(optimise: bool) -> None:
    """Structs of a float and a count: counts are gathered and scattered, and have no derivative."""
    text = """
%s = type { double, i32 }
define double @f(ptr %x, i32 %n) {
entry:
  %t = alloca [4 x %s], align 8
  %i = getelementptr %s, ptr %t, <4 x i64> <i64 0, i64 1, i64 2, i64 3>, i32 1
  %f = getelementptr %s, ptr %t, <4 x i64> <i64 0, i64 1, i64 2, i64 3>
  %y = load <4 x double>, ptr %x, align 8
  call void @llvm.masked.scatter.v4f64.v4p0(<4 x double> %y, <4 x ptr> align 8 %f, <4 x i1> splat (i1 true))
  %v = insertelement <4 x i32> <i32 2, i32 3, i32 4, i32 poison>, i32 %n, i64 3
  call void @llvm.masked.scatter.v4i32.v4p0(<4 x i32> %v, <4 x ptr> align 8 %i, <4 x i1> splat (i1 true))
  %l = call <4 x i32> @llvm.masked.gather.v4i32.v4p0(<4 x ptr> align 8 %i, <4 x i1> splat (i1 true), <4 x i32> poison)
  %k = sitofp <4 x i32> %l to <4 x double>
  %d = call <4 x double> @llvm.masked.gather.v4f64.v4p0(<4 x ptr> align 8 %f, <4 x i1> splat (i1 true), <4 x double> poison)
  %p = fmul <4 x double> %d, %k
  %z = call double @llvm.vector.reduce.fadd.v4f64(double 0.0, <4 x double> %p)
  ret double %z
}
declare void @llvm.masked.scatter.v4f64.v4p0(<4 x double>, <4 x ptr>, <4 x i1>)
declare void @llvm.masked.scatter.v4i32.v4p0(<4 x i32>, <4 x ptr>, <4 x i1>)
declare <4 x i32> @llvm.masked.gather.v4i32.v4p0(<4 x ptr>, <4 x i1>, <4 x i32>)
declare <4 x double> @llvm.masked.gather.v4f64.v4p0(<4 x ptr>, <4 x i1>, <4 x double>)
declare double @llvm.vector.reduce.fadd.v4f64(double, <4 x double>)
"""
    function, values = function_of("f", "double", (X, 7))
    bench = Bench(llvm.parse(text), function, optimise=optimise)
    forward, reverse = bench.forward(function), bench.reverse(function)
    bench.build(level=0)
    np.testing.assert_array_equal(bench.vjp(reverse, values, [np.array([0, 0, 0, 0, 1.0])])[1], [2, 3, 4, 7])
    np.testing.assert_array_equal(bench.jvp(forward, values, [np.ones(4)])[1][-1], 16)
