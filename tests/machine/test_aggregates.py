"""Structs in registers whose integers carry floats: taken apart; refused where a call has no room for derivatives."""

from __future__ import annotations

import numpy as np
import pytest
from differential import Bench, function_of

from gradir.errors import NoRule
from gradir.machine import llvm
from gradir.machine.ir.text.reader import read
from gradir.machine.passes.words import aggregates

A, B = 1.5, -0.75
PAIR = "{ i64, i64 }"
GET = f"define internal {PAIR} @get(ptr %m) noinline {{\n  %s = load {PAIR}, ptr %m\n  ret {PAIR} %s\n}}\n"
RECURSIVE = f"""
define internal {PAIR} @half(i64 %v, i64 %n) noinline {{
entry:
  %c = icmp sgt i64 %n, 0
  br i1 %c, label %more, label %last
more:
  %d = bitcast i64 %v to double
  %h = fmul double %d, %d
  %b = bitcast double %h to i64
  %k = sub i64 %n, 1
  %r = call {PAIR} @half(i64 %b, i64 %k)
  ret {PAIR} %r
last:
  %s1 = insertvalue {PAIR} poison, i64 %v, 0
  %s2 = insertvalue {PAIR} %s1, i64 %n, 1
  ret {PAIR} %s2
}}
"""
BITS = "  %u = bitcast double %a to i64\n  %v = bitcast double %b to i64\n"
PUT = f"  %one = insertvalue {PAIR} poison, i64 %u, 0\n  %s = insertvalue {PAIR} %one, i64 %v, 1\n"
PROGRAMS = {
    # what precedes, and how `%r` comes about: a pair, of which the product is taken
    "put in and taken out": ("", f"{BITS}{PUT}  %r = freeze {PAIR} %s\n"),
    "chosen": ("", f"{BITS}{PUT}  %r = select i1 %c, {PAIR} %s, {PAIR} {{ i64 1, i64 2 }}\n"),
    "joined": (
        "",
        f"{BITS}{PUT}  br i1 %c, label %more, label %end\nmore:\n  %t = insertvalue {PAIR} %s, i64 %u, 1\n"
        f"  br label %end\nend:\n  %r = phi {PAIR} [ %s, %entry ], [ %t, %more ]\n",
    ),
    "in a loop": (
        "",
        f"{BITS}{PUT}  br label %loop\nloop:\n  %k = phi i32 [ 0, %entry ], [ %l, %loop ]\n"
        f"  %r = phi {PAIR} [ %s, %entry ], [ %t, %loop ]\n  %h = extractvalue {PAIR} %r, 0\n"
        f"  %g = extractvalue {PAIR} %r, 1\n  %t1 = insertvalue {PAIR} poison, i64 %g, 0\n"
        f"  %t = insertvalue {PAIR} %t1, i64 %h, 1\n  %l = add i32 %k, 1\n  %m = icmp slt i32 %k, 2\n"
        f"  br i1 %m, label %loop, label %end\nend:\n",
    ),
    "by way of memory": ("", f"{BITS}{PUT}  store {PAIR} %s, ptr %x\n  %r = load {PAIR}, ptr %x\n"),
    "an array from memory": (
        "",
        "  %y = load [2 x i64], ptr %x\n  %u = extractvalue [2 x i64] %y, 1\n  %v = extractvalue [2 x i64] %y, 0\n"
        f"{PUT}  %r = freeze {PAIR} %s\n",
    ),
    "nested": (
        "",
        f"{BITS}  %n1 = insertvalue {{ i32, {PAIR} }} poison, i64 %u, 1, 0\n"
        f"  %n2 = insertvalue {{ i32, {PAIR} }} %n1, i64 %v, 1, 1\n  %n3 = freeze {{ i32, {PAIR} }} %n2\n"
        f"  %r = extractvalue {{ i32, {PAIR} }} %n3, 1\n",
    ),
    "given by a function": (GET, f"{BITS}{PUT}  store {PAIR} %s, ptr %x\n  %r = call {PAIR} @get(ptr %x)\n"),
    "given by itself": (RECURSIVE, f"{BITS}  %r = call {PAIR} @half(i64 %u, i64 2)\n"),
    "given by a function that is called by its address": (
        f"{GET}@table = internal global [1 x ptr] [ptr @get]\n",
        f"{BITS}{PUT}  store {PAIR} %s, ptr %x\n  %p = load volatile ptr, ptr @table\n  %r = call {PAIR} %p(ptr %x)\n",
    ),
}


def text_of(how: str) -> str:
    before, code = PROGRAMS[how]
    return f"""{before}
define double @f(ptr %x, i32 %n) {{
entry:
  %p1 = getelementptr double, ptr %x, i64 1
  %a = load double, ptr %x
  %b = load double, ptr %p1
  %c = icmp sgt i32 %n, 0
{code}
  %r0 = extractvalue {PAIR} %r, 0
  %r1 = extractvalue {PAIR} %r, 1
  %d = bitcast i64 %r0 to double
  %e = bitcast i64 %r1 to double
  %z = fmul double %d, %e
  ret double %z
}}"""


@pytest.mark.parametrize("how", [how for how in PROGRAMS if not how.startswith("given")])
@pytest.mark.parametrize("optimise", [False, True])
def test_derivatives(how: str, optimise: bool) -> None:
    function, values = function_of("f", "double", (np.array([A, B]), 1))
    bench = Bench(llvm.parse(text_of(how)), function, optimise=optimise)
    forward, reverse = bench.forward(function), bench.reverse(function)
    bench.build(level=0)
    product, expected = (A * A, [2 * A, 0.0]) if how == "joined" else (A * B, [B, A])
    value, gradient = bench.vjp(reverse, values, [np.array([0.0, 0.0, 1.0])])
    assert value[-1] == product
    np.testing.assert_array_equal(gradient, expected)
    for v in np.eye(2):
        np.testing.assert_array_equal(bench.jvp(forward, values, [v])[1][-1], np.dot(expected, v))


@pytest.mark.parametrize("how", [how for how in PROGRAMS if how.startswith("given")])
@pytest.mark.parametrize("mode", ["forward", "reverse"])
def test_what_is_returned_in_a_guise_is_refused(how: str, mode: str) -> None:
    """There is no room for the derivative: it was silently zero."""
    function, _ = function_of("f", "double", (np.array([A, B]), 1))
    bench = Bench(llvm.parse(text_of(how)), function, optimise=False)
    with pytest.raises(NoRule, match="the bits of an active float"):
        getattr(bench, mode)(function)


@pytest.mark.parametrize("how", PROGRAMS)
def test_nothing_is_left_in_one_piece_but_what_is_passed(how: str) -> None:
    module = read(str(llvm.parse(text_of(how))))
    aggregates.run(module)
    llvm.parse(str(module))
    for function in module.definitions:
        for i in function.instructions():
            pieces = [v for v in (i, *i.operands) if v.type.is_aggregate]
            assert not pieces or i.opcode in ("call", "ret", "insertvalue", "extractvalue")
            if i.opcode == "insertvalue":
                assert all(u.opcode in ("ret", "insertvalue") for u in function.users[i])
