"""Linear equations, solved by what StableHLO has: by elimination, or by products with the matrix alone."""

from __future__ import annotations

from collections.abc import Callable

import ml_dtypes
from jaxlib.mlir import ir

from gradir.tensor.ir import expr as E
from gradir.tensor.ir.expr import Expr
from gradir.tensor.ir.reading import dtype as numpy_type
from gradir.tensor.rules.computation import count_up

Apply = Callable[[Expr], Expr]

NAN = float("nan")


def eliminated(a: Expr, b: Expr) -> Expr:
    """The solution of `a x = b`, by Gauss and Jordan's elimination with partial pivoting."""
    n = a.shape[0]
    i32 = ir.IntegerType.get_signless(32)
    zero = E.full(E.tensor([], i32), 0)
    rows = E.iota([n], 0, i32)

    def round_(k: Expr, m: Expr) -> list[Expr]:
        column = E.reshape(E.dynamic_slice(m, [zero, k], [n, 1]), [n])
        here = E.broadcast(k, [n], [])
        sizes = E.select(rows >= here, E.absolute(column), -1.0)
        greatest = E.reduce(sizes, [0], "stablehlo.maximum", -1.0)
        found = E.select(sizes.eq(E.broadcast(greatest, [n], [])), rows, n - 1)
        pivot = E.reduce(found, [0], "stablehlo.minimum", n - 1)
        mine, theirs = (E.dynamic_slice(m, [at, zero], [1, n + 1]) for at in (k, pivot))
        theirs = theirs / E.broadcast(E.dynamic_slice(theirs, [zero, k], [1, 1]), [1, n + 1], [0, 1])
        m = E.dynamic_update_slice(E.dynamic_update_slice(m, mine, [pivot, zero]), theirs, [k, zero])
        column = E.reshape(E.dynamic_slice(m, [zero, k], [n, 1]), [n])
        factors = E.select(rows.eq(here), 0.0, column)
        return [m - E.broadcast(factors, [n, n + 1], [0]) * E.broadcast(theirs, [n, n + 1], [0, 1])]

    (m,) = count_up(n, round_, [E.concatenate([a, E.reshape(b, [n, 1])], 1)])
    return E.reshape(E.slice_in_dim(m, n, n + 1, 1), [n])


def roundings(dtype: ir.Type) -> float:
    """How near products in a type come to what they should be."""
    known = numpy_type(dtype)
    assert known is not None
    return float(ml_dtypes.finfo(known).eps)


def iterated(apply: Apply, transposed: Apply, b: Expr, eps: float) -> Expr:
    """The solution of `A x = b` by BiCGStab, and where that fails by conjugate gradients on the normal equations.

    Where these fail as well, it is NaN: what has not converged is no solution, as near as products rounded by `eps` can
    tell.
    """
    n = b.shape[0]
    most = min(2 * n, 10_000) + 20
    tolerance = eps**0.75
    # Vector and matrix are near 1 in what follows, so that squares stay in range.
    length = _greatest(b)
    b = _over(b, length)
    scale = _greatest(apply(b))
    scaled: Apply = lambda v: _over(apply(v), scale)  # noqa: E731
    enough = _dot(b, b) * tolerance**2
    x = _bicgstab(scaled, b, enough, most)
    x = E.select(E.broadcast(_dot(x, x) < float("inf"), [n], []), x, 0.0)
    x = _normal(scaled, lambda v: _over(transposed(v), scale), b, x, enough, most)
    left = b - scaled(x)
    solved = _dot(left, left) <= enough * 100.0
    return E.select(E.broadcast(solved, [n], []), _over(x, scale) * E.broadcast(length, [n], []), NAN)


def _bicgstab(apply: Apply, b: Expr, enough: Expr, most: int) -> Expr:
    """Stabilised bi-conjugate gradients, begun anew from where they are if they break down."""

    def is_on(k: Expr, x: Expr, r: Expr, *_: Expr) -> Expr:
        return (k < most) & (_dot(r, r) > enough)

    def round_(k: Expr, x: Expr, r: Expr, first: Expr, p: Expr, rho: Expr) -> list[Expr]:
        v = apply(p)
        alpha = rho / _dot(first, v)
        s = r - _times(alpha, v)
        t = apply(s)
        square = _dot(t, t)
        omega = E.select(square > 0, _dot(t, s) / square, 0.0)
        x, r = x + _times(alpha, p) + _times(omega, s), s - _times(omega, t)
        new, left = _dot(first, r), _dot(r, r)
        stuck = (new * new <= left * _dot(first, first) * 1e-12) | omega.eq(0)
        p = r + _times((new / rho) * (alpha / omega), p - _times(omega, v))
        everywhere = E.broadcast(stuck, r.shape, [])
        return [k + 1, x, r, E.select(everywhere, r, first), E.select(everywhere, r, p), E.select(stuck, left, new)]

    return E.loop([_no_rounds(), E.zeros_like(b), b, b, b, _dot(b, b)], is_on, round_)[1]


def _normal(apply: Apply, transposed: Apply, b: Expr, x: Expr, enough: Expr, most: int) -> Expr:
    """Conjugate gradients on `AᵀA x = Aᵀb` from some `x`: slower, but no matrix that has an inverse stops them."""

    def is_on(k: Expr, x: Expr, r: Expr, *_: Expr) -> Expr:
        return (k < most) & (_dot(r, r) > enough)

    def round_(k: Expr, x: Expr, r: Expr, p: Expr, gamma: Expr) -> list[Expr]:
        q = apply(p)
        alpha = gamma / _dot(q, q)
        x, r = x + _times(alpha, p), r - _times(alpha, q)
        s = transposed(r)
        new = _dot(s, s)
        return [k + 1, x, r, s + _times(new / gamma, p), new]

    r = b - apply(x)
    s = transposed(r)
    return E.loop([_no_rounds(), x, r, s, _dot(s, s)], is_on, round_)[1]


def _no_rounds() -> Expr:
    return E.full(E.tensor([], ir.IntegerType.get_signless(32)), 0)


def _greatest(x: Expr) -> Expr:
    """The size of the greatest element; 1 if all are 0."""
    size = E.reduce(E.absolute(x), [0], "stablehlo.maximum", 0.0)
    return E.select(size > 0, size, 1.0)


def _over(x: Expr, c: Expr) -> Expr:
    return x / E.broadcast(c, x.shape, [])


def _dot(x: Expr, y: Expr) -> Expr:
    return E.reduce_sum(x * y, [0])


def _times(c: Expr, x: Expr) -> Expr:
    return E.broadcast(c, x.shape, []) * x
