"""Products: dot_general and convolution."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice

import numpy as np
from jaxlib.mlir import ir

from gradir.tensor.analysis.cost import CPU
from gradir.tensor.ir import expr as E
from gradir.tensor.ir.dot import Dims, in_full, is_of_matrices
from gradir.tensor.ir.expr import Expr
from gradir.tensor.ir.reading import direction, dtype, integer, ints, made_by, maker, single_use, splat_of
from gradir.tensor.optimize.driver import Driver
from gradir.tensor.optimize.effects import DERIVATIVE, RANGE, ROUNDS, ZERO_SIGN
from gradir.tensor.optimize.pieces import box, plain_padding
from gradir.tensor.optimize.reductions import body_of, reduced_again, starts_neutral
from gradir.tensor.optimize.rule import Family, is_normal
from gradir.tensor.optimize.shapes import groups

products = Family("products", "dot_general and convolution")
rule = products.rule


def product(op: ir.Operation, x: Expr, y: Expr, dims: Dims, dtype: ir.Type | None = None) -> Expr:
    """The product again, with other operands and dimensions, perhaps of another type; precision and the like stay."""
    rest = {k: v for k, v in op.attributes.items() if k != "dot_dimension_numbers"}
    if dims.is_of_matrices(x.shape, y.shape) and not is_of_matrices(op):
        rest = in_full(rest, x.dtype)
    return E.dot_general(x, y, dims.contract, dims.batch, dtype=dtype or op.results[0].type.element_type, **rest)


def multiplied_again(op: ir.Operation, x: Expr, y: Expr) -> Expr:
    """The same dot_general or convolution of other operands of the same types."""
    made = op.clone()
    made.operands[0], made.operands[1] = x.value, y.value
    return Expr(made.results[0])


def can_swap(op: ir.Operation) -> bool:
    """Whether a product says the same of both operands, so that they can change places."""
    if "algorithm" in op.attributes:
        return False
    if "precision_config" not in op.attributes:
        return True
    return len(set(map(str, ir.ArrayAttr(op.attributes["precision_config"])))) <= 1


def without(dims: Dims, side: int, rank: int, gone: Sequence[int]) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """The batched and summed dimensions of an operand that has lost some dimensions (which are neither any more)."""
    kept = [d for d in range(rank) if d not in gone]
    batch, contract = (tuple(kept.index(d) for d in part[side] if d in kept) for part in (dims.batch, dims.contract))
    return batch, contract


def permuted(dims: tuple[int, ...], permutation: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(permutation[d] for d in dims)


# -- transposes --------------------------------------------------------------------------------------------------------


@rule("dot(t := transpose(x), y)", effects=ROUNDS)
def dot_of_transpose_left(op: ir.Operation, t: ir.Operation, x: Expr, y: Expr) -> Expr | None:
    """dot(transpose(x), y) -> dot(x, y) with other dimensions, where the free ones keep their order."""
    dims, permutation = Dims.of(op), ints(t, "permutation")
    free = [permutation[d] for d in dims.free(0, x.rank)]
    if free != sorted(free):
        return None
    left = Dims(
        (permuted(dims.batch[0], permutation), dims.batch[1]),
        (permuted(dims.contract[0], permutation), dims.contract[1]),
    )
    return product(op, x, y, left)


@rule("dot(x, t := transpose(y))", effects=ROUNDS)
def dot_of_transpose_right(op: ir.Operation, t: ir.Operation, x: Expr, y: Expr) -> Expr | None:
    """dot(x, transpose(y)) -> dot(x, y) with other dimensions, where the free ones keep their order."""
    dims, permutation = Dims.of(op), ints(t, "permutation")
    free = [permutation[d] for d in dims.free(1, y.rank)]
    if free != sorted(free):
        return None
    right = Dims(
        (dims.batch[0], permuted(dims.batch[1], permutation)),
        (dims.contract[0], permuted(dims.contract[1], permutation)),
    )
    return product(op, x, y, right)


@rule("dot(t := transpose(x), y)", effects=ROUNDS, gated=True)
def dot_of_moved_left(op: ir.Operation, t: ir.Operation, x: Expr, y: Expr) -> Expr | None:
    """dot(transpose(x), y) -> transpose(dot(x, y)) where the product is smaller than x."""
    return _move_after(op, t, x, y, 0)


@rule("dot(x, t := transpose(y))", effects=ROUNDS, gated=True)
def dot_of_moved_right(op: ir.Operation, t: ir.Operation, x: Expr, y: Expr) -> Expr | None:
    """dot(x, transpose(y)) -> transpose(dot(x, y)) where the product is smaller than y."""
    return _move_after(op, t, x, y, 1)


def _move_after(op: ir.Operation, t: ir.Operation, x: Expr, y: Expr, side: int) -> Expr | None:
    dims, permutation = Dims.of(op), ints(t, "permutation")
    free = [permutation[d] for d in dims.free(side, len(permutation))]
    if free == sorted(free):
        return None
    batch, contract = list(dims.batch), list(dims.contract)
    batch[side], contract[side] = permuted(dims.batch[side], permutation), permuted(dims.contract[side], permutation)
    out = product(op, x, y, Dims((batch[0], batch[1]), (contract[0], contract[1])))
    first = len(dims.batch[0]) + (len(dims.free(0, x.rank)) if side else 0)
    order = list(range(out.rank))
    order[first : first + len(free)] = [first + sorted(free).index(d) for d in free]
    return E.transpose(out, order)


@rule("transpose(d := dot(x, y))", effects=ROUNDS)
def transpose_of_dot(op: ir.Operation, d: ir.Operation, x: Expr, y: Expr, driver: Driver) -> Expr | None:
    """transpose(dot(x, y)) -> dot(y, x) where the free dimensions swap sides; batches may change their order."""
    dims, permutation = Dims.of(d), ints(op, "permutation")
    b, m, n = len(dims.batch[0]), len(dims.free(0, x.rank)), len(dims.free(1, y.rank))
    batches, rest = permutation[:b], permutation[b:]
    if sorted(batches) != list(range(b)) or not single_use(d.results[0]):
        return None
    batch = tuple(tuple(part[k] for k in batches) for part in dims.batch)
    if rest == tuple(range(b, b + m + n)):
        return product(d, x, y, Dims((batch[0], batch[1]), dims.contract))
    if rest != (*range(b + m, b + m + n), *range(b, b + m)) or not can_swap(d):
        return None
    if driver.device is CPU and _is_turned_slowly(y, x, dims.contract[1]):  # (as `dot_turning_slow_left` wants it)
        return None
    return product(d, y, x, Dims((batch[1], batch[0]), dims.contract[::-1]))


@rule("dot(x, y)", "float", effects=ROUNDS, some=("concatenate", "sine", "cosine", "reshape"))
def dot_turning_slow_left(op: ir.Operation, x: Expr, y: Expr, driver: Driver) -> Expr | None:
    """dot(x, y) -> transpose(dot(y, x)) where a left operand would be turned round that takes long to make.

    XLA's code for CPUs turns it round in a copy, and makes it anew there.
    """
    dims = Dims.of(op)
    if driver.device is not CPU or driver.ahead or not _is_turned_slowly(x, y, dims.contract[0]) or not can_swap(op):
        return None
    if driver.gates and E.size(x.shape) < max(LEAST, E.size(op.results[0].type.shape)):
        return None
    b, m, n = len(dims.batch[0]), len(dims.free(0, x.rank)), len(dims.free(1, y.rank))
    made = product(op, y, x, Dims(dims.batch[::-1], dims.contract[::-1]))
    return E.transpose(made, (*range(b), *range(b + n, b + n + m), *range(b, b + n)))


_SLOW = frozenset(f"stablehlo.{n}" for n in ("sine", "cosine", "tan", "atan2", "power")) | {"chlo.erf"}


def _is_turned_slowly(x: Expr, y: Expr, contract: Sequence[int]) -> bool:
    """Whether a left operand is turned round, slower to make than what is on the right, and made for another, too."""
    turned = tuple(contract)[-1:] != (x.rank - 1,)
    return turned and not single_use(x.value) and _is_slow(x.value) and not _is_slow(y.value)


def _is_slow(value: ir.Value, depth: int = 4) -> bool:
    m = maker(value)
    if m is None or depth == 0:
        return False
    joins = m.name in ("stablehlo.concatenate", "stablehlo.reshape")
    return m.name in _SLOW or (joins and any(_is_slow(v, depth - 1) for v in m.operands))


def _has_twin(op: ir.Operation) -> bool:
    """Whether what is on the left is on the right of another op."""
    x = op.operands[0]
    y = op.operands[1]
    return x != y and any(use.operand_number == 1 and use.owner.operands[0] == y for use in x.uses)


@rule("dot(x, y)", effects=ROUNDS | DERIVATIVE, gated=True, when=_has_twin)
def dot_of_twin(op: ir.Operation, x: Expr, y: Expr) -> Expr | None:
    """dot(y, x) is dot(x, y) transposed, where that has been computed before."""
    dims = Dims.of(op)
    if E.size([x.shape[d] for d in dims.contract[0]]) < 16 or not can_swap(op):
        return None
    b, m, n = len(dims.batch[0]), len(dims.free(0, x.rank)), len(dims.free(1, y.rank))
    for use in x.value.uses:
        other = use.owner.operation
        if other.name != op.name or list(other.operands) != [y.value, x.value] or other.block != op.block:
            continue
        theirs = Dims.of(other)
        if (theirs.batch[::-1], _pairs(theirs.contract[::-1])) != (dims.batch, _pairs(dims.contract)):
            continue
        if other.results[0].type.element_type == op.results[0].type.element_type and other.is_before_in_block(op):
            order = (*range(b), *range(b + n, b + n + m), *range(b, b + n))
            return E.transpose(Expr(other.results[0]), order) if can_swap(other) else None
    return None


def _pairs(contract: tuple[tuple[int, ...], tuple[int, ...]]) -> set[tuple[int, int]]:
    return set(zip(*contract, strict=True))


@rule("dot(r := reverse(x), s := reverse(y))", effects=ROUNDS)
def dot_of_reverses(op: ir.Operation, r: ir.Operation, s: ir.Operation, x: Expr, y: Expr) -> Expr | None:
    """dot(reverse(x), reverse(y)) -> dot(x, y) where just what is summed over is reversed."""
    dims, gone = Dims.of(op), (set(ints(v, "dimensions")) for v in (r, s))
    places = [{contract.index(d) for d in g if d in contract} for g, contract in zip(gone, dims.contract, strict=True)]
    if places[0] != places[1] or any(len(ints(v, "dimensions")) != len(places[0]) for v in (r, s)):
        return None
    return product(op, x, y, dims)


@rule("dot(r := reshape(x), y)", effects=ROUNDS)
def dot_of_reshape_left(op: ir.Operation, r: ir.Operation, x: Expr, y: Expr) -> Expr | None:
    """dot(reshape(x), y) -> reshape(dot(x, y)) where free dimensions are split or merged."""
    return _reshape_after(op, r, x, y, 0)


@rule("dot(x, r := reshape(y))", effects=ROUNDS)
def dot_of_reshape_right(op: ir.Operation, r: ir.Operation, x: Expr, y: Expr) -> Expr | None:
    """dot(x, reshape(y)) -> reshape(dot(x, y)) where free dimensions are split or merged."""
    return _reshape_after(op, r, x, y, 1)


def _reshape_after(op: ir.Operation, r: ir.Operation, x: Expr, y: Expr, side: int) -> Expr | None:
    dims, inner, shape = Dims.of(op), (x, y)[side], r.results[0].type.shape
    free = dims.free(side, len(shape))
    if 1 in inner.shape or not single_use(r.results[0]):  # (ones that a reshape drops are not for a product)
        return None
    place: dict[int, int] = {}
    for before, after in groups(inner.shape, shape):
        if all(d in free for d in after):
            continue
        if len(before) != 1 or len(after) != 1:
            return None
        place[after[0]] = before[0]
    batch, contract = list(dims.batch), list(dims.contract)
    batch[side], contract[side] = (tuple(place[d] for d in part[side]) for part in (dims.batch, dims.contract))
    out = product(op, x, y, Dims((batch[0], batch[1]), (contract[0], contract[1])))
    return E.reshape(out, op.results[0].type.shape)


@rule("dot(x, y)", when=lambda op: 1 in op.operands[0].type.shape and 1 in op.operands[1].type.shape, effects=ROUNDS)
def dot_without_ones(op: ir.Operation, x: Expr, y: Expr) -> Expr | None:
    """A product needs neither batches of size 1 nor sums over dimensions of size 1, where it sums over others."""
    dims = Dims.of(op)
    summed = [k for k, d in enumerate(dims.contract[0]) if x.shape[d] == 1]
    batched = [k for k, d in enumerate(dims.batch[0]) if x.shape[d] == 1]
    if (not summed and not batched) or len(summed) == len(dims.contract[0]):
        return None
    sides: list[Expr] = []
    numbers = []
    for side, v in enumerate((x, y)):
        gone = [dims.contract[side][k] for k in summed] + [dims.batch[side][k] for k in batched]
        sides.append(E.reshape(v, [n for d, n in enumerate(v.shape) if d not in gone]))
        numbers.append(without(dims, side, v.rank, gone))
    (b0, c0), (b1, c1) = numbers
    return E.reshape(product(op, sides[0], sides[1], Dims((b0, b1), (c0, c1))), op.results[0].type.shape)


# -- what need not be multiplied ---------------------------------------------------------------------------------------


@rule("slice(d := dot(x, y))", effects=ROUNDS, phase="up", gated=True)
def slice_of_dot(op: ir.Operation, d: ir.Operation, x: Expr, y: Expr) -> Expr | None:
    """slice(dot(x, y)) -> dot(slice(x), slice(y)): only what is used is computed."""
    if not single_use(d.results[0]):
        return None
    dims, bounds = Dims.of(d), box(op)
    parts: list[Expr] = []
    for side, v in enumerate((x, y)):
        start, limit, strides = [0] * v.rank, list(v.shape), [1] * v.rank
        own = list(dims.batch[side]) + dims.free(side, v.rank)
        first = len(dims.batch[0]) + (len(dims.free(0, x.rank)) if side else 0)
        places = [*range(len(dims.batch[0])), *range(first, first + len(own) - len(dims.batch[0]))]
        for source, to in zip(own, places, strict=True):
            start[source], limit[source], strides[source] = (b[to] for b in bounds)
        parts.append(E.slice_(v, start, limit, strides))
    return product(d, parts[0], parts[1], dims)


@rule("dot(x, y)", effects=ROUNDS, when=lambda op: not Dims.of(op).contract[0])
def dot_is_multiply(op: ir.Operation, x: Expr, y: Expr, driver: Driver) -> Expr | None:
    """A product that sums over nothing is a multiplication of broadcasts."""
    return None if driver.gates and driver.device is CPU and _is_shared_outer(op) else _as_multiply(op, x, y)


LEAST = 128
"""Elements below which it does not matter how often an array is computed."""


def _is_shared_outer(op: ir.Operation) -> bool:
    """Whether all pairs of two sides are wanted in several places, or by whoever calls the function.

    XLA's code for CPUs would multiply them anew in each.
    """
    dims, uses = Dims.of(op), list(islice(op.results[0].uses, 2))
    sides = (E.size([v.type.shape[d] for d in dims.free(k, v.type.rank)]) for k, v in enumerate(op.operands))
    if E.size(op.results[0].type.shape) < LEAST or min(sides) == 1 or any(splat_of(v) is not None for v in op.operands):
        return False
    return len(uses) > 1 or any(u.owner.operation.name == "func.return" for u in uses)


def _sums_over_ones(op: ir.Operation) -> bool:
    shape, dims = op.operands[0].type.shape, Dims.of(op).contract[0]
    return bool(dims) and all(shape[d] == 1 for d in dims)


@rule("dot(x, y)", "float", effects=ROUNDS, when=_sums_over_ones)
def dot_over_ones(op: ir.Operation, x: Expr, y: Expr, driver: Driver) -> Expr | None:
    """A product that sums over dimensions of size 1 is a multiplication of broadcasts."""
    return None if driver.gates and driver.device is CPU and _is_shared_outer(op) else _as_multiply(op, x, y)


def _as_multiply(op: ir.Operation, x: Expr, y: Expr) -> Expr | None:
    dims, shape = Dims.of(op), op.results[0].type.shape
    if x.dtype != y.dtype or x.dtype != op.results[0].type.element_type or "algorithm" in op.attributes:
        return None
    b, m = len(dims.batch[0]), len(dims.free(0, x.rank))
    sides: list[Expr] = []
    for side, v in enumerate((x, y)):
        own = [*dims.batch[side], *dims.free(side, v.rank)]
        to = [*range(b), *range(b + m * side, b + m * side + len(own) - b)]
        flat = E.reshape(v, [n for d, n in enumerate(v.shape) if d not in dims.contract[side]])
        kept = [d for d in range(v.rank) if d not in dims.contract[side]]
        place = dict(zip(own, to, strict=True))
        sides.append(E.broadcast(flat, shape, [place[d] for d in kept]))
    return sides[0] * sides[1]


def _in_order(x: Expr, y: Expr, side: int) -> tuple[Expr, Expr]:
    return (x, y) if side == 0 else (y, x)


def _scaling(name: str, side: int) -> None:
    """Factors and signs of one operand: they come out of a product that is smaller, or where others wait for them."""
    which, kinds = ("left", "right")[side], "real" if name == "dot" else "float"
    multiple, negated = (f"{name}({v}, y)" if side == 0 else f"{name}(y, {v})" for v in ("x * C", "-x"))
    both = f"{name}(-x, y * C)" if side == 0 else f"{name}(y * C, -x)"

    @rule(multiple, kinds, name=f"{name}_of_multiple_{which}", effects=ROUNDS | RANGE, gated=True)
    def of_multiple(op: ir.Operation, x: Expr, C: float, y: Expr) -> Expr | None:
        """A factor of an operand is one of the product, where that is smaller than the operand."""
        if not single_use(op.operands[side]) or not keeps_dtype(op):
            return None
        return multiplied_again(op, *_in_order(x, y, side)) * C

    @rule(negated, "inexact", name=f"{name}_of_negated_{which}", effects=ZERO_SIGN, gated=True)
    def of_negated(op: ir.Operation, x: Expr, y: Expr) -> Expr:
        """The sign of an operand is that of the product, where that is smaller than the operand."""
        return -multiplied_again(op, *_in_order(x, y, side))

    @rule(f"-(d := {multiple})", kinds, name=f"neg_{name}_of_multiple_{which}", effects=ROUNDS | ZERO_SIGN)
    def neg_of_multiple(d: ir.Operation, x: Expr, C: float, y: Expr) -> Expr | None:
        """The sign of a product goes to a constant factor of an operand."""
        return multiplied_again(d, *_in_order(x * -C, y, side)) if single_use(d.results[0]) else None

    @rule(f"(d := {multiple}) * C2", kinds, name=f"multiple_of_{name}_of_multiple_{which}", effects=ROUNDS | RANGE)
    def multiple_of(op: ir.Operation, d: ir.Operation, x: Expr, C: float, C2: float, y: Expr) -> Expr | None:
        """Constant factors of an operand and of the product are one."""
        if not single_use(d.results[0]) or not single_use(d.operands[side]) or not keeps_dtype(d):
            return None
        number = _product(op, C, C2)
        return None if number is None else multiplied_again(d, *_in_order(x, y, side)) * number

    @rule(f"-(d := {negated})", "inexact", name=f"neg_{name}_of_negated_{which}", effects=ZERO_SIGN)
    def neg_of_negated(d: ir.Operation, x: Expr, y: Expr) -> Expr | None:
        """The signs of a product and of an operand cancel."""
        return multiplied_again(d, *_in_order(x, y, side)) if single_use(d.results[0]) else None

    @rule(f"z + (d := {negated})", "inexact", name=f"add_{name}_of_negated_{which}", effects=ZERO_SIGN)
    def add_of_negated(d: ir.Operation, x: Expr, y: Expr, z: Expr) -> Expr | None:
        """A product with a negated operand is subtracted instead of added."""
        return z - multiplied_again(d, *_in_order(x, y, side)) if single_use(d.results[0]) else None

    @rule(f"z - (d := {negated})", "inexact", name=f"sub_{name}_of_negated_{which}", effects=ZERO_SIGN)
    def sub_of_negated(d: ir.Operation, x: Expr, y: Expr, z: Expr) -> Expr | None:
        """A product with a negated operand is added instead of subtracted."""
        return z + multiplied_again(d, *_in_order(x, y, side)) if single_use(d.results[0]) else None

    @rule(both, kinds, name=f"{name}_of_negated_and_multiple_{which}", effects=ROUNDS)
    def of_negated_and_multiple(op: ir.Operation, x: Expr, C: float, y: Expr) -> Expr | None:
        """The sign of one operand goes to a constant factor of the other."""
        return multiplied_again(op, *_in_order(x, y * -C, side)) if single_use(op.operands[1 - side]) else None


def keeps_dtype(op: ir.Operation) -> bool:
    return all(v.type.element_type == op.results[0].type.element_type for v in op.operands)


def _product(op: ir.Operation, c1: float, c2: float) -> float | None:
    """The product of two constants in the element type of an op, if it is an ordinary number."""
    of = dtype(op.results[0].type.element_type)
    if of is None:
        return None
    with np.errstate(all="ignore"):
        number = (np.asarray(c1, of) * np.asarray(c2, of)).astype(of)
    return number.item() if is_normal(number, of) else None


for _name in ("dot", "convolution"):
    _scaling(_name, 0)
    _scaling(_name, 1)


@rule("dot(x * C1, y * C2)", "real", effects=ROUNDS | RANGE)
def dot_of_multiples(op: ir.Operation, x: Expr, C1: float, y: Expr, C2: float) -> Expr | None:
    """dot(x * C1, y * C2) -> dot(x, y * (C1 * C2)), or the other way around, whichever is less."""
    number = _product(op, C1, C2)
    if number is None or not keeps_dtype(op) or not all(map(single_use, op.operands)):
        return None
    small = E.size(y.shape) <= E.size(x.shape)
    return multiplied_again(op, x if small else x * number, y * number if small else y)


@rule("dot(-x, -y)", "inexact")
def dot_of_negated(op: ir.Operation, x: Expr, y: Expr) -> Expr:
    """dot(-x, -y) -> dot(x, y)."""
    return product(op, x, y, Dims.of(op))


@rule("dot(x * (b := broadcast(s)), y)", "real", effects=ROUNDS | RANGE, gated=True)
def dot_of_scaled_left(op: ir.Operation, x: Expr, b: ir.Operation, s: Expr, y: Expr, driver: Driver) -> Expr | None:
    """dot(x * broadcast(s), y) -> dot(x, y) * s where s is finite and the same along what is summed over."""
    return _scale_after(op, x, y, b, s, 0, driver)


@rule("dot(x, y * (b := broadcast(s)))", "real", effects=ROUNDS | RANGE, gated=True)
def dot_of_scaled_right(op: ir.Operation, x: Expr, b: ir.Operation, s: Expr, y: Expr, driver: Driver) -> Expr | None:
    """dot(x, y * broadcast(s)) -> dot(x, y) * s where s is finite and the same along what is summed over."""
    return _scale_after(op, x, y, b, s, 1, driver)


def _scale_after(
    op: ir.Operation, x: Expr, y: Expr, b: ir.Operation, s: Expr, side: int, driver: Driver
) -> Expr | None:
    dims, target, whole = Dims.of(op), ints(b, "broadcast_dimensions"), b.results[0].type.shape
    if not single_use(op.operands[side]) or not keeps_dtype(op):
        return None
    if driver.gates and E.size(op.results[0].type.shape) >= E.size(whole):
        return None
    inside = [i for i, d in enumerate(target) if s.shape[i] == whole[d] != 1]
    if any(target[i] in dims.contract[side] for i in inside) or not driver.facts.finite(s):
        return None
    first = len(dims.batch[0]) + (len(dims.free(0, x.rank)) if side else 0)
    place = {d: k for k, d in enumerate(dims.batch[side])}
    place |= {d: first + k for k, d in enumerate(dims.free(side, len(whole)))}
    small = E.reshape(s, [s.shape[i] for i in inside])
    out = multiplied_again(op, x, y)
    return out * E.broadcast(small, out.shape, [place[target[i]] for i in inside])


@rule("dot(0, y)", "inexact", effects=ZERO_SIGN)
def dot_of_zero(op: ir.Operation, y: Expr, driver: Driver) -> Expr | None:
    """dot(0, y) -> 0 for finite y."""
    return E.full(op.results[0].type, 0) if driver.facts.finite(y) else None


@rule("dot(x, 0)", "inexact", effects=ZERO_SIGN)
def dot_with_zero(op: ir.Operation, x: Expr, driver: Driver) -> Expr | None:
    """dot(x, 0) -> 0 for finite x."""
    return E.full(op.results[0].type, 0) if driver.facts.finite(x) else None


@rule("dot(b := broadcast(x), y)", effects=ROUNDS, gated=True)
def dot_of_broadcast_left(op: ir.Operation, b: ir.Operation, x: Expr, y: Expr, driver: Driver) -> Expr | None:
    """dot(broadcast(x), y) -> broadcast(dot(x, y)) where x is repeated along free dimensions."""
    return None if driver.is_added_up_after(op) else _broadcast_after(op, b, x, y, 0)


@rule("dot(x, b := broadcast(y))", effects=ROUNDS, gated=True)
def dot_of_broadcast_right(op: ir.Operation, b: ir.Operation, x: Expr, y: Expr, driver: Driver) -> Expr | None:
    """dot(x, broadcast(y)) -> broadcast(dot(x, y)) where y is repeated along free dimensions."""
    return None if driver.is_added_up_after(op) else _broadcast_after(op, b, x, y, 1)


def _broadcast_after(op: ir.Operation, b: ir.Operation, x: Expr, y: Expr, side: int) -> Expr | None:
    dims, target, whole = Dims.of(op), ints(b, "broadcast_dimensions"), b.results[0].type.shape
    small = (x, y)[side]
    free = dims.free(side, len(whole))
    new = [d for d in free if d not in target]
    if not new or list(target) != sorted(target) or any(small.shape[i] != whole[d] for i, d in enumerate(target)):
        return None
    if len(target) + len(new) != len(whole):
        return None
    place = {d: i for i, d in enumerate(target)}
    moved = lambda ds: tuple(place[d] for d in ds)  # noqa: E731
    batch, contract = list(dims.batch), list(dims.contract)
    batch[side], contract[side] = moved(dims.batch[side]), moved(dims.contract[side])
    out = product(op, x, y, Dims((batch[0], batch[1]), (contract[0], contract[1])))
    other = len(whole) if side == 0 else x.rank
    first = len(dims.batch[0]) + (0 if side == 0 else len(dims.free(0, other)))
    dropped = {first + free.index(d) for d in new}
    shape = op.results[0].type.shape
    return E.broadcast(out, shape, [d for d in range(len(shape)) if d not in dropped])


def _repeats(v: Expr, dims: Sequence[int]) -> list[int]:
    """Those of some dimensions of a value along which it is a broadcast, or a constant."""
    number, b = splat_of(v.value), made_by(v, "broadcast_in_dim")
    if number is not None:
        return list(dims)
    if b is None:
        return []
    small, target = b.operands[0].type.shape, ints(b, "broadcast_dimensions")
    return [d for d in dims if d not in target or (small[target.index(d)] == 1 and v.shape[d] != 1)]


def _taken_once(v: Expr, gone: Sequence[int]) -> Expr:
    """A broadcast or a constant without dimensions along which it is the same."""
    kept = [d for d in range(v.rank) if d not in gone]
    shape, number = [v.shape[d] for d in kept], splat_of(v.value)
    if number is not None:
        return E.full(E.tensor(shape, v.dtype), number)
    b = made_by(v, "broadcast_in_dim")
    assert b is not None
    x, target = Expr(b.operands[0]), ints(b, "broadcast_dimensions")
    inside = [i for i, d in enumerate(target) if d in kept]
    return E.broadcast(E.reshape(x, [x.shape[i] for i in inside]), shape, [kept.index(target[i]) for i in inside])


@rule("dot(x, y)", "real", effects=ROUNDS | RANGE, gated=True, some=("broadcast", "constant"))
def dot_of_repeated(op: ir.Operation, x: Expr, y: Expr, driver: Driver) -> Expr | None:
    """dot(x, broadcast(y)) -> sum(x) * y where y is finite and the same along what is summed over."""
    dims, sides = Dims.of(op), [x, y]
    if not keeps_dtype(op):
        return None
    for side in (1, 0):
        v, other = sides[side], sides[1 - side]
        gone = _repeats(v, dims.contract[side])
        if not gone:
            continue
        across = [dims.contract[1 - side][dims.contract[side].index(d)] for d in gone]
        number = splat_of(v.value)
        known = number is not None and np.isfinite(number) and number != 0
        once = set(_repeats(other, across)) == set(across)  # both are the same: so is each term
        if not (known or once or driver.facts.finite(v)):
            continue
        n = E.size([v.shape[d] for d in gone])
        sides[side] = _taken_once(v, gone)
        sides[1 - side] = _taken_once(other, across) if once else E.reduce_sum(other, sorted(across))
        parts = [without(dims, k, r, gone if k == side else across) for k, r in enumerate((x.rank, y.rank))]
        (b0, c0), (b1, c1) = parts
        out = product(op, sides[0], sides[1], Dims((b0, b1), (c0, c1)))
        return out * n if once else out
    return None


@rule("dot(x, y)", effects=ROUNDS, gated=True, some=("broadcast", "constant"))
def dot_of_repeated_batch(op: ir.Operation, x: Expr, y: Expr) -> Expr | None:
    """A batched product with one operand for all of the batch is a plain product, where the result lies the same."""
    dims = Dims.of(op)
    for side, (other, v) in enumerate(((y, x), (x, y))):
        gone = _repeats(v, dims.batch[side])
        if not gone or splat_of(v.value) is not None or (side == 0 and (dims.free(0, x.rank) or not can_swap(op))):
            continue
        freed = [dims.batch[1 - side][dims.batch[side].index(d)] for d in gone]
        batch = tuple(d for d in dims.batch[1 - side] if d not in freed)
        free = sorted([*freed, *dims.free(1 - side, other.rank)])
        if [*batch, *free] != [*dims.batch[1 - side], *dims.free(1 - side, other.rank)]:
            continue
        contract = dims.contract[1 - side]
        if contract and min(free) < max(contract) and min(contract) < max(free):  # it would have to be moved first
            continue
        small = without(dims, side, v.rank, gone)
        numbers = Dims((batch, small[0]), (dims.contract[1 - side], small[1]))
        return product(op, other, _taken_once(v, gone), numbers)
    return None


@rule("reduce(d := dot(x, y), init)", "real", effects=ROUNDS | RANGE, phase="down", gated=True)
def reduce_of_dot(op: ir.Operation, d: ir.Operation, x: Expr, y: Expr, driver: Driver) -> Expr | None:
    """sum(dot(x, y)) -> dot(x, y) that sums over its batch, too; dot(sum(x), y) for finite y."""
    dims, gone = Dims.of(d), ints(op, "dimensions")
    if body_of(op) != "stablehlo.add" or not starts_neutral(op) or not single_use(d.results[0]):
        return None
    if not keeps_dtype(d):
        return None
    b, free = len(dims.batch[0]), [dims.free(side, v.rank) for side, v in enumerate((x, y))]
    batches = [k for k in gone if k < b]
    places = [*range(b, b + len(free[0]))], [*range(b + len(free[0]), b + len(free[0]) + len(free[1]))]
    summed = [[e for e, k in zip(free[side], places[side], strict=True) if k in gone] for side in (0, 1)]
    summed = [part if part and driver.facts.finite((y, x)[side]) else [] for side, part in enumerate(summed)]
    if not batches and not any(summed):
        return None
    numbers, sides = [], []
    for side, v in enumerate((x, y)):
        kept = [e for e in range(v.rank) if e not in summed[side]]
        sides.append(E.reduce_sum(v, summed[side]))
        moved = [dims.batch[side][k] for k in batches]
        batch = tuple(kept.index(e) for e in dims.batch[side] if e not in moved)
        numbers.append((batch, tuple(kept.index(e) for e in (*dims.contract[side], *moved))))
    (b0, c0), (b1, c1) = numbers
    out = product(d, sides[0], sides[1], Dims((b0, b1), (c0, c1)))
    done = {
        *batches,
        *(k for side in (0, 1) for e, k in zip(free[side], places[side], strict=True) if e in summed[side]),
    }
    left = [k for k in range(d.results[0].type.rank) if k not in done]
    return reduced_again(op, out, Expr(op.operands[1]), [left.index(k) for k in gone if k not in done])


@rule("concatenate(*xs)", "real", operands=("dot",), effects=ROUNDS, gated=True)
def concatenate_of_dots(op: ir.Operation, xs: list[Expr]) -> Expr | None:
    """concatenate(dot(x, y), dot(x, z)) -> dot(x, concatenate(y, z)): one product instead of two."""
    found = [m for v in xs if (m := made_by(v, "dot_general")) is not None and single_use(v.value)]
    if len(found) != len(xs) or len(xs) < 2 or any(dict(m.attributes) != dict(found[0].attributes) for m in found):
        return None
    dims, dim = Dims.of(found[0]), integer(op, "dimension")
    b, ranks = len(dims.batch[0]), [v.type.rank for v in found[0].operands]
    free = [(side, d) for side in (0, 1) for d in dims.free(side, ranks[side])]
    if dim < b:
        return None
    side, along = free[dim - b]
    if any(m.operands[1 - side] != found[0].operands[1 - side] for m in found):
        return None
    if any(m.operands[side].type.element_type != found[0].operands[side].type.element_type for m in found):
        return None
    joined = E.concatenate([Expr(m.operands[side]) for m in found], along)
    shared = Expr(found[0].operands[1 - side])
    return product(found[0], *_in_order(joined, shared, side), dims)


@rule("reshape(d := dot(x, y))", effects=ROUNDS)
def reshape_of_dot(op: ir.Operation, d: ir.Operation, x: Expr, y: Expr) -> Expr | None:
    """A product whose free dimensions of size 1 are dropped afterwards is one without them."""
    dims, shape = Dims.of(d), op.results[0].type.shape
    if [n for n in d.results[0].type.shape if n != 1] != list(shape) or not single_use(d.results[0]):
        return None
    if any(x.shape[e] == 1 for e in dims.batch[0]):
        return None
    sides: list[Expr] = []
    batch, contract = list(dims.batch), list(dims.contract)
    for side, v in enumerate((x, y)):
        ones = [e for e in dims.free(side, v.rank) if v.shape[e] == 1]
        kept = [e for e in range(v.rank) if e not in ones]
        sides.append(E.reshape(v, [v.shape[e] for e in kept]))
        batch[side] = tuple(kept.index(e) for e in dims.batch[side])
        contract[side] = tuple(kept.index(e) for e in dims.contract[side])
    return product(d, sides[0], sides[1], Dims((batch[0], batch[1]), (contract[0], contract[1])))


@rule("reduce(where(p, x, 0), init)", "float", effects=ROUNDS)
def trace_of_dot(op: ir.Operation, p: Expr, x: Expr) -> Expr | None:
    """The sum over the diagonal of a product: nothing off the diagonal is computed."""
    dims, pair = ints(op, "dimensions"), diagonal(p.value)
    if body_of(op) != "stablehlo.add" or not starts_neutral(op) or pair is None or not set(pair) <= set(dims):
        return None
    order = tuple(range(x.rank))
    if (t := made_by(x, "transpose")) is not None:
        order, x = ints(t, "permutation"), Expr(t.operands[0])
    d = made_by(x, "dot_general")
    if d is None or not single_use(d.results[0]):
        return None
    lhs, rhs = E.exprs(d.operands)
    product_dims = Dims.of(d)
    places = [*((-1, b) for b in range(len(product_dims.batch[0])))]
    places += [(side, e) for side, v in enumerate((lhs, rhs)) for e in product_dims.free(side, v.rank)]
    (i, j) = (places[order[k]] for k in pair)
    if {i[0], j[0]} != {0, 1}:
        return None
    if i[0] == 1:
        i, j = j, i
    contract = (*product_dims.contract[0], i[1]), (*product_dims.contract[1], j[1])
    out = product(d, lhs, rhs, Dims(product_dims.batch, contract))
    left = [k for k in range(len(places)) if places[k] not in (i, j)]
    rest = [k for k in order if k in left]
    out = E.transpose(out, [left.index(k) for k in rest])
    summed = [rest.index(order[k]) for k in dims if k not in pair]
    return reduced_again(op, out, Expr(op.operands[1]), summed)


@rule("reduce(where(p, x, 0), init)", "float", effects=ROUNDS)
def diagonal_of_dot(op: ir.Operation, p: Expr, x: Expr) -> Expr | None:
    """The diagonal of a product: nothing off the diagonal is computed."""
    gone, pair, d = ints(op, "dimensions"), diagonal(p.value), made_by(x, "dot_general")
    if body_of(op) != "stablehlo.add" or not starts_neutral(op) or pair is None or d is None or len(gone) != 1:
        return None
    if gone[0] not in pair or not single_use(d.results[0]):
        return None
    (lhs, rhs), dims = E.exprs(d.operands), Dims.of(d)
    places = [(-1, k) for k in range(len(dims.batch[0]))]
    places += [(side, e) for side, v in enumerate((lhs, rhs)) for e in dims.free(side, v.rank)]
    (i, j) = sorted(places[k] for k in pair)
    if (i[0], j[0]) != (0, 1):
        return None
    out = product(d, lhs, rhs, Dims(((*dims.batch[0], i[1]), (*dims.batch[1], j[1])), dims.contract))
    order = [*((-1, k) for k in range(len(dims.batch[0]))), i, *(q for q in places if q[0] >= 0 and q not in (i, j))]
    kept = [q if q not in (i, j) else i for k, q in enumerate(places) if k != gone[0]]
    return E.transpose(out, [order.index(q) for q in kept])


def diagonal(value: ir.Value) -> tuple[int, int] | None:
    """Two dimensions whose indices must be equal for a truth value to be true, if that is all it says."""
    b = made_by(value, "broadcast_in_dim")
    if b is not None:
        inner = diagonal(b.operands[0])
        dims = ints(b, "broadcast_dimensions")
        small, whole = b.operands[0].type.shape, value.type.shape
        if inner is None or any(small[d] != whole[dims[d]] for d in inner):
            return None
        return dims[inner[0]], dims[inner[1]]
    e = made_by(value, "compare")
    if e is None or direction(e) != "EQ":
        return None
    a, b2 = (maker(v) for v in e.operands)
    if a is None or b2 is None or a.name != "stablehlo.iota" or b2.name != "stablehlo.iota":
        return None
    i, j = integer(a, "iota_dimension"), integer(b2, "iota_dimension")
    return (i, j) if i != j and value.type.shape[i] == value.type.shape[j] else None


@rule("dot(x, y)", "float", when=lambda op: (0,) in Dims.of(op).contract and not Dims.of(op).batch[0])
def dot_of_symmetric(op: ir.Operation, x: Expr, y: Expr, driver: Driver) -> Expr | None:
    """A symmetric matrix is summed over by its last dimension, so that a product and its mirror image meet."""
    dims = Dims.of(op)
    if dims.batch[0] or len(dims.contract[0]) != 1:
        return None
    contract = list(dims.contract)
    for side, v in enumerate((x, y)):
        if contract[side] == (0,) and v.rank == 2 and v.shape[0] == v.shape[1] and driver.facts.symmetric(v):
            contract[side] = (1,)
    return None if contract == list(dims.contract) else product(op, x, y, Dims(dims.batch, (contract[0], contract[1])))


@rule("dot(p := pad(x, 0), y)", "float", effects=ROUNDS, gated=True)
def dot_of_padded_left(op: ir.Operation, p: ir.Operation, x: Expr, y: Expr, driver: Driver) -> Expr | None:
    """dot(pad(x, 0), y) -> dot(x, slice(y)), padded where x was, for finite y: zeros are not multiplied."""
    return _pad_after(op, p, x, y, 0, driver)


@rule("dot(x, p := pad(y, 0))", "float", effects=ROUNDS, gated=True)
def dot_of_padded_right(op: ir.Operation, p: ir.Operation, x: Expr, y: Expr, driver: Driver) -> Expr | None:
    """dot(x, pad(y, 0)) -> dot(slice(x), y), padded where y was, for finite x: zeros are not multiplied."""
    return _pad_after(op, p, x, y, 1, driver)


def _pad_after(op: ir.Operation, p: ir.Operation, x: Expr, y: Expr, side: int, driver: Driver) -> Expr | None:
    dims, edges = Dims.of(op), plain_padding(p)
    inner, other = (x, y) if side == 0 else (y, x)
    if edges is None or not driver.facts.finite(other) or not single_use(p.results[0]):
        return None
    padded = [d for d in range(inner.rank) if edges[0][d] or edges[1][d]]
    first = len(dims.batch[0]) + (len(dims.free(0, x.rank)) if side else 0)
    place = {d: k for k, d in enumerate(dims.batch[side])}
    place |= {d: first + k for k, d in enumerate(dims.free(side, inner.rank))}
    pairs = [part[k] for k in (side, 1 - side) for part in (dims.batch, dims.contract)]
    partner = dict(zip(pairs[0] + pairs[1], pairs[2] + pairs[3], strict=True))
    rank, start, limit = op.results[0].type.rank, [0] * other.rank, list(other.shape)
    low, high = [0] * rank, [0] * rank
    for d in padded:
        if d in partner:
            start[partner[d]], limit[partner[d]] = edges[0][d], edges[0][d] + inner.shape[d]
        if d in place:
            low[place[d]], high[place[d]] = edges[0][d], edges[1][d]
    return E.pad(product(op, *_in_order(inner, E.slice_(other, start, limit), side), dims), 0, low, high)


@rule("dot(p := pad(x, 0), q := pad(y, 0))", "real", effects=ROUNDS)
def dot_of_padded_sums(op: ir.Operation, p: ir.Operation, q: ir.Operation, x: Expr, y: Expr) -> Expr | None:
    """dot(pad(x, 0), pad(y, 0)) -> dot(x, y) where both are padded alike, along what is summed over."""
    dims, edges = Dims.of(op), [plain_padding(v) for v in (p, q)]
    if edges[0] is None or edges[1] is None:
        return None
    for side, v in enumerate((x, y)):
        mine, theirs = edges[side], edges[1 - side]
        assert mine is not None and theirs is not None
        partner = dict(zip(dims.contract[side], dims.contract[1 - side], strict=True))
        for d in range(v.rank):
            ends = mine[0][d], mine[1][d]
            if any(ends) and (d not in partner or ends != (theirs[0][partner[d]], theirs[1][partner[d]])):
                return None
    return product(op, x, y, dims)
