"""Emitting ops of `llvm`, `func` and their neighbours, at MLIR's ambient insertion point and location."""

from __future__ import annotations

from collections.abc import Sequence

from torch_mlir import ir

__all__ = [
    "address_of",
    "alloca",
    "cast",
    "check_equal",
    "constant",
    "element_pointer",
    "emit",
    "extract",
    "function",
    "i64",
    "insert",
    "load",
    "pointer",
    "private_function",
    "store",
    "zero",
]


def emit(name: str, results: Sequence[ir.Type], operands: Sequence[ir.Value], **attributes: ir.Attribute) -> ir.Value:
    """Create an op; its result if it has one."""
    op = ir.Operation.create(name, list(results), list(operands), attributes=attributes)
    return op.results[0] if len(op.results) == 1 else None


def function(
    module: ir.Module, name: str, inputs: Sequence[ir.Type], results: Sequence[ir.Type], **attributes: ir.Attribute
) -> ir.Operation:
    """Add a function without a body, which others see unless `sym_visibility` says otherwise."""
    said = {
        "sym_name": ir.StringAttr.get(name),
        "function_type": ir.TypeAttr.get(ir.FunctionType.get(list(inputs), list(results))),
    }
    with ir.InsertionPoint(module.body):
        return ir.Operation.create("func.func", attributes=said | attributes, regions=1)


def private_function(
    module: ir.Module, name: str, inputs: Sequence[ir.Type], results: Sequence[ir.Type], **attributes: ir.Attribute
) -> ir.Operation:
    return function(module, name, inputs, results, sym_visibility=ir.StringAttr.get("private"), **attributes)


def i64() -> ir.Type:
    return ir.IntegerType.get_signless(64)


def pointer() -> ir.Type:
    return ir.Type.parse("!llvm.ptr")


def constant(number: int, bits: int = 64) -> ir.Value:
    t = ir.IntegerType.get_signless(bits)
    return emit("llvm.mlir.constant", [t], [], value=ir.IntegerAttr.get(t, number))


def zero(t: ir.Type) -> ir.Value:
    """All bits zero, in a type of LLVM's."""
    return emit("llvm.mlir.zero", [t], [])


def cast(value: ir.Value, t: ir.Type) -> ir.Value:
    """The same value in another type that conversions to LLVM make of its own, or that becomes its own by them."""
    return value if value.type == t else emit("builtin.unrealized_conversion_cast", [t], [value])


def address_of(symbol: str) -> ir.Value:
    return emit("llvm.mlir.addressof", [pointer()], [], global_name=ir.FlatSymbolRefAttr.get(symbol))


def alloca(t: ir.Type) -> ir.Value:
    return emit(
        "llvm.alloca", [pointer()], [constant(1)], elem_type=ir.TypeAttr.get(t), alignment=ir.IntegerAttr.get(i64(), 16)
    )


def load(t: ir.Type, place: ir.Value) -> ir.Value:
    return emit("llvm.load", [t], [place], ordering=ir.IntegerAttr.get(i64(), 0))


def store(value: ir.Value, place: ir.Value) -> None:
    emit("llvm.store", [], [value, place], ordering=ir.IntegerAttr.get(i64(), 0))


def check_equal(a: ir.Value, b: ir.Value, message: str) -> None:
    """Let the program stop with a message if two integers differ."""
    equal = ir.IntegerAttr.get(i64(), 0)
    same = emit("llvm.icmp", [ir.IntegerType.get_signless(1)], [a, b], predicate=equal)
    emit("cf.assert", [], [same], msg=ir.StringAttr.get(message))


def extract(aggregate: ir.Value, t: ir.Type, *path: int) -> ir.Value:
    return emit("llvm.extractvalue", [t], [aggregate], position=ir.DenseI64ArrayAttr.get(path))


def insert(value: ir.Value, aggregate: ir.Value, *path: int) -> ir.Value:
    return emit("llvm.insertvalue", [aggregate.type], [aggregate, value], position=ir.DenseI64ArrayAttr.get(path))


def element_pointer(base: ir.Value, element: ir.Type, index: ir.Value) -> ir.Value:
    """The address of an element behind `base`."""
    dynamic = -(2**31)
    return emit(
        "llvm.getelementptr",
        [pointer()],
        [base, index],
        elem_type=ir.TypeAttr.get(element),
        rawConstantIndices=ir.DenseI32ArrayAttr.get([dynamic]),
    )
