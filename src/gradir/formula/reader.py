"""Reading a StableHLO function as a formula."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np
from jaxlib.mlir import ir
from jaxlib.mlir.dialects import func
from jaxlib.mlir.dialects import stablehlo as hlo

from gradir.errors import InputError
from gradir.formula.simplify import simplify
from gradir.formula.tree import Formula, Node, array, dtype_kind, make, number, numeric, variable
from gradir.tensor.ir.module import location_text
from gradir.tensor.ir.reading import array_of, direction, dtype, integer, ints, splat_of

__all__ = ["WAY_OUT", "read"]

WAY_OUT = "the program itself can be seen: --as mlir, or stablehlo() of an expression"


def read(function: func.FuncOp, name: str, parameters: Sequence[str], results: Sequence[str]) -> Formula:
    """The formula of a function without calls, with names for its arguments and results."""
    arguments = list(function.entry_block.arguments)
    nodes: dict[ir.Value, Node] = {a: variable(n, *_type(a)) for a, n in zip(arguments, parameters, strict=True)}
    made = _block(function.entry_block, nodes)
    return Formula(name, tuple(nodes[a] for a in arguments), tuple(made), tuple(results))


def _block(block: ir.Block, nodes: dict[ir.Value, Node]) -> list[Node]:
    """What a block returns, by what its operands are; `nodes` takes in what it computes."""
    for view in block.operations:
        op = view.operation
        if op.name in ("func.return", "stablehlo.return"):
            return [nodes[v] for v in op.operands]
        if op.name in CONTROL:
            made = CONTROL[op.name](op, nodes)
        else:
            made = [_node(op, [nodes[v] for v in op.operands])]
        nodes.update(zip(op.results, made, strict=True))
    raise AssertionError("a block returns")


def _refuse(op: ir.Operation, why: str) -> InputError:
    return InputError(
        f"{op.name} can't be shown as a formula: {why}",
        location=location_text(op.location),
        hint=WAY_OUT,
    )


def _type(value: ir.Value) -> tuple[tuple[int, ...], str]:
    t = value.type
    if not isinstance(t, ir.RankedTensorType) or not t.has_static_shape or 0 in t.shape:
        raise InputError(
            f"a value of type {t} can't be shown as a formula: it has no elements, or no known shape", hint=WAY_OUT
        )
    element = str(t.element_type)
    if element.startswith("complex") or dtype(t.element_type) is None:
        raise InputError(f"numbers of type {element} can't be shown as a formula", hint=WAY_OUT)
    return tuple(t.shape), element


UNARY = {
    "stablehlo.negate": "neg", "stablehlo.exponential": "exp", "stablehlo.exponential_minus_one": "expm1",
    "stablehlo.log": "log", "stablehlo.log_plus_one": "log1p", "stablehlo.sqrt": "sqrt", "stablehlo.rsqrt": "rsqrt",
    "stablehlo.cbrt": "cbrt", "stablehlo.sine": "sin", "stablehlo.cosine": "cos", "stablehlo.tan": "tan",
    "stablehlo.tanh": "tanh", "stablehlo.logistic": "sigmoid", "stablehlo.abs": "abs", "stablehlo.sign": "sign",
    "stablehlo.floor": "floor", "stablehlo.ceil": "ceil", "stablehlo.round_nearest_even": "round",
    "stablehlo.not": "not", "stablehlo.is_finite": "isfinite", "chlo.erf": "erf", "chlo.sinh": "sinh",
    "chlo.cosh": "cosh", "chlo.asin": "arcsin", "chlo.acos": "arccos", "chlo.atan": "arctan", "chlo.asinh": "arcsinh",
    "chlo.acosh": "arccosh", "chlo.atanh": "arctanh", "chlo.tan": "tan", "chlo.erfc": "erfc",
    "chlo.lgamma": "lgamma", "chlo.digamma": "digamma",
}  # fmt: skip
BINARY = {
    "stablehlo.add": "add", "stablehlo.subtract": "sub", "stablehlo.multiply": "mul", "stablehlo.power": "power",
    "stablehlo.maximum": "maximum", "stablehlo.minimum": "minimum", "stablehlo.atan2": "atan2", "stablehlo.and": "and",
    "stablehlo.or": "or", "stablehlo.xor": "xor", "stablehlo.remainder": "remainder",
}  # fmt: skip
ON_TRUTHS = {"add": "or", "mul": "and", "maximum": "or", "minimum": "and"}
"""What arithmetic is on truth values."""
REDUCTIONS = {
    "stablehlo.add": "sum", "stablehlo.multiply": "prod", "stablehlo.maximum": "max", "stablehlo.minimum": "min",
    "stablehlo.and": "all", "stablehlo.or": "any",
}  # fmt: skip
COMPARISONS = {"EQ": "==", "NE": "!=", "LT": "<", "LE": "<=", "GT": ">", "GE": ">="}


def _node(op: ir.Operation, args: list[Node]) -> Node:
    shape, element = _type(op.results[0])
    if len(op.results) > 1:
        raise _refuse(op, "it has more than one result")
    if op.name in UNARY:
        if UNARY[op.name] == "not" and element != "i1":
            raise _refuse(op, "it works on bits")
        return make(UNARY[op.name], args, shape, element)
    if op.name in BINARY:
        name = BINARY[op.name]
        if element == "i1":
            name = ON_TRUTHS.get(name, name)
        elif name in ("and", "or", "xor"):
            raise _refuse(op, "it works on bits")
        return make(name, args, shape, element)
    reader = READERS.get(op.name)
    if reader is None:
        raise _refuse(op, "it has no name in one")
    return reader(op, args, shape, element)


Reader = Callable[[ir.Operation, list[Node], tuple[int, ...], str], Node]
READERS: dict[str, Reader] = {}


def reads(*names: str) -> Callable[[Reader], Reader]:
    def add(reader: Reader) -> Reader:
        READERS.update(dict.fromkeys(names, reader))
        return reader

    return add


# -- Control flow ----------------------------------------------------------------------------------------------------


def _while(op: ir.Operation, nodes: dict[ir.Value, Node]) -> list[Node]:
    """A loop of a known number of rounds, written out."""
    condition, body = (region.blocks[0] for region in op.regions)
    state = [nodes[v] for v in op.operands]
    for _ in range(ROUNDS + 1):
        (goes_on,) = _block(condition, nodes | dict(zip(condition.arguments, state, strict=True)))
        known = _known(goes_on)
        if known is None:
            raise _refuse(op, "how often it runs is known only when it does")
        if not known:
            return state
        made = _block(body, nodes | dict(zip(body.arguments, state, strict=True)))
        state = [_folded(m) if m.shape == () and dtype_kind(m.dtype) == "int" else m for m in made]
    raise _refuse(op, f"it runs more than {ROUNDS} rounds")


ROUNDS = 16
"""Of a loop that is written out."""


def _branches(op: ir.Operation, nodes: dict[ir.Value, Node]) -> list[Node]:
    """What one of several branches gives: that of the first condition that holds, or of the last branch."""
    which = nodes[op.operands[0]]
    each = [_block(region.blocks[0], dict(nodes)) for region in op.regions]
    *tested, made = each
    for i, branch in reversed(list(enumerate(tested))):
        condition = which if which.dtype == "i1" else make("==", (which, number(i, which.dtype)), (), "i1")
        made = [make("where", (condition, x, y), x.shape, x.dtype) for x, y in zip(branch, made, strict=True)]
    return made


CONTROL: dict[str, Callable[[ir.Operation, dict[ir.Value, Node]], list[Node]]] = {
    "stablehlo.while": _while,
    "stablehlo.if": _branches,
    "stablehlo.case": _branches,
    "stablehlo.optimization_barrier": lambda op, nodes: [nodes[v] for v in op.operands],
}
"""What has regions that are a part of the program, or results that are its operands."""


def _folded(node: Node) -> Node:
    return simplify(Formula("", (), (node,), ("",))).results[0]


def _known(node: Node) -> int | None:
    """The whole number that a node is, if that can be told."""
    value = numeric(_folded(node))
    return None if value is None else int(value)


# -- Numbers ---------------------------------------------------------------------------------------------------------


@reads("stablehlo.constant")
def _constant(op: ir.Operation, args: list[Node], shape: tuple[int, ...], element: str) -> Node:
    value = splat_of(op.result)
    if value is not None and not isinstance(value, complex):
        made = number(exact(value, element), element)
        return make("broadcast", (made,), shape, element) if shape else made
    values = array_of(op.result)
    if values is None:
        raise _refuse(op, "it is too large to be written down")
    return array(values, element)


def exact(value: float, element: str) -> Fraction | float:
    """The number that was meant: the simplest fraction, or the shortest decimal, that is rounded to this."""
    if not np.isfinite(value):
        return float(value)
    of: Any = {"f32": np.float32, "f64": np.float64, "f16": np.float16}.get(element)
    if of is None:
        return Fraction(value)
    with np.errstate(over="ignore"):
        near = Fraction(float(value)).limit_denominator(SIMPLE)
        if of(float(near)) == of(value):
            return near
        return Fraction(Decimal(str(of(value))))


SIMPLE = 64
"""The largest denominator of a fraction that was probably meant."""


@reads("stablehlo.iota")
def _iota(op: ir.Operation, args: list[Node], shape: tuple[int, ...], element: str) -> Node:
    axis = integer(op, "iota_dimension")
    count = make("arange", (), (shape[axis],), element, shape[axis])
    return _placed(count, (axis,), shape)


# -- Elementwise -----------------------------------------------------------------------------------------------------


@reads("stablehlo.divide")
def _divide(op: ir.Operation, args: list[Node], shape: tuple[int, ...], element: str) -> Node:
    return make("div" if element.startswith(("f", "bf")) else "quotient", args, shape, element)


@reads("stablehlo.compare")
def _compare(op: ir.Operation, args: list[Node], shape: tuple[int, ...], element: str) -> Node:
    if "TOTALORDER" in str(op.attributes.get("compare_type", "")):
        raise _refuse(op, "it compares bits")
    return make(COMPARISONS[direction(op)], args, shape, element)


@reads("stablehlo.select")
def _select(op: ir.Operation, args: list[Node], shape: tuple[int, ...], element: str) -> Node:
    return make("where", args, shape, element)


@reads("stablehlo.convert")
def _convert(op: ir.Operation, args: list[Node], shape: tuple[int, ...], element: str) -> Node:
    if element == "i1":
        return make("!=", (args[0], number(0, args[0].dtype)), shape, "i1")
    return make("cast", args, shape, element)


@reads("stablehlo.clamp")
def _clamp(op: ir.Operation, args: list[Node], shape: tuple[int, ...], element: str) -> Node:
    low, x, high = args
    return make("minimum", (make("maximum", (x, low), shape, element), high), shape, element)


@reads("chlo.square")
def _square(op: ir.Operation, args: list[Node], shape: tuple[int, ...], element: str) -> Node:
    return make("mul", (args[0], args[0]), shape, element)


# -- Shapes ----------------------------------------------------------------------------------------------------------


def _placed(x: Node, dims: Sequence[int], shape: tuple[int, ...]) -> Node:
    """`x` with its axes at `dims` of a shape, and spread along the others."""
    order = sorted(range(x.rank), key=lambda d: dims[d])
    if order != list(range(x.rank)):
        x = make("transpose", (x,), [x.shape[d] for d in order], x.dtype, tuple(order))
    places = sorted(dims)
    first = places[0] if places else len(shape)
    new = tuple(d - first for d in range(first, len(shape)) if d not in places)
    if new:
        x = make("expand", (x,), _inserted(x.shape, new), x.dtype, new)
    return x if x.shape == shape else make("broadcast", (x,), shape, x.dtype)


def _inserted(shape: Sequence[int], axes: Sequence[int]) -> tuple[int, ...]:
    sizes = iter(shape)
    return tuple(1 if d in axes else next(sizes) for d in range(len(shape) + len(axes)))


@reads("stablehlo.broadcast_in_dim")
def _broadcast(op: ir.Operation, args: list[Node], shape: tuple[int, ...], element: str) -> Node:
    return _placed(args[0], ints(op, "broadcast_dimensions"), shape)


@reads("stablehlo.reshape")
def _reshape(op: ir.Operation, args: list[Node], shape: tuple[int, ...], element: str) -> Node:
    x = args[0]
    if [n for n in x.shape if n != 1] != [n for n in shape if n != 1]:
        return make("reshape", args, shape, element, shape)
    # Ones come and go: those that differ are taken away, and put where they are wanted.
    gone, new = _ones(x.shape, shape)
    if gone:
        x = make("squeeze", (x,), [n for d, n in enumerate(x.shape) if d not in gone], element, gone)
    return make("expand", (x,), shape, element, new) if new else x


def _ones(old: tuple[int, ...], wanted: tuple[int, ...]) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Which axes of length one of `old` go, and where in `wanted` new ones come."""
    gone, new = [], []
    i = j = 0
    while i < len(old) or j < len(wanted):
        if i < len(old) and j < len(wanted) and old[i] == wanted[j]:
            i, j = i + 1, j + 1
        elif i < len(old) and old[i] == 1:
            gone.append(i)
            i += 1
        else:
            new.append(j)
            j += 1
    return tuple(gone), tuple(new)


@reads("stablehlo.transpose")
def _transpose(op: ir.Operation, args: list[Node], shape: tuple[int, ...], element: str) -> Node:
    return make("transpose", args, shape, element, ints(op, "permutation"))


@reads("stablehlo.reverse")
def _reverse(op: ir.Operation, args: list[Node], shape: tuple[int, ...], element: str) -> Node:
    return make("flip", args, shape, element, ints(op, "dimensions"))


@reads("stablehlo.slice")
def _slice(op: ir.Operation, args: list[Node], shape: tuple[int, ...], element: str) -> Node:
    bounds = zip(*(ints(op, n) for n in ("start_indices", "limit_indices", "strides")), strict=True)
    return make("index", args, shape, element, tuple(bounds))


def _known_starts(op: ir.Operation, starts: Sequence[Node], whole: Sequence[int], part: Sequence[int]) -> list[int]:
    """Where a part of an array begins, kept within it as StableHLO does."""
    known = [_known(s) for s in starts]
    if None in known:
        raise _refuse(op, "its place is known only when the program runs")
    return [max(0, min(k, n - m)) for k, n, m in zip(known, whole, part, strict=True) if k is not None]


@reads("stablehlo.dynamic_slice")
def _dynamic_slice(op: ir.Operation, args: list[Node], shape: tuple[int, ...], element: str) -> Node:
    x, *starts = args
    places = _known_starts(op, starts, x.shape, shape)
    return make("index", (x,), shape, element, tuple((p, p + n, 1) for p, n in zip(places, shape, strict=True)))


@reads("stablehlo.dynamic_update_slice")
def _dynamic_update_slice(op: ir.Operation, args: list[Node], shape: tuple[int, ...], element: str) -> Node:
    x, part, *starts = args
    places = _known_starts(op, starts, shape, part.shape)
    partial = [d for d in range(len(shape)) if part.shape[d] != shape[d]]
    if not partial:
        return part
    if len(partial) > 1:
        raise _refuse(op, "it writes to a part of several axes")
    (axis,) = partial
    start, stop = places[axis], places[axis] + part.shape[axis]
    pieces = [_cut(x, axis, 0, start), part, _cut(x, axis, stop, shape[axis])]
    return make("concat", [p for p in pieces if p.shape[axis]], shape, element, axis)


def _cut(x: Node, axis: int, start: int, stop: int) -> Node:
    bounds = [(0, n, 1) if d != axis else (start, stop, 1) for d, n in enumerate(x.shape)]
    return make("index", (x,), [len(range(*b)) for b in bounds], x.dtype, tuple(bounds))


@reads("stablehlo.concatenate")
def _concatenate(op: ir.Operation, args: list[Node], shape: tuple[int, ...], element: str) -> Node:
    return make("concat", args, shape, element, integer(op, "dimension"))


@reads("stablehlo.pad")
def _pad(op: ir.Operation, args: list[Node], shape: tuple[int, ...], element: str) -> Node:
    low, high, between = (ints(op, n) for n in ("edge_padding_low", "edge_padding_high", "interior_padding"))
    if any(between) or min((*low, *high), default=0) < 0:
        raise _refuse(op, "it pads between elements, or by less than nothing")
    return args[0] if not shape else make("pad", args, shape, element, tuple(zip(low, high, strict=True)))


# -- Reductions and products -----------------------------------------------------------------------------------------


@reads("stablehlo.reduce")
def _reduce(op: ir.Operation, args: list[Node], shape: tuple[int, ...], element: str) -> Node:
    body = [view.operation for view in op.regions[0].blocks[0].operations]
    arguments = list(op.regions[0].blocks[0].arguments)
    plain = len(body) == 2 and set(body[0].operands) == set(arguments) and body[1].operands[0] == body[0].results[0]
    if not plain or body[0].name not in REDUCTIONS:
        raise _refuse(op, "it reduces by a function of its own")
    name = REDUCTIONS[body[0].name]
    x, start = args
    if element == "i1":
        name = {"sum": "any", "max": "any", "prod": "all", "min": "all"}.get(name, name)
    made = make(name, (x,), shape, element, ints(op, "dimensions"))
    return made if _is_neutral(start, name) else _joined(op, name, made, start)


def _is_neutral(start: Node, name: str) -> bool:
    if start.op != "number":
        return False
    if name in ("sum", "any"):
        return bool(start.data == 0)
    if name in ("prod", "all"):
        return bool(start.data == 1)
    integers = {"max": -(2**31), "min": 2**31 - 1}
    return bool(start.data == {"max": -np.inf, "min": np.inf}[name] or start.data == integers[name])


def _joined(op: ir.Operation, name: str, made: Node, start: Node) -> Node:
    """With a first value that counts."""
    join = {"sum": "add", "prod": "mul", "max": "maximum", "min": "minimum", "any": "or", "all": "and"}[name]
    return make(join, (made, start), made.shape, made.dtype)


@reads("stablehlo.dot")
def _plain_dot(op: ir.Operation, args: list[Node], shape: tuple[int, ...], element: str) -> Node:
    return make("matmul", args, shape, element)


@reads("stablehlo.einsum")
def _einsum_op(op: ir.Operation, args: list[Node], shape: tuple[int, ...], element: str) -> Node:
    return make("einsum", args, shape, element, ir.StringAttr(op.attributes["einsum_config"]).value)


@reads("stablehlo.dot_general")
def _dot(op: ir.Operation, args: list[Node], shape: tuple[int, ...], element: str) -> Node:
    numbers = hlo.DotDimensionNumbers(op.attributes["dot_dimension_numbers"])
    left, right = args
    batches = tuple(numbers.lhs_batching_dimensions), tuple(numbers.rhs_batching_dimensions)
    summed = tuple(numbers.lhs_contracting_dimensions), tuple(numbers.rhs_contracting_dimensions)
    if not batches[0] and len(summed[0]) == 1 and left.rank <= 2 and right.rank <= 2:
        a = _with_last(left, summed[0][0])
        b = right if right.rank == 1 or summed[1][0] == 0 else _flipped(right)
        return make("matmul", (a, b), shape, element)
    leading = tuple(range(left.rank - 2))
    if batches == (leading, leading) and summed == ((left.rank - 1,), (right.rank - 2,)):
        return make("matmul", args, shape, element)
    return make("einsum", args, shape, element, _einsum(left.rank, right.rank, batches, summed))


def _flipped(x: Node) -> Node:
    return make("transpose", (x,), x.shape[::-1], x.dtype, (1, 0))


def _with_last(x: Node, axis: int) -> Node:
    """A vector or a matrix whose last axis is this one."""
    return x if x.rank == 1 or axis == 1 else _flipped(x)


def _einsum(left: int, right: int, batches: tuple[Any, Any], summed: tuple[Any, Any]) -> str:
    letters = iter("ijklmnopqrstuvwxyzabcdefgh")
    names: tuple[dict[int, str], dict[int, str]] = ({}, {})
    for a, b in (*zip(*batches, strict=True), *zip(*summed, strict=True)):
        names[0][a] = names[1][b] = next(letters)
    for side, rank in zip(names, (left, right), strict=True):
        for d in range(rank):
            if d not in side:
                side[d] = next(letters)
    free = [side[d] for side, rank, b, c in zip(names, (left, right), batches, summed, strict=True)
            for d in range(rank) if d not in b and d not in c]  # fmt: skip
    result = [names[0][d] for d in batches[0]] + free
    sides = ["".join(side[d] for d in sorted(side)) for side in names]
    return f"{sides[0]},{sides[1]}->{''.join(result)}"
