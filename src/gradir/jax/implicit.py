"""Solutions of equations, differentiated by the implicit function theorem, not through the iterations that find them.

If `residual(x, *args)` is zero, then `A dx = -B da`, with A and B its derivatives by `x` and by the arguments: one
linear equation, however `x` was found. What is here is made of `jax.custom_jvp` and `lax.custom_linear_solve`, so JAX's
own transforms understand it, too, and derivatives of every order and mode are there.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
from jax import lax
from jax.flatten_util import ravel_pytree

from gradir.errors import RequestError

__all__ = ["fixed_point", "implicit", "root"]

DIRECT = 512
"""So many unknowns or fewer: the matrix is built and factorised. Others need products with it alone."""

Residual = Callable[..., Any]
Linear = Callable[[Callable[[Any], Any], Any], Any]
"""`linear(product, b)` gives the x with `product(x) = b`."""


def implicit(residual: Residual) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """A decorator of functions that solve an equation: `solve(*args)` gives the x for which `residual(x, *args)` is 0.

    The solver may be anything that JAX runs; its derivative never looks inside. What is differentiated by must be an
    argument.

    >>> import gradir.jax, jax.numpy as jnp
    >>> @gradir.jax.implicit(lambda x, a: x**3 + x - a)
    ... def solve(a):
    ...     x = jnp.ones_like(a)
    ...     for _ in range(20):
    ...         x = x - (x**3 + x - a) / (3 * x**2 + 1)
    ...     return x
    >>> print(f"{gradir.jax.grad(solve)(10.0):.4f}")
    0.0769
    """

    def decorate(solve: Callable[..., Any]) -> Callable[..., Any]:
        return functools.wraps(solve)(_by_theorem(lambda *args: (solve(*args), True), residual, _solved))

    return decorate


def fixed_point(
    f: Callable[..., Any], start: Any, *args: Any, tolerance: float | None = None, most: int = 10_000
) -> Any:
    """The x with `x = f(x, *args)`, by iteration from `start` until a step changes little.

    "Little" is `tolerance` times the size of x, by default some units of rounding. Where `most` steps do not do, x is
    what they have come to, and its derivative is NaN: there is none by this theorem.

    >>> import gradir.jax, jax.numpy as jnp
    >>> golden = lambda a: gradir.jax.fixed_point(lambda x, a: 1 + a / x, 1.0, a)
    >>> print(f"{golden(1.0):.4f} {gradir.jax.grad(golden)(1.0):.4f}")
    1.6180 0.4472
    """

    def solve(f: Callable[..., Any], start: Any, *args: Any) -> tuple[Any, Any]:
        return _iterate(lambda x: f(x, *args), start, tolerance, most)

    return _from_start(solve, f, lambda f, x, *args: _minus(f(x, *args), x), start, args, _as_fixed_point)


def root(residual: Residual, start: Any, *args: Any, tolerance: float | None = None, most: int = 100) -> Any:
    """The x with `residual(x, *args) = 0`, by Newton's iteration from `start` until a step changes little.

    >>> import gradir.jax, jax.numpy as jnp
    >>> cube = lambda a: gradir.jax.root(lambda x, a: x**3 - a, 1.0, a)
    >>> print(f"{cube(8.0):.4f} {gradir.jax.grad(cube)(8.0):.4f}")
    2.0000 0.0833
    """

    def solve(residual: Residual, start: Any, *args: Any) -> tuple[Any, Any]:
        def step(x: Any) -> Any:
            left, slope = jax.linearize(lambda x: residual(x, *args), x)
            return _minus(x, _solved(slope, left))

        return _iterate(step, start, tolerance, most)

    return _from_start(solve, residual, lambda residual, x, *args: residual(x, *args), start, args)


def _from_start(
    solve: Callable[..., Any],
    f: Callable[..., Any],
    residual: Residual,
    start: Any,
    args: tuple[Any, ...],
    linear: Linear | None = None,
) -> Any:
    """What a solver finds of a function, from where it begins, which makes no difference to derivatives.

    What the function closes over, and may be differentiated by, are arguments of it as well.
    """
    start = jax.tree.map(lambda x: jnp.asarray(x, jnp.result_type(x, *jax.tree.leaves(args), float)), start)
    with _in_full():
        f, more = jax.closure_convert(f, start, *args)
    solved = _by_theorem(lambda *a: solve(f, *a), lambda x, _, *a: residual(f, x, *a), linear or _solved)
    return solved(lax.stop_gradient(start), *args, *more)


def _iterate(step: Callable[[Any], Any], start: Any, tolerance: float | None, most: int) -> tuple[Any, Any]:
    """Steps until one changes little; and whether it came to that."""
    _check_alike("a step", jax.eval_shape(step, start), start)
    flat, back = ravel_pytree(start)
    enough = _nearest(flat.dtype) if tolerance is None else tolerance

    def is_on(state: tuple[Any, Any, Any]) -> Any:
        k, x, change = state
        return (k < most) & (change > enough * (1 + _size(x)))

    def go(state: tuple[Any, Any, Any]) -> tuple[Any, Any, Any]:
        k, x, _ = state
        y, _ = ravel_pytree(step(back(x)))
        return k + 1, y, _size(y - x)

    _, x, change = lax.while_loop(is_on, go, (0, flat, jnp.asarray(jnp.inf, _size(flat).dtype)))
    return back(x), (change <= enough * (1 + _size(x))) & jnp.isfinite(_size(x))


def _nearest(dtype: Any) -> float:
    """How little a step changes at the end: some units of rounding, of which half precision has few."""
    eps = float(jnp.finfo(dtype).eps)
    return eps * (32 if eps < 1e-4 else 4)


def _by_theorem(solve: Callable[..., tuple[Any, Any]], residual: Residual, linear: Linear) -> Callable[..., Any]:
    """A function that gives x, and whether it is one, as a function of x with the derivative that the theorem says."""

    @jax.custom_jvp
    def solved(*args: Any) -> tuple[Any, Any]:
        x, found = solve(*args)
        _check_alike("the residual", jax.eval_shape(residual, x, *args), x)
        return x, jnp.asarray(found)

    @solved.defjvp
    def _(primals: Any, tangents: Any) -> Any:
        x, found = solved(*primals)
        with _in_full():
            _, moved = jax.jvp(lambda *args: residual(x, *args), primals, tangents)
            _, slope = jax.linearize(lambda x: residual(x, *primals), x)
        # (One vector: of several arrays, JAX can't solve for those alone whose cotangents are not zero.)
        b, back = ravel_pytree(jax.tree.map(jnp.negative, moved))
        dx = back(lax.custom_linear_solve(lambda v: ravel_pytree(slope(back(v)))[0], b, linear, linear))
        # (A factor, and no choice: the transpose of that would be a zero.)
        dx = jax.tree.map(lambda t: t * jnp.where(found, jnp.ones_like(t), jnp.nan), dx)
        return (x, found), (dx, jax.numpy.zeros(found.shape, jax.dtypes.float0))

    return lambda *args: solved(*args)[0]


def _in_full() -> Any:
    """Where equations are read: their products are computed in full precision, unless they say themselves in which.

    GPUs round the factors of products in f32 unless they are asked not to, and no iteration comes nearer to a solution
    than that.
    """
    return jax.default_matmul_precision("highest")


def _solved(product: Callable[[Any], Any], b: Any) -> Any:
    """The solution of `product(x) = b`; NaN where it is not found."""
    flat, back = ravel_pytree(b)
    if flat.size == 0:
        return b
    wide = jnp.promote_types(flat.dtype, jnp.float32)  # what linear algebra is there for
    apply = lambda v: ravel_pytree(product(back(v.astype(flat.dtype))))[0].astype(wide)  # noqa: E731
    right = flat.astype(wide)
    if flat.size <= DIRECT:
        x = jnp.linalg.solve(jax.vmap(apply, out_axes=1)(jnp.eye(flat.size, dtype=wide)), right)
    else:
        near = float(jnp.finfo(flat.dtype).eps) ** 0.75
        x, _ = jax.scipy.sparse.linalg.gmres(apply, right, tol=near, restart=50, maxiter=100, solve_method="batched")
        x = jnp.where(_size(apply(x) - right) <= 10 * near * _size(right), x, jnp.nan)
    return back(x.astype(flat.dtype))


def _as_fixed_point(product: Callable[[Any], Any], b: Any) -> Any:
    """The same of a product `M x - x`, as a fixed point: where M contracts, so that the iteration for x converges, this
    takes as many rounds as that."""
    flat, back = ravel_pytree(b)
    size = _size(flat)
    unit = back(flat / jnp.where(size > 0, size, 1))  # so that what is near enough does not depend on it
    x, found = _iterate(lambda x: jax.tree.map(lambda x, p, u: x + p - u, x, product(x), unit), unit, None, 1000)
    return lax.cond(found, lambda: jax.tree.map(lambda x: x * size, x), lambda: _solved(product, b))


def _minus(x: Any, y: Any) -> Any:
    return jax.tree.map(jnp.subtract, x, y)


def _size(x: Any) -> Any:
    return jnp.linalg.norm(x)


def _check_alike(name: str, found: Any, wanted: Any) -> None:
    of = lambda tree: jax.tree.map(lambda x: (jnp.shape(x), jnp.result_type(x)), tree)  # noqa: E731
    if jax.tree.structure(found) != jax.tree.structure(wanted) or of(found) != of(wanted):
        raise RequestError(
            f"{name} gives {jax.tree.map(jax.typeof, found)} for an x of {jax.tree.map(jax.typeof, wanted)}",
            hint="it should give a tree of the same structure, shapes and types as x",
        )
