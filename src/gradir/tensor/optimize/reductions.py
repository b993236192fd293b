"""Reductions of what has been spread, moved, scaled or put together."""

from __future__ import annotations

from collections.abc import Sequence

from jaxlib.mlir import ir

from gradir.tensor import expr as E
from gradir.tensor.expr import Expr
from gradir.tensor.optimize.driver import Driver
from gradir.tensor.optimize.reading import integer, ints, kind, made_by, single_use, splat_of
from gradir.tensor.optimize.rule import Family
from gradir.tensor.optimize.shapes import keeps_size
from gradir.tensor.rules.computation import NEUTRAL, is_neutral, single_op

reductions = Family("reductions", "reduce and reduce_window")
rule = reductions.rule

SAME = frozenset(f"stablehlo.{n}" for n in ("maximum", "minimum", "and", "or"))
"""Computations of which many equal arguments make one."""


def body_of(op: ir.Operation) -> str | None:
    """The op that a reduction of one array combines elements by."""
    return single_op(op.regions[0]) if len(op.operands) == 2 else None


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
    if kind(init.type) == "bool":
        return (name, number) in (("stablehlo.and", True), ("stablehlo.or", False))
    return number is not None and (name, number) in (("stablehlo.add", 0), ("stablehlo.multiply", 1))


def _is_sum(op: ir.Operation) -> bool:
    return body_of(op) == "stablehlo.add" and starts_neutral(op)


@rule("reduce(x, init)", when=keeps_size)
def reduce_ones(op: ir.Operation, x: Expr) -> Expr | None:
    """A reduction over dimensions of size 1 is a reshape."""
    return E.reshape(x, op.results[0].type.shape) if starts_neutral(op) else None


@rule("reduce(b := broadcast(x), init)", rounds=True)
def reduce_of_broadcast(op: ir.Operation, b: ir.Operation, x: Expr, init: Expr) -> Expr | None:
    """reduce(broadcast(x)) -> a multiple of reduce(x), or reduce(x) itself."""
    name, dims = body_of(op), set(ints(op, "dimensions"))
    target, whole = ints(b, "broadcast_dimensions"), b.results[0].type.shape
    # Dimensions along which the same value is repeated.
    repeated = {d for d in dims if d not in target or x.shape[target.index(d)] != whole[d]}
    if not repeated or not starts_neutral(op) or (name not in SAME and name != "stablehlo.add"):
        return None
    kept = [d for d in range(len(whole)) if d not in repeated]
    inner_dims = [i for i, d in enumerate(target) if d not in repeated]
    small = E.reshape(x, [x.shape[i] for i in inner_dims])
    spread = E.broadcast(small, [whole[d] for d in kept], [kept.index(target[i]) for i in inner_dims])
    out = reduced_again(op, spread, init, [kept.index(d) for d in sorted(dims - repeated)])
    n = E.size([whole[d] for d in repeated])
    return out if name in SAME or n == 1 else out * n


@rule("reduce(inner := reduce(x, init), init2)", rounds=True)
def reduce_reduce(op: ir.Operation, inner: ir.Operation, x: Expr, init: Expr) -> Expr | None:
    """Two sums are one."""
    name = body_of(op)
    if name != "stablehlo.add" or body_of(inner) != name or not (starts_neutral(op) and starts_neutral(inner)):
        return None
    if not single_use(inner.results[0]):
        return None
    gone = ints(inner, "dimensions")
    left = [d for d in range(x.rank) if d not in gone]
    return reduced_again(op, x, init, [*gone, *(left[d] for d in ints(op, "dimensions"))])


@rule("reduce(inner := reduce(x, init), init2)", kinks=True)
def reduce_reduce_extreme(op: ir.Operation, inner: ir.Operation, x: Expr, init: Expr) -> Expr | None:
    """Two maxima (or minima, …) are one."""
    name = body_of(op)
    if name not in SAME or body_of(inner) != name or not (starts_neutral(op) and starts_neutral(inner)):
        return None
    gone = ints(inner, "dimensions")
    left = [d for d in range(x.rank) if d not in gone]
    return reduced_again(op, x, init, [*gone, *(left[d] for d in ints(op, "dimensions"))])


@rule("reduce(t := transpose(x), init)", rounds=True)
def reduce_of_transpose(op: ir.Operation, t: ir.Operation, x: Expr, init: Expr) -> Expr | None:
    """reduce(transpose(x)) -> transpose(reduce(x)): less is transposed, or nothing."""
    if body_of(op) is None or body_of(op) not in (*SAME, "stablehlo.add", "stablehlo.multiply"):
        return None
    permutation = ints(t, "permutation")
    dims = [permutation[d] for d in ints(op, "dimensions")]
    out = reduced_again(op, x, init, dims)
    left = [d for d in permutation if d not in dims]
    order = sorted(left)
    return E.transpose(out, [order.index(d) for d in left])


@rule("reduce(r := reshape(x), init)", rounds=True)
def reduce_of_reshape(op: ir.Operation, r: ir.Operation, x: Expr, init: Expr) -> Expr | None:
    """reduce(reshape(x)) over everything, or where the reshape only adds dimensions of size 1, -> reduce(x)."""
    if body_of(op) not in (*SAME, "stablehlo.add", "stablehlo.multiply") or not starts_neutral(op):
        return None
    middle, dims = r.results[0].type.shape, ints(op, "dimensions")
    if len(dims) == len(middle):
        return reduced_again(op, x, init, range(x.rank)) if x.rank else x
    if [n for n in middle if n != 1] != x.shape:
        return None
    places = [d for d, n in enumerate(middle) if n != 1]
    out = reduced_again(op, x, init, [i for i, d in enumerate(places) if d in dims])
    return E.reshape(out, op.results[0].type.shape)


@rule("reduce(-x, init)", "inexact")
def reduce_of_negate(op: ir.Operation, x: Expr, init: Expr) -> Expr | None:
    """sum(-x) -> -sum(x)."""
    return -reduced_again(op, x, init, ints(op, "dimensions")) if _is_sum(op) else None


@rule("reduce(x * c, init)", "float", rounds=True)
def reduce_of_multiple(op: ir.Operation, x: Expr, c: float, init: Expr) -> Expr | None:
    """sum(x * c) -> sum(x) * c."""
    return reduced_again(op, x, init, ints(op, "dimensions")) * c if _is_sum(op) else None


@rule("reduce(x * broadcast(s), init)", "float", rounds=True)
def reduce_of_scaled(op: ir.Operation, x: Expr, s: Expr, driver: Driver) -> Expr | None:
    """sum(x * broadcast(s)) -> sum(x) * s where s is the same along all that is summed, and finite."""
    product = op.operands[0].owner.operation
    b = next(m for v in product.operands if (m := made_by(v, "broadcast_in_dim")) and m.operands[0] == s.value)
    dims, target = set(ints(op, "dimensions")), ints(b, "broadcast_dimensions")
    whole = b.results[0].type.shape
    if not _is_sum(op) or not driver.facts.finite(s) or not single_use(product.results[0]):
        return None
    if any(d in dims and s.shape[i] == whole[d] and whole[d] != 1 for i, d in enumerate(target)):
        return None
    if x.value == b.results[0]:
        return None
    kept = [d for d in range(len(whole)) if d not in dims]
    inside = [i for i, d in enumerate(target) if d in kept]
    small = E.reshape(s, [s.shape[i] for i in inside])
    out = reduced_again(op, x, Expr(op.operands[1]), sorted(dims))
    return out * E.broadcast(small, out.shape, [kept.index(target[i]) for i in inside])


@rule("reduce(p := pad(x, v), init)", rounds=True)
def reduce_of_pad(op: ir.Operation, p: ir.Operation, x: Expr, v: Expr, init: Expr) -> Expr | None:
    """reduce(pad(x, 0)) -> reduce(x), padded along what is left."""
    name = body_of(op)
    if name not in NEUTRAL or not starts_neutral(op) or splat_of(v.value) != NEUTRAL[name]:
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


@rule("reduce(k := concatenate(*xs), init)", rounds=True, gated=True)
def reduce_of_concatenate(op: ir.Operation, k: ir.Operation, xs: list[Expr], init: Expr) -> Expr | None:
    """sum(concatenate(x, y)) -> sum(x) + sum(y): nothing is put together."""
    name, dim = body_of(op), integer(k, "dimension")
    if name is None or dim not in ints(op, "dimensions") or not starts_neutral(op) or not single_use(k.results[0]):
        return None
    if name not in (*SAME, "stablehlo.add", "stablehlo.multiply") or len(xs) > 4:
        return None
    parts = [reduced_again(op, x, init, ints(op, "dimensions")) for x in xs]
    out = parts[0]
    for part in parts[1:]:
        out = E.op(name, out, part)
    return out


@rule("reduce(x, init)", rounds=True, when=lambda op: splat_of(op.operands[0]) is not None)
def reduce_splat(op: ir.Operation, x: Expr) -> Expr | None:
    """The sum of a constant is a multiple of it; the greatest of equal numbers is each of them."""
    number, name = splat_of(x.value), body_of(op)
    if number is None or not starts_neutral(op) or isinstance(number, complex):
        return None
    n = E.size([x.shape[d] for d in ints(op, "dimensions")])
    if not n or (name not in SAME and name != "stablehlo.add"):
        return None
    if name == "stablehlo.add" and (kind(x.type) != "float" or n > 2**20):
        return None
    return E.full(op.results[0].type, number if name in SAME else number * n)


@rule("reduce(convert(p), init)", "float", rounds=True)
def reduce_max_of_mask(op: ir.Operation, p: Expr) -> Expr | None:
    """max(convert(p)) -> convert(any(p)) for truth values."""
    name = body_of(op)
    if kind(p.type) != "bool" or name not in ("stablehlo.maximum", "stablehlo.minimum") or not starts_neutral(op):
        return None
    if any(p.shape[d] == 0 for d in ints(op, "dimensions")):
        return None
    how, init = ("stablehlo.or", False) if name == "stablehlo.maximum" else ("stablehlo.and", True)
    return E.convert(E.reduce(p, ints(op, "dimensions"), how, init), op.results[0].type.element_type)


@rule("reduce(broadcast(x) * broadcast(y), init)", "float", rounds=True, gated=True)
def reduce_of_outer_product(op: ir.Operation, x: Expr, y: Expr) -> Expr | None:
    """sum(broadcast(x) * broadcast(y)) -> a product of matrices: the large array is never made."""
    product = op.operands[0].owner.operation
    a, b = (v.owner.operation for v in product.operands)
    x, y = Expr(a.operands[0]), Expr(b.operands[0])
    whole, dims = product.results[0].type.shape, ints(op, "dimensions")
    tx, ty = ints(a, "broadcast_dimensions"), ints(b, "broadcast_dimensions")
    if not _is_sum(op) or not single_use(product.results[0]) or list(tx) != sorted(tx) or list(ty) != sorted(ty):
        return None
    if any(x.shape[i] != whole[d] for i, d in enumerate(tx)) or any(y.shape[i] != whole[d] for i, d in enumerate(ty)):
        return None
    if any(d not in tx or d not in ty for d in dims) or set(tx) | set(ty) != set(range(len(whole))):
        return None
    both = [d for d in tx if d in ty and d not in dims]
    only = [d for d in tx if d not in ty], [d for d in ty if d not in tx]
    if not all(only) or max(E.size([whole[d] for d in o]) for o in only) < 4:
        return None
    out = E.dot_general(
        x, y, ([tx.index(d) for d in dims], [ty.index(d) for d in dims]),
        ([tx.index(d) for d in both], [ty.index(d) for d in both]),
    )  # fmt: skip
    order = [*both, *only[0], *only[1]]
    return E.transpose(out, [order.index(d) for d in sorted(order)])


@rule("reduce_window(x, init)")
def window_of_one(op: ir.Operation, x: Expr) -> Expr | None:
    """A window of one element, moved by one, gives what is there."""
    if single_op(op.regions[0]) is None or not _starts_neutral_window(op):
        return None
    ones = all(n == 1 for n in ints(op, "window_dimensions"))
    for name in ("window_strides", "base_dilations", "window_dilations"):
        ones = ones and (name not in op.attributes or all(n == 1 for n in ints(op, name)))
    return x if ones and x.type == op.results[0].type else None


def _starts_neutral_window(op: ir.Operation) -> bool:
    name = single_op(op.regions[0])
    return name is not None and len(op.operands) == 2 and is_neutral(name, op.operands[1])


@rule("reduce_window(x, init)", rounds=True)
def window_of_all(op: ir.Operation, x: Expr, init: Expr) -> Expr | None:
    """A window over whole dimensions is a reduction."""
    if not _starts_neutral_window(op) or "padding" in op.attributes:
        return None
    for name in ("window_strides", "base_dilations", "window_dilations"):
        if name in op.attributes and any(n != 1 for n in ints(op, name)):
            return None
    window = ints(op, "window_dimensions")
    dims = [d for d, n in enumerate(window) if n != 1]
    if any(window[d] != x.shape[d] for d in dims):
        return None
    return E.reshape(reduced_again(op, x, init, dims), op.results[0].type.shape)
