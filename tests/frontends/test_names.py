"""Functions are found by the names that they have in their own language, overloads and namespaces included."""

from __future__ import annotations

import ctypes
import re
from pathlib import Path

import numpy as np
import pytest

import gradir
from gradir.cli import main
from gradir.errors import OutputError, UnknownFunction

CPP = """\
namespace ns {
double f(double x) { return x * x; }
double f(double x, double y) { return x * y; }
float f(float x) { return x * x * x; }
struct V {
  double a, b;
  double norm() const;
};
double V::norm() const { return a * a + b * b; }
double norm(const V &v) { return v.norm(); }
namespace inner { double g(double x) { return x * x + 1; } }
void put(double *x) { *x = 1; }
void put(const double *x, double *y) { *y = *x * *x; }
}  // namespace ns
double f(double x) { return 3 * x; }
template <class T> T sq(T x) { return x * x; }
template double sq<double>(double);
template float sq<float>(float);
"""


@pytest.fixture(scope="module")
def m(tmp_path_factory: pytest.TempPathFactory) -> gradir.NativeModule:
    path = tmp_path_factory.mktemp("names") / "o.cpp"
    path.write_text(CPP)
    return gradir.load(path)


@pytest.mark.parametrize(
    ("name", "arguments", "gradient"),
    [
        ("f", [2.0], 3.0),
        ("::f", [2.0], 3.0),
        ("f(double)", [2.0], 3.0),
        ("ns::f(double)", [2.0], 4.0),
        ("ns::f( double,double )", [2.0, 5.0], 5.0),
        ("ns::f(float)", [2.0], 12.0),
        ("ns::inner::g", [2.0], 4.0),
        ("inner::g", [2.0], 4.0),
        ("g", [2.0], 4.0),
        ("sq<double>", [2.0], 4.0),
        ("sq(float)", [2.0], 4.0),
        ("_ZN2ns1fEdd", [2.0, 5.0], 5.0),
    ],
)
def test_a_function_by_its_name(m, name: str, arguments: list[float], gradient: float):
    assert m.grad(name)(*arguments) == gradient


def test_references_and_methods(m):
    v = np.zeros((), m["ns::norm(const V &)"].arguments[0].pointee.dtype)
    v["a"], v["b"] = 3.0, 4.0
    assert m["ns::norm"](v) == m["ns::norm(V const&)"](v) == m["V::norm()"](v) == m["ns::V::norm"](v) == 25.0


def test_what_is_not_clear_is_asked(m):
    with pytest.raises(UnknownFunction, match=r"ns::f\(double\), ns::f\(double, double\), ns::f\(float\)"):
        m.grad("ns::f")
    with pytest.raises(AttributeError, match=r"sq<double>\(double\), sq<float>\(float\)"):
        _ = m.sq
    with pytest.raises(UnknownFunction, match="did you mean ns::inner::g"):
        m["ns::iner::g"]


def test_all_are_listed_in_a_table(m):
    table = str(m.functions)
    head, *rows = table.splitlines()
    assert head.split()[0] == "function" and len(rows) == len(m.functions) == 11
    cells = [re.split(r"\s{2,}", row) for row in rows]
    assert ["ns::f(double, double)", "x: double, y: double", "double"] in [row[:3] for row in cells]
    assert {"ns::inner::g", "ns::V::norm", "f", "sq<float>"} <= {row[0] for row in cells}
    assert all("o.cpp:" in row for row in rows)
    assert m.functions["ns::inner::g"].symbol == "_ZN2ns5inner1gEd" and "nothing" not in m.functions
    assert m.functions._repr_html_().count("<tr>") == 12 and "const struct V &amp;" in m.functions._repr_html_()
    for title, signature in m.functions.items():
        assert m[title].signature is signature, "what is listed is found"


def test_overloads_are_written_together(m, tmp_path: Path, capfd: pytest.CaptureFixture[str]):
    one, two = m.grad("ns::f(double)"), m.grad("ns::f(double, double)")
    with pytest.raises(OutputError, match="two derivatives are called grad_f"):
        m.save(tmp_path / "f.o", [one, two])
    (tmp_path / "o.cpp").write_text(CPP)
    names = ["--fn", "ns::f(double)", "--fn", "sq<double>", "--name", "df", "--name", "dsq"]
    assert main(["diff", str(tmp_path / "o.cpp"), "--grad", *names, "-o", str(tmp_path / "f.so")]) == 0
    library, slope = ctypes.CDLL(str(tmp_path / "f.so")), ctypes.c_double()
    library.df(ctypes.c_double(5.0), ctypes.byref(slope))
    assert slope.value == 10.0
    assert m.grad("sq<double>").name == "grad_sq_double", "a name for C"
