"""How often a loop runs: counters with constant start, step and limit, and what follows from them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from jaxlib.mlir import ir

from gradir.tensor.ir.reading import direction
from gradir.tensor.ir.regions import terminator


@dataclass
class Counter:
    """The counter of a loop whose number of rounds is known: carried value `index` runs `start, start + step, …`."""

    index: int
    start: int
    step: int
    trips: int

    @property
    def values(self) -> np.ndarray:
        """The counter's value in each round."""
        return self.start + self.step * np.arange(self.trips, dtype=np.int64)


def count(op: ir.Operation) -> Counter | None:
    """The counter of a loop with constant start, step and limit, if it is one."""
    cond = op.regions[0].blocks[0]
    test = _definition(terminator(cond).operands[0])
    if test is None or test.name != "stablehlo.compare":
        return None
    way = direction(test)
    mirrored = {"LT": "GT", "GT": "LT", "LE": "GE", "GE": "LE"}.get(way, way)
    a, b = test.operands
    return _counter(op, a, way, b) or _counter(op, b, mirrored, a)


def _counter(op: ir.Operation, value: ir.Value, direction: str, limited_by: ir.Value) -> Counter | None:
    """The counter of a loop that goes on while `value` is, say, less than `limited_by`."""
    cond, body = (r.blocks[0] for r in op.regions)
    if value not in cond.arguments:
        return None
    index = list(cond.arguments).index(value)
    advance = _definition(terminator(body).operands[index])
    limit = integer(limited_by)
    start = integer(op.operands[index])
    if advance is None or limit is None or start is None:
        return None
    step = _step(advance, body.arguments[index])
    if step is None:
        return None
    trips = _trips(direction, start, step, limit)
    if trips is None or not fits(np.array(start + step * trips), value.type):
        return None  # the counter would wrap around before it gets there
    return Counter(index, start, step, trips)


def _trips(direction: str, start: int, step: int, limit: int) -> int | None:
    """How often a loop runs; None where its counter runs away from the limit, or past it."""
    way = limit - start
    if not _COMPARE[direction](start, limit):
        return 0
    if direction == "EQ":
        return 1
    if way * step < 0 or (way == 0 and direction in ("LE", "GE") and (step > 0) != (direction == "LE")):
        return None
    if direction == "NE":
        return way // step if way % step == 0 else None
    return abs(way) // abs(step) + 1 if direction in ("LE", "GE") else -(-abs(way) // abs(step))


def _step(advance: ir.Operation, counter: ir.Value) -> int | None:
    if advance.name not in ("stablehlo.add", "stablehlo.subtract"):
        return None
    a, b = advance.operands
    if a != counter and b == counter and advance.name == "stablehlo.add":
        a, b = b, a
    step = integer(b)
    if a != counter or not step:
        return None
    return step if advance.name == "stablehlo.add" else -step


def _definition(value: ir.Value) -> ir.Operation | None:
    return None if isinstance(value, ir.BlockArgument) else value.owner.operation


def integer(value: ir.Value) -> int | None:
    """The value of a scalar integer constant, also where loops hand it on unchanged."""
    if not isinstance(value.type, ir.RankedTensorType) or not isinstance(value.type.element_type, ir.IntegerType):
        return None
    if isinstance(value, ir.BlockArgument):
        loop = value.owner.owner.operation
        if loop.name != "stablehlo.while":
            return None
        body = loop.regions[1].blocks[0]
        k = value.arg_number
        return integer(loop.operands[k]) if terminator(body).operands[k] == body.arguments[k] else None
    op = value.owner.operation
    if op.name in ("stablehlo.convert", "stablehlo.reshape"):
        known = integer(op.operands[0])
        return known if known is not None and fits(np.array(known), value.type) else None
    if op.name != "stablehlo.constant":
        return None
    attr = op.attributes["value"]
    splat = isinstance(attr, ir.DenseElementsAttr) and attr.is_splat
    return int(attr.get_splat_value().value) if splat else None  # type: ignore[attr-defined]


def values_by_round(value: ir.Value, loop: ir.Operation, counter: Counter) -> np.ndarray | None:
    """A scalar integer of the loop's body in each round, where it follows from the counter and constants alone."""
    body = loop.regions[1].blocks[0]
    if value == body.arguments[counter.index]:
        return counter.values
    known = integer(value)
    if known is not None:
        return np.full(counter.trips, known, np.int64)
    op = _definition(value)
    if op is None or op.name not in _INTEGER_OPS or not isinstance(value.type.element_type, ir.IntegerType):
        return None
    operands: list[np.ndarray] = []
    for v in op.operands:
        values = values_by_round(v, loop, counter)
        if values is None:
            return None
        operands.append(values)
    compute = _INTEGER_OPS[op.name]
    if op.name == "stablehlo.compare":
        compute = _COMPARE[direction(op)]
    made = compute(*operands).astype(np.int64)
    return made if fits(made, value.type) else None  # it would wrap around


def fits(values: np.ndarray, t: ir.RankedTensorType) -> bool:
    """Whether a type of integers holds these."""
    e = ir.IntegerType(t.element_type)
    unsigned = e.is_unsigned or e.width == 1
    least, most = (0, 2**e.width - 1) if unsigned else (-(2 ** (e.width - 1)), 2 ** (e.width - 1) - 1)
    return bool(values.min(initial=0) >= least and values.max(initial=0) <= most)


_COMPARE: dict[str, Callable[..., np.ndarray]] = {
    "LT": np.less,
    "LE": np.less_equal,
    "GT": np.greater,
    "GE": np.greater_equal,
    "EQ": np.equal,
    "NE": np.not_equal,
}
_INTEGER_OPS: dict[str, Callable[..., np.ndarray]] = {
    "stablehlo.add": np.add,
    "stablehlo.subtract": np.subtract,
    "stablehlo.multiply": np.multiply,
    "stablehlo.minimum": np.minimum,
    "stablehlo.maximum": np.maximum,
    "stablehlo.negate": np.negative,
    "stablehlo.clamp": lambda low, x, high: np.clip(x, low, high),
    "stablehlo.select": lambda p, x, y: np.asarray(np.where(p.astype(bool), x, y)),
    "stablehlo.convert": lambda x: x,
    "stablehlo.reshape": lambda x: x,
    "stablehlo.compare": np.equal,  # or another of _COMPARE
}
