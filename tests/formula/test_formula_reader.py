"""Every op that formulas know: what is read and printed, run as Python and as Sheaf, against the program itself."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax import lax

import gradir
from gradir.errors import InputError
from gradir.formula import python, sexpr
from gradir.formula.program import formula_of
from gradir.formula.tree import Formula
from gradir.frontends.sheaf import Program

V, M, T = (4,), (2, 3), (2, 3, 4)

CASES: dict[str, tuple[Callable[..., Any], tuple[tuple[int, ...], ...]]] = {
    "arithmetic": (lambda x, y: (x + y) * (x - y) / (1 + x * x) - 0.25, (M, M)),
    "functions": (lambda x: jnp.exp(-x) + jnp.log1p(x) + jnp.sin(x) * jnp.cos(x) + jnp.tan(x) + jnp.sqrt(x), (V,)),
    "more functions": (
        lambda x: jnp.expm1(x) - jnp.cbrt(x) + jnp.tanh(x) + lax.rsqrt(x) + jnp.abs(x - 1) * jnp.sign(x - 1),
        (V,),
    ),
    "hyperbolic": (lambda x: jnp.sinh(x) * jnp.cosh(x) + jnp.arctan(x) + jnp.arcsin(x / 3) + jnp.arccos(x / 3), (V,)),
    "erf": (lambda x: jax.scipy.special.erf(x) + jax.nn.sigmoid(x), (V,)),
    "rounding": (lambda x: jnp.floor(3 * x) + jnp.ceil(x) + jnp.round(5 * x), (V,)),
    "powers": (lambda x, y: x**y + x**3 + x**-2 + x**0.5 + 2.0**x, (V, V)),
    "atan2": (lambda x, y: jnp.arctan2(x, y), (V, V)),
    "remainder": (lambda x, y: lax.rem(5 * x, y), (V, V)),
    "choices": (lambda x, y: jnp.where(x > y, x, jnp.where((x < 0.5) | ~(y >= 1), y, 2.0)), (V, V)),
    "maximum": (lambda x, y: jnp.maximum(x, 0.7) + jnp.minimum(y, x) + jnp.clip(x, 0.4, 1.1), (V, V)),
    "truths as numbers": (lambda x: jnp.sum((x > 1).astype(jnp.float32) * x), (V,)),
    "reductions": (
        lambda x: x.sum(0) * 2 + x.max(0) - x.min(0) + x.prod(0) + x.mean(0) + x.sum() - jnp.max(x),
        (M,),
    ),
    "kept axes": (lambda x: x / x.sum(1, keepdims=True) - x.mean(0, keepdims=True), (M,)),
    "axes of three": (lambda x: x.sum((0, 2)) + x.max((0, 2)), (T,)),
    "any and all": (lambda x: jnp.where(jnp.any(x > 1) & jnp.all(x > 0), x, -x), (V,)),
    "broadcasts": (lambda x, y: x[:, None] * y + x[:, None], (V, (3,))),
    "outer": (lambda x, y: jnp.outer(x, y) * 2, (V, (3,))),
    "products": (lambda x, y: x @ y.T @ x + (x.T @ x).sum(), (M, M)),
    "vectors": (lambda x, y: (x @ y) * y + x, (V, V)),
    "matrix and vector": (lambda a, x, y: a @ x + y @ a[:, :2], (M, (3,), (2,))),
    "batched products": (lambda x, y: x @ y, (T, (2, 4, 3))),
    "einsum": (lambda x, y: jnp.einsum("ijk,jl->ilk", x, y), (T, (3, 5))),
    "transposed": (lambda x: jnp.transpose(x, (2, 0, 1)) * 2, (T,)),
    "shapes": (lambda x: x.reshape(3, 2).reshape(6)[None, :, None], (M,)),
    "slices": (lambda x: x[1] * x[0, 1:].sum() + x[:, ::2].sum() + x[0, 2], (M,)),
    "concatenated": (lambda x, y: jnp.concatenate([x, 2 * y, x[:1]]), (V, V)),
    "stacked": (lambda x, y: jnp.stack([x, y], 1), (V, V)),
    "padded": (lambda x: jnp.pad(x, ((1, 0), (0, 2)), constant_values=0.5), (M,)),
    "flipped": (lambda x: x[::-1] * x, (V,)),
    "counted": (lambda x: x * jnp.arange(4) + jnp.arange(4.0)[:, None], (V,)),
    "constants": (lambda x: x * jnp.array([1.5, -2.0, 0.0, 1 / 3]) + jnp.pi, (V,)),
    "softmax": (lambda x: jax.nn.softmax(x) + jax.nn.log_softmax(x, 0) - jax.nn.logsumexp(x, 1, keepdims=True), (M,)),
    "norm": (lambda x: x / jnp.linalg.norm(x), (V,)),
    "whole numbers": (lambda x: x * (jnp.arange(4) // 2 + jnp.arange(4) % 3), (V,)),
    "loop": (lambda x: lax.fori_loop(0, 3, lambda i, a: jnp.sin(a) + i * x, x), (V,)),
    "scan": (lambda x: lax.scan(lambda c, v: (c * v + 1, c), 1.0, x), (V,)),
    "branches": (lambda x: lax.cond(x.sum() > 3, lambda: x * 2, lambda: -x), (V,)),
    "cases": (lambda x: lax.switch(jnp.int32(x[0] * 2), [lambda: x, lambda: 2 * x, lambda: 3 * x]), (V,)),
    "updates": (lambda x, y: lax.dynamic_update_slice(x, y[:1] * 2, (2,)), (V, V)),
}


def flat(function: Callable[..., Any]) -> Callable[..., list[Any]]:
    return lambda *arguments: jax.tree.leaves(function(*arguments))


@pytest.mark.parametrize("name", CASES)
def test_ops(name: str) -> None:
    function, shapes = CASES[name]
    rng = np.random.default_rng(3)
    values = [rng.uniform(0.3, 1.7, s).astype(np.float32) for s in shapes]
    lowered = jax.jit(flat(function), keep_unused=True).lower(*values)
    wanted = [np.asarray(w) for w in lowered.compile()(*values)]
    names = [f"x{i}" for i in range(len(values))]
    for short in (False, True):
        formula = formula_of(
            gradir.load(lowered).ir, "main", name="f", parameters=names, optimised=short, short=short
        )
        check(run_python(formula, values), wanted)
        if short:
            check(run_sheaf(formula, values), wanted)


def check(got: list[Any], wanted: list[Any]) -> None:
    for g, w in zip(got, wanted, strict=True):
        assert np.shape(g) == np.shape(w)
        # In f32, whose last bit is 1.2e-7, through some ten operations.
        np.testing.assert_allclose(np.asarray(g, np.float64), w, rtol=1e-5, atol=1e-5)


def run_python(formula: Formula, values: list[Any]) -> list[Any]:
    names: dict[str, Any] = {}
    exec(python(formula), names)
    made = names["f"](*values)
    return list(made) if isinstance(made, tuple) else [made]


def run_sheaf(formula: Formula, values: list[Any]) -> list[Any]:
    parameters = " ".join(str(p.data) for p in formula.parameters)
    program = Program(f"(defn f [{parameters}] {sexpr(formula)})", compiles=False)
    made = jax.jit(program.f)(*values)
    return [made[n] for n in formula.result_names] if isinstance(made, dict) else [made]


@pytest.mark.parametrize(
    ("function", "says"),
    [
        (lambda x: jnp.sort(x), "stablehlo.sort can't be shown as a formula"),
        (lambda x: lax.fori_loop(0, 99, lambda i, a: jnp.sin(a), x), "it runs more than 16 rounds"),
        (lambda x: lax.while_loop(lambda a: a.sum() < 9, lambda a: 2 * a, x), "known only when it does"),
        (lambda x: x[jnp.int32(x[0])], "can't be shown"),
        (lambda x: jnp.fft.fft(x).real, "can't be shown"),
        (lambda x: jnp.cumsum(x), "can't be shown"),
        (lambda x: jnp.int32(x) & 3, "it works on bits"),
    ],
)
def test_what_can_not_be_shown_is_refused(function: Callable[..., Any], says: str) -> None:
    module = gradir.load(jax.jit(function).lower(np.ones(4, np.float32)))
    with pytest.raises(InputError, match=says) as caught:
        formula_of(module.ir, "main")
    assert "--as mlir" in str(caught.value)


def test_what_is_too_deep_is_refused() -> None:
    def deep(x: Any) -> Any:
        for _ in range(300):
            x = jnp.sin(x)
        return x

    with pytest.raises(InputError, match=r"30\d operations deep"):
        formula_of(gradir.load(jax.jit(deep).lower(1.0)).ir, "main")
