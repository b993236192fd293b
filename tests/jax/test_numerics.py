"""Programs that keep their numbers in range by what they scale, and where: they still do so when they are optimised.

Each is compared with JAX in the same element type, value and gradient, and with JAX in f64. XLA itself reorders some
quotients of f16 and drops `+ 0`; these run on StableHLO's reference interpreter.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest

import gradir
import gradir.jax as gj

F16, BF16, F32 = jnp.float16, jnp.bfloat16, jnp.float32
RNG = np.random.default_rng(0)
SIGNS = np.sign(RNG.normal(size=(4, 64)))
SMALL = np.array([4e-19, 3e-19, -4e-19, 2e-19])


def attention(q: Any, k: Any, v: Any) -> Any:
    return jnp.sum(jax.nn.softmax((q / 8) @ k.T, -1) @ v)


def rms_norm(x: Any) -> Any:
    y = x / jnp.max(x)
    return jnp.sum(y / jnp.sqrt(jnp.mean(y**2) + 1e-6) * jnp.arange(1, 5, dtype=x.dtype))


def deviation(x: Any) -> Any:
    return 6550 * jnp.sqrt(jnp.mean(((x - jnp.mean(x)) / 6550) ** 2))


def by_greatest(x: Any) -> Any:
    return jnp.sum(x / jnp.max(x, axis=1, keepdims=True) * jnp.arange(12, dtype=x.dtype).reshape(3, 4))


def cosine(x: Any, y: Any) -> Any:
    return jnp.dot(x / jnp.linalg.norm(x), y / jnp.linalg.norm(y))


def conv(x: Any, w: Any) -> Any:
    return jnp.max(jax.lax.conv_general_dilated((x / 16)[None, None], w[None, None], (1, 1), "VALID"))


def centred(x: Any) -> Any:
    y = x / 2.0**-124
    return jnp.sum((y - jnp.mean(y)) * jnp.asarray([40.0, 40.5, 41.0, 40.2], x.dtype))


def c(number: float, like: Any) -> Any:
    return jnp.asarray(number, like.dtype)


Case = tuple[Callable[..., Any], Any, list[Any]]
CASES: dict[str, Case] = {
    "attention": (attention, F16, [60 * SIGNS, 60 * SIGNS, np.ones((4, 64))]),
    "norm of what is scaled": (lambda x: 64 * jnp.sqrt(jnp.sum((x / 64) ** 2)), F16, [np.full(16, 400.0)]),
    "mean of a part": (lambda x: jnp.mean(x / 16), F32, [np.full(4, 3e38)]),
    "rows by their greatest": (by_greatest, F32, [RNG.uniform(1e38, 3e38, (3, 4))]),
    "standard deviation": (deviation, F16, [np.array([100.0, 900, -700, 500])]),
    "unit vector": (lambda x: jnp.sum(x / jnp.linalg.norm(x) * jnp.array([1, -2, 3, 0.5], x.dtype)), F32, [SMALL]),
    "cosine": (cosine, F32, [SMALL, np.abs(SMALL)]),
    "large product": (lambda x, y: jnp.max((x / 16) @ y), F32, [np.full((2, 4), 1.5e19), np.full((4, 2), 1.5e19)]),
    "large einsum": (
        lambda x, y: jnp.max(jnp.einsum("ij,kj->ik", x / 16, y)), F32,
        [np.full((2, 4), 1.5e19), np.full((3, 4), 1.5e19)],
    ),
    "large convolution": (conv, F32, [np.full((4, 4), 1.5e19), np.full((2, 2), 1.5e19)]),
    "small product": (lambda x, y: jnp.max((x * 64) @ y), F32, [np.full((2, 4), 2e-20), np.full((4, 2), 2e-20)]),
    "rms norm": (rms_norm, F32, [np.array([3e38, 2e38, 1e38, 3.1e38])]),
    "running sum": (lambda x: jnp.max(jnp.cumsum(x / 16)), F16, [np.full(8, 20000.0)]),
    "small constants": (lambda x: jnp.sum(x * c(1e-20, x) * c(1e-20, x)), BF16, [np.full(4, 1e30)]),
    "large divisors": (lambda x: jnp.sum(x / c(1e-20, x) / c(1e-20, x)), BF16, [np.full(4, 1e-30)]),
    "quotient by its divisor": (lambda x, y: jnp.sum(x / y), F32, [np.full(2, 3e25), np.full(2, 2e25)]),
    "large multiple, centred": (centred, F32, [np.array([4.0, 3.4, 3.9, 3.7]) * 1e-38]),
    "negative power": (lambda x: jnp.sum(x**-2), F16, [np.array([0.0415, 0.2, 1.3, 0.0509])]),
    "small angle": (lambda y, x: jnp.sum(1 / jnp.arctan2(y, x)), F16, [np.full(2, -4.35e-5), np.full(2, 4.06e-3)]),
    "two quotients": (lambda a, b: jnp.sum((a / c(1e20, a)) * (b / c(1e20, b))), BF16, [np.full(4, 1e30)] * 2),
}  # fmt: skip


def numbers(tree: Any) -> list[np.ndarray]:
    return [np.asarray(x, np.float64) for x in jax.tree.leaves(tree)]


@pytest.mark.parametrize("name", CASES)
def test_numbers_stay_in_range(name: str) -> None:
    f, dtype, given = CASES[name]
    arguments, every = [jnp.asarray(x, dtype) for x in given], tuple(range(len(given)))
    with jax.enable_x64(True):
        exact = numbers(jax.value_and_grad(f, every)(*(jnp.asarray(np.asarray(x, np.float64)) for x in arguments)))
    theirs = numbers(jax.jit(jax.value_and_grad(f, every))(*arguments))
    ours = [*numbers(jax.jit(gj.optimize(f))(*arguments)), *numbers(jax.jit(gj.grad(f, every))(*arguments))]
    # Some ten operations deep, each may round by half a unit in the last place.
    near = 32 * float(jnp.finfo(dtype).eps)
    for x, y, z in zip(ours, theirs, exact, strict=True):
        right = np.abs(y - z) <= near * (np.abs(z) + np.abs(z).max(initial=0))
        assert (np.abs(x - z) <= 2 * near * (np.abs(z) + np.abs(z).max(initial=0)))[right].all(), (x, y, z)
        assert np.isfinite(x)[np.isfinite(y)].all()


GUARDS: dict[str, Callable[[Any], Any]] = {
    "safe quotient": lambda x: jnp.where(x != 0, jnp.cos(x), 0) / jnp.where(x != 0, x, 1),
    "safe logarithm": lambda x: jnp.where(x > 0, jnp.log(jnp.where(x > 0, x, 1)), 0),
    "safe root": lambda x: jnp.where(x > 0, jnp.sqrt(jnp.where(x > 0, x, 1)), 0),
    "square of what is finite": lambda x: jnp.where(jnp.isfinite(x), x, 0) ** 2,
    "positive part, cubed": lambda x: jnp.where(x < 0, 0, x) ** 3,
    "product of parts": lambda x: jnp.where(x < 0, 0, x) * jnp.where(x < 0, 0, jnp.exp(-x)),
    "rectified, squared": lambda x: jax.nn.relu(x) ** 2,
}


@pytest.mark.parametrize("name", GUARDS)
def test_guards_hold_in_derivatives(name: str) -> None:
    """What a choice keeps out of a function stays out of its derivative: 0 times infinity is not a number."""
    x = jnp.asarray([-np.inf, np.inf, -1e30, 1e10, -2, 0, 0.5, 3], F32)
    ours, theirs = (np.asarray(jax.jit(m.grad(lambda x: jnp.sum(GUARDS[name](x))))(x)) for m in (gj, jax))
    np.testing.assert_allclose(ours[np.isfinite(theirs)], theirs[np.isfinite(theirs)], rtol=1e-6)


ON_REFERENCE: dict[str, Case] = {
    "quotient of a quotient": (lambda x, y, z: x / (y / z), F16, [np.full(2, 300.0)] * 3),
    "quotient of quotients": (lambda x, y, z: (x / y) / z, F16, [np.full(2, 60000.0), *[np.full(2, 300.0)] * 2]),
    "zero added": (lambda y: jnp.arctan2(y + 0.0, -1.0), F32, [np.array([-0.0])]),
    "taken from zero": (lambda y: jnp.arctan2(0.0 - y, -1.0), F32, [np.array([0.0])]),
    "difference, negated": (lambda a, b: jnp.arctan2(-(a - b), -1.0), F32, [np.array([1.0])] * 2),
    "zero returned": (lambda y: y + 0.0, F32, [np.array([-0.0])]),
}


@pytest.mark.parametrize("name", ON_REFERENCE)
@pytest.mark.parametrize("numerics", ["exact", "default"])
def test_numbers_stay_what_they_are(name: str, numerics: str) -> None:
    f, dtype, given = ON_REFERENCE[name]
    arguments = [jnp.asarray(x, dtype) for x in given]
    m = gradir.load(jax.jit(f).lower(*arguments).as_text())
    before, after = (p.run(*arguments, backend="reference") for p in (m, m.optimize(numerics=numerics)))
    np.testing.assert_array_equal(before, np.asarray(f(*arguments)))
    np.testing.assert_array_equal(before, after)
    assert (np.signbit(before) == np.signbit(after)).all()


@pytest.mark.parametrize("name", ["quotient of a quotient", "quotient of quotients"])
def test_gradients_of_quotients_stay_what_they_are(name: str) -> None:
    """XLA multiplies the divisors (JAX's gradients are 0 under jit), so this is for the reference interpreter."""
    f, dtype, given = ON_REFERENCE[name]
    every = tuple(range(len(given)))
    m = gradir.load(jax.jit(lambda *xs: jnp.sum(f(*xs))).lower(*(jnp.asarray(x, dtype) for x in given)).as_text())
    found = m.grad(wrt=every, name="d").run("d", *(jnp.asarray(x, dtype) for x in given), backend="reference")
    with jax.enable_x64(True):
        exact = jax.grad(lambda *xs: jnp.sum(f(*xs)), every)(*map(jnp.asarray, given))
    # Three divisions, each of which rounds by half a unit, and a result of 1e-5 that has seven digits in f16.
    for got, want in zip(numbers(found), numbers(exact), strict=True):
        np.testing.assert_allclose(got, want, rtol=2**-7)


def reduced(x: Any, computation: Any, neutral: float) -> Any:
    return jax.lax.reduce(x, np.asarray(neutral, x.dtype), computation, (x.ndim - 1,))


def repeated(x: Any, n: int) -> Any:
    return jnp.broadcast_to(x[:, None], (x.shape[0], n))


SHADOWS: dict[str, tuple[str, Callable[..., Any], Any, list[Any]]] = {
    # What a program does twice, its derivative adds up behind the second factor.
    "squares": ("vjp", lambda x: x * x + x * x, F16, [0.01, 4e4]),
    "squares in f32": ("vjp", lambda x: x * x + x * x, F32, [1e-19, 3e38]),
    "layers": ("vjp", lambda x: jnp.tanh(x) + 0.5 * jnp.tanh(x), F16, [3.0, 6e4]),
    "products with one matrix": (
        "vjp", lambda x: jnp.sum(x @ (0.01 * jnp.eye(2, dtype=x.dtype)) + x @ (0.01 * jnp.eye(2, dtype=x.dtype))),
        F16, [np.ones((2, 2)), 5e4],
    ),
    "loops": (
        "vjp",
        lambda x: sum(jax.lax.fori_loop(0, 12, lambda _, u: (jnp.sin(u[0]) * 0.5, jnp.sin(u[1]) * 0.5), (x, x))),
        F16, [2.0**-6, 5e4],
    ),
    "inverse": ("jvp", lambda x: c(1e-9, x) / (x * c(1e20, x)), F32, [1e-20, 1e-36]),
    # Another formula for the same value.
    "logistic": ("vjp", lambda x: 1 / (1 + jnp.exp(-x)), F32, [30.0, 1.0]),
    "logarithm of a root": ("jvp", lambda x: jnp.log(jnp.sqrt(x)), F16, [0.5, 4e4]),
    # The third power of a root's inverse is out of range before its product with a cotangent is.
    "inverse root": ("vjp", jax.lax.rsqrt, F16, [2.0**-13, 2.0**-10]),
    "inverse root of what is large": ("jvp", jax.lax.rsqrt, BF16, [2.0**120, 2.0**119]),
    # A product for a power has a sum for its derivative, each term of which is below the least number of f16.
    "square next to 0": ("jvp", jnp.square, F16, [2.0**-12, 2.0**-13]),
    "square next to 0, backwards": ("vjp", lambda x: x**2.0, F16, [2.0**-12, 2.0**-13]),
    "fourth power next to 0": ("vjp", lambda x: x**4.0, F16, [2.0**-4, 2.0**-14]),
}  # fmt: skip


@pytest.mark.parametrize("name", SHADOWS)
def test_derivatives_stay_in_range(name: str) -> None:
    mode, f, dtype, given = SHADOWS[name]
    arguments = [jnp.asarray(x, dtype) for x in given]
    m = gradir.load(jax.jit(f).lower(arguments[0]).as_text())
    derived = m.jvp(name="d") if mode == "jvp" else m.vjp(name="d")
    found = numbers(derived.run("d", *arguments, backend="reference"))[-1]
    with jax.enable_x64(True):
        x, shadow = (jnp.asarray(np.asarray(v, np.float64)) for v in arguments)
        exact = jax.jvp(f, (x,), (shadow,))[1] if mode == "jvp" else jax.vjp(f, x)[1](shadow)[0]
    assert abs(np.asarray(exact)).max() < float(jnp.finfo(dtype).max)
    np.testing.assert_allclose(found, exact, rtol=16 * float(jnp.finfo(dtype).eps))  # some ten roundings


TWICE: dict[str, tuple[Callable[..., Any], Any, list[Any], list[Any]]] = {
    "norm": (lambda x: jnp.sqrt(jnp.sum(jnp.square(x))), F16, [np.full(5, 2.0**-8)], [2.0**-9 * np.arange(5)]),
    "root": (jnp.sqrt, F16, [2.0**-16], [2.0**-16]),
    "root of what is large": (jnp.sqrt, BF16, [2.0**125], [2.0**124]),
    "power of both": (lambda x, y: x**y, F32, [2.0, 0.0], [0.5, 0.25]),
}


@pytest.mark.parametrize("name", TWICE)
def test_second_derivatives_stay_in_range(name: str) -> None:
    """The first one is optimised as if it were the last: `d / sqrt(x)` is `d * rsqrt(x)` there."""
    f, dtype, *pairs = TWICE[name]

    def twice(m: Any, given: tuple[Any, ...], tangents: tuple[Any, ...]) -> Any:
        return m.grad(lambda *xs: jnp.sum(m.jvp(f, xs, tangents)[1]), tuple(range(len(given))))(*given)

    arguments = [tuple(jnp.asarray(x, dtype) for x in xs) for xs in pairs]
    m = gradir.load(jax.jit(functools.partial(twice, gj)).lower(*arguments).as_text())
    found = numbers(m.run(*arguments[0], *arguments[1], backend="reference"))
    with jax.enable_x64(True):
        exact = numbers(twice(jax, *(tuple(jnp.asarray(x, np.float64) for x in xs) for xs in arguments)))
    near = 16 * float(jnp.finfo(dtype).eps)  # some ten roundings
    for got, want in zip(found, exact, strict=True):
        np.testing.assert_allclose(got, want, rtol=near, atol=near * np.abs(want).max())


@pytest.mark.parametrize("dtype", [F16, F32])
def test_powers_become_products_with_their_derivatives(dtype: Any) -> None:
    f = lambda x: jnp.sum(jnp.tanh(jnp.square(x)) * x**3.0)  # noqa: E731
    made = str(gradir.load(jax.jit(f).lower(jnp.ones(3, dtype)).as_text()).vjp(name="d"))
    derived = made[made.index("@main.reverse") :]
    assert "chlo.square" not in derived and "stablehlo.power" not in derived


MANY: dict[str, tuple[Callable[[Any], Any], list[float], list[float]]] = {
    "sum of two multiples": (lambda x: x * c(6e4, x) + x * c(5e4, x), [0.01, 0], [1100, 0]),
    "sum of many equal": (lambda x: reduced(repeated(x, 100_000), jax.lax.add, 0), [0, -0.0], [0, 0]),
    "product of many equal": (lambda x: reduced(repeated(x, 2049), jax.lax.mul, 1), [-1, 1], [-1, 1]),
    "loop that adds the same": (
        lambda x: jax.lax.fori_loop(0, 100_000, lambda _, s: s + x, jnp.zeros_like(x)), [0, 0.0], [0, 0],
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", MANY)
def test_numbers_that_a_type_has_not_are_not_made(name: str) -> None:
    """100,000 is infinite in f16, and 2049 is 2048; so is what two constants add up to. (XLA makes multiples, too.)"""
    f, given, exact = MANY[name]
    x = jnp.asarray(given, F16)
    m = gradir.load(jax.jit(f).lower(x).as_text()).optimize()
    # Of 0.01 and of each product in f16, and of their sum.
    np.testing.assert_allclose(np.float64(m.run(x, backend="reference")), exact, rtol=4 * 2**-11)


def test_by_the_greatest() -> None:
    """XLA makes a * max / b of this, so that JAX's value is infinite and the last derivative -1 instead of 3."""

    def f(a: Any, b: Any) -> Any:
        return jnp.sum(a / (b / jnp.max(b)))

    x = np.linspace(50, 400, 4)
    half = jnp.asarray(x, F16)
    m = gradir.load(jax.jit(f).lower(half, half).as_text()).value_and_grad(wrt=(0, 1), name="d")
    found = numbers(m.run("d", half, half, backend="reference"))
    with jax.enable_x64(True):
        exact = numbers(jax.value_and_grad(f, (0, 1))(jnp.asarray(x), jnp.asarray(x)))
    # The sum over b of derivatives up to 8 is rounded in f16, and so are its terms.
    for got, want in zip(found, exact, strict=True):
        np.testing.assert_allclose(got, want, rtol=8 * 2**-11, atol=8 * 8 * 2**-11)


def test_cotangents_that_cancel_do_so_before_they_are_scaled() -> None:
    """The quotient does not depend on x. (XLA computes such a chain in f32: this is for the reference interpreter.)"""

    def f(x: Any) -> Any:
        v = x / c(2.0**-10, x) / c(2.0**-10, x)
        return jnp.sum(v / (v * c(2.0**-6, x)))

    x = jnp.full(2, 5e-5, F16)
    found = gradir.load(jax.jit(f).lower(x).as_text()).grad(name="d").run("d", x, backend="reference")
    np.testing.assert_array_equal(found, np.zeros(2))


def test_exact_changes_no_bit() -> None:
    def f(x: Any) -> Any:
        return jnp.sum((x * 3.0) * 0.1 + x / 7.0) / jnp.sqrt(jnp.sum(x**2))

    x = jnp.asarray(RNG.normal(size=64), F32)
    m = gradir.load(jax.jit(f).lower(x).as_text())
    exact = m.optimize(numerics="exact")
    assert m.run(x, backend="reference") == exact.run(x, backend="reference")
    with gradir.optimizing(numerics="exact"):
        assert str(m.optimize()) == str(exact)
    assert str(m.optimize()) != str(exact)


IOTAS: dict[str, Callable[[Any], Any]] = {
    "the rest": lambda i: i[1:],
    "some": lambda i: i[2::3],
    "backwards": lambda i: i[::-1],
    "by known places": lambda i: i[jnp.array([301, 303, 305])],
}


@pytest.mark.parametrize("dtype", [BF16, F16])
@pytest.mark.parametrize("name", IOTAS)
def test_iotas_have_the_numbers_that_their_type_has(name: str, dtype: Any) -> None:
    """0, 1, 2, … of bf16 end at 256: what follows is rounded, and must not be rounded twice."""
    f = lambda x: IOTAS[name](jax.lax.iota(dtype, 5000)) * x  # noqa: E731
    one = jnp.ones((), dtype)
    m = gradir.load(jax.jit(f).lower(one).as_text())
    found = m.optimize(numerics="exact").run(one, backend="reference")
    np.testing.assert_array_equal(np.asarray(found), IOTAS[name](np.arange(5000).astype(dtype)))


def test_fast_reorders() -> None:
    m = gradir.load(jax.jit(lambda x, y, z: x / (y / z)).lower(*[jnp.ones(2)] * 3).as_text())
    assert str(m.optimize()).count("stablehlo.divide") == 2
    assert str(m.optimize(numerics="fast")).count("stablehlo.divide") == 1


PER_FUNCTION = """
func.func @f(%x: tensor<2xf32>) -> tensor<2xf32> attributes {{gradir.numerics = {level}}} {{
  %c = stablehlo.constant dense<3.0> : tensor<2xf32>
  %0 = stablehlo.multiply %x, %c : tensor<2xf32>
  %1 = stablehlo.multiply %0, %c : tensor<2xf32>
  return %1 : tensor<2xf32>
}}
func.func @g(%x: tensor<2xf32>) -> tensor<2xf32> {{
  %c = stablehlo.constant dense<3.0> : tensor<2xf32>
  %0 = stablehlo.multiply %x, %c : tensor<2xf32>
  %1 = stablehlo.multiply %0, %c : tensor<2xf32>
  return %1 : tensor<2xf32>
}}
"""


def test_a_function_may_have_numerics_of_its_own() -> None:
    m = gradir.load(PER_FUNCTION.format(level='"exact"')).optimize()
    assert str(m).count("stablehlo.multiply") == 3
    derived = gradir.load(PER_FUNCTION.format(level='"exact"'))
    assert str(derived.jvp("f")).count("gradir.numerics") >= 2  # the derivative inherits it


@pytest.mark.parametrize("level", ['"strict"', "3 : i32"])
def test_numerics_that_are_not_there_are_refused(level: str) -> None:
    with pytest.raises(gradir.GradirError, match="numerics"):
        gradir.load(PER_FUNCTION.format(level=level)).optimize()
    with pytest.raises(gradir.GradirError, match="no numerics called 'strict'"), gradir.optimizing(numerics="strict"):
        pass
