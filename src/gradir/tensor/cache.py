"""What a loop keeps for its backward sweep, and what that sweep computes again: a minimum cut by bytes.

Each round of a loop could stack every value that the backward sweep asks for. But most of them follow from a few others
by cheap arithmetic, so the fewest bytes that determine them all are stacked instead. Values that a cheap op makes
may be computed again; what an expensive op (a product, a transcendental function, a nested loop) makes is kept, or
nothing that follows from it is. Among cuts of equal size the one nearest to the uses is taken: it computes least.
"""

from __future__ import annotations

import itertools
from collections import deque
from collections.abc import Callable, Iterable, Sequence

from jaxlib.mlir import ir

from gradir.tensor.expr import size

CHEAP = {
    f"stablehlo.{name}"
    for name in [
        "abs",
        "add",
        "and",
        "broadcast_in_dim",
        "ceil",
        "clamp",
        "compare",
        "complex",
        "concatenate",
        "constant",
        "convert",
        "divide",
        "dynamic_slice",
        "floor",
        "imag",
        "iota",
        "is_finite",
        "maximum",
        "minimum",
        "multiply",
        "negate",
        "not",
        "or",
        "pad",
        "real",
        "reshape",
        "reverse",
        "select",
        "sign",
        "slice",
        "sqrt",
        "rsqrt",
        "subtract",
        "transpose",
        "xor",
    ]
} | {"chlo.conj", "chlo.square", "enzyme.ignore_derivatives"}


def bits(value: ir.Value) -> int:
    """The size of a value; 0 where it is not known."""
    t = value.type
    if not isinstance(t, ir.RankedTensorType) or not t.has_static_shape:
        return 0
    e = t.element_type
    if isinstance(e, ir.ComplexType):
        return size(t.shape) * 2 * e.element_type.width
    return size(t.shape) * (e.width if isinstance(e, (ir.FloatType, ir.IntegerType)) else 64)


def keep(wanted: Sequence[ir.Value], is_local: Callable[[ir.Value], bool]) -> list[ir.Value]:
    """The values to stack so that all of `wanted` can be computed; values that are not local need no stacking."""
    network = Network()
    seen: dict[ir.Value, None] = {}  # in order, so that the same program always has the same derivative
    todo = list(wanted)
    for value in wanted:
        network.link((value, "out"), "sink", None)
    while todo:
        value = todo.pop()
        if value in seen:
            continue
        seen[value] = None
        network.link((value, "in"), (value, "out"), bits(value) + 1)
        op = None if isinstance(value, ir.BlockArgument) else value.owner.operation
        if op is None or op.name not in CHEAP:
            network.link("source", (value, "in"), None)
            continue
        for operand in op.operands:
            if is_local(operand):
                network.link((operand, "out"), (value, "in"), None)
                todo.append(operand)
    before_sink = network.cut_at_sink()
    return [v for v in seen if (v, "in") not in before_sink and (v, "out") in before_sink]


def sources(values: Iterable[ir.Value], stop: set[ir.Value], is_local: Callable[[ir.Value], bool]) -> list[ir.Value]:
    """The values from outside from which `values` are computed, going back no further than `stop`."""
    found: dict[ir.Value, None] = {}
    seen = set(stop)
    todo = list(values)
    while todo:
        value = todo.pop()
        if value in seen:
            continue
        seen.add(value)
        if not is_local(value):
            found[value] = None
        elif not isinstance(value, ir.BlockArgument):
            todo.extend(value.owner.operation.operands)
    return list(found)


class Network:
    """Flow from "source" to "sink" through edges of limited (or, for None, unlimited) capacity."""

    def __init__(self) -> None:
        self.capacity: dict[object, dict[object, float]] = {"source": {}, "sink": {}}

    def link(self, a: object, b: object, capacity: int | None) -> None:
        self.capacity.setdefault(a, {})[b] = float("inf") if capacity is None else capacity
        self.capacity.setdefault(b, {}).setdefault(a, 0)

    def cut_at_sink(self) -> set[object]:
        """Send the greatest flow; gives the nodes from which more could still reach the sink."""
        while self._augment():
            pass
        reached: set[object] = {"sink"}
        todo: list[object] = ["sink"]
        while todo:
            b = todo.pop()
            for a in self.capacity[b]:
                if a not in reached and self.capacity[a][b] > 0:
                    reached.add(a)
                    todo.append(a)
        return reached

    def _augment(self) -> bool:
        """Fill all shortest paths with room on them (a phase of Dinic's algorithm)."""
        level: dict[object, int] = {"source": 0}
        queue: deque[object] = deque(["source"])
        while queue:
            a = queue.popleft()
            for b, room in self.capacity[a].items():
                if room > 0 and b not in level:
                    level[b] = level[a] + 1
                    queue.append(b)
        if "sink" not in level:
            return False
        onwards = {a: [b for b in self.capacity[a] if level.get(b) == level[a] + 1] for a in level}
        path: list[object] = ["source"]
        while path:
            a = path[-1]
            if a == "sink":
                del path[self._fill(path) + 1 :]
                continue
            while onwards[a] and self.capacity[a][onwards[a][-1]] == 0:
                onwards[a].pop()
            if onwards[a]:
                path.append(onwards[a][-1])
            else:  # a dead end
                path.pop()
                if path:
                    onwards[path[-1]].pop()
        return True

    def _fill(self, path: Sequence[object]) -> int:
        """Send what a path has room for; gives the place of the first edge that is full now."""
        edges = list(itertools.pairwise(path))
        room = min(self.capacity[a][b] for a, b in edges)
        assert room < float("inf"), "a value that can't be computed again is always kept"
        for a, b in edges:
            self.capacity[a][b] -= room
            self.capacity[b][a] += room
        return next(k for k, (a, b) in enumerate(edges) if self.capacity[a][b] == 0)
