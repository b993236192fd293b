"""What functions take and give, from debug info and without."""

import shutil

import numpy as np
import pytest

from gradir.frontends import to_llvm
from gradir.machine.jit.signature import (
    Array,
    Descriptor,
    Parameter,
    Pointer,
    Scalar,
    Struct,
    holds_floats,
    parameters,
    signatures,
)


def of(tmp_path, name, text, symbol="f"):
    source = tmp_path / name
    source.write_text(text)
    return signatures(str(to_llvm(source)))[symbol]


def test_names_types_and_place(tmp_path):
    f = of(
        tmp_path,
        "k.c",
        "typedef double real;\nreal f(const real *x, int n, unsigned char c, float y) { return x[n] * y + c; }",
    )
    assert str(f) == "f(x: const double *, n: int, c: unsigned char, y: float) -> double"
    assert f.location.endswith("k.c:2")
    assert [a.is_const for a in f.arguments] == [True, False, False, False]
    assert f.arguments[0].pointee.dtype == np.float64 and f.arguments[2].type.dtype == np.uint8


def test_structs_and_arrays(tmp_path):
    text = """
    struct inner { float w[3]; };
    struct outer { double x; struct inner in; int n; struct outer *next; };
    double f(struct outer *p, double (*m)[3]) { return p->x + m[1][2]; }
    """
    f = of(tmp_path, "k.c", text)
    outer = f.arguments[0].pointee
    assert isinstance(outer, Struct) and outer.size == 32
    assert [(m.name, m.offset) for m in outer.members] == [("x", 0), ("in", 8), ("n", 20), ("next", 24)]
    assert outer.dtype.itemsize == 32 and outer.dtype["in"]["w"].shape == (3,)
    assert f.arguments[1].pointee == Array(Scalar("f", 64, "double"), (3,))
    assert holds_floats(outer) and holds_floats(f.arguments[1].type)


def test_other_pointers(tmp_path):
    f = of(tmp_path, "k.c", "void f(void *a, double **b, const char *c, _Bool d) { (void)a; b[0][0] = d; }")
    assert f.arguments[0].type == Pointer(None) and holds_floats(f.arguments[0].pointee) is None
    assert isinstance(f.arguments[1].pointee, Pointer)
    assert f.arguments[2].is_const and holds_floats(f.arguments[2].pointee) is False
    assert f.arguments[3].type.kind == "b" and f.result is None


def test_structs_by_value_fall_back_to_llvm(tmp_path):
    f = of(tmp_path, "k.c", "struct v { double a, b, c; }; double f(struct v x) { return x.a; }")
    assert len(f.arguments) == len(f.parameters)


def test_without_debug_info():
    found = signatures("define double @f(ptr noundef %x, i32 %n, i1 zeroext %b) {\n  ret double 0.0\n}\n")["f"]
    assert str(found) == "f(x: void *, n: int32, b: int8) -> float64"


def test_what_cant_be_called_is_left_out():
    assert signatures("define internal void @f() {\n  ret void\n}\n") == {}


def test_parameters_of_any_spelling():
    line = (
        'define internal noundef range(i32 0, 9) { double, [2 x i8] } @"a b"({ ptr, i64 } %"x y", <2 x float> %1, '
        "ptr byval(%s) align 8 %p) #0 {"
    )
    name, given, result = parameters(line)
    assert name == "a b" and result == "{ double, [2 x i8] }"
    assert given[0] == Parameter("{ ptr, i64 }", "x y") and given[1] == Parameter("<2 x float>", "1")
    assert given[2].has("byval") and given[2].name == "p"


@pytest.mark.skipif(not any(map(shutil.which, ("flang-new", "flang", "flang-19", "flang-new-19"))), reason="no flang")
def test_fortran(tmp_path):
    text = """
subroutine f(n, a, x, m, s)
  integer, intent(in) :: n
  real(8), intent(in) :: a, x(4), m(:, :)
  complex(8), intent(out) :: s(n)
  s(1) = a * x(1) + m(1, 1)
end subroutine
"""
    f = of(tmp_path, "k.f90", text, "f_")
    assert f.name == "f" and [a.name for a in f.arguments] == ["n", "a", "x", "m", "s"]
    assert all(a.by_reference for a in f.arguments)
    assert f.arguments[2].pointee == Array(Scalar("f", 64, "real"), (4,))
    assert f.arguments[3].pointee == Descriptor(Scalar("f", 64, "real"), 2)
    assert f.arguments[4].pointee.element.kind == "c"
