"""`docs/ops.md` is true: it says what the table of rules does, every op is in it, and what it claims is checked."""

from __future__ import annotations

import re
from collections import defaultdict
from pathlib import Path

import jaxlib
import numpy as np
import pytest
from cases import CASES
from make_ops_page import CHLO, ELSEWHERE, ENDS, MODES, PAGE, STABLEHLO, absent, page, treatment, treatments

import gradir
from gradir.tensor.rules import CUSTOM_CALLS, RULES
from gradir.tensor.rules.refused import REFUSED

CASES_OF = defaultdict(list)
for _case in CASES:
    CASES_OF[_case.op].append(_case)
KNOWN = [n for n in {**dict.fromkeys((*STABLEHLO, *CHLO)), **RULES} if n not in ENDS and n != "stablehlo.custom_call"]


def test_the_page_is_up_to_date() -> None:
    written = PAGE.read_text()
    if f"jaxlib {jaxlib.__version__}'s" not in written:
        pytest.skip("the page is of another jaxlib, whose dialects may hold other ops")
    assert written == page(), "run: python tests/tensor/make_ops_page.py"


@pytest.mark.parametrize("name", KNOWN)
def test_every_op_is_differentiated_or_refused_with_a_reason(name: str) -> None:
    if name in REFUSED:
        rule = RULES.get(name)
        possible = rule is not None and "refused" not in [treatment(rule, mode) for mode in MODES]
        assert REFUSED[name] and not possible, f"{name} has rules for every mode; its reason is out of date"
        return
    assert name in set(RULES), f"{name} has no rule, and no reason to have none in gradir.tensor.rules.refused"
    if name in ELSEWHERE:
        assert name.partition(".")[2] in (Path(__file__).parent / ELSEWHERE[name][1]).read_text()
        return
    if absent(name):
        return
    assert CASES_OF[name], f"{name} has a rule, but no case in tests/tensor/cases"
    how = treatments(CASES_OF[name])
    unchecked = [mode for mode in MODES if mode not in how]
    assert not unchecked, f"no case of {name} checks {', '.join(unchecked)}"
    assert "refused" not in how.values(), f"{name}: {how}"


def test_every_custom_call_is_checked_unless_it_can_not_run_here() -> None:
    for target, rule in CUSTOM_CALLS.items():
        alike = re.sub(r"^lapack_[sdcz]", "lapack_[sdcz]", target)  # cases are in f64 and complex<f64>
        checked = any(re.fullmatch(f"custom_call @{alike}", name) for name in CASES_OF)
        refused = treatment(rule, "forward") == treatment(rule, "reverse") == "refused"
        assert checked or refused or absent(target), f"no case for custom_call @{target}"


def test_every_case_is_for_an_op_it_holds() -> None:
    for name, found in CASES_OF.items():
        for case in found:
            assert treatments([case]), f"{case.id}: its program holds no {name}"


V = "tensor<2xf64>"
IN_A_TUPLE = f"""
  %t = stablehlo.tuple %x, %x : tuple<{V}, {V}>
  %y = stablehlo.get_tuple_element %t[1] : (tuple<{V}, {V}>) -> {V}"""
ASYNCHRONOUS = f"""
  %t = "stablehlo.async_start"(%x) ({{
    ^bb0(%a: {V}):
      %b = stablehlo.slice %a [0:2] : ({V}) -> {V}
      stablehlo.return %b : {V}
  }}) : ({V}) -> !stablehlo.future<{V}>
  %y = "stablehlo.async_done"(%t) : (!stablehlo.future<{V}>) -> {V}"""


@pytest.mark.parametrize("body", [IN_A_TUPLE, ASYNCHRONOUS], ids=["tuple", "async"])
def test_what_types_have_no_place_for_is_refused(body: str) -> None:
    """Rather than lost: the derivative would be zero without a word."""
    module = gradir.load(f"func.func @f(%x: {V}) -> {V} {{{body}\n  return %y : {V}\n}}")
    for derive in (module.vjp, module.jvp, lambda: module.batch("f", 2)):
        with gradir.optimizing(False), pytest.raises(gradir.NoRule, match="no rule for stablehlo") as error:
            derive()  # (optimised, a tuple is taken apart)
        assert error.value.location is not None and error.value.location.startswith("<text>:2")


def test_a_tuple_of_constants_goes_by() -> None:
    body = f"{IN_A_TUPLE}\n  %w = stablehlo.multiply %y, %z : {V}\n  return %w : {V}"
    text = f"func.func @f(%x: {V}, %z: {V}) -> {V} {{{body}\n}}"
    point = np.array([2.0, 3.0])
    _, gradient = gradir.load(text).vjp("f", wrt=1).run("vjp_f", point, point, np.ones(2))
    np.testing.assert_array_equal(gradient, point)
