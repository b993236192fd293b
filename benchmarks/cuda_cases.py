"""The kernels of cuda.cu with the same functions in JAX: what `benchmarks/cuda.py` and `tests/cuda` compare them to."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

__all__ = ["CASES", "Case", "is_float"]


class Case(NamedTuple):
    """A kernel at two sizes: a small one for values, and a large one for speed."""

    make: Callable[[np.random.Generator, bool], tuple[Any, Any, list[Any]]]
    """Whether it is to be large -> the sizes of the grid and of a block, and the arguments."""
    output: int
    """The argument that it writes."""
    function: Callable[..., Any]
    """What the output is afterwards, of JAX's module of NumPy's functions and all arguments."""


def is_float(value: Any) -> bool:
    """Whether an argument has a derivative."""
    return isinstance(value, float) or (isinstance(value, np.ndarray) and value.dtype.kind == "f")


def _blocks(n: int, block: int) -> int:
    return -(-n // block)


def _elementwise(n: int, *extra: Any, low: float = -2, high: float = 2, arrays: int = 2) -> Any:
    def make(rng: np.random.Generator, large: bool) -> tuple[Any, Any, list[Any]]:
        count = n if large else 200
        block = 256 if large else 64
        return _blocks(count, block), block, [count, *extra, *(rng.uniform(low, high, count) for _ in range(arrays))]

    return make


def _matmul(rng: np.random.Generator, large: bool) -> tuple[Any, Any, list[Any]]:
    n = 2048 if large else 32
    return (n // 16, n // 16), (16, 16), [n, rng.normal(size=(n, n)), rng.normal(size=(n, n)), np.zeros((n, n))]


def _sum_squares(rng: np.random.Generator, large: bool) -> tuple[Any, Any, list[Any]]:
    n, block = (1 << 24, 256) if large else (250, 128)
    return _blocks(n, block), block, [n, rng.normal(size=n), np.zeros(1)]


def _softmax(rng: np.random.Generator, large: bool) -> tuple[Any, Any, list[Any]]:
    rows, n, block = (16384, 1024, 256) if large else (3, 70, 32)
    return rows, block, [n, rng.normal(size=(rows, n)), np.zeros((rows, n))]


def _layer_norm(rng: np.random.Generator, large: bool) -> tuple[Any, Any, list[Any]]:
    rows, n, block = (16384, 1024, 256) if large else (3, 64, 32)
    x, gain, bias = rng.normal(size=(rows, n)), rng.normal(size=n), rng.normal(size=n)
    return rows, block, [n, x, gain, bias, np.zeros((rows, n))]


def _layer_norm_of(xp: Any, n: int, x: Any, gain: Any, bias: Any, y: Any) -> Any:
    mean = x.mean(1, keepdims=True)
    return (x - mean) / xp.sqrt((x * x).mean(1, keepdims=True) - mean**2 + 1e-5) * gain + bias


def _stencil(rng: np.random.Generator, large: bool) -> tuple[Any, Any, list[Any]]:
    n, block = (4096, (32, 8)) if large else (14, (8, 8))
    grid = (_blocks(n, block[0]), _blocks(n, block[1]))
    return grid, block, [n, 0.1, rng.normal(size=(n, n)), rng.normal(size=(n, n))]


def _stencil_of(xp: Any, n: int, k: Any, u: Any, v: Any) -> Any:
    here = u[1:-1, 1:-1]
    around = u[1:-1, :-2] + u[1:-1, 2:] + u[:-2, 1:-1] + u[2:, 1:-1]
    return v.at[1:-1, 1:-1].set(here + k * (around - 4 * here) + here * (1 - here))


def _nbody(rng: np.random.Generator, large: bool) -> tuple[Any, Any, list[Any]]:
    n, block = (16384, 256) if large else (64, 32)
    return n // block, block, [n, rng.normal(size=(n, 3)), rng.uniform(size=n), np.zeros((n, 3))]


def _nbody_of(xp: Any, n: int, p: Any, m: Any, a: Any) -> Any:
    d = p[None] - p[:, None]
    return (m[None, :, None] * d * ((d * d).sum(2, keepdims=True) + 0.01) ** -1.5).sum(1)


def _newton_of(xp: Any, n: int, x: Any, y: Any) -> Any:
    r = xp.ones_like(x)
    for _ in range(20):  # enough for what is drawn
        r = xp.where(abs(r**3 - x) > 1e-5 * x, r - (r**3 - x) / (3 * r * r), r)
    return r


def _scatter(rng: np.random.Generator, large: bool) -> tuple[Any, Any, list[Any]]:
    n, bins, block = (1 << 22, 1 << 16, 256) if large else (100, 7, 64)
    bin = rng.integers(0, bins, n).astype(np.int32)
    return _blocks(n, block), block, [n, bin, rng.normal(size=n), rng.normal(size=n), np.zeros(bins)]


def _gelu(xp: Any, x: Any) -> Any:
    return 0.5 * x * (1 + xp.tanh(0.7978845608 * (x + 0.044715 * x**3)))


def _softplus(xp: Any, x: Any) -> Any:
    return xp.log(1 + xp.exp(x))


def _softmax_of(xp: Any, n: int, x: Any, y: Any) -> Any:
    e = xp.exp(x - x.max(1, keepdims=True))
    return e / e.sum(1, keepdims=True)


def _functions_of(xp: Any, n: int, x: Any, y: Any) -> Any:
    return _gelu(xp, _gelu(xp, x)) * _softplus(xp, _softplus(xp, x))


CASES = {
    "saxpy": Case(_elementwise(1 << 24, 1.5), 3, lambda xp, n, a, x, y: a * x + y),
    "matmul": Case(_matmul, 3, lambda xp, n, a, b, c: a @ b),
    "sum_squares": Case(_sum_squares, 2, lambda xp, n, x, y: y + (x * x).sum()),
    "softmax": Case(_softmax, 2, _softmax_of),
    "layer_norm": Case(_layer_norm, 4, _layer_norm_of),
    "stencil": Case(_stencil, 3, _stencil_of),
    "nbody": Case(_nbody, 3, _nbody_of),
    "newton": Case(_elementwise(1 << 22, low=0.1, high=4), 2, _newton_of),
    "scatter": Case(_scatter, 4, lambda xp, n, bin, w, x, y: y.at[bin].add(w * x)),
    "functions": Case(_elementwise(1 << 24), 2, _functions_of),
}
