"""Colourings of sparse matrices: which columns a compressed derivative evaluates at once, and where each entry lands.

Columns that share no row may be evaluated together (a distance-2 colouring of the bipartite graph of rows and columns).
A symmetric matrix needs less: a star colouring, where each entry is found either in its own place or in that of its
mirror image. A `Pattern` says where entries may be, and remembers its colourings.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import scipy.sparse as sp

Ints = np.ndarray[Any, np.dtype[np.int64]]


@dataclass(frozen=True)
class Coloring:
    """`of[j]` is the colour of column (or row) j, one of `count`."""

    of: Ints
    count: int


@dataclass(frozen=True)
class Plan:
    """A compressed derivative: seed k is the sum of the unit vectors of colour k, and entry e of the matrix is found in
    `product[k].ravel()` of all products at `place[e]`."""

    coloring: Coloring
    place: Ints


@dataclass(frozen=True, eq=False)
class Pattern:
    """Where a matrix may have entries: sorted by row, then by column.

    >>> p = Pattern.of([[1, 1, 0], [1, 1, 1], [0, 1, 1]])
    >>> p.nnz, p.columns.count, p.star.count
    (7, 3, 2)
    """

    matrix: Any
    """A `scipy.sparse.csr_array` of truth values, with sorted indices."""

    @staticmethod
    def of(matrix: Any) -> Pattern:
        """That of anything SciPy makes a sparse matrix of; entries that are stored count, whatever they are."""
        found = sp.csr_array(matrix)
        if found.ndim != 2:
            raise ValueError(f"a pattern is a matrix, and this has {found.ndim} dimensions")
        found = sp.csr_array((np.ones(found.nnz, np.bool_), found.indices, found.indptr), found.shape)
        found.sum_duplicates()
        return Pattern(found)

    @property
    def shape(self) -> tuple[int, int]:
        return self.matrix.shape

    @property
    def nnz(self) -> int:
        return int(self.matrix.nnz)

    @cached_property
    def rows(self) -> Ints:
        """The row of each entry."""
        return np.repeat(np.arange(self.shape[0]), np.diff(self.matrix.indptr))

    @property
    def cols(self) -> Ints:
        """The column of each entry."""
        return self.matrix.indices.astype(np.int64)

    @property
    def transposed(self) -> Pattern:
        return Pattern.of(self.matrix.T)

    @cached_property
    def columns(self) -> Coloring:
        """Columns of one colour have no row in common."""
        return distance_two(self.matrix)

    @cached_property
    def across(self) -> Coloring:
        """Rows of one colour have no column in common."""
        return distance_two(self.matrix.T.tocsr())

    @cached_property
    def star(self) -> Coloring:
        """Of a symmetric pattern: columns of one colour, when each entry may be read from its mirror image."""
        return star(self.matrix)

    @cached_property
    def by_columns(self) -> Plan:
        """Products of the matrix with a seed for each colour of columns."""
        return Plan(self.columns, self.columns.of[self.cols] * self.shape[0] + self.rows)

    @cached_property
    def by_rows(self) -> Plan:
        """Products of a seed for each colour of rows with the matrix."""
        return Plan(self.across, self.across.of[self.rows] * self.shape[1] + self.cols)

    @cached_property
    def by_star(self) -> Plan:
        """Products of a symmetric matrix with a seed for each colour of a star colouring."""
        n, color = self.shape[0], self.star.of
        rows, cols = self.rows, self.cols
        # Row i tells H[i, j] from the rest of j's colour if no other of its entries has that colour.
        keys = rows * max(self.star.count, 1) + color[cols]
        _, inverse, counts = np.unique(keys, return_inverse=True, return_counts=True)
        here = counts[inverse] == 1
        mirror = sp.csr_array((np.arange(self.nnz), self.matrix.indices, self.matrix.indptr), self.shape).T.tocsr().data
        assert (here | here[mirror]).all(), "a star colouring tells every entry from others"
        place = np.where(here, color[cols] * n + rows, color[rows] * n + cols)
        return Plan(self.star, place)

    def by_mode(self, mode: str) -> tuple[bool, Plan]:
        """Whether products by forward mode are taken, and their plan: as asked for, or ("auto") what costs less."""
        if mode == "auto":
            # A reverse sweep keeps what it needs, and runs twice as far.
            mode = "forward" if self.columns.count <= 2 * self.across.count else "reverse"
        return mode == "forward", self.by_columns if mode == "forward" else self.by_rows

    @property
    def by_half(self) -> Plan:
        """Products of a symmetric matrix with the fewest seeds. (A star colouring does not know of empty diagonals.)"""
        return self.by_star if self.star.count <= self.columns.count else self.by_columns

    @cached_property
    def symmetric(self) -> Pattern:
        """The entries whose mirror images are there, too: all that a symmetric matrix can have."""
        return Pattern.of(self.matrix * self.matrix.T.tocsr())


def distance_two(matrix: Any) -> Coloring:
    """Columns, so that no two of one colour have an entry in one row: greedily, in the better of two orders."""
    n = matrix.shape[1]
    if np.diff(matrix.indptr).max(initial=0) == n:  # a full row: each column has a colour of its own
        return Coloring(np.arange(n), n)
    by_column = matrix.T.tocsr()
    rows = _lists(by_column)
    natural = _distance_two(rows, matrix.shape[0], range(n))
    if natural.count <= np.diff(matrix.indptr).max(initial=0):  # as many as a row has entries: there are none better
        return natural
    largest_first = np.argsort(-np.diff(by_column.indptr), kind="stable").tolist()
    return min(natural, _distance_two(rows, matrix.shape[0], largest_first), key=lambda c: c.count)


def _distance_two(rows: Sequence[Sequence[int]], n_rows: int, order: Iterable[int]) -> Coloring:
    taken = [0] * n_rows  # the colours of a row's entries, as bits
    colors = np.zeros(len(rows), np.int64)
    for j in order:
        forbidden = 0
        for i in rows[j]:
            forbidden |= taken[i]
        bit = ~forbidden & (forbidden + 1)
        for i in rows[j]:
            taken[i] |= bit
        colors[j] = bit.bit_length() - 1
    return Coloring(colors, int(colors.max(initial=-1)) + 1)


def star(matrix: Any) -> Coloring:
    """Vertices of a symmetric pattern's graph, so that neighbours differ and no path of four has only two colours."""
    n = matrix.shape[0]
    adjacent = [[j for j in row if j != i] for i, row in enumerate(_lists(matrix))]
    largest_first = sorted(range(n), key=lambda v: -len(adjacent[v]))
    return min(_star(adjacent, range(n)), _star(adjacent, largest_first), key=lambda c: c.count)


def _star(adjacent: Sequence[Sequence[int]], order: Iterable[int]) -> Coloring:
    """Greedily, in the given order. Sets of colours are bits of an integer.

    A path of four v–w–x–y has two colours if c(v) = c(x) and c(w) = c(y). So v may not have the colour of an x that has
    two neighbours of w's colour (`ends[w]`, where v is at an end), nor, if two neighbours of v have one colour, that of
    any neighbour of theirs (`seen`, where v is inside).
    """
    n = len(adjacent)
    bit_of, seen, ends = [0] * n, [0] * n, [0] * n
    first: list[dict[int, int]] = [{} for _ in range(n)]
    """For each vertex and colour: the first of its neighbours that has it."""
    for v in order:
        forbidden, once, twice = 0, 0, 0
        for w in adjacent[v]:
            bit = bit_of[w]
            twice |= once & bit
            once |= bit
            forbidden |= bit | ends[w]
        if twice:
            for w in adjacent[v]:
                if bit_of[w] & twice:
                    forbidden |= seen[w]
        mine = bit_of[v] = ~forbidden & (forbidden + 1)
        for x in adjacent[v]:
            theirs = bit_of[x]
            if theirs & twice:  # v is now an x with two neighbours of that colour
                ends[x] |= mine
            other = first[x].setdefault(mine, v)
            if other != v and theirs:  # x now has two neighbours of v's colour
                ends[other] |= theirs
                ends[v] |= theirs
            seen[x] |= mine
    colors = np.array([bit.bit_length() - 1 for bit in bit_of], np.int64)
    return Coloring(colors, int(colors.max(initial=-1)) + 1)


def _lists(matrix: Any) -> list[list[int]]:
    """The columns of each row's entries."""
    indices, ends = matrix.indices.tolist(), matrix.indptr.tolist()
    return [indices[a:b] for a, b in itertools.pairwise(ends)]
