"""Inlining. (MLIR's own `inline` pass does nothing in jaxlib, which has no inliner interface for `func`.)

Calls inside loops are inlined before the loop is differentiated in reverse mode, so that what the loop keeps for its
backward sweep is decided over its whole body. Elsewhere calls stay calls: the callee is derived once however often it
is called, and compilers inline it anyway.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from jaxlib.mlir import ir
from jaxlib.mlir.dialects import func

from gradir.tensor.ir.module import functions, has_place, operations
from gradir.tensor.ir.regions import copy_op

Find = Callable[[str], func.FuncOp | None]
"""The function of a symbol, if it may be inlined."""


def calls_in(function: func.FuncOp) -> list[ir.Operation]:
    """The calls in a function, wherever they stand."""
    found: list[ir.Operation] = []

    def visit(op: ir.Operation) -> ir.WalkResult:
        if op.name == "func.call":
            found.append(op)
        return ir.WalkResult.ADVANCE

    function.operation.walk(visit, ir.WalkOrder.PRE_ORDER)
    return found


def calls_in_loops(block: ir.Block, find: Find, in_loop: bool = False) -> Iterator[tuple[ir.Operation, func.FuncOp]]:
    """The calls under a block that stand in a loop, and what they call."""
    for view in block.operations:
        op = view.operation
        if op.name == "func.call" and in_loop:
            callee = find(callee_of(op))
            if callee is not None:
                yield op, callee
        for region in op.regions:
            for inner in region.blocks:
                yield from calls_in_loops(inner, find, in_loop or op.name == "stablehlo.while")


def inline_loops(block: ir.Block, find: Find) -> None:
    """Inline the calls in loops, in place, those of the callees too."""
    while calls := list(calls_in_loops(block, find)):
        for call, callee in calls:
            inline_call(call, callee)


SMALL = 200
"""Ops of a function that is inlined wherever it is called: larger ones are differentiated once for all calls."""


def inline_small(function: func.FuncOp, find: Find) -> None:
    """Inline the calls of small functions in a function, in place, those of the callees too."""
    sizes: dict[str, int] = {}

    def size(name: str) -> int:
        """Of what a call becomes, calls in it inlined too: calls in calls multiply."""
        callee = find(name)
        if callee is not None and name not in sizes:
            sizes[name] = SMALL + 1  # for one that calls itself
            ops = operations(callee)
            sizes[name] = len(ops) + sum(size(callee_of(op)) for op in ops if op.name == "func.call")
        return sizes.get(name, 1)

    def small(name: str) -> func.FuncOp | None:
        return find(name) if size(name) <= SMALL else None

    inline_every(function, small)


def inline_every(function: func.FuncOp, find: Find) -> None:
    """Inline the calls in a function, in place, those of the callees too."""
    # (Not in the computation of a reduction or a sort, which is no part of the program's own flow.)
    flow = ("func.func", "stablehlo.while", "stablehlo.if", "stablehlo.case")
    while calls := [
        (op, f)
        for op in calls_in(function)
        if op.parent.operation.name in flow and (f := find(callee_of(op)))
    ]:
        for call, callee in calls:
            inline_call(call, callee)


def inline_calls(module: ir.Module) -> None:
    """Inline every call of a module, in place."""
    found, begun = functions(module), set[str]()

    def flatten(name: str) -> None:
        begun.add(name)
        for op in operations(found[name]):
            if op.name == "func.call" and not (callee := found[callee_of(op)]).is_external:
                if callee_of(op) not in begun:
                    flatten(callee_of(op))
                inline_call(op, callee)

    with module.context:
        for name in found:
            if name not in begun:
                flatten(name)


def inline_call(call: ir.Operation, callee: func.FuncOp) -> None:
    """Replace a call by the callee's ops."""
    values: dict[ir.Value, ir.Value] = dict(zip(callee.entry_block.arguments, call.operands, strict=True))
    *body, end = (view.operation for view in callee.entry_block.operations)
    here = call.location
    with ir.InsertionPoint(call):
        for op in body:
            made = copy_op(op, values)
            if not has_place(made.location):  # JAX's own functions are written nowhere: the call is
                for inside in operations(made):
                    inside.location = here
    for result, value in zip(call.results, end.operands, strict=True):
        result.replace_all_uses_with(values[value])
    call.erase()


def callee_of(call: ir.Operation) -> str:
    return ir.FlatSymbolRefAttr(call.attributes["callee"]).value
