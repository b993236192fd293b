"""Every way in which an `enzyme` op can be wrong is one clear error with a place and a way out."""

from __future__ import annotations

import re

import pytest

from gradir.errors import GradirError, InputError, RequestError
from gradir.tensor import enzyme
from gradir.tensor.ir.module import parse

MODULE = """
func.func @f(%x: tensor<2xf64>, %n: tensor<i32>) -> (tensor<3xf64>, tensor<i32>) {{
  %y = stablehlo.constant dense<1.0> : tensor<3xf64>
  return %y, %n : tensor<3xf64>, tensor<i32>
}}
func.func @dynamic(%x: tensor<?xf64>) -> tensor<?xf64> {{
  return %x : tensor<?xf64>
}}
func.func @modulus(%z: tensor<complex<f64>>) -> tensor<f64> {{
  %r = stablehlo.abs %z : (tensor<complex<f64>>) -> tensor<f64>
  return %r : tensor<f64>
}}
func.func @scalar(%x: f64) -> f64 {{
  return %x : f64
}}
func.func @g({arguments}) {{
  {op}
  return
}}
"""


def verify(op: str, operands: str = "", results: str = "") -> None:
    """Check `op`, which is written up to its types, with operands and results of these types."""
    types = [t.strip() for t in operands.split(";") if t.strip()]
    values = [f"%{n}" for n in range(len(types))]
    arguments = ", ".join(f"{v}: {t}" for v, t in zip(values, types, strict=True))
    outs = [t.strip() for t in results.split(";") if t.strip()]
    left = f"%r:{len(outs)} = " if outs else ""
    for short in ("active", "activenoneed", "const", "constnoneed", "dup", "dupnoneed"):
        op = re.sub(rf"(?<![\w-]){short}(?!\w)", f"#enzyme<activity enzyme_{short}>", op)
    text = f"{left}{op.replace('@@', ', '.join(values))} : ({', '.join(types)}) -> ({', '.join(outs)})"
    enzyme.verify(parse(MODULE.format(arguments=arguments, op=text), "g.mlir"))


X, N, Y = "tensor<2xf64>", "tensor<i32>", "tensor<3xf64>"
NO_DERIVATIVE = "has type tensor<i32>, which carries no derivative"
REVERSE = "enzyme.autodiff @f(@@) {{activity = [{}], ret_activity = [{}]}}"
FORWARD = "enzyme.fwddiff @f(@@) {{activity = [{}], ret_activity = [{}]}}"
FORWARD_AND = "enzyme.fwddiff @f(@@) {{activity = [dup, const], ret_activity = [dup, const], {}}}"
JACOBIAN = "enzyme.jacobian @f(@@) {activity = [active, const], ret_activity = [active, const]}"


@pytest.mark.parametrize(
    ("op", "operands", "results"),
    [
        # section by section of the calling convention: reverse
        (REVERSE.format("active, const", "active, const"), f"{X}; {N}; {Y}", f"{Y}; {N}; {X}"),
        (REVERSE.format("active, const", "activenoneed, constnoneed"), f"{X}; {N}; {Y}", X),
        (REVERSE.format("const, const", "active, const"), f"{X}; {N}; {Y}", f"{Y}; {N}"),
        (REVERSE.format("dup, const", "dup, constnoneed"), f"{X}; {X}; {N}", Y),
        (REVERSE.format("dupnoneed, const", "dupnoneed, const"), f"{X}; {X}; {N}", N),
        # forward
        (FORWARD.format("dup, const", "dup, const"), f"{X}; {X}; {N}", f"{Y}; {Y}; {N}"),
        (FORWARD.format("dupnoneed, const", "dupnoneed, constnoneed"), f"{X}; {X}; {N}", Y),
        (FORWARD.format("const, const", "const, const"), f"{X}; {N}", f"{Y}; {N}"),
        # width: shadows get a leading dimension, primals don't
        (
            "enzyme.autodiff @f(@@) {activity = [active, const], ret_activity = [active, const], width = 4}",
            f"{X}; {N}; tensor<4x3xf64>",
            f"{Y}; {N}; tensor<4x2xf64>",
        ),
        (
            "enzyme.fwddiff @f(@@) {activity = [dup, const], ret_activity = [dup, const], width = 4 : i64}",
            f"{X}; tensor<4x2xf64>; {N}",
            f"{Y}; tensor<4x3xf64>; {N}",
        ),
        (
            "enzyme.fwddiff @dynamic(@@) {activity = [dup], ret_activity = [dupnoneed], width = 4 : i64}",
            "tensor<?xf64>; tensor<4x?xf64>",
            "tensor<4x?xf64>",
        ),
        # Jacobians: the active pairs, or all
        (
            "enzyme.jacobian @f(@@) {activity = [active, const], ret_activity = [dup, const]}",
            f"{X}; {N}",
            "tensor<3x2xf64>",
        ),
        (
            JACOBIAN,
            f"{X}; {N}",
            f"tensor<3x2xf64>; {Y}; tensor<2xi32>; {N}",
        ),
        # batches
        (
            "enzyme.batch @f(@@) {batch_shape = array<i64: 5, 7>}",
            "tensor<5x7x2xf64>; tensor<5x7xi32>",
            "tensor<5x7x3xf64>; tensor<5x7xi32>",
        ),
        ("enzyme.batch @f(@@) {batch_shape = array<i64>}", f"{X}; {N}", f"{Y}; {N}"),
        # the small ops
        ('"enzyme.concat"(@@)', f"{X}; {X}; {X}", "tensor<3x2xf64>"),
        ('"enzyme.extract"(@@) {index = 1 : i64}', "tensor<3x2xf64>", X),
        ('"enzyme.broadcast"(@@) {shape = array<i64: 4, 3>}', X, "tensor<4x3x2xf64>"),
        ('"enzyme.ignore_derivatives"(@@)', X, X),
    ],
)
def test_what_fits_is_accepted(op: str, operands: str, results: str) -> None:
    verify(op, operands, results)
    with pytest.raises(RequestError):
        verify(op, operands + "; tensor<9xf64>", results)
    with pytest.raises(RequestError):
        verify(op, operands, results + "; tensor<9xf64>")


@pytest.mark.parametrize(
    ("op", "operands", "results", "message"),
    [
        # the peer's holes: counts
        (
            REVERSE.format("active, const", "active, const"),
            f"{X}; {N}; {Y}",
            Y,
            "gives 3 results (result 0, result 1, the gradient of argument 0), 1 given",
        ),
        (
            REVERSE.format("active, const", "active, const"),
            f"{X}; {N}; {Y}; {Y}",
            f"{Y}; {N}; {X}",
            "takes 3 operands (argument 0, argument 1, the cotangent of result 0), 4 given",
        ),
        (
            REVERSE.format("dup, const", "const, const"),
            f"{X}; {N}",
            f"{Y}; {N}",
            "takes 3 operands (argument 0, the shadow of argument 0, argument 1), 2 given",
        ),
        (
            FORWARD.format("dup, const", "dup, const"),
            f"{X}; {X}; {N}",
            f"{Y}; {N}",
            "gives 3 results (result 0, the tangent of result 0, result 1), 2 given",
        ),
        (
            FORWARD.format("dup", "dup, const"),
            f"{X}; {X}; {N}",
            f"{Y}; {Y}; {N}",
            "activity has 1 entry, but @f has 2 arguments",
        ),
        (
            FORWARD.format("dup, const", "dup, dup, dup"),
            f"{X}; {X}; {N}",
            Y,
            "ret_activity has 3 entries, but @f has 2 results",
        ),
        (REVERSE.format("active, const", ""), f"{X}; {N}", X, "ret_activity has 0 entries"),
        # types
        (
            REVERSE.format("active, const", "active, const"),
            f"{X}; {N}; {X}",
            f"{Y}; {N}; {X}",
            "operand 2 is the cotangent of result 0 and has type tensor<3xf64>, not tensor<2xf64>",
        ),
        (
            FORWARD.format("dup, const", "dup, const"),
            f"{X}; {X}; {N}",
            f"{Y}; {X}; {N}",
            "result 1 is the tangent of result 0 and has type tensor<3xf64>, not tensor<2xf64>",
        ),
        (
            "enzyme.autodiff @f(@@) {activity = [active, const], ret_activity = [active, const], width = 4}",
            f"{X}; {N}; {Y}",
            f"{Y}; {N}; tensor<4x2xf64>",
            "operand 2 is the cotangent of result 0 and has type tensor<4x3xf64>, not tensor<3xf64>",
        ),
        (
            "enzyme.autodiff @f(@@) {activity = [active, const], ret_activity = [active, const], width = 4}",
            f"tensor<4x2xf64>; {N}; tensor<4x3xf64>",
            f"{Y}; {N}; tensor<4x2xf64>",
            "operand 0 is argument 0 and has type tensor<2xf64>, not tensor<4x2xf64>",
        ),
        # activities
        (
            FORWARD.format("active, const", "dup, const"),
            X,
            Y,
            "enzyme_active on argument 0 has no meaning in forward mode",
        ),
        (
            FORWARD.format("dup, const", "active, const"),
            X,
            Y,
            "enzyme_active on result 0 has no meaning in forward mode",
        ),
        (FORWARD.format("dup, constnoneed", "dup, const"), X, Y, "enzyme_constnoneed on argument 1"),
        (
            REVERSE.format("activenoneed, const", "active, const"),
            X,
            Y,
            "enzyme_activenoneed on argument 0 has no meaning in reverse mode",
        ),
        (REVERSE.format("active, constnoneed", "active, const"), X, Y, "enzyme_constnoneed on argument 1"),
        (REVERSE.format("active, active", "active, const"), X, Y, f"argument 1 {NO_DERIVATIVE}"),
        (FORWARD.format("dup, dup", "dup, const"), X, Y, f"argument 1 {NO_DERIVATIVE}"),
        (REVERSE.format("active, const", "active, active"), X, Y, f"result 1 {NO_DERIVATIVE}"),
        (
            "enzyme.fwddiff @scalar(@@) {activity = [dup], ret_activity = [dup]}",
            "f64; f64",
            "f64; f64",
            "argument 0 has type f64, which carries no derivative",
        ),
        (REVERSE.format("#enzyme<activity enzyme_out>, const", "active, const"), X, Y, "is not an activity"),
        (REVERSE.format("1, const", "active, const"), X, Y, "1 : i64 in activity is not an activity"),
        ("enzyme.autodiff @f(@@) {ret_activity = []}", X, Y, "needs the attribute activity"),
        ("enzyme.autodiff @f(@@) {activity = [active, const]}", X, Y, "needs the attribute ret_activity"),
        # width and strong_zero
        (FORWARD_AND.format("width = 0"), X, Y, "width is an integer of at least 1, not 0"),
        (FORWARD_AND.format('width = "2"'), X, Y, "width is an integer"),
        (FORWARD_AND.format("strong_zero = 1"), X, Y, "strong_zero is true or false"),
        (JACOBIAN.replace("}", ", width = 2}"), X, Y, "has no width"),
        # functions
        ("enzyme.autodiff @h(@@) {activity = [], ret_activity = []}", X, Y, "there is no function @h"),
        ('"enzyme.autodiff"(@@) {activity = [], ret_activity = []}', X, Y, "needs the attribute fn"),
        ('"enzyme.batch"(@@) {fn = "f", batch_shape = array<i64: 2>}', X, Y, "needs the attribute fn"),
        # Jacobians
        (
            JACOBIAN,
            f"{X}; {N}",
            "tensor<2x3xf64>",
            "result 0 is the derivative of result 0 by argument 0 and has type tensor<3x2xf64>",
        ),
        (
            JACOBIAN,
            f"{X}; {N}",
            f"{Y}; {Y}",
            "gives 1 result (the derivative of result 0 by argument 0), 2 given",
        ),
        (
            "enzyme.jacobian @dynamic(@@) {activity = [active], ret_activity = [active]}",
            "tensor<?xf64>",
            "tensor<?x?xf64>",
            "has no static shape",
        ),
        (
            "enzyme.jacobian @modulus(@@) {activity = [active], ret_activity = [active]}",
            "tensor<complex<f64>>",
            "tensor<f64>",
            "the real result 0 has two derivatives by each element of the complex argument 0",
        ),
        # batches
        ("enzyme.batch @f(@@)", f"{X}; {N}", Y, "needs the attribute batch_shape"),
        ("enzyme.batch @f(@@) {batch_shape = array<i64: -1>}", f"{X}; {N}", Y, "needs the attribute batch_shape"),
        (
            "enzyme.batch @f(@@) {batch_shape = array<i64: 4>}",
            f"tensor<4x2xf64>; {N}",
            f"{Y}; {N}",
            "operand 1 is argument 1 with the batch and has type tensor<4xi32>",
        ),
        (
            "enzyme.batch @scalar(@@) {batch_shape = array<i64: 4>}",
            "f64",
            "f64",
            "argument 0 of @scalar has type f64, which can't be batched",
        ),
        # the small ops
        ('"enzyme.ignore_derivatives"(@@)', X, Y, "both of the same type"),
        ('"enzyme.concat"(@@)', f"{X}; {Y}", "tensor<2x2xf64>", "needs operands of one type"),
        ('"enzyme.concat"(@@)', f"{X}; {X}", "tensor<4xf64>", "gives tensor<2x2xf64>, not tensor<4xf64>"),
        ('"enzyme.concat"(@@)', "f64", "tensor<1xf64>", "all of them tensors"),
        ('"enzyme.extract"(@@) {index = 3 : i64}', "tensor<3x2xf64>", X, "there is no slice 3 of tensor<3x2xf64>"),
        ('"enzyme.extract"(@@)', "tensor<3x2xf64>", X, "needs the attribute index"),
        ('"enzyme.broadcast"(@@)', X, X, "needs the attribute shape"),
        (
            '"enzyme.broadcast"(@@) {shape = array<i64: 4>}',
            f"{X}; {X}",
            "tensor<4x2xf64>",
            "takes one operand, 2 given",
        ),
        ('"enzyme.yield"(@@)', X, "", "stands outside of a region"),
    ],
)
def test_what_does_not_fit_is_refused(op: str, operands: str, results: str, message: str) -> None:
    with pytest.raises(RequestError) as caught:
        verify(op, operands, results)
    assert message in caught.value.message
    assert re.match(r"g\.mlir:17:\d+$", caught.value.location or "")


def test_an_unknown_function_is_answered_with_the_known_ones() -> None:
    with pytest.raises(RequestError) as caught:
        verify("enzyme.batch @h(@@) {batch_shape = array<i64: 2>}", X, X)
    assert caught.value.hint == "the module holds @f, @dynamic, @modulus, @scalar, @g"


@pytest.mark.parametrize(
    "op", ['"enzyme.init"(@@)', '"enzyme.push"(@@)', '"enzyme.dump"(@@) {label = "x"}', '"enzyme.placeholder"(@@)']
)
def test_ops_of_enzymes_own_passes_are_refused_by_name(op: str) -> None:
    with pytest.raises(InputError, match="is not lowered by gradir") as caught:
        verify(op, X, X)
    assert caught.value.location == "g.mlir:17:10"
    assert caught.value.hint


REGION = """
func.func @g(%x: tensor<2xf64>, %d: tensor<2xf64>) {{
  {left}"enzyme.autodiff_region"(%x, %d) ({{{body}}}) {{
    activity = [{activity}], ret_activity = [#enzyme.activity<enzyme_active>]}} : {types}
  return
}}
"""
BODY = '^bb0(%a: tensor<2xf64>): "enzyme.yield"(%a) : (tensor<2xf64>) -> ()'
ACTIVE = "#enzyme.activity<enzyme_active>"
GOOD = "(tensor<2xf64>, tensor<2xf64>) -> (tensor<2xf64>, tensor<2xf64>)"


def verify_region(left: str = "%r:2 = ", body: str = BODY, activity: str = ACTIVE, types: str = GOOD) -> None:
    enzyme.verify(parse(REGION.format(left=left, body=body, activity=activity, types=types), "g.mlir"))


def test_regions_are_checked_like_functions() -> None:
    verify_region()
    for message, changes in {
        "gives 2 results": {"left": "%r = ", "types": "(tensor<2xf64>, tensor<2xf64>) -> tensor<2xf64>"},
        "activity has 2 entries, but the body has 1 argument": {"activity": f"{ACTIVE}, {ACTIVE}"},
        "needs a body of one block that ends in enzyme.yield": {"body": ""},
        "one block that ends": {"body": '^bb0(%a: tensor<2xf64>): "t.end"() : () -> ()'},
        "operand 1 is the cotangent of result 0 and has type tensor<3xf64>": {
            "body": "^bb0(%a: tensor<2xf64>): %c = stablehlo.constant dense<1.> : tensor<3xf64>\n"
            '"enzyme.yield"(%c) : (tensor<3xf64>) -> ()'
        },
        "takes 3 operands": {
            "body": '^bb0(%a: tensor<2xf64>, %b: tensor<2xf64>): "enzyme.yield"(%a) : (tensor<2xf64>) -> ()',
            "activity": f"{ACTIVE}, {ACTIVE}",
        },
    }.items():
        with pytest.raises(RequestError) as caught:
            verify_region(**changes)
        assert message in caught.value.message
        assert (caught.value.location or "").startswith("g.mlir:3:")


def test_every_refusal_of_an_activity_has_a_way_out() -> None:
    for activity, ret in (("active", "dup"), ("dup", "active"), ("activenoneed", "dup")):
        with pytest.raises(GradirError) as caught:
            verify(FORWARD.format(f"{activity}, const", f"{ret}, const"), X, Y)
        assert "is one of enzyme_const" in (caught.value.hint or "")


@pytest.mark.parametrize("outer", ["module @a { module @b { func.func @f() { {op} return } } }", "{op}"])
def test_an_op_outside_of_the_modules_functions_is_refused(outer: str) -> None:
    op = '%a = "enzyme.init"() : () -> tensor<f64> "enzyme.ignore_derivatives"(%a) : (tensor<f64>) -> tensor<f64>'
    with pytest.raises(RequestError, match="stands in"):
        enzyme.verify(parse(outer.replace("{op}", op)))


def test_a_module_without_enzyme_ops_is_fine_as_it_is() -> None:
    module = parse("func.func @f(%x: tensor<f64>) -> tensor<f64> { return %x : tensor<f64> }")
    before = str(module)
    enzyme.verify(module)
    enzyme.lower(module)
    assert str(module) == before
