"""Collectives in what is differentiated, and how gradients lie on a mesh: values and types as JAX's, on four devices.

A value that devices share is marked (`gradir.vary`) where each begins to use it for itself, by JAX's types of what
varies.

Default precision. Sums of some dozens of numbers of size 1, in another order than JAX's, differ by a few units of
rounding at their size: `CLOSE`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax import lax
from jax.sharding import AxisType, NamedSharding
from jax.sharding import PartitionSpec as P

import gradir.jax as ours

pytestmark = pytest.mark.skipif(jax.device_count() < 4, reason="needs four devices")

N = 4
CLOSE = {"rtol": 1e-4, "atol": 1e-5}
KINDS = [AxisType.Auto, AxisType.Explicit]


def draw(*shape: int) -> np.ndarray:
    return np.random.default_rng(sum(shape)).normal(size=shape).astype(np.float32)


def mesh(kind: AxisType, *axes: str) -> Any:
    shape = (N,) if len(axes) == 1 else (2, 2)
    return jax.make_mesh(shape, axes, axis_types=(kind,) * len(axes))


def put(on: Any, x: np.ndarray, *spec: str | None) -> Any:
    return jax.device_put(x, NamedSharding(on, P(*spec)))


def assert_alike(made: Any, wanted: Any) -> None:
    """Equal values, that lie alike on the mesh."""
    found, expected = jax.tree.leaves(made), jax.tree.leaves(wanted)
    assert len(found) == len(expected)
    for a, b in zip(found, expected, strict=True):
        np.testing.assert_allclose(a, b, **CLOSE)
        assert jax.typeof(a) == jax.typeof(b)


# -- collectives, in what each device differentiates and in what is differentiated of all of them ----------------------

PAIRS = [[0, 2], [3, 1]]
RING = [(k, (k + 1) % N) for k in range(N)]
COLLECTIVES: dict[str, Callable[[Any], Any]] = {
    "psum": lambda x: lax.psum(x, "d"),
    "pmean": lambda x: lax.pmean(x, "d"),
    "all_gather": lambda x: lax.all_gather(x, "d", axis=1),
    "tiled all_gather": lambda x: lax.all_gather(x, "d", tiled=True),
    "psum_scatter": lambda x: lax.psum_scatter(x, "d", tiled=True),
    "all_to_all": lambda x: lax.all_to_all(x, "d", 0, 1, tiled=True),
    "ppermute": lambda x: lax.ppermute(x, "d", RING),
    "ppermute to some": lambda x: lax.ppermute(x, "d", RING[:2]),
    "axis_index": lambda x: x * (1.0 + lax.axis_index("d")),
    "in a scan": lambda x: lax.scan(
        lambda c, _: (jnp.tanh(lax.ppermute(c, "d", RING) + lax.pmean(c, "d")), jnp.sum(c)), x, None, length=3
    )[0],
    "in a branch": lambda x: lax.cond(
        jnp.sum(lax.psum(x, "d")) > 0, lambda: lax.psum(x, "d"), lambda: lax.pmean(x, "d")
    ),
}
GROUPED: dict[str, Callable[[Any], Any]] = {
    "psum": lambda x: lax.psum(x, "d", axis_index_groups=PAIRS),
    "all_gather": lambda x: lax.all_gather(x, "d", axis_index_groups=PAIRS, tiled=True),
    "psum_scatter": lambda x: lax.psum_scatter(x, "d", axis_index_groups=PAIRS, tiled=True),
    "all_to_all": lambda x: lax.all_to_all(x, "d", 0, 1, axis_index_groups=PAIRS, tiled=True),
}


def local_loss(collective: Callable[[Any], Any], x: Any, w: Any) -> Any:
    y = collective(jnp.sin(x @ w))
    return jnp.sum(y * jnp.cos(jnp.arange(y.size, dtype=y.dtype)).reshape(y.shape))


def varies(x: Any) -> bool:
    return "d" in jax.typeof(x).mat.varying


def everywhere(api: Any, collective: Callable[[Any], Any], on: Any, checks: Sequence[bool]) -> Callable[..., Any]:
    """Derivatives inside a `shard_map` and of one, with and without JAX's types of what varies."""
    loss = partial(local_loss, collective)

    def inside(check: bool, x: Any, w: Any) -> Any:
        by_x, by_w = api.grad(loss, argnums=(0, 1))(x, w)
        return by_x, by_w if check and not varies(by_w) else lax.psum(by_w, "d")

    def total(check: bool, x: Any, w: Any) -> Any:
        y = loss(x, w)
        return y if check and not varies(y) else lax.psum(y, "d")

    def run(x: Any, w: Any) -> Any:
        made = []
        for check in checks:
            mapped = partial(jax.shard_map, mesh=on, in_specs=(P("d"), P()), check_vma=check)
            made.append(mapped(partial(inside, check), out_specs=(P("d"), P()))(x, w))
            made.append(api.grad(mapped(partial(total, check), out_specs=P()), argnums=(0, 1))(x, w))
        return made

    return jax.jit(run)


@pytest.mark.parametrize("name", COLLECTIVES)
def test_collectives(name: str) -> None:
    kind = KINDS[len(name) % 2]
    on = mesh(kind, "d")
    x, w = put(on, draw(16, 3), "d"), put(on, draw(3, 4))
    made, wanted = (everywhere(api, COLLECTIVES[name], on, (True, False))(x, w) for api in (ours, jax))
    assert_alike(made, wanted)
    assert all(g.sharding.is_equivalent_to(a.sharding, 2) for g, a in zip(made[1], (x, w), strict=True))


@pytest.mark.parametrize("name", GROUPED)
def test_among_groups(name: str) -> None:
    on = mesh(AxisType.Explicit, "d")
    x, w = put(on, draw(16, 3), "d"), put(on, draw(3, 4))
    assert_alike(*(everywhere(api, GROUPED[name], on, (False,))(x, w) for api in (ours, jax)))


@pytest.mark.parametrize("check", [True, False])
@pytest.mark.parametrize("reduce", ["pmax", "pmin"])
def test_extremes(reduce: str, check: bool) -> None:
    """JAX has no derivative of `pmax`: it is that of the greatest of all devices' values, by which they come."""
    on, x = mesh(AxisType.Explicit, "d"), draw(N, 3)

    def local(x: Any) -> Any:
        return jnp.sum(jnp.sin(getattr(lax, reduce)(x[0], "d")))

    mapped = jax.shard_map(local, mesh=on, in_specs=P("d"), out_specs=P(), check_vma=check)
    wanted = jax.grad(lambda x: jnp.sum(jnp.sin(getattr(jnp, reduce[1:])(x, 0))))(x)
    np.testing.assert_allclose(jax.jit(ours.grad(mapped))(put(on, x, "d")), wanted, **CLOSE)
    inside = jax.shard_map(ours.grad(local), mesh=on, in_specs=P("d"), out_specs=P("d"), check_vma=check)
    # Without JAX's types each device has a result of its own, and their sum is differentiated.
    np.testing.assert_allclose(jax.jit(inside)(put(on, x, "d")), wanted * (1 if check else N), **CLOSE)


def test_gathered_values_that_devices_share() -> None:
    on = mesh(AxisType.Explicit, "d")
    from jax._src.lax.parallel import all_gather_invariant  # which JAX has not made public yet

    def local(x: Any) -> Any:
        return jnp.sum(jnp.arange(8.0) * all_gather_invariant(jnp.sin(x), "d", tiled=True))

    mapped = jax.shard_map(local, mesh=on, in_specs=P("d"), out_specs=P())
    x = put(on, draw(8), "d")
    assert_alike(jax.jit(ours.grad(mapped))(x), jax.jit(jax.grad(mapped))(x))


def test_complex_sums(capfd: pytest.CaptureFixture[str]) -> None:
    """And nothing is said of functions that are not complete yet, whose constants are read."""
    on = mesh(AxisType.Auto, "d")
    x, w = put(on, draw(16, 3), "d"), put(on, draw(3, 4))

    def local(x: Any, w: Any) -> Any:
        return jnp.abs(lax.psum(jnp.sum(jnp.exp(1j * (x @ w))), "d"))

    mapped = jax.shard_map(local, mesh=on, in_specs=(P("d"), P()), out_specs=P())
    assert_alike(*(jax.jit(api.grad(mapped, argnums=(0, 1)))(x, w) for api in (ours, jax)))
    assert "error" not in capfd.readouterr().err


def test_under_pmap_and_vmap() -> None:
    x, w = draw(N, 4, 3), draw(3, 4)
    loss = partial(local_loss, COLLECTIVES["pmean"])
    for mapped in (jax.pmap, jax.vmap):
        made, wanted = (
            [
                mapped(api.grad(loss, argnums=(0, 1)), axis_name="d", in_axes=(0, None))(x, w),
                api.grad(lambda x, w: jnp.sum(mapped(loss, axis_name="d", in_axes=(0, None))(x, w)), (0, 1))(x, w),
            ]
            for api in (ours, jax)
        )
        for a, b in zip(jax.tree.leaves(made), jax.tree.leaves(wanted), strict=True):
            np.testing.assert_allclose(a, b, **CLOSE)


# -- higher orders and other transformations, inside -------------------------------------------------------------------


@jax.custom_jvp
def scaled(x: Any, w: Any) -> Any:
    return x * w


scaled.defjvp(lambda given, moved: (scaled(*given), moved[0] * given[1] + given[0] * moved[1]))


def mean_loss(w: Any, v: Any, x: Any) -> Any:
    return lax.pmean(jnp.mean(scaled(jax.nn.relu(x @ w) @ v, jnp.ones(4)) ** 2), "d")


STEPS: dict[str, Callable[[Any, Any, Any, Any], Any]] = {
    "grad": lambda m, w, v, x: m.grad(mean_loss)(w, v, x),
    "by what a rule's function shares": lambda m, w, v, x: (
        w * jnp.sum(m.grad(lambda s: lax.pmean(jnp.sum(scaled(x @ w @ v, s)), "d"))(jnp.ones(4)))
    ),
    "vjp": lambda m, w, v, x: (lambda y, pull: pull(y)[0])(*m.vjp(mean_loss, w, v, x)),
    "jvp": lambda m, w, v, x: w * m.jvp(lambda w: mean_loss(w, v, x), (w,), (w,))[1],
    "linearize": lambda m, w, v, x: w * m.linearize(lambda w: mean_loss(w, v, x), w)[1](w),
    "hvp": lambda m, w, v, x: m.jvp(m.grad(lambda w: mean_loss(w, v, x)), (w,), (w,))[1],
    "grad of grad": lambda m, w, v, x: m.grad(lambda w: jnp.sum(m.grad(mean_loss)(w, v, x) ** 2))(w),
    "JAX's grad of it": lambda m, w, v, x: jax.grad(lambda w: jnp.sum(m.grad(mean_loss)(w, v, x) ** 2))(w),
    "in a scan": lambda m, w, v, x: lax.scan(lambda w, _: (w - m.grad(mean_loss)(w, v, x), None), w, None, length=2)[0],
    "vmap": lambda m, w, v, x: jax.vmap(lambda s: m.grad(lambda w: mean_loss(w * s, v, x))(w))(jnp.arange(3.0))[1],
}


@pytest.mark.parametrize("check", [True, False])
def test_transformations_inside(check: bool) -> None:
    on = mesh(AxisType.Explicit, "d")
    given = put(on, draw(3, 8)), put(on, draw(8, 4)), put(on, draw(8, 3), "d")

    def run(api: Any) -> Any:
        def steps(w: Any, v: Any, x: Any) -> Any:
            made = [step(api, w, v, x) for step in STEPS.values()]
            return made if check else [lax.pmean(g, "d") for g in made]

        mapped = jax.shard_map(steps, mesh=on, in_specs=(P(), P(), P("d")), out_specs=P(), check_vma=check)
        return jax.jit(mapped)(*given)

    for name, a, b in zip(STEPS, run(ours), run(jax), strict=True):
        np.testing.assert_allclose(a, b, **CLOSE, err_msg=name)


# -- how gradients lie on a mesh ---------------------------------------------------------------------------------------


def network(on: Any, x: Any, w: Any, v: Any) -> Any:
    kept = {"out_sharding": NamedSharding(on, P("d", None))} if on.axis_types[0] == AxisType.Explicit else {}
    h = jax.nn.gelu(jax.nn.relu(x @ w))
    return jax.nn.logsumexp(jnp.dot(h, v, **kept))


def parallel_network(on: Any, x: Any, w: Any, v: Any) -> Any:
    def local(x: Any, w: Any, v: Any) -> Any:
        return lax.psum(jax.nn.relu(x @ w) @ v, "m")

    y = jax.shard_map(local, mesh=on, in_specs=(P("d"), P(None, "m"), P("m")), out_specs=P("d"))(x, w, v)
    return jnp.mean(y**2)


def partly_manual(on: Any, x: Any, w: Any, v: Any) -> Any:
    def local(x: Any, w: Any) -> Any:
        return lax.pmean(jnp.mean(jax.nn.relu(x @ w) ** 2), "d")

    return jax.shard_map(local, mesh=on, in_specs=(P("d"), P()), out_specs=P(), axis_names={"d"})(x, w) + jnp.sum(v)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("fun", [network, parallel_network, partly_manual])
def test_gradients_lie_as_arguments_do(fun: Callable[..., Any], kind: AxisType) -> None:
    on = mesh(kind, "d", "m")
    given = put(on, draw(8, 4), "d", None), put(on, draw(4, 8), None, "m"), put(on, draw(8, 6), "m", None)
    for wrap in (jax.jit, lambda f: f) if fun is network else (jax.jit,):
        with jax.set_mesh(on):
            loss = partial(fun, on)
            made, wanted = (wrap(api.grad(loss, argnums=(0, 1, 2)))(*given) for api in (ours, jax))
        for gradient, by_jax, argument in zip(made, wanted, given, strict=True):
            np.testing.assert_allclose(gradient, by_jax, **CLOSE)
            assert gradient.sharding.is_equivalent_to(argument.sharding, argument.ndim)
            assert jax.typeof(gradient) == jax.typeof(argument)


def test_transformations_on_an_explicit_mesh() -> None:
    on = mesh(AxisType.Explicit, "d", "m")
    x, w, v = put(on, draw(8, 4), "d", None), put(on, draw(4, 8), None, "m"), put(on, draw(8, 6), "m", None)
    loss = partial(parallel_network, on)

    def run(m: Any, x: Any, w: Any, v: Any) -> Any:
        by_row = m.grad(lambda x, w: jnp.sum(jnp.tanh(x @ w) ** 2), argnums=(0, 1))
        return (
            (lambda y, pull: pull(y))(*m.vjp(loss, x, w, v)),
            m.jvp(m.grad(loss, argnums=1), (x, w, v), (x, w, v)),
            m.grad(lambda w: jnp.sum(m.grad(loss, argnums=1)(x, w, v) ** 2))(w),
            m.linearize(loss, x, w, v)[1](x, w, v),
            jax.vmap(by_row, in_axes=(0, None))(x, w),  # rows of which each device has some
            m.jacrev(lambda x: jnp.sum(jnp.tanh(x), 0))(x),
        )

    made, wanted = (jax.jit(partial(run, api))(x, w, v) for api in (ours, jax))
    assert_alike(made, wanted)


def test_loops_and_branches_on_automatic_axes() -> None:
    on = mesh(AxisType.Auto, "d", "m")
    x, w = put(on, draw(8, 4), "d", None), put(on, draw(3, 4, 4), None, None, "m")

    def loss(x: Any, w: Any) -> Any:
        y = lax.scan(lambda c, w: (jnp.tanh(c @ w), None), x, w)[0]
        return jnp.sum(lax.cond(jnp.sum(x) > 0, jnp.sin, jnp.cos, y))

    made, wanted = (jax.jit(api.grad(loss, argnums=(0, 1)))(x, w) for api in (ours, jax))
    for gradient, by_jax, argument in zip(made, wanted, (x, w), strict=True):
        np.testing.assert_allclose(gradient, by_jax, **CLOSE)
        assert gradient.sharding.is_equivalent_to(argument.sharding, argument.ndim)


# -- what is sent ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("fun", [network, parallel_network])
def test_no_more_is_sent_than_by_jax(fun: Callable[..., Any]) -> None:
    on = mesh(AxisType.Explicit, "d", "m")
    given = put(on, draw(8, 4), "d", None), put(on, draw(4, 8), None, "m"), put(on, draw(8, 6), "m", None)

    def collectives(api: Any) -> int:
        text = jax.jit(api.grad(partial(fun, on), argnums=(1, 2))).lower(*given).compile().as_text()
        return sum(text.count(f" {kind}(") for kind in ("all-reduce", "all-gather", "all-to-all", "collective-permute"))

    with jax.set_mesh(on):
        assert 0 < collectives(ours) <= collectives(jax)
