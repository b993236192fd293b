"""A function's own derivative counts: `custom_jvp`, `custom_vjp`, `stop_gradient`.

The rules here are wrong on purpose where they can be (another factor than the true derivative), so that a derivative
taken of the function's body instead shows. In double precision, `ROUNDING` units are 2e-12.
"""

from __future__ import annotations

import functools
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from agreement import assert_agree, assert_same, direction
from jax import lax

import gradir
import gradir.jax as ours
from gradir.errors import NoRule

pytestmark = pytest.mark.usefixtures("x64")

V = np.array([0.5, -1.0, 2.0])


@jax.custom_jvp
def twisted(x: Any) -> Any:
    """A sine whose derivative is three times too large."""
    return jnp.sin(x)


@twisted.defjvp
def _(primals: Any, tangents: Any) -> Any:
    (x,), (t,) = primals, tangents
    return twisted(x), 3 * jnp.cos(x) * t


@jax.custom_vjp
def bent(x: Any, y: Any) -> Any:
    """A product whose derivatives are seven and nine times too large."""
    return x * jnp.sin(y)


def _bent_forwards(x: Any, y: Any) -> Any:
    return bent(x, y), {"x": x, "y": (y, None)}


def _bent_backwards(kept: Any, ct: Any) -> Any:
    return 7 * ct * jnp.sin(kept["y"][0]), 9 * ct * kept["x"] * jnp.cos(kept["y"][0])


bent.defvjp(_bent_forwards, _bent_backwards)


def loss(x: Any) -> Any:
    return jnp.sum(bent(twisted(x), x) ** 2)


def slope(m: Any, fun: Any) -> Any:
    return lambda x: jnp.vdot(m.grad(fun)(x), direction(x))


# -- custom_jvp and custom_vjp -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("jit", [False, True])
def test_first_derivatives(jit: bool) -> None:
    wrap = jax.jit if jit else lambda fun: fun
    assert_same(lambda m: wrap(m.value_and_grad(loss))(V))
    assert_same(lambda m: wrap(m.grad(lambda x, y: jnp.sum(bent(x, y)), (0, 1)))(V, V * 2))
    assert_same(lambda m: wrap(m.grad(lambda x, y: jnp.sum(bent(x, y)), 1))(V, V * 2))
    assert_same(lambda m: wrap(lambda x: m.jvp(twisted, (x,), (x,)))(V))
    assert_same(lambda m: wrap(m.jacrev(twisted))(V))
    assert_same(lambda m: wrap(m.jacfwd(twisted))(V))


def test_derivatives_end_where_a_module_says() -> None:
    module = gradir.load("""func.func @f(%x: tensor<3xf64>) -> tensor<3xf64> {
      %0 = "enzyme.ignore_derivatives"(%x) : (tensor<3xf64>) -> tensor<3xf64>
      %1 = stablehlo.multiply %0, %x : tensor<3xf64>
      return %1 : tensor<3xf64>
    }""")
    for m in (ours, jax):
        np.testing.assert_array_equal(m.grad(lambda x: jnp.sum(ours.function(module, "f")(x)))(V), V)


def test_the_rule_and_not_the_body() -> None:
    assert float(ours.grad(twisted)(0.0)) == 3.0
    assert float(ours.jvp(twisted, (0.0,), (1.0,))[1]) == 3.0
    assert float(ours.grad(bent)(1.0, np.pi / 2)) == 7.0


def test_higher_derivatives() -> None:
    """The rule is itself differentiated, and the rule calls the function again."""
    assert_same(lambda m: m.grad(m.grad(twisted))(0.3))
    assert_same(lambda m: m.grad(m.grad(m.grad(twisted)))(0.3))
    assert_same(lambda m: m.hessian(lambda x: jnp.sum(twisted(x) ** 2))(V))
    assert_same(lambda m: m.jvp(m.grad(lambda x: jnp.sum(twisted(x) ** 2)), (V,), (V,)))
    assert_same(lambda m: m.grad(slope(m, loss))(V))
    assert_same(lambda m: jax.jit(m.grad(slope(m, slope(m, loss))))(V))


@pytest.mark.parametrize(("outer", "inner"), [(jax, ours), (ours, jax)], ids=["jax of gradir", "gradir of jax"])
def test_mixed_with_jax(outer: Any, inner: Any) -> None:
    assert_agree(outer.grad(slope(inner, loss))(V), jax.grad(slope(jax, loss))(V))
    assert_agree(
        outer.jvp(inner.grad(lambda x: jnp.sum(twisted(x) ** 2)), (V,), (V,)),
        jax.jvp(jax.grad(lambda x: jnp.sum(twisted(x) ** 2)), (V,), (V,)),
    )


def test_forward_mode_over_a_custom_vjp() -> None:
    """JAX refuses by TypeError; so does gradir, which can't know the tangent either."""
    with pytest.raises(TypeError):
        jax.jvp(lambda x: bent(x, x), (V,), (V,))
    with pytest.raises((TypeError, NoRule), match=r"custom_vjp|forward"):
        ours.jvp(lambda x: bent(x, x), (V,), (V,))


def test_vmap() -> None:
    xs = np.stack([V, V * 2, -V])
    assert_same(lambda m: jax.jit(jax.vmap(m.grad(loss)))(xs))
    assert_same(lambda m: jax.jit(jax.vmap(m.grad(slope(m, loss))))(xs))
    assert_same(lambda m: jax.vmap(lambda x: m.jvp(twisted, (x,), (x,)))(xs))
    assert_same(lambda m: m.grad(lambda xs: jnp.sum(jax.vmap(loss)(xs)))(xs))
    assert_same(lambda m: m.grad(lambda xs: jnp.sum(jax.vmap(bent, (0, None))(xs, xs[0])))(xs))
    assert_same(lambda m: jax.vmap(m.grad(lambda x, y: jnp.sum(bent(x, y)), (0, 1)), (0, None))(xs, V))


def scanned(x: Any, scan: Any = lax.scan) -> Any:
    return jnp.sum(scan(lambda c, a: (twisted(c) + bent(c, a), twisted(a * c)), x, jnp.outer(jnp.arange(4), x))[1])


def counted(x: Any, scan: Any = lax.scan) -> Any:
    return jnp.sum(scan(lambda c, i: (twisted(c) * (i + 1), None), x, jnp.arange(3))[0])


def unrolled(body: Any, carry: Any, xs: Any) -> Any:
    """A scan without a loop."""
    outs = []
    for x in xs:
        carry, out = body(carry, x)
        outs.append(out)
    return carry, None if outs[0] is None else jnp.stack(outs)


@pytest.mark.parametrize("fun", [scanned, counted])
def test_in_loops(fun: Any) -> None:
    assert_same(lambda m: jax.jit(m.value_and_grad(fun))(V))
    assert_same(lambda m: jax.jit(jax.vmap(m.grad(fun)))(np.stack([V, -V])))
    # In a loop's second derivative JAX takes the function's body where its rule calls it, so that a loop and the same
    # rounds one by one differ. Here they don't.
    theirs = jax.jit(jax.grad(slope(jax, functools.partial(fun, scan=unrolled))))(V)
    assert_agree(jax.jit(ours.grad(slope(ours, fun)))(V), theirs)
    assert_agree(jax.jit(jax.grad(slope(ours, fun)))(V), theirs)


def test_forwards_in_loops() -> None:
    assert_same(lambda m: m.jvp(counted, (V,), (V,)))


def test_in_branches() -> None:
    def fun(x):
        return jnp.sum(lax.cond(x[0] > 0, twisted, lambda x: bent(x, x), x))

    for x in (V, -V):
        assert_same(lambda m: jax.jit(m.value_and_grad(fun))(x))
        assert_same(lambda m: jax.jit(m.grad(slope(m, fun)))(x))
    assert_same(lambda m: jax.jit(jax.vmap(m.grad(fun)))(np.stack([V, -V])))


def test_in_a_loop_of_unknown_length() -> None:
    def halved(x: Any) -> Any:
        return lax.while_loop(lambda c: jnp.sum(c**2) > 0.1, lambda c: twisted(c) * 0.5, x)

    assert_same(lambda m: m.jvp(halved, (V,), (V,)))


def test_nondiff_argnums() -> None:
    @functools.partial(jax.custom_jvp, nondiff_argnums=(0, 2))
    def applied(fun: Any, x: Any, n: int) -> Any:
        return fun(x) ** n

    @applied.defjvp
    def _(fun: Any, n: int, primals: Any, tangents: Any) -> Any:
        return applied(fun, *primals, n), 11 * n * fun(primals[0]) * tangents[0]

    @functools.partial(jax.custom_vjp, nondiff_argnums=(1,))
    def clipped(x: Any, limit: float) -> Any:
        return x

    clipped.defvjp(lambda x, limit: (x, None), lambda limit, _, ct: (jnp.clip(ct, -limit, limit),))
    assert_same(lambda m: m.grad(lambda x: jnp.sum(applied(jnp.cos, x, 3)))(V))
    assert_same(lambda m: m.grad(m.grad(lambda x: applied(jnp.cos, x, 3)))(0.7))
    assert_same(lambda m: m.jvp(lambda x: applied(jnp.exp, x, 2), (V,), (V,)))
    assert_same(lambda m: m.grad(lambda x: jnp.sum(clipped(x, 0.75) ** 2))(V))
    assert_same(lambda m: jax.jit(jax.vmap(m.grad(lambda x: clipped(x, 0.75) ** 2)))(V))


def test_nondiff_argnames_and_keyword_arguments() -> None:
    @jax.custom_jvp
    def scaled(x: Any, *, by: Any = 2.0) -> Any:
        return x * by

    scaled.defjvps(lambda t, out, x, by=2.0: 5 * t)

    @functools.partial(jax.custom_vjp, nondiff_argnums=(1,))
    def weighed(x: Any, by: Any = 3) -> Any:
        return x * by

    weighed.defvjp(lambda x, by: (x * by, None), lambda by, _, ct: (ct * by * 10,))
    assert_same(lambda m: m.grad(lambda x: jnp.sum(scaled(x)))(V))
    assert_same(lambda m: m.grad(lambda x: jnp.sum(weighed(x)))(V))
    assert_same(lambda m: m.grad(lambda x: jnp.sum(weighed(x, by=4)))(V))


def test_defjvps() -> None:
    @jax.custom_jvp
    def product(x: Any, y: Any) -> Any:
        return x * y

    product.defjvps(lambda t, out, x, y: t * y * 5, lambda t, out, x, y: t * out * 2)
    assert_same(lambda m: m.grad(lambda x, y: jnp.sum(product(x, y)), (0, 1))(V, V * 3))
    half = jax.custom_jvp(lambda x, y: x * y)
    half.defjvps(lambda t, out, x, y: t * y * 5, None)
    assert_same(lambda m: m.grad(lambda x, y: jnp.sum(half(x, y)), (0, 1))(V, V * 3))


def test_integer_arguments_and_results() -> None:
    @jax.custom_vjp
    def pick(x: Any, i: Any) -> Any:
        return x[i], i + 1

    pick.defvjp(
        lambda x, i: (pick(x, i), (x, i)), lambda kept, ct: (jnp.zeros_like(kept[0]).at[kept[1]].set(5 * ct[0]), None)
    )

    @jax.custom_jvp
    def power(x: Any, n: Any) -> Any:
        return x**n, n

    @power.defjvp
    def _(primals: Any, tangents: Any) -> Any:
        x, n = primals
        out = power(x, n)
        return out, (2 * n * x * tangents[0], np.zeros(np.shape(n), jax.dtypes.float0))

    i = np.array([0, 2])
    assert_same(lambda m: m.grad(lambda x, i: jnp.sum(pick(x, i)[0] ** 2))(V, i))
    assert_same(lambda m: m.grad(lambda x: jnp.sum(power(x, 3)[0]))(V))
    assert_same(lambda m: m.grad(lambda x: m.grad(lambda y: power(y, 3)[0])(x))(2.0))
    assert_same(lambda m: m.jvp(lambda x: power(x, jnp.arange(3)), (V,), (V,)))


def test_pytrees_in_rules() -> None:
    @jax.custom_vjp
    def tree(p: Any) -> Any:
        return {"sum": p["a"] + p["b"][0], "product": (p["a"] * p["b"][0], None)}

    def backwards(kept: Any, ct: Any) -> Any:
        return ({"a": ct["sum"] * 2 + ct["product"][0] * kept["b"][0], "b": [ct["sum"] * 3]},)

    tree.defvjp(lambda p: (tree(p), p), backwards)
    p = {"a": V, "b": [V * 2]}
    assert_same(lambda m: m.grad(lambda p: jnp.sum(tree(p)["sum"] ** 2 + tree(p)["product"][0]))(p))
    assert_same(lambda m: m.grad(lambda p: jnp.sum(tree(p)["sum"]))(p))
    assert_same(lambda m: m.vjp(tree, p)[1](tree(p)))


def test_rule_with_several_results_of_which_some_are_used() -> None:
    @jax.custom_jvp
    def two(x: Any) -> Any:
        return jnp.sin(x), jnp.cos(x)

    two.defjvp(lambda p, t: (two(*p), (5 * t[0], 7 * t[0])))
    assert_same(lambda m: m.grad(lambda x: jnp.sum(two(x)[0]))(V))
    assert_same(lambda m: m.grad(lambda x: jnp.sum(two(x)[1]))(V))
    assert_same(lambda m: m.grad(lambda x: jnp.sum(two(x)[1] * two(x)[0]))(V))


def test_symbolic_zeros() -> None:
    @functools.partial(jax.custom_jvp)
    def product(x: Any, y: Any) -> Any:
        return x * y

    def rule(primals: Any, tangents: Any) -> Any:
        x, y = primals
        known = [not isinstance(t, jax.custom_derivatives.SymbolicZero) for t in tangents]
        t = (tangents[0] * y if known[0] else 0.0) + (tangents[1] * x if known[1] else 0.0)
        return x * y, t

    product.defjvp(rule, symbolic_zeros=True)

    @jax.custom_vjp
    def sine(x: Any, y: Any) -> Any:
        return jnp.sin(x) * y

    def forwards(x: Any, y: Any) -> Any:
        return jnp.sin(x.value) * y.value, (x.value, y.value)

    def backwards(kept: Any, ct: Any) -> Any:
        ct = jnp.zeros(3) if isinstance(ct, jax.custom_derivatives.SymbolicZero) else ct
        return 5 * ct * kept[1], 7 * ct

    sine.defvjp(forwards, backwards, symbolic_zeros=True)
    assert_same(lambda m: m.grad(lambda x: jnp.sum(product(x, V)))(V))
    assert_same(lambda m: m.grad(lambda x, y: jnp.sum(product(x, y)), (0, 1))(V, V * 2))
    assert_same(lambda m: m.grad(lambda x: jnp.sum(sine(x, V)))(V))


def test_rule_that_ends_a_derivative() -> None:
    """A rule may give no derivative at all, for values that are not finite too."""

    @jax.custom_jvp
    def hard(x: Any) -> Any:
        return jnp.where(x > 0, jnp.log(x), 0.0)

    hard.defjvp(lambda p, t: (hard(*p), jnp.zeros_like(p[0])))
    assert_same(lambda m: m.grad(lambda x: jnp.sum(hard(x) * x))(V))
    through = jax.custom_vjp(lambda x: jnp.round(x))
    through.defvjp(lambda x: (jnp.round(x), None), lambda _, ct: (ct,))
    assert_same(lambda m: m.grad(lambda x: jnp.sum(through(x) ** 2))(V))


def test_rule_that_closes_over_arrays() -> None:
    table = jnp.linspace(1, 2, 300)

    @jax.custom_jvp
    def looked_up(x: Any) -> Any:
        return x * table[7]

    looked_up.defjvp(lambda p, t: (looked_up(*p), t[0] * table[299]))
    assert_same(lambda m: m.grad(looked_up)(3.0))
    assert_same(lambda m: jax.jit(m.grad(looked_up))(3.0))


def test_rule_that_closes_over_values_of_the_trace() -> None:
    def outer(x: Any) -> Any:
        @jax.custom_jvp
        def scaled(y: Any) -> Any:
            return y * 2

        scaled.defjvp(lambda p, t: (scaled(*p), t[0] * 5))
        return scaled(x) * scaled(x + 1)

    assert_same(lambda m: m.grad(outer)(3.0))
    assert_same(lambda m: jax.jit(m.grad(m.grad(outer)))(3.0))


def test_rule_that_closes_over_what_is_differentiated() -> None:
    """JAX loses the value (its tracer has escaped); gradir says what is wrong."""

    def outer(x: Any) -> Any:
        scaled = jax.custom_jvp(lambda y: y * 2)
        scaled.defjvp(lambda p, t: (scaled(*p), t[0] * x))
        return scaled(x)

    with pytest.raises(jax.errors.UnexpectedTracerError):
        jax.grad(outer)(3.0)
    with pytest.raises(NoRule, match="closes over a value"):
        ours.grad(outer)(3.0)


def test_rule_by_gradir() -> None:
    """A rule that is itself computed by gradir: the implicit function theorem's shape."""

    def energy(x: Any, a: Any) -> Any:
        return jnp.sum((x - jnp.sin(a)) ** 2) + 0.1 * jnp.sum(x**4)

    @jax.custom_jvp
    def minimum(a: Any) -> Any:
        def step(i, x):
            return x - 0.2 * jax.grad(energy)(x, a)

        return lax.fori_loop(0, 200, step, jnp.zeros_like(a))

    def rule(m: Any, primals: Any, tangents: Any) -> Any:
        (a,), (t,) = primals, tangents
        x = minimum(a)
        mixed = m.jvp(lambda a: m.grad(energy)(x, a), (a,), (t,))[1]
        return x, -jnp.linalg.solve(m.hessian(energy)(x, a), mixed)

    def total(m: Any) -> Any:
        minimum.defjvp(functools.partial(rule, m))
        return m.grad(lambda a: jnp.sum(minimum(a) ** 2))(V)

    assert_agree(total(ours), total(jax))


def test_custom_rule_inside_a_custom_rule_s_function() -> None:
    """The inner rule is not asked for: the outer one stands for all that is inside."""

    @jax.custom_vjp
    def outer(x: Any) -> Any:
        return twisted(x) * 2

    outer.defvjp(lambda x: (outer(x), x), lambda x, ct: (ct * twisted(x),))
    assert_same(lambda m: m.grad(lambda x: jnp.sum(outer(x) + twisted(x)))(V))
    assert_same(lambda m: m.grad(slope(m, lambda x: jnp.sum(outer(x))))(V))


def test_shared_function_in_and_outside_of_a_rule_s_function() -> None:
    """`relu` has a rule (its derivative at 0 is 0): it holds outside, whoever else calls `relu` inside."""

    @jax.custom_jvp
    def outer(x: Any) -> Any:
        return jax.nn.relu(x)

    outer.defjvp(lambda p, t: (outer(*p), 0 * t[0]))
    assert_same(lambda m: m.grad(lambda x: outer(x) + jax.nn.relu(x))(0.0))
    assert_same(lambda m: m.grad(lambda x: jax.nn.relu(x) + outer(x))(0.0))


def test_rule_that_calls_its_function_on_the_tangent() -> None:
    """What a rule does to tangents is linear: it is transposed as it is, and not by the rule again."""

    @jax.custom_jvp
    def summed(x: Any) -> Any:
        return jnp.cumsum(x)

    summed.defjvp(lambda p, t: (summed(*p), summed(*t)))
    jitted = jax.custom_jvp(lambda x: 2 * x)
    jitted.defjvp(lambda p, t: (jitted(*p), jax.jit(jax.checkpoint(jitted))(*t)))
    other = jax.custom_jvp(lambda x: jnp.sin(x))
    other.defjvp(lambda p, t: (other(*p), twisted(p[0]) * jitted(*t)))
    for fun in (summed, jitted, other):

        def loss(x: Any, fun: Any = fun) -> Any:
            return jnp.sum(fun(x * x) ** 2)

        assert_same(lambda m, loss=loss: (m.value_and_grad(loss)(V), m.jvp(loss, (V,), (V,))))
    assert_same(lambda m: jax.jit(m.grad(slope(m, lambda x: jnp.sum(other(x * summed(x))))))(V))
    assert_same(lambda m: jax.vmap(m.grad(lambda x: jnp.sum(other(summed(x)))))(jnp.stack([V, -V])))


def test_a_primal_that_all_examples_share() -> None:
    scaled = jax.custom_jvp(lambda x, y: (x * y, y * 0 + 1.0))
    scaled.defjvp(lambda p, t: (scaled(*p), (3 * t[0] * p[1] + 5 * p[0] * t[1], 0.0 * t[1])))

    def total(x: Any, y: Any) -> Any:
        return sum(scaled(x, y))

    assert_same(lambda m: jax.vmap(m.grad(total, (0, 1)), (None, 0))(2.0, V))
    assert_same(lambda m: jax.vmap(lambda a: m.grad(lambda y: total(2.0, y) + a)(3.0))(V))
    assert_same(lambda m: m.grad(lambda x: jnp.sum(jax.vmap(lambda a: total(a, 2.0))(x)))(V))


def test_rule_that_closes_over_an_outer_example() -> None:
    def by_jvp(a: Any, x: Any) -> Any:
        f = jax.custom_jvp(jnp.sin)
        f.defjvp(lambda p, t: (f(*p), a * t[0]))
        return f(x)

    def by_vjp(a: Any, x: Any) -> Any:
        f = jax.custom_vjp(jnp.sin)
        f.defvjp(lambda x: (jnp.sin(x), None), lambda _, ct: (a * ct,))
        return f(x)

    def by_gradient(a: Any, x: Any) -> Any:
        return jax.custom_gradient(lambda x: (x**2 * a, lambda ct: ct * x * 3 * a))(x)

    for f in (by_jvp, by_vjp, by_gradient):
        assert_same(lambda m, f=f: jax.vmap(lambda a: m.grad(lambda x: f(a, x))(0.7))(V))
        assert_same(lambda m, f=f: jax.jit(lambda a: m.vjp(lambda x: f(a, x), 0.7)[1](1.0))(2.0))
    assert_same(lambda m: jax.vmap(lambda a, x: m.jvp(lambda x: by_jvp(a, x), (x,), (x,)))(V, V))
    # And over one of the function's own: JAX calls the rule while the examples are still there.
    assert_same(lambda m: m.grad(lambda x: jnp.sum(jax.vmap(by_jvp, (0, None))(V, x)))(0.7))
    ours.optimize(lambda x: jnp.sum(jax.vmap(by_jvp, (0, None))(V, x)))(0.7)


def test_zeros_that_are_known_to_be_zeros() -> None:
    """A rule with `symbolic_zeros` may do something else for them, so it must be told of the same ones as by JAX."""
    from jax.custom_derivatives import SymbolicZero

    def jvp(p: Any, t: Any) -> Any:
        some = [x for x in t if type(x) is not SymbolicZero]
        return p[0] * p[1], sum(some) * (1.0 if len(some) == 2 else 10.0)

    f = jax.custom_jvp(lambda x, y: x * y)
    f.defjvp(jvp, symbolic_zeros=True)
    assert_same(lambda m: (m.grad(f)(2.0, 3.0), m.grad(f, 1)(2.0, 3.0), m.grad(f, (0, 1))(2.0, 3.0)))
    assert_same(lambda m: m.jvp(lambda y: f(3.0, y), (2.0,), (1.0,)))

    def forwards(x: Any, y: Any) -> Any:
        return (x.value * y.value, x.value + y.value), (x.value, y.value, x.perturbed, y.perturbed)

    def backwards(kept: Any, ct: Any) -> Any:
        x, y, *perturbed = kept
        some = [0.0 if type(c) is SymbolicZero else c for c in ct]
        k = (1 if all(perturbed) else 3) * (1 if all(type(c) is not SymbolicZero for c in ct) else 5)
        return k * (some[0] * y + some[1]), k * (some[0] * x + some[1])

    g = jax.custom_vjp(lambda x, y: (x * y, x + y))
    g.defvjp(forwards, backwards, symbolic_zeros=True)
    for wrt in (0, 1, (0, 1)):
        assert_same(lambda m, wrt=wrt: m.grad(lambda x, y: g(x, y)[0], wrt)(2.0, 3.0))
        assert_same(lambda m, wrt=wrt: m.grad(lambda x, y: g(x, y)[1] ** 2, wrt)(2.0, 3.0))
        assert_same(lambda m, wrt=wrt: m.grad(lambda x, y: sum(g(x, y)), wrt)(2.0, 3.0))


def test_forward_mode_past_a_custom_vjp_whose_tangent_nobody_wants() -> None:
    cases = [
        (lambda x: (bent(x, x), x * x)[1], lambda x: x * x),
        (lambda x: x * lax.stop_gradient(bent(x, x)), lambda x: x * lax.stop_gradient(x * jnp.sin(x))),
        (lambda x: jnp.where(bent(x, x) > 0, x, 2 * x), lambda x: jnp.where(x * jnp.sin(x) > 0, x, 2 * x)),
        (lambda x: x * bent(2.0, 3.0), lambda x: x * 2 * jnp.sin(3.0)),
        (
            lambda x: lax.fori_loop(0, 3, lambda i, c: (bent(c[1], x), c[1] * x), (x, x))[1],
            lambda x: x**4,
        ),
    ]
    for f, same in cases:
        assert_agree(ours.jvp(f, (V,), (V,)), jax.jvp(same, (V,), (V,)))
    with pytest.raises(NoRule, match="reverse mode only"):
        ours.jvp(lambda x: bent(x, x), (V,), (V,))


def test_nothing_leaks() -> None:
    def looped(x: Any) -> Any:
        return lax.scan(lambda c, a: (c * a + twisted(a), c), x[0], x)[0]

    def use(m: Any) -> Any:
        value, pull = jax.jit(lambda x: m.vjp(loss, x))(V)
        return (
            value,
            pull(jnp.ones_like(value)),
            jax.jit(lambda x: m.grad(lambda y: jnp.sum(y * x * twisted(y)))(x))(V),
            jax.jit(m.value_and_grad(lambda x: (loss(x), {"twice": 2 * x}), has_aux=True))(V),
            m.grad(looped)(V),
        )

    with jax.checking_leaks():
        assert_same(use)


def test_wrong_rules_are_refused() -> None:
    bad = jax.custom_jvp(lambda x: x * 2)
    bad.defjvp(lambda p, t: (bad(*p), jnp.zeros(7)))
    none = jax.custom_jvp(lambda x: x * 2)
    wrong = jax.custom_vjp(lambda x: x * 2)
    wrong.defvjp(lambda x: (x * 2, None), lambda _, ct: (ct, ct))
    for fun in (bad, none, wrong):
        with pytest.raises(Exception) as expected:
            jax.grad(fun)(3.0)
        with pytest.raises(expected.type):
            ours.grad(fun)(3.0)


ACTIVATIONS = [
    "relu",
    "relu6",
    "silu",
    "gelu",
    "softplus",
    "elu",
    "selu",
    "celu",
    "leaky_relu",
    "log_sigmoid",
    "hard_tanh",
    "soft_sign",
    "mish",
    "sigmoid",
]


@pytest.mark.parametrize("name", ACTIVATIONS)
def test_activations(name: str) -> None:
    """JAX's own custom rules, at kinks too."""
    x = np.array([-3.0, -1.0, -0.5, 0.0, 0.5, 1.0, 3.0, 6.0])
    fun = getattr(jax.nn, name)
    assert_same(lambda m: m.grad(lambda x: jnp.sum(fun(x)))(x))
    assert_same(lambda m: m.jvp(m.grad(lambda x: jnp.sum(fun(x))), (x,), (x,)))


def test_functions_of_jax_with_rules() -> None:
    x = np.linspace(0.1, 0.9, 6).reshape(2, 3)
    for fun in (
        jax.nn.softmax,
        jax.nn.log_softmax,
        jax.nn.logsumexp,
        jax.nn.standardize,
        jax.scipy.special.logit,
        jax.scipy.special.expit,
        jax.scipy.special.xlogy,
        jax.scipy.special.xlog1py,
        jnp.logaddexp,
        jnp.logaddexp2,
        jnp.sinc,
        jnp.hypot,
    ):
        args = (
            (x, x * 0.5)
            if fun in (jax.scipy.special.xlogy, jax.scipy.special.xlog1py, jnp.logaddexp, jnp.logaddexp2, jnp.hypot)
            else (x,)
        )
        assert_same(lambda m: m.grad(lambda *a: jnp.sum(jnp.sin(fun(*a))))(*args))
    assert_same(lambda m: m.grad(m.grad(jnp.sinc))(0.0))
    assert_same(lambda m: m.grad(lambda a: jax.scipy.special.xlogy(a, a))(0.0))
    assert_same(lambda m: m.grad(jax.nn.logsumexp)(np.array([-np.inf, 0.0])))


# -- stop_gradient -----------------------------------------------------------------------------------------------------


def test_stop_gradient() -> None:
    stop = lax.stop_gradient
    for fun in (
        lambda x: jnp.sum(x * stop(x)),
        lambda x: jnp.sum(stop(jnp.sin(x)) * x**2),
        lambda x: stop(jnp.sum(x)),
        lambda x: jnp.sum(x**2) + stop(jnp.sum(x**3)) - jnp.sum(stop({"a": x, "i": 3})["a"] * x),
        lambda x: jnp.sum(jnp.where(stop(x) > 0, x, x**3)),
        lambda x: jnp.sum(x + stop(jnp.round(x) - x)),
    ):
        assert_same(lambda m: m.value_and_grad(fun)(V))
        assert_same(lambda m: m.jvp(fun, (V,), (V,)))
        assert_same(lambda m: jax.jit(m.grad(slope(m, fun)))(V))
        assert_same(lambda m: jax.jit(jax.vmap(m.grad(fun)))(np.stack([V, -V])))


def test_stop_gradient_in_loops_and_branches() -> None:
    stop = lax.stop_gradient

    def scanned(x: Any) -> Any:
        return jnp.sum(
            lax.scan(lambda c, a: (jnp.sin(c) + stop(c) * a * x, stop(c * a) + c), x, jnp.linspace(0, 1, 4))[1]
        )

    def carried(x: Any) -> Any:
        return jnp.sum(lax.fori_loop(0, 3, lambda i, c: (stop(c[0] * c[1]), c[1] * x), (x, x))[0])

    def branched(x: Any) -> Any:
        return jnp.sum(lax.cond(x[0] > 0, lambda x: x * stop(x), lambda x: stop(x), x))

    for fun in (scanned, carried, branched):
        for x in (V, -V):
            assert_same(lambda m: jax.jit(m.value_and_grad(fun))(x))
        assert_same(lambda m: jax.jit(m.grad(slope(m, fun)))(V))
        assert_same(lambda m: m.jvp(fun, (V,), (V,)))


def test_stop_gradient_of_an_inner_derivative() -> None:
    def fun(x):
        return jnp.sum(jnp.sin(x) * x)

    for inner, outer in ((ours, ours), (jax, ours), (ours, jax)):

        def mixed(i, o):
            return o.grad(lambda x: jnp.vdot(lax.stop_gradient(i.grad(fun)(x)), x))(V)

        assert_agree(mixed(inner, outer), mixed(jax, jax))
    assert_same(lambda m: m.grad(lambda x: jnp.sum(m.grad(lambda y: jnp.sum(y * lax.stop_gradient(y) * x))(x)))(V))


def test_straight_through_estimator() -> None:
    def quantise(x):
        return x + lax.stop_gradient(jnp.round(x * 4) / 4 - x)

    assert_same(lambda m: m.value_and_grad(lambda x: jnp.sum(quantise(x) ** 2))(V))


# -- values that are not finite ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "fun",
    [
        lambda x: jnp.sum(jnp.where(x > 0, jnp.log(x), 0.0)),
        lambda x: jnp.sum(jnp.where(x > 0, jnp.log(jnp.where(x > 0, x, 1.0)), 0.0)),
        lambda x: jnp.sum(jnp.sqrt(x)),
        lambda x: jnp.sum(jnp.where(x == 0, 0.0, jnp.sqrt(x))),
        lambda x: jnp.sum(1 / x),
        lambda x: jnp.sum(x / x),
        lambda x: jnp.sum(jnp.arctan2(x, x * 0)),
        lambda x: jnp.linalg.norm(x * 0),
        lambda x: jnp.sum(jnp.abs(x)) + jnp.sum(jnp.maximum(x, 0.0)) + jnp.sum(jnp.clip(x, -1.0, 0.0)),
        lambda x: jnp.max(x * 0) + jnp.min(jnp.round(x)),
        lambda x: jnp.sum(x**0.5 + x**2.0 + 2.0**x + x ** jnp.arange(4)),
        lambda x: jnp.sum(jnp.nan_to_num(jnp.log(x))),
        lambda x: jnp.nansum(jnp.log(x)),
        lambda x: jnp.prod(x),
    ],
)
def test_not_finite_where_jax_is_not(fun: Any) -> None:
    """At 0 and at negative numbers: infinite and undefined in the same places, and 0.5 at ties."""
    assert_same(lambda m: jax.jit(m.grad(fun))(np.array([0.0, 1.0, -1.0, 0.0])))
    assert_same(lambda m: jax.jit(lambda x: m.jvp(fun, (x,), (jnp.ones(4),)))(np.array([0.0, 1.0, -1.0, 0.0])))


def test_where_gradir_differs_from_jax_on_purpose() -> None:
    """x to the 0 is 1 everywhere, so its derivative at 0 is 0; JAX computes 0 times infinity."""
    assert float(ours.grad(lambda x: x**0.0)(0.0)) == 0.0
    assert np.isnan(jax.grad(lambda x: x**0.0)(0.0))
