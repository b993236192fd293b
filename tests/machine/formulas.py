"""Compiles the formulas of the rules by themselves, each with the function that it is the derivative of.

Nothing of the transforms is in the way: a formula is written into a function by the builder, and called on arrays.
"""

from __future__ import annotations

import ctypes
import itertools
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np
from llvmlite import binding

from gradir.machine.ir import DOUBLE, I32, I64, PTR, VOID, Type, struct, vector
from gradir.machine.ir.builder import Code, Expr, overload
from gradir.machine.ir.text.reader import read
from gradir.machine.rules import RULES, library, rule_named

FLOAT = Type("float", "float")
METADATA = Type("metadata", "metadata")
OPCODES = ("fneg", "fadd", "fsub", "fmul", "fdiv", "frem")

# What the operands are where not all of them are floats: `f`, an integer `i` or `l`, a vector `v`, metadata (`m` for
# the rounding mode, `e` for the exceptions).
SIGNATURES = {
    "llvm.powi": "fi",
    "_FortranAFPowi": "fi",
    "_FortranAFPowk": "fl",
    "rootn": "fl",
    "compoundn": "fl",
    "ldexp": "fi",
    "llvm.ldexp": "fi",
    "scalbn": "fi",
    "scalbln": "fl",
    "numba_ldexp": "fi",
    "_FortranAScale": "fl",
    "_FortranASetExponent": "fl",
    "_FortranANearest": "fi",
    "_FortranAModReal": "ffll",
    "_FortranAModuloReal": "ffll",
    "gradir.polygamma": "if",
    "jn": "if",
    "yn": "if",
    "llvm.vector.reduce.fadd": "fv",
    "llvm.vector.reduce.fmul": "fv",
    "llvm.vector.reduce.fmax": "v",
    "llvm.vector.reduce.fmin": "v",
    "llvm.vector.reduce.fmaximum": "v",
    "llvm.vector.reduce.fminimum": "v",
}
LANES = 4
INTEGERS = {"i": I32, "l": I64}


def signature(name: str) -> str:
    if name.startswith("llvm.experimental.constrained."):
        plain = name.removeprefix("llvm.experimental.constrained.")
        base = signature(plain if plain in RULES else f"llvm.{plain}")
        return base + "me"[2 - (len(RULES[name].partials) - len(base)) :]
    return SIGNATURES.get(name, "f" * len(RULES[name].partials))


def fields(name: str) -> int:
    """How many results it has: those of a struct are told apart."""
    return 2 if name in ("llvm.sincos", "llvm.sincospi", "llvm.modf", "llvm.frexp") else 1


def result_type(name: str, real: Type) -> Type:
    if name in ("ilogb", "llogb") or re.search(r"l?l(?:rint|round)$", name):
        return I64 if "ll" in name or "." in name else I32 if name == "ilogb" else I64
    if fields(name) == 1:
        return real
    if name == "llvm.frexp":
        return struct([real, I32 if real.lanes == 1 else vector(real.lanes, I32)])
    return struct([real, real])


@dataclass
class Formula:
    """One rule in one precision: `primal(operands)` and `partials(operands, results)`."""

    name: str
    real: Type
    operands: str
    lanes: int = 1

    @property
    def symbol(self) -> str:
        return f"of.{self.name}.{overload(self.real)}.x{self.lanes}"

    def type_of(self, letter: str) -> Type:
        if letter == "v":
            return vector(LANES, self.real)
        if letter in "me":
            return METADATA
        if letter in INTEGERS:
            return INTEGERS[letter]
        return self.real if self.lanes == 1 else vector(self.lanes, self.real)

    @property
    def types(self) -> list[Type]:
        return [self.type_of(c) for c in self.operands]

    @property
    def result(self) -> Type:
        return result_type(self.name, self.type_of("f"))

    # -- code ----------------------------------------------------------------------------------------------------------

    def load(self, code: Code, inputs: Expr) -> list[Expr]:
        """Each operand has its slot of `LANES` doubles."""
        found = []
        for i, (letter, type) in enumerate(zip(self.operands, self.types, strict=True)):
            if letter in "me":
                text = '!"round.tonearest"' if letter == "m" else '!"fpexcept.ignore"'
                found.append(Expr(code, type, text))
                continue
            at = code.offset(inputs, i * LANES * 8)
            lanes = [
                self.narrow(code, code.load(DOUBLE, code.offset(at, k * 8)), type.scalar) for k in range(type.lanes)
            ]
            found.append(self.join(code, lanes, type))
        return found

    @staticmethod
    def narrow(code: Code, x: Expr, to: Type) -> Expr:
        if to == x.type:
            return x
        return code.emit(to, f"{'fptosi' if to.is_integer else 'fptrunc'} {x} to {to}")

    @staticmethod
    def join(code: Code, lanes: list[Expr], type: Type) -> Expr:
        if type.kind != "vector":
            return lanes[0]
        made = Expr(code, type, "poison")
        for k, lane in enumerate(lanes):
            made = code.emit(type, f"insertelement {made}, {lane}, i64 {k}")
        return made

    def store(self, code: Code, x: Expr | float | None, out: Expr, slot: int, lanes: int) -> None:
        for k in range(lanes):
            at = code.offset(out, (slot * LANES + k) * 8)
            if not isinstance(x, Expr):
                code.store(code.constant(DOUBLE, x or 0.0), at)
                continue
            lane = code.emit(x.type.element, f"extractelement {x}, i64 {k}") if x.type.kind == "vector" else x
            if lane.type != DOUBLE:
                lane = code.emit(DOUBLE, f"{'sitofp' if lane.type.is_integer else 'fpext'} {lane} to double")
            code.store(lane, at)

    def parts(self, code: Code, result: Expr) -> list[Expr]:
        if result.type.kind != "struct":
            return [result]
        return [code.emit(t, f"extractvalue {result}, {k}") for k, t in enumerate(result.type.elements)]

    def primal(self, declare: Callable[[str], None]) -> str:
        code = Code(f"{self.symbol}.primal", VOID, [(PTR, "in"), (PTR, "out")], declare=declare)
        operands = self.load(code, code.parameters[0])
        if self.name in OPCODES:
            text = f"{self.name} {operands[0]}" + "".join(f", {o.ref}" for o in operands[1:])
            result = code.emit(self.result, text)
        else:
            result = code.call(self.result, self.callee, *operands)
        for k, part in enumerate(self.parts(code, result)):
            self.store(code, part, code.parameters[1], k, part.type.lanes)
        code.ret()
        return code.text()

    @property
    def callee(self) -> str:
        if not self.name.startswith("llvm."):
            return self.name if self.real == DOUBLE or "." in self.name else f"{self.name}f"
        if self.name.startswith("llvm.x86."):
            return self.name
        letters = self.operands
        shape = overload(self.type_of("v" if "v" in letters else "f"))
        result = f"{overload(self.result)}." if self.result.is_integer else ""
        count = f".{overload(I32)}" if "i" in letters or self.name == "llvm.frexp" else ""
        return f"{self.name}.{result}{shape}{count}"

    def partials(self, declare: Callable[[str], None]) -> str:
        """One slot for each operand and each field of the result, from the operands and the result as given."""
        code = Code(f"{self.symbol}.partials", VOID, [(PTR, "in"), (PTR, "results"), (PTR, "out")], declare=declare)
        operands = self.load(code, code.parameters[0])
        result = self.given_result(code, code.parameters[1])
        rule = RULES[self.name]
        for i, formula in enumerate(rule.partials):
            if formula is None:
                continue
            found = formula(*operands, result)
            for k, part in enumerate(found if isinstance(found, tuple) else (found,)):
                lanes = operands[i].type.lanes
                self.store(code, part, code.parameters[2], i * 2 + k, lanes)
        code.ret()
        return code.text()

    def given_result(self, code: Code, results: Expr) -> Expr:
        members = self.result.elements if self.result.kind == "struct" else (self.result,)
        parts = []
        for k, type in enumerate(members):
            at = code.offset(results, k * LANES * 8)
            lanes = [
                self.narrow(code, code.load(DOUBLE, code.offset(at, j * 8)), type.scalar) for j in range(type.lanes)
            ]
            parts.append(self.join(code, lanes, type))
        if self.result.kind != "struct":
            return parts[0]
        made = Expr(code, self.result, "poison")
        for k, part in enumerate(parts):
            made = code.emit(self.result, f"insertvalue {made}, {part}, {k}")
        return made


_serial = itertools.count()


@cache
def _compiler() -> object:
    binding.initialize_native_target()
    binding.initialize_native_asmprinter()
    machine = binding.Target.from_default_triple().create_target_machine(
        cpu=binding.get_host_cpu_name(), opt=1, jit=True
    )
    return binding.create_lljit_compiler(machine, use_jit_link=True, suppress_errors=True)


def jit(text: str, exported: Iterable[str], symbols: Mapping[str, int] | None = None) -> Mapping[str, int]:
    """Compile a module for this process: the addresses of the functions that are wanted."""
    module = binding.parse_assembly(text)
    module.verify()
    builder = binding.JITLibraryBuilder().add_ir(text).add_current_process()
    compiler_library = ctypes.CDLL("libgcc_s.so.1")  # which LLVM calls for `powi`
    extra = {n: ctypes.cast(getattr(compiler_library, n), ctypes.c_void_p).value for n in ("__powidf2", "__powisf2")}
    for name, address in {**extra, **(symbols or {})}.items():
        builder.import_symbol(name, address)
    for name in exported:
        builder.export_symbol(name)
    return builder.link(_compiler(), f"formulas{next(_serial)}")


class Formulas:
    """Many rules in one module, compiled together."""

    def __init__(self, wanted: Sequence[tuple[Formula, bool]]) -> None:
        lines: dict[str, str] = {}

        def declare(line: str) -> None:
            lines.setdefault(re.search(r"@([\w.]+)", line)[1], line)  # type: ignore[index]

        texts = []
        for formula, has_primal in wanted:
            texts.append(formula.partials(declare))
            if has_primal:
                texts.append(formula.primal(declare))
        own = read("\n".join(line for name, line in lines.items() if name.startswith("gradir.")))
        provided = library.text_for(own.functions.values())
        declared = [line for name, line in lines.items() if not name.startswith("gradir.")]
        known = set(re.findall(r"^declare.*?@([\w.]+)", provided, flags=re.MULTILINE))
        kept = [line for line in declared if re.search(r"@([\w.]+)", line)[1] not in known]  # type: ignore[index]
        exported = [re.search(r"@([\w.]+)", text)[1] for text in texts]  # type: ignore[index]
        self.addresses = jit("\n".join([*kept, provided, *texts]), exported)

    def primal(self, formula: Formula, operands: Sequence[object]) -> np.ndarray:
        out = np.zeros((2, LANES))
        self._call(f"{formula.symbol}.primal", packed(operands), out)
        return out

    def partials(self, formula: Formula, operands: Sequence[object], results: np.ndarray) -> np.ndarray:
        out = np.zeros((len(operands), 2, LANES))
        self._call(f"{formula.symbol}.partials", packed(operands), results, out)
        return out

    def _call(self, name: str, *arrays: np.ndarray) -> None:
        address = self.addresses[name]
        pointers = [a.ctypes.data_as(ctypes.c_void_p) for a in arrays]
        ctypes.CFUNCTYPE(None, *[ctypes.c_void_p] * len(pointers))(address)(*pointers)


def packed(operands: Sequence[object]) -> np.ndarray:
    """Each operand in its slot; a number in every lane."""
    return np.array([np.broadcast_to(np.asarray(x, float), LANES) for x in operands])


def found_by_name(name: str, formula: Formula) -> str | None:
    """The rule that the table finds for the function as a program would call it."""
    rule = rule_named(formula.callee, formula.types, formula.result)
    return rule.name if rule else None
