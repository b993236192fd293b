"""What is proved of values holds: random programs, each value of which is computed and held against its span."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from jaxlib.mlir import ir
from jaxlib.mlir.dialects import func
from test_optimize_rules import some_values

import gradir
from gradir.tensor.analysis.facts import Facts
from gradir.tensor.analysis.spans import Spans, is_whole
from gradir.tensor.ir import expr as E
from gradir.tensor.ir.context import context
from gradir.tensor.ir.expr import Expr
from gradir.tensor.ir.module import parse, verify
from gradir.tensor.ir.reading import kind

SHAPE = [3, 2]
UNARY = {
    "float": [
        "abs", "negate", "exponential", "exponential_minus_one", "log", "log_plus_one", "sqrt", "rsqrt", "cbrt", "tanh",
        "logistic", "sine", "cosine", "sign", "floor", "ceil", "round_nearest_even",
    ],
    "int": ["abs", "negate", "sign", "not", "popcnt", "count_leading_zeros"],
    "bool": ["not"],
}  # fmt: skip
BINARY = {
    "float": ["add", "subtract", "multiply", "divide", "maximum", "minimum", "power", "atan2", "remainder"],
    "int": ["add", "subtract", "multiply", "maximum", "minimum", "and", "or", "xor"],
    "bool": ["and", "or", "xor"],
}
NUMBERS = {"float": [0.0, 1.0, -1.0, 0.5, 2.0, -3.0, 7.25, np.inf, -np.inf], "int": [0, 1, 3, -2, 7], "bool": [0, 1]}
TYPES = {"float": "f32", "int": "i32", "bool": "i1"}


def program(rng: np.random.Generator, steps: int) -> tuple[ir.Module, list[Expr]]:
    """A function that gives everything that it computes."""
    pick = lambda xs: xs[rng.integers(len(xs))]  # noqa: E731
    module = ir.Module.create()
    types = {k: E.tensor(SHAPE, ir.Type.parse(t)) for k, t in TYPES.items()}
    with ir.InsertionPoint(module.body):
        given = [types["float"], types["float"], types["int"], types["bool"]]
        f = func.FuncOp("main", ir.FunctionType.get(given, []))
        with ir.InsertionPoint(f.add_entry_block()):
            made = [Expr(a) for a in f.entry_block.arguments]

            def some(of: str) -> Expr:
                if rng.random() < 0.25:
                    return E.full(types[of], pick(NUMBERS[of]))
                return pick([x for x in made if kind(x.type) == of])

            def step() -> Expr:
                of = pick(["float", "float", "float", "int", "bool"])
                match rng.integers(10):
                    case 0 | 1 | 2:
                        return E.op(f"stablehlo.{pick(UNARY[of])}", some(of))
                    case 3 | 4 | 5:
                        return E.op(f"stablehlo.{pick(BINARY[of])}", some(of), some(of))
                    case 6:
                        if of == "bool":
                            to, k = pick(["LT", "LE", "GT", "GE", "EQ", "NE"]), pick(["float", "int"])
                            return E.compare(to, some(k), some(k)) if rng.random() < 0.8 else E.is_finite(some("float"))
                        x = some(of)
                        p = E.compare(pick(["LT", "LE", "GT", "GE", "EQ", "NE"]), x, some(of))
                        return E.select(
                            p if rng.random() < 0.7 else some("bool"), *pick([(x, some(of)), (some(of), x)])
                        )
                    case 7:
                        if of == "bool":
                            return some(of) & some(of)
                        return E.op("stablehlo.clamp", some(of), some(of), some(of))
                    case 8:
                        whole = E.convert(some(pick(["int", "bool"])), types["float"].element_type)
                        return whole if of == "float" else E.iota(SHAPE, 0, types["int"].element_type)
                x = some(pick(["float", "int"]))
                if rng.random() < 0.5:
                    return E.broadcast(
                        E.reduce(x, [0], f"stablehlo.{pick(['add', 'maximum', 'minimum'])}", 0), SHAPE, [1]
                    )
                n = E.full(x.type, pick([2, 3]))
                return E.op(f"stablehlo.{pick(['divide', 'remainder'])}", x, n)

            for _ in range(steps):
                made.append(step())
            func.ReturnOp([x.value for x in made])
        f.attributes["function_type"] = ir.TypeAttr.get(ir.FunctionType.get(given, [x.type for x in made]))
    verify(module)
    return module, made


@pytest.mark.parametrize("seed", range(25))
@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_every_element_lies_in_its_span(seed: int) -> None:
    rng = np.random.default_rng(seed)
    with context(), ir.Location.unknown():
        module, made = program(rng, 40)
        spans = [Spans().of(x.value) for x in made]
        whole = [is_whole(x.value) for x in made]
        run = gradir.Module(parse(str(module))).compile("main", backend="reference")
        for kind_of_values in ("ordinary", "special"):
            args = [
                some_values(tuple(x.shape), np.dtype(t), rng, kind_of_values)
                for x, t in zip(made, "ffi?", strict=False)
            ]
            for value, span, w, got in zip(made, spans, whole, run(*args), strict=True):
                numbers = np.asarray(got, np.float64)
                what = f"{value.value}\n{span}\n{got}\n{module}"
                assert span.nan or not np.isnan(numbers).any(), what
                numbers = numbers[~np.isnan(numbers)]
                if "rsqrt" in str(value.value) or "power" in str(value.value):
                    numbers = np.where(numbers == -np.inf, np.inf, numbers)  # of -0, whose sign is not kept
                assert ((numbers >= span.low) & (numbers <= span.high)).all(), what
                ordinary = numbers[np.isfinite(numbers)]
                assert not w or (ordinary == np.round(ordinary)).all(), what


def f32(x: Expr) -> Expr:
    return E.convert(x, ir.F32Type.get())


def clamped(low: float, x: Expr, high: float) -> Expr:
    return E.op("stablehlo.clamp", E.full_like(x, low), x, E.full_like(x, high))


PROOFS: dict[str, tuple[Callable[[Expr, Expr], Expr], Callable[[Facts, Expr], bool]]] = {
    "integers are finite as floats": (lambda x, i: f32(i) / 3, Facts.finite),
    "powers of what is not positive are": (lambda x, i: E.exp(-E.absolute(f32(i))), Facts.finite),
    "what is chosen for being finite is": (lambda x, i: E.select(E.is_finite(x), x, 0), Facts.finite),
    "sums and roots of finite numbers are": (lambda x, i: E.sqrt(E.reduce_sum(E.absolute(f32(i)), [0])), Facts.finite),
    "so are products": (lambda x, i: E.dot_general(f32(i), f32(i), ([0], [0])), Facts.finite),
    "and quotients by what is not zero": (lambda x, i: E.sin(f32(i)) / (E.absolute(f32(i)) + 1), Facts.finite),
    "an argument may be anything": (lambda x, i: x, lambda facts, x: not facts.no_nan(x) and not facts.finite(x)),
    "a difference of powers may be undefined": (lambda x, i: E.exp(x) - E.exp(x * 2), lambda f, x: not f.no_nan(x)),
    "squares are not negative": (lambda x, i: E.reduce_sum(x * x, [0]), Facts.non_negative),
    "nor is a sum of squares": (lambda x, i: E.dot_general(x, x, ([0, 1], [0, 1])), Facts.non_negative),
    "1 - tanh(x)**2 is not negative": (lambda x, i: 1 - E.tanh(x) * E.tanh(x), Facts.non_negative),
    "what is chosen for being positive is": (lambda x, i: E.select(x > 0, x, 1), Facts.positive),
    "what is clamped is within": (lambda x, i: clamped(0.5, x, 1), Facts.positive),
    "a remainder is less than the divisor": (
        lambda x, i: E.op("stablehlo.remainder", i, E.full_like(i, 8)),
        lambda facts, x: facts.bounds(x) == (-7, 7),
    ),
    "a sum of counted things is whole": (lambda x, i: f32(i) + E.op("stablehlo.floor", x), Facts.whole),
}


@pytest.mark.parametrize("name", PROOFS)
def test_proofs(name: str) -> None:
    make, holds = PROOFS[name]
    module = ir.Module.create(loc=ir.Location.unknown(context()))
    with module.context, ir.Location.unknown(), ir.InsertionPoint(module.body):
        types = [E.tensor(SHAPE, ir.Type.parse(t)) for t in ("f32", "i32")]
        f = func.FuncOp("main", ir.FunctionType.get(types, []))
        with ir.InsertionPoint(f.add_entry_block()):
            assert holds(Facts(), make(*map(Expr, f.entry_block.arguments)))
