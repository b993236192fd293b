"""Sharding constraints that say nothing new, between ops and in the computations of reductions."""

from __future__ import annotations

import jax
import jax.numpy as jnp
import numpy as np
from jax.sharding import PartitionSpec as P

import gradir
import gradir.jax
from gradir.tensor.analysis.computation import single_op
from gradir.tensor.ir.module import operations, parse
from gradir.tensor.optimize.annotations import drop_implied

MESH = 'sdy.mesh @mesh = <["d"=2, "m"=2]>'


def shardings(body: str) -> list[str]:
    """The constraints that are left of those in a function of an 8 by 8 matrix."""
    module = parse(f"""module {{ {MESH}
      func.func @f(%x: tensor<8x8xf32>) -> tensor<8x8xf32> {{ {body} }} }}""")
    with module.context:
        drop_implied(module)
        assert module.operation.verify()
    return [str(op.attributes["sharding"]) for op in operations(module) if op.name == "sdy.sharding_constraint"]


def constraint(result: str, x: str, dims: str, t: str = "tensor<8x8xf32>") -> str:
    return f"{result} = sdy.sharding_constraint {x} <@mesh, {dims}> : {t}\n"


def test_what_says_nothing_goes() -> None:
    assert not shardings(constraint("%0", "%x", "[{?}, {?}]") + "return %0 : tensor<8x8xf32>")


def test_of_what_follows_the_first_stays() -> None:
    chain = (
        constraint("%0", "%x", '[{"d"}, {}]')
        + "%1 = stablehlo.tanh %0 : tensor<8x8xf32>\n"
        + constraint("%2", "%1", '[{"d"}, {}]')
        + "%3 = stablehlo.multiply %2, %0 : tensor<8x8xf32>\n"
        + constraint("%4", "%3", '[{"d"}, {}]')
        + "return %4 : tensor<8x8xf32>"
    )
    assert len(shardings(chain)) == 1


def test_what_says_something_stays() -> None:
    other = (
        constraint("%0", "%x", '[{"d"}, {}]')
        + "%1 = stablehlo.tanh %0 : tensor<8x8xf32>\n"
        + constraint("%2", "%1", '[{"d"}, {"m"}]')
        + "%3 = stablehlo.transpose %2, dims = [1, 0] : (tensor<8x8xf32>) -> tensor<8x8xf32>\n"
        + constraint("%4", "%3", '[{"d"}, {"m"}]')
        + "%5 = stablehlo.add %4, %x : tensor<8x8xf32>\n"
        + constraint("%6", "%5", '[{"d"}, {"m"}]')
        + "return %6 : tensor<8x8xf32>"
    )
    assert len(shardings(other)) == 4


SUM = f"""module attributes {{mhlo.num_partitions = 4 : i32}} {{ {MESH}
  func.func public @f(%x: tensor<4xf32>) -> tensor<4xf32> {{
    %0 = "stablehlo.all_reduce"(%x) <{{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>,
        replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>, use_global_device_ids}}> ({{
      ^bb0(%a: tensor<f32>, %b: tensor<f32>):
        %c = stablehlo.add %a, %b : tensor<f32>
        %d = sdy.sharding_constraint %c <@mesh, []> : tensor<f32>
        stablehlo.return %d : tensor<f32>
    }}) : (tensor<4xf32>) -> tensor<4xf32>
    return %0 : tensor<4xf32>
  }}
}}"""


def test_a_sum_is_known_with_a_constraint_in_it() -> None:
    module = parse(SUM)
    found = [op for op in operations(module) if op.name == "stablehlo.all_reduce"]
    assert [single_op(op.regions[0]) for op in found] == ["stablehlo.add"]
    assert "all_gather" not in str(gradir.load(SUM).vjp("f"))


ATTRIBUTES = f"""module attributes {{mhlo.num_partitions = 4 : i32}} {{ {MESH}
  func.func private @g(%x: tensor<8x4xf32> {{sdy.sharding = #sdy.sharding<@mesh, [{{"d"}}, {{}}]>}})
      -> (tensor<8x4xf32> {{sdy.sharding = #sdy.sharding<@mesh, [{{"d"}}, {{}}]>}}) {{
    %0 = stablehlo.sine %x : tensor<8x4xf32>
    return %0 : tensor<8x4xf32>
  }}
  func.func public @f(%x: tensor<8x4xf32> {{sdy.sharding = #sdy.sharding<@mesh, [{{"d"}}, {{}}]>}}) -> tensor<f32> {{
    %i = stablehlo.constant dense<0> : tensor<i32>
    %r:2 = stablehlo.while(%k = %i, %c = %x) : tensor<i32>, tensor<8x4xf32>
        attributes {{sdy.sharding = #sdy.sharding_per_value<[<@mesh, []>, <@mesh, [{{"d"}}, {{}}]>]>}}
    cond {{
      %n = stablehlo.constant dense<40> : tensor<i32>
      %p = stablehlo.compare LT, %k, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %p : tensor<i1>
    }} do {{
      %one = stablehlo.constant dense<1> : tensor<i32>
      %k1 = stablehlo.add %k, %one : tensor<i32>
      %y = func.call @g(%c) {{sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{{"d"}}, {{}}]>]>}}
        : (tensor<8x4xf32>) -> tensor<8x4xf32>
      %z = stablehlo.multiply %y, %x {{sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{{"d"}}, {{}}]>]>}}
        : tensor<8x4xf32>
      stablehlo.return %k1, %z : tensor<i32>, tensor<8x4xf32>
    }}
    %m = sdy.named_computation<"layer">(%r#1)
        in_shardings=[<@mesh, [{{"d"}}, {{}}]>] out_shardings=[<@mesh, [{{"d"}}, {{"m"}}]>] (%a: tensor<8x4xf32>) {{
      %b = stablehlo.cosine %a : tensor<8x4xf32>
      sdy.return %b : tensor<8x4xf32>
    }} : (tensor<8x4xf32>) -> tensor<8x4xf32>
    %zero = stablehlo.constant dense<0.0> : tensor<f32>
    %s = stablehlo.reduce(%m init: %zero) applies stablehlo.add across dimensions = [0, 1]
      : (tensor<8x4xf32>, tensor<f32>) -> tensor<f32>
    return %s : tensor<f32>
  }}
}}"""


def test_attributes_of_loops_calls_and_named_computations() -> None:
    """In every mode, with results of other shapes and numbers than those that the attributes were written for."""

    def f(x: jax.Array) -> jax.Array:
        return jnp.sum(jnp.cos(jax.lax.fori_loop(0, 40, lambda _, c: jnp.sin(c) * x, x)))

    module, xs = gradir.load(ATTRIBUTES), np.random.default_rng(0).normal(size=(3, 8, 4)).astype(np.float32)
    x, along = xs[0], xs[1]
    close = {"rtol": 1e-4, "atol": 1e-5}  # forty rounds of float32
    np.testing.assert_allclose(module.grad("f").run("grad_f", x), jax.grad(f)(x), **close)
    np.testing.assert_allclose(module.jvp("f").run("jvp_f", x, along)[1], jax.jvp(f, (x,), (along,))[1], **close)
    np.testing.assert_allclose(module.batch("f", 3).run("batch_f", xs), jax.vmap(f)(xs), **close)


def test_a_loop_between_open_constraints_is_counted() -> None:
    """JAX writes constraints that say nothing into a `shard_map` over some axes: its counter is still one."""
    mesh = jax.make_mesh((2, 2), ("d", "m"), axis_types=(jax.sharding.AxisType.Auto,) * 2)

    def local(x: jax.Array) -> jax.Array:
        return jax.lax.scan(lambda c, _: (jnp.sin(c), None), x, None, length=5)[0]

    mapped = jax.shard_map(local, mesh=mesh, in_specs=P("d"), out_specs=P("d"), axis_names={"d"})
    x = np.arange(8, dtype=np.float32)
    lowered = jax.jit(mapped).lower(x)
    assert "sharding_constraint" in lowered.as_text()
    made = str(gradir.load(lowered).vjp())
    assert "sharding_constraint" not in made
    assert "tensor<5x4xf32>" in made, "what each of five rounds begins with is kept, and not that of 64"
    np.testing.assert_allclose(
        jax.jit(gradir.jax.grad(lambda x: jnp.sum(mapped(x))))(x), jax.grad(lambda x: jnp.sum(local(x)))(x), rtol=1e-6
    )
