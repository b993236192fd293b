"""Bad input: an error of gradir's own with the source line, the value and a way out; no traceback, no crash."""

from __future__ import annotations

import os
import random
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

import gradir
from gradir import frontends
from gradir.cli import main
from gradir.errors import BackendError, GradirError, InputError, NoRule, RequestError
from gradir.machine import llvm
from gradir.machine.transform.derive import Options, Program
from gradir.request import Activity, Mode, Request

ACTIVE, DUP, CONST = Activity.active, Activity.dup, Activity.const

# -- What can't be differentiated. Each source marks the line that the error must name by `HERE`.

REFUSED: dict[str, tuple[str, str]] = {
    "no body, no rule": (
        "secret",
        """
double secret(double x);
double f(double x) {
    double y = x * x;
    return secret(y) + 1;  // HERE
}
""",
    ),
    "no body, memory": (
        "fill",
        """
void fill(double *p, int n);
double f(double x) {
    double w[3] = {x, x * x, 1};
    fill(w, 3);  // HERE
    return w[0] * w[1];
}
""",
    ),
    "inline assembly": (
        "inline assembly",
        """
double f(double x) {
    double y;
    __asm__("" : "=r"(y) : "0"(x));  // HERE
    return y * y;
}
""",
    ),
    "a function that is an argument": (
        "which function",
        """
double f(double (*op)(double), double x) {
    return op(x) * x;  // HERE
}
""",
    ),
    "a table with a function that has no body": (
        "@secret",
        """
double secret(double x);
static double cube(double x) { return x * x * x; }
static double (*const table[])(double) = {secret, cube, cube};
double f(double x, int k) {
    return table[k](x) * x;  // HERE
}
""",
    ),
    "a table that is elsewhere": (
        "@table is defined elsewhere",
        """
extern double (*table[3])(double);
double f(double x, int k) {
    return table[k](x) * x;  // HERE
}
""",
    ),
    "a variable number of arguments": (
        "variable number of arguments",
        """
#include <stdarg.h>
__attribute__((noinline)) double total(int n, ...) {
    va_list a; va_start(a, n);
    double s = 0; for (int i = 0; i < n; i++) s += va_arg(a, double);
    va_end(a); return s;
}
double f(double x) {
    return total(2, x, x * x);  // HERE
}
""",
    ),
    "arithmetic on the bits of a float": (
        "bits",
        """
double f(double x) {
    union { double d; unsigned long u; } v = {x};
    v.u *= 3;  // HERE
    return v.d * x;
}
""",
    ),
    "arithmetic on the bits of floats in memory": (
        "integers are written where floats are read",
        """
#include <string.h>
double f(double *x, int n) {
    for (int i = 0; i < n; i++) {
        long u; memcpy(&u, &x[i], 8); u = u * 3 + 1;
        memcpy(&x[i], &u, 8);  // HERE
    }
    return x[0] * x[1];
}
""",
    ),
    "floats moved byte by byte": (
        "integers are written where floats are read",
        """
__attribute__((noinline)) void move(void *to, const void *from, long n) {
    char *a = to; const char *b = from;
    for (long i = 0; i < n; i++)
        a[i] = b[n - 1 - i];  // HERE
}
double f(double *x) { double y[2]; move(y, x, 16); return y[0] * y[1]; }
""",
    ),
    "a library function that calls back": (
        "@lfind",
        """
#include <search.h>
static int less(const void *a, const void *b) { return *(double *)a < *(double *)b ? -1 : 1; }
double f(double *x, int n) {
    size_t rest = n - 1;
    lfind(x, x + 1, &rest, 8, less);  // HERE
    return x[0] * x[1];
}
""",
    ),
}
def compiled(source: str, folder: Path) -> Program:
    path = folder / "bad.c"
    path.write_text(source)
    return Program(llvm.canonical_text(llvm.normalise(frontends.to_llvm([path]))))


def differentiate(program: Program, mode: Mode) -> str:
    """With all that can be active active; functions are constant."""
    function = program.functions["f"]
    by_value = ACTIVE if mode is Mode.reverse else DUP
    marks = [by_value if a.type.is_float else DUP if a.type.is_pointer else CONST for a in function.arguments]
    marks = [CONST if a.name == "op" else m for a, m in zip(function.arguments, marks, strict=True)]
    return program.derivative(Request("f", mode, tuple(marks), (by_value,)))


def line_of(source: str) -> int:
    return next(n for n, line in enumerate(source.split("\n"), 1) if "HERE" in line)


def check(error: GradirError, words: str, source: str) -> None:
    text = str(error)
    assert words in text and "way out:" in text, text
    located = re.search(r"bad\.c:(\d+)", text)
    if located is None:  # LLVM drops the line of some jumps: then the function is named
        assert "@f" in text, text
    else:
        assert int(located[1]) == line_of(source), text


FORWARD_ONLY = ("floats moved byte by byte",)
"""Forward mode moves the tangent's bytes along, wherever they go: in the same order at last, or they make no float."""


@pytest.mark.parametrize(
    ("case", "mode"), [(c, m) for c in REFUSED for m in Mode if m is Mode.reverse or c not in FORWARD_ONLY]
)
def test_refused_by_the_transform(case: str, mode: Mode, tmp_path: Path):
    words, source = REFUSED[case]
    with pytest.raises(NoRule) as caught:
        differentiate(compiled(source, tmp_path), mode)
    check(caught.value, words, source)


@pytest.mark.parametrize("case", ["no body, no rule", "inline assembly", "floats moved byte by byte"])
def test_refused_from_python(case: str, tmp_path: Path):
    words, source = REFUSED[case]
    path = tmp_path / "bad.c"
    path.write_text(source + "\ndouble fine(double x) { return x * x; }\n")
    m = gradir.load(path)
    given = np.ones(2) if "double *x" in source else 3.0
    with pytest.raises(NoRule) as caught:
        m.grad("f")(given)
    check(caught.value, words, source)
    assert m.grad("fine")(3.0) == 6.0  # the others can be differentiated all the same


ENZYME = """
double __enzyme_autodiff(void *, ...);
double gradient(double x) { return __enzyme_autodiff((void *)f, x); }
"""


@pytest.mark.parametrize("case", ["no body, no rule", "inline assembly", "arithmetic on the bits of a float"])
def test_refused_on_the_command_line(case: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    words, source = REFUSED[case]
    path, out = tmp_path / "bad.c", tmp_path / "out.ll"
    path.write_text(source + ENZYME)
    assert main(["opt", str(path), "-o", str(out)]) != 0
    message = capsys.readouterr().err
    assert words in message and f"bad.c:{line_of(source)}" in message and "way out" in message
    assert "Traceback" not in message and not out.exists()


def test_what_is_refused_is_so_on_an_active_path_only(tmp_path: Path):
    source = """
double secret(double x);
double f(double x, double k) {
    double w = secret(k);
    __asm__ volatile("" : : : "memory");
    return w * x;
}
"""
    program = compiled(source, tmp_path)
    assert program.derivative(Request("f", Mode.reverse, (ACTIVE, CONST), (ACTIVE,)))
    with pytest.raises(NoRule, match="secret"):
        program.derivative(Request("f", Mode.reverse, (ACTIVE, ACTIVE), (ACTIVE,)))


# -- Requests that don't fit

SQUARE = """
define double @square(double %x, ptr %p, i64 %n) {
entry:
  %y = load double, ptr %p, align 8
  %z = fmul double %x, %y
  ret double %z
}
declare double @nowhere(double)
"""


@pytest.mark.parametrize(
    ("request_", "words"),
    [
        (Request("cube", Mode.reverse, (ACTIVE,), (ACTIVE,)), "cube"),
        (Request("nowhere", Mode.reverse, (ACTIVE,), (ACTIVE,)), "nowhere"),
        (Request("square", Mode.reverse, (ACTIVE,), (ACTIVE,)), "3 arguments"),
        (Request("square", Mode.reverse, (ACTIVE, DUP, CONST, CONST), (ACTIVE,)), "3 arguments"),
        (Request("square", Mode.reverse, (ACTIVE, DUP, CONST), (ACTIVE, ACTIVE)), "result"),
        (Request("square", Mode.reverse, (ACTIVE, ACTIVE, CONST), (ACTIVE,)), "pointer"),
        (Request("square", Mode.reverse, (DUP, DUP, CONST), (ACTIVE,)), "by value"),
        (Request("square", Mode.reverse, (ACTIVE, DUP, CONST), (ACTIVE,), 0), "0 directions"),
    ],
)
@pytest.mark.parametrize("call", [Program.derivative, Program.split])
def test_requests_that_do_not_fit(request_: Request, words: str, call: Callable[..., object]):
    with pytest.raises((RequestError, InputError)) as caught:
        call(Program(SQUARE), request_, Options())
    assert words in str(caught.value)


def test_a_refusal_leaves_the_program_as_it_was(tmp_path: Path):
    source = "double secret(double);\ndouble g(double x) { return x * x; }\n"
    source += "double f(double x) { return secret(x) * g(x); }\n"
    program = compiled(source, tmp_path)
    before = program.text()
    for _ in range(2):
        with pytest.raises(NoRule):
            program.derivative(Request("f", Mode.reverse, (ACTIVE,), (ACTIVE,)))
    llvm.parse(program.text())
    assert program.text().count("define") == before.count("define")
    program.derivative(Request("g", Mode.reverse, (ACTIVE,), (ACTIVE,)))
    llvm.parse(program.text())


# -- Arguments that don't fit (what is wrong with each is told in tests/test_native.py)

KERNEL = """
void scale(double *y, const float *x, int n) { for (int i = 0; i < n; i++) y[i] = 2.0 * x[i]; }
double norm(const double x[static 4]) { double s = 0; for (int i = 0; i < 4; i++) s += x[i] * x[i]; return s; }
"""


@pytest.fixture(scope="module")
def kernel(tmp_path_factory: pytest.TempPathFactory):
    path = tmp_path_factory.mktemp("kernel") / "kernel.c"
    path.write_text(KERNEL)
    return gradir.load(path)


def frozen(x: np.ndarray) -> np.ndarray:
    x.flags.writeable = False
    return x


@pytest.mark.parametrize(
    "given",
    [
        (np.zeros(4), np.zeros(4), 4),
        (np.zeros(4, np.float32), np.zeros(4, np.float32), 4),
        (np.zeros(4, complex), np.zeros(4, np.float32), 4),
        (np.zeros(8)[::2], np.zeros(4, np.float32), 4),
        (np.zeros((4, 4)).T[1], np.zeros(4, np.float32), 4),
        (frozen(np.zeros(4)), np.zeros(4, np.float32), 4),
        (np.zeros(4), np.zeros(4, np.float32), 4.5),
        (np.zeros(4), np.zeros(4, np.float32)),
        (np.zeros(4), None, "4"),
        ([0.0] * 4, [0.0] * 4, 4),
        (np.array(["a"]), np.zeros(4, np.float32), 1),
        (np.array([object()]), np.zeros(4, np.float32), 1),
    ],
)
def test_wrong_arguments_of_derivatives(kernel, given: tuple[object, ...]):
    before = [a.copy() if isinstance(a, np.ndarray) else a for a in given]
    for derivative in (kernel.vjp("scale", "x"), kernel.jvp("scale", "x"), kernel.jacobian("scale", "x")):
        with pytest.raises(GradirError) as caught:
            derivative(*given, *([np.ones(4)] if len(given) == 3 and derivative.kind != "jacobian" else []))
        assert "scale" in str(caught.value)
    for a, b in zip(given, before, strict=True):
        if isinstance(a, np.ndarray):
            assert a.tobytes() == b.tobytes()  # type: ignore[union-attr]


def test_arrays_that_are_too_short_for_their_signature(kernel):
    assert np.array_equal(kernel.grad("norm")(np.ones(4)), 2 * np.ones(4))
    for call in (kernel.norm, kernel.grad("norm"), kernel.value_and_grad("norm"), kernel.hessian("norm")):
        with pytest.raises(InputError, match="at least 32 bytes"):
            call(np.ones(3))


def test_wrong_names(kernel):
    with pytest.raises(GradirError, match="norn"):
        kernel.grad("norn")
    with pytest.raises(RequestError, match="z"):
        kernel.grad("norm", "z")
    with pytest.raises(RequestError):
        kernel.grad("norm", 3)


def test_functions_and_atomics_as_arguments(tmp_path: Path):
    path = tmp_path / "special.c"
    path.write_text(
        "double apply(double (*op)(double), double x) { return op(x); }\n"
        "double load(_Atomic double *x) { return *x * *x; }\n"
    )
    m = gradir.load(path)
    with pytest.raises(InputError, match=r"op: function \*"):
        m.apply(12345, 2.0)
    assert m.load(np.array([3.0])) == 9.0
    with pytest.raises(InputError, match="float64"):
        m.load(np.array([3]))


def test_numbers_of_sixteen_bytes_are_no_bad_input(tmp_path: Path):
    path = tmp_path / "wide.c"
    path.write_text("long double f(long double x) { return x * x; }\n__int128 g(__int128 x) { return x - 9; }\n")
    m = gradir.load(path)
    assert m.f(1.5) == 2.25 and m.grad("f")(1.5) == 3 and m.hessian("f")(1.5) == 2
    assert m.jvp("f")(1.5, 2.0) == (2.25, 6) and m.jacobian("f")(1.5) == 3
    assert m.g(3) == -6 and m.g(1 << 90) == (1 << 90) - 9


# -- Files

GOOD = "define double @f(double %x) {\n  %y = fmul double %x, %x\n  ret double %y\n}\n"


def damaged(kind: str) -> bytes:
    rng = random.Random(kind)
    whole = llvm.bitcode(llvm.parse(GOOD)) if kind.startswith("bitcode") else GOOD.encode()
    match kind.partition(" ")[2]:
        case "cut":
            return whole[: len(whole) // 2]
        case "changed":
            return bytes(b if rng.random() < 0.5 or k < 4 else rng.randrange(256) for k, b in enumerate(whole))
        case "begun":
            return whole[:4]
        case "other":
            return b"\xff\xfe\x00\x01" * 100
    return b""


FILES = [f"{form} {what}" for form in ("bitcode", "text") for what in ("cut", "changed", "begun", "other", "empty")]


@pytest.mark.parametrize("kind", FILES)
def test_damaged_files(kind: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    path = tmp_path / ("bad.bc" if kind.startswith("bitcode") else "bad.ll")
    path.write_bytes(damaged(kind))
    with pytest.raises(GradirError) as caught:
        gradir.load(path)
    assert "bad." in str(caught.value)
    if not kind.endswith("empty"):  # a module without functions is one
        assert main(["opt", str(path), "-o", str(tmp_path / "out.ll")]) != 0
        message = capsys.readouterr().err
        assert "bad." in message and "Traceback" not in message


def gradir_process(*arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    made = {**os.environ, **environment}
    command = [sys.executable, "-m", "gradir", *arguments]
    return subprocess.run(command, capture_output=True, text=True, env=made, timeout=120)


def test_the_process_ends_well(tmp_path: Path):
    """As a user sees it: a message and a number, in a process of its own."""
    path = tmp_path / "bad.bc"
    path.write_bytes(damaged("bitcode changed"))
    done = gradir_process("opt", str(path), "-o", str(tmp_path / "out.ll"))
    assert done.returncode == 3 and "Traceback" not in done.stderr and done.stderr.strip()


GARBAGE = """
import gc
from gradir.errors import InputError
from gradir.machine import llvm
gc.disable()
for _ in range(40):
    cycle = []
    cycle.append(cycle)
    try:
        llvm.parse("define double @f() {\\n  ret i32 0\\n}")
    except InputError as error:
        cycle.append(error)
    try:
        llvm.parse("define float @f(float %x) {\\n  %y = fneg float %z\\n  %z = fneg float %y\\n  ret float %z\\n}")
    except InputError as error:
        cycle.append(error)
    cycle.append(llvm.link([llvm.parse("define void @f() {\\n  ret void\\n}")] * 1))
    del cycle
    gc.collect()
"""


def test_errors_and_modules_may_become_garbage_in_any_order():
    done = subprocess.run([sys.executable, "-c", GARBAGE], capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr


def test_a_missing_compiler_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    monkeypatch.setenv("PATH", str(tmp_path))
    for name, what in (("k.f90", "flang"), ("k.rs", "rustc")):
        (tmp_path / name).write_text("")
        with pytest.raises(BackendError, match=what) as caught:
            gradir.load(tmp_path / name)
        assert caught.value.hint
        assert main(["opt", str(tmp_path / name), "-o", "-"]) != 0
        message = capsys.readouterr().err
        assert what in message and "Traceback" not in message


def test_sources_with_mistakes(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    path = tmp_path / "bad.c"
    path.write_text("double f(double x) {\n    return x * y;\n}\n")
    with pytest.raises(InputError, match=r"bad\.c:2"):
        gradir.load(path)
    assert main(["opt", str(path), "-o", "-"]) != 0
    message = capsys.readouterr().err
    assert "bad.c:2" in message and "Traceback" not in message


@pytest.mark.parametrize("arguments", [["missing.ll"], ["missing.c"], ["."]])
def test_files_that_are_not_there(arguments: list[str], capsys: pytest.CaptureFixture[str]):
    assert main(["opt", *arguments, "-o", "-"]) != 0
    message = capsys.readouterr().err
    assert message.strip() and "Traceback" not in message


@pytest.mark.parametrize("result", [ACTIVE, Activity.activenoneed])
def test_what_never_returns_has_a_derivative_that_never_returns(result: Activity) -> None:
    """The block for its end is never reached: there is nothing to be returned in it."""
    program = Program("""
define double @f(double %x) {
entry:
  br label %round
round:
  %y = phi double [ %x, %entry ], [ %z, %round ]
  %z = fmul double %y, %x
  br label %round
}
""")
    program.derivative(Request("f", Mode.reverse, (ACTIVE,), (result,)))
    llvm.parse(program.text())
