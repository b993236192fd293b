"""An array made inside, and NumPy's functions."""

import numpy as np


def local_arrays(x):
    work = np.zeros(x.size)
    for i in range(x.size):
        work[i] = np.sin(x[i]) * x[x.size - 1 - i]
    total = 0.0
    for i in range(1, x.size):
        work[i] += work[i - 1] * x[i]
        total += work[i]
    return total
