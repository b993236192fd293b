"""Transformations in every order: gradir's and JAX's in each other, `vmap` and `jit` between them.

In double precision; `ROUNDING` units are 2e-12 there. The oracle is always JAX alone.
"""

from __future__ import annotations

import functools
import itertools
import threading
from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from agreement import assert_agree, direction
from jax import lax

import gradir.jax as ours
from gradir.errors import NoRule

pytestmark = pytest.mark.usefixtures("x64")

V = np.array([0.5, -1.0, 2.0])
M = np.array([[0.3, -0.2, 0.5], [0.1, 0.7, -0.4], [-0.6, 0.2, 0.9]])


def f(x: Any) -> Any:
    """A scalar function whose third derivatives are not zero, with calls, a loop and a branch in it."""
    y = jax.jit(lambda x: jnp.tanh(jnp.asarray(M) @ x))(x)
    y = lax.fori_loop(0, 3, lambda i, y: jnp.sin(y) * (1 + i), y)
    y = lax.cond(jnp.sum(x) > 0, lambda y: y * y, lambda y: jnp.exp(y), y)
    return jnp.sum(y * x) + jnp.prod(x)


def g(x: Any) -> Any:
    """A function from vectors to vectors."""
    return jnp.sin(jnp.asarray(M) @ x) * x[0] + jnp.cumsum(x**2)


# -- derivatives of derivatives ----------------------------------------------------------------------------------------


def along(jvp: Any, fun: Any) -> Callable[[Any], Any]:
    """The derivative in one direction."""
    return lambda x: jvp(fun, (x,), (direction(x),))[1]


def slope(grad: Any, fun: Any) -> Callable[[Any], Any]:
    """The gradient as a number."""
    return lambda x: jnp.vdot(grad(fun)(x), direction(x))


def pulled(vjp: Any, fun: Any) -> Callable[[Any], Any]:
    """The gradient as a number, in two sweeps."""

    def apply(x: Any) -> Any:
        value, pull = vjp(fun, x)
        return jnp.vdot(pull(jnp.ones_like(value))[0], direction(x))

    return apply


STEPS: dict[str, Callable[[Any], Callable[[Any], Any]]] = {
    "gradir.grad": functools.partial(slope, ours.grad),
    "gradir.jvp": functools.partial(along, ours.jvp),
    "gradir.vjp": functools.partial(pulled, ours.vjp),
    "jax.grad": functools.partial(slope, jax.grad),
    "jax.jvp": functools.partial(along, jax.jvp),
}
"""From a scalar function to its derivative in one direction, which is the same for all of them."""


@functools.cache
def truth(order: int) -> Any:
    with jax.enable_x64(True):
        fun = f
        for _ in range(order):
            fun = along(jax.jvp, fun)
        return jax.jit(fun)(V)


@pytest.mark.parametrize(("outer", "inner"), [p for p in itertools.product(STEPS, STEPS) if "gradir" in "".join(p)])
def test_two_deep(outer: str, inner: str) -> None:
    assert_agree(jax.jit(STEPS[outer](STEPS[inner](f)))(V), truth(2))


@pytest.mark.parametrize(
    "names",
    [
        ("gradir.grad", "gradir.grad", "gradir.grad"),
        ("gradir.jvp", "gradir.jvp", "gradir.jvp"),
        ("gradir.grad", "gradir.jvp", "gradir.grad"),
        ("gradir.jvp", "gradir.vjp", "gradir.jvp"),
        ("gradir.vjp", "gradir.grad", "gradir.vjp"),
        ("jax.grad", "gradir.grad", "jax.grad"),
        ("gradir.grad", "jax.grad", "gradir.grad"),
        ("jax.jvp", "gradir.grad", "gradir.jvp"),
        ("jax.grad", "jax.grad", "gradir.grad"),
    ],
    ids=" of ".join,
)
def test_three_deep(names: tuple[str, str, str]) -> None:
    fun = f
    for name in reversed(names):
        fun = STEPS[name](fun)
    assert_agree(jax.jit(fun)(V), truth(3))


def test_eager_nesting() -> None:
    """Outside `jit`, where each level is derived and compiled on its own."""
    assert_agree(ours.grad(slope(ours.grad, f))(V), jax.grad(slope(jax.grad, f))(V))
    assert_agree(jax.grad(slope(ours.grad, f))(V), jax.grad(slope(jax.grad, f))(V))
    assert_agree(ours.grad(ours.grad(ours.grad(jnp.sin)))(0.3), -jnp.cos(0.3))


JACOBIANS = {
    "gradir.jacfwd": ours.jacfwd,
    "gradir.jacrev": ours.jacrev,
    "jax.jacfwd": jax.jacfwd,
    "jax.jacrev": jax.jacrev,
}


@pytest.mark.parametrize(
    ("outer", "inner"), [p for p in itertools.product(JACOBIANS, JACOBIANS) if "gradir" in "".join(p)]
)
def test_jacobian_of_jacobian(outer: str, inner: str) -> None:
    theirs = jax.jit(jax.jacfwd(jax.jacrev(g)))(V)
    assert_agree(jax.jit(JACOBIANS[outer](JACOBIANS[inner](g)))(V), theirs)


def test_hessian() -> None:
    assert_agree(jax.jit(ours.hessian(f))(V), jax.jit(jax.hessian(f))(V))
    assert_agree(ours.hessian(g)(V), jax.hessian(g)(V))
    assert_agree(
        ours.jacfwd(ours.hessian(lambda x: jnp.sum(x**4)))(V), jax.jacfwd(jax.hessian(lambda x: jnp.sum(x**4)))(V)
    )


def test_perturbations_are_not_confused() -> None:
    """d/dx x · d/dy (x + y) = 1, not 2: an inner derivative closes over an outer one's variable."""
    for outer, inner in itertools.product((ours.grad, jax.grad), repeat=2):
        assert float(outer(lambda x: x * inner(lambda y: x + y)(1.0))(1.0)) == 1.0
        assert float(outer(lambda x: inner(lambda y: x * y * y)(x))(3.0)) == 12.0
    for outer, inner in itertools.product((ours.jvp, jax.jvp), repeat=2):

        def slope(jvp, f, x):
            return jvp(f, (x,), (jnp.ones_like(x),))[1]

        assert float(slope(outer, lambda x: x * slope(inner, lambda y: x + y, 1.0), 1.0)) == 1.0


# -- closing over values of other transformations ----------------------------------------------------------------------


def test_closing_over_tracers() -> None:
    big = jnp.linspace(0, 1, 100)

    def inner(grad: Any, x: Any, w: Any) -> Any:
        return grad(lambda y: jnp.sum(jnp.sin(y * w) * x) + jnp.sum(big) * jnp.sum(y * x[0]))(x)

    theirs = jax.jit(functools.partial(inner, jax.grad))(V, V * 2)
    assert_agree(jax.jit(functools.partial(inner, ours.grad))(V, V * 2), theirs)
    assert_agree(inner(ours.grad, V, V * 2), theirs)

    def outer(outer_grad: Any, inner_grad: Any) -> Any:
        return jax.jit(outer_grad(lambda x, w: jnp.sum(inner(inner_grad, x, w) ** 2), (0, 1)))(V, V * 2)

    for a, b in itertools.product((ours.grad, jax.grad), repeat=2):
        assert_agree(outer(a, b), outer(jax.grad, jax.grad))
    some = np.stack([V, V * 0.5])
    assert_agree(
        jax.jit(jax.vmap(functools.partial(inner, ours.grad), (0, None)))(some, V),
        jax.jit(jax.vmap(functools.partial(inner, jax.grad), (0, None)))(some, V),
    )


def test_closing_over_an_integer_tracer() -> None:
    def pick(grad: Any) -> Any:
        return jax.jit(lambda i: grad(lambda x: x[i] ** 2)(jnp.asarray(V)))

    assert_agree(pick(ours.grad)(1), pick(jax.grad)(1))


def test_jvp_that_closes_over_tracers() -> None:
    def pushed(jvp: Any) -> Any:
        return jax.jit(lambda w: jvp(lambda x: jnp.sin(x * w), (w,), (w * 2,)))

    assert_agree(pushed(ours.jvp)(V), pushed(jax.jvp)(V))


def test_pullback_leaves_the_trace_it_was_made_in() -> None:
    """A pullback is a pytree: it can be returned from `jit`, and called later and often."""

    def forwards(vjp: Any) -> Any:
        return jax.jit(lambda x: vjp(g, x))(V)

    value, pull = forwards(ours.vjp)
    theirs, their_pull = forwards(jax.vjp)
    assert_agree(value, theirs)
    for ct in (V, V * 2, np.ones(3)):
        assert_agree(pull(ct), their_pull(ct))
    assert_agree(jax.jit(lambda p, ct: p(ct))(pull, V), their_pull(V))
    assert_agree(jax.vmap(pull)(np.eye(3)), jax.vmap(their_pull)(np.eye(3)))


# -- vmap --------------------------------------------------------------------------------------------------------------


def pair(x: Any, w: Any) -> Any:
    return jnp.sum(jnp.tanh(w @ x) ** 2) + x[0] * w[0, 1]


AXES = [
    ((0, 0), (4, 3), (4, 3, 3)),
    ((0, None), (4, 3), (3, 3)),
    ((None, 0), (3,), (4, 3, 3)),
    ((1, 2), (3, 4), (3, 3, 4)),
    ((-1, 1), (3, 4), (3, 4, 3)),
]


def sample(*shape: int) -> Any:
    return jnp.sin(jnp.arange(np.prod(shape)) * 0.7 + 0.3).reshape(shape)


@pytest.mark.parametrize(("axes", "x", "w"), AXES, ids=[str(a[0]) for a in AXES])
def test_vmap_in_axes(axes: Any, x: Any, w: Any) -> None:
    args = sample(*x), sample(*w)
    for transform in ("grad", "value_and_grad", "hessian"):
        mine, theirs = (getattr(m, transform)(pair) for m in (ours, jax))
        assert_agree(jax.jit(jax.vmap(mine, axes))(*args), jax.jit(jax.vmap(theirs, axes))(*args))

    def push(m):
        return jax.jit(jax.vmap(lambda x, w: m.jvp(pair, (x, w), (x * 2, w)), axes))(*args)

    assert_agree(push(ours), push(jax))

    def pull(m):
        return jax.jit(jax.vmap(lambda x, w: m.vjp(pair, x, w)[1](jnp.ones(())), axes))(*args)

    assert_agree(pull(ours), pull(jax))


@pytest.mark.parametrize("out_axes", [0, 1, -1, (0, 1)])
def test_vmap_out_axes(out_axes: Any) -> None:
    xs = sample(4, 3)

    def both(m: Any) -> Any:
        fun = (lambda x: (m.grad(f)(x), m.jacrev(g)(x))) if isinstance(out_axes, tuple) else m.grad(f)
        return jax.vmap(fun, out_axes=out_axes)(xs)

    assert_agree(both(ours), both(jax))


def test_vmap_of_vmap_and_inside() -> None:
    xs = sample(2, 4, 3)
    assert_agree(jax.jit(jax.vmap(jax.vmap(ours.grad(f))))(xs), jax.jit(jax.vmap(jax.vmap(jax.grad(f))))(xs))

    def inside(m):
        return m.grad(lambda xs: jnp.sum(jax.vmap(f)(xs) ** 2))(xs[0])

    assert_agree(inside(ours), inside(jax))

    def between(m):
        return m.grad(lambda xs: jnp.sum(jax.vmap(m.grad(f))(xs) ** 2))(xs[0])

    assert_agree(between(ours), between(jax))

    def mixed(outer, inner):
        return outer(lambda xs: jnp.sum(jax.vmap(inner(f))(xs) ** 2))(xs[0])

    assert_agree(mixed(jax.grad, ours.grad), between(jax))
    assert_agree(mixed(ours.grad, jax.grad), between(jax))


def test_vmap_of_a_gradient_of_a_gradient() -> None:
    xs = sample(4, 3)

    def nested(m):
        return jax.jit(jax.vmap(m.grad(slope(m.grad, f))))(xs)

    assert_agree(nested(ours), nested(jax))
    assert_agree(jax.jit(jax.vmap(jax.grad(slope(ours.grad, f))))(xs), nested(jax))
    assert_agree(
        jax.jit(jax.vmap(along(jax.jvp, ours.grad(f))))(xs), jax.jit(jax.vmap(along(jax.jvp, jax.grad(f))))(xs)
    )


def test_vmap_with_a_branch_for_each_example() -> None:
    """Examples of one batch take different branches: here both signs are among them."""
    xs = jnp.array([[0.5, 1.0, 2.0], [-1.0, -0.5, 0.3], [2.0, -3.0, 0.1], [0.2, 0.2, 0.2]])

    def branchy(x: Any) -> Any:
        y = lax.cond(x[0] > 0, lambda x: jnp.sin(x) * x[1], lambda x: jnp.exp(x) + x[2], x)
        k = (x[1] > 0).astype(int) + (x[2] > 0.15).astype(int)
        return jnp.sum(lax.switch(k, [jnp.cos, lambda y: y**3, jnp.tanh], y))

    for m in (ours.grad, lambda fun: along(ours.jvp, fun), lambda fun: ours.grad(slope(ours.grad, fun))):
        theirs = {ours.grad: jax.grad}.get(m) or (
            (lambda fun: along(jax.jvp, fun))
            if m(branchy)(xs[0]).ndim == 0
            else lambda fun: jax.grad(slope(jax.grad, fun))
        )
        assert_agree(jax.jit(jax.vmap(m(branchy)))(xs), jax.jit(jax.vmap(theirs(branchy)))(xs))


def test_vmap_with_a_loop_of_each_example_s_own_length() -> None:
    """Forward mode: `while` runs until the last example is done, and the others keep what they have."""

    def collatz(x: Any, n: Any) -> Any:
        return lax.while_loop(lambda s: s[1] > 0, lambda s: (jnp.sin(s[0]) * 1.5, s[1] - 1), (x, n))[0]

    xs, ns = sample(4), jnp.array([0, 1, 3, 7])

    def push(m):
        return jax.jit(jax.vmap(lambda x, n: m.jvp(lambda x: collatz(x, n), (x,), (1.0,))))(xs, ns)

    assert_agree(push(ours), push(jax))


def test_vmap_of_an_unused_batch() -> None:
    assert_agree(
        jax.vmap(lambda x: ours.grad(f)(jnp.asarray(V)))(np.zeros(3)),
        jax.vmap(lambda x: jax.grad(f)(jnp.asarray(V)))(np.zeros(3)),
    )
    assert_agree(jax.vmap(ours.grad(lambda x, w: jnp.sum(w)))(V, V), jax.vmap(jax.grad(lambda x, w: jnp.sum(w)))(V, V))


def test_vmap_of_size_one_and_none() -> None:
    for n in (1, 0):
        xs = jnp.ones((n, 3))
        assert_agree(jax.vmap(ours.grad(f))(xs), jax.vmap(jax.grad(f))(xs))


def test_vmap_with_axis_size_and_spmd_names() -> None:
    """A named axis inside the differentiated function belongs to an outer `vmap`: it is refused, not ignored."""
    assert_agree(
        jax.vmap(ours.grad(f), axis_name="batch", axis_size=2)(sample(2, 3)),
        jax.vmap(jax.grad(f), axis_name="batch", axis_size=2)(sample(2, 3)),
    )

    def mean(m):
        return jax.vmap(lambda x: lax.pmean(m.grad(f)(x), "batch"), axis_name="batch")(sample(2, 3))

    assert_agree(mean(ours), mean(jax))


# -- jit and scan around and inside ------------------------------------------------------------------------------------


def test_jit_inside_grad_inside_jit() -> None:
    def nested(m: Any) -> Any:
        return jax.jit(m.grad(jax.jit(lambda x: jnp.sum(jax.jit(m.grad(jax.jit(f)))(x) ** 2))))(V)

    assert_agree(nested(ours), nested(jax))


def test_jit_options() -> None:
    def static(m: Any) -> Any:
        return jax.jit(m.grad(lambda x, n: jnp.sum(x**n)), static_argnums=1)(V, 3)

    assert_agree(static(ours), static(jax))
    donated = jax.jit(ours.grad(f), donate_argnums=0)
    assert_agree(donated(jnp.asarray(V)), jax.grad(f)(V))


def test_gradients_inside_scan() -> None:
    """Gradient descent: the derivative is in the loop's body."""

    def descend(m: Any) -> Any:
        return jax.jit(lambda x: lax.scan(lambda x, _: (x - 0.1 * m.grad(f)(x), f(x)), x, None, length=5))(
            jnp.asarray(V)
        )

    assert_agree(descend(ours), descend(jax))


def test_derivative_through_gradient_descent() -> None:
    """Meta learning: reverse and forward mode over a loop with reverse mode in it."""

    def last(m: Any, rate: Any) -> Any:
        return f(lax.fori_loop(0, 4, lambda i, x: x - rate * m.grad(f)(x), jnp.asarray(V)))

    theirs = jax.jit(jax.value_and_grad(functools.partial(last, jax)))(0.1)
    assert_agree(jax.jit(ours.value_and_grad(functools.partial(last, ours)))(0.1), theirs)
    assert_agree(jax.jit(jax.value_and_grad(functools.partial(last, ours)))(0.1), theirs)
    assert_agree(jax.jit(ours.value_and_grad(functools.partial(last, jax)))(0.1), theirs)
    assert_agree(jax.jit(lambda r: ours.jvp(functools.partial(last, ours), (r,), (1.0,)))(0.1), theirs)


def test_gradients_inside_branches() -> None:
    def choose(m: Any) -> Any:
        return jax.jit(lambda x: lax.cond(x[0] > 0, m.grad(f), lambda x: x, x))

    for x in (V, -V):
        assert_agree(choose(ours)(x), choose(jax)(x))

    def outer(m):
        return m.grad(lambda x: jnp.sum(choose(m)(x) ** 2))(V)

    assert_agree(outer(ours), outer(jax))


# -- JAX's other transformations over gradir's -------------------------------------------------------------------------


def test_linearize() -> None:
    value, push = jax.linearize(ours.grad(f), V)
    theirs, their_push = jax.linearize(jax.grad(f), V)
    assert_agree((value, push(V)), (theirs, their_push(V)))
    assert_agree(jax.vmap(push)(np.eye(3)), jax.vmap(their_push)(np.eye(3)))

    def through(m):
        return jax.linearize(lambda x: m.jvp(g, (x,), (x,))[1], V)[1](V)

    assert_agree(through(ours), through(jax))


def test_jax_vjp_and_linear_transpose() -> None:
    value, pull = jax.vjp(ours.grad(f), V)
    theirs, their_pull = jax.vjp(jax.grad(f), V)
    assert_agree((value, pull(V)), (theirs, their_pull(V)))

    def linear(m):
        return jax.linear_transpose(lambda t: m.jvp(g, (jnp.asarray(V),), (t,))[1], V)(V)

    assert_agree(linear(ours), linear(jax))

    def back(m):
        return jax.linear_transpose(m.vjp(g, V)[1], V)((V,))

    assert_agree(back(ours), back(jax))


def test_gradir_over_jax_linearize_and_vjp() -> None:
    def hvp(m: Any) -> Any:
        return m.grad(lambda x: jnp.vdot(jax.linearize(jax.grad(f), x)[1](V), V))(V)

    assert_agree(hvp(ours), hvp(jax))

    def back(m):
        return m.grad(lambda x: jnp.vdot(jax.vjp(g, x)[1](V)[0], V))(V)

    assert_agree(back(ours), back(jax))


def test_hessian_vector_product_by_grad_of_jvp() -> None:
    """Reverse over forward."""

    def hvp(m):
        return jax.jit(m.grad(lambda x: m.jvp(f, (x,), (jnp.asarray(V),))[1]))(V)

    assert_agree(hvp(ours), hvp(jax))


def test_checkpoint() -> None:
    """`jax.checkpoint` in the function, around the derivative, with policies, and in loops."""
    policies = [None, jax.checkpoint_policies.everything_saveable, jax.checkpoint_policies.dots_saveable]

    def layered(x: Any, policy: Any) -> Any:
        block = jax.checkpoint(lambda y: jnp.sin(jnp.asarray(M) @ y) + y, policy=policy)
        for _ in range(3):
            x = block(x)
        return jnp.sum(x**2)

    for policy in policies:
        assert_agree(jax.jit(ours.grad(layered), static_argnums=1)(V, policy), jax.grad(layered)(V, policy))

    def around(m):
        return jax.grad(jax.checkpoint(lambda x: jnp.sum(m.grad(f)(x) ** 2)))(V)

    assert_agree(around(ours), around(jax))

    def looped(x: Any) -> Any:
        return jnp.sum(lax.scan(jax.checkpoint(lambda y, a: (jnp.sin(y * a), jnp.cos(y))), x, jnp.linspace(1, 2, 4))[1])

    for transform in (
        lambda m: m.grad(looped),
        lambda m: m.grad(slope(m.grad, looped)),
        lambda m: along(m.jvp, looped),
    ):
        assert_agree(jax.jit(transform(ours))(V), jax.jit(transform(jax))(V))
    assert_agree(jax.jit(jax.vmap(ours.grad(looped)))(sample(2, 3)), jax.jit(jax.vmap(jax.grad(looped)))(sample(2, 3)))


# -- the machinery -----------------------------------------------------------------------------------------------------


def test_abstract_evaluation() -> None:
    shape = jax.ShapeDtypeStruct((3,), np.float64)
    mine, theirs = (jax.eval_shape(m.value_and_grad(f), shape) for m in (ours, jax))
    assert jax.tree.map(lambda s: (s.shape, s.dtype), mine) == jax.tree.map(lambda s: (s.shape, s.dtype), theirs)


def test_make_jaxpr_and_lower() -> None:
    assert "gradir_program" in str(jax.make_jaxpr(ours.grad(f))(V))
    assert "stablehlo.tanh" in jax.jit(ours.grad(f)).lower(V).as_text()


def test_export() -> None:
    exported = jax.export.export(jax.jit(ours.grad(f)))(jax.ShapeDtypeStruct((3,), np.float64))
    assert_agree(exported.call(V), jax.grad(f)(V))


def test_threads() -> None:
    """Several threads differentiate at once; what each gets is its own."""
    results: dict[int, Any] = {}

    def work(k: int) -> None:
        with jax.enable_x64(True):
            results[k] = jax.jit(ours.grad(lambda x: jnp.sum(jnp.sin(x * k) ** 2)))(V)

    threads = [threading.Thread(target=work, args=(k,)) for k in range(1, 5)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    for k in range(1, 5):
        assert_agree(results[k], jax.grad(lambda x: jnp.sum(jnp.sin(x * k) ** 2))(V))


def test_disable_jit() -> None:
    with jax.disable_jit():
        assert_agree(ours.grad(f)(V), jax.grad(f)(V))


def test_numerical_checks_of_jax() -> None:
    """`jax_debug_nans` and `jax_check_tracer_leaks` find nothing to complain about."""
    with jax.debug_nans(True):
        assert_agree(ours.grad(f)(V), jax.grad(f)(V))
    with jax.checking_leaks():
        assert_agree(
            jax.jit(ours.grad(lambda x: jnp.sum(jnp.sin(x) ** 2)))(V), jax.grad(lambda x: jnp.sum(jnp.sin(x) ** 2))(V)
        )


def test_functions_that_call_back_are_differentiated_as_by_jax() -> None:
    """A program holds no Python: where the function calls back, JAX differentiates it; what JAX hasn't is refused."""

    def called(x: Any) -> Any:
        return jax.pure_callback(np.sin, jax.ShapeDtypeStruct((3,), np.float64), lax.stop_gradient(x))

    def shown(x: Any) -> Any:
        jax.debug.print("{}", x)
        return x

    ruled = jax.custom_vjp(called)
    ruled.defvjp(lambda x: (called(x), x), lambda x, ct: (jnp.cos(x) * ct,))
    for fun in (called, shown, ruled):

        def f(x: Any, fun: Any = fun) -> Any:
            return jnp.sum(x * fun(x))

        for gradient in (ours.grad(f), jax.jit(ours.grad(f))):
            np.testing.assert_allclose(gradient(V), jax.grad(f)(V), rtol=1e-12)
        with pytest.raises(NoRule, match=r"calls back into Python|side effects"):
            ours.laplacian(f)(V)
