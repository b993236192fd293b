"""What ships: code for several CPUs of which one is called, for one that is named, for arrays that don't overlap."""

from __future__ import annotations

import ctypes
from pathlib import Path

import numpy as np
import pytest
from llvmlite import binding

import gradir
from gradir import cli
from gradir.errors import InputError, OutputError
from gradir.machine import jit
from gradir.native.versions import _LOOK, LEVELS

SOURCE = """
struct pair { double a, b; long many[4]; };
double energy(const double *x, int n, double k) {
  double s = 0;
  for (int i = 0; i < n; i++) s += k * x[i] * x[i];
  return s;
}
double of_struct(struct pair p) { return p.a * p.b * p.many[2]; }
float narrow(float x, signed char k) { return k * x * x; }
void chain(const double *x, double *y, int n) {
  for (int i = 0; i < n; i++) y[i] = x[i] * x[i];
  for (int i = 1; i < n; i++) y[i] *= y[i - 1];
}
"""
x = np.linspace(0.5, 1.5, 9)
ALL = ",".join(LEVELS)


@pytest.fixture(scope="module")
def m(tmp_path_factory: pytest.TempPathFactory) -> gradir.NativeModule:
    path = tmp_path_factory.mktemp("versions") / "k.c"
    path.write_text(SOURCE)
    return gradir.load(path)


def host_level() -> int:
    """By what LLVM says of the CPU here."""
    has = binding.get_host_cpu_features()
    wanted = [
        ["sse3", "ssse3", "cx16", "sse4.1", "sse4.2", "popcnt", "sahf"],
        ["avx", "avx2", "bmi", "bmi2", "f16c", "fma", "lzcnt", "movbe"],
        ["avx512f", "avx512dq", "avx512cd", "avx512bw", "avx512vl"],
    ]
    level = 1
    while level < 4 and all(has.get(name, False) for name in wanted[level - 1]):
        level += 1
    return level


needs_x86 = pytest.mark.skipif(not binding.get_process_triple().startswith("x86_64"), reason="versions are of x86-64")


@needs_x86
def test_the_level_is_that_of_the_cpu() -> None:
    text = f"{_LOOK}\ndefine i32 @level() {{\n  %l = call i32 @gradir.level()\n  ret i32 %l\n}}"
    level = jit.compile_library(text, [jit.Entry("level", (), "i32")])["level"]
    assert [level(), level()] == [host_level()] * 2


@needs_x86
@pytest.mark.parametrize("cpus", [ALL, "x86-64-v3,x86-64", "x86-64-v2,x86-64-v4"])
@pytest.mark.parametrize("level", range(1, 5))
def test_every_version_gives_the_same(m: gradir.NativeModule, cpus: str, level: int) -> None:
    if level > host_level():
        pytest.skip("this CPU has not the instructions")
    text = m.to_llvm([m.value_and_grad("energy", ("x", "k"))], cpu=cpus)
    for cpu in cpus.split(","):
        assert f'"target-cpu"="{cpu}"' in text
    known = "@gradir.level.known = internal unnamed_addr global i32"
    assert f"{known} 0" in text
    text = text.replace(f"{known} 0", f"{known} {level}")
    entry = jit.Entry("value_and_grad_energy", ("ptr", "ptr", "i32", "double", "ptr"), "double")
    dx, dk = np.zeros(9), np.zeros(1)
    value = jit.compile_library(text, [entry])["value_and_grad_energy"](
        x.ctypes.data, dx.ctypes.data, 9, 2.0, dk.ctypes.data
    )
    assert value == pytest.approx(2 * np.sum(x * x), rel=1e-14)
    assert np.allclose(dx, 4 * x, rtol=1e-14) and dk[0] == pytest.approx(np.sum(x * x), rel=1e-14)


class Pair(ctypes.Structure):
    _fields_ = (("a", ctypes.c_double), ("b", ctypes.c_double), ("many", ctypes.c_long * 4))


@needs_x86
def test_arguments_of_all_kinds_go_on_to_the_version(m: gradir.NativeModule, tmp_path: Path) -> None:
    m.save(tmp_path / "k.so", [m.grad("narrow"), m.vjp("chain")], cpu=ALL)
    library = ctypes.CDLL(str(tmp_path / "k.so"))
    library.of_struct.restype = ctypes.c_double
    assert library.of_struct(Pair(2, 3, (ctypes.c_long * 4)(0, 0, 7, 0))) == 42
    library.narrow.restype = ctypes.c_float
    assert library.narrow(ctypes.c_float(1.5), ctypes.c_byte(-3)) == -6.75
    y, dx, dy = np.empty(9), np.zeros(9), np.ones(9)
    address = [ctypes.c_void_p(a.ctypes.data) for a in (x, dx, y, dy)]
    library.vjp_chain(*address, 9)
    library.vjp_chain_release_memory()
    _, expected = m.vjp("chain")(x, np.empty(9), 9, np.ones(9))
    assert np.allclose(y, np.cumprod(x * x), rtol=1e-14) and np.allclose(dx, expected, rtol=1e-13)


def test_restrict_is_said_to_c_and_to_llvm(m: gradir.NativeModule, tmp_path: Path) -> None:
    m.save(tmp_path / "k.so", [m.vjp("chain")], functions=[], noalias=True)
    header = (tmp_path / "k.h").read_text()
    shadows = "double *__restrict d_x, double *__restrict y, double *__restrict d_y"
    assert f"void vjp_chain(const double *__restrict x, {shadows}, int32_t n);" in header
    library = ctypes.CDLL(str(tmp_path / "k.so"))
    y, dx, dy = np.empty(9), np.zeros(9), np.ones(9)
    library.vjp_chain(*[ctypes.c_void_p(a.ctypes.data) for a in (x, dx, y, dy)], 9)
    _, expected = m.vjp("chain")(x, np.empty(9), 9, np.ones(9))
    assert np.array_equal(dx, expected), "what is called from here and what ships are one code"


def test_the_command_line_names_cpus(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "k.c").write_text(SOURCE)
    command = ["diff", str(tmp_path / "k.c"), "--fn", "chain", "-o", str(tmp_path / "k.ll")]
    assert not cli.main([*command, "--restrict", "--triple", "x86_64-linux-gnu", "--cpu", ALL])
    text = (tmp_path / "k.ll").read_text()
    assert all(f'"target-cpu"="{cpu}"' in text for cpu in LEVELS) and "ptr noalias" in text
    assert not cli.main([*command, "--cpu", "native"])
    assert cli.main([*command, "--cpu", "x86-64-v9", "--triple", "x86_64-linux-gnu"]) == 2
    assert "there is no CPU 'x86-64-v9'" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("triple", "cpu", "message"),
    [
        ("", "x86-64,pentium", "no version for the CPU 'pentium'"),
        ("aarch64-linux-gnu", "x86-64,x86-64-v3", "versions for x86-64 only"),
        ("aarch64-linux-gnu", "native", "the CPU of this machine is not known"),
        ("x86_64-linux-gnu", "pentium6", "there is no CPU 'pentium6'"),
    ],
)
def test_cpus_that_are_refused(m: gradir.NativeModule, triple: str, cpu: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        m.to_bytes(".s", [], triple=triple, cpu=cpu)


@needs_x86
def test_constructors_would_run_for_every_version(tmp_path: Path) -> None:
    (tmp_path / "k.cpp").write_text(
        'double now();\nstatic double first = now();\nextern "C" double f(double x) { return first * x; }'
    )
    with pytest.raises(OutputError, match="constructors"):
        gradir.load(tmp_path / "k.cpp").to_bytes(".s", [], cpu="x86-64,x86-64-v3")


@pytest.mark.parametrize("kind", ["jvp", "vjp"])
def test_several_directions_ship(m: gradir.NativeModule, tmp_path: Path, kind: str) -> None:
    """Against the Jacobian in closed form."""
    derivative = getattr(m, kind)("chain")
    derivative.save(tmp_path / "k.so", width=9)
    assert (
        f"void {kind}_chain(const double *x, double *d_x, double *y, double *d_y, int32_t n);"
        in (tmp_path / "k.h").read_text()
    )
    y, given = np.empty(9), (np.eye(9), np.zeros((9, 9)))
    dx, dy = given if kind == "jvp" else reversed(given)
    call = getattr(ctypes.CDLL(str(tmp_path / "k.so")), f"{kind}_chain")
    call(*[ctypes.c_void_p(a.ctypes.data) for a in (x, dx, y, dy)], 9)
    expected = np.tril(2 * np.cumprod(x * x)[:, None] / x)
    assert np.allclose(dy if kind == "jvp" else dx.T, expected, rtol=1e-13)


@pytest.mark.parametrize(
    ("kind", "function", "width", "message"),
    [
        ("grad", "energy", 2, "a grad has one direction"),
        ("jvp", "narrow", 2, "x is no memory"),
        ("vjp", "energy", 2, "what it returns is no memory"),
        ("vjp", "chain", 0, "0 directions are none"),
    ],
)
def test_directions_that_are_refused(
    m: gradir.NativeModule, kind: str, function: str, width: int, message: str
) -> None:
    with pytest.raises(OutputError, match=message):
        m.to_llvm([getattr(m, kind)(function)], width=width)


def test_a_derivative_may_have_the_name_of_a_function_that_stays_behind(tmp_path: Path) -> None:
    """One that was written by hand, say."""
    (tmp_path / "k.c").write_text("double f(double x) { return x * x; }\ndouble grad_f(double x) { return 2 * x; }\n")
    derivative = gradir.load(tmp_path / "k.c").grad("f")
    derivative.save(tmp_path / "d.so")
    assert "void grad_f(double x, double *d_x);" in (tmp_path / "d.h").read_text()
    with pytest.raises(gradir.OutputError, match="there is a function grad_f already"):
        gradir.load(tmp_path / "k.c").save(tmp_path / "all.so", [derivative])
