"""From a module in MLIR's own dialects to LLVM IR: `enzyme` ops by ours, all others by upstream's passes."""

from __future__ import annotations

from torch_mlir import ir

from gradir.errors import InputError
from gradir.frontends.mlir import requests
from gradir.frontends.mlir.deallocation import frees_its_own, owners, release
from gradir.frontends.mlir.expansions import decompose, expand_copies
from gradir.frontends.mlir.jacobians import lower_jacobian
from gradir.frontends.mlir.kernels import run_on_host
from gradir.frontends.mlir.regions import REGIONS, outline
from gradir.frontends.mlir.rules import say_rules
from gradir.frontends.mlir.substrate import location_text, operations, run_passes, to_llvm_text
from gradir.frontends.mlir.values import VALUES, lower_batch

__all__ = ["lower"]

_TO_BUFFERS = (
    "func.func(stablehlo-legalize-to-linalg)",
    "func.func(convert-elementwise-to-linalg)",
    "convert-tensor-to-linalg",
    "one-shot-bufferize{bufferize-function-boundaries=1 function-boundary-type-conversion=identity-layout-map"
    " allow-return-allocs-from-loops=1 buffer-alignment=0}",
)
"""Tensors become memory. (What is aligned to more than `malloc` gives is an address that is computed.)"""

_TO_LLVM = (
    "func.func(lower-vector-mask,lower-vector-multi-reduction)",
    "expand-realloc",
    "math-expand-ops{ops=clampf}",
    "convert-math-to-funcs{min-width-of-fpowi-exponent=64 convert-ctlz=0}",
    "convert-linalg-to-loops",
    "convert-vector-to-scf",
    "lower-affine",
    "convert-scf-to-cf",
    "memref-expand",
    "expand-strided-metadata",
    "lower-affine",
    "arith-expand",
    "convert-complex-to-standard",
    "convert-vector-to-llvm",
    "convert-math-to-llvm",
    "convert-math-to-libm",
    "convert-complex-to-llvm",
    "convert-index-to-llvm",
    "convert-ub-to-llvm",
    "finalize-memref-to-llvm",
    "convert-arith-to-llvm",
    "convert-cf-to-llvm",
    "convert-func-to-llvm",
    "convert-openmp-to-llvm",
    "reconcile-unrealized-casts",
    "ensure-debug-info-scope-on-llvm-func",
)


def lower(module: ir.Module, name: str) -> str:
    """The text of the LLVM module, in which `enzyme` ops are calls of Enzyme's functions. The module is used up."""
    _refuse_inner_modules(module, name)
    with module.context, ir.Location.unknown():
        run_on_host(module)
        say_rules(module)
        left_alone = frees_its_own(module)
        _lower_requests(module)
        _hide_private(module)
    if _has_tensors(module):
        decompose(module, name)
        owning = owners(module, left_alone)
        run_passes(module, _TO_BUFFERS, name)
        release(module, owning, name)
        run_passes(module, ["convert-bufferization-to-memref"], name)
    with module.context:
        expand_copies(module)
    run_passes(module, _TO_LLVM, name)
    _check_all_is_lowered(module, name)
    return to_llvm_text(module, name)


def _refuse_inner_modules(module: ir.Module, name: str) -> None:
    """LLVM has no modules within modules: their functions would be lost."""
    for view in module.body.operations:
        inner = view.operation
        if inner.name == "builtin.module" and any(op.name.endswith(".func") for op in operations(inner)):
            raise InputError(
                "builtin.module: functions of a module within another have no place in LLVM IR",
                location=location_text(inner.location, name) or name,
                hint="give the inner module as a file of its own, or move its functions into the outer one",
            )


_LOWERED = ("llvm", "omp", "builtin")


def _check_all_is_lowered(module: ir.Module, name: str) -> None:
    """MLIR's translation ends the process where it meets an op that no pass has lowered."""
    left = [op for op in operations(module.operation) if not _is_lowered(op)]
    if left:
        op = next((o for o in left if o.name != "builtin.unrealized_conversion_cast"), left[0])
        types = ", ".join(dict.fromkeys(str(v.type) for v in (*op.operands, *op.results)))
        what = op.name if op is not left[0] or not op.name.startswith("builtin.") else f"a value of type {types}"
        raise InputError(
            f"upstream MLIR has no lowering of {what} to LLVM IR",
            location=location_text(op.location, name) or name,
            hint="write it in func, arith, math, scf, cf, memref, affine, linalg, vector, gpu or omp",
        )


def _is_lowered(op: ir.Operation) -> bool:
    return op.name.partition(".")[0] in _LOWERED and op.name != "builtin.unrealized_conversion_cast"


def _lower_requests(module: ir.Module) -> None:
    """Replace every `enzyme` op. Bodies become functions first, the inner ones before those around them."""
    for number, op in enumerate(_enzyme_ops(module)):
        if op.name in REGIONS:
            outline(op, module, number)
    known = requests.functions(module)
    for number, op in enumerate(_enzyme_ops(module)):
        if op.name == "enzyme.jacobian":
            lower_jacobian(op, known, module, number)
    for number, op in enumerate(_enzyme_ops(module)):
        if op.name in requests.DIFFERENTIATE:
            requests.lower_request(op, known, module, number)
            continue
        with op.location, ir.InsertionPoint(op):
            if op.name in VALUES:
                VALUES[op.name](op, module)
            elif op.name == "enzyme.batch":
                lower_batch(op, known)
            else:
                raise requests.refusal(op, "is not lowered to LLVM IR", _WAYS_OUT.get(op.name, _MADE_BY_PASSES))
        op.erase()


_WAYS_OUT = {
    "enzyme.dump": "drop it from the program",
}
_MADE_BY_PASSES = "Enzyme's own passes make such ops: give the module as it was before them"


def _enzyme_ops(module: ir.Module) -> list[ir.Operation]:
    found = [op for op in operations(module.operation) if op.name.startswith("enzyme.")]
    for op in found:
        around = op.parent.operation
        while around.name != "func.func" and around.parent is not None:
            around = around.parent.operation
        if around.name != "func.func" or around.parent.operation != module.operation:
            raise requests.refusal(op, "stands outside of the module's functions", "move it into a func.func")
    return found


def _has_tensors(module: ir.Module) -> bool:
    values = (v for op in operations(module.operation) for v in (*op.operands, *op.results))
    if any(isinstance(v.type, ir.RankedTensorType) for v in values):
        return True
    types = (f.type for f in requests.functions(module).values())
    return any(isinstance(t, ir.RankedTensorType) for f in types for t in (*f.inputs, *f.results))


def _hide_private(module: ir.Module) -> None:
    """What is private to the module is private to its LLVM module, where it goes when nobody uses it."""
    internal = ir.Attribute.parse("#llvm.linkage<internal>")
    for function in requests.functions(module).values():
        if function.is_private and function.has_body and "llvm.linkage" not in function.op.attributes:
            function.op.attributes["llvm.linkage"] = internal
