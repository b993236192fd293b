"""What a report says of native code."""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

import gradir
from gradir.errors import InputError, RequestError
from gradir.machine.transform.derive import Options
from gradir.native.save import request_of
from gradir.report.model import Derived, Model, Place, Role

C = """\
#include <math.h>
double energy(const double *x, int n, double k) {
  double s = 0;
  for (int i = 1; i < n; i++) {
    double d = x[i] - x[i-1];
    double e = sin(d) * k; /* <b>bold</b> & "quoted" */
    s += e * exp(-d * d);
  }
  return s;
}
"""


@pytest.fixture(scope="module")
def path(written: Callable[[str, str], Path]) -> Path:
    return written("energy.c", C)


@pytest.fixture(scope="module")
def module(path: Path) -> gradir.NativeModule:
    pytest.importorskip("ziglang", reason="C comes with gradir[c]")
    return gradir.load(path)


@pytest.fixture(scope="module")
def model(module: gradir.NativeModule) -> Model:
    return module.report("energy", wrt=("x", "k")).model


def with_word(model: Model, word: str) -> list[Derived]:
    return [line for line in model.lines if word in line.text]


def test_the_source_is_shown_as_it_is(model: Model, path: Path) -> None:
    [source] = model.sources
    assert source.name == str(path) and source.language == "C"
    assert [line.text for line in source.lines] == C.splitlines()


def test_derivatives_lead_to_the_lines_they_come_from(model: Model) -> None:
    """The cosine is there for the sine of line 6 alone, the exponential of line 7 is its own derivative."""
    [cosine] = with_word(model, "@llvm.cos")
    assert cosine.places == (Place(0, 6),) and cosine.role is Role.partial
    [exponential] = with_word(model, "@llvm.exp")
    assert exponential.places == (Place(0, 7),) and exponential.role is Role.primal
    lines = {line.number: line for line in model.sources[0].lines}
    assert cosine.number in lines[6].derived and exponential.number in lines[7].derived
    assert {n for n, line in lines.items() if line.is_active} == {5, 6, 7}


def test_what_is_read_again_is_recomputed_and_what_is_kept_is_marked(model: Model) -> None:
    lines = {line.number: line for line in model.sources[0].lines}
    assert lines[5].is_recomputed  # two loads and a difference are cheaper than memory
    assert (lines[6].kept, lines[7].kept) == (8, 8)  # the sine and the exponential: a double in each turn
    stores = [line for line in model.lines if line.role is Role.kept and "store" in line.text]
    assert [line.kept for line in stores] == [8, 8]
    [kept] = [t for t in model.tables if "kept" in t.title]
    assert [row[1:] for row in kept.rows] == [
        ["8 B", "each turn", "energy.c:6:16"],
        ["8 B", "each turn", "energy.c:7:14"],
    ]


def test_locations_change_nothing_else(path: Path, module: gradir.NativeModule) -> None:
    for derivative in (module.vjp("energy", ("x", "k")), module.jvp("energy", ("x", "k"))):
        request = request_of(derivative)
        plain, name = gradir.load(path)._engine.derived("energy", [request], Options())
        located, same = gradir.load(path)._engine.derived("energy", [request], Options(locations=True))
        assert name == same
        bodies = [re.search(rf"define [^\n]*@{name}.*?^}}", t, re.M | re.S) for t in (plain, located)]
        assert bodies[0] is not None and bodies[1] is not None
        assert "!dbg" not in bodies[0][0] and "!dbg" in bodies[1][0]
        without = [re.sub(r"!\d+", "!", re.sub(r", !dbg !\d+", "", body[0])) for body in bodies if body]
        assert without[0] == without[1]  # but for the numbers of metadata


def test_forward_mode(module: gradir.NativeModule) -> None:
    model = module.report("energy", wrt="x", mode="forward").model
    [cosine] = with_word(model, "@llvm.cos")
    assert cosine.places == (Place(0, 6),) and cosine.role is Role.shadow
    assert model.roles[Role.shadow] == "tangent"
    assert not any(line.role in (Role.again, Role.kept) for line in model.lines)


def test_code_without_debug_information_says_so() -> None:
    text = "define double @square(double %x) {\n  %y = fmul double %x, %x\n  ret double %y\n}"
    report = gradir.load(text).report("square")
    assert not report.model.sources
    assert "compile it with -g" in report.model.notes[0] and "compile it with -g" in report.html
    assert any("fmul" in line.text for line in report.model.lines)


def test_a_source_that_is_gone_is_said_to_be(module: gradir.NativeModule, path: Path) -> None:
    text = str(module).replace(path.name, "gone.c")  # of which a compiler writes the folder apart, or not
    model = gradir.load(text).report("energy").model
    assert not model.sources and "can't be read" in model.notes[0]


def test_fortran(loaded: Callable[[str, str], gradir.NativeModule]) -> None:
    program = """\
subroutine norm(n, x, y)
  integer, intent(in) :: n
  real(8), intent(in) :: x(n)
  real(8), intent(out) :: y
  y = 0
  y = sum(sin(x))
end subroutine
"""
    model = loaded("norm.f90", program).report(wrt="x").model
    assert [s.language for s in model.sources] == ["Fortran"]
    [cosine] = with_word(model, "@llvm.cos")
    assert cosine.places == (Place(0, 6),)


@pytest.mark.skipif(shutil.which("rustc") is None, reason="no rustc")
def test_rust(tmp_path: Path) -> None:
    path = tmp_path / "f.rs"
    path.write_text('#[no_mangle]\npub extern "C" fn f(x: f64) -> f64 {\n    let y = x.sin();\n    y * y\n}\n')
    model = gradir.load(path).report("f").model
    assert any(s.language == "Rust" for s in model.sources)
    [cosine] = with_word(model, "@llvm.cos")
    assert {p.line for p in cosine.places} == {3}


def test_an_unknown_function_is_refused(module: gradir.NativeModule) -> None:
    with pytest.raises(InputError, match="no function 'enrgy'"):
        module.report("enrgy")
    with pytest.raises(RequestError, match="no argument 'z'"):
        module.report("energy", wrt="z")
    with pytest.raises(RequestError, match="mode='sideways'"):
        module.report("energy", mode="sideways")
