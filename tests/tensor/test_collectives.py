"""Programs for four devices: what `cases/collectives.py` can't say, and whole steps of training."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax.sharding import AxisType, NamedSharding
from jax.sharding import PartitionSpec as P

import gradir

DEVICES = 4
QUICK = {"xla_backend_optimization_level": "0", "xla_llvm_disable_expensive_passes": "True"}

Devices = list[np.ndarray]
"""One array for each device."""


def run(module: gradir.Module, function: str, *arguments: Devices) -> list[Devices]:
    """The results of a program whose replicas have arguments of their own."""
    out = module.run(function, *arguments, xla_options=QUICK)
    return [list(map(np.asarray, devices)) for devices in (out if isinstance(out, tuple) else (out,))]


def draw(rng: np.random.Generator, *shape: int) -> Devices:
    return [rng.normal(size=shape) for _ in range(DEVICES)]


def dot(xs: Sequence[np.ndarray], ys: Sequence[np.ndarray]) -> float:
    return sum(float(np.vdot(x, y)) for x, y in zip(xs, ys, strict=True))


def differences(f: Callable[[Devices], Devices], at: Devices, along: Devices, step: float = 1e-6) -> Devices:
    """The derivative of all devices' values along a direction of all devices' arguments."""
    ahead, behind = (f([x + s * step * d for x, d in zip(at, along, strict=True)]) for s in (1, -1))
    return [(a - b) / (2 * step) for a, b in zip(ahead, behind, strict=True)]


# -- single ops --------------------------------------------------------------------------------------------------------

V, PAIRS = "tensor<2xf64>", "dense<[[0, 2], [3, 1]]> : tensor<2x2xi64>"


def collective(op: str, rest: str, region: str = "", x: str = V, y: str = V) -> str:
    return f"""module attributes {{mhlo.num_replicas = {DEVICES} : i32}} {{
      func.func public @f(%x: {x}) -> {y} {{
        %y = "stablehlo.{op}"(%x) {region} {{{rest}}} : ({x}) -> {y}
        return %y : {y}
      }}
    }}"""


def combining(*lines: str) -> str:
    body = "\n".join(lines)
    return f"({{\n^bb0(%a: tensor<f64>, %b: tensor<f64>):\n{body}\nstablehlo.return %c : tensor<f64>\n}})"


# a + b + a b: associative, and neither a sum nor a product. XLA's CPU back end knows no such computation, but runs its
# derivatives, which gather the values.
ODD = combining(
    "%p = stablehlo.multiply %a, %b : tensor<f64>",
    "%s = stablehlo.add %a, %b : tensor<f64>",
    "%c = stablehlo.add %p, %s : tensor<f64>",
)
M, HALF = "tensor<3x4xf64>", "tensor<3x2xf64>"
ODD_PROGRAMS = {
    "all_reduce": collective("all_reduce", f"replica_groups = {PAIRS}", ODD, M, M),
    "reduce_scatter": collective(
        "reduce_scatter", f"scatter_dimension = 1 : i64, replica_groups = {PAIRS}", ODD, M, HALF
    ),
}


def odd(name: str, xs: Devices) -> Devices:
    """What ODD_PROGRAMS compute, in NumPy."""
    out: Devices = [np.zeros(0)] * DEVICES
    for group in ([0, 2], [3, 1]):
        a, b = (xs[k] for k in group)
        combined = a + b + a * b
        for place, k in enumerate(group):
            out[k] = combined if name == "all_reduce" else combined[:, 2 * place : 2 * place + 2]
    return out


@pytest.mark.parametrize("name", ODD_PROGRAMS)
def test_any_computation(name: str) -> None:
    rng = np.random.default_rng(0)
    module = gradir.load(ODD_PROGRAMS[name])
    x, dx, d2x = (draw(rng, 3, 4) for _ in range(3))
    ct = draw(rng, *module.function("f").results[0].shape)
    value, tangent = run(module.jvp("f"), "jvp_f", x, dx)
    np.testing.assert_allclose(value, odd(name, x))
    np.testing.assert_allclose(tangent, differences(lambda at: odd(name, at), x, dx), rtol=1e-6, atol=1e-8)
    module = module.vjp("f")
    _, gradient = run(module, "vjp_f", x, ct)
    np.testing.assert_allclose(dot(gradient, dx), dot(ct, tangent))
    expected = differences(lambda at: run(module, "vjp_f", at, ct)[1], x, d2x)
    *_, second = run(module.jvp("vjp_f", name="second"), "second", x, ct, d2x)
    np.testing.assert_allclose(second, expected, rtol=1e-5, atol=1e-7)


def test_ties_of_a_maximum_share() -> None:
    everyone = f"replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x{DEVICES}xi64>"
    maximum = combining("%c = stablehlo.maximum %a, %b : tensor<f64>")
    module = gradir.load(collective("all_reduce", everyone, maximum)).vjp("f")
    x = [np.array([1.0, 0.0]), np.array([1.0, 2.0]), np.array([0.0, 2.0]), np.array([1.0, 2.0])]
    _, gradient = run(module, "vjp_f", x, [np.ones(2)] * DEVICES)
    third = DEVICES / 3
    np.testing.assert_allclose(gradient, [[third, 0], [third, third], [0, third], [third, third]])


def test_the_gradient_of_a_broadcast_goes_to_where_it_came_from() -> None:
    # XLA's CPU back end has no collective_broadcast, but its gradient does without one.
    text = collective("collective_broadcast", f"replica_groups = {PAIRS}").replace("public @f", "private @f")
    asks = f"""func.func public @gradient(%x: {V}, %ct: {V}) -> {V} {{
      %0 = "enzyme.autodiff"(%x, %ct) {{fn = @f, activity = [#enzyme<activity enzyme_active>],
        ret_activity = [#enzyme<activity enzyme_activenoneed>]}} : ({V}, {V}) -> {V}
      return %0 : {V}
    }}"""
    module = gradir.load(text.rstrip().removesuffix("}") + asks + "}")
    rng = np.random.default_rng(0)
    x, ct = draw(rng, 2), draw(rng, 2)
    ((a, b, c, d),) = run(module, "gradient", x, ct)
    np.testing.assert_allclose(a, ct[0] + ct[2])
    np.testing.assert_allclose(d, ct[3] + ct[1])
    assert not b.any() and not c.any()


def test_groups_that_are_not_written_out_are_refused() -> None:
    product = combining("%c = stablehlo.multiply %a, %b : tensor<f64>")
    text = collective("all_reduce", "replica_groups = dense<> : tensor<0x0xi64>", product)
    with pytest.raises(gradir.NoRule, match="groups that are not written out") as refused:
        gradir.load(text).vjp("f")
    assert refused.value.hint is not None and "replica_groups" in refused.value.hint


def test_channels_of_a_derivative_are_new() -> None:
    """XLA gives all values on one channel one layout, so values of another rank need another channel."""
    channel = "channel_handle = #stablehlo.channel_handle<handle = 7, type = 1>, use_global_device_ids"
    total = combining("%c = stablehlo.add %a, %b : tensor<f64>")
    module = gradir.load(collective("all_reduce", f"replica_groups = {PAIRS}, {channel}", total)).vjp("f")
    text = str(module.batch("vjp_f", 3, in_axes=[None, 0]))
    found = re.findall(r"channel_handle<handle = (\d+).*?\}\) : \((.*?)\)", text, re.DOTALL)
    types = {handle: {t for h, t in found if h == handle} for handle, _ in found}
    assert types["7"] == {V} and {"tensor<3x2xf64>"} in types.values()
    assert all(len(on_channel) == 1 for on_channel in types.values())


# -- whom groups are of ------------------------------------------------------------------------------------------------

# With a channel and without global ids, groups are of replicas, each with all its partitions: here one, with four.
CHANNEL = "channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>"
BOTH = f"replica_groups = dense<[[0]]> : tensor<1x1xi64>, {CHANNEL}"
AMONG_ALL: dict[str, tuple[str, str | None, Callable[[Any], Any]]] = {
    "sum": ("all_reduce", "add", lambda s: jnp.tile(s.sum(0), (4, 1))),
    "product": ("all_reduce", "multiply", lambda s: jnp.tile(s.prod(0), (4, 1))),
    "maximum": ("all_reduce", "maximum", lambda s: jnp.tile(s.max(0), (4, 1))),
    "scattered sum": ("reduce_scatter", "add", lambda s: s.sum(0).reshape(4, -1)),
    "scattered product": ("reduce_scatter", "multiply", lambda s: s.prod(0).reshape(4, -1)),
    "gathered": ("all_gather", None, lambda s: jnp.tile(s.reshape(-1), (4, 1))),
}


def of_partitions(op: str, by: str | None, size: int) -> str:
    """sin(x) on each of four partitions, of four elements each, through a collective: `size` elements on each."""
    region = "" if by is None else combining(f"%c = stablehlo.{by} %a, %b : tensor<f64>")
    along = {"reduce_scatter": "scatter_dimension = 0 : i64, ", "all_gather": "all_gather_dim = 0 : i64, "}.get(op, "")
    y, split = f"tensor<{size}xf64>", '[<@mesh, [{"d"}]>]'
    return f"""module attributes {{mhlo.num_replicas = 1 : i32, mhlo.num_partitions = {DEVICES} : i32}} {{
      sdy.mesh @mesh = <["d"={DEVICES}]>
      func.func public @f(%x: tensor<16xf64>) -> tensor<{DEVICES * size}xf64> {{
        %z = sdy.manual_computation(%x) in_shardings={split} out_shardings={split} manual_axes={{"d"}}
          (%mine: tensor<4xf64>) {{
            %s = stablehlo.sine %mine : tensor<4xf64>
            %y = "stablehlo.{op}"(%s) {region} {{{along}{BOTH}}} : (tensor<4xf64>) -> {y}
            sdy.return %y : {y}
          }} : (tensor<16xf64>) -> tensor<{DEVICES * size}xf64>
        return %z : tensor<{DEVICES * size}xf64>
      }}
    }}"""


@pytest.mark.parametrize("name", AMONG_ALL)
def test_groups_of_replicas_with_all_their_partitions(name: str) -> None:
    op, by, emulated = AMONG_ALL[name]
    rng = np.random.default_rng(0)
    x, dx = rng.normal(size=16), rng.normal(size=16)
    with jax.enable_x64(True):
        f = lambda x: emulated(jnp.sin(x.reshape(4, 4))).reshape(-1)  # noqa: E731
        value, tangent = jax.jvp(f, (x,), (dx,))
        ct = rng.normal(size=value.size)
        (gradient,) = jax.vjp(f, x)[1](jnp.asarray(ct))
    module = gradir.load(of_partitions(op, by, value.size // DEVICES))
    np.testing.assert_allclose(module.jvp("f").run("jvp_f", x, dx, xla_options=QUICK), [value, tangent], atol=1e-12)
    made = module.vjp("f").run("vjp_f", x, ct, xla_options=QUICK)
    np.testing.assert_allclose(made[0], value, atol=1e-12)
    np.testing.assert_allclose(made[1], gradient, atol=1e-12)


def test_sums_among_others_are_not_one() -> None:
    """Of two sums by the same groups one has a channel: it is over partitions, too."""
    total = combining("%c = stablehlo.add %a, %b : tensor<f64>")
    groups = "replica_groups = dense<[[0], [1]]> : tensor<2x1xi64>"
    text = f"""module attributes {{mhlo.num_replicas = 2 : i32, mhlo.num_partitions = 2 : i32}} {{
      func.func public @f(%x: {V}) -> {V} {{
        %y = "stablehlo.all_reduce"(%x) {total} {{{groups}}} : ({V}) -> {V}
        %z = "stablehlo.all_reduce"(%x) {total} {{{groups}, {CHANNEL}}} : ({V}) -> {V}
        %s = stablehlo.subtract %y, %z : {V}
        return %s : {V}
      }}
    }}"""
    made = str(gradir.load(text).optimize())
    assert made.count("stablehlo.all_reduce") == 1, "that of each device alone is none, and the other stays"


# -- steps of training -------------------------------------------------------------------------------------------------

LOSS = """
  %h = stablehlo.dot_general %data, %w, contracting_dims = [1] x [0]
    : (tensor<{n}x2xf64>, tensor<2xf64>) -> tensor<{n}xf64>
  %t = stablehlo.tanh %h : tensor<{n}xf64>
  %zero = stablehlo.constant dense<0.0> : tensor<f64>
  %sum = stablehlo.reduce(%t init: %zero) applies stablehlo.add across dimensions = [0]
    : (tensor<{n}xf64>, tensor<f64>) -> tensor<f64>
"""
HEADER = "func.func public @f(%w: tensor<2xf64>, %data: tensor<{n}x2xf64>{sharding}) -> tensor<f64> {{"
W, DATA = np.random.default_rng(0).normal(size=2), np.random.default_rng(1).normal(size=(8, 2))


def on_one_device() -> tuple[np.ndarray, np.ndarray]:
    text = HEADER.format(n=8, sharding="") + LOSS.format(n=8) + "return %sum : tensor<f64> }"
    value, gradient = gradir.load(text).value_and_grad("f").run("value_and_grad_f", W, DATA)
    return value, gradient


def test_data_parallel_by_all_reduce() -> None:
    """Each of four devices has a part of the data; the loss is the sum over all of it."""
    total = combining("%c = stablehlo.add %a, %b : tensor<f64>")
    reduce = f"""%loss = "stablehlo.all_reduce"(%sum) {total}
      {{replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>}} : (tensor<f64>) -> tensor<f64>"""
    body = HEADER.format(n=2, sharding="") + LOSS.format(n=2) + reduce + "return %loss : tensor<f64> }"
    module = gradir.load(f"module attributes {{mhlo.num_replicas = {DEVICES} : i32}} {{ {body} }}")
    parts = [DATA[2 * k : 2 * k + 2] for k in range(DEVICES)]
    seeds = [np.array(1 / DEVICES)] * DEVICES  # the loss counts once, not once for each device
    loss, gradient = run(module.vjp("f"), "vjp_f", [W] * DEVICES, parts, seeds)
    value, expected = on_one_device()
    np.testing.assert_allclose(loss, [value] * DEVICES)
    np.testing.assert_allclose(sum(gradient), expected)


def test_data_parallel_by_annotations() -> None:
    """The same, where arrays keep their whole shape and XLA's partitioner finds the communication."""
    sharding = ' {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {}]>}'
    constraint = (
        'stablehlo.tanh %h : tensor<8xf64>\n%c = sdy.sharding_constraint %t <@mesh, [{"data"}]> : tensor<8xf64>'
    )
    loss = LOSS.format(n=8).replace("stablehlo.tanh %h : tensor<8xf64>", constraint).replace("reduce(%t", "reduce(%c")
    body = HEADER.format(n=8, sharding=sharding) + loss + "return %sum : tensor<f64> }"
    mesh = f'sdy.mesh @mesh = <["data"={DEVICES}]>'
    module = gradir.load(f"module attributes {{mhlo.num_partitions = {DEVICES} : i32}} {{ {mesh}\n{body} }}")
    value, gradient = module.value_and_grad("f").run("value_and_grad_f", W, DATA, xla_options=QUICK)
    np.testing.assert_allclose(value, on_one_device()[0])
    np.testing.assert_allclose(gradient, on_one_device()[1])


# -- jax.shard_map -----------------------------------------------------------------------------------------------------


def mesh() -> jax.sharding.Mesh:
    return jax.make_mesh((2, 2), ("x", "y"), axis_types=(AxisType.Auto,) * 2)


def several_collectives(w: Any, a: Any) -> Any:
    def on_a_device(w: Any, a: Any) -> Any:
        h = jnp.tanh(a @ w)
        rows = jnp.sin(jax.lax.all_gather(h, "x", axis=0, tiled=True))
        sent = jax.lax.ppermute(jnp.exp(h), "x", [(0, 1), (1, 0)])
        return jax.lax.psum(jnp.sum(h * h), ("x", "y")), rows, sent

    specs = (P(None, "y"), P("x", None)), (P(), P(None, "y"), P("x", "y"))
    return jax.shard_map(on_a_device, mesh=mesh(), in_specs=specs[0], out_specs=specs[1], check_vma=False)(w, a)


def one_axis_for_the_partitioner(w: Any, a: Any) -> Any:
    def on_a_row(w: Any, a: Any) -> Any:
        return jnp.sin(a @ w) * w[0]

    specs = (P(None, None), P("x", None)), P("x", None)
    mapped = jax.shard_map(on_a_row, mesh=mesh(), in_specs=specs[0], out_specs=specs[1], axis_names={"x"})
    return (jax.lax.with_sharding_constraint(mapped(w, a), NamedSharding(mesh(), P("x", "y"))),)


@pytest.mark.parametrize("f", [several_collectives, one_axis_for_the_partitioner])
def test_shard_map_agrees_with_jax(f: Callable[..., Any]) -> None:
    rng = np.random.default_rng(0)
    with jax.enable_x64(True):
        xs = rng.normal(size=(3, 4)), rng.normal(size=(2, 3))
        dxs = rng.normal(size=(3, 4)), rng.normal(size=(2, 3))
        module = gradir.load(jax.jit(f).lower(*xs))
        values, tangents = jax.jit(lambda xs, dxs: jax.jvp(f, xs, dxs))(xs, dxs)
        cts = tuple(rng.normal(size=v.shape) for v in values)

        def pullback(*xs: Any) -> Any:
            return jax.vjp(f, *xs)[1](cts)

        gradients, second = jax.jit(lambda xs, dxs: jax.jvp(pullback, xs, dxs))(xs, dxs)
    got = module.jvp(wrt=(0, 1)).run("jvp_main", *xs, *dxs, xla_options=QUICK)
    for g, e in zip(got, (*values, *tangents), strict=True):
        np.testing.assert_allclose(g, e, atol=1e-12)
    vjp = module.vjp(wrt=(0, 1))
    got = vjp.run("vjp_main", *xs, *cts, xla_options=QUICK)
    for g, e in zip(got, (*values, *gradients), strict=True):
        np.testing.assert_allclose(g, e, atol=1e-12)
    got = vjp.jvp("vjp_main", wrt=(0, 1), name="second").run("second", *xs, *cts, *dxs, xla_options=QUICK)
    for g, e in zip(got[-2:], second, strict=True):
        np.testing.assert_allclose(g, e, atol=1e-10)
    # A batch of gradients: the same program, once for each of three weights.
    many = np.stack([s * xs[0] for s in (1.0, 2.0, -1.0)])
    batch = vjp.batch("vjp_main", 3, in_axes=[0, None, *[None] * len(cts)], name="batch")
    together = batch.run("batch", many, xs[1], *cts, xla_options=QUICK)
    for k in range(3):
        one = vjp.run("vjp_main", many[k], xs[1], *cts, xla_options=QUICK)
        for g, e in zip(together, one, strict=True):
            np.testing.assert_allclose(g[k], e, atol=1e-12)
