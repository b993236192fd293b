"""Whether a rewrite keeps to the range of its numbers: a proof by linear programming in the exponents.

The magnitude of each intermediate result, of the program and of what a rewrite makes of it, is written as a monomial
`2**b * |x|**p * |y|**q * …` in the values that both are computed from (the leaves), with sums as factors of their own.
Logarithms make that a linear form. The program says of each of its own results that it is in range; what follows for a
new intermediate result is found by combining these: x * x lies between x and x * x * x, whatever x is; 1 / y does not
follow from y and x / y; and the square root of anything is far from both ends.

Where a leaf is 0, products that hold it are 0 and say nothing of the others. So a bound on a result follows only from
results that hold no other leaves.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple

import numpy as np
from jaxlib.mlir import ir

from gradir.tensor.analysis.computation import single_op
from gradir.tensor.analysis.facts import Facts
from gradir.tensor.ir.dot import Dims
from gradir.tensor.ir.reading import array_of, kind, maker, splat_of, text_of

DEPTH = 5
"""How many ops the left side of a rewrite may be deep."""
COMBINATIONS = 60
"""How many combinations of known bounds are tried for a new one."""
DIGITS = 53
"""How many binary digits a number has at most."""
NEAR = 1e-6
"""Exponents that differ by less are the same: constants are rounded."""


class Range(NamedTuple):
    """Binary logarithms: of the least number that has all digits, of the least number at all, and of the greatest."""

    normal: float
    least: float
    most: float


RANGES = {
    "f64": Range(-1022, -1074, 1024),
    "f32": Range(-126, -149, 128),
    "bf16": Range(-126, -133, math.log2(3.3895313892515355e38)),
    "f16": Range(-14, -24, math.log2(65504)),
}


@dataclass(frozen=True)
class Monomial:
    """`sign * 2**scale` times powers of leaves and sums."""

    scale: float = 0.0
    sign: int = 1
    powers: tuple[tuple[Hashable, float], ...] = ()

    @staticmethod
    def of(powers: dict[Hashable, float], scale: float = 0.0, sign: int = 1) -> Monomial:
        kept = [(a, p) for a, p in powers.items() if abs(p) > NEAR]
        if len(kept) > 1:
            kept.sort(key=lambda item: hash(item[0]))
        return Monomial(scale, sign, tuple(kept))

    def __mul__(self, other: Monomial) -> Monomial:
        powers = dict(self.powers)
        for a, p in other.powers:
            powers[a] = powers.get(a, 0.0) + p
        return Monomial.of(powers, self.scale + other.scale, self.sign * other.sign)

    def __pow__(self, p: float) -> Monomial:
        sign = self.sign if p % 2 == 1 else 1
        return Monomial.of({a: q * p for a, q in self.powers}, self.scale * p, sign)

    @property
    def support(self) -> frozenset[Hashable]:
        return frozenset(a for a, _ in self.powers)

    def exponents(self, atoms: Sequence[Hashable]) -> list[float]:
        """The exponents of some factors."""
        powers = dict(self.powers)
        return [powers.get(a, 0.0) for a in atoms]

    def is_like(self, other: Monomial) -> bool:
        """Whether both are of the same size."""
        return self.powers == other.powers and abs(self.scale - other.scale) < NEAR


class Sum(NamedTuple):
    """A factor that is a sum: of a `number` of terms that are each one of these, up to its own common factor."""

    terms: tuple[Monomial, ...]
    number: int


_SIGNS = frozenset(f"stablehlo.{n}" for n in ("negate", "abs", "reduce_precision"))
_MOVES = frozenset(
    f"stablehlo.{n}"
    for n in ("reshape", "transpose", "broadcast_in_dim", "slice", "reverse", "gather", "dynamic_slice")
)
_ROOTS = {"stablehlo.sqrt": 0.5, "stablehlo.rsqrt": -0.5, "stablehlo.cbrt": 1 / 3}
_LINEAR = frozenset(f"stablehlo.{n}" for n in ("reduce", "reduce_window", "all_reduce", "reduce_scatter"))


@dataclass
class Side:
    """One side of a rewrite: the magnitudes of what is computed between the leaves and the result."""

    leaves: frozenset[ir.Value]
    found: dict[ir.Value, Monomial | None] = field(default_factory=dict)
    """None for what is 0 everywhere."""
    between: list[tuple[Monomial, ir.Type]] = field(default_factory=list)
    """Every intermediate result, the products within a dot among them, with its element type."""

    def of(self, value: ir.Value, depth: int = DEPTH) -> Monomial | None:
        if value in self.found:
            return self.found[value]
        op = maker(value)
        if value in self.leaves or op is None or depth == 0:
            made: Monomial | None = Monomial.of({value: 1.0})
        else:
            made = self._made(value, op, depth - 1)
            self._note(made, value)
        self.found[value] = made
        return made

    def _note(self, made: Monomial | None, value: ir.Value) -> None:
        if made is not None and kind(value.type) in ("float", "complex"):
            self.between.append((made, value.type.element_type))

    def _made(self, value: ir.Value, op: ir.Operation, depth: int) -> Monomial | None:
        name, itself = op.name, Monomial.of({value: 1.0})
        if kind(value.type) not in ("float", "complex") or len(op.results) != 1:
            return itself
        if name == "stablehlo.constant":
            return _constant(value)
        if not len(op.operands) or any(kind(v.type) not in ("float", "complex") for v in _numbers(op)):
            return itself
        parts = [self.of(v, depth) for v in _numbers(op)]
        x, y = parts[0], parts[-1]
        if name in _MOVES or name in _SIGNS or name == "stablehlo.convert":
            return x if x is None or name != "stablehlo.negate" else Monomial(x.scale, -x.sign, x.powers)
        if name in ("stablehlo.add", "stablehlo.subtract"):
            return _sum(x, y, 1 if name == "stablehlo.add" else -1)
        if x is None or y is None:
            return None if name in ("stablehlo.multiply", "stablehlo.dot_general", "stablehlo.convolution") else itself
        if name in ("stablehlo.multiply", "stablehlo.divide"):
            if _mixes(op, x, y):
                return itself
            return x * (y if name == "stablehlo.multiply" else y**-1)
        if name == "chlo.square":
            return x**2
        if name == "stablehlo.power" and isinstance(p := splat_of(op.operands[1]), float):
            return x**p
        if name in _ROOTS:
            return x ** _ROOTS[name]
        if name in _LINEAR:
            return _linear(op, [x], Monomial.of(dict(x.powers)))
        if name in ("stablehlo.dot_general", "stablehlo.convolution"):
            term = itself if x.support & y.support else x * y
            self._note(term, value)
            return _linear(op, [x, y], Monomial.of(dict(term.powers)))
        return itself


def _numbers(op: ir.Operation) -> list[ir.Value]:
    """The operands of an op that its result is made of."""
    operands = list(op.operands)
    return operands[:1] if op.name in _MOVES or op.name in _LINEAR else operands


def _mixes(op: ir.Operation, x: Monomial, y: Monomial) -> bool:
    """Whether a product is of different elements of one value."""
    if op.operands[0] == op.operands[1] or not x.support & y.support:
        return False
    return any((m := maker(v)) is not None and m.name in _MOVES for v in op.operands)


def _constant(value: ir.Value) -> Monomial | None:
    number = splat_of(value)
    if number is None or isinstance(number, complex) or number - number != 0:
        return Monomial.of({value: 1.0})
    return None if number == 0 else Monomial(math.log2(abs(number)), 1 if number > 0 else -1)


def _sum(x: Monomial | None, y: Monomial | None, sign: int) -> Monomial | None:
    """A sum, with what both terms have taken out: `x * C + y * C` is C times the sum of x and y."""
    if x is None or y is None:
        return y if x is None else x
    y = Monomial(y.scale, y.sign * sign, y.powers)
    if y.powers == x.powers and max(abs(x.scale), abs(y.scale)) < 900:
        total = x.sign * 2**x.scale + y.sign * 2**y.scale
        return None if total == 0 else Monomial(math.log2(abs(total)), 1 if total > 0 else -1, x.powers)
    theirs = dict(y.powers)
    common = Monomial.of({a: min(p, theirs[a]) for a, p in x.powers if a in theirs and p > 0 and theirs[a] > 0})
    first, second = sorted((x, y), key=lambda m: hash(m.powers))
    rest = Monomial.of(dict((first * common**-1).powers))
    other = second * common**-1 * Monomial(-first.scale, first.sign)
    atom = Sum((rest, Monomial(round(other.scale, 5), other.sign, other.powers)), 2)
    return Monomial(first.scale, first.sign) * common * Monomial.of({atom: 1.0})


def _linear(op: ir.Operation, parts: Sequence[Monomial], term: Monomial) -> Monomial:
    """A sum over elements: constants come out of it, and in what order they are added does not matter."""
    if len(op.regions) and single_op(op.regions[0]) != "stablehlo.add":
        return Monomial.of({op.results[0]: 1.0})
    number, factors = _terms_in(op), term.powers
    terms: tuple[Monomial, ...] = (term,)
    if len(factors) == 1 and isinstance(inner := factors[0][0], Sum) and len(inner.terms) == 1:
        terms, number = inner.terms, number * inner.number
    return Monomial(sum(p.scale for p in parts), math.prod(p.sign for p in parts), ((Sum(terms, number), 1.0),))


def _terms_in(op: ir.Operation) -> int:
    """How many terms an element of a sum over elements has, at most."""
    x, out = (max(math.prod(v.type.shape), 1) for v in (op.operands[0], op.results[0]))
    if op.name == "stablehlo.dot_general":
        return math.prod(op.operands[0].type.shape[d] for d in Dims.of(op).contract[0])
    if op.name == "stablehlo.convolution":
        return max(math.prod(op.operands[1].type.shape), 1)
    return max(x // out, 1) if op.name == "stablehlo.reduce" else max(x, _DEVICES)


_DEVICES = 1 << 20
"""More than will ever add something up together."""


# -- the proof ---------------------------------------------------------------------------------------------------------


def keeps_range(op: ir.Operation, new: Sequence[ir.Operation], facts: Facts) -> bool:
    """Whether no op that a rewrite has made for another can leave the range where the program stays within it."""
    made = {r for n in new for r in n.results}
    given = {v for n in new for v in n.operands if v not in made}
    leaves = frozenset(v for v in given if (m := maker(v)) is None or m.name != "stablehlo.constant")
    left, right = Side(leaves), Side(leaves)
    for r in op.results:
        left.of(r)
    for r in made:
        right.of(r)
    proof = Proof(left.between, leaves, facts)
    return all(proof.holds(m, t) for m, t in right.between)


@dataclass
class Proof:
    """What follows from the program's own results being in range."""

    known: Sequence[tuple[Monomial, ir.Type]]
    leaves: frozenset[ir.Value]
    facts: Facts
    _of_leaves: dict[ir.Value, Bound] = field(default_factory=dict)

    @cached_property
    def _of_results(self) -> list[Bound]:
        """What is known of results that are made of something."""
        ranges = ((m, _range_of(t)) for m, t in self.known)
        return [Bound(m, r.normal, r.least, r.most) for m, r in ranges if r is not None and m.powers]

    def holds(self, m: Monomial, t: ir.Type) -> bool:
        """Whether a number of this magnitude is in the range of its type."""
        limits = _range_of(t)
        if any(m.is_like(k) and _is_within(_range_of(u), limits) for k, u in self.known):
            return True
        if limits is None or isinstance(t, ir.ComplexType):
            return False
        low, high = self.bounds(m)
        return low >= limits.normal - NEAR and high <= limits.most + NEAR

    def bounds(self, m: Monomial, depth: int = 3) -> tuple[float, float]:
        """Between what powers of two it lies."""
        low, high = self._combined(m)
        for atom, p in m.powers:
            if not isinstance(atom, Sum) or depth == 0:
                continue
            rest = Monomial.of(dict(m.powers) | {atom: 0.0}, m.scale)
            ends = [self.bounds(rest * term**p, depth - 1) for term in atom.terms]
            if p > 0:  # where terms cancel, the last digit of the least of them may be left
                high = min(high, max(h for _, h in ends) + p * math.log2(max(atom.number, 1)))
                low = max(low, min(least for least, _ in ends) - p * DIGITS)
        return low, high

    def _combined(self, m: Monomial) -> tuple[float, float]:
        """The best bounds that a combination of as many known ones as there are factors gives."""
        atoms = list(m.support)
        if not atoms:
            return m.scale, m.scale
        if len(atoms) > 3:
            return -math.inf, math.inf
        known = [(b, b.form.exponents(atoms)) for b in dict.fromkeys(self._bounds_on(frozenset(atoms)))]
        wanted = m.exponents(atoms)
        low, high = -math.inf, math.inf
        for chosen in itertools.islice(itertools.combinations(known, len(atoms)), COMBINATIONS):
            weights = _weights([exponents for _, exponents in chosen], wanted)
            if weights is None:
                continue
            some = [b for b, _ in chosen]
            # Between known results, and 1, there is no number with fewer digits than all of them.
            free = [w for w, b in zip(weights, some, strict=True) if (b.least, b.most) != (0, 0)]
            between = min(weights) > -NEAR and sum(free) < 1 + NEAR
            base = m.scale - sum(w * b.form.scale for w, b in zip(weights, some, strict=True))
            least = [b.normal if between else b.least for b in some]
            ends = [(w * lo, w * b.most) for w, lo, b in zip(weights, least, some, strict=True)]
            low = max(low, base + sum(map(min, ends)))
            high = min(high, base + sum(map(max, ends)))
        return low, high

    def _bounds_on(self, atoms: frozenset[Hashable]) -> Iterator[Bound]:
        """What is known of results that hold these factors alone."""
        yield from (b for b in self._of_results if all(a in atoms for a, _ in b.form.powers))
        for a in atoms:
            if isinstance(a, ir.Value) and a in self.leaves:  # of what an op makes that is not known here, nothing is
                yield self._bound_of(a)

    def _bound_of(self, leaf: ir.Value) -> Bound:
        found = self._of_leaves.get(leaf)
        if found is None:
            found = self._of_leaves[leaf] = self._read(leaf)
        return found

    def _read(self, leaf: ir.Value) -> Bound:
        """What its type and what makes it say."""
        form, limits = Monomial.of({leaf: 1.0}), _range_of(leaf.type.element_type)
        if limits is None or kind(leaf.type) != "float":
            return Bound(form, -math.inf, -math.inf, math.inf)
        span, (least, most) = self.facts.span(leaf), quanta(leaf)
        if span.size < math.inf:
            most = min(most, math.log2(span.size) if span.size else -math.inf)
        away = max(span.low, -span.high)  # from 0
        least = max(least, math.log2(away) if away > 0 else -math.inf)
        return Bound(form, max(limits.normal, least), max(limits.least, least), min(limits.most, most))


class Bound(NamedTuple):
    """That the logarithm of a magnitude lies between two numbers; `normal` if it has all its digits, too."""

    form: Monomial
    normal: float
    least: float
    most: float


def _weights(columns: Sequence[Sequence[float]], wanted: Sequence[float]) -> list[float] | None:
    """With what weights up to three columns add up to what is wanted, if they are independent: by Cramer's rule.

    (NumPy takes thirty times as long to solve two equations.)
    """
    whole = _determinant(columns)
    if abs(whole) < NEAR:
        return None
    return [_determinant([*columns[:k], wanted, *columns[k + 1 :]]) / whole for k in range(len(columns))]


def _determinant(columns: Sequence[Sequence[float]]) -> float:
    """The determinant of a matrix of at most three columns."""
    if len(columns) == 1:
        return columns[0][0]
    if len(columns) == 2:
        (a, b), (c, d) = columns
        return a * d - b * c
    first, second, third = columns
    (a, b, c), (d, e, f) = second, third
    return first[0] * (b * f - c * e) - first[1] * (a * f - c * d) + first[2] * (a * e - b * d)


def quanta(value: ir.Value, depth: int = DEPTH) -> tuple[float, float]:
    """Between what powers of two the elements lie that are finite and not 0, by the types that they come from."""
    op = maker(value)
    t = value.type.element_type
    limits = _range_of(t)
    own = (0.0, 64.0) if kind(value.type) in ("int", "bool") else (limits.least, limits.most) if limits else _ALL
    if op is None or depth == 0:
        return own
    name = op.name
    if name == "stablehlo.constant" and kind(value.type) == "float":
        numbers = np.abs(np.atleast_1d(_numbers_of(value)).astype(np.float64))
        numbers = numbers[np.isfinite(numbers) & (numbers != 0)]
        return (math.log2(numbers.min()), math.log2(numbers.max())) if numbers.size else own
    if name in _MOVES or name in _SIGNS or name == "stablehlo.convert":
        least, most = quanta(op.operands[0], depth - 1)
    elif name in ("stablehlo.concatenate", "stablehlo.pad", "stablehlo.maximum", "stablehlo.minimum"):
        parts = [quanta(v, depth - 1) for v in op.operands]
        least, most = min(p[0] for p in parts), max(p[1] for p in parts)
    elif name == "stablehlo.sqrt":
        least, most = (n / 2 for n in quanta(op.operands[0], depth - 1))
    elif name == "stablehlo.rsqrt":
        most, least = (-n / 2 for n in quanta(op.operands[0], depth - 1))
    else:
        return own
    return max(least, own[0]), min(most, own[1])


_ALL = (-math.inf, math.inf)


def _numbers_of(constant: ir.Value) -> np.ndarray:
    number = splat_of(constant)
    found = array_of(constant) if number is None else np.asarray(number)
    return np.zeros(1) if found is None else found


def _range_of(t: ir.Type) -> Range | None:
    return RANGES.get(text_of(t.element_type if isinstance(t, ir.ComplexType) else t))


def _is_within(inner: Range | None, outer: Range | None) -> bool:
    return inner is not None and outer is not None and inner.normal >= outer.normal and inner.most <= outer.most
