"""The dimension numbers of products: one reader of `dot_dimension_numbers` for all."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from jaxlib.mlir import ir
from jaxlib.mlir.dialects import stablehlo as hlo

from gradir.tensor.ir.context import remembered

Pair = tuple[tuple[int, ...], tuple[int, ...]]


@dataclass(frozen=True)
class Dims:
    """Which dimensions of two operands are batched, and which are summed over."""

    batch: Pair
    contract: Pair

    @staticmethod
    def of(op: ir.Operation) -> Dims:
        """Those of a `dot_general`."""
        attr = op.attributes["dot_dimension_numbers"]
        found = _dims.get(attr)
        if found is None:
            n = hlo.DotDimensionNumbers(attr)
            batch = pair(n.lhs_batching_dimensions, n.rhs_batching_dimensions)
            found = _dims[attr] = Dims(batch, pair(n.lhs_contracting_dimensions, n.rhs_contracting_dimensions))
        return found

    def swapped(self) -> Dims:
        """Those of the product with its operands exchanged."""
        return Dims((self.batch[1], self.batch[0]), (self.contract[1], self.contract[0]))

    def free(self, side: int, rank: int) -> list[int]:
        return [d for d in range(rank) if d not in self.batch[side] and d not in self.contract[side]]

    def is_square(self, rank: int) -> bool:
        """Whether a value's product with itself adds up the squares of its elements (of `rank` dimensions)."""
        batch, contract = self.batch, self.contract
        return batch[0] == batch[1] and contract[0] == contract[1] and len(batch[0]) + len(contract[0]) == rank


def pair(lhs: Iterable[int], rhs: Iterable[int]) -> Pair:
    return tuple(lhs), tuple(rhs)


_dims: dict[ir.Attribute, Dims] = remembered()
