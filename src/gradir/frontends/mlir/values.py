"""The ops of the `enzyme` dialect that are about values: `ignore_derivatives`, `concat`, `extract`, and `batch`."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from math import prod

from torch_mlir import ir

from gradir.frontends.mlir import emit
from gradir.frontends.mlir.carriers import Memory, Tensor, joined, lanes, shadow_types
from gradir.frontends.mlir.layout import Layout, llvm_type
from gradir.frontends.mlir.requests import Function, callee, functions, refusal

__all__ = ["VALUES", "lower_batch"]

# -- Where derivatives end -------------------------------------------------------------------------------------------


def _ignore_derivatives(op: ir.Operation, module: ir.Module) -> None:
    """A call of a function that gives what it takes, and is marked as inactive."""
    (value,) = op.operands
    t = value.type
    is_value = llvm_type(t) is not None or isinstance(t, ir.RankedTensorType)
    if [r.type for r in op.results] != [t] or not is_value:
        message = f"takes one number, vector or tensor, and gives it back; this is {t}"
        raise refusal(op, message, "use it on what is loaded")
    name = f"ignore_derivatives.{str(t).replace('<', '.').replace('>', '')}"
    if name not in functions(module):
        _identity(module, name, t)
    made = emit.emit("func.call", [t], [value], callee=ir.FlatSymbolRefAttr.get(name))
    op.results[0].replace_all_uses_with(made)


def _identity(module: ir.Module, name: str, t: ir.Type) -> None:
    inactive = ir.ArrayAttr.get([ir.StringAttr.get("enzyme_inactive")])
    function = emit.private_function(module, name, [t], [t], **{"llvm.passthrough": inactive})
    block = ir.Block.create_at_start(function.regions[0], [t], [ir.Location.current])
    with ir.InsertionPoint(block):
        emit.emit("func.return", [], [block.arguments[0]])


# -- Several shadows in one value ------------------------------------------------------------------------------------


def _concat(op: ir.Operation, module: ir.Module) -> None:
    del module
    given, t = list(op.operands), op.results[0].type
    if not given or t not in shadow_types(given[0].type, len(given)) or any(v.type != given[0].type for v in given):
        raise refusal(op, f"can't make a {t} of {', '.join(str(v.type) for v in given) or 'nothing'}")
    op.results[0].replace_all_uses_with(joined(given, t))


def _extract(op: ir.Operation, module: ir.Module) -> None:
    del module
    (value,), t, index = op.operands, op.results[0].type, op.attributes.get("index")
    width = value.type.shape[0] if isinstance(value.type, ir.ShapedType) and value.type.rank else 0
    if not isinstance(index, ir.IntegerAttr) or value.type not in shadow_types(t, width):
        raise refusal(op, f"can't take a {t} out of a {value.type}", "write enzyme.extract %x[0]")
    if isinstance(t, ir.MemRefType) or not 0 <= index.value < width:
        raise refusal(op, f"there is no value {index} in a {value.type}", "take a memref.subview")
    op.results[0].replace_all_uses_with(lanes(value, t, width)[index.value])


def _broadcast(op: ir.Operation, module: ir.Module) -> None:
    del module
    (value,), t, shape = op.operands, op.results[0].type, op.attributes.get("shape")
    inner = list(value.type.shape) if isinstance(value.type, ir.RankedTensorType) else []
    element = value.type.element_type if inner else value.type
    if not isinstance(shape, ir.DenseI64ArrayAttr) or t != ir.RankedTensorType.get([*shape, *inner], element):
        raise refusal(op, f"can't make a {t} of a {value.type}", "its shape is the attribute shape, then the operand's")
    if ir.ShapedType.get_dynamic_size() in t.shape:
        raise refusal(op, f"gives {t}, whose size is not known", "give a static shape")
    if not inner:
        op.results[0].replace_all_uses_with(emit.emit("tensor.splat", [t], [value]))
        return
    broadcast = ir.Operation.create(
        "linalg.broadcast",
        [t],
        [value, emit.emit("tensor.empty", [t], [])],
        attributes={"dimensions": ir.DenseI64ArrayAttr.get(list(range(len(shape))))},
        regions=1,
    )
    block = ir.Block.create_at_start(broadcast.regions[0], [element, element], [ir.Location.current] * 2)
    with ir.InsertionPoint(block):
        emit.emit("linalg.yield", [], [block.arguments[0]])
    op.results[0].replace_all_uses_with(broadcast.results[0])


VALUES: Mapping[str, Callable[[ir.Operation, ir.Module], None]] = {
    "enzyme.ignore_derivatives": _ignore_derivatives,
    "enzyme.concat": _concat,
    "enzyme.extract": _extract,
    "enzyme.broadcast": _broadcast,
}
"""What replaces each op (which stays, without uses)."""

# -- Many calls in one -----------------------------------------------------------------------------------------------


def lower_batch(op: ir.Operation, known: Mapping[str, Function]) -> None:
    """``enzyme.batch``: a loop that calls the function on each part of its operands."""
    function, shape = callee(op, known), op.attributes.get("batch_shape")
    if not isinstance(shape, ir.DenseI64ArrayAttr):
        raise refusal(op, "needs the attribute batch_shape, an array of sizes", "write batch_shape = array<i64: 8>")
    sizes = list(shape)
    inputs, results = list(function.type.inputs), list(function.type.results)
    for kind, types, values in (("operand", inputs, op.operands), ("result", results, op.results)):
        wanted = [_batched(op, t, sizes) for t in types]
        if [v.type for v in values] != wanted:
            listed = ", ".join(map(str, wanted))
            raise refusal(op, f"its {kind}s are {listed or 'none'}, not {', '.join(str(v.type) for v in values)}")
    if any(isinstance(t, ir.MemRefType) for t in results):
        raise refusal(op, "the function gives memory", "let it write to an argument")
    taken = [_Parts(t, v, len(sizes)) for t, v in zip(inputs, op.operands, strict=True)]
    made = [_new_parts(t, r.type, len(sizes)) for t, r in zip(results, op.results, strict=True)]
    index = ir.IndexType.get()
    bounds = [emit.emit("arith.constant", [index], [], value=ir.IntegerAttr.get(index, n)) for n in (0, prod(sizes), 1)]
    loop = ir.Operation.create("scf.for", [], bounds, regions=1)
    block = ir.Block.create_at_start(loop.regions[0], [index], [ir.Location.current])
    with ir.InsertionPoint(block):
        turn = emit.cast(block.arguments[0], emit.i64())
        call = ir.Operation.create(
            "func.call",
            results,
            [part.read(turn) for part in taken],
            attributes={"callee": ir.FlatSymbolRefAttr.get(function.name)},
        )
        for part, value in zip(made, call.results, strict=True):
            part.write(value, turn)
        emit.emit("scf.yield", [], [])
    for result, part in zip(op.results, made, strict=True):
        result.replace_all_uses_with(part.whole())


def _batched(op: ir.Operation, t: ir.Type, sizes: Sequence[int]) -> ir.Type:
    if isinstance(t, ir.MemRefType) and Layout(t).is_known and Layout(t).is_plain:
        return ir.MemRefType.get([*sizes, *t.shape], t.element_type)
    if isinstance(t, ir.RankedTensorType):
        return ir.RankedTensorType.get([*sizes, *t.shape], t.element_type)
    if isinstance(t, (ir.FloatType, ir.IntegerType, ir.IndexType, ir.ComplexType)):
        return ir.RankedTensorType.get(list(sizes), t)
    raise refusal(op, f"a {t} can't be batched", "pass numbers, tensors, or memrefs whose elements lie in a row")


class _Parts:
    """A value of a batched type, in memory, and its parts of type `t`."""

    def __init__(self, t: ir.Type, value: ir.Value, leading: int) -> None:
        self.type, self.leading = t, leading
        self.buffer = value if isinstance(value.type, ir.MemRefType) else Tensor(value.type).as_buffer(value)
        self.layout = Layout(self.buffer.type)
        self.address = self.layout.address(self.buffer)
        self.step = self.layout.stride(self.buffer, leading - 1) if leading else emit.constant(0)

    def place(self, turn: ir.Value) -> ir.Value:
        """The address of a part."""
        behind = emit.emit("llvm.mul", [emit.i64()], [turn, self.step])
        return emit.element_pointer(self.address, self.layout.element, behind)

    def numbers(self) -> list[ir.Value]:
        """The sizes that the type of a part doesn't say."""
        inner = enumerate(self.layout.sizes[self.leading :], self.leading)
        return [self.layout.size(self.buffer, d) for d, n in inner if n is None]

    def read(self, turn: ir.Value) -> ir.Value:
        if isinstance(self.type, ir.MemRefType):
            return Memory(self.type).take([self.place(turn), *self.numbers()])
        if isinstance(self.type, ir.RankedTensorType):
            return Tensor(self.type).take([self.place(turn), *self.numbers()])
        return emit.cast(emit.load(llvm_type(self.type), self.place(turn)), self.type)

    def write(self, value: ir.Value, turn: ir.Value) -> None:
        if isinstance(self.type, ir.RankedTensorType):
            whole = Tensor(self.type)
            whole.put(value, whole.destinations([self.place(turn)]))
        else:
            emit.store(emit.cast(value, llvm_type(self.type)), self.place(turn))

    def whole(self) -> ir.Value:
        t = ir.RankedTensorType.get(self.buffer.type.shape, self.buffer.type.element_type)
        return Tensor(t).as_tensor(self.buffer)


def _new_parts(t: ir.Type, whole: ir.RankedTensorType, leading: int) -> _Parts:
    buffer = ir.MemRefType.get(whole.shape, whole.element_type)
    segments = ir.DenseI32ArrayAttr.get([0, 0])
    return _Parts(t, emit.emit("memref.alloc", [buffer], [], operandSegmentSizes=segments), leading)
