"""Reshapes, transposes and broadcasts: merged where they meet, and moved to where they cost least."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from jaxlib.mlir import ir

from gradir.tensor.analysis.cost import size
from gradir.tensor.ir import expr as E
from gradir.tensor.ir.expr import Expr
from gradir.tensor.ir.reading import integer, ints, made_by, maker, single_use, splat_of
from gradir.tensor.optimize.driver import Driver
from gradir.tensor.optimize.pattern import COMMUTATIVE
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


def groups(source: Sequence[int], target: Sequence[int]) -> list[tuple[list[int], list[int]]]:
    """Which dimensions of a reshape's source become which of its target, in groups as small as can be.

    Dimensions of size 1 are in groups of their own, which have nothing on the other side.

    >>> groups([6, 4, 1], [2, 3, 4])
    [([0], [0, 1]), ([1], [2]), ([2], [])]
    """
    found: list[tuple[list[int], list[int]]] = []
    sides = [[(d, n) for d, n in enumerate(shape) if n != 1] for shape in (source, target)]
    places = [0, 0]
    while places[0] < len(sides[0]):
        sizes, dims = [1, 1], ([], [])  # type: ignore[var-annotated]
        while not dims[0] or sizes[0] != sizes[1]:
            k = int(sizes[0] >= sizes[1] and bool(dims[0]))
            d, n = sides[k][places[k]]
            dims[k].append(d)
            sizes[k] *= n
            places[k] += 1
        found.append(dims)
    found += [([d], []) for d, n in enumerate(source) if n == 1]
    return found + [([], [d]) for d, n in enumerate(target) if n == 1]


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


@rule("broadcast(x)", when=keeps_size)
def broadcast_is_transpose(op: ir.Operation, x: Expr) -> Expr | None:
    """A broadcast that repeats nothing is a transpose, and adds dimensions of size 1."""
    dims, shape = ints(op, "broadcast_dimensions"), op.results[0].type.shape
    order = sorted(range(x.rank), key=lambda d: dims[d])
    return E.reshape(E.transpose(x, order), shape) if E.size(x.shape) == E.size(shape) else None


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
def reshape_of_broadcast(op: ir.Operation, b: ir.Operation) -> Expr | None:
    """reshape(broadcast(x)) -> broadcast(reshape(x)) if no dimension of x meets one along which it is repeated."""
    return respread(b, op.results[0].type.shape)


def respread(b: ir.Operation, target: Sequence[int]) -> Expr | None:
    """A broadcast, reshaped; None if one is not enough for that."""
    x, middle = Expr(b.operands[0]), b.results[0].type.shape
    source = {d: i for i, d in enumerate(ints(b, "broadcast_dimensions")) if x.shape[i] == middle[d] != 1}
    parts: list[tuple[list[int], list[int]]] = []
    for before, after in groups(middle, target):
        mine = [source[d] for d in before if d in source]
        if mine and (len(mine) != len(before) or mine != list(range(mine[0], mine[0] + len(mine)))):
            return None
        if mine:
            parts.append((mine, after))
    dims = [d for _, after in sorted(parts) for d in after]
    return E.broadcast(E.reshape(x, [target[d] for d in dims]), target, dims)


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
    """reshape(transpose(x)) -> transpose(reshape(x)) where what merges lies side by side, so that transposes meet."""
    middle, target, permutation = t.results[0].type.shape, op.results[0].type.shape, ints(t, "permutation")
    if not single_use(t.results[0]) and without_ones(middle) != target:
        return None
    parts: list[tuple[int, list[int]]] = []
    for before, after in groups(middle, target):
        mine = [permutation[d] for d in before]
        if len(before) > 1 and mine != list(range(mine[0], mine[0] + len(mine))):
            return None
        parts.append((mine[0] if mine else -1, after))  # (new dimensions of size 1 come first)
    order = [d for _, after in sorted(parts) for d in after]
    return E.transpose(E.reshape(x, [target[d] for d in order]), [order.index(d) for d in range(len(target))])


@rule("reverse(b := broadcast(x))")
def reverse_of_broadcast(op: ir.Operation, b: ir.Operation, x: Expr) -> Expr:
    """reverse(broadcast(x)) -> broadcast(reverse(x)): what is the same along a dimension need not be reversed."""
    place = dict(zip(ints(b, "broadcast_dimensions"), range(x.rank), strict=True))
    dims = [place[d] for d in ints(op, "dimensions") if d in place]
    return E.broadcast(E.reverse(x, sorted(dims)), op.results[0].type.shape, list(ints(b, "broadcast_dimensions")))


@rule("reverse(p := pad(x, v))")
def reverse_of_pad(op: ir.Operation, p: ir.Operation, x: Expr, v: Expr) -> Expr:
    """reverse(pad(x)) -> pad(reverse(x)), with low and high padding swapped: less is reversed."""
    dims = ints(op, "dimensions")
    low, high = (list(ints(p, f"edge_padding_{e}")) for e in ("low", "high"))
    for d in dims:
        low[d], high[d] = high[d], low[d]
    return E.pad(E.reverse(x, dims), v, low, high, ints(p, "interior_padding"))


@rule("reverse(k := concatenate(*xs))")
def reverse_of_concatenate(op: ir.Operation, k: ir.Operation, xs: list[Expr]) -> Expr | None:
    """reverse(concatenate(xs)) -> concatenate(reverse(xs)) where all have been reversed before."""
    dims, dim = ints(op, "dimensions"), integer(k, "dimension")
    if any(
        (r := made_by(x, "reverse")) is None or r.attributes["dimensions"] != op.attributes["dimensions"] for x in xs
    ):
        return None
    inner = [Expr(x.value.owner.operation.operands[0]) for x in xs]
    return E.concatenate(inner[::-1] if dim in dims else inner, dim)


@rule("reverse(t := transpose(x))", phase="up")
def reverse_of_transpose(op: ir.Operation, t: ir.Operation, x: Expr) -> Expr:
    """reverse(transpose(x)) -> transpose(reverse(x))."""
    permutation = ints(t, "permutation")
    return E.transpose(E.reverse(x, sorted(permutation[d] for d in ints(op, "dimensions"))), permutation)


# -- through elementwise ops -------------------------------------------------------------------------------------------


@rule("binary(*xs)", operands=("broadcast",))
def binary_of_broadcasts(op: ir.Operation, xs: list[Expr], driver: Driver) -> Expr | None:
    """f(broadcast(x), broadcast(y)) -> broadcast(f(x, y)): compute before repeating."""
    return None if driver.is_added_up_after(op) else _of_broadcasts(op, xs)


@rule("unary(b := broadcast(x))")
def unary_of_broadcast(op: ir.Operation, b: ir.Operation, x: Expr, driver: Driver) -> Expr | None:
    """f(broadcast(x)) -> broadcast(f(x)): compute before repeating."""
    shape = b.results[0].type.shape
    if E.size(x.shape) >= E.size(shape) or driver.is_added_up_after(op):
        return None
    return E.broadcast(again(op, [x]), shape, ints(b, "broadcast_dimensions"))


@rule("where(p, x, y)", operands=("broadcast",))
def select_of_broadcasts(op: ir.Operation, p: Expr, x: Expr, y: Expr, driver: Driver) -> Expr | None:
    """select(broadcast(p), broadcast(x), broadcast(y)) -> broadcast(select(p, x, y))."""
    return _of_broadcasts(op, [p, x, y]) if p.rank and not driver.is_added_up_after(op) else None


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


MOVES = {"transpose": "permutation", "reverse": "dimensions", "reshape": None}
"""Ops that move elements of one array, all of them, and the attribute that says where to."""


def moved_again(op: ir.Operation, x: Expr) -> Expr:
    """Another array of the same shape, moved as one of these ops does."""
    name = op.name.removeprefix("stablehlo.")
    if name == "reshape":
        return E.reshape(x, op.results[0].type.shape)
    return (E.transpose if name == "transpose" else E.reverse)(x, ints(op, MOVES[name] or ""))


def _unmoved(xs: Sequence[Expr], name: str) -> tuple[ir.Operation, list[Expr]] | None:
    """The values before they were all moved in the same way, and how; constants are the same before and after.

    A predicate that is one for all is no more moved than they are.
    """
    first: ir.Operation | None = None
    attribute, rank = MOVES[name], xs[-1].rank
    for x in xs:
        if splat_of(x.value) is not None or x.rank < rank:
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
    shape = first.operands[0].type.shape
    return first, [x if x.rank < rank else _reduced(x, shape) for x in xs]


def _after(name: str) -> Callable[[ir.Operation, list[Expr]], Expr | None]:
    def move(op: ir.Operation, xs: list[Expr]) -> Expr | None:
        found = _unmoved(xs, name)
        if found is None:
            return None
        moved, inner = found
        return moved_again(moved, again(op, inner))

    move.__doc__ = f"f({name}(x), {name}(y)) -> {name}(f(x, y))."
    return move


for _name in MOVES:
    rule("binary(*xs)", name=f"binary_of_{_name}s", operands=(_name,))(_after(_name))
    rule("select(*xs)", name=f"select_of_{_name}s", operands=(_name,))(_after(_name))


@rule("clamp(low, t := transpose(x), high)", "real")
def clamp_of_transpose(op: ir.Operation, low: Expr, t: ir.Operation, x: Expr, high: Expr) -> Expr | None:
    """clamp(low, transpose(x), high) -> transpose(clamp(low, x, high)) where the bounds are the same everywhere."""
    return _clamp_before(op, low, t, x, high)


@rule("clamp(low, r := reshape(x), high)", "real")
def clamp_of_reshape(op: ir.Operation, low: Expr, r: ir.Operation, x: Expr, high: Expr) -> Expr | None:
    """clamp(low, reshape(x), high) -> reshape(clamp(low, x, high)) where the bounds are the same everywhere."""
    return _clamp_before(op, low, r, x, high)


def _clamp_before(op: ir.Operation, low: Expr, moved: ir.Operation, x: Expr, high: Expr) -> Expr | None:
    if any(v.rank and splat_of(v.value) is None for v in (low, high)) or not single_use(moved.results[0]):
        return None
    low, high = (_reduced(v, x.shape) if v.rank else v for v in (low, high))
    return moved_again(moved, E.op(op.name, low, x, high, result=x.type))


@rule("unary(reshape(x))")
def unary_of_reshape(op: ir.Operation, x: Expr) -> Expr:
    """f(reshape(x)) -> reshape(f(x))."""
    return E.reshape(again(op, [x]), op.results[0].type.shape)


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


@rule("binary(t := transpose(x), b := broadcast(y))", phase="down")
def binary_of_transpose_and_broadcast(
    op: ir.Operation, t: ir.Operation, x: Expr, b: ir.Operation, y: Expr
) -> Expr | None:
    """f(transpose(x), broadcast(y)) -> transpose(f(x, broadcast(y))): y is spread as x lies."""
    return _spread_before(op, t, b, 0)


@rule("binary(b := broadcast(y), t := transpose(x))", phase="down")
def binary_of_broadcast_and_transpose(
    op: ir.Operation, t: ir.Operation, x: Expr, b: ir.Operation, y: Expr
) -> Expr | None:
    """f(broadcast(y), transpose(x)) -> transpose(f(broadcast(y), x)): y is spread as x lies."""
    return _spread_before(op, t, b, 1)


def _spread_before(op: ir.Operation, t: ir.Operation, b: ir.Operation, side: int) -> Expr | None:
    if not single_use(t.results[0]):
        return None
    permutation = ints(t, "permutation")
    inverse = [permutation.index(d) for d in range(len(permutation))]
    operands = [Expr(t.operands[0]), E.transpose(Expr(b.results[0]), inverse)]
    return E.transpose(again(op, operands[::-1] if side else operands), permutation)


@rule("binary(r := reshape(x), b := broadcast(y))")
def binary_of_reshape_and_broadcast(
    op: ir.Operation, r: ir.Operation, x: Expr, b: ir.Operation, y: Expr
) -> Expr | None:
    """f(reshape(x), broadcast(y)) -> reshape(f(x, broadcast(y))) where y can be spread as x lies."""
    spread = respread(b, x.shape)
    return None if spread is None else E.reshape(again(op, [x, spread]), op.results[0].type.shape)


@rule("binary(b := broadcast(y), r := reshape(x))")
def binary_of_broadcast_and_reshape(
    op: ir.Operation, r: ir.Operation, x: Expr, b: ir.Operation, y: Expr
) -> Expr | None:
    """f(broadcast(y), reshape(x)) -> reshape(f(broadcast(y), x)) where y can be spread as x lies."""
    spread = respread(b, x.shape)
    return None if spread is None else E.reshape(again(op, [spread, x]), op.results[0].type.shape)


@rule("reverse(f := unary(r := reverse(x)))")
def reverse_unary_reverse(op: ir.Operation, f: ir.Operation, r: ir.Operation, x: Expr) -> Expr:
    """reverse(f(reverse(x))) -> f(x), reversed once at most."""
    return E.reverse(again(f, [x]), sorted(set(ints(op, "dimensions")) ^ set(ints(r, "dimensions"))))


@rule("unary(r := reverse(x))", phase="down")
def unary_of_reverse(op: ir.Operation, r: ir.Operation, x: Expr) -> Expr | None:
    """f(reverse(x)) -> reverse(f(x))."""
    return E.reverse(again(op, [x]), ints(r, "dimensions")) if single_use(r.results[0]) else None


@rule("transpose(f := binary(b := broadcast(x), d := broadcast(x)))")
def transpose_of_mirrored(op: ir.Operation, f: ir.Operation, b: ir.Operation, d: ir.Operation) -> Expr | None:
    """transpose(f(broadcast(x), broadcast(x))) -> the same, not transposed, where the two only swap places."""
    if f.name not in COMMUTATIVE or op.results[0].type != f.results[0].type:
        return None
    permutation = ints(op, "permutation")
    first, second = (ints(v, "broadcast_dimensions") for v in (b, d))
    for one, other in ((first, second), (second, first)):
        if [permutation.index(e) for e in one] != list(other):
            return None
    return Expr(f.results[0])


@rule("transpose(f := binary(x, y))", phase="up")
def transpose_of_binary(op: ir.Operation, f: ir.Operation, x: Expr, y: Expr) -> Expr | None:
    """transpose(f(transpose(x), y)) -> f(x, y) where y is a broadcast or a constant, or else f(x, transpose(y))."""
    if not single_use(f.results[0]):
        return None
    permutation = ints(op, "permutation")
    inverse = tuple(permutation.index(d) for d in range(len(permutation)))
    plain, undone = 0, 0
    for v in (x, y):
        t = made_by(v, "transpose")
        if t is not None and ints(t, "permutation") == inverse:
            undone += single_use(v.value)
        elif not _is_cheap(v):
            plain += 1
    if plain > undone:
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


# -- through what puts arrays together ---------------------------------------------------------------------------------


@rule("concatenate(*xs)", operands=("transpose",))
def concatenate_of_transposes(op: ir.Operation, xs: list[Expr]) -> Expr | None:
    """concatenate(transpose(x), transpose(y)) -> transpose(concatenate(x, y))."""
    found = [made_by(x, "transpose") for x in xs]
    first = found[0]
    if first is None or len(xs) < 2:
        return None
    if any(t is None or t.attributes["permutation"] != first.attributes["permutation"] for t in found):
        return None
    permutation = ints(first, "permutation")
    inner = [Expr(t.operands[0]) for t in found if t is not None]
    return E.transpose(E.concatenate(inner, permutation[integer(op, "dimension")]), permutation)


@rule("concatenate(*xs)", operands=("reshape",))
def concatenate_of_reshapes(op: ir.Operation, xs: list[Expr]) -> Expr | None:
    """concatenate(reshape(x), reshape(y)) -> reshape(concatenate(x, y)) where dimensions of size 1 come or go."""
    dim = integer(op, "dimension")
    found = [made_by(x, "reshape") for x in xs]
    inner = [Expr(r.operands[0]) for r in found if r is not None]
    if len(inner) < max(2, len(xs)):
        return None
    places = {_same_dim(x, r.results[0].type.shape, dim) for x, r in zip(inner, found, strict=True) if r is not None}
    if len(places) != 1 or (place := places.pop()) is None:
        return None
    if len({(*x.shape[:place], *x.shape[place + 1 :]) for x in inner}) != 1:
        return None
    return E.reshape(E.concatenate(inner, place), op.results[0].type.shape)


def _same_dim(x: Expr, target: Sequence[int], dim: int) -> int | None:
    """The dimension of what is reshaped that is one of the result, whatever happens to the rest."""
    if target[dim] == 1:
        before = E.size(target[:dim])  # a dimension of size 1 must have the same before and after it
        return next((d for d, n in enumerate(x.shape) if n == 1 and E.size(x.shape[:d]) == before), None)
    return next((b[0] for b, a in groups(x.shape, target) if a == [dim] and len(b) == 1), None)


@rule("reverse(r := reshape(x))")
def reverse_of_reshape(op: ir.Operation, r: ir.Operation, x: Expr) -> Expr | None:
    """reverse(reshape(x)) -> reshape(reverse(x)) where what is reversed is no dimension that the reshape makes."""
    shape = r.results[0].type.shape
    places = [_same_dim(x, shape, d) for d in ints(op, "dimensions") if shape[d] != 1]
    if not single_use(r.results[0]) or None in places:
        return None
    return E.reshape(E.reverse(x, sorted(p for p in places if p is not None)), op.results[0].type.shape)


@rule("dynamic_update_slice(*xs)", when=lambda op: all(made_by(v, "transpose") for v in list(op.operands)[:2]))
def update_of_transposes(xs: list[Expr]) -> Expr | None:
    """dynamic_update_slice(transpose(x), transpose(u)) -> transpose(dynamic_update_slice(x, u))."""
    t, u = made_by(xs[0], "transpose"), made_by(xs[1], "transpose")
    if t is None or u is None or t.attributes["permutation"] != u.attributes["permutation"]:
        return None
    permutation = ints(t, "permutation")
    starts = [xs[2 + permutation.index(d)] for d in range(len(permutation))]
    return E.transpose(E.dynamic_update_slice(Expr(t.operands[0]), Expr(u.operands[0]), starts), permutation)


@rule("dynamic_update_slice(*xs)", when=lambda op: all(made_by(v, "reshape") for v in list(op.operands)[:2]))
def update_of_reshapes(op: ir.Operation, xs: list[Expr]) -> Expr | None:
    """dynamic_update_slice(reshape(x), reshape(u)) -> reshape(dynamic_update_slice(x, u)) where ones are added."""
    x, u = (Expr(v.owner.operation.operands[0]) for v in list(op.operands)[:2])
    shape = xs[0].shape
    if without_ones(shape) != x.shape or 1 in u.shape or without_ones(xs[1].shape) != u.shape:
        return None
    kept = [d for d, n in enumerate(shape) if n != 1]
    if [d for d, n in enumerate(xs[1].shape) if n != 1] != kept:
        return None
    return E.reshape(E.dynamic_update_slice(x, u, [xs[2 + d] for d in kept]), shape)


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
