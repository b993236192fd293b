"""The optimiser on whole programs: the same results, in fewer steps, always the same way, and in linear time."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax import lax
from optimizer import ROWS, Second, by_fori_loop, by_map, by_vmap, derivative
from programs import PROGRAMS, make

import gradir
import gradir.jax
from gradir.errors import RequestError
from gradir.tensor.ir.module import operations, verify
from gradir.tensor.optimize import CPU, FAMILIES, GPU, RULES, Fired, chosen, cost, optimize, total
from gradir.tensor.optimize.effects import FINITE

SLOW = {"gpt12", "gpt6", "convnet"}


def module_of(f: Callable[..., Any], *args: Any) -> gradir.Module:
    return gradir.load(jax.jit(f).lower(*args))


def names(module: gradir.Module) -> list[str]:
    held = module.ir
    return [op.name for op in operations(held)]


def assert_close(ours: Any, theirs: Any) -> None:
    for a, b in zip(jax.tree.leaves(ours), jax.tree.leaves(theirs), strict=True):
        np.testing.assert_allclose(a, b, rtol=2e-4, atol=2e-5 * (1 + float(np.max(np.abs(b), initial=0))))


@pytest.mark.parametrize("name", [n for n in PROGRAMS if n not in SLOW])
def test_gradients_of_whole_programs_are_the_same_without_it(name: str) -> None:
    loss, args = make(name)
    optimised = jax.jit(gradir.jax.value_and_grad(loss))(*args)
    with gradir.optimizing(False):
        plain = jax.jit(gradir.jax.value_and_grad(loss))(*args)
    assert_close(optimised, plain)


@pytest.mark.parametrize("name", [n for n in ROWS if n.startswith(("norm", "kan", "laplacian 8", "stencil"))])
def test_rows_of_the_benchmark_agree_with_jax(name: str) -> None:
    of, args = ROWS[name]()
    assert_close(jax.jit(derivative(of, gradir.jax))(*args), jax.jit(derivative(of, jax))(*args))
    assert isinstance(of, Second) or callable(of)


@pytest.mark.parametrize("normalised", [by_vmap, by_map, by_fori_loop])
def test_a_norm_in_each_round_is_computed_once(normalised: Callable[[Any], Any]) -> None:
    def loss(x: Any) -> Any:
        return jnp.sum(jnp.sin(normalised(x)))

    made = names(gradir.load(jax.jit(gradir.jax.grad(loss)).lower(jnp.ones(64))))
    assert not {"stablehlo.while", "stablehlo.gather", "stablehlo.scatter", "stablehlo.dynamic_slice"} & set(made)
    assert made.count("stablehlo.reduce") <= 3


def test_a_slice_of_a_product_takes_only_what_it_needs() -> None:
    n = 10_000
    m = module_of(
        lambda x, y, z: jnp.sum((jnp.dot(x, y) * z)[0:10] * 4), jnp.ones((n, 8)), jnp.ones(8), jnp.ones(n)
    ).optimize()
    held = m.ir
    products = [op for op in operations(held) if op.name == "stablehlo.dot_general"]
    assert [op.results[0].type.shape for op in products] == [[10]]
    assert total(operations(held)[2:]).flops < 500


def test_the_trace_of_a_product_computes_no_product() -> None:
    m = module_of(lambda a, b: jnp.trace(a @ b), jnp.ones((64, 32)), jnp.ones((32, 64)))
    import gradir.tensor.ir.inline as inline

    held = m.ir
    inline.inline_calls(held)
    optimize(held)
    largest = max((op.results[0].type.shape for op in operations(held) if op.name == "stablehlo.dot_general"), key=len)
    assert largest == []


def test_powers_by_an_iota_are_products() -> None:
    m = module_of(lambda x: jnp.tanh(x)[..., None] ** jnp.arange(5), jnp.ones((4, 3))).optimize()
    assert "stablehlo.power" not in names(m)


def test_loops_that_depend_on_themselves_stay() -> None:
    m = module_of(lambda x: lax.fori_loop(0, 50, lambda i, x: jnp.sin(x) * x[0], x), jnp.ones(3))
    assert "stablehlo.while" in names(m.optimize())


def test_a_large_loop_is_not_raised_into_more_memory_than_there_is() -> None:
    def f(x: Any) -> Any:
        return lax.map(lambda i: jnp.sum(jnp.sin(x * i)), jnp.arange(4096.0))

    assert "stablehlo.while" in names(module_of(f, jnp.ones(1 << 16)).optimize())


@pytest.mark.parametrize("name", ["mlp", "lstm", "mixture"])
def test_the_result_is_deterministic_and_final(name: str) -> None:
    loss, args = make(name)
    m = module_of(jax.grad(loss), *args)
    once = m.optimize()
    assert str(m.optimize()) == str(once)
    log: list[Fired] = []
    again = once.optimize(log=log)
    assert len(log) <= 3, [str(f) for f in log]
    verify(again.ir)


def test_families_and_rules_can_be_chosen() -> None:
    m = module_of(lambda x: -(-x) + 0.0, jnp.ones(3))
    assert "stablehlo.negate" in names(m.optimize(["complex"]))
    assert "stablehlo.negate" not in names(m.optimize(["neg_neg"]))
    with pytest.raises(RequestError, match="no rule or family"):
        m.optimize(["nonsense"])


def test_what_holds_for_finite_numbers_is_off_unless_asked_for() -> None:
    m = module_of(lambda x, y, z: x * y + x * z, *[jnp.ones(3)] * 3)
    assert names(m.optimize()).count("stablehlo.multiply") == 2
    assert names(m.optimize(numerics="fast")).count("stablehlo.multiply") == 1
    assert not any(FINITE in r.effects for r in chosen())


def test_every_family_has_rules_and_there_are_enough() -> None:
    assert len(RULES) >= 250
    assert all(any(r.family == name for r in RULES.values()) for name in FAMILIES)


def test_a_log_says_what_fired_and_what_it_saves() -> None:
    log: list[Fired] = []
    module_of(lambda x: (jnp.sin(x) * 2)[:2], jnp.ones(1000)).optimize(log=log)
    fired = next(f for f in log if f.rule == "slice_of_elementwise")
    assert (fired.before - fired.after).flops > 900
    assert "slice_of_elementwise on stablehlo.slice" in str(fired)


def test_costs_are_those_of_the_work() -> None:
    m = module_of(lambda a, b: a @ b, jnp.ones((64, 32)), jnp.ones((32, 16))).ir
    dot = next(op for op in operations(m) if op.name == "stablehlo.dot_general")
    assert cost(dot).flops == 2 * 64 * 32 * 16
    assert cost(dot).on(CPU) > 0 and cost(dot).on(GPU) > 0


def test_nothing_is_lost_at_infinity() -> None:
    m = module_of(lambda x: jnp.where(x > 0, jnp.log(x), 0 * x) + x * 0, jnp.ones(5))
    x = np.array([np.nan, np.inf, -np.inf, 0.0, -1.0], np.float32)
    np.testing.assert_array_equal(m.optimize().run(x), m.run(x))
