"""Functions with a derivative of their own, given in MLIR by attributes: in every mode, place and nesting.

The rules here are wrong on purpose (ten times the derivative), so that a number shows whether the rule was asked. What
is expected follows from the same formulas in NumPy; 1e-12 leaves room for the last bits of f64 alone.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from cases.control import F, V, function, loop
from jaxlib.mlir import ir
from sound import count, sound, texts

import gradir
from gradir.request import Activity, Mode, Request
from gradir.tensor.ir.module import functions, operations, parse, to_text, verify
from gradir.tensor.optimize import optimizer
from gradir.tensor.transform.derive import Deriver

I = "tensor<i32>"

JVP, VJP, PAIR = "gradir.jvp = @g_jvp", "gradir.vjp = @g_vjp", "gradir.vjp = [@g_forward, @g_backward]"
REVERSE = [JVP, VJP, PAIR, f"{JVP}, {PAIR}"]
FORWARD = [JVP, f"{JVP}, {VJP}"]


def ten_times(t: str = F) -> str:
    """g(x) = exp(-x), and rules that say its derivative is -10 g(x)."""
    return f"""
    func.func private @g_jvp(%x: {t}, %t: {t}) -> ({t}, {t}) {{
      %y = call @g(%x) : ({t}) -> {t}
      %d = call @slope(%y, %t) : ({t}, {t}) -> {t}
      return %y, %d : {t}, {t}
    }}
    func.func private @g_vjp(%x: {t}, %c: {t}) -> {t} {{
      %y = call @g(%x) : ({t}) -> {t}
      %d = call @slope(%y, %c) : ({t}, {t}) -> {t}
      return %d : {t}
    }}
    func.func private @g_forward(%x: {t}) -> ({t}, {t}) {{
      %y = call @g(%x) : ({t}) -> {t}
      return %y, %y : {t}, {t}
    }}
    func.func private @g_backward(%y: {t}, %c: {t}) -> {t} {{
      %d = call @slope(%y, %c) : ({t}, {t}) -> {t}
      return %d : {t}
    }}
    func.func private @slope(%y: {t}, %d: {t}) -> {t} {{
      %k = stablehlo.constant dense<-10.0> : {t}
      %s = stablehlo.multiply %k, %y : {t}
      %e = stablehlo.multiply %s, %d : {t}
      return %e : {t}
    }}"""


def with_rule(rule: str, t: str = F) -> str:
    return f"""{ten_times(t)}
    func.func private @g(%x: {t}) -> {t} attributes {{{rule}}} {{
      %n = stablehlo.negate %x : {t}
      %y = stablehlo.exponential %n : {t}
      return %y : {t}
    }}"""


CALL = f"%y = func.call @g(%s) : ({F}) -> {F}"
SQUARE = with_rule("{rule}") + function(f"%x: {F}", F, f"%s = stablehlo.multiply %x, %x : {F}\n{CALL}", "%y")
"""f(x) = g(x²)"""


def close(got: object, expected: object) -> None:
    np.testing.assert_allclose(got, expected, rtol=1e-12, atol=1e-12)  # type: ignore[call-overload]


def square(rule: str) -> gradir.Module:
    return gradir.load(SQUARE.replace("{rule}", rule))


X = 0.7
Y = np.exp(-X * X)
FIRST = -20 * X * Y
SECOND = -20 * Y + 400 * X * X * Y  # by the rule again


@pytest.mark.parametrize("rule", REVERSE)
def test_in_reverse_mode(rule: str) -> None:
    source = square(rule)
    m = sound(source.value_and_grad("f"), source)
    close(m.run("value_and_grad_f", X), [Y, FIRST])


@pytest.mark.parametrize("rule", FORWARD)
def test_in_forward_mode(rule: str) -> None:
    source = square(rule)
    m = sound(source.jvp("f"), source)
    close(m.run("jvp_f", X, 2.0), [Y, 2 * FIRST])


@pytest.mark.parametrize("rule", [VJP, PAIR])
def test_a_rule_for_reverse_mode_is_none_for_forward_mode(rule: str) -> None:
    text = SQUARE.replace("{rule}", rule)
    with pytest.raises(gradir.NoRule, match="@g has a rule for reverse mode only") as refused:
        gradir.load(text).jvp("f")
    before = text[: text.rindex("func.call @g(")].split("\n")
    assert refused.value.location == f"<text>:{len(before)}:{len(before[-1]) + 1}"
    assert "gradir.jvp" in (refused.value.hint or "")


@pytest.mark.parametrize("rule", REVERSE)
def test_twice_in_reverse_mode(rule: str) -> None:
    source = square(rule)
    close(source.grad("f").grad("grad_f").run("grad_grad_f", X), SECOND)


@pytest.mark.parametrize("rule", FORWARD)
def test_twice_with_forward_mode(rule: str) -> None:
    source = square(rule)
    close(source.hessian("f").run("hessian_f", X), SECOND)
    close(source.jvp("f").jvp("jvp_f").run("jvp_jvp_f", X, 1.0, 1.0)[-1], SECOND)


@pytest.mark.parametrize("rule", REVERSE)
def test_with_batches(rule: str) -> None:
    """The batch of a derivative, and the derivative of a batch: a batched function keeps its rule, in a file too."""
    source = square(rule)
    xs = np.array([0.7, -0.2, 1.3])
    expected = -20 * xs * np.exp(-xs * xs)
    gradient = source.grad("f")
    close(sound(gradient.batch("grad_f", 3), gradient).run("batch_grad_f", xs), expected)
    batched = source.batch("f", 3)
    close(sound(batched.vjp("batch_f"), batched).run("vjp_batch_f", xs, np.ones(3))[1], expected)
    read = gradir.load(str(batched.batch("batch_f", 2)))
    twice = np.stack([xs, 2 * xs])
    got = sound(read.vjp("batch_batch_f"), read).run("vjp_batch_batch_f", twice, np.ones((2, 3)))[1]
    close(got, -20 * twice * np.exp(-twice * twice))
    if "jvp" in rule:
        close(batched.jvp("batch_f").run("jvp_batch_f", xs, np.ones(3))[1], expected)


@pytest.mark.parametrize("rule", REVERSE)
def test_of_the_function_itself(rule: str) -> None:
    """A function's rule is its derivative also when it is asked for by name."""
    source = gradir.load(with_rule(rule))
    y = np.exp(-X)
    close(sound(source.grad("g"), source).run("grad_g", X), -10 * y)
    close(source.jacobian("g", mode="reverse").run("jacobian_g", X), -10 * y)
    batched = source.batch("g", 2)
    close(batched.vjp("batch_g").run("vjp_batch_g", np.array([X, X]), np.ones(2))[1], [-10 * y] * 2)
    if "jvp" in rule:
        close(source.jvp("g").run("jvp_g", X, 1.0), [y, -10 * y])
        close(source.hessian("g").run("hessian_g", X), 100 * y)


@pytest.mark.parametrize("rule", REVERSE)
def test_several_shadows_at_once(rule: str) -> None:
    text = with_rule(rule, V) + function(
        f"%x: {V}, %w: {V}", V, f"%s = stablehlo.multiply %x, %w : {V}\n%y = call @g(%s) : ({V}) -> {V}", "%y"
    )
    x, w = np.array([0.3, 0.5, -0.7]), np.array([1.0, -2.0, 0.5])
    y = np.exp(-x * w)
    source = gradir.load(text)
    for mode in ("reverse", "forward") if "jvp" in rule else ("reverse",):
        m = sound(source.jacobian("f", (0, 1), mode=mode), source)  # type: ignore[arg-type]
        dx, dw = m.run("jacobian_f", x, w)
        close(dx, np.diag(-10 * y * w))
        close(dw, np.diag(-10 * y * x))


# -- places ------------------------------------------------------------------------------------------------------------


def chain(x: float, steps: int) -> tuple[float, float]:
    """g(g(…(x))) and its derivative by the rule."""
    d = 1.0
    for _ in range(steps):
        x = np.exp(-x)
        d *= -10 * x
    return x, d


IN_LOOP = loop([("%s", "%x", F)], CALL, "%y", until="LT 3")
IN_BRANCH = f"""%z = "stablehlo.if"(%p) ({{
        %s = stablehlo.multiply %x, %x : {F}
        {CALL}
        stablehlo.return %y : {F}
      }}, {{
        stablehlo.return %x : {F}
      }}) : (tensor<i1>) -> {F}"""


@pytest.mark.parametrize("rule", REVERSE)
def test_in_a_loop(rule: str) -> None:
    """A function with a rule is not inlined there."""
    source = gradir.load(with_rule(rule) + function(f"%x: {F}", F, IN_LOOP, "%r#1"))
    value, slope = chain(X, 3)
    m = sound(source.value_and_grad("f"), source)
    close(m.run("value_and_grad_f", X), [value, slope])
    batched = source.batch("f", 2).vjp("batch_f")
    close(batched.run("vjp_batch_f", np.array([X, 0.1]), np.ones(2))[1], [slope, chain(0.1, 3)[1]])
    if "jvp" in rule:
        close(source.jvp("f").run("jvp_f", X, 1.0), [value, slope])
    # slope = Π -10 y_k, and each y_k has the derivative that the rule says
    second = slope * sum(d / y for y, d in (chain(X, n) for n in (1, 2, 3)))
    close(source.grad("f").grad("grad_f").run("grad_grad_f", X), second)


@pytest.mark.parametrize("rule", REVERSE)
def test_in_a_branch(rule: str) -> None:
    source = gradir.load(with_rule(rule) + function(f"%x: {F}, %p: tensor<i1>", F, IN_BRANCH, "%z"))
    m = sound(source.grad("f"), source)
    close(m.run("grad_f", X, True), FIRST)
    close(m.run("grad_f", X, False), 1)
    batched = source.batch("f", 2, in_axes=[None, 0]).vjp("batch_f")
    close(batched.run("vjp_batch_f", X, np.array([True, False]), np.ones(2))[1], FIRST + 1)
    if "jvp" in rule:
        close(source.jvp("f").run("jvp_f", X, True, 1.0), [Y, FIRST])


@pytest.mark.parametrize("rule", REVERSE)
def test_in_a_call_in_a_loop(rule: str) -> None:
    """What calls it is inlined, and it is not."""
    text = (
        with_rule(rule)
        + f"""
    func.func private @h(%s: {F}) -> {F} {{
      {CALL}
      %z = stablehlo.negate %y : {F}
      return %z : {F}
    }}"""
        + function(f"%x: {F}", F, loop([("%s", "%x", F)], f"%y = func.call @h(%s) : ({F}) -> {F}", "%y"), "%r#1")
    )
    x, d = X, 1.0
    for _ in range(3):
        x = -np.exp(-x)
        d *= -10 * x
    close(gradir.load(text).value_and_grad("f").run("value_and_grad_f", X), [x, d])


def test_a_rule_with_a_rule() -> None:
    """The second derivative is what the rule of the rule says."""
    text = f"""
    func.func private @g(%x: {F}) -> {F} attributes {{gradir.vjp = @first}} {{
      return %x : {F}
    }}
    func.func private @first(%x: {F}, %c: {F}) -> {F} attributes {{gradir.vjp = @second}} {{
      %s = stablehlo.multiply %x, %c : {F}
      return %s : {F}
    }}
    func.func private @second(%x: {F}, %c: {F}, %d: {F}) -> ({F}, {F}) {{
      %k = stablehlo.constant dense<7.0> : {F}
      %s = stablehlo.multiply %k, %d : {F}
      return %s, %x : {F}, {F}
    }}""" + function(f"%x: {F}", F, f"%y = call @g(%x) : ({F}) -> {F}", "%y")
    m = gradir.load(text).grad("f").grad("grad_f")
    assert m.run("grad_f", 3.0) == 3
    assert m.run("grad_grad_f", 3.0) == 7


# -- arguments and results of all kinds --------------------------------------------------------------------------------


def mixed(rule: str) -> str:
    """g(x, k, y) = (k, x y, x + k), where the rules multiply the derivative by x by 10, and by y by 100."""
    a, r = f"%x: {V}, %k: {I}, %y: {V}", f"{I}, {V}, {V}"
    scale = f"""%ten = stablehlo.constant dense<10.0> : {V}
      %hundred = stablehlo.constant dense<100.0> : {V}"""
    return f"""
    func.func private @g({a}) -> ({r}) attributes {{{rule}}} {{
      %m = stablehlo.multiply %x, %y : {V}
      %f = stablehlo.convert %k : ({I}) -> {F}
      %b = stablehlo.broadcast_in_dim %f, dims = [] : ({F}) -> {V}
      %s = stablehlo.add %x, %b : {V}
      return %k, %m, %s : {r}
    }}
    func.func private @g_jvp({a}, %tx: {V}, %ty: {V}) -> ({r}, {V}, {V}) {{
      {scale}
      %0:3 = call @g(%x, %k, %y) : ({V}, {I}, {V}) -> ({r})
      %a = stablehlo.multiply %tx, %ten : {V}
      %b = stablehlo.multiply %ty, %hundred : {V}
      %c = stablehlo.multiply %a, %y : {V}
      %d = stablehlo.multiply %x, %b : {V}
      %e = stablehlo.add %c, %d : {V}
      return %0#0, %0#1, %0#2, %e, %a : {r}, {V}, {V}
    }}
    func.func private @g_vjp({a}, %cm: {V}, %cs: {V}) -> ({V}, {V}) {{
      {scale}
      %a = stablehlo.multiply %cm, %y : {V}
      %b = stablehlo.add %a, %cs : {V}
      %c = stablehlo.multiply %b, %ten : {V}
      %d = stablehlo.multiply %cm, %x : {V}
      %e = stablehlo.multiply %d, %hundred : {V}
      return %c, %e : {V}, {V}
    }}
    func.func private @g_forward({a}) -> ({r}, {I}, {V}, {V}) {{
      %0:3 = call @g(%x, %k, %y) : ({V}, {I}, {V}) -> ({r})
      return %0#0, %0#1, %0#2, %k, %x, %y : {r}, {I}, {V}, {V}
    }}
    func.func private @g_backward(%k: {I}, %x: {V}, %y: {V}, %cm: {V}, %cs: {V}) -> ({V}, {V}) {{
      %0:2 = call @g_vjp(%x, %k, %y, %cm, %cs) : ({V}, {I}, {V}, {V}, {V}) -> ({V}, {V})
      return %0#0, %0#1 : {V}, {V}
    }}""" + function(
        f"%x: {V}, %y: {V}, %k: {I}",
        f"{V}, {V}, {I}",
        f"%0:3 = call @g(%x, %k, %y) : ({V}, {I}, {V}) -> ({r})",
        "%0#1, %0#2, %0#0",
    )


A, B, K = np.array([0.3, -1.2, 2.0]), np.array([1.5, 0.4, -0.7]), np.int32(3)
C, D = np.array([1.0, 2.0, 3.0]), np.array([-1.0, 0.5, 0.25])


@pytest.mark.parametrize("rule", REVERSE)
def test_integers_pass_by(rule: str) -> None:
    source = gradir.load(mixed(rule))
    m = sound(source.vjp("f", (0, 1)), source)
    product, total, k, dx, dy = m.run("vjp_f", A, B, K, C, D)
    close(product, A * B)
    close(total, A + 3)
    assert k == 3
    close(dx, 10 * (C * B + D))
    close(dy, 100 * C * A)
    if "jvp" in rule:
        t, u = m.jvp("f", (0, 1)).run("jvp_f", A, B, K, C, D)[3:]
        close(t, 10 * C * B + 100 * A * D)
        close(u, 10 * C)


@pytest.mark.parametrize("rule", REVERSE)
def test_what_is_not_active_is_zero(rule: str) -> None:
    """A rule gets zeros for the shadows of what is not active, and what it says about those is dropped."""
    source = gradir.load(mixed(rule))
    close(source.vjp("f", 1).run("vjp_f", A, B, K, C, D)[3], 100 * C * A)
    module = source.ir
    with module.context, ir.Location.unknown():
        rets = (Activity.constnoneed, Activity.activenoneed, Activity.constnoneed)
        symbol = Deriver(module, optimizer()).derive(
            Request("f", Mode.reverse, (Activity.active, Activity.const, Activity.const), rets)
        )
    close(gradir.load(module).run(symbol, A, B, K, D), 10 * D)
    if "jvp" in rule:
        t, u = source.jvp("f", 1).run("jvp_f", A, B, K, D)[3:]
        close(t, 100 * A * D)
        assert not u.any()


@pytest.mark.parametrize("rule", REVERSE)
def test_a_batch_of_some_arguments(rule: str) -> None:
    """Results that don't depend on the batch stay as they are; gradients of what all share are summed."""
    source = gradir.load(mixed(rule))
    ys = np.stack([B, 2 * B])
    m = source.batch("f", 2, in_axes=[None, 0, None])
    product, total, k = m.run("batch_f", A, ys, K)
    close(product, A * ys)
    close(total, [A + 3] * 2)
    np.testing.assert_array_equal(k, [3, 3])
    cs, ds = np.stack([C, -C]), np.stack([D, D])
    gradients = sound(m.vjp("batch_f", (0, 1)), m).run("vjp_batch_f", A, ys, K, cs, ds)[3:]
    close(gradients[0], 10 * (cs * ys + ds).sum(0))
    close(gradients[1], 100 * cs * A)


def test_a_function_without_a_body_can_have_a_rule() -> None:
    text = f"""
    func.func private @g({F}) -> {F} attributes {{gradir.jvp = @g_jvp, gradir.vjp = [@g_forward, @g_backward]}}
    func.func private @g_jvp(%x: {F}, %t: {F}) -> ({F}, {F}) {{
      %y = stablehlo.sine %x : {F}
      %c = stablehlo.cosine %x : {F}
      %d = stablehlo.multiply %c, %t : {F}
      return %y, %d : {F}, {F}
    }}
    func.func private @g_forward(%x: {F}) -> ({F}, {F}) {{
      %y = stablehlo.sine %x : {F}
      return %y, %x : {F}, {F}
    }}
    func.func private @g_backward(%x: {F}, %c: {F}) -> {F} {{
      %s = stablehlo.cosine %x : {F}
      %d = stablehlo.multiply %s, %c : {F}
      return %d : {F}
    }}""" + function(f"%x: {F}", F, f"%y = call @g(%x) : ({F}) -> {F}", "%y")
    source = gradir.load(text)
    close(sound(source.value_and_grad("f"), source).run("value_and_grad_f", X), [np.sin(X), np.cos(X)])
    close(sound(source.jvp("f"), source).run("jvp_f", X, 1.0), [np.sin(X), np.cos(X)])
    with pytest.raises(gradir.NoRule, match="@g has no body"):
        source.batch("f", 2)


def test_strong_zero_reaches_the_transpose_of_a_rule() -> None:
    """1/x at 0 by a jvp alone: a zero cotangent comes back as zero."""
    text = f"""
    func.func private @g(%x: {F}) -> {F} attributes {{gradir.jvp = @g_jvp}} {{
      return %x : {F}
    }}
    func.func private @g_jvp(%x: {F}, %t: {F}) -> ({F}, {F}) {{
      %d = stablehlo.divide %t, %x : {F}
      return %x, %d : {F}, {F}
    }}""" + function(f"%x: {F}", F, f"%y = call @g(%x) : ({F}) -> {F}", "%y")
    for strong_zero, expected in ((True, 0.0), (False, np.nan)):
        module = parse(text)
        with module.context, ir.Location.unknown():
            request = Request("f", Mode.reverse, (Activity.active,), (Activity.activenoneed,), strong_zero=strong_zero)
            symbol = Deriver(module, optimizer()).derive(request)
        np.testing.assert_array_equal(gradir.load(module).run(symbol, 0.0, 0.0), expected)


# -- inactive, remat ---------------------------------------------------------------------------------------------------


def test_inactive() -> None:
    source = square("gradir.inactive")
    assert sound(source.grad("f"), source).run("grad_f", X) == 0
    close(sound(source.jvp("f"), source).run("jvp_f", X, 1.0), [Y, 0])
    batched = source.batch("f", 2)
    value, gradient = sound(batched.vjp("batch_f"), batched).run("vjp_batch_f", np.array([X, X]), np.ones(2))
    close(value, [Y, Y])
    assert not gradient.any()
    itself = gradir.load(with_rule("gradir.inactive")).grad("g")
    assert itself.run("grad_g", X) == 0


REMAT = f"""
    func.func private @g(%x: {F}, %w: {F}) -> {F} attributes {{gradir.remat}} {{
      %m = stablehlo.multiply %x, %w : {F}
      %s = stablehlo.sine %m : {F}
      %t = stablehlo.tanh %s : {F}
      %u = stablehlo.sine %t : {F}
      return %u : {F}
    }}"""


def test_remat_keeps_the_arguments_alone() -> None:
    """The backward sweep runs the function again, behind a barrier that keeps compilers from undoing that."""
    calls = f"%a = call @g(%x, %w) : ({F}, {F}) -> {F}\n %y = call @g(%a, %w) : ({F}, {F}) -> {F}"
    source = gradir.load(REMAT + function(f"%x: {F}, %w: {F}", F, calls, "%y"))
    plain = gradir.load(str(source).replace("attributes {gradir.remat} ", ""))
    assert str(plain) != str(source)
    m = sound(source.grad("f", (0, 1)), source)
    close(m.run("grad_f", 0.4, 1.2), plain.grad("f", (0, 1)).run("grad_f", 0.4, 1.2))
    assert count(m, "stablehlo.optimization_barrier") == 2
    assert set(texts(m)) - set(texts(source)) == {"f.reverse", "g.reverse", "grad_f"}
    assert texts(m)["f.reverse"].count("call @g(") == 1, "what the second call gives is not needed"
    twice, expected = (n.grad("f").grad("grad_f").run("grad_grad_f", 0.4, 1.2) for n in (source, plain))
    close(twice, expected)
    close(sound(source.jvp("f"), source).run("jvp_f", 0.4, 1.2, 1.0), plain.jvp("f").run("jvp_f", 0.4, 1.2, 1.0))
    batched = [n.batch("f", 2).vjp("batch_f").run("vjp_batch_f", *np.ones((3, 2)))[1] for n in (source, plain)]
    close(*batched)


def test_remat_in_a_loop_keeps_one_value_a_round() -> None:
    body = loop([("%a", "%x", F)], f"%y = func.call @g(%a, %w) : ({F}, {F}) -> {F}", "%y", until="LT 5")
    source = gradir.load(REMAT + function(f"%x: {F}, %w: {F}", F, body, "%r#1"))
    plain = gradir.load(str(source).replace("attributes {gradir.remat} ", ""))

    def stacks(m: gradir.Module) -> int:
        module = m.ir
        loops = [op for op in operations(functions(module)["f.reverse"]) if op.name == "stablehlo.while"]
        return sum(str(r.type) == "tensor<5xf64>" for r in loops[0].results)

    kept, full = (sound(n.grad("f", (0, 1)), n) for n in (source, plain))
    assert stacks(kept) == 1
    assert stacks(full) > 1
    close(kept.run("grad_f", 0.4, 1.2), full.run("grad_f", 0.4, 1.2))


# -- errors ------------------------------------------------------------------------------------------------------------

WRONG = {
    "gradir.jvp = @short": (
        "@short can't be a rule of @g: it takes (tensor<f64>)",
        "short",
        "take (tensor<f64>, tensor",
    ),
    "gradir.jvp = @long": ("@long can't be a rule of @g: it gives", "long", "give (tensor<f64>, tensor<f64>)"),
    "gradir.vjp = @long": ("@long can't be a rule of @g: it gives", "long", "give (tensor<f64>)"),
    "gradir.vjp = @short": ("@short can't be a rule of @g: it takes", "short", "take (tensor<f64>, tensor<f64>)"),
    "gradir.jvp = @single": ("@single can't be a rule of @g: it takes (tensor<f32>", "single", "take (tensor<f64>, "),
    "gradir.vjp = [@single, @long]": ("@single can't be a rule of @g: it takes", "single", "take (tensor<f64>)"),
    "gradir.vjp = [@nothing, @pull]": ("@nothing can't be a rule of @g: it gives ()", "nothing", "give (tensor<f64>)"),
    "gradir.vjp = [@short, @pull3]": (
        "@pull3 can't be a rule of @g: it takes",
        "pull3",
        "take (tensor<f64>, tensor<f64>)",
    ),
    "gradir.vjp = [@short, @long]": ("@long can't be a rule of @g: it gives", "long", "give (tensor<f64>)"),
    "gradir.jvp = @missing": ("there is no function @missing, which should be a rule of @g", "g", ""),
    "gradir.vjp = [@short, @missing]": ("there is no function @missing, which should be a rule of @g", "g", ""),
    'gradir.jvp = "short"': ('gradir.jvp = "short" does not name a function', "g", "gradir.jvp = @rule"),
    "gradir.jvp = [@pull, @pull]": ("gradir.jvp = [@pull, @pull] does not name a function", "g", "gradir.jvp = @rule"),
    "gradir.vjp = []": (
        "gradir.vjp = [] does not name one or two functions",
        "g",
        "gradir.vjp = [@forward, @backward]",
    ),
    "gradir.vjp = [@short, @pull, @pull]": ("does not name one or two functions", "g", ""),
    "gradir.vjp = 3": ("does not name one or two functions", "g", ""),
    "gradir.jvp = @pull, gradir.vjp = @pull": ("@pull can't be a rule of @g: it gives", "pull", ""),
}
FUNCTIONS = f"""func.func private @short(%x: {F}) -> ({F}, {F}) {{ return %x, %x : {F}, {F} }}
func.func private @long(%x: {F}, %t: {F}) -> ({F}, {F}, {F}) {{ return %x, %x, %x : {F}, {F}, {F} }}
func.func private @single(%x: tensor<f32>, %t: tensor<f32>) -> tensor<f32> {{ return %x : tensor<f32> }}
func.func private @nothing(%x: {F}) {{ return }}
func.func private @pull(%x: {F}, %c: {F}) -> {F} {{ return %c : {F} }}
func.func private @pull3(%x: {F}, %y: {F}, %c: {F}) -> {F} {{ return %c : {F} }}
"""


@pytest.mark.parametrize("rule", WRONG)
def test_wrong_rules_are_refused(rule: str) -> None:
    """Where they stand, before anything is derived, in every mode."""
    message, where, hint = WRONG[rule]
    text = (
        FUNCTIONS
        + f"""func.func private @g(%x: {F}) -> {F} attributes {{{rule}}} {{ return %x : {F} }}
func.func public @f(%x: {F}) -> {F} {{
  %y = call @g(%x) : ({F}) -> {F}
  return %y : {F}
}}"""
    )
    line = next(n for n, s in enumerate(text.splitlines(), 1) if f"@{where}(" in s)
    derivations: list[Callable[[gradir.Module], object]] = [
        lambda m: m.grad("f"),
        lambda m: m.jvp("f"),
        lambda m: m.grad("g"),
        lambda m: m.batch("f", 2),
    ]
    for derive in derivations:
        with pytest.raises(gradir.RequestError) as refused:
            derive(gradir.load(text))
        assert message in refused.value.message
        assert hint in (refused.value.hint or "")
        assert refused.value.location == f"<text>:{line}:1"


def test_a_rule_of_a_front_end_that_is_gone_is_refused() -> None:
    """As in a program that was saved: the number means nothing to who reads it."""
    source = square("gradir.rule = 123456789 : i64")
    close(source.run("f", X), Y)
    for derive in (source.grad, source.jvp):
        with pytest.raises(gradir.NoRule, match="the rule of @g") as refused:
            derive("f")
        assert (refused.value.location or "").startswith("<text>:")
        assert "save the derivative" in (refused.value.hint or "")


def test_rules_that_nobody_needs_are_not_looked_at() -> None:
    text = FUNCTIONS + f"func.func private @g(%x: {F}) -> {F} attributes {{gradir.jvp = @short}} {{ return %x : {F} }}"
    m = gradir.load(text + function(f"%x: {F}", F, f"%y = stablehlo.sine %x : {F}", "%y")).grad("f")
    verify(m.ir)
    assert "@short" in to_text(m.ir)
