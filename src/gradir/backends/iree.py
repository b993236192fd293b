"""IREE: compile ahead of time, run in process. The same module can be shipped to where there is no Python."""

from __future__ import annotations

import io
import re
from collections.abc import Callable, Sequence
from contextlib import redirect_stderr
from importlib.metadata import version
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

import numpy as np
from jaxlib.mlir import ir
from jaxlib.mlir.dialects import stablehlo

from gradir.backends import Array, Runner
from gradir.errors import BackendError, MissingExtra
from gradir.tensor.ir import expr as E
from gradir.tensor.ir.entry import MAIN, Program, single_device
from gradir.tensor.ir.module import clone, operations, to_portable
from gradir.tensor.ir.reading import is_used, kind, made_by, splat_of
from gradir.tensor.ir.regions import terminator

if TYPE_CHECKING:
    from gradir.tensor.ir.signature import TensorSpec

__all__ = ["BACKEND", "IREE", "avoid_trouble", "compile_dispatches", "compile_module", "load_functions", "vmfb"]

# The runtime's name for the driver of each compiler target.
_DRIVERS = {"llvm-cpu": "local-task", "vmvx": "local-task", "cuda": "cuda", "rocm": "hip", "vulkan-spirv": "vulkan"}

# What the driver with threads says of buffers that it made and freed in another order than it was told to (a loop of no
# rounds is enough). The one without threads does as it is told.
_UNORDERED = "transient buffer has not been committed"

# Old enough for the StableHLO inside IREE, young enough for every op.
_STABLEHLO = "1.8.0"


class IREE:
    """IREE's compiler and runtime."""

    name = "iree"
    extra = "iree"

    def available(self) -> bool:
        # The namespace package `iree` may exist with neither of the two.
        return find_spec("iree") is not None and all(find_spec(f"iree.{part}") for part in ("compiler", "runtime"))

    def describe(self) -> str:
        return f"iree {version('iree-base-compiler')}"

    def compile(
        self,
        program: Program,
        *,
        target: str = "llvm-cpu",
        device: str | None = None,
        demote_f64: bool = False,
        flags: Sequence[str] = (),
    ) -> Runner:
        """Compile for `target` and run on `device` (IREE's name of a driver).

        IREE has no mathematical functions of f64 on the CPU; with `demote_f64` the program computes in f32 instead.
        `flags` go to `iree-compile`.
        """
        if not self.available():
            raise MissingExtra("IREE", self.extra)
        binary = _compile(single_device(program, self.name), target, demote_f64, flags)
        return _load(binary, program, device or _DRIVERS.get(target, "local-task"), demote_f64)


BACKEND = IREE()


def avoid_trouble(module: ir.Module) -> None:
    """Write a module, in place, so that IREE 3.13 compiles it.

    A conversion between integers of one width, with a sign and without, is lost on it, and the op before it becomes one
    on unsigned numbers, which it hasn't. Random numbers are full of such. Read as the same bits, they are no trouble.

    A loop whose body doesn't read a value that the condition or what follows does (the last but one of an iteration
    that ends when two agree) crashes its compiler, or is refused as malformed. One that begins with a constant of
    different numbers crashes it as well.
    """
    with module.context, ir.Location.unknown():
        for op in operations(module):
            if op.name == "stablehlo.convert" and _keeps_bits(op.operands[0].type, op.results[0].type):
                with ir.InsertionPoint(op):
                    same = stablehlo.bitcast_convert(op.results[0].type, op.operands[0])
                op.results[0].replace_all_uses_with(same)
                op.erase()
            elif op.name == "stablehlo.while":
                _begin_with_no_constant(op)
                _read_everything(op)


def _begin_with_no_constant(loop: ir.Operation) -> None:
    constants = [(k, v) for k, v in enumerate(loop.operands) if _is_table(v)]
    if not constants:
        return
    always = _always(loop)
    with ir.InsertionPoint(loop):
        for k, value in constants:
            loop.operands[k] = stablehlo.select(always, value, E.full(value.type, 0).value)


def _read_everything(loop: ir.Operation) -> None:
    """Let a loop's body choose between the new and the old of what it doesn't read: always the new."""
    body = loop.regions[1].blocks[0]
    unread = [k for k, argument in enumerate(body.arguments) if not is_used(argument)]
    if not unread:
        return
    always = _always(loop)
    end = terminator(body)
    with ir.InsertionPoint(end):
        for k in unread:
            end.operands[k] = stablehlo.select(always, end.operands[k], body.arguments[k])


def _always(before: ir.Operation) -> ir.Value:
    """What is true, which IREE can't tell."""
    with ir.InsertionPoint(before):
        return stablehlo.optimization_barrier([stablehlo.constant(ir.DenseElementsAttr.get(np.array(True)))])


def _is_table(value: ir.Value) -> bool:
    """Whether a value is a constant of different numbers (complex ones IREE has hardly any ops for)."""
    is_constant = made_by(value, "constant") is not None and kind(value.type) in ("float", "int", "bool")
    return is_constant and splat_of(value) is None


def _keeps_bits(source: ir.Type, target: ir.Type) -> bool:
    """Whether a conversion is between integers of one width, with a sign and without."""
    if not (isinstance(source, ir.RankedTensorType) and isinstance(target, ir.RankedTensorType)):
        return False
    one, other = source.element_type, target.element_type
    return isinstance(one, ir.IntegerType) and isinstance(other, ir.IntegerType) and one.width == other.width > 1


def _compile(program: Program, target: str, demote_f64: bool, flags: Sequence[str]) -> bytes:
    return vmfb(program.module, target, demote_f64, flags, program.signature.name)


def vmfb(
    module: ir.Module,
    target: str = "llvm-cpu",
    demote_f64: bool = False,
    flags: Sequence[str] = (),
    name: str = "the module",
) -> bytes:
    """A module with all its public functions, compiled for a target: on a CPU, for the one at hand."""
    own = clone(module)
    avoid_trouble(own)
    arguments = [f"--iree-input-demote-f64-to-f32={str(demote_f64).lower()}", *flags]
    if target == "llvm-cpu":
        arguments.append("--iree-llvmcpu-target-cpu=host")
    return compile_module(to_portable(own, _STABLEHLO), target, arguments, name)


def compile_module(module: str | bytes, target: str, flags: Sequence[str], name: str = "the module") -> bytes:
    """A module, as text or a portable artifact, compiled for a target: the bytes of a VMFB."""
    return _run_compiler(module, "stablehlo", target, flags, name)


def compile_dispatches(module: str, flags: Sequence[str], name: str = "the module") -> bytes:
    """A module whose dispatches are written out, compiled for a CPU: loops as they stand, neither tiled nor shared out.

    A dispatch of many ops has no one op by whose tiles the others could be ordered. IREE 3.13 takes the last for it,
    and recomputes the others in each of its tiles.
    """
    sources = _run_compiler(module, "stablehlo", "llvm-cpu", [*flags, "--compile-to=executable-sources"], name)
    plain = _with_plain_loops(sources.decode())
    return _run_compiler(plain, "none", "llvm-cpu", [*flags, "--compile-from=executable-sources"], name)


def _with_plain_loops(sources: str) -> str:
    """The module with the choice of its loops made: IREE's own is made where there is none."""
    from iree.compiler import ir

    with ir.Context():
        module = ir.Module.parse(sources)
        plain = ir.Attribute.parse("#iree_codegen.translation_info<pipeline = #iree_cpu.pipeline<Default>>")

        def visit(op: Any) -> Any:
            if op.name == "func.func":
                op.attributes["translation_info"] = plain
            return ir.WalkResult.ADVANCE

        module.operation.walk(visit)
        return str(module)


def _run_compiler(module: str | bytes, kind: str, target: str, flags: Sequence[str], name: str) -> bytes:
    if not BACKEND.available():
        raise MissingExtra("IREE", BACKEND.extra)
    from iree import compiler

    try:
        with redirect_stderr(io.StringIO()):  # warnings; errors come as exceptions
            binary: bytes = compiler.compile_str(
                module, input_type=kind, target_backends=[target], extra_args=list(flags)
            )
    except compiler.CompilerToolError as error:
        diagnostics = str(error).partition("Diagnostics:")[2].partition("Invoked with:")[0]
        lines = [line.strip() for line in diagnostics.splitlines() if "error:" in line]
        if not lines:  # it has not refused the module, but broken down
            last_words = next((line for line in diagnostics.splitlines() if line.startswith("LLVM ERROR")), "")
            said = f" ({last_words.partition(': ')[2]})" if last_words else ""
            raise BackendError(
                f"IREE's compiler crashed on {name}{said}: a bug of its own",
                hint="run it on XLA or by the reference interpreter; in Python, backend='xla' or 'reference'",
            ) from None
        hint = None
        if any(re.search(r"undefined symbol: \w+(?<!f)$", line) for line in lines):  # (of f32, it would be sinf)
            hint = "IREE has no mathematical functions of f64 on the CPU: use f32, or compile with demote_f64=True"
        raise BackendError(f"IREE refused to compile {name}: " + "\n  ".join(lines[:5]), hint=hint) from None
    return binary


def load_functions(binary: bytes, names: Sequence[str], target: str) -> dict[str, Callable[..., list[Array]]]:
    """The functions of a compiled module, to be called with arrays."""
    from iree import runtime

    try:
        config = runtime.Config(_DRIVERS.get(target, "local-task"))
        module = runtime.VmModule.copy_buffer(config.vm_instance, binary)
        loaded = runtime.SystemContext(vm_modules=[module], config=config).modules[module.name]
    except (RuntimeError, ValueError) as error:
        raise BackendError(f"IREE can't load the module: {error}") from None

    def callable_(name: str) -> Callable[..., list[Array]]:
        function = loaded[name]

        def call(*arguments: Array) -> list[Array]:
            try:
                results = function(*arguments)
            except (RuntimeError, ValueError) as error:
                raise BackendError(f"IREE failed to run {name}: {error}") from None
            return [np.asarray(r) for r in (results if isinstance(results, tuple) else (results,))]

        return call

    return {name: callable_(name) for name in names}


def _load(binary: bytes, program: Program, device: str, demote_f64: bool) -> Runner:
    from iree import runtime

    signature = program.signature

    def loaded(device: str) -> Callable[..., Any]:
        try:
            config = runtime.Config(device)
            module = runtime.VmModule.copy_buffer(config.vm_instance, binary)
            context = runtime.SystemContext(vm_modules=[module], config=config)
        except (RuntimeError, ValueError) as error:
            raise BackendError(f"IREE can't load {signature.name} on '{device}': {error}") from None
        return context.modules[module.name][MAIN]

    function = loaded(device)

    def run(values: list[Array]) -> list[Array]:
        nonlocal function, device
        arguments = [_given(x, spec, demote_f64) for x, spec in zip(values, signature.arguments, strict=True)]
        try:
            try:
                results = function(*arguments)
            except RuntimeError as error:
                if _UNORDERED not in str(error) or device != "local-task":
                    raise
                device = "local-sync"
                function = loaded(device)
                results = function(*arguments)
        except (RuntimeError, ValueError) as error:
            raise BackendError(f"IREE failed to run {signature.name}: {error}") from None
        if results is None:
            return []
        if not isinstance(results, tuple):
            results = (results,)
        return [np.asarray(r).astype(s.dtype, copy=False) for r, s in zip(results, signature.results, strict=True)]

    return run


def _given(value: Array, spec: TensorSpec, demote_f64: bool) -> Any:
    array = np.asarray(value, order="C")
    return array.astype(np.float32) if demote_f64 and spec.element == "f64" else array
