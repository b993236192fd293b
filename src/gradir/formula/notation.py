"""What the three notations share: how products, sums and numbers are laid out, and what is given a name."""

from __future__ import annotations

import keyword
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from gradir.formula.tree import Formula, Node, numeric

__all__ = [
    "Fractional", "axes_text", "decimal", "fractional", "fresh_names", "number_above_and_below", "plain_names",
    "signed_terms", "worth_naming",
]  # fmt: skip


@dataclass(frozen=True)
class Fractional:
    """A product as people write it: sign, then what stands above and below the line."""

    negative: bool
    above: tuple[tuple[Node, Fraction], ...]
    below: tuple[tuple[Node, Fraction], ...]
    number: Fraction | float
    """What the factors above are multiplied by."""
    divisor: int
    """What they are divided by, beside the factors below."""


def fractional(node: Node) -> Fractional:
    """Take a product, a power, a number or anything else apart."""
    parts = list(node.args) if node.op == "mul" else [node]
    coefficient: Fraction = Fraction(1)
    if parts and (value := numeric(parts[0])) is not None:
        coefficient, parts = value, parts[1:]
    above, below = [], []
    for part in parts:
        exponent = numeric(part.args[1]) if part.op == "power" else None
        if exponent is not None and exponent < 0:
            below.append((part.args[0], -exponent))
        elif exponent is not None:
            above.append((part.args[0], exponent))
        else:
            above.append((part, Fraction(1)))
    scale = abs(coefficient)
    divisor = 1
    if 1 < scale.denominator <= LINE and not _is_better_decimal(scale, bool(above or below)):
        scale, divisor = Fraction(scale.numerator), scale.denominator
    return Fractional(coefficient < 0, tuple(above), tuple(below), scale, divisor)


LINE = 64
"""The largest number that stands below a fraction's line by itself."""


def is_short(value: Fraction) -> bool:
    """Whether a number is a short decimal: 0.25, not 0.3333."""
    return (value * 1000).denominator == 1


def _is_better_decimal(value: Fraction, is_factor: bool) -> bool:
    """Whether a fraction is written as a decimal: 0.2 * x, but x / 4; 0.25 alone, but 1 / 3."""
    return is_short(value) and not (is_factor and value.numerator == 1 and value.denominator % 5)


def signed_terms(node: Node, named: Mapping[Node, str]) -> list[tuple[bool, Node]]:
    """The terms of a sum, each with whether it is subtracted; a part of the sum that has a name is one term."""
    terms = list(node.args)
    for part in named:
        if part.op == "add" and part is not node and Counter(part.args) <= Counter(terms):
            place = terms.index(part.args[0])
            for term in part.args:
                terms.remove(term)
            terms.insert(place, part)
    return [(t not in named and fractional(t).negative, t) for t in terms]


def known_constant(value: Fraction | float, dtype: str) -> tuple[Fraction, bool] | None:
    """A multiple of π, or of 1/√π: the multiple, and whether it is the second."""
    if isinstance(value, float) or not value or is_short(value) or value.denominator <= LINE:
        return None
    of = {"f64": np.float64}.get(dtype, np.float32)
    for root, unit in ((False, np.pi), (True, np.pi**-0.5)):
        multiple = Fraction(float(value) / unit).limit_denominator(12)
        if multiple and of(float(multiple) * unit) == of(float(value)) and abs(multiple.numerator) <= 12:
            return multiple, root
    return None


def number_above_and_below(parts: Fractional, dtype: str, pi: str, root_of_pi: str) -> tuple[list[str], list[str]]:
    """A product's number as factors above and below the line."""
    divisor = [str(parts.divisor)] if parts.divisor != 1 else []
    constant = known_constant(parts.number, dtype)
    if constant is None:
        return [decimal(parts.number, dtype)] if parts.number != 1 else [], divisor
    multiple, of_root = constant
    above = [str(multiple.numerator)] if multiple.numerator != 1 else []
    below = [str(multiple.denominator)] if multiple.denominator != 1 else []
    return above + ([] if of_root else [pi]), divisor + below + ([root_of_pi] if of_root else [])


def decimal(value: Fraction | float, dtype: str) -> str:
    """A number's shortest decimal for its type, without a point where it is whole.

    >>> decimal(Fraction(1, 8), "f32"), decimal(Fraction(3), "f32"), decimal(Fraction("0.7978846"), "f32")
    ('0.125', '3', '0.7978846')
    """
    if isinstance(value, Fraction) and value.denominator == 1 and abs(value) < 10**9:
        return str(value.numerator)
    if isinstance(value, Fraction) and is_short(value):
        return repr(float(value))
    of = {"f64": np.float64, "f16": np.float16}.get(dtype, np.float32)
    return str(of(float(value))).removesuffix(".0")


def axes_text(node: Node, x: Node) -> str:
    """The axes of a reduction; empty for all."""
    axes: tuple[int, ...] = node.data
    if len(axes) == x.rank:
        return ""
    return str(axes[0]) if len(axes) == 1 else str(axes)


def plain_names(formula: Formula) -> dict[Node, str]:
    """The parameters' names as Python has names: each of them once."""
    made: dict[Node, str] = {}
    for parameter in formula.parameters:
        name = re.sub(r"\W+", "_", str(parameter.data)).strip("_") or "x"
        name = f"_{name}" if name[0].isdigit() or keyword.iskeyword(name) else name
        while name in made.values() or name in ("np", "math"):
            name += "_"
        made[parameter] = name
    return made


def fresh_names(formula: Formula) -> Iterator[str]:
    """Names for parts of a formula, other than those of its parameters."""
    taken = {str(p.data) for p in formula.parameters} | set(plain_names(formula).values())
    letters = "tuvwzpqrsabcdfgh"
    yield from (n for n in letters if n not in taken)
    i = 0
    while True:
        i += 1
        if f"t{i}" not in taken:
            yield f"t{i}"


def worth_naming(formula: Formula, least: int) -> list[Node]:
    """The parts of at least this size that are used more than once, operands first.

    Not those that are short, or no parts of what is written: of a power, its base is one.
    """
    plain = {"variable", "number", "keep", "expand", "broadcast", "power"}
    return [n for n in formula.shared(least) if n.op not in plain and (n.op != "mul" or n.size >= 2 * least)]
