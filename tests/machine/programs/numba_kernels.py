"""Kernels as a Numba user writes them."""

from __future__ import annotations

import math

import numpy as np


def pairwise_energy(points, scale):
    """Loops over a two-dimensional array."""
    total = 0.0
    for i in range(points.shape[0]):
        for j in range(i):
            square = 0.1
            for k in range(points.shape[1]):
                d = points[i, k] - points[j, k]
                square += d * d
            total += scale / math.sqrt(square)
    return total


def logistic_map(x, out, rate):
    """Arrays in and out, changed in place, with branches and a while."""
    for i in range(x.size):
        v = x[i]
        steps = 0
        while steps < 6:
            v = rate * v * (1 - v)
            if v < 0.05:
                break
            steps += 1
        out[i] = v + out[i] * x[i]


def local_arrays(x):
    """An array made inside, and NumPy's functions."""
    work = np.zeros(x.size)
    for i in range(x.size):
        work[i] = np.sin(x[i]) * x[x.size - 1 - i]
    total = 0.0
    for i in range(1, x.size):
        work[i] += work[i - 1] * x[i]
        total += work[i]
    return total
