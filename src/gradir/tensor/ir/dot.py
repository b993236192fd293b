"""The dimension numbers of products: one reader of `dot_dimension_numbers` for all."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import prod

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

    def is_of_matrices(self, x: Sequence[int], y: Sequence[int]) -> bool:
        """Whether this is a product of matrices, of these shapes, and not one with a vector, or a scaling."""
        free = [prod(shape[d] for d in self.free(side, len(shape))) for side, shape in enumerate((x, y))]
        return min(free) > 1 and prod(x[d] for d in self.contract[0]) > 1

    def is_square(self, rank: int) -> bool:
        """Whether a value's product with itself adds up the squares of its elements (of `rank` dimensions)."""
        batch, contract = self.batch, self.contract
        return batch[0] == batch[1] and contract[0] == contract[1] and len(batch[0]) + len(contract[0]) == rank


def is_of_matrices(op: ir.Operation) -> bool:
    """Whether a `dot_general` is a product of matrices."""
    x, y = (v.type.shape for v in op.operands)
    return Dims.of(op).is_of_matrices(x, y)


def in_full(attributes: dict[str, ir.Attribute], dtype: ir.Type) -> dict[str, ir.Attribute]:
    """The attributes of a product of matrices that stands for sums which no back end would round.

    A GPU may round the f32 operands of a product of matrices to ten bits, but not those of sums and of products with
    vectors: what is made of such has to be asked for in full precision.
    """
    given = attributes.get("precision_config")
    plain = given is None or all(hlo.PrecisionAttr(p).value == "DEFAULT" for p in ir.ArrayAttr(given))
    if not plain or "algorithm" in attributes or not isinstance(dtype, ir.F32Type):
        return attributes
    return attributes | {"precision_config": ir.ArrayAttr.get([hlo.PrecisionAttr.get("HIGHEST")] * 2)}


def pair(lhs: Iterable[int], rhs: Iterable[int]) -> Pair:
    return tuple(lhs), tuple(rhs)


_dims: dict[ir.Attribute, Dims] = remembered()
