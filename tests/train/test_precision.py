"""Gradient accumulation, and mixed precision with loss scaling, against training in plain JAX."""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from gradir import train
from gradir.errors import InputError
from gradir.train import loss_scaling
from gradir.train.mesh import Layout
from gradir.train.sharded import ShardedLoop

RNG = np.random.default_rng(0)
W = {"up": RNG.normal(size=(6, 8)).astype("f"), "down": RNG.normal(size=(8, 3)).astype("f")}
DATA = {"x": RNG.normal(size=(24, 6)).astype("f"), "y": RNG.normal(size=(24, 3)).astype("f")}


def loss(p: Any, x: Any, y: Any) -> Any:
    return jnp.mean((jnp.tanh(x @ p["up"]) @ p["down"] - y) ** 2)


TASK = train.Task("t", loss, ["p", "x", "y"], {"p": W}, DATA)
RECIPE = train.Recipe(optimizer="momentum", rate=0.05, epochs=5, batch=12)


@pytest.mark.parametrize("parts", [2, 3, 12])
def test_parts_of_a_batch_add_up(parts: int) -> None:
    whole, made = train.run(TASK, RECIPE), train.run(TASK, RECIPE.with_(accumulate=parts))
    np.testing.assert_allclose(made.losses, whole.losses, rtol=1e-5)  # means in another order, ten steps
    jax.tree.map(lambda a, b: np.testing.assert_allclose(a, b, rtol=1e-4, atol=1e-5), made.parameters, whole.parameters)


@pytest.mark.skipif(jax.device_count() < 2, reason="needs two devices")
def test_parts_on_a_mesh() -> None:
    loop = ShardedLoop(TASK, RECIPE.with_(accumulate=3), Layout.of((2,)))
    np.testing.assert_allclose(loop.advance(loop.start(), 10).losses, train.run(TASK, RECIPE).losses, rtol=1e-5)
    with pytest.raises(InputError, match="a batch of 1 can't be split over 2"):
        ShardedLoop(TASK, RECIPE.with_(accumulate=12), Layout.of((2,)))


def test_each_part_has_a_key_of_its_own() -> None:
    def noise(w: Any, x: Any, key: Any) -> Any:
        return jnp.mean(w * 0 + jax.random.normal(key, ()) ** 2 + 0 * x)

    task = train.Task("n", noise, ["w", "x", "key"], {"w": np.float32(1)}, {"x": np.zeros(4, "f")})
    one = jax.random.fold_in(jax.random.key(0), 0)
    wanted = np.mean([jax.random.normal(jax.random.fold_in(one, k), ()) ** 2 for k in range(2)])
    np.testing.assert_allclose(train.run(task, train.Recipe(accumulate=2)).losses[0], wanted, rtol=1e-6)


@pytest.mark.parametrize("precision", ["bfloat16", "float16"])
def test_half_precision_against_jax(precision: str) -> None:
    """The loss in 16 bits, parameters in 32: as JAX has it, step by step."""
    recipe = train.Recipe(optimizer="sgd", rate=0.05, epochs=6, precision=precision, shuffle=False)
    made = train.run(TASK, recipe)
    low = jnp.dtype(precision)
    scale = loss_scaling.FIRST if precision == "float16" else 1.0

    def lowered(p: Any) -> Any:
        p, d = jax.tree.map(lambda x: jnp.asarray(x).astype(low), (p, DATA))
        value = loss(p, **d).astype(jnp.float32)
        return value * scale, value

    p, losses = W, []
    for _ in range(6):
        (_, value), g = jax.value_and_grad(lowered, has_aux=True)(p)
        losses.append(float(value))
        p = jax.tree.map(lambda a, b: a - 0.05 * b / scale, p, g)
    assert all(x.dtype == jnp.float32 for x in jax.tree.leaves(made.parameters))
    rtol = 8 * float(jnp.finfo(low).eps)  # a few roundings in 16 bits, which compilers may leave out
    np.testing.assert_allclose(made.losses, losses, rtol=rtol)
    np.testing.assert_allclose(made.losses, train.run(TASK, recipe.with_(precision="float32")).losses, rtol=2 * rtol)


def test_small_gradients_live_by_the_scale() -> None:
    """Of a gradient below what 16 bits hold, nothing is left without a scale."""
    task = train.Task("s", lambda w, x: jnp.sum(x * jnp.sin(x * w)), ["w", "x"], {"w": np.float32(1)},
                      {"x": np.full(1, 1e-4, "f")})  # fmt: skip
    state = train.run(task, train.Recipe(optimizer="sgd", rate=1e6, epochs=1, precision="float16"))
    np.testing.assert_allclose(1 - state.parameters["w"], 1e-2, rtol=2e-3)  # of 11 bits
    assert jnp.float16(1e-4) * jnp.float16(1e-4) == 0


def test_an_overflow_changes_the_scale_alone() -> None:
    """At the first scale 100 squared overflows; the scale falls until the step can be made, and then it is right."""
    task = train.Task("o", lambda w, x: jnp.mean((100.0 * w) * x), ["w", "x"], {"w": np.float32(1)},
                      {"x": np.ones(1, "f")})  # fmt: skip
    loop = train.Loop(task, train.Recipe(optimizer="sgd", rate=1e-3, epochs=12, precision="float16"))
    state, seen = loop.start(), []
    for _ in range(12):
        state = loop.advance(state, 1)
        seen.append((float(state.optimizer["scale"]), float(state.parameters["w"])))
    skipped = [scale for scale, w in seen if w == 1]
    assert skipped == [2.0**15 / 2**k for k in range(1, len(skipped) + 1)] and skipped
    assert 100 * skipped[-1] < 65504 <= 200 * skipped[-1]
    np.testing.assert_allclose(seen[-1][1], 1 - 0.1 * (12 - len(skipped)), rtol=1e-5)


def test_the_scale_grows_back(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(loss_scaling, "PERIOD", 3)
    state = {"scale": jnp.float32(4), "quiet": jnp.int32(0)}
    seen = []
    for _ in range(7):
        _, state = loss_scaling.update(lambda p, g, s, r: (p, s), jnp.ones(2), jnp.ones(2), state, 1.0)
        seen.append(float(state["scale"]))
    assert seen == [4, 4, 8, 8, 8, 16, 16]


def test_what_is_no_number_at_scale_one_shows() -> None:
    state = {"scale": jnp.float32(1), "quiet": jnp.int32(0)}
    made, _ = loss_scaling.update(lambda p, g, s, r: (p - g, s), jnp.ones(2), jnp.array([1.0, jnp.nan]), state, 1.0)
    assert bool(jnp.isnan(made[1]))


@pytest.mark.parametrize(
    ("settings", "message"), [({"precision": "int8"}, "no precision"), ({"accumulate": 0}, "part")]
)
def test_bad_settings(settings: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError, match=message):
        train.Recipe(**settings)


def test_parts_that_are_not_equal() -> None:
    with pytest.raises(InputError, match="a batch of 12 can't be computed in 5 equal parts"):
        train.Loop(TASK, RECIPE.with_(accumulate=5))
