"""Sharding constraints that say nothing new, between ops and in the computations of reductions."""

from __future__ import annotations

import gradir
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
