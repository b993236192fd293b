"""Reading the `enzyme` dialect: both pretty forms and the generic one mean the same, and locations stay true."""

from __future__ import annotations

import itertools
import re

import pytest
from jaxlib.mlir import ir

from gradir.errors import InputError, RequestError
from gradir.request import Activity
from gradir.tensor import enzyme
from gradir.tensor.ir.context import context
from gradir.tensor.ir.module import clone, functions, location_text, parse, to_bytecode, to_text

ACTIVE = ("#enzyme<activity enzyme_active>", "#enzyme.activity<enzyme_active>")
TYPES = "(tensor<2xf64>, tensor<2x2xf64>) -> (tensor<2xf64>, tensor<2x2xf64>)"
PROPERTIES = "activity = [{a}], ret_activity = [{a}], width = 2 : i64, strong_zero = true"


def program(op: str, results: str = "%r#0, %r#1 : tensor<2xf64>, tensor<2x2xf64>") -> str:
    return f"""
func.func @f(%x: tensor<2xf64>) -> tensor<2xf64> {{
  %y = stablehlo.sine %x : tensor<2xf64>
  return %y : tensor<2xf64>
}}
func.func @g(%x: tensor<2xf64>, %dy: tensor<2x2xf64>) -> (tensor<2xf64>, tensor<2x2xf64>) {{
  {op}
  return {results}
}}
"""


def normal(text: str) -> str:
    """The module's text in gradir's form."""
    module = parse(text)
    enzyme.normalise(module)
    return to_text(module)


def only_op(text: str) -> ir.Operation:
    module = parse(text)
    enzyme.normalise(module)
    (op,) = [o.operation for o in functions(module)["g"].entry_block.operations if o.name.startswith("enzyme.")]
    return op


@pytest.mark.parametrize("active", ACTIVE)
@pytest.mark.parametrize(
    "form",
    [
        "enzyme.autodiff @f(%x, %dy) {{{p}}}",
        "enzyme.autodiff @f(%x, %dy) <{{{p}}}>",
        "enzyme.autodiff @f(%x, %dy) <{p}>",
        "enzyme.autodiff @f(%x, %dy) <{{{p}}}> {{}}",
        "enzyme.autodiff @f(%x,%dy){{{p}}}",
        'enzyme.autodiff @"f"(%x, %dy) < {{ {p} }} >',
        "enzyme.autodiff\n @f\n (%x, // the point\n %dy) {{\n {p} // }} and more\n }}",
        '"enzyme.autodiff"(%x, %dy) {{fn = @f, {p}}}',
        '"enzyme.autodiff"(%x, %dy) <{{fn = @f, {p}}}>',
    ],
)
def test_all_forms_of_an_op_are_read_alike(form: str, active: str) -> None:
    text = program(f"%r:2 = {form.format(p=PROPERTIES.format(a=active))} : {TYPES}")
    reference = program(f'%r:2 = "enzyme.autodiff"(%x, %dy) {{fn = @f, {PROPERTIES.format(a=ACTIVE[1])}}} : {TYPES}')
    assert normal(text) == normal(reference)


@pytest.mark.parametrize("form", ["<{{{p}}}> {{{q}}}", "<{p}> {{{q}}}", "<{{{p}}}>{{{q}}}", "<> {{{p}, {q}}}"])
def test_properties_and_other_attributes_are_joined(form: str) -> None:
    dictionary = form.format(p=PROPERTIES.format(a=ACTIVE[0]), q='note = "}>", more = [1, 2]')
    op = only_op(program(f"%r:2 = enzyme.autodiff @f(%x, %dy) {dictionary} : {TYPES}"))
    assert sorted(op.attributes) == ["activity", "fn", "more", "note", "ret_activity", "strong_zero", "width"]
    assert ir.StringAttr(op.attributes["note"]).value == "}>"


def test_an_op_without_a_dictionary_names_its_function() -> None:
    text = enzyme.to_generic("enzyme.batch @f(%x) : (f32) -> f32")
    assert text == '"enzyme.batch" (%x) {fn = @f} : (f32) -> f32'


@pytest.mark.parametrize(
    ("op", "attributes"),
    [
        ("enzyme.fwddiff @f(%x, %dx) {{activity = [{a}], ret_activity = [{a}]}}", ["activity", "fn", "ret_activity"]),
        ("enzyme.jacobian @f(%x) {{activity = [{a}], ret_activity = [{a}]}}", ["activity", "fn", "ret_activity"]),
        ("enzyme.batch @f(%x) {{batch_shape = array<i64: 2, 3>}}", ["batch_shape", "fn"]),
        ("enzyme.batch @f(%x) <batch_shape = array<i64: 2, 3>>", ["batch_shape", "fn"]),
    ],
)
def test_other_ops_that_name_a_function(op: str, attributes: list[str]) -> None:
    operands = re.findall(r"%\w+", op)
    types = ", ".join(["tensor<f64>"] * len(operands))
    arguments = ", ".join(f"{o}: tensor<f64>" for o in operands)
    op = op.format(a=ACTIVE[0])
    found = only_op(f"func.func @g({arguments}) {{\n %r = {op} : ({types}) -> tensor<f64>\n return\n}}")
    assert sorted(found.attributes) == attributes
    assert len(found.operands) == len(operands)


REGION = """
func.func @g(%x: tensor<f64>, %dy: tensor<f64>) -> tensor<f64> {{
  %r = enzyme.autodiff_region(%x, %dy) {{
  ^bb0(%a: tensor<f64>):
    %one = stablehlo.constant dense<1.0> : tensor<f64>
    %i = enzyme.fwddiff_region(%a, %one) {{
    ^bb0(%b: tensor<f64>):
      %c = stablehlo.multiply %b, %b : tensor<f64>
      enzyme.yield %c : tensor<f64>
    }} {inner} : (tensor<f64>, tensor<f64>) -> tensor<f64>
    enzyme.yield %i : tensor<f64>
  }} {outer} : (tensor<f64>, tensor<f64>) -> tensor<f64>
  return %r : tensor<f64>
}}
"""


def region_forms(argument: str, result: str) -> list[str]:
    dictionary = f'activity = [#enzyme.activity<{argument}>], ret_activity = [#enzyme<activity {result}>], fn = "d"'
    return [
        f"attributes {{{dictionary}}}",
        f"<{{{dictionary}}}>",
        f"<{dictionary}>",
        f"<{{{dictionary}}}> attributes {{}}",
    ]


def test_regions_are_read_in_all_forms() -> None:
    inner = region_forms("enzyme_dup", "enzyme_dupnoneed")
    outer = region_forms("enzyme_active", "enzyme_activenoneed")
    texts = {normal(REGION.format(inner=i, outer=o)) for i, o in itertools.product(inner, outer)}
    assert len(texts) == 1
    assert texts.pop().count('"enzyme.yield"') == 2


def test_generic_regions_are_read_with_properties_in_front() -> None:
    text = to_text(parse(REGION.format(inner=region_forms("enzyme_dup", "enzyme_dupnoneed")[0], outer="")))
    moved = re.sub(r"\(%(\w+), %(\w+)\) \(\{", r'(%\1, %\2) <{fn = "p"}> ({', text, count=1)
    assert moved != text
    assert 'fn = "p"' in normal(moved)
    assert "<{" not in normal(moved)


@pytest.mark.parametrize(
    ("pretty", "generic"),
    [
        ("enzyme.yield", '"enzyme.yield"() : () -> ()'),
        ("enzyme.yield %a : f32", '"enzyme.yield" (%a) : (f32) -> ()'),
        (
            "enzyme.yield %a#1, %b : tensor<2x!q.u<i8>>, !enzyme.Cache<f64>",
            '"enzyme.yield" (%a#1, %b) : (tensor<2x!q.u<i8>>, !enzyme.Cache<f64>) -> ()',
        ),
        (
            "enzyme.ignore_derivatives %a#1 : tensor<2xf64> -> tensor<2xf64>",
            '"enzyme.ignore_derivatives" (%a#1) : (tensor<2xf64>) -> tensor<2xf64>',
        ),
        (
            "enzyme.concat(%a, %b) : (f32, f32) -> tensor<2xf32>",
            '"enzyme.concat"(%a, %b) : (f32, f32) -> tensor<2xf32>',
        ),
        ("enzyme.extract %a[1] : (t) -> u", '"enzyme.extract" (%a) {index = 1 : i64} : (t) -> u'),
        ('enzyme.dump %a <label = "x"> : (t) -> t', '"enzyme.dump" (%a) {label = "x"} : (t) -> t'),
    ],
)
def test_small_ops(pretty: str, generic: str) -> None:
    assert enzyme.to_generic(pretty) == generic


@pytest.mark.parametrize(
    "text",
    [
        '"enzyme.autodiff"(%x) <{fn = @f}> : (f32) -> f32',
        "// enzyme.autodiff @f(%x) : (f32) -> f32",
        'func.func @f() attributes {note = "enzyme.autodiff @f(%x)"}',
        "stablehlo.while() attributes {enzyme.enable_checkpointing = true, enzyme.disable_mincut, enzyme.x}",
        "func.func @enzyme.yield(%enzyme.x: !enzyme.Cache<f64>)",
        "#a = #enzyme.activity<enzyme_dup>",
        'loc("enzyme.batch")',
    ],
)
def test_other_text_stays_as_it_is(text: str) -> None:
    assert enzyme.to_generic(text) == text


def test_lines_and_the_locations_of_ops_stay() -> None:
    text = program(
        "%r:2 = enzyme.autodiff @f(%x,\n    %dy)\n    <activity = [#enzyme.activity<enzyme_active>],\n"
        f"     ret_activity = [#enzyme.activity<enzyme_active>],\n     width = 2> {{}}\n   : {TYPES}"
    )
    assert enzyme.to_generic(text).count("\n") == text.count("\n")
    module = parse(text, "g.mlir")
    places = [location_text(op.location) for op in functions(module)["g"].entry_block.operations]
    at = text.splitlines().index("  %r:2 = enzyme.autodiff @f(%x,") + 1
    assert places == [f"g.mlir:{at}:10", f"g.mlir:{at + 6}:3"]


@pytest.mark.parametrize(
    ("text", "place", "message"),
    [
        ("\n  enzyme.custom_reverse_rule @r {\n}", "f.mlir:2:3", "enzyme.custom_reverse_rule can't be read"),
        ("enzyme.autodiff %f(%x)", "f.mlir:1:17", "expected '@'"),
        ("enzyme.autodiff @f(%x", "f.mlir:1:19", "unbalanced '('"),
        ("enzyme.autodiff @f(%x] : f32", "f.mlir:1:19", "unbalanced '('"),
        ("enzyme.autodiff_region(%x)\n  {\n stablehlo.foo", "f.mlir:2:3", "unbalanced '{'"),
        ("enzyme.extract %a[%i] : (t) -> u", "f.mlir:1:19", "index"),
        ("enzyme.ignore_derivatives : f32", "f.mlir:1:27", "expected '%'"),
    ],
)
def test_what_cannot_be_read_is_refused_by_name_and_place(text: str, place: str, message: str) -> None:
    with pytest.raises(InputError, match=re.escape(message)) as caught:
        enzyme.to_generic(text, "f.mlir")
    assert caught.value.location == place


def test_an_error_after_an_enzyme_op_has_its_true_place() -> None:
    text = program(f"%r:2 = enzyme.autodiff @f(%x, %dy)\n {{{PROPERTIES.format(a=ACTIVE[0])}}}\n : {TYPES}\n  nonsense")
    line = text.splitlines().index("  nonsense") + 1
    with pytest.raises(InputError) as caught:
        parse(text, "g.mlir")
    assert caught.value.location == f"g.mlir:{line}:3"


def test_text_and_bytecode_round_trips() -> None:
    text = program(f"%r:2 = enzyme.autodiff @f(%x, %dy) {{{PROPERTIES.format(a=ACTIVE[0])}}} : {TYPES}")
    module = parse(text)
    assert to_text(parse(to_text(module))) == to_text(module)
    assert to_text(parse(to_bytecode(module))) == to_text(module)
    enzyme.verify(module)
    assert to_text(parse(to_text(module))) == to_text(module)
    assert to_text(clone(module)) == to_text(module)


def test_properties_in_bytecode_are_seen() -> None:
    generic = f'%r:2 = "enzyme.autodiff"(%x, %dy) <{{fn = @f, {PROPERTIES.format(a=ACTIVE[0])}}}> : {TYPES}'
    module = parse(to_bytecode(ir.Module.parse(program(generic), context())))
    enzyme.verify(module)
    assert "<{" not in to_text(module)


def test_activities_are_written_in_one_spelling() -> None:
    for activity in Activity:
        assert enzyme.read_activity(enzyme.activity_attr(activity, context())) is activity
        old = ir.Attribute.parse(f"#enzyme<activity enzyme_{activity.name}>", context())
        assert enzyme.read_activity(old) is activity
    assert str(enzyme.activity_array([Activity.dup], context())) == "[#enzyme.activity<enzyme_dup>]"
    assert enzyme.read_activity(ir.Attribute.parse("#enzyme.activity<enzyme_out>", context())) is None
    assert enzyme.read_activity(ir.Attribute.parse("1 : i32", context())) is None


# -- builders --------------------------------------------------------------------------------------------------------


def built(build: str) -> tuple[ir.Module, list[ir.Value]]:
    """A module whose @g holds what the builder made."""
    module = parse(
        """
        func.func @f(%x: tensor<2xf64>, %n: tensor<i32>) -> (tensor<3xf64>, tensor<i32>) {
          %c = stablehlo.constant dense<1.0> : tensor<3xf64>
          return %c, %n : tensor<3xf64>, tensor<i32>
        }
        func.func @g(%x: tensor<2xf64>, %n: tensor<i32>, %dx: tensor<2xf64>, %dy: tensor<3xf64>, %w: tensor<4x3xf64>,
                     %bx: tensor<7x2xf64>, %bn: tensor<7xi32>) { return }
        """
    )
    block = functions(module)["g"].entry_block
    x, n, dx, dy, w, bx, bn = block.arguments
    active, const, dup = Activity.active, Activity.const, Activity.dup
    makers = {
        "autodiff": lambda: enzyme.autodiff("f", [x, n, dy], [active, const], [active, const]),
        "autodiff wide": lambda: enzyme.autodiff(
            "f", [x, n, w], [active, const], [Activity.activenoneed, const], width=4, strong_zero=True
        ),
        "fwddiff": lambda: enzyme.fwddiff("f", [x, dx, n], [dup, const], [dup, const]),
        "jacobian": lambda: enzyme.jacobian("f", [x, n], [active, const], [active, const]),
        "batch": lambda: enzyme.batch("f", [bx, bn], [7]),
        "ignore": lambda: [enzyme.ignore_derivatives(x)],
        "autodiff_region": lambda: enzyme.autodiff_region([x, x, dx], lambda a, b: [b], [active, const], [active]),
        "fwddiff_region": lambda: enzyme.fwddiff_region([x, dx, n], lambda a, b: [a, n], [dup, const], [dup, const]),
        "too few": lambda: enzyme.autodiff("f", [x, n], [active, const], [active, const]),
        "bad region": lambda: enzyme.fwddiff_region([x], lambda a: [a], [dup], [dup]),
        "unknown": lambda: enzyme.batch("h", [x], [2]),
    }
    with module.context, ir.Location.unknown(), ir.InsertionPoint.at_block_begin(block):
        values = makers[build]()
    return module, list(values)


@pytest.mark.parametrize(
    ("build", "types"),
    [
        ("autodiff", ["tensor<3xf64>", "tensor<i32>", "tensor<2xf64>"]),
        ("autodiff wide", ["tensor<i32>", "tensor<4x2xf64>"]),
        ("fwddiff", ["tensor<3xf64>", "tensor<3xf64>", "tensor<i32>"]),
        ("jacobian", ["tensor<3x2xf64>"]),
        ("batch", ["tensor<7x3xf64>", "tensor<7xi32>"]),
        ("ignore", ["tensor<2xf64>"]),
        ("autodiff_region", ["tensor<2xf64>", "tensor<2xf64>"]),
        ("fwddiff_region", ["tensor<2xf64>", "tensor<2xf64>", "tensor<i32>"]),
    ],
)
def test_builders_infer_their_results(build: str, types: list[str]) -> None:
    module, values = built(build)
    assert [str(v.type) for v in values] == types
    enzyme.verify(module)
    assert normal(to_text(module)) == to_text(module)


@pytest.mark.parametrize("build", ["too few", "bad region", "unknown"])
def test_builders_refuse_what_does_not_fit(build: str) -> None:
    with pytest.raises(RequestError):
        built(build)
