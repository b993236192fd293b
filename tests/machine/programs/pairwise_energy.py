"""Loops over a two-dimensional array."""

import math


def pairwise_energy(points, scale):
    total = 0.0
    for i in range(points.shape[0]):
        for j in range(i):
            square = 0.1
            for k in range(points.shape[1]):
                d = points[i, k] - points[j, k]
                square += d * d
            total += scale / math.sqrt(square)
    return total
