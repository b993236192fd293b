"""Formulas as S-expressions: what is written is Sheaf, and runs."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from fractions import Fraction

from gradir.errors import InputError
from gradir.formula.notation import decimal, fractional, fresh_names, number_above_and_below, signed_terms, worth_naming
from gradir.formula.tree import Formula, Node

__all__ = ["sexpr"]

NAMES = {
    "matmul": "@", "power": "**", "sub": "-", "div": "/", "neg": "neg", "quotient": "//", "prod": "product",
    "remainder": "%", "not": "not", "xor": "!=", "add": "+", "mul": "*",
}  # fmt: skip
MISSING = {"erfc", "lgamma", "digamma", "arcsinh", "arccosh", "arctanh"}
REDUCTIONS = {"sum", "prod", "max", "min", "any", "all", "mean", "logsumexp"}
LETS = 5
"""From which size on a part that is used twice has a name."""


@dataclass
class Printer:
    named: dict[Node, str] = field(default_factory=dict)

    def text(self, node: Node) -> str:
        if node in self.named:
            return self.named[node]
        writer: Callable[[Node], str] | None = getattr(self, f"_{node.op}", None)
        if writer is not None:
            return writer(node)
        if node.op in MISSING:
            raise InputError(f"Sheaf has no {node.op}", hint="--as python or --as formula shows it")
        if node.op in REDUCTIONS:
            return self._reduction(node, "")
        return _list(NAMES.get(node.op, node.op), *map(self.text, node.args))

    def _variable(self, node: Node) -> str:
        return str(node.data)

    def _number(self, node: Node) -> str:
        value: Fraction | float = node.data
        if node.dtype == "i1":
            return "true" if value else "false"
        if isinstance(value, float):
            return "(/ 0. 0.)" if value != value else f"({'-' * (value < 0) or '+'} 1e999)"
        parts = fractional(node)
        if parts.divisor != 1:
            return f"(/ {'-' * parts.negative}{parts.number} {parts.divisor})"
        return _number(value, node.dtype)

    def _array(self, node: Node) -> str:
        import numpy as np

        values = np.array([_number(Fraction(v), node.dtype) for v in node.data], object)
        return _nested(values.reshape(node.shape).tolist())

    def _arange(self, node: Node) -> str:
        return _list("arange", str(node.data))

    def _add(self, node: Node) -> str:
        terms = signed_terms(node, self.named)
        plus = [self.text(t) for negative, t in terms if not negative]
        minus = [self._product(t) for negative, t in terms if negative]
        if not plus:
            return _list("-", *(self.text(t) if i == 0 else self._product(t) for i, (_, t) in enumerate(terms)))
        first = plus[0] if len(plus) == 1 else _list("+", *plus)
        return _list("-", first, *minus) if minus else first

    def _mul(self, node: Node) -> str:
        text = self._product(node)
        return _list("-", text) if fractional(node).negative else text

    def _power(self, node: Node) -> str:
        return self._product(node) if node.args[1].op == "number" else _list("**", *map(self.text, node.args))

    def _product(self, node: Node) -> str:
        """A product without its sign."""
        parts = fractional(node)
        above, below = number_above_and_below(parts, node.dtype, "pi", "(sqrt pi)")
        above += [self._factor(*f) for f in parts.above]
        below += [self._factor(*f) for f in parts.below]
        above = above or ["1"]
        line = above[0] if len(above) == 1 else _list("*", *above)
        return line if not below else _list("/", line, *below)

    def _factor(self, base: Node, exponent: Fraction) -> str:
        x = self.text(base)
        return x if exponent == 1 else _list("**", x, _number(exponent, base.dtype))

    def _rsqrt(self, node: Node) -> str:
        return _list("rsqrt", self.text(node.args[0]))

    def _cast(self, node: Node) -> str:
        x = self.text(node.args[0])
        return x if node.dtype.startswith(("f", "bf")) else _list("int", x)

    def _and(self, node: Node) -> str:
        x, y = map(self.text, node.args)
        return _list("where", x, y, "false")

    def _or(self, node: Node) -> str:
        x, y = map(self.text, node.args)
        return _list("where", x, "true", y)

    # -- Shapes

    def _broadcast(self, node: Node) -> str:
        x = node.args[0]
        if x.op == "number" and x.data in (0, 1):
            return _list("ones" if x.data else "zeros", _shape(node.shape))
        return _list("broadcast-to", self.text(x), _shape(node.shape))

    def _expand(self, node: Node) -> str:
        return _list("expand-dims", self.text(node.args[0]), _axes(node.data))

    def _squeeze(self, node: Node) -> str:
        return _list("squeeze", self.text(node.args[0]), _axes(node.data))

    def _reshape(self, node: Node) -> str:
        return _list("reshape", self.text(node.args[0]), _shape(node.shape))

    def _transpose(self, node: Node) -> str:
        x = self.text(node.args[0])
        return _list("tr", x) if node.data == (1, 0) else _list("transpose", x, _shape(node.data))

    def _index(self, node: Node) -> str:
        x = self.text(node.args[0])
        parts = list(node.data)
        whole = [(0, n, 1) for n in node.args[0].shape]
        leading = 0
        while leading < len(parts) and isinstance(parts[leading], int):
            x = _list("get", x, str(parts[leading]))
            leading += 1
        axis = 0
        for part, all_of_it in zip(parts[leading:], whole[leading:], strict=True):
            if isinstance(part, int):
                x = _list("take", x, str(part), ":axis", str(axis))
                continue
            if part != all_of_it:
                places = range(*part)
                count = _list("arange", *map(str, (places.start, places.stop, places.step)[: 2 if part[2] == 1 else 3]))
                x = _list("take", x, count, ":axis", str(axis))
            axis += 1
        return x

    def _concat(self, node: Node) -> str:
        parts = " ".join(map(self.text, node.args))
        return _list("concat", f"[{parts}]", *([":axis", str(node.data)] if node.data else []))

    def _vector(self, node: Node) -> str:
        return _list("tensor", f"[{' '.join(map(self.text, node.args))}]")

    def _outer(self, node: Node) -> str:
        x, y = map(self.text, node.args)
        return _list("*", _list("expand-dims", x, "1"), y)

    def _pad(self, node: Node) -> str:
        x, value = node.args
        widths = " ".join(_shape(w) for w in node.data)
        shown = [] if value.op == "number" and value.data == 0 else [self.text(value)]
        return _list("pad", self.text(x), f"'[{widths}]", *shown)

    def _flip(self, node: Node) -> str:
        return _list("flip", self.text(node.args[0]), _axes(node.data))

    # -- Reductions

    def _reduction(self, node: Node, keep: str) -> str:
        axes: tuple[int, ...] = node.data
        along = [] if len(axes) == node.args[0].rank else [":axis", _axes(axes)]
        return _list(NAMES.get(node.op, node.op), self.text(node.args[0]), *along, *([keep] if keep else []))

    def _keep(self, node: Node) -> str:
        return self._expand(node) if node.args[0] in self.named else self._reduction(node.args[0], ":keepdims")

    def _softmax(self, node: Node) -> str:
        axis = node.data[0]
        return _list("softmax", self.text(node.args[0]), *([":axis", str(axis)] if axis != node.rank - 1 else []))

    def _einsum(self, node: Node) -> str:
        return _list("einsum", f'"{node.data}"', *map(self.text, node.args))


def _list(*parts: str) -> str:
    return f"({' '.join(parts)})"


def _shape(shape: tuple[int, ...]) -> str:
    return f"[{' '.join(map(str, shape))}]"


def _axes(axes: tuple[int, ...]) -> str:
    return str(axes[0]) if len(axes) == 1 else _shape(axes)


def _number(value: Fraction | float, dtype: str) -> str:
    return decimal(value, dtype)


def _nested(values: object) -> str:
    return f"[{' '.join(map(_nested, values))}]" if isinstance(values, list) else str(values)


def sexpr(formula: Formula) -> str:
    """The formula as an S-expression; several results are a dictionary.

    >>> from gradir.formula.tree import variable, number, Formula
    >>> from gradir.formula import algebra
    >>> x = variable("x")
    >>> print(sexpr(Formula("f", (x,), (algebra.add(number(1), algebra.mul(x, x)),), ("f",))))
    (+ (** x 2) 1)
    """
    printer = Printer()
    lets = []
    names = fresh_names(formula)
    for node in worth_naming(formula, LETS):
        text = printer.text(node)
        printer.named[node] = next(names)
        lets.append(f"{printer.named[node]} {text}")
    results = [printer.text(r) for r in formula.results]
    pairs = zip(formula.result_names, results, strict=True)
    body = results[0] if len(results) == 1 else "{" + " ".join(f":{name} {text}" for name, text in pairs) + "}"
    if not lets:
        return body
    return "(let [" + "\n      ".join(lets) + f"]\n  {body})"
