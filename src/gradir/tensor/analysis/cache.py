"""What a loop keeps for its backward sweep, and what that computes again: a minimum cut over bytes and operations.

Each round of a loop could stack every value that the backward sweep asks for. But most of them follow from a few others
by some arithmetic. So a set of values is stacked that determines them all, such that its bytes, and the operations by
which the others are computed again, cost least together: an operation is worth `BITS_FOR_A_FLOP`. A product of large
matrices is then kept, a sine of something that is kept anyway is not. What can't be computed again (a nested loop, a
reduction, random numbers) is kept, or nothing that follows from it is. Among cuts of equal cost the one nearest to the
uses is taken.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from jaxlib.mlir import ir

from gradir.network import Network
from gradir.tensor.analysis.cost import cost
from gradir.tensor.analysis.cost import size as elements
from gradir.tensor.ir.expr import size

BITS_FOR_A_FLOP = 2
"""So that an elementwise function of 32 bits (8 to 12 operations) is computed again where its operand is at hand, which
takes a CPU about as long as to write and read it; and a product only if less than 8 terms are added up."""

REPEATABLE = {
    f"stablehlo.{name}"
    for name in [
        "abs",
        "add",
        "and",
        "atan2",
        "broadcast_in_dim",
        "cbrt",
        "ceil",
        "clamp",
        "compare",
        "complex",
        "concatenate",
        "constant",
        "convert",
        "cosine",
        "divide",
        "dot_general",
        "dynamic_slice",
        "exponential",
        "exponential_minus_one",
        "floor",
        "imag",
        "iota",
        "is_finite",
        "log",
        "log_plus_one",
        "logistic",
        "maximum",
        "minimum",
        "multiply",
        "negate",
        "not",
        "or",
        "pad",
        "power",
        "real",
        "remainder",
        "reshape",
        "reverse",
        "select",
        "rsqrt",
        "sign",
        "sine",
        "slice",
        "sqrt",
        "subtract",
        "tan",
        "tanh",
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


def nbytes(value: ir.Value) -> int:
    """The size of a value in bytes, begun ones counted whole."""
    return -(-bits(value) // 8)


def price(op: ir.Operation) -> int | None:
    """What it costs to compute an op's results again, in bits; None where that can't be.

    Wider numbers take longer in proportion, narrower ones as long as 32 bits.
    """
    if op.name not in REPEATABLE:
        return None
    width = max(32, *(bits(v) // max(elements(v.type)[0], 1) for v in (*op.operands, *op.results)))
    return round(BITS_FOR_A_FLOP * cost(op).flops * width / 32)


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
        again = None if op is None else price(op)
        network.link("source", (value, "in"), again)
        if op is None or again is None:
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
