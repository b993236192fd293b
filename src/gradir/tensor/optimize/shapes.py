"""Reshapes, transposes and broadcasts: merged where they meet, and moved to where they cost least."""

from __future__ import annotations

from collections.abc import Sequence

from jaxlib.mlir import ir

from gradir.tensor import expr as E
from gradir.tensor.expr import Expr
from gradir.tensor.optimize.cost import size
from gradir.tensor.optimize.driver import Driver
from gradir.tensor.optimize.reading import ints, made_by, maker, single_use, splat_of
from gradir.tensor.optimize.rule import Family, again

shapes = Family("shapes", "reshape, transpose, broadcast and reverse")
rule = shapes.rule


def without_ones(shape: Sequence[int]) -> list[int]:
    return [n for n in shape if n != 1]


def unit_map(source: Sequence[int], target: Sequence[int]) -> list[int] | None:
    """For a reshape that only adds and drops dimensions of size 1: the target's dimension of each other source one."""
    if without_ones(source) != without_ones(target):
        return None
    places = [d for d, n in enumerate(target) if n != 1]
    rest = iter(places)
    return [next(rest) if n != 1 else -1 for n in source]


def keeps_type(op: ir.Operation) -> bool:
    return op.operands[0].type == op.results[0].type


def keeps_size(op: ir.Operation) -> bool:
    return size(op.operands[0].type) == size(op.results[0].type)


# -- no-ops and constants ----------------------------------------------------------------------------------------------


@rule("reshape(x)", when=keeps_type)
def reshape_noop(op: ir.Operation, x: Expr) -> Expr | None:
    """A reshape to the same shape goes."""
    return x if x.type == op.results[0].type else None


@rule("transpose(x)", when=keeps_type)
def transpose_noop(op: ir.Operation, x: Expr) -> Expr | None:
    """A transpose that moves nothing goes."""
    permutation = ints(op, "permutation")
    return x if permutation == tuple(range(len(permutation))) else None


@rule("broadcast(x)", when=keeps_type)
def broadcast_noop(op: ir.Operation, x: Expr) -> Expr | None:
    """A broadcast to the same shape goes."""
    same = x.type == op.results[0].type and ints(op, "broadcast_dimensions") == tuple(range(x.rank))
    return x if same else None


@rule("reverse(x)")
def reverse_noop(op: ir.Operation, x: Expr) -> Expr | None:
    """A reverse of dimensions of size 1 goes."""
    return x if all(x.shape[d] == 1 for d in ints(op, "dimensions")) else None


def _moved_splat(op: ir.Operation, x: Expr) -> Expr | None:
    """A constant that is the same everywhere, moved, is such a constant."""
    number = splat_of(x.value)
    return None if number is None else E.full(op.results[0].type, number)


for _name in ("reshape", "transpose", "broadcast", "reverse", "slice"):
    rule(f"{_name}(x)", name=f"{_name}_splat", operands=("constant",))(_moved_splat)


# -- two become one ----------------------------------------------------------------------------------------------------


@rule("reshape(reshape(x))")
def reshape_reshape(op: ir.Operation, x: Expr) -> Expr:
    """Two reshapes are one."""
    return E.reshape(x, op.results[0].type.shape)


@rule("transpose(inner := transpose(x))")
def transpose_transpose(op: ir.Operation, inner: ir.Operation, x: Expr) -> Expr:
    """Two transposes are one."""
    first = ints(inner, "permutation")
    return E.transpose(x, [first[d] for d in ints(op, "permutation")])


@rule("broadcast(inner := broadcast(x))")
def broadcast_broadcast(op: ir.Operation, inner: ir.Operation, x: Expr) -> Expr:
    """Two broadcasts are one."""
    outer = ints(op, "broadcast_dimensions")
    return E.broadcast(x, op.results[0].type.shape, [outer[d] for d in ints(inner, "broadcast_dimensions")])


@rule("reverse(inner := reverse(x))")
def reverse_reverse(op: ir.Operation, inner: ir.Operation, x: Expr) -> Expr:
    """Two reverses are one."""
    return E.reverse(x, sorted(set(ints(op, "dimensions")) ^ set(ints(inner, "dimensions"))))


@rule("broadcast(x)", when=keeps_size)
def broadcast_is_reshape(op: ir.Operation, x: Expr) -> Expr | None:
    """A broadcast that only adds dimensions of size 1 is a reshape."""
    t, dims = op.results[0].type, ints(op, "broadcast_dimensions")
    kept = [d for d, n in zip(dims, x.shape, strict=True) if n != 1]
    if E.size(x.shape) != E.size(t.shape) or kept != sorted(kept) or without_ones(x.shape) != without_ones(t.shape):
        return None
    return E.reshape(x, t.shape)


@rule("transpose(x)", when=lambda op: 1 in op.operands[0].type.shape)
def transpose_is_reshape(op: ir.Operation, x: Expr) -> Expr | None:
    """A transpose that moves only dimensions of size 1 is a reshape."""
    moved = [d for d in ints(op, "permutation") if x.shape[d] != 1]
    return E.reshape(x, op.results[0].type.shape) if moved == sorted(moved) else None


@rule("transpose(x)", when=lambda op: ints(op, "permutation") == (1, 0))
def transpose_of_symmetric(x: Expr, driver: Driver) -> Expr | None:
    """transpose(x) -> x for a matrix that is its own transpose."""
    return x if driver.facts.symmetric(x) else None


@rule("broadcast(r := reshape(x))")
def broadcast_of_reshape(op: ir.Operation, r: ir.Operation, x: Expr) -> Expr | None:
    """broadcast(reshape(x)) -> broadcast(x) if the reshape only adds or drops dimensions of size 1."""
    dims, middle = ints(op, "broadcast_dimensions"), r.results[0].type.shape
    if without_ones(x.shape) != without_ones(middle) or 1 in x.shape:
        return None
    return E.broadcast(x, op.results[0].type.shape, [d for d, n in zip(dims, middle, strict=True) if n != 1])


@rule("reshape(b := broadcast(x))")
def reshape_of_broadcast(op: ir.Operation, b: ir.Operation, x: Expr) -> Expr | None:
    """reshape(broadcast(x)) -> broadcast(x) if the reshape only adds or drops dimensions of size 1."""
    middle, target = b.results[0].type.shape, op.results[0].type.shape
    places = unit_map(middle, target)
    if places is None:
        return None
    kept = [(i, places[d]) for i, d in enumerate(ints(b, "broadcast_dimensions")) if places[d] >= 0]
    return E.broadcast(E.reshape(x, [x.shape[i] for i, _ in kept]), target, [d for _, d in kept])


@rule("transpose(b := broadcast(x))")
def transpose_of_broadcast(op: ir.Operation, b: ir.Operation, x: Expr) -> Expr:
    """transpose(broadcast(x)) -> broadcast(x) to other dimensions."""
    place = {source: to for to, source in enumerate(ints(op, "permutation"))}
    return E.broadcast(x, op.results[0].type.shape, [place[d] for d in ints(b, "broadcast_dimensions")])


@rule("broadcast(t := transpose(x))")
def broadcast_of_transpose(op: ir.Operation, t: ir.Operation, x: Expr) -> Expr:
    """broadcast(transpose(x)) -> broadcast(x) to other dimensions."""
    dims, permutation = ints(op, "broadcast_dimensions"), ints(t, "permutation")
    place = {source: dims[to] for to, source in enumerate(permutation)}
    return E.broadcast(x, op.results[0].type.shape, [place[d] for d in range(x.rank)])


@rule("reshape(t := transpose(x))")
def reshape_of_transpose(op: ir.Operation, t: ir.Operation, x: Expr) -> Expr | None:
    """reshape(transpose(x)) -> transpose(reshape(x)) where only dimensions of size 1 go, so that transposes meet."""
    middle, target = t.results[0].type.shape, op.results[0].type.shape
    if len(target) >= len(middle) or without_ones(middle) != target:
        return None
    kept = [d for d in range(x.rank) if x.shape[d] != 1]
    permutation = [kept.index(d) for d in ints(t, "permutation") if d in kept]
    return E.transpose(E.reshape(x, [x.shape[d] for d in kept]), permutation)


@rule("reverse(b := broadcast(x))")
def reverse_of_broadcast(op: ir.Operation, b: ir.Operation, x: Expr) -> Expr:
    """reverse(broadcast(x)) -> broadcast(reverse(x)): what is the same along a dimension need not be reversed."""
    place = dict(zip(ints(b, "broadcast_dimensions"), range(x.rank), strict=True))
    dims = [place[d] for d in ints(op, "dimensions") if d in place]
    return E.broadcast(E.reverse(x, sorted(dims)), op.results[0].type.shape, list(ints(b, "broadcast_dimensions")))


@rule("reverse(t := transpose(x))", phase="up")
def reverse_of_transpose(op: ir.Operation, t: ir.Operation, x: Expr) -> Expr:
    """reverse(transpose(x)) -> transpose(reverse(x))."""
    permutation = ints(t, "permutation")
    return E.transpose(E.reverse(x, sorted(permutation[d] for d in ints(op, "dimensions"))), permutation)


# -- through elementwise ops -------------------------------------------------------------------------------------------


@rule("binary(*xs)", operands=("broadcast",))
def binary_of_broadcasts(op: ir.Operation, xs: list[Expr]) -> Expr | None:
    """f(broadcast(x), broadcast(y)) -> broadcast(f(x, y)): compute before repeating."""
    return _of_broadcasts(op, xs)


@rule("unary(b := broadcast(x))")
def unary_of_broadcast(op: ir.Operation, b: ir.Operation, x: Expr) -> Expr | None:
    """f(broadcast(x)) -> broadcast(f(x)): compute before repeating."""
    shape = b.results[0].type.shape
    if E.size(x.shape) >= E.size(shape):
        return None
    return E.broadcast(again(op, [x]), shape, ints(b, "broadcast_dimensions"))


@rule("where(p, x, y)", operands=("broadcast",))
def select_of_broadcasts(op: ir.Operation, p: Expr, x: Expr, y: Expr) -> Expr | None:
    """select(broadcast(p), broadcast(x), broadcast(y)) -> broadcast(select(p, x, y))."""
    return _of_broadcasts(op, [p, x, y]) if p.rank else None


def _of_broadcasts(op: ir.Operation, xs: Sequence[Expr]) -> Expr | None:
    """Where all operands are constants or broadcasts along the same dimensions."""
    source: ir.Operation | None = None
    for x in xs:
        if splat_of(x.value) is not None:
            continue
        b = made_by(x, "broadcast_in_dim")
        if b is None:
            return None
        if source is None:
            source = b
        elif (
            b.attributes["broadcast_dimensions"] != source.attributes["broadcast_dimensions"]
            or b.operands[0].type.shape != source.operands[0].type.shape
        ):
            return None
    if source is None:
        return None
    small, shape = source.operands[0].type.shape, source.results[0].type.shape
    if E.size(small) >= E.size(shape):
        return None
    inner = [_reduced(x, small) for x in xs]
    return E.broadcast(again(op, inner, small), shape, ints(source, "broadcast_dimensions"))


def _reduced(x: Expr, shape: Sequence[int]) -> Expr:
    """What a broadcast is of, or a smaller constant."""
    number = splat_of(x.value)
    if number is not None:
        return E.full(E.tensor(shape, x.dtype), number)
    op = maker(x.value)
    assert op is not None
    return Expr(op.operands[0])


def _unmoved(xs: Sequence[Expr], name: str, attribute: str | None) -> list[Expr] | None:
    """The values before they were all moved in the same way; constants are the same before and after."""
    first: ir.Operation | None = None
    for x in xs:
        if splat_of(x.value) is not None:
            continue
        op = made_by(x, name)
        if op is None:
            return None
        if first is not None:
            if attribute is not None and op.attributes[attribute] != first.attributes[attribute]:
                return None
            if op.operands[0].type.shape != first.operands[0].type.shape:
                return None
        first = first or op
    if first is None:
        return None
    return [_reduced(x, first.operands[0].type.shape) for x in xs]


@rule("binary(*xs)", operands=("transpose",))
def binary_of_transposes(op: ir.Operation, xs: list[Expr]) -> Expr | None:
    """f(transpose(x), transpose(y)) -> transpose(f(x, y))."""
    inner = _unmoved(xs, "transpose", "permutation")
    if inner is None:
        return None
    moved = next(m for x in xs if (m := made_by(x, "transpose")) is not None)
    return E.transpose(again(op, inner), ints(moved, "permutation"))


@rule("binary(*xs)", operands=("reshape",))
def binary_of_reshapes(op: ir.Operation, xs: list[Expr]) -> Expr | None:
    """f(reshape(x), reshape(y)) -> reshape(f(x, y))."""
    inner = _unmoved(xs, "reshape", None)
    return None if inner is None else E.reshape(again(op, inner), op.results[0].type.shape)


@rule("unary(r := reshape(x))", phase="down")
def unary_of_reshape(op: ir.Operation, r: ir.Operation, x: Expr) -> Expr | None:
    """f(reshape(x)) -> reshape(f(x))."""
    return E.reshape(again(op, [x]), op.results[0].type.shape) if single_use(r.results[0]) else None


@rule("unary(t := transpose(x))", phase="down")
def unary_of_transpose(op: ir.Operation, t: ir.Operation, x: Expr) -> Expr | None:
    """f(transpose(x)) -> transpose(f(x))."""
    return E.transpose(again(op, [x]), ints(t, "permutation")) if single_use(t.results[0]) else None


@rule("transpose(f := unary(t := transpose(x)))")
def transpose_unary_transpose(op: ir.Operation, f: ir.Operation, t: ir.Operation, x: Expr) -> Expr:
    """transpose(f(transpose(x))) -> f(x), transposed once at most."""
    first = ints(t, "permutation")
    return E.transpose(again(f, [x]), [first[d] for d in ints(op, "permutation")])


@rule("reshape(f := unary(reshape(x)))")
def reshape_unary_reshape(op: ir.Operation, f: ir.Operation, x: Expr) -> Expr:
    """reshape(f(reshape(x))) -> reshape(f(x))."""
    return E.reshape(again(f, [x]), op.results[0].type.shape)


@rule("transpose(f := binary(x, y))", phase="up")
def transpose_of_binary(op: ir.Operation, f: ir.Operation, x: Expr, y: Expr) -> Expr | None:
    """transpose(f(transpose(x), y)) -> f(x, y) where y is a broadcast or a constant: no transpose is left."""
    if not single_use(f.results[0]) or not any(made_by(v, "transpose") for v in (x, y)):
        return None
    permutation = ints(op, "permutation")
    inverse = tuple(permutation.index(d) for d in range(len(permutation)))
    for v in (x, y):
        t = made_by(v, "transpose")
        if t is not None and ints(t, "permutation") != inverse:
            return None
        if t is None and not _is_cheap(v):
            return None
    return again(f, [E.transpose(x, permutation), E.transpose(y, permutation)])


def _is_cheap(x: Expr) -> bool:
    return splat_of(x.value) is not None or made_by(x, "broadcast_in_dim") is not None


@rule("reshape(f := binary(x, y))", phase="up")
def reshape_of_binary(op: ir.Operation, f: ir.Operation, x: Expr, y: Expr) -> Expr | None:
    """reshape(f(reshape(x), y)) -> f(x, reshape(y)) where x has the wanted shape already."""
    shape = op.results[0].type.shape
    if not single_use(f.results[0]):
        return None
    for v, w in ((x, y), (y, x)):
        r = made_by(v, "reshape")
        if r is not None and r.operands[0].type.shape == shape and (_is_cheap(w) or made_by(w, "reshape")):
            return again(f, [E.reshape(x, shape), E.reshape(y, shape)])
    return None


# -- what a shape tells ------------------------------------------------------------------------------------------------


@rule("get_dimension_size(x)", "int")
def known_dimension(op: ir.Operation, x: Expr) -> Expr | None:
    """The size of a dimension that is known is a constant."""
    n = x.type.shape[ir.IntegerAttr(op.attributes["dimension"]).value] if x.type.has_static_shape else None
    return None if n is None else E.full(op.results[0].type, n)


@rule("dynamic_broadcast_in_dim(x, s)")
def known_broadcast(op: ir.Operation, x: Expr) -> Expr | None:
    """A broadcast to a shape that is known after all is a plain one."""
    t = op.results[0].type
    return E.broadcast(x, t.shape, ints(op, "broadcast_dimensions")) if x.type.has_static_shape else None


@rule("dynamic_reshape(x, s)")
def known_reshape(op: ir.Operation, x: Expr) -> Expr | None:
    """A reshape to a shape that is known after all is a plain one."""
    return E.reshape(x, op.results[0].type.shape) if x.type.has_static_shape else None
