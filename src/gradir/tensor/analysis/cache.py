"""What a loop keeps for its backward sweep, and what that sweep computes again: a minimum cut by bytes.

Each round of a loop could stack every value that the backward sweep asks for. But most of them follow from a few others
by cheap arithmetic, so the fewest bytes that determine them all are stacked instead. Values that a cheap op makes
may be computed again; what an expensive op (a product, a transcendental function, a nested loop) makes is kept, or
nothing that follows from it is. Among cuts of equal size the one nearest to the uses is taken: it computes least.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from jaxlib.mlir import ir

from gradir.network import Network
from gradir.tensor.ir.expr import size

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
