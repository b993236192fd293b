"""Upstream MLIR, all dialects and passes of it, from the wheel `torch-mlir`: read text, run passes, write LLVM IR.

It is a library of its own beside `jaxlib.mlir`: the two share a process, never an object.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from torch_mlir import ir
from torch_mlir._mlir_libs import _stablehlo
from torch_mlir.dialects import llvm
from torch_mlir.passmanager import PassManager

from gradir.errors import GradirError, InputError
from gradir.tensor.ir import enzyme_syntax

__all__ = [
    "diagnosed",
    "location_text",
    "new_context",
    "operations",
    "parse",
    "run_passes",
    "run_passes_on",
    "to_llvm_text",
]

_stablehlo.register_stablehlo_passes()

UNNAMED = "-"
"""What MLIR calls the file of a text."""


def new_context() -> ir.Context:
    """A context with all dialects."""
    context = ir.Context()
    context.allow_unregistered_dialects = True  # `enzyme` has no C++ here
    _stablehlo.register_dialect(context, True)
    return context


def parse(source: str | bytes, name: str, context: ir.Context | None = None) -> ir.Module:
    """Read MLIR text or bytecode. `name` is the file that locations and errors show."""
    context = context or new_context()
    if isinstance(source, bytes) and not source.startswith(b"ML\xefR"):
        try:
            source = source.decode()
        except UnicodeDecodeError as error:
            message = f"neither MLIR text nor bytecode: byte {error.start} is not UTF-8"
            raise InputError(message, location=name) from None
    if isinstance(source, str) and "enzyme." in source:
        source = enzyme_syntax.to_generic(source, name)
    with diagnosed(context, name):
        module = ir.Module.parse(source, context)
    _unwrap(module)
    _name_locations(module, name)
    with diagnosed(context, name):
        module.operation.verify()
    return module


def _unwrap(module: ir.Module) -> None:
    """Let what stands in a module that is all of another stand in that."""
    while len(ops := list(module.body.operations)) == 1 and ops[0].operation.name == "builtin.module":
        inner = ops[0].operation
        for name, said in inner.attributes.items():
            if name != "sym_name":
                module.operation.attributes[name] = said
        for view in list(inner.regions[0].blocks[0].operations):
            view.operation.move_before(inner)
        inner.erase()


def run_passes(module: ir.Module, passes: Sequence[str], name: str) -> None:
    """Run passes in place. What MLIR says against it becomes the error."""
    with diagnosed(module.context, name):
        PassManager.parse(f"builtin.module({','.join(passes)})", module.context).run(module.operation)


def run_passes_on(function: ir.Operation, passes: Sequence[str], name: str) -> None:
    """Run passes on one function of a module, in place."""
    with diagnosed(function.context, name):
        PassManager.parse(f"{function.name}({','.join(passes)})", function.context).run(function)


def to_llvm_text(module: ir.Module, name: str) -> str:
    """The LLVM IR of a module in the `llvm` dialect."""
    with diagnosed(module.context, name):
        text = llvm.translate_module_to_llvmir(module.operation)
    assert isinstance(text, str)
    return text


@contextmanager
def diagnosed(context: ir.Context, name: str) -> Iterator[None]:
    """Turn what MLIR says against a program while it works into an error at the place that it names."""
    said: list[_Complaint] = []

    def collect(diagnostic: ir.Diagnostic) -> bool:
        if diagnostic.severity == ir.DiagnosticSeverity.ERROR:
            notes = [(n.message, location_text(n.location, name)) for n in diagnostic.notes]
            said.append((diagnostic.message, location_text(diagnostic.location, name), notes))
        return True

    handler = context.attach_diagnostic_handler(collect)
    try:
        yield
    except ir.MLIRError as error:
        for d in error.error_diagnostics:
            notes = [(n.message, location_text(n.location, name)) for n in d.notes]
            said.append((d.message, location_text(d.location, name), notes))
        raise _error(said, str(error), name) from None
    except GradirError:
        raise
    except (RuntimeError, ValueError) as error:
        raise _error(said, str(error), name) from None
    finally:
        handler.detach()


_Complaint = tuple[str, str | None, list[tuple[str, str | None]]]
"""What is wrong, where, and notes on it, each with its place."""


def _error(said: list[_Complaint], otherwise: str, name: str) -> InputError:
    """The first complaint with its notes, as one error."""
    if not said:
        return InputError(otherwise, location=name)
    message, place, notes = said[0]
    for note, at in notes:
        if not note.startswith("see current operation"):
            message += f"\n  note: {note}" + (f" ({at})" if at else "")
    return InputError(message, location=place or name, hint=_way_out(message))


def _way_out(message: str) -> str | None:
    if "not found for custom op" in message or "is unknown (tried" in message:
        return "upstream MLIR's dialects, stablehlo and enzyme are read; an op of another has no lowering to LLVM IR"
    if "failed to legalize" in message or "LLVM Translation failed" in message:
        return "upstream MLIR has no lowering of this op to LLVM IR: lower it before, or write it in scf and memref"
    return None


def location_text(location: ir.Location, name: str) -> str | None:
    """``file:line:col`` of the innermost place that a location knows."""
    if type(location) is ir.Location:  # a diagnostic's location doesn't know its own kind
        location = ir.Location.from_attr(location.attr, location.context)
    if isinstance(location, ir.FileLineColLoc):
        file = name if location.filename == UNNAMED else location.filename
        return f"{file}:{location.start_line}:{location.start_col}"
    inner: Sequence[ir.Location] = ()
    if isinstance(location, ir.NameLoc):
        inner = [location.child_loc]
    elif isinstance(location, ir.CallSiteLoc):
        inner = [location.callee, location.caller]
    elif isinstance(location, ir.FusedLoc):
        inner = location.locations
    return next((found for place in inner if (found := location_text(place, name))), None)


def _name_locations(module: ir.Module, name: str) -> None:
    """Put the file's name into the locations that the parser made for a nameless text."""
    with module.context:
        for op in operations(module.operation):
            location = op.location
            if isinstance(location, ir.FileLineColLoc) and location.filename == UNNAMED:
                op.location = ir.Location.file(name, location.start_line, location.start_col)


def operations(root: ir.Operation) -> list[ir.Operation]:
    """Every op within an op and itself, those in regions before the op that has them; as a list, so that ops may go."""
    found: list[ir.Operation] = []

    def visit(op: ir.Operation) -> ir.WalkResult:
        found.append(op)
        return ir.WalkResult.ADVANCE

    root.walk(visit, ir.WalkOrder.POST_ORDER)
    return found
