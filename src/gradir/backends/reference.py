"""StableHLO's reference interpreter: slow, and the arbiter of what an op means.

The interpreter ends its process when it meets an op it doesn't know, or an integer division by zero. So it runs in
a process of its own, which is started when first needed and serves all later calls; when it dies, its last words
become the error.
"""

from __future__ import annotations

import atexit
import contextlib
import itertools
import os
import pickle
import signal
import subprocess
import sys
import tempfile
import threading
from collections.abc import Sequence
from dataclasses import replace
from typing import IO, Any

import numpy as np
from jaxlib.mlir import ir
from jaxlib.mlir.dialects import func, stablehlo

from gradir.backends import Array, Runner
from gradir.errors import BackendError
from gradir.tensor.ir.entry import MAIN, Program, single_device
from gradir.tensor.ir.expr import exprs, transpose
from gradir.tensor.ir.module import diagnostics, expand_chlo, functions, operations, parse, run_passes, to_bytecode
from gradir.tensor.rules.convolution import Convolution

__all__ = ["BACKEND", "Reference"]

_keys = itertools.count()


class Reference:
    """StableHLO's interpreter, in a process of its own."""

    name = "reference"
    extra = None

    def available(self) -> bool:
        return True

    def describe(self) -> str:
        return f"StableHLO {stablehlo.get_current_version()}"

    def compile(self, program: Program) -> Runner:
        single = single_device(program, self.name)
        expand_chlo(single.module)
        run_passes(single.module, "func.func(stablehlo-legalize-deprecated-ops)")
        _plain_entry(single.module)
        _protect_scatter_inputs(single.module)
        _batch_before_features(single.module)
        source, key, signature = to_bytecode(single.module), next(_keys), program.signature

        def run(values: list[Array]) -> list[Array]:
            plain = [part for x in values for part in _plain(np.asarray(x))]
            results = iter(_worker.evaluate(key, source, plain, signature.name))
            return [_unplain(results, spec.dtype) for spec in signature.results]

        return run


BACKEND = Reference()


# -- Plain types -----------------------------------------------------------------------------------------------------
# The interpreter's arrays are MLIR attributes, which Python can't read for complex numbers and for types that C
# doesn't have. So the entry function takes and gives complex numbers in two parts, small floats as f32 and small
# integers as 8 bits; each of these holds every value exactly.


def _plain_type(element: ir.Type) -> ir.Type:
    if isinstance(element, ir.FloatType) and element.width <= 16 and not isinstance(element, ir.F16Type):
        return ir.F32Type.get()
    if isinstance(element, ir.IntegerType) and element.width in (2, 4):
        return ir.IntegerType.get_unsigned(8) if element.is_unsigned else ir.IntegerType.get_signless(8)
    return element


def _plain(array: Array) -> list[Array]:
    if array.dtype.kind == "c":
        return [array.real, array.imag]
    if array.dtype.isbuiltin != 1:  # a dtype that ml_dtypes adds to NumPy
        wide = "uint8" if "uint" in array.dtype.name else "int8" if "int" in array.dtype.name else "float32"
        return [array.astype(wide)]
    return [array]


def _unplain(results: Any, dtype: Any) -> Array:
    if dtype.kind == "c":
        whole = np.empty_like(real := next(results), dtype)
        whole.real, whole.imag = real, next(results)
        return whole
    return next(results).astype(dtype, copy=False)


def _plain_entry(module: ir.Module) -> None:
    """Give the program a `main` of plain types that calls the old one."""
    old = functions(module)[MAIN]
    body = f"{MAIN}.body"
    with module.context, old.location:
        ir.SymbolTable.replace_all_symbol_uses(MAIN, body, module.operation)
        ir.SymbolTable.set_symbol_name(old, body)
        old.attributes["sym_visibility"] = ir.StringAttr.get("private")
        types = [t for x in old.type.inputs for t in _plain_tensors(x)]
        with ir.InsertionPoint(module.body):
            main = func.FuncOp(MAIN, ir.FunctionType.get(types, []))
        with ir.InsertionPoint(main.add_entry_block()):
            given = iter(main.entry_block.arguments)
            operands = [_from_plain(t, given) for t in old.type.inputs]
            results = func.CallOp(old, operands).results
            returned = [part for value in results for part in _to_plain(value)]
            func.ReturnOp(returned)
        kind = ir.FunctionType.get(types, [value.type for value in returned])
        main.attributes["function_type"] = ir.TypeAttr.get(kind)


def _plain_tensors(t: ir.Type) -> list[ir.Type]:
    assert isinstance(t, ir.RankedTensorType)
    if isinstance(t.element_type, ir.ComplexType):
        return [ir.RankedTensorType.get(t.shape, t.element_type.element_type)] * 2
    return [ir.RankedTensorType.get(t.shape, _plain_type(t.element_type))]


def _from_plain(t: ir.Type, given: Any) -> ir.Value:
    parts = [next(given) for _ in _plain_tensors(t)]
    if len(parts) == 2:
        return stablehlo.complex(*parts)
    return parts[0] if parts[0].type == t else stablehlo.convert(t, parts[0])


def _to_plain(value: ir.Value) -> list[ir.Value]:
    types = _plain_tensors(value.type)
    if len(types) == 2:
        return [stablehlo.real(value), stablehlo.imag(value)]
    return [value if types[0] == value.type else stablehlo.convert(types[0], value)]


def _protect_scatter_inputs(module: ir.Module) -> None:
    """The interpreter's scatter writes into its very operands, which others may still read: give it copies."""
    for op in operations(module):
        if op.name == "stablehlo.scatter":
            with op.location, ir.InsertionPoint(op):
                for i in range(len(op.results)):
                    op.operands[i] = stablehlo.convert(op.operands[i].type, op.operands[i])


def _batch_before_features(module: ir.Module) -> None:
    """The interpreter fails at convolutions whose results have their features before their batch: transpose them."""
    for op in operations(module):
        if op.name != "stablehlo.convolution":
            continue
        conv, result = Convolution.of(op), op.results[0]
        batch, features = conv.out.first, conv.out.second
        if features < batch:
            order = list(range(result.type.rank))
            order[batch], order[features] = features, batch
            with op.location, ir.InsertionPoint(op):
                swapped = replace(conv, out=conv.out.swapped())
                lhs, rhs = exprs(op.operands)
                plain = swapped.emit(lhs, rhs, result.type.element_type)
                result.replace_all_uses_with(transpose(plain, order).value)
            op.erase()


# -- The process -----------------------------------------------------------------------------------------------------


class _Worker:
    """The interpreter's process, seen from this side."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._process: subprocess.Popen[bytes] | None = None
        self._words: IO[bytes] | None = None
        self._known: set[int] = set()

    def evaluate(self, key: int, source: bytes, arguments: Sequence[Array], name: str) -> list[Array]:
        with self._lock:
            process = self._start()
            assert process.stdin is not None and process.stdout is not None
            try:
                pickle.dump((key, None if key in self._known else source, list(arguments)), process.stdin)
                process.stdin.flush()
                answer = pickle.load(process.stdout)
            except (EOFError, BrokenPipeError, pickle.UnpicklingError):
                raise BackendError(
                    f"the reference interpreter stopped while it ran {name}: {self._last_words()}",
                    hint="backend='xla' runs every op of StableHLO",
                ) from None
            except BaseException:  # an interrupt: whatever the process says next answers no question of ours
                self.stop()
                raise
            self._known.add(key)
        if isinstance(answer, str):
            raise BackendError(f"the reference interpreter failed to run {name}: {answer}")
        results: list[Array] = answer
        return results

    def _start(self) -> subprocess.Popen[bytes]:
        if self._process is None or self._process.poll() is not None:
            self._known.clear()
            self._words = tempfile.TemporaryFile()  # noqa: SIM115 (it lives as long as the process)
            # The path is handed over, so that the process finds the same packages however this one found them.
            code = f"import sys; sys.path[:] = {sys.path!r}; from gradir.backends import reference; reference.serve()"
            self._process = subprocess.Popen(
                [sys.executable, "-c", code], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self._words
            )
        return self._process

    def _last_words(self) -> str:
        assert self._process is not None and self._words is not None
        status = self._process.wait()
        self._words.seek(0)
        said = [line for line in self._words.read().decode(errors="replace").splitlines() if line.strip()]
        self.stop()
        if status == -signal.SIGFPE:
            return "an integer division by zero"
        errors = [line.removeprefix("LLVM ERROR: ") for line in said if "ERROR" in line] or said[-1:]
        return errors[0] if errors else f"exit status {status}"

    def stop(self) -> None:
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            for stream in (self._process.stdin, self._process.stdout, self._words):
                if stream is not None:
                    with contextlib.suppress(BrokenPipeError):
                        stream.close()
        self._process = self._words = None


_worker = _Worker()
atexit.register(_worker.stop)


def serve() -> None:
    """The interpreter's process: read (key, module if new, arguments), write results or what went wrong."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # an interrupt is for the parent, which then ends this process
    questions, answers = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # whatever the interpreter prints must not mix with the answers
    modules: dict[int, ir.Module] = {}
    while True:
        try:
            key, source, arguments = pickle.load(questions)
        except EOFError:
            return
        if source is not None:
            modules[key] = parse(source)
        pickle.dump(_interpret(modules[key], arguments), answers)
        answers.flush()


def _interpret(module: ir.Module, arguments: Sequence[Array]) -> list[Array] | str:
    types = functions(module)[MAIN].type.inputs
    with module.context, diagnostics(module.context) as said:
        try:
            contiguous: list[Any] = [np.asarray(x, order="C") for x in arguments]
            attributes = [ir.DenseElementsAttr.get(x, type=t) for x, t in zip(contiguous, types, strict=True)]
            return [np.array(result) for result in stablehlo.eval_module(module, attributes)]
        except ValueError as error:
            return said.first or str(error)
