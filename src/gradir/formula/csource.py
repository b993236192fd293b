"""Formulas of numbers as functions in C."""

from __future__ import annotations

from fractions import Fraction

from gradir.errors import InputError
from gradir.formula.infix import ATOM, COMPARISONS, LOGIC, MINUS, PRODUCT, Notation, Printer, definitions
from gradir.formula.notation import decimal, fractional, plain_names
from gradir.formula.tree import Formula, Node, nodes_of

__all__ = ["c_source"]

TYPES = {"f64": "double", "f32": "float", "i1": "int", "i8": "signed char", "i16": "short", "i32": "int",
         "i64": "long long"}  # fmt: skip
FUNCTIONS = frozenset(
    ("exp", "expm1", "log", "log1p", "sqrt", "cbrt", "sin", "cos", "tan", "tanh", "sinh", "cosh", "asin", "acos",
     "atan", "asinh", "acosh", "atanh", "floor", "ceil", "erf", "erfc", "lgamma", "atan2", "pow", "fmod", "fabs",
     "rint", "trunc", "isfinite")
)  # fmt: skip
"""What <math.h> has, by its name for doubles; those for floats end in f."""
NAMES = {
    "abs": "fabs", "round": "rint", "remainder": "fmod", "power": "pow", "arcsin": "asin", "arccos": "acos",
    "arctan": "atan", "arcsinh": "asinh", "arccosh": "acosh", "arctanh": "atanh",
}  # fmt: skip
MOST_FACTORS = 4
"""A power with a whole exponent up to this is a product."""

C = Notation(names={}, prefix="", power="", transposed="", pi="", root="", lets=3,
             logic={"and": "&&", "or": "||", "not": "!", "xor": "!="})  # fmt: skip


class CPrinter(Printer):
    """Writes nodes in C, where 1 / 2 is 0 and there is no sign for powers."""

    def write(self, node: Node) -> tuple[str, int]:
        if node.shape != ():
            raise InputError("C source is for functions of numbers, without arrays", hint="show it --as python")
        if node.op not in COMPARISONS and node.op not in ("and", "or", "xor", "variable", "number"):
            writer = getattr(self, f"_{node.op}", None)
            if writer is None and NAMES.get(node.op, node.op) not in FUNCTIONS:
                raise InputError(f"C has no function {node.op}", hint="show it --as python")
        return super().write(node)

    def _call(self, op: str, *arguments: str) -> str:
        return f"{NAMES.get(op, op)}{self._suffix if op != 'isfinite' else ''}({', '.join(arguments)})"

    _suffix = ""
    """What functions of the type end in."""

    def _literal(self, value: Fraction | float, dtype: str) -> str:
        text = decimal(value, dtype)
        if not dtype.startswith("f"):
            return text
        text = text if any(c in text for c in ".en") else f"{text}.0"
        return text + ("f" if dtype == "f32" else "")

    # -- What C writes in another way

    def _number(self, node: Node) -> tuple[str, int]:
        value: Fraction | float = node.data
        if node.dtype == "i1":
            return str(int(bool(value))), ATOM
        if isinstance(value, float):
            text = "NAN" if value != value else "INFINITY"
            return (f"-{text}", MINUS) if value < 0 else (text, ATOM)
        text = self._literal(abs(value), node.dtype)
        return (f"-{text}", MINUS) if value < 0 else (text, ATOM)

    def _product(self, node: Node) -> str:
        parts = fractional(node)
        above = [self._literal(parts.number, node.dtype)] if parts.number != 1 else []
        below = [self._literal(Fraction(parts.divisor), node.dtype)] if parts.divisor != 1 else []
        above += [self._factor(*f, alone=len(parts.above) == 1) for f in parts.above]
        below += [self._factor(*f, alone=False) for f in parts.below]
        line = " * ".join(above or [self._literal(Fraction(1), node.dtype)])
        if not below:
            return line
        under = below[0] if len(below) == 1 and " " not in below[0] else f"({' * '.join(below)})"
        return f"{line} / {under}"

    def _factor(self, base: Node, exponent: Fraction, alone: bool) -> str:
        if exponent == 1:
            return self.text(base, MINUS if base.op in ("mul", "div") else PRODUCT)
        if exponent == Fraction(1, 2):
            return self._call("sqrt", self.text(base))
        if exponent.denominator == 1 and exponent <= MOST_FACTORS and (base in self.named or base.size <= 1):
            return " * ".join([self.text(base, ATOM)] * int(exponent))
        return self._call("pow", self.text(base), self._literal(exponent, base.dtype))

    def _power(self, node: Node) -> tuple[str, int]:
        if node.args[1].op == "number":
            return self._product(node), PRODUCT
        return self._call("pow", *(self.text(a) for a in node.args)), ATOM

    def _rsqrt(self, node: Node) -> tuple[str, int]:
        return f"{self._literal(Fraction(1), node.dtype)} / {self._call('sqrt', self.text(node.args[0]))}", PRODUCT

    def _maximum(self, node: Node) -> tuple[str, int]:
        return self._larger(node, ">=")

    def _minimum(self, node: Node) -> tuple[str, int]:
        return self._larger(node, "<=")

    def _larger(self, node: Node, sign: str) -> tuple[str, int]:
        """One of two; not by fmax, which has no ear for NaN."""
        x, y = (self.text(a, ATOM) for a in node.args)
        return f"({x} {sign} {y} || {x} != {x} ? {x} : {y})", ATOM

    def _where(self, node: Node) -> tuple[str, int]:
        condition, yes, no = (self.text(a, LOGIC) for a in node.args)
        return f"({condition} ? {yes} : {no})", ATOM

    def _sign(self, node: Node) -> tuple[str, int]:
        x = self.text(node.args[0], ATOM)
        return f"(({x} > 0) - ({x} < 0))", ATOM

    def _sigmoid(self, node: Node) -> tuple[str, int]:
        one = self._literal(Fraction(1), node.dtype)
        return f"{one} / ({one} + {self._call('exp', '-' + self.text(node.args[0], ATOM))})", PRODUCT

    def _softplus(self, node: Node) -> tuple[str, int]:
        x = self.text(node.args[0], ATOM)
        return f"(({x} > 0 ? {x} : 0) + {self._call('log1p', self._call('exp', '-' + self._call('abs', x)))})", ATOM

    def _cast(self, node: Node) -> tuple[str, int]:
        return f"({TYPES[node.dtype]}) {self.text(node.args[0], ATOM)}", MINUS

    def _quotient(self, node: Node) -> tuple[str, int]:
        x, y = (self.text(a, MINUS) for a in node.args)
        return f"{x} / {y}", PRODUCT


def c_source(formula: Formula) -> str:
    """The formula as a function in C: one result is returned, several are written where pointers lead.

    >>> from gradir.formula.tree import variable, number
    >>> from gradir.formula import algebra
    >>> x = variable("x", dtype="f64")
    >>> print(c_source(Formula("f", (x,), (algebra.add(number(1, "f64"), algebra.mul(x, x)),), ("f",))))
    #include <math.h>
    <BLANKLINE>
    double f(double x)
    {
        return x * x + 1.0;
    }
    """
    dtypes = {
        n.dtype for n in (*nodes_of(formula.results), *formula.parameters) if n.dtype.startswith(("f", "bf", "c"))
    }
    unknown = {n.dtype for n in nodes_of(formula.results)} - set(TYPES)
    if len(dtypes) > 1 or unknown:
        shown = ", ".join(sorted(dtypes | unknown))
        raise InputError(
            f"C source is for functions of one type of numbers, not of {shown}", hint="show it --as python"
        )
    printer = CPrinter(C, dict(plain_names(formula)))
    printer._suffix = "f" if dtypes == {"f32"} else ""
    lets = definitions(formula, printer)
    by_name = {name: node for node, name in printer.named.items()}
    body = [f"    const {TYPES[by_name[name].dtype]} {name} = {text};" for name, text in lets]
    given = [f"{TYPES.get(p.dtype, 'double')} {name}" for p, name in plain_names(formula).items()]
    if any(p.shape != () for p in formula.parameters):
        raise InputError("C source is for functions of numbers, without arrays", hint="show it --as python")
    if len(formula.results) == 1:
        [result] = formula.results
        kind = TYPES[result.dtype]
        body.append(f"    return {printer.text(result)};")
    else:
        kind = "void"
        pairs = list(zip(formula.result_names, formula.results, strict=True))
        given += [f"{TYPES[r.dtype]} *{name}" for name, r in pairs]
        body += [f"    *{name} = {printer.text(r)};" for name, r in pairs]
    return "\n".join(["#include <math.h>", "", f"{kind} {formula.name}({', '.join(given) or 'void'})", "{", *body, "}"])
