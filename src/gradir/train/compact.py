"""The compact form of a package: each function as one dispatch, loops and all.

IREE makes a dispatch of every few ops, and a program for its virtual machine that runs them one by one. For a small
model that is most of the package, and most of its time. Here a whole function is one dispatch for one worker; and
`train`, `train_step` and `loss` are one and the same, since an epoch gives the loss and its gradients, too.

What stands around a dispatch is written in IREE's own dialects, in their generic form: jaxlib doesn't have them.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any

from jaxlib.mlir import ir
from jaxlib.mlir.dialects import arith, func

from gradir.tensor.ir.inline import inline_calls
from gradir.tensor.ir.module import functions, operations
from gradir.tensor.ir.regions import copy_op
from gradir.tensor.ir.signature import element_dtype

__all__ = ["FLAGS", "RATE", "add_forward", "flatten", "is_small", "to_dispatches"]

FLAGS = ("--force-attribute=minsize", "--iree-hal-indirect-command-buffers=false")
"""For IREE's compiler: small code, and commands for the one dispatch that are recorded where it is called."""

LARGEST = 1 << 15
"""Bytes of all that a function computes, up to which it may be one dispatch. Beyond, tiles in vector registers are
worth the dispatches that they take; and IREE keeps at most 32 KiB on the stack."""

RATE = 4
"""Bytes of a learning rate."""


def is_small(module: ir.Module) -> bool:
    """Whether each function computes little enough for one dispatch."""
    return all(sum(map(_size, operations(f))) <= LARGEST for f in functions(module).values())


def _size(op: ir.Operation) -> int:
    return sum(_bytes(r.type) for r in op.results)


def _bytes(type_: ir.Type) -> int:
    if not isinstance(type_, ir.RankedTensorType):
        return 0
    tensor = ir.RankedTensorType(type_)
    dtype = element_dtype(str(tensor.element_type))
    return math.prod(tensor.shape) * (dtype.itemsize if dtype is not None else 16)


def flatten(module: ir.Module, names: Collection[str]) -> None:
    """Inline all that these functions call, in place, and drop the others."""
    inline_calls(module)
    for name, function in functions(module).items():
        if name not in names:
            function.operation.erase()


def to_dispatches(module: ir.Module, names: Mapping[str, Sequence[str]], private: Collection[str] = ()) -> None:
    """Make each function one dispatch, in place. Its arguments have these names.

    It takes and gives buffers then, whose shapes IREE checks; complaints name the argument.
    """
    with module.context, ir.Location.unknown():
        for name, function in functions(module).items():
            _add_dispatch(module, function, names[name], "private" if name in private else "public")
            function.operation.erase()


def _add_dispatch(module: ir.Module, function: func.FuncOp, names: Sequence[str], visibility: str) -> None:
    """Add a function of buffers that does what `function`, which calls no other, does with tensors."""

    def body(given: Sequence[ir.Value]) -> list[ir.Value]:
        operands = [
            _import(value, name, type_) if _is_tensor(type_) else value
            for value, name, type_ in zip(given, names, function.type.inputs, strict=True)
        ]
        results = _dispatch(function, operands)
        return [
            _make("hal.tensor.export", [_buffer()], [r], source_encoding=ir.TypeAttr.get(r.type))[0] for r in results
        ]

    name = ir.StringAttr(function.attributes["sym_name"]).value
    inputs = [_buffer() if _is_tensor(t) else t for t in function.type.inputs]
    _function(module, name, visibility, names, inputs, len(function.type.results), body)


def add_forward(
    module: ir.Module, name: str, core: str, given: Sequence[str], taken: Sequence[str], results: Sequence[int], of: int
) -> None:
    """Add a function of the arguments `given` that calls `core` with those it takes, and gives some of its results.

    Where `core` takes a rate and epochs that are not given, it does one epoch, at whatever rate: the parameters that it
    makes are not asked for. (So the rate is the first bytes of what is given: nothing has to be allocated for it.)
    """

    def body(values: Sequence[ir.Value]) -> list[ir.Value]:
        known = dict(zip(given, values, strict=True))
        if "epochs" not in known:
            known["epochs"] = arith.constant(i32, 1)
            known["rate"] = _first_bytes(values[0])
        operands = [known[n] for n in taken]
        callee = ir.FlatSymbolRefAttr.get(core)
        made = _make("util.call", [_buffer()] * of, operands, callee=callee, tied_operands=_untied(of))
        return [made[i] for i in results]

    with module.context, ir.Location.unknown():
        i32 = ir.IntegerType.get_signless(32)
        inputs = [i32 if n == "epochs" else _buffer() for n in given]
        _function(module, name, "public", given, inputs, len(results), body)


# -- IREE's dialects ---------------------------------------------------------------------------------------------------


def _make(
    op_name: str, results: Sequence[ir.Type], operands: Sequence[ir.Value], regions: int = 0, **attributes: Any
) -> Any:
    """The results of a new op; or the op, if it has regions to be filled."""
    op = ir.Operation.create(op_name, results, list(operands), attributes, regions=regions)
    return op if regions else list(op.results)


def _buffer() -> ir.Type:
    return ir.Type.parse("!hal.buffer_view")


def _untied(results: int) -> ir.ArrayAttr:
    """That no result is an operand's buffer."""
    return ir.ArrayAttr.get([ir.IntegerAttr.get(ir.IndexType.get(), -1)] * results)


def _is_tensor(type_: ir.Type) -> bool:
    return isinstance(type_, ir.RankedTensorType)


def _function(
    module: ir.Module,
    name: str,
    visibility: str,
    names: Sequence[str],
    inputs: Sequence[ir.Type],
    results: int,
    body: Callable[[Sequence[ir.Value]], Sequence[ir.Value]],
) -> None:
    """A function of IREE's. One that others call is not inlined: that they share it is the point of it."""
    if visibility == "private":
        more = {"inlining_policy": ir.Attribute.parse("#util.inline.never")}
    else:
        more = {"iree.abi.declaration": ir.StringAttr.get(f"{name}({', '.join(names)})")}  # for messages
    with ir.InsertionPoint(module.body):
        op = _make(
            "util.func", [], [], regions=1,
            sym_name=ir.StringAttr.get(name), sym_visibility=ir.StringAttr.get(visibility),
            function_type=ir.TypeAttr.get(ir.FunctionType.get(list(inputs), [_buffer()] * results)),
            tied_operands=_untied(results), **more,
        )  # fmt: skip
    block = op.regions[0].blocks.append(*inputs)
    with ir.InsertionPoint(block):
        _make("util.return", [], body(list(block.arguments)))


def _import(value: ir.Value, name: str, type_: ir.Type) -> ir.Value:
    return _make(
        "hal.tensor.import", [type_], [value],
        target_encoding=ir.TypeAttr.get(type_), name=ir.StringAttr.get(name),
        operandSegmentSizes=ir.DenseI32ArrayAttr.get([1, 0, 0, 0]),
    )[0]  # fmt: skip


def _first_bytes(buffer: ir.Value) -> ir.Value:
    """The first bytes of a buffer, as a rate."""
    index, i32 = ir.IndexType.get(), ir.IntegerType.get_signless(32)
    bounds = [arith.constant(index, 0), arith.constant(index, RATE)]
    kind = _make("hal.element_type", [i32], [], type=ir.TypeAttr.get(ir.F32Type.get()))
    layout = _make("hal.encoding_type", [i32], [])
    raw = _make("hal.buffer_view.buffer", [ir.Type.parse("!hal.buffer")], [buffer])
    return _make("hal.buffer_view.create", [_buffer()], [*raw, *bounds, *kind, *layout])[0]


def _dispatch(function: func.FuncOp, operands: Sequence[ir.Value]) -> list[ir.Value]:
    """A function's body as one dispatch, of one worker."""
    inputs, outputs = list(function.type.inputs), list(function.type.results)
    op = _make(
        "flow.dispatch.workgroups", outputs, operands, regions=2,
        operandSegmentSizes=ir.DenseI32ArrayAttr.get([0, len(operands), 0, 0]), tied_operands=_untied(len(outputs)),
    )  # fmt: skip
    arguments = [_access("readonly", t) if _is_tensor(t) else t for t in inputs]
    block = op.regions[0].blocks.append(*arguments, *(_access("writeonly", t) for t in outputs))
    given, taken = list(block.arguments)[: len(inputs)], list(block.arguments)[len(inputs) :]
    with ir.InsertionPoint(block):
        loaded = [_load(v, t) if _is_tensor(t) else v for v, t in zip(given, inputs, strict=True)]
        values: dict[ir.Value, ir.Value] = dict(zip(function.entry_block.arguments, loaded, strict=True))
        *ops, end = (view.operation for view in function.entry_block.operations)
        for one in ops:
            _write_in_place(copy_op(one, values))
        for result, place in zip(end.operands, taken, strict=True):
            _store(values[result], place)
        _make("flow.return", [], [])
    with ir.InsertionPoint(op.regions[1].blocks.append()):
        one_worker = arith.constant(ir.IndexType.get(), 1)
        _make("flow.return", [], [one_worker] * 3)
    return list(op.results)


def _write_in_place(op: ir.Operation) -> None:
    """Let the loops under an op write what they carry where it was: IREE allocates nothing in a loop."""
    for loop in operations(op):  # type: ignore[arg-type]
        if loop.name != "scf.for":
            continue
        body = loop.regions[0].blocks[0]
        end = list(body.operations)[-1].operation
        with ir.InsertionPoint(end):
            for i, (new, old) in enumerate(zip(list(end.operands), list(body.arguments)[1:], strict=True)):
                if _is_tensor(new.type):
                    end.operands[i] = _make("bufferization.materialize_in_destination", [new.type], [new, old])[0]


def _access(how: str, type_: ir.Type) -> ir.Type:
    return ir.Type.parse(f"!iree_tensor_ext.dispatch.tensor<{how}:{type_}>")


def _load(place: ir.Value, type_: ir.Type) -> ir.Value:
    return _make("iree_tensor_ext.dispatch.tensor.load", [type_], [place], **_everything(type_, [1, 0, 0, 0, 0]))[0]


def _store(value: ir.Value, place: ir.Value) -> None:
    sizes = _everything(value.type, [1, 1, 0, 0, 0, 0])
    _make("iree_tensor_ext.dispatch.tensor.store", [], [value, place], **sizes)


def _everything(type_: ir.Type, segments: Sequence[int]) -> dict[str, ir.Attribute]:
    """All of a tensor, as a slice."""
    shape = list(ir.RankedTensorType(type_).shape)
    return {
        "operandSegmentSizes": ir.DenseI32ArrayAttr.get(list(segments)),
        "static_offsets": ir.DenseI64ArrayAttr.get([0] * len(shape)),
        "static_sizes": ir.DenseI64ArrayAttr.get(shape),
        "static_strides": ir.DenseI64ArrayAttr.get([1] * len(shape)),
    }
