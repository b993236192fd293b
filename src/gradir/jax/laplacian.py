"""The Laplacian, with value and derivatives, in one forward sweep."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any, NamedTuple

import jax
from jax import tree_util

from gradir.jax.flat import Argnums, Flat, check_callable, check_forward_input, check_output, indices, split_axis
from gradir.jax.primitive import call
from gradir.jax_internals import api_boundary


class Laplacian(NamedTuple):
    """What a forward Laplacian computes: `jacobian` is what `jacfwd` gives, of a real function its gradient."""

    value: Any
    jacobian: Any
    laplacian: Any


def laplacian(fun: Callable[..., Any], argnums: Argnums = 0) -> Callable[..., Laplacian]:
    """The function's value, its Jacobian, and its Laplacian: the sum of the second derivatives by each element.

    All three come from one sweep that carries them along (the forward Laplacian), and makes use of what does not depend
    on what: the first layer of a network needs no product, and blocks of arguments that are treated apart have
    derivatives of their own only. The sum is over all elements of all chosen arguments.

    >>> import jax.numpy as jnp
    >>> value, gradient, sum_of_second = laplacian(lambda x: jnp.sum(x**3))(jnp.array([1.0, 2.0]))
    >>> float(value), gradient.tolist(), float(sum_of_second)
    (9.0, [3.0, 12.0], 18.0)
    """
    check_callable(fun)
    argnums = indices(argnums)

    @functools.wraps(fun)
    @api_boundary
    def laplacian_fun(*args: Any, **kwargs: Any) -> Laplacian:
        flat = Flat(fun, args, kwargs, argnums, False)
        for x in flat.chosen_leaves:
            check_forward_input("laplacian", x, False)
        program, consts = flat.program()
        for out in program.outs:
            check_output("laplacian", out, False)
        every = (True,) * len(program.outs)
        made = call(program.laplacian(flat.active(consts, program), every), *consts, *flat.leaves)
        n = len(program.outs)
        jacobians = [_by_argument(flat, d) for d in made[n : 2 * n]]
        return Laplacian(
            flat.results(made[:n]),
            tree_util.tree_unflatten(flat.out_tree, jacobians),
            flat.results(made[2 * n :]),
        )

    return laplacian_fun


def _by_argument(flat: Flat, derivatives: Any) -> Any:
    """Derivatives by all variables, along the first axis, as arrays with the arguments' shapes behind."""
    return flat.differentiated.gradients(split_axis(jax.numpy.moveaxis(derivatives, 0, -1), -1, flat.chosen_leaves))
