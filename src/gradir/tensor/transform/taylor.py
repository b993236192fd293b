"""Taylor mode: each value with the first coefficients of its power series along a curve.

Coefficients are those of powers of the parameter (the k-th derivative over k!), so that a product's are sums of
products, and linear ops map each by itself. Functions that solve a differential equation z' = w u' have theirs one
after the other from those of w. Any other op is differentiated k times in forward mode, by itself.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence

from jaxlib.mlir import ir

from gradir.tensor.analysis.activity import Mask
from gradir.tensor.ir import expr as E
from gradir.tensor.ir.expr import Expr
from gradir.tensor.rules.rule import add_shadows, zero_of
from gradir.tensor.transform.desk import Desk
from gradir.tensor.transform.local import Local, Walk

Shadow = Expr | None
Series = list[Shadow]
"""The coefficients of the first, the second, … power; None is a zero that is never built."""


class Taylor(Walk[Series]):
    """Values with their series, up to some order."""

    def __init__(self, deriver: Desk, order: int) -> None:
        super().__init__(deriver)
        self.order = order

    def leaf(self, op: ir.Operation, local: Local) -> Sequence[Series | None]:
        return [series if any(c is not None for c in series) else None for series in self._series(op, local)]

    def _series(self, op: ir.Operation, local: Local) -> Sequence[Series]:
        first = local.first()
        if not local.uses(first, local.active):
            return self._linear(local)
        if op.name in _BILINEAR:
            return [self._product(op)]
        if op.name in _RECURRENCES:
            operands = [[self.lookup(v), *self.shadows.get(v, [None] * self.order)] for v in op.operands]
            return [_RECURRENCES[op.name](self.lookup(op.results[0]), operands, self.order)]
        return self._general(local)

    def _linear(self, local: Local) -> list[Series]:
        made: list[Series] = [[] for s in local.smooth if s]
        for k in range(self.order):
            given = [self.shadows[v][k] if a else None for v, a in zip(local.values, local.active, strict=True)]
            mask = tuple(c is not None for c in given)
            outs: Sequence[Shadow] = [None] * len(made)
            if any(mask):
                outs = local.call(local.first(mask), *(c for c in given if c is not None))
            for series, out in zip(made, outs, strict=True):
                series.append(out)
        return made

    def _product(self, op: ir.Operation) -> Series:
        """The coefficients of a product of two series."""
        x, y = ([self.lookup(v), *self.shadows.get(v, [None] * self.order)] for v in op.operands)

        def times(a: Expr, b: Expr) -> Expr:
            new = op.clone()
            new.operands[0], new.operands[1] = a.value, b.value
            return Expr(new.results[0])

        return [_sum(times(a, b) for a, b in _pairs(x, y, k)) for k in range(1, self.order + 1)]

    def _general(self, local: Local) -> list[Series]:
        """By derivatives of the op alone: each is the forward derivative of the one before."""
        active = [v for v, a in zip(local.values, local.active, strict=True) if a]
        known = [[_times(c, math.factorial(k + 1)) for k, c in enumerate(self.shadows[v])] for v in active]
        made: list[Series] = [[] for s in local.smooth if s]
        for k, symbol in enumerate(local.orders(self.order)):
            given = [_or_zero(known[i][j], v.type) for j in range(k + 1) for i, v in enumerate(active)]
            for series, out in zip(made, local.call(symbol, *given), strict=True):
                series.append(_times(out, 1 / math.factorial(k + 1)))
        return made


_BILINEAR = ("stablehlo.multiply", "stablehlo.dot_general", "stablehlo.convolution")


# -- sums of products --------------------------------------------------------------------------------------------------


def _pairs(x: Sequence[Shadow], y: Sequence[Shadow], k: int, first: int = 0) -> list[tuple[Expr, Expr]]:
    """The terms of coefficient k of a product, from that with coefficient `first` of x on."""
    found = ((x[i], y[k - i]) for i in range(first, k + 1) if i < len(x) and k - i < len(y))
    return [(a, b) for a, b in found if a is not None and b is not None]


def _sum(terms: Iterable[Shadow]) -> Shadow:
    total: Shadow = None
    for t in terms:
        total = add_shadows(total, t)
    return total


def _times(x: Shadow, factor: float) -> Shadow:
    return x if x is None or factor == 1 else x * factor


def _minus(x: Shadow) -> Shadow:
    return None if x is None else -x


def _convolved(x: Sequence[Shadow], y: Sequence[Shadow], k: int, first: int = 0) -> Shadow:
    return _sum(a * b for a, b in _pairs(x, y, k, first))


def _or_zero(x: Shadow, t: ir.Type) -> Expr:
    return zero_of(t) if x is None else x


# -- functions of one number -------------------------------------------------------------------------------------------

Recurrence = Callable[[Expr, Sequence[Sequence[Shadow]], int], Series]
"""`recurrence(result, operands with their series, order)`: the result's series."""

Slope = Callable[[Sequence[Shadow], Sequence[Shadow], Sequence[Shadow]], Shadow]
"""`slope(z, u, w)`: the next coefficient of w, where z' = w u', from those of z and u up to it and of w before it."""


def _integrated(slope: Slope) -> Recurrence:
    """z' = w u', so k z_k = Σ i u_i w_{k-i}."""

    def recurrence(result: Expr, operands: Sequence[Sequence[Shadow]], order: int) -> Series:
        (u,) = operands
        moved = [_times(c, i) for i, c in enumerate(u)]
        z: Series = [result]
        w: Series = []
        for k in range(1, order + 1):
            w.append(slope(z, u, w))
            z.append(_times(_convolved(moved, w, k, 1), 1 / k))
        return z[1:]

    return recurrence


def _first(w: Sequence[Shadow], value: Callable[[], Shadow], later: Callable[[int], Shadow]) -> Shadow:
    """The coefficient that comes next: that of power 0 is a value of its own."""
    return later(len(w)) if w else value()


def _tanh(z: Sequence[Shadow], u: Sequence[Shadow], w: Sequence[Shadow]) -> Shadow:
    y = z[0]
    assert y is not None
    return _first(w, lambda: (1 - y) + (1 - y) * y, lambda k: _minus(_convolved(z, z, k)))


def _logistic(z: Sequence[Shadow], u: Sequence[Shadow], w: Sequence[Shadow]) -> Shadow:
    y = z[0]
    assert y is not None
    return _first(w, lambda: y * (1 - y), lambda k: add_shadows(z[k], _minus(_convolved(z, z, k))))


def _tan(z: Sequence[Shadow], u: Sequence[Shadow], w: Sequence[Shadow]) -> Shadow:
    y = z[0]
    assert y is not None
    return _first(w, lambda: 1 + y * y, lambda k: _convolved(z, z, k))


def _expm1(z: Sequence[Shadow], u: Sequence[Shadow], w: Sequence[Shadow]) -> Shadow:
    y = z[0]
    assert y is not None
    return _first(w, lambda: y + 1, lambda k: z[k])


def _reciprocal(offset: float) -> Slope:
    """w = 1 / (u + offset)."""

    def slope(z: Sequence[Shadow], u: Sequence[Shadow], w: Sequence[Shadow]) -> Shadow:
        x = u[0]
        assert x is not None
        base = x + offset if offset else x
        rest = _convolved(u, w, len(w), 1)
        return _first(w, lambda: 1 / base, lambda k: None if rest is None else -(rest / base))

    return slope


def _circular(result: Expr, operands: Sequence[Sequence[Shadow]], order: int, other: str, sign: int) -> Series:
    """Sine and cosine together: each is the other's slope, the cosine's with the other sign."""
    (u,) = operands
    assert u[0] is not None
    moved = [_times(c, i) for i, c in enumerate(u)]
    z: Series = [result]
    w: Series = [E.op(other, u[0])]
    for k in range(1, order + 1):
        mine = _times(_convolved(moved, w, k, 1), sign / k)
        w.append(_times(_convolved(moved, z, k, 1), -sign / k))
        z.append(mine)
    return z[1:]


def _sqrt(result: Expr, operands: Sequence[Sequence[Shadow]], order: int) -> Series:
    """z z = u."""
    (u,) = operands
    z: Series = [result]
    for k in range(1, order + 1):
        inner = _sum(a * b for a, b in _pairs(z, z, k, 1))  # z_k is not there yet
        rest = add_shadows(u[k], _minus(inner))
        z.append(None if rest is None else rest / (result * 2))
    return z[1:]


def _rsqrt(result: Expr, operands: Sequence[Sequence[Shadow]], order: int) -> Series:
    """u z' = -z u' / 2."""
    (u,) = operands
    assert u[0] is not None
    z: Series = [result]
    for k in range(1, order + 1):
        terms = ((i, u[i], z[k - i]) for i in range(1, k + 1))
        rest = _sum(a * b * (-i / 2 - (k - i)) for i, a, b in terms if a is not None and b is not None)
        z.append(None if rest is None else rest / (u[0] * k))
    return z[1:]


def _quotient(result: Expr, operands: Sequence[Sequence[Shadow]], order: int) -> Series:
    """z v = u."""
    u, v = operands
    assert v[0] is not None
    z: Series = [result]
    for k in range(1, order + 1):
        rest = add_shadows(u[k], _minus(_convolved(v, z, k, 1)))
        z.append(None if rest is None else rest / v[0])
    return z[1:]


_RECURRENCES: dict[str, Recurrence] = {
    "stablehlo.exponential": _integrated(lambda z, u, w: z[len(w)]),
    "stablehlo.exponential_minus_one": _integrated(_expm1),
    "stablehlo.log": _integrated(_reciprocal(0)),
    "stablehlo.log_plus_one": _integrated(_reciprocal(1)),
    "stablehlo.tanh": _integrated(_tanh),
    "stablehlo.logistic": _integrated(_logistic),
    "stablehlo.tan": _integrated(_tan),
    "stablehlo.sine": lambda z, operands, order: _circular(z, operands, order, "stablehlo.cosine", 1),
    "stablehlo.cosine": lambda z, operands, order: _circular(z, operands, order, "stablehlo.sine", -1),
    "stablehlo.sqrt": _sqrt,
    "stablehlo.rsqrt": _rsqrt,
    "stablehlo.divide": _quotient,
}


def taylor_function(deriver: Desk, name: str, args: Mask, results: Mask, order: int) -> str:
    """`(args…, derivatives of those in the mask…) -> (results…, derivatives of those in the mask…)`.

    Each has its derivatives from the first to that of the given order, along a curve.
    """
    source = deriver.prepared(name)
    entry = source.entry_block
    walk = Taylor(deriver, order)
    moving = [a for a, on in zip(entry.arguments, args, strict=True) if on]

    def body(arguments: Sequence[Expr]) -> list[Expr]:
        walk.env.update(zip(entry.arguments, (a.value for a in arguments), strict=False))
        rest = iter(arguments[len(entry.arguments) :])
        for a in moving:
            walk.shadows[a] = [_times(next(rest), 1 / math.factorial(k)) for k in range(1, order + 1)]
        returned = walk.block(entry)
        chosen = [v for v, on in zip(returned, results, strict=True) if on]
        series = [
            _or_zero(_times(c, math.factorial(k + 1)), v.type)
            for v in chosen
            for k, c in enumerate(walk.shadows.get(v, [None] * order))
        ]
        return [*(walk.lookup(v) for v in returned), *series]

    types = [*(a.type for a in entry.arguments), *(a.type for a in moving for _ in range(order))]
    shadows = range(len(results), len(results) + order * sum(results))
    return deriver.define(f"{name}.taylor{order}", types, body, source.location, shadows=shadows)
