"""C++ exceptions: derivatives unwind as their functions do, and what nobody catches reaches Python as an error.

Derivatives are compared with central differences of step 1e-6, whose own error is far below 1e-6 of the value here;
forward and reverse mode with each other, to rounding.
"""

from __future__ import annotations

import platform
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import gradir
from gradir.errors import GradirError, NativeException, NoRule

THROWN = {
    "domain": "std::domain_error: negative",
    "range": "std::out_of_range",
    "array": "std::out_of_range",
    "text": "char const\\*: a text",
    "number": "int$",
    "optional": "std::bad_optional_access",
    "callback": "std::.*bad_function_call",
    "variant": "std::bad_variant_access",
    "recursion": "Worse: worse",
}

FOLDER = Path(__file__).parent / "exceptions"
WAYS = ["zig", "-O2"]
MORE_WAYS = [(name, way) for name in ("two_frames_up", "half_done", "in_recursion") for way in ("-O0", "-O3")]
modules: dict[tuple[str, str], gradir.NativeModule] = {}


def names(source: str) -> list[str]:
    """The functions of a file."""
    return [part.partition("(")[0] for part in (FOLDER / f"{source}.cpp").read_text().split("EXPORT ")[2:]]


@pytest.fixture
def load(tmp_path: Path):
    def loaded(source: str, way: str) -> gradir.NativeModule:
        if (source, way) not in modules:
            path = FOLDER / f"{source}.cpp"
            if way != "zig":
                if shutil.which("clang-19") is None:
                    pytest.skip("needs clang-19")
                made = tmp_path / "program.ll"
                command = ["clang-19", "--driver-mode=g++", "-g", way, "-S", "-emit-llvm", "-o", str(made), str(path)]
                subprocess.run(command, check=True)
                path = made
            modules[source, way] = gradir.load(path)
        return modules[source, way]

    return loaded


def check(m: gradir.NativeModule, name: str, x: float) -> None:
    f, h = m[name], 1e-6
    reference = (f(x + h) - f(x - h)) / (2 * h)
    value, tangent = m.jvp(name)(x, 1.0)
    assert value == pytest.approx(f(x), rel=1e-14)
    assert tangent == pytest.approx(reference, rel=1e-6)
    assert m.grad(name)(x) == pytest.approx(tangent, rel=1e-12)


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("name", names("caught"))
def test_caught(load, name: str, way: str) -> None:
    for x in (0.7, 1.4, 6.0):
        check(load("caught", way), name, x)


@pytest.mark.parametrize(("name", "way"), MORE_WAYS)
def test_caught_at_other_levels(load, name: str, way: str) -> None:
    for x in (0.7, 1.4):
        check(load("caught", way), name, x)


@pytest.mark.parametrize("way", [*WAYS, "-O0"])
@pytest.mark.parametrize("name", names("carried"))
def test_numbers_in_exceptions(load, name: str, way: str) -> None:
    for x in (0.7, 2.4):
        check(load("carried", way), name, x)


@pytest.mark.parametrize("way", ["zig", "-O2"])
@pytest.mark.parametrize("name", THROWN)
def test_leaving(load, name: str, way: str) -> None:
    m = load("leaving", way)
    for call in (m[name], m.grad(name), lambda x: m.jvp(name)(x, 1.0)):
        for _ in range(2):
            with pytest.raises(NativeException, match=THROWN[name]):
                call(-1.0)
    check(m, name, 1.7)
    assert isinstance(NativeException(None, None), GradirError)


def test_second_order(load) -> None:
    m = load("caught", "zig")
    x, h = 1.3, 1e-5  # the error of central differences is of order h²
    for name in ("in_a_loop", "half_done", "in_recursion"):
        slope = (m.grad(name)(x + h) - m.grad(name)(x - h)) / (2 * h)
        assert m.hessian(name)(x) == pytest.approx(slope, rel=1e-6)


@pytest.mark.parametrize("way", [*WAYS, "-O0"])
@pytest.mark.parametrize("name", names("carried"))
def test_second_derivatives_in_exceptions(load, name: str, way: str) -> None:
    m, h = load("carried", way), 1e-5
    for x in (0.7, 2.4):
        if name == "a_base":
            with pytest.raises(NoRule, match="several bases"):
                m.hessian(name)(x)
            continue
        slope = (m.grad(name)(x + h) - m.grad(name)(x - h)) / (2 * h)
        assert m.hessian(name)(x) == pytest.approx(slope, rel=1e-6, abs=1e-9)  # h² of values of order 1


def test_several_directions(load) -> None:
    m = load("array", "zig")
    x, h = np.array([1.3, 0.4, 2.1]), 1e-6
    columns = [(m.f(x + h * e, 3) - m.f(x - h * e, 3)) / (2 * h) for e in np.eye(3)]
    assert m.jacobian("f", mode="forward")(x, 3) == pytest.approx(np.array(columns), rel=1e-6)
    assert m.grad("f")(x, 3) == pytest.approx(np.array(columns), rel=1e-6)



@pytest.mark.parametrize("name", "fgh")
def test_what_is_not_known_of_numbers_in_exceptions_is_refused(load, name: str) -> None:
    m = load("refused", "zig")
    for make in (lambda: m.grad(name)(2.0), lambda: m.jvp(name)(2.0, 1.0)):
        try:
            got = make()
        except NoRule as error:
            assert "exception" in str(error)
        else:
            assert (got if isinstance(got, float) else got[1]) == pytest.approx(4.0, rel=1e-14)


MAIN = r"""
#include <cstdio>
#include <exception>
#include "made.h"
static int run(double x) {
  double dx = 0;
  try { CALL } catch (const std::exception &e) { return 1; } catch (...) { return 2; }
  return 0;
}
int main() { int n = 0; for (double x = -2; x < 3; x += 0.25) n += run(x); RELEASE return n == 0; }
"""


@pytest.mark.skipif(
    not (shutil.which("valgrind") and shutil.which("g++") and platform.machine() == "x86_64"),
    reason="needs valgrind and a C++ compiler on x86-64",
)
@pytest.mark.parametrize("name", ["domain", "range", "recursion"])
def test_nothing_leaks_when_an_exception_leaves(load, tmp_path: Path, name: str) -> None:
    """A derivative as an object, in a C++ program that catches what it throws."""
    m = load("leaving", "-O2")
    made = tmp_path / "made.o"
    m.save(made, [m.grad(name)], functions=[], triple="x86_64-unknown-linux-gnu", cpu="x86-64-v2")
    declared = made.with_suffix(".h").read_text()
    function = next(line for line in declared.splitlines() if f"{name}(" in line or f"{name}_grad(" in line)
    called = function.split("(")[0].split()[-1].lstrip("*")
    release = next((l.split("(")[0].split()[-1] + "();" for l in declared.splitlines() if "release_memory(" in l), "")
    seed = ", 1.0" if function.count(",") == 2 else ""
    main = MAIN.replace("CALL", f"{called}(x, &dx{seed});").replace("RELEASE", release)
    (tmp_path / "main.cpp").write_text(main)
    program = str(tmp_path / "main")
    subprocess.run(["g++", "-Wl,--strip-debug", str(tmp_path / "main.cpp"), str(made), "-o", program], check=True)
    check_command = ["valgrind", "--quiet", "--leak-check=full", "--show-leak-kinds=definite,indirect,possible"]
    done = subprocess.run(
        [*check_command, "--error-exitcode=9", program], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr[-4000:]


def test_beside_tensorflow_it_is_refused(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """TensorFlow's library has an unwinder, which takes over and ends the process."""
    source = tmp_path / "thrower.cpp"
    source.write_text('extern "C" double f(double x) { if (x < 0) throw 1; return x * x; }')
    monkeypatch.setitem(sys.modules, "tensorflow", sys)
    with pytest.raises(gradir.RequestError, match="TensorFlow"):
        gradir.load(source).grad("f")(1.0)
