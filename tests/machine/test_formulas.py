"""Every rule against the function that it is the derivative of: differences of the function itself, in f64 and f32.

The table is walked as it is: a rule for which there is no case, or no way to call its function, fails.
"""

from __future__ import annotations

import ctypes
import math
import re
import zlib
from collections.abc import Callable

import numpy as np
import pytest
from formulas import DOUBLE, FLOAT, LANES, OPCODES, Formula, Formulas, fields, found_by_name, signature
from scipy import special

from gradir.machine.ir import I32, VOID, Type
from gradir.machine.ir.builder import Code
from gradir.machine.ir.text.reader import read
from gradir.machine.rules import RULES, constants_of, rule_for, rule_named

PROCESS = ctypes.CDLL(None)

# Functions that this process may not have: what they compute.
REFERENCES: dict[str, Callable[..., float]] = {
    "pow10": lambda x: 10.0**x,
    "exp10": lambda x: 10.0**x,
    "llvm.exp10": lambda x: 10.0**x,
    "exp2m1": lambda x: 2.0**x - 1,
    "exp10m1": lambda x: 10.0**x - 1,
    "logp1": math.log1p,
    "log2p1": lambda x: math.log1p(x) / math.log(2),
    "log10p1": lambda x: math.log1p(x) / math.log(10),
    "rsqrt": lambda x: x**-0.5,
    "__nv_frsqrt": lambda x: x**-0.5,
    "__nv_rcbrt": lambda x: x ** (-1 / 3),
    "powr": lambda x, y: x**y,
    "rootn": lambda x, n: x ** (1 / n),
    "compoundn": lambda x, n: (1 + x) ** n,
    "__nv_rhypot": lambda x, y: 1 / math.hypot(x, y),
    "__nv_norm3d": lambda *v: math.hypot(*v),
    "__nv_norm4d": lambda *v: math.hypot(*v),
    "sinpi": lambda x: math.sin(math.pi * math.remainder(x, 2)),
    "cospi": lambda x: math.cos(math.pi * math.remainder(x, 2)),
    "tanpi": lambda x: math.tan(math.pi * math.remainder(x, 1)),
    "asinpi": lambda x: math.asin(x) / math.pi,
    "acospi": lambda x: math.acos(x) / math.pi,
    "atanpi": lambda x: math.atan(x) / math.pi,
    "atan2pi": lambda y, x: math.atan2(y, x) / math.pi,
    "__nv_erfcx": special.erfcx,
    "_FortranAErfcScaled": special.erfcx,
    "__nv_erfinv": special.erfinv,
    "__nv_erfcinv": special.erfcinv,
    "__nv_normcdf": special.ndtr,
    "__nv_normcdfinv": special.ndtri,
    "numba_gamma": math.gamma,
    "gradir.polygamma": special.polygamma,
    "__nv_saturate": lambda x: min(max(x, 0.0), 1.0),
    "fmaximum": max,
    "fminimum": min,
    "fmaximum_num": max,
    "fminimum_num": min,
    "fmaximum_mag": lambda x, y: x if abs(x) > abs(y) else y,
    "fminimum_mag": lambda x, y: x if abs(x) < abs(y) else y,
    "fmaximum_mag_num": lambda x, y: x if abs(x) > abs(y) else y,
    "fminimum_mag_num": lambda x, y: x if abs(x) < abs(y) else y,
    "_FortranAModReal": lambda x, y, file, line: math.fmod(x, y),
    "_FortranAModuloReal": lambda x, y, file, line: x - y * math.floor(x / y),
    "__nv_dadd": lambda x, y: x + y,
    "__nv_fadd": lambda x, y: x + y,
    "__nv_dsub": lambda x, y: x - y,
    "__nv_fsub": lambda x, y: x - y,
    "__nv_dmul": lambda x, y: x * y,
    "__nv_fmul": lambda x, y: x * y,
    "__nv_ddiv": lambda x, y: x / y,
    "__nv_fdiv": lambda x, y: x / y,
    "__nv_fdivide": lambda x, y: x / y,
    "__nv_drcp": lambda x: 1 / x,
    "__nv_frcp": lambda x: 1 / x,
    "__nv_dsqrt": math.sqrt,
    "__nv_fsqrt": math.sqrt,
    "_FortranAFPowi": lambda x, n: x**n,
    "_FortranAFPowk": lambda x, n: x**n,
    "_FortranAFraction": lambda x: math.frexp(x)[0],
    "_FortranAScale": lambda x, n: math.ldexp(x, int(n)),
    "_FortranASetExponent": lambda x, n: math.ldexp(math.frexp(x)[0], int(n)),
    "_FortranANearest": lambda x, up: math.nextafter(x, math.inf if up else -math.inf),
    "_FortranASpacing": lambda x: math.ulp(x),
    "_FortranARRSpacing": lambda x: abs(x) / math.ulp(x),
    "numba_ldexp": lambda x, n: math.ldexp(x, int(n)),
    "llvm.sincospi": lambda x: (math.sin(math.pi * x), math.cos(math.pi * x)),
    "llvm.ssa.copy": lambda x: x,
    "llvm.experimental.constrained.maximum": lambda x, y, _: max(x, y),  # which LLVM has no code for on x86
    "llvm.experimental.constrained.minimum": lambda x, y, _: min(x, y),
    "nextup": lambda x: math.nextafter(x, math.inf),
    "nextdown": lambda x: math.nextafter(x, -math.inf),
}
# Formulas that call what this process does not have: only their text is checked.
UNCALLABLE = {"__nv_cyl_bessel_i0", "__nv_cyl_bessel_i1"}

# Where a function is smooth, for those that are not between -2.5 and 2.5.
RANGES = [
    ("log log2 log10 sqrt rsqrt __nv_frsqrt __nv_rcbrt powr rootn y0 y1 yn numba_gamma", (0.2, 4)),
    ("__nv_dsqrt __nv_fsqrt tgamma lgamma gamma gradir.polygamma cbrt pow", (0.2, 4)),
    ("log1p logp1 log2p1 log10p1 compoundn", (-0.8, 3)),
    ("asin acos atanh asinpi acospi __nv_erfinv", (-0.9, 0.9)),
    ("__nv_erfcinv __nv_normcdfinv", (0.1, 0.9)),
    ("tan tanpi sincospi", (-0.4, 0.4)),
    ("acosh", (1.2, 5)),
    ("_FortranAFPowk", (0.3, 2)),
]
DOMAINS = {name: where for names, where in RANGES for name in names.split()}


def domain(name: str) -> tuple[float, float]:
    plain = name.removeprefix("llvm.experimental.constrained.").removeprefix("llvm.")
    return DOMAINS.get(name, DOMAINS.get(plain, (-2.5, 2.5)))


def has_primal(name: str) -> bool:
    if name in REFERENCES or name in UNCALLABLE:
        return False
    return name in OPCODES or name.startswith("llvm.") or hasattr(PROCESS, name)


def formula(name: str, real=DOUBLE, lanes: int = 1) -> Formula:
    return Formula(name, real, signature(name), lanes)


def single(name: str) -> bool:
    """Whether there is a version in f32."""
    return not name.startswith("llvm.x86.") and (name.startswith("llvm.") or name in OPCODES or "." not in name)


def wide(name: str) -> bool:
    """Whether it is an operation on vectors, lane by lane."""
    return name in OPCODES or (
        name.startswith("llvm.") and "reduce" not in name and "x86" not in name and set(signature(name)) == {"f"}
    )


def x86_type(name: str) -> tuple[Type, int]:
    """The type of a lane of one of x86's instructions, and how many it has: 128 bits, unless the name says more."""
    found = re.search(r"\.p([sd])(?:\.(\d+))?$", name)
    assert found is not None, name
    bits, real = int(found[2] or 128), FLOAT if found[1] == "s" else DOUBLE
    return real, bits // (32 if found[1] == "s" else 64)


@pytest.fixture(scope="module")
def compiled() -> Formulas:
    wanted = []
    for name in RULES:
        if name in UNCALLABLE or name.startswith("llvm.x86."):
            continue
        wanted.append((formula(name), has_primal(name)))
        if single(name):
            wanted.append((formula(name, FLOAT), False))
        if wide(name):
            wanted.append((formula(name, DOUBLE, 2), False))
    return Formulas(wanted)


def evaluate(compiled: Formulas, f: Formula, operands: list) -> np.ndarray:
    """The results: fields by lanes."""
    if f.name not in REFERENCES:
        return compiled.primal(f, operands)
    found = REFERENCES[f.name](*operands)
    out = np.zeros((2, LANES))
    for k, part in enumerate(found if isinstance(found, tuple) else (found,)):
        out[k, :] = part
    return out


def sample(rng: np.random.Generator, f: Formula) -> list:
    low, high = domain(f.name)
    operands: list = []
    for letter in f.operands:
        match letter:
            case "f":
                operands.append(float(np.float32(rng.uniform(low, high))))
            case "v":
                operands.append(np.float32(rng.uniform(low, high, LANES)).astype(float))
            case "i" | "l":
                operands.append(float(rng.integers(1, 5)))
            case _:
                operands.append(0.0)
    return operands


def slope(compiled: Formulas, f: Formula, operands: list, i: int, lane: int | None = None) -> np.ndarray | None:
    """Differences of the fields of the result, by one number; None where steps of two lengths don't agree.

    There a kink is near, or the function is too steep for differences.
    """

    def at(step: float) -> np.ndarray:
        moved = list(operands)
        moved[i] = operands[i] + (step if lane is None else step * np.eye(LANES)[lane])
        return evaluate(compiled, f, moved)[: fields(f.name), 0]

    def difference(h: float) -> np.ndarray:
        return (8 * (at(h) - at(-h)) - (at(2 * h) - at(-2 * h))) / (12 * h)

    coarse, fine = difference(1e-3), difference(7e-4)
    return fine if np.all(np.abs(coarse - fine) <= 1e-7 * (1 + np.abs(fine))) else None


@pytest.mark.parametrize("name", [n for n in RULES if not n.startswith("llvm.x86.") and n not in UNCALLABLE])
def test_formula_is_the_slope(compiled: Formulas, name: str) -> None:
    assert has_primal(name) or name in REFERENCES, f"nothing tells what {name} computes"
    f, rng = formula(name), np.random.default_rng(zlib.crc32(name.encode()))
    checked = 0
    for _ in range(16):
        operands = sample(rng, f)
        found = compiled.partials(f, operands, evaluate(compiled, f, operands))
        for i, letter in enumerate(f.operands):
            for lane in {"f": [None], "v": range(LANES)}.get(letter, []):
                expected = slope(compiled, f, operands, i, lane)
                if expected is not None:
                    checked += 1
                    assert_close(found[i, : fields(name), lane or 0], expected, f, operands)
    assert checked >= 10, f"{name} was hardly checked"


def assert_close(found: np.ndarray, expected: np.ndarray, f: Formula, operands: list, tolerance: float = 2e-7) -> None:
    error = np.abs(found - expected)
    assert np.all(error <= tolerance * (1 + np.abs(expected))), (f.name, operands, found, expected)


@pytest.mark.parametrize("name", [n for n in RULES if single(n) and n not in UNCALLABLE])
def test_formula_in_single_precision(compiled: Formulas, name: str) -> None:
    """As in double, rounded: the formulas are the same, their calls and constants are not."""
    f, narrow, rng = formula(name), formula(name, FLOAT), np.random.default_rng(7)
    for _ in range(5):
        operands = sample(rng, f)
        results = evaluate(compiled, f, operands)
        expected = compiled.partials(f, operands, results)
        found = compiled.partials(narrow, operands, results)
        assert_close(found, expected, narrow, operands, 2e-3 if "gamma" in name else 2e-4)


@pytest.mark.parametrize("name", [n for n in RULES if wide(n)])
def test_formula_of_vectors(compiled: Formulas, name: str) -> None:
    """Each lane is as if it were alone."""
    f, vectors, rng = formula(name), formula(name, DOUBLE, 2), np.random.default_rng(3)
    lanes = [sample(rng, f) for _ in range(2)]
    results = [evaluate(compiled, f, operands) for operands in lanes]
    operands = [np.array([lanes[k % 2][i] for k in range(LANES)]) for i in range(len(f.operands))]
    both = np.stack([results[k % 2][:, 0] for k in range(LANES)], axis=1)
    found = compiled.partials(vectors, operands, both)
    for k in range(2):
        alone = compiled.partials(f, lanes[k], results[k])
        np.testing.assert_allclose(found[:, :, k], alone[:, :, 0], rtol=1e-14)


INF, NAN = math.inf, math.nan
EDGES = [
    ("fabs", [0.0], [0]),
    ("llvm.fabs", [-0.0], [0]),
    ("sqrt", [0.0], [INF]),
    ("cbrt", [0.0], [INF]),
    ("log", [0.0], [INF]),
    ("asin", [1.0], [INF]),
    ("acos", [-1.0], [-INF]),
    ("acosh", [1.0], [INF]),
    ("atanh", [1.0], [INF]),
    ("pow", [0.0, 0.0], [0, 0]),
    ("pow", [0.0, 1.0], [1, 0]),
    ("pow", [0.0, 2.0], [0, 0]),
    ("pow", [0.0, 0.5], [INF, 0]),
    ("pow", [0.0, -1.0], [-INF, -INF]),
    ("pow", [-2.0, 3.0], [12, NAN]),
    ("pow", [-2.0, 0.0], [0, NAN]),
    ("llvm.powi", [0.0, 0.0], [0, 0]),
    ("llvm.powi", [0.0, 1.0], [1, 0]),
    ("llvm.powi", [0.0, 3.0], [0, 0]),
    ("llvm.powi", [-2.0, -1.0], [-0.25, 0]),
    ("_FortranAFPowk", [0.0, 1.0], [1, 0]),
    ("_FortranAFPowk", [0.0, 2.0], [0, 0]),
    ("hypot", [0.0, 0.0], [0, 0]),
    ("hypot", [3.0, 0.0], [1, 0]),
    ("atan2", [0.0, 0.0], [NAN, NAN]),
    ("atan2", [0.0, -1.0], [-1, 0]),
    ("fmax", [2.0, 2.0], [1, 0]),
    ("fmin", [2.0, 2.0], [1, 0]),
    ("fmax", [NAN, 2.0], [0, 1]),
    ("fmax", [2.0, NAN], [1, 0]),
    ("llvm.maxnum", [0.0, -0.0], [1, 0]),
    ("llvm.maximum", [1.0, 1.0], [1, 0]),
    ("fdim", [1.0, 1.0], [0, 0]),
    ("fdim", [2.0, 1.0], [1, -1]),
    ("fmod", [7.0, 2.0], [1, -3]),
    ("fmod", [-7.0, 2.0], [1, 3]),
    ("fmod", [7.0, INF], [1, 0]),
    ("fmod", [2.9999999999999996, 1.0], [1, -2]),
    ("remainder", [7.0, 2.0], [1, -4]),
    ("frem", [-7.0, 2.0], [1, 3]),
    ("copysign", [-3.0, 2.0], [-1, 0]),
    ("copysign", [0.0, -2.0], [0, 0]),
    ("j1", [0.0], [0.5]),
    ("jn", [1.0, 0.0], [0, 0.5]),
    ("jn", [0.0, 2.0], [0, -0.5767248077568734]),
    ("ldexp", [3.0, -4.0], [1 / 16, 0]),
    ("scalbln", [3.0, 1e6], [INF, 0]),
    ("scalbln", [3.0, -1e6], [0, 0]),
    ("expm1", [0.0], [1]),
    ("tanh", [30.0], [0]),
    ("erf", [0.0], [2 / math.sqrt(math.pi)]),
    ("sinpi", [1e9 + 0.5], [0]),
    ("lgamma", [-0.5], [0.03648997397857652]),
    ("lgamma", [1e6], [13.815510057964191]),
    ("floor", [1.5], [0]),
    ("nextafter", [1.0, 2.0], [1, 0]),
    ("significand", [0.0], [1]),
]


@pytest.mark.parametrize(("name", "operands", "expected"), EDGES, ids=lambda x: str(x))
def test_kinks_and_poles(compiled: Formulas, name: str, operands: list, expected: list) -> None:
    f = formula(name)
    with np.errstate(all="ignore"):
        found = compiled.partials(f, operands, evaluate(compiled, f, operands))[:, 0, 0]
    np.testing.assert_allclose(found, expected, rtol=1e-13, atol=1e-12)


def test_ties_among_lanes(compiled: Formulas) -> None:
    f = formula("llvm.vector.reduce.fmax")
    operands = [np.array([1.0, 5, 5, 2])]
    found = compiled.partials(f, operands, compiled.primal(f, operands))
    np.testing.assert_array_equal(found[0, 0], [0, 1, 0, 0])


def test_product_of_lanes_with_zeros(compiled: Formulas) -> None:
    f = formula("llvm.vector.reduce.fmul")
    operands = [2.0, np.array([1.0, 0, 3, 5])]
    found = compiled.partials(f, operands, compiled.primal(f, operands))
    assert found[0, 0, 0] == 0
    np.testing.assert_array_equal(found[1, 0], [0, 30, 0, 0])


@pytest.mark.parametrize("n", range(6))
def test_polygamma_is_accurate(compiled: Formulas, n: int) -> None:
    """The rule of order n is the function of order n + 1; that of lgamma is the first of all."""
    f = formula("gradir.polygamma")
    for x in (1e-3, 0.1, 0.5, 1.0, 1.4616321, 2.5, 7.0, 33.3, 1e3, 1e8):
        found = compiled.partials(f, [float(n), x], np.zeros((2, LANES)))[1, 0, 0]
        assert found == pytest.approx(special.polygamma(n + 1, x), rel=4e-14)
    digamma = [
        compiled.partials(formula("lgamma"), [x], np.zeros((2, LANES)))[0, 0, 0] for x in (0.1, 1.4616321, -2.3, 50.0)
    ]
    np.testing.assert_allclose(digamma, special.digamma([0.1, 1.4616321, -2.3, 50.0]), rtol=1e-14, atol=1e-14)


def test_polygamma_left_of_zero(compiled: Formulas) -> None:
    """By its recurrence: what is known right of zero, and a pole for each step to the left."""
    f = formula("gradir.polygamma")
    for n in range(1, 5):
        for x in (-0.3, -1.5, -2.7, -10.2):
            steps = math.ceil(-x) + 1
            poles = sum((x + k) ** -(n + 1) for k in range(steps))
            expected = special.polygamma(n, x + steps) - (-1) ** n * math.factorial(n) * poles
            found = compiled.partials(f, [float(n - 1), x], np.zeros((2, LANES)))[1, 0, 0]
            assert found == pytest.approx(expected, rel=1e-11)


# -- how rules are found -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", [n for n in RULES if n not in OPCODES])
def test_rules_are_found_by_the_name_that_programs_call(name: str) -> None:
    real, lanes = x86_type(name) if name.startswith("llvm.x86.") else (DOUBLE, 1)
    assert found_by_name(name, formula(name, real, lanes)) == name
    if single(name) and not name.startswith(("llvm.", "_Fortran", "__nv_", "numba")):
        assert found_by_name(name, formula(name, FLOAT)) == name


@pytest.mark.parametrize(
    ("spelled", "types", "rule"),
    [
        ("expf", [FLOAT], "exp"),
        ("__exp_finite", [DOUBLE], "exp"),
        ("__powf_finite", [FLOAT, FLOAT], "pow"),
        ("__nv_sin", [DOUBLE], "sin"),
        ("__nv_sinf", [FLOAT], "sin"),
        ("__nv_fast_expf", [FLOAT], "exp"),
        ("__nv_fmaf_rn", [FLOAT] * 3, "fma"),
        ("__nv_dadd_rn", [DOUBLE, DOUBLE], "__nv_dadd"),
        ("__ocml_erf_f32", [FLOAT], "erf"),
        ("_FortranAModReal8", [DOUBLE, DOUBLE, I32, I32], "_FortranAModReal"),
        ("_FortranAFPow8i", [DOUBLE, I32], "_FortranAFPowi"),
        ("llvm.fma.v4f64", [DOUBLE] * 3, "llvm.fma"),
        ("exp", [FLOAT], None),  # not the C library's
        ("expf", [DOUBLE], None),
        ("exp", [DOUBLE, DOUBLE], None),
        ("fmul", [DOUBLE, DOUBLE], None),  # an instruction's name, not a function's
        ("solve", [DOUBLE], None),
    ],
)
def test_spellings(spelled: str, types: list, rule: str | None) -> None:
    found = rule_named(spelled, types, types[0])
    assert (found.name if found else None) == rule


def test_long_double_and_vector_library() -> None:
    text = """
    declare x86_fp80 @expl(x86_fp80)
    declare <4 x double> @_ZGVdN4v_sin(<4 x double>)
    define <4 x double> @f(x86_fp80 %x, <4 x double> %v, double %s) {
      %y = call x86_fp80 @expl(x86_fp80 %x)
      %w = call <4 x double> @_ZGVdN4v_sin(<4 x double> %v)
      %d = fdiv double 1.000000e+00, %s
      ret <4 x double> %w
    }"""
    body = list(read(text.replace("\n    ", "\n")).functions["f"].instructions())
    assert [rule.name for i in body[:3] if (rule := rule_for(i))] == ["exp", "sin", "fdiv"]
    assert constants_of(body[2]) == ("1.000000e+00", None)


# -- what formulas read ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "i", "reads"),
    [("exp", 0, {-1}), ("sin", 0, {0}), ("fmul", 0, {1}), ("fdiv", 0, {1}), ("fdiv", 1, {-1, 1}), ("fadd", 0, set())],
)
def test_what_a_formula_reads(name: str, i: int, reads: set) -> None:
    types = (DOUBLE,) * len(RULES[name].partials)
    assert RULES[name].uses(i, types, DOUBLE) == reads


def test_a_constant_exponent_saves_operands() -> None:
    rule = RULES["llvm.pow"]
    assert rule.uses(0, (DOUBLE, DOUBLE), DOUBLE) == {0, 1}
    assert rule.uses(0, (DOUBLE, DOUBLE), DOUBLE, (None, "3.000000e+00")) == {0}
    assert rule.uses(0, (DOUBLE, DOUBLE), DOUBLE, (None, "1.000000e+00")) == set()


@pytest.mark.parametrize(("exponent", "text"), [("2.000000e+00", "fmul double %x, 2.0"), ("0x3FF8000000000000", "0.5")])
def test_powers_with_a_constant_exponent(exponent: str, text: str) -> None:
    code = Code("f", VOID, [(DOUBLE, "x"), (DOUBLE, "r")])
    x, r = code.parameters
    partial = RULES["pow"].partials[0]
    assert partial is not None
    partial(x, type(x)(code, DOUBLE, exponent), r)
    assert text in code.text() or "0x3FE0000000000000" in code.text()


@pytest.mark.parametrize("name", sorted(UNCALLABLE))
def test_formulas_that_call_another_library(name: str) -> None:
    lines: list[str] = []
    code = Code("f", VOID, [(DOUBLE, "x"), (DOUBLE, "r")], declare=lines.append)
    partial = RULES[name].partials[0]
    assert partial is not None
    partial(*code.parameters)
    assert lines[-1].startswith("declare double @__nv_cyl_bessel_i")
