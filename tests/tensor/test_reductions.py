"""Reductions: ties and zeros as JAX has them, computations in any order, and what can't be done."""

from __future__ import annotations

from collections.abc import Iterator

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from against_jax import check, close, jvp, load, run, vjp
from cases.reductions import D, computation
from jax import lax
from jaxlib.mlir import ir

import gradir
from gradir.errors import NoRule
from gradir.tensor.analysis.computation import is_associative, leaves_alone
from gradir.tensor.ir.module import operations, parse

inf = np.inf


@pytest.fixture(autouse=True, scope="module")
def wide() -> Iterator[None]:
    with jax.enable_x64(True):
        yield


@pytest.mark.parametrize(
    "x",
    [
        [[1.0, 2, 2], [3, 3, 3]],  # ties share evenly
        [[-inf, -inf, -inf], [inf, 1, inf]],
        [[0.0, -0.0, -1], [0.0, -0.0, 1]],
    ],
)
@pytest.mark.parametrize("f", [jnp.max, jnp.min])
def test_ties_of_extrema(f, x: list[list[float]]) -> None:  # type: ignore[no-untyped-def]
    def along(x: jax.Array) -> jax.Array:
        return f(x, axis=1)

    point, ct, t = np.array(x), np.array([1.0, 2]), np.arange(1.0, 7).reshape(2, 3)
    close(vjp(along, [point], ct), jax.vjp(along, point)[1](ct))
    close(jvp(along, [point], [t]), jax.jvp(along, (point,), (t,))[1])


def test_an_initial_value_that_wins_takes_the_derivative() -> None:
    """A maximum with 0: nothing of it comes from negative numbers, and a tie is shared with the initial value."""
    x, ct = np.array([[-1.0, -2], [-1, 3], [0, -1]]), np.array([1.0, 10, 100])

    def f(x: jax.Array) -> jax.Array:
        return lax.reduce(x, 0.0, lax.max, (1,))

    close(vjp(f, [x], ct), [np.array([[0.0, 0], [0, 10], [50, 0]])])


def test_products_with_zeros() -> None:
    x = np.array([[0.0, 2, 3, 4, 5], [0, 2, 0, 4, 5], [1, 2, 3, 4, 5]])
    check(lambda x: jnp.prod(x, axis=1), x)


@pytest.mark.parametrize("n", [1, 4, 7])
def test_a_tree_of_any_size(n: int) -> None:
    check(lambda x: lax.reduce(x, -np.inf, jnp.logaddexp, (0,)), np.random.default_rng(n).normal(size=(n, 2)))


def test_sums_of_narrow_numbers_in_a_wider_type() -> None:
    """XLA can't run it."""
    text = """func.func public @f(%x: tensor<2x3xbf16>, %i: tensor<f32>) -> tensor<2xf32> {
      %r = stablehlo.reduce(%x init: %i) across dimensions = [1] : (tensor<2x3xbf16>, tensor<f32>) -> tensor<2xf32>
      reducer(%a: tensor<f32>, %b: tensor<f32>) {
        %c = stablehlo.OP %a, %b : tensor<f32>
        stablehlo.return %c : tensor<f32>
      }
      return %r : tensor<2xf32>
    }"""
    x, i, ct = np.array([[1, 2, 3], [4, 5, 6]], jnp.bfloat16), np.float32(2), np.array([1, 10], np.float32)
    for op, dx, di in [
        ("add", [[1, 1, 1], [10, 10, 10]], 11),
        ("multiply", [[12, 6, 4], [600, 480, 400]], 1206),
        ("maximum", [[0, 0, 1], [0, 0, 10]], 0),
    ]:
        _, by_x, by_i = (
            gradir.load(text.replace("OP", op)).vjp(wrt=[0, 1], name="d").run("d", x, i, ct, backend="reference")
        )
        assert by_x.dtype == jnp.bfloat16
        assert by_i.dtype == np.float32
        np.testing.assert_array_equal(by_x.astype(np.float32), dx)
        assert by_i == di


def test_an_argmax_stays_as_it_is() -> None:
    """Its values are not used, so that there is no tangent of them."""

    def f(x: jax.Array) -> jax.Array:
        return x[jnp.argmax(x)] ** 2

    x = np.array([1.0, 3, 2])
    module = load(f, [x]).jvp(name="d")
    assert "stablehlo.slice" not in str(module)
    assert run(module, x, np.array([10.0, 20, 30])) == [9, 120]


# -- what a computation is ---------------------------------------------------------------------------------------------


def region(ops: str, *types: str, init: str = "0.0") -> tuple[ir.Region, list[ir.Value]]:
    n = len(types) // 2
    outs = ", ".join(types[:n])
    text = f"""func.func @f({", ".join(f"%a{k}: tensor<3x{t[7:]}" for k, t in enumerate(types[:n]))}) {{
      {"".join(f"%i{k} = stablehlo.constant dense<{init}> : {t}" + chr(10) for k, t in enumerate(types[:n]))}
      %r:{n} = "stablehlo.reduce"({", ".join([f"%a{k}" for k in range(n)] + [f"%i{k}" for k in range(n)])})
        {computation(ops, *types)} {{dimensions = array<i64: 0>}}
        : ({", ".join(f"tensor<3x{t[7:]}" for t in types[:n])}, {outs}) -> ({outs})
      return
    }}"""
    module = parse(text)
    op = next(op for op in operations(module) if op.name == "stablehlo.reduce")
    KEPT.append(module)
    return op.regions[0], list(op.operands)[n:]


KEPT: list[ir.Module] = []
"""Modules whose regions are in use."""

LOGADDEXP = f"""%m = stablehlo.maximum %p0, %p1 : {D}
    %a = stablehlo.subtract %p0, %m : {D}
    %b = stablehlo.subtract %p1, %m : {D}
    %ea = stablehlo.exponential %a : {D}
    %eb = stablehlo.exponential %b : {D}
    %s = stablehlo.add %ea, %eb : {D}
    %l = stablehlo.log %s : {D}
    %c = stablehlo.add %m, %l : {D}
    stablehlo.return %c : {D}"""


def test_associative_computations_are_found_out() -> None:
    def unary(op: str) -> str:
        return f"%s = stablehlo.{op} %p0 : {D}\n%c = stablehlo.add %s, %p1 : {D}\nstablehlo.return %c : {D}"

    assert is_associative(region(LOGADDEXP, D, D)[0])
    assert is_associative(region(f"%c = stablehlo.add %p0, %p1 : {D}\nstablehlo.return %c : {D}", D, D)[0])
    assert not is_associative(region(f"%c = stablehlo.subtract %p0, %p1 : {D}\nstablehlo.return %c : {D}", D, D)[0])
    assert not is_associative(region(unary("abs"), D, D)[0])
    assert not is_associative(region(unary("sine"), D, D)[0])  # not in the table of what can be tried


def test_what_changes_nothing_is_found_out() -> None:
    body, inits = region(LOGADDEXP, D, D, init="0xFFF0000000000000")
    assert leaves_alone(body, inits)
    body, inits = region(LOGADDEXP, D, D, init="0.0")
    assert not leaves_alone(body, inits)


def test_a_value_from_outside_is_refused() -> None:
    text = f"""func.func public @f(%x: tensor<3xf64>, %k: {D}) -> {D} {{
      %i = stablehlo.constant dense<0.0> : {D}
      %r = stablehlo.reduce(%x init: %i) across dimensions = [0] : (tensor<3xf64>, {D}) -> {D}
      reducer(%a: {D}, %b: {D}) {{
        %s = stablehlo.multiply %b, %k : {D}
        %c = stablehlo.add %a, %s : {D}
        stablehlo.return %c : {D}
      }}
      return %r : {D}
    }}"""
    with pytest.raises(NoRule) as caught:
        gradir.load(text).vjp(wrt=[0])
    assert "uses a value from outside" in caught.value.message
    assert (caught.value.location or "").startswith("<text>:3:")
    assert caught.value.hint
