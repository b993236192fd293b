"""Batching: equal ops on equal pieces of one array become one op on all of it, whose result is then cut into pieces.

So heads, experts or time steps that were written out one by one are one computation again: fewer launches, larger
products, less to compile. It goes op by op, from the slices on: what was made of pieces is in pieces itself, and so
what is made of that is next.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Hashable, Iterator, Sequence
from itertools import islice, pairwise
from typing import NamedTuple

from jaxlib.mlir import ir

from gradir.errors import GradirError
from gradir.tensor.ir import expr as E
from gradir.tensor.ir.expr import Expr
from gradir.tensor.ir.reading import ints, kind, made_by, maker, splat_of
from gradir.tensor.optimize.driver import Driver, key_of
from gradir.tensor.optimize.effects import ROUNDS
from gradir.tensor.optimize.pattern import CLASSES
from gradir.tensor.optimize.rule import Family, again

batching = Family("batching", "equal ops on equal pieces of an array as one op")
rule = batching.rule

LEAST = 4
"""How many ops must be equal."""
FAR = 9
"""How many ops on work may be."""
MOST = 512
"""An array with more uses is left alone: each of them would look at all others."""
MISSES = 8
"""At how many places none is found that fits until it is given up: steps of a recurrence never fit."""
ELEMENTWISE = CLASSES["stablehlo.elementwise"] | {
    "chlo.erf", "chlo.erfc", "stablehlo.clamp", "enzyme.ignore_derivatives",
}  # fmt: skip
VIEWS = frozenset(f"stablehlo.{n}" for n in ("broadcast_in_dim", "transpose", "reshape"))
WORK = frozenset(f"stablehlo.{n}" for n in ("dot_general", "reduce", "convolution", "concatenate", "reduce_window"))
"""What makes it worth the while that what comes before is one op, too."""


class Piece(NamedTuple):
    """A part of an array, with stride 1 where there is more than one element, and perhaps reshaped."""

    source: ir.Value
    start: tuple[int, ...]
    strides: tuple[int, ...]
    cut: list[int]
    shape: list[int]

    def line(self, d: int) -> Hashable:
        """What pieces have in common that lie apart along one dimension alone."""
        strides = (0 if n == 1 else s for s, n in zip(self.strides, self.cut, strict=True))
        return d, self.start[:d], self.start[d + 1 :], tuple(strides)

    def along(self, other: Piece) -> int | None:
        """The one dimension along which two pieces lie apart that are the same otherwise."""
        if self.source != other.source or self.cut != other.cut or self.shape != other.shape:
            return None
        apart = [d for d, (a, b) in enumerate(zip(self.start, other.start, strict=True)) if a != b]
        same = all(s == t or n == 1 for s, t, n in zip(self.strides, other.strides, self.cut, strict=True))
        return apart[0] if len(apart) == 1 and same else None


def _slice_of(value: ir.Value) -> ir.Operation | None:
    """The slice that a value is, or is a reshape of."""
    op = maker(value)
    if op is not None and op.name == "stablehlo.reshape":
        op = maker(op.operands[0])
    return op if op is not None and op.name == "stablehlo.slice" else None


def piece_of(value: ir.Value) -> Piece | None:
    op = _slice_of(value)
    if op is None or kind(value.type) == "":
        return None
    return Piece(
        op.operands[0], ints(op, "start_indices"), ints(op, "strides"), op.results[0].type.shape, value.type.shape
    )


PIECES = ("slice", "reshape")


def _on_pieces(op: ir.Operation) -> bool:
    """Whether an operand is a piece of an array that is cut more often."""
    for v in op.operands:
        s = _slice_of(v)
        if s is not None and sum(1 for _ in islice(s.operands[0].uses, LEAST)) == LEAST:
            return True
    return False


# -- which ops are equal -----------------------------------------------------------------------------------------------


class Column(NamedTuple):
    """One operand of all ops: the same for all, or pieces that lie `step` apart along `dim`, or broadcasts of these."""

    first: ir.Value
    piece: Piece | None = None
    dim: int = 0
    step: int = 0
    spread: Sequence[int] | None = None
    """To which dimensions the pieces are broadcast."""


def _siblings(op: ir.Operation, k: int, piece: Piece, driver: Driver) -> list[ir.Operation]:
    """The ops that do to neighbours of a piece, their operand k, what `op` does to it; in the order of the pieces."""
    cut = piece.source, tuple(piece.cut)
    lines = driver.seen(("slices", *cut), lambda: _slices_like(piece))
    vain: set[tuple[int, int]] = driver.seen(("in vain", *cut, tuple(piece.shape), op.name, k), set)
    found: list[ir.Operation] = []
    for d in range(len(piece.start)):
        line = lines.get(piece.line(d), {})
        if len(line) >= LEAST and (d, key_of(op)) not in vain:
            row = _row(op, k, piece, d, line)
            if not _is_in_step(row):
                vain.update((d, key_of(o)) for o in row)
            elif len(row) > len(found):
                found = row
    return found


Line = dict[int, list[ir.Operation]]
"""The slices of an array that lie along one of its dimensions, by where they begin."""


def _slices_like(like: Piece) -> dict[Hashable, Line]:
    """The slices of an array that are as large as one of them."""
    found: dict[Hashable, Line] = {}
    uses = list(islice(like.source.uses, MOST + 1))
    for use in uses if len(uses) <= MOST else ():
        s = use.owner.operation
        if s.name == "stablehlo.slice" and s.results[0].type.shape == like.cut:
            piece = piece_of(s.results[0])
            for d, start in enumerate(piece.start if piece is not None else ()):
                found.setdefault(piece.line(d), {}).setdefault(start, []).append(s)  # type: ignore[union-attr]
    return found


def _users(s: ir.Operation, shape: list[int], name: str, k: int) -> Iterator[ir.Operation]:
    """The ops of a name whose operand k is a slice, or a reshape of it, of a shape."""
    whole = s.results[0]
    for use in whole.uses:
        u = use.owner.operation
        if u.name == name and use.operand_number == k and whole.type.shape == shape:
            yield u
        elif u.name == "stablehlo.reshape" and u.results[0].type.shape == shape:
            for inner in u.results[0].uses:
                if inner.operand_number == k and inner.owner.operation.name == name:
                    yield inner.owner.operation


def _may_repeat(v: ir.Value) -> bool:
    """Whether a value may be an operand of several ops that are equal: as what it is, or as one piece of many."""
    if splat_of(v) is not None or made_by(v, "broadcast_in_dim") is not None or _slice_of(v) is not None:
        return True
    return sum(1 for _ in islice(v.uses, LEAST)) == LEAST


def _row(op: ir.Operation, k: int, piece: Piece, d: int, line: Line) -> list[ir.Operation]:
    """The ops that fit one, with it, whose pieces follow each other along a dimension.

    It ends early where operands of three that follow each other are not in step.
    """
    here, step, name = piece.start[d], piece.cut[d], op.name

    def at(place: int) -> ir.Operation | None:
        users = (u for s in line.get(place, ()) for u in _users(s, piece.shape, name, k))
        return next((u for u in users if u.block == op.block and _fits(op, u, k)), None)

    if step == 1:  # single indices may lie further apart
        nearest = islice(sorted((abs(place - here), place) for place in line if place != here), MISSES)
        step = next((far for far, place in nearest if at(place) is not None), 0)
    row = deque([op])
    for ahead in (True, False) if step else ():
        place = here + step if ahead else here - step
        while (u := at(place)) is not None:
            (row.append if ahead else row.appendleft)(u)
            if not _is_in_step([*row][-3:] if ahead else [*islice(row, 3)]):
                return [*row]
            place += step if ahead else -step
    return [*row]


def _is_in_step(ops: Sequence[ir.Operation]) -> bool:
    return len(ops) < 2 or _columns(ops) is not None


def _fits(op: ir.Operation, u: ir.Operation, k: int) -> bool:
    """Whether two ops do the same, to operands that are the same or pieces of the same."""
    from gradir.tensor.optimize.joins import same_op

    if not same_op(op, u) or [r.type for r in op.results] != [r.type for r in u.results]:
        return False
    if len(op.regions) and _computation(op) != _computation(u):
        return False
    return all(j == k or _in_step(v, w) for j, (v, w) in enumerate(zip(op.operands, u.operands, strict=True)))


def _in_step(v: ir.Value, w: ir.Value) -> bool:
    """Whether two values are the same, or pieces of the same, or broadcasts of these."""
    if v == w:
        return True
    number = splat_of(v)
    if v.type != w.type or number is not None:
        return v.type == w.type and number == splat_of(w)
    a, b = made_by(v, "broadcast_in_dim"), made_by(w, "broadcast_in_dim")
    if a is not None and b is not None:
        same = a.attributes["broadcast_dimensions"] == b.attributes["broadcast_dimensions"]
        return same and _in_step(a.operands[0], b.operands[0])
    first, second = piece_of(v), piece_of(w)
    return first is not None and second is not None and first.along(second) is not None


def _computation(op: ir.Operation) -> str | None:
    from gradir.tensor.analysis.computation import single_op

    return single_op(op.regions[0])


def _columns(ops: Sequence[ir.Operation]) -> list[Column] | None:
    """The operands of equal ops, one column each, if they are all in step."""
    columns = [_column(values) for values in zip(*(o.operands for o in ops), strict=True)]
    found = [c for c in columns if c is not None]
    return found if len(found) == len(columns) else None


def _column(values: Sequence[ir.Value]) -> Column | None:
    first, number = values[0], splat_of(values[0])
    if all(v == first for v in values) or (number is not None and all(splat_of(v) == number for v in values)):
        return Column(first)
    broadcasts = [b for v in values if (b := made_by(v, "broadcast_in_dim")) is not None]
    if len(broadcasts) == len(values):
        inner = _column([b.operands[0] for b in broadcasts])
        if inner is None or inner.spread is not None:
            return None
        return inner._replace(first=first, spread=ints(broadcasts[0], "broadcast_dimensions"))
    pieces = [p for v in values if (p := piece_of(v)) is not None]
    d = pieces[0].along(pieces[1]) if len(pieces) == len(values) else None
    if d is None:
        return None
    step = pieces[1].start[d] - pieces[0].start[d]
    n, stride = pieces[0].cut[d], pieces[0].strides[d]
    if step < 1 or (n > 1 and (stride != 1 or step != n)):
        return None
    if any(a.along(b) != d or b.start[d] - a.start[d] != step for a, b in pairwise(pieces)):
        return None
    return Column(first, pieces[0], d, step)


# -- one op for all ----------------------------------------------------------------------------------------------------


class Many(NamedTuple):
    """A value of all ops: each one's lies at an index of dimension `at`. (What is the same for all has none.)"""

    x: Expr
    at: int | None

    def moved(self, at: int) -> Expr:
        if self.at is None or self.at == at:
            return self.x
        order = [d for d in range(self.x.rank) if d != self.at]
        return E.transpose(self.x, [*order[:at], self.at, *order[at:]])


def _views(columns: Sequence[Column], n: int) -> list[Many]:
    plain = [_view(c, n) for c in columns]
    at = next((m.at for m, c in zip(plain, columns, strict=True) if m.at is not None and c.spread is None), 0)
    return [_spread(m, c, n, at) for m, c in zip(plain, columns, strict=True)]


def _spread(m: Many, column: Column, n: int, at: int) -> Many:
    """What the pieces are broadcast to, with that of each at an index of dimension `at`."""
    if column.spread is None or m.at is None:
        return m
    shape = list(column.first.type.shape)
    shape.insert(at, n)
    to = [d + (d >= at) for d in column.spread]
    to.insert(m.at, at)
    return Many(E.broadcast(m.x, shape, to), at)


def _view(column: Column, n: int) -> Many:
    """The pieces of a column as one array."""
    first, piece, dim, step, _ = column
    if piece is None:
        return Many(Expr(first), None)
    each = piece.cut[dim]
    start, limit, strides = list(piece.start), list[int](), list(piece.strides)
    strides[dim] = step if each == 1 else 1
    sizes = [n * each if d == dim else m for d, m in enumerate(piece.cut)]
    limit = [a + (m - 1) * s + 1 for a, m, s in zip(start, sizes, strides, strict=True)]
    x = E.slice_(Expr(piece.source), start, limit, strides)
    if each == 1 and piece.shape == [*piece.cut[:dim], *piece.cut[dim + 1 :]]:
        return Many(x, dim)
    x = E.reshape(x, [*piece.cut[:dim], n, *piece.cut[dim:]])
    if piece.shape == piece.cut:
        return Many(x, dim)
    return Many(E.reshape(Many(x, dim).moved(0), [n, *piece.shape]), 0)


def _elementwise(op: ir.Operation, ins: list[Many], n: int) -> Many | None:
    shape = list(op.results[0].type.shape)
    at = next(m.at for m in ins if m.at is not None)
    shape.insert(at, n)
    operands: list[Expr] = []
    for m in ins:
        rank = m.x.rank - (m.at is not None)
        number = splat_of(m.x.value)
        alone = rank != len(shape) - 1  # one predicate, or one bound, for all elements
        if alone and m.at is not None:  # of one op, not of all
            return None
        if alone or m.at is not None:
            operands.append(m.moved(at))
        elif number is not None:
            operands.append(E.full(E.tensor(shape, m.x.dtype), number))
        else:
            operands.append(E.broadcast(m.x, shape, [d for d in range(len(shape)) if d != at]))
    return Many(again(op, operands, shape), at)


def _reduce(op: ir.Operation, ins: list[Many], n: int) -> Many | None:
    from gradir.tensor.optimize.reductions import body_of, reduced_again

    if body_of(op) is None or ins[1].at is not None or ins[0].at is None:
        return None
    at = ins[0].at
    dims = [d + (d >= at) for d in ints(op, "dimensions")]
    return Many(reduced_again(op, ins[0].x, ins[1].x, dims), at - sum(d < at for d in dims))


def _dot(op: ir.Operation, ins: list[Many], n: int) -> Many | None:
    from gradir.tensor.ir.dot import Dims
    from gradir.tensor.optimize.products import product

    old = Dims.of(op)
    moved: list[list[tuple[int, ...]]] = [[], []]
    for side, m in enumerate(ins):
        for dims in (old.batch[side], old.contract[side]):
            moved[side].append(tuple(d + (m.at is not None and d >= m.at) for d in dims))
    (b0, c0), (b1, c1) = moved
    left, right = ins
    if left.at is not None and right.at is not None:
        return Many(product(op, left.x, right.x, Dims(((left.at, *b0), (right.at, *b1)), (c0, c1))), 0)
    dims_ = Dims((b0, b1), (c0, c1))
    at = len(b0)
    if left.at is not None:
        at += dims_.free(0, left.x.rank).index(left.at)
    elif right.at is not None:
        at += len(dims_.free(0, left.x.rank)) + dims_.free(1, right.x.rank).index(right.at)
    return Many(product(op, left.x, right.x, dims_), at)


def _by_rule(op: ir.Operation, ins: list[Many], n: int) -> Many | None:
    """Any op, by the rule that batches it."""
    from gradir.tensor.rules import rule_of
    from gradir.tensor.rules.rule import Site

    how = rule_of(op)
    values = dict(zip(op.operands, ins, strict=True))
    same = all(values[v].at == m.at for v, m in zip(op.operands, ins, strict=True))
    if how is None or how.batch is None or not same:  # one value that is a piece here, and the same for all there
        return None
    site = Site(op, None, lambda v: values[v].moved(0), batched=[m.at is not None for m in ins], size=n)  # type: ignore[arg-type]
    try:
        made = how.batch(site)
    except GradirError:
        return None
    return None if made is None else Many(made[0], 0)


How = Callable[[ir.Operation, list[Many], int], Many | None]


def _batched(op: ir.Operation, how: How, driver: Driver, *, for_work: bool = False) -> Expr | None:
    """What takes an op's place when it and those that are equal to it are one; theirs is taken on the way.

    It may be asked that products or sums are made of them.
    """
    for k, v in enumerate(op.operands):
        piece = piece_of(v)
        if piece is None or not all(_may_repeat(w) for j, w in enumerate(op.operands) if j != k):
            continue
        if for_work and not _leads_to_work(op.results[0]):
            return None
        ops = _siblings(op, k, piece, driver)
        columns = _columns(ops) if len(ops) >= LEAST else None
        if columns is None:
            continue
        n, mine = len(ops), ops.index(op)
        first = ops[0]
        for o in ops[1:]:
            first = o if o.is_before_in_block(first) else first
        with ir.InsertionPoint(first):
            made = how(ops[0], _views(columns, n), n)
            if made is None or made.at is None:
                return None
            shape = op.results[0].type.shape
            parts = [E.reshape(E.slice_in_dim(made.x, i, i + 1, made.at), shape) for i in range(n)]
        for i, o in enumerate(ops):
            if i != mine:
                _take_place(o, parts[i], driver)
        return parts[mine]
    return None


def _take_place(op: ir.Operation, value: Expr, driver: Driver) -> None:
    new = maker(value.value)
    while new is not None and new.name in ("stablehlo.reshape", "stablehlo.slice"):
        driver.adopt(new)
        new = maker(new.operands[0])
    driver.push_users(op.results[0])
    op.results[0].replace_all_uses_with(value.value)
    driver.erase(op)


def _leads_to_work(value: ir.Value) -> bool:
    """Whether a product, a sum or the like comes of a value, a few ops on."""
    seen, now = {value}, [value]
    for _ in range(FAR):
        users = [use.owner.operation for v in now for use in islice(v.uses, 3)]
        if any(u.name in WORK for u in users):
            return True
        now = list(dict.fromkeys(u.results[0] for u in users if u.name in ELEMENTWISE or u.name in VIEWS))
        now = [v for v in now if v not in seen]
        seen.update(now)
    return False


@rule("dot(x, y)", phase="down", effects=ROUNDS, some=PIECES, when=_on_pieces)
def batch_dots(op: ir.Operation, driver: Driver) -> Expr | None:
    """dot(x[0], y[0]), dot(x[1], y[1]), … are one product of all."""
    return _batched(op, _dot, driver)


@rule("reduce(x, init)", phase="down", effects=ROUNDS, some=PIECES, when=_on_pieces)
def batch_reduces(op: ir.Operation, driver: Driver) -> Expr | None:
    """sum(x[0]), sum(x[1]), … are one sum over all but one dimension."""
    return _batched(op, _reduce, driver)


def batch_elementwise(op: ir.Operation, driver: Driver) -> Expr | None:
    """f(x[0]), f(x[1]), … are f(x) where products or sums are made of them."""
    return _batched(op, _elementwise, driver, for_work=True)


for _name, _pattern in (
    ("elementwise", "elementwise(*xs)"), ("erfs", "chlo_erf(x)"), ("erfcs", "chlo_erfc(x)"),
    ("ignored", "enzyme_ignore_derivatives(x)"),
):  # fmt: skip
    rule(_pattern, name=f"batch_{_name}", phase="down", some=PIECES, when=_on_pieces)(batch_elementwise)


def _movement(op: ir.Operation, driver: Driver) -> Expr | None:
    """Equal movements of pieces are one where products or sums are made of them."""
    return _batched(op, _by_rule, driver, for_work=True)


def _other(op: ir.Operation, driver: Driver) -> Expr | None:
    """Equal ops on pieces are one."""
    return _batched(op, _by_rule, driver)


rule("transpose(x)", name="batch_transposes", phase="down", some=PIECES, when=_on_pieces)(_movement)

for _name, _pattern in (
    ("convolutions", "convolution(x, w)"), ("windows", "reduce_window(x, init)"), ("clamps", "clamp(a, x, b)"),
):  # fmt: skip
    rule(_pattern, name=f"batch_{_name}", phase="down", effects=ROUNDS, some=PIECES, when=_on_pieces)(_other)
