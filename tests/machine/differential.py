"""Programs as functions from vectors to vectors, so that one check fits them all.

What a program computes is seen as a map F: the floats of all active memory and all active numbers go in, the floats of
all active memory afterwards and of the result come out. That is what its derivatives are derivatives of, also where it
works in place: forward mode gives J v, reverse mode Jᵀ s, and the reverse derivative is itself such a program.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from corpus import Fixed

from gradir.machine import ir, jit, llvm
from gradir.machine.passes.inner import as_program
from gradir.machine.transform.derive import Options, Program
from gradir.request import Activity, Mode, Request, operand_slots, result_slots

__all__ = ["Bench", "Derivative", "Function", "Operands", "central_difference", "dtype_of", "function_of"]

FLOAT = ir.Type("float", "float")
NUMPY = {"double": np.float64, "float": np.float32, "i32": np.int32, "i64": np.int64}
RETURNS = {"double": ir.DOUBLE, "float": FLOAT, "void": ir.VOID}


@dataclass(frozen=True)
class Function:
    """A compiled function: its parameters, which of them are active, and its result."""

    name: str
    parameters: tuple[ir.Type, ...]
    active: tuple[bool, ...]
    result: ir.Type

    def split(self, vector: np.ndarray, values: Sequence[Any]) -> list[Any]:
        """A vector of what goes into F, as a value for each parameter (None where it isn't active)."""
        parts, at = [], 0
        for value, active in zip(values, self.active, strict=True):
            size = np.size(value) if active else 0
            part = vector[at : at + size].astype(np.asarray(value).dtype)
            parts.append(None if not active else part.reshape(value.shape) if np.ndim(value) else part[0])
            at += size
        return parts

    def memory(self, values: Sequence[Any]) -> list[np.ndarray]:
        """The active arrays among some values."""
        parts = zip(values, self.parameters, self.active, strict=True)
        return [value for value, type, active in parts if active and type.is_pointer]

    def input(self, values: Sequence[Any]) -> np.ndarray:
        return _flat([value for value, active in zip(values, self.active, strict=True) if active])

    def moved(self, values: Sequence[Any], by: np.ndarray) -> list[Any]:
        """The values with a vector added to their active part."""
        moves = self.split(by, values)
        return [v if m is None else np.asarray(v + m, np.asarray(v).dtype) for v, m in zip(values, moves, strict=True)]


@dataclass(frozen=True)
class Derivative(Function):
    of: Function
    request: Request


def function_of(name: str, returns: str, arguments: Sequence[Any]) -> tuple[Function, list[Any]]:
    """An entry function, as its arguments tell, and their values."""
    values = [a.value if isinstance(a, Fixed) else a for a in arguments]
    active = [
        np.asarray(v).dtype.kind == "f" and not isinstance(a, Fixed) for v, a in zip(values, arguments, strict=True)
    ]
    return Function(name, tuple(map(_type_of, values)), tuple(active), RETURNS[returns]), values


def _type_of(value: Any) -> ir.Type:
    if isinstance(value, np.ndarray):
        return ir.PTR
    if isinstance(value, np.uint64):
        return ir.I64
    if isinstance(value, np.float32):
        return FLOAT
    return ir.DOUBLE if isinstance(value, float) else ir.I32


class Bench:
    """A module that derivatives are added to; once it is built, they can be called."""

    def __init__(
        self, source: llvm.Module, entry: Function, *, optimise: bool = True, options: Options = Options()
    ) -> None:
        self.entry = entry
        self.options = options
        self.program = Program(llvm.canonical_text(llvm.normalise(source, keep=[entry.name], optimise=optimise)))
        self._entries = [_entry(entry)]

    def forward(self, of: Function, width: int = 1) -> Derivative:
        """J v, by every active parameter, together with what the function gives."""
        activity = [Activity.dup if a else Activity.const for a in of.active]
        return self._derive(of, Mode.forward, activity, Activity.dup, width)

    def reverse(self, of: Function, width: int = 1) -> Derivative:
        """Jᵀ s, by every active parameter, together with what the function gives."""
        activity = [
            Activity.const if not active else Activity.dup if type.is_pointer else Activity.active
            for active, type in zip(of.active, of.parameters, strict=True)
        ]
        return self._derive(of, Mode.reverse, activity, Activity.active, width)

    def _derive(self, of: Function, mode: Mode, activity: list[Activity], ret: Activity, width: int) -> Derivative:
        request = Request(of.name, mode, tuple(activity), () if of.result.kind == "void" else (ret,), width)
        name = self.program.derivative(request, self.options)
        parameters: list[ir.Type] = []
        active: list[bool] = []
        for kind, i, part in operand_slots(mode, request.activity, request.ret_activity):
            type = of.parameters[i] if kind == "arg" else of.result
            slot = [type] if part == "primal" else _shadows(type, width)
            parameters += slot
            active += [kind == "result" or of.active[i]] * len(slot)
        results = [
            r for kind, i, part in result_slots(mode, request.activity, request.ret_activity)
            for r in _result_types(of.parameters[i] if kind == "arg" else of.result, part, width)
        ]  # fmt: skip
        result = ir.VOID if not results else results[0] if len(results) == 1 else ir.struct(results)
        derivative = Derivative(name, tuple(parameters), tuple(active), result, of, request)
        self._entries.append(_entry(derivative))
        return derivative

    def bench_of(self, derivative: Derivative) -> Bench:
        """A bench of its own for a derivative, as a program like any other."""
        name = derivative.name.replace("gradir", "gradir1", 1)
        entry = Function(name, derivative.parameters, derivative.active, derivative.result)
        return Bench(llvm.parse(as_program(self.program.text(), 1)), entry, options=self.options)

    def build(self, level: int = 3) -> None:
        """Compile everything asked for so far."""
        self._library = jit.compile_library(self.program.text(), self._entries, level=level)

    def call(self, function: Function, operands: Sequence[Any]) -> list[Any]:
        """Call with operands as they are: arrays are changed in place. Gives the scalars of the result."""
        packed = [
            value.ctypes.data if type.is_pointer else _plain(np.asarray(value, dtype_of(type)), type)
            for type, value in zip(function.parameters, operands, strict=True)
        ]
        result = self._library[function.name](*packed)
        return [] if result is None else _scalars(result)

    def run(self, function: Function, values: Sequence[Any]) -> np.ndarray:
        """F."""
        copies = [_copy(v) for v in values]
        results = self.call(function, copies)
        return _flat([*function.memory(copies), *results])

    def jvp(self, forward: Derivative, values: Sequence[Any], directions: Sequence[np.ndarray]) -> list[np.ndarray]:
        """F, then J v for each direction v."""
        operands = self.jvp_operands(forward, values, directions)
        results, count = self.call(forward, operands.values), len(list(forward.of.result.parts()))
        count = 0 if not results else count
        shadow = results[count:]
        each = [shadow[k :: len(directions)] if count == 1 else shadow for k in range(len(directions))]
        return [_flat([*m, *r]) for m, r in zip(operands.memory, [results[:count], *each], strict=True)]

    def vjp(self, reverse: Derivative, values: Sequence[Any], seeds: Sequence[np.ndarray]) -> list[np.ndarray]:
        """F, then Jᵀ s for each cotangent s."""
        operands = self.vjp_operands(reverse, values, seeds)
        results = self.call(reverse, operands.values)
        primals = 0 if reverse.of.result.kind == "void" else 1
        gradients = []
        for k in range(len(seeds)):
            buffers, numbers = iter(operands.memory[1 + k]), iter(results[primals + k :: len(seeds)])
            parts = zip(reverse.of.parameters, reverse.of.active, strict=True)
            gradients.append(_flat([next(buffers if t.is_pointer else numbers) for t, active in parts if active]))
        return [_flat([*operands.memory[0], *results[:primals]]), *gradients]

    def jvp_operands(self, forward: Derivative, values: Sequence[Any], directions: Sequence[np.ndarray]) -> Operands:
        """Copies of the values, with tangents from vectors of what goes into F."""
        return Operands.make(forward, values, [forward.of.split(v, values) for v in directions])

    def vjp_operands(self, reverse: Derivative, values: Sequence[Any], seeds: Sequence[np.ndarray]) -> Operands:
        """Copies of the values, with cotangents from vectors of what comes out of F."""
        cotangents = []
        for seed in seeds:
            shadows, at = [], 0
            for value, type, active in zip(values, reverse.of.parameters, reverse.of.active, strict=True):
                size = np.size(value) if active and type.is_pointer else 0
                shadows.append(seed[at : at + size].astype(value.dtype) if size else None)
                at += size
            cotangents.append([*shadows, *seed[at:]])
        return Operands.make(reverse, values, cotangents)


@dataclass(frozen=True)
class Operands:
    """What a derivative is called with, and the active memory among it: the primal's, then each shadow's."""

    values: list[Any]
    memory: list[list[np.ndarray]]

    @staticmethod
    def make(derivative: Derivative, values: Sequence[Any], shadows: Sequence[Sequence[Any]]) -> Operands:
        """Of copies. `shadows` has, for each of the width, an entry for each parameter, and in reverse mode one for the
        result."""
        request, of = derivative.request, derivative.of
        operands: list[Any] = []
        memory: list[list[np.ndarray]] = [[] for _ in range(1 + len(shadows))]
        for kind, i, part in operand_slots(request.mode, request.activity, request.ret_activity):
            if part == "primal":
                operands.append(_copy(values[i]))
                if of.active[i] and of.parameters[i].is_pointer:
                    memory[0].append(operands[-1])
            elif kind == "arg" and of.parameters[i].is_pointer:
                for k, shadow in enumerate(shadows):
                    operands.append(_copy(shadow[i]))
                    memory[1 + k].append(operands[-1])
            else:
                operands.append(np.array([shadow[i if kind == "arg" else -1] for shadow in shadows]))
        return Operands(operands, memory)


def central_difference(f: Callable[[float], np.ndarray], step: float) -> np.ndarray:
    """f'(0), by differences at two steps, whose errors of second order cancel (Richardson)."""

    def slope(h: float) -> np.ndarray:
        return (f(h) - f(-h)) / (2 * h)

    return (4 * slope(step / 2) - slope(step)) / 3


def _entry(function: Function) -> jit.Entry:
    return jit.Entry(function.name, tuple(map(str, function.parameters)), str(function.result))


def dtype_of(type: ir.Type) -> Any:
    return NUMPY[type.element.text if type.kind == "array" else type.text]


def _plain(value: np.ndarray, type: ir.Type) -> Any:
    """Of an array its numbers, of a number itself."""
    return tuple(value.ravel().tolist()) if type.kind == "array" else value.item()


def _scalars(result: Any) -> list[Any]:
    return [n for part in result for n in _scalars(part)] if isinstance(result, tuple) else [result]


def _shadows(type: ir.Type, width: int) -> list[ir.Type]:
    if type.is_pointer:
        return [type] * width
    return [type if width == 1 else ir.array(width, type)]


def _result_types(type: ir.Type, part: str, width: int) -> list[ir.Type]:
    return [type] if part == "primal" else _shadows(type, width)


def _copy(value: Any) -> Any:
    return value.copy() if isinstance(value, np.ndarray) else value


def _flat(values: Sequence[Any]) -> np.ndarray:
    return np.concatenate([np.asarray(v, dtype=float).ravel() for v in values]) if values else np.zeros(0)
