"""Reductions of what has been spread, moved, scaled or put together."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np
from jaxlib.mlir import ir

from gradir.tensor.analysis.computation import NEUTRAL, is_neutral, single_op
from gradir.tensor.analysis.zeros import may_be_minus_zero
from gradir.tensor.ir import expr as E
from gradir.tensor.ir.dot import in_full
from gradir.tensor.ir.expr import Expr
from gradir.tensor.ir.reading import dtype, integer, ints, kind, made_by, maker, single_use, splat_of
from gradir.tensor.optimize.driver import Driver
from gradir.tensor.optimize.effects import KINKS, NONE, RANGE, ROUNDS, ZERO_SIGN
from gradir.tensor.optimize.pattern import BINARY, UNARY
from gradir.tensor.optimize.rule import Family
from gradir.tensor.optimize.shapes import groups, keeps_size

reductions = Family("reductions", "reduce and reduce_window")
rule = reductions.rule

SAME = frozenset(f"stablehlo.{n}" for n in ("maximum", "minimum", "and", "or"))
"""Computations of which many equal arguments make one."""


COMBINES = SAME | {"stablehlo.add", "stablehlo.multiply"}
"""Computations whose arguments can be taken in any order."""


def body_of(op: ir.Operation) -> str | None:
    """The op that a reduction of one array, which keeps the type of its elements, combines them by."""
    if len(op.operands) != 2 or op.operands[0].type.element_type != op.results[0].type.element_type:
        return None
    return single_op(op.regions[0])


def reduced_again(op: ir.Operation, x: Expr, init: Expr, dims: Sequence[int]) -> Expr:
    """The same reduction of another array, over other dimensions."""
    if not dims and starts_neutral(op):
        return x
    made = op.clone()
    made.operands[0], made.operands[1] = x.value, init.value
    made.attributes["dimensions"] = E.i64s(sorted(dims))
    made.results[0].set_type(E.tensor([n for d, n in enumerate(x.shape) if d not in set(dims)], x.dtype))
    return Expr(made.results[0])


def starts_neutral(op: ir.Operation) -> bool:
    """Whether the initial value changes nothing."""
    name, init = body_of(op), op.operands[1]
    if name is None:
        return False
    if kind(init.type) == "float":
        return is_neutral(name, init)
    number = splat_of(init)
    return number is not None and number == neutral_of(name, init.type)


def neutral_of(name: str, t: ir.RankedTensorType) -> bool | int | float | None:
    """The number that changes nothing when it is combined with others of a type."""
    if kind(t) == "bool":
        return {"stablehlo.and": True, "stablehlo.or": False}.get(name)
    if kind(t) == "int" and name in ("stablehlo.maximum", "stablehlo.minimum"):
        of = dtype(t.element_type)
        ends = None if of is None else np.iinfo(of)
        return None if ends is None else int(ends.min if name == "stablehlo.maximum" else ends.max)
    return NEUTRAL.get(name)


def _is_sum(op: ir.Operation) -> bool:
    return body_of(op) == "stablehlo.add" and starts_neutral(op)


@rule("reduce(x, init)", when=keeps_size)
def reduce_ones(op: ir.Operation, x: Expr) -> Expr | None:
    """A reduction over dimensions of size 1 is a reshape."""
    return as_sum(op, E.reshape(x, op.results[0].type.shape)) if starts_neutral(op) else None


def as_sum(op: ir.Operation, x: Expr) -> Expr:
    """What takes the place of a reduction: a sum begins with 0, and so it is never -0."""
    signed = kind(x.type) == "float" and body_of(op) == "stablehlo.add" and may_be_minus_zero(x.value)
    return x + 0 if signed else x


@rule("reduce(b := broadcast(x), init)", effects=ROUNDS)
def reduce_of_broadcast(op: ir.Operation, b: ir.Operation, x: Expr, init: Expr, driver: Driver) -> Expr | None:
    """reduce(broadcast(x)) -> a multiple of reduce(x), or reduce(x) itself, spread over what is left."""
    name, dims = body_of(op), set(ints(op, "dimensions"))
    target, whole = ints(b, "broadcast_dimensions"), b.results[0].type.shape
    # Dimensions along which the same value is repeated.
    repeated = {d for d in range(len(whole)) if d not in target or x.shape[target.index(d)] != whole[d]}
    if not repeated or not starts_neutral(op) or name not in COMBINES:
        return None
    if name == "stablehlo.multiply" and kind(x.type) != "float":
        return None
    n = E.size([whole[d] for d in dims & repeated])
    if not has_number(name, x, n) or (name != "stablehlo.add" and driver.is_added_up_after(op)):
        return None
    inner = [d for d in target if d not in repeated]
    small = E.reshape(x, [whole[d] for d in inner])
    out = reduced_again(op, small, init, [i for i, d in enumerate(inner) if d in dims])
    total = as_sum(op, many_times(name, out, n))
    kept = [d for d in range(len(whole)) if d not in dims]
    return E.broadcast(total, [whole[d] for d in kept], [kept.index(d) for d in inner if d not in dims])


def has_number(name: str, x: Expr, n: int) -> bool:
    """Whether the type of x has the number by which n equal elements become one.

    (100,000 times 0.001 is 100 in f16, where 100,000 is infinite; and -1 to the 2049th is -1, where 2049 is 2048.)
    """
    of = dtype(x.dtype) if kind(x.type) == "float" else None
    if of is None or name in SAME:
        return True
    with np.errstate(over="ignore"):
        made = float(of(n))
    return made == n if name == "stablehlo.multiply" else np.isfinite(made)


def many_times(name: str, x: Expr, n: int) -> Expr:
    """What n equal elements make, if the type has the number."""
    if name in SAME or n == 1:
        return x
    return x * n if name == "stablehlo.add" else E.power(x, n)


@rule("reduce(inner := reduce(x, init), init2)", effects=ROUNDS)
def reduce_reduce(op: ir.Operation, inner: ir.Operation, x: Expr, init: Expr) -> Expr | None:
    """Two sums are one."""
    return _reduced_once(op, inner, x, init, "stablehlo.add")


@rule("reduce(inner := reduce(x, init), init2)", effects=ROUNDS | RANGE)
def reduce_reduce_product(op: ir.Operation, inner: ir.Operation, x: Expr, init: Expr) -> Expr | None:
    """Two products are one."""
    return _reduced_once(op, inner, x, init, "stablehlo.multiply")


def _reduced_once(op: ir.Operation, inner: ir.Operation, x: Expr, init: Expr, name: str) -> Expr | None:
    if body_of(op) != name or body_of(inner) != name or not (starts_neutral(op) and starts_neutral(inner)):
        return None
    if not single_use(inner.results[0]):
        return None
    gone = ints(inner, "dimensions")
    left = [d for d in range(x.rank) if d not in gone]
    return reduced_again(op, x, init, [*gone, *(left[d] for d in ints(op, "dimensions"))])


@rule("reduce(inner := reduce(x, init), init2)", effects=KINKS)
def reduce_reduce_extreme(op: ir.Operation, inner: ir.Operation, x: Expr, init: Expr) -> Expr | None:
    """Two maxima (or minima, …) are one."""
    name = body_of(op)
    if name not in SAME or body_of(inner) != name or not (starts_neutral(op) and starts_neutral(inner)):
        return None
    gone = ints(inner, "dimensions")
    left = [d for d in range(x.rank) if d not in gone]
    return reduced_again(op, x, init, [*gone, *(left[d] for d in ints(op, "dimensions"))])


@rule("reduce(t := transpose(x), init)", effects=ROUNDS)
def reduce_of_transpose(op: ir.Operation, t: ir.Operation, x: Expr, init: Expr) -> Expr | None:
    """reduce(transpose(x)) -> transpose(reduce(x)): less is transposed, or nothing."""
    if body_of(op) not in COMBINES:
        return None
    permutation = ints(t, "permutation")
    dims = [permutation[d] for d in ints(op, "dimensions")]
    out = reduced_again(op, x, init, dims)
    left = [d for d in permutation if d not in dims]
    order = sorted(left)
    return E.transpose(out, [order.index(d) for d in left])


@rule("reduce(r := reshape(x), init)", effects=ROUNDS)
def reduce_of_reshape(op: ir.Operation, r: ir.Operation, x: Expr, init: Expr) -> Expr | None:
    """reduce(reshape(x)) -> reduce(x), reshaped, where what is reduced is not mixed with what is left."""
    if body_of(op) not in COMBINES or not starts_neutral(op):
        return None
    dims, inner = ints(op, "dimensions"), []
    for before, after in groups(x.shape, r.results[0].type.shape):
        gone = [d in dims for d in after]
        if any(gone) != all(gone):
            return None
        if gone and all(gone):
            inner += before
    return E.reshape(reduced_again(op, x, init, inner), op.results[0].type.shape)


@rule("reduce(r := reverse(x), init)", effects=ROUNDS)
def reduce_of_reverse(op: ir.Operation, r: ir.Operation, x: Expr, init: Expr) -> Expr | None:
    """reduce(reverse(x)) -> reduce(x), reversed along what is left."""
    if body_of(op) not in COMBINES:
        return None
    dims = ints(op, "dimensions")
    left = [d for d in range(x.rank) if d not in dims]
    out = reduced_again(op, x, init, dims)
    return E.reverse(out, [left.index(d) for d in sorted(ints(r, "dimensions")) if d in left])


@rule("reduce(-x, init)", "number")
def reduce_of_negate(op: ir.Operation, x: Expr, init: Expr) -> Expr | None:
    """sum(-x) -> 0 - sum(x), which is never -0."""
    return 0 - reduced_again(op, x, init, ints(op, "dimensions")) if _is_sum(op) else None


@rule("reduce(x * C, init)", "real", effects=ROUNDS)
def reduce_of_multiple(op: ir.Operation, x: Expr, C: float, init: Expr, driver: Driver) -> Expr | None:
    """sum(x * C) -> sum(x) * C where C makes numbers larger: no sum on the way is larger than it was.

    If others use the multiple as well, its derivatives by all of them must meet, and may cancel, before they are made
    larger.
    """
    if not _is_sum(op) or (abs(C) < 1 and kind(x.type) != "int"):
        return None
    if driver.ahead and not single_use(op.operands[0]):
        return None
    return reduced_again(op, x, init, ints(op, "dimensions")) * C


@rule("reduce(x * C, init)", "float", effects=ROUNDS | RANGE)
def reduce_of_fraction(op: ir.Operation, x: Expr, C: float, init: Expr) -> Expr | None:
    """sum(x * C) -> sum(x) * C where C makes numbers smaller."""
    return reduced_again(op, x, init, ints(op, "dimensions")) * C if _is_sum(op) and abs(C) < 1 else None


@rule("reduce(x * C, init)", "float", effects=KINKS)
def extreme_of_multiple(op: ir.Operation, x: Expr, C: float, init: Expr) -> Expr | None:
    """max(x * C) -> max(x) * C, or min(x) * C where C is negative."""
    return _extreme(op, x, lambda y: y * C, C < 0)


@rule("reduce(x + C, init)", "float", effects=KINKS)
def extreme_of_shifted(op: ir.Operation, x: Expr, C: float, init: Expr) -> Expr | None:
    """max(x + C) -> max(x) + C."""
    return _extreme(op, x, lambda y: y + C)


@rule("reduce(-x, init)", "float", effects=ZERO_SIGN | KINKS)
def extreme_of_negate(op: ir.Operation, x: Expr, init: Expr) -> Expr | None:
    """max(-x) -> -min(x)."""
    return _extreme(op, x, lambda y: -y, turns=True)


@rule("reduce(convert(x), init)", "float", effects=KINKS)
def extreme_of_convert(op: ir.Operation, x: Expr, init: Expr) -> Expr | None:
    """max(convert(x)) -> convert(max(x)) for floats: less is converted."""
    return _extreme(op, x, lambda y: E.convert(y, op.results[0].type.element_type)) if kind(x.type) == "float" else None


for _name in ("exp", "tanh", "logistic"):

    @rule(f"reduce({_name}(x), init)", "float", name=f"extreme_of_{_name}", effects=ROUNDS | KINKS)
    def extreme_of_rising(op: ir.Operation, x: Expr, init: Expr) -> Expr | None:
        """max(f(x)) -> f(max(x)) for a function that rises: it is computed once."""
        f = op.operands[0].owner.operation
        return _extreme(op, x, lambda y: E.op(f.name, y, **dict(f.attributes.items())))


def _extreme(op: ir.Operation, x: Expr, f: Callable[[Expr], Expr], turns: bool = False) -> Expr | None:
    """f of the greatest instead of the greatest of f's, for f that rises, or falls and so turns the order around."""
    name = body_of(op)
    if name not in ("stablehlo.maximum", "stablehlo.minimum") or not starts_neutral(op):
        return None
    if not single_use(op.operands[0]):
        return None
    greatest = (name == "stablehlo.maximum") != turns
    body, init = ("stablehlo.maximum", -np.inf) if greatest else ("stablehlo.minimum", np.inf)
    return f(E.reduce(x, ints(op, "dimensions"), body, init))


CHOICES = frozenset({"stablehlo.select", "stablehlo.clamp"})
ELEMENTWISE = UNARY | BINARY | CHOICES
SPREAD = ELEMENTWISE | {"stablehlo.broadcast_in_dim", "stablehlo.constant", "stablehlo.iota"}


def _spreads(op: ir.Operation | None) -> bool:
    return op is not None and op.name in ("stablehlo.broadcast_in_dim", "stablehlo.constant", "stablehlo.iota")


def _of_spread(op: ir.Operation) -> bool:
    """Whether a reduction is of something computed from what may be the same along a dimension."""
    made = maker(op.operands[0])
    if made is None or len(op.operands) != 2 or not (made.name in BINARY or made.name in CHOICES):
        return False
    makers = [maker(v) for v in made.operands]
    return any(_spreads(m) for m in makers) and all(m is not None and m.name in SPREAD for m in makers)


@rule("reduce(x, init)", effects=ROUNDS, when=_of_spread)
def reduce_of_repeated(op: ir.Operation, x: Expr, init: Expr) -> Expr | None:
    """reduce(f(broadcast(x), broadcast(y))), both the same along a dimension -> a multiple of what is there once."""
    dims = set(ints(op, "dimensions"))
    same = _same_along(x.value, dims, 6)
    if not same or not starts_neutral(op):
        return None
    name = body_of(op)
    if name not in COMBINES or (name == "stablehlo.multiply" and kind(x.type) != "float"):
        return None
    n = E.size([x.shape[d] for d in same])
    if not has_number(name, x, n):
        return None
    kept = [d for d in range(x.rank) if d not in same]
    out = reduced_again(op, _at_one(x.value, kept), init, [kept.index(d) for d in sorted(dims - same)])
    return as_sum(op, many_times(name, out, n))


def _same_along(value: ir.Value, dims: set[int], depth: int) -> set[int]:
    """Those of some dimensions (of size other than 1) along which a value is seen to be the same."""
    op = maker(value)
    if op is None or not depth:
        return set()
    name = op.name
    if name == "stablehlo.broadcast_in_dim":
        small, target = op.operands[0].type.shape, ints(op, "broadcast_dimensions")
        return dims - {d for i, d in enumerate(target) if small[i] == value.type.shape[d]}
    if name == "stablehlo.constant":
        return dims if splat_of(value) is not None else set()
    if name == "stablehlo.iota":
        return dims - {integer(op, "iota_dimension")}
    if name not in ELEMENTWISE or not single_use(value):
        return set()
    for v in op.operands:
        dims = _same_along(v, dims, depth - 1) if v.type.rank else dims
        if not dims:
            break
    return dims


def _at_one(value: ir.Value, kept: Sequence[int]) -> Expr:
    """A value without the dimensions along which it is the same."""
    shape = [value.type.shape[d] for d in kept]
    number = splat_of(value)
    if number is not None:
        return E.full(E.tensor(shape, value.type.element_type), number)
    op = maker(value)
    assert op is not None
    if op.name == "stablehlo.iota":
        return E.iota(shape, list(kept).index(integer(op, "iota_dimension")), value.type.element_type)
    if op.name == "stablehlo.broadcast_in_dim":
        x, target = Expr(op.operands[0]), ints(op, "broadcast_dimensions")
        inside = [i for i, d in enumerate(target) if d in kept]
        small = E.reshape(x, [x.shape[i] for i in inside])
        return E.broadcast(small, shape, [list(kept).index(target[i]) for i in inside])
    parts = [_at_one(v, kept) if v.type.rank else Expr(v) for v in op.operands]
    t = E.tensor(shape, value.type.element_type)
    return E.op(op.name, *parts, result=t, **dict(op.attributes.items()))


@rule("reduce(x * (b := broadcast(s)), init)", "real", effects=ROUNDS | RANGE)
def reduce_of_scaled(op: ir.Operation, x: Expr, b: ir.Operation, s: Expr, init: Expr, driver: Driver) -> Expr | None:
    """sum(x * broadcast(s)) -> sum(x) * s where s is the same along all that is summed, and finite."""
    dims, target = set(ints(op, "dimensions")), ints(b, "broadcast_dimensions")
    whole = b.results[0].type.shape
    if any(d in dims and s.shape[i] == whole[d] != 1 for i, d in enumerate(target)) or x.value == b.results[0]:
        return None
    if not _is_sum(op) or not single_use(op.operands[0]) or not driver.facts.finite(s):
        return None
    kept = [d for d in range(len(whole)) if d not in dims]
    inside = [i for i, d in enumerate(target) if d in kept]
    small = E.reshape(s, [s.shape[i] for i in inside])
    out = reduced_again(op, x, init, sorted(dims))
    return out * E.broadcast(small, out.shape, [kept.index(target[i]) for i in inside])


@rule("reduce(p := pad(x, v), init)", effects=ROUNDS)
def reduce_of_pad(op: ir.Operation, p: ir.Operation, x: Expr, v: Expr, init: Expr) -> Expr | None:
    """reduce(pad(x, 0)) -> reduce(x), padded along what is left."""
    name = body_of(op)
    if name not in COMBINES or not starts_neutral(op) or splat_of(v.value) != neutral_of(name or "", v.type):
        return None
    low, high, interior = (
        ints(p, f"{n}_padding{e}") for n, e in (("edge", "_low"), ("edge", "_high"), ("interior", ""))
    )
    if min((0, *low, *high)) < 0:
        return None
    dims = ints(op, "dimensions")
    left = [d for d in range(x.rank) if d not in dims]
    out = reduced_again(op, x, init, dims)
    return E.pad(out, v, [low[d] for d in left], [high[d] for d in left], [interior[d] for d in left])


@rule("reduce(k := concatenate(*xs), init)", effects=ROUNDS, gated=True)
def reduce_of_concatenate(op: ir.Operation, k: ir.Operation, xs: list[Expr], init: Expr) -> Expr | None:
    """sum(concatenate(x, y)) -> sum(x) + sum(y): nothing is put together."""
    name, dim = body_of(op), integer(k, "dimension")
    if name is None or dim not in ints(op, "dimensions") or not starts_neutral(op) or not single_use(k.results[0]):
        return None
    if name not in COMBINES or len(xs) > 4:
        return None
    parts = [reduced_again(op, x, init, ints(op, "dimensions")) for x in xs]
    out = parts[0]
    for part in parts[1:]:
        out = E.op(name, out, part)
    return out


@rule("reduce(x, init)", effects=ROUNDS, operands=("constant",))
def reduce_splat(op: ir.Operation, x: Expr) -> Expr | None:
    """The sum of a constant is a multiple of it; the greatest of equal numbers is each of them."""
    number, name, of = splat_of(x.value), body_of(op), dtype(x.dtype)
    n = E.size([x.shape[d] for d in ints(op, "dimensions")])
    if number is None or of is None or isinstance(number, complex) or not n or not starts_neutral(op):
        return None
    if name not in SAME and (name != "stablehlo.add" or (kind(x.type) == "float" and n > 2**20)):
        return None
    with np.errstate(all="ignore"):
        total = of(number) if name in SAME else np.asarray(number * n).astype(of)
    return E.full(op.results[0].type, total.item())


@rule("reduce(i := iota(), init)", "real", effects=ROUNDS)
def reduce_of_iota(op: ir.Operation, i: ir.Operation, init: Expr) -> Expr | None:
    """The sum of 0, 1, 2, … and the greatest and least of them are known; what is left of them is counted again."""
    name, shape, of = body_of(op), i.results[0].type.shape, dtype(init.dtype)
    along, dims, t = integer(i, "iota_dimension"), ints(op, "dimensions"), op.results[0].type
    if name not in ("stablehlo.add", "stablehlo.maximum", "stablehlo.minimum") or not starts_neutral(op) or of is None:
        return None
    n, rest = shape[along], E.size([shape[d] for d in dims if d != along])
    if along not in dims:
        left = [d for d in range(len(shape)) if d not in dims]
        if not has_number(name, init, rest):
            return None
        return many_times(name, E.iota(t.shape, left.index(along), t.element_type), rest)
    number = {"stablehlo.maximum": n - 1, "stablehlo.minimum": 0}.get(name, rest * (n * (n - 1) // 2))
    with np.errstate(all="ignore"):
        exact = np.asarray(number).astype(of).item()
    return E.full(t, exact) if number < 2**11 or kind(t) == "int" or of in (np.float32, np.float64) else None


@rule("reduce(convert(p), init)", "float", effects=ROUNDS)
def reduce_max_of_mask(op: ir.Operation, p: Expr) -> Expr | None:
    """max(convert(p)) -> convert(any(p)) for truth values."""
    name = body_of(op)
    if kind(p.type) != "bool" or name not in ("stablehlo.maximum", "stablehlo.minimum") or not starts_neutral(op):
        return None
    if any(p.shape[d] == 0 for d in ints(op, "dimensions")):
        return None
    how, init = ("stablehlo.or", False) if name == "stablehlo.maximum" else ("stablehlo.and", True)
    return E.convert(E.reduce(p, ints(op, "dimensions"), how, init), op.results[0].type.element_type)


@dataclass(frozen=True)
class Factor:
    """A value that stands for its broadcast: `dims[i]` is the dimension of the whole that its dimension i is."""

    value: Expr
    dims: tuple[int, ...]


def _factor(x: Expr) -> Factor:
    """What is spread, without dimensions of size 1; a value that is not spread stands for itself."""
    b = made_by(x, "broadcast_in_dim")
    if b is None:
        return Factor(x, tuple(range(x.rank)))
    inner, target = Expr(b.operands[0]), ints(b, "broadcast_dimensions")
    kept = [i for i, d in enumerate(target) if inner.shape[i] == x.shape[d] and x.shape[d] != 1]
    return Factor(E.reshape(inner, [inner.shape[i] for i in kept]), tuple(target[i] for i in kept))


def _factors(x: Expr, top: bool = True) -> list[Expr]:
    """The broadcasts that a product is made of."""
    m = made_by(x, "multiply")
    if m is None or not (top or single_use(x.value)):
        return [x]
    return [f for v in E.exprs(m.operands) for f in _factors(v, False)]


def _merged(factors: list[Factor], whole: Sequence[int]) -> list[Factor]:
    """Factors whose dimensions others have are multiplied with these at once, before anything is spread."""
    found: list[Factor] = []
    for f in sorted(factors, key=lambda f: -E.size(f.value.shape)):
        for k, g in enumerate(found):
            if set(f.dims) <= set(g.dims):
                spread = E.broadcast(f.value, g.value.shape, [g.dims.index(d) for d in f.dims])
                found[k] = Factor(g.value * spread, g.dims)
                break
        else:
            found.append(f)
    return found


def _of_product(op: ir.Operation) -> bool:
    """Whether what is reduced is a product of two or more, at least one of them spread."""
    m = maker(op.operands[0])
    if m is None or m.name != "stablehlo.multiply" or len(op.operands) != 2:
        return False
    made = [maker(v) for v in m.operands]
    return any(v is not None and v.name in ("stablehlo.broadcast_in_dim", "stablehlo.multiply") for v in made)


@rule("reduce(x * y, init)", "float", effects=ROUNDS | RANGE, gated=True, when=_of_product)
def reduce_of_outer_product(op: ir.Operation) -> Expr | None:
    """sum(broadcast(x) * broadcast(y)) -> a product of matrices: the large array is never made."""
    product = Expr(op.operands[0])
    whole, dims = product.shape, ints(op, "dimensions")
    parts = _factors(product)
    if any(made_by(f, "broadcast_in_dim") is None for f in parts) or not 2 <= len(parts) <= 5:
        return None
    if not _is_sum(op) or not single_use(product.value):
        return None
    factors = _merged([_factor(f) for f in parts], whole)
    if len(factors) != 2:
        return None
    only = [[d for d in f.dims if d not in g.dims] for f, g in (factors, factors[::-1])]
    if not all(only) or max(E.size([whole[d] for d in o]) for o in only) < 4:
        return None
    return _as_dot(op, factors, whole, dims)


@rule("reduce(a := x + y, init)", "float", effects=ROUNDS, gated=True)
def reduce_of_outer_products(op: ir.Operation, a: ir.Operation) -> Expr | None:
    """sum(x * y + z * w) -> sum(x * y) + sum(z * w), of broadcasts: each is a product of matrices."""
    terms = Expr(a.results[0])
    return _added_up(op, terms) if _is_sum(op) and _is_of_outers(terms, ints(op, "dimensions")) else None


def _added_up(op: ir.Operation, x: Expr) -> Expr | None:
    m = maker(x.value)
    assert m is not None
    if m.name == "stablehlo.add":
        one, other = (_added_up(op, v) for v in E.exprs(m.operands))
        return None if one is None or other is None else one + other
    return _as_dot(op, [_factor(v) for v in E.exprs(m.operands)], x.shape, ints(op, "dimensions"))


def _is_of_outers(x: Expr, summed: Sequence[int]) -> bool:
    """Whether a value that nobody else needs is a product of two broadcasts that have the summed dimensions, and others
    of their own; or a sum of such."""
    m = maker(x.value)
    if m is None or not single_use(x.value):
        return False
    if m.name == "stablehlo.add":
        return all(_is_of_outers(v, summed) for v in E.exprs(m.operands))
    spread = [made_by(v, "broadcast_in_dim") for v in m.operands] if m.name == "stablehlo.multiply" else [None]
    if any(b is None for b in spread):
        return False
    one, other = (_whole_dims(b) for b in spread if b is not None)
    own = [E.size([x.shape[d] for d in these - those]) for these, those in ((one, other), (other, one))]
    return {*summed} <= one & other and one | other == {*range(x.rank)} and min(own) >= 4


def _whole_dims(b: ir.Operation) -> set[int]:
    """The dimensions of a broadcast along which it repeats nothing."""
    sizes, whole = b.operands[0].type.shape, b.results[0].type.shape
    return {d for n, d in zip(sizes, ints(b, "broadcast_dimensions"), strict=True) if n == whole[d]}


@rule("reduce(x * broadcast(y), init)", "float", effects=ROUNDS, gated=True)
def reduce_of_matvec(op: ir.Operation, x: Expr, y: Expr) -> Expr | None:
    """sum(x * broadcast(y)) -> a matrix times a vector, where x is in memory anyway and no chain of ops to be fused."""
    product = op.operands[0].owner.operation
    whole, dims = product.results[0].type.shape, ints(op, "dimensions")
    if not _is_stored(x) or E.size(whole) < 64 or not _is_sum(op) or not single_use(product.results[0]):
        return None
    factors = [
        Factor(x, tuple(range(x.rank))),
        _factor(next(v for v in E.exprs(product.operands) if v.value != x.value)),
    ]
    gone = set(dims) & {d for d, n in enumerate(whole) if n != 1}
    both = [d for d in sorted(factors[1].dims) if d not in gone]
    if not gone or not gone <= set(factors[1].dims) or len(both) + len(gone) == len(whole):
        return None
    if both != list(range(len(both))):  # a batch that is not in front would have to be moved there
        return None
    return _as_dot(op, factors, whole, dims)


STORED = frozenset(f"stablehlo.{n}" for n in ("dot_general", "convolution", "while", "sort", "fft", "custom_call"))


def _is_stored(x: Expr) -> bool:
    """Whether a value is an argument or made by an op that compilers don't fuse with others."""
    m = maker(x.value)
    return m is None or m.name in STORED


def _as_dot(op: ir.Operation, factors: Sequence[Factor], whole: Sequence[int], dims: Sequence[int]) -> Expr | None:
    """The sum of a product of two as dot_general: what both have and what is summed is contracted, the rest batched."""
    x, y = factors
    if any(d not in x.dims or d not in y.dims for d in dims if whole[d] != 1):
        return None
    if set(x.dims) | set(y.dims) | {d for d in range(len(whole)) if whole[d] == 1} != set(range(len(whole))):
        return None
    summed = [d for d in dims if d in x.dims and d in y.dims]
    both = [d for d in sorted(x.dims) if d in y.dims and d not in summed and d not in dims]
    places = [([f.dims.index(d) for d in summed], [f.dims.index(d) for d in both]) for f in factors]
    contract, batch = zip(*places, strict=True)
    out = E.dot_general(x.value, y.value, contract, batch, **in_full({}, x.value.dtype))
    order = both + [d for f in factors for d in f.dims if d not in (*summed, *both)]
    return E.reshape(E.transpose(out, [order.index(d) for d in sorted(order)]), op.results[0].type.shape)


# -- what is reduced piece by piece ------------------------------------------------------------------------------------


def _ends_chain(op: ir.Operation) -> bool:
    """Whether an op is the last of a chain of its kind that begins, or ends, with a slice."""
    makers = [maker(v) for v in op.operands]
    first = makers[0]
    if first is not None and first.name == op.name:
        makers.append(maker(first.operands[0]))
    if all(m is None or m.name != "stablehlo.slice" for m in makers):
        return False
    uses = list(op.results[0].uses)
    return len(uses) != 1 or uses[0].owner.operation.name != op.name


def _chained(value: ir.Value, name: str, depth: int = 64) -> list[ir.Operation] | None:
    """The slices that a chain of an op combines; None if there is anything else."""
    m = maker(value)
    if m is None or not depth or not (single_use(value) or m.name == "stablehlo.slice"):
        return None
    if m.name == "stablehlo.slice":
        return [m]
    if m.name != name:
        return None
    parts = [_chained(v, name, depth - 1) for v in m.operands]
    return None if parts[0] is None or parts[1] is None else parts[0] + parts[1]


def _sum_of_slices(op: ir.Operation) -> Expr | None:
    """x[0] + x[1] + x[2] + … -> a reduction of x."""
    parts = [_chained(v, op.name) for v in op.operands]
    if parts[0] is None or parts[1] is None or len(parts[0] + parts[1]) < 4:
        return None
    found = parts[0] + parts[1]
    x, neutral = Expr(found[0].operands[0]), neutral_of(op.name, found[0].operands[0].type)
    if neutral is None or any(s.operands[0] != x.value or set(ints(s, "strides")) - {1} for s in found):
        return None
    starts = [ints(s, "start_indices") for s in found]
    moved = [d for d in range(x.rank) if len({s[d] for s in starts}) > 1]
    if len(moved) != 1 or op.results[0].type.shape[moved[0]] != 1:
        return None
    (d,) = moved
    places = sorted(s[d] for s in starts)
    if places != list(range(places[0], places[0] + len(places))):
        return None
    low, high = list(starts[0]), list(ints(found[0], "limit_indices"))
    low[d], high[d] = places[0], places[-1] + 1
    out = E.reduce(E.slice_(x, low, high), [d], op.name, neutral)
    return E.reshape(out, op.results[0].type.shape)


_OF_SLICES = {
    "add": ROUNDS, "multiply": ROUNDS | RANGE, "maximum": KINKS, "minimum": KINKS, "and": NONE, "or": NONE,
}  # fmt: skip
for _name, _effects in _OF_SLICES.items():
    _pattern = f"{_name}_(x, y)" if _name in ("and", "or") else f"{_name}(x, y)"
    _join = rule(
        _pattern, name=f"{_name}_of_slices", operands=("slice", _name),
        when=_ends_chain, effects=_effects,
    )  # fmt: skip
    _join(_sum_of_slices)


# -- windows -----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Window:
    """How a reduce_window goes over its operand."""

    size: tuple[int, ...]
    stride: tuple[int, ...]
    base: tuple[int, ...]
    holes: tuple[int, ...]
    low: tuple[int, ...]
    high: tuple[int, ...]

    @staticmethod
    def of(op: ir.Operation) -> Window:
        size = ints(op, "window_dimensions")
        ones, zeros = (1,) * len(size), (0,) * (2 * len(size))
        names = ("window_strides", "base_dilations", "window_dilations")
        stride, base, holes = (ints(op, n) if n in op.attributes else ones for n in names)
        edges = ints(op, "padding") if "padding" in op.attributes else zeros
        return Window(size, stride, base, holes, edges[::2], edges[1::2])

    @property
    def is_plain(self) -> bool:
        """Whether there is neither padding nor dilation."""
        return not any(self.low + self.high) and set(self.base + self.holes) <= {1}

    def of_dims(self, dims: Sequence[int]) -> Window:
        """With the dimensions in another order."""
        return Window(*(tuple(part[d] for d in dims) for part in vars(self).values()))


def windowed_again(op: ir.Operation, x: Expr, init: Expr, w: Window, shape: Sequence[int]) -> Expr:
    """The same computation in other windows of another array."""
    made = op.clone()
    made.operands[0], made.operands[1] = x.value, init.value
    sizes = {"window_dimensions": w.size, "window_strides": w.stride, "base_dilations": w.base}
    for name, numbers in {**sizes, "window_dilations": w.holes}.items():
        made.attributes[name] = E.i64s(numbers)
    made.attributes["padding"] = ir.DenseIntElementsAttr.get(np.array([w.low, w.high], np.int64).T.copy())
    made.results[0].set_type(E.tensor(shape, x.dtype))
    return Expr(made.results[0])


def reduced_by(name: str, x: Expr, init: Expr, dims: Sequence[int]) -> Expr:
    """A reduction of an array by a computation of one op."""
    shape = [n for d, n in enumerate(x.shape) if d not in dims]
    made = E.ops("stablehlo.reduce", [x, init], [E.tensor(shape, x.dtype)], {"dimensions": E.i64s(dims)}, regions=1)
    E.fill(made.regions[0], [init.type, init.type], lambda a, b: [E.op(name, a, b)])
    return Expr(made.results[0])


@rule("reduce_window(x, init)", when=lambda op: set(ints(op, "window_dimensions")) <= {1})
def window_of_one(op: ir.Operation, x: Expr) -> Expr | None:
    """A window of one element gives what is there: everything, or every so many elements."""
    w = Window.of(op)
    if not starts_neutral(op) or not w.is_plain:
        return None
    return as_sum(op, E.slice_(x, [0] * x.rank, x.shape, w.stride))


def _of_all(op: ir.Operation, x: Expr, init: Expr) -> Expr | None:
    """A reduction over the dimensions that a window spans whole."""
    w, shape, name = Window.of(op), op.results[0].type.shape, body_of(op)
    dims = [d for d, n in enumerate(w.size) if n != 1]
    if (
        not dims
        or name is None
        or not starts_neutral(op)
        or not w.is_plain
        or any(w.size[d] != x.shape[d] for d in dims)
    ):
        return None
    if any(shape[d] != x.shape[d] for d in range(x.rank) if d not in dims):
        return None
    return E.reshape(reduced_by(name, x, init, dims), shape)


@rule("reduce_window(x, init)", effects=ROUNDS)
def window_of_all(op: ir.Operation, x: Expr, init: Expr) -> Expr | None:
    """A window over whole dimensions is a reduction."""
    return _of_all(op, x, init) if body_of(op) not in SAME else None


@rule("reduce_window(x, init)", effects=KINKS)
def extreme_of_all(op: ir.Operation, x: Expr, init: Expr) -> Expr | None:
    """A maximum in a window over whole dimensions is one over them. (Of equal ones, the first has the derivative.)"""
    return _of_all(op, x, init) if body_of(op) in SAME else None


def _in_blocks(op: ir.Operation) -> bool:
    w = Window.of(op)
    return w.is_plain and w.size == w.stride and max(w.size, default=1) > 1


def _by_blocks(op: ir.Operation, x: Expr, init: Expr) -> Expr | None:
    """Each dimension is split into blocks and places in them, and these are reduced over."""
    w, name = Window.of(op), body_of(op)
    if name is None or not starts_neutral(op) or any(m % n for m, n in zip(x.shape, w.size, strict=True)):
        return None
    split, dims = [], []
    for m, n in zip(x.shape, w.size, strict=True):
        split.append(m // n)
        if n > 1:
            dims.append(len(split))
            split.append(n)
    return reduced_by(name, E.reshape(x, split), init, dims)


@rule("reduce_window(x, init)", effects=ROUNDS, when=_in_blocks)
def window_of_blocks(op: ir.Operation, x: Expr, init: Expr) -> Expr | None:
    """Sums in windows that lie side by side are sums over a dimension of their own."""
    return _by_blocks(op, x, init) if body_of(op) == "stablehlo.add" else None


@rule("reduce_window(x, init)", effects=KINKS, when=_in_blocks)
def extreme_of_blocks(op: ir.Operation, x: Expr, init: Expr) -> Expr | None:
    """Maxima in windows that lie side by side are maxima over a dimension of their own."""
    return _by_blocks(op, x, init) if body_of(op) in SAME else None


@rule("reduce_window(p := pad(x, v), init)", effects=ROUNDS)
def window_of_pad(op: ir.Operation, p: ir.Operation, x: Expr, v: Expr, init: Expr) -> Expr | None:
    """reduce_window(pad(x, 0)) -> one that pads by itself."""
    w, name = Window.of(op), body_of(op)
    low, high, interior = (
        ints(p, f"{n}_padding{e}") for n, e in (("edge", "_low"), ("edge", "_high"), ("interior", ""))
    )
    if not starts_neutral(op) or any(interior) or min((0, *low, *high)) < 0 or set(w.base) - {1}:
        return None
    if splat_of(v.value) is None or (v.value != init.value and splat_of(v.value) != neutral_of(name or "", v.type)):
        return None
    edges = [tuple(a + b for a, b in zip(x, y, strict=True)) for x, y in ((w.low, low), (w.high, high))]
    return windowed_again(op, x, init, replace(w, low=edges[0], high=edges[1]), op.results[0].type.shape)


def _of_transpose(op: ir.Operation, t: ir.Operation, x: Expr, init: Expr) -> Expr | None:
    if not single_use(t.results[0]):
        return None
    permutation, shape = ints(t, "permutation"), op.results[0].type.shape
    inverse = [permutation.index(d) for d in range(x.rank)]
    out = windowed_again(op, x, init, Window.of(op).of_dims(inverse), [shape[d] for d in inverse])
    return E.transpose(out, permutation)


@rule("reduce_window(t := transpose(x), init)", effects=ROUNDS)
def window_of_transpose(op: ir.Operation, t: ir.Operation, x: Expr, init: Expr) -> Expr | None:
    """reduce_window(transpose(x)) -> transpose(reduce_window(x))."""
    return _of_transpose(op, t, x, init) if body_of(op) in COMBINES and body_of(op) not in SAME else None


@rule("reduce_window(t := transpose(x), init)", effects=KINKS)
def extreme_window_of_transpose(op: ir.Operation, t: ir.Operation, x: Expr, init: Expr) -> Expr | None:
    """The same of maxima. (Of equal ones, the first has the derivative: the order matters.)"""
    return _of_transpose(op, t, x, init) if body_of(op) in SAME else None


@rule("reduce_window(-x, init)", "number")
def window_of_negate(op: ir.Operation, x: Expr, init: Expr) -> Expr | None:
    """Sums of -x in windows -> sums of x, negated."""
    if not _is_sum(op):
        return None
    return 0 - windowed_again(op, x, init, Window.of(op), op.results[0].type.shape)


@rule("reduce_window(x * C, init)", "real", effects=ROUNDS | RANGE)
def window_of_multiple(op: ir.Operation, x: Expr, C: float, init: Expr) -> Expr | None:
    """Sums of x * C in windows -> sums of x, times C."""
    if not _is_sum(op) or E.size(op.results[0].type.shape) > E.size(x.shape):
        return None
    return windowed_again(op, x, init, Window.of(op), op.results[0].type.shape) * C


@rule("reduce_window(x, init)", "float", effects=ROUNDS, when=lambda op: splat_of(op.operands[0]) is not None)
def window_of_splat(op: ir.Operation, x: Expr) -> Expr | None:
    """The sum of a constant over windows is a multiple of it: of how many elements each window meets."""
    w, number, t, of = Window.of(op), splat_of(x.value), op.results[0].type, dtype(x.dtype)
    if number is None or not _is_sum(op) or of not in (np.float32, np.float64):
        return None
    counts = [_met(w, d, x.shape[d], n) for d, n in enumerate(t.shape)]
    if all(len(set(c)) == 1 for c in counts):
        return E.full(t, float(number * np.prod([float(c[0]) for c in counts])))
    if E.size(t.shape) > 1024:
        return None
    made = np.asarray(number, of)
    for c in counts:
        made = np.multiply.outer(made, np.asarray(c, of))
    return E.array(made, x.dtype)


def _met(w: Window, d: int, size: int, n: int) -> list[int]:
    """How many elements each of n windows meets along a dimension."""
    starts = w.stride[d] * np.arange(n)[:, None] - w.low[d] + w.holes[d] * np.arange(w.size[d])[None]
    inside = (starts >= 0) & (starts < (size - 1) * w.base[d] + 1) & (starts % w.base[d] == 0)
    return [int(c) for c in inside.sum(1)]
