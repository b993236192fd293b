"""Ops that upstream MLIR has no pass for, written in simpler ones."""

from __future__ import annotations

from math import prod

from torch_mlir import ir

from gradir.frontends.mlir import emit
from gradir.frontends.mlir.layout import Layout
from gradir.frontends.mlir.substrate import operations, run_passes

__all__ = ["decompose", "expand_copies"]

_DECOMPOSED = ("linalg.softmax", "linalg.pack", "linalg.unpack")

_SCRIPT = """
module attributes {transform.with_named_sequence} {
transform.named_sequence @__transform_main(%root: !transform.any_op) {
  %found = transform.structured.match ops{["linalg.softmax"]} in %root : (!transform.any_op) -> !transform.any_op
  %made = transform.structured.decompose_interface %found : (!transform.any_op) -> !transform.any_op
  %pack = transform.structured.match ops{["linalg.pack"]} in %root
    : (!transform.any_op) -> !transform.op<"linalg.pack">
  transform.foreach %pack : !transform.op<"linalg.pack"> {
  ^bb0(%one: !transform.op<"linalg.pack">):
    %0:3 = transform.structured.lower_pack %one : (!transform.op<"linalg.pack">)
      -> (!transform.op<"tensor.pad">, !transform.op<"tensor.expand_shape">, !transform.op<"linalg.transpose">)
  }
  %unpack = transform.structured.match ops{["linalg.unpack"]} in %root
    : (!transform.any_op) -> !transform.op<"linalg.unpack">
  transform.foreach %unpack : !transform.op<"linalg.unpack"> {
  ^bb0(%one: !transform.op<"linalg.unpack">):
    %0:5 = transform.structured.lower_unpack %one : (!transform.op<"linalg.unpack">)
      -> (!transform.op<"tensor.empty">, !transform.op<"linalg.transpose">, !transform.op<"tensor.collapse_shape">,
          !transform.op<"tensor.extract_slice">, !transform.op<"linalg.copy">)
  }
  transform.yield
}
}
"""
"""A program of the transform dialect, which has what no pass has."""

_MARK = "transform.with_named_sequence"


def decompose(module: ir.Module, name: str) -> None:
    """Write the ops on tensors that are several others in one as those, in place."""
    if not any(op.name in _DECOMPOSED for op in operations(module.operation)):
        return
    holder = ir.Module.parse(_SCRIPT, module.context)
    script = holder.body.operations[0].operation
    attributes = module.operation.attributes
    with module.context:
        attributes[_MARK] = ir.UnitAttr.get()
        script.detach_from_parent()
        ir.InsertionPoint(module.body).insert(script)
    run_passes(module, ["transform-interpreter"], name)
    script.erase()
    del attributes[_MARK]


def expand_copies(module: ir.Module) -> None:
    """Let copies between memrefs with strides be loops: upstream has them call its runtime library.

    Those of memory in a row whose size the type says have that size, and not the product of those in a descriptor.
    """
    for op in operations(module.operation):
        if op.name != "memref.copy":
            continue
        source, target = op.operands
        with op.location, ir.InsertionPoint(op):
            if _has_strides(source.type) or _has_strides(target.type):
                _copy(source, target)
            elif (size := _bytes(source.type)) is not None and source.type == target.type:
                addresses = [Layout(v.type).address(v) for v in (target, source)]
                no = ir.BoolAttr.get(False)
                emit.emit("llvm.intr.memcpy", [], [*addresses, emit.constant(size)], isVolatile=no)
            else:
                continue
        op.erase()


def _bytes(t: ir.Type) -> int | None:
    """Of a memref of floats in a row, if its type says them."""
    if isinstance(t, ir.MemRefType) and t.has_static_shape and str(t.element_type) in ("f16", "bf16", "f32", "f64"):
        return prod(t.shape) * (t.element_type.width // 8) if Layout(t).is_known else None
    return None


def _has_strides(t: ir.Type) -> bool:
    return isinstance(t, ir.MemRefType) and not isinstance(t.layout, ir.AffineMapAttr)


def _copy(source: ir.Value, target: ir.Value) -> None:
    made = ir.Operation.create(
        "linalg.copy",
        [],
        [source, target],
        attributes={"operandSegmentSizes": ir.DenseI32ArrayAttr.get([1, 1])},
        regions=1,
    )
    elements = [ir.MemRefType(v.type).element_type for v in (source, target)]
    block = ir.Block.create_at_start(made.regions[0], elements, [ir.Location.current] * 2)
    with ir.InsertionPoint(block):
        emit.emit("linalg.yield", [], [block.arguments[0]])
