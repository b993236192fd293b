"""Lowering: every `enzyme` op becomes a call of a function that is plain StableHLO.

An op's function is lowered before the op, so a derivative of a derivative is nothing special: by the time a function
is differentiated, it has calls where it had `enzyme` ops.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress

from jaxlib.mlir import ir
from jaxlib.mlir.dialects import func

from gradir.errors import GradirError
from gradir.request import Activity, operand_slots, result_slots
from gradir.tensor.enzyme.canonical import canonicalise, canonicalise_jacobian
from gradir.tensor.enzyme.dialect import BATCH, CALLS, IGNORE, JACOBIAN, REGIONS, operations, refusal
from gradir.tensor.enzyme.outline import outline
from gradir.tensor.enzyme.shapes import RESULT, lower_shape
from gradir.tensor.enzyme.verify import batch_shape, is_active, is_complex_tensor, read_request, signature, verify
from gradir.tensor.ir import module as modules
from gradir.tensor.ir.annotations import spell_out
from gradir.tensor.ir.expr import convert, exprs, full, is_complex, splat
from gradir.tensor.ir.reading import maker
from gradir.tensor.optimize import optimizer
from gradir.tensor.transform.derive import Deriver

__all__ = ["lower", "lower_requests"]


def lower(module: ir.Module) -> None:
    """Replace every `enzyme` op, in place, and drop the private functions that nothing names any more.

    When it raises, the module is left half done: hand it a clone.

    >>> from gradir.tensor.ir.module import functions, parse
    >>> module = parse('''
    ... func.func private @f(%x: tensor<f64>) -> tensor<f64> {
    ...   %y = stablehlo.sine %x : tensor<f64>
    ...   return %y : tensor<f64>
    ... }
    ... func.func @df(%x: tensor<f64>, %dy: tensor<f64>) -> tensor<f64> {
    ...   %dx = enzyme.autodiff @f(%x, %dy) {activity = [#enzyme<activity enzyme_active>],
    ...     ret_activity = [#enzyme<activity enzyme_activenoneed>]} : (tensor<f64>, tensor<f64>) -> tensor<f64>
    ...   return %dx : tensor<f64>
    ... }''')
    >>> lower(module)
    >>> "f" in functions(module), "enzyme" in str(module)
    (False, False)
    """
    if not operations(module):
        return
    lower_requests(module)
    for op in operations(module):
        assert op.name == IGNORE
        op.results[0].replace_all_uses_with(op.operands[0])
        op.erase()
    with suppress(GradirError):  # an op of an unknown dialect, with a region, might name any function: they all stay
        modules.run_passes(module, "symbol-dce")
    modules.verify(module)


def lower_requests(module: ir.Module) -> None:
    """`lower`, but `enzyme.ignore_derivatives` stays, for a module whose functions are still to be differentiated."""
    verify(module)
    spell_out(module)
    deriver = Deriver(module, optimizer())
    for op in operations(module):  # the inner regions first
        with op.location, ir.InsertionPoint(op):
            if op.name in RESULT:
                lower_shape(op)
            elif op.name in REGIONS:
                outline(op, deriver)
    for op in _callees_first(deriver.functions):
        lower_op = {BATCH: _lower_batch, JACOBIAN: _lower_jacobian}.get(op.name, _lower_derivative)
        with op.location, ir.InsertionPoint(op):
            lower_op(op, deriver)


# -- order -----------------------------------------------------------------------------------------------------------

_NAMES_A_FUNCTION = {
    "func.call": "callee",
    "stablehlo.composite": "decomposition",
    "stablehlo.custom_call": "called_computations",
} | dict.fromkeys(CALLS, "fn")


def _callees_first(functions: Mapping[str, func.FuncOp]) -> Iterator[ir.Operation]:
    """The ops that name a function: those within that function come before."""
    done: set[str] = set()
    path: list[tuple[str, ir.Operation | None]] = []  # the functions we are in, each with the op that names it

    def visit(name: str, by: ir.Operation | None = None) -> Iterator[ir.Operation]:
        path.append((name, by))
        own: list[ir.Operation] = []
        for op, callee in _references(functions[name].operation):
            if op.name in CALLS:
                own.append(op)
            if callee in (on_path := [n for n, _ in path]):
                _refuse_recursion([op, *(o for _, o in path[on_path.index(callee) + 1 :] if o is not None)])
            elif callee in functions and callee not in done:
                yield from visit(callee, op)
        path.pop()
        done.add(name)
        yield from own

    for name in list(functions):
        if name not in done:
            yield from visit(name)


def _refuse_recursion(cycle: Sequence[ir.Operation]) -> None:
    """A function that calls itself is not ours to judge, one that asks for its own derivative has none."""
    for op in cycle:
        if op.name in CALLS:
            raise refusal(
                op, "the function needs this op's own result", "a function can't differentiate itself, at any depth"
            )


def _references(function: ir.Operation) -> list[tuple[ir.Operation, str]]:
    """The functions that a function names, each with the op that does (which, for a rule of its own, it is itself)."""
    found = [(function, symbol) for attribute in function.attributes.values() for symbol in _symbols(attribute)]

    def visit(op: ir.Operation) -> ir.WalkResult:
        attribute = _NAMES_A_FUNCTION.get(op.name)
        named = op.attributes.get(attribute) if attribute else None
        if named is not None:
            found.extend((op, symbol) for symbol in _symbols(named))
        return ir.WalkResult.ADVANCE

    function.walk(visit, ir.WalkOrder.PRE_ORDER)
    return found


def _symbols(attribute: ir.Attribute) -> list[str]:
    """The functions that an attribute names: it is a symbol, or an array of them."""
    if isinstance(attribute, ir.ArrayAttr):
        return [symbol for element in attribute for symbol in _symbols(element)]
    return [attribute.value] if isinstance(attribute, ir.FlatSymbolRefAttr) else []


# -- ops -------------------------------------------------------------------------------------------------------------


def _lower_derivative(op: ir.Operation, deriver: Deriver) -> None:
    request = read_request(op, signature(op, deriver.functions))
    given = dict(zip(operand_slots(request.mode, request.activity, request.ret_activity), op.operands, strict=True))
    wanted = dict(zip(result_slots(request.mode, request.activity, request.ret_activity), op.results, strict=True))
    request = canonicalise(
        request,
        used={slot for slot, result in wanted.items() if _is_used(result)},
        zero={slot for slot, value in given.items() if slot[2] == "shadow" and _is_zero(value)},
    )
    activities = request.mode, request.activity, request.ret_activity
    results = [wanted[slot] for slot in result_slots(*activities)]
    if results:
        is_primal = all(a is Activity.const for a in (*request.activity, *request.ret_activity))
        symbol = request.function if is_primal else deriver.derive(request)
        _replace(results, deriver, symbol, [given[slot] for slot in operand_slots(*activities)])
    _erase(op)


def _lower_jacobian(op: ir.Operation, deriver: Deriver) -> None:
    of = signature(op, deriver.functions)
    request = read_request(op, of)
    every = [(j, i) for j in range(len(of.results)) for i in range(len(of.inputs))]
    active = [(j, i) for j, i in every if is_active(request.ret_activity[j]) and is_active(request.activity[i])]
    wanted = dict(zip(every if len(op.results) == len(every) else active, op.results, strict=True))
    for pair, result in wanted.items():
        if pair not in active and _is_used(result):
            result.replace_all_uses_with(full(ir.RankedTensorType(result.type), 0).value)
    used = {pair for pair in active if _is_used(wanted[pair])}
    if used:
        activity, ret_activity = canonicalise_jacobian(request.activity, request.ret_activity, used)
        kept = [(j, i) for j, i in active if is_active(ret_activity[j]) and is_active(activity[i])]
        # A real argument's cotangent is real, so only tangents tell all of a complex result's derivatives by it.
        mixed = any(is_complex_tensor(of.results[j]) and not is_complex_tensor(of.inputs[i]) for j, i in kept)
        mode = "forward" if mixed else "auto"
        symbol = deriver.jacobian(request.function, activity, ret_activity, request.strong_zero, mode)
        _replace([wanted[pair] for pair in kept], deriver, symbol, list(op.operands))
    _erase(op)


def _lower_batch(op: ir.Operation, deriver: Deriver) -> None:
    if any(map(_is_used, op.results)):
        function = ir.FlatSymbolRefAttr(op.attributes["fn"]).value
        symbol = deriver.batch(function, batch_shape(op))
        _replace(list(op.results), deriver, symbol, list(op.operands))
    _erase(op)


def _replace(results: Sequence[ir.Value], deriver: Deriver, symbol: str, operands: Sequence[ir.Value]) -> None:
    """Let a call give these results of an op."""
    for old, new in zip(results, deriver.call(symbol, exprs(operands)), strict=True):
        # Reverse mode gives a Jacobian in the argument's precision, where the op has the result's.
        same = new.value.type == old.type
        value = new if same else convert(new, ir.RankedTensorType(old.type).element_type)
        old.replace_all_uses_with(value.value)


def _erase(op: ir.Operation) -> None:
    """Erase an op and the constants that only it used."""
    unused = [op]
    while unused:
        last = unused.pop()
        makers = {m for value in last.operands if (m := maker(value)) is not None and m.name in _SPREADS_ZERO}
        last.erase()
        unused += [m for m in makers if not _is_used(m.results[0])]


_SPREADS_ZERO = ("stablehlo.constant", "stablehlo.broadcast_in_dim", "stablehlo.reshape")


def _is_used(value: ir.Value) -> bool:
    return next(iter(value.uses), None) is not None


def _is_zero(value: ir.Value) -> bool:
    """Whether a value is a constant zero, or one that has been broadcast."""
    op = maker(value)
    if op is None or op.name not in _SPREADS_ZERO:
        return False
    if op.name != "stablehlo.constant":
        return _is_zero(op.operands[0])
    t = ir.RankedTensorType(value.type)
    if is_complex(t.element_type):  # whose attributes the bindings can't hold
        return "dense<(0.000000e+00,0.000000e+00)>" in str(op)
    return op.attributes["value"] == splat(t, 0)
