"""The library: bodies against the C library that they stand for, derivatives of BLAS against differences."""

from __future__ import annotations

import cmath
import ctypes
import math
import re

import numpy as np
import pytest
from blas_calls import FAMILIES, ROUTINES, Derivatives, Problem, form_of, forward, openblas, problems, reverse, run
from formulas import jit

from gradir.machine.ir.text.reader import read
from gradir.machine.rules import library
from gradir.machine.rules.blas import written
from gradir.machine.rules.make_library import MADE, fingerprint

# -- the text ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("module", MADE, ids=lambda path: path.stem)
def test_library_is_made_from_the_c_files_as_they_are(module) -> None:
    first = module.read_text().split("\n", 1)[0]
    assert fingerprint() in first, "run `python -m gradir.machine.rules.make_library`"


@pytest.mark.parametrize("module", MADE, ids=lambda path: path.stem)
def test_library_is_bound_to_no_machine(module) -> None:
    text = module.read_text()
    assert not re.search(r"target |attributes #|^!|!dbg|!tbaa", text, flags=re.MULTILINE)


def test_only_what_is_needed_is_taken() -> None:
    module = read("declare double @modf(double, ptr)\ndeclare double @unknown(double)")
    assert [library.provides(f) for f in module.functions.values()] == [True, False]
    text = library.text_for(module.functions.values())
    assert sorted(re.findall(r"^define.*?@([\w.]+)", text, flags=re.MULTILINE)) == ["gradir.body.modf", "modf"]


def test_what_is_called_in_another_way_is_not_provided() -> None:
    module = read(
        "declare float @modf(float, ptr)\ndeclare void @cblas_dscal(i32, float, ptr, i32)\ndeclare void @dscal_(ptr)"
    )
    assert not any(library.provides(f) for f in module.functions.values())


def test_drivers_bring_the_steps_they_take() -> None:
    module = read(f"declare void @dgesv_({', '.join(['ptr'] * 8)})")
    text = library.text_for(module.functions.values())
    assert "@__enzyme_register_gradient_dgetrf_" in text
    assert "@__enzyme_register_derivative_dgetrs_" in text


# -- bodies ------------------------------------------------------------------------------------------------------------

POINTS = [complex(x, y) for x in (-2.3, -0.4, 0.0, 0.7, 1.9) for y in (-1.2, -0.3, 0.5, 2.1)]
ONE = {
    "cexp": cmath.exp,
    "clog": cmath.log,
    "clog10": cmath.log10,
    "csqrt": cmath.sqrt,
    "csin": cmath.sin,
    "ccos": cmath.cos,
    "ctan": cmath.tan,
    "csinh": cmath.sinh,
    "ccosh": cmath.cosh,
    "ctanh": cmath.tanh,
    "casin": cmath.asin,
    "cacos": cmath.acos,
    "catan": cmath.atan,
    "casinh": cmath.asinh,
    "cacosh": cmath.acosh,
    "catanh": cmath.atanh,
    "conj": lambda z: z.conjugate(),
}
TO_REAL = {"cabs": abs, "carg": cmath.phase, "creal": lambda z: z.real, "cimag": lambda z: z.imag}
TWO = {"__muldc3": lambda z, w: z * w, "__divdc3": lambda z, w: z / w, "cpow": lambda z, w: z**w}
SINGLE = {"__muldc3": "__mulsc3", "__divdc3": "__divsc3", "_FortranAzpowi": "_FortranAcpowi"}


def complex_module(names: list[str], arguments: int, result: str) -> str:
    """Declarations of functions of complex numbers as clang writes them for x86, and shims that take memory."""
    lines = []
    for name in names:
        for real in ("double", "float"):
            own = name if real == "double" else SINGLE.get(name, f"{name}f")
            returned = "double" if result == "real" else "{ double, double }"
            if real == "float":
                returned = "float" if result == "real" else "<2 x float>"
            passed = ["double"] * 2 * arguments if real == "double" else ["<2 x float>"] * arguments
            if own.startswith("__") and real == "float":
                passed, returned = ["float"] * 4, "<2 x float>"
            lines.append(f"declare {returned} @{own}({', '.join(passed)})")
    declared = "\n".join(lines)
    shims = "\n".join(shim(f) for f in read(declared).functions.values())
    return library.text_for(read(declared).functions.values()) + shims


def shim(f) -> str:
    lines, at = [], 0
    for a in f.arguments:
        lines += [f"  %p{a.index} = getelementptr i8, ptr %in, i64 {at}"]
        lines += [f"  %a{a.index} = load {a.type}, ptr %p{a.index}, align 4"]
        at += a.type.size
    passed = ", ".join(f"{a.type} %a{a.index}" for a in f.arguments)
    body = "\n".join(lines)
    call = f"  %r = call {f.result} @{f.name}({passed})\n  store {f.result} %r, ptr %out, align 4"
    return f"define void @shim.{f.name}(ptr %in, ptr %out) {{\n{body}\n{call}\n  ret void\n}}"


def call(addresses, name: str, inputs: list[float], real: type) -> np.ndarray:
    given, out = np.array(inputs, real), np.zeros(2, real)
    pointers = [a.ctypes.data_as(ctypes.c_void_p) for a in (given, out)]
    ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_void_p)(addresses[f"shim.{name}"])(*pointers)
    return out


@pytest.fixture(scope="module")
def complex_functions():
    parts = [complex_module(list(ONE), 1, "complex"), complex_module(list(TO_REAL), 1, "real")]
    parts.append(complex_module(list(TWO), 2, "complex"))
    addresses = {}
    for part in parts:
        names = re.findall(r"@(shim\.\w+)\(", part)
        found = jit(part, names)
        addresses |= {n: found[n] for n in names}
        addresses.setdefault("alive", []).append(found)
    return addresses


@pytest.mark.parametrize("name", [*ONE, *TO_REAL])
def test_complex_functions(complex_functions, name: str) -> None:
    reference = {**ONE, **TO_REAL}[name]
    for z in POINTS:
        expected = complex(reference(z))
        found = complex(*call(complex_functions, name, [z.real, z.imag], np.float64))
        assert found == pytest.approx(expected, rel=1e-14, abs=1e-15)
        narrow = complex(*call(complex_functions, f"{name}f", [z.real, z.imag], np.float32))
        assert narrow == pytest.approx(expected, rel=3e-6, abs=1e-6)


@pytest.mark.parametrize("name", list(TWO))
def test_complex_functions_of_two(complex_functions, name: str) -> None:
    for z in POINTS:
        for w in POINTS[::3]:
            expected = TWO[name](z, w)
            found = complex(*call(complex_functions, name, [z.real, z.imag, w.real, w.imag], np.float64))
            assert found == pytest.approx(expected, rel=3e-14, abs=1e-15)
            narrow = SINGLE.get(name, f"{name}f")
            single = complex(*call(complex_functions, narrow, [z.real, z.imag, w.real, w.imag], np.float32))
            assert single == pytest.approx(expected, rel=2e-5, abs=1e-6)


INF, NAN = math.inf, math.nan


@pytest.mark.parametrize("name", ["__muldc3", "__divdc3"])
def test_infinities_of_products_and_quotients(complex_functions, name: str) -> None:
    """As the compiler's own library has it (annex G of C99), on everything that is special."""
    real = ctypes.CDLL("libgcc_s.so.1")
    text = f"declare {{ double, double }} @{name}(double, double, double, double)\n"
    text += shim(read(text).functions[name])
    address = ctypes.cast(getattr(real, name), ctypes.c_void_p).value
    theirs = jit(text, [f"shim.{name}"], {name: address})
    values = [0.0, -0.0, 1.5, -INF, INF, NAN]
    for a in values:
        for b in values:
            for c in values:
                for d in values:
                    expected = call(theirs, name, [a, b, c, d], np.float64)
                    found = call(complex_functions, name, [a, b, c, d], np.float64)
                    np.testing.assert_array_equal(found, expected, err_msg=f"{a} {b} {c} {d}")


def test_edges_of_complex_functions(complex_functions) -> None:
    assert complex(*call(complex_functions, "csqrt", [0.0, 0.0], np.float64)) == 0
    assert complex(*call(complex_functions, "csqrt", [1e308, 1e308], np.float64)) == pytest.approx(
        cmath.sqrt(1e308 + 1e308j)
    )
    assert complex(*call(complex_functions, "ctanh", [800.0, 1.0], np.float64)) == 1
    assert complex(*call(complex_functions, "cpow", [0.0, 0.0, 2.0, 0.0], np.float64)) == 0
    assert complex(*call(complex_functions, "cpow", [0.0, 0.0, 0.0, 0.0], np.float64)) == 1
    assert complex(*call(complex_functions, "__divdc3", [1e300, 1e300, 1e300, 1e-300], np.float64)) == 1 + 1j


@pytest.mark.parametrize("n", [-3, -1, 0, 1, 2, 5])
def test_whole_powers_of_fortran(n: int) -> None:
    text = "declare { double, double } @_FortranAzpowi(double, double, i32)\n"
    f = read(text).functions["_FortranAzpowi"]
    own = library.text_for([f])
    wrapper = (
        "define void @shim._FortranAzpowi(ptr %in, ptr %out) {\n  %x = load double, ptr %in\n"
        "  %q = getelementptr double, ptr %in, i64 1\n  %y = load double, ptr %q\n"
        f"  %r = call {{ double, double }} @_FortranAzpowi(double %x, double %y, i32 {n})\n"
        "  store { double, double } %r, ptr %out\n  ret void\n}"
    )
    addresses = jit(own + wrapper, ["shim._FortranAzpowi"])
    z = 0.8 - 1.1j
    assert complex(*call(addresses, "_FortranAzpowi", [z.real, z.imag], np.float64)) == pytest.approx(z**n, rel=1e-14)


def test_bodies_with_pointers() -> None:
    declared = """declare double @modf(double, ptr)
declare double @frexp(double, ptr)
declare void @sincos(double, ptr, ptr)
declare double @lgamma_r(double, ptr)
declare double @remquo(double, double, ptr)
declare float @modff(float, ptr)
declare i32 @posix_memalign(ptr, i64, i64)"""
    functions = read(declared).functions
    text = library.text_for(functions.values()).replace("linkonce_odr hidden ", "")
    renamed = re.sub(r"@(modf|frexp|sincos|lgamma_r|remquo|modff|posix_memalign)\(", r"@own.\1(", text)
    own = jit(renamed, [f"own.{name}" for name in functions])
    libm = ctypes.CDLL("libm.so.6")
    real, pointer, integer = ctypes.c_double, ctypes.c_void_p, ctypes.c_int32

    def compare(name: str, out: type, *operands: float) -> None:
        found = []
        for address in (own[f"own.{name}"], ctypes.cast(getattr(libm, name), ctypes.c_void_p).value):
            slot = out()
            function = ctypes.CFUNCTYPE(real, *[real] * len(operands), pointer)(address)
            found.append((function(*operands, ctypes.addressof(slot)), slot.value))
        np.testing.assert_allclose(found[0], found[1], rtol=1e-15, err_msg=f"{name}{operands}")
        assert math.copysign(1, found[0][0]) == math.copysign(1, found[1][0])

    for x in (0.0, -0.0, 3.75, -3.75, 1e300, INF, -INF, 5e-324):
        compare("modf", real, x)
        if math.isfinite(x):
            compare("frexp", integer, x)
    for x in (0.5, -0.5, -1.5, 7.0):
        compare("lgamma_r", integer, x)
    for x in (10.3, -10.3, 1e17, 0.2):
        for y in (3.0, -0.7, 1e-3):
            compare("remquo", integer, x, y)
    s, c = real(), real()
    ctypes.CFUNCTYPE(None, real, pointer, pointer)(own["own.sincos"])(0.7, ctypes.addressof(s), ctypes.addressof(c))
    assert (s.value, c.value) == (math.sin(0.7), math.cos(0.7))
    memory = pointer()
    status = ctypes.CFUNCTYPE(integer, pointer, ctypes.c_int64, ctypes.c_int64)(own["own.posix_memalign"])
    assert status(ctypes.addressof(memory), 64, 100) == 0
    assert memory.value is not None and memory.value % 64 == 0
    ctypes.CDLL(None).free(memory)


@pytest.mark.parametrize("kind", ["d", "s", "z", "c"])
@pytest.mark.parametrize("options", ["nn", "tn", "nt", "ct"])
def test_matrix_products_of_numba(kind: str, options: str) -> None:
    declared = "declare i32 @numba_xxgemm(i8, i8, i8, i64, i64, i64, ptr, ptr, i64, ptr, i64, ptr, ptr, i64)"
    text = library.text_for(read(declared).functions.values()).replace("linkonce_odr hidden ", "")
    addresses = jit(text, ["numba_xxgemm"])
    number = {"d": np.float64, "s": np.float32, "z": np.complex128, "c": np.complex64}[kind]
    rng, (m, n, k) = np.random.default_rng(5), (4, 3, 2)

    def matrix(option: str, rows: int, columns: int) -> tuple[np.ndarray, np.ndarray]:
        shape = (rows, columns) if option == "n" else (columns, rows)
        stored = rng.random(shape) + (1j * rng.random(shape) if kind in "zc" else 0)
        stored = np.asfortranarray(stored.astype(number))
        return stored, stored if option == "n" else stored.T if option == "t" else stored.conj().T

    (a, op_a), (b, op_b) = matrix(options[0], m, k), matrix(options[1], k, n)
    c, _ = matrix("n", m, n)
    alpha, beta = np.array([1.5], number), np.array([0.5], number)
    expected = alpha * (op_a @ op_b) + beta * c
    pointers = [x.ctypes.data for x in (alpha, a, b, beta, c)]
    p, i, byte = ctypes.c_void_p, ctypes.c_int64, ctypes.c_int8
    call = ctypes.CFUNCTYPE(ctypes.c_int32, byte, byte, byte, i, i, i, p, p, i, p, i, p, p, i)(
        addresses["numba_xxgemm"]
    )
    given = [ord(x) for x in (kind, *options)]
    call(*given, m, n, k, pointers[0], pointers[1], a.shape[0], pointers[2], b.shape[0], pointers[3], pointers[4], m)
    np.testing.assert_allclose(c, expected, rtol=1e-5 if kind in "sc" else 1e-13)


# -- BLAS and LAPACK ---------------------------------------------------------------------------------------------------

PLAIN = [name for name, routine in ROUTINES.items() if "work" not in routine.fields]
"""What gives one result for one input; test_spectra.py has the others."""
CASES = [
    (routine, letter, family)
    for routine in PLAIN
    for family in FAMILIES
    for letter in "ds"
    if (letter == "d" or family in ("fortran", "cblas")) and not (ROUTINES[routine].lapack and family != "fortran")
]


def directions(p: Problem, rng: np.random.Generator, active: set[str]) -> dict[str, np.ndarray]:
    found = {f: rng.uniform(-1, 1, a.shape).astype(p.real) for f, a in p.arrays.items() if f in active}
    return found | {f: rng.uniform(-1, 1, 1).astype(p.real) for f in p.scalars if f in active or p.form.cblas}


def difference(p: Problem, tangents: dict[str, np.ndarray]) -> tuple[dict[str, np.ndarray], float]:
    """Central differences of the routine itself, in f64 whatever the precision is."""
    double = form_of(p.form.routine.name, "d", "cblas" if p.form.cblas else "fortran")
    assert double is not None

    def at(step: float) -> tuple[dict[str, np.ndarray], float]:
        arrays = {f: a.astype(float) + step * tangents.get(f, np.zeros(1)) for f, a in p.arrays.items()}
        scalars = {f: v + step * float(tangents.get(f, np.zeros(1))[0]) for f, v in p.scalars.items()}
        return run(Problem(double, p.options, p.order, scalars, arrays, p.sizes, p.integers))

    h = 1e-5
    (above, r_above), (below, r_below) = at(h), at(-h)
    return {f: (above[f] - below[f]) / (2 * h) for f in above}, (r_above - r_below) / (2 * h)


@pytest.mark.parametrize(("routine", "letter", "family"), CASES)
def test_derivatives_of_blas(routine: str, letter: str, family: str) -> None:
    if openblas("64" in family) is None:
        pytest.skip("this NumPy and SciPy come without their own OpenBLAS")
    form = form_of(routine, letter, family)
    assert form is not None
    d, rng = Derivatives(form), np.random.default_rng(len(routine))
    tolerance = 1e-7 if letter == "d" else 2e-4
    for p in problems(form, seed=ord(routine[0])):
        everything = {*p.arrays, *p.scalars}
        for active in (everything, *({*everything} - {f} for f in everything)):
            check_forward(d, p, directions(p, rng, active), tolerance)
            check_reverse(d, p, active, rng, tolerance)


@pytest.mark.parametrize("routine", PLAIN)
@pytest.mark.parametrize("family", ["fortran", "cblas"])
def test_what_blas_writes(routine: str, family: str) -> None:
    if openblas(False) is None:
        pytest.skip("this SciPy comes without its own OpenBLAS")
    form = form_of(routine, "d", family)
    if form is None:
        assert ROUTINES[routine].lapack
        return
    p = next(iter(problems(form, seed=3)))
    arrays, _ = run(p)
    changed = {f for f, a in arrays.items() if not np.array_equal(a, p.arrays[f])}
    assert changed == {f for f in form.routine.written if form.routine.kind(f) == "array"}
    declared = read(f"declare {form.result} @{form.name(routine)}({', '.join(t.text for t in form.parameters())})")
    numbers = written(declared.functions[form.name(routine)])
    first = 1 if form.cblas and form.routine.by_rows is not None else 0
    assert numbers is not None and {form.routine.fields[n - first] for n in numbers} == set(form.routine.written)


def check_forward(d: Derivatives, p: Problem, tangents: dict[str, np.ndarray], tolerance: float) -> None:
    moved, slope = difference(p, tangents)
    expected, value = run(p)
    found = {f: t.copy() for f, t in tangents.items()}
    state, result, tangent = forward(d, p, found)
    for f in p.arrays:
        np.testing.assert_array_equal(state.arrays[f], expected[f])
        if f in found:
            np.testing.assert_allclose(found[f], moved[f], rtol=tolerance, atol=tolerance, err_msg=f"{f} {p.options}")
    assert result == value
    assert tangent == pytest.approx(slope, rel=tolerance, abs=tolerance)


def check_reverse(d: Derivatives, p: Problem, active: set[str], rng: np.random.Generator, tolerance: float) -> None:
    """What a direction changes, seen by the cotangents of the results, is what the gradient says."""
    tangents, weights = directions(p, rng, active), directions(p, rng, active)
    for f in p.scalars:
        if f in weights:
            weights[f][0] = 0  # a number that is passed is no result
    seed = float(p.real(rng.uniform(-1, 1)))
    moved, slope = difference(p, tangents)
    expected = (
        sum(float(weights[f] @ moved[f]) for f in p.arrays if f in weights) + seed * slope * p.form.routine.returns
    )
    gradient = {f: w.copy() for f, w in weights.items()}
    after, result = reverse(d, p, gradient, seed)
    found = sum(float(gradient[f].astype(float) @ tangents[f]) for f in gradient)
    assert found == pytest.approx(expected, rel=10 * tolerance, abs=10 * tolerance), (p.options, p.order, active)
    arrays, value = run(p)
    assert result == value
    for f in p.arrays:
        np.testing.assert_array_equal(after.arrays[f], arrays[f])
