"""CHLO: special functions and broadcasting ops."""

from __future__ import annotations

from cases import Inputs, case, complex_normal, normal, uniform
from cases.elementwise import C128, F64, I1, I32, booleans, factor, integers, plain, program, together

# -- functions of one argument -----------------------------------------------------------------------------------------

for op, low, high in [
    ("acos", -0.9, 0.9),
    ("asin", -0.9, 0.9),
    ("atan", -2, 2),
    ("tan", -1, 1),
    ("sinh", -2, 2),
    ("cosh", -2, 2),
    ("asinh", -2, 2),
    ("acosh", 1.2, 3),
    ("atanh", -0.9, 0.9),
    ("square", -2, 2),
]:
    plain(f"chlo.{op}", "real", uniform(low, high, (4,)), [F64])
    plain(f"chlo.{op}", "complex", complex_normal((4,)), [C128])
for op, low, high in [
    ("erf", -2, 2),
    ("erfc", -2, 2),
    ("erf_inv", -0.9, 0.9),
    ("lgamma", 0.3, 4),
    ("digamma", 0.3, 4),
    ("bessel_i1e", -4, 4),
]:
    plain(f"chlo.{op}", "real", uniform(low, high, (4,)), [F64])
plain("chlo.lgamma", "of negative numbers", lambda rng: [-rng.integers(1, 4, 4) + rng.uniform(0.3, 0.7, 4)], [F64])
plain("chlo.digamma", "of negative numbers", lambda rng: [-rng.integers(1, 4, 4) + rng.uniform(0.3, 0.7, 4)], [F64])
plain("chlo.bessel_i1e", "far out", lambda rng: [rng.uniform(9, 40, 4) * rng.choice([-1, 1], 4)], [F64])
plain("chlo._asin_acos_kernel", "complex", complex_normal((4,)), [C128])
plain("chlo.conj", "complex", complex_normal((4,)), [C128])

# -- of two ------------------------------------------------------------------------------------------------------------

_order = f"%n = stablehlo.constant dense<[0.0, 1.0, 2.0, 3.0]> : {F64}"
case(
    "chlo.polygamma",
    "of constant orders",
    program([F64], f"{_order}\n%r = chlo.polygamma %n, %a : {F64}, {F64} -> {F64}", F64),
    uniform(0.5, 3, (4,)),
)
_exponent = f"%s = stablehlo.constant dense<[1.5, 2.0, 3.0, 4.5]> : {F64}"
case(
    "chlo.zeta",
    "of constant exponents",
    program([F64], f"{_exponent}\n%r = chlo.zeta %s, %a : {F64}, {F64} -> {F64}", F64),
    uniform(0.5, 3, (4,)),
)
plain("chlo.next_after", "real", normal((4,), (4,)), [F64, F64])

# -- derivative zero ---------------------------------------------------------------------------------------------------

for op in ("is_inf", "is_neg_inf", "is_pos_inf"):
    factor(f"chlo.{op}", "real", normal((4,)), [F64], f"%i = chlo.{op} %a : {F64} -> {I1}", I1)
factor("chlo.constant", "real", normal((4,)), [F64], f"%i = chlo.constant dense<[1, 2, 3, 4]> : {I32}")
_twos = f'%k = "chlo.constant_like"(%a) {{value = 2.0 : f64}} : ({F64}) -> {F64}'
case(
    "chlo.constant_like",
    "real",
    program([F64], f"{_twos}\n%r = stablehlo.multiply %a, %k : {F64}", F64),
    normal((4,)),
)
factor(
    "chlo.mulhi",
    "integers",
    together(normal((4,)), integers(1 << 20, 1 << 30, (4,), (4,))),
    [F64, I32, I32],
    f"%i = chlo.mulhi %b, %c : {I32}, {I32} -> {I32}",
    backends=("reference",),  # XLA's CPU compiler has no such op yet
)

# -- broadcasting ------------------------------------------------------------------------------------------------------

ROW, COLUMN, MATRIX = "tensor<3xf64>", "tensor<2x1xf64>", "tensor<2x3xf64>"


def broadcasting(op: str, inputs: Inputs, result: str = MATRIX) -> None:
    plain(f"chlo.broadcast_{op}", "a column and a row", inputs, [COLUMN, ROW], result)


for op in ("add", "subtract", "multiply", "maximum", "minimum", "atan2"):
    broadcasting(op, normal((2, 1), (3,)))
broadcasting("divide", uniform(0.5, 2, (2, 1), (3,)))
broadcasting("power", uniform(0.5, 2, (2, 1), (3,)))
broadcasting("remainder", together(uniform(3.1, 3.9, (2, 1)), uniform(1.01, 1.5, (3,))))
broadcasting("complex", normal((2, 1), (3,)), result="tensor<2x3xcomplex<f64>>")
broadcasting("next_after", normal((2, 1), (3,)))
plain(
    "chlo.broadcast_add {broadcast_dimensions = array<i64: 1>}",
    "along a named dimension",
    normal((3,), (2, 3)),
    [ROW, MATRIX],
    MATRIX,
)
plain("chlo.broadcast_multiply", "with a scalar", normal((2, 3), ()), [MATRIX, "tensor<f64>"])
plain("chlo.broadcast_multiply", "of equal shapes", complex_normal((4,), (4,)), [C128, C128])
plain(
    "chlo.broadcast_select",
    "by a row",
    together(booleans((3,)), normal((2, 3), (2, 1))),
    ["tensor<3xi1>", MATRIX, COLUMN],
    MATRIX,
)
for op, low in (("polygamma", 0), ("zeta", 2)):
    constant = f"%n = stablehlo.constant dense<[[{low}.0], [{low + 1}.0]]> : {COLUMN}"
    case(
        f"chlo.broadcast_{op}",
        "a column and a row",
        program([ROW], f'{constant}\n%r = "chlo.broadcast_{op}"(%n, %a) : ({COLUMN}, {ROW}) -> {MATRIX}', MATRIX),
        uniform(0.5, 3, (3,)),
    )


def spread_factor(op: str, inputs: Inputs, element: str, result: str = "", attributes: str = "") -> None:
    """A matrix of floats times what the op makes of a column and a row, which has no derivative."""
    row, column, made = f"tensor<3x{element}>", f"tensor<2x1x{element}>", f"tensor<2x3x{result or element}>"
    body = (
        f'%i = "chlo.broadcast_{op}"(%b, %c) {attributes} : ({column}, {row}) -> {made}\n'
        f"%n = stablehlo.convert %i : ({made}) -> {MATRIX}\n%r = stablehlo.multiply %a, %n : {MATRIX}"
    )
    text = program([MATRIX, column, row], body, MATRIX)
    case(f"chlo.broadcast_{op}", f"a column and a row of {element}", text, inputs)


for op in ("and", "or", "xor"):
    spread_factor(op, together(normal((2, 3)), integers(0, 99, (2, 1), (3,))), "i32")
    spread_factor(op, together(normal((2, 3)), booleans((2, 1), (3,))), "i1")
for op in ("shift_left", "shift_right_arithmetic", "shift_right_logical"):
    spread_factor(op, together(normal((2, 3)), integers(0, 99, (2, 1)), integers(0, 4, (3,))), "i32")
spread_factor(
    "compare",
    normal((2, 3), (2, 1), (3,)),
    "f64",
    "i1",
    "{comparison_direction = #chlo<comparison_direction LT>, compare_type = #chlo<comparison_type FLOAT>}",
)
