"""Generators for rules whose left sides chance would not find."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from instances import Draw
from jaxlib.mlir import ir
from jaxlib.mlir.dialects import func

from gradir.tensor.ir import expr as E
from gradir.tensor.ir.expr import Expr
from gradir.tensor.rules.indexing import Dims, gather, plus, scatter, take_update

Generator = Callable[[Draw], Expr | Sequence[Expr]]
GENERATORS: dict[str, Generator] = {}


def given(*rules: str) -> Callable[[Generator], Generator]:
    def add(generator: Generator) -> Generator:
        for name in rules:
            assert name not in GENERATORS
            GENERATORS[name] = generator
        return generator

    return add


def i1() -> ir.Type:
    return ir.Type.parse("i1")


def i32() -> ir.Type:
    return ir.Type.parse("i32")


ELEMENT = "f32"


def f32() -> ir.Type:
    """The element type of most instances; an examiner of other types may set another."""
    return ir.Type.parse(ELEMENT)


# -- choices -----------------------------------------------------------------------------------------------------------


@given("select_of_zeroed")
def zeroed(draw: Draw) -> Expr:
    t = E.tensor(draw.shape(), f32())
    p = draw.argument(E.tensor(t.shape, i1()))
    return E.select(p, -E.select(p, draw.argument(t), draw.argument(t)), 0)


@given("compare_converted_bool")
def converted_bool(draw: Draw) -> Expr:
    p = draw.argument(E.tensor(draw.shape(), i1()))
    direction = draw.pick(["EQ", "NE", "LT", "LE", "GT", "GE"])
    return E.compare(direction, E.convert(p, draw.pick([f32(), i32()])), draw.pick([0, 1]))


@given("power_iota")
def powers(draw: Draw) -> Expr:
    x = draw.argument(E.tensor(draw.pick([[3], [3, 1]]), f32()))
    n = draw.integer(2, 7)
    return E.power(E.broadcast(x, [3, n], range(x.rank)), E.iota([3, n], 1, f32()))


@given("power_whole_inverse")
def inverse_powers(draw: Draw) -> Expr:
    x = draw.argument(E.tensor(draw.shape(), f32()))
    return E.power(x, float(-draw.integer(5, 16)))


# -- dynamic slices ----------------------------------------------------------------------------------------------------


def places(draw: Draw, rank: int) -> list[Expr]:
    scalar = E.tensor([], i32())
    return [draw.argument(scalar) if draw.chance(0.6) else E.full(scalar, draw.integer(-1, 3)) for _ in range(rank)]


@given("dynamic_slice_iota")
def slice_of_iota(draw: Draw) -> Expr:
    n = draw.integer(4, 9)
    inside = E.minimum(E.maximum(draw.argument(E.tensor([], i32())), 0), draw.integer(0, n))
    return E.dynamic_slice(E.iota([n], 0, draw.pick([i32(), f32()])), [inside], [1])


@given("dynamic_slice_of_update", "update_nothing", "update_twice", "update_splat_by_same")
def read_and_write(draw: Draw) -> list[Expr]:
    t = E.tensor(draw.shape(1, 2), f32())
    part = E.tensor([draw.integer(1, n) for n in t.shape], f32())
    at, x, u = places(draw, t.rank), draw.argument(t), draw.argument(part)
    once = E.dynamic_update_slice(x, u, at)
    zero = E.full(t, 0)
    return [
        E.dynamic_slice(once, at, part.shape),
        E.dynamic_update_slice(x, E.dynamic_slice(x, at, part.shape), at),
        E.dynamic_update_slice(once, draw.argument(part), at),
        E.dynamic_update_slice(zero, E.full(part, 0), at),
    ]


@given("sort_of_one")
def sorted_one(draw: Draw) -> list[Expr]:
    t = E.tensor([2, 1], f32())
    made = E.ops("stablehlo.sort", [draw.argument(t)], [t], {"dimension": E.i64(draw.pick([1, -1]))}, regions=1)
    E.fill(made.regions[0], [E.tensor([], f32())] * 2, lambda a, b: [a < b])
    return E.exprs(made.results)


# -- gather and scatter ------------------------------------------------------------------------------------------------


def indices(draw: Draw, n: int, most: int) -> Expr:
    """n indices, mostly in equal steps, sometimes out of range."""
    numbers = draw.integer(-1, most) + draw.pick([-1, 1, 1, 2, 0]) * np.arange(n)
    return E.array(numbers.astype(np.int32), i32())


def windows(draw: Draw) -> tuple[Dims, list[int], list[int], int]:
    """A geometry with one index: the operand's shape, the sizes of windows, and how many there are."""
    shape = draw.shape(1, 3, 5)
    along = draw.integer(0, len(shape) - 1)
    collapsed = draw.chance(0.6)
    sizes = [1 if d == along else draw.integer(1, m) for d, m in enumerate(shape)]
    rank = len(shape) - collapsed
    first = draw.chance(0.7)
    window = tuple(range(1, rank + 1)) if first else tuple(range(rank))
    n = draw.integer(1, shape[along])
    return Dims(window, (along,) if collapsed else (), (), (), (along,), 1), shape, sizes, n


@given("gather_splat", "gather_known", "gather_elementwise")
def gathered(draw: Draw) -> Expr:
    if draw.chance(0.4):
        at, _ = grid(draw, [4, 5])
        window = draw.pick([(2,), (0,)])
        return gather(draw.argument(E.tensor([4, 5, 2], f32())), at, Dims(window, (0, 1), (), (), (0, 1), 2), [1, 1, 2])
    dims, shape, sizes, n = windows(draw)
    t = E.tensor(shape, f32())
    (along,) = dims.index_map
    at = E.reshape(indices(draw, n, shape[along]), [n, 1])
    source = draw.pick([draw.argument(t), E.full(t, 3.0), E.tanh(draw.argument(t))])
    return gather(source, at, dims, sizes)


@given("scatter_one", "scatter_known", "gather_of_scatter")
def scattered(draw: Draw) -> Expr | Sequence[Expr]:
    if draw.chance(0.4):
        return scattered_on_grid(draw)
    dims, shape, sizes, n = windows(draw)
    (along,) = dims.index_map
    whole = draw.chance(0.5)
    if whole:
        n, sizes = shape[along], [1 if d == along else m for d, m in enumerate(shape)]
    else:
        n = 1
    start = 0 if whole else draw.integer(0, shape[along] - 1)
    at = E.reshape(E.array(np.arange(start, start + n).astype(np.int32), i32()), [n, 1])
    inner = [m for d, m in enumerate(sizes) if d not in dims.collapsed]
    updates = [n, *inner] if (dims.window and dims.window[0] == 1) or not dims.window else [*inner, n]
    t = E.tensor(shape, f32())
    body = draw.pick([plus, take_update])
    made = scatter(draw.argument(t), at, draw.argument(E.tensor(updates, f32())), dims, body, unique=True)
    return gather(made, at, dims, sizes) if draw.chance(0.4) else made


# -- loops -------------------------------------------------------------------------------------------------------------


def scalar(number: int) -> Expr:
    return E.full(E.tensor([], i32()), number)


@given(
    "carry_invariant", "carry_unused", "carry_twice", "counter_result", "second_counter", "hoist_invariant",
    "no_rounds", "unroll",
)  # fmt: skip
def loop(draw: Draw) -> list[Expr]:
    return loop_of(draw, draw.integer(0, 5), draw.pick([1, 1, 2]))


@given("unroll_in_part")
def long_loop(draw: Draw) -> list[Expr]:
    return loop_of(draw, draw.integer(6, 23), 1)


def loop_of(draw: Draw, trips: int, step: int) -> list[Expr]:
    """A loop that counts, and of each kind of carried value has one or not."""
    start = draw.integer(0, 2)
    n, x = max(1, start + step * trips + 1), None
    x = draw.argument(E.tensor([n, 2], f32()))
    kinds = draw.subset(["invariant", "unused", "twice", "counter", "slots", "sum", "state"], 0.4)
    inits: list[tuple[str, Expr]] = [("main", scalar(start))]
    row = E.tensor([2], f32())
    for kind in kinds:
        match kind:
            case "invariant":
                inits.append((kind, draw.argument(row)))
            case "unused":
                inits.append((kind, draw.argument(row)))
            case "twice":
                init = draw.argument(row)
                inits += [("twice", init), ("again", init)]
            case "counter":
                inits.append((kind, scalar(draw.pick([start, 3]))))
            case "slots":
                inits.append((kind, draw.argument(E.tensor([n, 2], f32()))))
            case "sum" | "state":
                inits.append((kind, draw.argument(row)))
    direction = draw.pick(["add", "maximum", "multiply"])
    other_step = draw.pick([step, 3])
    factor = draw.argument(row)
    up = draw.chance(0.5)

    def goes_on(*carried: Expr) -> list[Expr]:
        return [carried[0] < start + step * trips]

    def round_(*carried: Expr) -> list[Expr]:
        i = carried[0]
        at = [i if up else (start + step * trips) - i, scalar(0)]
        here = E.reshape(E.dynamic_slice(x, at, [1, 2]), [2])
        value = E.tanh(here) * E.exp(factor)
        named = {kind: c for (kind, _), c in zip(inits, carried, strict=True)}
        if "counter" in named:
            value = value + E.broadcast(E.convert(named["counter"], f32()), [2], [])
        if "invariant" in named:
            value = value * named["invariant"]
        shared = named["twice"] + value if "twice" in named else None
        outs: list[Expr] = []
        for kind, c in zip((k for k, _ in inits), carried, strict=True):
            match kind:
                case "main":
                    outs.append(i + step)
                case "invariant":
                    outs.append(c)
                case "unused":
                    outs.append(E.sin(c))
                case "twice" | "again":
                    assert shared is not None
                    outs.append(shared)
                case "counter":
                    outs.append(c + other_step)
                case "slots":
                    outs.append(E.dynamic_update_slice(c, E.reshape(value, [1, 2]), at))
                case "sum":
                    outs.append(E.op(f"stablehlo.{direction}", c, value))
                case "state":
                    outs.append(E.tanh(c) * value)
        return outs

    types = [v.type for _, v in inits]
    made = E.ops("stablehlo.while", [v for _, v in inits], types, regions=2)
    E.fill(made.regions[0], types, goes_on)
    E.fill(made.regions[1], types, round_)
    results = E.exprs(made.results)
    return [r for r, (kind, _) in zip(results, inits, strict=True) if kind != "unused"]


# -- branches ----------------------------------------------------------------------------------------------------------


def branch(draw: Draw, xs: Sequence[Expr], shared: bool) -> Callable[[], list[Expr]]:
    """A branch that hands one value on, and computes another."""
    pick, how = draw.integer(0, 1), draw.pick([E.sin, E.exp])

    def body() -> list[Expr]:
        made = E.tanh(xs[0]) * xs[1] if shared else how(xs[0])
        return [xs[pick], made + how(xs[1])]

    return body


@given(
    "if_known", "case_known", "case_of_one", "if_hands_on", "if_is_select", "case_is_if", "hoist_from_branches",
    "case_hands_on", "case_is_select", "hoist_from_cases",
)  # fmt: skip
def branches(draw: Draw) -> list[Expr]:
    t = E.tensor(draw.shape(0, 2, 3), f32())
    xs, shared = [draw.argument(t), draw.argument(t)], draw.chance(0.5)
    if draw.chance(0.5):
        scalar_t, name, n = E.tensor([], i1()), "stablehlo.if", 2
        choice = E.full(scalar_t, draw.chance(0.5)) if draw.chance(0.4) else draw.argument(scalar_t)
    else:
        scalar_t, name, n = E.tensor([], i32()), "stablehlo.case", draw.integer(1, 3)
        choice = E.full(scalar_t, draw.integer(-1, 3)) if draw.chance(0.4) else draw.argument(scalar_t)
    made = E.ops(name, [choice], [t, t], regions=n)
    for region in made.regions:
        E.fill(region, [], branch(draw, xs, shared))
    return E.exprs(made.results)


# -- pieces ------------------------------------------------------------------------------------------------------------


@given("concatenate_flat", "concatenate_slices", "concatenate_copies", "concatenate_splats")
def put_together(draw: Draw) -> Expr:
    x = draw.argument(E.tensor([4, 3], f32()))
    match draw.integer(1, 4):
        case 1:
            return E.concatenate([E.concatenate([x, draw.argument(E.tensor([1, 3], f32()))], 0), x], 0)
        case 2:
            cut = draw.integer(1, 2)
            return E.concatenate([E.slice_in_dim(x, 0, cut, 0), E.slice_in_dim(x, cut, 4, 0), x], 0)
        case 3:
            one = draw.argument(E.tensor([1, 3], f32()))
            return E.concatenate([one] * 3, 0)
    return E.concatenate([E.full(x.type, 2.0), E.full(x.type, 2.0), x], 0)


@given("concatenate_elementwise")
def computed_pieces(draw: Draw) -> Expr:
    shape = draw.shape(1, 3)
    dim = draw.integer(0, len(shape) - 1)
    n, m = draw.integer(2, 3), shape[dim]
    x = draw.argument(E.tensor([n * m if d == dim else k for d, k in enumerate(shape)], f32()))
    cut = [E.slice_in_dim(x, i * m, (i + 1) * m, dim) for i in range(n)]
    others = [draw.argument(E.tensor(shape, f32())) for _ in range(n)]
    how = draw.pick([
        lambda a, b: E.sin(b), lambda a, b: -a, lambda a, b: a * b, lambda a, b: a - 2.5,
        lambda a, b: E.select(a > 0, a, b), lambda a, b: a < b,
    ])  # fmt: skip
    return E.concatenate([how(a, b) for a, b in zip(cut, others, strict=True)], dim)


@given("concatenate_backwards", "concatenate_stack", "concatenate_broadcasts", "concatenate_pads", "concatenate_empty")
def pieces_side_by_side(draw: Draw) -> list[Expr]:
    x = draw.argument(E.tensor([3, 4, 2], f32()))
    dim, step = draw.integer(0, 2), draw.integer(1, 3)
    n, at = x.shape[dim], draw.integer(0, 2)
    ones = [E.slice_in_dim(x, i, i + 1, dim) for i in range(0, n, step)]
    without = [k for d, k in enumerate(x.shape) if d != dim]
    rows = [E.reshape(r, [*without[:at], 1, *without[at:]]) for r in ones]
    a, b = draw.argument(E.tensor([3, 1], f32())), draw.argument(E.tensor([2, 1], f32()))
    v = draw.argument(E.tensor([], f32()))
    edges = [draw.integer(0, 2), 0], [1, 0], [draw.integer(0, 1), 0]
    wide = [E.broadcast(y, [5, k.shape[0], 4], [1, 2]) for y, k in ((a, a), (b, b), (a, a))]
    return [
        E.concatenate(ones[::-1], dim),
        E.concatenate(rows, at),
        E.concatenate(wide, 1),
        E.concatenate([wide[0], wide[2]], draw.pick([0, 2])),
        E.concatenate([E.pad(a, v, *edges), E.pad(a * 2, v, *edges)], 1),
        E.concatenate([E.slice_in_dim(x, 1, 1, dim), x, E.slice_in_dim(x, n, n, dim)], dim),
    ]


def rolled(x: Expr, dim: int, k: int) -> Expr:
    n = x.shape[dim]
    return E.concatenate([E.slice_in_dim(x, k, n, dim), E.slice_in_dim(x, 0, k, dim)], dim)


@given("binary_of_rolls", "unary_of_roll", "roll_through_rolls", "binary_of_concatenates")
def rolls(draw: Draw) -> list[Expr]:
    t = E.tensor([3, 4], f32())
    x, y, z, w = (draw.argument(t) for _ in range(4))
    dim, k = draw.integer(0, 1), draw.integer(1, 2)
    how = draw.pick([lambda a, b: a + b, lambda a, b: a - 2.0, lambda a, b: E.maximum(b, a), lambda a, b: a < b])
    there = rolled(rolled(rolled(w, dim, k), 1 - dim, 1), dim, draw.integer(1, 2))
    return [how(rolled(x, dim, k), rolled(y, dim, k)), E.sin(rolled(z, dim, k)), there]


@given("sub_pads", "add_pads_first", "add_pads")
def sum_of_pads(draw: Draw) -> list[Expr]:
    n, m, gap = draw.integer(1, 3), draw.integer(1, 3), draw.integer(0, 2)
    x, y = draw.argument(E.tensor([2, n], f32())), draw.argument(E.tensor([2, m], f32()))
    first = E.pad(x, 0, [1, 1], [0, gap + m])
    second = E.pad(y, 0, [1, 1 + n + gap], [0, 0])
    z = draw.argument(first.type)
    return [first - second, second - first, first + second, (z + second) + first]


@given("select_of_pad_left", "select_of_pad_right")
def chosen_pads(draw: Draw) -> Expr:
    shape, edges = [2, 3], ([draw.integer(0, 2), 1], [0, draw.integer(0, 2)], [draw.integer(0, 1), 0])
    x, y = draw.argument(E.tensor(shape, f32())), draw.argument(E.tensor(shape, f32()))
    a = E.pad(x, 0.5, *edges)
    b = draw.pick([E.full(a.type, 0.5), E.full(a.type, 2.0), E.pad(y, 0.5, *edges), E.pad(y, 1.0, *edges)])
    small = draw.argument(E.tensor(shape, i1()))
    p = draw.pick([draw.argument(E.tensor(a.shape, i1())), E.pad(small, draw.chance(0.5), *edges)])
    p = draw.argument(E.tensor([], i1())) if draw.chance(0.2) else p
    return E.select(p, a, b) if draw.chance(0.5) else E.select(p, b, a)


@given("select_in_box")
def chosen_box(draw: Draw) -> Expr:
    inside = draw.chance(0.5)
    p = E.pad(E.full(E.tensor([2, 3], i1()), inside), not inside, [1, draw.integer(0, 1)], [0, draw.integer(0, 2)])
    x, y = draw.argument(E.tensor(p.shape, f32())), draw.argument(E.tensor(p.shape, f32()))
    return E.select(p, x, E.full(y.type, 2.0) if draw.chance(0.3) else y)


@given("div_of_zero_pad", "and_of_false_pad")
def padded_numerator(draw: Draw) -> list[Expr]:
    edges = [1, 0], [2, 0], [draw.integer(0, 1), 0]
    p, t = draw.argument(E.tensor([2, 2], i1())), draw.argument(E.tensor([2, 2], f32()))
    top, mask = E.pad(t, 0, *edges), E.pad(p, False, *edges)
    below = E.convert(draw.argument(E.tensor(top.shape, i1())), f32()) + 1
    return [top / below, mask & draw.argument(mask.type)]


@given("pad_empty", "pad_inside_one")
def padded_little(draw: Draw) -> list[Expr]:
    x, v = draw.argument(E.tensor([1, 3], f32())), draw.argument(E.tensor([], f32()))
    empty = E.slice_(x, [0, 1], [1, 1])
    return [E.pad(x, v, [1, 0], [0, 2], [2, 1]), E.pad(empty, v, [draw.integer(0, 2), 1], [1, 2], [0, 3])]


@given("reduce_empty")
def reduced_nothing(draw: Draw) -> list[Expr]:
    x, t = draw.argument(E.tensor([3, 2, 4], f32())), E.tensor([], f32())
    inits = [draw.pick([E.full(t, -np.inf), E.full(t, 0), draw.argument(t)]) for _ in range(draw.integer(1, 2))]
    empty, how = E.slice_in_dim(x, 1, 1, 1), draw.pick(["add", "maximum", "multiply"])
    of = draw.pick([empty, E.broadcast(x, [0, 3, 2, 4], [1, 2, 3]), E.reshape(empty, [0, 3])])
    dims = [d for d in range(of.rank) if of.shape[d] == 0 or draw.chance(0.5)]
    result = E.tensor([n for d, n in enumerate(of.shape) if d not in dims], f32())
    n = len(inits)
    made = E.ops("stablehlo.reduce", [*[of] * n, *inits], [result] * n, {"dimensions": E.i64s(dims)}, 1)
    E.fill(made.regions[0], [t] * 2 * n, lambda *v: [E.op(f"stablehlo.{how}", v[k], v[k + n]) for k in range(n)])
    return E.exprs(made.results)


@given("reduce_window_empty", "select_and_scatter_empty")
def windows_on_nothing(draw: Draw) -> list[Expr]:
    x, t = draw.argument(E.tensor([3], f32())), E.tensor([], f32())
    how, init = draw.pick([("add", 0), ("maximum", -np.inf)])
    edges = ir.DenseIntElementsAttr.get(np.array([[2, draw.integer(0, 2)]], np.int64))
    window, n = E.i64s([2]), 1 + int(np.array(edges)[0, 1])
    reduced = E.ops(
        "stablehlo.reduce_window", [E.slice_in_dim(x, 1, 1, 0), E.full(t, init)], [E.tensor([n], f32())],
        {"window_dimensions": window, "padding": edges}, 1,
    )  # fmt: skip
    E.fill(reduced.regions[0], [t, t], lambda a, b: [E.op(f"stablehlo.{how}", a, b)])
    sent = E.ops(
        "stablehlo.select_and_scatter", [x, E.slice_in_dim(x, 3, 3, 0), draw.argument(t)], [x.type],
        {"window_dimensions": E.i64s([5])}, 2,
    )  # fmt: skip
    E.fill(sent.regions[0], [t, t], lambda a, b: [a >= b])
    E.fill(sent.regions[1], [t, t], lambda a, b: [a + b])
    return [Expr(reduced.results[0]), Expr(sent.results[0])]


@given("dot_empty", "convolution_empty")
def products_over_nothing(draw: Draw) -> list[Expr]:
    x, y = draw.argument(E.tensor([3, 2], f32())), draw.argument(E.tensor([2, 4], f32()))
    a, b = E.slice_in_dim(x, 1, 1, 1), E.slice_in_dim(y, 0, 0, 0)
    numbers = ir.Attribute.parse("#stablehlo.conv<[b, f]x[i, o]->[b, f]>")
    more = {"dimension_numbers": numbers, "feature_group_count": E.i64(1), "batch_group_count": E.i64(1)}
    return [
        E.dot_general(a, b, ([1], [0])),
        E.op("stablehlo.convolution", a, b, result=E.tensor([3, 4], f32()), **more),
    ]


@given("scatter_empty", "update_empty")
def changed_by_nothing(draw: Draw) -> list[Expr]:
    x, i = draw.argument(E.tensor([3, 2], f32())), draw.argument(E.tensor([], i32()))
    nothing, at = E.slice_in_dim(x, 0, 0, 0), E.array(np.zeros((0, 1), np.int32), i32())
    added = scatter(x, at, nothing, Dims((1,), (0,), (), (), (0,), 1), draw.pick([plus, take_update]))
    return [added, E.dynamic_update_slice(x, nothing, [i, i])]


@given("slice_of_window")
def cut_windows(draw: Draw) -> Expr:
    x = draw.argument(E.tensor([9, 3], f32()))
    how, init = draw.pick([("add", 0), ("maximum", -np.inf)])
    before = draw.pick([0, 1, 8])
    window = 9 if before == 8 else draw.integer(1, 3)
    move, apart = draw.integer(1, 2), draw.integer(1, 2) if before == 0 else 1
    n = (9 + before - (window - 1) * apart - 1) // move + 1
    attributes = {
        "window_dimensions": E.i64s([window, 1]), "window_strides": E.i64s([move, 1]),
        "window_dilations": E.i64s([apart, 1]),
        "padding": ir.DenseIntElementsAttr.get(np.array([[before, 0], [0, 0]], np.int64)),
    }  # fmt: skip
    scalar_ = E.tensor([], f32())
    made = E.ops("stablehlo.reduce_window", [x, E.full(scalar_, init)], [E.tensor([n, 3], f32())], attributes, 1)
    E.fill(made.regions[0], [scalar_, scalar_], lambda a, b: [E.op(f"stablehlo.{how}", a, b)])
    a = draw.integer(0, n - 1)
    return E.slice_(Expr(made.results[0]), [a, 0], [draw.integer(a + 1, n), 3], [draw.integer(1, 2), 1])


@given("slice_of_reshape", "reshape_of_pad")
def reshaped(draw: Draw) -> list[Expr]:
    source, target = draw.shuffled(
        draw.pick([([6, 4], [24]), ([6, 2, 3], [3, 4, 1, 3]), ([2, 3, 4], [6, 1, 4]), ([1, 8], [2, 2, 2])])
    )
    starts = [draw.integer(0, n - 1) if draw.chance(0.4) else 0 for n in target]
    limits = [draw.integer(a + 1, n) if draw.chance(0.4) else n for a, n in zip(starts, target, strict=True)]
    cut = E.slice_(E.reshape(draw.argument(E.tensor(source, f32())), target), starts, limits)
    d = draw.integer(0, len(source) - 1)
    inner = draw.argument(E.tensor([draw.integer(1, n) if e == d else n for e, n in enumerate(source)], f32()))
    missing = source[d] - inner.shape[d]
    low = draw.integer(0, missing)
    edges = [[k if e == d else 0 for e in range(len(source))] for k in (low, missing - low)]
    return [cut, E.reshape(E.pad(inner, draw.argument(E.tensor([], f32())), *edges), target)]


@given("transpose_of_concatenate")
def transposed_pieces(draw: Draw) -> Expr:
    order = draw.shuffled(range(3))
    parts = [E.transpose(draw.argument(E.tensor([2, 3, 4], f32())), order) for _ in range(2)]
    return E.transpose(E.concatenate(parts, draw.integer(0, 2)), draw.shuffled(range(3)))


@given("add_pad_to_concatenate")
def pad_on_piece(draw: Draw) -> Expr:
    sizes = [draw.integer(1, 3) for _ in range(3)]
    parts = [draw.argument(E.tensor([n, 2], f32())) for n in sizes]
    k = draw.integer(0, 2)
    y = E.pad(draw.argument(parts[k].type), 0, [sum(sizes[:k]), 0], [sum(sizes[k + 1 :]), 0])
    return E.concatenate(parts, 0) + y


@given("add_pad_to_update")
def pad_on_zeros(draw: Draw) -> Expr:
    t, low = E.tensor([5, 4], f32()), [draw.integer(0, 2), draw.integer(0, 1)]
    part = E.tensor([2, 3], f32())
    at = [scalar(n) for n in low]
    x = E.dynamic_update_slice(draw.argument(t), E.full(part, 0), at)
    for _ in range(draw.integer(0, 2)):
        x = x + draw.argument(t)
    high = [n - a - m for n, a, m in zip(t.shape, low, part.shape, strict=True)]
    return x + E.pad(draw.argument(part), 0, low, high)


@given("mul_const_out", "div_const_out", "div_by_const_out")
def waiting_constant(draw: Draw) -> Expr:
    t = E.tensor(draw.shape(), f32())
    x, y = draw.argument(t), draw.argument(t)
    inner = draw.pick([lambda: (x * 2.5) * y, lambda: (x * 2.5) / y, lambda: x / (y * 2.5)])()
    return inner * 3.0 if draw.chance(0.5) else inner / 3.0


@given("mul_of_zero_pad")
def padded_factor(draw: Draw) -> Expr:
    y = E.convert(draw.argument(E.tensor([5, 2], i1())), f32())
    return E.pad(draw.argument(E.tensor([2, 2], f32())), 0, [1, 0], [2, 0]) * y


# -- products ----------------------------------------------------------------------------------------------------------


@given("dot_of_zero", "dot_with_zero", "dot_with_diagonal")
def known_factor(draw: Draw) -> Expr:
    n = draw.integer(2, 4)
    y = E.convert(draw.argument(E.tensor([n, 3], i1())), f32())
    if draw.chance(0.5):
        where = E.iota([n, n], 0, i32()).eq(E.iota([n, n], 1, i32()))
        spread = E.broadcast(draw.argument(E.tensor([n], f32())), [n, n], [draw.integer(0, 1)])
        threes = E.full_like(spread, 3)
        eye = draw.pick([E.convert(where, f32()), E.select(where, spread, 0), E.select(where, threes, 0)])
        return (
            E.dot_general(eye, y, ([draw.integer(0, 1)], [0]))
            if draw.chance(0.5)
            else E.dot_general(y, eye, ([0], [draw.integer(0, 1)]))
        )
    zero = E.full(E.tensor([2, n], f32()), 0)
    return E.dot_general(zero, y, ([1], [0])) if draw.chance(0.5) else E.dot_general(y, zero, ([0], [1]))


@given("transpose_of_symmetric", "dot_of_symmetric")
def symmetric(draw: Draw) -> Expr:
    a, n = draw.argument(E.tensor([3, 4], f32())), 3
    gram = E.dot_general(a, a, ([1], [1]))
    made = draw.pick([lambda: gram, lambda: E.tanh(gram), lambda: a_plus_transpose(draw)])()
    if draw.chance(0.5):
        return E.transpose(made, [1, 0])
    return E.dot_general(made, draw.argument(E.tensor([n, 2], f32())), ([0], [0]))


def a_plus_transpose(draw: Draw) -> Expr:
    x = draw.argument(E.tensor([3, 3], f32()))
    return x + E.transpose(x, [1, 0])


@given("dot_of_padded_left", "dot_of_padded_right", "dot_of_padded_sums")
def padded_matrix(draw: Draw) -> Expr:
    low, high = ([draw.integer(0, 2) for _ in range(3)] for _ in range(2))
    x = draw.argument(E.tensor([2, 3, 4], f32()))
    if draw.chance(0.4):
        low[0] = high[0] = low[1] = high[1] = 0
    x = E.pad(x, 0, low, high)
    b, _, k = x.shape
    y = E.convert(draw.argument(E.tensor([b, k, 2], i1())), f32())
    if draw.chance(0.3):
        y = E.pad(draw.argument(E.tensor([b, 4, 2], f32())), 0, [0, low[2], 0], [0, high[2], 0])
    batch = ([0], [0])
    return E.dot_general(x, y, ([2], [1]), batch) if draw.chance(0.5) else E.dot_general(y, x, ([1], [2]), batch)


@given("trace_of_dot", "diagonal_of_dot")
def trace(draw: Draw) -> Expr:
    n, b = draw.integer(2, 3), draw.integer(1, 2)
    x, y = draw.argument(E.tensor([b, n, 4], f32())), draw.argument(E.tensor([n, 4], f32()))
    if draw.chance(0.5):
        made = E.dot_general(x, y, ([2], [1]))
    else:
        made = E.dot_general(x, draw.argument(E.tensor([b, 4, n], f32())), ([2], [1]), ([0], [0]))
    order = draw.shuffled(range(3))
    made = E.transpose(made, order) if draw.chance(0.5) else made
    sizes = made.shape
    i, j = draw.shuffled([d for d in range(3) if sizes[d] == n])[:2]
    eye = E.iota(sizes, i, i32()).eq(E.iota(sizes, j, i32()))
    dims = [i] if draw.chance(0.4) else sorted({i, j} | set(draw.subset(range(3), 0.3)))
    return E.reduce_sum(E.select(eye, made, 0), dims)


@given("dot_of_broadcast_left", "dot_of_broadcast_right")
def broadcast_factor(draw: Draw) -> Expr:
    x = (
        E.broadcast(draw.argument(E.tensor([3], f32())), [4, 3, 2], [1])
        if draw.chance(0.5)
        else E.broadcast(draw.argument(E.tensor([4, 3], f32())), [4, 3, 2], [0, 1])
    )
    y = draw.argument(E.tensor([3, 5], f32()))
    return E.dot_general(x, y, ([1], [0])) if draw.chance(0.5) else E.dot_general(y, x, ([0], [1]))


def some_numbers(draw: Draw, shape: Sequence[int], finite: bool) -> Expr:
    """An argument, or truth values as numbers."""
    return E.convert(draw.argument(E.tensor(shape, i1())), f32()) if finite else draw.argument(E.tensor(shape, f32()))


@given("dot_chain", "dot_chain_right")
def chain(draw: Draw) -> Expr:
    batch = draw.pick([[], [2]])
    b, known = len(batch), draw.integer(0, 1)
    x, y, z = (some_numbers(draw, [*batch, *draw.pick([[3, 3], [3, 3, 3], [3]])], k != known) for k in range(3))
    batches = list(range(b)), list(range(b))
    first = E.dot_general(x, y, ([draw.integer(b, x.rank - 1)], [draw.integer(b, y.rank - 1)]), batches)
    at = [draw.integer(b, max(b, first.rank - 1))], [draw.integer(b, z.rank - 1)]
    return E.dot_general(first, z, at, batches) if draw.chance(0.5) else E.dot_general(z, first, at[::-1], batches)


@given("add_of_dots_right", "add_of_dots_left", "sub_of_dots_right", "sub_of_dots_left")
def two_products(draw: Draw) -> Expr:
    x = some_numbers(draw, [3, 3], True)
    y, z = (some_numbers(draw, [3, 3], False) / 1e30 for _ in range(2))  # (what is large would cancel what is small)
    numbers = ([draw.integer(0, 1)], [draw.integer(0, 1)])
    left, right = (E.dot_general(x, v, numbers) if draw.names.setdefault("side", draw.chance(0.5))
                   else E.dot_general(v, x, numbers) for v in (y, z))  # fmt: skip
    return left + right if draw.chance(0.5) else left - right


@given("dot_of_twin")
def twins(draw: Draw) -> list[Expr]:
    x, y = draw.argument(E.tensor([2, 3, 16], f32())), draw.argument(E.tensor([2, 16, 4], f32()))
    if draw.chance(0.5):
        return [E.dot_general(x, y, ([2], [1]), ([0], [0])), E.dot_general(y, x, ([1], [2]), ([0], [0]))]
    return [E.dot_general(x, y, ([2], [1])), E.dot_general(y, x, ([1], [2]))]


@given("dot_turning_slow_left")
def slow_factor(draw: Draw) -> list[Expr]:
    turned = draw.argument(E.tensor([2, 4, 3], f32()))
    x = E.sin(turned)
    x = E.concatenate([x, E.cos(turned)], 2) if draw.chance(0.5) else x
    y = draw.argument(E.tensor([2, 4, 5], f32()))
    contract, batch = draw.pick([([0, 1], []), ([1], [0])])
    return [E.dot_general(x, y, (contract, contract), (batch, batch)), x]


@given("dot_of_repeated", "dot_of_repeated_batch")
def repeated_factor(draw: Draw) -> Expr:
    whole = [2, 3, 4]
    dims = draw.subset(range(3), 0.4)
    known = some_numbers(draw, [whole[d] for d in dims], draw.chance(0.5))
    y = draw.pick([E.broadcast(known, whole, dims), E.full(E.tensor(whole, f32()), 2.5)])
    x = draw.argument(E.tensor(draw.pick([[2], [2, 3], [2, 3, 5]]), f32()))
    x = E.broadcast(x, [2, 3, 5], [0]) if x.rank == 1 else x
    batch, contract = draw.pick([([0], [1]), ([0, 1], []), ([], [0, 1]), ([], [1])])
    sides = (x, y) if draw.chance(0.5) else (y, x)
    return E.dot_general(*sides, (contract, contract), (batch, batch))


@given("dot_of_scaled_left", "dot_of_scaled_right")
def scaled_factor(draw: Draw) -> Expr:
    s = some_numbers(draw, [2, 1] if draw.chance(0.5) else [2], True) + 1
    x = draw.argument(E.tensor([2, 3, 4], f32())) * E.broadcast(s, [2, 3, 4], range(s.rank))
    y = draw.argument(E.tensor([2, 4, 5], f32()))
    batch = draw.pick([([0], [0]), ([], [])])
    return E.dot_general(x, y, ([2], [1]), batch) if draw.chance(0.5) else E.dot_general(y, x, ([1], [2]), batch)


@given("reduce_of_dot")
def sum_of_product(draw: Draw) -> Expr:
    x, y = (some_numbers(draw, shape, draw.chance(0.5)) for shape in ([2, 3, 4], [4, 2, 5]))
    batch = draw.pick([([0], [1]), ([], [])])
    made = E.dot_general(x, y, ([2], [0]), batch)
    return E.reduce_sum(made, draw.subset(range(made.rank)) or [0])


@given("concatenate_of_dots")
def joined_products(draw: Draw) -> Expr:
    x, sizes = draw.argument(E.tensor([2, 3, 4], f32())), [draw.integer(1, 3) for _ in range(draw.integer(2, 3))]
    numbers, batch = ([2], [0]), ([0], [2]) if draw.chance(0.5) else ([], [])
    ys = [draw.argument(E.tensor([4, n, 2], f32())) for n in sizes]
    if draw.chance(0.5):
        return E.concatenate([E.dot_general(x, y, numbers, batch) for y in ys], 2)
    return E.concatenate([E.dot_general(y, x, numbers[::-1], batch[::-1]) for y in ys], 1 if batch[0] else 0)


@given("reduce_of_outer_product")
def outer_product(draw: Draw) -> Expr:
    n, m, k = 4, 5, draw.integer(1, 3)
    whole, order = [n, m, k], draw.pick([[0, 2], [2, 0]])
    x = draw.argument(E.tensor([whole[d] for d in order], f32()))
    if draw.chance(0.3):
        y = E.broadcast(draw.argument(E.tensor([1, m, k], f32())), whole, [0, 1, 2])
    else:
        y = E.broadcast(draw.argument(E.tensor([m, k], f32())), whole, [1, 2])
    made = E.broadcast(x, whole, order) * y
    if draw.chance(0.4):
        made = made * E.broadcast(draw.argument(E.tensor([k], f32())), whole, [2])
    return E.reduce_sum(made, [2])


@given("reduce_of_outer_products")
def sum_of_outer_products(draw: Draw) -> Expr:
    n, m, k = 4, 5, draw.integer(1, 3)
    whole = [k, n, m] if draw.chance(0.7) else [n, k, m]
    rounds, row = (0, 1) if whole[0] == k else (1, 0)

    def product() -> Expr:
        x, y = (draw.argument(E.tensor([whole[d] for d in dims], f32())) for dims in ([rounds, row], [rounds, 2]))
        return E.broadcast(x, whole, [rounds, row]) * E.broadcast(y, whole, [rounds, 2])

    made = product()
    for _ in range(draw.integer(1, 3)):
        made = made + product() if draw.chance(0.5) else product() + made
    return E.reduce_sum(made, [rounds])


@given("reduce_of_matvec")
def matrix_times_vector(draw: Draw) -> Expr:
    shape = [draw.integer(2, 4), draw.integer(4, 6), 8]
    x, dims = draw.argument(E.tensor(shape, f32())), draw.pick([[2], [0, 2], [1, 2], [0, 1], [1], [0]])
    y = draw.argument(E.tensor([1 if draw.chance(0.2) else shape[d] for d in dims], f32()))
    spread = E.broadcast(y, shape, dims)
    product = x * spread if draw.chance(0.5) else spread * x
    return E.reduce_sum(product, sorted(draw.subset(dims, 0.8) or dims[-1:]))


@given("reduce_of_repeated")
def sum_of_repeated(draw: Draw) -> Expr:
    whole = [3, 4, 2]
    some = [E.broadcast(draw.argument(E.tensor([whole[d] for d in dims], f32())), whole, dims)
            for dims in ([0], [0, 2], [], [2])]  # fmt: skip
    x, y = draw.shuffled(some)[:2]
    p = E.iota(whole, draw.pick([0, 2]), i32()).eq(1)
    made = draw.pick([lambda: x * y, lambda: x - y * 2, lambda: E.select(p, x, y), lambda: E.maximum(x, 0) + y])()
    body, init = draw.pick([("add", 0), ("add", 0), ("maximum", -np.inf), ("multiply", 1)])
    return E.reduce(made, draw.pick([[1], [0, 1], [1, 2], [0, 1, 2]]), f"stablehlo.{body}", init)


@given(
    "window_of_one", "window_of_all", "extreme_of_all", "window_of_blocks", "extreme_of_blocks", "window_of_pad",
    "window_of_transpose", "extreme_window_of_transpose",
    "window_of_negate", "window_of_multiple", "window_of_splat",
)  # fmt: skip
def windowed(draw: Draw) -> Expr:
    dtype = draw.pick([f32(), f32(), i32()])
    t = E.tensor([draw.pick([2, 4, 6]), draw.pick([2, 4, 6])], dtype)
    body = draw.pick(["add", "add", "maximum"])
    init = 0 if body == "add" else -np.inf if dtype == f32() else -(2**31)
    x = draw.argument(t)
    match draw.integer(0, 5):
        case 0:
            x = E.pad(x, init, *([draw.integer(0, 2) for _ in range(2)] for _ in range(2)))
        case 1:
            x = E.transpose(x, [1, 0])
        case 2:
            x = -x
        case 3:
            x = x * 3
        case 4:
            x = E.full(t, 2)
    size = [draw.pick([1, 2, 2, n]) for n in x.shape]
    stride = list(size) if draw.chance(0.5) else [draw.integer(1, 2) for _ in size]
    plain = draw.chance(0.6)
    low, high = ([0 if plain else draw.integer(0, 2) for _ in size] for _ in range(2))
    base, holes = ([1 if plain else draw.pick([1, 1, 2]) for _ in size] for _ in range(2))
    shape = [
        ((n - 1) * b + 1 + a + z - ((w - 1) * h + 1)) // s + 1
        for n, w, s, b, h, a, z in zip(x.shape, size, stride, base, holes, low, high, strict=True)
    ]
    attributes = {
        "window_dimensions": E.i64s(size),
        "window_strides": E.i64s(stride),
        "base_dilations": E.i64s(base),
        "window_dilations": E.i64s(holes),
        "padding": ir.DenseIntElementsAttr.get(np.array([low, high], np.int64).T.copy()),
    }
    scalar = E.tensor([], dtype)
    made = E.ops("stablehlo.reduce_window", [x, E.full(scalar, init)], [E.tensor(shape, dtype)], attributes, regions=1)
    E.fill(made.regions[0], [scalar, scalar], lambda a, b: [E.op(f"stablehlo.{body}", a, b)])
    return Expr(made.results[0])


# -- movements ---------------------------------------------------------------------------------------------------------


@given("binary_of_reverses", "select_of_reverses")
def reversed_operands(draw: Draw) -> Expr:
    t, dims = E.tensor([3, 2], f32()), draw.pick([[0], [1], [0, 1]])
    x, y = (E.reverse(draw.argument(t), dims) for _ in range(2))
    p = E.reverse(draw.argument(E.tensor(t.shape, i1())), dims)
    p = draw.pick([p, draw.argument(E.tensor([], i1()))])
    y = E.full(t, 2.5) if draw.chance(0.2) else y
    return E.select(p, x, y) if draw.chance(0.5) else x - y


@given("concatenate_of_reshapes", "concatenate_of_transposes", "update_of_reshapes", "update_of_transposes")
def moved_pieces(draw: Draw) -> Expr:
    if draw.chance(0.5):
        order = draw.shuffled(range(3))
        x, u = (E.transpose(draw.argument(E.tensor([2, 3, n], f32())), order) for n in (4, draw.integer(1, 4)))
        dim = order.index(2)
    else:
        shape, target, dim = draw.pick(
            [([3, 4], [3, 1, 4], 0), ([3, 1, 4], [3, 4], 0), ([3, 4], [1, 3, 4], 2), ([3, 4, 2], [3, 8], 0),
             ([3, 8], [3, 4, 2], 0), ([3, 4], [3, 4, 1], 1), ([1, 4], [1, 4, 1], 0), ([1, 4], [1, 1, 4], 1)]
        )  # fmt: skip
        x, u = (E.reshape(draw.argument(E.tensor(shape, f32())), target) for _ in range(2))
    if draw.chance(0.5) or any(m > n for m, n in zip(u.shape, x.shape, strict=True)):
        return E.concatenate([x, u], dim)
    return E.dynamic_update_slice(x, u, places(draw, x.rank))


@given("reverse_of_concatenate")
def reversed_pieces(draw: Draw) -> Expr:
    dims = draw.pick([[0], [1], [0, 1]])
    parts = [E.reverse(draw.argument(E.tensor([draw.integer(1, 3), 2], f32())), dims) for _ in range(3)]
    return E.reverse(E.concatenate(parts, 0), dims)


@given("add_of_slices", "multiply_of_slices", "maximum_of_slices", "minimum_of_slices", "and_of_slices", "or_of_slices")
def slices_one_by_one(draw: Draw) -> Expr:
    name, dim = draw.pick(["add", "multiply", "maximum", "minimum", "and", "or"]), draw.integer(0, 1)
    x = draw.argument(E.tensor([7, 7], i1() if name in ("and", "or") else f32()))
    at, start = draw.integer(0, 1), draw.integer(0, 2)
    parts = []
    for k in draw.shuffled(range(draw.integer(4, 5))):
        low, high = [at, at], [at + 3, at + 3]
        low[dim], high[dim] = start + k, start + k + 1
        parts.append(E.slice_(x, low, high))
    while len(parts) > 1:
        made = E.op(f"stablehlo.{name}", parts.pop(0), parts.pop(0))
        parts.insert(0 if draw.chance(0.7) else len(parts), made)
    return parts[0]


@given("transpose_of_mirrored")
def mirrored(draw: Draw) -> Expr:
    x = draw.argument(E.tensor([3, 2], f32()))
    a, b = ([0, 2], [1, 2]) if draw.chance(0.7) else ([2, 0], [1, 0])
    whole = [3, 3, 2] if a == [0, 2] else [2, 3, 3]
    spread = [E.broadcast(x, whole, dims) for dims in (a, b)]
    made = draw.pick([lambda: spread[0] * spread[1], lambda: E.maximum(*spread)])()
    return E.transpose(made, [1, 0, 2] if a == [0, 2] else [0, 2, 1])


@given("reduce_of_scaled")
def scaled_sum(draw: Draw) -> Expr:
    s = E.convert(draw.argument(E.tensor([3], i1())), f32()) + 1
    x = draw.argument(E.tensor([3, 4], f32()))
    return E.reduce_sum(x * E.broadcast(s, [3, 4], [0]), [1])


@given("reduce_of_concatenate")
def sum_of_pieces(draw: Draw) -> Expr:
    parts = [draw.argument(E.tensor([draw.integer(1, 3), 2], f32())) for _ in range(2)]
    return E.reduce_sum(E.concatenate(parts, 0), [0] if draw.chance(0.5) else [0, 1])


@given("reduce_max_of_mask")
def greatest_of_mask(draw: Draw) -> Expr:
    p = E.convert(draw.argument(E.tensor([3, 2], i1())), f32())
    body, init = draw.pick([("maximum", -np.inf), ("minimum", np.inf)])
    return E.reduce(p, [draw.integer(0, 1)], f"stablehlo.{body}", init)


@given("convert_of_select")
def select_there_and_back(draw: Draw) -> Expr:
    t = E.tensor(draw.shape(), f32())
    wide = ir.Type.parse("f64")
    x, y = E.convert(draw.argument(t), wide), draw.argument(E.tensor(t.shape, wide))
    return E.convert(E.select(draw.argument(E.tensor(t.shape, i1())), x, y), f32())


SIDES = ("left", "right")


@given(
    "convolution_of_pad", "convolution_of_transpose", "convolution_of_transposed_kernel", "transpose_of_convolution",
    "slice_of_convolution", *(f"convolution_of_{n}_{s}" for s in SIDES for n in
    ("multiple", "negated", "negated_and_multiple")), *(f"multiple_of_convolution_of_multiple_{s}" for s in SIDES),
    *(f"{n}_convolution_of_negated_{s}" for s in SIDES for n in ("neg", "add", "sub")),
    *(f"neg_convolution_of_multiple_{s}" for s in SIDES),
)  # fmt: skip
def convolved(draw: Draw) -> Expr:
    x, w = draw.argument(E.tensor([2, 5, 3], f32())), draw.argument(E.tensor([2, 3, 4], f32()))
    if draw.chance(0.2):
        x = E.pad(x, 0, [0, draw.integer(0, 2), 0], [0, draw.integer(0, 2), 0])
    x, w = (draw.pick([lambda v: v, lambda v: v * 2.5, lambda v: -v])(v) for v in (x, w))
    orders = [draw.pick([[0, 1, 2], [0, 2, 1], [2, 1, 0]]) for _ in range(3)]
    moved = [E.transpose(v, order) for v, order in zip((x, w), orders, strict=False)]
    stride, low, high = draw.integer(1, 2), draw.integer(0, 1), draw.integer(0, 1)
    n = (x.shape[1] + low + high - 2) // stride + 1
    texts = [", ".join(names[d] for d in order) for names, order in zip(("b0f", "0io", "b0f"), orders, strict=True)]
    attributes = {
        "dimension_numbers": ir.Attribute.parse("#stablehlo.conv<[{}]x[{}]->[{}]>".format(*texts)),
        "window_strides": E.i64s([stride]),
        "padding": ir.DenseIntElementsAttr.get(np.array([[low, high]], np.int64)),
        "feature_group_count": E.i64(1),
        "batch_group_count": E.i64(1),
    }
    shape = [[2, n, 4][d] for d in orders[2]]
    made = E.op("stablehlo.convolution", *moved, result=E.tensor(shape, f32()), **attributes)
    match draw.integer(0, 6):
        case 0:
            return E.transpose(made, draw.shuffled(range(3)))
        case 1:
            return made * 3.0
        case 2:
            return -made
        case 3:
            return draw.argument(made.type) + made
        case 4:
            return draw.argument(made.type) - made
        case 5:
            dim = orders[2].index(draw.pick([0, 2]))
            return E.slice_in_dim(made, draw.integer(0, 1), shape[dim], dim)
    return made


# -- loops that are taken apart ----------------------------------------------------------------------------------------


def counted(draw: Draw, trips: int, inits: Sequence[Expr], round_: Callable[..., list[Expr]]) -> list[Expr]:
    """A loop whose counter goes up or down, in steps of 1 or more; a round gets its number, then the rest."""
    start, step = draw.integer(-1, 2), draw.pick([1, 1, -1, 2, -3])
    of = draw.pick([i32(), ir.Type.parse("i64")])
    first = E.full(E.tensor([], of), start)
    types = [first.type, *(x.type for x in inits)]

    def body(i: Expr, *carried: Expr) -> list[Expr]:
        number = i - start if step > 0 else start - i
        if abs(step) > 1:
            number = number / abs(step)
        return [i + step, *round_(number if draw_exact(step) else i * step - start * step, *carried)]

    def draw_exact(step: int) -> bool:
        return abs(step) > 1 or start != 0 or step < 0

    made = E.ops("stablehlo.while", [first, *inits], types, regions=2)
    end = start + step * trips
    E.fill(made.regions[0], types, lambda i, *_: [i < end if step > 0 else i > end])
    E.fill(made.regions[1], types, body)
    return E.exprs(made.results)[1:]


def row_of(x: Expr, at: Expr) -> Expr:
    zero = E.full(at.type, 0)
    return E.reshape(E.dynamic_slice(x, [at, *[zero] * (x.rank - 1)], [1, *x.shape[1:]]), x.shape[1:])


def with_row(x: Expr, row: Expr, at: Expr) -> Expr:
    zero = E.full(at.type, 0)
    return E.dynamic_update_slice(x, E.reshape(row, [1, *row.shape]), [at, *[zero] * row.rank])


@given("lift_before", "lift_after")
def recurrent(draw: Draw) -> list[Expr]:
    """A recurrent cell: a state, stacks of what it was and is, sums of products, and sums of sums."""
    n, b, k, h = draw.integer(4, 6), draw.pick([1, 2, 3]), draw.integer(2, 4), draw.pick([8, 9])
    x, w = draw.argument(E.tensor([n, b, k], f32())), draw.argument(E.tensor([k, h], f32()))
    u = draw.argument(E.tensor([h, h], f32()))
    parts = ["stack", "before", "out", "weights", "inputs", "bias", "outer", "twice", "part"]
    names = ["state", *draw.subset(parts, 0.6)]
    shapes = {
        "state": [b, h], "stack": [n, b, h], "before": [n, b, h], "out": [n, b, h], "weights": [k, h], "inputs": [h, h],
        "bias": [h], "outer": [h, h], "twice": [h, h], "part": [b, h],
    }  # fmt: skip
    inits = [draw.argument(E.tensor(shapes[name], f32())) for name in names]

    def round_(at: Expr, *carried: Expr) -> list[Expr]:
        have = dict(zip(names, carried, strict=True))
        here, old = row_of(x, at), have["state"]
        part = E.dot_general(old, u, ([1], [0]))
        new = E.tanh(E.dot_general(here, w, ([1], [0])) + part)
        line, below = (E.broadcast(E.reshape(E.slice_(new, [0, 0], [1, h]), [h]), [h, h], [d]) for d in (0, 1))
        made = {
            "state": lambda _: new,
            "stack": lambda s: with_row(s, new, at),
            "before": lambda s: with_row(s, old, at),
            "out": lambda s: with_row(s, E.sin(E.dot_general(new, u, ([1], [1]))), at),
            "weights": lambda s: s + E.dot_general(here, new, ([0], [0])),
            "inputs": lambda s: s - E.dot_general(old, new, ([0], [0])),
            "bias": lambda s: s + E.reduce_sum(new, [0]),
            "outer": lambda s: s + line * below,
            "twice": lambda s: s + (line * below + E.broadcast(E.reduce_sum(part, [0]), [h, h], [0]) * below),
            "part": lambda s: s + part,  # which the next state needs as well
        }
        return [made[name](have[name]) for name in names]

    return counted(draw, n, inits, round_)


@given("read_before_write", "carried_sum", "result_untouched")
def in_place(draw: Draw) -> list[Expr]:
    """An array that is changed row by row, where rows are read that have not been written yet, or have."""
    n = draw.integer(2, 5)
    x, y = draw.argument(E.tensor([n + 2, 2], f32())), draw.argument(E.tensor([2], f32()))
    reads, back = draw.integer(-1, 2), draw.chance(0.3)
    again = draw.chance(0.3)

    def round_(at: Expr, rows: Expr, total: Expr) -> list[Expr]:
        at = (n - 1) - at if back else at
        here = row_of(rows, at + reads)
        new = with_row(rows, E.sin(here) + y, at)
        if again:
            new = with_row(new, here, at + 1)
        less = E.broadcast(E.convert(at, f32()), [2], [])
        return [new, draw_total(total, here, less)]

    def draw_total(total: Expr, here: Expr, less: Expr) -> Expr:
        return (here + (total + y)) - less if reads else (total - y) - here

    made = counted(draw, n, [x, draw.argument(y.type)], round_)
    return [*made, E.slice_(made[0], [draw.integer(0, n + 1), 0], [n + 2, 2])]


@given("add_update", "sub_update")
def added_update(draw: Draw) -> list[Expr]:
    t = E.tensor(draw.shape(1, 3), draw.pick([f32(), i32()]))
    part = E.tensor([draw.integer(1, n) for n in t.shape], t.element_type)
    made = E.dynamic_update_slice(E.full(t, 0), draw.argument(part), places(draw, t.rank))
    other = E.dynamic_update_slice(E.full(t, 0), draw.argument(part), places(draw, t.rank))
    x = draw.argument(t)
    return [x + made, x - other]


# -- gather and scatter, taken further ---------------------------------------------------------------------------------


@given("gather_from_one_place", "slice_of_gather")
def gathered_at(draw: Draw) -> Expr:
    """Rows of which some components are one number for all, as a loop inside a loop gives them."""
    shape, n = [4, 5, 3], draw.integer(1, 3)
    x, one = draw.argument(E.tensor(shape, f32())), draw.argument(E.tensor([], i32()))
    many = E.reshape(draw.argument(E.tensor([n], i32())), [n, 1])
    parts = draw.shuffled([E.broadcast(one, [n, 1], []), many])
    kept = draw.chance(0.5)
    dims = Dims((1,) if not kept else (1, 2), (0, 1) if not kept else (0,), (), (), tuple(draw.shuffled([0, 1])), 1)
    sizes = [1, 1, 3]
    made = gather(x, E.concatenate(parts, 1), dims, sizes)
    return E.slice_(made, [n - 1] + [0] * (made.rank - 1), made.shape) if draw.chance(0.5) else made


def grid(draw: Draw, shape: Sequence[int]) -> tuple[Expr, list[int]]:
    """Indices of two components on a grid, sometimes outside, and its size."""
    counts = [draw.integer(1, m) for m in shape]
    lines = []
    for m, count in zip(shape, counts, strict=True):
        step = draw.pick([1, 1, -1, 2]) if count > 1 else 1
        start = draw.integer(0, m - 1) if draw.chance(0.3) else 0 if step > 0 else m - 1
        lines.append(start + step * np.arange(count))
    if draw.chance(0.2):
        lines[0][:] = draw.pick([1, 7])
    here = np.stack(np.meshgrid(*lines, indexing="ij"), -1)
    return E.array(here.astype(np.int32), i32()), counts


@given("scatter_unique", "scatter_of_gathered", "scatter_scatter", "add_scatter", "sub_scatter", "neg_scatter",
       "mul_scatter", "unary_of_scatter")  # fmt: skip
def scattered_on_grid(draw: Draw) -> list[Expr]:
    shape = [4, 5, 2]
    t, body = E.tensor(shape, f32()), draw.pick([plus, take_update])
    dims = Dims((2,), (0, 1), (), (), (0, 1), 2)
    i, counts = grid(draw, shape[:2])
    if draw.chance(0.5):  # anywhere, though not the same twice
        i = draw.argument(i.type)
        counts, i = [1, 1], E.slice_(i, [0, 0, 0], [1, 1, 2])
    u = E.tensor([*counts, 2], f32())
    zero = scatter(E.full(t, 0), i, draw.argument(u), dims, body, unique=False)
    x = draw.argument(t)
    match draw.integer(0, 7):
        case 0:
            return [x + zero, x - scatter(E.full(t, 0), i, draw.argument(u), dims, plus)]
        case 1:
            return [-zero]
        case 2:
            return [zero * 2.5]
        case 3:
            return [E.cos(scatter(E.full(t, 0.5), i, draw.argument(u), dims, take_update))]
        case 4:
            return [scatter(x, i, gather(x, i, dims, [1, 1, 2]), dims, take_update)]
        case 5:
            first = scatter(x, i, draw.argument(u), dims, body)
            return [scatter(first, i, draw.argument(u), dims, body)]
        case 6:
            return [gather(scatter(x, i, draw.argument(u), dims, take_update), i, dims, [1, 1, 2])]
    return [scatter(x if draw.chance(0.6) else E.full(t, 0), i, draw.argument(u), dims, body)]


@given("abs_of_jax")
def absolute_by_jax(draw: Draw) -> Expr:
    """A call of a function that stands for JAX's absolute value, of what is nowhere negative."""
    t = E.tensor(draw.shape(1, 2), f32())
    inside = ir.InsertionPoint.current.block
    module = inside.owner.operation.parent
    with ir.InsertionPoint.at_block_begin(module.regions[0].blocks[0]):
        absolute = func.FuncOp("absolute", ir.FunctionType.get([t], [t]), visibility="private")
        with ir.InsertionPoint(absolute.add_entry_block()):
            ir.Operation.create("func.return", operands=[E.absolute(Expr(absolute.arguments[0])).value])
    x = draw.pick([E.exp, lambda x: x * x, lambda x: E.maximum(x, 0.0)])(draw.argument(t))
    called = {"callee": ir.FlatSymbolRefAttr.get("absolute"), "gradir.primitive": ir.StringAttr.get("abs")}
    return Expr(ir.Operation.create("func.call", [t], [x.value], called).results[0])


@given("add_spread_of_one", "sub_spread_of_one")
def neighbours(draw: Draw) -> Expr:
    """What the adjoint of a stencil adds up: a value in several places, among others."""
    t = E.tensor(draw.shape(1, 2), f32())
    room = [draw.integer(1, 2) for _ in t.shape]
    x, y = E.sin(draw.argument(t)), E.exp(draw.argument(t))

    def spread() -> Expr:
        low = [draw.integer(0, n) for n in room]
        of = draw.pick([x, x, y])
        of = draw.pick([lambda: of, lambda: -of, lambda: of * 2.5, lambda: of * -2])()
        return E.pad(of, draw.pick([0.0, -0.0]), low, [n - a for n, a in zip(room, low, strict=True)])

    total = spread() if draw.chance(0.3) else draw.argument(E.tensor([n + m for n, m in zip(t.shape, room)], f32()))
    for _ in range(draw.integer(2, 5)):
        term = spread() if draw.chance(0.8) else spread() + spread()
        total = total + term if draw.chance(0.7) else total - term
    return total


@given("dynamic_slice_of_slice", "slice_of_dynamic_slice", "dynamic_slice_twice", "dynamic_slice_reduce",
       "dynamic_slice_dot", "update_covers", "slice_of_update")  # fmt: skip
def slices_of_slices(draw: Draw) -> Expr:
    t = E.tensor([6, 5], f32())
    x, sizes = draw.argument(t), [draw.integer(1, 4), draw.integer(1, 3)]
    less = [draw.integer(1, n) for n in sizes]
    dynamic = lambda v, n: E.dynamic_slice(v, places(draw, len(n)), n)  # noqa: E731
    from_one = lambda v, n: E.slice_(v, [m - k for m, k in zip(v.shape, n, strict=True)], v.shape)  # noqa: E731
    match draw.integer(0, 6):
        case 0:
            return dynamic(from_one(x, sizes), less)
        case 1:
            return from_one(dynamic(x, sizes), less)
        case 2:
            return dynamic(dynamic(x, sizes), less)
        case 3:
            return dynamic(E.reduce_sum(x, [draw.integer(0, 1)]), [2])
        case 4:
            if draw.chance(0.5):
                y = draw.argument(E.tensor([2, 5, 3], f32()))
                return dynamic(E.dot_general(x, y, ([1], [1])), [2, 1, 3])
            both = [draw.argument(E.tensor([4, 3, 2], f32())) for _ in range(2)]
            return dynamic(E.dot_general(*both, ([1], [1]), ([0], [0])), [2, 1, 2])
        case 5:
            first = E.dynamic_update_slice(x, draw.argument(E.tensor(less, f32())), [scalar(draw.integer(-1, 6))] * 2)
            second = draw.argument(E.tensor(sizes, f32()))
            return E.dynamic_update_slice(first, second, [scalar(draw.integer(-1, 6))] * 2)
    wrote = E.dynamic_update_slice(x, draw.argument(E.tensor(sizes, f32())), [scalar(draw.integer(0, 3))] * 2)
    return E.slice_(wrote, [draw.integer(0, 2)] * 2, [4, 4], [draw.integer(1, 2)] * 2)


@given("if_not", "known_in_branch", "known_in_case", "if_unused", "case_unused")
def more_branches(draw: Draw) -> list[Expr]:
    """Branches that ask again what was asked, or whose results are not all used."""
    t = E.tensor(draw.shape(0, 2, 3), f32())
    xs, many = [draw.argument(t), draw.argument(t)], draw.chance(0.5)
    choice = draw.argument(E.tensor([], i32() if many else i1()))
    asked = ~choice if not many and draw.chance(0.5) else choice

    def body(k: int) -> list[Expr]:
        again = choice.eq(k) if many else choice
        return [E.select(again, xs[0], E.sin(xs[1])), E.tanh(xs[k % 2])]

    n = draw.integer(2, 3) if many else 2
    made = E.ops("stablehlo.case" if many else "stablehlo.if", [asked], [t, t], regions=n)
    for k, region in enumerate(made.regions):
        E.fill(region, [], lambda k=k: body(k))
    results = E.exprs(made.results)
    return results[:1] if draw.chance(0.5) else results


@given("unswitch")
def branch_in_loop(draw: Draw) -> list[Expr]:
    x, trips = draw.argument(E.tensor([2], f32())), draw.integer(0, 4)
    many = draw.chance(0.5)
    choice = draw.argument(E.tensor([], i32() if many else i1()))

    def round_(at: Expr, y: Expr) -> list[Expr]:
        number = E.broadcast(E.convert(at, f32()), [2], [])
        made = E.ops("stablehlo.case" if many else "stablehlo.if", [choice], [x.type], regions=3 if many else 2)
        for k, region in enumerate(made.regions):
            E.fill(region, [], lambda k=k: [(E.sin(y) if k else E.tanh(y) + x) + number])
        return [Expr(made.results[0]) * 0.5]

    return counted(draw, trips, [x], round_)


# -- numbers, truth values and types -----------------------------------------------------------------------------------


@given("add_const_out")
def constant_between(draw: Draw) -> Expr:
    t = E.tensor(draw.shape(), draw.pick([f32(), i32()]))
    return ((draw.argument(t) + 2) + draw.argument(t)) + 3


@given("and_ones", "or_ones", "xor_ones")
def all_bits(draw: Draw) -> Expr:
    t = E.tensor(draw.shape(), draw.pick([i32(), ir.Type.parse("ui8")]))
    ones = E.full(t, -1 if t.element_type == i32() else 255)
    return E.op(f"stablehlo.{draw.pick(['and', 'or', 'xor'])}", draw.argument(t), ones)


@given("and_of_compares", "or_of_compares")
def two_comparisons(draw: Draw) -> Expr:
    t = E.tensor(draw.shape(1, 2), draw.pick([f32(), i32()]))
    x, y = draw.argument(t), draw.argument(t)
    sides = [(x, y), (y, x)] if draw.chance(0.5) else [(x, E.full(t, n)) for n in (1, 2)]
    p, q = (E.compare(draw.pick(["LT", "LE", "GT", "GE", "EQ", "NE"]), *draw.pick(sides)) for _ in range(2))
    return p & q if draw.chance(0.5) else p | q


@given("select_of_decided")
def chosen_by_both(draw: Draw) -> Expr:
    t = E.tensor(draw.shape(1, 2), draw.pick([f32(), i32()]))
    x, y = draw.argument(t), draw.argument(t)
    sides = [(x, y), (y, x)] if draw.chance(0.5) else [(x, E.full(t, n)) for n in (1, 2)]
    p, q = (E.compare(draw.pick(["LT", "LE", "GT", "GE", "EQ", "NE"]), *draw.pick(sides)) for _ in range(2))
    inner = E.select(q, x, y)
    return E.select(p, inner, x) if draw.chance(0.5) else E.select(p, y, inner)


@given("select_is_max", "select_by_less")
def chosen_by_size(draw: Draw) -> Expr:
    t = E.tensor(draw.shape(1, 2), draw.pick([f32(), i32()]))
    x, y = (draw.argument(t) if draw.chance(0.5) else E.iota(t.shape, 0, t.element_type) for _ in range(2))
    p = E.compare(draw.pick(["LT", "LE", "GT", "GE", "EQ", "NE"]), x, y)
    return E.select(p, x, y) if draw.chance(0.5) else E.select(p, y, x)


@given("select_of_dependent", "select_of_dependent_function")
def chosen_twice(draw: Draw) -> Expr:
    t = E.tensor(draw.shape(), f32())
    p, x, y = draw.argument(E.tensor(t.shape, i1())), draw.argument(t), draw.argument(t)
    inner = draw.pick([E.select(p, x, y), E.convert(p, f32())])
    made = draw.pick([E.exp(inner), inner / y, y - inner])
    return E.select(p, made, x) if draw.chance(0.5) else E.select(p, x, made)


@given("select_by_place")
def chosen_by_place(draw: Draw) -> Expr:
    shape = draw.shape(1, 2, 8)
    where, n = E.iota(shape, draw.integer(0, len(shape) - 1), i32()), draw.integer(0, 4)
    p = draw.pick([where < n, where >= n, (where >= n) & (where < n + 2)])
    x = E.exp(draw.argument(E.tensor(shape, f32())))
    return E.select(p, x, 0.5) if draw.chance(0.5) else E.select(p, 0.5, x)


@given("is_inf", "is_pos_inf", "is_neg_inf")
def infinite(draw: Draw) -> Expr:
    x = draw.argument(E.tensor(draw.shape(), f32()))
    name = draw.pick(["is_inf", "is_pos_inf", "is_neg_inf"])
    return E.op(f"chlo.{name}", x, result=E.tensor(x.shape, i1()))


@given("compare_like_twin")
def equal_both_ways(draw: Draw) -> list[Expr]:
    x, y = (draw.argument(t) for t in [E.tensor(draw.shape(), f32())] * 2)
    return [x.eq(y), draw.pick([y.eq, y.ne])(x)]


@given("compare_off_by_one", "compare_off_by_one_right")
def off_by_one(draw: Draw) -> Expr:
    t = E.tensor(draw.shape(1, 2), i32())
    x, y = E.iota(t.shape, 0, i32()), draw.argument(t)
    shifted = x + draw.pick([-1, 1])
    to = draw.pick(["LT", "LE", "GT", "GE"])
    return E.compare(to, shifted, y) if draw.chance(0.5) else E.compare(to, y, shifted)


@given("convert_around")
def there_and_back(draw: Draw) -> Expr:
    narrow, wide = draw.pick([("f32", "f64"), ("i32", "i64"), ("i8", "i32")])
    t = E.tensor(draw.shape(), ir.Type.parse(narrow))
    x, y = (E.convert(draw.argument(t), ir.Type.parse(wide)) for _ in range(2))
    y = y if draw.chance(0.5) else E.full_like(y, 3)
    p = draw.argument(E.tensor(t.shape, i1()))
    made = draw.pick([-x, E.absolute(x), E.select(p, x, y), x * y, x + y, y - x])
    made = E.op("stablehlo.clamp", E.full_like(x, -1), x, E.full_like(x, 2)) if draw.chance(0.2) else made
    return E.convert(made, t.element_type)


# -- complex numbers ---------------------------------------------------------------------------------------------------


@given("compare_of_reals")
def real_pairs(draw: Draw) -> Expr:
    x, y = (draw.argument(t) for t in [E.tensor(draw.shape(), f32())] * 2)
    return E.compare(draw.pick(["EQ", "NE"]), *(E.complex_(v, E.zeros_like(v)) for v in (x, y)))


@given("compare_real_const", "compare_real_zero", "select_of_reals")
def real_choices(draw: Draw) -> list[Expr]:
    t = E.tensor(draw.shape(), f32())
    x, y, p = draw.argument(t), draw.argument(t), draw.argument(E.tensor(t.shape, i1()))
    z, w = (E.complex_(v, E.zeros_like(v)) for v in (x, y))
    to = draw.pick(["EQ", "NE"])
    return [E.compare(to, z, draw.pick([0, 1, 1j])), E.select(p, z, draw.pick([w, E.full(w.type, 1)]))]


def moved(draw: Draw, z: Expr, others: Sequence[Expr]) -> Expr:
    """A value of shape 2 x 3 that is moved, or added up."""
    p = draw.argument(E.tensor([2, 3], i1()))
    return draw.pick(
        [
            lambda: E.slice_(z, [0, 1], [2, 3]),
            lambda: E.transpose(z, [1, 0]),
            lambda: E.reshape(z, [6]),
            lambda: E.broadcast(z, [2, 4, 3], [0, 2]),
            lambda: E.dynamic_slice(z, places(draw, 2), [1, 2]),
            lambda: E.reduce_sum(z, [1]),
            *([lambda: E.select(p, z, others[0]), lambda: E.concatenate([z, others[0]], 1)] if others else []),
            *([lambda: E.pad(z, 0, [1, 0], [0, 1])] if others else []),
        ]
    )()


@given("real_of_moved", "imag_of_moved")
def part_of_moved(draw: Draw) -> Expr:
    t = E.tensor([2, 3], f32())
    z, w = (E.complex_(draw.argument(t), draw.argument(t)) for _ in range(2))
    return draw.pick([E.real, E.imag])(moved(draw, z, [w]))


@given("complex_of_moved_parts")
def moved_parts(draw: Draw) -> Expr:
    z = draw.argument(E.tensor([2, 3], ir.Type.parse("complex<f32>")))
    f = draw.pick(
        [
            lambda x: E.transpose(x, [1, 0]),
            lambda x: E.reduce_sum(x, [0]),
            lambda x: E.slice_(x, [0, 1], [2, 3]),
            lambda x: E.broadcast(x, [2, 4, 3], [0, 2]),
        ]
    )
    return E.complex_(f(E.real(z)), f(E.imag(z)))


# -- sizes that are known after all ------------------------------------------------------------------------------------


def numbers(*values: int) -> Expr:
    return E.array(np.array(values, np.int32), i32())


@given("known_iota", "known_pad")
def sizes_as_values(draw: Draw) -> Expr:
    low, n = draw.integer(0, 2), draw.integer(1, 4)
    if draw.chance(0.5):
        return E.op("stablehlo.dynamic_iota", numbers(n), result=E.tensor([n], i32()), iota_dimension=E.i64(0))
    x, t = draw.argument(E.tensor([6], f32())), E.tensor([6 + low + n], f32())
    filler = E.full(E.tensor([], f32()), 0)
    return E.op("stablehlo.dynamic_pad", x, filler, numbers(low), numbers(n), numbers(0), result=t)


@given("known_gather")
def windows_of_known_size(draw: Draw) -> Expr:
    dims, shape, sizes, n = windows(draw)
    (along,) = dims.index_map
    at = E.reshape(indices(draw, n, shape[along]), [n, 1])
    plain = gather(draw.argument(E.tensor(shape, f32())), at, dims, sizes)
    op = plain.value.owner.operation
    attributes = {k: v for k, v in op.attributes.items() if k != "slice_sizes"}
    operands = [*map(Expr, op.operands), E.array(np.array(sizes, np.int64), ir.Type.parse("i64"))]
    return E.op("stablehlo.dynamic_gather", *operands, result=plain.type, **attributes)


@given("element_of_tuple")
def taken_from_tuple(draw: Draw) -> Expr:
    parts = [draw.argument(E.tensor(draw.shape(), t)) for t in (f32(), i32())]
    both = ir.TupleType.get_tuple([p.type for p in parts])
    k, index = draw.integer(0, 1), ir.IntegerType.get_signless(32)
    whole = E.op("stablehlo.tuple", *parts, result=both)
    return E.op("stablehlo.get_tuple_element", whole, result=parts[k].type, index=ir.IntegerAttr.get(index, k))


# -- collectives -------------------------------------------------------------------------------------------------------


def groups(*of: Sequence[int]) -> dict[str, ir.Attribute]:
    return {"replica_groups": ir.DenseIntElementsAttr.get(np.array(of, np.int64))}


def reduced(name: str, x: Expr, t: ir.Type, body: str = "add", **attributes: ir.Attribute) -> Expr:
    scalar_type = E.tensor([], x.dtype)
    made = E.ops(f"stablehlo.{name}", [x], [t], attributes, regions=1)
    E.fill(made.regions[0], [scalar_type, scalar_type], lambda a, b: [E.op(f"stablehlo.{body}", a, b)])
    return Expr(made.results[0])


@given("all_reduce_alone", "all_gather_alone", "all_reduce_twice", "all_reduce_splat", "concatenate_of_all_reduces",
       "unary_of_all_gather", "binary_of_all_gathers", "slice_of_all_gather", "add_of_reduce_scatters",
       "reduce_scatter_of_negate", "reduce_scatter_of_multiple", "all_to_all_and_back")  # fmt: skip
def sent(draw: Draw) -> list[Expr]:
    t, half, twice = (E.tensor([n, 3], f32()) for n in (4, 2, 8))
    x, y, both, each = draw.argument(t), draw.argument(t), groups([0, 1]), groups([0], [1])
    gather = lambda v: E.op("stablehlo.all_gather", v, result=twice, all_gather_dim=E.i64(0), **both)  # noqa: E731
    scatter_sum = lambda v: reduced("reduce_scatter", v, half, scatter_dimension=E.i64(0), **both)  # noqa: E731

    def exchange(v: Expr, split: int, join: int, shape: Sequence[int]) -> Expr:
        at = {"split_dimension": E.i64(split), "concat_dimension": E.i64(join), "split_count": E.i64(2)}
        return E.op("stablehlo.all_to_all", v, result=E.tensor(shape, f32()), **at, **both)

    return [
        reduced("all_reduce", x, t, **each),
        E.op("stablehlo.all_gather", x, result=t, all_gather_dim=E.i64(1), **each),
        reduced("all_reduce", reduced("all_reduce", x, t, **both), t, **both),
        reduced("all_reduce", E.full(t, 2.5), t, **both),
        E.concatenate([reduced("all_reduce", v, t, draw.pick(["add", "maximum"]), **both) for v in (x, y)], 1),
        E.tanh(gather(x)) + draw.argument(twice),
        gather(x) * gather(y),
        E.slice_(gather(x), [0, 1], [8, 3]),
        scatter_sum(x) + scatter_sum(y),
        scatter_sum(-x),
        scatter_sum(x * 2.5),
        exchange(exchange(x, 0, 1, [2, 6]), 1, 0, [4, 3]),
    ]


@given("all_reduce_after_loop")
def sum_sent_in_rounds(draw: Draw) -> list[Expr]:
    t = E.tensor([3], f32())
    x, y = draw.argument(E.tensor([4, 3], f32())), draw.argument(t)

    def round_(at: Expr, total: Expr, state: Expr) -> list[Expr]:
        part = reduced("all_reduce", E.sin(row_of(x, at)) * state, t, **groups([0, 1]))
        return [total + part, E.cos(state)]

    return counted(draw, draw.integer(0, 4), [y, draw.argument(t)], round_)


@given("raise_loop")
def independent_rounds(draw: Draw) -> list[Expr]:
    """Rounds that write a row, an element, or a block, or add to a sum; sometimes with a loop inside."""
    if draw.chance(0.4):
        return loop(draw)
    n, block = draw.integer(2, 4), draw.integer(1, 2)
    x = draw.argument(E.tensor([n * block + 1, 4], f32()))
    column = E.minimum(E.maximum(draw.argument(E.tensor([], i32())), 0), 3)
    names = draw.subset(["element", "block", "spread", "less", "count", "any", "inner", "product"], 0.4)
    rows = E.tensor([n * block + 1, 4], f32())
    spread = E.tensor([2 * n, 4], f32())
    types = {
        "element": rows, "block": rows, "spread": spread, "less": E.tensor([4], f32()), "count": E.tensor([4], i32()),
        "any": E.tensor([4], i1()), "inner": rows, "product": E.tensor([4, 4], f32()),
    }  # fmt: skip
    inits = [draw.argument(types[name]) for name in names]
    back = draw.chance(0.3)

    def round_(at: Expr, *carried: Expr) -> list[Expr]:
        at = E.convert(at, i32())
        at = (n - 1) - at if back else at
        here, zero = row_of(x, at), scalar(0)

        def inner(total: Expr) -> Expr:
            types = [zero.type, here.type]
            made = E.ops("stablehlo.while", [zero, here], types, regions=2)
            E.fill(made.regions[0], types, lambda k, y: [k < 6])
            E.fill(made.regions[1], types, lambda k, y: [k + 1, E.tanh(y) * row_of(x, E.minimum(k, n - 1)) + here])
            return with_row(total, Expr(made.results[1]), at)

        made = {
            "element": lambda s: E.dynamic_update_slice(s, E.reshape(E.reduce_sum(here, [0]), [1, 1]), [at, column]),
            "block": lambda s: E.dynamic_update_slice(
                s, E.sin(E.dynamic_slice(x, [at * block, zero], [block, 4])), [at * block, zero]
            ),
            "spread": lambda s: E.dynamic_update_slice(
                s, E.slice_(E.reshape(here, [1, 4]), [0, 0], [1, 2]), [at * 2, scalar(1)]
            ),
            "less": lambda s: s - here,
            "count": lambda s: s + E.convert(here > 0, i32()),
            "any": lambda s: s | (here > 1.0),
            "inner": inner,
            "product": lambda s: s - E.dot_general(E.reshape(here, [1, 4]), E.reshape(here, [1, 4]), ([0], [0])),
        }
        return [made[name](c) for name, c in zip(names, carried, strict=True)]

    return counted(draw, n, inits, round_)


@given("masked_sum", "carry_slice")
def partly_used(draw: Draw) -> list[Expr]:
    """Sums to which some rounds add nothing, and values of which a slice is used."""
    n, t = draw.integer(1, 4), E.tensor([5, 2], draw.pick([f32(), i32()]))
    x, y = draw.argument(E.tensor([n, *t.shape], t.element_type)), draw.argument(E.tensor(t.shape, i1()))
    p = draw.pick([lambda here: here > 1, lambda _: y, lambda _: draw_one])
    draw_one = draw.argument(E.tensor([], i1()))
    how, swapped = draw.pick(["add", "subtract", "multiply"]), draw.chance(0.4)

    def round_(at: Expr, total: Expr, value: Expr) -> list[Expr]:
        here = row_of(x, at)
        new, mask = E.op(f"stablehlo.{how}", total, here), p(here)
        return [E.select(mask, total, new) if swapped else E.select(mask, new, total), value * here - 1]

    total, value = counted(draw, n, [draw.argument(t), draw.argument(t)], round_)
    start = [draw.integer(0, 3), draw.integer(0, 1)]
    part = E.sin(E.convert(E.slice_(value, start, [5, 2], [draw.integer(1, 2), 1]), f32()))
    return [part, total] if draw.chance(0.5) else [part]


# -- batching ----------------------------------------------------------------------------------------------------------


def equal_pieces(draw: Draw, shape: Sequence[int], n: int) -> list[Expr]:
    """n pieces of one array, each of this shape: with a dimension of their own, or along one of those."""
    at = draw.integer(0, len(shape) - 1)
    if draw.chance(0.5):
        step = draw.integer(1, 2)
        x = draw.argument(E.tensor([*shape[:at], step * n, *shape[at:]], f32()))
        return [E.reshape(E.slice_in_dim(x, step * i, step * i + 1, at), shape) for i in range(n)]
    m, first = shape[at], draw.integer(0, 1)
    x = draw.argument(E.tensor([first + m * n if d == at else k for d, k in enumerate(shape)], f32()))
    return [E.slice_in_dim(x, first + m * i, first + m * (i + 1), at) for i in range(n)]


def each(draw: Draw, make: Callable[[Expr, Expr], Expr], *shapes: Sequence[int]) -> list[Expr]:
    """The same op on each of some pieces, and on pieces of another array, or one array for all."""
    n = draw.integer(4, 5)
    xs, ys = ([draw.argument(E.tensor(s, f32()))] * n if draw.chance(0.3) else equal_pieces(draw, s, n) for s in shapes)
    return [make(x, y) for x, y in zip(xs, ys, strict=True)]


@given("batch_dots")
def equal_products(draw: Draw) -> list[Expr]:
    contract = draw.pick([([1], [0]), ([1], [1]), ([0], [0]), ([0, 1], [1, 0])])
    return each(draw, lambda x, y: E.dot_general(x, y, contract), [3, 3], [3, 3])


@given("batch_reduces")
def equal_sums(draw: Draw) -> list[Expr]:
    dims = draw.pick([[0], [1], [0, 2], [0, 1, 2]])
    return each(draw, lambda x, y: E.reduce_sum(x, dims), [2, 3, 2], [1])


@given("batch_elementwise", "batch_clamps", "batch_transposes", "batch_ignored", "batch_erfs", "batch_erfcs")
def equal_functions(draw: Draw) -> list[Expr]:
    def named(name: str) -> Callable[[Expr, Expr], Expr]:
        return lambda x, y: E.op(name, x, result=x.type)

    how = draw.pick([
        lambda x, y: x * y, lambda x, y: E.select(x > y, x, y), lambda x, y: E.sin(x) - 2.5,
        lambda x, y: E.op("stablehlo.clamp", E.full(x.type, -0.5), x, y), lambda x, y: E.transpose(x, [1, 0]),
        lambda x, y: x + E.broadcast(E.reshape(E.slice_(y, [0, 0], [1, 3]), [3]), [2, 3], [1]),
        named("enzyme.ignore_derivatives"), named("chlo.erf"), named("chlo.erfc"),
    ])  # fmt: skip
    return [E.reduce_sum(r, [0]) for r in each(draw, how, [2, 3], [2, 3])]


@given("batch_windows", "batch_convolutions")
def equal_others(draw: Draw) -> list[Expr]:
    from jaxlib.mlir.dialects import stablehlo as hlo

    def window(x: Expr, y: Expr) -> Expr:
        one, two = E.tensor([], f32()), E.tensor([2, 3], f32())
        made = E.ops(
            "stablehlo.reduce_window", [x, E.full(one, 0)], [two], {"window_dimensions": E.i64s([2, 1])}, regions=1
        )
        E.fill(made.regions[0], [one, one], lambda a, b: [a + b])
        return Expr(made.results[0])

    def convolution(x: Expr, y: Expr) -> Expr:
        numbers = hlo.ConvDimensionNumbers.get(0, 1, [], 0, 1, [], 0, 1, [])
        return E.op(
            "stablehlo.convolution", x, y, result=E.tensor([3, 3], f32()), dimension_numbers=numbers,
            feature_group_count=E.i64(1), batch_group_count=E.i64(1),
        )  # fmt: skip

    return each(draw, draw.pick([window, convolution]), [3, 3], [3, 3])
