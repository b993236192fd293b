"""What is not worth keeping: ops that no result needs or that compute the same as another, functions nothing names."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress

from jaxlib.mlir import ir
from jaxlib.mlir.dialects import func
from jaxlib.mlir.passmanager import PassManager

from gradir.tensor.ir.context import remembered
from gradir.tensor.ir.regions import captures, terminator

_pipelines: dict[tuple[ir.Context, str], PassManager] = remembered()


def _passes(pipeline: str, of: ir.Context) -> PassManager:
    passes = _pipelines.get((of, pipeline))
    if passes is None:
        passes = _pipelines[of, pipeline] = PassManager.parse(pipeline, of)
        passes.enable_verifier(False)  # a function's type is set when its body is ready
    return passes


def merge_equal(function: ir.Operation, is_apart: Callable[[ir.Operation], bool] | None = None) -> None:
    """Of ops of a function that compute the same, keep the first; those that are to stay `apart` all stay."""
    apart: list[ir.Operation] = []

    def look(op: ir.Operation) -> ir.WalkResult:
        if is_apart is not None and is_apart(op):
            op.attributes[_APART] = ir.IntegerAttr.get(ir.IndexType.get(), len(apart))
            apart.append(op)
        return ir.WalkResult.ADVANCE

    def unmark(op: ir.Operation) -> ir.WalkResult:
        if _APART in op.attributes:
            del op.attributes[_APART]
        return ir.WalkResult.ADVANCE

    if is_apart is not None:
        function.walk(look, ir.WalkOrder.PRE_ORDER)
    _passes("func.func(cse)", function.context).run(function)
    if apart:  # of which some may be gone, since nothing uses them
        function.walk(unmark, ir.WalkOrder.PRE_ORDER)


_APART = "gradir.apart"
"""What numbers ops that must not be merged, while others are."""


def sink_constants(function: ir.Operation) -> None:
    """Give the computations of sorts constants of their own, which merging has put outside."""

    def visit(op: ir.Operation) -> ir.WalkResult:
        if op.name != "stablehlo.sort":
            return ir.WalkResult.ADVANCE
        for block in op.regions[0].blocks:
            for v in captures(op.regions):
                if isinstance(v, ir.OpResult) and v.owner.operation.name == "stablehlo.constant":
                    with ir.InsertionPoint.at_block_begin(block):
                        own = v.owner.operation.clone().results[0]
                    for view in block.operations:
                        for k, operand in enumerate(view.operation.operands):
                            if operand == v:
                                view.operation.operands[k] = own
        return ir.WalkResult.SKIP

    function.walk(visit, ir.WalkOrder.PRE_ORDER)


def drop_unnamed(module: ir.Module, given: Iterable[func.FuncOp]) -> None:
    """Erase the private functions that nothing names, other than those that were given."""
    hidden = [f.operation for f in given if "sym_visibility" in f.attributes]
    visibility = [op.attributes["sym_visibility"] for op in hidden]
    for op in hidden:
        del op.attributes["sym_visibility"]
    with suppress(ir.MLIRError):  # an op of an unknown dialect, with a region, might name any function: they all stay
        _passes("builtin.module(symbol-dce)", module.context).run(module.operation)
    for op, attribute in zip(hidden, visibility, strict=True):
        op.attributes["sym_visibility"] = attribute


_EFFECTS = {"stablehlo.infeed", "stablehlo.outfeed", "stablehlo.send", "stablehlo.recv", "stablehlo.async_start"}


def drop_dead(block: ir.Block, after: ir.Operation | None = None) -> None:
    """Erase the ops of a block that nothing uses, the last first, so that what they alone used goes too.

    So do ops in loops and branches, and the results of loops and branches that nothing uses. What stands up to and with
    `after` stays: someone may still come for it.
    """
    for view in reversed(list(block.operations)[:-1]):
        op = view.operation
        if after is not None and op == after:
            return
        if not any(_used(r) for r in op.results) and not has_effect(op):
            op.erase()
            continue
        if op.name in _CONTROL:
            if op.name in _NARROWED:
                op = _with_used_results(op)
            for region in op.regions:
                drop_dead(region.blocks[0])


_NARROWED = {"stablehlo.while", "stablehlo.if", "stablehlo.case"}
_CONTROL = _NARROWED | {"sdy.manual_computation"}
"""Ops whose regions are built by transforms. (Those of others, a reduction's say, come from the source as they are.)"""


def _with_used_results(op: ir.Operation) -> ir.Operation:
    """The same loop or branches without the results that nothing uses (a loop may need them for others, though)."""
    loop = op.name == "stablehlo.while"
    used = {k for k, r in enumerate(op.results) if _used(r)}
    if len(used) < len(op.results) and loop:
        used = carried_for(op, used)
    attributes = dict(op.attributes.items())
    if len(used) == len(op.results) or any(map(_has_entries, attributes)):
        return op
    kept, dropped = sorted(used), sorted(set(range(len(op.results))) - used)
    with op.location, ir.InsertionPoint(op):
        new = ir.Operation.create(
            op.name,
            results=[op.results[k].type for k in kept],
            operands=[op.operands[k] for k in kept] if loop else list(op.operands),
            attributes=attributes,
            regions=len(op.regions),
        )
    blocks = [region.blocks[0] for region in op.regions]
    for region, block in zip(new.regions, blocks, strict=True):
        block.append_to(region)
    for block in blocks[1:] if loop else blocks:
        last = terminator(block)
        with last.location, ir.InsertionPoint(last):
            ir.Operation.create(last.name, operands=[last.operands[k] for k in kept])
        last.erase()
    if loop:
        for block in blocks:
            drop_dead(block)
            for k in reversed(dropped):
                block.erase_argument(k)
    for k, result in zip(kept, new.results, strict=True):
        op.results[k].replace_all_uses_with(result)
    op.erase()
    return new


def _has_entries(attribute: str) -> bool:
    """Whether an attribute might have an entry for each result. (Those on differentiation are of the op as a whole.)"""
    return not attribute.startswith(("gradir.", "enzyme."))


def carried_for(op: ir.Operation, used: set[int]) -> set[int]:
    """Which values a loop must carry so that these come out: those too that its end or they themselves depend on."""
    cond, body = (region.blocks[0] for region in op.regions)
    acts, every = has_effect(op), len(op.results)
    carried = used | _arguments_for(cond, terminator(cond).operands, acts, set())
    yields, new, seen = list(terminator(body).operands), carried, set[ir.Value]()
    while new and len(carried) < every:
        new = _arguments_for(body, [yields[k] for k in new], acts, seen) - carried
        carried = carried | new
    return carried


def _arguments_for(block: ir.Block, needed: Iterable[ir.Value], acts: bool, seen: set[ir.Value]) -> set[int]:
    """The arguments of a block on which values in it depend, and what it does besides if it `acts`.

    What was seen before is left out.
    """
    places, found = {a: k for k, a in enumerate(block.arguments)}, set[int]()
    todo = list(needed)
    if acts:
        todo += [v for view in block.operations if has_effect(o := view.operation) for v in _takes(o)]
    todo = [v for v in dict.fromkeys(todo) if v not in seen]
    seen.update(todo)
    while todo:
        value = todo.pop()
        if value in places:
            found.add(places[value])
        elif isinstance(value, ir.OpResult) and (made := value.owner.operation).block == block:
            for v in _takes(made):
                if v not in seen:
                    seen.add(v)
                    todo.append(v)
    return found


def _takes(op: ir.Operation) -> list[ir.Value]:
    return [*op.operands, *(captures(op.regions) if len(op.regions) else ())]


def _used(value: ir.Value) -> bool:
    return next(iter(value.uses), None) is not None


def has_effect(op: ir.Operation) -> bool:
    """Whether an op does more than give its results, by itself, in its regions or in what it calls."""
    if not len(op.regions) and op.name != "func.call":  # as most
        return _acts(op)
    acts = calls = False

    def visit(inner: ir.Operation) -> ir.WalkResult:
        nonlocal acts, calls
        acts, calls = _acts(inner), calls or inner.name == "func.call"
        return ir.WalkResult.INTERRUPT if acts else ir.WalkResult.ADVANCE

    op.walk(visit, ir.WalkOrder.PRE_ORDER)
    return acts or (calls and any(map(_acts, within(op))))


def is_repeatable(op: ir.Operation) -> bool:
    """Whether an op that is run again on the same operands gives the same results, and does nothing else."""
    return not any(o.name == "stablehlo.rng" or _acts(o) for o in within(op))


def _acts(op: ir.Operation) -> bool:
    name = op.name
    if name == "stablehlo.custom_call" and "has_side_effect" in op.attributes:
        return bool(ir.BoolAttr(op.attributes["has_side_effect"]).value)
    return name in _EFFECTS


def within(op: ir.Operation, seen: set[str] | None = None) -> Iterator[ir.Operation]:
    """An op and the ops in its regions, and those of the functions that they call."""
    yield op
    inside = list(op.regions)
    if op.name == "func.call":
        callee = ir.FlatSymbolRefAttr(op.attributes["callee"]).value
        seen = set() if seen is None else seen
        if callee in seen:
            return
        seen.add(callee)
        inside = list(_symbol(op, callee).regions)
    for region in inside:
        for block in region.blocks:
            for view in block.operations:
                yield from within(view.operation, seen)


def _symbol(op: ir.Operation, name: str) -> ir.Operation:
    top = op
    while top.parent is not None:
        top = top.parent.operation
    return ir.SymbolTable(top)[name].operation
