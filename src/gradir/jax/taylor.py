"""Taylor mode: derivatives of every order along a curve, in one forward sweep."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import jax
import numpy as np
from jax import tree_util

from gradir.errors import RequestError
from gradir.jax.flat import Flat, check_callable, check_output
from gradir.jax.primitive import call
from gradir.jax.program import differentiable
from gradir.jax_internals import api_boundary


@api_boundary
def jet(fun: Callable[..., Any], primals: Sequence[Any], series: Sequence[Sequence[Any]]) -> tuple[Any, Any]:
    """`fun`'s value and its derivatives along a curve, like `jax.experimental.jet.jet`, but for every program.

    `series` has, for each of the primals, the derivatives of the curve that it moves along: the first, the second and
    so on, each a pytree like the primal. What comes back are the value, and for each leaf a list of derivatives.

    >>> import jax.numpy as jnp
    >>> value, (first, second, third) = jet(jnp.sin, (0.0,), ((1.0, 0.0, 0.0),))
    >>> float(first), float(second), float(third)
    (1.0, 0.0, -1.0)
    """
    check_callable(fun)
    orders = {len(s) for s in series}
    if len(series) != len(primals) or len(orders) != 1 or 0 in orders:
        raise RequestError(
            f"{len(primals)} primals, and series of the lengths {[len(s) for s in series]}",
            hint="give a series for each primal, all of one length and not empty",
        )
    (order,) = orders
    flat = Flat(fun, tuple(primals), {}, tuple(range(len(primals))), False)
    program, consts = flat.program()
    for out in program.outs:
        if not differentiable([out])[0]:
            check_output("jet", out, False)
    active = flat.active(consts, program)
    terms = [[t for x, s in zip(primals, series, strict=True) for t in _leaves(x, s[k])] for k in range(order)]
    given = [
        _like(terms[k][i], a)
        for i, a in enumerate(program.ins[len(consts) :])
        if active[len(consts) + i]
        for k in range(order)
    ]
    made = call(program.taylor(active, (True,) * len(program.outs), order), *consts, *flat.leaves, *given)
    n = len(program.outs)
    lists = [list(made[n + j * order : n + (j + 1) * order]) for j in range(n)]
    return flat.results(made[:n]), tree_util.tree_unflatten(flat.out_tree, lists)


def _leaves(primal: Any, term: Any) -> list[Any]:
    leaves, tree = tree_util.tree_flatten(term)
    if tree != tree_util.tree_structure(primal):
        raise RequestError(
            f"a term of a series has the structure {tree}, and its primal {tree_util.tree_structure(primal)}"
        )
    return leaves


def _like(term: Any, aval: Any) -> Any:
    if np.shape(term) != aval.shape:
        raise RequestError(f"a term of a series has the shape {np.shape(term)}, and its primal {aval.shape}")
    return jax.numpy.asarray(term, aval.dtype)
