"""One training step over four devices, by collectives and by sharding annotations, against one device."""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax.sharding import AxisType, NamedSharding
from jax.sharding import PartitionSpec as P

import gradir
import gradir.jax

DEVICES, BATCH, N, M = 4, 8, 6, 3
RATE = 0.5


def loss(w: jax.Array, x: jax.Array, y: jax.Array) -> jax.Array:
    return jnp.mean((jnp.tanh(x @ w) - y) ** 2)


@pytest.fixture
def data() -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    rng = np.random.default_rng(0)
    return tuple(rng.normal(size=s).astype(np.float32) for s in ((N, M), (BATCH, N), (BATCH, M)))  # type: ignore[return-value]


# A device's own loss, and a step that averages gradients over the devices. The derivative is asked for in MLIR.
LOCAL_LOSS = f"""
func.func private @loss(%w: tensor<{N}x{M}xf32>, %x: tensor<2x{N}xf32>, %y: tensor<2x{M}xf32>) -> tensor<f32> {{
  %p = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0]
    : (tensor<2x{N}xf32>, tensor<{N}x{M}xf32>) -> tensor<2x{M}xf32>
  %t = stablehlo.tanh %p : tensor<2x{M}xf32>
  %d = stablehlo.subtract %t, %y : tensor<2x{M}xf32>
  %s = stablehlo.multiply %d, %d : tensor<2x{M}xf32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %sum = stablehlo.reduce(%s init: %zero) applies stablehlo.add across dimensions = [0, 1]
    : (tensor<2x{M}xf32>, tensor<f32>) -> tensor<f32>
  %n = stablehlo.constant dense<{2 * M}.0> : tensor<f32>
  %mean = stablehlo.divide %sum, %n : tensor<f32>
  return %mean : tensor<f32>
}}
"""


def all_reduce(name: str, value: str, shape: str) -> str:
    """The mean of a value over the devices."""
    return f"""
  %{name}_sum = "stablehlo.all_reduce"({value}) ({{
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %c = stablehlo.add %a, %b : tensor<f32>
      stablehlo.return %c : tensor<f32>
  }}) {{replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>}} : ({shape}) -> {shape}
  %{name}_four = stablehlo.constant dense<4.0> : {shape}
  %{name} = stablehlo.divide %{name}_sum, %{name}_four : {shape}
"""


def gradient(function: str) -> str:
    return f"""
  %one = stablehlo.constant dense<1.0> : tensor<f32>
  %g = enzyme.autodiff @{function}(%w, %x, %y, %one) {{
    activity = [#enzyme<activity enzyme_active>, #enzyme<activity enzyme_const>, #enzyme<activity enzyme_const>],
    ret_activity = [#enzyme<activity enzyme_activenoneed>]
  }} : (tensor<{N}x{M}xf32>, tensor<2x{N}xf32>, tensor<2x{M}xf32>, tensor<f32>) -> tensor<{N}x{M}xf32>
"""


ARGUMENTS = f"%w: tensor<{N}x{M}xf32>, %x: tensor<2x{N}xf32>, %y: tensor<2x{M}xf32>"

OUTSIDE = f"""
module attributes {{mhlo.num_replicas = 4 : i32}} {{
{LOCAL_LOSS}
func.func @gradient({ARGUMENTS}) -> tensor<{N}x{M}xf32> {{
  {gradient("loss")}
  {all_reduce("mean", "%g", f"tensor<{N}x{M}xf32>")}
  return %mean : tensor<{N}x{M}xf32>
}}
}}
"""

# The loss itself is the mean over all devices, and the derivative goes through the all_reduce. It is the derivative of
# the sum of what the devices return: four times the mean loss, by each device's own copy of the weights.
THROUGH = f"""
module attributes {{mhlo.num_replicas = 4 : i32}} {{
{LOCAL_LOSS}
func.func private @mean_loss({ARGUMENTS}) -> tensor<f32> {{
  %local = func.call @loss(%w, %x, %y)
    : (tensor<{N}x{M}xf32>, tensor<2x{N}xf32>, tensor<2x{M}xf32>) -> tensor<f32>
  {all_reduce("mean", "%local", "tensor<f32>")}
  return %mean : tensor<f32>
}}
func.func @gradient({ARGUMENTS}) -> tensor<{N}x{M}xf32> {{
  {gradient("mean_loss")}
  {all_reduce("averaged", "%g", f"tensor<{N}x{M}xf32>")}
  return %averaged : tensor<{N}x{M}xf32>
}}
}}
"""


@pytest.mark.parametrize("text", [OUTSIDE, THROUGH], ids=["gradients are reduced", "the loss is reduced"])
def test_by_all_reduce(text: str, data: tuple[np.ndarray, np.ndarray, np.ndarray]) -> None:
    w, x, y = data
    expected = jax.grad(loss)(w, x, y)
    got = gradir.load(text).lower().run("gradient", [w] * DEVICES, np.split(x, DEVICES), np.split(y, DEVICES))
    assert len(got) == DEVICES
    for on_device in got:
        np.testing.assert_allclose(on_device, expected, rtol=1e-5, atol=1e-7)  # f32, other order of summation


def mesh() -> jax.sharding.Mesh:
    return jax.make_mesh((DEVICES,), ("batch",), axis_types=(AxisType.Auto,))


def test_by_sharding_annotations(data: tuple[np.ndarray, np.ndarray, np.ndarray]) -> None:
    w, x, y = data
    split, whole = NamedSharding(mesh(), P("batch")), NamedSharding(mesh(), P())

    def constrained(w: jax.Array, x: jax.Array, y: jax.Array) -> jax.Array:
        h = jax.lax.with_sharding_constraint(jnp.tanh(x @ w), split)
        return jnp.mean((h - y) ** 2)

    def step(w: jax.Array, x: jax.Array, y: jax.Array) -> jax.Array:
        return w - RATE * gradir.jax.grad(constrained)(w, x, y)

    compiled = jax.jit(step, in_shardings=(whole, split, split), out_shardings=whole).lower(w, x, y).compile()
    assert "all-reduce" in compiled.as_text()  # XLA's partitioner has split the batch
    got = compiled(*(jax.device_put(a, s) for a, s in zip(data, (whole, split, split), strict=True)))
    np.testing.assert_allclose(got, w - RATE * jax.grad(loss)(w, x, y), rtol=1e-5, atol=1e-7)


def test_a_saved_sharded_module_keeps_its_annotations(data: tuple[np.ndarray, np.ndarray, np.ndarray]) -> None:
    w, x, y = data
    split, whole = NamedSharding(mesh(), P("batch")), NamedSharding(mesh(), P())
    arguments = [jax.device_put(a, s) for a, s in zip(data, (whole, split, split), strict=True)]
    lowered = jax.jit(loss, in_shardings=(whole, split, split)).lower(*arguments)
    module = gradir.load(lowered).grad("main")
    text = str(module)
    assert "sdy.mesh" in text or "mhlo.sharding" in text
    header = next(line for line in text.splitlines() if "@grad_main" in line)
    assert header.count("sharding") >= 3, "the derivative's arguments are sharded as the function's are"
    np.testing.assert_allclose(
        np.asarray(module.run("grad_main", w, x, y)), jax.grad(loss)(w, x, y), rtol=1e-5, atol=1e-7
    )


@pytest.mark.parametrize("jit", [True, False])
def test_of_shard_map(jit: bool, data: tuple[np.ndarray, np.ndarray, np.ndarray]) -> None:
    def local(w: jax.Array, x: jax.Array, y: jax.Array) -> jax.Array:
        return jax.lax.pmean(loss(w, x, y), "batch")

    mean = jax.shard_map(local, mesh=mesh(), in_specs=(P(), P("batch"), P("batch")), out_specs=P())
    gradient = gradir.jax.grad(mean)
    got = (jax.jit(gradient) if jit else gradient)(*data)
    np.testing.assert_allclose(got, jax.grad(loss)(*data), rtol=1e-5, atol=1e-7)


def test_inside_shard_map(data: tuple[np.ndarray, np.ndarray, np.ndarray]) -> None:
    """As in JAX, the gradient by weights that all devices share is the sum of what the devices find."""

    def step(grad: Any) -> jax.Array:
        mapped = jax.shard_map(
            lambda w, x, y: grad(loss)(w, x, y) / DEVICES,
            mesh=mesh(),
            in_specs=(P(), P("batch"), P("batch")),
            out_specs=P(),
        )
        return jax.jit(mapped)(*data)

    got = step(gradir.jax.grad)
    np.testing.assert_allclose(got, step(jax.grad), rtol=1e-5, atol=1e-7)
    np.testing.assert_allclose(got, jax.grad(loss)(*data), rtol=1e-5, atol=1e-7)
