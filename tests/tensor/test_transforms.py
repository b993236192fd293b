"""What the transforms have in common: activity, dead code, nesting in any order, Jacobians, names, and linear growth.

Numbers are compared with JAX's or with formulas in NumPy, both in f64; 1e-12 leaves room for the order of sums alone.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from cases.control import F, V, compare, function, loop
from jaxlib.mlir import ir
from sound import count, sound, texts

import gradir
from gradir.request import Activity, Mode, Request, operand_slots, result_slots
from gradir.tensor.analysis.activity import ActiveValues
from gradir.tensor.ir.module import functions, operations, parse, verify
from gradir.tensor.ir.regions import captures
from gradir.tensor.optimize import optimizer
from gradir.tensor.transform.derive import Deriver

I, P, Z = "tensor<i32>", "tensor<i1>", "tensor<2xcomplex<f64>>"


def close(got: Any, expected: Any) -> None:
    np.testing.assert_allclose(got, expected, rtol=1e-12, atol=1e-12)


def derive(module: gradir.Module, request: Request) -> gradir.Module:
    """The module with this derivative as @d."""
    made = module.ir
    with made.context, ir.Location.unknown():
        symbol = Deriver(made, optimizer()).derive(request)
    functions(made)[symbol].attributes["sym_name"] = ir.StringAttr.get("d", made.context)
    verify(made)
    return gradir.load(made)


# -- activity ----------------------------------------------------------------------------------------------------------


def active(text: str, args: Sequence[bool], results: Sequence[bool]) -> set[str]:
    """The ops of @f (by name and place, `add` or `loop.add`) whose result is active."""
    module = parse(text)
    block = functions(module)["f"].entry_block
    with module.context:
        found = ActiveValues(Deriver(module, optimizer()), block, args, results)
    names: set[str] = set()

    def visit(block: ir.Block, path: str) -> None:
        for view in block.operations:
            op = view.operation
            name = f"{path}{op.name.rpartition('.')[2]}"
            if any(r in found for r in op.results):
                names.add(name)
            for region in op.regions:
                for inner in region.blocks:
                    visit(inner, f"{name}.")

    visit(block, "")
    return names


STRAIGHT = function(
    f"%x: {F}, %y: {F}, %k: {I}",
    f"{F}, {F}, {I}",
    f"""%sine = stablehlo.sine %x : {F}
      %cosine = stablehlo.cosine %y : {F}
      %multiply = stablehlo.multiply %sine, %cosine : {F}
      %floor = stablehlo.floor %sine : {F}
      %convert = stablehlo.convert %x : ({F}) -> {I}
      %add = stablehlo.add %convert, %k : {I}
      %abs = stablehlo.convert %add : ({I}) -> {F}
      %tanh = stablehlo.tanh %abs : {F}
      %sqrt = stablehlo.sqrt %sine : {F}
      %one = stablehlo.constant dense<1.0> : {F}
      {compare("LT", "%sine", "%one", F)}
      %select = stablehlo.select %p, %floor, %multiply : {P}, {F}
      %log = stablehlo.log %tanh : {F}""",
    "%select, %log, %add",
)


@pytest.mark.parametrize(
    ("args", "results", "expected"),
    [
        ((1, 1, 0), (1, 1, 0), {"sine", "cosine", "multiply", "select"}),
        ((1, 0, 0), (1, 1, 0), {"sine", "multiply", "select"}),
        ((0, 1, 0), (1, 1, 0), {"cosine", "multiply", "select"}),
        ((1, 1, 1), (0, 1, 1), set()),
        ((0, 0, 1), (1, 1, 1), set()),
        ((0, 0, 0), (1, 1, 0), set()),
        ((1, 1, 1), (0, 0, 0), set()),
    ],
)
def test_what_is_active(args: Sequence[int], results: Sequence[int], expected: set[str]) -> None:
    """Varied and useful; nothing passes through integers, truth values or steps."""
    assert active(STRAIGHT, [*map(bool, args)], [*map(bool, results)]) == expected


def test_activity_in_loops_goes_round() -> None:
    """It takes as many rounds to reach %a as there are values between; what feeds no result is not active."""
    text = function(
        f"%x: {F}",
        F,
        f"""%one = stablehlo.constant dense<1.0> : {F}
      {
            loop(
                [("%a", "%one", F), ("%b", "%one", F), ("%c", "%one", F), ("%d", "%x", F)],
                f'''%sine = stablehlo.sine %b : {F}
        %cosine = stablehlo.cosine %c : {F}
        %tanh = stablehlo.tanh %x : {F}
        %sqrt = stablehlo.sqrt %d : {F}''',
                "%sine, %cosine, %tanh, %sqrt",
            )
        }""",
        "%r#1",
    )
    assert active(text, [True], [True]) == {"while", "while.sine", "while.cosine", "while.tanh"}
    assert active(text.replace("return %r#1", "return %r#3"), [True], [True]) == {"while", "while.tanh"}
    assert active(text, [False], [True]) == set()


def test_activity_in_branches_and_calls() -> None:
    text = f"""
    func.func private @g(%x: {F}, %y: {F}) -> ({F}, {F}, {F}) {{
      %s = stablehlo.sine %x : {F}
      %c = stablehlo.constant dense<1.0> : {F}
      return %s, %y, %c : {F}, {F}, {F}
    }}""" + function(
        f"%x: {F}, %y: {F}, %p: {P}",
        f"{F}, {F}, {F}",
        f"""%0:3 = call @g(%x, %y) : ({F}, {F}) -> ({F}, {F}, {F})
      %tanh = stablehlo.tanh %0#2 : {F}
      %1 = "stablehlo.if"(%p) ({{
        %sine = stablehlo.sine %0#0 : {F}
        stablehlo.return %sine : {F}
      }}, {{
        %cosine = stablehlo.cosine %tanh : {F}
        stablehlo.return %cosine : {F}
      }}) : ({P}) -> {F}
      %log = stablehlo.log %0#1 : {F}""",
        "%1, %log, %tanh",
    )
    assert active(text, [True, False, False], [True, True, True]) == {"call", "if", "if.sine"}
    assert active(text, [False, True, False], [True, True, True]) == {"call", "log"}
    assert active(text, [True, True, False], [False, True, False]) == {"call", "log"}
    module = parse(text)
    with module.context:
        deriver = Deriver(module, optimizer())
        assert deriver.varied_results("g", (True, False)) == (True, False, False)
        assert deriver.varied_results("g", (False, True)) == (False, True, False)
        assert deriver.useful_args("g", (True, False, True)) == (True, False)
        assert deriver.useful_args("g", (False, False, True)) == (False, False)
        assert deriver.batched_results("g", (False, True)) == (False, True, False)


def test_captures() -> None:
    module = parse(
        function(
            f"%x: {F}, %y: {F}, %p: {P}",
            F,
            loop(
                [("%a", "%x", F)],
                f"""%b = "stablehlo.if"(%p) ({{
          %c = stablehlo.multiply %a, %y : {F}
          stablehlo.return %c : {F}
        }}, {{
          stablehlo.return %y : {F}
        }}) : ({P}) -> {F}""",
                "%b",
            ),
            "%r#1",
        )
    )
    block = functions(module)["f"].entry_block
    (op,) = [op for op in operations(module) if op.name == "stablehlo.while"]
    assert captures(op.regions) == [block.arguments[2], block.arguments[1]]
    (branch,) = [op for op in operations(module) if op.name == "stablehlo.if"]
    assert captures(branch.regions) == [op.regions[1].blocks[0].arguments[1], block.arguments[1]]


# -- only what is needed -----------------------------------------------------------------------------------------------


def test_nothing_is_computed_that_no_result_needs() -> None:
    source = gradir.load(STRAIGHT)
    m = sound(source.grad("f", 1), source)
    # by y: the cosine's own value is not needed, nor what does not depend on y
    for name, ops in {"cosine": 0, "tanh": 0, "log": 0, "sine": 2}.items():  # of x, a factor; and of y, by the rule
        assert count(m, f"stablehlo.{name}", function="f.reverse") == ops
    assert count(m, "func.call", function="grad_f") == 1


def test_primals_that_are_not_asked_for_are_not_computed() -> None:
    text = function(
        f"%x: {F}, %y: {F}", F, f"%m = stablehlo.multiply %x, %y : {F}\n%s = stablehlo.exponential %m : {F}", "%s"
    )
    m = gradir.load(text)
    args, duo = (Activity.active, Activity.const), (Activity.dup, Activity.const)
    linear = gradir.load(text.replace("exponential", "negate"))
    for ret, ops in ((Activity.active, 4), (Activity.activenoneed, 2)):
        made = derive(linear, Request("f", Mode.reverse, args, (ret,)))
        assert count(made, *arithmetic(), function="d") == ops
    for ret, ops in ((Activity.dup, 4), (Activity.dupnoneed, 2)):
        made = derive(linear, Request("f", Mode.forward, duo, (ret,)))
        assert count(made, *arithmetic(), function="d") == ops
    assert count(derive(m, Request("f", Mode.reverse, args, (Activity.const,))), *arithmetic(), function="d") == 2


def arithmetic() -> list[str]:
    return [f"stablehlo.{n}" for n in ("multiply", "negate", "exponential", "add")]


CORNERS: dict[str, tuple[str, str, str, str, Callable[..., Any]]] = {
    "an argument that is not used": (
        f"%x: {V}, %y: {V}",
        V,
        f"%s = stablehlo.sine %x : {V}",
        "%s",
        lambda x, y: jnp.sin(x),
    ),
    "a result that is an argument": (f"%x: {V}, %y: {V}", f"{V}, {V}", "", "%y, %x", lambda x, y: (y, x)),
    "one argument twice": (f"%x: {V}, %y: {V}", f"{V}, {V}", "", "%x, %x", lambda x, y: (x, x)),
    "a result that is a constant": (
        f"%x: {V}, %y: {V}",
        f"{V}, {V}",
        f"%c = stablehlo.constant dense<2.0> : {V}\n%s = stablehlo.multiply %x, %c : {V}",
        "%c, %s",
        lambda x, y: (jnp.full(3, 2.0), 2 * x),
    ),
    "an argument and itself": (
        f"%x: {V}, %y: {V}",
        V,
        f"%s = stablehlo.multiply %x, %x : {V}",
        "%s",
        lambda x, y: x * x,
    ),
    "a value many times": (
        f"%x: {V}, %y: {V}",
        V,
        f"""%s = stablehlo.sine %x : {V}
      %a = stablehlo.add %s, %s : {V}
      %b = stablehlo.multiply %a, %s : {V}
      %c = stablehlo.divide %b, %y : {V}
      %d = stablehlo.add %c, %s : {V}""",
        "%d",
        lambda x, y: 2 * jnp.sin(x) ** 2 / y + jnp.sin(x),
    ),
    "no float argument that matters": (
        f"%x: {V}, %y: {V}",
        V,
        f"%s = stablehlo.iota dim = 0 : {V}",
        "%s",
        lambda x, y: jnp.arange(3.0),
    ),
    "a scalar and an empty array": (
        "%x: tensor<f64>, %y: tensor<0x2xf64>",
        "tensor<f64>, tensor<0x2xf64>",
        """%s = stablehlo.sine %x : tensor<f64>
      %e = stablehlo.multiply %y, %y : tensor<0x2xf64>""",
        "%s, %e",
        lambda x, y: (jnp.sin(x), y * y),
    ),
    "results of other shapes": (
        "%x: tensor<2x2xf64>, %y: tensor<1xf64>",
        "tensor<2xf64>, tensor<f64>, tensor<2x1xf64>",
        """%b = stablehlo.broadcast_in_dim %y, dims = [0] : (tensor<1xf64>) -> tensor<2xf64>
      %zero = stablehlo.constant dense<0.0> : tensor<f64>
      %rows = stablehlo.reduce(%x init: %zero) applies stablehlo.add across dimensions = [1]
        : (tensor<2x2xf64>, tensor<f64>) -> tensor<2xf64>
      %m = stablehlo.multiply %rows, %b : tensor<2xf64>
      %all = stablehlo.reduce(%m init: %zero) applies stablehlo.add across dimensions = [0]
        : (tensor<2xf64>, tensor<f64>) -> tensor<f64>
      %s = stablehlo.sine %all : tensor<f64>
      %column = stablehlo.reshape %m : (tensor<2xf64>) -> tensor<2x1xf64>""",
        "%m, %s, %column",
        lambda x, y: (x.sum(1) * y, jnp.sin(jnp.sum(x.sum(1) * y)), (x.sum(1) * y).reshape(2, 1)),
    ),
}


def corner(name: str) -> tuple[gradir.Module, Callable[..., tuple[jax.Array, ...]], list[np.ndarray]]:
    arguments, types, body, returned, reference = CORNERS[name]
    m = gradir.load(function(arguments, types, body, returned))
    rng = np.random.default_rng(3)
    values = [rng.normal(size=a.shape) for a in m.function("f").arguments]  # type: ignore[arg-type]

    def as_tuple(*xs: Any) -> tuple[jax.Array, ...]:
        out = reference(*xs)
        return out if isinstance(out, tuple) else (out,)

    return m, as_tuple, values


@pytest.mark.parametrize("mode", ["forward", "reverse", "auto"])
@pytest.mark.parametrize("name", CORNERS)
def test_jacobians(name: str, mode: Any) -> None:
    """Against JAX's, for every pair of a result and an argument, by both and by each."""
    source, reference, values = corner(name)
    with jax.enable_x64(True):
        expected = jax.jacfwd(reference, (0, 1))(*values)
    for wrt in ((0, 1), (1, 0), (1,)):
        m = sound(source.jacobian("f", wrt, mode=mode), source)
        got = m.run("jacobian_f", *values)
        got = got if isinstance(got, tuple) else (got,)
        for block, answer in zip(got, [row[i] for row in expected for i in wrt], strict=True):
            assert block.shape == answer.shape
            close(block, answer)


@pytest.mark.parametrize("width", [1, 2, 3])
@pytest.mark.parametrize("mode", list(Mode), ids=lambda m: m.value)
@pytest.mark.parametrize("name", CORNERS)
def test_several_shadows(name: str, mode: Mode, width: int) -> None:
    """n shadows at once are n derivatives, stacked: with both arguments active, and with the second alone."""
    source, _, values = corner(name)
    signature = source.function("f")
    forward = mode is Mode.forward
    on, off = (Activity.dup, Activity.const) if forward else (Activity.active, Activity.const)
    rng = np.random.default_rng(0)
    for activity in ((on, on), (off, on)):
        rets = (on,) * len(signature.results)
        wide = derive(source, Request("f", mode, activity, rets, width))
        narrow = derive(source, Request("f", mode, activity, rets))
        specs = {"arg": signature.arguments, "result": signature.results}
        operands, parts = [], []
        for kind, k, part in operand_slots(mode, activity, rets):
            primal = part == "primal"
            operands.append(values[k] if primal else rng.normal(size=(width, *specs[kind][k].shape)))  # type: ignore[misc]
            parts.append(part)
        one_by_one = [
            narrow.run("d", *(x if part == "primal" else x[w] for x, part in zip(operands, parts, strict=True)))
            for w in range(width)
        ]
        got = wide.run(
            "d", *(x[0] if width == 1 and p == "shadow" else x for x, p in zip(operands, parts, strict=True))
        )
        as_list = lambda out: list(out) if isinstance(out, tuple) else [out]  # noqa: E731
        each = [as_list(out) for out in one_by_one]
        for n, (_, _, part) in enumerate(result_slots(mode, activity, rets)):
            stacked = np.stack([out[n] for out in each]) if width > 1 and part == "shadow" else each[0][n]
            assert as_list(got)[n].shape == stacked.shape
            close(as_list(got)[n], stacked)


def test_a_jacobian_takes_the_cheaper_mode() -> None:
    def modes(m: int, n: int) -> str:
        text = function(
            f"%x: tensor<{n}xf64>",
            f"tensor<{m}xf64>",
            f"""%s = stablehlo.sine %x : tensor<{n}xf64>
      %zero = stablehlo.constant dense<0.0> : {F}
      %sum = stablehlo.reduce(%s init: %zero) applies stablehlo.add across dimensions = [0]
        : (tensor<{n}xf64>, {F}) -> {F}
      %y = stablehlo.broadcast_in_dim %sum, dims = [] : ({F}) -> tensor<{m}xf64>""",
            "%y",
        )
        made = " ".join(texts(gradir.load(text).jacobian("f")))
        assert ("f.forward" in made) != ("f.reverse" in made)
        return "forward" if "f.forward" in made else "reverse"

    assert modes(5, 2) == "forward"
    assert modes(2, 5) == "reverse"
    assert modes(3, 3) == "forward"


def test_complex_jacobians() -> None:
    """Of a holomorphic function the complex derivatives, in both modes; by real arguments in forward mode."""
    z = np.array([0.3 + 0.4j, -1.2 + 0.1j])
    holomorphic = gradir.load(function(f"%z: {Z}", Z, f"%s = stablehlo.exponential %z : {Z}", "%s"))
    for mode in ("forward", "reverse", "auto"):
        close(holomorphic.jacobian("f", mode=mode).run("jacobian_f", z), np.diag(np.exp(z)))  # type: ignore[arg-type]
    turned = gradir.load(
        function(
            "%x: tensor<2xf64>, %y: tensor<2xf64>",
            Z,
            f"%z = stablehlo.complex %x, %y : {Z}\n%s = stablehlo.exponential %z : {Z}",
            "%s",
        )
    )
    for mode in ("forward", "auto"):
        dx, dy = turned.jacobian("f", (0, 1), mode=mode).run("jacobian_f", z.real, z.imag)  # type: ignore[arg-type]
        close(dx, np.diag(np.exp(z)))
        close(dy, np.diag(1j * np.exp(z)))
    with pytest.raises(gradir.RequestError, match="can't be computed in reverse mode") as refused:
        turned.jacobian("f", (0, 1), mode="reverse")
    assert refused.value.location == "<text>:2:5"


@pytest.mark.parametrize("mode", ["forward", "reverse", "auto"])
def test_a_real_result_has_no_jacobian_by_a_complex_argument(mode: Any) -> None:
    """One number could not say how it changes along both axes."""
    source = gradir.load(function(f"%z: {Z}", "tensor<2xf64>", f"%s = stablehlo.abs %z : ({Z}) -> tensor<2xf64>", "%s"))
    with pytest.raises(gradir.RequestError, match="two derivatives") as refused:
        source.jacobian("f", mode=mode)
    assert refused.value.location == "<text>:2:5"
    assert "jvp or vjp" in (refused.value.hint or "")


def test_a_real_result_has_no_hessian_by_a_complex_argument() -> None:
    c = "tensor<complex<f64>>"
    source = gradir.load(function(f"%z: {c}", F, f"%s = stablehlo.abs %z : ({c}) -> {F}", "%s"))
    with pytest.raises(gradir.RequestError, match="argument 0 of @f is complex"):
        source.hessian("f")
    # along one direction it is there: |z| = r, whose second derivative along i·z/r is 1/r
    z = 3 + 4j
    tangent = source.grad("f").jvp("grad_f").run("jvp_grad_f", z, 1j * z / 5)[1]
    close((np.conj(1j * z / 5) * tangent).real, 1 / 5)


@pytest.mark.parametrize("mode", ["forward", "reverse"])
def test_a_jacobian_has_the_results_element_type(mode: Any) -> None:
    text = function(
        "%x: tensor<2xf64>", "tensor<2xf32>", "%s = stablehlo.convert %x : (tensor<2xf64>) -> tensor<2xf32>", "%s"
    )
    (result,) = gradir.load(text).jacobian("f", mode=mode).function("jacobian_f").results
    assert str(result) == "tensor<2x2xf32>"


@pytest.mark.usefixtures("plain")
def test_shapes_of_run_time_have_products_but_no_jacobians() -> None:
    d = "tensor<?xf64>"
    source = gradir.load(function(f"%x: {d}", d, f"%s = stablehlo.sine %x : {d}", "%s"))
    x, c = np.array([0.1, 0.2]), np.array([2.0, 3.0])
    close(source.vjp("f").run("vjp_f", x, c)[1], np.cos(x) * c)
    close(source.jvp("f").run("jvp_f", x, c)[1], np.cos(x) * c)
    with pytest.raises(gradir.RequestError, match="no static shape"):
        source.jacobian("f")
    loops = gradir.load(function(f"%x: {d}", d, loop([("%a", "%x", d)], f"%b = stablehlo.sine %a : {d}", "%b"), "%r#1"))
    close(loops.jvp("f").run("jvp_f", x, c)[0], np.sin(np.sin(np.sin(x))))
    with pytest.raises(gradir.NoRule, match="known at run time only") as refused:
        loops.vjp("f")
    assert (refused.value.location or "").startswith("<text>:5:")


# -- nesting -----------------------------------------------------------------------------------------------------------

NEST = f"""
    func.func private @g(%x: {F}, %p: {P}) -> {F} {{
      %s = stablehlo.sine %x : {F}
      %y = "stablehlo.if"(%p) ({{
        %a = stablehlo.multiply %s, %x : {F}
        stablehlo.return %a : {F}
      }}, {{
        %a = stablehlo.exponential %s : {F}
        stablehlo.return %a : {F}
      }}) : ({P}) -> {F}
      return %y : {F}
    }}
    func.func public @f(%x: {F}, %p: {P}) -> {F} {{
      {loop([("%a", "%x", F)], f"%b = func.call @g(%a, %p) : ({F}, {P}) -> {F}", "%b", until="LT 2")}
      %y = func.call @g(%r#1, %p) : ({F}, {P}) -> {F}
      return %y : {F}
    }}"""


def nest(x: Any, p: bool) -> Any:
    for _ in range(3):
        x = jnp.sin(x) * x if p else jnp.exp(jnp.sin(x))
    return x


@pytest.mark.parametrize("modes", ["".join(m) for m in itertools.product("fr", repeat=3)])
def test_third_derivatives_in_any_order(modes: str) -> None:
    m, name = gradir.load(NEST), "f"
    for k, mode in enumerate(modes):
        made = f"d{k}"
        if mode == "r":
            m = m.grad(name, name=made)
        else:  # a tangent of 1, the primal left out
            m = m.jacobian(name, mode="forward", name=made)
        name = made
    verify(m.ir)
    third = jax.grad(jax.grad(jax.grad(nest)))
    for p in (True, False):
        with jax.enable_x64(True):
            expected = third(0.6, p)
        np.testing.assert_allclose(m.run(name, 0.6, p), expected, rtol=1e-11)  # a dozen factors of up to a hundred


@pytest.mark.parametrize("derived", ["vjp", "jvp"])
def test_batches_and_derivatives_change_places(derived: str) -> None:
    """Of a program with a loop, a branch and calls, in which the examples choose different branches."""
    source = gradir.load(NEST)
    x, p, c = np.array([0.6, -0.3, 1.1]), np.array([True, False, True]), np.array([1.0, 2.0, -0.5])
    outside = getattr(source.batch("f", 3), derived)("batch_f").run(f"{derived}_batch_f", x, p, c)
    inside = getattr(source, derived)("f").batch(f"{derived}_f", 3).run(f"batch_{derived}_f", x, p, c)
    with jax.enable_x64(True):
        slope = [jax.grad(nest)(a, bool(q)) for a, q in zip(x, p, strict=True)]
    close(outside[1], c * np.array(slope))
    close(inside[1], outside[1])
    close(inside[0], outside[0])


def test_batches_of_batches() -> None:
    source = gradir.load(NEST)
    m = source.batch("f", 2).batch("batch_f", 3, in_axes=[0, None]).vjp("batch_batch_f")
    x, p = np.linspace(-1, 1, 6).reshape(3, 2), np.array([True, False])
    value, gradient = m.run("vjp_batch_batch_f", x, p, np.ones((3, 2)))
    with jax.enable_x64(True):
        expected = [[jax.value_and_grad(nest)(x[i, j], bool(p[j])) for j in range(2)] for i in range(3)]
    close(value, [[e[0] for e in row] for row in expected])
    close(gradient, [[e[1] for e in row] for row in expected])


def test_hessians() -> None:
    """Of several arguments: an array for each pair."""
    text = function(
        f"%x: {V}, %y: {F}",
        F,
        f"""%b = stablehlo.broadcast_in_dim %y, dims = [] : ({F}) -> {V}
      %m = stablehlo.multiply %x, %b : {V}
      %s = stablehlo.sine %m : {V}
      %zero = stablehlo.constant dense<0.0> : {F}
      %r = stablehlo.reduce(%s init: %zero) applies stablehlo.multiply across dimensions = [0] : ({V}, {F}) -> {F}
      %t = stablehlo.reduce(%s init: %zero) applies stablehlo.add across dimensions = [0] : ({V}, {F}) -> {F}
      %u = stablehlo.multiply %t, %t : {F}""",
        "%u",
    )
    x, y = np.array([0.4, -0.9, 1.3]), np.array(0.8)
    source = gradir.load(text)
    m = sound(source.hessian("f", (0, 1)), source)
    with jax.enable_x64(True):
        expected = jax.hessian(lambda x, y: jnp.sum(jnp.sin(x * y)) ** 2, (0, 1))(x, y)
    for got, answer in zip(m.run("hessian_f", x, y), [b for row in expected for b in row], strict=True):
        assert got.shape == answer.shape
        close(got, answer)


# -- what is made once -------------------------------------------------------------------------------------------------


def test_derivatives_are_made_once() -> None:
    module = parse(NEST)
    with module.context, ir.Location.unknown():
        deriver = Deriver(module, optimizer())
        request = Request("f", Mode.reverse, (Activity.active, Activity.const), (Activity.active,))
        first = deriver.derive(request)
        before = set(deriver.functions)
        assert deriver.derive(request) == first
        assert deriver.batch(first, [2, 3]) == deriver.batch(first, [2, 3])
        wide = Request("f", Mode.reverse, request.activity, request.ret_activity, width=4)
        assert deriver.derive(wide) == deriver.derive(wide) != first
        assert deriver.batch("f", []) == "f"
        other = Request("f", Mode.reverse, request.activity, request.ret_activity, strong_zero=True)
        assert deriver.derive(other) != first
        assert before < set(deriver.functions)
    verify(module)


@pytest.mark.usefixtures("plain")
def test_names_say_where_a_function_comes_from() -> None:
    source = gradir.load(NEST)
    made = set(texts(source.vjp("f").batch("vjp_f", 2))) - set(texts(source))
    assert {"vjp_f", "f.reverse", "g.augmented", "g.backward", "batch_vjp_f", "f.reverse.batch2"} <= made
    assert not any(name.endswith((".inlined", ".call", ".holder")) for name in made), "what no function calls is gone"


def test_locations_are_those_of_the_source() -> None:
    """An op of a derivative knows the line that it is the derivative of."""
    m = gradir.load(
        function(f"%x: {F}", F, f"%s = stablehlo.sine %x : {F}\n      %y = stablehlo.tanh %s : {F}", "%y")
    ).grad("f")
    module = m.ir
    lines = {
        op.name: str(op.location)
        for op in operations(functions(module)["f.reverse"])
        if op.name in ("stablehlo.cosine", "stablehlo.sine", "stablehlo.tanh")
    }
    assert '"<text>":3:' in lines["stablehlo.cosine"]
    assert '"<text>":3:' in lines["stablehlo.sine"]
    assert '"<text>":4:' in lines["stablehlo.tanh"]


# -- growth ------------------------------------------------------------------------------------------------------------


def layers(n: int, kind: str) -> str:
    """A program of n layers."""
    head = ""
    lines = [f"%a0 = stablehlo.sine %x : {V}"]
    for k in range(n):
        a, b = f"%a{k}", f"%a{k + 1}"
        if kind == "straight":
            lines += [f"%s{k} = stablehlo.multiply {a}, %w : {V}", f"{b} = stablehlo.tanh %s{k} : {V}"]
        elif kind == "call":
            lines.append(f"{b} = call @layer({a}, %w) : ({V}, {V}) -> {V}")
        elif kind == "branch":
            lines.append(
                f"""{b} = "stablehlo.if"(%p) ({{
        %s = stablehlo.multiply {a}, %w : {V}
        %t = stablehlo.tanh %s : {V}
        stablehlo.return %t : {V}
      }}, {{
        stablehlo.return {a} : {V}
      }}) : ({P}) -> {V}"""
            )
        elif kind == "loop":
            body = f"%s = stablehlo.multiply %h, %w : {V}\n%t = stablehlo.tanh %s : {V}"
            lines += [loop([("%h", a, V)], body, "%t", name=f"%r{k}", counter=f"%i{k}")]
            lines += [f"{b} = stablehlo.negate %r{k}#1 : {V}"]
        elif kind == "residual":
            lines += [f"%s{k} = stablehlo.tanh {a} : {V}", f"{b} = stablehlo.add %s{k}, {a} : {V}"]
    if kind == "call":
        head = f"""
    func.func private @layer(%a: {V}, %w: {V}) -> {V} {{
      %s = stablehlo.multiply %a, %w : {V}
      %t = stablehlo.tanh %s : {V}
      return %t : {V}
    }}"""
    return head + function(f"%x: {V}, %w: {V}, %p: {P}", V, "\n      ".join(lines), f"%a{n}")


DERIVATIONS: dict[str, Callable[[gradir.Module], gradir.Module]] = {
    "jvp": lambda m: m.jvp("f", (0, 1)),
    "vjp": lambda m: m.vjp("f", (0, 1)),
    "batch": lambda m: m.batch("f", 2),
    "jvp of vjp": lambda m: m.vjp("f", (0, 1)).jvp("vjp_f", (0, 1)),
    "vjp of vjp": lambda m: m.vjp("f", (0, 1)).vjp("vjp_f", (0, 1)),
    "batch of vjp": lambda m: m.vjp("f", (0, 1)).batch("vjp_f", 2),
}


@pytest.mark.parametrize("derivation", DERIVATIONS)
@pytest.mark.parametrize("kind", ["straight", "call", "branch", "loop", "residual"])
@pytest.mark.usefixtures("plain")
def test_a_derivative_grows_like_its_program(kind: str, derivation: str) -> None:
    """Each further layer adds the same number of ops; and no more than ten times those of the layer for two sweeps."""
    sizes = [count(DERIVATIONS[derivation](gradir.load(layers(n, kind)))) for n in (3, 6, 9)]
    assert sizes[2] - sizes[1] == sizes[1] - sizes[0]
    layer = (count(gradir.load(layers(9, kind))) - count(gradir.load(layers(6, kind)))) // 3
    added = (sizes[2] - sizes[1]) // 3 - layer  # the program itself is in the module, too
    assert added <= (10 if "of" not in derivation else 30) * layer


@pytest.mark.parametrize(
    ("derivation", "depths"), [("jvp", (10, 20, 30)), ("batch", (10, 20, 30)), ("vjp", (4, 7, 10))]
)
@pytest.mark.usefixtures("plain")
def test_calls_in_calls_do_not_multiply(derivation: str, depths: Sequence[int]) -> None:
    """A function that calls another twice, which calls another twice …: each is derived once.

    (In reverse mode each of the 2ⁿ sines that are run has a residual of its own, so n is small there.)
    """

    def doubled(n: int) -> str:
        chain = f"func.func private @g0(%x: {F}) -> {F} {{\n%y = stablehlo.sine %x : {F}\nreturn %y : {F}\n}}\n"
        for k in range(n):
            chain += f"""func.func private @g{k + 1}(%x: {F}) -> {F} {{
  %a = call @g{k}(%x) : ({F}) -> {F}
  %b = call @g{k}(%a) : ({F}) -> {F}
  return %b : {F}
}}
"""
        return chain + function(f"%x: {F}", F, f"%y = call @g{n}(%x) : ({F}) -> {F}", "%y")

    sizes = [count(getattr(gradir.load(doubled(n)), derivation)("f")) for n in depths]
    assert sizes[2] - sizes[1] == sizes[1] - sizes[0]
    assert sizes[2] < 1000
