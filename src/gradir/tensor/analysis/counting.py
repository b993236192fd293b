"""How often a loop runs: counters with constant start and step, conditions on them, and what follows from them.

Where a condition compares a counter with a number, the number of rounds is a formula. Any other (`2 * i < n`,
`i + 1 <= n`, one on two counters) is tried out, for many rounds at once. What becomes of an integer that its type does
not hold is for the back end to say, so nothing is known from the first round on in which there is one.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from jaxlib.mlir import ir

from gradir.tensor.ir.reading import direction, number_in
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


MOST_TRIED = 1 << 16
"""For how many rounds a condition that is no plain comparison is tried out."""


def count(op: ir.Operation) -> Counter | None:
    """The counter of a loop whose number of rounds is known, if it is one."""
    goes_on = terminator(op.regions[0].blocks[0]).operands[0]
    test = _definition(goes_on)
    if test is None:
        return None
    if test.name == "stablehlo.compare":
        way = direction(test)
        mirrored = {"LT": "GT", "GT": "LT", "LE": "GE", "GE": "LE"}.get(way, way)
        a, b = test.operands
        found = _counter(op, a, way, b) or _counter(op, b, mirrored, a)
        if found is not None:
            return found
    return _tried(op, goes_on)


def _tried(op: ir.Operation, goes_on: ir.Value) -> Counter | None:
    """The counter of a loop whose condition follows from counters and constants, by trying it out."""
    n = 16
    while n <= MOST_TRIED:
        rounds = Rounds(op, n)
        found = rounds.values(goes_on)
        if found is None or not rounds.counters:
            return None
        ends = np.flatnonzero(found == 0)
        if len(ends) or rounds.exact < n:
            trips = int(ends[0]) if len(ends) else n
            if trips >= rounds.exact:
                return None
            lines = ((k, _line(op, k) or (0, 0)) for k in rounds.counters)
            return next((c for k, line in lines if (c := _not_wrapping(op, k, trips, line)) is not None), None)
        n *= 16
    return None


def _not_wrapping(op: ir.Operation, index: int, trips: int, line: tuple[int, int]) -> Counter | None:
    """A carried value as the loop's counter, if it holds all the numbers up to its last."""
    start, step = line
    least, most = limits(op.operands[index].type)
    if not all(least <= number <= most for number in (start, start + step * trips)):
        return None
    return Counter(index, start, step, trips)


def _line(op: ir.Operation, index: int) -> tuple[int, int] | None:
    """Start and step of a carried value that changes by the same in each round."""
    body = op.regions[1].blocks[0]
    advance = _definition(terminator(body).operands[index])
    start = integer(op.operands[index])
    step = _step(advance, body.arguments[index]) if advance is not None and start is not None else None
    return None if start is None or step is None else (start, step)


def _counter(op: ir.Operation, value: ir.Value, direction: str, limited_by: ir.Value) -> Counter | None:
    """The counter of a loop that goes on while `value` is, say, less than `limited_by`."""
    arguments = list(op.regions[0].blocks[0].arguments)
    if value not in arguments:
        return None
    index, limit = arguments.index(value), integer(limited_by)
    line = _line(op, index)
    if limit is None or line is None:
        return None
    trips = _trips(direction, *line, limit)
    return None if trips is None else _not_wrapping(op, index, trips, line)


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
    """A scalar integer that follows from constants alone, also where loops hand it on unchanged."""
    made = _definition(value)
    if made is not None and made.name == "stablehlo.constant":  # as it mostly is
        return _constant(made)
    found = _Constants().values(value)
    return None if found is None else int(found)


def _constant(op: ir.Operation) -> int | None:
    """The integer that a constant holds everywhere, if it is one."""
    found = number_in(op)
    return int(found) if isinstance(found, int) else None


def values_by_round(value: ir.Value, loop: ir.Operation, counter: Counter) -> np.ndarray | None:
    """A scalar integer of the loop's body in each round, where it follows from counters and constants alone."""
    rounds = Rounds(loop, counter.trips)
    found = rounds.values(value)
    return None if found is None or rounds.exact < counter.trips else np.broadcast_to(found, [counter.trips])


class _Constants:
    """Scalar integers that follow from constants."""

    def __init__(self) -> None:
        self._known: dict[ir.Value, np.ndarray | None] = {}

    def held(self, values: np.ndarray, t: ir.RankedTensorType) -> np.ndarray | None:
        """What has been computed, if its type holds it."""
        return values if fits(values, t) else None

    def values(self, value: ir.Value) -> np.ndarray | None:
        if value not in self._known:
            self._known[value] = self._argument(value) if isinstance(value, ir.BlockArgument) else self._computed(value)
        return self._known[value]

    def _argument(self, value: ir.BlockArgument) -> np.ndarray | None:
        """An argument of a loop's block that each round hands on."""
        loop = value.owner.owner.operation
        if loop.name != "stablehlo.while":
            return None
        body, k = loop.regions[1].blocks[0], value.arg_number
        return self.values(loop.operands[k]) if terminator(body).operands[k] == body.arguments[k] else None

    def _computed(self, value: ir.Value) -> np.ndarray | None:
        op, t = value.owner.operation, value.type
        if not isinstance(t, ir.RankedTensorType) or not isinstance(t.element_type, ir.IntegerType):
            return None
        if op.name == "stablehlo.constant":
            return None if (number := _constant(op)) is None else np.array(number)
        compute = _COMPARE[direction(op)] if op.name == "stablehlo.compare" else _INTEGER_OPS.get(op.name)
        is_truth = ir.IntegerType(t.element_type).width == 1
        if compute is None or t.rank or (op.name == "stablehlo.not" and not is_truth):
            return None
        operands = [self.values(v) for v in op.operands]
        known = [x for x in operands if x is not None]
        if len(known) < len(operands):
            return None
        if op.name == "stablehlo.convert" and is_truth:
            return (known[0] != 0).astype(np.int64)
        sizes = [max(abs(int(x.min(initial=0))), abs(int(x.max(initial=0)))) for x in known]
        if op.name in _GROWS and _GROWS[op.name](sizes) >= 2**63:  # which ours would not hold
            return None
        return self.held(np.asarray(compute(*known)).astype(np.int64), t)


class Rounds(_Constants):
    """Scalar integers in each of the first rounds of a loop, one element each; one for all if they don't change."""

    def __init__(self, loop: ir.Operation, n: int) -> None:
        super().__init__()
        self.loop, self.n = loop, n
        self.counters: list[int] = []
        """The positions of the carried values that were asked for and change."""
        self.exact = n
        """The first round in which a type does not hold what was computed."""

    def _argument(self, value: ir.BlockArgument) -> np.ndarray | None:
        known = super()._argument(value)
        k = value.arg_number
        if known is not None or value.owner.owner.operation != self.loop:
            return known
        line = _line(self.loop, k)
        if line is None:
            return None
        self.counters.append(k)
        start, step = line
        if abs(start) + abs(step) * self.n >= 2**63:
            return None
        return self.held(start + step * np.arange(self.n, dtype=np.int64), value.type)

    def held(self, values: np.ndarray, t: ir.RankedTensorType) -> np.ndarray | None:
        if values.ndim == 0:
            return super().held(values, t)
        least, most = limits(t)
        outside = np.flatnonzero((values < least) | (values > most))
        if len(outside):
            self.exact = min(self.exact, int(outside[0]))
        return values


def fits(values: np.ndarray, t: ir.RankedTensorType) -> bool:
    """Whether a type of integers holds these."""
    least, most = limits(t)
    return bool(values.min(initial=0) >= least and values.max(initial=0) <= most)


def limits(t: ir.RankedTensorType) -> tuple[int, int]:
    """The least and the greatest number of a type of integers."""
    e = ir.IntegerType(t.element_type)
    unsigned = e.is_unsigned or e.width == 1
    return (0, 2**e.width - 1) if unsigned else (-(2 ** (e.width - 1)), 2 ** (e.width - 1) - 1)


_GROWS: dict[str, Callable[[Sequence[int]], int]] = {
    "stablehlo.add": sum,
    "stablehlo.subtract": sum,
    "stablehlo.multiply": math.prod,
}
"""How large results can be, by how large operands are."""


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
    "stablehlo.and": np.bitwise_and,
    "stablehlo.or": np.bitwise_or,
    "stablehlo.xor": np.bitwise_xor,
    "stablehlo.not": lambda p: 1 - p,
    "stablehlo.clamp": lambda low, x, high: np.clip(x, low, high),
    "stablehlo.select": lambda p, x, y: np.asarray(np.where(p.astype(bool), x, y)),
    "stablehlo.convert": lambda x: x,
    "stablehlo.reshape": lambda x: x,
}
