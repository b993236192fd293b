"""Elementwise ops of StableHLO. Inputs keep away from kinks; `test_elementwise.py` has the conventions there."""

from __future__ import annotations

from collections.abc import Sequence

from cases import Case, Inputs, case, complex_normal, normal, uniform

F64, C128 = "tensor<4xf64>", "tensor<4xcomplex<f64>>"
I32, I1 = "tensor<4xi32>", "tensor<4xi1>"


def program(arguments: Sequence[str], body: str, result: str) -> str:
    """A module whose @f has arguments %a, %b, %c of these types, and returns the %r that `body` defines."""
    named = ", ".join(f"%{name}: {t}" for name, t in zip("abc", arguments, strict=False))
    return f"func.func public @f({named}) -> {result} {{\n{body}\nreturn %r : {result}\n}}"


def plain(op: str, label: str, inputs: Inputs, arguments: Sequence[str], result: str = "", **options: object) -> Case:
    """The op and nothing else, in generic form; `op` may carry attributes."""
    name, _, attributes = op.partition(" ")
    result = result or arguments[0]
    values = ", ".join(f"%{n}" for n, _ in zip("abc", arguments, strict=False))
    body = f'%r = "{name}"({values}) {attributes} : ({", ".join(arguments)}) -> {result}'
    return case(name, label, program(arguments, body, result), inputs, **options)


def together(*parts: Inputs) -> Inputs:
    """The arguments of several inputs, one after the other."""
    return lambda rng: [x for part in parts for x in part(rng)]


def away_from_zero(shape: Sequence[int], low: float = 0.3, high: float = 2) -> Inputs:
    return lambda rng: [rng.uniform(low, high, shape) * rng.choice([-1.0, 1.0], shape)]


def integers(low: int, high: int, *shapes: Sequence[int], dtype: str = "int32") -> Inputs:
    return lambda rng: [rng.integers(low, high, s).astype(dtype) for s in shapes]


def booleans(*shapes: Sequence[int]) -> Inputs:
    return lambda rng: [rng.integers(0, 2, s).astype(bool) for s in shapes]


# -- one operand -------------------------------------------------------------------------------------------------------

for op, low, high in [
    ("negate", -2, 2),
    ("exponential", -2, 2),
    ("exponential_minus_one", -2, 2),
    ("log", 0.2, 3),
    ("log_plus_one", -0.5, 3),
    ("sqrt", 0.2, 3),
    ("rsqrt", 0.2, 3),
    ("cbrt", 0.2, 3),
    ("sine", -3, 3),
    ("cosine", -3, 3),
    ("tan", -1, 1),
    ("tanh", -2, 2),
    ("logistic", -3, 3),
]:
    plain(f"stablehlo.{op}", "real", uniform(low, high, (4,)), [F64])
    # XLA has no complex cube root.
    backends = ("reference",) if op == "cbrt" else ("reference", "xla")
    plain(f"stablehlo.{op}", "complex", complex_normal((4,)), [C128], backends=backends)

plain("stablehlo.negate", "of an empty tensor", normal((0, 3)), ["tensor<0x3xf64>"])
plain("stablehlo.tanh", "of a scalar", normal(()), ["tensor<f64>"])
plain("stablehlo.exponential", "of three dimensions", normal((2, 1, 3)), ["tensor<2x1x3xf64>"])
plain("stablehlo.sine", "where a dimension is known at run time", normal((2, 3)), ["tensor<?x3xf64>"])
_accurate = "{result_accuracy = #stablehlo.result_accuracy<mode = #stablehlo.result_accuracy_mode<HIGHEST>>}"
plain(f"stablehlo.sine {_accurate}", "of the highest accuracy", normal((4,)), [F64])
plain(f"stablehlo.cosine {_accurate}", "of the highest accuracy", normal((4,)), [F64])

# -- two operands ------------------------------------------------------------------------------------------------------

for op in ("add", "subtract", "multiply"):
    plain(f"stablehlo.{op}", "real", normal((4,), (4,)), [F64, F64])
    plain(f"stablehlo.{op}", "complex", complex_normal((4,), (4,)), [C128, C128])
plain("stablehlo.divide", "real", together(normal((4,)), away_from_zero((4,))), [F64, F64])
plain("stablehlo.divide", "complex", complex_normal((4,), (4,)), [C128, C128])
plain("stablehlo.atan2", "real", normal((4,), (4,)), [F64, F64])
plain("stablehlo.atan2", "complex", complex_normal((4,), (4,)), [C128, C128])
plain("stablehlo.power", "real", together(uniform(0.3, 2, (4,)), normal((4,))), [F64, F64])
plain("stablehlo.power", "complex", complex_normal((4,), (4,)), [C128, C128])
_integers = f"%n = stablehlo.constant dense<[0.0, 1.0, 2.0, -3.0]> : {F64}"
case(
    "stablehlo.power",
    "a negative number by an integer",
    program([F64], f"{_integers}\n%r = stablehlo.power %a, %n : {F64}", F64),
    uniform(-2, -0.5, (4,)),
)
case(
    "stablehlo.multiply",
    "of a value by itself",
    program([F64], f"%r = stablehlo.multiply %a, %a : {F64}", F64),
    normal((4,)),
)
_dividends = together(away_from_zero((4,), 3.1, 4.9), away_from_zero((4,), 1.01, 1.5))
plain("stablehlo.remainder", "real", _dividends, [F64, F64])
plain("stablehlo.maximum", "real", normal((4,), (4,)), [F64, F64])
plain("stablehlo.minimum", "real", normal((4,), (4,)), [F64, F64])
plain("stablehlo.maximum", "complex", complex_normal((4,), (4,)), [C128, C128])
plain("stablehlo.minimum", "complex", complex_normal((4,), (4,)), [C128, C128])

# -- real and complex --------------------------------------------------------------------------------------------------

plain("stablehlo.abs", "real", away_from_zero((4,)), [F64])
plain("stablehlo.abs", "complex", complex_normal((4,)), [C128], F64)
plain("stablehlo.sign", "real", away_from_zero((4,)), [F64])
plain("stablehlo.sign", "complex", complex_normal((4,)), [C128])
plain("stablehlo.real", "complex", complex_normal((4,)), [C128], F64)
plain("stablehlo.imag", "complex", complex_normal((4,)), [C128], F64)
plain("stablehlo.complex", "both parts", normal((4,), (4,)), [F64, F64], C128)
case(
    "stablehlo.complex",
    "one part",
    program([F64], f"%z = stablehlo.constant dense<2.0> : {F64}\n%r = stablehlo.complex %z, %a : {C128}", C128),
    normal((4,)),
)

# -- types -------------------------------------------------------------------------------------------------------------


def there_and_back(t: str, other: str) -> str:
    return program(
        [t], f"%b = stablehlo.convert %a : ({t}) -> {other}\n%r = stablehlo.convert %b : ({other}) -> {t}", t
    )


plain("stablehlo.convert", "real to complex", normal((4,)), [F64], C128)
plain("stablehlo.convert", "complex to real", complex_normal((4,)), [C128], F64)
for narrow, step in [("f32", 1e-2), ("bf16", 10.0), ("f16", 1.0)]:
    t = f"tensor<4x{narrow}>"
    case(  # a linear function, so that a step far above the rounding errors is no error
        "stablehlo.convert",
        f"to {narrow} and back",
        there_and_back(F64, t),
        normal((4,)),
        step=step,
        rtol=1e-2,
    )
_c64 = "tensor<4xcomplex<f32>>"
case(
    "stablehlo.convert",
    "to complex<f32> and back",
    there_and_back(C128, _c64),
    complex_normal((4,)),
    step=1e-2,
    rtol=1e-4,
)
case(
    "stablehlo.convert",
    "to an integer and back, which has the derivative zero",
    there_and_back(F64, I32),
    away_from_zero((4,), 2.2, 2.8),
)
plain("stablehlo.convert", "an integer to real", integers(-9, 9, (4,)), [I32], F64)
_bits = "{exponent_bits = 11 : i32, mantissa_bits = 50 : i32}"
plain(f"stablehlo.reduce_precision {_bits}", "by two bits", normal((4,)), [F64])
case(
    "stablehlo.bitcast_convert",
    "to integers, which have no derivative",
    program(
        ["tensor<2xf64>"],
        "%b = stablehlo.bitcast_convert %a : (tensor<2xf64>) -> tensor<2x2xi32>\n"
        "%s = stablehlo.constant dense<31> : tensor<2x2xi32>\n"
        "%c = stablehlo.shift_right_logical %b, %s : tensor<2x2xi32>\n"
        "%r = stablehlo.convert %c : (tensor<2x2xi32>) -> tensor<2x2xf64>",
        "tensor<2x2xf64>",
    ),
    lambda rng: [-rng.uniform(1.1, 1.9, 2)],
    modes=("batch",),  # the low word's sign bit is noise to differences
)
plain("stablehlo.bitcast_convert", "to its own type", normal((4,)), [F64], F64)

# -- selection ---------------------------------------------------------------------------------------------------------

plain("stablehlo.select", "elements", together(booleans((4,)), normal((4,), (4,))), [I1, F64, F64], F64)
_complex = together(booleans((4,)), complex_normal((4,), (4,)))
plain("stablehlo.select", "complex elements", _complex, [I1, C128, C128], C128)
plain("stablehlo.select", "by one predicate", together(booleans(()), normal((4,), (4,))), ["tensor<i1>", F64, F64], F64)
_scalars = ["tensor<i1>", "tensor<f64>", "tensor<f64>"]
plain("stablehlo.select", "scalars", together(booleans(()), normal((), ())), _scalars, "tensor<f64>")
_one = f"%one = stablehlo.constant dense<1.0> : {F64}"
case(
    "stablehlo.select",
    "one active side",
    program([I1, F64], f"{_one}\n%r = stablehlo.select %a, %b, %one : {I1}, {F64}", F64),
    together(booleans((4,)), normal((4,))),
)
_bounds = together(uniform(-1, 0, (6,)), normal((6,)), uniform(0.1, 1, (6,)))
_six = "tensor<6xf64>"
plain("stablehlo.clamp", "between bounds of each element", _bounds, [_six, _six, _six], _six)
_scalar = "tensor<f64>"
plain(
    "stablehlo.clamp",
    "between scalars",
    together(uniform(-1, 0, ()), normal((6,)), uniform(0.1, 1, ())),
    [_scalar, _six, _scalar],
    _six,
)
_three = together(uniform(-1, 0, ()), normal(()), uniform(0.1, 1, ()))
plain("stablehlo.clamp", "a scalar", _three, [_scalar] * 3)
plain("stablehlo.clamp", "between bounds the wrong way round", normal((6,), (6,), (6,)), [_six] * 3)
plain("stablehlo.clamp", "complex", complex_normal((4,), (4,), (4,)), [C128] * 3)
plain(
    "stablehlo.clamp",
    "where a dimension is known at run time",
    together(uniform(-1, 0, ()), normal((6,)), uniform(0.1, 1, ())),
    [_scalar, "tensor<?xf64>", _scalar],
    "tensor<?xf64>",
    backends=("xla",),
)

# -- derivative zero ---------------------------------------------------------------------------------------------------

for op in ("ceil", "floor", "round_nearest_afz", "round_nearest_even"):
    plain(f"stablehlo.{op}", "real", away_from_zero((4,), 2.1, 2.4), [F64])


def factor(
    op: str, label: str, inputs: Inputs, arguments: Sequence[str], body: str, kind: str = I32, **options: object
) -> Case:
    """The first argument times the integer (or truth value) %i that `body` defines, which has no derivative."""
    convert = f"%n = stablehlo.convert %i : ({kind}) -> {F64}"
    text = program(arguments, f"{body}\n{convert}\n%r = stablehlo.multiply %a, %n : {F64}", F64)
    return case(op, label, text, inputs, **options)


_compared = f"%i = stablehlo.compare LT, %a, %b : ({F64}, {F64}) -> {I1}"
factor("stablehlo.compare", "real", normal((4,), (4,)), [F64, F64], _compared, I1)
factor("stablehlo.is_finite", "real", normal((4,)), [F64], f"%i = stablehlo.is_finite %a : ({F64}) -> {I1}", I1)
for op in ("and", "or", "xor"):
    bits = together(normal((4,)), integers(0, 99, (4,), (4,)))
    factor(f"stablehlo.{op}", "integers", bits, [F64, I32, I32], f"%i = stablehlo.{op} %b, %c : {I32}")
    factor(
        f"stablehlo.{op}",
        "truth values",
        together(normal((4,)), booleans((4,), (4,))),
        [F64, I1, I1],
        f"%i = stablehlo.{op} %b, %c : {I1}",
        I1,
    )
for op in ("not", "popcnt", "count_leading_zeros"):
    bits = together(normal((4,)), integers(0, 99, (4,)))
    factor(f"stablehlo.{op}", "integers", bits, [F64, I32], f"%i = stablehlo.{op} %b : {I32}")
for op in ("shift_left", "shift_right_arithmetic", "shift_right_logical"):
    shifts = together(normal((4,)), integers(0, 99, (4,)), integers(0, 4, (4,)))
    factor(f"stablehlo.{op}", "integers", shifts, [F64, I32, I32], f"%i = stablehlo.{op} %b, %c : {I32}")
