"""MLIR's own dialects (`func`, `arith`, `scf`, `memref`, …), lowered to LLVM IR by upstream MLIR.

Upstream MLIR comes with the wheel `torch-mlir`, and is imported when a module needs it: a module of StableHLO doesn't.
"""

from __future__ import annotations

from collections.abc import Mapping
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gradir.errors import MissingExtra
from gradir.frontends import DEFAULT, CompilerOptions, content_of
from gradir.frontends.mlir.levels import Level, level_of
from gradir.machine import llvm

if TYPE_CHECKING:
    from gradir.machine.jit.signature import Signature

__all__ = ["Level", "callable_module", "level_of", "tensor_part", "to_llvm"]


def to_llvm(source: Path, options: CompilerOptions = DEFAULT) -> llvm.Module:
    """Lower a file. Its `enzyme` ops are calls of Enzyme's functions then, as in C."""
    del options  # flags are for the sources beside it
    return llvm.parse(_lowered(content_of(source), str(source)), str(source))


def callable_module(source: str | bytes, name: str) -> tuple[llvm.Module, Mapping[str, Signature]]:
    """Lower a text, with an entry for each function that NumPy's arrays and Python's numbers can be passed to."""
    _need_upstream(name)
    from gradir.frontends.mlir import entries, lowering, requests, split, substrate

    module = substrate.parse(source, name)
    of_tensor_level: set[str] = set()
    if level_of(source).name == "mixed":
        split.drop_tensor_level(module)
        of_tensor_level = set(requests.functions(module)) - split.of_machine_level(module)
    described = entries.add_entries(module, of_tensor_level)
    return llvm.parse(lowering.lower(module, name), name), described


def _lowered(source: str | bytes, name: str) -> str:
    _need_upstream(name)
    from gradir.frontends.mlir import lowering, substrate

    module = substrate.parse(source, name)
    if level_of(source).name == "mixed":
        _differentiate_tensors(module, source, name)
    return lowering.lower(module, name)


def _differentiate_tensors(module: Any, source: str | bytes, name: str) -> None:
    """Put the functions of the tensor level into a module as that level lowers them: before they become loops."""
    from torch_mlir import ir

    from gradir.frontends.mlir import split, substrate

    split.drop_tensor_level(module)
    there = {str(op.attributes["sym_name"]) for op in module.body.operations if "sym_name" in op.attributes}
    made = substrate.parse(_lowered_tensors(source, name), name, module.context)
    with module.context:
        for view in list(made.body.operations):
            if str(view.attributes["sym_name"]) not in there:
                view.operation.detach_from_parent()
                ir.InsertionPoint(module.body).insert(view.operation)


def _lowered_tensors(source: str | bytes, name: str) -> str:
    from gradir.tensor import enzyme
    from gradir.tensor.ir import module as modules

    tensors = modules.parse(tensor_part(source, name), name)
    enzyme.lower(tensors)
    modules.expand_chlo(tensors)
    return modules.to_text(tensors, locations=True)


def tensor_part(source: str | bytes, name: str) -> str:
    """The functions of a module with both levels that are of the tensor level, as text with their places."""
    _need_upstream(name)
    from gradir.frontends.mlir import split, substrate

    module = substrate.parse(source, name)
    split.drop_machine_level(module)
    text = module.operation.get_asm(enable_debug_info=True, print_generic_op_form=True)
    assert isinstance(text, str)
    return text


def _has_upstream() -> bool:
    try:
        return find_spec("torch_mlir") is not None
    except ValueError:  # it was taken out of the process
        return False


def _need_upstream(name: str) -> None:
    if not _has_upstream():
        error = MissingExtra("torch-mlir, which lowers MLIR's own dialects to LLVM IR,", "mlir")
        error.location = name
        raise error
