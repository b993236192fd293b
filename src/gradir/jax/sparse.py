"""Sparse Jacobians and Hessians: the pattern is found from the program, and coloured columns are evaluated together."""

from __future__ import annotations

import functools
import itertools
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import jax
import numpy as np
import scipy.sparse as sp
from jax.experimental import sparse as jax_sparse

from gradir.coloring import Pattern, Plan
from gradir.errors import RequestError
from gradir.jax.calculus import grad
from gradir.jax.flat import Argnums, Flat, Mode, check_callable, check_forward_input, check_mode, check_output, indices
from gradir.jax.primitive import call
from gradir.jax.program import Program, differentiable
from gradir.jax_internals import jax_core
from gradir.tensor.rules.dependence import dependences

Format = Literal["csr", "bcoo"]


def sparse_jacobian(
    fun: Callable[..., Any],
    argnums: Argnums = 0,
    *,
    mode: Mode = "auto",
    pattern: Any = None,
    format: Format = "csr",
) -> SparseDerivative:
    """The Jacobian as a sparse matrix: rows are the elements of `fun`'s value, columns those of the chosen arguments.

    Pytrees are taken as the vector of all their elements, leaf by leaf. The `pattern` is found from the program, unless
    it is given: as a `Pattern` of an earlier call, or as any matrix that has an entry wherever the Jacobian may have
    one, which is believed. The matrix is a `scipy.sparse.csr_array`, or with `format="bcoo"` a
    `jax.experimental.sparse.BCOO`, which also works inside of `jax.jit`. Forward mode evaluates all columns of one
    colour at once, reverse mode all rows of one colour; "auto" takes what needs fewer sweeps.

    As with `jax.jit`, what is made for a call serves all later ones with arrays of the same shapes: what `fun` closes
    over is taken as it was.

    >>> import jax.numpy as jnp
    >>> slopes = sparse_jacobian(lambda x: x[1:] * x[:-1])
    >>> slopes(jnp.array([1.0, 2.0, 3.0])).toarray().tolist()
    [[2.0, 1.0, 0.0], [0.0, 3.0, 2.0]]
    >>> slopes.pattern(jnp.zeros(1000)).columns.count
    2
    """
    check_mode(mode)
    return SparseDerivative(fun, fun, argnums, pattern, format, lambda pattern: pattern.by_mode(mode))


def sparse_hessian(
    fun: Callable[..., Any], argnums: Argnums = 0, *, pattern: Any = None, format: Format = "csr"
) -> SparseDerivative:
    """The Hessian as a sparse symmetric matrix, by the chosen arguments' elements; otherwise like `sparse_jacobian`.

    A star colouring of the columns needs half of each pair of mirrored entries, so it has fewer colours than a
    Jacobian's. Each is a product with the Hessian, forward mode over the gradient.

    >>> import jax.numpy as jnp
    >>> curvature = sparse_hessian(lambda x: jnp.sum(x[0] * x**2))
    >>> curvature(jnp.array([1.0, 2.0, 3.0])).toarray().tolist()
    [[6.0, 4.0, 6.0], [4.0, 2.0, 0.0], [6.0, 0.0, 2.0]]
    >>> curvature.pattern(jnp.zeros(1000)).star.count
    2
    """
    check_callable(fun)
    return SparseDerivative(fun, grad(fun, argnums), argnums, pattern, format, _hessian_plan)


Planner = Callable[[Pattern], tuple[bool, Plan]]
"""Whether the products are those of forward mode, and how to find the entries in them."""


def _hessian_plan(pattern: Pattern) -> tuple[bool, Plan]:
    return True, pattern.by_half


class SparseDerivative:
    """A function's Jacobian or Hessian as a sparse matrix, with what has been found out about it."""

    def __init__(
        self,
        fun: Callable[..., Any],
        derived: Callable[..., Any],
        argnums: Argnums,
        pattern: Any,
        format: Format,
        planner: Planner,
    ) -> None:
        check_callable(fun)
        if format not in ("csr", "bcoo"):
            raise RequestError(f"format={format!r}", hint="a sparse matrix comes as 'csr' (SciPy) or 'bcoo' (JAX)")
        functools.update_wrapper(self, fun, updated=())
        self._derived, self._argnums, self._format, self._planner = derived, indices(argnums), format, planner
        self._given = pattern if pattern is None or isinstance(pattern, Pattern) else Pattern.of(pattern)
        self._made: dict[Any, Compressed] = {}

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        made, leaves = self._at(args, kwargs)
        if self._format == "bcoo":
            pattern = made.pattern
            places = np.stack([pattern.rows, pattern.cols], axis=1).astype(np.int32)
            return jax_sparse.BCOO(
                (made.entries(*leaves), jax.numpy.asarray(places)),
                shape=pattern.shape,
                indices_sorted=True,
                unique_indices=True,
            )
        if any(isinstance(x, jax_core.Tracer) for x in leaves):
            raise RequestError(
                "a SciPy matrix can't be made inside of jax.jit, jax.vmap or a derivative",
                hint='ask for format="bcoo"',
            )
        matrix = made.pattern.matrix
        return sp.csr_array((np.asarray(made.entries(*leaves)), matrix.indices, matrix.indptr), matrix.shape)

    def pattern(self, *args: Any, **kwargs: Any) -> Pattern:
        """Where the matrix may have entries for arguments like these, with the colourings of its rows and columns."""
        return self._at(args, kwargs)[0].pattern

    def _at(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> tuple[Compressed, list[Any]]:
        flat = Flat(self._derived, args, kwargs, self._argnums, False)
        key: Any = flat.tree, jax.config.jax_enable_x64, *map(_signature, flat.given, flat.chosen)
        try:
            found = self._made.get(key)
        except TypeError:  # an argument that is no array and can't be compared: nothing is remembered of it
            found, key = None, object()
        if found is None:
            found = self._made[key] = self._compressed(flat)
        return found, [x for x, p in zip(flat.given, found.passed, strict=True) if p]

    def _compressed(self, flat: Flat) -> Compressed:
        for x in flat.chosen_leaves:
            check_forward_input("a sparse derivative", x, False)
        program, consts = flat.program()
        for out in program.outs:
            check_output("a sparse derivative", out, False)
        active = flat.active(consts, program)
        pattern = self._given or found_pattern(program, active, [*consts, *flat.leaves], len(consts))
        size = tuple(sum(math.prod(a.shape) for a in avals) for avals in (program.outs, _picked(program.ins, active)))
        if pattern.shape != size:
            raise RequestError(
                f"the pattern is one of {pattern.shape[0]} rows and {pattern.shape[1]} columns, "
                f"and the matrix has {size[0]} and {size[1]}"
            )
        if self._planner is _hessian_plan:
            pattern = pattern.symmetric
        return Compressed(program, active, consts, pattern, *self._planner(pattern), flat.passed)


def _signature(x: Any, chosen: bool) -> Any:
    """What of an argument decides on the program and on its pattern: arrays of indices by what they hold."""
    if isinstance(x, (jax.Array, np.ndarray, np.generic)):
        aval = jax.typeof(x)
        kind = aval.shape, aval.dtype, getattr(aval, "weak_type", False)
        if not chosen and _is_index(x):
            return *kind, np.asarray(x).tobytes()
        return kind
    return (type(x), None) if isinstance(x, (float, complex)) else (type(x), x)


def _is_index(x: Any) -> bool:
    return (
        not isinstance(x, jax_core.Tracer)
        and np.ndim(x) > 0
        and (jax.numpy.issubdtype(x.dtype, np.integer) or x.dtype == np.bool_)
    )


def found_pattern(program: Program, active: Sequence[bool], values: Sequence[Any], consts: int) -> Pattern:
    """Where the Jacobian of a program may have entries: what its tangents depend on.

    Tangents are computed by the very program that evaluates them, so this holds whatever rules were used for them. Of
    the values, those that the function closes over are known, and arrays of indices.
    """
    pushed = program.forward(tuple(active), (True,) * len(program.outs))
    n = len(program.ins)
    known = {
        i: np.asarray(x)
        for i, x in enumerate(values)
        if not isinstance(x, jax_core.Tracer) and not active[i] and (i < consts or _is_index(x))
    }
    sizes = [math.prod(a.shape) for a in pushed.outs]
    columns = sum(math.prod(a.shape) for a in pushed.ins[n:])

    def read() -> Any:
        program.deriver.write_called(pushed.symbol)
        return dependences(program.deriver.functions, pushed.symbol, range(n, len(pushed.ins)), known)

    found = program.locked_in(read)
    parts = [
        sp.csr_array((size, columns), dtype=np.bool_) if d is None else d.sets[d.labels.ravel()]
        for d, size in zip(found, sizes, strict=True)
    ]
    return Pattern.of(sp.vstack(parts, format="csr") if parts else sp.csr_array((0, columns), dtype=np.bool_))


def _picked(avals: Sequence[Any], mask: Sequence[bool]) -> list[Any]:
    return [a for a, chosen in zip(avals, mask, strict=True) if chosen]


@dataclass(eq=False)
class Compressed:
    """The entries of a sparse derivative at any point, from one batched sweep."""

    program: Program
    active: tuple[bool, ...]
    consts: Sequence[Any]
    pattern: Pattern
    is_forward: bool
    plan: Plan
    passed: Sequence[bool]
    """Which of the leaves of a call are arguments of the program."""

    def __post_init__(self) -> None:
        self.entries: Callable[..., Any] = jax.jit(self._entries)

    def _entries(self, *leaves: Any) -> Any:
        program, outs = self.program, differentiable(self.program.outs)
        arguments = _picked(program.ins, self.active)
        results = jax.numpy.result_type(*(a.dtype for a in (*program.outs, *arguments)))
        if not self.pattern.nnz:
            return jax.numpy.zeros(0, results)
        if self.is_forward:
            sweep, seeded = program.forward(self.active, outs), arguments
        else:
            sweep, seeded = program.reverse(self.active, outs, False), list(program.outs)
        seeds = self._seeds(seeded)
        products = jax.vmap(lambda *s: tuple(call(sweep, *self.consts, *leaves, *s)))(*seeds)
        rows = [p.reshape(self.plan.coloring.count, -1).astype(results) for p in products]
        return jax.numpy.concatenate(rows, axis=1).ravel()[self.plan.place]

    def _seeds(self, avals: Sequence[Any]) -> list[Any]:
        """For each colour, the sum of its unit vectors, cut into arrays of these types."""
        sizes = [math.prod(a.shape) for a in avals]
        ends = list(itertools.accumulate(sizes))
        colors = self.plan.coloring.of.astype(np.int32)
        count = np.arange(self.plan.coloring.count, dtype=np.int32)[:, None]
        return [
            (count == colors[end - size : end]).reshape(len(count), *a.shape).astype(a.dtype)
            for a, size, end in zip(avals, sizes, ends, strict=True)
        ]
