"""Derivatives of kernels: kernels themselves, of the same threads.

Each thread does its part and then undoes it, in one kernel. Shadows of global memory are added to by atomics unless a
thread adds to elements of its own; shared memory has a shadow in shared memory, which begins as zero; threads that met
at a barrier meet there again on the way back. (All of this is the machine level's, `Options.grid`.) The kernel here
takes the parameters of the original, then a shadow for each active one, in the same order:

- reverse mode: of a pointer, the memory of cotangents; of a float, where the sum of its cotangents over all threads is
  added to.
- forward mode: of a pointer, the memory of tangents; of a float, its tangent.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from gradir.errors import NoRule
from gradir.frontends.cuda.flat import SHUFFLE, Flat
from gradir.machine import llvm
from gradir.machine.ir import PTR, VOID, Module, Type
from gradir.machine.ir.builder import Code, Expr
from gradir.machine.ir.reader import extend, read
from gradir.machine.rules.registry import Registry
from gradir.machine.transform.derive import Options, Program
from gradir.machine.transform.frame import result_type
from gradir.request import Activity, Mode, Request

__all__ = ["Kernel", "derivative", "primal"]

CLEAR, GIVE, NUMBER, SUMS = (f"gradir.cuda.{name}" for name in ("clear", "give", "number", "sums"))


@dataclass(frozen=True)
class Kernel:
    """A kernel in flat code, ready for a device or for the emulator."""

    text: str
    symbol: str
    parameters: tuple[Type, ...]
    shared: tuple[str, ...]
    """The variables that the threads of a block share."""

    @property
    def waits(self) -> bool:
        """Whether threads wait for others."""
        return any(name.startswith(("llvm.nvvm.bar", "llvm.nvvm.shfl.")) for name in read(self.text).functions)


def primal(flat: Flat, symbol: str) -> Kernel:
    """A kernel as it was written, with what it needs."""
    text = str(_cut(flat, [symbol]))
    return Kernel(text, symbol, _types(read(text), symbol), _used(text, flat.shared))


def derivative(flat: Flat, symbol: str, mode: Mode, active: Sequence[bool]) -> Kernel:
    """The derivative of a kernel by some of its parameters."""
    rules = [name for name in llvm.defined_functions(_cut(flat, [symbol])) if name.startswith(SHUFFLE)]
    keep = [symbol, *(f"{rule}{part}" for rule in rules for part in _PARTS)]
    normal = llvm.normalise(_cut(flat, keep), [*keep, *flat.shared, *flat.constants, *flat.variables])
    _refuse_variables(normal, flat)
    types, shared = _types(normal, symbol), _used(str(normal), flat.shared)
    shadows = {name: f"{name}.shadow" for name in shared}
    for name, shadow in shadows.items():
        extend(normal, f'@"{shadow}" = external global [{flat.shared[name]} x i8], align 16')
    program = Program(str(normal), _registry(normal, rules, flat.constants, shadows))
    by_value = Activity.active if mode is Mode.reverse else Activity.dup
    marks = [
        Activity.const if not a else Activity.dup if t.is_pointer else by_value
        for a, t in zip(active, types, strict=True)
    ]
    name = program.derivative(Request(symbol, mode, tuple(marks), ()), Options(grid=True, threads=True))
    entry = _Entry(f"{'vjp' if mode is Mode.reverse else 'jvp'}_{symbol}", name, types, marks)
    for variable, shadow in shadows.items():
        entry.clear(shadow, flat.shared[variable])
    text = entry.text()
    module = read(program.text())
    for line in (*_RUNTIME, text):
        extend(module, line)
    kept, every = llvm.parse(str(module)), [*shared, *shadows.values(), SUMS]
    llvm.extract(kept, [entry.name, *every, *flat.constants])
    made = str(kept)
    return Kernel(made, entry.name, entry.parameters, _used(made, every))


def _registry(module: Module, rules: Sequence[str], constants: Collection[str], shadows: dict[str, str]) -> Registry:
    """What is known of the header's shuffles, and of variables."""
    made = Registry(inactive_globals=set(constants), shadow_globals=shadows)
    for rule in rules:
        if rule in module.functions:
            made.register(rule, augmented=f"{rule}_augmented", reverse=f"{rule}_reverse")
            made.register_forward(rule, f"{rule}_forward")
    return made


def _cut(flat: Flat, functions: Sequence[str]) -> llvm.Module:
    """Only some functions, and what they need."""
    module = llvm.parse(flat.text)
    llvm.extract(module, [*functions, *flat.shared, *flat.constants, *flat.variables])
    return module


_PARTS = ("", "_augmented", "_reverse", "_forward")


def _types(module: Module, symbol: str) -> tuple[Type, ...]:
    return tuple(a.type for a in module.functions[symbol].arguments)


def _used(text: str, names: Collection[str]) -> tuple[str, ...]:
    """Those of some variables that a module still has."""
    there = read(text).globals
    return tuple(name for name in names if name in there)


def _refuse_variables(module: Module, flat: Flat) -> None:
    """What one launch leaves behind for the next has no place to keep its derivative."""
    for function in module.definitions:
        for i in function.instructions():
            for name in i.mentioned:
                if name in flat.variables and module.globals[name].value_type.holds_float:
                    raise NoRule(
                        f"@{name} is a __device__ variable: its derivative would have to outlast the launch",
                        location=module.location(i),
                        hint="pass the memory as an argument, or make it __constant__",
                    )


class _Entry:
    """The kernel that is launched, around the derivative."""

    def __init__(self, name: str, derivative: str, types: Sequence[Type], marks: Sequence[Activity]) -> None:
        self.name, self._derivative, self._marks = name, derivative, marks
        active = [(t, m) for t, m in zip(types, marks, strict=True) if m is not Activity.const]
        self.parameters = (*types, *(PTR if m is Activity.active else t for t, m in active))
        self._summed = [t for t, m in active if m is Activity.active]
        self._code = Code(name, VOID, [(t, "x") for t in self.parameters], attributes="nounwind")
        self._cleared = False

    def clear(self, variable: str, bytes: int) -> None:
        """Let the shadow of shared memory begin as zero."""
        self._code.line(f'call void @{CLEAR}(ptr @"{variable}", i32 {bytes})')
        self._cleared = True

    def text(self) -> str:
        code = self._code
        if self._cleared:
            code.line("call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)")
        given, sums = self._arguments()
        call = f"@{self._derivative}({', '.join(map(str, given))})"
        if not sums:
            code.line(f"call void {call}")
        else:
            result = result_type(self._summed)
            whole = code.emit(result, f"call {result} {call}")
            for k, (place, type) in enumerate(zip(sums, self._summed, strict=True)):
                x = code.emit(type, f"extractvalue {whole}, {k}") if len(sums) > 1 else whole
                code.line(f"call void @{GIVE}.{type}({place}, {x})")
        code.ret()
        return code.text()

    def _arguments(self) -> tuple[list[Expr], list[Expr]]:
        """What the derivative takes, each parameter with its shadow; and where the sums of cotangents go."""
        shadows = iter(self._code.parameters[len(self._marks) :])
        given, sums = [], []
        for value, mark in zip(self._code.parameters, self._marks, strict=False):
            given.append(value)
            if mark is Activity.dup:
                given.append(next(shadows))
            elif mark is Activity.active:
                sums.append(next(shadows))
        return given, sums


def _give(type: str) -> str:
    """A function that adds the sum of what the threads of a block give: each of 32 threads sums a column first."""
    return f"""
define internal void @{GIVE}.{type}(ptr %p, {type} %x) nounwind {{
entry:
  %both = call {{ i32, i32 }} @{NUMBER}()
  %t = extractvalue {{ i32, i32 }} %both, 0
  %count = extractvalue {{ i32, i32 }} %both, 1
  %own = getelementptr {type}, ptr @"{SUMS}", i32 %t
  store {type} %x, ptr %own
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %sums = icmp ult i32 %t, 32
  br i1 %sums, label %column, label %met
column:
  %i = phi i32 [ %t, %entry ], [ %next, %column ]
  %sum = phi {type} [ 0.0, %entry ], [ %more, %column ]
  %at = getelementptr {type}, ptr @"{SUMS}", i32 %i
  %there = load {type}, ptr %at
  %more = fadd {type} %sum, %there
  %next = add i32 %i, 32
  %again = icmp ult i32 %next, %count
  br i1 %again, label %column, label %summed
summed:
  store {type} %more, ptr %own
  br label %met
met:
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %first = icmp eq i32 %t, 0
  br i1 %first, label %row, label %done
row:
  %k = phi i32 [ 0, %met ], [ %k.next, %row ]
  %total = phi {type} [ 0.0, %met ], [ %total.more, %row ]
  %part.at = getelementptr {type}, ptr @"{SUMS}", i32 %k
  %part = load {type}, ptr %part.at
  %total.more = fadd {type} %total, %part
  %k.next = add i32 %k, 1
  %columns = call i32 @llvm.umin.i32(i32 %count, i32 32)
  %k.again = icmp ult i32 %k.next, %columns
  br i1 %k.again, label %row, label %give
give:
  %was = atomicrmw fadd ptr %p, {type} %total.more monotonic
  br label %done
done:
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  ret void
}}"""


_RUNTIME = [
    "declare i32 @llvm.umin.i32(i32, i32)",
    "declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32) convergent nocallback nounwind",
    *(
        f"declare i32 @llvm.nvvm.read.ptx.sreg.{name}.{axis}() nosync nounwind speculatable willreturn memory(none)"
        for name in ("tid", "ntid")
        for axis in "xyz"
    ),
    # The number of a thread in its block, and how many there are.
    f"""
define internal {{ i32, i32 }} @{NUMBER}() nounwind {{
  %x = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %y = call i32 @llvm.nvvm.read.ptx.sreg.tid.y()
  %z = call i32 @llvm.nvvm.read.ptx.sreg.tid.z()
  %nx = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %ny = call i32 @llvm.nvvm.read.ptx.sreg.ntid.y()
  %nz = call i32 @llvm.nvvm.read.ptx.sreg.ntid.z()
  %zy = mul i32 %z, %ny
  %zy.y = add i32 %zy, %y
  %row = mul i32 %zy.y, %nx
  %number = add i32 %row, %x
  %nxy = mul i32 %nx, %ny
  %count = mul i32 %nxy, %nz
  %one = insertvalue {{ i32, i32 }} poison, i32 %number, 0
  %both = insertvalue {{ i32, i32 }} %one, i32 %count, 1
  ret {{ i32, i32 }} %both
}}""",
    # Zero some bytes (a multiple of four), each thread of the block its part.
    f"""
define internal void @{CLEAR}(ptr %p, i32 %bytes) nounwind {{
entry:
  %both = call {{ i32, i32 }} @{NUMBER}()
  %first = extractvalue {{ i32, i32 }} %both, 0
  %step = extractvalue {{ i32, i32 }} %both, 1
  %words = lshr i32 %bytes, 2
  br label %head
head:
  %i = phi i32 [ %first, %entry ], [ %next, %body ]
  %more = icmp ult i32 %i, %words
  br i1 %more, label %body, label %done
body:
  %at = getelementptr i32, ptr %p, i32 %i
  store i32 0, ptr %at
  %next = add i32 %i, %step
  br label %head
done:
  ret void
}}""",
    f'@"{SUMS}" = external global [8192 x i8], align 16',
    *(_give(type) for type in ("float", "double")),
]
