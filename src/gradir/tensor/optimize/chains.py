"""Chains and sums of products: an infinity would meet other partners, so it takes a proof that there is none."""

from __future__ import annotations

from jaxlib.mlir import ir

from gradir.tensor.ir import expr as E
from gradir.tensor.ir.dot import Dims
from gradir.tensor.ir.expr import Expr
from gradir.tensor.ir.reading import made_by, single_use, splat_of
from gradir.tensor.optimize.driver import Driver
from gradir.tensor.optimize.effects import RANGE, ROUNDS
from gradir.tensor.optimize.products import diagonal, keeps_dtype, multiplied_again, product, products

rule = products.rule


@rule("dot(d := dot(x, y), z)", "float", effects=ROUNDS | RANGE, gated=True)
def dot_chain(op: ir.Operation, d: ir.Operation, x: Expr, y: Expr, z: Expr, driver: Driver) -> Expr | None:
    """(x y) z -> x (y z) where that is cheaper, for finite x and z; or (x z) y, where z is summed with x."""
    return _chain(op, d, x, y, z, 0, driver)


@rule("dot(z, d := dot(x, y))", "float", effects=ROUNDS | RANGE, gated=True)
def dot_chain_right(op: ir.Operation, d: ir.Operation, x: Expr, y: Expr, z: Expr, driver: Driver) -> Expr | None:
    """z (x y) -> (z x) y where that is cheaper, for finite z and y; or (z y) x, where z is summed with y."""
    return _chain(op, d, x, y, z, 1, driver)


def _chain(op: ir.Operation, d: ir.Operation, x: Expr, y: Expr, z: Expr, at: int, driver: Driver) -> Expr | None:
    """The product z with one of x and y first: the one that it shares sums with, which stands in the middle then.

    `at` is the place of the inner product in the outer one.
    """
    outer, inner, pair = Dims.of(op), Dims.of(d), (x, y)
    b, free = len(inner.batch[0]), [inner.free(side, v.rank) for side, v in enumerate(pair)]
    if outer.batch[at] != tuple(range(b)) or not single_use(d.results[0]) or not (keeps_dtype(op) and keeps_dtype(d)):
        return None
    places = [(side, e) for side in (0, 1) for e in free[side]]  # of the inner product's dimensions after the batch
    summed = [places[k - b] for k in outer.contract[at]]
    if len({side for side, _ in summed}) != 1:
        return None
    near = summed[0][0]
    middle, far = pair[near], pair[1 - near]
    gone = [e for _, e in summed]
    left = [e for e in free[near] if e not in gone]
    # The result has the far operand's dimensions where the inner product had them: before or after the near one's.
    if near == at and left and free[1 - near]:
        return None
    if not driver.facts.finite(far) or not driver.facts.finite(z):
        return None
    numbers = (inner.batch[near], outer.batch[1 - at]), (tuple(gone), outer.contract[1 - at])
    first = (middle, z) if at == 0 else (z, middle)
    order = (lambda pair: pair) if at == 0 else (lambda pair: pair[::-1])  # type: ignore[var-annotated]
    made = product(op, *first, Dims(order(numbers[0]), order(numbers[1])))
    zs = outer.free(1 - at, z.rank)
    rest = [e for e in range(middle.rank) if e not in (*inner.batch[near], *gone)]
    start = b if at == 0 else b + len(zs)
    contract = tuple(start + rest.index(e) for e in inner.contract[near])
    ends = (tuple(inner.batch[1 - near]), tuple(range(b))), (inner.contract[1 - near], contract)
    second = (far, made) if at == 0 else (made, far)
    return product(op, *second, Dims(order(ends[0]), order(ends[1])))


def _distributes(sign: str, name: str) -> None:
    @rule(
        f"(d := dot(x, y)) {sign} (e := dot(x, z))", "float", name=f"{name}_of_dots_right", effects=ROUNDS, gated=True
    )
    def right(d: ir.Operation, e: ir.Operation, x: Expr, y: Expr, z: Expr, driver: Driver) -> Expr | None:
        """x y ± x z -> x (y ± z) for finite x: one product instead of two."""
        if dict(d.attributes) != dict(e.attributes) or y.type != z.type or not driver.facts.finite(x):
            return None
        return multiplied_again(d, x, y + z if sign == "+" else y - z)

    @rule(f"(d := dot(x, z)) {sign} (e := dot(y, z))", "float", name=f"{name}_of_dots_left", effects=ROUNDS, gated=True)
    def left(d: ir.Operation, e: ir.Operation, x: Expr, y: Expr, z: Expr, driver: Driver) -> Expr | None:
        """x z ± y z -> (x ± y) z for finite z: one product instead of two."""
        if dict(d.attributes) != dict(e.attributes) or x.type != y.type or not driver.facts.finite(z):
            return None
        return multiplied_again(d, x + y if sign == "+" else x - y, z)


_distributes("+", "add")
_distributes("-", "sub")


@rule("dot(x, y)", "real", effects=ROUNDS, some=("convert", "select"))
def dot_with_diagonal(op: ir.Operation, x: Expr, y: Expr, driver: Driver) -> Expr | None:
    """dot(diagonal(d), y) -> d * y for finite y; dot(identity, y) -> y."""
    dims = Dims.of(op)
    if dims.batch[0] or len(dims.contract[0]) != 1 or not keeps_dtype(op):
        return None
    for side, (a, b) in enumerate(((x, y), (y, x))):
        if a.rank != 2 or (found := on_diagonal(a)) is None or not driver.facts.finite(b):
            continue
        (at,) = dims.contract[1 - side]
        rest = [d for d in range(b.rank) if d != at]
        scaled = (
            b if found == 1 else b * found if not isinstance(found, Expr) else b * E.broadcast(found, b.shape, [at])
        )
        return E.transpose(scaled, [at, *rest] if side == 0 else [*rest, at])
    return None


def on_diagonal(x: Expr) -> Expr | int | float | None:
    """What a matrix has on its diagonal, a vector or a number, if it is seen to have nothing beside it."""
    if is_identity(x.value):
        return 1
    s = made_by(x, "select")
    if s is None or diagonal(s.operands[0]) is None or splat_of(s.operands[2]) != 0:
        return None
    number, b = splat_of(s.operands[1]), made_by(s.operands[1], "broadcast_in_dim")
    if number is not None and not isinstance(number, complex):
        return number
    if b is None or b.operands[0].type.rank != 1 or b.operands[0].type.shape[0] != x.shape[0]:
        return None
    return Expr(b.operands[0])


def is_identity(value: ir.Value) -> bool:
    """Whether a matrix is seen to be the identity: where two iotas are equal, as a number."""
    c = made_by(value, "convert")
    return c is not None and value.type.rank == 2 and diagonal(c.operands[0]) is not None
