"""Arguments passed by value: the callee has a copy of its own, whatever its type is called or not."""

from __future__ import annotations

import pytest

import gradir
from gradir.machine import llvm
from gradir.machine.ir.text.reader import read
from gradir.machine.passes.languages import byvalue

# The callee squares the number at an offset in its copy, in place; the caller still has the number itself.
PROGRAM = """
%named = type {{ i32, double }}
define internal double @square(ptr noundef byval({type}) align {align} %p) noinline {{
entry:
  %at = getelementptr i8, ptr %p, i64 {offset}
  %x = load {float}, ptr %at, align {align}
  %y = fmul {float} %x, %x
  store {float} %y, ptr %at, align {align}
  %z = load {float}, ptr %at, align {align}
  %w = {widen}
  ret double %w
}}
define double @f(double %x) {{
entry:
  %memory = alloca {type}, align {align}
  call void @llvm.memset.p0.i64(ptr %memory, i8 0, i64 {size}, i1 false)
  %at = getelementptr i8, ptr %memory, i64 {offset}
  %given = {narrow}
  store {float} %given, ptr %at, align {align}
  %squared = call double @square(ptr noundef byval({type}) align {align} %memory)
  %again = load {float}, ptr %at, align {align}
  %still = {still}
  %sum = fadd double %squared, %still
  ret double %sum
}}
declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)
"""

TYPES = {
    "bytes": ("[24 x i8]", 8, 16, 24, "double"),
    "literal struct": ("{ double, { i32, double } }", 8, 16, 24, "double"),
    "packed struct": ("<{ i8, double, float }>", 1, 1, 13, "double"),
    "array of structs": ("[2 x { float, i32 }]", 4, 8, 16, "float"),
    "integers": ("[4 x i64]", 8, 24, 32, "double"),
    "vector": ("<4 x float>", 16, 12, 16, "float"),
    "named": ("%named", 8, 8, 16, "double"),
}


def program(kind: str) -> str:
    type, align, offset, size, number = TYPES[kind]
    widen = "fpext float {} to double" if number == "float" else "fadd double {}, -0.0"
    narrow = "fptrunc double %x to float" if number == "float" else "fadd double %x, -0.0"
    return PROGRAM.format(
        type=type, align=align, offset=offset, size=size, float=number,
        widen=widen.format("%z"), narrow=narrow, still=widen.format("%again"),
    )  # fmt: skip


@pytest.mark.parametrize("optimise_first", [True, False])
@pytest.mark.parametrize("kind", TYPES)
def test_the_copy_is_the_callees_own(kind: str, optimise_first: bool, tmp_path):
    path = tmp_path / "f.ll"
    path.write_text(program(kind))
    f = gradir.load(path, optimise_first=optimise_first)["f"]
    assert f(3.0) == 12.0  # exact: small whole numbers
    assert f.value_and_grad("x")(3.0) == (12.0, 7.0)
    assert f.jvp("x")(3.0, 1.0) == (12.0, 7.0)


@pytest.mark.parametrize("kind", TYPES)
def test_the_copy_is_as_long_as_the_type(kind: str):
    module = read(str(llvm.parse(program(kind))))
    byvalue.run(module)
    copy = module.functions["square"].entry.instructions[1]
    assert copy.callee_name == "llvm.memcpy.p0.p0.i64" and copy.arguments[2].ref == str(TYPES[kind][3])
    assert not module.functions["square"].arguments[0].has("byval")
    llvm.verify(llvm.parse(str(module)))


def test_several_and_quoted_parameters():
    text = """
define double @g(ptr byval([2 x double]) %"a b", double %x, ptr byval({ double }) align 16 %0) {
  %2 = load double, ptr %"a b"
  %3 = load double, ptr %0
  %4 = fadd double %2, %3
  ret double %4
}"""
    module = read(str(llvm.parse(text)))
    byvalue.run(module)
    assert str(llvm.parse(str(module))).count("alloca") == 2
