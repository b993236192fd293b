"""The API is JAX's: arguments, pytrees, types of results, and refusals.

`same` runs a use of the API with `gradir.jax` and with `jax`, and compares structure, shapes, types (weak ones too,
where it says so) and numbers. Default precision unless a test asks for more: `ROUNDING` units of single precision are
1e-3, which tells any mistake apart here, since these functions are of a few elements with values near 1.
"""

from __future__ import annotations

import dataclasses
import functools
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from agreement import assert_agree, assert_refused_alike, assert_same, unit

import gradir.jax

FEW = 16
"""Units of rounding for a handful of operations on a handful of elements."""


def few(use: Any, **options: Any) -> Any:
    return assert_same(use, units=FEW, **options)


V = np.array([0.5, -1.0, 2.0], np.float32)


# -- which arguments ---------------------------------------------------------------------------------------------------


def three(x: Any, y: Any, z: Any) -> Any:
    return jnp.sum(x * jnp.sin(y) + z**2 * x)


@pytest.mark.parametrize("argnums", [0, 1, 2, -1, -3, (0,), (0, 1), (2, 0), (-1, 0), [0, 2]])
def test_argnums(argnums: Any) -> None:
    few(lambda m: m.value_and_grad(three, argnums)(V, V * 2, V * 3))
    few(lambda m: m.grad(three, argnums=argnums)(V, V * 2, V * 3))


@pytest.mark.parametrize("argnums", [0, -1, (0,), (2, 0), (-1,)])
@pytest.mark.parametrize("jacobian", ["jacfwd", "jacrev", "hessian"])
def test_argnums_of_jacobians(jacobian: str, argnums: Any) -> None:
    def f(x: Any, y: Any, z: Any) -> Any:
        return jnp.sin(x) * y[0] + jnp.exp(y[1]) * z

    few(lambda m: getattr(m, jacobian)(f, argnums)(V, V[:2], V * 0.1))


def test_numpy_integers_as_argnums() -> None:
    few(lambda m: m.grad(three, np.int64(1))(V, V, V))


@pytest.mark.parametrize("argnums", [3, -4, (0, 3), (0, -4)])
def test_argnums_out_of_range(argnums: Any) -> None:
    for name in ("grad", "value_and_grad", "jacfwd", "jacrev"):
        assert_refused_alike(lambda m: getattr(m, name)(three, argnums)(V, V, V), "argnums|positional")


@pytest.mark.parametrize("argnums", ["x", 1.5, None, (0.5,)])
def test_argnums_that_are_no_numbers(argnums: Any) -> None:
    assert_refused_alike(lambda m: m.grad(three, argnums)(V, V, V), "iterable|integer")


def test_keyword_arguments() -> None:
    def f(x: Any, *, scale: Any, shift: Any = 1.0) -> Any:
        return jnp.sum(x * scale["by"]) + shift * x[0]

    few(lambda m: m.value_and_grad(f)(V, scale={"by": V}))
    few(lambda m: m.value_and_grad(f)(V, scale={"by": V}, shift=3))
    few(lambda m: m.jacrev(f)(V, scale={"by": V}))
    few(lambda m: m.jacfwd(f)(V, scale={"by": V}))
    few(lambda m: m.hessian(f)(V, shift=2.0, scale={"by": V}))


def test_differentiated_argument_by_keyword() -> None:
    assert_refused_alike(lambda m: m.grad(lambda x: x * x)(x=1.0), "argnums|positional")


def test_integers_among_the_other_arguments() -> None:
    few(lambda m: m.value_and_grad(lambda x, n, flag: jnp.sum(jnp.where(flag, x**n, x)))(V, 3, True))
    few(lambda m: m.grad(lambda x, i: x[i] ** 2)(V, 1))
    few(lambda m: m.grad(lambda x, i: jnp.sum(x[i] ** 2))(V, np.array([0, 0, 2])))


# -- has_aux -----------------------------------------------------------------------------------------------------------


def test_has_aux() -> None:
    def f(x: Any, y: Any) -> Any:
        return jnp.sum(x * y), {"twice": 2 * x, "count": jnp.arange(3), "none": None, "flag": x > 0, "five": 5}

    few(lambda m: m.value_and_grad(f, has_aux=True)(V, V))
    few(lambda m: m.grad(f, (0, 1), has_aux=True)(V, V))
    few(lambda m: jax.jit(m.grad(f, (0, 1), has_aux=True))(V, V))


def test_has_aux_of_jacobians_and_vjp() -> None:
    def f(x: Any) -> Any:
        return jnp.sin(x) * x[0], (x[1], jnp.arange(2))

    few(lambda m: m.jacfwd(f, has_aux=True)(V))
    few(lambda m: m.jacrev(f, has_aux=True)(V))
    few(lambda m: m.hessian(f, has_aux=True)(V))
    few(lambda m: m.jvp(f, (V,), (V,), has_aux=True))

    def pulled(m: Any) -> Any:
        value, pull, aux = m.vjp(f, V, has_aux=True)
        return value, pull(V), aux

    few(pulled)


def test_aux_of_an_inner_gradient_is_differentiable() -> None:
    def f(x: Any) -> Any:
        return jnp.sum(x**3), jnp.sin(x)

    few(lambda m: m.grad(lambda x: jnp.sum(m.grad(f, has_aux=True)(x)[1] * V))(V))


@pytest.mark.parametrize("out", [1.0, (1.0,), (1.0, 2.0, 3.0), {"a": 1.0}])
def test_has_aux_without_a_pair(out: Any) -> None:
    assert_refused_alike(
        lambda m: m.grad(lambda x: jax.tree.map(lambda y: x * y, out), has_aux=True)(1.0), "aux|pair|tuple"
    )


# -- pytrees -----------------------------------------------------------------------------------------------------------


class Point(NamedTuple):
    x: Any
    y: Any


@functools.partial(jax.tree_util.register_dataclass, data_fields=["w", "b"], meta_fields=["name"])
@dataclasses.dataclass
class Layer:
    w: Any
    b: Any
    name: str = "dense"


TREES = {
    "dict": {"b": V, "a": V * 2},
    "namedtuple": Point(V, {"deep": V * 2}),
    "none": [V, None, (V * 2, None)],
    "dataclass": Layer(V, V * 2),
    "nested": {"layers": [Layer(V, None), Layer(V * 2, V)], "point": Point(V, ())},
    "empty": [V, {}, [], ()],
    "scalars": [1.0, np.float32(2.0), jnp.float32(3.0), {"z": V}],
}


def total(tree: Any) -> Any:
    return sum(jnp.sum(jnp.sin(x) * (i + 1)) for i, x in enumerate(jax.tree.leaves(tree)))


@pytest.mark.parametrize("tree", TREES.values(), ids=TREES)
def test_pytrees(tree: Any) -> None:
    few(lambda m: m.value_and_grad(total)(tree))
    few(lambda m: m.jvp(total, (tree,), (tree,)))
    few(lambda m: jax.jit(m.grad(lambda t: total(jax.tree.map(jnp.cos, t))))(tree))
    few(lambda m: m.vjp(lambda t: jax.tree.map(jnp.sin, t), tree)[1](tree))


@pytest.mark.parametrize("tree", TREES.values(), ids=TREES)
@pytest.mark.parametrize("jacobian", ["jacfwd", "jacrev"])
def test_jacobians_of_pytrees(jacobian: str, tree: Any) -> None:
    few(lambda m: getattr(m, jacobian)(lambda t: {"all": jax.tree.map(jnp.sin, t), "sum": total(t)})(tree))


def test_hessian_of_a_pytree() -> None:
    few(lambda m: m.hessian(lambda t: total(t) ** 2)(TREES["namedtuple"]))


def test_function_without_leaves() -> None:
    few(lambda m: m.grad(lambda t, x: x * 2.0)(None, 3.0))
    few(lambda m: m.grad(lambda t, x: x * 2.0)({}, 3.0))


# -- kinds of functions ------------------------------------------------------------------------------------------------


def test_callables_without_a_name() -> None:
    class Loss:
        def __call__(self, x: Any) -> Any:
            return jnp.sum(x**2)

        def method(self, x: Any) -> Any:
            return jnp.sum(x**3)

    few(lambda m: m.grad(Loss())(V))
    few(lambda m: m.grad(Loss().method)(V))
    few(lambda m: m.grad(functools.partial(three, V))(V, V))
    few(lambda m: m.grad(jax.jit(three))(V, V, V))
    few(lambda m: m.grad(jnp.linalg.norm)(V))


def test_wrapped_name_and_documentation() -> None:
    def loss(x: Any) -> Any:
        """What it costs."""
        return x

    for transform in ("grad", "value_and_grad", "jacfwd", "jacrev", "hessian"):
        made = getattr(gradir.jax, transform)(loss)
        assert made.__wrapped__ is loss or made.__name__ == "loss"


def test_not_a_function() -> None:
    assert_refused_alike(lambda m: m.grad(3.0)(1.0), "callable")
    assert_refused_alike(lambda m: m.grad(3.0), "callable")
    assert_refused_alike(lambda m: m.jvp(3.0, (1.0,), (1.0,)), "callable")
    assert_refused_alike(lambda m: m.vjp(3.0, 1.0), "callable")


def test_unused_arguments_and_zero_gradients() -> None:
    few(lambda m: m.value_and_grad(lambda x, y: jnp.sum(x), (0, 1))(V, V))
    few(lambda m: m.grad(lambda x: 3.0)(V))
    few(lambda m: m.grad(lambda x: jnp.float32(3.0))({"a": V}))
    few(lambda m: m.grad(lambda x: jnp.sum(jnp.floor(x)) + jnp.sum(jnp.sign(x)))(V))
    few(lambda m: m.grad(lambda x: jnp.sum((x > 0).astype(jnp.float32)))(V))
    few(lambda m: m.grad(lambda x: jnp.argmax(x).astype(float))(V))
    few(lambda m: m.jvp(lambda x, y: (x, 4.0, jnp.arange(2)), (V, V), (V, V)))
    few(lambda m: m.jacfwd(lambda x, y: y * 2)(V, V))
    few(lambda m: m.jacrev(lambda x, y: y * 2)(V, V))


def test_results_that_are_arguments() -> None:
    few(lambda m: m.value_and_grad(lambda x: x)(3.0))
    few(lambda m: m.value_and_grad(lambda x: x)(jnp.float32(3.0)))
    few(lambda m: m.vjp(lambda x, y: (x, y, x, {"again": x}), V, V)[1]((V, V, V * 2, {"again": V})))
    few(lambda m: m.jvp(lambda x, y: (x, x, y), (V, V), (V, V * 2)))
    few(lambda m: m.jacrev(lambda x: x)(V))
    few(lambda m: m.jacfwd(lambda x: [x, x])(V))


def test_same_array_for_two_arguments() -> None:
    few(lambda m: m.grad(lambda x, y: jnp.sum(x * y**2), (0, 1))(V, V))


def test_python_numbers_as_results() -> None:
    few(lambda m: m.value_and_grad(lambda x: x * 2, has_aux=False)(3.0))
    few(lambda m: m.jvp(lambda x: 5, (3.0,), (1.0,)))
    few(lambda m: m.jvp(lambda x: (5.0, True, x), (3.0,), (1.0,)))


def test_results_that_are_no_arrays() -> None:
    assert_refused_alike(lambda m: m.grad(lambda x: "text")(1.0), "str|type")
    assert_refused_alike(lambda m: m.vjp(lambda x: "text", 1.0), "str|type")
    assert_refused_alike(lambda m: m.jvp(lambda x: object(), (1.0,), (1.0,)), "object|type")


# -- types -------------------------------------------------------------------------------------------------------------

SCALARS = {
    "float": 2.0,
    "numpy": np.float32(2.0),
    "strong": jnp.float32(2.0),
    "weak": jnp.asarray(2.0),
    "half": jnp.float16(2.0),
    "bfloat": jnp.bfloat16(2.0),
}


@pytest.mark.parametrize("x", SCALARS.values(), ids=SCALARS)
@pytest.mark.parametrize(
    "f",
    [
        lambda x: x,
        lambda x: x * 2,
        lambda x: jnp.sin(x) * 3.0,
        lambda x: x * jnp.float32(2),
        lambda x: x * jnp.bfloat16(2),
        lambda x: jnp.asarray(x, jnp.float32) * x,
        lambda x: x**2 + 1,
    ],
    ids=["same", "int", "float", "f32", "bf16", "cast", "power"],
)
def test_types_of_scalars(f: Any, x: Any) -> None:
    """Weak types too: they decide the types of what is computed from a gradient."""
    few(lambda m: m.value_and_grad(f)(x), check_weak=True)
    few(lambda m: m.grad(f)(x), check_weak=True)
    few(lambda m: jax.jit(m.value_and_grad(f))(x), check_weak=True)
    few(lambda m: m.jvp(f, (x,), (x,)), check_weak=True)
    few(lambda m: m.vjp(f, x)[0], check_weak=True)


def test_a_gradient_does_not_widen_what_it_is_added_to() -> None:
    x = jnp.ones(3, jnp.bfloat16)
    few(lambda m: x - 0.1 * m.grad(lambda s: s * 3.0)(2.0))
    few(lambda m: x * m.value_and_grad(lambda s: s * 3.0)(2.0)[0])
    few(lambda m: x * m.jvp(lambda s: s * 3.0, (2.0,), (1.0,))[1])


@pytest.mark.parametrize("dtype", [jnp.bfloat16, jnp.float16, jnp.float32, jnp.float64])
def test_types_of_arrays(dtype: Any, x64: None) -> None:
    x, w = jnp.linspace(0.1, 1, 12, dtype=dtype), jnp.linspace(-1, 1, 12, dtype=jnp.float32)

    def f(x: Any, w: Any) -> Any:
        y = jnp.tanh(x) * x + jnp.exp(-x)
        return jnp.sum(y.astype(jnp.float32) * w).astype(dtype)

    # Numbers of single precision have been through the narrower type here: they are as good as that.
    units = FEW * max(unit(dtype) / unit(jnp.float32), 1)
    assert_same(lambda m: m.value_and_grad(f, (0, 1))(x, w), units=units, check_weak=True)
    assert_same(lambda m: m.jvp(f, (x, w), (x, w)), units=units, check_weak=True)
    few(lambda m: m.jacrev(lambda x: x * jnp.sin(x))(x), check_weak=True)


def test_narrow_sums() -> None:
    """Sums and products of narrow types are accumulated as JAX does it."""
    x = jnp.linspace(-1, 1, 64, dtype=jnp.bfloat16).reshape(8, 8)
    few(lambda m: m.grad(lambda x: jnp.mean(jax.nn.softmax(x @ x.T, axis=-1) ** 2))(x))
    few(lambda m: m.grad(lambda x: jnp.sum(jax.nn.gelu(x)))(x))


def test_double_precision_and_default_precision_alternate() -> None:
    """What was made in one precision is not taken for the other."""

    def f(x: Any) -> Any:
        return jnp.sum(jnp.sin(x) * jnp.arange(3.0))

    for wide in (False, True, False, True):
        with jax.enable_x64(wide):
            few(lambda m: m.value_and_grad(f)(np.array([1.0, 2.0, 3.0])))
            few(lambda m: m.value_and_grad(lambda x: x * 2)(1.5))


def test_empty_arrays() -> None:
    empty = jnp.zeros((0, 3))
    few(lambda m: m.value_and_grad(lambda x: jnp.sum(x * 2))(empty))
    few(lambda m: m.value_and_grad(lambda x, y: jnp.sum(x @ y) + jnp.sum(y), (0, 1))(empty, jnp.ones((3, 2))))
    few(lambda m: m.jvp(lambda x: jnp.concatenate([x, jnp.ones((1, 3))]), (empty,), (empty,)))
    few(lambda m: m.jacrev(lambda x: x * 2)(jnp.zeros(0)))
    few(lambda m: m.jacfwd(lambda x: x * 2)(jnp.zeros(0)))
    few(lambda m: m.grad(lambda x: jnp.sum(jnp.sort(x)) + jnp.sum(jnp.cumsum(x, 0)))(empty))


def test_integers_with_allow_int() -> None:
    def f(x: Any, n: Any) -> Any:
        return jnp.sum(x * n)

    n = np.array([1, 2, 3])
    few(lambda m: m.grad(f, (0, 1), allow_int=True)(V, n))
    few(lambda m: m.value_and_grad(f, 1, allow_int=True)(V, n))
    few(lambda m: m.grad(f, 1, allow_int=True)(V, np.array([True, False, True])))
    few(lambda m: m.vjp(f, V, n)[1](np.float32(1.0)))
    # Where JAX gives integers, against its own documentation, there is nothing to agree with.
    made = gradir.jax.jacrev(lambda x, n: x * n, (0, 1), allow_int=True)(V, n)
    assert_agree(made[0], np.diag(n).astype(np.float32), units=0)
    assert made[1].shape == (3, 3) and made[1].dtype == jax.dtypes.float0


@pytest.mark.parametrize("x", [3, np.arange(3), True, np.array([1 + 2j])], ids=["int", "ints", "bool", "complex"])
def test_inputs_that_have_no_gradient(x: Any) -> None:
    for name in ("grad", "value_and_grad", "jacrev"):
        assert_refused_alike(lambda m: getattr(m, name)(lambda x: jnp.sum(x * 2.0))(x), "dtype|requires")
    if not np.iscomplexobj(x):
        assert_refused_alike(lambda m: m.jacfwd(lambda x: x * 2.0)(x), "jacfwd requires real-valued inputs")
        assert_refused_alike(lambda m: m.hessian(lambda x: x * 2.0)(x), "requires real")


def test_types_of_few_bits() -> None:
    for dtype in (jnp.float8_e4m3fn, jnp.float8_e5m2):
        few(lambda m: m.grad(lambda x: jnp.sum(x.astype(jnp.float32) ** 2))(jnp.asarray(V, dtype)))
    few(lambda m: m.vjp(lambda x: x.astype(jnp.float8_e4m3fn).astype(jnp.float32) * x, V)[1](V))
    few(lambda m: m.grad(lambda x, n: jnp.sum(x * n.astype(jnp.float32)))(V, jnp.array([1, 2, 3], jnp.int4)))
    few(lambda m: m.vjp(lambda x, n: x * n, V, np.array([1, 2, 3], np.uint8))[1](V))


def test_random_keys() -> None:
    """Keys are arguments, constants and values inside; they carry no derivative."""

    def f(x: Any, key: Any) -> Any:
        a, b = jax.random.split(key)
        return jnp.sum(x * jax.random.normal(a, x.shape)) + jnp.sum(jax.random.bernoulli(b, 0.5, x.shape) * x**2)

    key = jax.random.key(3)
    few(lambda m: m.value_and_grad(f)(V, key))
    few(lambda m: jax.jit(m.grad(f))(V, key))
    few(lambda m: m.grad(lambda x: f(x, key))(V))
    few(lambda m: m.grad(lambda x: f(x, jax.random.key(7)))(V))
    few(lambda m: m.grad(lambda x: f(x, jax.random.PRNGKey(7)))(V))
    few(lambda m: m.jvp(lambda x: f(x, key), (V,), (V,)))
    few(lambda m: jax.vmap(m.grad(f), (None, 0))(V, jax.random.split(key, 4)))
    few(lambda m: m.grad(f, has_aux=False)(V, jax.random.PRNGKey(1)))


# -- complex numbers ---------------------------------------------------------------------------------------------------

Z = np.array([0.3 + 0.7j, -1.2 + 0.1j, 0.5 - 0.4j], np.complex64)


def test_real_loss_of_complex_numbers() -> None:
    """JAX's convention: the conjugate of the steepest ascent."""
    few(lambda m: m.value_and_grad(lambda z: jnp.sum(jnp.abs(z) ** 2 + jnp.real(z * z * 1j)))(Z))
    few(lambda m: m.grad(lambda z: jnp.sum(jnp.angle(z)) + jnp.imag(jnp.prod(z)))(Z))
    few(lambda m: m.grad(lambda x: jnp.real(jnp.sum(jnp.exp(1j * x) * Z)))(V))
    few(lambda m: m.grad(lambda z, x: jnp.sum(jnp.abs(z * x)), (0, 1))(Z, V))
    few(lambda m: m.jvp(lambda z: (z * z, jnp.abs(z), jnp.conj(z)), (Z,), (Z * 1j,)))
    few(lambda m: m.vjp(lambda z: (jnp.sin(z), jnp.conj(z), jnp.real(z)), Z)[1]((Z, Z * 2j, V)))


HOLOMORPHIC = {
    "square": lambda z: z * z,
    "sin": jnp.sin,
    "exp": lambda z: jnp.exp(z * 1j),
    "log": jnp.log,
    "sqrt": jnp.sqrt,
    "power": lambda z: z**2.5,
    "tanh": jnp.tanh,
    "rational": lambda z: (z + 1) / (z - 3),
    "reciprocal": lambda z: 1 / z,
    "arctan": jnp.arctan,
}


@pytest.mark.parametrize("f", HOLOMORPHIC.values(), ids=HOLOMORPHIC)
def test_holomorphic(f: Any) -> None:
    few(lambda m: m.value_and_grad(lambda z: jnp.sum(f(z)), holomorphic=True)(Z))
    few(lambda m: m.jacfwd(f, holomorphic=True)(Z))
    few(lambda m: m.jacrev(f, holomorphic=True)(Z))
    few(lambda m: m.hessian(lambda z: jnp.sum(f(z)), holomorphic=True)(Z))
    few(lambda m: m.grad(m.grad(f, holomorphic=True), holomorphic=True)(Z[0]))


def test_holomorphic_asked_for_in_vain() -> None:
    assert_refused_alike(lambda m: m.grad(lambda x: x * 1j, holomorphic=True)(1.0), "holomorphic=True requires inputs")
    assert_refused_alike(
        lambda m: m.grad(lambda z: jnp.abs(z), holomorphic=True)(Z[0]), "holomorphic=True requires outputs"
    )
    assert_refused_alike(lambda m: m.grad(lambda z: z * z)(Z[0]), "requires real-valued outputs")
    assert_refused_alike(lambda m: m.jacfwd(lambda z: z * z)(Z), "jacfwd requires real-valued inputs")
    assert_refused_alike(
        lambda m: m.jacfwd(lambda x: x * x, holomorphic=True)(V), "jacfwd with holomorphic=True requires inputs"
    )
    assert_refused_alike(
        lambda m: m.jacfwd(jnp.abs, holomorphic=True)(Z), "jacfwd with holomorphic=True requires outputs"
    )
    assert_refused_alike(lambda m: m.jacrev(lambda z: z * z)(Z), "requires real-valued outputs")
    assert_refused_alike(lambda m: m.jacrev(jnp.abs, holomorphic=True)(Z), "holomorphic=True requires outputs")
    few(lambda m: m.jacfwd(lambda x: x * 1j)(V))


# -- refusals ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "f",
    [lambda x: x, lambda x: (x[0], x[1]), lambda x: [x[0]], lambda x: {"a": x[0]}, lambda x: None, lambda x: x[:1]],
    ids=["vector", "pair", "list", "dict", "none", "one"],
)
def test_result_that_is_no_scalar(f: Any) -> None:
    assert_refused_alike(lambda m: m.grad(f)(V), "Gradient only defined for scalar-output functions")


def test_integer_results() -> None:
    assert_refused_alike(lambda m: m.grad(lambda x: jnp.argmax(x))(V), "grad requires real-valued outputs")
    assert_refused_alike(lambda m: m.grad(lambda x: x[0] > 0)(V), "grad requires real-valued outputs")
    assert_refused_alike(lambda m: m.jacrev(lambda x: jnp.argsort(x))(V), "jacrev requires real-valued outputs")


@pytest.mark.parametrize(
    ("primals", "tangents"),
    [
        ((V,), (V[:2],)),
        ((V,), (1.0,)),
        ((V,), (V, V)),
        ((V,), ({"a": V},)),
        ((V,), (V.astype(np.float16),)),
        ((V,), (np.arange(3),)),
        ((np.arange(3),), (V,)),
        ((np.arange(3),), (np.arange(3),)),
        (V, V),
        ({"a": V}, {"a": V}),
        ((V,), V),
        ((Z,), (V,)),
        ((V,), (Z,)),
        ((), ()),
    ],
    ids=[
        "shape",
        "scalar",
        "count",
        "tree",
        "half",
        "int tangent",
        "float for int",
        "int for int",
        "array",
        "dict",
        "tangent array",
        "real for complex",
        "complex for real",
        "nothing",
    ],
)
def test_tangents_that_do_not_fit(primals: Any, tangents: Any) -> None:
    def f(*x: Any) -> Any:
        return jnp.sin(x[0]) if x else jnp.float32(1.0)

    try:
        expected = jax.jvp(f, primals, tangents)
    except Exception as error:
        with pytest.raises(type(error)):
            gradir.jax.jvp(f, primals, tangents)
    else:
        assert_agree(gradir.jax.jvp(f, primals, tangents), expected, units=FEW)


@pytest.mark.parametrize(
    "cotangent",
    [V[:2], 1.0, (V,), (V, V, V), {"a": V}, [V, V], (V[:2], V), (V, V.astype(np.float16)), (V, np.arange(3)), (V, Z)],
    ids=["shape", "scalar", "count", "three", "dict", "list", "inner shape", "half", "int", "complex"],
)
def test_cotangents_that_do_not_fit(cotangent: Any) -> None:
    assert_refused_alike(lambda m: m.vjp(lambda x: (x * 2, jnp.sin(x)), V)[1](cotangent))


def test_cotangents_of_other_kinds() -> None:
    """Python numbers are cotangents of scalars, arrays of integers have cotangents of type float0."""
    few(lambda m: m.vjp(lambda x: x * 2, 3.0)[1](1.0))
    few(lambda m: m.vjp(lambda x: jnp.sum(x), V)[1](jnp.asarray(2.0)))
    zero = np.zeros(3, jax.dtypes.float0)
    few(lambda m: m.vjp(lambda x: (x, jnp.arange(3)), V)[1]((V, zero)))


def test_errors_inside_the_function_come_through() -> None:
    class Mine(Exception):
        pass

    def f(x: Any) -> Any:
        raise Mine("from inside")

    for name in ("grad", "value_and_grad", "jacfwd", "jacrev", "hessian"):
        assert_refused_alike(lambda m: getattr(m, name)(f)(1.0), "from inside")
    assert_refused_alike(lambda m: m.grad(lambda x: x @ x.T @ jnp.ones(7))(jnp.ones((2, 2))), "dot_general|contracting")


def test_wrong_number_of_arguments() -> None:
    assert_refused_alike(lambda m: m.grad(three)(V), "positional argument")
    assert_refused_alike(lambda m: m.grad(three)(V, V, V, V), "positional argument")
    assert_refused_alike(lambda m: m.grad(three)(V, V, V, other=1), "keyword argument")
    assert_refused_alike(lambda m: m.grad(three)(), "argnums|positional")


def test_values_cannot_decide_python_branches_under_jit() -> None:
    assert_refused_alike(lambda m: jax.jit(m.grad(lambda x: x * 2 if x > 0 else x))(1.0), "boolean")


def test_arguments_that_are_no_arrays() -> None:
    assert_refused_alike(lambda m: m.grad(lambda x: x)("text"), "str")


def test_other_arguments_are_for_python_code_too() -> None:
    """Outside `jit`, JAX hands on what is not differentiated as it is: Python may decide by it."""

    def f(x: Any, mode: str, n: int, rate: float, sizes: Any, *, training: Any = None) -> Any:
        if mode == "twice":
            x = x * 2
        for _ in range(n):
            x = jnp.sin(x)
        if rate > 0:
            x = x * rate
        if training is True:
            x = x.reshape(sizes) * 3
        return jnp.sum(x * jnp.arange(x.size, dtype=np.float32).reshape(x.shape))

    few(lambda m: m.value_and_grad(f)(V, "twice", 2, 0.5, np.array([3, 1]), training=True))
    few(lambda m: m.value_and_grad(f)(V, "once", 0, 0.0, None))
    few(lambda m: m.grad(lambda x, mask: jnp.sum(x[mask] ** 2))(V, V > 0))
    few(lambda m: m.grad(lambda x, flag: x * 2 if flag else x)(3.0, jnp.asarray(False)))
    few(lambda m: m.grad(lambda x, f: f(x))(3.0, jnp.sin))
    few(lambda m: m.grad(lambda x, n: x**n)(3.0, 2))


def test_python_code_may_decide_by_what_is_differentiated() -> None:
    """Outside `jit`, as under JAX; inside, neither knows the value."""
    f = gradir.jax.grad(lambda x: x * 2 if x > 0 else x)
    assert (f(1.0), f(-1.0)) == (2.0, 1.0)
    with pytest.raises(jax.errors.TracerBoolConversionError):
        jax.jit(f)(1.0)


# -- what is around the function ---------------------------------------------------------------------------------------

SCALE = 2.0
TABLE = np.ones(3, np.float32)


def test_changed_globals_are_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    def f(x: Any) -> Any:
        return jnp.sum(x * SCALE * TABLE)

    g = gradir.jax.grad(f)
    for scale in (2.0, 3.0, 2.0):
        monkeypatch.setitem(globals(), "SCALE", scale)
        np.testing.assert_allclose(g(V), np.full(3, scale), rtol=1e-6)
    table = TABLE.copy()
    monkeypatch.setitem(globals(), "TABLE", table)
    for value in (5.0, 7.0):
        table[1] = value
        np.testing.assert_allclose(g(V), [2, 2 * value, 2], rtol=1e-6)


def test_changed_large_arrays_are_seen() -> None:
    table = np.ones(1000, np.float32)
    x = jnp.linspace(0, 1, 1000)
    g = gradir.jax.grad(lambda x: jnp.sum(jnp.sin(x * table)))
    for value in (1.0, 2.0, 3.0):
        table[:] = value
        assert_agree(g(x), jnp.cos(x * value) * value, units=FEW)


def test_changed_attributes_and_default_arguments_are_seen() -> None:
    class Model:
        scale = 1.0

        def loss(self, x: Any) -> Any:
            return jnp.sum(x * self.scale)

    model = Model()
    g = gradir.jax.grad(model.loss)
    for scale in (1.0, 4.0):
        model.scale = scale
        np.testing.assert_allclose(g(V), np.full(3, scale), rtol=1e-6)


def test_function_runs_once_for_each_call() -> None:
    """JAX calls the Python function once too: counters and prints inside must not double."""
    for name in ("grad", "value_and_grad"):
        for module in (gradir.jax, jax):
            calls = []
            getattr(module, name)(lambda x: calls.append(0) or x * x)(1.0)
            assert len(calls) == 1, (module, name)


def test_large_arrays_closed_over_are_arguments() -> None:
    """Otherwise a data set would be written into the program as text, and compiled."""
    data = jnp.linspace(0, 1, 200_000)
    few(lambda m: m.grad(lambda x: jnp.sum(jnp.sin(data * x)) / data.size)(2.0))
    few(lambda m: jax.jit(m.grad(lambda x: jnp.sum(jnp.sin(data * x)) / data.size))(2.0))


def test_equal_functions_share_what_is_made() -> None:
    """A training loop outside `jit` makes a new function each time: derived and compiled once all the same."""
    from gradir.jax import program

    def step(x: Any) -> Any:
        return gradir.jax.grad(lambda y: jnp.sum(jax.nn.relu(y) * jax.nn.silu(y) + jax.nn.logsumexp(y)))(x)

    found = []
    for _ in range(3):
        step(V)
        found.append(list(program._programs.values())[-1])
    assert found[0] is found[1] is found[2]


def test_functions_of_the_same_program_with_different_rules_are_kept_apart() -> None:
    def with_slope(slope: float) -> Any:
        @jax.custom_jvp
        def f(x: Any) -> Any:
            return x * 2.0

        @f.defjvp
        def rule(primals: Any, tangents: Any) -> Any:
            return f(*primals), tangents[0] * slope

        return f

    for slope in (5.0, 7.0, 5.0):
        assert float(gradir.jax.grad(with_slope(slope))(1.0)) == slope


def test_rules_of_rules_are_kept_apart() -> None:
    """The first derivatives are the same; the second ones come from a rule that the first rule calls."""

    def with_curvature(curvature: float) -> Any:
        @jax.custom_jvp
        def slope(x: Any) -> Any:
            return x * 3.0

        slope.defjvp(lambda primals, tangents: (slope(*primals), tangents[0] * curvature))

        @jax.custom_jvp
        def f(x: Any) -> Any:
            return x * 2.0

        f.defjvp(lambda primals, tangents: (f(*primals), tangents[0] * slope(primals[0])))
        return f

    for curvature in (5.0, 7.0, 5.0):
        assert float(gradir.jax.grad(gradir.jax.grad(with_curvature(curvature)))(1.0)) == curvature


@pytest.mark.parametrize(
    "use",
    [
        lambda m: m.vjp(lambda a, b: a * b, 1.0, 2.0)[1](1.0, 2.0),
        lambda m: m.vjp(lambda a: (a, a), 1.0)[1](1.0, 1.0),
        lambda m: m.vjp(lambda a: a, 1.0)[1](),
        lambda m: m.vjp(lambda a: a, 1.0)[1](ct=1.0),
    ],
)
def test_a_pulling_function_takes_one_cotangent(use: Any) -> None:
    with pytest.raises(TypeError):
        use(jax)
    with pytest.raises(TypeError, match="takes a single one"):
        use(gradir.jax)


# -- random keys -------------------------------------------------------------------------------------------------------


def noisy(x: Any, key: Any) -> Any:
    return x * jax.random.uniform(key), jax.random.split(key)


@pytest.mark.parametrize("jitted", [False, True])
def test_random_keys_are_arguments_and_results(jitted: bool) -> None:
    key, none = jax.random.key(3), np.zeros((), jax.dtypes.float0)

    def every(m: Any) -> Any:
        first = lambda x, key: noisy(x, key)[0]  # noqa: E731
        value, pushed = m.linearize(first, 2.0, key)
        (_, keys), pulled = m.vjp(lambda x: noisy(x, key), 2.0)
        shadows = m.vjp(first, 2.0, key)[1](1.0)
        moved = m.jvp(first, (2.0, key), (1.0, none))
        return value, pushed(1.0, none), shadows[0], moved, jax.random.key_data(keys), pulled((1.0, none_of(keys)))

    def none_of(keys: Any) -> Any:
        return np.zeros(keys.shape, jax.dtypes.float0)

    ours, theirs = ((jax.jit(lambda: every(m)) if jitted else lambda: every(m))() for m in (gradir.jax, jax))
    assert_agree(ours, theirs)
