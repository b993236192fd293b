"""Native functions without loops as StableHLO, so that they can be read as formulas.

A function that is one block of arithmetic on numbers, with loads and stores at fixed places of its arguments' memory,
is a formula: of its numbers, and of each `x[k]` that it reads. Other functions have none, and are refused.
"""

from __future__ import annotations

import struct
from dataclasses import dataclass, field

from jaxlib.mlir import ir

from gradir.errors import InputError
from gradir.machine import llvm
from gradir.machine.ir import Argument, Constant, Function, Instruction, Module, Type, Value
from gradir.machine.ir.text.reader import read
from gradir.machine.transform.derive import Options
from gradir.native.derivative import Derivative
from gradir.native.function import NativeFunction
from gradir.native.save import request_of
from gradir.tensor.ir.module import parse

__all__ = ["Straight", "plain_llvm", "straight_derivative", "straight_function"]

ELEMENTS = {"double": "f64", "float": "f32", "i1": "i1", "i8": "i8", "i16": "i16", "i32": "i32", "i64": "i64"}
BINARY = {"fadd": "add", "fsub": "subtract", "fmul": "multiply", "fdiv": "divide", "frem": "remainder", "add": "add",
          "sub": "subtract", "mul": "multiply", "and": "and", "or": "or", "xor": "xor"}  # fmt: skip
UNARY = {
    "exp": "exponential", "expm1": "exponential_minus_one", "log": "log", "log1p": "log_plus_one", "sqrt": "sqrt",
    "cbrt": "cbrt", "sin": "sine", "cos": "cosine", "tan": "tan", "tanh": "tanh", "fabs": "abs", "floor": "floor",
    "ceil": "ceil", "rint": "round_nearest_even", "roundeven": "round_nearest_even", "nearbyint": "round_nearest_even",
}  # fmt: skip
CHLO = frozenset(
    ("erf", "erfc", "lgamma", "sinh", "cosh", "asin", "acos", "atan", "asinh", "acosh", "atanh")
)  # fmt: skip
TWO = {"pow": "power", "atan2": "atan2", "fmod": "remainder"}
COMPARISONS = {
    "oeq": ("EQ", True), "une": ("NE", True), "olt": ("LT", True), "ole": ("LE", True), "ogt": ("GT", True),
    "oge": ("GE", True), "ult": ("GE", False), "ule": ("GT", False), "ugt": ("LE", False), "uge": ("LT", False),
}  # fmt: skip
"""LLVM's comparisons: which of StableHLO's, and whether it holds or doesn't. (NaN compares with nothing.)"""


@dataclass(frozen=True)
class Straight:
    """A StableHLO function that computes what a native one does, with names for what it takes and gives."""

    module: ir.Module
    parameters: tuple[str, ...]
    results: tuple[str, ...]


def straight_function(function: NativeFunction) -> Straight:
    """A native function itself."""
    text = function._engine.normalised(function.signature.symbol, noalias=True)
    found = read(text).functions[function.signature.symbol]
    reader = _Reader(found, function.name, {a.name: a.name for a in found.arguments})
    return reader.straight(["result"])


def straight_derivative(derivative: Derivative) -> Straight:
    """The gradient of a native function by what it was asked for: the cotangent of the result is 1."""
    module, name = _derived(derivative)
    found, function = module.functions[name], derivative.function
    shadows = {f"{a.name}.shadow": a.name for a in function.arguments}
    title = f"the derivative of {function.name}"
    reader = _Reader(found, title, {a.name: a.name for a in found.arguments}, shadows, seed="seed")
    wanted = [function.arguments[i].name for i in derivative.wrt]
    numbers = [f"grad_{n}" for n in wanted if f"{n}.shadow" not in {a.name for a in found.arguments}]
    return reader.straight(numbers)


def plain_llvm(function: NativeFunction, derivative: Derivative | None = None) -> str:
    """A function or its derivative as LLVM IR to be read, without debug records, attributes and vectors."""
    if derivative is None:
        name = function.signature.symbol
        module = read(function._engine.normalised(name))
        title = function.name
    else:
        module, name = _derived(derivative, noalias=False)
        title = derivative.name
    found = module.functions[name]
    arguments = ", ".join(f"{a.type} {a.ref}" for a in found.arguments)
    lines = [f"define {found.result} @{title}({arguments}) {{"]
    for block in found.blocks:
        lines += [f"{block.name}:", *(f"  {i}" for i in block.instructions)]
    return "\n".join([*lines, "}"])


def _derived(derivative: Derivative, noalias: bool = True) -> tuple[Module, str]:
    """The module with a derivative, after LLVM's O2 without vectors."""
    symbol, request = derivative.function.signature.symbol, request_of(derivative)
    options = Options(noalias=noalias, fast=derivative.fast)
    text, name = derivative.function._engine.derived(symbol, [request], options)
    return llvm.normalise(llvm.parse(text), [name], noalias=[name] if noalias else []), name


@dataclass
class _Reader:
    """Reads one block from its first instruction to its last, with what memory holds on the way."""

    function: Function
    title: str
    names: dict[str, str]
    shadows: dict[str, str] = field(default_factory=dict)
    """Arguments that are shadows of others: what is added to them is a result."""
    seed: str | None = None
    """The argument that is 1."""
    lines: list[str] = field(default_factory=list)
    values: dict[Value, str | tuple[str, ...]] = field(default_factory=dict)
    places: dict[Value, tuple[Argument, int]] = field(default_factory=dict)
    """Pointers, as an argument and a distance in bytes."""
    memory: dict[tuple[Argument, int], tuple[str, Type]] = field(default_factory=dict)
    inputs: dict[str, str] = field(default_factory=dict)
    """The parameters of the formula, with their types."""
    written: dict[tuple[Argument, int], None] = field(default_factory=dict)

    def straight(self, returned: list[str]) -> Straight:
        if len(self.function.blocks) != 1:
            raise self._refuse("it has branches or loops")
        for a in self.function.arguments:
            if a.type.is_pointer:
                self.places[a] = a, 0
            elif a.name == self.seed:
                self.values[a] = self._constant("1.0", a.type)
            else:
                self.values[a] = self._input(self.names[a.name], a.type)
        results: list[tuple[str, str, Type]] = []
        for i in self.function.entry.instructions:
            if i.opcode == "ret":
                results = self._returned(i, returned)
            else:
                self._read(i)
        for argument, at in sorted(self.memory, key=lambda place: (place[0].index, place[1])):
            if (argument, at) in self.written:
                value, type = self.memory[argument, at]
                name = self.shadows.get(argument.name)
                label = f"grad_{name}" if name else argument.name
                results.append((f"{label}_{at // type.size}", value, type))
        if not results:
            raise self._refuse("it gives nothing")
        given = ", ".join(f"%{name}: {type}" for name, type in self.inputs.items())
        types = [_tensor(t, self) for _, _, t in results]
        body = "\n".join(f"  {line}" for line in self.lines)
        values = ", ".join(v for _, v, _ in results)
        text = (
            f"func.func @main({given}) -> ({', '.join(types)}) {{\n{body}\n  return {values} : {', '.join(types)}\n}}"
        )
        return Straight(parse(text), tuple(self.inputs), tuple(n for n, _, _ in results))

    def _refuse(self, why: str) -> InputError:
        return InputError(
            f"{self.title} is no formula: {why}", hint="formulas are for small functions; show it --as llvm"
        )

    # -- Writing

    def _emit(self, op: str, type: Type, *operands: str, kind: str = "stablehlo") -> str:
        name = f"%v{len(self.lines)}"
        of = _tensor(type, self)
        if kind == "chlo":
            self.lines.append(f"{name} = chlo.{op} {', '.join(operands)} : {of} -> {of}")
        else:
            self.lines.append(f"{name} = stablehlo.{op} {', '.join(operands)} : {of}")
        return name

    def _constant(self, text: str, type: Type) -> str:
        name = f"%v{len(self.lines)}"
        self.lines.append(f"{name} = stablehlo.constant dense<{text}> : {_tensor(type, self)}")
        return name

    def _input(self, name: str, type: Type) -> str:
        plain = "".join(c if c.isalnum() or c == "_" else "_" for c in name)
        self.inputs[plain] = _tensor(type, self)
        return f"%{plain}"

    # -- Values and memory

    def _value(self, v: Value) -> str:
        found = self.values.get(v)
        if found is None and isinstance(v, Constant) and not v.globals:
            found = self.values[v] = self._constant(_literal(v, self), v.type)
        if not isinstance(found, str):
            raise self._refuse(f"{v.ref} is no number")
        return found

    def _place(self, pointer: Value) -> tuple[Argument, int]:
        found = self.places.get(pointer)
        if found is None:
            raise self._refuse(f"where {pointer.ref} points to depends on what runs")
        return found

    def _held(self, place: tuple[Argument, int], type: Type) -> str:
        if place in self.memory:
            value, held = self.memory[place]
            if held != type:
                raise self._refuse("it reads numbers as others than were written")
            return value
        argument, at = place
        if argument.name in self.shadows:
            value = self._constant("0.0", type)
        else:
            value = self._input(f"{self.names[argument.name]}_{at // type.size}", type)
        self.memory[place] = value, type
        return value

    # -- Instructions

    def _read(self, i: Instruction) -> None:
        reader = getattr(self, f"_read_{i.opcode}", None)
        if reader is not None:
            reader(i)
        elif i.opcode in BINARY:
            self.values[i] = self._emit(BINARY[i.opcode], i.type, *map(self._value, i.operands))
        else:
            raise self._refuse(f"`{i.opcode}` has no place in one")

    def _read_fneg(self, i: Instruction) -> None:
        self.values[i] = self._emit("negate", i.type, self._value(i.operands[0]))

    def _read_getelementptr(self, i: Instruction) -> None:
        argument, at = self._place(i.operands[0])
        by = [o.integer if isinstance(o, Constant) else None for o in i.operands[1:]]
        if len(by) != 1 or by[0] is None:
            raise self._refuse("it looks up places that depend on what runs")
        self.places[i] = argument, at + by[0] * i.accessed_type.size

    def _read_load(self, i: Instruction) -> None:
        self.values[i] = self._held(self._place(i.pointer), i.type)

    def _read_store(self, i: Instruction) -> None:
        place = self._place(i.pointer)
        self.memory[place] = self._value(i.value), i.value.type
        self.written[place] = None

    def _read_select(self, i: Instruction) -> None:
        of = _tensor(i.type, self)
        condition, yes, no = map(self._value, i.operands)
        name = f"%v{len(self.lines)}"
        self.lines.append(f"{name} = stablehlo.select {condition}, {yes}, {no} : tensor<i1>, {of}")
        self.values[i] = name

    def _read_fcmp(self, i: Instruction) -> None:
        if i.predicate not in COMPARISONS:
            raise self._refuse(f"it asks for NaN (`{i.predicate}`)")
        way, holds = COMPARISONS[i.predicate]
        x, y = map(self._value, i.operands)
        name, of = f"%v{len(self.lines)}", _tensor(i.operands[0].type, self)
        self.lines.append(f"{name} = stablehlo.compare {way}, {x}, {y} : ({of}, {of}) -> tensor<i1>")
        self.values[i] = name if holds else self._emit("not", i.type, name)

    def _read_sitofp(self, i: Instruction) -> None:
        x, name = self._value(i.operands[0]), f"%v{len(self.lines)}"
        types = _tensor(i.operands[0].type, self), _tensor(i.type, self)
        self.lines.append(f"{name} = stablehlo.convert {x} : ({types[0]}) -> {types[1]}")
        self.values[i] = name

    def _read_insertvalue(self, i: Instruction) -> None:
        before = self.values.get(i.operands[0], ())
        if not isinstance(before, tuple) or i.indices != (len(before),):
            raise self._refuse("it puts results together in its own way")
        self.values[i] = (*before, self._value(i.operands[1]))

    def _read_call(self, i: Instruction) -> None:
        name = (i.callee_name or "").removeprefix("llvm.")
        base = name.partition(".")[0]
        if base in ("lifetime", "dbg", "assume", "experimental"):
            return
        if i.type.text == "float" and base not in {*UNARY, *CHLO, *TWO} and base.endswith("f"):
            base = base[:-1]
        given = i.arguments
        if base in UNARY:
            self.values[i] = self._emit(UNARY[base], i.type, self._value(given[0]))
        elif base in CHLO:
            self.values[i] = self._emit(base, i.type, self._value(given[0]), kind="chlo")
        elif base in TWO:
            self.values[i] = self._emit(TWO[base], i.type, *map(self._value, given))
        elif base in ("fmuladd", "fma"):
            x, y, z = map(self._value, given)
            self.values[i] = self._emit("add", i.type, self._emit("multiply", i.type, x, y), z)
        elif base == "powi" and isinstance(given[1], Constant) and given[1].integer is not None:
            exponent = self._constant(f"{given[1].integer}.0", i.type)
            self.values[i] = self._emit("power", i.type, self._value(given[0]), exponent)
        else:
            raise self._refuse(f"it calls @{i.callee_name}")

    def _returned(self, i: Instruction, names: list[str]) -> list[tuple[str, str, Type]]:
        if not i.operands:
            return []
        value = i.operands[0]
        found = self.values.get(value)
        if isinstance(found, tuple):
            types = [t for _, t in value.type.parts()]
            return list(zip(names, found, types, strict=True))
        return [(names[0], self._value(value), value.type)] if names else []


def _tensor(type: Type, reader: _Reader) -> str:
    element = ELEMENTS.get(type.text)
    if element is None:
        raise reader._refuse(f"it computes with {type}")
    return f"tensor<{element}>"


def _literal(constant: Constant, reader: _Reader) -> str:
    """A constant as MLIR writes it."""
    text = constant.ref
    if text in ("true", "false"):
        return text
    if constant.type.text in ("double", "float") and not constant.is_undefined:
        bits = text.startswith("0x") and struct.unpack(">d", bytes.fromhex(text[2:].zfill(16)))[0]
        return repr(float(0 if text == "zeroinitializer" else bits or text))
    if constant.integer is None:
        raise reader._refuse(f"{text} is no plain number")
    return str(constant.integer)
