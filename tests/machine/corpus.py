"""The whole programs in `programs/`, with inputs for each.

An entry function has the name of its file. Its arguments are made by a function of a random generator, one Python
value for each: an array of floats is a pointer to memory that carries derivatives, an array of anything else one that
doesn't; a float is a `double` and an `np.float32` a `float` that do; an int is an `int`, an `np.uint64` a `size_t`.
`Fixed` marks floats that carry no derivative. Numba's functions take the extents of an array after it, and last of all
a place for their status.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from runpy import run_path
from typing import Any

import numpy as np

from gradir import frontends
from gradir.errors import MissingExtra
from gradir.frontends import numba as frontends_numba
from gradir.machine import llvm

__all__ = ["FOLDER", "PROGRAMS", "Fixed", "Program"]

FOLDER = Path(__file__).parent / "programs"

Rng = np.random.Generator


@dataclass(frozen=True)
class Fixed:
    """An array or a number that carries no derivative."""

    value: Any


@dataclass(frozen=True)
class Program:
    """A source, what it returns ("double", "float" or "void"), and how to make its arguments."""

    source: str
    returns: str
    arguments: Callable[[Rng], tuple[Any, ...]]
    signature: str = ""
    """Of a function for Numba."""

    @property
    def name(self) -> str:
        return Path(self.source).stem

    @property
    def path(self) -> Path:
        return FOLDER / self.source

    def to_llvm(self) -> llvm.Module:
        """What the front end makes of it."""
        if self.path.suffix != ".py":
            return frontends.to_llvm(self.path)
        if find_spec("numba") is None:
            raise MissingExtra("numba", "numba")
        from numba import njit

        return frontends_numba.to_llvm(njit(run_path(str(self.path))[self.name]), self.signature)[0]

    def __str__(self) -> str:
        return self.source


def positive(r: Rng, *shape: int) -> np.ndarray:
    return r.uniform(0.5, 1.5, size=shape)


def normal(r: Rng, *shape: int) -> np.ndarray:
    return r.normal(size=shape)


def ints(*values: int) -> np.ndarray:
    return np.array(values, dtype=np.int32)


def definite(r: Rng, n: int) -> np.ndarray:
    """A symmetric matrix far from singular."""
    a = r.normal(size=(n, n))
    return a @ a.T + n * np.eye(n)


def sparse(r: Rng) -> tuple[Any, ...]:
    starts, columns = ints(0, 2, 3, 6, 6, 8), ints(0, 3, 1, 0, 2, 4, 3, 4)
    return 5, starts, columns, normal(r, 8), normal(r, 5), normal(r, 5)


def knots(r: Rng) -> tuple[Any, ...]:
    return np.sort(positive(r, 6)) * 3, normal(r, 6), 6, positive(r, 4) * 2.5, normal(r, 4), 4


def options(r: Rng) -> tuple[Any, ...]:
    return positive(r, 4), positive(r, 4), 0.05, 0.4, 0.7, normal(r, 4), normal(r, 4), 4


def images(r: Rng) -> tuple[Any, ...]:
    return normal(r, 2, 7, 5), normal(r, 2, 2, 3, 3), normal(r, 2, 3, 2), 2, 7, 5, 2, 3, 2


def text(characters: str) -> np.ndarray:
    return np.frombuffer(characters.encode() + b"\0", dtype=np.int8).copy()


def bodies(r: Rng) -> np.ndarray:
    b = r.normal(size=(3, 7))
    b[:, 6] = r.uniform(0.5, 1.5, 3)
    return b


def floats(r: Rng, *shape: int) -> np.ndarray:
    return r.uniform(0.5, 1.5, size=shape).astype(np.float32)


PROGRAMS = [
    # Control flow
    Program("branches.c", "double", lambda r: (np.array([1.7, 0.4, -0.3, -1.6, 0.9, -0.8, 2.2, 0.3, -2.0]), 9)),
    Program("power_loop.c", "double", lambda r: (0.9, 7)),
    Program("data_dependent.c", "double", lambda r: (1.3, 0.7)),
    Program("stack_machine.c", "double", lambda r: (ints(0, 1, 3, 5, 4, 2, 0, 6, 3, 1, 2, 5, 3), 13, 0.8, 1.2)),
    Program("goto_machine.c", "double", lambda r: (np.array([0.5, 1.1, -1.2, 0.7, -0.9, 2.0, 0.3]), 7)),
    Program("duff.c", "double", lambda r: (positive(r, 11), 11)),
    Program("jump_into_loop.c", "double", lambda r: (np.array([-0.7, 1.2, -0.4, 0.9, 1.5, -0.8, 0.6, 1.1]), 8, 1.3)),
    Program("ping_pong.c", "double", lambda r: (np.array([0.9, 1.4, -0.3, 0.8, -2.1, 1.2, 0.7, -1.6, 0.5]), 9, 1.7)),
    Program("coroutine.c", "double", lambda r: (np.array([0.4, 0.9, -0.6, 1.3, 0.7, -0.2]), 6)),
    Program("early_return.c", "double", lambda r: (np.array([0.5, 1.5, -1.0, 2.0, 0.7, 2.8, 1.0]), 7, 3.0)),
    Program("while_break.c", "double", lambda r: (1.5, 0.9)),
    Program("loop_shapes.c", "double", lambda r: (positive(r, 9), 9)),
    Program("event_detection.c", "double", lambda r: (1.3, 0.8, 9.81)),
    # Memory
    Program("stack_array.c", "double", lambda r: (positive(r, 8),)),
    Program("heap_matrix.c", "double", lambda r: (normal(r, 4, 4), normal(r, 4, 4), 4)),
    Program("struct_value.c", "double", lambda r: (normal(r, 6),)),
    Program("struct_nested.c", "double", lambda r: (normal(r, 12), 6)),
    Program("pointer_struct.c", "double", lambda r: (positive(r, 12), 4, 3)),
    Program("union_bits.c", "double", lambda r: (normal(r, 9), 9)),
    Program("mem_functions.c", "double", lambda r: (normal(r, 8), 8)),
    Program("globals.c", "double", lambda r: (normal(r, 8), 8)),
    Program("in_and_out.c", "void", lambda r: (normal(r, 7), 7)),
    Program("growing_array.c", "double", lambda r: (positive(r, 5), 5)),
    Program("linked_list.c", "double", lambda r: (normal(r, 6), 6)),
    Program("binary_tree.c", "double", lambda r: (normal(r, 8), 8)),
    Program("ring_buffer.c", "void", lambda r: (normal(r, 9), normal(r, 5) * 0.3, normal(r, 9), 9)),
    Program("gather.c", "double", lambda r: (positive(r, 6), ints(3, 1, 5, 0, 2, 4), 6)),
    Program("simd_vectors.c", "double", lambda r: (normal(r, 12), normal(r, 12), 12)),
    Program("logging.c", "double", lambda r: (normal(r, 6), 6, 0)),
    # Calls
    Program("calls.c", "double", lambda r: (normal(r, 5), 5)),
    Program("recursion.c", "double", lambda r: (normal(r, 9), 9, 0.7)),
    Program("kept_by_calls.c", "double", lambda r: (r.uniform(0.2, 0.5, size=7), 7)),
    Program("mutual_recursion.c", "void", lambda r: (positive(r, 7), 7)),
    Program("function_pointers.c", "double", lambda r: (ints(1, 0, 2, 2, 1, 0), positive(r, 6), 6)),
    Program("struct_callbacks.c", "double", lambda r: (normal(r, 8), ints(0, 1, 1, 0), 4)),
    # Algorithms
    Program("sorting_network.c", "void", lambda r: (normal(r, 8),)),
    Program("insertion_sort.c", "double", lambda r: (normal(r, 9), 9)),
    Program("prefix_sum.c", "void", lambda r: (positive(r, 16), 16)),
    Program("fft.c", "void", lambda r: (normal(r, 8, 2), 8)),
    Program("lookup_table.c", "double", lambda r: (np.array([0.3, 1.1, 0.85, 2.3, -0.4]), 5)),
    Program("parser.c", "double", lambda r: (text("12.5, -3 0.75,42 -1.125"), positive(r, 3), 3)),
    Program("active_parser.c", "double", lambda r: (np.array([1.1, 2.2, 11, 3.3, 4.4, 12, 5.5, 6.6, -1]), 10.5)),
    Program("edit_distance.c", "double", lambda r: (ints(1, 2, 3, 4, 5), 5, ints(2, 3, 7, 5), 4, positive(r, 3))),
    Program("time_warping.c", "double", lambda r: (normal(r, 5), 5, normal(r, 4), 4, 0.6)),
    Program("monte_carlo.c", "double", lambda r: (1.1, 1.0, 0.05, 0.3, 40)),
    # Linear algebra
    Program("cholesky.c", "void", lambda r: (definite(r, 4), 4)),
    Program("lu_solve.c", "void", lambda r: (normal(r, 4, 4), normal(r, 4), 4)),
    Program("sparse_product.c", "void", sparse),
    Program("gram_schmidt.c", "void", lambda r: (normal(r, 3, 4), 3)),
    Program("matrix_exponential.c", "void", lambda r: (normal(r, 3, 3), normal(r, 3, 3), 3)),
    Program("power_iteration.c", "double", lambda r: (positive(r, 4, 4), 4)),
    Program("conjugate_gradient.c", "void", lambda r: (definite(r, 4), normal(r, 4), normal(r, 4), 4)),
    # Science
    Program("euler_ode.c", "void", lambda r: (positive(r, 2), positive(r, 4), 0.05, 12)),
    Program("runge_kutta.c", "double", lambda r: (normal(r, 2), 0.2, 0.5, 8)),
    Program("adaptive_ode.c", "double", lambda r: (0.8, 1.1, 1.7)),
    Program("heat_stencil.c", "double", lambda r: (positive(r, 8), 0.1, 8, 5)),
    Program("newton_root.c", "double", lambda r: (1.7, 3.2)),
    Program("bisection.c", "double", lambda r: (0.8, 3.1)),
    Program(
        "spline.c",
        "void",
        lambda r: (np.sort(positive(r, 6)) * 3, normal(r, 6), 6, positive(r, 4) * 2.5, normal(r, 4), 4),
    ),
    Program("quaternion.c", "void", lambda r: (normal(r, 4), normal(r, 5, 3), 5)),
    Program("n_body.c", "double", lambda r: (bodies(r), 3, 0.05, 4)),
    Program("kepler.c", "void", lambda r: (positive(r, 4), normal(r, 4, 2), 4, 0.3, 2.5)),
    Program("image_blur.c", "void", lambda r: (normal(r, 5, 6), 5, 6, positive(r, 3), 1, normal(r, 5, 6))),
    Program("rnn.c", "double", lambda r: (normal(r, 4, 4), normal(r, 7), 4, 6)),
    Program("log_sum_exp.c", "double", lambda r: (normal(r, 7), 7)),
    Program("hidden_markov.c", "double", lambda r: (normal(r, 3, 3), normal(r, 3, 4), ints(0, 2, 1, 3, 3, 0), 3, 4, 6)),
    Program(
        "black_scholes.c",
        "void",
        options,
    ),
    Program("special_functions.c", "double", lambda r: (1.3, 0.8)),
    Program(
        "convolution.c",
        "void",
        images,
    ),
    # Precisions and complex numbers
    Program("mixed_precision.c", "double", lambda r: (floats(r, 5), positive(r, 5), floats(r, 5), 5)),
    Program("float_logistic.c", "float", lambda r: (floats(r, 4), floats(r, 6, 3), ints(0, 1, 1, 0, 1, 0), 6, 3)),
    Program("half_precision.c", "float", lambda r: (floats(r, 6), floats(r, 6), 6)),
    Program("complex_numbers.c", "double", lambda r: (0.3, 0.4, 0.7, -0.2)),
    # C++
    Program("vector_growth.cpp", "double", lambda r: (normal(r, 7), 7)),
    Program("virtual_shapes.cpp", "double", lambda r: (ints(1, 0, 0, 1, 0), positive(r, 5), 5)),
    Program("templates.cpp", "double", lambda r: (normal(r, 6),)),
    Program("lambdas.cpp", "double", lambda r: (1.3, 0.7, 6)),
    Program("standard_algorithms.cpp", "double", lambda r: (normal(r, 6),)),
    Program("expression_class.cpp", "double", lambda r: (normal(r, 5), 5)),
    Program("pointer_tree.cpp", "double", lambda r: (positive(r, 7), 7)),
    Program("exceptions.cpp", "double", lambda r: (normal(r, 5), 5)),
    Program("std_heap.cpp", "double", lambda r: (normal(r, 7), 7)),
    Program("std_complex.cpp", "void", lambda r: (np.array([0.9, 0.7, 0.4]), 3)),
    # Fortran
    Program("daxpy_loops.f90", "void", lambda r: (7, 0.8, positive(r, 7), positive(r, 7))),
    Program("allocated_work.f90", "double", lambda r: (5, normal(r, 5))),
    Program("complex_poly.f90", "void", lambda r: (3, normal(r, 3, 2), normal(r, 2))),
    Program("module_state.f90", "double", lambda r: (0.9, 1.4, 9)),
    Program("jacobi_grid.f90", "void", lambda r: (5, normal(r, 5, 5), normal(r, 5, 5), 3)),
    # Rust
    Program("slices.rs", "double", lambda r: (normal(r, 7), normal(r, 7), np.uint64(7))),
    Program("enums.rs", "double", lambda r: (ints(0, 1, 2, 1, 0, 2), positive(r, 6), np.uint64(6))),
    Program("vectors.rs", "double", lambda r: (normal(r, 5), np.uint64(5))),
    Program("traits.rs", "double", lambda r: (normal(r, 4), 0.6)),
    # Numba
    Program(
        "pairwise_energy.py",
        "double",
        lambda r: (normal(r, 4, 3), np.uint64(4), np.uint64(3), 0.7, ints(0)),
        "float64(float64[:,::1], float64)",
    ),
    Program(
        "logistic_map.py",
        "void",
        lambda r: (r.uniform(0.1, 0.9, 5), np.uint64(5), normal(r, 5), np.uint64(5), 3.3, ints(0)),
        "void(float64[::1], float64[::1], float64)",
    ),
    Program("local_arrays.py", "double", lambda r: (normal(r, 6), np.uint64(6), ints(0)), "float64(float64[::1])"),
]
