"""Which level a module of MLIR is for: by the dialects of its ops, and the types that only the machine level has."""

from __future__ import annotations

import re
from dataclasses import dataclass

from gradir.errors import InputError

__all__ = ["Level", "level_of"]

TENSOR = frozenset({"stablehlo", "chlo", "mhlo", "vhlo", "sdy"})
MACHINE = frozenset(
    {"affine", "bufferization", "cf", "complex", "gpu", "index", "linalg", "llvm", "math", "memref"}
    | {"nvvm", "omp", "scf", "ub", "vector"}
)
"""Dialects of upstream MLIR that are lowered to LLVM IR. (`func`, `tensor` and constants of `arith` are in both.)"""

_MEMORY = "memref<"
"""That there are values of this type, though perhaps no op of the dialect."""

_SIGNS = ("memref", "arith.", *(f"{d}." for d in sorted(MACHINE)))
"""What a text contains if an op or a type in it is of the machine level."""

_NUMBERS = re.compile(r"\bfunc\.func\b[^\n{]*?[(,:>]\s*(?:bf16|f16|f32|f64|i\d+|index|vector<|complex<)")
"""A function that takes or gives something else than tensors."""

_STRING = r'"[^"\\\n]*(?:\\.[^"\\\n]*)*"'
_OP = re.compile(
    rf"""//[^\n]*|"(?P<generic>\w+\.[\w.]+)"(?=\s*[(<])|{_STRING}
    |(?<![\w$.\#!@%^-])(?P<pretty>\w+\.[\w.]++)(?!\s*[=,}}:)])
    |(?<![\w$.\#!@%^-])(?P<type>memref)<""",
    re.VERBOSE,
)


@dataclass(frozen=True)
class Level:
    """The level of a module, and what says so. A mixed module has functions of both."""

    name: str
    dialects: tuple[str, ...]

    @property
    def is_machine(self) -> bool:
        """Whether some of it goes to LLVM IR."""
        return self.name != "tensor"

    def __str__(self) -> str:
        words = {"tensor": "the tensor level", "machine": "the machine level", "mixed": "both levels"}
        return f"{words[self.name]} ({', '.join(self.dialects)})" if self.dialects else words[self.name]


def level_of(source: str | bytes) -> Level:
    """The level of MLIR text or bytecode.

    >>> print(level_of("func.func @f(%x: memref<2xf64>) { return }"))
    the machine level (memref)
    >>> print(level_of("%1 = stablehlo.sine %0 : tensor<2xf64>  // memref.load"))
    the tensor level (stablehlo)
    >>> print(level_of('%2 = memref.load %m[] : memref<f32>  %0 = stablehlo.sine %1 : tensor<f32>'))
    both levels (memref, stablehlo)
    >>> print(level_of('"scf.yield"() : () -> ()  %0 = stablehlo.sine %1 : tensor<f32>'))
    the tensor level (stablehlo)
    >>> print(level_of('func.func @f(%m: memref<f32>, %x: tensor<f32>) { %0 = stablehlo.sine %x : tensor<f32> }'))
    the tensor level (stablehlo)
    >>> print(level_of("gpu.launch blocks(%a) ... func.func @f() attributes {llvm.emit_c_interface, scf.mark = 1}"))
    the machine level (gpu)
    >>> print(level_of("func.func private @g(f64) -> f64  func.func @f(%x: f64) -> f64 { %y = call @g(%x) ... }"))
    the machine level (func)
    """
    if isinstance(source, bytes):
        if source.startswith(b"ML\xefR"):
            return _of_bytecode(source)
        source = source.decode(errors="replace")
    level = _by_ops(source)
    if not level.dialects and _NUMBERS.search(source):
        return Level("machine", ("func",))
    return level


def _by_ops(source: str) -> Level:
    if not any(word in source for word in _SIGNS):  # most modules: ops need not be told apart
        return _of({d for d in TENSOR if f"{d}." in source})
    found: set[str] = set()
    for match in _OP.finditer(source):
        op = match["generic"] or match["pretty"]
        if op is not None and op != "arith.constant":
            found.add(op.partition(".")[0])
        elif match["type"] is not None:
            found.add(_MEMORY)
    return _of(found)


def _of_bytecode(source: bytes) -> Level:
    """Bytecode names its dialects between zero bytes, as it does the symbols of a program.

    So a word is no proof: what mentions StableHLO and others is read, and is of the tensor level if it can't be.
    """
    words = set(source.split(b"\0"))
    found = {name for name in (*TENSOR, *MACHINE, "arith") if name.encode() in words}
    if found & TENSOR and found & MACHINE:
        try:
            from gradir.frontends.mlir import substrate

            return level_of(substrate.parse(source, "-").operation.get_asm(print_generic_op_form=True))
        except (ImportError, InputError):
            pass
    return _of(found & TENSOR or found)


def _of(found: set[str]) -> Level:
    tensor, machine = found & TENSOR, found & MACHINE
    if not tensor:
        machine = machine or found & {"arith", _MEMORY}
    elif not found & {"memref", "enzyme", _MEMORY}:  # ops of other dialects are left as they are
        machine = set()
    if machine and _MEMORY in found:
        machine = machine - {_MEMORY} | {"memref"}
    name = "mixed" if tensor and machine else "machine" if machine else "tensor"
    return Level(name, tuple(sorted(tensor | machine | (found & {"arith"} if machine else set()))))
