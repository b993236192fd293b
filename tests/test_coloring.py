"""Compressed matrices give back every entry."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.sparse as sp

from gradir.coloring import Pattern, Plan


def seeds(plan: Plan, n: int) -> np.ndarray:
    made = np.zeros((plan.coloring.count, n))
    made[plan.coloring.of, np.arange(n)] = 1
    return made


@pytest.mark.parametrize("seed", range(40))
def test_every_entry_is_found(seed: int):
    rng = np.random.default_rng(seed)
    m, n = rng.integers(0, 14, 2)
    filled = rng.random((m, n)) < rng.random()
    pattern = Pattern.of(filled)
    matrix = np.where(filled, rng.integers(1, 1000, (m, n)), 0)
    entries = matrix[pattern.rows, pattern.cols]
    by_columns, by_rows = pattern.by_columns, pattern.by_rows
    assert np.array_equal((seeds(by_columns, n) @ matrix.T).ravel()[by_columns.place], entries)
    assert np.array_equal((seeds(by_rows, m) @ matrix).ravel()[by_rows.place], entries)


@pytest.mark.parametrize("seed", range(60))
def test_every_entry_of_a_symmetric_matrix_is_found(seed: int):
    rng = np.random.default_rng(seed)
    n = int(rng.integers(0, 16))
    filled = rng.random((n, n)) < rng.random() ** 2
    filled |= filled.T
    if seed % 2:
        filled |= np.eye(n, dtype=bool)
    pattern = Pattern.of(filled)
    matrix = np.triu(np.where(filled, rng.integers(1, 1000, (n, n)), 0))
    matrix = matrix + np.triu(matrix, 1).T
    plan = pattern.by_star
    assert np.array_equal((seeds(plan, n) @ matrix).ravel()[plan.place], matrix[pattern.rows, pattern.cols])
    assert pattern.by_half.coloring.count == min(plan.coloring.count, pattern.columns.count)


def test_structure_saves_colours():
    n = 1000
    band = sp.diags_array([np.ones(n - 1), np.ones(n), np.ones(n - 1)], offsets=[-1, 0, 1])
    arrow = sp.eye_array(n, format="lil")
    arrow[0, :] = arrow[:, 0] = 1
    assert Pattern.of(band).columns.count == 3
    assert Pattern.of(band).star.count == 3
    assert Pattern.of(arrow).columns.count == n
    assert Pattern.of(arrow).star.count == 2


def test_what_is_stored_counts_and_only_once():
    twice = sp.coo_array(([0.0, 1.0, 2.0], ([0, 1, 1], [1, 0, 0])), (2, 2))
    assert Pattern.of(twice).matrix.toarray().tolist() == [[False, True], [True, False]]
    with pytest.raises(ValueError, match="matrix"):
        Pattern.of(np.ones(3))
