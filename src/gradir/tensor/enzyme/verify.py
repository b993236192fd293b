"""What an `enzyme` op's operands, results and activities must be, and the errors that say so.

The dialect's order of operands and results is in `gradir.request`. A shadow has its primal's type, with `width` as a
leading dimension where that is above 1. The results of `enzyme.jacobian` are one array per active result and active
argument, results first, each of the result's shape followed by the argument's, and of the result's element type;
the numbering over all pairs (`result * arguments + argument`) is read too, with zeros for the pairs that aren't active.
"""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from jaxlib.mlir import ir
from jaxlib.mlir.dialects import func

from gradir.errors import InputError
from gradir.request import Activity, Mode, Request, Slot, operand_slots, result_slots
from gradir.tensor.enzyme import shapes
from gradir.tensor.enzyme.dialect import (
    BATCH,
    CALLS,
    DIFFERENTIATE,
    IGNORE,
    JACOBIAN,
    REGIONS,
    YIELD,
    normalise,
    operations,
    read_activity,
    refusal,
)
from gradir.tensor.ir.expr import is_complex, is_differentiable, tensor
from gradir.tensor.ir.module import functions, location_text
from gradir.tensor.rules.rule import batched_type

__all__ = [
    "Form",
    "Signature",
    "batch_form",
    "batch_shape",
    "check",
    "derivative_form",
    "is_active",
    "is_complex_tensor",
    "jacobian_form",
    "read_request",
    "signature",
    "verify",
]

Described = list[tuple[str, ir.Type]]
"""Operands or results: what each is, in words, and its type."""


@dataclass(frozen=True)
class Signature:
    """The types of a function, or of the body of a region op."""

    name: str
    inputs: Sequence[ir.Type]
    results: Sequence[ir.Type]


@dataclass(frozen=True)
class Form:
    """What an op must have."""

    operands: Described
    results: Described

    @property
    def result_types(self) -> list[ir.Type]:
        return [t for _, t in self.results]


def verify(module: ir.Module) -> None:
    """Check every `enzyme` op of a module against the function it names; the module comes into gradir's form.

    >>> from gradir.tensor.ir.module import parse
    >>> verify(parse('''
    ... func.func @f(%x: tensor<f64>) -> tensor<f64> { return %x : tensor<f64> }
    ... func.func @g(%x: tensor<f64>) -> tensor<f64> {
    ...   %r = enzyme.fwddiff @f(%x) {activity = [#enzyme<activity enzyme_dup>],
    ...                               ret_activity = [#enzyme<activity enzyme_const>]} : (tensor<f64>) -> tensor<f64>
    ...   return %r : tensor<f64>
    ... }''', "f.mlir"))
    Traceback (most recent call last):
    ...
    gradir.errors.RequestError: f.mlir:4:8: enzyme.fwddiff @f: takes 2 operands (argument 0, the tangent of ...
      way out: the activities ask for these operands, in this order
    """
    normalise(module)
    known = functions(module)
    for op in operations(module):
        with op.location:
            _check_place(op, module)
            check(op, known)


def _check_place(op: ir.Operation, module: ir.Module) -> None:
    around = op
    while around.parent is not None and around.parent.operation != module.operation:
        around = around.parent.operation
    if around.name != "func.func":
        raise refusal(op, f"stands in {around.name}", "move it into a func.func of the outermost module")


def check(op: ir.Operation, known: Mapping[str, func.FuncOp]) -> None:
    """Check one op, in gradir's form, in a module with these functions."""
    if op.name == YIELD:
        if op.parent is None or op.parent.name not in REGIONS:
            raise refusal(op, "stands outside of a region that differentiates", "end the function with func.return")
    elif op.name == IGNORE:
        if [v.type for v in op.operands] != [v.type for v in op.results] or len(op.operands) != 1:
            raise refusal(op, "has one operand and one result, both of the same type")
    elif op.name in shapes.RESULT:
        expected = shapes.RESULT[op.name](op)
        if [v.type for v in op.results] != [expected]:
            raise refusal(op, f"gives {expected}, not {_listed(op.results)}")
    elif op.name in CALLS or op.name in REGIONS:
        found = form(op, signature(op, known))
        _compare(op, "operand", found.operands, op.operands)
        _compare(op, "result", found.results, op.results)
    else:
        raise InputError(
            f"{op.name} is not lowered by gradir",
            location=location_text(op.location),
            hint="drop it from the program"
            if op.name == "enzyme.dump"
            else "Enzyme's own passes make such ops: give the module as it was before them",
        )


def _compare(op: ir.Operation, kind: str, expected: Described, values: Sequence[ir.Value]) -> None:
    verb = "takes" if kind == "operand" else "gives"
    if len(expected) != len(values):
        what = f" ({', '.join(words for words, _ in expected)})" if expected else ""
        raise refusal(
            op,
            f"{verb} {_counted(len(expected), kind)}{what}, {len(values)} given",
            f"the activities ask for these {kind}s, in this order" if expected else None,
        )
    for n, ((words, t), value) in enumerate(zip(expected, values, strict=True)):
        if value.type != t:
            raise refusal(op, f"{kind} {n} is {words} and has type {t}, not {value.type}")


def _counted(count: int, kind: str) -> str:
    return f"{count} {kind}{'' if count == 1 else 's'}"


def _listed(values: Sequence[ir.Value]) -> str:
    return ", ".join(str(v.type) for v in values) or "nothing"


# -- reading an op ---------------------------------------------------------------------------------------------------


def signature(op: ir.Operation, known: Mapping[str, func.FuncOp]) -> Signature:
    """Of the function that an op names, or of its body."""
    if op.name in REGIONS:
        return _body_signature(op)
    name = op.attributes.get("fn")
    if not isinstance(name, ir.FlatSymbolRefAttr):
        raise refusal(op, "needs the attribute fn, a function of this module", "write fn = @f")
    found = known.get(name.value)
    if found is None:
        held = ", ".join(f"@{n}" for n in known)
        raise refusal(op, f"there is no function @{name.value}", f"the module holds {held or 'no functions'}")
    t = ir.FunctionType(ir.TypeAttr(found.operation.attributes["function_type"]).value)
    return Signature(f"@{name.value}", t.inputs, t.results)


def _body_signature(op: ir.Operation) -> Signature:
    blocks = [block for region in op.regions for block in region.blocks]
    if len(blocks) != 1 or not len(blocks[0].operations) or (last := _last(blocks[0])).name != YIELD:
        raise refusal(op, "needs a body of one block that ends in enzyme.yield")
    return Signature("the body", [a.type for a in blocks[0].arguments], [v.type for v in last.operands])


def _last(block: ir.Block) -> ir.Operation:
    return block.operations[len(block.operations) - 1].operation


def form(op: ir.Operation, of: Signature) -> Form:
    """What the op must have, by its attributes."""
    if op.name == BATCH:
        return batch_form(op, of, batch_shape(op))
    request = read_request(op, of)
    if op.name == JACOBIAN:
        return jacobian_form(request, of, every_pair=len(op.results) == len(of.inputs) * len(of.results))
    return derivative_form(request, of)


def read_request(op: ir.Operation, of: Signature) -> Request:
    """The request that an op's attributes make, checked against the function's types."""
    mode = DIFFERENTIATE.get(REGIONS.get(op.name, op.name), Mode.forward)
    request = Request(
        of.name.removeprefix("@"),
        mode,
        _activities(op, "activity", of.name, "argument", len(of.inputs)),
        _activities(op, "ret_activity", of.name, "result", len(of.results)),
        _width(op),
        _strong_zero(op),
    )
    if op.name == JACOBIAN:
        _check_jacobian(op, request, of)
    else:
        _check_modes(op, request)
    _check_types(op, "argument", request.activity, of.inputs)
    _check_types(op, "result", request.ret_activity, of.results)
    return request


def _activities(op: ir.Operation, attribute: str, owner: str, kind: str, count: int) -> tuple[Activity, ...]:
    array = op.attributes.get(attribute)
    if not isinstance(array, ir.ArrayAttr):
        raise refusal(op, f"needs the attribute {attribute}, an array of activities", f"one for each {kind} of {owner}")
    read = [(a, read_activity(a)) for a in array]
    for a, activity in read:
        if activity is None:
            names = ", ".join(f"#enzyme.activity<{known.attribute_name}>" for known in Activity)
            raise refusal(op, f"{a} in {attribute} is not an activity", f"there are {names}")
    if len(read) != count:
        entries = "1 entry" if len(read) == 1 else f"{len(read)} entries"
        raise refusal(
            op,
            f"{attribute} has {entries}, but {owner} has {_counted(count, kind)}",
            f"give one activity for each {kind}",
        )
    return tuple(activity for _, activity in read if activity is not None)


def _width(op: ir.Operation) -> int:
    width = op.attributes.get("width")
    if width is None:
        return 1
    if not isinstance(width, ir.IntegerAttr) or width.value < 1:
        raise refusal(op, f"width is an integer of at least 1, not {width}")
    return width.value


def _strong_zero(op: ir.Operation) -> bool:
    strong = op.attributes.get("strong_zero")
    if strong is None:
        return False
    if not isinstance(strong, ir.BoolAttr):
        raise refusal(op, f"strong_zero is true or false, not {strong}")
    return strong.value


def batch_shape(op: ir.Operation) -> list[int]:
    shape = op.attributes.get("batch_shape")
    if not isinstance(shape, ir.DenseI64ArrayAttr) or any(n < 0 for n in shape):
        raise refusal(op, "needs the attribute batch_shape, an array of sizes", "write batch_shape = array<i64: 8>")
    return list(shape)


def _check_jacobian(op: ir.Operation, request: Request, of: Signature) -> None:
    if request.width != 1:
        raise refusal(op, "has no shadows, so it has no width", "drop the attribute width")
    for activity, t in zip((*request.activity, *request.ret_activity), (*of.inputs, *of.results), strict=True):
        if is_active(activity) and isinstance(t, ir.RankedTensorType) and not t.has_static_shape:
            raise refusal(op, f"{t} has no static shape", "give the shape, or ask for products: fwddiff or autodiff")
    active = [
        [n for n, a in enumerate(activities) if is_active(a)] for activities in (request.activity, request.ret_activity)
    ]
    for i, j in itertools.product(*active):
        if is_complex_tensor(of.inputs[i]) and not is_complex_tensor(of.results[j]):
            raise refusal(
                op,
                f"the real result {j} has two derivatives by each element of the complex argument {i}",
                "ask for its gradient, which has both as real and imaginary part: enzyme.autodiff",
            )


_ALLOWED = {
    (Mode.forward, "argument"): (Activity.const, Activity.dup, Activity.dupnoneed),
    (Mode.forward, "result"): (Activity.const, Activity.constnoneed, Activity.dup, Activity.dupnoneed),
    (Mode.reverse, "argument"): (Activity.const, Activity.active, Activity.dup, Activity.dupnoneed),
    (Mode.reverse, "result"): tuple(Activity),
}


def _check_modes(op: ir.Operation, request: Request) -> None:
    for kind, activities in (("argument", request.activity), ("result", request.ret_activity)):
        allowed = _ALLOWED[request.mode, kind]
        for n, activity in enumerate(activities):
            if activity not in allowed:
                names = ", ".join(a.attribute_name for a in allowed)
                raise refusal(
                    op,
                    f"{activity.attribute_name} on {kind} {n} has no meaning in {request.mode.value} mode",
                    f"{'an' if kind == 'argument' else 'a'} {kind} is one of {names}",
                )


def _check_types(op: ir.Operation, kind: str, activities: Sequence[Activity], types: Sequence[ir.Type]) -> None:
    for n, (activity, t) in enumerate(zip(activities, types, strict=True)):
        if is_active(activity) and not is_differentiable(t):
            raise refusal(
                op,
                f"{kind} {n} has type {t}, which carries no derivative, and is marked {activity.attribute_name}",
                f"mark it {Activity.const.attribute_name}; only tensors of real or complex floats are differentiated",
            )


def is_active(activity: Activity) -> bool:
    return activity not in (Activity.const, Activity.constnoneed)


def is_complex_tensor(t: ir.Type) -> bool:
    return isinstance(t, ir.RankedTensorType) and is_complex(t.element_type)


# -- what an op must have --------------------------------------------------------------------------------------------


def derivative_form(request: Request, of: Signature) -> Form:
    """Of `enzyme.autodiff` and `enzyme.fwddiff`."""

    def described(slots: Sequence[Slot], gradients: bool) -> Described:
        return [_described(slot, request, of, gradients) for slot in slots]

    activities = request.mode, request.activity, request.ret_activity
    return Form(described([*operand_slots(*activities)], False), described([*result_slots(*activities)], True))


def _described(slot: Slot, request: Request, of: Signature, is_result: bool) -> tuple[str, ir.Type]:
    kind, n, part = slot
    t = (of.inputs if kind == "arg" else of.results)[n]
    words = f"{'argument' if kind == 'arg' else 'result'} {n}"
    if part == "primal":
        return words, t
    if request.mode is Mode.forward:
        words = f"the tangent of {words}"
    elif kind == "result":
        words = f"the cotangent of {words}"
    else:
        words = f"the {'gradient' if is_result else 'shadow'} of {words}"
    return words, batched_type(t, request.width) if request.width > 1 else t


def jacobian_form(request: Request, of: Signature, every_pair: bool = False) -> Form:
    """Of `enzyme.jacobian`: a result per pair that is active, or `every_pair`."""
    pairs = [
        (f"the derivative of result {j} by argument {i}", _outer(r, a))
        for j, r in enumerate(of.results)
        for i, a in enumerate(of.inputs)
        if every_pair or (is_active(request.ret_activity[j]) and is_active(request.activity[i]))
    ]
    return Form([(f"argument {i}", t) for i, t in enumerate(of.inputs)], pairs)


def _outer(result: ir.Type, argument: ir.Type) -> ir.Type:
    if not isinstance(result, ir.RankedTensorType) or not isinstance(argument, ir.RankedTensorType):
        return ir.NoneType.get(result.context)  # a pair that is not active, of which there can be no array
    return tensor([*result.shape, *argument.shape], result.element_type)


def batch_form(op: ir.Operation, of: Signature, shape: Sequence[int]) -> Form:
    """Of `enzyme.batch`."""

    def described(kind: str, types: Sequence[ir.Type]) -> Described:
        made: Described = []
        for n, t in enumerate(types):
            if not isinstance(t, ir.RankedTensorType):
                raise refusal(op, f"{kind} {n} of {of.name} has type {t}, which can't be batched")
            made.append((f"{kind} {n} with the batch", tensor([*shape, *t.shape], t.element_type)))
        return made

    return Form(described("argument", of.inputs), described("result", of.results))
