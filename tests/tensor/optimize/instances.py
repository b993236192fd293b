"""Random programs that a rule's left side matches, made from its pattern alone.

A pattern is built from the top: given the type that the whole shall have, each op says of which types its operands can
be, and draws its attributes on the way. A name in the pattern becomes an argument, or now and then something of which a
fact can be proved (an absolute value, a truth value as a number). A draw that does not work out (one name, two types)
is thrown away.

Where a rule asks for more than chance brings about, `given` in `special.py` has a generator for it.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from jaxlib.mlir import ir
from jaxlib.mlir.dialects import stablehlo as hlo

from gradir.tensor.ir import expr as E
from gradir.tensor.ir.expr import Expr
from gradir.tensor.ir.reading import kind
from gradir.tensor.optimize.pattern import BINARY, CLASSES, UNARY, Node, Pattern, Rest, Splat
from gradir.tensor.optimize.pattern import Any as Anything
from gradir.tensor.optimize.rule import Rewrite

NUMBERS: dict[str, list[Any]] = {
    "float": [0.5, 2.0, 3.0, -1.5, 0.25, -2.0, 0.125, 5.0, 8.0, 1.0, 0.0, float("inf"), float("nan")],
    "complex": [1 + 2j, 0.5, -1j],
    "int": [1, 2, 3, -2, 5, 7],
    "bool": [True, False],
}
ARITHMETIC = ["add", "subtract", "multiply", "divide", "maximum"]


class Retry(Exception):
    """This draw leads nowhere."""


@dataclass
class Draw:
    """One program being drawn: a block that gets its arguments as they are needed."""

    rng: np.random.Generator
    block: ir.Block
    finite: bool = False
    """Whether the rule is for finite numbers alone."""
    names: dict[Any, Any] = field(default_factory=dict)
    moves: bool = False
    """Whether operands shall come by movements: reshapes, transposes and their kind."""

    floats: Sequence[str] = ("f32", "f32", "f64")
    """Element types to draw from."""
    inexact: bool = False
    """Whether to draw floats and complex numbers where that is possible."""
    scales: Sequence[int] = ()
    """Powers of two that constants are now and then multiplied with."""
    constants: bool = False
    """Whether operands shall be constants."""

    def __post_init__(self) -> None:
        self.moves = self.chance(0.3) and not self.finite

    def chance(self, p: float) -> bool:
        return bool(self.rng.random() < p)

    def integer(self, low: int, high: int) -> int:
        """From `low` to `high`, both included."""
        return int(self.rng.integers(low, high + 1))

    def pick(self, options: Sequence[Any]) -> Any:
        return options[self.integer(0, len(options) - 1)]

    def subset(self, options: Sequence[Any], p: float = 0.5) -> list[Any]:
        return [o for o in options if self.chance(p)]

    def shuffled(self, options: Sequence[Any]) -> list[Any]:
        return [options[i] for i in self.rng.permutation(len(options))]

    def shape(self, low: int = 0, high: int = 3, largest: int = 4) -> list[int]:
        return [self.pick(range(1, largest + 1)) for _ in range(self.integer(low, high))]

    def dtype(self, kinds: Sequence[str]) -> ir.Type:
        floats = [k for k in kinds if k in ("float", "complex")]
        of = self.pick(sorted(floats if self.inexact and floats else kinds))
        return ir.Type.parse(
            {
                "float": self.pick(self.floats),
                "complex": "complex<f32>",
                "int": self.pick(["i32", "i64", "ui32"]),
                "bool": "i1",
            }[of]
        )

    # -- leaves

    def argument(self, t: ir.Type) -> Expr:
        return Expr(self.block.add_argument(t, ir.Location.unknown()))

    def leaf(self, t: ir.RankedTensorType) -> Expr:
        """An argument, or something about which more is known."""
        if self.constants:
            return self.constant(t)
        if kind(t) == "int" and not t.rank and self.chance(0.4):
            return E.full(t, self.pick(range(4)))
        if self.moves:
            return self.moved(t) if self.chance(0.8) else self.argument(t)
        if kind(t) != "float" or self.finite or self.chance(0.5):
            return self.argument(t)
        boolean = E.tensor(t.shape, ir.Type.parse("i1"))
        match self.integer(0, 4):
            case 0:
                return E.absolute(self.argument(t))
            case 1:
                return E.convert(self.argument(boolean), t.element_type)
            case 2:
                return E.convert(self.argument(boolean), t.element_type) + 1
            case 3:
                return E.exp(self.argument(t))
        return E.iota(t.shape, 0, t.element_type) if t.rank else self.argument(t)

    def constant(self, t: ir.RankedTensorType) -> Expr:
        """One number everywhere, or a small one for each element."""
        if self.chance(0.5) or kind(t) == "complex" or not t.rank:
            return E.full(t, self.number(t))
        numbers = {"float": [0.5, 2.0, -1.5, 0.25], "bool": [False, True]}.get(kind(t), [1, 2, 3])
        return E.array(self.rng.choice(numbers, t.shape), t.element_type)

    def moved(self, t: ir.RankedTensorType) -> Expr:
        """A value that comes by a movement: rules for these look behind operands that patterns leave open."""
        name = self.pick(["broadcast_in_dim", "transpose", "reshape", "constant", "slice", "pad"])
        if name == "constant":
            return self.constant(t)
        movement = self.names.setdefault("movement", name)
        types, attributes = self.names.setdefault(("movement", t), SPREAD[movement](self, t, 1))
        operands = [self.argument(types[0]), *(E.full(u, 0) for u in types[1:])]
        return E.op(f"stablehlo.{movement}", *operands, result=t, **attributes)

    def number(self, t: ir.RankedTensorType) -> Any:
        options = NUMBERS[kind(t)]
        if kind(t) == "float" and self.chance(0.8):
            options = options[:9]
        number = self.pick(options)
        if kind(t) == "float" and self.scales and self.chance(0.7):
            number *= 2.0 ** self.pick(self.scales)
        return abs(number) if str(t.element_type).startswith("ui") else number

    # -- patterns

    def build(self, pattern: Pattern, t: ir.RankedTensorType) -> Expr:
        match pattern:
            case Anything(name) if name in self.names:
                found = self.names[name]
                if found.type != t:
                    raise Retry
                return found
            case Anything(name) if name.startswith("init") and self.chance(0.8):
                made = self.names[name] = E.full(t, neutral(self.names["body"], t))
                return made
            case Anything(name):
                made = self.names[name] = self.leaf(t)
                return made
            case Splat(name, number):
                if number is None:
                    number = self.names.setdefault((name, kind(t)), self.number(t))
                if kind(t) in ("int", "bool") and number != number:
                    raise Retry
                if str(t.element_type).startswith("ui") and number < 0:
                    raise Retry
                return E.full(t, number)
            case Node():
                return self.node(pattern, t)
        raise AssertionError(pattern)

    def of_class(self, op: str, t: ir.RankedTensorType) -> str:
        """Some op of a class, for a result of this type."""
        options = {
            "float": {"unary": ["abs", "exponential", "negate", "sine", "tanh", "convert"], "binary": ARITHMETIC},
            "complex": {"unary": ["negate", "exponential"], "binary": ["add", "multiply", "complex"]},
            "int": {"unary": ["negate", "abs", "convert"], "binary": ["add", "multiply", "maximum", "and"]},
            "bool": {"unary": ["not", "is_finite"], "binary": ["and", "or", "compare"]},
        }[kind(t)]
        options["elementwise"] = [*options["unary"], *options["binary"], "select"]
        name = self.pick(options[op.removeprefix("stablehlo.")])
        if name in ("abs", "negate") and str(t.element_type).startswith("ui"):
            name = "convert"
        return f"stablehlo.{name}"

    def node(self, pattern: Node, t: ir.RankedTensorType) -> Expr:
        if pattern.op == "stablehlo.constant":
            return E.full(t, self.number(t))
        if pattern.op in CLASSES:
            name = self.of_class(pattern.op, t)
            operands = pattern.operands
            if isinstance(operands[0], Rest):
                n = 1 if name in UNARY else 2 if name in BINARY else 3
                operands = tuple(Anything(f"{operands[0].name}{i}") for i in range(n))
            pattern = Node(name, operands)
        spread = SPREAD.get(pattern.op.removeprefix("stablehlo."), _same)
        n, first = len(pattern.operands), pattern.first
        if pattern.rest is not None:
            arity = {"stablehlo.dynamic_slice": t.rank + 1, "stablehlo.dynamic_update_slice": t.rank + 2}
            n = arity.get(pattern.op) or self.integer(max(1, len(first)), 3)
            pattern = Node(pattern.op, (*first, *(Anything(f"{pattern.rest}{i}") for i in range(len(first), n))))
        types, attributes = spread(self, t, n)
        if len(types) != n:
            raise Retry
        operands = [self.build(p, u) for p, u in zip(pattern.operands, types, strict=True)]
        region = attributes.pop("region", None)
        with ir.Location.unknown():
            made = ir.Operation.create(
                pattern.op, [t], [o.value for o in operands], attributes, regions=0 if region is None else 1
            )
            if region is not None:
                scalar = E.tensor([], t.element_type)
                E.fill(made.regions[0], [scalar, scalar], lambda a, b: [E.op(region, a, b)])
        return Expr(made.results[0])


Types = list[ir.RankedTensorType]
Spread = Callable[[Draw, ir.RankedTensorType, int], tuple[Types, dict[str, Any]]]


def _same(draw: Draw, t: ir.RankedTensorType, n: int) -> tuple[Types, dict[str, Any]]:
    return [t] * n, {}


def like(t: ir.RankedTensorType, shape: Sequence[int]) -> ir.RankedTensorType:
    return E.tensor(shape, t.element_type)


def broadcast_in_dim(draw: Draw, t: ir.RankedTensorType, n: int) -> tuple[Types, dict[str, Any]]:
    dims = draw.subset(range(t.rank), 0.6)
    if draw.chance(0.2):
        dims = draw.shuffled(dims)
    shape = [1 if draw.chance(0.2) else t.shape[d] for d in dims]
    return [like(t, shape)], {"broadcast_dimensions": E.i64s(dims)}


def reshape(draw: Draw, t: ir.RankedTensorType, n: int) -> tuple[Types, dict[str, Any]]:
    shape = list(t.shape)
    for _ in range(draw.integer(1, 2)):
        match draw.integer(0, 3):
            case 0:
                shape.insert(draw.integer(0, len(shape)), 1)
            case 1 if 1 in shape:
                shape.remove(1)
            case 2 if len(shape) >= 2:
                d = draw.integer(0, len(shape) - 2)
                shape[d : d + 2] = [shape[d] * shape[d + 1]]
            case 3 if any(s == 4 for s in shape):
                d = shape.index(4)
                shape[d : d + 1] = [2, 2]
    return [like(t, shape)], {}


def transpose(draw: Draw, t: ir.RankedTensorType, n: int) -> tuple[Types, dict[str, Any]]:
    permutation = draw.shuffled(range(t.rank))
    shape = [0] * t.rank
    for to, source in enumerate(permutation):
        shape[source] = t.shape[to]
    return [like(t, shape)], {"permutation": E.i64s(permutation)}


def slice_(draw: Draw, t: ir.RankedTensorType, n: int) -> tuple[Types, dict[str, Any]]:
    start = [draw.pick([0, 0, 1, 2]) for _ in t.shape]
    strides = [draw.pick([1, 1, 1, 2]) for _ in t.shape]
    limit = [a + (m - 1) * s + 1 for a, m, s in zip(start, t.shape, strides, strict=True)]
    shape = [b + draw.pick([0, 0, 1, 2]) for b in limit]
    attributes = {"start_indices": E.i64s(start), "limit_indices": E.i64s(limit), "strides": E.i64s(strides)}
    return [like(t, shape)], attributes


def pad(draw: Draw, t: ir.RankedTensorType, n: int) -> tuple[Types, dict[str, Any]]:
    low, high, interior, shape = [], [], [], []
    for m in t.shape:
        a = draw.integer(0, m - 1) if draw.chance(0.8) else -1
        b = draw.integer(0, m - 1 - max(a, 0))
        rest = m - a - b
        i = 1 if draw.chance(0.15) and rest % 2 else 0
        shape.append((rest + i) // (i + 1))
        low.append(a)
        high.append(b)
        interior.append(i)
    attributes = {
        "edge_padding_low": E.i64s(low),
        "edge_padding_high": E.i64s(high),
        "interior_padding": E.i64s(interior),
    }
    return [like(t, shape), like(t, [])], attributes


def concatenate(draw: Draw, t: ir.RankedTensorType, n: int) -> tuple[Types, dict[str, Any]]:
    dims = [d for d in range(t.rank) if t.shape[d] >= n]
    if not dims:
        raise Retry
    dim = draw.pick(dims)
    cuts = sorted(draw.rng.choice(t.shape[dim] - 1, n - 1, replace=False) + 1) if n > 1 else []
    ends = [0, *(int(c) for c in cuts), t.shape[dim]]
    sizes = [b - a for a, b in itertools.pairwise(ends)]
    types = [like(t, [*t.shape[:dim], m, *t.shape[dim + 1 :]]) for m in sizes]
    return types, {"dimension": E.i64(dim)}


def reverse(draw: Draw, t: ir.RankedTensorType, n: int) -> tuple[Types, dict[str, Any]]:
    return [t], {"dimensions": E.i64s(draw.subset(range(t.rank)))}


def iota(draw: Draw, t: ir.RankedTensorType, n: int) -> tuple[Types, dict[str, Any]]:
    if not t.rank or kind(t) == "bool":
        raise Retry
    return [], {"iota_dimension": E.i64(draw.integer(0, t.rank - 1))}


def reduce(draw: Draw, t: ir.RankedTensorType, n: int) -> tuple[Types, dict[str, Any]]:
    shape, dims = list(t.shape), []
    for _ in range(draw.integer(1, 2)):
        d = draw.integer(0, len(shape))
        dims = [e + (e >= d) for e in dims] + [d]
        shape.insert(d, draw.integer(1, 3))
    bodies = {"float": ["add", "add", "maximum", "minimum", "multiply"], "bool": ["and", "or"], "complex": ["add"]}
    body = draw.names.setdefault("body", draw.pick(bodies.get(kind(t), ["add", "maximum", "minimum"])))
    return [like(t, shape), like(t, [])], {"dimensions": E.i64s(sorted(dims)), "region": f"stablehlo.{body}"}


def neutral(body: str, t: ir.RankedTensorType) -> Any:
    if kind(t) == "bool":
        return body == "and"
    if body in ("maximum", "minimum") and kind(t) == "float":
        return -np.inf if body == "maximum" else np.inf
    return {"add": 0, "multiply": 1}.get(body, 0)


def reduce_window(draw: Draw, t: ir.RankedTensorType, n: int) -> tuple[Types, dict[str, Any]]:
    window = [draw.pick([1, 1, 3]) for _ in t.shape]
    if any(w != 1 and m != 1 for w, m in zip(window, t.shape, strict=True)):
        raise Retry
    shape = [w if w != 1 else m for w, m in zip(window, t.shape, strict=True)]
    body = draw.names.setdefault("body", draw.pick(["add", "maximum"]))
    attributes = {"window_dimensions": E.i64s(window), "region": f"stablehlo.{body}"}
    return [like(t, shape), like(t, [])], attributes


def all_reduce(draw: Draw, t: ir.RankedTensorType, n: int) -> tuple[Types, dict[str, Any]]:
    if kind(t) != "float":
        raise Retry
    groups = ir.DenseIntElementsAttr.get(np.array([[0, 1]], np.int64))
    return [t], {"replica_groups": groups, "region": "stablehlo.add"}


def collective_permute(draw: Draw, t: ir.RankedTensorType, n: int) -> tuple[Types, dict[str, Any]]:
    pairs = np.array([[0, 1], [1, 0]] if draw.chance(0.7) else [[0, 0], [1, 1]], np.int64)
    return [t], {"source_target_pairs": ir.DenseIntElementsAttr.get(pairs)}


def compare(draw: Draw, t: ir.RankedTensorType, n: int) -> tuple[Types, dict[str, Any]]:
    if kind(t) != "bool":
        raise Retry
    of = draw.dtype(["float", "float", "int"])
    direction = draw.pick(["EQ", "NE", "LT", "LE", "GT", "GE"])
    return [E.tensor(t.shape, of)] * 2, {"comparison_direction": hlo.ComparisonDirectionAttr.get(direction)}


def select(draw: Draw, t: ir.RankedTensorType, n: int) -> tuple[Types, dict[str, Any]]:
    scalar = draw.chance(0.2)
    return [E.tensor([] if scalar else t.shape, ir.Type.parse("i1")), t, t], {}


def clamp(draw: Draw, t: ir.RankedTensorType, n: int) -> tuple[Types, dict[str, Any]]:
    bounds = like(t, []) if draw.chance(0.3) else t
    return [bounds, t, bounds], {}


def convert(draw: Draw, t: ir.RankedTensorType, n: int) -> tuple[Types, dict[str, Any]]:
    # Not from floats to integers: what becomes of numbers that don't fit is nobody's law.
    options = {"float": ["f32", "f64", "i32", "i1"], "int": ["i32", "i64", "i1", "ui32"], "bool": ["i1", "i32"]}
    source = draw.pick(options.get(kind(t), ["f32"]))
    return [E.tensor(t.shape, ir.Type.parse(source))], {}


def part(draw: Draw, t: ir.RankedTensorType, n: int) -> tuple[Types, dict[str, Any]]:
    """real and imag"""
    return [E.tensor(t.shape, ir.ComplexType.get(t.element_type) if draw.chance(0.9) else t.element_type)], {}


def parts(draw: Draw, t: ir.RankedTensorType, n: int) -> tuple[Types, dict[str, Any]]:
    if kind(t) != "complex":
        raise Retry
    return [E.tensor(t.shape, t.element_type.element_type)] * 2, {}


def absolute(draw: Draw, t: ir.RankedTensorType, n: int) -> tuple[Types, dict[str, Any]]:
    of = t.element_type
    return [E.tensor(t.shape, ir.ComplexType.get(of) if kind(t) == "float" and draw.chance(0.3) else of)], {}


def dot_general(draw: Draw, t: ir.RankedTensorType, n: int) -> tuple[Types, dict[str, Any]]:
    batch = draw.integer(0, t.rank) if draw.chance(0.5) else 0
    left = draw.integer(batch, t.rank)
    sums = draw.shape(0, 2, 3)
    sides, places = [], []
    for free in (t.shape[batch:left], t.shape[left:]):
        tags = [("b", i, m) for i, m in enumerate(t.shape[:batch])]
        tags += [("c", i, m) for i, m in enumerate(sums)]
        order = draw.shuffled([*tags, *(("f", i, m) for i, m in enumerate(free))])
        # The free dimensions keep their order, which is the result's.
        frees = iter(sorted(x for x in order if x[0] == "f"))
        order = [next(frees) if x[0] == "f" else x for x in order]
        sides.append(like(t, [m for _, _, m in order]))
        at = {(kind_, i): d for d, (kind_, i, _) in enumerate(order)}
        places.append(([at["b", i] for i in range(batch)], [at["c", i] for i in range(len(sums))]))
    (b0, c0), (b1, c1) = places
    return sides, {"dot_dimension_numbers": hlo.DotDimensionNumbers.get(b0, b1, c0, c1)}


def dynamic_slice(draw: Draw, t: ir.RankedTensorType, n: int) -> tuple[Types, dict[str, Any]]:
    shape = [m + draw.pick([0, 0, 1, 2]) for m in t.shape]
    index = E.tensor([], ir.Type.parse("i32"))
    return [like(t, shape), *[index] * (n - 1)] if t.rank == n - 1 else [], {"slice_sizes": E.i64s(t.shape)}


def dynamic_update_slice(draw: Draw, t: ir.RankedTensorType, n: int) -> tuple[Types, dict[str, Any]]:
    shape = [max(1, m - draw.pick([0, 0, 1, 2])) for m in t.shape]
    index = E.tensor([], ir.Type.parse("i32"))
    return [t, like(t, shape), *[index] * (n - 2)] if t.rank == n - 2 else [], {}


def is_finite(draw: Draw, t: ir.RankedTensorType, n: int) -> tuple[Types, dict[str, Any]]:
    return [E.tensor(t.shape, draw.dtype(["float"]))], {}


def get_dimension_size(draw: Draw, t: ir.RankedTensorType, n: int) -> tuple[Types, dict[str, Any]]:
    if t.rank or str(t.element_type) != "i32":
        raise Retry
    shape = draw.shape(1, 3)
    return [E.tensor(shape, draw.dtype(["float"]))], {"dimension": E.i64(draw.integer(0, len(shape) - 1))}


def dynamic_broadcast(draw: Draw, t: ir.RankedTensorType, n: int) -> tuple[Types, dict[str, Any]]:
    types, attributes = broadcast_in_dim(draw, t, 1)
    draw.names["s"] = E.array(np.array(t.shape, np.int32), ir.Type.parse("i32"))
    return [*types, draw.names["s"].type], attributes


def dynamic_reshape(draw: Draw, t: ir.RankedTensorType, n: int) -> tuple[Types, dict[str, Any]]:
    types, attributes = reshape(draw, t, 1)
    draw.names["s"] = E.array(np.array(t.shape, np.int32), ir.Type.parse("i32"))
    return [*types, draw.names["s"].type], attributes


SPREAD: dict[str, Spread] = {
    "broadcast_in_dim": broadcast_in_dim, "reshape": reshape, "transpose": transpose, "slice": slice_, "pad": pad,
    "concatenate": concatenate, "reverse": reverse, "iota": iota, "reduce": reduce, "compare": compare,
    "select": select, "clamp": clamp, "convert": convert, "real": part, "imag": part, "complex": parts,
    "abs": absolute, "dot_general": dot_general, "dynamic_slice": dynamic_slice, "is_finite": is_finite,
    "dynamic_update_slice": dynamic_update_slice, "get_dimension_size": get_dimension_size,
    "dynamic_broadcast_in_dim": dynamic_broadcast, "dynamic_reshape": dynamic_reshape,
    "reduce_window": reduce_window, "all_reduce": all_reduce, "collective_permute": collective_permute,
}  # fmt: skip


def from_pattern(rewrite: Rewrite, draw: Draw) -> Expr:
    """The rule's left side, of a type that it is for."""
    draw.constants = rewrite.operands == {"stablehlo.constant"}
    shape = draw.shape(0 if draw.chance(0.3) else 1, 3)
    return draw.build(rewrite.pattern, E.tensor(shape, draw.dtype(sorted(rewrite.kinds))))
