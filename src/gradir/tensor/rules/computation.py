"""Computations that an op holds in a region: what they are, and how to apply them to whole arrays.

The specification leaves it to the implementation in which order a reduction combines its elements. The back ends at
hand fold them one after another, so that is what a computation means here, whether or not it is associative. Where it
is, a tree gives the same in logarithmic depth.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from jaxlib.mlir import ir
from jaxlib.mlir.dialects import stablehlo as hlo

from gradir.tensor.analysis.activity import captures, terminator
from gradir.tensor.analysis.counting import integer
from gradir.tensor.ir import expr as E
from gradir.tensor.ir.expr import Expr
from gradir.tensor.rules.rule import Site, copy_op, prepend

# -- what a computation is ---------------------------------------------------------------------------------------------


def single_op(region: ir.Region) -> str | None:
    """The name of the op that a computation of two arguments consists of, if it is one op."""
    block = region.blocks[0]
    views = list(block.operations)
    if len(views) != 2:
        return None
    op, last = (view.operation for view in views)
    operands, arguments = list(op.operands), list(block.arguments)
    if len(arguments) != 2 or operands not in (arguments, arguments[::-1]) or op.name == "func.call":
        return None
    return op.name if list(last.operands) == list(op.results) else None


def comparison(region: ir.Region) -> str | None:
    """The direction of a computation that compares its two arguments in order, if it is that: `GE`, …"""
    block = region.blocks[0]
    if single_op(region) != "stablehlo.compare":
        return None
    op = block.operations[0].operation
    return direction(op) if list(op.operands) == list(block.arguments) else None


def direction(compare: ir.Operation) -> str:
    return str(hlo.ComparisonDirectionAttr(compare.attributes["comparison_direction"]).value)


def constant_scalar(value: ir.Value) -> float | None:
    """The number that a scalar float constant holds."""
    while not isinstance(value, ir.BlockArgument):
        op = value.owner.operation
        if op.name == "stablehlo.constant":
            if not isinstance(value.type.element_type, ir.FloatType):
                return None
            attr = op.attributes["value"]
            splat = isinstance(attr, ir.DenseElementsAttr) and attr.is_splat
            return float(attr.get_splat_value().value) if splat else None  # type: ignore[attr-defined]
        if op.name not in ("stablehlo.broadcast_in_dim", "stablehlo.reshape", "stablehlo.convert"):
            return None
        value = op.operands[0]
    return None


NEUTRAL = {"stablehlo.add": 0.0, "stablehlo.multiply": 1.0, "stablehlo.maximum": -np.inf, "stablehlo.minimum": np.inf}
_LARGEST = {"f64": float(np.finfo(np.float64).max), "f32": float(np.finfo(np.float32).max), "f16": 65504.0}


def is_neutral(name: str, init: ir.Value) -> bool:
    """Whether an initial value is a constant that never changes a result (the lowest finite number never does)."""
    value = constant_scalar(init)
    if value is None or name not in NEUTRAL:
        return False
    largest = _LARGEST.get(str(init.type.element_type), np.inf)
    if name == "stablehlo.maximum":
        return value <= -largest
    if name == "stablehlo.minimum":
        return value >= largest
    return value == NEUTRAL[name]


# -- applying one to arrays --------------------------------------------------------------------------------------------

Apply = Callable[[Sequence[Expr]], list[Expr]]


def inline(site: Site, region: ir.Region, arguments: Sequence[Expr]) -> list[Expr]:
    """The computation's ops, here, and what it returns of these arguments."""
    block = region.blocks[0]
    values = dict(zip(block.arguments, (a.value for a in arguments), strict=True))
    for outside in captures([region]):
        values[outside] = site.captured(outside).value
    for view in block.operations:
        if view.operation != terminator(block):
            copy_op(view.operation, values)
    return [Expr(values[v]) for v in terminator(block).operands]


def function_of(site: Site, region: ir.Region) -> str:
    """The computation as a function of the module. (The site is that of an op being expanded.)"""
    types = [a.type for a in region.blocks[0].arguments]
    name = f"{site.op.name.removeprefix('stablehlo.')}.computation"
    return site.deriver.define(name, types, lambda arguments: inline(site, region, arguments), site.op.location)


def over_arrays(site: Site, region: ir.Region) -> Apply:
    """A computation of scalars, applied to each element of arrays of one shape."""
    block = region.blocks[0]
    types = [a.type.element_type for a in block.arguments]
    name = single_op(region)
    symbol = "" if name else function_of(site, region)

    def apply(xs: Sequence[Expr]) -> list[Expr]:
        xs = [E.convert(x, t) for x, t in zip(xs, types, strict=True)]
        if name:
            only = block.operations[0].operation
            given = dict(zip(block.arguments, xs, strict=True))
            return [E.op(name, *(given[v] for v in only.operands), **dict(only.attributes.items()))]
        shape = xs[0].shape
        if not shape:
            return site.deriver.call(symbol, xs)
        n = E.size(shape)
        batched, has = site.deriver.batch_of(symbol, (True,) * len(xs), n)
        outs = site.deriver.call(batched, [E.reshape(x, [n]) for x in xs])
        return [E.reshape(o if h else prepend(o, n), shape) for o, h in zip(outs, has, strict=True)]

    return apply


# -- folding -----------------------------------------------------------------------------------------------------------


def fold(site: Site, region: ir.Region, xs: Sequence[Expr], inits: Sequence[Expr]) -> list[Expr]:
    """Combine arrays along their first dimension, in order, starting from `inits` (of the other dimensions' shape)."""
    apply, n = over_arrays(site, region), xs[0].shape[0]
    types = [a.type.element_type for a in region.blocks[0].arguments]
    xs = [E.convert(x, t) for x, t in zip(xs, types[: len(xs)], strict=True)]
    inits = [E.convert(x, t) for x, t in zip(inits, types[: len(xs)], strict=True)]
    if not n or not E.size(xs[0].shape):
        return list(inits)
    if is_associative(region):
        return apply([*inits, *_tree(apply, xs, commutes=single_op(region) is not None)])

    def step(i: Expr, *so_far: Expr) -> list[Expr]:
        zero = E.full(i.type, 0)
        rows = [E.dynamic_slice(x, [i, *[zero] * (x.rank - 1)], [1, *x.shape[1:]]) for x in xs]
        return apply([*so_far, *(E.reshape(row, row.shape[1:]) for row in rows)])

    return count_up(n, step, inits)


def _tree(apply: Apply, xs: Sequence[Expr], commutes: bool) -> list[Expr]:
    """Combine along the first dimension by halves; neighbours only, unless the computation commutes."""
    while (n := xs[0].shape[0]) > 1:
        half, odd = divmod(n, 2)
        if commutes:
            left, right = ([E.slice_in_dim(x, k * half, (k + 1) * half, 0) for x in xs] for k in (0, 1))
        else:
            left, right = ([E.slice_in_dim(x, k, 2 * half, 0, stride=2) for x in xs] for k in (0, 1))
        combined = apply([*left, *right])
        if odd:
            combined = [
                E.concatenate([c, E.slice_in_dim(x, n - 1, n, 0)], 0) for c, x in zip(combined, xs, strict=True)
            ]
        xs = combined
    return [E.reshape(x, x.shape[1:]) for x in xs]


def prefix(apply: Apply, xs: Sequence[Expr], dim: int) -> list[Expr]:
    """The results up to each element: first those of pairs, from these those at odd places, then at even ones."""
    n = xs[0].shape[dim]
    if n < 2:
        return list(xs)
    pairs = [[E.slice_in_dim(x, k, n - n % 2, dim, 2) for x in xs] for k in (0, 1)]
    odd = prefix(apply, apply([*pairs[0], *pairs[1]]), dim)
    even = [E.slice_in_dim(x, 0, 1, dim) for x in xs]
    if n > 2:
        before = [E.slice_in_dim(x, 0, (n - 1) // 2, dim) for x in odd]
        later = apply([*before, *(E.slice_in_dim(x, 2, n, dim, 2) for x in xs)])
        even = [E.concatenate([x, y], dim) for x, y in zip(even, later, strict=True)]
    return [_interleave(x, y, dim) for x, y in zip(even, odd, strict=True)]


def _interleave(even: Expr, odd: Expr, dim: int) -> Expr:
    n = even.shape[dim] + odd.shape[dim]

    def apart(x: Expr, first: int) -> Expr:
        low, high, interior = ([0] * x.rank for _ in range(3))
        low[dim], high[dim], interior[dim] = first, n - first - (2 * x.shape[dim] - 1), 1
        return E.pad(x, 0, low, high, interior)

    return apart(even, 0) + apart(odd, 1)


def suffix(apply: Apply, xs: Sequence[Expr], dim: int) -> list[Expr]:
    """The results from each element on: a prefix from the other side, with sides exchanged."""
    n = len(xs)
    flipped = prefix(lambda both: apply([*both[n:], *both[:n]]), [E.reverse(x, [dim]) for x in xs], dim)
    return [E.reverse(x, [dim]) for x in flipped]


def count_up(n: int, step: Callable[..., Sequence[Expr]], state: Sequence[Expr]) -> list[Expr]:
    """The state after `state = step(i, *state)` for i = 0, …, n - 1."""
    counter = E.tensor([], ir.IntegerType.get_signless(32))
    types = [counter, *(x.type for x in state)]
    loop = E.ops("stablehlo.while", [E.full(counter, 0), *state], types, regions=2)
    E.fill(loop.regions[0], types, lambda i, *_: [i < n])
    E.fill(loop.regions[1], types, lambda i, *held: [i + 1, *step(i, *held)])
    return E.exprs(loop.results)[1:]


# -- is it associative? ------------------------------------------------------------------------------------------------

_ASSOCIATIVE = {f"stablehlo.{n}" for n in ("add", "multiply", "maximum", "minimum", "and", "or", "xor")}

_ARITHMETIC: dict[str, Callable[..., Any]] = {
    "stablehlo.abs": np.abs,
    "stablehlo.add": np.add,
    "stablehlo.and": np.bitwise_and,
    "stablehlo.convert": np.asarray,
    "stablehlo.divide": np.divide,
    "stablehlo.exponential": np.exp,
    "stablehlo.exponential_minus_one": np.expm1,
    "stablehlo.is_finite": np.isfinite,
    "stablehlo.log": np.log,
    "stablehlo.log_plus_one": np.log1p,
    "stablehlo.maximum": np.maximum,
    "stablehlo.minimum": np.minimum,
    "stablehlo.multiply": np.multiply,
    "stablehlo.negate": np.negative,
    "stablehlo.not": np.invert,
    "stablehlo.or": np.bitwise_or,
    "stablehlo.select": np.where,
    "stablehlo.sqrt": np.sqrt,
    "stablehlo.subtract": np.subtract,
}
_COMPARE: dict[str, Callable[..., Any]] = {
    "EQ": np.equal,
    "NE": np.not_equal,
    "LT": np.less,
    "LE": np.less_equal,
    "GT": np.greater,
    "GE": np.greater_equal,
}
_associative: dict[str, bool] = {}


def is_associative(region: ir.Region) -> bool:
    """Whether f(f(a, b), c) = f(a, f(b, c)): known of some ops, and of others found by trying random numbers."""
    name = single_op(region)
    if name is not None:
        return name in _ASSOCIATIVE
    text = str(region.owner)  # attributes and all, so that equal computations of equal ops are tried once
    if text not in _associative:
        _associative[text] = _try(region)
    return _associative[text]


def leaves_alone(region: ir.Region, inits: Sequence[ir.Value]) -> bool:
    """Whether f(init, x) = x = f(x, init): known for some ops, and for others found by trying random numbers."""
    name = single_op(region)
    if name is not None:
        return is_neutral(name, inits[0])
    numbers = [constant_scalar(v) for v in inits]
    if any(n is None for n in numbers):
        return False
    block, rng = region.blocks[0], np.random.default_rng(0)
    start = [np.full(SAMPLES, n) for n in numbers]
    xs = [_samples(rng, a.type.element_type) for a in block.arguments[: len(inits)]]
    return _same(lambda: _evaluate(block, [*start, *xs]), lambda: xs) and _same(
        lambda: _evaluate(block, [*xs, *start]), lambda: xs
    )


SAMPLES = 256


def _try(region: ir.Region) -> bool:
    block = region.blocks[0]
    n, rng = len(block.arguments) // 2, np.random.default_rng(0)
    a, b, c = ([_samples(rng, x.type.element_type) for x in block.arguments[:n]] for _ in range(3))
    return _same(
        lambda: _evaluate(block, [*_evaluate(block, [*a, *b]), *c]),
        lambda: _evaluate(block, [*a, *_evaluate(block, [*b, *c])]),
    )


Arrays = Sequence[np.ndarray]


def _same(left: Callable[[], Arrays], right: Callable[[], Arrays]) -> bool:
    """Whether two computations agree (on nearly all samples, since a few may be ill-conditioned)."""
    with np.errstate(all="ignore"):
        try:
            pairs = list(zip(left(), right(), strict=True))
        except (KeyError, TypeError):  # an op that is not in the table, or not for these types
            return False
    return all(np.isclose(x, y, rtol=1e-6, atol=1e-9, equal_nan=True).mean() > 0.95 for x, y in pairs)


def _samples(rng: np.random.Generator, t: ir.Type) -> np.ndarray:
    if isinstance(t, ir.IntegerType):
        return rng.integers(0, 2, SAMPLES).astype(bool) if t.width == 1 else rng.integers(-4, 5, SAMPLES)
    real = rng.normal(size=SAMPLES)
    return real + 1j * rng.normal(size=SAMPLES) if E.is_complex(t) else real


def _evaluate(block: ir.Block, arguments: Arrays) -> list[np.ndarray]:
    """The computation on NumPy arrays, in double precision; a KeyError says that it has an op we can't evaluate."""
    values: dict[ir.Value, Any] = dict(zip(block.arguments, arguments, strict=True))
    for view in block.operations:
        op = view.operation
        if op == terminator(block):
            break
        operands = [values[v] if v in values else _number(v) for v in op.operands]
        if op.name == "stablehlo.compare":
            out = _COMPARE[direction(op)](*operands)
        elif op.name == "stablehlo.constant":
            out = _number(op.results[0])
        else:
            out = _ARITHMETIC[op.name](*operands)
        values[op.results[0]] = out
    return [np.broadcast_to(values[v], (SAMPLES,)) for v in terminator(block).operands]


def _number(value: ir.Value) -> float:
    number = constant_scalar(value)
    if number is None:
        number = integer(value)
    if number is None:
        raise KeyError(value)
    return number
