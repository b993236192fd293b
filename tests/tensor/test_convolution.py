"""Convolutions against JAX: random attributes, element types, and what is refused."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from against_jax import check, close, vjp
from hypothesis import given, settings
from hypothesis import strategies as st
from jax import lax

import gradir
from gradir.errors import NoRule


@pytest.fixture(autouse=True, scope="module")
def wide() -> Iterator[None]:
    with jax.enable_x64(True):
        yield


@st.composite
def convolutions(draw: st.DrawFn) -> tuple[list[int], list[int], dict[str, Any]]:
    """Shapes of the operands, and the attributes of a convolution along one or two dimensions."""
    spatial = draw(st.integers(1, 2))
    groups = draw(st.sampled_from([(1, 1), (2, 1), (1, 2)]))
    batch, features, out = 2 * draw(st.integers(1, 2)), 2 * draw(st.integers(1, 2)), 2 * draw(st.integers(1, 2))

    def ints(low: int, high: int) -> tuple[int, ...]:
        return tuple(draw(st.integers(low, high)) for _ in range(spatial))

    letters = "DHW"[:spatial]
    order = ["".join(draw(st.permutations(text + letters))) for text in ("NC", "OI", "NC")]
    sizes = {"N": batch, "C": features, "O": out, "I": features // groups[0]}
    image = sizes | {d: draw(st.integers(4, 5)) for d in letters}
    kernel = sizes | {d: draw(st.integers(1, 3)) for d in letters}
    return (
        [image[d] for d in order[0]],
        [kernel[d] for d in order[1]],
        {
            "window_strides": ints(1, 2),
            "padding": tuple((draw(st.integers(-1, 2)), draw(st.integers(0, 2))) for _ in range(spatial)),
            "lhs_dilation": ints(1, 2),
            "rhs_dilation": ints(1, 2),
            "dimension_numbers": tuple(order),
            "feature_group_count": groups[0],
            "batch_group_count": groups[1],
        },
    )


@given(convolutions())
@settings(max_examples=5, deadline=None, derandomize=True)  # XLA aborts at some in double precision
def test_any_convolution(given: tuple[list[int], list[int], dict[str, Any]]) -> None:
    x, w, attributes = given
    rng = np.random.default_rng(0)
    check(lambda x, w: lax.conv_general_dilated(x, w, **attributes), rng.normal(size=x), rng.normal(size=w))


def test_a_result_wider_than_its_operands() -> None:
    rng = np.random.default_rng(0)
    x, w = (rng.normal(size=s).astype(jnp.bfloat16) for s in ((1, 2, 5), (3, 2, 2)))
    ct = rng.normal(size=(1, 3, 4)).astype(np.float32)

    def narrow(x: jax.Array, w: jax.Array) -> jax.Array:
        return lax.conv_general_dilated(x, w, (1,), "VALID", preferred_element_type=jnp.float32)

    def exact(x: jax.Array, w: jax.Array) -> jax.Array:
        return lax.conv_general_dilated(x, w, (1,), "VALID")

    mine = vjp(narrow, [x, w], ct)
    assert [g.dtype for g in mine] == [jnp.bfloat16] * 2
    expected = jax.vjp(exact, x.astype(np.float32), w.astype(np.float32))[1](ct)
    close([g.astype(np.float32) for g in mine], expected, rtol=2e-2)


def test_a_padding_known_at_run_time_only_is_refused() -> None:
    text = """func.func @f(%x: tensor<1x4x1xf64>, %w: tensor<2x1x1xf64>, %p: tensor<1x2xi64>) -> tensor<1x?x1xf64> {
      %r = "stablehlo.dynamic_conv"(%x, %w, %p) {dimension_numbers = #stablehlo.conv<[b, 0, f]x[0, i, o]->[b, 0, f]>,
        feature_group_count = 1 : i64, batch_group_count = 1 : i64}
        : (tensor<1x4x1xf64>, tensor<2x1x1xf64>, tensor<1x2xi64>) -> tensor<1x?x1xf64>
      return %r : tensor<1x?x1xf64>
    }"""
    with pytest.raises(NoRule) as caught:
        gradir.load(text).vjp(wrt=[0])
    assert "padding of this dynamic_conv is not a constant" in caught.value.message
    assert caught.value.location == "<text>:2:12"
