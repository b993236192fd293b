"""Gather and scatter against JAX: how programs index, what happens out of range and at ties, second derivatives."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from jax import lax

import gradir

QUICK = {"xla_backend_optimization_level": "0", "xla_llvm_disable_expensive_passes": "True"}


@pytest.fixture(autouse=True)
def wide() -> Iterator[None]:
    """Double precision; and JAX's compiler in a hurry, since what it compiles runs for microseconds."""
    jax.config.update("jax_disable_most_optimizations", True)
    with jax.enable_x64(True):
        yield
    jax.config.update("jax_disable_most_optimizations", False)


def scalar(f: Callable[..., Any]) -> Callable[..., Any]:
    """A sum in which every element counts differently, and not linearly."""

    def total(*xs: Any) -> Any:
        y = f(*xs)
        weights = jnp.cos(jnp.arange(y.size)).reshape(y.shape)
        return (jnp.sin(y) * weights).sum()

    return total


def floats(xs: Sequence[np.ndarray]) -> tuple[int, ...]:
    return tuple(i for i, x in enumerate(xs) if x.dtype.kind == "f")


def check(f: Callable[..., Any], *xs: np.ndarray) -> None:
    """The gradient by the float arguments, as JAX has it."""
    g, wrt = scalar(f), floats(xs)
    got = gradir.load(jax.jit(g, keep_unused=True).lower(*xs)).grad(wrt=wrt, name="d").run("d", *xs, xla_options=QUICK)
    for mine, theirs in zip(got if len(wrt) > 1 else [got], jax.jit(jax.grad(g, wrt))(*xs), strict=True):
        np.testing.assert_allclose(mine, theirs, rtol=1e-12, atol=1e-12)


def check_twice(fs: Sequence[Callable[..., Any]], *xs: np.ndarray) -> None:
    """Second derivatives of all functions together, along one direction: forward and reverse, both over reverse."""
    wrt = floats(xs)

    def gradients(*xs: Any) -> Any:
        return jax.grad(lambda *xs: sum(scalar(f)(*xs) for f in fs), wrt)(*xs)

    directions = [np.cos(np.arange(xs[i].size)).reshape(xs[i].shape) for i in wrt]
    total = jax.jit(lambda *xs: sum(scalar(f)(*xs) for f in fs), keep_unused=True)

    def along(*ys: Any) -> Any:
        full = list(xs)
        for i, y in zip(wrt, ys, strict=True):
            full[i] = y
        return gradients(*full)

    _, expected = jax.jit(lambda *ds: jax.jvp(along, tuple(xs[i] for i in wrt), ds))(*directions)
    module = gradir.load(total.lower(*xs)).grad(wrt=wrt, name="g")
    n = len(wrt)
    forward = module.jvp("g", wrt=wrt, name="d").run("d", *xs, *directions, xla_options=QUICK)[n:]
    backward = module.vjp("g", wrt=wrt, name="d").run("d", *xs, *directions, xla_options=QUICK)[n:]
    for theirs, *mine in zip(expected, forward, backward, strict=True):
        for m in mine:
            np.testing.assert_allclose(m, theirs, rtol=1e-11, atol=1e-11)


X = np.random.default_rng(0).normal(size=(5, 3))
U = np.random.default_rng(1).normal(size=(4, 3))
I = np.array([3, 0, -1, 3])
FAR = np.array([7, -9, 4, 2])


READ: list[Callable[..., Any]] = [
    lambda x, i: x[i % 5],
    lambda x, i: x[i % 5, 1],
    lambda x, i: x[i[:, None] % 5, i[None, :3] % 3],
    lambda x, i: x.at[i].get(mode="clip"),
    lambda x, i: x.at[i].get(mode="fill", fill_value=2.0),
    lambda x, i: jnp.take(x, i, axis=1),
    lambda x, i: jnp.take_along_axis(x, i[:, None] % 5, axis=0),
    lambda x, i: x[jnp.arange(4), i % 3],
    lambda x, i: lax.dynamic_slice(x, (i[0], i[1]), (2, 2)),
    lambda x, i: jax.vmap(lambda k: lax.dynamic_slice(x, (k, 0), (2, 3)))(i),
    lambda x, i: jax.vmap(lambda k, row: lax.dynamic_slice(row, (k,), (2,)))(i, x[:4]),
    lambda x, i: jnp.roll(x, i[0], axis=0),
    lambda x, i: x[::-2, 1:],
]
WRITE: list[Callable[..., Any]] = [
    lambda x, u, i: x.at[i].add(u),
    lambda x, u, i: x.at[i].subtract(u),
    lambda x, u, i: x.at[i].set(u),
    lambda x, u, i: x.at[i].set(u, mode="clip"),
    lambda x, u, i: x.at[i % 5, i % 3].set(u[:, 0]),
    lambda x, u, i: x.at[2].set(u[0]),
    lambda x, u, i: x.at[:, 1].multiply(u[0, 0]),
    lambda x, u, i: x.at[i].multiply(U),
    lambda x, u, i: x.at[i].min(u),
    lambda x, u, i: x.at[i].max(u),
    lambda x, u, i: lax.dynamic_update_slice(x, u[:2, :2], (i[0], i[1])),
    lambda x, u, i: jax.vmap(lambda k, r, s: lax.dynamic_update_slice(r, s[:2], (k,)))(i, x[:4], u),
    lambda x, u, i: jax.ops.segment_sum(u, i, num_segments=5) * x,
]


@pytest.mark.parametrize("f", READ)
@pytest.mark.parametrize("i", [I, FAR], ids=["inside", "outside"])
def test_reading(f: Callable[..., Any], i: np.ndarray) -> None:
    check(f, X, i)


@pytest.mark.parametrize("f", WRITE)
@pytest.mark.parametrize("i", [I, FAR], ids=["inside", "outside"])
def test_writing(f: Callable[..., Any], i: np.ndarray) -> None:
    check(f, X, U, i)


def test_second_derivatives() -> None:
    check_twice(READ, X, FAR)
    check_twice(WRITE, X, U, FAR)


@pytest.mark.parametrize("how", ["min", "max"])
def test_ties_of_extrema_share_evenly(how: str) -> None:
    """All that equal the result, the old value and each update, take the same share."""
    x = np.array([1.0, 2.0, 3.0, 0.0])
    u = np.array([1.0, 1.0, 2.0, 2.0, 5.0, -5.0])
    i = np.array([0, 0, 1, 1, 2, 3])
    check(lambda x, u: getattr(x.at[i], how)(u), x, u)


def test_products_where_factors_meet() -> None:
    """JAX refuses these by the updates; here every order of zeros is exact."""
    i = np.array([0, 0, 0, 1, 1, 2])
    u = np.array([0.0, 3.0, 0.0, 0.0, 5.0, 2.0])
    x = np.array([2.0, 7.0, 0.0])

    def f(x: Any, u: Any) -> Any:
        return x.at[i].multiply(u)

    def by_product(x: Any, u: Any) -> Any:
        return jnp.stack([x[k] * jnp.prod(u[i == k]) for k in range(3)])

    module = gradir.load(jax.jit(scalar(f)).lower(x, u))
    for wrt in (0, 1):
        expected = jax.grad(scalar(by_product), wrt)(x, u)
        got = module.grad(wrt=wrt, name="d").run("d", x, u, xla_options=QUICK)
        np.testing.assert_allclose(got, expected, atol=1e-14)
    expected = jax.hessian(scalar(by_product), 1)(x, u)
    got = module.hessian(wrt=1, name="d").run("d", x, u, xla_options=QUICK)
    np.testing.assert_allclose(got, expected, atol=1e-13)


def test_any_computation_runs_update_by_update() -> None:
    """`at[].apply` applies the function once for each time an index is named."""
    i = np.array([1, 1, 3])
    x = X[:, 0]

    def one_by_one(x: Any) -> Any:
        for k in i:
            x = x.at[k].set(jnp.exp(jnp.sin(x[k])))
        return x

    module = gradir.load(jax.jit(scalar(lambda x: x.at[i].apply(lambda v: jnp.exp(jnp.sin(v))))).lower(x))
    got = module.grad(name="d").run("d", x, xla_options=QUICK)
    np.testing.assert_allclose(got, jax.grad(scalar(one_by_one))(x), rtol=1e-12)
    got = module.hessian(name="d").run("d", x, xla_options=QUICK)
    np.testing.assert_allclose(got, jax.hessian(scalar(one_by_one))(x), rtol=1e-11, atol=1e-12)


@settings(max_examples=8, deadline=None)
@given(st.data())
def test_random_geometry(data: st.DataObject) -> None:
    """A gather of any windows by any of the dimensions, and the scatters that have the same geometry."""
    rank = data.draw(st.integers(1, 3))
    shape = data.draw(st.lists(st.integers(1, 4), min_size=rank, max_size=rank))
    mapped = data.draw(st.permutations(range(rank)).map(lambda p: p[: data.draw(st.integers(1, rank))]))
    sizes = [data.draw(st.integers(1, n)) for n in shape]
    collapsed = [d for d in range(rank) if sizes[d] == 1 and data.draw(st.booleans())]
    count = data.draw(st.integers(1, 4))
    offset = tuple(range(1, 1 + rank - len(collapsed)))
    gather = lax.GatherDimensionNumbers(offset, tuple(collapsed), tuple(mapped))
    scatter = lax.ScatterDimensionNumbers(offset, tuple(collapsed), tuple(mapped))
    rng = np.random.default_rng(data.draw(st.integers(0, 1000)))
    x, i = rng.normal(size=shape), rng.integers(-1, 4, size=(count, len(mapped)))
    u = rng.normal(size=(count, *(s for d, s in enumerate(sizes) if d not in collapsed)))

    def f(x: Any, u: Any, i: Any) -> Any:
        # (The derivative that JAX has of scatter_max does not clip as scatter_max does.)
        ways = (lax.scatter_add, "clip"), (lax.scatter_add, "drop"), (lax.scatter, "drop"), (lax.scatter_max, "drop")
        writes = [write(x, i, u, scatter, mode=mode) for write, mode in ways]
        return jnp.concatenate([y.ravel() for y in (lax.gather(x, i, gather, sizes, mode="clip"), *writes)])

    with jax.enable_x64(True):
        check(f, x, u, i)


# -- what is emitted ---------------------------------------------------------------------------------------------------


def backward_text(f: Callable[..., Any], *xs: np.ndarray) -> str:
    """The function that computes the gradient of a program without calls."""
    text = str(gradir.load(jax.jit(f).lower(*xs)).grad(name="d"))
    return text[text.index("@main.reverse") :].partition("func.func")[0]


I32 = np.array([3, 0, 1], np.int32)


def gather(x: Any, i: Any) -> Any:
    """By row numbers that are promised to be in range."""
    dims = lax.GatherDimensionNumbers((1,), (0,), (0,))
    return lax.gather(x, i[:, None], dims, (1, 3), mode="promise_in_bounds")


@pytest.mark.usefixtures("plain")
@pytest.mark.parametrize(
    "rows",
    [
        lambda i: jnp.clip(i, 0, 4),
        lambda i: lax.rem(i, np.int32(3)) * 0 + 2,
        lambda i: lax.iota(np.int32, 5),
        lambda i: np.array([4, 0], np.int32),
        lambda i: lax.sort((i, lax.iota(np.int32, 3)), num_keys=1)[1],
        lambda i: lax.concatenate([lax.max(lax.min(i, np.int32(2)), np.int32(0)), lax.iota(np.int32, 3)], 0),
    ],
)
def test_indices_that_are_seen_to_be_in_range_are_not_clamped(rows: Callable[[Any], Any]) -> None:
    wrapped = backward_text(lambda x, i: gather(x, rows(i)).sum(), X, I32)
    plain = str(jax.jit(lambda x, i: gather(x, rows(i)).sum()).lower(X, I32).as_text())
    assert '"stablehlo.scatter"' in wrapped
    assert wrapped.count("stablehlo.minimum") == plain.count("stablehlo.minimum")


def test_other_indices_are_clamped() -> None:
    for rows in (lambda i: i, lambda i: i + 1, lambda i: jnp.clip(i, -1, 4), lambda i: lax.iota(np.int32, 6)):
        text = backward_text(lambda x, i, r=rows: gather(x, r(i)).sum(), X, I32)
        assert text.count("stablehlo.minimum") == 1


def test_cotangents_of_gathers_are_added_in_place() -> None:
    """The second gather's transpose adds to the first one's result, not to zeros of its own."""
    text = backward_text(lambda x, i: (gather(x, i) * gather(x, i + 1)).sum(), X, I32)
    assert text.count('"stablehlo.scatter"') == 2
    sums = [line for line in text.splitlines() if "stablehlo.add" in line and "tensor<5x3xf64>" in line]
    assert not sums


def test_a_written_minus_zero_stays_one() -> None:
    """Where updates meet, their values are written by number; the value itself must not change by it."""
    i = np.array([1, 1])
    module = gradir.load(jax.jit(lambda x, u: x.at[i].set(u)).lower(X[:, 0], U[:2, 0])).vjp(wrt=(0, 1), name="d")
    value = module.run("d", X[:, 0], np.array([1.0, -0.0]), np.ones(5))[0]
    assert value[1] == 0 and np.signbit(value[1])


@pytest.mark.usefixtures("plain")
def test_an_active_value_from_outside_is_refused() -> None:
    text = """
    func.func @f(%x: tensor<4xf64>, %i: tensor<2x1xi32>, %k: tensor<f64>) -> tensor<4xf64> {
      %u = stablehlo.constant dense<1.0> : tensor<2xf64>
      %0 = "stablehlo.scatter"(%x, %i, %u) ({
      ^bb0(%a: tensor<f64>, %b: tensor<f64>):
        %c = stablehlo.multiply %a, %k : tensor<f64>
        stablehlo.return %c : tensor<f64>
      }) {scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0],
            scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}
        : (tensor<4xf64>, tensor<2x1xi32>, tensor<2xf64>) -> tensor<4xf64>
      return %0 : tensor<4xf64>
    }"""
    module = gradir.load(text)
    with pytest.raises(gradir.errors.NoRule, match=r"4:12.*value from outside"):
        module.vjp(wrt=(0, 2))
    with pytest.raises(gradir.errors.NoRule, match="not a constant"):
        module.vjp(wrt=0)
    with pytest.raises(gradir.errors.NoRule, match="can't be batched"):
        module.batch("f", 2)


def test_tuples_are_refused() -> None:
    text = """
    func.func @f(%x: tensor<f64>) -> tensor<f64> {
      %t = stablehlo.tuple %x, %x : tuple<tensor<f64>, tensor<f64>>
      %0 = stablehlo.get_tuple_element %t[0] : (tuple<tensor<f64>, tensor<f64>>) -> tensor<f64>
      return %0 : tensor<f64>
    }"""
    with gradir.optimizing(False):  # which would take it apart
        with pytest.raises(gradir.errors.NoRule, match="tuple"):
            gradir.load(text).grad("f")
        with pytest.raises(gradir.errors.NoRule, match="tuple"):
            gradir.load(text).batch("f", 2)
