"""Random programs with empty axes: every family of ops, on arrays some of whose dimensions are 0.

A program is drawn while it runs, from a seed and the shapes alone, so that it is the same under every transformation.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

Array = Any
LARGEST = 60


@dataclass
class Draw:
    """The choices of a program, and the values that it has so far."""

    rng: np.random.Generator
    values: list[Array]

    def pick(self, options: Sequence[Any]) -> Any:
        return options[int(self.rng.integers(len(options)))]

    def chance(self, p: float) -> bool:
        return bool(self.rng.random() < p)

    def size(self) -> int:
        return self.pick([0, 0, 1, 2, 3])

    def sizes(self, low: int, high: int) -> list[int]:
        return [self.size() for _ in range(int(self.rng.integers(low, high + 1)))]

    def value(self, low: int = 0, high: int = 4) -> Array:
        """A value of the program with so many dimensions."""
        fit = [v for v in self.values[-6:] if low <= v.ndim <= high]
        return self.pick(fit) if fit and self.chance(0.9) else self.of(self.sizes(low, min(high, 3)))

    def of(self, shape: Sequence[int]) -> Array:
        """A value of this shape that comes of the program's."""
        fit = [v for v in self.values if v.shape == tuple(shape)]
        if fit and self.chance(0.7):
            return self.pick(fit)
        seed = jnp.sum(self.pick(self.values)) * 0.3 + 0.2
        return jnp.sin(seed + jnp.arange(int(np.prod(shape))).reshape(shape) * 0.7)

    def axis(self, x: Array) -> int:
        return int(self.rng.integers(x.ndim))

    def axes(self, x: Array) -> tuple[int, ...]:
        return tuple(d for d in range(x.ndim) if self.chance(0.5))

    def range(self, n: int) -> tuple[int, int]:
        a, b = sorted(int(i) for i in self.rng.integers(0, n + 1, 2))
        return a, b

    def cut(self, x: Array) -> Array:
        """A part of an array, often empty."""
        starts, limits = zip(*(self.range(n) for n in x.shape), strict=True) if x.ndim else ((), ())
        return lax.slice(x, starts, limits, [self.pick([1, 1, 2]) for _ in starts])

    def indices(self, n: int, shape: Sequence[int]) -> Array:
        return jnp.asarray(self.rng.integers(0, max(n, 1), shape), jnp.int32)


def elementwise(d: Draw) -> Array:
    x = d.value()
    f = d.pick([jnp.sin, jnp.tanh, lambda v: v * 2 + 1, lambda v: jnp.maximum(v, 0.1), lambda v: 1 / (2 + v * v)])
    return f(x)


def binary(d: Draw) -> Array:
    x = d.value()
    y = d.of(d.pick([x.shape, x.shape, [n if d.chance(0.6) else 1 for n in x.shape], ()]))
    return d.pick([jnp.add, jnp.subtract, jnp.multiply, jnp.minimum, lambda a, b: jnp.where(a > b, a * b, b)])(x, y)


def extreme(f: Callable[..., Array], x: Array, axes: tuple[int, ...]) -> Array:
    """(JAX's derivative of the maximum of nothing is not a number: one over how many elements are equal to it.)"""
    return f(x if all(x.shape[a] for a in axes) else lax.stop_gradient(x), axes)


def reduction(d: Draw) -> Array:
    x = d.value()
    match d.pick(["sum", "prod", "max", "min", "initial", "mean", "argmax", "any", "pair", "logsumexp"]):
        case "sum":
            return jnp.sum(x, d.axes(x))
        case "prod":
            return jnp.prod(x, d.axes(x))
        case "max":
            return extreme(lax.reduce_max, x, d.axes(x))
        case "min":
            return extreme(lax.reduce_min, x, d.axes(x))
        case "initial":
            f = functools.partial(d.pick([jnp.max, jnp.min, jnp.sum, jnp.prod]), initial=d.pick([-0.5, 0.25]))
            return extreme(f, x, d.axes(x))
        case "mean":
            axes = d.axes(x)
            return jnp.sum(x, axes) / max(1, int(np.prod([x.shape[a] for a in axes])))
        case "argmax" if x.ndim:
            axis = d.axis(x)
            if x.shape[axis]:
                return jnp.argmax(x, axis) * 0.5
        case "any":
            return jnp.where(jnp.any(x > 0.5, d.axes(x)), 0.5, 0.25)
        case "pair":
            still = lax.stop_gradient(x)  # JAX has no derivative of it
            zero, one = x.dtype.type(0), x.dtype.type(1)
            low, high = lax.reduce((still, still + 1), (zero, one), lambda a, b: (a[0] + b[0], a[1] * b[1]), d.axes(x))
            return low + high
        case "logsumexp" if x.size:
            return jax.nn.logsumexp(x, d.axes(x) or None)
    return x


def cumulative(d: Draw) -> Array:
    x = d.value(1)
    f = d.pick([lax.cumsum, lax.cumprod, lax.cummax, lax.cumlogsumexp])
    return f(x, d.axis(x), reverse=d.chance(0.5))


def sort(d: Draw) -> Array:
    x = d.value(1)
    axis = d.axis(x)
    match d.pick(["sort", "pair", "argsort", "top_k"]):
        case "sort":
            return lax.sort(x, axis)
        case "pair":
            a, b = lax.sort((x, d.of(x.shape)), axis, num_keys=1)
            return a * b
        case "argsort":
            return jnp.take_along_axis(d.of(x.shape), jnp.argsort(x, axis), axis)
        case _:
            values, _ = lax.top_k(x, int(d.rng.integers(0, x.shape[-1] + 1)))
            return values


def gather(d: Draw) -> Array:
    x = d.value(1)
    axis = d.axis(x)
    n = x.shape[axis]
    match d.pick(["take", "take", "along", "mask", "cut", "dynamic", "index"]):
        case "take":
            return jnp.take(x, d.indices(n, d.sizes(0, 2) if n else [0]), axis, mode=d.pick(["clip", "fill"]))
        case "along":
            shape = [d.size() if a == axis and n else m for a, m in enumerate(x.shape)]
            return jnp.take_along_axis(x, d.indices(n, shape), axis)
        case "cut":
            return d.cut(x)
        case "dynamic":
            sizes = [int(d.rng.integers(0, m + 1)) for m in x.shape]
            starts = [jnp.int32(jnp.sum(x) > 0.5) for _ in x.shape]
            return lax.dynamic_slice(x, starts, sizes)
        case "index" if n:
            return lax.index_in_dim(x, int(d.rng.integers(n)), axis, keepdims=False)
    return d.cut(x)


def scatter(d: Draw) -> Array:
    x = d.value(1)
    n = x.shape[0]
    match d.pick(["at", "at", "update", "slice"]):
        case "at" if n:
            where = d.indices(n, d.sizes(0, 2))
            at, new = x.at[where], d.of((*where.shape, *x.shape[1:]))
            if d.chance(0.3):  # of which one would win
                places = jnp.arange(int(d.rng.integers(0, n + 1)))
                return x.at[places].set(d.of((*places.shape, *x.shape[1:])))
            return d.pick([at.add, at.multiply, at.max, at.min])(new)
        case "update":
            sizes = [int(d.rng.integers(0, m + 1)) for m in x.shape]
            return lax.dynamic_update_slice(x, d.of(sizes), [jnp.int32(jnp.sum(x) > 0.5) for _ in x.shape])
    a, b = d.range(n)
    return x.at[a:b].set(d.of((b - a, *x.shape[1:])))


def product(d: Draw) -> Array:
    x = d.value(1, 3)
    axis, batch = d.axis(x), d.axis(x)
    shape = [d.size() for _ in range(int(d.rng.integers(0, 2)))]
    if axis == batch or d.chance(0.5):
        return lax.dot_general(x, d.of([x.shape[axis], *shape]), (((axis,), (0,)), ((), ())))
    y = d.of([x.shape[batch], *shape, x.shape[axis]])
    return lax.dot_general(x, y, (((axis,), (y.ndim - 1,)), ((batch,), (0,))))


def convolution(d: Draw) -> Array:
    x = d.of([d.size(), d.size(), d.pick([0, 2, 4])])
    w = d.of([d.size(), x.shape[1], d.pick([1, 2])])
    edges = [(int(d.rng.integers(0, 3)), int(d.rng.integers(0, 3)))]
    if sum(edges[0]) + x.shape[2] < w.shape[2]:
        edges = [(1, 1)]
    return lax.conv_general_dilated(x, w, (d.pick([1, 2]),), edges, lhs_dilation=(d.pick([1, 2]),))


def padding(d: Draw) -> Array:
    x = d.value()
    match d.pick(["edge", "wrap", "reflect", "lax", "lax"]):
        case "lax":
            edges = [(d.pick([-1, 0, 1, 2]), d.pick([-1, 0, 1]), d.pick([0, 0, 1])) for _ in x.shape]
            fits = [max(0, m + (m - 1) * i * (m > 0)) + a + b >= 0 for m, (a, b, i) in zip(x.shape, edges, strict=True)]
            edges = [e if f else (1, 0, 0) for e, f in zip(edges, fits, strict=True)]
            return lax.pad(x, d.of(()), edges)
        case mode:
            wide = [(d.pick([0, 1]), d.pick([0, 1])) if m > 1 else (0, 0) for m in x.shape]
            return jnp.pad(x, wide, mode=mode) if x.ndim else x


def joining(d: Draw) -> Array:
    x = d.value(1)
    axis = d.axis(x)
    parts = [d.of([d.size() if a == axis else n for a, n in enumerate(x.shape)]) for _ in range(d.pick([1, 2]))]
    parts.insert(d.pick([0, 1]), x)
    return lax.concatenate(parts, axis)


def movement(d: Draw) -> Array:
    x = d.value()
    match d.pick(["transpose", "reshape", "broadcast", "flip", "stack", "expand", "ravel"]):
        case "transpose":
            return lax.transpose(x, [int(i) for i in d.rng.permutation(x.ndim)])
        case "reshape" if not x.size:
            return x.reshape(d.pick([(0, 3), (2, 0), (0,), (1, 0, 2)]))
        case "broadcast":
            return jnp.broadcast_to(x, (*d.sizes(0, 1), *x.shape))
        case "flip" if x.ndim:
            return jnp.flip(x, d.axis(x))
        case "stack":
            return jnp.stack([x, d.of(x.shape)], d.pick([0, -1]))
        case "expand":
            return jnp.expand_dims(x, 0)
    return x.ravel()


def loop(d: Draw) -> Array:
    x = d.value()
    match d.pick(["scan", "scan", "fori", "while", "map", "cond", "carry"]):
        case "scan":
            n = d.size()
            xs = d.of([n, *x.shape])
            carry, ys = lax.scan(lambda c, a: (jnp.tanh(c + a), c * a), x, xs, reverse=d.chance(0.3))
            return d.pick([carry, ys])
        case "carry":  # rounds over nothing, with something beside
            xs = d.of([d.size(), *x.shape])
            carry, ys = lax.scan(lambda c, a: (c * 0.5 + jnp.sum(a), c + a), jnp.sum(x), xs)
            return d.pick([carry, ys])
        case "fori":
            return lax.fori_loop(0, d.pick([0, 1, 3]), lambda i, c: c * 0.5 + jnp.sin(x) * i, x)
        case "while":
            n = d.pick([0, 2, 5])
            still = lax.stop_gradient(x)
            return lax.while_loop(lambda s: s[0] < n, lambda s: (s[0] + 1, jnp.cos(s[1]) + still), (0, still))[1]
        case "map" if x.ndim:
            return lax.map(lambda r: r * jnp.sum(r), x)
    return lax.cond(jnp.sum(x) > 0.3, lambda v: jnp.sin(v), lambda v: v * 2, x)


def window(d: Draw) -> Array:
    x = d.value(1, 2)
    size = [d.pick([1, 2]) for _ in x.shape]
    edges = [(1, 1) if d.chance(0.6) or m < w else (0, 0) for m, w in zip(x.shape, size, strict=True)]
    strides = [d.pick([1, 2]) for _ in x.shape]
    if d.chance(0.3):
        return lax.reduce_window(x, x.dtype.type(0), lax.add, size, strides, edges)
    if d.chance(0.5):
        return lax.reduce_window(x, x.dtype.type(-np.inf), lax.max, size, strides, edges)
    return lax.reduce_window(x, x.dtype.type(np.inf), lax.min, size, strides, edges)


def types(d: Draw) -> Array:
    x = d.value()
    match d.pick(["complex", "narrow", "integer", "bits", "clamp"]):
        case "complex":
            return jnp.real(lax.complex(x, d.of(x.shape)) * jnp.exp(1j * x))
        case "narrow":
            return x.astype(jnp.float32).astype(x.dtype) * x
        case "integer":
            return (jnp.floor(x * 4).astype(jnp.int32) % 3).astype(x.dtype) * x
        case "bits":
            return jnp.where((x > 0) | (d.of(x.shape) > 0), x, 1.0)
    return jnp.clip(x, -0.5, 0.5)


def linear(d: Draw) -> Array:
    n = d.size()
    a = d.of([*d.sizes(0, 1), n, n])
    eye = jnp.eye(n) * 3
    match d.pick(["cholesky", "triangular", "fft", "solve"]):
        case "cholesky":
            return jnp.linalg.cholesky(a @ jnp.swapaxes(a, -1, -2) + eye)
        case "triangular":
            return lax.linalg.triangular_solve(jnp.tril(a) + eye, d.of(a.shape), left_side=True, lower=True)
        case "fft" if n:
            return jnp.real(jnp.fft.fft(d.of([*d.sizes(0, 1), n])))
    return jnp.linalg.solve(a + eye, d.of(a.shape)) if n else a


OPS: list[Callable[[Draw], Array]] = [
    elementwise, elementwise, binary, binary, reduction, reduction, cumulative, sort, gather, gather, scatter, product,
    convolution, padding, joining, movement, movement, loop, loop, window, types, linear,
]  # fmt: skip


def program(seed: int, length: int) -> Callable[..., Array]:
    """A function of arrays to a number, that makes empty arrays on the way."""

    def run(*given: Array) -> Array:
        d = Draw(np.random.default_rng(seed), list(given))
        d.values.append(d.cut(jnp.sin(given[0]))[:, :0] if d.chance(0.5) else d.of(d.sizes(1, 3)))
        for _ in range(length):
            out = d.pick(OPS)(d)
            d.values.append(out if out.size <= LARGEST and out.ndim <= 4 else jnp.sum(out))
        # an empty maximum is infinite, and the result of the program is to depend on the rest all the same
        last = (jnp.where(jnp.abs(v) < 1e3, v, 0.25) for v in d.values)
        return sum(jnp.sum(v * jnp.cos(jnp.arange(v.size) + k).reshape(v.shape)) for k, v in enumerate(last))

    return run


def arguments(seed: int) -> tuple[np.ndarray, ...]:
    """Two arrays, and one time of four an empty one: the optimiser leaves a function with such an argument alone."""
    rng = np.random.default_rng([seed, 1])
    empty = [(0,), (0, 3), (2, 0), (3, 0, 2)][int(rng.integers(4))]
    given = rng.uniform(-1, 1, (2, 3)), rng.uniform(-1, 1, 3), np.zeros(empty)
    return given if seed % 4 == 0 else given[:2]
