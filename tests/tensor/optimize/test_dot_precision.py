"""Products of matrices that the optimiser makes of what no back end rounds ask for full precision."""

import re

import jax
import jax.numpy as jnp
import pytest
from jax import lax

import gradir.jax


def products(f, *args):
    """The products of matrices of the optimised function."""
    text = jax.jit(gradir.jax.optimize(f)).lower(*args).as_text()
    return [line for line in text.splitlines() if re.search(r"dot_general.*-> tensor<\d+x\d+x", line)]


@gradir.jax.grad
def recurrence(w, h, xs):
    """Both what enters the rounds and the weights' cotangents leave the loop."""
    return jnp.sum(lax.scan(lambda h, x: (jnp.tanh(h + x @ w), None), h, xs)[0])


def in_turn(w, xs):
    return lax.map(lambda x: x @ w, xs)


def outer_sums(a, b):
    return jnp.sum(a[:, :, None] * b[:, None, :], axis=0)


H, W, XS = jnp.ones(128), jnp.ones((64, 128)), jnp.ones((256, 64))


@pytest.mark.parametrize(
    ("f", "args"), [(recurrence, (W, H, XS)), (in_turn, (W, XS)), (outer_sums, (XS, jnp.ones((256, 16))))]
)
def test_sums_and_vector_products_stay_in_full(f, args):
    made = products(f, *args)
    assert made and all("HIGHEST" in line for line in made)


@pytest.mark.parametrize("dtype", [jnp.bfloat16, jnp.float16])
def test_narrow_types_are_not_rounded_further(dtype):
    (made,) = products(in_turn, W.astype(dtype), XS.astype(dtype))
    assert "HIGHEST" not in made


def test_products_of_matrices_stay_as_they_are():
    (made,) = products(in_turn, W, jnp.ones((4, 32, 64)))
    assert "HIGHEST" not in made
    (made,) = products(lambda w, xs: (2 * xs) @ w, W, XS)
    assert "HIGHEST" not in made


def test_what_is_asked_for_stays():
    (made,) = products(lambda w, xs: lax.map(lambda x: jnp.dot(x, w, precision="high"), xs), W, XS)
    assert "HIGHEST" not in made and "HIGH" in made
