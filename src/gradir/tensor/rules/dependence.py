"""How dependence flows through each op: which elements of its operands each element of a result is computed from.

An op that is not known here makes every element of its results depend on all that its operands do. Numbers that follow
from the program alone (indices, masks, zeros of constant matrices, counters of loops) make the answer exact; where they
are not known, every place that they could name counts.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Mapping, Sequence

import numpy as np
from jaxlib.mlir import ir
from jaxlib.mlir.dialects import func
from jaxlib.mlir.dialects import stablehlo as hlo

from gradir.tensor.analysis.dependence import Dependence, together, union
from gradir.tensor.analysis.known import evaluated
from gradir.tensor.analysis.movement import MOVES, Labels, gathered, scattered, starts_of, taps
from gradir.tensor.ir.dot import Dims
from gradir.tensor.ir.reading import dtype, integer, ints, kind, maker, splat_of
from gradir.tensor.ir.regions import captures, steps, terminator
from gradir.tensor.rules.convolution import Convolution
from gradir.tensor.rules.windows import Window

ROUNDS = 4096
"""How many rounds of loops are followed one by one; the others are taken together."""
PATIENCE = 8
"""After so many rounds taken together, a value that still grows is taken to depend on all that the loop sees."""
WIDEST = 256
"""Windows with more positions than this are taken as a whole."""

ELEMENTWISE = frozenset((
    "abs", "add", "and", "atan2", "cbrt", "ceil", "clamp", "compare", "complex", "convert", "cosine",
    "count_leading_zeros", "divide", "exponential", "exponential_minus_one", "floor", "imag", "is_finite", "log",
    "log_plus_one", "logistic", "maximum", "minimum", "multiply", "negate", "not", "or", "popcnt", "power", "real",
    "reduce_precision", "remainder", "round_nearest_afz", "round_nearest_even", "rsqrt", "select", "shift_left",
    "shift_right_arithmetic", "shift_right_logical", "sign", "sine", "sqrt", "subtract", "tan", "tanh", "xor",
))  # fmt: skip
ELEMENTWISE_CHLO = frozenset((
    "_asin_acos_kernel", "acos", "acosh", "asin", "asinh", "atan", "atanh", "bessel_i1e", "conj", "cosh", "digamma",
    "erf", "erf_inv", "erfc", "lgamma", "next_after", "polygamma", "sinh", "square", "tan", "zeta",
))  # fmt: skip


def is_elementwise(op: ir.Operation) -> bool:
    """Whether each element of the result is computed from the operands' elements in its place (scalars: in any)."""
    dialect, _, name = op.name.partition(".")
    return name in {"stablehlo": ELEMENTWISE, "chlo": ELEMENTWISE_CHLO}.get(dialect, ())


Found = Dependence | None
Flow = Callable[["Dependences", ir.Operation, list[Found]], Sequence[Found]]

FLOWS: dict[str, Flow] = {}


def _flow(*names: str) -> Callable[[Flow], Flow]:
    def add(flow: Flow) -> Flow:
        for name in names:
            FLOWS[f"stablehlo.{name}"] = flow
        return flow

    return add


class Dependences:
    """A walk through a function, for some variables: what each value depends on, and what is known of numbers."""

    def __init__(self, functions: Mapping[str, func.FuncOp]) -> None:
        self.functions = functions
        self.found: dict[ir.Value, Found] = {}
        self.numbers: dict[ir.Value, Labels | None] = {}
        self.rounds = ROUNDS

    def function(
        self, name: str, arguments: Sequence[Found], numbers: Sequence[Labels | None]
    ) -> tuple[list[Found], list[Labels | None]]:
        """What a function's results depend on, and those that are known."""
        entry = self.functions[name].entry_block
        self.bind(entry.arguments, arguments, numbers)
        returned = self.block(entry)
        return [self.found.get(v) for v in returned], [self.number(v) for v in returned]

    def bind(self, values: Sequence[ir.Value], found: Sequence[Found], numbers: Sequence[Labels | None]) -> None:
        for v, f, n in zip(values, found, numbers, strict=True):
            self.found[v], self.numbers[v] = f, n

    def block(self, block: ir.Block) -> list[ir.Value]:
        """Walk a block; gives what its terminator returns."""
        for op in steps(block):
            self.op(op)
        return list(terminator(block).operands)

    def op(self, op: ir.Operation) -> None:
        for r in op.results:
            self.numbers.pop(r, None)  # of the round before
        if op.name in _CONTROL:
            return _CONTROL[op.name](self, op)
        operands = [self.found.get(v) for v in op.operands]
        outside = [self.found.get(v) for v in captures(op.regions)] if len(op.regions) else []
        results: Sequence[Found] = [None] * len(op.results)
        if any(d is not None for d in outside):
            results = _everything(op, [*operands, *outside])
        elif any(d is not None for d in operands):
            results = self._leaf(op, operands)
        for r, d in zip(op.results, results, strict=True):
            self.found[r] = d
        return None

    def _leaf(self, op: ir.Operation, operands: list[Found]) -> Sequence[Found]:
        if not all(_is_static(v.type) for v in (*op.operands, *op.results)):
            return _everything(op, operands)
        dialect, _, name = op.name.partition(".")
        if name in MOVES and dialect == "stablehlo":
            return [_moved(op, operands)]
        flow = FLOWS.get(op.name)
        if flow is not None:
            return flow(self, op, operands)
        if is_elementwise(op):
            return [_elementwise(op, operands)]
        return _everything(op, operands)

    # -- numbers

    def number(self, value: ir.Value, depth: int = 64) -> Labels | None:
        """What a value is, if that follows from the program: whole numbers, and floats that were only moved about."""
        if value not in self.numbers:
            self.numbers[value] = self._number(value, depth) if depth else None
        return self.numbers[value]

    def _number(self, value: ir.Value, depth: int) -> Labels | None:
        op, of = maker(value), kind(value.type)
        if op is None or of not in ("int", "bool", "float"):
            return None
        name = op.name.removeprefix("stablehlo.")
        if name == "constant":
            return _constant(op)
        if name == "iota":
            shape, along = value.type.shape, integer(op, "iota_dimension")
            line = np.arange(shape[along]).reshape([-1 if d == along else 1 for d in range(len(shape))])
            return np.broadcast_to(line, shape)
        if len(op.results) != 1 or len(op.regions):
            return None
        exact = {*MOVES, "dynamic_slice", "gather", "select", "convert", "optimization_barrier"}
        if of == "float" and name not in exact:
            return None
        operands = [self.number(v, depth - 1) for v in op.operands]
        known = [x for x in operands if x is not None]
        if len(known) < len(operands):
            return None
        if name == "dynamic_slice":
            return known[0][starts_of(op, ints(op, "slice_sizes"), known[1:])]
        if name == "gather":
            places = gathered(op, known[1])
            return None if (places < 0).any() else known[0].ravel()[places]
        if name == "convert" and (kind(op.operands[0].type) == "float") != (of == "float"):
            # From a float: rounded somehow. To a float: zero stays zero, and nothing else becomes zero.
            return known[0].astype(np.float64) if of == "float" else None
        if of == "float":
            return _float(op, name, known)
        if any(kind(v.type) == "float" for v in op.operands):
            return None
        return evaluated(op, known)

    def zero(self, value: ir.Value) -> Labels | None:
        """Where a value is known to be zero; None if nowhere."""
        number = splat_of(value)
        if number is not None and number != 0:
            return None
        found = self.number(value)
        return None if found is None or found.all() else found == 0


def _float(op: ir.Operation, name: str, known: Sequence[Labels]) -> Labels | None:
    if name in MOVES:
        return MOVES[name](op, *known)
    if name == "select":
        return np.where(known[0], known[1], known[2])
    return known[0]


def _constant(op: ir.Operation) -> Labels | None:
    t = op.results[0].type
    number = splat_of(op.results[0])
    if number is not None:
        return np.broadcast_to(np.asarray(number), t.shape)
    attr, of = op.attributes["value"], dtype(t.element_type)
    if of is None or not isinstance(attr, ir.DenseElementsAttr) or kind(t) not in ("int", "bool", "float"):
        return None
    if str(t.element_type) in ("bf16", "f16"):
        return None
    return np.array(attr).astype(of, copy=False).reshape(t.shape)


def _is_static(t: ir.Type) -> bool:
    return isinstance(t, ir.RankedTensorType) and t.has_static_shape and t.encoding is None


# -- what most ops do --------------------------------------------------------------------------------------------------


def all_of(operands: Sequence[Found]) -> Found:
    """All that any element of any operand depends on, as one element's dependence."""
    total: Found = None
    for d in operands:
        if d is not None:
            total = union(total, d.everything(()))
    return total


def _everything(op: ir.Operation, operands: Sequence[Found]) -> list[Found]:
    """Every element of every result depends on all of it."""
    total = all_of(operands)
    shapes = [list(r.type.shape) if _is_static(r.type) else [] for r in op.results]
    return [None if total is None else total.spread(shape) for shape in shapes]


def _shaped(found: Found, shape: Sequence[int]) -> Found:
    """A scalar operand of an elementwise op (a bound, a predicate) is there for every element."""
    return found if found is None or list(found.labels.shape) == list(shape) else found.spread(shape)


def _elementwise(op: ir.Operation, operands: Sequence[Found]) -> Found:
    total: Found = None
    for d in operands:
        total = union(total, _shaped(d, op.results[0].type.shape))
    return total


def _moved(op: ir.Operation, operands: Sequence[Found]) -> Found:
    present = [d for d in operands if d is not None]
    labels, sets = together(present)
    rest = iter(labels)
    given = [
        np.zeros(v.type.shape, np.int64) if d is None else next(rest)
        for v, d in zip(op.operands, operands, strict=True)
    ]
    return Dependence(MOVES[op.name.removeprefix("stablehlo.")](op, *given), sets)


# -- products ----------------------------------------------------------------------------------------------------------


@_flow("multiply")
def _multiply(walk: Dependences, op: ir.Operation, operands: list[Found]) -> list[Found]:
    """What is multiplied by a known zero does not depend on anything."""
    parts = list(operands)
    for i, d in enumerate(operands):
        zero = walk.zero(op.operands[1 - i]) if d is not None else None
        if d is not None and zero is not None:
            parts[i] = d.where(~zero)
    return [union(parts[0], parts[1])]


@_flow("select")
def _select(walk: Dependences, op: ir.Operation, operands: list[Found]) -> list[Found]:
    shape = op.results[0].type.shape
    pred = walk.number(op.operands[0])
    if pred is None or operands[0] is not None:
        return [_elementwise(op, operands)]
    taken = np.broadcast_to(pred.astype(np.bool_), shape)
    on, off = operands[1:]
    return [union(None if on is None else on.where(taken), None if off is None else off.where(~taken))]


@_flow("dot_general")
def _dot(walk: Dependences, op: ir.Operation, operands: list[Found]) -> list[Found]:
    dims, shape = Dims.of(op), op.results[0].type.shape
    total: Found = None
    for side, d in enumerate(operands):
        if d is not None:
            mine = dims if side == 0 else dims.swapped()
            part = _sparse_dot(walk, op, side, mine, d)
            total = union(total, part if part is not None else _one_side(op, side, mine, d, shape))
    return [total]


def _one_side(op: ir.Operation, side: int, dims: Dims, d: Dependence, shape: Sequence[int]) -> Dependence:
    """An element of the product depends on a whole row of this side, whatever stands in the other."""
    rank = d.labels.ndim
    batch, contract, free = list(dims.batch[0]), list(dims.contract[0]), dims.free(0, rank)
    rows = d.moved(d.labels.transpose([*batch, *free, *contract])).over(range(len(batch) + len(free), rank))
    sizes = [d.labels.shape[b] for b in batch], [d.labels.shape[f] for f in free]
    others = len(shape) - len(batch) - len(free)
    ones = [1] * others
    wide = [*sizes[0], *sizes[1], *ones] if side == 0 else [*sizes[0], *ones, *sizes[1]]
    return rows.moved(np.broadcast_to(rows.labels.reshape(wide), shape))


def _sparse_dot(walk: Dependences, op: ir.Operation, side: int, dims: Dims, d: Dependence) -> Found:
    """A product with a known matrix that has zeros: only what they don't multiply counts."""
    other = op.operands[1 - side]
    zero = walk.zero(other) if not dims.batch[0] else None
    if zero is None:
        return None
    rank = d.labels.ndim
    matrix = ~zero.transpose([*dims.contract[1], *dims.free(1, zero.ndim)]).reshape(
        math.prod(zero.shape[c] for c in dims.contract[1]), -1
    )
    free = dims.free(0, rank)
    rows = d.labels.transpose([*free, *dims.contract[0]]).reshape(-1, matrix.shape[0])
    into, out = np.nonzero(matrix)
    if rows.shape[0] * len(into) > 20_000_000:
        return None
    count = rows.shape[0] * matrix.shape[1]
    groups = np.arange(rows.shape[0])[:, None] * matrix.shape[1] + out[None, :]
    made = d.mixed(groups.ravel(), rows[:, into].ravel(), count)
    theirs = [zero.shape[f] for f in dims.free(1, zero.ndim)]
    labels = made.labels.reshape([*(d.labels.shape[f] for f in free), *theirs])
    if side == 1:
        labels = np.moveaxis(labels, range(len(free)), range(len(theirs), labels.ndim))
    return made.moved(labels)


@_flow("convolution")
def _convolution(walk: Dependences, op: ir.Operation, operands: list[Found]) -> Sequence[Found]:
    conv, shape = Convolution.of(op), op.results[0].type.shape
    image, kernel = operands
    if conv.batch_groups != 1:
        return _everything(op, operands)
    total: Found = None
    if image is not None:
        total = _convolved(walk, op, conv, image)
    if kernel is not None:
        features = kernel.over([d for d in range(kernel.labels.ndim) if d != conv.rhs.second])
        wide = [n if d == conv.out.second else 1 for d, n in enumerate(shape)]
        total = union(total, features.moved(np.broadcast_to(features.labels.reshape(wide), shape)))
    return [total]


def _convolved(walk: Dependences, op: ir.Operation, conv: Convolution, image: Dependence) -> Found:
    """Each element looks at a window of the image, in all features of its group, but for taps that are zero."""
    shape, kernel = op.results[0].type.shape, op.operands[1].type.shape
    lhs, out, rhs = conv.lhs, conv.out, conv.rhs
    labels = image.labels.transpose([lhs.first, lhs.second, *lhs.spatial])
    n, features, sizes = labels.shape[0], labels.shape[1], labels.shape[2:]
    groups = conv.feature_groups
    grouped = image.moved(labels.reshape(n, groups, features // groups, *sizes)).over([2])
    windows, results = rhs.sizes(kernel), out.sizes(shape)
    zero = walk.zero(op.operands[1])
    known: Labels | None = None
    if zero is not None:
        known = np.asarray(zero.transpose([*rhs.spatial, rhs.first, rhs.second]).all(axis=(-1, -2)))
    if known is None and math.prod(windows) > WIDEST:
        whole = grouped.along(range(2, 2 + len(sizes)))
        places = [np.zeros((1, r), np.int64) for r in results]
        grouped, windows = whole, [1] * len(windows)
    else:
        places = [
            taps(size, w, r, stride=s, low=p[0], base=b, dilation=t)
            for size, w, r, s, p, b, t in zip(
                sizes, windows, results, conv.strides, conv.padding, conv.lhs_dilation, conv.rhs_dilation, strict=True
            )
        ]
    total: Found = None
    for tap in itertools.product(*map(range, windows)):
        turned = tuple(w - 1 - k if r else k for k, w, r in zip(tap, windows, conv.reversal, strict=True))
        if known is None or not known[turned]:
            total = union(total, _at(grouped, 2, [p[k] for p, k in zip(places, tap, strict=True)]))
    if total is None:
        return None
    made = np.repeat(total.labels, shape[out.second] // groups, axis=1)  # (n, features, spatial…)
    return total.moved(np.moveaxis(made, range(made.ndim), [out.first, out.second, *out.spatial]))


def _at(d: Dependence, first: int, places: Sequence[Labels]) -> Dependence:
    """Elements at these places along the dimensions from `first` on; -1 is a place outside."""
    labels = d.labels
    for i, place in enumerate(places):
        inside = (place >= 0).reshape([-1 if a == first + i else 1 for a in range(labels.ndim)])
        labels = (
            np.where(inside, labels.take(np.maximum(place, 0), axis=first + i), 0)
            if labels.size
            else np.zeros([*labels.shape[: first + i], len(place), *labels.shape[first + i + 1 :]], np.int64)
        )
    return d.moved(labels)


# -- reductions --------------------------------------------------------------------------------------------------------


@_flow("reduce")
def _reduce(walk: Dependences, op: ir.Operation, operands: list[Found]) -> list[Found]:
    """Several values that are reduced together depend on each other."""
    n, dims = len(operands) // 2, ints(op, "dimensions")
    total: Found = None
    for d, v, init in zip(operands[:n], op.operands, operands[n:], strict=False):
        left = [s for k, s in enumerate(v.type.shape) if k not in dims]
        total = union(total, None if d is None else d.over(dims))
        total = union(total, _shaped(init, left))
    return [total] * n


@_flow("reduce_window")
def _reduce_window(walk: Dependences, op: ir.Operation, operands: list[Found]) -> list[Found]:
    window, n, shape = Window.of(op), len(operands) // 2, op.results[0].type.shape
    total: Found = None
    for d, init in zip(operands[:n], operands[n:], strict=True):
        total = union(total, None if d is None else _windowed(window, d, shape))
        total = union(total, _shaped(init, shape))
    return [total] * n


def _windowed(window: Window, d: Dependence, shape: Sequence[int]) -> Found:
    """Dimension by dimension: what a window sees in one, it sees in each place of the others."""
    part: Found = d
    for axis, size in enumerate(window.sizes):
        assert part is not None
        if size > WIDEST:
            whole = part.over([axis])
            labels = np.expand_dims(whole.labels, axis)
            part = whole.moved(np.repeat(labels, shape[axis], axis=axis))
            continue
        places = taps(
            part.labels.shape[axis], size, shape[axis], stride=window.strides[axis], low=window.padding[axis][0],
            base=window.holes[axis], dilation=window.steps[axis],
        )  # fmt: skip
        seen: Found = None
        for place in places:
            seen = union(seen, _at(part, axis, [place]))
        part = seen
    return part


@_flow("sort")
def _sort(walk: Dependences, op: ir.Operation, operands: list[Found]) -> list[Found]:
    """Values that are sorted together move together, along one dimension."""
    dim = integer(op, "dimension") % op.results[0].type.rank
    total: Found = None
    for d in operands:
        total = union(total, None if d is None else d.along([dim]))
    return [total] * len(op.results)


@_flow("fft")
def _fft(walk: Dependences, op: ir.Operation, operands: list[Found]) -> list[Found]:
    (d,), shape, n = operands, op.results[0].type.shape, len(ints(op, "fft_length"))
    assert d is not None
    lines = d.over(range(d.labels.ndim - n, d.labels.ndim))
    return [lines.moved(np.broadcast_to(lines.labels.reshape([*lines.labels.shape, *[1] * n]), shape))]


@_flow("cholesky", "triangular_solve")
def _matrices(walk: Dependences, op: ir.Operation, operands: list[Found]) -> list[Found]:
    """Whole matrices of a stack; of a solve with a matrix that depends on nothing, whole columns of the other side."""
    shape = op.results[0].type.shape
    total: Found = None
    for i, (d, v) in enumerate(zip(operands, op.operands, strict=True)):
        if d is None:
            continue
        rank = v.type.rank
        if op.name.endswith("triangular_solve") and i == 1:
            from_left = ir.BoolAttr(op.attributes["left_side"]).value
            total = union(total, d.along([rank - 2 if from_left else rank - 1]))
        else:
            stack = d.over([rank - 2, rank - 1])
            total = union(total, stack.moved(np.broadcast_to(stack.labels[..., None, None], shape)))
    return [total]


# -- indices -----------------------------------------------------------------------------------------------------------


@_flow("dynamic_slice")
def _dynamic_slice(walk: Dependences, op: ir.Operation, operands: list[Found]) -> Sequence[Found]:
    starts = [walk.number(v) for v in list(op.operands)[1:]]
    known = [s for s in starts if s is not None]
    if any(d is not None for d in operands[1:]):
        return _everything(op, operands)
    d = operands[0]
    assert d is not None
    if len(known) == len(starts):
        return [d.moved(d.labels[starts_of(op, ints(op, "slice_sizes"), known)])]
    # Along dimensions that it takes as a whole, it can only start at zero.
    shape, sizes = d.labels.shape, ints(op, "slice_sizes")
    cut = [k for k, (n, m) in enumerate(zip(shape, sizes, strict=True)) if n != m]
    lines = d.over(cut)
    wide = [1 if k in cut else n for k, n in enumerate(shape)]
    return [lines.moved(np.broadcast_to(lines.labels.reshape(wide), sizes))]


@_flow("dynamic_update_slice")
def _dynamic_update_slice(walk: Dependences, op: ir.Operation, operands: list[Found]) -> Sequence[Found]:
    if any(d is not None for d in operands[2:]):
        return _everything(op, operands)
    whole, update = operands[:2]
    starts = [walk.number(v) for v in list(op.operands)[2:]]
    known = [s for s in starts if s is not None]
    shape, block = op.results[0].type.shape, op.operands[1].type.shape
    if len(known) == len(starts):
        labels, sets = together([d for d in (whole, update) if d is not None])
        rest = iter(labels)
        made = np.zeros(shape, np.int64) if whole is None else next(rest).copy()
        made[starts_of(op, block, known)] = 0 if update is None else next(rest)
        return [Dependence(made, sets)]
    if update is None:
        return [whole]
    cut = [k for k, (n, m) in enumerate(zip(shape, block, strict=True)) if n != m]
    lines = update.over(cut)
    wide = [1 if k in cut else n for k, n in enumerate(shape)]
    return [union(whole, lines.moved(np.broadcast_to(lines.labels.reshape(wide), shape)))]


@_flow("gather")
def _gather(walk: Dependences, op: ir.Operation, operands: list[Found]) -> Sequence[Found]:
    d, starts = operands[0], walk.number(op.operands[1])
    if d is None or operands[1] is not None:
        return _everything(op, operands)
    if starts is None:  # it starts at zero along dimensions that it takes as a whole, and anywhere along the others
        cut = [k for k, (n, m) in enumerate(zip(d.labels.shape, ints(op, "slice_sizes"), strict=True)) if n != m]
        apart = hlo.GatherDimensionNumbers(op.attributes["dimension_numbers"]).operand_batching_dims
        d = d.along([k for k in cut if k not in apart])
        starts = np.zeros(op.operands[1].type.shape, np.int64)
    places = gathered(op, starts)
    return [d.moved(np.where(places < 0, 0, d.labels.ravel()[np.maximum(places, 0)]) if d.labels.size else places * 0)]


@_flow("scatter")
def _scatter(walk: Dependences, op: ir.Operation, operands: list[Found]) -> Sequence[Found]:
    """An element is what it was, and what lands on it (with any computation)."""
    n = (len(operands) - 1) // 2
    indices = walk.number(op.operands[n])
    if operands[n] is not None or n != 1:
        return _everything(op, operands)
    whole, _, update = operands
    if update is None:
        return [whole]
    if indices is None:
        return [union(whole, update.everything(op.results[0].type.shape))]
    shape = op.results[0].type.shape
    places = scattered(op, 0, indices).ravel()
    inside = places >= 0
    landed = update.mixed(places[inside], update.labels.ravel()[inside], math.prod(shape))
    return [union(whole, landed.moved(landed.labels.reshape(shape)))]


@_flow("optimization_barrier")
def _barrier(walk: Dependences, op: ir.Operation, operands: list[Found]) -> list[Found]:
    return operands


# -- control flow ------------------------------------------------------------------------------------------------------


def _call(walk: Dependences, op: ir.Operation) -> None:
    name = ir.FlatSymbolRefAttr(op.attributes["callee"]).value
    operands = [walk.found.get(v) for v in op.operands]
    if walk.functions[name].is_external:
        results: Sequence[Found] = _everything(op, operands)
        walk.bind(op.results, results, [None] * len(op.results))
        return
    found, numbers = walk.function(name, operands, [walk.number(v) for v in op.operands])
    walk.bind(op.results, found, numbers)


def _branches(walk: Dependences, op: ir.Operation) -> None:
    blocks = [region.blocks[0] for region in op.regions]
    choice = walk.number(op.operands[0])
    if choice is not None:
        k = int(choice.reshape(()))
        k = 1 - k if op.name == "stablehlo.if" else k if 0 <= k < len(blocks) else len(blocks) - 1
        returned = walk.block(blocks[k])
        walk.bind(op.results, [walk.found.get(v) for v in returned], [walk.number(v) for v in returned])
        return
    by = walk.found.get(op.operands[0])
    totals: list[Found] = [None if by is None else by.spread(r.type.shape) for r in op.results]
    for block in blocks:
        totals = [union(t, walk.found.get(v)) for t, v in zip(totals, walk.block(block), strict=True)]
    walk.bind(op.results, totals, [None] * len(totals))


def _while(walk: Dependences, op: ir.Operation) -> None:
    """Round by round while it is known that there is one more; then all that may follow together."""
    cond, body = (r.blocks[0] for r in op.regions)
    found = [walk.found.get(v) for v in op.operands]
    numbers = [walk.number(v) if kind(v.type) in ("int", "bool") else None for v in op.operands]
    while True:
        walk.bind(cond.arguments, found, numbers)
        (goes_on,) = walk.block(cond)
        known = walk.number(goes_on)
        if known is None or walk.rounds == 0:
            found, numbers = _rest(walk, op, found, numbers, walk.found.get(goes_on))
            break
        if not known.reshape(()):
            break
        walk.rounds -= 1
        walk.bind(body.arguments, found, numbers)
        returned = walk.block(body)
        found = [walk.found.get(v) for v in returned]
        numbers = [walk.number(v) if kind(v.type) in ("int", "bool") else None for v in returned]
    walk.bind(op.results, found, numbers)


def _rest(
    walk: Dependences, op: ir.Operation, found: list[Found], numbers: list[Labels | None], by: Found
) -> tuple[list[Found], list[Labels | None]]:
    """All further rounds, however many: sets grow until a round adds nothing."""
    cond, body = (r.blocks[0] for r in op.regions)
    returned = terminator(body).operands
    fixed = [v == a for v, a in zip(returned, body.arguments, strict=True)]
    numbers = [n if f else None for n, f in zip(numbers, fixed, strict=True)]
    everything = all_of([*found, *(walk.found.get(v) for v in captures(op.regions)), by])
    for rounds in itertools.count():
        walk.bind(cond.arguments, found, numbers)
        (goes_on,) = walk.block(cond)
        by = walk.found.get(goes_on)  # whether there is a round at all changes what the loop gives
        walk.bind(body.arguments, found, numbers)
        made = [walk.found.get(v) for v in walk.block(body)]
        decided = [None if by is None else by.spread(v.type.shape) for v in op.results]
        grown = [f if fix else union(union(f, m), d) for f, m, d, fix in zip(found, made, decided, fixed, strict=True)]
        larger = [_size(g) > _size(f) for g, f in zip(grown, found, strict=True)]
        if not any(larger):
            return found, numbers
        if rounds >= PATIENCE and everything is not None:
            grown = [
                everything.spread(v.type.shape) if more else g
                for g, more, v in zip(grown, larger, op.results, strict=True)
            ]
        found = grown
    raise AssertionError("sets stop growing")


def _size(found: Found) -> int:
    return 0 if found is None else found.size


def _ignored(walk: Dependences, op: ir.Operation) -> None:
    walk.bind(op.results, [walk.found.get(v) for v in op.operands], [walk.number(v) for v in op.operands])


_CONTROL: dict[str, Callable[[Dependences, ir.Operation], None]] = {
    "func.call": _call,
    "stablehlo.if": _branches,
    "stablehlo.case": _branches,
    "stablehlo.while": _while,
    "enzyme.ignore_derivatives": _ignored,
}


def dependences(
    functions: Mapping[str, func.FuncOp], name: str, variables: Sequence[int], numbers: Mapping[int, Labels]
) -> list[Found]:
    """What each result of a function depends on: the elements of the arguments in `variables`, counted in that order.

    `numbers` has what is known of other arguments.
    """
    arguments = functions[name].entry_block.arguments
    sizes = [math.prod(arguments[i].type.shape) for i in variables]
    found: list[Found] = [None] * len(arguments)
    for i, first in zip(variables, itertools.accumulate([0, *sizes]), strict=False):
        found[i] = Dependence.on(first, arguments[i].type.shape, sum(sizes))
    return Dependences(functions).function(name, found, [numbers.get(i) for i in range(len(arguments))])[0]
