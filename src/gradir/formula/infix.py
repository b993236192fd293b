"""Formulas as they stand in books, and as Python with NumPy: both are infix, and differ in names."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from fractions import Fraction

from gradir.formula.notation import (
    axes_text,
    decimal,
    fractional,
    fresh_names,
    number_above_and_below,
    plain_names,
    signed_terms,
    worth_naming,
)
from gradir.formula.tree import Formula, Node

__all__ = ["BOOK", "NUMPY", "Notation", "Printer", "infix", "python"]


@dataclass(frozen=True)
class Notation:
    """How functions and operators are called."""

    names: dict[str, str]
    prefix: str
    """What stands before functions that have no other name."""
    power: str
    transposed: str
    pi: str
    root: str
    lets: int
    """From which size on a part that is used twice has a name."""
    logic: dict[str, str]


BOOK = Notation(
    names={"maximum": "max", "minimum": "min", "concat": "concat", "atan2": "atan2", "norm": "norm"},
    prefix="", power="^", transposed="ᵀ", pi="π", root="sqrt", lets=5,
    logic={"and": "and", "or": "or", "not": "not ", "xor": "!="},
)  # fmt: skip
NUMPY = Notation(
    names={
        "sigmoid": "sigmoid", "softmax": "softmax", "logsumexp": "logsumexp", "softplus": "softplus", "erf": "erf",
        "erfc": "erfc", "lgamma": "lgamma", "digamma": "digamma", "norm": "np.linalg.norm", "atan2": "np.arctan2",
        "concat": "np.concatenate",
        "remainder": "np.fmod", "broadcast": "np.broadcast_to",
    },
    prefix="np.", power="**", transposed=".T", pi="np.pi", root="np.sqrt", lets=3,
    logic={"and": "&", "or": "|", "not": "~", "xor": "^"},
)  # fmt: skip

DEFINED = {
    "sigmoid": "def sigmoid(x):\n    return 0.5 * np.tanh(0.5 * x) + 0.5",
    "softplus": "def softplus(x):\n    return np.logaddexp(x, 0)",
    "softmax": "def softmax(x, axis):\n    e = np.exp(x - np.max(x, axis, keepdims=True))\n"
    "    return e / np.sum(e, axis, keepdims=True)",
    "logsumexp": "def logsumexp(x, axis=None, keepdims=False):\n    m = np.max(x, axis, keepdims=True)\n"
    "    s = m + np.log(np.sum(np.exp(x - m), axis, keepdims=True))\n"
    "    return s if keepdims else np.squeeze(s, axis)",
    "erf": "erf = np.vectorize(math.erf)",
    "erfc": "erfc = np.vectorize(math.erfc)",
    "lgamma": "lgamma = np.vectorize(math.lgamma)",
    "digamma": "from scipy.special import digamma",
}
"""Functions that NumPy has not, in terms of it."""

SUM, PRODUCT, MINUS, POWER, ATOM = 10, 20, 25, 30, 40
COMPARISON, LOGIC = 8, 4
NEEDS_AXIS = {"softmax"}
REDUCTIONS = {"sum", "prod", "max", "min", "any", "all", "mean", "logsumexp"}
COMPARISONS = {"==", "!=", "<", "<=", ">", ">="}


@dataclass
class Printer:
    """Writes nodes; each text comes with how tightly it binds."""

    notation: Notation
    named: dict[Node, str] = field(default_factory=dict)

    def text(self, node: Node, least: int = 0) -> str:
        """A node where something that binds at least this tightly must stand."""
        if node in self.named:
            return self.named[node]
        made, binds = self.write(node)
        return made if binds >= least else f"({made})"

    def write(self, node: Node) -> tuple[str, int]:
        op = node.op
        writer = getattr(self, f"_{op}", None)
        if writer is not None:
            return writer(node)
        if op in COMPARISONS:
            x, y = (self.text(a, SUM) for a in node.args)
            return f"{x} {op} {y}", COMPARISON
        if op in ("and", "or", "xor"):
            x, y = (self.text(a, LOGIC + 1) for a in node.args)
            return f"({x}) {self.notation.logic[op]} ({y})", LOGIC
        if op in REDUCTIONS:
            return self._reduction(node, ""), ATOM
        return self._call(op, *(self.text(a) for a in node.args)), ATOM

    def _call(self, op: str, *arguments: str) -> str:
        name = self.notation.names.get(op, f"{self.notation.prefix}{op}")
        return f"{name}({', '.join(a for a in arguments if a)})"

    # -- Leaves

    def _variable(self, node: Node) -> tuple[str, int]:
        return str(node.data), ATOM

    def _number(self, node: Node) -> tuple[str, int]:
        value: Fraction | float = node.data
        if node.dtype == "i1":
            return str(bool(value)), ATOM
        if isinstance(value, float):
            name = "nan" if value != value else "inf"
            text = f"np.{name}" if self.notation is NUMPY else name
            return (f"-{text}", MINUS) if value < 0 else (text, ATOM)
        if value < 0 or value.denominator != 1:
            return self._mul(node)
        return decimal(value, node.dtype), ATOM

    def _array(self, node: Node) -> tuple[str, int]:
        import numpy as np

        values = [_plain(v) for v in node.data]
        nested = np.array([str(v) for v in values], object).reshape(node.shape).tolist()
        text = str(nested).replace("'", "")
        return (f"np.array({text})" if self.notation is NUMPY else text), ATOM

    def _arange(self, node: Node) -> tuple[str, int]:
        return self._call("arange", str(node.data)), ATOM

    # -- Arithmetic

    def _add(self, node: Node) -> tuple[str, int]:
        text = ""
        for negative, term in signed_terms(node, self.named):
            if not text:
                text = self.text(term, SUM)
            elif negative:
                text += f" - {self._product(term)}"
            else:
                text += f" + {self.text(term, SUM + 1)}"
        return text, SUM

    def _mul(self, node: Node) -> tuple[str, int]:
        is_negative = fractional(node).negative
        text = self._product(node)
        if is_negative:
            return f"-{text}", MINUS if re.fullmatch(r"[\w.]+", text) else PRODUCT
        return text, PRODUCT if re.search(r"[ (]", text) or node.op == "mul" else ATOM

    def _product(self, node: Node) -> str:
        """A product without its sign."""
        parts = fractional(node)
        root = f"{self.notation.root}({self.notation.pi})"
        above, below = number_above_and_below(parts, node.dtype, self.notation.pi, root)
        above += [self._factor(*f, alone=len(parts.above) == 1) for f in parts.above]
        below += [self._factor(*f, alone=False) for f in parts.below]
        above = above or ["1"]
        line = " * ".join(above)
        if not below:
            return line
        under = below[0] if len(below) == 1 else f"({' * '.join(below)})"
        return f"{line} / {under}"

    def _factor(self, base: Node, exponent: Fraction, alone: bool) -> str:
        if exponent == 1:
            # A matrix product among other factors must keep together.
            tight = base.op in ("matmul", "mul", "div") and not (alone and base.op == "matmul")
            return self.text(base, MINUS if tight else PRODUCT)
        shown = str(exponent) if exponent.denominator == 1 else f"({exponent.numerator} / {exponent.denominator})"
        if exponent.denominator != 1 and (exponent * 100).denominator == 1:
            shown = decimal(exponent, base.dtype)
        return f"{self.text(base, ATOM)}{self.notation.power}{shown}"

    def _power(self, node: Node) -> tuple[str, int]:
        if node.args[1].op == "number":
            made = self._product(node)
            return made, PRODUCT if " / " in made else POWER
        base, exponent = self.text(node.args[0], ATOM), self.text(node.args[1], ATOM)
        return f"{base}{self.notation.power}{exponent}", POWER

    def _sub(self, node: Node) -> tuple[str, int]:
        return f"{self.text(node.args[0], SUM)} - {self.text(node.args[1], PRODUCT)}", SUM

    def _div(self, node: Node) -> tuple[str, int]:
        return f"{self.text(node.args[0], PRODUCT)} / {self.text(node.args[1], MINUS)}", PRODUCT

    def _neg(self, node: Node) -> tuple[str, int]:
        return f"-{self.text(node.args[0], MINUS)}", MINUS

    def _rsqrt(self, node: Node) -> tuple[str, int]:
        return f"1 / {self._call('sqrt', self.text(node.args[0]))}", PRODUCT

    def _quotient(self, node: Node) -> tuple[str, int]:
        x, y = (self.text(a, MINUS) for a in node.args)
        if self.notation is NUMPY:  # towards zero
            return f"np.trunc({x} / {y}).astype(int)", ATOM
        return f"{x} // {y}", PRODUCT

    def _not(self, node: Node) -> tuple[str, int]:
        return f"{self.notation.logic['not']}({self.text(node.args[0])})", MINUS

    def _cast(self, node: Node) -> tuple[str, int]:
        x = self.text(node.args[0])
        if node.dtype.startswith(("f", "bf")):
            return self.write(node.args[0]) if node.args[0].dtype != "i1" else (self._call("where", x, "1", "0"), ATOM)
        if self.notation is NUMPY:
            return f"np.trunc({x}).astype(int)", ATOM
        return f"int({x})", ATOM

    # -- Shapes

    def _broadcast(self, node: Node) -> tuple[str, int]:
        x, shape = node.args[0], node.shape
        size = str(shape[0]) if len(shape) == 1 else str(shape)
        if x.shape == () and x.dtype != "i1":
            if x.op == "number" and x.data == 0:
                return self._call("zeros", size), ATOM
            ones = self._call("ones", size)
            if x.op == "number" and x.data == 1:
                return ones, ATOM
            return f"{self.text(x, PRODUCT)} * {ones}", PRODUCT
        return self._call("broadcast", self.text(x), str(shape)), ATOM

    def _expand(self, node: Node) -> tuple[str, int]:
        axes: tuple[int, ...] = node.data
        parts = ["None" if d in axes else ":" for d in range(node.rank)]
        if not node.args[0].shape:
            return f"{self._call('full', str(node.shape), self.text(node.args[0]))}", ATOM
        return f"{self.text(node.args[0], ATOM)}[{', '.join(parts)}]", ATOM

    def _squeeze(self, node: Node) -> tuple[str, int]:
        axes: tuple[int, ...] = node.data
        parts = ["0" if d in axes else ":" for d in range(node.args[0].rank)]
        return f"{self.text(node.args[0], ATOM)}[{', '.join(parts)}]", ATOM

    def _index(self, node: Node) -> tuple[str, int]:
        parts = []
        for part, n in zip(node.data, node.args[0].shape, strict=True):
            if isinstance(part, int):
                parts.append(str(part))
            else:
                start, stop, step = part
                text = f"{start or ''}:{stop if stop != n else ''}"
                parts.append(text if step == 1 else f"{text}:{step}")
        while len(parts) > 1 and parts[-1] == ":":
            parts.pop()
        return f"{self.text(node.args[0], ATOM)}[{', '.join(parts)}]", ATOM

    def _reshape(self, node: Node) -> tuple[str, int]:
        if node.args[0].shape == ():
            return self._call("full", str(node.shape), self.text(node.args[0])), ATOM
        return self._call("reshape", self.text(node.args[0]), str(node.shape)), ATOM

    def _transpose(self, node: Node) -> tuple[str, int]:
        x = node.args[0]
        if node.data == tuple(range(x.rank))[::-1] and (x.rank == 2 or self.notation is NUMPY):
            return f"{self.text(x, ATOM)}{self.notation.transposed}", ATOM
        return self._call("transpose", self.text(x), str(node.data)), ATOM

    def _concat(self, node: Node) -> tuple[str, int]:
        parts = ", ".join(self.text(a) for a in node.args)
        axis = f"axis={node.data}" if node.rank > 1 else ""
        return self._call("concat", f"[{parts}]", axis), ATOM

    def _vector(self, node: Node) -> tuple[str, int]:
        text = f"[{', '.join(self.text(a) for a in node.args)}]"
        return f"np.array({text})" if self.notation is NUMPY else text, ATOM

    def _pad(self, node: Node) -> tuple[str, int]:
        x, value = node.args
        widths = str(list(node.data)) if node.rank > 1 else str(node.data[0])
        shown = "" if value.op == "number" and value.data == 0 else f"constant_values={self.text(value)}"
        return self._call("pad", self.text(x), widths, shown), ATOM

    def _flip(self, node: Node) -> tuple[str, int]:
        axes: tuple[int, ...] = node.data
        shown = "" if len(axes) == node.rank else f"axis={axes[0] if len(axes) == 1 else axes}"
        return self._call("flip", self.text(node.args[0]), shown), ATOM

    # -- Reductions and products of matrices

    def _reduction(self, node: Node, keep: str) -> str:
        axes = axes_text(node, node.args[0])
        return self._call(node.op, self.text(node.args[0]), f"axis={axes}" if axes else "", keep)

    def _keep(self, node: Node) -> tuple[str, int]:
        if node.args[0] in self.named:
            return self._expand(node)
        return self._reduction(node.args[0], "keepdims=True"), ATOM

    def _softmax(self, node: Node) -> tuple[str, int]:
        axis = node.data[0]
        shown = "" if node.rank == 1 and self.notation is not NUMPY else f"axis={axis}"
        return self._call("softmax", self.text(node.args[0]), shown), ATOM

    def _matmul(self, node: Node) -> tuple[str, int]:
        a, b = node.args
        return f"{self.text(a, PRODUCT if a.op == 'matmul' else MINUS)} @ {self.text(b, MINUS)}", PRODUCT

    def _einsum(self, node: Node) -> tuple[str, int]:
        return self._call("einsum", f'"{node.data}"', *(self.text(a) for a in node.args)), ATOM


def _plain(value: float) -> int | float:
    return int(value) if float(value).is_integer() else value


def definitions(formula: Formula, printer: Printer) -> list[tuple[str, str]]:
    """Names for what is used more than once and long, with their formulas; operands first."""
    made = []
    names = fresh_names(formula)
    for node in worth_naming(formula, printer.notation.lets):
        text = printer.text(node)
        printer.named[node] = next(names)
        made.append((printer.named[node], text))
    return made


def infix(formula: Formula) -> str:
    """The formula as a book has it.

    >>> from gradir.formula.tree import variable, number, Formula
    >>> from gradir.formula import algebra
    >>> x = variable("x")
    >>> print(infix(Formula("f", (x,), (algebra.add(number(1), algebra.mul(x, x)),), ("f",))))
    x^2 + 1
    """
    printer = Printer(BOOK, dict(plain_names(formula)))
    lets = definitions(formula, printer)
    lines = [printer.text(r) for r in formula.results]
    if len(lines) > 1:
        lines = [f"{name} = {line}" for name, line in zip(formula.result_names, lines, strict=True)]
    said = [f"{name} = {text}" for name, text in reversed(lets)]
    return "\n".join([*lines, *(f"  where {s}" if i == 0 else f"    and {s}" for i, s in enumerate(said))])


def python(formula: Formula) -> str:
    """The formula as a Python function on NumPy arrays."""
    printer = Printer(NUMPY, dict(plain_names(formula)))
    lets = definitions(formula, printer)
    results = ", ".join(printer.text(r) for r in formula.results)
    body = [f"    {name} = {text}" for name, text in lets]
    arguments = ", ".join(plain_names(formula).values())
    function = "\n".join([f"def {formula.name}({arguments}):", *body, f"    return {results}"])
    used = [text for name, text in DEFINED.items() if re.search(rf"(?<![\w.]){name}\(", function)]
    imports = ["import math", ""] if any("math." in u for u in used) else []
    return "\n".join([*imports, "import numpy as np", "", "", *(f"{u}\n\n" for u in used), function])
