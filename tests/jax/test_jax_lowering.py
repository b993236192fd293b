"""What lowering shares between the modules of one program, and what it never does."""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from agreement import assert_same
from jax import lax
from jaxlib.mlir import ir
from jaxlib.mlir.dialects import stablehlo

import gradir.jax as ours
from gradir.jax.lowering import OwnRule
from gradir.jax_internals import Forms, jax_core, mlir
from gradir.tensor.ir.context import context
from gradir.tensor.ir.module import functions, parse

pytestmark = pytest.mark.usefixtures("x64")

A = np.array([[4.0, 1.0, 0.5], [1.0, 3.0, 0.2], [0.5, 0.2, 2.0]])
B = np.array([0.3, -0.4, 1.1])


@jax.custom_jvp
def steep(x: Any) -> Any:
    """A softplus whose derivative is five times too large."""
    return jnp.logaddexp(x, 0.0)


@steep.defjvp
def _(primals: Any, tangents: Any) -> Any:
    (x,), (t,) = primals, tangents
    return steep(x), 5 * jax.nn.sigmoid(x) * t


def solved(a: Any, b: Any) -> Any:
    """Several functions with rules, whose own functions call the same ones of JAX's."""
    sign, size = jnp.linalg.slogdet(a)
    x = jnp.linalg.solve(a, b)
    return sign * size + jnp.sum(steep(x) * jnp.linalg.solve(a.T, x)) + jnp.trace(jnp.linalg.cholesky(a @ a.T))


@pytest.mark.parametrize("derivative", ["grad", "jacfwd", "hessian"])
def test_functions_with_rules_that_share_what_they_call(derivative: str) -> None:
    assert_same(lambda api: getattr(api, derivative)(solved)(A, B))


counted = jax_core.Primitive("counted_sine")
counted.def_abstract_eval(lambda x: x)
lowered_in: list[ir.Context] = []


def _lower_counted(ctx: mlir.LoweringRuleContext, x: ir.Value) -> Any:
    lowered_in.append(ctx.module_context.context)
    return [stablehlo.sine(x)]


_lower_counted.__module__ = "jax"  # what others lower may call back into Python, and is never left for later
mlir.register_lowering(counted, _lower_counted)


def test_equal_equations_of_a_program_and_of_its_rules_are_lowered_once() -> None:
    @jax.custom_jvp
    def f(x: Any) -> Any:
        return lax.tan(x)

    @f.defjvp
    def _(primals: Any, tangents: Any) -> Any:
        (x,), (t,) = primals, tangents
        return counted.bind(x), counted.bind(x) * t

    lowered_in.clear()
    jax.jit(ours.grad(lambda x: jnp.sum(jnp.floor(counted.bind(x)) * f(x)))).lower(B)
    assert lowered_in == [context()]


def test_no_function_is_printed_to_be_lowered(monkeypatch: pytest.MonkeyPatch) -> None:
    """A solver's parameters are functions: to print them takes longer than to lower them."""

    def refuse(*_: Any) -> str:
        raise AssertionError("a jaxpr is printed")

    def f(a: Any, b: Any) -> Any:
        return jnp.sum(jax.scipy.sparse.linalg.cg(lambda x: a @ x, b)[0] ** 2)

    for kind in (jax_core.Jaxpr, jax_core.ClosedJaxpr):
        for name in ("__str__", "__repr__", "pretty_print"):
            monkeypatch.setattr(kind, name, refuse)
    jax.jit(ours.grad(f)).lower(A, B)


class _Value:
    """What JAX keeps of an equation that it has lowered, as far as it matters here."""

    def __init__(self, function: Any, *, inline: bool) -> None:
        self.func, self.inline = function, inline


@pytest.mark.parametrize(
    ("body", "is_shared"),
    [
        ("%0 = stablehlo.sine %x : tensor<3xf32>", True),
        ('%0 = "enzyme.ignore_derivatives"(%x) : (tensor<3xf32>) -> tensor<3xf32>', True),
        ("%0 = func.call @other(%x) : (tensor<3xf32>) -> tensor<3xf32>", False),
        ("%0 = stablehlo.custom_call @Other(%x) : (tensor<3xf32>) -> tensor<3xf32>", False),
        ('%0 = stablehlo.composite "a.b" %x {decomposition = @other} : (tensor<3xf32>) -> tensor<3xf32>', False),
        ('%0 = "unknown.op"(%x) : (tensor<3xf32>) -> tensor<3xf32>', False),
        (
            '%0 = "stablehlo.all_reduce"(%x) ({^bb0(%a: tensor<f32>, %b: tensor<f32>):'
            " %s = stablehlo.add %a, %b : tensor<f32> stablehlo.return %s : tensor<f32>})"
            " {replica_groups = dense<0> : tensor<1x1xi64>} : (tensor<3xf32>) -> tensor<3xf32>",
            False,
        ),
    ],
)
def test_what_names_something_of_its_module_is_not_for_another(body: str, is_shared: bool) -> None:
    module = parse(
        "func.func private @other(tensor<3xf32>) -> tensor<3xf32>\n"
        f"func.func @f(%x: tensor<3xf32>) -> tensor<3xf32> {{\n {body}\n return %0 : tensor<3xf32> }}"
    )
    forms, function = Forms(), functions(module)["f"]
    found = forms.known(module.context)
    found |= {"inlined": _Value(function, inline=True), "called": _Value(function, inline=False)}
    forms.learn(found, module.context)
    assert set(forms.known(module.context)) == ({"inlined"} if is_shared else set())


def test_what_is_known_in_one_context_is_not_in_another() -> None:
    module = parse("func.func @f(%x: tensor<3xf32>) -> tensor<3xf32> { return %x : tensor<3xf32> }")
    forms, found = Forms(), {"f": _Value(functions(module)["f"], inline=True)}
    forms.known(module.context)
    forms.learn(found, ir.Context())
    assert not forms.known(module.context)
    forms.learn(found, module.context)
    assert set(forms.known(module.context)) == {"f"}
    assert not forms.known(ir.Context())


def test_a_function_whose_rule_is_called_is_not_lowered_itself() -> None:
    """Its own ops are asked for where it is called as it is: at what is not differentiated, in loops, in a batch."""

    @jax.custom_jvp
    def f(x: Any) -> Any:
        return counted.bind(x)

    @f.defjvp
    def _(primals: Any, tangents: Any) -> Any:
        (x,), (t,) = primals, tangents
        return lax.sin(x), lax.cos(x) * t

    lowered_in.clear()
    jax.jit(ours.grad(lambda x: jnp.sum(f(x)))).lower(B)
    assert lowered_in == []
    jax.jit(ours.grad(lambda x: jnp.sum(f(x) * f(lax.stop_gradient(x) + 1)))).lower(B)
    assert lowered_in == [context()]


others = jax_core.Primitive("sine_of_another_package")
others.def_abstract_eval(lambda x: x)


def _call_back(x: Any) -> Any:
    return jax.pure_callback(np.sin, jax.ShapeDtypeStruct(x.shape, x.dtype), x, vmap_method="sequential")


def _lower_others(ctx: mlir.LoweringRuleContext, x: ir.Value) -> Any:
    return mlir.lower_fun(_call_back, multiple_results=False)(ctx, x)


mlir.register_lowering(others, _lower_others)


def test_what_other_packages_lower_may_call_back() -> None:
    """XLA has to be told by the program's own module: else it would call what is not there."""

    @jax.custom_jvp
    def f(x: Any) -> Any:
        return others.bind(x)

    @f.defjvp
    def _(primals: Any, tangents: Any) -> Any:
        (x,), (t,) = primals, tangents
        return f(x), lax.cos(x) * t

    found = jax.jit(ours.grad(lambda x: jnp.sum(f(x) * f(lax.stop_gradient(x) + 1))))(B)
    np.testing.assert_allclose(found, jnp.cos(B) * jnp.sin(B + 1), rtol=1e-6)


@pytest.mark.parametrize(
    "used",
    [
        lambda x: jnp.sum(steep(x) * steep(lax.stop_gradient(x))),
        lambda x: jnp.sum(lax.map(steep, x) * lax.map(lambda y: steep(lax.stop_gradient(y)), x)),
        lambda x: lax.fori_loop(0, 3, lambda i, c: c + jnp.sum(steep(x * i)), 0.0),
        lambda x: jnp.sum(jax.vmap(lambda y: steep(y) * jnp.linalg.det(y * A))(x)),
        lambda x: jnp.sum(ours.jacfwd(steep)(x)),
        lambda x: ours.grad(lambda y: jnp.sum(steep(y) * steep(B)))(x)[1],
    ],
)
def test_functions_with_rules_where_their_values_are_asked_for(used: Any) -> None:
    def check(api: Any) -> Any:
        many = jnp.stack([B, B + 1])
        return (
            api.value_and_grad(used)(B), jax.jit(jax.vmap(api.grad(used)))(many), api.hessian(used)(B),
            api.jvp(used, (B,), (B,)), api.linearize(used, B)[1](B), api.vjp(used, B)[1](1.0),
        )  # fmt: skip

    assert_same(check)


REAL = np.array([0.0, -0.0, 2.0, -3.0, 0.25])


@pytest.mark.parametrize("dtype", [np.float16, jnp.bfloat16, np.float32, np.float64])
@pytest.mark.parametrize(
    "f",
    [
        jnp.abs,
        lambda x: (x + 1) ** -2,
        lambda x: jnp.abs(x + 0.5) ** -5 * jnp.abs(x),
        lambda x: jax.nn.softplus(x) * jnp.logaddexp(x, x * x),
    ],
)
def test_what_is_differentiated_by_rules_that_are_written_out(f: Any, dtype: Any) -> None:
    x = jnp.asarray(REAL, dtype)

    def check(api: Any) -> Any:
        pushed = api.jvp(f, (x,), (x + 2,)), api.linearize(f, x)[1](x + 2)
        once = jax.vmap(api.grad(f))(x), jax.vmap(api.grad(lambda y: lax.fori_loop(0, 2, lambda _, z: f(z), y)))(x)
        return pushed, once, jax.vmap(api.grad(api.grad(f)))(x), jax.vmap(api.grad(api.grad(api.grad(f))))(x)

    assert_same(check, units=64)  # some ten roundings, of terms that cancel in part


ENDS = [0, -0.0, 2, -3, np.nan, np.inf, -np.inf, 800, -800]


@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.float64])
def test_logaddexp_at_the_ends(dtype: Any) -> None:
    x = jnp.asarray(ENDS, dtype)
    y = jnp.asarray([0, 1, np.inf, -np.inf, 1, np.inf, -np.inf, -800, 1], dtype)

    def f(x: Any, y: Any) -> Any:
        return jnp.logaddexp(x, y)

    def check(api: Any) -> Any:
        first = jax.vmap(api.value_and_grad(f, (0, 1)))(x, y), api.jvp(f, (x, y), (y, x))[0]
        return first, jax.vmap(api.hessian(f, (0, 1)))(x, y)

    ours_, theirs = jax.tree.leaves(check(ours)), jax.tree.leaves(check(jax))
    near = 8 * float(jnp.finfo(dtype).eps)  # some roundings of exponentials
    for a, b in zip(ours_, theirs, strict=True):
        np.testing.assert_allclose(np.float64(a), np.float64(b), rtol=near, atol=near)


def test_for_rules_that_are_written_out_nothing_is_traced_or_lowered(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: Any) -> Any:
        raise AssertionError("a rule is lowered")

    monkeypatch.setattr(OwnRule, "_lowered", refuse)
    jax.jit(ours.hessian(lambda x: jnp.sum(jax.nn.softplus(x) * x**-2 + jnp.abs(x - 1)))).lower(B)
