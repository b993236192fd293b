"""Every front end: from a source to numbers, several languages in one module, and what goes wrong."""

import shutil

import numba
import numpy as np
import pytest

import gradir
from gradir.errors import BackendError, GradirError, InputError, MissingExtra
from gradir.frontends import c as c_frontend

x = np.arange(1.0, 5.0)

needs_flang = pytest.mark.skipif(
    not any(map(shutil.which, ("flang-new", "flang", "flang-19", "flang-new-19"))), reason="no flang"
)
needs_rust = pytest.mark.skipif(not shutil.which("rustc"), reason="no rustc")
needs_clang = pytest.mark.skipif(not any(map(shutil.which, ("clang", "clang-19"))), reason="no clang on PATH")

SUM = "double sum(const double *x, int n) { double s = 0; for (int i = 0; i < n; i++) s += SCALE * x[i]; return s; }"


def written(tmp_path, name: str, text: str):
    (tmp_path / name).write_text(text)
    return tmp_path / name


def test_c_with_flags(tmp_path):
    (tmp_path / "include").mkdir()
    written(tmp_path / "include", "scale.h", "#define SCALE 2.0\n")
    source = written(tmp_path, "k.c", '#include "scale.h"\n' + SUM)
    m = gradir.load(source, flags=[f"-I{tmp_path / 'include'}", "-march=native"])
    assert m.sum(x, 4) == 20.0
    assert gradir.load(written(tmp_path, "d.c", SUM), flags=["-DSCALE=3"]).sum(x, 4) == 30.0


def test_fast_math_is_in_the_code(tmp_path):
    source = written(tmp_path, "k.c", SUM)
    assert " fast double" in str(gradir.load(source, flags=["-DSCALE=2.5", "-ffast-math"]))
    assert " fast double" not in str(gradir.load(source, flags=["-DSCALE=2.5"]))


@needs_clang
def test_another_clang(tmp_path, monkeypatch):
    clang = next(filter(shutil.which, ("clang", "clang-19")))
    source = written(tmp_path, "k.c", SUM)
    assert gradir.load(source, flags=["-DSCALE=1"], compiler=clang).sum(x, 4) == 10.0
    monkeypatch.setenv("GRADIR_CLANG", clang)
    assert gradir.load(source, flags=["-DSCALE=1"]).sum(x, 4) == 10.0


def test_cpp(tmp_path):
    text = """
    #include <vector>
    #include <numeric>
    template <class T> T square(T x) { return x * x; }
    extern "C" double f(const double *x, int n) {
      std::vector<double> v(x, x + n);
      double s = 0;
      for (double e : v) s += square(e);
      return s;
    }
    """
    assert gradir.load(written(tmp_path, "k.cpp", text)).f(x, 4) == 30.0


@needs_flang
def test_fortran(tmp_path):
    text = """
module kernels
contains
  subroutine scaled(n, a, x, y) bind(c)
    use iso_c_binding
    integer(c_int), value :: n
    real(c_double), value :: a
    real(c_double), intent(in) :: x(n)
    real(c_double), intent(out) :: y(n)
    y = a * x
  end subroutine
end module
function dotted(n, x, y) result(s)
  integer, intent(in) :: n
  real(8), intent(in) :: x(n), y(n)
  real(8) :: s
  s = dot_product(x, y)
end function
subroutine squares(a, s)
  real(8), intent(in) :: a(:, :)
  real(8), intent(out) :: s
  s = sum(a * a)
end subroutine
"""
    m = gradir.load(written(tmp_path, "k.f90", text))
    y = np.zeros(4)
    m.scaled(4, 2.0, x, y)
    assert np.array_equal(y, 2 * x)
    assert m.dotted(4, x, x) == m["dotted_"](4, x, x) == 30.0
    s = np.zeros(())
    whole = np.arange(24.0).reshape(4, 6)
    for a in (whole, whole.T, whole[::2, ::-1]):
        m.squares(a, s)
        assert s == pytest.approx((a * a).sum())
    assert m.squares.outputs == ("s",) and m.scaled.outputs == ("y",)


def test_cpp_that_could_throw(tmp_path):
    text = """
    #include <functional>
    #include <vector>
    extern "C" double f(const double *x, int n) {
      std::function<double(double)> square = [](double a) { return a * a; };
      std::vector<double> v;
      for (int i = 0; i < n; i++) v.push_back(square(x[i]));
      return v.at(n - 1);
    }
    """
    assert gradir.load(written(tmp_path, "k.cpp", text)).f(x, 4) == 16.0


@needs_flang
def test_fortran_that_needs_its_runtime(tmp_path):
    text = """
function maximum(n, x) result(s)
  integer, intent(in) :: n
  real(8), intent(in) :: x(n)
  real(8) :: s
  character(8) :: word
  write (word, '(I4)') n
  s = maxval(x) + len_trim(adjustl(word))
end function
"""
    m = gradir.load(written(tmp_path, "k.f90", text))
    assert "_FortranA" in str(m) and m.maximum(4, x) == 5.0


@needs_rust
def test_rust(tmp_path):
    text = """
#[no_mangle]
pub extern "C" fn sum_of_squares(x: *const f64, n: usize) -> f64 {
    let x = unsafe { std::slice::from_raw_parts(x, n) };
    let v: Vec<f64> = x.iter().map(|a| a * a).collect();
    v.iter().sum::<f64>() + x[0].powi(2)
}
"""
    assert gradir.load(written(tmp_path, "k.rs", text)).sum_of_squares(x, 4) == 31.0


def test_numba():
    @numba.njit
    def helper(v):
        return np.sum(v * v)

    @numba.njit
    def f(a, out, k):
        if k < 0:
            raise ValueError("k")
        t = a * 2.0
        out[:] = t
        return helper(a) + k

    m = gradir.load(f, signature="(float64[:], float64[::1], int64)")
    out = np.zeros(2)
    assert m.f(x[::2], out, 1) == 11.0 and np.array_equal(out, [2.0, 6.0])
    with pytest.raises(BackendError, match="raised an exception"):
        m.f(x[::2], out, -1)
    with pytest.raises(InputError, match="1 dimensions"):
        m.f(np.zeros((2, 2)), out, 1)
    with pytest.raises(InputError, match="contiguous"):
        m.f(x, np.zeros(8)[::2], 1)
    assert f(x, np.zeros(4), 1) == 31.0
    assert gradir.load(f).f(x, np.zeros(4), 1) == 31.0  # compiled for one signature by now


def test_numba_that_cant_be_passed():
    @numba.njit
    def two(a):
        return a, a

    with pytest.raises(InputError, match="its result is"):
        gradir.load(two, signature="(float64,)")
    with pytest.raises(InputError, match="for which argument types"):
        gradir.load(numba.njit(lambda a: a))
    with pytest.raises(InputError, match="not a Numba signature"):
        gradir.load(two, signature="(nonsense,)")
    with pytest.raises(InputError, match="Numba can't compile it"):
        gradir.load(numba.njit(lambda a: a.nothing), signature="(float64,)")


def test_llvm_text_and_bitcode(tmp_path):
    text = "define double @f(double %x) {\n  %y = fmul double %x, %x\n  ret double %y\n}\n"
    from gradir.machine import llvm

    (tmp_path / "k.bc").write_bytes(llvm.bitcode(llvm.parse(text)))
    for source in (text, written(tmp_path, "k.ll", text), tmp_path / "k.bc", (tmp_path / "k.bc").read_bytes()):
        assert gradir.load(source).f(3.0) == 9.0


def test_several_files_are_one_program(tmp_path):
    a = written(tmp_path, "a.c", "double g(double); double f(double x) { return g(x) + 1; }")
    b = written(tmp_path, "b.cpp", 'extern "C" double g(double x) { return x * x; }')
    assert gradir.load([a, b]).f(3.0) == 10.0
    with pytest.raises(InputError, match="can't link"):
        gradir.load([b, b])
    with pytest.raises(BackendError, match="nobody defines g"):
        gradir.load(a).f(3.0)


@needs_rust
@needs_flang
def test_languages_mix(tmp_path):
    c = written(
        tmp_path, "a.c", "double g(double); double h_(const double *); double f(double x) { return g(x) + h_(&x); }"
    )
    rust = written(tmp_path, "g.rs", '#[no_mangle] pub extern "C" fn g(x: f64) -> f64 { x * x }')
    fortran = written(
        tmp_path,
        "h.f90",
        "function h(x) result(y)\n  real(8), intent(in) :: x\n  real(8) :: y\n  y = 2 * x\nend function\n",
    )
    assert gradir.load([c, rust, fortran]).f(3.0) == 15.0


def test_compilers_complaints_are_told(tmp_path):
    source = written(tmp_path, "bad.c", "double f(double x) {\n  return x + y;\n}\n")
    with pytest.raises(InputError, match=r"bad\.c:2:\d+.*undeclared identifier 'y'") as caught:
        gradir.load(source)
    assert caught.value.location.endswith("bad.c:2:14")


@needs_rust
def test_rusts_complaints_are_told(tmp_path):
    with pytest.raises(InputError, match="cannot find value"):
        gradir.load(written(tmp_path, "bad.rs", "pub fn f() -> f64 { y }"))


def test_missing_compilers_are_named(tmp_path, monkeypatch):
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(BackendError, match="Fortran"):
        gradir.load(written(tmp_path, "k.f90", "end\n"))
    with pytest.raises(BackendError, match="rustc"):
        gradir.load(written(tmp_path, "k.rs", ""))
    with pytest.raises(BackendError, match="no compiler 'clang-99'"):
        gradir.load(written(tmp_path, "k.c", SUM), compiler="clang-99")
    monkeypatch.setattr(c_frontend, "find_spec", lambda name: None)
    with pytest.raises(MissingExtra, match=r"gradir\[c\]"):
        gradir.load(tmp_path / "k.c")


def test_bad_sources(tmp_path):
    with pytest.raises(InputError, match="no such file"):
        gradir.load(tmp_path / "missing.c")
    with pytest.raises(InputError, match="no language has the suffix"):
        gradir.load([written(tmp_path, "k.txt", "")])
    with pytest.raises(InputError, match="no function that can be called"):
        gradir.load(written(tmp_path, "empty.c", "static int f(void) { return 1; }"))
    with pytest.raises(InputError):
        gradir.load(written(tmp_path, "bad.ll", "define nonsense"))
    with pytest.raises(GradirError):
        gradir.load(written(tmp_path, "bad.bc", "BC\xc0\xde"))
    with pytest.raises(InputError, match="no source"):
        gradir.load([])
    with pytest.raises(InputError, match="native code"):
        gradir.load("func.func @f() { return }", flags=["-O3"])
