"""Loops that are not entered: what would be their count may be anything, and no room is made for it."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import gradir

PROGRAMS = {
    "in a counted loop": "for (int i = 0; i < 3; i++) { BODY }",
    "in a loop that counts on": "int i = 0; while (i < 3 && r < 1e9) { BODY i++; }",
    "in two loops": "for (int h = 0; h < n; h++) for (int i = 0; i < 3; i++) { BODY }",
    "in two loops, the outer one of unknown length": "int h = 0; do { for (int i = 0; i < n + 2; i++) { BODY } } "
    "while (++h < n && r < 1e9);",
    "after a way out": "for (int i = 0; i < n + 2; i++) { if (r > 1e9) break; BODY }",
}
BODY = "if (m < 100) for (long j = 0; j < m; j++) r = sin(x[i] * r + j); r += x[i] * x[i];"


def value(x: np.ndarray, turns: int) -> float:
    r = 0.0
    for i in range(3):
        for j in range(turns):
            r = np.sin(x[i] * r + j)
        r += x[i] * x[i]
    return r


@pytest.mark.parametrize("name", PROGRAMS)
def test_no_room_is_made_for_loops_that_are_not_entered(name: str, tmp_path: Path) -> None:
    source = tmp_path / "skipped.c"
    body = PROGRAMS[name].replace("BODY", BODY)
    source.write_text(
        f"#include <math.h>\ndouble skipped(double *x, int n, long m) {{ double r = 0; {body} return r; }}"
    )
    gradient = gradir.load(source).grad("skipped", wrt=0)
    x, h = np.array([0.5, -0.25, 0.75]), 1e-4
    np.testing.assert_array_equal(gradient(x, 1, 1 << 60), 2 * x)
    expected = [(value(x + h * e, 4) - value(x - h * e, 4)) / (2 * h) for e in np.eye(3)]
    # Differences are off by h² times the third derivative, below 10.
    np.testing.assert_allclose(gradient(x, 1, 4), expected, atol=1e-6)
