"""Branches and calls: what is taken, what is kept for the backward sweep, what is refused, what happens on the way.

The table of cases (`cases/control.py`) has their derivatives in every mode; here are corners, sizes and errors.
Numbers are compared with formulas that a reader can check; 1e-12 leaves room for the last bits of f64 alone.
"""

from __future__ import annotations

import subprocess
import sys

import numpy as np
import pytest
import test_rules
from cases import CASES, Case, normal
from cases.control import IN_RANGE, F, V, compare, function, loop
from jaxlib.mlir import ir
from sound import count, sound, texts

import gradir
from gradir.request import Activity, Mode, Request
from gradir.tensor.ir.module import functions, operations, parse, verify
from gradir.tensor.optimize import optimizer
from gradir.tensor.transform.derive import Deriver

P, I = "tensor<i1>", "tensor<i32>"
CONTROL = [c for c in CASES if c.op in ("stablehlo.if", "stablehlo.case", "stablehlo.while", "func.call")]


def close(got: object, expected: object) -> None:
    np.testing.assert_allclose(got, expected, rtol=1e-12, atol=1e-12)  # type: ignore[call-overload]


def results(module: gradir.Module, function: str, op: str) -> list[list[str]]:
    """The types of the results of each op of this name in a function."""
    copy = module.ir
    return [[str(r.type) for r in o.results] for o in operations(functions(copy)[function]) if o.name == op]


@pytest.mark.parametrize("case", CONTROL, ids=[c.id for c in CONTROL])
def test_what_is_made_is_sound(case: Case) -> None:
    source = gradir.load(case.text)
    wrt = [i for i, a in enumerate(source.function("f").arguments) if a.kind in ("real", "complex")]
    forward = sound(source.jvp("f", wrt), source)
    sound(forward.jvp("jvp_f", wrt), forward)
    sound(source.batch("f", 3), source)
    if "reverse" in case.modes:
        reverse = sound(source.vjp("f", wrt), source)
        sound(reverse.jvp("vjp_f", wrt), reverse)
        sound(reverse.batch("vjp_f", 2), reverse)


# -- branches ----------------------------------------------------------------------------------------------------------

ROOT = f"""
    func.func public @f(%x: {F}) -> {F} {{
      %zero = stablehlo.constant dense<0.0> : {F}
      {compare("GT", "%x", "%zero", F)}
      %y = "stablehlo.if"(%p) ({{
        %s = stablehlo.sqrt %x : {F}
        stablehlo.return %s : {F}
      }}, {{
        stablehlo.return %zero : {F}
      }}) : ({P}) -> {F}
      return %y : {F}
    }}"""


def test_the_branch_that_is_not_taken_has_no_say() -> None:
    """At 0 the derivative of sqrt is infinite, and 0 times that is not a number: the branch must not be run."""
    m = gradir.load(ROOT).grad("f").jvp("f")
    assert m.run("grad_f", 0.0) == 0
    assert m.run("grad_f", -1.0) == 0
    close(m.run("grad_f", 4.0), 0.25)
    assert [float(r) for r in m.run("jvp_f", 0.0, 1.0)] == [0, 0]


@pytest.mark.parametrize("k", [-5, -1, 0, 1, 2, 3, 100])
def test_an_index_out_of_range_takes_the_last_branch(k: int) -> None:
    case = next(c for c in CASES if c.id == "stablehlo.case: an index in range or not")
    source = gradir.load(case.text)
    x, y, c = np.array([0.3, -0.7, 1.1]), np.array([0.5, 1.5, -0.2]), np.array([1.0, 2.0, -3.0])
    taken = k if 0 <= k < IN_RANGE else IN_RANGE - 1
    e = np.exp(y)
    by_x = [np.cos(x) * y, 0 * x, 0 * x][taken]
    by_y = [np.sin(x), 0 * y, e * (np.cos(e) - e * np.sin(e))][taken]
    index = np.int32(k)
    _, dx, dy = source.vjp("f", (1, 2)).run("vjp_f", index, x, y, c)
    close(dx, c * by_x)
    close(dy, c * by_y)
    close(source.jvp("f", (1, 2)).run("jvp_f", index, x, y, c, c)[1], c * by_x + c * by_y)
    batched = source.vjp("f", (1, 2)).batch("vjp_f", 2, in_axes=[0, None, None, None])
    _, dx, dy = batched.run("batch_vjp_f", np.array([k, 0], np.int32), x, y, c)
    close(dx, [c * by_x, c * np.cos(x) * y])
    close(dy, [c * by_y, c * np.sin(x)])


def test_branches_share_the_room_for_what_they_keep() -> None:
    """Each branch keeps what its own backward sweep needs; arrays of one type are kept in one place."""
    text = function(
        f"%p: {P}, %x: {V}",
        V,
        f"""%y = "stablehlo.if"(%p) ({{
        %a = stablehlo.exponential %x : {V}
        %s = stablehlo.sine %a : {V}
        stablehlo.return %s : {V}
      }}, {{
        %a = stablehlo.tanh %x : {V}
        %b = stablehlo.tanh %a : {V}
        stablehlo.return %b : {V}
      }}) : ({P}) -> {V}""",
        "%y",
    )
    m = gradir.load(text).vjp("f", 1)
    forward, backward = results(m, "f.reverse", "stablehlo.if")
    assert forward == ["tensor<3xf64>"] * 3, "the result, and the two arrays that the second branch needs"
    assert backward == ["tensor<3xf64>"]


def test_a_branch_that_is_linear_keeps_nothing() -> None:
    text = function(
        f"%p: {P}, %x: {V}",
        V,
        f"""%y = "stablehlo.if"(%p) ({{
        %a = stablehlo.add %x, %x : {V}
        stablehlo.return %a : {V}
      }}, {{
        stablehlo.return %x : {V}
      }}) : ({P}) -> {V}""",
        "%y",
    )
    m = gradir.load(text).vjp("f", 1)
    assert results(m, "f.reverse", "stablehlo.if") == [["tensor<3xf64>"]] * 2


def test_what_no_result_needs_is_not_chosen() -> None:
    """Without the value, the forward branches give what the backward branches take, and nothing else."""
    text = function(
        f"%p: {P}, %x: {F}",
        f"{F}, {F}",
        f"""%y:2 = "stablehlo.if"(%p) ({{
        %a = stablehlo.exponential %x : {F}
        %s = stablehlo.sine %a : {F}
        %t = stablehlo.tanh %s : {F}
        stablehlo.return %s, %t : {F}, {F}
      }}, {{
        stablehlo.return %x, %x : {F}, {F}
      }}) : ({P}) -> ({F}, {F})""",
        "%y#0, %y#1",
    )
    m = gradir.load(text).grad("f", 1)
    assert results(m, "f.reverse", "stablehlo.if") == [[F], [F]]
    assert count(m, "stablehlo.sine", "stablehlo.tanh", function="f.reverse") == 0
    close(m.run("grad_f", True, 0.3), np.exp(0.3) * np.cos(np.exp(0.3)))
    assert m.run("grad_f", False, 0.3) == 1


def test_an_if_by_each_example_becomes_a_select() -> None:
    case = next(c for c in CASES if c.op == "stablehlo.if")
    source = gradir.load(case.text)
    one_choice = source.batch("f", 4, in_axes=[None, 0, 0])
    assert count(one_choice, "stablehlo.if", function="f.batch4") == 1
    assert count(one_choice, "stablehlo.select", function="f.batch4") == 0
    each = source.batch("f", 4, in_axes=[0, None, None])
    assert count(each, "stablehlo.if", function="f.batch4") == 0
    # what the branches compute does not depend on the batch: it is computed once
    assert results(each, "f.batch4", "stablehlo.sine") == [["tensor<3xf64>"]]


def test_an_inactive_branch_is_left_alone() -> None:
    """No derivative passes through integers: nothing is kept, and there is no backward branch."""
    text = function(
        f"%p: {P}, %x: {F}, %k: {I}",
        F,
        f"""%n = "stablehlo.if"(%p) ({{
        stablehlo.return %k : {I}
      }}, {{
        %i = stablehlo.convert %x : ({F}) -> {I}
        stablehlo.return %i : {I}
      }}) : ({P}) -> {I}
      %g = stablehlo.convert %n : ({I}) -> {F}
      %y = stablehlo.multiply %x, %g : {F}""",
        "%y",
    )
    m = gradir.load(text).grad("f", 1)
    assert count(m, "stablehlo.if", function="f.reverse") == 1
    assert m.run("grad_f", True, 2.5, np.int32(7)) == 7
    assert m.run("grad_f", False, 2.5, np.int32(7)) == 2


MORE = [
    Case(
        "stablehlo.if",
        "without active values in a branch, results returned twice",
        function(
            f"%p: {P}, %x: {V}, %y: {V}",
            f"{V}, {V}",
            f"""%one = stablehlo.constant dense<1.0> : {V}
      %0:2 = "stablehlo.if"(%p) ({{
        %c = stablehlo.cosine %one : {V}
        stablehlo.return %c, %c : {V}, {V}
      }}, {{
        %m = stablehlo.multiply %x, %y : {V}
        stablehlo.return %m, %m : {V}, {V}
      }}) : ({P}) -> ({V}, {V})
      %s = stablehlo.multiply %0#0, %0#1 : {V}""",
            "%s, %0#0",
        ),
        lambda rng: [np.bool_(False), rng.normal(size=3), rng.normal(size=3)],
    ),
    Case(
        "stablehlo.case",
        "branches that hand on what they capture, in another order",
        function(
            f"%k: {I}, %x: {V}, %y: {V}",
            f"{V}, {V}",
            f"""%0:2 = "stablehlo.case"(%k) ({{
        stablehlo.return %x, %y : {V}, {V}
      }}, {{
        stablehlo.return %y, %x : {V}, {V}
      }}, {{
        stablehlo.return %y, %y : {V}, {V}
      }}) : ({I}) -> ({V}, {V})
      %m = stablehlo.multiply %0#0, %x : {V}""",
            "%m, %0#1",
        ),
        lambda rng: [np.int32(rng.integers(3)), rng.normal(size=3), rng.normal(size=3)],
    ),
    Case(
        "stablehlo.if",
        "three deep, with values of every level",
        function(
            f"%p: {P}, %q: {P}, %x: {F}, %y: {F}",
            F,
            f"""%a = stablehlo.sine %x : {F}
      %0 = "stablehlo.if"(%p) ({{
        %b = stablehlo.multiply %a, %y : {F}
        %1 = "stablehlo.if"(%q) ({{
          %c = stablehlo.exponential %b : {F}
          %2 = "stablehlo.if"(%p) ({{
            %d = stablehlo.multiply %a, %b : {F}
            %e = stablehlo.multiply %d, %c : {F}
            stablehlo.return %e : {F}
          }}, {{
            stablehlo.return %c : {F}
          }}) : ({P}) -> {F}
          stablehlo.return %2 : {F}
        }}, {{
          %c = stablehlo.tanh %b : {F}
          stablehlo.return %c : {F}
        }}) : ({P}) -> {F}
        stablehlo.return %1 : {F}
      }}, {{
        stablehlo.return %y : {F}
      }}) : ({P}) -> {F}""",
            "%0",
        ),
        lambda rng: [np.bool_(True), np.bool_(rng.integers(2)), rng.normal(), rng.normal()],
    ),
    Case(
        "func.call",
        "a result that is an argument, one that is a constant, one that is not used",
        f"""
    func.func private @g(%x: {V}, %y: {V}) -> ({V}, {V}, {V}, {V}) {{
      %one = stablehlo.constant dense<1.0> : {V}
      %m = stablehlo.multiply %x, %y : {V}
      %s = stablehlo.sine %m : {V}
      return %x, %one, %s, %m : {V}, {V}, {V}, {V}
    }}"""
        + function(
            f"%x: {V}, %y: {V}",
            f"{V}, {V}",
            f"""%0:4 = call @g(%x, %y) : ({V}, {V}) -> ({V}, {V}, {V}, {V})
      %a = stablehlo.multiply %0#0, %0#1 : {V}
      %b = stablehlo.multiply %a, %0#3 : {V}""",
            "%b, %0#1",
        ),
        normal([3], [3]),
    ),
    Case(
        "func.call",
        "with one argument twice, and without arguments",
        f"""
    func.func private @five() -> {V} {{
      %c = stablehlo.constant dense<5.0> : {V}
      return %c : {V}
    }}
    func.func private @g(%x: {V}, %y: {V}) -> {V} {{
      %five = call @five() : () -> {V}
      %m = stablehlo.multiply %x, %y : {V}
      %n = stablehlo.multiply %m, %y : {V}
      %s = stablehlo.divide %n, %five : {V}
      return %s : {V}
    }}"""
        + function(f"%x: {V}", V, f"%0 = call @g(%x, %x) : ({V}, {V}) -> {V}", "%0"),
        normal([3]),
    ),
]


@pytest.mark.parametrize("case", MORE, ids=[c.label for c in MORE])
def test_more_programs(case: Case) -> None:
    """By the harness of `test_rules.py`, with its tolerances."""
    test_rules.test_derivatives(case, "xla")
    test_rules.test_second_derivatives(case)


# -- calls -------------------------------------------------------------------------------------------------------------


@pytest.mark.usefixtures("plain")
def test_a_function_is_derived_once_for_each_pattern_of_activity() -> None:
    text = f"""
    func.func private @g(%x: {F}, %y: {F}) -> {F} {{
      %m = stablehlo.multiply %x, %y : {F}
      %s = stablehlo.sine %m : {F}
      return %s : {F}
    }}""" + function(
        f"%x: {F}, %y: {F}",
        F,
        f"""%c = stablehlo.constant dense<2.0> : {F}
      %0 = call @g(%x, %y) : ({F}, {F}) -> {F}
      %1 = call @g(%0, %x) : ({F}, {F}) -> {F}
      %2 = call @g(%1, %1) : ({F}, {F}) -> {F}
      %3 = call @g(%c, %2) : ({F}, {F}) -> {F}
      %4 = call @g(%c, %3) : ({F}, {F}) -> {F}
      %5 = call @g(%c, %c) : ({F}, {F}) -> {F}
      %6 = stablehlo.multiply %4, %5 : {F}""",
        "%6",
    )
    source = gradir.load(text)
    reverse = set(texts(source.grad("f", (0, 1)))) - set(texts(source))
    assert reverse == {
        "grad_f",
        "f.reverse",
        "g.augmented",  # both active
        "g.backward",
        "g.augmented_1",  # the second active
        "g.backward_1",
    }
    forward = set(texts(source.jvp("f", (0, 1)))) - set(texts(source))
    assert forward == {"jvp_f", "f.forward", "g.forward", "g.forward_1"}
    assert set(texts(source.batch("f", 2))) - set(texts(source)) == {"batch_f", "f.batch2", "g.batch2", "g.batch2_1"}


def test_names_that_are_taken_are_left_to_their_owners() -> None:
    text = function(f"%x: {F}", F, f"%y = stablehlo.sine %x : {F}", "%y")
    taken = text.replace("@f", "@f.reverse").replace("sine", "cosine")
    source = gradir.load(text + taken)
    m = sound(source.grad("f"), source)
    close(m.run("grad_f", 0.5), np.cos(0.5))
    close(m.run("f.reverse", 0.5), np.cos(0.5))
    assert "f.reverse_1" in texts(m)
    with pytest.raises(gradir.RequestError, match="@grad_f already"):
        m.grad("f")


RECURSIVE = f"""
func.func private @even(%x: {F}) -> {F} {{
  %y = call @odd(%x) : ({F}) -> {F}
  return %y : {F}
}}
func.func private @odd(%x: {F}) -> {F} {{
  %y = call @even(%x) : ({F}) -> {F}
  return %y : {F}
}}
func.func public @f(%x: {F}) -> {F} {{
  %y = call @even(%x) : ({F}) -> {F}
  return %y : {F}
}}"""
IN_A_LOOP = f"""
func.func public @f(%x: {F}) -> {F} {{
  {loop([("%a", "%x", F)], f"%b = func.call @f(%a) : ({F}) -> {F}", "%b")}
  return %r#1 : {F}
}}"""


@pytest.mark.parametrize("derive", ["grad", "jvp", "batch", "hessian"])
@pytest.mark.parametrize(("text", "who", "line"), [(RECURSIVE, "even", 2), (IN_A_LOOP, "f", 2)])
def test_recursion_is_refused(text: str, who: str, line: int, derive: str) -> None:
    with pytest.raises(gradir.RequestError, match=f"@{who} calls itself") as refused:
        getattr(gradir.load(text), derive)("f")
    assert refused.value.location == f"<text>:{line}:1"
    assert "stablehlo.while" in (refused.value.hint or "")


def external(argument: str) -> str:
    t, passed = (F, "%x") if argument == "active" else (I, "%k")
    return f"""
func.func private @outside({t}) -> {F}
func.func public @f(%x: {F}, %k: {I}) -> {F} {{
  %a = call @outside({passed}) : ({t}) -> {F}
  %y = stablehlo.multiply %x, %a : {F}
  return %y : {F}
}}"""


@pytest.mark.parametrize("derive", ["grad", "jvp"])
def test_a_function_without_a_body_is_refused_where_a_derivative_passes(derive: str) -> None:
    with pytest.raises(gradir.NoRule, match="@outside has no body") as refused:
        getattr(gradir.load(external("active")), derive)("f")
    assert refused.value.location == "<text>:2:1"
    assert "gradir.jvp" in (refused.value.hint or "")
    source = gradir.load(external("integer"))
    m = sound(getattr(source, derive)("f"), source)
    assert count(m, "func.call", function=f"f.{'reverse' if derive == 'grad' else 'forward'}") == 1


def test_a_function_without_a_body_is_refused_in_a_batch() -> None:
    with pytest.raises(gradir.NoRule, match="@outside has no body"):
        gradir.load(external("integer")).batch("f", 2)
    source = gradir.load(external("integer"))
    sound(source.batch("f", 2, in_axes=[0, None]), source)


# -- effects -----------------------------------------------------------------------------------------------------------

LOG = f"""
func.func private @log(%x: {F}) {{
  stablehlo.custom_call @print(%x) {{has_side_effect = true}} : ({F}) -> ()
  return
}}
func.func private @deep(%x: {F}) {{
  call @log(%x) : ({F}) -> ()
  return
}}
func.func private @idle(%x: {F}) {{
  %y = stablehlo.sine %x : {F}
  return
}}
func.func public @f(%x: {F}, %p: {P}) -> {F} {{
  call @deep(%x) : ({F}) -> ()
  call @idle(%x) : ({F}) -> ()
  {loop([], f"func.call @log(%x) : ({F}) -> ()", "%i_step", until="LT 2").replace("%i_next, %i_step", "%i_next")}
  "stablehlo.if"(%p) ({{
    func.call @log(%x) : ({F}) -> ()
    stablehlo.return
  }}, {{
    stablehlo.return
  }}) : ({P}) -> ()
  %y = stablehlo.sine %x : {F}
  return %y : {F}
}}"""


@pytest.mark.parametrize(("derive", "made"), [("value_and_grad", "f.reverse"), ("jvp", "f.forward")])
@pytest.mark.usefixtures("plain")
def test_what_a_program_does_besides_is_still_done(derive: str, made: str) -> None:
    m = getattr(gradir.load(LOG), derive)("f")
    verify(m.ir)
    text = texts(m)[made]
    assert text.count("call @deep") == 1
    assert text.count("call @log") + text.count("custom_call @print") == 2, "in the loop and in the branch"
    assert text.count("call @idle") == 0, "which does nothing"


@pytest.mark.usefixtures("plain")
def test_a_token_has_no_derivative() -> None:
    text = function(
        f"%x: {F}, %t: !stablehlo.token",
        f"{F}, !stablehlo.token",
        f"""%y = stablehlo.sine %x : {F}
      %u = "stablehlo.outfeed"(%y, %t) {{outfeed_config = ""}} : ({F}, !stablehlo.token) -> !stablehlo.token
      %v = stablehlo.after_all %u, %t : !stablehlo.token
      {
            loop(
                [("%a", "%y", F), ("%s", "%v", "!stablehlo.token")],
                f'''%b = stablehlo.sine %a : {F}
        %w = "stablehlo.outfeed"(%b, %s) {{outfeed_config = ""}} : ({F}, !stablehlo.token) -> !stablehlo.token''',
                "%b, %w",
                until="LT 2",
            )
        }""",
        "%r#1, %r#2",
    )
    source = gradir.load(text)
    reverse = sound(source.vjp("f"), source)
    assert count(reverse, "stablehlo.outfeed", function="f.reverse") == 2
    forward = sound(source.jvp("f"), source)
    assert count(forward, "stablehlo.outfeed", function="f.forward") == 2
    assert [str(t) for t in reverse.function("vjp_f").results] == [
        "tensor<f64>",
        "tensor<!stablehlo.token>",
        "tensor<f64>",
    ]


TOKENS = {
    "stablehlo.if": f"""%r:2 = "stablehlo.if"(%p) ({{
        %u = "stablehlo.outfeed"(%x, %t) {{outfeed_config = ""}} : ({F}, !stablehlo.token) -> !stablehlo.token
        stablehlo.return %x, %u : {F}, !stablehlo.token
      }}, {{
        stablehlo.return %x, %t : {F}, !stablehlo.token
      }}) : ({P}) -> ({F}, !stablehlo.token)""",
    "stablehlo.while": f"""%r:3 = stablehlo.while(%a = %x, %s = %t, %q = %p) : {F}, !stablehlo.token, {P}
      cond {{
        stablehlo.return %q : {P}
      }} do {{
        %u = "stablehlo.outfeed"(%a, %s) {{outfeed_config = ""}} : ({F}, !stablehlo.token) -> !stablehlo.token
        %no = stablehlo.not %q : {P}
        stablehlo.return %a, %u, %no : {F}, !stablehlo.token, {P}
      }}""",
}


@pytest.mark.parametrize("op", TOKENS)
def test_effects_are_not_batched_where_examples_go_different_ways(op: str) -> None:
    text = f"""
    func.func public @f(%x: {F}, %p: {P}) -> {F} {{
      %t = stablehlo.create_token : !stablehlo.token
      {TOKENS[op]}
      return %r#0 : {F}
    }}"""
    with pytest.raises(gradir.NoRule, match=f"{op} hands on a token") as refused:
        gradir.load(text).batch("f", 2, in_axes=[None, 0])
    assert (refused.value.location or "").startswith("<text>:4:")


# -- errors ------------------------------------------------------------------------------------------------------------

NO_RULE = f"%b = stablehlo.custom_call @unheard_of(%a) : ({F}) -> {F}"
PLACES = {
    "in a function": f"%a = stablehlo.sine %x : {F}\n {NO_RULE}",
    "in a loop": loop([("%a", "%x", F)], NO_RULE, "%b") + f"\n%b = stablehlo.sine %r#1 : {F}",
    "in a branch": f"""%a = stablehlo.sine %x : {F}
      %b = "stablehlo.if"(%p) ({{
        {NO_RULE.replace("%b", "%c")}
        stablehlo.return %c : {F}
      }}, {{
        stablehlo.return %a : {F}
      }}) : ({P}) -> {F}""",
    "in a branch in a loop in a loop": loop(
        [("%y", "%x", F)],
        loop(
            [("%a", "%y", F)],
            f"""%d = stablehlo.multiply %y, %a : {F}
        %e = "stablehlo.if"(%p) ({{
          %s = stablehlo.multiply %d, %a : {F}
          stablehlo.return %s : {F}
        }}, {{
          {NO_RULE.replace("%b", "%c")}
          %s = stablehlo.multiply %d, %c : {F}
          stablehlo.return %s : {F}
        }}) : ({P}) -> {F}""",
            "%e",
            name="%s",
            counter="%j",
        ),
        "%s#1",
    )
    + f"\n%b = stablehlo.sine %r#1 : {F}",
}


@pytest.mark.parametrize("mode", list(Mode), ids=lambda m: m.value)
@pytest.mark.parametrize("body", PLACES.values(), ids=PLACES.keys())
def test_a_failure_leaves_nothing_half_made(body: str, mode: Mode) -> None:
    text = function(f"%x: {F}, %p: {P}", F, body, "%b")
    module = parse(text, "f.mlir")
    before = str(module)
    forward = mode is Mode.forward
    args = (Activity.dup if forward else Activity.active, Activity.const)
    rets = (Activity.dup if forward else Activity.active,)
    line = 1 + text[: text.index("stablehlo.custom_call")].count("\n")
    with module.context, ir.Location.unknown():
        deriver = Deriver(module, optimizer())
        for _ in range(2):
            with pytest.raises(gradir.NoRule, match="custom_call @unheard_of") as refused:
                deriver.derive(Request("f", mode, args, rets))
            assert (refused.value.location or "").startswith(f"f.mlir:{line}:")
    assert str(module) == before
    verify(module)


def test_a_process_survives_failures() -> None:
    """What was built in vain is erased in the right order; if not, memory is corrupt, and sooner or later it shows."""
    script = f"""
import gc, gradir
for _ in range(5):
    for text in {[function(f"%x: {F}, %p: {P}", F, body, "%b") for body in PLACES.values()]!r}:
        for derive in ("grad", "jvp", "batch"):
            try:
                getattr(gradir.load(text), derive)("f")
            except gradir.NoRule:
                pass
            else:
                raise SystemExit("not refused")
    gc.collect()
"""
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
