"""Generators for rules whose left sides chance would not find."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from instances import Draw
from jaxlib.mlir import ir

from gradir.tensor import expr as E
from gradir.tensor.expr import Expr
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


def f32() -> ir.Type:
    return ir.Type.parse("f32")


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
    dims, shape, sizes, n = windows(draw)
    t = E.tensor(shape, f32())
    (along,) = dims.index_map
    at = E.reshape(indices(draw, n, shape[along]), [n, 1])
    source = draw.pick([draw.argument(t), E.full(t, 3.0), E.tanh(draw.argument(t))])
    return gather(source, at, dims, sizes)


@given("scatter_one", "scatter_known", "gather_of_scatter")
def scattered(draw: Draw) -> Expr:
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
    "no_rounds", "unroll", "raise_loop",
)  # fmt: skip
def loop(draw: Draw) -> list[Expr]:
    """A loop that counts, and of each kind of carried value has one or not."""
    trips, start, step = draw.integer(0, 5), draw.integer(0, 2), draw.pick([1, 1, 2])
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


@given("concatenate_unary")
def computed_pieces(draw: Draw) -> Expr:
    how = draw.pick([E.sin, E.tanh, lambda x: -x])
    shape, dim = draw.shape(1, 3), 0
    return E.concatenate([how(draw.argument(E.tensor(shape, f32()))) for _ in range(draw.integer(2, 3))], dim)


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


@given("dot_of_zero", "dot_with_zero", "dot_with_identity")
def known_factor(draw: Draw) -> Expr:
    n, y = draw.integer(2, 4), None
    if draw.chance(0.5):
        y = draw.argument(E.tensor([n, 3], f32()))
        eye = E.convert(E.iota([n, n], 0, i32()).eq(E.iota([n, n], 1, i32())), f32())
        return (
            E.dot_general(eye, y, ([draw.integer(0, 1)], [0]))
            if draw.chance(0.5)
            else E.dot_general(y, eye, ([0], [draw.integer(0, 1)]))
        )
    y = E.convert(draw.argument(E.tensor([n, 3], i1())), f32())
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


@given("dot_of_padded_rows", "dot_of_padded_sum")
def padded_matrix(draw: Draw) -> Expr:
    y = E.convert(draw.argument(E.tensor([5, 3], i1())), f32())
    if draw.chance(0.5):
        return E.dot_general(E.pad(draw.argument(E.tensor([2, 5], f32())), 0, [1, 0], [2, 0]), y, ([1], [0]))
    return E.dot_general(E.pad(draw.argument(E.tensor([2, 3], f32())), 0, [0, 1], [0, 1]), y, ([1], [0]))


@given("trace_of_dot")
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
    dims = sorted({i, j} | set(draw.subset(range(3), 0.3)))
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


@given("dot_chain")
def chain(draw: Draw) -> Expr:
    x, y, z = (draw.argument(E.tensor([3, 3], f32())) for _ in range(3))
    first = E.dot_general(x, y, ([draw.integer(0, 1)], [draw.integer(0, 1)]))
    return E.dot_general(first, z, ([1], [draw.integer(0, 1)]))


@given("dot_distributes", "dot_distributes_left")
def two_products(draw: Draw) -> Expr:
    x, y, z = (draw.argument(E.tensor([3, 3], f32())) for _ in range(3))
    numbers = ([draw.integer(0, 1)], [draw.integer(0, 1)])
    if draw.chance(0.5):
        return E.dot_general(x, y, numbers) + E.dot_general(x, z, numbers)
    return E.dot_general(x, z, numbers) + E.dot_general(y, z, numbers)


@given("reduce_of_outer_product")
def outer_product(draw: Draw) -> Expr:
    n, m, k = 4, 5, draw.integer(1, 3)
    x = E.broadcast(draw.argument(E.tensor([n, k], f32())), [n, m, k], [0, 2])
    y = E.broadcast(draw.argument(E.tensor([m, k], f32())), [n, m, k], [1, 2])
    return E.reduce_sum(x * y, [2])


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


@given("convolution_of_pad", "convolution_of_multiple", "convolution_of_scaled_kernel")
def convolved(draw: Draw) -> Expr:
    x, w = draw.argument(E.tensor([2, 5, 3], f32())), draw.argument(E.tensor([2, 3, 4], f32()))
    match draw.integer(0, 2):
        case 0:
            x = E.pad(x, 0, [0, draw.integer(0, 2), 0], [0, draw.integer(0, 2), 0])
        case 1:
            x = x * 2.5
        case 2:
            w = w * 2.5
    stride, low, high = draw.integer(1, 2), draw.integer(0, 1), draw.integer(0, 1)
    n = (x.shape[1] + low + high - 2) // stride + 1
    text = "#stablehlo.conv<[b, 0, f]x[0, i, o]->[b, 0, f]>"
    attributes = {
        "dimension_numbers": ir.Attribute.parse(text),
        "window_strides": E.i64s([stride]),
        "padding": ir.DenseIntElementsAttr.get(np.array([[low, high]], np.int64)),
        "feature_group_count": E.i64(1),
        "batch_group_count": E.i64(1),
    }
    return E.op("stablehlo.convolution", x, w, result=E.tensor([2, n, 4], f32()), **attributes)
