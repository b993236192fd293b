"""Ops that upstream MLIR has no pass for, written in simpler ones."""

from __future__ import annotations

from torch_mlir import ir

from gradir.frontends.mlir import emit
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
    """Let copies between memrefs with strides be loops: upstream has them call its runtime library."""
    for op in operations(module.operation):
        if op.name == "memref.copy" and any(_has_strides(v.type) for v in op.operands):
            with op.location, ir.InsertionPoint(op):
                _copy(*op.operands)
            op.erase()


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
