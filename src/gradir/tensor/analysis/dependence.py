"""Which elements of some variables each element of a value depends on: a label for each element, a set for each label.

Elements that depend on the same variables share a label, so that moving elements is moving labels, and a value that
depends on everything everywhere needs one set. Sets only ever grow: one that is too large never does harm.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import scipy.sparse as sp

from gradir.tensor.analysis.movement import Labels

MOST = 50_000_000
"""How many elements the sets of one value may have together; beyond, the value depends on all of them everywhere."""


@dataclass(frozen=True, eq=False)
class Dependence:
    """`labels` has the value's shape. Row k of `sets` holds the variables of label k; those of label 0 are none."""

    labels: Labels
    sets: Any

    @staticmethod
    def on(first: int, shape: Sequence[int], variables: int) -> Dependence:
        """Each element on a variable of its own, from number `first` on."""
        n = math.prod(shape)
        sets = sp.csr_array(
            (np.ones(n, np.bool_), np.arange(first, first + n), np.arange(-1, n + 1).clip(0)), (n + 1, variables)
        )
        return Dependence(np.arange(1, n + 1).reshape(shape), sets)

    @property
    def size(self) -> int:
        """How many pairs of an element and a variable there are."""
        return int(np.diff(self.sets.indptr)[self.labels].sum())

    def moved(self, labels: Labels) -> Dependence:
        return Dependence(labels, self.sets)

    def where(self, kept: Labels) -> Dependence:
        """Without the elements that are not kept."""
        return self.moved(np.where(kept, self.labels, 0))

    def everything(self, shape: Sequence[int]) -> Dependence:
        """A value each of whose elements depends on all that any element of this one does."""
        return self.merged(np.zeros(self.labels.size, np.int64), 1).spread(shape)

    def spread(self, shape: Sequence[int]) -> Dependence:
        """One element's dependence, everywhere."""
        return self.moved(np.broadcast_to(self.labels.reshape(()), shape))

    def merged(self, groups: Labels, count: int) -> Dependence:
        """One element for each of `count` groups: it depends on what the elements of its group do."""
        return self.mixed(groups, self.labels.ravel(), count)

    def mixed(self, groups: Labels, labels: Labels, count: int) -> Dependence:
        """One element for each of `count` groups, by pairs of a group and a label that goes into it."""
        used = labels > 0
        choice = sp.csr_array(
            (np.ones(int(used.sum()), np.bool_), (groups[used], labels[used])), (count, self.sets.shape[0])
        )
        choice.sum_duplicates()
        first, inverse = _distinct(choice)
        return _bounded(inverse + 1, _below_none(choice[first] @ self.sets))

    def over(self, dims: Sequence[int]) -> Dependence:
        """Elements along these dimensions together; the dimensions go."""
        shape = self.labels.shape
        kept = [d for d in range(len(shape)) if d not in set(dims)]
        left = [shape[d] for d in kept]
        groups = np.zeros(shape, np.int64)
        if kept:
            numbers = np.arange(math.prod(left)).reshape([n if d in kept else 1 for d, n in enumerate(shape)])
            groups = np.broadcast_to(numbers, shape)
        made = self.merged(groups.ravel(), math.prod(left))
        return made.moved(made.labels.reshape(left))

    def along(self, dims: Sequence[int]) -> Dependence:
        """Elements along these dimensions together; the dimensions stay."""
        shape = self.labels.shape
        made = self.over(dims)
        kept = [1 if d in set(dims) else n for d, n in enumerate(shape)]
        return made.moved(np.broadcast_to(made.labels.reshape(kept), shape))


def union(a: Dependence | None, b: Dependence | None) -> Dependence | None:
    """Of two values of one shape, element by element."""
    if a is None or b is None:
        return b if a is None else a
    if a.sets is b.sets and np.array_equal(a.labels, b.labels):
        return a
    keys = a.labels.ravel().astype(np.int64) * b.sets.shape[0] + b.labels.ravel()
    pairs, inverse = np.unique(keys, return_inverse=True)
    sets = a.sets[pairs // b.sets.shape[0]] + b.sets[pairs % b.sets.shape[0]]
    made = _bounded(inverse + 1, _below_none(sets))
    return made.moved(made.labels.reshape(a.labels.shape))


def together(parts: Sequence[Dependence]) -> tuple[list[Labels], Any]:
    """The labels of several values, and one table of sets for them all."""
    if all(p.sets is parts[0].sets for p in parts):
        return [p.labels for p in parts], parts[0].sets
    firsts = np.cumsum([0, *(p.sets.shape[0] - 1 for p in parts[:-1])])
    labels = [np.where(p.labels > 0, p.labels + first, 0) for p, first in zip(parts, firsts, strict=True)]
    return labels, sp.vstack([parts[0].sets, *(p.sets[1:] for p in parts[1:])], format="csr")


def _below_none(sets: Any) -> Any:
    """With the empty set as a first row."""
    return sp.csr_array(
        (sets.data, sets.indices, np.concatenate([[0], sets.indptr])), (sets.shape[0] + 1, sets.shape[1])
    )


def _bounded(labels: Labels, sets: Any) -> Dependence:
    """With equal sets as one where there are many, and all as one where there are too many."""
    if sets.nnz < MOST // 50:
        return Dependence(labels, sets)
    first, inverse = _distinct(sets)
    labels, sets = inverse[labels], sets[first]
    empty = int(inverse[0])
    if empty:  # the empty set comes first
        order = np.concatenate([[empty], np.delete(np.arange(len(first)), empty)])
        sets, labels = sets[order], np.argsort(order)[labels]
    if sets.nnz < MOST:
        return Dependence(labels, sets)
    merged = sp.csr_array(sets.sum(axis=0, dtype=np.int64).reshape(1, -1) > 0)
    return Dependence((labels > 0).astype(np.int64), _below_none(merged))


def _distinct(rows: Any) -> tuple[Labels, Labels]:
    """The first of each group of equal rows, and the group of each row."""
    rows.sort_indices()
    weights = np.random.default_rng(0).integers(1, 2**63, rows.shape[1], dtype=np.uint64)
    keys = sp.csr_array((np.ones(rows.nnz, np.uint64), rows.indices, rows.indptr), rows.shape) @ weights
    _, first, inverse = np.unique(keys, return_index=True, return_inverse=True)
    lengths = np.diff(rows.indptr)
    again = rows[first[inverse]] if len(first) < rows.shape[0] else rows
    if np.array_equal(np.diff(again.indptr), lengths) and np.array_equal(again.indices, rows.indices):
        return first, inverse
    return np.arange(rows.shape[0]), np.arange(rows.shape[0])  # two sets with one sum
