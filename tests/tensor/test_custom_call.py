"""Rules that users give: to custom-call targets and to composites."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
import pytest

import gradir
from gradir.tensor.ir import expr as E
from gradir.tensor.ir.expr import Expr
from gradir.tensor.rules import COMPOSITES, CUSTOM_CALLS
from gradir.tensor.rules.interface import Cotangent, Shadow
from gradir.tensor.rules.rule import Site


@pytest.fixture(autouse=True)
def _as_it_was() -> Iterator[None]:
    """What a test registers is forgotten."""
    calls, composites = dict(CUSTOM_CALLS), dict(COMPOSITES)
    yield
    for table, old in ((CUSTOM_CALLS, calls), (COMPOSITES, composites)):
        table.clear()
        table.update(old)


T = "tensor<3xf64>"
# No back end has this target, but a derivative that does not ask for its value runs.
CALL = f"""func.func @f(%x: {T}, %y: {T}) -> {T} {{
  %0 = stablehlo.custom_call @my_product(%x, %y) : ({T}, {T}) -> {T}
  %1 = stablehlo.sine %0 : {T}
  return %1 : {T}
}}"""
X, Y = np.array([0.5, -1.0, 2.0]), np.array([1.5, 0.25, -0.75])


def product(site: Site) -> list[Expr]:
    x, y = site.ins
    return [x * x * y]


def product_jvp(site: Site, tangents: Sequence[Shadow]) -> list[Shadow]:
    (x, y), (dx, dy) = site.ins, tangents
    terms = [*([2 * x * y * dx] if dx is not None else []), *([x * x * dy] if dy is not None else [])]
    return [terms[0] if len(terms) == 1 else terms[0] + terms[1]]


def product_vjp(site: Site, cotangents: Sequence[Shadow]) -> list[Cotangent]:
    x, y = site.ins
    (ct,) = cotangents
    assert ct is not None
    return [2 * x * y * ct if site.active[0] else None, x * x * ct if site.active[1] else None]


def derivative(kind: str, wrt: Sequence[int]) -> gradir.Module:
    """A module that asks for a derivative of the bare call, and not for its value (which no back end has)."""
    active = [i in wrt for i in range(2)]
    shadow = "dup" if kind == "fwddiff" else "active"
    given = [f"#enzyme<activity enzyme_{shadow if a else 'const'}>" for a in active]
    out = "dupnoneed" if kind == "fwddiff" else "activenoneed"
    if kind == "fwddiff":
        operands = [o for v, a in zip(("%x", "%y"), active, strict=True) for o in ((v, "%d") if a else (v,))]
        results = [T]
    else:
        operands, results = ["%x", "%y", "%d"], [T] * len(wrt)
    types = ", ".join([T] * len(operands))
    return gradir.load(f"""
    func.func private @f(%x: {T}, %y: {T}) -> {T} {{
      %0 = stablehlo.custom_call @my_product(%x, %y) : ({T}, {T}) -> {T}
      return %0 : {T}
    }}
    func.func @g(%x: {T}, %y: {T}, %d: {T}) -> ({", ".join(results)}) {{
      %0:{len(results)} = enzyme.{kind} @f({", ".join(operands)}) {{activity = [{", ".join(given)}],
        ret_activity = [#enzyme<activity enzyme_{out}>]}} : ({types}) -> ({", ".join(results)})
      return {", ".join(f"%0#{k}" for k in range(len(results)))} : {", ".join(results)}
    }}""")


def run(module: gradir.Module, name: str, *arguments: np.ndarray) -> list[np.ndarray]:
    out = module.run(name, *arguments)
    return [np.asarray(x) for x in (out if isinstance(out, tuple) else (out,))]


D = np.array([1.0, 2.0, -1.0])
BY_X, BY_Y = 2 * X * Y * D, X * X * D


@pytest.mark.parametrize("rules", ["jvp", "jvp and vjp", "expand"])
def test_a_registered_target(rules: str) -> None:
    if rules == "expand":
        gradir.register_custom_call("my_product", expand=product)
    elif rules == "jvp":
        gradir.register_custom_call("my_product", jvp=product_jvp)
    else:
        gradir.register_custom_call("my_product", jvp=product_jvp, vjp=product_vjp)
    np.testing.assert_allclose(run(derivative("autodiff", (0, 1)), "g", X, Y, D), [BY_X, BY_Y])
    np.testing.assert_allclose(run(derivative("autodiff", (1,)), "g", X, Y, D), [BY_Y])
    np.testing.assert_allclose(run(derivative("fwddiff", (0,)), "g", X, Y, D), [BY_X])
    np.testing.assert_allclose(run(derivative("fwddiff", (0, 1)), "g", X, Y, D), [BY_X + BY_Y])


def test_with_a_vjp_alone_forward_mode_is_refused() -> None:
    gradir.register_custom_call("my_product", vjp=product_vjp)
    np.testing.assert_allclose(run(derivative("autodiff", (0,)), "g", X, Y, D), [BY_X])
    with pytest.raises(gradir.NoRule, match="no forward rule for custom_call @my_product"):
        derivative("fwddiff", (0,)).lower()


def test_an_unknown_target_is_refused_with_a_way_out() -> None:
    with pytest.raises(gradir.NoRule, match="no reverse rule for custom_call @my_product") as refused:
        gradir.load(CALL).vjp("f")
    assert refused.value.hint is not None and "gradir.register_custom_call" in refused.value.hint
    assert refused.value.location is not None


def test_an_inactive_target_has_no_derivative() -> None:
    gradir.register_custom_call("my_product", inactive=True)
    np.testing.assert_allclose(run(derivative("autodiff", (0, 1)), "g", X, Y, D), np.zeros((2, 3)))


SOLVE = """func.func @f(%a: tensor<2x2xf64>, %b: tensor<2x1xf64>) -> tensor<2x1xf64> {
  %x = stablehlo.custom_call @lapack_dtrsm_ffi(%a, %b) {mhlo.backend_config = {diag = 78 : ui8, side = 76 : ui8,
    trans_x = 78 : ui8, uplo = 76 : ui8}, operand_layouts = [dense<[0, 1]> : tensor<2xindex>,
    dense<[0, 1]> : tensor<2xindex>], result_layouts = [dense<[0, 1]> : tensor<2xindex>]}
    : (tensor<2x2xf64>, tensor<2x1xf64>) -> tensor<2x1xf64>
  return %x : tensor<2x1xf64>
}"""


@pytest.mark.usefixtures("plain")
def test_a_target_without_a_batch_rule_is_called_for_one_example_after_the_other() -> None:
    gradir.register_custom_call("lapack_dtrsm_ffi", jvp=lambda site, tangents: [None])
    module = gradir.load(SOLVE).batch("f", 3, in_axes=[0, None])
    assert "stablehlo.while" in str(module) and "tensor<3x2x2xf64>" in str(module)
    rng = np.random.default_rng(0)
    a, b = np.tril(rng.normal(size=(3, 2, 2))) + 2 * np.eye(2), rng.normal(size=(2, 1))
    np.testing.assert_allclose(module.run("batch_f", a, b), [np.linalg.solve(x, b) for x in a])


def test_a_batch_rule_is_used() -> None:
    def batch(site: Site) -> list[Expr]:
        x, y = (
            x if has else E.broadcast(x, [site.size, 3], [1]) for x, has in zip(site.ins, site.batched, strict=True)
        )
        return [x * x * y]

    gradir.register_custom_call("my_product", batch=batch)
    got = gradir.load(CALL).batch("f", 2, in_axes=[0, None]).run("batch_f", np.stack([X, -X]), Y)
    np.testing.assert_allclose(got, [np.sin(X * X * Y)] * 2)


# -- composites --------------------------------------------------------------------------------------------------------

COMPOSITE = f"""
func.func @f(%x: {T}, %y: {T}) -> {T} {{
  %0 = stablehlo.composite "my.product" %x, %y {{decomposition = @product}} : ({T}, {T}) -> {T}
  return %0 : {T}
}}
func.func private @product(%x: {T}, %y: {T}) -> {T} {{
  %0 = stablehlo.multiply %x, %x : {T}
  %1 = stablehlo.multiply %0, %y : {T}
  return %1 : {T}
}}"""


def test_a_composite_is_what_it_decomposes_to() -> None:
    value, by_x, by_y = run(gradir.load(COMPOSITE).vjp("f", wrt=(0, 1)), "vjp_f", X, Y, D)
    np.testing.assert_allclose([value, by_x, by_y], [X * X * Y, BY_X, BY_Y])


def test_a_composite_with_a_rule_of_its_own() -> None:
    def doubled(site: Site, cotangents: Sequence[Shadow]) -> list[Cotangent]:
        return [None if ct is None else ct * 2 for ct in cotangents for _ in range(2)]

    gradir.register_composite("my.product", vjp=doubled)
    value, by_x, by_y = run(gradir.load(COMPOSITE).vjp("f", wrt=(0, 1)), "vjp_f", X, Y, D)
    np.testing.assert_allclose([value, by_x, by_y], [X * X * Y, 2 * D, 2 * D])


def test_the_decomposition_s_own_rule_counts() -> None:
    """A function that names its derivative does so for composites that decompose to it, too."""
    ruled = f"-> {T} attributes {{gradir.vjp = @rule}} {{"
    text = COMPOSITE.replace(f"-> {T} {{\n  %0 = stablehlo.multiply", f"{ruled}\n  %0 = stablehlo.multiply")
    text += f"""
    func.func private @rule(%x: {T}, %y: {T}, %ct: {T}) -> ({T}, {T}) {{ return %ct, %ct : {T}, {T} }}"""
    _, by_x, by_y = run(gradir.load(text).vjp("f", wrt=(0, 1)), "vjp_f", X, Y, D)
    np.testing.assert_allclose([by_x, by_y], [D, D])


# -- random numbers ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("distribution", ["UNIFORM", "NORMAL"])
def test_a_random_number_moves_with_its_parameters(distribution: str) -> None:
    """With the same draw: a + (b - a) u, or a + b z."""
    text = f"""func.func @f(%a: tensor<f64>, %b: tensor<f64>) -> {T} {{
      %shape = stablehlo.constant dense<3> : tensor<1xi64>
      %0 = stablehlo.rng %a, %b, %shape, distribution = {distribution}
        : (tensor<f64>, tensor<f64>, tensor<1xi64>) -> {T}
      return %0 : {T}
    }}"""
    a, b = np.array(1.0), np.array(3.0)
    value, by_a, by_b = run(gradir.load(text).vjp("f", wrt=(0, 1)), "vjp_f", a, b, D)
    u = (value - a) / (b - a) if distribution == "UNIFORM" else (value - a) / b
    np.testing.assert_allclose([by_a, by_b], [D @ (1 - u if distribution == "UNIFORM" else np.ones(3)), D @ u])
    value, tangent = run(gradir.load(text).jvp("f", wrt=1), "jvp_f", a, b, np.array(2.0))
    u = (value - a) / (b - a) if distribution == "UNIFORM" else (value - a) / b
    np.testing.assert_allclose(tangent, 2 * u)
