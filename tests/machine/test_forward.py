"""Forward mode feature by feature: against central differences, and against reverse mode; of several directions in both
layouts; derivatives of derivatives."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from differential import Bench, Derivative, Function, central_difference, function_of

from gradir import frontends
from gradir.errors import NoRule
from gradir.machine import jit, llvm
from gradir.machine.transform.derive import Layout, Options, Program
from gradir.request import Activity, Mode, Request

RNG = np.random.default_rng(7)
X = RNG.uniform(0.5, 1.5, 6)
Y = RNG.uniform(0.5, 1.5, 6)
SINGLES = RNG.uniform(0.5, 1.5, 6).astype(np.float32)


@dataclass(frozen=True)
class Kernel:
    """A function `f` in C, what it returns, and arguments to call it with."""

    name: str
    returns: str
    arguments: tuple[Any, ...]
    source: str

    def __str__(self) -> str:
        return self.name


KERNELS = [
    Kernel("arithmetic", "double", (0.7, 1.3), "double f(double x, double y) { return x * y - x / y + -x; }"),
    Kernel(
        "library",
        "double",
        (0.7, 1.3),
        """#include <math.h>
        double f(double x, double y) {
            return exp(x) * sin(y) + pow(x, y) + hypot(x, y) + fmax(x, y) + fma(x, y, x); }""",
    ),
    Kernel(
        "branches and loops",
        "double",
        (X, 6),
        """double f(const double *x, int n) {
            double s = 1;
            for (int i = 0; i < n; i++) { if (x[i] > 1) s *= x[i]; else s += x[i] * s; if (s > 1e3) break; }
            return s; }""",
    ),
    Kernel(
        "several returns",
        "double",
        (X, 6),
        """double f(const double *x, int n) {
            for (int i = 0; i < n; i++) { if (x[i] > 1.2) return x[i] * x[0]; if (x[i] < 0.1) return 0; }
            return x[0] * x[n - 1]; }""",
    ),
    Kernel(
        "in place",
        "void",
        (X, 6),
        "void f(double *x, int n) { for (int i = 1; i < n; i++) x[i] = x[i] * x[i - 1] + 1; x[0] = 3; }",
    ),
    Kernel(
        "stack",
        "double",
        (X, 6),
        """double f(const double *x, int n) {
            double a[8][2] = {{1}}; double s = 0;
            for (int i = 0; i < n; i++) { a[i][0] = x[i] * x[i]; a[(i + 1) % n][1] = x[i]; }
            for (int i = 0; i < n; i++) s += a[i][0] * a[i][1];
            return s; }""",
    ),
    Kernel(
        "variable stack",
        "double",
        (X, 6),
        """double f(const double *x, int n) {
            double s = 0;
            for (int k = 1; k <= n; k++) { double a[k]; for (int i = 0; i < k; i++) a[i] = x[i] * k;
                for (int i = 0; i < k; i++) s += a[i] * a[k - 1 - i]; }
            return s; }""",
    ),
    Kernel(
        "heap",
        "double",
        (X, 6),
        """#include <stdlib.h>
        #include <string.h>
        double f(const double *x, int n) {
            double *a = malloc(n * sizeof *a), *b = calloc(n, sizeof *b), s = 0;
            memcpy(a, x, n * sizeof *a);
            for (int i = 0; i < n; i++) b[i] += a[i] * a[n - 1 - i];
            b = realloc(b, 2 * n * sizeof *b);
            memmove(b + n, b + 1, (n - 1) * sizeof *b);
            memset(b, 0, sizeof *b);
            for (int i = 0; i < 2 * n - 1; i++) s += b[i] * a[i / 2];
            free(a); free(b);
            return s; }""",
    ),
    Kernel(
        "structs with pointers",
        "double",
        (X, 6),
        """#include <stdlib.h>
        typedef struct Node { double value; struct Node *next; int count; } Node;
        double f(const double *x, int n) {
            Node *head = NULL;
            for (int i = 0; i < n; i++) {
                Node *node = malloc(sizeof *node); *node = (Node){x[i] * i, head, i}; head = node; }
            double s = 1;
            while (head) { s += s * head->value * head->count; Node *next = head->next; free(head); head = next; }
            return s; }""",
    ),
    Kernel(
        "calls",
        "double",
        (X, 6),
        """__attribute__((noinline)) static double g(const double *x, int n, double *out) {
            *out += x[0] * x[n]; return n ? x[n] * g(x, n - 1, out) : x[0]; }
        double f(const double *x, int n) { double out = 0; return g(x, n - 1, &out) * out; }""",
    ),
    Kernel(
        "structs by value",
        "double",
        (X, 6),
        """typedef struct { double a[5]; int n; } Big;
        typedef struct { double re, im; } Pair;
        __attribute__((noinline)) static Pair g(Big b) { b.a[0] *= 2; return (Pair){b.a[0] * b.a[1], b.a[4]}; }
        double f(const double *x, int n) {
            Big b = {{x[0], x[1], x[2], x[3], x[4]}, n}; Pair p = g(b); return p.re * p.im + b.a[0]; }""",
    ),
    Kernel(
        "function pointers",
        "double",
        (X, 6),
        """#include <math.h>
        __attribute__((noinline)) static double square(double x) { return x * x; }
        static double (*const table[3])(double) = {square, sin, exp};
        double f(const double *x, int n) {
            double s = 0; for (int i = 0; i < n; i++) s += table[i % 3](x[i]); return s; }""",
    ),
    Kernel(
        "globals",
        "double",
        (X, 6),
        """static double kept[6]; static const double *from;
        __attribute__((noinline)) static void set(int n) { for (int i = 0; i < n; i++) kept[i] = from[i] * from[0]; }
        double f(const double *x, int n) {
            from = x; set(n); double s = 0; for (int i = 0; i < n; i++) s += kept[i] * x[i]; return s; }""",
    ),
    Kernel(
        "integers that carry floats",
        "double",
        (X, 6),
        """#include <stdint.h>
        #include <string.h>
        double f(double *x, int n) {
            for (int i = 0; i + 1 < n; i++) { uint64_t a, b; memcpy(&a, x + i, 8); memcpy(&b, x + i + 1, 8);
                if (x[i] > x[i + 1]) { memcpy(x + i, &b, 8); memcpy(x + i + 1, &a, 8); } }
            return x[n - 1] * x[n - 1]; }""",
    ),
    Kernel(
        "vectors",
        "double",
        (X, Y),
        """typedef double v2 __attribute__((vector_size(16))); typedef float w2 __attribute__((vector_size(8)));
        double f(const double *x, const double *y) {
            v2 a = {x[0], x[1]}, b = {y[0], y[1]}; a = a * b + x[2]; a[1] /= y[2];
            v2 c = __builtin_shufflevector(a, b, 1, 2), d = __builtin_elementwise_max(a, c);
            w2 e = __builtin_convertvector(c, w2); v2 g = __builtin_convertvector(e, v2) * 0;
            return c[0] * c[1] + d[0] * d[1] + g[0]; }""",
    ),
    Kernel(
        "precisions",
        "float",
        (SINGLES, 6),
        """float f(const float *x, int n) {
            double s = 0; for (int i = 0; i < n; i++) s += (double)x[i] * x[i] * s + x[i]; return s; }""",
    ),
    Kernel(
        "complex",
        "double",
        (X, Y),
        """#include <complex.h>
        double f(const double *x, const double *y) {
            double complex z = x[0] + I * y[0], w = x[1] * z + y[1]; for (int i = 0; i < 3; i++) z = z + w * x[2];
            return creal(z) * cimag(w) + cimag(z); }""",
    ),
    Kernel(
        "loops with two entries",
        "double",
        (0.9, 7),
        """double f(double x, int n) {
            double s = 1; int i = 0;
            if (n & 1) goto middle;
            top: s = s * x + 1;
            middle: s += x * x; if (++i < n) goto top;
            return s; }""",
    ),
    Kernel(
        "switch",
        "double",
        (X, 6),
        """double f(const double *x, int n) {
            double s = 0;
            for (int i = 0; i < n; i++) switch (i % 4) {
                case 0: s += x[i]; break; case 1: case 2: s *= x[i]; default: s -= x[i] * x[i]; }
            return s; }""",
    ),
    Kernel(
        "atomics",
        "double",
        (X, 6),
        """double f(const double *x, int n) {
            double s = 0;
            for (int i = 0; i < n; i++) __atomic_fetch_add(&s, x[i] * x[i], __ATOMIC_RELAXED);
            return s * x[0]; }""",
    ),
    Kernel(
        "printing and errors",
        "double",
        (X, 6),
        """#include <stdio.h>
        #include <stdlib.h>
        double f(const double *x, int n) {
            if (n > 100) { fprintf(stderr, "%g", x[0]); abort(); } return x[0] * x[n - 1]; }""",
    ),
]  # fmt: skip

MODULES: dict[str, llvm.Module] = {}
"""What the compiler made of the kernels."""

everywhere = pytest.mark.parametrize("kernel", KERNELS, ids=str)


def bench_of(kernel: Kernel, folder: Path, options: Options = Options()) -> tuple[Bench, Function, list[Any]]:
    if kernel.name not in MODULES:
        path = folder / "kernel.c"
        path.write_text(kernel.source)
        MODULES[kernel.name] = frontends.to_llvm(path)
    function, values = function_of("f", kernel.returns, kernel.arguments)
    return Bench(MODULES[kernel.name], function, options=options), function, values


def directions(function: Function, values: list[Any], count: int) -> list[np.ndarray]:
    return [np.random.default_rng(k).normal(size=len(function.input(values))) for k in range(count)]


def assert_close(found: np.ndarray, expected: np.ndarray, tolerance: float = 1e-8) -> None:
    scale = 1e-3 + np.max(np.abs(expected), initial=0)
    np.testing.assert_allclose(found, expected, rtol=0, atol=tolerance * scale)


def tolerances(kernel: Kernel) -> tuple[float, float, float]:
    """A step for differences, what they are good to, and how well forward and reverse mode agree."""
    return (2e-2, 2e-3, 1e-4) if kernel.returns == "float" else (1e-4, 1e-8, 1e-12)


@everywhere
def test_tangents_are_differences(kernel: Kernel, tmp_path: Path) -> None:
    bench, function, values = bench_of(kernel, tmp_path)
    forward = bench.forward(function)
    reverse = bench.reverse(function)
    bench.build()
    step, tolerance, agreement = tolerances(kernel)
    for v in directions(function, values, 2):
        value, tangent = bench.jvp(forward, values, [v])
        assert_close(value, bench.run(function, values), agreement)
        expected = central_difference(lambda h, v=v: bench.run(function, function.moved(values, h * v)), step)
        assert_close(tangent, expected, tolerance)
        seed = np.random.default_rng(3).normal(size=len(tangent))
        _, gradient = bench.vjp(reverse, values, [seed])
        assert gradient @ v == pytest.approx(seed @ tangent, rel=agreement, abs=agreement)


@everywhere
@pytest.mark.parametrize("width", [2, 3, 4])
def test_separate_directions(kernel: Kernel, width: int, tmp_path: Path) -> None:
    bench, function, values = bench_of(kernel, tmp_path)
    one, many = bench.forward(function), bench.forward(function, width)
    bench.build()
    along = directions(function, values, width)
    value, *tangents = bench.jvp(many, values, along)
    assert_close(value, bench.run(function, values), tolerances(kernel)[2])
    for v, tangent in zip(along, tangents, strict=True):
        assert_close(tangent, bench.jvp(one, values, [v])[1], tolerances(kernel)[2])


@everywhere
@pytest.mark.parametrize("width", [1, 2, 3, 4])
def test_interleaved_directions(kernel: Kernel, width: int, tmp_path: Path) -> None:
    bench, function, values = bench_of(kernel, tmp_path)
    one = bench.forward(function)
    bench.build()
    along = directions(function, values, width)
    for k, tangent in enumerate(interleaved_jvp(bench.program, function, values, along)):
        assert_close(tangent, bench.jvp(one, values, [along[k]])[1], tolerances(kernel)[2])


def interleaved_jvp(
    program: Program, function: Function, values: list[Any], along: list[np.ndarray]
) -> list[np.ndarray]:
    """J v for each direction: of an array the tangents lie side by side for each element."""
    width = len(along)
    activity = tuple(Activity.dup if a else Activity.const for a in function.active)
    ret = () if function.result.kind == "void" else (Activity.dup,)
    name = program.derivative(
        Request(function.name, Mode.forward, activity, ret, width), Options(layout=Layout.interleaved)
    )
    parts = [function.split(v, values) for v in along]
    types: list[str] = []
    operands: list[Any] = []
    memory: list[np.ndarray] = []
    alive: list[np.ndarray] = []
    for k, (value, type, active) in enumerate(zip(values, function.parameters, function.active, strict=True)):
        types.append(str(type))
        alive.append(np.array(value))
        operands.append(alive[-1].ctypes.data if type.is_pointer else alive[-1].item())
        if active and type.is_pointer:
            types.append("ptr")
            memory.append(np.stack([np.ravel(p[k]) for p in parts], axis=-1).astype(value.dtype))
            operands.append(memory[-1].ctypes.data)
        elif active:
            types.append(str(type) if width == 1 else f"[{width} x {type}]")
            operands.append(parts[0][k] if width == 1 else [float(p[k]) for p in parts])
    shadow = str(function.result) if width == 1 else f"[{width} x {function.result}]"
    result = f"{{ {function.result}, {shadow} }}" if ret else "void"
    found = jit.compile_library(program.text(), [jit.Entry(name, tuple(types), result)])[name](*operands)
    tangents = [] if not ret else [found[1]] if width == 1 else list(found[1])
    return [np.concatenate([*(m[:, k] for m in memory), tangents[k : k + 1]]) for k in range(width)]


# -- Derivatives of derivatives --------------------------------------------------------------------------------------

SECOND = [k for k in KERNELS if k.returns != "float"]


def operands_of(inner: Derivative, values: list[Any]) -> list[Any]:
    """Operands of a derivative: the function's own, with random shadows and seeds."""
    rng = np.random.default_rng(5)
    given = iter(values)
    operands: list[Any] = []
    of = inner.of
    for type, active in zip(of.parameters, of.active, strict=True):
        operands.append(next(given))
        if active and (type.is_pointer or inner.request.mode is Mode.forward):
            operands.append(rng.normal(size=operands[-1].shape) if type.is_pointer else 0.3)
    return operands + [0.7] * (len(inner.parameters) - len(operands))


@pytest.mark.parametrize("kernel", SECOND, ids=str)
@pytest.mark.parametrize("first", ["reverse", "forward"])
def test_forward_over(first: str, kernel: Kernel, tmp_path: Path) -> None:
    bench, function, values = bench_of(kernel, tmp_path)
    inner: Derivative = getattr(bench, first)(function)
    bench.build()
    outer_bench = bench.bench_of(inner)
    outer = outer_bench.forward(outer_bench.entry)
    outer_bench.build()
    operands = operands_of(inner, values)
    [v] = directions(inner, operands, 1)
    _, tangent = outer_bench.jvp(outer, operands, [v])
    assert_close(tangent, central_difference(lambda h: bench.run(inner, inner.moved(operands, h * v)), 5e-5), 1e-7)


# Results of derivatives that are structs have cotangents that the bench doesn't pass; what an augmented call returns, a
# tape and a float in one piece, is refused.
REVERSE_OVER = [
    *(("forward", k) for k in SECOND if k.returns == "void"),
    *(
        ("reverse", k)
        for k in SECOND
        if isinstance(k.arguments[0], np.ndarray) and k.name not in ("calls", "function pointers")
    ),
]


@pytest.mark.parametrize(("first", "kernel"), REVERSE_OVER, ids=str)
def test_reverse_over(first: str, kernel: Kernel, tmp_path: Path) -> None:
    bench, function, values = bench_of(kernel, tmp_path)
    inner: Derivative = getattr(bench, first)(function)
    bench.build()
    outer_bench = bench.bench_of(inner)
    outer = outer_bench.reverse(outer_bench.entry)
    outer_bench.build()
    operands = operands_of(inner, values)
    [v] = directions(inner, operands, 1)
    expected = central_difference(lambda h: bench.run(inner, inner.moved(operands, h * v)), 5e-5)
    seed = np.random.default_rng(3).normal(size=len(expected))
    _, gradient = outer_bench.vjp(outer, operands, [seed])
    assert gradient @ v == pytest.approx(seed @ expected, rel=1e-7)


# -- What comes back, and rules of the program's own -----------------------------------------------------------------


def compiled(source: str, folder: Path, keep: str = "f") -> Program:
    path = folder / "kernel.c"
    path.write_text(source)
    return Program(llvm.canonical_text(llvm.normalise(frontends.to_llvm(path), keep=[keep])))


@pytest.mark.parametrize(
    ("mark", "result", "expected"),
    [
        (Activity.dup, "{ double, double }", (0.49, 1.4)),
        (Activity.dupnoneed, "double", 1.4),
        (Activity.const, "double", 0.49),
        (Activity.constnoneed, "void", None),
    ],
)
def test_what_is_returned(mark: Activity, result: str, expected: Any, tmp_path: Path) -> None:
    program = compiled("double f(double x) { return x * x; }", tmp_path)
    name = program.derivative(Request("f", Mode.forward, (Activity.dup,), (mark,)))
    found = jit.compile_library(program.text(), [jit.Entry(name, ("double", "double"), result)])[name](0.7, 1.0)
    assert found == (None if expected is None else pytest.approx(expected))


def test_a_pointer_comes_back_with_its_shadow(tmp_path: Path) -> None:
    program = compiled("double *f(double *x) { x[1] = x[0] * x[0]; return x + 1; }", tmp_path)
    name = program.derivative(Request("f", Mode.forward, (Activity.dup,), (Activity.dup,)))
    x, dx = np.array([3.0, 0.0]), np.array([1.0, 0.0])
    library = jit.compile_library(program.text(), [jit.Entry(name, ("ptr", "ptr"), "{ ptr, ptr }")])
    at, shadow = library[name](x.ctypes.data, dx.ctypes.data)
    assert (at - x.ctypes.data, shadow - dx.ctypes.data) == (8, 8)
    assert dx.tolist() == [1.0, 6.0]


REGISTERED = """
__attribute__((weak)) double g(double x) { return x; }
struct both { double value, tangent; };
struct both g_forward(double x, double dx) { return (struct both){x * x, 42 * dx}; }
void *__enzyme_register_derivative_g[] = {(void *)g, (void *)g_forward};
double f(double x) { return 2 * g(x); }
"""


@pytest.mark.parametrize("width", [1, 2])
def test_registered_rules(width: int, tmp_path: Path) -> None:
    path = tmp_path / "kernel.c"
    path.write_text(REGISTERED)
    program = Program(llvm.canonical_text(llvm.normalise(frontends.to_llvm(path), keep=["f", "g", "g_forward"])))
    name = program.derivative(Request("f", Mode.forward, (Activity.dup,), (Activity.dup,), width))
    shadow = "double" if width == 1 else "[2 x double]"
    library = jit.compile_library(program.text(), [jit.Entry(name, ("double", shadow), f"{{ double, {shadow} }}")])
    value, tangent = library[name](3.0, 1.0 if width == 1 else [1.0, -1.0])
    assert value == 18 and tangent == (84 if width == 1 else (84, -84))


@pytest.mark.parametrize(
    ("source", "message"),
    [
        ("double g(double); double f(double x) { return g(x); }", "@g has no body here and no rule"),
        (
            """__attribute__((weak)) double g(double x) { return x; }
            double g_aug(double x) { return x; } double g_rev(double x, double d, double t) { return d; }
            void *__enzyme_register_gradient_g[] = {(void *)g, (void *)g_aug, (void *)g_rev};
            double f(double x) { return g(x); }""",
            "has a reverse rule of its own, but none for forward mode",
        ),
        (
            'double f(double x) { double y; __asm__("sqrtsd %1, %0" : "=x"(y) : "x"(x)); return y; }',
            "inline assembly on active data",
        ),
    ],
    ids=["declared", "gradient only", "assembly"],
)
def test_refused(source: str, message: str, tmp_path: Path) -> None:
    path = tmp_path / "kernel.c"
    path.write_text(source)
    keep = ["f", *(name for name in ("g", "g_aug", "g_rev") if f"{name}(" in source)]
    program = Program(llvm.canonical_text(llvm.normalise(frontends.to_llvm(path), keep=keep)))
    with pytest.raises(NoRule, match=message):
        program.derivative(Request("f", Mode.forward, (Activity.dup,), (Activity.dup,)))


def test_bits_of_unknown_kind_move_along() -> None:
    """Nothing tells what is copied, and it need not be known."""
    program = Program("""
define void @f(ptr %to, ptr %from, i1 %which) {
entry:
  %a = load i64, ptr %from
  %next = getelementptr i8, ptr %from, i64 8
  %b = load i64, ptr %next
  %c = select i1 %which, i64 %a, i64 %b
  store i64 %c, ptr %to
  ret void
}""")
    marks = (Activity.dup, Activity.dup, Activity.const)
    name = program.derivative(Request("f", Mode.forward, marks, ()))
    library = jit.compile_library(program.text(), [jit.Entry(name, ("ptr", "ptr", "ptr", "ptr", "i1"))])
    to, dto, x, dx = np.zeros(1), np.zeros(1), np.array([1.0, 2.0]), np.array([5.0, 7.0])
    library[name](to.ctypes.data, dto.ctypes.data, x.ctypes.data, dx.ctypes.data, 0)
    assert (to[0], dto[0]) == (2.0, 7.0)


VECTORS = """
declare double @llvm.vector.reduce.fadd.v4f64(double, <4 x double>)
declare double @llvm.vector.reduce.fmax.v4f64(<4 x double>)
declare <4 x double> @llvm.masked.load.v4f64.p0(ptr, i32, <4 x i1>, <4 x double>)
declare void @llvm.masked.store.v4f64.p0(<4 x double>, ptr, i32, <4 x i1>)
define double @f(ptr %x, i64 %lane) {
entry:
  %two = insertelement <4 x double> splat (double 2.0), double 3.0, i64 3
  %a = call <4 x double> @llvm.masked.load.v4f64.p0(ptr %x, i32 8, <4 x i1> <i1 1, i1 0, i1 1, i1 1>, <4 x double> %two)
  %y = getelementptr i8, ptr %x, i64 16
  %b = load <4 x double>, ptr %y, align 8
  %over = fcmp ogt <4 x double> %a, %b
  %c = select <4 x i1> %over, <4 x double> %a, <4 x double> %b
  %d = fmul <4 x double> %c, %b
  call void @llvm.masked.store.v4f64.p0(<4 x double> %d, ptr %x, i32 8, <4 x i1> <i1 0, i1 1, i1 1, i1 0>)
  %e = extractelement <4 x double> %d, i64 %lane
  %g = insertelement <4 x double> %a, double %e, i64 %lane
  %h = call double @llvm.vector.reduce.fadd.v4f64(double %e, <4 x double> %g)
  %k = call double @llvm.vector.reduce.fmax.v4f64(<4 x double> %d)
  %l = fmul double %h, %k
  ret double %l
}"""


@pytest.mark.parametrize("width", [1, 3])
def test_vectors_of_a_compiler(width: int) -> None:
    function, values = function_of("f", "double", (X.copy(), np.uint64(2)))
    bench = Bench(llvm.parse(VECTORS), function)
    forward = bench.forward(function, width)
    bench.build()
    along = directions(function, values, width)
    _, *tangents = bench.jvp(forward, values, along)
    for v, tangent in zip(along, tangents, strict=True):
        assert_close(
            tangent, central_difference(lambda h, v=v: bench.run(function, function.moved(values, h * v)), 1e-4)
        )


@pytest.mark.parametrize("mode", Mode)
def test_arithmetic_on_bits_is_refused(mode: Mode) -> None:
    program = Program("""
define double @f(double %x) {
entry:
  %bits = bitcast double %x to i64
  %other = mul i64 %bits, 3
  %y = bitcast i64 %other to double
  ret double %y
}""")
    mark, ret = (Activity.dup,) * 2 if mode is Mode.forward else (Activity.active,) * 2
    with pytest.raises(NoRule, match="bits of an active float"):
        program.derivative(Request("f", mode, (mark,), (ret,)))
