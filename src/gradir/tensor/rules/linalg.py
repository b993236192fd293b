"""Matrix factorisations of StableHLO, and the matrix arithmetic that their derivatives are written in.

A value of rank n + 2 is a stack of matrices, in its last two dimensions. Hermitian matrices are given by one triangle
of an array that has two; as in JAX the derivative is that by a Hermitian matrix, so a gradient is Hermitian and what a
tangent has of an anti-Hermitian part does not count.

A factorisation mixes a whole matrix, so strong zero is a matter of whole matrices too: where all of a matrix's shadow
is zero, what comes out is zero.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from jaxlib.mlir import ir
from jaxlib.mlir.dialects import stablehlo as hlo

from gradir.tensor.ir import expr as E
from gradir.tensor.ir.expr import Expr
from gradir.tensor.rules.interface import Cotangent, Shadow
from gradir.tensor.rules.rule import Rule, Site, add, batched_type, with_batch

# -- matrices ----------------------------------------------------------------------------------------------------------


def transpose(x: Expr) -> Expr:
    return E.transpose(x, [*range(x.rank - 2), x.rank - 1, x.rank - 2])


def adjoint(x: Expr) -> Expr:
    """The conjugate transpose."""
    return E.conj(transpose(x))


def matmul(x: Expr, y: Expr) -> Expr:
    """The product of matrices, in full precision: factorisations lose enough of it."""
    n = x.rank - 2
    stack = list(range(n))
    highest = hlo.PrecisionAttr.get("HIGHEST")
    return E.dot_general(x, y, ([n + 1], [n]), (stack, stack), precision_config=ir.ArrayAttr.get([highest] * 2))


def row_and_column(x: Expr) -> tuple[Expr, Expr]:
    """The row and the column of each element, to compare."""
    i32 = ir.IntegerType.get_signless(32)
    return E.iota(x.shape, x.rank - 2, i32), E.iota(x.shape, x.rank - 1, i32)


def triangle(x: Expr, lower: bool, strict: bool = False) -> Expr:
    """`x` with zeros outside the lower or upper triangle (and, if strict, on the diagonal)."""
    row, column = row_and_column(x)
    if not lower:
        row, column = column, row
    return E.select(row > column if strict else row >= column, x, 0)


def on_diagonal(x: Expr) -> Expr:
    row, column = row_and_column(x)
    return row.eq(column)


def eye_like(x: Expr) -> Expr:
    return E.convert(on_diagonal(x), x.dtype)


def diagonal(x: Expr) -> Expr:
    """The diagonals of square matrices, as vectors."""
    return E.reduce_sum(E.select(on_diagonal(x), x, 0), [x.rank - 1])


def spread_rows(v: Expr, n: int) -> Expr:
    """Vectors as the n rows of matrices: element [i, j] is v[j]."""
    return E.broadcast(v, [*v.shape[:-1], n, v.shape[-1]], [*range(v.rank - 1), v.rank])


def spread_columns(v: Expr, n: int) -> Expr:
    """Vectors as the n columns of matrices: element [i, j] is v[i]."""
    return E.broadcast(v, [*v.shape, n], range(v.rank))


def hermitian(x: Expr) -> Expr:
    """The Hermitian part."""
    return (x + adjoint(x)) * 0.5


def halved(x: Expr, lower: bool) -> Expr:
    """A triangle with half of its diagonal: what, added to its adjoint, gives a Hermitian `x` again."""
    half = E.select(on_diagonal(x), x * 0.5, x)
    return triangle(half, lower)


def whole(site: Site, shadows: Sequence[Shadow], stack: int, out: Expr) -> Expr:
    """With strong zero: zero for those members of the stack (of `stack` dimensions) whose shadows are all zero."""
    if not site.strong_zero:
        return out
    nothing = [E.reduce(d.eq(0), range(stack, d.rank), "stablehlo.and", True) for d in shadows if d is not None]
    zero = nothing[0]
    for more in nothing[1:]:
        zero = zero & more
    return E.select(E.broadcast(zero, out.shape, range(stack)), 0, out)


# -- triangular systems ------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Triangle:
    """How a matrix `a` stands in the system `op(a) x = b`."""

    left: bool = True
    """False for `x op(a) = b`."""
    lower: bool = True
    """Which triangle of `a` is read."""
    unit: bool = False
    """Whether the diagonal counts as ones, and is not read."""
    transpose: str = "N"
    """op: N, `a` itself; T, its transpose; C, its conjugate transpose."""


Solve = Callable[[Expr, Expr, Triangle], Expr]
"""`solve(a, b, how)` emits the solution of a triangular system."""

_TRANSPOSE = {"N": "NO_TRANSPOSE", "T": "TRANSPOSE", "C": "ADJOINT"}


def solve_triangular(a: Expr, b: Expr, how: Triangle) -> Expr:
    """`stablehlo.triangular_solve`."""
    return E.op(
        "stablehlo.triangular_solve",
        a,
        b,
        result=b.type,
        left_side=ir.BoolAttr.get(how.left),
        lower=ir.BoolAttr.get(how.lower),
        unit_diagonal=ir.BoolAttr.get(how.unit),
        transpose_a=hlo.TransposeAttr.get(_TRANSPOSE[how.transpose]),
    )


def triangular_rule(name: str, read: Callable[[Site], tuple[Triangle, Solve]]) -> Rule:
    """The rule of an op (or a custom call) that solves a triangular system: operands `a` and `b`, result `x`."""

    def jvp(site: Site, tangents: Sequence[Shadow]) -> list[Shadow]:
        """`op(a) dx = db - op(da) x`"""
        how, solve = read(site)
        da, db = tangents
        right = db
        if da is not None:
            da = triangle(da, how.lower, strict=how.unit)
            da = {"N": lambda m: m, "T": transpose, "C": adjoint}[how.transpose](da)
            x = site.outs[0]
            moved = matmul(da, x) if how.left else matmul(x, da)
            right = -moved if db is None else db - moved
        assert right is not None
        return [whole(site, tangents, right.rank - 2, solve(site.ins[0], right, how))]

    def vjp(site: Site, cotangents: Sequence[Shadow]) -> list[Cotangent]:
        """`op(a)ᴴ ct(b) = ct(x)`, and `ct(op(a)) = -ct(b) xᴴ`"""
        how, solve = read(site)
        (ct,) = cotangents
        assert ct is not None
        a = site.ins[0]
        if how.transpose == "T" and E.is_complex(a.dtype):
            ct_b = solve(E.conj(a), ct, replace(how, transpose="N"))
        else:
            ct_b = solve(a, ct, replace(how, transpose="C" if how.transpose == "N" else "N"))
        ct_b = whole(site, cotangents, ct.rank - 2, ct_b)
        if not site.active[0]:
            return [None, ct_b]
        x = adjoint(site.outs[0])
        ct_a = -(matmul(ct_b, x) if how.left else matmul(x, ct_b))
        ct_a = {"N": lambda m: m, "T": transpose, "C": adjoint}[how.transpose](ct_a)
        ct_a = triangle(ct_a, how.lower, strict=how.unit)
        return [whole(site, cotangents, ct.rank - 2, ct_a), ct_b]

    def batch(site: Site) -> list[Expr]:
        how, solve = read(site)
        if site.batched[0]:
            return [solve(site.ins[0], with_batch(site, 1), how)]
        # One matrix for all examples: their right-hand sides stand side by side (or one below the other).
        b, shape = site.ins[1], site.in_type(1).shape
        at = b.rank - 2 if how.left else b.rank - 3
        together = E.transpose(b, [*range(1, at + 1), 0, *range(at + 1, b.rank)])
        shape[-1 if how.left else -2] *= site.size
        x = E.reshape(solve(site.ins[0], E.reshape(together, shape), how), together.shape)
        return [E.transpose(x, [at, *(d for d in range(x.rank) if d != at)])]

    return Rule(name, jvp=jvp, vjp=vjp, batch=batch)


def _read_triangular(site: Site) -> tuple[Triangle, Solve]:
    left, lower, unit = (bool(ir.BoolAttr(site.attr(name)).value) for name in ("left_side", "lower", "unit_diagonal"))
    kind = str(hlo.TransposeAttr(site.attr("transpose_a")).value)
    return Triangle(left, lower, unit, next(k for k, name in _TRANSPOSE.items() if name == kind)), solve_triangular


add(triangular_rule("stablehlo.triangular_solve", _read_triangular))

# -- cholesky ----------------------------------------------------------------------------------------------------------


def cholesky_tangent(factor: Expr, da: Expr, lower: bool, solve: Solve) -> Expr:
    """`dl = l φ(l⁻¹ da l⁻ᴴ)` for `a = l lᴴ`, where φ takes a triangle with half of the diagonal (Murray, 2016)."""
    factor = triangle(factor, lower)
    near, far = ("N", "C") if lower else ("C", "N")
    inner = solve(factor, hermitian(da), Triangle(left=False, lower=lower, transpose=far))
    inner = halved(solve(factor, inner, Triangle(left=True, lower=lower, transpose=near)), lower)
    return matmul(factor, inner) if lower else matmul(inner, factor)


def cholesky_cotangent(factor: Expr, ct: Expr, lower: bool, solve: Solve) -> Expr:
    """The adjoint of `cholesky_tangent`."""
    factor = triangle(factor, lower)
    near, far = ("N", "C") if lower else ("C", "N")
    inner = matmul(adjoint(factor), ct) if lower else matmul(ct, adjoint(factor))
    inner = solve(factor, halved(inner, lower), Triangle(left=True, lower=lower, transpose=far))
    return hermitian(solve(factor, inner, Triangle(left=False, lower=lower, transpose=near)))


def _is_lower(site: Site) -> bool:
    lower = site.get("lower")
    return lower is not None and bool(ir.BoolAttr(lower).value)


def _jvp_cholesky(site: Site, tangents: Sequence[Shadow]) -> list[Shadow]:
    (da,) = tangents
    assert da is not None
    return [whole(site, tangents, da.rank - 2, cholesky_tangent(site.outs[0], da, _is_lower(site), solve_triangular))]


def _vjp_cholesky(site: Site, cotangents: Sequence[Shadow]) -> list[Cotangent]:
    (ct,) = cotangents
    assert ct is not None
    out = cholesky_cotangent(site.outs[0], ct, _is_lower(site), solve_triangular)
    return [whole(site, cotangents, ct.rank - 2, out)]


def _batch_cholesky(site: Site) -> list[Expr]:
    return site.again(site.ins, [batched_type(site.out_type(), site.size)])


add(Rule("stablehlo.cholesky", jvp=_jvp_cholesky, vjp=_vjp_cholesky, batch=_batch_cholesky))
