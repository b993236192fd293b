"""What an op costs: floating-point operations, bytes moved, launches, and the time that these take on a device.

The figures are estimates for choosing between two forms of a program, never promises. Compilers fuse elementwise ops,
so one such op is charged for a part of its traffic only; what can't be fused (products, sorts, loops) pays in full.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from jaxlib.mlir import ir
from jaxlib.mlir.dialects import stablehlo as hlo

from gradir.tensor.analysis.counting import count
from gradir.tensor.ir.context import remembered
from gradir.tensor.ir.dot import Dims

__all__ = ["CPU", "GPU", "Cost", "Device", "cost", "cost_of", "total"]


@dataclass(frozen=True)
class Cost:
    """A sum of work.

    >>> Cost(10, 8, 1) + Cost(5, 4, 1)
    Cost(flops=15, bytes=12, launches=2)
    """

    flops: float = 0
    bytes: float = 0
    launches: float = 0

    def __add__(self, other: Cost) -> Cost:
        return Cost(self.flops + other.flops, self.bytes + other.bytes, self.launches + other.launches)

    def __sub__(self, other: Cost) -> Cost:
        return Cost(self.flops - other.flops, self.bytes - other.bytes, self.launches - other.launches)

    def times(self, n: float) -> Cost:
        return Cost(n * self.flops, n * self.bytes, n * self.launches)

    def on(self, device: Device) -> float:
        """Nanoseconds."""
        return self.flops / device.flops + self.bytes / device.bytes + self.launches * device.launch


@dataclass(frozen=True)
class Device:
    """Rates by the nanosecond, and what it takes to start an op."""

    name: str
    flops: float
    bytes: float
    launch: float


CPU = Device("cpu", flops=20, bytes=10, launch=30)
GPU = Device("gpu", flops=20_000, bytes=2_000, launch=2_000)

FREE = frozenset(
    f"stablehlo.{n}" for n in ("constant", "iota", "return", "reshape", "tuple", "get_tuple_element", "bitcast_convert")
) | {"func.return", "func.func"}
FUSED_SHAPES = frozenset(f"stablehlo.{n}" for n in ("broadcast_in_dim", "slice", "reverse", "convert"))
COPIES = frozenset(
    f"stablehlo.{n}" for n in ("transpose", "concatenate", "pad", "gather", "dynamic_slice", "dynamic_update_slice")
)
SLOW = {
    "exponential": 8, "log": 8, "sine": 12, "cosine": 12, "tan": 15, "tanh": 10, "logistic": 12, "power": 30,
    "exponential_minus_one": 10, "log_plus_one": 10, "sqrt": 4, "rsqrt": 4, "cbrt": 12, "divide": 4, "atan2": 20,
    "remainder": 6,
}  # fmt: skip
_weights = {f"stablehlo.{name}": w for name, w in SLOW.items()}
FUSED = 0.25
"""The share of an elementwise op's traffic that reaches memory."""

_sizes: dict[ir.Type, tuple[int, int]] = remembered()


def size(t: ir.Type) -> tuple[int, int]:
    """How many elements a tensor has, and how many bytes."""
    found = _sizes.get(t)
    if found is None:
        found = _sizes[t] = _size(t)
    return found


def _size(t: ir.Type) -> tuple[int, int]:
    if not isinstance(t, ir.RankedTensorType):
        return 0, 0
    n = 1
    for d in range(t.rank):
        n *= 100 if t.is_dynamic_dim(d) else t.shape[d]
    e = t.element_type
    if isinstance(e, ir.ComplexType):
        return n, 2 * n * _width(e.element_type)
    return n, n * _width(e)


def _width(e: ir.Type) -> int:
    return max(1, getattr(e, "width", 32) // 8)


def cost(op: ir.Operation) -> Cost:
    """What one run of an op costs, with what its regions do."""
    name = op.name
    if name in FREE:
        return Cost()
    if name == "stablehlo.while":
        counter = count(op)
        rounds = counter.trips if counter is not None else 10
        inside = total(o.operation for r in op.regions for b in r.blocks for o in b.operations)
        return (inside + Cost(launches=2)).times(rounds)
    if name in ("stablehlo.if", "stablehlo.case"):
        parts = [total(o.operation for b in r.blocks for o in b.operations) for r in op.regions]
        return max(parts, key=lambda c: c.on(CPU), default=Cost()) + Cost(launches=1)
    return cost_of(name, [v.type for v in op.operands], [r.type for r in op.results], op)


def cost_of(name: str, ins: list[ir.Type], outs: list[ir.Type], op: ir.Operation | None = None) -> Cost:
    """What an op of this name costs on these types. (A product's contraction is read off the types.)"""
    if name in FREE:
        return Cost()
    n_out = b_out = b_in = n_in = 0
    for t in outs:
        n, b = size(t)
        n_out, b_out = n_out + n, b_out + b
    for t in ins:
        n, b = size(t)
        n_in, b_in = n_in + n, b_in + b
    if name in ("stablehlo.dot_general", "stablehlo.convolution"):
        return Cost(2 * n_out * _contracted(op, ins), b_in + b_out, 1)
    if name in COPIES:
        moved = 2 * b_out
        if name == "stablehlo.dynamic_update_slice":  # in place
            moved = 2 * size(ins[1])[1]
        per = 4 if name == "stablehlo.gather" else 0
        return Cost(per * n_out, moved, 1)
    if name == "stablehlo.scatter":
        return Cost(20 * size(ins[-1])[0], b_in + b_out, 1)
    if name == "stablehlo.reduce":
        return Cost(n_in, b_in * (1 + FUSED) / 2 + b_out, 1)
    if name in ("stablehlo.reduce_window", "stablehlo.select_and_scatter", "stablehlo.sort"):
        return Cost(20 * n_in, b_in + b_out, 1)
    if name in FUSED_SHAPES:
        return Cost(0, FUSED * b_out, 0.1)
    if name.startswith("stablehlo."):
        return Cost(n_out * _weights.get(name, 1), FUSED * (b_in + b_out), 0.2)
    return Cost(n_out * 50 if name.startswith("chlo.") else n_out, b_in + b_out, 1)


def _contracted(op: ir.Operation | None, ins: list[ir.Type]) -> int:
    """How many products are added up for one element of the result."""
    lhs, rhs = ins
    assert isinstance(lhs, ir.RankedTensorType) and isinstance(rhs, ir.RankedTensorType)
    if op is None:
        return 1
    if op.name == "stablehlo.convolution":
        return max(
            1,
            size(rhs)[0]
            // max(
                1,
                rhs.shape[hlo.ConvDimensionNumbers(op.attributes["dimension_numbers"]).kernel_output_feature_dimension],
            ),
        )
    n = 1
    for d in Dims.of(op).contract[0]:
        n *= lhs.shape[d]
    return n


def total(ops: Iterable[ir.Operation]) -> Cost:
    flops = moved = launches = 0.0
    for op in ops:
        c = cost(op)
        flops, moved, launches = flops + c.flops, moved + c.bytes, launches + c.launches
    return Cost(flops, moved, launches)
