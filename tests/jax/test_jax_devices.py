"""Several devices: sharded arrays, `shard_map` around a derivative and inside what is differentiated.

Default precision; the means of 32 numbers near 1 here, summed in another order on four devices than on one, differ by
a few units of rounding: `FEW` allows 64.
"""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp
import pytest
from agreement import assert_agree, assert_same
from jax import lax
from jax.sharding import NamedSharding
from jax.sharding import PartitionSpec as P

import gradir.jax as ours

pytestmark = pytest.mark.skipif(jax.device_count() < 4, reason="needs four devices")

FEW = 64


def mesh() -> Any:
    return jax.make_mesh((4,), ("d",), axis_types=(jax.sharding.AxisType.Auto,))


def data() -> tuple[Any, Any]:
    """Weights that all devices share, and examples of which each has a part."""
    x = jax.device_put(jnp.sin(jnp.arange(32.0)).reshape(8, 4), NamedSharding(mesh(), P("d")))
    return jnp.cos(jnp.arange(4.0)), x


def loss(w: Any, x: Any) -> Any:
    return jnp.mean(jnp.tanh(x @ w) ** 2)


def on_each(fun: Any, out_specs: Any, check: bool = True) -> Any:
    return jax.shard_map(fun, mesh=mesh(), in_specs=(P(), P("d")), out_specs=out_specs, check_vma=check)(*data())


@pytest.mark.parametrize("jit", [True, False])
def test_sharded_arguments(jit: bool) -> None:
    wrap = jax.jit if jit else lambda fun: fun
    made = assert_same(lambda m: wrap(m.grad(loss, (0, 1)))(*data()), units=FEW)
    theirs = wrap(jax.grad(loss, (0, 1)))(*data())
    assert [g.sharding.spec for g in made] == [g.sharding.spec for g in theirs]


def test_sharding_constraint_inside() -> None:
    def constrained(w: Any, x: Any) -> Any:
        return jnp.mean(lax.with_sharding_constraint(jnp.tanh(x @ w), NamedSharding(mesh(), P("d"))) ** 2)

    assert_same(lambda m: jax.jit(m.grad(constrained, (0, 1)))(*data()), units=FEW)


def test_shard_map_inside() -> None:
    def parallel(w: Any, x: Any) -> Any:
        def mean(w, x):
            return lax.pmean(loss(w, x), "d")

        return jax.shard_map(mean, mesh=mesh(), in_specs=(P(), P("d")), out_specs=P())(w, x)

    assert_same(lambda m: jax.jit(m.grad(parallel, (0, 1)))(*data()), units=FEW)
    assert_agree(jax.jit(ours.grad(parallel))(*data()), jax.grad(loss)(*data()), units=FEW)


def test_derivative_on_each_device() -> None:
    """With JAX's types of what varies: what devices share has one gradient, the sum of theirs."""
    assert_same(lambda m: on_each(m.grad(loss, (0, 1)), (P(), P("d"))), units=FEW)
    assert_same(lambda m: on_each(lambda w, x: m.value_and_grad(loss)(w, x)[0][None], P("d")), units=FEW)
    assert_same(lambda m: on_each(lambda w, x: m.vjp(lambda w: jnp.tanh(x @ w), w)[1](x[:, 0])[0], P()), units=FEW)
    assert_same(lambda m: on_each(lambda w, x: m.jvp(lambda w: jnp.tanh(x @ w), (w,), (w,))[1], P("d")), units=FEW)
    assert_agree(
        on_each(lambda w, x: lax.pmean(ours.grad(loss)(w, x), "d"), P()), 4 * jax.grad(loss)(*data()), units=FEW
    )


def test_derivative_on_each_device_without_types() -> None:
    assert_same(lambda m: on_each(lambda w, x: lax.pmean(m.grad(loss)(w, x), "d"), P(), check=False), units=FEW)

    def curved(m):
        return lambda w, x: lax.psum(m.grad(lambda w: jnp.sum(m.grad(loss)(w, x) ** 2))(w), "d")

    assert_same(lambda m: on_each(curved(m), P(), check=False), units=FEW)


def test_a_result_that_varies_is_not_taken_for_one_that_does_not() -> None:
    for m in (jax, ours):
        with pytest.raises(ValueError, match="replication"):
            on_each(lambda w, x: m.value_and_grad(loss)(w, x)[0], P())
