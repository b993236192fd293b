"""Random StableHLO programs, as text: many ops, shapes and element types, constants, loops, branches and calls.

What is drawn is weighted so that rewrites find much to do: values are used soon after they are made, the same few sizes
come again, constants are zeros and ones more often than not. And it is drawn so that results can be compared: a value
is `exact` while no order of computing it can round it (small whole numbers), and only such values decide anything (a
comparison, a truncation); no divisor can be zero, since a zero's sign is not kept.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

FLOATS = ("f32", "f64", "bf16", "f16")
SIGNED = ("i32", "i64", "i8", "i16")
UNSIGNED = ("ui8", "ui32")
INTS = SIGNED + UNSIGNED
WHOLE = {"f32": 2.0**20, "f64": 2.0**40, "bf16": 2.0**7, "f16": 2.0**10}
"""Up to which size whole numbers, their sums and products are exact."""
LARGE = {"f32": 1e5, "f64": 1e8, "bf16": 1e3, "f16": 1e2}
"""How large other numbers may become."""


class Retry(Exception):
    """This draw leads nowhere."""


@dataclass(frozen=True)
class Value:
    """A value of the program, with what is known of it."""

    name: str
    shape: tuple[int, ...]
    dtype: str
    exact: bool = True
    bound: float = 4.0
    """How large its elements are at most."""

    @property
    def type(self) -> str:
        return tensor(self.shape, self.dtype)


def tensor(shape: Sequence[int], dtype: str) -> str:
    return f"tensor<{''.join(f'{n}x' for n in shape)}{dtype}>"


def listed(numbers: Sequence[int]) -> str:
    return "[" + ", ".join(map(str, numbers)) + "]"


def array(numbers: Sequence[int]) -> str:
    return f"array<i64: {', '.join(map(str, numbers))}>" if numbers else "array<i64>"


class Random:
    """One program being drawn."""

    def __init__(self, seed: int, *, special: bool = False, control: bool = True) -> None:
        self.rng = np.random.default_rng(seed)
        self.special = special
        """Whether arguments may be infinite or not numbers: then no value becomes an integer, or is sorted."""
        self.control = control
        self.count = 0
        self.depth = 0
        self.lines: list[str] = []
        self.scope: list[Value] = []
        self.functions: list[tuple[str, list[Value], list[Value]]] = []
        self.sizes = [self.pick([1, 2, 3, 4, 5, 6]) for _ in range(3)]
        main = self.pick(["f32"] * 8 + ["f64", "f64", "bf16", "f16"])
        self.dtypes = [main] * 8 + [self.pick(FLOATS), self.pick(INTS), "i32", "i1"]
        if self.chance(0.1):
            self.dtypes += ["complex<f32>"] * 3

    # -- chance

    def chance(self, p: float) -> bool:
        return bool(self.rng.random() < p)

    def integer(self, low: int, high: int) -> int:
        """From `low` to `high`, both included."""
        return int(self.rng.integers(low, high + 1))

    def pick(self, options: Sequence[Any]) -> Any:
        return options[self.integer(0, len(options) - 1)]

    def shape(self, low: int = 0, high: int = 3) -> tuple[int, ...]:
        return tuple(self.pick(self.sizes) for _ in range(self.integer(low, high)))

    def value(self, test: Callable[[Value], bool] = lambda v: True) -> Value:
        """A value of the program: one of the last, more often than not."""
        fit = [v for v in self.scope if test(v)]
        if not fit:
            raise Retry
        if self.chance(0.6):
            fit = fit[-3:]
        return fit[self.integer(0, len(fit) - 1)]

    def like(self, v: Value) -> Value:
        """Another value of the same type: one that is there, or a constant."""
        if self.chance(0.25):
            return self.constant(v.shape, v.dtype)
        return self.value(lambda w: w.shape == v.shape and w.dtype == v.dtype)

    # -- writing

    def fresh(self) -> str:
        self.count += 1
        return f"%{self.count}"

    def emit(self, text: str, shape: Sequence[int], dtype: str, exact: bool = True, bound: float = 4.0) -> Value:
        if dtype in WHOLE:
            exact = exact and bound <= WHOLE[dtype]
            if not exact and bound > LARGE[dtype]:
                raise Retry
        elif dtype.startswith("complex"):
            exact = False
            if bound > 1e5:
                raise Retry
        elif dtype == "i1":
            bound = 1
        v = Value(self.fresh(), tuple(shape), dtype, exact, bound)
        self.lines.append(f"{v.name} = {text}")
        self.scope.append(v)
        return v

    def op(
        self, name: str, operands: Sequence[Value], shape: Sequence[int], dtype: str, attributes: str = "",
        exact: bool | None = None, bound: float | None = None, region: str = "",
    ) -> Value:  # fmt: skip
        """An op in generic form, exact if its operands are and as large as the largest of them, unless told."""
        text = (
            f'"stablehlo.{name}"({", ".join(v.name for v in operands)}){f" ({region})" if region else ""}'
            f"{f' {{{attributes}}}' if attributes else ''} : ({', '.join(v.type for v in operands)}) -> "
            + tensor(shape, dtype)
        )
        exact = all(v.exact for v in operands) if exact is None else exact
        return self.emit(text, shape, dtype, exact, max(v.bound for v in operands) if bound is None else bound)

    def constant(self, shape: Sequence[int], dtype: str, number: float | None = None) -> Value:
        n = math.prod(shape)
        if number is None and self.chance(0.3) and 1 < n <= 24 and not dtype.startswith("complex"):
            numbers = [self.number(dtype) for _ in range(n)]
            if self.chance(0.3):
                numbers = [self.pick([0, 1]) for _ in range(n)]
            if self.chance(0.3) and dtype != "i1":
                numbers = list(range(n))
        else:
            numbers = [self.number(dtype) if number is None else number]
        texts = [written(x, dtype) for x in numbers]
        body = texts[0] if len(texts) == 1 else nested(texts, shape)
        whole = all(float(x).is_integer() for x in numbers)
        bound = max(1.0, max(abs(float(x)) for x in numbers))
        return self.emit(f"stablehlo.constant dense<{body}> : {tensor(shape, dtype)}", shape, dtype, whole, bound)

    def number(self, dtype: str) -> float:
        if dtype == "i1":
            return self.integer(0, 1)
        options = [0, 0, 1, 1, 2, 3]
        if dtype not in UNSIGNED:
            options += [-1, -2]
        if dtype in FLOATS:
            options += [0.5, -1.5, 0.25]
        return self.pick(options)

    # -- elementwise ops

    def unary(self) -> None:
        v = self.value()
        if v.dtype in FLOATS:
            options = ["negate", "negate", "abs", "tanh", "logistic", "sine", "cosine", "cbrt", "sqrt", "exponential"]
            options += ["floor", "ceil", "sign", "round_nearest_afz", "round_nearest_even", "log", "log_plus_one"]
            options += ["exponential_minus_one", "rsqrt", "is_finite", "tan"]
            name = self.pick(options)
            rounded = name in ("floor", "ceil", "sign", "round_nearest_afz", "round_nearest_even")
            if rounded and not v.exact:
                raise Retry
            if name in ("sqrt", "log", "rsqrt", "log_plus_one"):
                v = self.positive(v)
            if name in ("exponential", "exponential_minus_one", "tan") and v.bound > 5:
                v = self.op("tanh", [v], v.shape, v.dtype, exact=False, bound=1)
            bound = {"negate": v.bound, "abs": v.bound, "floor": v.bound, "ceil": v.bound, "sqrt": v.bound}.get(
                name, 150.0 if name.startswith("exp") else max(3.0, min(v.bound, 20))
            )
            if name == "tan":
                v = self.op("tanh", [v], v.shape, v.dtype, exact=False, bound=1)
            if name == "is_finite":
                self.op("is_finite", [v], v.shape, "i1")
                return
            self.op(name, [v], v.shape, v.dtype, exact=v.exact and (rounded or name in ("negate", "abs")), bound=bound)
        elif v.dtype == "i1":
            self.op("not", [v], v.shape, "i1")
        elif v.dtype in INTS:
            names = ["negate", "not", "popcnt", "count_leading_zeros"] + (["abs", "sign"] if v.dtype in SIGNED else [])
            self.op(self.pick(names), [v], v.shape, v.dtype)
        else:
            name = self.pick(["negate", "real", "imag", "abs", "exponential", "tanh", "sine"])
            if name in ("exponential", "tanh", "sine") and v.bound > 2:
                raise Retry
            self.op(
                name,
                [v],
                v.shape,
                "f32" if name in ("real", "imag", "abs") else v.dtype,
                exact=False,
                bound=30 if name in ("exponential", "tanh", "sine") else 2 * v.bound,
            )

    def positive(self, v: Value) -> Value:
        """A value that is at least one."""
        size = self.op("abs", [v], v.shape, v.dtype)
        return self.op("add", [size, self.constant(v.shape, v.dtype, 1)], v.shape, v.dtype, bound=v.bound + 1)

    def binary(self) -> None:
        v = self.value()
        if v.dtype == "i1":
            name = self.pick(["and", "or", "xor", "add", "maximum", "minimum", "multiply"])
            pair = [v, self.like(v)]
            self.op(name, pair, v.shape, "i1")
            return
        w = v if self.chance(0.1) else self.like(v)
        if self.chance(0.3):
            v, w = w, v
        if v.dtype in INTS:
            name = self.pick(
                [
                    "add",
                    "subtract",
                    "multiply",
                    "maximum",
                    "minimum",
                    "and",
                    "or",
                    "xor",
                    "divide",
                    "remainder",
                    "shift_left",
                    "shift_right_logical",
                    "shift_right_arithmetic",
                ]
            )
            if name in ("divide", "remainder"):
                w = self.constant(v.shape, v.dtype, self.integer(1, 4))
            elif name.startswith("shift"):
                w = self.constant(v.shape, v.dtype, self.integer(0, 3))
            self.op(name, [v, w], v.shape, v.dtype)
            return
        if v.dtype.startswith("complex"):
            name = self.pick(["add", "subtract", "multiply"])
            self.op(name, [v, w], v.shape, v.dtype, bound=v.bound * w.bound * 2 + v.bound + w.bound)
            return
        name = self.pick(
            [
                "add",
                "add",
                "subtract",
                "multiply",
                "multiply",
                "divide",
                "maximum",
                "minimum",
                "power",
                "atan2",
                "remainder",
            ]
        )
        exact, bound = v.exact and w.exact, max(v.bound, w.bound)
        if name in ("add", "subtract"):
            bound = v.bound + w.bound
        elif name == "multiply":
            bound = v.bound * w.bound
        elif name == "divide":
            w = self.constant(v.shape, v.dtype, self.pick([1, 2, 4, 3, 0.5])) if self.chance(0.5) else self.positive(w)
            exact, bound = False, 2 * v.bound
        elif name == "power":
            if self.chance(0.7):
                e = self.pick([0, 1, 2, 3, 0.5, -1, -2])
                v = self.positive(v) if not float(e).is_integer() or float(e) < 0 else v
                w = self.constant(v.shape, v.dtype, e)
                exact, bound = False, max(1.0, v.bound ** max(0, e))
            else:
                v = self.positive(v)
                w = self.op("tanh", [w], w.shape, w.dtype, exact=False, bound=1)
                exact, bound = False, v.bound
        elif name == "atan2":
            w = self.positive(w)
            exact, bound = False, 2
        elif name == "remainder":
            if not exact:
                raise Retry
            w = self.constant(v.shape, v.dtype, self.integer(1, 4))
        self.op(name, [v, w], v.shape, v.dtype, exact=exact, bound=bound)

    def compare(self) -> None:
        v = self.value(lambda v: v.exact)
        w = self.like(v)
        if not w.exact:
            raise Retry
        way = self.pick(["EQ", "NE", "LT", "LE", "GT", "GE"])
        kind = "FLOAT" if v.dtype in FLOATS else "UNSIGNED" if v.dtype in (*UNSIGNED, "i1") else "SIGNED"
        said = f", compare_type = #stablehlo<comparison_type {kind}>" if self.chance(0.7) else ""
        self.op(
            "compare", [v, w], v.shape, "i1", f"comparison_direction = #stablehlo<comparison_direction {way}>{said}"
        )

    def select(self) -> None:
        v = self.value()
        w = self.like(v)
        shape = () if self.chance(0.2) else v.shape
        p = self.value(lambda p: p.dtype == "i1" and p.shape == shape)
        self.op("select", [p, v, w], v.shape, v.dtype, exact=v.exact and w.exact, bound=max(v.bound, w.bound))

    def clamp(self) -> None:
        v = self.value(lambda v: v.dtype in FLOATS + INTS)
        low = self.constant(() if self.chance(0.5) else v.shape, v.dtype, self.integer(0, 1))
        high = self.constant(low.shape, v.dtype, self.integer(1, 3))
        self.op("clamp", [low, v, high], v.shape, v.dtype, exact=v.exact, bound=3)

    def convert(self) -> None:
        v = self.value()
        to = self.pick(self.dtypes)
        if v.dtype.startswith("complex") or to.startswith("complex"):
            raise Retry
        if v.dtype in FLOATS and to not in FLOATS:
            if to == "i1":
                if not v.exact:
                    raise Retry
            elif self.special or not v.exact or v.bound > 100 or to in UNSIGNED:
                raise Retry
        bound, exact = v.bound, v.exact
        if v.dtype in INTS and to in FLOATS:
            bound, exact = {"i8": 128.0, "ui8": 256.0, "i16": 2.0**15}.get(v.dtype, 2.0**31), True
            if v.dtype in ("i64", "ui32", "i32"):
                v = self.op(
                    "clamp", [self.constant((), v.dtype, 0), v, self.constant((), v.dtype, 3)], v.shape, v.dtype
                )
                bound = 3
        if to in FLOATS and v.dtype in FLOATS and not v.exact and v.dtype != to:
            exact = False
        self.op("convert", [v], v.shape, to, exact=exact, bound=1 if v.dtype == "i1" else bound)

    def make_complex(self) -> None:
        v = self.value(lambda v: v.dtype == "f32" and v.bound < 100)
        if "complex<f32>" not in self.dtypes:
            raise Retry
        self.op("complex", [v, self.like(v)], v.shape, "complex<f32>", exact=False, bound=2 * v.bound)

    # -- ops that move things

    def reshape(self) -> None:
        v = self.value()
        n = math.prod(v.shape)
        shape: list[int] = []
        while n > 1:
            d = self.pick([d for d in range(2, n + 1) if n % d == 0])
            shape.append(d)
            n //= d
        while self.chance(0.3):
            shape.insert(self.integer(0, len(shape)), 1)
        self.op("reshape", [v], shape, v.dtype)

    def transpose(self) -> None:
        v = self.value(lambda v: len(v.shape) > 1)
        p = [int(d) for d in self.rng.permutation(len(v.shape))]
        self.op("transpose", [v], [v.shape[d] for d in p], v.dtype, f"permutation = {array(p)}")

    def broadcast(self) -> None:
        v = self.value(lambda v: len(v.shape) < 3)
        shape = [n if n > 1 or self.chance(0.5) else self.pick(self.sizes) for n in v.shape]
        at = list(range(len(shape)))
        for _ in range(self.integer(0, 2)):
            k = self.integer(0, len(shape))
            shape.insert(k, self.pick(self.sizes))
            at = [d + (d >= k) for d in at]
        if self.chance(0.15) and len(at) == 2 and self.chance(0.5):  # dimensions in another order
            at = at[::-1]
            for d, k in enumerate(at):
                shape[k] = v.shape[d]
        self.op("broadcast_in_dim", [v], shape, v.dtype, f"broadcast_dimensions = {array(at)}")

    def slice(self) -> None:
        v = self.value(lambda v: len(v.shape) > 0)
        start, stop, step = [], [], []
        for n in v.shape:
            a = 0 if self.chance(0.4) else self.integer(0, n - 1)
            start.append(a)
            stop.append(n if self.chance(0.4) else self.integer(a + 1, n))
            step.append(1 if self.chance(0.85) else 2)
        self.cut(v, start, stop, step)

    def cut(self, v: Value, start: Sequence[int], stop: Sequence[int], step: Sequence[int]) -> Value:
        shape = [-(-(b - a) // s) for a, b, s in zip(start, stop, step, strict=True)]
        box = f"start_indices = {array(start)}, limit_indices = {array(stop)}, strides = {array(step)}"
        return self.op("slice", [v], shape, v.dtype, box)

    def pad(self) -> None:
        v = self.value(lambda v: len(v.shape) > 0)
        fill = self.constant((), v.dtype, 0 if self.chance(0.7) else None)
        low, high, inner, shape = [], [], [], []
        for n in v.shape:
            a, b = (0, 0) if self.chance(0.3) else (self.integer(-1, 2), self.integer(-1, 2))
            i = 1 if self.chance(0.15) else 0
            m = n + a + b + i * (n - 1)
            if m < 1:
                a = b = 0
                m = n + i * (n - 1)
            low.append(a), high.append(b), inner.append(i), shape.append(m)
        if math.prod(shape) > 400:
            raise Retry
        self.op(
            "pad",
            [v, fill],
            shape,
            v.dtype,
            f"edge_padding_low = {array(low)}, edge_padding_high = {array(high)}, interior_padding = {array(inner)}",
        )

    def concatenate(self) -> None:
        v = self.value(lambda v: len(v.shape) > 0)
        d = self.integer(0, len(v.shape) - 1)
        if self.chance(0.35) and v.shape[d] > 1:  # pieces of one value, in turn or not
            k = self.integer(1, v.shape[d] - 1)
            pieces = []
            for a, b in ((0, k), (k, v.shape[d])):
                start, stop = [0] * len(v.shape), list(v.shape)
                start[d], stop[d] = a, b
                pieces.append(self.cut(v, start, stop, [1] * len(stop)))
            parts = pieces if self.chance(0.5) else pieces[::-1]
        else:

            def fits(w: Value) -> bool:
                same = all(a == b for e, (a, b) in enumerate(zip(v.shape, w.shape, strict=False)) if e != d)
                return w.dtype == v.dtype and len(w.shape) == len(v.shape) and same

            parts = [
                v,
                *(
                    self.value(fits) if self.chance(0.7) else self.constant(v.shape, v.dtype)
                    for _ in range(self.integer(0, 2))
                ),
            ]
        shape = list(v.shape)
        shape[d] = sum(p.shape[d] for p in parts)
        if math.prod(shape) > 400:
            raise Retry
        self.op("concatenate", parts, shape, v.dtype, f"dimension = {d} : i64")

    def reverse(self) -> None:
        v = self.value(lambda v: len(v.shape) > 0)
        which = [d for d in range(len(v.shape)) if self.chance(0.5)]
        self.op("reverse", [v], v.shape, v.dtype, f"dimensions = {array(which)}")

    def iota(self) -> None:
        shape, dtype = self.shape(1, 3), self.pick([d for d in self.dtypes if d != "i1" and d[0] != "c"])
        self.emit(
            f"stablehlo.iota dim = {self.integer(0, len(shape) - 1)} : {tensor(shape, dtype)}", shape, dtype, True, 6
        )

    # -- sums, products

    def computation(self, name: str, dtype: str) -> str:
        t = tensor((), dtype)
        a, b, c = self.fresh(), self.fresh(), self.fresh()
        return f"{{ ^bb0({a}: {t}, {b}: {t}): {c} = stablehlo.{name} {a}, {b} : {t}\n stablehlo.return {c} : {t} }}"

    def reduce(self) -> None:
        v = self.value(lambda v: len(v.shape) > 0)
        dims = [d for d in range(len(v.shape)) if self.chance(0.6)]
        n = math.prod(v.shape[d] for d in dims)
        names = ["add", "add", "maximum", "minimum", "multiply"] if v.dtype != "i1" else ["and", "or"]
        if v.dtype.startswith("complex"):
            names = ["add"]
        name = self.pick(names)
        neutral = {"add": 0, "multiply": 1, "and": 1, "or": 0}.get(name, 0)
        init = self.constant((), v.dtype, neutral if self.chance(0.85) else self.number(v.dtype))
        bound, exact = v.bound, v.exact and init.exact
        if name == "add":
            bound = n * v.bound + init.bound
        elif name == "multiply":
            if v.bound > 10 or n > 8:
                raise Retry
            bound = max(1.0, v.bound) ** n * 3
        shape = [m for d, m in enumerate(v.shape) if d not in dims]
        self.op(
            "reduce",
            [v, init],
            shape,
            v.dtype,
            f"dimensions = {array(dims)}",
            exact,
            max(bound, 3),
            self.computation(name, v.dtype),
        )

    def argmax(self) -> None:
        v = self.value(lambda v: len(v.shape) > 0 and v.exact and v.dtype in FLOATS + SIGNED)
        if self.special:
            raise Retry
        d = self.integer(0, len(v.shape) - 1)
        shape = tuple(m for e, m in enumerate(v.shape) if e != d)
        index = self.emit(f"stablehlo.iota dim = {d} : {tensor(v.shape, 'i32')}", v.shape, "i32", True, 6)
        init, zero = self.constant((), v.dtype, -100), self.constant((), "i32", 0)
        t, i = tensor((), v.dtype), "tensor<i32>"
        a, b, c, e, p, q, r, s, u, w, x = (self.fresh() for _ in range(11))
        pair = Value(self.fresh(), shape, v.dtype, True, max(100, v.bound))
        given = ", ".join(o.type for o in (v, index, init, zero))
        where = f"({given}) -> ({tensor(shape, v.dtype)}, {tensor(shape, 'i32')})"
        self.lines.append(
            f'{pair.name}:2 = "stablehlo.reduce"({v.name}, {index.name}, {init.name}, {zero.name}) ({{\n'
            f"^bb0({a}: {t}, {b}: {i}, {c}: {t}, {e}: {i}):\n"
            f"{p} = stablehlo.compare GT, {a}, {c} : ({t}, {t}) -> tensor<i1>\n"
            f"{q} = stablehlo.compare EQ, {a}, {c} : ({t}, {t}) -> tensor<i1>\n"
            f"{r} = stablehlo.compare LT, {b}, {e} : ({i}, {i}) -> tensor<i1>\n"
            f"{s} = stablehlo.and {q}, {r} : tensor<i1>\n"
            f"{u} = stablehlo.or {p}, {s} : tensor<i1>\n"
            f"{w} = stablehlo.select {u}, {a}, {c} : tensor<i1>, {t}\n"
            f"{x} = stablehlo.select {u}, {b}, {e} : tensor<i1>, {i}\n"
            f"stablehlo.return {w}, {x} : {t}, {i} }}) {{dimensions = {array([d])}}} : {where}"
        )
        for k, (dtype, bound) in enumerate(((v.dtype, max(100, v.bound)), ("i32", 6))):
            self.scope.append(Value(f"{pair.name}#{k}", shape, dtype, True, bound))

    def dot(self) -> None:
        v = self.value(lambda v: v.dtype in FLOATS and v.bound < 100)
        w = self.value(lambda w: w.dtype == v.dtype and w.bound < 100)
        free_v, free_w = list(range(len(v.shape))), list(range(len(w.shape)))
        batch: list[tuple[int, int]] = []
        contract: list[tuple[int, int]] = []
        for a in [int(x) for x in self.rng.permutation(len(v.shape))]:
            fit = [b for b in free_w if w.shape[b] == v.shape[a]]
            if fit and self.chance(0.7):
                b = self.pick(fit)
                (contract if self.chance(0.7) else batch).append((a, b))
                free_v.remove(a), free_w.remove(b)
        shape = [v.shape[a] for a, _ in batch] + [v.shape[a] for a in free_v] + [w.shape[b] for b in free_w]
        n = math.prod(v.shape[a] for a, _ in contract)
        if len(shape) > 4 or math.prod(shape) > 400:
            raise Retry
        numbers = ", ".join(
            f"{side}_{what}_dimensions = {listed([pair[k] for pair in pairs])}"
            for what, pairs in (("batching", batch), ("contracting", contract))
            for k, side in enumerate(("lhs", "rhs"))
        )
        self.op(
            "dot_general",
            [v, w],
            shape,
            v.dtype,
            f"dot_dimension_numbers = #stablehlo.dot<{numbers}>",
            bound=n * v.bound * w.bound,
        )

    # -- indexing

    def index(self, shape: tuple[int, ...] = (), high: int = 5) -> Value:
        """Positions, some of them out of range."""
        if self.chance(0.5) and not shape:
            return self.constant((), "i32", self.integer(0, 2))
        if self.chance(0.6):
            fit = [v for v in self.scope if v.dtype == "i32" and v.shape == shape]
            if fit:
                return fit[self.integer(0, len(fit) - 1)]
        if shape and self.chance(0.4):
            return self.emit(f"stablehlo.iota dim = 0 : {tensor(shape, 'i32')}", shape, "i32", True, 6)
        numbers = [str(self.integer(-1, high)) for _ in range(math.prod(shape))]
        body = nested(numbers, shape) if shape else numbers[0]
        return self.emit(f"stablehlo.constant dense<{body}> : {tensor(shape, 'i32')}", shape, "i32", True, 6)

    def dynamic_slice(self) -> None:
        v = self.value(lambda v: len(v.shape) > 0)
        shape = [n if self.chance(0.4) else self.integer(1, n) for n in v.shape]
        at = [self.index() for _ in v.shape]
        self.op("dynamic_slice", [v, *at], shape, v.dtype, f"slice_sizes = {array(shape)}", v.exact, v.bound)

    def dynamic_update_slice(self) -> None:
        v = self.value(lambda v: len(v.shape) > 0)

        def fits(w: Value) -> bool:
            return w.dtype == v.dtype and len(w.shape) == len(v.shape) and all(np.less_equal(w.shape, v.shape))

        w = self.value(fits)
        at = [self.index() for _ in v.shape]
        self.op("dynamic_update_slice", [v, w, *at], v.shape, v.dtype, "", v.exact and w.exact, max(v.bound, w.bound))

    def gather(self) -> None:
        """Rows of a value."""
        v = self.value(lambda v: len(v.shape) > 0)
        d, n = self.integer(0, len(v.shape) - 1), self.pick(self.sizes)
        at = self.index((n, 1), v.shape[d])
        sizes = [1 if e == d else m for e, m in enumerate(v.shape)]
        shape = [m for e, m in enumerate(v.shape) if e != d]
        where = self.integer(0, len(shape))
        shape.insert(where, n)
        offset = [e for e in range(len(shape)) if e != where]
        numbers = (
            f"offset_dims = {listed(offset)}, collapsed_slice_dims = [{d}], start_index_map = [{d}], "
            "index_vector_dim = 1"
        )
        self.op(
            "gather",
            [v, at],
            shape,
            v.dtype,
            f"dimension_numbers = #stablehlo.gather<{numbers}>, slice_sizes = {array(sizes)}, "
            f"indices_are_sorted = false",
            v.exact,
            v.bound,
        )

    def scatter(self) -> None:
        """Rows into a value: added, or put there (then at places that differ)."""
        v = self.value(lambda v: 0 < len(v.shape) < 3 and v.dtype != "i1" and v.dtype[0] != "c")
        d = self.integer(0, len(v.shape) - 1)
        adds = self.chance(0.6)
        n = self.pick(self.sizes) if adds else self.integer(1, v.shape[d])
        if adds:
            at = self.index((n, 1), v.shape[d])
        else:
            places = [int(p) for p in self.rng.permutation(v.shape[d])[:n]]
            at = self.emit(
                f"stablehlo.constant dense<{listed([listed([p]) for p in places])}> : {tensor((n, 1), 'i32')}",
                (n, 1),
                "i32",
                True,
                6,
            )
        rest = [m for e, m in enumerate(v.shape) if e != d]
        want = (n, *rest)
        fit = [w for w in self.scope if w.shape == want and w.dtype == v.dtype]
        u = fit[self.integer(0, len(fit) - 1)] if fit and self.chance(0.8) else self.constant(want, v.dtype)
        window = list(range(1, len(want)))
        numbers = (
            f"update_window_dims = {listed(window)}, inserted_window_dims = [{d}], "
            f"scatter_dims_to_operand_dims = [{d}], index_vector_dim = 1"
        )
        t, a, b, c = tensor((), v.dtype), self.fresh(), self.fresh(), self.fresh()
        body = (
            f"{c} = stablehlo.add {a}, {b} : {t}\n stablehlo.return {c} : {t}"
            if adds
            else f"stablehlo.return {b} : {t}"
        )
        unique = "true" if not adds else "false"
        bound = v.bound + n * u.bound if adds else max(v.bound, u.bound)
        self.op(
            "scatter",
            [v, at, u],
            v.shape,
            v.dtype,
            f"scatter_dimension_numbers = #stablehlo.scatter<{numbers}>, unique_indices = {unique}, "
            f"indices_are_sorted = false",
            v.exact and u.exact,
            bound,
            f"{{ ^bb0({a}: {t}, {b}: {t}): {body} }}",
        )

    def reduce_window(self) -> None:
        v = self.value(lambda v: 0 < len(v.shape) < 3 and v.dtype in FLOATS)
        size = [self.integer(1, n) for n in v.shape]
        name = self.pick(["add", "maximum"])
        init = self.constant((), v.dtype, 0)
        shape = [n - s + 1 for n, s in zip(v.shape, size, strict=True)]
        one = array([1] * len(size))
        self.op(
            "reduce_window",
            [v, init],
            shape,
            v.dtype,
            f"window_dimensions = {array(size)}, window_strides = {one}, base_dilations = {one}, "
            f"window_dilations = {one}, padding = dense<0> : tensor<{len(size)}x2xi64>",
            v.exact,
            v.bound * math.prod(size),
            self.computation(name, v.dtype),
        )

    def sort(self) -> None:
        v = self.value(lambda v: len(v.shape) > 0 and v.exact and v.dtype in FLOATS + INTS)
        if self.special:
            raise Retry
        t, a, b, c = tensor((), v.dtype), self.fresh(), self.fresh(), self.fresh()
        way = self.pick(["LT", "GT"])
        body = f"{c} = stablehlo.compare {way}, {a}, {b} : ({t}, {t}) -> tensor<i1>\n stablehlo.return {c} : tensor<i1>"
        self.op(
            "sort",
            [v],
            v.shape,
            v.dtype,
            f"dimension = {self.integer(0, len(v.shape) - 1)} : i64, is_stable = true",
            region=f"{{ ^bb0({a}: {t}, {b}: {t}): {body} }}",
        )

    def barrier(self) -> None:
        v = self.value()
        self.op("optimization_barrier", [v], v.shape, v.dtype)

    # -- control flow and calls

    def nested(self, ops: int, arguments: Sequence[Value] = ()) -> list[str]:
        """The lines of a region; what is made there is out of sight afterwards, so `finish` must have taken it."""
        held, self.lines = self.lines, []
        self.scope.extend(arguments)
        self.depth += 1
        try:
            self.draw(ops)
        finally:
            self.depth -= 1
            lines, self.lines = self.lines, held
        return lines

    def result_like(self, t: Value, lines: list[str]) -> Value:
        """A value of this type for a region to give, the last one made if there is one."""
        fit = [v for v in self.scope if v.type == t.type and v.exact >= t.exact and v.bound <= max(t.bound, 1)]
        if not fit:
            held, self.lines = self.lines, lines
            made = self.constant(t.shape, t.dtype, 1)
            self.lines = held
            return made
        return fit[-1 if self.chance(0.7) else self.integer(0, len(fit) - 1)]

    def branch(self) -> None:
        if self.depth > 1 or not self.control:
            raise Retry
        results = [self.value() for _ in range(self.integer(1, 2))]
        count = 2
        if self.chance(0.6):
            p = self.value(lambda v: v.dtype == "i1" and v.shape == ()) if self.chance(0.7) else self.constant((), "i1")
            name = "if"
        else:
            p, name, count = self.index(), "case", self.integer(1, 3)
        regions = []
        for _ in range(count):
            seen = len(self.scope)
            lines = self.nested(self.integer(0, 4))
            outs = [self.result_like(t, lines) for t in results]
            del self.scope[seen:]
            regions.append(
                "{ "
                + "\n".join(lines)
                + f"\n stablehlo.return {', '.join(v.name for v in outs)} : {', '.join(v.type for v in outs)} }}"
            )
        self.results(f'"stablehlo.{name}"({p.name}) ({", ".join(regions)}) : ({p.type})', results)

    def results(self, text: str, like: Sequence[Value]) -> None:
        name = self.fresh()
        many = f":{len(like)}" if len(like) > 1 else ""
        self.lines.append(f"{name}{many} = {text} -> ({', '.join(v.type for v in like)})")
        for k, v in enumerate(like):
            bound = max(v.bound, 1)
            self.scope.append(Value(f"{name}#{k}" if many else name, v.shape, v.dtype, v.exact, bound))

    def loop(self) -> None:
        """A loop with a counter that carries one to three values."""
        if self.depth > 1 or not self.control:
            raise Retry
        dtype = self.pick(["i32", "i32", "i64"])
        start, step = self.integer(0, 2), 1 if self.chance(0.8) else 2
        rounds = self.integer(0, 5)
        first, limit = self.constant((), dtype, start), self.constant((), dtype, start + step * rounds)
        carried = [self.value(lambda v: v.dtype[0] != "c") for _ in range(self.integer(1, 3))]
        # What a body gives must be no larger than what it was given, so that it holds in all rounds.
        inits = [Value(v.name, v.shape, v.dtype, v.exact, max(v.bound, 8)) for v in carried]
        inside = [Value(self.fresh(), v.shape, v.dtype, v.exact, v.bound) for v in inits]
        i = Value(self.fresh(), (), dtype, True, 20)
        t = i.type
        cond_names = [self.fresh() for _ in carried]
        j, p, q, one = self.fresh(), self.fresh(), self.fresh(), self.fresh()
        header = ", ".join([f"{j}: {t}", *(f"{n}: {v.type}" for n, v in zip(cond_names, carried, strict=True))])
        cond = (
            f"{{ ^bb0({header}): {p} = stablehlo.compare LT, {j}, {limit.name} : ({t}, {t}) -> tensor<i1>\n"
            f"stablehlo.return {p} : tensor<i1> }}"
        )
        seen = len(self.scope)
        lines = self.nested(self.integer(1, 6), [i, *inside])
        outs = [self.result_like(v, lines) for v in inside]
        del self.scope[seen:]
        header = ", ".join(f"{v.name}: {v.type}" for v in (i, *inside))
        body = (
            f"{{ ^bb0({header}):\n" + "\n".join(lines) + f"\n{one} = stablehlo.constant dense<{step}> : {t}\n"
            f"{q} = stablehlo.add {i.name}, {one} : {t}\n"
            f"stablehlo.return {', '.join([q, *(v.name for v in outs)])} : {', '.join([t, *(v.type for v in outs)])} }}"
        )
        types = ", ".join([t, *(v.type for v in carried)])
        self.results(
            f'"stablehlo.while"({", ".join([first.name, *(v.name for v in carried)])}) ({cond}, {body}) : ({types})',
            [i, *inits],
        )

    def call(self) -> None:
        if not self.functions:
            raise Retry
        name, ins, outs = self.functions[self.integer(0, len(self.functions) - 1)]
        given = [self.value(lambda v, t=t: v.type == t.type and v.exact and v.bound <= t.bound) for t in ins]
        text = f"func.call @{name}({', '.join(v.name for v in given)}) : ({', '.join(v.type for v in given)})"
        self.results(text, outs)

    # -- whole programs

    OPS: tuple[tuple[int, str], ...] = (
        (10, "unary"), (18, "binary"), (4, "compare"), (5, "select"), (2, "clamp"), (5, "convert"), (1, "make_complex"),
        (8, "reshape"), (7, "transpose"), (8, "broadcast"), (10, "slice"), (5, "pad"), (7, "concatenate"),
        (3, "reverse"), (2, "iota"), (8, "reduce"), (1, "argmax"), (6, "dot"), (3, "dynamic_slice"),
        (4, "dynamic_update_slice"), (3, "gather"), (3, "scatter"), (2, "reduce_window"), (1, "sort"), (1, "barrier"),
        (3, "branch"), (4, "loop"), (2, "call"), (3, "idiom"), (3, "some_constant"),
    )  # fmt: skip

    def some_constant(self) -> None:
        self.constant(self.shape(), self.pick(self.dtypes))

    def idiom(self) -> None:
        """Two ops in a row that are often seen so."""
        v = self.value(lambda v: v.dtype in FLOATS and v.bound < 50)
        match self.integer(0, 7):
            case 0:
                self.op("subtract", [v, v], v.shape, v.dtype, bound=2 * v.bound)
            case 1:
                n = self.op("negate", [v], v.shape, v.dtype)
                self.op("add", [self.like(v), n], v.shape, v.dtype, bound=200)
            case 2:
                e = self.op("tanh", [v], v.shape, v.dtype, exact=False, bound=1)
                e = self.op("exponential", [e], v.shape, v.dtype, exact=False, bound=3)
                self.op("log", [e], v.shape, v.dtype, exact=False, bound=1)
            case 3:
                p = self.value(lambda p: p.dtype == "i1" and p.shape == v.shape)
                zero = self.constant(v.shape, v.dtype, 0)
                s = self.op("select", [p, v, zero], v.shape, v.dtype, exact=v.exact, bound=v.bound)
                t = self.op("select", [p, zero, self.like(v)], v.shape, v.dtype, exact=False, bound=v.bound + 100)
                self.op("add", [s, t], v.shape, v.dtype, exact=False, bound=200)
            case 4:
                p = self.value(lambda p: p.dtype == "i1" and p.shape == v.shape)
                c = self.op("convert", [p], v.shape, v.dtype, bound=1)
                self.op("multiply", [v, c], v.shape, v.dtype, bound=v.bound)
            case 5:
                self.op("divide", [v, self.positive(v)], v.shape, v.dtype, exact=False, bound=1)
            case 6:
                x = self.op(
                    "multiply", [v, self.constant((*v.shape,), v.dtype, 2)], v.shape, v.dtype, bound=2 * v.bound
                )
                self.op("multiply", [x, self.constant(v.shape, v.dtype, 3)], v.shape, v.dtype, bound=6 * v.bound)
            case 7:
                s = self.op("sqrt", [self.positive(v)], v.shape, v.dtype, exact=False, bound=v.bound + 1)
                self.op("divide", [self.like(v), s], v.shape, v.dtype, exact=False, bound=100)

    def draw(self, ops: int) -> None:
        weights = np.array([w for w, _ in self.OPS], float)
        for _ in range(ops):
            for _ in range(20):
                kept, seen = len(self.lines), len(self.scope)
                try:
                    getattr(self, self.OPS[int(self.rng.choice(len(weights), p=weights / weights.sum()))][1])()
                    break
                except Retry:
                    del self.lines[kept:], self.scope[seen:]

    def function(self, name: str, arguments: int, ops: int, outs: int, hidden: bool = False) -> str:
        self.lines, self.scope = [], []
        given = []
        for k in range(arguments):
            v = Value(f"%arg{k}", self.shape(), self.pick(self.dtypes), self.chance(0.7))
            if v.dtype not in FLOATS and not v.exact:
                v = Value(v.name, v.shape, v.dtype, not v.dtype.startswith("complex"))
            given.append(v)
        self.scope = list(given)
        self.draw(ops)
        text = " ".join(self.lines)
        unused = [v for v in self.scope if not re.search(rf"{v.name}\b(?! =|:)", text)][-outs + 1 :]
        results = [*unused, self.scope[-1]] if outs > 1 else [self.scope[-1]]
        self.functions.append((name, given, results))
        ins = ", ".join(f"{v.name}: {v.type}" for v in given)
        back = ", ".join(v.type for v in results)
        return (
            f"func.func {'private' if hidden else 'public'} @{name}({ins}) -> ({back}) {{\n"
            + "\n".join(self.lines)
            + f"\nreturn {', '.join(v.name for v in results)} : {back}\n}}\n"
        )


def nested(texts: Sequence[str], shape: Sequence[int]) -> str:
    """Numbers as nested lists."""
    if not shape:
        return texts[0]
    n = len(texts) // shape[0]
    return "[" + ", ".join(nested(texts[k * n : (k + 1) * n], shape[1:]) for k in range(shape[0])) + "]"


def written(x: float, dtype: str) -> str:
    if dtype == "i1":
        return "true" if x else "false"
    if dtype.startswith("complex"):
        return f"({float(x):e}, {float(x) / 2:e})"
    return f"{float(x):e}" if dtype in FLOATS else str(int(x))


def draw_program(seed: int, size: int = 14) -> tuple[str, list[Value], bool]:
    """The text of a module with a function `main`, main's arguments, and whether these may be special numbers."""
    special = seed % 3 == 0
    random = Random(seed, special=special)
    parts = []
    for k in range(random.pick([0, 0, 0, 1, 2])):
        parts.append(
            random.function(f"part{k}", random.integer(1, 2), random.integer(1, 5), random.integer(1, 2), True)
        )
    parts.append(random.function("main", random.integer(2, 4), size, random.integer(1, 6)))
    return "".join(parts), random.functions[-1][1], special
