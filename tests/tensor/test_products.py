"""Products: element types, attributes, and the work that a derivative takes; infinities with strong zero."""

from __future__ import annotations

import re
from collections.abc import Iterator

import against_jax
import jax
import jax.numpy as jnp
import numpy as np
import pytest
from against_jax import check, close, vjp
from hypothesis import given, settings
from hypothesis import strategies as st
from jax import lax

import gradir


@pytest.fixture(autouse=True, scope="module")
def wide() -> Iterator[None]:
    with jax.enable_x64(True):
        yield


def matmul(
    more: str = "", x: str = "2x3xf32", y: str = "3x4xf32", out: str = "2x4xf32", dims: str = "[1] x [0]"
) -> str:
    return f"""func.func public @f(%x: tensor<{x}>, %y: tensor<{y}>) -> tensor<{out}> {{
      %r = stablehlo.dot_general %x, %y, contracting_dims = {dims}{more} : (tensor<{x}>, tensor<{y}>) -> tensor<{out}>
      return %r : tensor<{out}>
    }}"""


@st.composite
def dots(draw: st.DrawFn) -> tuple[list[int], list[int], tuple[object, object]]:
    """Two shapes and dimension numbers: letters b are batches, k contracted, m and n free; each in any order."""
    letters = {"b": draw(st.integers(0, 2)), "k": draw(st.integers(0, 2))}
    shared = [f"{name}{i}" for name, count in letters.items() for i in range(count)]
    sizes = {label: draw(st.integers(1, 3)) for label in [*shared, "m0", "m1", "n0", "n1"]}
    x = draw(st.permutations([*shared, *["m0", "m1"][: draw(st.integers(0, 2))]]))
    y = draw(st.permutations([*shared, *["n0", "n1"][: draw(st.integers(0, 2))]]))
    contract = draw(st.permutations([label for label in shared if label[0] == "k"]))
    batch = draw(st.permutations([label for label in shared if label[0] == "b"]))
    numbers = tuple(tuple(tuple(side.index(s) for s in labels) for side in (x, y)) for labels in (contract, batch))
    return [sizes[s] for s in x], [sizes[s] for s in y], numbers  # type: ignore[return-value]


@given(dots())
@settings(max_examples=8, deadline=None)
def test_any_dimension_numbers(dot: tuple[list[int], list[int], tuple[object, object]]) -> None:
    x, y, numbers = dot
    rng = np.random.default_rng(1)
    check(lambda x, y: lax.dot_general(x, y, numbers), rng.normal(size=x), rng.normal(size=y))  # type: ignore[arg-type]


@pytest.mark.parametrize("narrow", [jnp.bfloat16, jnp.float16, jnp.float8_e4m3fn])
def test_a_result_wider_than_its_operands(narrow: object) -> None:
    rng = np.random.default_rng(0)
    x, y = (rng.normal(size=s).astype(narrow) for s in ((3, 4), (4, 2)))
    ct = rng.normal(size=(3, 2)).astype(np.float32)

    def f(x: jax.Array, y: jax.Array) -> jax.Array:
        return lax.dot_general(x, y, (((1,), (0,)), ((), ())), preferred_element_type=jnp.float32)

    close(vjp(f, [x, y], ct), jax.vjp(f, x, y)[1](ct), rtol=1e-2)


def test_the_cotangent_takes_over_its_operands_precision() -> None:
    text = str(gradir.load(matmul(", precision = [HIGHEST, HIGH]")).vjp(wrt=[0, 1]))
    pullback = text[text.index("@f.reverse") :]
    used = re.findall(r"dot_general (%\w+), (%\w+),.*precision = \[(\w+), (\w+)\]", pullback)
    _, for_x, for_y = ({a: p, b: q} for a, b, p, q in used)
    assert for_x == {"%arg2": "HIGHEST", "%arg1": "HIGH"}
    assert for_y == {"%arg2": "HIGH", "%arg0": "HIGHEST"}


def test_an_algorithm_is_carried_along() -> None:
    algorithm = (
        "<lhs_precision_type = f8E5M2, rhs_precision_type = f8E4M3FN, accumulation_type = f32, "
        "lhs_component_count = 1, rhs_component_count = 1, num_primitive_operations = 1, "
        "allow_imprecise_accumulation = false>"
    )
    text = str(gradir.load(matmul(f", precision = [DEFAULT, DEFAULT], algorithm = {algorithm}")).vjp(wrt=[0, 1]))
    pullback = text[text.index("@f.reverse") :]
    sides = re.findall(r"dot_general (%\w+), (%\w+),.*lhs_precision_type = (\w+), rhs_precision_type = (\w+)", pullback)
    _, for_x, for_y = ({a: p, b: q} for a, b, p, q in sides)
    assert for_x == {"%arg2": "f8E5M2", "%arg1": "f8E4M3FN"}
    assert for_y == {"%arg2": "f8E4M3FN", "%arg0": "f8E5M2"}


@pytest.mark.parametrize(
    ("x", "y", "dims", "transposes"),
    [
        ("2x3xf32", "3x4xf32", "[1] x [0]", 0),
        ("2x3xf32", "4x3xf32", "[1] x [1]", 0),
        ("3x2xf32", "3x4xf32", "[0] x [0]", 0),
        ("3x2xf32", "4x3xf32", "[0] x [1]", 0),
    ],
)
def test_gradients_of_matrices_take_no_transposes(x: str, y: str, dims: str, transposes: int) -> None:
    text = str(gradir.load(matmul("", x, y, dims=dims)).vjp(wrt=[0, 1]))
    assert text.count("stablehlo.transpose") == transposes


def test_a_batch_on_one_side_repeats_nothing() -> None:
    for axes in ([0, None], [None, 0]):
        text = str(gradir.load(matmul()).batch(size=5, in_axes=axes))
        assert "broadcast_in_dim" not in text


def test_unary_einsum() -> None:
    """No back end runs it, but its derivative is made of other ops."""
    x = np.random.default_rng(0).normal(size=(3, 2, 3))
    for config in ("aba->ba", "abc->ca", "abc->", "a...->...a", "abc"):
        y = np.einsum(config, x)
        shape = "".join(f"{n}x" for n in y.shape)
        text = f"""func.func public @f(%x: tensor<3x2x3xf64>) -> tensor<{shape}f64> {{
          %r = "stablehlo.unary_einsum"(%x) {{einsum_config = "{config}"}} : (tensor<3x2x3xf64>) -> tensor<{shape}f64>
          return %r : tensor<{shape}f64>
        }}"""
        primal, tangent = gradir.load(text).jvp(name="d").run("d", x, 2 * x, xla_options=against_jax.QUICK)
        np.testing.assert_allclose(primal, y)
        np.testing.assert_allclose(tangent, 2 * y)


def test_ragged_batches_are_whole_batches() -> None:
    text = """func.func @f(%x: tensor<3x2x2xf64>, %y: tensor<3x2x2xf64>, %s: tensor<2xi32>) -> tensor<3x2x2xf64> {
      %r = "chlo.ragged_dot"(%x, %y, %s) <{ragged_dot_dimension_numbers = #chlo.ragged_dot<
        lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [2],
        rhs_contracting_dimensions = [1], lhs_ragged_dimensions = [0], rhs_group_dimensions = []>}>
        : (tensor<3x2x2xf64>, tensor<3x2x2xf64>, tensor<2xi32>) -> tensor<3x2x2xf64>
      return %r : tensor<3x2x2xf64>
    }"""
    x, y, ct = np.random.default_rng(0).normal(size=(3, 3, 2, 2))
    out = (
        gradir.load(text).vjp(wrt=[0, 1], name="d").run("d", x, y, np.array([1, 2], np.int32), ct, backend="reference")
    )
    np.testing.assert_allclose(out[1], ct @ np.swapaxes(y, 1, 2))
    np.testing.assert_allclose(out[2], np.swapaxes(x, 1, 2) @ ct)


# -- strong zero -------------------------------------------------------------------------------------------------------


def strong(activity: str, ret: str, op: str, operands: str, types: str, result: str, element: str) -> str:
    shape = f"tensor<2x3x{element}>", f"tensor<3x2x{element}>", f"tensor<2x2x{element}>"
    return (
        matmul("", f"2x3x{element}", f"3x2x{element}", f"2x2x{element}").replace("public ", "")
        + f"""func.func public @d(%x: {shape[0]}, %y: {shape[1]}, %d: {types}) -> {result} {{
          %r = enzyme.{op} @f({operands}) {{activity = [{activity}], ret_activity = [{ret}], strong_zero = true}}
            : ({shape[0]}, {types + ", " if op == "fwddiff" else ""}{shape[1]}{"" if op == "fwddiff" else ", " + types})
            -> {result}
          return %r : {result}
        }}"""
    )


def attribute(name: str) -> str:
    return f"#enzyme<activity enzyme_{name}>"


@pytest.mark.parametrize("poison", [[], [np.inf], [-np.inf], [np.inf, -np.inf], [np.nan, np.inf]])
def test_zeros_of_a_shadow_win_and_other_elements_see_infinities(poison: list[float]) -> None:
    rng = np.random.default_rng(2)
    x, y, d = rng.normal(size=(2, 3)), rng.normal(size=(3, 2)), rng.normal(size=(2, 3))
    y.flat[: 2 * len(poison) : 2] = poison
    d[0, :] = [0, 0, 1.5]
    d[1, :] = [1, -np.inf, 0]
    with np.errstate(invalid="ignore"):
        terms = np.where(d[:, :, None] == 0, 0, d[:, :, None] * y)
        expected = terms.sum(1)
    text = strong(
        f"{attribute('dup')}, {attribute('const')}", attribute("dupnoneed"), "fwddiff", "%x, %d, %y",
        "tensor<2x3xf64>", "tensor<2x2xf64>", "f64",
    )  # fmt: skip
    np.testing.assert_allclose(gradir.load(text).run("d", x, y, d), expected, equal_nan=True)


def test_zeros_of_a_cotangent_win() -> None:
    x, y = np.ones((2, 3)), np.array([[np.inf, 1], [2, np.nan], [3, 4]])
    ct = np.array([[0, 1.0], [2.0, 0]])
    text = strong(
        f"{attribute('active')}, {attribute('const')}", attribute("activenoneed"), "autodiff", "%x, %y, %d",
        "tensor<2x2xf64>", "tensor<2x3xf64>", "f64",
    )  # fmt: skip
    np.testing.assert_array_equal(gradir.load(text).run("d", x, y, ct), [[1, np.nan, 4], [np.inf, 4, 6]])
