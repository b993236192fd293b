"""Derivatives with JAX's signatures: gradients, products with tangents and cotangents, Jacobians, Hessians."""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import jax
import numpy as np
from jax import tree_util

from gradir.jax.flat import (
    NOT_CONCRETE,
    Argnums,
    Differentiated,
    Flat,
    Mode,
    basis,
    bound,
    check_callable,
    check_forward_input,
    check_input,
    check_mode,
    check_output,
    check_scalar,
    indices,
    numbers_of,
    split_axis,
)
from gradir.jax.lowering import NotAProgram
from gradir.jax.primitive import call
from gradir.jax.program import Program, differentiable
from gradir.jax_internals import api_boundary


def value_and_grad(
    fun: Callable[..., Any],
    argnums: Argnums = 0,
    has_aux: bool = False,
    holomorphic: bool = False,
    allow_int: bool = False,
) -> Callable[..., tuple[Any, Any]]:
    """The function that gives `fun`'s value and its gradient, like `jax.value_and_grad`.

    >>> import jax.numpy as jnp
    >>> value, (dx, dy) = value_and_grad(lambda x, y: x * jnp.exp(y), argnums=(0, 1))(3.0, 0.0)
    >>> float(value), float(dx), float(dy)
    (3.0, 1.0, 3.0)
    """
    check_callable(fun)
    argnums = indices(argnums)

    @functools.wraps(fun)
    @api_boundary
    def value_and_grad_fun(*args: Any, **kwargs: Any) -> tuple[Any, Any]:
        if (needed := max([argnums] if isinstance(argnums, int) else argnums, default=0)) >= len(args):
            raise TypeError(
                f"differentiating with respect to argnums={argnums} requires at least {needed + 1} positional "
                f"arguments to be passed by the caller, but got only {len(args)} positional arguments."
            )
        flat = Flat(fun, args, kwargs, argnums, has_aux)
        for x in flat.chosen_leaves:
            check_input("grad", x, holomorphic, allow_int)
        theirs = jax.value_and_grad(fun, argnums, has_aux, holomorphic, allow_int)
        return _or_by_jax(lambda: _value_and_grad(flat, holomorphic), lambda: theirs(*args, **kwargs))

    return value_and_grad_fun


def _value_and_grad(flat: Flat, holomorphic: bool) -> tuple[Any, Any]:
    program, consts = flat.program()
    check_scalar(flat, program)
    check_output("grad", program.outs[0], holomorphic)
    active = flat.active(consts, program)
    outs = (True,) + (False,) * (len(program.outs) - 1)
    made = call(program.gradient(active, outs), *consts, *flat.leaves)
    return flat.results(made[: len(program.outs)]), flat.differentiated.gradients(made[len(program.outs) :])


def _or_by_jax(ours: Callable[[], Any], theirs: Callable[[], Any]) -> Any:
    """Ours; or JAX's, where there is no program to differentiate before Python runs.

    JAX differentiates while the function runs: Python code may decide by the values of arguments, call back, print,
    close over a value of another trace in a rule, and leave sizes open.
    """
    try:
        return ours()
    except NotAProgram as refused:
        try:
            return theirs()
        except jax.errors.UnexpectedTracerError:
            raise refused from None
    except NOT_CONCRETE:
        pass  # with what went wrong first out of the way of what JAX says
    return theirs()


def grad(
    fun: Callable[..., Any],
    argnums: Argnums = 0,
    has_aux: bool = False,
    holomorphic: bool = False,
    allow_int: bool = False,
) -> Callable[..., Any]:
    """The gradient function of `fun`, like `jax.grad`.

    >>> float(grad(lambda x: x**3)(2.0))
    12.0
    """
    both = value_and_grad(fun, argnums, has_aux, holomorphic, allow_int)

    @functools.wraps(fun)
    @api_boundary
    def grad_fun(*args: Any, **kwargs: Any) -> Any:
        value, gradient = both(*args, **kwargs)
        return (gradient, value[1]) if has_aux else gradient

    return grad_fun


@api_boundary
def vjp(fun: Callable[..., Any], *primals: Any, has_aux: bool = False) -> Any:
    """`fun`'s value and the function that pulls cotangents back, like `jax.vjp`.

    >>> value, pull = vjp(lambda x, y: x * y, 2.0, 5.0)
    >>> [float(g) for g in pull(1.0)]
    [5.0, 2.0]
    """
    check_callable(fun)
    flat = Flat(fun, primals, {}, tuple(range(len(primals))), has_aux)
    return _or_by_jax(lambda: _vjp(flat), lambda: jax.vjp(fun, *primals, has_aux=has_aux))


def _vjp(flat: Flat) -> Any:
    program, consts = flat.program()
    n = flat.main_outs
    rets = differentiable(program.outs[:n]) + (False,) * (len(program.outs) - n)
    first, second = program.split(flat.active(consts, program), rets)
    outs = call(first, *consts, *flat.leaves)
    residuals = outs[len(program.outs) :]
    name = getattr(flat.fun, "__name__", str(flat.fun))
    wanted = Cotangent(name, flat.out_tree, program.outs[:n])
    pull = tree_util.Partial(functools.partial(_pull, second, wanted, flat.differentiated), residuals)
    result = flat.results(outs[: len(program.outs)])
    return (result[0], pull, result[1]) if flat.has_aux else (result, pull)


def optimize(fun: Callable[..., Any]) -> Callable[..., Any]:
    """The same function, rewritten as a whole: derivatives in it are seen together with what is done with them.

    >>> import jax.numpy as jnp
    >>> laplacian = optimize(lambda x: jnp.trace(hessian(lambda x: jnp.sum(jnp.sin(x)))(x)))
    >>> round(float(laplacian(jnp.array([0.0, 1.0]))), 4)
    -0.8415
    """
    check_callable(fun)

    @functools.wraps(fun)
    @api_boundary
    def optimized(*args: Any, **kwargs: Any) -> Any:
        flat = Flat(fun, args, kwargs, (), False)
        program, consts = flat.program()
        return flat.results(call(program.optimized(), *consts, *flat.leaves))

    return optimized


@dataclass(frozen=True)
class Cotangent:
    """What the function that pulls back must be given: something like the function's value."""

    name: str
    tree: Any
    avals: Sequence[Any]

    def leaves(self, cotangents: Sequence[Any], named: Sequence[str]) -> list[Any]:
        """The leaves that there is a derivative by, of the right types; if it was called with one cotangent."""
        if len(cotangents) != 1 or named:
            raise TypeError(
                f"the function returned by `vjp` of {self.name} was called with {len(cotangents)} positional and "
                f"{len(named)} named arguments, but it takes a single one: the cotangent of the single value that the "
                "function gives (even if that value is a tuple or another container)"
            )
        leaves, tree = tree_util.tree_flatten(cotangents[0])
        if tree != self.tree:
            raise ValueError(
                f"unexpected tree structure of argument to vjp function: got {tree}, but expected to match {self.tree}"
            )
        given = [(ct, a) for ct, a in zip(leaves, self.avals, strict=True) if differentiable([a])[0]]
        for ct, a in given:
            if (found := jax.typeof(ct)).shape != a.shape or found.dtype != a.dtype:
                raise ValueError(
                    f"unexpected JAX type (e.g. shape/dtype) for argument to VJP function: got {found.str_short()}, "
                    f"but expected {a.str_short()}, the type of the corresponding output of the differentiated function"
                )
        return [jax.numpy.asarray(ct, a.dtype) for ct, a in given]


@api_boundary
def _pull(
    second: Program, wanted: Cotangent, differentiated: Differentiated, residuals: Sequence[Any], *ct: Any, **named: Any
) -> tuple[Any, ...]:
    return differentiated.gradients(call(second, *residuals, *wanted.leaves(ct, list(named))))


@api_boundary
def jvp(fun: Callable[..., Any], primals: Sequence[Any], tangents: Sequence[Any], has_aux: bool = False) -> Any:
    """`fun`'s value and directional derivative, like `jax.jvp`.

    >>> value, slope = jvp(lambda x: x * x, (3.0,), (1.0,))
    >>> float(value), float(slope)
    (9.0, 6.0)
    """
    check_callable(fun)
    if not isinstance(primals, (tuple, list)) or not isinstance(tangents, (tuple, list)):
        raise TypeError(
            "primal and tangent arguments to jvp must be tuples or lists; "
            f"found {type(primals).__name__} and {type(tangents).__name__}."
        )
    shadows, tree = tree_util.tree_flatten(tangents)
    if tree != tree_util.tree_structure(primals):
        raise TypeError(
            "primal and tangent arguments to jvp must have the same tree structure; "
            f"primals have tree structure {tree_util.tree_structure(primals)} whereas tangents have tree structure "
            f"{tree}."
        )
    flat = Flat(fun, tuple(primals), {}, tuple(range(len(primals))), has_aux)
    for x, t in zip(flat.leaves, shadows, strict=True):
        wanted, found = jax.typeof(x).to_tangent_aval().dtype, jax.dtypes.result_type(t)
        if wanted != found:
            raise TypeError(
                "primal and tangent arguments to jvp do not match; dtypes must be equal, or in case of int/bool primal "
                f"dtype the tangent dtype must be float0. Expected tangent dtype {wanted}, but got {found} instead."
            )
        if np.shape(x) != np.shape(t):
            raise ValueError(
                "jvp called with different primal and tangent shapes; "
                f"got primal shape {np.shape(x)} and tangent shape {np.shape(t)}"
            )
    theirs = functools.partial(jax.jvp, fun, tuple(primals), tuple(tangents), has_aux=has_aux)
    return _or_by_jax(lambda: _jvp(flat, shadows), theirs)


def _jvp(flat: Flat, shadows: Sequence[Any]) -> Any:
    program, consts = flat.program()
    active = flat.active(consts, program)
    n = flat.main_outs
    rets = differentiable(program.outs[:n]) + (False,) * (len(program.outs) - n)
    given = [
        jax.numpy.asarray(t, a.dtype)
        for t, a in zip(shadows, program.ins[len(consts) :], strict=True)
        if differentiable([a])[0]
    ]
    outs = call(program, *consts, *flat.leaves)
    moved = iter(call(program.forward(active, rets), *consts, *flat.leaves, *given))
    out_tangents = [
        next(moved) if r else np.zeros(a.shape, jax.dtypes.float0) for a, r in zip(program.outs[:n], rets, strict=False)
    ]
    result = flat.results(outs)
    tangent = tree_util.tree_unflatten(flat.out_tree, out_tangents)
    return (result[0], tangent, result[1]) if flat.has_aux else (result, tangent)


@api_boundary
def linearize(fun: Callable[..., Any], *primals: Any, has_aux: bool = False) -> Any:
    """`fun`'s value and the linear function that maps tangents to tangents there, like `jax.linearize`.

    >>> value, push = linearize(lambda x: x**3, 2.0)
    >>> float(value), float(push(1.0)), float(push(10.0))
    (8.0, 12.0, 120.0)
    """
    check_callable(fun)
    flat = Flat(fun, primals, {}, tuple(range(len(primals))), has_aux)
    return _or_by_jax(lambda: _linearize(flat, primals), lambda: jax.linearize(fun, *primals, has_aux=has_aux))


def _linearize(flat: Flat, primals: tuple[Any, ...]) -> Any:
    program, consts = flat.program()
    active = flat.active(consts, program)
    n = flat.main_outs
    rets = differentiable(program.outs[:n]) + (False,) * (len(program.outs) - n)
    result = flat.results(call(program, *consts, *flat.leaves))
    moved = Moved(flat.out_tree, program.outs[:n], tuple(jax.typeof(x) for x in flat.given), flat.tree)
    push = functools.partial(_push, program.forward(active, rets), moved)
    linear = tree_util.Partial(push, [*consts, *flat.leaves])
    return (result[0], linear, result[1]) if flat.has_aux else (result, linear)


@dataclass(frozen=True)
class Moved:
    """What a linear function takes and gives: tangents like the arguments, and like the value."""

    out_tree: Any
    outs: Sequence[Any]
    ins: Sequence[Any]
    in_tree: Any

    def leaves(self, tangents: tuple[Any, ...]) -> list[Any]:
        """The tangents of arguments that have a derivative; if they are of the right form."""
        leaves, tree = tree_util.tree_flatten((tangents, {}))
        if tree != self.in_tree:
            raise TypeError(f"expected tangents of the structure {self.in_tree}, but got {tree}")
        for t, a in zip(leaves, self.ins, strict=True):
            wanted, found = a.to_tangent_aval(), jax.typeof(t)
            if found.shape != wanted.shape or found.dtype != wanted.dtype:
                raise ValueError(
                    "linearized function called on tangent values inconsistent with the original primal values: "
                    f"got {found.str_short()} for a primal of {a.str_short()}"
                )
        return [jax.numpy.asarray(t, a.dtype) for t, a in zip(leaves, self.ins, strict=True) if differentiable([a])[0]]

    def result(self, made: Sequence[Any]) -> Any:
        found = iter(made)
        tangents = [next(found) if differentiable([a])[0] else np.zeros(a.shape, jax.dtypes.float0) for a in self.outs]
        return tree_util.tree_unflatten(self.out_tree, tangents)


@api_boundary
def _push(forward: Program, moved: Moved, given: Sequence[Any], *tangents: Any) -> Any:
    return moved.result(call(forward, *given, *moved.leaves(tangents)))


def jacfwd(
    fun: Callable[..., Any], argnums: Argnums = 0, has_aux: bool = False, holomorphic: bool = False
) -> Callable[..., Any]:
    """The Jacobian by forward mode, a column at a time, all columns at once; like `jax.jacfwd`.

    >>> import jax.numpy as jnp
    >>> jacfwd(lambda x: x * x)(jnp.array([1.0, 2.0])).tolist()
    [[2.0, 0.0], [0.0, 4.0]]
    """
    check_callable(fun)
    argnums = indices(argnums)

    @functools.wraps(fun)
    @api_boundary
    def jacobian(*args: Any, **kwargs: Any) -> Any:
        chosen, partial_fun, x = bound(fun, args, kwargs, argnums)
        leaves, tree = tree_util.tree_flatten(x)
        for leaf in leaves:
            check_forward_input("jacfwd", leaf, holomorphic)

        def push(tangent: Any) -> Any:
            return jvp(partial_fun, x, tangent, has_aux=has_aux)

        pushed = jax.vmap(push, out_axes=(None, -1, None) if has_aux else (None, -1))(basis(x))
        y, columns = pushed[0], pushed[1]
        tree_util.tree_map(lambda leaf: check_output("jacfwd", leaf, holomorphic, any_real=True), y)

        def per_argument(column: Any) -> Any:
            out = tree_util.tree_unflatten(tree, split_axis(column, -1, leaves))
            return out if chosen else out[0]

        jac = tree_util.tree_map(per_argument, columns)
        return (jac, pushed[2]) if has_aux else jac

    return jacobian


def jacrev(
    fun: Callable[..., Any],
    argnums: Argnums = 0,
    has_aux: bool = False,
    holomorphic: bool = False,
    allow_int: bool = False,
) -> Callable[..., Any]:
    """The Jacobian by reverse mode, a row at a time, all rows at once; like `jax.jacrev`.

    >>> import jax.numpy as jnp
    >>> jacrev(lambda x: x * x)(jnp.array([1.0, 2.0])).tolist()
    [[2.0, 0.0], [0.0, 4.0]]
    """
    check_callable(fun)
    argnums = indices(argnums)

    @functools.wraps(fun)
    @api_boundary
    def jacobian(*args: Any, **kwargs: Any) -> Any:
        chosen, partial_fun, x = bound(fun, args, kwargs, argnums)
        for leaf in tree_util.tree_leaves(x):
            check_input("jacrev", leaf, holomorphic, allow_int)
        pulled = vjp(partial_fun, *x, has_aux=has_aux)
        y, pull = pulled[0], pulled[1]
        tree_util.tree_map(lambda leaf: check_output("jacrev", leaf, holomorphic), y)
        rows = jax.vmap(pull)(basis(y))
        y_leaves, y_tree = tree_util.tree_flatten(y)

        def per_result(argument: Any) -> Any:
            flat_rows, tree = tree_util.tree_flatten(argument)
            by_result = zip(*(split_axis(r, 0, y_leaves) for r in flat_rows), strict=True)
            return [tree_util.tree_unflatten(tree, list(leaves)) for leaves in by_result]

        arguments = rows if chosen else rows[0]
        jac = tree_util.tree_unflatten(y_tree, per_result(arguments))
        return (jac, pulled[2]) if has_aux else jac

    return jacobian


def hessian(
    fun: Callable[..., Any], argnums: Argnums = 0, has_aux: bool = False, holomorphic: bool = False
) -> Callable[..., Any]:
    """The Hessian, forward mode over reverse mode; like `jax.hessian`.

    >>> float(hessian(lambda x: x**3)(2.0))
    12.0
    """
    return jacfwd(jacrev(fun, argnums, has_aux, holomorphic), argnums, has_aux, holomorphic)


def jacobian(
    fun: Callable[..., Any],
    argnums: Argnums = 0,
    has_aux: bool = False,
    holomorphic: bool = False,
    mode: Mode = "auto",
) -> Callable[..., Any]:
    """The Jacobian, column by column or row by row, whichever are fewer: `jacfwd` or `jacrev`.

    >>> import jax.numpy as jnp
    >>> jacobian(lambda x: jnp.sum(x * x))(jnp.array([1.0, 2.0])).tolist()
    [2.0, 4.0]
    """
    check_callable(fun)
    check_mode(mode)
    argnums = indices(argnums)
    ways = {
        "forward": jacfwd(fun, argnums, has_aux, holomorphic),
        "reverse": jacrev(fun, argnums, has_aux, holomorphic),
    }

    @functools.wraps(fun)
    @api_boundary
    def jacobian_fun(*args: Any, **kwargs: Any) -> Any:
        return ways[_cheaper(fun, args, kwargs, argnums, has_aux) if mode == "auto" else mode](*args, **kwargs)

    return jacobian_fun


def _cheaper(
    fun: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any], argnums: Argnums, has_aux: bool
) -> Literal["forward", "reverse"]:
    """Forward mode has a sweep for each element of the arguments, reverse mode one for each of the results'."""
    _, partial_fun, x = bound(fun, args, kwargs, argnums)
    made = jax.eval_shape(partial_fun, *x)
    outs = tree_util.tree_leaves(made[0] if has_aux else made)
    columns, rows = (sum(math.prod(np.shape(leaf)) for leaf in leaves) for leaves in (tree_util.tree_leaves(x), outs))
    # A cotangent of a complex result pulls only a real part back to a real argument: columns have it all.
    halved = any(jax.numpy.issubdtype(o.dtype, np.complexfloating) for o in outs)
    return "forward" if halved or columns <= rows else "reverse"


@api_boundary
def hvp(fun: Callable[..., Any], primals: Sequence[Any], tangents: Sequence[Any]) -> tuple[Any, ...]:
    """The product of `fun`'s Hessian, by all primals, with tangents: forward mode over the gradient.

    >>> (product,) = hvp(lambda x: x[0] ** 2 * x[1], ([2.0, 3.0],), ([1.0, 0.0],))
    >>> [float(p) for p in product]
    [6.0, 4.0]
    """
    check_callable(fun)
    if not isinstance(primals, (tuple, list)):
        raise TypeError(f"primal and tangent arguments to hvp must be tuples or lists; found {type(primals).__name__}.")
    gradient = grad(fun, argnums=tuple(range(len(primals))))
    return jvp(gradient, primals, tangents)[1]


def per_example_grad(fun: Callable[..., Any], argnums: Argnums = 0, in_axes: Any = None) -> Callable[..., Any]:
    """Gradients of a loss for each example by itself: `vmap` of `grad`, of which no example's is added up.

    The chosen arguments are shared by all examples, and the others have an example for each place of their first axis,
    unless `in_axes` says otherwise, as for `jax.vmap`.

    >>> import jax.numpy as jnp
    >>> loss = lambda w, x, y: (w * x - y) ** 2
    >>> per_example_grad(loss)(1.0, jnp.array([1.0, 2.0]), jnp.array([0.0, 0.0])).tolist()
    [2.0, 8.0]
    """
    chosen = indices(argnums)
    gradient = grad(fun, argnums)

    @functools.wraps(fun)
    @api_boundary
    def gradients(*args: Any) -> Any:
        shared = numbers_of(chosen, len(args))
        axes = tuple(None if i in shared else 0 for i in range(len(args))) if in_axes is None else in_axes
        return jax.vmap(gradient, in_axes=axes)(*args)

    return gradients
