"""A StableHLO interpreter in NumPy: each op rounds once, to its own type, or the whole program runs in a wider one.

To compile a program takes XLA a hundred times as long as to run it here, and XLA may keep digits that the type has not:
here an intermediate result that overflows f16 does overflow. `wide` reads every float type as the widest that there is
(with 64 bits for the digits, on x86; special functions have 53), which gives the truth that results are measured by,
from the very same program.

It knows what the fuzzer's programs and their derivatives are made of, and raises `Unknown` at anything else.
"""

from __future__ import annotations

import itertools
import math
import re
from collections.abc import Callable, Sequence
from typing import Any

import ml_dtypes
import numpy as np
import scipy.special
from jaxlib.mlir import ir
from jaxlib.mlir.dialects import stablehlo as hlo

from gradir.tensor.rules.convolution import Convolution
from gradir.tensor.rules.windows import Window

Array = Any
Values = Sequence[Array]
Step = Callable[[list[Array], Values], Values]
"""What an op does, given the values in scope (for its regions) and its operands."""


class Unknown(Exception):
    """An op that this interpreter does not know."""


DTYPES: dict[str, Any] = {
    "f16": np.float16, "bf16": ml_dtypes.bfloat16, "f32": np.float32, "f64": np.float64, "i1": np.bool_,
    "complex<f32>": np.complex64, "complex<f64>": np.complex128,
    **{f"{p}{n}": np.dtype(f"{'u' if p == 'ui' else ''}int{n}").type for p in ("i", "ui") for n in (8, 16, 32, 64)},
}  # fmt: skip
NARROW = (np.float16, ml_dtypes.bfloat16)


# -- elementwise ops ---------------------------------------------------------------------------------------------------


def rounded(f: Callable[..., Array], between: Any = np.float32) -> Callable[..., Array]:
    """`f`, where a narrow type is computed in a wider one and rounded at the end. (Some `f` know no type above f64.)"""

    def of(*xs: Array) -> Array:
        dtype = xs[0].dtype
        if dtype.type in NARROW or (dtype.type in (np.float32, np.longdouble) and between is np.float64):
            return np.asarray(f(*(x.astype(between) for x in xs))).astype(dtype)
        return f(*xs)

    return of


def _special(f: Callable[..., Array]) -> Callable[..., Array]:
    return rounded(f, np.float64)


def _divide(x: Array, y: Array) -> Array:
    if x.dtype.kind not in "iu":
        return x / y
    return np.asarray(np.where(y == 0, -1, np.trunc(x / np.where(y == 0, 1, y)))).astype(x.dtype)


def _remainder(x: Array, y: Array) -> Array:
    return np.fmod(x, y) if x.dtype.kind not in "iu" else np.where(y == 0, x, np.fmod(x, np.where(y == 0, 1, y)))


def _power(x: Array, y: Array) -> Array:
    if x.dtype.kind in "iu":
        return np.where(y < 0, np.where(np.abs(x) == 1, x, 0), x ** np.maximum(y, 0)).astype(x.dtype)
    return np.power(x, y)


def _round_away(x: Array) -> Array:
    return np.copysign(np.floor(np.abs(x) + np.asarray(0.5, x.dtype)), x)


def _sign(x: Array) -> Array:
    if x.dtype.kind == "c":
        size = np.abs(x)
        return np.where(size == 0, 0, x / np.where(size == 0, 1, size)).astype(x.dtype)
    return np.where(x == 0, x, np.sign(x)).astype(x.dtype)  # keeps the sign of a zero


def _shift(f: Callable[..., Array], beyond: Callable[[Array], Array]) -> Callable[..., Array]:
    def of(x: Array, by: Array) -> Array:
        bits = 8 * x.dtype.itemsize
        far = by.astype(np.uint64) >= bits
        return np.where(far, beyond(x), f(x, np.where(far, 0, by).astype(x.dtype))).astype(x.dtype)

    return of


def _logical_right(x: Array, by: Array) -> Array:
    unsigned = np.dtype(f"u{x.dtype.name.lstrip('u')}")
    return (x.view(unsigned) >> by.astype(unsigned)).view(x.dtype)


def _polygamma(n: Array, x: Array) -> Array:
    sign = np.where(n % 2 == 0, -1.0, 1.0)
    value = sign * scipy.special.gamma(n + 1) * scipy.special.zeta(n + 1, x)
    return np.where(n == 0, scipy.special.digamma(x), value)


ELEMENTWISE: dict[str, Callable[..., Array]] = {
    "abs": np.abs,
    "add": lambda x, y: x | y if x.dtype == np.bool_ else x + y,
    "and": np.bitwise_and,
    "atan2": rounded(np.arctan2),
    "cbrt": rounded(np.cbrt),
    "ceil": np.ceil,
    "clamp": lambda low, x, high: np.minimum(np.maximum(x, low), high),
    "complex": lambda x, y: (x + 1j * y).astype(np.complex64) if x.dtype == np.float32 else x + 1j * y,
    "cosine": rounded(np.cos),
    "count_leading_zeros": lambda x: np.vectorize(
        lambda v: 8 * x.dtype.itemsize - int(v & (2 ** (8 * x.dtype.itemsize) - 1)).bit_length(), otypes=[x.dtype]
    )(x),
    "divide": _divide,
    "exponential": rounded(np.exp),
    "exponential_minus_one": rounded(np.expm1),
    "floor": np.floor,
    "imag": np.imag,
    "is_finite": np.isfinite,
    "log": rounded(np.log),
    "log_plus_one": rounded(np.log1p),
    "logistic": rounded(scipy.special.expit),
    "maximum": np.maximum,
    "minimum": np.minimum,
    "multiply": lambda x, y: x & y if x.dtype == np.bool_ else x * y,
    "negate": np.negative,
    "not": np.invert,
    "or": np.bitwise_or,
    "popcnt": lambda x: np.bitwise_count(x).astype(x.dtype),
    "power": rounded(_power),
    "real": np.real,
    "remainder": _remainder,
    "round_nearest_afz": _round_away,
    "round_nearest_even": np.rint,
    "rsqrt": rounded(lambda x: 1 / np.sqrt(x)),
    "select": lambda p, x, y: np.where(p, x, y),
    "shift_left": _shift(np.left_shift, np.zeros_like),
    "shift_right_arithmetic": _shift(np.right_shift, lambda x: np.where(x < 0, -1, 0)),
    "shift_right_logical": _shift(_logical_right, np.zeros_like),
    "sign": _sign,
    "sine": rounded(np.sin),
    "sqrt": rounded(np.sqrt),
    "subtract": np.subtract,
    "tan": rounded(np.tan),
    "tanh": rounded(np.tanh),
    "xor": np.bitwise_xor,
    "optimization_barrier": lambda *xs: xs,
    # CHLO
    "acos": rounded(np.arccos),
    "acosh": rounded(np.arccosh),
    "asin": rounded(np.arcsin),
    "asinh": rounded(np.arcsinh),
    "atan": rounded(np.arctan),
    "atanh": rounded(np.arctanh),
    "bessel_i1e": _special(scipy.special.i1e),
    "conj": np.conj,
    "cosh": rounded(np.cosh),
    "digamma": _special(scipy.special.digamma),
    "erf": _special(scipy.special.erf),
    "erfc": _special(scipy.special.erfc),
    "erf_inv": _special(scipy.special.erfinv),
    "is_inf": np.isinf,
    "lgamma": _special(scipy.special.gammaln),
    "polygamma": _special(_polygamma),
    "sinh": rounded(np.sinh),
    "square": lambda x: x * x,
    "zeta": _special(scipy.special.zeta),
}

COMPARE = {
    "EQ": np.equal, "NE": np.not_equal, "LT": np.less, "LE": np.less_equal, "GT": np.greater, "GE": np.greater_equal,
}  # fmt: skip


def _total_order(x: Array) -> Array:
    """Integers that are ordered as all bit patterns of floats are."""
    x = np.asarray(x, np.float64) if x.dtype == np.longdouble else np.asarray(x)
    bits = x.view(f"int{8 * x.dtype.itemsize}")
    return np.where(bits < 0, bits ^ np.iinfo(bits.dtype).max, bits)


# -- programs ----------------------------------------------------------------------------------------------------------


class Interpreter:
    """A module, read once, to be called with arrays."""

    def __init__(self, module: ir.Module, *, wide: bool = False, entry: str = "main") -> None:
        self.wide = wide
        self._ops = {ir.StringAttr(f.attributes["sym_name"]).value: f.operation for f in module.body.operations}
        self._functions: dict[str, Callable[[Values], Values]] = {}
        self._main = self.function(entry)

    def __call__(self, *args: Array) -> list[Array]:
        given = [self._widened(np.asarray(x)) for x in args]
        with np.errstate(all="ignore"):
            return [np.asarray(x) for x in self._main(given)]

    def _widened(self, x: Array) -> Array:
        if not self.wide:
            return x
        if x.dtype.kind == "c":
            return x.astype(np.clongdouble)
        return x.astype(np.longdouble) if x.dtype.kind == "f" or x.dtype == ml_dtypes.bfloat16 else x

    def dtype(self, t: ir.Type) -> Any:
        name = str(t.element_type)
        if name not in DTYPES:
            raise Unknown(name)
        found = DTYPES[name]
        if self.wide:
            found = {"f": np.longdouble, "c": np.clongdouble}.get(np.dtype(found).kind, found)
            if found is ml_dtypes.bfloat16:
                found = np.longdouble
        return found

    # -- structure

    def function(self, name: str) -> Callable[[Values], Values]:
        if name not in self._functions:
            self._functions[name] = lambda xs: self._functions[name](xs)  # one that is being read
            slots: dict[ir.Value, int] = {}
            body = self.block(self._ops[name].regions[0].blocks[0], slots)
            self._functions[name] = lambda xs: body([None] * len(slots), xs)
        return self._functions[name]

    def block(self, block: ir.Block, slots: dict[ir.Value, int]) -> Step:
        def slot(value: ir.Value) -> int:
            return slots.setdefault(value, len(slots))

        entry = [slot(a) for a in block.arguments]
        steps: list[tuple[Step, list[int], list[int]]] = []
        *operations, last = [view.operation for view in block.operations]
        for op in operations:
            ins = [slots[v] for v in op.operands]
            step = self.step(op, slots)
            steps.append((step, ins, [slot(r) for r in op.results]))
        out = [slots[v] for v in last.operands]

        def run(env: list[Array], xs: Values) -> Values:
            for k, x in zip(entry, xs, strict=True):
                env[k] = x
            for step, ins, outs in steps:
                for k, x in zip(outs, step(env, [env[i] for i in ins]), strict=True):
                    env[k] = x
            return [env[k] for k in out]

        return run

    def step(self, op: ir.Operation, slots: dict[ir.Value, int]) -> Step:
        dialect, name = op.name.split(".", 1)
        if (reader := getattr(self, f"read_{name}", None)) is not None:
            regions = [self.block(r.blocks[0], slots) for r in op.regions]
            return reader(op, *regions)
        if name in ELEMENTWISE and dialect in ("stablehlo", "chlo"):
            f = ELEMENTWISE[name]
            return (lambda env, xs: f(*xs)) if name == "optimization_barrier" else (lambda env, xs: [f(*xs)])
        raise Unknown(op.name)

    # -- control

    def read_call(self, op: ir.Operation) -> Step:
        name = ir.FlatSymbolRefAttr(op.attributes["callee"]).value
        self.function(name)
        return lambda env, xs: self._functions[name](xs)

    def read_ignore_derivatives(self, op: ir.Operation) -> Step:
        return lambda env, xs: xs

    def read_if(self, op: ir.Operation, yes: Step, no: Step) -> Step:
        return lambda env, xs: (yes if xs[0] else no)(env, [])

    def read_case(self, op: ir.Operation, *branches: Step) -> Step:
        def run(env: list[Array], xs: Values) -> Values:
            k = int(xs[0])
            return branches[k if 0 <= k < len(branches) else -1](env, [])

        return run

    def read_while(self, op: ir.Operation, condition: Step, body: Step) -> Step:
        def run(env: list[Array], xs: Values) -> Values:
            for _ in range(10_000):
                if not condition(env, xs)[0]:
                    return xs
                xs = body(env, xs)
            raise Unknown("a loop of more than 10,000 rounds")

        return run

    # -- constants and types

    def read_constant(self, op: ir.Operation) -> Step:
        value = constant(op)
        value = value.astype(self.dtype(op.results[0].type))
        return lambda env, xs: [value]

    def read_iota(self, op: ir.Operation) -> Step:
        t, d = op.results[0].type, ir.IntegerAttr(op.attributes["iota_dimension"]).value
        line = np.arange(t.shape[d]).astype(self.dtype(t)).reshape([-1 if k == d else 1 for k in range(t.rank)])
        value = np.broadcast_to(line, t.shape)
        return lambda env, xs: [value]

    def read_convert(self, op: ir.Operation) -> Step:
        to = self.dtype(op.results[0].type)
        if np.dtype(to).kind in "iu":
            return lambda env, xs: [_to_integer(xs[0], to)]
        return lambda env, xs: [xs[0] != 0 if to is np.bool_ else _real(xs[0], to).astype(to)]

    def read_reduce_precision(self, op: ir.Operation) -> Step:
        exponent, mantissa = (ir.IntegerAttr(op.attributes[f"{n}_bits"]).value for n in ("exponent", "mantissa"))
        to = {(5, 10): np.float16, (8, 7): ml_dtypes.bfloat16, (8, 23): np.float32}.get((exponent, mantissa))
        if self.wide or (exponent, mantissa) == (11, 52):
            return lambda env, xs: xs
        if to is None:
            raise Unknown(f"reduce_precision to {exponent}, {mantissa} bits")
        return lambda env, xs: [xs[0].astype(to).astype(xs[0].dtype)]

    def read_bitcast_convert(self, op: ir.Operation) -> Step:
        narrow = [DTYPES[str(v.type.element_type)] for v in (op.operands[0], op.results[0])]
        to, shape = self.dtype(op.results[0].type), op.results[0].type.shape
        if np.dtype(narrow[0]).itemsize != np.dtype(narrow[1]).itemsize:
            raise Unknown("bitcast_convert that changes the width")
        return lambda env, xs: [np.asarray(xs[0]).astype(narrow[0]).view(narrow[1]).astype(to).reshape(shape)]

    def read_compare(self, op: ir.Operation) -> Step:
        f = COMPARE[str(hlo.ComparisonDirectionAttr(op.attributes["comparison_direction"]).value)]
        if "compare_type" in op.attributes and "TOTAL" in str(op.attributes["compare_type"]):
            return lambda env, xs: [f(_total_order(xs[0]), _total_order(xs[1]))]
        return lambda env, xs: [f(*xs)]

    # -- shapes

    def read_broadcast_in_dim(self, op: ir.Operation) -> Step:
        shape, dims = tuple(op.results[0].type.shape), tuple(op.attributes["broadcast_dimensions"])
        order = sorted(range(len(dims)), key=dims.__getitem__)
        ones = [1] * len(shape)
        for k, n in zip(dims, op.operands[0].type.shape, strict=True):
            ones[k] = n
        return lambda env, xs: [np.broadcast_to(np.transpose(xs[0], order).reshape(ones), shape)]

    def read_reshape(self, op: ir.Operation) -> Step:
        shape = tuple(op.results[0].type.shape)
        return lambda env, xs: [np.reshape(xs[0], shape)]

    def read_transpose(self, op: ir.Operation) -> Step:
        order = tuple(op.attributes["permutation"])
        return lambda env, xs: [np.transpose(xs[0], order)]

    def read_reverse(self, op: ir.Operation) -> Step:
        dims = tuple(op.attributes["dimensions"])
        return lambda env, xs: [np.flip(xs[0], dims)]

    def read_concatenate(self, op: ir.Operation) -> Step:
        d = ir.IntegerAttr(op.attributes["dimension"]).value
        return lambda env, xs: [np.concatenate(xs, d)]

    def read_slice(self, op: ir.Operation) -> Step:
        ends = (tuple(op.attributes[name]) for name in ("start_indices", "limit_indices", "strides"))
        place = tuple(slice(*k) for k in zip(*ends, strict=True))
        return lambda env, xs: [xs[0][place]]

    def read_pad(self, op: ir.Operation) -> Step:
        low, high, inner = (tuple(op.attributes[f"{n}_padding{m}"]) for n, m in
                            (("edge", "_low"), ("edge", "_high"), ("interior", "")))  # fmt: skip
        return lambda env, xs: [pad(*xs, low, high, inner)]

    def read_dynamic_slice(self, op: ir.Operation) -> Step:
        sizes = tuple(op.attributes["slice_sizes"])
        return lambda env, xs: [xs[0][_window(xs[0].shape, xs[1:], sizes)]]

    def read_dynamic_update_slice(self, op: ir.Operation) -> Step:
        def run(env: list[Array], xs: Values) -> Values:
            out = np.array(xs[0])
            out[_window(out.shape, xs[2:], xs[1].shape)] = xs[1]
            return [out]

        return run

    # -- products

    def read_dot_general(self, op: ir.Operation) -> Step:
        n = hlo.DotDimensionNumbers(op.attributes["dot_dimension_numbers"])
        to = self.dtype(op.results[0].type)
        letters = itertools.count()
        batch = [next(letters) for _ in n.lhs_batching_dimensions]
        summed = [next(letters) for _ in n.lhs_contracting_dimensions]
        sides = [(n.lhs_batching_dimensions, n.lhs_contracting_dimensions),
                 (n.rhs_batching_dimensions, n.rhs_contracting_dimensions)]  # fmt: skip
        named: list[list[int]] = []
        for value, (batches, contracts) in zip(op.operands, sides, strict=True):
            known = dict(zip([*batches, *contracts], [*batch, *summed], strict=True))
            named.append([known[k] if k in known else next(letters) for k in range(value.type.rank)])
        free = [k for side in named for k in side if k not in batch and k not in summed]
        return lambda env, xs: [_product(*xs, named[0], named[1], [*batch, *free], to)]

    def read_convolution(self, op: ir.Operation) -> Step:
        c = Convolution.of(op)
        to = self.dtype(op.results[0].type)
        return lambda env, xs: [convolve(c, *xs, to)]

    # -- computations over elements

    def read_reduce(self, op: ir.Operation, body: Step) -> Step:
        dims = tuple(op.attributes["dimensions"])
        n = len(op.results)

        def run(env: list[Array], xs: Values) -> Values:
            lines = [_last(x, dims) for x in xs[:n]]
            shape = lines[0].shape[:-1]
            out = [np.broadcast_to(init, shape) for init in xs[n:]]
            for k in range(lines[0].shape[-1]):
                out = body(env, [*out, *(line[..., k] for line in lines)])
            return [np.broadcast_to(x, shape) for x in out]

        return run

    def read_reduce_window(self, op: ir.Operation, body: Step) -> Step:
        w = Window.of(op)
        n = len(op.results)
        shape = tuple(op.results[0].type.shape)

        def run(env: list[Array], xs: Values) -> Values:
            padded = [_window_pad(w, x, init) for x, init in zip(xs[:n], xs[n:], strict=True)]
            out = [np.broadcast_to(init, shape) for init in xs[n:]]
            for at in itertools.product(*map(range, w.sizes)):
                place = tuple(
                    slice(k * step, k * step + (m - 1) * stride + 1, stride) if m else slice(0, 0)
                    for k, step, stride, m in zip(at, w.steps, w.strides, shape, strict=True)
                )
                out = body(env, [*out, *(x[place] for x in padded)])
            return [np.broadcast_to(x, shape) for x in out]

        return run

    def read_select_and_scatter(self, op: ir.Operation, select: Step, scatter: Step) -> Step:
        w = Window.of(op)

        def run(env: list[Array], xs: Values) -> Values:
            x, source, init = xs
            out = np.array(np.broadcast_to(init, x.shape))
            for at in np.ndindex(*source.shape):
                best = None
                for k in itertools.product(*map(range, w.sizes)):
                    place = tuple(
                        i * stride + j - low for i, stride, j, (low, _) in zip(at, w.strides, k, w.padding, strict=True)
                    )
                    if all(0 <= p < m for p, m in zip(place, x.shape, strict=True)) and (
                        best is None or not select(env, [x[best], x[place]])[0]
                    ):
                        best = place
                if best is not None:
                    out[best] = scatter(env, [out[best], source[at]])[0]
            return [out]

        return run

    def read_map(self, op: ir.Operation, body: Step) -> Step:
        return body

    def read_sort(self, op: ir.Operation, less: Step) -> Step:
        d = ir.IntegerAttr(op.attributes["dimension"]).value

        def run(env: list[Array], xs: Values) -> Values:
            lines = [np.moveaxis(x, d, -1) for x in xs]
            pairs = [side for x in lines for side in (x[..., :, None], x[..., None, :])]
            n = lines[0].shape[-1]
            before = np.broadcast_to(less(env, pairs)[0], (*lines[0].shape, n))  # [..., i, j]: i is less than j
            first = before | (~np.swapaxes(before, -1, -2) & np.triu(np.ones((n, n), bool), 1))
            order = np.argsort(first.sum(-2), -1, kind="stable")
            return [np.moveaxis(np.take_along_axis(x, order, -1), -1, d) for x in lines]

        return run

    def read_top_k(self, op: ir.Operation) -> Step:
        k = ir.IntegerAttr(op.attributes["k"]).value

        def run(env: list[Array], xs: Values) -> Values:
            order = np.argsort(-_total_order(xs[0]), -1, kind="stable")[..., :k]
            return [np.take_along_axis(xs[0], order, -1), order.astype(np.int32)]

        return run

    # -- indexing

    def read_gather(self, op: ir.Operation) -> Step:
        n = hlo.GatherDimensionNumbers(op.attributes["dimension_numbers"])
        offset, collapsed = tuple(n.offset_dims), (*n.collapsed_slice_dims, *n.operand_batching_dims)
        sizes, shape = tuple(op.attributes["slice_sizes"]), tuple(op.results[0].type.shape)
        batch_dims = [d for d in range(len(shape)) if d not in offset]
        kept = [d for d in range(len(sizes)) if d not in collapsed]
        starts = _starts(n.start_index_map, n.operand_batching_dims, n.start_indices_batching_dims, n.index_vector_dim)

        def run(env: list[Array], xs: Values) -> Values:
            x, indices = xs
            out = np.zeros(shape, x.dtype)
            window = tuple(sizes[d] for d in kept)
            for at in np.ndindex(*(shape[d] for d in batch_dims)):
                start = starts(indices, at, x.ndim)
                start = [min(max(s, 0), m - size) for s, m, size in zip(start, x.shape, sizes, strict=True)]
                place: list[Any] = [slice(None)] * len(shape)
                for d, k in zip(batch_dims, at, strict=True):
                    place[d] = k
                part = x[tuple(slice(s, s + size) for s, size in zip(start, sizes, strict=True))]
                out[tuple(place)] = part.reshape(window)
            return [out]

        return run

    def read_scatter(self, op: ir.Operation, body: Step) -> Step:
        n = hlo.ScatterDimensionNumbers(op.attributes["scatter_dimension_numbers"])
        window_dims = tuple(n.update_window_dims)
        gone = (*n.inserted_window_dims, *n.input_batching_dims)
        count = len(op.results)
        starts = _starts(
            n.scattered_dims_to_operand_dims, n.input_batching_dims, n.scatter_indices_batching_dims, n.index_vector_dim
        )

        def run(env: list[Array], xs: Values) -> Values:
            outs, indices, updates = [np.array(x) for x in xs[:count]], xs[count], xs[count + 1 :]
            shape = updates[0].shape
            scatter_dims = [d for d in range(len(shape)) if d not in window_dims]
            window = iter([shape[d] for d in window_dims])
            sizes = [1 if d in gone else next(window) for d in range(outs[0].ndim)]
            for at in np.ndindex(*(shape[d] for d in scatter_dims)):
                start = starts(indices, at, outs[0].ndim)
                place: list[Any] = [slice(None)] * len(shape)
                for d, k in zip(scatter_dims, at, strict=True):
                    place[d] = k
                if any(s < 0 or s + size > m for s, size, m in zip(start, sizes, outs[0].shape, strict=True)):
                    continue  # JAX's and our windows are outside as a whole, or not at all
                where = tuple(slice(s, s + size) for s, size in zip(start, sizes, strict=True))
                new = [u[tuple(place)].reshape(sizes) for u in updates]
                for out, x in zip(outs, body(env, [*(o[where] for o in outs), *new]), strict=True):
                    out[where] = x
            return outs

        return run


# -- what the ops do ---------------------------------------------------------------------------------------------------


def constant(op: ir.Operation) -> Array:
    """The elements of a constant, in a type that holds them all."""
    attr, t = op.attributes["value"], op.results[0].type
    if attr.is_splat:
        return np.full(t.shape, attr.get_splat_value().value)
    if str(t.element_type) != "bf16":
        return np.array(attr).reshape(t.shape)
    words = re.findall(r"0x[0-9A-F]+|[-+.\deE]+", str(attr).rsplit(" : ", 1)[0].removeprefix("dense<"))
    numbers = [np.uint16(int(w, 16)).view(ml_dtypes.bfloat16) if w.startswith("0x") else float(w) for w in words]
    return np.array(numbers, np.float64).reshape(t.shape)


def _to_integer(x: Array, to: Any) -> Array:
    if x.dtype.kind in "iub":
        return x.astype(to)
    ends = np.iinfo(to)
    wide = np.nan_to_num(x.astype(np.float64), nan=0.0, posinf=np.inf, neginf=-np.inf)
    inside = np.clip(wide, float(ends.min), float(ends.max))
    out = np.where(inside >= float(ends.max), 0, inside).astype(to)
    return np.where(inside >= float(ends.max), np.asarray(ends.max, to), out)


def _real(x: Array, to: Any) -> Array:
    return x.real if x.dtype.kind == "c" and np.dtype(to).kind != "c" else x


def pad(x: Array, value: Array, low: Sequence[int], high: Sequence[int], inner: Sequence[int]) -> Array:
    """Negative padding cuts off, after the rest is done."""
    spread = [n + max(n - 1, 0) * k for n, k in zip(x.shape, inner, strict=True)]
    before, after = [max(k, 0) for k in low], [max(k, 0) for k in high]
    whole = np.full([a + n + b for a, n, b in zip(before, spread, after, strict=True)], value, x.dtype)
    whole[tuple(slice(a, a + n, k + 1) for a, n, k in zip(before, spread, inner, strict=True))] = x
    return whole[tuple(slice(max(-a, 0), m - max(-b, 0)) for a, b, m in zip(low, high, whole.shape, strict=True))]


def _window(shape: Sequence[int], starts: Values, sizes: Sequence[int]) -> tuple[slice, ...]:
    first = [min(max(int(s), 0), n - size) for s, n, size in zip(starts, shape, sizes, strict=True)]
    return tuple(slice(s, s + size) for s, size in zip(first, sizes, strict=True))


def _window_pad(w: Window, x: Array, init: Array) -> Array:
    low, high = zip(*w.padding, strict=True) if w.padding else ((), ())
    return pad(x, init, low, high, [hole - 1 for hole in w.holes])


def _last(x: Array, dims: Sequence[int]) -> Array:
    """The dimensions to be reduced as one, at the end."""
    kept = [d for d in range(x.ndim) if d not in dims]
    moved = np.transpose(x, [*kept, *dims])
    return moved.reshape([*(x.shape[d] for d in kept), math.prod(x.shape[d] for d in dims)])


def _product(x: Array, y: Array, x_dims: list[int], y_dims: list[int], out: list[int], to: Any) -> Array:
    """Narrow products are summed in f32, as machines do it; all others in the type of the result."""
    between = np.float32 if to in NARROW else to
    return np.asarray(np.einsum(x.astype(between), x_dims, y.astype(between), y_dims, out)).astype(to)


def convolve(c: Convolution, x: Array, kernel: Array, to: Any) -> Array:
    """One product for each place of the kernel and group of features."""
    between = np.float32 if to in NARROW else to
    out = np.zeros(c.result_shape(x.shape, kernel.shape), between)
    low, high = [0] * x.ndim, [0] * x.ndim
    inner = [0] * x.ndim
    for d, (a, b), hole in zip(c.lhs.spatial, c.padding, c.lhs_dilation, strict=True):
        low[d], high[d], inner[d] = a, b, hole - 1
    x = pad(x, np.zeros((), x.dtype), low, high, inner).astype(between)
    x = np.transpose(x, [c.lhs.first, c.lhs.second, *c.lhs.spatial])
    kernel = np.transpose(kernel, [c.rhs.second, c.rhs.first, *c.rhs.spatial]).astype(between)
    kernel = np.flip(kernel, [k + 2 for k, turned in enumerate(c.reversal) if turned])
    result = np.transpose(out, [c.out.first, c.out.second, *c.out.spatial])  # a view: writing to it writes to `out`
    groups = max(c.feature_groups, c.batch_groups)
    outs = kernel.shape[0] // groups
    for g in range(groups):
        b, f = x.shape[0] // c.batch_groups, x.shape[1] // c.feature_groups
        mine = x[g * b : (g + 1) * b] if c.batch_groups > 1 else x[:, g * f : (g + 1) * f]
        for at in np.ndindex(*kernel.shape[2:]):
            place = tuple(
                slice(k * step, k * step + (m - 1) * stride + 1, stride) if m else slice(0, 0)
                for k, step, stride, m in zip(at, c.rhs_dilation, c.strides, result.shape[2:], strict=True)
            )
            part = kernel[(slice(g * outs, (g + 1) * outs), slice(None), *at)]
            result[:, g * outs : (g + 1) * outs] += np.einsum("bf...,of->bo...", mine[(..., *place)], part)
    return out.astype(to)


def _starts(
    index_map: Sequence[int], batching: Sequence[int], index_batching: Sequence[int], vector_dim: int
) -> Callable[[Array, tuple[int, ...], int], list[int]]:
    """Where the window of a batch begins: by its index vector, and by the batch itself in batching dimensions."""
    index_map, batching, index_batching = tuple(index_map), tuple(batching), tuple(index_batching)

    def of(indices: Array, at: tuple[int, ...], rank: int) -> list[int]:
        start = [0] * rank
        has_vector = vector_dim < indices.ndim
        vector = indices[(*at[:vector_dim], slice(None), *at[vector_dim:])] if has_vector else [indices[at]]
        for d, k in zip(index_map, vector, strict=True):
            start[d] = int(k)
        for d, k in zip(batching, index_batching, strict=True):
            start[d] = at[k - (k > vector_dim)]
        return start

    return of
