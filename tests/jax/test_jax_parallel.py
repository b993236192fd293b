"""Pipelines and experts: the numbers and gradients of one device, on a mesh of four, and no more sent than by JAX.

Default precision: sums of some dozens of numbers of size 1 in another order (`CLOSE`).
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax.sharding import AxisType, NamedSharding
from jax.sharding import PartitionSpec as P

import gradir.jax as ours
from gradir.backends.hlo import collectives
from gradir.errors import InputError

pytestmark = pytest.mark.skipif(jax.device_count() < 4, reason="needs four devices")

CLOSE = {"rtol": 2e-4, "atol": 1e-6}
Tree = Any


def draw(*shape: int) -> np.ndarray:
    return (np.random.default_rng(sum(shape)).normal(size=shape) / 2).astype(np.float32)


def block(x: Any, p: Any, scale: Any) -> Any:
    """Of which the derivative at zero is no number."""
    return x + jnp.tanh(x / jnp.sqrt(jnp.mean(x * x, -1, keepdims=True)) @ p["w"]) * p["gain"] * scale


def expert(tokens: Any, p: Any) -> Any:
    return jax.nn.relu(tokens @ p["up"]) @ p["down"]


def piped(blocks: Tree, x: Any, scale: Any, *, parts: int | None = None) -> Any:
    return jnp.mean(ours.pipeline(block, x, blocks, scale, parts=parts) ** 2)


def mixed(weights: Tree, x: Any, router: Any) -> Any:
    return jnp.mean((x + ours.experts(expert, x, weights, x @ router)) ** 2)


def both(weights: Tree, x: Any, router: Any) -> Any:
    def layer(x: Any, p: Any, router: Any) -> Any:
        return x + ours.experts(expert, x, p, x @ router)

    return jnp.mean(ours.pipeline(layer, x, weights, router) ** 2)


BLOCKS = {"w": draw(4, 6, 6), "gain": draw(4, 6)}
EXPERTS = {"up": draw(4, 6, 12), "down": draw(4, 12, 6)}
PROGRAMS: dict[str, tuple[Callable[..., Any], tuple[Any, ...], tuple[int, ...], tuple[str, ...], P, P]] = {
    "pipeline": (piped, (BLOCKS, draw(8, 3, 6), draw(6)), (2, 2), ("data", "stage"), P("stage"), P("data")),
    "more parts": (
        partial(piped, parts=4),
        (BLOCKS, draw(8, 3, 6), draw(6)),
        (2, 2),
        ("data", "stage"),
        P("stage"),
        P("data"),
    ),
    "experts": (
        mixed,
        (EXPERTS, draw(8, 3, 6), draw(6, 4)),
        (2, 2),
        ("expert", "data"),
        P("expert"),
        P(("expert", "data")),
    ),
}


def placed(mesh: Any, arguments: tuple[Any, ...], weights: P, batch: P) -> tuple[Any, ...]:
    specs = (weights, batch, P())
    return tuple(
        jax.tree.map(lambda v, s=s: jax.device_put(v, NamedSharding(mesh, s)), a)
        for a, s in zip(arguments, specs, strict=True)
    )


def assert_close(made: Tree, wanted: Tree) -> None:
    jax.tree.map(lambda a, b: np.testing.assert_allclose(a, b, **CLOSE), made, wanted)


@pytest.mark.parametrize("kind", [AxisType.Auto, AxisType.Explicit])
@pytest.mark.parametrize("name", PROGRAMS)
def test_gradients_are_those_of_one_device(name: str, kind: AxisType) -> None:
    loss, arguments, sizes, axes, weights, batch = PROGRAMS[name]
    wanted = jax.jit(jax.value_and_grad(loss, argnums=(0, 1, 2)))(*arguments)
    mesh = jax.make_mesh(sizes, axes, axis_types=(kind,) * len(axes))
    given = placed(mesh, arguments, weights, batch)
    with jax.set_mesh(mesh):
        mine, jaxs = (
            jax.jit(api.value_and_grad(loss, argnums=(0, 1, 2))).lower(*given).compile() for api in (ours, jax)
        )
        made = mine(*given)
    assert_close(made, wanted)
    for gradient, argument in zip(jax.tree.leaves(made[1]), jax.tree.leaves(given), strict=True):
        assert gradient.sharding.is_equivalent_to(argument.sharding, argument.ndim)
    sent, by_jax = (collectives(run.as_text()) for run in (mine, jaxs))
    assert 0 < sum(c.bytes * c.times for c in sent) <= sum(c.bytes * c.times for c in by_jax)
    kinds = {c.kind for c in sent}
    assert ("collective-permute" if "stage" in axes else "all-to-all") in kinds
    assert "all-gather" not in kinds
    sums = [c for c in sent if c.kind == "all-reduce"]
    assert all(c.times == 1 for c in sums) and len(sums) <= 4, "gradients are summed over the data after all rounds"


def test_experts_in_a_pipeline() -> None:
    """Which JAX's own `grad` can't lower."""
    arguments = ({"up": draw(2, 4, 6, 12), "down": draw(2, 4, 12, 6)}, draw(8, 3, 6), draw(6, 4))
    mesh = jax.make_mesh((2, 2), ("stage", "expert"), axis_types=(AxisType.Auto,) * 2)
    given = placed(mesh, arguments, P("stage", "expert"), P("expert"))
    with jax.set_mesh(mesh):
        made = jax.jit(ours.value_and_grad(both, argnums=(0, 1, 2)))(*given)
    assert_close(made, jax.jit(jax.value_and_grad(both, argnums=(0, 1, 2)))(*arguments))


def test_of_two_tokens_for_one_place_the_first_has_it() -> None:
    x, scores = jnp.ones((1, 4, 2)), jnp.array([[[1.0, 0.0], [1.0, 0.0], [1.0, 0.0], [0.0, 1.0]]])
    share = np.exp(1) / (1 + np.exp(1))
    made = ours.experts(lambda t, w: t * w, x, jnp.array([1.0, 3.0]), scores, capacity=1.0)
    np.testing.assert_allclose(made[0, :, 0], [share, share, 0, 3 * share], rtol=1e-6)


@pytest.mark.parametrize(
    ("ask", "message"),
    [
        (lambda: piped({"w": draw(3, 6, 6), "gain": draw(3, 6)}, draw(8, 6), draw(6)), "3 blocks can't be split over"),
        (lambda: piped(BLOCKS, draw(5, 6), draw(6)), "a batch of 5 can't go through a pipeline in 2 equal parts"),
        (lambda: piped({"w": draw(4, 6, 6), "gain": draw(2, 6)}, draw(8, 6), draw(6)), "arrays of blocks begin with"),
        (lambda: mixed({"up": draw(3, 6, 2), "down": draw(3, 2, 6)}, draw(8, 3, 6), draw(6, 3)), "3 experts and a"),
        (lambda: mixed(EXPERTS, draw(8, 3, 6), draw(6, 5)), "don't fit 4 experts"),
        (
            lambda: jax.shard_map(
                lambda x: piped(BLOCKS, x, draw(6)), in_specs=P(), out_specs=P(), axis_names={"stage"}
            )(draw(8, 6)),
            "inside of a shard_map over 'stage'",
        ),
    ],
)
def test_what_does_not_fit_is_refused(ask: Callable[[], Any], message: str) -> None:
    mesh = jax.make_mesh((2, 2), ("stage", "expert"), axis_types=(AxisType.Auto,) * 2)
    with jax.set_mesh(mesh), pytest.raises(InputError, match=message):
        ask()
