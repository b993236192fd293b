"""Sums of cotangents, put together when they are asked for.

A value that is taken apart by slices gets its cotangent back in pieces. Pieces that lie side by side become one
concatenate; adding them up one padded array after the other would touch every element once for each piece.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from jaxlib.mlir import ir

from gradir.tensor.ir import expr as E
from gradir.tensor.ir.expr import Expr


@dataclass
class Piece:
    """The cotangent `update` of one block of a value, from `start` on: a slice's transpose."""

    type: ir.RankedTensorType
    update: Expr
    start: Sequence[int]

    def add_to(self, accumulated: Expr | None) -> Expr:
        high = [n - a - m for n, a, m in zip(self.type.shape, self.start, self.update.shape, strict=True)]
        padded = E.pad(self.update, 0, self.start, high)
        return padded if accumulated is None else accumulated + padded

    @property
    def dims(self) -> list[int]:
        """The dimensions along which it is not the whole."""
        return [d for d, (n, m) in enumerate(zip(self.type.shape, self.update.shape, strict=True)) if n != m]


@dataclass
class Sum:
    """The cotangent of one value so far."""

    whole: Expr | None = None
    pieces: list[Piece] = field(default_factory=list)

    def total(self) -> Expr | None:
        """One value; the sum itself is that value from now on."""
        pieces, self.pieces = self.pieces, []
        joined = joined_along_one_dimension(pieces)
        if joined is not None:
            self.whole = joined if self.whole is None else self.whole + joined
        else:
            for piece in pieces:
                self.whole = piece.add_to(self.whole)
        return self.whole


def joined_along_one_dimension(pieces: Sequence[Piece]) -> Expr | None:
    """Pieces that lie side by side along one dimension, as one concatenate with zeros in the gaps."""
    if len(pieces) < 2:
        return None
    dims = {d for p in pieces for d in p.dims}
    if len(dims) != 1:
        return None
    (dim,) = dims
    shape, parts, at = pieces[0].type.shape, [], 0

    def gap(n: int) -> Expr:
        return E.full(E.tensor([*shape[:dim], n, *shape[dim + 1 :]], pieces[0].update.dtype), 0)

    for piece in sorted(pieces, key=lambda p: p.start[dim]):
        start = piece.start[dim]
        if start < at:
            return None  # they overlap
        if start > at:
            parts.append(gap(start - at))
        parts.append(piece.update)
        at = start + piece.update.shape[dim]
    if at < shape[dim]:
        parts.append(gap(shape[dim] - at))
    return E.concatenate(parts, dim)
