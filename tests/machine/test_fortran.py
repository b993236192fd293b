"""Fortran at every level of optimisation: derived types, allocatable arrays and components, modules, pointers."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import numpy as np
import pytest
from compilers import has_flang

import gradir
from gradir.errors import InputError, NoRule
from gradir.frontends.fortran import flang
from gradir.machine import llvm
from gradir.machine.ir.text.outdated import with_constants_computed

SOURCE = Path(__file__).parent / "levels" / "numbers.f90"
ARRAYS = SOURCE.with_name("arrays.f90")
CLASSES = SOURCE.with_name("classes.f90")
H = 1e-5  # central differences: an error of about H² times the third derivative, and ε / H
FUNCTIONS = re.findall(r"function (\w+)\(x, n\)", SOURCE.read_text())
BY_THE_RUNTIME = {"arrays_of_types"}
"""What flang leaves to its runtime library, which has no derivatives."""


needs_flang = pytest.mark.skipif(not has_flang(), reason="needs flang (apt install flang-19)")


def check(m, name: str) -> None:
    f, x, n = m[name], 1.3, 4
    expected = (f(x + H, n) - f(x - H, n)) / (2 * H)
    reverse = m.grad(name)(x, n)
    _, forward = m.jvp(name)(x, n, 1.0)
    assert np.isclose(reverse, expected, rtol=1e-7, atol=1e-7)
    assert np.isclose(reverse, forward, rtol=1e-12)


@pytest.fixture(scope="module", params=["-O0", "-O1", "-O2"])
def numbers(request):
    return gradir.load(SOURCE, flags=[request.param])


@needs_flang
@pytest.mark.parametrize("name", FUNCTIONS)
def test_functions_of_a_number(numbers, name: str) -> None:
    try:
        check(numbers, name)
    except NoRule as refused:
        assert name in BY_THE_RUNTIME
        assert re.search(r"numbers.f90:\d+.*@_Fortran\w+ has no body here(?s:.*)way out", str(refused))


@pytest.fixture(scope="module", params=["-O0", "-O2"])
def arrays(request):
    return gradir.load(ARRAYS, flags=[request.param])


@pytest.fixture(scope="module")
def classes():
    return gradir.load(CLASSES, flags=["-O0"])


@needs_flang
@pytest.mark.parametrize("name", re.findall(r'name="(\w+)"', ARRAYS.read_text()))
def test_functions_on_arrays_of_the_runtime(arrays, name: str) -> None:
    check_on_arrays(arrays, name)


@needs_flang
@pytest.mark.parametrize("name", re.findall(r'name="(\w+)"', CLASSES.read_text()))
def test_objects_whose_type_is_found_out_when_the_program_runs(classes, name: str) -> None:
    check_on_arrays(classes, name)


def check_on_arrays(arrays, name: str) -> None:
    """Values come from flang's runtime, derivatives from bodies that gradir has."""
    f, x, v = arrays[name], np.array([1.3, 0.7, 2.1, 0.4, 0.9, 1.7]), np.array([0.3, -1.2, 0.8, 0.1, -0.6, 0.5])
    expected = [(f(x + e, 6) - f(x - e, 6)) / (2 * H) for e in H * np.eye(6)]
    found = arrays.grad(name)(x, 6)
    assert np.allclose(found, expected, rtol=1e-7, atol=1e-7)
    value, tangent = arrays.jvp(name)(x, 6, v)
    if isinstance(tangent, tuple):  # nobody says that x is not written to
        tangent = tangent[0]
    assert np.isclose(value, f(x, 6), rtol=1e-12)
    assert np.isclose(tangent, found @ v, rtol=1e-11)


@needs_flang
@pytest.mark.parametrize("level", ["-O0", "-O1"])
def test_what_flang_wrote_as_text_is_read(level: str, tmp_path: Path) -> None:
    path = tmp_path / "numbers.ll"
    subprocess.run([flang(), "-S", "-emit-llvm", level, str(SOURCE), "-o", str(path)], check=True, cwd=tmp_path)
    m = gradir.load(path)
    for name in ("derived", "pointers", "modules", "linked", "grown"):
        check(m, name)


FINAL = """
module handles
  type :: handle
    integer :: id = 2
    real(8), allocatable :: d(:)
  contains
    final :: release
  end type
contains
  subroutine release(h)
    type(handle), intent(inout) :: h
    if (allocated(h%d)) h%d = 0
  end subroutine
end module
real(8) function active(x)
  use handles
  real(8), intent(in) :: x
  type(handle) :: h
  h%d = [x, x]
  active = sum(h%d) * x
end function
real(8) function beside(x)
  use handles
  real(8), intent(in) :: x
  type(handle) :: h
  beside = h%id * x * x
end function
"""


@needs_flang
def test_final_procedures_are_the_runtimes(tmp_path: Path) -> None:
    """Beside active numbers they run as they did; what they see of these is refused."""
    source = tmp_path / "final.f90"
    source.write_text(FINAL)
    m = gradir.load(source)
    assert np.isclose(m.grad("beside")(3.0), 12) and np.isclose(m.jvp("beside")(3.0, 1.0)[1], 12)
    with pytest.raises(NoRule, match="has no body here"):
        m.grad("active")(3.0)
    with pytest.raises(NoRule, match="has no body here"):
        m.jvp("active")(3.0, 1.0)


SIZE = "ptrtoint (ptr getelementptr (%pair, ptr null, i32 1) to i64)"


@pytest.mark.parametrize(
    ("constant", "value"),
    [
        ("mul (i64 3, i64 4)", 12),
        ("mul nuw nsw (i64 3, i64 -4)", -12),
        (f"mul (i64 {SIZE}, i64 5)", 80),
        (f"mul (i64 mul (i64 {SIZE}, i64 2), i64 add (i64 1, i64 2))", 96),
        ("shl nuw (i64 3, i64 4)", 48),
        ("or (i64 and (i64 12, i64 10), i64 1)", 9),
    ],
)
def test_constants_that_llvm_no_longer_reads(constant: str, value: int) -> None:
    text = f"%pair = type {{ double, i8 }}\n@n = global i64 {constant}\ndefine void @f() {{\n  ret void\n}}\n"
    assert f"@n = global i64 {value}\n" in str(llvm.parse(text))


def test_what_can_not_be_computed_is_told() -> None:
    text = "@p = global i8 0\n@n = global i64 mul (i64 ptrtoint (ptr @p to i64), i64 2)\n"
    assert with_constants_computed(text) == text
    with pytest.raises(InputError, match="mul constexprs are no longer supported"):
        llvm.parse(text)


@needs_flang
def test_what_is_written_through_a_description(tmp_path: Path) -> None:
    """LLVM says of the description of an array that it is only read, though what it describes is written."""
    source = tmp_path / "shaped.f90"
    source.write_text("""
subroutine shaped(a, b)
  real(8), intent(in) :: a(:)
  real(8), intent(inout) :: b(:)
  integer :: i
  do i = 1, size(a)
    b(i) = b(i) * a(i) + a(1)
  end do
end subroutine
""")
    m = gradir.load(source)
    assert m.shaped.outputs == ("b",)
    a, b, cotangent = np.array([2.0, 3.0]), np.array([5.0, 7.0]), np.array([1.0, 10.0])
    assert np.allclose(m.jvp("shaped", wrt="a")(a, b.copy(), np.ones(2))[1], b + 1)
    _, (da, db) = m.vjp("shaped", wrt=("a", "b"))(a, b, cotangent)
    assert np.allclose(da, [5 + 1 + 10, 70]) and np.allclose(db, a * cotangent) and np.allclose(b, [12, 23])
    with pytest.raises(InputError, match="must be writable"):
        m.shaped(a, np.broadcast_to(1.0, 2))
