"""Bytes that are stored one by one, and together are a word."""

from __future__ import annotations

import numpy as np
import pytest
from differential import Bench, function_of

from gradir.machine import llvm
from gradir.machine.ir.text.reader import read
from gradir.machine.passes.words import byte_words


def lines(text: str, count: int = 16) -> str:
    return "".join(text.replace("N8", str(8 * (n % 8))).replace("N", str(n)) for n in range(count))


LOADS = lines("  %aN = getelementptr i8, ptr %from, i64 N\n  %vN = load i8, ptr %aN, align 1\n")
STORES = lines("  %bN = getelementptr i8, ptr %to, i64 N\n  store i8 %vN, ptr %bN, align 1\n")
BOTH = lines(
    "  %aN = getelementptr i8, ptr %from, i64 N\n  %vN = load i8, ptr %aN, align 1\n"
    "  %bN = getelementptr i8, ptr %to, i64 N\n  store i8 %vN, ptr %bN, align 1\n"
)
MIXED = STORES.replace("%v3,", "%v4,").replace("%v7,", "%v0,").replace("%v11,", "%v0,").replace("%v15,", "%v0,")
AGAIN = lines("  store i8 %vN, ptr %bN, align 1\n")
SHIFTED = """
  %word = load i64, ptr %x, align 8
  %next = load i64, ptr %from, align 8
""" + "".join(
    f"  %s{n} = lshr i64 %{'word' if n < 8 else 'next'}, {8 * (n % 8)}\n  %v{n} = trunc i64 %s{n} to i8\n"
    for n in range(16)
)
VECTOR = (
    SHIFTED
    + "".join(
        f"  %w{n} = insertelement <16 x i8> {f'%w{n - 1}' if n else 'poison'}, i8 %v{n}, i64 {n}\n" for n in range(16)
    )
    + "  store <16 x i8> %w15, ptr %to, align 1\n"
)
PROGRAMS = {
    "loaded before a loop": f"{LOADS}  br label %loop\nloop:\n  %k = phi i32 [ 0, %entry ], [ %l, %loop ]\n{STORES}"
    "  %l = add i32 %k, 1\n  %done = icmp eq i32 %l, 3\n  br i1 %done, label %end, label %loop\nend:\n",
    "loaded once and stored twice": f"{BOTH}  store double 1.0, ptr %to, align 8\n{AGAIN}",
    "shifted": f"{SHIFTED}{STORES}",
    "shifted, as a vector": VECTOR,
}


@pytest.mark.parametrize("how", PROGRAMS)
def test_words_have_derivatives(how: str) -> None:
    """Two floats are moved byte by byte, and their product is taken."""
    begin = "0" if how.startswith("loaded") else "8"
    text = f"""define double @f(ptr noalias %x, ptr noalias %to) {{
entry:
  %from = getelementptr i8, ptr %x, i64 {begin}
{PROGRAMS[how]}
  %q = getelementptr i8, ptr %to, i64 8
  %u = load double, ptr %to, align 8
  %v = load double, ptr %q, align 8
  %y = fmul double %u, %v
  ret double %y
}}"""
    x, to = np.array([1.5, -2.0]), np.array([0.25, 0.75])
    function, values = function_of("f", "double", [x, to])
    bench = Bench(llvm.parse(text), function, optimise=False)
    forward, reverse = bench.forward(function), bench.reverse(function)
    bench.build(level=0)
    jacobian = np.array([[1, 0, 0, 0], [0, 1, 0, 0], [1, 0, 0, 0], [0, 1, 0, 0], [x[1], x[0], 0, 0]])
    for column, direction in zip(jacobian.T, np.eye(4), strict=True):
        after, tangent = bench.jvp(forward, values, [direction])
        np.testing.assert_array_equal(after, [*x, *x, x[0] * x[1]])
        np.testing.assert_array_equal(tangent, column)
    seed = np.array([0.5, 2.0, -1.0, 3.0, 0.75])
    np.testing.assert_array_equal(bench.vjp(reverse, values, [seed])[1], seed @ jacobian)


@pytest.mark.parametrize(
    ("arguments", "body", "expected"),
    [
        ("ptr %from, ptr %to", BOTH, False),  # a byte that is stored may be the next that is loaded
        ("ptr noalias %from, ptr %to", BOTH, False),
        ("ptr noalias %from, ptr noalias %to", BOTH, True),
        ("ptr %from, ptr %to", LOADS + STORES, True),
        ("ptr %from, ptr %to", LOADS + MIXED, False),
        ("ptr %from, ptr %to", LOADS.replace("  %v3 =", "  store double 0.0, ptr %to\n  %v3 =") + STORES, True),
        (
            "ptr %from, ptr %to",
            LOADS + STORES.replace("  store i8 %v7", "  %r = load i8, ptr %to\n  store i8 %v7"),
            True,
        ),
    ],
)
def test_what_is_a_word(arguments: str, body: str, expected: bool) -> None:
    """Only what nobody can see in between, and nobody overwrites."""
    module = read(f"define void @f({arguments}) {{\nentry:\n{body}  ret void\n}}")
    assert byte_words.run(module) == expected
    stores = [i.value.type.text for i in module.functions["f"].instructions() if i.opcode == "store"]
    if not expected:
        assert stores == ["i8"] * 16
    elif "double 0.0" in body or "%r =" in body:  # the first word is left, the second one is not
        assert "i64" in stores
        assert "i8" in stores
    else:
        assert stores == ["i64", "i64"]
