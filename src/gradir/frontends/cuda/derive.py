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
from dataclasses import dataclass, replace
from functools import cache

from gradir.errors import NoRule
from gradir.frontends.cuda.flat import SHUFFLE, Flat, for_blocks
from gradir.machine import llvm
from gradir.machine.analysis.parallel.grid import Launch
from gradir.machine.ir import PTR, VOID, Module, Type
from gradir.machine.ir.builder import Code, Expr
from gradir.machine.ir.text.reader import extend, read
from gradir.machine.rules.registry import Registry
from gradir.machine.transform.derive import Options, Program
from gradir.machine.transform.frame import result_type
from gradir.machine.transform.runtime.functions import with_callees
from gradir.machine.transform.runtime.grid import SUMS
from gradir.request import Activity, Mode, Request

__all__ = ["Kernel", "derivative", "folding", "primal"]


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


def primal(flat: Flat, symbol: str, shared: int, *, boxed: bool = False) -> Kernel:
    """A kernel as it was written, with what it needs, for launches that give so many bytes of shared memory; with
    `boxed`, floats are passed by their addresses."""
    flat = _sized(flat, symbol, shared)
    text = str(_cut(flat, [symbol]))
    types = _types(read(text), symbol)
    if not boxed:
        return Kernel(text, symbol, types, _used(text, flat.shared))
    code = Code(f"boxed_{symbol}", VOID, [(_boxed(t), "x") for t in types], attributes="nounwind")
    given = [_unboxed(code, p, t) for p, t in zip(code.parameters, types, strict=True)]
    code.line(f'call void @"{symbol}"({", ".join(map(str, given))})')
    code.ret()
    return Kernel(f"{text}\n{code.text()}", code.name, tuple(map(_boxed, types)), _used(text, flat.shared))


def _sized(flat: Flat, symbol: str, shared: int) -> Flat:
    """With shared memory as a launch gives it, all of which is one variable's."""
    if flat.is_sized:
        return flat
    used = {name for f in read(str(_cut(flat, [symbol]))).definitions for i in f.instructions() for name in i.mentioned}
    given = sorted(name for name, size in flat.shared.items() if not size and name in used)
    if len(given) > 1:
        raise NoRule(
            f"{' and '.join(given)} are the same shared memory, whose size the launch says (extern __shared__)",
            hint="have one such variable, and pointers into it",
        )
    return flat.sized(shared) if given else flat.sized(1 << 14)


def _boxed(type: Type) -> Type:
    return PTR if type.is_float else type


def _unboxed(code: Code, value: Expr, type: Type) -> Expr:
    return code.load(type, value) if type.is_float else value


def derivative(
    flat: Flat,
    symbol: str,
    mode: Mode,
    active: Sequence[bool],
    launch: Launch | None,
    shared: int,
    *,
    boxed: bool = False,
) -> Kernel:
    """The derivative of a kernel by some of its parameters, for launches of one kind, or of any, that give so many
    bytes of shared memory. With `boxed`, floats are passed by their addresses."""
    flat = _sized(flat, symbol, shared)
    if launch is not None:
        flat = replace(flat, text=for_blocks(flat.text, launch.block))
    rules = [name for name in llvm.defined_functions(_cut(flat, [symbol])) if name.startswith(SHUFFLE)]
    keep = [symbol, *(f"{rule}{part}" for rule in rules for part in _PARTS)]
    visible = [*keep, *flat.shared, *flat.constants, *flat.variables]
    normal = llvm.normalise(_cut(flat, keep), visible, unroll=[symbol])
    _refuse_variables(normal, flat)
    types, variables = _types(normal, symbol), _used(str(normal), flat.shared)
    shadows = {name: f"{name}.shadow" for name in variables}
    for name, shadow in shadows.items():
        extend(normal, f'@"{shadow}" = external global [{flat.shared[name]} x i8], align 16')
    program = Program(str(normal), _registry(normal, rules, flat.constants, shadows), grid=True)
    by_value = Activity.active if mode is Mode.reverse else Activity.dup
    marks = [
        Activity.const if not a else Activity.dup if t.is_pointer else by_value
        for a, t in zip(active, types, strict=True)
    ]
    apart = all(a.has("noalias") for a in normal.functions[symbol].arguments if a.type.is_pointer)
    options = Options(grid=True, threads=True, noalias=apart, launch=launch)
    name = program.derivative(Request(symbol, mode, tuple(marks), ()), options)
    spreads = launch is not None and launch.spreads
    entry = _Entry(f"{'vjp' if mode is Mode.reverse else 'jvp'}_{symbol}", name, types, marks, apart, spreads, boxed)
    for variable, shadow in shadows.items():
        entry.clear(shadow, flat.shared[variable])
    text = entry.text()
    for needed in entry.runtime:
        program.need_runtime(needed)
    module = read(program.text())
    for line in (f'@"{SUMS}" = external global [256 x i8], align 16', text):
        extend(module, line)
    kept, every = llvm.parse(str(module)), [*variables, *shadows.values(), SUMS]
    llvm.extract(kept, [entry.name, *every, *flat.constants])
    made = str(kept) if launch is None else for_blocks(str(kept), launch.block)
    return Kernel(made, entry.name, entry.parameters, _used(made, every))


@cache
def folding(type: str) -> Kernel:
    """The kernel of one warp that adds the sums of all slots (`grid_runtime.SLOTS`) to where they belong, and clears
    them."""
    name = "gradir_fold"
    fold = f"gradir.warp.fold.{type}"
    text = f"""{with_callees(fold)}
define void @{name}(ptr %slots, ptr %at) nounwind {{
  call void @{fold}(ptr %slots, ptr %at)
  ret void
}}
"""
    return Kernel(text, name, (PTR, PTR), ())


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

    def __init__(
        self,
        name: str,
        derivative: str,
        types: Sequence[Type],
        marks: Sequence[Activity],
        apart: bool,
        spreads: bool,
        boxed: bool,
    ) -> None:
        """`apart` says that no two arrays overlap, `spreads` that the sum of a number's cotangents is given slots, and
        `boxed` that floats are passed by their addresses."""
        self.name, self._derivative, self._marks, self._spreads = name, derivative, marks, spreads
        active = [(t, m) for t, m in zip(types, marks, strict=True) if m is not Activity.const]
        self._types = (*types, *(PTR if m is Activity.active else t for t, m in active))
        self.parameters = tuple(map(_boxed, self._types)) if boxed else self._types
        self._summed = [t for t, m in active if m is Activity.active]
        self._code = Code(name, VOID, [(t, "x") for t in self.parameters], attributes="nounwind")
        if apart:
            self._code.parameter_attributes = {k: "noalias" for k, t in enumerate(self.parameters) if t.is_pointer}
        self._cleared = False
        self.runtime = [f"gradir.block.add.{t}" for t in self._summed]
        if spreads:
            self.runtime.append("gradir.grid.slot")
        """What it calls."""

    def clear(self, variable: str, bytes: int) -> None:
        """Let the shadow of shared memory begin as zero."""
        self._code.line(f'call void @gradir.block.clear(ptr @"{variable}", i32 {bytes})')
        self.runtime.append("gradir.block.clear")
        self._cleared = True

    def text(self) -> str:
        code = self._code
        if self._cleared:
            self.runtime.append("gradir.block.meet")
            code.line("call void @gradir.block.meet()")
        given, sums = self._arguments()
        call = f"@{self._derivative}({', '.join(map(str, given))})"
        if not sums:
            code.line(f"call void {call}")
        else:
            result = result_type(self._summed)
            whole = code.emit(result, f"call {result} {call}")
            for k, (place, type) in enumerate(zip(sums, self._summed, strict=True)):
                x = code.emit(type, f"extractvalue {whole}, {k}") if len(sums) > 1 else whole
                at = code.emit(PTR, f"call ptr @gradir.grid.slot({place})") if self._spreads else place
                code.line(f"call void @gradir.block.add.{type}({at}, {x})")
        code.ret()
        return code.text()

    def _arguments(self) -> tuple[list[Expr], list[Expr]]:
        """What the derivative takes, each parameter with its shadow; and where the sums of cotangents go."""
        values = [
            p if p.type == t else _unboxed(self._code, p, t)
            for p, t in zip(self._code.parameters, self._types, strict=True)
        ]
        shadows = iter(values[len(self._marks) :])
        given, sums = [], []
        for value, mark in zip(values, self._marks, strict=False):
            given.append(value)
            if mark is Activity.dup:
                given.append(next(shadows))
            elif mark is Activity.active:
                sums.append(next(shadows))
        return given, sums
