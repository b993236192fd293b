"""Programs written against Enzyme's interface: compiled to LLVM IR, lowered, linked by ordinary tools, and run.

Each program prints what it got beside what it must be.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import gradir
from gradir.cli import main
from gradir.machine import llvm
from gradir.machine.enzyme import include
from gradir.native import load

PROGRAMS = Path(__file__).parent / "programs" / "enzyme"
OTHERS = {"custom.c": ["custom_elsewhere.c"]}
CLANG = next((found for v in ("", *(f"-{n}" for n in range(22, 16, -1))) if (found := shutil.which(f"clang{v}"))), None)

needs_clang = pytest.mark.skipif(CLANG is None, reason="needs clang (Debian: apt install clang-19)")


def compiler(name: str, source: str) -> list[str]:
    cpp = source.endswith(".cpp")
    if name == "zig":
        pytest.importorskip("ziglang")
        return [sys.executable, "-m", "ziglang", "c++" if cpp else "cc", "-fno-sanitize=all"]
    if name == "gcc":
        return ["g++" if cpp else "gcc"]
    assert CLANG is not None
    return [CLANG, *(["--driver-mode=g++"] if cpp else [])]


def run(command: list[str]) -> str:
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, f"{' '.join(command)}\n{done.stdout}{done.stderr}"
    return done.stdout


def lowered(source: str, cc: str, flags: list[str], suffix: str, folder: Path, opt: list[str]) -> Path:
    module, output = folder / "module.ll", folder / f"lowered{suffix}"
    path = PROGRAMS / source if (PROGRAMS / source).is_file() else folder / source
    run([*compiler(cc, source), "-w", "-g", *flags, "-S", "-emit-llvm", f"-I{include()}", str(path), "-o", str(module)])
    assert main(["opt", str(module), "-o", str(output), *opt]) == 0
    return output


def check(source: str, cc: str, flags: list[str], suffix: str, linker: str, folder: Path, *opt: str) -> None:
    output = lowered(source, cc, flags, suffix, folder, list(opt))
    others = [str(PROGRAMS / other) for other in OTHERS.get(source, [])]
    executable = folder / "program"
    # Languages are told apart by suffix: C sources beside an object of C++ stay C.
    run([*compiler(linker, source), "-w", str(output), *others, "-lm", "-o", str(executable)])
    lines = [line.rsplit(" ", 2) for line in run([str(executable)]).splitlines()]
    assert lines
    for what, got, want in lines:
        assert float(got) == pytest.approx(float(want), rel=1e-6 if "float" in what else 1e-12, abs=1e-14), what


SOURCES = [
    "reverse.c",
    "forward.c",
    "halves.cpp",
    "interleave.c",
    "sparse.c",
    "sparse.cpp",
    "split.c",
    "augmented.c",
    "augmented_pointers.c",
    "called.cpp",
    "choices.c",
    "iterations.c",
    "iterations.cpp",
    "strong_zero.c",
    "structs.cpp",
    "tapes.c",
    "custom.c",
    "nested.c",
    "others.c",
    "tables.cpp",
    "templates.cpp",
    "truncated.cpp",
    "typed.cpp",
    "variadic.c",
    "wrappers.cpp",
]


@needs_clang
@pytest.mark.parametrize("flags", ["-O0", "-O2", "-O3 -march=native"])
@pytest.mark.parametrize("source", SOURCES)
def test_by_clang(source: str, flags: str, tmp_path: Path) -> None:
    """Text is read again by the clang it came from, which may be older than gradir's LLVM."""
    check(source, "clang", flags.split(), ".ll", "clang", tmp_path)


@needs_clang
@pytest.mark.parametrize("source", SOURCES)
def test_objects_are_linked_by_gcc(source: str, tmp_path: Path) -> None:
    check(source, "clang", ["-O1"], ".o", "gcc", tmp_path)


@pytest.mark.parametrize("flags", ["-O0", "-O2"])
def test_by_zig(flags: str, tmp_path: Path) -> None:
    """C alone: to link C++, zig first builds a library, for more than a minute."""
    check("reverse.c", "zig", [flags], ".bc", "zig", tmp_path)


@needs_clang
@pytest.mark.parametrize("source", ["reverse.c", "forward.c", "nested.c", "augmented.c"])
def test_without_optimising(source: str, tmp_path: Path) -> None:
    check(source, "clang", ["-O0"], ".ll", "clang", tmp_path, "--no-optimise")


def test_by_the_header(tmp_path: Path) -> None:
    (tmp_path / "header.c").write_text(
        """
        #include <gradir/enzyme.h>
        #include <stdio.h>
        double square(double x) { return x * x; }
        int main(void) {
          printf("reverse %g 6\\n", __enzyme_autodiff((void *)square, 3.0));
          printf("forward %g 6\\n", __enzyme_fwddiff((void *)square, enzyme_dup, 3.0, 1.0));
          return 0;
        }
        """
    )
    check("header.c", "zig", ["-O1"], ".o", "zig", tmp_path)


def test_attributes_of_the_plugin_for_clang(tmp_path: Path) -> None:
    """Another clang would ignore them, with a warning."""
    (tmp_path / "attributes.cpp").write_text(
        """
        #include <cmath>
        extern "C" {
        __attribute__((enzyme_inactive)) static double scale(double x) { return x * 2; }
        __attribute__((enzyme_function_like("log"))) double table(double x) { return std::floor(x); }
        __attribute__((annotate("of another tool"))) double other(double x) { return x; }
        double f(double x) { return scale(x) * x + table(x) + other(x); }
        __attribute__((enzyme_inactive)) double seen;
        double g(const double *x) { seen = x[0]; return x[0] * x[1]; }
        }
        """
    )
    pytest.importorskip("ziglang")
    module = gradir.load(tmp_path / "attributes.cpp", compiler="zig")
    assert module.grad("f")(3.0) == pytest.approx(6 + 1 / 3 + 1, rel=1e-14)
    assert module.grad("g")(np.array([2.0, 3.0])).tolist() == [3, 2]


@needs_clang
@pytest.mark.parametrize("opt", [[], ["--no-optimise"]])
def test_what_inactive_variables_hold_is_read(opt: list[str], tmp_path: Path) -> None:
    """As it is written; where a compiler has handed on what was stored, nobody knows any more."""
    (tmp_path / "kept.c").write_text(
        """
        #include <stdio.h>
        extern int enzyme_dup;
        double __enzyme_autodiff(void *, ...);
        static double kept, table[4];
        static struct { int n; double x; } pair;
        void *__enzyme_inactive_global_kept[1] = {&kept};
        void *__enzyme_inactive_global_table[1] = {table};
        void *__enzyme_inactive_global_pair[1] = {&pair};
        static double f(double x) { kept = x; return kept * x; }
        static double g(double *x, int k) { table[k] = x[0]; pair.x = x[1]; return table[k] * x[0] + pair.x * x[1]; }
        int main(void) {
            printf("plain %.17g 4\\n", __enzyme_autodiff((void *)f, 4.0));
            double x[2] = {3, 5}, dx[2] = {0};
            __enzyme_autodiff((void *)g, enzyme_dup, x, dx, 2);
            printf("table %.17g 3\\nmember %.17g 5\\n", dx[0], dx[1]);
        }
        """
    )
    check("kept.c", "clang", ["-O0"], ".o", "clang", tmp_path, *opt)


@needs_clang
@pytest.mark.parametrize("opt", [[], ["--no-optimise"]])
@pytest.mark.parametrize("source", ["reverse.c", "augmented.c", "iterations.c"])
def test_nothing_of_the_interface_is_left(source: str, opt: list[str], tmp_path: Path) -> None:
    text = lowered(source, "clang", ["-O1" if opt else "-O2"], ".ll", tmp_path, opt).read_text()
    assert "__enzyme" not in text
    assert opt or "@enzyme_" not in text  # variables that the program could name stay, unless they are optimised away


REFUSED = {
    "__enzyme_unknown": """
        double __enzyme_unknown(double);
        double f(double x) { return __enzyme_unknown(x) * x; }
    """,
    "__enzyme_truncate_mem_func: it is known for the floats of 64, 32 and 16 bits": """
        void *__enzyme_truncate_mem_func(void *, int, int, int);
        double square(double x) { return x * x; }
        double f(double x) { return ((double (*)(double))__enzyme_truncate_mem_func((void *)square, 64, 5, 7))(x); }
    """,
    "__enzyme_truncate_op_func: @inner calls %": """
        void *__enzyme_truncate_op_func(void *, int, int);
        double (*chosen)(double);
        __attribute__((noinline)) double inner(double x) { return chosen(x) * x; }
        double outer(double x) { return inner(x); }
        double f(double x) { return ((double (*)(double))__enzyme_truncate_op_func((void *)outer, 64, 32))(x); }
    """,
    "calls elsewhere, which keeps all digits": """
        void *__enzyme_truncate_op_func(void *, int, int);
        double elsewhere(double);
        double square(double x) { return elsewhere(x) * x; }
        double f(double x) { return ((double (*)(double))__enzyme_truncate_op_func((void *)square, 64, 32))(x); }
    """,
    "__enzyme_truncate_op_func: double has not fewer digits than double": """
        void *__enzyme_truncate_op_func(void *, int, int);
        double square(double x) { return x * x; }
        double f(double x) { return ((double (*)(double))__enzyme_truncate_op_func((void *)square, 64, 64))(x); }
    """,
    "__enzyme_iter takes two integers": """
        double __enzyme_iter(double, int);
        double f(double x) { return __enzyme_iter(x, 1); }
    """,
    "not supported": """
        double __enzyme_autodiff(void *, ...);
        double (*kept)(void *, ...);
        void f(void) { kept = __enzyme_autodiff; }
    """,
    "kept in @table": """
        double __enzyme_autodiff(void *, ...);
        double (*const table[2])(void *, ...) = {__enzyme_autodiff, 0};
    """,
    "but memory is used": """
        extern int enzyme_dupnoneed;
        void __enzyme_fwddiff(void *, ...);
        void sums(double *x, double *y, int n) { for (int i = 0; i < n; i++) y[i + 1] = y[i] * y[i] + x[i]; }
        void f(double *x, double *dx, double *dy, int n) {
          __enzyme_fwddiff((void *)sums, x, dx, enzyme_dupnoneed, (double *)0, dy, n);
        }
    """,
    "but memory is passed elsewhere": """
        extern int enzyme_dupnoneed;
        void __enzyme_fwddiff(void *, ...);
        void square(double *x, double *y) { *y = *x * *x; }
        void f(double *x, double *dx, double *y, double *dy) {
          __enzyme_fwddiff((void *)square, x, dx, enzyme_dupnoneed, (double *)0, dy);
          __enzyme_fwddiff((void *)square, x, dx, enzyme_dupnoneed, y, dy);
        }
    """,
    "__enzyme_fwdsplit: @step works on memory": """
        double __enzyme_fwdsplit(void *, ...);
        void step(double *x) { *x = *x * *x; }
        void f(double *x, double *dx) { __enzyme_fwdsplit((void *)step, x, dx, (void *)0); }
    """,
    "its pointer and others meet": """
        void *__enzyme_todense(void *, ...);
        double load(unsigned long bytes) { return 0; }
        void store(double value, unsigned long bytes) {}
        double f(double *x, int which) {
          double *dense = __enzyme_todense((void *)load, (void *)store), *one = which ? x : dense;
          *one = 3;
          return dense[1] + *x;
        }
    """,
    "a function that can't be inlined takes its pointer": """
        void *__enzyme_todense(void *, ...);
        double load(unsigned long bytes) { return 0; }
        void store(double value, unsigned long bytes) {}
        void elsewhere(double *);
        void f(void) { elsewhere(__enzyme_todense((void *)load, (void *)store)); }
    """,
    "@load is not for double, which meets float there": """
        void *__enzyme_todense(void *, ...);
        float load(unsigned long bytes) { return 0; }
        void store(double value, unsigned long bytes) {}
        double f(void) { return *(double *)__enzyme_todense((void *)load, (void *)store); }
    """,
    "the tape takes 64 bytes, and 8 are allocated": """
        extern int enzyme_allocated, enzyme_tape;
        double __enzyme_augmentfwd(void *, ...);
        double square(double *x) { return *x * *x; }
        double f(double *x, double *dx, void *tape) {
          return __enzyme_augmentfwd((void *)square, enzyme_allocated, 8, enzyme_tape, tape, x, dx);
        }
    """,
    "after enzyme_interleave there is a shadow for each argument that has one, and nothing else": """
        extern int enzyme_interleave;
        double __enzyme_autodiff(void *, ...);
        double square(double *x) { return *x * *x; }
        double f(double *x, double *dx) { return __enzyme_autodiff((void *)square, x, enzyme_interleave, dx, dx); }
    """,
    "enzyme_nofree: a tape serves once here, since nobody knows before how often this loop goes round": """
        extern int enzyme_nofree;
        void *__enzyme_augmentfwd(void *, ...);
        void __enzyme_reverse(void *, ...);
        double grow(double *x) { double y = *x; while (y < 10) y = y * y + 1; return y; }
        void f(double *x, double *dx) {
          __enzyme_reverse((void *)grow, enzyme_nofree, x, dx, 1.0, __enzyme_augmentfwd((void *)grow, x, dx));
        }
    """,
    "@buffer leads to memory that carries derivatives here, and that other functions have made": """
        double __enzyme_autodiff(void *, ...);
        void *calloc(unsigned long, unsigned long);
        double *buffer;
        void begin(int n) { buffer = calloc(n, sizeof *buffer); }
        double squares(double x, int n) {
          double s = 0;
          for (int i = 0; i < n; i++) buffer[i] = x * i;
          for (int i = 0; i < n; i++) s += buffer[i] * buffer[n - 1 - i];
          return s;
        }
        double f(double x, int n) { return __enzyme_autodiff((void *)squares, x, n); }
    """,
    "gives { ptr, double }, but the call takes { double, double }": """
        typedef struct { double a, b; } Pair;
        Pair __enzyme_augmentfwd(void *, ...);
        double square(double *x) { return *x * *x; }
        Pair f(double *x, double *dx) { return __enzyme_augmentfwd((void *)square, x, dx); }
    """,
}


@needs_clang
def test_shadows_that_were_stored_are_not_exchanged(tmp_path: Path) -> None:
    """The reverse half would add to those that it meets in memory; it stops."""
    source, executable = tmp_path / "stored.c", tmp_path / "program"
    source.write_text(
        """
        #include <stdio.h>
        void *__enzyme_augmentfwd(void *, ...);
        void __enzyme_reverse(void *, ...);
        typedef struct { double *at; } View;
        __attribute__((noinline)) double square(View *v) { return *v->at * *v->at; }
        double f(double *x) { View v = {x}; return square(&v); }
        int main(int count, char **arguments) {
          double x = 3, first = 0, second = 0;
          void *tape = __enzyme_augmentfwd((void *)f, &x, &first);
          __enzyme_reverse((void *)f, &x, count > 1 ? &second : &first, 1.0, tape);
          printf("%g", first);
          return 0;
        }
        """
    )
    output = lowered("stored.c", "clang", ["-O2"], ".ll", tmp_path, [])
    run([*compiler("clang", "stored.c"), "-w", str(output), "-o", str(executable)])
    assert run([str(executable)]) == "6"
    done = subprocess.run([str(executable), "other"], capture_output=True, text=True, check=False)
    assert done.returncode != 0
    assert "__enzyme_reverse of f is given other shadows" in done.stdout


@needs_clang
@pytest.mark.parametrize("message", REFUSED)
@pytest.mark.parametrize("flags", ["-O0", "-O2"])
def test_what_is_not_resolved_is_refused(
    message: str, flags: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    source, module, output = tmp_path / "refused.c", tmp_path / "refused.ll", tmp_path / "out.ll"
    source.write_text(REFUSED[message])
    run([*compiler("clang", "refused.c"), "-w", "-g", flags, "-S", "-emit-llvm", str(source), "-o", str(module)])
    assert main(["opt", str(module), "-o", str(output)]) != 0
    said = capsys.readouterr().err
    assert message in said and ("refused.c:" in said or "refused.ll" in said)
    assert not output.exists()


@needs_clang
def test_constant_memory_that_a_called_function_writes_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    source, module = tmp_path / "written.c", tmp_path / "written.ll"
    source.write_text(
        """
        extern int enzyme_const;
        double __enzyme_autodiff(void *, ...);
        void put(double *to, double x) { *to = x; }
        double through(void (*function)(double *, double), double *kept, double x) {
          function(kept, x * x);
          return *kept * x;
        }
        double f(double *kept, double x) {
          return __enzyme_autodiff((void *)through, enzyme_const, put, enzyme_const, kept, x);
        }
        """
    )
    run([*compiler("clang", "written.c"), "-w", "-O0", "-S", "-emit-llvm", str(source), "-o", str(module)])
    assert main(["opt", str(module), "-o", str(tmp_path / "out.ll")]) != 0
    assert "@through is marked const, but the memory it points to may carry derivatives" in capsys.readouterr().err


@needs_clang
def test_a_function_that_is_not_here_is_named_when_it_is_called(tmp_path: Path) -> None:
    """By its address, from memory without a shadow."""
    source, other, executable = tmp_path / "here.c", tmp_path / "elsewhere.c", tmp_path / "program"
    source.write_text(
        """
        #include <stdio.h>
        extern int enzyme_const;
        double __enzyme_autodiff(void *, ...);
        double (*elsewhere(void))(double);
        static double square(double x) { return x * x; }
        static double twice(double (**function)(double), double x) { return (*function)((*function)(x)); }
        int main(int count, char **arguments) {
          double (*function)(double) = count > 1 ? elsewhere() : square;
          printf("%g", __enzyme_autodiff((void *)twice, enzyme_const, &function, 2.0));
          return 0;
        }
        """
    )
    other.write_text("static double f(double x) { return x; }\ndouble (*elsewhere(void))(double) { return f; }\n")
    output = lowered("here.c", "clang", ["-O2"], ".ll", tmp_path, [])
    run([*compiler("clang", "here.c"), "-w", str(output), str(other), "-o", str(executable)])
    assert run([str(executable)]) == "32"
    done = subprocess.run([str(executable), "other"], capture_output=True, text=True, check=False)
    assert done.returncode != 0
    assert "the derivative of a function that is called by its address" in done.stdout


def test_llvm_is_told_by_its_beginning(tmp_path: Path) -> None:
    source, output = tmp_path / "module", tmp_path / "out.ll"
    source.write_text("define double @f(double %x) {\n  ret double %x\n}\n")
    assert main(["opt", str(source), "-o", str(output)]) == 0
    assert "define double @f" in output.read_text()


def test_a_wrong_call_is_an_error_with_its_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    source = tmp_path / "wrong.c"
    source.write_text(
        "double __enzyme_autodiff(void *, ...);\n"
        "double f(double *x) { return *x; }\n"
        "double g(double *x) {\n"
        "  return __enzyme_autodiff((void *)f, x);\n"
        "}\n"
    )
    assert main(["opt", str(source), "-o", str(tmp_path / "out.ll")]) == 3
    message = capsys.readouterr().err
    assert "wrong.c:4:10: __enzyme_autodiff: the shadow at argument 1 of @f is missing" in message
    assert not (tmp_path / "out.ll").exists()


def test_files_may_ask_for_derivatives_of_functions_of_one_name(tmp_path: Path) -> None:
    """What is made for a call is seen in its module alone: both can be linked into one program."""
    parts = []
    for name, power in (("one", "x * x"), ("two", "x * x * x")):
        source, lowered = tmp_path / f"{name}.c", tmp_path / f"{name}.ll"
        source.write_text(
            "extern double __enzyme_autodiff(void *, double);\n"
            f"static double f(double x) {{ return {power}; }}\n"
            f"double {name}(double x) {{ return __enzyme_autodiff((void *)f, x); }}\n"
        )
        assert main(["opt", str(source), "-o", str(lowered)]) == 0
        parts.append(llvm.parse(lowered.read_text()))
    assert set(llvm.defined_functions(llvm.link(parts))) == {"one", "two"}


LOADED = """
#include <gradir/enzyme.h>
double norm(const double *x, int n) {
  double s = 0;
  for (int i = 0; i < n; i++) s += x[i] * x[i] * x[(i + 1) % n];
  return s;
}
void gradient(const double *x, double *dx, int n) {
  for (int i = 0; i < n; i++) dx[i] = 0;
  __enzyme_autodiff((void *)norm, enzyme_dup, x, dx, enzyme_const, n);
}
double length(const double *x, int n) {
  double g[8], s = 0;
  gradient(x, g, n);
  for (int i = 0; i < n; i++) s += g[i] * g[i];
  return s;
}
double along(double x) { return x * x * x; }
double slope(double x) { return __enzyme_fwddiff((void *)along, enzyme_dup, x, 1.0); }
double curvature(double x) { return __enzyme_autodiff((void *)slope, enzyme_out, x); }
"""


@pytest.mark.parametrize("optimise_first", [True, False])
def test_loaded_sources_have_what_they_ask_for(tmp_path, optimise_first):
    pytest.importorskip("ziglang")
    source = tmp_path / "loaded.c"
    source.write_text(LOADED)
    m = load(source, optimise_first=optimise_first)
    assert list(m.functions) == ["norm", "gradient", "length", "along", "slope", "curvature"]
    x, g = np.array([0.3, 0.8, 1.1]), np.full(3, 7.0)
    m.gradient(x, g, 3)
    expected = 2 * x * np.roll(x, -1) + np.roll(x, 1) ** 2
    assert np.allclose(g, expected, rtol=1e-15)
    assert np.isclose(m.length(x, 3), expected @ expected, rtol=1e-15)
    # What was made is differentiated as any other code: the gradient's derivative, times twice the gradient.
    hessian = np.diag(2 * np.roll(x, -1)) + 2 * np.diag(x) @ np.roll(np.eye(3), 1, axis=1)
    hessian += 2 * np.diag(np.roll(x, 1)) @ np.roll(np.eye(3), -1, axis=1)
    assert np.allclose(m.grad("length", wrt="x")(x, 3), 2 * hessian.T @ expected, rtol=1e-14)
    assert (m.slope(2.0), m.curvature(2.0), m.grad("curvature")(2.0)) == (12, 12, 6)
