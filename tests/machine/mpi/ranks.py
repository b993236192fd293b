"""Run by mpiexec: compares derivatives in a shared library to central differences, over all processes.

    mpiexec -n 3 python ranks.py mpich kernels.so ring halo ...

A function is `double f(const double *x, int n)`, called by all processes; its gradient is that of the sum of what they
return. Where the library has `alone_f`, which computes that sum in one process, the gradient must be that of it.
Prints a line for each function that is right, and says what is wrong.
"""

from __future__ import annotations

import ctypes
import sys

import numpy as np

N, STEP = 4, 1e-5
# Central differences with this step are good to about 1e-10 of the values, which are of order 1 to 1000.
TOLERANCE = {"rtol": 1e-6, "atol": 1e-6}


def library_named(name: str) -> ctypes.CDLL:
    return ctypes.CDLL(name, mode=ctypes.RTLD_GLOBAL)


if sys.argv[1] == "mpich":
    mpi, fortran = library_named("libmpich.so.12"), library_named("libmpichfort.so.12")
    WORLD, DOUBLE, SUM = 0x44000000, 0x4C00080B, 0x58000003
else:
    mpi = library_named("libmpi.so.40")
    objects = [ctypes.c_char.in_dll(mpi, f"ompi_mpi_{name}") for name in ("comm_world", "double", "op_sum")]
    WORLD, DOUBLE, SUM = [ctypes.c_void_p(ctypes.addressof(o)) for o in objects]
_pointer = np.ctypeslib.ndpointer(dtype=np.float64, flags="C")


def total(value: float) -> float:
    """The sum over all processes."""
    one, result = np.array([value], dtype=float), np.empty(1)
    pointers = [ctypes.c_void_p(a.ctypes.data) for a in (one, result)]
    mpi.MPI_Allreduce(*pointers, 1, DOUBLE, SUM, WORLD)
    return float(result[0])


def number(call: str) -> int:
    held = ctypes.c_int()
    getattr(mpi, call)(WORLD, ctypes.byref(held))
    return held.value


def declared(library: ctypes.CDLL, name: str, result: object, *arguments: object) -> object:
    function = getattr(library, name)
    function.restype, function.argtypes = result, arguments
    return function


def slope(f: object, x: np.ndarray, direction: np.ndarray) -> float:
    """The derivative of the sum over all processes along a direction of all that they are given."""
    ends = [total(f(x + step * direction, N)) for step in (STEP, -STEP)]
    return (ends[0] - ends[1]) / (2 * STEP)


def own(rank: int) -> list[np.ndarray]:
    """What a process is given: x, and directions."""
    return list(np.random.default_rng(rank).uniform(0.5, 1.5, (3, N)))


def gradient_alone(library: ctypes.CDLL, name: str, size: int) -> np.ndarray:
    """The gradient of the program for one process, by what all processes have."""
    x = np.concatenate([own(rank)[0] for rank in range(size)])
    found = np.zeros(x.size)
    declared(library, f"grad_alone_{name}", None, _pointer, _pointer, ctypes.c_int, ctypes.c_int)(x, found, N, size)
    return found.reshape(size, N)


def check(library: ctypes.CDLL, name: str, rank: int, size: int) -> str:
    """What is wrong with the derivatives of a function; nothing if they are right."""
    f = declared(library, name, ctypes.c_double, _pointer, ctypes.c_int)
    gradient = declared(library, f"grad_{name}", None, _pointer, _pointer, ctypes.c_int)
    forward = declared(library, f"jvp_{name}", ctypes.c_double, _pointer, _pointer, ctypes.c_int, _pointer)
    x, *directions = own(rank)
    for direction in directions:  # twice: what is left from one call to the next must not matter
        found, tangent = np.zeros(N), np.zeros(1)
        gradient(x, found, N)
        value = forward(x, direction.copy(), N, tangent)
        slopes = [slope(f, x, direction), total(found @ direction), total(tangent[0])]
        values = [f(x, N), value]
        if total(not (np.allclose(slopes, slopes[0], **TOLERANCE) and np.allclose(values, values[0], rtol=1e-12))):
            return f"slopes {slopes}, values {values}"
        if hasattr(library, f"grad_alone_{name}"):
            expected = gradient_alone(library, name, size)[rank]
            if total(not np.allclose(found, expected, rtol=1e-11, atol=1e-11)):  # sums in another order
                return f"gradient {found}, alone {expected}"
    return ""


def main() -> int:
    mpi.MPI_Init(None, None)
    rank, size, failed = number("MPI_Comm_rank"), number("MPI_Comm_size"), 0
    library = ctypes.CDLL(sys.argv[2])
    for name in sys.argv[3:]:
        wrong = check(library, name, rank, size)
        failed += bool(wrong)
        if wrong or rank == 0:
            print(f"{name}: {wrong or 'right'} in process {rank} of {size}", flush=True)
    mpi.MPI_Finalize()
    return int(failed > 0)


if __name__ == "__main__":
    sys.exit(main())
