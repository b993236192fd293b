"""Sparse Jacobians and Hessians of native functions, from sweeps in coloured directions.

A pattern can't be read from machine code as it can from a tensor program: it is given, or found by looking which
derivatives are not zero at the first call's arguments. So each call checks it: a product with a random vector, in one
more lane, must agree with the matrix. Where it does not, a given pattern is refused, and one that was found grows.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import scipy.sparse as sp

from gradir.coloring import Pattern, Plan
from gradir.errors import RequestError
from gradir.machine.jit.arguments import Bound, NDArray
from gradir.native.derivative import Hessian, Jacobian, Seeder, Sweep
from gradir.native.function import NativeFunction, Wrt

Products = Callable[[NDArray], NDArray]
"""Seeds, one in a row -> the products of the matrix (or its transpose) with them, one in a row."""

AT_ONCE = 1 << 22
"""How many numbers of a block of unit vectors are held at a time, while a pattern is found."""


class Compression:
    """A sparse matrix from products with few vectors, and what is known of its pattern."""

    def __init__(self, name: str, pattern: Any, check: bool, symmetric: bool = False) -> None:
        self.name = name
        self.is_given = pattern is not None
        self.check = check
        self.symmetric = symmetric
        self.pattern: Pattern | None = None if pattern is None else self._made(pattern)

    def _made(self, pattern: Any) -> Pattern:
        """With the mirror images of a symmetric matrix's entries."""
        matrix = pattern.matrix if isinstance(pattern, Pattern) else Pattern.of(pattern).matrix
        mirrored = self.symmetric and matrix.shape[0] == matrix.shape[1]
        return Pattern.of(matrix + matrix.T.tocsr() if mirrored else matrix)

    def matrix(
        self, shape: tuple[int, int], choose: Callable[[Pattern], tuple[bool, Plan]], apply: Products, pull: Products
    ) -> Any:
        """The matrix, where `apply` multiplies by it, and `pull` by its transpose."""
        if self.is_given and self.pattern is not None and self.pattern.shape != shape:
            raise RequestError(
                f"{self.name}: the pattern has {self.pattern.shape[0]} rows and {self.pattern.shape[1]} columns, "
                f"and the matrix {shape[0]} and {shape[1]}"
            )
        if self.pattern is None or self.pattern.shape != shape:
            self.pattern = self._made(found_pattern(shape, apply))
        while True:
            found, agrees = self._attempt(self.pattern, choose, apply, pull)
            if agrees:
                return found
            if self.is_given:
                raise RequestError(
                    f"{self.name}: the matrix has entries outside of the given pattern",
                    hint="give a pattern with an entry wherever one may be; or give none, and it is found",
                )
            larger = self._made(self.pattern.matrix + found_pattern(shape, apply).matrix)
            if larger.nnz == self.pattern.nnz:  # there is none: what was seen is rounding
                return found
            self.pattern = larger

    def _attempt(
        self, pattern: Pattern, choose: Callable[[Pattern], tuple[bool, Plan]], apply: Products, pull: Products
    ) -> tuple[Any, bool]:
        """The matrix by this pattern, and whether it agrees with one more product."""
        is_forward, plan = choose(pattern)
        n = pattern.shape[1 if is_forward else 0]
        seeds = np.zeros((plan.coloring.count + 1, n))
        seeds[plan.coloring.of, np.arange(n)] = 1
        random = np.random.default_rng(0).normal(size=n) if self.check else np.zeros(n)
        seeds[-1] = random
        products = (apply if is_forward else pull)(seeds)
        entries = products[:-1].reshape(-1)[plan.place]
        made = sp.csr_array((entries, pattern.matrix.indices, pattern.matrix.indptr), pattern.shape)
        known = made if is_forward else made.T
        # Rounding is relative to the terms; the square root leaves room for what a function cancels inside.
        room = np.sqrt(np.finfo(entries.dtype).eps) * (abs(known) @ np.abs(random))
        differs = np.abs(known @ random - products[-1]) > room
        return made, not (self.check and differs.any() and np.isfinite(products[-1]).all())


def found_pattern(shape: tuple[int, int], apply: Products) -> Pattern:
    """Where products with unit vectors are not zero. What is not a number counts."""
    rows, columns = shape
    block = max(1, AT_ONCE // max(columns, 1))
    parts = []
    for first in range(0, columns, block):
        units = np.eye(min(block, columns - first), columns, first)
        parts.append(sp.csr_array(apply(units) != 0))
    stacked = sp.vstack(parts, format="csr").T if parts else sp.csr_array((rows, columns), dtype=np.bool_)
    return Pattern.of(stacked)


class SparseJacobian(Jacobian):
    """Arguments -> a `scipy.sparse.csr_array`: a row for each element of the outputs, a column for each of `wrt`."""

    kind = "sparse_jacobian"

    def __init__(
        self, function: NativeFunction, wrt: Wrt, outputs: Wrt, fast: bool, mode: str, width: int, compress: Compression
    ) -> None:
        super().__init__(function, wrt, outputs, fast, mode, width)
        self.compress = compress

    def sweeps(self, *values: Any, **named: Any) -> Any:
        bounds = self.function.bind(values, named)
        targets = self.targets(bounds)
        if not targets and not self.function.returns_float:
            raise RequestError(f"{self.function.name} gives no floats", hint=str(self.function.signature))
        returned = int(self.function.returns_float)
        rows, columns = returned + _size(targets, bounds), _size(self.wrt, bounds)
        originals = self.originals(bounds)

        def apply(seeds: NDArray) -> NDArray:
            self.restore(bounds, originals)
            made = np.empty((len(seeds), rows), _dtype([*targets, *self.wrt], bounds))
            for chunk, width, sweep, tangent in self.pushed(bounds, len(seeds), _rows_of(seeds, self.wrt, bounds)):
                here = made[chunk.start : chunk.stop]
                if returned:
                    here[:, 0] = np.reshape(tangent, -1)[: len(chunk)]
                _read(here[:, returned:], {i: sweep.shadows[i] for i in targets}, bounds, width)
            return made

        def pull(seeds: NDArray) -> NDArray:
            self.restore(bounds, originals)
            made = np.empty((len(seeds), columns), _dtype([*targets, *self.wrt], bounds))
            first = seeds[:, 0] if returned else np.zeros(len(seeds))
            seeder = _rows_of(seeds[:, returned:], targets, bounds)
            for chunk, width, sweep, numbers in self.pulled(bounds, len(seeds), seeder, first):
                gradients = {i: numbers[i] if i in numbers else sweep.shadows[i] for i in self.wrt}
                _read(made[chunk.start : chunk.stop], gradients, bounds, width)
            return made

        return self.compress.matrix((rows, columns), self._plan, apply, pull)

    def _plan(self, pattern: Pattern) -> tuple[bool, Plan]:
        return pattern.by_mode(self.mode)


class SparseHessian(Hessian):
    """Arguments -> a symmetric `scipy.sparse.csr_array`: a row and a column for each element of `wrt`."""

    kind = "sparse_hessian"

    def __init__(
        self, function: NativeFunction, wrt: Wrt, outputs: Wrt, fast: bool, width: int, compress: Compression
    ) -> None:
        super().__init__(function, wrt, outputs, fast, width)
        self.compress = compress

    def sweeps(self, *values: Any, **named: Any) -> Any:
        bounds = self.function.bind(values, named)
        n = _size(self.wrt, bounds)
        originals = self.originals(bounds)

        def apply(seeds: NDArray) -> NDArray:
            self.restore(bounds, originals)
            made = np.empty((len(seeds), n), _dtype(self.wrt, bounds))
            for chunk, width, gradients in self.products(bounds, len(seeds), _rows_of(seeds, self.wrt, bounds)):
                _read(made[chunk.start : chunk.stop], gradients, bounds, width)
            return made

        def choose(pattern: Pattern) -> tuple[bool, Plan]:
            return True, pattern.by_half

        return self.compress.matrix((n, n), choose, apply, apply)


def _size(which: Sequence[int], bounds: Sequence[Bound]) -> int:
    return sum(1 if (a := bounds[i].array) is None else a.size for i in which)


def _dtype(which: Sequence[int], bounds: Sequence[Bound]) -> Any:
    arrays = [a.dtype for i in which if (a := bounds[i].array) is not None]
    return np.result_type(*arrays) if arrays else np.dtype(float)


def _rows_of(seeds: NDArray, which: Sequence[int], bounds: Sequence[Bound]) -> Seeder:
    """Seeds that are rows of a matrix, with a column for each element of these arguments."""

    def seed(sweep: Sweep, chunk: range) -> None:
        at = 0
        for i in which:
            array, lanes = bounds[i].array, len(chunk)
            size = 1 if array is None else array.size
            part = seeds[chunk.start : chunk.stop, at : at + size]
            at += size
            if array is None:
                numbers = [*map(float, part[:, 0]), *[0.0] * (sweep.width - lanes)]
                sweep.shadows[i] = numbers[0] if sweep.width == 1 else tuple(numbers)
            elif sweep.width == 1:
                sweep.shadows[i][...] = part[0].reshape(array.shape)
            else:
                sweep.shadows[i][..., :lanes] = np.moveaxis(part.reshape(lanes, *array.shape), 0, -1)

    return seed


def _read(into: NDArray, found: dict[int, Any], bounds: Sequence[Bound], width: int) -> None:
    """The derivatives that a sweep left in its lanes, one lane in a row."""
    at, lanes = 0, len(into)
    for i, value in found.items():
        array = bounds[i].array
        size = 1 if array is None else array.size
        if width == 1:
            into[0, at : at + size] = np.reshape(value, -1)
        elif array is None:
            into[:, at] = np.reshape(value, -1)[:lanes]
        else:
            into[:, at : at + size] = np.moveaxis(value, -1, 0)[:lanes].reshape(lanes, -1)
        at += size
