"""Writes LLVM IR: a function under construction, and values with operators so that a rule reads like its formula."""

from __future__ import annotations

import math
import struct as bits
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field

from gradir.machine.ir import DOUBLE, I1, I8, I64, PTR, VOID, Type, vector

__all__ = ["DOUBLE", "OURS", "Code", "CodeBlock", "Expr", "literal", "overload", "plain_name"]

OURS = "reassoc nsz contract"
"""Of sums and products of derivatives: their order is ours, not the program's, whose own numbers (and the formulas of
partial derivatives) are rounded as they are written. The sign of a zero derivative means nothing, and x + 0 is x. There
may be infinities and NaNs."""


@dataclass(eq=False)
class CodeBlock:
    """A block under construction: phis (in any order, before the rest), lines, and at last a terminator."""

    label: str
    phis: list[str] = field(default_factory=list)
    pad: str = ""
    """What an exception comes to, which has to stand before all else but phis."""
    lines: list[str] = field(default_factory=list)
    terminator: str | None = None

    @property
    def ref(self) -> str:
        return f"%{self.label}"

    def __str__(self) -> str:
        body = "\n".join(f"  {line}" for line in self._all_lines())
        return f"{self.label}:\n{body}"

    def _all_lines(self) -> list[str]:
        return [*self.phis, *filter(None, [self.pad]), *self.lines, self.terminator or "unreachable"]


class Code:
    """A function under construction, with a place where the next instruction goes.

    >>> code = Code("square", DOUBLE, [(DOUBLE, "x")])
    >>> x = code.parameters[0]
    >>> code.ret(x * x)
    >>> print(code.text())
    define double @square(double %x) {
    entry:
      %t = fmul double %x, %x
      ret double %t
    }
    """

    def __init__(
        self,
        name: str,
        result: Type,
        parameters: Sequence[tuple[Type, str]],
        *,
        declare: Callable[[str], None] = lambda line: None,
        fast: str = "",
        attributes: str = "",
        linkage: str = "",
        taken: Iterable[str] = (),
    ) -> None:
        self.name, self.result, self.attributes, self.linkage = name, result, attributes, linkage
        self.declare = declare
        """Called with the `declare` line of each function that the code calls."""
        self.fast = f"{fast} " if fast else ""
        """Fast-math flags of the arithmetic that is written by operators."""
        self.strict = self.fast
        """Those of arithmetic on the program's own numbers."""
        self.location = ""
        """What is added to each instruction: where in the source it comes from, if anybody is to know."""
        self.personality = ""
        """Of a function with landing pads: who decides which one an exception goes to."""
        self.parameter_attributes: dict[int, str] = {}
        self.taken: dict[str, int] = dict.fromkeys(taken, 1)
        self.parameters = [Expr(self, type, f"%{self.name_for(hint)}") for type, hint in parameters]
        self.blocks: list[CodeBlock] = []
        self.entry = self.block("entry")
        self.here = self.entry

    @contextmanager
    def strictly(self) -> Iterator[None]:
        """What is written meanwhile is arithmetic on the program's own numbers."""
        fast, self.fast = self.fast, self.strict
        try:
            yield
        finally:
            self.fast = fast

    # -- places -----------------------------------------------------------------------------------------------------

    def name_for(self, hint: str) -> str:
        """A name that is not taken yet, and that is written without quotes."""
        hint = plain_name(hint) or "t"
        if hint[0].isdigit():
            hint = f"_{hint}"
        n = self.taken.get(hint, 0)
        self.taken[hint] = n + 1
        if n == 0:
            return hint
        return self.name_for(f"{hint}.{n}")

    def block(self, hint: str = "bb") -> CodeBlock:
        made = CodeBlock(self.name_for(hint))
        self.blocks.append(made)
        return made

    def at(self, block: CodeBlock) -> Code:
        """Go on writing at the end of `block`."""
        self.here = block
        return self

    # -- instructions -----------------------------------------------------------------------------------------------

    def line(self, text: str) -> None:
        self.here.lines.append(text + self.location)

    def emit(self, type: Type, text: str, hint: str = "t") -> Expr:
        """An instruction with a result."""
        name = f"%{self.name_for(hint)}"
        self.here.lines.append(f"{name} = {text}{self.location}")
        return Expr(self, type, name)

    def phi(self, type: Type, incoming: Iterable[tuple[str, CodeBlock]], hint: str = "phi") -> Expr:
        name = f"%{self.name_for(hint)}"
        pairs = ", ".join(f"[ {value}, {block.ref} ]" for value, block in incoming)
        self.here.phis.append(f"{name} = phi {type} {pairs}")
        return Expr(self, type, name)

    def alloca(self, type: Type, hint: str = "slot", align: int = 0) -> Expr:
        """Stack memory, set aside in the entry block."""
        name = f"%{self.name_for(hint)}"
        tail = f", align {align}" if align else ""
        self.entry.phis.append(f"{name} = alloca {type}{tail}")
        return Expr(self, PTR, name)

    def load(self, type: Type, pointer: Expr, suffix: str = "", hint: str = "t") -> Expr:
        return self.emit(type, f"load {type}, {pointer}{suffix}", hint)

    def store(self, value: Expr, pointer: Expr, suffix: str = "") -> None:
        self.line(f"store {value}, {pointer}{suffix}")

    def offset(self, pointer: Expr, bytes: Expr | int) -> Expr:
        """The address so many bytes further on."""
        if bytes == 0:
            return pointer
        by = f"i64 {bytes}" if isinstance(bytes, int) else str(bytes)
        return self.emit(PTR, f"getelementptr i8, {pointer}, {by}", "p")

    def element(self, type: Type, pointer: Expr, index: Expr | int) -> Expr:
        """The address of an element of an array of `type`."""
        by = f"i64 {index}" if isinstance(index, int) else str(index)
        return self.emit(PTR, f"getelementptr {type}, {pointer}, {by}", "p")

    def call(self, result: Type, name: str, *arguments: Expr, attributes: str = "", suffix: str = "") -> Expr:
        """Call a function by name, declaring it."""
        self.declare(f"declare {result} @{name}({', '.join(a.type.text for a in arguments)}){attributes}")
        text = f"call {result} @{name}({', '.join(map(str, arguments))}){suffix}"
        if result.kind == "void":
            self.line(text)
            return Expr(self, VOID, "void")
        return self.emit(result, text)

    def intrinsic(self, name: str, *arguments: Expr) -> Expr:
        """One of LLVM's functions that are overloaded by the type of their operands, such as `exp`."""
        type = arguments[0].type
        return self.call(type, f"llvm.{name}.{overload(type)}", *arguments)

    def clear(self, pointer: Expr, bytes: Expr) -> None:
        """Fill memory with zeros."""
        self.call(VOID, "llvm.memset.p0.i64", pointer, self.constant(I8, 0), bytes, Expr(self, I1, "false"))

    def to_i64(self, x: Expr, *, signed: bool = False) -> Expr:
        """An integer as one of 64 bits."""
        if x.type.count == 64:
            return x
        cast = "trunc" if x.type.count > 64 else "sext" if signed else "zext"
        return self.emit(I64, f"{cast} {x} to i64")

    def float_cast(self, x: Expr, type: Type) -> Expr:
        """Floats in another precision."""
        if x.type == type:
            return x
        cast = "fpext" if type.scalar.size > x.type.scalar.size else "fptrunc"
        return self.emit(type, f"{cast} {x} to {type}")

    def splat(self, x: Expr, type: Type) -> Expr:
        """The scalar in every lane of a vector."""
        if x.type == type:
            return x
        lanes = type.count
        one = self.emit(type, f"insertelement {type} poison, {x}, i64 0")
        zeros = f"<{lanes} x i32> zeroinitializer"
        return self.emit(type, f"shufflevector {one}, {type} poison, {zeros}")

    def br(self, target: CodeBlock) -> None:
        self.here.terminator = f"br label {target.ref}"

    def cond_br(self, condition: Expr, yes: CodeBlock, no: CodeBlock) -> None:
        self.here.terminator = f"br {condition}, label {yes.ref}, label {no.ref}"

    def ret(self, value: Expr | None = None) -> None:
        self.here.terminator = "ret void" if value is None else f"ret {value}"

    def constant(self, type: Type, number: float | int) -> Expr:
        return Expr(self, type, literal(type, number))

    def text(self) -> str:
        parameters = ", ".join(
            f"{p.type} {self.parameter_attributes.get(i, '')}{' ' if i in self.parameter_attributes else ''}{p.ref}"
            for i, p in enumerate(self.parameters)
        )
        blocks = "\n".join(map(str, self.blocks))
        link = f"{self.linkage} " if self.linkage else ""
        attributes = f" {self.attributes}" if self.attributes else ""
        attributes += f" personality {self.personality}" if self.personality else ""
        return f"define {link}{self.result} @{self.name}({parameters}){attributes} {{\n{blocks}\n}}"


class Expr:
    """A value in code under construction, with operators. `str()` gives it with its type, as an operand is written."""

    __slots__ = ("code", "ref", "type")

    def __init__(self, code: Code, type: Type, ref: str) -> None:
        self.code, self.type, self.ref = code, type, ref

    def __str__(self) -> str:
        return f"{self.type} {self.ref}"

    def _other(self, other: Expr | float | int) -> Expr:
        return other if isinstance(other, Expr) else self.code.constant(self.type, other)

    def _binary(self, name: str, other: Expr | float | int, swap: bool = False) -> Expr:
        x, y = self, self._other(other)
        if x.type != y.type:  # a scalar meets shadows of several directions
            x, y = (self.code.splat(x, y.type), y) if x.type.kind != "vector" else (x, self.code.splat(y, x.type))
        if swap:
            x, y = y, x
        opcode = f"f{name} {self.code.fast}".rstrip() if x.type.is_float else {"div": "sdiv"}.get(name, name)
        return self.code.emit(x.type, f"{opcode} {x}, {y.ref}")

    def __add__(self, other: Expr | float | int) -> Expr:
        return self._binary("add", other)

    def __radd__(self, other: float | int) -> Expr:
        return self._binary("add", other, swap=True)

    def __sub__(self, other: Expr | float | int) -> Expr:
        return self._binary("sub", other)

    def __rsub__(self, other: float | int) -> Expr:
        return self._binary("sub", other, swap=True)

    def __mul__(self, other: Expr | float | int) -> Expr:
        return self._binary("mul", other)

    def __rmul__(self, other: float | int) -> Expr:
        return self._binary("mul", other, swap=True)

    def __truediv__(self, other: Expr | float | int) -> Expr:
        return self._binary("div", other)

    def __rtruediv__(self, other: float | int) -> Expr:
        return self._binary("div", other, swap=True)

    def __neg__(self) -> Expr:
        if self.type.is_float:
            return self.code.emit(self.type, f"fneg {self.code.fast}{self}")
        return 0 - self

    def compare(self, predicate: str, other: Expr | float | int) -> Expr:
        """`x.compare("olt", y)`: an `i1`, or one in each lane."""
        y = self._other(other)
        kind = "fcmp" if self.type.is_float else "icmp"
        result = vector(self.type.count, I1) if self.type.kind == "vector" else I1
        return self.code.emit(result, f"{kind} {predicate} {self}, {y.ref}")

    def __lt__(self, other: Expr | float | int) -> Expr:
        return self.compare("olt" if self.type.is_float else "slt", other)

    def __gt__(self, other: Expr | float | int) -> Expr:
        return self.compare("ogt" if self.type.is_float else "sgt", other)

    def __le__(self, other: Expr | float | int) -> Expr:
        return self.compare("ole" if self.type.is_float else "sle", other)

    def __ge__(self, other: Expr | float | int) -> Expr:
        return self.compare("oge" if self.type.is_float else "sge", other)

    def eq(self, other: Expr | float | int) -> Expr:
        return self.compare("oeq" if self.type.is_float else "eq", other)

    def select(self, yes: Expr | float, no: Expr | float) -> Expr:
        """Of a condition: `yes` where it holds, else `no`."""
        shape = yes if isinstance(yes, Expr) else no
        assert isinstance(shape, Expr)
        a, b = shape._other(yes), shape._other(no)
        condition = self
        if a.type.kind == "vector" and condition.type.kind != "vector" and a.type != b.type:
            b = self.code.splat(b, a.type)
        return self.code.emit(a.type, f"select {condition}, {a}, {b}")

    def __hash__(self) -> int:
        return hash(self.ref)


def plain_name(name: str) -> str:
    """A name that is written without quotes."""
    return "".join(c if c.isascii() and (c.isalnum() or c in "._") else "_" for c in name)


_OVERLOADS = {
    "half": "f16", "bfloat": "bf16", "float": "f32", "double": "f64", "x86_fp80": "f80", "fp128": "f128", "ptr": "p0",
}  # fmt: skip


def overload(type: Type) -> str:
    """How a type is written in the name of an overloaded intrinsic: `f64`, `v4f32`."""
    if type.kind == "vector":
        return f"v{type.count}{overload(type.element)}"
    return _OVERLOADS.get(type.text, type.text)


def literal(type: Type, number: float | int) -> str:
    """A number as LLVM writes it, exactly.

    >>> literal(DOUBLE, 0.1), literal(DOUBLE, 2)
    ('0x3FB999999999999A', '2.0')
    """
    if type.kind == "vector":
        return f"splat ({type.element} {literal(type.element, number)})"
    if not type.is_float:
        return str(int(number))
    value = _rounded(float(number), type)
    whole = abs(value) < 1e15 and value == int(value)
    if whole and type.text not in ("x86_fp80", "fp128", "ppc_fp128"):  # which LLVM writes in hexadecimal only
        return f"{int(value)}.0" if str(value)[0] != "-" or value != 0 else "-0.0"
    match type.text:
        case "double" | "float":  # LLVM writes the one as the other
            return f"0x{bits.unpack('>Q', bits.pack('>d', value))[0]:016X}"
        case "half":
            return f"0xH{bits.unpack('>H', bits.pack('>e', value))[0]:04X}"
        case "bfloat":
            return f"0xR{bits.unpack('>I', bits.pack('>f', value))[0] >> 16:04X}"
        case "x86_fp80":
            return _extended(value)
        case "fp128":
            return _quadruple(value)
        case _:
            raise ValueError(f"no literal of type {type}")


_FORMATS = {"half": (11, -24, 16), "bfloat": (8, -133, 128), "float": (24, -149, 128)}
"""Of floats with fewer digits than Python's: binary digits, exponents of the least and of the first too large."""


def _rounded(value: float, type: Type) -> float:
    """The nearest number that the type has."""
    if type.text not in _FORMATS or value == 0 or not math.isfinite(value):
        return value
    digits, least, most = _FORMATS[type.text]
    unit = max(math.frexp(value)[1] - digits, least)
    near = math.ldexp(round(math.ldexp(value, -unit)), unit) if abs(value) < 2.0**most else math.inf
    return math.copysign(near if abs(near) < 2.0**most else math.inf, value)


def _parts(value: float) -> tuple[int, int, int]:
    """Sign, exponent with the bias of the long formats, and the binary digits with the leading one as the 64th."""
    sign = int(math.copysign(1, value) < 0)
    if math.isnan(value):
        return sign, 0x7FFF, 3 << 62
    if math.isinf(value):
        return sign, 0x7FFF, 1 << 63
    digits, exponent = math.frexp(abs(value))
    return (sign, exponent + 16382, int(math.ldexp(digits, 64))) if value else (sign, 0, 0)


def _extended(value: float) -> str:
    """The ten bytes of x87's format: sign and exponent, then the digits with their leading one."""
    sign, exponent, digits = _parts(value)
    return f"0xK{sign << 15 | exponent:04X}{digits:016X}"


def _quadruple(value: float) -> str:
    """The sixteen bytes of IEEE's format, the low half first."""
    sign, exponent, digits = _parts(value)
    whole = sign << 127 | exponent << 112 | (digits & ~(1 << 63)) << 49
    return f"0xL{whole & ((1 << 64) - 1):016X}{whole >> 64:016X}"
