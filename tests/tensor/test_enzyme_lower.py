"""Lowering `enzyme` ops: the calling convention by numbers, smaller requests, regions, nesting."""

from __future__ import annotations

import itertools
from collections.abc import Sequence

import numpy as np
import pytest
from jaxlib.mlir import ir
from jaxlib.mlir.dialects import stablehlo
from numpy.typing import ArrayLike

from gradir.errors import NoRule, RequestError
from gradir.request import Activity, Mode, Request, Slot, operand_slots, result_slots
from gradir.tensor import enzyme
from gradir.tensor.enzyme.canonical import canonicalise, canonicalise_jacobian
from gradir.tensor.ir.module import functions, parse, to_text


def lowered(text: str) -> ir.Module:
    module = parse(text, "g.mlir")
    enzyme.lower(module)
    assert "enzyme" not in to_text(module)
    assert to_text(parse(to_text(module))) == to_text(module)
    return module


def evaluate(module: ir.Module, *arguments: ArrayLike) -> list[np.ndarray]:
    """Run @main on StableHLO's interpreter."""
    with module.context:
        values = [ir.DenseElementsAttr.get(np.asarray(a, np.float64)) for a in arguments]
        return [np.array(r) for r in stablehlo.eval_module(module, values)]


def numbers(module: ir.Module, *arguments: ArrayLike) -> list[float | list[float]]:
    return [r.tolist() for r in evaluate(module, *arguments)]


def array(*names: str) -> str:
    return "[" + ", ".join(f"#enzyme.activity<enzyme_{n}>" for n in names) + "]"


def tensors(count: int, t: str = "tensor<f64>") -> str:
    return ", ".join([t] * count)


def main(op: str, operands: int, results: int, t: str = "tensor<f64>", kept: Sequence[int] | None = None) -> str:
    """A @main that hands its arguments to `op` (written up to its types) and returns (some of) its results."""
    kept = range(results) if kept is None else kept
    arguments = ", ".join(f"%{n}: {t}" for n in range(operands))
    values = ", ".join(f"%{n}" for n in range(operands))
    left = f"%r:{results} = " if results else ""
    returned = f"return {', '.join(f'%r#{n}' for n in kept)} : {tensors(len(kept), t)}" if kept else "return"
    return f"""
func.func @main({arguments}) -> ({tensors(len(kept), t)}) {{
  {left}{op.replace("@@", values)} : ({tensors(operands, t)}) -> ({tensors(results, t)})
  {returned}
}}
"""


PRODUCTS = """
func.func @f(%x: tensor<f64>, %y: tensor<f64>, %z: tensor<f64>) -> (tensor<f64>, tensor<f64>) {
  %a = stablehlo.multiply %x, %y : tensor<f64>
  %b = stablehlo.multiply %a, %z : tensor<f64>
  return %a, %b : tensor<f64>, tensor<f64>
}
"""


def products(mode: str, activity: Sequence[str], ret_activity: Sequence[str], extra: str = "") -> str:
    return f"enzyme.{mode} @f(@@) {{activity = {array(*activity)}, ret_activity = {array(*ret_activity)}{extra}}}"


# -- the calling convention ------------------------------------------------------------------------------------------

ALL = ("active", "active", "active")


@pytest.mark.parametrize(
    ("activity", "ret_activity", "operands", "results"),
    [
        (ALL, ("active", "active"), (2, 3, 5, 7, 11), [6, 30, 186, 124, 66]),
        (ALL, ("activenoneed", "active"), (2, 3, 5, 7, 11), [30, 186, 124, 66]),
        (ALL, ("const", "activenoneed"), (2, 3, 5, 11), [6, 165, 110, 66]),
        (ALL, ("constnoneed", "active"), (2, 3, 5, 11), [30, 165, 110, 66]),
        (("active", "const", "active"), ("active", "activenoneed"), (2, 3, 5, 7, 11), [6, 186, 66]),
        (("const", "const", "const"), ("active", "const"), (2, 3, 5, 7), [6, 30]),
        # a tensor's shadow is accepted and ignored in reverse mode, and a dup result has no cotangent
        (("dup", "active", "dupnoneed"), ("dup", "active"), (2, 100, 3, 5, 200, 11), [6, 30, 110]),
        (ALL, ("dupnoneed", "activenoneed"), (2, 3, 5, 11), [165, 110, 66]),
        (ALL, ("const", "const"), (2, 3, 5), [6, 30, 0, 0, 0]),
    ],
)
def test_reverse_mode(
    activity: Sequence[str], ret_activity: Sequence[str], operands: Sequence[float], results: list[float]
) -> None:
    op = products("autodiff", activity, ret_activity)
    assert numbers(lowered(PRODUCTS + main(op, len(operands), len(results))), *operands) == results


@pytest.mark.parametrize(
    ("activity", "ret_activity", "operands", "results"),
    [
        (("dup", "dup", "dup"), ("dup", "dup"), (2, 100, 3, 200, 5, 300), [6, 700, 30, 5300]),
        (("dup", "dup", "dupnoneed"), ("dupnoneed", "dup"), (2, 100, 3, 200, 5, 300), [700, 30, 5300]),
        (("dup", "const", "const"), ("const", "dupnoneed"), (2, 100, 3, 5), [6, 1500]),
        (("const", "const", "dup"), ("dup", "constnoneed"), (2, 3, 5, 300), [6, 0]),
        (("const", "const", "const"), ("dup", "const"), (2, 3, 5), [6, 0, 30]),
    ],
)
def test_forward_mode(
    activity: Sequence[str], ret_activity: Sequence[str], operands: Sequence[float], results: list[float]
) -> None:
    op = products("fwddiff", activity, ret_activity)
    assert numbers(lowered(PRODUCTS + main(op, len(operands), len(results))), *operands) == results


def test_every_activity_gives_the_numbers_of_the_full_request() -> None:
    """All requests at once: whatever is left out, what remains has the same value."""
    shadow = {"arg": (186.0, 124.0, 66.0), "result": (7.0, 11.0)}
    primal = {"arg": (2.0, 3.0, 5.0), "result": (6.0, 30.0)}
    ops, expected = [], []
    for args in itertools.product((Activity.active, Activity.const), repeat=3):
        for rets in itertools.product((Activity.active, Activity.activenoneed), repeat=2):
            request = Mode.reverse, args, rets
            given = [(shadow if part == "shadow" else primal)[kind][n] for kind, n, part in operand_slots(*request)]
            wanted = [(shadow if part == "shadow" else primal)[kind][n] for kind, n, part in result_slots(*request)]
            if not wanted:
                continue
            constants = "".join(
                f"  %c{len(ops)}_{k} = stablehlo.constant dense<{v}> : tensor<f64>\n" for k, v in enumerate(given)
            )
            values = ", ".join(f"%c{len(ops)}_{k}" for k in range(len(given)))
            op = products("autodiff", [a.name for a in args], [a.name for a in rets]).replace("@@", values)
            types = f"({tensors(len(given))}) -> ({tensors(len(wanted))})"
            expected += wanted
            ops.append((f"{constants}  %r{len(ops)}:{len(wanted)} = {op} : {types}\n", len(wanted)))
    returned = ", ".join(f"%r{n}#{k}" for n, (_, count) in enumerate(ops) for k in range(count))
    text = f"""{PRODUCTS}
func.func @main() -> ({tensors(len(expected))}) {{
{"".join(op for op, _ in ops)}
  return {returned} : {tensors(len(expected))}
}}"""
    assert numbers(lowered(text)) == expected


@pytest.mark.parametrize("width", [2, 3])
def test_width_is_many_shadows_at_once(width: int) -> None:
    wide = f"tensor<{width}xf64>"
    text = f"""{PRODUCTS}
func.func @main(%x: tensor<f64>, %y: tensor<f64>, %z: tensor<f64>, %p: {wide}, %q: {wide}, %s: {wide})
    -> (tensor<f64>, {wide}, {wide}, {wide}, {wide}, {wide}) {{
  %r:4 = enzyme.autodiff @f(%x, %y, %z, %p, %q) {{activity = {array(*ALL)},
    ret_activity = {array("active", "activenoneed")}, width = {width} : i64}}
    : (tensor<f64>, tensor<f64>, tensor<f64>, {wide}, {wide}) -> (tensor<f64>, {wide}, {wide}, {wide})
  %t:2 = enzyme.fwddiff @f(%x, %p, %y, %q, %z, %s) <{{activity = {array("dup", "dup", "dup")},
    ret_activity = {array("dupnoneed", "dupnoneed")}, width = {width} : i64}}>
    : (tensor<f64>, {wide}, tensor<f64>, {wide}, tensor<f64>, {wide}) -> ({wide}, {wide})
  return %r#0, %r#1, %r#2, %r#3, %t#0, %t#1 : tensor<f64>, {wide}, {wide}, {wide}, {wide}, {wide}
}}"""
    p, q, s = np.arange(1.0, width + 1), np.arange(11.0, width + 11), np.arange(-3.0, width - 3)
    expected = [6, p * 3 + q * 15, p * 2 + q * 10, q * 6, p * 3 + q * 2, p * 15 + q * 10 + s * 6]
    for got, want in zip(evaluate(lowered(text), 2, 3, 5, p, q, s), expected, strict=True):
        np.testing.assert_allclose(got, want, rtol=1e-14)


def test_strong_zero_is_a_derivative_of_its_own() -> None:
    """The same function with and without it, in both orders: a zero shadow meets an infinite factor."""
    for first, second in (("true", "false"), ("false", "true")):
        ops = [
            f"%r{n} = enzyme.autodiff @f(%x, %y, %z, %p) {{activity = {array('const', 'active', 'const')}, "
            f"ret_activity = {array('activenoneed', 'constnoneed')}, strong_zero = {strong}}} "
            f": ({tensors(4)}) -> tensor<f64>"
            for n, strong in enumerate((first, second))
        ]
        text = f"""{PRODUCTS}
func.func @main(%x: tensor<f64>, %y: tensor<f64>, %z: tensor<f64>, %p: tensor<f64>) -> (tensor<f64>, tensor<f64>) {{
  {ops[0]}
  {ops[1]}
  return %r0, %r1 : tensor<f64>, tensor<f64>
}}"""
        got = dict(zip((first, second), numbers(lowered(text), np.inf, 3, 5, 0), strict=True))
        assert got["true"] == 0
        assert np.isnan(got["false"])


# -- Jacobians and batches -------------------------------------------------------------------------------------------

MIXED = """
func.func @f(%x: tensor<2xf64>, %y: tensor<f64>, %n: tensor<i32>) -> (tensor<2xf64>, tensor<f64>) {
  %b = stablehlo.broadcast_in_dim %y, dims = [] : (tensor<f64>) -> tensor<2xf64>
  %a = stablehlo.multiply %x, %b : tensor<2xf64>
  %s = stablehlo.multiply %y, %y : tensor<f64>
  return %a, %s : tensor<2xf64>, tensor<f64>
}
"""


def jacobian_main(activity: Sequence[str], ret_activity: Sequence[str], types: Sequence[str]) -> str:
    dictionary = f"{{activity = {array(*activity)}, ret_activity = {array(*ret_activity)}}}"
    values = ", ".join(f"%r#{n}" for n in range(len(types)))
    return f"""{MIXED}
func.func @main(%x: tensor<2xf64>, %y: tensor<f64>) -> ({", ".join(types)}) {{
  %n = stablehlo.constant dense<1> : tensor<i32>
  %r:{len(types)} = enzyme.jacobian @f(%x, %y, %n) {dictionary}
    : (tensor<2xf64>, tensor<f64>, tensor<i32>) -> ({", ".join(types)})
  return {values} : {", ".join(types)}
}}"""


def test_jacobian_has_a_result_for_each_active_pair() -> None:
    types = ["tensor<2x2xf64>", "tensor<2xf64>", "tensor<2xf64>", "tensor<f64>"]
    text = jacobian_main(("active", "dup", "const"), ("active", "dup"), types)
    assert numbers(lowered(text), [2, 3], 5) == [[[5, 0], [0, 5]], [2, 3], [0, 0], 10]


def test_jacobian_leaves_out_what_is_constant() -> None:
    text = jacobian_main(("const", "active", "const"), ("active", "const"), ["tensor<2xf64>"])
    assert numbers(lowered(text), [2, 3], 5) == [[2, 3]]


def test_jacobian_numbered_over_all_pairs_has_zeros() -> None:
    types = ["tensor<2x2xf64>", "tensor<2xf64>", "tensor<2xf64>", "tensor<2xf64>", "tensor<f64>", "tensor<f64>"]
    text = jacobian_main(("const", "active", "const"), ("active", "active"), types)
    assert numbers(lowered(text), [2, 3], 5) == [[[0, 0], [0, 0]], [2, 3], [0, 0], [0, 0], 10, 0]


@pytest.mark.parametrize("size", [2, 5])  # forward and reverse mode
def test_jacobian_has_the_results_element_type(size: int) -> None:
    text = f"""
func.func @f(%x: tensor<{size}xf64>) -> tensor<3xf32> {{
  %a = stablehlo.slice %x [0:1] : (tensor<{size}xf64>) -> tensor<1xf64>
  %b = stablehlo.broadcast_in_dim %a, dims = [0] : (tensor<1xf64>) -> tensor<3xf64>
  %c = stablehlo.convert %b : (tensor<3xf64>) -> tensor<3xf32>
  return %c : tensor<3xf32>
}}
func.func @main(%x: tensor<{size}xf64>) -> tensor<3x{size}xf32> {{
  %r = enzyme.jacobian @f(%x) {{activity = {array("active")}, ret_activity = {array("active")}}}
    : (tensor<{size}xf64>) -> tensor<3x{size}xf32>
  return %r : tensor<3x{size}xf32>
}}"""
    (result,) = evaluate(lowered(text), np.arange(size))
    assert result.dtype == np.float32
    np.testing.assert_array_equal(result, [[1] + [0] * (size - 1)] * 3)


def test_jacobian_of_complex_results_by_many_real_arguments_is_complex() -> None:
    text = f"""
func.func @f(%x: tensor<2xf64>) -> tensor<complex<f64>> {{
  %a = stablehlo.slice %x [0:1] : (tensor<2xf64>) -> tensor<1xf64>
  %b = stablehlo.slice %x [1:2] : (tensor<2xf64>) -> tensor<1xf64>
  %z = stablehlo.complex %a, %b : tensor<1xcomplex<f64>>
  %y = stablehlo.multiply %z, %z : tensor<1xcomplex<f64>>
  %r = stablehlo.reshape %y : (tensor<1xcomplex<f64>>) -> tensor<complex<f64>>
  return %r : tensor<complex<f64>>
}}
func.func @main(%x: tensor<2xf64>) -> tensor<2xcomplex<f64>> {{
  %r = enzyme.jacobian @f(%x) {{activity = {array("active")}, ret_activity = {array("active")}}}
    : (tensor<2xf64>) -> tensor<2xcomplex<f64>>
  return %r : tensor<2xcomplex<f64>>
}}"""
    module = lowered(text)
    real, imaginary = evaluate(parse(real_and_imaginary(to_text(module))), [3, 4])
    np.testing.assert_allclose(real + 1j * imaginary, [2 * (3 + 4j), 2j * (3 + 4j)])


def real_and_imaginary(text: str) -> str:
    """Let @main return the two parts of its complex result, which NumPy can't read from MLIR."""
    head, _, body = text.partition("@main(")
    body = body.replace("-> tensor<2xcomplex<f64>> {", "-> (tensor<2xf64>, tensor<2xf64>) {", 1)
    returned = "return %0 : tensor<2xcomplex<f64>>"
    parts = [
        f"%p{n} = stablehlo.{part} %0 : (tensor<2xcomplex<f64>>) -> tensor<2xf64>\n"
        for n, part in enumerate(("real", "imag"))
    ]
    return f"{head}@main({body.replace(returned, ''.join(parts) + 'return %p0, %p1 : tensor<2xf64>, tensor<2xf64>', 1)}"


@pytest.mark.parametrize("shape", [[], [4], [2, 3]])
def test_batch_prepends_its_shape(shape: list[int]) -> None:
    def batched(*inner: int) -> str:
        return f"tensor<{'x'.join([*map(str, [*shape, *inner]), 'f64'])}>"

    sizes = ", ".join(map(str, shape))
    text = f"""
func.func @f(%x: tensor<2xf64>, %y: tensor<f64>) -> (tensor<2xf64>, tensor<f64>) {{
  %b = stablehlo.broadcast_in_dim %y, dims = [] : (tensor<f64>) -> tensor<2xf64>
  %a = stablehlo.multiply %x, %b : tensor<2xf64>
  %s = stablehlo.sine %y : tensor<f64>
  return %a, %s : tensor<2xf64>, tensor<f64>
}}
func.func @main(%x: {batched(2)}, %y: {batched()}) -> ({batched(2)}, {batched()}) {{
  %r:2 = enzyme.batch @f(%x, %y) {{batch_shape = array<i64{": " if shape else ""}{sizes}>}}
    : ({batched(2)}, {batched()}) -> ({batched(2)}, {batched()})
  return %r#0, %r#1 : {batched(2)}, {batched()}
}}"""
    random = np.random.default_rng(0)
    x, y = random.normal(size=[*shape, 2]), random.normal(size=shape)
    product, sine = evaluate(lowered(text), x, y)
    np.testing.assert_allclose(product, x * y[..., None])
    np.testing.assert_allclose(sine, np.sin(y))


def test_shadows_are_stacked_and_taken_apart() -> None:
    text = """
func.func @main(%x: tensor<2xf64>, %y: tensor<2xf64>) -> (tensor<2x2xf64>, tensor<2xf64>, tensor<3x2xf64>) {
  %c = enzyme.concat(%x, %y) : (tensor<2xf64>, tensor<2xf64>) -> tensor<2x2xf64>
  %e = enzyme.extract %c[1] : (tensor<2x2xf64>) -> tensor<2xf64>
  %b = "enzyme.broadcast"(%x) <{shape = array<i64: 3>}> : (tensor<2xf64>) -> tensor<3x2xf64>
  return %c, %e, %b : tensor<2x2xf64>, tensor<2xf64>, tensor<3x2xf64>
}"""
    assert numbers(lowered(text), [1, 2], [3, 4]) == [[[1, 2], [3, 4]], [3, 4], [[1, 2], [1, 2], [1, 2]]]


# -- nesting ---------------------------------------------------------------------------------------------------------

CUBE = """
func.func private @d0(%x: tensor<f64>) -> tensor<f64> {
  %a = stablehlo.multiply %x, %x : tensor<f64>
  %b = stablehlo.multiply %a, %a : tensor<f64>
  return %b : tensor<f64>
}
"""


def nested(modes: Sequence[str]) -> str:
    """@main is the derivative of the derivative … of x⁴, one level for each mode."""
    text = CUBE
    for n, mode in enumerate(modes):
        activities = array("active"), array("activenoneed")
        if mode == "fwddiff":
            activities = array("dup"), array("dupnoneed")
        name = "main" if n == len(modes) - 1 else f"d{n + 1}"
        text += f"""
func.func @{name}(%x: tensor<f64>) -> tensor<f64> {{
  %one = stablehlo.constant dense<1.0> : tensor<f64>
  %d = enzyme.{mode} @d{n}(%x, %one) {{activity = {activities[0]}, ret_activity = {activities[1]}}}
    : (tensor<f64>, tensor<f64>) -> tensor<f64>
  return %d : tensor<f64>
}}"""
    return text


@pytest.mark.parametrize("modes", list(itertools.product(("autodiff", "fwddiff"), repeat=3)))
def test_derivatives_nest_in_any_order(modes: Sequence[str]) -> None:
    assert numbers(lowered(nested(modes)), 3) == [24 * 3]


def test_the_order_of_functions_in_the_module_does_not_matter() -> None:
    head, *tail = nested(("autodiff", "fwddiff")).split("\nfunc.func ")
    assert numbers(lowered("\nfunc.func ".join([head, *reversed(tail)])), 3) == [12 * 9]


def test_a_call_to_a_function_with_derivatives_in_it_is_differentiated() -> None:
    text = (
        nested(("autodiff",)).replace("@main", "@df")
        + f"""
func.func private @caller(%x: tensor<f64>) -> tensor<f64> {{
  %a = func.call @df(%x) : (tensor<f64>) -> tensor<f64>
  return %a : tensor<f64>
}}
func.func @main(%x: tensor<f64>, %d: tensor<f64>) -> tensor<f64> {{
  %r = enzyme.fwddiff @caller(%x, %d) {{activity = {array("dup")}, ret_activity = {array("dupnoneed")}}}
    : (tensor<f64>, tensor<f64>) -> tensor<f64>
  return %r : tensor<f64>
}}"""
    )
    assert numbers(lowered(text), 3, 1) == [12 * 9]


def test_the_batch_of_a_derivative() -> None:
    text = (
        nested(("autodiff",)).replace("@main", "@df")
        + """
func.func @main(%x: tensor<3xf64>) -> tensor<3xf64> {
  %r = enzyme.batch @df(%x) {batch_shape = array<i64: 3>} : (tensor<3xf64>) -> tensor<3xf64>
  return %r : tensor<3xf64>
}"""
    )
    assert numbers(lowered(text), [1, 2, 3]) == [[4, 32, 108]]


def test_a_function_that_differentiates_itself_is_refused() -> None:
    one = nested(("autodiff", "fwddiff")).replace("@main", "@d2")
    text = one.replace("stablehlo.multiply %a, %a : tensor<f64>", "func.call @d2(%a) : (tensor<f64>) -> tensor<f64>")
    with pytest.raises(RequestError, match="can't differentiate itself") as caught:
        lowered(text)
    assert (caught.value.location or "").startswith("g.mlir:")


def test_recursion_without_derivatives_is_none_of_our_business() -> None:
    text = (
        PRODUCTS
        + main(products("autodiff", ALL, ("activenoneed", "active")), 5, 4)
        + """
func.func @again(%x: tensor<f64>) -> tensor<f64> {
  %y = func.call @again(%x) : (tensor<f64>) -> tensor<f64>
  return %y : tensor<f64>
}"""
    )
    assert "again" in functions(lowered(text))


# -- regions ---------------------------------------------------------------------------------------------------------


def test_a_region_is_differentiated_by_its_arguments_only() -> None:
    """At y = x, the derivative of 3·y·x by y is 3·x: the captured x is constant."""
    text = f"""
func.func @main(%x: tensor<f64>, %d: tensor<f64>) -> (tensor<f64>, tensor<f64>) {{
  %three = stablehlo.constant dense<3.0> : tensor<f64>
  %r = enzyme.autodiff_region(%x, %d) {{
  ^bb0(%y: tensor<f64>):
    %a = stablehlo.multiply %y, %three : tensor<f64>
    %b = stablehlo.multiply %a, %x : tensor<f64>
    enzyme.yield %b : tensor<f64>
  }} attributes {{activity = {array("active")}, ret_activity = {array("activenoneed")}}} : ({tensors(2)}) -> tensor<f64>
  %t:2 = enzyme.fwddiff_region(%x, %d) {{
  ^bb0(%y: tensor<f64>):
    %a = stablehlo.multiply %y, %three : tensor<f64>
    %b = stablehlo.multiply %a, %x : tensor<f64>
    enzyme.yield %b : tensor<f64>
  }} <{{activity = {array("dup")}, ret_activity = {array("dup")}}}> : ({tensors(2)}) -> ({tensors(2)})
  return %r, %t#1 : tensor<f64>, tensor<f64>
}}"""
    module = lowered(text)
    assert numbers(module, 5, 2) == [30, 30]
    # the captured x is an operand, the constant is not: it has been copied
    assert [len(call.operands) for call in called(module)] == [3, 3]


def test_regions_within_regions_and_within_control_flow() -> None:
    """The outer derivative of x·d/dz(z·y at z = y) by y, with y = x, in a branch."""
    text = f"""
func.func @main(%x: tensor<f64>, %d: tensor<f64>) -> tensor<f64> {{
  %zero = stablehlo.constant dense<0.0> : tensor<f64>
  %p = stablehlo.compare GT, %x, %zero : (tensor<f64>, tensor<f64>) -> tensor<i1>
  %o = "stablehlo.if"(%p) ({{
    %r = enzyme.autodiff_region(%x, %d) {{
    ^bb0(%y: tensor<f64>):
      %one = stablehlo.constant dense<1.0> : tensor<f64>
      %i = enzyme.fwddiff_region(%y, %one) {{
      ^bb0(%z: tensor<f64>):
        %p1 = stablehlo.multiply %z, %y : tensor<f64>
        %p2 = stablehlo.multiply %p1, %z : tensor<f64>
        enzyme.yield %p2 : tensor<f64>
      }} <activity = {array("dup")}, ret_activity = {array("dupnoneed")}> : ({tensors(2)}) -> tensor<f64>
      %q = stablehlo.multiply %i, %x : tensor<f64>
      enzyme.yield %q : tensor<f64>
    }} <activity = {array("active")}, ret_activity = {array("activenoneed")}> : ({tensors(2)}) -> tensor<f64>
    stablehlo.return %r : tensor<f64>
  }}, {{
    stablehlo.return %zero : tensor<f64>
  }}) : (tensor<i1>) -> tensor<f64>
  return %o : tensor<f64>
}}"""
    # d/dz (z²·y) at z = y is 2·y², times x: its derivative by y is 4·y·x
    assert numbers(lowered(text), 5, 1) == [4 * 5 * 5]


def test_a_region_keeps_the_name_it_is_given() -> None:
    text = f"""
func.func @main(%x: tensor<f64>) -> tensor<f64> {{
  %r = enzyme.fwddiff_region(%x, %x) {{
  ^bb0(%y: tensor<f64>):
    %a = stablehlo.sine %y : tensor<f64>
    enzyme.yield %a : tensor<f64>
  }} attributes {{activity = {array("dup")}, ret_activity = {array("dupnoneed")}, fn = "wave"}}
    : ({tensors(2)}) -> tensor<f64>
  return %r : tensor<f64>
}}"""
    module = lowered(text)
    assert any(name.startswith("wave") for name in functions(module))
    assert numbers(module, 0) == [0]


# -- stops -----------------------------------------------------------------------------------------------------------

STOP = """
func.func private @f(%x: tensor<f64>) -> tensor<f64> {
  %a = stablehlo.multiply %x, %x : tensor<f64>
  %s = enzyme.ignore_derivatives %a : tensor<f64> -> tensor<f64>
  %b = stablehlo.multiply %s, %x : tensor<f64>
  return %b : tensor<f64>
}
"""


@pytest.mark.parametrize(
    ("mode", "activity", "ret_activity"), [("autodiff", "active", "active"), ("fwddiff", "dup", "dup")]
)
def test_no_derivative_flows_through_ignore_derivatives(mode: str, activity: str, ret_activity: str) -> None:
    op = f"enzyme.{mode} @f(@@) {{activity = {array(activity)}, ret_activity = {array(ret_activity)}}}"
    assert numbers(lowered(STOP + main(op, 2, 2)), 3, 1) == [27, 9]


def test_stops_stay_while_more_is_to_be_differentiated() -> None:
    module = parse(STOP + main(products("autodiff", ["active"], ["activenoneed"]), 2, 1))
    enzyme.lower_requests(module)
    assert "enzyme.ignore_derivatives" in str(functions(module)["f"])
    assert "enzyme.autodiff" not in to_text(module)


# -- asking for less -------------------------------------------------------------------------------------------------

A, AN, C, CN, D, DN = (
    Activity.active,
    Activity.activenoneed,
    Activity.const,
    Activity.constnoneed,
    Activity.dup,
    Activity.dupnoneed,
)


def arg(n: int) -> Slot:
    return ("arg", n, "shadow")


def ret(n: int) -> Slot:
    return ("result", n, "shadow")


def value(n: int) -> Slot:
    return ("result", n, "primal")


@pytest.mark.parametrize(
    ("mode", "asked", "used", "zero", "left"),
    [
        # reverse: what is used stays
        (Mode.reverse, ([A, A], [A]), {value(0), arg(0), arg(1)}, set(), ([A, A], [A])),
        # an unused primal
        (Mode.reverse, ([A], [A, C]), {arg(0)}, set(), ([A], [AN, CN])),
        # an unused gradient
        (Mode.reverse, ([A, A], [A]), {value(0), arg(1)}, set(), ([C, A], [A])),
        # a zero cotangent, with its primal used or not
        (Mode.reverse, ([A], [A, A]), {value(0), value(1), arg(0)}, {ret(0)}, ([A], [C, A])),
        (Mode.reverse, ([A], [AN, A]), {arg(0)}, {ret(0)}, ([A], [CN, AN])),
        # no gradient is used: cotangents are not needed
        (Mode.reverse, ([A], [A, AN]), {value(0)}, set(), ([C], [C, CN])),
        # shadows of tensors carry nothing in reverse mode
        (Mode.reverse, ([D, DN, A], [D, DN, A]), {value(0), value(2), arg(2)}, set(), ([C, C, A], [C, CN, A])),
        # forward
        (Mode.forward, ([D, DN], [D]), {value(0), ret(0)}, set(), ([D, D], [D])),
        (Mode.forward, ([D], [D, D]), {ret(0), value(1)}, set(), ([D], [DN, C])),
        (Mode.forward, ([D], [D, C]), {ret(0)}, set(), ([D], [DN, CN])),
        (Mode.forward, ([D, D], [D]), {value(0), ret(0)}, {arg(0)}, ([C, D], [D])),
        (Mode.forward, ([D], [D, DN]), {value(0)}, set(), ([C], [C, CN])),
    ],
)
def test_requests_are_made_as_small_as_their_use(
    mode: Mode,
    asked: tuple[list[Activity], list[Activity]],
    used: set[Slot],
    zero: set[Slot],
    left: tuple[list[Activity], list[Activity]],
) -> None:
    request = Request("f", mode, tuple(asked[0]), tuple(asked[1]), width=2, strong_zero=True)
    small = canonicalise(request, used, zero)
    assert small == Request("f", mode, tuple(left[0]), tuple(left[1]), width=2, strong_zero=True)
    assert canonicalise(small, used, zero) == small
    # only slots disappear, and none that is used
    assert used <= set(result_slots(mode, small.activity, small.ret_activity))
    assert set(operand_slots(mode, small.activity, small.ret_activity)) <= set(operand_slots(mode, *asked))


def test_a_jacobian_is_made_as_small_as_its_use() -> None:
    assert canonicalise_jacobian([A, D, C], [D, A], {(0, 1)}) == ((C, A, C), (A, C))
    assert canonicalise_jacobian([A, D], [D, A], {(0, 0), (1, 1)}) == ((A, A), (A, A))


def called(module: ir.Module) -> list[ir.Operation]:
    return [op.operation for op in functions(module)["main"].entry_block.operations if op.name == "func.call"]


def test_only_what_is_used_is_computed() -> None:
    text = PRODUCTS + main(products("autodiff", ALL, ("active", "active")), 5, 5, kept=[4])
    module = lowered(text)
    (call,) = called(module)
    assert len(call.results) == 1
    assert len(call.operands) == 5
    assert numbers(module, 2, 3, 5, 7, 11) == [66]


def test_zero_cotangents_and_their_constants_disappear() -> None:
    text = f"""{PRODUCTS}
func.func @main(%x: tensor<f64>, %y: tensor<f64>, %z: tensor<f64>, %p: tensor<f64>) -> (tensor<f64>, tensor<f64>) {{
  %zero = stablehlo.constant dense<0.0> : tensor<f64>
  %also = stablehlo.reshape %zero : (tensor<f64>) -> tensor<f64>
  %r:5 = {products("autodiff", ALL, ("active", "active")).replace("@@", "%x, %y, %z, %p, %also")}
    : ({tensors(5)}) -> ({tensors(5)})
  return %r#0, %r#2 : tensor<f64>, tensor<f64>
}}"""
    module = lowered(text)
    (call,) = called(module)
    assert len(call.operands) == 4
    assert len(functions(module)["main"].entry_block.operations) == 2
    assert numbers(module, 2, 3, 5, 7) == [6, 21]


def test_a_constant_that_is_used_twice_is_erased_once() -> None:
    zero = "%zero = stablehlo.constant dense<0.0> : tensor<f64>"
    text = f"""{PRODUCTS}
func.func @main(%x: tensor<f64>) -> tensor<f64> {{
  {zero}
  %also = stablehlo.reshape %zero : (tensor<f64>) -> tensor<f64>
  %r:5 = {products("autodiff", ALL, ("active", "active")).replace("@@", "%x, %x, %x, %zero, %also")}
    : ({tensors(5)}) -> ({tensors(5)})
  return %r#4 : tensor<f64>
}}"""
    module = lowered(text)
    assert [op.name for op in functions(module)["main"].entry_block.operations] == ["func.call", "func.return"]
    assert numbers(module, 3) == [0]


def test_an_op_that_nothing_uses_disappears() -> None:
    text = PRODUCTS + main(products("autodiff", ALL, ("active", "active")), 5, 5, kept=[])
    module = lowered(text)
    assert [op.name for op in functions(module)["main"].entry_block.operations] == ["func.return"]
    assert list(functions(module)) == ["f", "main"]


def test_a_request_for_primals_is_a_call_of_the_function_itself() -> None:
    text = PRODUCTS + main(products("autodiff", ALL, ("active", "active")), 5, 5, kept=[0, 1])
    module = lowered(text)
    (call,) = called(module)
    assert str(call.attributes["callee"]) == "@f"
    assert list(functions(module)) == ["f", "main"]


def test_equal_requests_share_one_derivative() -> None:
    op = products("autodiff", ALL, ("activenoneed", "active")).replace("@@", "%x, %y, %z, %p, %q")
    text = f"""{PRODUCTS}
func.func @main(%x: tensor<f64>, %y: tensor<f64>, %z: tensor<f64>, %p: tensor<f64>, %q: tensor<f64>)
    -> (tensor<f64>, tensor<f64>) {{
  %r:4 = {op} : ({tensors(5)}) -> ({tensors(4)})
  %s:4 = {op} : ({tensors(5)}) -> ({tensors(4)})
  return %r#1, %s#1 : tensor<f64>, tensor<f64>
}}"""
    first, second = called(lowered(text))
    assert first.attributes["callee"] == second.attributes["callee"]


def test_private_functions_that_nothing_names_are_dropped_and_public_ones_kept() -> None:
    module = lowered(
        CUBE.replace("@d0", "@f")
        + PRODUCTS.replace("@f", "@kept")
        + main(products("autodiff", ["active"], ["activenoneed"]), 2, 1)
    )
    names = functions(module)
    assert "f" not in names
    assert "kept" in names
    assert all(n in ("kept", "main") or n.startswith("f.") for n in names)


def test_an_op_without_a_rule_is_refused_where_it_stands() -> None:
    text = """
func.func @f(%x: tensor<f64>) -> tensor<f64> {
  %y = "other.op"(%x) : (tensor<f64>) -> tensor<f64>
  return %y : tensor<f64>
}
""" + main(products("autodiff", ["active"], ["activenoneed"]), 2, 1)
    with pytest.raises(NoRule, match=r"other\.op") as caught:
        lowered(text)
    assert caught.value.location == "g.mlir:3:8"
