"""Buffers that functions give become buffers that they are given, to write to: there is no copy, and nothing to free.

That needs to know who calls, so it is for what is private to the module. A public function becomes one that allocates
and calls a private one, which has its body.
"""

from __future__ import annotations

import itertools
from collections.abc import Collection

from torch_mlir import ir

from gradir.frontends.mlir import emit
from gradir.frontends.mlir.requests import MARK, Function, functions
from gradir.frontends.mlir.substrate import operations

__all__ = ["is_memory", "made_by", "pass_results"]


def pass_results(module: ir.Module, names: Collection[str]) -> list[str]:
    """Let those of some functions that can be given their results' memory. These functions, and new ones for bodies."""
    known = functions(module)
    held = {
        ir.FlatSymbolRefAttr(op.attributes["value"]).value
        for op in operations(module.operation)
        if op.name == "func.constant"
    }
    working = list(names)
    for name in names:
        function = known[name]
        if name not in held and _can_be_given(function):
            private = function
            if not function.is_private:
                private = _with_own_body(function, module)
                working.append(private.name)
            _take_results(private)
            for call in _calls(module, private.name):
                _give_results(call)
    return working


def _can_be_given(function: Function) -> bool:
    buffers = [t for t in function.type.results if is_memory(t)]
    said = function.op.attributes
    return (
        bool(buffers)
        and all(isinstance(t, ir.MemRefType) and t.has_static_shape for t in buffers)
        and not any(n in said for n in ("res_attrs", "llvm.passthrough", "llvm.emit_c_interface"))
    )


def is_memory(t: ir.Type) -> bool:
    return isinstance(t, (ir.MemRefType, ir.UnrankedMemRefType))


def made_by(value: ir.Value, name: str) -> ir.Operation | None:
    """The op of a name that makes a value, if that is what makes it."""
    owner = value.owner
    op = None if isinstance(owner, ir.Block) else owner.operation
    return op if op is not None and op.name == name else None


def _calls(module: ir.Module, name: str) -> list[ir.Operation]:
    calls = [op for op in operations(module.operation) if op.name == "func.call"]
    return [op for op in calls if ir.FlatSymbolRefAttr(op.attributes["callee"]).value == name]


def _with_own_body(function: Function, module: ir.Module) -> Function:
    """Move the body into a private function, which is called instead, also by the public one."""
    name, t = f"{function.name}.body", function.type
    with function.op.location:
        internal = ir.Attribute.parse("#llvm.linkage<internal>")
        made = emit.private_function(module, name, t.inputs, t.results, **{"llvm.linkage": internal})
        if "arg_attrs" in function.op.attributes:
            made.attributes["arg_attrs"] = function.op.attributes["arg_attrs"]
        for block in list(function.op.regions[0].blocks):
            block.append_to(made.regions[0])
        symbol = ir.FlatSymbolRefAttr.get(name)
        for call in _calls(module, function.name):
            call.attributes["callee"] = symbol
        block = ir.Block.create_at_start(function.op.regions[0], t.inputs, [function.op.location] * len(t.inputs))
        with ir.InsertionPoint(block):
            given = list(block.arguments)
            inner = ir.Operation.create("func.call", t.results, given, attributes={"callee": symbol})
            emit.emit("func.return", [], list(inner.results))
    return Function(name, made)


def _take_results(function: Function) -> None:
    """Replace buffers that a function gives by arguments that it writes to."""
    t, op = function.type, function.op
    entry = op.regions[0].blocks[0]
    end = entry.operations[len(entry.operations) - 1].operation
    places = []
    for n in range(len(end.operands)):
        value = end.operands[n]  # which may be an argument by now, if it is given twice
        if not is_memory(value.type):
            continue
        place = entry.add_argument(value.type, value.location)
        places.append(place)
        alloc = made_by(value, "memref.alloc")
        if alloc is not None and alloc.parent.operation == op:
            value.replace_all_uses_with(place)
            alloc.erase()
        else:
            with end.location, ir.InsertionPoint(end):
                emit.emit("memref.copy", [], [value, place])
    with end.location, ir.InsertionPoint(end):
        emit.emit("func.return", [], [v for v in end.operands if not is_memory(v.type)])
    end.erase()
    inputs = [*t.inputs, *(p.type for p in places)]
    results = [r for r in t.results if not is_memory(r)]
    op.attributes["function_type"] = ir.TypeAttr.get(ir.FunctionType.get(inputs, results))
    said = list(op.attributes["arg_attrs"]) if "arg_attrs" in op.attributes else [ir.DictAttr.get({})] * len(t.inputs)
    fresh = ir.DictAttr.get({"llvm.noalias": ir.UnitAttr.get()})
    op.attributes["arg_attrs"] = ir.ArrayAttr.get([*said, *[fresh] * len(places)])


def _place(result: ir.Value, call: ir.Operation) -> ir.Value:
    """Memory for a result of a call. In the function of a request, that is what the result is copied to: new memory."""
    uses = [use.owner for use in result.uses]
    if len(uses) == 1 and uses[0].operation.name == "memref.copy" and MARK in call.parent.attributes:
        copy = uses[0].operation
        source, target = copy.operands
        earlier = itertools.takewhile(lambda op: op.operation != call, call.block.operations)
        if source == result and target.type == result.type and target in {r for op in earlier for r in op.results}:
            copy.erase()
            return target
    segments = ir.DenseI32ArrayAttr.get([0, 0])
    return emit.emit("memref.alloc", [result.type], [], operandSegmentSizes=segments)


def _give_results(call: ir.Operation) -> None:
    """Let a call pass new memory for the buffers that it was given."""
    with call.location, ir.InsertionPoint(call):
        places = [_place(r, call) for r in call.results if is_memory(r.type)]
        others = [r.type for r in call.results if not is_memory(r.type)]
        given = [*call.operands, *places]
        made = ir.Operation.create("func.call", others, given, attributes={"callee": call.attributes["callee"]})
    waiting, numbers = iter(places), iter(made.results)
    for old in call.results:
        old.replace_all_uses_with(next(waiting) if is_memory(old.type) else next(numbers))
    call.erase()
