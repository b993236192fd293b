"""One derivative module of a small GPT's training step, on two back ends."""

from __future__ import annotations

import jax
import numpy as np
import pytest
from programs import gpt

import gradir


@pytest.fixture(scope="module")
def step() -> tuple[gradir.Module, list[np.ndarray], list[np.ndarray]]:
    """The module that holds value and gradient, its arguments, and what JAX says they are."""
    loss, (params, tokens) = gpt(2, width=16, heads=2, vocabulary=32, length=8)
    leaves, tree = jax.tree.flatten(params)

    def flat(*args: jax.Array) -> jax.Array:
        return loss(jax.tree.unflatten(tree, args[:-1]), args[-1])

    module = gradir.load(jax.jit(flat, keep_unused=True).lower(*leaves, tokens))
    value, gradients = jax.value_and_grad(loss)(params, tokens)
    expected = [np.asarray(x) for x in (value, *jax.tree.leaves(gradients))]
    return (
        module.value_and_grad("main", wrt=tuple(range(len(leaves)))),
        [np.asarray(x) for x in (*leaves, tokens)],
        expected,
    )


def test_it_agrees_with_jax_on_xla(step: tuple[gradir.Module, list[np.ndarray], list[np.ndarray]]) -> None:
    module, args, expected = step
    got = module.run("value_and_grad_main", *args, backend="xla")
    for a, b in zip(got, expected, strict=True):
        # f32, sums of a few hundred terms: rounding errors of about sqrt(n) * 6e-8 of the largest term.
        np.testing.assert_allclose(a, b, rtol=1e-4, atol=1e-6)


def test_the_same_module_compiles_with_iree_and_agrees_with_xla(
    step: tuple[gradir.Module, list[np.ndarray], list[np.ndarray]],
) -> None:
    pytest.importorskip("iree.compiler", reason="IREE comes with gradir[iree]")
    module, args, _ = step
    on_xla = module.run("value_and_grad_main", *args, backend="xla")
    on_iree = module.run("value_and_grad_main", *args, backend="iree")
    for a, b in zip(on_iree, on_xla, strict=True):
        np.testing.assert_allclose(a, b, rtol=1e-4, atol=1e-6)  # other summation orders, as above
