"""Sliding windows: `reduce_window` and `select_and_scatter`.

Sums over windows are linear, and their transpose is again a sum over windows. The extrema of pooling go through the
element that each window selects, the first of equal ones: a tangent is picked from there, a cotangent is put there. All
other computations, and running extrema, are expanded: a running product or maximum into a scan of logarithmic depth,
other windows of an associative computation into windows of doubling size, and the rest into a fold over the positions
in the window.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import product

import numpy as np
from jaxlib.mlir import ir
from jaxlib.mlir.dialects import stablehlo as hlo

from gradir.tensor.analysis.computation import (
    comparison,
    constant_scalar,
    is_associative,
    is_neutral,
    leaves_alone,
    single_op,
)
from gradir.tensor.ir import expr as E
from gradir.tensor.ir.expr import Expr, i64s
from gradir.tensor.ir.reading import direction
from gradir.tensor.ir.regions import copy_region, terminator
from gradir.tensor.rules.computation import Apply, count_up, inline, over_arrays, prefix, suffix
from gradir.tensor.rules.interface import Cotangent, Shadow
from gradir.tensor.rules.rule import Rule, Site, add, add_shadows, batched_type, with_batch, zero_of

Ints = tuple[int, ...]
Body = Callable[..., Sequence[Expr]]


@dataclass(frozen=True)
class Window:
    """What `reduce_window` and `select_and_scatter` say of their windows, in each dimension."""

    sizes: Ints
    strides: Ints
    holes: Ints
    """The base dilation: elements are this far apart, with the initial value between them."""
    steps: Ints
    """The window's dilation: it takes elements this far apart."""
    padding: tuple[tuple[int, int], ...]

    @classmethod
    def of(cls, op: ir.Operation) -> Window:
        sizes = tuple(op.attributes["window_dimensions"])
        ones = (1,) * len(sizes)

        def ints(name: str) -> Ints:
            return tuple(op.attributes[name]) if name in op.attributes else ones

        padding = np.zeros((len(sizes), 2), np.int64)
        if "padding" in op.attributes:
            padding[:] = np.array(ir.DenseIntElementsAttr(op.attributes["padding"]))
        pairs = tuple((int(low), int(high)) for low, high in padding)
        return cls(sizes, ints("window_strides"), ints("base_dilations"), ints("window_dilations"), pairs)

    @property
    def is_dilated(self) -> bool:
        return any(n != 1 for n in (*self.holes, *self.steps))

    @property
    def overlap(self) -> int:
        """How many windows an element is in, about."""
        return E.size(self.sizes) // E.size(self.strides)

    def attributes(self) -> dict[str, ir.Attribute]:
        """What both ops have."""
        return {
            "window_dimensions": i64s(self.sizes),
            "window_strides": i64s(self.strides),
            "padding": ir.DenseElementsAttr.get(np.array(self.padding, np.int64).reshape(-1, 2)),
        }

    def all_attributes(self) -> dict[str, ir.Attribute]:
        """What `reduce_window` has."""
        return {**self.attributes(), "base_dilations": i64s(self.holes), "window_dilations": i64s(self.steps)}

    def batched(self) -> Window:
        """With a first dimension in which nothing slides."""
        return Window((1, *self.sizes), (1, *self.strides), (1, *self.holes), (1, *self.steps), ((0, 0), *self.padding))

    def pad(self, x: Expr, init: Expr) -> Expr:
        """The array that windows slide over: with its padding, and what is in its holes."""
        low, high = zip(*self.padding, strict=True) if self.padding else ((), ())
        return E.pad(x, init, low, high, [hole - 1 for hole in self.holes])

    def transposed_padding(self, shape: Sequence[int], result: Sequence[int]) -> tuple[list[int], list[int]]:
        """How to pad an array of the shape `result`, dilated by the strides, that windows may slide over it instead."""
        low: list[int] = []
        high: list[int] = []
        for n, m, size, stride, hole, step, (before, _) in zip(
            shape, result, self.sizes, self.strides, self.holes, self.steps, self.padding, strict=True
        ):
            low.append((size - 1) * step - before)
            high.append((size - 1) * step + (n - 1) * hole - (m - 1) * stride - low[-1])
        return low, high

    def result_shape(self, shape: Sequence[int]) -> list[int]:
        out: list[int] = []
        for n, size, stride, hole, step, (low, high) in zip(
            shape, self.sizes, self.strides, self.holes, self.steps, self.padding, strict=True
        ):
            padded = low + high + (max(0, (n - 1) * hole + 1) if n else 0)
            span = (size - 1) * step + 1
            out.append(0 if padded < span else (padded - span) // stride + 1)
        return out


# -- emitting windows --------------------------------------------------------------------------------------------------


def reduce_window(window: Window, xs: Sequence[Expr], inits: Sequence[Expr], body: Body) -> list[Expr]:
    types = [E.tensor(window.result_shape(x.shape), x.dtype) for x in xs]
    made = E.ops("stablehlo.reduce_window", [*xs, *inits], types, window.all_attributes(), regions=1)
    E.fill(made.regions[0], [E.tensor([], x.dtype) for x in (*xs, *xs)], body)
    return E.exprs(made.results)


def window_sum(window: Window, x: Expr) -> Expr:
    return reduce_window(window, [x], [E.full(E.tensor([], x.dtype), 0)], lambda a, b: [a + b])[0]


# -- selecting from windows --------------------------------------------------------------------------------------------

UNROLLED = 36
"""Windows with more positions than this are not taken apart into their positions.

(On a CPU a pool's gradient by slices takes 0.4 to 0.9 of that by `select_and_scatter` up to 6 x 6, and 1.3 for 8 x 8.)
"""


def pick(window: Window, way: str, key: Expr, values: Sequence[Expr]) -> list[Expr]:
    """Of each window, the values that stand where `way` (`GE`, …) selects the key; 0 where that is padding.

    Taken apart, a small window is a few slices, which fuse; a large one selects values beside their keys.
    """
    if E.size(window.sizes) > UNROLLED:
        return _pick_beside(window, way, key, values)
    shape = window.result_shape(key.shape)
    if not E.size(shape):
        return [E.full(E.tensor(shape, v.dtype), 0) for v in values]
    chosen = _chosen(window, way, key)
    out: list[Expr] = []
    for v in values:
        parts = _positions(window, [v], [E.full(E.tensor([], v.dtype), 0)], chosen.shape)
        picked = parts[0][0]
        for k, (part,) in enumerate(parts[1:], start=1):
            picked = E.select(chosen.eq(k), part, picked)
        out.append(picked)
    return out


def put(window: Window, way: str, key: Expr, values: Expr) -> Expr:
    """The transpose of `pick`: each window's value, added to where it selects the key.

    Seen from an element, each position in the window stands for one window that it may be in.
    """
    if E.size(window.sizes) > UNROLLED:
        return _put_by_scatter(window, way, key, values)
    if not E.size(values.shape) or not E.size(key.shape):
        return E.full(E.tensor(key.shape, values.dtype), 0)
    chosen = _chosen(window, way, key)
    low, high = window.transposed_padding(key.shape, values.shape)
    apart = [stride - 1 for stride in window.strides]
    chosen, values = E.pad(chosen, -1, low, high, apart), E.pad(values, 0, low, high, apart)
    total: Expr | None = None
    for k, position in enumerate(product(*map(range, window.sizes))):
        start = [(n - 1 - p) * step for n, p, step in zip(window.sizes, position, window.steps, strict=True)]
        limit = [a + (n - 1) * hole + 1 for a, n, hole in zip(start, key.shape, window.holes, strict=True)]
        here, value = (E.slice_(x, start, limit, window.holes) for x in (chosen, values))
        mine = E.select(here.eq(k), value, 0)
        total = mine if total is None else total + mine
    assert total is not None
    return total


def _worst(way: str) -> float:
    """What a comparison never selects."""
    return -np.inf if way[0] == "G" else np.inf


def _chosen(window: Window, way: str, key: Expr) -> Expr:
    """The number of the position that each window selects."""
    worst = E.full(E.tensor([], key.dtype), _worst(way))
    ((best,), *others) = _positions(window, [key], [worst], window.result_shape(key.shape))
    chosen = E.full(E.tensor(best.shape, ir.IntegerType.get_signless(32)), 0)
    for k, (part,) in enumerate(others, start=1):
        stay = E.compare(way, best, part)
        best, chosen = E.select(stay, best, part), E.select(stay, chosen, k)
    return chosen


def _positions(window: Window, xs: Sequence[Expr], inits: Sequence[Expr], shape: Sequence[int]) -> list[list[Expr]]:
    """The elements of all windows, position by position: for each of them, arrays of the result's `shape`."""
    xs = [window.pad(x, init) for x, init in zip(xs, inits, strict=True)]
    out: list[list[Expr]] = []
    for position in product(*map(range, window.sizes)):
        start = [p * step for p, step in zip(position, window.steps, strict=True)]
        limit = [a + (m - 1) * stride + 1 for a, m, stride in zip(start, shape, window.strides, strict=True)]
        out.append([E.slice_(x, start, limit, window.strides) for x in xs])
    return out


def _pick_beside(window: Window, way: str, key: Expr, values: Sequence[Expr]) -> list[Expr]:
    def body(*sides: Expr) -> list[Expr]:
        left, right = sides[: len(sides) // 2], sides[len(sides) // 2 :]
        stay = E.compare(way, left[0], right[0])
        return [E.select(stay, a, b) for a, b in zip(left, right, strict=True)]

    inits = [E.full(E.tensor([], key.dtype), _worst(way)), *(E.full(E.tensor([], v.dtype), 0) for v in values)]
    return reduce_window(window, [key, *values], inits, body)[1:]


def _put_by_scatter(window: Window, way: str, key: Expr, values: Expr) -> Expr:
    assert not window.is_dilated
    operands = [key, values, E.full(E.tensor([], values.dtype), 0)]
    result = E.tensor(key.shape, values.dtype)
    made = E.ops("stablehlo.select_and_scatter", operands, [result], window.attributes(), regions=2)
    E.fill(made.regions[0], [E.tensor([], key.dtype)] * 2, lambda a, b: [E.compare(way, a, b)])
    E.fill(made.regions[1], [E.tensor([], values.dtype)] * 2, lambda a, b: [a + b])
    return Expr(made.results[0])


# -- sums --------------------------------------------------------------------------------------------------------------


def _jvp_sum(site: Site, tangents: Sequence[Shadow]) -> list[Shadow]:
    return [*site.again([t or zero_of(site.in_type(i)) for i, t in enumerate(tangents)])]


def _vjp_sum(site: Site, cotangents: Sequence[Shadow]) -> list[Cotangent]:
    (ct,) = cotangents
    assert ct is not None
    x = E.convert(_transpose_sum(site, ct), site.in_type(0).element_type) if site.active[0] else None
    init = None
    if site.active[1]:  # it is in each window as often as this counts
        count = site.again([zero_of(site.in_type(0)), E.full(site.in_type(1), 1)])[0]
        init = E.convert(E.reduce_sum(ct * count, range(ct.rank)), site.in_type(1).element_type)
    return [x, init]


def _transpose_sum(site: Site, ct: Expr) -> Expr:
    """Sums over windows of the cotangent: strides become holes and holes become strides."""
    window, shape = Window.of(site.op), site.in_type(0).shape
    if not E.size(shape) or not E.size(ct.shape):
        return E.full(E.tensor(shape, ct.dtype), 0)
    low, high = window.transposed_padding(shape, ct.shape)
    ones = (1,) * len(shape)
    if min([*low, *high], default=0) < 0 or any(s != 1 for s in window.strides):
        ct = E.pad(ct, 0, low, high, [s - 1 for s in window.strides])
        low = high = [0] * len(shape)
    return window_sum(Window(window.sizes, window.holes, ones, window.steps, tuple(zip(low, high, strict=True))), ct)


# -- extrema and other selections --------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Selection:
    """A computation that takes one side or the other whole, as a comparison of its operands `key` says."""

    key: int
    way: str


_EXTREMA = {"stablehlo.maximum": Selection(0, "GE"), "stablehlo.minimum": Selection(0, "LE")}


def selection(op: ir.Operation) -> Selection | None:
    """What the windows select by, if it is that and if what they select by is always in the operand."""
    region = op.regions[0]
    block, n = region.blocks[0], len(op.operands) // 2
    t = op.operands[0].type.element_type
    name = single_op(region) or ""
    if name in _EXTREMA:
        is_float = isinstance(t, ir.FloatType) and t == op.results[0].type.element_type
        return _EXTREMA[name] if is_float and is_neutral(name, op.operands[1]) else None
    ops = [v.operation for v in block.operations]
    if ops[0].name != "stablehlo.compare" or any(o.name != "stablehlo.select" for o in ops[1:-1]) or len(ops) != n + 2:
        return None
    left, right = list(block.arguments)[:n], list(block.arguments)[n:]
    way, (a, b) = direction(ops[0]), ops[0].operands
    if a not in left or right[left.index(a)] != b or way[0] not in "GL":
        return None
    key = left.index(a)
    pairs = zip(terminator(block).operands, left, right, strict=True)
    if any(list(v.owner.operation.operands) != [ops[0].results[0], x, y] for v, x, y in pairs):
        return None
    inits = [constant_scalar(v) for v in op.operands[n:]]
    return Selection(key, way) if None not in inits and inits[key] == _worst(way) else None


def _selection(site: Site) -> Selection:
    found = selection(site.op)
    assert found is not None
    return found


def _jvp_selection(site: Site, tangents: Sequence[Shadow]) -> list[Shadow]:
    by, window, n = _selection(site), Window.of(site.op), len(site.op.results)
    values = [t for t in tangents[:n] if t is not None]
    picked = iter(pick(window, by.way, site.ins[by.key], values))
    return [None if t is None else next(picked) for t in tangents[:n]]


def _vjp_selection(site: Site, cotangents: Sequence[Shadow]) -> list[Cotangent]:
    by, window, n = _selection(site), Window.of(site.op), len(cotangents)
    out: list[Cotangent] = [None] * (2 * n)
    for i, ct in enumerate(cotangents):
        if ct is not None and site.active[i]:
            out[i] = put(window, by.way, site.ins[by.key], ct)
    return out


# -- any computation ---------------------------------------------------------------------------------------------------


def _expand_window(site: Site) -> list[Expr]:
    region, window, n = site.op.regions[0], Window.of(site.op), len(site.ins) // 2
    types = [a.type.element_type for a in region.blocks[0].arguments]
    xs, inits = ([E.convert(x, t) for x, t in zip(side, types, strict=False)] for side in (site.ins[:n], site.ins[n:]))
    shape, apply = site.out_type().shape, over_arrays(site, region)
    start = [E.broadcast(x, shape, []) for x in inits]
    if not E.size(shape):
        return start
    associative = is_associative(region)
    neutral = associative and leaves_alone(region, site.op.operands[n:])
    running = _running(window, xs[0].shape)
    if neutral and running is not None:
        dim, backwards = running
        return suffix(apply, xs, dim) if backwards else prefix(apply, xs, dim)
    if not associative:
        return _by_position(apply, xs, inits, window, start)
    xs = [window.pad(x, init) for x, init in zip(xs, inits, strict=True)]
    for dim in reversed(range(len(shape))):
        xs = _by_doubling(apply, xs, dim, window.sizes[dim], window.steps[dim])
    limit = [(m - 1) * s + 1 for m, s in zip(shape, window.strides, strict=True)]
    xs = [E.slice_(x, [0] * x.rank, limit, window.strides) for x in xs]
    return xs if neutral else apply([*start, *xs])


def _running(window: Window, shape: Sequence[int]) -> tuple[int, bool] | None:
    """The dimension of a running reduction, and whether it runs backwards, if the windows make one."""
    sliding = [d for d, n in enumerate(window.sizes) if n > 1]
    if len(sliding) != 1 or window.is_dilated or any(s != 1 for s in window.strides):
        return None
    (dim,) = sliding
    n = shape[dim]
    if window.sizes[dim] != n or any(any(p) for d, p in enumerate(window.padding) if d != dim):
        return None
    return {(n - 1, 0): (dim, False), (0, n - 1): (dim, True)}.get(window.padding[dim])


def _by_doubling(apply: Apply, xs: Sequence[Expr], dim: int, size: int, step: int) -> list[Expr]:
    """Windows along one dimension, at every place: put together from windows whose sizes are powers of two."""
    length = xs[0].shape[dim] - (size - 1) * step
    total: list[Expr] | None = None
    covered, power = 0, 1
    while True:
        if size & power:
            piece = [E.slice_in_dim(x, covered * step, covered * step + length, dim) for x in xs]
            total = piece if total is None else apply([*total, *piece])
            covered += power
        if covered == size:
            return total or list(xs)
        n, shift = xs[0].shape[dim], power * step
        xs = apply(
            [*(E.slice_in_dim(x, 0, n - shift, dim) for x in xs), *(E.slice_in_dim(x, shift, n, dim) for x in xs)]
        )
        power *= 2


def _by_position(
    apply: Apply, xs: Sequence[Expr], inits: Sequence[Expr], window: Window, start: Sequence[Expr]
) -> list[Expr]:
    """All windows at once, one position in the window after the other."""
    if E.size(window.sizes) <= UNROLLED:
        for parts in _positions(window, xs, inits, start[0].shape):
            start = apply([*start, *parts])
        return list(start)
    spans = [(m - 1) * s + 1 for m, s in zip(start[0].shape, window.strides, strict=True)]
    xs = [window.pad(x, init) for x, init in zip(xs, inits, strict=True)]

    def step(k: Expr, *so_far: Expr) -> list[Expr]:
        first = [p * step for p, step in zip(_digits(k, window.sizes), window.steps, strict=True)]
        parts = [E.dynamic_slice(x, first, spans) for x in xs]
        return apply([*so_far, *(E.slice_(p, [0] * p.rank, p.shape, window.strides) for p in parts)])

    return count_up(E.size(window.sizes), step, start)


def _digits(k: Expr, sizes: Sequence[int]) -> list[Expr]:
    """The number k as an index into an array of these sizes."""
    digits: list[Expr] = []
    for n in reversed(sizes):
        digits.append(E.op("stablehlo.remainder", k, E.full_like(k, n)))
        k = k / n
    return digits[::-1]


# -- the rules of reduce_window ----------------------------------------------------------------------------------------


def _batch_window(site: Site) -> list[Expr] | None:
    n = len(site.ins) // 2
    if any(site.batched[n:]):
        return None
    operands = [with_batch(site, i) for i in range(n)]
    types = [batched_type(r.type, site.size) for r in site.op.results]
    return site.again([*operands, *site.ins[n:]], types, **Window.of(site.op).batched().all_attributes())


_SUM = Rule("stablehlo.reduce_window", jvp=_jvp_sum, vjp=_vjp_sum, batch=_batch_window, expand=_expand_window)
_SELECTION = Rule(
    "stablehlo.reduce_window", jvp=_jvp_selection, vjp=_vjp_selection, batch=_batch_window, expand=_expand_window
)
_FOLD = Rule("stablehlo.reduce_window", batch=_batch_window, expand=_expand_window)


def _window_variant(op: ir.Operation) -> Rule:
    if single_op(op.regions[0]) == "stablehlo.add":
        return _SUM
    window, shape = Window.of(op), op.operands[0].type.shape
    small = E.size(window.sizes) <= UNROLLED or (not window.is_dilated and window.overlap <= UNROLLED)
    return _SELECTION if small and _running(window, shape) is None and selection(op) is not None else _FOLD


add(Rule("stablehlo.reduce_window", variant=_window_variant))


# -- select_and_scatter ------------------------------------------------------------------------------------------------


def _jvp_scatter(site: Site, tangents: Sequence[Shadow]) -> list[Shadow]:
    _, source, init = tangents
    t, way = site.out_type(), comparison(site.op.regions[0])
    assert way is not None
    out: Shadow = None
    if source is not None:
        out = put(Window.of(site.op), way, site.ins[0], E.convert(source, t.element_type))
    return [add_shadows(out, None if init is None else E.broadcast(E.convert(init, t.element_type), t.shape, []))]


def _vjp_scatter(site: Site, cotangents: Sequence[Shadow]) -> list[Cotangent]:
    (ct,) = cotangents
    way = comparison(site.op.regions[0])
    assert ct is not None and way is not None
    source = init = None
    if site.active[1]:
        (source,) = pick(Window.of(site.op), way, site.ins[0], [ct])
        source = E.convert(source, site.in_type(1).element_type)
    if site.active[2]:
        init = E.convert(E.reduce_sum(ct, range(ct.rank)), site.in_type(2).element_type)
    return [None, source, init]


def _batch_scatter(site: Site) -> list[Expr] | None:
    if site.batched[2]:
        return None
    operands = [with_batch(site, 0), with_batch(site, 1), site.ins[2]]
    types = [batched_type(site.out_type(), site.size)]
    return site.again(operands, types, **Window.of(site.op).batched().attributes())


def _expand_scatter(site: Site) -> list[Expr]:
    """A scatter, to the places that the windows select: those of the elements in the operand, numbered in order."""
    operand, source, init = site.ins
    window, select = Window.of(site.op), site.op.regions[0]
    i32 = ir.IntegerType.get_signless(32)
    numbers = E.reshape(E.iota([E.size(operand.shape)], 0, i32), operand.shape)

    def body(a: Expr, at: Expr, b: Expr, bt: Expr) -> list[Expr]:
        (stay,) = inline(site, select, [a, b])
        stay = (at >= 0) & ((bt < 0) | stay)  # padding, which has no number, is never selected
        return [E.select(stay, a, b), E.select(stay, at, bt)]

    scalar = E.tensor([], operand.dtype)
    _, places = reduce_window(window, [operand, numbers], [E.full(scalar, 0), E.full(E.tensor([], i32), -1)], body)
    target = E.broadcast(E.convert(init, site.out_type().element_type), [E.size(operand.shape)], [])
    made = E.ops(
        "stablehlo.scatter",
        [target, E.reshape(places, [E.size(places.shape), 1]), E.reshape(source, [E.size(source.shape)])],
        [target.type],
        {"scatter_dimension_numbers": hlo.ScatterDimensionNumbers.get([], [0], [], [], [0], 1)},
        regions=1,
    )
    copy_region(site.op.regions[1], made.regions[0], {v: site.captured(v).value for v in site.captures()})
    return [E.reshape(Expr(made.results[0]), operand.shape)]


_ADDED = Rule(
    "stablehlo.select_and_scatter",
    jvp=_jvp_scatter,
    vjp=_vjp_scatter,
    batch=_batch_scatter,
    expand=_expand_scatter,
    active_operands=lambda op: (False, True, True),
)
_SCATTERED = Rule("stablehlo.select_and_scatter", batch=_batch_scatter, expand=_expand_scatter)


def _scatter_variant(op: ir.Operation) -> Rule:
    select, scatter = op.regions
    is_plain = comparison(select) in ("GE", "GT", "LE", "LT") and single_op(scatter) == "stablehlo.add"
    return _ADDED if is_plain else _SCATTERED


add(Rule("stablehlo.select_and_scatter", variant=_scatter_variant))
