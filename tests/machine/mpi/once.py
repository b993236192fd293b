"""Run by mpiexec: calls one derivative of `double f(const double *x, int n)` in a shared library."""

import ctypes
import os
import sys

import numpy as np

mpi = ctypes.CDLL("libmpich.so.12", mode=ctypes.RTLD_GLOBAL)
mpi.MPI_Init(None, None)
library = ctypes.CDLL(sys.argv[1], mode=os.RTLD_LAZY)
x, d, result = np.ones(4), np.ones(4), np.zeros(1)
pointers = [ctypes.c_void_p(a.ctypes.data) for a in (x, d, result)]
arguments = [*pointers[:2], 4] if sys.argv[2].startswith("grad") else [*pointers[:2], 4, pointers[2]]
getattr(library, sys.argv[2])(*arguments)
mpi.MPI_Finalize()
