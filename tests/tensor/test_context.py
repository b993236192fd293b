"""Contexts go with their programs: what was large is given back, and programs of two contexts still meet."""

from __future__ import annotations

import gc
import weakref

import jax
import jax.numpy as jnp
import numpy as np
import pytest

import gradir
import gradir.jax
from gradir.tensor.ir import context as contexts
from gradir.tensor.ir.module import clone, parse, to_text


def program(seed: int, n: int = 256) -> str:
    numbers = np.random.default_rng(seed).normal(size=(n, n)).astype(np.float32)
    return f"""func.func @f(%x: tensor<{n}x{n}xf32>) -> tensor<f32> {{
      %c = stablehlo.constant dense<"0x{numbers.tobytes().hex().upper()}"> : tensor<{n}x{n}xf32>
      %y = stablehlo.dot_general %x, %c, contracting_dims = [1] x [0] : (tensor<{n}x{n}xf32>, tensor<{n}x{n}xf32>) -> tensor<{n}x{n}xf32>
      %z = stablehlo.multiply %y, %y : tensor<{n}x{n}xf32>
      %zero = stablehlo.constant dense<0.0> : tensor<f32>
      %sum = stablehlo.reduce(%z init: %zero) applies stablehlo.add across dimensions = [0, 1]
        : (tensor<{n}x{n}xf32>, tensor<f32>) -> tensor<f32>
      return %sum : tensor<f32>
    }}"""  # noqa: E501


def test_programs_with_large_constants_leave_nothing_behind(monkeypatch: pytest.MonkeyPatch) -> None:
    """40 programs of half a megabyte, derived and run: not more contexts live on than that much fills, and one."""
    monkeypatch.setattr(contexts, "_newest", None)  # the last one may be kept by programs of other tests
    alive: weakref.WeakSet[contexts.Context] = weakref.WeakSet()
    for seed in range(40):
        text = program(seed)
        m = gradir.load(text).value_and_grad("f")
        alive.add(m.ir.context)
        if seed % 10 == 0:
            m.run("value_and_grad_f", np.ones((256, 256), np.float32))
    filled = 40 * len(text) / contexts.ROOM
    assert filled > 1.2, "a context was filled, and another begun"
    del m
    gc.collect()
    assert len(alive) == 1, "the newest"


def test_a_context_goes_when_a_new_one_begins(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(contexts, "ROOM", 1)
    alive: weakref.WeakSet[contexts.Context] = weakref.WeakSet()
    kept = gradir.load(program(0, 4)).grad("f")
    for seed in range(8):
        alive.add(gradir.load(program(seed, 4)).hessian("f").ir.context)
        gc.collect()
        assert len(alive) <= 1
    # What was kept lives on, and goes on being derived in its own context.
    x = np.ones((4, 4), np.float32)
    numbers = np.random.default_rng(0).normal(size=(4, 4)).astype(np.float32)
    expected = jax.grad(lambda x: jnp.sum((x @ numbers) ** 2))(x)
    np.testing.assert_allclose(kept.run("grad_f", x), expected, rtol=1e-5)
    assert kept.ir.context is kept.optimize().ir.context
    assert kept.ir.context not in alive


def test_a_rule_of_another_context_is_taken_in(monkeypatch: pytest.MonkeyPatch) -> None:
    """A rule is lowered when it is asked for, by which time the program's context may not be the newest any more."""
    monkeypatch.setattr(contexts, "ROOM", 1)

    @jax.custom_jvp
    def f(x: jax.Array) -> jax.Array:
        return jnp.sin(x)

    @f.defjvp
    def f_jvp(primals: tuple[jax.Array], tangents: tuple[jax.Array]) -> tuple[jax.Array, jax.Array]:
        return f(*primals), 3 * jnp.cos(primals[0]) * tangents[0]

    x = jnp.array([0.5, 1.5])
    np.testing.assert_allclose(gradir.jax.grad(lambda x: f(x).sum())(x), 3 * jnp.cos(x), rtol=1e-6)
    second = gradir.jax.grad(lambda x: gradir.jax.grad(lambda x: f(x).sum())(x).sum())(x)
    np.testing.assert_allclose(second, -3 * jnp.sin(x), rtol=1e-6)


def test_a_copy_is_made_in_its_own_context_or_the_one_asked_for() -> None:
    module, other = parse(program(1, 2)), contexts.Context()
    assert clone(module).context is module.context
    copy = clone(module, other)
    assert copy.context is other
    assert to_text(copy) == to_text(module)


def test_what_is_remembered_is_forgotten_with_its_context(monkeypatch: pytest.MonkeyPatch) -> None:
    memory = contexts.remembered()
    memory["a"] = 1
    contexts.context()
    assert memory
    monkeypatch.setattr(contexts, "ROOM", 1)
    contexts.context(1)
    contexts.context(1)
    assert not memory
