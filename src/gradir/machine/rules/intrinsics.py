"""LLVM's intrinsics of floating point that the C library has no twin of."""

from __future__ import annotations

from functools import reduce
from math import pi

from gradir.machine.ir.builder import Expr
from gradir.machine.rules.elementary import extract, one_like, power_of_two, powi, to_float, where
from gradir.machine.rules.rule import RULES, Formula, partials

partials("llvm.fmuladd", *RULES["fma"].partials)
partials("llvm.canonicalize llvm.arithmetic.fence llvm.ssa.copy", lambda x, r: 1.0)


def _powi(x: Expr, n: Expr, r: Expr) -> Expr:
    """`n * powi(x, n - 1)`"""
    return where(n.eq(0), 0.0, to_float(n, x) * powi(x, n - 1), x)


partials("llvm.powi", _powi, None, note="0 where n is 0")


def _integer_power(x: Expr, n: Expr, r: Expr) -> Expr:
    """`n * powi(x, n - 1)`"""
    if n.type.count == 32:
        return _powi(x, n, r)
    # Of 64 bits there is no `powi`: the result tells the power below it, except at 0.
    at_zero = where(n.eq(1), 1.0, 0.0, x)
    return where(x.eq(0.0), at_zero, to_float(n, x) * (r / x), x)


partials("_FortranAFPowi _FortranAFPowk", _integer_power, None)

# -- more results than one: a partial for each ------------------------------------------------------------------------

partials("llvm.sincos", lambda x, r: (extract(r, 1), -extract(r, 0)))
partials("llvm.sincospi", lambda x, r: (extract(r, 1) * pi, extract(r, 0) * -pi))
partials("llvm.modf", lambda x, r: (1.0, None))
partials("llvm.frexp", lambda x, r: (power_of_two(0 - extract(r, 1), x), None))

# -- a vector to a number: the partial has its lanes ------------------------------------------------------------------


def _lanes(v: Expr) -> list[Expr]:
    return [v.code.emit(v.type.element, f"extractelement {v}, i64 {i}") for i in range(v.type.count)]


def _vector(lanes: list[Expr], like: Expr) -> Expr:
    made = Expr(like.code, like.type, "poison")
    for i, lane in enumerate(lanes):
        made = like.code.emit(like.type, f"insertelement {made}, {lane}, i64 {i}")
    return made


def _product(factors: list[Expr]) -> Expr:
    return reduce(lambda x, y: x * y, factors)


def _all(start: Expr, v: Expr, r: Expr) -> Expr:
    """the product of the lanes"""
    return _product(_lanes(v))


def _others(start: Expr, v: Expr, r: Expr) -> Expr:
    """for each lane the product of the other lanes, without a division, so that zeros don't matter"""
    lanes = _lanes(v)
    before, after = [start], [one_like(start)]
    for lane in lanes[:-1]:
        before.append(before[-1] * lane)
    for lane in reversed(lanes[1:]):
        after.append(after[-1] * lane)
    return _vector([b * a for b, a in zip(before, reversed(after), strict=True)], v)


def _winner(v: Expr, r: Expr) -> Expr:
    """1 in the first lane that is the result, 0 in the others"""
    lanes, found = _lanes(v), []
    free = Expr(v.code, lanes[0].eq(r).type, "true")
    for lane in lanes:
        hit = v.code.emit(free.type, f"and {free}, {lane.eq(r).ref}")
        free = v.code.emit(free.type, f"xor {hit}, {free.ref}")
        found.append(where(hit, 1.0, 0.0, lane))
    return _vector(found, v)


partials("llvm.vector.reduce.fadd", lambda s, v, r: 1.0, lambda s, v, r: one_like(v))
partials("llvm.vector.reduce.fmul", _all, _others)
partials(
    "llvm.vector.reduce.fmax llvm.vector.reduce.fmin llvm.vector.reduce.fmaximum llvm.vector.reduce.fminimum",
    _winner,
    note="of equal lanes the first counts",
)

# -- with rounding mode and exception behaviour told: metadata after the operands --------------------------------------


def _without_metadata(formula: Formula | None, operands: int) -> Formula | None:
    if formula is None:
        return None
    return lambda *values: formula(*values[:operands], values[-1])


def _constrained(names: str, metadata: int) -> None:
    for name in names.split():
        rule = RULES.get(f"llvm.{name}") or RULES[name]
        n = len(rule.partials)
        formulas = [_without_metadata(formula, n) for formula in rule.partials]
        partials(f"llvm.experimental.constrained.{name}", *formulas, *[None] * metadata, note=rule.note)


_constrained("fadd fsub fmul fdiv frem fma fmuladd sqrt pow powi ldexp rint nearbyint lrint llrint", 2)
_constrained("sin cos tan asin acos atan atan2 sinh cosh tanh exp exp2 log log2 log10", 2)
_constrained("maxnum minnum maximum minimum ceil floor trunc round roundeven lround llround", 1)

# -- x86's own, of all lanes (`passes/x86.py`) -------------------------------------------------------------------------

_PLACES = ("pd.128", "pd.256", "pd.512", "ps.128", "ps.256", "ps.512")


def _x86(what: str, *formulas: Formula | None, note: str) -> None:
    """A rule for each size of vectors. The operands are followed by what is kept of lanes left out, by which these
    are, and for some sizes by a rounding."""
    for place in _PLACES:
        name = f"llvm.x86.avx512.{what}.{place}"
        rounding = [None] if what.startswith("mask.") and place.endswith("512") else []
        partials(name, *(_first(f, len(formulas)) for f in formulas), None, None, *rounding, note=note)


def _first(formula: Formula | None, count: int) -> Formula | None:
    return formula and (lambda *values: formula(*values[:count], values[-1]))


def _reciprocal(x: Expr, r: Expr) -> Expr:
    """`-r * r`"""
    return -(r * r)


def _reciprocal_root(x: Expr, r: Expr) -> Expr:
    """`-0.5 * r * r * r`"""
    return r * r * r * -0.5


def _power(a: Expr, b: Expr, r: Expr) -> Expr:
    """`2 ** floor(b)`"""
    return r.code.intrinsic("exp2", r.code.intrinsic("floor", b))


_ESTIMATE = "of the exact function, by the estimate"
partials("llvm.x86.sse.rcp.ps llvm.x86.avx.rcp.ps.256", _reciprocal, note=_ESTIMATE)
partials("llvm.x86.sse.rsqrt.ps llvm.x86.avx.rsqrt.ps.256", _reciprocal_root, note=_ESTIMATE)
_x86("rcp14", _reciprocal, note=_ESTIMATE)
_x86("rsqrt14", _reciprocal_root, note=_ESTIMATE)
_x86("mask.scalef", _power, None, note="`b` counts as a whole number")
_x86("mask.getexp", None, note="a whole number")
_x86("mask.getmant", lambda x, n, r: where(x.eq(0.0), 0.0, r / x, x), None, note="the exponent is constant")
_x86("mask.reduce", lambda x, n, r: 1.0, None, note="what is taken away is constant")
