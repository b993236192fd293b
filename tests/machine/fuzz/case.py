"""Where a generated program is differentiated, and what is right there."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from fuzz.generate import LENGTH

__all__ = ["INPUTS", "OUTPUTS", "WIDTH", "Case", "Truth", "case_of", "lanes"]

INPUTS = 2 * LENGTH + 1
"""x, y and a."""
OUTPUTS = LENGTH + LENGTH + 1
"""What is in x and y afterwards, and what is returned."""

WIDTH = 4
_COMBINATIONS = np.array([[1.0, 0.0], [0.0, 1.0], [1.0, 1.0], [1.0, -2.0]])


@dataclass(frozen=True)
class Case:
    """The inputs, the integers, two directions and two cotangents."""

    input: np.ndarray
    k: np.ndarray
    n: int
    directions: np.ndarray
    cotangents: np.ndarray


@dataclass(frozen=True)
class Truth:
    """The outputs, J v and s J for the directions and cotangents, and the derivative of the first s J along the first
    v."""

    value: np.ndarray
    tangents: np.ndarray
    gradients: np.ndarray
    second: np.ndarray


def case_of(seed: int) -> Case:
    rng = np.random.default_rng(seed)
    return Case(
        rng.uniform(-1, 1, INPUTS),
        rng.integers(0, LENGTH, 4).astype(np.int32),
        int(rng.integers(3, 6)),
        rng.normal(size=(2, INPUTS)),
        rng.normal(size=(2, OUTPUTS)),
    )


def lanes(vectors: np.ndarray, width: int) -> np.ndarray:
    """A vector for each lane, no two alike, made of one or two: what is right for them is made alike."""
    return _COMBINATIONS[:width, : len(vectors)] @ vectors
