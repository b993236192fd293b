"""Functions of `jax.numpy`, `jax.lax` and `jax.scipy`, one by one: gradient, tangent, both of a batch, and curvature.

In double precision; `ROUNDING` units (2e-12) are enough for all but the ill-conditioned, which say what they need and
why.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from agreement import ROUNDING, assert_agree, direction, unit
from jax import lax
from jax.scipy import linalg as sla
from jax.scipy import special as sp

import gradir.jax as ours

pytestmark = pytest.mark.usefixtures("x64")


@dataclass
class Case:
    fun: Callable[..., Any]
    args: tuple[Any, ...]
    units: float = ROUNDING
    second: bool = True
    """Whether JAX has a second derivative."""
    batch: bool = True


CASES: dict[str, Case] = {}


def case(name: str, fun: Callable[..., Any], *args: Any, **options: Any) -> None:
    assert name not in CASES, name
    CASES[name] = Case(fun, args, **options)


def numbers(*shape: int, low: float = -1.0, high: float = 1.0, seed: int = 0) -> Any:
    """No two alike, so that nothing is sorted or compared at a tie."""
    return np.random.default_rng(seed + int(np.prod(shape))).uniform(low, high, shape)


def complexes(*shape: int) -> Any:
    return numbers(*shape) + 1j * numbers(*shape, seed=1)


def scalar(fun: Any) -> Any:
    """A number that depends on every element of the results, in a way that is not linear."""

    def loss(*args: Any) -> Any:
        total = 0.0
        for out in jax.tree.leaves(fun(*args)):
            if jnp.issubdtype(out.dtype, jnp.inexact):
                w = jnp.cos(jnp.arange(out.size) * 0.9 + 0.4).reshape(out.shape)
                total += jnp.sum(w * jnp.real(out)) + jnp.sum((w[::-1] if w.ndim else w) * jnp.imag(out))
                total += 0.3 * jnp.sum(jnp.real(out) ** 2 + jnp.imag(out) ** 2)
        return total

    return loss


def everything(m: Any, c: Case) -> Any:
    """All derivatives of a case in one program, so that it is compiled once."""
    active = tuple(i for i, a in enumerate(c.args) if np.issubdtype(np.asarray(a).dtype, np.inexact))

    def fun(*chosen: Any) -> Any:
        args = list(c.args)
        for i, x in zip(active, chosen, strict=True):
            args[i] = x
        return c.fun(*args)

    loss = scalar(fun)
    gradient = m.grad(loss, tuple(range(len(active))))

    def derivatives(*x: Any) -> Any:
        made = [m.value_and_grad(loss, tuple(range(len(active))))(*x), m.jvp(fun, x, direction(x))]
        if c.second:
            made.append(m.jvp(gradient, x, direction(x))[1])
        if c.batch:
            some = [jnp.stack([a, a * 0.98]) for a in x]
            made.append(jax.vmap(gradient)(*some))
            made.append(jax.vmap(lambda *x: m.jvp(fun, x, direction(x)))(*some))
        return made

    return jax.jit(derivatives)(*(jnp.asarray(c.args[i]) for i in active))


# -- elementary and special functions ----------------------------------------------------------------------------------

UNIT = numbers(6)
POSITIVE = numbers(6, low=0.2, high=3.0)
ABOVE_ONE = numbers(6, low=1.2, high=4.0)

for _name in [
    "sin",
    "cos",
    "tan",
    "sinh",
    "cosh",
    "tanh",
    "exp",
    "exp2",
    "expm1",
    "arcsin",
    "arccos",
    "arctan",
    "arcsinh",
    "arctanh",
    "square",
    "cbrt",
    "abs",
    "sign",
]:
    case(f"jnp.{_name}", getattr(jnp, _name), UNIT)
for _name in ["log", "log1p", "log2", "log10", "sqrt", "reciprocal"]:
    case(f"jnp.{_name}", getattr(jnp, _name), POSITIVE)
case("jnp.arccosh", jnp.arccosh, ABOVE_ONE)
case("lax.rsqrt", lax.rsqrt, POSITIVE)
case("lax.logistic", lax.logistic, UNIT)
case("lax.integer_pow", lambda x: lax.integer_pow(x, -3) + lax.integer_pow(x, 5), POSITIVE)
case("lax.tan and atan2", lambda x, y: jnp.arctan2(jnp.tan(x), y), UNIT, POSITIVE)
for _name in [
    "sin",
    "cos",
    "tan",
    "sinh",
    "cosh",
    "tanh",
    "exp",
    "expm1",
    "log",
    "log1p",
    "sqrt",
    "square",
    "abs",
    "angle",
]:
    case(f"complex {_name}", getattr(jnp, _name), complexes(5))
for _name in [
    "add",
    "subtract",
    "multiply",
    "divide",
    "power",
    "maximum",
    "minimum",
    "arctan2",
    "hypot",
    "logaddexp",
    "mod",
    "fmod",
    "remainder",
]:
    case(f"jnp.{_name}", getattr(jnp, _name), POSITIVE, POSITIVE[::-1] * 0.7)
for _name in ["add", "multiply", "divide", "power"]:
    case(f"complex {_name}", getattr(jnp, _name), complexes(5), complexes(5)[::-1] + 2)
case("jnp.copysign", jnp.copysign, UNIT, UNIT[::-1])
case("jnp.float_power", jnp.float_power, POSITIVE, UNIT)
case("jnp.nan_to_num", jnp.nan_to_num, UNIT)
case("jnp.clip", lambda x: jnp.clip(x, -0.3, 0.4), UNIT)
case("lax.clamp", lax.clamp, UNIT - 0.5, UNIT[::-1], UNIT + 0.5)
case("jnp.floor and others", lambda x: jnp.floor(x) + jnp.ceil(x) * x + jnp.round(x) + jnp.trunc(x), UNIT * 3)
case("jnp.sinc", jnp.sinc, UNIT)
case("jnp.i0", jnp.i0, UNIT)
case("jnp.where", lambda x, y: jnp.where(x > 0.1, x * y, jnp.sin(y)), UNIT, POSITIVE)
case("lax.reduce_precision", lambda x: lax.reduce_precision(x, 8, 23) * x, UNIT)
case("lax.nextafter", lambda x: lax.nextafter(lax.stop_gradient(x), 9.0) * x, UNIT)
case("jnp.modf and divmod", lambda x: (jnp.modf(x), jnp.divmod(x, 0.3)), POSITIVE)
case("jnp.real and imag", lambda z: (jnp.real(z) * 2, jnp.imag(z), jnp.conj(z)), complexes(4))
case("lax.complex", lambda x, y: lax.complex(x, y) ** 2, UNIT, POSITIVE)

case("sp.erf", sp.erf, UNIT)
case("sp.erfc", sp.erfc, UNIT)
case("sp.erfinv", sp.erfinv, UNIT * 0.9)
case("sp.ndtri", sp.ndtri, (UNIT + 1.1) / 2.3)
case("sp.gammaln", sp.gammaln, POSITIVE)
case("sp.digamma", sp.digamma, POSITIVE)
case("sp.polygamma", lambda x: sp.polygamma(2, x), POSITIVE)
case("sp.zeta", lambda q: sp.zeta(3.5, q), POSITIVE)
case("sp.gamma", sp.gamma, POSITIVE)
case("sp.i0e", sp.i0e, UNIT * 3)
case("sp.i1e", sp.i1e, UNIT * 3)
case("sp.i0", sp.i0, UNIT * 3)
case("sp.i1", sp.i1, UNIT * 3)
case("sp.betaln", sp.betaln, POSITIVE, ABOVE_ONE)
# Series of up to thousands of terms: value and derivative by a carry each, so they differ by more than a formula does.
case("sp.gammainc by x", lambda x: sp.gammainc(1.7, x), POSITIVE)
case("sp.gammainc", sp.gammainc, POSITIVE, ABOVE_ONE, second=False)
case("sp.gammaincc", sp.gammaincc, POSITIVE, ABOVE_ONE, second=False)
case("sp.betainc", lambda x: sp.betainc(1.3, 2.2, x), (UNIT + 1.2) / 2.5)
case("sp.expi", sp.expi, POSITIVE)
case("sp.exp1", sp.exp1, POSITIVE, second=False)
case("sp.entr", sp.entr, POSITIVE)
case("sp.rel_entr", sp.rel_entr, POSITIVE, ABOVE_ONE)
case("sp.logsumexp", lambda x, b: sp.logsumexp(x, 0, b), UNIT, POSITIVE)
case("sp.log_ndtr", sp.log_ndtr, UNIT * 6)
case("sp.multigammaln", lambda x: sp.multigammaln(x, 2), ABOVE_ONE)
case("sp.spence", sp.spence, POSITIVE)
case("random.gamma", lambda a: jax.random.gamma(jax.random.key(0), a), POSITIVE[:2], second=False, batch=False)
KEY = jax.random.key(1)
case("random.beta", lambda a, b: jax.random.beta(KEY, a, b), POSITIVE[:1], ABOVE_ONE[:1], second=False, batch=False)
case("random.truncated_normal", lambda x: jax.random.truncated_normal(KEY, -1.0, x), POSITIVE)
case(
    "random.uniform and gumbel",
    lambda x: jax.random.uniform(KEY, (6,), minval=x, maxval=2 * x) + x * jax.random.gumbel(KEY, (6,)),
    POSITIVE,
)
case(
    "random.multivariate_normal",
    lambda m, s: jax.random.multivariate_normal(KEY, m, jnp.diag(s)),
    UNIT[:3],
    POSITIVE[:3],
)
case("random.permutation and choice", lambda x: (jax.random.permutation(KEY, x), jax.random.choice(KEY, x, (4,))), UNIT)
case("random.normal", lambda a: jax.random.normal(jax.random.key(0), (6,)) * a, POSITIVE)
case("jax.scipy.stats", lambda x: jax.scipy.stats.norm.logcdf(x) + jax.scipy.stats.t.logpdf(x, 3.0) * x, UNIT)

# -- sums, products, scans, sorting ------------------------------------------------------------------------------------

GRID = numbers(3, 4)
BOX = numbers(2, 3, 4)

for _name in ["sum", "prod", "max", "min", "mean", "var", "std", "ptp", "median", "nanmean", "nanprod", "nanmax"]:
    case(f"jnp.{_name}", lambda x, f=getattr(jnp, _name): (f(x), f(x, axis=0), f(x, axis=1)), GRID)
case("jnp.prod with zeros", lambda x: jnp.prod(x, axis=0), GRID * (np.arange(4) != 2))
case("jnp.sum of several axes", lambda x: jnp.sum(x, (0, 2)) + jnp.max(x, (0, 2)), BOX)
case("jnp.percentile", lambda x: jnp.percentile(x, 30.0), GRID)
case("jnp.average", lambda x, w: jnp.average(x, 1, w), GRID, numbers(4, low=0.5))
case("jnp.linalg.norm", lambda x: (jnp.linalg.norm(x), jnp.linalg.norm(x, 1, axis=0), jnp.linalg.norm(x, np.inf)), GRID)
case("lax.reduce", lambda x: lax.reduce(x, 1.0, lax.mul, (0,)), GRID)
case(
    "lax.reduce of a pair",
    lambda x: lax.reduce((x, jnp.cos(x)), (0.0, 0.0), lambda a, b: (a[0] + b[0], a[1] + b[1]), (1,)),
    GRID,
    second=False,
)
case("jnp.cumsum", lambda x: jnp.cumsum(x, 1) + lax.cumsum(x, 0, reverse=True), GRID)
case("jnp.cumprod", lambda x: jnp.cumprod(x, 1) + lax.cumprod(x, 0, reverse=True), GRID)
case("lax.cummax", lambda x: lax.cummax(x, 1) + lax.cummin(x, 0, reverse=True), GRID)
case("lax.cumlogsumexp", lambda x: lax.cumlogsumexp(x, 1) + lax.cumlogsumexp(x, 0, reverse=True), GRID)
case("lax.associative_scan", lambda x: lax.associative_scan(lambda a, b: a * jnp.cos(b), x, axis=1), GRID)
case("jnp.sort", lambda x: (jnp.sort(x, 1), jnp.sort(x, 0, descending=True)), GRID)
case("jnp.argsort", lambda x, y: jnp.take_along_axis(y, jnp.argsort(x, 1), 1), GRID, numbers(3, 4, seed=5))
case("lax.sort of several", lambda x, y: lax.sort((x, y, x * y), num_keys=1), GRID, numbers(3, 4, seed=5))
case(
    "lax.sort by two keys",
    lambda x, y: lax.sort((jnp.round(x), y, x), num_keys=2, dimension=0),
    GRID,
    numbers(3, 4, seed=5),
)
case("lax.top_k", lambda x: lax.top_k(x, 2)[0], GRID)
case("lax.top_k of a product", lambda x: lax.top_k(x * x[::-1], 3), GRID)
case("jnp.argmax", lambda x: x[jnp.argmax(x, 0), jnp.arange(4)], GRID)
case("jnp.unique values", lambda x: jnp.unique(x, size=12), GRID)
case("jnp.diff and trapezoid", lambda x: (jnp.diff(x, 2), jnp.trapezoid(x)), GRID)
case("jnp.interp", lambda x, y: jnp.interp(x, jnp.linspace(-1, 1, 4), y), UNIT, numbers(4))
case("jnp.searchsorted", lambda x: x * jnp.searchsorted(jnp.linspace(-1, 1, 5), x), UNIT)
case("jnp.histogram weights", lambda w: jnp.histogram(UNIT, 3, weights=w)[0], POSITIVE)
case("jnp.convolve", lambda x, k: (jnp.convolve(x, k), jnp.correlate(x, k, "same")), UNIT, numbers(3))
case("jnp.polyval", lambda p, x: jnp.polyval(p, x), numbers(4), UNIT)
case("jnp.cov", lambda x: (jnp.cov(x), jnp.corrcoef(x)), GRID)
case("jnp.nanmedian", lambda x: jnp.nanmedian(x, 1), GRID)

# -- shapes and places -------------------------------------------------------------------------------------------------

INDEX = np.array([2, 0, 2, 1])

case("reshape and transpose", lambda x: x.reshape(4, 6).T.reshape(3, 8) @ jnp.ones((8, 2)), BOX)
case("broadcast", lambda x: jnp.broadcast_to(x[:, None, :], (3, 5, 4)) * jnp.arange(5)[:, None], GRID)
case("concatenate and stack", lambda x, y: (jnp.concatenate([x, y, x], 1), jnp.stack([x, y], -1)), GRID, GRID[::-1])
case(
    "split and tile",
    lambda x: [p * 2 for p in jnp.split(x, [1, 3], 1)] + [jnp.tile(x, (2, 3)), jnp.repeat(x, 2, 0)],
    GRID,
)
case("pad", lambda x: jnp.pad(x, ((1, 2), (0, 1)), constant_values=3.0), GRID)
case("pad by a value", lambda x, v: lax.pad(x, v, ((1, 2, 1), (-1, 1, 0))), GRID, np.float64(0.3))
case("pad by reflection", lambda x: (jnp.pad(x, 2, "reflect"), jnp.pad(x, 1, "wrap"), jnp.pad(x, 1, "edge")), GRID)
case("roll and flip", lambda x: jnp.roll(x, 2, 1) * jnp.flip(x) + jnp.rot90(jnp.rot90(x)), GRID)
case("slices", lambda x: (x[1:, ::2], x[::-1, 1:3], x[..., -1], x[None, 2]), GRID)
case("gather", lambda x: (x[INDEX], x[:, INDEX], x[INDEX, INDEX], x[INDEX[:, None], jnp.array([0, 3])]), GRID)
case(
    "take",
    lambda x: (
        jnp.take(x, INDEX, 1),
        jnp.take(x, np.array([5, -9]), 1, mode="clip"),
        jnp.take(x, np.array([1, 7]), 1, mode="fill", fill_value=0.0),
    ),
    GRID,
)
case("take_along_axis", lambda x: jnp.take_along_axis(x, INDEX[None, :] % 3, 0), GRID)
case("dynamic_slice", lambda x, i: lax.dynamic_slice(x, (i, i), (2, 2)), GRID, np.int32(1))
case("dynamic_slice out of range", lambda x, i: lax.dynamic_slice(x, (i, i), (2, 2)), GRID, np.int32(9))
case("dynamic_update_slice", lambda x, y, i: lax.dynamic_update_slice(x, y, (i, i)), GRID, numbers(2, 2), np.int32(1))
case(
    "dynamic_update_slice out of range",
    lambda x, y, i: lax.dynamic_update_slice(x, y, (i, i)),
    GRID,
    numbers(2, 2),
    np.int32(7),
)
case(
    "dynamic_index",
    lambda x, i: (lax.dynamic_index_in_dim(x, i, 1), lax.dynamic_update_index_in_dim(x, x[:, 0], i, 1)),
    GRID,
    np.int32(-1),
)
case("diagonals", lambda x: (jnp.diag(jnp.diag(x)), jnp.trace(x), jnp.tril(x), jnp.triu(x, 1)), numbers(4, 4))
case(
    "meshgrid and outer",
    lambda x, y: (jnp.meshgrid(x, y), jnp.outer(x, y), jnp.kron(x, y), jnp.cross(x[:3], y[:3])),
    UNIT,
    POSITIVE,
)
case("boolean mask", lambda x: jnp.where(np.array([True, False, True, True]), x, 0.0), GRID)
case("convert", lambda x: x.astype(jnp.float32).astype(jnp.float64) * x.astype(jnp.complex128), GRID)
case("argument twice", lambda x: x @ x.T + x[0] @ x[1], GRID)
case("optimization_barrier", lambda x: lax.optimization_barrier((jnp.sin(x), x))[0] * x, GRID)

SCATTERS = {
    "set": lambda x, u: x.at[np.array([2, 0])].set(u[:2]),
    "set where one place is written twice by one value": lambda x, u: x.at[np.array([1, 1])].set(u[0]),
    "set with unique indices": lambda x, u: x.at[np.array([2, 0])].set(u[:2], unique_indices=True),
    "add": lambda x, u: x.at[INDEX[:3]].add(u),
    "add out of range": lambda x, u: x.at[np.array([1, 7, -9])].add(u),
    "add clipped": lambda x, u: x.at[np.array([1, 7, 2])].add(u, mode="clip"),
    "multiply": lambda x, u: x.at[np.array([2, 0])].multiply(u[:2], unique_indices=True),
    "divide": lambda x, u: x.at[np.array([2, 0])].divide(u[:2] + 3, unique_indices=True),
    "min": lambda x, u: x.at[INDEX[:3]].min(u),
    "max": lambda x, u: x.at[INDEX[:3]].max(u),
    "power": lambda x, u: jnp.abs(x).at[np.array([2, 0])].power(u[:2], unique_indices=True),
    "get": lambda x, u: x.at[INDEX].get(mode="fill", fill_value=1.0) + u[0],
    "set in two dimensions": lambda x, u: x.at[np.array([2, 0]), np.array([1, 3])].set(u[0, :2]),
    "set a slice": lambda x, u: x.at[1:, ::2].set(u[:2, :2]).at[0].add(u[2]),
    "segment_sum": lambda x, u: jax.ops.segment_sum(u, np.array([0, 0, 2]), 3) * x,
    "segment_max": lambda x, u: jax.ops.segment_max(u, np.array([0, 0, 1]), 2)[np.array([0, 1, 1])] * x,
    "segment_prod": lambda x, u: jax.ops.segment_prod(u, np.array([0, 1, 2]), 3, unique_indices=True) * x,
    "bincount weights": lambda x, u: jnp.bincount(INDEX, weights=u[0], length=4) * x,
}
for _name, _fun in SCATTERS.items():
    case(f"scatter: {_name}", _fun, GRID, numbers(3, 4, seed=9))

# -- products ----------------------------------------------------------------------------------------------------------

case("matmul", lambda a, b: a @ b, numbers(2, 3, 4), numbers(4, 5))
case("matmul of batches", lambda a, b: a @ b, numbers(2, 1, 3, 4), numbers(5, 4, 2))
case("dot and vdot", lambda a, b: (jnp.dot(a, b), jnp.vdot(a, b), jnp.inner(a, b)), complexes(4), complexes(4)[::-1])
case("einsum", lambda a, b, c: jnp.einsum("bij,bjk,ki->bi", a, b, c), numbers(2, 3, 4), numbers(2, 4, 3), GRID.T[:3])
case("tensordot", lambda a, b: jnp.tensordot(a, b, ((0, 2), (1, 0))), BOX, numbers(4, 2, 3))
case("dot_general", lambda a, b: lax.dot_general(a, b, (((2,), (1,)), ((0,), (0,)))), BOX, numbers(2, 4, 3))
case(
    "dot with wide sums",
    lambda a, b: lax.dot(a.astype(jnp.float32), b.astype(jnp.float32), preferred_element_type=jnp.float64),
    GRID,
    GRID.T,
)
case(
    "ragged_dot",
    lambda a, b: lax.ragged_dot(a, b, jnp.array([1, 2])),
    numbers(3, 2),
    numbers(2, 2, 4),
    second=False,
    batch=False,
)
# Computes its weights in single precision whatever it is given; 16 units of that.
case(
    "dot_product_attention",
    lambda q: jax.nn.dot_product_attention(q, q, q, is_causal=True),
    numbers(1, 4, 2, 3),
    units=16 * unit(np.float32) / unit(np.float64),
)
case("platform_dependent", lambda x: lax.platform_dependent(x, cpu=jnp.sin, tpu=jnp.cos), UNIT)
case("approx_max_k", lambda x: lax.approx_max_k(x, 2)[0], numbers(8).astype(np.float32), second=False, batch=False)
case("matrix_power", lambda a: jnp.linalg.matrix_power(a, 5), numbers(3, 3))
case("multi_dot", lambda a, b, c: jnp.linalg.multi_dot([a, b, c]), GRID, numbers(4, 2), numbers(2, 5))

IMAGE, KERNEL = numbers(2, 6, 5, 4), numbers(3, 2, 4, 6)
NHWC = ("NHWC", "HWIO", "NHWC")


def conv(**options: Any) -> Any:
    return lambda x, k: lax.conv_general_dilated(
        x, k, **{"window_strides": (1, 1), "padding": "SAME", "dimension_numbers": NHWC, **options}
    )


case("convolution", conv(), IMAGE, KERNEL)
case("convolution: valid", conv(padding="VALID"), IMAGE, KERNEL)
case("convolution: strided", conv(window_strides=(2, 3)), IMAGE, KERNEL)
case("convolution: padded unevenly", conv(padding=((0, 2), (3, 1))), IMAGE, KERNEL)
case("convolution: padded negatively", conv(padding=((-1, 2), (1, -1))), IMAGE, KERNEL)
case("convolution: dilated window", conv(rhs_dilation=(2, 1)), IMAGE, KERNEL)
case("convolution: dilated image", conv(lhs_dilation=(2, 3), padding=((1, 1), (2, 1))), IMAGE, KERNEL)
case(
    "convolution: all at once",
    conv(lhs_dilation=(2, 1), rhs_dilation=(1, 2), window_strides=(2, 2), padding=((2, 1), (1, 2))),
    IMAGE,
    KERNEL,
)
case("convolution: groups", conv(feature_group_count=2), IMAGE, numbers(3, 2, 2, 6))
case("convolution: depthwise", conv(feature_group_count=4), IMAGE, numbers(3, 2, 1, 8))
case("convolution: batch groups", conv(batch_group_count=2), IMAGE, KERNEL, batch=False)
case("convolution: NCHW", lambda x, k: lax.conv(x, k, (1, 2), "VALID"), numbers(2, 3, 5, 6), numbers(4, 3, 2, 2))
case(
    "convolution: one dimension",
    lambda x, k: lax.conv_general_dilated(x, k, (2,), "SAME"),
    numbers(2, 3, 7),
    numbers(4, 3, 3),
)
case(
    "convolution: transposed",
    lambda x, k: lax.conv_transpose(x, k, (2, 2), "SAME", dimension_numbers=NHWC),
    IMAGE,
    KERNEL,
)
case(
    "convolution: patches", lambda x: lax.conv_general_dilated_patches(x, (2, 2), (1, 1), "VALID"), numbers(1, 2, 4, 4)
)


def pool(op: Any, init: Any, **options: Any) -> Any:
    given = {"window_dimensions": (1, 3, 2, 1), "window_strides": (1, 2, 2, 1), "padding": "SAME", **options}
    return lambda x: lax.reduce_window(x, init, op, **given)


case("pooling: max", pool(lax.max, -np.inf), IMAGE)
case("pooling: min", pool(lax.min, np.inf, padding="VALID"), IMAGE)
case("pooling: sum", pool(lax.add, 0.0), IMAGE)
case("pooling: sum dilated", pool(lax.add, 0.0, base_dilation=(1, 2, 1, 1), window_dilation=(1, 1, 2, 1)), IMAGE)
case("pooling: overlapping", pool(lax.max, -np.inf, window_strides=(1, 1, 1, 1)), IMAGE)
case("image.resize", lambda x: jax.image.resize(x, (2, 9, 3, 4), "bilinear"), IMAGE)
case("image.scale", lambda x: jax.image.resize(x, (2, 3, 8, 4), "cubic"), IMAGE)
case(
    "ndimage.map_coordinates",
    lambda x, c: jax.scipy.ndimage.map_coordinates(x, [c * 2, c * 3], 1),
    GRID,
    numbers(5, low=0.1, high=0.9),
)

for _name in ["fft", "ifft", "fft2", "ifft2", "fftn", "ifftn"]:
    case(f"fft.{_name}", getattr(jnp.fft, _name), complexes(3, 4))
for _name in ["rfft", "rfft2", "rfftn"]:
    case(f"fft.{_name} even", getattr(jnp.fft, _name), GRID)
    case(f"fft.{_name} odd", getattr(jnp.fft, _name), numbers(3, 5))
case("fft.irfft", lambda x: (jnp.fft.irfft(x), jnp.fft.irfft(x, 5), jnp.fft.irfft(x, 9)), complexes(3, 4))
case("fft.irfft2", jnp.fft.irfft2, complexes(3, 4))
case("fft.hfft", lambda x: (jnp.fft.hfft(x), jnp.fft.ihfft(jnp.real(x))), complexes(3, 4))
case("fft along an axis", lambda x: jnp.fft.fftshift(jnp.fft.fft(x, 6, axis=0, norm="ortho")), complexes(3, 4))
case("fft convolution", lambda x, y: jax.scipy.signal.fftconvolve(x, y, "same"), UNIT, numbers(3))

# -- linear algebra ----------------------------------------------------------------------------------------------------

SQUARE = numbers(4, 4) + 3 * np.eye(4)
SPD = SQUARE @ SQUARE.T / 4 + np.eye(4)
TALL, WIDE = numbers(5, 3, seed=3), numbers(3, 5, seed=3)
HERMITIAN = complexes(3, 3) @ complexes(3, 3).conj().T + 2 * np.eye(3)
BATCH = np.stack([SPD, SPD + np.diag([1.0, 2, 3, 4])])

case("linalg.solve", jnp.linalg.solve, SQUARE, numbers(4, 2))
case("linalg.solve a vector", jnp.linalg.solve, SQUARE, numbers(4))
case("linalg.solve complex", jnp.linalg.solve, HERMITIAN + 0.3j, complexes(3, 2))
case("linalg.solve many", jnp.linalg.solve, BATCH, numbers(2, 4, 3))
case("linalg.inv", jnp.linalg.inv, SQUARE)
case("linalg.det", jnp.linalg.det, SQUARE)
case(
    "linalg.det of a singular matrix",
    jnp.linalg.det,
    np.outer(np.arange(1.0, 4), np.arange(2.0, 5)) + np.diag([1.0, 0, 1]),
    second=False,
)
case("linalg.slogdet", jnp.linalg.slogdet, SQUARE)
case("linalg.slogdet complex", lambda a: jnp.linalg.slogdet(a)[1], HERMITIAN + 0.3j)
case("linalg.cholesky", jnp.linalg.cholesky, SPD)
case("linalg.cholesky complex", jnp.linalg.cholesky, HERMITIAN)
case("linalg.cholesky many", jnp.linalg.cholesky, BATCH)
case("linalg.qr", jnp.linalg.qr, TALL)
case("linalg.qr square", jnp.linalg.qr, SQUARE)
case("linalg.qr complex", jnp.linalg.qr, complexes(4, 3))
case("linalg.svd", lambda a: jnp.linalg.svd(a, full_matrices=False), TALL)
case("linalg.svd wide", lambda a: jnp.linalg.svd(a, full_matrices=False), WIDE)
case("linalg.svd values", lambda a: jnp.linalg.svd(a, compute_uv=False), TALL)
case("linalg.svd complex", lambda a: jnp.linalg.svd(a, compute_uv=False), complexes(4, 3))
case("linalg.eigh", jnp.linalg.eigh, SPD)
case("linalg.eigh complex", lambda a: jnp.linalg.eigh(a)[0], HERMITIAN)
case("linalg.eigh many", jnp.linalg.eigvalsh, BATCH)
case("linalg.eigvals", lambda a: jnp.linalg.eigvals(a), SQUARE, second=False)
case("linalg.pinv", jnp.linalg.pinv, TALL)
case("linalg.lstsq", lambda a, b: jnp.linalg.lstsq(a, b)[0], TALL, numbers(5, 2))
case(
    "linalg.norm of a matrix",
    lambda a: (jnp.linalg.norm(a, "fro"), jnp.linalg.norm(a, 2), jnp.linalg.norm(a, "nuc")),
    TALL,
)
case("linalg.cond", jnp.linalg.cond, SQUARE)
case("sla.expm", sla.expm, numbers(3, 3), second=False)
case("sla.lu", lambda a: sla.lu(a)[1:], SQUARE)
case("sla.lu_solve", lambda a, b: sla.lu_solve(sla.lu_factor(a), b), SQUARE, numbers(4))
# A factor is of a symmetric matrix, of which half is read: which half gets how much of the gradient is a convention.
case("sla.cho_solve", lambda a, b: sla.cho_solve(sla.cho_factor(a + a.T), b), SPD, numbers(4, 2))
case("sla.solve positive", lambda a, b: sla.solve(a, b, assume_a="pos"), SPD, numbers(4))
for _options in (
    {"lower": True},
    {"lower": False},
    {"lower": True, "trans": 1},
    {"lower": True, "unit_diagonal": True},
):
    case(
        f"sla.solve_triangular {_options}",
        functools.partial(lambda a, b, o: sla.solve_triangular(a, b, **o), o=_options),
        SQUARE,
        numbers(4, 2),
    )
case("sla.block_diag", lambda a, b: sla.block_diag(a, b), GRID, TALL)
case("sla.toeplitz", sla.toeplitz, UNIT)
case(
    "lax.linalg.tridiagonal_solve",
    lambda d, b: lax.linalg.tridiagonal_solve(jnp.pad(d[:3], (1, 0)), d + 4, jnp.pad(d[:3], (0, 1)), b),
    numbers(4),
    numbers(4, 2),
)

# -- solvers -----------------------------------------------------------------------------------------------------------

# Iterative: both stop at a residual of 1e-12, so what they find differs by that times the condition, about 10 here.
ITERATIVE = 1e-10 / 2.2e-16

case("cg", lambda a, b: jax.scipy.sparse.linalg.cg(lambda x: a @ x, b, tol=1e-13)[0], SPD, numbers(4), units=ITERATIVE)
case(
    "gmres",
    lambda a, b: jax.scipy.sparse.linalg.gmres(lambda x: a @ x, b, tol=1e-13)[0],
    SQUARE,
    numbers(4),
    units=ITERATIVE,
    second=False,
)
case(
    "bicgstab",
    lambda a, b: jax.scipy.sparse.linalg.bicgstab(lambda x: a @ x, b, tol=1e-13)[0],
    SQUARE,
    numbers(4),
    units=ITERATIVE,
)
case(
    "custom_linear_solve",
    lambda a, b: lax.custom_linear_solve(
        lambda x: a @ x, b, lambda mv, b: jnp.linalg.solve(a, b), lambda mv, b: jnp.linalg.solve(a.T, b)
    ),
    SQUARE,
    numbers(4),
)
case(
    "custom_root",
    lambda a: lax.custom_root(
        lambda x: x**3 + x - a,
        jnp.zeros(6),
        lambda f, x0: lax.fori_loop(0, 60, lambda i, x: x - f(x) / (3 * x**2 + 1), x0),
        lambda g, y: y / g(jnp.ones(6)),
    ),
    UNIT,
    units=ITERATIVE,
)


@pytest.mark.parametrize("name", CASES)
def test_function(name: str) -> None:
    c = CASES[name]
    assert_agree(everything(ours, c), everything(jax, c), units=c.units)


# -- what JAX has no rule for ------------------------------------------------------------------------------------------


BEYOND: dict[str, tuple[Callable[..., Any], Callable[..., Any], tuple[Any, ...]]] = {
    "pooling: product": (
        pool(lax.mul, 1.0, window_dimensions=(1, 2, 2, 1), window_strides=(1, 2, 2, 1), padding="VALID"),
        lambda x: x[:, :-1:2, :-1:2] * x[:, 1::2, :-1:2] * x[:, :-1:2, 1::2] * x[:, 1::2, 1::2],
        (numbers(2, 6, 4, 3),),
    ),
    "pooling: dilated": (
        pool(
            lax.max,
            -np.inf,
            window_dimensions=(1, 2, 1, 1),
            window_strides=(1, 1, 1, 1),
            window_dilation=(1, 2, 1, 1),
            padding="VALID",
        ),
        lambda x: jnp.maximum(x[:, :-2], x[:, 2:]),
        (IMAGE,),
    ),
    "scatter: apply": (
        lambda x: x.at[np.array([2, 0])].apply(jnp.sin),
        lambda x: jnp.stack([jnp.sin(x[0]), x[1], jnp.sin(x[2])]),
        (GRID,),
    ),
    "scatter: multiply one place twice": (
        lambda x, u: x.at[np.array([1, 1, 0])].multiply(u),
        lambda x, u: jnp.stack([x[0] * u[2], x[1] * u[0] * u[1], x[2]]),
        (GRID, numbers(3, 4, seed=9)),
    ),
}
"""A function, and another way to write it that JAX can differentiate."""


@pytest.mark.parametrize("name", BEYOND)
def test_function_that_jax_has_no_rule_for(name: str) -> None:
    fun, assert_same, args = BEYOND[name]
    with pytest.raises((NotImplementedError, ValueError)):
        jax.grad(scalar(fun), tuple(range(len(args))))(*args)
    assert_agree(everything(ours, Case(fun, args)), everything(jax, Case(assert_same, args)))


def test_who_wins_is_decided_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Fused loops compute an operand of `maximum` more than once, and round it in more than one way.

    Compared with the result, neither operand was equal to it here, and the gradient was 0.
    """
    monkeypatch.undo()  # with the compiler's usual way to emit fused loops, if slowly
    c = CASES["random.truncated_normal"]
    assert_agree(everything(ours, c), everything(jax, c))


EQUAL: dict[str, Callable[[Any], Any]] = {
    "eigh": lambda a: jnp.linalg.eigh(a * jnp.eye(3))[0],
    "eigvalsh, batched": lambda a: jax.vmap(jnp.linalg.eigvalsh)(a * jnp.stack([jnp.eye(3), 2 * jnp.eye(3)])),
    "svd": lambda a: jnp.linalg.svd(a * jnp.eye(3))[1],
}


@pytest.mark.parametrize("name", EQUAL)
def test_equal_eigenvalues_have_a_gradient(name: str) -> None:
    """Their vectors have none, but nobody asks for it: 0 times its infinity must not be part of the gradient."""
    f = lambda a: jnp.sum(EQUAL[name](a) * jnp.arange(1.0, 4))  # noqa: E731
    assert_agree(ours.grad(f)(2.0), jax.grad(f)(2.0))
    assert np.isfinite(ours.grad(f)(2.0))
