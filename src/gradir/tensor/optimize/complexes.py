"""Complex numbers: parts of what has just been put together, and the reverse."""

from __future__ import annotations

from collections.abc import Sequence

from jaxlib.mlir import ir

from gradir.tensor.analysis.computation import single_op
from gradir.tensor.ir import expr as E
from gradir.tensor.ir.expr import Expr
from gradir.tensor.ir.reading import direction, kind, made_by, maker, splat_of
from gradir.tensor.optimize.driver import Driver
from gradir.tensor.optimize.effects import FINITE, ROUNDS, ZERO_SIGN
from gradir.tensor.optimize.rule import Family

complexes = Family("complex", "real and imaginary parts")
row, rule = complexes.row, complexes.rule

row("real_of_complex", "real(complex(x, y))", "x", "float")
row("imag_of_complex", "imag(complex(x, y))", "y", "float")
row("complex_of_parts", "complex(real(z), imag(z))", "z", "complex")
row("complex_add", "complex(x, y) + complex(u, v)", "complex(x + u, y + v)", "complex")
row("complex_sub", "complex(x, y) - complex(u, v)", "complex(x - u, y - v)", "complex")
row("complex_neg", "-complex(x, y)", "complex(-x, -y)", "complex")
row("real_neg", "real(-z)", "-real(z)", "float", effects=ZERO_SIGN)
row("imag_neg", "imag(-z)", "-imag(z)", "float", effects=ZERO_SIGN)
row("real_add", "real(z + w)", "real(z) + real(w)", "float", phase="up")
row("imag_add", "imag(z + w)", "imag(z) + imag(w)", "float", phase="up")
row("real_sub", "real(z - w)", "real(z) - real(w)", "float", phase="up")
row("imag_sub", "imag(z - w)", "imag(z) - imag(w)", "float", phase="up")
row("abs_of_real", "abs(complex(x, 0))", "abs(x)", "float")
row("abs_of_imag", "abs(complex(0, x))", "abs(x)", "float")
row("add_parts", "(w + complex(x, 0)) + complex(0, y)", "w + complex(x, y)", "complex")
row("add_parts_other", "(w + complex(0, y)) + complex(x, 0)", "w + complex(x, y)", "complex")
row("complex_of_neg_parts", "complex(-real(z), -imag(z))", "-z", "complex")
row("complex_of_sum_parts", "complex(real(z) + real(w), imag(z) + imag(w))", "z + w", "complex", phase="down")
row("complex_of_difference_parts", "complex(real(z) - real(w), imag(z) - imag(w))", "z - w", "complex", phase="down")
row("complex_div_real", "complex(x, y) / complex(z, 0)", "complex(x / z, y / z)", "complex", effects=ROUNDS | FINITE)
row("real_mul_real", "real(complex(x, 0) * z)", "x * real(z)", "float", effects=FINITE)
row("imag_mul_real", "imag(complex(x, 0) * z)", "x * imag(z)", "float", effects=FINITE)
row("real_mul_conj", "real(z * complex(real(z), -imag(z)))", "real(z) * real(z) + imag(z) * imag(z)", "float",
    effects=ROUNDS | FINITE)  # fmt: skip
row("abs_conj", "abs(complex(real(z), -imag(z)))", "abs(z)", "float")
row("exp_conj", "exp(complex(real(z), -imag(z)))", "complex(real(exp(z)), -imag(exp(z)))", "complex", effects=ROUNDS)


@rule("real(convert(x))", "float")
def real_of_convert(op: ir.Operation, x: Expr) -> Expr | None:
    """real(convert(x)) -> convert(x) for real x."""
    return E.convert(x, op.results[0].type.element_type) if kind(x.type) != "complex" else None


@rule("imag(convert(x))", "float")
def imag_of_convert(op: ir.Operation, x: Expr) -> Expr | None:
    """imag(convert(x)) -> 0 for real x."""
    return E.full(op.results[0].type, 0) if kind(x.type) != "complex" else None


@rule("real(x)", "float")
def real_of_real(x: Expr) -> Expr | None:
    """real(x) -> x for real x."""
    return x if kind(x.type) == "float" else None


@rule("imag(x)", "float")
def imag_of_real(op: ir.Operation, x: Expr) -> Expr | None:
    """imag(x) -> 0 for real x."""
    return E.full(op.results[0].type, 0) if kind(x.type) == "float" else None


# -- what is real after all --------------------------------------------------------------------------------------------


@rule("convert(x)", "complex", when=lambda op: kind(op.operands[0].type) != "complex")
def convert_is_complex(op: ir.Operation, x: Expr) -> Expr:
    """convert(x) -> complex(x, 0) for real x: the one form that the rules here know."""
    part = E.convert(x, op.results[0].type.element_type.element_type)
    return E.complex_(part, E.zeros_like(part))


@rule("complex(x, 0) * complex(y, z)", "complex")
def complex_mul_real(x: Expr, y: Expr, z: Expr, driver: Driver) -> Expr | None:
    """complex(x, 0) * complex(y, z) -> complex(x * y, x * z) for finite y and z."""
    return E.complex_(x * y, x * z) if driver.facts.finite(y) and driver.facts.finite(z) else None


@rule("complex(x, y) * C", "complex")
def complex_mul_real_const(x: Expr, y: Expr, C: complex, driver: Driver) -> Expr | None:
    """complex(x, y) * C -> complex(x * C, y * C) for real C, and finite x and y."""
    if C.imag or not driver.facts.finite(x) or not driver.facts.finite(y):
        return None
    return E.complex_(x * C.real, y * C.real)


@rule("unary(k := complex(x, 0))", "complex", effects=ROUNDS)
def unary_of_real(op: ir.Operation, x: Expr, driver: Driver) -> Expr | None:
    """f(complex(x, 0)) -> complex(f(x), 0) where f(x) is real and finite."""
    low, high, nan = driver.facts.span(x)
    least = {"exponential": -80, "exponential_minus_one": -80, "sine": -1e4, "cosine": -1e4, "tanh": -1e4,
             "sqrt": 0, "log": 1e-30}.get(op.name.removeprefix("stablehlo."))  # fmt: skip
    if least is None or nan or not (driver.is_fast or (low >= least and high <= max(-least, 80))):
        return None
    if least >= 0 and low < least:
        return None
    made = E.op(op.name, x, **dict(op.attributes.items()))
    return E.complex_(made, E.zeros_like(made))


@rule("compare(complex(x, 0), complex(y, 0))", "bool")
def compare_of_reals(op: ir.Operation, x: Expr, y: Expr) -> Expr:
    """complex(x, 0) == complex(y, 0) -> x == y."""
    return E.compare(direction(op), x, y)


@rule("compare(complex(x, 0), C)", "bool")
def compare_real_const(op: ir.Operation, x: Expr, C: complex) -> Expr:
    """complex(x, 0) == C -> x == C for real C, and false for others."""
    return E.full(op.results[0].type, direction(op) == "NE") if C.imag else E.compare(direction(op), x, C.real)


@rule("compare(complex(x, 0), 0)", "bool")
def compare_real_zero(op: ir.Operation, x: Expr) -> Expr:
    """complex(x, 0) == 0 -> x == 0."""
    return E.compare(direction(op), x, 0)


@rule("where(p, z, w)", "complex")
def select_of_reals(p: Expr, z: Expr, w: Expr) -> Expr | None:
    """select(p, complex(x, 0), complex(y, 0)) -> complex(select(p, x, y), 0), also of constants."""
    if not any(made_by(v, "complex") is not None for v in (z, w)) or not (_is_real(z.value) and _is_real(w.value)):
        return None
    x, y = _free_part(z.value, 0), _free_part(w.value, 0)
    assert x is not None and y is not None
    chosen = E.select(p, x, y)
    return E.complex_(chosen, E.zeros_like(chosen))


def _is_real(value: ir.Value) -> bool:
    """Whether a value is seen to be real."""
    op, number = made_by(value, "complex"), splat_of(value)
    return splat_of(op.operands[1]) == 0 if op is not None else isinstance(number, complex) and number.imag == 0


@rule("abs(z) * abs(z)", "float", effects=ROUNDS | FINITE)
def abs_squared(z: Expr) -> Expr | None:
    """abs(z) * abs(z) -> re(z) * re(z) + im(z) * im(z) for complex z."""
    re, im = (E.real(z), E.imag(z)) if kind(z.type) == "complex" else (None, None)
    return None if re is None or im is None else re * re + im * im


@rule("chlo_conj(z)")
def conj_is_complex(z: Expr) -> Expr:
    """conj(z) -> complex(re(z), -im(z)): the one form that the rules here know."""
    return E.conj(z)


# -- parts of what was moved -------------------------------------------------------------------------------------------

_MOVED: dict[str, slice] = {
    **{
        f"stablehlo.{n}": slice(1)
        for n in ("slice", "reverse", "reshape", "transpose", "broadcast_in_dim", "dynamic_slice", "gather")
    },
    **{f"stablehlo.{n}": slice(2) for n in ("pad", "dynamic_update_slice", "reduce")},
    "stablehlo.select": slice(1, 3),
    "stablehlo.concatenate": slice(None),
}
"""Ops that do to both parts of a number the same, and which of their operands these are in."""


def _moves(op: ir.Operation) -> bool:
    """Whether an op does the same to both parts: sums do, other reductions don't."""
    if op.name == "stablehlo.reduce":
        return len(op.operands) == 2 and single_op(op.regions[0]) == "stablehlo.add"
    return op.name in _MOVED


def _moved_again(op: ir.Operation, operands: Sequence[Expr]) -> Expr:
    """The same movement of numbers of another type."""
    of = operands[_MOVED[op.name]][0].dtype
    t = E.tensor(op.results[0].type.shape, of)
    made = E.ops(op.name, operands, [t], dict(op.attributes.items()), regions=len(op.regions))
    if len(op.regions):
        scalar = E.tensor([], of)
        E.fill(made.regions[0], [scalar, scalar], lambda a, b: [a + b])
    return Expr(made.results[0])


def _free_part(value: ir.Value, k: int) -> Expr | None:
    """The real (0) or imaginary (1) part of a value, if it is at hand."""
    op, number = maker(value), splat_of(value)
    if op is not None and op.name == "stablehlo.complex":
        return Expr(op.operands[k])
    if not isinstance(number, complex):
        return None
    return E.full(E.tensor(value.type.shape, value.type.element_type.element_type), (number.real, number.imag)[k])


def _part_of_moved(name: str, k: int) -> None:
    def part(op: ir.Operation, x: Expr) -> Expr | None:
        m = maker(x.value)
        if m is None or not _moves(m):
            return None
        data = list(m.operands)[_MOVED[m.name]]
        if all(made_by(v, "complex") is None for v in data):
            return None
        if any(made_by(v, "complex") is None and not isinstance(splat_of(v), complex) for v in data):
            return None
        return _moved_again(m, [Expr(v) if v not in data else _free_part(v, k) or Expr(v) for v in m.operands])

    part.__doc__ = f"{name} of something moved, of which the parts are at hand."
    rule(f"{name}(x)", "float", name=f"{name}_of_moved", when=lambda op: kind(op.operands[0].type) == "complex")(part)


_part_of_moved("real", 0)
_part_of_moved("imag", 1)


@rule("complex(x, y)", "complex")
def complex_of_moved_parts(x: Expr, y: Expr) -> Expr | None:
    """complex(f(real(z)), f(imag(z))) -> f(z) for what only moves, or adds up."""
    f, g = maker(x.value), maker(y.value)
    if f is None or g is None or f.name != g.name or not _moves(f) or not _moves(g) or _MOVED[f.name] != slice(1):
        if f is None or g is None or f.name != "stablehlo.reduce" or g.name != f.name or not (_moves(f) and _moves(g)):
            return None
        if splat_of(f.operands[1]) != 0 or splat_of(g.operands[1]) != 0:
            return None
    re, im = made_by(f.operands[0], "real"), made_by(g.operands[0], "imag")
    same = re is not None and im is not None and re.operands[0] == im.operands[0]
    if not same or dict(f.attributes.items()) != dict(g.attributes.items()):
        return None
    assert re is not None
    z, rest = Expr(re.operands[0]), list(f.operands)[1:]
    if f.name == "stablehlo.reduce":
        return _moved_again(f, [z, E.full(E.tensor([], z.dtype), 0)])
    return _moved_again(f, [z, *map(Expr, rest)]) if rest == list(g.operands)[1:] else None
