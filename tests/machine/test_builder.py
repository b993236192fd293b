"""Code under construction: what operators write, and literals, are what LLVM understands by them."""

from __future__ import annotations

import ctypes
import math
import re
import struct

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from gradir.machine import jit, llvm
from gradir.machine.ir import DOUBLE, I1, I8, I32, I64, PTR, VOID, Type, vector
from gradir.machine.ir.builder import Code, Expr, literal, overload

HALF, BFLOAT, FLOAT, EXTENDED, QUADRUPLE = (Type(t, "float") for t in ("half", "bfloat", "float", "x86_fp80", "fp128"))


def compiled(code: Code, declarations: list[str] = []) -> jit.Call:
    text = "\n".join([*declarations, code.text()])
    entry = jit.Entry(code.name, tuple(p.type.text for p in code.parameters), code.result.text)
    return jit.compile_library(text, [entry])[code.name]


# -- Operators


def test_operators_of_floats():
    code = Code("f", DOUBLE, [(DOUBLE, "x"), (DOUBLE, "y")])
    x, y = code.parameters
    code.ret((2 - x) * y + (1 / y) - (-x) / 4 + (3 * x - y) * (1 + x))
    f = compiled(code)
    for a, b in [(0.5, -2.0), (3.0, 7.25), (-1.5, 0.125)]:
        assert f(a, b) == (2 - a) * b + (1 / b) - (-a) / 4 + (3 * a - b) * (1 + a)


def test_operators_of_integers():
    code = Code("f", I64, [(I64, "a"), (I64, "b")])
    a, b = code.parameters
    code.ret((7 - a) * b + a / 3 - (-b))
    f = compiled(code)
    assert f(10, 4) - (1 << 64 if f(10, 4) >> 63 else 0) == (7 - 10) * 4 + 3 + 4


@pytest.mark.parametrize("type", [DOUBLE, I64])
def test_comparisons(type: Type):
    numbers = [-2, 0, 1, 5]
    for name, expected in [
        ("__lt__", lambda a, b: a < b),
        ("__le__", lambda a, b: a <= b),
        ("__gt__", lambda a, b: a > b),
        ("__ge__", lambda a, b: a >= b),
        ("eq", lambda a, b: a == b),
    ]:
        code = Code("f", I8, [(type, "a"), (type, "b")])
        a, b = code.parameters
        condition = getattr(a, name)(b)
        assert condition.type == I1
        code.ret(condition.select(code.constant(I8, 1), code.constant(I8, 0)))
        f = compiled(code)
        assert [f(x, y) for x in numbers for y in numbers] == [expected(x, y) for x in numbers for y in numbers]


def test_a_scalar_meets_a_vector():
    wide = vector(4, DOUBLE)
    code = Code("f", VOID, [(PTR, "out"), (DOUBLE, "x")])
    out, x = code.parameters
    v = code.load(wide, out)
    total = x * v + v * 2.0 - x
    assert total.type == wide and (v > 0).type == vector(4, I1)
    code.store((v > 0).select(total, 0.0), out)
    code.ret()
    data = (ctypes.c_double * 8)(1.0, -2.0, 3.0, 4.0)
    align = ctypes.addressof(data) % 32  # the vector's own alignment
    moved = (ctypes.c_double * 4).from_buffer(data, (32 - align) % 32)
    moved[:] = [1.0, -2.0, 3.0, 4.0]
    compiled(code)(ctypes.addressof(moved), 5.0)
    assert list(moved) == [1 * 7 - 5.0, 0.0, 3 * 7 - 5.0, 4 * 7 - 5.0]


def test_selects_of_literals():
    code = Code("f", DOUBLE, [(DOUBLE, "x")])
    (x,) = code.parameters
    code.ret((x < 0).select(-1.5, x))
    f = compiled(code)
    assert f(-3.0) == -1.5 and f(3.0) == 3.0


def test_blocks_phis_and_calls():
    declared: list[str] = []
    code = Code("f", DOUBLE, [(DOUBLE, "x"), (I64, "n")], declare=declared.append)
    x, n = code.parameters
    loop, done = code.block("loop"), code.block("done")
    slot = code.alloca(DOUBLE, "sum", align=8)
    code.store(x, slot)
    code.br(loop)
    code.at(loop)
    i = code.phi(I64, [("0", code.entry), ("%next", loop)], "i")
    code.store(code.intrinsic("sqrt", code.load(DOUBLE, slot) + 1.0), slot)
    following = code.emit(I64, f"add {i}, 1", "next")
    code.cond_br(following < n, loop, done)
    code.at(done).ret(code.load(DOUBLE, slot))
    assert declared == ["declare double @llvm.sqrt.f64(double)"]
    expected = 2.0
    for _ in range(5):
        expected = math.sqrt(expected + 1)
    assert compiled(code, declared)(2.0, 5) == expected


def test_addresses():
    code = Code("f", I64, [(PTR, "p"), (I64, "i")])
    p, i = code.parameters
    assert code.offset(p, 0) is p
    moved = code.element(I32, code.offset(code.offset(p, 4), i), i)
    code.ret(code.emit(I64, f"ptrtoint {moved} to i64"))
    assert compiled(code)(1000, 3) == 1000 + 4 + 3 + 12


def test_fast_flags_are_written_on_arithmetic_of_floats_only():
    code = Code("f", DOUBLE, [(DOUBLE, "x"), (I64, "n")], fast="reassoc nsz")
    x, n = code.parameters
    _ = n + 1
    code.ret(-(x * x))
    text = code.text()
    assert "fmul reassoc nsz double" in text and "fneg reassoc nsz double" in text and "add i64" in text
    llvm.parse(text)


def test_parameters_and_functions_have_attributes():
    code = Code("f", VOID, [(PTR, "p"), (PTR, "q")], attributes="nounwind", linkage="internal")
    code.parameter_attributes[1] = "noalias"
    code.ret()
    assert code.text().startswith("define internal void @f(ptr %p, ptr noalias %q) nounwind {")
    llvm.parse(code.text())


def test_a_block_without_an_end_is_unreachable():
    code = Code("f", VOID, [])
    assert "unreachable" in code.text()
    llvm.parse(code.text())


def test_overloads_are_named_as_llvm_names_them():
    assert [overload(t) for t in (DOUBLE, FLOAT, HALF, BFLOAT, EXTENDED, QUADRUPLE, I32, PTR, vector(4, FLOAT))] == [
        "f64", "f32", "f16", "bf16", "f80", "f128", "i32", "p0", "v4f32",
    ]  # fmt: skip


# -- Names


HINTS = st.sampled_from(["x", "x.1", "x.1.1", "x.2", "", "t", "a b", "a_b", '"', "entry", "-", "p", "1.x", "x.x", "7"])


@settings(max_examples=100, deadline=None)
@given(st.lists(HINTS, max_size=30))
@example(["é"])
def test_names_never_collide(hints: list[str]):
    code = Code("f", VOID, [(DOUBLE, "x")], taken=["x.1", "p"])
    made = [code.name_for(h) for h in hints]
    assert len({*made, "x", "x.1", "p", "entry"}) == len(made) + 4
    for name in made:
        code.line(f"%{name} = add i64 0, 0")
    code.ret()
    llvm.parse(code.text())


# -- Literals


def bits_of(type: Type, number: float) -> bytes:
    """What LLVM makes of a literal: its bytes."""
    size = {"half": 2, "bfloat": 2, "float": 4, "double": 8, "x86_fp80": 10, "fp128": 16}[type.text]
    code = Code("f", VOID, [(PTR, "out")])
    code.store(Expr(code, type, literal(type, number)), code.parameters[0], ", align 1")
    code.ret()
    place = ctypes.create_string_buffer(16)
    compiled(code)(ctypes.addressof(place))
    return place.raw[:size]


def folded(type: Type, number: float) -> float:
    """The literal, extended to double by LLVM itself, which folds it without code being run."""
    value = literal(type, number)
    if type.text == "double":
        text = f"@g = global i64 bitcast (double {value} to i64)"
    else:
        cast = "fptrunc" if type.text in ("x86_fp80", "fp128") else "fpext"
        text = f"define double @f() {{\n  %x = {cast} {type} {value} to double\n  ret double %x\n}}"
        module = llvm.parse(text)
        text = str(llvm.optimise(module))
        found = re.search(r"ret double (\S+)", text)
        assert found is not None
        return _number(found[1])
    found = re.search(r"i64 (-?\d+)", str(llvm.parse(text)))
    assert found is not None
    return struct.unpack("<d", struct.pack("<q", int(found[1])))[0]


def _number(text: str) -> float:
    if text.startswith("0x"):
        return struct.unpack(">d", bytes.fromhex(text[2:].zfill(16)))[0]
    return float(text)


def same(a: float, b: float) -> bool:
    return (math.isnan(a) and math.isnan(b)) or (a == b and math.copysign(1, a) == math.copysign(1, b))


FINITE = st.floats(allow_nan=False, allow_infinity=False)


@settings(max_examples=60, deadline=None)
@given(st.floats())
@example(-0.0)
@example(1e15)
@example(-1e15 + 1)
@example(5e-324)
@example(math.inf)
@example(math.nan)
def test_doubles_are_exact(x: float):
    assert same(folded(DOUBLE, x), x)


@settings(max_examples=40, deadline=None)
@given(st.floats(width=32))
@example(-0.0)
@example(2.0**-149)
@example(-math.inf)
def test_floats_are_exact(x: float):
    assert same(folded(FLOAT, x), x)


@settings(max_examples=40, deadline=None)
@given(st.floats(width=16))
@example(-0.0)
@example(2.0**-24)
@example(65504.0)
@example(math.inf)
def test_halfs_are_exact(x: float):
    assert same(folded(HALF, x), x)


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 0xFFFF))
@example(0x8000)
@example(0x7F80)
def test_bfloats_are_exact(pattern: int):
    (x,) = struct.unpack(">f", struct.pack(">I", pattern << 16))
    assert same(folded(BFLOAT, x), x)


@settings(max_examples=40, deadline=None)
@given(st.sampled_from([EXTENDED, QUADRUPLE]), st.floats())
@example(EXTENDED, -0.0)
@example(EXTENDED, 1.0)
@example(EXTENDED, 5e-324)
@example(QUADRUPLE, -0.0)
@example(QUADRUPLE, 3.0)
@example(QUADRUPLE, 5e-324)
@example(QUADRUPLE, -math.inf)
def test_long_doubles_are_exact(type: Type, x: float):
    assert same(folded(type, x), x)


@settings(max_examples=40, deadline=None)
@given(st.sampled_from([HALF, BFLOAT, FLOAT]), FINITE)
@example(FLOAT, 16777217.0)
@example(FLOAT, 0.1)
@example(HALF, 2049.0)
@example(HALF, 70000.0)
@example(FLOAT, 1e39)
@example(BFLOAT, 257.0)
@example(BFLOAT, 0.1)
@example(BFLOAT, 1.0078125)
@example(BFLOAT, 1.01171875)
def test_what_does_not_fit_is_rounded_to_nearest(type: Type, x: float):
    found = folded(type, x)
    text = f"define double @f() {{\n  %x = fptrunc double {literal(DOUBLE, x)} to {type}\n"
    text += f"  %y = fpext {type} %x to double\n  ret double %y\n}}"
    expected = re.search(r"ret double (\S+)", str(llvm.optimise(llvm.parse(text))))
    assert expected is not None and same(found, _number(expected[1]))


def test_literals_of_vectors_and_integers():
    assert literal(vector(4, I32), 7) == "splat (i32 7)" and literal(I8, -1) == "-1"
    wide = vector(3, FLOAT)
    llvm.parse(f"@g = global {wide} {literal(wide, 0.1)}")


def test_bytes_in_memory():
    assert bits_of(DOUBLE, 0.1) == struct.pack("<d", 0.1)
    assert bits_of(EXTENDED, 1.5) == bytes.fromhex("00000000000000c0ff3f")
    assert bits_of(HALF, 1.5) == struct.pack("<e", 1.5)
